//! Renders a transfer of goodput's agents as iperf3's JSON document (`iperf3 -J`, src/iperf_api.c), from its sender's
//! side.

use super::agent::{BLOCK, Received, Sent};
use serde_json::{Value, json};

/// Returns the document; seconds are the sender's, except in the receiver's counts.
pub fn document(sent: &Sent, received: Option<&Received>) -> Value {
    const SOCKET: u32 = 5;
    let part = |start: f64, end: f64, bytes: u64| {
        let seconds = end - start;
        let rate = if seconds > 0.0 { bytes as f64 * 8.0 / seconds } else { 0.0 };
        json!({ "socket": SOCKET, "start": start, "end": end, "seconds": seconds, "bytes": bytes, "bits_per_second": rate })
    };
    let mut before = 0.0;
    let intervals: Vec<Value> = sent
        .intervals
        .iter()
        .map(|own| {
            let mut stream = part(before, own.end, own.bytes);
            before = own.end;
            stream["retransmits"] = json!(own.retransmitted);
            stream["snd_cwnd"] = json!(own.cwnd);
            stream["rtt"] = json!(own.rtt);
            stream["rttvar"] = json!(own.rttvar);
            stream["pmtu"] = json!(own.pmtu);
            stream["omitted"] = json!(false);
            stream["sender"] = json!(true);
            if let Some(window) = own.window {
                stream["snd_wnd"] = json!(window);
            }
            json!({ "streams": [stream] })
        })
        .collect();
    let retransmitted: u64 = sent.intervals.iter().map(|own| u64::from(own.retransmitted)).sum();
    let mut sender = part(0.0, sent.seconds, sent.bytes);
    sender["retransmits"] = json!(retransmitted);
    let receiver = received.map_or(Value::Null, |received| part(0.0, received.seconds, received.bytes));
    let mut totals = json!({ "sender": sender });
    let mut end = json!({ "sender_tcp_congestion": sent.congestion, "sum_sent": sender });
    let percent = |busy: Option<f64>| json!(100.0 * busy.unwrap_or(0.0));
    end["cpu_utilization_percent"] = json!({ "host_total": percent(Some(sent.busy)), "remote_total": percent(received.map(|received| received.busy)) });
    if received.is_some() {
        totals["receiver"] = receiver.clone();
        end["sum_received"] = receiver;
    }
    end["streams"] = json!([totals]);
    let connected: Vec<Value> = sent
        .ends
        .iter()
        .map(|[local, peer]| {
            json!({
                "socket": SOCKET, "local_host": local.ip().to_string(), "local_port": local.port(),
                "remote_host": peer.ip().to_string(), "remote_port": peer.port()
            })
        })
        .collect();
    json!({
        "start": {
            "connected": connected,
            "version": concat!("goodput ", env!("CARGO_PKG_VERSION")),
            "timestamp": { "timesecs": sent.began.floor() },
            "tcp_mss_default": sent.mss,
            "test_start": {
                "protocol": "TCP", "num_streams": 1, "blksize": BLOCK, "omit": 0, "duration": sent.seconds, "bytes": 0,
                "reverse": 0
            },
        },
        "intervals": intervals,
        "end": end,
    })
}
