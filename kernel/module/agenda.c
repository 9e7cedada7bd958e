// SPDX-License-Identifier: GPL-2.0
/*
 * What happens on lines at which time: moments, in the order of their times, those of one time in the order of entry.
 *
 * A timer of the kernel's takes an interrupt, a softirq and a round of the idle loop, which is more than a packet takes.
 * The idle loop goes from one moment to the next by itself (kernel/patches/0012-um-soft-events.patch), and a moment
 * runs as a softirq does. While a process runs, a moment comes by an interrupt as everything does.
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

static void keep(void)
{
	u64 now = ktime_get_ns();
	struct timerqueue_node *next;

	keeping = true;
	while ((next = timerqueue_getnext(&agenda)) && next->expires <= now) {
		struct moment *moment = container_of(next, struct moment, node);

		timerqueue_del(&agenda, next);
		moment->come(moment, now);
	}
	keeping = false;
	arm(now);
}

static void keep_in_softirq(struct tasklet_struct *unused)
{
	keep();
}

static DECLARE_TASKLET(interrupted, keep_in_softirq);

static void come(struct time_travel_event *unused)
{
	if (in_hardirq())
		tasklet_hi_schedule(&interrupted);
	else
		keep();
}

static struct time_travel_event first = { .fn = come };

static int __init soften(void)
{
	time_travel_soft_event = &first;
	return 0;
}
core_initcall(soften);

void init_moment(struct moment *moment, void (*come)(struct moment *moment, u64 now))
{
	timerqueue_init(&moment->node);
	moment->come = come;
}

/* Softirqs are off. */
void set_moment(struct moment *moment, u64 at)
{
	if (timerqueue_node_queued(&moment->node)) {
		if (moment->node.expires == at)
			return;
		timerqueue_del(&agenda, &moment->node);
	}
	moment->node.expires = at;
	timerqueue_add(&agenda, &moment->node);
	if (!keeping)
		arm(ktime_get_ns());
}

void cancel_moment(struct moment *moment)
{
	if (timerqueue_node_queued(&moment->node))
		timerqueue_del(&agenda, &moment->node);
}
