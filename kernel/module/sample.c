// SPDX-License-Identifier: GPL-2.0
/*
 * Samples: what each end of a flow, each end of a tunnel's connection and each queue holds, every interval.
 */
#include <linux/hashtable.h>
#include <linux/hrtimer.h>
#include <linux/inet_diag.h>
#include <linux/kthread.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <net/gen_stats.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <net/tcp.h>
#include <trace/events/tcp.h>

#include "goodput.h"

struct congestion {
	u64 time;
	u32 flow;
	union tcp_cc_info info;
} __packed;

struct queue_sample {
	u64 time;
	u32 queue;
	u32 packets;
	u32 backlog;
	u32 drops;
	u64 sent_bytes;
	u64 sent_packets;
} __packed;

/* wire::DUALPI2 */
struct dualpi2_sample {
	u64 time;
	u32 queue;
	char stats[48];	/* struct tc_dualpi2_xstats */
} __packed;

struct flow {
	struct hlist_node by_sock;
	struct list_head list;
	struct socket *sock;
	u32 id;
	u32 end;
	u64 leaves;	/* bytes of cwnd at which its slow start ends; 0: of itself */
};

/* The connection that carries a tunnel. */
struct tunnel {
	struct list_head list;
	struct socket *sock;
	u32 id;
	u32 end;
};

/* wire::TUNNEL */
struct tunnel_sample {
	u64 time;
	u32 tunnel;
	u32 end;
	u32 sndbuf;
	u32 wmem_queued;
	struct tcp_info info;
} __packed;

struct queue {
	struct list_head list;
	struct net_device *dev;
	netdevice_tracker tracker;
	u32 id;
	bool clsact;
};

DEFINE_MUTEX(sampling);
static LIST_HEAD(flows);
static LIST_HEAD(tunnels);
static LIST_HEAD(queues);
static DEFINE_HASHTABLE(flow_of, 8);
static struct task_struct *sampler;
static u64 interval;

/* What a sender's congestion control says of itself, as getsockopt(TCP_CC_INFO) would. */
void sample_congestion(struct sock *sk, u32 flow, u64 time)
{
	struct congestion c = { .time = time, .flow = flow };
	const struct tcp_congestion_ops *ops;
	union tcp_cc_info info = { 0 };
	int attribute = 0;
	size_t length = 0;

	rcu_read_lock();
	ops = READ_ONCE(inet_csk(sk)->icsk_ca_ops);
	if (ops && ops->get_info)
		length = ops->get_info(sk, ~0U, &attribute, &info);
	rcu_read_unlock();
	if (!length)
		return;
	c.info = info;
	length += offsetof(struct congestion, info);
	switch (attribute) {
	case INET_DIAG_BBRINFO:
		return emit(BBR, &c, length);
	case INET_DIAG_VEGASINFO:
		return emit(VEGAS, &c, length);
	case INET_DIAG_DCTCPINFO:
		return emit(DCTCP, &c, length);
	}
}

static void sample_flow(struct flow *flow, u64 time)
{
	struct sock *sk = flow->sock->sk;
	struct sample s = {
		.time = time,
		.flow = flow->id,
		.end = flow->end,
		.sndbuf = READ_ONCE(sk->sk_sndbuf),
		.wmem_queued = READ_ONCE(sk->sk_wmem_queued),
		.rcvbuf = READ_ONCE(sk->sk_rcvbuf),
		.rmem_alloc = sk_rmem_alloc_get(sk),
	};
	struct tcp_info info = { 0 };

	if (is_multipath(sk))
		sample_subflows(sk, flow->id, flow->end, time, &info);
	else
		tcp_get_info(sk, &info);
	s.info = info;
	emit(SAMPLE, &s, sizeof(s));
	if (flow->end == 0 && !is_multipath(sk))
		sample_congestion(sk, flow->id, time);
}

