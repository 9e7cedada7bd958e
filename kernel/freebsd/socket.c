/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP sockets that never block, and what FreeBSD keeps of their connections. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mbuf.h>
#include <sys/proc.h>
#include <sys/protosw.h>
#include <sys/sdt.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/uio.h>
#include <net/if.h>
#include <net/route.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <netinet/in_pcb.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <netinet/tcp_fsm.h>
#include <netinet/tcp_timer.h>
#include <netinet/tcp_var.h>

#include "inside.h"

struct bsd_socket {
	struct bsd_host *host;
	struct socket *so;
	void *owner;
};

static char zeros[64 * 1024];

static int
happened(struct socket *so, void *owner, int flags)
{
	services->notice(owner);
	return (SU_OK);
}

static void
watch(struct socket *so, void *owner)
{
	SOCKBUF_LOCK(&so->so_rcv);
	soupcall_set(so, SO_RCV, happened, owner);
	SOCKBUF_UNLOCK(&so->so_rcv);
	SOCKBUF_LOCK(&so->so_snd);
	soupcall_set(so, SO_SND, happened, owner);
	SOCKBUF_UNLOCK(&so->so_snd);
}

static struct bsd_socket *
socket_of(struct bsd_host *host, struct socket *so, void *owner)
{
	struct bsd_socket *socket = malloc(sizeof(*socket), M_TEMP, M_WAITOK);

	*socket = (struct bsd_socket){ .host = host, .so = so, .owner = owner };
	so->so_state |= SS_NBIO;
	watch(so, owner);
	return (socket);
}

struct bsd_socket *
make_socket(struct bsd_host *host, void *owner, int *error)
{
	struct socket *so;

	ENTER(host);
	*error = socreate(AF_INET, &so, SOCK_STREAM, 0, curthread->td_ucred, curthread);
	LEAVE();
	return (*error ? NULL : socket_of(host, so, owner));
}

int
set_congestion(struct bsd_socket *socket, const char *name)
{
	struct sockopt option = { .sopt_dir = SOPT_SET, .sopt_level = IPPROTO_TCP, .sopt_name = TCP_CONGESTION,
	    .sopt_val = __DECONST(char *, name), .sopt_valsize = strlen(name) };
	int error;

	ENTER(socket->host);
	error = sosetopt(socket->so, &option);
	LEAVE();
	return (error);
}

static struct sockaddr_in
end(unsigned int address, int port)
{
	return ((struct sockaddr_in){ .sin_len = sizeof(struct sockaddr_in), .sin_family = AF_INET,
	    .sin_port = htons(port), .sin_addr.s_addr = htonl(address) });
}

int
bind_socket(struct bsd_socket *socket, unsigned int address, int port)
{
	struct sockaddr_in here = end(address, port);
	int error;

	ENTER(socket->host);
	error = sobind(socket->so, (struct sockaddr *)&here, curthread);
	LEAVE();
	return (error);
}

int
listen_socket(struct bsd_socket *socket, int backlog)
{
	int error;

	ENTER(socket->host);
	error = solisten(socket->so, backlog, curthread);
	if (error == 0) {
		SOLISTEN_LOCK(socket->so);
		solisten_upcall_set(socket->so, happened, socket->owner);
		SOLISTEN_UNLOCK(socket->so);
	}
	LEAVE();
	return (error);
}

struct bsd_socket *
accept_socket(struct bsd_socket *socket, void *owner)
{
	struct sockaddr *peer = NULL;
	struct socket *so = NULL;
	int error;

	ENTER(socket->host);
	SOLISTEN_LOCK(socket->so);
	error = solisten_dequeue(socket->so, &so, SOCK_NONBLOCK);
	if (error == 0) {
		soaccept(so, &peer);
		free(peer, M_SONAME);
	}
	LEAVE();
	return (error ? NULL : socket_of(socket->host, so, owner));
}

int
connect_socket(struct bsd_socket *socket, unsigned int address, int port)
{
	struct sockaddr_in there = end(address, port);
	int error;

	ENTER(socket->host);
	error = soconnect(socket->so, (struct sockaddr *)&there, curthread);
	LEAVE();
	return (error == EINPROGRESS ? 0 : error);
}

static void
keep(struct mbuf *m)
{
}

/* As write(2) of a large buffer would, without the copy. */
long
send_zeros(struct bsd_socket *socket, unsigned long bytes)
{
	struct socket *so = socket->so;
	long sent = 0, space;
	int error = 0;

	ENTER(socket->host);
	while (sent < bytes && (so->so_state & SS_ISCONNECTED)) {
		struct mbuf *m;

		space = sbspace(&so->so_snd);
		if (space < so->so_snd.sb_lowat)
			break;
		space = MIN(MIN(space, sizeof(zeros)), bytes - sent);
		m = m_gethdr(M_NOWAIT, MT_DATA);
		m_extadd(m, zeros, space, keep, NULL, NULL, 0, EXT_DISPOSABLE);
		m->m_len = m->m_pkthdr.len = space;
		error = sosend(so, NULL, NULL, m, NULL, MSG_DONTWAIT, curthread);
		if (error)
			break;
		sent += space;
	}
	LEAVE();
	return (sent || error == EWOULDBLOCK ? sent : -error);
}

