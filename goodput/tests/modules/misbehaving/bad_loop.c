// SPDX-License-Identifier: GPL-2.0
/* Reno until its window is of 50 packets; then it waits for what never comes. */
#include <linux/module.h>
#include <net/tcp.h>

struct bad_loop {
	u32	ready;
};

static void bad_loop_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct bad_loop *own = inet_csk_ca(sk);

	if (tcp_snd_cwnd(tcp_sk(sk)) >= 50)
		while (!READ_ONCE(own->ready))
			cpu_relax();
	tcp_reno_cong_avoid(sk, ack, acked);
}

static struct tcp_congestion_ops bad_loop __read_mostly = {
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= bad_loop_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.name		= "bad_loop",
	.owner		= THIS_MODULE,
};

static int __init bad_loop_register(void)
{
	return tcp_register_congestion_control(&bad_loop);
}
module_init(bad_loop_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("TCP congestion control that misbehaves");
