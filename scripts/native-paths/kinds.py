"""What a path can be: a base (rate, RTT, queue, programs) and causes that are put on it.

A cause draws its parameters from a generator of its own, so a path can be built again without
one of its causes and is otherwise the same.
"""

import math
import random
from dataclasses import dataclass, field
from string import ascii_lowercase

PACKET = 1500
DEFAULT_WMEM = "4096 16384 4194304"
LARGE_WMEM = "4096 65536 33554432"


@dataclass
class Spec:
    seed: int
    rate: float            # Mbit/s of IP packets
    rtt: float             # ms
    queue: float           # of the bandwidth-delay product
    causes: list           # names in CAUSES that were applied
    program: str = "iperf3"          # iperf3 | http | stream | requests | short
    iperf: list = field(default_factory=list)
    seconds: int = 10
    reverse: bool = False            # the iperf3 client is at the receiver (-R)
    fwd: dict = field(default_factory=dict)
    rev: dict = field(default_factory=dict)
    sender: dict = field(default_factory=dict)    # sysctls
    receiver: dict = field(default_factory=dict)
    cross: str = ""                  # udp | tcp: another pair of hosts on the same line
    cross_mbit: float = 0
    args: dict = field(default_factory=dict)      # of programs that are not iperf3
    offload: bool = True
    gro_ns: int = 0                  # the receiver's NIC gathers packets for so long
    dates: str = ""                  # the `date` format between ss samples
    receiver_capture: bool = False
    loaded_ping: bool = False
    extras: list = field(default_factory=list)    # nstat | link | tc
    parameters: dict = field(default_factory=dict)
    tag: str = ""                    # the sort of a healthy path

    @property
    def bdp(self):
        return self.rate * 1e6 / 8 * self.rtt / 1e3

    @property
    def packets(self):
        return self.bdp / PACKET


def log_uniform(r, lo, hi):
    return math.exp(r.uniform(math.log(lo), math.log(hi)))


# ---- causes: cause(spec, generator) ---------------------------------------------------------

def receive_window_rmem(s, r):
    part = r.uniform(0.15, 0.6)
    high = int(2 * part * s.bdp)
    s.receiver["net.ipv4.tcp_rmem"] = f"4096 {min(131072, high)} {high}"
    return {"tcp_rmem_max": high, "of_bdp": part}


def receive_window_w(s, r):
    part = r.uniform(0.15, 0.6)
    kilobytes = max(8, int(part * s.bdp / 1024))
    s.iperf += ["-w", f"{kilobytes}K"]
    return {"w_kbyte": kilobytes, "of_bdp": part}


def receive_window_program(s, r):
    part = r.uniform(0.15, 0.6)
    s.program, s.args["rcvbuf"] = "stream", int(part * s.bdp)
    return {"SO_RCVBUF": s.args["rcvbuf"], "of_bdp": part}


def receive_window_no_scaling(s, r):
    r.choice((s.receiver, s.sender))["net.ipv4.tcp_window_scaling"] = "0"
    return {"tcp_window_scaling": 0}


def send_buffer_wmem(s, r):
    part = r.uniform(0.15, 0.6)
    high = int(2 * part * s.bdp)
    s.sender["net.ipv4.tcp_wmem"] = f"4096 {min(16384, high)} {high}"
    return {"tcp_wmem_max": high, "of_bdp": part}


def send_buffer_program(s, r):
    part = r.uniform(0.15, 0.5)
    s.program, s.args["sndbuf"] = "stream", int(part * s.bdp)
    return {"SO_SNDBUF": s.args["sndbuf"], "of_bdp": part}


def biting_loss(s, r, lo, hi):
    """A loss event probability at which 1.3/sqrt(p) packets are a quarter to 0.6 of the BDP."""
    window = r.uniform(0.2, 0.55) * s.packets
    return min(hi, max(lo, (1.3 / window) ** 2))


def random_loss(s, r):
    s.fwd["loss"] = biting_loss(s, r, 0.0005, 0.03)
    return {"loss": s.fwd["loss"]}


def burst_loss(s, r):
    length = r.uniform(3, 15)
    event = biting_loss(s, r, 0.0001, 0.01)
    s.fwd.update(burst_p=event, burst_r=1 / length, burst_loss=r.choice((1, 1, 0.7)))
    return {"burst_p": event, "burst_packets": length}


