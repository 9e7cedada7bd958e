// relay: one path between two TUN interfaces, in real time, for IPv4.
//
//   relay OUT.json TUN_A TUN_B [KEY=VALUE ...]
//
// What is read from TUN_A is written to TUN_B ("fwd.") and the other way round ("rev.").
// A packet meets, in this order: outage, length faults, random loss, burst loss, ACK thinning,
// policer, the queue with its line, corruption, then delay, jitter and reordering.
// Lines on standard input: "phase NAME" closes the counters of one phase and starts the next;
// outages count from the start of a phase. End of input writes OUT.json and exits.
//
// The line is virtual: a packet's start and end of transmission are computed when it arrives, so
// the rate is exact whatever the timer does. What the timer adds is logged as lateness.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <math.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MAX_PACKET 2048
#define MAX_SECONDS 180
#define MAX_PHASES 8
#define LATE_BUCKETS 20000  // of 10 us
#define STANDING_NS 100000000.0

typedef int64_t ns;

static ns now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void die(const char *what) {
    fprintf(stderr, "relay: %s: %s\n", what, strerror(errno));
    exit(1);
}

// ---- configuration ----------------------------------------------------------------------------

typedef struct {
    double rate, delay, queue_packets, queue_bytes, jitter;
    double loss, burst_p, burst_r, burst_loss;
    double reorder, reorder_delay, duplicate, corrupt;
    double police_rate, police_burst;
    double outage_at, outage_for, outage_every;
    double mtu, drop_min, drop_max, ce_ms, ack_thin;
} Config;

typedef struct {
    const char *name;
    size_t at;
    double initial;
    const char *meaning;
} Key;

#define KEY(name, initial, meaning) {#name, offsetof(Config, name), initial, meaning}
static const Key KEYS[] = {
    KEY(rate, 0, "bit/s of IP packets; 0: no line, no queue"),
    KEY(delay, 0, "one way, ms"),
    KEY(queue_packets, 1e9, "packets that may wait for the line"),
    KEY(queue_bytes, 1e12, "bytes that may wait for the line"),
    KEY(jitter, 0, "ms, uniform from 0, order kept"),
    KEY(loss, 0, "probability of random loss"),
    KEY(burst_p, 0, "Gilbert-Elliott: good to bad, per packet"),
    KEY(burst_r, 1, "Gilbert-Elliott: bad to good, per packet"),
    KEY(burst_loss, 1, "Gilbert-Elliott: loss in the bad state"),
    KEY(reorder, 0, "share of data packets held back"),
    KEY(reorder_delay, 0, "ms by which they are held back"),
    KEY(duplicate, 0, "share of packets sent twice"),
    KEY(corrupt, 0, "share of packets with one byte changed"),
    KEY(police_rate, 0, "bit/s of a token bucket; what is above is dropped"),
    KEY(police_burst, 0, "bytes of the token bucket"),
    KEY(outage_at, 0, "s after the start of a phase"),
    KEY(outage_for, 0, "s"),
    KEY(outage_every, 0, "s from one outage to the next; 0: one"),
    KEY(mtu, 0, "longer IP packets are dropped without a word; 0: none"),
    KEY(drop_min, 0, "IP packets of drop_min to drop_max bytes are dropped"),
    KEY(drop_max, 0, ""),
    KEY(ce_ms, 0, "ECT packets that would wait longer are marked CE"),
    KEY(ack_thin, 0, "one of so many pure ACKs passes"),
};
#define KEY_COUNT (sizeof KEYS / sizeof *KEYS)

static double *field(Config *c, const Key *k) { return (double *)((char *)c + k->at); }

// ---- counters ---------------------------------------------------------------------------------

enum { OUTAGE, HOLE, LENGTH, RANDOM, BURST, THINNED, POLICER, QUEUE, CORRUPTED, MECHANISMS };
static const char *MECHANISM[] = {"outage", "mtu_hole", "length", "random", "burst",
                                  "ack_thinned", "policer", "queue", "corrupted"};

typedef struct {
    double in_bytes, out_bytes, dropped, wait_max, wait_sum, busy;
    int64_t in, out;
} Second;

