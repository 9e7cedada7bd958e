// SPDX-License-Identifier: BSD-2-Clause
/*
 * Sockets of FreeBSD's stack as sockets of Linux: a family of their own, with the addresses and options of AF_INET. Data
 * is in data.c.
 */
#include <linux/in.h>
#include <linux/net.h>
#include <linux/nsproxy.h>
#include <linux/tcp.h>
#include <linux/version.h>
#include <net/sock.h>

#include "freebsd.h"

/* A number that no family has had for decades (include/linux/socket.h); crates/agent/src/sys/socket.rs */
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

static bool is_settled(struct freebsd_sock *s)
{
	return !status(s).connecting;
}

static bool has_incoming(struct freebsd_sock *s)
{
	return status(s).incoming;
}

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
	set_bit(SOCK_CUSTOM_SOCKOPT, &sock->flags);
	return s;
}

static int create(struct net *net, struct socket *sock, int protocol, int kern)
{
	struct freebsd_host *host = host_here();
	struct freebsd_sock *s;
	enum bsd_kind kind;
	int err;

	if (!host)
		return -EAFNOSUPPORT;
	if (sock->type == SOCK_STREAM)
		kind = BSD_STREAM;
	else if (sock->type == SOCK_DGRAM)
		kind = protocol == IPPROTO_ICMP ? BSD_ECHO : BSD_DATAGRAM;
	else
		return -ESOCKTNOSUPPORT;
	s = make(net, sock, host, kern);
	if (!s)
		return -ENOMEM;
	s->kind = kind;
	enter();
	s->socket = bsd_stack.socket(host->host, kind, s, &err);
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
	/* As Linux's sockets of ICMP do (icmp(7)): the port is the identifier. */
	if (of(sock)->kind == BSD_ECHO) {
		of(sock)->identifier = in->sin_port;
		return 0;
	}
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

static int set_congestion(struct freebsd_sock *s, sockptr_t value, unsigned int length)
{
	char name[16] = { 0 };
	int err;

	if (length >= sizeof(name) || copy_from_sockptr(name, value, length))
		return -EINVAL;
	enter();
	err = bsd_stack.set_congestion(s->socket, name);
	leave();
	/* tcp(4): a name that it does not know is ESRCH. */
	return err == 3 ? -ENOENT : linux_error(err);
}

/* getsockopt() of Linux's reads its own sockets' fields. FreeBSD takes the bytes as they are, and doubles nothing. */
static int set_buffer(struct freebsd_sock *s, bool sends, unsigned int bytes, bool force)
{
	int err;

	enter();
	err = bsd_stack.set_buffer(s->socket, sends, bytes, force);
	leave();
	if (!err)
		WRITE_ONCE(*(sends ? &s->sk.sk_sndbuf : &s->sk.sk_rcvbuf), bytes);
	return linux_error(err);
}

static int set_mss(struct freebsd_sock *s, unsigned int bytes)
{
	int err;

	enter();
	err = bsd_stack.set_mss(s->socket, bytes);
	leave();
	return linux_error(err);
}

static int setsockopt(struct socket *sock, int level, int option, sockptr_t value, unsigned int length)
{
	struct freebsd_sock *s = of(sock);
	unsigned int number = 0;

	if (level == SOL_TCP && option == TCP_CONGESTION)
		return set_congestion(s, value, length);
	if (length >= sizeof(number) && copy_from_sockptr(&number, value, sizeof(number)))
		return -EFAULT;
	if (level == SOL_TCP && option == TCP_MAXSEG)
		return set_mss(s, number);
	if (level != SOL_SOCKET)
		return -ENOPROTOOPT;
	switch (option) {
	case SO_SNDBUF:
	case SO_SNDBUFFORCE:
		return set_buffer(s, true, number, option == SO_SNDBUFFORCE);
	case SO_RCVBUF:
	case SO_RCVBUFFORCE:
		return set_buffer(s, false, number, option == SO_RCVBUFFORCE);
	}
	return sock_setsockopt(sock, level, option, value, length);
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
	.sendmsg = freebsd_sendmsg,
	.recvmsg = freebsd_recvmsg,
	.mmap = sock_no_mmap,
};

static const struct net_proto_family freebsd_family = {
	.family = PF_FREEBSD,
	.create = create,
	.owner = THIS_MODULE,
};

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

int __init register_family(void)
{
	return proto_register(&freebsd_proto, 0) ?: sock_register(&freebsd_family);
}
