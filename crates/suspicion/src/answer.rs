//! The answer: what became of each hypothesis, in the order of what must be assumed.

use super::State;
use super::decide::{Decision, FixRow};
use super::predict::Hypothesis;
use super::prune::Left;
use super::template::Parameter;
use crate::differs::Differs;
use crate::facts::{self, Case, Key};
use crate::formula::{Interval, Kind};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Outcome of a hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The lab shows every number that it predicts.
    Fits,
    /// Arithmetic allows it, and no trial was made.
    Possible,
    /// The lab comes within a quarter.
    Nearly,
    /// The line alone shows the same numbers.
    NotNeeded,
    /// A coarse search in the lab did not find the numbers: no proof against it.
    NotReproduced,
    /// Arithmetic allows it, and what differs between the runs does not.
    RuledOut,
    /// It predicts none of the stated numbers.
    NotModelled,
    /// Arithmetic contradicts a stated number.
    Excluded,
    /// The facts have nothing that it needs.
    DoesNotApply,
}

impl Verdict {
    /// All verdicts with their words.
    pub const ALL: [(Verdict, &'static str); 9] = [
        (Verdict::Fits, "fits"),
        (Verdict::Possible, "possible"),
        (Verdict::Nearly, "nearly"),
        (Verdict::NotNeeded, "not needed"),
        (Verdict::NotReproduced, "not reproduced"),
        (Verdict::RuledOut, "ruled out"),
        (Verdict::NotModelled, "not modelled"),
        (Verdict::Excluded, "excluded"),
        (Verdict::DoesNotApply, "does not apply"),
    ];

    /// Returns its word.
    pub fn word(self) -> &'static str {
        Verdict::ALL.iter().find(|(verdict, _)| *verdict == self).map_or("", |(_, word)| word)
    }

    /// True for a cause that is left. A coarse search that finds nothing proves nothing, so the lab takes none away but
    /// those that the line does not need.
    pub fn remains(self) -> bool {
        self.is_shown() || matches!(self, Verdict::Possible | Verdict::NotReproduced)
    }

    /// True for a cause that the lab shows, or nearly.
    pub fn is_shown(self) -> bool {
        matches!(self, Verdict::Fits | Verdict::Nearly)
    }
}

/// A hypothesis and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tested {
    pub name: String,
    /// Place in which it acts; `None` for everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    pub verdict: Verdict,
    /// First contradiction, or what the lab shows instead.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Values of its parameters and of the path that are left, as shown.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_map")]
    pub parameters: Vec<(String, String)>,
    /// How many of them are the template's own; the others are the path's.
    #[serde(skip)]
    pub own: usize,
    /// Numbers that the lab showed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Shown>,
    #[serde(skip)]
    pub says: String,
    #[serde(skip)]
    pub fix: String,
    /// What must be unusual for it to be the cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unusual: Vec<String>,
    /// Whether it has an experiment.
    #[serde(skip)]
    pub has_experiment: bool,
}

