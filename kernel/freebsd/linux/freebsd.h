/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files on Linux's side share. */
#ifndef FREEBSD_H
#define FREEBSD_H

#include <linux/list.h>
#include <net/sock.h>

#include "goodput.h"
#include "stack.h"

/* A network namespace whose device belongs to a host of FreeBSD's. */
struct freebsd_host {
	struct list_head list;
	struct net *net;
	struct net_device *dev;
	struct bsd_host *host;
	struct bsd_port *port;
	struct sk_buff_head waiting;	/* for the next interrupt */
	struct line_timer interrupt;
	u64 every;	/* ns from one to the next; 0: one for each packet */
	bool is_moderated;	/* an interrupt was less than that ago */
};

struct end;

/* A socket of such a host; `sk` comes first. */
struct freebsd_sock {
	struct sock sk;
	struct bsd_socket *socket;
	enum bsd_kind kind;
	__be16 identifier;	/* of echo requests */
	struct freebsd_host *host;
	struct list_head noticed;
	u64 to_send, to_read;	/* bytes that a process is asleep to have sent, or read and discarded */
	struct end *sampled;
	u64 sent, read;	/* of those it asked for */
	int error;	/* of sending or reading, Linux's */
	bool (*awaited)(struct freebsd_sock *s);	/* what a process waits for */
	void (*heed)(struct freebsd_sock *s);	/* what the stack has noticed */
};

/* host.c: between enter() and leave() the stack runs, and nothing else does */
void enter(void);
void leave(void);
struct freebsd_host *host_here(void);	/* of the caller's network namespace */
int make_host(const char *device);
int set_offloads(struct freebsd_host *host, bool tso, bool lro, u64 every);
int freebsd_trace_acks(void);	/* of all hosts */
int linux_error(int freebsd);	/* 0 or negative */

/* family.c */
int register_family(void);
struct freebsd_sock *socket_of_fd(int fd, struct socket **sock);	/* sockfd_put() gives it back */

static inline struct freebsd_sock *of(struct socket *sock)
{
	return (struct freebsd_sock *)sock->sk;
}

/* data.c */
struct bsd_status status(struct freebsd_sock *s);
void pump(struct freebsd_sock *s);
long wait_for(struct freebsd_sock *s, bool (*awaited)(struct freebsd_sock *s), long timeout);
ssize_t freebsd_send(struct freebsd_sock *s, u64 bytes);
int freebsd_discard(struct freebsd_sock *s);
int freebsd_sendmsg(struct socket *sock, struct msghdr *msg, size_t bytes);
int freebsd_recvmsg(struct socket *sock, struct msghdr *msg, size_t bytes, int flags);

/* sample.c */
void freebsd_acked(void *owner, const struct bsd_sample *sample);
int freebsd_sample(u32 id, u32 end, int fd);
int freebsd_release(u32 id, u32 end);
int freebsd_start(u64 t0, u64 every);

#endif
