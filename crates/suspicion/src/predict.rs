//! Predictions of a hypothesis for a run, by formula, and their contradictions to what is stated.

use super::template::{Parameter, Template, USUAL_PLACES, VARIABLES};
use crate::facts::{Case, Fact, HEADER_BYTES, Key, Origin, Run};
use crate::formula::{Formula, Interval, Kind};
use base::model::response;
use std::collections::BTreeMap;

/// A template with where it acts.
#[derive(Debug, Clone)]
pub struct Hypothesis<'t> {
    pub template: &'t Template,
    /// Facts that switch it on, with the values that they must have; none if it acts in all runs.
    pub place: Vec<(&'static str, String)>,
    /// The line alone: what runs without the mechanism have.
    pub line: &'t Template,
}

/// An axis of the space that is searched: a parameter, or a fact of the path that is known as an interval.
#[derive(Debug, Clone)]
pub struct Axis {
    pub name: String,
    pub kind: Kind,
    pub range: Interval,
    pub resolution: f64,
    pub is_threshold: bool,
    /// Whether it is the path's, not the template's.
    pub is_path: bool,
}

/// A part of the space: an interval for each axis.
pub type Part = Vec<Interval>;

/// Range of a path's values where nothing is said: from an old modem to a data centre, and half round the world and
/// back.
const ASSUMED: [(&str, Interval); 2] =
    [("rate", Interval { low: 1e6, high: 1e11 }), ("rtt", Interval { low: 2e-5, high: 0.3 })];

/// Ratio of a fact's ends up to which its middle stands for it.
const KNOWN_RATIO: f64 = 1.3;

/// MTU where none is stated, bytes.
const USUAL_MTU: f64 = 1500.0;

/// Time of a run where none is stated, seconds: iperf3's.
const USUAL_DURATION_S: f64 = 10.0;

/// Share of the goodput that a steady mechanism has in its first second and after it, from and to.
const EARLY_SHARES: Interval = Interval { low: 0.03, high: 1.4 };
const LATE_SHARES: Interval = Interval { low: 0.6, high: 1.4 };

/// Share of a window and of tcp_rmem[2] that is used, from and to (net/ipv4/tcp.c, tcp_win_from_space; SO_RCVBUF is
/// doubled).
const WINDOW_SHARES: Interval = Interval { low: 0.5, high: 2.2 };
const RECEIVE_SHARES: Interval = Interval { low: 0.4, high: 1.1 };

/// Share of damaged frames of a mechanism that damages none.
const UNDAMAGED: Interval = Interval { low: 0.0, high: 1e-6 };

/// Returns the axes of a hypothesis over a case.
pub fn axes(template: &Template, case: &Case) -> Vec<Axis> {
    let own = template.parameters.iter().map(|one: &Parameter| Axis {
        name: one.name.clone(),
        kind: one.kind,
        range: one.range,
        resolution: one.resolution,
        is_threshold: one.is_threshold,
        is_path: false,
    });
    let unsure = ASSUMED.iter().filter_map(|(name, _)| {
        let range = of_path(case, name);
        let is_shared = case.runs.iter().any(|run| run.facts.number(name).is_none());
        (is_shared && range.high > KNOWN_RATIO * range.low).then(|| Axis {
            name: (*name).to_owned(),
            kind: Key::kind_of(name),
            range,
            resolution: 1.2,
            is_threshold: false,
            is_path: true,
        })
    });
    own.chain(unsure).collect()
}

/// Returns what the case says of its path, within what is assumed of any.
fn of_path(case: &Case, name: &str) -> Interval {
    let assumed = ASSUMED.iter().find(|(known, _)| *known == name).map_or(Interval::ANY, |(_, range)| *range);
    case.path.number(name).map_or(assumed, |stated| bounded(stated, assumed))
}

/// Ends a fact that is open at one end where assumptions end.
fn bounded(stated: Interval, assumed: Interval) -> Interval {
    let low = if stated.low > 0.0 { stated.low } else { assumed.low.min(stated.high) };
    let high = if stated.high.is_finite() { stated.high } else { assumed.high.max(stated.low) };
    Interval { low, high }
}

