//! System calls: all that is unsafe in the agent.

use std::ffi::{CStr, CString, c_int, c_void};
use std::fs::{self, File};
use std::io::{Error, ErrorKind};
use std::mem::{size_of, zeroed};
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{ptr, thread};

/// The host's files, read-only, and above them what the guest has of its own.
pub fn mount_guest() -> Result<(), String> {
    fs::create_dir_all("/host").map_err(|e| format!("cannot make /host: {e}"))?;
    mount(c"none", c"/host", c"hostfs", libc::MS_RDONLY, c"/")?;
    mount(c"proc", c"/host/proc", c"proc", 0, c"")?;
    mount(c"tmpfs", c"/host/run", c"tmpfs", 0, c"")?;
    mount(c"tmpfs", c"/host/tmp", c"tmpfs", 0, c"")?;
    // SAFETY: a NUL-terminated path.
    check(unsafe { libc::chroot(c"/host".as_ptr()) }).map_err(|e| format!("cannot change root to /host: {e}"))?;
    std::env::set_current_dir("/").map_err(|e| format!("cannot enter the new root: {e}"))?;
    fs::create_dir_all(NAMESPACES).map_err(|e| format!("cannot make {NAMESPACES}: {e}"))?;
    let outside = File::open("/proc/thread-self/ns/net").map_err(|e| format!("no network namespaces: {e}"))?;
    OUTSIDE.set(outside).map_err(|_| "mounted twice".to_string())
}

fn mount(source: &CStr, target: &CStr, kind: &CStr, flags: libc::c_ulong, data: &CStr) -> Result<(), String> {
    // SAFETY: NUL-terminated strings; none of these file systems takes binary data.
    let result =
        unsafe { libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, data.as_ptr() as *const c_void) };
    check(result).map(drop).map_err(|e| format!("cannot mount {kind:?} on {target:?}: {e}"))
}

/// Ends the guest.
pub fn power_off() -> ! {
    // SAFETY: no memory is passed.
    unsafe { libc::reboot(libc::RB_POWER_OFF) };
    std::process::exit(1)
}

fn check(result: c_int) -> Result<c_int, Error> {
    if result < 0 { Err(Error::last_os_error()) } else { Ok(result) }
}

// ---- time ----

/// CLOCK_MONOTONIC, ns.
pub fn now() -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a valid timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut t) };
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// The next whole second of CLOCK_MONOTONIC that is at least 10 ms away, ns: whatever the set-up took, trials begin at
/// the same phase of the kernel's clocks.
pub fn next_second() -> u64 {
    (now() + 10_000_000).next_multiple_of(1_000_000_000)
}

/// Sleeps until `at` on CLOCK_MONOTONIC, ns.
pub fn sleep_until(at: u64) {
    let t = libc::timespec { tv_sec: (at / 1_000_000_000) as i64, tv_nsec: (at % 1_000_000_000) as i64 };
    // SAFETY: a valid timespec; the remaining time is not asked for.
    while unsafe { libc::clock_nanosleep(libc::CLOCK_MONOTONIC, libc::TIMER_ABSTIME, &t, ptr::null_mut()) }
        == libc::EINTR
    {}
}

// ---- namespaces ----

/// Where `ip` looks for namespaces by name (ip-netns(8)).
const NAMESPACES: &str = "/run/netns";

static OUTSIDE: std::sync::OnceLock<File> = std::sync::OnceLock::new();

/// Makes a network namespace that `ip` knows by `name`.
pub fn make_namespace(name: &str) -> Result<(), String> {
    let make = || {
        let path = format!("{NAMESPACES}/{name}");
        File::create(&path)?;
        let target = CString::new(path)?;
        // SAFETY: it only moves this thread into a new namespace.
        check(unsafe { libc::unshare(libc::CLONE_NEWNET) })?;
        // SAFETY: NUL-terminated strings; a bind mount takes neither type nor data.
        let result = unsafe {
            libc::mount(c"/proc/thread-self/ns/net".as_ptr(), target.as_ptr(), ptr::null(), libc::MS_BIND, ptr::null())
        };
        check(result).map(drop)
    };
    let made = make().map_err(|e: Error| format!("cannot make namespace {name}: {e}"));
    leave_namespace().and(made)
}

