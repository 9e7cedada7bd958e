//! Offloads of a network device, as `ethtool` reads and sets them.

use super::{Socket, check};
use std::io::{Error, ErrorKind};
use std::mem::zeroed;
use std::os::fd::AsRawFd;

/// A feature of a device that makes or merges segments.
#[derive(Debug, Clone, Copy)]
pub enum Offload {
    /// TCP segmentation offload
    Tso,
    /// Generic segmentation offload
    Gso,
    /// Generic receive offload
    Gro,
}

impl Offload {
    /// Returns the commands that get and set the offload, such as ETHTOOL_GTSO and ETHTOOL_STSO
    /// (include/uapi/linux/ethtool.h).
    fn get_and_set(self) -> (u32, u32) {
        match self {
            Offload::Tso => (0x1e, 0x1f),
            Offload::Gso => (0x23, 0x24),
            Offload::Gro => (0x2b, 0x2c),
        }
    }
}

/// Does `ethtool -K DEVICE OFFLOAD on|off`; returns the state that `ethtool -k` then shows. A device that cannot change
/// the offload keeps its state.
pub fn set_offload(device: &str, offload: Offload, on: bool) -> Result<bool, Error> {
    let (get, set) = offload.get_and_set();
    match ethtool(device, set, u32::from(on)) {
        Err(e) if e.raw_os_error() != Some(libc::EOPNOTSUPP) => return Err(e),
        _ => {}
    }
    ethtool(device, get, 0).map(|value| value != 0)
}

fn ethtool(device: &str, command: u32, value: u32) -> Result<u32, Error> {
    let socket = Socket::new(libc::SOCK_DGRAM, 0)?;
    // struct ethtool_value
    let mut value = [command, value];
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
    Ok(value[1])
}
