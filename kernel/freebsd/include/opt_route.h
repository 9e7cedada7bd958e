/* SPDX-License-Identifier: BSD-2-Clause */
#define ROUTETABLES	16
