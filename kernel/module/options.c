// SPDX-License-Identifier: GPL-2.0
/*
 * What the tc at hand may not know of the queue in front of a line: attributes
 * as netlink would bring them, each of 1 or 4 bytes.
 */
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <net/netlink.h>
#include <net/sch_generic.h>

#include "goodput.h"

#define OPTIONS_MAX	512	/* bytes */

/* What was asked for, or one less: what the queue scales it rounds down. */
static int check_options(struct Qdisc *queue, const struct nlattr *asked)
{
	struct sk_buff *dump = alloc_skb(OPTIONS_MAX, GFP_KERNEL);
	const struct nlattr *option, *shown;
	int err = -ENOMEM, rest;

	if (!dump)
		return err;
	err = queue->ops->dump(queue, dump) < 0 ? -EINVAL : 0;
	nla_for_each_nested(option, asked, rest) {
		u32 due = 0, got = 0;

		shown = err ? NULL : nla_find_nested((struct nlattr *)dump->data, nla_type(option));
		if (!shown || nla_len(shown) != nla_len(option)) {
			err = -EINVAL;
			break;
		}
		memcpy(&due, nla_data(option), nla_len(option));
		memcpy(&got, nla_data(shown), nla_len(option));
		if (got != due && got + 1 != due)
			err = -ERANGE;
	}
	kfree_skb(dump);
	return err;
}

static int read_options(struct sk_buff *message, const char *text)
{
	struct nlattr *all = nla_nest_start(message, TCA_OPTIONS);
	u32 type, width, value;
	int length, err = 0;

	for (; !err && sscanf(text, " %u:%u:%u%n", &type, &width, &value, &length) == 3; text += length)
		err = (width == 1 || width == 4) ? nla_put(message, type, width, &value) : -EINVAL;
	nla_nest_end(message, all);
	return err;
}

/* Sets what the tc at hand may not know of the queue in front of a line: TYPE:WIDTH:VALUE of each attribute. */
int set_options(const char *device, const char *text)
{
	struct sk_buff *message = alloc_skb(OPTIONS_MAX, GFP_KERNEL);
	struct Qdisc *root, *queue;
	int err = message ? read_options(message, text) : -ENOMEM;

	rtnl_lock();
	root = find_line(device);
	queue = root ? queue_of(root) : NULL;
	if (!err && !root)
		err = -ENODEV;
	if (!err && !queue->ops->change)
		err = -EOPNOTSUPP;
	if (!err)
		err = queue->ops->change(queue, (struct nlattr *)message->data, NULL);
	if (!err)
		err = check_options(queue, (struct nlattr *)message->data);
	rtnl_unlock();
	kfree_skb(message);
	return err;
}
