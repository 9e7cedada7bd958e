// SPDX-License-Identifier: GPL-2.0
/*
 * What goodput's agent cannot do cheaply from user space: a system call costs
 * a User-Mode Linux guest 65 us of real time, a kernel thread's wake-up 0.5 us.
 *
 * The host process that boots the guest hands over the job on file descriptor
 * 0 and reads the recording, a stream of frames, from file descriptor 1.
 *
 *	/proc/goodput/job	read: the job, as it came from the host
 *	/proc/goodput/emit	write: frames of the agent's, passed on as they are
 *	/proc/goodput/control	write: one command
 *
 *	flow ID END FD		sample the caller's socket FD; END 0 sends, 1 receives
 *	release ID END		sample it once more, and no longer
 *	queue ID DEVICE HOOK	sample a qdisc of a device in the caller's network
 *				namespace; HOOK is root or clsact
 *	trace acks|drops	a frame for each ACK at a sender; for each dropped packet
 *	pool ID BYTES		make a pool of packet memory
 *	join ID DEVICE		put the queue of a device in the caller's network
 *				namespace into a pool
 *	coalesce DEVICE NS	a device delivers every NS ns what it receives; its GRO
 *				must be on and the device up, and must stay so
 *	lro DEVICE		what a device's GRO has merged stays one packet
 *	start T0 INTERVAL	sample every INTERVAL ns from T0 on (CLOCK_MONOTONIC, ns)
 *	stop			one last sample of the queues, and no more frames
 *
 * The frames are described in wire/src/frame.rs. Nothing here reads the clock
 * with interrupts on: in time-travel mode that would cost virtual time, and
 * the measurement would change what it measures.
 */
#include <linux/etherdevice.h>
#include <linux/file.h>
#include <linux/hashtable.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>
#include <linux/version.h>
#include <net/dropreason.h>
#include <net/gen_stats.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <net/tcp.h>
#include <trace/events/skb.h>
#include <trace/events/tcp.h>

#include <os.h>

#include "goodput.h"

#define HOST_JOB	0
#define HOST_STREAM	1
#define PROTOCOL	1
#define EMIT_MAX	(4 << 20)

enum kind { HELLO = 1, SAMPLE, QUEUE, ACK, DROP, REASON };

struct header {
	u32 kind;
	u32 length;
} __packed;

struct hello {
	u32 protocol;
	u32 hz;
	char release[64];
} __packed;

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

struct queue_sample {
	u64 time;
	u32 queue;
	u32 packets;
	u32 backlog;
	u32 drops;
	u64 sent_bytes;
	u64 sent_packets;
} __packed;

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

struct drop {
	u64 time;
	u32 reason;
	u32 length;
	u32 seq;
	u32 payload;
	u16 source_port;
	u16 destination_port;
	u32 protocol;
	char device[IFNAMSIZ];
} __packed;

struct flow {
	struct hlist_node by_sock;
	struct list_head list;
	struct socket *sock;
	u32 id;
	u32 end;
};

struct queue {
	struct list_head list;
	struct net_device *dev;
	netdevice_tracker tracker;
	u32 id;
	bool clsact;
};

static DEFINE_MUTEX(lock);
static LIST_HEAD(flows);
static LIST_HEAD(queues);
static DEFINE_HASHTABLE(flow_of, 8);
static struct task_struct *sampler;
static bool over;
static u64 origin;
static u64 interval;

/* CLOCK_MONOTONIC, ns */
static u64 now(void)
{
	unsigned long flags;
	u64 t;

	local_irq_save(flags);
	t = ktime_get_ns();
	local_irq_restore(flags);
	return t;
}

/* ns since the origin; what happens before it is at 0 */
static u64 stamp(void)
{
	u64 t = now();

	return t > origin ? t - origin : 0;
}

/* ---- the stream to the host ---- */

static u8 stream[64 << 10];
static size_t pending;
static u64 flushed;

static void to_host(const void *data, size_t length)
{
	while (length) {
		int n = os_write_file(HOST_STREAM, data, length);

		if (n == -EINTR || n == -EAGAIN)
			continue;
		if (n <= 0)
			panic("goodput: the host does not take the recording: %d", n);
		data += n;
		length -= n;
	}
}

static void flush(void)
{
	unsigned long flags;

	local_irq_save(flags);
	to_host(stream, pending);
	pending = 0;
	flushed = ktime_get_ns();
	local_irq_restore(flags);
}

