/* SPDX-License-Identifier: BSD-2-Clause */
/* What a connection's congestion control and TCP stack keep for themselves. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/sysctl.h>
#include <netinet/in.h>
#include <netinet/in_pcb.h>
#include <netinet/tcp.h>
#include <netinet/tcp_var.h>
#include <netinet/cc/cc.h>

#include "inside.h"
#include "state_cubic.h"
#include "state_htcp.h"
#include "state_dctcp.h"

void
state_of(struct tcpcb *tp, struct bsd_state *state)
{
	memset(state, 0xff, sizeof(*state));
	strncpy(state->functions, tp->t_fb->tfb_tcp_block_name, sizeof(state->functions));
	strncpy(state->congestion, CC_ALGO(tp)->name, sizeof(state->congestion));
	if (strcmp(CC_ALGO(tp)->name, "cubic") == 0) {
		take_cubic(state, CC_DATA(tp));
		if (state->cubic_epoch != -1)
			state->cubic_epoch = ticks - state->cubic_epoch;
	} else if (strcmp(CC_ALGO(tp)->name, "htcp") == 0) {
		take_htcp(state, CC_DATA(tp));
	} else if (strcmp(CC_ALGO(tp)->name, "dctcp") == 0) {
		take_dctcp(state, CC_DATA(tp));
	}
	if (strcmp(tp->t_fb->tfb_tcp_block_name, "rack") == 0)
		state_of_rack(tp->t_fb_ptr, state);
	else if (strcmp(tp->t_fb->tfb_tcp_block_name, "bbr") == 0)
		state_of_bbr(tp->t_fb_ptr, state);
}
