//! Finds why the flows of a point are slow: the rule that the diagnosis names in nearly all of its trials.

use super::limit::{Limit, raised};
use base::show;
use base::units::{TrafficKind, Unit};
use diagnosis::diagnose::{Confidence, Diagnosis, Finding, Gist, Severity};
use plan::setting;
use plan::{Scene, Setting, Trial};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The diagnosis of each trial, by the trial's index.
pub type Diagnoses = BTreeMap<usize, Diagnosis>;

/// A cause must show in more than this share of a point's seeds.
const MIN_SHOWN_SHARE: f64 = 0.75;
/// A cause must have at least medium confidence in more than this share of a point's seeds.
const MIN_CONFIRMED_SHARE: f64 = 0.5;

/// The cause that the diagnosis names in nearly all of a point's trials; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    pub at: Vec<Setting>,
    /// Name of the flows; `None` for all flows, if they do not have several names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// Name of the rule, as `goodput explain` takes it.
    pub rule: String,
    /// Lowest confidence of the findings that have at least medium confidence.
    pub confidence: String,
    /// Trials that show the cause, and all trials of the point.
    pub seeds: [usize; 2],
    /// Trials that show it with low confidence only.
    #[serde(default, skip_serializing_if = "is_none")]
    pub doubted: usize,
    /// Text of the first finding with at least medium confidence, with its figures.
    pub says: String,
    /// The same as a sentence.
    pub sentence: String,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// Returns the causes of a point: one for all flows, or one for each name if there are several.
pub(super) fn causes(trials: &[Trial], diagnoses: &Diagnoses, limits: &[Limit]) -> Vec<Cause> {
    let scene = &trials[0].scene;
    let names: Vec<Option<&str>> = scene.by_name(&analysis::load(scene)).into_iter().map(|(name, _)| name).collect();
    match &names[..] {
        [] => vec![],
        [_] => cause(trials, diagnoses, None, limits).into_iter().collect(),
        several => several.iter().flatten().filter_map(|name| cause(trials, diagnoses, Some(name), limits)).collect(),
    }
}

fn cause(trials: &[Trial], diagnoses: &Diagnoses, flow: Option<&str>, limits: &[Limit]) -> Option<Cause> {
    let found = |trial: &Trial| bound(diagnoses.get(&trial.index)?, &trial.scene, flow);
    of_findings(trials, &trials.iter().filter_map(found).collect::<Vec<_>>(), flow, limits)
}

fn of_findings(trials: &[Trial], found: &[&Finding], flow: Option<&str>, limits: &[Limit]) -> Option<Cause> {
    let (same, sure) = agreed(found, trials.len())?;
    let confidence = sure.iter().map(|finding| finding.confidence).min()?;
    let point = &trials[0].point;
    let scene = &trials[0].scene;
    let about = about(sure[0], scene);
    let is_bulk = |number: usize| TrafficKind::from_traffic(&scene.flows[number].traffic) == TrafficKind::Bulk;
    let limit = limits.iter().find(|limit| limit.flow.as_deref() == flow).filter(|_| about.is_none_or(is_bulk));
    let cause = Cause {
        at: point.to_vec(),
        flow: flow.map(str::to_owned),
        rule: sure[0].rule.into(),
        confidence: confidence.word().into(),
        seeds: [same, trials.len()],
        doubted: same - sure.len(),
        says: sure[0].says.clone(),
        sentence: String::new(),
    };
    let called = |number: usize| match (point.is_empty(), &scene.flows[number].name) {
        (true, None) => show::capital(&scene.called(number)),
        _ => scene.called(number),
    };
    let is_other = |number: &usize| !is_bulk(*number) && scene.flows.len() > 1;
    let name = cause.flow.clone().or_else(|| about.filter(is_other).map(called));
    let sentence = sentence(&cause, sure[0].rule, name, limit);
    Some(Cause { sentence, ..cause })
}

/// Returns the flow that a finding is about.
fn about(finding: &Finding, scene: &Scene) -> Option<usize> {
    let about = finding.about.as_ref()?;
    (0..scene.flows.len()).find(|number| scene.connection(*number) == about.connection)
}

