//! Writes bulk connections as a data file of flent, version 4 (flent/resultset.py): its programs plot and compare it.
//!
//! Each connection is a series `TCP upload`, in Mbit/s over steps; cwnd in packets and RTT in milliseconds beside it, as
//! flent's `--socket-stats` names them. A step without a point is null.

use crate::{Connection, Evidence, Point};
use serde_json::{Map, Value, json};

/// Length of a step, seconds: flent's own default.
const STEP_S: f64 = 0.2;

/// Most steps of a file: an hour of virtual time is 18,000.
const MAX_STEPS: usize = 500_000;

/// Returns the file; `None` without bulk connections. Times of the lab count from 1970, so the same trial gives the same
/// bytes.
pub fn flent(evidence: &Evidence, title: &str) -> Option<String> {
    let bulk =
        |c: &&Connection| c.exchanges.is_empty() && c.span.is_some() && c.points.iter().any(|p| p.bytes.is_some());
    let all: Vec<&Connection> = evidence.connections.iter().filter(bulk).collect();
    let span = |c: &&Connection| c.span.unwrap_or_default();
    let first = all.iter().map(|c| span(c)[0]).reduce(f64::min)?;
    let last = all.iter().map(|c| span(c)[1]).reduce(f64::max)?;
    let steps = (((last - first) / STEP_S).ceil() as usize).min(MAX_STEPS);
    let (mut results, mut about) = (Map::new(), Map::new());
    for (number, connection) in all.iter().enumerate() {
        let name = if all.len() == 1 { "TCP upload".into() } else { format!("TCP upload::{}", number + 1) };
        about.insert(name.clone(), meta(connection, number));
        series(connection, first, steps, &name, &mut results);
    }
    let is_one = all.len() == 1;
    let parameters = if is_one { json!({}) } else { json!({ "upload_streams": all.len().to_string() }) };
    let document = json!({
        "metadata": {
            "NAME": if is_one { "tcp_upload" } else { "tcp_nup" },
            "TITLE": title,
            "HOST": "receiver",
            "HOSTS": ["receiver"],
            "LOCAL_HOST": "sender",
            "LENGTH": (last - first).round(),
            "TOTAL_LENGTH": (last - first).round(),
            "STEP_SIZE": STEP_S,
            "TIME": "1970-01-01T00:00:00.000000Z",
            "T0": "1970-01-01T00:00:00.000000Z",
            "FLENT_VERSION": "2.1.1",
            "DATA_FILENAME": null,
            "NOTE": "written by goodput",
            "FAILED_RUNNERS": 0,
            "IP_VERSION": null,
            "TEST_PARAMETERS": parameters,
            "SERIES_META": about,
        },
        "raw_values": {},
        "results": results,
        "version": 4,
        "x_values": (0..steps).map(|step| rounded((step + 1) as f64 * STEP_S)).collect::<Vec<_>>(),
    });
    Some(format!("{document:#}\n"))
}

fn meta(connection: &Connection, number: usize) -> Value {
    let mut meta = json!({ "UNITS": "Mbits/s", "RUNNER": "NetperfDemoRunner", "IDX": number });
    let known = [
        ("CONG_CONTROL", connection.congestion.as_ref().map(|name| json!(name))),
        ("TCP_MSS", connection.mss.map(|bytes| json!(bytes))),
        ("TCPI_TOTAL_RETRANS", connection.retransmitted.map(|count| json!(count))),
    ];
    known.into_iter().for_each(|(key, value)| meta[key] = value.unwrap_or_default());
    meta
}

/// Adds the series of a connection.
fn series(connection: &Connection, first: f64, steps: usize, name: &str, results: &mut Map<String, Value>) {
    let mut rates = vec![Value::Null; steps];
    let mut windows = vec![Value::Null; steps];
    let mut rtts = vec![Value::Null; steps];
    let step_of = |point: &Point| (((point.time - first) / STEP_S - 1e-9).floor().max(0.0) as usize).min(steps - 1);
    let mut points = connection.points.iter().filter(|point| point.time > first).peekable();
    while let Some(point) = points.next() {
        let step = step_of(point);
        let mut bytes = point.bytes;
        let mut latest = point;
        while let Some(next) = points.next_if(|next| step_of(next) == step) {
            bytes = bytes.into_iter().chain(next.bytes).reduce(|a, b| a + b);
            latest = next;
        }
        rates[step] = bytes.map_or(Value::Null, |bytes| json!(rounded(8.0 * bytes / STEP_S / 1e6)));
        let packets = latest.cwnd.zip(connection.mss).map(|(bytes, mss)| bytes / mss);
        windows[step] = packets.map_or(Value::Null, |packets| json!(rounded(packets)));
        rtts[step] = latest.srtt.map_or(Value::Null, |rtt| json!(rounded(1e3 * rtt)));
    }
    results.insert(name.to_owned(), rates.into());
    for (what, values) in [("tcp_cwnd", windows), ("tcp_rtt", rtts)] {
        if values.iter().any(|value| !value.is_null()) {
            results.insert(format!("{name}::{what}"), values.into());
        }
    }
}

/// Returns a number with six decimals, as flent's have.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
