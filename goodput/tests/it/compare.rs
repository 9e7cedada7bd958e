//! `goodput compare` as a program: what it says of listings, kept under `goodput/tests/compare/`, and of small runs in
//! the real laboratory. `BLESS=1 cargo test --test compare` keeps what it says.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");

const LISTINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings");

fn goodput(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goodput")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What is asked of the listings under `evidence/tests/import/`, and how it ends; 3 is inconclusive.
const KEPT: &[(&str, &[&str], i32)] = &[
    ("two-of-a-document", &["seed-000.txt:1", "seed-000.txt:2"], 3),
    ("one-measure", &["seed-000.txt:1", "seed-000.txt:2", "--measure", "goodput"], 3),
    ("json", &["seed-000.txt:1", "seed-000.txt:2", "--json"], 3),
    ("several-of-a-file", &["seed-000.txt", "seed-003.txt"], 3),
    ("several-and-one", &["seed-000.txt", "two-flows.txt"], 3),
    ("udp-and-tcp", &["udp.txt", "two-flows.txt"], 3),
    ("text-and-json", &["two-flows.txt", "two-flows.json"], 3),
    ("cut-off", &["two-flows.txt", "killed.txt"], 3),
    ("itself", &["seed-000.txt", "seed-000.txt"], 2),
    ("itself-by-number", &["seed-000.txt:2", "./seed-000.txt:2"], 2),
    ("part-of-itself", &["seed-000.txt", "seed-000.txt:2"], 2),
    ("no-such-number", &["seed-000.txt:3", "two-flows.txt"], 2),
    ("no-number", &["seed-000.txt:", "two-flows.txt"], 2),
    ("nothing-there", &["two-flows.txt", "nowhere"], 2),
    ("no-run", &["two-flows.txt", "."], 2),
    ("no-listing", &["two-flows.txt", "prose.txt"], 2),
    ("failed", &["two-flows.txt", "refused.json"], 2),
    ("no-measure", &["two-flows.txt", "udp.txt", "--measure", "goodputt"], 2),
    ("no-measure-of-a-listing", &["two-flows.txt", "udp.txt", "--measure", "rtt-p95"], 2),
    ("margin-of-nothing", &["two-flows.txt", "udp.txt", "--margin", "0"], 2),
];

#[test]
fn what_is_said_of_listings_is_kept() {
    let bless = std::env::var_os("BLESS").is_some();
    let folder = Path::new(TESTS).join("compare");
    let mut wrong = vec![];
    for (name, arguments, code) in KEPT {
        let output = goodput(&Path::new(TESTS).join("import"), &[&["compare"], *arguments].concat());
        assert_eq!(output.status.code(), Some(*code), "{name}: {}", text(&output.stderr));
        let (found, other) =
            if *code == 2 { (&output.stderr, &output.stdout) } else { (&output.stdout, &output.stderr) };
        assert!(other.is_empty(), "{name}: {}", text(other));
        let (kept, found) = (folder.join(format!("{name}.txt")), text(found));
        if bless {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&kept, &found).unwrap();
        }
        if fs::read_to_string(&kept).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", kept.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nBLESS=1 accepts what is found", wrong.join("\n"));
}

/// "DCTCP is clearly superior", somebody wrote of these.
#[test]
fn two_listings_of_one_run_each_show_what_they_show() {
    let output = goodput(Path::new(LISTINGS), &["compare", "seed-000-cubic.txt", "seed-000-dctcp.txt"]);
    let said = text(&output.stdout);
    for part in [
        "Goodput is equal as far as was printed: 48.7 Mbit/s each.",
        // 0.0747 of all sent is 0.0807 of the payload, and 0.0863 is 0.0944.
        "dctcp retransmitted 14.5 % less than cubic for the same payload: 20476 against 24159 segments",
        "Jain's index is 0.993 for the 10 flows of cubic (4.14 to 5.61 Mbit/s), and 0.997 for the 10 flows of dctcp",
        "the sign of a rate cap",
        "Caveat: One run of each is one sample",
        "congestion: cubic and dctcp",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let whole = goodput(&Path::new(TESTS).join("import"), &["compare", "seed-000.txt:1", "seed-000.txt:2"]);
    assert_eq!(text(&whole.stdout), said, "the whole document says the same");
    assert_eq!(output.status.code(), Some(3));
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
    assert!(said.contains("\nreno: ") && said.contains("4 pairs of seeds"), "{said}");

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
        caveats.contains(&"1 of 3 points of wider have no counterpart, and are not compared.".into()),
        "{caveats:?}"
    );
    let caveats = strings(&runs.json(&["a:cubic", "mixed"]), "caveats");
    assert!(caveats.iter().any(|caveat| caveat.contains("share a bottleneck")), "{caveats:?}");

    runs.refused(
        &["a", "fast"],
        &["over different paths", "links.0.forward.rate: 10000000 and 20000000", "--force", "\n\nhint: "],
    );
    assert_eq!(list(&runs.json(&["a", "fast", "--force"]), "comparisons").len(), 2);
    runs.refused(&["a", "a"], &["one and the same", "\n\nhint: "]);
    runs.refused(&["a:cubic", "./a:cubic"], &["one and the same"]);
    runs.refused(&["a:bbr", "nosack"], &["a has no point \"bbr\"", "accepted: cubic; reno"]);
    runs.refused(&["a:cubic", "wider"], &["no point in common", "RUN:POINT"]);
    runs.refused(&["a", &format!("{LISTINGS}/seed-000-cubic.txt")], &["a is a run, and", "\n\nhint: "]);
    runs.refused(&["a", "a.toml"], &["a is a run, and a.toml is a listing"]);
    runs.refused(&["a", "nosack", "--measure", "rtt"], &["rtt is no measure of a run", "accepted: "]);

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
