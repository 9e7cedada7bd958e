//! Sockets, with their stacks, options and addresses.

use super::check;
use std::ffi::c_int;
use std::io::Error;
use std::mem::size_of;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::ptr;

/// A socket of the thread's namespace.
#[derive(Debug)]
pub struct Socket {
    fd: OwnedFd,
    stack: Stack,
    family: Family,
    /// Whether the socket uses MPTCP.
    multipath: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stack {
    /// The kernel's own stack.
    Linux,
    /// FreeBSD's stack (`kernel/freebsd`).
    FreeBsd,
}

impl Stack {
    pub fn for_kernel(is_freebsd: bool) -> Stack {
        if is_freebsd { Stack::FreeBsd } else { Stack::Linux }
    }

    /// Returns the socket family. FreeBSD's stack has an otherwise unused number (`kernel/freebsd/linux/family.c`), for
    /// IPv4 only.
    fn family(self, family: Family) -> c_int {
        match (self, family) {
            (Stack::Linux, Family::V4) => libc::AF_INET,
            (Stack::Linux, Family::V6) => libc::AF_INET6,
            (Stack::FreeBsd, _) => libc::AF_ASH,
        }
    }
}

/// IP version of a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// IPv4
    V4,
    /// IPv6
    V6,
}

impl Family {
    /// Returns the version of an address.
    pub fn from_address(address: IpAddr) -> Family {
        if address.is_ipv6() { Family::V6 } else { Family::V4 }
    }

    /// Returns the unspecified address of this version.
    fn any(self) -> IpAddr {
        match self {
            Family::V4 => Ipv4Addr::UNSPECIFIED.into(),
            Family::V6 => Ipv6Addr::UNSPECIFIED.into(),
        }
    }
}

impl AsRawFd for Socket {
    fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
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

/// include/uapi/linux/udp.h
const UDP_ENCAP: c_int = 100;
const UDP_ENCAP_ESPINUDP: c_int = 2;

impl Socket {
    pub(super) fn new(kind: c_int, protocol: c_int) -> Result<Socket, Error> {
        Socket::open(Stack::Linux, Family::V4, kind, protocol)
    }

    pub(super) fn open(stack: Stack, family: Family, kind: c_int, protocol: c_int) -> Result<Socket, Error> {
        // SAFETY: no memory is passed; the descriptor is ours alone.
        check(unsafe { libc::socket(stack.family(family), kind | libc::SOCK_CLOEXEC, protocol) }).map(|fd| Socket {
            fd: unsafe { OwnedFd::from_raw_fd(fd) },
            stack,
            family,
            multipath: protocol == libc::IPPROTO_MPTCP,
        })
    }

    pub fn tcp(stack: Stack, family: Family, multipath: bool) -> Result<Socket, String> {
        let protocol = if multipath { libc::IPPROTO_MPTCP } else { 0 };
        Socket::open(stack, family, libc::SOCK_STREAM, protocol).map_err(|e| format!("cannot make a socket: {e}"))
    }

    pub fn is_multipath(&self) -> bool {
        self.multipath
    }

    /// Makes the kernel take ESP in UDP on this port of the thread's namespace, until the guest ends.
    pub fn esp_in_udp(family: Family, port: u16) -> Result<(), Error> {
        let socket = Socket::open(Stack::Linux, family, libc::SOCK_DGRAM, 0)?;
        socket.bind(port)?;
        socket.set(libc::SOL_UDP, UDP_ENCAP, &UDP_ENCAP_ESPINUDP)?;
        // The kernel takes the packets as long as the socket is open.
        let _ = socket.fd.into_raw_fd();
        Ok(())
    }

    pub fn stack(&self) -> Stack {
        self.stack
    }

    /// Sets SO_SNDBUF or SO_RCVBUF; returns the expected value, since Linux doubles it (socket(7)), and the stack's
    /// actual one.
    pub fn set_buffer(&self, option: Buffer, bytes: u32) -> Result<(u32, u32), Error> {
        let number = match option {
            Buffer::Send => libc::SO_SNDBUF,
            Buffer::Receive => libc::SO_RCVBUF,
        };
        self.set(libc::SOL_SOCKET, number, &(bytes as c_int))?;
        let mut got: c_int = 0;
        let mut length = size_of::<c_int>() as libc::socklen_t;
        // SAFETY: `got` has room for `length` bytes.
        check(unsafe {
            libc::getsockopt(self.as_raw_fd(), libc::SOL_SOCKET, number, ptr::from_mut(&mut got).cast(), &mut length)
        })?;
        let expected = if self.stack == Stack::Linux { bytes * 2 } else { bytes };
        Ok((expected, got as u32))
    }

    /// Sets TCP_MAXSEG. An unconnected Linux socket reads back a default (net/ipv4/tcp.c); read advmss of TCP_INFO
    /// instead.
    pub fn set_mss(&self, bytes: u32) -> Result<(), Error> {
        self.set(libc::IPPROTO_TCP, libc::TCP_MAXSEG, &(bytes as c_int))
    }

