//! Tun devices: the program reads packets that the kernel sends and writes packets that the kernel receives
//! (Documentation/networking/tuntap.rst).

use super::check;
use std::ffi::c_int;
use std::fs::{File, Permissions};
use std::io::{Error, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Path and number of the tun device (Documentation/admin-guide/devices.txt).
pub const DEVICE: &str = "/dev/net/tun";
const NUMBER: (u32, u32) = (10, 200);
/// include/uapi/linux/if_tun.h: TUNSETIFF, TUNSETPERSIST; IFF_TUN | IFF_NO_PI.
const SET_INTERFACE: libc::c_ulong = 0x4004_54ca;
const SET_PERSISTENT: libc::c_ulong = 0x4004_54cb;
const FLAGS: u16 = 0x1001;

/// struct ifreq
#[repr(C)]
struct InterfaceRequest {
    name: [u8; libc::IFNAMSIZ],
    flags: u16,
    rest: [u8; 22],
}

/// An open device.
pub struct Tun(File);

/// Makes the file of all tun devices, unless it is there.
pub fn make_device() -> Result<(), Error> {
    if Path::new(DEVICE).exists() {
        return Ok(());
    }
    std::fs::create_dir_all("/dev/net")?;
    let (major, minor) = NUMBER;
    // SAFETY: a NUL-terminated path.
    check(unsafe { libc::mknod(c"/dev/net/tun".as_ptr(), libc::S_IFCHR | 0o666, libc::makedev(major, minor)) })?;
    std::fs::set_permissions(DEVICE, Permissions::from_mode(0o666))
}

/// Makes a device in the thread's namespace; it stays until the guest ends.
pub fn make_tun(device: &str) -> Result<(), Error> {
    let tun = Tun::open(device)?;
    let persistent: c_int = 1;
    // SAFETY: no memory is passed.
    check(unsafe { libc::ioctl(tun.0.as_raw_fd(), SET_PERSISTENT as _, persistent) }).map(drop)
}

impl Tun {
    /// Opens a device of the thread's namespace.
    pub fn open(device: &str) -> Result<Tun, Error> {
        make_device()?;
        let file = File::options().read(true).write(true).open(DEVICE)?;
        let mut request = InterfaceRequest { name: [0; libc::IFNAMSIZ], flags: FLAGS, rest: [0; 22] };
        if device.len() >= libc::IFNAMSIZ {
            return Err(Error::new(ErrorKind::InvalidInput, "the name is too long"));
        }
        request.name[..device.len()].copy_from_slice(device.as_bytes());
        // SAFETY: `request` is a struct ifreq, as TUNSETIFF takes it.
        check(unsafe { libc::ioctl(file.as_raw_fd(), SET_INTERFACE as _, &raw mut request) })?;
        Ok(Tun(file))
    }

    /// Reads the next packet; returns its length.
    pub fn read(&self, packet: &mut [u8]) -> Result<usize, Error> {
        (&self.0).read(packet)
    }

    /// Hands a packet to the kernel.
    pub fn write(&self, packet: &[u8]) -> Result<(), Error> {
        (&self.0).write(packet).map(drop)
    }
}
