//! Reads perfSONAR's throughput results: pScheduler's JSON, from `pscheduler result --format json`, its REST interface or
//! an archiver.
//!
//! A result has `intervals`, each with its streams, and a `summary` (pscheduler-test-throughput, result-jsonschema): rates
//! in bit/s, payload in bytes, RTTs in microseconds, `tcp-window-size` the sender's cwnd in bytes. A run repeats it for each
//! participant in `result-full`; the merged one is taken.

use super::json::{self, number};
use crate::import::Page;
use crate::{Connection, Evidence, Place, Point, Seen, Source};
use serde_json::Value;

pub fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    // A document of any depth begins with whatever key its writer puts first.
    if !page.unclaimed().any(|(_, line)| line.contains("\"throughput-bits\"")) {
        return;
    }
    json::objects(page, &["\""], |document, place| {
        let mut results = vec![];
        find(document, &mut results, 0);
        results.iter().for_each(|result| take(result, place, evidence));
        !results.is_empty()
    });
}

/// Nested deeper than any archiver's document.
const MAX_DEPTH: usize = 16;

/// Finds the results in a document; of those that tell of one run, the merged one.
fn find<'a>(value: &'a Value, results: &mut Vec<&'a Value>, depth: usize) {
    let is_result = |value: &Value| value["intervals"].is_array() && value["summary"]["summary"].is_object();
    if depth > MAX_DEPTH {
        return;
    }
    if is_result(value) {
        return results.push(value);
    }
    match value {
        Value::Object(fields) => match fields.get("result-merged").filter(|merged| is_result(merged)) {
            Some(merged) => results.push(merged),
            None => fields.values().for_each(|value| find(value, results, depth + 1)),
        },
        Value::Array(values) => values.iter().for_each(|value| find(value, results, depth + 1)),
        _ => {}
    }
}

fn take(result: &Value, place: &Place, evidence: &mut Evidence) {
    let summary = &result["summary"];
    // UDP's results count what was lost.
    if summary["summary"]["lost"].is_number() {
        return;
    }
    let streams = summary["streams"].as_array().map_or(&[][..], Vec::as_slice);
    let group = evidence.next_group();
    let all: Vec<Connection> =
        streams.iter().filter_map(|stream| connection(result, stream, place, streams.len(), group)).collect();
    evidence.connections.extend(all);
}

fn connection(result: &Value, stream: &Value, place: &Place, streams: usize, group: usize) -> Option<Connection> {
    let id = stream["stream-id"].as_u64();
    let name =
        if streams > 1 { id.map_or("a stream".into(), |id| format!("stream {id}")) } else { "the transfer".into() };
    let mut connection = Connection::new(place.clone(), Source::Pscheduler, name, Seen::Sender);
    let goodput = number(stream, "throughput-bits").filter(|rate| *rate > 0.0)?;
    connection.group = group;
    connection.goodput = number(stream, "receiver-throughput-bits").filter(|rate| *rate > 0.0).or(Some(goodput));
    connection.bytes = number(stream, "throughput-bytes");
    connection.span = number(stream, "start").zip(number(stream, "end")).filter(|(a, b)| b > a).map(|(a, b)| [a, b]);
    connection.retransmitted = number(stream, "retransmits");
    let intervals = result["intervals"].as_array()?.iter();
    let own = |interval: &Value| {
        let same = interval["streams"].as_array()?.iter().find(|one| one["stream-id"].as_u64() == id)?.clone();
        (same["omitted"].as_bool() != Some(true)).then_some(same)
    };
    for interval in intervals.filter_map(own) {
        let Some(time) = number(&interval, "end") else { continue };
        if connection.points.is_empty() {
            connection.points.push(Point { time: number(&interval, "start").unwrap_or(0.0), ..Point::default() });
        }
        if connection.points.last().is_some_and(|last| time > last.time) {
            connection.points.push(Point {
                time,
                bytes: number(&interval, "throughput-bytes"),
                retransmitted: number(&interval, "retransmits"),
                cwnd: number(&interval, "tcp-window-size").filter(|bytes| *bytes > 0.0),
                srtt: number(&interval, "rtt").filter(|us| *us > 0.0).map(|us| us / 1e6),
                ..Point::default()
            });
        }
    }
    // What is sent ends in the receiver's time; the sender's program wrote it.
    connection.written = true;
    Some(connection)
}
