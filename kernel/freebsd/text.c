/* SPDX-License-Identifier: BSD-2-Clause */
/* printf(9), what Linux lacks of the C library, and the loader's tunables. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/libkern.h>
#include <sys/limits.h>
#include <sys/sbuf.h>
#include <sys/socket.h>
#include <machine/stdarg.h>

#include "inside.h"

/* Where the tree takes the compiler's, other files still call them. */
#undef strcpy
#undef strcmp
#undef strlen

/* ---- printf(9) ---- */

struct sink {
	void (*put)(int c, void *to);	/* NULL: `to` is text */
	void *to;
	size_t room;	/* in the text, with its end */
	int count;
};

static void
put(struct sink *sink, int c)
{
	if (sink->put != NULL) {
		sink->put(c, sink->to);
	} else if (sink->count + 1 < sink->room) {
		((char *)sink->to)[sink->count] = c;
	}
	sink->count++;
}

static bool
is_digit(char c)
{
	return (c >= '0' && c <= '9');
}

struct field {
	bool left, sign, hash;
	int pad, width, precision;	/* -1: none */
};

static void
put_padded(struct sink *sink, const struct field *field, const char *prefix, const char *text, int length)
{
	int zeros = 0, blanks, before = strlen(prefix);

	if (field->pad == '0' && !field->left)
		zeros = field->width - length - before;
	blanks = field->width - length - before - MAX(zeros, 0);
	for (; !field->left && blanks > 0; blanks--)
		put(sink, ' ');
	while (*prefix)
		put(sink, *prefix++);
	while (zeros-- > 0)
		put(sink, '0');
	while (length-- > 0)
		put(sink, *text++);
	for (; blanks > 0; blanks--)
		put(sink, ' ');
}

static void
put_number(struct sink *sink, const struct field *field, uintmax_t number, int base, bool negative, bool upper)
{
	const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	const char *prefix = negative ? "-" : field->sign ? "+" : field->hash && base == 16 && number != 0 ? "0x" : "";
	char text[72], *at = text + sizeof(text);

	do
		*--at = digits[number % base];
	while ((number /= base) != 0);
	while (text + sizeof(text) - at < field->precision)
		*--at = '0';
	put_padded(sink, field, prefix, at, text + sizeof(text) - at);
}

/* An argument of a width's letters: hh, h, none, l (also q, ll, j, t, z). */
#define SIGNED(wide, ap)	((wide) > 0 ? va_arg(ap, intmax_t) : (wide) == 0 ? va_arg(ap, int) : \
	(wide) == -1 ? (short)va_arg(ap, int) : (signed char)va_arg(ap, int))
#define UNSIGNED(wide, ap)	((wide) > 0 ? va_arg(ap, uintmax_t) : (wide) == 0 ? va_arg(ap, u_int) : \
	(wide) == -1 ? (u_short)va_arg(ap, int) : (u_char)va_arg(ap, int))

static const char *
put_conversion(struct sink *sink, const char *format, va_list *arguments, int radix)
{
	struct field field = { .pad = ' ', .precision = -1 };
	intmax_t number;
	const u_char *bytes;
	const char *text;
	int wide = 0;
	char c;

	for (;; format++) {
		switch (c = *format) {
		case '-':
			field.left = true;
			continue;
		case '+':
			field.sign = true;
			continue;
		case '#':
			field.hash = true;
			continue;
		case '0':
			field.pad = '0';
			continue;
		case ' ':
			continue;
		}
		break;
	}
	if (*format == '*') {
		field.width = va_arg(*arguments, int);
		format++;
	}
	while (is_digit(*format))
		field.width = field.width * 10 + *format++ - '0';
	if (*format == '.') {
		field.precision = 0;
		if (*++format == '*') {
			field.precision = va_arg(*arguments, int);
			format++;
		}
		while (is_digit(*format))
			field.precision = field.precision * 10 + *format++ - '0';
	}
	for (; *format == 'h' || *format == 'l' || *format == 'q' || *format == 'j' || *format == 't' || *format == 'z'; format++)
		wide += *format == 'h' ? -1 : 1;
	switch (c = *format) {
	case 0:
		return (format);
	case 'd':
	case 'i':
		number = SIGNED(wide, *arguments);
		put_number(sink, &field, number < 0 ? -(uintmax_t)number : number, 10, number < 0, false);
		break;
	case 'u':
		put_number(sink, &field, UNSIGNED(wide, *arguments), 10, false, false);
		break;
	case 'o':
		put_number(sink, &field, UNSIGNED(wide, *arguments), 8, false, false);
		break;
	case 'x':
	case 'X':
		put_number(sink, &field, UNSIGNED(wide, *arguments), 16, false, c == 'X');
		break;
	case 'r':
		put_number(sink, &field, UNSIGNED(wide, *arguments), radix, false, false);
		break;
	case 'p':
		field.hash = true;
		put_number(sink, &field, (uintptr_t)va_arg(*arguments, void *), 16, false, false);
		break;
	case 'c':
		c = va_arg(*arguments, int);
		put_padded(sink, &field, "", &c, 1);
		break;
	case 's':
		text = va_arg(*arguments, const char *);
		if (text == NULL)
			text = "(null)";
		put_padded(sink, &field, "", text, field.precision < 0 ? strlen(text) : strnlen(text, field.precision));
		break;
	case 'D':	/* so many bytes, in hexadecimal, and what is between them */
		bytes = va_arg(*arguments, const u_char *);
		text = va_arg(*arguments, const char *);
		for (int i = 0; i < field.width; i++) {
			if (i > 0)
				put_padded(sink, &(struct field){ 0 }, "", text, strlen(text));
			put_number(sink, &(struct field){ .precision = 2 }, bytes[i], 16, false, false);
		}
		break;
	default:
		put(sink, c);
	}
	return (format + 1);
}

