// SPDX-License-Identifier: GPL-2.0
/*
 * FreeBSD's CUBIC, before and after review D49540 (cc_cubic.c, cc_cubic.h; revisions in freebsd.h).
 *
 * fbsd_cubic_pre: from the congestion event on, each ACK assigns the greater of W_cubic(t) and a W_est that grows with
 * time, so that one ACK can add many segments.
 * fbsd_cubic: from the first ACK of congestion avoidance on, each ACK adds its share of the way to W_cubic(t), or what
 * NewReno would add where that is more. Once NewReno has led, every later congestion event halves the window: the flag
 * that says so is never cleared.
 *
 * Both without HyStart++, which no stack of FreeBSD uses by default. Time advances in ticks of 1 ms (FREEBSD_HZ), and
 * t - K in steps of 1/256 s. Where Linux's recovery and FreeBSD's differ: freebsd_tcp.h.
 */
#include <linux/module.h>
#include "freebsd_tcp.h"

#define CONGESTION	1	/* a congestion event: after D49540 one whose epoch has not begun */
#define SLOW_START	2
#define APP_LIMITED	4
#define TIMEOUT		8
#define RENO		16	/* NewReno has led */

struct cubic {
	struct freebsd tcp;
	s32 k;			/* s/256 */
	u32 w_max;		/* bytes */
	u32 epoch;		/* ticks */
	u32 cwnd_epoch;		/* bytes */
	s32 min_rtt;		/* us; 0 before FREEBSD_RTT_SAMPLES */
	s32 mean_rtt;		/* us, over the time before the last recovery */
	u32 rtts;		/* in rtt_sum */
	u32 flags;
	u64 rtt_sum;		/* us */
	struct {
		s32 k;
		u32 w_max;
		u32 epoch;
		u32 cwnd_epoch;
	} undo;			/* from before the first timeout */
};

static void cubic_init(struct sock *sk)
{
	struct cubic *ca = inet_csk_ca(sk);

	*ca = (struct cubic){ .mean_rtt = 1, .w_max = U32_MAX };
	freebsd_init(sk, &ca->tcp);
}

static void cubic_pre_init(struct sock *sk)
{
	struct cubic *ca = inet_csk_ca(sk);

	cubic_init(sk);
	ca->epoch = freebsd_ticks();
	ca->w_max = ca->tcp.cwnd;
}

static void cubic_pkts_acked(struct sock *sk, const struct ack_sample *sample)
{
	struct cubic *ca = inet_csk_ca(sk);
	s32 rtt;

	freebsd_measure(sk, &ca->tcp, sample);
	if (ca->tcp.samples < FREEBSD_RTT_SAMPLES)
		return;
	rtt = srtt_us(ca->tcp.srtt);
	if (!ca->min_rtt || rtt < ca->min_rtt) {
		ca->min_rtt = max(rtt, FREEBSD_TICK >> 5);
		ca->mean_rtt = max(ca->mean_rtt, ca->min_rtt);
	}
	ca->rtt_sum += rtt;
	ca->rtts++;
}

static u32 cubic_pre_avoid(struct sock *sk, struct cubic *ca)
{
	u32 maxseg = freebsd_maxseg(sk);
	u32 now = freebsd_ticks();
	u32 cwnd = ca->tcp.cwnd;
	u64 w_cubic, w_est;
	s32 t;

	if ((ca->flags & TIMEOUT) && (ca->flags & SLOW_START)) {
		ca->flags &= ~(TIMEOUT | SLOW_START);
		ca->w_max = cwnd;
		ca->epoch = now;
		ca->k = 0;
	} else if (ca->flags & (SLOW_START | APP_LIMITED)) {
		ca->flags &= ~(SLOW_START | APP_LIMITED);
		ca->epoch = now;
		ca->k = cubic_k_pre(ca->w_max / maxseg);
	}
	t = epoch_age(now, &ca->epoch);
	w_est = cubic_reno_pre(t, ca->mean_rtt, ca->w_max, maxseg);
	w_cubic = cubic_window((u32)t + ca->mean_rtt, ca->w_max, maxseg, ca->k);
	ca->tcp.full = false;
	cwnd = max_t(u64, cwnd, min_t(u64, max(w_cubic, w_est), S32_MAX));
	if (!(ca->flags & CONGESTION) && ca->w_max < cwnd) {
		ca->w_max = cwnd;
		ca->k = cubic_k_pre(cwnd / maxseg);
	}
	return cwnd;
}

