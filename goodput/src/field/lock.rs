//! Locks a host for one goodput, with a folder there that is removed at the end.

use super::error::no_shell;
use super::ssh::{MAX_BANNER_LINES, MAX_LINE_BYTES};
use super::talk::{Silence, Talk};
use super::{FieldError, Reason, Shell, is_plain};
use std::time::{Duration, Instant};

/// A host locked against other goodputs. Lock and folder are removed on drop, or when the connection ends.
#[derive(Debug)]
pub struct Lock {
    talk: Talk,
    folder: String,
}

/// Time for the host to answer, and to remove both.
const LOCK_TIMEOUT: Duration = Duration::from_secs(30);
const RELEASE_TIMEOUT: Duration = Duration::from_secs(5);

impl Lock {
    /// Returns a folder there for goodput's files, in which programs can run if they can anywhere.
    pub fn folder(&self) -> &str {
        &self.folder
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.talk.end(RELEASE_TIMEOUT);
    }
}

impl Shell {
    /// Locks the host for this goodput.
    pub fn lock(&self) -> Result<Lock, FieldError> {
        let mut talk = self.talk(&["sh", "-s"])?;
        let until = Instant::now() + LOCK_TIMEOUT;
        // A process that reads nothing does not answer.
        let _ = talk.say(LOCK.as_bytes(), until);
        let target = self.target();
        let answer = match answered(&mut talk, until) {
            Ok(answer) => answer,
            Err(Silence::TimedOut) => return Err(FieldError::timed_out(target, LOCK_TIMEOUT)),
            Err(Silence::Interrupted) => return Err(FieldError::Interrupted),
            Err(Silence::Ended | Silence::TooLong) => {
                return Err(no_shell(target, &talk.end(RELEASE_TIMEOUT).1, false));
            }
        };
        if let Some(folder) = answer.strip_prefix("taken ").filter(|folder| is_plain(folder)) {
            return Ok(Lock { talk, folder: folder.to_owned() });
        }
        talk.end(RELEASE_TIMEOUT);
        let (target, said) = (target.clone(), Reason::Host(answer.clone()));
        Err(match answer.starts_with("process") || answer.starts_with("another user") {
            true => FieldError::Locked { target, holder: said },
            false => FieldError::Refused { target, doing: "taking the lock".into(), said },
        })
    }
}

/// Returns the host's answer, behind whatever its login shell prints.
fn answered(talk: &mut Talk, until: Instant) -> Result<String, Silence> {
    for _ in 0..MAX_BANNER_LINES {
        let line = talk.line(until, MAX_LINE_BYTES)?;
        if let Some(answer) = String::from_utf8_lossy(&line).strip_prefix(MARK) {
            return Ok(answer.trim().to_owned());
        }
    }
    Err(Silence::TooLong)
}

const MARK: &str = "goodput-lock:";

/// Script that creates a folder with mkdir(1), one for each network namespace, which contains the holding process's
/// number. The lock lasts until its input ends, so it ends with the connection; the lock of a dead process is taken
/// over.
const LOCK: &str = r#"{
umask 077
of=$(readlink /proc/self/ns/net 2>/dev/null | tr -cd 0-9)
first= found=
for at in /tmp /var/tmp /dev/shm "$HOME"; do
	try=$(mktemp -d "$at/goodput-try.XXXXXX" 2>/dev/null) || continue
	: "${first:=$at}"
	printf '#!/bin/sh\nexit 0\n' >"$try/run" && chmod 700 "$try/run" && "$try/run" 2>/dev/null
	runs=$?
	rm -rf "$try"
	[ $runs != 0 ] || { found=$at; break; }
done
at=${found:-$first}
[ -n "$at" ] || { echo "goodput-lock: no folder can be written to: /tmp, /var/tmp, /dev/shm and $HOME were tried"; exit 1; }
lock=$at/goodput-field-${of:-host}.lock
if ! mkdir "$lock" 2>/dev/null; then
	holder=$(cat "$lock/holder" 2>/dev/null) || { sleep 1; holder=$(cat "$lock/holder" 2>/dev/null); }
	if [ -n "$holder" ] && kill -0 "$holder" 2>/dev/null || [ -d "/proc/${holder:-none}" ]; then
		echo "goodput-lock: process $holder, $lock"; exit 1
	fi
	rm -rf "$lock" 2>/dev/null
	mkdir "$lock" 2>/dev/null || { echo "goodput-lock: another user has $lock"; exit 1; }
fi
trap 'rm -rf "$lock"' EXIT
trap 'exit 1' HUP INT TERM PIPE
echo $$ >"$lock/holder"
echo "goodput-lock: taken $lock"
cat >/dev/null
exit 0
}
"#;
