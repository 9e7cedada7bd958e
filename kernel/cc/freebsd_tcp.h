/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What FreeBSD's TCP gives its congestion controls (cc_ack_received, cc_cong_signal, cc_post_recovery), over Linux's.
 *
 * FreeBSD counts windows in bytes, Linux in packets. Both windows are kept in bytes here. Linux's are these over the
 * MSS, rounded down, as FreeBSD sends whole segments; where Linux sets its own (PRR, idle times), that is taken over.
 *
 * Like FreeBSD: one call for each ACK that advances snd_una, whatever it acknowledges; the window may grow whenever
 * it is not above the peer's (no test of what is in flight); a recovery that leaves less in flight than ssthresh
 * restarts from there in slow start; a recovery is never undone, a timeout may be; a timeout sets ssthresh anew in a
 * recovery too.
 *
 * Unlike FreeBSD, as Linux decides it: when a loss is found and when a timer fires, PRR within a recovery, the cwnd
 * after a timeout (1 and what RACK does not hold for lost), halving once for each RTO of idle time instead of
 * restarting at 10 segments, what is in flight at a timeout (all that was not SACKed).
 */
#ifndef GOODPUT_FREEBSD_TCP_H
#define GOODPUT_FREEBSD_TCP_H

#include <net/tcp.h>
#include "freebsd.h"

/* The first member of each module's state. */
struct freebsd {
	u32 cwnd;	/* bytes */
	u32 ssthresh;	/* bytes */
	u32 una;	/* snd_una */
	u32 acked;	/* bytes that this ACK advanced it by */
	u32 counted;	/* bytes towards the next full window */
	s32 srtt;	/* ticks << 5 */
	u8 samples;	/* round trips in srtt */
	bool full;	/* a full window was acknowledged, and not yet answered */
};

enum freebsd_signal { FREEBSD_NO_SIGNAL, FREEBSD_CONGESTION, FREEBSD_TIMEOUT };

static inline u32 freebsd_ticks(void)
{
	return div_u64(tcp_clock_us(), FREEBSD_TICK);
}

/* tcp_fixed_maxseg: the payload of a full segment. */
static inline u32 freebsd_mss(const struct sock *sk)
{
	return most(tcp_sk(sk)->mss_cache, 1);
}

/* t_maxseg: with the options that every segment carries. */
static inline u32 freebsd_maxseg(const struct sock *sk)
{
	return freebsd_mss(sk) + tcp_sk(sk)->tcp_header_len - sizeof(struct tcphdr);
}

static inline u32 freebsd_bytes(const struct sock *sk, u32 packets)
{
	return min_t(u64, (u64)packets * freebsd_mss(sk), U32_MAX);
}

/* tcp_compute_pipe */
static inline u32 freebsd_pipe(const struct sock *sk)
{
	return freebsd_bytes(sk, tcp_packets_in_flight(tcp_sk(sk)));
}

/* Takes over what Linux did to its windows. */
static inline void freebsd_adopt(const struct sock *sk, struct freebsd *tcp)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 mss = freebsd_mss(sk);

	if (most(tcp->cwnd / mss, 1) != tcp_snd_cwnd(tp))
		tcp->cwnd = freebsd_bytes(sk, tcp_snd_cwnd(tp));
	if (most(tcp->ssthresh / mss, 1) != tp->snd_ssthresh)
		tcp->ssthresh = least(freebsd_bytes(sk, tp->snd_ssthresh), FREEBSD_NO_SSTHRESH);
}

static inline void freebsd_init(const struct sock *sk, struct freebsd *tcp)
{
	*tcp = (struct freebsd){ .una = tcp_sk(sk)->snd_una };
	freebsd_adopt(sk, tcp);
}

static inline void freebsd_set_cwnd(struct sock *sk, struct freebsd *tcp, u32 cwnd)
{
	struct tcp_sock *tp = tcp_sk(sk);

	tcp->cwnd = cwnd;
	tcp_snd_cwnd_set(tp, clamp(cwnd / freebsd_mss(sk), 1u, most(tp->snd_cwnd_clamp, 1)));
}

/* Keeps a threshold in bytes, and returns it as Linux counts. */
static inline u32 freebsd_set_ssthresh(const struct sock *sk, struct freebsd *tcp, u32 ssthresh)
{
	tcp->ssthresh = ssthresh;
	return most(ssthresh / freebsd_mss(sk), 1);
}

/* The first step of every ACK (pkts_acked), also of those in a recovery. */
static inline void freebsd_measure(const struct sock *sk, struct freebsd *tcp, const struct ack_sample *sample)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	tcp->acked = tp->snd_una - tcp->una;
	tcp->una = tp->snd_una;
	if (!tcp->acked || sample->rtt_us < 0)
		return;
	tcp->srtt = srtt_next(tcp->srtt, rtt_ticks(tp->tcp_mstamp, sample->rtt_us));
	tcp->samples = least(tcp->samples + 1, U8_MAX);
}

