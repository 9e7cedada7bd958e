// SPDX-License-Identifier: BSD-2-Clause
/*
 * /proc/goodput/freebsd takes one command a write; each is about the host of the caller's network namespace.
 *
 *	host DEVICE		the namespace becomes a host of FreeBSD's, DEVICE its interface
 *	address ADDRESS/LENGTH	of the interface
 *	offloads TSO LRO NS	of the interface, 1 or 0; an interrupt every NS ns at most
 *	neighbour ADDRESS MAC
 *	route NETWORK/LENGTH GATEWAY
 *	sysctl NAME VALUE	a read then gives the value as the stack has it
 *	start T0 INTERVAL	sample every INTERVAL ns from T0 on (CLOCK_MONOTONIC, ns)
 *	acks			trace the ACKs of all hosts' sampled senders
 *	flow ID END FD		sample the caller's socket FD; END 0 sends, 1 receives
 *	release ID END		sample it once more, and no longer
 *	send FD BYTES		zeros, on the caller's connection FD: blocks and returns as sendmsg() does
 *	discard FD		all that arrives, until the peer has closed
 */
#if __has_include(<linux/hex.h>)
#include <linux/hex.h>
#endif
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/inet.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "freebsd.h"

#define LONGEST	256

static DEFINE_MUTEX(controlling);

static bool ip4(const char *text, u32 *address)
{
	__be32 read;

	if (!in4_pton(text, -1, (u8 *)&read, '/', NULL) && !in4_pton(text, -1, (u8 *)&read, -1, NULL))
		return false;
	*address = ntohl(read);
	return true;
}

static int of_host(char *line, char *reply)
{
	struct freebsd_host *host = host_here();
	char name[128], value[128];
	u32 address, gateway;
	unsigned int length, tso, lro;
	u64 every;
	u8 mac[ETH_ALEN];
	int err = EINVAL;

	if (!host)
		return -ENODEV;
	if (sscanf(line, "offloads %u %u %llu", &tso, &lro, &every) == 3)
		return set_offloads(host, tso, lro, every);
	enter();
	if (sscanf(line, "address %15[0123456789.]/%u", name, &length) == 2 && ip4(name, &address) && length - 1 < 32)
		err = bsd_stack.address(host->port, address, ~0U << (32 - length));
	else if (sscanf(line, "neighbour %15[0123456789.] %17s", name, value) == 2 && ip4(name, &address) &&
		 mac_pton(value, mac))
		err = bsd_stack.neighbour(host->port, address, mac);
	else if (sscanf(line, "route %15[0123456789.]/%u %15[0123456789.]", name, &length, value) == 3 && ip4(name, &address) &&
		 ip4(value, &gateway) && length - 1 < 32)
		err = bsd_stack.route(host->host, address, ~0U << (32 - length), gateway);
	else if (sscanf(line, "sysctl %127s %127[^\n]", name, value) == 2)
		err = bsd_stack.sysctl(host->host, name, value) ?:
		      bsd_stack.sysctl_text(host->host, name, reply, LONGEST);
	leave();
	return linux_error(err);
}

static int command(char *line, char *reply)
{
	char device[IFNAMSIZ];
	u64 t0, every;
	u32 id, end;
	int fd;

	if (sscanf(line, "host %15s", device) == 1)
		return make_host(device);
	if (sscanf(line, "start %llu %llu", &t0, &every) == 2)
		return freebsd_start(t0, every);
	if (!strcmp(line, "acks"))
		return freebsd_trace_acks();
	if (sscanf(line, "flow %u %u %d", &id, &end, &fd) == 3)
		return freebsd_sample(id, end, fd);
	if (sscanf(line, "release %u %u", &id, &end) == 2)
		return freebsd_release(id, end);
	return of_host(line, reply);
}

/* The caller's connection. */
static ssize_t transfer(int fd, bool sends, u64 bytes)
{
	struct socket *sock;
	struct freebsd_sock *s = socket_of_fd(fd, &sock);
	ssize_t done;

	if (IS_ERR(s))
		return PTR_ERR(s);
	done = sends ? freebsd_send(s, bytes) : freebsd_discard(s);
	sockfd_put(sock);
	return done;
}

static ssize_t control_write(struct file *file, const char __user *user, size_t length, loff_t *pos)
{
	char line[LONGEST] = { 0 };
	u64 bytes;
	int fd, err;

	if (length >= sizeof(line) || copy_from_user(line, user, length))
		return -EINVAL;
	if (sscanf(line, "send %d %llu", &fd, &bytes) == 2)
		return transfer(fd, true, bytes);
	if (sscanf(line, "discard %d", &fd) == 1)
		return transfer(fd, false, 0) ?: length;
	mutex_lock(&controlling);
	err = command(line, file->private_data);
	mutex_unlock(&controlling);
	return err ?: length;
}

static ssize_t control_read(struct file *file, char __user *user, size_t length, loff_t *pos)
{
	char *reply = file->private_data;
	ssize_t n = simple_read_from_buffer(user, length, &(loff_t){ 0 }, reply, strlen(reply));

	reply[0] = 0;
	return n;
}

static int control_open(struct inode *inode, struct file *file)
{
	file->private_data = kzalloc(LONGEST, GFP_KERNEL);
	return file->private_data ? 0 : -ENOMEM;
}

static int control_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

static const struct proc_ops control_ops = {
	.proc_open = control_open,
	.proc_read = control_read,
	.proc_write = control_write,
	.proc_release = control_release,
	.proc_lseek = noop_llseek,
};

static int __init freebsd_init(void)
{
	int err = register_family();

	return err ?: proc_create("goodput/freebsd", 0600, NULL, &control_ops) ? 0 : -ENOMEM;
}
late_initcall(freebsd_init);
