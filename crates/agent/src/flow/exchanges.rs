//! Reports requests and pings to the host.

use crate::lab;
use wire::{Exchange, Message};

/// Exchanges in one message: each takes at most 60 bytes of JSON, so the message stays below [`wire::frame::MAX`].
const MAX_PER_MESSAGE: usize = 50_000;

/// Sends all exchanges of a flow, in as many messages as they need.
pub fn tell(flow: u32, exchanges: &[Exchange]) {
    for part in exchanges.chunks(MAX_PER_MESSAGE) {
        lab::tell(&Message::Exchanges { flow, exchanges: part.to_vec() });
    }
}
