//! Reading: columns of a Parquet file.

use super::{BATCH, RecordingError};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;
use std::io;
use std::iter;
use std::path::Path;

/// Columns of a Parquet file, each as u64, in the order in which they were asked for. A file that does not exist has
/// no rows: nothing of its kind was recorded.
pub fn columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<[Vec<u64>; N], RecordingError> {
    let mut columns = [const { Vec::new() }; N];
    for batch in batches(path, &names, BATCH)? {
        let batch = batch?;
        for (column, name) in columns.iter_mut().zip(names) {
            let array = batch.column_by_name(name).ok_or_else(|| damaged(path, format!("no column {name}")))?;
            numbers(array, |_, value| column.push(value))
                .ok_or_else(|| damaged(path, format!("column {name} is not numeric")))?;
        }
    }
    Ok(columns)
}

/// A text column of a Parquet file; empty if the file does not exist.
pub fn texts(path: &Path, name: &str) -> Result<Vec<String>, RecordingError> {
    let mut column = vec![];
    for batch in batches(path, &[name], BATCH)? {
        let batch = batch?;
        let array = batch.column_by_name(name).and_then(|array| array.as_any().downcast_ref::<StringArray>());
        let array = array.ok_or_else(|| damaged(path, format!("column {name} is not text")))?;
        column.extend(array.iter().flatten().map(String::from));
    }
    Ok(column)
}

pub(super) fn damaged(path: &Path, what: impl Into<String>) -> RecordingError {
    RecordingError::Damaged { path: path.into(), what: what.into() }
}

type Batches<'p> = Box<dyn Iterator<Item = Result<RecordBatch, RecordingError>> + 'p>;

/// These columns of a file, so many rows at a time; none if it does not exist.
pub(super) fn batches<'p>(path: &'p Path, names: &[&str], rows: usize) -> Result<Batches<'p>, RecordingError> {
    let file = match File::open(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Box::new(iter::empty())),
        file => file.map_err(|e| RecordingError::io(path, e))?,
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| RecordingError::parquet(path, e))?;
    let mask = ProjectionMask::columns(builder.parquet_schema(), names.iter().copied());
    let reader = builder.with_projection(mask).with_batch_size(rows).build();
    let reader = reader.map_err(|e| RecordingError::parquet(path, e))?;
    Ok(Box::new(reader.map(move |batch| batch.map_err(|e| damaged(path, e.to_string())))))
}

/// Hands over the numbers of an array with their rows; `None` if it holds none.
pub(super) fn numbers(array: &ArrayRef, mut take: impl FnMut(usize, u64)) -> Option<()> {
    let any = array.as_any();
    if let Some(a) = any.downcast_ref::<UInt64Array>() {
        a.values().iter().enumerate().for_each(|(row, v)| take(row, *v));
    } else if let Some(a) = any.downcast_ref::<UInt32Array>() {
        a.values().iter().enumerate().for_each(|(row, v)| take(row, (*v).into()));
    } else if let Some(a) = any.downcast_ref::<UInt16Array>() {
        a.values().iter().enumerate().for_each(|(row, v)| take(row, (*v).into()));
    } else if let Some(a) = any.downcast_ref::<UInt8Array>() {
        a.values().iter().enumerate().for_each(|(row, v)| take(row, (*v).into()));
    } else {
        return None;
    }
    Some(())
}
