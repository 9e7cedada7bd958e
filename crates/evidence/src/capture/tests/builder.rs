//! Captures, byte by byte.

/// A packet of TCP over IPv4 over Ethernet by default.
#[derive(Debug, Clone)]
pub struct Packet {
    /// Time since the capture began, µs.
    pub at: i64,
    /// Whether it goes from the client (10.0.0.1:40000) to the server (10.0.0.2:5001).
    pub forward: bool,
    pub seq: u32,
    pub ack: Option<u32>,
    pub flags: u16,
    pub window: u16,
    pub payload: usize,
    pub options: Vec<u8>,
    pub id: u16,
    pub ecn: u8,
}

pub const FIN: u16 = 1;
pub const SYN: u16 = 2;
pub const PSH: u16 = 8;
pub const ECE: u16 = 64;
pub const CWR: u16 = 128;

/// Sequence numbers of the first bytes, near the end of their space so that they wrap.
pub const CLIENT: u32 = 0xFFFF_F000;
pub const SERVER: u32 = 7000;

pub fn packet(at: i64, forward: bool) -> Packet {
    let (seq, ack) = if forward { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
    let ack = Some(ack);
    Packet { at, forward, seq, ack, flags: 0, window: 1000, payload: 0, options: vec![], id: 0, ecn: 0 }
}

/// `payload` bytes of the client from its byte `from` on.
pub fn data(at: i64, from: u32, payload: usize) -> Packet {
    Packet { seq: CLIENT.wrapping_add(from), payload, ..packet(at, true) }
}

/// The server acknowledges the client's bytes before `to`.
pub fn ack(at: i64, to: u32) -> Packet {
    Packet { ack: Some(CLIENT.wrapping_add(to)), ..packet(at, false) }
}

impl Packet {
    pub fn option(mut self, bytes: &[u8]) -> Packet {
        self.options.extend(bytes);
        self
    }

    pub fn stamps(self, value: u32, echo: u32) -> Packet {
        self.option(&[1, 1, 8, 10]).option(&value.to_be_bytes()).option(&echo.to_be_bytes())
    }

    /// Selective acknowledgments of ranges of the client's bytes.
    pub fn sack(self, ranges: &[(u32, u32)]) -> Packet {
        let mut packet = self.option(&[1, 1, 5, 2 + 8 * ranges.len() as u8]);
        for edge in ranges.iter().flat_map(|(from, to)| [from, to]) {
            packet.options.extend(CLIENT.wrapping_add(*edge).to_be_bytes());
        }
        packet
    }

    pub fn flags(mut self, flags: u16) -> Packet {
        self.flags |= flags;
        self
    }

    pub fn window(mut self, window: u16) -> Packet {
        self.window = window;
        self
    }

    pub fn id(mut self, id: u16) -> Packet {
        self.id = id;
        self
    }

    pub fn ecn(mut self, ecn: u8) -> Packet {
        self.ecn = ecn;
        self
    }

    pub fn tcp(&self) -> Vec<u8> {
        let (from, to) = if self.forward { (40000_u16, 5001_u16) } else { (5001, 40000) };
        let mut options = self.options.clone();
        options.resize(options.len().next_multiple_of(4), 1);
        let flags = self.flags | if self.ack.is_some() { 16 } else { 0 };
        let head = ((5 + options.len() as u16 / 4) << 12) | flags;
        let mut bytes = vec![];
        bytes.extend(from.to_be_bytes());
        bytes.extend(to.to_be_bytes());
        bytes.extend(self.seq.to_be_bytes());
        bytes.extend(self.ack.unwrap_or(0).to_be_bytes());
        bytes.extend(head.to_be_bytes());
        bytes.extend(self.window.to_be_bytes());
        bytes.extend([0; 4]);
        bytes.extend(options);
        bytes.resize(bytes.len() + self.payload, 0xAA);
        bytes
    }

    /// An IPv4 packet with these options in its header, and these fragment flags and offset.
    pub fn ipv4(&self, options: &[u8], fragment: u16) -> Vec<u8> {
        let tcp = self.tcp();
        let (from, to) = if self.forward { (1, 2) } else { (2, 1) };
        let header = 20 + options.len();
        let total = u16::try_from(header + tcp.len()).unwrap_or(0);
        let mut bytes = vec![0x40 | (header / 4) as u8, self.ecn];
        bytes.extend(total.to_be_bytes());
        bytes.extend(self.id.to_be_bytes());
        bytes.extend(fragment.to_be_bytes());
        bytes.extend([64, 6, 0, 0, 10, 0, 0, from, 10, 0, 0, to]);
        bytes.extend(options);
        bytes.extend(tcp);
        bytes
    }

    /// An IPv6 packet with extension headers `between`, the first of which has the number `first`.
    pub fn ipv6(&self, first: u8, between: &[u8]) -> Vec<u8> {
        let tcp = self.tcp();
        let (from, to) = if self.forward { (1, 2) } else { (2, 1) };
        let mut bytes = vec![0x60, self.ecn << 4, 0, 0];
        bytes.extend(u16::try_from(between.len() + tcp.len()).unwrap_or(0).to_be_bytes());
        bytes.extend([first, 64]);
        for last in [from, to] {
            bytes.extend([0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
        }
        bytes.extend(between);
        bytes.extend(tcp);
        bytes
    }

    pub fn ethernet(&self) -> Vec<u8> {
        [&[0; 12][..], &[8, 0], &self.ipv4(&[], 0x4000)].concat()
    }
}

/// A frame: µs since the capture began, captured bytes, and length on the link.
pub type Record = (i64, Vec<u8>, usize);

/// Start of the captures, seconds since 1970.
const EPOCH: i64 = 1_700_000_000;

pub fn records(packets: &[Packet]) -> Vec<Record> {
    let record = |packet: &Packet| {
        let bytes = packet.ethernet();
        (packet.at, bytes.clone(), bytes.len())
    };
    packets.iter().map(record).collect()
}

/// Byte order and resolution of a pcap.
#[derive(Clone, Copy)]
pub struct Style {
    pub big: bool,
    pub nano: bool,
    pub link: u32,
}

pub const USUAL_STYLE: Style = Style { big: false, nano: false, link: 1 };

impl Style {
    fn word(self, word: u32) -> [u8; 4] {
        if self.big { word.to_be_bytes() } else { word.to_le_bytes() }
    }

    fn half(self, half: u16) -> [u8; 2] {
        if self.big { half.to_be_bytes() } else { half.to_le_bytes() }
    }
}

pub fn pcap(style: Style, records: &[Record]) -> Vec<u8> {
    let magic = if style.nano { 0xA1B2_3C4D } else { 0xA1B2_C3D4 };
    let mut bytes = vec![];
    bytes.extend(style.word(magic));
    bytes.extend([style.half(2), style.half(4)].concat());
    for word in [0, 0, 262_144, style.link] {
        bytes.extend(style.word(word));
    }
    for (at, data, length) in records {
        let fraction = at.rem_euclid(1_000_000) * if style.nano { 1000 } else { 1 };
        let seconds = EPOCH + at.div_euclid(1_000_000);
        for word in [seconds as u32, fraction as u32, data.len() as u32, *length as u32] {
            bytes.extend(style.word(word));
        }
        bytes.extend(data);
    }
    bytes
}

pub fn block(style: Style, kind: u32, body: &[u8]) -> Vec<u8> {
    let mut body = body.to_vec();
    body.resize(body.len().next_multiple_of(4), 0);
    let length = style.word(body.len() as u32 + 12);
    [&style.word(kind)[..], &length, &body, &length].concat()
}

pub fn section(style: Style) -> Vec<u8> {
    let order = style.word(0x1A2B_3C4D);
    let version = [style.half(1), style.half(0)].concat();
    block(style, 0x0A0D_0D0A, &[&order[..], &version, &[0xFF; 8]].concat())
}

/// An interface with its link's type, `if_tsresol` and `if_tsoffset`.
pub fn interface(style: Style, link: u16, resolution: Option<u8>, offset: Option<i64>) -> Vec<u8> {
    let mut body = [&style.half(link)[..], &[0, 0], &style.word(0)].concat();
    if let Some(resolution) = resolution {
        body.extend([&style.half(9)[..], &style.half(1), &[resolution, 0, 0, 0]].concat());
    }
    if let Some(offset) = offset {
        let offset = if style.big { offset.to_be_bytes() } else { offset.to_le_bytes() };
        body.extend([&style.half(14)[..], &style.half(8), &offset].concat());
    }
    body.extend([0; 4]);
    block(style, 1, &body)
}

/// An enhanced packet block; `ticks` in the interface's resolution.
pub fn enhanced(style: Style, interface: u32, ticks: u64, data: &[u8], length: usize) -> Vec<u8> {
    let words = [interface, (ticks >> 32) as u32, ticks as u32, data.len() as u32, length as u32];
    let mut body: Vec<u8> = words.into_iter().flat_map(|word| style.word(word)).collect();
    body.extend(data);
    block(style, 6, &body)
}

/// A simple packet block.
pub fn simple(style: Style, data: &[u8]) -> Vec<u8> {
    block(style, 3, &[&style.word(data.len() as u32)[..], data].concat())
}