/* cc_ack_received: false if the ACK is none that the window may answer. */
static inline bool freebsd_ack(const struct sock *sk, struct freebsd *tcp)
{
	freebsd_adopt(sk, tcp);
	if (!tcp->acked)
		return false;
	if (tcp->cwnd > tcp->ssthresh) {
		tcp->full |= abc_full(&tcp->counted, tcp->acked, tcp->cwnd);
	} else {
		tcp->full = false;
		tcp->counted = 0;
	}
	return true;
}

/* CCF_CWND_LIMITED */
static inline bool freebsd_limited(const struct sock *sk, const struct freebsd *tcp)
{
	return tcp->cwnd <= tcp_sk(sk)->snd_wnd;
}

/* A window and what is added to it, up to what window scaling can express. */
static inline u32 freebsd_grown(const struct sock *sk, const struct freebsd *tcp, u32 by)
{
	u32 grown = least(tcp->cwnd + by, FREEBSD_MAXWIN << least(tcp_sk(sk)->rx_opt.snd_wscale, 14));

	return by ? grown : tcp->cwnd;
}

static inline void freebsd_slow_start(struct sock *sk, struct freebsd *tcp, u32 mss)
{
	bool after_timeout = inet_csk(sk)->icsk_ca_state == TCP_CA_Loss;

	freebsd_set_cwnd(sk, tcp, freebsd_grown(sk, tcp, slow_start(tcp->acked, mss, after_timeout)));
}

/* newreno_cc_cwnd_in_cong_avoid: a segment for each full window. */
static inline u32 freebsd_reno(const struct sock *sk, struct freebsd *tcp)
{
	u32 by = tcp->full ? freebsd_mss(sk) : 0;

	tcp->full = false;
	return freebsd_grown(sk, tcp, by);
}

/* newreno_cc_ack_received */
static inline void freebsd_newreno(struct sock *sk, struct freebsd *tcp)
{
	if (tcp->cwnd > tcp->ssthresh)
		freebsd_set_cwnd(sk, tcp, freebsd_reno(sk, tcp));
	else
		freebsd_slow_start(sk, tcp, freebsd_mss(sk));
}

/*
 * What a change of state (set_state) means to FreeBSD. A simple retransmission after a smaller path MTU, which enters
 * TCP_CA_Loss with no undo_marker, is no signal there.
 */
static inline enum freebsd_signal freebsd_signal(struct sock *sk, struct freebsd *tcp, u8 to)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u8 from = inet_csk(sk)->icsk_ca_state;
	bool reducing = from == TCP_CA_CWR || from == TCP_CA_Recovery;

	if (to == TCP_CA_Recovery)
		tp->prior_ssthresh = 0;	/* not to be undone */
	if (to == TCP_CA_CWR || to == TCP_CA_Recovery)
		return reducing ? FREEBSD_NO_SIGNAL : FREEBSD_CONGESTION;
	if (to != TCP_CA_Loss || !tp->undo_marker)
		return FREEBSD_NO_SIGNAL;
	tcp->counted = 0;
	return FREEBSD_TIMEOUT;
}

static inline bool freebsd_first_timeout(const struct sock *sk)
{
	return !inet_csk(sk)->icsk_retransmits;
}

/* Replaces the threshold that Linux set at a timeout. */
static inline void freebsd_timeout(struct sock *sk, struct freebsd *tcp, u32 of_256)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u32 pipe = freebsd_bytes(sk, tp->packets_out - tp->sacked_out);
	u32 ssthresh = timeout_ssthresh(tp->snd_wnd, pipe, of_256, freebsd_mss(sk));

	if (freebsd_first_timeout(sk))
		WRITE_ONCE(tp->snd_ssthresh, freebsd_set_ssthresh(sk, tcp, ssthresh));
	else
		freebsd_adopt(sk, tcp);
	tcp->cwnd = freebsd_mss(sk);
}

/* Whether an event ends a fast recovery: Linux has left that state by then, and not yet CWR. */
static inline bool freebsd_recovered(const struct sock *sk, enum tcp_ca_event event)
{
	return event == CA_EVENT_COMPLETE_CWR && inet_csk(sk)->icsk_ca_state != TCP_CA_CWR;
}

/* cc_post_recovery: the window that is left; otherwise is that of a full pipe. */
static inline void freebsd_post_recovery(struct sock *sk, struct freebsd *tcp, u32 mss, u32 otherwise)
{
	u32 pipe = freebsd_pipe(sk);

	freebsd_adopt(sk, tcp);
	freebsd_set_cwnd(sk, tcp, pipe < tcp->ssthresh ? refill(pipe, mss) : otherwise);
	tcp->counted = 0;
	tcp->acked = 0;
}

#endif
