//! pcap (both byte orders, µs and ns) and pcapng, as a stream of frames.

use super::CaptureError;
use pcap_parser::traits::{PcapNGPacketBlock, PcapReaderIterator};
use pcap_parser::{Block, LegacyPcapReader, Linktype, PcapBlockOwned, PcapError, PcapNGReader};
use std::cell::Cell;
use std::io::{self, Cursor, Read};
use std::rc::Rc;

/// Size of the read buffer, bytes.
const BUFFER: usize = 1 << 20;

/// Largest packet or block, bytes; a longer one is damage. Wireshark's own bound for a packet is 256 KiB.
const MAX_PACKET_BYTES: usize = 1 << 24;

/// Most interfaces of a pcapng section; more are damage.
const MOST_INTERFACES: usize = 1 << 16;

/// First four bytes of pcap, in either byte order: µs, ns, and Kuznetzov's variant with longer records.
const PCAP: [u32; 3] = [0xA1B2_C3D4, 0xA1B2_3C4D, 0xA1B2_CD34];

/// pcapng's section header, a palindrome (draft-ietf-opsawg-pcapng, 4.1).
const PCAPNG: [u8; 4] = [0x0A, 0x0D, 0x0D, 0x0A];

/// pcapng's byte-order magic, at byte 8.
const ORDER: u32 = 0x1A2B_3C4D;

/// A frame as captured.
pub(super) struct Frame<'a> {
    /// Time, ns since 1970; `None` for simple packet blocks.
    pub time: Option<i64>,
    /// Type of the link.
    pub link: Linktype,
    /// Captured bytes.
    pub data: &'a [u8],
    /// Length on the link, bytes.
    pub length: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The file ends with a whole packet.
    Whole,
    /// The file ends inside the packet that begins at this byte.
    Cut(usize),
    /// The bytes from here on are no packet.
    Damaged(usize),
}

/// Format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Pcap,
    Pcapng,
}

/// Returns the format by a file's first bytes; `None` if it is neither.
pub(super) fn format(first: &[u8]) -> Option<Format> {
    let word = |at: usize| first.get(at..at + 4).and_then(|four| <[u8; 4]>::try_from(four).ok());
    let magic = word(0)?;
    if magic == PCAPNG {
        let order = word(8).is_none_or(|order| [order, reversed(order)].contains(&ORDER.to_be_bytes()));
        return order.then_some(Format::Pcapng);
    }
    PCAP.iter().any(|known| [magic, reversed(magic)].contains(&known.to_be_bytes())).then_some(Format::Pcap)
}

fn reversed([a, b, c, d]: [u8; 4]) -> [u8; 4] {
    [d, c, b, a]
}

/// Hands each frame to `take`, in the order of the file.
pub(super) fn frames(input: impl Read, take: impl FnMut(Frame)) -> Result<End, CaptureError> {
    let failed = Failed::default();
    let mut input = Patient { input, failed: failed.clone() };
    let mut head = vec![];
    (&mut input).take(BUFFER as u64 / 2).read_to_end(&mut head).map_err(|error| failed.take().unwrap_or(error))?;
    let format = format(&head).ok_or_else(|| CaptureError::unknown(&head))?;
    let short = head.len();
    let input = Cursor::new(head).chain(input);
    let end = match format {
        Format::Pcap => match LegacyPcapReader::new(BUFFER, input) {
            Ok(reader) => walk(reader, format, take),
            Err(error) => refuse(error, short),
        },
        Format::Pcapng => match PcapNGReader::new(BUFFER, input) {
            Ok(reader) => walk(reader, format, take),
            Err(error) => refuse(error, short),
        },
    };
    // pcap-parser takes a failed read for the end of the file.
    failed.take().map_or(end, |error| Err(error.into()))
}

/// Returns the error for a header that does not parse.
fn refuse<I>(error: PcapError<I>, read: usize) -> Result<End, CaptureError> {
    Err(match error {
        PcapError::Incomplete(_) => CaptureError::Short { bytes: read },
        _ => CaptureError::Head,
    })
}

/// State from the file's blocks that later packets need.
#[derive(Default)]
struct Section {
    big_endian: bool,
    nanoseconds: bool,
    interfaces: Vec<Interface>,
}

#[derive(Clone, Copy)]
struct Interface {
    link: Linktype,
    clock: Clock,
    snaplen: u32,
}

fn walk(mut reader: impl PcapReaderIterator, format: Format, mut take: impl FnMut(Frame)) -> Result<End, CaptureError> {
    let mut section = Section::default();
    let mut capacity = BUFFER;
    loop {
        let at = reader.consumed();
        if matches!(format, Format::Pcapng) && section.is_too_short(reader.data()) {
            return Ok(End::Damaged(at));
        }
        let wants = match reader.next() {
            Ok((length, block)) => {
                if !section.read(block, &mut take) {
                    return Ok(End::Damaged(at));
                }
                reader.consume(length);
                continue;
            }
            Err(PcapError::Eof) => return Ok(End::Whole),
            Err(PcapError::Incomplete(_)) => Wants::Data,
            Err(PcapError::BufferTooSmall) => Wants::Space,
            Err(PcapError::UnexpectedEof) => Wants::Nothing,
            Err(_) => return Ok(End::Damaged(at)),
        };
        let held = reader.data().len();
        match wants {
            Wants::Nothing if held == 0 => return Ok(End::Whole),
            Wants::Nothing => return Ok(End::Cut(at)),
            Wants::Space if capacity >= MAX_PACKET_BYTES => return Ok(End::Damaged(at)),
            Wants::Space => {
                capacity *= 2;
                reader.grow(capacity);
            }
            Wants::Data => {}
        }
        reader.refill().map_err(|_| CaptureError::Read(io::ErrorKind::Other.into()))?;
    }
}

