//! Settings of hosts and programs, as keys of an experiment.

use base::model::segment;
use diagnosis::remedy::lab::Key;
use evidence::End;

/// A full-size frame on an Ethernet with its headers and gap, bits.
pub const FRAME_BITS: f64 = segment::FULL_FRAME * 8.0;
/// Share of such a frame that is payload.
pub const PAYLOAD_SHARE: f64 = segment::FULL_SEGMENT / segment::FULL_FRAME;
/// Buffers of hosts whose settings are unknown, bytes: the value of Linux 6.16 with 4 GiB of memory, so that only a
/// candidate's buffers limit. The default tcp_wmem of 4 MiB may limit, so it is a candidate too.
pub const UNLIMITED_BUFFER_BYTES: u64 = 33_554_432;
/// The kernel's minimum for the third value of tcp_rmem and tcp_wmem, bytes.
pub const MIN_BUFFER_BYTES: f64 = 4608.0;

/// Sets the largest autotuned buffer of an end, bytes.
pub fn largest_buffer(end: End, most: u64) -> Key {
    let (host, name, first) = match end {
        End::Receiver => ("receiver", "rmem", 131_072),
        End::Sender => ("sender", "wmem", 16_384),
    };
    let most = most.max(MIN_BUFFER_BYTES as u64);
    Key::new(format!("hosts.{host}.sysctl.net.ipv4.tcp_{name}"), format!("4096 {} {most}", most.min(first)))
}

/// iperf3 -b writes a block, then waits until the rate allows the next.
pub fn written(rate: f64, block: f64) -> Vec<Key> {
    let period = block * 8.0 / rate;
    let on = (period / 4.0).min(0.01);
    vec![
        Key::new("flows.send-rate", kbit(block * 8.0 / on)),
        Key::new("flows.on", format!("{:.0} us", on * 1e6)),
        Key::new("flows.off", format!("{:.0} us", (period - on) * 1e6)),
    ]
}

/// Formats a rate.
pub fn kbit(rate: f64) -> String {
    format!("{:.0} kbit/s", (rate / 1e3).max(8.0))
}
