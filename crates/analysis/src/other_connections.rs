//! TCP connections other than those of flows: the connections of tunnels, and the subflows of MPTCP.

use base::folder::Folder;
use plan::recording::{self, RecordingError};
use std::collections::BTreeMap;

/// Payload that one end of a connection has sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// Payload, retransmissions included, bytes.
    pub bytes: u64,
    /// Retransmitted payload, bytes.
    pub again: u64,
}

/// All such connections of a trial, at their last samples.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    /// Connections of tunnels, by tunnel and end.
    pub tunnels: BTreeMap<[u64; 2], Sent>,
    /// Subflows at end 0, which sends the data, by flow and subflow.
    pub subflows: BTreeMap<[u64; 2], Sent>,
}

/// Reads these connections from a recording, if there are any.
pub fn read(folder: &Folder) -> Result<Beside, RecordingError> {
    let mut all = Beside::default();
    let names = ["tunnel", "end", "bytes_sent", "bytes_retrans"];
    let [tunnel, end, bytes, again] = recording::columns(folder, recording::TUNNELS, names)?;
    for row in 0..tunnel.len() {
        all.tunnels.insert([tunnel[row], end[row]], Sent { bytes: bytes[row], again: again[row] });
    }
    let names = ["flow", "end", "subflow", "bytes_sent", "bytes_retrans"];
    let [flow, end, subflow, bytes, again] = recording::columns(folder, recording::SUBFLOWS, names)?;
    for row in (0..flow.len()).filter(|row| end[*row] == 0) {
        all.subflows.insert([flow[row], subflow[row]], Sent { bytes: bytes[row], again: again[row] });
    }
    Ok(all)
}
