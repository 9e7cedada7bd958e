//! A connection while it is read: two ways, and the handshake between them.

use super::bounds::Shares;
use super::packet::{Flags, Options, Segment};
use super::way::Way;
use std::net::SocketAddr;

/// A connection that may go on.
#[derive(Debug)]
pub(super) struct Live {
    /// Its ends; the first is the lesser address.
    pub ends: [SocketAddr; 2],
    /// The data of each end.
    pub ways: [Way; 2],
    /// The SYN of each end.
    hellos: [Option<Hello>; 2],
    /// What the handshake agreed on, if both SYNs were seen.
    pub agreed: Option<Agreed>,
    /// The end that opened it, or else that sent data first.
    opener: Option<usize>,
    /// Whether the time of the third packet is known.
    greeted: bool,
    /// When the request's last byte passed, ns.
    asked: Option<i64>,
    /// Requests to their answers, seconds.
    pub exchanges: Vec<f64>,
    /// First and last packet, ns.
    pub first: i64,
    pub last: i64,
    /// Whether all its packets have a time.
    pub timed: bool,
    /// Its place among all connections.
    pub order: u64,
}

#[derive(Debug, Clone, Copy)]
struct Hello {
    seq: u32,
    flags: Flags,
    options: Options,
    time: i64,
    count: u32,
}

/// What both SYNs have together (RFC 9293, 3.7.1; RFC 2018, 2; RFC 7323; RFC 3168, 6.1.1). An option may be missing because
/// it was not captured: then nothing is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Agreed {
    pub sack: Option<bool>,
    pub ecn: bool,
    /// Whether both have a window scale.
    pub scaled: Option<bool>,
    shifts: [u8; 2],
    /// The MSS option of each end, bytes.
    pub mss: [Option<u16>; 2],
}

impl Live {
    /// A connection of which nothing was seen.
    pub fn new(ends: [SocketAddr; 2], first: i64, order: u64) -> Live {
        Live {
            ends,
            ways: Default::default(),
            hellos: [None; 2],
            agreed: None,
            opener: None,
            greeted: false,
            asked: None,
            exchanges: vec![],
            first,
            last: first,
            timed: true,
            order,
        }
    }

    /// Whether a segment of an end opens another connection between the same ports.
    pub fn is_renewed_by(&self, end: usize, segment: &Segment) -> bool {
        let opens = segment.flags.has(Flags::SYN) && !segment.flags.has(Flags::ACK);
        opens
            && match self.hellos[end] {
                Some(hello) => hello.seq != segment.seq,
                None => self.ways.iter().any(|way| way.packets > 0 || way.una.is_some()),
            }
    }

    /// A segment of an end passes.
    pub fn pass(&mut self, end: usize, segment: &Segment, now: i64, shares: &Shares) {
        self.last = now;
        let flags = segment.flags;
        if flags.has(Flags::RST) {
            return;
        }
        self.greet(end, segment, now);
        self.echo(end, segment, now, shares);
        let [way, back] = self.pair(end);
        let carries = segment.payload > 0 || flags.has(Flags::SYN) || flags.has(Flags::FIN);
        let new = carries && way.pass(segment, now, shares);
        if flags.has(Flags::ACK) {
            back.acknowledge(segment, now, shares);
        }
        if new {
            self.exchange(end, now, shares);
        }
        self.ways[1 - end].closed = segment.window == 0;
        if let Some(agreed) = self.agreed.filter(|agreed| agreed.scaled.is_some() && !flags.has(Flags::SYN)) {
            let window = u32::from(segment.window) << agreed.shifts[end];
            self.ways[1 - end].offer(window, now, shares);
        }
    }

    /// The way of an end, and the other one.
    fn pair(&mut self, end: usize) -> [&mut Way; 2] {
        let [first, second] = &mut self.ways;
        if end == 0 { [first, second] } else { [second, first] }
    }

