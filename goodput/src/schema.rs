//! JSON Schemas (draft 2020-12) of the output of commands with `--json`.
//!
//! `schema.json` has a definition for each command, and under `$defs` what several share. [`Schema::document`] adds what
//! all have in common: an object has no property but those described, and all of them but the `optional` ones; a
//! `$ref` names a definition of the command, or else a shared one.

use serde::Serialize;
use serde_json::{Map, Value, json};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";
const DEFINITIONS: &str = include_str!("schema.json");

/// A JSON Schema of a command's output.
#[derive(Debug)]
pub struct Schema {
    /// Words of the command, joined by hyphens.
    pub name: &'static str,
    /// Version; raised when a property is removed or changes its meaning, but not when one is added.
    pub version: u32,
}

macro_rules! schemas {
    ($($constant:ident: $name:literal, version $version:literal;)*) => {
        $(pub const $constant: Schema = Schema { name: $name, version: $version };)*

        /// All schemas, in the order in which help lists the commands.
        pub const ALL: &[Schema] = &[$($constant),*];
    };
}

schemas! {
    DIAGNOSE: "diagnose", version 1;
    PROVE: "prove", version 1;
    TEST: "test", version 1;
    DIFFERS: "differs", version 1;
    FACTS: "facts", version 1;
    CALCULATE: "calculate", version 1;
    ADVISE: "advise", version 1;
    APPLY: "apply", version 1;
    UNDO: "undo", version 1;
    IMPORT: "import", version 2;
    RUN: "run", version 1;
    SUITE: "suite", version 1;
    DRY_RUN: "dry-run", version 1;
    CHECK: "check", version 1;
    COMPARE: "compare", version 1;
    RERUN: "rerun", version 1;
    SCORE: "score", version 1;
    BISECT: "bisect", version 1;
    KERNEL_SHOW: "kernel-show", version 1;
    KERNEL_LIST: "kernel-list", version 1;
    DOCTOR: "doctor", version 1;
}

/// An output that begins with the name of its schema.
#[derive(Debug, Serialize)]
pub struct Output<'v, T: Serialize> {
    schema: String,
    #[serde(flatten)]
    value: &'v T,
}

impl Schema {
    /// Returns name and version, the first key of the output.
    pub fn id(&self) -> String {
        format!("goodput/{}/{}", self.name, self.version)
    }

    /// Returns the output for a value that serializes as an object.
    pub fn output<'v, T: Serialize>(&self, value: &'v T) -> Output<'v, T> {
        Output { schema: self.id(), value }
    }

    /// Returns the schema as a document.
    pub fn document(&self) -> Value {
        let all: Value = serde_json::from_str(DEFINITIONS).expect("goodput's own schemas are JSON");
        let mut document = all[self.name].clone();
        let own = document["$defs"].take();
        document["$schema"] = DRAFT.into();
        document["properties"]["schema"] =
            json!({ "description": "Name and version of this schema.", "const": self.id() });
        let (mut definitions, mut named) = (Map::new(), vec![]);
        complete(&mut document, &mut named);
        while let Some(name) = named.pop() {
            if !definitions.contains_key(&name) {
                let mut definition = own.get(&name).unwrap_or(&all["$defs"][&name]).clone();
                complete(&mut definition, &mut named);
                definitions.insert(name, definition);
            }
        }
        document["$defs"] = definitions.into();
        document
    }
}

/// Adds to a definition what all have in common, and collects the names of those that it refers to.
fn complete(definition: &mut Value, named: &mut Vec<String>) {
    if let Value::Array(several) = definition {
        several.iter_mut().for_each(|one| complete(one, named));
    }
    let Value::Object(definition) = definition else { return };
    if let Some(Value::String(name)) = definition.get_mut("$ref") {
        named.push(name.clone());
        *name = format!("#/$defs/{name}");
    }
    let optional = definition.remove("optional").unwrap_or_default();
    let is_optional = |name: &&String| optional.as_array().is_some_and(|all| all.iter().any(|one| one == *name));
    if let Some(Value::Object(properties)) = definition.get_mut("properties") {
        let required: Vec<&String> = properties.keys().filter(|name| !is_optional(name)).collect();
        let required = json!(required);
        properties.values_mut().for_each(|property| complete(property, named));
        definition.insert("required".into(), required);
        definition.insert("additionalProperties".into(), false.into());
        definition.entry("type").or_insert_with(|| "object".into());
    }
    let parts = definition.iter_mut().filter(|(key, _)| *key != "properties");
    parts.for_each(|(_, part)| complete(part, named));
}
