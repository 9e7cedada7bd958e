//! Advises settings of hosts for a path: from rate, RTT and loss to buffers, congestion control, MTU and offloads.
//!
//! Pure: a [`AdviseRequest`] gives an [`Advice`]. `expectation` has the expected goodput of each congestion control,
//! `folklore` common mistakes, `files` the files to install, and `render` the page. The remedies are those of
//! [`crate::remedy`].

mod expectation;
mod files;
pub mod folklore;
mod render;
mod request;

pub use expectation::Expectation;
pub use files::{Written, written};
pub use render::render;
pub use request::AdviseRequest;

use crate::remedy::{At, Remedy, Side, catalogue};
use base::model::WINDOW_PER_BDP;
use base::model::buffer;
use base::model::response::{self, Path};
use base::model::tunnel;
use base::show;
use base::units::Unit;
use evidence::System;
use evidence::platform::Platform;
use expectation::Choice;
use folklore::{Folklore, Topic};

use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct Advice {
    pub request: AdviseRequest,
    /// Answer in one or more sentences.
    pub answer: Vec<String>,
    /// Payload of a full segment, bytes.
    pub mss: u32,
    /// Largest payload rate of the link, all flows together, bit/s.
    pub line: f64,
    /// Bandwidth-delay product of the link, bytes.
    pub bdp: u64,
    /// Rate that each flow can reach, bit/s of payload: its share of the link, or what loss leaves of it.
    pub reach: f64,
    /// Window that a flow needs for that rate, bytes.
    pub window: u64,
    /// Default and needed sizes of the buffers.
    pub buffers: [Buffer; 2],
    /// Expected goodput of each congestion control.
    pub expected: Vec<Expectation>,
    /// MTU and MSS inside the tunnel.
    pub inside: Option<Inside>,
    /// Memory that the buffers may take.
    pub memory: Memory,
    /// Remedies, in order.
    pub remedies: Vec<Remedy>,
    /// Settings to leave alone, and common mistakes.
    pub folklore: Vec<&'static Folklore>,
    pub doubts: Vec<String>,
    pub steps: Vec<SumStep>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Buffer {
    /// Name: `receive` or `send`.
    pub name: &'static str,
    /// Setting that caps it.
    pub setting: &'static str,
    /// Default size, bytes.
    pub default: u64,
    /// Window or bytes in flight that the default allows, bytes.
    pub default_window: u64,
    /// Needed size, bytes.
    pub needed: u64,
}

impl Buffer {
    /// Whether the default is large enough.
    pub(crate) fn suffices(&self, window: u64) -> bool {
        self.default_window >= window
    }
}

/// Lengths inside a tunnel, bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inside {
    pub mtu: u32,
    /// MSS of TCP over IPv4 and over IPv6.
    pub mss: [u32; 2],
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// Number of connections in the request.
    pub connections: u32,
    /// Memory if all connections fill both buffers, bytes.
    pub worst: u64,
    /// Memory if the flows fill the link and the programs read what arrives, bytes.
    pub typical: u64,
    /// Worst case in the pages that Linux's tcp_mem counts.
    pub pages: u64,
    /// Memory of a machine whose tcp_mem allows the worst case by default, bytes.
    pub machine: u64,
}

/// A step of the arithmetic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SumStep {
    pub what: String,
    /// Formula with its numbers and the result.
    pub sum: String,
    /// Source of the formula.
    pub source: &'static str,
}

fn step(what: impl Into<String>, sum: String, source: &'static str) -> SumStep {
    SumStep { what: what.into(), sum, source }
}

