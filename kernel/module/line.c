// SPDX-License-Identifier: GPL-2.0
/*
 * The line of a link: it sends one packet at a time, and each arrives later by
 * the delay. A qdisc whose class 1 is the queue in front of it.
 *
 *	start     = max(arrival, end of the packet before)
 *	end       = start + 8 (length + overhead) / rate
 *	delivery  = end + delay
 *
 * to the nanosecond; what a division leaves over is carried on to the next
 * packet. tc makes it and its queue:
 *
 *	tc qdisc add dev DEVICE root handle 1: line
 *	tc qdisc add dev DEVICE parent 1:1 handle 10: QUEUE
 *
 * A FIFO does not mind being looked at late: the line takes from it what would
 * have started by now, and needs a timer for deliveries alone. Any other queue
 * is asked at the moment at which the line is free.
 *
 * A host's interface keeps a packet on its sender's account until it has left
 * (TCP Small Queues), and cuts a large one when it takes it from the queue
 * (TSO); a line in the middle of a path does neither. Behind either a packet is
 * nobody's. And it sends by a clock of its own: two hosts at exactly the rate of
 * the port that they share would lock each other out for ever.
 *
 * Length and backlog are those of the queue; what is under way is not counted.
 *
 * Rate and delay may follow a trace (course.c). A rate that changes while a
 * packet is sent takes the rest of it along. Of delivery opportunities a packet
 * takes as many as it has bytes for, several small ones share one, and one that
 * finds no packet is lost or kept (mahimahi, src/frontend/link_queue.cc).
 */
#include <linux/if.h>
#include <linux/if_ether.h>
#include <linux/math64.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/prefetch.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#if __has_include(<net/gso.h>)
#include <net/gso.h>
#endif
#include <net/pkt_sched.h>
#include <net/sch_generic.h>

#include "goodput.h"

#define OPPORTUNITY	1500ULL	/* bytes */

struct line {
	struct Qdisc *sch;	/* its own */
	struct Qdisc *queue;
	struct line_timer timer;	/* the next at which it has something to do */
	struct sk_buff_head under_way;	/* in the order of their delivery */
	u64 rate;	/* bit/s; 0: sending takes no time, and nothing waits */
	u64 delay;	/* ns */
	u64 free;	/* when the line is, CLOCK_MONOTONIC, ns */
	u64 rest;	/* of the division that gave it */
	u32 overhead;	/* bytes beside each frame */
	struct course *rates;	/* of the rate, or of opportunities; NULL: constant */
	struct course *delays;	/* added to the delay; NULL: nothing */
	u64 left;	/* bytes of the opportunity at free */
	bool discrete;	/* rates are opportunities */
	bool keeps;	/* those without a packet */
	bool splits;	/* its queue would cut large packets; tickets do not survive that */
	struct waits *waits;	/* in its queue; NULL: they do not count */
	bool of_host;	/* an interface of a host */
	bool starved;	/* free, with packets in the queue that may not leave yet */
};

struct delivery {
	u64 at;
};

static struct delivery *delivery(struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct delivery));
	return (struct delivery *)qdisc_skb_cb(skb)->data;
}

/* Behind what disciplines and classifiers keep of a packet; cutting it overwrites the place. */
static u64 *ticket(struct sk_buff *skb)
{
	const size_t at = sizeof(skb->cb) - sizeof(u64);

	BUILD_BUG_ON(sizeof(struct tc_skb_cb) > at);
	return (u64 *)(skb->cb + at);
}

/* A member of a pool is looked at by others. */
static bool is_fifo(const struct Qdisc *queue)
{
	return (queue->ops == &pfifo_qdisc_ops || queue->ops == &bfifo_qdisc_ops) &&
	       queue->enqueue == queue->ops->enqueue;
}

static void start_flight(struct line *line, struct sk_buff *skb, u64 end)
{
	struct sk_buff *before = skb_peek_tail(&line->under_way);
	u64 until;

	delivery(skb)->at = end + line->delay + (line->delays ? follow(line->delays, end, &until) : 0);
	/* A trace of delays is of one path: packets keep their order on it. */
	if (line->delays && before)
		delivery(skb)->at = max(delivery(skb)->at, delivery(before)->at);
	/* A delay that has become shorter lets packets overtake. */
	while (before && delivery(before)->at > delivery(skb)->at)
		before = skb_queue_is_first(&line->under_way, before) ? NULL : skb_queue_prev(&line->under_way, before);
	if (before)
		__skb_queue_after(&line->under_way, before, skb);
	else
		__skb_queue_head(&line->under_way, skb);
}

