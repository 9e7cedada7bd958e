//! Finds the commit that broke an experiment, in a kernel's history. For each commit that `git bisect` asks about, a
//! kernel is built and the experiment run on it. Earlier kernels and recordings are reused.

use crate::kernel::{self, AddError, Additions, Progress, Source};
use crate::run::{self, Files, RunError};
use crate::schedule::ScheduleError;
use base::interrupt::interrupted;
use base::process;
use results::contents;
use results::judge::Held;
use serde::Serialize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A search request.
#[derive(Debug, Clone)]
pub struct BisectRequest {
    /// The experiment; it must have expectations.
    pub experiment: PathBuf,
    pub tree: PathBuf,
    /// Revision at which the expectations hold.
    pub good: String,
    /// Later revision at which they do not hold.
    pub bad: String,
    /// Additions to every kernel.
    pub additions: Additions,
    /// Number of trials at the same time.
    pub jobs: usize,
    pub files: Files,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// The expectations hold.
    Good,
    Bad,
    /// No kernel could be built, no guest booted, or the experiment is inconclusive.
    Skip,
}

impl Mark {
    /// Returns git bisect's word for this mark.
    pub const fn word(self) -> &'static str {
        match self {
            Mark::Good => "good",
            Mark::Bad => "bad",
            Mark::Skip => "skip",
        }
    }
}

/// A commit that was tested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestedCommit {
    pub commit: String,
    /// First line of the commit message.
    pub subject: String,
    pub mark: Mark,
    /// Result of each expectation, or why there is none.
    pub said: Vec<String>,
}

/// The end of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// The first bad commit; several if commits between them were skipped.
    pub first_bad: Vec<String>,
    /// Tested commits: first the two ends, then in the order in which git asked.
    pub steps: Vec<TestedCommit>,
}

impl Found {
    /// Describes the result for people.
    pub fn sentence(&self) -> String {
        let named = |commit: &String| {
            let subject = self.steps.iter().find(|step| step.commit == *commit).map(|step| step.subject.as_str());
            format!("{commit} {}", subject.unwrap_or_default()).trim_end().to_owned()
        };
        match self.first_bad.as_slice() {
            [commit] => {
                let step = self.steps.iter().find(|step| step.commit == *commit);
                let said: String = step.iter().flat_map(|step| &step.said).map(|line| format!("\n  {line}")).collect();
                format!("The first bad commit is {}{said}", named(commit))
            }
            several => {
                let lines: String = several.iter().map(|commit| format!("\n  {}", named(commit))).collect();
                format!("The first bad commit is one of these; those in between could not be tested:{lines}")
            }
        }
    }
}

/// Reasons why a search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BisectError {
    /// The experiment or a run of it failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A kernel could not be built, or its tree not read.
    #[error(transparent)]
    Add(#[from] AddError),
    /// The experiment has no expectations.
    #[error(
        "{} has no [[expect]], so no commit can break it\n\nhint: add [[expect]] with what held at the good revision",
        .0.display()
    )]
    NothingExpected(PathBuf),
    /// An end of the search does not have the stated result.
    #[error("{revision} was given as {} but is {}:\n  {}", given.word(), step.mark.word(), step.said.join("\n  "))]
    OtherEnd {
        /// The revision as given.
        revision: String,
        given: Mark,
        step: Box<TestedCommit>,
    },
    /// The good revision is not an ancestor of the bad one.
    #[error(
        "{good} is not an ancestor of {bad}, so there is no first bad commit between them\n\nhint: swap them, or use their merge base as the good one"
    )]
    NoHistory { good: String, bad: String },
    #[error("git {what}: {said}")]
    Git { what: String, said: String },
    #[error("interrupted\n\nhint: run the same command again; it keeps the kernels built and the trials recorded")]
    Interrupted,
    /// A folder for git's notes could not be created.
    #[error("cannot make a folder for git bisect: {0}")]
    Folder(std::io::Error),
}

/// Time for programs to clean up after a signal.
const CLEANUP_TIME: Duration = Duration::from_millis(400);

/// Searches for the commit, and passes each result to `on_step`. A signal ends all programs of the search.
pub fn bisect(request: &BisectRequest, on_step: impl FnMut(&TestedCommit)) -> Result<Found, BisectError> {
    let found = process::ending_programs(CLEANUP_TIME, || search(request, on_step));
    found.map_err(|error| if interrupted() { BisectError::Interrupted } else { error })
}

