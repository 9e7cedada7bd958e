//! From evidence to the limit that binds: what was found, what it rests on, what to do, and what could not be looked at.
//!
//! `view` computes from the evidence what rules look at; each rule of `rules` is a file and a row of its table.

mod acks;
mod best_view;
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
mod measured;
mod next_limit;
mod observations;
mod own_time;
mod page;
mod path_facts;
mod previous_settings;
mod prose;
mod rate_regularity;
mod remedies;
mod remedy_confidence;
mod repeats;
mod rule;
mod rules;
mod settings_owner;
mod short_transfers;
mod sizes;
mod speed;
mod trials;
mod undecided;
mod unread;
mod view;

pub use evidence_gaps::Need;
pub use failed::Failed;
pub use finding::{About, Confidence, Figure, Finding, Severity};
pub use observations::Sight;
pub use page::{Style, explain, page};
pub use path_facts::{Given, Known, Named, Origin, base_rtt, control, pings, third};
pub(crate) use path_facts::{line_rate, platforms, scaling_at, setting_at};
pub use repeats::Repeats;
pub use rule::Rule;
pub use rules::RULES;
pub(crate) use rules::shaped_line;
pub use sizes::Sizes;
pub use speed::Speed;
pub use trials::{Gist, Told, pages};
pub use undecided::Undecided;

use crate::remedy::Remedy;
use evidence::{Evidence, System, Unread};
use serde::Serialize;
use std::collections::BTreeSet;
use view::View;

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnosis {
    /// What was found: what binds first, what follows from something else last.
    pub findings: Vec<Finding>,
    /// What several runs of one path say together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
    /// Whether it is slow at all; `None` if no connection carried anything.
    pub speed: Option<Speed>,
    /// Where nothing was found that binds, and the connection is not known to be fast: what is left.
    pub undecided: Option<Undecided>,
    /// What was counted beside connections, or without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<Sight>,
    /// What was said of the path and cannot be true of what was counted, or of something else that was said.
    pub conflicts: Vec<String>,
    /// What rules could not look at, that which decides most first.
    pub blind: Vec<Blind>,
    /// What programs said went wrong: iperf3 that could not connect.
    pub failed: Vec<Failed>,
    /// What was read.
    pub read: Vec<String>,
    /// Files of which nothing was read, though something of others was.
    pub in_vain: Vec<String>,
    /// What was not read.
    pub unread: Vec<Unread>,
}

/// Evidence that some rules lack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Blind {
    /// The kind.
    pub need: Need,
    /// What is lacking.
    pub lacks: &'static str,
    /// The rules that could say more with it.
    pub rules: Vec<&'static str>,
    /// The command that brings it, on FreeBSD where all hosts run it, else on Linux.
    pub ask: &'static str,
}

impl Diagnosis {
    /// Whether there was nothing to diagnose: nothing was read, or only of runs that failed.
    pub fn is_void(&self) -> bool {
        self.read.is_empty() || !self.failed.is_empty() && self.speed.is_none() && self.findings.is_empty()
    }

    /// Whether nothing was found though the transfer's course is known, so that `goodput prove` can try what reproduces it.
    fn can_be_proved(&self) -> bool {
        self.undecided.as_ref().is_some_and(|open| open.can_be_proved)
    }

    /// What to type for that; a proof needs the round-trip time of the idle path.
    fn proof_command(&self) -> &'static str {
        match self.blind.iter().any(|blind| blind.need == Need::BaseRtt) {
            true => "goodput prove FILE --rtt TIME",
            false => "goodput prove FILE",
        }
    }

    /// The finding that binds, if there is one that is a problem.
    pub fn top(&self) -> Option<&Finding> {
        top(&self.findings)
    }
}

/// The finding that binds, of findings in their order.
fn top(findings: &[Finding]) -> Option<&Finding> {
    findings.first().filter(|finding| finding.severity == Severity::Problem)
}

/// Asks every rule; of several runs of one path each by itself.
pub fn diagnose(evidence: &Evidence, given: Given) -> Diagnosis {
    repeats::together(evidence, given).unwrap_or_else(|| by(RULES, evidence, given))
}

/// Asks some rules.
pub fn by(rules: &[&Rule], evidence: &Evidence, given: Given) -> Diagnosis {
    let read = evidence.contents();
    let evidence = &*settings_owner::assigned(bounded::of(evidence));
    let view = View::of(evidence, given);
    let of = |rule: &&Rule| (rule.find)(&view).into_iter().map(|found| found.proposing(rule.remedies)).collect();
    let mut found: Vec<Finding> = rules.iter().flat_map::<Vec<Finding>, _>(of).collect();
    found.iter_mut().for_each(|finding| previous_settings::withdraw(finding, evidence));
    let mut findings = ordered(together(best_view::keep(found, &view.flows)));
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
    let speed = Speed::of(&view, found.and_then(|finding| finding.about.as_ref()));
    let blind = blind(&view, &findings, speed.as_ref());
    let found = found.is_some();
    let fast = speed.as_ref().is_some_and(|speed| speed.slow == Some(false));
    let undecided = (!found && !fast).then(|| Undecided::of(&view)).flatten();
    Diagnosis {
        findings,
        repeats: None,
        speed,
        undecided,
        seen: observations::of(&view),
        conflicts: conflict::of(&view),
        blind,
        failed: failed::of(evidence),
        read,
        in_vain: in_vain(evidence),
        unread: evidence.unread.clone(),
    }
}

/// Files of which nothing was read.
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

/// Whether a remedy is for a system that is there; where none is known, for any.
fn is_for(remedy: &Remedy, evidence: &Evidence) -> bool {
    let known = |system| evidence.hosts.iter().any(|host| host.system == Some(system));
    remedy.system().is_none_or(known) || evidence.hosts.iter().all(|host| host.system.is_none())
}

/// One finding for all connections of a group of which a rule found the same: the one that costs most.
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

/// What is explained by another finding goes behind it; then by severity, confidence and cost.
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

/// Whether a finding of one rule follows from one of another. Of two that each explain the other, the one that stands
/// first in the table does.
fn explains(rule: &Rule, other: &str) -> bool {
    let at = |name: &str| RULES.iter().position(|rule| rule.name == name);
    let back = || RULES.iter().any(|rule_of| rule_of.name == other && rule_of.explains.contains(&rule.name));
    rule.explains.contains(&other) && (at(rule.name) < at(other) || !back())
}

/// What rules lack that found nothing, in the order of what decides: the rate first where it says whether anything is slow.
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
