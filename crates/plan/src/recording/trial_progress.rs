//! Progress of a trial that is being recorded, in a small file next to the recording. The file is removed when the
//! recording is complete.

use base::folder::{Folder, MAX_TEXT_BYTES};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use wire::{Column, PROGRAM, SAMPLE, TCP_INFO, frame};

/// Name of the file in the folder of an unfinished trial.
pub const REACHED_FILE: &str = "reached.json";

/// Interval between two versions of the file.
const WRITE_INTERVAL: Duration = Duration::from_millis(200);

/// Progress of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reached {
    /// Virtual time, ns after the network was up.
    pub time: u64,
    /// Payload that the receivers of TCP flows and of programs have got, bytes.
    pub received: u64,
}

impl Reached {
    /// Reads the progress of the trial recorded in this folder; `None` until it is known.
    pub fn read(folder: &Folder) -> Option<Reached> {
        serde_json::from_slice(&folder.read(REACHED_FILE, MAX_TEXT_BYTES).ok()?).ok()
    }
}

/// Writes the progress of a trial.
pub struct Reporter {
    folder: Folder,
    /// Bytes received of each flow.
    received: BTreeMap<u32, u64>,
    written: Instant,
}

impl Reporter {
    /// Creates a reporter for the folder of an unfinished trial.
    pub fn new(folder: &Folder) -> Reporter {
        Reporter { folder: folder.clone(), received: BTreeMap::new(), written: Instant::now() }
    }

    /// Takes in a frame that arrived at this virtual time.
    pub fn saw(&mut self, kind: u32, payload: &[u8], time: Option<u64>) {
        let received = match kind {
            frame::SAMPLE => received(payload, &[SAMPLE, TCP_INFO].concat()),
            frame::PROGRAM => received(payload, PROGRAM),
            _ => None,
        };
        if let Some((flow, bytes)) = received {
            self.received.insert(flow, bytes);
        }
        if let Some(time) = time.filter(|_| self.written.elapsed() >= WRITE_INTERVAL) {
            self.written = Instant::now();
            let reached = Reached { time, received: self.received.values().sum() };
            // A failed write is no fault of the trial.
            let _ = self.folder.write(REACHED_FILE, serde_json::to_vec(&reached).unwrap_or_default());
        }
    }
}

/// Returns flow and received bytes of a receiver's sample with these columns.
fn received(sample: &[u8], columns: &[Column]) -> Option<(u32, u64)> {
    let at = |name: &str| -> usize {
        columns.iter().take_while(|column| column.name != name).map(|column| column.kind.width()).sum()
    };
    let u32_at = |place: usize| Some(u32::from_le_bytes(sample.get(place..place + 4)?.try_into().ok()?));
    let place = at("bytes_received");
    let bytes = u64::from_le_bytes(sample.get(place..place + 8)?.try_into().ok()?);
    (u32_at(at("end"))? == 1).then_some((u32_at(at("flow"))?, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receivers_tell_what_arrived() {
        let mut sample = vec![0; 400];
        sample[8] = 3;
        sample[160..168].copy_from_slice(&1_234_567u64.to_le_bytes());
        let columns = [SAMPLE, TCP_INFO].concat();
        assert_eq!(received(&sample, &columns), None, "a sender");
        sample[12] = 1;
        assert_eq!(received(&sample, &columns), Some((3, 1_234_567)));
        assert_eq!(received(&sample[..100], &columns), None);
        sample[24..32].copy_from_slice(&89u64.to_le_bytes());
        assert_eq!(received(&sample, PROGRAM), Some((3, 89)));
    }

    #[test]
    fn the_file_follows_the_trial() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        assert_eq!(Reached::read(&folder), None);
        let mut reporter = Reporter::new(&folder);
        reporter.written = Instant::now() - WRITE_INTERVAL;
        reporter.received.insert(0, 5);
        reporter.saw(frame::QUEUE, &[], Some(7));
        assert_eq!(Reached::read(&folder), Some(Reached { time: 7, received: 5 }));
    }
}
