//! Output: Markdown tables to paste into docs/reference/statistics.md.

use base::stats::{ALPHA, LEVEL, binomial_interval, binomial_upper};

/// How often something happened.
#[derive(Clone, Copy, Default)]
pub struct Share {
    hits: u64,
    trials: u64,
}

impl Share {
    /// Counts the trials in which `happens` is true.
    pub fn of(trials: u64, mut happens: impl FnMut() -> bool) -> Share {
        let mut share = Share::default();
        (0..trials).for_each(|_| share.count(happens()));
        share
    }

    /// Adds one trial.
    pub fn count(&mut self, hit: bool) {
        self.trials += 1;
        self.hits += u64::from(hit);
    }

    /// Hits over trials.
    pub fn share(self) -> f64 {
        self.hits as f64 / self.trials as f64
    }

    /// "95.2 (94.2 to 96.1)": percent, with the exact interval.
    pub fn text(self) -> String {
        let [low, high] = binomial_interval(self.hits, self.trials, LEVEL).unwrap_or([f64::NAN; 2]);
        format!("{:.1} ({:.1} to {:.1})", 100.0 * self.share(), 100.0 * low, 100.0 * high)
    }

    /// The share that it is at most, at [`LEVEL`].
    pub fn upper(self) -> f64 {
        binomial_upper(self.hits, self.trials, LEVEL).unwrap_or(f64::NAN)
    }

    /// The share that it is at least, at [`LEVEL`].
    pub fn lower(self) -> f64 {
        1.0 - binomial_upper(self.trials - self.hits, self.trials, LEVEL).unwrap_or(f64::NAN)
    }

    /// Text of the share, marked if 95 % intervals cover too rarely or too often.
    pub fn covers(self) -> String {
        self.marked(!(0.93..=0.97).contains(&self.share()))
    }

    /// Text of the share, marked if it surely exceeds the allowed rate of errors.
    pub fn errs(self) -> String {
        self.marked(self.lower() > ALPHA)
    }

    fn marked(self, missed: bool) -> String {
        self.text() + if missed { " missed" } else { "" }
    }
}

/// A Markdown table under a heading.
pub fn table(heading: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("**{heading}**\n\n{}{rule}{rows}", line(&head))
}
