//! A candidate: a bottleneck link with its queue and up to two mechanisms, as keys of an experiment.

use super::case::Case;
use super::scale::Scale;
pub use super::settings::{FRAME_BITS, PAYLOAD_SHARE, UNLIMITED_BUFFER_BYTES};
use super::settings::{MIN_BUFFER_BYTES, kbit, largest_buffer, written};
use super::trace::IPERF3_BLOCK_BYTES;
use base::model::segment;
use base::show;
use base::units::Unit;
use diagnosis::remedy::lab::Key;
use evidence::End;
use evidence::headers::TIMESTAMPS;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// A mechanism that can limit a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// The receive buffer stops the growth of the window.
    ReceiveWindow,
    /// The send buffer limits the data in flight.
    SendBuffer,
    /// Packets are lost independently of each other.
    Loss,
    /// Packets are lost in bursts.
    Bursts,
    /// A policer drops packets above its rate.
    Policer,
    /// Some packets are delayed and overtaken.
    Reordering,
    /// Packets above a length vanish.
    Hole,
    /// Nothing passes for some time.
    Outage,
    /// The sending program writes at a rate.
    Pace,
    /// The receiving program reads at a rate.
    Reader,
    /// Other transfers use the same line.
    Shared,
    /// The link has an AQM: it drops or marks packets before the queue is full.
    Aqm,
    /// Slow start ends long before the path is full, and nothing is lost.
    EarlyExit,
    /// Slow start ends with a loss, and nothing is lost later.
    Overshoot,
}

/// A quantity that the search fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FittedQuantity {
    /// Bytes.
    Bytes,
    /// Bits per second.
    Rate,
    /// A share of 1.
    Share,
    /// Seconds.
    Time,
    /// Packets.
    Packets,
    /// Bytes of an IP packet.
    Length,
    /// How many.
    Count,
}

impl FittedQuantity {
    /// The smallest meaningful value: a burst of one packet is random loss.
    pub fn least(self) -> f64 {
        match self {
            FittedQuantity::Packets => 2.0,
            FittedQuantity::Count => 1.0,
            _ => 0.0,
        }
    }

    /// The value times a factor, clamped to its meaningful range.
    fn scaled(self, value: f64, by: f64) -> f64 {
        let times = if self == FittedQuantity::Count { (value * by).round() } else { value * by };
        times.clamp(self.least(), self.most())
    }

    /// The next value to try: larger or smaller by a factor, and by at least 1 for a count.
    pub fn next_value(self, value: f64, by: f64) -> f64 {
        let other = match self {
            FittedQuantity::Count if by > 1.0 => (value * by).max(value + 1.0).round(),
            FittedQuantity::Count => (value * by).min(value - 1.0).round(),
            _ => value * by,
        };
        other.max(self.least())
    }

    /// The largest meaningful value.
    pub fn most(self) -> f64 {
        match self {
            FittedQuantity::Share => 1.0,
            FittedQuantity::Length => MTU,
            _ => f64::INFINITY,
        }
    }

    /// Formats a value for people.
    pub fn show(self, value: f64) -> String {
        self.range(value, value)
    }

    /// Formats a range with one unit.
    pub fn range(self, low: f64, high: f64) -> String {
        let unit = match self {
            FittedQuantity::Bytes => Unit::Bytes,
            FittedQuantity::Rate => Unit::BitsPerSecond,
            FittedQuantity::Share => Unit::Ratio,
            FittedQuantity::Time => Unit::Seconds,
            FittedQuantity::Length if low == high => return format!("{low:.0} B"),
            FittedQuantity::Length => return format!("{low:.0} to {high:.0} B"),
            FittedQuantity::Count if low.round() == high.round() => return format!("{low:.0}"),
            FittedQuantity::Count => return format!("{low:.0} to {high:.0}"),
            FittedQuantity::Packets => return show::range(Unit::Packets, low.round(), high.round()),
        };
        show::range(unit, low, high)
    }
}

