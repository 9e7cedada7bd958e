/* SPDX-License-Identifier: BSD-2-Clause */
/* Sockets that never block, and what FreeBSD keeps of TCP's connections. */
#include "opt_inet.h"
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/hhook.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mbuf.h>
#include <sys/proc.h>
#include <sys/protosw.h>
#include <sys/resourcevar.h>
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
#include <netinet/tcp_seq.h>
#include <netinet/tcp_timer.h>
#include <netinet/tcp_var.h>

#include "inside.h"

/* A connection in TIME_WAIT has lost its tcpcb, but not in later releases. */
#ifndef INP_TIMEWAIT
#define INP_TIMEWAIT	0
#endif
/* Later releases have the inpcb in the tcpcb. */
#ifndef tptoinpcb
#define tptoinpcb(tp)	((tp)->t_inpcb)
#endif

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

static const struct {
	int type, protocol;
} kinds[] = {
	[BSD_STREAM] = { SOCK_STREAM, IPPROTO_TCP },
	[BSD_DATAGRAM] = { SOCK_DGRAM, IPPROTO_UDP },
	[BSD_ECHO] = { SOCK_RAW, IPPROTO_ICMP },
};

static int
set_option(struct socket *so, int level, int name, const void *value, size_t size)
{
	struct sockopt option = { .sopt_dir = SOPT_SET, .sopt_level = level, .sopt_name = name,
	    .sopt_val = __DECONST(void *, value), .sopt_valsize = size };

	return (sosetopt(so, &option));
}

struct bsd_socket *
make_socket(struct bsd_host *host, enum bsd_kind kind, void *owner, int *error)
{
	struct tcp_function_set functions = { 0 };
	struct socket *so;

	ENTER(host);
	*error = socreate(AF_INET, &so, kinds[kind].type, kinds[kind].protocol, curthread->td_ucred, curthread);
	if (*error == 0 && kind == BSD_STREAM && host->functions[0] != 0) {
		strlcpy(functions.function_set_name, host->functions, sizeof(functions.function_set_name));
		*error = set_option(so, IPPROTO_TCP, TCP_FUNCTION_BLK, &functions, sizeof(functions));
		if (*error)
			soclose(so);
	}
	LEAVE();
	return (*error ? NULL : socket_of(host, so, owner));
}

int
set_congestion(struct bsd_socket *socket, const char *name)
{
	int error;

	ENTER(socket->host);
	error = set_option(socket->so, IPPROTO_TCP, TCP_CONGESTION, name, strlen(name));
	LEAVE();
	return (error);
}

int
set_buffer(struct bsd_socket *socket, int sends, unsigned int bytes, int force)
{
	struct socket *so = socket->so;
	struct sockbuf *sb = sends ? &so->so_snd : &so->so_rcv;
	int error = 0;

	ENTER(socket->host);
	if (force) {
		SOCKBUF_LOCK(sb);
		chgsbsize(so->so_cred->cr_uidinfo, &sb->sb_hiwat, bytes, RLIM_INFINITY);
		sb->sb_mbmax = MIN(8UL * bytes, UINT_MAX);
		SOCKBUF_UNLOCK(sb);
	} else {
		error = set_option(so, SOL_SOCKET, sends ? SO_SNDBUF : SO_RCVBUF, &bytes, sizeof(bytes));
	}
	LEAVE();
	return (error);
}