/// Moves this thread into a namespace for good.
pub fn enter_namespace(name: &str) -> Result<(), String> {
    let enter = || set_namespace(&File::open(format!("{NAMESPACES}/{name}"))?);
    enter().map_err(|e| format!("cannot enter namespace {name}: {e}"))
}

/// Runs `work` in a namespace, then returns this thread to where it was.
pub fn in_namespace<T>(name: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    enter_namespace(name)?;
    let result = work();
    leave_namespace()?;
    Ok(result)
}

/// Runs `work` in the machine's first namespace, on a thread of its own.
pub fn outside_namespaces<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    thread::scope(|scope| {
        let thread = scope.spawn(|| leave_namespace().map(|()| work()));
        thread.join().map_err(|_| "a thread panicked".to_string())?
    })
}

fn leave_namespace() -> Result<(), String> {
    let outside = OUTSIDE.get().ok_or("the first namespace is not known")?;
    set_namespace(outside).map_err(|e| format!("cannot return to the first namespace: {e}"))
}

fn set_namespace(namespace: &File) -> Result<(), Error> {
    // SAFETY: an open file descriptor.
    check(unsafe { libc::setns(namespace.as_raw_fd(), libc::CLONE_NEWNET) }).map(drop)
}

// ---- devices ----

/// include/uapi/linux/ethtool.h: ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO.
const SET_OFFLOADS: [u32; 3] = [0x1f, 0x24, 0x2c];

/// `ethtool -K DEVICE tso off gso off gro off`
pub fn offloads_off(device: &str) -> Result<(), Error> {
    let socket = Socket::new(libc::SOCK_DGRAM)?;
    for command in SET_OFFLOADS {
        let mut value = [command, 0];
        // SAFETY: ifreq is plain data.
        let mut request: libc::ifreq = unsafe { zeroed() };
        if device.len() >= request.ifr_name.len() {
            return Err(Error::new(ErrorKind::InvalidInput, "the name is too long"));
        }
        for (to, from) in request.ifr_name.iter_mut().zip(device.bytes()) {
            *to = from as libc::c_char;
        }
        request.ifr_ifru.ifru_data = value.as_mut_ptr().cast();
        // SAFETY: `request` names the device and points to an ethtool_value that outlives the call.
        check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCETHTOOL as _, &mut request) })?;
    }
    Ok(())
}

// ---- sockets ----

/// The signal that gets a thread out of a blocking call.
const INTERRUPT: c_int = libc::SIGUSR1;

fn install_interrupt() -> Result<(), Error> {
    extern "C" fn nothing(_: c_int) {}
    // SAFETY: sigaction is plain data; no SA_RESTART, so that the call returns.
    let mut action: libc::sigaction = unsafe { zeroed() };
    action.sa_sigaction = nothing as extern "C" fn(c_int) as usize;
    // SAFETY: a valid sigaction with a handler that does nothing.
    check(unsafe { libc::sigaction(INTERRUPT, &action, ptr::null_mut()) }).map(drop)
}

/// A socket of the thread's namespace.
pub struct Socket(OwnedFd);

impl AsRawFd for Socket {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

/// A buffer of a socket.
#[derive(Debug, Clone, Copy)]
pub enum Buffer {
    /// SO_SNDBUF
    Send,
    /// SO_RCVBUF
    Receive,
}

/// Passed to the kernel 256 times in one `sendmsg`: 16 MiB from 64 KiB, so the source costs no memory.
static ZEROS: [u8; 64 << 10] = [0; 64 << 10];
const PIECES: usize = 256;

impl Socket {
    fn new(kind: c_int) -> Result<Socket, Error> {
        // SAFETY: no memory is passed; the descriptor is ours alone.
        check(unsafe { libc::socket(libc::AF_INET, kind | libc::SOCK_CLOEXEC, 0) })
            .map(|fd| Socket(unsafe { OwnedFd::from_raw_fd(fd) }))
    }

    /// A TCP socket.
    pub fn tcp() -> Result<Socket, String> {
        Socket::new(libc::SOCK_STREAM).map_err(|e| format!("cannot make a socket: {e}"))
    }

