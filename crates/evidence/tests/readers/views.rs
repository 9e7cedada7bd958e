//! Listings about connections and paths: each FILE in `tests/views/` has a `FILE.out` with the evidence read from it.
//! `BLESS=1 cargo test -p goodput-evidence --test it views::` writes the results; check the figures by hand.

use crate::growth::{behind, takes_time_in_proportion};
use evidence::Evidence;
use evidence::import::{Page, view};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/views");

fn evidence(file: &str, text: &str) -> Evidence {
    let mut page = Page::new(file, text);
    let mut evidence = Evidence::default();
    view::read(&mut page, &mut evidence);
    evidence.unread = page.unread();
    evidence
}

fn files() -> Vec<PathBuf> {
    let files = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_none_or(|ending| ending != "out")).collect();
    files.sort();
    assert!(files.len() > 20, "only {} files in {FOLDER}", files.len());
    files
}

#[test]
fn every_file_gives_what_stands_beside_it() {
    let bless = std::env::var_os("BLESS").is_some();
    let differences: Vec<String> = files().iter().filter_map(|path| compare(path, bless)).collect();
    assert!(differences.is_empty(), "{}\nBLESS=1 accepts what is found", differences.join("\n"));
}

fn compare(path: &Path, bless: bool) -> Option<String> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let evidence = evidence(name, &fs::read_to_string(path).unwrap());
    let found = serde_json::to_string_pretty(&told(&evidence)).unwrap() + "\n";
    let golden = Path::new(FOLDER).join(format!("{name}.out"));
    if bless {
        fs::write(&golden, &found).unwrap();
    }
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    let same = expected.lines().zip(found.lines()).take_while(|(old, new)| old == new).count();
    let at = |text: &str| text.lines().nth(same).unwrap_or("nothing").to_owned();
    (expected != found).then(|| format!("{name}.out:{}:\n- {}\n+ {}", same + 1, at(&expected), at(&found)))
}

/// The evidence as JSON, without unknown values and with each place as its line.
fn told(evidence: &Evidence) -> serde_json::Value {
    fn shorter(value: serde_json::Value) -> Option<serde_json::Value> {
        match value {
            serde_json::Value::Null => None,
            serde_json::Value::Array(values) => {
                let values: Vec<_> = values.into_iter().filter_map(shorter).collect();
                (!values.is_empty()).then(|| values.into())
            }
            serde_json::Value::Object(mut fields) => {
                let line = if fields.contains_key("file") { fields.remove("line") } else { None };
                let fields = || fields.into_iter().filter_map(|(name, value)| Some((name, shorter(value)?)));
                Some(line.unwrap_or_else(|| fields().collect()))
            }
            value => Some(value),
        }
    }
    shorter(serde_json::to_value(evidence).unwrap()).unwrap_or_default()
}

/// Half a file, pasted twice, with a character too many.
fn mutated() -> impl Strategy<Value = String> {
    let texts: Vec<String> = files().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let text = proptest::sample::select(texts);
    let cuts =
        proptest::collection::vec((any::<prop::sample::Index>(), "[ -~\\n\\t\u{a0}б年|.:/=]{0,6}", 0..20usize), 1..8);
    (text, cuts).prop_map(|(text, cuts)| {
        let mut characters: Vec<char> = text.chars().collect();
        for (at, put, removed) in cuts {
            let at = at.index(characters.len() + 1);
            let end = (at + removed).min(characters.len());
            characters.splice(at..end, put.chars());
        }
        characters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn no_text_makes_a_reader_panic(text in mutated()) {
        let evidence = evidence("size-Kbytes.txt", &text);
        let json = serde_json::to_string(&evidence).unwrap();
        let numbers = evidence.connections.iter().flat_map(|connection| connection.points.iter().map(|point| point.time));
        prop_assert!(numbers.clone().all(f64::is_finite), "{json}");
    }
}

/// Spaces of two bytes (U+00A0) before the time, and before the figures of the summary.
#[test]
fn counts_of_ping_end_where_their_text_does() {
    let text = "PING a (10.0.0.1) 56(84) bytes of data.\n\
        3 packets transmitted, 2 received, 33% packet loss, time \u{a0}Y ms\n\
        rtt min/avg/max/mdev = \u{a0}\u{a0}\u{a0}1/2/3 ms\n";
    let evidence = evidence("x", text);
    let ping = &evidence.pings[0];
    assert_eq!((ping.sent, ping.answered), (Some(3), Some(2)));
}

#[test]
fn readers_take_time_in_proportion_to_the_text() {
    let pieces = [
        "PING ",
        "ping ",
        "1 bytes from ",
        "1 ",
        "1,",
        "1ms rtt ",
        "1Gb x ",
        "| ",
        "|",
        "1|\n",
        "a\t",
        "0 0 a:1 b:1 rtt:1 ",
        "0 0 a:1 b:1 rtt:1\n",
        "rtt:1 ",
        "o,1.1,",
        "40 1\n",
        "mtu 40 b 41 b 1 B/s 9 B/s. ",
        "1: a 1ms\n",
        "б",
        "\u{a0}",
        "1.|-- ",
        "% Total Current\n",
        "time_total: 1\n",
        "f 10% 1MB 1MB/s 00:01\n",
        "{\"type\":\"result\",",
        "{\"type\":\"result\",\n",
        "Download: 1 Mbps\n",
        "a  Mbps\n1 2\n",
    ];
    for piece in pieces {
        for head in ["PING a bytes 0 0 a:1 b:1 rtt:1 ", "a|b\n--|--\n"] {
            let what = format!("{piece} after {head}");
            takes_time_in_proportion(&what, behind(head, piece), |text| drop(evidence("x", text)));
        }
    }
}