fn search(request: &BisectRequest, mut on_step: impl FnMut(&TestedCommit)) -> Result<Found, BisectError> {
    let plan = run::plan(&request.experiment, None, None, request.files)?;
    if plan.expect.is_empty() {
        return Err(BisectError::NothingExpected(request.experiment.clone()));
    }
    let tree = Git::at(&request.tree);
    let commit =
        |revision: &str| tree.ask(&["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")]);
    let (good, bad) = (commit(&request.good)?, commit(&request.bad)?);
    if good == bad || tree.ask(&["merge-base", "--is-ancestor", &good, &bad]).is_err() {
        return Err(BisectError::NoHistory { good: request.good.clone(), bad: request.bad.clone() });
    }
    let mut steps = Vec::new();
    let mut look = |commit: &str| -> Result<TestedCommit, BisectError> {
        let step = look_at(request, &tree, commit)?;
        on_step(&step);
        steps.push(step.clone());
        Ok(step)
    };
    for (revision, commit, given) in [(&request.good, &good, Mark::Good), (&request.bad, &bad, Mark::Bad)] {
        let step = look(commit)?;
        if step.mark != given {
            return Err(BisectError::OtherEnd { revision: revision.clone(), given, step: Box::new(step) });
        }
    }

    // The user's tree, its index and its other bisections are not changed.
    let folder = tempfile::tempdir().map_err(BisectError::Folder)?;
    let notes = Git::at(folder.path());
    notes.ask(&["clone", "-q", "--shared", "--no-checkout", &request.tree.display().to_string(), "."])?;
    // The tree's HEAD may not be a commit.
    notes.ask(&["update-ref", "--no-deref", "HEAD", &bad])?;
    let mut said = notes.ask(&["bisect", "start", "--no-checkout", &bad, &good])?;
    loop {
        if said.contains("is the first bad commit") {
            return Ok(Found { first_bad: vec![notes.ask(&["rev-parse", "refs/bisect/bad"])?], steps });
        }
        let commit = notes.ask(&["rev-parse", "BISECT_HEAD"])?;
        let mark = look(&commit)?.mark;
        match notes.ask(&["bisect", mark.word(), &commit]) {
            Ok(next) => said = next,
            // git fails like this, and lists the commits, if only skipped ones are left.
            Err(BisectError::Git { said, .. }) if said.contains("first bad commit could be any of") => {
                let commits =
                    said.lines().filter(|line| line.len() >= 40 && line.bytes().all(|b| b.is_ascii_hexdigit()));
                return Ok(Found { first_bad: commits.map(str::to_owned).collect(), steps });
            }
            Err(error) => return Err(error),
        }
    }
}

/// Builds a commit's kernel and runs the experiment on it.
fn look_at(request: &BisectRequest, tree: &Git, commit: &str) -> Result<TestedCommit, BisectError> {
    let subject = tree.ask(&["log", "-1", "--format=%s", commit])?;
    let step = |mark, said| Ok(TestedCommit { commit: commit.to_owned(), subject: subject.clone(), mark, said });
    let name = format!("commit-{}", &commit[..12.min(commit.len())]);
    let kernel = kernel::AddKernelRequest {
        name: Some(name.clone()),
        source: Source::Git { folder: request.tree.clone(), revision: Some(commit.to_owned()) },
        additions: request.additions.clone(),
        replace: true,
    };
    match kernel::add(&kernel, &mut Progress::stderr()) {
        Ok(_) => {}
        Err(error) if error.is_of_the_source() => return step(Mark::Skip, vec![error.to_string()]),
        Err(error) => return Err(error.into()),
    }
    let run = run::RunRequest {
        experiment: request.experiment.clone(),
        out: None,
        jobs: request.jobs,
        replay: None,
        cache: true,
        kernel: Some(name),
        seeds: None,
        vary: vec![],
        files: request.files,
        allow_commands: false,
    };
    match run::run(&run, |_, _| true) {
        Ok(run::Outcome { verdict, .. }) => {
            let mark = match verdict.outcome() {
                Held::Yes => Mark::Good,
                Held::No => Mark::Bad,
                Held::Inconclusive => Mark::Skip,
            };
            step(mark, contents::cases(&verdict).into_iter().map(|case| case.text).collect())
        }
        // For example, a guest died.
        Err(error @ RunError::Schedule(ScheduleError::Failed { .. })) => step(Mark::Skip, vec![error.to_string()]),
        Err(error) => Err(error.into()),
    }
}

struct Git {
    folder: PathBuf,
}

impl Git {
    fn at(folder: &std::path::Path) -> Git {
        Git { folder: folder.to_owned() }
    }

    /// Returns git's output without the last line's end, or both its streams if it failed.
    fn ask(&self, arguments: &[&str]) -> Result<String, BisectError> {
        let failed = |said: String| BisectError::Git { what: arguments.join(" "), said };
        if interrupted() {
            return Err(BisectError::Interrupted);
        }
        let output = Command::new("git")
            .arg("-C")
            .arg(&self.folder)
            .args(arguments)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(error.to_string()))?;
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        if output.status.success() { Ok(out.trim_end().to_owned()) } else { Err(failed(out + err.trim_end())) }
    }
}
