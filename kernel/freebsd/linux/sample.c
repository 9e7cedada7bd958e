// SPDX-License-Identifier: BSD-2-Clause
/*
 * Samples of FreeBSD's connections, in the form of Linux's (drivers/goodput/sample.c). wire/src/fields.rs says which
 * columns FreeBSD fills; the others are 0 here and absent in the recording.
 */
#include <linux/slab.h>
#include <linux/tcp.h>

#include "freebsd.h"
#include "goodput.h"

/* TCP_MAXWIN << TCP_MAX_WINSHIFT, before there is a threshold (netinet/tcp.h) */
#define NO_SSTHRESH	(65535U << 14)
/* TCP_INFINITE_SSTHRESH (include/net/tcp.h) */
#define NO_SSTHRESH_OF_LINUX	0x7fffffff

struct sample {
	u64 time;
	u32 flow;
	u32 end;
	u32 sndbuf;
	u32 wmem_queued;
	u32 rcvbuf;
	u32 rmem_alloc;
	struct tcp_info info;
} __packed;

struct end {
	struct list_head list;
	struct socket *sock;
	u32 id;
	u32 end;
	u64 acked, received;
	struct bsd_sample last;
};

static LIST_HEAD(ends);
static struct moment next;
static u64 interval, at;

static u32 packets(u32 bytes, u32 maxseg)
{
	return maxseg ? bytes / maxseg : 0;
}

static void emit_sample(struct end *end, u64 time)
{
	struct bsd_sample *last = &end->last, now;
	struct sample s = { .time = time, .flow = end->id, .end = end->end };
	struct tcp_info *info = &s.info;

	/* A connection that is over keeps what it had. */
	if (bsd_stack.sample(((struct freebsd_sock *)end->sock->sk)->socket, &now)) {
		end->acked += now.acked - last->acked;
		end->received += now.received - last->received;
		*last = now;
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
	info->tcpi_snd_ssthresh = last->ssthresh < NO_SSTHRESH ? packets(last->ssthresh, last->maxseg)
							       : NO_SSTHRESH_OF_LINUX;
	info->tcpi_unacked = last->maxseg ? DIV_ROUND_UP(last->outstanding, last->maxseg) : 0;
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
}

static void sample_all(struct moment *moment, u64 now)
{
	struct end *end;

	if (over)
		return;
	list_for_each_entry(end, &ends, list)
		emit_sample(end, at - origin);
	flush_if_due(at);
	at += interval;
	set_moment(&next, at);
}

int freebsd_start(u64 t0, u64 every)
{
	if (interval || !every)
		return -EINVAL;
	interval = every;
	at = t0;
	init_moment(&next, sample_all);
	local_bh_disable();
	set_moment(&next, at);
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
	local_bh_disable();
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
		list_del(&end->list);
		local_bh_enable();
		sockfd_put(end->sock);
		kfree(end);
		return 0;
	}
	return -ENOENT;
}
