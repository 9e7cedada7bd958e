//! A trial's recording: Parquet files with a column for each field of the kernel's records, and `trial.json`.
//!
//! DuckDB, pandas and polars read the files as they are. Each column's Arrow field metadata gives its unit and
//! meaning, under `unit` and `meaning`.

mod bbr;
mod fetched;
mod read;
mod sample;
mod sample_columns;
mod table;
mod trial_progress;

pub use read::{columns, has, present, texts};
pub use sample::{NO_SSTHRESH, Sample, options, samples};
pub use sample_columns::Fills;
pub use trial_progress::{REACHED_FILE, Reached, Reporter};

use base::folder::{FileError, Folder};
use base::sums;
use evidence::plain;
use fetched::Fetched;
use parquet::errors::ParquetError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use table::Table;
use wire::{Device, Exchange, Message, Ran, Readback, frame};

/// File names in a trial's folder.
pub const SAMPLES: &str = "samples.parquet";
/// Counters of flows of programs.
pub const PROGRAMS: &str = "programs.parquet";
/// Samples of the subflows of MPTCP flows, and of the TCP connections of programs.
pub const SUBFLOWS: &str = "subflows.parquet";
/// Samples of the connections that carry tunnels.
pub const TUNNELS: &str = "tunnels.parquet";
/// Samples of the queues.
pub const QUEUES: &str = "queues.parquet";
/// How long packets waited in the queues in front of lines.
pub const WAITS: &str = "waits.parquet";
/// State of dualpi2 queues.
pub const DUALPI2: &str = "dualpi2.parquet";
/// ECN codepoints of packets that left queues.
pub const ECN: &str = "ecn.parquet";
/// State of a sender's BBR.
pub const BBR: &str = "bbr.parquet";
/// State of a sender's Vegas or related congestion control.
pub const VEGAS: &str = "vegas.parquet";
/// State of a sender's DCTCP.
pub const DCTCP: &str = "dctcp.parquet";
/// State of an end that only FreeBSD has.
pub const FREEBSD: &str = "freebsd.parquet";
/// A row for each ACK, when traced.
pub const ACKS: &str = "acks.parquet";
/// A row for each request or ping.
pub const EXCHANGES: &str = "exchanges.parquet";
/// A row for each dropped packet, when traced.
pub const DROPS: &str = "drops.parquet";
/// Everything about a trial that is not a time series.
pub const TRIAL: &str = "trial.json";

/// Everything in a trial's folder except the time series.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialFacts {
    /// `uname -r` of the guest.
    pub release: String,
    /// The guest kernel's HZ.
    pub hz: u32,
    /// When each flow began to connect, ns after the network was up.
    pub started: BTreeMap<u32, u64>,
    /// When each flow ended, ns after the network was up.
    pub ended: BTreeMap<u32, u64>,
    /// Reasons why connections failed, broke, or did not finish within the trial's time.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub broken: BTreeMap<u32, String>,
    /// Every setting, with its requested value and the kernel's.
    pub readbacks: Vec<Readback>,
    /// `tc -json qdisc show` of each namespace after the set-up.
    pub qdiscs: BTreeMap<String, String>,
    /// `nft -json list counters` of each namespace that has rules, when all packets had arrived.
    pub counters: BTreeMap<String, String>,
    /// Results of the user's commands, in the order of their ends.
    pub ran: Vec<Ran>,
    /// Datagram counts of each UDP flow.
    pub datagrams: BTreeMap<u32, Datagrams>,
    /// Counters of every device when all packets had arrived.
    pub devices: Vec<Device>,
}

impl TrialFacts {
    /// Returns start and end of a flow, ns; 0 for a missing one.
    pub fn span(&self, flow: usize) -> [u64; 2] {
        let key = flow as u32;
        [&self.started, &self.ended].map(|times| times.get(&key).copied().unwrap_or(0))
    }

