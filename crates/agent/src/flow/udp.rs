//! Datagrams at a steady rate.

use super::Flow;
use super::connection::{RECEIVER, SENDER};
use crate::lab;
use crate::sys::{self, Head, Socket};
use crate::waiting::Outcome;
use std::sync::mpsc::{Receiver, Sender, channel};
use wire::{Message, Until};

/// Interval at which the receiver polls, ns, so that no thread wakes for each datagram.
const POLL_INTERVAL_NS: u64 = 10_000_000;

pub fn start(flow: &Flow, rate: u64, size: u32) -> Outcome {
    let Until::Duration(duration) = flow.job.until else {
        return Err("datagrams end after a time".into());
    };
    if rate == 0 || (size as usize) < size_of::<Head>() {
        return Err("datagrams need a rate, and 8 bytes at least for their number".into());
    }
    let sender = Datagrams { flow: flow.clone(), rate, size, duration };
    let receiver = sender.clone();
    let (counted, count) = channel();
    let port = flow.job.port;
    let (stack, family) = (flow.stack(RECEIVER), flow.family());
    let listen = move || Socket::udp_on(stack, family, port).map_err(|e| format!("cannot receive on port {port}: {e}"));
    flow.spawn_listener(listen, move |socket| receiver.receive(&socket, &counted))?;
    flow.spawn_starter(move || sender.send(&count))
}

#[derive(Clone)]
struct Datagrams {
    flow: Flow,
    rate: u64,
    /// Payload of each datagram, bytes.
    size: u32,
    /// Duration of the flow, ns.
    duration: u64,
}

impl Datagrams {
    /// Returns the number of datagrams to send: the first at the start, the last before the end.
    fn total(&self) -> u64 {
        (u128::from(self.duration) * u128::from(self.rate)).div_ceil(self.bits()) as u64
    }

    /// Returns the time of one datagram at 1 bit/s, ns.
    fn bits(&self) -> u128 {
        u128::from(self.size) * 8_000_000_000
    }

    /// Returns when a datagram is sent, ns after the start.
    fn due(&self, number: u64) -> u64 {
        (u128::from(number) * self.bits() / u128::from(self.rate)) as u64
    }

    fn send(&self, count: &Receiver<Tally>) -> Outcome {
        let socket = Socket::udp(self.flow.stack(SENDER), self.flow.family())
            .map_err(|e| format!("cannot make a socket: {e}"))?;
        sys::wake_exactly();
        let mut datagram = vec![0; self.size as usize];
        self.flow.begin();
        let total = self.total();
        for number in 0..total {
            sys::sleep_until(self.flow.start() + self.due(number));
            datagram[..size_of::<Head>()].copy_from_slice(&number.to_be_bytes());
            // A datagram that the network does not take counts as sent and lost.
            socket
                .send_to(&datagram, self.flow.job.address, self.flow.job.port)
                .map_err(|e| format!("cannot send a datagram of {} bytes: {e}", self.size))?;
        }
        sys::sleep_until(self.flow.start() + self.duration);
        self.flow.tell_end();
        let Tally { received, on_time, reordered, .. } = count.recv().map_err(|_| "its receiver has failed")?;
        lab::tell(&Message::Datagrams { flow: self.flow.number, sent: total, received, on_time, reordered });
        Ok(())
    }

    fn receive(&self, socket: &Socket, counted: &Sender<Tally>) -> Outcome {
        let mut tally = Tally::new(self.total());
        let end = self.flow.start() + self.duration;
        let last = end + self.flow.settle;
        sys::wake_exactly();
        let mut at = self.flow.start();
        while at < last {
            at = (at + POLL_INTERVAL_NS).min(if at < end { end } else { last });
            sys::sleep_until(at);
            for head in socket.drain().map_err(|e| format!("cannot receive: {e}"))? {
                tally.count(u64::from_be_bytes(head));
            }
            if at == end {
                tally.on_time = tally.received;
            }
        }
        // Sending fails only if the flow's sender failed, which it has reported itself.
        let _ = counted.send(tally);
        Ok(())
    }
}

struct Tally {
    /// Bitmap of datagrams received, up to the highest.
    seen: Vec<u64>,
    total: u64,
    highest: u64,
    received: u64,
    on_time: u64,
    reordered: u64,
}

impl Tally {
    fn new(total: u64) -> Tally {
        Tally { seen: vec![], total, highest: 0, received: 0, on_time: 0, reordered: 0 }
    }

    /// Counts a datagram at its first arrival.
    fn count(&mut self, number: u64) {
        if number >= self.total {
            return;
        }
        let (word, bit) = ((number / 64) as usize, 1 << (number % 64));
        if word >= self.seen.len() {
            self.seen.resize(word + 1, 0);
        }
        if self.seen[word] & bit != 0 {
            return;
        }
        self.seen[word] |= bit;
        self.received += 1;
        self.reordered += u64::from(number < self.highest);
        self.highest = self.highest.max(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_and_strangers_do_not_count() {
        let mut tally = Tally::new(100);
        for number in [0, 1, 3, 2, 2, 99, 98, 100, u64::MAX] {
            tally.count(number);
        }
        assert_eq!((tally.received, tally.reordered), (6, 2));
    }
}
