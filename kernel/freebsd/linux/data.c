// SPDX-License-Identifier: BSD-2-Clause
/*
 * Data of FreeBSD's sockets. What a process asks for is done when the stack says that it may be worth a try, as a softirq:
 * a connection's data moves without waking anybody.
 */
#include <linux/icmp.h>
#include <linux/in.h>
#include <linux/net.h>
#include <linux/sched/signal.h>
#include <linux/socket.h>
#include <linux/uio.h>
#include <net/checksum.h>

#include "freebsd.h"

/* The longest datagram that is not fragmented: an MTU of 65,535 bytes. */
#define DATAGRAM	65535

struct bsd_status status(struct freebsd_sock *s)
{
	struct bsd_status status;

	bsd_stack.status(s->socket, &status);
	return status;
}

/* ---- what a process waits for ---- */

static bool has_sent(struct freebsd_sock *s)
{
	return !s->to_send || s->error;
}

static bool is_over(struct freebsd_sock *s)
{
	struct bsd_status now = status(s);

	return now.closed || now.error || s->error;
}

static bool has_read(struct freebsd_sock *s)
{
	return !s->to_read || is_over(s);
}

static bool has_arrived(struct freebsd_sock *s)
{
	struct bsd_status now = status(s);

	return now.readable || now.error;
}

/* As much as can be done now; wakes whoever waits for it. */
void pump(struct freebsd_sock *s)
{
	if (s->to_send) {
		long n = bsd_stack.send_zeros(s->socket, min_t(u64, s->to_send, LONG_MAX));
		struct bsd_status now = status(s);

		if (n > 0) {
			s->to_send -= n;
			s->sent += n;
		} else if (n < 0) {
			s->error = linux_error(-n);
		} else if (now.error || !now.connected) {
			s->error = now.error ? linux_error(now.error) : -EPIPE;
		}
	}
	if (s->to_read) {
		long n = bsd_stack.discard(s->socket, min_t(u64, s->to_read, LONG_MAX));

		if (n > 0) {
			s->to_read -= n;
			s->read += n;
		} else if (n < 0) {
			s->error = linux_error(-n);
		}
	}
	if (s->awaited && s->awaited(s))
		wake_up_interruptible(sk_sleep(&s->sk));
}

long wait_for(struct freebsd_sock *s, bool (*awaited)(struct freebsd_sock *s), long timeout)
{
	long left;

	enter();
	s->awaited = awaited;
	pump(s);
	leave();
	left = wait_event_interruptible_timeout(*sk_sleep(&s->sk), awaited(s), timeout);
	s->awaited = NULL;
	return left;
}

/* ---- connections ---- */

ssize_t freebsd_send(struct freebsd_sock *s, u64 bytes)
{
	long left;
	u64 sent;

	s->sent = 0;
	s->to_send = bytes;
	left = wait_for(s, has_sent, s->sk.sk_sndtimeo);
	local_bh_disable();
	s->to_send = 0;
	sent = s->sent;
	local_bh_enable();
	if (sent)
		return min_t(u64, sent, SSIZE_MAX);
	return s->error ?: left < 0 ? -EINTR : -EAGAIN;
}

int freebsd_discard(struct freebsd_sock *s)
{
	struct bsd_status now;
	long left;

	s->to_read = U64_MAX;
	left = wait_for(s, is_over, MAX_SCHEDULE_TIMEOUT);
	s->to_read = 0;
	now = status(s);
	return left < 0 ? -EINTR : now.error ? linux_error(now.error) : s->error;
}

/* As recv() of TCP with MSG_TRUNC: what has been read is gone. Without MSG_DONTWAIT it waits for all. */
static ssize_t read_stream(struct freebsd_sock *s, size_t bytes, bool waits)
{
	struct bsd_status now;
	long left = 1;
	u64 read;

	s->read = 0;
	s->to_read = bytes;
	if (waits) {
		left = wait_for(s, has_read, MAX_SCHEDULE_TIMEOUT);
	} else {
		enter();
		pump(s);
		leave();
	}
	local_bh_disable();
	s->to_read = 0;
	read = s->read;
	now = status(s);
	local_bh_enable();
	if (read)
		return read;
	if (now.error || s->error)
		return now.error ? linux_error(now.error) : s->error;
	return now.closed ? 0 : left < 0 ? -EINTR : -EAGAIN;
}

/* ---- datagrams ---- */

static bool is_reply_to(const struct freebsd_sock *s, const struct icmphdr *header, long bytes)
{
	return bytes >= sizeof(*header) && header->type == ICMP_ECHOREPLY && header->un.echo.id == s->identifier;
}

static ssize_t read_datagram(struct freebsd_sock *s, struct msghdr *msg, size_t bytes, int flags)
{
	size_t room = s->kind == BSD_ECHO ? max(bytes, sizeof(struct icmphdr)) : bytes;
	char *data = kvmalloc(room, GFP_KERNEL);
	long n;

	if (!data)
		return -ENOMEM;
	for (;;) {
		enter();
		n = bsd_stack.receive_datagram(s->socket, data, room);
		leave();
		if (n >= 0 && (s->kind != BSD_ECHO || is_reply_to(s, (struct icmphdr *)data, n)))
			break;
		if (n >= 0)
			continue;
		n = linux_error(-n);
		if (n != -EAGAIN || (flags & MSG_DONTWAIT))
			break;
		n = -EINTR;
		if (wait_for(s, has_arrived, MAX_SCHEDULE_TIMEOUT) < 0)
			break;
	}
	if (n >= 0) {
		if (copy_to_iter(data, min_t(size_t, n, bytes), &msg->msg_iter) < min_t(size_t, n, bytes))
			n = -EFAULT;
		else if (!(flags & MSG_TRUNC))
			n = min_t(size_t, n, bytes);
	}
	kvfree(data);
	return n;
}

int freebsd_recvmsg(struct socket *sock, struct msghdr *msg, size_t bytes, int flags)
{
	struct freebsd_sock *s = of(sock);

	if (s->kind == BSD_STREAM)
		return flags & MSG_TRUNC ? read_stream(s, bytes, !(flags & MSG_DONTWAIT)) : -EOPNOTSUPP;
	return read_datagram(s, msg, min_t(size_t, bytes, DATAGRAM), flags);
}

int freebsd_sendmsg(struct socket *sock, struct msghdr *msg, size_t bytes)
{
	struct freebsd_sock *s = of(sock);
	struct sockaddr_in *to = msg->msg_name;
	struct icmphdr *header;
	char *data;
	int err = 0;

	if (s->kind == BSD_STREAM)
		return -EOPNOTSUPP;
	if (!to || msg->msg_namelen < sizeof(*to) || (s->kind == BSD_ECHO && bytes < sizeof(*header)))
		return -EINVAL;
	if (bytes > DATAGRAM)
		return -EMSGSIZE;
	data = kvmalloc(bytes, GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	if (!copy_from_iter_full(data, bytes, &msg->msg_iter)) {
		kvfree(data);
		return -EFAULT;
	}
	if (s->kind == BSD_ECHO) {
		header = (struct icmphdr *)data;
		header->un.echo.id = s->identifier;
		header->checksum = 0;
		header->checksum = ip_compute_csum(data, bytes);
	}
	enter();
	err = bsd_stack.send_datagram(s->socket, data, bytes, ntohl(to->sin_addr.s_addr), ntohs(to->sin_port));
	leave();
	kvfree(data);
	return err ? linux_error(err) : bytes;
}