    /// Returns the packets that these nft counters of a namespace counted; `None` if the list of counters cannot be
    /// read.
    pub fn counted(&self, namespace: &str, names: &[String]) -> Option<u64> {
        if names.is_empty() {
            return Some(0);
        }
        let list: Value = serde_json::from_str(self.counters.get(namespace)?).ok()?;
        let counters = list["nftables"].as_array()?.iter().map(|entry| &entry["counter"]);
        let mine = counters.filter(|counter| names.iter().any(|name| counter["name"] == *name));
        Some(mine.filter_map(|counter| counter["packets"].as_u64()).sum())
    }
}

/// Datagram counts of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datagrams {
    /// Sent.
    pub sent: u64,
    /// Received.
    pub received: u64,
    /// Received by the flow's end.
    pub on_time: u64,
    /// Received after one that was sent later.
    pub reordered: u64,
}

/// Why a recording could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// The data are invalid.
    #[error("{path}: damaged recording: {}", plain::line(what), path = plain::path(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The error in it.
        what: String,
    },
    /// The guest sent something that is not in the protocol.
    #[error("cannot parse the guest's stream: {}", plain::line(.0))]
    Stream(String),
}

impl RecordingError {
    fn parquet(path: &Path, error: ParquetError) -> RecordingError {
        let path = path.to_path_buf();
        match error {
            ParquetError::External(source) => match source.downcast::<io::Error>() {
                Ok(error) => FileError { path, error: *error }.into(),
                Err(source) => RecordingError::Damaged { path, what: source.to_string() },
            },
            other => RecordingError::Damaged { path, what: other.to_string() },
        }
    }
}

/// Longest trial, ns: ten days.
const MAX_TRIAL_NS: u64 = 864_000_000_000_000;

/// Rows per write to a Parquet file.
const BATCH_ROWS: usize = 1 << 16;

/// Turns the guest's stream into the files of a trial's folder.
pub struct Recorder {
    folder: Folder,
    tables: BTreeMap<u32, Table>,
    reasons: BTreeMap<u32, String>,
    facts: TrialFacts,
    fetched: Fetched,
    /// Number of exchanges received of each flow.
    exchanged: BTreeMap<u32, u32>,
    /// Ends of flows whose samples lack columns: flow and end.
    partial: BTreeMap<[u32; 2], Fills>,
    ending: Option<Result<(), String>>,
    time: Option<u64>,
    /// Approximate memory for the guest's messages, bytes.
    kept: usize,
}

/// Most memory for the guest's messages, bytes: code in the guest could send them without end.
const MOST_KEPT: usize = 256 << 20;

/// Longest file of a trial's facts, bytes, with line ends and indents.
const LONGEST_FACTS: u64 = 2 * MOST_KEPT as u64;

/// Characters kept of a message whose content goes to a file.
const MAX_KEPT_CHARS: usize = 64;

impl Recorder {
    /// Records into a folder.
    pub fn new(folder: &Folder) -> Recorder {
        Recorder {
            folder: folder.clone(),
            tables: BTreeMap::new(),
            reasons: BTreeMap::new(),
            facts: TrialFacts::default(),
            fetched: Fetched::new(folder, vec![]),
            exchanged: BTreeMap::new(),
            partial: BTreeMap::new(),
            ending: None,
            time: None,
            kept: 0,
        }
    }

    /// Accepts files of these names from the guest.
    pub fn fetching(self, names: Vec<String>) -> Recorder {
        Recorder { fetched: Fetched::new(&self.folder, names), ..self }
    }

    /// Declares ends of flows whose samples have fewer columns than Linux's: flow and end.
    pub fn with_partial(self, partial: BTreeMap<[u32; 2], Fills>) -> Recorder {
        Recorder { partial, ..self }
    }

    /// Takes one frame. Returns the guest's virtual time so far, ns after the network was up; `None` before.
    pub fn take(&mut self, kind: u32, payload: &[u8]) -> Result<Option<u64>, RecordingError> {
        match kind {
            frame::HELLO => self.hello(payload)?,
            frame::REASON => self.reason(payload)?,
            frame::MESSAGE => self.message(payload)?,
            _ => self.row(kind, payload)?,
        }
        Ok(self.time)
    }

