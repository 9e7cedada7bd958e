// SPDX-License-Identifier: GPL-2.0
/* Reno until its window is of 50 packets; then it finds a state that it holds impossible. */
#include <linux/module.h>
#include <net/tcp.h>

static void bad_bug_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	BUG_ON(tcp_snd_cwnd(tcp_sk(sk)) >= 50);
	tcp_reno_cong_avoid(sk, ack, acked);
}

static struct tcp_congestion_ops bad_bug __read_mostly = {
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= bad_bug_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.name		= "bad_bug",
	.owner		= THIS_MODULE,
};

static int __init bad_bug_register(void)
{
	return tcp_register_congestion_control(&bad_bug);
}
module_init(bad_bug_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("TCP congestion control that misbehaves");
