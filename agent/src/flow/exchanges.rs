//! What became of requests and pings, told to the host.

use crate::lab;
use wire::{Exchange, Message};

/// Exchanges in a message: at most 60 bytes of JSON each, so that it stays below [`wire::frame::MAX`].
const MAX_PER_MESSAGE: usize = 50_000;

/// Tells all exchanges of a flow, in as many messages as they need.
pub fn tell(flow: u32, exchanges: &[Exchange]) {
    for part in exchanges.chunks(MAX_PER_MESSAGE) {
        lab::tell(&Message::Exchanges { flow, exchanges: part.to_vec() });
    }
}