/// Returns how many findings share the rule that nearly all trials have, and those of them with at least medium
/// confidence.
fn agreed<'f>(found: &[&'f Finding], trials: usize) -> Option<(usize, Vec<&'f Finding>)> {
    let of = |rule: &'static str| found.iter().copied().filter(move |finding| finding.rule == rule);
    let rule = found
        .iter()
        .map(|finding| finding.rule)
        .find(|rule| of(rule).count() as f64 > MIN_SHOWN_SHARE * trials as f64)?;
    let sure: Vec<&Finding> = of(rule).filter(|finding| finding.confidence >= Confidence::Medium).collect();
    (sure.len() as f64 > MIN_CONFIRMED_SHARE * trials as f64).then(|| (of(rule).count(), sure))
}

/// Returns the first problem that is about the flow; without a flow, the first problem.
fn bound<'d>(diagnosis: &'d Diagnosis, scene: &Scene, flow: Option<&str>) -> Option<&'d Finding> {
    let is_about = |finding: &Finding| match (flow, &finding.about) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(name), Some(about)) => {
            let own: Vec<String> = scene.flows_called(name).into_iter().map(|flow| scene.connection(flow)).collect();
            [&about.connection].into_iter().chain(&about.others).any(|told| own.contains(told))
        }
    };
    let binds = |finding: &&Finding| finding.severity == Severity::Problem && is_about(finding);
    diagnosis.findings.iter().find(binds)
}

/// "cubic: Policed: traffic above a rate is dropped (policer, high confidence, 5 of 5 seeds); limited by the congestion
/// window 99.7 % of the time."
fn sentence(cause: &Cause, rule: &'static str, name: Option<String>, limit: Option<&Limit>) -> String {
    let [own, all] = cause.seeds;
    let doubted = if cause.doubted > 0 { format!(", low in {}", cause.doubted) } else { String::new() };
    let seeds = if all > 1 { format!(", {own} of {all} seeds{doubted}") } else { String::new() };
    let limit = limit.map_or(String::new(), |limit| {
        let share = show::value(Unit::Ratio, limit.share);
        format!("; limited by {} {share} of the time{}", limit.by.name(), raised(limit.setting.as_deref()))
    });
    let title = Gist::Bound(rule).title();
    let said = format!("{title} ({rule}, {} confidence{seeds}){limit}.", cause.confidence);
    let said = name.map_or(said.clone(), |name| format!("{name}: {said}"));
    setting::about(&cause.at, &said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_cause_of_seeds_stands_despite_doubts() {
        use Confidence::{High, Low, Medium};
        let agree = |found: &[(&'static str, Confidence)]| {
            let found: Vec<Finding> = found.iter().map(|(rule, sure)| Finding::problem(rule, *sure, 0.5, "")).collect();
            agreed(&found.iter().collect::<Vec<_>>(), 3).map(|(same, sure)| (sure[0].rule, same, sure.len()))
        };
        let [loss, policer] = ["loss-response", "policer"];
        assert_eq!(agree(&[(loss, Low), (loss, Medium), (loss, High)]), Some((loss, 3, 2)));
        assert_eq!(agree(&[(loss, Low), (loss, Low), (loss, High)]), None, "one of three is sure");
        assert_eq!(agree(&[(policer, Low), (loss, Medium), (loss, High)]), None, "one has another cause");
        assert_eq!(agree(&[(loss, High), (loss, High)]), None, "one has none");
    }

    /// Requests beside bulk data: the program of the requests limits them, and cwnd the bulk flow.
    #[test]
    fn each_kind_of_flow_gets_its_own_cause() {
        use crate::judge::limit::Limiter;
        use analysis::fixture;
        use diagnosis::diagnose::About;
        let trial = fixture::trial(fixture::four_kinds());
        let caused = |number: usize| {
            let about = About {
                connection: trial.scene.connection(number),
                place: evidence::Place { file: "x".into(), line: 0 },
                group: 0,
                others: vec![],
            };
            let mut found = Finding::problem("application-limited", Confidence::High, 0.5, "it is");
            found.about = Some(about);
            let limit =
                Limit { at: vec![], flow: None, by: Limiter::Cwnd, share: 1.0, setting: None, sentence: String::new() };
            of_findings(std::slice::from_ref(&trial), &[&found], None, &[limit]).expect("it is in every seed").sentence
        };
        let requests = caused(1);
        assert!(requests.starts_with("Flow 1: Application-limited") && !requests.contains("window"), "{requests}");
        assert!(
            caused(0).starts_with("Application-limited")
                && caused(0).contains("; limited by the congestion window 100 %")
        );
    }
}
