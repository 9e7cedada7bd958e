//! Captures of real transfers against what the kernel, iperf3 and the network itself counted.
//!
//! Each file of `crates/evidence/tests/captures/` has its expectations next to it. They give each figure of the connection
//! with the most payload, as a value or as a range.

use evidence::capture;
use evidence::ecn::{Ecn, Feedback};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/captures");

/// Largest capture in the tree, bytes.
const MAX_CAPTURE_BYTES: u64 = 40_000;

#[test]
fn real_captures_show_what_was_counted_elsewhere() {
    let captures = captures();
    assert!(captures.len() >= 3, "{captures:?}");
    for path in captures {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(fs::metadata(&path).expect("a file").len() < MAX_CAPTURE_BYTES, "{name}");
        let expected = fs::read_to_string(path.with_extension("toml")).expect("its expectations");
        let expected: Table = expected.parse().expect("TOML");
        let found = found(&path);
        for (key, due) in &expected {
            let value = found.get(key).unwrap_or_else(|| panic!("{name}: {key} is not known"));
            assert!(holds(value, due), "{name}: {key} is {value:?}, expected {due:?}");
        }
    }
}

fn captures() -> Vec<PathBuf> {
    let all = fs::read_dir(FOLDER).expect("the folder").map(|entry| entry.expect("an entry").path());
    all.filter(|path| path.extension().is_none_or(|ending| ending != "toml")).collect()
}

/// The connection with the most payload as a table, with the number of unread parts.
fn found(path: &Path) -> Table {
    let file = fs::File::open(path).expect("a capture");
    let read = capture::read("capture", file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let heaviest = read.connections.iter().max_by_key(|connection| connection.bytes.unwrap_or(0.0) as u64);
    let heaviest = heaviest.expect("a connection");
    let text = serde_json::to_string(heaviest).expect("JSON");
    let json: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).expect("an object");
    let known = json.into_iter().filter(|(_, value)| !value.is_null());
    let mut table: Table = known.filter_map(|(key, value)| Some((key, Value::try_from(value).ok()?))).collect();
    table.insert("unread".into(), Value::Float(read.unread.len() as f64));
    let window = heaviest.window.map_or(f64::NAN, |window| window.largest);
    table.insert("window".into(), Value::Float(window));
    table.extend(heaviest.ecn_detail.iter().flat_map(ecn));
    table
}

/// The ECN results, each under its own key.
fn ecn(ecn: &Ecn) -> Vec<(String, Value)> {
    let count = |count: u64| Value::Float(count as f64);
    let word = |feedback: Feedback| Value::try_from(feedback).ok();
    let heard = ecn.heard.unwrap_or_default();
    let marked = heard.marked.filter(|[least, most]| least == most).map(|[least, _]| count(least));
    let all = [
        ("asked", ecn.asked.and_then(word)),
        ("agreed", ecn.agreed.and_then(word)),
        ("sent with ECT(1)", ecn.data.map(|data| count(data.ect1))),
        ("heard of with CE", marked),
        ("bytes heard of with ECT(1)", heard.bytes.map(|bytes| count(bytes.ect1))),
        ("bytes heard of with CE", heard.bytes.map(|bytes| count(bytes.ce))),
    ];
    all.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

fn holds(value: &Value, due: &Value) -> bool {
    let number = |value: &Value| value.as_float().or(value.as_integer().map(|number| number as f64));
    match (due, number(value)) {
        (Value::Array(bounds), Some(value)) => {
            let [Some(least), Some(most)] = [0, 1].map(|at| bounds.get(at).and_then(number)) else { return false };
            (least..=most).contains(&value)
        }
        (due, Some(value)) => number(due) == Some(value),
        (due, None) => due == value,
    }
}
