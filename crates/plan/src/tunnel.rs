//! Tunnels between routers.

use super::family::Family;
use evidence::headers::Ip;
use serde::{Deserialize, Serialize};

/// A tunnel between two routers; all traffic that passes both goes through it. If the same two routers have several,
/// each is carried by the one before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tunnel {
    /// Names of the routers.
    pub ends: [String; 2],
    /// Its encapsulation.
    pub kind: TunnelKind,
    /// True if IPv6 carries it, false for IPv4.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ipv6: bool,
}

impl Tunnel {
    /// Returns the IP version outside.
    pub fn outer(&self) -> Ip {
        if self.ipv6 { Ip::V6 } else { Ip::V4 }
    }

    /// Returns the IP versions that it carries in a network with these.
    pub fn inner(&self, family: Family) -> Vec<Ip> {
        let carries = |ip: &Ip| match self.kind {
            TunnelKind::SixInFour => *ip == Ip::V6,
            TunnelKind::Ipip => self.ipv6 || *ip == Ip::V4,
            _ => true,
        };
        family.ips().iter().copied().filter(carries).collect()
    }
}

/// Encapsulation of a tunnel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TunnelKind {
    /// IPsec ESP in tunnel mode (RFC 4303).
    Esp {
        /// Its cipher and integrity check.
        cipher: Cipher,
        /// True if ESP is in UDP, port 4500 (RFC 3948).
        udp: bool,
    },
    /// RFC 2784
    Gre,
    /// RFC 7348
    Vxlan,
    /// wireguard.com/protocol
    Wireguard,
    /// RFC 8926
    Geneve,
    /// IPv4 in IPv4 (RFC 2003); over IPv6, either in IPv6 (RFC 2473).
    Ipip,
    /// IPv6 in IPv4 (RFC 4213).
    #[serde(rename = "6in4")]
    SixInFour,
    /// A PPP session over Ethernet (RFC 2516), without its negotiation.
    Pppoe,
    /// A TCP connection, as with OpenVPN over TCP or `ssh -w`: each packet has its length before it, 2 B.
    Tcp,
    /// A VLAN tag (IEEE 802.1Q).
    Vlan,
    /// Two VLAN tags (IEEE 802.1ad).
    Qinq,
}

impl TunnelKind {
    /// True if it belongs to one Ethernet link: everything on the link goes through it, whatever the addresses.
    pub fn is_of_link(self) -> bool {
        matches!(self, TunnelKind::Pppoe | TunnelKind::Vlan | TunnelKind::Qinq)
    }
}

/// Cipher and integrity check of ESP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cipher {
    /// RFC 4106, 16-byte ICV.
    #[serde(rename = "aes-gcm-128")]
    AesGcm128,
    /// RFC 4106, 16-byte ICV.
    #[serde(rename = "aes-gcm-256")]
    AesGcm256,
    /// RFC 3602 and RFC 2404, 12-byte ICV.
    #[serde(rename = "aes-cbc-sha1")]
    AesCbcSha1,
    /// RFC 3602 and RFC 4868, 16-byte ICV.
    #[serde(rename = "aes-cbc-sha256")]
    AesCbcSha256,
    /// RFC 7634, 16-byte ICV.
    #[serde(rename = "chacha20-poly1305")]
    Chacha20Poly1305,
}
