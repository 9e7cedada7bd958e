//! Reads evidence that a command names: files, captures, standard input and runs of the lab.

use super::probe::Transfer;
use super::{different_paths, probe, trial};
use base::access::AccessError;
use base::folder::{FileError, Folder};
use evidence::capture::{self, CaptureError};
use evidence::packed::Unpacked;
use evidence::{Connection, End, Evidence, Place, Unread, import, plain};
use plan::Trial;
use plan::recording::RecordingError;
use plan::run_folder::{FolderError, PLAN, RunFolder, instead_of_run};
use plan::setting;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// Evidence of one path.
pub struct Source {
    pub name: String,
    pub found: Evidence,
    /// The trial that it comes from; `None` for files.
    pub trial: Option<OfTrial>,
    /// Signs that its files are of different paths.
    pub apart: Vec<String>,
    /// Sentence about the missing part of a probe's transfer.
    pub lacks: Option<String>,
}

/// A trial of a run, with the names that people use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfTrial {
    /// The run's folder.
    pub run: String,
    /// The trial's number.
    pub index: usize,
    /// Its point; empty without a sweep.
    pub point: String,
    pub seed: u64,
}

/// Why evidence could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file system refused.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The folder is not a run's.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The capture is damaged.
    #[error("{} {error}", plain::path(path))]
    Capture {
        path: PathBuf,
        /// The damage.
        error: CaptureError,
    },
    /// The folder is not a run's.
    #[error(
        "{} is a folder without {PLAN}, so it is not a run\n\nhint: {}",
        plain::path(path),
        instead_of_run(path, "name its files, or the folder of a run or a probe")
    )]
    NoRun { path: PathBuf },
    /// The file is too large for a text.
    #[error("{} is larger than 256 MiB and not a capture\n\nhint: cut out the relevant part", plain::path(path))]
    Large { path: PathBuf },
    /// A trial's recording is damaged.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The run has no such trial.
    #[error("{run} has no finished trial {index}\n\naccepted: {}", numbered(run, *last))]
    NoTrial {
        run: String,
        /// Requested trial.
        index: usize,
        /// Last trial of the run.
        last: usize,
    },
    /// One trial is needed.
    #[error("{run} has several trials\n\naccepted: one of {}", numbered(run, *last))]
    Several { run: String, last: usize },
    /// A file in a probe's folder cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The probe has no such transfer.
    #[error("{folder} has no transfer \"{wanted}\"\n\naccepted: {}", accepted.join("; "))]
    NoTransfer { folder: String, wanted: String, accepted: Vec<String> },
    /// The run has no such point.
    #[error("{run} has no point \"{wanted}\"\n\naccepted: {}", accepted.join("; "))]
    NoPoint {
        run: String,
        /// Requested point.
        wanted: String,
        /// Points of the run.
        accepted: Vec<String>,
    },
}

/// Formats the range of a run's trials, as a command names them.
fn numbered(run: &str, last: usize) -> String {
    if last == 0 { format!("{run}:0") } else { format!("{run}:0 to {run}:{last}") }
}

/// Reads the evidence that paths name. All files together are one path's; each trial of a run is separate.
pub fn evidence(paths: &[PathBuf]) -> Result<Vec<Source>, ReadError> {
    evidence_with(paths, &[])
}

/// Returns the files that each end printed, with their end.
pub fn of_ends(sender: &[PathBuf], receiver: &[PathBuf]) -> Vec<(End, PathBuf)> {
    let of = |end, files: &[PathBuf]| files.iter().map(|file| (end, file.clone())).collect::<Vec<_>>();
    [of(End::Sender, sender), of(End::Receiver, receiver)].concat()
}

/// Like [`evidence()`], with additional files whose end is known.
pub fn evidence_with(paths: &[PathBuf], of_ends: &[(End, PathBuf)]) -> Result<Vec<Source>, ReadError> {
    let mut sources = vec![];
    let mut files = Evidence::default();
    let mut names = vec![];
    for path in paths {
        match (run_of(path), probe::folder_and_transfer(path)) {
            (Some((run, part)), _) => sources.extend(trials(&run, &part)?),
            (None, Some((folder, name))) => sources.extend(transfers(&folder, name.as_deref())?),
            (None, None) => {
                read_file(path, &mut files)?;
                names.push(path.display().to_string());
            }
        }
    }
    for (end, path) in of_ends {
        let known = files.hosts.len();
        read_file(path, &mut files)?;
        files.hosts[known..].iter_mut().for_each(|host| host.end = Some(*end));
        names.push(path.display().to_string());
    }
    if !names.is_empty() {
        import::join(&mut files);
        let apart = different_paths::sign(&files).into_iter().collect();
        sources.insert(0, Source { name: names.join(" "), found: files, trial: None, apart, lacks: None });
    }
    Ok(sources)
}

