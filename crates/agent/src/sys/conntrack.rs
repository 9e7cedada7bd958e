//! NAT's connection table, over netlink (include/uapi/linux/netfilter/nfnetlink_conntrack.h).

use super::check;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};

/// NFNL_SUBSYS_CTNETLINK << 8 | IPCTNL_MSG_CT_DELETE: deletes all connections if the message names none.
const DELETE: u16 = 1 << 8 | 2;
/// include/uapi/linux/netlink.h: NLM_F_REQUEST | NLM_F_ACK
const REQUEST_AND_ACK: u16 = 0x5;
/// Length of struct nlmsghdr with struct nfgenmsg, bytes.
const LENGTH: u32 = 20;
/// Bytes of the error in the answer, struct nlmsgerr.
const ERROR: std::ops::Range<usize> = 16..20;

/// Deletes all mappings and connections of the thread's namespace.
pub fn forget_mappings() -> Result<(), Error> {
    let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC;
    // SAFETY: no memory is passed; the descriptor is ours alone.
    let mut netlink = check(unsafe { libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_NETFILTER) })
        .map(|fd| File::from(unsafe { OwnedFd::from_raw_fd(fd) }))?;
    let mut request = LENGTH.to_ne_bytes().to_vec();
    request.extend([DELETE, REQUEST_AND_ACK].iter().flat_map(|half| half.to_ne_bytes()));
    request.resize(LENGTH as usize, 0);
    netlink.write_all(&request)?;
    let mut answer = [0; 256];
    let length = netlink.read(&mut answer)?;
    let error = answer[..length].get(ERROR).and_then(|error| error.first_chunk()).ok_or(ErrorKind::InvalidData)?;
    match i32::from_ne_bytes(*error) {
        0 => Ok(()),
        error => Err(Error::from_raw_os_error(-error)),
    }
}
