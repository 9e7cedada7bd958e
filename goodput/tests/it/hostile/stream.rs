//! The stream from a guest during recording. Any command in the guest may write the agent's messages, and an attacker
//! in its kernel any frame.

use super::made::{EXPERIMENT, Made};
use super::plans::{KINDS, absurd, places, read_all};
use base::folder::Folder;
use base::sums;
use plan::recording::Recorder;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wire::{Column, ColumnType, frame};

/// A message of each kind.
fn messages() -> Vec<Value> {
    vec![
        json!({ "hello": { "protocol": wire::PROTOCOL } }),
        json!({ "readbacks": [{ "place": "machine", "setting": "a", "asked": "1", "got": "1" }] }),
        json!({ "qdiscs": { "namespace": "wire", "output": "[]" } }),
        json!({ "started": { "flow": 0, "time": 0 } }),
        json!({ "ended": { "flow": 0, "time": 2_000_000_000u64 } }),
        json!({ "broken": { "flow": 0, "time": 1_000_000_000u64, "why": "reset" } }),
        json!({ "exchanges": { "flow": 0, "exchanges": [{ "start": 1, "end": 2 }] } }),
        json!({ "datagrams": { "flow": 0, "sent": 9, "received": 8, "on_time": 7, "reordered": 1 } }),
        json!({ "ran": { "command": 0, "time": 1, "status": 0, "output": "x" } }),
        json!({ "file": { "file": 0, "bytes": "00ff" } }),
        json!({ "counters": { "namespace": "wire", "output": "{}" } }),
        json!({ "devices": [] }),
    ]
}

/// Frames of rows, with their lengths.
fn rows() -> Vec<(u32, usize)> {
    let length = |columns: &[Column]| -> usize {
        columns.iter().map(|column| if let ColumnType::Text(n) = column.kind { n } else { column.kind.width() }).sum()
    };
    let info = length(wire::SAMPLE) + length(wire::TCP_INFO);
    vec![
        (frame::HELLO, 72),
        (frame::SAMPLE, info),
        (frame::QUEUE, length(wire::QUEUE)),
        (frame::ACK, length(wire::ACK)),
        (frame::DROP, length(wire::DROP)),
        (frame::REASON, 20),
        // Time, flow, and the kernel's longer struct.
        (frame::BBR, 12 + 52),
        (frame::VEGAS, length(wire::VEGAS)),
        (frame::DCTCP, length(wire::DCTCP)),
        (frame::FREEBSD, length(wire::FREEBSD)),
        (frame::WAIT, length(wire::WAIT)),
        (frame::MESSAGE, 40),
    ]
}

/// A message with an unexpected value, or a row of any bytes, often of a wrong length.
fn hostile() -> impl Strategy<Value = (u32, Vec<u8>)> {
    let message =
        (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..KINDS).prop_map(|(which, at, kind)| {
            let mut message = which.get(&messages()).clone();
            let mut all = vec![];
            places(&message, String::new(), &mut all);
            if let Some(old) = message.pointer_mut(at.get(&all).as_str()) {
                *old = absurd(kind, old);
            }
            (frame::MESSAGE, message.to_string().into_bytes())
        });
    let row = (any::<prop::sample::Index>(), prop_oneof![3 => Just(None), 1 => (0usize..400).prop_map(Some)]);
    let row = row.prop_flat_map(|(which, length)| {
        let (kind, own) = *which.get(&rows());
        let byte = prop_oneof![4 => Just(0u8), 1 => Just(255), 1 => any::<u8>()];
        prop::collection::vec(byte, length.unwrap_or(own)).prop_map(move |bytes| (kind, bytes))
    });
    prop_oneof![message, row]
}

#[test]
fn messages_and_rows_are_of_the_protocol() {
    let run = Made::beginning(EXPERIMENT, 1);
    let mut recorder = Recorder::new(&Folder::open(&run.trial(0)).unwrap()).fetching(vec!["fetched-x".into()]);
    for message in messages() {
        recorder
            .take(frame::MESSAGE, message.to_string().as_bytes())
            .unwrap_or_else(|error| panic!("{message}: {error}"));
    }
    for (kind, length) in rows().into_iter().filter(|(kind, _)| ![frame::HELLO, frame::MESSAGE].contains(kind)) {
        recorder.take(kind, &vec![0; length]).unwrap_or_else(|error| panic!("{kind}: {error}"));
    }
}

/// Wherever its last byte falls.
#[test]
fn a_row_may_end_anywhere() {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::open(place.path()).unwrap();
    for (kind, own) in rows() {
        for length in 0..=own {
            let mut recorder = Recorder::new(&folder);
            if let Err(error) =
                recorder.take(kind, &vec![0xff; length]).map(drop).and_then(|()| recorder.finish().map(drop))
            {
                assert!(!error.to_string().is_empty());
            }
            for name in folder.names().unwrap() {
                folder.remove(&name).unwrap();
            }
        }
    }
}

#[test]
fn no_frame_makes_the_recorder_or_a_reader_panic() {
    let run = Made::beginning(EXPERIMENT, 1);
    let config = Config { failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&prop::collection::vec(hostile(), 1..12), |frames| {
        let recorded = catch_unwind(AssertUnwindSafe(|| {
            fs::remove_dir_all(run.trial(0)).unwrap();
            super::recorded::record(&run.trial(0), 1);
            let folder = Folder::open(&run.trial(0)).unwrap();
            let mut recorder = Recorder::new(&folder).fetching(vec!["fetched-x".into()]);
            let mut taken = 0;
            for (kind, payload) in &frames {
                // A refused frame ends the trial.
                match recorder.take(*kind, payload) {
                    Ok(_) => taken += 1,
                    Err(error) => drop(error.to_string()),
                }
            }
            let _ = recorder.finish();
            sums::write(&folder).unwrap();
            read_all(&run);
            taken
        }));
        prop_assert!(recorded.is_ok(), "{frames:?}");
        Ok(())
    });
    outcome.unwrap();
}
