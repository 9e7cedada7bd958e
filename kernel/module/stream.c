// SPDX-License-Identifier: GPL-2.0
/*
 * The recording: frames, as crates/wire/src/frame.rs describes them, on their way to
 * the host. Nothing here reads the clock with interrupts on: in time-travel
 * mode that would cost virtual time, and the measurement would change what it
 * measures.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/string.h>

#include <os.h>

#include "goodput.h"

#define HOST_STREAM	1

struct header {
	u32 kind;
	u32 length;
} __packed;

u64 origin;
bool over;

static u8 stream[64 << 10];
static size_t pending;
static u64 flushed;

u64 monotonic(void)
{
	unsigned long flags;
	u64 t;

	local_irq_save(flags);
	t = ktime_get_ns();
	local_irq_restore(flags);
	return t;
}

u64 stamp(void)
{
	u64 t = monotonic();

	return t > origin ? t - origin : 0;
}

void to_host(const void *data, size_t length)
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

void flush(void)
{
	unsigned long flags;

	local_irq_save(flags);
	to_host(stream, pending);
	pending = 0;
	flushed = ktime_get_ns();
	local_irq_restore(flags);
}

void flush_if_due(u64 t)
{
	if (pending > sizeof(stream) / 2 || t >= flushed + NSEC_PER_SEC / 10)
		flush();
}

void emit(u32 kind, const void *payload, size_t length)
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
