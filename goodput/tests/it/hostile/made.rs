//! A finished run in a folder of its own, written without a guest.

use super::recorded::{ENVIRONMENT, record};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// Output and exit code of a command.
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

    /// A run of another experiment, whose flows are one of bulk data.
    pub fn of(text: &str) -> Made {
        Made::beginning(text, usize::MAX)
    }

    /// A run with an experiment's first `most` trials.
    pub fn beginning(text: &str, most: usize) -> Made {
        let made = Made { folder: tempfile::tempdir().unwrap() };
        fs::write(made.folder.path().join("made.toml"), text).unwrap();
        let example = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/made.toml"));
        let traces = lab::run::traces(example, &experiment::traces_named("made.toml", text), lab::run::Files::Beside);
        let mut plan = experiment::plan_with_traces("made.toml", text, &[], None, &traces).unwrap();
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

    /// Output of goodput on this run. The command does not see the user's kernels, asks nothing, and has ten seconds.
    pub fn goodput(&self, arguments: &[impl AsRef<str>]) -> Said {
        self.said(Command::new("timeout").args(["10", env!("CARGO_BIN_EXE_goodput")]), arguments)
    }

    /// Output of a program with these arguments appended.
    pub fn said(&self, program: &mut Command, arguments: &[impl AsRef<str>]) -> Said {
        let output = program
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
