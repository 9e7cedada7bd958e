mod named;

use super::*;
use analysis::{TrialMeasures, Value, fixture};
use base::units::Subject;
use plan::{Expectation, Flow, Scene};

/// Judges without a diagnosis.
fn judge(plan: &Plan, measures: &Measures) -> Verdict {
    super::judge(plan, measures, &Diagnoses::new())
}

/// Judges two points with two seeds each and these goodputs, Mbit/s, in the plan's order.
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
    let plan = experiment::plan("judged.toml", &spec, &[]).unwrap_or_else(|e| panic!("{e}"));
    let value = |value: f64| Value { measure: "goodput", subject: Subject::Flow, number: 0, value: value * 1e6 };
    let trial = |(index, rate): (usize, &f64)| TrialMeasures {
        index,
        recording: None,
        values: Some(*rate).filter(|rate| rate.is_finite()).map(value).into_iter().collect(),
        caveats: vec![].into(),
    };
    judge(&plan, &Measures { trials: goodput.iter().enumerate().map(trial).collect() })
}

/// Returns the verdict's sentences on flows with these values; `figures` are measure, flow and value.
fn said(flows: Vec<Flow>, figures: &[(&'static str, usize, f64)]) -> Vec<String> {
    let plan = fixture::plan(Scene { flows, ..fixture::tree() });
    let value = |&(measure, number, value): &(&'static str, usize, f64)| Value {
        measure,
        subject: Subject::Flow,
        number,
        value,
    };
    let trial = TrialMeasures {
        index: 0,
        recording: None,
        values: figures.iter().map(value).collect(),
        caveats: vec![].into(),
    };
    judge(&plan, &Measures { trials: vec![trial] }).sentences()
}

#[test]
fn the_largest_effect_is_the_foremost_whichever_way_it_goes() {
    let foremost = |factors: &[f64]| {
        let question = |factor: &f64| {
            let pair = |seed: u32| {
                let base = 70e6 * (1.0 + 0.001 * f64::from(seed));
                [base, base * factor * (1.0 + 0.0005 * f64::from(seed % 2))]
            };
            let names = ["cubic".into(), format!("times {factor}")];
            let values = Values::Pairs((0..5).map(pair).collect());
            let measure = Measure::find("goodput").unwrap();
            Question::new(measure, names, values)
        };
        let comparisons = decide(factors.iter().map(question).collect(), 0.05);
        Verdict { comparisons, ..Verdict::default() }.foremost()
    };
    assert_eq!(foremost(&[1.5, 11.7, 1.0]), Some(1));
    assert_eq!(foremost(&[1.5, 11.7, 0.01]), Some(2));
    assert_eq!(foremost(&[1.0, 1.0]), None, "nothing differs");
    assert_eq!(foremost(&[]), None);
}

#[test]
fn a_sentence_fits_the_kinds_of_the_flows() {
    let [bulk, requests, udp, ping] = fixture::four_kinds().flows.try_into().unwrap();
    let limits = |flow| [("limited-cwnd", flow, 0.2), ("limited-app", flow, 0.7)];
    let bulk_and = |others: &[(&'static str, usize, f64)]| [&[("goodput", 0, 3e6)], &limits(0)[..], others].concat();
    assert_eq!(
        said(vec![bulk.clone()], &bulk_and(&[])),
        ["Goodput: 3.00 Mbit/s.", "The flow is limited by the application 70.0 % of the time."]
    );
    assert_eq!(
        said(
            vec![bulk.clone(), bulk.clone()],
            &bulk_and(&[("goodput", 1, 5e6), ("limited-cwnd", 1, 0.9), ("limited-app", 1, 0.1)])
        ),
        [
            "Goodput of all flows: 8.00 Mbit/s.",
            "The flows are limited by the congestion window 55.0 % of the time, on average."
        ]
    );
    let by = |measure: &'static str| {
        said(vec![bulk.clone()], &[("goodput", 0, 3e6), ("limited-cwnd", 0, 0.3), (measure, 0, 0.6)]).pop()
    };
    assert_eq!(by("limited-pacing"), Some("The flow is limited by pacing 60.0 % of the time.".into()));
    assert_eq!(
        by("limited-unknown"),
        Some("The flow is limited by what TCP_INFO does not show 60.0 % of the time.".into())
    );
    // The limits of requests are not those of the bulk flow.
    let others = [("exchange-p50", 1, 0.05), ("limited-cwnd", 1, 1.0), ("rtt-p50", 0, 0.2), ("rtt-p50", 2, 0.02)];
    assert_eq!(
        said(vec![bulk, requests.clone(), ping.clone()], &bulk_and(&others)),
        [
            "Goodput: 3.00 Mbit/s.",
            "Median response time: 50.0 ms.",
            "Median ping RTT: 20.0 ms.",
            "The bulk flow is limited by the application 70.0 % of the time.",
        ]
    );
    assert_eq!(said(vec![requests.clone()], &[("exchange-p50", 0, 0.05)]), ["Median response time: 50.0 ms."]);
    assert_eq!(said(vec![requests], &[("unanswered", 0, 1.0)]), ["Median response time: no value."]);
    assert_eq!(
        said(vec![udp.clone(), ping], &[("goodput", 0, 1e6), ("rtt-p50", 1, 0.02)]),
        ["Median ping RTT: 20.0 ms."]
    );
    assert_eq!(said(vec![udp], &[("goodput", 0, 1e6)]), ["Goodput: 1.00 Mbit/s."]);
    assert_eq!(said(vec![], &[]), [""; 0]);
}

/// Returns the sentences on two points of two requests flows each, with these median response times, s.
fn timed(times: [[Option<f64>; 2]; 2]) -> Vec<String> {
    let requests = fixture::four_kinds().flows.swap_remove(1);
    let scene = Scene { flows: vec![requests.clone(), requests], ..fixture::four_kinds() };
    let plan = fixture::varied("path.queue", vec![("deep", vec![scene.clone()]), ("shallow", vec![scene])]);
    let value = |(number, value): (usize, Option<f64>)| {
        Some(Value { measure: "exchange-p50", subject: Subject::Flow, number, value: value? })
    };
    let trial = |(index, values): (usize, [Option<f64>; 2])| TrialMeasures {
        index,
        recording: None,
        values: values.into_iter().enumerate().filter_map(value).collect(),
        caveats: vec![].into(),
    };
    judge(&plan, &Measures { trials: times.into_iter().enumerate().map(trial).collect() }).sentences()
}

#[test]
fn a_flow_without_an_answer_is_not_left_out_of_a_median() {
    assert_eq!(
        timed([[Some(0.1), None], [Some(0.1), Some(0.3)]]),
        ["shallow and deep cannot be compared: in deep, flow 1 got no answer."]
    );
    assert_eq!(
        timed([[None, None], [None, Some(0.3)]]),
        [
            "shallow and deep cannot be compared: in deep, flows 0 and 1 got no answer; in shallow, flow 0 got no answer."
        ]
    );
}

/// Returns the sentences on two points of requests, with the numbers answered and unanswered in each seed.
fn answered(counts: [&[[f64; 2]]; 2]) -> Vec<String> {
    let requests = fixture::four_kinds().flows.swap_remove(1);
    let scene = Scene { flows: vec![requests], ..fixture::four_kinds() };
    let seeds = |counts: &[[f64; 2]]| vec![scene.clone(); counts.len()];
    let plan = fixture::varied("path.mtu", vec![("1500 B", seeds(counts[0])), ("1400 B", seeds(counts[1]))]);
    let value = |measure, value| Value { measure, subject: Subject::Flow, number: 0, value };
    let trial = |(index, [got, lost]): (usize, [f64; 2])| TrialMeasures {
        index,
        recording: None,
        values: [value("exchanges", got), value("unanswered", lost)]
            .into_iter()
            .chain((got > 0.0).then(|| value("exchange-p50", 0.1)))
            .collect(),
        caveats: vec![].into(),
    };
    judge(&plan, &Measures { trials: counts.concat().into_iter().enumerate().map(trial).collect() }).sentences()
}

#[test]
fn what_is_answered_is_better_than_what_is_not() {
    assert_eq!(
        answered([&[[0.0, 1.0]], &[[34.0, 0.0]]])[0],
        "1400 B is better than 1500 B: 34 of 34 requests were answered, 0 of 1 with 1500 B."
    );
    assert_eq!(
        answered([&[[30.0, 0.0], [28.0, 2.0]], &[[0.0, 1.0], [0.0, 1.0]]])[0],
        "1400 B is worse than 1500 B: 0 of 2 requests were answered, 58 of 60 with 1500 B."
    );
    // A seed that answers is no silence, and two silences are no difference.
    for counts in [[&[[0.0, 1.0], [1.0, 1.0]], &[[9.0, 0.0], [9.0, 0.0]]], [&[[0.0, 1.0], [0.0, 1.0]]; 2]] {
        assert!(answered(counts.map(|side| &side[..]))[0].contains("cannot be compared"));
    }
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
    let said = |bbr: [f64; 2]| judged([1.0, 1.0, bbr[0], bbr[1]], expect).sentences().pop().unwrap();
    assert_eq!(
        said([f64::NAN; 2]),
        "Expected goodput of bbr at least 5.00 Mbit/s: inconclusive, no trial has a value (flow 0 has none)."
    );
    assert_eq!(
        said([f64::NAN, 5.0]),
        "Expected goodput of bbr at least 5.00 Mbit/s: inconclusive, not every trial has a value (5.00 Mbit/s; flow 0 has \
         none)."
    );
}

/// Source: tables of the binomial distribution. If each trial lies within the bounds with 90 %, then 5 or fewer of 10
/// do in 0.16 % of cases, 6 or fewer in 1.28 %; none of 3 in 0.1 %; none of 2 in 1 %.
#[test]
fn a_prediction_fails_where_so_few_inside_would_be_rare() {
    let held = |bbr: &[f64], share: &str| {
        let spec = format!(
            r#"
            title = "Predicted"
            path = {{ rate = "100 Mbit/s", rtt = "20 ms", buffer = "9 packets" }}
            flows = [{{ duration = "1 s" }}]
            repeat = {{ seeds = {} }}
            expect = [{{ measure = "goodput", between = ["5 Mbit/s", "6 Mbit/s"], share = "{share}" }}]
            "#,
            bbr.len()
        );
        let plan = experiment::plan("predicted.toml", &spec, &[]).unwrap_or_else(|e| panic!("{e}"));
        let value = |value: &f64| Value { measure: "goodput", subject: Subject::Flow, number: 0, value: value * 1e6 };
        let trial = |(index, rate): (usize, &f64)| TrialMeasures {
            index,
            recording: None,
            values: [value(rate)].into_iter().filter(|value| !value.value.is_nan()).collect(),
            caveats: vec![].into(),
        };
        let verdict = judge(&plan, &Measures { trials: bbr.iter().enumerate().map(trial).collect() });
        (verdict.outcome(), verdict.sentences().pop().unwrap())
    };
    let rates = |inside: usize, outside: usize| [vec![5.5; inside], vec![7.0; outside]].concat();
    assert_eq!(
        held(&rates(9, 1), "90 %"),
        (Held::Yes, "Goodput as predicted: 9 of 10 in 5.00 to 6.00 Mbit/s (5.50 to 7.00 Mbit/s); 90 % were predicted, 5 or fewer would refute it."
                .into(),
        )
    );
    assert_eq!(held(&rates(6, 4), "90 %").0, Held::Yes);
    assert_eq!(
        held(&rates(5, 5), "90 %"),
        (
            Held::No,
            "Goodput not as predicted: 5 of 10 in 5.00 to 6.00 Mbit/s (5.50 to 7.00 Mbit/s), and 90 % were predicted."
                .into()
        )
    );
    assert_eq!(held(&rates(5, 5), "50 %").0, Held::Yes);
    assert_eq!(held(&rates(0, 3), "90 %").0, Held::No);
    assert_eq!(held(&rates(3, 0), "90 %").0, Held::Yes);
    let few = "Goodput, prediction inconclusive: 2 of 2 in 5.00 to 6.00 Mbit/s (5.50 Mbit/s); at least 3 trials can refute 90 %.";
    assert_eq!(held(&rates(2, 0), "90 %"), (Held::Inconclusive, few.into()));
    assert_eq!(held(&rates(9, 1), "100 %").0, Held::No);
    // A trial without a value could lie on either side.
    assert_eq!(held(&[rates(5, 4), vec![f64::NAN]].concat(), "90 %").0, Held::Inconclusive);
    assert_eq!(held(&[rates(8, 1), vec![f64::NAN]].concat(), "90 %").0, Held::Yes);
    assert_eq!(held(&[rates(4, 5), vec![f64::NAN]].concat(), "90 %").0, Held::No);
}

#[test]
fn a_dead_flow_is_not_left_out_of_an_expectation() {
    let mut plan = fixture::plan(fixture::four_kinds());
    let requests = plan.trials[0].scene.flows[1].clone();
    plan.trials[0].scene.flows = vec![requests.clone(), requests.clone(), requests];
    let expect = |measure: &str| Expectation {
        measure: measure.into(),
        flow: None,
        at: vec![],
        at_least: None,
        at_most: Some(1.0),
        share: None,
    };
    plan.expect = vec![expect("exchange-p50"), expect("lost")];
    let value = Value { measure: "exchange-p50", subject: Subject::Flow, number: 1, value: 0.1 };
    let trial =
        TrialMeasures { index: 0, recording: None, values: [value].into_iter().collect(), caveats: vec![].into() };
    let verdict = judge(&plan, &Measures { trials: vec![trial] });
    assert!(verdict.expectations.iter().all(|expected| expected.held == Held::Inconclusive));
    assert_eq!(
        verdict.sentences()[1..],
        [
            "Expected exchange-p50 of all flows at most 1.00 s: inconclusive, no trial has a value (flows 0 and 2 have none).",
            "Expected lost at most 100 %: inconclusive, no trial has a value.",
        ]
    );
}

#[test]
fn points_are_compared_by_what_both_have() {
    let [bulk, requests, udp, ping] = fixture::four_kinds().flows.try_into().unwrap();
    let said = |flows: [Vec<&Flow>; 3], figures: [&[(&'static str, usize, f64)]; 3]| {
        let scene = |flows: Vec<&Flow>| Scene { flows: flows.into_iter().cloned().collect(), ..fixture::tree() };
        let points = ["A", "B", "C"].into_iter().zip(flows).map(|(name, flows)| (name, vec![scene(flows)])).collect();
        let plan = fixture::varied("flows.kind", points);
        let value = |&(measure, number, value): &(&'static str, usize, f64)| Value {
            measure,
            subject: Subject::Flow,
            number,
            value,
        };
        let trial = |(index, figures): (usize, &[(&'static str, usize, f64)])| TrialMeasures {
            index,
            recording: None,
            values: figures.iter().map(value).collect(),
            caveats: vec![].into(),
        };
        judge(&plan, &Measures { trials: figures.into_iter().enumerate().map(trial).collect() }).sentences()
    };
    let open = "but one seed of each proves nothing.";
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
            "One seed of each proves nothing: B vs A, rtt-p50 50.0 % lower; C vs A, goodput the same.".to_owned(),
            "C: median ping RTT: 400 ms.".into(),
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
            format!("C vs A is inconclusive: goodput is 50.0 % lower, 1.00 Mbit/s vs 2.00 Mbit/s, {open}"),
            "B and A cannot be compared: their flows are of different kinds.".into(),
            "C: median response time: 100 ms.".into(),
        ]
    );
    let none = said([vec![], vec![], vec![&udp]], [&[], &[], &[("goodput", 0, 1e6)]]);
    assert_eq!(none, ["C and A cannot be compared: their flows are of different kinds."]);
}

/// Returns the sentence that compares values of a measure: pairs by seed, or two sides of runs.
fn settled(measure: &'static str, values: Values) -> String {
    let measure = Measure::find(measure).unwrap();
    let names = ["A".into(), "B".into()];
    decide(vec![Question::new(measure, names, values)], 0.02).remove(0).sentence
}

fn pairs(a: &[f64], b: &[f64]) -> Values {
    Values::Pairs(a.iter().zip(b).map(|(a, b)| [*a, *b]).collect())
}

#[test]
fn a_sentence_says_what_was_shown_how_much_and_how_sure() {
    let rates = |mega: [f64; 5]| mega.map(|rate| rate * 1e6);
    let times = |ms: [f64; 5]| ms.map(|ms| ms / 1e3);
    let base = rates([9.8, 10.0, 10.2, 10.1, 9.9]);
    let table = [
        (
            "goodput",
            pairs(&base, &rates([10.4, 10.5, 10.7, 10.6, 10.5])),
            "B is better than A: goodput is 5.41 % higher (95 % CI 4.63 to 6.19 %, 5 paired seeds), 10.5 Mbit/s vs 10.0 Mbit/s.",
        ),
        (
            "goodput",
            pairs(&base, &rates([9.0, 9.1, 9.3, 9.2, 9.2])),
            "B is worse than A: goodput is 8.40 % lower (95 % CI 7.39 to 9.39 %, 5 paired seeds), 9.16 Mbit/s vs 10.0 Mbit/s.",
        ),
        (
            "goodput",
            pairs(&base, &rates([58.0, 62.0, 60.0, 61.0, 59.0])),
            "B is better than A: goodput is higher by a factor of 6.00 (95 % CI 5.85 to 6.16, 5 paired seeds), 60.0 Mbit/s vs 10.0 Mbit/s.",
        ),
        (
            "goodput",
            pairs(&base, &rates([2.0, 2.1, 2.2, 2.0, 2.1])),
            "B is worse than A: goodput is lower by a factor of 4.81 (95 % CI 4.61 to 5.02, 5 paired seeds), 2.08 Mbit/s vs 10.0 Mbit/s.",
        ),
        (
            "goodput",
            pairs(&base, &rates([9.81, 10.01, 10.19, 10.1, 9.91])),
            "B and A are equivalent within 2 %: goodput is 0.0410 % higher (95 % CI −0.0698 % to +0.152 %, 5 paired seeds), 10.0 Mbit/s vs 10.0 Mbit/s.",
        ),
        ("goodput", pairs(&base, &base), "B and A are equivalent: goodput is 10.0 Mbit/s with each of 5 seeds."),
        (
            "goodput",
            pairs(&base, &rates([9.0, 11.0, 10.5, 9.7, 10.9])),
            "B vs A is inconclusive: goodput is 1.92 % higher (95 % CI −7.84 % to +12.7 %, 5 paired seeds), 10.2 Mbit/s vs 10.0 Mbit/s. About 140 more seeds would decide it.",
        ),
        (
            "goodput",
            pairs(&base[..1], &base[1..2]),
            "B vs A is inconclusive: goodput is 2.04 % higher, 10.0 Mbit/s vs 9.80 Mbit/s, but one seed of each proves nothing.",
        ),
        (
            "goodput",
            Values::Apart([base.to_vec(), rates([10.4, 10.5, 10.7, 10.6, 10.5]).to_vec()]),
            "B is better than A: goodput is 5.41 % higher (95 % CI 3.30 to 7.56 %, 5 runs of each), 10.5 Mbit/s vs 10.0 Mbit/s.",
        ),
        (
            "rtt-p95",
            pairs(&times([40.0, 41.0, 42.0, 40.5, 41.5]), &times([20.5, 22.0, 21.0, 21.5, 22.5])),
            "B is better than A: rtt-p95 is 47.6 % lower (95 % CI 45.3 to 49.7 %, 5 paired seeds), 21.5 ms vs 41.0 ms.",
        ),
        (
            "loss-drops",
            pairs(&[0.0; 5], &[3.0, 5.0, 4.0, 6.0, 2.0]),
            "B differs from A: loss-drops is 4 packets higher (95 % CI 2.04 to 5.96 packets, 5 paired seeds), 4 packets vs 0 packets.",
        ),
        (
            "goodput",
            Values::Apart([vec![10e6; 3], vec![10e6; 3]]),
            "B and A are equivalent: goodput is 10.0 Mbit/s in every run (3 runs of each).",
        ),
        ("goodput", pairs(&[], &[]), "B and A cannot be compared: goodput has no value on both sides in any seed."),
    ];
    for (measure, values, due) in table {
        assert_eq!(settled(measure, values), due);
    }
}

/// No seed has the mean of two modes, so the sentence names the modes.
#[test]
fn two_modes_are_said_to_be_two() {
    let one = [10.0e6, 10.1e6, 9.9e6, 10.2e6, 9.8e6, 10.0e6, 10.1e6];
    let two = [632e6, 166e6, 611e6, 171e6, 629e6, 180e6, 640e6];
    let said = settled("goodput", pairs(&one, &two));
    assert!(said.ends_with("), two modes, 171 Mbit/s (3 of 7) or 630 Mbit/s (4) vs 10.0 Mbit/s."), "{said}");
    let scene = Scene { flows: vec![fixture::flow("a", "c", fixture::bulk("cubic"))], ..fixture::tree() };
    let mut plan = fixture::varied("x", vec![("A", vec![scene; 7])]);
    plan.trials.iter_mut().for_each(|trial| trial.point.clear());
    plan.vary.clear();
    let value = |value| Value { measure: "goodput", subject: Subject::Flow, number: 0, value };
    let trial = |(index, rate)| TrialMeasures {
        index,
        recording: None,
        values: [value(rate)].into_iter().collect(),
        caveats: vec![].into(),
    };
    let measures = Measures { trials: two.into_iter().enumerate().map(trial).collect() };
    assert_eq!(judge(&plan, &measures).sentences(), ["Goodput: two modes, 171 Mbit/s (3 of 7) or 630 Mbit/s (4)."]);
}

#[test]
fn several_comparisons_are_corrected_together() {
    let base = [9.8e6, 10.0e6, 10.2e6, 10.1e6, 9.9e6];
    // Without the correction p is 0.03.
    let other = [10.4e6, 9.95e6, 10.9e6, 10.3e6, 10.6e6];
    let measure = Measure::find("goodput").unwrap();
    let question = |n: usize| Question::new(measure, ["A".into(), format!("B{n}")], pairs(&base, &other));
    let outcomes =
        |n: usize| decide((0..n).map(question).collect(), 0.001).iter().map(|c| c.outcome).collect::<Vec<_>>();
    assert_eq!(outcomes(1), [Outcome::Better]);
    assert_eq!(outcomes(3), [Outcome::Inconclusive; 3]);
    // A comparison whose seeds all agree is not left to chance, and adds nothing to the correction.
    let constant = (0..5).map(|_| Question::new(measure, ["A".into(), "C".into()], pairs(&[2e6; 5], &[2e6; 5])));
    let all = decide(constant.chain([question(0)]).collect(), 0.001);
    assert_eq!(all[5].outcome, Outcome::Better);
    assert!(super::of_comparisons(&all).iter().all(|caveat| !caveat.contains("corrected")));
}

#[test]
fn flows_of_one_point_differ_and_neither_is_better() {
    let measure = Measure::find("goodput").unwrap();
    let question = Question::new(measure, ["a".into(), "b".into()], pairs(&[1e6, 1.1e6, 1.2e6], &[9e6, 8.9e6, 8.8e6]));
    let outcome = |is_within| decide(vec![Question { is_within, ..question.clone() }], 0.02)[0].outcome;
    assert_eq!([false, true].map(outcome), [Outcome::Better, Outcome::Higher]);
}

#[test]
fn an_effect_of_the_start_is_said_to_be_one() {
    let told = |steady: f64| {
        let both = [Some(steady), None];
        let pair =
            |measure| Question::new(measure, ["old".into(), "new".into()], pairs(&[10e6, 10.1e6], &[10.6e6, 10.7e6]));
        let all = decide(["goodput", "rtt-p50"].map(|name| pair(Measure::find(name).unwrap())).into(), 0.02);
        compare::of_start_up(&all, &both)
    };
    // 5.97 % with the start; 1 % and 6.5 % without.
    let one = told(1.01).expect("5.97 % is not 1 %");
    assert!(one.contains("goodput-steady): new is 1.00 % higher than old, not 5.97 % higher."), "{one}");
    assert_eq!(told(1.065), None, "within the margin of 2 %");
}

#[test]
fn printed_figures_yield_the_printed_effect() {
    // Medians of 200 and 207 ms suggest 3.4 %; the geometric means, 191.3 and 207 ms, 7.6 %.
    let told = settled("rtt-p50", pairs(&[0.207; 5], &[0.200, 0.160, 0.202, 0.201, 0.198]));
    let geometric = (0.200f64 * 0.160 * 0.202 * 0.201 * 0.198).powf(0.2);
    assert!((geometric - 0.1915).abs() < 1e-4, "{geometric}");
    assert!(
        told.contains("geometric means 191 ms vs 207 ms") || told.contains("geometric means 192 ms vs 207 ms"),
        "{told}"
    );
    let told = settled("rtt-p50", pairs(&[0.207; 5], &[0.200, 0.199, 0.202, 0.201, 0.198]));
    assert!(!told.contains("geometric"), "{told}");
}

#[test]
fn a_large_rise_from_almost_nothing_is_a_factor() {
    // 0.001 on average, then 0.06.
    let told = settled("retransmitted", pairs(&[0.0, 0.002, 0.001, 0.001], &[0.05, 0.07, 0.06, 0.06]));
    assert!(told.contains("higher by a factor of 60.0 (95 % CI 0 to 125,"), "{told}");
}

#[test]
fn flows_that_share_a_bottleneck_are_reported_apart() {
    let scene = |controls: [&str; 2]| {
        let flows = controls.map(|control| fixture::flow("a", "c", fixture::bulk(control))).to_vec();
        Scene { flows, ..fixture::tree() }
    };
    let points = [("all cubic", ["cubic"; 2]), ("all dctcp", ["dctcp"; 2]), ("mixed", ["cubic", "dctcp"])];
    let plan = fixture::varied("mix", points.map(|(name, controls)| (name, vec![scene(controls); 2])).to_vec());
    let value =
        |number: usize, value: f64| Value { measure: "goodput", subject: Subject::Flow, number, value: value * 1e6 };
    let rates = [[5.0, 5.1], [4.9, 5.0], [5.0, 5.0], [5.1, 5.0], [2.0, 8.0], [2.1, 7.9]];
    let trial = |(index, rates): (usize, [f64; 2])| TrialMeasures {
        index,
        recording: None,
        values: [value(0, rates[0]), value(1, rates[1])].into_iter().collect(),
        caveats: vec![].into(),
    };
    let verdict = judge(&plan, &Measures { trials: rates.into_iter().enumerate().map(trial).collect() });
    assert_eq!(verdict.comparisons.len(), 1, "mixed is compared with nothing");
    // Two seeds: the mean of ln(2.0/5.05) and ln(2.1/4.95) is -0.892, and 12.7 standard errors are 0.437.
    assert_eq!(
        verdict.not_compared[0],
        "mixed is not compared, as its flows share a bottleneck: cubic flows get 2.05 Mbit/s each, in the geometric mean 59.0 % less than among \
         their own kind (95 % CI 36.5 to 73.5 %); dctcp flows get 7.95 Mbit/s each, in the geometric mean 58.2 % more than among their own kind \
         (95 % CI 37.1 to 82.6 %)."
    );
}

#[test]
fn keys_in_step_are_compared_as_one_whichever_is_named() {
    for over in ["flows.congestion", "flows.mss"] {
        let spec = format!(
            r#"
            title = "in step"
            path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }}
            flows = [{{ duration = "10 s" }}]
            vary.together = {{ "flows.congestion" = ["cubic", "bbr"], "flows.mss" = ["500 B", "600 B"] }}
            repeat = {{ seeds = 1 }}
            compare = {{ over = "{over}" }}
            "#
        );
        let plan = experiment::plan("step.toml", &spec, &[]).unwrap_or_else(|e| panic!("{e}"));
        let verdict = judge(&plan, &Measures { trials: vec![] });
        assert_eq!(
            verdict.sentences()[0],
            "bbr, 600 B and cubic, 500 B cannot be compared: goodput has no value on both sides in any seed.",
            "{over}"
        );
    }
}

#[test]
fn one_seed_is_a_caveat() {
    let plan =
        "title = 't'\npath = { rate = '1 Mbit/s', rtt = '1 ms', buffer = '9 packets' }\nflows = [{ bytes = '1 B' }]";
    let plan = experiment::plan("one.toml", plan, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut plan = plan;
    let doubted = |plan: &Plan| {
        let verdict = judge(plan, &Measures { trials: vec![] });
        verdict.caveats.iter().any(|caveat| caveat.starts_with("With one seed"))
    };
    assert!(!doubted(&plan), "it claims nothing");
    plan.expect = vec![Expectation {
        measure: "goodput".into(),
        flow: None,
        at: vec![],
        at_least: Some(1.0),
        at_most: None,
        share: None,
    }];
    assert!(doubted(&plan));
}
