//! JSON Schemas (draft 7, which editors of TOML know best) of the files that people write: experiments and facts.
//!
//! They come from the tables of keys that read the files. A schema sees one value at a time: it knows names, types, words
//! and units, but neither bounds of quantities nor how keys depend on each other; `goodput check` does.

use experiment::{KeyRow, key_tables};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use suspicion::facts::{self, KEYS, Key, Origin, Role};

/// A kind of file.
pub struct File {
    pub name: &'static str,
    pub about: &'static str,
    pub document: fn() -> Value,
}

pub const ALL: &[File] = &[
    File { name: "experiment", about: "the experiment file, for editors", document: experiment },
    File { name: "facts-file", about: "the file of facts, for editors", document: facts },
];

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

fn document(title: &str, object: Value, definitions: Map<String, Value>) -> Value {
    let Value::Object(mut document) = object else { unreachable!("a schema of a file is an object") };
    document.insert("$schema".into(), DRAFT.into());
    document.insert("title".into(), title.into());
    document.insert("definitions".into(), definitions.into());
    document.into()
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// Tables of keys by the path in their heading, with whether it is a list.
type Tables = BTreeMap<String, (bool, Vec<KeyRow>)>;

/// An object of the experiment: its definition, the tables whose keys it has, and the paths under which tables of its keys
/// stand. In the headings, `a`, `s` and `r` are a host, a switch and a router of any name.
struct Object {
    name: &'static str,
    tables: &'static [&'static str],
    below: &'static [&'static str],
    /// Keys of these tables that it lacks.
    lacks: &'static [&'static str],
    /// Whether a missing key cannot be in `[vary]`.
    is_fixed: bool,
}

const OBJECTS: &[Object] = &[
    Object { name: "path", tables: &["path", "path.backward"], below: &["path"], lacks: &["delay"], is_fixed: false },
    Object { name: "backward", tables: &["path.backward"], below: &["path"], lacks: &[], is_fixed: false },
    Object { name: "link", tables: &["links", "path.backward"], below: &["path"], lacks: &[], is_fixed: false },
    Object { name: "tunnel", tables: &["tunnels"], below: &[], lacks: &[], is_fixed: false },
    Object { name: "hosts", tables: &["hosts"], below: &["hosts"], lacks: &[], is_fixed: false },
    Object {
        name: "host",
        tables: &["hosts", "hosts.a"],
        below: &["hosts", "hosts.a", "switches.s"],
        lacks: &[],
        is_fixed: false,
    },
    Object { name: "switch", tables: &["switches.s"], below: &["switches.s", "hosts.a"], lacks: &[], is_fixed: false },
    Object {
        name: "router",
        tables: &["routers.r"],
        below: &["routers.r", "switches.s", "hosts.a"],
        lacks: &[],
        is_fixed: false,
    },
    Object { name: "flow", tables: &["flows"], below: &[], lacks: &[], is_fixed: false },
    Object { name: "record", tables: &["record"], below: &[], lacks: &[], is_fixed: false },
    Object { name: "search", tables: &["search"], below: &[], lacks: &[], is_fixed: true },
    Object { name: "repeat", tables: &["repeat"], below: &["repeat"], lacks: &[], is_fixed: true },
    Object { name: "compare", tables: &["compare"], below: &[], lacks: &[], is_fixed: true },
    Object { name: "expect", tables: &["expect"], below: &[], lacks: &[], is_fixed: true },
    Object { name: "published", tables: &["published"], below: &[], lacks: &[], is_fixed: true },
];

