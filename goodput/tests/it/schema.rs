//! Output of `--json` conforms to the schemas that `goodput schema` prints. Here are the outputs that need no guest;
//! `goodput/tests/lab/schema.rs` has the others.

pub mod conforms;
mod files;

use crate::apply::{SCENE, inside};
use crate::hostile::made::Made;
use crate::manual::{commands, goodput};
use crate::tidy::text;
use conforms::{conforming, violations};
use goodput::{file_schema, schema};
use lab::run;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Output of a command in the top folder, with a cache of its own.
fn printed(arguments: &[&str]) -> Output {
    let cache = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.args(arguments).arg("--json").current_dir(ROOT).env("XDG_CACHE_HOME", cache.path()).output().unwrap()
}

/// Files of a folder with one of these extensions.
fn files(folder: &str, ends: &[&str]) -> Vec<String> {
    let all = fs::read_dir(Path::new(ROOT).join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: &PathBuf| ends.iter().any(|end| path.extension().is_some_and(|own| own == *end));
    let mut names: Vec<String> = all.filter(named).map(|path| path.display().to_string()).collect();
    names.sort();
    names
}

/// Every object of a schema that lists properties, with its place.
fn objects<'v>(value: &'v Value, place: String, into: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Object(map) => {
            if map.get("properties").is_some_and(Value::is_object) && map.contains_key("type") {
                into.push((place.clone(), value));
            }
            map.iter().for_each(|(key, value)| objects(value, format!("{place}/{key}"), into));
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, value)| objects(value, format!("{place}/{at}"), into))
        }
        _ => {}
    }
}

#[test]
fn schemas_describe_every_property_and_allow_no_other() {
    for schema in schema::ALL {
        let document = schema.document();
        jsonschema::meta::validate(&document).unwrap();
        assert_eq!(document["$schema"], "https://json-schema.org/draft/2020-12/schema", "{}", schema.name);
        assert_eq!(document["properties"]["schema"]["const"], schema.id(), "{}", schema.name);
        let mut all = vec![];
        objects(&document, schema.name.to_owned(), &mut all);
        for (place, object) in all {
            assert_eq!(object["additionalProperties"], false, "{place}");
            for (name, property) in object["properties"].as_object().unwrap() {
                // The only property of a variant is described by the variant.
                let own = property.get("description").or(object.get("description")).and_then(Value::as_str);
                assert!(own.is_some_and(|text| !text.is_empty()), "{place}: describe {name}");
            }
        }
    }
}

#[test]
fn every_command_with_json_has_a_schema_and_a_row_on_the_page() {
    let nested = |group| commands(&[group]).into_iter().map(move |name| format!("{group} {name}"));
    let all: Vec<String> = commands(&[]).into_iter().chain(nested("kernel")).chain(nested("field")).collect();
    let prints = |command: &&String| goodput(&[&words(command)[..], &["-h"]].concat()).contains("--json");
    let found: BTreeSet<String> = all.iter().filter(prints).map(|command| command.replace(' ', "-")).collect();
    let mut due: BTreeSet<String> = schema::ALL.iter().map(|schema| schema.name.to_owned()).collect();
    assert!(due.remove("dry-run"), "of `run --dry-run`");
    assert!(due.remove("suite"), "of `run FOLDER`");
    assert!(due.remove("score"), "`score` prints nothing else");
    // These commands print the output of `run`, `diagnose`, `apply` and `undo`.
    due.extend(["report", "gather", "probe", "field-apply", "field-undo", "field-run"].map(str::to_owned));
    assert_eq!(found, due);
    let page = text("docs/reference/json.md");
    for schema in schema::ALL {
        let row = format!("| {} |", schema.id());
        assert!(page.contains(&row), "docs/reference/json.md: no row with {row}");
    }
}

fn words(command: &str) -> Vec<&str> {
    command.split(' ').collect()
}

#[test]
fn a_property_too_many_and_one_too_few_are_refused() {
    let output = printed(&["diagnose", "examples/listings/hong-kong-new-york.txt"]);
    let output = conforming("diagnose", &output.stdout);
    let mut more = output.clone();
    more["cases"][0]["diagnosis"]["findings"][0]["color"] = json!("red");
    assert_eq!(violations("diagnose", &more).len(), 1);
    let mut fewer = output;
    fewer["cases"][0]["diagnosis"]["findings"][0].as_object_mut().unwrap().remove("cost");
    assert_eq!(violations("diagnose", &fewer).len(), 1);
}

