// SPDX-License-Identifier: GPL-2.0
/*
 * Flows of a user's programs, which nobody but the programs can ask: what came
 * and went at each end, and the TCP_INFO of the program's TCP connections.
 *
 * A packet belongs to the flow whose port it has, as in queues (wait.c). It is
 * counted where IP hands it to the host's sockets, and where it takes it from
 * them, so before and after segmentation offloads, fragments and tunnels.
 */
#include <linux/list.h>
#include <linux/netfilter.h>
#include <linux/nsproxy.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/tcp.h>

#include "goodput.h"

/* wire::PROGRAM */
struct program_sample {
	u64 time;
	u32 flow;
	u32 end;
	u64 bytes_sent;
	u64 bytes_received;
	u64 packets_sent;
	u64 packets_received;
	u64 ce_received;
} __packed;

/* A TCP connection of a program's. */
struct connection {
	struct list_head list;
	struct sock *sk;	/* held: its counters outlive it */
	u16 port;		/* not the flow's own; a socket forgets its ports */
};

/* One end of a flow. */
struct program {
	struct list_head list;
	struct net *net;
	struct program_sample counted;	/* bytes of UDP alone */
	struct list_head connections;
	u32 number;			/* of connections */
	bool is_over;
};

/* A guest has one processor: what is added at an end is there whole for all who walk, and a counter is one instruction. */
static LIST_HEAD(programs);

static struct program *find(const struct net *net, u32 flow)
{
	struct program *program;

	list_for_each_entry(program, &programs, list)
		if (program->net == net && program->counted.flow == flow)
			return program;
	return NULL;
}

static bool is_ce(const struct sk_buff *skb)
{
	if (skb->protocol == htons(ETH_P_IP))
		return INET_ECN_is_ce(ipv4_get_dsfield(ip_hdr(skb)));
	return INET_ECN_is_ce(ipv6_get_dsfield(ipv6_hdr(skb)));
}

/* Payload of a datagram, or of all datagrams that an offload holds together. */
static u32 payload(const struct sk_buff *skb, const struct carried *carried, const void *header)
{
	u32 before = (u8 *)header - skb_network_header(skb) + sizeof(struct udphdr);

	return carried->protocol == IPPROTO_UDP && skb->len > before ? skb->len - before : 0;
}

static u16 other_port(const struct sock *sk, u32 flow)
{
	return port_of_flow(flow) == sk->sk_num ? ntohs(sk->sk_dport) : sk->sk_num;
}

static void learn(struct program *program, struct sock *sk)
{
	struct connection *connection;

	/* A reset may come from a raw socket of the kernel's. */
	if (!sk || !sk_fullsock(sk) || sk->sk_protocol != IPPROTO_TCP || sk->sk_type != SOCK_STREAM ||
	    sk->sk_state == TCP_LISTEN)
		return;
	list_for_each_entry(connection, &program->connections, list)
		if (connection->sk == sk)
			return;
	connection = kzalloc(sizeof(*connection), GFP_ATOMIC);
	if (!connection)
		return;
	sock_hold(sk);
	connection->sk = sk;
	connection->port = other_port(sk, program->counted.flow);
	list_add_tail(&connection->list, &program->connections);
	program->number++;
}

static struct program *program_of(struct sk_buff *skb, const struct net *net, u32 *bytes)
{
	struct carried carried;
	const void *header = transport(skb, sizeof(struct udphdr), &carried);
	struct program *program = header ? find(net, flow_of_packet(skb)) : NULL;

	if (program)
		*bytes = payload(skb, &carried, header);
	return program;
}

static u32 packets(const struct sk_buff *skb)
{
	return max_t(u32, 1, skb_shinfo(skb)->gso_segs);
}

static unsigned int on_sent(void *unused, struct sk_buff *skb, const struct nf_hook_state *state)
{
	u32 bytes;
	struct program *program = program_of(skb, state->net, &bytes);

	if (program) {
		program->counted.bytes_sent += bytes;
		program->counted.packets_sent += packets(skb);
		learn(program, skb->sk);
	}
	return NF_ACCEPT;
}

static unsigned int on_received(void *unused, struct sk_buff *skb, const struct nf_hook_state *state)
{
	u32 bytes;
	struct program *program = program_of(skb, state->net, &bytes);

	if (program) {
		program->counted.bytes_received += bytes;
		program->counted.packets_received += packets(skb);
		program->counted.ce_received += is_ce(skb) ? packets(skb) : 0;
	}
	return NF_ACCEPT;
}

static const struct nf_hook_ops hooks[] = {
	{ .hook = on_sent, .pf = NFPROTO_IPV4, .hooknum = NF_INET_LOCAL_OUT, .priority = INT_MAX },
	{ .hook = on_received, .pf = NFPROTO_IPV4, .hooknum = NF_INET_LOCAL_IN, .priority = INT_MAX },
	{ .hook = on_sent, .pf = NFPROTO_IPV6, .hooknum = NF_INET_LOCAL_OUT, .priority = INT_MAX },
	{ .hook = on_received, .pf = NFPROTO_IPV6, .hooknum = NF_INET_LOCAL_IN, .priority = INT_MAX },
};