typedef struct {
    int64_t in, out, data_in, data_out, reordered, duplicated, ce, ect;
    double in_bytes, out_bytes;
    int64_t drops[MECHANISMS], data_drops[MECHANISMS], events[MECHANISMS];
    ns event_at[MECHANISMS], first, last;
    double busy, standing, byte_wait, packet_wait, wait_max, queue_max_bytes;
    int64_t queue_max;
    Second series[MAX_SECONDS];
} Counters;

typedef struct {
    char name[32];
    ns start, end;
    Counters way[2];
    uint32_t late[LATE_BUCKETS];
    int64_t deliveries, over_2ms;
    double late_max, late_sum;
    ns late_max_at;
} Phase;

static Phase *phases[MAX_PHASES];
static int phase_count;
static Phase *phase;

// ---- packets in flight ------------------------------------------------------------------------

typedef struct {
    int len, way;
    uint8_t data[MAX_PACKET];
} Packet;

typedef struct {
    ns due;
    uint64_t order;
    Packet *packet;
} Flight;

static Flight *heap;
static size_t heap_len, heap_cap;
static uint64_t order;
static Packet **spare;
static size_t spare_len, spare_cap;

static Packet *packet_new(void) { return spare_len ? spare[--spare_len] : malloc(sizeof(Packet)); }

static void packet_free(Packet *p) {
    if (spare_len == spare_cap) {
        spare_cap = spare_cap ? 2 * spare_cap : 1024;
        spare = realloc(spare, spare_cap * sizeof *spare);
    }
    spare[spare_len++] = p;
}

