//! The stream from the guest to the host: frames of a kind, a length and a payload, little-endian.
//!
//! The guest kernel writes [`HELLO`] to [`PROGRAM`]; the agent writes [`MESSAGE`]. `kernel/module/` and
//! `kernel/freebsd/linux/` have the layouts in C, [`crate::SAMPLE`] and its neighbours as tables.

/// Bytes before the payload: kind and length, a u32 each.
pub const HEADER: usize = 8;
/// The kernel's first frame: protocol (u32), HZ (u32), release (64 bytes, NUL-padded).
pub const HELLO: u32 = 1;
/// TCP_INFO of one end of a flow: [`crate::SAMPLE`], then [`crate::TCP_INFO`] as far as the kernel fills it.
pub const SAMPLE: u32 = 2;
/// Counters of a queue: [`crate::QUEUE`].
pub const QUEUE: u32 = 3;
/// State of a sender when an ACK arrived: [`crate::ACK`].
pub const ACK: u32 = 4;
/// A dropped packet: [`crate::DROP`].
pub const DROP: u32 = 5;
/// The name of a drop reason: code (u32), then text.
pub const REASON: u32 = 6;
/// State of a sender's BBR at a sample: [`crate::BBR`].
pub const BBR: u32 = 7;
/// State of a sender's Vegas or similar congestion control at a sample: [`crate::VEGAS`].
pub const VEGAS: u32 = 8;
/// State of a sender's DCTCP at a sample: [`crate::DCTCP`].
pub const DCTCP: u32 = 9;
/// A connection's state that only FreeBSD keeps, at a sample: [`crate::FREEBSD`].
pub const FREEBSD: u32 = 10;
/// Number of packets that waited about equally long in a queue: [`crate::WAIT`].
pub const WAIT: u32 = 11;
/// State and counters of dualpi2 at a sample: [`crate::DUALPI2`].
pub const DUALPI2: u32 = 12;
/// ECN codepoints of a flow's packets that left a queue: [`crate::ECN`].
pub const ECN: u32 = 13;
/// TCP_INFO of one subflow at one end of an MPTCP flow: [`crate::SUBFLOW`], then [`crate::TCP_INFO`].
pub const SUBFLOW: u32 = 14;
/// TCP_INFO of one end of the connection that carries a tunnel: [`crate::TUNNEL`], then [`crate::TCP_INFO`].
pub const TUNNEL: u32 = 15;
/// Counters of one end of a flow of programs at a sample: [`crate::PROGRAM`].
pub const PROGRAM: u32 = 16;
/// A [`crate::Message`] as JSON.
pub const MESSAGE: u32 = 32;
/// Largest payload of a frame, bytes; a larger length means that the stream is not goodput's.
pub const MAX: usize = 4 << 20;

/// Encodes a frame.
pub fn encode(kind: u32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend(kind.to_le_bytes());
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// Reads the kind and payload length from a frame's header; `None` if goodput writes no such frame.
pub fn header(bytes: [u8; HEADER]) -> Option<(u32, usize)> {
    let [k0, k1, k2, k3, l0, l1, l2, l3] = bytes;
    let kind = u32::from_le_bytes([k0, k1, k2, k3]);
    let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    (length <= MAX && (matches!(kind, HELLO..=PROGRAM) || kind == MESSAGE)).then_some((kind, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_comes_back() {
        let bytes = encode(MESSAGE, b"abc");
        assert_eq!(header(bytes[..HEADER].try_into().unwrap()), Some((MESSAGE, 3)));
        assert_eq!(&bytes[HEADER..], b"abc");
    }

    #[test]
    fn foreign_bytes_are_refused() {
        assert_eq!(header(*b"\x7fELF\x02\x01\x01\x00"), None);
        assert_eq!(header([1, 0, 0, 0, 255, 255, 255, 255]), None);
    }
}
