// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of ../freebsd.h for goodput/tests/congestion.rs: each line of the input is a name and four numbers,
 * 0 for those that the function does not take; each line of the output is the value.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../freebsd.h"

typedef long long number;

struct function {
	const char *name;
	number (*of)(const number *a);
};

static number abc_full_of(const number *a)
{
	u32 counted = a[0];
	bool full = abc_full(&counted, a[1], a[2]);

	return full ? -1 - (number)counted : counted;
}

static number epoch_age_of(const number *a)
{
	u32 epoch = a[1];
	s32 age = epoch_age(a[0], &epoch);

	return a[2] ? (number)epoch : age;
}

#define FUNCTION(name, ...) \
	static number name##_of(const number *a) { return name(__VA_ARGS__); }
FUNCTION(share, a[0], a[1])
FUNCTION(slow_start, a[0], a[1], a[2])
FUNCTION(newreno_decrease, a[0], a[1])
FUNCTION(timeout_ssthresh, a[0], a[1], a[2], a[3])
FUNCTION(refill, a[0], a[1])
FUNCTION(rtt_ticks, a[0], a[1])
FUNCTION(srtt_next, a[0], a[1])
FUNCTION(srtt_us, a[0])
FUNCTION(cube_root, a[0])
FUNCTION(cubic_k_pre, a[0])
FUNCTION(cubic_k, a[0], a[1])
FUNCTION(cubic_window, a[0], a[1], a[2], a[3])
FUNCTION(cubic_reno_pre, a[0], a[1], a[2], a[3])
FUNCTION(cubic_step, a[0], a[1], a[2])
FUNCTION(cubic_w_max, a[0], a[1])
FUNCTION(cubic_ssthresh, a[0])
FUNCTION(htcp_alpha, a[0], a[1])

#define ROW(name) { #name, name##_of }
static const struct function functions[] = {
	ROW(abc_full), ROW(cube_root), ROW(cubic_k), ROW(cubic_k_pre), ROW(cubic_reno_pre), ROW(cubic_ssthresh),
	ROW(cubic_step), ROW(cubic_w_max), ROW(cubic_window), ROW(epoch_age), ROW(htcp_alpha), ROW(newreno_decrease),
	ROW(refill), ROW(rtt_ticks), ROW(share), ROW(slow_start), ROW(srtt_next), ROW(srtt_us), ROW(timeout_ssthresh),
};

int main(void)
{
	char name[32];
	number a[4];

	while (scanf("%31s %lld %lld %lld %lld", name, &a[0], &a[1], &a[2], &a[3]) == 5) {
		size_t n = 0, all = sizeof(functions) / sizeof(functions[0]);

		while (n < all && strcmp(functions[n].name, name))
			n++;
		if (n == all)
			return EXIT_FAILURE;
		printf("%lld\n", functions[n].of(a));
	}
	return ferror(stdin) || !feof(stdin) ? EXIT_FAILURE : EXIT_SUCCESS;
}
