// SPDX-License-Identifier: GPL-2.0
/*
 * AIMD with constants of its own: copy this file, rename what is called aimd, and change the three functions.
 *
 * goodput kernel add NAME --module FOLDER compiles each C file of a folder into a guest kernel; the .name below is then a
 * word for flows.congestion. Linux keeps loss detection, retransmission and the window within a recovery (PRR,
 * RFC 6937); an algorithm says how the window grows and what is left of it after a loss. A module that wants all of it
 * writes cong_control instead of cong_avoid, as net/ipv4/tcp_bbr.c does.
 *
 * The kernel has no floating point, and 64-bit division is div_u64() and div64_u64(). Windows count segments.
 */
#include <linux/module.h>
#include <net/tcp.h>

#define INCREASE	4	/* segments for each window acknowledged; Reno: 1 */
#define DECREASE	20	/* percent taken at a loss; Reno: 50 */

/* Of each connection: zeroed memory of at most ICSK_CA_PRIV_SIZE, 104 bytes. */
struct aimd {
	u32 acked;	/* segments acknowledged since the window last grew */
};

/* A connection begins. */
static void aimd_init(struct sock *sk)
{
	struct aimd *aimd = inet_csk_ca(sk);

	aimd->acked = 0;
}

/* An ACK for so many segments came, and there is no recovery. */
static void aimd_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct aimd *aimd = inet_csk_ca(sk);
	u32 cwnd = tcp_snd_cwnd(tp);

	/* A window that is not used proves nothing. */
	if (!tcp_is_cwnd_limited(sk))
		return;
	if (tcp_in_slow_start(tp)) {
		acked = tcp_slow_start(tp, acked);
		cwnd = tcp_snd_cwnd(tp);
		if (!acked)
			return;
	}
	/* INCREASE segments a window: one for each cwnd / INCREASE of them. */
	aimd->acked += acked * INCREASE;
	cwnd += aimd->acked / cwnd;
	aimd->acked %= tcp_snd_cwnd(tp);
	tcp_snd_cwnd_set(tp, min(cwnd, tp->snd_cwnd_clamp));
}

/* A loss or an ECN mark: the window that is left. Called once for each congestion event, before the window changes. */
static u32 aimd_ssthresh(struct sock *sk)
{
	u32 cwnd = tcp_snd_cwnd(tcp_sk(sk));

	return max(2u, cwnd - (u32)div_u64((u64)cwnd * DECREASE, 100));
}

static struct tcp_congestion_ops aimd __read_mostly = {
	.init		= aimd_init,
	.cong_avoid	= aimd_cong_avoid,
	.ssthresh	= aimd_ssthresh,
	.undo_cwnd	= tcp_reno_undo_cwnd,	/* the loss was none */
	.owner		= THIS_MODULE,
	.name		= "aimd",		/* at most 15 characters */
};

static int __init aimd_register(void)
{
	BUILD_BUG_ON(sizeof(struct aimd) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&aimd);
}

static void __exit aimd_unregister(void)
{
	tcp_unregister_congestion_control(&aimd);
}

module_init(aimd_register);
module_exit(aimd_unregister);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Additive increase, multiplicative decrease");
