// SPDX-License-Identifier: GPL-2.0
/* Reno until its window is of 50 packets; then it sets a window of 0. */
#include <linux/module.h>
#include <net/tcp.h>

static void bad_zero_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	if (tcp_snd_cwnd(tcp_sk(sk)) >= 50)
		tcp_snd_cwnd_set(tcp_sk(sk), 0);
	else
		tcp_reno_cong_avoid(sk, ack, acked);
}

static struct tcp_congestion_ops bad_zero __read_mostly = {
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= bad_zero_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.name		= "bad_zero",
	.owner		= THIS_MODULE,
};

static int __init bad_zero_register(void)
{
	return tcp_register_congestion_control(&bad_zero);
}
module_init(bad_zero_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("TCP congestion control that misbehaves");
