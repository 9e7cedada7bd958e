//! Figures of connections compared with tcptrace's.

use super::{files, name, unpacked};
use evidence::{Connection, Seen, capture};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// Differences by definition: file, tcptrace's connection or 0 for all, figure. docs/reference/capture.md has the
/// reasons.
const DIFFER: &[(&str, usize, &str)] = &[
    // SYNs that were sent again.
    ("6syns.dmp.gz", 0, RETRANSMITTED),
    ("6syns.dmp.gz", 0, RTT),
    // Packets with a wrong checksum.
    ("bad_tcp_checksum.dmp.gz", 1, BYTES),
    // Packets that were captured twice.
    ("discard.solaris.dmp.gz", 5, BYTES),
    ("discard.solaris.dmp.gz", 5, RETRANSMITTED),
    ("discard.solaris.dmp.gz", 5, SEGMENTS),
    ("hardware_dups.dmp.gz", 1, RETRANSMITTED_OR_LATE),
    // Packets that were acknowledged and not captured, and the last that was captured and not acknowledged.
    ("fast_reuse.dmp.gz", 0, BYTES),
    ("http.dmp.gz", 0, BYTES),
    ("rawppp.pcap.gz", 2, BYTES),
    ("urgent.dmp.gz", 1, BYTES),
    ("zwnd.dmp.gz", 1, BYTES),
    // The FIN, which the kernel answers before any application; a handshake within a tick of the clock.
    ("http.dmp.gz", 0, RTT),
    ("psc.fddi.dmp.gz", 1, RTT),
    ("zwnd.dmp.gz", 1, RTT),
    // The byte of a probe, once more with the window open.
    ("urgent.dmp.gz", 1, RETRANSMITTED_OR_LATE),
];

const BYTES: &str = "bytes";
const RETRANSMITTED: &str = "retransmitted";
const RETRANSMITTED_OR_LATE: &str = "retransmitted or out of order";
const SEGMENTS: &str = "segments less probes";
const RTT: &str = "RTT min, ms";

/// Figures of one direction, as tcptrace counts it.
struct Traced {
    number: usize,
    name: String,
    figures: BTreeMap<String, f64>,
}

impl Traced {
    fn of(&self, key: &str) -> f64 {
        self.figures.get(key).copied().unwrap_or(0.0)
    }
}

/// Both directions of each connection.
fn traced(text: &str) -> Vec<Traced> {
    let mut found: Vec<Traced> = vec![];
    let mut ends = [String::new(), String::new()];
    for line in text.lines() {
        let Some((key, rest)) = line.trim_start().split_once(':') else { continue };
        let host = |key: &str| line.trim_start().strip_prefix(key).map(|rest| rest.trim().to_owned());
        if let Some(end) = host("host ").filter(|_| line.starts_with('\t')) {
            let (letter, end) = end.split_once(':').unwrap_or_default();
            // a and b, c and d, and so on.
            let second = letter.bytes().last().is_some_and(|letter| letter % 2 == 0);
            ends[usize::from(second)] = end.trim().to_owned();
        } else if rest.trim_end().ends_with("->a:") || rest.contains("->") && key.contains("->") {
            let number = found.len() / 2 + 1;
            let [a, b] = &ends;
            for name in [format!("{a} → {b}"), format!("{b} → {a}")] {
                found.push(Traced { number, name, figures: BTreeMap::new() });
            }
        } else if let (Some(at), true) = (rest.find(&format!(" {key}:")), found.len() > 1) {
            let count = found.len();
            for (way, value) in [(count - 2, &rest[..at]), (count - 1, &rest[at + key.len() + 2..])] {
                let number = value.split_whitespace().next().and_then(|word| word.parse().ok());
                found[way].figures.extend(number.map(|number| (key.to_owned(), number)));
            }
        }
    }
    found
}

/// A figure: its name, our value, tcptrace's, and the largest difference allowed.
type Row = (&'static str, f64, f64, f64);

fn rows(ours: &Connection, theirs: &Traced) -> Vec<Row> {
    let of = |key: &str| theirs.of(key);
    let mut rows = vec![(BYTES, ours.bytes.unwrap_or(f64::NAN), of("unique bytes sent"), 0.0)];
    let again = ours.retransmitted.unwrap_or(f64::NAN);
    let probes = of("zwnd probe pkts");
    if ours.seen == Seen::Receiver {
        let late = ours.reordered.unwrap_or(0.0);
        rows.push((RETRANSMITTED_OR_LATE, again + late, of("rexmt data pkts") + of("outoforder pkts"), 0.0));
    } else {
        rows.push((RETRANSMITTED, again, of("rexmt data pkts"), 0.0));
        rows.push((
            "segments less probes",
            ours.segments_sent.unwrap_or(f64::NAN),
            of("actual data pkts") - probes,
            0.0,
        ));
    }
    if ours.seen != Seen::Receiver && of("RTT samples") > 0.0 {
        rows.push((RTT, 1e3 * ours.rtt_min.unwrap_or(f64::NAN), of("RTT min"), 0.1));
    }
    rows
}

/// Prints the differences; true if all are explained.
pub fn holds(folder: &Path) -> io::Result<bool> {
    let mut unexplained = 0;
    let mut agree: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    println!("| capture | connection | figure | goodput | tcptrace | |\n|---|---|---|---|---|---|");
    for path in files(folder, "gz")? {
        let file = name(&path);
        let read = match capture::read(&file, &unpacked(&path, "gzip")?[..]) {
            Ok(read) => read,
            Err(error) => {
                println!("| {file} | | not read: {} | | | |", error.to_string().lines().next().unwrap_or_default());
                unexplained += 1;
                continue;
            }
        };
        let bytes = fs::read(folder.join(format!("{file}.long")))?;
        let mut theirs = traced(&String::from_utf8_lossy(&bytes));
        for ours in &read.connections {
            let Some(at) = theirs.iter().position(|one| one.name == ours.name && one.of("actual data pkts") > 0.0)
            else {
                println!("| {file} | {} | not in tcptrace's table | | | |", ours.name);
                unexplained += 1;
                continue;
            };
            let theirs = theirs.remove(at);
            for (figure, mine, due, within) in rows(ours, &theirs) {
                let same = (mine - due).abs() <= within;
                let known = DIFFER
                    .iter()
                    .any(|(of, number, what)| *of == file && [0, theirs.number].contains(number) && *what == figure);
                let counts = agree.entry(figure).or_default();
                counts[if same { 0 } else { 1 + usize::from(!known) }] += 1;
                unexplained += usize::from(!same && !known);
                if !same {
                    let why = if known { "by definition" } else { "" };
                    println!("| {file} | {} {} | {figure} | {mine} | {due} | {why} |", theirs.number, ours.name);
                }
            }
        }
    }
    println!("\n| figure | equal | differs by definition | differs |\n|---|---|---|---|");
    for (figure, [same, known, not]) in agree {
        println!("| {figure} | {same} | {known} | {not} |");
    }
    println!();
    Ok(unexplained == 0)
}
