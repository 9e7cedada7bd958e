//! Targets: hosts as a person names them.

use evidence::unit::Wrong;
use std::fmt::{self, Display};

/// A host, and the way to reach it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// This machine: `localhost`.
    Local,
    /// A network namespace of this machine, by its name in `ip netns`: `netns:NAME`.
    Namespace(String),
    /// A running container: `docker:NAME`.
    Docker(String),
    /// A running FreeBSD jail: `jail:NAME`.
    Jail(String),
    /// A destination of ssh(1): `HOST`, `USER@HOST`, `ssh://USER@HOST:PORT`, or a name in `~/.ssh/config`.
    Ssh(String),
}

const ACCEPTED: &str = "localhost, netns:NAME, docker:NAME, jail:NAME, or what ssh takes: HOST, USER@HOST, \
                        ssh://USER@HOST:PORT";

impl Target {
    /// Parses a person's input.
    pub fn parse(text: &str) -> Result<Target, Wrong> {
        if text == "localhost" {
            return Ok(Target::Local);
        }
        match text.split_once(':') {
            Some(("netns", name)) => named(name).map(Target::Namespace),
            Some(("docker", name)) => named(name).map(Target::Docker),
            Some(("jail", name)) => named(name).map(Target::Jail),
            Some(("ssh", _)) => destination(text),
            // An IPv6 address has at least two colons.
            Some((host, port)) if !port.contains(':') => {
                let wrong = Wrong::new("is no host").accepted(ACCEPTED);
                Err(match port.bytes().all(|byte| byte.is_ascii_digit()) && !port.is_empty() {
                    true => wrong.hint(format!("with a port, write ssh://{host}:{port}")),
                    false => wrong,
                })
            }
            _ => destination(text),
        }
    }

    /// Whether this machine's files are there.
    pub(crate) fn shares_files(&self) -> bool {
        matches!(self, Target::Local | Target::Namespace(_))
    }

    /// Returns the words that start `sh` there, with the script on standard input; none for ssh, which has its own
    /// options.
    pub(super) fn prefix(&self) -> Vec<&str> {
        match self {
            Target::Local | Target::Ssh(_) => vec![],
            Target::Namespace(name) => vec!["ip", "netns", "exec", name],
            Target::Docker(name) => vec!["docker", "exec", "-i", name],
            Target::Jail(name) => vec!["jexec", name],
        }
    }
}

fn named(name: &str) -> Result<String, Wrong> {
    let is_sound = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    match !name.is_empty() && !name.starts_with(['-', '.']) && name.bytes().all(is_sound) {
        true => Ok(name.to_owned()),
        false => Err(Wrong::new("has no usable name behind the colon").accepted("letters, digits, `.`, `_`, `-`")),
    }
}

/// Parses a destination of ssh. ssh would take a leading `-` for an option; a shell of the user's config may see the
/// rest (ProxyCommand's `%h`).
fn destination(text: &str) -> Result<Target, Wrong> {
    let is_sound = |c: char| c.is_alphanumeric() || "._-@:/[]%+".contains(c);
    match !text.is_empty() && !text.starts_with('-') && !text.contains("@-") && text.chars().all(is_sound) {
        true => Ok(Target::Ssh(text.to_owned())),
        false => Err(Wrong::new("is no host").accepted(ACCEPTED)),
    }
}

impl Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Target::Local => f.write_str("localhost"),
            Target::Namespace(name) => write!(f, "netns:{name}"),
            Target::Docker(name) => write!(f, "docker:{name}"),
            Target::Jail(name) => write!(f, "jail:{name}"),
            Target::Ssh(destination) => f.write_str(destination),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_host_is_read_and_shown_as_written() {
        for text in ["localhost", "netns:a_1", "docker:web-1", "jail:db", "backup", "me@10.0.0.1", "ssh://me@h:2222"] {
            assert_eq!(Target::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Target::parse("fe80::1%eth0").unwrap(), Target::Ssh("fe80::1%eth0".into()));
    }

    #[test]
    fn targets_that_ssh_or_a_shell_would_misread_are_refused() {
        for text in
            ["", "-oProxyCommand=x", "a b", "a;b", "$(x)", "u@-oX", "netns:", "netns:../x", "docker:-x", "netsn:a"]
        {
            assert!(Target::parse(text).is_err(), "{text}");
        }
        assert_eq!(Target::parse("host:22").unwrap_err().hint.unwrap(), "with a port, write ssh://host:22");
    }
}
