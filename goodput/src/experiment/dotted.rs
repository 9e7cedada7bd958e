//! Dotted paths, such as `path.rate` and `flows.0.mss`: of sections, and of keys in them.

use crate::plan::{FAMILY, KERNEL};

/// Lists of tables: `[[flows]]`, and those within.
pub const LISTS: &[&str] = &["flows", "links", "tunnels", "expect", "published", "changes", "outages", "run"];

/// The section of that path as it is headed.
pub fn heading(path: &str) -> String {
    let list = LISTS.contains(&path.rsplit('.').next().unwrap_or(path));
    if list { format!("[[{path}]]") } else { format!("[{path}]") }
}

/// Whether one of several tables is meant, such as `links.1`.
pub fn is_numbered(path: &str) -> bool {
    path.split('.').any(|key| !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit()))
}

/// The sections whose keys may vary.
pub const VARIABLE: [&str; 8] = ["path", "hosts", "switches", "routers", "links", "tunnels", "flows", "record"];

/// The keys above all sections that may vary.
pub const TOP: [&str; 2] = [KERNEL, FAMILY];

/// Whether the key is one above all sections that may vary, or in a section whose keys may vary. What a flow is called is how it is found at every
/// point.
pub fn may_vary(key: &str) -> bool {
    let is_name = key.starts_with("flows.") && key.ends_with(".name");
    TOP.contains(&key) || key.contains('.') && rank(key).is_some() && !is_name
}

/// Where the key's section stands among those whose keys may vary.
pub fn rank(key: &str) -> Option<usize> {
    VARIABLE.iter().position(|section| key.split('.').next() == Some(section))
}

/// The path of a key in the section of a path.
pub fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
