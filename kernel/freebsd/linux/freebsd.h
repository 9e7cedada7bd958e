/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files on Linux's side share. */
#ifndef FREEBSD_H
#define FREEBSD_H

#include <linux/list.h>
#include <net/sock.h>

#include "stack.h"

/* A network namespace whose device belongs to a host of FreeBSD's. */
struct freebsd_host {
	struct list_head list;
	struct net *net;
	struct net_device *dev;
	struct bsd_host *host;
	struct bsd_port *port;
};

/* A socket of such a host; `sk` comes first. */
struct freebsd_sock {
	struct sock sk;
	struct bsd_socket *socket;
	struct freebsd_host *host;
	struct list_head noticed;
	u64 to_send;	/* bytes that a process is asleep to have sent */
	u64 sent;	/* of those it asked for */
	bool discards;	/* what arrives */
	int error;	/* of sending or discarding, Linux's */
	bool (*awaited)(struct freebsd_sock *s);	/* what a process waits for */
	void (*heed)(struct freebsd_sock *s);	/* what the stack has noticed */
};

/* host.c: between enter() and leave() the stack runs, and nothing else does */
void enter(void);
void leave(void);
struct freebsd_host *host_here(void);	/* of the caller's network namespace */
int make_host(const char *device);
int linux_error(int freebsd);	/* 0 or negative */

/* family.c */
int register_family(void);
struct freebsd_sock *socket_of_fd(int fd, struct socket **sock);	/* sockfd_put() gives it back */
ssize_t freebsd_send(int fd, u64 bytes);
int freebsd_discard(int fd);

/* sample.c */
int freebsd_sample(u32 id, u32 end, int fd);
int freebsd_release(u32 id, u32 end);
int freebsd_start(u64 t0, u64 every);

#endif
