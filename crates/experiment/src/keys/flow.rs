//! Keys of `[[flows]]`, and checks that rows cannot express.

use crate::key::{Table, check_kinds, has_key, key, keys, value_of};
use crate::section::Section;
use crate::takes::{Boolean, BoundedQuantity, Congestion, DAY, FlowName, Number, Or, RATE, Text, Words, size, time};
use base::units::TrafficKind;
use evidence::unit::Wrong;
use plan::{ProgramEnd, Until};

/// Direction of a flow's data between its two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the first node to the second.
    Forward,
    /// From the second node to the first.
    Reverse,
    Both,
}

const DIRECTIONS: &[(&str, Direction)] =
    &[("forward", Direction::Forward), ("reverse", Direction::Reverse), ("both", Direction::Both)];

/// Words of `family`; true for IPv6.
const FAMILIES: &[(&str, bool)] = &[("ipv4", false), ("ipv6", true)];

/// Words of `protocol`; true for MPTCP.
const PROTOCOLS: &[(&str, bool)] = &[("tcp", false), ("mptcp", true)];

const KINDS: &[(&str, TrafficKind)] = &[
    ("bulk", TrafficKind::Bulk),
    ("requests", TrafficKind::Requests),
    ("udp", TrafficKind::Udp),
    ("ping", TrafficKind::Ping),
    ("program", TrafficKind::Program),
];

const PROGRAM_ENDS: &[(&str, ProgramEnd)] = &[("server", ProgramEnd::Server), ("client", ProgramEnd::Client)];

const BULK: &[&str] = &["bulk"];
const TIMED: &[&str] = &["bulk", "program"];
const PROGRAM: &[&str] = &["program"];
const TCP: &[&str] = &["bulk", "requests"];
const REQUESTS: &[&str] = &["requests"];
const COUNTED: &[&str] = &["requests", "ping"];
const DATAGRAMS: &[&str] = &["udp", "ping"];

/// Smallest buffers, bytes: half of SOCK_MIN_SNDBUF and SOCK_MIN_RCVBUF in include/net/sock.h (4,608 and 2,304 bytes).
/// The kernel doubles the requested size and raises smaller ones to these.
const SEND_BUFFER_MIN: u64 = 2304;
const RECEIVE_BUFFER_MIN: u64 = 1152;
/// Largest buffer, bytes: the kernel caps a request at half of INT_MAX before doubling it (sk_setsockopt in
/// net/core/sock.c).
const BUFFER_MAX: u64 = (i32::MAX / 2) as u64;

/// Smallest MSS, bytes: TCP_MIN_MSS in include/net/tcp.h.
pub const MSS_MIN: u64 = 88;
/// Largest payloads, bytes: the largest IPv4 packet less 40 bytes of headers, or 28 for a datagram.
const MSS_MAX: u64 = 65495;
const DATAGRAM_MAX: u64 = 65507;
/// Smallest datagram, bytes: it holds a sequence number.
const DATAGRAM_MIN: u64 = 8;

/// Largest window (RFC 7323, 2.3), bytes.
const CWND_MAX: u64 = 1 << 30;
/// Largest volume of a flow, bytes.
const BYTES_MAX: u64 = 1_000_000_000_000;
/// Longest request and response, bytes.
const MESSAGE_MAX: u64 = 1_000_000_000;
const REQUESTS_MAX: u64 = 1_000_000;
const OUTSTANDING_MAX: u64 = 10_000;
/// Largest write, bytes.
const WRITE_MAX: u64 = 16_000_000;
/// Shortest interval between pings, ns.
const INTERVAL_MIN: u64 = 1_000_000;

