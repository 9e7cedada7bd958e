//! TCP connections of packet captures: pcap and pcapng, read once from front to back.
//!
//! In reading order: `file` (from bytes to frames), `clock` (times of packets), `packet` (from a frame to a TCP
//! segment), `table` (the connections) with `bounds` (limits of memory), `live` (a connection and its handshake), `way`
//! (one direction's data), `answer` (its acknowledgments), `echo` (its ECN feedback), `pace` (whether ACKs clock the
//! sender), `log` (the fate of each segment), `summary` (results of a connection). `annotate` writes comments into a
//! capture. Memory is used for live connections,
//! their outstanding data and the result; all three are bounded.

mod annotate;
mod answer;
mod bounds;
mod clock;
mod echo;
mod file;
mod full;
mod live;
mod log;
mod pace;
mod packet;
mod ranges;
mod rtt;
mod series;
mod summary;
mod table;
#[cfg(test)]
mod tests;
mod way;

pub use annotate::{Annotated, Remark, annotate};

use crate::{Connection, Place, Unread, counted};
use bounds::MOST_KEPT;
use clock::Clock;
use file::{End, Frame};
use packet::Other;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;
use summary::Doubts;
use table::Table;
use thiserror::Error;

/// Result of reading a capture.
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    /// Connections with payload, in the order in which they began. Times are seconds since the first packet.
    pub connections: Vec<Connection>,
    /// Packets in the file.
    pub packets: u64,
    /// Total length of the packets on the link, bytes.
    pub bytes: u64,
    /// Parts that were not read, and doubts.
    pub unread: Vec<Unread>,
}

/// Why a capture cannot be read.
#[derive(Debug, Error)]
pub enum CaptureError {
    #[error("starts with {seen}, which is neither pcap nor pcapng\n\nhint: {hint}")]
    Unknown {
        /// First bytes of the file.
        seen: String,
        hint: &'static str,
    },
    /// The file ends inside its header.
    #[error(
        "ends after {bytes} bytes, within the capture's header\n\nhint: copy the file again, or repeat the capture"
    )]
    Short { bytes: usize },
    /// The file's header makes no sense.
    #[error("starts like a capture, but its header is damaged\n\nhint: check whether `capinfos` can read it")]
    Head,
    /// The file cannot be read from its source.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
}

/// Known formats that goodput cannot read: their first bytes, and advice.
const FOREIGN: &[(&[u8], &str)] = &[(b"snoop\0", "it is a snoop capture: `editcap -F pcapng FILE NEW` converts it")];

impl CaptureError {
    fn unknown(head: &[u8]) -> CaptureError {
        let seen: Vec<String> = head.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
        let seen = if seen.is_empty() { "nothing".into() } else { format!("the bytes {}", seen.join(" ")) };
        let known = FOREIGN.iter().find(|(first, _)| head.starts_with(first));
        let hint = known.map_or("`editcap -F pcapng FILE NEW` converts anything Wireshark can read", |(_, hint)| hint);
        CaptureError::Unknown { seen, hint }
    }
}

/// True if a file with these first bytes is a capture. 12 bytes always suffice, 4 mostly.
pub fn is_capture(first_bytes: &[u8]) -> bool {
    file::format(first_bytes).is_some()
}

/// Reads a capture once. `file` is its name in the results.
pub fn read(file: &str, input: impl Read) -> Result<Capture, CaptureError> {
    let file: Arc<str> = file.into();
    let mut table = Table::new(file.clone());
    let mut others: BTreeMap<Other, u64> = BTreeMap::new();
    let [mut packets, mut bytes] = [0_u64; 2];
    let mut clock = Clock::default();
    let mut now = 0;
    let end = file::frames(input, |frame: Frame| {
        packets += 1;
        bytes += u64::from(frame.length);
        if let Some(time) = frame.time {
            now = clock.time(time);
        }
        match packet::segment(&frame) {
            Ok(segment) => table.pass(&segment, now, frame.time.is_some()),
            Err(other) => *others.entry(other).or_default() += 1,
        }
    })?;
    let (mut connections, doubts) = table.end();
    let cut_off = !matches!(end, End::Whole);
    connections.iter_mut().for_each(|connection| connection.cut_off = cut_off);
    let mut notes = vec![];
    notes.extend(no_tcp(&others));
    notes.extend(doubts.notes());
    notes.extend(clock.notes());
    notes.extend(match end {
        End::Whole => None,
        End::Cut(at) => Some(format!("the file ends within the packet at byte {at}")),
        End::Damaged(at) => Some(format!("damaged after byte {at}; the rest was ignored")),
    });
    let place = Place { file, line: 0 };
    let unread = notes.into_iter().map(|why| Unread { place: place.clone(), to: 0, why: Some(why) }).collect();
    Ok(Capture { connections, packets, bytes, unread })
}

fn no_tcp(others: &BTreeMap<Other, u64>) -> Option<String> {
    let all: u64 = others.values().sum();
    let kinds: Vec<String> = others.iter().map(|(other, count)| format!("{count} {other}")).collect();
    (all > 0).then(|| {
        format!("{} not TCP over IPv4 or IPv6: {}", counted(all, "packet is", "packets are"), kinds.join(", "))
    })
}

impl Clock {
    fn notes(&self) -> Vec<String> {
        let packets = |count| counted(count, "packet was", "packets were");
        let rows: [(u64, &dyn Fn(u64) -> String); 2] = [
            (self.back, &|n| {
                format!(
                    "{} captured 0.1 s and more before the one ahead of it in the file: the clock was set back, or files were joined",
                    packets(n)
                )
            }),
            (self.ahead, &|n| {
                format!(
                    "{} captured more than a day after the last: the clock was set ahead, and this time is left out",
                    packets(n)
                )
            }),
        ];
        said(&rows)
    }
}

impl Doubts {
    fn notes(&self) -> Vec<String> {
        let connections = |count| counted(count, "connection", "connections");
        let packets = |count| counted(count, "packet", "packets");
        let rows: [(u64, &dyn Fn(u64) -> String); 8] = [
            (self.silent, &|n| format!("{} without payload", connections(n))),
            (self.left_out, &|n| format!("{} ignored beyond the {MOST_KEPT} with most payload", connections(n))),
            (self.unscaled, &|n| format!("{} without a complete handshake: window scale unknown", connections(n))),
            (self.one_way, &|n| format!("{} captured in one direction only", connections(n))),
            (self.untimed, &|n| format!("{} with packets without timestamps (simple packet blocks)", connections(n))),
            (self.missed, &|n| {
                let missed =
                    counted(n, "byte was acknowledged but not captured", "bytes were acknowledged but not captured");
                format!("{missed}, in {}: the capture lost packets", connections(self.gaps))
            }),
            (self.copies, &|n| format!("{} captured twice, counted once", packets(n))),
            (self.strays, &|n| format!("{} with sequence numbers far outside their connection", packets(n))),
        ];
        said(&rows)
    }
}

/// Returns the sentence of each count that is not 0.
fn said(rows: &[(u64, &dyn Fn(u64) -> String)]) -> Vec<String> {
    rows.iter().filter(|(count, _)| *count > 0).map(|(count, say)| say(*count)).collect()
}
