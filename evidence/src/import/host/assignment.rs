//! Whether a text is a setting: a key of sysctl and its value.

/// First parts of keys.
const ROOTS: &[&str] = &[
    "abi", "compat", "crypto", "debug", "dev", "fs", "hw", "kern", "kernel", "machdep", "net", "security", "sunrpc",
    "user", "vfs", "vm",
];

/// A key and what is given to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Assignment<'a> {
    pub key: &'a str,
    pub value: &'a str,
    /// With a colon, as FreeBSD prints it.
    pub printed: bool,
}

/// `net.ipv4.tcp_sack = 1`, `net.inet.tcp.minmss: 216`, if the text begins so.
pub(super) fn assignment(text: &str) -> Option<Assignment<'_>> {
    let text = text.strip_prefix('-').unwrap_or(text);
    let ends = text.find(|c: char| c == '=' || c == ':' || c.is_whitespace())?;
    let (key, rest) = text.split_at(ends);
    if !is_key(key) {
        return None;
    }
    if let Some(value) = rest.strip_prefix(':') {
        return Some(Assignment { key, value, printed: true });
    }
    let value = rest.trim_start().strip_prefix('=')?;
    Some(Assignment { key, value, printed: false })
}

/// Whether a word is the name of a setting.
pub(super) fn is_key(key: &str) -> bool {
    let known = key.split_once('.').is_some_and(|(root, rest)| ROOTS.contains(&root) && !rest.is_empty());
    known && !key.ends_with('.') && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-%/".contains(&b))
}
