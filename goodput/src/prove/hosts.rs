//! What hosts were set to at a run, as far as the evidence tells.

use crate::diagnose;
use crate::model::buffer::{self, Scaling};
use evidence::{Connection, End, Evidence, Host, Place, Seen};

/// What the host of an end was set to at a run. Settings in the file of the run are of the end that printed it, those in other
/// files of the other end, unless somebody says.
pub fn at_run(
    evidence: &Evidence,
    run: &Connection,
    end: End,
    of: impl Fn(&Host, &Place) -> Option<u64>,
) -> Option<u64> {
    let own = (end == End::Receiver) == (run.seen == Seen::Receiver);
    let is_of_end = |host: &&Host| match host.end {
        Some(known) => known == end,
        None => (host.place.file == run.place.file) == own,
    };
    evidence.hosts.iter().filter(is_of_end).find_map(|host| of(host, &run.place))
}

/// The last of three values of a setting at a run.
pub fn third(host: &Host, key: &str, run: &Place) -> Option<u64> {
    diagnose::third(diagnose::setting_at(host, key, run)?)
}

/// The share of a receive buffer that is window in the laboratory, parts of 256: 1448 B in a driver's buffer of 2 KiB.
const WINDOW: Scaling = Scaling::Ratio(158);

/// The third value of tcp_rmem that gives the same window in the laboratory.
pub fn receive_buffer(host: &Host, run: &Place) -> Option<u64> {
    let space = third(host, "net.ipv4.tcp_rmem", run)?;
    match diagnose::scaling_at(host, run) {
        Some(scaling) => Some(buffer::space(buffer::window(space, scaling), WINDOW)),
        None => Some(space),
    }
}
