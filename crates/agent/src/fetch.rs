//! Sends files that the user's commands wrote to the host, for the recording.

use crate::lab;
use std::fs::File;
use std::io::{Error, Read};
use std::os::unix::fs::OpenOptionsExt;
use wire::{Job, MOST_FETCHED, Message};

/// Bytes of a file in one message; hexadecimal doubles them, and a frame has room for that.
const PART_BYTES: usize = 1 << 20;

/// Sends every file that the job asks for.
pub fn send_all(job: &Job) -> Result<(), String> {
    let mut numbered = job.fetch.iter().zip(0..);
    numbered.try_for_each(|(path, file)| send(path, file).map_err(|what| format!("cannot fetch {path}: {what}")))
}

fn send(path: &str, number: u32) -> Result<(), String> {
    let said = |error: Error| error.to_string();
    // Opening a pipe would block until somebody writes to it; a symbolic link is not the requested file.
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let mut file = File::options().read(true).custom_flags(flags).open(path).map_err(said)?;
    let data = file.metadata().map_err(said)?;
    if !data.is_file() {
        return Err("it is no regular file".into());
    }
    if data.len() > MOST_FETCHED {
        return Err(format!("it has {} bytes, accepted: up to {MOST_FETCHED}", data.len()));
    }
    let mut left = data.len() as usize;
    loop {
        let mut bytes = vec![0; left.min(PART_BYTES)];
        file.read_exact(&mut bytes).map_err(said)?;
        left -= bytes.len();
        lab::tell(&Message::File { file: number, bytes });
        if left == 0 {
            return Ok(());
        }
    }
}

/// Sends a file that is in memory.
pub fn send_bytes(bytes: &[u8], number: u32) {
    bytes.chunks(PART_BYTES).for_each(|part| lab::tell(&Message::File { file: number, bytes: part.to_vec() }));
}
