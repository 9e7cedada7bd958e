//! PPP over Ethernet, set up as pppd(8) does once both ends agree; nothing is negotiated.

use super::check;
use std::ffi::c_int;
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::mem::size_of;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::path::Path;

/// include/linux/socket.h, include/uapi/linux/if_pppox.h
const AF_PPPOX: c_int = 24;
const PX_PROTO_OE: u32 = 0;
/// include/uapi/linux/ppp-ioctl.h: PPPIOCGCHAN, PPPIOCATTCHAN, PPPIOCNEWUNIT and PPPIOCCONNECT.
const CHANNEL: libc::c_ulong = 0x8004_7437;
const ATTACH: libc::c_ulong = 0x4004_7438;
const NEW_UNIT: libc::c_ulong = 0xc004_743e;
const CONNECT: libc::c_ulong = 0x4004_743a;
/// Path and major number of the PPP device (Documentation/admin-guide/devices.txt).
const DEVICE: &str = "/dev/ppp";
const MAJOR: u32 = 108;

/// struct sockaddr_pppox for PPPoE.
#[repr(C, packed)]
struct Address {
    family: u16,
    protocol: u32,
    session: [u8; 2],
    peer: [u8; 6],
    device: [u8; libc::IFNAMSIZ],
}

/// Begins a session with a MAC address over a device of the thread's namespace; it stays until the guest ends.
pub fn begin(device: &str, session: u16, peer: &str) -> Result<(), Error> {
    let mut address = Address {
        family: AF_PPPOX as u16,
        protocol: PX_PROTO_OE,
        session: session.to_be_bytes(),
        peer: [0; 6],
        device: [0; libc::IFNAMSIZ],
    };
    let bytes: Vec<u8> = peer.split(':').filter_map(|byte| u8::from_str_radix(byte, 16).ok()).collect();
    address.peer = bytes.try_into().map_err(|_| Error::new(ErrorKind::InvalidInput, "no MAC address"))?;
    if device.len() >= libc::IFNAMSIZ {
        return Err(Error::new(ErrorKind::InvalidInput, "the name is too long"));
    }
    address.device[..device.len()].copy_from_slice(device.as_bytes());
    // SAFETY: no memory is passed; the descriptor is ours alone.
    let socket = check(unsafe { libc::socket(AF_PPPOX, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, PX_PROTO_OE as c_int) })
        .map(|fd| unsafe { OwnedFd::from_raw_fd(fd) })?;
    let length = size_of::<Address>() as libc::socklen_t;
    // SAFETY: a valid address and its size.
    check(unsafe { libc::connect(socket.as_raw_fd(), std::ptr::from_ref(&address).cast(), length) })?;
    let mut channel = 0;
    ioctl(&socket, CHANNEL, &mut channel)?;
    let attached = open()?;
    ioctl(&attached, ATTACH, &mut channel)?;
    let (unit, mut number) = (open()?, -1);
    ioctl(&unit, NEW_UNIT, &mut number)?;
    ioctl(&attached, CONNECT, &mut number)?;
    // The files stay open: the kernel ends the session when any of them is closed.
    for open in [socket, attached, unit] {
        let _ = open.into_raw_fd();
    }
    Ok(())
}

fn open() -> Result<OwnedFd, Error> {
    if !Path::new(DEVICE).exists() {
        // SAFETY: a NUL-terminated path.
        check(unsafe { libc::mknod(c"/dev/ppp".as_ptr(), libc::S_IFCHR | 0o600, libc::makedev(MAJOR, 0)) })?;
    }
    File::options().read(true).write(true).open(DEVICE).map(OwnedFd::from)
}

fn ioctl(fd: &OwnedFd, request: libc::c_ulong, number: &mut c_int) -> Result<(), Error> {
    // SAFETY: `number` is an int, as each of these takes.
    check(unsafe { libc::ioctl(fd.as_raw_fd(), request as _, number) }).map(drop)
}
