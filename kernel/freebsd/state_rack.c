/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/sysctl.h>
#include <sys/tim_filter.h>
#include <sys/tree.h>
#include <netinet/in.h>
#include <netinet/in_pcb.h>
#include <netinet/tcp.h>
#include <netinet/tcp_var.h>
#include <netinet/tcp_hpts.h>
#include <netinet/cc/cc.h>
#include <netinet/cc/cc_newreno.h>
#if __has_include(<netinet/tcp_stacks/tcp_rack.h>)
#include <netinet/tcp_stacks/sack_filter.h>
#include <netinet/tcp_stacks/tcp_rack.h>
#endif

#include "inside.h"
#include "state_tcp_rack.h"

void
state_of_rack(void *rack, struct bsd_state *state)
{
	take_tcp_rack(state, rack);
	if (state->rack_reordered != -1)
		state->rack_reordered = state->rack_reordered != 0;
}
