// SPDX-License-Identifier: GPL-2.0
/* What a device draws hangs on the guest's seed and its name alone. */
#include <linux/init.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/string.h>

#include "goodput.h"

static siphash_key_t seed;

u64 goodput_seed(const char *device)
{
	return siphash(device, strlen(device), &seed);
}

void draw_seed(void)
{
	get_random_bytes(&seed, sizeof(seed));
}
