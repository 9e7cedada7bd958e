//! A case as JSON, there and back.

use super::{Case, Fact, Facts, KEYS, Key, MAX_BYTES, MAX_RUNS, Origin, Role, Run, Value, repeated};
use serde_json::{Map, Value as Json, json};

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

/// Reads the facts that goodput printed as JSON, alone or within its evidence; `None` if these are none.
pub fn from_json(text: &str) -> Option<Case> {
    let document: Json = (text.len() <= MAX_BYTES).then(|| serde_json::from_str(text).ok())??;
    let schema = document["schema"].as_str()?;
    if schema.starts_with("goodput/facts/") {
        return Some(case_of(&document));
    }
    let cases = document["cases"].as_array().filter(|_| schema.starts_with("goodput/import/"))?;
    let mut all = Case::default();
    cases.iter().filter(|one| one["facts"].is_object()).for_each(|one| all.add(case_of(&one["facts"])));
    Some(all)
}

fn case_of(json: &Json) -> Case {
    let runs = json["runs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let run = |(number, run): (usize, &Json)| Run {
        name: run["name"].as_str().map_or(format!("run {}", number + 1), line),
        facts: facts_of(&run["facts"]),
    };
    Case {
        says: json["says"].as_str().map(line),
        path: facts_of(&json["path"]),
        runs: runs.iter().take(MAX_RUNS).enumerate().map(run).collect(),
    }
}

fn facts_of(json: &Json) -> Facts {
    let mut facts = Facts::default();
    for key in KEYS {
        let one = &json[key.name];
        match key.value {
            Value::Label => {
                if let Some(label) = one["label"].as_str() {
                    facts.labels.insert(key.name, line(label));
                }
            }
            Value::Number(kind) => {
                let Some(text) = one["text"].as_str() else { continue };
                let Ok(interval) = kind.parse(text) else { continue };
                let origin = Origin::ALL.iter().find(|(name, _)| one["origin"] == *name);
                let origin = origin.map_or(Origin::Stated, |(_, origin)| *origin);
                let quote = one["quote"].as_str().map(line);
                let interval = if origin == Origin::Derived { interval } else { repeated(key, interval) };
                facts.numbers.insert(key.name, Fact { interval, text: line(text), origin, quote });
            }
        }
    }
    facts
}

fn line(text: &str) -> String {
    evidence::plain::line(text).into_owned()
}