impl Mechanism {
    /// All kinds, in the order in which they are proposed.
    pub const ALL: [Mechanism; 14] = [
        Mechanism::ReceiveWindow,
        Mechanism::EarlyExit,
        Mechanism::Overshoot,
        Mechanism::Loss,
        Mechanism::SendBuffer,
        Mechanism::Policer,
        Mechanism::Bursts,
        Mechanism::Reordering,
        Mechanism::Shared,
        Mechanism::Aqm,
        Mechanism::Reader,
        Mechanism::Pace,
        Mechanism::Hole,
        Mechanism::Outage,
    ];

    /// Returns the name, and the quantities that are fitted.
    pub fn row(self) -> (&'static str, &'static [(&'static str, FittedQuantity)]) {
        match self {
            Mechanism::ReceiveWindow => ("receive window", &[("tcp_rmem", FittedQuantity::Bytes)]),
            Mechanism::SendBuffer => ("send buffer", &[("tcp_wmem", FittedQuantity::Bytes)]),
            Mechanism::Loss => ("random loss", &[("share", FittedQuantity::Share)]),
            Mechanism::Bursts => {
                ("burst loss", &[("share", FittedQuantity::Share), ("bursts of", FittedQuantity::Packets)])
            }
            Mechanism::Policer => ("policer", &[("rate", FittedQuantity::Rate), ("burst", FittedQuantity::Bytes)]),
            Mechanism::Reordering => {
                ("reordering", &[("share", FittedQuantity::Share), ("delay", FittedQuantity::Time)])
            }
            Mechanism::Hole => ("MTU hole", &[("from", FittedQuantity::Length)]),
            Mechanism::Outage => ("outage", &[("at", FittedQuantity::Time), ("length", FittedQuantity::Time)]),
            Mechanism::Pace => ("pace of the sending program", &[("rate", FittedQuantity::Rate)]),
            Mechanism::Reader => ("pace of the receiving program", &[("rate", FittedQuantity::Rate)]),
            Mechanism::Shared => ("shared bottleneck", &[("competing flows", FittedQuantity::Count)]),
            Mechanism::Aqm => ("AQM", &[("target", FittedQuantity::Time)]),
            Mechanism::EarlyExit => ("slow start that ends early", &[("at a cwnd of", FittedQuantity::Bytes)]),
            Mechanism::Overshoot => (
                "slow start that ends with a loss",
                &[("at a cwnd of", FittedQuantity::Bytes), ("loses", FittedQuantity::Packets)],
            ),
        }
    }

    pub fn name(self) -> &'static str {
        self.row().0
    }
}

/// A mechanism with its fitted quantities, in the order of [`Mechanism::row`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The mechanism.
    pub kind: Mechanism,
    /// Bytes, bit/s, shares of 1, seconds, packets.
    pub values: Vec<f64>,
}

/// A bottleneck link, its queue, and the mechanisms on the path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Rate of the bottleneck link, bit/s.
    pub rate: f64,
    /// Size of its queue, packets.
    pub buffer: f64,
    /// The mechanisms, by kind.
    pub parts: Vec<Part>,
}

/// A queue below this share of the BDP is small: CUBIC reduces cwnd to 0.7 (RFC 9438, 4.6), which needs a queue of 0.43.
const MAX_SMALL_QUEUE_BDPS: f64 = 0.4;
/// A queue above this many BDPs is large.
const MIN_LARGE_QUEUE_BDPS: f64 = 2.5;
/// Name of a queue above `MIN_LARGE_QUEUE_BDPS`.
pub const LARGE_QUEUE: &str = "large queue";

impl Candidate {
    /// A link without mechanisms.
    pub fn line(rate: f64, buffer: f64) -> Candidate {
        Candidate { rate, buffer, parts: vec![] }
    }

    /// A placeholder for cases that bring their own link.
    pub fn of_cases() -> Candidate {
        Candidate::line(1e6, 10.0)
    }

    /// Returns the candidate with another mechanism, which replaces one of the same kind.
    pub fn with(&self, kind: Mechanism, values: &[f64]) -> Candidate {
        let mut parts: Vec<Part> = self.parts.iter().filter(|part| part.kind != kind).cloned().collect();
        parts.push(Part { kind, values: values.to_vec() });
        parts.sort_by_key(|part| part.kind);
        Candidate { parts, ..self.clone() }
    }

    /// Returns the candidate without a mechanism.
    pub fn without(&self, kind: Mechanism) -> Candidate {
        Candidate { parts: self.parts.iter().filter(|part| part.kind != kind).cloned().collect(), ..self.clone() }
    }