/// The part of a run that is meant, written after the colon.
enum Part {
    All,
    Trial(usize),
    Point(String),
}

impl Part {
    fn parse(text: &str) -> Part {
        text.parse().map_or_else(|_| Part::Point(text.trim().into()), Part::Trial)
    }

    fn has(&self, trial: &Trial) -> bool {
        match self {
            Part::All => true,
            Part::Trial(index) => trial.index == *index,
            Part::Point(name) => setting::left_open(&trial.point, name).is_some(),
        }
    }
}

/// Returns a run's folder, and the part of it that is meant.
fn run_of(path: &Path) -> Option<(PathBuf, Part)> {
    let is_run = |path: &Path| path.join(PLAN).symlink_metadata().is_ok();
    if is_run(path) {
        return Some((path.into(), Part::All));
    }
    // The part may contain colons.
    let text = path.to_str()?;
    let mut splits = text.match_indices(':').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let (run, part) = splits.find(|(run, _)| is_run(Path::new(run)))?;
    Some((run.into(), Part::parse(part)))
}

/// Returns a trial of a run, named as RUN:N, and its folder; `None` if the path names no run. A run of one trial needs no
/// number.
pub fn one_trial(path: &Path) -> Result<Option<(Trial, Folder)>, ReadError> {
    let Some((path, part)) = run_of(path) else { return Ok(None) };
    let folder = RunFolder::existing(&path)?;
    let plan = folder.plan()?;
    let run = path.display().to_string();
    let mut meant = plan.trials.iter().filter(|trial| part.has(trial) && folder.is_finished(trial.index));
    match (meant.next(), meant.next()) {
        (Some(trial), None) => {
            folder.check([trial])?;
            let own = folder.trial(trial.index).map_err(FolderError::from)?;
            Ok(Some((trial.clone(), own)))
        }
        (trial, _) => {
            let index = trial.map_or(0, |trial| trial.index);
            let last = plan.trials.len().saturating_sub(1);
            Err(if trial.is_some() {
                ReadError::Several { run, last }
            } else {
                ReadError::NoTrial { run, index, last }
            })
        }
    }
}

fn trials(path: &Path, part: &Part) -> Result<Vec<Source>, ReadError> {
    let folder = RunFolder::existing(path)?;
    let plan = folder.plan()?;
    let run = path.display().to_string();
    let finished = plan.trials.iter().filter(|trial| part.has(trial) && folder.is_finished(trial.index));
    folder.check(finished.clone())?;
    let mut sources = vec![];
    for trial in finished {
        let settings: Vec<String> = trial.point.iter().map(|s| format!("{} = {}", s.key, s.value)).collect();
        let name = format!("{run} trial {}", trial.index);
        let found = trial::of_trial(trial, &folder.trial(trial.index).map_err(FolderError::from)?, &name)?;
        let about = [settings, vec![format!("seed {}", trial.seed)]].concat().join(", ");
        let of =
            OfTrial { run: run.clone(), index: trial.index, point: setting::label(&trial.point), seed: trial.seed };
        let name = format!("{name}: {about}");
        sources.push(Source { name, found, trial: Some(of), apart: vec![], lacks: None });
    }
    match part {
        Part::Trial(index) if sources.is_empty() => {
            Err(ReadError::NoTrial { run, index: *index, last: plan.trials.len().saturating_sub(1) })
        }
        Part::Point(wanted) if sources.is_empty() => {
            let points = plan.points().into_iter().map(|trials| setting::label(&trials[0].point));
            let points = points.filter(|point| !point.is_empty());
            let accepted = points.chain([numbered(&run, plan.trials.len().saturating_sub(1))]).collect();
            Err(ReadError::NoPoint { run, wanted: wanted.clone(), accepted })
        }
        _ => Ok(sources),
    }
}

/// Returns the transfers of a probe, each with its files.
fn transfers(path: &Path, wanted: Option<&str>) -> Result<Vec<Source>, ReadError> {
    let (folder, probe) = probe::open(path)?;
    let all: Vec<String> = probe.transfers.iter().map(|transfer| transfer.name.clone()).collect();
    let meant = probe.transfers.iter().filter(|transfer| wanted.is_none_or(|wanted| wanted == transfer.name));
    let sources: Vec<Source> = meant.map(|transfer| of_transfer(&folder, transfer)).collect::<Result<_, _>>()?;
    match wanted {
        Some(wanted) if sources.is_empty() => {
            let folder = path.display().to_string();
            let accepted = all.iter().map(|name| format!("{folder}:{name}")).collect();
            Err(ReadError::NoTransfer { folder, wanted: wanted.into(), accepted })
        }
        _ => Ok(sources),
    }
}

