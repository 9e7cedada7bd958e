//! One command of goodput at a time, in a process of its own that ends in time.

use super::tools::Work;
use base::process::{Signal, signal};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Most output that is kept of a command, bytes.
const MAX_OUTPUT_BYTES: u64 = 4 << 20;

/// How often a command is looked at, and how long it may take to end after it was asked to.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
const END_PATIENCE: Duration = Duration::from_secs(10);

/// How a command ended.
pub struct Ended {
    pub output: String,
    pub errors: String,
    pub how: How,
}

pub enum How {
    Exit(i32),
    Time,
    Cancelled,
    Failed(String),
}

/// Runs goodput with arguments in `folder` until it ends, its time is over, or `cancelled` is set.
pub fn run(work: &Work, folder: &Path, cancelled: &Arc<AtomicBool>) -> Ended {
    let failed = |why: String| Ended { output: String::new(), errors: String::new(), how: How::Failed(why) };
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return failed(error.to_string()),
    };
    let mut command = Command::new(program);
    command.args(&work.arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    match command.spawn() {
        Ok(child) => watch(child, work.limit, cancelled),
        Err(error) => failed(error.to_string()),
    }
}

fn watch(mut child: Child, limit: Duration, cancelled: &Arc<AtomicBool>) -> Ended {
    let output = drained(child.stdout.take());
    let errors = drained(child.stderr.take());
    let began = Instant::now();
    let mut asked: Option<(Instant, How)> = None;
    let how = loop {
        match child.try_wait() {
            Ok(Some(status)) => break asked.map_or(How::Exit(status.code().unwrap_or(-1)), |(_, how)| how),
            Ok(None) => {}
            Err(error) => break How::Failed(error.to_string()),
        }
        match &asked {
            Some((since, _)) if since.elapsed() > END_PATIENCE => drop(child.kill()),
            Some(_) => {}
            None => {
                let is_cancelled = cancelled.load(Ordering::SeqCst);
                if is_cancelled || began.elapsed() > limit {
                    signal(child.id(), Signal::SIGTERM);
                    asked = Some((Instant::now(), if is_cancelled { How::Cancelled } else { How::Time }));
                }
            }
        }
        thread::sleep(POLL_INTERVAL);
    };
    Ended { output: output.join().unwrap_or_default(), errors: errors.join().unwrap_or_default(), how }
}

/// Reads a pipe to its end, and keeps the start.
fn drained(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let Some(mut pipe) = pipe else { return String::new() };
        let mut kept = vec![];
        let _ = pipe.by_ref().take(MAX_OUTPUT_BYTES).read_to_end(&mut kept);
        let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        String::from_utf8_lossy(&kept).into_owned()
    })
}
