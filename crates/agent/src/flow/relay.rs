//! A proxy: a host that ends one connection and sends its data on over another.
//!
//! The proxy buffers at most [`RELAY_BYTES`] bytes: it reads, writes all of that, and reads again. A full send buffer
//! onward therefore stops its reading, and the receive window towards the sender closes.

use super::bulk::Bulk;
use super::connection::{RECEIVER, SENDER};
use crate::lab;
use crate::sys::{self, Alarm, Buffer, Socket};
use crate::waiting::Outcome;
use std::io::{Error, ErrorKind};
use wire::{Message, Until};

/// Buffer of the relay in addition to its sockets' buffers, bytes. HAProxy's tune.bufsize is a quarter of it, nginx's
/// proxy_buffers up to half.
const RELAY_BYTES: usize = 65_536;

/// Starts both connections of a relayed flow: `first` leads to the proxy, `onward` from there.
pub fn start(first: Bulk, onward: Bulk) -> Outcome {
    let [listener, receiver] = [onward.clone(), onward.clone()];
    onward.flow.spawn_listener(move || listener.listen(), move |socket| receiver.receive(&socket))?;
    let (flow, [listener, sender]) = (first.flow.clone(), [first.clone(), first.clone()]);
    flow.spawn_listener(move || listener.listen(), move |socket| relay(&first, &onward, &socket))?;
    flow.spawn_starter(move || sender.send())
}

fn relay(first: &Bulk, onward: &Bulk, listener: &Socket) -> Outcome {
    let outcome = both(first, onward, listener);
    onward.flow.reporter.report(outcome.map_err(|what| onward.flow.place(&what)));
    Ok(())
}

fn both(first: &Bulk, onward: &Bulk, listener: &Socket) -> Outcome {
    let no_timer = |e: Error| format!("no timer: {e}");
    let alarm = Alarm::new().map_err(no_timer)?;
    alarm.set(onward.deadline).map_err(no_timer)?;
    sys::sleep_until(onward.flow.start());
    // Both flows count from the sender's connect.
    lab::tell(&Message::Started { flow: onward.flow.number, time: onward.flow.job.start });
    let incoming = match accept(first, listener, &alarm)? {
        Some(incoming) => incoming,
        None => {
            onward.end(Some("no connection came to be relayed in time".into()));
            return Ok(());
        }
    };
    first.sample(RECEIVER, &incoming)?;
    let socket = onward.flow.socket(SENDER, &onward.tcp, &[Buffer::Send])?;
    let relayed = match onward.connect(&socket) {
        Ok(()) => {
            onward.connected(&socket)?;
            pass(&incoming, &socket, &alarm)
        }
        Err(why) => {
            wait(&alarm, onward);
            onward.end(Some(why));
            return socket.reset();
        }
    };
    match (relayed, onward.flow.job.until) {
        (Ok(true), Until::Bytes(_)) => {
            first.has_read_all()?;
            let finished = socket.finish_and_wait(&alarm);
            let broken = finished.err().map(|e| format!("cannot finish what it relays: {e}"));
            let reset = if broken.is_some() { socket.reset() } else { Ok(()) };
            onward.end(broken);
            reset
        }
        (Ok(false), Until::Bytes(_)) => {
            onward.end(Some("not everything was relayed before the trial's time limit".into()));
            socket.reset()
        }
        (Ok(_), _) => {
            wait(&alarm, onward);
            onward.end(None);
            socket.reset()
        }
        (Err(why), _) => {
            wait(&alarm, onward);
            onward.end(Some(format!("cannot relay: {why}")));
            socket.reset()
        }
    }
}

/// Accepts the connection to relay, if one arrives in time.
fn accept(first: &Bulk, listener: &Socket, alarm: &Alarm) -> Result<Option<Socket>, String> {
    match first.flow.accept(listener, &first.tcp, &[Buffer::Receive]) {
        Ok(socket) => Ok(Some(socket)),
        Err(_) if alarm.rang() => Ok(None),
        Err(why) => Err(why),
    }
}

/// Relays until the sender has closed (true) or the alarm rings.
fn pass(from: &Socket, to: &Socket, alarm: &Alarm) -> Result<bool, Error> {
    let mut held = vec![0; RELAY_BYTES];
    loop {
        let Some(arrived) = unless_rung(alarm, || from.read_into(&mut held))? else { return Ok(false) };
        if arrived == 0 {
            return Ok(true);
        }
        let mut written = 0;
        while written < arrived {
            let Some(taken) = unless_rung(alarm, || to.write(&held[written..arrived]))? else { return Ok(false) };
            written += taken;
        }
    }
}

/// Makes a blocking call, again if another signal interrupted it; `None` if the alarm did.
fn unless_rung(alarm: &Alarm, mut call: impl FnMut() -> Result<usize, Error>) -> Result<Option<usize>, Error> {
    loop {
        match call() {
            Err(e) if e.kind() == ErrorKind::Interrupted => {
                if alarm.rang() {
                    return Ok(None);
                }
            }
            result => return result.map(Some),
        }
    }
}

/// Waits for the end of a flow with a duration, even if its connection broke earlier.
fn wait(alarm: &Alarm, onward: &Bulk) {
    if let Until::Duration(_) = onward.flow.job.until
        && !alarm.rang()
    {
        sys::sleep_until(onward.deadline);
    }
}