static u32 cubic_avoid(struct sock *sk, struct cubic *ca)
{
	u32 mss = freebsd_mss(sk);
	u32 now = freebsd_ticks();
	u32 cwnd = ca->tcp.cwnd;
	u32 w_cubic, w_est;

	if (ca->flags & (SLOW_START | CONGESTION | APP_LIMITED)) {
		ca->flags &= ~(SLOW_START | CONGESTION | APP_LIMITED);
		ca->epoch = now;
		ca->cwnd_epoch = cwnd;
		ca->k = cubic_k(ca->w_max / mss, cwnd / mss);
		if (ca->flags & TIMEOUT) {
			ca->flags &= ~TIMEOUT;
			ca->w_max = cwnd;
			ca->k = 0;
		}
	}
	w_est = freebsd_reno(sk, &ca->tcp);
	w_cubic = cubic_window((u32)epoch_age(now, &ca->epoch) + ca->mean_rtt, ca->w_max, mss, ca->k);
	if (w_cubic >= w_est)
		return cwnd + cubic_step(cwnd, w_cubic, mss);
	ca->flags |= RENO;
	return w_est;
}

/* cubic_ack_received */
static void cubic_ack(struct sock *sk, u32 slow_start_mss, u32 (*avoid)(struct sock *sk, struct cubic *ca))
{
	struct cubic *ca = inet_csk_ca(sk);

	if (!freebsd_ack(sk, &ca->tcp))
		return;
	if (!freebsd_limited(sk, &ca->tcp)) {
		ca->flags |= APP_LIMITED;
	} else if (ca->tcp.cwnd <= ca->tcp.ssthresh || !ca->min_rtt) {
		ca->flags |= SLOW_START;
		freebsd_slow_start(sk, &ca->tcp, slow_start_mss);
	} else {
		freebsd_set_cwnd(sk, &ca->tcp, avoid(sk, ca));
	}
}

static void cubic_pre_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	cubic_ack(sk, freebsd_maxseg(sk), cubic_pre_avoid);
}

static void cubic_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	cubic_ack(sk, freebsd_mss(sk), cubic_avoid);
}

/* The state changes in set_state, which alone tells a timeout from a congestion event. */
static u32 cubic_pre_ssthresh(struct sock *sk)
{
	struct cubic *ca = inet_csk_ca(sk);
	u32 ssthresh;

	freebsd_adopt(sk, &ca->tcp);
	ssthresh = cubic_w_max(ca->tcp.cwnd, ca->w_max);
	ssthresh = ca->flags & CONGESTION ? share(ssthresh, CUBIC_BETA) : ssthresh >> 1;
	return freebsd_set_ssthresh(sk, &ca->tcp, most(ssthresh, 2 * freebsd_mss(sk)));
}

static u32 cubic_recalc_ssthresh(struct sock *sk)
{
	struct cubic *ca = inet_csk_ca(sk);
	u32 mss = freebsd_mss(sk);
	u32 ssthresh;

	freebsd_adopt(sk, &ca->tcp);
	ssthresh = ca->flags & RENO ? newreno_decrease(ca->tcp.cwnd, mss) : cubic_ssthresh(freebsd_pipe(sk));
	return freebsd_set_ssthresh(sk, &ca->tcp, most(ssthresh, 2 * mss));
}

static void cubic_timeout(struct sock *sk, struct cubic *ca)
{
	if (freebsd_first_timeout(sk)) {
		ca->undo.k = ca->k;
		ca->undo.w_max = ca->w_max;
		ca->undo.epoch = ca->epoch;
		ca->undo.cwnd_epoch = ca->cwnd_epoch;
	}
	freebsd_timeout(sk, &ca->tcp, CUBIC_BETA);
	ca->flags |= TIMEOUT;
}

static void cubic_pre_set_state(struct sock *sk, u8 state)
{
	struct cubic *ca = inet_csk_ca(sk);

	switch (freebsd_signal(sk, &ca->tcp, state)) {
	case FREEBSD_CONGESTION:
		ca->w_max = cubic_w_max(ca->tcp.cwnd, ca->w_max);
		if (!(ca->flags & CONGESTION))
			ca->w_max = share(ca->w_max, CUBIC_BETA);
		ca->flags |= CONGESTION;
		ca->epoch = freebsd_ticks();
		ca->k = cubic_k_pre(ca->w_max / freebsd_mss(sk));
		break;
	case FREEBSD_TIMEOUT:
		cubic_timeout(sk, ca);
		ca->flags |= CONGESTION;
		break;
	case FREEBSD_NO_SIGNAL:
		break;
	}
}

static void cubic_set_state(struct sock *sk, u8 state)
{
	struct cubic *ca = inet_csk_ca(sk);

	switch (freebsd_signal(sk, &ca->tcp, state)) {
	case FREEBSD_CONGESTION:
		ca->w_max = cubic_w_max(ca->tcp.cwnd, ca->w_max);
		ca->flags |= CONGESTION;
		break;
	case FREEBSD_TIMEOUT:
		cubic_timeout(sk, ca);
		break;
	case FREEBSD_NO_SIGNAL:
		break;
	}
}