/// Returns the middle of a run's path: what the lab builds.
pub fn path_value(case: &Case, run: &Run, axes: &[Axis], part: &[Interval], name: &str) -> Interval {
    if let Some(own) = run.facts.number(name) {
        let assumed = ASSUMED.iter().find(|(known, _)| *known == name).map_or(Interval::ANY, |(_, range)| *range);
        return bounded(own, assumed);
    }
    match axes.iter().position(|axis| axis.is_path && axis.name == name) {
        Some(at) => part[at],
        None => of_path(case, name),
    }
}

/// Returns a run's MTU, bytes.
pub fn mtu(case: &Case, run: &Run) -> f64 {
    case.number(run, "mtu").map_or(USUAL_MTU, Interval::middle)
}

/// Returns the payload of a run's segments, bytes.
pub fn mss(case: &Case, run: &Run) -> f64 {
    let most = mtu(case, run) - HEADER_BYTES;
    run.facts.number("mss").map_or(most, |set| set.middle().min(most))
}

/// Returns a run's time, seconds.
pub fn duration(case: &Case, run: &Run) -> f64 {
    case.number(run, "duration").map_or(USUAL_DURATION_S, Interval::middle)
}

/// True if a run's congestion control is a version of BBR.
pub fn is_bbr(case: &Case, run: &Run) -> bool {
    case.label(run, "congestion").is_some_and(response::is_bbr)
}

/// Returns 1 for Reno, 0 for CUBIC and BBR, and either for controls whose response no formula has. DCTCP without marks
/// is Reno (RFC 8257, 3.4).
fn is_reno(case: &Case, run: &Run) -> Interval {
    match case.label(run, "congestion").unwrap_or("cubic") {
        "reno" | "newreno" | "dctcp" => Interval::exactly(1.0),
        "cubic" => Interval::exactly(0.0),
        control if response::is_bbr(control) => Interval::exactly(0.0),
        _ => Interval::new(0.0, 1.0),
    }
}

