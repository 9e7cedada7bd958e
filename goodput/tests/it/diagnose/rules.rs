//! Every rule has a case that fails without it, and declares exactly the evidence that its cases need.

use super::cases::{Case, cases};
use diagnosis::diagnose::{self, Diagnosis, Finding, Given, Need, RULES, Rule, Severity};
use evidence::Evidence;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn found(case: &Case) -> Diagnosis {
    diagnose::diagnose(&(case.evidence)(), case.given)
}

fn of<'d>(diagnosis: &'d Diagnosis, case: &Case) -> Option<&'d Finding> {
    diagnosis.findings.iter().find(|finding| finding.rule == case.rule && finding.severity == case.severity)
}

fn said(diagnosis: &Diagnosis) -> Vec<(&str, Severity, &str)> {
    diagnosis.findings.iter().map(|finding| (finding.rule, finding.severity, finding.says.as_str())).collect()
}

#[test]
fn the_finding_of_a_case_stands_first() {
    for case in cases() {
        let diagnosis = found(case);
        let first = diagnosis.findings.iter().find(|finding| finding.severity == case.severity);
        assert_eq!(
            first.map(|first| first.rule),
            Some(case.rule),
            "{} {}: {:#?}",
            case.rule,
            case.name,
            said(&diagnosis)
        );
        let finding = first.unwrap();
        assert!(
            !finding.figures.is_empty() && finding.figures.iter().all(|figure| !figure.from.is_empty()),
            "{finding:#?}"
        );
    }
}

#[test]
fn without_the_figure_that_decides_there_is_no_finding() {
    for case in cases() {
        let mut evidence = (case.evidence)();
        (case.spoil)(&mut evidence);
        let diagnosis = diagnose::diagnose(&evidence, case.given);
        assert!(of(&diagnosis, case).is_none(), "{} {}: {:#?}", case.rule, case.name, said(&diagnosis));
    }
}

#[test]
fn each_rule_changes_a_case() {
    for rule in RULES {
        let others: Vec<&Rule> = RULES.iter().copied().filter(|other| other.name != rule.name).collect();
        let changes = |case: &Case| {
            let evidence = (case.evidence)();
            diagnose::by(&others, &evidence, case.given).findings != diagnose::diagnose(&evidence, case.given).findings
        };
        assert!(cases().filter(|case| case.rule == rule.name).any(changes), "{} has no case", rule.name);
    }
}

/// A rule declares exactly the needs that its cases cannot do without.
#[test]
fn rules_need_what_they_look_at() {
    for rule in RULES {
        let mut needs = BTreeSet::new();
        for case in cases().filter(|case| case.rule == rule.name) {
            for need in Need::ALL {
                let (mut evidence, mut given) = ((case.evidence)(), case.given);
                without(need, &mut evidence, &mut given);
                if of(&diagnose::diagnose(&evidence, given), case).is_none() {
                    needs.insert(need);
                }
            }
        }
        let declared: BTreeSet<Need> = rule.needs.iter().copied().collect();
        assert_eq!(declared, needs, "{}: what it declares, and what its cases show", rule.name);
    }
}

/// Takes a kind of evidence away.
fn without(need: Need, evidence: &mut Evidence, given: &mut Given) {
    let connections = evidence.connections.iter_mut();
    let hosts = evidence.hosts.iter_mut();
    match need {
        Need::LinkRate => {
            given.rate = None;
            evidence.link_rate = None;
        }
        Need::BaseRtt => {
            given.rtt = None;
            connections.for_each(|c| (c.rtt_min, c.rtt_base) = (None, None));
            evidence.pings.iter_mut().for_each(|ping| ping.rtts.clear());
            evidence.paths.iter_mut().for_each(|path| path.rtt = None);
        }
        Need::Retransmissions => connections.for_each(|c| {
            (c.retransmitted, c.timeouts, c.timeout_time, c.spurious, c.reordered) = (None, None, None, None, None);
            c.points.iter_mut().for_each(|point| point.retransmitted = None);
            c.packets.clear();
        }),
        Need::Limits => connections.for_each(|c| {
            c.limits = None;
            c.points.iter_mut().for_each(|point| point.limits = None);
        }),
        Need::RoundTrips => connections.for_each(|c| {
            c.points.iter_mut().for_each(|point| point.srtt = None);
            c.packets.iter_mut().for_each(|packet| packet.rtt = None);
        }),
        Need::Window => {
            connections.flat_map(|c| &mut c.points).for_each(|point| (point.cwnd, point.ssthresh) = (None, None));
        }
        Need::Settings => hosts.for_each(|host| host.settings.clear()),
        Need::PathMtu => {
            evidence.paths.clear();
            evidence.pings.iter_mut().for_each(|ping| (ping.whole, ping.too_big) = (false, None));
        }
        Need::Tunnels => hosts.for_each(|host| {
            host.tunnels.clear();
            host.routes.clear();
            let bridges = |kind: &str| ["bridge", "bond"].contains(&kind);
            host.interfaces.iter_mut().for_each(|device| device.kind = device.kind.take().filter(|kind| bridges(kind)));
        }),
        Need::Offloads => hosts.flat_map(|h| &mut h.interfaces).for_each(|interface| interface.offloads.clear()),
        Need::Exchanges => connections.for_each(|c| c.exchanges.clear()),
        Need::Processors => connections.for_each(|c| c.processors = [None, None]),
        Need::Several => evidence.connections.truncate(1),
        Need::Sweep => evidence.sweeps.clear(),
    }
}

/// Figures of thresholds come from the constants that decide, so that the text cannot differ from them; a reason may
/// cite a figure of its own.
#[test]
fn thresholds_print_no_figure_of_their_own() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/diagnosis/src/diagnose/rules");
    let (mut rules, mut wrong) = (0, vec![]);
    for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
        let tokens: TokenStream = fs::read_to_string(&file).unwrap().parse().unwrap();
        let texts = thresholds(tokens).unwrap_or_default();
        rules += usize::from(!texts.is_empty());
        // Each threshold is followed by its reason.
        wrong.extend(texts.into_iter().step_by(2).filter(|text| has_figure(text)));
    }
    assert_eq!(rules, RULES.len(), "a rule reads otherwise than this test expects");
    // A value of a setting, which no constant holds.
    wrong.retain(|text| !text.contains("tcp_no_ssthresh_metrics_save is not known to be 1"));
    assert_eq!(wrong, Vec::<String>::new(), "print the constant");
}

/// Literals of the field `thresholds`, in order.
fn thresholds(tokens: TokenStream) -> Option<Vec<String>> {
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(name) if name == "thresholds" => {
                let body = tokens.find_map(|token| match token {
                    TokenTree::Group(group) => Some(group.stream()),
                    _ => None,
                });
                return Some(literals(body?));
            }
            TokenTree::Group(group) => {
                if let Some(found) = thresholds(group.stream()) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

fn literals(tokens: TokenStream) -> Vec<String> {
    let texts = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) => literals(group.stream()),
        TokenTree::Literal(literal) => vec![literal.to_string()],
        _ => vec![],
    });
    texts.filter(|text| text.starts_with('"')).collect()
}

/// Whether a word of the text begins with a digit.
fn has_figure(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}
