// SPDX-License-Identifier: BSD-2-Clause
/*
 * Sockets of FreeBSD's stack as sockets of Linux: a family of their own, with the addresses of AF_INET. What a process
 * asks for is done when the stack says that it may be worth a try, as a softirq: data moves without waking anybody.
 */
#include <linux/in.h>
#include <linux/net.h>
#include <linux/nsproxy.h>
#include <linux/sched/signal.h>
#include <linux/tcp.h>
#include <linux/version.h>
#include <net/sock.h>

#include "freebsd.h"

/* A number that no family has had for decades (include/linux/socket.h); agent/src/sys/socket.rs */
#define PF_FREEBSD	PF_ASH

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
typedef struct sockaddr_unsized address_t;
#else
typedef struct sockaddr address_t;
#endif

static struct proto freebsd_proto = {
	.name = "FREEBSD",
	.owner = THIS_MODULE,
	.obj_size = sizeof(struct freebsd_sock),
};

static const struct proto_ops freebsd_ops;

static struct freebsd_sock *of(struct socket *sock)
{
	return (struct freebsd_sock *)sock->sk;
}

static struct bsd_status status(struct freebsd_sock *s)
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

static bool is_settled(struct freebsd_sock *s)
{
	return !status(s).connecting;
}

static bool has_incoming(struct freebsd_sock *s)
{
	return status(s).incoming;
}

/* As much as can be done now; wakes whoever waits for it. */
static void pump(struct freebsd_sock *s)
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
	if (s->discards) {
		long n = bsd_stack.discard(s->socket);

		if (n < 0)
			s->error = linux_error(-n);
	}
	if (s->awaited && s->awaited(s))
		wake_up_interruptible(sk_sleep(&s->sk));
}

static long wait_for(struct freebsd_sock *s, bool (*awaited)(struct freebsd_sock *s), long timeout)
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

/* ---- the calls ---- */

static struct freebsd_sock *make(struct net *net, struct socket *sock, struct freebsd_host *host, int kern)
{
	struct sock *sk = sk_alloc(net, PF_FREEBSD, GFP_KERNEL | __GFP_ZERO, &freebsd_proto, kern);
	struct freebsd_sock *s = (struct freebsd_sock *)sk;

	if (!sk)
		return NULL;
	sock_init_data(sock, sk);
	sock->ops = &freebsd_ops;
	INIT_LIST_HEAD(&s->noticed);
	s->host = host;
	s->heed = pump;
	return s;
}

static int create(struct net *net, struct socket *sock, int protocol, int kern)
{
	struct freebsd_host *host = host_here();
	struct freebsd_sock *s;
	int err;

	if (!host)
		return -EAFNOSUPPORT;
	if (sock->type != SOCK_STREAM)
		return -ESOCKTNOSUPPORT;
	s = make(net, sock, host, kern);
	if (!s)
		return -ENOMEM;
	enter();
	s->socket = bsd_stack.socket(host->host, s, &err);
	leave();
	if (err) {
		sock_orphan(&s->sk);
		sock->sk = NULL;
		sock_put(&s->sk);
	}
	return linux_error(err);
}

static int release(struct socket *sock)
{
	struct freebsd_sock *s = of(sock);

	if (!s)
		return 0;
	if (s->socket) {
		enter();
		bsd_stack.close(s->socket, sock_flag(&s->sk, SOCK_LINGER) && !s->sk.sk_lingertime);
		list_del_init(&s->noticed);
		leave();
	}
	sock_orphan(&s->sk);
	sock->sk = NULL;
	sock_put(&s->sk);
	return 0;
}

static int bind(struct socket *sock, address_t *address, int length)
{
	struct sockaddr_in *in = (struct sockaddr_in *)address;
	int err;

	if (length < sizeof(*in))
		return -EINVAL;
	enter();
	err = bsd_stack.bind(of(sock)->socket, ntohl(in->sin_addr.s_addr), ntohs(in->sin_port));
	leave();
	return linux_error(err);
}

static int connect(struct socket *sock, address_t *address, int length, int flags)
{
	struct sockaddr_in *in = (struct sockaddr_in *)address;
	struct freebsd_sock *s = of(sock);
	struct bsd_status now;
	int err;

	if (length < sizeof(*in))
		return -EINVAL;
	enter();
	err = bsd_stack.connect(s->socket, ntohl(in->sin_addr.s_addr), ntohs(in->sin_port));
	leave();
	if (err)
		return linux_error(err);
	if (wait_for(s, is_settled, MAX_SCHEDULE_TIMEOUT) < 0)
		return -EINTR;
	now = status(s);
	return now.error ? linux_error(now.error) : now.connected ? 0 : -ECONNREFUSED;
}

