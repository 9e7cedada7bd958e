//! The crate `jsonschema` decides whether an output conforms to its schema.

use goodput::schema;
use serde_json::Value;

/// The output of a command, which its schema accepts.
#[track_caller]
pub fn conforming(name: &str, stdout: &[u8]) -> Value {
    let text = String::from_utf8_lossy(stdout);
    let output = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
    let wrong = violations(name, &output);
    assert!(wrong.is_empty(), "goodput schema {name}: {wrong:#?}");
    output
}

/// Violations of a schema by an output, each with its place.
pub fn violations(name: &str, output: &Value) -> Vec<String> {
    let schema = schema::ALL.iter().find(|schema| schema.name == name).expect("a schema");
    let validator = jsonschema::validator_for(&schema.document()).unwrap();
    validator.iter_errors(output).map(|error| format!("{}: {error}", error.instance_path())).collect()
}
