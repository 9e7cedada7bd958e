//! Runs the first trial of an experiment and reads its recording.

use goodput::analyze::{self, Series};
use goodput::engine::{Engine, TrialError, agent::Agent, uml::Uml};
use goodput::kernel;
use goodput::plan::{Plan, Scene};
use goodput::recording;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What a trial left.
pub struct Recorded {
    pub folder: TempDir,
    pub scene: Scene,
    pub series: Series,
}

pub fn goodput() -> PathBuf {
    env!("CARGO_BIN_EXE_goodput").into()
}

pub fn agent() -> Agent {
    Agent::read(goodput().with_file_name("goodput-agent")).expect("cargo build --release --workspace builds the agent")
}

pub fn kernel() -> kernel::Entry {
    kernel::find(None).expect("goodput kernel add builds a kernel")
}

pub fn plan(spec: &str) -> Plan {
    goodput::spec::plan("test.toml", spec, Default::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

pub fn try_record(spec: &str) -> Result<Recorded, TrialError> {
    let trial = plan(spec).trials.remove(0);
    let folder = tempfile::tempdir().expect("a folder for the recording");
    Uml::new(kernel(), agent()).record(&trial, folder.path())?;
    let series = analyze::series(&trial.scene, folder.path())?;
    Ok(Recorded { folder, scene: trial.scene, series })
}

pub fn record(spec: &str) -> Recorded {
    try_record(spec).unwrap_or_else(|error| panic!("{error}"))
}

impl Recorded {
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The last value of columns of the sender's samples of flow 0.
    pub fn last<const N: usize>(&self, names: [&str; N]) -> [u64; N] {
        let samples = self.path().join(recording::SAMPLES);
        let [flow, end] = recording::columns(&samples, ["flow", "end"]).expect("samples");
        let columns = recording::columns(&samples, names).expect("samples");
        let row = (0..flow.len()).rfind(|row| flow[*row] == 0 && end[*row] == 0).expect("a sample of the sender");
        columns.map(|column| column[row])
    }

    /// Packets that a host's device sent.
    pub fn sent_by(&self, host: &str) -> u64 {
        let device = self.series.facts.devices.iter().find(|d| d.namespace == host && d.device == "nic");
        device.expect("counters of the device").tx_packets
    }

    /// Bits per second of payload that reached the receiver between two times, ns.
    pub fn goodput(&self, from: u64, to: u64) -> f64 {
        let received = &self.series.flows[0].received;
        let at = |t| received[received.partition_point(|(time, _)| *time <= t) - 1];
        let ((t0, b0), (t1, b1)) = (at(from), at(to));
        (b1 - b0) as f64 * 8e9 / (t1 - t0) as f64
    }
}

/// Asserts that two numbers differ by no more than a share of the second.
#[track_caller]
pub fn close(got: f64, expected: f64, share: f64, what: &str) {
    let off = (got / expected - 1.0).abs();
    assert!(off <= share, "{what}: {got} is {:.2} % from {expected}, allowed {:.2} %", off * 100.0, share * 100.0);
}
