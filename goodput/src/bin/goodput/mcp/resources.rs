//! What can be looked up: rules, formulas, templates, keys, schemas, and what the lab cannot show.

use goodput::file_schema;
use serde_json::{Value, json};

/// A resource: its address, what it is, and its text; `{}` stands for a name.
struct Resource {
    address: &'static str,
    about: &'static str,
    text: fn(&str) -> Option<String>,
}

const VIRTUAL_TIME: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/explanation/virtual-time.md"));
const TEMPLATES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/templates.md"));

const RESOURCES: &[Resource] = &[
    Resource { address: "goodput://rules", about: "the rules of the diagnosis, by name", text: |_| Some(rules()) },
    Resource {
        address: "goodput://templates",
        about: "templates of causes for `test`",
        text: |_| Some(TEMPLATES.into()),
    },
    Resource { address: "goodput://keys", about: "sections of the experiment file", text: |_| Some(headings()) },
    Resource {
        address: "goodput://keys/{}",
        about: "the keys of a section, by its name: path, flows, path.queue",
        text: keys,
    },
    Resource { address: "goodput://schemas/{}", about: "JSON Schemas of files: experiment, facts-file", text: schema },
    Resource { address: "goodput://limits", about: "what the lab cannot show", text: |_| limits() },
];

pub fn list() -> Value {
    let all = RESOURCES.iter().filter(|one| !one.address.ends_with("{}"));
    let all = all.map(
        |one| json!({ "uri": one.address, "name": one.address, "description": one.about, "mimeType": "text/plain" }),
    );
    json!({ "resources": all.collect::<Vec<_>>() })
}

pub fn templates() -> Value {
    let all = RESOURCES.iter().filter_map(|one| Some((one.address.strip_suffix("{}")?, one.about)));
    let all = all.map(|(address, about)| {
        json!({ "uriTemplate": format!("{address}{{name}}"), "name": address, "description": about, "mimeType": "text/plain" })
    });
    json!({ "resourceTemplates": all.collect::<Vec<_>>() })
}

/// Returns the text at an address.
pub fn read(uri: &str) -> Option<String> {
    RESOURCES.iter().find_map(|one| match one.address.strip_suffix("{}") {
        Some(before) => (one.text)(uri.strip_prefix(before)?),
        None => (uri == one.address).then(|| (one.text)("")).flatten(),
    })
}

fn rules() -> String {
    let rows = diagnosis::diagnose::RULES.iter().map(|rule| format!("{}\n", rule.name));
    rows.collect::<String>() + "\nThe tool explain has each."
}

fn plain(heading: &str) -> &str {
    heading.trim_matches(['[', ']'])
}

fn headings() -> String {
    experiment::key_tables().iter().map(|table| format!("{}\n", plain(table.heading))).collect()
}

fn keys(name: &str) -> Option<String> {
    let table = experiment::key_tables().into_iter().find(|table| plain(table.heading) == name)?;
    let row = |row: &experiment::KeyRow| {
        let kinds = if row.kinds.is_empty() { String::new() } else { format!(" ({})", row.kinds.join(", ")) };
        format!("{}{kinds}: {}; default: {}; {}\n", row.name, row.takes, row.default, row.meaning)
    };
    Some(table.rows.iter().map(row).collect())
}

fn schema(name: &str) -> Option<String> {
    let file = file_schema::ALL.iter().find(|file| file.name == name)?;
    Some((file.document)().to_string())
}

fn limits() -> Option<String> {
    let (_, section) = VIRTUAL_TIME.split_once("## What it cannot show\n")?;
    Some(section.split("\n## ").next()?.trim().to_owned())
}
