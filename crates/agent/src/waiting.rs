//! Waits for the trial's flows and for the user's commands that do not run in the background.

use crate::sys;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// A success, or why the trial cannot go on.
pub type Outcome = Result<(), String>;

/// Flows and commands that have not ended yet.
pub struct Waiting {
    /// Name of each; `None` once it has ended.
    names: Vec<Option<String>>,
    reporter: Sender<(usize, Outcome)>,
    reports: Receiver<(usize, Outcome)>,
}

/// Reports that a flow or command has ended, or that the trial has failed.
#[derive(Clone)]
pub struct Reporter {
    number: usize,
    reporter: Sender<(usize, Outcome)>,
}

impl Reporter {
    /// Sends the outcome, which is lost if the trial is over.
    pub fn report(&self, outcome: Outcome) {
        let _ = self.reporter.send((self.number, outcome));
    }
}

impl Waiting {
    pub fn new() -> Waiting {
        let (reporter, reports) = channel();
        Waiting { names: vec![], reporter, reports }
    }

    pub fn add(&mut self, name: String) -> Reporter {
        self.names.push(Some(name));
        Reporter { number: self.names.len() - 1, reporter: self.reporter.clone() }
    }

    /// Returns a reporter for work that can fail the trial but that nobody waits for.
    pub fn background_reporter(&self) -> Reporter {
        Reporter { number: usize::MAX, reporter: self.reporter.clone() }
    }

    /// Waits until all have ended, or until `deadline` (CLOCK_MONOTONIC, ns).
    pub fn wait(mut self, deadline: u64) -> Outcome {
        drop(self.reporter);
        while let Some(name) = self.names.iter().flatten().next() {
            let left = Duration::from_nanos(deadline.saturating_sub(sys::now()));
            let (number, outcome) = self.reports.recv_timeout(left).map_err(|e| match e {
                RecvTimeoutError::Timeout => format!("{name} had not ended at the trial's time limit"),
                RecvTimeoutError::Disconnected => format!("{name}: its thread is gone"),
            })?;
            outcome?;
            if let Some(name) = self.names.get_mut(number) {
                *name = None;
            }
        }
        Ok(())
    }
}
