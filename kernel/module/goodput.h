/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of goodput's module share. */
#ifndef GOODPUT_H
#define GOODPUT_H

#include <linux/mutex.h>
#include <linux/tcp.h>
#include <linux/timerqueue.h>
#include <linux/if.h>
#include <linux/types.h>

struct Qdisc;
struct course;
struct net_device;
struct sk_buff;
struct sock;
struct waits;

/* Kinds of frames; crates/wire/src/frame.rs */
enum kind { HELLO = 1, SAMPLE, QUEUE, ACK, DROP, REASON, BBR, VEGAS, DCTCP, WAIT = 11, DUALPI2, ECN, SUBFLOW, TUNNEL, PROGRAM };

/* wire::SAMPLE */
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

/* wire::ACK */
struct ack {
	u64 time;
	u64 bytes_acked;
	u64 pacing_rate;
	u32 flow;
	u32 cwnd;
	u32 ssthresh;
	u32 srtt;
	u32 snd_wnd;
	u32 packets_out;
	u32 sacked_out;
	u32 lost_out;
	u32 retrans_out;
	u32 delivered;
	u32 ca_state;
	u32 payload;
} __packed;

struct time_travel_event;

/* arch/um/kernel/time.c */
extern struct time_travel_event *time_travel_soft_event;

/* fs/hostfs/hostfs_kern.c */
extern bool hostfs_sealed;

/* stream.c */
void emit(u32 kind, const void *payload, size_t length);
void flush(void);
void flush_if_due(u64 t);	/* t: CLOCK_MONOTONIC, ns */
void to_host(const void *frames, size_t length);
u64 monotonic(void);	/* CLOCK_MONOTONIC, ns; takes no virtual time, as reading the clock with interrupts on does */
u64 stamp(void);	/* ns since the origin; what happens before it is at 0 */
extern u64 origin;	/* CLOCK_MONOTONIC, ns */
extern bool over;	/* no more frames */

/* sample.c */
extern struct mutex sampling;	/* held while what is sampled changes */
int add_flow(u32 id, u32 end, int fd);
int release_flow(u32 id, u32 end);
int add_tunnel(u32 id, u32 end, int fd);
int end_tunnels(void);
int add_queue(u32 id, const char *device, const char *hook);
int start_sampling(u64 t0, u64 every);
int stop_sampling(void);
bool is_sender(const struct sock *sk, u32 *id);
int leave_slow_start(u32 id, u64 bytes);
void sample_congestion(struct sock *sk, u32 flow, u64 time);

/* program.c */
int add_program(u32 id, u32 end);
int release_program(u32 id, u32 end);
void sample_programs(u64 time);
void emit_programs(u64 time);
bool is_programs_sender(const struct sock *sk, u32 *id);

/* mptcp.c */
bool is_multipath(const struct sock *sk);
void sample_subflows(struct sock *sk, u32 flow, u32 end, u64 time, struct tcp_info *sum);
void add_info(struct tcp_info *sum, const struct tcp_info *info);
void emit_connection(const struct sock *sk, u32 flow, u32 end, u32 port, u64 time, const struct tcp_info *info);

/* packet.c */
struct carried {
	u8 protocol;	/* of the header behind IP's; 0 of what is no IP */
	u16 length;	/* of that header and all behind it */
};
const void *transport(const struct sk_buff *skb, size_t least, struct carried *carried);

/* trace.c */
int trace_acks(void);
int trace_drops(void);

/* seed.c */
void draw_seed(void);
u64 goodput_seed(const char *device);

/* agenda.c */
struct line_timer {
	struct timerqueue_node node;
	void (*on_due)(struct line_timer *timer, u64 now);
};
void init_line_timer(struct line_timer *timer, void (*on_due)(struct line_timer *timer, u64 now));
void set_line_timer(struct line_timer *timer, u64 at);	/* CLOCK_MONOTONIC, ns */
void cancel_line_timer(struct line_timer *timer);

/* hop.c */
bool bypasses_backlog(struct net_device *dev);	/* what leaves it arrives by cross_veth() */
void cross_veth(struct sk_buff *skb, struct net_device *dev);
int pass_on_to(const char *device, const char *next);
int set_carrier(const char *device, bool is_there);

/* bulk.c */
ssize_t send_zeros(int fd, u64 bytes);
int discard(int fd);

/* calls.c */
void goodput_called(int syscall, long ret);	/* a program, and what it got */

/* course.c */
enum follows { FOLLOWS_RATE, FOLLOWS_OPPORTUNITIES, FOLLOWS_DELAY };
/* crates/wire/src/course.rs; its points follow */
struct course_head {
	char device[IFNAMSIZ];
	u32 follows;
	u32 keeps;
	u64 period;
	u64 offset;
	u64 count;
} __packed;
struct course *read_course(const char __user *user, size_t length, struct course_head *head);
bool is_due(u64 t);
u64 follow(struct course *course, u64 t, u64 *until);
u64 skip_points(struct course *course, u64 t);
u64 take_point(struct course *course, u64 *t);

/* line.c */
int register_line(void);
int set_rate(const char *device, u64 rate, u32 overhead, bool of_host);
int set_delay(const char *device, u64 delay);
void settle_line(struct Qdisc *sch);	/* before its queue is looked at */
struct Qdisc *queue_of(struct Qdisc *sch);	/* in front of a line; any other qdisc is one itself */
int set_course(const char *device, struct course *course, enum follows follows, bool keeps);
struct Qdisc *find_line(const char *device);
int count_waits(const char *device, u32 queue);

/* options.c */
int set_options(const char *device, const char *text);

/* wait.c */
int tell_flows(u32 first_port, u32 count);
u32 flow_of_packet(const struct sk_buff *skb);
u16 port_of_flow(u32 flow);
struct waits *add_waits(u32 queue);
u64 wait_ticket(const struct sk_buff *skb, u64 now);	/* of a packet that comes into a queue */
void waited(struct waits *waits, u64 ticket, const struct sk_buff *skb, u64 start, bool marks);
void emit_waits(void);

/* pool.c */
int add_pool(u32 id, u64 bytes);
int join_pool(u32 id, const char *device);

/* receive.c */
int merge_for_good(const char *device);
int moderate(const char *device, u64 ns);

#endif
