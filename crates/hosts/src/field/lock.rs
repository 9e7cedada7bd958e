//! Locks a host for one goodput, with a folder there that is removed at the end.

use super::error::no_shell;
use super::{FieldError, Shell, left};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin};
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

impl Shell {
    /// Locks the host for this goodput.
    pub fn lock(&self) -> Result<Lock, FieldError> {
        let mut process = self.start(self.command(&["sh", "-s"]))?;
        let mut input = process.stdin.take();
        // A process that reads nothing does not answer.
        let _ = input.as_mut().map(|input| input.write_all(LOCK.as_bytes()).and_then(|()| input.flush()));
        let output = process.stdout.take();
        let mut lines = output
            .into_iter()
            .flat_map(|output| BufReader::new(output.take(MAX_BANNER_BYTES)).lines())
            .map_while(Result::ok);
        let answer = lines.find_map(|line| line.strip_prefix(MARK).map(|answer| answer.trim().to_owned()));
        let Some(answer) = answer else {
            drop(input);
            let _ = process.wait();
            let mut said = String::new();
            let _ = process.stderr.take().map(|errors| errors.take(MAX_BANNER_BYTES).read_to_string(&mut said));
            return Err(no_shell(self.target(), &said, false));
        };
        match answer.strip_prefix("taken ") {
            Some(folder) => Ok(Lock { process, input, folder: folder.to_owned() }),
            None => {
                drop(input);
                let _ = process.wait();
                let target = self.target().clone();
                Err(match answer.starts_with("process") || answer.starts_with("another user") {
                    true => FieldError::Locked { target, holder: answer },
                    false => FieldError::Refused { target, doing: "taking the lock".into(), said: answer },
                })
            }
        }
    }
}

/// Longest output of a login shell before the answer, bytes.
const MAX_BANNER_BYTES: u64 = 1 << 20;

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
