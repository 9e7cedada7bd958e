/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of /proc/goodput/control that change what the guest's network does. */
#ifndef GOODPUT_H
#define GOODPUT_H

#include <linux/types.h>

/* pool.c */
int add_pool(u32 id, u64 bytes);
int join_pool(u32 id, const char *device);

/* receive.c */
int merge_for_good(const char *device);
int moderate(const char *device, u64 ns);

#endif
