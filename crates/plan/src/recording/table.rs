//! Writes records into the columns of a Parquet file.

use super::{
    ACKS, BATCH_ROWS, BBR, DCTCP, DROPS, DUALPI2, ECN, EXCHANGES, FREEBSD, PROGRAMS, QUEUES, RecordingError, SAMPLES,
    SUBFLOWS, TUNNELS, VEGAS, WAITS, text,
};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use base::folder::Folder;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use wire::{Column, ColumnType, frame};

/// Returns file and columns of a kind of frame; messages contain exchanges. A kernel that fills less of TCP_INFO has
/// fewer columns.
pub(super) fn layout(kind: u32, length: usize) -> Option<(&'static str, Vec<Column>)> {
    let all = match kind {
        frame::SAMPLE => (SAMPLES, [wire::SAMPLE, wire::TCP_INFO].concat()),
        frame::PROGRAM => (PROGRAMS, wire::PROGRAM.to_vec()),
        frame::SUBFLOW => (SUBFLOWS, [wire::SUBFLOW, wire::TCP_INFO].concat()),
        frame::TUNNEL => (TUNNELS, [wire::TUNNEL, wire::TCP_INFO].concat()),
        frame::QUEUE => (QUEUES, wire::QUEUE.to_vec()),
        frame::ACK => (ACKS, wire::ACK.to_vec()),
        frame::DROP => (DROPS, wire::DROP.to_vec()),
        frame::BBR => (BBR, wire::BBR.to_vec()),
        frame::VEGAS => (VEGAS, wire::VEGAS.to_vec()),
        frame::DCTCP => (DCTCP, wire::DCTCP.to_vec()),
        frame::FREEBSD => (FREEBSD, wire::FREEBSD.to_vec()),
        frame::WAIT => (WAITS, wire::WAIT.to_vec()),
        frame::DUALPI2 => (DUALPI2, wire::DUALPI2.to_vec()),
        frame::ECN => (ECN, wire::ECN.to_vec()),
        frame::MESSAGE => (EXCHANGES, wire::EXCHANGE.to_vec()),
        _ => return None,
    };
    let mut end = 0;
    let filled = all.1.into_iter().take_while(|c| {
        // A bit-field column in the same byte as the next one is present too.
        let is_there = end + c.kind.width().max(1) <= length;
        end += c.kind.width();
        is_there
    });
    Some((all.0, filled.collect()))
}

/// Values of one column, not yet written.
enum Values {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    Text(Vec<String>),
}

impl Values {
    fn new(kind: ColumnType) -> Values {
        match kind {
            ColumnType::U8
            | ColumnType::Low4
            | ColumnType::High4
            | ColumnType::Bit
            | ColumnType::Low2
            | ColumnType::Next2 => Values::U8(vec![]),
            ColumnType::U16 => Values::U16(vec![]),
            ColumnType::U32 | ColumnType::Some32 => Values::U32(vec![]),
            ColumnType::U64 | ColumnType::Some64 => Values::U64(vec![]),
            ColumnType::Text(_) => Values::Text(vec![]),
        }
    }

    /// Returns the column, without the values of rows that lack it.
    fn take(&mut self, lacking: Option<&[bool]>, kind: ColumnType) -> ArrayRef {
        let kept = |row: usize| lacking.is_none_or(|lacking| !lacking[row]);
        match (kind, &mut *self) {
            (ColumnType::Some32, Values::U32(v)) => {
                let values = std::mem::take(v).into_iter();
                return Arc::new(values.map(|value| (value != u32::MAX).then_some(value)).collect::<UInt32Array>());
            }
            (ColumnType::Some64, Values::U64(v)) => {
                let values = std::mem::take(v).into_iter();
                return Arc::new(values.map(|value| (value != u64::MAX).then_some(value)).collect::<UInt64Array>());
            }
            _ => {}
        }
        macro_rules! column {
            ($values:expr, $array:ty) => {{
                let values = std::mem::take($values);
                match lacking {
                    None => Arc::new(<$array>::from(values)),
                    Some(_) => {
                        let rows = values.into_iter().enumerate();
                        Arc::new(rows.map(|(row, value)| kept(row).then_some(value)).collect::<$array>())
                    }
                }
            }};
        }
        match self {
            Values::U8(v) => column!(v, UInt8Array),
            Values::U16(v) => column!(v, UInt16Array),
            Values::U32(v) => column!(v, UInt32Array),
            Values::U64(v) => column!(v, UInt64Array),
            Values::Text(v) => column!(v, StringArray),
        }
    }
}

fn data_type(kind: ColumnType) -> DataType {
    match kind {
        ColumnType::U8
        | ColumnType::Low4
        | ColumnType::High4
        | ColumnType::Bit
        | ColumnType::Low2
        | ColumnType::Next2 => DataType::UInt8,
        ColumnType::U16 => DataType::UInt16,
        ColumnType::U32 | ColumnType::Some32 => DataType::UInt32,
        ColumnType::U64 | ColumnType::Some64 => DataType::UInt64,
        ColumnType::Text(_) => DataType::Utf8,
    }
}

