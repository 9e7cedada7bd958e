//! Reads logs of FreeBSD's siftr(4), as `sys/netinet/siftr.c` writes them: a head, a line for each packet, a foot.
//!
//! Version 1.2 has a hash as the second field, and the smoothed RTT in units of 1/(`tcp_rtt_scale` `hz`) s, which its
//! head gives. Version 1.3 has no hash, and the RTT in microseconds. The fields after the time are the same.

use super::decimal;
use crate::import::Page;
use crate::{Connection, Evidence, Place, Point, Seen, Source, Window};
use std::collections::HashMap;

/// Reads logs of siftr.
pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut log = Log::default();
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        let text = line.text.trim();
        if line.claimed {
            continue;
        }
        if text.starts_with("enable_time_secs=") {
            std::mem::take(&mut log).finish(evidence);
            log = Log::begin(text);
            page.claim(index);
        } else if text.starts_with("disable_time_secs=") {
            page.claim(index);
        } else if let Some(fields) = fields(text) {
            match packet(&fields) {
                Some(packet) => {
                    log.take(packet, || page.place(index));
                    page.claim(index);
                }
                None => {
                    page.wrong(index, format!("expected at least {FIELDS} fields, all numbers except the addresses"))
                }
            }
        }
    }
    log.finish(evidence);
}

/// Positions of fields, counted from the time: siftr(4).
mod field {
    pub const TIME: usize = 0;
    pub const LOCAL: usize = 1;
    pub const FOREIGN: usize = 3;
    pub const SSTHRESH: usize = 5;
    pub const CWND: usize = 6;
    pub const SND_WND: usize = 8;
    pub const RCV_WND: usize = 9;
    pub const SND_SCALE: usize = 10;
    pub const RCV_SCALE: usize = 11;
    pub const STATE: usize = 12;
    pub const MSS: usize = 13;
    pub const SRTT: usize = 14;
    pub const SACK: usize = 15;
    pub const SNDBUF: usize = 18;
    pub const QUEUED: usize = 19;
    pub const IN_FLIGHT: usize = 22;
}

const FIELDS: usize = field::IN_FLIGHT + 1;

/// TCPS_ESTABLISHED of `sys/netinet/tcp_fsm.h`.
const ESTABLISHED: f64 = 4.0;

/// TCP_MAXWIN << TCP_MAX_WINSHIFT: the slow-start threshold of a connection that has seen no loss.
const NO_THRESHOLD: f64 = 1_073_725_440.0;

/// Returns the fields of a packet's line from the time on, and whether the line has a hash.
fn fields(text: &str) -> Option<(Vec<&str>, bool)> {
    if !text.starts_with("i,") && !text.starts_with("o,") {
        return None;
    }
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let hashed = fields[1].starts_with("0x");
    let rest = fields.get(if hashed { 2 } else { 1 }..)?;
    let timed = rest.first().is_some_and(|time| time.contains('.') && decimal(time).is_some());
    (timed && rest.len() > field::FOREIGN).then(|| (rest.to_vec(), hashed))
}

/// A packet's line.
#[derive(Clone, Copy)]
struct Packet<'a> {
    flow: [&'a str; 4],
    hashed: bool,
    sack: bool,
    numbers: [f64; FIELDS],
}

fn packet<'a>((fields, hashed): &(Vec<&'a str>, bool)) -> Option<Packet<'a>> {
    let addresses = field::LOCAL..field::SSTHRESH;
    let mut numbers = [0.0; FIELDS];
    for (place, number) in numbers.iter_mut().enumerate() {
        let word = fields.get(place)?;
        if !addresses.contains(&place) {
            *number = decimal(word)?;
        }
    }
    let flow = [fields[1], fields[2], fields[3], fields[4]];
    Some(Packet { flow, hashed: *hashed, sack: fields[field::SACK] != "0", numbers })
}

/// A partly read log, from a head to the next.
#[derive(Default)]
struct Log<'a> {
    /// Time 0 of the log, from its head or its first packet, microseconds of the epoch.
    zero: Option<f64>,
    /// Units of the smoothed RTT per second, from a head of version 1.2.
    ticks: Option<f64>,
    flows: Vec<Flow<'a>>,
    by_name: HashMap<[&'a str; 4], usize>,
}

