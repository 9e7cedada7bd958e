/* SPDX-License-Identifier: BSD-2-Clause */
/* A callout in the heap of time.c; the names are those that callers of callout(9) and its macros use. */
#ifndef _SYS__CALLOUT_H
#define _SYS__CALLOUT_H

#include <sys/queue.h>

struct lock_object;
typedef void callout_func_t(void *);

struct callout {
	sbintime_t c_time;
	unsigned long turn;	/* of those due at one time, the first that was set comes first */
	int place;	/* in the heap */
	void *c_arg;
	callout_func_t *c_func;
	struct lock_object *c_lock;
	short c_flags, c_iflags;
	volatile int c_cpu;
};

LIST_HEAD(callout_list, callout);
SLIST_HEAD(callout_slist, callout);
TAILQ_HEAD(callout_tailq, callout);

#endif
