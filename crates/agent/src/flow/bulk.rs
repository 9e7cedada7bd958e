//! Bulk data in one direction: a thread at each end, both asleep in the kernel while packets move.

use super::Flow;
use super::connection::{RECEIVER, SENDER};
use super::pace::{self, Pace, Share};
use crate::lab;
use crate::sys::{self, Alarm, Buffer, Socket};
use crate::waiting::Outcome;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wire::{Message, Tcp, Until};

/// Limits of the two ends apart from TCP's own.
#[derive(Clone, Copy)]
pub struct Ends {
    /// Rate at which the receiver reads, bit/s.
    pub read_rate: Option<u64>,
    /// Congestion window at which the sender's slow start ends, bytes.
    pub slow_start_ends: Option<u64>,
}

pub fn start(sender: Bulk) -> Outcome {
    let flow = sender.flow.clone();
    let [listener, receiver] = [sender.clone(), sender.clone()];
    flow.spawn_listener(move || listener.listen(), move |socket| receiver.receive(&socket))?;
    flow.spawn_starter(move || sender.send())
}

#[derive(Clone)]
pub struct Bulk {
    pub flow: Flow,
    pub tcp: Tcp,
    pace: Pace,
    ends: Ends,
    /// Latest end of the flow (CLOCK_MONOTONIC, ns).
    pub deadline: u64,
    /// Whether the flow has ended: an end that connects later is not sampled, and a slow reader stops with data unread.
    over: Arc<Mutex<bool>>,
}

impl Bulk {
    pub fn new(flow: &Flow, tcp: Tcp, pace: Pace, ends: Ends) -> Result<Bulk, String> {
        pace.check()?;
        if ends.read_rate == Some(0) {
            return Err("the read rate is 0".into());
        }
        let deadline = match flow.job.until {
            Until::Duration(duration) => flow.start() + duration,
            Until::Bytes(_) => flow.limit,
            Until::Exchanges(_) | Until::Exit => return Err("bulk flows have no requests to count".into()),
        };
        Ok(Bulk { flow: flow.clone(), tcp, pace, ends, deadline, over: Arc::default() })
    }

    pub fn listen(&self) -> Result<Socket, String> {
        let socket = self.flow.socket(RECEIVER, &self.tcp, &[Buffer::Receive])?;
        socket.listen(self.flow.job.port)?;
        Ok(socket)
    }

    /// Accepts the connection and reads until it ends. The sender reports a broken connection.
    pub fn receive(&self, listener: &Socket) -> Outcome {
        let socket = self.flow.accept(listener, &self.tcp, &[Buffer::Receive])?;
        self.sample(RECEIVER, &socket)?;
        let read = match self.ends.read_rate {
            None => socket.discard_all(None),
            Some(rate) => pace::read(&socket, rate, || *self.over()),
        };
        if read.is_ok() && matches!(self.flow.job.until, Until::Bytes(_)) {
            self.has_read_all()?;
        }
        Ok(())
    }

    /// Ends the flow, since the receiver has read the last byte.
    pub fn has_read_all(&self) -> Outcome {
        let mut over = self.over();
        if !*over {
            *over = true;
            self.flow.release(RECEIVER)?;
            self.flow.tell_end();
        }
        Ok(())
    }

    pub fn send(&self) -> Outcome {
        let socket = self.flow.socket(SENDER, &self.tcp, &[Buffer::Send])?;
        let alarm = Alarm::new().map_err(|e| format!("no timer: {e}"))?;
        alarm.set(self.deadline).map_err(|e| format!("no timer: {e}"))?;
        if !self.pace.is_none() {
            sys::wake_exactly();
        }
        self.flow.begin();
        if let Err(why) = self.connect(&socket) {
            drop(alarm);
            if let Until::Duration(_) = self.flow.job.until {
                sys::sleep_until(self.deadline);
            }
            self.end(Some(why));
            return socket.reset();
        }
        self.connected(&socket)?;
        if let Until::Bytes(bytes) = self.flow.job.until {
            let broken = self.send_bytes(&socket, bytes, &alarm).err();
            let reset = if broken.is_some() { socket.reset() } else { Ok(()) };
            self.end(broken);
            reset
        } else {
            drop(alarm);
            self.send_until_deadline(&socket)
        }
    }

    /// Sets up sampling and the end of slow start at the connected sender.
    pub fn connected(&self, socket: &Socket) -> Outcome {
        self.sample(SENDER, socket)?;
        let leave = |bytes| lab::control(&format!("leave {} {bytes}", self.flow.number));
        self.ends.slow_start_ends.map_or(Ok(()), leave)
    }

    pub fn connect(&self, socket: &Socket) -> Result<(), String> {
        let job = &self.flow.job;
        self.flow.connect(socket, &self.tcp).map_err(|e| match e.kind() {
            ErrorKind::Interrupted => format!("not connected to {} port {} in time", job.address, job.port),
            _ => format!("cannot connect to {} port {}: {e}", job.address, job.port),
        })
    }

    fn send_bytes(&self, socket: &Socket, bytes: u64, alarm: &Alarm) -> Result<(), String> {
        let share = Share { bytes, deadline: self.deadline };
        let sent = if self.pace.is_none() {
            socket.send(bytes, alarm)
        } else {
            self.pace.write(socket, self.flow.start(), share)
        };
        if sent.map_err(|e| format!("cannot send: {e}"))? < bytes {
            sys::sleep_until(self.deadline);
            return Err("not everything was sent before the trial's time limit".into());
        }
        socket.finish_and_wait(alarm).map_err(|e| match e.kind() {
            ErrorKind::Interrupted => "not everything had arrived before the trial's time limit".into(),
            _ => format!("cannot finish: {e}"),
        })
    }

    fn send_until_deadline(&self, socket: &Socket) -> Outcome {
        let cannot_send = |broken: Option<std::io::Error>| broken.map(|e| format!("cannot send: {e}"));
        if self.pace.is_none() {
            socket.send_until(self.deadline, |broken| self.end(cannot_send(broken)))?;
        } else {
            let share = Share { bytes: u64::MAX, deadline: self.deadline };
            let written = self.pace.write(socket, self.flow.start(), share);
            sys::sleep_until(self.deadline);
            self.end(cannot_send(written.err()));
        }
        socket.reset()
    }

    pub fn sample(&self, end: u32, socket: &Socket) -> Outcome {
        let over = self.over();
        if *over { Ok(()) } else { self.flow.sample(end, socket) }
    }

    /// Ends the flow from the sender's side, unless the receiver has already reported that it read all.
    pub fn end(&self, broken: Option<String>) {
        let mut over = self.over();
        // Release fails if the end never connected, since it was not sampled.
        let _ = self.flow.release(SENDER);
        if *over {
            return;
        }
        *over = true;
        let _ = self.flow.release(RECEIVER);
        match broken {
            None => self.flow.tell_end(),
            Some(why) => lab::tell(&Message::Broken { flow: self.flow.number, time: self.flow.now(), why }),
        }
    }

    fn over(&self) -> MutexGuard<'_, bool> {
        self.over.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
