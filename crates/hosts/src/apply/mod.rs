//! Makes changes of a host, confirms them over a new connection, and puts them back.
//!
//! The script of `host/` works on the host. It reads and keeps the current values, starts a watchdog, makes the
//! changes and reads them again. A second connection confirms them; until then the watchdog puts everything back if
//! goodput or the connection ends. A setting is put back only if it still has the value that was set.

mod answer;
pub mod effects;
mod freebsd;
mod item;
mod record;
pub mod trial;
mod undo;

pub use item::{Asked, Reach};
pub use undo::{Cause, End, Undoing, Undone, recover, undo};

use crate::login::{FieldError, PLACE, Shell};
use answer::{AnswerLine, find, find_text, lines};
use base::interrupt::{Section, interrupted};
use diagnosis::remedy::{At, Change, Remedy, word, word_freebsd};
use evidence::System;
use evidence::plain::{self, quoted};
use evidence::platform::{Platform, Version};
use evidence::unit::Wrong;
use serde::Serialize;
use std::ops::RangeInclusive;

const PROGRAM: &str = concat!(
    include_str!("host/settings.sh"),
    include_str!("host/route.sh"),
    include_str!("host/effects.sh"),
    include_str!("host/snapshot.sh"),
    include_str!("host/mend.sh"),
    include_str!("host/records.sh"),
    include_str!("host/watchdog.sh"),
    include_str!("host/change.sh")
);

/// Allowed lifetimes of an unconfirmed change, seconds.
pub const SECONDS: RangeInclusive<u64> = 2..=600;

/// A request to change a host.
#[derive(Debug, Clone)]
pub struct ApplyRequest {
    pub changes: Vec<Asked>,
    /// Time after which the watchdog puts back unconfirmed changes, seconds.
    pub seconds: u64,
    /// Whether the settings persist across reboots.
    pub keep: bool,
    /// Folder for the previous values on the host; the host's own choice if `None`.
    pub state: Option<String>,
}

/// A change and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Change as typed.
    pub change: String,
    /// Previous value.
    pub was: String,
    /// New value.
    pub new: String,
    /// AnswerLine that keeps it across reboots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<String>,
}

/// The final state of the changes of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Everything already had the new value.
    Nothing,
    /// Made and confirmed.
    Applied,
    /// Everything has its previous value.
    PutBack,
}

/// Unconfirmed changes of a host.
#[derive(Debug)]
pub struct Pending {
    /// Changes made.
    pub changed: Vec<Changed>,
    token: String,
    state: String,
    seconds: u64,
}

/// The reason why changes were not made.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ApplyError {
    #[error(transparent)]
    Field(#[from] FieldError),
    #[error("{what}\n\nhint: {hint}")]
    Refused { what: String, hint: String },
    #[error(
        "another goodput is changing this host (process {holder})\n\nhint: wait until it has ended; if it is killed, its watchdog puts everything back within its time limit"
    )]
    Busy { holder: String },
    #[error("{what}: {}\n\nhint: {hint}", plain::line(said))]
    Failed { what: &'static str, said: String, hint: &'static str },
    #[error(
        "the new connection that should confirm the change failed: {error}\n\nhint: everything is put back within {seconds} s; `goodput undo` shows what is left"
    )]
    CutOff { error: FieldError, seconds: u64 },
    #[error("interrupted; everything is as it was")]
    Interrupted,
}

/// Returns the changes that words stand for on a system, those with the smallest reach first.
pub fn asked(words: &[String], system: System) -> Result<Vec<Asked>, (String, Wrong)> {
    let typed = words.iter().zip(remedies(words, system)?);
    let mut all: Vec<Asked> = match system {
        System::Linux => typed.flat_map(|(_, remedy)| apart(remedy)).collect(),
        System::FreeBsd => typed.flat_map(|(word, remedy)| of_freebsd(word, &remedy)).collect(),
    };
    all.sort_by_key(Asked::reach);
    Ok(all)
}

/// Returns the changes that words stand for as remedies, in typed order.
pub fn remedies(words: &[String], system: System) -> Result<Vec<Remedy>, (String, Wrong)> {
    // No command of a typed change depends on the version.
    let platform = Platform { system, version: Version::OLDEST_HOST };
    let remedy = |word: &String| {
        let change = match system {
            System::Linux => word::parse(word),
            System::FreeBsd => word_freebsd::parse(word),
        };
        Ok(Remedy::new(change.map_err(|wrong| (word.clone(), wrong))?, At::Sender, &platform, ""))
    };
    words.iter().map(remedy).collect()
}

/// Returns the system that the words imply; Linux if they do not.
pub fn system_of(words: &[String]) -> System {
    let by_key = words.iter().find_map(|word| System::of_setting(word));
    by_key.unwrap_or_else(|| {
        let is_linux = words.iter().all(|word| word::parse(word).is_ok());
        match !is_linux && words.iter().all(|word| word_freebsd::parse(word).is_ok()) {
            true => System::FreeBsd,
            false => System::Linux,
        }
    })
}

