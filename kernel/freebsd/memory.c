/* SPDX-License-Identifier: BSD-2-Clause */
/* malloc(9), text, uma(9) and hash tables over the host's memory. What a zone has had it keeps. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/queue.h>
#include <sys/sysctl.h>
#include <machine/stdarg.h>
#include <vm/uma.h>

#include "inside.h"

MALLOC_DEFINE(M_DEVBUF, "devbuf", "interfaces");
MALLOC_DEFINE(M_NVLIST, "nvlist", "lists of names and values");
MALLOC_DEFINE(M_TEMP, "temp", "what is used once");

/* ---- malloc(9) ---- */

void
malloc_init(void *type)
{
}

void
malloc_uninit(void *type)
{
}

#undef malloc

void *
malloc(size_t size, struct malloc_type *type, int flags)
{
	void *memory = services->allocate(size);

	if (memory == NULL && (flags & M_NOWAIT) == 0)
		panic("no memory for %zu bytes", size);
	if (memory != NULL && (flags & M_ZERO))
		memset(memory, 0, size);
	return (memory);
}

void *
mallocarray(size_t count, size_t size, struct malloc_type *type, int flags)
{
	return (malloc(count * size, type, flags));
}

void *
malloc_domainset(size_t size, struct malloc_type *type, struct domainset *domains, int flags)
{
	return (malloc(size, type, flags));
}

void *
realloc(void *memory, size_t size, struct malloc_type *type, int flags)
{
	return (services->resize(memory, size));
}

void
free(void *memory, struct malloc_type *type)
{
	services->release(memory);
}

/* ---- text in memory of its own ---- */

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

/* ---- uma(9): each zone has a stack of unused items, which keep what they were initialized with ---- */

#define PAGES	(64 * 1024)	/* that a zone gets at a time, bytes */

struct uma_zone {
	size_t size, room;	/* of an item; that it takes */
	uma_ctor ctor;
	uma_dtor dtor;
	uma_init init;
	uma_zone_t primary;	/* whose memory the items are; NULL: its own */
	char *next, *end;	/* of the last pages */
	void **unused;
	int height, capacity;	/* of the stack */
	int items, most;	/* with those that are not used; 0: no limit */
	uma_maxaction_t at_limit;
};

static int
zero(void *item, int size, int flags)
{
	memset(item, 0, size);
	return (0);
}

uma_zone_t
uma_zcreate(const char *name, size_t size, uma_ctor ctor, uma_dtor dtor, uma_init init, uma_fini fini, int align,
    uint32_t flags)
{
	uma_zone_t zone = malloc(sizeof(*zone), M_TEMP, M_WAITOK | M_ZERO);
	size_t boundary = align == UMA_ALIGN_CACHE ? CACHE_LINE_SIZE : MAX(align + 1, sizeof(void *));

	zone->size = size;
	zone->room = roundup(size, boundary);
	zone->ctor = ctor;
	zone->dtor = dtor;
	zone->init = (flags & UMA_ZONE_ZINIT) ? zero : init;
	return (zone);
}

uma_zone_t
uma_zsecond_create(const char *name, uma_ctor ctor, uma_dtor dtor, uma_init init, uma_fini fini, uma_zone_t primary)
{
	uma_zone_t zone = uma_zcreate(name, primary->size, ctor, dtor, init, fini, 0, 0);

	zone->primary = primary;
	return (zone);
}

/* Pages are aligned, and no item of more than one is asked to be on a larger boundary. */
static void *
carve(uma_zone_t zone)
{
	size_t bytes = roundup(MAX(PAGES, zone->room), PAGE_SIZE);
	void *item;

	if (zone->end - zone->next < zone->room) {
		zone->next = services->pages(bytes);
		if (zone->next == NULL) {
			zone->end = NULL;
			return (NULL);
		}
		zone->end = zone->next + bytes;
	}
	item = zone->next;
	zone->next += zone->room;
	return (item);
}

static void *
make_item(uma_zone_t zone, int flags)
{
	void *item;

	if (zone->most != 0 && zone->items >= zone->most) {
		if (zone->at_limit != NULL)
			zone->at_limit(zone, 0);
		return (NULL);
	}
	item = carve(zone->primary != NULL ? zone->primary : zone);
	if (item == NULL || (zone->init != NULL && zone->init(item, zone->size, flags) != 0))
		return (NULL);
	zone->items++;
	return (item);
}

