/* SPDX-License-Identifier: BSD-2-Clause */
/* IPv4 only. */
