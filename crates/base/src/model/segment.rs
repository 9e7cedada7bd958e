//! Sizes of a segment over IPv4 with TCP's timestamps, and of a program's write: bytes.

use evidence::headers::{ETHERNET, FRAMING, Ip, MTU, SEGMENT, TIMESTAMPS};

/// Size of a packet less its payload: IPv4 and TCP.
pub const PACKET_HEADERS: f64 = (Ip::V4.tcp() + TIMESTAMPS) as f64;

/// Size of a packet as Linux's queues and policers count it, less its payload: with the Ethernet header.
pub const FRAME_HEADERS: f64 = ETHERNET as f64 + PACKET_HEADERS;

/// Size of a frame on the wire less its payload: with FCS, preamble and gap (IEEE 802.3).
pub const WIRE_OVERHEAD: f64 = FRAMING as f64 + FRAME_HEADERS;

/// Payload of a full segment of Ethernet.
pub const FULL_SEGMENT: f64 = SEGMENT as f64;

/// Size of a full frame on the wire.
pub const FULL_FRAME: f64 = (MTU + ETHERNET + FRAMING) as f64;

/// Size of iperf3's writes unless -l says otherwise (iperf_api.h, DEFAULT_TCP_BLKSIZE).
pub const IPERF3_WRITE: f64 = 131_072.0;

/// Returns the payload's share of the wire.
pub fn payload_share(mss: f64) -> f64 {
    mss / (mss + WIRE_OVERHEAD)
}
