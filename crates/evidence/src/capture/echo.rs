//! ECN feedback in acknowledgments of one direction's data: ECE (RFC 3168, 6.1.3) or AccECN counters (RFC 9768, 3.2).

use super::full::Full;
use super::packet::{Flags, Segment};
use crate::ecn::{Echoed, Heard};

/// Initial value of the counter of CE packets, whose lowest three bits are sent (RFC 9768, 3.2.1, 3.2.2).
const FIRST_ACE: u8 = 5;
const ACE_VALUES: u64 = 8;

/// ACE in the acknowledgment of a SYN-ACK that had CE (RFC 9768, table 3).
const ACE_OF_CE: u8 = 6;

/// Initial values of the byte counters for ECT(0), CE and ECT(1), whose lowest 24 bits are sent (RFC 9768, 3.2.1,
/// 3.2.3).
const FIRST_BYTES: [u32; 3] = [1, 0, 1];
const BYTES_BITS: u32 = 24;

/// ECN feedback on one direction's data.
#[derive(Debug, Default)]
pub(super) struct Echo {
    /// Acknowledgments with ECE.
    pub ece: u64,
    /// Whether AE or the AccECN option was seen, which only AccECN sends outside a handshake.
    accurate: bool,
    /// Latest ACE. A capture that begins after the handshake counts from its first ACE.
    ace: Option<u8>,
    /// Whether ACE was ever other than 0: a live counter, which begins at 5, is unlikely to show only 0.
    lives: bool,
    /// Least and most packets with CE.
    marked: [u64; 2],
    /// Segments delivered since the latest ACE that was counted.
    delivered: u64,
    /// TSval of the latest acknowledgment.
    stamp: Option<u32>,
    /// Byte counters of ECT(0), CE and ECT(1).
    bytes: [Bytes; 3],
    option: Seen,
}

/// State of the AccECN option.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Seen {
    #[default]
    No,
    Yes,
    /// The option began with 0 bytes of either ECT, which no receiver sends (RFC 9768, 3.2.3.2.4).
    Zeroed,
}

#[derive(Debug, Default, Clone, Copy)]
struct Bytes {
    /// Initial value; in a capture that begins later, the first value seen.
    first: Option<u32>,
    /// Bytes counted since then.
    count: u64,
}

impl Echo {
    /// Begins after a seen handshake: counters have their initial values.
    pub fn begin(&mut self) {
        self.ace = Some(FIRST_ACE);
        self.bytes = FIRST_BYTES.map(|first| Bytes { first: Some(first), count: 0 });
    }

    /// Reads the acknowledgment of the SYN-ACK, whose ACE is the SYN-ACK's ECN field (RFC 9768, 3.2.2.1).
    pub fn begin_after(&mut self, segment: &Segment) {
        self.begin_counting(segment);
        let ace = segment.flags.ace();
        self.marked = [u64::from(ace == ACE_OF_CE); 2];
        self.ace = Some(FIRST_ACE + u8::from(ace == ACE_OF_CE));
        self.lives |= ace != 0;
    }

    /// Reads an acknowledgment without SYN that newly delivers this many segments.
    pub fn hear(&mut self, segment: &Segment, delivered: u64) {
        self.ece += u64::from(segment.flags.has(Flags::ECE));
        self.accurate |= segment.flags.has(Flags::AE) || segment.options.accecn.is_some();
        self.delivered += delivered;
        let stamp = segment.options.stamps.map(|(value, _)| value);
        let is_later = |value: u32| self.stamp.is_none_or(|last| value.wrapping_sub(last) as i32 > 0);
        // A later acknowledgment may have overtaken this one (RFC 9768, A.1).
        if delivered == 0 && !stamp.is_some_and(is_later) {
            return;
        }
        self.stamp = stamp.or(self.stamp);
        self.packets(segment.flags.ace());
        self.option(segment);
    }

    /// Takes initial values from the option in a handshake packet: drafts before RFC 9768 began others at 0.
    pub fn begin_counting(&mut self, segment: &Segment) {
        for (bytes, field) in self.bytes.iter_mut().zip(segment.options.accecn.unwrap_or_default()) {
            bytes.first = field.or(bytes.first);
        }
        self.stamp = segment.options.stamps.map(|(value, _)| value);
        self.option(segment);
    }

    fn option(&mut self, segment: &Segment) {
        let Some(fields) = segment.options.accecn else { return };
        if self.option == Seen::No {
            let zeroed = [fields[0], fields[2]].into_iter().flatten().max() == Some(0);
            self.option = if zeroed { Seen::Zeroed } else { Seen::Yes };
        }
        for (bytes, field) in self.bytes.iter_mut().zip(fields) {
            if let Some(field) = field {
                let first = *bytes.first.get_or_insert(field);
                let since = field.wrapping_sub(first).wrapping_sub(bytes.count as u32) << (32 - BYTES_BITS);
                // A value behind the latest was overtaken.
                let since = (since as i32) >> (32 - BYTES_BITS);
                bytes.count += u64::try_from(since).unwrap_or(0);
            }
        }
    }

    fn packets(&mut self, ace: u8) {
        let delivered = std::mem::take(&mut self.delivered);
        self.lives |= ace != 0;
        let Some(before) = self.ace.replace(ace) else { return };
        let least = (u64::from(ace) + ACE_VALUES - u64::from(before)) % ACE_VALUES;
        let wraps = delivered.saturating_sub(least) / ACE_VALUES;
        self.marked[0] += least;
        self.marked[1] += least + ACE_VALUES * wraps;
    }

    /// True if the receiver was seen to use AccECN.
    pub fn is_accurate(&self) -> bool {
        self.accurate
    }

    /// Returns the final counts. The byte counters show how often the packet counter wrapped.
    pub fn heard(&self, full: &Full) -> Heard {
        let [ect0, ce, ect1] = self.bytes.map(|bytes| bytes.count);
        let bytes = (self.option == Seen::Yes).then_some(Echoed { ect1, ect0, ce });
        let [least, most] = self.marked;
        let rounds = |bytes: &Echoed| {
            let packets = bytes.ce as f64 / f64::from(full.known()?);
            Some((((packets - least as f64) / ACE_VALUES as f64).round() as u64).min((most - least) / ACE_VALUES))
        };
        let marked = match bytes.as_ref().and_then(rounds) {
            Some(rounds) => [least + ACE_VALUES * rounds; 2],
            None => [least, most],
        };
        Heard { marked: self.lives.then_some(marked), bytes }
    }
}
