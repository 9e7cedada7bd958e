//! MTUs inside tunnels.
//!
//! Lengths are bytes of IP packets; PPPoE's is that of the Ethernet payload.

use evidence::headers::{ETHERNET, Ip, TIMESTAMPS, UDP};
use evidence::unit::Wrong;
use serde::Serialize;

/// The network that carries a tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Outer {
    /// Largest outer packet, bytes.
    pub mtu: u32,
    /// Whether the outer packet is IPv6 rather than IPv4.
    pub ipv6: bool,
    /// Whether ESP is in UDP, port 4500 (RFC 3948).
    pub nat_t: bool,
}

/// Encapsulation of a packet in a tunnel.
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
    /// Bytes after an IP header, which in IPv6 has no options.
    Ip(u32),
    /// Bytes after an IP header, to which Linux adds 8 B for the encapsulation limit in IPv6 (RFC 2473, 4.1.1).
    IpLimited(u32),
    /// Bytes without an IP header.
    Link(u32),
    /// Bytes added to the Ethernet header, which no MTU counts.
    Tag(u32),
}

/// A tunnel type with its name.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Tunnel {
    /// Name, as `--tunnel` takes it.
    pub name: &'static str,
    /// Kinds of its device in Linux (`ip -d link`), over IPv4 and over IPv6.
    #[serde(skip)]
    pub devices: [Option<&'static str>; 2],
    pub wrap: Wrap,
    /// Components of the overhead, and its source.
    pub source: &'static str,
}

/// Devices of a tunnel without a device of its own.
const NO_DEVICE: [Option<&str>; 2] = [None; 2];

/// Returns the devices of a tunnel with the same kind over either IP.
const fn either(kind: &'static str) -> [Option<&'static str>; 2] {
    [Some(kind); 2]
}

const fn esp(name: &'static str, [iv, icv, block]: [u32; 3], source: &'static str) -> Tunnel {
    Tunnel { name, devices: NO_DEVICE, wrap: Wrap::Esp { iv, icv, block }, source }
}

/// All known tunnels: the only table of their overhead.
pub const TUNNELS: &[Tunnel] = &[
    esp("esp-aes-gcm", [8, 16, 4], "RFC 4106; net/xfrm/xfrm_state.c"),
    esp("esp-chacha20-poly1305", [8, 16, 4], "RFC 7634; net/xfrm/xfrm_state.c"),
    esp("esp-aes-cbc-sha1", [16, 12, 16], "RFC 3602, RFC 2404; net/xfrm/xfrm_state.c"),
    esp("esp-aes-cbc-sha256", [16, 16, 16], "RFC 3602, RFC 4868; net/xfrm/xfrm_state.c"),
    esp("esp-aes-cbc-sha512", [16, 32, 16], "RFC 3602, RFC 4868; net/xfrm/xfrm_state.c"),
    Tunnel {
        name: "gre",
        devices: [Some("gre"), Some("ip6gre")],
        wrap: Wrap::IpLimited(4),
        source: "RFC 2784: 4 B, without key and sequence number",
    },
    Tunnel {
        name: "ipip",
        devices: [Some("ipip"), Some("ip6tnl")],
        wrap: Wrap::IpLimited(0),
        source: "RFC 2003: another IP header",
    },
    Tunnel { name: "6in4", devices: [Some("sit"), None], wrap: Wrap::Ip(0), source: "RFC 4213: another IP header" },
    Tunnel {
        name: "vxlan",
        devices: either("vxlan"),
        wrap: Wrap::Ip(UDP + 8 + ETHERNET),
        source: "RFC 7348: UDP 8, VXLAN 8, Ethernet 14",
    },
    Tunnel {
        name: "geneve",
        devices: either("geneve"),
        wrap: Wrap::Ip(UDP + 8 + ETHERNET),
        source: "RFC 8926: UDP 8, Geneve 8 without options, Ethernet 14",
    },
    Tunnel {
        name: "wireguard",
        devices: either("wireguard"),
        wrap: Wrap::Ip(UDP + 32),
        source: "wireguard.com/protocol: UDP 8, header 16, tag 16",
    },
    Tunnel { name: "pppoe", devices: either("ppp"), wrap: Wrap::Link(8), source: "RFC 2516: PPPoE 6, PPP 2" },
    Tunnel { name: "vlan", devices: either("vlan"), wrap: Wrap::Tag(4), source: "IEEE 802.1Q: tag 4" },
    Tunnel {
        name: "tcp",
        devices: NO_DEVICE,
        wrap: Wrap::Ip(TCP_BYTES + TIMESTAMPS + 2),
        source: "RFC 9293, RFC 7323: TCP 20, timestamps 12, length 2",
    },
    Tunnel { name: "qinq", devices: NO_DEVICE, wrap: Wrap::Tag(8), source: "IEEE 802.1ad: two tags of 4" },
];

