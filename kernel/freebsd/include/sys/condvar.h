/* SPDX-License-Identifier: BSD-2-Clause */
/* condvar(9) where nothing waits. */
#ifndef _SYS_CONDVAR_H_
#define _SYS_CONDVAR_H_

struct cv {
	const char *cv_description;
};

#define cv_init(cv, description)	((cv)->cv_description = (description))
#define cv_destroy(cv)			((void)(cv))
#define cv_signal(cv)			((void)(cv))
#define cv_broadcast(cv)		((void)(cv))
#define cv_wait(cv, lock)		panic("%s waits", (cv)->cv_description)
#define cv_timedwait(cv, lock, ticks)	EWOULDBLOCK

#endif
