//! Judgement of a row: our value against the published one.

use crate::native::{Case, Flow};
use crate::observe::Run;
use crate::rows::{Published, Row, Why};
use base::stats::{Centre, estimate};

/// Largest relative difference without a reason.
pub const MARGIN: f64 = 0.1;

/// Seeds that differ by more than this share of their mean are shown one by one.
const MAX_SEED_SPREAD: f64 = 0.2;

/// Values of several seeds, or of several runs.
pub struct Values(pub Vec<f64>);

impl Values {
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    pub fn range(&self) -> [f64; 2] {
        let ends = |least: fn(f64, f64) -> f64| self.0.iter().copied().reduce(least).unwrap_or(f64::NAN);
        [ends(f64::min), ends(f64::max)]
    }

    /// Whether a mean alone would hide how far they lie apart.
    pub fn are_apart(&self) -> bool {
        let [low, high] = self.range();
        high - low > MAX_SEED_SPREAD * self.mean()
    }

    /// The 95 % interval of the mean; of fewer than five values the lowest and the highest.
    pub fn interval(&self) -> [f64; 2] {
        estimate(&self.0, Centre::Mean).and_then(|estimate| estimate.interval).unwrap_or_else(|| self.range())
    }
}

/// Value to compare with.
pub enum Reference {
    Is(f64),
    AtLeast(f64),
    AtMost(f64),
    /// Measured on this machine.
    Measured(Values),
    /// Could not be measured, with the reason.
    Missing(String),
}

/// Result of a row.
pub struct Outcome<'r> {
    pub row: &'r Row,
    pub ours: Values,
    pub reference: Reference,
}

impl Outcome<'_> {
    /// Value that ours should equal, unless there is only a bound.
    fn expected(&self) -> Option<f64> {
        match &self.reference {
            Reference::Is(value) => Some(*value),
            Reference::Measured(values) => Some(values.mean()),
            _ => None,
        }
    }

    /// Our value over the expected one, unless that is 0.
    pub fn ratio(&self) -> Option<f64> {
        self.expected().filter(|expected| *expected != 0.0).map(|expected| self.ours.mean() / expected)
    }

    /// Whether our value agrees with the published one, within the margin; a bound must be met by every seed.
    fn agrees(&self) -> bool {
        let [low, high] = self.ours.range();
        match &self.reference {
            Reference::AtLeast(bound) => low >= *bound,
            Reference::AtMost(bound) => high <= *bound,
            Reference::Missing(_) => true,
            _ => self.expected().is_some_and(|is| (self.ours.mean() - is).abs() <= MARGIN * is),
        }
    }
}

/// Verdict on a row.
#[derive(Clone, Copy, PartialEq)]
pub enum Verdict {
    Agrees,
    /// Off, and other rows show the reason.
    Explained,
    /// Off, and the reason is not shown.
    Unproven,
    /// Off without a reason.
    Unexplained,
    /// Could not be compared on this machine.
    Missing,
}

/// Compares a row.
pub fn judge<'r>(
    row: &'r Row,
    run: &Run,
    natives: &[(Case, Result<Vec<Flow>, String>)],
) -> Result<Outcome<'r>, String> {
    let trials = run.point(row.at)?;
    let ours: Vec<f64> = trials.iter().map(|trial| run.value(trial, row.ours)).collect::<Result<_, _>>()?;
    let scaled = |value: f64| value / row.per;
    let reference = match row.published {
        Published::Is(value) => Reference::Is(value),
        Published::AtLeast(value) => Reference::AtLeast(value),
        Published::AtMost(value) => Reference::AtMost(value),
        Published::Of(formula) => {
            let values: Vec<f64> = trials.iter().map(|trial| run.value(trial, formula)).collect::<Result<_, _>>()?;
            Reference::Is(scaled(Values(values).mean()))
        }
        Published::Native(case, of) => match natives.iter().find(|(known, _)| *known == case).map(|(_, flows)| flows) {
            Some(Ok(flows)) => Reference::Measured(Values(flows.iter().map(|flow| scaled(of(flow))).collect())),
            Some(Err(why)) => Reference::Missing(why.clone()),
            None => Reference::Missing("it was not run".into()),
        },
    };
    Ok(Outcome { row, ours: Values(ours.into_iter().map(scaled).collect()), reference })
}

/// Verdict on each row; a reason counts as shown if all rows that it names agree.
pub fn verdicts(outcomes: &[Outcome]) -> Vec<Verdict> {
    let agrees = |id: &&str| outcomes.iter().any(|outcome| outcome.row.id == *id && outcome.agrees());
    let verdict = |outcome: &Outcome| match (&outcome.reference, outcome.agrees(), &outcome.row.why) {
        (Reference::Missing(_), _, _) => Verdict::Missing,
        (_, true, _) => Verdict::Agrees,
        (_, false, None) => Verdict::Unexplained,
        (_, false, Some(Why { by, .. })) if !by.is_empty() && by.iter().all(agrees) => Verdict::Explained,
        (_, false, Some(_)) => Verdict::Unproven,
    };
    outcomes.iter().map(verdict).collect()
}
