//! Recording options of a trial.

use serde::{Deserialize, Serialize};

/// Recording options of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Virtual time between two samples of flows and queues, ns.
    pub interval: u64,
    /// Whether to record a row for each ACK that a sender receives.
    pub acks: bool,
    /// Whether to record a row for each packet that the kernel drops, with its reason.
    pub drops: bool,
    /// Virtual time after which a trial with unfinished flows fails, ns.
    pub limit: u64,
    /// Source of the flows' figures.
    #[serde(default, skip_serializing_if = "Teller::is_kernel")]
    pub teller: Teller,
}

/// Source of the flows' figures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Teller {
    /// The kernels of both ends.
    #[default]
    Kernel,
    /// The intervals of iperf3, which have fewer figures.
    Iperf3,
}

impl Teller {
    fn is_kernel(&self) -> bool {
        *self == Teller::Kernel
    }
}
