//! A case as a facts file and as JSON.

use super::{Case, Fact, Facts, KEYS, Key, Origin, Role};
use serde_json::{Map, Value as Json, json};
use std::fmt::Write;

/// Writes a case as a facts file that reads back as the same case.
pub fn text(case: &Case) -> String {
    let mut out = String::new();
    if let Some(says) = &case.says {
        let _ = writeln!(out, "says = {}", quoted(says));
    }
    if case.path != Facts::default() {
        out += if out.is_empty() { "[path]\n" } else { "\n[path]\n" };
        write_facts(&mut out, &case.path);
    }
    for run in &case.runs {
        out += if out.is_empty() { "[[runs]]\n" } else { "\n[[runs]]\n" };
        let _ = writeln!(out, "name = {}", quoted(&run.name));
        write_facts(&mut out, &run.facts);
    }
    out
}

fn write_facts(out: &mut String, facts: &Facts) {
    for key in KEYS {
        if let Some(label) = facts.label(key.name) {
            let _ = writeln!(out, "{} = {}", key.name, quoted(label));
        } else if let Some(fact) = facts.numbers.get(key.name) {
            let _ = writeln!(out, "{} = {}", key.name, value(fact));
        }
    }
}

fn value(fact: &Fact) -> String {
    let text = if fact.text.parse::<f64>().is_ok() { fact.text.clone() } else { quoted(&fact.text) };
    if fact.origin == Origin::Stated && fact.quote.is_none() {
        return text;
    }
    let mut parts = vec![format!("value = {text}")];
    if fact.origin != Origin::Stated {
        parts.push(format!("origin = \"{}\"", fact.origin.name()));
    }
    parts.extend(fact.quote.as_ref().map(|quote| format!("quote = {}", quoted(quote))));
    format!("{{ {} }}", parts.join(", "))
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// Returns a case as JSON: numbers as intervals in base units, with their origin.
pub fn as_json(case: &Case) -> Json {
    let of = |facts: &Facts| {
        let mut map = Map::new();
        for key in KEYS {
            if let Some(label) = facts.label(key.name) {
                map.insert(key.name.into(), json!({ "label": label }));
            } else if let Some(fact) = facts.numbers.get(key.name) {
                map.insert(key.name.into(), fact_json(key, fact));
            }
        }
        map
    };
    let runs: Vec<Json> = case.runs.iter().map(|run| json!({ "name": run.name, "facts": of(&run.facts) })).collect();
    json!({ "says": case.says, "path": of(&case.path), "runs": runs })
}

fn fact_json(key: &Key, fact: &Fact) -> Json {
    let end = |value: f64| if value.is_finite() { json!(value) } else { Json::Null };
    let mut map = json!({
        "low": end(fact.interval.low), "high": end(fact.interval.high), "unit": key.kind().unit(),
        "origin": fact.origin, "text": fact.text, "stated": key.role == Role::Stated,
    });
    if let Some(quote) = &fact.quote {
        map["quote"] = json!(quote);
    }
    map
}
