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
#include <sys/sx.h>
#include <vm/uma.h>
#include <vm/uma_int.h>
#include <vm/vm.h>
#include <vm/vm_extern.h>
#include <machine/stdarg.h>

#include "inside.h"

const struct bsd_services *services;

/* ---- what the glue of the tree asks for ---- */

struct sx proctree_lock;
struct pcpu *pcpup;
struct uma_page_head *uma_page_slab_hash;
int uma_page_mask;
long physmem;

void *
ff_malloc(uint64_t bytes)
{
	return (services->allocate(bytes));
}

void *
ff_realloc(void *memory, uint64_t bytes)
{
	return (services->resize(memory, bytes));
}

void
ff_free(void *memory)
{
	services->release(memory);
}

void *
ff_mmap(void *where, uint64_t bytes, int protection, int flags, int fd, uint64_t offset)
{
	return (services->pages(bytes));
}

int
ff_munmap(void *pages, uint64_t bytes)
{
	services->release_pages(pages, bytes);
	return (0);
}

void
ff_arc4rand(void *memory, unsigned bytes, int reseed)
{
	unsigned char *byte = memory;

	while (bytes--)
		*byte++ = services->random();
}

uint32_t
ff_arc4random(void)
{
	return (services->random());
}

/* Tunables. Memory for mbufs and buffers is never the limit, and a host's tables are small. */
static const char *const tunables[][2] = {
	{ "kern.hz", __XSTRING(HZ) },
	{ "kern.ipc.nmbclusters", "1000000" },
	{ "net.inet.tcp.tcbhashsize", "512" },
	{ "net.inet.tcp.hostcache.hashsize", "512" },
	{ "net.inet.tcp.syncache.hashsize", "512" },
};

char *
ff_getenv(const char *name)
{
	for (int i = 0; i < nitems(tunables); i++)
		if (strcmp(tunables[i][0], name) == 0)
			return (__DECONST(char *, tunables[i][1]));
	return (NULL);
}

int
ff_setenv(const char *name, const char *value)
{
	return (0);
}

int
ff_log(uint32_t level, uint32_t type, const char *format, ...)
{
	return (0);
}

/* Receive side scaling: there is one processor. */
int
ff_in_pcbladdr(uint16_t family, void *foreign, uint16_t port, void *local)
{
	return (-1);
}

int
ff_rss_check(void *softc, uint32_t source, uint32_t target, uint16_t from, uint16_t to)
{
	return (1);
}

int
ff_rss_tbl_set_portrange(uint16_t first, uint16_t last)
{
	return (-1);
}

int
ff_rss_tbl_get_portrange(uint32_t source, uint32_t target, uint16_t port, uint16_t *first, uint16_t *last,
    uint16_t **ports)
{
	return (-1);
}

int
prison_owns_vnet(struct ucred *cred)
{
	return (1);
}

/* ---- what Linux lacks of the C library ---- */

u_long
random(void)
{
	return (services->random() >> 33);
}

unsigned int
rand_r(unsigned int *seed)
{
	return (services->random() >> 33);
}

long
strtol(const char *text, char **end, int base)
{
	long value = 0;
	int digit, negative;

	while (*text == ' ' || *text == '\t')
		text++;
	negative = *text == '-';
	if (*text == '-' || *text == '+')
		text++;
	if ((base == 0 || base == 16) && text[0] == '0' && (text[1] | 0x20) == 'x') {
		text += 2;
		base = 16;
	}
	if (base == 0)
		base = *text == '0' ? 8 : 10;
	for (;; text++) {
		if (*text >= '0' && *text <= '9')
			digit = *text - '0';
		else if ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z')
			digit = (*text | 0x20) - 'a' + 10;
		else
			break;
		if (digit >= base)
			break;
		value = value * base + digit;
	}
	if (end)
		*end = __DECONST(char *, text);
	return (negative ? -value : value);
}

quad_t
strtoq(const char *text, char **end, int base)
{
	return (strtol(text, end, base));
}

char *
strncpy(char *to, const char *from, size_t length)
{
	size_t i;

	for (i = 0; i < length && from[i]; i++)
		to[i] = from[i];
	for (; i < length; i++)
		to[i] = 0;
	return (to);
}

char *
strdup(const char *text, struct malloc_type *type)
{
	size_t length = strlen(text) + 1;

	return (memcpy(malloc(length, type, M_WAITOK), text, length));
}

int
asprintf(char **text, struct malloc_type *type, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	*text = malloc(256, type, M_WAITOK);
	length = vsnprintf(*text, 256, format, arguments);
	va_end(arguments);
	return (length);
}

char *
inet_ntop(int family, const void *address, char *text, socklen_t length)
{
	const unsigned char *byte = address;

	snprintf(text, length, "%d.%d.%d.%d", byte[0], byte[1], byte[2], byte[3]);
	return (text);
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

extern cpuset_t all_cpus;
void ff_init_thread0(void);
void mi_startup(void);
void mutex_init(void);
void uma_startup1(vm_offset_t memory);
void uma_startup2(void);

#define SLABS	8192	/* buckets of the hash from a page to its slab */

void
boot(const struct bsd_services *given)
{
	services = given;
	physmem = 1 << 20;	/* pages; sizes limits alone */
	pcpup = malloc(sizeof(struct pcpu), M_DEVBUF, M_ZERO);
	pcpu_init(pcpup, 0, sizeof(struct pcpu));
	PCPU_SET(prvspace, pcpup);
	CPU_SET(0, &all_cpus);
	ff_init_thread0();
	uma_startup1((vm_offset_t)kmem_malloc(16 * PAGE_SIZE, M_ZERO));
	uma_startup2();
	uma_page_slab_hash = (struct uma_page_head *)kmem_malloc(sizeof(struct uma_page) * SLABS, M_ZERO);
	uma_page_mask = SLABS - 1;
	mutex_init();
	mi_startup();
	sx_init(&proctree_lock, "proctree");
	thread0.td_limit = thread0.td_proc->p_limit;
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