static void sample_tunnels(u64 time)
{
	struct tunnel *tunnel;

	list_for_each_entry(tunnel, &tunnels, list) {
		struct sock *sk = tunnel->sock->sk;
		struct tunnel_sample s = {
			.time = time,
			.tunnel = tunnel->id,
			.end = tunnel->end,
			.sndbuf = READ_ONCE(sk->sk_sndbuf),
			.wmem_queued = READ_ONCE(sk->sk_wmem_queued),
		};
		struct tcp_info info = { 0 };

		tcp_get_info(sk, &info);
		s.info = info;
		emit(TUNNEL, &s, sizeof(s));
	}
}

/* What dualpi2 says of itself, as `tc -s qdisc` would have it; its lock is held. */
static bool ask_dualpi2(struct Qdisc *qdisc, struct dualpi2_sample *s)
{
	struct gnet_dump dump = { .compat_xstats = 1 };
	bool is_there;

	if (strcmp(qdisc->ops->id, "dualpi2") || !qdisc->ops->dump_stats || qdisc->ops->dump_stats(qdisc, &dump))
		return false;
	is_there = dump.xstats && dump.xstats_len == sizeof(s->stats);
	if (is_there)
		memcpy(s->stats, dump.xstats, sizeof(s->stats));
	kfree(dump.xstats);
	return is_there;
}

static void sample_queue(struct queue *queue, u64 time)
{
	struct gnet_stats_basic_sync basic;
	struct gnet_stats_queue stats = { 0 };
	struct queue_sample s = { .time = time, .queue = queue->id };
	struct dualpi2_sample own = { .time = time, .queue = queue->id };
	bool has_own = false;
	struct netdev_queue *hook;
	struct Qdisc *qdisc;

	gnet_stats_basic_sync_init(&basic);
	rcu_read_lock();
	hook = queue->clsact ? rcu_dereference(queue->dev->ingress_queue) : NULL;
	qdisc = hook ? rcu_dereference(hook->qdisc_sleeping) : rcu_dereference(queue->dev->qdisc);
	spin_lock_bh(qdisc_lock(qdisc));
	settle_line(qdisc);
	gnet_stats_add_basic(&basic, qdisc->cpu_bstats, &qdisc->bstats, false);
	gnet_stats_add_queue(&stats, qdisc->cpu_qstats, &qdisc->qstats);
	s.packets = qdisc_qlen(qdisc);
	if (!queue->clsact)
		has_own = ask_dualpi2(queue_of(qdisc), &own);
	spin_unlock_bh(qdisc_lock(qdisc));
	rcu_read_unlock();
	s.backlog = stats.backlog;
	s.drops = stats.drops;
	s.sent_bytes = u64_stats_read(&basic.bytes);
	s.sent_packets = u64_stats_read(&basic.packets);
	emit(QUEUE, &s, sizeof(s));
	if (has_own)
		emit(DUALPI2, &own, sizeof(own));
}

static void sample_queues(u64 time)
{
	struct queue *queue;

	list_for_each_entry(queue, &queues, list)
		sample_queue(queue, time);
}

static int sample_all(void *unused)
{
	u64 time = 0;

	for (;;) {
		ktime_t at = ns_to_ktime(origin + time);
		struct flow *flow;

		set_current_state(TASK_IDLE);
		if (schedule_hrtimeout(&at, HRTIMER_MODE_ABS))
			continue;
		if (over)
			return 0;
		mutex_lock(&sampling);
		list_for_each_entry(flow, &flows, list)
			sample_flow(flow, time);
		sample_programs(time);
		sample_tunnels(time);
		sample_queues(time);
		mutex_unlock(&sampling);
		flush_if_due(origin + time);
		time += interval;
	}
}

bool is_sender(const struct sock *sk, u32 *id)
{
	struct flow *flow;

	hash_for_each_possible(flow_of, flow, by_sock, (unsigned long)sk)
		if (flow->sock->sk == sk && flow->end == 0) {
			*id = flow->id;
			return true;
		}
	return is_programs_sender(sk, id);
}

/*
 * What is left of a loss event that turned out to be none (tcp_undo_cwnd_reduction()):
 * cwnd is what it was, slow start is over, and CUBIC's W_max is here.
 */