/* Sends so many bytes at the rates of a trace. */
static void pass_rates(struct line *line, u32 bytes)
{
	u64 work = line->rest + 8ULL * NSEC_PER_SEC * bytes;

	for (;;) {
		u64 until, rate = follow(line->rates, line->free, &until);
		u64 took = rate ? div64_u64_rem(work, rate, &line->rest) : U64_MAX;

		if (took <= until - line->free) {
			line->free += took;
			return;
		}
		/* It has ended without a rate. */
		if (until == U64_MAX) {
			line->free = U64_MAX / 2;
			return;
		}
		work -= (until - line->free) * rate;
		line->free = until;
	}
}

static void next_opportunity(struct line *line)
{
	line->left += OPPORTUNITY * take_point(line->rates, &line->free);
}

/* Until the arrival nothing waited. */
static void pass_opportunities(struct line *line, u64 arrival)
{
	u64 passed = skip_points(line->rates, arrival);

	line->left = line->keeps ? line->left + OPPORTUNITY * passed : 0;
	line->free = arrival;
	if (!line->left)
		next_opportunity(line);
}

/* IP packets count, not frames. */
static u64 take_opportunities(struct line *line, u64 bytes)
{
	u64 end;

	while (line->left < bytes) {
		bytes -= line->left;
		line->left = 0;
		next_opportunity(line);
	}
	line->left -= bytes;
	end = line->free;
	if (!line->left)
		next_opportunity(line);
	return end;
}

static void serialize(struct line *line, struct sk_buff *skb)
{
	/* A tag beside the data is a part of the frame (IEEE 802.1Q). */
	u32 tag = skb_vlan_tag_present(skb) ? VLAN_HLEN : 0;
	u32 bytes = qdisc_pkt_len(skb) + tag + line->overhead;

	if (line->waits)
		waited(line->waits, *ticket(skb), skb, line->free, !is_fifo(line->queue));
	if (line->discrete) {
		start_flight(line, skb, is_due(line->free) ? take_opportunities(line, bytes - ETH_HLEN) : line->free);
		return;
	}
	if (line->rates) {
		pass_rates(line, bytes);
	} else {
		line->rest += 8ULL * NSEC_PER_SEC * bytes;
		line->free += div64_u64_rem(line->rest, line->rate, &line->rest);
	}
	start_flight(line, skb, line->free);
}

static struct sk_buff *split_into_frames(struct sk_buff *skb)
{
	return skb_gso_segment(skb, netif_skb_features(skb) & ~NETIF_F_GSO_MASK);
}

/* TSO */
static void serialize_frames(struct Qdisc *sch, struct sk_buff *skb)
{
	u64 own = *ticket(skb);
	struct sk_buff *frames = split_into_frames(skb), *next;

	if (IS_ERR_OR_NULL(frames)) {
		qdisc_qstats_drop(sch);
		kfree_skb(skb);
		return;
	}
	skb_list_walk_safe(frames, frames, next) {
		skb_mark_not_on_list(frames);
		qdisc_skb_cb(frames)->pkt_len = frames->len;
		*ticket(frames) = own;
		serialize(qdisc_priv(sch), frames);
	}
	consume_skb(skb);
}

/* Sends what starts until now; what has just arrived does not start earlier. */
static void send_waiting(struct Qdisc *sch, u64 now, u64 arrival)
{
	struct line *line = qdisc_priv(sch);
	struct sk_buff *skb;

	if (line->discrete && line->free < arrival && is_due(arrival))
		pass_opportunities(line, arrival);
	while (line->free <= now && line->queue->q.qlen) {
		skb = line->queue->dequeue(line->queue);
		if (!skb) {
			line->starved = true;
			return;
		}
		qdisc_qstats_backlog_dec(sch, skb);
		sch->q.qlen--;
		qdisc_bstats_update(sch, skb);
		if (line->starved)
			arrival = now;
		line->starved = false;
		if (line->free < arrival) {
			line->free = arrival;
			line->rest = 0;
		}
		if (skb_is_gso(skb))
			serialize_frames(sch, skb);
		else
			serialize(line, skb);
	}
}

static int enqueue_one(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	struct line *line = qdisc_priv(sch);
	u64 now = ktime_get_ns();
	unsigned int length;
	int ret;

	if (!line->of_host)
		skb_orphan(skb);
	if (!line->rate) {
		qdisc_bstats_update(sch, skb);
		start_flight(line, skb, now);
		return NET_XMIT_SUCCESS;
	}
	send_waiting(sch, now, 0);
	length = qdisc_pkt_len(skb);
	if (line->waits)
		*ticket(skb) = wait_ticket(skb, now);
	ret = qdisc_enqueue(skb, line->queue, to_free);
	if (ret != NET_XMIT_SUCCESS) {
		if (net_xmit_drop_count(ret))
			qdisc_qstats_drop(sch);
		return ret;
	}
	sch->qstats.backlog += length;
	sch->q.qlen++;
	send_waiting(sch, now, now);
	return NET_XMIT_SUCCESS;
}

