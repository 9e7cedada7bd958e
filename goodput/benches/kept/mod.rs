//! What benchmarks keep: runs of experiments below `target/`, and the tables of a page.

use goodput::environment;
use goodput::run_folder::RunFolder;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

const MARKS: [&str; 2] = ["<!-- begin tables -->\n", "<!-- end tables -->\n"];

/// Runs an experiment of a folder of the repository, or takes it from where it was run before.
pub fn run(folder: &str, name: &str) -> Result<RunFolder, String> {
    let spec = Path::new(ROOT).join(format!("{folder}/{name}.toml"));
    // A folder holds the run of one experiment.
    let text = fs::read(&spec).map_err(|e| format!("{}: {e}", spec.display()))?;
    let hash = environment::hex(&Sha256::digest(text)[..4]);
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder).join(format!("{name}-{hash}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.arg("run").arg(&spec).arg("--out").arg(&out).arg("--json");
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let ended = ended.map_err(|e| e.to_string())?;
    if !ended.success() {
        return Err(format!("goodput run {} ended with {ended}", spec.display()));
    }
    RunFolder::existing(&out).map_err(|e| e.to_string())
}

/// A page with tables between two marks.
pub struct Page {
    /// Its path in the repository.
    pub path: &'static str,
    /// What writes it with `BLESS=1`.
    pub command: &'static str,
    /// What of the tables is the same in each run.
    pub lasting: fn(&str) -> &str,
}

impl Page {
    /// Holds the page to the tables, or writes them into it.
    pub fn hold(&self, tables: &str) -> bool {
        let Page { path: name, command, lasting } = self;
        let path = Path::new(ROOT).join(name);
        let page = fs::read_to_string(&path).unwrap_or_default();
        let parts = page.split_once(MARKS[0]).and_then(|(before, rest)| {
            let (held, after) = rest.split_once(MARKS[1])?;
            Some((before, held, after))
        });
        let Some((before, held, after)) = parts else {
            eprintln!("{name} lacks the lines {} and {}", MARKS[0].trim(), MARKS[1].trim());
            return false;
        };
        if std::env::var_os("BLESS").is_some() {
            let written = fs::write(&path, format!("{before}{}{tables}{}{after}", MARKS[0], MARKS[1]));
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
