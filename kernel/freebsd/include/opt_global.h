/* SPDX-License-Identifier: BSD-2-Clause */
/* What config(8) would write for all files. */
#define VIMAGE		1
#define DEV_RANDOM	1
#define NO_EVENTTIMERS	1
