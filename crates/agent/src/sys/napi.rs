//! Settings of each NAPI instance of a device, over generic netlink (Documentation/netlink/specs/netdev.yaml).

use super::check;
use std::ffi::CString;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};

/// The family that lists all others (include/uapi/linux/genetlink.h).
const CONTROL: u16 = 16;
const GET_FAMILY: u8 = 3;
const FAMILY_ID: u16 = 1;
const FAMILY_NAME: u16 = 2;

/// include/uapi/linux/netdev.h: NETDEV_CMD_NAPI_GET and _SET, then attributes such as NETDEV_A_NAPI_IFINDEX.
const NAPI_GET: u8 = 11;
const NAPI_SET: u8 = 14;
const IFINDEX: u16 = 1;
const ID: u16 = 2;
const DEFER_HARD_IRQS: u16 = 5;
const GRO_FLUSH_TIMEOUT: u16 = 6;

/// include/uapi/linux/netlink.h
const NLMSG_ERROR: u16 = 2;
const NLMSG_DONE: u16 = 3;
const REQUEST_AND_ACK: u16 = 0x5;
const DUMP: u16 = 0x305;
/// Length of struct nlmsghdr, without and with struct genlmsghdr, bytes.
const HEADER: usize = 16;
const GENERIC_HEADER: usize = 20;

/// Makes Linux poll a device; returns the resulting `gro_flush_timeout`, ns, and `napi_defer_hard_irqs` of each NAPI
/// instance.
pub fn set_polling(device: &str, timeout: u32, defer: u32) -> Result<Vec<[u64; 2]>, Error> {
    let mut netlink = Netlink::open()?;
    let name = attribute(FAMILY_NAME, b"netdev\0");
    let families = netlink.ask(CONTROL, REQUEST_AND_ACK, GET_FAMILY, &name)?;
    let family = families.first().and_then(|family| number(family, FAMILY_ID)).ok_or(ErrorKind::Unsupported)? as u16;
    let of_device = attribute(IFINDEX, &index(device)?.to_ne_bytes());
    for napi in netlink.ask(family, DUMP, NAPI_GET, &of_device)? {
        let id = number(&napi, ID).ok_or(ErrorKind::InvalidData)? as u32;
        let set = [(ID, id), (DEFER_HARD_IRQS, defer), (GRO_FLUSH_TIMEOUT, timeout)];
        let set: Vec<u8> = set.iter().flat_map(|(kind, value)| attribute(*kind, &value.to_ne_bytes())).collect();
        netlink.ask(family, REQUEST_AND_ACK, NAPI_SET, &set)?;
    }
    let has = |napi: Vec<u8>| [GRO_FLUSH_TIMEOUT, DEFER_HARD_IRQS].map(|kind| number(&napi, kind).unwrap_or(0));
    Ok(netlink.ask(family, DUMP, NAPI_GET, &of_device)?.into_iter().map(has).collect())
}

fn index(device: &str) -> Result<u32, Error> {
    let name = CString::new(device)?;
    // SAFETY: a NUL-terminated string.
    match unsafe { libc::if_nametoindex(name.as_ptr()) } {
        0 => Err(Error::last_os_error()),
        index => Ok(index),
    }
}

/// A netlink socket of the thread's namespace; the kernel answers before a request returns.
struct Netlink(File);

impl Netlink {
    fn open() -> Result<Netlink, Error> {
        let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC;
        // SAFETY: no memory is passed; the descriptor is ours alone.
        check(unsafe { libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_GENERIC) })
            .map(|fd| Netlink(File::from(unsafe { OwnedFd::from_raw_fd(fd) })))
    }

    /// Sends a request; returns the attributes of each answer.
    fn ask(&mut self, family: u16, flags: u16, command: u8, attributes: &[u8]) -> Result<Vec<Vec<u8>>, Error> {
        let length = (GENERIC_HEADER + attributes.len()) as u32;
        let mut request = length.to_ne_bytes().to_vec();
        request.extend([family, flags].iter().flat_map(|half| half.to_ne_bytes()));
        request.extend([0; 8]);
        request.extend([command, 1, 0, 0]);
        request.extend(attributes);
        self.0.write_all(&request)?;
        let (mut answers, mut buffer) = (vec![], vec![0; 1 << 16]);
        loop {
            let length = self.0.read(&mut buffer)?;
            let mut rest = &buffer[..length];
            while let Some(header) = rest.first_chunk::<HEADER>() {
                let length = u32::from_ne_bytes([header[0], header[1], header[2], header[3]]) as usize;
                let message = rest.get(HEADER..length).ok_or(ErrorKind::InvalidData)?;
                match u16::from_ne_bytes([header[4], header[5]]) {
                    NLMSG_DONE => return Ok(answers),
                    NLMSG_ERROR => {
                        let error = message.first_chunk().map_or(0, |error| i32::from_ne_bytes(*error));
                        return if error == 0 { Ok(answers) } else { Err(Error::from_raw_os_error(-error)) };
                    }
                    _ => answers.push(message.get(GENERIC_HEADER - HEADER..).unwrap_or_default().to_vec()),
                }
                rest = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
            }
        }
    }
}

fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
    let mut bytes = [(4 + value.len()) as u16, kind].iter().flat_map(|half| half.to_ne_bytes()).collect::<Vec<u8>>();
    bytes.extend(value);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// Finds the number in an attribute of this kind, of any width.
fn number(mut attributes: &[u8], wanted: u16) -> Option<u64> {
    /// Mask of the kind, without NLA_F_NESTED and NLA_F_NET_BYTEORDER.
    const KIND: u16 = 0x3fff;
    while let Some([a, b, c, d]) = attributes.first_chunk::<4>() {
        let (length, kind) = (u16::from_ne_bytes([*a, *b]), u16::from_ne_bytes([*c, *d]) & KIND);
        let value = attributes.get(4..length.into())?;
        if kind == wanted {
            return Some(value.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)));
        }
        attributes = attributes.get(usize::from(length).next_multiple_of(4)..)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel's nla_put_uint packs numbers in 4 bytes if they fit, else in 8 (include/net/netlink.h).
    #[test]
    fn attributes_are_found_whatever_stands_before_them() {
        let all = [attribute(FAMILY_NAME, b"x\0"), attribute(6, &20_000u32.to_le_bytes()), attribute(7, &[1; 8])];
        let all = all.concat();
        assert_eq!(number(&all, 6), Some(20_000));
        assert_eq!(number(&all, 7), Some(0x0101_0101_0101_0101));
        assert_eq!((number(&all, 9), number(&all[..5], 2), number(&[0; 4], 1)), (None, None, None));
    }
}
