//! A node's capture with a comment on each dropped packet: when, where and why the kernel dropped it.

use base::folder::{FileError, Folder};
use evidence::capture::{self, Annotated, CaptureError, Remark};
use evidence::plain;
use plan::network;
use plan::recording::{self, DROPS, RecordingError};
use plan::{Scene, Trial, captured};
use std::path::PathBuf;
use wire::MOST_FETCHED;

/// A capture as it is exported.
#[derive(Debug)]
pub struct CaptureExport {
    /// The pcapng file.
    pub bytes: Vec<u8>,
    /// Dropped packets that it has, each with a comment.
    pub commented: usize,
    /// Dropped packets in the recording; `None` if the run did not record drops.
    pub drops: Option<usize>,
}

/// Why a capture cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum CaptureExportError {
    #[error(
        "trial {index} has no capture\n\nhint: write capture = true under a host, switch or router, and run it again"
    )]
    None { index: usize },
    #[error("trial {index} has no capture of \"{node}\"\n\naccepted: {}", accepted.join(", "))]
    NoNode { index: usize, node: String, accepted: Vec<String> },
    #[error("{} {error}", plain::path(path))]
    Capture { path: PathBuf, error: CaptureError },
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// IP protocol of TCP.
const TCP: u64 = 6;

/// Returns the capture of a node, or else of the first node that has one.
pub fn commented_capture(
    trial: &Trial,
    folder: &Folder,
    node: Option<&str>,
) -> Result<CaptureExport, CaptureExportError> {
    let (index, scene) = (trial.index, &trial.scene);
    let first = scene.capture.first().ok_or(CaptureExportError::None { index })?;
    let node = node.unwrap_or(first);
    if !scene.capture.iter().any(|known| known == node) {
        return Err(CaptureExportError::NoNode { index, node: node.into(), accepted: scene.capture.to_vec() });
    }
    let name = captured(node);
    let bytes = folder.read(&name, MOST_FETCHED)?;
    let remarks = if scene.record.drops { remarks(scene, folder)? } else { vec![] };
    let damaged = |error| CaptureExportError::Capture { path: folder.place(&name), error };
    let Annotated { bytes, commented } = capture::annotate(&bytes, &remarks).map_err(damaged)?;
    Ok(CaptureExport { bytes, commented, drops: scene.record.drops.then_some(remarks.len()) })
}

fn remarks(scene: &Scene, folder: &Folder) -> Result<Vec<Remark>, RecordingError> {
    let names = ["time", "seq", "payload", "source_port", "destination_port", "protocol"];
    let [times, seqs, payloads, sources, destinations, protocols] = recording::columns(folder, DROPS, names)?;
    let devices = recording::texts(folder, DROPS, "device")?;
    let reasons = recording::texts(folder, DROPS, "reason_name")?;
    let remark = |row: usize| Remark {
        time: times[row],
        ports: [sources[row], destinations[row]].map(|port| port as u16),
        seq: seqs[row] as u32,
        payload: payloads[row] as u32,
        text: said(scene, times[row], devices.get(row), reasons.get(row)),
    };
    Ok((0..times.len()).filter(|row| protocols[*row] == TCP).map(remark).collect())
}

fn said(scene: &Scene, time: u64, device: Option<&String>, reason: Option<&String>) -> String {
    let device = device.map_or("", |device| device);
    let place = match network::sampled_at(scene, device) {
        Some((number, step)) => {
            let [from, to] = [step.lane, 1 - step.lane].map(|end| &scene.links[step.link].ends[end].node);
            format!("queue {number}, {from} to {to}, device {device}")
        }
        None => format!("device {device}"),
    };
    let reason = reason.map_or("unknown reason", |reason| reason);
    format!("dropped at {}.{:09} s, {place}: {reason}", time / 1_000_000_000, time % 1_000_000_000)
}
