//! Tests flows with names, points at which nothing is random, and causes.

use super::{judge, said};
use analysis::{Measures, TrialMeasures, Value, fixture};
use base::units::Subject;
use plan::{Flow, Plan};

/// Builds a plan of two points with two named flows each, and measures with these goodputs of host and jail, Mbit/s.
fn host_and_jail(compare: &str, rates: &[[f64; 2]], certain: bool) -> (Plan, Measures) {
    let spec = format!(
        r#"
        title = "host and jail"
        path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }}
        flows = [{{ name = "host", duration = "10 s" }}, {{ name = "jail", duration = "10 s" }}]
        vary = {{ "path.mtu" = ["1500 B", "1400 B"] }}
        repeat = {{ seeds = {}, spread = "{}" }}
        {compare}
        "#,
        rates.len() / 2,
        if certain { "0 s" } else { "1 ms" }
    );
    let plan = experiment::plan("named.toml", &spec, &[]).unwrap_or_else(|e| panic!("{e}"));
    let value =
        |number: usize, rate: f64| Value { measure: "goodput", subject: Subject::Flow, number, value: rate * 1e6 };
    let trial = |(index, rates): (usize, &[f64; 2])| TrialMeasures {
        index,
        recording: certain.then(|| [rates[0] as u8; 32]),
        values: [value(0, rates[0]), value(1, rates[1])].into_iter().collect(),
        caveats: vec![].into(),
    };
    (plan, Measures { trials: rates.iter().enumerate().map(trial).collect() })
}

