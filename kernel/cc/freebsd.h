/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arithmetic of FreeBSD's congestion controls: pure functions, in the kernel and in user space alike.
 *
 * Windows are bytes, times are ticks of 1/FREEBSD_HZ s or microseconds. Shares are of 256. Widths and signs of types
 * are FreeBSD's wherever a value can leave them, so that what wraps there wraps here.
 *
 * Written from the formulas and constants in freebsd-src, sys/netinet (BSD-2-Clause); no code is taken over:
 *   before D49540  cc/cc_cubic.h 0162500b7d2d, cc/cc_cubic.c 00d3b74406db
 *   after          cc/cc_cubic.h e4452d45ec5a, cc/cc_cubic.c 0c964205c6ad
 *   NewReno, ABC   cc/cc.c, cc/cc_newreno.c and tcp_input.c of 0c964205c6ad
 *   H-TCP          cc/cc_htcp.c 023681d62755
 */
#ifndef GOODPUT_FREEBSD_H
#define GOODPUT_FREEBSD_H

#ifdef __KERNEL__
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
#define S32_MAX INT32_MAX
static inline u64 div_u64(u64 dividend, u32 divisor) { return dividend / divisor; }
static inline u64 div64_u64(u64 dividend, u64 divisor) { return dividend / divisor; }
static inline s64 div_s64(s64 dividend, s32 divisor) { return dividend / divisor; }
#endif

/* kern.hz; 100 by default in virtual machines (HZ_VM, sys/kern/subr_param.c). */
#ifndef FREEBSD_HZ
#define FREEBSD_HZ		1000
#endif
#define FREEBSD_TICK		(1000000 / FREEBSD_HZ)	/* us */

#define FREEBSD_MAXWIN		65535u			/* TCP_MAXWIN */
#define FREEBSD_NO_SSTHRESH	(FREEBSD_MAXWIN << 14)	/* TCP_MAXWIN << TCP_MAX_WINSHIFT */
#define FREEBSD_ABC_L		2			/* net.inet.tcp.abc_l_var */
#define FREEBSD_RTT_SAMPLES	8			/* before SRTT is believed */

#define NEWRENO_BETA		50			/* net.inet.tcp.cc.newreno.beta, of 100 */

#define CUBIC_BETA		179			/* 0.7 */
#define CUBIC_1_BETA		77			/* 1 - 0.7 */
#define CUBIC_CONVERGENCE	217			/* (1 + 0.7) / 2 */
#define CUBIC_C			102			/* 0.4 segments/s^3 */
#define CUBIC_T_MAX		448845			/* |t - K|, s/256, whose cube times C fits 63 bits */

#define HTCP_BETA		128			/* 0.5 while adaptive_backoff is off */
#define HTCP_DELTA_L		FREEBSD_HZ		/* 1 s */
#define HTCP_MAX_DIFF		(S32_MAX / 160)		/* ticks; alpha rests beyond */

static inline u32 least(u32 a, u32 b) { return a < b ? a : b; }
static inline u32 most(u32 a, u32 b) { return a > b ? a : b; }

/* A share of 256 of a window. */
static inline u32 share(u32 window, u32 of_256)
{
	return (u64)window * of_256 >> 8;
}

/* Appropriate byte counting (RFC 3465): whether a window's worth has been acknowledged since it last was. */
static inline bool abc_full(u32 *counted, u32 acked, u32 cwnd)
{
	*counted += acked;
	if (*counted < cwnd)
		return false;
	*counted -= cwnd;
	return true;
}

/* What an ACK adds in slow start; after a timeout no ACK counts for more than one segment. */
static inline u32 slow_start(u32 acked, u32 mss, bool after_timeout)
{
	return least(acked, after_timeout ? mss : FREEBSD_ABC_L * mss);
}

/* NewReno's window after a loss. */
static inline u32 newreno_decrease(u32 cwnd, u32 mss)
{
	return most(div64_u64((u64)cwnd * NEWRENO_BETA, 100ull * mss), 2) * mss;
}

/* ssthresh after a timeout; share is of 256. */
static inline u32 timeout_ssthresh(u32 snd_wnd, u32 pipe, u32 of_256, u32 mss)
{
	return most(share(least(snd_wnd, pipe), of_256) / mss, 2) * mss;
}

/* The window that a recovery leaves while less than ssthresh is in flight (RFC 6582). */
static inline u32 refill(u32 pipe, u32 mss)
{
	return most(pipe, mss) + mss;
}

/* A round trip in ticks, from its end and length in us: the difference of two timestamps of 1 ms. */
static inline s32 rtt_ticks(u64 now_us, u32 rtt_us)
{
	u32 ms = div_u64(now_us, 1000) - div_u64(now_us - rtt_us, 1000);

	return div_u64((u64)ms * FREEBSD_HZ, 1000);
}

