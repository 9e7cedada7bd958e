// SPDX-License-Identifier: GPL-2.0
/*
 * Packet memory that several ports of a switch share.
 *
 * The model is complete sharing: a packet is admitted to its port's queue if
 * the bytes in the queues of all members and the packet itself fit into the
 * pool, whichever port holds them, and is dropped otherwise. A port has no
 * part of its own and no share that it may not exceed; a queue's own limit
 * holds besides. A packet counts with its Ethernet header, as queues count it,
 * from when it enters the queue until the port takes it for transmission.
 *
 * The memory belongs to queues: the leaf of a device's shaper, at class 1 of
 * its root qdisc. A leaf that tc replaces later is no longer a member.
 */
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>

#include "goodput.h"

struct pool {
	struct list_head list;
	struct list_head members;
	u64 bytes;
	u32 id;
};

struct member {
	struct list_head list;
	struct hlist_node by_queue;
	struct pool *pool;
	struct Qdisc *queue;
	typeof(((struct Qdisc *)NULL)->enqueue) enqueue;
};

static LIST_HEAD(pools);
static DEFINE_HASHTABLE(member_of, 6);

static struct member *find_member(const struct Qdisc *queue)
{
	struct member *member;

	hash_for_each_possible(member_of, member, by_queue, (unsigned long)queue)
		if (member->queue == queue)
			return member;
	return NULL;
}

/* A guest has one processor, and packets move in softirqs, so nothing changes in between. */
static int enqueue(struct sk_buff *skb, struct Qdisc *queue, struct sk_buff **to_free)
{
	struct member *member = find_member(queue), *other;
	u64 taken = qdisc_pkt_len(skb);

	list_for_each_entry(other, &member->pool->members, list)
		taken += other->queue->qstats.backlog;
	if (taken > member->pool->bytes)
		return qdisc_drop(skb, queue, to_free);
	return member->enqueue(skb, queue, to_free);
}

static struct pool *find_pool(u32 id)
{
	struct pool *pool;

	list_for_each_entry(pool, &pools, list)
		if (pool->id == id)
			return pool;
	return NULL;
}

int add_pool(u32 id, u64 bytes)
{
	struct pool *pool;

	if (find_pool(id))
		return -EEXIST;
	pool = kzalloc(sizeof(*pool), GFP_KERNEL);
	if (!pool)
		return -ENOMEM;
	pool->id = id;
	pool->bytes = bytes;
	INIT_LIST_HEAD(&pool->members);
	list_add_tail(&pool->list, &pools);
	return 0;
}

/* The queue behind class 1 of the device's root qdisc. */
static struct Qdisc *leaf_of(struct net_device *dev)
{
	struct Qdisc *root = rtnl_dereference(dev->qdisc);
	const struct Qdisc_class_ops *classes = root->ops->cl_ops;
	unsigned long class;

	if (!classes || !classes->find || !classes->leaf)
		return NULL;
	class = classes->find(root, TC_H_MAKE(root->handle, 1));
	return class ? classes->leaf(root, class) : NULL;
}

static int join(struct pool *pool, struct net_device *dev)
{
	struct Qdisc *queue = leaf_of(dev);
	struct member *member;

	if (!queue || !queue->enqueue || qdisc_is_percpu_stats(queue))
		return -EINVAL;
	if (find_member(queue))
		return -EBUSY;
	member = kzalloc(sizeof(*member), GFP_KERNEL);
	if (!member)
		return -ENOMEM;
	member->pool = pool;
	member->queue = queue;
	qdisc_refcount_inc(queue);
	local_bh_disable();
	member->enqueue = queue->enqueue;
	queue->enqueue = enqueue;
	hash_add(member_of, &member->by_queue, (unsigned long)queue);
	list_add_tail(&member->list, &pool->members);
	local_bh_enable();
	return 0;
}

int join_pool(u32 id, const char *device)
{
	struct pool *pool = find_pool(id);
	struct net_device *dev;
	int err;

	if (!pool)
		return -ENOENT;
	rtnl_lock();
	dev = __dev_get_by_name(current->nsproxy->net_ns, device);
	err = dev ? join(pool, dev) : -ENODEV;
	rtnl_unlock();
	return err;
}
