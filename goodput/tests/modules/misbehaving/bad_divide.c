// SPDX-License-Identifier: GPL-2.0
/* Reno until its window is of 50 packets; then it divides by a count that is 0. */
#include <linux/module.h>
#include <net/tcp.h>

struct bad_divide {
	u32	rounds;
	u32	mean;
};

static void bad_divide_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct bad_divide *own = inet_csk_ca(sk);

	if (tcp_snd_cwnd(tcp_sk(sk)) >= 50)
		own->mean = acked / READ_ONCE(own->rounds);
	tcp_reno_cong_avoid(sk, ack, acked);
}

static struct tcp_congestion_ops bad_divide __read_mostly = {
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= bad_divide_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.name		= "bad_divide",
	.owner		= THIS_MODULE,
};

static int __init bad_divide_register(void)
{
	return tcp_register_congestion_control(&bad_divide);
}
module_init(bad_divide_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("TCP congestion control that misbehaves");