int
kvprintf(const char *format, void (*to_put)(int, void *), void *to, int radix, va_list given)
{
	struct sink sink = { .put = to_put, .to = to, .room = to_put == NULL ? SIZE_MAX : 0 };
	va_list arguments;

	va_copy(arguments, given);
	while (*format != 0)
		if (*format == '%')
			format = put_conversion(&sink, format + 1, &arguments, radix);
		else
			put(&sink, *format++);
	va_end(arguments);
	return (sink.count);
}

int
vsnprintf(char *text, size_t room, const char *format, va_list given)
{
	struct sink sink = { .to = text, .room = room };
	va_list arguments;

	va_copy(arguments, given);
	while (*format != 0)
		if (*format == '%')
			format = put_conversion(&sink, format + 1, &arguments, 10);
		else
			put(&sink, *format++);
	va_end(arguments);
	if (room > 0)
		text[MIN(sink.count, room - 1)] = 0;
	return (sink.count);
}

int
snprintf(char *text, size_t room, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, room, format, arguments);
	va_end(arguments);
	return (length);
}

int
sprintf(char *text, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, INT_MAX, format, arguments);
	va_end(arguments);
	return (length);
}

static void
say(const char *format, va_list arguments)
{
	char text[256];

	vsnprintf(text, sizeof(text), format, arguments);
	services->log(text);
}

int
printf(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	return (0);
}

void
vlog(int level, const char *format, va_list arguments)
{
	say(format, arguments);
}

void
log(int level, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

void
panic(const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	services->panic(text);
	for (;;)
		;
}

int
sbuf_printf_drain(void *arg, const char *data, int length)
{
	printf("%.*s", length, data);
	return (length);
}

/* ---- strings ---- */

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
strcpy(char *to, const char *from)
{
	return (memcpy(to, from, strlen(from) + 1));
}

char *
strcat(char *to, const char *from)
{
	strcpy(to + strlen(to), from);
	return (to);
}

int
strncmp(const char *a, const char *b, size_t length)
{
	for (; length > 0; length--, a++, b++)
		if (*a != *b || *a == 0)
			return ((u_char)*a - (u_char)*b);
	return (0);
}

char *
strsep(char **text, const char *separators)
{
	char *token = *text, *at;
	const char *one;

	if (token == NULL)
		return (NULL);
	for (at = token; *at != 0; at++)
		for (one = separators; *one != 0; one++)
			if (*at == *one) {
				*at = 0;
				*text = at + 1;
				return (token);
			}
	*text = NULL;
	return (token);
}

char *
inet_ntop(int family, const void *address, char *text, socklen_t length)
{
	const unsigned char *byte = address;

	snprintf(text, length, "%d.%d.%d.%d", byte[0], byte[1], byte[2], byte[3]);
	return (text);
}

/* ---- tunables: memory for mbufs and buffers is never the limit, and a host's tables are small ---- */

static const char *const tunables[][2] = {
	{ "kern.hz", __XSTRING(HZ) },
	{ "kern.ipc.nmbclusters", "1000000" },
	{ "net.inet.tcp.tcbhashsize", "512" },
	{ "net.inet.tcp.hostcache.hashsize", "512" },
	{ "net.inet.tcp.syncache.hashsize", "512" },
};

char *
kern_getenv(const char *name)
{
	for (int i = 0; i < nitems(tunables); i++)
		if (strcmp(tunables[i][0], name) == 0)
			return (__DECONST(char *, tunables[i][1]));
	return (NULL);
}

int
testenv(const char *name)
{
	return (kern_getenv(name) != NULL);
}

void
freeenv(char *value)
{
}

/* 1 if there is one. */
#define TUNABLE(name, type) \
int \
getenv_ ## name(const char *tunable, type *value) \
{ \
	const char *text = kern_getenv(tunable); \
\
	if (text != NULL) \
		*value = strtol(text, NULL, 0); \
	return (text != NULL); \
}
TUNABLE(int, int)
TUNABLE(long, long)
TUNABLE(ulong, unsigned long)
TUNABLE(quad, quad_t)

int
getenv_string(const char *tunable, char *text, int room)
{
	const char *value = kern_getenv(tunable);

	if (value != NULL)
		strlcpy(text, value, room);
	return (value != NULL);
}

int
getenv_array(const char *tunable, void *data, int size, int *bytes, int width, bool is_signed)
{
	return (0);
}

void
tunable_int_init(void *given)
{
	struct tunable_int *tunable = given;

	getenv_int(tunable->path, tunable->var);
}