static int listen(struct socket *sock, int backlog)
{
	int err;

	enter();
	err = bsd_stack.listen(of(sock)->socket, backlog);
	leave();
	return linux_error(err);
}

static int take(struct socket *sock, struct socket *new, bool kern)
{
	struct freebsd_sock *s = of(sock), *connection;

	if (wait_for(s, has_incoming, MAX_SCHEDULE_TIMEOUT) < 0)
		return -EINTR;
	connection = make(sock_net(&s->sk), new, s->host, kern);
	if (!connection)
		return -ENOMEM;
	enter();
	connection->socket = bsd_stack.accept(s->socket, connection);
	leave();
	if (!connection->socket)
		return -ECONNABORTED;
	new->state = SS_CONNECTED;
	return 0;
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
static int accept(struct socket *sock, struct socket *new, struct proto_accept_arg *arg)
{
	return take(sock, new, arg->kern);
}
#else
static int accept(struct socket *sock, struct socket *new, int flags, bool kern)
{
	return take(sock, new, kern);
}
#endif

static int shutdown(struct socket *sock, int how)
{
	int err;

	if (how != SHUT_WR)
		return -EOPNOTSUPP;
	enter();
	err = bsd_stack.shutdown(of(sock)->socket);
	leave();
	return linux_error(err);
}

static int setsockopt(struct socket *sock, int level, int option, sockptr_t value, unsigned int length)
{
	char name[16] = { 0 };
	int err;

	if (level != SOL_TCP || option != TCP_CONGESTION)
		return -ENOPROTOOPT;
	if (length >= sizeof(name) || copy_from_sockptr(name, value, length))
		return -EINVAL;
	enter();
	err = bsd_stack.set_congestion(of(sock)->socket, name);
	leave();
	/* tcp(4): a name that it does not know is ESRCH. */
	return err == 3 ? -ENOENT : linux_error(err);
}

static const struct proto_ops freebsd_ops = {
	.family = PF_FREEBSD,
	.owner = THIS_MODULE,
	.release = release,
	.bind = bind,
	.connect = connect,
	.socketpair = sock_no_socketpair,
	.accept = accept,
	.getname = sock_no_getname,
	.ioctl = sock_no_ioctl,
	.listen = listen,
	.shutdown = shutdown,
	.setsockopt = setsockopt,
	.sendmsg = sock_no_sendmsg,
	.recvmsg = sock_no_recvmsg,
	.mmap = sock_no_mmap,
};

static const struct net_proto_family freebsd_family = {
	.family = PF_FREEBSD,
	.create = create,
	.owner = THIS_MODULE,
};

int __init register_family(void)
{
	return proto_register(&freebsd_proto, 0) ?: sock_register(&freebsd_family);
}

/* ---- data ---- */

struct freebsd_sock *socket_of_fd(int fd, struct socket **sock)
{
	int err;
	struct socket *found = sockfd_lookup(fd, &err);

	if (!found)
		return ERR_PTR(err);
	if (found->ops != &freebsd_ops) {
		sockfd_put(found);
		return ERR_PTR(-EINVAL);
	}
	*sock = found;
	return of(found);
}

ssize_t freebsd_send(int fd, u64 bytes)
{
	struct socket *sock;
	struct freebsd_sock *s = socket_of_fd(fd, &sock);
	long left;
	u64 sent;

	if (IS_ERR(s))
		return PTR_ERR(s);
	s->sent = 0;
	s->to_send = bytes;
	left = wait_for(s, has_sent, s->sk.sk_sndtimeo);
	local_bh_disable();
	s->to_send = 0;
	sent = s->sent;
	local_bh_enable();
	sockfd_put(sock);
	if (sent)
		return min_t(u64, sent, SSIZE_MAX);
	return s->error ?: left < 0 ? -EINTR : -EAGAIN;
}

int freebsd_discard(int fd)
{
	struct socket *sock;
	struct freebsd_sock *s = socket_of_fd(fd, &sock);
	struct bsd_status now;
	long left;

	if (IS_ERR(s))
		return PTR_ERR(s);
	s->discards = true;
	left = wait_for(s, is_over, MAX_SCHEDULE_TIMEOUT);
	s->discards = false;
	now = status(s);
	sockfd_put(sock);
	return left < 0 ? -EINTR : now.error ? linux_error(now.error) : s->error;
}
