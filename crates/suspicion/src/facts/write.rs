//! A case as a facts file.

use super::{Case, Fact, Facts, KEYS, Origin};
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
