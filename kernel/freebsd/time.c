/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * FreeBSD's time, all from one variable that the host sets: callout(9) to the nanosecond, ticks and the timecounter. And
 * what waits for the end of an event, on one processor without preemption: epoch(9) and software interrupts (swi(9)).
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/bus.h>
#include <sys/callout.h>
#include <sys/epoch.h>
#include <sys/interrupt.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/timetc.h>

#include "inside.h"

/* Later releases do not tell a callout that runs apart. */
#ifndef CS_EXECUTING
#define CS_EXECUTING	0
#endif

static uint64_t now;	/* ns since boot */

/* ---- callouts: a heap in the order of time, then of turn ---- */

static struct callout **heap;
static int pending, room;
static unsigned long turns;
static struct callout *running;
static void (*drained)(void *);

static bool
is_before(const struct callout *a, const struct callout *b)
{
	return (a->c_time < b->c_time || (a->c_time == b->c_time && a->turn < b->turn));
}

static void
put(int place, struct callout *c)
{
	heap[place] = c;
	c->place = place;
}

static void
rise(int place)
{
	struct callout *c = heap[place];

	for (; place > 0 && is_before(c, heap[(place - 1) / 2]); place = (place - 1) / 2)
		put(place, heap[(place - 1) / 2]);
	put(place, c);
}

static void
sink(int place)
{
	struct callout *c = heap[place];
	int below;

	for (; (below = 2 * place + 1) < pending; place = below) {
		if (below + 1 < pending && is_before(heap[below + 1], heap[below]))
			below++;
		if (!is_before(heap[below], c))
			break;
		put(place, heap[below]);
	}
	put(place, c);
}

static void
insert(struct callout *c)
{
	if (pending == room) {
		room = room ? 2 * room : 256;
		heap = realloc(heap, room * sizeof(*heap), M_TEMP, M_WAITOK);
	}
	c->turn = turns++;
	put(pending++, c);
	rise(pending - 1);
}

static void
take_out(struct callout *c)
{
	struct callout *last = heap[--pending];
	int place = c->place;

	c->c_iflags &= ~CALLOUT_PENDING;
	if (last == c)
		return;
	put(place, last);
	rise(place);
	sink(last->place);
}

void
callout_init(struct callout *c, int mpsafe)
{
	bzero(c, sizeof(*c));
	c->c_iflags = mpsafe ? CALLOUT_RETURNUNLOCKED : 0;
}

void
_callout_init_lock(struct callout *c, struct lock_object *lock, int flags)
{
	bzero(c, sizeof(*c));
	c->c_lock = lock;
	c->c_iflags = flags & (CALLOUT_RETURNUNLOCKED | CALLOUT_SHAREDLOCK);
}

static sbintime_t
sbt_of(uint64_t ns)
{
	return (((sbintime_t)(ns / 1000000000) << 32) + ((ns % 1000000000) << 32) / 1000000000);
}

/* Rounded up: at that time the callout is due. */
static uint64_t
ns_of(sbintime_t sbt)
{
	return ((uint64_t)(sbt >> 32) * 1000000000 + (((sbt & 0xffffffff) * 1000000000ULL + 0xffffffff) >> 32));
}

int
callout_reset_sbt_on(struct callout *c, sbintime_t sbt, sbintime_t precision, void (*function)(void *), void *arg,
    int cpu, int flags)
{
	int cancelled = (c->c_iflags & CALLOUT_PENDING) != 0;

	if (cancelled)
		take_out(c);
	if (flags & (C_ABSOLUTE | C_PRECALC))
		c->c_time = sbt;
	else if (flags & C_HARDCLOCK)	/* on a tick, as a timer that counts them */
		c->c_time = ticks * tick_sbt + MAX(sbt, tick_sbt);
	else
		c->c_time = sbt_of(now) + MAX(sbt, 1);
	c->c_arg = arg;
	c->c_func = function;
	c->c_iflags |= CALLOUT_PENDING;
	c->c_flags |= CALLOUT_ACTIVE;
	insert(c);
	return (cancelled);
}

int
callout_schedule_on(struct callout *c, int to_ticks, int cpu)
{
	return (callout_reset_on(c, to_ticks, c->c_func, c->c_arg, cpu));
}

int
callout_schedule(struct callout *c, int to_ticks)
{
	return (callout_reset_on(c, to_ticks, c->c_func, c->c_arg, -1));
}

void
callout_when(sbintime_t sbt, sbintime_t precision, int flags, sbintime_t *result, sbintime_t *precision_result)
{
	*result = (flags & C_ABSOLUTE) ? sbt : sbt_of(now) + sbt;
	*precision_result = 0;
}

