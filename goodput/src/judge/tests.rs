use super::*;
use crate::analyze::{TrialMeasures, Value, sample};
use crate::plan::Scene;

/// A plan of two points with two seeds each, and these goodputs, Mbit/s, in its order.
fn judged(goodput: [f64; 4], expect: &str) -> Verdict {
    let spec = format!(
        r#"
        title = "judged"
        path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }}
        flows = [{{ duration = "10 s" }}]
        vary = {{ "flows.congestion" = ["cubic", "bbr"] }}
        repeat = {{ seeds = 2 }}
        {expect}
        "#
    );
    let plan = crate::spec::plan("judged.toml", &spec, Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let value = |value: f64| Value { measure: "goodput".into(), subject: Subject::Flow, number: 0, value: value * 1e6 };
    let trial = |(index, rate): (usize, &f64)| TrialMeasures {
        index,
        values: Some(*rate).filter(|rate| rate.is_finite()).map(value).into_iter().collect(),
        caveats: vec![],
    };
    judge(&plan, &Measures { trials: goodput.iter().enumerate().map(trial).collect() })
}

#[track_caller]
fn says(goodput: [f64; 4], sentence: &str) {
    assert_eq!(judged(goodput, "").sentences[0], sentence);
}

#[test]
fn a_comparison_claims_what_every_seed_shows() {
    says(
        [2.0, 3.0, 8.0, 9.0],
        "bbr has 3.00 to 4.00 times the goodput of cubic in each of 2 seeds: 8.00 to 9.00 Mbit/s against 2.00 to 3.00 Mbit/s.",
    );
    says(
        [8.0, 9.0, 2.0, 3.0],
        "cubic has 3.00 to 4.00 times the goodput of bbr in each of 2 seeds: 8.00 to 9.00 Mbit/s against 2.00 to 3.00 Mbit/s.",
    );
    says(
        [2.0, 9.0, 8.0, 3.0],
        "Seeds differ on whether bbr has more goodput than cubic: 3.00 to 8.00 Mbit/s against 2.00 to 9.00 Mbit/s.",
    );
    says([5.0; 4], "bbr and cubic have the same goodput in each of 2 seeds: 5.00 Mbit/s.");
    says(
        [5.0, 6.0, 5.02, 5.98],
        "bbr and cubic have the same goodput within 0.5 % in each of 2 seeds: 5.02 to 5.98 Mbit/s and 5.00 to 6.00 Mbit/s.",
    );
    says([f64::NAN, f64::NAN, 1.0, 1.0], "bbr and cubic cannot be compared: a flow delivered nothing.");
    says([0.0, 0.0, 1.0, 1.0], "bbr and cubic cannot be compared: a flow delivered nothing.");
    says([1.0, 1.0, 0.0, 0.0], "bbr and cubic cannot be compared: a flow delivered nothing.");
    says(
        [2.0, f64::NAN, 8.0, 9.0],
        "bbr has 4.00 times the goodput of cubic in the 1 of 2 seeds that tell: 8.00 Mbit/s against 2.00 Mbit/s.",
    );
}

/// What is said of flows with these values; `figures` are measure, flow and value.
fn said(flows: Vec<Flow>, figures: &[(&str, usize, f64)]) -> Vec<String> {
    let plan = sample::plan(Scene { flows, ..sample::tree() });
    let value = |&(measure, number, value): &(&str, usize, f64)| Value {
        measure: measure.into(),
        subject: Subject::Flow,
        number,
        value,
    };
    let trial = TrialMeasures { index: 0, values: figures.iter().map(value).collect(), caveats: vec![] };
    judge(&plan, &Measures { trials: vec![trial] }).sentences
}

