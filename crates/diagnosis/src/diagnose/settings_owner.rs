//! Assigns settings to sender and receiver if nobody states whose they are.

use super::path_facts;
use evidence::{End, Evidence, Host};
use std::borrow::Cow;

/// Share of tcp_wmem[2] from which a buffer is at its maximum; `ss` rounds.
const FULL_BUFFER_SHARE: f64 = 0.98;

/// Returns the evidence with the sender named: the one of two hosts whose largest send buffer a connection has.
pub fn assigned(mut evidence: Cow<'_, Evidence>) -> Cow<'_, Evidence> {
    let Some([sender, receiver]) = pair(&evidence) else { return evidence };
    let hosts = &mut evidence.to_mut().hosts;
    (hosts[sender].end, hosts[receiver].end) = (Some(End::Sender), Some(End::Receiver));
    evidence
}

/// Returns the indices of sender and receiver.
fn pair(evidence: &Evidence) -> Option<[usize; 2]> {
    let caps: Vec<(usize, f64)> =
        evidence.hosts.iter().enumerate().filter_map(|(at, host)| Some((at, cap(host)?))).collect();
    let [(first, one), (second, other)] = caps[..] else { return None };
    let unknown = [first, second].iter().all(|at| evidence.hosts[*at].end.is_none());
    let has = |cap: f64| {
        let mut buffers = evidence.connections.iter().filter_map(|connection| connection.sndbuf);
        buffers.any(|buffer| is_at_its_end(buffer, cap))
    };
    match (has(one), has(other)) {
        (true, false) if unknown => Some([first, second]),
        (false, true) if unknown => Some([second, first]),
        _ => None,
    }
}

/// Returns the largest send buffer that autotuning may give.
fn cap(host: &Host) -> Option<f64> {
    path_facts::third(host.setting("net.ipv4.tcp_wmem")?).map(|cap| cap as f64)
}

/// Whether autotuning has given a send buffer all that it may.
pub fn is_at_its_end(buffer: f64, cap: f64) -> bool {
    (FULL_BUFFER_SHARE * cap..=cap / FULL_BUFFER_SHARE).contains(&buffer)
}
