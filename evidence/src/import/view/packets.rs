//! Packets as tcpdump prints them: lines that are no capture, and say so.

use crate::Evidence;
use crate::import::Page;

/// Why nothing is read of them.
const WHY: &str = "packets as text are not read: tcpdump -s 96 -w FILE host HOST gives a capture that is";

/// Says of each stretch of them that it is not read.
pub(super) fn read(page: &mut Page<'_>, _: &mut Evidence) {
    let mut last = None;
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if line.claimed || !is_packet(line.text) {
            continue;
        }
        match last {
            Some(before) if before + 1 == index => page.claim(index),
            _ => page.wrong(index, WHY),
        }
        last = Some(index);
    }
}

/// `17:02:43.222110 IP a.https > b.23190: Flags [.], ack 895, win 503, length 1448`; with `-v` the addresses stand on the
/// second line.
fn is_packet(line: &str) -> bool {
    line.split_once(" > ").is_some_and(|(_, rest)| rest.contains(": Flags [") && rest.contains("length "))
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
}
