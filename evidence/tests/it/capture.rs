//! Captures of real transfers against what the kernel, iperf3 and the network itself counted.
//!
//! Each file of `evidence/tests/captures/` has its expectations beside it: for its heaviest connection a value, or the
//! least and the largest that are right, of each figure.

use evidence::capture;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/captures");

/// Bytes of a capture in the tree.
const MOST: u64 = 40_000;

#[test]
fn real_captures_show_what_was_counted_elsewhere() {
    let captures = captures();
    assert!(captures.len() >= 3, "{captures:?}");
    for path in captures {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(fs::metadata(&path).expect("a file").len() < MOST, "{name}");
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

/// The heaviest connection as a table, with what was not read as a number.
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
    table
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
