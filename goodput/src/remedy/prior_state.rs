//! What held before a remedy: a value of its own, which `undo` restores.

use super::Feature;
use serde::Serialize;

/// What the evidence says a host had before a remedy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Before {
    /// A sysctl, or a parameter of a kernel module.
    Setting(Held),
    /// Those of the remedy's offloads that were on.
    OffloadsOn(Vec<Feature>),
    /// The MTU of the remedy's device, bytes.
    Mtu(u32),
}

/// A setting with the value that it had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Held {
    /// `net.ipv4.tcp_rmem`, `tcp_cubic.hystart`.
    pub key: String,
    /// As the system prints it.
    pub value: String,
    /// When it had this value.
    pub when: When,
}

/// When a setting had a value, beside the run that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// At the run: the finding rests on it, or it is set before the run in the same file.
    AtRun,
    /// At a time that nothing tells, and nothing contradicts it.
    Undated,
    /// Until somebody set what the remedy sets.
    Replaced,
}

impl Before {
    /// The value of a setting, if that is what is known.
    pub(super) fn value_of(&self, key: &str) -> Option<&str> {
        match self {
            Before::Setting(held) if held.key == key => Some(&held.value),
            _ => None,
        }
    }
}
