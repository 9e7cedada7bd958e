//! A trial's recording: Parquet files with a column for each field of the kernel's records, and `trial.json`.
//!
//! The files are read by DuckDB, pandas and polars as they are. Unit and meaning of a column stand in its Arrow field
//! metadata under `unit` and `meaning`.

use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wire::{Column, Device, Kind, Message, Readback, frame};

/// File names in a trial's folder.
pub const SAMPLES: &str = "samples.parquet";
/// Samples of the queues.
pub const QUEUES: &str = "queues.parquet";
/// A row for each ACK, when traced.
pub const ACKS: &str = "acks.parquet";
/// A row for each dropped packet, when traced.
pub const DROPS: &str = "drops.parquet";
/// Everything of a trial that is not a time series.
pub const TRIAL: &str = "trial.json";

/// What a trial's folder holds beside the time series.
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
    /// Every setting, as asked for and as the kernel had it.
    pub readbacks: Vec<Readback>,
    /// `tc -json qdisc show` of each namespace after the set-up.
    pub qdiscs: BTreeMap<String, String>,
    /// Counters of every device when all packets had arrived.
    pub devices: Vec<Device>,
}

/// Why a recording could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file system refused.
    #[error("{path}: {error}{}", space_hint(.error))]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// The bytes are not what they should be.
    #[error("{path}: not a readable recording: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The guest sent something that is not in the protocol.
    #[error("the guest's stream is not understood: {0}")]
    Stream(String),
}

fn space_hint(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "\n\nhint: free some space and run the same command again: finished trials are kept"
        }
        _ => "",
    }
}

impl RecordingError {
    fn parquet(path: &Path, error: ParquetError) -> RecordingError {
        let path = path.to_path_buf();
        match error {
            ParquetError::External(source) => match source.downcast::<io::Error>() {
                Ok(error) => RecordingError::Io { path, error: *error },
                Err(source) => RecordingError::Damaged { path, what: source.to_string() },
            },
            other => RecordingError::Damaged { path, what: other.to_string() },
        }
    }

    fn io(path: &Path, error: io::Error) -> RecordingError {
        RecordingError::Io { path: path.to_path_buf(), error }
    }
}

/// Rows between two writes to a Parquet file.
const BATCH: usize = 1 << 16;

/// Turns the guest's stream into the files of a trial's folder.
pub struct Recorder {
    folder: PathBuf,
    tables: BTreeMap<u32, Table>,
    reasons: BTreeMap<u32, String>,
    facts: TrialFacts,
    ending: Option<Result<(), String>>,
    time: u64,
}

impl Recorder {
    /// Records into a folder that exists.
    pub fn new(folder: &Path) -> Recorder {
        Recorder {
            folder: folder.into(),
            tables: BTreeMap::new(),
            reasons: BTreeMap::new(),
            facts: TrialFacts::default(),
            ending: None,
            time: 0,
        }
    }

    /// Takes one frame in. Returns the guest's virtual time so far, ns after the network was up.
    pub fn take(&mut self, kind: u32, payload: &[u8]) -> Result<u64, RecordingError> {
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
                "the guest kernel speaks protocol {}, this goodput speaks {}; build it again: goodput kernel add",
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
        self.reasons.insert(code, text(&payload[4..]));
        Ok(())
    }

    fn message(&mut self, payload: &[u8]) -> Result<(), RecordingError> {
        let message = serde_json::from_slice(payload)
            .map_err(|e| RecordingError::Stream(format!("a message of the agent's: {e}")))?;
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
            Message::Started { flow, time } => drop(self.facts.started.insert(flow, time)),
            Message::Ended { flow, time } => drop(self.facts.ended.insert(flow, time)),
            Message::Devices(list) => self.facts.devices = list,
            Message::Failed { what } => self.ending = Some(Err(what)),
            Message::Done => self.ending = Some(Ok(())),
        }
        Ok(())
    }

    fn row(&mut self, kind: u32, payload: &[u8]) -> Result<(), RecordingError> {
        let table = match self.tables.entry(kind) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let (file, columns) = layout(kind, payload.len())
                    .ok_or_else(|| RecordingError::Stream(format!("a frame of unknown kind {kind}")))?;
                entry.insert(Table::create(self.folder.join(file), columns)?)
            }
        };
        if let Some(time) = table.push(payload, &self.reasons)? {
            self.time = self.time.max(time);
        }
        Ok(())
    }

    /// Closes the files. `Err` of the inner result is the agent's own account of a failed trial; `None` means that the
    /// stream ended without a word.
    pub fn finish(self) -> Result<(TrialFacts, Option<Result<(), String>>), RecordingError> {
        for table in self.tables.into_values() {
            table.close(&self.reasons)?;
        }
        let path = self.folder.join(TRIAL);
        let json = serde_json::to_string_pretty(&self.facts).expect("facts are plain data");
        std::fs::write(&path, json + "\n").map_err(|e| RecordingError::io(&path, e))?;
        Ok((self.facts, self.ending))
    }
}

