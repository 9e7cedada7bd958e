//! Reads program output about connections and paths, and tables of results. What people write in sentences is for
//! people.
//!
//! Each reader takes its own lines from anywhere in a text. Lines that a wiki has joined into one are read too, but
//! claimed only if nothing else is on them.

pub(super) mod clock;
mod copy;
mod curl;
pub(super) mod figure;
mod flent;
mod json;
mod ndt;
mod netperf;
mod nuttcp;
mod packets;
mod path;
mod ping;
mod pscheduler;
mod siftr;
mod speedtest;
mod ss;
mod sweep;
mod table;
mod tcplife;

#[cfg(test)]
mod tests;

use super::Page;
use crate::Evidence;

/// A reader of the output of some programs.
pub struct Reader {
    pub name: &'static str,
    pub prints: &'static str,
    /// Claims its lines, and adds their evidence.
    pub read: fn(&mut Page<'_>, &mut Evidence),
}

/// All readers, in the order in which they claim lines.
pub const READERS: &[Reader] = &[
    Reader { name: "siftr", prints: "logs of FreeBSD's siftr(4), 1.2 and 1.3", read: siftr::read },
    Reader {
        name: "ss",
        prints: "ss -ti with any of -n, -m, -o, -e, -O, once or in a loop; its details alone",
        read: ss::read,
    },
    Reader {
        name: "packets",
        prints: "packets as tcpdump prints them: they are named as not read",
        read: packets::read,
    },
    Reader { name: "ndt", prints: "results of M-Lab's ndt7: JSON with tcp_info over time", read: ndt::read },
    Reader {
        name: "flent",
        prints: "flent's data files, version 4, with TCP's series, ping and the host's settings",
        read: flent::read,
    },
    Reader {
        name: "pscheduler",
        prints: "perfSONAR: throughput results of pScheduler as JSON, alone, in a run, in a list or in an archiver's document",
        read: pscheduler::read,
    },
    Reader {
        name: "netperf",
        prints: "netperf's bulk transfers: the table, the keys of omni, the results of -D in between",
        read: netperf::read,
    },
    Reader { name: "tcplife", prints: "bcc's tcplife, with any of -t, -T and -w", read: tcplife::read },
    Reader {
        name: "nuttcp",
        prints: "nuttcp -i and its closing lines, short or with -v, with times before them",
        read: nuttcp::read,
    },
    Reader {
        name: "speedtest",
        prints: "Ookla's speedtest, as text and as JSON; speedtest-cli, as text and with --json",
        read: speedtest::read,
    },
    Reader { name: "curl", prints: "curl's progress meter, timings of -w, errors", read: curl::read },
    Reader { name: "copy", prints: "what scp, sftp, wget and rsync print of a copy", read: copy::read },
    Reader { name: "ping", prints: "ping of Linux (iputils), FreeBSD, busybox and Windows", read: ping::read },
    Reader { name: "path", prints: "tracepath, traceroute (--mtu), mtr --report", read: path::read },
    Reader { name: "sweep", prints: "columns of length and rate, from a loop over iperf", read: sweep::read },
    Reader {
        name: "table",
        prints: "tables of results: Markdown, tabs, blanks under a head with a unit, or a wiki's cells",
        read: table::read,
    },
];

// Its intervals would pass for damaged ones of iperf3.
pub(super) use pscheduler::read as pscheduler;
pub(super) use sweep::{join_loops, totals as sweeps_of_totals};

/// Runs all readers on a page.
pub fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    for reader in READERS {
        (reader.read)(page, evidence);
    }
}

/// Parses a decimal number without sign or exponent.
fn decimal(word: &str) -> Option<f64> {
    let digits = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    let plain = word.len() <= 24 && word.starts_with(|c: char| c.is_ascii_digit()) && word.bytes().all(digits);
    plain.then(|| word.parse().ok()).flatten()
}

fn whole(word: &str) -> Option<u64> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

/// Parses the decimal number at the start of a text.
fn leading(text: &str) -> Option<f64> {
    decimal(&text[..text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len())])
}

/// True if the text before a command is blank or looks like a prompt.
fn is_prompt(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text.len() < 80 && text.ends_with(['#', '$', '%', '>']) && text.split_whitespace().count() < 4
}