def policer(s, r, burst, part=None):
    part = part or r.uniform(0.2, 0.6)
    s.fwd.update(police_rate=part * s.rate * 1e6, police_burst=burst)
    return {"police_mbit": part * s.rate, "police_burst": burst}


def policer_small(s, r):
    return policer(s, r, r.uniform(8, 30) * PACKET)


def policer_large(s, r):
    return policer(s, r, max(40 * PACKET, r.uniform(0.2, 1.5) * 0.4 * s.rate * 1e6 / 8))


def policer_bbr(s, r):
    s.iperf += ["-C", "bbr"]
    return policer(s, r, max(20 * PACKET, r.uniform(0.02, 0.5) * 0.4 * s.rate * 1e6 / 8))


def shallow_buffer(s, r):
    s.queue = r.uniform(0.01, 0.05)
    if r.random() < 0.5:
        s.iperf += ["-C", "reno"]
    return {"queue_of_bdp": s.queue}


def bufferbloat(s, r):
    s.queue = r.uniform(4, 10)
    s.loaded_ping = True
    return {"queue_of_bdp": s.queue}


def outage(s, r):
    s.seconds = max(s.seconds, 14)
    at, length = r.uniform(2, 6), r.uniform(1, 5)
    for way in (s.fwd, s.rev):
        way.update(outage_at=at, outage_for=length)
    return {"at_s": at, "for_s": length}


def mtu_hole(s, r):
    size = r.choice((1280, 1372, 1400, 1420, 1450, 1476, 1492))
    for way in (s.fwd, s.rev):
        way["mtu"] = size
    return {"mtu": size}


def mtu_hole_probed(s, r):
    s.seconds = max(s.seconds, 14)
    s.sender["net.ipv4.tcp_mtu_probing"] = s.receiver["net.ipv4.tcp_mtu_probing"] = "1"
    return mtu_hole(s, r)


def length_fault(s, r):
    """Small writes whose packets fall into the range that is lost; full-size packets pass."""
    payload = r.randint(200, 1000)
    lo = payload + 52 - r.randint(4, 60)
    s.fwd.update(drop_min=lo, drop_max=payload + 52 + r.randint(4, 60))
    if r.random() < 0.5:
        s.program = "requests"
        s.args.update(writes=[payload], nodelay=True, share=0.1)
    else:
        s.iperf += ["-l", str(payload), "-N", "-b", f"{min(2.0, 0.3 * s.rate):.2f}M"]
    return {"from": lo, "to": s.fwd["drop_max"]}


def reordering(s, r):
    share, delay = r.uniform(0.01, 0.1), r.uniform(0.2, 1.0)
    s.fwd.update(reorder=share, reorder_delay=delay * s.rtt)
    if r.random() < 0.5:
        s.receiver["net.ipv4.tcp_dsack"] = "0"
    return {"share": share, "delay_of_rtt": delay}


def ecn(s, r):
    s.sender["net.ipv4.tcp_ecn"] = s.receiver["net.ipv4.tcp_ecn"] = "1"
    s.fwd["ce_ms"] = r.uniform(0.002, 0.03) * s.rtt
    if r.random() < 0.5:
        s.iperf += ["-C", "reno"]
    return {"ce_ms": s.fwd["ce_ms"]}


def application_b(s, r):
    part = r.uniform(0.1, 0.6)
    s.iperf += ["-b", f"{part * s.rate:.2f}M"]
    return {"b_mbit": part * s.rate}


def application_program(s, r):
    part = r.uniform(0.1, 0.6)
    s.program = "stream"
    s.args.update(write_rate=part * s.rate * 1e6 / 8, chunk=r.choice((4096, 16384, 65536)))
    return {"write_mbit": part * s.rate}


def slow_reader(s, r):
    part = r.uniform(0.1, 0.6)
    if r.random() < 0.5 and part * s.rate * 125 > 100:
        s.program = "http"
        s.args["limit_rate"] = f"{int(part * s.rate * 125)}k"
    else:
        s.program = "stream"
        s.args["read_rate"] = part * s.rate * 1e6 / 8
    return {"read_mbit": part * s.rate}


