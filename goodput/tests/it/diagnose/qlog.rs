//! Exported qlog files.

use serde_json::Value;
use std::process::Command;

const CAPTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/evidence/tests/captures");

/// Of the second connection, which carries the data: times rise, and as many packets are lost as were sent again.
#[test]
fn a_qlog_file_has_the_captures_losses_and_round_trips() {
    let source = format!("{CAPTURES}/loss-sender.pcap");
    let run = |arguments: &[&str]| -> Value {
        let done = Command::new(env!("CARGO_BIN_EXE_goodput")).args(arguments).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        serde_json::from_slice(&done.stdout).unwrap()
    };
    let (file, read) = (run(&["export", &source, "--to", "qlog"]), run(&["import", &source, "--json"]));
    assert_eq!(file["file_schema"], "urn:ietf:params:qlog:file:contained");
    assert_eq!(file["traces"][1]["event_schemas"][0], "urn:ietf:params:qlog:events:quic-12");
    let events = file["traces"][1]["events"].as_array().unwrap();
    let time = |event: &Value| event["time"].as_f64().unwrap();
    assert!(events.windows(2).all(|pair| time(&pair[0]) <= time(&pair[1])));
    let named = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    let connection = &read["cases"][0]["connections"][1];
    // tshark finds as many retransmissions in the second stream.
    const SENT_AGAIN: usize = 11;
    assert!(connection["retransmitted"] == SENT_AGAIN as f64 && named("quic:packet_lost") == SENT_AGAIN);
    let points = connection["points"].as_array().unwrap();
    let srtt = points.iter().rev().find_map(|point| point["srtt"].as_f64()).unwrap();
    let last = events.iter().rev().find_map(|event| event["data"]["smoothed_rtt"].as_f64()).unwrap();
    assert!((last - 1e3 * srtt).abs() < 1e-3, "{last} ms, {srtt} s");
}
