//! One direction of a connection: its data as they pass the tap. `answer` reads the other end's acknowledgments.
//!
//! Bytes are numbered from 0 in 64 bits; byte 0 is the first after SYN, or the first in the capture.

use super::bounds::Shares;
use super::echo::Echo;
use super::full::Full;
use super::log::{Fate, Log};
use super::pace::Pace;
use super::packet::{Flags, Segment};
use super::ranges::{Range, Ranges};
use super::rtt::{Returns, Rtt, Stamps};
use super::series::{Bucket, Series};
use crate::ecn::Codepoints;
use std::collections::{BTreeMap, VecDeque};

/// Smallest retransmission timeout of Linux, ns (include/net/tcp.h, TCP_RTO_MIN).
pub(super) const RTO_MIN: i64 = 200_000_000;

/// Later segments that must arrive before one counts as lost (RFC 5681, 3.2).
const DUPACKS: u64 = 3;

/// Largest distance in sequence space within a connection, bytes; RFC 7323 allows twice as much outstanding data.
const MAX_SEQUENCE_DISTANCE: i64 = 1 << 30;

/// Most filled holes that are remembered.
const MOST_FILLS: usize = 64;

/// Recent packets that are searched for a copy, and the largest gap between copies of an IPv6 packet, ns.
const RECENT: usize = 8;
const COPY: i64 = 1_000_000;

/// Data that passed the tap and were not yet acknowledged, selectively or not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub end: i64,
    /// Time of the first pass and, if it was sent again, of the last, ns.
    pub time: i64,
    pub again: Option<i64>,
}

/// Data that did not pass the tap, though later data did.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hole {
    pub end: i64,
    /// Times at which the data before and after the hole passed, ns.
    before: i64,
    time: i64,
    /// Number, TSval and IPv4 identification of the packet after the hole.
    number: u64,
    stamp: Option<u32>,
    id: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Print {
    seq: u32,
    ack: u32,
    payload: u32,
    window: u16,
    id: Option<u16>,
    stamps: Option<(u32, u32)>,
}

#[derive(Debug, Default)]
pub(super) struct Way {
    /// Sequence number of byte 0.
    origin: Option<u32>,
    /// Whether the SYN passed.
    pub syn: bool,
    /// The byte after the last that passed the tap.
    pub next: i64,
    /// The first byte that is not acknowledged; `None` before the first acknowledgment.
    pub una: Option<i64>,
    /// Byte number of FIN.
    pub fin: Option<i64>,
    pub outstanding: BTreeMap<i64, Piece>,
    pub holes: BTreeMap<i64, Hole>,
    pub sacked: Ranges,
    pub full: Full,
    pub series: Series,
    /// Segments as seen on the sender's side of the tap, and on the receiver's side.
    pub sent: Log,
    pub came: Log,
    /// Round-trip times from the tap to the receiver, and to the sender.
    pub receiver: Rtt,
    pub sender: Rtt,
    pub stamps: Stamps,
    /// Time that acknowledgments take to the tap.
    pub returns: Returns,
    /// Time when data last passed or were acknowledged, ns.
    pub moved: i64,
    /// Time of the last acknowledgment with news, ns; and whether any acknowledgment was cut.
    pub heard: Option<i64>,
    pub cut: bool,
    pub pace: Pace,
    /// Time since which all data are acknowledged, and total time spent so before new data, ns.
    pub idle_since: Option<i64>,
    pub idle: i64,
    /// Packets with payload, their segments, their payload in bytes, and acknowledged payload in bytes.
    pub packets: u64,
    pub segments: u64,
    pub payload: u64,
    pub acked: u64,
    pub retransmitted: u64,
    /// Segments that filled holes: retransmitted ones, and late originals.
    pub filled: u64,
    pub late: u64,
    /// Segments that repeated data that had passed.
    pub repeated: u64,
    /// Holes filled by retransmissions; a late original may still come.
    fills: VecDeque<(Range, Hole)>,
    /// Spurious retransmissions: by D-SACK, and by an answer too early for the copy.
    pub spurious: u64,
    pub soon: u64,
    /// Number of times that acknowledgments showed reordering.
    pub reordered: u64,
    pub timeouts: u64,
    /// Retransmissions of the first outstanding byte since the last acknowledgment, selective or not.
    pub tries: u64,
    /// Start of a timeout that has not been recovered from, and total time of recovered ones, ns.
    pub timeout_since: Option<i64>,
    pub timeout_time: i64,
    /// ECN fields of segments with payload and of packets without; segments with payload and CWR.
    pub data: Codepoints,
    pub bare: Codepoints,
    pub cwr: u64,
    /// Payload acknowledged with ECE, bytes; and all ECN feedback.
    pub echoed: u64,
    pub echo: Echo,
    /// Receive window, its maximum, and how often it was 0, if the scale is known.
    pub window: Option<u32>,
    pub largest: u32,
    pub zeros: u64,
    /// Whether the window is 0, whatever the scale.
    pub closed: bool,
    /// Whether the receiver sends SACK blocks, by the handshake or by its acknowledgments.
    pub sacks: bool,
    /// Acknowledged bytes that did not pass; packets captured twice; packets far from all others in sequence space.
    pub missed: u64,
    pub copies: u64,
    pub strays: u64,
    recent: VecDeque<(Print, i64)>,
    /// In-order packets whose IPv4 identification is slightly above the previous one's, minus all other packets.
    counting: i32,
    id: Option<u16>,
}

