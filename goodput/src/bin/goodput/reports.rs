//! `open` and `index`: the reports that runs left.

use crate::Failure;
use base::access::AccessError;
use base::output;
use chrono::{DateTime, Utc};
use clap::Args;
use evidence::plain;
use plan::environment::Environment;
use plan::run_folder::{self, RunFolder};
use results::judge::Verdict;
use results::report::index::{Listed, index};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// Open the newest report in a browser
///
/// Looks in the run's folder, or in all runs below a folder. Prints the report's path, which is all it does where there is
/// no desktop.
#[derive(Args)]
pub struct OpenArguments {
    /// Run folder, or a folder of runs.
    #[arg(value_name = "DIR", default_value = "runs")]
    folder: PathBuf,
    /// Only print the path.
    #[arg(long)]
    print: bool,
}

/// Write one page that lists all runs below a folder, with a filter and two reports side by side
#[derive(Args)]
pub struct IndexArguments {
    /// Folder of runs.
    #[arg(value_name = "DIR", default_value = "runs")]
    folder: PathBuf,
}

/// Name of the page over all runs.
const INDEX: &str = "index.html";
/// Folders between the folder that is named and a run's.
const MAX_DEPTH: usize = 3;

/// Returns the reports in a folder and below, with when they were written.
fn reports(folder: &Path, depth: usize) -> Vec<(SystemTime, PathBuf)> {
    let page = folder.join(run_folder::REPORT);
    let own = fs::symlink_metadata(&page).ok().filter(fs::Metadata::is_file);
    let written = own.and_then(|own| own.modified().ok());
    let mut found: Vec<(SystemTime, PathBuf)> = written.map(|written| (written, page)).into_iter().collect();
    if found.is_empty() && depth < MAX_DEPTH {
        let below = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = below.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        found.extend(folders.flat_map(|entry| reports(&entry.path(), depth + 1)));
    }
    found
}

fn existing(folder: &Path) -> Result<Vec<(SystemTime, PathBuf)>, Failure> {
    fs::read_dir(folder).map_err(AccessError::reading(folder))?;
    let mut found = reports(folder, 0);
    if found.is_empty() {
        let folder = plain::path(folder);
        return Err(Failure(format!(
            "no report below {folder}\n\naccepted: a run's folder, or a folder of runs\nhint: goodput run writes runs/NAME-HASH, \
             or the folder of --out"
        )));
    }
    found.sort();
    Ok(found)
}

pub fn open(arguments: &OpenArguments) -> Result<u8, Failure> {
    let found = existing(&arguments.folder)?;
    let (_, page) = found.last().expect("some report was found");
    out!("{}", plain::path(page));
    if arguments.print || !has_desktop() {
        return Ok(0);
    }
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut browser = Command::new(program);
    browser.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match browser.status() {
        Ok(status) if status.success() => Ok(0),
        Ok(status) => Err(Failure(format!("{program} ended with {status}\n\nhint: open the path above in a browser"))),
        Err(error) => {
            Err(Failure(format!("cannot start {program}: {error}\n\nhint: open the path above in a browser")))
        }
    }
}

/// True if there is a desktop to open a browser on.
fn has_desktop() -> bool {
    cfg!(target_os = "macos") || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some())
}

pub fn write_index(arguments: &IndexArguments) -> Result<u8, Failure> {
    let mut found = existing(&arguments.folder)?;
    found.reverse();
    let runs: Vec<Listed> =
        found.iter().filter_map(|(written, page)| listed(&arguments.folder, *written, page)).collect();
    let file = arguments.folder.join(INDEX);
    output::file(&file, &index(&runs)).map_err(AccessError::writing(&file))?;
    let left = found.len() - runs.len();
    if left > 0 {
        note!("{left} of {} reports are of no run that can be read, and are left out", found.len());
    }
    out!("{}", plain::path(&file));
    Ok(0)
}

/// Returns what the list says of a run; `None` if its files are not those of a finished run.
fn listed(base: &Path, written: SystemTime, page: &Path) -> Option<Listed> {
    let folder = page.parent()?;
    let run = RunFolder::existing(folder).ok()?;
    let plan = run.plan().ok()?;
    let environment: Environment = run.read_json(run_folder::ENVIRONMENT).ok()?;
    let verdict: Verdict = run.read_json(run_folder::VERDICT).ok()?;
    let relative = |path: &Path| plain::path(path.strip_prefix(base).unwrap_or(path));
    let kernels = environment.kernels_in_words(false, |_| None);
    Some(Listed {
        word: plain::word(folder),
        folder: relative(folder),
        page: relative(page),
        title: plan.title.clone(),
        answer: verdict.headline().unwrap_or_default(),
        trials: plan.trials.len(),
        kernels: kernels.join("; "),
        day: DateTime::<Utc>::from(written).format("%Y-%m-%d").to_string(),
    })
}
