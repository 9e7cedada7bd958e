/* SPDX-License-Identifier: BSD-2-Clause */
/* sysctl(9) by name and text. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include "inside.h"

union value {
	int8_t s8;
	uint8_t u8;
	int16_t s16;
	uint16_t u16;
	int32_t s32;
	uint32_t u32;
	int64_t s64;
	uint64_t u64;
	char text[256];
};

static int
ask(int *oid, unsigned int length, void *old, size_t *room, const void *new, size_t size)
{
	return (kernel_sysctl(curthread, oid, length, old, room, __DECONST(void *, new), size, room, 0));
}

/* The oid of a name, how long it is, and its kind: type and flags. */
static int
look_up(const char *name, int *oid, unsigned int *length, unsigned int *kind)
{
	int name2oid[] = { CTL_SYSCTL, CTL_SYSCTL_NAME2OID };
	int format[CTL_MAXNAME + 2] = { CTL_SYSCTL, CTL_SYSCTL_OIDFMT };
	char told[128];
	size_t bytes = CTL_MAXNAME * sizeof(int);
	int error;

	error = ask(name2oid, 2, oid, &bytes, name, strlen(name));
	if (error)
		return (error);
	*length = bytes / sizeof(int);
	bcopy(oid, format + 2, bytes);
	bytes = sizeof(told);
	error = ask(format, *length + 2, told, &bytes, NULL, 0);
	if (error == 0)
		bcopy(told, kind, sizeof(*kind));
	return (error);
}

/* What the type takes; its size, 0 if it is no value or the text is not one of the type. */
static size_t
parse(unsigned int kind, const char *text, union value *value)
{
	char *end;
	int64_t number = strtol(text, &end, 0);

	if ((kind & CTLTYPE) == CTLTYPE_STRING)
		return (strlcpy(value->text, text, sizeof(value->text)));
	if (end == text || *end != 0)
		return (0);
	switch (kind & CTLTYPE) {
	case CTLTYPE_S8:
	case CTLTYPE_U8:
		value->s8 = number;
		return (sizeof(value->s8));
	case CTLTYPE_S16:
	case CTLTYPE_U16:
		value->s16 = number;
		return (sizeof(value->s16));
	case CTLTYPE_INT:
	case CTLTYPE_UINT:
	case CTLTYPE_S32:
	case CTLTYPE_U32:
		value->s32 = number;
		return (sizeof(value->s32));
	case CTLTYPE_LONG:
	case CTLTYPE_ULONG:
	case CTLTYPE_S64:
	case CTLTYPE_U64:
		value->s64 = number;
		return (sizeof(value->s64));
	}
	return (0);
}

/* The stack of TCP that a host's sockets get, in place of the one that all would. */
#define FUNCTIONS	"net.inet.tcp.functions_default"

static int
set_functions(struct bsd_host *host, int *oid, unsigned int length, const char *name)
{
	char before[sizeof(host->functions)];
	size_t size = sizeof(before), none = 0;
	int error;

	error = ask(oid, length, before, &size, NULL, 0);
	if (error == 0)
		error = ask(oid, length, NULL, &none, name, strlen(name) + 1);
	if (error)
		return (error == ENOENT ? EINVAL : error);
	strlcpy(host->functions, name, sizeof(host->functions));
	return (ask(oid, length, NULL, &none, before, strlen(before) + 1));
}

int
set_sysctl(struct bsd_host *host, const char *name, const char *text)
{
	int oid[CTL_MAXNAME], error;
	unsigned int length, kind;
	union value value;
	size_t size, none = 0;

	ENTER(host);
	error = look_up(name, oid, &length, &kind);
	if (error == 0 && (kind & CTLFLAG_WR) == 0)
		error = EPERM;
	if (error == 0 && strcmp(name, FUNCTIONS) == 0) {
		error = set_functions(host, oid, length, text);
	} else if (error == 0) {
		size = parse(kind, text, &value);
		error = size == 0 ? EINVAL : ask(oid, length, NULL, &none, &value, size);
	}
	LEAVE();
	return (error);
}

int
sysctl_text(struct bsd_host *host, const char *name, char *text, unsigned long room)
{
	int oid[CTL_MAXNAME], error;
	unsigned int length, kind;
	union value value = { 0 };
	size_t size = sizeof(value);

	if (strcmp(name, FUNCTIONS) == 0 && host->functions[0] != 0)
		return (strlcpy(text, host->functions, room) < room ? 0 : EINVAL);
	ENTER(host);
	error = look_up(name, oid, &length, &kind);
	if (error == 0)
		error = ask(oid, length, &value, &size, NULL, 0);
	LEAVE();
	if (error)
		return (error);
	switch (kind & CTLTYPE) {
	case CTLTYPE_S8:
		snprintf(text, room, "%d", value.s8);
		break;
	case CTLTYPE_U8:
		snprintf(text, room, "%u", value.u8);
		break;
	case CTLTYPE_S16:
		snprintf(text, room, "%d", value.s16);
		break;
	case CTLTYPE_U16:
		snprintf(text, room, "%u", value.u16);
		break;
	case CTLTYPE_INT:
	case CTLTYPE_S32:
		snprintf(text, room, "%d", value.s32);
		break;
	case CTLTYPE_UINT:
	case CTLTYPE_U32:
		snprintf(text, room, "%u", value.u32);
		break;
	case CTLTYPE_LONG:
	case CTLTYPE_S64:
		snprintf(text, room, "%ld", value.s64);
		break;
	case CTLTYPE_ULONG:
	case CTLTYPE_U64:
		snprintf(text, room, "%lu", value.u64);
		break;
	case CTLTYPE_STRING:
		value.text[sizeof(value.text) - 1] = 0;
		strlcpy(text, value.text, room);
		break;
	default:
		return (EINVAL);
	}
	return (0);
}
