// SPDX-License-Identifier: GPL-2.0
/*
 * Prague, from draft-briscoe-iccrg-prague-congestion-control: the window shrinks by half of the share of marked packets, at
 * most once in a virtual round trip, and grows by the square of the round trip over the virtual one for each round trip.
 * The virtual round trip is 25 ms at least, so that flows of shorter ones share alike, but the flow's own for the first 500
 * after slow start, as in L4STeam's module. A loss halves the window, as Reno's.
 *
 * It needs AccECN, and sends ECT(1).
 */
#include <linux/math64.h>
#include <linux/module.h>
#include <net/tcp.h>

#define SHIFT	20	/* of alpha and of parts of a packet */
#define ONE	(1ULL << SHIFT)
#define GAIN_SHIFT	4	/* of the mean of marks */
#define VIRTUAL_RTT	25000	/* us */
#define OWN_ROUNDS	500	/* after slow start, before the virtual round trip holds */

struct prague {
	u64 cwnd;	/* packets, with SHIFT bits behind the point */
	u64 round_start;	/* us */
	u64 reduced;	/* when the window last shrank, us */
	u32 round_delivered;
	u32 round_ce;
	u32 seen_ce;
	u32 alpha;
	u32 rounds;	/* after slow start */
	bool marked;	/* ever */
};

static u32 rtt(const struct tcp_sock *tp)
{
	return max(tp->srtt_us >> 3, 1U);
}

static u32 virtual_rtt(const struct tcp_sock *tp, const struct prague *ca)
{
	return ca->rounds < OWN_ROUNDS ? rtt(tp) : max_t(u32, rtt(tp), VIRTUAL_RTT);
}

static void prague_set(struct tcp_sock *tp, struct prague *ca)
{
	ca->cwnd = max(ca->cwnd, 2 * ONE);
	tcp_snd_cwnd_set(tp, min_t(u64, ca->cwnd >> SHIFT, tp->snd_cwnd_clamp));
}

static void prague_pace(struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 rate = (u64)tp->mss_cache * tcp_snd_cwnd(tp) * USEC_PER_SEC;

	if (tcp_in_slow_start(tp))
		rate <<= 1;
	do_div(rate, rtt(tp));
	sk->sk_pacing_rate = min_t(u64, rate, READ_ONCE(sk->sk_max_pacing_rate));
}

/* The mean of the marked share of each virtual round trip. */
static void prague_measure(struct tcp_sock *tp, struct prague *ca)
{
	u32 delivered = tp->delivered - ca->round_delivered;
	u64 share;

	if (tp->tcp_mstamp - ca->round_start < virtual_rtt(tp, ca) || !delivered)
		return;
	share = div_u64((u64)(tp->delivered_ce - ca->round_ce) << SHIFT, delivered);
	ca->alpha += ((s64)min(share, ONE) - ca->alpha) / (1 << GAIN_SHIFT);
	ca->round_start = tp->tcp_mstamp;
	ca->round_delivered = tp->delivered;
	ca->round_ce = tp->delivered_ce;
	if (!tcp_in_slow_start(tp) && ca->rounds < OWN_ROUNDS)
		ca->rounds++;
}

static void prague_shrink(struct tcp_sock *tp, struct prague *ca)
{
	if (!ca->marked)
		ca->alpha = ONE;
	ca->marked = true;
	if (tp->tcp_mstamp - ca->reduced < virtual_rtt(tp, ca))
		return;
	ca->reduced = tp->tcp_mstamp;
	ca->cwnd -= (ca->cwnd >> (SHIFT + 1)) * ca->alpha;
	prague_set(tp, ca);
	tp->snd_ssthresh = tcp_snd_cwnd(tp);
}

static void prague_grow(struct sock *sk, struct prague *ca, u32 acked)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u64 share = div_u64((u64)rtt(tp) << SHIFT, virtual_rtt(tp, ca));

	if (!acked || !tcp_is_cwnd_limited(sk))
		return;
	if (tcp_in_slow_start(tp))
		ca->cwnd += acked * ONE;
	else
		ca->cwnd += div64_u64((share * share >> SHIFT) * acked << SHIFT, ca->cwnd);
	prague_set(tp, ca);
}

static void prague_control(struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct prague *ca = inet_csk_ca(sk);
	u32 ce = tp->delivered_ce - ca->seen_ce;
	u8 state = inet_csk(sk)->icsk_ca_state;

	ca->seen_ce = tp->delivered_ce;
	prague_measure(tp, ca);
	if (ce)
		prague_shrink(tp, ca);
	if (rs->acked_sacked > 0 && state < TCP_CA_Recovery)
		prague_grow(sk, ca, max_t(s32, rs->acked_sacked - (s32)ce, 0));
	prague_pace(sk);
}

static u32 prague_ssthresh(struct sock *sk)
{
	return max(tcp_snd_cwnd(tcp_sk(sk)), 2U);
}

static void prague_state(struct sock *sk, u8 state)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct prague *ca = inet_csk_ca(sk);

	if (state == TCP_CA_Recovery) {
		ca->cwnd >>= 1;
		prague_set(tp, ca);
		tp->snd_ssthresh = tcp_snd_cwnd(tp);
	} else if (state == TCP_CA_Loss) {
		tp->snd_ssthresh = max_t(u32, ca->cwnd >> (SHIFT + 1), 2);
		ca->cwnd = (u64)tcp_snd_cwnd(tp) << SHIFT;
	}
}

static u32 prague_undo(struct sock *sk)
{
	struct prague *ca = inet_csk_ca(sk);

	ca->cwnd <<= 1;
	return ca->cwnd >> SHIFT;
}

static void prague_init(struct sock *sk)
{
	struct tcp_sock *tp = tcp_sk(sk);
	struct prague *ca = inet_csk_ca(sk);

	*ca = (struct prague){
		.cwnd = (u64)tcp_snd_cwnd(tp) << SHIFT,
		.round_start = tp->tcp_mstamp,
		.round_delivered = tp->delivered,
		.round_ce = tp->delivered_ce,
		.seen_ce = tp->delivered_ce,
	};
	cmpxchg(&sk->sk_pacing_status, SK_PACING_NONE, SK_PACING_NEEDED);
}

static struct tcp_congestion_ops prague __read_mostly = {
	.init		= prague_init,
	.cong_control	= prague_control,
	.ssthresh	= prague_ssthresh,
	.set_state	= prague_state,
	.undo_cwnd	= prague_undo,
	.flags		= TCP_CONG_NEEDS_ECN | TCP_CONG_NEEDS_ACCECN | TCP_CONG_ECT_1_NEGOTIATION |
			  TCP_CONG_NO_FALLBACK_RFC3168,
	.owner		= THIS_MODULE,
	.name		= "prague",
};

static int __init prague_register(void)
{
	BUILD_BUG_ON(sizeof(struct prague) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&prague);
}

static void __exit prague_unregister(void)
{
	tcp_unregister_congestion_control(&prague);
}

module_init(prague_register);
module_exit(prague_unregister);

MODULE_LICENSE("GPL");