fn as_map<S: Serializer>(pairs: &[(String, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// A number in the lab beside the stated one, as shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    pub run: String,
    pub fact: &'static str,
    pub lab: String,
    pub stated: String,
}

/// The answer to a question about a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// Facts that arithmetic gave.
    pub derived: Vec<String>,
    /// Facts that contradict one another.
    pub contradictions: Vec<String>,
    pub differs: Differs,
    /// Numbers that an explanation must predict.
    pub numbers: usize,
    /// Why it stopped before the lab, or before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Kernels that runs state and the lab did not run, with what changed since, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<String>,
    /// Hypotheses: what is left first, in the order of what must be assumed.
    pub hypotheses: Vec<Tested>,
    /// Excluded hypotheses, each with its first contradiction.
    pub excluded: BTreeMap<String, String>,
    /// Causes that need what the facts do not have.
    pub does_not_apply: Vec<String>,
    /// Assumed facts that everything rests on.
    pub rests_on: Vec<String>,
    pub decides: Vec<Decision>,
    pub fixes: Vec<FixRow>,
}

/// Names of causes, without the line alone.
pub type Named<'a> = Vec<&'a str>;

/// Words for a place that is a network: everything may act there.
const NETWORKS: [&str; 12] =
    ["wi-fi", "wifi", "radio", "lte", "5g", "dsl", "isp", "wan", "switch", "line", "internet", "satellite"];

/// Returns what must be unusual for a hypothesis to be the cause: values that are not seen in practice, and a cause of
/// networks inside a host.
pub(super) fn unusual(case: &Case, hypothesis: &Hypothesis, left: &Left) -> Vec<String> {
    let of_parameters = hypothesis.template.parameters.iter().zip(left.hull()).filter_map(|(one, value)| {
        let usual = one.usual.filter(|usual| !usual.meets(value) && !is_stated(case, one))?;
        let [value, usual] = [value, usual].map(|interval| one.kind.show(interval));
        Some(format!("{} would be {value}, and is usually {usual}", one.name.replace('_', " ")))
    });
    let is_host = |(key, value): &&(&str, String)| {
        let word = value.to_lowercase();
        ["via", "host"].contains(key) && !NETWORKS.iter().any(|network| word.contains(network))
    };
    let host = hypothesis.place.iter().find(is_host).filter(|_| !hypothesis.template.inside);
    let of_place = host.map(|(_, value)| format!("somebody must have put it into {value}"));
    let rare = Some(hypothesis.template.rare.clone()).filter(|rare| !rare.is_empty());
    of_parameters.chain(rare).chain(of_place).collect()
}

/// True if a run states the fact that fixes a parameter.
fn is_stated(case: &Case, parameter: &Parameter) -> bool {
    parameter.fact.is_some_and(|fact| case.runs.iter().any(|run| run.facts.has(fact)))
}

/// Returns the place of a hypothesis in the order of what must be assumed: the line alone, then what needs nothing
/// unusual, then by the number of values that nobody stated.
pub(super) fn order(case: &Case, state: &State) -> (usize, usize, usize, String) {
    let State { hypothesis, left, unusual, .. } = state;
    let own = hypothesis.template.parameters.len();
    let unsure = left.axes.len().saturating_sub(own);
    let known = hypothesis.template.parameters.iter().filter(|one| is_stated(case, one)).count();
    let assumed = if hypothesis.is_line() { 0 } else { own + unsure - known.min(own) };
    (unusual.len(), assumed, hypothesis.place.len(), hypothesis.name())
}

impl Answer {
    pub(super) fn new(
        case: &Case,
        derived: Vec<String>,
        differs: Differs,
        states: &[State],
        decides: Vec<Decision>,
        fixes: Vec<FixRow>,
        stopped: Option<String>,
    ) -> Answer {
        let mut hypotheses: Vec<Tested> = vec![];
        let (mut excluded, mut does_not_apply) = (BTreeMap::new(), vec![]);
        let mut sorted: Vec<&State> = states.iter().collect();
        // The order of what must be assumed stays within each verdict.
        sorted.sort_by_key(|state| state.verdict);
        for state in sorted {
            let name = &state.hypothesis.template.name;
            // A cause that is left in one place is not excluded by being impossible in another.
            let is_kept = hypotheses.iter().any(|other| &other.name == name);
            match state.verdict {
                Verdict::Excluded if !is_kept => {
                    excluded.entry(name.clone()).or_insert_with(|| state.why.clone());
                }
                Verdict::DoesNotApply if !does_not_apply.contains(name) => does_not_apply.push(name.clone()),
                Verdict::Excluded | Verdict::DoesNotApply => {}
                verdict if is_kept && !verdict.remains() => {}
                _ => hypotheses.push(tested(state)),
            }
        }
        Answer {
            says: case.says.clone(),
            derived,
            contradictions: facts::contradictions(case),
            differs,
            numbers: case.count(),
            stopped,
            kernels: vec![],
            hypotheses,
            excluded,
            does_not_apply,
            rests_on: states.first().map(|state| state.hypothesis.rests_on(case)).unwrap_or_default(),
            decides,
            fixes,
        }
    }

    /// Returns the names of causes that are left, without the line alone.
    pub fn causes(&self) -> Named<'_> {
        let left = self.hypotheses.iter().filter(|one| one.verdict.remains() && !one.is_line());
        let mut names: Vec<&str> = left.map(|one| one.name.as_str()).collect();
        names.dedup();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the names of causes that are left and need nothing unusual; all that are left, if each does.
    pub fn likely(&self) -> Named<'_> {
        let all = self.causes();
        let likely: Named = all.iter().copied().filter(|name| self.is_usual(name)).collect();
        if likely.is_empty() { all } else { likely }
    }

    /// True if one cause is left that needs nothing unusual.
    pub fn names_one(&self) -> bool {
        matches!(self.likely()[..], [one] if self.is_usual(one))
    }

    /// True if a cause that is left needs nothing unusual in one of its places.
    fn is_usual(&self, name: &str) -> bool {
        self.hypotheses.iter().any(|one| one.name == name && one.verdict.remains() && one.unusual.is_empty())
    }

    /// Returns the names of causes that fit in the lab.
    pub fn shown(&self) -> Named<'_> {
        let left = self.hypotheses.iter().filter(|one| one.verdict == Verdict::Fits && !one.is_line());
        let mut names: Vec<&str> = left.map(|one| one.name.as_str()).collect();
        names.dedup();
        names
    }

    /// True if the lab shows that the line alone explains every number.
    pub fn is_line_enough(&self) -> bool {
        self.line().is_some_and(|line| line.verdict == Verdict::Fits)
    }

    /// Returns the line alone.
    pub fn line(&self) -> Option<&Tested> {
        self.hypotheses.iter().find(|one| one.is_line())
    }
}

