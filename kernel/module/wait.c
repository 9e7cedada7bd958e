// SPDX-License-Identifier: GPL-2.0
/*
 * How long packets wait in the queue in front of a line: from their arrival
 * until the line begins to send them. A histogram for each queue and flow, whose
 * buckets are at most 1/64 of their time wide: the middle of one is off by 0.8 %
 * at most. A packet that is dropped does not count. And how many packets of each
 * flow left a queue that may mark with each codepoint of ECN (RFC 3168).
 *
 * A flow is told by the port at which it listens, which is its own, or by the
 * identifier of its pings, which is its number and 1. All other packets, such as
 * those of tunnels, count together.
 */
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/in.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/xarray.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/sch_generic.h>

#include "goodput.h"

#define OCTAVE_BITS	6
#define BUCKETS	(1 << OCTAVE_BITS)	/* of an octave */
#define OCTAVES	36
#define LONGEST	((1ULL << (OCTAVES + OCTAVE_BITS - 1)) - 1)	/* ns, 36 minutes */

/* A ticket: the flow above, the time of arrival below, which wraps after three days. */
#define TIME_BITS	48
#define TIME_MASK	((1ULL << TIME_BITS) - 1)
#define NO_FLOW	0xffff

/* wire::WAIT */
struct wait {
	u32 queue;
	u32 flow;
	u64 least;
	u64 most;
	u64 packets;
	u64 bytes;
} __packed;

/* wire::ECN */
struct ecn {
	u32 queue;
	u32 flow;
	u64 packets[INET_ECN_MASK + 1];
} __packed;

struct bucket {
	u64 packets;
	u64 bytes;
};

/* The first octave has the times below BUCKETS ns. */
struct histogram {
	struct bucket *octaves[OCTAVES];
	u64 ecn[INET_ECN_MASK + 1];
};

/* Of a queue. */
struct waits {
	struct list_head list;
	u32 queue;
	struct xarray histograms;	/* by flow */
};

static LIST_HEAD(all);
static u32 first_port, flows;
static bool incomplete;

static u32 listening(__be16 port)
{
	return ntohs(port) >= first_port ? ntohs(port) - first_port : NO_FLOW;
}

u32 flow_of_packet(const struct sk_buff *skb)
{
	struct carried carried;
	/* No header of these protocols is shorter. */
	const struct icmphdr *icmp = transport(skb, sizeof(*icmp), &carried);
	const __be16 *ports = (const void *)icmp;
	u32 flow = NO_FLOW;

	if (!icmp)
		return NO_FLOW;
	switch (carried.protocol) {
	case IPPROTO_TCP:
	case IPPROTO_UDP:
		/* The other port is one that the kernel chose, which is higher. */
		flow = min(listening(ports[0]), listening(ports[1]));
		break;
	case IPPROTO_ICMP:
		if (icmp->type == ICMP_ECHO || icmp->type == ICMP_ECHOREPLY)
			flow = ntohs(icmp->un.echo.id) - 1;
		break;
	case IPPROTO_ICMPV6:
		/* The header is ICMP's (RFC 4443, 4.1). */
		if (icmp->type == ICMPV6_ECHO_REQUEST || icmp->type == ICMPV6_ECHO_REPLY)
			flow = ntohs(icmp->un.echo.id) - 1;
		break;
	}
	return flow < flows ? flow : NO_FLOW;
}

u16 port_of_flow(u32 flow)
{
	return first_port + flow;
}

u64 wait_ticket(const struct sk_buff *skb, u64 now)
{
	return (u64)flow_of_packet(skb) << TIME_BITS | (now & TIME_MASK);
}

static struct histogram *histogram(struct waits *waits, u32 flow)
{
	struct histogram *histogram = xa_load(&waits->histograms, flow);

	if (histogram)
		return histogram;
	histogram = kzalloc(sizeof(*histogram), GFP_ATOMIC);
	if (histogram && xa_err(xa_store(&waits->histograms, flow, histogram, GFP_ATOMIC))) {
		kfree(histogram);
		return NULL;
	}
	return histogram;
}

static struct bucket *bucket(struct histogram *histogram, u64 ns)
{
	unsigned int octave = ns < BUCKETS ? 0 : ilog2(ns) - OCTAVE_BITS + 1;
	struct bucket **buckets = &histogram->octaves[octave];

	if (!*buckets)
		*buckets = kcalloc(BUCKETS, sizeof(**buckets), GFP_ATOMIC);
	return *buckets ? *buckets + ((ns >> (octave ? octave - 1 : 0)) & (BUCKETS - 1)) : NULL;
}

static void count_ecn(u64 *packets, const struct sk_buff *skb)
{
	if (skb->protocol == htons(ETH_P_IP))
		packets[ipv4_get_dsfield(ip_hdr(skb)) & INET_ECN_MASK]++;
	else if (skb->protocol == htons(ETH_P_IPV6))
		packets[ipv6_get_dsfield(ipv6_hdr(skb)) & INET_ECN_MASK]++;
}

/* A guest has one processor, and packets move in softirqs. */
void waited(struct waits *waits, u64 ticket, const struct sk_buff *skb, u64 start, bool marks)
{
	u64 ns = min_t(u64, (start - ticket) & TIME_MASK, LONGEST);
	struct histogram *own = histogram(waits, ticket >> TIME_BITS);
	struct bucket *its = own ? bucket(own, ns) : NULL;

	if (!its) {
		incomplete = true;
		return;
	}
	its->packets++;
	its->bytes += qdisc_pkt_len(skb);
	if (marks)
		count_ecn(own->ecn, skb);
}

static void emit_octave(u32 queue, u32 flow, const struct bucket *buckets, unsigned int octave)
{
	unsigned int shift = octave ? octave - 1 : 0, i;
	struct wait wait = { .queue = queue, .flow = flow == NO_FLOW ? U32_MAX : flow };

	for (i = 0; buckets && i < BUCKETS; i++) {
		if (!buckets[i].packets)
			continue;
		wait.least = (u64)(octave ? BUCKETS + i : i) << shift;
		wait.most = wait.least + (1ULL << shift) - 1;
		wait.packets = buckets[i].packets;
		wait.bytes = buckets[i].bytes;
		emit(WAIT, &wait, sizeof(wait));
	}
}

static void emit_ecn(u32 queue, u32 flow, const u64 *packets)
{
	struct ecn ecn = { .queue = queue, .flow = flow == NO_FLOW ? U32_MAX : flow };

	memcpy(ecn.packets, packets, sizeof(ecn.packets));
	if (memchr_inv(packets, 0, sizeof(ecn.packets)))
		emit(ECN, &ecn, sizeof(ecn));
}

/* Nothing rather than a part. */
void emit_waits(void)
{
	struct histogram *histogram;
	struct waits *waits;
	unsigned long flow;
	unsigned int octave;

	if (incomplete)
		return;
	list_for_each_entry(waits, &all, list)
		xa_for_each(&waits->histograms, flow, histogram) {
			for (octave = 0; octave < OCTAVES; octave++)
				emit_octave(waits->queue, flow, histogram->octaves[octave], octave);
			emit_ecn(waits->queue, flow, histogram->ecn);
		}
}

struct waits *add_waits(u32 queue)
{
	struct waits *waits = kzalloc(sizeof(*waits), GFP_KERNEL);

	if (!waits)
		return NULL;
	waits->queue = queue;
	xa_init(&waits->histograms);
	list_add_tail(&waits->list, &all);
	return waits;
}

int tell_flows(u32 port, u32 count)
{
	if (port + count > NO_FLOW + 1)
		return -EINVAL;
	first_port = port;
	flows = count;
	return 0;
}
