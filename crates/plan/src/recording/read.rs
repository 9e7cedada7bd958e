//! Reads columns of a Parquet file.

use super::{BATCH_ROWS, RecordingError};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array};
use base::folder::{FileError, Folder};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use std::cell::Cell;
use std::iter;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

/// Returns columns of a Parquet file as u64, in the requested order; missing values are 0. A file that does not exist
/// has no rows.
pub fn columns<const N: usize>(folder: &Folder, file: &str, names: [&str; N]) -> Result<[Vec<u64>; N], RecordingError> {
    let mut columns = [const { Vec::new() }; N];
    let path = &folder.place(file);
    for batch in batches(folder, file, &names, BATCH_ROWS)? {
        let batch = batch?;
        for (column, name) in columns.iter_mut().zip(names) {
            let array = batch.column_by_name(name).ok_or_else(|| damaged(path, format!("no column {name}")))?;
            let first = column.len();
            column.resize(first + array.len(), 0);
            numbers(array, |row, value| column[first + row] = value)
                .ok_or_else(|| damaged(path, format!("column {name} is not numeric")))?;
        }
    }
    Ok(columns)
}

/// Returns whether each row has a value in a column; empty if the file does not exist.
pub fn present(folder: &Folder, file: &str, name: &str) -> Result<Vec<bool>, RecordingError> {
    let mut rows = vec![];
    for batch in batches(folder, file, &[name], BATCH_ROWS)? {
        let batch = batch?;
        let array = batch.column_by_name(name);
        let array = array.ok_or_else(|| damaged(&folder.place(file), format!("no column {name}")))?;
        rows.extend((0..array.len()).map(|row| array.is_valid(row)));
    }
    Ok(rows)
}

/// True if a file has the column and at least one row.
pub fn has(folder: &Folder, file: &str, name: &str) -> Result<bool, RecordingError> {
    let first = batches(folder, file, &[name], 1)?.next().transpose()?;
    Ok(first.is_some_and(|batch| batch.column_by_name(name).is_some()))
}

/// Returns a text column of a Parquet file; empty if the file does not exist.
pub fn texts(folder: &Folder, file: &str, name: &str) -> Result<Vec<String>, RecordingError> {
    let mut column = vec![];
    for batch in batches(folder, file, &[name], BATCH_ROWS)? {
        let batch = batch?;
        let array = batch.column_by_name(name).and_then(|array| array.as_any().downcast_ref::<StringArray>());
        let array = array.ok_or_else(|| damaged(&folder.place(file), format!("column {name} is not text")))?;
        column.extend(array.iter().flatten().map(String::from));
    }
    Ok(column)
}

pub(super) fn damaged(path: &Path, what: impl Into<String>) -> RecordingError {
    RecordingError::Damaged { path: path.into(), what: what.into() }
}

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, RecordingError>>>;

/// Returns these columns of a file, `rows` at a time; none if it does not exist.
pub(super) fn batches(folder: &Folder, file: &str, names: &[&str], rows: usize) -> Result<Batches, RecordingError> {
    let path: PathBuf = folder.place(file);
    let file = match folder.file(file) {
        Err(error) if error.is_missing() => return Ok(Box::new(iter::empty())),
        file => file?,
    };
    let length = file.metadata().map_err(FileError::on(&path))?.len();
    let mut reader = caught(&path, || {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| RecordingError::parquet(&path, e))?;
        if !lies_within(builder.metadata(), length) {
            return Err(damaged(&path, "its columns do not lie in it"));
        }
        let mask = ProjectionMask::columns(builder.parquet_schema(), names.iter().copied());
        let reader = builder.with_projection(mask).with_batch_size(rows).build();
        reader.map_err(|e| RecordingError::parquet(&path, e))
    })?;
    let mut left = MAX_BASE_ROWS.saturating_add(length.saturating_mul(MAX_ROWS_PER_BYTE));
    let next = move || {
        let batch = caught(&path, || reader.next().transpose().map_err(|e| damaged(&path, e.to_string())));
        batch.transpose().map(|batch| {
            let batch = batch?;
            let rest = left.checked_sub(batch.num_rows() as u64);
            left = rest.ok_or_else(|| damaged(&path, "it has more rows than any recording of its size"))?;
            Ok(batch)
        })
    };
    Ok(Box::new(iter::from_fn(next)))
}

/// Most rows of a file: a base, and more per byte. Recorded rows take 9 bytes or more, but identical rows take none and
/// could fill the memory.
const MAX_BASE_ROWS: u64 = 1 << 20;
const MAX_ROWS_PER_BYTE: u64 = 4;

thread_local! {
    static IS_READING: Cell<bool> = const { Cell::new(false) };
}

/// Reads with parquet. It panics on some damaged files; the panic becomes an error and prints nothing.
fn caught<T>(path: &Path, read: impl FnOnce() -> Result<T, RecordingError>) -> Result<T, RecordingError> {
    static HOOK_SET: Once = Once::new();
    HOOK_SET.call_once(|| {
        let told = panic::take_hook();
        panic::set_hook(Box::new(move |what| {
            if !IS_READING.get() {
                told(what)
            }
        }));
    });
    IS_READING.set(true);
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    IS_READING.set(false);
    read.unwrap_or_else(|_| Err(damaged(path, "no Parquet file has such bytes")))
}

/// True if all columns lie within the file's length, which the reader assumes.
fn lies_within(metadata: &ParquetMetaData, length: u64) -> bool {
    let within = |column: &ColumnChunkMetaData| {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let [start, size] = [start, column.compressed_size()].map(u64::try_from);
        let end = start.ok().zip(size.ok()).and_then(|(start, size)| start.checked_add(size));
        end.is_some_and(|end| end <= length) && column.num_values() >= 0 && column.uncompressed_size() >= 0
    };
    metadata.row_groups().iter().all(|group| group.num_rows() >= 0 && group.columns().iter().all(within))
}

/// Passes the numbers of an array with their rows to `take`, except absent ones; `None` if it has no numbers.
pub(super) fn numbers(array: &ArrayRef, mut take: impl FnMut(usize, u64)) -> Option<()> {
    let any = array.as_any();
    if let Some(a) = any.downcast_ref::<UInt64Array>() {
        a.iter().enumerate().for_each(|(row, v)| v.into_iter().for_each(|v| take(row, v)));
    } else if let Some(a) = any.downcast_ref::<UInt32Array>() {
        a.iter().enumerate().for_each(|(row, v)| v.into_iter().for_each(|v| take(row, v.into())));
    } else if let Some(a) = any.downcast_ref::<UInt16Array>() {
        a.iter().enumerate().for_each(|(row, v)| v.into_iter().for_each(|v| take(row, v.into())));
    } else if let Some(a) = any.downcast_ref::<UInt8Array>() {
        a.iter().enumerate().for_each(|(row, v)| v.into_iter().for_each(|v| take(row, v.into())));
    } else {
        return None;
    }
    Some(())
}