/// File and columns of a kind of frame; a kernel that fills less of TCP_INFO has fewer columns.
fn layout(kind: u32, length: usize) -> Option<(&'static str, Vec<Column>)> {
    let all = match kind {
        frame::SAMPLE => (SAMPLES, [wire::SAMPLE, wire::TCP_INFO].concat()),
        frame::QUEUE => (QUEUES, wire::QUEUE.to_vec()),
        frame::ACK => (ACKS, wire::ACK.to_vec()),
        frame::DROP => (DROPS, wire::DROP.to_vec()),
        _ => return None,
    };
    let mut end = 0;
    let filled = all.1.into_iter().take_while(|c| {
        end += c.kind.width();
        end <= length
    });
    Some((all.0, filled.collect()))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end_matches('\0').to_string()
}

/// The values of one column, not yet written.
enum Values {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    Text(Vec<String>),
}

impl Values {
    fn new(kind: Kind) -> Values {
        match kind {
            Kind::U8 | Kind::Low4 | Kind::High4 | Kind::Bit => Values::U8(vec![]),
            Kind::U16 => Values::U16(vec![]),
            Kind::U32 => Values::U32(vec![]),
            Kind::U64 => Values::U64(vec![]),
            Kind::Text(_) => Values::Text(vec![]),
        }
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Values::U8(v) => Arc::new(UInt8Array::from(std::mem::take(v))),
            Values::U16(v) => Arc::new(UInt16Array::from(std::mem::take(v))),
            Values::U32(v) => Arc::new(UInt32Array::from(std::mem::take(v))),
            Values::U64(v) => Arc::new(UInt64Array::from(std::mem::take(v))),
            Values::Text(v) => Arc::new(StringArray::from(std::mem::take(v))),
        }
    }
}

fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::U8 | Kind::Low4 | Kind::High4 | Kind::Bit => DataType::UInt8,
        Kind::U16 => DataType::UInt16,
        Kind::U32 => DataType::UInt32,
        Kind::U64 => DataType::UInt64,
        Kind::Text(_) => DataType::Utf8,
    }
}

fn field(column: &Column) -> Field {
    let notes = [("unit", column.unit), ("meaning", column.meaning)];
    let notes = notes.into_iter().filter(|(_, text)| !text.is_empty());
    let notes: HashMap<String, String> = notes.map(|(key, text)| (key.into(), text.into())).collect();
    Field::new(column.name, data_type(column.kind), false).with_metadata(notes)
}

/// One Parquet file in the making.
struct Table {
    path: PathBuf,
    columns: Vec<(Column, usize, Values)>,
    schema: Arc<Schema>,
    writer: ArrowWriter<File>,
    rows: usize,
    length: usize,
}

/// A column beside the code of a drop's reason.
const REASON_NAME: &str = "reason_name";