impl Tested {
    /// True for the line alone.
    pub fn is_line(&self) -> bool {
        self.name == "line"
    }
}

/// Most hypotheses whose numbers in the lab are listed: JSON stays short.
const MAX_ROWS: usize = 8;

fn tested(state: &State) -> Tested {
    let State { hypothesis, left, verdict, why, shown, unusual } = state;
    let values: Vec<Interval> = match shown {
        Some(shown) if verdict.is_shown() => shown.point.iter().map(|value| Interval::exactly(*value)).collect(),
        _ => left.hull(),
    };
    let named = |at: usize, value: &Interval| {
        let kind = left.axes.get(at).map_or(Kind::Count, |axis| axis.kind);
        (left.axes.get(at).map_or(String::new(), |axis| axis.name.clone()), kind.show(*value))
    };
    let row = |row: &super::search::Row| {
        let kind = Key::kind_of(row.fact);
        Some(Shown { run: row.run.clone(), fact: row.fact, lab: kind.show(row.shown?), stated: kind.show(row.stated) })
    };
    let rows = shown.iter().filter(|_| verdict.is_shown()).flat_map(|shown| shown.rows.iter().filter_map(row));
    Tested {
        name: hypothesis.template.name.clone(),
        place: hypothesis.place_text(),
        verdict: *verdict,
        why: why.clone(),
        // The values of causes that are not left would fill the answer.
        parameters: values
            .iter()
            .enumerate()
            .filter(|_| verdict.remains())
            .map(|(at, value)| named(at, value))
            .collect(),
        own: hypothesis.template.parameters.len(),
        rows: rows.take(MAX_ROWS).collect(),
        says: hypothesis.template.says.clone(),
        fix: hypothesis.template.fix.clone(),
        unusual: unusual.clone(),
        has_experiment: hypothesis.template.experiment.is_some(),
    }
}
