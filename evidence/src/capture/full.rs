//! How long a full segment is, from packets that may hold many of them (TSO, GRO).

use crate::headers::{Ip, MTU};

/// No path takes less (RFC 9293, 3.7.1), less room for options, bytes.
const MIN_MSS: u32 = 256;

/// An Ethernet's largest payload of TCP, where nothing is known, bytes.
const ETHERNET: u32 = Ip::V4.mss(MTU);

/// A single segment is no longer than a jumbo frame's, bytes.
const JUMBO: u32 = 9216;

/// So many packets make a guess sure, and as many more lead away from it.
const MIN_AGREEING_PACKETS: u32 = 3;
const MOST_VOTES: u32 = 64;

/// The full segment: by the majority of packets, the divisor that they share.
#[derive(Debug, Default)]
pub(super) struct Full {
    /// What the handshake allows, and without regard to options, bytes.
    limit: Option<u32>,
    most: Option<u32>,
    guess: u32,
    votes: u32,
    /// What follows from these, bytes.
    size: Option<u32>,
}

impl Full {
    /// The MSS of the handshake, and the bytes that options take of it; some stacks do not count these.
    pub fn limit(&mut self, mss: Option<u32>, options: u32) {
        self.limit = mss.map(|mss| mss.saturating_sub(options)).filter(|limit| *limit > 0);
        self.most = mss.filter(|mss| *mss > 0);
        self.size = self.derive();
    }

    /// A packet's payload, if it does not end a write (PSH): only such packets are filled.
    pub fn see(&mut self, payload: u32) {
        if payload < MIN_MSS || payload == self.guess && self.votes == MOST_VOTES {
            return;
        }
        let shared = if payload == self.guess { payload } else { divisor(self.guess, payload) };
        if self.votes == 0 {
            (self.guess, self.votes) = (payload, 1);
        } else if shared >= MIN_MSS {
            self.guess = shared;
            self.votes = (self.votes + 1).min(MOST_VOTES);
        } else {
            self.votes -= 1;
        }
        self.size = self.derive();
    }

    /// Payload of a full segment, bytes; `None` if neither packets nor a handshake tell.
    pub fn known(&self) -> Option<u32> {
        self.size
    }

    fn derive(&self) -> Option<u32> {
        if self.votes < MIN_AGREEING_PACKETS {
            return self.limit;
        }
        let most = self.most.unwrap_or(if self.guess > JUMBO { ETHERNET } else { JUMBO });
        let parts =
            (1..=self.guess / MIN_MSS).find(|parts| self.guess.is_multiple_of(*parts) && self.guess / parts <= most);
        parts.map(|parts| self.guess / parts).or(self.limit)
    }

    /// Segments in a packet.
    pub fn segments(&self, payload: i64) -> u64 {
        let full = i64::from(self.size.unwrap_or(ETHERNET));
        let one =
            self.most.filter(|_| self.votes < MIN_AGREEING_PACKETS).map_or(full, |most| full.max(i64::from(most)));
        if (1..=one).contains(&payload) { 1 } else { u64::try_from((payload + full - 1) / full).unwrap_or(0) }
    }
}

fn divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