/// True if a source is a file, a folder, or a part of a folder that is written after a colon: FOLDER:upload, RUN:N.
pub fn is_there(source: &Path) -> bool {
    let folder = || Some(Path::new(source.to_str()?.rsplit_once(':')?.0).is_dir());
    source.is_file() || source.is_dir() || folder() == Some(true)
}

/// Returns the slower direction of a probe, if there are several.
pub fn slower(all: &[Source]) -> Option<usize> {
    let goodput = |source: &Source| source.found.connections.iter().filter_map(|seen| seen.goodput).fold(0.0, f64::max);
    let is_probe = all.len() > 1 && all.iter().all(|source| source.trial.is_none());
    // A probe that ended early may have one direction alone.
    let measured = (0..all.len()).filter(|at| goodput(&all[*at]) > 0.0);
    let slowest = measured.min_by(|a, b| goodput(&all[*a]).total_cmp(&goodput(&all[*b]))).or(Some(0));
    slowest.filter(|_| is_probe)
}

fn of_transfer(folder: &Folder, transfer: &Transfer) -> Result<Source, ReadError> {
    let mut found = Evidence::default();
    let read = |name: &String, found: &mut Evidence| -> Result<(), ReadError> {
        let bytes = folder.read(name, MAX_TEXT_BYTES)?;
        import::read(&folder.place(name).display().to_string(), &bytes, found);
        Ok(())
    };
    for name in &transfer.files {
        read(name, &mut found)?;
    }
    for (end, name) in [(End::Sender, &transfer.sender), (End::Receiver, &transfer.receiver)] {
        let Some(name) = name else { continue };
        let known = found.hosts.len();
        read(name, &mut found)?;
        found.hosts[known..].iter_mut().for_each(|host| host.end = Some(end));
    }
    import::join(&mut found);
    let [from, to] = &transfer.between;
    let name = format!("{}: {from} to {to}", transfer.name);
    Ok(Source { name, found, trial: None, apart: vec![], lacks: transfer.lacks.clone() })
}

/// Bytes that distinguish a capture from text.
const HEAD_BYTES: usize = 16;

fn read_file(path: &Path, evidence: &mut Evidence) -> Result<(), ReadError> {
    if path.is_dir() {
        return Err(ReadError::NoRun { path: path.into() });
    }
    let mut input = opened(path).map_err(AccessError::reading(path))?;
    let name = if is_stdin(path) { "stdin".into() } else { path.display().to_string() };
    let mut head = vec![];
    input.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(AccessError::reading(path))?;
    let mut whole = io::Cursor::new(head.clone()).chain(&mut input);
    if capture::is_capture(&head) {
        let captured =
            capture::read(&name, &mut whole).map_err(|error| ReadError::Capture { path: path.into(), error })?;
        let group = evidence.next_group();
        evidence
            .connections
            .extend(captured.connections.into_iter().map(|c| Connection { group: c.group + group, ..c }));
        evidence.unread.extend(captured.unread);
    } else {
        import::read(&name, &text(path, whole)?, evidence);
    }
    let place = Place { file: name.into(), line: 0 };
    evidence.unread.extend(input.note().map(|why| Unread { place, to: 0, why: Some(why) }));
    Ok(())
}

/// Returns the bytes of a file that is no capture, unpacked if it is compressed.
pub fn bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    text(path, opened(path).map_err(AccessError::reading(path))?)
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn opened(path: &Path) -> io::Result<Unpacked> {
    match is_stdin(path) {
        true => Unpacked::new(BufReader::new(io::stdin())),
        false => Unpacked::new(BufReader::with_capacity(1 << 20, File::open(path)?)),
    }
}

fn text(path: &Path, input: impl Read) -> Result<Vec<u8>, ReadError> {
    let mut bytes = vec![];
    input.take(MAX_TEXT_BYTES + 1).read_to_end(&mut bytes).map_err(AccessError::reading(path))?;
    if bytes.len() as u64 > MAX_TEXT_BYTES {
        return Err(ReadError::Large { path: path.into() });
    }
    Ok(bytes)
}

/// Largest text file, bytes.
const MAX_TEXT_BYTES: u64 = 256 << 20;
