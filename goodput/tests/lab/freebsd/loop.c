/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two hosts of FreeBSD's stack on a line, in one process: LOOP STACK CONGESTION RATE RTT EVERY SECONDS, with bit/s, ms, and
 * the data packets of which one is lost (0: none). Prints what has arrived in the last nine tenths, in bit/s.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack.h"

#define SECOND		1000000000ULL
#define ETHERNET	24	/* preamble, check sequence and gap, bytes */
#define QUEUE		1000	/* packets that wait for the line at most */

struct packet {
	struct packet *next;
	uint64_t at;
	int bytes;
	unsigned char data[];
};

/* What goes to a host. */
struct way {
	struct packet *first, **last;
	uint64_t busy_until;
	long data_packets;
};

static uint64_t now = 10 * SECOND, rtt, random_state = 1;
static double rate;
static long every;
static struct way ways[2];
static int devices[2] = { 0, 1 };
static struct packet *being_made;

static struct bsd_host *hosts[2];
static struct bsd_port *ports[2];
static struct bsd_socket *listener, *sender, *receiver;
static int listener_owner, sender_owner, receiver_owner;
static uint64_t received;

/* ---- services ---- */

static void *
allocate(unsigned long bytes)
{
	return malloc(bytes ? bytes : 1);
}

static void *
pages(unsigned long bytes)
{
	void *memory = aligned_alloc(4096, bytes);

	return memory ? memset(memory, 0, bytes) : NULL;
}

static void
release_pages(void *memory, unsigned long bytes)
{
	free(memory);
}

/* Knuth's MMIX. */
static unsigned long
draw(void)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return random_state;
}

static void
say(const char *text)
{
}

static void
give_up(const char *text)
{
	fprintf(stderr, "panic: %s\n", text);
	exit(1);
}

static void *
frame(void *device, int bytes, int zeros)
{
	being_made = calloc(1, sizeof(*being_made) + bytes + zeros);
	being_made->bytes = bytes + zeros;
	return being_made->data;
}

static void
transmit(void *device, void *data, int checksum, int field, int segment)
{
	struct packet *packet = being_made;
	int from = *(int *)device;
	struct way *way = &ways[!from];
	double length = (packet->bytes + ETHERNET) * 8.0 / rate * SECOND;
	uint64_t begins = way->busy_until > now ? way->busy_until : now;

	if (begins - now > QUEUE * length) {
		free(packet);
		return;
	}
	way->busy_until = begins + length;
	if (from == 0 && packet->bytes > 1000 && every && ++way->data_packets % every == 0) {
		free(packet);
		return;
	}
	packet->at = way->busy_until + rtt / 2;
	*way->last = packet;
	way->last = &packet->next;
}

/* All is tried after each event. */
static void
notice(void *owner)
{
}

static void
acked(void *owner, const struct bsd_sample *sample)
{
}

static const struct bsd_services services = {
	.allocate = allocate,
	.resize = realloc,
	.release = free,
	.pages = pages,
	.release_pages = release_pages,
	.random = draw,
	.log = say,
	.panic = give_up,
	.frame = frame,
	.send = transmit,
	.done = free,
	.notice = notice,
	.acked = acked,
};

/* ---- events ---- */

static void
pump(void)
{
	long bytes;

	if (receiver == NULL)
		receiver = bsd_stack.accept(listener, &receiver_owner);
	if (receiver != NULL && (bytes = bsd_stack.discard(receiver, 1 << 30)) > 0)
		received += bytes;
	bsd_stack.send_zeros(sender, 1 << 30);
	bsd_stack.settle();
}

static void
arrive(int host, struct packet *packet)
{
	struct bsd_frame frame = { .data = packet->data, .packet = packet, .bytes = packet->bytes, .checked = 1 };

	if (!bsd_stack.receive(ports[host], &frame))
		free(packet);
	bsd_stack.received(ports[host]);
}

static void
run(uint64_t until)
{
	while (now < until) {
		long long due = bsd_stack.next();
		uint64_t next = due >= 0 && due < until ? due : until;

		for (int host = 0; host < 2; host++)
			if (ways[host].first != NULL && ways[host].first->at < next)
				next = ways[host].first->at;
		now = next > now ? next : now;
		bsd_stack.clock(now);
		for (int host = 0; host < 2; host++) {
			struct way *way = &ways[host];
			struct packet *packet;

			while ((packet = way->first) != NULL && packet->at <= now) {
				way->first = packet->next;
				if (way->first == NULL)
					way->last = &way->first;
				arrive(host, packet);
				pump();
			}
		}
		bsd_stack.run();
		pump();
	}
}

/* ---- hosts ---- */

static void
must(int error, const char *what)
{
	if (error) {
		fprintf(stderr, "%s: error %d of FreeBSD's\n", what, error);
		exit(1);
	}
}

static void
make_host(int host, const char *stack)
{
	static const char *const settings[][2] = {
		{ "net.inet.tcp.hostcache.enable", "0" },
		{ "kern.ipc.maxsockbuf", "67108864" },
		{ "net.inet.tcp.sendbuf_max", "33554432" },
		{ "net.inet.tcp.recvbuf_max", "33554432" },
	};
	const unsigned char macs[2][6] = { { 2, 0, 0, 0, 0, 1 }, { 2, 0, 0, 0, 0, 2 } };

	ways[host].last = &ways[host].first;
	hosts[host] = bsd_stack.host(host ? "receiver" : "sender");
	ports[host] = bsd_stack.port(hosts[host], macs[host], 1500, &devices[host]);
	must(bsd_stack.address(ports[host], 0x0a000001 + host, 0xffffff00), "address");
	must(bsd_stack.neighbour(ports[host], 0x0a000002 - host, macs[!host]), "neighbour");
	must(bsd_stack.route(hosts[host], 0x0a010000, 0xffff0000, 0x0a000002 - host), "route");
	for (int i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		must(bsd_stack.sysctl(hosts[host], settings[i][0], settings[i][1]), settings[i][0]);
	must(bsd_stack.sysctl(hosts[host], "net.inet.tcp.functions_default", stack), stack);
}

int
main(int count, char **words)
{
	double seconds;
	uint64_t before;
	int error;

	if (count != 7) {
		fprintf(stderr, "loop STACK CONGESTION RATE RTT EVERY SECONDS\n");
		return 2;
	}
	rate = atof(words[3]);
	rtt = atof(words[4]) * SECOND / 1000;
	every = atol(words[5]);
	seconds = atof(words[6]);
	bsd_stack.clock(now);
	bsd_stack.boot(&services);
	for (int host = 0; host < 2; host++)
		make_host(host, words[1]);
	listener = bsd_stack.socket(hosts[1], BSD_STREAM, &listener_owner, &error);
	must(error, "socket");
	must(bsd_stack.bind(listener, 0, 5001), "bind");
	must(bsd_stack.listen(listener, 1), "listen");
	sender = bsd_stack.socket(hosts[0], BSD_STREAM, &sender_owner, &error);
	must(error, "socket");
	must(bsd_stack.set_congestion(sender, words[2]), words[2]);
	must(bsd_stack.connect(sender, 0x0a000002, 5001), "connect");
	run(now + seconds / 10 * SECOND);
	before = received;
	run(now + seconds * 9 / 10 * SECOND);
	printf("%.0f\n", (received - before) * 8 / (seconds * 9 / 10));
	return 0;
}
