//! Facts of a host, as a page for the evidence readers.

use super::{FieldError, Limits, Shell};
use evidence::plain::quoted;
use std::net::IpAddr;
use std::time::Duration;

/// Script that gathers the facts: POSIX, for Linux and FreeBSD, to be read and mailed.
pub const SCRIPT: &str = include_str!("collect.sh");

/// Timeout of the whole script; each of its commands takes less, and a busy host has many interfaces.
const COLLECT_TIMEOUT: Duration = Duration::from_secs(120);

/// Longest pages, bytes. A device has 4 kB, and live connections are [`Scope::All`]'s alone.
const MAX_FACTS_BYTES: usize = 1 << 20;
const MAX_PAGE_BYTES: usize = 4 << 20;

/// The facts to gather.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Settings, devices, routes and live connections.
    All,
    /// Settings, devices and routes only.
    Facts,
}

/// Gathers a host's facts, and its route to a peer.
pub fn collect(shell: &Shell, peer: Option<IpAddr>, scope: Scope) -> Result<String, FieldError> {
    let bytes = if scope == Scope::Facts { MAX_FACTS_BYTES } else { MAX_PAGE_BYTES };
    let ran = shell.run_within(&script(peer, scope), Limits { time: COLLECT_TIMEOUT, bytes })?;
    let cut = if ran.is_cut { "# goodput: the output was cut off here\n" } else { "" };
    Ok(ran.stdout + cut)
}

fn script(peer: Option<IpAddr>, scope: Scope) -> String {
    let peer = peer.map_or(String::new(), |peer| peer.to_string());
    let facts = if scope == Scope::Facts { "yes" } else { "" };
    format!("peer={} facts={}\n{SCRIPT}", quoted(&peer), quoted(facts))
}
