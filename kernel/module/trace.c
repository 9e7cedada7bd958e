// SPDX-License-Identifier: GPL-2.0
/*
 * ACKs and drops, by tracepoints: with the arguments that those of all versions
 * begin with.
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/tcp.h>
#include <linux/version.h>
#include <net/dropreason.h>
#include <net/tcp.h>
#include <trace/events/skb.h>
#include <trace/events/tcp.h>

#include "goodput.h"

struct drop {
	u64 time;
	u32 reason;
	u32 length;
	u32 seq;
	u32 payload;
	u16 source_port;
	u16 destination_port;
	u32 protocol;
	char device[IFNAMSIZ];
} __packed;

static void on_ack(void *unused, struct sock *sk, const struct sk_buff *skb)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct ack a;
	u32 flow;

	if (over || !is_sender(sk, &flow))
		return;
	a = (struct ack){
		.time = stamp(),
		.bytes_acked = tp->bytes_acked,
		.pacing_rate = sk->sk_pacing_rate,
		.flow = flow,
		.cwnd = tcp_snd_cwnd(tp),
		.ssthresh = tcp_current_ssthresh(sk),
		.srtt = tp->srtt_us >> 3,
		.snd_wnd = tp->snd_wnd,
		.packets_out = tp->packets_out,
		.sacked_out = tp->sacked_out,
		.lost_out = tp->lost_out,
		.retrans_out = tp->retrans_out,
		.delivered = tp->delivered,
		.ca_state = inet_csk(sk)->icsk_ca_state,
		.payload = skb->len - tcp_hdr(skb)->doff * 4,
	};
	emit(ACK, &a, sizeof(a));
}

static void drop_ports(const struct sk_buff *skb, struct drop *d)
{
	struct carried carried;
	const struct tcphdr *tcp = transport(skb, sizeof(*tcp), &carried);

	d->protocol = carried.protocol;
	if (!tcp || carried.protocol != IPPROTO_TCP)
		return;
	d->source_port = ntohs(tcp->source);
	d->destination_port = ntohs(tcp->dest);
	d->seq = ntohl(tcp->seq);
	d->payload = carried.length - tcp->doff * 4;
}

/* A queue may keep something else in skb->dev, such as UDP its dev_scratch. */
static bool is_device(const void *pointer)
{
	struct net_device *dev;
	struct net *net;

	for_each_net_rcu(net)
		for_each_netdev_rcu(net, dev)
			if (dev == pointer)
				return true;
	return false;
}

static void on_drop(void *unused, struct sk_buff *skb, void *location,
		    enum skb_drop_reason reason)
{
	struct drop d = { .time = stamp(), .reason = reason, .length = skb->len };

	if (over)
		return;
	rcu_read_lock();
	if (is_device(skb->dev))
		strscpy_pad(d.device, skb->dev->name, sizeof(d.device));
	rcu_read_unlock();
	drop_ports(skb, &d);
	emit(DROP, &d, sizeof(d));
}

/* The names of the core's reasons, some of which are NULL. */
static const char * const *reasons(size_t *count)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	const struct drop_reason_list *list =
		rcu_dereference(drop_reasons_by_subsys[SKB_DROP_REASON_SUBSYS_CORE]);

	*count = list ? list->n_reasons : 0;
	return list ? list->reasons : NULL;
#else
	*count = SKB_DROP_REASON_MAX;
	return drop_reasons;
#endif
}

static void emit_reasons(void)
{
	const char * const *names;
	size_t count, i;

	rcu_read_lock();
	names = reasons(&count);
	for (i = 0; i < count; i++) {
		char text[68] = { 0 };

		*(u32 *)text = i;
		if (names[i])
			emit(REASON, text, 4 + strscpy(text + 4, names[i], 64));
	}
	rcu_read_unlock();
}

int trace_acks(void)
{
	return register_trace_tcp_probe((void *)on_ack, NULL);
}

int trace_drops(void)
{
	emit_reasons();
	return register_trace_kfree_skb((void *)on_drop, NULL);
}