    /// Sets TCP_NODELAY.
    pub fn send_at_once(&self) -> Result<(), Error> {
        let on: c_int = 1;
        self.set(libc::IPPROTO_TCP, libc::TCP_NODELAY, &on)
    }

    /// Sets SO_MAX_PACING_RATE; returns the kernel's value. Both are bytes per second (socket(7)).
    pub fn set_max_rate(&self, bytes_per_second: u64) -> Result<u64, Error> {
        self.set(libc::SOL_SOCKET, libc::SO_MAX_PACING_RATE, &bytes_per_second)?;
        let mut got: u64 = 0;
        let mut length = size_of::<u64>() as libc::socklen_t;
        let option = libc::SO_MAX_PACING_RATE;
        // SAFETY: `got` has room for `length` bytes.
        check(unsafe {
            libc::getsockopt(self.as_raw_fd(), libc::SOL_SOCKET, option, ptr::from_mut(&mut got).cast(), &mut length)
        })?;
        Ok(got)
    }

    /// Sets TCP_CONGESTION.
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

    /// Makes close(2) reset the connection: undelivered data are dropped.
    pub fn reset(&self) -> Result<(), String> {
        let linger = libc::linger { l_onoff: 1, l_linger: 0 };
        self.set(libc::SOL_SOCKET, libc::SO_LINGER, &linger).map_err(|e| format!("cannot reset: {e}"))
    }

    pub(super) fn set<T>(&self, level: c_int, option: c_int, value: &T) -> Result<(), Error> {
        let length = size_of::<T>() as libc::socklen_t;
        // SAFETY: `value` is valid for its size.
        check(unsafe { libc::setsockopt(self.as_raw_fd(), level, option, ptr::from_ref(value).cast(), length) })
            .map(drop)
    }

    /// Listens on a port of every address.
    pub fn listen(&self, port: u16) -> Result<(), String> {
        let listen = || {
            self.set(libc::SOL_SOCKET, libc::SO_REUSEADDR, &1)?;
            self.bind(port)?;
            // SAFETY: no memory is passed.
            check(unsafe { libc::listen(self.as_raw_fd(), 1) })
        };
        listen().map(drop).map_err(|e: Error| format!("cannot listen on port {port}: {e}"))
    }

    pub(super) fn bind(&self, port: u16) -> Result<(), Error> {
        let address = SocketAddress::new(self.family.any(), port);
        // SAFETY: a valid address and its size.
        check(unsafe { libc::bind(self.as_raw_fd(), address.as_ptr(), address.length()) }).map(drop)
    }

    /// Accepts the first connection.
    pub fn accept(&self) -> Result<Socket, String> {
        // SAFETY: the peer's address is not asked for; the descriptor is ours alone.
        check(unsafe { libc::accept4(self.as_raw_fd(), ptr::null_mut(), ptr::null_mut(), libc::SOCK_CLOEXEC) })
            .map(|fd| {
                let Socket { stack, family, multipath, .. } = *self;
                Socket { fd: unsafe { OwnedFd::from_raw_fd(fd) }, stack, family, multipath }
            })
            .map_err(|e| format!("cannot accept: {e}"))
    }

    /// Connects, however long the handshake takes, unless an alarm rings.
    pub fn connect(&self, to: IpAddr, port: u16) -> Result<(), Error> {
        let address = SocketAddress::new(to, port);
        // SAFETY: a valid address and its size.
        check(unsafe { libc::connect(self.as_raw_fd(), address.as_ptr(), address.length()) }).map(drop)
    }
}

/// An address and port as system calls take them.
pub(super) enum SocketAddress {
    V4(libc::sockaddr_in),
    V6(libc::sockaddr_in6),
}

impl SocketAddress {
    pub(super) fn new(to: IpAddr, port: u16) -> SocketAddress {
        match to {
            IpAddr::V4(to) => SocketAddress::V4(libc::sockaddr_in {
                sin_family: libc::AF_INET as libc::sa_family_t,
                sin_port: port.to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from(to).to_be() },
                sin_zero: [0; 8],
            }),
            IpAddr::V6(to) => SocketAddress::V6(libc::sockaddr_in6 {
                sin6_family: libc::AF_INET6 as libc::sa_family_t,
                sin6_port: port.to_be(),
                sin6_flowinfo: 0,
                sin6_addr: libc::in6_addr { s6_addr: to.octets() },
                sin6_scope_id: 0,
            }),
        }
    }

    pub(super) fn as_ptr(&self) -> *const libc::sockaddr {
        match self {
            SocketAddress::V4(address) => ptr::from_ref(address).cast(),
            SocketAddress::V6(address) => ptr::from_ref(address).cast(),
        }
    }

    pub(super) fn length(&self) -> libc::socklen_t {
        let size = match self {
            SocketAddress::V4(address) => size_of_val(address),
            SocketAddress::V6(address) => size_of_val(address),
        };
        size as libc::socklen_t
    }
}
