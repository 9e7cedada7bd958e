/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS__RWLOCK_H_
#define _SYS__RWLOCK_H_

#include <machine/param.h>

struct rwlock {
	struct lock_object lock_object;
	volatile uintptr_t rw_lock;
};

struct rwlock_padalign {
	struct lock_object lock_object;
	volatile uintptr_t rw_lock;
} __aligned(CACHE_LINE_SIZE);

#endif