impl Way {
    /// Returns the byte number of a sequence number; `None` if it is far from all others.
    pub fn number(&mut self, seq: u32) -> Option<i64> {
        let origin = *self.origin.get_or_insert(seq);
        let near = self.next.max(self.una.unwrap_or(0));
        let away = i64::from(seq.wrapping_sub(origin.wrapping_add(near as u32)) as i32);
        if away.abs() > MAX_SEQUENCE_DISTANCE {
            self.strays += 1;
            return None;
        }
        Some(near + away)
    }

    /// Returns the data that passed and are not acknowledged, bytes.
    pub fn in_flight(&self) -> i64 {
        (self.next - self.una.unwrap_or(0)).max(0)
    }

    /// Returns the bucket of a time.
    pub fn bucket(&mut self, now: i64, shares: &Shares) -> &mut Bucket {
        self.series.at(now, shares.points)
    }

    /// Takes a segment with payload, SYN or FIN. Returns whether it had new data.
    pub fn pass(&mut self, segment: &Segment, now: i64, shares: &Shares) -> bool {
        let flags = segment.flags;
        let first = segment.seq.wrapping_add(u32::from(flags.has(Flags::SYN)));
        let Some(start) = self.number(first) else { return false };
        self.syn |= flags.has(Flags::SYN);
        let end = start + i64::from(segment.payload);
        if flags.has(Flags::FIN) {
            self.fin.get_or_insert(end);
        }
        if segment.payload == 0 || self.is_probe(start, end) || start < self.next && self.is_copy(segment, now) {
            return false;
        }
        if !flags.has(Flags::PSH) && !flags.has(Flags::FIN) {
            self.full.see(segment.payload);
        }
        self.remember(segment, now, start);
        let segments = self.full.segments(end - start);
        self.packets += 1;
        self.payload += u64::from(segment.payload);
        self.segments += segments;
        self.data.count(segment.ecn, segments);
        self.cwr += u64::from(flags.has(Flags::CWR) && !flags.has(Flags::SYN));
        let since = self.idle_since.take();
        self.idle += since.filter(|_| !self.closed).map_or(0, |since| (now - since).max(0));
        let known = self.next;
        if start < known {
            self.pass_known((start, end.min(known)), segment, now, shares);
        }
        if end > known {
            self.pace.send(now, self.full.known().is_none_or(|full| segment.payload >= full));
            self.pass_new((start.max(known), end), segment, now, shares);
        }
        self.moved = now;
        end > known
    }

    /// True for keep-alives (RFC 9293, 3.8.4) and for probes of a closed window (3.8.6.1).
    fn is_probe(&self, start: i64, end: i64) -> bool {
        let acknowledged = self.una.is_some_and(|una| una >= end);
        end - start == 1 && (start < self.next && acknowledged || self.closed)
    }

    /// True if the same packet passed before: captured on two interfaces, or duplicated on the path. A retransmission
    /// has another identification, or a later time.
    fn is_copy(&mut self, segment: &Segment, now: i64) -> bool {
        let print = Print::from_segment(segment);
        let counts = print.id.is_some_and(|id| id != 0);
        let copy = self.recent.iter().any(|(known, time)| *known == print && (counts || now - time < COPY));
        self.copies += u64::from(copy);
        copy
    }

