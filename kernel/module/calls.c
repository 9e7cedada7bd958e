// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that poll. A program that asks for the time and whether something is
 * ready, and does nothing else, makes next to no virtual time, and what it waits
 * for hardly comes nearer. From so many such calls in a row on it sleeps after
 * each, for a share of the time that it has polled so far. A call that does
 * something, or that has slept itself, begins anew.
 */
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include <asm/unistd.h>

#include "goodput.h"

/* Calls in a row that only ask, before any sleeps. */
#define PATIENCE 10000
/* It sleeps for one part in so many of the time that it has polled, and its bounds, ns. */
#define PARTS 1000
#define LEAST 256
#define MOST 100000

static bool only_asks(int syscall, long ret)
{
	switch (syscall) {
	case __NR_clock_gettime:
	case __NR_gettimeofday:
	case __NR_time:
	case __NR_select:
	case __NR_pselect6:
	case __NR_poll:
	case __NR_ppoll:
	case __NR_epoll_wait:
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
	case __NR_sched_yield:
		return true;
	default:
		return ret == -EAGAIN;
	}
}

void goodput_called(int syscall, long ret)
{
	struct task_struct *task = current;
	ktime_t rest;

	if (!only_asks(syscall, ret) || task->nvcsw != task->asked_nvcsw) {
		task->asked = 0;
		task->asked_nvcsw = task->nvcsw;
		return;
	}
	if (!task->asked)
		task->asked_since = monotonic();
	if (task->asked < PATIENCE) {
		task->asked++;
		return;
	}
	rest = clamp_t(u64, (monotonic() - task->asked_since) / PARTS, LEAST, MOST);
	set_current_state(TASK_INTERRUPTIBLE);
	schedule_hrtimeout(&rest, HRTIMER_MODE_REL);
	task->asked_nvcsw = task->nvcsw;
}
