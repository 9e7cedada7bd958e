//! UDP and ICMP sockets.

use super::check;
use super::socket::SocketAddress;
use super::{Family, Socket, Stack};
use std::ffi::c_int;
use std::fs;
use std::io::{Error, ErrorKind};
use std::mem::zeroed;
use std::net::IpAddr;
use std::os::fd::AsRawFd;
use std::ptr;

/// Socket buffer, bytes: large enough never to limit a flow.
const BUFFER_BYTES: c_int = 64 << 20;

/// Datagrams taken in one system call (UIO_MAXIOV).
const BATCH_DATAGRAMS: usize = 1024;

/// The first bytes of a datagram.
pub type Head = [u8; 8];

impl Socket {
    /// Makes a UDP socket for a sender.
    pub fn udp(stack: Stack, family: Family) -> Result<Socket, Error> {
        let socket = Socket::open(stack, family, libc::SOCK_DGRAM, 0)?;
        socket.set(libc::SOL_SOCKET, libc::SO_SNDBUFFORCE, &BUFFER_BYTES)?;
        Ok(socket)
    }

    /// Makes a UDP socket that receives on a port of every address.
    pub fn udp_on(stack: Stack, family: Family, port: u16) -> Result<Socket, Error> {
        let socket = Socket::open(stack, family, libc::SOCK_DGRAM, 0)?;
        socket.set(libc::SOL_SOCKET, libc::SO_RCVBUFFORCE, &BUFFER_BYTES)?;
        socket.bind(port)?;
        Ok(socket)
    }

    /// Makes a socket that sends echo requests and receives their replies; the kernel writes their identifier and
    /// checksum. With a raw socket, Linux would count each reply as a packet without a socket.
    pub fn echo(stack: Stack, family: Family, identifier: u16) -> Result<Socket, Error> {
        if stack == Stack::Linux {
            // Group 0 may make ping sockets of both families in the thread's namespace (icmp(7)).
            fs::write("/proc/sys/net/ipv4/ping_group_range", "0 0")?;
        }
        let protocol = match family {
            Family::V4 => libc::IPPROTO_ICMP,
            Family::V6 => libc::IPPROTO_ICMPV6,
        };
        let socket = Socket::open(stack, family, libc::SOCK_DGRAM, protocol)?;
        socket.bind(identifier)?;
        Ok(socket)
    }

    /// Sends a datagram at once. True if the network took it; a full queue, a filter or a missing route is no error.
    pub fn send_to(&self, datagram: &[u8], to: IpAddr, port: u16) -> Result<bool, Error> {
        let address = SocketAddress::new(to, port);
        // SAFETY: `datagram` is valid for its length; a valid address and its size.
        let sent = unsafe {
            libc::sendto(
                self.as_raw_fd(),
                datagram.as_ptr().cast(),
                datagram.len(),
                libc::MSG_DONTWAIT,
                address.as_ptr(),
                address.length(),
            )
        };
        if sent >= 0 {
            return Ok(true);
        }
        let error = Error::last_os_error();
        let network = [libc::EAGAIN, libc::ENOBUFS, libc::EPERM, libc::ENETUNREACH, libc::EHOSTUNREACH, libc::ENETDOWN];
        if error.raw_os_error().is_some_and(|code| network.contains(&code)) { Ok(false) } else { Err(error) }
    }

    /// Waits for a datagram and writes its beginning to `buffer`; returns the length written.
    pub fn receive(&self, buffer: &mut [u8]) -> Result<usize, Error> {
        // SAFETY: `buffer` is valid for its length.
        let n = unsafe { libc::recv(self.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len(), 0) };
        if n < 0 { Err(Error::last_os_error()) } else { Ok(n as usize) }
    }

    /// Returns the heads of all datagrams that have arrived, except datagrams shorter than a head.
    pub fn drain(&self) -> Result<Vec<Head>, Error> {
        let mut all = vec![];
        let mut heads = [Head::default(); BATCH_DATAGRAMS];
        loop {
            let lengths = self.receive_batch(&mut heads)?;
            let whole = heads.iter().zip(&lengths).filter(|(head, length)| **length >= head.len());
            all.extend(whole.map(|(head, _)| *head));
            if lengths.len() < BATCH_DATAGRAMS {
                return Ok(all);
            }
        }
    }

    /// Fills `heads` with the beginnings of arrived datagrams; returns their lengths.
    fn receive_batch(&self, heads: &mut [Head; BATCH_DATAGRAMS]) -> Result<Vec<usize>, Error> {
        let mut pieces: Vec<libc::iovec> = heads
            .iter_mut()
            .map(|head| libc::iovec { iov_base: head.as_mut_ptr().cast(), iov_len: head.len() })
            .collect();
        let mut messages: Vec<libc::mmsghdr> = pieces
            .iter_mut()
            .map(|piece| {
                // SAFETY: mmsghdr is plain data.
                let mut message: libc::mmsghdr = unsafe { zeroed() };
                message.msg_hdr.msg_iov = piece;
                message.msg_hdr.msg_iovlen = 1;
                message
            })
            .collect();
        let flags = libc::MSG_DONTWAIT | libc::MSG_TRUNC;
        // SAFETY: each message names one piece, and each piece a head that is valid for its length.
        let received = check(unsafe {
            libc::recvmmsg(self.as_raw_fd(), messages.as_mut_ptr(), BATCH_DATAGRAMS as u32, flags, ptr::null_mut())
        });
        match received {
            Ok(n) => Ok(messages[..n as usize].iter().map(|message| message.msg_len as usize).collect()),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(vec![]),
            Err(e) => Err(e),
        }
    }
}
