//! What a trial records.

use serde::{Deserialize, Serialize};

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Virtual time between two samples of flows and queues, ns.
    pub interval: u64,
    /// A row for each ACK that a sender receives.
    pub acks: bool,
    /// A row for each packet that the kernel drops, with its reason.
    pub drops: bool,
    /// Virtual time after which a trial whose flows have not ended is given up, ns.
    pub limit: u64,
    /// Who tells of the flows.
    #[serde(default, skip_serializing_if = "Teller::is_kernel")]
    pub teller: Teller,
}

/// Whose figures of flows are recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Teller {
    /// The kernels of both ends.
    #[default]
    Kernel,
    /// The intervals of iperf3, which tell less.
    Iperf3,
}

impl Teller {
    fn is_kernel(&self) -> bool {
        *self == Teller::Kernel
    }
}
