//! Plans and other files of a run that no experiment produced: refused with a message, or read; never a panic.

use super::made::{EXPERIMENT, Made};
use analysis::sources;
use lab::run;
use plan::network;
use plan::run_folder::RunFolder;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use results::compare;
use serde_json::{Value, json};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Kinds of [`absurd`] values.
pub const KINDS: usize = 23;

/// An absurd replacement for a value.
pub fn absurd(seed: usize, old: &Value) -> Value {
    let all = [
        Value::Null,
        json!(0),
        json!(1),
        json!(-1),
        json!(u64::MAX),
        json!(1u64 << 62),
        json!(u32::MAX),
        json!(65_535),
        json!(1e308),
        json!(-1e308),
        json!(1e-308),
        json!(0.5),
        json!(""),
        json!("nobody"),
        json!("\u{1b}[31m\n"),
        json!("9".repeat(400)),
        // A string as long as a hash, with a multi-byte character wherever it is cut.
        json!(format!("a{}a", "é".repeat(31))),
        json!([]),
        json!({}),
        json!(true),
        match old {
            Value::Array(list) => list.iter().chain(list).cloned().collect(),
            Value::String(text) => json!(format!("{text}{text}")),
            Value::Number(number) => json!(number.as_u64().unwrap_or(0).wrapping_add(1)),
            other => json!([other]),
        },
        match old {
            Value::Array(list) => list.iter().skip(1).cloned().collect(),
            other => json!([other, other]),
        },
        match old {
            Value::Array(list) => list.iter().rev().cloned().collect(),
            other => json!({ "bulk": other }),
        },
    ];
    assert_eq!(all.len(), KINDS);
    all[seed].clone()
}

/// Every place of a document, as JSON pointers.
pub fn places(value: &Value, at: String, into: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(n, one)| places(one, format!("{at}/{n}"), into)),
        Value::Object(map) => map.iter().for_each(|(key, one)| {
            places(one, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), into);
        }),
        _ => {}
    }
    into.push(at);
}

/// Everything that reads a run's folder and needs no guest.
pub fn read_all(run: &Made) {
    let path = run.path();
    let _ = run::report_again(&path);
    let _ = sources::evidence(std::slice::from_ref(&path));
    let sides = ["cubic", "reno"].map(|point| format!("{}:{point}", path.display()));
    let _ = compare::compare(&compare::CompareRequest { sides, measures: vec![], margin: 0.02, force: true });
    let wide = run::RunRequest {
        experiment: run.experiment().into(),
        out: Some(path.clone()),
        jobs: 1,
        replay: Some(path.clone()),
        cache: false,
        kernel: None,
        seeds: None,
        vary: vec![],
        files: run::Files::Beside,
        allow_commands: false,
    };
    let _ = run::dry_run(&wide);
    if let Ok(plan) = RunFolder::existing(&path).and_then(|folder| folder.plan()) {
        plan.trials.iter().for_each(|trial| drop(network::commands(&trial.scene)));
    }
}

/// The files that are changed; a trial's are summed again.
const FILES: &[&str] = &["plan.json", "environment.json", "trials/0000/trial.json"];

fn summed(run: &Made, file: &str) {
    if file.starts_with("trials") {
        let folder = base::folder::Folder::open(&run.trial(0)).unwrap();
        base::sums::write(&folder).unwrap();
    }
}

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");

#[test]
fn no_change_of_a_files_value_makes_a_reader_panic() {
    let examples = fs::read_dir(EXAMPLES).unwrap().map(|entry| entry.unwrap().path());
    let examples: Vec<_> = examples.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    let texts = examples.iter().map(|path| fs::read_to_string(path).unwrap());
    let texts: Vec<String> = [EXPERIMENT.to_owned()].into_iter().chain(texts).collect();
    let cases = Config::default().cases / texts.len() as u32 + 1;
    texts.iter().for_each(|text| change_values(&Made::beginning(text, 3), cases));
}

