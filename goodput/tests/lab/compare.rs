//! `goodput compare` of small runs.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const LISTINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings");

fn goodput(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goodput")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Small runs in a folder of their own.
struct Runs(TempDir);

/// Two points with four seeds each.
const SPEC: &str = r#"
title = "short"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "0.5 %" }
flows = [{ duration = "500 ms" }]
vary = { "flows.congestion" = ["cubic", "reno"] }
repeat = { seeds = 4 }
"#;

impl Runs {
    fn new() -> Runs {
        Runs(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, name: &str, spec: &str) {
        fs::write(self.path(&format!("{name}.toml")), spec).unwrap();
        let output = goodput(self.0.path(), &["run", &format!("{name}.toml"), "--out", name, "--no-cache"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }

    fn compare(&self, arguments: &[&str]) -> Output {
        goodput(self.0.path(), &[&["compare"], arguments].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.compare(&[arguments, &["--json"]].concat());
        let found: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
        let outcomes: Vec<&str> = list(&found, "comparisons").iter().map(|c| c["outcome"].as_str().unwrap()).collect();
        let due = match () {
            _ if outcomes.contains(&"worse") => 1,
            _ if outcomes.contains(&"inconclusive") => 3,
            _ => 0,
        };
        assert_eq!(output.status.code(), Some(due), "{outcomes:?}");
        found
    }

    #[track_caller]
    fn refused(&self, arguments: &[&str], parts: &[&str]) {
        let output = self.compare(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty() && !said.contains("panicked"), "{arguments:?}: {said}");
        for part in parts {
            assert!(said.contains(part), "{arguments:?}: {part}: {said}");
        }
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().unwrap()
}

fn strings(value: &Value, key: &str) -> Vec<String> {
    list(value, key).iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

#[test]
fn runs_are_compared_point_by_point_and_seed_by_seed() {
    let runs = Runs::new();
    runs.run("a", SPEC);
    runs.run("nosack", &format!("{SPEC}hosts = {{ sysctl = {{ \"net.ipv4.tcp_sack\" = 0 }} }}"));
    runs.run("fast", &SPEC.replace("10 Mbit/s", "20 Mbit/s"));
    runs.run("wider", &SPEC.replace("\"reno\"]", "\"reno\", \"bbr\"]"));
    runs.run("mixed", &SPEC.replace("vary = { \"flows.congestion\" = [\"cubic\", \"reno\"] }", "").replace(
        "flows = [{ duration = \"500 ms\" }]",
        "flows = [{ duration = \"500 ms\", congestion = \"cubic\" }, { duration = \"500 ms\", congestion = \"reno\" }]",
    ));

    let whole = runs.json(&["a", "nosack"]);
    let points: Vec<&Value> = list(&whole, "comparisons").iter().map(|compared| &compared["at"][0]["value"]).collect();
    assert_eq!(points, ["cubic", "reno"]);
    for compared in list(&whole, "comparisons") {
        assert_eq!(compared["paired"], true);
        assert_eq!(compared["counts"], serde_json::json!([4, 4]));
        assert_eq!([&compared["base"], &compared["other"]], ["a", "nosack"]);
    }
    assert!(strings(&whole, "differences").iter().any(|place| place.contains("sysctls")), "{whole:#}");
    let said = text(&runs.compare(&["a", "nosack"]).stdout);
    assert!(said.contains("\nreno: ") && said.contains("4 paired seeds"), "{said}");

    let points = runs.json(&["a:cubic", "a:reno", "--measure", "goodput", "--measure", "retransmitted"]);
    let measures: Vec<&Value> = list(&points, "comparisons").iter().map(|compared| &compared["measure"]).collect();
    assert_eq!(measures, ["goodput", "retransmitted"]);
    assert_eq!(list(&points, "comparisons")[0]["other"], "reno");
    assert_eq!(runs.json(&["a:cubic", "wider:bbr"])["comparisons"][0]["base"], "cubic");
    assert_eq!(runs.json(&["a:congestion=reno", "nosack:reno"])["comparisons"][0]["other"], "nosack:reno");

    let wider = runs.json(&["a", "wider"]);
    assert_eq!(list(&wider, "comparisons").len(), 2);
    assert!(
        list(&wider, "comparisons").iter().all(|compared| compared["outcome"] == "equivalent"),
        "the same trials are the same: {wider:#}"
    );
    let caveats = strings(&wider, "caveats");
    assert!(
        caveats.contains(&"1 of 3 points of wider have no counterpart and are not compared.".into()),
        "{caveats:?}"
    );
    let caveats = strings(&runs.json(&["a:cubic", "mixed"]), "caveats");
    assert!(caveats.iter().any(|caveat| caveat.contains("share a bottleneck")), "{caveats:?}");

    runs.refused(
        &["a", "fast"],
        &["over different paths", "links.0.forward.rate: 10000000 and 20000000", "--force", "\n\nhint: "],
    );
    assert_eq!(list(&runs.json(&["a", "fast", "--force"]), "comparisons").len(), 2);
    runs.refused(&["a", "a"], &["are the same", "\n\nhint: "]);
    runs.refused(&["a:cubic", "./a:cubic"], &["are the same"]);
    runs.refused(&["a:bbr", "nosack"], &["a has no point \"bbr\"", "accepted: cubic; reno"]);
    runs.refused(&["a:cubic", "wider"], &["no point in common", "RUN:POINT"]);
    runs.refused(&["a", &format!("{LISTINGS}/rate-cap-cubic.txt")], &["a is a run and ", "\n\nhint: "]);
    runs.refused(&["a", "a.toml"], &["a is a run and a.toml a listing"]);
    runs.refused(&["a", "nosack", "--measure", "rtt"], &["rtt is not a measure of a run", "accepted: "]);

    let samples = runs.path("nosack/trials/0005/samples.parquet");
    fs::write(&samples, &fs::read(&samples).unwrap()[..500]).unwrap();
    runs.refused(&["a", "nosack"], &["nosack has damaged trials", "trials/0005", "\n\nhint: "]);
    fs::remove_dir_all(runs.path("nosack/trials/0005")).unwrap();
    runs.refused(&["a", "nosack"], &["nosack is not finished", "\n\nhint: "]);
    fs::write(runs.path("fast/plan.json"), "{").unwrap();
    runs.refused(&["fast", "a"], &["fast is damaged: plan.json", "\n\nhint: "]);
    fs::remove_file(runs.path("mixed/environment.json")).unwrap();
    runs.refused(&["mixed", "a:cubic"], &["mixed is damaged: environment.json", "\n\nhint: "]);
}
