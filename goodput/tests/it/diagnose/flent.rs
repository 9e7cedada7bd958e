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
}
