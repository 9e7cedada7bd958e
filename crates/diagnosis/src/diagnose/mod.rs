//! Diagnoses a transfer from evidence: findings, their figures, remedies, and what could not be checked.
//!
//! `view` derives from the evidence what rules examine; each rule of `rules` is a file and a row of its table.

mod acks;
mod asked;
mod best_view;
mod bond;
mod bounded;
mod bucket;
mod conflict;
mod delivery;
mod evidence_gaps;
mod failed;
mod finding;
mod flow;
mod group;
mod losses;
mod lost_by_size;
mod marks;
mod next_limit;
mod observations;
mod own_time;
mod page;
mod path_facts;
mod previous_settings;
mod quantities;
mod queue_delay;
mod rate_regularity;
mod remedies;
mod remedy_confidence;
mod repeats;
mod rule;
mod rules;
mod settings_owner;
mod short_transfers;
mod silence;
mod sizes;
mod speed;
mod time_spent;
mod trials;
mod undecided;
mod unread;
mod view;
mod why;

pub use asked::{Asked, Dropped};
pub use evidence_gaps::Need;
pub use failed::Failed;
pub use finding::{About, Confidence, Figure, Finding, Severity};
pub use observations::Sight;
pub use page::{Style, explain, page};
pub use path_facts::{Given, Known, Named, Origin, base_rtt, control, pings, third};
pub use path_facts::{line_rate, platforms, scaling_at};
pub use repeats::Repeats;
pub use rule::Rule;
pub use rules::RULES;
pub use rules::shaped_line;
pub use sizes::Sizes;
pub use speed::MAX_STARVED_SHARE;
pub use speed::Speed;
pub use time_spent::{ShownStep, Spent, Telling, TimeSpent};
pub use trials::{Gist, Told, pages};
pub use undecided::Undecided;
pub use why::why;

use crate::remedy::Remedy;
use evidence::{Evidence, System, Unread};
use flow::Flow;
use serde::Serialize;
use std::collections::BTreeSet;
use view::View;

/// The result of a diagnosis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnosis {
    /// Findings: the limit in effect first, consequences of others last.
    pub findings: Vec<Finding>,
    /// Joint result of several runs of one path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
    /// Whether the transfer is slow; `None` if no connection carried anything.
    pub speed: Option<Speed>,
    /// Remaining causes, if no problem was found and the connection is not known to be fast.
    pub undecided: Option<Undecided>,
    /// Observations alongside connections, or without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<Sight>,
    /// Statements about the path that contradict the counts, or another statement.
    pub conflicts: Vec<String>,
    /// Where the time of the transfers went; the one that the answer is about comes first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub time: Vec<TimeSpent>,
    /// What rules asked of the transfers, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Asked>,
    /// Answers that were found and not kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Dropped>,
    /// Evidence that rules lack, the most decisive first.
    pub blind: Vec<Blind>,
    /// Failures that programs reported, such as iperf3 that could not connect.
    pub failed: Vec<Failed>,
    /// Sources that were read.
    pub read: Vec<String>,
    /// Files that contained nothing goodput could read.
    pub in_vain: Vec<String>,
    /// Parts of files that were not read.
    pub unread: Vec<Unread>,
}

/// Evidence that some rules lack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Blind {
    /// Kind of evidence.
    pub need: Need,
    /// Description of the missing evidence.
    pub lacks: &'static str,
    /// Rules that could say more with it.
    pub rules: Vec<&'static str>,
    /// Command that collects it, for FreeBSD if all hosts run it, else for Linux.
    pub ask: &'static str,
}

impl Diagnosis {
    /// Whether there was nothing to diagnose: nothing was read, or only runs that failed.
    pub fn is_void(&self) -> bool {
        self.read.is_empty() || !self.failed.is_empty() && self.speed.is_none() && self.findings.is_empty()
    }

    /// Whether the cause is open but the course of the transfer is known, so that `goodput prove` can search for it.
    fn can_be_proved(&self) -> bool {
        self.undecided.as_ref().is_some_and(|open| open.can_be_proved)
    }

    /// Returns the command for a proof, which needs the RTT of the idle path.
    fn proof_command(&self) -> &'static str {
        match self.blind.iter().any(|blind| blind.need == Need::BaseRtt) {
            true => "goodput prove FILE --rtt TIME",
            false => "goodput prove FILE",
        }
    }

    /// Returns the finding about the limit in effect, if it is a problem.
    pub fn top(&self) -> Option<&Finding> {
        top(&self.findings)
    }
}

/// Returns the first of ordered findings, if it is a problem.
fn top(findings: &[Finding]) -> Option<&Finding> {
    findings.first().filter(|finding| finding.severity == Severity::Problem)
}

/// Diagnoses the evidence with every rule; several runs of one path each by themselves.
pub fn diagnose(evidence: &Evidence, given: Given) -> Diagnosis {
    repeats::together(evidence, given).unwrap_or_else(|| by(RULES, evidence, given))
}

