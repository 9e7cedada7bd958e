//! The schemas of experiments and facts against every file in the tree: what goodput reads they allow; of what goodput
//! refuses they refuse what a schema can see.

use super::{ROOT, files};
use goodput::file_schema;
use jsonschema::Validator;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn validator(document: &Value) -> Validator {
    jsonschema::meta::validate(document).unwrap();
    jsonschema::validator_for(document).unwrap()
}

/// A file as an editor sees it; `None` if it is no TOML.
fn written(path: &str) -> Option<Value> {
    let table: toml::Table = fs::read_to_string(path).unwrap().parse().ok()?;
    Some(serde_json::to_value(table).unwrap())
}

fn faults(validator: &Validator, value: &Value) -> Vec<String> {
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn every_experiment_is_as_its_schema_says() {
    let validator = validator(&file_schema::experiment());
    let folders = ["examples", "suites", "corpus", "validation"].map(|folder| files(folder, &["toml"]));
    let good = files("goodput/tests/experiment", &["toml"]);
    let good = good.into_iter().filter(|path| path.rsplit('/').next().unwrap().starts_with("good-"));
    let all: Vec<String> = folders.concat().into_iter().chain(good).collect();
    let is_experiment = |value: &Value| value.get("flows").is_some() || value.get("hosts").is_some();
    let mut seen = 0;
    for path in &all {
        let Some(value) = written(path).filter(is_experiment) else { continue };
        assert_eq!(faults(&validator, &value), Vec::<String>::new(), "{path}");
        seen += 1;
    }
    assert!(seen > 80, "{seen}");
}

/// Beginnings of errors about one value alone: a name, a type, a word, a unit.
const SEEN_BY_A_SCHEMA: &[&str] = &["has no key \"", " is a number", " has no unit", " has an unknown unit"];

#[test]
fn what_a_schema_can_see_is_refused() {
    let validator = validator(&file_schema::experiment());
    let mut refused = vec![];
    let mut allowed = vec![];
    for path in files("goodput/tests/experiment", &["toml"]) {
        let Ok(errors) = fs::read_to_string(Path::new(&path).with_extension("stderr")) else { continue };
        let Some(value) = written(&path) else { continue };
        let name = path.rsplit('/').next().unwrap().to_owned();
        let is_seen = errors
            .lines()
            .any(|line| line.starts_with(&name) && SEEN_BY_A_SCHEMA.iter().any(|what| line.contains(what)));
        match is_seen {
            true if faults(&validator, &value).is_empty() => allowed.push(name),
            true => refused.push(name),
            false => {}
        }
    }
    assert_eq!(allowed, UNSEEN, "of {}", refused.len() + allowed.len());
    assert!(refused.len() > 20, "{refused:?}");
}

/// Experiments with such an error in a place that the schema leaves open: `[vary]`, `sysctl`, and tables in place of which a
/// value may stand.
const UNSEEN: &[&str] = &[
    "cases-are-bad.toml",
    "changes-of-nothing.toml",
    "expect-wrong-unit.toml",
    "range-bare.toml",
    "range-of-another-unit.toml",
    "search-without-unit.toml",
    "vary-bad-values.toml",
    "vary-kernel-unquoted.toml",
];

#[test]
fn every_file_of_facts_is_as_its_schema_says() {
    let document = file_schema::facts();
    let validator = validator(&document);
    let mut seen = 0;
    for path in files("examples/cases", &["toml"]) {
        let value = written(&path).unwrap();
        assert_eq!(faults(&validator, &value), Vec::<String>::new(), "{path}");
        seen += 1;
    }
    assert!(seen > 5, "{seen}");
    let refuses = |text: &str| {
        let value = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
        // What the schema refuses, the reader refuses too.
        assert!(!faults(&validator, &value).is_empty(), "{text}");
        assert!(suspicion::facts::read("x", text).is_err(), "{text}");
    };
    refuses("says = 'x'");
    refuses("[[runs]]\ngodput = '1 Mbit/s'");
    refuses("[[runs]]\ngoodput = true");
    refuses("[[runs]]\ngoodput = { value = '1 Mbit/s', origin = 'heard' }");
    refuses("[path]\ntunnel = 'icmp'\n[[runs]]\ngoodput = '1 Mbit/s'");
    refuses("[path]\ngoodput = '1 Mbit/s'\n[[runs]]\ngoodput = '1 Mbit/s'");
}

#[test]
fn the_schemas_beside_the_examples_are_those_that_goodput_prints() {
    for file in file_schema::ALL {
        let path = Path::new(ROOT).join(format!("packaging/schemas/{}.json", file.name));
        let due = format!("{:#}\n", (file.document)());
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &due).unwrap();
        }
        assert!(fs::read_to_string(&path).unwrap_or_default() == due, "BLESS=1 writes {}", path.display());
    }
}
