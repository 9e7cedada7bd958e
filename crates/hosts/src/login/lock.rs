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
const LOCK_TIMEOUT: Duration = Duration::from_secs(20);
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
        let _ = talk.say(script().as_bytes(), until);
        let target = self.target();
        let answer = match answered(&mut talk, until) {
            Ok(answer) => answer,
            Err(silence) => {
                let said = talk.end(RELEASE_TIMEOUT).1;
                return Err(match silence {
                    Silence::TimedOut => FieldError::timed_out(target, LOCK_TIMEOUT),
                    Silence::Interrupted => FieldError::Interrupted,
                    Silence::Ended | Silence::TooLong => no_shell(target, &said, false),
                });
            }
        };
        if let Some(folder) = answer.strip_prefix("taken ").filter(|folder| is_plain(folder)) {
            return Ok(Lock { talk, folder: folder.to_owned() });
        }
        talk.end(RELEASE_TIMEOUT);
        let (target, said) = (target.clone(), Reason::Host(answer.clone()));
        Err(match answer.starts_with("process") || answer.starts_with("another goodput") {
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

/// Functions that check whose folders are.
pub const PLACE: &str = include_str!("place.sh");

/// Returns the script; a shell that receives only part of it runs none of it.
fn script() -> String {
    format!("{{\n{PLACE}{LOCK}}}\n")
}

/// Locks with mkdir(1), one for each network namespace, in a folder that no other user can write to, and makes a folder with a
/// name by lot for programs. The lock has number and start of the holding process; that of a dead process is taken over. Both
/// last until the script's input ends, so they end with the connection.
const LOCK: &str = r#"
umask 077
of=$(readlink /proc/self/ns/net 2>/dev/null | tr -cd 0-9)
began() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }
first= found=
for at in /tmp /var/tmp /dev/shm "${HOME-}"; do
	case $at in *[!A-Za-z0-9/._+:@-]*) continue ;; esac
	try=$(mktemp -d "$at/goodput-field.XXXXXX" 2>/dev/null) || continue
	: "${first:=$at}"
	printf '#!/bin/sh\nexit 0\n' >"$try/run" && chmod 700 "$try/run" && "$try/run" 2>/dev/null
	runs=$?
	rm -rf "$try"
	[ $runs != 0 ] || { found=$at; break; }
done
at=${found:-$first}
[ -n "$at" ] || { echo "goodput-lock: no folder can be written to: /tmp, /var/tmp, /dev/shm and ${HOME-} were tried"; exit 1; }
[ "$OWN" != 0 ] || { XDG_RUNTIME_DIR=/run; [ -d /run ] || XDG_RUNTIME_DIR=/var/run; }
safe= error=
for place in "${XDG_RUNTIME_DIR:-/run/user/$OWN}" "${HOME:+$HOME/.local/state}"; do
	case $place in
	/*) mkdir -p "$place/goodput" 2>/dev/null && is_safe_folder "$place/goodput" && { safe=$place/goodput; break; } ;;
	esac
done
[ -n "$safe" ] || { echo "goodput-lock: there is no safe place for a lock: ${error:-neither a folder of this user in /run, nor HOME}"; exit 1; }
lock=$safe/field-${of:-host}.lock
if ! mkdir "$lock" 2>/dev/null; then
	holder=$(cat "$lock/holder" 2>/dev/null) || { sleep 1; holder=$(cat "$lock/holder" 2>/dev/null); }
	pid=${holder%% *}
	if [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && [ "$(began "$pid")" = "${holder#* }" ]; then
		echo "goodput-lock: process $pid, $lock"; exit 1
	fi
	rm -rf "$lock" 2>/dev/null
	mkdir "$lock" 2>/dev/null || { echo "goodput-lock: another goodput has just taken $lock"; exit 1; }
fi
folder=
trap 'rm -rf "$lock" ${folder:+"$folder"}' EXIT
trap 'exit 1' HUP INT TERM PIPE
echo "$$ $(began $$)" >"$lock/holder"
folder=$(mktemp -d "$at/goodput-field.XXXXXX") || { echo "goodput-lock: $at cannot be written to"; exit 1; }
echo "goodput-lock: taken $folder"
cat >/dev/null
exit 0
"#;

#[cfg(test)]
mod tests {
    use super::super::{Ssh, Target};
    use super::*;
    use std::process::{Command, Stdio};

    fn shell() -> Shell {
        Shell::open(&Target::Local, &Ssh::default()).unwrap()
    }

    /// A folder in /tmp, which any user can make, had been the lock.
    #[test]
    fn a_lock_is_where_no_other_user_can_hold_it() {
        let lock = shell().lock().unwrap();
        let Err(FieldError::Locked { holder, .. }) = shell().lock() else { panic!("it is locked twice") };
        assert!(!holder.to_string().contains(", /tmp/"), "{holder}");
        let folder = lock.folder().to_owned();
        drop(lock);
        assert!(!std::path::Path::new(&folder).exists());
        drop(shell().lock().unwrap());
    }

    #[test]
    fn a_script_that_is_cut_off_is_no_program() {
        let whole = script();
        for cut in (1..whole.trim_end().len()).step_by(7) {
            let parsed = Command::new("sh").args(["-n", "-c", &whole[..cut]]).stderr(Stdio::null()).status();
            assert!(!parsed.unwrap().success(), "{}", &whole[..cut]);
        }
    }
}