static void emit(u32 kind, const void *payload, size_t length)
{
	struct header header = { kind, length };
	unsigned long flags;

	local_irq_save(flags);
	if (pending + sizeof(header) + length > sizeof(stream))
		flush();
	memcpy(stream + pending, &header, sizeof(header));
	memcpy(stream + pending + sizeof(header), payload, length);
	pending += sizeof(header) + length;
	local_irq_restore(flags);
}

/* ---- what is sampled ---- */

static void sample_flow(struct flow *flow, u64 time)
{
	struct sock *sk = flow->sock->sk;
	struct sample s = {
		.time = time,
		.flow = flow->id,
		.end = flow->end,
		.sndbuf = READ_ONCE(sk->sk_sndbuf),
		.wmem_queued = READ_ONCE(sk->sk_wmem_queued),
		.rcvbuf = READ_ONCE(sk->sk_rcvbuf),
		.rmem_alloc = sk_rmem_alloc_get(sk),
	};
	struct tcp_info info;

	tcp_get_info(sk, &info);
	s.info = info;
	emit(SAMPLE, &s, sizeof(s));
}

static void sample_queue(struct queue *queue, u64 time)
{
	struct gnet_stats_basic_sync basic;
	struct gnet_stats_queue stats = { 0 };
	struct queue_sample s = { .time = time, .queue = queue->id };
	struct netdev_queue *hook;
	struct Qdisc *qdisc;

	gnet_stats_basic_sync_init(&basic);
	rcu_read_lock();
	hook = queue->clsact ? rcu_dereference(queue->dev->ingress_queue) : NULL;
	qdisc = hook ? rcu_dereference(hook->qdisc_sleeping) : rcu_dereference(queue->dev->qdisc);
	spin_lock_bh(qdisc_lock(qdisc));
	gnet_stats_add_basic(&basic, qdisc->cpu_bstats, &qdisc->bstats, false);
	gnet_stats_add_queue(&stats, qdisc->cpu_qstats, &qdisc->qstats);
	s.packets = qdisc_qlen(qdisc);
	spin_unlock_bh(qdisc_lock(qdisc));
	rcu_read_unlock();
	s.backlog = stats.backlog;
	s.drops = stats.drops;
	s.sent_bytes = u64_stats_read(&basic.bytes);
	s.sent_packets = u64_stats_read(&basic.packets);
	emit(QUEUE, &s, sizeof(s));
}

static void sample_queues(u64 time)
{
	struct queue *queue;

	list_for_each_entry(queue, &queues, list)
		sample_queue(queue, time);
}

static int sample_all(void *unused)
{
	u64 time = 0;

	for (;;) {
		ktime_t at = ns_to_ktime(origin + time);
		struct flow *flow;

		set_current_state(TASK_IDLE);
		if (schedule_hrtimeout(&at, HRTIMER_MODE_ABS))
			continue;
		if (over)
			return 0;
		mutex_lock(&lock);
		list_for_each_entry(flow, &flows, list)
			sample_flow(flow, time);
		sample_queues(time);
		mutex_unlock(&lock);
		if (pending > sizeof(stream) / 2 || origin + time >= flushed + NSEC_PER_SEC / 10)
			flush();
		time += interval;
	}
}

/* ---- tracepoints: with the arguments that those of all versions begin with ---- */

static struct flow *sender(const struct sock *sk)
{
	struct flow *flow;

	hash_for_each_possible(flow_of, flow, by_sock, (unsigned long)sk)
		if (flow->sock->sk == sk && flow->end == 0)
			return flow;
	return NULL;
}

static void on_ack(void *unused, struct sock *sk, const struct sk_buff *skb)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct flow *flow = sender(sk);
	struct ack a;

	if (!flow || over)
		return;
	a = (struct ack){
		.time = stamp(),
		.bytes_acked = tp->bytes_acked,
		.pacing_rate = sk->sk_pacing_rate,
		.flow = flow->id,
		.cwnd = tcp_snd_cwnd(tp),
		.ssthresh = tcp_current_ssthresh(sk),
		.srtt = tp->srtt_us >> 3,
		.snd_wnd = tp->snd_wnd,
		.packets_out = tp->packets_out,
		.sacked_out = tp->sacked_out,
		.lost_out = tp->lost_out,
		.retrans_out = tp->retrans_out,
		.delivered = tp->delivered,
		.ca_state = inet_csk(sk)->icsk_ca_state,
		.payload = skb->len - tcp_hdr(skb)->doff * 4,
	};
	emit(ACK, &a, sizeof(a));
}

