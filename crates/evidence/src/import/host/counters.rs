//! Reads protocol counters: nstat, `netstat -s`, and the files in /proc/net.

use super::draft::Draft;
use super::row::HostRow;
use super::sentence;
use crate::{OtherSystem, System};

/// Section headings of `netstat -s` on Linux.
const LINUX: &[&str] = &[
    "Ip", "Ip6", "Icmp", "Icmp6", "IcmpMsg", "Tcp", "Udp", "Udp6", "UdpLite", "UdpLite6", "TcpExt", "IpExt",
    "MPTcpExt", "Sctp",
];

/// Section headings of `netstat -s` on FreeBSD.
const FREEBSD: &[&str] = &[
    "ah", "arp", "carp", "divert", "esp", "icmp", "icmp6", "igmp", "ip", "ip6", "ipcomp", "ipsec", "ipsec6", "pfsync",
    "pim", "rip6", "sctp", "tcp", "udp",
];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    if row.prompt {
        return 0;
    }
    let text = row.text.trim();
    if text == "#kernel" {
        return usize::from(rows.get(1).is_some_and(|next| line(next).is_some()));
    }
    if let Some((name, value)) = line(row) {
        draft.seen(System::Linux);
        if let Some(value) = draft.number(row.index, "the counter", value) {
            draft.counter(row.index, name, value);
        }
        return 1;
    }
    let Some(heading) = text.split_once(':').map(|(heading, _)| heading) else { return 0 };
    if LINUX.contains(&heading) && text.len() > heading.len() + 1 {
        return pair(rows, heading, draft);
    }
    let system = if LINUX.contains(&heading) {
        System::Linux
    } else if FREEBSD.contains(&heading) {
        System::FreeBsd
    } else {
        return 0;
    };
    let taken = if text.len() == heading.len() + 1 { section(&rows[1..], heading, system, draft) } else { 0 };
    match taken {
        // An empty Linux section, directly after other counters.
        0 if system == System::FreeBsd || draft.last.is_none_or(|last| last + 1 != row.index) => 0,
        _ => {
            // Only Apple's netstat counts those (network_cmds, netstat.tproj/inet.c).
            let is_apple = |row: &HostRow<'_>| row.text.contains("checksummed in software");
            match system == System::FreeBsd && rows[1..=taken].iter().any(is_apple) {
                true => draft.seen_other(OtherSystem::MacOs),
                false => draft.seen(system),
            }
            1 + taken
        }
    }
}

/// Reads a line of nstat, `TcpRetransSegs 29 0.0`, or of /proc/net/snmp6, `Ip6InReceives 5`.
fn line<'a>(row: &HostRow<'a>) -> Option<(&'a str, &'a str)> {
    let mut words = row.words();
    let (name, value, rate) = (words.next()?, words.next()?, words.next());
    let named = name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
    let rated = rate.is_some_and(|rate| rate.split_once('.').is_some_and(|(a, b)| is_count(a) && is_count(b)));
    let six = rate.is_none() && ["Ip6", "Icmp6", "Udp6", "UdpLite6"].iter().any(|begins| name.starts_with(begins));
    // A note may follow the counter.
    let is_whole = words.next().is_none_or(|word| word.starts_with('#'));
    (named && is_count(value) && (rated || six) && is_whole).then_some((name, value))
}