/* cubic_post_recovery and, but for the window itself, cubic_after_idle */
static void cubic_event(struct sock *sk, enum tcp_ca_event event, u32 mss, s32 (*k)(const struct cubic *ca, u32 mss))
{
	struct cubic *ca = inet_csk_ca(sk);

	if (freebsd_recovered(sk, event))
		freebsd_post_recovery(sk, &ca->tcp, mss, most(share(ca->w_max, CUBIC_BETA), 2 * mss));
	if (event == CA_EVENT_COMPLETE_CWR) {
		if (ca->rtts && ca->rtt_sum >= ca->rtts)
			ca->mean_rtt = div_u64(ca->rtt_sum, ca->rtts);
		ca->rtts = 0;
		ca->rtt_sum = 0;
	} else if (event == CA_EVENT_CWND_RESTART) {
		freebsd_adopt(sk, &ca->tcp);
		ca->w_max = most(ca->w_max, ca->tcp.cwnd);
		ca->k = k(ca, mss);
		ca->epoch = freebsd_ticks();
	}
}

static s32 k_pre_after_idle(const struct cubic *ca, u32 mss)
{
	return cubic_k_pre(ca->w_max / mss);
}

static s32 k_after_idle(const struct cubic *ca, u32 mss)
{
	return cubic_k(ca->w_max / mss, ca->cwnd_epoch / mss);
}

static void cubic_pre_cwnd_event(struct sock *sk, enum tcp_ca_event event)
{
	cubic_event(sk, event, freebsd_maxseg(sk), k_pre_after_idle);
}

static void cubic_cwnd_event(struct sock *sk, enum tcp_ca_event event)
{
	cubic_event(sk, event, freebsd_mss(sk), k_after_idle);
}

/* After a timeout that was none (CC_RTO_ERR). */
static void cubic_restore(struct cubic *ca)
{
	ca->flags &= ~TIMEOUT;
	ca->k = ca->undo.k;
	ca->w_max = ca->undo.w_max;
	ca->epoch = ca->undo.epoch;
	ca->cwnd_epoch = ca->undo.cwnd_epoch;
}

static u32 cubic_pre_undo_cwnd(struct sock *sk)
{
	struct cubic *ca = inet_csk_ca(sk);

	cubic_restore(ca);
	ca->flags &= ~CONGESTION;
	return tcp_reno_undo_cwnd(sk);
}

static u32 cubic_undo_cwnd(struct sock *sk)
{
	cubic_restore(inet_csk_ca(sk));
	return tcp_reno_undo_cwnd(sk);
}

static struct tcp_congestion_ops fbsd_cubic_pre __read_mostly = {
	.init		= cubic_pre_init,
	.pkts_acked	= cubic_pkts_acked,
	.cong_avoid	= cubic_pre_cong_avoid,
	.ssthresh	= cubic_pre_ssthresh,
	.set_state	= cubic_pre_set_state,
	.cwnd_event	= cubic_pre_cwnd_event,
	.undo_cwnd	= cubic_pre_undo_cwnd,
	.owner		= THIS_MODULE,
	.name		= "fbsd_cubic_pre",
};

static struct tcp_congestion_ops fbsd_cubic __read_mostly = {
	.init		= cubic_init,
	.pkts_acked	= cubic_pkts_acked,
	.cong_avoid	= cubic_cong_avoid,
	.ssthresh	= cubic_recalc_ssthresh,
	.set_state	= cubic_set_state,
	.cwnd_event	= cubic_cwnd_event,
	.undo_cwnd	= cubic_undo_cwnd,
	.owner		= THIS_MODULE,
	.name		= "fbsd_cubic",
};

static int __init fbsd_cubic_register(void)
{
	int error;

	BUILD_BUG_ON(sizeof(struct cubic) > ICSK_CA_PRIV_SIZE);
	error = tcp_register_congestion_control(&fbsd_cubic_pre);
	if (error)
		return error;
	error = tcp_register_congestion_control(&fbsd_cubic);
	if (error)
		tcp_unregister_congestion_control(&fbsd_cubic_pre);
	return error;
}

static void __exit fbsd_cubic_unregister(void)
{
	tcp_unregister_congestion_control(&fbsd_cubic);
	tcp_unregister_congestion_control(&fbsd_cubic_pre);
}

module_init(fbsd_cubic_register);
module_exit(fbsd_cubic_unregister);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("FreeBSD's CUBIC, before and after D49540");
