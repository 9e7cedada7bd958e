//! What a tunnel leaves of an MTU.
//!
//! Lengths are bytes of IP packets; PPPoE's is that of the Ethernet payload.

use evidence::headers::{ETHERNET, Ip, TIMESTAMPS, UDP};
use evidence::unit::Wrong;
use serde::Serialize;

/// What carries the tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Outer {
    /// Largest packet outside, bytes.
    pub mtu: u32,
    /// IPv6 outside, rather than IPv4.
    pub ipv6: bool,
    /// ESP in UDP, port 4500 (RFC 3948).
    pub nat_t: bool,
}

/// How a tunnel wraps a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Wrap {
    /// ESP in tunnel mode: sizes of initialisation vector, integrity check value and cipher block.
    Esp {
        /// Initialisation vector, bytes.
        iv: u32,
        /// Integrity check value, bytes.
        icv: u32,
        /// Cipher block, bytes; 4 at least.
        block: u32,
    },
    /// Behind an IP header, which in IPv6 has no options: bytes.
    Ip(u32),
    /// The same, but Linux adds 8 B for the encapsulation limit in IPv6 (RFC 2473, 4.1.1).
    IpLimited(u32),
    /// Without an IP header: bytes.
    Link(u32),
}

/// A tunnel by its name.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Tunnel {
    /// As `--tunnel` takes it.
    pub name: &'static str,
    pub wrap: Wrap,
    /// What that is made of, and where it comes from.
    pub source: &'static str,
}

/// The tunnels that are known.
pub(crate) const TUNNELS: &[Tunnel] = &[
    Tunnel {
        name: "esp-aes-gcm",
        wrap: Wrap::Esp { iv: 8, icv: 16, block: 4 },
        source: "RFC 4106; net/xfrm/xfrm_state.c",
    },
    Tunnel {
        name: "esp-chacha20-poly1305",
        wrap: Wrap::Esp { iv: 8, icv: 16, block: 4 },
        source: "RFC 7634; net/xfrm/xfrm_state.c",
    },
    Tunnel {
        name: "esp-aes-cbc-sha1",
        wrap: Wrap::Esp { iv: 16, icv: 12, block: 16 },
        source: "RFC 3602, RFC 2404; net/xfrm/xfrm_state.c",
    },
    Tunnel {
        name: "esp-aes-cbc-sha256",
        wrap: Wrap::Esp { iv: 16, icv: 16, block: 16 },
        source: "RFC 3602, RFC 4868; net/xfrm/xfrm_state.c",
    },
    Tunnel {
        name: "esp-aes-cbc-sha512",
        wrap: Wrap::Esp { iv: 16, icv: 32, block: 16 },
        source: "RFC 3602, RFC 4868; net/xfrm/xfrm_state.c",
    },
    Tunnel { name: "gre", wrap: Wrap::IpLimited(4), source: "RFC 2784: 4 B, without key and sequence number" },
    Tunnel { name: "ipip", wrap: Wrap::IpLimited(0), source: "RFC 2003: another IP header" },
    Tunnel { name: "vxlan", wrap: Wrap::Ip(UDP + 8 + ETHERNET), source: "RFC 7348: UDP 8, VXLAN 8, Ethernet 14" },
    Tunnel {
        name: "geneve",
        wrap: Wrap::Ip(UDP + 8 + ETHERNET),
        source: "RFC 8926: UDP 8, Geneve 8 without options, Ethernet 14",
    },
    Tunnel { name: "wireguard", wrap: Wrap::Ip(UDP + 32), source: "wireguard.com/protocol: UDP 8, header 16, tag 16" },
    Tunnel { name: "pppoe", wrap: Wrap::Link(8), source: "RFC 2516: PPPoE 6, PPP 2" },
];

/// The tunnel of a name.
pub fn named(name: &str) -> Result<&'static Tunnel, Wrong> {
    let names: Vec<&str> = TUNNELS.iter().map(|tunnel| tunnel.name).collect();
    let found = TUNNELS.iter().find(|tunnel| tunnel.name == name);
    found.ok_or_else(|| Wrong::new("is not a known tunnel type").accepted(names.join(", ")))
}

impl Tunnel {
    /// Whether it can be in UDP to pass NAT.
    pub fn is_esp(&self) -> bool {
        matches!(self.wrap, Wrap::Esp { .. })
    }

    /// The same with another integrity check value, if it is ESP: truncated to so many bytes.
    pub(crate) fn with_icv(&self, icv: u32) -> Tunnel {
        let wrap = match self.wrap {
            Wrap::Esp { iv, block, .. } => Wrap::Esp { iv, icv, block },
            other => other,
        };
        Tunnel { wrap, ..*self }
    }

    /// The MTU for packets that ESP protects in transport mode, where the IP header is the packet's own.
    pub(crate) fn transport_mtu(&self, outer: Outer) -> Option<u32> {
        self.mtu(outer).map(|inner| inner + family(outer.ipv6).header())
    }

    /// The MTU inside; `None` if nothing is left.
    pub fn mtu(&self, outer: Outer) -> Option<u32> {
        let header = family(outer.ipv6).header();
        let left = |overhead: u32| outer.mtu.checked_sub(overhead).filter(|left| *left > 0);
        match self.wrap {
            Wrap::Esp { iv, icv, block } => {
                let room = left(header + if outer.nat_t { UDP } else { 0 } + ESP + iv + icv)?;
                (room / block * block).checked_sub(TRAILER).filter(|left| *left > 0)
            }
            Wrap::Ip(bytes) => left(header + bytes),
            Wrap::IpLimited(bytes) => left(header + bytes + if outer.ipv6 { 8 } else { 0 }),
            Wrap::Link(bytes) => left(bytes),
        }
    }
}

/// ESP's header, and its trailer, which ends on a whole block, bytes (RFC 4303, 2; net/xfrm/xfrm_state.c, xfrm_state_mtu).
const ESP: u32 = 8;
const TRAILER: u32 = 2;

fn family(ipv6: bool) -> Ip {
    if ipv6 { Ip::V6 } else { Ip::V4 }
}

/// The MSS that TCP announces for an MTU.
pub fn mss(mtu: u32, ipv6: bool) -> u32 {
    family(ipv6).mss(mtu)
}

/// Payload of a full segment with timestamps.
pub fn payload(mtu: u32, ipv6: bool) -> u32 {
    mss(mtu, ipv6).saturating_sub(TIMESTAMPS)
}