static int
stop(struct callout *c, int flags, void (*drain)(void *))
{
	if (c == running) {
		c->c_flags &= ~CALLOUT_ACTIVE;
		if (drain)
			drained = drain;
	}
	if (!(c->c_iflags & CALLOUT_PENDING))
		return (c == running ? (flags & CS_EXECUTING) != 0 : -1);
	take_out(c);
	c->c_flags &= ~CALLOUT_ACTIVE;
	return (c == running ? (flags & CS_EXECUTING) != 0 : 1);
}

#ifdef callout_async_drain
int
_callout_stop_safe(struct callout *c, int flags, void (*drain)(void *))
{
	return (stop(c, flags, drain));
}
#else
int
_callout_stop_safe(struct callout *c, int flags)
{
	return (stop(c, flags, NULL));
}
#endif

long long
time_next(void)
{
	return (pending ? (long long)ns_of(heap[0]->c_time) : -1);
}

void
time_run(void)
{
	while (pending && heap[0]->c_time <= sbt_of(now)) {
		struct callout *c = heap[0];
		void *arg = c->c_arg;

		take_out(c);
		running = c;
		drained = NULL;
		c->c_func(arg);
		running = NULL;
		if (drained)
			drained(arg);
	}
}

/* ---- epoch(9) ---- */

struct epoch {
	int unused;
};

struct put_off {
	struct put_off *next;
	epoch_callback_t *function;
};

static struct epoch only;
static struct put_off *first, **last = &first;

epoch_t
epoch_alloc(const char *name, int flags)
{
	return (&only);
}

void
_epoch_enter_preempt(epoch_t epoch, epoch_tracker_t tracker EPOCH_FILE_LINE)
{
}

void
_epoch_exit_preempt(epoch_t epoch, epoch_tracker_t tracker EPOCH_FILE_LINE)
{
}

void
epoch_wait_preempt(epoch_t epoch)
{
}

void
epoch_call(epoch_t epoch, epoch_callback_t function, epoch_context_t context)
{
	struct put_off *call = (struct put_off *)context;

	call->next = NULL;
	call->function = function;
	*last = call;
	last = &call->next;
}

void
epoch_drain_callbacks(epoch_t epoch)
{
	time_settle();
}

/* ---- swi(9) ---- */

struct swi {
	struct swi *next;
	driver_intr_t *handler;
	void *arg;
	bool due;
};

static struct swi *swis, **last_swi = &swis;
static int swis_due;

int
swi_add(struct intr_event **event, const char *name, driver_intr_t handler, void *arg, int priority,
    enum intr_type flags, void **cookie)
{
	struct swi *swi = malloc(sizeof(*swi), M_TEMP, M_WAITOK | M_ZERO);

	swi->handler = handler;
	swi->arg = arg;
	*last_swi = swi;
	last_swi = &swi->next;
	*cookie = swi;
	return (0);
}

void
swi_sched(void *cookie, int flags)
{
	struct swi *swi = cookie;

	swis_due += !swi->due;
	swi->due = true;
}

int
swi_remove(void *cookie)
{
	struct swi *swi = cookie;

	swis_due -= swi->due;
	swi->due = false;
	return (0);
}

int
intr_event_bind(struct intr_event *event, int cpu)
{
	return (0);
}

/* In the order in which they were added; one may cause another. */
static bool
run_swis(void)
{
	bool any = false;

	for (struct swi *swi = swis; swi != NULL && swis_due > 0; swi = swi->next) {
		if (!swi->due)
			continue;
		swi->due = false;
		swis_due--;
		swi->handler(swi->arg);
		any = true;
	}
	return (any);
}

void
time_settle(void)
{
	struct put_off *call;

	while (run_swis() || first != NULL) {
		while ((call = first) != NULL) {
			first = call->next;
			if (first == NULL)
				last = &first;
			call->function((epoch_context_t)call);
		}
	}
}

/* ---- the clock ---- */

static bool ticking;

static unsigned
count(struct timecounter *tc)
{
	return ((unsigned)now);
}

static struct timecounter virtual = {
	.tc_get_timecount = count,
	.tc_counter_mask = ~0u,
	.tc_frequency = 1000000000,
	.tc_name = "virtual",
	.tc_quality = 1000,
};

static void
start(void *unused)
{
	tc_init(&virtual);
	ticking = true;
}
SYSINIT(virtual, SI_SUB_SMP, SI_ORDER_ANY, start, NULL);

void
time_set(unsigned long long ns)
{
	int passed = ns / (1000000000 / HZ);

	now = ns;
	if (passed == ticks)
		return;
	ticks = passed;
	if (ticking)
		tc_ticktock(1);
}
