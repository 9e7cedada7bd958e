/* SPDX-License-Identifier: BSD-2-Clause */
/* Hosts: a jail with a vnet each, an Ethernet interface, addresses, and neighbours and routes that do not change. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/jail.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mbuf.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/socketvar.h>
#include <sys/sockio.h>
#include <sys/ucred.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <net/if_dl.h>
#include <net/if_llatbl.h>
#include <net/if_types.h>
#include <net/if_var.h>
#if __has_include(<net/if_private.h>)
#include <net/if_private.h>
#endif
#include <net/route.h>
#include <net/route/route_ctl.h>
#include <net/vnet.h>
#include <netinet/in.h>
#include <netinet/in_var.h>
#include <netinet/ip.h>
#include <netinet/tcp_lro.h>

#include "inside.h"

extern struct prison prison0;

struct bsd_port {
	struct bsd_host *host;
	struct ifnet *ifp;
	void *device;	/* the host's */
	struct lro_ctrl lro;	/* with an interface if it is on */
};

struct bsd_host *
make_host(const char *name)
{
	struct bsd_host *host = malloc(sizeof(*host), M_TEMP, M_WAITOK | M_ZERO);
	struct prison *prison = malloc(sizeof(*prison), M_TEMP, M_WAITOK | M_ZERO);

	host->vnet = vnet_alloc();
	*prison = prison0;
	prison->pr_vnet = host->vnet;
	strlcpy(prison->pr_name, name, sizeof(prison->pr_name));
	host->cred = crget();
	*host->cred = *thread0.td_ucred;
	host->cred->cr_ref = 1;
	host->cred->cr_prison = prison;
	return (host);
}

static struct sockaddr_in
ip4(unsigned int address)
{
	return ((struct sockaddr_in){ .sin_len = sizeof(struct sockaddr_in), .sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(address) });
}

/* ---- the interface ---- */

/* Neighbours are known: nothing is resolved or announced, and what is not IP goes nowhere. */
static int
transmit(struct ifnet *ifp, struct mbuf *m)
{
	struct bsd_port *port = ifp->if_softc;
	int length = m->m_pkthdr.len, beginning = before_zeros(m), checksum = 0, segment = 0;
	void *frame = NULL;

	if (mtod(m, struct ether_header *)->ether_type == htons(ETHERTYPE_IP))
		frame = services->frame(port->device, beginning, length - beginning);
	if (frame != NULL) {
		m_copydata(m, 0, beginning, frame);
		if (m->m_pkthdr.csum_flags & CSUM_DELAY_DATA)
			checksum = ETHER_HDR_LEN + (((struct ip *)((char *)frame + ETHER_HDR_LEN))->ip_hl << 2);
		if (m->m_pkthdr.csum_flags & CSUM_TSO)
			segment = m->m_pkthdr.tso_segsz;
		services->send(port->device, frame, checksum, m->m_pkthdr.csum_data, segment);
	}
	m_freem(m);
	return (0);
}

static void
flush_nothing(struct ifnet *ifp)
{
}

static void
init_nothing(void *softc)
{
}

static int
control(struct ifnet *ifp, u_long command, caddr_t data)
{
	return (command == SIOCSIFFLAGS ? 0 : ether_ioctl(ifp, command, data));
}

struct bsd_port *
make_port(struct bsd_host *host, const unsigned char *mac, int mtu, void *device)
{
	struct bsd_port *port = malloc(sizeof(*port), M_TEMP, M_WAITOK | M_ZERO);
	struct ifnet *ifp;

	ENTER(host);
	ifp = if_alloc(IFT_ETHER);
	*port = (struct bsd_port){ .host = host, .ifp = ifp, .device = device };
	ifp->if_softc = port;
	if_initname(ifp, "nic", 0);
	ifp->if_flags = IFF_BROADCAST | IFF_SIMPLEX | IFF_MULTICAST | IFF_UP;
	ifp->if_drv_flags = IFF_DRV_RUNNING;
	ifp->if_init = init_nothing;
	ifp->if_ioctl = control;
	ifp->if_start = flush_nothing;
	ifp->if_transmit = transmit;
	ifp->if_qflush = flush_nothing;
	ether_ifattach(ifp, mac);
	ifp->if_mtu = mtu;
	ifp->if_capabilities = ifp->if_capenable = IFCAP_RXCSUM | IFCAP_TXCSUM;
	ifp->if_hwassist = CSUM_DELAY_DATA;
	LEAVE();
	return (port);
}

int
set_offloads(struct bsd_port *port, int tso, int lro)
{
	struct ifnet *ifp = port->ifp;
	int on = (tso ? IFCAP_TSO4 : 0) | (lro ? IFCAP_LRO : 0), error = 0;

	ENTER(port->host);
	if (lro)
		error = tcp_lro_init_args(&port->lro, ifp, TCP_LRO_ENTRIES, 0);
	if (error == 0) {
		ifp->if_capabilities |= on;
		ifp->if_capenable |= on;
		ifp->if_hwassist |= tso ? CSUM_TSO : 0;
	}
	LEAVE();
	return (error);
}

static void
give_back(struct mbuf *m)
{
	services->done(m->m_ext.ext_arg1);
}

/* Data where they lie, as the cluster in which a driver would have had them. */
static void
attach(struct mbuf *m, void *data, int bytes, void *packet)
{
	m_extadd(m, data, MAX(bytes, MCLBYTES), give_back, packet, NULL, M_RDONLY, EXT_NET_DRV);
	m->m_len = bytes;
}

