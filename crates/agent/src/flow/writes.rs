//! A program's calls of write(2): a message or a stream in parts, with pauses.

use crate::sys::{self, Alarm, Socket};
use std::io::Error;
use wire::Writes;

/// Writes this many bytes in parts, with a pause between two of them, until a time (CLOCK_MONOTONIC, ns) at the latest.
/// The alarm interrupts a write that waits for room. Returns the number of bytes written.
pub fn write_in_parts(
    socket: &Socket,
    bytes: u64,
    (writes, until): (Writes, u64),
    alarm: &Alarm,
) -> Result<u64, Error> {
    let part = vec![0; writes.bytes.min(bytes) as usize];
    let mut written = 0;
    while written < bytes {
        let due = writes.bytes.min(bytes - written);
        let taken = socket.write_whole(&part[..due as usize], alarm)?;
        written += taken;
        if taken < due || written == bytes {
            break;
        }
        if writes.pause > 0 {
            sys::sleep_until(sys::now().saturating_add(writes.pause).min(until));
        }
        if sys::now() >= until {
            break;
        }
    }
    Ok(written)
}
