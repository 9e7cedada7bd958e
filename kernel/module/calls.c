// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that poll. A program that asks for the time and whether something is
 * ready, and does nothing else, makes next to no virtual time, and what it waits
 * for hardly comes nearer. From so many such calls in a row on it sleeps after
 * each, for a share of the time that it has polled so far, and has been busy for
 * that long. A call that does something, or that has slept itself, begins anew;
 * one that prepares to ask, or asks about the program itself, does not count.
 */
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/magic.h>
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

enum call { DOES, ASKS, PREPARES };

/* /proc has the time in many places: uptime, stat, net/. The first argument is the file. */
static bool is_of_proc(void)
{
	struct file *file = fget(UPT_SYSCALL_ARG1(&current->thread.regs.regs));
	bool is_there = file && file_inode(file)->i_sb->s_magic == PROC_SUPER_MAGIC;

	if (file)
		fput(file);
	return is_there;
}

static enum call kind_of(int syscall, long ret)
{
	switch (syscall) {
	case __NR_clock_gettime:
	case __NR_getitimer:
	case __NR_getrusage:
	case __NR_gettimeofday:
	case __NR_sysinfo:
	case __NR_time:
	case __NR_timer_gettime:
	case __NR_timerfd_gettime:
	case __NR_times:
	case __NR_select:
	case __NR_pselect6:
	case __NR_poll:
	case __NR_ppoll:
	case __NR_epoll_wait:
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
	case __NR_sched_yield:
		return ASKS;
	case __NR_read:
	case __NR_pread64:
		return ret == -EAGAIN || is_of_proc() ? ASKS : DOES;
	case __NR_close:
	case __NR_fcntl:
	case __NR_fstat:
	case __NR_getpeername:
	case __NR_getpid:
	case __NR_getsockname:
	case __NR_getsockopt:
	case __NR_gettid:
	case __NR_lseek:
	case __NR_newfstatat:
	case __NR_open:
	case __NR_openat:
	case __NR_rt_sigaction:
	case __NR_rt_sigprocmask:
		return PREPARES;
	default:
		return ret == -EAGAIN ? ASKS : DOES;
	}
}

void goodput_called(int syscall, long ret)
{
	struct task_struct *task = current;
	enum call kind = kind_of(syscall, ret);
	ktime_t rest;

	if (kind == PREPARES)
		return;
	if (kind == DOES || task->nvcsw != task->asked_nvcsw) {
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
	task->se.sum_exec_runtime += rest;
	task->asked_nvcsw = task->nvcsw;
}
