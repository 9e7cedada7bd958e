//! Runs an experiment on a Slurm cluster. Each part is a task of a job array, the files of the parts are on a file
//! system that all nodes share, and the process that started the run joins them after each round.

use crate::gather::{self, GatherError, Gathered};
use crate::part::{self, Part};
use crate::shard::{self, Shard, sibling_path};
use analysis::Measures;
use base::folder::{FileError, Folder, MAX_TEXT_BYTES};
use base::output;
use evidence::plain::{self, quoted};
use lab::dry_run::DryRun;
use lab::run::{self, Files, Outcome, RunError, Settled};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// A request for a run on a cluster.
#[derive(Debug, Clone)]
pub struct SlurmRequest {
    pub run: run::RunRequest,
    /// Number of parts; `None` makes each last some minutes.
    pub parts: Option<usize>,
    /// Additional options of sbatch(1): partition, account, time.
    pub options: Vec<String>,
}

/// Reasons why a cluster did not complete a run.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Gather(#[from] GatherError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "cannot start {program}: {error}\n\nhint: run this on a node from which jobs are submitted, or leave --executor out"
    )]
    NoProgram { program: &'static str, error: io::Error },
    #[error("{call} refused: {said}\n\nhint: {}", next_step(call))]
    Refused { call: String, said: String },
    #[error(
        "{trials} trials are still missing after {MAX_FAILED_JOBS} jobs that brought none (part {part})\n{said}\n\nhint: the whole log is {}",
        log.display()
    )]
    NoProgress { trials: usize, part: Shard, said: String, log: PathBuf },
    #[error("no job of {} is known\n\nhint: squeue lists yours", plain::path(run))]
    NoJob { run: PathBuf },
}

/// Suggests what to do after a program of Slurm has failed.
fn next_step(call: &str) -> &'static str {
    match call.starts_with("sbatch") {
        true => {
            "--partition, --account and --time are passed to sbatch as they are; for what else this cluster asks, set the variables of sbatch(1), such as SBATCH_QOS"
        }
        false => {
            "Slurm does not answer here: `scontrol ping` tells whether its controller does, and `munge -n` whether munged runs on this node"
        }
    }
}

/// Target duration of a part: long enough to wait in a queue for, and cheap to lose with a node.
const PART_DURATION: Duration = Duration::from_secs(300);

/// Consecutive jobs without a trial before giving up.
const MAX_FAILED_JOBS: usize = 3;

/// Intervals of checking the parts' files, and the queue, which all users of a cluster share.
const FILES_INTERVAL: Duration = Duration::from_secs(1);
const QUEUE_INTERVAL: Duration = Duration::from_secs(15);

/// Lines of a task's log that an error quotes.
const QUOTED_LINES: usize = 6;

/// State needed to continue: `RUN.slurm.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Submitted {
    parts: usize,
    job: Option<String>,
}

impl Submitted {
    /// True if the job id is one that sbatch prints: squeue and scancel would take another word for an option.
    fn is_sound(&self) -> bool {
        let is_job = |job: &String| !job.is_empty() && job.bytes().all(|byte| byte.is_ascii_digit());
        (1..=shard::MAX_SHARDS).contains(&self.parts) && self.job.iter().all(is_job)
    }
}

/// Runs an experiment to its verdict, round by round. The same call continues an interrupted run.
pub fn run(request: &SlurmRequest) -> Result<Box<Outcome>, SlurmError> {
    let dry = run::dry_run(&run::RunRequest { jobs: 1, ..request.run.clone() })?;
    let out = dry.folder.clone();
    let mut known = match submitted(&out)? {
        Some(known) => known,
        None => Submitted { parts: parts(request, &dry)?, job: None },
    };
    let (mut all, mut before, mut attempts) = (dry.trials, None, 0);
    let mut measures = Measures::default();
    loop {
        if let Some(job) = &known.job {
            wait(job, &out, (known.parts, all))?;
            known.job = None;
            remember(&out, &known)?;
        }
        let (trials, lacking) = match gathered(&out, (known.parts, all), &mut measures)? {
            Gathered::All(Settled::Concluded(outcome)) => {
                forget(&out)?;
                return Ok(outcome);
            }
            Gathered::All(Settled::Grown(_, more)) => {
                output::note(format_args!("{more} more trials wanted"));
                (all, before) = (all + more, None);
                continue;
            }
            Gathered::Missing { trials, shards, .. } => (trials, shards),
        };
        let now = Some((Reverse(trials), unfinished(&out, &lacking)));
        attempts = if now > before { 1 } else { attempts + 1 };
        before = now;
        if attempts > MAX_FAILED_JOBS {
            return Err(no_progress(&out, trials, lacking[0]));
        }
        let job = submit(request, &out, known.parts, &lacking)?;
        output::note(format_args!("job {job}: {} of {} parts, {trials} trials", lacking.len(), known.parts));
        known.job = Some(job);
        remember(&out, &known)?;
    }
}

