//! Dotted paths of sections and of their keys, such as `path.rate` and `flows.0.mss`.

use plan::{FAMILY, KERNEL};

/// Keys that hold lists of tables: `[[flows]]` at the top, others inside sections.
pub const LISTS: &[&str] = &["flows", "links", "tunnels", "expect", "published", "changes", "outages", "run"];

/// Returns the header of a section, such as `[path]` or `[[flows]]`.
pub fn heading(path: &str) -> String {
    let list = LISTS.contains(&path.rsplit('.').next().unwrap_or(path));
    if list { format!("[[{path}]]") } else { format!("[{path}]") }
}

/// True if the path picks one of several tables, such as `links.1`.
pub fn is_numbered(path: &str) -> bool {
    path.split('.').any(|key| !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit()))
}

/// Sections whose keys may vary.
pub const VARIABLE: [&str; 8] = ["path", "hosts", "switches", "routers", "links", "tunnels", "flows", "record"];

/// Keys above all sections that may vary.
pub const TOP: [&str; 2] = [KERNEL, FAMILY];

/// True if the key may vary. A flow's name may not: it identifies the flow at every point.
pub fn may_vary(key: &str) -> bool {
    let is_name = key.starts_with("flows.") && key.ends_with(".name");
    TOP.contains(&key) || key.contains('.') && rank(key).is_some() && !is_name
}

/// Returns the position of the key's section in [`VARIABLE`].
pub fn rank(key: &str) -> Option<usize> {
    VARIABLE.iter().position(|section| key.split('.').next() == Some(section))
}

/// Joins the path of a section and the name of a key in it.
pub fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