    /// Whether it has a mechanism.
    pub fn has(&self, kind: Mechanism) -> bool {
        self.parts.iter().any(|part| part.kind == kind)
    }

    /// BDP of a path, packets.
    pub fn bdp(rate: f64, rtt: f64) -> f64 {
        (rate * rtt / FRAME_BITS).max(4.0)
    }

    /// Whether both have the same mechanisms.
    pub fn has_kinds_of(&self, other: &Candidate) -> bool {
        self.parts.iter().map(|part| part.kind).eq(other.parts.iter().map(|part| part.kind))
    }

    /// The name of its queue if the link is the limit.
    pub fn queue(&self, rtt: f64) -> &'static str {
        match self.buffer / Candidate::bdp(self.rate, rtt) {
            _ if self.has(Mechanism::Aqm) => "line",
            share if share < MAX_SMALL_QUEUE_BDPS => "small queue",
            share if share > MIN_LARGE_QUEUE_BDPS => LARGE_QUEUE,
            _ => "line",
        }
    }

    /// Whether the queue is small.
    pub fn is_small(&self, rtt: f64) -> bool {
        self.queue(rtt) == "small queue"
    }

    /// The number of causes: the mechanisms, and a small queue.
    pub fn causes(&self, rtt: f64) -> usize {
        self.parts.len() + usize::from(self.is_small(rtt))
    }

    /// Returns its quantities: rate and buffer of the link, then those of the mechanisms in their order.
    pub fn quantities(&self) -> Vec<f64> {
        let parts = self.parts.iter().flat_map(|part| part.values.iter().copied());
        [self.rate, self.buffer].into_iter().chain(parts).collect()
    }

    /// Whether a quantity of a mechanism differs by `MIN_APART_RATIO` or more.
    pub fn is_apart(&self, other: &Candidate) -> bool {
        const MIN_APART_RATIO: f64 = 1.5;
        let both = self.quantities().into_iter().zip(other.quantities()).skip(2);
        both.map(|(a, b)| a.max(b) / a.min(b)).any(|ratio| ratio >= MIN_APART_RATIO)
    }

    /// Returns the candidate with each quantity times its factor.
    pub fn times(&self, factors: &[f64]) -> Candidate {
        let mut factors = factors.iter().copied();
        let mut next = || factors.next().unwrap_or(1.0);
        let (rate, buffer) = (self.rate * next(), (self.buffer * next()).max(1.0));
        let mut parts = self.parts.clone();
        for part in &mut parts {
            let (_, quantities) = part.kind.row();
            let own = part.values.iter_mut().zip(quantities);
            own.for_each(|(value, (_, quantity))| *value = quantity.scaled(*value, next()));
        }
        Candidate { rate, buffer, parts }
    }

    /// Returns the name of its mechanisms, or of its queue. Candidates of the same name are fitted together.
    pub fn name(&self, rtt: f64) -> String {
        let names: Vec<&str> = self.parts.iter().map(|part| part.kind.name()).collect();
        if names.is_empty() { self.queue(rtt).into() } else { names.join(" + ") }
    }

    /// Describes its mechanisms with their fitted quantities.
    pub fn described(&self) -> String {
        let part = |part: &Part| {
            let (name, quantities) = part.kind.row();
            let values =
                part.values.iter().zip(quantities).map(|(value, (what, q))| format!("{what} {}", q.show(*value)));
            format!("{name} ({})", values.collect::<Vec<_>>().join(", "))
        };
        let queue =
            if self.has(Mechanism::Aqm) { String::new() } else { format!(", queue {:.0} packets", self.buffer) };
        let line = format!("line {}{queue}", show::rate(self.rate));
        self.parts.iter().map(part).chain([line]).collect::<Vec<_>>().join(" + ")
    }

    /// Returns its keys in an experiment.
    pub fn keys(&self) -> Vec<Key> {
        let buffer = if self.has(Mechanism::Aqm) { AQM_LIMIT } else { self.buffer.max(1.0) };
        let line = [("rate", kbit(self.rate)), ("buffer", format!("{buffer:.0} packets"))];
        let line = line.into_iter().map(|(name, value)| Key::new(format!("path.{name}"), value));
        line.chain(self.parts.iter().flat_map(Part::keys)).collect()
    }
}

