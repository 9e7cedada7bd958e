//! A connection while it is read: two directions, and their handshake.

use super::bounds::Shares;
use super::packet::{Flags, Options, Segment};
use super::way::Way;
use crate::ecn::{Codepoint, Ecn, Feedback, Transit};
use std::net::SocketAddr;

/// A connection that may have more packets.
#[derive(Debug)]
pub(super) struct Live {
    /// Both ends; the first is the lesser address.
    pub ends: [SocketAddr; 2],
    /// The data of each end.
    pub ways: [Way; 2],
    /// The SYN of each end.
    hellos: [Option<Hello>; 2],
    /// Options that the handshake agreed on, if both SYNs were seen.
    pub agreed: Option<Agreed>,
    /// ECN field with which the SYN-ACK arrived, by its acknowledgment (RFC 9768, table 3).
    reflected: Option<Codepoint>,
    /// Number of acknowledgments read that way: one for each SYN-ACK.
    reflections: u32,
    /// The end that opened the connection, or else the one that sent data first.
    opener: Option<usize>,
    /// Whether the time of the third packet is known.
    greeted: bool,
    /// Time when the request's last byte passed, ns.
    asked: Option<i64>,
    /// Times from requests to their answers, seconds.
    pub exchanges: Vec<f64>,
    /// Times of the first and the last packet, ns.
    pub first: i64,
    pub last: i64,
    /// Whether all packets have a time.
    pub timed: bool,
    /// Position among all connections.
    pub order: u64,
}

#[derive(Debug, Clone, Copy)]
struct Hello {
    seq: u32,
    flags: Flags,
    options: Options,
    /// Time and ECN field of the latest copy.
    time: i64,
    ecn: Codepoint,
    latest: Flags,
    count: u32,
}

/// Options that both SYNs have (RFC 9293, 3.7.1; RFC 2018, 2; RFC 7323; RFC 3168, 6.1.1). `None` if an option is
/// missing and may just not have been captured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Agreed {
    pub sack: Option<bool>,
    pub feedback: Feedback,
    /// Whether both SYNs have a window scale.
    pub scaled: Option<bool>,
    shifts: [u8; 2],
    /// MSS option of each end, bytes.
    pub mss: [Option<u16>; 2],
}

