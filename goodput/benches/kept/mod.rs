//! What benchmarks keep: runs of experiments below `target/`, and the tables of a page.

use goodput::environment;
use goodput::run_folder::RunFolder;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Where an experiment's run is kept: a folder holds the run of one experiment.
pub fn folder(of: &str, name: &str, spec: &Path) -> Result<PathBuf, String> {
    let text = fs::read(spec).map_err(|e| format!("{}: {e}", spec.display()))?;
    let hash = environment::hex(&Sha256::digest(text)[..4]);
    Ok(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(of).join(format!("{name}-{hash}")))
}

/// Runs an experiment, or takes it from where it was run before; it is ended after so many seconds. What another kernel or
/// program recorded is refused (exit code 2), and recorded anew.
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

/// A page with tables between two marks.
pub struct Page {
    /// Its path in the repository.
    pub path: &'static str,
    /// The lines before and behind the tables.
    pub marks: [&'static str; 2],
    /// What writes it with `BLESS=1`.
    pub command: &'static str,
    /// What of the tables is the same in each run.
    pub lasting: fn(&str) -> &str,
}

impl Page {
    /// Holds the page to the tables, or writes them into it.
    pub fn hold(&self, tables: &str) -> bool {
        let Page { path: name, marks, command, lasting } = self;
        let path = Path::new(ROOT).join(name);
        let page = fs::read_to_string(&path).unwrap_or_default();
        let parts = page.split_once(marks[0]).and_then(|(before, rest)| {
            let (held, after) = rest.split_once(marks[1])?;
            Some((before, held, after))
        });
        let Some((before, held, after)) = parts else {
            eprintln!("{name} lacks the lines {} and {}", marks[0].trim(), marks[1].trim());
            return false;
        };
        if std::env::var_os("BLESS").is_some() {
            let written = fs::write(&path, format!("{before}{}{tables}{}{after}", marks[0], marks[1]));
            return written.map_err(|error| eprintln!("{}: {error}", path.display())).is_ok();
        }
        let same = lasting(held) == lasting(tables);
        if !same {
            eprintln!(
                "the tables differ from those of {name}\n\nhint: BLESS=1 {command}, and look at what has changed"
            );
        }
        same
    }
}