    fn hello(&mut self, payload: &[u8]) -> Result<(), RecordingError> {
        let [protocol, hz] = [0, 4].map(|at| u32_at(payload, at));
        if protocol != Some(wire::PROTOCOL) {
            return Err(RecordingError::Stream(format!(
                "the guest kernel speaks protocol {}, this goodput speaks {}; rebuild it: goodput kernel add",
                protocol.unwrap_or_default(),
                wire::PROTOCOL
            )));
        }
        self.facts.hz = hz.unwrap_or_default();
        self.facts.release = text(payload.get(8..).unwrap_or_default());
        Ok(())
    }

    fn reason(&mut self, payload: &[u8]) -> Result<(), RecordingError> {
        let code = u32_at(payload, 0).ok_or_else(|| RecordingError::Stream("a drop reason without a code".into()))?;
        self.keep(payload.len())?;
        self.reasons.insert(code, text(&payload[4..]));
        Ok(())
    }

    fn message(&mut self, payload: &[u8]) -> Result<(), RecordingError> {
        let message = serde_json::from_slice(payload)
            .map_err(|e| RecordingError::Stream(format!("a message of the agent's: {e}")))?;
        self.keep(match message {
            Message::File { .. } | Message::Exchanges { .. } => MAX_KEPT_CHARS,
            _ => payload.len(),
        })?;
        match message {
            Message::Hello { protocol } if protocol != wire::PROTOCOL => {
                let ours = wire::PROTOCOL;
                return Err(RecordingError::Stream(format!(
                    "the agent speaks protocol {protocol}, this goodput {ours}"
                )));
            }
            Message::Hello { .. } => {}
            Message::Readbacks(list) => self.facts.readbacks.extend(list),
            Message::Qdiscs { namespace, output } => drop(self.facts.qdiscs.insert(namespace, output)),
            Message::Started { flow, time } => {
                self.time = self.time.max(Some(time));
                self.facts.started.insert(flow, time);
            }
            Message::Ended { flow, time } => drop(self.facts.ended.insert(flow, time)),
            Message::Broken { flow, time, why } => {
                self.facts.ended.insert(flow, time);
                self.facts.broken.insert(flow, why);
            }
            Message::Devices(list) => self.facts.devices = list,
            Message::Counters { namespace, output } => drop(self.facts.counters.insert(namespace, output)),
            Message::File { file, bytes } => self.fetched.take(file, &bytes)?,
            Message::Ran(ran) => self.facts.ran.push(ran),
            Message::Datagrams { flow, sent, received, on_time, reordered } => {
                self.facts.datagrams.insert(flow, Datagrams { sent, received, on_time, reordered });
            }
            Message::Exchanges { flow, exchanges } => self.exchanges(flow, &exchanges)?,
            Message::Failed { what } => self.ending = Some(Err(what)),
            Message::Done => self.ending = Some(Ok(())),
        }
        Ok(())
    }

    fn keep(&mut self, bytes: usize) -> Result<(), RecordingError> {
        self.kept += bytes;
        match self.kept > MOST_KEPT {
            true => Err(RecordingError::Stream(format!("it tells more than {} MiB", MOST_KEPT >> 20))),
            false => Ok(()),
        }
    }

    /// Records exchanges. A flow may send them in several messages.
    fn exchanges(&mut self, flow: u32, exchanges: &[Exchange]) -> Result<(), RecordingError> {
        for exchange in exchanges {
            let number = self.exchanged.entry(flow).or_default();
            let mut record = [flow, *number].map(u32::to_le_bytes).concat();
            record.extend([exchange.start, exchange.end.unwrap_or(0)].map(u64::to_le_bytes).concat());
            *number += 1;
            self.row(frame::MESSAGE, &record)?;
        }
        Ok(())
    }

