// SPDX-License-Identifier: GPL-2.0
/*
 * What happens on lines at which time: timers, in the order of their times, those of one time in the order of entry.
 *
 * A timer of the kernel's takes an interrupt, a softirq and a round of the idle loop, which is more than a packet takes.
 * The idle loop goes from one timer to the next by itself (kernel/patches/0012-um-soft-events.patch), and a timer
 * runs as a softirq does. While a process runs, a timer comes by an interrupt as everything does.
 */
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/ktime.h>
#include <linux/time-internal.h>
#include <linux/timerqueue.h>

#include "goodput.h"

static struct timerqueue_head agenda = { .rb_root = RB_ROOT_CACHED };
static struct time_travel_event first;
static bool keeping;

static void arm(u64 now)
{
	struct timerqueue_node *next = timerqueue_getnext(&agenda);
	static u64 armed;

	if (first.pending && next && armed == next->expires)
		return;
	time_travel_del_event(&first);
	if (!next)
		return;
	armed = next->expires;
	time_travel_add_event_rel(&first, armed > now ? armed - now : 0);
}

static void run_due_timers(void)
{
	u64 now = ktime_get_ns();
	struct timerqueue_node *next;

	keeping = true;
	while ((next = timerqueue_getnext(&agenda)) && next->expires <= now) {
		struct line_timer *timer = container_of(next, struct line_timer, node);

		timerqueue_del(&agenda, next);
		timer->on_due(timer, now);
	}
	keeping = false;
	arm(now);
}

static void run_due_timers_in_softirq(struct tasklet_struct *unused)
{
	run_due_timers();
}

static DECLARE_TASKLET(interrupted, run_due_timers_in_softirq);

static void interrupt_at(struct time_travel_event *unused)
{
	if (in_hardirq())
		tasklet_hi_schedule(&interrupted);
	else
		run_due_timers();
}

static struct time_travel_event first = { .fn = interrupt_at };

static int __init allow_softirq_interrupts(void)
{
	time_travel_soft_event = &first;
	return 0;
}
core_initcall(allow_softirq_interrupts);

void init_line_timer(struct line_timer *timer, void (*on_due)(struct line_timer *timer, u64 now))
{
	timerqueue_init(&timer->node);
	timer->on_due = on_due;
}

/* Softirqs are off. */
void set_line_timer(struct line_timer *timer, u64 at)
{
	if (timerqueue_node_queued(&timer->node)) {
		if (timer->node.expires == at)
			return;
		timerqueue_del(&agenda, &timer->node);
	}
	timer->node.expires = at;
	timerqueue_add(&agenda, &timer->node);
	if (!keeping)
		arm(ktime_get_ns());
}

void cancel_line_timer(struct line_timer *timer)
{
	if (timerqueue_node_queued(&timer->node))
		timerqueue_del(&agenda, &timer->node);
}