def no_length_fault(s):
    del s.fwd["drop_min"], s.fwd["drop_max"]


def no_nagle(s):
    s.args["nodelay"] = True


def nagle(s, r):
    s.program = "requests"
    s.args.update(writes=[r.randint(8, 60), r.randint(20, 400)], nodelay=False)
    return {"writes": s.args["writes"]}


def short_flows(s, r):
    s.program = "short"
    s.args["object"] = r.choice((4, 16, 50, 100)) * 1024
    return {"object_bytes": s.args["object"]}


def ack_path(s, r):
    """A pure ACK has 52 bytes and stands for two segments: full speed needs 1.7 % of the line."""
    part = r.uniform(0.003, 0.009)
    packets = r.choice((20, 100, 500))
    s.rev.update(rate=part * s.rate * 1e6, queue_packets=packets)
    return {"ack_line_mbit": part * s.rate, "queue_packets": packets}


@dataclass(frozen=True)
class Cause:
    word: str              # as in label.json
    apply: object
    rate: tuple = (2, 200)
    rtt: tuple = (2, 200)
    packets: tuple = (15, 1500)      # BDP
    iperf_only: bool = False         # it is an option of iperf3
    undo: object = None              # where leaving it out would change the program too


CAUSES = {
    "receive-window-rmem": Cause("receive-window", receive_window_rmem, packets=(60, 1500)),
    "receive-window-w": Cause("receive-window", receive_window_w, packets=(60, 1500), iperf_only=True),
    "receive-window-program": Cause("receive-window", receive_window_program, packets=(60, 1500)),
    "receive-window-no-scaling": Cause("receive-window", receive_window_no_scaling, packets=(110, 1500)),
    "send-buffer-wmem": Cause("send-buffer", send_buffer_wmem, packets=(80, 1500)),
    "send-buffer-program": Cause("send-buffer", send_buffer_program, packets=(80, 1500)),
    "random-loss": Cause("random-loss", random_loss, packets=(40, 800), rtt=(5, 200)),
    "burst-loss": Cause("burst-loss", burst_loss, packets=(60, 800), rtt=(5, 200)),
    "policer-small": Cause("policer", policer_small, rate=(8, 200), packets=(20, 600)),
    "policer-large": Cause("policer", policer_large, rate=(8, 200), packets=(20, 600)),
    "policer-bbr": Cause("policer", policer_bbr, rate=(8, 200), packets=(20, 600), iperf_only=True),
    "shallow-buffer": Cause("shallow-buffer", shallow_buffer, packets=(80, 500), rtt=(10, 200)),
    "bufferbloat": Cause("bufferbloat", bufferbloat, rate=(2, 60), rtt=(5, 60), packets=(8, 150)),
    "outage": Cause("outage", outage, packets=(10, 400)),
    "mtu-hole": Cause("mtu-hole", mtu_hole),
    "mtu-hole-probed": Cause("mtu-hole-probed", mtu_hole_probed, rtt=(2, 100), packets=(10, 300)),
    "length-fault": Cause("length-fault", length_fault, rtt=(2, 100), undo=no_length_fault),
    "reordering": Cause("reordering", reordering, rtt=(15, 200), packets=(60, 600)),
    "ecn": Cause("ecn", ecn, rtt=(10, 200), packets=(60, 500)),
    "application-b": Cause("application", application_b, iperf_only=True),
    "application-program": Cause("application", application_program),
    "slow-reader": Cause("slow-reader", slow_reader, packets=(15, 400)),
    "nagle": Cause("nagle", nagle, rtt=(2, 60), undo=no_nagle),
    "short-flows": Cause("short-flows", short_flows, rtt=(10, 200), packets=(60, 1500)),
    "ack-path": Cause("ack-path", ack_path, rate=(20, 200), packets=(40, 600)),
}

