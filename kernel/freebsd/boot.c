/* SPDX-License-Identifier: BSD-2-Clause */
/* How FreeBSD's stack comes up, the services it gets, and the table of calls. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/cpuset.h>
#include <sys/jail.h>
#include <sys/kernel.h>
#include <sys/linker.h>
#include <sys/linker_set.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/module.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/smp.h>
#include <sys/socket.h>

#include "inside.h"

const struct bsd_services *services;

/* ---- random numbers ---- */

void
arc4rand(void *memory, u_int bytes, int reseed)
{
	unsigned char *byte = memory;

	while (bytes--)
		*byte++ = services->random();
}

uint32_t
arc4random(void)
{
	return (services->random());
}

u_long
random(void)
{
	return (services->random() >> 33);
}

/* ---- modules: all are linked in ---- */

SET_DECLARE(modmetadata_set, struct mod_metadata);

static void
register_modules(void *unused)
{
	struct mod_metadata **data;

	SET_FOREACH(data, modmetadata_set)
		if ((*data)->md_type == MDT_MODULE)
			module_register((moduledata_t *)(*data)->md_data, NULL);
}
SYSINIT(linked_modules, SI_SUB_KLD, SI_ORDER_SECOND, register_modules, NULL);

/* ---- boot ---- */

SET_DECLARE(sysinit_set, struct sysinit);

static bool
is_earlier(const struct sysinit *a, const struct sysinit *b)
{
	return (a->subsystem != b->subsystem ? a->subsystem < b->subsystem : a->order < b->order);
}

/* What initializes itself (SYSINIT(9)), in its order; of what is to come at once, the first linked comes first. */
static void
initialize(void)
{
	size_t count = SET_LIMIT(sysinit_set) - SET_BEGIN(sysinit_set);
	struct sysinit **all = SET_BEGIN(sysinit_set), *it;

	for (size_t i = 1, at; i < count; i++) {
		it = all[i];
		for (at = i; at > 0 && is_earlier(it, all[at - 1]); at--)
			all[at] = all[at - 1];
		all[at] = it;
	}
	for (size_t i = 0; i < count; i++)
		if (all[i]->subsystem != SI_SUB_DUMMY)
			all[i]->func(all[i]->udata);
}

void
boot(const struct bsd_services *given)
{
	const int now = ticks;

	services = given;
	pcpu_init(&processor, 0, sizeof(processor));
	CPU_SET(0, &all_cpus);
	make_thread();
	init_param1();
	init_param2(physmem);
	ticks = now;
	initialize();
	cold = 0;
}

const struct bsd_calls bsd_stack = {
	.boot = boot,
	.clock = time_set,
	.next = time_next,
	.run = time_run,
	.settle = time_settle,
	.host = make_host,
	.port = make_port,
	.offloads = set_offloads,
	.address = add_address,
	.neighbour = add_neighbour,
	.route = add_route,
	.sysctl = set_sysctl,
	.sysctl_text = sysctl_text,
	.receive = receive,
	.received = received,
	.socket = make_socket,
	.set_congestion = set_congestion,
	.set_buffer = set_buffer,
	.set_mss = set_mss,
	.bind = bind_socket,
	.listen = listen_socket,
	.accept = accept_socket,
	.connect = connect_socket,
	.send_zeros = send_zeros,
	.discard = discard,
	.send_datagram = send_datagram,
	.receive_datagram = receive_datagram,
	.shutdown = shutdown_socket,
	.close = close_socket,
	.status = socket_status,
	.sample = sample_socket,
	.trace_acks = trace_acks,
};
