//! Reads the remarks that `goodput field collect` prints: which program the host lacks.

use super::draft::Draft;
use super::row::HostRow;

pub(super) fn read(rows: &[HostRow<'_>], _: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    usize::from(row.prompt && row.first() == "goodput:")
}