/// Returns the advice for a path.
pub fn advise(request: &AdviseRequest) -> Advice {
    let inside = tunnel::nested(&request.tunnels(), request.outer).filter(|_| request.tunnel.is_some());
    let inside = inside.map(Inside::from_mtu);
    let mtu = inside.as_ref().map_or(request.outer.mtu, |inside| inside.mtu);
    let mss = tunnel::payload(mtu, request.route.as_ref().is_some_and(|route| route.ipv6)).max(1);
    let line = request.rate * f64::from(mss) / f64::from(request.outer.mtu.max(mtu) + ETHERNET_BYTES);
    let flows = f64::from(request.flows.max(1));
    let bdp = bytes(request.rate * request.rtt / 8.0);
    let path = Path { rate: line / flows, rtt: request.rtt, mss: f64::from(mss) };
    let expected = expectation::all(request, &path);
    let choice = expectation::choose(request, line, &expected);
    let reach = choice.rate / flows;
    let window = window(request, &path, reach);
    let buffers = buffers(&request.platform, window);
    let mut advice = Advice {
        request: request.clone(),
        answer: vec![],
        mss,
        line,
        bdp,
        reach,
        window,
        memory: Memory::estimate(request, bytes(choice.rate * request.rtt / 8.0), &buffers),
        buffers,
        remedies: vec![],
        folklore: folklore::for_platform(&request.platform, &topics(request)),
        doubts: vec![],
        steps: vec![],
        inside,
        expected,
    };
    advice.remedies = remedies(&advice, &choice);
    advice.answer = advice.answer(&choice);
    advice.doubts = advice.doubts(&path, &choice);
    advice.steps = advice.steps(&path);
    advice
}

/// Bytes on the wire in addition to an IP packet: header 14, FCS 4, preamble 8, gap 12 (IEEE 802.3).
const ETHERNET_BYTES: u32 = 38;

fn bytes(size: f64) -> u64 {
    size.round().max(1.0) as u64
}

/// Largest over mean window of a flow that loss limits, with a margin: CUBIC's swings from 0.76 to 1.08 with regular
/// losses.
const WINDOW_SWING_RATIO: f64 = 1.5;

/// Returns the window that a flow needs: two bandwidth-delay products of its share of the link, since one is in flight
/// while another waits for the repair of a loss. If loss limits the flow, the window follows the rate that loss
/// allows.
fn window(request: &AdviseRequest, path: &Path, reach: f64) -> u64 {
    let share = request.rate / f64::from(request.flows.max(1));
    let held_down = reach < expectation::SUFFICIENT_LINK_SHARE * path.rate;
    let rate = if held_down { WINDOW_SWING_RATIO * reach } else { WINDOW_PER_BDP * share };
    bytes(rate * request.rtt / 8.0).min(buffer::LARGEST_WINDOW)
}

fn topics(request: &AdviseRequest) -> Vec<Topic> {
    let mut topics = vec![Topic::Buffers, Topic::Congestion];
    let more = [
        (request.tunnel.is_some(), [Topic::Mtu].as_slice()),
        (request.loss.is_some(), &[Topic::Measuring]),
        (request.connections > 1, &[Topic::Connections]),
    ];
    topics.extend(more.into_iter().filter(|(asked, _)| *asked).flat_map(|(_, topics)| topics));
    topics
}

impl Inside {
    fn from_mtu(mtu: u32) -> Inside {
        Inside { mtu, mss: [false, true].map(|ipv6| tunnel::mss(mtu, ipv6)) }
    }
}

fn buffers(platform: &Platform, window: u64) -> [Buffer; 2] {
    let limits = buffer::Limits::for_platform(platform);
    let settings = match platform.system {
        System::Linux => ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"],
        System::FreeBsd => ["net.inet.tcp.recvbuf_max", "net.inet.tcp.sendbuf_max"],
    };
    let needed = [Side::Receive, Side::Send].map(|side| catalogue::space(side, window, platform));
    [
        Buffer {
            name: "receive",
            setting: settings[0],
            default: limits.receive,
            default_window: limits.window(),
            needed: needed[0],
        },
        Buffer {
            name: "send",
            setting: settings[1],
            default: limits.send,
            default_window: limits.in_flight(),
            needed: needed[1],
        },
    ]
}

impl Memory {
    /// Estimates the memory. In the worst case each connection fills its largest buffers. Usually the bytes in flight
    /// are in the senders' buffers, as many again are unsent (a send buffer is sized for two windows), and receivers
    /// store a window while a loss is repaired: three times the bytes in flight.
    fn estimate(request: &AdviseRequest, in_flight: u64, buffers: &[Buffer; 2]) -> Memory {
        let each: u64 = buffers.iter().map(|b| b.default.max(b.needed)).fold(0, u64::saturating_add);
        let worst = each.saturating_mul(u64::from(request.connections));
        let typical = in_flight.saturating_mul(3).min(worst);
        let machine = bytes(worst as f64 / buffer::TCP_MEM_MOST);
        Memory { connections: request.connections, worst, typical, pages: buffer::pages(worst), machine }
    }
}

