/* SPDX-License-Identifier: BSD-2-Clause */
/* callout(9) at the resolution of sbintime, also where the tree has gone back to ticks. */
#include_next <sys/callout.h>
#ifdef _KERNEL
#undef callout_reset_sbt_on
#undef callout_reset_on
int callout_reset_sbt_on(struct callout *, sbintime_t, sbintime_t, void (*)(void *), void *, int, int);
#define callout_reset_on(c, to_ticks, fn, arg, cpu) \
	callout_reset_sbt_on((c), tick_sbt * (to_ticks), 0, (fn), (arg), (cpu), C_HARDCLOCK)
#endif
