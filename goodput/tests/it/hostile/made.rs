//! A finished run in a folder of its own, written without a guest.

use goodput::folder::Folder;
use goodput::recording::Recorder;
use goodput::{experiment, sums};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wire::{Column, Device, Kind, Message, frame};

/// Two points with three seeds each.
pub const EXPERIMENT: &str = r#"title = "Made by hand"

[path]
rate = "10 Mbit/s"
rtt = "20 ms"
buffer = "1 BDP"

[[flows]]
duration = "2 s"

[vary]
"flows.congestion" = ["cubic", "reno"]

[repeat]
seeds = 3
"#;

/// How many that makes.
pub const TRIALS: usize = 6;

const ENVIRONMENT: &str = r#"{"goodput": "", "kernels": [], "agent": "", "recorder": "", "tools": [], "host": []}"#;

/// What a command printed, and how it ended.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The folder, which goes with the value.
pub struct Made {
    folder: tempfile::TempDir,
}

impl Made {
    pub fn new() -> Made {
        Made::of(EXPERIMENT)
    }

    /// Of another experiment, whose flows are one of bulk data.
    pub fn of(text: &str) -> Made {
        Made::beginning(text, usize::MAX)
    }

    /// Of an experiment's first trials.
    pub fn beginning(text: &str, most: usize) -> Made {
        let made = Made { folder: tempfile::tempdir().unwrap() };
        fs::write(made.folder.path().join("made.toml"), text).unwrap();
        let mut plan = experiment::plan("made.toml", text, &[]).unwrap();
        plan.trials.truncate(most);
        fs::create_dir_all(made.path().join("trials")).unwrap();
        fs::write(made.path().join("plan.json"), serde_json::to_string_pretty(&plan).unwrap()).unwrap();
        fs::write(made.path().join("environment.json"), ENVIRONMENT).unwrap();
        for trial in &plan.trials {
            record(&made.trial(trial.index), trial.seed);
        }
        made
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    pub fn name(&self) -> String {
        self.path().display().to_string()
    }

    pub fn experiment(&self) -> String {
        self.folder.path().join("made.toml").display().to_string()
    }

    pub fn trial(&self, index: usize) -> PathBuf {
        self.path().join(format!("trials/{index:04}"))
    }

    /// What a command says of it. It neither sees the user's kernels nor asks anything, and is given ten seconds.
    pub fn goodput(&self, arguments: &[impl AsRef<str>]) -> Said {
        let output = Command::new("timeout")
            .args(["10", env!("CARGO_BIN_EXE_goodput")])
            .args(arguments.iter().map(AsRef::as_ref))
            .env("XDG_CACHE_HOME", self.folder.path().join("cache"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Said { code: output.status.code().unwrap_or(-1), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

/// A record of these columns in which those that are named have a value.
fn record_of(columns: &[Column], values: &[(&str, u64)]) -> Vec<u8> {
    let bytes = |column: &Column| {
        let value = values.iter().find(|(name, _)| *name == column.name).map_or(0, |(_, value)| *value);
        let width = if let Kind::Text(n) = column.kind { n } else { column.kind.width() };
        value.to_le_bytes()[..width].to_vec()
    };
    columns.iter().flat_map(bytes).collect()
}

/// Two seconds of a flow of 9 Mbit/s and a bit, as the guest would tell of it.
fn record(folder: &Path, seed: u64) {
    fs::create_dir(folder).unwrap();
    let folder = Folder::open(folder).unwrap();
    let mut recorder = Recorder::new(&folder);
    let info = [wire::SAMPLE, wire::TCP_INFO].concat();
    for tenth in 1..=20 {
        let (time, bytes) = (tenth * 100_000_000, tenth * (112_500 + seed));
        let sender = [("bytes_acked", bytes), ("snd_cwnd", 20), ("rtt", 21_000), ("snd_mss", 1448), ("pmtu", 1500)];
        let receiver = [("bytes_received", bytes), ("data_segs_in", bytes / 1448)];
        for (end, values) in [(0, &sender[..]), (1, &receiver[..])] {
            let head = [("time", time), ("flow", 0), ("end", end)];
            recorder.take(frame::SAMPLE, &record_of(&info, &[&head, values].concat())).unwrap();
        }
    }
    let device = Device {
        namespace: "made".into(),
        device: "eth0".into(),
        rx_packets: 1,
        rx_dropped: 0,
        tx_packets: 1,
        tx_dropped: 0,
    };
    for message in [
        Message::Started { flow: 0, time: 0 },
        Message::Ended { flow: 0, time: 2_000_000_000 },
        Message::Devices(vec![device]),
        Message::Done,
    ] {
        recorder.take(frame::MESSAGE, &serde_json::to_vec(&message).unwrap()).unwrap();
    }
    recorder.finish().unwrap();
    sums::write(&folder).unwrap();
}
