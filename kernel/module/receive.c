// SPDX-License-Identifier: GPL-2.0
/*
 * What a network card does to the packets that it receives: it delivers those
 * of an interval at once, and may merge segments of TCP for good.
 */
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/nsproxy.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/version.h>
#include <net/gro.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#include <../net/core/dev.h>
#endif

#include "goodput.h"

/*
 * The kernel's own GRO has merged segments of a connection and can undo it, as
 * it does on a way out with a smaller MTU. Large receive offload in hardware,
 * and in FreeBSD's kernel, leaves one packet: whoever passes it on can only
 * drop it, if it exceeds the MTU of the next link.
 */
static unsigned int forget_segments(void *unused, struct sk_buff *skb,
				    const struct nf_hook_state *state)
{
	if (!skb_is_gso(skb))
		return NF_ACCEPT;
	if (skb_linearize(skb))
		return NF_DROP;
	skb_gso_reset(skb);
	return NF_ACCEPT;
}

int merge_for_good(const char *device)
{
	struct net *net = current->nsproxy->net_ns;
	struct nf_hook_ops *hook = kzalloc(sizeof(*hook), GFP_KERNEL);
	int err;

	if (!hook)
		return -ENOMEM;
	hook->hook = forget_segments;
	hook->pf = NFPROTO_NETDEV;
	hook->hooknum = NF_NETDEV_INGRESS;
	hook->priority = INT_MIN;
	rtnl_lock();
	hook->dev = __dev_get_by_name(net, device);
	err = hook->dev ? nf_register_net_hook(net, hook) : -ENODEV;
	rtnl_unlock();
	if (err)
		kfree(hook);
	return err;
}

/* The poll function of the network cards, which are all veths. */
static int (*poll_card)(struct napi_struct *, int);

static int poll_and_deliver(struct napi_struct *napi, int budget)
{
	int done = poll_card(napi, budget);

	if (done < budget) {
		napi_gro_flush(napi, false);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
		gro_normal_list(&napi->gro);
#else
		gro_normal_list(napi);
#endif
	}
	return done;
}

static void set_timeout(struct net_device *dev, u64 ns)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	netdev_set_gro_flush_timeout(dev, ns);
	netdev_set_defer_hard_irqs(dev, ns ? 1 : 0);
#else
	WRITE_ONCE(dev->gro_flush_timeout, ns);
	WRITE_ONCE(dev->napi_defer_hard_irqs, ns ? 1 : 0);
#endif
}

/*
 * Interrupt moderation: a packet after a pause is delivered at once, those of
 * the next NS ns at their end, and so on. Where the processor is infinitely
 * fast, GRO finds nothing to merge otherwise.
 *
 * The kernel polls a device in this way by gro_flush_timeout and
 * napi_defer_hard_irqs, but then keeps what GRO has merged until the next tick
 * of its clock, 1 ms, so that NS hardly mattered. A network card's interrupt
 * delivers everything, so a poll does here.
 */
static int set_moderation(struct net_device *dev, u64 ns)
{
	struct napi_struct *napi;

	if (list_empty(&dev->napi_list))
		return -EOPNOTSUPP;
	list_for_each_entry(napi, &dev->napi_list, dev_list) {
		if (napi->poll == poll_and_deliver)
			continue;
		if (poll_card && poll_card != napi->poll)
			return -EOPNOTSUPP;
		poll_card = napi->poll;
		napi->poll = poll_and_deliver;
	}
	set_timeout(dev, ns);
	return 0;
}

int moderate(const char *device, u64 ns)
{
	struct net_device *dev;
	int err;

	rtnl_lock();
	dev = __dev_get_by_name(current->nsproxy->net_ns, device);
	err = dev ? set_moderation(dev, ns) : -ENODEV;
	rtnl_unlock();
	return err;
}
