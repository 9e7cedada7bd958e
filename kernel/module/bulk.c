// SPDX-License-Identifier: GPL-2.0
/*
 * The ends of a bulk flow, as cheap as a program that does nothing can be.
 *
 * The source sends one page again and again: no copy, and no memory but what TCP accounts for.
 *
 * The sink reads and discards all that arrives. It reads after each round of arrivals, at the moment at which a process
 * that waits for data would, but in a softirq: to wake the process takes as long as a packet.
 */
#include <linux/bvec.h>
#include <linux/interrupt.h>
#include <linux/net.h>
#include <linux/sched/signal.h>
#include <linux/socket.h>
#include <linux/uio.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "goodput.h"

/* Before 6.5 TCP copies what is sent by sendmsg(). */
#ifndef MSG_SPLICE_PAGES
#define MSG_SPLICE_PAGES 0
#endif

/* Until 6.1 it was called WRITE. */
#ifndef ITER_SOURCE
#define ITER_SOURCE WRITE
#endif

/* TCP's or MPTCP's socket of the caller's file descriptor */
static struct socket *connection(int fd, int *err)
{
	struct socket *sock = sockfd_lookup(fd, err);

	if (sock && (sock->type != SOCK_STREAM || !(sock->sk->sk_protocol == IPPROTO_TCP || is_multipath(sock->sk)))) {
		sockfd_put(sock);
		*err = -EINVAL;
		return NULL;
	}
	return sock;
}

/* ---- source ---- */

#define PIECES 4096	/* 16 MiB in one call */

/* Blocks as sendmsg() does, and returns what it returns. */
ssize_t send_zeros(int fd, u64 bytes)
{
	struct msghdr message = { .msg_flags = MSG_NOSIGNAL | MSG_SPLICE_PAGES };
	static struct bio_vec pieces[PIECES];
	struct socket *sock;
	ssize_t sent;
	int err, i;

	if (!pieces[0].bv_page)
		for (i = 0; i < PIECES; i++)
			pieces[i] = (struct bio_vec){ .bv_page = ZERO_PAGE(0), .bv_len = PAGE_SIZE };
	sock = connection(fd, &err);
	if (!sock)
		return err;
	iov_iter_bvec(&message.msg_iter, ITER_SOURCE, pieces, PIECES, min_t(u64, bytes, PIECES * PAGE_SIZE));
	sent = sock_sendmsg(sock, &message);
	sockfd_put(sock);
	return sent;
}

/* ---- sink ---- */

struct sink {
	struct tasklet_struct arrival;
	struct sock *sk;
	void (*data_ready)(struct sock *sk);	/* wakes the process */
};

static int take(read_descriptor_t *desc, struct sk_buff *skb, unsigned int offset, size_t length)
{
	return length;
}

static void take_all(struct sock *sk)
{
	read_descriptor_t all = { .count = 1 };

	tcp_read_sock(sk, &all, take);
}

/* A peer that has closed, or a connection that has broken. */
static bool is_over(const struct sock *sk)
{
	return sk->sk_err || sk->sk_state == TCP_CLOSE || sk->sk_shutdown & RCV_SHUTDOWN;
}

static void on_arrival(struct tasklet_struct *arrival)
{
	struct sink *sink = from_tasklet(sink, arrival, arrival);
	struct sock *sk = sink->sk;

	bh_lock_sock(sk);
	if (sock_owned_by_user(sk) || is_over(sk))
		sink->data_ready(sk);
	else
		take_all(sk);
	bh_unlock_sock(sk);
}

static void on_data(struct sock *sk)
{
	struct sink *sink = sk->sk_user_data;

	if (sink)
		tasklet_schedule(&sink->arrival);
}

/* While another has it, packets wait for whoever has it to let go, and it is our turn then. */
static bool is_ours(struct sock *sk)
{
	bool over;

	lock_sock(sk);
	take_all(sk);
	over = is_over(sk);
	release_sock(sk);
	return over;
}

static int discard_all(struct sink *sink)
{
	struct sock *sk = sink->sk;
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err = 0;

	add_wait_queue(sk_sleep(sk), &wait);
	while (!is_ours(sk)) {
		if (signal_pending(current)) {
			err = -EINTR;
			break;
		}
		wait_woken(&wait, TASK_INTERRUPTIBLE, MAX_SCHEDULE_TIMEOUT);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err ?: sock_error(sk);
}

/* Until the peer has closed the caller's connection FD, a signal comes, or the connection breaks. */
int discard(int fd)
{
	struct sink sink;
	struct socket *sock;
	struct sock *sk;
	int err;

	sock = connection(fd, &err);
	if (!sock)
		return err;
	sk = sock->sk;
	if (is_multipath(sk)) {
		sockfd_put(sock);
		return -EOPNOTSUPP;
	}
	sink.sk = sk;
	tasklet_setup(&sink.arrival, on_arrival);
	lock_sock(sk);
	sink.data_ready = sk->sk_data_ready;
	sk->sk_user_data = &sink;
	sk->sk_data_ready = on_data;
	release_sock(sk);
	err = discard_all(&sink);
	lock_sock(sk);
	sk->sk_data_ready = sink.data_ready;
	sk->sk_user_data = NULL;
	release_sock(sk);
	tasklet_kill(&sink.arrival);
	sockfd_put(sock);
	return err;
}
