// SPDX-License-Identifier: GPL-2.0
/*
 * Samples of flows with several TCP connections: each connection's, and a flow's as the sum of what they do. MPTCP has
 * subflows, and a user's program what connections it likes.
 */
#include <linux/version.h>
#include <net/tcp.h>

#include "goodput.h"

/* wire::SUBFLOW */
struct subflow_sample {
	u64 time;
	u32 flow;
	u32 end;
	u32 subflow;
	u32 address;
	u32 backup;
	struct tcp_info info;
} __packed;

/* 10.0.S.N of its own end, for IPv6 too: fd00:0:0:S::N */
static u32 own_address(const struct sock *ssk)
{
	const struct in6_addr *six = ssk->sk_family == AF_INET6 ? &inet6_sk(ssk)->saddr : NULL;

	if (six && !ipv6_addr_v4mapped(six))
		return 10 << 24 | ntohs(six->s6_addr16[3]) << 8 | six->s6_addr[15];
	return ntohl(inet_sk(ssk)->inet_saddr);
}

void add_info(struct tcp_info *sum, const struct tcp_info *info)
{
	sum->tcpi_unacked += info->tcpi_unacked;
	sum->tcpi_sacked += info->tcpi_sacked;
	sum->tcpi_lost += info->tcpi_lost;
	sum->tcpi_retrans += info->tcpi_retrans;
	sum->tcpi_snd_cwnd += info->tcpi_snd_cwnd;
	sum->tcpi_total_retrans += info->tcpi_total_retrans;
	sum->tcpi_pacing_rate += info->tcpi_pacing_rate;
	sum->tcpi_segs_out += info->tcpi_segs_out;
	sum->tcpi_segs_in += info->tcpi_segs_in;
	sum->tcpi_data_segs_in += info->tcpi_data_segs_in;
	sum->tcpi_data_segs_out += info->tcpi_data_segs_out;
	sum->tcpi_delivery_rate += info->tcpi_delivery_rate;
	sum->tcpi_delivered += info->tcpi_delivered;
	sum->tcpi_delivered_ce += info->tcpi_delivered_ce;
	sum->tcpi_bytes_sent += info->tcpi_bytes_sent;
	sum->tcpi_bytes_retrans += info->tcpi_bytes_retrans;
	sum->tcpi_dsack_dups += info->tcpi_dsack_dups;
	sum->tcpi_reord_seen += info->tcpi_reord_seen;
	sum->tcpi_rcv_ooopack += info->tcpi_rcv_ooopack;
}

static void emit_subflow(struct subflow_sample *s, const struct sock *sk, const struct tcp_info *info)
{
	s->address = own_address(sk);
	s->info = *info;
	emit(SUBFLOW, s, sizeof(*s));
}

void emit_connection(const struct sock *sk, u32 flow, u32 end, u32 port, u64 time, const struct tcp_info *info)
{
	struct subflow_sample s = { .time = time, .flow = flow, .end = end, .subflow = port };

	emit_subflow(&s, sk, info);
}

#if IS_ENABLED(CONFIG_MPTCP) && LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)

#include "../../net/mptcp/protocol.h"

bool is_multipath(const struct sock *sk)
{
	return sk->sk_protocol == IPPROTO_MPTCP;
}

/* What is acknowledged and received is the connection's data, in its order. */
void sample_subflows(struct sock *sk, u32 flow, u32 end, u64 time, struct tcp_info *sum)
{
	struct mptcp_subflow_context *subflow;
	struct mptcp_sock *msk = mptcp_sk(sk);
	bool is_first = true;

	lock_sock(sk);
	mptcp_for_each_subflow(msk, subflow) {
		struct sock *ssk = mptcp_subflow_tcp_sock(subflow);
		struct subflow_sample s = {
			.time = time,
			.flow = flow,
			.end = end,
			.subflow = subflow->subflow_id,
			.backup = subflow->backup | subflow->request_bkup,
		};
		struct tcp_info info;

		tcp_get_info(ssk, &info);
		emit_subflow(&s, ssk, &info);
		if (is_first)
			*sum = info;
		else
			add_info(sum, &info);
		is_first = false;
	}
	sum->tcpi_bytes_acked = msk->bytes_acked;
	sum->tcpi_bytes_received = msk->bytes_received;
	release_sock(sk);
}

#else

bool is_multipath(const struct sock *sk)
{
	return false;
}

void sample_subflows(struct sock *sk, u32 flow, u32 end, u64 time, struct tcp_info *sum)
{
}

#endif