fn is_count(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

/// Reads two lines of /proc/net/snmp or /proc/net/netstat: names, then values.
fn pair(rows: &[HostRow<'_>], heading: &str, draft: &mut Draft<'_>) -> usize {
    let Some(figures) = rows.get(1).filter(|row| row.first().strip_suffix(':') == Some(heading)) else { return 0 };
    let names: Vec<&str> = rows[0].words().skip(1).collect();
    let values: Vec<&str> = figures.words().skip(1).collect();
    let is_value = |value: &&str| is_count(value.strip_prefix('-').unwrap_or(value));
    if !names.iter().all(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())) || !values.iter().all(is_value) {
        return 0;
    }
    draft.seen(System::Linux);
    if names.len() != values.len() {
        draft.wrong(figures.index, "there are not as many figures as names");
        return 2;
    }
    // A negative value is no count: MaxConn of -1 means no limit.
    for (name, value) in names.iter().zip(values).filter(|(_, value)| !value.starts_with('-')) {
        if let Some(value) = draft.number(figures.index, "the counter", value) {
            draft.counter(figures.index, format!("{heading}{name}"), value);
        }
    }
    2
}

/// Reads the lines below a heading of `netstat -s`; returns how many.
fn section(rows: &[HostRow<'_>], heading: &str, system: System, draft: &mut Draft<'_>) -> usize {
    let own = |row: &&HostRow<'_>| !row.prompt && is_counted(row);
    let taken = rows.iter().take_while(own).count();
    for row in &rows[..taken] {
        if let Some((name, value)) = sentence::counted(row.text.trim(), heading, system)
            && let Some(value) = draft.number(row.index, "the counter", value)
        {
            draft.counter(row.index, name, value);
        }
    }
    taken
}

/// True if a line belongs to `netstat -s`: it is indented, or begins or ends with a number.
fn is_counted(row: &HostRow<'_>) -> bool {
    let mut words = row.words();
    let first = words.next().unwrap_or("");
    let heading = first.strip_suffix(':').filter(|_| words.next().is_none());
    if heading.is_some_and(|heading| LINUX.contains(&heading) || FREEBSD.contains(&heading)) {
        return false;
    }
    let figure = is_count(first) && row.words().count() > 1;
    let named = first.ends_with(':') && row.words().nth(1).is_some_and(is_count) && row.words().count() == 2;
    row.indented() || figure || named
}

#[cfg(test)]
mod tests {
    use super::super::tests::{host, read};
    use crate::System;

    #[test]
    fn nstat_and_the_files_of_proc_give_the_same_names() {
        let nstat = "#kernel\nTcpInSegs                       1191230            0.0\nTcpRetransSegs                  29                 0.0\nTcpExtTCPTimeouts               6                  0.0\n";
        let proc = "Tcp: RtoMin MaxConn InSegs RetransSegs\nTcp: 200 -1 1191230 29\nTcpExt: TCPTimeouts\nTcpExt: 6\n";
        for text in [nstat, proc] {
            let host = host(text);
            assert_eq!(host.system, Some(System::Linux));
            let counters =
                ["TcpRetransSegs", "TcpExtTCPTimeouts", "TcpInSegs", "TcpMaxConn"].map(|name| host.counter(name));
            assert_eq!(counters, [Some(29), Some(6), Some(1_191_230), None], "{text}");
        }
        assert!(read("Ip6InReceives                   \t5\n").is_some());
    }

    #[test]
    fn figures_that_do_not_fit_are_wrong() {
        let (host, unread) = read("Tcp: InSegs OutSegs\nTcp: 1\nTcpRetransSegs 99999999999999999999 0.0\n").unwrap();
        assert!(host.counters.is_empty());
        assert_eq!(unread.iter().map(|u| u.place.line).collect::<Vec<_>>(), [2, 3]);
    }

    /// net-tools 2.10 on Linux 6.18, and an older version: freeformz/shh issue 41.
    #[test]
    fn netstat_of_linux_has_the_names_of_nstat() {
        let new = host(
            "Tcp:\n    375 active connection openings\n    1191230 segments received\n    1173602 segments sent out\n    29 segments retransmitted\n\
             UdpLite:\nTcpExt:\n    17 delayed acks sent\n    Quick ack mode was activated 59 times\n    TCPSackRecovery: 13\n\
             \u{20}   Detected reordering 4 times using SACK\n    22 fast retransmits\n    TCPTimeouts: 6\nIpExt:\n    InOctets: 55307952884\n",
        );
        for (name, value) in [("TcpRetransSegs", 29), ("TcpExtTCPTimeouts", 6)] {
            assert_eq!(new.counter(name), Some(value), "{name}");
        }
        let old = host(
            "netstat -s\n\nTcp:\n    3764018530 active connections openings\n    2816244857 segments send out\n    191055808 segments retransmited\n\
             \u{20}   15511 bad segments received.\nTcpExt:\n    5191585 times the listen queue of a socket overflowed\n",
        );
        assert_eq!(old.counter("TcpRetransSegs"), Some(191055808));
    }

    /// freebsd/drm-kmod issue 68, with other values.
    #[test]
    fn netstat_of_freebsd_has_them_where_nstat_counts_the_same() {
        let host = host(
            "# netstat -s -p tcp\ntcp:\n\t226578 packets sent\n\t\t100510 data packets (167602278 bytes)\n\
             \t\t40440 data packets (7010117 bytes) retransmitted\n\t\t1 data packet unnecessarily retransmitted\n\
             \t\t83134 ack-only packets (2 delayed)\n\t747080 packets received\n\t\t479 out-of-order packets (678163 bytes)\n\
             \t205 connections closed (including 12 drops)\n\t1 retransmit timeout\n\t7 SACK recovery episodes\n\
             udp:\n\t9 datagrams received\n",
        );
        assert_eq!(host.system, Some(System::FreeBsd));
        for (name, value) in [("TcpRetransSegs", 40440), ("TcpExtTCPTimeouts", 1)] {
            assert_eq!(host.counter(name), Some(value), "{name}");
        }
    }

    /// macOS has FreeBSD's sentences and some of its own; a singular of every noun at 0.
    #[test]
    fn netstat_of_macos_has_them_too() {
        let host = host(
            "tcp:\n\t1034 packets sent\n\t\t12 data packets (1034 bytes) retransmitted\n\t\t3 checksummed in software\n\
             \t2011 packets received\n\t\t1 discarded for bad checksum\n\t4 retransmit timeouts\n",
        );
        assert_eq!((host.system, host.other_system), (None, Some(crate::OtherSystem::MacOs)));
        let counters = ["TcpRetransSegs", "TcpInSegs", "TcpInCsumErrors"].map(|name| host.counter(name));
        assert_eq!(counters, [Some(12), Some(2011), Some(1)]);
    }

    #[test]
    fn prose_is_no_counter() {
        for text in ["Tcp: the protocol", "ip:", "Tcp:", "tcp:\nprose", "Step 1 2.0 3", "Version 1 2.x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
