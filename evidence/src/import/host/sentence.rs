//! Sentences of `netstat -s`, and the names that nstat has for what they count.

use crate::System;

/// Linux' sentences without their figure, and nstat's names (net-tools, statistics.c). Older spellings
/// are in [`SPELLINGS`].
const LINUX: &[(&str, &str)] = &[
    ("total packets received", "IpInReceives"),
    ("forwarded", "IpForwDatagrams"),
    ("incoming packets discarded", "IpInDiscards"),
    ("incoming packets delivered", "IpInDelivers"),
    ("requests sent out", "IpOutRequests"),
    ("outgoing packets dropped", "IpOutDiscards"),
    ("dropped because of missing route", "IpOutNoRoutes"),
    ("fragments dropped after timeout", "IpReasmTimeout"),
    ("reassemblies required", "IpReasmReqds"),
    ("packets reassembled ok", "IpReasmOKs"),
    ("packet reassemblies failed", "IpReasmFails"),
    ("fragments received ok", "IpFragOKs"),
    ("fragments failed", "IpFragFails"),
    ("fragments created", "IpFragCreates"),
    ("active connection openings", "TcpActiveOpens"),
    ("passive connection openings", "TcpPassiveOpens"),
    ("failed connection attempts", "TcpAttemptFails"),
    ("connection resets received", "TcpEstabResets"),
    ("connections established", "TcpCurrEstab"),
    ("segments received", "TcpInSegs"),
    ("segments sent out", "TcpOutSegs"),
    ("segments retransmitted", "TcpRetransSegs"),
    ("bad segments received", "TcpInErrs"),
    ("resets sent", "TcpOutRsts"),
    ("packets received", "UdpInDatagrams"),
    ("packets to unknown port received", "UdpNoPorts"),
    ("packet receive errors", "UdpInErrors"),
    ("packets sent", "UdpOutDatagrams"),
    ("receive buffer errors", "UdpRcvbufErrors"),
    ("send buffer errors", "UdpSndbufErrors"),
    ("SYN cookies sent", "TcpExtSyncookiesSent"),
    ("SYN cookies received", "TcpExtSyncookiesRecv"),
    ("invalid SYN cookies received", "TcpExtSyncookiesFailed"),
    ("resets received for embryonic SYN_RECV sockets", "TcpExtEmbryonicRsts"),
    ("packets pruned from receive queue because of socket buffer overrun", "TcpExtPruneCalled"),
    ("packets pruned from receive queue", "TcpExtRcvPruned"),
    ("packets dropped from out-of-order queue because of socket buffer overrun", "TcpExtOfoPruned"),
    ("ICMP packets dropped because they were out-of-window", "TcpExtOutOfWindowIcmps"),
    ("ICMP packets dropped because socket was locked", "TcpExtLockDroppedIcmps"),
    ("TCP sockets finished time wait in fast timer", "TcpExtTW"),
    ("time wait sockets recycled by time stamp", "TcpExtTWRecycled"),
    ("TCP sockets finished time wait in slow timer", "TcpExtTWKilled"),
    ("passive connections rejected because of time stamp", "TcpExtPAWSPassive"),
    ("active connections rejected because of time stamp", "TcpExtPAWSActive"),
    ("packets rejected in established connections because of timestamp", "TcpExtPAWSEstab"),
    ("delayed acks sent", "TcpExtDelayedACKs"),
    ("delayed acks further delayed because of locked socket", "TcpExtDelayedACKLocked"),
    ("Quick ack mode was activated times", "TcpExtDelayedACKLost"),
    ("times the listen queue of a socket overflowed", "TcpExtListenOverflows"),
    ("SYNs to LISTEN sockets dropped", "TcpExtListenDrops"),
    ("packet headers predicted", "TcpExtTCPHPHits"),
    ("acknowledgments not containing data payload received", "TcpExtTCPPureAcks"),
    ("predicted acknowledgments", "TcpExtTCPHPAcks"),
    ("times recovered from packet loss due to fast retransmit", "TcpExtTCPRenoRecovery"),
    ("times recovered from packet loss by selective acknowledgements", "TcpExtTCPSackRecovery"),
    ("bad SACK blocks received", "TcpExtTCPSACKReneging"),
    ("Detected reordering times using FACK", "TcpExtTCPFACKReorder"),
    ("Detected reordering times using SACK", "TcpExtTCPSACKReorder"),
    ("Detected reordering times using reno fast retransmit", "TcpExtTCPRenoReorder"),
    ("Detected reordering times using time stamp", "TcpExtTCPTSReorder"),
    ("congestion windows fully recovered without slow start", "TcpExtTCPFullUndo"),
    ("congestion windows partially recovered using Hoe heuristic", "TcpExtTCPPartialUndo"),
    ("congestion window recovered without slow start using DSACK", "TcpExtTCPDSACKUndo"),
    ("congestion windows recovered without slow start by DSACK", "TcpExtTCPDSACKUndo"),
    ("congestion windows recovered without slow start after partial ack", "TcpExtTCPLossUndo"),
    ("TCP data loss events", "TcpExtTCPLoss"),
    ("retransmits lost", "TcpExtTCPLostRetransmit"),
    ("timeouts after reno fast retransmit", "TcpExtTCPRenoFailures"),
    ("timeouts after SACK recovery", "TcpExtTCPSackFailures"),
    ("timeouts in loss state", "TcpExtTCPLossFailures"),
    ("fast retransmits", "TcpExtTCPFastRetrans"),
    ("forward retransmits", "TcpExtTCPForwardRetrans"),
    ("retransmits in slow start", "TcpExtTCPSlowStartRetrans"),
    ("other TCP timeouts", "TcpExtTCPTimeouts"),
    ("classic Reno fast retransmits failed", "TcpExtTCPRenoRecoveryFail"),
    ("SACK retransmits failed", "TcpExtTCPSackRecoveryFail"),
    ("packets collapsed in receive queue due to low socket buffer", "TcpExtTCPRcvCollapsed"),
    ("DSACKs sent for old packets", "TcpExtTCPDSACKOldSent"),
    ("DSACKs sent for out of order packets", "TcpExtTCPDSACKOfoSent"),
    ("DSACKs received", "TcpExtTCPDSACKRecv"),
    ("DSACKs for out of order packets received", "TcpExtTCPDSACKOfoRecv"),
    ("connections reset due to unexpected data", "TcpExtTCPAbortOnData"),
    ("connections reset due to early user close", "TcpExtTCPAbortOnClose"),
    ("connections aborted due to memory pressure", "TcpExtTCPAbortOnMemory"),
    ("connections aborted due to timeout", "TcpExtTCPAbortOnTimeout"),
    ("connections aborted after user close in linger timeout", "TcpExtTCPAbortOnLinger"),
    ("times unable to send RST due to no memory", "TcpExtTCPAbortFailed"),
    ("TCP ran low on memory times", "TcpExtTCPMemoryPressures"),
];

