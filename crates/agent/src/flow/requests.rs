//! Requests and responses over one connection.

use super::connection::{RECEIVER, SENDER};
use super::outstanding::Ahead;
use super::writes::write_in_parts;
use super::{Flow, exchanges};
use crate::sys::{self, Alarm, Buffer, Socket};
use crate::waiting::Outcome;
use std::io::Error;
use std::sync::{Arc, Mutex, PoisonError};
use wire::{Exchange, Tcp, Until};

/// Each end sends and receives.
const BUFFERS: &[Buffer] = &[Buffer::Send, Buffer::Receive];

/// Sizes and pause of the exchanges.
#[derive(Debug, Clone, Copy)]
pub struct Exchanged {
    /// Size of a request, bytes.
    pub request: u64,
    /// Size of a response, bytes.
    pub response: u64,
    /// Pause between a response and the next request, ns.
    pub think: u64,
    /// Most requests without their whole response.
    pub outstanding: u32,
}

pub fn start(flow: &Flow, tcp: Tcp, exchanged: Exchanged) -> Outcome {
    let (count, duration) = match flow.job.until {
        Until::Exchanges(count) => (count, None),
        Until::Duration(duration) => (u64::MAX, Some(duration)),
        Until::Bytes(_) | Until::Exit => {
            return Err("requests end after a time or a number of them, not after bytes".into());
        }
    };
    if exchanged.request == 0 || exchanged.response == 0 {
        return Err("a request and a response have a byte at least".into());
    }
    if exchanged.outstanding == 0 {
        return Err("no request may be outstanding".into());
    }
    let deadline = duration.map(|duration| flow.start() + duration);
    let client = Requests { flow: flow.clone(), tcp, exchanged, count, deadline, over: Arc::default() };
    let [listener, server] = [client.clone(), client.clone()];
    flow.spawn_listener(move || listener.listen(), move |socket| server.serve(&socket))?;
    flow.spawn_starter(move || client.ask())
}

/// Both ends of the flow. The server counts as the sender, since most data comes from it.
#[derive(Clone)]
struct Requests {
    flow: Flow,
    tcp: Tcp,
    exchanged: Exchanged,
    count: u64,
    /// End of a flow with a duration (CLOCK_MONOTONIC, ns).
    deadline: Option<u64>,
    /// Whether the flow has ended: an end that connects later is not sampled.
    over: Arc<Mutex<bool>>,
}

impl Requests {
    fn listen(&self) -> Result<Socket, String> {
        let socket = self.flow.socket(SENDER, &self.tcp, BUFFERS)?;
        socket.listen(self.flow.job.port)?;
        Ok(socket)
    }

    /// Serves requests until the connection ends. The client reports a broken connection.
    fn serve(&self, listener: &Socket) -> Outcome {
        let socket = self.flow.accept(listener, &self.tcp, BUFFERS)?;
        self.sample(SENDER, &socket)?;
        let never = unset_alarm()?;
        let Exchanged { request, response, .. } = self.exchanged;
        while socket.read(request, &never).is_ok_and(|n| n == request)
            && self.send(&socket, response, &never).is_ok_and(|n| n == response)
        {}
        // Release fails if the end was already released when the flow's time was over.
        let _ = self.flow.release(SENDER);
        Ok(())
    }

    fn ask(&self) -> Outcome {
        let socket = self.flow.socket(RECEIVER, &self.tcp, BUFFERS)?;
        let alarm = unset_alarm()?;
        sys::wake_exactly();
        self.flow.begin();
        if let Some(deadline) = self.deadline {
            alarm.set(deadline).map_err(|e| format!("no timer: {e}"))?;
        }
        let mut done = vec![];
        // A connection that cannot be made or breaks leaves its last exchange open.
        let _ = match self.exchanged.outstanding {
            1 => self.converse(&socket, &alarm, &mut done),
            _ => self.converse_ahead(&socket, &alarm, &mut done),
        };
        drop(alarm);
        if let Some(deadline) = self.deadline {
            sys::sleep_until(deadline);
        }
        self.end(&socket, &done)
    }

    fn converse(&self, socket: &Socket, alarm: &Alarm, done: &mut Vec<Exchange>) -> Result<(), Error> {
        let Exchanged { request, response, think, .. } = self.exchanged;
        let mut start = self.flow.job.start;
        while (done.len() as u64) < self.count && self.deadline.is_none_or(|at| self.flow.origin + start < at) {
            sys::sleep_until(self.flow.origin + start);
            done.push(Exchange { start, end: None });
            if done.len() == 1 {
                self.connect(socket)?;
            }
            if self.send(socket, request, alarm)? < request || socket.read(response, alarm)? < response {
                break;
            }
            let end = self.flow.now();
            if let Some(open) = done.last_mut() {
                open.end = Some(end);
            }
            start = end + think;
        }
        Ok(())
    }

    fn converse_ahead(&self, socket: &Socket, alarm: &Alarm, done: &mut Vec<Exchange>) -> Result<(), Error> {
        // A connection that cannot be made leaves its first request open.
        done.push(Exchange { start: self.flow.job.start, end: None });
        self.connect(socket)?;
        done.clear();
        let Exchanged { request, response, think, outstanding } = self.exchanged;
        let ask = |alarm: &Alarm| Ok(self.send(socket, request, alarm)? == request);
        let Requests { flow, count, deadline, .. } = self;
        Ahead { flow, socket, response, think, outstanding, count: *count, deadline: *deadline, ask: &ask }
            .converse(alarm, done)
    }

    fn connect(&self, socket: &Socket) -> Result<(), Error> {
        self.flow.connect(socket, &self.tcp)?;
        self.sample(RECEIVER, socket).map_err(Error::other)
    }

    /// Sends a message as the program writes it; returns the number of bytes sent.
    fn send(&self, socket: &Socket, bytes: u64, alarm: &Alarm) -> Result<u64, Error> {
        match self.tcp.writes {
            None => socket.send(bytes, alarm),
            Some(writes) => write_in_parts(socket, bytes, (writes, self.deadline.unwrap_or(u64::MAX)), alarm),
        }
    }

    fn sample(&self, end: u32, socket: &Socket) -> Outcome {
        let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        if *over { Ok(()) } else { self.flow.sample(end, socket) }
    }

    fn end(&self, socket: &Socket, done: &[Exchange]) -> Outcome {
        let complete = done.len() as u64 == self.count && done.iter().all(|exchange| exchange.end.is_some());
        // Release fails if the end never connected, since it was not sampled.
        let _ = self.flow.release(RECEIVER);
        if !complete {
            *self.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
            let _ = self.flow.release(SENDER);
        }
        self.flow.tell_end();
        exchanges::tell(self.flow.number, done);
        if complete {
            // The server releases its samples, then closes. If the network fails, nothing is left to do.
            let _ = socket.finish_and_wait(&unset_alarm()?);
            Ok(())
        } else {
            socket.reset()
        }
    }
}

fn unset_alarm() -> Result<Alarm, String> {
    Alarm::new().map_err(|e| format!("no timer: {e}"))
}
