//! Progress of a long operation: a bar on a terminal, or else a line per stage and minute.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use evidence::plain;
use indicatif::{ProgressBar, ProgressStyle};

use base::output;

const A_MINUTE: Duration = Duration::from_secs(60);

/// Destination of progress reports.
#[derive(Debug)]
pub struct Progress {
    stage: String,
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Lines { last: Instant },
    Bar(ProgressBar),
}

impl Progress {
    /// Shows progress on standard error, as a bar if that is a terminal.
    pub fn stderr() -> Progress {
        let shown = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(200));
            Shown::Bar(bar)
        } else {
            Shown::Lines { last: Instant::now() }
        };
        Progress { stage: String::new(), shown }
    }

    pub fn quiet() -> Progress {
        Progress { stage: String::new(), shown: Shown::Nothing }
    }

    /// Begins a stage, such as `building Linux 7.3.4`.
    pub fn stage(&mut self, name: impl Into<String>) {
        self.stage = plain::line(&name.into()).into_owned();
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Lines { last } => {
                *last = Instant::now();
                output::note(&self.stage);
            }
            Shown::Bar(bar) => {
                bar.set_style(style("{spinner} {msg} {elapsed}"));
                bar.set_message(self.stage.clone());
            }
        }
    }

    /// Reports that the stage did `done` of about `about` steps.
    pub fn step(&mut self, done: usize, about: usize) {
        let percent = percent(done, about);
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Lines { last } => {
                if last.elapsed() >= A_MINUTE {
                    *last = Instant::now();
                    output::note(format_args!("{}: {percent} %", self.stage));
                }
            }
            Shown::Bar(bar) => {
                if bar.length() != Some(100) {
                    bar.set_length(100);
                    bar.set_style(style("{spinner} {msg} [{bar:30}] {percent} % {elapsed}"));
                }
                bar.set_position(percent);
            }
        }
    }

    /// Prints a note for the user, which stays on the screen.
    pub fn note(&mut self, text: &str) {
        let text = plain::text(text);
        match &self.shown {
            Shown::Nothing => {}
            Shown::Lines { .. } => output::note(text),
            Shown::Bar(bar) => bar.suspend(|| output::note(text)),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// Returns the percentage. Never 100 before the end, since the number of steps is an estimate.
fn percent(done: usize, about: usize) -> u64 {
    (done * 100 / about.max(1)).min(99) as u64
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_never_reaches_the_end() {
        assert_eq!([percent(0, 1500), percent(750, 1500), percent(1600, 1500), percent(1, 0)], [0, 50, 99, 99]);
    }
}
