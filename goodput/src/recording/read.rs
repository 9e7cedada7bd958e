//! Reading: columns of a Parquet file.

use super::{BATCH, RecordingError};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;
use std::io;
use std::path::Path;

/// Columns of a Parquet file, each as u64, in the order in which they were asked for. A file that does not exist has
/// no rows: nothing of its kind was recorded.
pub fn columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<[Vec<u64>; N], RecordingError> {
    let mut columns = [const { Vec::new() }; N];
    for batch in batches(path, &names)? {
        for (column, name) in columns.iter_mut().zip(names) {
            let array = batch.column_by_name(name).ok_or_else(|| damaged(path, format!("no column {name}")))?;
            extend(column, array).ok_or_else(|| damaged(path, format!("column {name} is not numeric")))?;
        }
    }
    Ok(columns)
}

/// As [`columns`], of columns that not every kernel fills: `None` of one that the file does not have.
pub fn columns_if_any<const N: usize>(path: &Path, names: [&str; N]) -> Result<[Option<Vec<u64>>; N], RecordingError> {
    let mut columns = names.map(|_| None);
    for batch in batches(path, &names)? {
        for (column, name) in columns.iter_mut().zip(names) {
            let Some(array) = batch.column_by_name(name) else { continue };
            let wrong = || damaged(path, format!("column {name} is not numeric"));
            extend(column.get_or_insert_default(), array).ok_or_else(wrong)?;
        }
    }
    Ok(columns)
}

/// A text column of a Parquet file; empty if the file does not exist.
pub fn texts(path: &Path, name: &str) -> Result<Vec<String>, RecordingError> {
    let mut column = vec![];
    for batch in batches(path, &[name])? {
        let array = batch.column_by_name(name).and_then(|array| array.as_any().downcast_ref::<StringArray>());
        let array = array.ok_or_else(|| damaged(path, format!("column {name} is not text")))?;
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
