//! What hosts were set to at a run, as far as the evidence tells.

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

/// A setting at a run: the nearest before it in its file, else the first, since a later one is what somebody tried next.
fn setting<'h>(host: &'h Host, key: &str, run: &Place) -> Option<&'h str> {
    let all = || host.settings.iter().filter(|setting| setting.key == key);
    let before = all().rfind(|setting| setting.place.file == run.file && setting.place.line <= run.line);
    before.or_else(|| all().next()).map(|setting| setting.value.as_str())
}

/// The last of three values of a setting at a run.
pub fn third(host: &Host, key: &str, run: &Place) -> Option<u64> {
    setting(host, key, run)?.split_whitespace().nth(2)?.parse().ok()
}

/// The share of a receive buffer that is window in the laboratory, parts of 256: 1448 B in a driver's buffer of 2 KiB.
const WINDOW: Scaling = Scaling::Ratio(158);

/// The third value of tcp_rmem that gives the same window in the laboratory.
pub fn receive_buffer(host: &Host, run: &Place) -> Option<u64> {
    let space = third(host, "net.ipv4.tcp_rmem", run)?;
    let scale = setting(host, "net.ipv4.tcp_adv_win_scale", run).filter(|_| !host.since([6, 6]));
    match scale.and_then(|scale| scale.trim().parse().ok()) {
        Some(scale) => Some(buffer::space(buffer::window(space, Scaling::AdvWinScale(scale)), WINDOW)),
        None => Some(space),
    }
}