enum Wants {
    Data,
    Space,
    Nothing,
}

/// Smallest block, bytes: its type, and its length twice (draft-ietf-opsawg-pcapng, 3.1).
const BLOCK: u32 = 12;

impl Section {
    /// True if a block other than a section header is shorter than the smallest block. pcap-parser 0.17 subtracts that
    /// length unchecked.
    fn is_too_short(&self, data: &[u8]) -> bool {
        let Some((kind, [a, b, c, d, ..])) = data.split_first_chunk::<4>() else { return false };
        let length = if self.big_endian { u32::from_be_bytes } else { u32::from_le_bytes }([*a, *b, *c, *d]);
        *kind != PCAPNG && length < BLOCK
    }

    /// Reads a block; false if it makes no sense.
    fn read(&mut self, block: PcapBlockOwned, take: &mut impl FnMut(Frame)) -> bool {
        match block {
            PcapBlockOwned::LegacyHeader(header) => {
                self.nanoseconds = header.is_nanosecond_precision();
                // The upper bits give the length of a frame check sequence (draft-ietf-opsawg-pcap).
                let link = Linktype(header.network.0 & 0xFFFF);
                self.interfaces = vec![Interface { link, clock: Clock::MICROSECONDS, snaplen: header.snaplen }];
            }
            PcapBlockOwned::Legacy(packet) => {
                let Some(interface) = self.interfaces.first() else { return false };
                let fraction = i64::from(packet.ts_usec) * if self.nanoseconds { 1 } else { 1000 };
                let time = Some(i64::from(packet.ts_sec) * 1_000_000_000 + fraction);
                take(Frame { time, link: interface.link, data: packet.data, length: packet.origlen });
            }
            PcapBlockOwned::NG(Block::SectionHeader(header)) => {
                self.interfaces.clear();
                self.big_endian = header.big_endian();
            }
            PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => {
                if self.interfaces.len() == MOST_INTERFACES {
                    return false;
                }
                let offset = interface.if_tsoffset;
                let offset = if self.big_endian { offset.swap_bytes() } else { offset };
                let clock = Clock::new(interface.if_tsresol, offset);
                self.interfaces.push(Interface { link: interface.linktype, clock, snaplen: interface.snaplen });
            }
            PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                let Some(interface) = self.interfaces.get(packet.if_id as usize) else { return false };
                let ticks = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
                let time = Some(interface.clock.nanoseconds(ticks));
                take(Frame { time, link: interface.link, data: packet.packet_data(), length: packet.origlen });
            }
            PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
                let Some(interface) = self.interfaces.first() else { return false };
                let data = packet.packet_data();
                let most = if interface.snaplen == 0 { data.len() } else { interface.snaplen as usize };
                let data = &data[..data.len().min(most)];
                take(Frame { time: None, link: interface.link, data, length: packet.origlen });
            }
            PcapBlockOwned::NG(_) => {}
        }
        true
    }
}

/// Clock of an interface (`if_tsresol`, `if_tsoffset`).
#[derive(Clone, Copy)]
struct Clock {
    /// Ticks per second.
    rate: u128,
    /// Offset of the clock, seconds.
    offset: i64,
}

impl Clock {
    const MICROSECONDS: Clock = Clock { rate: 1_000_000, offset: 0 };

    fn new(resolution: u8, offset: i64) -> Clock {
        let exponent = u32::from(resolution & 0x7F);
        let rate = if resolution & 0x80 == 0 { 10_u128.checked_pow(exponent) } else { 1_u128.checked_shl(exponent) };
        Clock { rate: rate.unwrap_or(u128::MAX), offset }
    }

    fn nanoseconds(self, ticks: u64) -> i64 {
        let since = match self.rate {
            1_000_000 => ticks.saturating_mul(1000),
            1_000_000_000 => ticks,
            rate => u64::try_from(u128::from(ticks) * 1_000_000_000 / rate).unwrap_or(u64::MAX),
        };
        let since = i64::try_from(since).unwrap_or(i64::MAX);
        since.saturating_add(self.offset.saturating_mul(1_000_000_000))
    }
}

/// The error that ended reading, if one did.
type Failed = Rc<Cell<Option<io::Error>>>;

/// A reader that continues after a signal, and keeps any other error.
struct Patient<R> {
    input: R,
    failed: Failed,
}

impl<R: Read> Read for Patient<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    self.failed.set(Some(error));
                    return Err(kind.into());
                }
                Ok(read) => return Ok(read),
            }
        }
    }
}
