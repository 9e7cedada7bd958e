//! IP versions of a network.

use evidence::headers::Ip;
use serde::{Deserialize, Serialize};

/// IP versions of a network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// IPv4 only: no node has IPv6.
    #[default]
    Ipv4,
    /// IPv6 only: no node has an IPv4 address.
    Ipv6,
    /// Both; each flow uses one of them.
    Both,
}

impl Family {
    /// Returns its IP versions.
    pub fn ips(self) -> &'static [Ip] {
        match self {
            Family::Ipv4 => &[Ip::V4],
            Family::Ipv6 => &[Ip::V6],
            Family::Both => &[Ip::V4, Ip::V6],
        }
    }

    /// True if it has IPv6.
    pub fn has_ipv6(self) -> bool {
        self != Family::Ipv4
    }

    pub(super) fn is_ipv4(&self) -> bool {
        *self == Family::Ipv4
    }
}
