//! What a QUIC program wrote as qlog: cwnd and RTT over time (draft-ietf-quic-qlog-main-schema, as JSON and as JSON-SEQ;
//! draft-ietf-quic-qlog-quic-events, `recovery_metrics_updated`).

use serde_json::Value;

/// Metrics of one connection over time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Logged {
    /// Times since the first event, ns, with cwnd, bytes.
    pub cwnd: Vec<(u64, f64)>,
    /// Times since the first event, ns, with the smoothed RTT, ms.
    pub srtt: Vec<(u64, f64)>,
    /// Payload of a full datagram, bytes.
    pub datagram: f64,
}

/// Separates records (RFC 7464).
const RECORD_SEPARATOR: char = '\u{1e}';
/// Smallest maximum datagram, bytes (RFC 9000, section 14).
const LEAST_DATAGRAM: f64 = 1200.0;

/// Reads the metrics of a file; `None` if it has none. A last record that was cut off is left out.
pub fn read(text: &str) -> Option<Logged> {
    let whole: Option<Value> = serde_json::from_str(text).ok();
    let events: Vec<Value> = match whole {
        Some(whole) => whole["traces"]
            .as_array()?
            .iter()
            .filter_map(|trace| trace["events"].as_array())
            .flatten()
            .cloned()
            .collect(),
        None => text
            .split([RECORD_SEPARATOR, '\n'])
            .filter_map(|record| serde_json::from_str::<Value>(record).ok())
            .filter(|record| record.get("name").is_some())
            .collect(),
    };
    let first = events.first()?["time"].as_f64()?;
    let mut logged = Logged { datagram: LEAST_DATAGRAM, ..Logged::default() };
    for event in &events {
        let (Some(time), Some(name)) = (event["time"].as_f64(), event["name"].as_str()) else { continue };
        let data = &event["data"];
        let time = ((time - first) * 1e6).max(0.0) as u64;
        if name.ends_with("parameters_set") {
            logged.datagram = data["max_datagram_size"].as_f64().unwrap_or(logged.datagram).max(1.0);
        } else if name.ends_with("metrics_updated") {
            logged.cwnd.extend(data["congestion_window"].as_f64().map(|bytes| (time, bytes)));
            logged.srtt.extend(data["smoothed_rtt"].as_f64().map(|ms| (time, ms)));
        }
    }
    (!logged.cwnd.is_empty() || !logged.srtt.is_empty()).then_some(logged)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records as ngtcp2 0.12 writes them.
    const SEQ: &str = "\u{1e}{\"qlog_format\":\"JSON-SEQ\",\"qlog_version\":\"0.3\",\"trace\":{}}\n\
        \u{1e}{\"time\":5,\"name\":\"transport:parameters_set\",\"data\":{\"owner\":\"remote\"}}\n\
        \u{1e}{\"time\":35,\"name\":\"recovery:metrics_updated\",\"data\":{\"smoothed_rtt\":30,\"congestion_window\":14520}}\n\
        \u{1e}{\"time\":65.5,\"name\":\"recovery:metrics_updated\",\"data\":{\"bytes_in_flight\":3}}\n\
        \u{1e}{\"time\":66,\"name\":\"recovery:metr";

    #[test]
    fn metrics_are_read_since_the_first_event() {
        let logged = read(SEQ).unwrap();
        assert_eq!((&logged.cwnd[..], &logged.srtt[..]), (&[(30_000_000, 14520.0)][..], &[(30_000_000, 30.0)][..]));
        let json = r#"{"traces": [{"events": [
            {"time": 0, "name": "recovery:parameters_set", "data": {"max_datagram_size": 1452}},
            {"time": 1, "name": "quic:recovery_metrics_updated", "data": {"congestion_window": 29040}}]}]}"#;
        let logged = read(json).unwrap();
        assert_eq!((logged.cwnd, logged.datagram), (vec![(1_000_000, 29040.0)], 1452.0));
    }

    #[test]
    fn other_text_has_no_metrics() {
        for text in ["", "{}", "[1]", "\u{1e}{\"time\":\"x\",\"name\":1}", "{\"traces\":[{\"events\":[{}]}]}"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
