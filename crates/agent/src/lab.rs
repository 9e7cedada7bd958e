//! The kernel module's files: reads the job, writes messages and commands.

use std::fs::{self, File};
use std::io::{Error, Read, Write};
use std::sync::OnceLock;
use wire::{Course, Job, Message, PROTOCOL, frame};

/// Reads the job from the host.
pub fn job() -> Result<Job, String> {
    tell(&Message::Hello { protocol: PROTOCOL });
    let text = fs::read("/proc/goodput/job").map_err(|e| format!("cannot read /proc/goodput/job: {e}"))?;
    let job: Job = serde_json::from_slice(&text).map_err(|e| format!("cannot parse the job: {e}"))?;
    if job.protocol == PROTOCOL {
        Ok(job)
    } else {
        Err(format!("the job is of protocol {}, the agent of protocol {PROTOCOL}", job.protocol))
    }
}

/// Sends a message to the host. Errors are ignored: the host notices when the stream ends early.
pub fn tell(message: &Message) {
    let json = serde_json::to_vec(message).unwrap_or_default();
    if let Some(mut emit) = emit() {
        let _ = emit.write_all(&frame::encode(frame::MESSAGE, &json));
    }
}

/// Returns the file for messages. It stays open, so the last message arrives even if no more files can be opened.
fn emit() -> Option<&'static File> {
    static EMIT: OnceLock<File> = OnceLock::new();
    if EMIT.get().is_none() {
        let _ = EMIT.set(File::options().write(true).open("/proc/goodput/emit").ok()?);
    }
    EMIT.get()
}

/// Gives FreeBSD's stack a command about the thread's namespace; returns its answer, which may be empty.
pub fn freebsd(command: &str) -> Result<String, Error> {
    let mut file = File::options().read(true).write(true).open("/proc/goodput/freebsd")?;
    file.write_all(command.as_bytes())?;
    let mut answer = String::new();
    file.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Lets a link follow a course, which the kernel module takes in one write.
pub fn follow(course: &Course) -> Result<(), String> {
    let refused = |what: String| format!("the kernel module refused what {} follows: {what}", course.device);
    let record = course.record().ok_or_else(|| refused("it is damaged".into()))?;
    let file = File::options().write(true).open("/proc/goodput/course");
    let written = file.and_then(|mut file| file.write(&record)).map_err(|e| refused(e.to_string()))?;
    if written == record.len() { Ok(()) } else { Err(refused(format!("it took {written} of {} bytes", record.len()))) }
}

/// Gives the kernel module a command.
pub fn control(command: &str) -> Result<(), String> {
    fs::write("/proc/goodput/control", command).map_err(|e| format!("the kernel module refused `{command}`: {e}"))
}
