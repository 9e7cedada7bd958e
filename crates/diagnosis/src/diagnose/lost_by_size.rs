//! Detects paths that lose full segments although small ones arrive.

use super::flow::Flow;
use super::silence::TWO_TIMEOUTS_S;
use evidence::Packet;

/// Largest number of bytes that a program can write while nothing is acknowledged. Linux gives an initial window a
/// send buffer of 46 or 87 kB of memory (model::buffer::autotuned_send), and a write may exceed it by a packet of 64
/// KiB.
pub const MAX_UNACKED_BYTES: f64 = 160e3;

/// Length below which a segment fits any link, bytes.
const MIN_LARGE_SEGMENT_BYTES: u32 = 100;

/// Returns the bytes written before a silence of a second and more, its length, and its end, seconds, if only an
/// initial window precedes the silence.
pub fn written_ahead(flow: &Flow) -> Option<(f64, f64, f64)> {
    let points = flow.seen.points.get(1..).filter(|_| flow.seen.written)?;
    let first = points.iter().position(|p| p.bytes.is_some_and(|bytes| bytes > 0.0))?;
    let silent = points[first + 1..].iter().take_while(|p| p.bytes == Some(0.0));
    let end = silent.last()?.time;
    let written = points[first].bytes.filter(|bytes| *bytes <= MAX_UNACKED_BYTES)?;
    let sent_again: f64 = points.iter().take_while(|p| p.time <= end).filter_map(|p| p.retransmitted).sum();
    (end - points[first].time > TWO_TIMEOUTS_S && sent_again >= 2.0).then_some((written, end - points[first].time, end))
}

/// Whether full segments never arrive: nothing beyond small ones is acknowledged, and timeouts retransmit.
pub fn is_stuck(flow: &Flow) -> bool {
    let ahead = written_ahead(flow).is_some_and(|(written, ..)| flow.seen.bytes == Some(written));
    // More than a send buffer was written only if some of it arrived, even if the run was cut off without the
    // receiver's count.
    let fits =
        !flow.seen.written || flow.seen.points.iter().filter_map(|point| point.bytes).sum::<f64>() <= MAX_UNACKED_BYTES;
    let delivered = flow.seen.bytes.is_some_and(|bytes| bytes < flow.mss) && fits || ahead;
    // Without an acknowledgment each retransmission is a timeout's.
    delivered && !is_lost_whatever_its_size(flow) && flow.seen.retransmitted.is_some_and(|n| n >= 3.0)
}

/// Whether segments are lost regardless of their size. Either full segments arrived, by a receiver's count (not by
/// bytes written) or in a capture; or no lost segment is larger than a few bytes.
pub fn is_lost_whatever_its_size(flow: &Flow) -> bool {
    let written: f64 = flow.seen.points.iter().filter_map(|point| point.bytes).sum();
    let counted = flow.seen.bytes.filter(|bytes| *bytes < written).is_some_and(|bytes| bytes >= 2.0 * flow.mss);
    let full = |packet: &Packet| f64::from(packet.bytes) >= flow.mss;
    let passed = || flow.seen.packets.iter().filter(|packet| full(packet) && packet.rtt.is_some()).count() >= 2;
    let largest = flow.seen.packets.iter().filter(|packet| packet.lost).max_by_key(|packet| packet.bytes);
    counted || largest.is_some_and(|lost| lost.bytes < MIN_LARGE_SEGMENT_BYTES || full(lost) && passed())
}
