//! Maps sentences of `netstat -s` to nstat's counter names.

use crate::{COUNTERS, System};

/// Sentences without their numbers, the heading above them, and nstat's names. From net-tools' statistics.c, including
/// old spellings, and FreeBSD's usr.bin/netstat/inet.c if it counts the same thing.
const SENTENCES: &[(System, &str, &str, &str)] = &[
    (System::Linux, "Tcp", "segments received", "TcpInSegs"),
    (System::Linux, "Tcp", "segments retransmitted", "TcpRetransSegs"),
    (System::Linux, "Tcp", "segments retransmited", "TcpRetransSegs"),
    (System::Linux, "Tcp", "segments sent out", "TcpOutSegs"),
    (System::Linux, "Tcp", "segments send out", "TcpOutSegs"),
    (System::Linux, "TcpExt", "times the listen queue of a socket overflowed", "TcpExtListenOverflows"),
    (System::Linux, "TcpExt", "other TCP timeouts", "TcpExtTCPTimeouts"),
    (System::Linux, "TcpExt", "DSACKs received", "TcpExtTCPDSACKRecv"),
    (System::Linux, "TcpExt", "TCP ran low on memory times", "TcpExtTCPMemoryPressures"),
    (
        System::Linux,
        "TcpExt",
        "packets pruned from receive queue because of socket buffer overrun",
        "TcpExtPruneCalled",
    ),
    (System::Linux, "TcpExt", "packets collapsed in receive queue due to low socket buffer", "TcpExtTCPRcvCollapsed"),
    (System::Linux, "Udp", "packets received", "UdpInDatagrams"),
    (System::Linux, "Udp", "packet receive errors", "UdpInErrors"),
    (System::Linux, "Udp", "receive buffer errors", "UdpRcvbufErrors"),
    (System::FreeBsd, "tcp", "packets received", "TcpInSegs"),
    (System::FreeBsd, "tcp", "discarded for bad checksums", "TcpInCsumErrors"),
    (System::FreeBsd, "tcp", "discarded for bad checksum", "TcpInCsumErrors"),
    (System::FreeBsd, "udp", "delivered", "UdpInDatagrams"),
    (System::FreeBsd, "udp", "dropped due to full socket buffers", "UdpRcvbufErrors"),
    (System::FreeBsd, "tcp", "data packets retransmitted", "TcpRetransSegs"),
    (System::FreeBsd, "tcp", "data packet retransmitted", "TcpRetransSegs"),
    (System::FreeBsd, "tcp", "retransmit timeouts", "TcpExtTCPTimeouts"),
    (System::FreeBsd, "tcp", "retransmit timeout", "TcpExtTCPTimeouts"),
];

/// Returns name and number of the counter in a line below a heading, if goodput keeps that counter.
pub(super) fn counted<'a>(text: &'a str, heading: &str, system: System) -> Option<(&'static str, &'a str)> {
    if let Some((name, value)) = text.split_once(": ") {
        let kept = COUNTERS.iter().find(|kept| kept.strip_prefix(heading) == Some(name))?;
        return is_figure(value.trim()).then_some((*kept, value.trim()));
    }
    let value = text.split_whitespace().find(|word| is_figure(word))?;
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != value).collect();
    // FreeBSD counts bytes as well: `40440 data packets (7010117 bytes) retransmitted`.
    let sentence = words.join(" ");
    let sentence = match sentence.split_once(" (").and_then(|(before, rest)| Some((before, rest.split_once(')')?.1))) {
        Some((before, after)) => [before, after].concat(),
        None => sentence,
    };
    let sentence = sentence.trim_end_matches('.');
    let known = |row: &&(System, &str, &str, &str)| row.0 == system && row.1 == heading && row.2 == sentence;
    SENTENCES.iter().find(known).map(|(.., name)| (*name, value))
}

fn is_figure(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_of_counters_that_are_kept() {
        assert!(SENTENCES.iter().all(|(.., name)| COUNTERS.contains(name)));
    }

    #[test]
    fn a_sentence_belongs_to_its_heading() {
        assert_eq!(counted("29 segments retransmitted", "Tcp", System::Linux), Some(("TcpRetransSegs", "29")));
        assert_eq!(counted("29 segments retransmitted", "Udp", System::Linux), None);
        assert_eq!(counted("TCPTimeouts: 6", "TcpExt", System::Linux), Some(("TcpExtTCPTimeouts", "6")));
        assert_eq!(counted("TCPSackRecovery: 6", "TcpExt", System::Linux), None);
        let bytes = "40440 data packets (7010117 bytes) retransmitted";
        assert_eq!(counted(bytes, "tcp", System::FreeBsd), Some(("TcpRetransSegs", "40440")));
        assert_eq!(
            counted("1 data packet (1 byte) retransmitted", "tcp", System::FreeBsd),
            Some(("TcpRetransSegs", "1"))
        );
        assert_eq!(counted("1 data packet unnecessarily retransmitted", "tcp", System::FreeBsd), None);
    }
}
