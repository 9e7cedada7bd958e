//! Chooses the primary measure of a point, by which the point is judged and compared.

use super::range;
use analysis::decide::two_modes;
use analysis::{Computed, Measure, Measures, Over};
use base::show;
use base::stats::{self, Estimate, Mode};
use base::units::{Centre, Subject, TrafficKind};
use plan::setting;
use plan::{Scene, Setting, Trial};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A measure over a choice of flows.
#[derive(Debug, Clone)]
pub struct Primary {
    pub measure: &'static Measure,
    /// Flows that the measure covers.
    of: Scope,
}

/// A choice of flows.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Scope {
    /// All flows that the measure is about.
    All,
    Kind(TrafficKind),
    /// Flows with this name.
    Called(String),
    /// Flows of a kind that have no name, alongside others that have one.
    Nameless(TrafficKind),
}

/// The primary measure of one point; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub at: Vec<Setting>,
    /// The measure's name.
    pub measure: String,
    /// Name of the flow, if flows have names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// Estimate over the seeds; `None` without a value.
    pub estimate: Option<Estimate>,
    /// The two modes, if the seeds have two.
    pub modes: Option<[Mode; 2]>,
    /// The same as a sentence.
    pub sentence: String,
}

/// The default measure of each kind of flow. Programs come first, as they are what is tested; then bulk data: UDP flows
/// and pings alongside it are background.
const DEFAULT_MEASURES: [(TrafficKind, &str); 5] = [
    (TrafficKind::Program, "goodput"),
    (TrafficKind::Bulk, "goodput"),
    (TrafficKind::Requests, "exchange-p50"),
    (TrafficKind::Ping, "rtt-p50"),
    (TrafficKind::Udp, "goodput"),
];

impl Primary {
    /// Returns the default measure of a kind of flow.
    pub fn usual(kind: TrafficKind) -> Option<Primary> {
        let (_, name) = DEFAULT_MEASURES.iter().find(|(other, _)| *other == kind)?;
        Some(Primary { measure: Measure::find(name)?, of: Scope::Kind(kind) })
    }

    /// Returns the default measures of all points; none if no kind of flow is at every point. Flows of that kind with
    /// different names have one each.
    pub fn common(points: &[&[Trial]]) -> Vec<Primary> {
        let has = |trial: &Trial, kind| !analysis::of_kind(&trial.scene, kind).is_empty();
        let there = |kind: TrafficKind| points.iter().copied().flatten().all(|trial| has(trial, kind));
        let kind = DEFAULT_MEASURES.iter().map(|(kind, _)| *kind).find(|kind| there(*kind));
        kind.and_then(Primary::usual).map_or(vec![], |usual| usual.split(points))
    }

    /// Returns the default measures of a kind of flow at a point, one for each name.
    pub fn of_kind(kind: TrafficKind, trials: &[Trial]) -> Vec<Primary> {
        Primary::usual(kind).map_or(vec![], |usual| usual.split(&[trials]))
    }

    /// Returns the measure called `name` over all flows that it is about.
    pub fn named(name: &str) -> Option<Primary> {
        Some(Primary { measure: Measure::find(name)?, of: Scope::All })
    }

    /// Returns the measures to compare two points by: those in `names`, else the defaults of their kinds of flow. Each
    /// is of one flow in `flows`, or of one name if `flows` is empty.
    pub fn chosen(names: &[String], flows: &[String], points: [&[Trial]; 2]) -> Vec<Primary> {
        let named = names.iter().filter_map(|name| Primary::named(name));
        match (names, flows) {
            ([], []) => Primary::common(&points),
            ([], flows) => flows.iter().filter_map(|flow| Primary::of_called(flow, points)).collect(),
            (_, []) => named.flat_map(|primary| primary.split(&points)).collect(),
            (_, flows) => named.flat_map(|primary| primary.of_flows(flows)).collect(),
        }
    }

    /// Returns the measure for each of these flows; the measure itself if it is not one of flows.
    fn of_flows(self, flows: &[String]) -> Vec<Primary> {
        match self.measure.subject() {
            Subject::Flow => flows.iter().map(|flow| self.of_flow(flow)).collect(),
            Subject::Lane | Subject::Trial => vec![self],
        }
    }

    fn of_flow(&self, flow: &str) -> Primary {
        Primary { measure: self.measure, of: Scope::Called(flow.into()) }
    }

