/* SPDX-License-Identifier: BSD-2-Clause */
/* There are no files. */
extern u_int vn_lock_pair_pause_max;
