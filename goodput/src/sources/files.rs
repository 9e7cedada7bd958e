//! Evidence from what a command names: files, captures, the standard input, runs of the laboratory.

use super::trial;
use crate::recording::RecordingError;
use crate::run_folder::{FolderError, PLAN, RunFolder};
use evidence::capture::{self, CaptureError};
use evidence::import;
use evidence::{Connection, Evidence};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Evidence that belongs together.
pub struct Source {
    /// What to call it.
    pub name: String,
    /// What was read.
    pub found: Evidence,
}

/// Why evidence could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// What was to be read.
        path: PathBuf,
        /// Why it was not.
        error: io::Error,
    },
    /// The folder is no run's.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// It is a damaged capture.
    #[error("{} {error}", path.display())]
    Capture {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: CaptureError,
    },
    /// It is a folder, and no run's.
    #[error("{} is a folder without {PLAN}, so it is not a run\n\nhint: name its files, or the folder of a run", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// It is too large for a text.
    #[error("{} is larger than 256 MiB and not a capture\n\nhint: cut out the relevant part", path.display())]
    Large {
        /// The file.
        path: PathBuf,
    },
    /// A trial's recording is damaged.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The run has no such trial.
    #[error("{run} has no finished trial {index}\n  its trials are 0 to {last}")]
    NoTrial {
        /// The run.
        run: String,
        /// The trial asked for.
        index: usize,
        /// The last that there is.
        last: usize,
    },
}

/// The evidence that paths name: all files together, as they are of one path; each trial of a run for itself.
pub fn evidence(paths: &[PathBuf]) -> Result<Vec<Source>, ReadError> {
    let mut sources = vec![];
    let mut files = Evidence::default();
    let mut names = vec![];
    for path in paths {
        match run_of(path) {
            Some((run, trial)) => sources.extend(trials(&run, trial)?),
            None => {
                read_file(path, &mut files)?;
                names.push(path.display().to_string());
            }
        }
    }
    if !names.is_empty() {
        import::join(&mut files);
        sources.insert(0, Source { name: names.join(" "), found: files });
    }
    Ok(sources)
}

/// A run's folder, and the trial that stands behind a colon.
fn run_of(path: &Path) -> Option<(PathBuf, Option<usize>)> {
    let is_run = |path: &Path| path.join(PLAN).symlink_metadata().is_ok();
    if is_run(path) {
        return Some((path.into(), None));
    }
    let text = path.to_str()?;
    let (run, trial) = text.rsplit_once(':')?;
    is_run(Path::new(run)).then(|| Some((run.into(), Some(trial.parse().ok()?))))?
}

fn trials(path: &Path, only: Option<usize>) -> Result<Vec<Source>, ReadError> {
    let folder = RunFolder::existing(path)?;
    let plan = folder.plan()?;
    let asked = |index: usize| only.is_none_or(|only| only == index);
    let finished = plan.trials.iter().filter(|trial| asked(trial.index) && folder.is_finished(trial.index));
    folder.check(finished.clone())?;
    let mut sources = vec![];
    for trial in finished {
        let settings: Vec<String> = trial.point.iter().map(|s| format!("{} = {}", s.key, s.value)).collect();
        let name = format!("{} trial {}", path.display(), trial.index);
        let found = trial::of_trial(trial, &folder.trial(trial.index).map_err(FolderError::from)?, &name)?;
        let about = [settings, vec![format!("seed {}", trial.seed)]].concat().join(", ");
        sources.push(Source { name: format!("{name}: {about}"), found });
    }
    match only {
        Some(index) if sources.is_empty() => Err(ReadError::NoTrial {
            run: path.display().to_string(),
            index,
            last: plan.trials.len().saturating_sub(1),
        }),
        _ => Ok(sources),
    }
}

/// As many bytes tell a capture from a text.
const HEAD: usize = 16;

fn read_file(path: &Path, evidence: &mut Evidence) -> Result<(), ReadError> {
    if path.is_dir() {
        return Err(ReadError::NoRun { path: path.into() });
    }
    let name = path.display().to_string();
    let wrong = |error| ReadError::Io { path: path.into(), error };
    let mut input: Box<dyn BufRead> = match path == Path::new("-") {
        true => Box::new(BufReader::new(io::stdin())),
        false => Box::new(BufReader::with_capacity(1 << 20, File::open(path).map_err(wrong)?)),
    };
    let mut head = vec![];
    input.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(wrong)?;
    let whole = io::Cursor::new(head.clone()).chain(input);
    if capture::is_capture(&head) {
        let captured = capture::read(&name, whole).map_err(|error| ReadError::Capture { path: path.into(), error })?;
        let group = evidence.next_group();
        evidence
            .connections
            .extend(captured.connections.into_iter().map(|c| Connection { group: c.group + group, ..c }));
        evidence.unread.extend(captured.unread);
        return Ok(());
    }
    let mut bytes = vec![];
    whole.take(LARGEST + 1).read_to_end(&mut bytes).map_err(wrong)?;
    if bytes.len() as u64 > LARGEST {
        return Err(ReadError::Large { path: path.into() });
    }
    import::read(&name, &bytes, evidence);
    Ok(())
}

/// No text that a person kept is larger, bytes.
const LARGEST: u64 = 256 << 20;