/// Sections of the experiment: key, and the schema of its value.
fn sections() -> [(&'static str, Value); 14] {
    let list = |name: &str| json!({ "type": "array", "items": reference(name) });
    let named = |name: &str| json!({ "type": "object", "additionalProperties": reference(name) });
    [
        ("path", reference("path")),
        ("links", list("link")),
        ("tunnels", list("tunnel")),
        ("hosts", reference("hosts")),
        ("switches", named("switch")),
        ("routers", named("router")),
        ("flows", list("flow")),
        ("vary", json!({ "type": "object", "description": "values to try: \"path.rate\" = [\"10 Mbit/s\", …]" })),
        ("search", reference("search")),
        ("repeat", reference("repeat")),
        ("compare", reference("compare")),
        ("record", reference("record")),
        ("expect", list("expect")),
        ("published", list("published")),
    ]
}

/// Returns the schema of an experiment.
pub fn experiment() -> Value {
    let tables: Tables = key_tables()
        .into_iter()
        .map(|table| (table.heading.trim_matches(['[', ']']).to_owned(), (table.heading.starts_with("[["), table.rows)))
        .collect();
    let mut definitions = Map::new();
    for object in OBJECTS {
        let rows = object.tables.iter().flat_map(|table| &tables[*table].1);
        let rows: Vec<&KeyRow> = rows.filter(|row| !object.lacks.contains(&row.name)).collect();
        let below = |key: &str| {
            let paths = object.below.iter().map(|path| format!("{path}.{key}"));
            // A port is under its neighbour's name.
            paths.flat_map(|path| [format!("{path}.a"), path]).find(|path| tables.contains_key(path))
        };
        definitions.insert(object.name.into(), table(&rows, object.is_fixed, &tables, below));
    }
    for (path, (_, rows)) in tables.iter().filter(|(path, _)| path.contains('.')) {
        definitions.insert(path.clone(), table(&rows.iter().collect::<Vec<_>>(), false, &tables, |_| None));
    }
    // Under [hosts] are keys of all hosts, and hosts by their names.
    definitions["hosts"]["additionalProperties"] = reference("host");
    let mut top = table(&tables[""].1.iter().collect::<Vec<_>>(), true, &tables, |_| None);
    for (key, schema) in sections() {
        top["properties"][key] = schema;
    }
    document("An experiment of goodput", top, definitions)
}

/// Returns the schema of a table of keys; `below` names the table that a key holds.
fn table(rows: &[&KeyRow], is_fixed: bool, tables: &Tables, below: impl Fn(&str) -> Option<String>) -> Value {
    let mut properties: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for row in rows {
        let of_kinds = match row.kinds {
            [] => String::new(),
            kinds => format!(" (of {})", kinds.join(", ")),
        };
        let default = if row.default.is_empty() { String::new() } else { format!("; default: {}", row.default) };
        let about = format!("{}{of_kinds}. {}{default}", row.meaning, row.takes);
        let held = below(row.name).map(|path| (tables[&path].0, path.ends_with(".ports.a"), reference(&path)));
        let mut schema = match held {
            None => row.schema.clone(),
            Some((true, _, table)) => {
                let item = json!({ "anyOf": [table, { "not": { "type": "object" } }] });
                json!({ "anyOf": [{ "type": "array", "items": item }, { "not": { "type": "array" } }] })
            }
            Some((_, true, table)) => json!({ "type": "object", "additionalProperties": table }),
            Some((..)) if row.name == "backward" => reference("backward"),
            Some((.., table)) if row.schema == json!({}) => {
                json!({ "anyOf": [table, { "not": { "type": "object" } }] })
            }
            Some((.., table)) => json!({ "anyOf": [table, row.schema] }),
        };
        schema["description"] = about.replace('`', "").into();
        properties.entry(row.name).or_default().push(schema);
    }
    let required: Vec<&str> = rows
        .iter()
        .filter(|row| is_fixed && row.kinds.is_empty() && row.default == "required")
        .map(|row| row.name)
        .collect();
    let one = |mut schemas: Vec<Value>| match schemas.len() {
        1 => schemas.remove(0),
        _ => json!({ "anyOf": schemas }),
    };
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, schemas)| (name.to_owned(), one(schemas))).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// Returns the schema of a file of facts.
pub fn facts() -> Value {
    let origins: Vec<&str> = Origin::ALL.iter().map(|(name, _)| *name).collect();
    let fact = json!({
        "anyOf": [
            { "type": ["string", "number"] },
            {
                "type": "object",
                "properties": {
                    "value": { "type": ["string", "number"], "description": "the number with its unit, or an interval" },
                    "origin": { "enum": origins, "description": "where it is from" },
                    "quote": { "type": "string", "description": "the words that say so" }
                },
                "required": ["value"],
                "additionalProperties": false
            }
        ]
    });
    let object = |roles: &[Role], others: &[(&str, Value)]| {
        let own = |key: &Key| match key.value {
            facts::Value::Label if key.name == "tunnel" => json!({ "enum": ["tcp", "udp"] }),
            facts::Value::Label => json!({ "type": "string" }),
            facts::Value::Number(_) => json!({ "allOf": [reference("fact")] }),
        };
        let keys = KEYS.iter().filter(|key| roles.contains(&key.role)).map(|key| {
            let mut schema = own(key);
            schema["description"] = key.meaning.into();
            (key.name.to_owned(), schema)
        });
        let others = others.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone()));
        let properties: Map<String, Value> = keys.chain(others).collect();
        json!({ "type": "object", "properties": properties, "additionalProperties": false })
    };
    let text = |about: &str| json!({ "type": "string", "description": about });
    let name = [("name", text("what the run is called"))];
    let run = object(&[Role::Path, Role::Setting, Role::Stated, Role::Count], &name);
    let top = json!({
        "type": "object",
        "properties": {
            "says": text("the topic, in its author's words"),
            "path": object(&[Role::Path], &[]),
            "runs": { "type": "array", "items": run, "minItems": 1, "maxItems": facts::MAX_RUNS }
        },
        "required": ["runs"],
        "additionalProperties": false
    });
    document("Facts of a slow path, for goodput test", top, Map::from_iter([("fact".to_owned(), fact)]))
}
