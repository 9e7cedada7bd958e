//! Config fragments: the options they ask for, and those that a final configuration lacks.

use std::collections::BTreeMap;

/// How much goodput needs an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// The lab does not work without it.
    Must,
    /// A kernel may lack it: a comment that starts with `# optional` is above it.
    Optional,
    /// A user's fragment may override it: a comment that starts with `# free` is above it.
    Free,
}

/// An option that a fragment asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wish<'a> {
    pub(super) option: &'a str,
    pub(super) value: &'a str,
    pub(super) need: Need,
}

impl std::fmt::Display for Wish<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}={}", self.option, self.value)
    }
}

/// Returns the options of a fragment that a final configuration lacks.
pub(super) fn unfulfilled<'a>(fragment: &'a str, config: &str) -> Vec<Wish<'a>> {
    let has: BTreeMap<&str, &str> = config.lines().filter_map(setting).collect();
    wishes(fragment).into_iter().filter(|wish| has.get(wish.option).unwrap_or(&"n") != &wish.value).collect()
}

fn wishes(fragment: &str) -> Vec<Wish<'_>> {
    let mut wishes: Vec<Wish> = Vec::new();
    let mut need = Need::Must;
    for line in fragment.lines() {
        if line.trim().is_empty() {
            need = Need::Must;
        } else if let Some((option, value)) = setting(line) {
            wishes.retain(|wish| wish.option != option);
            wishes.push(Wish { option, value, need });
        } else if line.starts_with("# optional") {
            need = Need::Optional;
        } else if line.starts_with("# free") {
            need = Need::Free;
        }
    }
    wishes
}

/// Returns the lines of a fragment that set nothing, with their numbers from 1.
pub(super) fn unreadable(fragment: &str) -> Vec<(usize, &str)> {
    let lines = fragment.lines().enumerate().map(|(at, line)| (at + 1, line));
    let says_nothing = |line: &str| setting(line).is_none() && !line.trim().is_empty() && !line.trim().starts_with('#');
    lines.filter(|(_, line)| says_nothing(line)).collect()
}

/// Parses `CONFIG_X=value`, or `# CONFIG_X is not set`, whose value is `n`.
fn setting(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    match line.strip_prefix("# ").and_then(|line| line.strip_suffix(" is not set")) {
        Some(option) => option.starts_with("CONFIG_").then_some((option, "n")),
        None => line.split_once('=').filter(|(option, _)| option.starts_with("CONFIG_")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacking(fragment: &str, config: &str, need: Need) -> Vec<String> {
        let wishes = unfulfilled(fragment, config).into_iter();
        wishes.filter(|wish| wish.need == need).map(|wish| wish.to_string()).collect()
    }

    #[test]
    fn a_dropped_option_is_named() {
        let fragment = "CONFIG_NET=y\n# CONFIG_SMP is not set\nCONFIG_CUBIC=y\n\n\
                        # optional: newer kernels only\nCONFIG_BBR3=y\nCONFIG_VETH=y\n\n\
                        # free: what others may want otherwise\nCONFIG_HZ=1000\n\nCONFIG_LAST=y\n";
        let config = "CONFIG_NET=y\nCONFIG_SMP=y\nCONFIG_HZ=100\nCONFIG_VETH=y\n# CONFIG_CUBIC is not set\n";
        assert_eq!(lacking(fragment, config, Need::Must), ["CONFIG_SMP=n", "CONFIG_CUBIC=y", "CONFIG_LAST=y"]);
        assert_eq!(lacking(fragment, config, Need::Optional), ["CONFIG_BBR3=y"]);
        assert_eq!(lacking(fragment, config, Need::Free), ["CONFIG_HZ=1000"]);
    }

    #[test]
    fn the_last_wish_counts() {
        assert!(unfulfilled("CONFIG_A=y\n# CONFIG_A is not set\n", "").is_empty());
    }

    #[test]
    fn lines_that_say_nothing_are_found() {
        assert_eq!(unreadable("# comment\n\nCONFIG_A=y\nHZ_250=y\n"), [(4, "HZ_250=y")]);
    }
}