/// Returns the system of a host.
pub fn system(shell: &Shell) -> Result<System, FieldError> {
    let said = shell.ask("reading its system", "uname -s")?;
    Ok(if said.trim() == "FreeBSD" { System::FreeBsd } else { System::Linux })
}

/// Splits offloads, which are changed one by one.
fn apart(remedy: Remedy) -> Vec<Asked> {
    let changes = match &remedy.change {
        Change::OffloadsOff { device, features } => {
            let one = |feature| Change::OffloadsOff { device: device.clone(), features: std::slice::from_ref(feature) };
            features.iter().map(one).collect()
        }
        change => vec![change.clone()],
    };
    let each = changes.into_iter().map(|change| Remedy { change, ..remedy.clone() });
    each.filter_map(|remedy| Asked::of_linux(remedy.word()?, remedy)).collect()
}

fn of_freebsd(word: &str, remedy: &Remedy) -> Vec<Asked> {
    let items = freebsd::items(word, remedy).unwrap_or_default();
    items.into_iter().map(|(word, item)| Asked { word, remedy: remedy.clone(), item }).collect()
}

/// Returns what goodput has a host's shell run: the program and a call of one of its functions. A shell that receives only part of it
/// runs none of it.
pub fn script(words: &[&str]) -> String {
    let call: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let names: Vec<&str> = word_freebsd::sysctls().collect();
    let program = format!("ITEM={}\nNAMES={}\n{PLACE}{PROGRAM}", quoted(&record::pattern()), quoted(&names.join(" ")));
    format!("LIB={}\n{{ eval \"$LIB\"; {}; }}\n", quoted(&program), call.join(" "))
}

fn ask(shell: &Shell, words: &[&str]) -> Result<Vec<AnswerLine>, FieldError> {
    Ok(lines(&shell.run(&script(words))?.stdout))
}

/// Makes the changes and leaves them unconfirmed; `None` if there was nothing to change.
pub fn begin(shell: &Shell, request: &ApplyRequest) -> Result<Option<Pending>, ApplyError> {
    let (state, seconds) = (request.state.clone().unwrap_or_default(), request.seconds.to_string());
    let items: Vec<[String; 3]> = request.changes.iter().map(|asked| asked.item.clone()).collect();
    let mut words = vec!["begin", &state, if request.keep { "1" } else { "0" }, &seconds];
    words.extend(items.iter().flatten().map(String::as_str));
    let answer = ask(shell, &words)?;
    refused(&answer, &request.changes)?;
    if find(&answer, "nothing").is_some() {
        return Ok(None);
    }
    let (Some(armed), Some(_)) = (find(&answer, "armed"), find(&answer, "changed")) else {
        return Err(failed("the host did not answer as it should", &answer));
    };
    let changed = |(number, asked): (usize, &Asked)| {
        let text = |word| find_text(&answer, word, number + 1).map(str::to_owned);
        let kept = text("keeps");
        let (was, new) = match (text("was"), text("new"), text("same")) {
            (Some(was), Some(new), _) => (was, new),
            (_, _, Some(same)) if kept.is_some() => (same.clone(), same),
            _ => return None,
        };
        Some(Changed { change: asked.word.clone(), was, new, kept })
    };
    let changed = request.changes.iter().enumerate().filter_map(changed).collect();
    Ok(Some(Pending { changed, token: armed.text.clone(), state, seconds: request.seconds }))
}

/// Returns an error with all refusals of the host.
fn refused(answer: &[AnswerLine], changes: &[Asked]) -> Result<(), ApplyError> {
    if let Some(line) = find(answer, "busy") {
        let holder = line.text.split(' ').next().unwrap_or_default().to_owned();
        return Err(ApplyError::Busy { holder: plain::line(&holder).into_owned() });
    }
    if let Some(line) = find(answer, "fail") {
        let hint = "goodput changes nothing while it cannot keep, safe from others, what is there";
        return Err(ApplyError::Failed { what: "nothing was changed", said: line.text.clone(), hint });
    }
    let all: Vec<String> = answer
        .iter()
        .filter(|line| ["refused", "lost"].contains(&line.word.as_str()))
        .filter_map(|line| {
            let word = &changes.get(line.change.checked_sub(1)?)?.word;
            let said = plain::line(&line.text);
            Some(match line.word.as_str() {
                "lost" => format!("{word}: the host kept {said}"),
                _ => format!("{word}: {said}"),
            })
        })
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    let stuck = not_as_before(answer);
    let advice: Vec<_> =
        answer.iter().filter(|line| line.word == "advice").map(|line| plain::line(&line.text)).collect();
    let hint = match () {
        () if all.iter().any(|one| one.ends_with("needs root")) => {
            "run it with sudo, or name a host that you are root on".into()
        }
        () if !stuck.is_empty() => format!("not all is as before: {}; see `goodput undo`", stuck.join("; ")),
        () if !advice.is_empty() => format!("nothing is changed; {}", advice.join("; ")),
        () => "nothing is changed; leave it out, or run it with --dry-run to see the plain commands".into(),
    };
    Err(ApplyError::Refused { what: all.join("\n"), hint })
}

