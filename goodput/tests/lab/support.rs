//! Runs the first trial of an experiment and reads its recording.

use crate::skip::skip;
use analysis::{QueueSeries, Series};
use base::folder::Folder;
use lab::engine::{Engine, TrialError, agent::Agent, uml::Uml};
use lab::kernel;
use plan::network::topology::Step;
use plan::network::{self, Probe, What};
use plan::recording;
use plan::{Plan, Scene};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A recorded trial.
pub struct Recorded {
    pub folder: TempDir,
    pub scene: Scene,
    pub series: Series,
}

pub fn goodput() -> PathBuf {
    env!("CARGO_BIN_EXE_goodput").into()
}

pub fn agent() -> Agent {
    Agent::read(goodput().with_file_name("goodput-agent")).expect("cargo build --workspace builds the agent")
}

/// The newest kernel, or the one that GOODPUT_TEST_KERNEL names.
pub fn kernel() -> kernel::Entry {
    let name = std::env::var("GOODPUT_TEST_KERNEL").ok();
    kernel::find(name.as_deref()).unwrap_or_else(|error| panic!("{error}"))
}

/// A kernel that `make kernels-all` builds. Without it the test is left out with a note, unless `make test-all` runs
/// it.
pub fn extra_kernel(name: &str) -> Option<kernel::Entry> {
    let found = kernel::find_current(Some(name));
    if found.is_none() && name == WITH_BBR3 {
        skip(&format!("no kernel {name}: docs/how-to/bbr3.md says how to build it from a patch of your own"));
    } else if found.is_none() {
        let all = std::env::var_os("GOODPUT_TEST_KERNELS").is_some_and(|which| which == "all");
        assert!(!all, "no kernel {name} of this goodput\n\nhint: make kernels-all builds it");
        skip(&format!("no kernel {name}: make kernels-all builds it"));
    }
    found
}

/// A kernel with BBRv3, which no source that `make kernels-all` knows has.
pub const WITH_BBR3: &str = "bbr3";

pub fn plan(spec: &str) -> Plan {
    experiment::plan("test.toml", spec, &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

pub fn try_record(spec: &str) -> Result<Recorded, TrialError> {
    try_record_on(spec, kernel())
}

pub fn try_record_on(spec: &str, kernel: kernel::Entry) -> Result<Recorded, TrialError> {
    let trial = plan(spec).trials.remove(0);
    let folder = tempfile::tempdir().expect("a folder for the recording");
    Uml::new(vec![(trial.kernel.clone(), kernel)], agent())
        .with_program(env!("CARGO_BIN_EXE_goodput"))
        .record(&trial, &opened(&folder))?;
    let series = analysis::series(&trial.scene, &opened(&folder))?;
    Ok(Recorded { folder, scene: trial.scene, series })
}

pub fn opened(folder: &tempfile::TempDir) -> Folder {
    Folder::open(folder.path()).expect("a folder is opened")
}

pub fn record(spec: &str) -> Recorded {
    try_record(spec).unwrap_or_else(|error| panic!("{error}"))
}

impl Recorded {
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Columns of a file of the recording.
    pub fn columns<const N: usize>(&self, file: &str, names: [&str; N]) -> [Vec<u64>; N] {
        recording::columns(&opened(&self.folder), file, names).expect("columns")
    }

    /// A column of text.
    pub fn texts(&self, file: &str, name: &str) -> Vec<String> {
        recording::texts(&opened(&self.folder), file, name).expect("a column")
    }

    /// The last value of columns of the sender's samples of flow 0.
    pub fn last<const N: usize>(&self, names: [&str; N]) -> [u64; N] {
        self.last_of(0, 0, names)
    }

    /// The last value of columns of the samples of one end (0 sends) of a flow.
    pub fn last_of<const N: usize>(&self, number: u64, which: u64, names: [&str; N]) -> [u64; N] {
        let [flow, end] = self.columns(recording::SAMPLES, ["flow", "end"]);
        let columns = self.columns(recording::SAMPLES, names);
        let row =
            (0..flow.len()).rfind(|row| flow[*row] == number && end[*row] == which).expect("a sample of that end");
        columns.map(|column| column[row])
    }

    /// The counters of a device.
    pub fn device(&self, namespace: &str, device: &str) -> &wire::Device {
        let mut devices = self.series.facts.devices.iter();
        devices.find(|d| d.namespace == namespace && d.device == device).expect("counters of the device")
    }

    /// Packets that a host's device sent.
    pub fn sent_by(&self, host: &str) -> u64 {
        self.device(host, "nic").tx_packets
    }

    /// The samples of the queue of a direction of a link.
    pub fn queue(&self, link: usize, lane: usize) -> &QueueSeries {
        self.probe(link, lane, What::Queue)
    }

    /// Samples of one direction of a link.
    pub fn probe(&self, link: usize, lane: usize, what: What) -> &QueueSeries {
        let wanted = Probe { step: Step { link, lane }, what };
        let number = network::probes(&self.scene).iter().position(|probe| *probe == wanted).expect("it is sampled");
        &self.series.queues[number]
    }

    /// Start and end of each exchange of a flow, ns; the end is 0 where there was no answer.
    pub fn exchanges(&self, number: u64) -> Vec<(u64, u64)> {
        let [flow, start, end] = self.columns(recording::EXCHANGES, ["flow", "start", "end"]);
        let rows = flow.iter().zip(start.into_iter().zip(end));
        rows.filter(|(flow, _)| **flow == number).map(|(_, times)| times).collect()
    }

    /// Bits per second of payload that reached the receiver between two times, ns.
    pub fn goodput(&self, from: u64, to: u64) -> f64 {
        self.goodput_of(0, from, to)
    }

    /// [`Recorded::goodput`] of any flow.
    pub fn goodput_of(&self, flow: usize, from: u64, to: u64) -> f64 {
        let received = &self.series.flows[flow].received;
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

/// Every file below a folder: its path relative to it, and its bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = vec![];
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap().map(Result::unwrap) {
            match entry.path() {
                path if path.is_dir() => open.push(path),
                path => all.push((path.strip_prefix(folder).unwrap().display().to_string(), fs::read(&path).unwrap())),
            }
        }
    }
    all.sort();
    all
}

/// Asserts that two folders contain the same files.
#[track_caller]
pub fn assert_identical(a: &Path, b: &Path) {
    let (a, b) = (files(a), files(b));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&a), names(&b));
    for ((name, left), (_, right)) in a.iter().zip(&b) {
        assert!(left == right, "{name} differs");
    }
}

/// A function of bash that runs a command under Docker's default rule for personality(2): only to ask, and the personalities
/// 0, 8, 0x20000 and 0x20008 (moby, profiles/seccomp/default.json). Addresses then stay random.
pub const CONTAINED: &str = r#"contained() { perl -e '
    my @filter = ([0x20, 0, 0, 0], [0x15, 0, 7, 135], [0x20, 0, 0, 16], [0x15, 5, 0, 0], [0x15, 4, 0, 8],
        [0x15, 3, 0, 0x20000], [0x15, 2, 0, 0x20008], [0x15, 1, 0, 0xffffffff], [6, 0, 0, 0x50001], [6, 0, 0, 0x7fff0000]);
    my $lines = join "", map { pack "SCCL", @$_ } @filter;
    syscall(157, 38, 1, 0, 0, 0) == 0 and syscall(317, 1, 0, pack "S x6 P", scalar @filter, $lines) == 0 or die "seccomp: $!";
    exec @ARGV' "$@"; }
"#;