fn is_optional(column: &Column) -> bool {
    matches!(column.kind, ColumnType::Some32 | ColumnType::Some64)
}

fn field(column: &Column) -> Field {
    let notes = [("unit", column.unit), ("meaning", column.meaning)];
    let notes = notes.into_iter().filter(|(_, text)| !text.is_empty());
    let notes: HashMap<String, String> = notes.map(|(key, text)| (key.into(), text.into())).collect();
    Field::new(column.name, data_type(column.kind), false).with_metadata(notes)
}

/// A Parquet file that is being written.
pub(super) struct Table {
    path: PathBuf,
    columns: Vec<(Column, usize, Values)>,
    /// Lists of columns that some rows are limited to. `listed` has the number of each row's list in this batch, from
    /// 1; 0 means all columns.
    partial: Vec<&'static [&'static str]>,
    listed: Vec<u8>,
    schema: Arc<Schema>,
    writer: ArrowWriter<File>,
    rows: usize,
    length: usize,
}

/// Additional column with the name of a drop's reason.
const REASON_NAME: &str = "reason_name";

impl Table {
    /// Creates a table in which some rows may have only the columns of one of these lists.
    pub(super) fn create(
        folder: &Folder,
        name: &str,
        columns: Vec<Column>,
        mut partial: Vec<&'static [&'static str]>,
    ) -> Result<Table, RecordingError> {
        partial.sort_unstable();
        partial.dedup();
        let mut at = 0;
        let mut placed = vec![];
        for column in columns {
            placed.push((column, at, Values::new(column.kind)));
            at += column.kind.width();
        }
        let may_lack = |column: &Column| partial.iter().any(|present| !present.contains(&column.name));
        let fields =
            placed.iter().map(|(column, ..)| field(column).with_nullable(may_lack(column) || is_optional(column)));
        let mut fields: Vec<Field> = fields.collect();
        if name == DROPS {
            fields.push(Field::new(REASON_NAME, DataType::Utf8, false));
        }
        let schema = Arc::new(Schema::new(fields));
        let (path, file) = (folder.place(name), folder.create(name)?);
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties))
            .map_err(|e| RecordingError::parquet(&path, e))?;
        Ok(Table { path, columns: placed, partial, listed: vec![], schema, writer, rows: 0, length: at })
    }

    /// Adds a record, which may have only the columns `present`. Returns its time if it has one.
    pub(super) fn push(
        &mut self,
        record: &[u8],
        present: Option<&'static [&'static str]>,
        reasons: &BTreeMap<u32, String>,
    ) -> Result<Option<u64>, RecordingError> {
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
                (ColumnType::U8, Values::U8(v)) => v.push(bytes[0]),
                (ColumnType::Low4, Values::U8(v)) => v.push(bytes[0] & 15),
                (ColumnType::High4, Values::U8(v)) => v.push(bytes[0] >> 4),
                (ColumnType::Bit, Values::U8(v)) => v.push(bytes[0] & 1),
                (ColumnType::Low2, Values::U8(v)) => v.push(bytes[0] & 3),
                (ColumnType::Next2, Values::U8(v)) => v.push(bytes[0] >> 2 & 3),
                (ColumnType::U16, Values::U16(v)) => v.push(u16::from_le_bytes([bytes[0], bytes[1]])),
                (ColumnType::U32 | ColumnType::Some32, Values::U32(v)) => {
                    v.push(u32::from_le_bytes(bytes[..4].try_into().expect("4 bytes")));
                }
                (ColumnType::U64 | ColumnType::Some64, Values::U64(v)) => {
                    v.push(u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")));
                }
                (ColumnType::Text(n), Values::Text(v)) => v.push(text(&bytes[..n])),
                _ => unreachable!("Values::new follows the kind"),
            }
        }
        if !self.partial.is_empty() {
            let place = self.partial.iter().position(|list| Some(*list) == present);
            self.listed.push(place.map_or(0, |place| place as u8 + 1));
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS {
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
        let listed = std::mem::take(&mut self.listed);
        let lacking = |column: &Column| -> Option<Vec<bool>> {
            let lacks = self.partial.iter().map(|list| !list.contains(&column.name));
            let lacks: Vec<bool> = std::iter::once(false).chain(lacks).collect();
            lacks.contains(&true).then(|| listed.iter().map(|list| lacks[usize::from(*list)]).collect())
        };
        let take =
            |(column, _, values): &mut (Column, usize, Values)| values.take(lacking(column).as_deref(), column.kind);
        let mut arrays: Vec<ArrayRef> = self.columns.iter_mut().map(take).collect();
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

    pub(super) fn close(mut self, reasons: &BTreeMap<u32, String>) -> Result<(), RecordingError> {
        self.write(reasons)?;
        self.writer.close().map(drop).map_err(|e| RecordingError::parquet(&self.path, e))
    }
}
