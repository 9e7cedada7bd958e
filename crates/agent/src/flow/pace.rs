//! Applications that write or read slower than TCP allows.

use super::writes::write_in_parts;
use crate::sys::{self, Alarm, Socket};
use crate::waiting::Outcome;
use std::io::{Error, ErrorKind};
use std::iter;
use wire::Writes;

/// Shortest time between two chunks, ns.
const MIN_PERIOD_NS: u64 = 1_000_000;
/// Smallest chunk, bytes: the payload of a full segment on Ethernet.
const MIN_CHUNK_BYTES: u64 = 1448;

/// Pace at which an application writes.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Alternating times in which the application writes and pauses, ns.
    pub on_off: Option<(u64, u64)>,
    /// Rate at which it writes, bit/s.
    pub rate: Option<u64>,
    /// Its calls of write(2), in place of a rate.
    pub writes: Option<Writes>,
}

#[derive(Clone, Copy)]
pub struct Share {
    /// Most bytes to write.
    pub bytes: u64,
    /// Time to stop at (CLOCK_MONOTONIC, ns).
    pub deadline: u64,
}

impl Pace {
    /// True if the application writes all the time, as fast as it can.
    pub fn is_none(&self) -> bool {
        self.on_off.is_none() && self.rate.is_none() && self.writes.is_none()
    }

    pub fn check(&self) -> Outcome {
        match (self.on_off, self.rate, self.writes) {
            (Some((0, _)), ..) => Err("the application is never on".into()),
            (_, Some(0), _) => Err("the send rate is 0".into()),
            (.., Some(Writes { bytes: 0, .. })) => Err("the application writes nothing".into()),
            (_, Some(_), Some(_)) => Err("the application has a rate and writes of a size".into()),
            _ => Ok(()),
        }
    }

    /// Writes to a new connection; on and off times count from `start` (CLOCK_MONOTONIC, ns). Returns the bytes
    /// written.
    pub fn write(&self, socket: &Socket, start: u64, share: Share) -> Result<u64, Error> {
        let mut writer = Writer { socket, alarm: Alarm::new()?, share, written: 0, on: 0 };
        writer.write(self, start)?;
        Ok(writer.written)
    }

    /// Returns the start and end of each period of writing.
    fn periods(self, start: u64) -> impl Iterator<Item = (u64, u64)> {
        let (on, off) = self.on_off.unwrap_or((u64::MAX, 0));
        iter::successors(Some(start), move |from| from.checked_add(on)?.checked_add(off))
            .map(move |from| (from, from.saturating_add(on)))
    }
}

struct Writer<'a> {
    socket: &'a Socket,
    alarm: Alarm,
    share: Share,
    /// Bytes written.
    written: u64,
    /// Time spent on in completed periods, ns.
    on: u64,
}

impl Writer<'_> {
    fn write(&mut self, pace: &Pace, start: u64) -> Result<(), Error> {
        let connected = sys::now();
        for (from, to) in pace.periods(start) {
            let (from, to) = (from.max(connected), to.min(self.share.deadline));
            if from >= self.share.deadline || self.written == self.share.bytes {
                break;
            }
            if from >= to {
                continue;
            }
            sys::sleep_until(from);
            if to != u64::MAX {
                self.alarm.set(to)?;
            }
            let left = self.share.bytes - self.written;
            match (pace.rate, pace.writes) {
                (Some(rate), _) => self.write_at(rate, from, to)?,
                (None, Some(writes)) => {
                    self.written += write_in_parts(self.socket, left, (writes, to), &self.alarm)?;
                }
                (None, None) => self.written += self.socket.send(left, &self.alarm)?,
            }
            self.on += to - from;
        }
        Ok(())
    }

    /// Writes at a rate in one period. Bytes that the connection has not taken by its end are due in the next.
    fn write_at(&mut self, rate: u64, from: u64, to: u64) -> Result<(), Error> {
        for at in ticks(rate, from, to).take_while(|at| *at < self.share.deadline) {
            sys::sleep_until(at);
            let due = bytes_in(rate, self.on + (at - from)).min(self.share.bytes);
            self.written += self.socket.send(due - self.written, &self.alarm)?;
            if self.written < due || self.written == self.share.bytes {
                break;
            }
        }
        Ok(())
    }
}

/// Reads at a rate until the peer closes or `is_over` is true. The reader does not catch up on late data.
pub fn read(socket: &Socket, rate: u64, is_over: impl Fn() -> bool) -> Result<(), Error> {
    sys::wake_exactly();
    let start = sys::now();
    let mut earlier = 0;
    for at in ticks(rate, start, u64::MAX) {
        sys::sleep_until(at);
        if is_over() {
            break;
        }
        let by_now = bytes_in(rate, at - start);
        match socket.read_arrived(by_now - earlier) {
            Ok(0) => break,
            Err(e) if !matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => return Err(e),
            _ => {}
        }
        earlier = by_now;
    }
    Ok(())
}

/// Returns the times after `from` when chunks are due; the last is `to`.
fn ticks(rate: u64, from: u64, to: u64) -> impl Iterator<Item = u64> {
    let apart = MIN_PERIOD_NS.max((MIN_CHUNK_BYTES * 8_000_000_000).div_ceil(rate));
    let next = move |at: u64| (at < to).then(|| at.saturating_add(apart).min(to));
    iter::successors(next(from), move |at| next(*at))
}

fn bytes_in(rate: u64, ns: u64) -> u64 {
    (u128::from(rate) * u128::from(ns) / 8_000_000_000) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_hold_a_segment_and_end_with_their_period() {
        let slow: Vec<u64> = ticks(1_000_000, 5, 25_000_000).collect();
        assert_eq!(slow, [11_584_005, 23_168_005, 25_000_000]);
        let fast: Vec<u64> = ticks(1_000_000_000, 0, 2_500_000).collect();
        assert_eq!(fast, [1_000_000, 2_000_000, 2_500_000]);
        assert_eq!(bytes_in(1_000_000, 11_584_000), MIN_CHUNK_BYTES);
    }

    #[test]
    fn periods_take_turns_from_the_start() {
        let pace = Pace { on_off: Some((3, 7)), rate: None, writes: None };
        assert_eq!(pace.periods(100).take(2).collect::<Vec<_>>(), [(100, 103), (110, 113)]);
        let always = Pace { on_off: None, rate: Some(1), writes: None };
        assert_eq!(always.periods(100).collect::<Vec<_>>(), [(100, u64::MAX)]);
    }
}