/* A queue in the middle of a path holds frames, and so does dualpi2 anywhere. */
static int line_enqueue(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	struct line *line = qdisc_priv(sch);
	struct sk_buff *frames, *next;

	if (!skb_is_gso(skb) || (line->of_host && !line->splits))
		return enqueue_one(skb, sch, to_free);
	frames = split_into_frames(skb);
	if (IS_ERR_OR_NULL(frames))
		return qdisc_drop(skb, sch, to_free);
	skb_list_walk_safe(frames, frames, next) {
		skb_mark_not_on_list(frames);
		qdisc_skb_cb(frames)->pkt_len = frames->len;
		enqueue_one(frames, sch, to_free);
	}
	consume_skb(skb);
	return NET_XMIT_SUCCESS;
}

/* What has been under way for long is in no cache: the next one's headers come, and the one after it. */
static void expect_arrival(const struct sk_buff_head *under_way)
{
	struct sk_buff *next = skb_peek(under_way), *after;

	if (!next)
		return;
	prefetch(next->data);
	after = skb_peek_next(next, under_way);
	if (after) {
		prefetch(after);
		prefetch(&after->len);
		prefetch(&after->head);
	}
}

/* What has arrived by now; it is nobody's any more, and no wire carries the sender's hash of a flow inside a tunnel. */
static struct sk_buff *arrived(struct line *line, u64 now)
{
	struct sk_buff *skb = skb_peek(&line->under_way);

	if (!skb || delivery(skb)->at > now)
		return NULL;
	__skb_unlink(skb, &line->under_way);
	expect_arrival(&line->under_way);
	skb_orphan(skb);
	skb_clear_hash(skb);
	return skb;
}

static void look_again(struct line *line)
{
	struct sk_buff *skb = skb_peek(&line->under_way);
	u64 next = skb ? delivery(skb)->at : U64_MAX;

	/* What paces its packets has a timer of its own. */
	if (line->queue->q.qlen && !line->starved && !(skb && is_fifo(line->queue)))
		next = min(next, line->free);
	if (next != U64_MAX)
		set_line_timer(&line->timer, next);
}

static struct sk_buff *line_dequeue(struct Qdisc *sch)
{
	struct line *line = qdisc_priv(sch);
	u64 now = ktime_get_ns();
	struct sk_buff *skb = NULL;

	if (line->rate)
		send_waiting(sch, now, 0);
	if (!bypasses_backlog(qdisc_dev(sch)))
		skb = arrived(line, now);
	if (!skb)
		look_again(line);
	return skb;
}

static void deliver_due(struct line_timer *timer, u64 now)
{
	struct line *line = container_of(timer, struct line, timer);
	struct Qdisc *sch = line->sch;
	struct sk_buff *skb;

	if (!bypasses_backlog(qdisc_dev(sch))) {
		__netif_schedule(sch);
		return;
	}
	while ((skb = arrived(line, now)))
		cross_veth(skb, qdisc_dev(sch));
	if (line->rate)
		send_waiting(sch, now, 0);
	look_again(line);
}

static int line_init(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct line *line = qdisc_priv(sch);

	line->sch = sch;
	init_line_timer(&line->timer, deliver_due);
	__skb_queue_head_init(&line->under_way);
	line->queue = &noop_qdisc;
	return 0;
}

static void line_reset(struct Qdisc *sch)
{
	struct line *line = qdisc_priv(sch);

	qdisc_reset(line->queue);
	__skb_queue_purge(&line->under_way);
	cancel_line_timer(&line->timer);
	line->free = 0;
	line->rest = 0;
	line->left = 0;
	line->starved = false;
}

static void line_destroy(struct Qdisc *sch)
{
	struct line *line = qdisc_priv(sch);

	cancel_line_timer(&line->timer);
	__skb_queue_purge(&line->under_way);
	qdisc_put(line->queue);
	kvfree(line->rates);
	kvfree(line->delays);
}

static int line_graft(struct Qdisc *sch, unsigned long class, struct Qdisc *new, struct Qdisc **old,
		      struct netlink_ext_ack *extack)
{
	struct line *line = qdisc_priv(sch);

	*old = qdisc_replace(sch, new ?: &noop_qdisc, &line->queue);
	line->splits = !strcmp(line->queue->ops->id, "dualpi2");
	return 0;
}

static struct Qdisc *line_leaf(struct Qdisc *sch, unsigned long class)
{
	return ((struct line *)qdisc_priv(sch))->queue;
}

static unsigned long line_find(struct Qdisc *sch, u32 id)
{
	return TC_H_MIN(id) == 1;
}