    /// Splits the measure by the names of its flows if these are of one kind and have several, the same at all points;
    /// else returns it unchanged.
    fn split(self, points: &[&[Trial]]) -> Vec<Primary> {
        let trials = || points.iter().copied().flatten();
        let names = |trial: &Trial| -> Vec<Option<String>> {
            let groups = trial.scene.by_name(&self.flows(&trial.scene));
            groups.into_iter().map(|(name, _)| name.map(str::to_owned)).collect()
        };
        let first = trials().next().map(names).unwrap_or_default();
        let same = trials().all(|trial| names(trial) == first);
        match self.kind(trials()) {
            Some(kind) if same && first.len() > 1 => {
                let of = |name: Option<String>| name.map_or(Scope::Nameless(kind), Scope::Called);
                first.into_iter().map(|name| Primary { measure: self.measure, of: of(name) }).collect()
            }
            _ => vec![self],
        }
    }

    /// Returns the kind of its flows if all have the same.
    fn kind<'t>(&self, trials: impl Iterator<Item = &'t Trial>) -> Option<TrafficKind> {
        let kinds = trials.flat_map(|trial| {
            self.flows(&trial.scene).into_iter().map(|flow| TrafficKind::from_traffic(&trial.scene.flows[flow].traffic))
        });
        let mut kinds: Vec<TrafficKind> = kinds.collect();
        kinds.dedup();
        if let [kind] = kinds[..] { Some(kind) } else { None }
    }

    /// Returns the default measure of the flow called `flow`; `None` if flows of that name are of different kinds.
    pub fn of_called(flow: &str, points: [&[Trial]; 2]) -> Option<Primary> {
        let any = Primary { measure: Measure::find("goodput")?, of: Scope::Called(flow.into()) };
        Some(Primary::usual(any.kind(points.into_iter().flatten())?)?.of_flow(flow))
    }

    /// Returns another measure over the same flows.
    pub fn by(&self, measure: &'static Measure) -> Primary {
        Primary { measure, of: self.of.clone() }
    }

    /// True if both have the same measure and the same flows.
    pub fn is(&self, other: &Primary) -> bool {
        (self.measure.name, &self.of) == (other.measure.name, &other.of)
    }

    /// Returns the name of its flow; `None` if it does not choose flows by a name.
    pub fn flow(&self) -> Option<&str> {
        if let Scope::Called(name) = &self.of { Some(name) } else { None }
    }

    /// Flows that the measure covers.
    fn flows(&self, scene: &Scene) -> Vec<usize> {
        match &self.of {
            Scope::All => analysis::concerned(scene, self.measure.name),
            Scope::Kind(kind) => analysis::of_kind(scene, *kind),
            Scope::Called(name) => scene.flows_called(name),
            Scope::Nameless(kind) => {
                let all = analysis::of_kind(scene, *kind).into_iter();
                all.filter(|flow| scene.flows[*flow].name.is_none()).collect()
            }
        }
    }

    /// Returns its value for a trial.
    pub fn value(&self, measures: &Measures, trial: &Trial) -> Option<f64> {
        match self.of {
            Scope::All => measures.value(trial, self.measure.name),
            _ => measures.over(trial, self.measure.name, &self.flows(&trial.scene)),
        }
    }

    /// Says why these points cannot be compared by it: its value can only be 1.
    pub fn can_only_be_one(&self, points: [&[Trial]; 2]) -> Option<String> {
        let scenes = || points.into_iter().flatten().map(|trial| &trial.scene);
        let alone = scenes().any(|scene| analysis::load(scene).len() < 2);
        let name = self.measure.name;
        match self.measure.computed {
            Computed::Load(_) if alone => Some(format!("{name} is not compared: it is of several flows.")),
            Computed::Flow { over: Over::Part, .. } if alone => {
                Some(format!("{name} is not compared: of one flow it can only be 1."))
            }
            Computed::Flow { over: Over::Part, .. }
                if scenes().any(|scene| self.flows(scene) == analysis::load(scene)) =>
            {
                Some(format!("{name} is not compared: of all flows together it can only be 1, so name one of them."))
            }
            _ => None,
        }
    }

    /// Says which flows of the point called `name` have no value, and in how many seeds. `None` if all have one, or if
    /// the measure's centre is not the median.
    pub fn silence(&self, measures: &Measures, trials: &[Trial], name: &str) -> Option<String> {
        if self.measure.subject() != Subject::Flow || self.measure.centre != Centre::Median {
            return None;
        }
        let unanswered = |trial: &Trial| measures.without(trial, self.measure.name, &self.flows(&trial.scene));
        let silent: Vec<Vec<usize>> = trials.iter().map(unanswered).filter(|flows| !flows.is_empty()).collect();
        if silent.is_empty() {
            return None;
        }
        let seeds = match (silent.len(), trials.len()) {
            (n, all) if n == all => String::new(),
            (n, all) => format!(" in {n} of {all} seeds"),
        };
        let once: Vec<usize> = silent.into_iter().flatten().collect::<BTreeSet<usize>>().into_iter().collect();
        let is_answer = matches!(self.usual_kind(&trials[0]), Some(TrafficKind::Requests | TrafficKind::Ping));
        let got = match (is_answer, once.len()) {
            (true, _) => "got no answer",
            (false, 1) => "has no value",
            _ => "have no value",
        };
        Some(format!("in {name}, {} {got}{seeds}", show::flows(&once, &trials[0].scene.flow_names())))
    }

    /// Returns how many requests or pings of a point were answered, and how many there were, over all seeds. `None` unless
    /// it is the default measure of these, and either every flow got answers in every seed, or none got any.
    pub fn answered(&self, measures: &Measures, trials: &[Trial]) -> Option<[f64; 2]> {
        self.usual_kind(&trials[0]).filter(|kind| matches!(kind, TrafficKind::Requests | TrafficKind::Ping))?;
        let of_trial = |trial: &Trial| -> Option<Vec<[f64; 2]>> {
            let own = measures.get(trial.index)?;
            let count = |name, flow| own.get(name, Subject::Flow, flow);
            let flow = |flow| Some([count("exchanges", flow)?, count("unanswered", flow)?]);
            self.flows(&trial.scene).into_iter().map(flow).collect()
        };
        let flows: Vec<[f64; 2]> = trials.iter().map(of_trial).collect::<Option<Vec<_>>>()?.concat();
        let got = flows.iter().filter(|[answered, _]| *answered > 0.0).count();
        let [answered, unanswered] = [0, 1].map(|part| flows.iter().map(|flow| flow[part]).sum::<f64>());
        (!flows.is_empty() && (got == 0 || got == flows.len())).then_some([answered, answered + unanswered])
    }

    /// Returns what its flows wait for: requests, or pings.
    pub fn asked(&self, trials: &[Trial]) -> &'static str {
        if self.usual_kind(&trials[0]) == Some(TrafficKind::Ping) { "pings" } else { "requests" }
    }

    /// Returns the kind of its flows if it is the default measure of that kind.
    fn usual_kind(&self, trial: &Trial) -> Option<TrafficKind> {
        let kind = self.kind([trial].into_iter()).filter(|_| self.of != Scope::All)?;
        Primary::usual(kind).filter(|usual| usual.measure.name == self.measure.name).map(|_| kind)
    }

    /// Returns its name in a sentence about these trials, without its flows.
    pub fn noun(&self, trials: &[Trial]) -> String {
        match self.usual_kind(&trials[0]) {
            Some(TrafficKind::Requests) => "median response time".into(),
            Some(TrafficKind::Ping) => "median ping RTT".into(),
            _ => self.measure.name.into(),
        }
    }

    /// Returns its name with its flows, such as "goodput of jail" or "goodput of all flows".
    pub fn full_noun(&self, trials: &[Trial]) -> String {
        let noun = self.noun(trials);
        let several = || trials.iter().any(|trial| self.flows(&trial.scene).len() > 1);
        match &self.of {
            _ if self.measure.subject() != Subject::Flow => noun,
            Scope::Called(name) => format!("{noun} of {name}"),
            Scope::Nameless(_) => format!("{noun} of the flows without a name"),
            Scope::All | Scope::Kind(_) if several() => format!("{noun} of all flows"),
            Scope::All | Scope::Kind(_) => noun,
        }
    }

    pub fn summary(&self, measures: &Measures, trials: &[Trial]) -> Summary {
        let values: Vec<f64> = trials.iter().filter_map(|trial| self.value(measures, trial)).collect();
        let estimate = stats::estimate(&values, self.measure.centre);
        let modes = stats::modes(&values);
        let sure = estimate.and_then(|estimate| Some((estimate, estimate.interval?)));
        let figure = match (modes, sure.filter(|(_, [low, high])| low < high)) {
            (Some(modes), _) => two_modes(self.measure.unit, modes),
            (None, Some((estimate, [low, high]))) => {
                let unit = self.measure.unit;
                let [value, interval] = [show::value(unit, estimate.value), show::range(unit, low, high)];
                format!("{value} ({} % CI {interval}, {} seeds)", stats::LEVEL * 100.0, values.len())
            }
            (None, None) => range(self.measure.name, &values),
        };
        let point = &trials[0].point;
        let sentence = setting::at(point, &format!("{}: {figure}.", self.full_noun(trials)));
        let flow = self.flow().map(str::to_owned);
        Summary { at: point.to_vec(), measure: self.measure.name.into(), flow, estimate, modes, sentence }
    }
}
