// SPDX-License-Identifier: GPL-2.0
/*
 * FreeBSD's H-TCP (cc_htcp.c 023681d62755), with adaptive_backoff and rtt_scaling off, as they are by default: a window
 * loses half, and gains alpha segments for each window acknowledged, where alpha is 1 for a second after a loss and a
 * quadratic of the time from then on. Linux's H-TCP has both on, counts time in round trips besides, and adds segments
 * one at a time; this one adds them at once. Where Linux's recovery and FreeBSD's differ: freebsd_tcp.h.
 */
#include <linux/module.h>
#include "freebsd_tcp.h"

struct htcp {
	struct freebsd tcp;
	u32 last_congestion;	/* ticks */
	u32 before;		/* window at the last congestion event, bytes */
	s32 alpha;		/* segments a round trip */
};

static void htcp_init(struct sock *sk)
{
	struct htcp *ca = inet_csk_ca(sk);

	*ca = (struct htcp){ .last_congestion = freebsd_ticks(), .alpha = 1 };
	freebsd_init(sk, &ca->tcp);
}

static void htcp_pkts_acked(struct sock *sk, const struct ack_sample *sample)
{
	struct htcp *ca = inet_csk_ca(sk);

	freebsd_measure(sk, &ca->tcp, sample);
}

static void htcp_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct htcp *ca = inet_csk_ca(sk);
	struct freebsd *tcp = &ca->tcp;
	bool slow_start;

	if (!freebsd_ack(sk, tcp) || !freebsd_limited(sk, tcp))
		return;
	slow_start = tcp->cwnd <= tcp->ssthresh;
	if (!slow_start && !tcp->full)
		return;
	ca->alpha = htcp_alpha(freebsd_ticks() - ca->last_congestion, ca->alpha);
	if (slow_start || ca->alpha == 1) {
		freebsd_newreno(sk, tcp);
		return;
	}
	freebsd_set_cwnd(sk, tcp, tcp->cwnd + ca->alpha * freebsd_maxseg(sk));
	tcp->full = false;
}

static u32 htcp_ssthresh(struct sock *sk)
{
	struct htcp *ca = inet_csk_ca(sk);

	freebsd_adopt(sk, &ca->tcp);
	return freebsd_set_ssthresh(sk, &ca->tcp, share(ca->tcp.cwnd, HTCP_BETA));
}

static void htcp_set_state(struct sock *sk, u8 state)
{
	struct htcp *ca = inet_csk_ca(sk);

	switch (freebsd_signal(sk, &ca->tcp, state)) {
	case FREEBSD_CONGESTION:
		ca->last_congestion = freebsd_ticks();
		ca->before = ca->tcp.cwnd;
		break;
	case FREEBSD_TIMEOUT:
		freebsd_timeout(sk, &ca->tcp, HTCP_BETA);
		/* The first may be a false alarm. */
		if (!freebsd_first_timeout(sk))
			ca->last_congestion = freebsd_ticks();
		break;
	case FREEBSD_NO_SIGNAL:
		break;
	}
}

static void htcp_cwnd_event(struct sock *sk, enum tcp_ca_event event)
{
	struct htcp *ca = inet_csk_ca(sk);
	u32 maxseg = freebsd_maxseg(sk);

	if (freebsd_recovered(sk, event))
		freebsd_post_recovery(sk, &ca->tcp, maxseg, most(share(ca->before / maxseg, HTCP_BETA), 1) * maxseg);
}

static struct tcp_congestion_ops fbsd_htcp __read_mostly = {
	.init		= htcp_init,
	.pkts_acked	= htcp_pkts_acked,
	.cong_avoid	= htcp_cong_avoid,
	.ssthresh	= htcp_ssthresh,
	.set_state	= htcp_set_state,
	.cwnd_event	= htcp_cwnd_event,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.owner		= THIS_MODULE,
	.name		= "fbsd_htcp",
};

static int __init fbsd_htcp_register(void)
{
	BUILD_BUG_ON(sizeof(struct htcp) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&fbsd_htcp);
}

static void __exit fbsd_htcp_unregister(void)
{
	tcp_unregister_congestion_control(&fbsd_htcp);
}

module_init(fbsd_htcp_register);
module_exit(fbsd_htcp_unregister);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("FreeBSD's H-TCP");
