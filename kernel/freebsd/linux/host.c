// SPDX-License-Identifier: BSD-2-Clause
/*
 * FreeBSD's stack in this kernel. A host of FreeBSD's is a network namespace whose device receives for it and sends for
 * it; Linux's own stack sees no packet there. Everything runs as softirqs do, one after the other: a packet that
 * arrives, callouts that are due, a call of a process.
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/tcp.h>

#include "freebsd.h"

/* FreeBSD counts ticks from 0, which some of its code takes for "never". */
#define UPTIME	(10 * NSEC_PER_SEC)

static LIST_HEAD(hosts);
static LIST_HEAD(noticed);
static struct sk_buff_head outgoing;
static struct sk_buff *being_made;
static struct line_timer callouts;
static bool is_up;

/* ---- services ---- */

static gfp_t gfp(void)
{
	return is_up ? GFP_ATOMIC : GFP_KERNEL;
}

static void *allocate(unsigned long bytes)
{
	return kvmalloc(bytes ?: 1, gfp());
}

static void *resize(void *memory, unsigned long bytes)
{
	return krealloc(memory, bytes, gfp());
}

static void release(void *memory)
{
	kvfree(memory);
}

static void *pages(unsigned long bytes)
{
	return alloc_pages_exact(bytes, gfp() | __GFP_ZERO);
}

static void give_back(void *pages, unsigned long bytes)
{
	free_pages_exact(pages, bytes);
}

/* The guest's seed is the trial's; xorshift64* from there (Vigna 2016). */
static unsigned long draw(void)
{
	static u64 state;

	if (!state) {
		get_random_bytes(&state, sizeof(state));
		state |= 1;
	}
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dULL;
}

static void say(const char *text)
{
	pr_info("FreeBSD: %s", text);
}

static void give_up(const char *text)
{
	panic("FreeBSD: %s", text);
}

/* Zeros are one page again and again, as in drivers/goodput/bulk.c. */
static void *frame(void *device, int bytes, int zeros)
{
	struct page *page = ZERO_PAGE(0);
	int part, i = 0;

	being_made = alloc_skb(bytes, GFP_ATOMIC);
	if (!being_made)
		return NULL;
	skb_put(being_made, bytes);
	for (; zeros > 0; zeros -= part) {
		part = min_t(int, zeros, PAGE_SIZE);
		get_page(page);
		skb_add_rx_frag(being_made, i++, page, 0, part, part);
	}
	return being_made->data;
}

static void send(void *device, void *frame, int checksum, int field, int segment)
{
	struct sk_buff *skb = being_made;

	skb->dev = device;
	skb->protocol = htons(ETH_P_IP);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	if (checksum) {
		skb_set_transport_header(skb, checksum);
		skb->ip_summed = CHECKSUM_PARTIAL;
		skb->csum_start = skb_headroom(skb) + checksum;
		skb->csum_offset = field;
	}
	if (segment) {
		skb_shinfo(skb)->gso_size = segment;
		skb_shinfo(skb)->gso_type = SKB_GSO_TCPV4;
		skb_shinfo(skb)->gso_segs = DIV_ROUND_UP(skb->len - skb_tcp_all_headers(skb), segment);
	}
	__skb_queue_tail(&outgoing, skb);
}

static void done(void *packet)
{
	consume_skb(packet);
}

static void notice(void *owner)
{
	struct freebsd_sock *s = owner;

	if (list_empty(&s->noticed))
		list_add_tail(&s->noticed, &noticed);
}

static const struct bsd_services services = {
	.allocate = allocate,
	.resize = resize,
	.release = release,
	.pages = pages,
	.release_pages = give_back,
	.random = draw,
	.log = say,
	.panic = give_up,
	.frame = frame,
	.send = send,
	.done = done,
	.notice = notice,
	.acked = freebsd_acked,
};

/* errno(2) of FreeBSD, where it has another number than Linux's. */
static const u8 errors[][2] = {
	{ 11, EDEADLK }, { 35, EAGAIN }, { 36, EINPROGRESS }, { 37, EALREADY }, { 38, ENOTSOCK }, { 39, EDESTADDRREQ },
	{ 40, EMSGSIZE }, { 41, EPROTOTYPE }, { 42, ENOPROTOOPT }, { 43, EPROTONOSUPPORT }, { 45, EOPNOTSUPP },
	{ 47, EAFNOSUPPORT }, { 48, EADDRINUSE }, { 49, EADDRNOTAVAIL }, { 50, ENETDOWN }, { 51, ENETUNREACH },
	{ 52, ENETRESET }, { 53, ECONNABORTED }, { 54, ECONNRESET }, { 55, ENOBUFS }, { 56, EISCONN }, { 57, ENOTCONN },
	{ 58, ESHUTDOWN }, { 60, ETIMEDOUT }, { 61, ECONNREFUSED }, { 64, EHOSTDOWN }, { 65, EHOSTUNREACH },
};

int linux_error(int freebsd)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(errors); i++)
		if (errors[i][0] == freebsd)
			return -errors[i][1];
	return -freebsd;
}

/* ---- in and out ---- */