static int earlier(const Flight *a, const Flight *b) {
    return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void heap_push(ns due, Packet *p) {
    if (heap_len == heap_cap) {
        heap_cap = heap_cap ? 2 * heap_cap : 4096;
        heap = realloc(heap, heap_cap * sizeof *heap);
    }
    Flight f = {due, order++, p};
    size_t i = heap_len++;
    for (; i && earlier(&f, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = f;
}

static Packet *heap_pop(void) {
    Packet *p = heap[0].packet;
    Flight f = heap[--heap_len];
    size_t i = 0;
    for (size_t c; (c = 2 * i + 1) < heap_len; i = c) {
        if (c + 1 < heap_len && earlier(&heap[c + 1], &heap[c])) c++;
        if (!earlier(&heap[c], &f)) break;
        heap[i] = heap[c];
    }
    heap[i] = f;
    return p;
}

// ---- one direction ----------------------------------------------------------------------------

typedef struct {
    ns start;
    int len;
} Waiting;

typedef struct {
    Config c;
    int in_fd, out_fd;
    ns line_free, busy_since, last_due, tokens_at;
    double tokens;
    int bad;
    uint64_t acks;
    Waiting *ring;  // packets whose transmission has not begun
    size_t head, tail, ring_cap;
    double waiting_bytes;
} Way;

static Way ways[2];
static ns event_gap = 100000000;  // drops within one RTT are one event

static uint64_t rng_state;
static double uniform(void) {  // splitmix64
    uint64_t z = (rng_state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return ((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int happens(double share) { return share > 0 && uniform() < share; }

static Second *second_of(Counters *k, ns at) {
    int64_t i = (at - phase->start) / 1000000000LL;
    return &k->series[i < 0 ? 0 : i >= MAX_SECONDS ? MAX_SECONDS - 1 : i];
}

static int payload(const uint8_t *d, int len) {
    int ip = (d[0] & 15) * 4, total = d[2] << 8 | d[3];
    if (total > len) total = len;
    if (d[9] == 17) return total - ip - 8;
    if (d[9] != 6 || ip + 20 > total) return 0;
    return total - ip - (d[ip + 12] >> 4) * 4;
}

static int pure_ack(const uint8_t *d, int len) {
    int ip = (d[0] & 15) * 4;
    return d[9] == 6 && payload(d, len) == 0 && (d[ip + 13] & 0x17) == 0x10;
}

// RFC 3168 and RFC 1624: ECT becomes CE, and the header's checksum follows.
static int mark_ce(uint8_t *d) {
    int ecn = d[1] & 3;
    if (ecn == 0) return 0;
    uint32_t before = d[0] << 8 | d[1];
    d[1] |= 3;
    uint32_t after = d[0] << 8 | d[1];
    uint32_t sum = (uint16_t) ~(d[10] << 8 | d[11]);
    sum += (uint16_t)~before + after;
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (uint16_t)~sum;
    d[10] = sum >> 8;
    d[11] = sum;
    return 1;
}

static void drop(Counters *k, Packet *p, int why, int data, ns now) {
    k->drops[why]++;
    k->data_drops[why] += data;
    if (now - k->event_at[why] > event_gap) {
        k->events[why]++;
        k->event_at[why] = now;
    }
    second_of(k, now)->dropped++;
    packet_free(p);
}

static int in_outage(const Config *c, ns now) {
    if (c->outage_for <= 0) return 0;
    double t = (now - phase->start) / 1e9 - c->outage_at;
    if (t < 0) return 0;
    if (c->outage_every > 0) t = fmod(t, c->outage_every);
    return t < c->outage_for;
}

static int policed(Way *w, int len, ns now) {
    if (w->c.police_rate <= 0) return 0;
    if (!w->tokens_at) w->tokens = w->c.police_burst;
    else w->tokens += (now - w->tokens_at) * w->c.police_rate / 8e9;
    if (w->tokens > w->c.police_burst) w->tokens = w->c.police_burst;
    w->tokens_at = now;
    if (w->tokens < len) return 1;
    w->tokens -= len;
    return 0;
}

static int why_dropped(Way *w, const Packet *p, ns now) {
    const Config *c = &w->c;
    if (in_outage(c, now)) return OUTAGE;
    if (c->mtu > 0 && p->len > c->mtu) return HOLE;
    if (c->drop_max > 0 && p->len >= c->drop_min && p->len <= c->drop_max) return LENGTH;
    if (happens(c->loss)) return RANDOM;
    if (c->burst_p > 0) {
        w->bad = w->bad ? !happens(c->burst_r) : happens(c->burst_p);
        if (w->bad && happens(c->burst_loss)) return BURST;
    }
    if (c->ack_thin > 1 && pure_ack(p->data, p->len) && w->acks++ % (uint64_t)c->ack_thin)
        return THINNED;
    if (policed(w, p->len, now)) return POLICER;
    return -1;
}

// The virtual line: returns the end of the packet's transmission, or 0 where the queue is full.
static ns transmit(Way *w, Counters *k, Packet *p, ns now) {
    if (w->c.rate <= 0) return now;
    while (w->head != w->tail && w->ring[w->head].start <= now) {
        w->waiting_bytes -= w->ring[w->head].len;
        w->head = (w->head + 1) % w->ring_cap;
    }
    size_t waiting = (w->tail + w->ring_cap - w->head) % w->ring_cap;
    if (w->line_free > now && (waiting >= w->c.queue_packets ||
                               w->waiting_bytes + p->len > w->c.queue_bytes || waiting + 2 > w->ring_cap))
        return 0;
    if (w->line_free < now) {
        if (w->line_free - w->busy_since >= STANDING_NS) k->standing += w->line_free - w->busy_since;
        w->busy_since = w->line_free = now;
    }
    ns start = w->line_free, took = llround(p->len * 8e9 / w->c.rate);
    ns wait = start - now;
    w->line_free = start + took;
    if (wait > 0) {
        w->ring[w->tail] = (Waiting){start, p->len};
        w->tail = (w->tail + 1) % w->ring_cap;
        w->waiting_bytes += p->len;
        if ((int64_t)waiting + 1 > k->queue_max) k->queue_max = waiting + 1;
        if (w->waiting_bytes > k->queue_max_bytes) k->queue_max_bytes = w->waiting_bytes;
    }
    if (w->c.ce_ms > 0 && wait > w->c.ce_ms * 1e6) k->ce += mark_ce(p->data);
    Second *s = second_of(k, now), *out = second_of(k, start);
    if (wait > s->wait_max) s->wait_max = wait;
    if (wait > k->wait_max) k->wait_max = wait;
    s->wait_sum += wait;
    k->packet_wait += wait;
    k->byte_wait += (double)wait * p->len;  // Little: the integral of the queue over time
    k->busy += took;
    out->busy += took;
    return w->line_free;
}

static void arrive(int way, Packet *p, ns now) {
    Way *w = &ways[way];
    Counters *k = &phase->way[way];
    if (p->len < 20 || p->data[0] >> 4 != 4) { packet_free(p); return; }
    int data = payload(p->data, p->len) > 0;
    Second *s = second_of(k, now);
    k->in++, s->in++, k->in_bytes += p->len, s->in_bytes += p->len, k->data_in += data;
    k->ect += (p->data[1] & 3) != 0;
    if (data) {
        if (!k->first) k->first = now;
        k->last = now;
    }
    int why = why_dropped(w, p, now);
    if (why >= 0) { drop(k, p, why, data, now); return; }
    ns sent = transmit(w, k, p, now);
    if (!sent) { drop(k, p, QUEUE, data, now); return; }

    s = second_of(k, sent);
    k->out++, s->out++, k->out_bytes += p->len, s->out_bytes += p->len, k->data_out += data;
    if (happens(w->c.corrupt)) {
        // The packet goes on; the receiver's checksum finds it.
        p->data[20 + (int)(uniform() * (p->len - 20))] ^= 0x55;
        k->drops[CORRUPTED]++, k->data_drops[CORRUPTED] += data, k->events[CORRUPTED]++;
    }
    ns due = sent + llround((w->c.delay + uniform() * w->c.jitter) * 1e6);
    if (data && happens(w->c.reorder)) {
        due += llround(w->c.reorder_delay * 1e6);
        k->reordered++;
    } else {
        if (due < w->last_due) due = w->last_due;
        w->last_due = due;
    }
    p->way = way;
    if (happens(w->c.duplicate)) {
        Packet *copy = packet_new();
        memcpy(copy, p, sizeof *p);
        k->duplicated++;
        heap_push(due, copy);
    }
    heap_push(due, p);
}

static void deliver_due(void) {
    for (ns now = now_ns(); heap_len && heap[0].due <= now; now = now_ns()) {
        ns late = now - heap[0].due;
        Packet *p = heap_pop();
        int64_t bucket = late / 10000;
        phase->late[bucket < LATE_BUCKETS ? bucket : LATE_BUCKETS - 1]++;
        phase->deliveries++;
        phase->late_sum += late;
        phase->over_2ms += late > 2000000;
        if (late > phase->late_max) phase->late_max = late, phase->late_max_at = now;
        if (write(ways[p->way].out_fd, p->data, p->len) < 0 && errno != EINVAL && errno != EIO)
            perror("relay: write");
        packet_free(p);
    }
}

// ---- phases and the report --------------------------------------------------------------------

static void phase_close(ns now) {
    phase->end = now;
    for (int i = 0; i < 2; i++) {
        Way *w = &ways[i];
        ns end = w->line_free < now ? w->line_free : now;
        if (end - w->busy_since >= STANDING_NS) phase->way[i].standing += end - w->busy_since;
        w->busy_since = now;
    }
}

static void phase_open(const char *name) {
    ns now = now_ns();
    if (phase) phase_close(now);
    if (phase_count == MAX_PHASES) { fprintf(stderr, "relay: more than %d phases\n", MAX_PHASES); exit(1); }
    phase = phases[phase_count++] = calloc(1, sizeof *phase);
    snprintf(phase->name, sizeof phase->name, "%s", name);
    phase->start = now;
}

static double late_quantile(const Phase *f, double q) {
    int64_t seen = 0;
    for (int i = 0; i < LATE_BUCKETS; i++)
        if ((seen += f->late[i]) >= q * f->deliveries && seen) return (i + 1) * 0.01;
    return 0;
}

static void write_way(FILE *o, const Phase *f, int way) {
    const Counters *k = &f->way[way];
    double took = (f->end - f->start) / 1e9, active = (k->last - k->first) / 1e9;
    if (took <= 0) took = 1e-9;
    fprintf(o, "{\"packets_in\": %ld, \"bytes_in\": %.0f, \"packets_out\": %ld, \"bytes_out\": %.0f, "
               "\"data_packets_in\": %ld, \"data_packets_out\": %ld,\n      \"first_data_s\": %.3f, \"last_data_s\": %.3f,",
            k->in, k->in_bytes, k->out, k->out_bytes, k->data_in, k->data_out,
            k->first ? (k->first - f->start) / 1e9 : 0.0, k->last ? (k->last - f->start) / 1e9 : 0.0);
    const struct { const char *name; const int64_t *of; } groups[] = {
        {"drops", k->drops}, {"data_drops", k->data_drops}, {"drop_events", k->events}};
    for (int g = 0; g < 3; g++) {
        fprintf(o, "\n      \"%s\": {", groups[g].name);
        for (int i = 0; i < MECHANISMS; i++)
            fprintf(o, "%s\"%s\": %ld", i ? ", " : "", MECHANISM[i], groups[g].of[i]);
        fprintf(o, "},");
    }
    fprintf(o, "\n      \"reordered\": %ld, \"duplicated\": %ld, \"ect\": %ld, \"ce_marked\": %ld,",
            k->reordered, k->duplicated, k->ect, k->ce);
    fprintf(o, "\n      \"queue_max_packets\": %ld, \"queue_max_bytes\": %.0f, \"queue_mean_bytes\": %.0f, "
               "\"wait_mean_ms\": %.3f, \"wait_max_ms\": %.3f,",
            k->queue_max, k->queue_max_bytes, k->byte_wait / 1e9 / (active > 0 ? active : took),
            k->out ? k->packet_wait / k->out / 1e6 : 0.0, k->wait_max / 1e6);
    fprintf(o, "\n      \"busy_s\": %.3f, \"busy_share\": %.4f, \"standing_queue_s\": %.3f,", k->busy / 1e9,
            active > 0 ? k->busy / 1e9 / active : 0.0, k->standing / 1e9);
    fprintf(o, "\n      \"per_second\": [");
    int seconds = (int)ceil(took);
    for (int i = 0; i < seconds && i < MAX_SECONDS; i++) {
        const Second *s = &k->series[i];
        fprintf(o, "%s\n        {\"in\": %ld, \"out\": %ld, \"out_mbit\": %.3f, \"dropped\": %.0f, \"busy\": %.3f, "
                   "\"wait_mean_ms\": %.2f, \"wait_max_ms\": %.2f}",
                i ? "," : "", s->in, s->out, s->out_bytes * 8e-6, s->dropped, s->busy / 1e9,
                s->in ? s->wait_sum / s->in / 1e6 : 0.0, s->wait_max / 1e6);
    }
    fprintf(o, "]}");
}

static void report(const char *path) {
    phase_close(now_ns());
    FILE *o = fopen(path, "w");
    if (!o) die(path);
    fprintf(o, "{\"config\": {");
    for (int way = 0; way < 2; way++) {
        fprintf(o, "%s\n  \"%s\": {", way ? "," : "", way ? "rev" : "fwd");
        for (size_t i = 0; i < KEY_COUNT; i++)
            fprintf(o, "%s\"%s\": %.10g", i ? ", " : "", KEYS[i].name, *field(&ways[way].c, &KEYS[i]));
        fprintf(o, "}");
    }
    fprintf(o, "},\n\"phases\": {");
    for (int i = 0; i < phase_count; i++) {
        const Phase *f = phases[i];
        fprintf(o, "%s\n  \"%s\": {\"seconds\": %.3f, \"deliveries\": %ld, \"late_ms\": "
                   "{\"mean\": %.4f, \"p50\": %.2f, \"p99\": %.2f, \"max\": %.3f, \"max_at_s\": %.3f, \"over_2ms\": %ld},",
                i ? "," : "", f->name, (f->end - f->start) / 1e9, f->deliveries,
                f->deliveries ? f->late_sum / f->deliveries / 1e6 : 0.0, late_quantile(f, 0.5),
                late_quantile(f, 0.99), f->late_max / 1e6, f->late_max_at ? (f->late_max_at - f->start) / 1e9 : 0.0, f->over_2ms);
        fprintf(o, "\n    \"fwd\": ");
        write_way(o, f, 0);
        fprintf(o, ",\n    \"rev\": ");
        write_way(o, f, 1);
        fprintf(o, "}");
    }
    fprintf(o, "}}\n");
    if (fclose(o)) die(path);
}

// ---- main -------------------------------------------------------------------------------------

static int tun_open(const char *name) {
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) die("/dev/net/tun");
    struct ifreq r = {0};
    snprintf(r.ifr_name, sizeof r.ifr_name, "%s", name);
    r.ifr_flags = IFF_TUN | IFF_NO_PI;
    if (ioctl(fd, TUNSETIFF, &r) < 0) die(name);
    return fd;
}

static void usage(void) {
    fprintf(stderr, "relay OUT.json TUN_A TUN_B [seed=N] [fwd.KEY=VALUE] [rev.KEY=VALUE]\n");
    for (size_t i = 0; i < KEY_COUNT; i++) fprintf(stderr, "  %-15s %s\n", KEYS[i].name, KEYS[i].meaning);
    exit(2);
}

static void configure(const char *arg) {
    const char *eq = strchr(arg, '=');
    char *end;
    double v = eq ? strtod(eq + 1, &end) : 0;
    if (!eq || end == eq + 1 || *end) usage();
    if (!strncmp(arg, "seed=", 5)) { rng_state = (uint64_t)v; return; }
    int way = !strncmp(arg, "fwd.", 4) ? 0 : !strncmp(arg, "rev.", 4) ? 1 : -1;
    if (way < 0) usage();
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strlen(KEYS[i].name) == (size_t)(eq - arg - 4) && !strncmp(arg + 4, KEYS[i].name, eq - arg - 4)) {
            *field(&ways[way].c, &KEYS[i]) = v;
            return;
        }
    usage();
}

static void receive(int way) {
    for (int i = 0; i < 64; i++) {
        Packet *p = packet_new();
        p->len = read(ways[way].in_fd, p->data, MAX_PACKET);
        if (p->len <= 0) { packet_free(p); return; }
        arrive(way, p, now_ns());
    }
}

int main(int argc, char **argv) {
    if (argc < 4) usage();
    for (int way = 0; way < 2; way++) {
        for (size_t i = 0; i < KEY_COUNT; i++) *field(&ways[way].c, &KEYS[i]) = KEYS[i].initial;
        ways[way].ring_cap = 1 << 17;
        ways[way].ring = malloc(ways[way].ring_cap * sizeof(Waiting));
    }
    for (int i = 4; i < argc; i++) configure(argv[i]);
    double rtt = ways[0].c.delay + ways[1].c.delay;
    if (rtt > 0) event_gap = llround(rtt * 1e6);
    int a = tun_open(argv[2]), b = tun_open(argv[3]);
    ways[0].in_fd = ways[1].out_fd = a;
    ways[0].out_fd = ways[1].in_fd = b;
    mlockall(MCL_CURRENT);
    phase_open("start");

    for (;;) {
        deliver_due();
        struct timespec t = {3600, 0};
        if (heap_len) {
            ns left = heap[0].due - now_ns();
            if (left < 0) left = 0;
            t = (struct timespec){left / 1000000000LL, left % 1000000000LL};
        }
        struct pollfd f[3] = {{a, POLLIN, 0}, {b, POLLIN, 0}, {0, POLLIN, 0}};
        if (ppoll(f, 3, &t, NULL) < 0 && errno != EINTR) die("ppoll");
        if (f[0].revents & POLLIN) receive(0);
        if (f[1].revents & POLLIN) receive(1);
        if (f[2].revents) {
            char line[128], name[32];
            ssize_t n = read(0, line, sizeof line - 1);
            if (n <= 0) break;
            line[n] = 0;
            if (sscanf(line, "phase %31s", name) == 1) phase_open(name);
        }
    }
    report(argv[1]);
    return 0;
}