#[test]
fn the_name_of_the_schema_comes_first() {
    let output = printed(&["advise", "--rate", "1Gbit/s", "--rtt", "20ms"]);
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.starts_with("{\n  \"schema\": \"goodput/advise/1\",\n"), "{output}");
}

#[test]
fn evidence_and_diagnoses_conform() {
    let folders = ["examples/listings", "goodput/tests/it/diagnose/real"];
    let mut all: Vec<String> =
        folders.iter().flat_map(|folder| files(folder, &["txt", "text", "json", "ss", "server"])).collect();
    for folder in ["import", "hosts", "views", "options"] {
        all.extend(files(&format!("crates/evidence/tests/{folder}"), &["txt", "json"]));
    }
    all.extend(files("goodput/tests/captures", &["pcap", "pcapng"]));
    let mut conform = 0;
    for file in &all {
        for command in ["diagnose", "import"] {
            let output = printed(&[command, file]);
            assert_ne!(output.status.code(), Some(101), "{command} {file}");
            if !output.stdout.is_empty() {
                conforming(command, &output.stdout);
                conform += 1;
            }
        }
    }
    assert!(conform > 300, "{conform} outputs of {} files", all.len());
}

/// Examples and the experiments of `validation/` and `corpus/`. An example may name a kernel that this machine has not.
#[test]
fn plans_conform() {
    let experiments = ["examples", "validation", "corpus"].iter().flat_map(|folder| files(folder, &["toml"]));
    let mut conform = 0;
    for file in experiments.filter(|file| !file.ends_with("labels.toml")) {
        let output = printed(&["check", &file]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if said.contains("no guest kernel") {
            let text = fs::read_to_string(&file).unwrap();
            let traces = run::traces(Path::new(&file), &experiment::traces_named(&file, &text), run::Files::Beside);
            let plan = experiment::plan_with_traces(&file, &text, &[], None, &traces).unwrap();
            conforming("check", &serde_json::to_vec(&schema::CHECK.output(&plan)).unwrap());
        } else {
            assert!(output.status.success(), "{file}: {said}");
            conforming("check", &output.stdout);
        }
        conform += 1;
    }
    assert!(conform > 100, "{conform} experiments");
}

#[test]
fn advice_conforms() {
    for line in [
        "--rate 1Gbit/s --rtt 210ms",
        "--rate 10Gbit/s --rtt 1ms --loss 0.01% --flows 4 --connections 1000",
        "--rate 100Mbit/s --rtt 5ms --version 4.4",
        "--rate 1Gbit/s --rtt 20ms --tunnel esp-aes-gcm --nat-t --forwards --route 10.4.0.0/16 --via 10.0.0.1",
        "--rate 1Gbit/s --rtt 20ms --tunnel wireguard --ipv6-outside --interface eth0 --route default",
        "--rate 1Gbit/s --rtt 30ms --tunnel gre --mtu 9000",
        "--rate 1Gbit/s --rtt 30ms --os freebsd --version 13.1 --interface ix0 --forwards --loss 1%",
        "--rate 1Gbit/s --rtt 20ms --os freebsd --tunnel esp-aes-gcm --route 10.4.0.0/16 --via 10.0.0.1",
    ] {
        let output = printed(&[&["advise"], &words(line)[..]].concat());
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        conforming("advise", &output.stdout);
    }
}

#[test]
fn comparisons_of_listings_conform() {
    let listing = |name: &str| format!("crates/evidence/tests/import/{name}");
    for [a, b] in [
        ["ipsec-tunnel-article.txt", "hong-kong-new-york-runs.txt"],
        ["ipsec-tunnel-article.txt:1", "ipsec-tunnel-article.txt:2"],
        ["two-flows.txt", "two-flows.json"],
        ["udp.txt", "two-flows.txt"],
    ] {
        let output = printed(&["compare", &listing(a), &listing(b)]);
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        conforming("compare", &output.stdout);
    }
}

#[test]
fn runs_conform() {
    let run = Made::new();
    let own = run.name();
    let again = format!("{own}/../again");
    let points = [":cubic", ":reno"].map(|point| format!("{own}{point}"));
    let lines: &[(&str, &[&str])] = &[
        ("run", &["report", &own]),
        ("run", &["report", &own, "--all"]),
        ("run", &["run", &run.experiment(), "--replay", &own, "--out", &again, "--no-cache"]),
        ("compare", &["compare", &points[0], &points[1]]),
        ("diagnose", &["diagnose", &own]),
        ("import", &["import", &own]),
    ];
    for (name, line) in lines {
        let said = run.goodput(&[line, &["--json"][..]].concat());
        assert!(!said.stdout.is_empty(), "{line:?}: {}", said.stderr);
        conforming(name, said.stdout.as_bytes());
    }
}

/// `report` notices that somebody changed the plan, and reports it.
#[test]
fn an_edited_plan_is_named() {
    let run = Made::new();
    let again = run.path().join("again");
    let named = again.to_str().unwrap();
    let made = run.goodput(&["run", &run.experiment(), "--replay", &run.name(), "--out", named, "--no-cache"]);
    assert!(again.join("SHA256SUMS").exists(), "{}", made.stderr);
    assert!(!run.goodput(&["report", named]).stderr.contains("changed since the run"));
    let plan = std::fs::read_to_string(again.join("plan.json")).unwrap();
    std::fs::write(again.join("plan.json"), plan.replacen("\"title\": \"", "\"title\": \"Mine: ", 1)).unwrap();
    for _ in 0..2 {
        let said = run.goodput(&["report", named]);
        assert!(said.stderr.contains("plan.json changed since the run: put it back as it was"), "{}", said.stderr);
        assert!(said.stdout.contains("Mine: "), "{}", said.stdout);
    }
}

#[test]
fn a_proof_conforms_and_without_a_trial_it_is_a_diagnosis() {
    for more in [&[][..], &["--allow-commands"]] {
        let output = printed(&[&["prove", "goodput/tests"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        conforming("prove", &output.stdout);
    }
    let output = printed(&["prove", "examples/listings/ipsec-tunnel.txt"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Not proven as one transfer: "));
    conforming("diagnose", &output.stdout);
}

/// In a network namespace, where the machine permits one.
#[test]
fn changes_of_a_host_conform() {
    let script = r#"
set -e
goodput() { "$GOODPUT" "$@" --state /run/state --json; }
goodput apply net.ipv4.tcp_slow_start_after_idle=0
printf '\036'
goodput apply net.ipv4.tcp_slow_start_after_idle=0
printf '\036'
goodput apply mtu@eth0=1400 --measure 'echo 10 Mbit/s' --pairs 3 || test $? != 2
printf '\036'
goodput undo --dry-run
printf '\036'
goodput undo
"#;
    let Some(output) = inside(&format!("{SCENE}{script}"), &[]) else { return };
    let errors = String::from_utf8_lossy(&output.stderr);
    let printed: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0o36).collect();
    let [applied, again, measured, seen, undone] = printed[..] else { panic!("{errors}") };
    assert_eq!(conforming("apply", applied)["outcome"], "applied", "{errors}");
    assert_eq!(conforming("apply", again)["outcome"], "nothing", "{errors}");
    assert_eq!(conforming("apply", measured)["outcome"], "put-back", "{errors}");
    assert_eq!(conforming("undo", seen)["settings"][0]["end"], "ours", "{errors}");
    assert_eq!(conforming("undo", undone)["settings"][0]["end"], "put-back", "{errors}");
}

#[test]
fn a_machine_without_kernels_conforms() {
    let checks = conforming("doctor", &printed(&["doctor"]).stdout);
    assert!(checks["checks"].as_array().unwrap().iter().any(|check| check["outcome"]["problem"].is_object()));
    let kernels = conforming("kernel-list", &printed(&["kernel", "list"]).stdout);
    assert_eq!(kernels["kernels"], json!([]));
}

#[test]
fn goodput_prints_its_schemas() {
    for schema in schema::ALL {
        let printed: Value = serde_json::from_str(&goodput(&["schema", schema.name])).unwrap();
        assert_eq!(printed, schema.document());
    }
    assert_eq!(goodput(&["schema"]).lines().count(), schema::ALL.len() + file_schema::ALL.len());
    for file in file_schema::ALL {
        let printed: Value = serde_json::from_str(&goodput(&["schema", file.name])).unwrap();
        assert_eq!(printed, (file.document)());
    }
    let wrong = Command::new(env!("CARGO_BIN_EXE_goodput")).args(["schema", "diagnos"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("diagnose"), "it suggests the name");
}
