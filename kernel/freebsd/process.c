/* SPDX-License-Identifier: BSD-2-Clause */
/* What FreeBSD's stack takes for the kernel around it: one thread, which may do everything and never waits. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/conf.h>
#include <sys/cpuset.h>
#include <sys/fail.h>
#include <sys/jail.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/limits.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/resourcevar.h>
#include <sys/rmlock.h>
#include <sys/rwlock.h>
#include <sys/smp.h>
#include <sys/socket.h>
#include <sys/sx.h>
#include <sys/sysctl.h>
#include <sys/sysent.h>
#include <sys/time.h>
#include <sys/ucred.h>

#include "inside.h"

/* ---- variables of files that are not compiled ---- */

struct pcpu processor;
struct thread0_storage thread0_st __aligned(16);
struct prison prison0;
cpuset_t all_cpus;
struct domainset *domainset_prefer[1];
volatile int ticks;
int bootverbose, cold = 1, cpu_disable_c2_sleep, mp_ncpus = 1, unmapped_buf_allowed, vm_ndomains = 1;
int kstack_pages = 4;
u_char kdb_active;
u_int cpu_feature2, mp_maxid, vn_lock_pair_pause_max;
u_long vm_kmem_size = LONG_MAX;
long physmem = 1 << 20;	/* pages; sizes limits alone */
long time_esterror;
int time_status;

/* What is due when a call returns to its process (kern/subr_trap.c of later releases). */
#ifdef tcp_hpts_softclock
volatile uint32_t hpts_that_need_softclock;
void (*tcp_hpts_softclock)(void);
#endif

SYSCTL_ROOT_NODE(0, sysctl, CTLFLAG_RW, 0, "");
SYSCTL_ROOT_NODE(CTL_KERN, kern, CTLFLAG_RW, 0, "");
SYSCTL_ROOT_NODE(CTL_NET, net, CTLFLAG_RW, 0, "");
SYSCTL_ROOT_NODE(CTL_VM, vm, CTLFLAG_RW, 0, "");
SYSCTL_ROOT_NODE(CTL_DEBUG, debug, CTLFLAG_RW, 0, "");
SYSCTL_ROOT_NODE(OID_AUTO, security, CTLFLAG_RW, 0, "");
SYSCTL_NODE(_kern, OID_AUTO, features, CTLFLAG_RD, 0, "");
SYSCTL_NODE(_debug, OID_AUTO, fail_point, CTLFLAG_RW, 0, "");

/* ---- the thread, its rights and its limits ---- */

static struct proc process;
static struct plimit limits;
static struct uidinfo user;

void
make_thread(void)
{
	struct ucred *cred = crget();

	cred->cr_uidinfo = cred->cr_ruidinfo = &user;
	cred->cr_prison = &prison0;
	for (int i = 0; i < RLIM_NLIMITS; i++)
		limits.pl_rlimit[i] = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
	process.p_limit = &limits;
	process.p_ucred = cred;
	thread0.td_proc = &process;
	thread0.td_ucred = cred;
	thread0.td_limit = &limits;
	PCPU_SET(curthread, &thread0);
}

struct ucred *
crget(void)
{
	struct ucred *cred = malloc(sizeof(*cred), M_TEMP, M_WAITOK | M_ZERO);

	cred->cr_ref = 1;
	return (cred);
}

struct ucred *
crhold(struct ucred *cred)
{
	cred->cr_ref++;
	return (cred);
}

void
crfree(struct ucred *cred)
{
	if (--cred->cr_ref == 0)
		free(cred, M_TEMP);
}

int
chgsbsize(struct uidinfo *of, u_int *bytes, u_int to, rlim_t most)
{
	of->ui_sbsize += (long)to - *bytes;
	*bytes = to;
	return (1);
}

void
getcredhostuuid(struct ucred *cred, char *text, size_t room)
{
	strlcpy(text, cred->cr_prison->pr_hostuuid, room);
}

void
getjailname(struct ucred *cred, char *name, size_t room)
{
	strlcpy(name, cred->cr_prison->pr_name, room);
}

/* ---- locks: nothing else runs ---- */

void
init_lock(struct lock_object *lock, const char *name)
{
	lock->lo_name = name;
	lock->lo_flags = LO_INITIALIZED;
}

void
destroy_lock(struct lock_object *lock)
{
	lock->lo_flags = 0;
}

void
mtx_sysinit(void *arg)
{
	struct mtx_args *args = arg;

	mtx_init((struct mtx *)args->ma_mtx, args->ma_desc, NULL, 0);
}

void
rw_sysinit(void *arg)
{
	struct rw_args *args = arg;

	rw_init((struct rwlock *)args->ra_rw, args->ra_desc);
}

void
rm_sysinit(void *arg)
{
	struct rm_args *args = arg;

	rm_init(args->ra_rm, args->ra_desc);
}

void
sx_sysinit(void *arg)
{
	struct sx_args *args = arg;

	sx_init(args->sa_sx, args->sa_desc);
}

/* ---- sleep(9): what would wait fails instead ---- */

int
_sleep(const void *channel, struct lock_object *lock, int priority, const char *why, sbintime_t time,
    sbintime_t precision, int flags)
{
	return (EWOULDBLOCK);
}

int
msleep_spin_sbt(const void *channel, struct mtx *lock, const char *why, sbintime_t time, sbintime_t precision, int flags)
{
	return (EWOULDBLOCK);
}

int
pause_sbt(const char *why, sbintime_t time, sbintime_t precision, int flags)
{
	return (EWOULDBLOCK);
}

/* Threads are never started; what they would do is put off (time.c). */
int
kthread_add(void (*function)(void *), void *arg, struct proc *of, struct thread **thread, int flags, int pages,
    const char *name, ...)
{
	if (thread != NULL)
		*thread = &thread0;
	return (0);
}

/* ---- time ---- */

int
tvtohz(struct timeval *time)
{
	return (MIN(((int64_t)time->tv_sec * 1000000 + time->tv_usec + tick - 1) / tick + 1, INT_MAX));
}

void
timevalsub(struct timeval *from, const struct timeval *time)
{
	from->tv_sec -= time->tv_sec;
	from->tv_usec -= time->tv_usec;
	if (from->tv_usec < 0) {
		from->tv_sec--;
		from->tv_usec += 1000000;
	}
}

/* Whether the interval has passed since the last time that it had (ratecheck(9)). */
int
ratecheck(struct timeval *last, const struct timeval *interval)
{
	struct timeval now, passed;

	getmicrouptime(&now);
	passed = now;
	timevalsub(&passed, last);
	if (!timevalcmp(&passed, interval, >=) && (last->tv_sec != 0 || last->tv_usec != 0))
		return (0);
	*last = now;
	return (1);
}

/* Whether no more than so many have come in this second. */
int
ppsratecheck(struct timeval *last, int *packets, int most)
{
	if (last->tv_sec == 0 || (u_int)(ticks - (int)last->tv_sec) >= hz) {
		last->tv_sec = ticks;
		*packets = 0;
	}
	return (++*packets <= most || most < 0);
}

/* ---- memory of a process is the kernel's ---- */

int
copyin(const void *from, void *to, size_t bytes)
{
	memcpy(to, from, bytes);
	return (0);
}

int
copyout(const void *from, void *to, size_t bytes)
{
	memcpy(to, from, bytes);
	return (0);
}

int
copyinstr(const void *from, void *to, size_t room, size_t *length)
{
	size_t bytes = strlcpy(to, from, room) + 1;

	if (length != NULL)
		*length = MIN(bytes, room);
	return (bytes > room ? ENAMETOOLONG : 0);
}