fn change_values(run: &Made, cases: u32) {
    let original: Vec<Value> =
        FILES.iter().map(|file| serde_json::from_slice(&fs::read(run.path().join(file)).unwrap()).unwrap()).collect();
    let places: Vec<Vec<String>> = original
        .iter()
        .map(|value| {
            let mut all = vec![];
            places(value, String::new(), &mut all);
            all
        })
        .collect();
    let change = prop::collection::vec((any::<prop::sample::Index>(), 0..KINDS), 1..3);
    // A change of the plan is the likeliest to matter.
    let which = prop_oneof![6 => Just(0usize), 1 => 1..FILES.len()];
    let config = Config { failure_persistence: None, cases, ..Config::default() };
    let outcome = TestRunner::new(config).run(&(which, change), |(which, changes)| {
        let mut value = original[which].clone();
        let changes = changes.iter().map(|(place, kind)| (&places[which][place.index(places[which].len())], *kind));
        for (place, kind) in changes.clone() {
            if let Some(old) = value.pointer_mut(place) {
                *old = absurd(kind, old);
            }
        }
        let write = |value: &Value| {
            fs::write(run.path().join(FILES[which]), serde_json::to_string_pretty(value).unwrap()).unwrap();
            summed(run, FILES[which]);
        };
        write(&value);
        let ended = catch_unwind(AssertUnwindSafe(|| read_all(run)));
        write(&original[which]);
        prop_assert!(ended.is_ok(), "{}: {:?}", FILES[which], changes.collect::<Vec<_>>());
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{}: {error}", fs::read_to_string(run.experiment()).unwrap()));
}

fn refused(run: &Made, change: impl Fn(&mut Value)) -> String {
    let path = run.path().join("plan.json");
    let original = fs::read(&path).unwrap();
    let mut plan: Value = serde_json::from_slice(&original).unwrap();
    change(&mut plan);
    fs::write(&path, plan.to_string()).unwrap();
    let mut said = vec![];
    for command in super::commands(run) {
        let own = run.goodput(&command);
        assert_eq!(own.code, 2, "{command:?}: {own:?}");
        said.push(own.stderr);
    }
    assert!(said.iter().all(|text| text.contains("is damaged: plan.json: ")), "{said:?}");
    fs::write(&path, original).unwrap();
    said.remove(0)
}

#[test]
fn every_command_refuses_a_crafted_plan_with_its_place() {
    let run = Made::new();
    assert!(refused(&run, |plan| plan["trials"] = json!([])).contains("trials is 0"));
    assert!(refused(&run, |plan| plan["trials"][1]["index"] = json!(7_000)).contains("trial 7000 is one too many"));
    let node = |plan: &mut Value| plan["trials"][2]["scene"]["links"][0]["ends"][0]["node"] = json!("nobody");
    assert!(refused(&run, node).contains("trial 2: link 0: there is no node \"nobody\""));
    let rate = |plan: &mut Value| plan["trials"][0]["scene"]["links"][0]["forward"]["rate"] = json!(0);
    assert!(refused(&run, rate).contains("trial 0: link 0: forward: rate is 0"));
    let node = "/trials/0/scene/nodes/0";
    let change = |place: &'static str, value: Value| {
        move |plan: &mut Value| *plan.pointer_mut(&format!("{node}{place}")).unwrap() = value.clone()
    };
    // `ip -batch` would read it as lines, and the second runs a program in the guest.
    let lines = "cubic\nnetns exec sender sh -c evil\n";
    let said = refused(&run, change("/role/host/route/congestion", json!(lines)));
    assert!(
        said.contains("trial 0: node 0: \"cubic\\nnetns exec sender sh -c evil\\n\" is no name of a congestion"),
        "{said}"
    );
    for (name, value) in [("kernel.modprobe", "/usr/bin/evil"), ("net/../kernel/modprobe", ""), ("net.ipv4.x", "1\n2")]
    {
        let said = refused(&run, change("/sysctls/0", json!([name, value])));
        assert!(said.contains("trial 0: node 0: ") && said.contains("is no sysctl of its network"), "{said}");
    }
    let flow = |plan: &mut Value| {
        let tcp = plan.pointer_mut("/trials/0/scene/flows/0/traffic/bulk/tcp").unwrap();
        tcp["congestion"] = json!("cubic;evil");
    };
    assert!(refused(&run, flow).contains("trial 0: flow 0: \"cubic;evil\" is no name of a congestion control"));
    assert!(refused(&run, |plan| plan["compare"]["margin"] = json!(1e300)).contains("compare: margin is 1"));
}

#[test]
fn no_byte_of_a_table_makes_a_reader_panic() {
    let run = Made::beginning(EXPERIMENT, 1);
    let path = run.trial(0).join("samples.parquet");
    let original = fs::read(&path).unwrap();
    let flip = (any::<prop::sample::Index>(), any::<u8>());
    // Parquet describes the table at the end of the file.
    let place = prop_oneof![1 => Just(0usize), 2 => Just(original.len() - 4000)];
    let config = Config { failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&(place, prop::collection::vec(flip, 1..4)), |(from, flips)| {
        let mut bytes = original.clone();
        for (at, value) in &flips {
            bytes[from + at.index(original.len() - from)] = *value;
        }
        fs::write(&path, bytes).unwrap();
        summed(&run, FILES[2]);
        let ended = catch_unwind(AssertUnwindSafe(|| read_all(&run)));
        prop_assert!(ended.is_ok());
        Ok(())
    });
    outcome.unwrap();
}
