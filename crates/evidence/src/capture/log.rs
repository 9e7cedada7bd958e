//! The fate of each segment.

use super::bounds::Shares;
use super::full::Full;
use super::ranges::Range;
use crate::Packet;

/// A segment and its fate.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Time when it passed, ns.
    time: i64,
    /// First byte of the segment.
    start: i64,
    bytes: u32,
    lost: bool,
    rtt: Option<f32>,
}

/// The first segments of a direction whose fate is known.
#[derive(Debug, Default)]
pub(super) struct Log(Vec<Entry>);

impl Log {
    /// Records a range that passed at `time`, ns, as full segments.
    pub fn note(&mut self, (from, to): Range, time: i64, fate: Fate, full: &Full, shares: &Shares) {
        let segments = full.segments(to - from).max(1) as i64;
        let width = (to - from + segments - 1) / segments;
        let mut start = from;
        while start < to && self.0.len() < shares.packets {
            let end = to.min(start + width);
            let rtt = match fate {
                Fate::Passed(rtt) => rtt.map(|rtt| (rtt as f64 / 1e9) as f32),
                Fate::Lost => None,
            };
            let bytes = u32::try_from(end - start).unwrap_or(u32::MAX);
            self.0.push(Entry { time, start, bytes, lost: fate == Fate::Lost, rtt });
            start = end;
        }
    }

    pub fn packets(&self) -> Vec<Packet> {
        let mut entries = self.0.clone();
        entries.sort_by_key(|entry| (entry.time, entry.start));
        let packet =
            |&Entry { time, bytes, lost, rtt, .. }: &Entry| Packet { time: time as f64 / 1e9, bytes, lost, rtt };
        entries.iter().map(packet).collect()
    }
}

/// Fate of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Passed, with its round-trip time if known, ns.
    Passed(Option<i64>),
    Lost,
}