keys! {
    /// `[[flows]]`
    pub struct Flow {
        name: FlowName = key("name", FlowName)
            .default("its number, as in `flow 0`")
            .meaning("its name in tables, verdicts and files; cannot vary");
        kind: Words<TrafficKind> = key("kind", Words(KINDS)).default("bulk").meaning("what it does");
        from: Text = key("from", Text("a node"))
            .default("with two hosts the first (`sender`), otherwise required")
            .meaning("the node that connects, and sends bulk data: a host, a router, or a switch");
        to: Text = key("to", Text("a node"))
            .default("with two hosts the second (`receiver`), otherwise required")
            .meaning("the node that listens, likewise");
        family: Words<bool> = key("family", Words(FAMILIES))
            .default("the network's; required if that is both")
            .meaning("the IP that it uses");
        direction: Words<Direction> = key("direction", Words(DIRECTIONS))
            .meaning("*reverse* swaps the ends; *both* is a flow in each direction, forward first"),
            else Direction::Forward;
        count: Number = key("count", Number(1, 1000)).meaning("how many identical flows"), else 1;
        start: BoundedQuantity = key("start", time(0, DAY)).meaning("when the first of them starts"), else 0;
        stagger: BoundedQuantity = key("stagger", time(0, DAY))
            .meaning("time between the starts of consecutive flows of `count`"),
            else 0;
        scatter: BoundedQuantity = key("scatter", time(0, DAY))
            .meaning("random start delay per flow, uniform up to this, set by the seed"),
            else 0;
        duration: BoundedQuantity = key("duration", time(1, DAY)).default("see each kind").meaning("ends after this long");

        protocol: Words<bool> = key("protocol", Words(PROTOCOLS))
            .kinds(TCP)
            .default("tcp")
            .meaning("*mptcp*: IPPROTO_MPTCP at both ends, with a subflow over [each link of a host](#mptcp)");
        congestion: Congestion = key("congestion", Congestion)
            .kinds(TCP)
            .limit(": one that the kernel has")
            .default(
                "cubic; if an end has [`route-congestion`](#hosts) or the sysctl `net.ipv4.tcp_congestion_control`, each end uses its own default",
            )
            .meaning("TCP_CONGESTION of both ends");
        send_buffer: Or<BoundedQuantity> = key("send-buffer", Or("auto", size(SEND_BUFFER_MIN, BUFFER_MAX)))
            .kinds(TCP)
            .meaning("SO_SNDBUF of the sending end; Linux doubles it"),
            else None;
        receive_buffer: Or<BoundedQuantity> = key("receive-buffer", Or("auto", size(RECEIVE_BUFFER_MIN, BUFFER_MAX)))
            .kinds(TCP)
            .meaning("SO_RCVBUF of the receiving end; Linux doubles it"),
            else None;
        mss: BoundedQuantity = key("mss", size(MSS_MIN, MSS_MAX))
            .kinds(TCP)
            .limit(", at most the mtu less 40 B, or 60 B over IPv6")
            .default("from the mtu")
            .meaning("TCP_MAXSEG of both ends");
        nodelay: Boolean = key("nodelay", Boolean)
            .kinds(TCP)
            .default("false")
            .meaning("true: TCP_NODELAY at both ends, in place of [Nagle's algorithm](#writes)");
        max_rate: BoundedQuantity = key("max-rate", RATE)
            .kinds(TCP)
            .default("congestion control's")
            .meaning("SO_MAX_PACING_RATE of the sending end: [a cap for each flow](#writes)");
        write: BoundedQuantity = key("write", size(1, WRITE_MAX))
            .kinds(TCP)
            .default("bulk: as much as fits; requests: a whole message")
            .meaning("most bytes of a [write(2)](#writes)");
        pause: BoundedQuantity = key("pause", time(0, DAY))
            .kinds(TCP)
            .limit(", only with `write`")
            .meaning("from one write to the next"),
            else 0;

        bytes: BoundedQuantity = key("bytes", size(1, BYTES_MAX))
            .kinds(BULK)
            .default("this or `duration` is required")
            .meaning("closed (FIN) after this many");
        on: BoundedQuantity = key("on", time(1, DAY))
            .kinds(BULK)
            .limit(", with `off`")
            .default("always on")
            .meaning("the application writes for this long");
        off: BoundedQuantity = key("off", time(1, DAY))
            .kinds(BULK)
            .limit(", with `on`")
            .meaning("then pauses for this long, and so on from the start");
        send_rate: BoundedQuantity = key("send-rate", RATE)
            .kinds(BULK)
            .default("as fast as it can")
            .meaning("writes a chunk every 1 ms, or 1448 B at a time if that is less often");
        read_rate: BoundedQuantity =
            key("read-rate", RATE).kinds(BULK).default("as fast as it can").meaning("the receiver reads likewise");
        via: Text = key("via", Text("a host, or `\"none\"`"))
            .kinds(BULK)
            .default("none")
            .meaning("a program on that host ends the connection and sends on what it brings");
        omit: BoundedQuantity = key("omit", time(1, DAY))
            .kinds(TIMED)
            .limit(", less than `duration`")
            .default("nothing")
            .meaning(
                "goodput, shares of it, retransmissions, RTT and cwnd count from this long after the flow's start, as with \
                 `iperf3 -O`; other measures cover the whole flow",
            );
        slow_start_ends: BoundedQuantity = key("slow-start-ends", size(1, CWND_MAX))
            .kinds(BULK)
            .default("when the congestion control ends it")
            .meaning("our module: slow start ends at a cwnd of this size, and nothing is lost");

        request: BoundedQuantity =
            key("request", size(1, MESSAGE_MAX)).kinds(REQUESTS).meaning("what the client sends"), else 100;
        response: BoundedQuantity =
            key("response", size(1, MESSAGE_MAX)).kinds(REQUESTS).meaning("what the server sends back"), else 10_000;
        think: BoundedQuantity = key("think", time(0, DAY))
            .kinds(REQUESTS)
            .meaning("from the end of a response to the next request"),
            else 0;
        outstanding: Number = key("outstanding", Number(1, OUTSTANDING_MAX))
            .kinds(REQUESTS)
            .meaning("most requests without their whole response, as `sftp -R`"),
            else 1;
        requests: Number = key("requests", Number(1, REQUESTS_MAX))
            .kinds(COUNTED)
            .default("this or `duration` is required")
            .meaning("ends after this many");

        rate: BoundedQuantity = key("rate", RATE)
            .kinds(&["udp"])
            .required(|wrong| wrong.hint("add rate = \"1 Mbit/s\": of the payload"))
            .meaning("of the payload");
        size: BoundedQuantity = key("size", size(DATAGRAM_MIN, DATAGRAM_MAX))
            .kinds(DATAGRAMS)
            .limit(", at most the mtu less 28 B, or 48 B over IPv6")
            .default("udp: 1200 B, or what fits the mtu if that is less; ping: 56 B")
            .meaning("payload of each packet");
        interval: BoundedQuantity = key("interval", time(INTERVAL_MIN, DAY))
            .kinds(&["ping"])
            .meaning("from one request to the next"),
            else 100_000_000;

        server: Text = key("server", Text("a command line with {port}"))
            .kinds(PROGRAM)
            .required(|wrong| wrong.hint("add server = \"iperf3 --server --one-off --port {port}\""))
            .meaning("a program that runs on `to` and listens on UDP or TCP port `{port}`");
        client: Text = key("client", Text("a command line with {port}"))
            .kinds(PROGRAM)
            .required(|wrong| wrong.hint("add client = \"iperf3 --client {address} --port {port}\""))
            .meaning("the program that runs on `from`, from the flow's start on; the flow ends with it");
        sends: Words<ProgramEnd> = key("sends", Words(PROGRAM_ENDS))
            .kinds(PROGRAM)
            .meaning("the program that sends most of the data"),
            else ProgramEnd::Server;
    }
}

