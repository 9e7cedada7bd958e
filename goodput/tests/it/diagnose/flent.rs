//! Exported data files of flent, opened by flent.

use crate::skip::skip;
use serde_json::Value;
use std::fs;
use std::process::Command;

const CAPTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/evidence/tests/captures");

fn exported(source: &str) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_goodput")).args(["export", source, "--to", "flent"]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Each step has the payload that was acknowledged in it, so all steps together have the connection's.
#[test]
fn an_exported_file_has_all_payload_and_is_read_again() {
    let text = exported(&format!("{CAPTURES}/loss-sender.pcap"));
    let file: Value = serde_json::from_str(&text).unwrap();
    let rates = file["results"]["TCP upload"].as_array().unwrap().iter().filter_map(Value::as_f64);
    let due: toml::Table = fs::read_to_string(format!("{CAPTURES}/loss-sender.toml")).unwrap().parse().unwrap();
    let bytes = due["bytes"].as_integer().map(|n| n as f64).or(due["bytes"].as_float()).unwrap();
    let sum: f64 = rates.map(|rate| rate * 1e6 * 0.2 / 8.0).sum();
    assert!((sum / bytes - 1.0).abs() < 0.01, "{sum} of {bytes}");
    let mut evidence = evidence::Evidence::default();
    evidence::import::read("x.flent", text.as_bytes(), &mut evidence);
    assert_eq!((evidence.connections.len(), evidence.unread.len()), (1, 0));
}

/// iperf3's intervals of 1 s fill five steps each: no step has more than the fastest second, and the mean is the run's.
#[test]
fn intervals_longer_than_a_step_are_spread() {
    let listing = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings/hong-kong-new-york.txt");
    let file: Value = serde_json::from_str(&exported(listing)).unwrap();
    assert_eq!(file["metadata"]["NOTE"], "written by goodput; 1 of other runs left out");
    let rates: Vec<f64> = file["results"]["TCP upload"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    assert_eq!(rates.len(), 150, "30 s");
    // The second of two runs: 102 Mbit/s, its fastest second 126 Mbit/s.
    assert!((rates.iter().sum::<f64>() / 150.0 - 102.0).abs() < 1.0, "{rates:?}");
    assert!(rates.iter().all(|rate| *rate < 130.0), "{rates:?}");
}

#[test]
fn flent_opens_it_and_finds_the_same_mean() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loss.flent");
    let text = exported(&format!("{CAPTURES}/loss-sender.pcap"));
    fs::write(&path, &text).unwrap();
    let flent = Command::new("flent").args(["-f", "summary", "-i"]).arg(&path).current_dir(folder.path()).output();
    let Ok(done) = flent else { return skip("flent is not installed") };
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    let row = said.lines().find(|line| line.trim_start().starts_with("TCP upload  ") || line.contains("TCP upload :"));
    let row = row.unwrap_or_else(|| panic!("{said}"));
    let mean: f64 = row.split(':').next_back().unwrap().split_whitespace().next().unwrap().parse().unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let rates: Vec<f64> = file["results"]["TCP upload"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    let due = rates.iter().sum::<f64>() / rates.len() as f64;
    assert!((mean - due).abs() < 0.01 + 0.01 * due, "{mean} is not {due}: {row}");
    let picture = folder.path().join("totals.png");
    let mut plot = Command::new("flent");
    plot.args(["-p", "totals", "-f", "plot", "-o"]).arg(&picture).arg("-i").arg(&path).current_dir(folder.path());
    let said = String::from_utf8_lossy(&plot.output().unwrap().stdout).into_owned();
    if said.contains("Initialised matplotlib") {
        assert!(fs::read(&picture).is_ok_and(|picture| picture.starts_with(b"\x89PNG")), "{said}");
    }
}