/* SRTT, ticks << 5, after a round trip of so many ticks (tcp_xmit_timer); 0 is none yet. */
static inline s32 srtt_next(s32 srtt, s32 ticks)
{
	if (!srtt)
		return (ticks + 1) << 5;
	srtt += ticks * 4 - (srtt >> 3);
	return srtt > 0 ? srtt : 1;
}

static inline s32 srtt_us(s32 srtt)
{
	return (s64)srtt * FREEBSD_TICK >> 5;
}

/*
 * Time since the epoch began, us, of 32 bits. What exceeds 2147 s is taken for the longest possible, and drags the
 * epoch along.
 */
static inline s32 epoch_age(u32 now, u32 *epoch)
{
	s32 us = (s32)((now - *epoch) * FREEBSD_TICK);

	if (us >= 0)
		return us;
	*epoch = now - S32_MAX;
	return S32_MAX;
}

/*
 * Cube root, s/256, of s^3/256, after Apple's Technical Report KT-32: a parabola over [1/8, 1], and powers of two. What is
 * divided by 8 is rounded down each time.
 */
static inline s64 cube_root(s64 cube)
{
	u32 doublings = 0;

	for (; cube >= 256; cube >>= 3)
		doublings++;
	return (((cube * 275) >> 8) + 98 - (((cube * cube * 120) >> 8) >> 8)) << doublings;
}

/* K before D49540, s/256: from a loss until W_max is reached again; W_max in segments. */
static inline s64 cubic_k_pre(u32 w_max)
{
	return cube_root(div_u64(((u64)w_max * CUBIC_1_BETA) << 8, CUBIC_C));
}

/* K, s/256; segments. The dividend has 32 bits: it wraps if the distance is 65,536 segments. */
static inline s64 cubic_k(u32 w_max, u32 cwnd_epoch)
{
	if (w_max <= cwnd_epoch)
		return 0;
	return cube_root((u32)((w_max - cwnd_epoch) << 16) / CUBIC_C);
}

/* W_cubic(t), bytes: W_max and a whole number of segments, C (t - K)^3 rounded down. t in us, K in s/256. */
static inline u64 cubic_window(s32 t, u32 w_max, u32 mss, s64 k)
{
	s64 distance = div_s64((s64)t * 256 - k * 1000000, 1000000);
	s64 window;

	if (distance > CUBIC_T_MAX)
		return S32_MAX;
	if (distance < -CUBIC_T_MAX)
		return 0;
	window = ((distance * distance * distance * CUBIC_C) >> 32) * mss + w_max;
	return window > 0 ? window : 0;
}

/* W_est before D49540, bytes: 0.7 W_max and 0.53 segments for each mean round trip, us, since the epoch. */
static inline u64 cubic_reno_pre(s32 t, s32 mean_rtt, u32 w_max, u32 mss)
{
	s64 round_trip = (s32)(435u * (u32)mean_rtt);

	if (!round_trip)
		return share(w_max, CUBIC_BETA);
	return ((u64)w_max * CUBIC_BETA + div64_u64(231ull * t * mss << 8, round_trip)) >> 8;
}

/* What an ACK adds outside the Reno-friendly region, bytes. Its quantum is mss/256, and 32 bits wrap at 16 MiB. */
static inline u32 cubic_step(u32 cwnd, u64 w_cubic, u32 mss)
{
	u32 most_of = (cwnd * 3) >> 1;
	u32 target = w_cubic < cwnd ? cwnd : w_cubic > most_of ? most_of : (u32)w_cubic;

	return cwnd ? (((target - cwnd) << 8) / cwnd * mss) >> 8 : 0;
}

/* W_max after a congestion event: the window, or less of it if the flow did not come back to the last (RFC 9438, 4.7). */
static inline u32 cubic_w_max(u32 cwnd, u32 w_max)
{
	return cwnd < w_max ? share(cwnd, CUBIC_CONVERGENCE) : cwnd;
}

/* 0.7 of what is in flight, in 32 bits: it wraps at 24 MB. */
static inline u32 cubic_ssthresh(u32 pipe)
{
	return (pipe * CUBIC_BETA) >> 8;
}

/* H-TCP's increase, segments a round trip, so many ticks after the last congestion event; before is what it was. */
static inline s32 htcp_alpha(s32 since, s32 before)
{
	s32 diff = since - HTCP_DELTA_L;

	if (diff >= HTCP_MAX_DIFF)
		return before;
	if (diff <= 0)
		return 1;
	return (16 + 160 * diff / FREEBSD_HZ + (diff / FREEBSD_HZ) * ((diff << 4) / (4 * FREEBSD_HZ))) >> 4;
}

#endif
