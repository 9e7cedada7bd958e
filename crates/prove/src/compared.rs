//! Other runs of the evidence against what was predicted of them: a change whose outcome is known, predicted unseen.

use super::case::Case;
use super::other_runs::{Measured, beyond};
use super::row::ChangeRow;
use super::words::far;
use base::show;
use serde::{Deserialize, Serialize};

/// A run, and what was predicted of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Place of the listing that prints it.
    pub place: String,
    /// What differs from the explained run, by the names of the rows; empty for a repetition.
    pub changed: Vec<String>,
    /// Goodput of all its streams, bit/s.
    pub goodput: Compared,
    /// Segments retransmitted; `None` unless both runs count them.
    pub retransmitted: Option<Compared>,
    /// Standard deviation of its streams' goodput over their mean; `None` for one stream.
    pub unevenness: Option<Compared>,
}

/// A figure and its prediction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The figure of the run.
    pub measured: f64,
    /// The range that holds nine of ten runs; `None` if the lab cannot make the change.
    pub predicted: Option<Range>,
}

/// A range of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Its least value.
    pub low: f64,
    /// Its largest value; `None` if it has no upper end.
    pub high: Option<f64>,
}

impl From<[f64; 2]> for Range {
    fn from([low, high]: [f64; 2]) -> Range {
        Range { low, high: Some(high) }
    }
}

impl Range {
    /// Formats the range; the unit that both ends share stands once.
    fn words(self, shown: &dyn Fn(f64) -> String) -> String {
        let low = shown(self.low);
        match self.high.map(shown) {
            None => format!("{low} or more"),
            Some(high) if high == low => high,
            Some(high) => match (low.split_once(' '), high.split_once(' ')) {
                (Some((number, unit)), Some((_, same))) if unit == same => format!("{number} to {high}"),
                _ => format!("{low} to {high}"),
            },
        }
    }
}

impl Compared {
    /// Returns how far the figure is outside its range, as a share of the nearer end; `None` if inside.
    fn off(&self) -> Option<f64> {
        let range = self.predicted?;
        beyond(self.measured, [range.low, range.high.unwrap_or(f64::INFINITY)])
    }

    fn words(&self, name: &str, shown: &dyn Fn(f64) -> String) -> String {
        let measured = shown(self.measured);
        match (self.predicted, self.off()) {
            (None, _) => format!("{name} {measured}"),
            (Some(range), None) => format!("{name} {measured}, predicted {}", range.words(shown)),
            (Some(range), Some(off)) => format!("{name} {measured}, {} the predicted {}", far(off), range.words(shown)),
        }
    }
}

/// Sets each other run beside the row of its change.
pub fn compare(case: &Case, rows: &[ChangeRow]) -> Vec<Comparison> {
    let watched = case.instrument.seconds() - case.instrument.omitted;
    let of = |run: &Measured| {
        let row = rows.iter().find(|row| row.measured.contains(run));
        let times = run.seconds.map_or(1.0, |seconds| seconds / watched);
        let goodput = row.map(|row| {
            let [low, high] = row.goodput();
            Range { low, high: (!row.is_open()).then_some(high) }
        });
        let again = row.and_then(ChangeRow::segments_again).map(|range| range.map(|count| (count * times).round()));
        let counted = run.retransmitted.filter(|_| case.seen.retransmitted.is_some());
        let unevenness = row.and_then(ChangeRow::unevenness);
        Comparison {
            place: run.place.clone(),
            changed: run.changed.clone(),
            goodput: Compared { measured: run.goodput, predicted: goodput },
            retransmitted: counted.map(|measured| Compared { measured, predicted: again.map(Range::from) }),
            unevenness: run.unevenness.map(|measured| Compared { measured, predicted: unevenness.map(Range::from) }),
        }
    };
    case.measured.iter().map(of).collect()
}

impl Comparison {
    /// Describes the comparison in a sentence.
    pub fn sentence(&self) -> String {
        let with = match self.changed.is_empty() {
            true => "the same again".into(),
            false => format!("with {}", self.changed.join(" + ")),
        };
        let count = |count: f64| format!("{count:.0}");
        let mut told = vec![self.goodput.words("goodput", &show::rate)];
        told.extend(self.retransmitted.as_ref().map(|one| one.words("retransmitted", &count)));
        told.extend(self.unevenness.as_ref().map(|one| one.words("streams uneven by", &show::share)));
        let mut says = format!("{}, {with}: {}.", self.place, told.join("; "));
        match (self.goodput.predicted, self.changed.len()) {
            (None, _) => says += " Not predicted: the lab cannot make that change alone. Prove that run by itself.",
            (Some(_), 0 | 1) => {}
            (Some(_), count) => {
                says +=
                    &format!(" The runs differ in {count} things at once: run each change alone to tell which did it.");
            }
        }
        says
    }

    /// Whether goodput lies in its range; `None` if nothing was predicted.
    pub fn agrees(&self) -> Option<bool> {
        self.goodput.predicted.map(|_| self.goodput.off().is_none())
    }

    /// Whether the other figures lie in their ranges.
    pub fn agrees_wholly(&self) -> bool {
        [&self.retransmitted, &self.unevenness].into_iter().flatten().all(|one| one.off().is_none())
    }
}