impl Flow {
    /// Returns the kind of traffic; bulk by default.
    pub fn traffic(&self) -> TrafficKind {
        self.kind.as_ref().map_or(TrafficKind::Bulk, |kind| *kind.get_ref())
    }

    /// Returns when the flow ends.
    pub fn until(&self) -> Option<Until> {
        let counted = match self.traffic() {
            TrafficKind::Bulk => value_of(&self.bytes).map(Until::Bytes),
            TrafficKind::Requests | TrafficKind::Ping => value_of(&self.requests).map(Until::Exchanges),
            TrafficKind::Udp => None,
            TrafficKind::Program => Some(Until::Exit),
        };
        value_of(&self.duration).map(Until::Duration).or(counted)
    }

    /// Returns for how long the sender writes and pauses in turn, ns.
    pub fn on_off(&self) -> Option<(u64, u64)> {
        value_of(&self.on).zip(value_of(&self.off))
    }
}

/// Word of `via` for a flow without a relay.
const DIRECT: &str = "none";

/// Reads a `[[flows]]`; with two hosts (`of_two`) it need not name its ends.
pub fn flow(mut section: Section, of_two: bool) -> Flow {
    let kind = value_of(&Flow::kind().read(&mut section));
    // If the kind is unknown, nobody can tell which keys are wrong.
    let known = kind.or((!section.has("kind")).then_some(TrafficKind::Bulk));
    if let Some(known) = known {
        check_kinds(&mut section, "a flow", ["kind", known.name()], kind.is_some(), &Flow::keys());
    }
    if !of_two {
        need_end(&mut section, "from", "add from = \"…\": the node that connects");
        need_end(&mut section, "to", "add to = \"…\": the node that listens");
    }
    let mut flow = Flow::read(&mut section);
    flow.via = flow.via.filter(|via| via.get_ref() != DIRECT);
    check_turns(&mut section, &flow);
    check_writes(&section, &flow);
    check_programs(&section, &flow);
    if let Some(known) = known {
        check_end(&mut section, &flow, known);
    }
    section.finish();
    flow
}

