//! Limits on the size of an experiment. They are checked before any key is read, because reading builds much more than
//! the text.

use super::source::{Fault, Span};
use evidence::unit::Wrong;
use toml::Spanned;
use toml::de::DeTable;

/// Longest text of an experiment, bytes.
pub const TEXT: usize = 4 << 20;
/// Most nodes: what fits into a /24. Bonds may have several links per node, so there may be more links.
pub const NODES: usize = 250;
pub const LINKS: usize = 1000;

/// Tables of `[hosts]`, `[switches]` and `[routers]` that are keys, not nodes.
const OTHER_TABLES: usize = 20;

/// Lists of tables, and the most tables that each may have.
const LISTS: &[(&str, usize)] = &[("flows", 60_000), ("tunnels", LINKS), ("expect", 10_000), ("published", 10_000)];

/// Returns the first limit that the document exceeds, or `None`.
pub fn check(document: &Spanned<DeTable>) -> Option<Fault> {
    let found = |key: &str| document.get_ref().get(key).map(Spanned::get_ref);
    let tables = |key: &str| -> Vec<Span> {
        let all = found(key).and_then(|value| value.as_table()).into_iter().flatten();
        all.filter(|(_, value)| value.get_ref().is_table()).map(|(key, _)| key.span()).collect()
    };
    let mut nodes: Vec<Span> = ["hosts", "switches", "routers"].into_iter().flat_map(tables).collect();
    nodes.sort_unstable_by_key(|span| span.start);
    if nodes.len() > NODES + OTHER_TABLES {
        let wrong = Wrong::new(format!("the network has more than {NODES} nodes"));
        return Some(Fault { span: nodes.swap_remove(NODES), wrong: wrong.accepted(format!("{NODES} at most")) });
    }
    let list = |(key, most): (&str, usize), what: &str| {
        let list = found(key)?.as_array()?;
        let wrong = || Wrong::new(format!("the {what} has {} {key}", list.len())).accepted(format!("{most} at most"));
        Some(Fault { span: list.get(most)?.span(), wrong: wrong() })
    };
    let others = || LISTS.iter().find_map(|bound| list(*bound, "experiment"));
    list(("links", LINKS), "network").or_else(others)
}
