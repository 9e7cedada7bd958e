//! Packet sockets with a ring that the kernel fills (Documentation/networking/packet_mmap.rst).
//!
//! The ring is read once, when the trial is over, so that a capture takes no virtual time and changes nothing.

use super::check;
use std::ffi::{CStr, c_int, c_void};
use std::io::Error;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr;
use wire::{CAPTURE_PACKETS, CAPTURE_RING, CAPTURE_SLOT};

/// Memory that the kernel allocates in one piece, bytes.
const BLOCK: u32 = 1 << 18;
/// Bytes of a packet that are kept, from its IP header on: with options, the largest headers of TCP over IPv4 have 120.
const SNAP: usize = 160;

/// A tap of all devices of a namespace.
pub struct Tap {
    socket: OwnedFd,
    ring: *mut c_void,
}

/// A captured packet, without its link header.
pub struct Captured<'a> {
    /// CLOCK_REALTIME, ns.
    pub time: u64,
    /// Its device.
    pub interface: u32,
    /// The device's ARPHRD type.
    pub hardware: u16,
    /// PACKET_HOST, PACKET_OUTGOING and so on (packet(7)).
    pub direction: u8,
    /// EtherType.
    pub protocol: u16,
    /// Link-layer address of the sender.
    pub address: &'a [u8],
    /// The first bytes from the network header on.
    pub data: &'a [u8],
    /// Length from the network header on, bytes.
    pub length: u32,
}

impl Tap {
    /// Begins to capture in the thread's namespace.
    pub fn open() -> Result<Tap, Error> {
        let all = (libc::ETH_P_ALL as u16).to_be();
        // Protocol 0: no packet comes before the ring is there.
        // SAFETY: no memory is passed; the descriptor is ours alone.
        let socket = unsafe {
            let fd = check(libc::socket(libc::AF_PACKET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0))?;
            OwnedFd::from_raw_fd(fd)
        };
        set(&socket, libc::PACKET_VERSION, &(libc::tpacket_versions::TPACKET_V2 as c_int))?;
        let request = libc::tpacket_req {
            tp_block_size: BLOCK,
            tp_block_nr: (CAPTURE_RING / u64::from(BLOCK)) as u32,
            tp_frame_size: CAPTURE_SLOT as u32,
            tp_frame_nr: CAPTURE_PACKETS as u32,
        };
        set(&socket, libc::PACKET_RX_RING, &request)?;
        let flags = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping of the ring.
        let ring = unsafe {
            libc::mmap(ptr::null_mut(), CAPTURE_RING as usize, flags, libc::MAP_SHARED, socket.as_raw_fd(), 0)
        };
        if ring == libc::MAP_FAILED {
            return Err(Error::last_os_error());
        }
        // SAFETY: sockaddr_ll is plain data.
        let mut address: libc::sockaddr_ll = unsafe { zeroed() };
        address.sll_family = libc::AF_PACKET as u16;
        address.sll_protocol = all;
        let length = size_of::<libc::sockaddr_ll>() as libc::socklen_t;
        // SAFETY: a valid address and its size.
        check(unsafe { libc::bind(socket.as_raw_fd(), ptr::from_ref(&address).cast(), length) })?;
        Ok(Tap { socket, ring })
    }

    /// Hands over every packet of the ring in order; returns the number of those that it had no room for.
    pub fn read(&self, mut take: impl FnMut(Captured)) -> Result<u32, Error> {
        for slot in 0..CAPTURE_PACKETS {
            // SAFETY: the slot lies in the mapping, and the kernel writes no slot again whose status it has set.
            let slot = unsafe {
                let start = self.ring.cast::<u8>().add((slot * CAPTURE_SLOT) as usize);
                if start.cast::<u32>().read_volatile() & libc::TP_STATUS_USER == 0 {
                    break;
                }
                std::slice::from_raw_parts(start, CAPTURE_SLOT as usize)
            };
            take(packet(slot));
        }
        self.missed()
    }

    fn missed(&self) -> Result<u32, Error> {
        let mut got = libc::tpacket_stats { tp_packets: 0, tp_drops: 0 };
        let mut length = size_of::<libc::tpacket_stats>() as libc::socklen_t;
        // SAFETY: `got` has room for `length` bytes.
        check(unsafe {
            let (level, option) = (libc::SOL_PACKET, libc::PACKET_STATISTICS);
            libc::getsockopt(self.socket.as_raw_fd(), level, option, ptr::from_mut(&mut got).cast(), &mut length)
        })?;
        Ok(got.tp_drops)
    }
}

fn set<T>(socket: &OwnedFd, option: c_int, value: &T) -> Result<(), Error> {
    let length = size_of::<T>() as libc::socklen_t;
    // SAFETY: `value` is valid for its size.
    let set =
        unsafe { libc::setsockopt(socket.as_raw_fd(), libc::SOL_PACKET, option, ptr::from_ref(value).cast(), length) };
    check(set).map(drop)
}

/// Place of struct sockaddr_ll in a slot: TPACKET_ALIGN(sizeof(struct tpacket2_hdr)).
const ADDRESS: usize = 32;

/// Reads a slot: struct tpacket2_hdr, struct sockaddr_ll, then at tp_net the packet (include/uapi/linux/if_packet.h).
fn packet(slot: &[u8]) -> Captured<'_> {
    let word = |at: usize| u32::from_ne_bytes([slot[at], slot[at + 1], slot[at + 2], slot[at + 3]]);
    let half = |at: usize| u16::from_ne_bytes([slot[at], slot[at + 1]]);
    let address = &slot[ADDRESS..ADDRESS + 20];
    let net = usize::from(half(14)).min(slot.len());
    let end = (net + (word(8) as usize).min(SNAP)).min(slot.len());
    Captured {
        time: u64::from(word(16)) * 1_000_000_000 + u64::from(word(20)),
        interface: u32::from_ne_bytes([address[4], address[5], address[6], address[7]]),
        hardware: u16::from_ne_bytes([address[8], address[9]]),
        direction: address[10],
        protocol: u16::from_be_bytes([address[2], address[3]]),
        address: &address[12..12 + usize::from(address[11]).min(8)],
        data: &slot[net..end],
        length: word(4),
    }
}

/// Returns the name of a device of the thread's namespace.
pub fn device_name(interface: u32) -> Option<String> {
    let mut name = [0; libc::IFNAMSIZ];
    // SAFETY: `name` has room for IF_NAMESIZE bytes, and is NUL-terminated afterwards.
    unsafe {
        let named = !libc::if_indextoname(interface, name.as_mut_ptr()).is_null();
        named.then(|| CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned())
    }
}