/// Cancels the jobs of a run.
pub fn cancel(request: &SlurmRequest) -> Result<(), SlurmError> {
    let out = run::dry_run(&request.run)?.folder;
    let known = submitted(&out)?.and_then(|known| Some((known.parts, known.job?)));
    let (parts, job) = known.ok_or_else(|| SlurmError::NoJob { run: out.clone() })?;
    call("scancel", &[], &[&job])?;
    remember(&out, &Submitted { parts, job: None })
}

/// Returns the number of parts, so that each lasts some minutes, within the limit of an array.
fn parts(request: &SlurmRequest, dry: &DryRun) -> Result<usize, SlurmError> {
    let config = call("scontrol", &[], &["show", "config"])?;
    let value = config.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize")?.split('=').nth(1));
    // Indices are below this size, and ours begin at 1.
    let most = value.and_then(|value| value.trim().parse::<usize>().ok()).map_or(1000, |size| size.saturating_sub(1));
    let wanted = request.parts.unwrap_or((dry.about.as_secs_f64() / PART_DURATION.as_secs_f64()).ceil() as usize);
    Ok(wanted.clamp(1, most.clamp(1, dry.trials.max(1))))
}

/// Joins the parts that exist.
fn gathered(out: &Path, (parts, all): (usize, usize), measures: &mut Measures) -> Result<Gathered, SlurmError> {
    let begun: Vec<PathBuf> =
        Shard::all(parts).map(|part| part.path_next_to(out)).filter(|part| part.exists()).collect();
    if begun.is_empty() {
        let shards = Shard::all(parts).collect();
        return Ok(Gathered::Missing { folder: out.into(), trials: all, all, shards });
    }
    Ok(gather::gather(&begun, Some(out), measures)?)
}

/// Submits a job array with a task for each incomplete part. Returns the job's id.
fn submit(request: &SlurmRequest, out: &Path, parts: usize, lacking: &[Shard]) -> Result<String, SlurmError> {
    let own = std::env::current_exe().map_err(FileError::on(Path::new("/proc/self/exe")))?;
    let run = &request.run;
    let mut words = vec![text(&own), "run".into(), format!("--out={}", text(out)), "--yes".into()];
    words.extend(run.kernel.iter().map(|kernel| format!("--kernel={kernel}")));
    words.extend(run.seeds.iter().map(|seeds| format!("--seeds={seeds}")));
    words.extend(run.vary.iter().map(|vary| format!("--vary={vary}")));
    words.extend((!run.cache).then(|| "--no-cache".into()));
    words.extend(run.allow_commands.then(|| "--allow-commands".into()));
    words.extend((run.files == Files::Any).then(|| "--any-files".into()));
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let task = format!(
        "exec {} --shard \"$SLURM_ARRAY_TASK_ID/{parts}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" -- {}",
        words.join(" "),
        quoted(&text(&run.experiment))
    );
    let numbers: Vec<String> = lacking.iter().map(|shard| shard.number().to_string()).collect();
    let given = [
        "--parsable".to_owned(),
        format!("--array={}", numbers.join(",")),
        format!("--job-name=goodput-{}", text(Path::new(out.file_name().unwrap_or_default()))),
        // Slurm expands percent signs (sbatch(1), filename pattern).
        format!("--output={}", text(&log(Path::new(&text(out).replace('%', "%%")), "%a"))),
        format!("--wrap={task}"),
    ];
    let said = call("sbatch", &request.options, &given.each_ref().map(String::as_str))?;
    // With several clusters the output is ID;CLUSTER.
    Ok(said.trim().split(';').next().unwrap_or_default().to_owned())
}

/// Returns the bytes that unfinished tasks have left of parts.
fn unfinished(out: &Path, parts: &[Shard]) -> u64 {
    let size = |path: &PathBuf| path.metadata().map_or(0, |data| data.len());
    let most = |part: &Shard| part::left(&part.path_next_to(out)).unwrap_or_default().iter().map(size).max();
    parts.iter().filter_map(most).sum()
}

