//! Bulk data over TCP: a source of zeros and a sink, both without a copy.

use super::alarm::{Alarm, INTERRUPT, install_interrupt};
use super::{Socket, Stack, check, now, sleep_until};
use std::ffi::c_int;
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::{ptr, thread};

/// Most bytes that one `recv` discards.
const MAX_DISCARD_BYTES: u64 = 1 << 30;

impl Socket {
    /// Reads and discards until the peer closes. An alarm that rings first interrupts with an error.
    pub fn discard_all(&self, alarm: Option<&Alarm>) -> Result<(), Error> {
        loop {
            // The kernel module reads plain TCP sockets only.
            let read = match self.is_multipath() {
                true => self.discard(MAX_DISCARD_BYTES, libc::MSG_WAITALL),
                false => self.module(&format!("discard {}", self.as_raw_fd())).map(|_| 0),
            };
            match read {
                Ok(0) => return Ok(()),
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::Interrupted && !alarm.is_some_and(Alarm::rang) => {}
                Err(e) => return Err(e),
            }
        }
    }

    /// Reads and discards this many bytes, fewer if the alarm rings or the peer closes first; returns the number read.
    pub fn read(&self, bytes: u64, alarm: &Alarm) -> Result<u64, Error> {
        let mut left = bytes;
        while left > 0 {
            match self.discard(left.min(MAX_DISCARD_BYTES), libc::MSG_WAITALL) {
                Ok(0) => break,
                Ok(n) => left -= n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
            if left > 0 && alarm.rang() {
                break;
            }
        }
        Ok(bytes - left)
    }

    /// Waits for data and reads what has arrived; returns 0 if the peer has closed.
    pub fn read_into(&self, buffer: &mut [u8]) -> Result<usize, Error> {
        // SAFETY: `buffer` has room for its length.
        let n = unsafe { libc::recv(self.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len(), 0) };
        if n < 0 { Err(Error::last_os_error()) } else { Ok(n as usize) }
    }

    /// Waits for room in the send buffer and writes what fits; returns the number of bytes.
    pub fn write(&self, bytes: &[u8]) -> Result<usize, Error> {
        // SAFETY: `bytes` is valid for its length.
        let n = unsafe { libc::send(self.as_raw_fd(), bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) };
        if n < 0 { Err(Error::last_os_error()) } else { Ok(n as usize) }
    }

    /// Writes all of these bytes by one call of a program, fewer if the alarm rings first; returns the number written.
    pub fn write_whole(&self, bytes: &[u8], alarm: &Alarm) -> Result<u64, Error> {
        // FreeBSD's socket takes bytes from its own control file alone.
        if self.stack() == Stack::FreeBsd {
            return self.send(bytes.len() as u64, alarm);
        }
        let mut written = 0;
        while written < bytes.len() {
            match self.write(&bytes[written..]) {
                Ok(n) => written += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
            if written < bytes.len() && alarm.rang() {
                break;
            }
        }
        Ok(written as u64)
    }

    /// Reads and discards what has arrived, up to `most` bytes; returns the number read, 0 if the peer has closed.
    pub fn read_arrived(&self, most: u64) -> Result<u64, Error> {
        self.discard(most, libc::MSG_DONTWAIT)
    }

    fn discard(&self, bytes: u64, flags: c_int) -> Result<u64, Error> {
        // SAFETY: with MSG_TRUNC TCP discards the bytes and never writes to the buffer (tcp(7)).
        let n = unsafe { libc::recv(self.as_raw_fd(), ptr::null_mut(), bytes as usize, libc::MSG_TRUNC | flags) };
        if n < 0 { Err(Error::last_os_error()) } else { Ok(n as u64) }
    }

    /// Sends this many bytes, fewer if the alarm rings first; returns the number sent.
    pub fn send(&self, bytes: u64, alarm: &Alarm) -> Result<u64, Error> {
        let mut left = bytes;
        while left > 0 {
            match self.send_some(left) {
                Ok(n) => left -= n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
            if left > 0 && alarm.rang() {
                break;
            }
        }
        Ok(bytes - left)
    }

    /// Sends as much as the connection takes until `deadline` (CLOCK_MONOTONIC, ns), then calls `at_end` with the error
    /// that broke the connection, if any.
    ///
    /// The thread sleeps in the kernel module while packets move, and a signal interrupts it on time. SO_SNDTIMEO is
    /// only accurate to a jiffy.
    pub fn send_until<T: Send>(
        &self,
        deadline: u64,
        at_end: impl FnOnce(Option<Error>) -> T + Send,
    ) -> Result<T, String> {
        let over = AtomicBool::new(false);
        let broken = Mutex::new(None);
        install_interrupt().map_err(|e| format!("cannot catch a signal: {e}"))?;
        // The flow ends by this timeout if the signal comes just before the thread blocks.
        let fallback =
            libc::timeval { tv_sec: (deadline.saturating_sub(now()) / 1_000_000_000) as i64 + 1, tv_usec: 0 };
        self.set(libc::SOL_SOCKET, libc::SO_SNDTIMEO, &fallback).map_err(|e| format!("cannot send: {e}"))?;
        // SAFETY: it only names this thread, which outlives the scope below.
        let pump = unsafe { libc::pthread_self() };
        thread::scope(|scope| {
            let timer = thread::Builder::new().spawn_scoped(scope, || {
                sleep_until(deadline);
                let result = at_end(broken.lock().unwrap_or_else(PoisonError::into_inner).take());
                over.store(true, Ordering::Relaxed);
                // SAFETY: the pump waits for this thread, so it is there.
                unsafe { libc::pthread_kill(pump, INTERRUPT) };
                result
            });
            let timer = timer.map_err(|e| format!("cannot start a thread: {e}"))?;
            while !over.load(Ordering::Relaxed) {
                match self.send_some(u64::MAX) {
                    Err(e) if !matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {
                        *broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(e);
                        break;
                    }
                    _ => {}
                }
            }
            timer.join().map_err(|_| "the timer's thread panicked".into())
        })
    }

    /// Sends through the kernel module, from a page of its own, without a copy.
    fn send_some(&self, most: u64) -> Result<u64, Error> {
        self.module(&format!("send {} {most}", self.as_raw_fd()))
    }

    /// Gives the kernel module a command that blocks and returns like a call on this socket.
    fn module(&self, command: &str) -> Result<u64, Error> {
        let control = control(self.stack())?;
        // With write(2), threads would wait for each other, since it locks the file's position.
        // SAFETY: `command` is valid for its length.
        let result = unsafe { libc::pwrite(control.as_raw_fd(), command.as_ptr().cast(), command.len(), 0) };
        if result < 0 { Err(Error::last_os_error()) } else { Ok(result as u64) }
    }

    /// Closes the sending direction, then waits for the peer to close. An alarm that rings first interrupts with an
    /// error.
    pub fn finish_and_wait(&self, alarm: &Alarm) -> Result<(), Error> {
        // SAFETY: no memory is passed.
        check(unsafe { libc::shutdown(self.as_raw_fd(), libc::SHUT_WR) })?;
        self.discard_all(Some(alarm))
    }
}

/// Returns the file that takes a stack's commands (`kernel/module/goodput.c`, `kernel/freebsd/linux/control.c`), which
/// stays open.
fn control(stack: Stack) -> Result<&'static File, Error> {
    static LINUX: OnceLock<File> = OnceLock::new();
    static FREEBSD: OnceLock<File> = OnceLock::new();
    let (control, path) = match stack {
        Stack::Linux => (&LINUX, "/proc/goodput/control"),
        Stack::FreeBsd => (&FREEBSD, "/proc/goodput/freebsd"),
    };
    if let Some(open) = control.get() {
        return Ok(open);
    }
    let opened = File::options().write(true).open(path)?;
    Ok(control.get_or_init(|| opened))
}
