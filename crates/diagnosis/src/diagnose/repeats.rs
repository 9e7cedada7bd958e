//! Joint diagnosis of several runs of one path: each run is diagnosed by itself, and the most common answer leads.

use super::finding::{Confidence, Finding, Severity};
use super::path_facts::Given;
use super::rules::{RULES, title};
use super::{Diagnosis, by};
use base::show::{count, range, rate};
use base::stats::median;
use base::units::Unit;
use evidence::{Connection, Evidence};
use serde::Serialize;
use std::collections::BTreeMap;

/// Smallest number of runs in a series.
const MIN_RUNS: usize = 3;
/// Largest ratio of the RTTs of one path.
const SAME_RTT_RATIO: f64 = 1.5;
/// Share of the runs with a finding from which it is confirmed for the path, and the share below which it is unlikely.
const MIN_CONFIRMED_SHARE: f64 = 0.8;
const MIN_LIKELY_SHARE: f64 = 0.5;

/// The joint result of several runs of one path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repeats {
    /// Number of runs.
    pub runs: usize,
    /// Rule of each run's problem, if any, with the number of runs; the most common first.
    pub answers: Vec<(Option<&'static str>, usize)>,
    /// Least, median and largest goodput, bit/s.
    pub goodput: Option<[f64; 3]>,
    /// Number of runs that retransmitted segments, if all runs count them.
    pub with_losses: Option<usize>,
}

impl Repeats {
    /// Returns a summary in one or two sentences.
    pub fn sentence(&self) -> String {
        let name = |(rule, runs): &(Option<&'static str>, usize)| {
            let what = rule.map_or("no cause found", title);
            format!("{what} in {runs}")
        };
        let answers: Vec<String> = self.answers.iter().map(name).collect();
        let goodput = self.goodput.map_or_else(String::new, |[least, middle, most]| {
            format!(", {} (median {})", range(Unit::BitsPerSecond, least, most), rate(middle))
        });
        let losses = self.with_losses.map_or_else(String::new, |with| {
            format!(" {} of {} runs sent segments again.", count(with as f64), self.runs)
        });
        format!("{} runs of one path{goodput}: {}.{losses}", self.runs, answers.join(", "))
    }
}

/// Returns the joint diagnosis if the evidence consists of several runs of one path.
pub fn together(evidence: &Evidence, given: Given) -> Option<Diagnosis> {
    let all: Vec<Diagnosis> = runs(evidence)?.iter().map(|run| by(RULES, run, given)).collect();
    let mut answers: BTreeMap<Option<&'static str>, usize> = BTreeMap::new();
    all.iter().for_each(|one| *answers.entry(rule(one)).or_default() += 1);
    let mut answers: Vec<(Option<&'static str>, usize)> = answers.into_iter().collect();
    answers.sort_by_key(|(rule, runs)| (std::cmp::Reverse(*runs), rule.is_none()));
    let (first, agree) = *answers.first()?;
    let share = agree as f64 / all.len() as f64;
    let example = typical(all.iter().filter(|one| rule(one) == first).collect())?;
    let mut diagnosis = example.clone();
    if let Some(top) = diagnosis.findings.first_mut().filter(|_| first.is_some()) {
        top.confidence = match top.confidence {
            Confidence::Low if share >= MIN_CONFIRMED_SHARE => Confidence::Medium,
            _ if share < MIN_LIKELY_SHARE => Confidence::Low,
            confidence => confidence,
        };
    }
    let others = answers.iter().skip(1).filter_map(|(rule, runs)| Some(((*rule)?, *runs)));
    for (name, runs) in others {
        let Some(of_it) = typical(all.iter().filter(|one| rule(one) == Some(name)).collect()) else { continue };
        diagnosis.findings.retain(|finding| finding.rule != name);
        diagnosis.findings.extend(of_it.top().map(|top| note(top, runs, all.len())));
    }
    let goodput: Vec<f64> = evidence.connections.iter().filter_map(|one| one.goodput).collect();
    let least = goodput.iter().copied().reduce(f64::min);
    let most = goodput.iter().copied().reduce(f64::max);
    let again: Option<Vec<f64>> = evidence.connections.iter().map(sent_again).collect();
    diagnosis.repeats = Some(Repeats {
        runs: all.len(),
        answers,
        goodput: least.zip(most).map(|(least, most)| [least, median(&goodput), most]),
        with_losses: again.map(|again| again.into_iter().filter(|segments| *segments > 0.0).count()),
    });
    diagnosis.read = evidence.contents();
    diagnosis.unread.clone_from(&evidence.unread);
    Some(diagnosis)
}

/// Returns the number of segments retransmitted, including the seconds that -O omits.
fn sent_again(one: &Connection) -> Option<f64> {
    let points: f64 = one.points.iter().filter_map(|point| point.retransmitted).sum();
    one.retransmitted.map(|counted| counted.max(points))
}

fn rule(diagnosis: &Diagnosis) -> Option<&'static str> {
    diagnosis.top().map(|top| top.rule)
}

/// Returns the diagnosis with the median goodput.
fn typical(mut all: Vec<&Diagnosis>) -> Option<&Diagnosis> {
    let goodput = |one: &Diagnosis| one.speed.as_ref().map_or(0.0, |speed| speed.goodput);
    all.sort_by(|a, b| goodput(a).total_cmp(&goodput(b)));
    all.get(all.len() / 2).copied()
}

/// Turns a minority's finding into a note: it does not limit the path in most runs.
fn note(finding: &Finding, runs: usize, of: usize) -> Finding {
    let mut note = finding.clone().with_remedies(vec![]);
    note.says = format!("{runs} of {of} runs: {}", finding.says);
    (note.severity, note.confidence, note.follows) = (Severity::Note, Confidence::Low, None);
    note
}

/// Returns the evidence of each run, with everything else that is known.
fn runs(evidence: &Evidence) -> Option<Vec<Evidence>> {
    let all = &evidence.connections;
    let (first, others) = all.split_first()?;
    let mut files: Vec<&str> = all.iter().map(|one| &*one.place.file).collect();
    files.sort_unstable();
    files.dedup();
    let is_series = files.len() == all.len() && files.len() >= MIN_RUNS && evidence.sums.is_empty();
    if !is_series || !others.iter().all(|other| is_repeat(first, other)) {
        return None;
    }
    let of = |one: &Connection| Evidence { connections: vec![one.clone()], ..evidence.clone() };
    Some(all.iter().map(of).collect())
}

/// Whether two runs used the same options over one path.
fn is_repeat(one: &Connection, other: &Connection) -> bool {
    let hosts = one.ends.is_none() || other.ends.is_none() || one.ends == other.ends;
    let rtt = one.rtt_min.zip(other.rtt_min);
    let same_rtt = rtt.is_none_or(|(a, b)| (1.0 / SAME_RTT_RATIO..SAME_RTT_RATIO).contains(&(a / b)));
    let asked = |one: &Connection| (one.target, one.asked, one.congestion.clone(), one.mss, one.source, one.seen);
    hosts && same_rtt && one.source.is_iperf() && asked(one) == asked(other)
}