/// Waits until every part has its share of the trials, or the queue no longer has the job.
fn wait(job: &str, out: &Path, (parts, trials): (usize, usize)) -> Result<(), SlurmError> {
    let mut asked = Instant::now();
    let mut left: Vec<PathBuf> = Shard::all(parts).map(|part| part.path_next_to(out)).collect();
    let is_whole = |part: &PathBuf| Part::open(part).is_ok_and(|part| part.head().outline.trials() == trials);
    while !left.is_empty() {
        let before = left.len();
        left.retain(|part| !is_whole(part));
        if left.len() < before {
            output::note(format_args!("{} of {parts} parts are recorded", parts - left.len()));
        }
        if asked.elapsed() > QUEUE_INTERVAL {
            asked = Instant::now();
            let queued = call("squeue", &[], &["--noheader", "--format=%T", "--jobs", job]);
            // The queue forgets an array some minutes after it ended.
            if !queued.is_ok_and(|queued| !queued.trim().is_empty()) {
                return Ok(());
            }
        }
        thread::sleep(FILES_INTERVAL);
    }
    Ok(())
}

fn no_progress(out: &Path, trials: usize, part: Shard) -> SlurmError {
    let log = log(out, &part.number().to_string());
    let text =
        fs::read(&log).map_or_else(|error| error.to_string(), |text| String::from_utf8_lossy(&text).into_owned());
    let lines: Vec<&str> = text.lines().collect();
    let said = lines[lines.len().saturating_sub(QUOTED_LINES)..].join("\n");
    SlurmError::NoProgress { trials, part, said, log }
}

fn log(out: &Path, task: &str) -> PathBuf {
    sibling_path(out, &format!(".slurm-{task}.log"))
}

fn state(out: &Path) -> PathBuf {
    sibling_path(out, ".slurm.json")
}

fn submitted(out: &Path) -> Result<Option<Submitted>, SlurmError> {
    let path = state(out);
    let folder = Folder::open(path.parent().unwrap_or(Path::new("")));
    let text = match folder.and_then(|folder| folder.read(path.file_name().unwrap_or_default(), MAX_TEXT_BYTES)) {
        Err(error) if error.is_missing() => return Ok(None),
        text => text?,
    };
    let known: Submitted =
        serde_json::from_slice(&text).map_err(|error| FileError { path: path.clone(), error: error.into() })?;
    match known.is_sound() {
        true => Ok(Some(known)),
        false => {
            let error =
                io::Error::other("it names no job of Slurm's\n\nhint: remove it, and look with squeue for jobs");
            Err(FileError { path, error }.into())
        }
    }
}

fn remember(out: &Path, known: &Submitted) -> Result<(), SlurmError> {
    let path = state(out);
    let written = path.parent().map_or(Ok(()), fs::create_dir_all);
    let text = serde_json::to_string(known).expect("plain data") + "\n";
    Ok(written.and_then(|()| output::file(&path, &text)).map_err(FileError::on(&path))?)
}

fn forget(out: &Path) -> Result<(), SlurmError> {
    let path = state(out);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError { path, error }.into()),
        _ => Ok(()),
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Runs a program of Slurm and returns its output. If it fails, the error quotes its message and the user's options,
/// without `ours`.
fn call(program: &'static str, asked: &[String], ours: &[&str]) -> Result<String, SlurmError> {
    let output = Command::new(program).args(asked).args(ours).output();
    let output = output.map_err(|error| SlurmError::NoProgram { program, error })?;
    let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let call = || [&[program.to_owned()], asked].concat().join(" ");
    match output.status.success() {
        true => Ok(words(&output.stdout)),
        false => Err(SlurmError::Refused { call: call(), said: words(&output.stderr) }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_is_read_back_and_other_states_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let out = place.path().join("run");
        assert!(submitted(&out).unwrap().is_none());
        remember(&out, &Submitted { parts: 8, job: Some("4711".into()) }).unwrap();
        let known = submitted(&out).unwrap().unwrap();
        assert_eq!((known.parts, known.job.as_deref()), (8, Some("4711")));
        for text in [
            r#"{"parts": 8, "job": "--user=root"}"#,
            r#"{"parts": 8, "job": "1,2"}"#,
            r#"{"parts": 8, "job": ""}"#,
            r#"{"parts": 0, "job": null}"#,
            r#"{"parts": 18446744073709551615, "job": null}"#,
        ] {
            fs::write(state(&out), text).unwrap();
            let said = submitted(&out).unwrap_err().to_string();
            assert!(said.contains("run.slurm.json: it names no job") && said.contains("hint: remove it"), "{said}");
        }
        fs::remove_file(state(&out)).unwrap();
        std::os::unix::fs::symlink("/dev/zero", state(&out)).unwrap();
        assert!(submitted(&out).unwrap_err().to_string().contains("symbolic link"));
    }
}