static void on_ack_in_slow_start(void *unused, struct sock *sk, const struct sk_buff *skb)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct flow *flow;

	hash_for_each_possible(flow_of, flow, by_sock, (unsigned long)sk)
		if (flow->sock->sk == sk && flow->leaves && (u64)tcp_snd_cwnd(tp) * tp->mss_cache >= flow->leaves) {
			flow->leaves = 0;
			inet_csk(sk)->icsk_ca_ops->ssthresh(sk);
			WRITE_ONCE(tp->snd_ssthresh, tcp_snd_cwnd(tp));
		}
}

static struct flow *find_flow(u32 id, u32 end)
{
	struct flow *flow;

	list_for_each_entry(flow, &flows, list)
		if (flow->id == id && flow->end == end)
			return flow;
	return NULL;
}

int add_flow(u32 id, u32 end, int fd)
{
	struct flow *flow;
	struct socket *sock;
	unsigned long flags;
	int err;

	sock = sockfd_lookup(fd, &err);
	if (!sock)
		return err;
	flow = sock->sk->sk_protocol == IPPROTO_TCP || is_multipath(sock->sk) ? kzalloc(sizeof(*flow), GFP_KERNEL) : NULL;
	if (!flow) {
		sockfd_put(sock);
		return -EINVAL;
	}
	flow->sock = sock;
	flow->id = id;
	flow->end = end;
	local_irq_save(flags);
	hash_add(flow_of, &flow->by_sock, (unsigned long)sock->sk);
	local_irq_restore(flags);
	list_add_tail(&flow->list, &flows);
	return 0;
}

int release_flow(u32 id, u32 end)
{
	struct flow *flow = find_flow(id, end);
	unsigned long flags;

	if (!flow)
		return release_program(id, end);
	sample_flow(flow, stamp());
	local_irq_save(flags);
	hash_del(&flow->by_sock);
	local_irq_restore(flags);
	list_del(&flow->list);
	sockfd_put(flow->sock);
	kfree(flow);
	return 0;
}

int add_tunnel(u32 id, u32 end, int fd)
{
	struct tunnel *tunnel;
	int err;
	struct socket *sock = sockfd_lookup(fd, &err);

	if (!sock)
		return err;
	tunnel = sock->sk->sk_protocol == IPPROTO_TCP ? kzalloc(sizeof(*tunnel), GFP_KERNEL) : NULL;
	if (!tunnel) {
		sockfd_put(sock);
		return -EINVAL;
	}
	tunnel->sock = sock;
	tunnel->id = id;
	tunnel->end = end;
	list_add_tail(&tunnel->list, &tunnels);
	return 0;
}

int end_tunnels(void)
{
	struct tunnel *tunnel;

	list_for_each_entry(tunnel, &tunnels, list)
		tcp_abort(tunnel->sock->sk, ECONNABORTED);
	return 0;
}

int leave_slow_start(u32 id, u64 bytes)
{
	struct flow *flow = find_flow(id, 0);
	static bool watched;
	int err = 0;

	if (!flow)
		return -ENOENT;
	if (!watched)
		err = register_trace_tcp_probe((void *)on_ack_in_slow_start, NULL);
	watched = !err;
	flow->leaves = bytes;
	return err;
}

int add_queue(u32 id, const char *device, const char *hook)
{
	struct queue *queue = kzalloc(sizeof(*queue), GFP_KERNEL);

	if (!queue)
		return -ENOMEM;
	queue->dev = dev_get_by_name(current->nsproxy->net_ns, device);
	if (!queue->dev) {
		kfree(queue);
		return -ENODEV;
	}
	netdev_tracker_alloc(queue->dev, &queue->tracker, GFP_KERNEL);
	queue->id = id;
	queue->clsact = !strcmp(hook, "clsact");
	list_add_tail(&queue->list, &queues);
	return queue->clsact ? 0 : count_waits(device, id);
}

int start_sampling(u64 t0, u64 every)
{
	if (sampler || !every)
		return -EINVAL;
	origin = t0;
	interval = every;
	sampler = kthread_run(sample_all, NULL, "goodput");
	return PTR_ERR_OR_ZERO(sampler);
}

int stop_sampling(void)
{
	if (!sampler)
		return -EINVAL;
	emit_programs(stamp());
	sample_tunnels(stamp());
	sample_queues(stamp());
	emit_waits();
	over = true;
	flush();
	return 0;
}