impl Hypothesis<'_> {
    /// Returns its name, with the place.
    pub fn name(&self) -> String {
        match self.place_text() {
            None => self.template.name.clone(),
            Some(place) => format!("{} where {place}", self.template.name),
        }
    }

    /// Returns the facts that switch it on, as words; `None` if it acts in all runs.
    pub fn place_text(&self) -> Option<String> {
        let facts: Vec<String> = self.place.iter().map(|(key, value)| format!("{key} is {value}")).collect();
        (!facts.is_empty()).then(|| facts.join(" and "))
    }

    /// True if its mechanism acts in a run.
    pub fn acts_in(&self, case: &Case, run: &Run) -> bool {
        // A datagram has no window.
        if self.template.tcp && run.is_udp() {
            return false;
        }
        let holds = |(key, value): &(&'static str, String)| label(case, run, key).as_ref() == Some(value);
        self.place.iter().all(holds)
    }

    /// Returns the values of the names that formulas use.
    pub fn values(&self, case: &Case, run: &Run, axes: &[Axis], part: &[Interval]) -> Vec<Interval> {
        let number = |name: &str| case.number(run, name);
        let open = Interval::exactly(f64::INFINITY);
        let path = |name: &str| path_value(case, run, axes, part, name);
        let [rate, mss] = [path("rate"), Interval::exactly(mss(case, run))];
        let of = |name: &str| match name {
            "rate" => rate,
            "rtt" => path("rtt"),
            "mtu" => Interval::exactly(mtu(case, run)),
            "mss" => mss,
            "line" => Formula::find("line").map_or(rate, |line| line.over(&[rate, mss])),
            "streams" => number("streams").unwrap_or(Interval::exactly(1.0)),
            "duration" => Interval::exactly(duration(case, run)),
            "window" => number("window").unwrap_or(open),
            "receive_max" => number("receive-max").unwrap_or(open),
            "send_buffer" => number("send-buffer").unwrap_or(open),
            "offered" => number("offered").unwrap_or(open),
            "messages" => number("messages").unwrap_or(Interval::exactly(1.0)),
            "bbr" => Interval::exactly(f64::from(u8::from(is_bbr(case, run)))),
            _ => is_reno(case, run),
        };
        let mut values: Vec<Interval> = VARIABLES.iter().map(|(name, _)| of(name)).collect();
        let own = self.template.parameters.iter().enumerate();
        values.extend(own.map(|(at, one)| one.fact.and_then(number).unwrap_or(part[at])));
        values
    }

    /// Returns what it predicts of a run.
    pub fn predict(
        &self,
        case: &Case,
        run: &Run,
        axes: &[Axis],
        part: &[Interval],
    ) -> BTreeMap<&'static str, Interval> {
        let acts = self.acts_in(case, run);
        let template = if acts { self.template } else { self.line };
        let values = self.values(case, run, axes, part);
        let variable =
            |name: &str| VARIABLES.iter().position(|(known, _)| *known == name).map_or(Interval::ANY, |at| values[at]);
        let mut all = BTreeMap::new();
        if acts && !self.is_line() {
            all.insert("frame-errors", UNDAMAGED);
        }
        let eight = Interval::exactly(8.0);
        for (name, formula) in &template.predicts {
            let mut value = formula.value(&values);
            // Every run is held to its line and its own options as well.
            if matches!(*name, "goodput" | "late") {
                let of_window = |name: &str, shares: Interval| {
                    variable("streams") * eight * variable(name) * shares / variable("rtt")
                };
                value = value.min(variable("line")).min(variable("offered"));
                value = value.min(of_window("window", WINDOW_SHARES)).min(of_window("receive_max", RECEIVE_SHARES));
            }
            all.insert(*name, value);
        }
        if let Some(goodput) = all.get("goodput").copied() {
            all.entry("late").or_insert(goodput * LATE_SHARES);
            all.entry("early").or_insert(goodput * EARLY_SHARES);
        }
        all
    }

    /// True for the line alone.
    pub fn is_line(&self) -> bool {
        std::ptr::eq(self.template, self.line)
    }

    /// True if the mechanism can act in no run: then it explains nothing, whatever it predicts.
    pub fn is_idle(&self, case: &Case, axes: &[Axis], part: &[Interval]) -> bool {
        let acts = |run: &Run| self.acts_in(case, run) && self.can_act(case, run, axes, part);
        !self.is_line() && !case.runs.iter().any(acts)
    }

    /// True unless its condition is false in a run.
    pub fn can_act(&self, case: &Case, run: &Run, axes: &[Axis], part: &[Interval]) -> bool {
        let condition = self.template.acts.as_ref();
        condition.is_none_or(|acts| acts.value(&self.values(case, run, axes, part)).high > 0.0)
    }

    /// Returns the first number that it cannot predict.
    pub fn contradiction(&self, case: &Case, axes: &[Axis], part: &[Interval]) -> Option<Contradiction> {
        let mut met = 0;
        for run in &case.runs {
            let predicted = self.predict(case, run, axes, part);
            for (fact, stated) in case.stated(run).map(|(name, fact)| (name, fact.interval)) {
                let Some(own) = predicted.get(fact).copied() else { continue };
                if !own.meets(stated) {
                    let values = axes.iter().zip(part).filter(|(axis, _)| !axis.is_path);
                    let with = values
                        .map(|(axis, value)| format!("{} {}", axis.name.replace('_', " "), axis.kind.show(*value)));
                    let with = with.collect::<Vec<_>>().join(" and ");
                    return Some(Contradiction { run: run.name.clone(), fact, predicted: own, stated, met, with });
                }
                met += 1;
            }
        }
        None
    }

    /// True if a run states a number that it predicts.
    pub fn predicts_any(&self, case: &Case, axes: &[Axis], part: &[Interval]) -> bool {
        case.runs.iter().any(|run| {
            let predicted = self.predict(case, run, axes, part);
            case.stated(run).any(|(name, _)| predicted.contains_key(name))
        })
    }

    /// True if a run has what the template needs.
    pub fn applies(&self, case: &Case) -> bool {
        let needs = &self.template.needs;
        let has = |run: &Run| {
            needs.iter().any(|(name, due)| match due {
                Some(due) => case.label(run, name) == Some(due),
                None => run.facts.has(name) || case.path.has(name),
            })
        };
        let can_act = case.runs.iter().any(|run| !(self.template.tcp && run.is_udp()));
        can_act && (needs.is_empty() || case.runs.iter().any(has))
    }

    /// Returns the assumed facts that it rests on, by name.
    pub fn rests_on(&self, case: &Case) -> Vec<String> {
        let assumed = |fact: &Fact| fact.origin == Origin::Assumed;
        let of_path = case.path.numbers.iter().filter(|(_, fact)| assumed(fact)).map(|(name, _)| (*name).to_owned());
        let of_run = case.runs.iter().flat_map(|run| {
            let own = run.facts.numbers.iter().filter(|(_, fact)| assumed(fact));
            own.map(|(name, _)| format!("{name} of {}", run.name))
        });
        of_path.chain(of_run).collect()
    }
}

