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
    evidence.hosts.iter().filter(|host| is_of_end(host, run, end)).find_map(|host| of(host, &run.place))
}

/// Whether a host is at one end of a run.
pub fn is_of_end(host: &Host, run: &Connection, end: End) -> bool {
    let own = (end == End::Receiver) == (run.seen == Seen::Receiver);
    match host.end {
        Some(known) => known == end,
        None => (host.place.file == run.place.file) == own,
    }
}

/// Returns the last of three values of a setting at a run.
pub fn third(host: &Host, key: &str, run: &Place) -> Option<u64> {
    diagnose::third(host.setting_at(key, run)?)
}

/// Window per receive buffer in the lab, in parts of 256: 1448 B in a driver's buffer of 2 KiB.
pub const LAB_WINDOW_SCALING: Scaling = Scaling::Ratio(158);

/// Returns FreeBSD's largest buffer of autotuning, as far as kern.ipc.maxsockbuf allows it, bytes.
fn freebsd_buffer(host: &Host, key: &str, run: &Place) -> Option<u64> {
    let of = |key: &str| host.setting_at(key, run)?.value.parse::<u64>().ok();
    let most = of(key)?;
    Some(of("kern.ipc.maxsockbuf").map_or(most, |all| most.min(buffer::maxsockbuf_usable(all))))
}

/// Returns the sender's third value of tcp_wmem, or FreeBSD's sendbuf_max, bytes.
pub fn send_buffer(host: &Host, run: &Place) -> Option<u64> {
    third(host, "net.ipv4.tcp_wmem", run).or_else(|| freebsd_buffer(host, "net.inet.tcp.sendbuf_max", run))
}

/// Returns the third value of tcp_rmem that gives the same window in the lab, bytes.
pub fn receive_buffer(host: &Host, run: &Place) -> Option<u64> {
    if let Some(window) = freebsd_buffer(host, "net.inet.tcp.recvbuf_max", run) {
        return Some(buffer::space(window, LAB_WINDOW_SCALING));
    }
    let space = third(host, "net.ipv4.tcp_rmem", run)?;
    match diagnose::scaling_at(host, run) {
        Some(scaling) => Some(buffer::space(buffer::window(space, scaling), LAB_WINDOW_SCALING)),
        None => Some(space),
    }
}