/* Of what is small a copy costs less. */
static bool
is_kept(const struct bsd_frame *frame)
{
	return (frame->rest != NULL || (!frame->is_shared && frame->bytes >= MINCLSIZE));
}

static struct mbuf *
mbuf_of(const struct bsd_frame *frame, struct ifnet *ifp)
{
	bool has_cluster = is_kept(frame) && frame->rest == NULL;
	struct mbuf *rest, *m = has_cluster ? m_gethdr(M_NOWAIT, MT_DATA) :
	    m_devget(frame->data, frame->bytes, ETHER_ALIGN, ifp, NULL);

	if (m == NULL)
		return (NULL);
	m->m_pkthdr.rcvif = ifp;
	if (has_cluster)
		attach(m, frame->data, frame->bytes, frame->packet);
	if (frame->rest != NULL) {
		rest = m_get(M_NOWAIT, MT_DATA);
		if (rest == NULL) {
			m_freem(m);
			return (NULL);
		}
		attach(rest, frame->rest, frame->rest_bytes, frame->packet);
		m_cat(m, rest);
	}
	m_fixhdr(m);
	return (m);
}

/* As drivers do with what has come: LRO first, and the stack what that does not take. */
int
receive(struct bsd_port *port, const struct bsd_frame *frame)
{
	struct ifnet *ifp = port->ifp;
	struct epoch_tracker tracker;
	struct mbuf *m;

	ENTER(port->host);
	m = mbuf_of(frame, ifp);
	if (m != NULL) {
		if (frame->checked) {
			m->m_pkthdr.csum_flags = CSUM_IP_CHECKED | CSUM_IP_VALID | CSUM_DATA_VALID | CSUM_PSEUDO_HDR;
			m->m_pkthdr.csum_data = 0xffff;
		}
		NET_EPOCH_ENTER(tracker);
		if (port->lro.ifp == NULL || tcp_lro_rx(&port->lro, m, 0) != 0)
			ifp->if_input(ifp, m);
		NET_EPOCH_EXIT(tracker);
	}
	LEAVE();
	return (m != NULL && is_kept(frame));
}

void
received(struct bsd_port *port)
{
	struct epoch_tracker tracker;

	if (port->lro.ifp == NULL)
		return;
	ENTER(port->host);
	NET_EPOCH_ENTER(tracker);
	tcp_lro_flush_all(&port->lro);
	NET_EPOCH_EXIT(tracker);
	LEAVE();
}

/* ---- addresses, neighbours, routes ---- */

int
add_address(struct bsd_port *port, unsigned int address, unsigned int mask)
{
	struct sockaddr_in of[] = { ip4(address), ip4(address | ~mask), ip4(mask) };
	struct in_aliasreq request = { 0 };
	struct socket *so;
	int error;

	ENTER(port->host);
	strlcpy(request.ifra_name, port->ifp->if_xname, IFNAMSIZ);
	bcopy(&of[0], &request.ifra_addr, sizeof(of[0]));
	bcopy(&of[1], &request.ifra_broadaddr, sizeof(of[1]));
	bcopy(&of[2], &request.ifra_mask, sizeof(of[2]));
	error = socreate(AF_INET, &so, SOCK_DGRAM, 0, curthread->td_ucred, curthread);
	if (error == 0) {
		error = ifioctl(so, SIOCAIFADDR, (caddr_t)&request, curthread);
		soclose(so);
	}
	LEAVE();
	return (error);
}

int
add_neighbour(struct bsd_port *port, unsigned int address, const unsigned char *mac)
{
	struct rt_msghdr message = { .rtm_type = RTM_ADD };
	struct sockaddr_in of = ip4(address);
	struct sockaddr_dl link = { .sdl_len = sizeof(link), .sdl_family = AF_LINK, .sdl_type = IFT_ETHER,
	    .sdl_index = port->ifp->if_index, .sdl_alen = ETHER_ADDR_LEN };
	struct rt_addrinfo info = { 0 };
	struct epoch_tracker tracker;
	int error;

	bcopy(mac, LLADDR(&link), ETHER_ADDR_LEN);
	info.rti_info[RTAX_DST] = (struct sockaddr *)&of;
	info.rti_info[RTAX_GATEWAY] = (struct sockaddr *)&link;
	ENTER(port->host);
	NET_EPOCH_ENTER(tracker);
	error = lla_rt_output(&message, &info);
	NET_EPOCH_EXIT(tracker);
	LEAVE();
	return (error);
}

int
add_route(struct bsd_host *host, unsigned int network, unsigned int mask, unsigned int gateway)
{
	struct sockaddr_in of[] = { ip4(network), ip4(mask), ip4(gateway) };
	struct rt_addrinfo info = { .rti_flags = RTF_GATEWAY | RTF_STATIC };
	struct rib_cmd_info result;
	struct epoch_tracker tracker;
	int error;

	info.rti_info[RTAX_DST] = (struct sockaddr *)&of[0];
	info.rti_info[RTAX_NETMASK] = (struct sockaddr *)&of[1];
	info.rti_info[RTAX_GATEWAY] = (struct sockaddr *)&of[2];
	ENTER(host);
	NET_EPOCH_ENTER(tracker);
	error = rib_action(RT_DEFAULT_FIB, RTM_ADD, &info, &result);
	NET_EPOCH_EXIT(tracker);
	LEAVE();
	return (error);
}
