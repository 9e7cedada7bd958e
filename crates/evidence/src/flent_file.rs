//! Writes bulk connections as a data file of flent, version 4 (flent/resultset.py): its programs plot and compare it.
//!
//! Each connection is a series `TCP upload`, in Mbit/s over steps; cwnd in packets and RTT in milliseconds beside it, as
//! flent's `--socket-stats` names them. A step without a point is null.

use crate::{Connection, Evidence};
use serde_json::{Map, Value, json};

/// Length of a step, seconds: flent's own default.
const STEP_S: f64 = 0.2;

const NOTE: &str = "written by goodput";

/// Most steps of a file: an hour of virtual time is 18,000.
const MAX_STEPS: usize = 500_000;

/// Returns the file; `None` without bulk connections. Times of the lab count from 1970, so the same trial gives the same
/// bytes.
pub fn flent(evidence: &Evidence, title: &str) -> Option<String> {
    let bulk =
        |c: &&Connection| c.exchanges.is_empty() && c.span.is_some() && c.points.iter().any(|p| p.bytes.is_some());
    let all: Vec<&Connection> = evidence.connections.iter().filter(bulk).collect();
    // One file is one test: the run with the most payload.
    let payload = |group: usize| all.iter().filter(|c| c.group == group).filter_map(|c| c.bytes).sum::<f64>();
    let group = all.iter().map(|c| c.group).max_by(|a, b| payload(*a).total_cmp(&payload(*b)).then(b.cmp(a)))?;
    let others = all.iter().filter(|c| c.group != group).count();
    let all: Vec<&Connection> = all.into_iter().filter(|c| c.group == group).collect();
    let span = |c: &&Connection| c.span.unwrap_or_default();
    let first = all.iter().map(|c| span(c)[0]).reduce(f64::min)?;
    let last = all.iter().map(|c| span(c)[1]).reduce(f64::max)?;
    let steps = (((last - first) / STEP_S).ceil() as usize).min(MAX_STEPS);
    let (mut results, mut about, mut raw) = (Map::new(), Map::new(), Map::new());
    for (number, connection) in all.iter().enumerate() {
        let name = if all.len() == 1 { "TCP upload".into() } else { format!("TCP upload::{}", number + 1) };
        about.insert(name.clone(), meta(connection, number));
        series(connection, first, steps, &name, &mut results);
        raw.insert(name.clone(), measured(&name, steps, &results));
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
            "NOTE": if others == 0 { NOTE.to_owned() } else { format!("{NOTE}; {others} of other runs left out") },
            "FAILED_RUNNERS": 0,
            "IP_VERSION": null,
            "TEST_PARAMETERS": parameters,
            "SERIES_META": about,
        },
        "raw_values": raw,
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

/// Adds the series of a connection. What arrived between two points is spread evenly over the time between them.
fn series(connection: &Connection, first: f64, steps: usize, name: &str, results: &mut Map<String, Value>) {
    let mut bytes: Vec<Option<f64>> = vec![None; steps];
    let mut windows = vec![Value::Null; steps];
    let mut rtts = vec![Value::Null; steps];
    let step_at = |time: f64| (((time - first) / STEP_S).max(0.0) as usize).min(steps - 1);
    let mut before = connection.span.map_or(first, |[start, _]| start).max(first);
    for point in connection.points.iter().filter(|point| point.time > first) {
        // A point at the end of a step belongs to it.
        let step = step_at(point.time - 1e-9);
        let packets = point.cwnd.zip(connection.mss).map(|(bytes, mss)| bytes / mss);
        windows[step] = packets.map_or(Value::Null, |packets| json!(rounded(packets)));
        rtts[step] = point.srtt.map_or(Value::Null, |rtt| json!(rounded(1e3 * rtt)));
        if let Some(arrived) = point.bytes.filter(|_| point.time > before) {
            for (at, sum) in bytes.iter_mut().enumerate().take(step + 1).skip(step_at(before)) {
                let [begin, end] = [at, at + 1].map(|edge| first + edge as f64 * STEP_S);
                let within = (end.min(point.time) - begin.max(before)).max(0.0);
                *sum = Some(sum.unwrap_or(0.0) + arrived * within / (point.time - before));
            }
        }
        before = before.max(point.time);
    }
    let rate = |bytes: Option<f64>| bytes.map_or(Value::Null, |bytes| json!(rounded(8.0 * bytes / STEP_S / 1e6)));
    let rates: Vec<Value> = bytes.into_iter().map(rate).collect();
    results.insert(name.to_owned(), rates.into());
    for (what, values) in [("tcp_cwnd", windows), ("tcp_rtt", rtts)] {
        if values.iter().any(|value| !value.is_null()) {
            results.insert(format!("{name}::{what}"), values.into());
        }
    }
}

/// Returns what flent calls raw values, which its plots take: here those of each step.
fn measured(name: &str, steps: usize, results: &Map<String, Value>) -> Value {
    let at = |series: &str, step: usize| results.get(series).map_or(Value::Null, |values| values[step].clone());
    let [cwnd, rtt] = ["tcp_cwnd", "tcp_rtt"].map(|what| format!("{name}::{what}"));
    let entry = |step: usize| {
        let mut entry = json!({ "t": rounded((step + 1) as f64 * STEP_S), "dur": STEP_S, "val": at(name, step) });
        for (key, value) in [("tcp_cwnd", at(&cwnd, step)), ("tcp_rtt", at(&rtt, step))] {
            if !value.is_null() {
                entry[key] = value;
            }
        }
        entry
    };
    (0..steps).filter(|step| !at(name, *step).is_null()).map(entry).collect()
}

/// Returns a number with six decimals, as flent's have.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