impl Table {
    fn create(path: PathBuf, columns: Vec<Column>) -> Result<Table, RecordingError> {
        let mut at = 0;
        let mut placed = vec![];
        for column in columns {
            placed.push((column, at, Values::new(column.kind)));
            at += column.kind.width();
        }
        let mut fields: Vec<Field> = placed.iter().map(|(column, ..)| field(column)).collect();
        if path.ends_with(DROPS) {
            fields.push(Field::new(REASON_NAME, DataType::Utf8, false));
        }
        let schema = Arc::new(Schema::new(fields));
        let file = File::create(&path).map_err(|e| RecordingError::io(&path, e))?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties))
            .map_err(|e| RecordingError::parquet(&path, e))?;
        Ok(Table { path, columns: placed, schema, writer, rows: 0, length: at })
    }

    /// Takes a record in; returns its time if it has one.
    fn push(&mut self, record: &[u8], reasons: &BTreeMap<u32, String>) -> Result<Option<u64>, RecordingError> {
        if record.len() < self.length {
            return Err(RecordingError::Stream(format!(
                "a record of {} bytes, {} expected",
                record.len(),
                self.length
            )));
        }
        for (column, at, values) in &mut self.columns {
            let bytes = &record[*at..];
            match (column.kind, values) {
                (Kind::U8, Values::U8(v)) => v.push(bytes[0]),
                (Kind::Low4, Values::U8(v)) => v.push(bytes[0] & 15),
                (Kind::High4, Values::U8(v)) => v.push(bytes[0] >> 4),
                (Kind::Bit, Values::U8(v)) => v.push(bytes[0] & 1),
                (Kind::U16, Values::U16(v)) => v.push(u16::from_le_bytes([bytes[0], bytes[1]])),
                (Kind::U32, Values::U32(v)) => v.push(u32::from_le_bytes(bytes[..4].try_into().expect("4 bytes"))),
                (Kind::U64, Values::U64(v)) => v.push(u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes"))),
                (Kind::Text(n), Values::Text(v)) => v.push(text(&bytes[..n])),
                _ => unreachable!("Values::new follows the kind"),
            }
        }
        self.rows += 1;
        if self.rows == BATCH {
            self.write(reasons)?;
        }
        let timed = self.columns.first().is_some_and(|(c, ..)| c.name == "time");
        Ok(timed.then(|| u64::from_le_bytes(record[..8].try_into().expect("8 bytes"))))
    }

    fn write(&mut self, reasons: &BTreeMap<u32, String>) -> Result<(), RecordingError> {
        let codes = self.columns.iter().find_map(|(c, _, values)| match values {
            Values::U32(codes) if c.name == "reason" => Some(codes.clone()),
            _ => None,
        });
        let mut arrays: Vec<ArrayRef> = self.columns.iter_mut().map(|(.., values)| values.take()).collect();
        if let Some(codes) = codes {
            let name = |code: &u32| reasons.get(code).cloned().unwrap_or_else(|| format!("reason {code}"));
            arrays.push(Arc::new(StringArray::from_iter_values(codes.iter().map(name))));
        }
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(|e| self.damaged(e))?;
        self.rows = 0;
        self.writer.write(&batch).map_err(|e| RecordingError::parquet(&self.path, e))
    }

    fn damaged(&self, error: ArrowError) -> RecordingError {
        RecordingError::Damaged { path: self.path.clone(), what: error.to_string() }
    }

    fn close(mut self, reasons: &BTreeMap<u32, String>) -> Result<(), RecordingError> {
        self.write(reasons)?;
        self.writer.close().map(drop).map_err(|e| RecordingError::parquet(&self.path, e))
    }
}

/// The facts of a recorded trial.
pub fn facts(folder: &Path) -> Result<TrialFacts, RecordingError> {
    let path = folder.join(TRIAL);
    let json = std::fs::read(&path).map_err(|e| RecordingError::io(&path, e))?;
    serde_json::from_slice(&json).map_err(|e| RecordingError::Damaged { path, what: e.to_string() })
}

/// Columns of a Parquet file, each as u64, in the order in which they were asked for. A file that does not exist has
/// no rows: nothing of its kind was recorded.
pub fn columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<[Vec<u64>; N], RecordingError> {
    let mut columns = [const { Vec::new() }; N];
    for batch in batches(path, &names)? {
        for (column, name) in columns.iter_mut().zip(names) {
            let array = batch.column_by_name(name).ok_or_else(|| damaged(path, format!("no column {name}")))?;
            extend(column, array).ok_or_else(|| damaged(path, format!("column {name} holds no numbers")))?;
        }
    }
    Ok(columns)
}

/// A text column of a Parquet file; empty if the file does not exist.
pub fn texts(path: &Path, name: &str) -> Result<Vec<String>, RecordingError> {
    let mut column = vec![];
    for batch in batches(path, &[name])? {
        let array = batch.column_by_name(name).and_then(|array| array.as_any().downcast_ref::<StringArray>());
        let array = array.ok_or_else(|| damaged(path, format!("column {name} holds no text")))?;
        column.extend(array.iter().flatten().map(String::from));
    }
    Ok(column)
}

fn damaged(path: &Path, what: String) -> RecordingError {
    RecordingError::Damaged { path: path.into(), what }
}

fn batches(path: &Path, names: &[&str]) -> Result<Vec<RecordBatch>, RecordingError> {
    let file = match File::open(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(vec![]),
        file => file.map_err(|e| RecordingError::io(path, e))?,
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| RecordingError::parquet(path, e))?;
    let mask = ProjectionMask::columns(builder.parquet_schema(), names.iter().copied());
    let reader =
        builder.with_projection(mask).with_batch_size(BATCH).build().map_err(|e| RecordingError::parquet(path, e))?;
    reader.collect::<Result<_, _>>().map_err(|e| damaged(path, e.to_string()))
}

fn extend(column: &mut Vec<u64>, array: &ArrayRef) -> Option<()> {
    let any = array.as_any();
    if let Some(a) = any.downcast_ref::<UInt64Array>() {
        column.extend(a.values());
    } else if let Some(a) = any.downcast_ref::<UInt32Array>() {
        column.extend(a.values().iter().map(|v| u64::from(*v)));
    } else if let Some(a) = any.downcast_ref::<UInt16Array>() {
        column.extend(a.values().iter().map(|v| u64::from(*v)));
    } else if let Some(a) = any.downcast_ref::<UInt8Array>() {
        column.extend(a.values().iter().map(|v| u64::from(*v)));
    } else {
        return None;
    }
    Some(())
}