/// Returns the remedies, a forwarder's first, since nothing else helps before them.
fn remedies(advice: &Advice, choice: &Choice) -> Vec<Remedy> {
    let AdviseRequest { platform, interface, .. } = &advice.request;
    let mut remedies = vec![];
    if advice.request.forwards
        && let Some(interface) = interface
    {
        remedies.push(catalogue::lro_off(interface, platform));
    }
    if let Some(Inside { mtu, .. }) = advice.inside {
        if let Some(route) = &advice.request.route {
            remedies.push(catalogue::route_mtu(route, mtu, At::Ends, platform));
        }
        if advice.request.forwards {
            remedies.push(catalogue::mss_clamp(mtu, platform));
        }
        remedies.push(catalogue::mtu_probing(platform));
    }
    let [receive, send] = &advice.buffers;
    if !receive.suffices(advice.window) {
        remedies.extend(catalogue::buffer(Side::Receive, advice.window, platform));
    }
    if !send.suffices(advice.window) {
        remedies.extend(catalogue::buffer(Side::Send, advice.window, platform));
    }
    if let Some(name) = choice.change {
        remedies.extend(choice.remedies(name, platform, interface.as_deref()));
    }
    remedies
}

impl Advice {
    fn answer(&self, choice: &Choice) -> Vec<String> {
        let mut answer = vec![];
        let interface = self.request.interface.as_deref();
        if self.request.forwards {
            answer.push(match (self.request.platform.system, interface) {
                (System::Linux, Some(name)) => format!("Make sure LRO is off on {name}: this host forwards."),
                (System::FreeBsd, Some(name)) => format!("Switch LRO and TSO off on {name}: this host forwards."),
                (_, None) => "This host forwards: switch LRO off on each NIC (name one with --interface).".into(),
            });
        }
        if let Some(Inside { mtu, mss }) = &self.inside {
            let (tunnels, leaves) = match &self.request.tunnels()[..] {
                [one] => (one.name.to_owned(), "leaves"),
                several => (several.iter().map(|tunnel| tunnel.name).collect::<Vec<_>>().join(" over "), "leave"),
            };
            answer
                .push(format!("{tunnels} {leaves} an MTU of {mtu} B: an MSS of {} B, over IPv6 {} B.", mss[0], mss[1]));
        }
        answer.push(choice.sentence.clone());
        let short: Vec<&Buffer> = self.buffers.iter().filter(|b| !b.suffices(self.window)).collect();
        let per_flow = if self.request.flows > 1 { " a flow" } else { "" };
        answer.push(match short[..] {
            [] => format!(
                "The default buffers are enough: they reach a window of {}, and {}{per_flow} will do.",
                size(self.buffers.iter().map(|b| b.default_window).min().unwrap_or(0)),
                size(self.window)
            ),
            _ => {
                let cap = short.iter().map(|b| b.default_window).min().unwrap_or(0);
                let rate = cap as f64 * 8.0 / self.request.rtt;
                if rate >= self.reach {
                    let (cap, window) = (size(cap), size(self.window));
                    format!(
                        "The default buffers stop at a window of {cap}{per_flow}; repairing a loss without a stall takes \
                         {window}: raise them."
                    )
                } else {
                    let rate = show::value(Unit::BitsPerSecond, rate);
                    format!("The default buffers stop at {rate}{per_flow}: raise them.")
                }
            }
        });
        answer
    }

