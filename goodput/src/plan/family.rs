//! Which IP a network has.

use evidence::headers::Ip;
use serde::{Deserialize, Serialize};

/// Which IP a network has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// IPv4 alone: no node has IPv6.
    #[default]
    Ipv4,
    /// IPv6 alone: no node has an address of IPv4.
    Ipv6,
    /// Both; each flow has one of them.
    Both,
}

impl Family {
    /// Those that it has.
    pub fn ips(self) -> &'static [Ip] {
        match self {
            Family::Ipv4 => &[Ip::V4],
            Family::Ipv6 => &[Ip::V6],
            Family::Both => &[Ip::V4, Ip::V6],
        }
    }

    /// Whether it has IPv6.
    pub fn has_ipv6(self) -> bool {
        self != Family::Ipv4
    }

    pub(super) fn is_ipv4(&self) -> bool {
        *self == Family::Ipv4
    }
}
