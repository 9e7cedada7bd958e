//! Runs a trial: submits it, then polls until it has ended.

use base::process::{self, Signal};
use plan::Trial;
use std::ffi::OsString;
use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub trait Runner: Debug + Send + Sync {
    /// Starts a trial of the plan in this file. The trial writes its recording into the plan's folder.
    fn submit(&self, plan: &Path, trial: &Trial) -> io::Result<Box<dyn Job>>;
}

/// A submitted trial.
pub trait Job {
    /// Returns how it ended, `Err` with the trial's own account of its failure; `None` while it runs.
    fn ask(&mut self) -> io::Result<Option<Result<(), String>>>;
    fn cancel(&mut self) -> io::Result<()>;
}

/// Time that a trial gets to end its guest.
const GUEST_STOP_TIME: Duration = Duration::from_millis(700);

/// Runs trials as processes of this machine, `goodput trial`, each in a process group that ends with ours.
#[derive(Debug, Default)]
pub struct Processes {
    /// Arguments of each process in addition to plan and index.
    pub arguments: Vec<String>,
    /// Source of what is handed over to each process.
    pub hands: Option<Box<dyn Hands>>,
}

/// Something made once for many trials.
pub trait Hands: Debug + Send + Sync {
    /// Hands it over to the process of a trial. Returns the arguments for that process.
    fn over(&self, trial: &Trial) -> io::Result<Vec<OsString>>;
}

impl Runner for Processes {
    /// Sends the trial itself: reading it out of a plan of many takes longer than running it.
    fn submit(&self, plan: &Path, trial: &Trial) -> io::Result<Box<dyn Job>> {
        let goodput = std::env::current_exe().map_err(|error| about("/proc/self/exe", error))?;
        let mut child = Command::new(&goodput)
            .arg("trial")
            .arg(plan)
            .arg(trial.index.to_string())
            .args(["--handed", "--parent", &std::process::id().to_string()])
            .args(&self.arguments)
            .args(self.hands.as_ref().map_or(Ok(vec![]), |hands| hands.over(trial))?)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| about(&goodput.display().to_string(), error))?;
        let text = serde_json::to_vec(trial).expect("a trial is plain data");
        match child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(&text)) {
            // After a broken pipe, the process itself says why it has ended.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(about("handing a trial over", error)),
            _ => Ok(Box::new(child)),
        }
    }
}

fn about(what: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

impl Job for Child {
    fn ask(&mut self) -> io::Result<Option<Result<(), String>>> {
        let Some(status) = self.try_wait()? else { return Ok(None) };
        if status.success() {
            return Ok(Some(Ok(())));
        }
        let mut why = String::new();
        if let Some(mut stderr) = self.stderr.take() {
            stderr.read_to_string(&mut why).map_err(|error| about("what the trial said", error))?;
        }
        match why.trim().trim_start_matches("goodput: ") {
            "" => Ok(Some(Err(format!("its process ended without a word ({status})")))),
            why => Ok(Some(Err(why.to_owned()))),
        }
    }

    fn cancel(&mut self) -> io::Result<()> {
        process::signal_group(self.id(), Signal::SIGTERM);
        let asked = Instant::now();
        while self.try_wait()?.is_none() {
            if asked.elapsed() > GUEST_STOP_TIME {
                self.kill()?;
                return self.wait().map(drop);
            }
            thread::sleep(Duration::from_millis(2));
        }
        Ok(())
    }
}
