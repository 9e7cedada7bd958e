//! The state before a remedy, which `undo` restores.

use super::Feature;
use serde::Serialize;

/// A host's state before a remedy, as far as the evidence shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Before {
    /// A sysctl, or a parameter of a kernel module.
    Setting(Held),
    /// Offloads of the remedy that were on.
    OffloadsOn(Vec<Feature>),
    /// MTU of the remedy's device, bytes.
    Mtu(u32),
}

/// A setting and its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Name: `net.ipv4.tcp_rmem`, `tcp_cubic.hystart`.
    pub key: String,
    /// Value as the system prints it.
    pub value: String,
    /// Time at which it had this value.
    pub when: When,
}

/// The time at which a setting had a value, relative to a finding's run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// At the run: the finding rests on it, or it is set before the run in the same file.
    AtRun,
    /// At an unknown time, and uncontradicted.
    Undated,
    /// Until somebody set the remedy's value.
    Replaced,
}

impl Before {
    /// Returns the value of a setting, if known.
    pub(super) fn value_of(&self, key: &str) -> Option<&str> {
        match self {
            Before::Setting(held) if held.key == key => Some(&held.value),
            _ => None,
        }
    }
}