static void drop_ports(const struct sk_buff *skb, struct drop *d)
{
	const struct iphdr *ip;
	const struct tcphdr *tcp;

	ip = ip_hdr(skb);
	if (skb->protocol != htons(ETH_P_IP) || (u8 *)(ip + 1) > skb_tail_pointer(skb))
		return;
	d->protocol = ip->protocol;
	if (ip->protocol != IPPROTO_TCP)
		return;
	tcp = (const void *)ip + ip->ihl * 4;
	if ((u8 *)(tcp + 1) > skb_tail_pointer(skb))
		return;
	d->source_port = ntohs(tcp->source);
	d->destination_port = ntohs(tcp->dest);
	d->seq = ntohl(tcp->seq);
	d->payload = ntohs(ip->tot_len) - ip->ihl * 4 - tcp->doff * 4;
}

/* A queue may keep something else in skb->dev, such as UDP its dev_scratch. */
static bool is_device(const void *pointer)
{
	struct net_device *dev;
	struct net *net;

	for_each_net_rcu(net)
		for_each_netdev_rcu(net, dev)
			if (dev == pointer)
				return true;
	return false;
}

static void on_drop(void *unused, struct sk_buff *skb, void *location,
		    enum skb_drop_reason reason)
{
	struct drop d = { .time = stamp(), .reason = reason, .length = skb->len };

	if (over)
		return;
	rcu_read_lock();
	if (is_device(skb->dev))
		strscpy_pad(d.device, skb->dev->name, sizeof(d.device));
	rcu_read_unlock();
	drop_ports(skb, &d);
	emit(DROP, &d, sizeof(d));
}

/* The names of the core's reasons, some of which are NULL. */
static const char * const *reasons(size_t *count)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	const struct drop_reason_list *list =
		rcu_dereference(drop_reasons_by_subsys[SKB_DROP_REASON_SUBSYS_CORE]);

	*count = list ? list->n_reasons : 0;
	return list ? list->reasons : NULL;
#else
	*count = SKB_DROP_REASON_MAX;
	return drop_reasons;
#endif
}

static void emit_reasons(void)
{
	const char * const *names;
	size_t count, i;

	rcu_read_lock();
	names = reasons(&count);
	for (i = 0; i < count; i++) {
		char text[68] = { 0 };

		*(u32 *)text = i;
		if (names[i])
			emit(REASON, text, 4 + strscpy(text + 4, names[i], 64));
	}
	rcu_read_unlock();
}

/* ---- commands ---- */

static struct flow *find_flow(u32 id, u32 end)
{
	struct flow *flow;

	list_for_each_entry(flow, &flows, list)
		if (flow->id == id && flow->end == end)
			return flow;
	return NULL;
}

static int add_flow(u32 id, u32 end, int fd)
{
	struct flow *flow;
	struct socket *sock;
	unsigned long flags;
	int err;

	sock = sockfd_lookup(fd, &err);
	if (!sock)
		return err;
	flow = sock->sk->sk_protocol == IPPROTO_TCP ? kzalloc(sizeof(*flow), GFP_KERNEL) : NULL;
	if (!flow) {
		sockfd_put(sock);
		return -EINVAL;
	}
	flow->sock = sock;
	flow->id = id;
	flow->end = end;
	local_irq_save(flags);
	hash_add(flow_of, &flow->by_sock, (unsigned long)sock->sk);
	local_irq_restore(flags);
	list_add_tail(&flow->list, &flows);
	return 0;
}

static int release_flow(u32 id, u32 end)
{
	struct flow *flow = find_flow(id, end);
	unsigned long flags;

	if (!flow)
		return -ENOENT;
	sample_flow(flow, stamp());
	local_irq_save(flags);
	hash_del(&flow->by_sock);
	local_irq_restore(flags);
	list_del(&flow->list);
	sockfd_put(flow->sock);
	kfree(flow);
	return 0;
}

static int add_queue(u32 id, const char *device, const char *hook)
{
	struct queue *queue = kzalloc(sizeof(*queue), GFP_KERNEL);

	if (!queue)
		return -ENOMEM;
	queue->dev = dev_get_by_name(current->nsproxy->net_ns, device);
	if (!queue->dev) {
		kfree(queue);
		return -ENODEV;
	}
	netdev_tracker_alloc(queue->dev, &queue->tracker, GFP_KERNEL);
	queue->id = id;
	queue->clsact = !strcmp(hook, "clsact");
	list_add_tail(&queue->list, &queues);
	return 0;
}

