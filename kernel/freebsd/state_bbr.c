/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/sysctl.h>
#include <sys/tim_filter.h>
#include <netinet/in.h>
#include <netinet/in_pcb.h>
#include <netinet/tcp.h>
#include <netinet/tcp_var.h>
#if __has_include(<netinet/tcp_stacks/tcp_bbr.h>)
#include <netinet/tcp_stacks/sack_filter.h>
#include <netinet/tcp_stacks/tcp_bbr.h>
#endif

#include "inside.h"
#include "state_tcp_bbr.h"

void
state_of_bbr(void *bbr, struct bsd_state *state)
{
	take_tcp_bbr(state, bbr);
}
