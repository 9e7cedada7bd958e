//! Recognizes settings: a sysctl key and its value.

/// First components of sysctl keys.
const ROOTS: &[&str] = &[
    "abi", "compat", "crypto", "debug", "dev", "fs", "hw", "kern", "kernel", "machdep", "net", "security", "sunrpc",
    "user", "vfs", "vm",
];

/// A sysctl key and the value assigned to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Assignment<'a> {
    pub key: &'a str,
    pub value: &'a str,
    /// True for `key: value`, FreeBSD's output format.
    pub printed: bool,
}

/// Parses `net.ipv4.tcp_sack = 1` or `net.inet.tcp.minmss: 216` at the start of a text.
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

/// True if a word is a sysctl key.
pub(super) fn is_key(key: &str) -> bool {
    let known = key.split_once('.').is_some_and(|(root, rest)| ROOTS.contains(&root) && !rest.is_empty());
    known && !key.ends_with('.') && key.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-%/".contains(&b))
}