static void
put_back(uma_zone_t zone, void *item)
{
	if (zone->height == zone->capacity) {
		zone->capacity = zone->capacity ? 2 * zone->capacity : 64;
		zone->unused = services->resize(zone->unused, zone->capacity * sizeof(void *));
	}
	zone->unused[zone->height++] = item;
}

void *
uma_zalloc_arg(uma_zone_t zone, void *arg, int flags)
{
	void *item = zone->height > 0 ? zone->unused[--zone->height] : make_item(zone, flags);

	if (item == NULL)
		return (NULL);
	if (flags & M_ZERO)
		memset(item, 0, zone->size);
	if (zone->ctor != NULL && zone->ctor(item, zone->size, arg, flags) != 0) {
		put_back(zone, item);
		return (NULL);
	}
	return (item);
}

void
uma_zfree_arg(uma_zone_t zone, void *item, void *arg)
{
	if (item == NULL)
		return;
	if (zone->dtor != NULL)
		zone->dtor(item, zone->size, arg);
	put_back(zone, item);
}

void *
uma_zalloc_pcpu_arg(uma_zone_t zone, void *arg, int flags)
{
	return (uma_zalloc_arg(zone, arg, flags));
}

void
uma_zfree_pcpu_arg(uma_zone_t zone, void *item, void *arg)
{
	uma_zfree_arg(zone, item, arg);
}

u_int
uma_get_cache_align_mask(void)
{
	return (CACHE_LINE_SIZE - 1);
}

/* What others may still read (smr(9)): none do. */
void *
uma_zalloc_smr(uma_zone_t zone, int flags)
{
	return (uma_zalloc_arg(zone, NULL, flags));
}

void
uma_zfree_smr(uma_zone_t zone, void *item)
{
	uma_zfree_arg(zone, item, NULL);
}

smr_t
uma_zone_get_smr(uma_zone_t zone)
{
	return (NULL);
}

void
uma_zone_set_smr(uma_zone_t zone, smr_t smr)
{
}

/* Only what is given up with its host; its pages are not found again. */
void
uma_zdestroy(uma_zone_t zone)
{
	free(zone->unused, M_TEMP);
	free(zone, M_TEMP);
}

void
uma_zone_reclaim(uma_zone_t zone, int how)
{
}

int
uma_zone_set_max(uma_zone_t zone, int most)
{
	return (zone->most = most);
}

int
uma_zone_get_max(uma_zone_t zone)
{
	return (zone->most);
}

int
uma_zone_get_cur(uma_zone_t zone)
{
	return (zone->items - zone->height);
}

int
uma_zone_exhausted(uma_zone_t zone)
{
	return (zone->most != 0 && zone->height == 0 && zone->items >= zone->most);
}

void
uma_zone_set_warning(uma_zone_t zone, const char *warning)
{
}

void
uma_zone_set_maxaction(uma_zone_t zone, uma_maxaction_t action)
{
	zone->at_limit = action;
}

int
sysctl_handle_uma_zone_cur(SYSCTL_HANDLER_ARGS)
{
	int used = uma_zone_get_cur(*(uma_zone_t *)arg1);

	return (sysctl_handle_int(oidp, &used, 0, req));
}

/* ---- hash tables ---- */

LIST_HEAD(bucket, entry);

static void *
buckets(u_long count, struct malloc_type *type)
{
	struct bucket *table = mallocarray(count, sizeof(*table), type, M_WAITOK);

	for (u_long i = 0; i < count; i++)
		LIST_INIT(&table[i]);
	return (table);
}

/* The largest power of two of no more than that; what makes an index of a hash. */
void *
hashinit(int elements, struct malloc_type *type, u_long *mask)
{
	u_long count = 1;

	while (2 * count <= elements)
		count *= 2;
	*mask = count - 1;
	return (buckets(count, type));
}

void
hashdestroy(void *table, struct malloc_type *type, u_long mask)
{
	free(table, type);
}

/* The largest prime of no more than that. */
void *
phashinit_flags(int elements, struct malloc_type *type, u_long *primes, int flags)
{
	u_long count = MAX(elements, 2);

	for (u_long by = 2; by * by <= count; by++)
		if (count % by == 0) {
			count--;
			by = 1;
		}
	*primes = count;
	return (buckets(count, type));
}
