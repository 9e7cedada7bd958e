/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Between FreeBSD's stack and the kernel that it runs in, in plain C types: neither side sees the other's headers.
 *
 * A call enters the stack at the time that clock() set last. Nothing in the stack waits: what would block fails with
 * EWOULDBLOCK of FreeBSD's, and `notice` tells when it is worth another try. Errors are FreeBSD's numbers (errno(2)).
 * Addresses and ports are in host order.
 */
#ifndef STACK_H
#define STACK_H

struct bsd_host;
struct bsd_port;
struct bsd_socket;

/* What FreeBSD keeps of a connection (tcpcb), in its units but for times. */
struct bsd_sample {
	unsigned int cwnd, ssthresh, maxseg, outstanding, sacked, sack_rexmit;	/* bytes */
	unsigned int sent_rexmit, out_of_order;	/* packets */
	unsigned int srtt, rttvar, rto;	/* us */
	unsigned int snd_wnd, rcv_wnd, unsent;	/* bytes */
	unsigned int acked, received;	/* bytes in order since the connection began, modulo 2^32 */
	unsigned char options, snd_scale, rcv_scale, timeouts;
	/* What Linux has no column for. */
	unsigned int pipe, recover_fs, prr_delivered, prr_out;	/* bytes */
	unsigned int holes, dupacks, reassembly, zero_windows;	/* of the scoreboard; in a row; segments; announcements */
	unsigned int recovery;	/* 1: fast recovery, 2: a congestion event's round trip */
	unsigned int send_buffer, send_held, receive_buffer, receive_held;	/* bytes */
};

/* What its congestion control and TCP stack keep for themselves, in their units (crates/wire/src/fields.rs); all bits set: absent. */
struct bsd_state {
	char functions[16], congestion[16];
	unsigned int cubic_w_max, cubic_w_last_max, cubic_k, cubic_epoch;
	unsigned int htcp_alpha, htcp_beta, dctcp_alpha;
	unsigned int rack_rtt, rack_min_rtt, rack_reordered;
	unsigned long long rack_gp_bw;
	unsigned int bbr_state, bbr_substate;
	unsigned long long bbr_bw;
	unsigned int bbr_min_rtt, bbr_pacing_gain, bbr_cwnd_gain;
} __attribute__((packed));

/* What the stack asks of its host. */
struct bsd_services {
	void *(*allocate)(unsigned long bytes);
	void *(*resize)(void *memory, unsigned long bytes);
	void (*release)(void *memory);
	void *(*pages)(unsigned long bytes);	/* zeroed, on a page's boundary */
	void (*release_pages)(void *pages, unsigned long bytes);
	unsigned long (*random)(void);
	void (*log)(const char *text);
	void (*panic)(const char *text);	/* does not return */
	/* A frame to send: memory for what comes before so many zeros, then the frame. `checksum` is where the TCP or UDP
	 * header begins whose checksum holds the pseudo header's sum, 0 if it is complete; `field` is the checksum's place in
	 * that header; `segment` is the payload of the segments that are to be made of it, 0 if it is one. */
	void *(*frame)(void *device, int bytes, int zeros);
	void (*send)(void *device, void *frame, int checksum, int field, int segment);
	void (*done)(void *packet);	/* with one that it has kept */
	void (*notice)(void *owner);	/* of a socket: something has happened to it */
	void (*acked)(void *owner, const struct bsd_sample *sample);	/* of a connection: an ACK is processed */
};

/* What has arrived: its headers, and the rest of its data where they lie elsewhere. */
struct bsd_frame {
	void *data, *rest, *packet;
	int bytes, rest_bytes;
	int is_shared;	/* `data` is another's too and not written into; `rest` never is */
	int checked;	/* its checksums are known to be right */
};

enum bsd_kind {
	BSD_STREAM,
	BSD_DATAGRAM,
	BSD_ECHO,	/* ICMP's echo requests and their replies; its datagrams begin with the ICMP header */
};

struct bsd_status {
	int error;	/* what has broken it, 0 if nothing has */
	int connected, connecting, closed;	/* closed: the peer will send no more */
	int incoming;	/* connections to accept */
	int readable;	/* there is something to read */
};

/* What the host asks of the stack. */
struct bsd_calls {
	void (*boot)(const struct bsd_services *services);
	void (*clock)(unsigned long long ns);	/* since boot */
	long long (*next)(void);	/* when a callout is due, ns since boot; -1: none is pending */
	void (*run)(void);	/* the callouts that are due */
	void (*settle)(void);	/* what is put off to the end of an event */

	struct bsd_host *(*host)(const char *name);
	struct bsd_port *(*port)(struct bsd_host *host, const unsigned char *mac, int mtu, void *device);
	int (*offloads)(struct bsd_port *port, int tso, int lro);
	int (*address)(struct bsd_port *port, unsigned int address, unsigned int mask);
	int (*neighbour)(struct bsd_port *port, unsigned int address, const unsigned char *mac);
	int (*route)(struct bsd_host *host, unsigned int network, unsigned int mask, unsigned int gateway);
	int (*sysctl)(struct bsd_host *host, const char *name, const char *value);	/* NULL: as it is */
	int (*sysctl_text)(struct bsd_host *host, const char *name, char *text, unsigned long length);
	int (*receive)(struct bsd_port *port, const struct bsd_frame *frame);	/* 1: it is kept until `done` gets its packet */
	void (*received)(struct bsd_port *port);	/* all of an interrupt's */

	struct bsd_socket *(*socket)(struct bsd_host *host, enum bsd_kind kind, void *owner, int *error);
	int (*set_congestion)(struct bsd_socket *socket, const char *name);
	/* SO_SNDBUF or SO_RCVBUF, bytes; `force` goes beyond kern.ipc.maxsockbuf. */
	int (*set_buffer)(struct bsd_socket *socket, int sends, unsigned int bytes, int force);
	int (*set_mss)(struct bsd_socket *socket, unsigned int bytes);	/* of a connection */
	int (*bind)(struct bsd_socket *socket, unsigned int address, int port);
	int (*listen)(struct bsd_socket *socket, int backlog);
	struct bsd_socket *(*accept)(struct bsd_socket *socket, void *owner);	/* NULL: none has come */
	int (*connect)(struct bsd_socket *socket, unsigned int address, int port);
	long (*send_zeros)(struct bsd_socket *socket, unsigned long bytes);	/* how many, or -error */
	long (*discard)(struct bsd_socket *socket, unsigned long most);	/* how many, or -error */
	int (*send_datagram)(struct bsd_socket *socket, const void *data, int bytes, unsigned int address, int port);
	/* Its beginning: how long it is, or -error. */
	long (*receive_datagram)(struct bsd_socket *socket, void *data, int room);
	int (*shutdown)(struct bsd_socket *socket);	/* no more is sent */
	void (*close)(struct bsd_socket *socket, int reset);
	void (*status)(struct bsd_socket *socket, struct bsd_status *status);
	/* 0: it has no connection any more */
	int (*sample)(struct bsd_socket *socket, struct bsd_sample *sample, struct bsd_state *state);
	int (*trace_acks)(struct bsd_host *host);	/* from now on `acked` is called */
};

/* The only symbol of the stack that others see. */
extern const struct bsd_calls bsd_stack;

#endif
