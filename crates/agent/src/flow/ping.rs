//! ICMP echo requests.

use super::connection::SENDER;
use super::{Flow, exchanges};
use crate::sys::{self, Family, Socket};
use crate::waiting::Outcome;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use wire::{Exchange, Until};

/// Minimum wait for the last replies, ns.
const MIN_REPLY_WAIT_NS: u64 = 1_000_000_000;

/// Bytes of an ICMP header.
const ICMP_BYTES: usize = 8;

/// Type of an echo request in ICMP (RFC 792) and in ICMPv6 (RFC 4443, 4.1), which have the same header.
const ECHO_REQUEST: u8 = 8;
const ECHO_REQUEST_V6: u8 = 128;

pub fn start(flow: &Flow, interval: u64, size: u32) -> Outcome {
    let count = match flow.job.until {
        Until::Exchanges(count) => count,
        Until::Duration(duration) => duration.div_ceil(interval.max(1)),
        Until::Bytes(_) | Until::Exit => return Err("pings end after a time or a count, not after bytes".into()),
    };
    if interval == 0 {
        return Err("pings need time between them".into());
    }
    let identifier = u16::try_from(flow.number + 1).map_err(|_| "too many flows for the identifiers of pings")?;
    let pings = Pings { flow: flow.clone(), interval, size, count, identifier };
    flow.spawn_starter(move || pings.send())
}

#[derive(Clone)]
struct Pings {
    flow: Flow,
    /// Interval between requests, ns.
    interval: u64,
    /// Payload of each request, bytes.
    size: u32,
    count: u64,
    identifier: u16,
}

/// A reply: its sequence number and arrival time (ns after the network was up).
type Reply = (u16, u64);

impl Pings {
    fn send(&self) -> Outcome {
        let socket = Arc::new(
            Socket::echo(self.flow.stack(SENDER), self.flow.family(), self.identifier)
                .map_err(|e| format!("cannot make a socket: {e}"))?,
        );
        let replies = self.spawn_receiver(&socket)?;
        let mut pings = Record::default();
        sys::wake_exactly();
        self.flow.begin();
        for number in 0..self.count {
            let start = self.flow.job.start + number * self.interval;
            sys::sleep_until(self.flow.origin + start);
            replies.try_iter().for_each(|reply| pings.take(reply));
            pings.all.push(Exchange { start, end: None });
            // A request that the network does not take is never answered.
            socket
                .send_to(&self.request(number as u16), self.flow.job.address, 0)
                .map_err(|e| format!("cannot send an echo request of {} bytes: {e}", self.size))?;
        }
        self.finish(&mut pings, &replies);
        exchanges::tell(self.flow.number, &pings.all);
        Ok(())
    }

    /// Waits for the last replies.
    fn finish(&self, pings: &mut Record, replies: &Receiver<Reply>) {
        let last = pings.all.last().map_or(0, |ping| ping.start);
        let patience = self.flow.origin + last + MIN_REPLY_WAIT_NS.max(self.flow.settle);
        if let Until::Duration(duration) = self.flow.job.until {
            sys::sleep_until(self.flow.start() + duration);
            self.flow.tell_end();
        }
        replies.try_iter().for_each(|reply| pings.take(reply));
        while !pings.all_answered() {
            let left = Duration::from_nanos(patience.saturating_sub(sys::now()));
            let Ok(reply) = replies.recv_timeout(left) else { break };
            pings.take(reply);
        }
        if !matches!(self.flow.job.until, Until::Duration(_)) {
            self.flow.tell_end();
        }
    }

    /// Starts the receiving thread, which sleeps in the kernel until the guest ends.
    fn spawn_receiver(&self, socket: &Arc<Socket>) -> Result<Receiver<Reply>, String> {
        let (replied, replies) = channel();
        let (pings, socket) = (self.clone(), Arc::clone(socket));
        sys::spawn(move || pings.receive(&socket, &replied))?;
        Ok(replies)
    }

    fn receive(&self, socket: &Socket, replied: &Sender<Reply>) {
        let mut header = [0; ICMP_BYTES];
        while socket.receive(&mut header).is_ok() {
            let sequence = u16::from_be_bytes([header[6], header[7]]);
            if replied.send((sequence, self.flow.now())).is_err() {
                break;
            }
        }
    }

    /// Builds an echo request; the kernel writes its identifier and checksum.
    fn request(&self, sequence: u16) -> Vec<u8> {
        let mut packet = vec![0; ICMP_BYTES + self.size as usize];
        packet[0] = match self.flow.family() {
            Family::V4 => ECHO_REQUEST,
            Family::V6 => ECHO_REQUEST_V6,
        };
        packet[6..8].copy_from_slice(&sequence.to_be_bytes());
        packet
    }
}

/// All pings sent so far.
#[derive(Default)]
struct Record {
    all: Vec<Exchange>,
    answered: usize,
}

impl Record {
    /// Records the first reply to the last ping with this sequence number.
    fn take(&mut self, (sequence, time): Reply) {
        let Some(last) = self.all.len().checked_sub(1) else { return };
        let back = usize::from((last as u16).wrapping_sub(sequence));
        let Some(ping) = last.checked_sub(back).map(|place| &mut self.all[place]) else { return };
        if ping.end.is_none() {
            ping.end = Some(time);
            self.answered += 1;
        }
    }

    fn all_answered(&self) -> bool {
        self.answered == self.all.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_find_their_pings_beyond_the_last_sequence_number() {
        let mut pings = Record { all: vec![Exchange { start: 0, end: None }; 65_537], answered: 0 };
        for reply in [(0, 7), (0, 8), (65_535, 9), (1, 10)] {
            pings.take(reply);
        }
        assert_eq!(pings.all[65_536].end, Some(7));
        assert_eq!(pings.all[65_535].end, Some(9));
        assert_eq!((pings.all[0].end, pings.all[1].end), (None, Some(10)));
        assert_eq!(pings.answered, 3);
    }
}
