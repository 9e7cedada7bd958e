//! Records one of several parts of a run.

use crate::part::{Begun, Head, Outline, Part, PartError, Writer};
use crate::scratch::Scratch;
use crate::shard::Shard;
use base::folder::FileError;
use experiment::Kernel;
use lab::progress::Progress;
use lab::run::{RunError, RunRequest, kernel, lacks, permit, prepare, remember, seed_by_seed};
use lab::schedule::{self, Event, ScheduleError};
use lab::trust::Commands;
use plan::Plan;
use plan::run_folder::{ENVIRONMENT, FolderError, RunFolder};

/// Why a part was not recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error(transparent)]
    Part(#[from] PartError),
}

/// Records the trials of one part into a file next to the run's folder, without a verdict. If the run was gathered and
/// needs another round, the part is of that round. Unfinished recordings stay on this machine.
pub fn record(request: &RunRequest, shard: Shard) -> Result<Part, RecordError> {
    let mut prepared = prepare(request)?;
    let first = prepared.plan.trials.len();
    remember(request, &prepared.plan);
    if let Some((run, plan)) = RunFolder::later(&prepared.out, &prepared.plan)? {
        prepared.same_laboratory(&run)?;
        // The experiment's own commands are known by now; the folder may be somebody else's.
        let is_free = request.allow_commands || request.replay.is_some();
        let commands = if is_free { Commands::Any } else { Commands::Known };
        permit(commands, &plan.trials, &run)?;
        prepared.plan = plan;
    }
    let (plan, part) = (&prepared.plan, shard.path_next_to(&prepared.out));
    let outline = Outline::new(plan, first, kernels(plan));
    let head = Head { shard, outline, environment: prepared.environment.clone() };
    let scratch = Scratch::new().map_err(FolderError::from)?;
    let mut writer = match Writer::begin(&part, head, &scratch.folder)? {
        Begun::Whole(part) => return Ok(part),
        Begun::Open(writer) => writer,
    };
    let folder = RunFolder::at(scratch.folder.path())?;
    folder.write_json(ENVIRONMENT, &prepared.environment)?;
    let waiting = seed_by_seed(plan, |trial| shard.has(trial.index) && !writer.has(trial.index));
    let mut progress = Progress::new();
    let recorded = schedule::run(plan, &waiting, &folder, &prepared.workers, |event| {
        progress.hear(&event);
        match event {
            Event::Finished(finished) => Ok(move_to(&mut writer, &folder, finished.trial.index)?),
            _ => Ok(()),
        }
    });
    match recorded {
        Err(ScheduleError::Interrupted { .. }) => {
            let all = writer.trials().len() + waiting.iter().filter(|trial| !writer.has(trial.index)).count();
            Err(ScheduleError::Interrupted { finished: writer.trials().len(), all })?
        }
        recorded => recorded?,
    }
    writer.finish()?;
    Ok(Part::open(&part)?)
}

/// Returns the guest kernels that a plan names, if they are known here.
fn kernels(plan: &Plan) -> Vec<Kernel> {
    let known = |name: &str| {
        let (name, entry) = kernel(name).ok()?;
        let lacks = lacks(&entry);
        let freebsd = entry.freebsd.map(|stack| stack.congestion_controls);
        Some(Kernel {
            names: vec![name],
            congestion_controls: entry.congestion_controls,
            freebsd,
            lacks,
            is_stale: false,
        })
    };
    plan.kernels().into_iter().filter_map(known).collect()
}

/// Moves a trial's recording into a part.
fn move_to(writer: &mut Writer, folder: &RunFolder, index: usize) -> Result<(), FileError> {
    writer.add(index, &folder.trial(index)?)?;
    folder.forget(index)
}