#[test]
fn a_sentence_fits_the_kinds_of_the_flows() {
    let [bulk, requests, udp, ping] = sample::four_kinds().flows.try_into().unwrap();
    let limits = |flow| [("limited-cwnd", flow, 0.2), ("limited-app", flow, 0.7)];
    let bulk_and = |others: &[(&'static str, usize, f64)]| [&[("goodput", 0, 3e6)], &limits(0)[..], others].concat();
    assert_eq!(
        said(vec![bulk.clone()], &bulk_and(&[])),
        ["Goodput: 3.00 Mbit/s.", "The flow is limited by the application for 70.0 % of its time."]
    );
    assert_eq!(
        said(
            vec![bulk.clone(), bulk.clone()],
            &bulk_and(&[("goodput", 1, 5e6), ("limited-cwnd", 1, 0.9), ("limited-app", 1, 0.1)])
        ),
        [
            "Goodput: 8.00 Mbit/s.",
            "The flows are limited by the congestion window for 55.0 % of their time, on average."
        ]
    );
    // The limits of requests are not those of the bulk flow.
    let others = [("exchange-p50", 1, 0.05), ("limited-cwnd", 1, 1.0), ("rtt-p50", 0, 0.2), ("rtt-p50", 2, 0.02)];
    assert_eq!(
        said(vec![bulk, requests.clone(), ping.clone()], &bulk_and(&others)),
        [
            "Goodput: 3.00 Mbit/s.",
            "The bulk flow is limited by the application for 70.0 % of its time.",
            "The median exchange takes 50.0 ms.",
            "The median ping takes 20.0 ms.",
        ]
    );
    assert_eq!(said(vec![requests.clone()], &[("exchange-p50", 0, 0.05)]), ["The median exchange takes 50.0 ms."]);
    assert_eq!(said(vec![requests], &[("unanswered", 0, 1.0)]), ["The median exchange has no value."]);
    assert_eq!(
        said(vec![udp.clone(), ping], &[("goodput", 0, 1e6), ("rtt-p50", 1, 0.02)]),
        ["The median ping takes 20.0 ms."]
    );
    assert_eq!(said(vec![udp], &[("goodput", 0, 1e6)]), ["Goodput: 1.00 Mbit/s."]);
    assert_eq!(said(vec![], &[]), [""; 0]);
}

/// Two points of two requests flows each, whose medians are these.
fn timed(times: [[Option<f64>; 2]; 2]) -> Vec<String> {
    let mut plan = sample::plan(sample::four_kinds());
    let point = |value: &str| vec![Setting { key: "path.queue".into(), value: value.into() }];
    let requests = plan.trials[0].scene.flows[1].clone();
    plan.trials[0].scene.flows = vec![requests.clone(), requests];
    plan.trials[0].point = point("deep");
    plan.trials.push(Trial { index: 1, point: point("shallow"), ..plan.trials[0].clone() });
    let value = |(number, value): (usize, Option<f64>)| {
        Some(Value { measure: "exchange-p50".into(), subject: Subject::Flow, number, value: value? })
    };
    let trial = |(index, values): (usize, [Option<f64>; 2])| TrialMeasures {
        index,
        values: values.into_iter().enumerate().filter_map(value).collect(),
        caveats: vec![],
    };
    judge(&plan, &Measures { trials: times.into_iter().enumerate().map(trial).collect() }).sentences
}

#[test]
fn less_time_is_better() {
    let both = |deep, shallow| timed([[Some(deep); 2], [Some(shallow); 2]]);
    assert_eq!(
        both(0.4, 0.1),
        ["The median exchange takes 4.00 times as long with deep as with shallow in the one seed that ran: \
             400 ms against 100 ms."]
    );
    assert_eq!(
        both(0.1, 0.2),
        ["The median exchange takes 2.00 times as long with shallow as with deep in the one seed that ran: \
             200 ms against 100 ms."]
    );
    assert_eq!(
        both(0.1, 0.1),
        ["The median exchange takes as long with shallow as with deep in the one seed that ran: 100 ms."]
    );
}

#[test]
fn a_flow_without_an_answer_is_not_left_out_of_a_median() {
    assert_eq!(
        timed([[Some(0.1), None], [Some(0.1), Some(0.3)]]),
        ["shallow and deep cannot be compared: with deep flow 1 got no answer."]
    );
    assert_eq!(
        timed([[None, None], [None, Some(0.3)]]),
        [
            "shallow and deep cannot be compared: with deep flows 0 and 1 got no answer, with shallow flow 0 got no answer."
        ]
    );
}

#[test]
fn a_lane_is_that_of_the_bottleneck_and_a_mean_that_of_flows_which_have_it() {
    let trial = sample::trial(sample::four_kinds());
    let value = |measure: &str, subject, number, value| Value { measure: measure.into(), subject, number, value };
    let values = vec![
        value("utilisation", Subject::Lane, 0, 0.1),
        value("utilisation", Subject::Lane, 4, 0.9),
        value("rtt-p50", Subject::Flow, 0, 0.1),
        value("rtt-p50", Subject::Flow, 1, 0.2),
        value("rtt-p50", Subject::Flow, 3, 0.3),
        value("goodput", Subject::Flow, 0, 1e6),
        value("goodput", Subject::Flow, 2, 2e6),
        value("exchange-p50", Subject::Flow, 3, 2e6),
        value("unanswered", Subject::Flow, 1, 0.0),
        value("unanswered", Subject::Flow, 3, 1.0),
    ];
    let measures = Measures { trials: vec![TrialMeasures { index: 0, values, caveats: vec![] }] };
    assert_eq!(super::value(&measures, &trial, "utilisation"), Some(0.9));
    assert_eq!(super::value(&measures, &trial, "rtt-p50"), Some((0.1 + 0.2 + 0.3) / 3.0));
    assert_eq!(super::value(&measures, &trial, "goodput"), Some(1e6), "datagrams are the background");
    assert_eq!(super::value(&measures, &trial, "unanswered"), Some(1.0));
    assert_eq!(super::value(&measures, &trial, "mss"), None);
}

#[test]
fn a_point_is_called_by_what_says_something() {
    let setting = |(key, value): (&str, &str)| Setting { key: key.into(), value: value.into() };
    let point = [("hosts.ecn", "false"), ("flows.count", "4"), ("path.buffer", "1 BDP")].map(setting);
    assert_eq!(label(&point), "ecn false, count 4, 1 BDP");
    let point = [("run", "command ip route, at 1 s"), ("path.changes", "none"), ("path.offloads", "tso, gso")];
    let point = point.map(setting);
    assert_eq!(label(&point), "(command ip route, at 1 s), changes none, (tso, gso)");
    assert_eq!(label(&point[..1]), "command ip route, at 1 s");
}

#[test]
fn an_expectation_holds_in_every_trial_or_fails_in_every_one() {
    let expect = r#"expect = [{ measure = "goodput", where = { "flows.congestion" = "bbr" }, at-least = "5 Mbit/s" }]"#;
    let outcome = |bbr: [f64; 2]| judged([1.0, 1.0, bbr[0], bbr[1]], expect).outcome();
    assert_eq!(outcome([5.0, 6.0]), Held::Yes);
    assert_eq!(outcome([4.9, 4.0]), Held::No);
    assert_eq!(outcome([4.9, 5.0]), Held::Inconclusive);
    assert_eq!(outcome([f64::NAN, 5.0]), Held::Inconclusive);
    assert_eq!(outcome([f64::NAN; 2]), Held::Inconclusive);
    assert_eq!(judged([1.0; 4], "").outcome(), Held::Yes);
    let said = |bbr: [f64; 2]| judged([1.0, 1.0, bbr[0], bbr[1]], expect).sentences.pop().unwrap();
    assert_eq!(
        said([f64::NAN; 2]),
        "Expected goodput of bbr at least 5.00 Mbit/s: is inconclusive: no trial has a value (flow 0 has none)."
    );
    assert_eq!(
        said([f64::NAN, 5.0]),
        "Expected goodput of bbr at least 5.00 Mbit/s: is inconclusive: not every trial has a value \
         (5.00 Mbit/s; flow 0 has none)."
    );
}

#[test]
fn a_dead_flow_is_not_left_out_of_an_expectation() {
    let mut plan = sample::plan(sample::four_kinds());
    let requests = plan.trials[0].scene.flows[1].clone();
    plan.trials[0].scene.flows = vec![requests.clone(), requests.clone(), requests];
    let expect =
        |measure: &str| Expectation { measure: measure.into(), at: vec![], at_least: None, at_most: Some(1.0) };
    plan.expect = vec![expect("exchange-p50"), expect("lost")];
    let value = Value { measure: "exchange-p50".into(), subject: Subject::Flow, number: 1, value: 0.1 };
    let trial = TrialMeasures { index: 0, values: vec![value], caveats: vec![] };
    let verdict = judge(&plan, &Measures { trials: vec![trial] });
    assert_eq!(verdict.expectations, [Held::Inconclusive; 2]);
    assert_eq!(
        verdict.sentences[1..],
        [
            "Expected exchange-p50 of every point at most 1.00 s: is inconclusive: no trial has a value \
             (flows 0 and 2 have none).",
            "Expected lost of every point at most 100 %: is inconclusive: no trial has a value.",
        ]
    );
}

#[test]
fn points_are_compared_by_what_both_have() {
    let [bulk, requests, udp, ping] = sample::four_kinds().flows.try_into().unwrap();
    let said = |flows: [Vec<&Flow>; 3], figures: [&[(&str, usize, f64)]; 3]| {
        let mut plan = sample::plan(sample::tree());
        let point = |name: &str| vec![Setting { key: "flows.kind".into(), value: name.into() }];
        let trial = |(index, (name, flows)): (usize, (&str, Vec<&Flow>))| Trial {
            index,
            point: point(name),
            seed: 1,
            scene: Scene { flows: flows.into_iter().cloned().collect(), ..sample::tree() },
        };
        plan.trials = ["A", "B", "C"].into_iter().zip(flows).enumerate().map(trial).collect();
        let value = |&(measure, number, value): &(&str, usize, f64)| Value {
            measure: measure.into(),
            subject: Subject::Flow,
            number,
            value,
        };
        let trial = |(index, figures): (usize, &[(&str, usize, f64)])| TrialMeasures {
            index,
            values: figures.iter().map(value).collect(),
            caveats: vec![],
        };
        judge(&plan, &Measures { trials: figures.into_iter().enumerate().map(trial).collect() }).sentences
    };
    let seed = "in the one seed that ran";
    assert_eq!(
        said(
            [vec![&bulk, &ping], vec![&ping], vec![&bulk, &ping]],
            [
                &[("goodput", 0, 2e6), ("rtt-p50", 0, 0.2), ("rtt-p50", 1, 0.2)],
                &[("rtt-p50", 0, 0.1)],
                &[("goodput", 0, 2e6), ("rtt-p50", 0, 0.1), ("rtt-p50", 1, 0.4)],
            ]
        ),
        [
            format!("The median ping takes 2.00 times as long with A as with B {seed}: 200 ms against 100 ms."),
            format!("C and A have the same goodput {seed}: 2.00 Mbit/s."),
            "C: the median ping takes 400 ms.".into(),
        ]
    );
    assert_eq!(
        said(
            [vec![&bulk], vec![&udp], vec![&bulk, &udp, &requests]],
            [
                &[("goodput", 0, 2e6)],
                &[("goodput", 0, 3e6)],
                &[("goodput", 0, 1e6), ("goodput", 1, 5e6), ("exchange-p50", 2, 0.1)],
            ]
        ),
        [
            "B and A cannot be compared: their flows are of different kinds.".into(),
            format!("A has 2.00 times the goodput of C {seed}: 2.00 Mbit/s against 1.00 Mbit/s."),
            "C: the median exchange takes 100 ms.".into(),
        ]
    );
    let none = said([vec![], vec![], vec![&udp]], [&[], &[], &[("goodput", 0, 1e6)]]);
    assert_eq!(none, ["C and A cannot be compared: their flows are of different kinds."]);
}

#[test]
fn one_seed_is_a_caveat() {
    let plan =
        "title = 't'\npath = { rate = '1 Mbit/s', rtt = '1 ms', buffer = '9 packets' }\nflows = [{ bytes = '1 B' }]";
    let plan = crate::spec::plan("one.toml", plan, Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut plan = plan;
    let doubted = |plan: &Plan| {
        let verdict = judge(plan, &Measures { trials: vec![] });
        verdict.caveats.iter().any(|caveat| caveat.starts_with("One seed is one sample"))
    };
    assert!(!doubted(&plan), "it claims nothing");
    plan.expect = vec![Expectation { measure: "goodput".into(), at: vec![], at_least: Some(1.0), at_most: None }];
    assert!(doubted(&plan));
}