/// Words of older versions, and those of the table.
const SPELLINGS: &[(&str, &str)] = &[
    ("active connections openings", "active connection openings"),
    ("packet reassembles failed", "packet reassemblies failed"),
    (
        "packets rejects in established connections because of timestamp",
        "packets rejected in established connections because of timestamp",
    ),
    ("packets send", "packets sent"),
    ("segments retransmited", "segments retransmitted"),
    ("segments send out", "segments sent out"),
];

/// FreeBSD's sentences of `tcp` without their figures, in the plural, and nstat's names where it counts the same thing
/// (usr.bin/netstat/inet.c; Linux, net/ipv4/proc.c). What it sends is counted with retransmissions, so that is not
/// TcpOutSegs (RFC 4022, tcpOutSegs).
const FREEBSD: &[(&str, &str)] = &[
    ("data packets retransmitted", "TcpRetransSegs"),
    ("ack-only packets (delayed)", "TcpExtDelayedACKs"),
    ("packets received", "TcpInSegs"),
    ("out-of-order packets", "TcpExtTCPOFOQueue"),
    ("discarded for bad checksums", "TcpInCsumErrors"),
    ("connection requests", "TcpActiveOpens"),
    ("connection accepts", "TcpPassiveOpens"),
    ("listen queue overflows", "TcpExtListenOverflows"),
    ("retransmit timeouts", "TcpExtTCPTimeouts"),
    ("SACK recovery episodes", "TcpExtTCPSackRecovery"),
];

/// Nouns that FreeBSD prints in the singular if their figure is 1.
const NOUNS: &[&str] = &[
    "accept",
    "ack",
    "attempt",
    "byte",
    "checksum",
    "connection",
    "cookie",
    "datagram",
    "drop",
    "entry",
    "episode",
    "failure",
    "field",
    "handshake",
    "option",
    "overflow",
    "packet",
    "prediction",
    "probe",
    "request",
    "resend",
    "rexmit",
    "segment",
    "time",
    "timeout",
    "update",
];

/// The counters of a line below a heading: names and figures.
pub(super) fn counted<'a>(text: &'a str, heading: &str, system: System) -> Vec<(String, &'a str)> {
    if let Some((name, value)) =
        text.split_once(": ").filter(|(name, value)| is_figure(value.trim()) && !name.contains(' '))
    {
        return vec![(format!("{heading}{name}"), value.trim())];
    }
    match system {
        System::Linux => linux(text, heading).into_iter().collect(),
        System::FreeBsd => freebsd(text, heading),
    }
}

