//! A client with several requests under way: it asks ahead, and reads the responses in their order.
//!
//! One thread asks and another reads, so that neither a full send buffer nor an unread response stops both ends.

use super::Flow;
use crate::sys::{self, Alarm, Socket};
use std::io::Error;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use wire::Exchange;

/// Starts of the requests so far, ns after the network was up.
type Starts = Mutex<Vec<u64>>;

/// A connected client that asks ahead.
pub struct Ahead<'a> {
    pub flow: &'a Flow,
    pub socket: &'a Socket,
    /// Size of a response, bytes.
    pub response: u64,
    /// Pause from the end of a response to the request that it makes room for, ns.
    pub think: u64,
    /// Most requests without their whole response.
    pub outstanding: u32,
    /// Number of requests.
    pub count: u64,
    /// End of a flow with a duration (CLOCK_MONOTONIC, ns).
    pub deadline: Option<u64>,
    /// Sends a request; returns false if the alarm rang before it was sent whole.
    pub ask: &'a (dyn Fn(&Alarm) -> Result<bool, Error> + Sync),
}

impl Ahead<'_> {
    /// Exchanges requests until all are answered or the alarm rings. A credit is the time at which a request may be
    /// sent: the flow's start for the first ones, then the end of a response and the pause after it.
    pub fn converse(&self, alarm: &Alarm, done: &mut Vec<Exchange>) -> Result<(), Error> {
        let (credit, credits) = channel();
        let asked = Starts::default();
        let mut ends = vec![];
        let first = u64::from(self.outstanding).min(self.count);
        (0..first).try_for_each(|_| credit.send(self.flow.job.start)).map_err(Error::other)?;
        let answered = thread::scope(|scope| {
            let starts = &asked;
            thread::Builder::new().spawn_scoped(scope, move || self.ask_for(starts, credits))?;
            let mut given = first;
            let outcome = loop {
                match self.socket.read(self.response, alarm) {
                    Ok(read) if read == self.response => {}
                    other => break other.map(drop),
                }
                ends.push(self.flow.now());
                if given < self.count {
                    given += 1;
                    // The asking thread has ended if the flow's time is over or the connection is broken.
                    let _ = credit.send(self.flow.now() + self.think);
                }
                if ends.len() as u64 == self.count {
                    break Ok(());
                }
            };
            drop(credit);
            outcome
        });
        let starts = asked.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ends = ends.into_iter().map(Some).chain(std::iter::repeat(None));
        done.extend(starts.into_iter().zip(ends).map(|(start, end)| Exchange { start, end }));
        answered
    }

    /// Sends a request for each credit, at its time.
    fn ask_for(&self, starts: &Starts, credits: Receiver<u64>) -> Result<(), Error> {
        let alarm = Alarm::new()?;
        sys::wake_exactly();
        if let Some(deadline) = self.deadline {
            alarm.set(deadline)?;
        }
        for due in credits {
            let at = self.flow.origin + due;
            if self.deadline.is_some_and(|deadline| at >= deadline) {
                break;
            }
            sys::sleep_until(at);
            starts.lock().unwrap_or_else(PoisonError::into_inner).push(due);
            if !(self.ask)(&alarm)? {
                break;
            }
        }
        Ok(())
    }
}
