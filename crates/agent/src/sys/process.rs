//! Processes of the user's commands.

use super::check;
use std::ffi::c_int;
use std::io::{Error, ErrorKind};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

/// Opens a file that becomes readable when a process has ended (pidfd_open(2)).
pub fn end_of_process(pid: u32) -> Result<OwnedFd, Error> {
    // SAFETY: no memory is passed; the descriptor is ours alone.
    check(unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) } as c_int).map(|fd| unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Waits until one of the files can be read, at most `patience` ms; returns the index of the first that can.
pub fn first_readable(files: &[BorrowedFd], patience: Option<u16>) -> Result<Option<usize>, Error> {
    let mut polled: Vec<libc::pollfd> = files
        .iter()
        .map(|file| libc::pollfd { fd: file.as_fd().as_raw_fd(), events: libc::POLLIN, revents: 0 })
        .collect();
    let patience = patience.map_or(-1, c_int::from);
    loop {
        // SAFETY: `polled` is valid for its length.
        match check(unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, patience) }) {
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            result => return result.map(|_| polled.iter().position(|file| file.revents != 0)),
        }
    }
}

/// Asks all processes of a group to end. A group that is gone already is no error.
pub fn end_group(leader: u32) {
    signal_group(leader, libc::SIGTERM);
}

/// Ends all processes of a group.
pub fn kill_group(leader: u32) {
    signal_group(leader, libc::SIGKILL);
}

fn signal_group(leader: u32, signal: c_int) {
    // SAFETY: no memory is passed.
    unsafe { libc::kill(-(leader as c_int), signal) };
}
