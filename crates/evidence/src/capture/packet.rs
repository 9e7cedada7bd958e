//! From a frame to the TCP segment in it: link layers, IPv4, IPv6, TCP and its options.

use super::file::Frame;
use crate::ecn::Codepoint;
use pcap_parser::Linktype;
use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Header and payload length of a TCP segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    pub from: SocketAddr,
    pub to: SocketAddr,
    pub seq: u32,
    pub ack: u32,
    pub flags: Flags,
    /// Receive window in the header, not scaled.
    pub window: u16,
    /// Payload on the link, bytes, however few were captured.
    pub payload: u32,
    /// Identification of IPv4; `None` for IPv6.
    pub id: Option<u16>,
    pub ecn: Codepoint,
    pub options: Options,
}

/// Flags of a header (RFC 9293, 3.1; RFC 3168, 6.1; AE of RFC 9768).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flags(pub u16);

impl Flags {
    pub const FIN: u16 = 1;
    pub const SYN: u16 = 2;
    pub const RST: u16 = 4;
    pub const PSH: u16 = 8;
    pub const ACK: u16 = 16;
    pub const ECE: u16 = 64;
    pub const CWR: u16 = 128;
    pub const AE: u16 = 256;

    pub fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    /// Returns AE, CWR and ECE as one field (RFC 9768, 3.2.2).
    pub fn ace(self) -> u8 {
        (self.0 >> 6 & 7) as u8
    }
}

/// Options that are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Options {
    pub mss: Option<u16>,
    /// Window scale (RFC 7323, 2.2).
    pub scale: Option<u8>,
    pub sack_permitted: bool,
    /// TSval and TSecr (RFC 7323, 3.2).
    pub stamps: Option<(u32, u32)>,
    /// Byte counters of the AccECN option for ECT(0), CE and ECT(1), where present (RFC 9768, 3.2.3).
    pub accecn: Option<[Option<u32>; 3]>,
    /// Whether some options were not captured.
    pub cut: bool,
    sack: [(u32, u32); 4],
    blocks: u8,
}

impl Options {
    /// Returns the SACK blocks (RFC 2018, 3): first byte, and the byte after the last.
    pub fn sack(&self) -> &[(u32, u32)] {
        &self.sack[..usize::from(self.blocks)]
    }
}

/// Reason that a frame has no readable TCP segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Other {
    /// Unsupported link type, by its number (tcpdump.org/linktypes.html).
    Link(i32),
    /// Another protocol than IP, by its EtherType.
    Ether(u16),
    /// Another protocol over IP, by its number.
    Protocol(u8),
    /// A fragment of an IP packet.
    Fragment,
    /// Too few captured bytes for a TCP header.
    Cut,
    /// Lengths that contradict each other.
    Malformed,
}

const NAMED_PROTOCOLS: &[(u8, &str)] =
    &[(1, "ICMP"), (4, "IP in IP"), (17, "UDP"), (41, "IPv6 in IP"), (47, "GRE"), (50, "ESP"), (58, "ICMPv6")];

const NAMED_ETHERTYPES: &[(u16, &str)] =
    &[(0x0806, "ARP"), (0x8809, "LACP"), (0x8847, "MPLS"), (0x88CC, "LLDP"), (0x88E5, "MACsec")];

impl Display for Other {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Other::Link(link) => write!(f, "of link type {link}"),
            Other::Ether(kind) => match NAMED_ETHERTYPES.iter().find(|(known, _)| known == kind) {
                Some((_, name)) => f.write_str(name),
                None if *kind < 0x0600 => f.write_str("IEEE 802.2"),
                None => write!(f, "EtherType 0x{kind:04x}"),
            },
            Other::Protocol(number) => match NAMED_PROTOCOLS.iter().find(|(known, _)| known == number) {
                Some((_, name)) => f.write_str(name),
                None => write!(f, "IP protocol {number}"),
            },
            Other::Fragment => f.write_str("IP fragments"),
            Other::Cut => f.write_str("captured too short for TCP's header"),
            Other::Malformed => f.write_str("malformed"),
        }
    }
}

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86DD;
const VLAN: [u16; 3] = [0x8100, 0x88A8, 0x9100];
const PPPOE: u16 = 0x8864;
/// PPP protocol numbers of IPv4 and IPv6 (RFC 1661, RFC 5072).
const PPP: [(u16, u16); 2] = [(0x0021, IPV4), (0x0057, IPV6)];