fn is_figure(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

fn linux<'a>(text: &'a str, heading: &str) -> Option<(String, &'a str)> {
    if let Some((name, value)) = text.split_once(": ") {
        let value = value.trim();
        return is_figure(value).then(|| (format!("{heading}: {name}"), value));
    }
    let value = text.split_whitespace().find(|word| is_figure(word))?;
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != value).collect();
    let sentence = words.join(" ");
    let sentence = sentence.trim_end_matches('.');
    let sentence = SPELLINGS.iter().find(|(old, _)| *old == sentence).map_or(sentence, |(_, new)| new);
    let of_heading =
        |name: &str| name.strip_prefix(heading).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    let known = LINUX.iter().find(|(known, name)| *known == sentence && of_heading(name));
    Some((known.map_or_else(|| format!("{heading}: {sentence}"), |(_, name)| (*name).to_owned()), value))
}

/// A sentence has a figure, and may have another one in parentheses: that is named with them.
fn freebsd<'a>(text: &'a str, heading: &str) -> Vec<(String, &'a str)> {
    let parts = text.split_once('(').and_then(|(before, rest)| Some((before, rest.split_once(')')?)));
    let (before, inner, after) = match parts {
        Some((before, (inner, after))) if inner.split_whitespace().any(is_figure) => (before, inner, after),
        _ => (text, "", ""),
    };
    let find = |text: &'a str| text.split_whitespace().find(|word| is_figure(word));
    let Some(value) = find(before) else { return vec![] };
    let sentence = plural(&[before, after].join(" "), value);
    let mut counters = vec![(name(&sentence, heading), value)];
    if let Some(value) = find(inner) {
        counters.push((name(&format!("{sentence} ({})", plural(inner, value)), heading), value));
    }
    counters
}

fn name(sentence: &str, heading: &str) -> String {
    if heading != "tcp" {
        return format!("{heading}: {sentence}");
    }
    FREEBSD.iter().find(|(known, _)| *known == sentence).map_or(sentence, |(_, name)| name).to_owned()
}

/// The words that are no figures, as they are where the figure is not 1: the last of the first nouns has a plural.
fn plural(text: &str, value: &str) -> String {
    let mut words: Vec<String> = text.split_whitespace().filter(|word| !is_figure(word)).map(str::to_owned).collect();
    let is_noun = |word: &String| NOUNS.contains(&word.as_str());
    let first = words.iter().position(is_noun).filter(|_| value == "1" && !text.contains("because"));
    if let Some(first) = first {
        let last = first + words[first..].iter().take_while(|word| is_noun(word)).count() - 1;
        words[last] = match words[last].strip_suffix('y') {
            Some(stem) => format!("{stem}ies"),
            None => format!("{}s", words[last]),
        };
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sentence_stands_twice_under_a_heading() {
        for table in [LINUX, FREEBSD, SPELLINGS] {
            for (at, (sentence, _)) in table.iter().enumerate() {
                assert!(table[..at].iter().all(|(before, _)| before != sentence), "{sentence}");
            }
        }
    }

    #[test]
    fn the_same_words_under_another_heading_are_another_counter() {
        let found = |heading, text| counted(text, heading, System::Linux)[0].0.clone();
        assert_eq!(found("Udp", "3 packets received"), "UdpInDatagrams");
        assert_eq!(found("UdpLite", "3 packets received"), "UdpLite: packets received");
        assert_eq!(found("Icmp", "echo requests: 1"), "Icmp: echo requests");
        assert_eq!(found("TcpExt", "TCPDSACKRecvSegs: 29"), "TcpExtTCPDSACKRecvSegs");
    }

    #[test]
    fn one_is_as_many() {
        fn found(text: &str) -> Vec<(String, &str)> {
            counted(text, "tcp", System::FreeBsd)
        }
        assert_eq!(found("1 data packet (1 byte) retransmitted")[0].0, "TcpRetransSegs");
        assert_eq!(found("1 packet (5 bytes) of data after window")[1].0, "packets of data after window (bytes)");
        for one in [
            "connection established (including accepts)",
            "connection request",
            "bad connection attempt",
            "window update packet",
        ] {
            let many = one.replacen("connection established", "connections established", 1);
            let many = if many == one { format!("{one}s") } else { many };
            assert_eq!(found(&format!("1 {one}"))[0].0, found(&format!("2 {many}"))[0].0);
        }
        assert_eq!(found("1 syncache entry added")[0].0, "syncache entries added");
        assert_eq!(found("1 discarded because packet too short")[0].0, "discarded because packet too short");
        let of = found("2 segments updated rtt (of 1 attempt)");
        assert_eq!((of[1].0.as_str(), of[1].1), ("segments updated rtt (of attempts)", "1"));
    }
}