/* Only what is less than the connection has can be set, and nothing else needs to be. */
int
set_mss(struct bsd_socket *socket, unsigned int bytes)
{
	struct inpcb *inp = sotoinpcb(socket->so);
	int error = 0;

	if (inp == NULL || (inp->inp_flags & (INP_TIMEWAIT | INP_DROPPED)))
		return (0);
	ENTER(socket->host);
	if (bytes < intotcpcb(inp)->t_maxseg)
		error = set_option(socket->so, IPPROTO_TCP, TCP_MAXSEG, &bytes, sizeof(bytes));
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

/* Earlier releases give a peer's address in memory of its own, later ones in the caller's. */
#define PEER_IN_OURS	__builtin_types_compatible_p(__typeof(soaccept), int (struct socket *, struct sockaddr *))

static void
accept_from_anybody(struct socket *so)
{
	struct sockaddr_storage ours = { .ss_len = sizeof(ours) };
	struct sockaddr *own = NULL;

	soaccept(so, PEER_IN_OURS ? (void *)&ours : (void *)&own);
	free(own, M_SONAME);
}

struct bsd_socket *
accept_socket(struct bsd_socket *socket, void *owner)
{
	struct socket *so = NULL;
	int error;

	ENTER(socket->host);
	SOLISTEN_LOCK(socket->so);
	error = solisten_dequeue(socket->so, &so, SOCK_NONBLOCK);
	if (error == 0)
		accept_from_anybody(so);
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

/* How much of a packet is not send_zeros()'s. */
int
before_zeros(const struct mbuf *m)
{
	int bytes = 0;

	for (; m != NULL && !((m->m_flags & M_EXT) && m->m_ext.ext_free == keep); m = m->m_next)
		bytes += m->m_len;
	return (bytes);
}

long
discard(struct bsd_socket *socket, unsigned long bytes)
{
	const ssize_t most = MIN(bytes, 1 << 30);
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
send_datagram(struct bsd_socket *socket, const void *data, int bytes, unsigned int address, int port)
{
	struct sockaddr_in there = end(address, port);
	struct mbuf *m;
	int error = ENOBUFS;

	ENTER(socket->host);
	m = m_getm2(NULL, bytes, M_NOWAIT, MT_DATA, M_PKTHDR);
	if (m != NULL) {
		m_copyback(m, 0, bytes, data);
		error = sosend(socket->so, (struct sockaddr *)&there, NULL, m, NULL, MSG_DONTWAIT, curthread);
	}
	LEAVE();
	return (error);
}

long
receive_datagram(struct bsd_socket *socket, void *data, int room)
{
	struct uio all = { .uio_resid = IP_MAXPACKET };
	struct mbuf *m = NULL;
	int flags = MSG_DONTWAIT, error, skip = 0, length;

	ENTER(socket->host);
	error = soreceive(socket->so, NULL, &all, &m, NULL, &flags);
	if (error == 0 && m == NULL)
		error = EWOULDBLOCK;
	if (error == 0) {
		length = m_length(m, NULL);
		/* A raw socket is given the header of IP as well. */
		if (socket->so->so_type == SOCK_RAW)
			skip = mtod(m, struct ip *)->ip_hl << 2;
		length = MAX(length - skip, 0);
		m_copydata(m, skip, MIN(room, length), data);
	}
	m_freem(m);
	LEAVE();
	return (error ? -error : length);
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
	status->readable = sbavail(&so->so_rcv) > 0;
	status->closed = (so->so_rcv.sb_state & SBS_CANTRCVMORE) != 0;
}

/* ---- what is kept of a connection ---- */

static unsigned char
options_of(const struct tcpcb *tp)
{
	const int stamps = TF_REQ_TSTMP | TF_RCVD_TSTMP, scale = TF_REQ_SCALE | TF_RCVD_SCALE;

	return (((tp->t_flags & stamps) == stamps ? TCPI_OPT_TIMESTAMPS : 0) |
	    ((tp->t_flags & TF_SACK_PERMIT) ? TCPI_OPT_SACK : 0) |
	    ((tp->t_flags & scale) == scale ? TCPI_OPT_WSCALE : 0) |
	    ((tp->t_flags2 & TF2_ECN_PERMIT) ? TCPI_OPT_ECN : 0));
}

/* Whether a stack of TCP keeps times in microseconds: RACK since 13.1. Others count ticks, and round trips in fractions. */
static bool
counts_us(const struct tcpcb *tp)
{
#ifdef TCP_TMR_GRANULARITY_USEC
	return (tp->t_tmr_granularity == TCP_TMR_GRANULARITY_USEC);
#else
	return (__FreeBSD_version >= 1301000 && strcmp(tp->t_fb->tfb_tcp_block_name, "rack") == 0);
#endif
}

static unsigned int
us_of(const struct tcpcb *tp, unsigned int time, int shift)
{
	return (counts_us(tp) ? time : ((uint64_t)time * tick) >> shift);
}

static void
fill(struct bsd_sample *sample, struct tcpcb *tp, const struct socket *so)
{
	unsigned int queued = sbused(__DECONST(struct sockbuf *, &so->so_snd));
	unsigned char options = options_of(tp);

	*sample = (struct bsd_sample){
		.cwnd = tp->snd_cwnd,
		.ssthresh = tp->snd_ssthresh,
		.maxseg = tcp_maxseg(tp),
		.outstanding = tp->snd_max - tp->snd_una,
		.sacked = tp->sackhint.sacked_bytes,
		.sack_rexmit = tp->sackhint.sack_bytes_rexmit,
		.sent_rexmit = tp->t_sndrexmitpack,
		.out_of_order = tp->t_rcvoopack,
		.srtt = us_of(tp, tp->t_srtt, TCP_RTT_SHIFT),
		.rttvar = us_of(tp, tp->t_rttvar, TCP_RTTVAR_SHIFT),
		.rto = us_of(tp, tp->t_rxtcur, 0),
		.snd_wnd = tp->snd_wnd,
		.rcv_wnd = tp->rcv_wnd,
		.acked = tp->snd_una - tp->iss - 1 - ((tp->t_flags & TF_SENTFIN) != 0 && tp->snd_una == tp->snd_max),
		.received = tp->rcv_nxt - tp->irs - 1 - (TCPS_HAVERCVDFIN(tp->t_state) != 0),
		.options = options,
		.snd_scale = (options & TCPI_OPT_WSCALE) ? tp->snd_scale : 0,
		.rcv_scale = (options & TCPI_OPT_WSCALE) ? tp->rcv_scale : 0,
		.timeouts = tp->t_rxtshift,
		.pipe = tcp_compute_pipe(tp),
		.recover_fs = tp->sackhint.recover_fs,
		.prr_delivered = tp->sackhint.prr_delivered,
		.prr_out = tp->sackhint.prr_out,
		.holes = tp->snd_numholes,
		.dupacks = tp->t_dupacks,
		.reassembly = tp->t_segqlen,
		.zero_windows = tp->t_sndzerowin,
		.recovery = (IN_FASTRECOVERY(tp->t_flags) ? 1 : 0) | (IN_CONGRECOVERY(tp->t_flags) ? 2 : 0),
		.send_buffer = so->so_snd.sb_hiwat,
		.send_held = queued,
		.receive_buffer = so->so_rcv.sb_hiwat,
		.receive_held = sbused(__DECONST(struct sockbuf *, &so->so_rcv)),
	};
	sample->unsent = queued > sample->outstanding ? queued - sample->outstanding : 0;
}

int
sample_socket(struct bsd_socket *socket, struct bsd_sample *sample, struct bsd_state *state)
{
	struct inpcb *inp = sotoinpcb(socket->so);

	if (inp == NULL || (inp->inp_flags & (INP_TIMEWAIT | INP_DROPPED)))
		return (0);
	ENTER(socket->host);
	fill(sample, intotcpcb(inp), socket->so);
	state_of(intotcpcb(inp), state);
	LEAVE();
	return (1);
}

/* Where the stack calls its helpers (khelp(9)): an ACK's SACK blocks are counted, all else of it is not yet. */
static int
acked(int type, int id, void *own, void *data, void *kept, struct osd *storage)
{
	struct tcpcb *tp = ((struct tcp_hhook_data *)data)->tp;
	struct socket *so = tptoinpcb(tp)->inp_socket;
	struct bsd_sample sample;

	if (so != NULL && so->so_snd.sb_upcall == happened) {
		fill(&sample, tp, so);
		services->acked(so->so_snd.sb_upcallarg, &sample);
	}
	return (0);
}

int
trace_acks(struct bsd_host *host)
{
	struct hookinfo hook = { .hook_func = acked, .hook_type = HHOOK_TYPE_TCP, .hook_id = HHOOK_TCP_EST_IN };
	int error;

	ENTER(host);
	error = hhook_add_hook(V_tcp_hhh[HHOOK_TCP_EST_IN], &hook, HHOOK_NOWAIT);
	LEAVE();
	return (error);
}