/* A connection that is over keeps what it counted, and has nothing under way. */
static void end_gauges(struct tcp_info *info)
{
	if (info->tcpi_state != TCP_CLOSE)
		return;
	info->tcpi_unacked = info->tcpi_sacked = info->tcpi_lost = info->tcpi_retrans = 0;
	info->tcpi_snd_cwnd = 0;
	info->tcpi_pacing_rate = info->tcpi_delivery_rate = 0;
}

static u64 moved(const struct tcp_info *info)
{
	return info->tcpi_bytes_acked + info->tcpi_bytes_received;
}

static struct sock *sample_each(struct program *program, u64 time, struct tcp_info *infos, u32 *most)
{
	u32 flow = program->counted.flow, end = program->counted.end, count = program->number, i = 0;
	struct connection *connection;
	struct sock *busiest = NULL;

	list_for_each_entry(connection, &program->connections, list) {
		struct sock *sk = connection->sk;

		if (i == count)
			break;
		tcp_get_info(sk, &infos[i]);
		end_gauges(&infos[i]);
		emit_connection(sk, flow, end, connection->port, time, &infos[i]);
		if (!busiest || moved(&infos[i]) > moved(&infos[*most])) {
			busiest = sk;
			*most = i;
		}
		i++;
	}
	return busiest;
}

/* The sum of the connections; what has no sum is that of the connection that moved most. */
static bool sample_connections(struct program *program, u64 time, struct sample *s)
{
	u32 count = program->number, most = 0, i;
	struct tcp_info sum, *infos;
	struct sock *busiest;

	infos = count ? kcalloc(count, sizeof(*infos), GFP_KERNEL) : NULL;
	if (!infos)
		return false;
	busiest = sample_each(program, time, infos, &most);
	sum = infos[most];
	for (i = 0; i < count; i++) {
		if (i == most)
			continue;
		add_info(&sum, &infos[i]);
		sum.tcpi_bytes_acked += infos[i].tcpi_bytes_acked;
		sum.tcpi_bytes_received += infos[i].tcpi_bytes_received;
	}
	kfree(infos);
	s->info = sum;
	s->sndbuf = READ_ONCE(busiest->sk_sndbuf);
	s->wmem_queued = READ_ONCE(busiest->sk_wmem_queued);
	s->rcvbuf = READ_ONCE(busiest->sk_rcvbuf);
	s->rmem_alloc = sk_rmem_alloc_get(busiest);
	emit(SAMPLE, s, sizeof(*s));
	if (s->end == 0 && busiest->sk_state != TCP_CLOSE)
		sample_congestion(busiest, s->flow, time);
	return true;
}

static void sample_program(struct program *program, u64 time)
{
	struct program_sample p = program->counted;
	struct sample s = { .time = time, .flow = p.flow, .end = p.end };

	p.time = time;
	if (sample_connections(program, time, &s)) {
		p.bytes_sent += s.info.tcpi_bytes_sent;
		p.bytes_received += s.info.tcpi_bytes_received;
	}
	emit(PROGRAM, &p, sizeof(p));
}

void sample_programs(u64 time)
{
	struct program *program;

	list_for_each_entry(program, &programs, list)
		if (!program->is_over)
			sample_program(program, time);
}

/* What was still under way when a flow ended has arrived by the end of the trial. */
void emit_programs(u64 time)
{
	struct program *program;

	list_for_each_entry(program, &programs, list)
		sample_program(program, time);
}

bool is_programs_sender(const struct sock *sk, u32 *id)
{
	struct connection *connection;
	struct program *program;

	list_for_each_entry(program, &programs, list)
		list_for_each_entry(connection, &program->connections, list)
			if (connection->sk == sk && program->counted.end == 0) {
				*id = program->counted.flow;
				return true;
			}
	return false;
}

int release_program(u32 id, u32 end)
{
	struct program *program;

	list_for_each_entry(program, &programs, list) {
		if (program->counted.flow != id || program->counted.end != end || program->is_over)
			continue;
		sample_program(program, stamp());
		program->is_over = true;
		return 0;
	}
	return -ENOENT;
}

int add_program(u32 id, u32 end)
{
	struct net *net = current->nsproxy->net_ns;
	struct program *program = kzalloc(sizeof(*program), GFP_KERNEL), *other;
	bool is_hooked = false;
	int err = 0;

	if (!program)
		return -ENOMEM;
	list_for_each_entry(other, &programs, list)
		is_hooked |= other->net == net;
	program->net = net;	/* namespaces stay until the guest ends */
	program->counted.flow = id;
	program->counted.end = end;
	INIT_LIST_HEAD(&program->connections);
	if (!is_hooked)
		err = nf_register_net_hooks(net, hooks, ARRAY_SIZE(hooks));
	if (err)
		kfree(program);
	else
		list_add_tail(&program->list, &programs);
	return err;
}