    fn row(&mut self, kind: u32, payload: &[u8]) -> Result<(), RecordingError> {
        let bbr = (kind == frame::BBR).then(|| bbr::row(payload)).transpose()?;
        let payload = bbr.as_deref().unwrap_or(payload);
        let table = match self.tables.entry(kind) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let (file, columns) = table::layout(kind, payload.len())
                    .ok_or_else(|| RecordingError::Stream(format!("a frame of unknown kind {kind}")))?;
                let partial = self.partial.values().filter_map(|fills| fills.columns(kind)).collect();
                entry.insert(Table::create(&self.folder, file, columns, partial)?)
            }
        };
        // Position of the flow and its end in a row. ACKs arrive at the sender.
        let [flow, end] = match kind {
            frame::ACK => [u32_at(payload, 24), Some(0)],
            _ => [u32_at(payload, 8), u32_at(payload, 12)],
        }
        .map(Option::unwrap_or_default);
        let present = self.partial.get(&[flow, end]).and_then(|fills| fills.columns(kind));
        let time = table.push(payload, present, &self.reasons)?;
        self.time = self.time.max(time);
        Ok(())
    }

    /// Closes the files. The inner `Err` is the agent's report of a failed trial; `None` means that the stream ended
    /// without a report.
    pub fn finish(self) -> Result<(TrialFacts, Option<Result<(), String>>), RecordingError> {
        for table in self.tables.into_values() {
            table.close(&self.reasons)?;
        }
        let json = serde_json::to_string_pretty(&self.facts).expect("facts are plain data");
        self.folder.write(TRIAL, json + "\n")?;
        Ok((self.facts, self.ending))
    }
}

/// Returns the exchanges of a recorded trial by flow, in order.
pub fn exchanges(folder: &Folder) -> Result<BTreeMap<usize, Vec<Exchange>>, RecordingError> {
    let [flows, starts, ends] = columns(folder, EXCHANGES, ["flow", "start", "end"])?;
    let mut all: BTreeMap<usize, Vec<Exchange>> = BTreeMap::new();
    for ((flow, start), end) in flows.into_iter().zip(starts).zip(ends) {
        all.entry(flow as usize).or_default().push(Exchange { start, end: Some(end).filter(|end| *end > 0) });
    }
    Ok(all)
}

/// Returns the SHA-256 of the recording's list of sums; `None` until the list is written.
pub fn fingerprint(folder: &Folder) -> Result<Option<[u8; 32]>, RecordingError> {
    Ok(sums::fingerprint(folder)?)
}