    fn remember(&mut self, segment: &Segment, now: i64, start: i64) {
        if start >= self.next {
            if let (Some(before), Some(id)) = (self.id, segment.id) {
                let step = id.wrapping_sub(before);
                let step = if (1..=64).contains(&step) { 1 } else { -4 };
                self.counting = (self.counting + step).clamp(-64, 64);
            }
            self.id = segment.id;
        }
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((Print::from_segment(segment), now));
    }

    fn pass_new(&mut self, (start, end): Range, segment: &Segment, now: i64, shares: &Shares) {
        let una = self.una.unwrap_or(0);
        // Without SYN, data before the first packet were sent before the capture.
        if start > self.next && (self.packets > 1 || self.syn) {
            let from = self.next.max(una);
            self.missed += u64::try_from(start.min(una) - self.next).unwrap_or(0);
            if start > from {
                let stamp = segment.options.stamps.map(|(value, _)| value);
                // The last recent packet is this one.
                let before = self.recent.iter().rev().nth(1).map_or(now, |(_, time)| *time);
                let hole = Hole { end: start, before, time: now, number: self.packets, stamp, id: segment.id };
                self.holes.insert(from, hole);
                while self.holes.len() > shares.pieces {
                    self.holes.pop_first();
                }
            }
        }
        self.next = end;
        let fate = Fate::Passed(self.sender.sample_at(now));
        self.came.note((start, end), now, fate, &self.full, shares);
        if end > una {
            self.send((start.max(una), end), now, None, shares);
        }
        let in_flight = u32::try_from(self.in_flight()).unwrap_or(u32::MAX);
        let bucket = self.bucket(now, shares);
        bucket.passed += (end - start) as u64;
        bucket.in_flight = bucket.in_flight.max(in_flight);
    }

    fn send(&mut self, (start, end): Range, time: i64, again: Option<i64>, shares: &Shares) {
        self.outstanding.insert(start, Piece { end, time, again });
        while self.outstanding.len() > shares.pieces {
            self.outstanding.pop_first();
        }
    }

    /// Takes data below the highest byte that passed: they fill holes, or repeat.
    fn pass_known(&mut self, range: Range, segment: &Segment, now: i64, shares: &Shares) {
        let first = range.0 <= self.una.unwrap_or(0);
        let silent = self.silent_since(range.0);
        let mut again = 0;
        let mut at = range.0;
        while at < range.1 {
            let hole = self.holes.range(..=at).next_back().filter(|(_, hole)| hole.end > at);
            if let Some((&start, &hole)) = hole {
                let end = range.1.min(hole.end);
                again += self.fill((at, end), (start, hole), segment, now, shares);
                at = end;
            } else {
                let hole = self.holes.range(at..range.1).next().map(|(start, _)| *start);
                let end = hole.unwrap_or(range.1);
                again += self.repeat((at, end), segment, now, shares);
                at = end;
            }
        }
        self.retransmitted += again;
        self.bucket(now, shares).retransmitted += u32::try_from(again).unwrap_or(0);
        self.tries += u64::from(again > 0 && first);
        let rtt = self.receiver.min.max(self.sender.min).unwrap_or(0);
        if again > 0 && first && now - silent >= RTO_MIN.max(rtt) {
            self.timeouts += 1;
            self.timeout_since.get_or_insert(now);
        }
    }

    /// Returns when the silence of a retransmission timeout began, ns: the byte's last transmission, or later news from
    /// the receiver (RFC 6298, 5).
    fn silent_since(&self, at: i64) -> i64 {
        let piece = self.outstanding.range(..=at).next_back().filter(|(_, piece)| piece.end > at);
        let hole = self.holes.range(..=at).next_back().filter(|(_, hole)| hole.end > at);
        let sent = piece.map(|(_, piece)| piece.again.unwrap_or(piece.time)).or(hole.map(|(_, hole)| hole.time));
        sent.max(self.heard).unwrap_or(self.moved)
    }

