/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing interrupts the stack. */
#include_next <sys/systm.h>
#ifdef _KERNEL
#undef critical_enter
#undef critical_exit
#define critical_enter()	do { } while (0)
#define critical_exit()		do { } while (0)
#endif
