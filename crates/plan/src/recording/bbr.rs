//! The kernel's description of its BBR, stored in the columns of [`wire::BBR`].
//!
//! `struct tcp_bbr_info` of include/uapi/linux/inet_diag.h has 20 bytes in Linux. BBRv2 and v3 fill 52, and include
//! their version:
//!
//! ```text
//! at   bytes
//!  0   8   bw             20   8   bw_hi              38   1   unused
//!  8   4   min_rtt        28   8   bw_lo              39   1   version
//! 12   4   pacing_gain    36   1   mode               40   4   inflight_lo
//! 16   4   cwnd_gain      37   1   phase              44   4   inflight_hi
//!                                                     48   4   extra_acked
//! ```

use super::RecordingError;

/// Time and flow, before the kernel's bytes.
const HEAD_BYTES: usize = 12;
/// `struct tcp_bbr_info` of Linux, bytes.
const V1_BYTES: usize = 20;
/// The struct of BBRv2 and v3, bytes.
const V3_BYTES: usize = 52;
/// Offset of the version, bytes.
const VERSION_OFFSET: usize = 39;

/// Converts a frame to a row of `bbr.parquet`; an unknown layout is an error.
pub(super) fn row(payload: &[u8]) -> Result<Vec<u8>, RecordingError> {
    let info = payload.get(HEAD_BYTES..).unwrap_or_default();
    let more = info.get(V1_BYTES..).unwrap_or_default();
    let told = info.get(VERSION_OFFSET).copied().unwrap_or_default();
    let version = match info.len() {
        V1_BYTES => 1,
        // BBRv1 as a module of a kernel with v3: Linux's code leaves the rest of the longer struct at 0.
        V3_BYTES if more.iter().all(|byte| *byte == 0) => 1,
        V3_BYTES if matches!(told, 2 | 3) => u32::from(told),
        length => {
            return Err(RecordingError::Stream(format!(
                "this kernel's BBR describes itself in {length} bytes as version {told}, which goodput cannot read; it reads BBRv1 in \
                 {V1_BYTES} bytes, v2 and v3 in {V3_BYTES} (struct tcp_bbr_info): use another congestion control, or a kernel with one of these"
            )));
        }
    };
    let mut row = payload[..HEAD_BYTES + V1_BYTES].to_vec();
    row.extend(version.to_le_bytes());
    if version == 1 {
        // Absent values of mode, phase, bw_hi, bw_lo, inflight_lo, inflight_hi, extra_acked.
        row.extend([u8::MAX; 4 + 4 + 8 + 8 + 4 + 4 + 4]);
        return Ok(row);
    }
    row.extend([36, 37].map(|at| u32::from(info[at]).to_le_bytes()).concat());
    row.extend(&info[V1_BYTES..36]);
    row.extend(&info[40..V3_BYTES]);
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{BBR, Recorder, columns};
    use base::folder::Folder;
    use wire::frame;

    /// Returns time 5, flow 2, and a struct with these bytes from `bw` on.
    fn payload(info: &[u8]) -> Vec<u8> {
        [&5u64.to_le_bytes()[..], &2u32.to_le_bytes(), info].concat()
    }

    fn v1() -> Vec<u8> {
        [&1_250_000u64.to_le_bytes()[..], &[40_000u32, 739, 512].map(u32::to_le_bytes).concat()].concat()
    }

    fn v3(version: u8) -> Vec<u8> {
        let bw = [2_500_000, u64::MAX].map(u64::to_le_bytes).concat();
        let inflight = [u32::MAX, 77, 9].map(u32::to_le_bytes).concat();
        [v1(), bw, vec![2, 6, 0, version], inflight].concat()
    }

    fn recorded(all: &[Vec<u8>]) -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let mut recorder = Recorder::new(&folder);
        for info in all {
            recorder.take(frame::BBR, &payload(info)).unwrap();
        }
        recorder.finish().unwrap();
        (place, folder)
    }

    #[test]
    fn a_kernel_with_both_versions_has_a_row_of_each() {
        let (_place, folder) = recorded(&[v1(), v3(3), v3(2)]);
        let read = |name| columns(&folder, BBR, [name]).unwrap()[0].clone();
        assert_eq!(read("bw"), [1_250_000; 3]);
        assert_eq!(read("version"), [1, 3, 2]);
        assert_eq!(read("phase")[1..], [6, 6]);
        assert_eq!(read("mode")[1..], [2, 2]);
        assert_eq!(read("bw_hi")[1..], [2_500_000; 2]);
        assert_eq!(read("inflight_hi")[1..], [77; 2]);
        assert_eq!(read("extra_acked")[1..], [9; 2]);
    }

    #[test]
    fn a_bound_that_is_not_set_is_absent_and_so_is_what_v1_lacks() {
        let (place, _) = recorded(&[v1(), v3(3)]);
        let file = std::fs::File::open(place.path().join(BBR)).unwrap();
        let batch =
            parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(file, 9).unwrap().next().unwrap().unwrap();
        let absent = |name: &str| {
            let column = arrow_array::RecordBatch::column_by_name(&batch, name).unwrap();
            [0, 1].map(|row| arrow_array::Array::is_null(column, row))
        };
        assert_eq!(absent("min_rtt"), [false, false]);
        for name in ["mode", "phase", "bw_hi", "inflight_hi", "extra_acked"] {
            assert_eq!(absent(name), [true, false], "{name}");
        }
        for name in ["bw_lo", "inflight_lo"] {
            assert_eq!(absent(name), [true, true], "{name}");
        }
    }

    #[test]
    fn v1_as_a_module_of_a_kernel_that_has_v3_is_v1() {
        let (_place, folder) = recorded(&[[v1(), vec![0; 32]].concat()]);
        assert_eq!(columns(&folder, BBR, ["version"]).unwrap()[0], [1]);
    }

    #[test]
    fn another_layout_is_refused_by_name() {
        let longer = [v3(3), vec![0; 4]].concat();
        for (info, told) in [(v3(4), "52 bytes as version 4"), (longer, "56 bytes as version 3"), (vec![], "0 bytes")] {
            let said = row(&payload(&info)).unwrap_err().to_string();
            assert!(said.contains(told) && said.contains("v2 and v3 in 52"), "{said}");
        }
        assert!(row(b"").is_err());
    }
}
