/* SPDX-License-Identifier: BSD-2-Clause */
/* What critical_enter() and critical_exit() of sys/systm.h name; they are not called. */
#ifndef _SYS_KPILITE_H_
#define _SYS_KPILITE_H_

struct thread_lite {
	int td_critnest;
	char td_owepreempt;
};

#endif
