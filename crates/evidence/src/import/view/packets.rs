//! Recognizes packets as tcpdump and Wireshark print them, and reports that only a capture can be read.

use crate::Evidence;
use crate::import::Page;

/// Reason that is reported, with the command for a capture.
const NOT_READ_WHY: &str = "packets as text are not read: tcpdump -s 96 -w FILE host HOST gives a capture that is";

/// Reports each run of such lines as not read.
pub(super) fn read(page: &mut Page<'_>, _: &mut Evidence) {
    let mut last = None;
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if line.claimed || !is_packet(line.text) {
            continue;
        }
        match last {
            Some(before) if before + 1 == index => page.claim(index),
            _ => page.wrong(index, NOT_READ_WHY),
        }
        last = Some(index);
    }
}

/// True for a printed packet.
/// tcpdump: `17:02:43.222110 IP a.https > b.23190: Flags [.], ack 895, win 503, length 1448`; with `-v` the addresses
/// are on the second line. Before tcpdump 4: `08:23:23.25 a.3913 > b.22: tcp 112 (DF)` or `. ack 895 win 503`.
/// Wireshark's list: `41 0.000177 a b TCP 74 9001 > 48072 [SYN, ACK] Seq=0 Ack=1 Win=2896 Len=0`.
fn is_packet(line: &str) -> bool {
    let dumped = |(head, rest): (&str, &str)| {
        let at =
            head.split_whitespace().next().is_some_and(|time| time.matches(':').count() == 2 && time.contains('.'));
        let of_old = rest.contains(": tcp ") || rest.contains(": icmp: ") || has_window(rest);
        rest.contains(": Flags [") && rest.contains("length ") || at && of_old
    };
    let listed = [" TCP ", "\tTCP\t"].iter().any(|word| line.contains(word));
    line.split_once(" > ").is_some_and(dumped)
        || listed && ["Seq=", "Win=", "Len="].iter().all(|word| line.contains(word))
}

fn has_window(text: &str) -> bool {
    text.split_once(" win ").is_some_and(|(_, after)| after.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_of_packets_is_declared_once() {
        let line =
            "09:01:02.000100 IP a.example.https > 10.0.0.7.40000: Flags [.], seq 1:1449, ack 1, win 512, length 1448\n";
        let text = format!("At most 10 Mbit/s:\n{line}{line}words\n{line}");
        let mut page = Page::new("x", &text);
        read(&mut page, &mut Evidence::default());
        let unread = page.unread();
        let told: Vec<_> = unread.iter().map(|unread| (unread.place.line, unread.why.is_some())).collect();
        assert_eq!(told, [(1, false), (2, true), (4, false), (5, true)]);
    }

    #[test]
    fn old_lines_and_wiresharks_are_packets() {
        for line in [
            "08:23:23.254711 192.0.2.117.3913 > 192.0.2.202.22: tcp 112 (DF)",
            "08:23:24.1 192.0.2.1 > 192.0.2.2: icmp: 192.0.2.3 unreachable - need to frag (mtu 1443)",
            "  1   0.000000 192.0.2.5 -> 192.0.2.8 TCP [TCP ZeroWindow] nfs > 80 [ACK] Seq=1 Ack=1 Win=0 Len=0",
            ">42\t0.000177\t192.0.2.7\t192.0.2.6\tTCP\t74\t9001 → 48072 [SYN, ACK] Seq=0 Ack=1 Win=2896 Len=0",
        ] {
            assert!(is_packet(line), "{line}");
        }
        assert!(!is_packet("12:30:00.5 a > b: a win for TCP") && !is_packet("TCP Win= Len="));
    }
}
