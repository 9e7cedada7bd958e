//! Locks a host for one goodput, with a folder there that is removed at the end.

use super::error::no_shell;
use super::{FieldError, Shell, left};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// A host locked against other goodputs. Lock and folder are removed on drop, or when the connection ends.
#[derive(Debug)]
pub struct Lock {
    process: Child,
    input: Option<ChildStdin>,
    folder: String,
}

/// Time for the host to remove both.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(5);

impl Lock {
    /// Returns a folder there for goodput's files, in which programs can run if they can anywhere.
    pub fn folder(&self) -> &str {
        &self.folder
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        left(&mut self.process, self.input.take(), RELEASE_TIMEOUT);
    }
}

/// Time for a host to take the lock: it makes a few folders.
const LOCK_TIMEOUT: Duration = Duration::from_secs(20);

/// Time for the output of a process that has ended.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);

impl Shell {
    /// Locks the host for this goodput.
    pub fn lock(&self) -> Result<Lock, FieldError> {
        let mut process = self.start(self.command(&["sh", "-s"]))?;
        let mut input = process.stdin.take();
        // A process that reads nothing does not answer.
        let _ = input.as_mut().map(|input| input.write_all(script().as_bytes()).and_then(|()| input.flush()));
        let output = process.stdout.take().map(|from| in_background(from, answer));
        let errors = process.stderr.take().map(|from| in_background(from, text));
        let answered = output.map(|output| output.recv_timeout(LOCK_TIMEOUT));
        if let Some(Ok(Some(answer))) = &answered
            && let Some(folder) = answer.strip_prefix("taken ")
        {
            return Ok(Lock { process, input, folder: folder.to_owned() });
        }
        left(&mut process, input, RELEASE_TIMEOUT);
        let target = self.target().clone();
        Err(match answered {
            Some(Err(RecvTimeoutError::Timeout)) => FieldError::TimedOut { target, seconds: LOCK_TIMEOUT.as_secs() },
            Some(Ok(Some(holder))) if holder.starts_with("process") => FieldError::Locked { target, holder },
            Some(Ok(Some(said))) => FieldError::Refused { target, doing: "taking the lock".into(), said },
            _ => {
                let said = errors.and_then(|errors| errors.recv_timeout(DRAIN_TIMEOUT).ok()).unwrap_or_default();
                no_shell(&target, &said, false)
            }
        })
    }
}

/// Reads a stream while others wait for it no longer than they want.
fn in_background<R: Read + Send + 'static, T: Send + 'static>(
    from: R,
    read: impl FnOnce(R) -> T + Send + 'static,
) -> Receiver<T> {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(read(from)));
    receiver
}

/// The answer of the script, after whatever a login shell printed.
fn answer(from: impl Read) -> Option<String> {
    let mut lines = BufReader::new(from.take(MAX_BANNER_BYTES)).lines().map_while(Result::ok);
    lines.find_map(|line| line.strip_prefix(MARK).map(|answer| answer.trim().to_owned()))
}

fn text(from: impl Read) -> String {
    let mut said = String::new();
    let _ = from.take(MAX_BANNER_BYTES).read_to_string(&mut said);
    said
}

/// Longest output of a login shell before the answer, bytes.
const MAX_BANNER_BYTES: u64 = 1 << 20;

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
        assert!(!holder.contains(", /tmp/"), "{holder}");
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
