//! Writes connections as a contained qlog file (draft-ietf-quic-qlog-main-schema-13): a trace for each, with the recovery
//! events of draft-ietf-quic-qlog-quic-events-12.
//!
//! TCP has no events of its own in qlog; congestion window, bytes in flight and round-trip times mean the same as QUIC's.

use crate::{Connection, Evidence, Point};
use serde_json::{Map, Value, json};

/// The URIs of the drafts: the number of the second is that of its draft.
const FILE_SCHEMA: &str = "urn:ietf:params:qlog:file:contained";
const EVENT_SCHEMA: &str = "urn:ietf:params:qlog:events:quic-12";
const DRAFTS: &str = "draft-ietf-quic-qlog-main-schema-13, draft-ietf-quic-qlog-quic-events-12";

/// Most events of a file; a connection has 4,000 points and 32,768 packets at most.
const MAX_EVENTS: usize = 1_000_000;

/// Returns the file; `None` if no connection has a point. Times are milliseconds since the evidence's own zero.
pub fn qlog(evidence: &Evidence, title: &str) -> Option<String> {
    let mut left = MAX_EVENTS;
    let mut traces = vec![];
    for connection in evidence.connections.iter().filter(|connection| !connection.points.is_empty()) {
        let mut events = events(connection);
        events.truncate(left);
        left -= events.len();
        traces.push(trace(connection, events));
    }
    (!traces.is_empty()).then(|| {
        let file = json!({
            "file_schema": FILE_SCHEMA,
            "serialization_format": "application/qlog+json",
            "title": title,
            "description": format!("TCP, written by goodput by {DRAFTS}"),
            "traces": traces,
        });
        format!("{file:#}\n")
    })
}

fn trace(connection: &Connection, events: Vec<Value>) -> Value {
    let control = connection.congestion.as_ref().map_or(String::new(), |name| format!(", {name}"));
    json!({
        "title": connection.name,
        "description": format!("TCP{control}"),
        "common_fields": {
            "protocol_types": ["TCP"],
            "time_format": "relative_to_epoch",
            // For a clock of its own the epoch is unknown (main schema, 7.1).
            "reference_time": { "clock_type": "monotonic", "epoch": "unknown" },
        },
        "vantage_point": { "name": "sender", "type": "client" },
        "event_schemas": [EVENT_SCHEMA],
        "events": events,
    })
}

/// Returns the events in the order of their times: the metrics at each point, as far as they changed, and lost packets.
fn events(connection: &Connection) -> Vec<Value> {
    let mut all: Vec<(f64, Value)> = vec![];
    let mut before = Map::new();
    for point in &connection.points {
        let metrics = metrics(point, connection.rtt_min);
        let changed: Map<String, Value> = metrics
            .iter()
            .filter(|(key, value)| before.get(*key) != Some(value))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        before.extend(metrics);
        if !changed.is_empty() {
            all.push((point.time, event("quic:recovery_metrics_updated", point.time, changed.into())));
        }
    }
    let lost = connection.packets.iter().filter(|packet| packet.lost);
    all.extend(lost.map(|packet| (packet.time, event("quic:packet_lost", packet.time, json!({})))));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().map(|(_, event)| event).collect()
}

fn event(name: &str, seconds: f64, data: Value) -> Value {
    json!({ "time": rounded(1e3 * seconds), "name": name, "data": data })
}

/// Returns what a point tells: times in ms, sizes in bytes.
fn metrics(point: &Point, rtt_min: Option<f64>) -> Map<String, Value> {
    let time = |seconds: Option<f64>| seconds.map(|seconds| json!(rounded(1e3 * seconds)));
    let size = |bytes: Option<f64>| bytes.filter(|bytes| *bytes >= 0.0).map(|bytes| json!(bytes.round() as u64));
    let rows = [
        ("min_rtt", time(rtt_min)),
        ("smoothed_rtt", time(point.srtt)),
        ("rtt_variance", time(point.rttvar)),
        ("congestion_window", size(point.cwnd)),
        ("bytes_in_flight", size(point.in_flight)),
        ("ssthresh", size(point.ssthresh)),
    ];
    rows.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
}

/// Returns a number with six decimals: nanoseconds, of a time in ms.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