    fn greet(&mut self, end: usize, segment: &Segment, now: i64) {
        let flags = segment.flags;
        let other = self.hellos[1 - end];
        if !flags.has(Flags::SYN) {
            // The third packet of the handshake.
            if !self.greeted
                && self.opener == Some(end)
                && let (Some(hello), Some(_)) = (other, self.agreed)
            {
                self.greeted = true;
                if hello.count == 1 {
                    self.gap(end, now - hello.time, now, segment);
                }
            }
            return;
        }
        let hello = Hello { seq: segment.seq, flags, options: segment.options, time: now, count: 0 };
        let hello = self.hellos[end].get_or_insert(hello);
        hello.count += 1;
        hello.time = now;
        let hello = *hello;
        if !flags.has(Flags::ACK) {
            self.opener.get_or_insert(end);
            return;
        }
        if let Some(asked) = other.filter(|_| self.agreed.is_none()) {
            if asked.count == 1 && hello.count == 1 {
                self.gap(end, now - asked.time, now, segment);
            }
            let agreed = Agreed::new(if end == 0 { [&hello, &asked] } else { [&asked, &hello] }, [&asked, &hello]);
            let stamped = hello.options.stamps.is_some() && asked.options.stamps.is_some();
            let least = agreed.mss.into_iter().flatten().min();
            for way in &mut self.ways {
                // The timestamps option takes 12 bytes of each segment (RFC 7323, appendix A).
                way.full.limit(least.map(u32::from), if stamped { 12 } else { 0 });
                way.sacks |= agreed.sack == Some(true);
            }
            self.agreed = Some(agreed);
        }
    }

    /// Time from a packet of the handshake to its answer by `end`: that end's part of the round-trip time.
    fn gap(&mut self, end: usize, gap: i64, now: i64, segment: &Segment) {
        let [way, back] = self.pair(end);
        back.receiver.sample(gap, now);
        if segment.options.stamps.is_none() {
            way.sender.sample(gap, now);
        }
    }

    /// The echo of a timestamp tells the time from the tap to this end and back.
    fn echo(&mut self, end: usize, segment: &Segment, now: i64, shares: &Shares) {
        let Some((value, echo)) = segment.options.stamps else { return };
        let [way, back] = self.pair(end);
        if segment.flags.has(Flags::ACK)
            && let Some(gap) = back.stamps.echo(echo, now)
        {
            way.sender.sample(gap, now);
        }
        way.stamps.pass(value, now);
        // Data wait in queues of their own.
        if segment.payload == 0 && segment.flags.has(Flags::ACK) && !segment.flags.has(Flags::SYN) {
            let late = back.returns.sample(value, now);
            back.bucket(now, shares).late = Some(late as f32);
        }
    }

    fn exchange(&mut self, end: usize, now: i64, shares: &Shares) {
        let opener = *self.opener.get_or_insert(end);
        if end == opener {
            self.asked = Some(now);
        } else if let Some(asked) = self.asked.take()
            && self.exchanges.len() < shares.exchanges
        {
            self.exchanges.push((now - asked).max(0) as f64 / 1e9);
        }
    }
}

impl Agreed {
    /// From the SYN of each end, and from the same as question and answer.
    fn new(ends: [&Hello; 2], [asked, answered]: [&Hello; 2]) -> Agreed {
        let scales = ends.map(|hello| hello.options.scale);
        let cut = ends.iter().any(|hello| hello.options.cut);
        let both = |has: bool| if has { Some(true) } else { (!cut).then_some(false) };
        let scaled = both(scales.iter().all(Option::is_some));
        let wanted = asked.flags.has(Flags::ECE) && asked.flags.has(Flags::CWR);
        let bits = [Flags::AE, Flags::CWR, Flags::ECE].map(|flag| answered.flags.has(flag));
        let ecn = match bits {
            [false, false, true] => wanted,
            // RFC 9768, 3.1.2: the other end echoes; none of them, or all, is an end without ECN.
            [false, false, false] | [true, true, true] => false,
            _ => wanted && asked.flags.has(Flags::AE),
        };
        Agreed {
            sack: both(ends.iter().all(|hello| hello.options.sack_permitted)),
            ecn,
            scaled,
            shifts: if scaled == Some(true) { scales.map(Option::unwrap_or_default) } else { [0, 0] },
            mss: ends.map(|hello| hello.options.mss),
        }
    }
}
