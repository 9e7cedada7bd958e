//! A recording and its inputs, written without a guest; fuzzers change it.

use base::folder::Folder;
use base::sums;
use plan::recording::Recorder;
use std::fs;
use std::path::Path;
use wire::{Column, ColumnType, Device, Message, frame};

pub const ENVIRONMENT: &str = r#"{"goodput": "", "kernels": [], "agent": "", "recorder": "", "tools": [], "host": []}"#;

/// A record of these columns in which those that are named have a value.
fn record_of(columns: &[Column], values: &[(&str, u64)]) -> Vec<u8> {
    let bytes = |column: &Column| {
        let value = values.iter().find(|(name, _)| *name == column.name).map_or(0, |(_, value)| *value);
        let width = if let ColumnType::Text(n) = column.kind { n } else { column.kind.width() };
        value.to_le_bytes()[..width].to_vec()
    };
    columns.iter().flat_map(bytes).collect()
}

/// Writes two seconds of a flow of a little over 9 Mbit/s, as the guest would send it.
pub fn record(folder: &Path, seed: u64) {
    fs::create_dir(folder).unwrap();
    let folder = Folder::open(folder).unwrap();
    let mut recorder = Recorder::new(&folder);
    let info = [wire::SAMPLE, wire::TCP_INFO].concat();
    for tenth in 1..=20 {
        let (time, bytes) = (tenth * 100_000_000, tenth * (112_500 + seed));
        let sender = [("bytes_acked", bytes), ("snd_cwnd", 20), ("rtt", 21_000), ("snd_mss", 1448), ("pmtu", 1500)];
        let receiver = [("bytes_received", bytes), ("data_segs_in", bytes / 1448)];
        for (end, values) in [(0, &sender[..]), (1, &receiver[..])] {
            let head = [("time", time), ("flow", 0), ("end", end)];
            recorder.take(frame::SAMPLE, &record_of(&info, &[&head, values].concat())).unwrap();
        }
    }
    let device = Device {
        namespace: "made".into(),
        device: "eth0".into(),
        rx_packets: 1,
        rx_dropped: 0,
        tx_packets: 1,
        tx_dropped: 0,
    };
    for message in [
        Message::Started { flow: 0, time: 0 },
        Message::Ended { flow: 0, time: 2_000_000_000 },
        Message::Devices(vec![device]),
        Message::Done,
    ] {
        recorder.take(frame::MESSAGE, &serde_json::to_vec(&message).unwrap()).unwrap();
    }
    recorder.finish().unwrap();
    sums::write(&folder).unwrap();
}