/// Returns a fact of a run as a label.
pub fn label(case: &Case, run: &Run, key: &str) -> Option<String> {
    let number = run.facts.numbers.get(key).map(|fact| fact.text.clone());
    number.or_else(|| case.label(run, key).map(str::to_owned))
}

/// Returns the hypotheses of a template: its mechanism acts in all runs, or only in those that share a fact with the
/// slowest, where not all do, or all such facts.
pub fn hypotheses<'t>(template: &'t Template, line: &'t Template, case: &Case) -> Vec<Hypothesis<'t>> {
    let mut all = vec![Hypothesis { template, place: vec![], line }];
    let Some(slowest) = case.slowest() else { return all };
    let own = |key: &'static str| Some((key, label(case, slowest, key)?));
    let mut keys: Vec<(&'static str, String)> = template.place.iter().filter_map(|key| own(key)).collect();
    let shares = |place: &[(&'static str, String)]| -> Vec<bool> {
        let has = |run: &Run| place.iter().all(|(key, value)| label(case, run, key).as_ref() == Some(value));
        case.runs.iter().map(has).collect()
    };
    let mut places: Vec<Vec<(&'static str, String)>> = keys.iter().map(|one| vec![one.clone()]).collect();
    keys.extend(USUAL_PLACES.iter().filter(|key| !template.place.contains(key)).filter_map(|key| own(key)));
    keys.retain(|one| !shares(std::slice::from_ref(one)).iter().all(|shares| *shares));
    places.push(keys);
    let mut seen: Vec<Vec<bool>> = vec![];
    for place in places {
        let runs = shares(&place);
        if !runs.iter().all(|shares| *shares) && !seen.contains(&runs) {
            seen.push(runs);
            all.push(Hypothesis { template, place, line });
        }
    }
    all
}

/// A number that a hypothesis cannot predict.
#[derive(Debug, Clone, PartialEq)]
pub struct Contradiction {
    pub run: String,
    pub fact: &'static str,
    pub predicted: Interval,
    pub stated: Interval,
    /// Numbers that it predicts before this one.
    pub met: usize,
    /// Parameters with which it predicts them.
    pub with: String,
}

impl Contradiction {
    /// Returns it as a sentence.
    pub fn sentence(&self) -> String {
        let kind = Key::kind_of(self.fact);
        let [predicted, stated] = [self.predicted, self.stated].map(|value| kind.show(value));
        let with = if self.with.is_empty() { String::new() } else { format!(" with {}", self.with) };
        format!("{}: {} would be {predicted}{with}, and is {stated}", self.run, self.fact)
    }
}
