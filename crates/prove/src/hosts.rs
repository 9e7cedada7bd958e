//! Settings of hosts at the time of a run, as far as the evidence shows them.

use base::model::buffer::{self, Scaling};
use diagnosis::diagnose;
use evidence::{Connection, End, Evidence, Host, Place, Seen};

/// Returns a setting of the host at one end of a run. Unless they say otherwise, settings in the run's file belong to
/// the end that printed it, and settings in other files to the other end.
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

/// Returns the last of three values of a setting at a run.
pub fn third(host: &Host, key: &str, run: &Place) -> Option<u64> {
    diagnose::third(diagnose::setting_at(host, key, run)?)
}

/// Window per receive buffer in the lab, in parts of 256: 1448 B in a driver's buffer of 2 KiB.
const LAB_WINDOW_SCALING: Scaling = Scaling::Ratio(158);

/// Returns the third value of tcp_rmem that gives the same window in the lab, bytes.
pub fn receive_buffer(host: &Host, run: &Place) -> Option<u64> {
    let space = third(host, "net.ipv4.tcp_rmem", run)?;
    match diagnose::scaling_at(host, run) {
        Some(scaling) => Some(buffer::space(buffer::window(space, scaling), LAB_WINDOW_SCALING)),
        None => Some(space),
    }
}
