/* SPDX-License-Identifier: BSD-2-Clause */
#define INET		1
#define TCP_HHOOK	1
