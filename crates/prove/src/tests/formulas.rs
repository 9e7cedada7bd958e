//! Differences between formulas and the lab, and between the lab's curve and the transfer's.

use super::super::diagnosed::Diagnosed;
use super::super::experiments;
use super::super::explain::{Departure, departures};
use super::super::formulas::compare_with_lab;
use super::*;

#[test]
fn a_third_in_which_every_seed_carries_something_else_is_told() {
    let seen = [1e6, 1e6, 1e6, 5e6, 5e6, 5e6, 5e6, 5e6, 5e6];
    let seeds = [vec![5e6; 9], vec![4e6; 9]];
    assert_eq!(departures(&seen, &seeds, 0.5), [Departure { from: 0.0, until: 1.5, seen: 1e6, lab: [4e6, 5e6] }]);
    assert!(departures(&seen, &[vec![5e6; 9], vec![1e6; 9]], 0.5).is_empty(), "one seed does what it does");
    assert!(departures(&seen, &[], 0.5).is_empty() && departures(&[], &seeds, 0.5).is_empty());
}

/// A change to settings that a host already has is no separate case: an experiment has no two equal cases.
#[test]
fn every_experiment_of_a_proof_can_be_run() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let known = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    let settings = |verdict: &Verdict| {
        let row = verdict.rows.iter().find(|row| row.name == "larger send buffer").expect("it is a row");
        row.settings[0].value.as_str().and_then(|value| value.split(' ').nth(2)?.parse::<u64>().ok()).unwrap()
    };
    case.wmem = Some(settings(&known));
    let verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    assert_eq!(Some(settings(&verdict)), case.wmem);
    let all = experiments(&case, &verdict, 5);
    assert!(all.iter().any(|(_, text)| !text.contains("larger-send-buffer]")));
    for (name, text) in all {
        let plan = experiment::plan(&name, &text, &[]);
        assert!(plan.is_ok(), "{text}\n{:?}", plan.err());
    }
}

#[test]
fn the_formulas_answer_is_compared_with_the_labs() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let found = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    assert!(found.explanations.iter().any(|one| one.names("receive window")));
    let told = |rule: &str, proposes: &[&str]| {
        let proposes = proposes.iter().map(|name| (*name).to_owned()).collect();
        let diagnosed = Some(Diagnosed { rule: rule.into(), says: "It is slow.".into(), proposes });
        compare_with_lab(&Verdict { diagnosed, ..found.clone() }).unwrap()
    };
    assert_eq!(told("receiver-window", &["larger receive buffer"]), "the receive window as well.");
    let idle = told("receiver-window", &["larger send buffer"]);
    assert!(idle.ends_with(" They propose larger send buffer, which gains nothing in the lab."), "{idle}");
    let other = told("loss-response", &[]);
    let why = "It is slow. The lab finds another cause: random loss is ruled out (nothing was retransmitted)";
    assert!(other.starts_with(why), "{other}");
    assert_eq!(told("cpu-bound", &[]), "It is slow. The lab tries nothing of that kind.");
}
