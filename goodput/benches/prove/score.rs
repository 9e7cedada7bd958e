//! Verdicts on the paths against the truth.

use super::draw::{Cause, Drawn, Source};
use base::stats::binomial_interval;
use prove::{ChangeRow, Explanation, Fit, Verdict, criterion};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Kind of prediction on a page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Told {
    /// The line's rate shows under the first explanation.
    Rate,
    /// The link's rate does not show, and the fitting explanations span a range.
    Range,
    /// The link's rate does not show, and a much faster link fits too: no upper end.
    Least,
}

impl Told {
    const ALL: [(Told, &'static str); 3] = [
        (Told::Rate, "shows"),
        (Told::Range, "does not show, so that the page gives a range"),
        (Told::Least, "does not show, so that the page gives a least value"),
    ];

    fn of(verdict: &Verdict, row: Option<&ChangeRow>) -> Told {
        match (row.is_some_and(ChangeRow::is_open), verdict.explanations.first()) {
            (true, _) => Told::Least,
            (false, Some(first)) if !first.knows_rate() => Told::Range,
            (false, _) => Told::Rate,
        }
    }
}

/// Result of a path.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Outcome {
    /// Drawn causes, and those among them that limit the transfer.
    drawn: Vec<String>,
    causes: Vec<String>,
    /// Source of the evidence.
    source: Source,
    /// Whether the laboratory reproduces the evidence with the drawn causes.
    reached: bool,
    /// Accepted explanations, the likeliest first.
    accepted: Vec<String>,
    /// Whether an explanation names all limiting causes and no cause that was not drawn; or some of them.
    exact: bool,
    part: bool,
    /// Quantities of the true explanation whose interval contains the true value, and all its quantities.
    covered: [usize; 2],
    /// For the first change: true goodput, whether it is in the interval, and the first explanation's prediction over
    /// the true one.
    predicted: Option<(f64, bool, f64)>,
    /// The prediction on the page.
    told: Told,
    /// True goodput with the first change over that of the best that was tried.
    chosen: Option<f64>,
    /// Whether the first change makes goodput worse on the true path, or doubles p95 without saying so.
    harm: bool,
    /// Whether the wrong mechanism was refused.
    refused: Option<bool>,
    trials: usize,
    /// How much likelier the drawn causes are than the accepted explanation: difference of Akaike's criterion.
    #[serde(default)]
    likelier: Option<f64>,
}

/// Difference of criteria that separates explanations: χ² with one degree of freedom exceeds it in 1 % of all cases.
const MIN_TELLING_GAP: f64 = 6.6;

impl Outcome {
    /// Scores a path: `truth` has goodput and p95 on the true path with each change.
    pub fn of(
        drawn: &Drawn,
        binding: &[&str],
        verdict: &Verdict,
        truth: &[[f64; 2]],
        refused: Option<bool>,
        itself: Option<&Fit>,
    ) -> Outcome {
        let names = drawn.names();
        let is_exact = |one: &Explanation| {
            one.name.split(" + ").all(|name| names.contains(&name) || binding.contains(&name))
                && binding.iter().all(|name| one.names(name))
        };
        let exact = verdict.explanations.iter().find(|one| is_exact(one));
        let part = verdict.explanations.iter().any(|one| binding.iter().any(|name| one.names(name)));
        let first = verdict.best().and_then(|best| verdict.rows.iter().position(|row| row.name == best.name));
        let place = first.unwrap_or(0);
        let predicted = verdict.rows.get(place).zip(truth.get(place)).map(|(row, [goodput, _])| {
            let [low, high] = row.goodput();
            let usual = row
                .effects
                .first()
                .map_or(0.0, |effect| effect.goodput.iter().sum::<f64>() / effect.goodput.len() as f64);
            let inside = *goodput >= 0.97 * low && (*goodput <= 1.03 * high || row.is_open());
            (*goodput, inside, usual / goodput)
        });
        let best = truth.iter().map(|[goodput, _]| *goodput).fold(0.0, f64::max);
        let harm = first.is_some_and(|at| {
            let ([now, idle], [goodput, p95]) = (truth[0], truth[at]);
            goodput < 0.95 * now || p95 > 2.0 * idle && !verdict.rows[at].is_slower()
        });
        Outcome {
            drawn: names.iter().map(|name| (*name).to_owned()).collect(),
            causes: binding.iter().map(|name| (*name).to_owned()).collect(),
            source: drawn.source(),
            reached: itself.is_some_and(Fit::holds),
            accepted: verdict.explanations.iter().map(|one| one.name.clone()).collect(),
            exact: exact.is_some(),
            part,
            covered: exact.map_or([0, 0], |one| covered(drawn, one)),
            predicted,
            told: Told::of(verdict, verdict.rows.get(place)),
            chosen: truth.get(place).map(|[goodput, _]| goodput / best),
            harm,
            refused,
            trials: verdict.trials,
            likelier: itself
                .zip(verdict.explanations.first())
                .map(|(fit, first)| criterion(&first.candidate, &first.fit) - criterion(&drawn.candidate(), fit)),
        }
    }

