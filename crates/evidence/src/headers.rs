//! Sizes of the headers around a payload, in bytes: Ethernet, IPv4 and IPv6, and the protocols that they carry.

use serde::Serialize;

/// A version of IP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Ip {
    /// IPv4.
    #[serde(rename = "ipv4")]
    V4,
    /// IPv6.
    #[serde(rename = "ipv6")]
    V6,
}

impl Ip {
    /// Returns the size of its header, without options or extension headers (RFC 791, 3.1; RFC 8200, 3).
    pub const fn header(self) -> u32 {
        match self {
            Ip::V4 => 20,
            Ip::V6 => 40,
        }
    }

    /// Returns the least MTU of a link (RFC 791, 3.2: every host takes a datagram of 576 B; RFC 8200, 5).
    pub const fn least_mtu(self) -> u32 {
        match self {
            Ip::V4 => 576,
            Ip::V6 => 1280,
        }
    }

    /// Returns the size of IP and TCP headers without options: an MTU less the MSS that TCP announces for it (RFC 9293,
    /// 3.7.1).
    pub const fn tcp(self) -> u32 {
        self.header() + TCP
    }

    /// Returns the size of IP and UDP headers, or of IP and ICMP echo headers.
    pub const fn datagram(self) -> u32 {
        self.header() + UDP
    }

    /// Returns the MSS that TCP announces for an MTU.
    pub const fn mss(self, mtu: u32) -> u32 {
        mtu.saturating_sub(self.tcp())
    }
}

/// TCP's header without options (RFC 9293, 3.1).
pub const TCP: u32 = 20;
/// TCP's timestamps, padding included (RFC 7323, appendix A).
pub const TIMESTAMPS: u32 = 12;
/// UDP's header (RFC 768); the header of an ICMP echo is as long (RFC 792).
pub const UDP: u32 = 8;

/// The Ethernet header, which the kernel counts as part of a packet.
pub const ETHERNET: u32 = 14;
/// The gap between two Ethernet frames (IEEE 802.3).
pub const GAP: u32 = 12;
/// Bytes of a frame on the wire besides header and payload: FCS 4, preamble and start delimiter 8, gap (IEEE 802.3).
pub const FRAMING: u32 = 4 + 8 + GAP;
/// The largest payload of an Ethernet frame (IEEE 802.3).
pub const MTU: u32 = 1500;

/// Payload of a full segment with timestamps on Ethernet over IPv4.
pub const SEGMENT: u32 = Ip::V4.mss(MTU) - TIMESTAMPS;
