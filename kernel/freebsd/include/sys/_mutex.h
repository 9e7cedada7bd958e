/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__MUTEX_H_
#define _SYS__MUTEX_H_

#include <machine/param.h>

struct mtx {
	struct lock_object lock_object;
	volatile uintptr_t mtx_lock;
};

struct mtx_padalign {
	struct lock_object lock_object;
	volatile uintptr_t mtx_lock;
} __aligned(CACHE_LINE_SIZE);

#endif
