//! Congestion controls of a host, and the reasons why a sender there cannot use one.

use super::{FieldError, Shell};
use nix::errno::Errno;

/// Script that prints them: lines of a key and its values.
pub const SCRIPT: &str = "echo user $(id -u)
for key in available allowed
do [ ! -r /proc/sys/net/ipv4/tcp_${key}_congestion_control ] || echo $key $(cat /proc/sys/net/ipv4/tcp_${key}_congestion_control); done
[ -e /proc/modules ] || echo loadable -
for file in /lib/modules/$(uname -r)/kernel/net/ipv4/tcp_*.ko*
do [ ! -e $file ] || { name=${file##*/tcp_}; echo loadable ${name%%.ko*}; }; done";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Controls {
    is_root: bool,
    available: Vec<String>,
    allowed: Vec<String>,
    /// Modules that are not loaded yet; empty if unknown.
    loadable: Vec<String>,
}

impl Controls {
    pub fn query(shell: &Shell) -> Result<Controls, FieldError> {
        Ok(Controls::read(&shell.ask("reading what TCP may do there", SCRIPT)?))
    }

    pub fn read(page: &str) -> Controls {
        let names = |key: &str| {
            let lines = page.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
            let names = lines.flat_map(str::split_whitespace).filter(|name| is_name(name));
            names.take(MAX_NAMES).map(str::to_owned).collect::<Vec<String>>()
        };
        Controls {
            is_root: names("user").first().is_some_and(|user| user == "0"),
            available: names("available"),
            allowed: names("allowed"),
            loadable: names("loadable"),
        }
    }

    /// Returns the reason why a sender cannot use this control. Root's sockets load missing ones
    /// (tcp_ca_find_autoload, net/ipv4/tcp_cong.c).
    pub fn lacks(&self, name: &str) -> Option<String> {
        let is_here = has(&self.available, name);
        if self.available.is_empty() || has(&self.allowed, name) || self.is_root && is_here {
            return None;
        }
        if !is_here && !self.loadable.is_empty() && !has(&self.loadable, name) {
            return Some(self.missing(name));
        }
        (!self.is_root).then(|| self.not_allowed(name))
    }

    /// Explains why the kernel refused a control to a socket (setsockopt, TCP_CONGESTION).
    pub fn refused(&self, name: &str, error: Errno) -> String {
        match error {
            Errno::ENOENT => {
                let hint = format!("choose one of these, or load it there: sudo modprobe tcp_{name}");
                format!("{}\n\nhint: {hint}", self.missing(name))
            }
            Errno::EPERM => self.not_allowed(name),
            other => format!("congestion control {name}: {}", other.desc()),
        }
    }

    fn missing(&self, name: &str) -> String {
        let modules = self.loadable.iter().filter(|module| *module != "-");
        let mut names: Vec<&str> = self.available.iter().chain(modules).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        format!("there is no congestion control {name}\n\naccepted: {}", names.join(", "))
    }

    fn not_allowed(&self, name: &str) -> String {
        let is_here = has(&self.available, name);
        let load = if is_here { String::new() } else { format!("sudo modprobe tcp_{name}; ") };
        let verb = if is_here { "allow" } else { "load and allow" };
        format!(
            "an ordinary user may not use congestion control {name}\n\naccepted: {}\n\nhint: {verb} it there: {load}sudo sysctl net.ipv4.tcp_allowed_congestion_control=\"{} {name}\"",
            self.allowed.join(", "),
            self.allowed.join(" ")
        )
    }
}

/// Most names that are read of a list; Linux 6.18 has 17 congestion controls.
const MAX_NAMES: usize = 64;

/// Whether a word of a host's can be a name: it becomes part of a command to paste.
fn is_name(word: &str) -> bool {
    word.len() < 16 && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|own| own == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_says_what_a_sender_may_not() {
        let page = "user 1000\navailable reno cubic bbr\nallowed reno cubic\nloadable vegas\nloadable dctcp\n";
        let own = Controls::read(page);
        assert_eq!(own.lacks("cubic"), None);
        let said = own.lacks("bbr").unwrap();
        assert!(said.ends_with("sudo sysctl net.ipv4.tcp_allowed_congestion_control=\"reno cubic bbr\""), "{said}");
        assert!(own.lacks("vegas").unwrap().contains("sudo modprobe tcp_vegas"));
        assert!(own.lacks("nonsense").unwrap().ends_with("accepted: bbr, cubic, dctcp, reno, vegas"));
        let odd = Controls::read("available reno $(x) `y` cubic;z\nallowed \"reno\n");
        assert_eq!((odd.available, odd.allowed), (vec!["reno".to_owned()], vec![]));
        let root = Controls { is_root: true, ..own };
        assert_eq!((root.lacks("bbr"), root.lacks("vegas")), (None, None));
        assert!(root.lacks("nonsense").is_some());
        assert_eq!(Controls { loadable: vec![], ..root.clone() }.lacks("nonsense"), None, "nobody knows its modules");
        assert!(
            Controls { loadable: vec!["-".into()], ..root }.lacks("nonsense").unwrap().ends_with("bbr, cubic, reno")
        );
    }
    /// A kernel that does not say which modules it could load, as in a container: the socket's error decides.
    #[test]
    fn a_refused_control_is_told_with_those_that_are_there() {
        let own = Controls::read("user 0\navailable reno cubic bbr\nallowed reno cubic\n");
        assert_eq!(own.lacks("vegass"), None);
        let said = own.refused("vegass", Errno::ENOENT);
        assert!(
            said.starts_with("there is no congestion control vegass\n\naccepted: bbr, cubic, reno\n\nhint: "),
            "{said}"
        );
        let said = own.refused("bbr", Errno::EPERM);
        assert!(
            said.contains("may not use congestion control bbr\n\naccepted: reno, cubic\n\nhint: allow it"),
            "{said}"
        );
    }
}