/// Reads the TCP segment in a frame.
pub(super) fn segment(frame: &Frame) -> Result<Segment, Other> {
    let data = frame.data;
    let (kind, at) = network(frame.link, data)?;
    let rest = data.get(at..).ok_or(Other::Cut)?;
    let length = (frame.length as usize).saturating_sub(at);
    match kind {
        IPV4 => ipv4(rest, length),
        IPV6 => ipv6(rest, length),
        other => Err(Other::Ether(other)),
    }
}

/// Returns the EtherType of a frame's payload, and where the payload begins.
fn network(link: Linktype, data: &[u8]) -> Result<(u16, usize), Other> {
    let (kind, at) = match link.0 {
        // BSD's loopback: a family in host or network byte order. The IP header gives the version.
        0 | 108 => (by_version(data, 4)?, 4),
        1 => (u16_at(data, 12)?, 14),
        12 | 14 | 101 | 228 | 229 => (by_version(data, 0)?, 0),
        // Linux's cooked captures.
        113 => (u16_at(data, 14)?, 16),
        276 => (u16_at(data, 0)?, 20),
        other => return Err(Other::Link(other)),
    };
    tagged(data, kind, at)
}

/// Skips VLAN tags (IEEE 802.1Q) and PPPoE (RFC 2516).
fn tagged(data: &[u8], mut kind: u16, mut at: usize) -> Result<(u16, usize), Other> {
    while VLAN.contains(&kind) {
        kind = u16_at(data, at + 2)?;
        at += 4;
    }
    if kind == PPPOE {
        let ppp = u16_at(data, at + 6)?;
        at += 8;
        kind = PPP.iter().find(|(number, _)| *number == ppp).map_or(PPPOE, |(_, kind)| *kind);
    }
    Ok((kind, at))
}

fn by_version(data: &[u8], at: usize) -> Result<u16, Other> {
    match data.get(at).ok_or(Other::Cut)? >> 4 {
        4 => Ok(IPV4),
        6 => Ok(IPV6),
        _ => Err(Other::Malformed),
    }
}

/// Reads an IPv4 packet. `length` is the link's: the packet's own is 0 if it was captured before segmentation (TSO).
fn ipv4(data: &[u8], length: usize) -> Result<Segment, Other> {
    let head: &[u8; 20] = data.first_chunk().ok_or(Other::Cut)?;
    let header = usize::from(head[0] & 15) * 4;
    if head[0] >> 4 != 4 || header < 20 {
        return Err(Other::Malformed);
    }
    let total = match usize::from(u16_at(head, 2)?) {
        0 => length,
        total => total,
    };
    // A fragment has More Fragments set or an offset.
    if u16_at(head, 6)? & 0x3FFF != 0 {
        return Err(Other::Fragment);
    }
    if head[9] != 6 {
        return Err(Other::Protocol(head[9]));
    }
    let address = |at: usize| IpAddr::V4(Ipv4Addr::new(head[at], head[at + 1], head[at + 2], head[at + 3]));
    let body = data.get(header..).ok_or(Other::Cut)?;
    let length = total.checked_sub(header).ok_or(Other::Malformed)?;
    let ip = Ip { from: address(12), to: address(16), id: Some(u16_at(head, 4)?), ecn: Codepoint::from_bits(head[1]) };
    tcp(body, length, ip)
}

fn ipv6(data: &[u8], length: usize) -> Result<Segment, Other> {
    let head: &[u8; 40] = data.first_chunk().ok_or(Other::Cut)?;
    if head[0] >> 4 != 6 {
        return Err(Other::Malformed);
    }
    let total = match usize::from(u16_at(head, 4)?) {
        // A jumbogram (RFC 2675), as Linux BIG TCP makes them.
        0 => length,
        payload => payload + 40,
    };
    let mut next = head[6];
    let mut at = 40;
    loop {
        // RFC 8200, 4; RFC 4302, 2.2.
        let length = match next {
            6 => break,
            0 | 43 | 60 | 135 => (usize::from(*data.get(at + 1).ok_or(Other::Cut)?) + 1) * 8,
            51 => (usize::from(*data.get(at + 1).ok_or(Other::Cut)?) + 2) * 4,
            44 if u16_at(data, at + 2)? & 0xFFF9 != 0 => return Err(Other::Fragment),
            44 => 8,
            other => return Err(Other::Protocol(other)),
        };
        next = *data.get(at).ok_or(Other::Cut)?;
        at += length;
    }
    let address = |at: usize| {
        let bytes: [u8; 16] = std::array::from_fn(|i| head[at + i]);
        IpAddr::V6(Ipv6Addr::from(bytes))
    };
    let body = data.get(at..).ok_or(Other::Cut)?;
    let length = total.checked_sub(at).ok_or(Other::Malformed)?;
    let ecn = Codepoint::from_bits(head[1] >> 4);
    tcp(body, length, Ip { from: address(8), to: address(24), id: None, ecn })
}