PAIRS = [
    ("receive-window-rmem", "random-loss"), ("receive-window-w", "burst-loss"),
    ("send-buffer-wmem", "random-loss"), ("outage", "random-loss"), ("outage", "receive-window-rmem"),
    ("policer-small", "receive-window-rmem"), ("application-b", "random-loss"), ("application-b", "outage"),
    ("bufferbloat", "outage"), ("shallow-buffer", "random-loss"), ("reordering", "random-loss"),
    ("reordering", "receive-window-rmem"), ("ack-path", "random-loss"), ("slow-reader", "random-loss"),
    ("mtu-hole-probed", "random-loss"), ("ecn", "receive-window-rmem"), ("nagle", "random-loss"),
    ("short-flows", "random-loss"), ("policer-large", "outage"), ("bufferbloat", "ack-path"),
    ("send-buffer-wmem", "outage"), ("policer-large", "random-loss"), ("ack-path", "receive-window-rmem"),
    ("receive-window-rmem", "send-buffer-wmem"), ("slow-reader", "outage"), ("burst-loss", "policer-small"),
    ("send-buffer-wmem", "reordering"), ("application-program", "burst-loss"),
]


# ---- healthy paths --------------------------------------------------------------------------

def iperf_options(*options):
    return lambda s, r: s.iperf.extend(options)


def healthy_short(s, r):
    s.seconds = r.choice((3, 4, 5))


def healthy_reverse(s, r):
    s.reverse = True


def healthy_udp(s, r):
    s.cross, s.cross_mbit = "udp", r.uniform(0.2, 0.5) * s.rate


def healthy_tcp(s, r):
    s.cross = "tcp"


def healthy_http(s, r):
    s.program = "http"


HEALTHY = {  # tag: (queue of the BDP, what else, limits)
    "queue-0.3": (0.3, None, {"packets": (60, 400), "rtt": (10, 200)}),
    "queue-1": (1, None, {}),
    "queue-3": (3, None, {"packets": (10, 150)}),
    "four-streams": (1, iperf_options("-P", "4"), {"packets": (40, 400)}),
    "bbr": (1.5, iperf_options("-C", "bbr"), {}),
    "reno": (1.2, iperf_options("-C", "reno"), {"packets": (10, 100)}),
    "reverse": (1, healthy_reverse, {}),
    "short": (1, healthy_short, {"packets": (10, 100), "rtt": (2, 30)}),
    "beside-udp": (1, healthy_udp, {}),
    "beside-tcp": (1.5, healthy_tcp, {"packets": (20, 200)}),
    "http": (1, healthy_http, {}),
    "omit-mss": (1, iperf_options("-O", "2", "-M", "1200"), {}),
    "bidir": (1.5, iperf_options("--bidir"), {"packets": (20, 200), "rtt": (2, 40)}),
    "no-offload-8-streams": (2, iperf_options("-P", "8"), {"packets": (60, 200)}),
}


# ---- drawing --------------------------------------------------------------------------------

def within(limits, value):
    return limits[0] <= value <= limits[1]


def draw_base(r, limits):
    while True:
        rate, rtt = log_uniform(r, 2, 200), log_uniform(r, 2, 200)
        packets = rate * rtt * 125 / PACKET
        if all(within(l["rate"], rate) and within(l["rtt"], rtt) and within(l["packets"], packets)
               for l in limits):
            return rate, rtt