/// Returns the facts of a recorded trial.
pub fn facts(folder: &Folder) -> Result<TrialFacts, RecordingError> {
    let json = folder.read(TRIAL, LONGEST_FACTS)?;
    let damaged = |what: String| RecordingError::Damaged { path: folder.place(TRIAL), what };
    let facts: TrialFacts = serde_json::from_slice(&json).map_err(|error| damaged(error.to_string()))?;
    let times = facts.started.values().chain(facts.ended.values()).chain(facts.ran.iter().map(|ran| &ran.time));
    match times.max().filter(|time| **time > MAX_TRIAL_NS) {
        Some(time) => Err(damaged(format!("it has a time of {time} ns, accepted: up to {MAX_TRIAL_NS}"))),
        None => Ok(facts),
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end_matches('\0').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &tempfile::TempDir) -> Folder {
        Folder::open(folder.path()).unwrap()
    }

    fn recorded(messages: &[Message]) -> (tempfile::TempDir, TrialFacts) {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::new(&open(&folder));
        for message in messages {
            recorder.take(frame::MESSAGE, &serde_json::to_vec(message).unwrap()).unwrap();
        }
        let (facts, ending) = recorder.finish().unwrap();
        assert_eq!(ending, None);
        (folder, facts)
    }

    #[test]
    fn exchanges_are_numbered_by_flow_across_messages() {
        let told = |flow, all: &[(u64, Option<u64>)]| Message::Exchanges {
            flow,
            exchanges: all.iter().map(|&(start, end)| Exchange { start, end }).collect(),
        };
        let (folder, _) =
            recorded(&[told(3, &[(10, Some(15)), (20, None)]), told(1, &[(7, Some(9))]), told(3, &[(30, Some(31))])]);
        let [flow, number, start, end] =
            columns(&open(&folder), EXCHANGES, ["flow", "number", "start", "end"]).unwrap();
        assert_eq!(flow, [3, 3, 1, 3]);
        assert_eq!(number, [0, 1, 0, 2]);
        assert_eq!(start, [10, 20, 7, 30]);
        assert_eq!(end, [15, 0, 9, 31]);
    }

    #[test]
    fn a_table_without_rows_is_no_file() {
        let (folder, _) = recorded(&[Message::Exchanges { flow: 0, exchanges: vec![] }]);
        assert!(!folder.path().join(EXCHANGES).exists());
        assert_eq!(columns(&open(&folder), EXCHANGES, ["flow"]).unwrap(), [Vec::<u64>::new()]);
    }

    #[test]
    fn a_small_file_has_no_room_for_the_rows_of_a_large_one() {
        use arrow_array::{RecordBatch, UInt32Array};
        let folder = tempfile::tempdir().unwrap();
        let written = |rows: u64| {
            let batch = |rows: u64| {
                let flows = UInt32Array::from(vec![7; rows as usize]);
                RecordBatch::try_from_iter([("flow", std::sync::Arc::new(flows) as arrow_array::ArrayRef)]).unwrap()
            };
            let file = std::fs::File::create(folder.path().join(EXCHANGES)).unwrap();
            let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch(0).schema(), None).unwrap();
            writer.write(&batch(rows)).unwrap();
            writer.close().unwrap();
            (columns(&open(&folder), EXCHANGES, ["flow"]), folder.path().join(EXCHANGES).metadata().unwrap().len())
        };
        let (read, _) = written(1 << 20);
        assert_eq!(read.unwrap()[0].len(), 1 << 20);
        let (read, bytes) = written(8 << 20);
        let said = read.unwrap_err().to_string();
        assert!(said.ends_with("it has more rows than any recording of its size"), "{bytes} bytes: {said}");
    }

    /// A command is root in its guest, and can write whatever the agent can.
    #[test]
    fn a_guest_that_tells_without_an_end_does_not_fill_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        let mut recorder = Recorder::new(&open(&folder));
        let ran = |bytes: usize| Message::Ran(Ran { command: 0, time: 5, status: None, output: "x".repeat(bytes) });
        let long = serde_json::to_vec(&ran(frame::MAX - 1000)).unwrap();
        let reason = [&7u32.to_le_bytes()[..], &[b'x'; frame::MAX - 1000]].concat();
        let taken = (0..2 * MOST_KEPT / frame::MAX).map(|number| match number % 2 {
            0 => recorder.take(frame::MESSAGE, &long),
            _ => recorder.take(frame::REASON, &reason),
        });
        let refused = taken.filter_map(Result::err).next().unwrap().to_string();
        assert!(refused.ends_with("it tells more than 256 MiB"), "{refused}");
    }

    #[test]
    fn facts_come_back_as_they_were_told() {
        let output = r#"{"nftables": [{"metainfo": {}}, {"counter": {"name": "loss_0", "packets": 5, "bytes": 7}},
            {"counter": {"name": "loss_1", "packets": 9, "bytes": 7}}]}"#;
        let ran = Ran { command: 0, time: 5, status: Some(3), output: "no".into() };
        let (folder, told) = recorded(&[
            Message::Ran(ran.clone()),
            Message::Datagrams { flow: 2, sent: 9, received: 7, on_time: 6, reordered: 1 },
            Message::Counters { namespace: "wire".into(), output: output.into() },
        ]);
        let facts = facts(&open(&folder)).unwrap();
        assert_eq!(facts, told);
        assert_eq!(facts.ran, [ran]);
        assert_eq!(facts.datagrams[&2], Datagrams { sent: 9, received: 7, on_time: 6, reordered: 1 });
        assert_eq!(facts.counted("wire", &["loss_1".into()]), Some(9));
        assert_eq!(facts.counted("elsewhere", &["loss_1".into()]), None);
        assert_eq!(facts.counted("elsewhere", &[]), Some(0));
    }
}