    fn doubts(&self, path: &Path, choice: &Choice) -> Vec<String> {
        let mut doubts = choice.doubts.clone();
        let AdviseRequest { loss, platform, .. } = &self.request;
        if let Some(loss) = loss.filter(|loss| *loss > 0.0) {
            doubts.push(
                "--loss counts random loss events: packets lost together are one event, and what a full queue or a \
                 policer drops falls with the rate."
                    .into(),
            );
            if loss >= 0.01 {
                let rto = 0.2f64.max(4.0 * path.rtt);
                let rate = response::padhye(path.mss, path.rtt, rto, loss).min(path.rate);
                doubts.push(format!(
                    "Reno and CUBIC also suffer timeouts: with them Padhye's formula gives {} a flow (RFC 3819, 8.5; RTO \
                     {}).",
                    show::value(Unit::BitsPerSecond, rate),
                    show::value(Unit::Seconds, rto)
                ));
            }
        }
        if self.window == buffer::LARGEST_WINDOW {
            let flows = (2.0 * self.request.rate * self.request.rtt / 8.0 / buffer::LARGEST_WINDOW as f64).ceil();
            doubts.push(format!("TCP's window stops at 1 GiB (RFC 7323, 2.3): two BDP take {flows:.0} flows."));
        }
        if self.buffers.iter().any(|b| b.needed == buffer::LARGEST_BUFFER) {
            doubts.push("A buffer's sysctl stops at 2 GiB, less than needed here.".into());
        }
        match platform.system {
            System::Linux if platform.is_since("6.6") && !self.buffers[0].suffices(self.window) => doubts.push(
                "Assumes that half of the receive buffer is usable window, the kernel's initial estimate. A driver that uses \
                 a 4 KiB page per packet leaves a third: compare rcv_ssthresh with rb in `ss -tim`."
                    .into(),
            ),
            System::FreeBsd if platform.is_since("15.0") => doubts.push(
                "The defaults of 15.0 are unchecked: compare kern.ipc.maxsockbuf and net.inet.tcp.recvbuf_max.".into(),
            ),
            _ => {}
        }
        if self.request.tunnels().iter().any(|tunnel| tunnel.is_esp()) && platform.system == System::FreeBsd {
            doubts.push(
                "FreeBSD estimates ESP by the worst case of its ciphers, so its TCP may use smaller segments than fit."
                    .into(),
            );
        }
        doubts
    }

    fn steps(&self, path: &Path) -> Vec<SumStep> {
        let rate = |value| show::value(Unit::BitsPerSecond, value);
        let AdviseRequest { rtt, flows, platform, .. } = &self.request;
        let mut steps = vec![];
        let mut outer = self.request.outer;
        for tunnel in self.request.tunnels().iter().rev() {
            let Some(mtu) = tunnel.mtu(outer) else { break };
            steps.push(step("MTU inside", format!("{} in {} B: {mtu} B", tunnel.name, outer.mtu), tunnel.source));
            outer.mtu = mtu;
        }
        let mtu = self.request.outer.mtu;
        steps.push(step(
            "payload rate of the link",
            format!(
                "{} * {} B / ({mtu} B + {ETHERNET_BYTES} B of Ethernet) = {}",
                rate(self.request.rate),
                self.mss,
                rate(self.line)
            ),
            "IEEE 802.3; a segment with timestamps, RFC 7323",
        ));
        let rtt_shown = show::value(Unit::Seconds, *rtt);
        steps.push(step(
            "bandwidth-delay product",
            format!("{} * {rtt_shown} / 8 = {}", rate(self.request.rate), size(self.bdp)),
            "RFC 6349, section 3.3.1",
        ));
        let held_down = self.reach < expectation::SUFFICIENT_LINK_SHARE * path.rate;
        let shared = if *flows > 1 { format!(" / {flows} flows") } else { String::new() };
        steps.push(match held_down {
            true => step(
                "window of a flow",
                format!("{WINDOW_SWING_RATIO} * {} * {rtt_shown} / 8 = {}", rate(self.reach), size(self.window)),
                "what loss leaves, and room for its swings",
            ),
            false => step(
                "window of a flow",
                format!("2 * {}{shared} = {}", size(self.bdp), size(self.window)),
                "one is in flight while another waits for the repair of a loss: Linux net/ipv4/tcp_input.c, \
                 tcp_rcv_space_adjust; BBR's cwnd gain is 2 as well",
            ),
        });
        let limits = buffer::Limits::for_platform(platform);
        for b in &self.buffers {
            let factor = b.needed as f64 / self.window as f64;
            steps.push(step(
                format!("{} buffer", b.name),
                format!(
                    "the default of {} B gives {}, or {}; {} takes {} B (times {})",
                    b.default,
                    size(b.default_window),
                    rate(b.default_window as f64 * 8.0 / rtt),
                    size(self.window),
                    b.needed,
                    show::number(factor)
                ),
                limits.source,
            ));
        }
        steps.extend(self.expected.iter().map(|expected| expected.step(path, self.request.loss)));
        steps
    }
}

/// Prints a size for a person.
fn size(bytes: u64) -> String {
    match bytes {
        1_000_000_000.. => format!("{} GB", show::number(bytes as f64 / 1e9)),
        _ => show::value(Unit::Bytes, bytes as f64),
    }
}
