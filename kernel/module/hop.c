// SPDX-License-Identifier: GPL-2.0
/*
 * From one end of a veth pair to the other, and from there to the next line, without waiting for anybody: what
 * veth_xmit(), netif_rx() and tc's mirred do by way of a backlog, a softirq and a filter. And a device's carrier.
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/version.h>
#include <net/net_namespace.h>

#include "goodput.h"

static struct net_device *peer_of(const struct net_device *dev)
{
	const struct net_device_ops *ops = dev->netdev_ops;

	return ops->ndo_get_peer_dev ? ops->ndo_get_peer_dev((struct net_device *)dev) : NULL;
}

/* A card with GRO collects packets, and whoever listens at a device sees them go. */
bool bypasses_backlog(struct net_device *dev)
{
	struct net_device *peer = peer_of(dev);

	return peer && (peer->flags & IFF_UP) && !(peer->features & NETIF_F_GRO) && !dev_nit_active(dev);
}

/* At a device in the middle of a path, which only passes packets on. */
static rx_handler_result_t pass_on(struct sk_buff **pskb)
{
	struct sk_buff *skb = skb_share_check(*pskb, GFP_ATOMIC);

	if (!skb)
		return RX_HANDLER_CONSUMED;
	skb_push_rcsum(skb, ETH_HLEN);
	skb->dev = rcu_dereference(skb->dev->rx_handler_data);
	dev_queue_xmit(skb);
	return RX_HANDLER_CONSUMED;
}

static void count(struct net_device *dev, unsigned int length)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	if (dev->pcpu_stat_type == NETDEV_PCPU_STAT_TSTATS) {
		dev_sw_netstats_tx_add(dev, 1, length);
		return;
	}
#endif
	dev_lstats_add(dev, length);
}

/* Softirqs are off. */
void cross_veth(struct sk_buff *skb, struct net_device *dev)
{
	struct net_device *peer = peer_of(dev);
	unsigned int length = skb->len;

	rcu_read_lock();
	skb_tx_timestamp(skb);
	if (rcu_access_pointer(peer->rx_handler) == pass_on) {
		skb_scrub_packet(skb, true);
		skb->priority = 0;
		skb->dev = rcu_dereference(peer->rx_handler_data);
		count(dev, length);
		dev_queue_xmit(skb);
	} else if (__dev_forward_skb(peer, skb) == NET_RX_SUCCESS) {
		count(dev, length);
		netif_receive_skb(skb);
	}
	rcu_read_unlock();
}

/* What arrives at a device in the caller's network namespace leaves by another there. */
int pass_on_to(const char *device, const char *next)
{
	struct net *net = current->nsproxy->net_ns;
	struct net_device *from, *to;
	int err = -ENODEV;

	rtnl_lock();
	from = __dev_get_by_name(net, device);
	to = __dev_get_by_name(net, next);
	if (from && to)
		err = netdev_rx_handler_register(from, pass_on, to);
	rtnl_unlock();
	return err;
}

/* Of a device in the caller's network namespace, as a cable that is pulled and plugged in again. */
int set_carrier(const char *device, bool is_there)
{
	struct net_device *dev;
	int err = -ENODEV;

	rtnl_lock();
	dev = __dev_get_by_name(current->nsproxy->net_ns, device);
	if (dev) {
		is_there ? netif_carrier_on(dev) : netif_carrier_off(dev);
		err = 0;
	}
	rtnl_unlock();
	return err;
}
