// SPDX-License-Identifier: BSD-2-Clause
/*
 * Samples of FreeBSD's connections and of their ACKs, in the form of Linux's (drivers/goodput/sample.c, trace.c), and what
 * only FreeBSD has. crates/wire/src/fields.rs says which columns FreeBSD fills; the others are 0 here and absent in the recording.
 */
#include <linux/slab.h>
#include <linux/tcp.h>

#include "freebsd.h"

/* The kind of frame: goodput.h has those of every kernel (crates/wire/src/frame.rs). */
#define FREEBSD	10

/* TCP_MAXWIN << TCP_MAX_WINSHIFT, before there is a threshold (netinet/tcp.h) */
#define NO_SSTHRESH	(65535U << 14)
/* TCP_INFINITE_SSTHRESH (include/net/tcp.h) */
#define NO_SSTHRESH_OF_LINUX	0x7fffffff

/* wire::FREEBSD */
struct own {
	u64 time;
	u32 flow, end;
	u32 cwnd, ssthresh, pipe;
	u32 recovery, recover_fs, prr_delivered, prr_out;
	u32 dupacks, holes, sacked, sack_rexmit;
	u32 reassembly, zero_windows;
	u32 send_buffer, send_held, receive_buffer, receive_held;
	struct bsd_state state;
} __packed;

struct end {
	struct list_head list;
	struct socket *sock;
	u32 id;
	u32 end;
	u64 acked, received;
	struct bsd_sample last;
	struct bsd_state state;
};

static LIST_HEAD(ends);
static struct line_timer next;
static u64 interval, at;

static u32 packets(u32 bytes, u32 maxseg)
{
	return maxseg ? bytes / maxseg : 0;
}

static u32 threshold(const struct bsd_sample *sample)
{
	return sample->ssthresh < NO_SSTHRESH ? packets(sample->ssthresh, sample->maxseg) : NO_SSTHRESH_OF_LINUX;
}

static u32 segments(const struct bsd_sample *sample)
{
	return sample->maxseg ? DIV_ROUND_UP(sample->outstanding, sample->maxseg) : 0;
}

static void emit_own(const struct end *end, u64 time)
{
	const struct bsd_sample *last = &end->last;
	struct own own = {
		.time = time,
		.flow = end->id,
		.end = end->end,
		.cwnd = last->cwnd,
		.ssthresh = last->ssthresh,
		.pipe = last->pipe,
		.recovery = last->recovery,
		.recover_fs = last->recover_fs,
		.prr_delivered = last->prr_delivered,
		.prr_out = last->prr_out,
		.dupacks = last->dupacks,
		.holes = last->holes,
		.sacked = last->sacked,
		.sack_rexmit = last->sack_rexmit,
		.reassembly = last->reassembly,
		.zero_windows = last->zero_windows,
		.send_buffer = last->send_buffer,
		.send_held = last->send_held,
		.receive_buffer = last->receive_buffer,
		.receive_held = last->receive_held,
		.state = end->state,
	};

	emit(FREEBSD, &own, sizeof(own));
}

/* An ACK that a sender has been sent, and is about to process. */
void freebsd_acked(void *owner, const struct bsd_sample *sample)
{
	const struct end *end = ((struct freebsd_sock *)owner)->sampled;
	struct ack a;

	if (over || !end || end->end != 0)
		return;
	a = (struct ack){
		.time = stamp(),
		.bytes_acked = end->acked + (u32)(sample->acked - end->last.acked),
		.flow = end->id,
		.cwnd = packets(sample->cwnd, sample->maxseg),
		.ssthresh = threshold(sample),
		.srtt = sample->srtt,
		.snd_wnd = sample->snd_wnd,
		.packets_out = segments(sample),
		.sacked_out = packets(sample->sacked, sample->maxseg),
		.retrans_out = packets(sample->sack_rexmit, sample->maxseg),
	};
	emit(ACK, &a, sizeof(a));
}

static void emit_sample(struct end *end, u64 time)
{
	struct bsd_sample *last = &end->last, now;
	struct bsd_state state;
	struct sample s = { .time = time, .flow = end->id, .end = end->end };
	struct tcp_info *info = &s.info;

	/* A connection that is over keeps what it had. */
	if (bsd_stack.sample(of(end->sock)->socket, &now, &state)) {
		end->acked += now.acked - last->acked;
		end->received += now.received - last->received;
		*last = now;
		end->state = state;
	}
	info->tcpi_options = last->options;
	info->tcpi_snd_wscale = last->snd_scale;
	info->tcpi_rcv_wscale = last->rcv_scale;
	info->tcpi_retransmits = info->tcpi_backoff = last->timeouts;
	info->tcpi_rto = last->rto;
	info->tcpi_rtt = last->srtt;
	info->tcpi_rttvar = last->rttvar;
	info->tcpi_snd_mss = last->maxseg;
	info->tcpi_snd_cwnd = packets(last->cwnd, last->maxseg);
	info->tcpi_snd_ssthresh = threshold(last);
	info->tcpi_unacked = segments(last);
	info->tcpi_sacked = packets(last->sacked, last->maxseg);
	info->tcpi_retrans = packets(last->sack_rexmit, last->maxseg);
	info->tcpi_total_retrans = last->sent_rexmit;
	info->tcpi_rcv_ooopack = last->out_of_order;
	info->tcpi_notsent_bytes = last->unsent;
	info->tcpi_snd_wnd = last->snd_wnd;
	info->tcpi_rcv_wnd = last->rcv_wnd;
	info->tcpi_bytes_acked = end->acked;
	info->tcpi_bytes_received = end->received;
	emit(SAMPLE, &s, sizeof(s));
	emit_own(end, time);
}

static void sample_all(struct line_timer *timer, u64 now)
{
	struct end *end;

	if (over)
		return;
	list_for_each_entry(end, &ends, list)
		emit_sample(end, at - origin);
	flush_if_due(at);
	at += interval;
	set_line_timer(&next, at);
}

int freebsd_start(u64 t0, u64 every)
{
	if (interval || !every)
		return -EINVAL;
	interval = every;
	at = t0;
	init_line_timer(&next, sample_all);
	local_bh_disable();
	set_line_timer(&next, at);
	local_bh_enable();
	return 0;
}

int freebsd_sample(u32 id, u32 which, int fd)
{
	struct end *end = kzalloc(sizeof(*end), GFP_KERNEL);
	struct socket *sock;

	if (!end)
		return -ENOMEM;
	if (IS_ERR(socket_of_fd(fd, &sock))) {
		kfree(end);
		return -EINVAL;
	}
	end->sock = sock;
	end->id = id;
	end->end = which;
	memset(&end->state, 0xff, sizeof(end->state));
	memset(&end->state, 0, offsetof(struct bsd_state, cubic_w_max));
	local_bh_disable();
	of(end->sock)->sampled = end;
	list_add_tail(&end->list, &ends);
	local_bh_enable();
	return 0;
}

int freebsd_release(u32 id, u32 which)
{
	struct end *end;

	list_for_each_entry(end, &ends, list) {
		if (end->id != id || end->end != which)
			continue;
		local_bh_disable();
		emit_sample(end, stamp());
		of(end->sock)->sampled = NULL;
		list_del(&end->list);
		local_bh_enable();
		sockfd_put(end->sock);
		kfree(end);
		return 0;
	}
	return -ENOENT;
}