    /// Takes data that fill a hole. Returns the number of retransmitted segments.
    fn fill(&mut self, range: Range, at: (i64, Hole), segment: &Segment, now: i64, shares: &Shares) -> u64 {
        let (from, hole) = at;
        self.holes.remove(&from);
        if from < range.0 {
            self.holes.insert(from, Hole { end: range.0, ..hole });
        }
        if range.1 < hole.end {
            self.holes.insert(range.1, hole);
        }
        let again = self.was_lost(&hole, segment, now);
        let segments = self.full.segments(range.1 - range.0);
        self.bucket(now, shares).passed += (range.1 - range.0) as u64;
        if range.1 > self.una.unwrap_or(0) {
            self.send(range, now, again.then_some(now), shares);
        }
        self.came.note(range, now, Fate::Passed(None), &self.full, shares);
        if !again {
            self.late += segments;
            return 0;
        }
        self.came.note(range, hole.before, Fate::Lost, &self.full, shares);
        self.filled += segments;
        if self.fills.len() == MOST_FILLS {
            self.fills.pop_front();
        }
        self.fills.push_back((range, hole));
        segments
    }

    /// True if the data that fill a hole were retransmitted and not just late: by their order of sending, or else by
    /// time.
    fn was_lost(&self, hole: &Hole, segment: &Segment, now: i64) -> bool {
        self.is_newer(hole, segment).unwrap_or_else(|| {
            let waited = now - hole.time;
            let rtt = self.sender.min.unwrap_or(0);
            let later = self.packets - hole.number;
            later >= DUPACKS && waited >= rtt / 2 || waited >= rtt.max(RTO_MIN)
        })
    }

    /// True if a segment was sent after the packet that left the hole, by TSval or by identification.
    fn is_newer(&self, hole: &Hole, segment: &Segment) -> Option<bool> {
        if let (Some(then), Some((value, _))) = (hole.stamp, segment.options.stamps)
            && value != then
        {
            return Some(value.wrapping_sub(then) as i32 > 0);
        }
        if let (Some(then), Some(id)) = (hole.id, segment.id)
            && self.counting > 16
            && id != then
        {
            return Some((id.wrapping_sub(then) as i16) > 0);
        }
        None
    }

    /// Takes data that had passed before. Returns the number of retransmitted segments.
    fn repeat(&mut self, range: Range, segment: &Segment, now: i64, shares: &Shares) -> u64 {
        let segments = self.full.segments(range.1 - range.0);
        let filled = self.fills.iter().rev().find(|((from, to), _)| *from < range.1 && range.0 < *to);
        if let Some((_, hole)) = filled
            && self.is_newer(hole, segment) == Some(false)
        {
            self.late += segments;
            return 0;
        }
        self.split(range.0);
        self.split(range.1);
        let mut at = range.0;
        while let Some((&start, piece)) = self.outstanding.range_mut(at..range.1.max(at)).next() {
            let lost = piece.again.replace(now);
            at = piece.end;
            if let Some(time) = lost {
                self.sent.note((start, at), time, Fate::Lost, &self.full, shares);
            }
        }
        self.repeated += segments;
        segments
    }

    /// Takes the acknowledgment of a piece from `start` on. It answers the last transmission, unless it comes too soon
    /// for that.
    pub fn arrived(&mut self, start: i64, piece: &Piece, now: i64, shares: &Shares) {
        let range = (start, piece.end);
        let soon = |again: i64| self.receiver.min.is_some_and(|least| now - again < least / 10 * 9);
        self.soon += piece.again.filter(|again| soon(*again)).map_or(0, |_| self.full.segments(piece.end - start));
        let fates = match piece.again {
            None => [Some((piece.time, Fate::Passed(Some(now - piece.time)))), None],
            Some(again) if soon(again) => [piece.time, again].map(|time| Some((time, Fate::Passed(None)))),
            Some(again) => [Some((piece.time, Fate::Lost)), Some((again, Fate::Passed(None)))],
        };
        for (time, fate) in fates.into_iter().flatten() {
            self.sent.note(range, time, fate, &self.full, shares);
        }
    }

    /// Makes a piece begin here, if one covers this byte.
    pub fn split(&mut self, at: i64) {
        if let Some((_, piece)) = self.outstanding.range_mut(..at).next_back()
            && piece.end > at
        {
            let rest = *piece;
            piece.end = at;
            self.outstanding.insert(at, rest);
        }
    }
}

impl Print {
    fn from_segment(segment: &Segment) -> Print {
        let Segment { seq, ack, payload, window, id, .. } = *segment;
        Print { seq, ack, payload, window, id, stamps: segment.options.stamps }
    }
}