impl Part {
    fn keys(&self) -> Vec<Key> {
        match self.kind {
            Mechanism::Pace => written(self.values[0], IPERF3_BLOCK_BYTES),
            Mechanism::Overshoot => vec![full_slow_start(), self.key()],
            _ => vec![self.key()],
        }
    }

    pub fn key(&self) -> Key {
        let [first, second] = [0, 1].map(|at| self.values.get(at).copied().unwrap_or_default());
        let buffer = |host: &str, name: &str, least: f64| {
            let most = first.max(MIN_BUFFER_BYTES).round();
            let value = format!("4096 {:.0} {most:.0}", most.min(least));
            Key::new(format!("hosts.{host}.sysctl.net.ipv4.tcp_{name}"), value)
        };
        match self.kind {
            Mechanism::ReceiveWindow => buffer("receiver", "rmem", 131_072.0),
            Mechanism::SendBuffer => buffer("sender", "wmem", 16_384.0),
            Mechanism::Loss => Key::new("path.loss", percent(first)),
            Mechanism::Bursts => {
                let length = second.max(FittedQuantity::Packets.least());
                Key::new("path.loss", table(&[("p", percent(first / length)), ("r", percent(1.0 / length))]))
            }
            Mechanism::Policer => {
                let burst = format!("{:.0} B", second.max(1500.0));
                Key::new("path.police", table(&[("rate", kbit(first)), ("burst", burst)]))
            }
            Mechanism::Reordering => {
                let by = format!("{:.0} us", (second * 1e6).max(100.0));
                Key::new("path.reorder", table(&[("share", percent(first)), ("by", by)]))
            }
            Mechanism::Hole => {
                let from = format!("{:.0} B", first.min(MTU - 1.0));
                Key::new(
                    "path.lengths",
                    table(&[("from", from), ("to", format!("{MTU:.0} B")), ("effect", "drop".into())]),
                )
            }
            Mechanism::Outage => {
                let [at, length] = [first, second].map(|time| format!("{:.0} ms", (time * 1e3).max(1.0)));
                Key::new("path.outages", vec![table(&[("at", at), ("for", length)])])
            }
            Mechanism::EarlyExit => slow_start_ends(first),
            Mechanism::Overshoot => {
                // Slow start adds a segment to cwnd for each acknowledged one, so the number of the first lost packet sets cwnd.
                let number =
                    (first / segment::FULL_SEGMENT).round().clamp(1.0, MAX_PACKET_NUMBER - MAX_NUMBERED_PACKETS) as i64;
                let count = second.clamp(1.0, MAX_NUMBERED_PACKETS) as i64;
                let numbers: Vec<Value> = (number..number + count).map(Value::from).collect();
                Key::new("path.loss", Table::from_iter([("packets".to_owned(), Value::from(numbers))]))
            }
            Mechanism::Pace | Mechanism::Reader => Key::new("flows.read-rate", kbit(first)),
            Mechanism::Shared => Key::new(OTHERS_KEY, first.round().max(1.0) as i64),
            Mechanism::Aqm => {
                let target = format!("{:.0} us", (first * 1e6).clamp(500.0, 1e6));
                let mut queue = table(&[("discipline", "fq_codel".into()), ("target", target)]);
                queue.insert("ecn".into(), true.into());
                Key::new("path.queue", queue)
            }
        }
    }
}

/// The cwnd at which slow start ends, bytes.
fn slow_start_ends(bytes: f64) -> Key {
    Key::new("flows.slow-start-ends", format!("{:.0} B", bytes.clamp(1.0, UNREACHED_CWND_BYTES)))
}

/// Slow start that only a loss or a full queue ends.
pub fn full_slow_start() -> Key {
    slow_start_ends(UNREACHED_CWND_BYTES)
}

/// A cwnd that no transfer reaches, bytes: the largest window (RFC 7323, 2.3).
const UNREACHED_CWND_BYTES: f64 = 1_073_741_824.0;

/// The largest packet number in a link's `packets` of loss, and the largest count of them (docs/reference/links.md).
const MAX_PACKET_NUMBER: f64 = 1e6;
const MAX_NUMBERED_PACKETS: f64 = 1000.0;

