//! Compares the diagnosis, which uses formulas alone, with the lab.

use super::Verdict;
use super::candidate::Mechanism;
use super::diagnosed::Diagnosed;
use super::distance::Fit;
use super::words::noun;

/// Name of a queue that loses packets, as in [`super::candidate::Candidate::queue`].
const SMALL_QUEUE: &str = "small queue";
const LINK_OR_LARGE_QUEUE: &[&str] = &["line", super::candidate::LARGE_QUEUE];

/// Mechanisms and queues of each rule of the diagnosis; the lab tries nothing for the other rules.
const ROWS: &[(&str, &[Mechanism], &[&str])] = &[
    ("application-limited", &[Mechanism::Pace, Mechanism::Reader], &[]),
    ("bufferbloat", &[], LINK_OR_LARGE_QUEUE),
    ("cross-traffic", &[Mechanism::Shared], &[]),
    ("ecn-marks", &[Mechanism::Aqm], &[]),
    (
        "loss-response",
        &[Mechanism::Loss, Mechanism::Bursts, Mechanism::Policer, Mechanism::Reordering, Mechanism::Aqm],
        &[SMALL_QUEUE],
    ),
    ("mtu-black-hole", &[Mechanism::Hole], &[]),
    ("outage", &[Mechanism::Outage], &[]),
    ("packet-length", &[Mechanism::Hole], &[]),
    ("policer", &[Mechanism::Policer, Mechanism::Bursts], &[]),
    ("radio-link", &[Mechanism::Outage], &[]),
    ("rate-cap", &[Mechanism::Pace, Mechanism::Policer], LINK_OR_LARGE_QUEUE),
    ("receiver-not-reading", &[Mechanism::Reader, Mechanism::ReceiveWindow], &[]),
    ("receiver-window", &[Mechanism::ReceiveWindow, Mechanism::Reader], &[]),
    ("reordering", &[Mechanism::Reordering], &[]),
    ("rtt-unfairness", &[Mechanism::Shared], &[]),
    ("send-buffer", &[Mechanism::SendBuffer], &[]),
    ("shallow-buffer", &[Mechanism::Bursts], &[SMALL_QUEUE]),
    ("slow-start-exit", &[Mechanism::EarlyExit], &[]),
    ("slow-start-overshoot", &[Mechanism::Overshoot, Mechanism::EarlyExit], &[SMALL_QUEUE]),
    ("timeouts", &[Mechanism::Loss, Mechanism::Bursts, Mechanism::Outage], &[]),
    ("tunnel-mtu", &[Mechanism::Hole], &[]),
    ("window-or-buffer", &[Mechanism::ReceiveWindow, Mechanism::SendBuffer, Mechanism::Pace, Mechanism::Reader], &[]),
];

fn mechanisms(said: &Diagnosed) -> Vec<&'static str> {
    let row = ROWS.iter().find(|(rule, ..)| *rule == said.rule);
    row.map_or(vec![], |(_, kinds, queues)| {
        kinds.iter().map(|kind| kind.name()).chain(queues.iter().copied()).collect()
    })
}

/// Says whether both name the same cause, or why the lab does not, and lists proposed changes that gain nothing in the
/// lab.
pub fn compare_with_lab(verdict: &Verdict) -> Option<String> {
    let said = verdict.diagnosed.as_ref()?;
    let named = mechanisms(said);
    let same = verdict.explanations.iter().find(|one| named.iter().any(|name| one.names(name)));
    let mut told = match same {
        _ if verdict.explanations.is_empty() => said.says.clone(),
        Some(one) => format!("{} as well.", noun(&one.name)),
        None if named.is_empty() => format!("{} The lab tries nothing of that kind.", said.says),
        None => format!("{} The lab finds another cause: {}.", said.says, against(&named, verdict).join("; ")),
    };
    let idle: Vec<&str> = verdict.rows.iter().filter(|row| row.is_idle()).map(|row| row.name.as_str()).collect();
    let useless: Vec<&str> = said.proposes.iter().map(String::as_str).filter(|name| idle.contains(name)).collect();
    if !useless.is_empty() {
        told += &format!(" They propose {}, which gains nothing in the lab.", useless.join(" and "));
    }
    Some(told)
}

/// Explains why the lab names none of these mechanisms.
fn against(named: &[&str], verdict: &Verdict) -> Vec<String> {
    let excluded = |name: &str| verdict.excluded.iter().find(|one| one.kind.name() == name);
    let nearest = |name: &str| {
        let tried = verdict.tried.iter().filter(|(what, _)| what.starts_with(name)).map(|(_, fit)| fit);
        tried.min_by(|a, b| a.d.total_cmp(&b.d))
    };
    let each = |name: &&str| match (excluded(name), nearest(name)) {
        (Some(out), _) => Some(format!("{name} is ruled out ({})", out.why)),
        (None, Some(fit)) if fit.holds() => Some(format!("with {name} alone it is less likely")),
        (None, Some(fit)) => Some(format!(
            "with {name} its figures are off by {:.2} times their spread ({:.2} at most)",
            fit.d,
            Fit::MAX_D
        )),
        (None, None) => None,
    };
    let all: Vec<String> = named.iter().filter_map(each).collect();
    if all.is_empty() { vec!["nothing of that kind was tried within the budget".into()] } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosed::LINE_RULES;
    use diagnosis::diagnose::RULES;

    #[test]
    fn rows_of_the_line_are_the_rules_that_blame_it() {
        let rules: Vec<&str> =
            ROWS.iter().filter(|(.., queues)| *queues == LINK_OR_LARGE_QUEUE).map(|(rule, ..)| *rule).collect();
        assert_eq!(rules, LINE_RULES);
    }

    #[test]
    fn every_row_is_of_a_rule() {
        let known: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        ROWS.iter().for_each(|(rule, ..)| assert!(known.contains(rule), "{rule} of {known:?}"));
    }
}