#[test]
fn named_flows_are_compared_one_by_one_never_summed() {
    let rates = [[90.0, 1.0], [91.0, 1.1], [1.0, 90.0], [1.1, 91.0]];
    let said = |compare: &str| {
        let (plan, measures) = host_and_jail(compare, &rates, false);
        judge(&plan, &measures).comparisons.into_iter().map(|c| (c.flow.clone(), c.full_sentence())).collect::<Vec<_>>()
    };
    let named = said("");
    assert_eq!(named.iter().map(|(flow, _)| flow.as_deref()).collect::<Vec<_>>(), [Some("host"), Some("jail")]);
    assert!(
        named[0].1.starts_with("1400 B is worse than 1500 B: goodput of host is lower by a factor of 86.3"),
        "{named:?}"
    );
    assert!(named[1].1.starts_with("1400 B is better than 1500 B: goodput of jail is higher by a factor of 86.3"));
    let one = said(r#"compare = { flow = "jail" }"#);
    assert_eq!(one.len(), 1, "{one:?}");
    let both = said(r#"compare = { flow = ["host", "jail"], measures = ["goodput"] }"#);
    assert_eq!(both[..2], named[..], "from point to point, each by itself");
    assert!(both[2].1.starts_with("1500 B: jail differs from host: goodput is lower by a factor of 86.3"), "{both:?}");
    assert!(both[3].1.starts_with("1400 B: jail differs from host: goodput is higher by a factor of 86.3"));
    assert_eq!(both.len(), 4);
}

#[test]
fn expectations_summaries_and_limits_are_of_a_flow() {
    let expect = r#"expect = [
        { measure = "goodput", flow = "jail", where = { "path.mtu" = "1500 B" }, at-most = "2 Mbit/s" },
        { measure = "goodput", flow = "host", at-least = "50 Mbit/s" },
        { measure = "goodput", at-least = "91 Mbit/s" },
    ]"#;
    let (plan, measures) = host_and_jail(expect, &[[90.0, 1.0], [91.0, 1.1], [1.0, 90.0], [1.1, 91.0]], false);
    let verdict = judge(&plan, &measures);
    let told: Vec<&str> = verdict.expectations.iter().map(|expected| expected.sentence.as_str()).collect();
    assert_eq!(
        told,
        [
            "Expected goodput of jail at 1500 B at most 2.00 Mbit/s: passed (1.00 to 1.10 Mbit/s).",
            "Expected goodput of host at every point at least 50.0 Mbit/s: inconclusive, it passed in some trials and failed \
             in others (1.00 to 91.0 Mbit/s).",
            "Expected goodput of all flows at every point at least 91.0 Mbit/s: passed (91.0 to 92.1 Mbit/s).",
        ]
    );
    assert_eq!(verdict.expectations[0].flow.as_deref(), Some("jail"));
    let mut flows: Vec<Flow> = vec![fixture::flow("a", "c", fixture::bulk("cubic")); 2];
    flows[0].name = Some("host".into());
    flows[1].name = Some("jail".into());
    let limits = [("limited-cwnd", 0, 0.9), ("limited-app", 0, 0.1), ("limited-cwnd", 1, 0.2), ("limited-app", 1, 0.8)];
    let shares = [("fair-share", 0, 0.2), ("fair-share", 1, 1.8)];
    let starved =
        said(flows.clone(), &[&[("goodput", 0, 1e6), ("goodput", 1, 9e6)], &limits[..], &shares[..]].concat());
    assert!(
        starved
            .iter()
            .any(|told| told
                .contains("limited by the congestion window 90.0 % of the time, with 20.0 % of an equal share.")),
        "{starved:?}"
    );
    assert!(starved.iter().all(|told| !told.contains("180 %")));
    assert_eq!(
        said(flows, &[&[("goodput", 0, 3e6), ("goodput", 1, 5e6)], &limits[..]].concat()),
        [
            "Goodput of host: 3.00 Mbit/s.",
            "Goodput of jail: 5.00 Mbit/s.",
            "host is limited by the congestion window 90.0 % of the time.",
            "jail is limited by the application 80.0 % of the time.",
        ]
    );
}

#[test]
fn one_seed_stands_for_all_if_nothing_is_random() {
    let rates = [[90.0, 1.0], [90.0, 1.0], [90.5, 45.0], [90.5, 45.0]];
    let (plan, measures) = host_and_jail("", &rates, true);
    let verdict = judge(&plan, &measures);
    let sentences = verdict.sentences();
    assert_eq!(
        sentences[..3],
        [
            "1400 B and 1500 B are equivalent within 2 %: goodput of host is 0.556 % higher, 90.5 Mbit/s vs 90.0 Mbit/s; \
             nothing is random on either side.",
            "1400 B is better than 1500 B: goodput of jail is higher by a factor of 45.0, 45.0 Mbit/s vs 1.00 Mbit/s; \
             nothing is random on either side.",
            "Nothing is random: the plan draws nothing, and two seeds gave the same bytes. One seed stands for all, without \
             an interval.",
        ]
    );
    assert!(
        verdict
            .comparisons
            .iter()
            .all(|compared| compared.certain && compared.p.is_none() && compared.counts == [1, 1])
    );
    assert!(!verdict.caveats.iter().any(|caveat| caveat.contains("With one seed")), "{:?}", verdict.caveats);
    // With other bytes the second seed counts, whatever its figures.
    let mut random = measures.clone();
    random.trials[1].recording = Some([255; 32]);
    let verdict = judge(&plan, &random);
    assert_eq!(verdict.certain.map(|certain| certain.at.len()), Some(1));
    assert!(
        verdict.comparisons.iter().all(|compared| compared.paired && compared.counts == [2, 2]),
        "its value holds for each"
    );
}

/// By arithmetic alone, the mean of shares over an equal share is 1, and so is Jain's index of one flow.
#[test]
fn measures_that_are_always_one_are_not_compared() {
    let said = |names: &str, flows: &str| {
        let spec = format!(
            r#"
            title = "shares"
            path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }}
            flows = [{flows}]
            vary = {{ "path.mtu" = ["1500 B", "1400 B"] }}
            repeat = {{ seeds = 1 }}
            compare = {{ measures = [{names}] }}
            "#
        );
        let plan = experiment::plan("shares.toml", &spec, &[]).unwrap_or_else(|e| panic!("{e}"));
        let verdict = judge(&plan, &Measures::default());
        let open = verdict.comparisons.into_iter().map(|compared| compared.sentence);
        verdict.not_compared.into_iter().chain(open).collect::<Vec<String>>()
    };
    let one = r#"{ duration = "1 s" }"#;
    let two = r#"{ duration = "1 s", count = 2 }"#;
    let named = r#"{ name = "a", duration = "1 s" }, { name = "b", duration = "1 s" }"#;
    assert_eq!(
        said(r#""jain", "fair-share""#, one),
        ["jain is not compared: it is of several flows.", "fair-share is not compared: of one flow it can only be 1."]
    );
    assert_eq!(
        said(r#""fair-share""#, two),
        ["fair-share is not compared: of all flows together it can only be 1, so name one of them."]
    );
    assert_eq!(
        said(r#""fair-share""#, named),
        ["a", "b"].map(|flow| format!(
            "1400 B and 1500 B cannot be compared: fair-share of {flow} has no value on both sides in any seed."
        ))
    );
}

#[test]
fn a_cause_is_told_by_name_in_place_of_what_limits() {
    use diagnosis::diagnose::{About, Confidence, Diagnosis, Finding};
    let (plan, measures) = host_and_jail("", &[[90.0, 1.0], [91.0, 1.1], [1.0, 90.0], [1.1, 91.0]], false);
    let mut measures = measures;
    for trial in &mut measures.trials {
        let limit = |number| Value { measure: "limited-cwnd", subject: Subject::Flow, number, value: 0.997 };
        trial.values.extend([0, 1].map(limit));
    }
    let finding = |rule, confidence, flow: usize, others: &[usize]| {
        let scene = &plan.trials[0].scene;
        let name = |flow: &usize| scene.connection(*flow);
        let about = About {
            connection: name(&flow),
            place: evidence::Place { file: "x".into(), line: 0 },
            group: 0,
            others: others.iter().map(name).collect(),
        };
        let mut finding = Finding::problem(rule, confidence, 0.5, format!("{rule} it is"));
        finding.about = Some(about);
        finding
    };
    let diagnosis = |findings: Vec<Finding>| Diagnosis {
        repeats: None,
        findings,
        speed: None,
        undecided: None,
        seen: vec![],
        conflicts: vec![],
        time: vec![],
        asked: vec![],
        dropped: vec![],
        blind: vec![],
        failed: vec![],
        read: vec![],
        in_vain: vec![],
        unread: vec![],
    };
    use Confidence::{High, Low, Medium};
    let told = |findings: [Vec<Finding>; 4]| {
        let diagnoses = findings.into_iter().map(diagnosis).enumerate().collect();
        let verdict = crate::judge::judge(&plan, &measures, &diagnoses);
        let causes = verdict.causes.iter().map(|cause| cause.sentence.clone()).collect::<Vec<_>>();
        let limits = verdict.sentences().iter().filter(|sentence| sentence.contains(" is limited by ")).count();
        (causes, limits)
    };
    let policed = |confidence| finding("policer", confidence, 1, &[]);
    assert_eq!(
        told([vec![policed(High)], vec![policed(Medium)], vec![], vec![policed(High)]]),
        (
            vec![
                "1500 B: jail: Policed: traffic above a rate is dropped (policer, medium confidence, 2 of 2 seeds); limited by \
                 the congestion window 99.7 % of the time."
                    .to_owned()
            ],
            3
        ),
        "in half of the seeds is in too few"
    );
    let unsure = || vec![policed(Low), finding("loss-response", High, 1, &[])];
    assert_eq!(told([unsure(), unsure(), vec![], vec![]]).0.len(), 0, "what comes first is not sure");
    let both = || vec![finding("policer", High, 1, &[0])];
    let (causes, limits) = told([both(), both(), both(), both()]);
    assert_eq!((causes.len(), limits), (4, 0), "{causes:?}");
    assert!(causes[0].starts_with("1500 B: host: Policed"), "{causes:?}");
}

/// 1538 bytes take 123 us at 100 Mbit/s: an interval of 125 us seldom holds two packets, one of 250 us does.
#[test]
fn lro_on_a_slow_line_is_told_to_merge_nothing() {
    let caveats = |coalesce: &str, rate: &str| {
        let spec = format!(
            r#"
            title = "lro"
            hosts = {{ a = {{}}, c = {{}} }}
            switches = {{ s = {{ offloads = ["lro"], coalesce = "{coalesce}" }} }}
            links = [
                {{ between = ["a", "s"], rate = "{rate}", buffer = "100 packets" }},
                {{ between = ["s", "c"], rate = "10 Gbit/s", buffer = "100 packets" }},
            ]
            flows = [{{ duration = "10 s" }}]
            "#
        );
        let plan = experiment::plan("lro.toml", &spec, &[]).unwrap_or_else(|e| panic!("{e}"));
        let told = judge(&plan, &Measures { trials: vec![] }).caveats;
        told.into_iter().filter(|caveat| caveat.starts_with("LRO of s")).collect::<Vec<_>>()
    };
    assert_eq!(
        caveats("125 us", "100 Mbit/s"),
        ["LRO of s merges almost nothing: it collects for 125 us, and a packet takes 123 us on its way there."]
    );
    assert!(caveats("250 us", "100 Mbit/s").is_empty() && caveats("125 us", "1 Gbit/s").is_empty());
}