/// Pseudo key with the number of competing flows: it becomes a section of flows.
pub const OTHERS_KEY: &str = "others.count";
/// The limit of fq_codel (tc-fq_codel(8)), packets.
const AQM_LIMIT: f64 = 10_240.0;

/// A smaller path MTU is tried as an MTU hole, bytes.
const MIN_PATH_MTU: f64 = 1200.0;
/// The longest packet of an Ethernet, bytes.
const MTU: f64 = 1500.0;

fn table(entries: &[(&str, String)]) -> Table {
    entries.iter().map(|(name, value)| ((*name).to_owned(), Value::String(value.clone()))).collect()
}

/// Formats a share with three digits, as netem prints it.
fn percent(share: f64) -> String {
    let percent = (share * 100.0).clamp(1e-4, 80.0);
    let digits = (2 - percent.log10().floor() as i32).max(0) as usize;
    format!("{percent:.digits$} %")
}

/// The largest segment in the send queue of Linux (GSO_LEGACY_MAX_SIZE), bytes.
const MAX_GSO_BYTES: f64 = 65_536.0;

/// Returns the scale of distances between a case and a candidate with these keys. The fill of a send buffer is known to
/// a segment's standard deviation. That tolerance is wide, so it applies only if the buffer alone limits a lossless
/// transfer.
pub fn scale(case: &Case, keys: &[Key]) -> Scale {
    /// Payload in a full send buffer of a known size, as a share: kernels count buffers that are larger than their payload
    /// (skb->truesize) in different ways.
    const KERNELS_FILL_SD: f64 = 0.1;
    const MAX_LUMP_SHARE: f64 = 0.2;
    /// Keys of a candidate that only the send buffer limits.
    const LUMP_KEYS: [&str; 3] = ["path.rate", "path.buffer", "hosts.sender.sysctl.net.ipv4.tcp_wmem"];
    let (usual, is_known) = (case.scale(), case.wmem.is_some());
    if usual.starved && is_known && keys.iter().all(|key| LUMP_KEYS[..2].contains(&key.path.as_str())) {
        return Scale { lump: KERNELS_FILL_SD, ..usual };
    }
    if !case.is_steady() || keys.iter().any(|key| !LUMP_KEYS.contains(&key.path.as_str())) {
        return usual;
    }
    let common = common(case);
    let own = keys.iter().chain(&common).find(|key| key.path == LUMP_KEYS[2]);
    let size = own.and_then(|key| key.value.as_str()?.split_whitespace().nth(2)?.parse::<f64>().ok());
    Scale { lump: size.map_or(0.0, |size| (MAX_GSO_BYTES / 12f64.sqrt() / size).min(MAX_LUMP_SHARE)), ..usual }
}

/// Keys that all candidates of a case share: how the transfer was run, and the known settings of its hosts.
pub fn common(case: &Case) -> Vec<Key> {
    let mut keys = vec![Key::new("flows.congestion", case.congestion.clone())];
    keys.push(largest_buffer(End::Receiver, case.rmem.unwrap_or(UNLIMITED_BUFFER_BYTES)));
    keys.push(largest_buffer(End::Sender, case.wmem.unwrap_or(UNLIMITED_BUFFER_BYTES)));
    if case.streams > 1 {
        keys.push(Key::new("flows.count", case.streams as i64));
    }
    let mtu = (case.instrument.mss + f64::from(case.ip.tcp() + TIMESTAMPS)).round();
    if (MIN_PATH_MTU.max(f64::from(case.ip.least_mtu()))..MTU).contains(&mtu) {
        keys.push(Key::new("path.mtu", format!("{mtu:.0} B")));
    }
    if let Some(asked) = case.asked {
        keys.extend(
            ["send-buffer", "receive-buffer"].map(|name| Key::new(format!("flows.{name}"), format!("{asked:.0} B"))),
        );
    }
    if let Some(target) = case.target {
        keys.extend(written(target, case.instrument.block));
    }
    if case.ecn {
        keys.extend(["sender", "receiver"].map(|host| Key::new(format!("hosts.{host}.ecn"), true)));
    }
    keys
}
