//! Bulk flows: a thread at each end, both asleep in the kernel while packets move.

use crate::{lab, sys};
use std::fs;
use std::os::fd::AsRawFd;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;
use sys::{Buffer, Socket};
use wire::{FlowJob, Job, Message, Readback};

const SENDER: u32 = 0;
const RECEIVER: u32 = 1;

type Outcome = Result<(), String>;

/// Runs all flows of the job to their ends; times count from `origin` (CLOCK_MONOTONIC, ns).
pub fn run_all(job: &Job, origin: u64) -> Outcome {
    let (done, outcomes) = channel();
    for (number, flow) in job.flows.iter().enumerate() {
        let ends = Ends { number: number as u32, flow: flow.clone(), origin, done: done.clone() };
        ends.spawn()?;
    }
    drop(done);
    let deadline = origin + job.limit;
    for _ in &job.flows {
        wait(&outcomes, deadline)??;
    }
    Ok(())
}

fn wait(outcomes: &Receiver<Outcome>, deadline: u64) -> Result<Outcome, String> {
    let left = Duration::from_nanos(deadline.saturating_sub(sys::now()));
    outcomes.recv_timeout(left).map_err(|e| match e {
        RecvTimeoutError::Timeout => "a flow had not ended when the trial's time was over".into(),
        RecvTimeoutError::Disconnected => "a flow's thread is gone".into(),
    })
}

#[derive(Clone)]
struct Ends {
    number: u32,
    flow: FlowJob,
    origin: u64,
    done: Sender<Outcome>,
}

impl Ends {
    /// The receiver listens before this returns.
    fn spawn(self) -> Outcome {
        let (listening, listens) = channel();
        let receiver = self.clone();
        thread::spawn(move || {
            let socket = receiver.listen();
            let failed = socket.is_err();
            let _ = listening.send(socket.as_ref().err().cloned());
            if !failed && let Err(what) = socket.and_then(|s| receiver.receive(&s)) {
                let _ = receiver.done.send(Err(receiver.place(&what)));
            }
        });
        if let Some(what) = listens.recv().map_err(|e| e.to_string())? {
            return Err(self.place(&what));
        }
        thread::spawn(move || {
            let outcome = self.send().map_err(|what| self.place(&what));
            let _ = self.done.send(outcome);
        });
        Ok(())
    }

    fn place(&self, what: &str) -> String {
        format!("flow {} ({} to {}): {what}", self.number, self.flow.from, self.flow.to)
    }

    fn listen(&self) -> Result<Socket, String> {
        sys::enter_namespace(&self.flow.to)?;
        let socket = Socket::tcp()?;
        self.set_buffer(&socket, Buffer::Receive, self.flow.receive_buffer)?;
        self.set_mss(&socket)?;
        socket.listen(self.flow.port)?;
        Ok(socket)
    }

    fn receive(&self, listener: &Socket) -> Outcome {
        let socket = listener.accept()?;
        lab::control(&format!("flow {} {RECEIVER} {}", self.number, socket.as_raw_fd()))?;
        socket.discard_all()?;
        if self.flow.bytes.is_some() {
            self.end(&[RECEIVER])?;
        }
        Ok(())
    }

    fn send(&self) -> Outcome {
        sys::enter_namespace(&self.flow.from)?;
        let socket = Socket::tcp()?;
        self.choose_congestion_control(&socket)?;
        self.set_buffer(&socket, Buffer::Send, self.flow.send_buffer)?;
        self.set_mss(&socket)?;
        let start = self.origin + self.flow.start;
        sys::sleep_until(start);
        lab::tell(&Message::Started { flow: self.number, time: self.flow.start });
        socket.connect(self.flow.address, self.flow.port)?;
        lab::control(&format!("flow {} {SENDER} {}", self.number, socket.as_raw_fd()))?;
        match (self.flow.bytes, self.flow.duration) {
            (Some(bytes), _) => {
                socket.send_bytes(bytes)?;
                socket.finish_and_wait()?;
                lab::control(&format!("release {} {SENDER}", self.number))
            }
            (None, Some(duration)) => {
                let ended = socket.send_until(start + duration, || self.end(&[SENDER, RECEIVER]))?;
                ended.and_then(|()| socket.reset())
            }
            (None, None) => Err("neither bytes nor a duration ends it".into()),
        }
    }

    fn end(&self, ends: &[u32]) -> Outcome {
        for end in ends {
            let released = lab::control(&format!("release {} {end}", self.number));
            released.map_err(|_| "its connection was not established when its time was over; give it longer")?;
        }
        lab::tell(&Message::Ended { flow: self.number, time: sys::now().saturating_sub(self.origin) });
        Ok(())
    }

    fn choose_congestion_control(&self, socket: &Socket) -> Outcome {
        let name = &self.flow.congestion;
        socket.set_congestion_control(name).map_err(|e| {
            let known = fs::read_to_string("/proc/sys/net/ipv4/tcp_available_congestion_control").unwrap_or_default();
            format!("congestion control \"{name}\": {e}; this kernel has {}", known.trim())
        })
    }

    fn set_mss(&self, socket: &Socket) -> Outcome {
        let Some(mss) = self.flow.mss else { return Ok(()) };
        socket.set_mss(mss).map_err(|e| format!("mss {mss}: {e}"))
    }

    /// Sets a buffer, if it was asked for, and tells the host what the kernel made of it.
    fn set_buffer(&self, socket: &Socket, buffer: Buffer, bytes: Option<u32>) -> Outcome {
        let Some(bytes) = bytes else { return Ok(()) };
        let (asked, got) =
            socket.set_buffer(buffer, bytes).map_err(|e| format!("{buffer:?} buffer of {bytes} bytes: {e}"))?;
        lab::tell(&Message::Readbacks(vec![Readback {
            place: format!("flow {}", self.number),
            setting: match buffer {
                Buffer::Send => "SO_SNDBUF".into(),
                Buffer::Receive => "SO_RCVBUF".into(),
            },
            asked: asked.to_string(),
            got: got.to_string(),
        }]));
        Ok(())
    }
}
