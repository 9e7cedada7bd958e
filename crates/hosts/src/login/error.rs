//! Errors of host access, with what to do about each.

use super::{Reason, Target};
use evidence::plain;
use std::io;
use std::time::Duration;

/// The reason why a host could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum FieldError {
    /// A program of this machine could not be started.
    #[error("cannot start {program}: {error}\n\nhint: {}", to_install(program))]
    NoProgram { program: String, error: io::Error },
    /// No connection to the host.
    #[error("{target}: {said}\n\nhint: {hint}")]
    Unreachable { target: Target, said: Reason, hint: String },
    /// The host has no POSIX shell, or may not run one.
    #[error("{target}: no POSIX shell answered: {said}\n\nhint: {hint}")]
    NoShell { target: Target, said: Reason, hint: String },
    /// The script began, but its end never arrived.
    #[error(
        "{target}: the connection broke off while it was at work ({bytes} bytes had arrived): {said}\n\nhint: check that the host is up, then run the same command again"
    )]
    CutOff { target: Target, bytes: usize, said: Reason },
    #[error(
        "{target}: no answer within {seconds} s\n\nhint: the host is busy, or the path is down: run `{}` by hand",
        by_hand(target)
    )]
    TimedOut { target: Target, seconds: u64 },
    /// A step failed on the host.
    #[error("{target}: {doing} failed with status {status}: {said}")]
    Failed { target: Target, doing: String, status: i32, said: Reason },
    /// An agent could not follow an order.
    #[error("{target}: {doing} failed: {said}")]
    Refused { target: Target, doing: String, said: Reason },
    /// A host sends more than was asked for.
    #[error(
        "{target}: {doing} ended: it sends more than such an answer has, which is {bytes} bytes at most\n\nhint: ask for less, by a shorter time or fewer flows; if that does not help, the host is not running goodput's agent"
    )]
    TooMuch { target: Target, doing: String, bytes: usize },
    /// Another goodput is using the host.
    #[error(
        "{target}: another goodput is at work there: {holder}\n\nhint: wait until it has ended; its lock goes with it"
    )]
    Locked { target: Target, holder: Reason },
    /// The hosts do not reach one another as a transfer requires.
    #[error("{from} does not reach {to}: {said}\n\nhint: {hint}")]
    NoPath { from: Target, to: String, said: Reason, hint: String },
    /// Neither an agent nor iperf3 can make traffic.
    #[error(
        "{target}: nothing can make traffic there: {why}\n\nhint: install iperf3 3.1 or later on both hosts, then pass --tool iperf3"
    )]
    NoTraffic { target: Target, why: String },
    #[error("interrupted")]
    Interrupted,
    /// A file or folder on this machine failed.
    #[error("{what}: {error}")]
    Here { what: String, error: io::Error },
}

impl FieldError {
    pub(super) fn timed_out(target: &Target, time: Duration) -> FieldError {
        FieldError::TimedOut { target: target.clone(), seconds: time.as_secs() }
    }
}

fn to_install(program: &str) -> &'static str {
    match program {
        "ssh" => "install an OpenSSH client (Debian: openssh-client)",
        "ip" => "install iproute2",
        "docker" => "install docker, or name the host that runs the container",
        "jexec" => "jails are FreeBSD's: run this on the FreeBSD host",
        _ => "install it, or add its folder to PATH",
    }
}

fn by_hand(target: &Target) -> String {
    match target {
        Target::Ssh(destination) => format!("ssh {destination} true"),
        _ => [target.prefix(), vec!["true"]].concat().join(" "),
    }
}