    /// SO_SNDBUF or SO_RCVBUF; returns what to expect, since the kernel doubles it (socket(7)), and what the kernel has.
    pub fn set_buffer(&self, option: Buffer, bytes: u32) -> Result<(u32, u32), Error> {
        let number = match option {
            Buffer::Send => libc::SO_SNDBUF,
            Buffer::Receive => libc::SO_RCVBUF,
        };
        self.set_raw(libc::SOL_SOCKET, number, &(bytes as c_int))?;
        let mut got: c_int = 0;
        let mut length = size_of::<c_int>() as libc::socklen_t;
        // SAFETY: `got` has room for `length` bytes.
        check(unsafe {
            libc::getsockopt(self.as_raw_fd(), libc::SOL_SOCKET, number, ptr::from_mut(&mut got).cast(), &mut length)
        })?;
        Ok((bytes * 2, got as u32))
    }

    /// TCP_MAXSEG. Until it is connected a socket answers with a default (net/ipv4/tcp.c): read advmss of TCP_INFO.
    pub fn set_mss(&self, bytes: u32) -> Result<(), Error> {
        self.set_raw(libc::IPPROTO_TCP, libc::TCP_MAXSEG, &(bytes as c_int))
    }

    /// TCP_CONGESTION
    pub fn set_congestion_control(&self, name: &str) -> Result<(), Error> {
        // SAFETY: `name` is valid for its length.
        check(unsafe {
            libc::setsockopt(
                self.as_raw_fd(),
                libc::IPPROTO_TCP,
                libc::TCP_CONGESTION,
                name.as_ptr().cast(),
                name.len() as libc::socklen_t,
            )
        })
        .map(drop)
    }

    fn set_raw<T>(&self, level: c_int, option: c_int, value: &T) -> Result<(), Error> {
        let length = size_of::<T>() as libc::socklen_t;
        // SAFETY: `value` is valid for its size.
        check(unsafe { libc::setsockopt(self.as_raw_fd(), level, option, ptr::from_ref(value).cast(), length) })
            .map(drop)
    }

    /// Listens on a port of every address.
    pub fn listen(&self, port: u16) -> Result<(), String> {
        let address = address(Ipv4Addr::UNSPECIFIED, port);
        let listen = || {
            self.set_raw(libc::SOL_SOCKET, libc::SO_REUSEADDR, &1)?;
            // SAFETY: a valid sockaddr_in and its size.
            check(unsafe {
                libc::bind(self.as_raw_fd(), ptr::from_ref(&address).cast(), size_of_val(&address) as libc::socklen_t)
            })?;
            // SAFETY: no memory is passed.
            check(unsafe { libc::listen(self.as_raw_fd(), 1) })
        };
        listen().map(drop).map_err(|e: Error| format!("cannot listen on port {port}: {e}"))
    }

    /// The first connection.
    pub fn accept(&self) -> Result<Socket, String> {
        // SAFETY: the peer's address is not asked for; the descriptor is ours alone.
        check(unsafe { libc::accept4(self.as_raw_fd(), ptr::null_mut(), ptr::null_mut(), libc::SOCK_CLOEXEC) })
            .map(|fd| Socket(unsafe { OwnedFd::from_raw_fd(fd) }))
            .map_err(|e| format!("cannot accept: {e}"))
    }

    /// Connects, however long the handshake takes.
    pub fn connect(&self, to: Ipv4Addr, port: u16) -> Result<(), String> {
        let address = address(to, port);
        // SAFETY: a valid sockaddr_in and its size.
        check(unsafe {
            libc::connect(self.as_raw_fd(), ptr::from_ref(&address).cast(), size_of_val(&address) as libc::socklen_t)
        })
        .map(drop)
        .map_err(|e| format!("cannot connect to {to} port {port}: {e}"))
    }

    /// Reads and discards until the peer closes or resets.
    pub fn discard_all(&self) -> Result<(), String> {
        loop {
            // SAFETY: with MSG_TRUNC TCP discards the bytes and never writes to the buffer (tcp(7)).
            let n =
                unsafe { libc::recv(self.as_raw_fd(), ptr::null_mut(), 1 << 30, libc::MSG_TRUNC | libc::MSG_WAITALL) };
            match n {
                0 => return Ok(()),
                n if n > 0 => {}
                _ => match Error::last_os_error() {
                    e if e.kind() == ErrorKind::ConnectionReset => return Ok(()),
                    e if e.kind() == ErrorKind::Interrupted => {}
                    e => return Err(format!("cannot receive: {e}")),
                },
            }
        }
    }