void enter(void)
{
	local_bh_disable();
	bsd_stack.clock(ktime_get_ns() + UPTIME);
}

void leave(void)
{
	struct freebsd_sock *s;
	struct sk_buff *skb;
	long long next;

	do {
		while ((s = list_first_entry_or_null(&noticed, struct freebsd_sock, noticed))) {
			list_del_init(&s->noticed);
			s->heed(s);
		}
		bsd_stack.settle();
	} while (!list_empty(&noticed));
	while ((skb = __skb_dequeue(&outgoing)))
		dev_queue_xmit(skb);
	next = bsd_stack.next();
	if (next < 0)
		cancel_line_timer(&callouts);
	else
		set_line_timer(&callouts, next - UPTIME);
	local_bh_enable();
}

static void call_out(struct line_timer *timer, u64 now)
{
	enter();
	bsd_stack.run();
	leave();
}

static void deliver(struct freebsd_host *host, struct sk_buff *skb)
{
	struct bsd_frame frame = {
		.packet = skb,
		.checked = skb->ip_summed == CHECKSUM_PARTIAL || skb->ip_summed == CHECKSUM_UNNECESSARY,
	};
	skb_frag_t *rest = skb_shinfo(skb)->frags;

	skb_orphan(skb);
	if (skb_shinfo(skb)->nr_frags == 1 && !skb_has_frag_list(skb)) {
		frame.rest = skb_frag_address(rest);
		frame.rest_bytes = skb_frag_size(rest);
	} else if (skb_linearize(skb)) {
		consume_skb(skb);
		return;
	}
	frame.data = skb->data;
	frame.bytes = skb_headlen(skb);
	frame.is_shared = skb_cloned(skb);
	if (!bsd_stack.receive(host->port, &frame))
		consume_skb(skb);
}

/* Moderation as drivers/goodput/receive.c does it: a packet after a pause is delivered at once, those of the next `every` ns
 * at their end, and so on. */
static void interrupt(struct line_timer *timer, u64 now)
{
	struct freebsd_host *host = container_of(timer, struct freebsd_host, interrupt);
	struct sk_buff *skb;

	host->is_moderated = host->every && !skb_queue_empty(&host->waiting);
	if (host->is_moderated)
		set_line_timer(&host->interrupt, now + host->every);
	enter();
	while ((skb = __skb_dequeue(&host->waiting)))
		deliver(host, skb);
	bsd_stack.received(host->port);
	leave();
}

static rx_handler_result_t arrive(struct sk_buff **pskb)
{
	struct sk_buff *skb = skb_share_check(*pskb, GFP_ATOMIC);
	struct freebsd_host *host;

	if (!skb)
		return RX_HANDLER_CONSUMED;
	host = rcu_dereference(skb->dev->rx_handler_data);
	skb_push(skb, ETH_HLEN);
	__skb_queue_tail(&host->waiting, skb);
	if (!host->is_moderated)
		interrupt(&host->interrupt, ktime_get_ns());
	return RX_HANDLER_CONSUMED;
}

/* ---- hosts ---- */

struct freebsd_host *host_here(void)
{
	struct freebsd_host *host;

	list_for_each_entry(host, &hosts, list)
		if (host->net == current->nsproxy->net_ns)
			return host;
	return NULL;
}

/* The stack comes up with its first host, so that a guest without one is as it would be without the stack. */
static void boot(void)
{
	if (is_up)
		return;
	__skb_queue_head_init(&outgoing);
	init_line_timer(&callouts, call_out);
	bsd_stack.clock(UPTIME);
	bsd_stack.boot(&services);
	is_up = true;
}

/* The device is the guest's for good, as its namespace is. */
int make_host(const char *device)
{
	struct net *net = current->nsproxy->net_ns;
	struct freebsd_host *host;
	int err = -ENODEV;

	if (host_here())
		return -EEXIST;
	host = kzalloc(sizeof(*host), GFP_KERNEL);
	if (!host)
		return -ENOMEM;
	boot();
	__skb_queue_head_init(&host->waiting);
	init_line_timer(&host->interrupt, interrupt);
	rtnl_lock();
	host->net = net;
	host->dev = __dev_get_by_name(net, device);
	if (host->dev) {
		enter();
		host->host = bsd_stack.host(device);
		host->port = bsd_stack.port(host->host, host->dev->dev_addr, host->dev->mtu, host->dev);
		leave();
		err = netdev_rx_handler_register(host->dev, arrive, host);
	}
	rtnl_unlock();
	if (err)
		kfree(host);
	else
		list_add_tail(&host->list, &hosts);
	return err;
}

int set_offloads(struct freebsd_host *host, bool tso, bool lro, u64 every)
{
	int err;

	enter();
	host->every = every;
	err = bsd_stack.offloads(host->port, tso, lro);
	leave();
	return linux_error(err);
}

int freebsd_trace_acks(void)
{
	struct freebsd_host *host;
	int err = 0;

	list_for_each_entry(host, &hosts, list) {
		enter();
		err = err ?: bsd_stack.trace_acks(host->host);
		leave();
	}
	return linux_error(err);
}