struct Ip {
    from: IpAddr,
    to: IpAddr,
    id: Option<u16>,
    ecn: Codepoint,
}

fn tcp(data: &[u8], length: usize, ip: Ip) -> Result<Segment, Other> {
    let head: &[u8; 20] = data.first_chunk().ok_or(Other::Cut)?;
    let header = usize::from(head[12] >> 4) * 4;
    if header < 20 {
        return Err(Other::Malformed);
    }
    let payload = length.checked_sub(header).ok_or(Other::Malformed)?;
    Ok(Segment {
        from: SocketAddr::new(ip.from, u16_at(head, 0)?),
        to: SocketAddr::new(ip.to, u16_at(head, 2)?),
        seq: u32_at(head, 4)?,
        ack: u32_at(head, 8)?,
        flags: Flags(u16_at(head, 12)? & 0x1FF),
        window: u16_at(head, 14)?,
        payload: u32::try_from(payload).map_err(|_| Other::Malformed)?,
        id: ip.id,
        ecn: ip.ecn,
        options: Options { cut: header > data.len(), ..options(&data[20..header.min(data.len())]) },
    })
}

/// Kinds of the AccECN options, and the experimental kind (RFC 6994) that drafts before RFC 9768 used.
const ACCECN0: u8 = 172;
const ACCECN1: u8 = 174;
const EXPERIMENT: u8 = 254;

/// Reads the three-byte counters that are present, each to its place.
fn accecn(fields: &[u8], places: [usize; 3]) -> [Option<u32>; 3] {
    let mut counters = [None; 3];
    for (field, place) in fields.chunks_exact(3).zip(places) {
        counters[place] = Some(u32::from_be_bytes([0, field[0], field[1], field[2]]));
    }
    counters
}

/// Reads the options that were captured (RFC 9293, 3.2).
fn options(mut rest: &[u8]) -> Options {
    let mut options = Options::default();
    while let [kind, ..] = rest {
        let length = match (kind, rest.get(1)) {
            (0, _) => break,
            (1, _) => 1,
            (_, Some(length)) if usize::from(*length) >= 2 => usize::from(*length),
            _ => break,
        };
        // A cut SACK option may still have whole blocks.
        let option = &rest[..length.min(rest.len())];
        match (*kind, option) {
            (2, [_, _, a, b]) => options.mss = Some(u16::from_be_bytes([*a, *b])),
            // RFC 7323, 2.3: more than 14 counts as 14.
            (3, [_, _, shift]) => options.scale = Some((*shift).min(14)),
            (4, [_, _]) => options.sack_permitted = true,
            (5, [_, _, blocks @ ..]) => {
                for (block, into) in blocks.chunks_exact(8).zip(&mut options.sack) {
                    *into = (word(block, 0), word(block, 4));
                    options.blocks += 1;
                }
            }
            (8, [_, _, stamps @ ..]) if stamps.len() == 8 => options.stamps = Some((word(stamps, 0), word(stamps, 4))),
            (ACCECN0, [_, _, fields @ ..]) => options.accecn = Some(accecn(fields, [0, 1, 2])),
            (ACCECN1, [_, _, fields @ ..]) => options.accecn = Some(accecn(fields, [2, 1, 0])),
            (EXPERIMENT, [_, _, 0xAC, 0xC0, fields @ ..]) => options.accecn = Some(accecn(fields, [0, 1, 2])),
            (EXPERIMENT, [_, _, 0xAC, 0xC1, fields @ ..]) => options.accecn = Some(accecn(fields, [2, 1, 0])),
            _ => {}
        }
        rest = &rest[option.len()..];
    }
    options
}

fn word(data: &[u8], at: usize) -> u32 {
    u32_at(data, at).unwrap_or(0)
}

fn u16_at(data: &[u8], at: usize) -> Result<u16, Other> {
    let two = data.get(at..at + 2).and_then(|two| two.try_into().ok());
    two.map(u16::from_be_bytes).ok_or(Other::Cut)
}

fn u32_at(data: &[u8], at: usize) -> Result<u32, Other> {
    let four = data.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map(u32::from_be_bytes).ok_or(Other::Cut)
}