    /// Sends exactly so many bytes.
    pub fn send_bytes(&self, bytes: u64) -> Result<(), String> {
        let mut left = bytes;
        while left > 0 {
            left -= self.send_some(left).map_err(|e| format!("cannot send: {e}"))?;
        }
        Ok(())
    }

    /// Sends as much as the connection takes until `deadline` (CLOCK_MONOTONIC, ns), then does `at_end`.
    ///
    /// This thread blocks in `sendmsg`, so nothing runs while packets move; a signal gets it out on time. SO_SNDTIMEO
    /// would do it to the jiffy only.
    pub fn send_until<T: Send>(&self, deadline: u64, at_end: impl FnOnce() -> T + Send) -> Result<T, String> {
        let over = AtomicBool::new(false);
        install_interrupt().map_err(|e| format!("cannot catch a signal: {e}"))?;
        // Should the signal come just before sendmsg, the flow still ends.
        let fallback =
            libc::timeval { tv_sec: (deadline.saturating_sub(now()) / 1_000_000_000) as i64 + 1, tv_usec: 0 };
        self.set_raw(libc::SOL_SOCKET, libc::SO_SNDTIMEO, &fallback).map_err(|e| format!("cannot send: {e}"))?;
        // SAFETY: it only names this thread, which outlives the scope below.
        let pump = unsafe { libc::pthread_self() };
        thread::scope(|scope| {
            let timer = scope.spawn(|| {
                sleep_until(deadline);
                let result = at_end();
                over.store(true, Ordering::Relaxed);
                // SAFETY: the pump waits for this thread, so it is there.
                unsafe { libc::pthread_kill(pump, INTERRUPT) };
                result
            });
            while !over.load(Ordering::Relaxed) {
                match self.send_some(u64::MAX) {
                    Err(e) if !matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {
                        return Err(format!("cannot send: {e}"));
                    }
                    _ => {}
                }
            }
            timer.join().map_err(|_| "the timer's thread panicked".into())
        })
    }

    fn send_some(&self, most: u64) -> Result<u64, Error> {
        let mut left = most;
        let mut pieces = Vec::with_capacity(PIECES);
        while pieces.len() < PIECES && left > 0 {
            let length = left.min(ZEROS.len() as u64);
            pieces.push(libc::iovec { iov_base: ZEROS.as_ptr() as *mut c_void, iov_len: length as usize });
            left -= length;
        }
        // SAFETY: msghdr is plain data.
        let mut message: libc::msghdr = unsafe { zeroed() };
        message.msg_iov = pieces.as_mut_ptr();
        message.msg_iovlen = pieces.len() as _;
        // SAFETY: every piece lies in ZEROS, which sendmsg only reads.
        let sent = unsafe { libc::sendmsg(self.as_raw_fd(), &message, libc::MSG_NOSIGNAL) };
        if sent < 0 { Err(Error::last_os_error()) } else { Ok(sent as u64) }
    }

    /// Says that no more will come, then waits for the peer to close.
    pub fn finish_and_wait(&self) -> Result<(), String> {
        // SAFETY: no memory is passed.
        check(unsafe { libc::shutdown(self.as_raw_fd(), libc::SHUT_WR) }).map_err(|e| format!("cannot finish: {e}"))?;
        self.discard_all()
    }

    /// Makes the coming close a reset: what was not delivered is given up.
    pub fn reset(&self) -> Result<(), String> {
        let linger = libc::linger { l_onoff: 1, l_linger: 0 };
        self.set_raw(libc::SOL_SOCKET, libc::SO_LINGER, &linger).map_err(|e| format!("cannot reset: {e}"))
    }
}

fn address(to: Ipv4Addr, port: u16) -> libc::sockaddr_in {
    libc::sockaddr_in {
        sin_family: libc::AF_INET as libc::sa_family_t,
        sin_port: port.to_be(),
        sin_addr: libc::in_addr { s_addr: u32::from(to).to_be() },
        sin_zero: [0; 8],
    }
}
