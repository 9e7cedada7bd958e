// SPDX-License-Identifier: GPL-2.0
/* What an IP packet carries, for both families. */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/skbuff.h>
#include <net/ip.h>
#include <net/ipv6.h>

#include "goodput.h"

static const void *carried_by_ipv4(const struct sk_buff *skb, struct carried *carried)
{
	const struct iphdr *ip = ip_hdr(skb);

	if ((u8 *)(ip + 1) > skb_tail_pointer(skb))
		return NULL;
	carried->protocol = ip->protocol;
	carried->length = ntohs(ip->tot_len) - ip->ihl * 4;
	return ip->frag_off & htons(IP_OFFSET) ? NULL : (const void *)ip + ip->ihl * 4;
}

/* The flows of an experiment have no extension headers; a fragment has one, and is not looked into. */
static const void *carried_by_ipv6(const struct sk_buff *skb, struct carried *carried)
{
	const struct ipv6hdr *ip = ipv6_hdr(skb);

	if ((u8 *)(ip + 1) > skb_tail_pointer(skb))
		return NULL;
	carried->protocol = ip->nexthdr;
	carried->length = ntohs(ip->payload_len);
	return ipv6_ext_hdr(ip->nexthdr) ? NULL : ip + 1;
}

/* The header behind IP's, of which `least` bytes are there; NULL if they are not. */
const void *transport(const struct sk_buff *skb, size_t least, struct carried *carried)
{
	const void *header = NULL;

	*carried = (struct carried){ 0 };
	if (skb->protocol == htons(ETH_P_IP))
		header = carried_by_ipv4(skb, carried);
	else if (skb->protocol == htons(ETH_P_IPV6))
		header = carried_by_ipv6(skb, carried);
	return header && (u8 *)header + least <= skb_tail_pointer(skb) ? header : NULL;
}