static int line_dump_class(struct Qdisc *sch, unsigned long class, struct sk_buff *skb, struct tcmsg *message)
{
	message->tcm_handle |= TC_H_MIN(1);
	message->tcm_info = line_leaf(sch, class)->handle;
	return 0;
}

static void line_walk(struct Qdisc *sch, struct qdisc_walker *walker)
{
	if (walker->stop)
		return;
	if (walker->count >= walker->skip && walker->fn(sch, 1, walker) < 0)
		walker->stop = 1;
	else
		walker->count++;
}

static const struct Qdisc_class_ops line_class_ops = {
	.graft = line_graft,
	.leaf = line_leaf,
	.find = line_find,
	.walk = line_walk,
	.dump = line_dump_class,
};

static struct Qdisc_ops line_ops = {
	.id = "line",
	.cl_ops = &line_class_ops,
	.priv_size = sizeof(struct line),
	.enqueue = line_enqueue,
	.dequeue = line_dequeue,
	.peek = qdisc_peek_dequeued,
	.init = line_init,
	.reset = line_reset,
	.destroy = line_destroy,
};

/* What a FIFO has been asked for late. */
void settle_line(struct Qdisc *sch)
{
	if (sch->ops == &line_ops && ((struct line *)qdisc_priv(sch))->rate)
		send_waiting(sch, ktime_get_ns(), 0);
}

struct Qdisc *queue_of(struct Qdisc *sch)
{
	return sch->ops == &line_ops ? ((struct line *)qdisc_priv(sch))->queue : sch;
}

/* The line at a device in the caller's network namespace; rtnl is held. */
struct Qdisc *find_line(const char *device)
{
	struct net_device *dev = __dev_get_by_name(current->nsproxy->net_ns, device);
	struct Qdisc *root = dev ? rtnl_dereference(dev->qdisc) : NULL;

	return root && root->ops == &line_ops ? root : NULL;
}

/* A clock is off by up to 100 ppm (IEEE 802.3, 40.6.1.2.6). */
static u64 by_own_clock(u64 rate, const struct net_device *dev)
{
	const int most = 100;
	char address[18];
	s64 ppm;

	snprintf(address, sizeof(address), "%pM", dev->dev_addr);
	ppm = (s64)(goodput_seed(address) % (2 * most + 1)) - most;
	return rate + div_s64((s64)(rate / 1000) * ppm, 1000);
}

/* The line at a device, settled and locked as rtnl is; NULL: there is none, and nothing is locked. */
static struct Qdisc *hold_line(const char *device)
{
	struct Qdisc *root;

	rtnl_lock();
	root = find_line(device);
	if (!root) {
		rtnl_unlock();
		return NULL;
	}
	spin_lock_bh(qdisc_lock(root));
	settle_line(root);
	return root;
}

static void release_line(struct Qdisc *root)
{
	spin_unlock_bh(qdisc_lock(root));
	rtnl_unlock();
}

/* A packet that is being sent goes on at the rate it began with. */
int set_rate(const char *device, u64 rate, u32 overhead, bool of_host)
{
	struct Qdisc *root;
	struct line *line;

	if (!rate)
		return -EINVAL;
	root = hold_line(device);
	if (!root)
		return -ENODEV;
	line = qdisc_priv(root);
	line->rate = of_host ? by_own_clock(rate, qdisc_dev(root)) : rate;
	line->rest = 0;
	line->overhead = overhead;
	line->of_host = of_host;
	release_line(root);
	return 0;
}

/* What is under way already arrives when it would have. */
int set_delay(const char *device, u64 delay)
{
	struct Qdisc *root = hold_line(device);

	if (!root)
		return -ENODEV;
	((struct line *)qdisc_priv(root))->delay = delay;
	release_line(root);
	return 0;
}

/* The line at a device follows a trace from now on. The trace is then the line's, or gone. */
int set_course(const char *device, struct course *course, enum follows follows, bool keeps)
{
	struct Qdisc *root = hold_line(device);

	if (root) {
		struct line *line = qdisc_priv(root);

		swap(*(follows == FOLLOWS_DELAY ? &line->delays : &line->rates), course);
		if (follows != FOLLOWS_DELAY) {
			line->discrete = follows == FOLLOWS_OPPORTUNITIES;
			line->keeps = keeps;
		}
		release_line(root);
	}
	kvfree(course);
	return root ? 0 : -ENODEV;
}

/* Counts the waits in the queue at a device, if it has a line. */
int count_waits(const char *device, u32 queue)
{
	struct waits *waits = NULL;
	struct Qdisc *root;

	rtnl_lock();
	root = find_line(device);
	if (root) {
		waits = add_waits(queue);
		((struct line *)qdisc_priv(root))->waits = waits;
	}
	rtnl_unlock();
	return root && !waits ? -ENOMEM : 0;
}

int __init register_line(void)
{
	return register_qdisc(&line_ops);
}
