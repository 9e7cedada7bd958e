//! Files that benchmarks keep: runs of experiments below `target/`, and the tables of a page.

use base16ct::lower::encode_string as hex;
use plan::run_folder::RunFolder;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub mod page;
pub use page::Page;

/// Folder of an experiment's run: each folder is for one experiment.
pub fn folder(of: &str, name: &str, spec: &Path) -> Result<PathBuf, String> {
    let text = fs::read(spec).map_err(|e| format!("{}: {e}", spec.display()))?;
    let hash = hex(&Sha256::digest(text)[..4]);
    Ok(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(of).join(format!("{name}-{hash}")))
}

/// Runs an experiment, or returns its earlier run; the run is ended after `patience` seconds. goodput refuses a run
/// that another kernel or program recorded (exit code 2), and it is then recorded anew.
pub fn run(folder: &str, name: &str, spec: &Path, patience: u32) -> Result<RunFolder, String> {
    let out = self::folder(folder, name, spec)?;
    let mut code = ended(spec, &out, patience)?;
    if code == Some(2) && out.exists() {
        fs::remove_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
        code = ended(spec, &out, patience)?;
    }
    let why = match code {
        Some(0) => return RunFolder::existing(&out).map_err(|e| e.to_string()),
        Some(1) => "an expectation does not hold".into(),
        Some(124) => format!("it did not end within {patience} s"),
        Some(code) => format!("it ended with {code}"),
        None => "it was killed".into(),
    };
    Err(format!("goodput run {} --out {}: {why}", spec.display(), out.display()))
}

/// The exit code of a run.
fn ended(spec: &Path, out: &Path, patience: u32) -> Result<Option<i32>, String> {
    let mut command = Command::new("timeout");
    command.arg(patience.to_string()).arg(env!("CARGO_BIN_EXE_goodput"));
    command.arg("run").arg(spec).arg("--allow-commands").arg("--out").arg(out).arg("--json");
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    Ok(ended.map_err(|e| e.to_string())?.code())
}
