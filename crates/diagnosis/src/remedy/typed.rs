//! A change of either system as data, as `goodput apply` takes it.

use super::word::apply;
use super::{At, Remedy, word_freebsd};
use evidence::System;
use serde::{Deserialize, Serialize};

/// A change of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Typed {
    /// Place of the change.
    pub at: At,
    /// Setting to change: `receive-buffer`.
    pub setting: String,
    /// New value: `64MiB`.
    pub value: String,
    /// Command to type.
    pub command: String,
}

impl Typed {
    pub fn word(&self) -> String {
        format!("{}={}", self.setting, self.value)
    }
}

impl Remedy {
    /// Returns the change with its place, value and command; `None` if `goodput apply` does not make it.
    pub fn typed(&self) -> Option<Typed> {
        let word = match self.system()? {
            System::Linux => self.word()?,
            System::FreeBsd => word_freebsd::word(self)?,
        };
        let (setting, value) = word.split_once('=')?;
        let command = apply(std::slice::from_ref(&word));
        Some(Typed { at: self.at, setting: setting.into(), value: value.into(), command })
    }
}