/// Returns what is not as it was before a change that was put back.
fn not_as_before(answer: &[AnswerLine]) -> Vec<String> {
    let told = |line: &AnswerLine| {
        let mut parts = line.text.splitn(3, '|');
        match (line.word.as_str(), parts.next(), parts.next(), parts.next()) {
            ("left", Some(kind), Some(subject), Some(now)) => {
                Some(format!("{} is {now}", undo::setting(kind, subject)))
            }
            ("stuck", Some(kind), Some(subject), Some(why)) => Some(format!("{}: {why}", undo::setting(kind, subject))),
            ("differs", ..) => Some(line.text.clone()),
            _ => None,
        }
    };
    answer.iter().filter_map(told).map(|text| plain::line(&text).into_owned()).collect()
}

fn failed(what: &'static str, answer: &[AnswerLine]) -> ApplyError {
    let said = answer.last().map_or("no answer".into(), |line| format!("{} {}", line.word, line.text));
    ApplyError::Failed { what, said, hint: "everything is put back at the watchdog's time limit; run it again then" }
}

impl Pending {
    /// Returns the time without a sign of life after which the watchdog puts it back, seconds.
    pub fn seconds(&self) -> u64 {
        self.seconds
    }

    fn ask(&self, shell: &Shell, words: &[&str]) -> Result<Vec<AnswerLine>, FieldError> {
        let mut all = vec![words[0], &self.state, &self.token];
        all.extend(&words[1..]);
        ask(shell, &all)
    }

    /// Confirms the change over a new connection, which shows that the host can still be reached.
    pub fn confirm(self, shell: &Shell) -> Result<Outcome, ApplyError> {
        let cut_off = |error| ApplyError::CutOff { error, seconds: self.seconds };
        let answer = shell.anew().and_then(|anew| self.ask(&anew, &["confirm"])).map_err(cut_off)?;
        self.outcome(&answer)
    }

    /// Puts everything back at once.
    pub fn back(self, shell: &Shell) -> Result<Outcome, ApplyError> {
        let answer = self.ask(shell, &["back"])?;
        self.outcome(&answer)
    }

    fn outcome(&self, answer: &[AnswerLine]) -> Result<Outcome, ApplyError> {
        if let Some(unkept) = find(answer, "unkept") {
            let hint = "it holds until the next reboot; `goodput undo` puts it back";
            return Err(ApplyError::Failed { what: "not kept over a reboot", said: unkept.text.clone(), hint });
        }
        if find(answer, "confirmed").is_some() {
            return Ok(Outcome::Applied);
        }
        let left = not_as_before(answer);
        match (find(answer, "returned"), find(answer, "gone")) {
            (Some(_), _) if left.is_empty() => Ok(Outcome::PutBack),
            (Some(_), _) => {
                let hint = "what somebody else changed meanwhile is theirs; the host's log has all of it";
                Err(ApplyError::Failed { what: "put back, but for", said: left.join("; "), hint })
            }
            (None, Some(gone)) => {
                let hint = "the watchdog's time was over: run it again with a longer --within";
                Err(ApplyError::Failed { what: "put back by the watchdog", said: gone.text.clone(), hint })
            }
            (None, None) => Err(failed("the host did not answer as it should", answer)),
        }
    }
}

/// Makes the changes and confirms them; an interrupt puts everything back.
pub fn apply(shell: &Shell, request: &ApplyRequest) -> Result<(Vec<Changed>, Outcome), ApplyError> {
    let _section = Section::begin();
    let Some(pending) = begin(shell, request)? else { return Ok((vec![], Outcome::Nothing)) };
    if interrupted() {
        pending.back(shell)?;
        return Err(ApplyError::Interrupted);
    }
    let changed = pending.changed.clone();
    pending.confirm(shell).map(|outcome| (changed, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_with_the_narrowest_reach_come_first() {
        let words = ["net.ipv4.tcp_congestion_control=bbr", "mtu@eth0=1400", "route-congctl@192.0.2.7/32=bbr"];
        let all = asked(&words.map(str::to_owned), System::Linux).unwrap();
        let order: Vec<&str> = all.iter().map(|one| one.word.as_str()).collect();
        assert_eq!(order, [words[2], words[1], words[0]]);
    }

    #[test]
    fn a_script_that_is_cut_off_is_no_program() {
        let whole = script(&["begin", "", "0", "60", "mtu", "eth0", "1400"]);
        let is_program = |text: &str| {
            let mut shell = std::process::Command::new("sh");
            shell.args(["-n", "-c", text]).stderr(std::process::Stdio::null()).status().unwrap().success()
        };
        assert!(is_program(&whole));
        let end = whole.rfind("{ eval").unwrap();
        for cut in end + 1..whole.trim_end().len() {
            assert!(!is_program(&whole[..cut]), "{}", &whole[end..cut]);
        }
    }
}
