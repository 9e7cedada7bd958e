/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files on FreeBSD's side share. */
#ifndef INSIDE_H
#define INSIDE_H

#include "stack.h"

#define HZ	1000	/* kern.hz */

struct mbuf;
struct tcpcb;
struct ucred;
struct vnet;

/* A host is a jail with a network of its own (VIMAGE). */
struct bsd_host {
	struct vnet *vnet;
	struct ucred *cred;
	char functions[32];	/* net.inet.tcp.functions_default, which the stack has once for all; empty: its own */
};

/* Until LEAVE, the thread is a process of the host. */
#define ENTER(host)	struct ucred *before_ = curthread->td_ucred; curthread->td_ucred = (host)->cred; \
	CURVNET_SET((host)->vnet)
#define LEAVE()		CURVNET_RESTORE(); curthread->td_ucred = before_

/* boot.c */
extern const struct bsd_services *services;
void boot(const struct bsd_services *services);

/* process.c */
void make_thread(void);

/* time.c */
void time_set(unsigned long long ns);
long long time_next(void);
void time_run(void);
void time_settle(void);

/* host.c */
struct bsd_host *make_host(const char *name);
struct bsd_port *make_port(struct bsd_host *host, const unsigned char *mac, int mtu, void *device);
int set_offloads(struct bsd_port *port, int tso, int lro);
int add_address(struct bsd_port *port, unsigned int address, unsigned int mask);
int add_neighbour(struct bsd_port *port, unsigned int address, const unsigned char *mac);
int add_route(struct bsd_host *host, unsigned int network, unsigned int mask, unsigned int gateway);
int receive(struct bsd_port *port, const struct bsd_frame *frame);
void received(struct bsd_port *port);

/* sysctl.c */
int set_sysctl(struct bsd_host *host, const char *name, const char *value);
int sysctl_text(struct bsd_host *host, const char *name, char *text, unsigned long length);

/* socket.c */
struct bsd_socket *make_socket(struct bsd_host *host, enum bsd_kind kind, void *owner, int *error);
int set_congestion(struct bsd_socket *socket, const char *name);
int set_buffer(struct bsd_socket *socket, int sends, unsigned int bytes, int force);
int set_mss(struct bsd_socket *socket, unsigned int bytes);
int bind_socket(struct bsd_socket *socket, unsigned int address, int port);
int listen_socket(struct bsd_socket *socket, int backlog);
struct bsd_socket *accept_socket(struct bsd_socket *socket, void *owner);
int connect_socket(struct bsd_socket *socket, unsigned int address, int port);
long send_zeros(struct bsd_socket *socket, unsigned long bytes);
int before_zeros(const struct mbuf *m);
long discard(struct bsd_socket *socket, unsigned long most);
int send_datagram(struct bsd_socket *socket, const void *data, int bytes, unsigned int address, int port);
long receive_datagram(struct bsd_socket *socket, void *data, int room);
int shutdown_socket(struct bsd_socket *socket);
void close_socket(struct bsd_socket *socket, int reset);
void socket_status(struct bsd_socket *socket, struct bsd_status *status);
int sample_socket(struct bsd_socket *socket, struct bsd_sample *sample, struct bsd_state *state);
int trace_acks(struct bsd_host *host);

/* state.c */
void state_of(struct tcpcb *tp, struct bsd_state *state);
void state_of_rack(void *rack, struct bsd_state *state);
void state_of_bbr(void *bbr, struct bsd_state *state);

#endif