long
discard(struct bsd_socket *socket)
{
	const ssize_t most = 1 << 30;
	struct uio all = { .uio_resid = most };
	struct mbuf *m = NULL;
	int flags = MSG_DONTWAIT, error = 0;

	ENTER(socket->host);
	if (sbavail(&socket->so->so_rcv) > 0) {
		error = soreceive(socket->so, NULL, &all, &m, NULL, &flags);
		m_freem(m);
	}
	LEAVE();
	return (all.uio_resid < most || error == EWOULDBLOCK ? most - all.uio_resid : -error);
}

int
shutdown_socket(struct bsd_socket *socket)
{
	int error;

	ENTER(socket->host);
	error = soshutdown(socket->so, SHUT_WR);
	LEAVE();
	return (error);
}

void
close_socket(struct bsd_socket *socket, int reset)
{
	struct socket *so = socket->so;

	ENTER(socket->host);
	if (SOLISTENING(so)) {
		SOLISTEN_LOCK(so);
		solisten_upcall_set(so, NULL, NULL);
		SOLISTEN_UNLOCK(so);
	} else {
		SOCKBUF_LOCK(&so->so_rcv);
		soupcall_clear(so, SO_RCV);
		SOCKBUF_UNLOCK(&so->so_rcv);
		SOCKBUF_LOCK(&so->so_snd);
		soupcall_clear(so, SO_SND);
		SOCKBUF_UNLOCK(&so->so_snd);
		if (reset) {
			so->so_options |= SO_LINGER;
			so->so_linger = 0;
		}
	}
	soclose(so);
	LEAVE();
	free(socket, M_TEMP);
}

void
socket_status(struct bsd_socket *socket, struct bsd_status *status)
{
	struct socket *so = socket->so;

	*status = (struct bsd_status){ 0 };
	if (SOLISTENING(so)) {
		status->incoming = !TAILQ_EMPTY(&so->sol_comp);
		return;
	}
	status->error = so->so_error;
	status->connected = (so->so_state & SS_ISCONNECTED) != 0;
	status->connecting = (so->so_state & SS_ISCONNECTING) != 0;
	status->closed = (so->so_rcv.sb_state & SBS_CANTRCVMORE) != 0;
}

int
sample_socket(struct bsd_socket *socket, struct bsd_sample *sample)
{
	struct inpcb *inp = sotoinpcb(socket->so);
	struct tcpcb *tp;
	struct tcp_info info;
	struct sockopt option = { .sopt_dir = SOPT_GET, .sopt_level = IPPROTO_TCP, .sopt_name = TCP_INFO,
	    .sopt_val = &info, .sopt_valsize = sizeof(info) };
	unsigned int queued;
	int error;

	if (inp == NULL || (inp->inp_flags & (INP_TIMEWAIT | INP_DROPPED)))
		return (0);
	ENTER(socket->host);
	error = sogetopt(socket->so, &option);
	LEAVE();
	if (error)
		return (0);
	tp = intotcpcb(inp);
	queued = sbused(&socket->so->so_snd);
	*sample = (struct bsd_sample){
		.cwnd = info.tcpi_snd_cwnd,
		.ssthresh = info.tcpi_snd_ssthresh,
		.maxseg = tcp_maxseg(tp),
		.outstanding = tp->snd_max - tp->snd_una,
		.sacked = tp->sackhint.sacked_bytes,
		.sack_rexmit = tp->sackhint.sack_bytes_rexmit,
		.sent_rexmit = tp->t_sndrexmitpack,
		.out_of_order = tp->t_rcvoopack,
		.srtt = info.tcpi_rtt,
		.rttvar = info.tcpi_rttvar,
		.rto = info.tcpi_rto,
		.snd_wnd = tp->snd_wnd,
		.rcv_wnd = tp->rcv_wnd,
		.acked = tp->snd_una - tp->iss - 1 - ((tp->t_flags & TF_SENTFIN) != 0 && tp->snd_una == tp->snd_max),
		.received = tp->rcv_nxt - tp->irs - 1 - (TCPS_HAVERCVDFIN(tp->t_state) != 0),
		.options = info.tcpi_options,
		.snd_scale = info.tcpi_snd_wscale,
		.rcv_scale = info.tcpi_rcv_wscale,
		.timeouts = tp->t_rxtshift,
	};
	sample->unsent = queued > sample->outstanding ? queued - sample->outstanding : 0;
	return (1);
}