impl Live {
    /// Makes a connection without any packets.
    pub fn new(ends: [SocketAddr; 2], first: i64, order: u64) -> Live {
        Live {
            ends,
            ways: Default::default(),
            hellos: [None; 2],
            agreed: None,
            reflected: None,
            reflections: 0,
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

    /// True if a segment opens a new connection between the same ports.
    pub fn is_renewed_by(&self, end: usize, segment: &Segment) -> bool {
        let opens = segment.flags.has(Flags::SYN) && !segment.flags.has(Flags::ACK);
        opens
            && match self.hellos[end] {
                Some(hello) => hello.seq != segment.seq,
                None => self.ways.iter().any(|way| way.packets > 0 || way.una.is_some()),
            }
    }

    /// Takes a segment of an end.
    pub fn pass(&mut self, end: usize, segment: &Segment, now: i64, shares: &Shares) {
        self.last = now;
        let flags = segment.flags;
        if flags.has(Flags::RST) {
            return;
        }
        self.greet(end, segment, now);
        self.echo(end, segment, now, shares);
        let reflects = self.reflects(end, segment);
        let [way, back] = self.pair(end);
        let carries = segment.payload > 0 || flags.has(Flags::SYN) || flags.has(Flags::FIN);
        let new = carries && way.pass(segment, now, shares);
        if segment.payload == 0 && !flags.has(Flags::SYN) {
            way.bare.count(segment.ecn, 1);
        }
        if flags.has(Flags::ACK)
            && let Some(delivered) = back.acknowledge(segment, now, shares)
        {
            match flags.has(Flags::SYN) {
                true => back.echo.begin_counting(segment),
                false if reflects => back.echo.begin_after(segment),
                false => back.echo.hear(segment, back.full.segments(delivered)),
            }
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

    /// Returns the direction of an end, and the other one.
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
        let (seq, options, ecn) = (segment.seq, segment.options, segment.ecn);
        let hello = Hello { seq, flags, options, time: now, ecn, latest: flags, count: 0 };
        let hello = self.hellos[end].get_or_insert(hello);
        hello.count += 1;
        (hello.time, hello.ecn, hello.latest) = (now, ecn, flags);
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
                way.echo.begin();
            }
            self.agreed = Some(agreed);
        }
    }

    /// True if ACE is the ECN field of the SYN-ACK (RFC 9768, 3.2.2.1): in an acknowledgment of only that, without
    /// payload.
    fn reflects(&mut self, end: usize, segment: &Segment) -> bool {
        let accurate = self.agreed.is_some_and(|agreed| agreed.feedback == Feedback::Accurate);
        let hello = self.hellos[1 - end].filter(|_| accurate && self.opener == Some(end));
        let bare = segment.payload == 0 && segment.options.sack().is_empty() && self.ways[end].packets == 0;
        let first =
            hello.is_some_and(|hello| segment.ack == hello.seq.wrapping_add(1) && self.reflections < hello.count);
        let reflects = first && bare && !segment.flags.has(Flags::SYN) && segment.flags.has(Flags::ACK);
        if reflects {
            self.reflections += 1;
            self.reflected = reflected(segment.flags).or(self.reflected);
            // The acknowledgment answers a later SYN-ACK without ECN (RFC 9768, 3.1.4.2).
            let gave_up = hello.is_some_and(|hello| hello.latest.ace() == 0) && segment.flags.ace() == 0;
            self.agreed.iter_mut().filter(|_| gave_up).for_each(|agreed| agreed.feedback = Feedback::None);
        }
        reflects
    }

    /// Returns the handshake's ECN negotiation.
    pub fn ecn(&self) -> Ecn {
        let Some((agreed, opener)) = self.agreed.zip(self.opener) else { return Ecn::default() };
        let [asked, answered] = [opener, 1 - opener].map(|end| self.hellos[end]);
        let accurate = agreed.feedback == Feedback::Accurate;
        let transit = |hello: Option<Hello>, arrived: Option<Codepoint>| {
            let (captured, arrived) = (hello?.ecn, arrived.filter(|_| accurate)?);
            Some(Transit { captured, arrived })
        };
        let asked_for = asked.map(|hello| asked_for(hello.flags));
        // A second SYN-ACK without ECN means that the server got no answer to its first.
        let gives_up =
            |hello: Option<Hello>| hello.is_some_and(|hello| hello.flags.ace() != 0 && hello.latest.ace() == 0);
        Ecn {
            asked: asked_for,
            agreed: Some(agreed.feedback),
            withdrawn: agreed.feedback == Feedback::None && (gives_up(asked) || gives_up(answered)),
            syn: transit(asked, answered.and_then(|hello| reflected(hello.flags))),
            syn_ack: transit(answered, self.reflected),
            ..Ecn::default()
        }
    }

    /// Takes the time from a handshake packet to its answer by `end`: the round-trip time from the tap to that end.
    fn gap(&mut self, end: usize, gap: i64, now: i64, segment: &Segment) {
        let [way, back] = self.pair(end);
        back.receiver.sample(gap, now);
        if segment.options.stamps.is_none() {
            way.sender.sample(gap, now);
        }
    }

    /// Takes a round-trip time from the tap to this end from the echo of a timestamp.
    fn echo(&mut self, end: usize, segment: &Segment, now: i64, shares: &Shares) {
        let Some((value, echo)) = segment.options.stamps else { return };
        let [way, back] = self.pair(end);
        if segment.flags.has(Flags::ACK)
            && let Some(gap) = back.stamps.echo(echo, now)
        {
            way.sender.sample(gap, now);
        }
        way.stamps.pass(value, now);
        // Only bare acknowledgments count, since data also wait in other queues.
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
    /// Reads the SYNs, given by end and as SYN and SYN-ACK.
    fn new(ends: [&Hello; 2], [asked, answered]: [&Hello; 2]) -> Agreed {
        let scales = ends.map(|hello| hello.options.scale);
        let cut = ends.iter().any(|hello| hello.options.cut);
        let both = |has: bool| if has { Some(true) } else { (!cut).then_some(false) };
        let scaled = both(scales.iter().all(Option::is_some));
        Agreed {
            sack: both(ends.iter().all(|hello| hello.options.sack_permitted)),
            feedback: agreed(asked_for(asked.flags), answered.flags),
            scaled,
            shifts: if scaled == Some(true) { scales.map(Option::unwrap_or_default) } else { [0, 0] },
            mss: ends.map(|hello| hello.options.mss),
        }
    }
}

/// Returns the feedback that a SYN asks for. Any combination unknown to RFC 3168 counts as AccECN (RFC 9768, 3.1.3).
fn asked_for(syn: Flags) -> Feedback {
    match syn.ace() {
        0b000 => Feedback::None,
        0b011 => Feedback::Classic,
        _ => Feedback::Accurate,
    }
}

/// Returns the feedback that a SYN-ACK agrees to. In RFC 9768, table 2, 111 is a server that reflects the SYN, and 101
/// is reserved; RFC 3168, 6.1.1 ignores AE.
fn agreed(asked: Feedback, answer: Flags) -> Feedback {
    match (asked, answer.ace()) {
        (Feedback::None, _) | (Feedback::Accurate, 0b000 | 0b111) => Feedback::None,
        (Feedback::Accurate, 0b001) | (Feedback::Classic, 0b001 | 0b101) => Feedback::Classic,
        (Feedback::Accurate, _) => Feedback::Accurate,
        (Feedback::Classic, _) => Feedback::None,
    }
}

/// Returns the arrived ECN field that AE, CWR and ECE of a SYN-ACK or its acknowledgment encode (RFC 9768, tables 2 and
/// 3).
fn reflected(flags: Flags) -> Option<Codepoint> {
    match flags.ace() {
        0b010 => Some(Codepoint::NotEct),
        0b011 => Some(Codepoint::Ect1),
        0b100 => Some(Codepoint::Ect0),
        0b110 => Some(Codepoint::Ce),
        _ => None,
    }
}
