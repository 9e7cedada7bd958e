//! Estimates the size of a full segment from packets that may contain several (TSO, GRO).

use crate::headers::{Ip, MTU};

/// Smallest full segment, bytes: the least MSS of any path (RFC 9293, 3.7.1) minus room for options.
const MIN_MSS: u32 = 256;

/// Default full segment, bytes: the largest TCP payload on Ethernet.
const ETHERNET: u32 = Ip::V4.mss(MTU);

/// Largest single segment, bytes: that of a jumbo frame.
const JUMBO: u32 = 9216;

/// Packets that must agree on a size before it is used, and the most votes that a size collects.
const MIN_AGREEING_PACKETS: u32 = 3;
const MOST_VOTES: u32 = 64;

/// Size of a full segment: the common divisor of most packets.
#[derive(Debug, Default)]
pub(super) struct Full {
    /// MSS of the handshake, with and without room for options, bytes.
    limit: Option<u32>,
    most: Option<u32>,
    guess: u32,
    votes: u32,
    /// Resulting size, bytes.
    size: Option<u32>,
}

impl Full {
    /// Takes the MSS of the handshake and the bytes that options take of it; some stacks do not subtract these.
    pub fn limit(&mut self, mss: Option<u32>, options: u32) {
        self.limit = mss.map(|mss| mss.saturating_sub(options)).filter(|limit| *limit > 0);
        self.most = mss.filter(|mss| *mss > 0);
        self.size = self.derive();
    }

    /// Takes the payload of a packet that does not end a write (PSH): only such packets are filled.
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

    /// Returns the payload of a full segment, bytes; `None` if neither packets nor a handshake show it.
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

    /// Returns the number of segments in a packet.
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