/// Size of TCP's header without options, bytes (RFC 9293, 3.1).
const TCP_BYTES: u32 = 20;

/// Returns the tunnel with a name.
pub fn named(name: &str) -> Result<&'static Tunnel, Wrong> {
    let names: Vec<&str> = TUNNELS.iter().map(|tunnel| tunnel.name).collect();
    let found = TUNNELS.iter().find(|tunnel| tunnel.name == name);
    found.ok_or_else(|| Wrong::new("is not a known tunnel type").accepted(names.join(", ")))
}

/// Returns the tunnel with a device of this kind, and whether IPv6 carries it.
pub fn of_device(kind: &str) -> Option<(&'static Tunnel, bool)> {
    let ipv6 = |tunnel: &Tunnel| tunnel.devices.iter().position(|device| *device == Some(kind));
    TUNNELS.iter().find_map(|tunnel| Some((tunnel, ipv6(tunnel)? == 1)))
}

/// Returns the names of tunnels, the innermost first, as `--tunnel` takes them.
pub fn names(tunnels: &[&Tunnel]) -> String {
    tunnels.iter().map(|tunnel| tunnel.name).collect::<Vec<_>>().join(",")
}

/// Returns the MTU inside nested tunnels, the innermost first; `None` if nothing is left.
pub fn nested(tunnels: &[&Tunnel], outer: Outer) -> Option<u32> {
    tunnels.iter().rev().try_fold(outer.mtu, |mtu, tunnel| tunnel.mtu(Outer { mtu, ..outer }))
}

impl Tunnel {
    /// Whether it is ESP, which can be in UDP to pass NAT.
    pub fn is_esp(&self) -> bool {
        matches!(self.wrap, Wrap::Esp { .. })
    }

    /// Returns the same tunnel with another length of the integrity check value, bytes, if it is ESP.
    pub fn with_icv(&self, icv: u32) -> Tunnel {
        let wrap = match self.wrap {
            Wrap::Esp { iv, block, .. } => Wrap::Esp { iv, icv, block },
            other => other,
        };
        Tunnel { wrap, ..*self }
    }

    /// Returns the MTU for packets that ESP protects in transport mode, with the packet's own IP header.
    pub fn transport_mtu(&self, outer: Outer) -> Option<u32> {
        self.mtu(outer).map(|inner| inner + family(outer.ipv6).header())
    }

    /// Returns the bytes that it adds to a packet, without padding.
    pub fn overhead(&self, ipv6: bool) -> u32 {
        let header = family(ipv6).header();
        match self.wrap {
            Wrap::Esp { iv, icv, .. } => header + ESP_BYTES + iv + icv + ESP_TRAILER_BYTES,
            Wrap::Ip(bytes) => header + bytes,
            Wrap::IpLimited(bytes) => header + bytes + if ipv6 { ENCAPSULATION_LIMIT_BYTES } else { 0 },
            Wrap::Link(bytes) | Wrap::Tag(bytes) => bytes,
        }
    }

    /// Returns the inner MTU; `None` if nothing is left.
    pub fn mtu(&self, outer: Outer) -> Option<u32> {
        let left = |overhead: u32| outer.mtu.checked_sub(overhead).filter(|left| *left > 0);
        match self.wrap {
            Wrap::Esp { block, .. } => {
                let udp = if outer.nat_t { UDP } else { 0 };
                let room = left(self.overhead(outer.ipv6) - ESP_TRAILER_BYTES + udp)?;
                (room / block * block).checked_sub(ESP_TRAILER_BYTES).filter(|left| *left > 0)
            }
            Wrap::Ip(_) | Wrap::IpLimited(_) | Wrap::Link(_) => left(self.overhead(outer.ipv6)),
            Wrap::Tag(_) => left(0),
        }
    }
}

/// Size of the encapsulation limit that Linux writes into a tunnel's IPv6 header, bytes (RFC 2473, 4.1.1).
const ENCAPSULATION_LIMIT_BYTES: u32 = 8;

/// Sizes of ESP's header, and of its trailer, which ends on a whole block, bytes (RFC 4303, 2; net/xfrm/xfrm_state.c,
/// xfrm_state_mtu).
const ESP_BYTES: u32 = 8;
const ESP_TRAILER_BYTES: u32 = 2;

fn family(ipv6: bool) -> Ip {
    if ipv6 { Ip::V6 } else { Ip::V4 }
}

/// Returns the MSS that TCP announces for an MTU.
pub fn mss(mtu: u32, ipv6: bool) -> u32 {
    family(ipv6).mss(mtu)
}

/// Returns the payload of a full segment with timestamps.
pub fn payload(mtu: u32, ipv6: bool) -> u32 {
    mss(mtu, ipv6).saturating_sub(TIMESTAMPS)
}
