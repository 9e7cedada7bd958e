// SPDX-License-Identifier: GPL-2.0
/*
 * FreeBSD's NewReno (cc_newreno.c): a window loses half, in whole segments, and gains a segment for each window
 * acknowledged; byte counting with L = 2. Without HyStart++, which no stack of FreeBSD uses by default. Where Linux's
 * recovery and FreeBSD's differ: freebsd_tcp.h.
 */
#include <linux/module.h>
#include "freebsd_tcp.h"

static void newreno_init(struct sock *sk)
{
	freebsd_init(sk, inet_csk_ca(sk));
}

static void newreno_pkts_acked(struct sock *sk, const struct ack_sample *sample)
{
	freebsd_measure(sk, inet_csk_ca(sk), sample);
}

static void newreno_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct freebsd *tcp = inet_csk_ca(sk);

	if (freebsd_ack(sk, tcp) && freebsd_limited(sk, tcp))
		freebsd_newreno(sk, tcp);
}

static u32 newreno_ssthresh(struct sock *sk)
{
	struct freebsd *tcp = inet_csk_ca(sk);

	freebsd_adopt(sk, tcp);
	return freebsd_set_ssthresh(sk, tcp, newreno_decrease(tcp->cwnd, freebsd_mss(sk)));
}

static void newreno_set_state(struct sock *sk, u8 state)
{
	struct freebsd *tcp = inet_csk_ca(sk);

	if (freebsd_signal(sk, tcp, state) == FREEBSD_TIMEOUT)
		freebsd_timeout(sk, tcp, 128);
}

static void newreno_cwnd_event(struct sock *sk, enum tcp_ca_event event)
{
	struct freebsd *tcp = inet_csk_ca(sk);

	if (freebsd_recovered(sk, event)) {
		freebsd_adopt(sk, tcp);
		freebsd_post_recovery(sk, tcp, freebsd_mss(sk), tcp->ssthresh);
	}
}

static struct tcp_congestion_ops fbsd_newreno __read_mostly = {
	.init		= newreno_init,
	.pkts_acked	= newreno_pkts_acked,
	.cong_avoid	= newreno_cong_avoid,
	.ssthresh	= newreno_ssthresh,
	.set_state	= newreno_set_state,
	.cwnd_event	= newreno_cwnd_event,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.owner		= THIS_MODULE,
	.name		= "fbsd_newreno",
};

static int __init fbsd_newreno_register(void)
{
	BUILD_BUG_ON(sizeof(struct freebsd) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&fbsd_newreno);
}

static void __exit fbsd_newreno_unregister(void)
{
	tcp_unregister_congestion_control(&fbsd_newreno);
}

module_init(fbsd_newreno_register);
module_exit(fbsd_newreno_unregister);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("FreeBSD's NewReno");