/// True if flows of the named kind have the key. A flow of an unknown kind has every key.
pub fn can_have(kind: Option<&str>, key: &str) -> bool {
    let kind = kind.unwrap_or(TrafficKind::Bulk.name());
    let is_known =
        [TrafficKind::Bulk, TrafficKind::Requests, TrafficKind::Udp, TrafficKind::Ping, TrafficKind::Program]
            .iter()
            .any(|known| known.name() == kind);
    !is_known || has_key(kind, key, &Flow::keys())
}

fn need_end(section: &mut Section, key: &'static str, hint: &str) {
    if !section.has(key) {
        section.lack(key, |wrong| wrong.note("only in a network of two hosts it is clear which is meant").hint(hint));
    }
}

/// Shortest period in which an application writes and pauses once, ns.
const PERIOD_MIN: u64 = 1_000_000;

/// Checks that `on` and `off` are written together and are long enough.
fn check_turns(section: &mut Section, flow: &Flow) {
    if let (Some(on), Some(off)) = (&flow.on, &flow.off)
        && on.get_ref() + off.get_ref() < PERIOD_MIN
    {
        let wrong = Wrong::new("on and off together are shorter than an application can take turns");
        section.reader().fault(off.span(), wrong.accepted("1 ms or more in all"));
    }
    for (key, other) in [("on", "off"), ("off", "on")] {
        if section.has(key) && !section.has(other) {
            section.lack(other, |w| {
                w.note("a flow that pauses has both on and off").hint(format!("add {other} = \"1 s\""))
            });
        }
    }
}

/// Checks that only a program that writes in parts pauses between them, and that it has no rate besides.
fn check_writes(section: &Section, flow: &Flow) {
    if section.has("pause") && flow.write.is_none() && !section.has("write") {
        let wrong = Wrong::new("[[flows]] has a pause and no write").note("the pause is between two writes");
        section.reader().fault(section.place("pause"), wrong.hint("add write = \"16 KiB\", or remove pause"));
    }
    if let (Some(write), Some(_)) = (&flow.write, &flow.send_rate) {
        let wrong = Wrong::new("[[flows]] has both write and send-rate");
        let wrong = wrong.note("a program that writes at a rate has writes of 1 ms");
        section.reader().fault(write.span(), wrong.hint("write pause in place of send-rate"));
    }
}

/// Checks that both programs use the flow's port, by which its packets are told.
fn check_programs(section: &Section, flow: &Flow) {
    for (key, line) in [("server", &flow.server), ("client", &flow.client)] {
        if let Some(line) = line.as_ref().filter(|line| !line.get_ref().contains("{port}")) {
            let wrong = Wrong::new(format!("{key} does not have {{port}}"));
            let wrong = wrong.note("each flow has a port of its own, and its packets are told by it");
            section.reader().fault(line.span(), wrong.hint("write {port} in place of the port"));
        }
    }
}

/// Checks that the flow ends either after a time or after what its kind counts, not both.
fn check_end(section: &mut Section, flow: &Flow, kind: TrafficKind) {
    let (key, counted, example) = match kind {
        TrafficKind::Bulk => ("bytes", flow.bytes.as_ref(), ", or bytes = \"10 MB\""),
        TrafficKind::Requests | TrafficKind::Ping => ("requests", flow.requests.as_ref(), ", or requests = 100"),
        TrafficKind::Program => return,
        TrafficKind::Udp => {
            if !section.has("duration") {
                section.lack("duration", |w| w.hint("add duration = \"30 s\""));
            }
            return;
        }
    };
    if let Some(counted) = counted.filter(|_| flow.duration.is_some()) {
        let wrong = Wrong::new(format!("[[flows]] has both duration and {key}"));
        let note = format!("a flow ends after a time or after a number of {key}, not both");
        section.reader().fault(counted.span(), wrong.note(note));
    }
    if section.is_there() && !section.has("duration") && !section.has(key) {
        let wrong = Wrong::new(format!("[[flows]] has neither duration nor {key}"));
        section.lack_any(&["duration", key], wrong.hint(format!("add duration = \"30 s\"{example}")));
    }
}
