//! Reads what copying programs print of a copy: the progress of scp and sftp, and the last lines of wget and rsync.

use super::{decimal, figure, whole};
use crate::import::Page;
use crate::{Connection, Evidence, Seen, Source};

pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut last: Option<(usize, &str)> = None;
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if line.claimed || line.text.len() > MAX_LINE_BYTES {
            continue;
        }
        // A terminal overwrites the line; a log keeps all of it.
        let Some(copied) = line.text.rsplit('\r').find_map(Copied::parse) else { continue };
        page.claim(index);
        // Further lines about the same file are later ones.
        let again = last.is_some_and(|(at, name)| name == copied.name && index <= at + 1 && copied.program == "scp");
        last = Some((index, copied.name));
        if again {
            evidence.sums.pop();
        }
        let group = evidence.next_group();
        let name = format!("the copy of {}", copied.program);
        let mut sum = Connection::new(page.place(index), Source::Copy, name, Seen::Sender);
        (sum.group, sum.bytes, sum.goodput) = (group, copied.bytes, Some(copied.rate));
        evidence.sums.push(sum);
    }
}

/// Longest line of progress, bytes.
const MAX_LINE_BYTES: usize = 4096;

/// A copy, or the part of it that is done.
#[derive(Debug, PartialEq)]
struct Copied<'a> {
    program: &'static str,
    name: &'a str,
    bytes: Option<f64>,
    /// Payload per second, bit/s.
    rate: f64,
}

impl<'a> Copied<'a> {
    fn parse(text: &'a str) -> Option<Copied<'a>> {
        let copied = scp(text).or_else(|| wget(text)).or_else(|| rsync(text))?;
        (copied.rate > 0.0 && copied.rate < MAX_RATE).then_some(copied)
    }
}

/// 1000 Tbit/s.
const MAX_RATE: f64 = 1e15;

/// Parses `vmlinuz    99% 7968KB 119.1KB/s   00:00 ETA`; scp and sftp count in powers of 1024 (OpenSSH, progressmeter.c).
fn scp(text: &str) -> Option<Copied<'_>> {
    let mut words = text.split_whitespace().rev();
    let mut word = words.next()?;
    if word == "ETA" {
        word = words.next()?;
    }
    let is_clock =
        |word: &str| word.contains(':') && word.len() <= 8 && word.split(':').all(|part| whole(part).is_some());
    let is_time = word == "-" || is_clock(word);
    let rate = binary(words.next()?.strip_suffix("/s")?)?;
    let bytes = binary(words.next()?)?;
    let share = whole(words.next()?.strip_suffix('%')?)?;
    let name = words.next()?;
    (is_time && share <= 100).then_some(Copied { program: "scp", name, bytes: Some(bytes), rate: 8.0 * rate })
}

/// Parses `7968KB`, `119.1KB`, `0`: bytes.
fn binary(word: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 5] =
        [("KB", 1024.0), ("MB", 1_048_576.0), ("GB", 1_073_741_824.0), ("TB", 1_099_511_627_776.0), ("B", 1.0)];
    let unit = UNITS.iter().find_map(|(unit, size)| Some((word.strip_suffix(unit)?, *size)));
    let (digits, size) = unit.unwrap_or((word, 1.0));
    Some(decimal(digits)? * size)
}

/// Parses `2024-03-01 10:00:00 (11.2 MB/s) - 'file' saved [123456/123456]` (wget, src/retr.c: powers of 1024).
fn wget(text: &str) -> Option<Copied<'_>> {
    let (before, rest) = text.split_once(") - ")?;
    let (_, rate) = before.rsplit_once('(')?;
    let (number, unit) = rate.split_once(' ')?;
    let (name, counts) = rest.split_once(" saved [")?;
    let bytes = counts.trim_end().strip_suffix(']')?.split('/').next().and_then(decimal)?;
    let rate = match unit.ends_with("b/s") {
        true => figure::rate(rate)?,
        false => 8.0 * binary(&[number, unit.strip_suffix("/s")?].concat())?,
    };
    Some(Copied { program: "wget", name, bytes: Some(bytes), rate })
}

/// Parses `sent 1,234 bytes  received 35 bytes  2,538.00 bytes/sec`.
fn rsync(text: &str) -> Option<Copied<'_>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ["sent", sent, "bytes", "received", received, "bytes", rate, "bytes/sec"] = words[..] else { return None };
    let number = |word: &str| decimal(&word.replace(',', ""));
    let bytes = number(sent)?.max(number(received)?);
    Some(Copied { program: "rsync", name: "", bytes: Some(bytes), rate: 8.0 * number(rate)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_tells_bytes_and_their_rate() {
        for (line, program, bytes, rate) in [
            ("vmlinuz 99% 7968KB 119.1KB/s   00:00 ETA", "scp", 7968.0 * 1024.0, 119.1 * 8192.0),
            ("1GB       100% 1024MB  18.2MB/s   00:56    ", "scp", 1024.0 * 1_048_576.0, 18.2 * 8.0 * 1_048_576.0),
            (
                "2024-03-01 10:00:00 (11.2 MB/s) - \u{2018}1.bin\u{2019} saved [104857600/104857600]",
                "wget",
                104_857_600.0,
                11.2 * 8.0 * 1_048_576.0,
            ),
            (
                "sent 35 bytes  received 104,883,276 bytes  11,040,348.53 bytes/sec",
                "rsync",
                104_883_276.0,
                88_322_788.24,
            ),
        ] {
            let copied = Copied::parse(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((copied.program, copied.bytes), (program, Some(bytes)), "{line}");
            assert!((copied.rate - rate).abs() < 1e-3, "{line}: {}", copied.rate);
        }
        for line in ["I got 99% of 5MB at 3MB/s today", "a 5% 3KB 1KB/s soon", "(fast) - saved [1]", "", "sent 5 bytes"]
        {
            assert_eq!(Copied::parse(line), None, "{line}");
        }
    }

    #[test]
    fn later_progress_of_a_file_replaces_the_earlier() {
        let mut page =
            Page::new("x", "f  10% 1MB 1.0MB/s 00:09 ETA\nf 100% 10MB 2.0MB/s 00:05\ng 100% 10MB 2.0MB/s 00:05\n");
        let mut evidence = Evidence::default();
        read(&mut page, &mut evidence);
        assert_eq!(evidence.sums.len(), 2);
        assert_eq!(evidence.sums[0].goodput, Some(2.0 * 8.0 * 1_048_576.0));
        assert!(page.unread().is_empty());
    }
}