def build(seed, causes=(), tag="", without=None):
    """The path of this seed; `without` leaves one cause out and everything else as it was."""
    r = random.Random(f"base {seed}")
    limits = [{"rate": c.rate, "rtt": c.rtt, "packets": c.packets} for c in map(CAUSES.get, causes)]
    limits.append({"rate": (2, 200), "rtt": (2, 200), "packets": (10, 400 if tag else 1500)} |
                  (HEALTHY[tag][2] if tag else {}))
    rate, rtt = draw_base(r, limits)
    s = Spec(seed, round(rate, 1) if rate < 10 else round(rate), round(rtt, 1) if rtt < 10 else round(rtt),
             HEALTHY[tag][0] if tag else r.choice((0.7, 1, 1.5, 2)), [c for c in causes if c != without or CAUSES[c].undo], tag=tag)
    s.seconds = r.choice((10, 10, 10, 12, 15))
    s.offload = r.random() < 0.55 and tag != "no-offload-8-streams"
    s.gro_ns = r.choice((0, 0, 0, 300000))
    s.dates = r.choice(("", "", "%a %b %e %H:%M:%S %Z %Y", "%s.%N", "%Y-%m-%dT%H:%M:%S%:z"))
    s.receiver_capture = r.random() < 0.3
    s.loaded_ping = r.random() < 0.2
    s.extras = [e for e in ("nstat", "link", "tc") if r.random() < 0.4]
    options = {"streams": r.choice((1, 1, 1, 1, 2, 4)), "congestion": r.choice(("", "", "", "", "reno")),
               "mss": r.choice((0,) * 7 + (1300,)), "interval": r.choice((1, 1, 1, 0.5)),
               "omit": r.choice((0,) * 7 + (2,)), "reverse": r.random() < 0.15}
    iperf_only = any(CAUSES[c].iperf_only for c in causes)
    if tag and HEALTHY[tag][1]:
        HEALTHY[tag][1](s, random.Random(f"healthy {seed}"))
    for c in s.causes:
        s.parameters[c] = CAUSES[c].apply(s, random.Random(f"{c} {seed}"))
    if without and CAUSES[without].undo:
        CAUSES[without].undo(s)
    if iperf_only and s.program != "iperf3":
        raise ValueError(f"{causes}: an option of iperf3 with another program")
    if causes:
        windows = {"receive-window", "send-buffer", "mtu-hole", "length-fault", "short-flows", "application"}
        several = not windows & {CAUSES[c].word for c in causes} and "random-loss" not in causes
        if several and options["streams"] > 1:
            s.iperf += ["-P", str(options["streams"])]
        if options["congestion"] and "-C" not in s.iperf:
            s.iperf += ["-C", options["congestion"]]
        if options["mss"] and not {"mtu-hole", "mtu-hole-probed", "length-fault"} & set(causes):
            s.iperf += ["-M", str(options["mss"])]
        if options["omit"] and "outage" not in causes:
            s.iperf += ["-O", str(options["omit"])]
        s.reverse = options["reverse"] and s.program == "iperf3"
    # Programs that are not iperf3 take their congestion control from the system.
    control = "bbr" if tag == "http" and options["streams"] > 1 else options["congestion"] or "cubic"
    s.sender["net.ipv4.tcp_congestion_control"] = control if s.program != "iperf3" else "cubic"
    s.receiver["net.ipv4.tcp_congestion_control"] = "cubic"
    if s.program != "iperf3":
        s.iperf = []
    elif options["interval"] != 1:
        s.iperf += ["-i", str(options["interval"])]
    queue = max(4, s.queue * s.packets)
    if s.bdp * (1 + s.queue) > 1e6 and "net.ipv4.tcp_wmem" not in s.sender:
        s.sender["net.ipv4.tcp_wmem"] = LARGE_WMEM
    s.fwd = {"rate": s.rate * 1e6, "delay": s.rtt / 2, "queue_packets": round(queue)} | s.fwd
    s.rev = {"rate": s.rate * 1e6, "delay": s.rtt / 2, "queue_packets": round(max(100, queue))} | s.rev
    return s


def deal(deck, seed, which, each):
    """Hand `which` of a shuffled deck that is gone through again and again: equal numbers of each."""
    order, r = [], random.Random(f"deck {seed}")
    while len(order) < (which + 1) * each:
        order += r.sample(deck, len(deck))
    return order[which * each:(which + 1) * each]


def draw_set(which, seed, healthy=9, single=15, pairs=12):
    """The paths of set number `which` (0, 1, 2 ...): (name, build arguments)."""
    plans = [dict(tag=t) for t in deal(list(HEALTHY), 1, which, healthy)]
    plans += [dict(causes=(c,)) for c in deal(list(CAUSES), 2, which, single)]
    plans += [dict(causes=p) for p in deal(PAIRS, 3, which, pairs)]
    random.Random(f"order {seed}").shuffle(plans)
    return [(f"{ascii_lowercase[which]}{i + 1:02}", dict(seed=seed * 1000 + i, **p)) for i, p in enumerate(plans)]


if __name__ == "__main__":
    for which in range(3):
        for name, plan in draw_set(which, 41 + which):
            s = build(**plan)
            print(name, s.tag or "+".join(s.causes), s.rate, s.rtt, f"{s.queue:.2f}", round(s.packets),
                  s.program, *s.iperf, s.seconds, "-R" if s.reverse else "", s.parameters)
