//! Studies from their first trials to their verdict, on functions whose answer is known.

use analysis::study::*;
use analysis::{Measures, TrialMeasures, Value, Values};
use base::units::Subject;
use plan::{Find, Ladder, Plan, Setting, Trial};
use results::judge;

/// Runs a study with `extra` to its end, with goodput as a function of setting and seed. Returns the plan, the
/// measures, and the number of trials after each round.
fn studied(extra: &str, goodput: impl Fn(&str, u64) -> Option<f64>) -> (Plan, Measures, Vec<usize>) {
    let text = format!(
        "title = 't'\npath = {{ rate = '1 Mbit/s', rtt = '1 ms', buffer = '9 packets', mtu = '9000 B' }}\n\
         flows = [{{ bytes = '1 B' }}]\n{extra}"
    );
    let mut plan = experiment::plan("t.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut rounds = vec![];
    loop {
        let trial = |trial: &Trial| {
            let at = trial.point.last().map_or("", |setting| setting.value.as_str());
            let value = |value| Value { measure: "goodput", subject: Subject::Flow, number: 0, value };
            let values = goodput(at, trial.seed).map(value).into_iter().collect();
            TrialMeasures { index: trial.index, recording: None, values, caveats: vec![].into() }
        };
        let measures = plan.trials.iter().map(trial).collect();
        rounds.push(plan.trials.len());
        let wanted = next(&plan, &measures);
        if wanted.is_empty() {
            return (plan, measures, rounds);
        }
        plan = experiment::grown("t.toml", plan.clone(), &wanted).unwrap_or_else(|e| panic!("{e}"));
        assert!(rounds.len() < 1000);
    }
}

fn bytes(at: &str) -> u64 {
    at.trim_end_matches(" B").parse().unwrap()
}

/// Returns the first and last value of each stretch that is low.
fn stretches(verdict: &judge::Verdict) -> Vec<[String; 2]> {
    let low = verdict.findings.iter().filter_map(|finding| finding.low.clone());
    low.map(|low| [low.from, low.to]).collect()
}

/// The newest kernel may have changed by then.
#[test]
fn added_trials_run_on_the_kernel_of_their_point() {
    let kernel = |name: &str| experiment::Kernel {
        names: vec![name.into()],
        congestion_controls: vec![],
        freebsd: None,
        lacks: vec![],
        is_stale: false,
    };
    let text = format!(
        "title = 't'\npath = {{ rate = '1 Mbit/s', rtt = '1 ms', buffer = '9 packets', mtu = '9000 B' }}\n\
         flows = [{{ bytes = '1 B' }}]\n{MSS}[vary.stack.old]\nkernel = 'old'\n[vary.stack.'as it is']\n"
    );
    let plan = experiment::plan("t.toml", &text, &[kernel("old"), kernel("new")]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(plan.kernels(), ["old", "new"]);
    let at = |stack: &str| {
        let setting = |key: &str, value: &str| Setting { key: key.into(), value: value.into() };
        Wanted { point: vec![setting("stack", stack), setting("flows.mss", "999 B")].into(), seed: 1 }
    };
    let grown =
        experiment::grown("t.toml", plan.clone(), &[at("as it is"), at("old")]).unwrap_or_else(|e| panic!("{e}"));
    let added = grown.trials.iter().filter(|trial| trial.index >= plan.trials.len());
    let added: Vec<(usize, &str)> =
        added.map(|trial| (trial.index - plan.trials.len(), trial.kernel.as_str())).collect();
    assert_eq!(added, [(1, "old"), (0, "new")]);
}

const MSS: &str = "[search]\nkey = 'flows.mss'\nfrom = '536 B'\nto = '7160 B'\nresolution = '1 B'\nfind = 'cliff'\n";

#[test]
fn a_search_finds_a_cliff_with_a_quarter_of_a_grids_trials() {
    let lost = |at: &str| if (2300..=2400).contains(&bytes(at)) { 1.2e6 } else { 1.7e9 };
    let (plan, measures, _) = studied(&format!("{MSS}width = '100 B'"), |at, _| Some(lost(at)));
    let grid = (7160 - 536) / 20 + 1;
    assert!(plan.trials.len() <= grid / 4, "{} of {grid}", plan.trials.len());
    let verdict = judge::judge(&plan, &measures, &judge::Diagnoses::new());
    assert_eq!(stretches(&verdict), [["2300 B", "2400 B"]]);
    assert_eq!(
        verdict.sentences()[0],
        "Goodput falls from 1.70 Gbit/s at mss 2299 B to 1.20 Mbit/s at 2300 B, and recovers to 1.70 Gbit/s at 2401 B: \
         101 values of mss, 2300 B to 2400 B, affected."
    );
    let missed = "A fall of less than 50 %, or narrower than 100 B of mss, could have been missed.";
    assert!(verdict.caveats.iter().any(|caveat| caveat == missed), "{:?}", verdict.caveats);
}

#[test]
fn a_cliff_of_several_steps_is_one_stretch() {
    let stairs = |at: &str| match bytes(at) {
        2300..=2399 => 0.8e9,
        2400..=2499 => 0.1e9,
        2500..=2599 => 0.7e9,
        _ => 2.0e9,
    };
    let (plan, measures, _) = studied(&format!("{MSS}width = '100 B'"), |at, _| Some(stairs(at)));
    let verdict = judge::judge(&plan, &measures, &judge::Diagnoses::new());
    assert_eq!(stretches(&verdict), [["2300 B", "2599 B"]]);
    assert_eq!(
        verdict.sentences(),
        ["Goodput falls from 2.00 Gbit/s at mss 2299 B to 800 Mbit/s at 2300 B (as low as 100 Mbit/s at 2400 B), and \
             recovers to 2.00 Gbit/s at 2600 B: 300 values of mss, 2300 B to 2599 B, affected."]
    );
    let rising = |at: &str| match bytes(at) {
        ..1000 => None,
        1000..3000 => Some(1e8),
        _ => Some(1e9),
    };
    let (plan, measures, _) = studied(&format!("{MSS}width = '100 B'"), |at, _| rising(at));
    let verdict = judge::judge(&plan, &measures, &judge::Diagnoses::new());
    assert_eq!(
        verdict.sentences(),
        [
            "Goodput has no value up to mss 999 B, and 100 Mbit/s from 1000 B.",
            "Goodput rises from 100 Mbit/s at mss 2999 B to 1.00 Gbit/s at 3000 B."
        ]
    );
    assert_eq!(stretches(&verdict), [["536 B", "999 B"], ["1000 B", "2999 B"]]);
}

#[test]
fn a_search_that_ends_early_says_at_least_and_at_the_latest() {
    let lost = |at: &str| if (2300..=2400).contains(&bytes(at)) { 1.2e6 } else { 1.7e9 };
    let (plan, measures, _) = studied(&format!("{MSS}width = '100 B'\npoints = 70"), |at, _| Some(lost(at)));
    assert_eq!(plan.trials.len(), 70);
    let verdict = judge::judge(&plan, &measures, &judge::Diagnoses::new());
    let said = &verdict.sentences()[0];
    assert!(said.contains(" or before: at least ") && said.ends_with(" affected."), "{said}");
    assert!(verdict.caveats.contains(&"The search stopped at its limit of 70 values.".into()), "{:?}", verdict.caveats);
}

#[test]
fn a_second_defect_is_found_if_it_is_as_wide_as_was_asked_for() {
    let lost = |at: &str| match bytes(at) {
        2300..=2400 => None,
        5000..=5024 => Some(1e9),
        _ => Some(1.7e9),
    };
    let defects = |width: &str| {
        let (plan, measures, _) = studied(&format!("{MSS}fall = '30 %'\nwidth = '{width}'"), |at, _| lost(at));
        stretches(&judge::judge(&plan, &measures, &judge::Diagnoses::new()))
    };
    let [wide, narrow] = [["2300 B", "2400 B"], ["5000 B", "5024 B"]].map(|ends| ends.map(str::to_owned));
    assert_eq!(defects("25 B"), [wide.clone(), narrow]);
    assert_eq!(defects("101 B")[0], wide);
}

#[test]
fn a_search_without_a_cliff_ends_at_once_and_says_so() {
    let (plan, measures, rounds) =
        studied(&format!("{MSS}width = '1 kB'").replace("1 kB", "1000 B"), |at, _| Some(1e9 + bytes(at) as f64 * 1e4));
    assert_eq!(rounds, [8]);
    let verdict = judge::judge(&plan, &measures, &judge::Diagnoses::new());
    assert_eq!(stretches(&verdict).len(), 0);
    assert!(
        verdict.sentences()[0].starts_with("No cliff: goodput changes by at most 0.9"),
        "{}",
        verdict.sentences()[0]
    );
}

#[test]
fn a_threshold_is_found_by_halving() {
    let search = "[search]\nkey = 'path.buffer'\nfrom = '10 kB'\nto = '1000 kB'\nresolution = '1 kB'\nfind = 'threshold'\n\
                  at-least = '900 kbit/s'";
    let kilobytes = |at: &str| at.trim_end_matches(" kB").parse::<f64>().unwrap();
    let (plan, measures, rounds) = studied(search, |at, _| Some(if kilobytes(at) >= 137.0 { 950e3 } else { 500e3 }));
    let verdict = judge::judge(&plan, &measures, &judge::Diagnoses::new());
    assert_eq!(
        verdict.sentences()[0],
        "Goodput at least 900 kbit/s needs a buffer of 137 kB: 950 kbit/s, but only 500 kbit/s at 136 kB."
    );
    assert!(rounds.len() <= 10, "{rounds:?}");
    let never = studied(search, |_, _| Some(1.0));
    assert_eq!(
        judge::judge(&never.0, &never.1, &judge::Diagnoses::new()).sentences()[0],
        "None of the 5 values of buffer tried, 10 kB to 1000 kB, gives goodput at least 900 kbit/s."
    );
    let always = studied(search, |_, _| Some(1e6));
    assert_eq!(
        judge::judge(&always.0, &always.1, &judge::Diagnoses::new()).sentences()[0],
        "The smallest buffer tried, 10 kB, already gives goodput at least 900 kbit/s: 1.00 Mbit/s."
    );
    let (plan, measures, _) =
        studied(search, |at, _| Some(if (137.0..900.0).contains(&kilobytes(at)) { 950e3 } else { 5e3 }));
    let doubts = judge::judge(&plan, &measures, &judge::Diagnoses::new()).caveats;
    assert!(
        doubts.iter().any(|doubt| doubt == "Above the threshold the condition fails again at 1000 kB."),
        "{doubts:?}"
    );
}

#[test]
fn a_maximum_is_found_with_what_is_as_good() {
    let search = "[search]\nkey = 'flows.mss'\nfrom = '1000 B'\nto = '8900 B'\nresolution = '1 B'\nfind = 'maximum'";
    let hill = |at: &str| 1e6 - (bytes(at) as f64 - 3456.0).abs() * 100.0;
    let (plan, measures, _) = studied(search, |at, _| Some(hill(at)));
    let verdict = judge::judge(&plan, &measures, &judge::Diagnoses::new());
    let said = &verdict.sentences()[0];
    let best: f64 = said.split("mss ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap();
    // Half of the margin of 2 % of 1 Mbit/s allows this distance.
    assert!((best - 3456.0).abs() <= 100.0, "{said}");
    assert!(plan.trials.len() < 25, "{}", plan.trials.len());
}

#[test]
fn seeds_are_added_until_the_interval_is_narrow() {
    let repeat = "repeat = { until = { interval = '2 %', at-most = 30 } }";
    let noisy = |spread: f64| move |_: &str, seed: u64| Some(1e6 * (1.0 + spread * (seed as f64 * 0.618_034).fract()));
    let (_, _, rounds) = studied(repeat, noisy(0.01));
    assert_eq!(rounds, [10]);
    let (plan, measures, rounds) = studied(repeat, noisy(0.14));
    assert!(rounds.len() > 1 && (11..30).contains(&plan.trials.len()), "{rounds:?}");
    assert!(!is_wide(plan.repeat.until.as_ref().unwrap(), &plan.trials, &measures));
    let (plan, measures, _) = studied(repeat, noisy(2.0));
    assert_eq!(plan.trials.len(), 30);
    assert_eq!(plan.trials.iter().map(|trial| trial.seed).collect::<Vec<_>>(), (1..=30).collect::<Vec<_>>());
    let doubts = judge::judge(&plan, &measures, &judge::Diagnoses::new()).caveats;
    assert!(doubts.contains(&"The interval of goodput is still wider than 2 % after 30 seeds.".into()), "{doubts:?}");
}

#[test]
fn a_grown_plan_stands_in_the_order_of_its_grid() {
    let lost = |at: &str| if bytes(at) >= 2300 { 1.0 } else { 1e9 };
    let extra = format!("vary = {{ 'flows.congestion' = ['cubic', 'reno'] }}\n{MSS}width = '2000 B'");
    let (plan, _, _) = studied(&extra, |at, _| Some(lost(at)));
    let order = |trial: &Trial| (trial.point[0].value.clone(), bytes(&trial.point[1].value));
    assert!(plan.trials.is_sorted_by_key(order));
    let mut indices: Vec<usize> = plan.trials.iter().map(|trial| trial.index).collect();
    assert!(!indices.is_sorted(), "later trials stand between earlier ones");
    indices.sort_unstable();
    assert!(indices.into_iter().eq(0..plan.trials.len()));
    assert_eq!(plan.vary[1].values.len() * 2, plan.trials.len());
    assert!(plan.trials.iter().all(|trial| plan.trial(trial.index) == Some(trial)));
}

#[test]
fn first_rungs_span_the_ladder() {
    let ladder = Ladder { first: 1, step: 1, last: 9_999, decimals: 3, unit: "%".into() };
    let threshold = Find::Threshold { at_least: None, at_most: None };
    assert_eq!(first(&ladder, threshold), [0, 9, 99, 999, 9_999], "by ratio");
    let short = Ladder { last: 2, ..ladder };
    assert_eq!(first(&short, threshold), [0, 1, 2]);
    assert_eq!(first(&short, Find::Cliff { width: 2, fall: 0.5 }), [0, 2]);
    for (last, width) in [(1, 1), (2, 1), (9, 2), (10, 2), (10, 20), (6624, 100)] {
        let (ladder, cliff) = (Ladder { last, ..short.clone() }, Find::Cliff { width, fall: 0.5 });
        assert_eq!(first_number(&ladder, cliff), first(&ladder, cliff).len() as u64, "{last} {width}");
    }
    let endless = Ladder { first: 0, step: 1, last: u64::MAX, decimals: 0, unit: String::new() };
    assert_eq!(first_number(&endless, Find::Cliff { width: 1, fall: 0.5 }), u64::MAX);
    assert_eq!(first(&endless, threshold)[4], u64::MAX);
    let far = Ladder { first: 1 << 62, last: 8, ..endless };
    assert_eq!(first(&far, threshold), [0, 2, 4, 6, 8], "doubles do not hold such numbers");
}

#[test]
fn seeds_are_not_added_for_what_has_no_value() {
    let repeat = "repeat = { until = { interval = '2 %', at-most = 30 } }";
    let (plan, measures, rounds) = studied(repeat, |_, _| None);
    assert_eq!(rounds, [10]);
    let doubts = judge::judge(&plan, &measures, &judge::Diagnoses::new()).caveats;
    assert!(doubts.contains(&"Goodput has no value, so no seeds were added.".into()), "{doubts:?}");
}

#[test]
fn a_search_that_repeats_repeats_at_each_value() {
    let extra = format!("repeat = {{ until = {{ interval = '2 %', at-most = 20 }} }}\n{}width = '3312 B'", MSS);
    let noisy = |at: &str, seed: u64| {
        let spread = if bytes(at) == 536 { 0.5 } else { 0.001 };
        Some(if bytes(at) < 3000 { 1e6 } else { 1e9 } * (1.0 + spread * (seed as f64 * 0.618_034).fract()))
    };
    let (plan, _, _) = studied(&extra, noisy);
    assert!(plan.points().len() > 10);
    let seeds: Vec<usize> = plan.points().iter().map(|trials| trials.len()).collect();
    assert_eq!(seeds[0], 20, "the noisy one");
    assert!(seeds[1..].iter().all(|n| *n == 10), "{seeds:?}");
}

#[test]
fn values_in_step_stand_in_the_order_written() {
    let extra = "vary.together = { 'flows.mss' = ['1000 B', '2000 B', '1000 B'], 'flows.congestion' = ['cubic', 'cubic', 'reno'] }";
    let (plan, _, _) = studied(extra, |_, _| Some(1.0));
    assert!(plan.trials.iter().map(|trial| trial.index).eq(0..30));
    let first: Vec<&str> = plan.points().iter().map(|trials| trials[0].point[0].value.as_str()).collect();
    assert_eq!(first, ["1000 B", "2000 B", "1000 B"]);
}

#[test]
fn a_point_at_which_nothing_is_random_runs_two_seeds() {
    let plan = |path: &str, repeat: &str| {
        let text = format!(
            "title = 't'\npath = {{ rate = '1 Mbit/s', rtt = '1 ms', buffer = '9 packets'{path} }}\n\
             flows = [{{ duration = '1 s' }}]\nrepeat = {{ seeds = 10{repeat} }}"
        );
        experiment::plan("t.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"))
    };
    let told = |plan: &Plan, bytes: [Option<&str>; 2]| {
        let trial = |(index, bytes): (usize, Option<&str>)| TrialMeasures {
            index,
            recording: bytes.map(|bytes| [bytes.as_bytes()[0]; 32]),
            values: Values::default(),
            caveats: vec![].into(),
        };
        let measures = bytes.into_iter().enumerate().map(trial).collect();
        let seeds: Vec<u64> = next(plan, &measures).iter().map(|wanted| wanted.seed).collect();
        (seeds, counted(plan, &measures)[0].len())
    };
    let quiet = plan("", ", spread = '0 s'");
    assert_eq!(quiet.trials.len(), 2);
    assert_eq!(told(&quiet, [Some("a"), Some("a")]), (vec![], 1));
    let others: Vec<u64> = (3..=10).collect();
    assert_eq!(told(&quiet, [Some("a"), Some("b")]), (others.clone(), 2), "the kernel draws something");
    assert_eq!(told(&quiet, [None, None]), (others, 2), "nobody knows");
    assert_eq!(plan("", "").trials.len(), 10, "starts are spread");
    let lossy = plan(", loss = '0.001 %'", ", spread = '0 s'");
    assert_eq!(lossy.trials.len(), 10);
    let same =
        |index| TrialMeasures { index, recording: Some([1; 32]), values: Values::default(), caveats: vec![].into() };
    let measures = (0..10).map(same).collect();
    assert_eq!(counted(&lossy, &measures)[0].len(), 10, "ten seeds without a loss are luck");
}

/// Seeds on the command line replace the experiment's, including those added until an interval is narrow.
#[test]
fn seeds_that_are_asked_for_replace_those_of_the_experiment() {
    let spec = |repeat: &str| {
        format!(
            "title = \"Asked\"\npath = {{ rate = \"10 Mbit/s\", rtt = \"10 ms\", buffer = \"9 packets\", loss = \"1 %\" }}\nflows = [{{ duration = \"1 s\" }}]\n{repeat}"
        )
    };
    let plan = |repeat: &str, seeds: Option<&str>| {
        let seeds = seeds.map(|seeds| seeds.parse().unwrap());
        experiment::plan_of_seeds("t.toml", &spec(repeat), &[], seeds).unwrap_or_else(|e| panic!("{e}"))
    };
    let until = "repeat = { until = { interval = \"2 %\" } }";
    for repeat in ["", "repeat = { seeds = 5 }", until] {
        let third =
            |seeds| plan(repeat, Some(seeds)).trials.iter().find(|trial| trial.seed == 3).unwrap().scene.clone();
        assert_eq!(third("3"), third("3..3"), "{repeat}");
        assert_eq!(third("3"), third("1..10"), "{repeat}");
        let asked = plan(repeat, Some("101..103"));
        assert_eq!(asked.trials.iter().map(|trial| trial.seed).collect::<Vec<_>>(), [101, 102, 103]);
        assert_eq!((asked.most_trials(), asked.repeat.until.is_none()), (3, true));
        assert!(next(&asked, &Measures::default()).is_empty(), "{repeat}");
    }
    let own = plan("repeat = { seeds = 5 }", None);
    assert_eq!(plan("repeat = { seeds = 5 }", Some("1")).trials[0], own.trials[0]);
    assert!(!plan(until, None).begins_with(&plan(until, Some("10"))), "until is not asked for");
}