    /// Returns the outcome as a line of text.
    pub fn line(&self) -> String {
        format!(
            "{} ({} binds) | {} | exact {} part {} covered {:?} predicted {:?} chosen {:?} harm {} refused {:?} likelier {:?} \
             trials {}",
            self.drawn.join(" + "),
            self.causes.join(" + "),
            self.accepted.join(", "),
            self.exact,
            self.part,
            self.covered,
            self.predicted,
            self.chosen,
            self.harm,
            self.refused,
            self.likelier,
            self.trials
        )
    }
}

/// Quantities of the mechanisms, and the line's rate where it shows: how many lie in their intervals, and all.
fn covered(drawn: &Drawn, one: &Explanation) -> [usize; 2] {
    let line = [drawn.rate].into_iter().take(usize::from(one.knows_rate())).zip(one.ranges.iter());
    let mut all: Vec<bool> = line.map(|(value, [low, high])| (*low..=*high).contains(&value)).collect();
    let mut ranges = one.ranges[2..].iter();
    for part in &one.candidate.parts {
        let own = drawn.causes.iter().find_map(|cause| match cause {
            Cause::Mechanism(kind, values) if *kind == part.kind => Some(values),
            _ => None,
        });
        for at in 0..part.values.len() {
            if let (Some(values), Some([low, high])) = (own, ranges.next()) {
                all.push((*low..=*high).contains(&values[at]));
            }
        }
    }
    [all.iter().filter(|inside| **inside).count(), all.len()]
}

/// A count of all, and the 95 % interval of its probability, as if cases were independent.
fn of_all(some: usize, all: usize) -> String {
    let interval = binomial_interval(some as u64, all as u64, 0.95).map(|ends| ends.map(|share| 100.0 * share));
    interval.map_or("none".into(), |[low, high]| format!("{some} of {all} ({low:.0} to {high:.0} %)"))
}

/// The table for all paths, for those with one and with two mechanisms, and by kind of evidence.
pub fn tables(outcomes: &[Outcome]) -> String {
    let mut text =
        String::from("| | all | one drawn | two drawn | JSON | text | ss |\n|---|---|---|---|---|---|---|\n");
    let of = |is: &dyn Fn(&&Outcome) -> bool| outcomes.iter().filter(is).collect::<Vec<&Outcome>>();
    let groups: [Vec<&Outcome>; 6] = [
        outcomes.iter().collect(),
        of(&|one| one.drawn.len() == 1),
        of(&|one| one.drawn.len() == 2),
        of(&|one| one.source == Source::Json),
        of(&|one| one.source == Source::Text),
        of(&|one| one.source == Source::Ss),
    ];
    let mut row = |name: &str, of: &dyn Fn(&[&Outcome]) -> String| {
        let cells: Vec<String> = groups.iter().map(|group| of(group)).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    };
    let count = |group: &[&Outcome], is: &dyn Fn(&Outcome) -> Option<bool>| {
        let told: Vec<bool> = group.iter().filter_map(|one| is(one)).collect();
        of_all(told.iter().filter(|yes| **yes).count(), told.len())
    };
    row("paths", &|group| group.len().to_string());
    row("the lab reproduces it with what was drawn", &|group| count(group, &|one| Some(one.reached)));
    row("an explanation names all that binds, and nothing that is not there", &|group| {
        count(group, &|one| Some(one.exact))
    });
    row("an explanation names some of what binds", &|group| count(group, &|one| Some(one.part)));
    row("of those it misses: what was drawn is likelier, so that the search missed it", &|group| {
        count(group, &|one| if one.exact { None } else { Some(one.likelier? >= MIN_TELLING_GAP) })
    });
    row("nothing reproduced", &|group| count(group, &|one| Some(one.accepted.is_empty())));
    row("explanations, mean", &|group| {
        format!(
            "{:.2}",
            group.iter().map(|one| one.accepted.len() as f64).fold(0.0, |a, b| a + b) / group.len().max(1) as f64
        )
    });
    row("quantities in their intervals", &|group| {
        let sum = |at: usize| group.iter().map(|one| one.covered[at]).sum::<usize>();
        of_all(sum(0), sum(1))
    });
    row("true goodput after the first change within its interval", &|group| {
        count(group, &|one| Some(one.predicted?.1))
    });
    for (told, name) in Told::ALL {
        row(
            &format!("the first explanation's prediction where the line's rate {name}: error, median, 90 %, largest"),
            &|group| {
                let own = group.iter().filter(|one| one.told == told);
                let mut errors: Vec<f64> = own.filter_map(|one| Some((one.predicted?.2 - 1.0).abs() * 100.0)).collect();
                errors.sort_by(f64::total_cmp);
                let at = |share: f64| errors[((errors.len() - 1) as f64 * share).round() as usize];
                match errors.last() {
                    Some(most) => format!("{:.0}, {:.0}, {most:.0} % of {}", at(0.5), at(0.9), errors.len()),
                    None => "none".into(),
                }
            },
        );
    }
    row("first change within 5 % of the best tried", &|group| count(group, &|one| Some(one.chosen? >= 0.95)));
    row("first change does unspoken harm", &|group| count(group, &|one| Some(one.harm)));
    row("a wrong mechanism alone is refused", &|group| count(group, &|one| one.refused));
    row("trials, mean", &|group| {
        format!("{:.0}", group.iter().map(|one| one.trials as f64).fold(0.0, |a, b| a + b) / group.len().max(1) as f64)
    });
    text
}