/// Diagnoses the evidence with the given rules.
pub fn by(rules: &[&Rule], evidence: &Evidence, given: Given) -> Diagnosis {
    let read = evidence.contents();
    let evidence = &*settings_owner::assigned(bounded::largest_connections(evidence));
    let view = View::new(evidence, given);
    let of = |rule: &&Rule| (rule.find)(&view).into_iter().map(|found| found.proposing(rule.remedies)).collect();
    let mut found: Vec<Finding> = rules.iter().flat_map::<Vec<Finding>, _>(of).collect();
    found.iter_mut().for_each(|finding| previous_settings::withdraw(finding, evidence));
    let (found, dropped) = best_view::keep(found, &view.flows);
    let mut findings = ordered(together(found));
    for finding in &mut findings {
        let run = finding.about.as_ref().map(|about| about.place.clone());
        finding.remedies.retain(|remedy| is_for(remedy, evidence));
        finding.remedies = remedy_confidence::remedies(finding);
        finding.ask.retain(|command| !evidence_gaps::is_brought(command, &view));
        finding
            .remedies
            .iter_mut()
            .for_each(|remedy| previous_settings::complete(remedy, evidence, run.as_ref(), &finding.settings));
    }
    let found = top(&findings);
    let about = found.and_then(|finding| finding.about.as_ref());
    let speed = Speed::for_finding(&view, about);
    let time = time_spent::of_view(&view, about);
    let asked = view.flows.iter().flat_map(Flow::asked).collect();
    let blind = blind(&view, &findings, speed.as_ref());
    let found = found.is_some();
    let fast = speed.as_ref().is_some_and(|speed| speed.slow == Some(false));
    let undecided = (!found && !fast).then(|| Undecided::from_view(&view)).flatten();
    Diagnosis {
        findings,
        repeats: None,
        speed,
        undecided,
        seen: observations::observe(&view),
        conflicts: conflict::contradictions(&view),
        time,
        asked,
        dropped,
        blind,
        failed: failed::failures(evidence),
        read,
        in_vain: in_vain(evidence),
        unread: evidence.unread.clone(),
    }
}

/// Returns the files that contained nothing goodput could read.
fn in_vain(evidence: &Evidence) -> Vec<String> {
    let read = evidence.files();
    let mut vain: Vec<String> = vec![];
    for unread in evidence.unread.iter().filter(|unread| !read.contains(&*unread.place.file)) {
        if vain.last().is_none_or(|last| *last != *unread.place.file) {
            vain.push(unread.place.file.to_string());
        }
    }
    vain
}

/// Whether a remedy is for a system in the evidence; any remedy is if no system is known.
fn is_for(remedy: &Remedy, evidence: &Evidence) -> bool {
    let known = |system| evidence.hosts.iter().any(|host| host.system == Some(system));
    remedy.system().is_none_or(known) || evidence.hosts.iter().all(|host| host.system.is_none())
}

/// Merges equal findings of a group's connections into one: the most confident, then the most costly.
fn together(found: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = vec![];
    for finding in found {
        let Some(about) = &finding.about else {
            kept.push(finding);
            continue;
        };
        let same = kept.iter_mut().find(|other| {
            let of = other.about.as_ref();
            other.rule == finding.rule
                && of.is_some_and(|of| of.group == about.group && of.place.file == about.place.file)
        });
        match same {
            None => kept.push(finding),
            Some(other) => {
                let mut lesser = finding;
                if (lesser.confidence, lesser.cost) > (other.confidence, other.cost) {
                    std::mem::swap(other, &mut lesser);
                }
                let alike = lesser.about.map(|of| [of.others, vec![of.connection]].concat());
                other.about.iter_mut().for_each(|about| about.others.extend(alike.iter().flatten().cloned()));
            }
        }
    }
    kept
}

/// Orders findings: those explained by another last, then by severity, confidence and cost.
fn ordered(mut found: Vec<Finding>) -> Vec<Finding> {
    let names: BTreeSet<&str> = found
        .iter()
        .filter(|f| f.severity == Severity::Problem && f.confidence > Confidence::Low)
        .map(|f| f.rule)
        .collect();
    for finding in found.iter_mut().filter(|finding| !finding.beside) {
        let by = RULES.iter().find(|rule| names.contains(rule.name) && explains(rule, finding.rule));
        finding.follows = by.map(|rule| rule.name);
    }
    found.sort_by(|a, b| {
        let key = |f: &Finding| (f.severity, f.follows.is_none(), f.confidence);
        key(b).cmp(&key(a)).then(b.cost.total_cmp(&a.cost))
    });
    found
}

/// Whether a finding of one rule explains one of another. If two rules explain each other, the earlier in the table
/// explains the later.
fn explains(rule: &Rule, other: &str) -> bool {
    let at = |name: &str| RULES.iter().position(|rule| rule.name == name);
    let back = || RULES.iter().any(|rule_of| rule_of.name == other && rule_of.explains.contains(&rule.name));
    rule.explains.contains(&other) && (at(rule.name) < at(other) || !back())
}

/// Returns the evidence that rules without a finding lack, the most decisive first. The link rate is asked for too if
/// it is needed to say whether the transfer is slow.
fn blind(view: &View, findings: &[Finding], speed: Option<&Speed>) -> Vec<Blind> {
    let silent = |rule: &&&Rule| !findings.iter().any(|finding| finding.rule == rule.name);
    let doubtful = speed.is_some_and(|speed| speed.slow.is_none());
    let freebsd =
        !view.evidence.hosts.is_empty() && view.evidence.hosts.iter().all(|host| host.system == Some(System::FreeBsd));
    let lacking = Need::ALL.into_iter().filter(|need| !need.is_met(view)).map(|need| {
        let rules =
            RULES.iter().filter(silent).filter(|rule| rule.needs.contains(&need)).map(|rule| rule.name).collect();
        let (lacks, [linux, bsd]) = need.stated();
        Blind { need, lacks, rules, ask: if freebsd { bsd } else { linux } }
    });
    lacking.filter(|blind| !blind.rules.is_empty() || doubtful && blind.need == Need::LinkRate).collect()
}
