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
 *	/proc/goodput/course	write: what a line follows over time (course.c)
 *
 *	seal			mount no more of the host's files
 *	flow ID END FD		sample the caller's socket FD; END 0 sends, 1 receives
 *	program ID END		count what a flow's program sends and receives in the
 *				caller's network namespace
 *	release ID END		sample it once more, and no longer
 *	tunnel ID END FD	sample the connection that carries a tunnel, at one of its ends
 *	end-tunnels		reset these connections: nothing more is sent
 *	leave ID BYTES		the slow start of a flow's sender ends at a cwnd of so many bytes
 *	queue ID DEVICE HOOK	sample a qdisc of a device in the caller's network
 *				namespace; HOOK is root or clsact
 *	trace acks|drops	a frame for each ACK at a sender; for each dropped packet
 *	flows PORT COUNT	so many flows listen from that port on: before queues, to
 *				count how long packets of each wait there
 *	rate DEVICE BPS BYTES	a line that tc has made sends so many bits per second, with
 *				so many bytes beside each frame
 *	nic DEVICE BPS BYTES	the same for the interface of a host
 *	delay DEVICE NS		what it sends arrives so much later
 *	options DEVICE T:W:V …	attributes of its queue: type, bytes, value (TCA_OPTIONS)
 *	lead DEVICE NEXT	what arrives at a device leaves by the next
 *	carrier DEVICE 0|1	a device loses its carrier, or has it again
 *	pool ID BYTES		make a pool of packet memory
 *	join ID DEVICE		put the queue of a device in the caller's network
 *				namespace into a pool
 *	coalesce DEVICE NS	a device delivers every NS ns what it receives; its GRO
 *				must be on and the device up, and must stay so
 *	lro DEVICE		what a device's GRO has merged stays one packet
 *	start T0 INTERVAL	sample every INTERVAL ns from T0 on (CLOCK_MONOTONIC, ns)
 *	stop			one last sample of the queues, and no more frames
 *	send FD BYTES		zeros, on the caller's connection FD: blocks and returns as
 *				sendmsg() does
 *	discard FD		all that arrives, until the peer has closed
 */
#include <linux/if.h>
#include <linux/mm.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>

#include <os.h>

#include "goodput.h"

#define HOST_JOB	0
#define PROTOCOL	7
#define EMIT_MAX	(4 << 20)
#define COMMAND_MAX	256	/* bytes of a command */

struct hello {
	u32 protocol;
	u32 hz;
	char release[64];
} __packed;

static int command(char *line)
{
	char word[16], device[IFNAMSIZ], hook[IFNAMSIZ];
	u64 t0, every, amount;
	u32 id, end;
	int fd, length = 0;

	if (!strncmp(line, "seal", 4)) {
		hostfs_sealed = true;
		return 0;
	}
	if (sscanf(line, "flow %u %u %d", &id, &end, &fd) == 3)
		return add_flow(id, end, fd);
	if (sscanf(line, "program %u %u", &id, &end) == 2)
		return add_program(id, end);
	if (sscanf(line, "release %u %u", &id, &end) == 2)
		return release_flow(id, end);
	if (!strncmp(line, "end-tunnels", 11))
		return end_tunnels();
	if (sscanf(line, "tunnel %u %u %d", &id, &end, &fd) == 3)
		return add_tunnel(id, end, fd);
	if (sscanf(line, "leave %u %llu", &id, &amount) == 2)
		return leave_slow_start(id, amount);
	if (sscanf(line, "queue %u %15s %15s", &id, device, hook) == 3)
		return add_queue(id, device, hook);
	if (sscanf(line, "rate %15s %llu %u", device, &amount, &end) == 3)
		return set_rate(device, amount, end, false);
	if (sscanf(line, "nic %15s %llu %u", device, &amount, &end) == 3)
		return set_rate(device, amount, end, true);
	if (sscanf(line, "delay %15s %llu", device, &amount) == 2)
		return set_delay(device, amount);
	if (sscanf(line, "options %15s %n", device, &length) == 1)
		return set_options(device, line + length);
	if (sscanf(line, "lead %15s %15s", device, hook) == 2)
		return pass_on_to(device, hook);
	if (sscanf(line, "carrier %15s %u", device, &id) == 2)
		return set_carrier(device, id);
	if (sscanf(line, "pool %u %llu", &id, &amount) == 2)
		return add_pool(id, amount);
	if (sscanf(line, "join %u %15s", &id, device) == 2)
		return join_pool(id, device);
	if (sscanf(line, "coalesce %15s %llu", device, &amount) == 2)
		return moderate(device, amount);
	if (sscanf(line, "lro %15s", device) == 1)
		return merge_for_good(device);
	if (sscanf(line, "start %llu %llu", &t0, &every) == 2)
		return start_sampling(t0, every);
	if (sscanf(line, "trace %15s", word) == 1 && !strcmp(word, "acks"))
		return trace_acks();
	if (sscanf(line, "trace %15s", word) == 1 && !strcmp(word, "drops"))
		return trace_drops();
	if (sscanf(line, "flows %u %u", &id, &end) == 2)
		return tell_flows(id, end);
	if (!strncmp(line, "stop", 4))
		return stop_sampling();
	return -EINVAL;
}

static ssize_t control_write(struct file *file, const char __user *user, size_t length, loff_t *pos)
{
	char line[COMMAND_MAX] = { 0 };
	u64 bytes;
	int fd, err;

	if (length >= sizeof(line) || copy_from_user(line, user, length))
		return -EINVAL;
	if (sscanf(line, "send %d %llu", &fd, &bytes) == 2)
		return send_zeros(fd, bytes);
	if (sscanf(line, "discard %d", &fd) == 1)
		return discard(fd) ?: length;
	mutex_lock(&sampling);
	err = command(line);
	mutex_unlock(&sampling);
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

static ssize_t course_write(struct file *file, const char __user *user, size_t length, loff_t *pos)
{
	struct course_head head;
	struct course *course = read_course(user, length, &head);
	int err;

	if (IS_ERR(course))
		return PTR_ERR(course);
	err = set_course(head.device, course, head.follows, head.keeps);
	return err ?: length;
}

static const struct proc_ops control_ops = { .proc_write = control_write, .proc_lseek = noop_llseek };
static const struct proc_ops course_ops = { .proc_write = course_write, .proc_lseek = noop_llseek };
static const struct proc_ops emit_ops = { .proc_write = emit_write, .proc_lseek = noop_llseek };
static const struct proc_ops job_ops = { .proc_read = job_read, .proc_lseek = noop_llseek };

static int __init goodput_init(void)
{
	struct hello hello = { .protocol = PROTOCOL, .hz = HZ };
	struct proc_dir_entry *dir = proc_mkdir("goodput", NULL);

	if (!dir || !proc_create("control", 0200, dir, &control_ops) ||
	    !proc_create("course", 0200, dir, &course_ops) || !proc_create("emit", 0200, dir, &emit_ops) ||
	    !proc_create("job", 0400, dir, &job_ops))
		return -ENOMEM;
	draw_seed();
	strscpy(hello.release, init_utsname()->release, sizeof(hello.release));
	emit(HELLO, &hello, sizeof(hello));
	return register_line();
}
late_initcall(goodput_init);