struct Flow<'a> {
    place: Place,
    last: Packet<'a>,
    /// Number of packets with data in flight.
    loaded: usize,
    samples: Vec<Sample>,
}

/// A line, as a point of either end.
struct Sample {
    sender: Point,
    offered: f64,
}

impl<'a> Log<'a> {
    fn begin(head: &str) -> Log<'a> {
        let value = |name: &str| {
            let word = head.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
            word.and_then(decimal)
        };
        let zero = value("enable_time_secs").map(|seconds| seconds * 1e6 + value("enable_time_usecs").unwrap_or(0.0));
        let ticks = value("hz").zip(value("tcp_rtt_scale")).map(|(hz, scale)| hz * scale);
        Log { zero, ticks: ticks.filter(|&ticks| ticks > 0.0), ..Log::default() }
    }

    fn take(&mut self, packet: Packet<'a>, place: impl FnOnce() -> Place) {
        let n = packet.numbers;
        let time = (n[field::TIME] * 1e6).round();
        let zero = *self.zero.get_or_insert(time);
        let at = *self.by_name.entry(packet.flow).or_insert(self.flows.len());
        if at == self.flows.len() {
            self.flows.push(Flow { place: place(), last: packet, loaded: 0, samples: vec![] });
        }
        let per_second = if packet.hashed { self.ticks } else { Some(1e6) };
        let flow = &mut self.flows[at];
        if n[field::STATE] >= ESTABLISHED {
            flow.loaded += usize::from(n[field::IN_FLIGHT] > 0.0);
            let sender = Point {
                time: (time - zero) / 1e6,
                cwnd: Some(n[field::CWND]),
                ssthresh: Some(n[field::SSTHRESH]).filter(|&ssthresh| ssthresh < NO_THRESHOLD),
                srtt: per_second.map(|ticks| n[field::SRTT] / ticks).filter(|&srtt| srtt > 0.0),
                in_flight: Some(n[field::IN_FLIGHT]),
                window: Some(n[field::SND_WND]),
                unsent: Some((n[field::QUEUED] - n[field::IN_FLIGHT]).max(0.0)),
                ..Point::default()
            };
            flow.samples.push(Sample { sender, offered: n[field::RCV_WND] });
        }
        flow.last = packet;
    }

    fn finish(self, evidence: &mut Evidence) {
        let group = evidence.next_group();
        evidence.connections.extend(self.flows.into_iter().map(|flow| Connection { group, ..flow.connection() }));
    }
}

impl Flow<'_> {
    /// Returns the connection. The end that logged is the sender if most of its packets have data in flight.
    fn connection(self) -> Connection {
        let n = self.last.numbers;
        let [local, local_port, foreign, foreign_port] = self.last.flow;
        let ends = [format!("{local}:{local_port}"), format!("{foreign}:{foreign_port}")];
        let sends = self.loaded * 2 > self.samples.len();
        let (seen, [from, to]) = if sends {
            (Seen::Sender, ends)
        } else {
            let [local, foreign] = ends;
            (Seen::Receiver, [foreign, local])
        };
        let mut connection = Connection::new(self.place, Source::Siftr, format!("{from} > {to}"), seen);
        let point = |sample: &Sample| match seen {
            Seen::Receiver => Point { time: sample.sender.time, window: Some(sample.offered), ..Point::default() },
            _ => sample.sender,
        };
        let points: Vec<Point> = self.samples.iter().map(point).collect();
        connection.span = points.first().zip(points.last()).map(|(first, last)| [first.time, last.time]);
        connection.window = window(&points);
        connection.points = points;
        connection.mss = Some(n[field::MSS]).filter(|&mss| mss > 0.0);
        connection.sack = Some(self.last.sack);
        connection.scaled = (n[field::SND_SCALE] > 0.0 || n[field::RCV_SCALE] > 0.0).then_some(true);
        connection.sndbuf = Some(n[field::SNDBUF]).filter(|_| sends);
        connection
    }
}

fn window(points: &[Point]) -> Option<Window> {
    let windows = || points.iter().filter_map(|point| point.window);
    let largest = windows().reduce(f64::max)?;
    let zeros = windows().zip(windows().skip(1)).filter(|&(before, after)| before > 0.0 && after == 0.0).count();
    Some(Window { largest, zeros: zeros as u64 })
}