/// Messages of ssh when it fails to connect, and what helps.
const OF_SSH: &[(&str, &str)] = &[
    (
        "REMOTE HOST IDENTIFICATION HAS CHANGED",
        "the host's key differs from the known one: ask who runs the host, then `ssh-keygen -R HOST` and `ssh HOST`",
    ),
    (
        "Host key verification failed",
        "connect once by hand, `ssh HOST`, and compare the key: goodput never accepts a host key for you",
    ),
    (
        "Permission denied (",
        "the host wants a password or another key, and goodput types none: `ssh-copy-id HOST`, or load your key with ssh-add; `ssh -o BatchMode=yes HOST true` must work",
    ),
    ("Too many authentication failures", "name the key in ~/.ssh/config: IdentityFile and IdentitiesOnly yes"),
    ("Could not resolve hostname", "check the name; it must be in DNS, /etc/hosts or ~/.ssh/config"),
    ("Connection refused", "no sshd listens there: start it, or name its port: ssh://HOST:PORT"),
    ("timed out", "the host is down, or a firewall drops TCP to its ssh port: `nc -vz HOST 22` shows it"),
    ("No route to host", "check the address, and `ip route get ADDRESS`"),
    ("Network is unreachable", "check the address, and `ip route get ADDRESS`"),
    ("not allowed because", "the account may not log in: name another, USER@HOST"),
    ("sftp connections only", "the account may copy files alone: name one with a shell, USER@HOST"),
    ("currently not available", "the account has no shell (/etc/passwd): name one with a shell, USER@HOST"),
    (
        "closed by remote host",
        "the host ended the connection: is it shutting down, or short of sessions (sshd's MaxSessions)?",
    ),
    ("Connection reset", "the host or a firewall ended the connection: run the same command again"),
    ("Bad configuration option", "correct the file that the message names"),
    ("Can't open user config file", "name an existing file as --ssh-config"),
];

/// Messages of a program in front of the shell when it fails, and what helps.
const OF_OTHERS: &[(&str, &str)] = &[
    ("Operation not permitted", "entering a namespace needs root: run goodput with sudo"),
    ("Permission denied", "entering it needs root: run goodput with sudo"),
    ("Cannot open network namespace", "`ip netns list` shows the names that there are"),
    ("setting the network namespace", "what had this name is gone: `ip netns delete NAME`, then `ip netns add NAME`"),
    ("No such container", "`docker ps` shows the names that there are"),
    ("is not running", "start it: `docker ps` shows what runs"),
    ("docker daemon", "start the docker daemon, or run goodput on the host that has it"),
    ("executable file not found", "the container has no sh: probe from its host's namespace instead"),
    ("not found", "`jls` shows the jails that run"),
];

/// Returns the error for a program's output before any script began.
pub(super) fn no_shell(target: &Target, said: &str, began: bool) -> FieldError {
    let table = if matches!(target, Target::Ssh(_)) { OF_SSH } else { OF_OTHERS };
    let known = table.iter().find(|(words, _)| said.contains(words));
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = known.and_then(|(words, _)| lines().find(|line| line.contains(words))).or_else(|| lines().next_back());
    let (target, said) = (target.clone(), Reason::Host(line.unwrap_or_default().trim_matches('@').trim().to_owned()));
    match known {
        Some((_, hint)) => {
            let name = target.to_string();
            let hint = match &target {
                Target::Ssh(_) => hint.replace("HOST", &name),
                Target::Namespace(_) if hint.contains("netns list") => named_namespaces(),
                _ => (*hint).into(),
            };
            FieldError::Unreachable { target, said, hint }
        }
        None => {
            let hint = match began {
                true => "the account needs a login shell that can start `sh -s`".to_owned(),
                false => format!("`{}` must work by hand, without a question", by_hand(&target)),
            };
            match began {
                true => FieldError::NoShell { target, said, hint },
                false => FieldError::Unreachable { target, said, hint },
            }
        }
    }
}

/// Returns the named network namespaces of this machine (ip-netns(8)).
pub(crate) fn namespaces() -> Vec<String> {
    let entries = std::fs::read_dir("/run/netns").into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| plain::line(&entry.file_name().to_string_lossy()).into_owned()).collect();
    names.sort();
    names
}

fn named_namespaces() -> String {
    let names = namespaces();
    match names.is_empty() {
        true => "there is none with a name: `ip netns add NAME` makes one".into(),
        false => format!("there are: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_of_ssh_has_its_next_step() {
        let target = Target::Ssh("backup".into());
        let error =
            no_shell(&target, "banner\nme@backup: Permission denied (publickey,password).\n", false).to_string();
        let said = "backup: \"me@backup: Permission denied (publickey,password).\"\n\nhint: ";
        assert!(error.starts_with(said), "{error}");
        assert!(error.contains("`ssh-copy-id backup`"), "{error}");
        let changed =
            "@@@@@@\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\n@@@\nHost key verification failed.";
        assert!(no_shell(&target, changed, false).to_string().contains("`ssh-keygen -R backup`"));
    }
}
