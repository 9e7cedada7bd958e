// SPDX-License-Identifier: GPL-2.0
/* Reno until its window is of 50 packets; then it writes through a pointer that was never set. */
#include <linux/module.h>
#include <net/tcp.h>

struct bad_null {
	u32	*history;
};

static void bad_null_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct bad_null *own = inet_csk_ca(sk);

	if (tcp_snd_cwnd(tcp_sk(sk)) >= 50)
		own->history[0] = acked;
	tcp_reno_cong_avoid(sk, ack, acked);
}

static struct tcp_congestion_ops bad_null __read_mostly = {
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= bad_null_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.name		= "bad_null",
	.owner		= THIS_MODULE,
};

static int __init bad_null_register(void)
{
	return tcp_register_congestion_control(&bad_null);
}
module_init(bad_null_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("TCP congestion control that misbehaves");
