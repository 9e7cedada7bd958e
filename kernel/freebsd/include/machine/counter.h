/* SPDX-License-Identifier: BSD-2-Clause */
/* counter(9) where one processor counts and is not interrupted. */
#ifndef _MACHINE_COUNTER_H_
#define _MACHINE_COUNTER_H_

#include <sys/pcpu.h>

#define EARLY_COUNTER	(&processor.pc_early_dummy_counter)

#define counter_enter()	do { } while (0)
#define counter_exit()	do { } while (0)
#define counter_u64_add_protected(counter, by)	counter_u64_add(counter, by)

static inline void
counter_u64_add(counter_u64_t counter, int64_t by)
{
	*counter += by;
}

#ifdef IN_SUBR_COUNTER_C
static inline uint64_t
counter_u64_fetch_inline(uint64_t *counter)
{
	return (*counter);
}

static inline void
counter_u64_zero_inline(counter_u64_t counter)
{
	*counter = 0;
}
#endif

#endif