static int start(u64 t0, u64 every)
{
	if (sampler || !every)
		return -EINVAL;
	origin = t0;
	interval = every;
	sampler = kthread_run(sample_all, NULL, "goodput");
	return PTR_ERR_OR_ZERO(sampler);
}

static int stop(void)
{
	if (!sampler)
		return -EINVAL;
	sample_queues(stamp());
	over = true;
	flush();
	return 0;
}

static int command(char *line)
{
	char word[16], device[IFNAMSIZ], hook[16];
	u64 t0, every, amount;
	u32 id, end;
	int fd;

	if (sscanf(line, "flow %u %u %d", &id, &end, &fd) == 3)
		return add_flow(id, end, fd);
	if (sscanf(line, "release %u %u", &id, &end) == 2)
		return release_flow(id, end);
	if (sscanf(line, "queue %u %15s %15s", &id, device, hook) == 3)
		return add_queue(id, device, hook);
	if (sscanf(line, "pool %u %llu", &id, &amount) == 2)
		return add_pool(id, amount);
	if (sscanf(line, "join %u %15s", &id, device) == 2)
		return join_pool(id, device);
	if (sscanf(line, "coalesce %15s %llu", device, &amount) == 2)
		return moderate(device, amount);
	if (sscanf(line, "lro %15s", device) == 1)
		return merge_for_good(device);
	if (sscanf(line, "start %llu %llu", &t0, &every) == 2)
		return start(t0, every);
	if (sscanf(line, "trace %15s", word) == 1 && !strcmp(word, "acks"))
		return register_trace_tcp_probe((void *)on_ack, NULL);
	if (sscanf(line, "trace %15s", word) == 1 && !strcmp(word, "drops")) {
		emit_reasons();
		return register_trace_kfree_skb((void *)on_drop, NULL);
	}
	if (!strncmp(line, "stop", 4))
		return stop();
	return -EINVAL;
}

static ssize_t control_write(struct file *file, const char __user *user, size_t length, loff_t *pos)
{
	char line[64] = { 0 };
	int err;

	if (length >= sizeof(line) || copy_from_user(line, user, length))
		return -EINVAL;
	mutex_lock(&lock);
	err = command(line);
	mutex_unlock(&lock);
	return err ?: length;
}

static ssize_t emit_write(struct file *file, const char __user *user, size_t length, loff_t *pos)
{
	void *frames;

	if (length > EMIT_MAX)
		return -EMSGSIZE;
	frames = vmemdup_user(user, length);
	if (IS_ERR(frames))
		return PTR_ERR(frames);
	flush();
	to_host(frames, length);
	kvfree(frames);
	return length;
}

/* The host's file descriptor has its own position, so the job can be read once. */
static ssize_t job_read(struct file *file, char __user *user, size_t length, loff_t *pos)
{
	size_t want = min_t(size_t, length, 64 << 10);
	void *chunk = kvmalloc(want, GFP_KERNEL);
	int n;

	if (!chunk)
		return -ENOMEM;
	n = os_read_file(HOST_JOB, chunk, want);
	if (n > 0 && copy_to_user(user, chunk, n))
		n = -EFAULT;
	kvfree(chunk);
	return n;
}

static const struct proc_ops control_ops = { .proc_write = control_write, .proc_lseek = noop_llseek };
static const struct proc_ops emit_ops = { .proc_write = emit_write, .proc_lseek = noop_llseek };
static const struct proc_ops job_ops = { .proc_read = job_read, .proc_lseek = noop_llseek };

static int __init goodput_init(void)
{
	struct hello hello = { .protocol = PROTOCOL, .hz = HZ };
	struct proc_dir_entry *dir = proc_mkdir("goodput", NULL);

	if (!dir || !proc_create("control", 0200, dir, &control_ops) ||
	    !proc_create("emit", 0200, dir, &emit_ops) || !proc_create("job", 0400, dir, &job_ops))
		return -ENOMEM;
	strscpy(hello.release, init_utsname()->release, sizeof(hello.release));
	emit(HELLO, &hello, sizeof(hello));
	return 0;
}
late_initcall(goodput_init);
