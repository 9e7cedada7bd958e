//! Puts back what was applied, and says what became of it.

use super::answer::{AnswerLine, find};
use super::{ApplyError, ask, failed, refused};
use crate::login::Shell;
use base::interrupt::Section;
use serde::Serialize;

/// A setting that `undo` examined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Undone {
    /// File, device or route.
    pub setting: String,
    pub now: String,
    /// Value before the change.
    pub was: String,
    pub end: End,
    pub cause: Cause,
}

/// The action of `undo` on a setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Has goodput's value, and was only examined.
    Ours,
    PutBack,
    /// Left alone, because somebody else has changed it since.
    Left(String),
    /// Refused by the host.
    Stuck(String),
    /// Lost in a reboot, or with its network namespace.
    Rebooted,
}

/// The change that a setting is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A confirmed change.
    Applied,
    /// A change that was interrupted with everything that could have put it back.
    Interrupted,
    /// A change that its watchdog put back earlier.
    Watchdog,
}

/// Result of an undo.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Undoing {
    /// Settings, the last change first.
    pub settings: Vec<Undone>,
    /// Lines of the host's state that are missing (`-`) or new (`+`) compared with the state before the changes.
    pub differs: Vec<String>,
}

/// Puts back all that was applied, the last first; only examines it if `look`.
pub fn undo(shell: &Shell, state: Option<&str>, look: bool) -> Result<Undoing, ApplyError> {
    whole(shell, &["undo", state.unwrap_or_default(), if look { "look" } else { "" }])
}

/// Puts back what a change has left that was interrupted with everything that could have put it back.
pub fn recover(shell: &Shell, state: Option<&str>) -> Result<Undoing, ApplyError> {
    whole(shell, &["left_over", state.unwrap_or_default()])
}

fn whole(shell: &Shell, words: &[&str]) -> Result<Undoing, ApplyError> {
    let _section = Section::begin();
    let answer = ask(shell, words)?;
    refused(&answer, &[])?;
    match find(&answer, "done") {
        Some(_) => Ok(read(&answer)),
        None => Err(failed("the host did not answer as it should", &answer)),
    }
}

/// Most lines in which a host is said to differ; `host/snapshot.sh` prints fewer.
const MAX_DIFFERENCES: usize = 50;

/// True if the host says what is missing or new, or how many more lines there are.
fn is_difference(text: &str) -> bool {
    text.starts_with(['-', '+']) || text.starts_with(" and ") && text.ends_with(" more lines")
}

fn read(answer: &[AnswerLine]) -> Undoing {
    let mut all: Vec<([String; 3], Undone)> = vec![];
    let (mut from, mut cause, mut differs) = (0, Cause::Applied, vec![]);
    for line in answer {
        let mut begin = |own| (from, cause) = (all.len(), own);
        match line.word.as_str() {
            "change" => begin(Cause::Applied),
            "recovered" => begin(Cause::Interrupted),
            "watchdog" => begin(Cause::Watchdog),
            "item" => all.extend(item(line, cause)),
            "differs" if is_difference(&line.text) && differs.len() < MAX_DIFFERENCES => {
                differs.push(line.text.clone())
            }
            "rebooted" => all[from..].iter_mut().for_each(|(_, one)| one.end = End::Rebooted),
            word => {
                let mut parts = line.text.splitn(3, '|');
                let (Some(kind), Some(subject), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
                    continue;
                };
                let end = match word {
                    "back" => End::PutBack,
                    "left" => End::Left(text.into()),
                    "stuck" => End::Stuck(text.into()),
                    _ => continue,
                };
                let name = [line.change.to_string(), kind.into(), subject.into()];
                let own = all[from..].iter_mut().filter(|(known, _)| *known == name);
                own.for_each(|(_, one)| one.end = end.clone());
            }
        }
    }
    // A line that a file keeps is shown only if it is still there.
    let is_shown =
        |name: &[String; 3], one: &Undone| name[1] != "entry" || matches!(one.end, End::Left(_) | End::Stuck(_));
    let settings = all.into_iter().filter(|(name, one)| is_shown(name, one)).map(|(_, one)| one).collect();
    Undoing { settings, differs }
}

/// Parses `now|number|kind|subject|was|new`.
fn item(line: &AnswerLine, cause: Cause) -> Option<([String; 3], Undone)> {
    let parts: Vec<&str> = line.text.split('|').collect();
    let [now, number, kind, subject, was, new] = parts[..] else { return None };
    let is_ours = now == new || kind == "qdisc" && new.split(' ').next() == Some(now);
    let end = if is_ours { End::Ours } else { End::Left(now.into()) };
    let undone = Undone { setting: setting(kind, subject), now: now.into(), was: was.into(), end, cause };
    Some(([number.into(), kind.into(), subject.into()], undone))
}

/// Returns the name of a setting that a person knows.
pub(super) fn setting(kind: &str, subject: &str) -> String {
    let first = |count: usize| subject.split(' ').take(count).collect::<Vec<_>>().join(" ");
    match kind {
        "file" => key(subject),
        "sysctl" => subject.to_owned(),
        "allowed" => key(&first(1)),
        "entry" => first(1),
        "mtu6" => format!("net.ipv6.conf.{subject}.mtu"),
        "qlen" => format!("txqueuelen {subject}"),
        "offload" => format!("offload {}", first(2)),
        "route" => match subject.split(' ').collect::<Vec<_>>()[..] {
            [family, prefix, attribute, ..] => format!("route -{family} {prefix} {attribute}"),
            _ => format!("route {subject}"),
        },
        _ => format!("{kind} {subject}"),
    }
}

/// Returns a file's name in sysctl(8).
fn key(path: &str) -> String {
    path.strip_prefix("/proc/sys/").map_or_else(|| path.to_owned(), |key| key.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::super::answer::lines;
    use super::*;

    #[test]
    fn each_setting_has_its_own_end() {
        let said = "recovered\t0\tT\nitem\t1\t1400|1|mtu|eth0|1500|1400\nitem\t1\t1400|1|mtu6|eth0|1480|1400\n\
                    back\t1\tmtu|eth0|1500\nstuck\t1\tmtu6|eth0|I/O error\ndiffers\t0\t-/proc/x:1480\ndiffers\t0\thint: curl x\nchange\t0\tU\n\
                    item\t1\t1|1|file|/proc/sys/net/ipv4/tcp_sack|0|1\nleft\t1\tfile|/proc/sys/net/ipv4/tcp_sack|2\n\
                    item\t1\t-|1|entry|/etc/sysctl.d/90-goodput.conf net.ipv4.tcp_sack|-|net.ipv4.tcp_sack = 1\n\
                    back\t1\tentry|/etc/sysctl.d/90-goodput.conf net.ipv4.tcp_sack|-\n";
        let Undoing { settings, differs } = read(&lines(said));
        let short: Vec<_> = settings.iter().map(|one| (one.setting.as_str(), &one.end, one.cause)).collect();
        let due = [
            ("mtu eth0", &End::PutBack, Cause::Interrupted),
            ("net.ipv6.conf.eth0.mtu", &End::Stuck("I/O error".into()), Cause::Interrupted),
            ("net.ipv4.tcp_sack", &End::Left("2".into()), Cause::Applied),
        ];
        assert_eq!(short, due);
        assert_eq!(differs, ["-/proc/x:1480"]);
    }
}
