/* SPDX-License-Identifier: BSD-2-Clause */
#define MAXUSERS	1
