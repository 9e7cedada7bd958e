//! Tunnels over a TCP connection. Each packet of the tun device follows its length, 16 bits in network order, as
//! OpenVPN frames a stream. TCP sends each packet at once (TCP_NODELAY).

use crate::sys::{Family, Socket, Stack, Tun};
use crate::waiting::{Outcome, Reporter, Waiting};
use crate::{lab, sys};
use std::io::{Error, ErrorKind};
use std::sync::Arc;
use std::thread;
use wire::{Job, TunnelJob};

/// Largest IP packet, bytes.
const PACKET_MAX: usize = 65_535;
/// Bytes per read of a connection.
const READ_BYTES: usize = 65_536;

/// A tunnel with an established connection.
pub struct Tunnel {
    job: TunnelJob,
    ends: [(Socket, Tun); 2],
}

/// Connects the ends of each tunnel, in their order.
pub fn connect_all(job: &Job) -> Result<Vec<Tunnel>, String> {
    job.tunnels.iter().map(|job| connect(job).map_err(|what| place(job, &what))).collect()
}

fn place(job: &TunnelJob, what: &str) -> String {
    let [one, other] = &job.ends;
    format!("tunnel {} ({one} to {other}): {what}", job.number)
}

fn connect(job: &TunnelJob) -> Result<Tunnel, String> {
    let [here, there] = &job.ends;
    let socket = || Socket::tcp(Stack::Linux, Family::from_address(job.to.ip()), false);
    let tun = || Tun::open(&job.device).map_err(|e| format!("cannot open {}: {e}", job.device));
    let (listener, second) = sys::in_namespace(there, || {
        let listener = socket()?;
        listener.listen(job.to.port())?;
        Ok::<_, String>((listener, tun()?))
    })??;
    let (from, first) = sys::in_namespace(here, || {
        let from = socket()?;
        from.connect(job.to.ip(), job.to.port()).map_err(|e| format!("cannot connect to {}: {e}", job.to))?;
        Ok::<_, String>((from, tun()?))
    })??;
    let ends = [(from, first), (listener.accept()?, second)];
    for (end, (socket, _)) in ends.iter().enumerate() {
        socket.send_at_once().map_err(|e| format!("TCP_NODELAY: {e}"))?;
        lab::control(&format!("tunnel {} {end} {}", job.number, std::os::fd::AsRawFd::as_raw_fd(socket)))?;
    }
    Ok(Tunnel { job: job.clone(), ends })
}

/// Starts to carry packets; a connection that breaks fails the trial.
pub fn start_all(tunnels: Vec<Tunnel>, waiting: &Waiting) -> Outcome {
    for Tunnel { job, ends } in tunnels {
        for end in ends.map(Arc::new) {
            start(&job, waiting.background_reporter(), &end, |(socket, tun)| send(tun, socket))?;
            start(&job, waiting.background_reporter(), &end, |(socket, tun)| receive(socket, tun))?;
        }
    }
    Ok(())
}

fn start(
    job: &TunnelJob,
    reporter: Reporter,
    end: &Arc<(Socket, Tun)>,
    carry: fn(&(Socket, Tun)) -> Result<(), Error>,
) -> Outcome {
    let (job, end) = (job.clone(), end.clone());
    let work = move || {
        if let Err(e) = carry(&end) {
            reporter.report(Err(place(&job, &format!("its connection broke: {e}"))));
        }
    };
    thread::Builder::new().spawn(work).map(drop).map_err(|e| format!("cannot start a thread: {e}"))
}

fn send(tun: &Tun, socket: &Socket) -> Result<(), Error> {
    let mut frame = vec![0; 2 + PACKET_MAX];
    loop {
        let length = again(|| tun.read(&mut frame[2..]))?;
        frame[..2].copy_from_slice(&(length as u16).to_be_bytes());
        let mut written = 0;
        while written < 2 + length {
            written += again(|| socket.write(&frame[written..2 + length]))?;
        }
    }
}

fn receive(socket: &Socket, tun: &Tun) -> Result<(), Error> {
    let (mut gulp, mut left) = (vec![0; READ_BYTES], Vec::with_capacity(2 * READ_BYTES));
    loop {
        let length = again(|| socket.read_into(&mut gulp))?;
        if length == 0 {
            return Err(Error::new(ErrorKind::UnexpectedEof, "the other end has closed it"));
        }
        left.extend(&gulp[..length]);
        let taken = deliver(&left, |packet| tun.write(packet))?;
        left.drain(..taken);
    }
}

/// Hands each complete packet to `take`; returns the number of bytes consumed.
fn deliver(stream: &[u8], mut take: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<usize, Error> {
    let mut taken = 0;
    while let Some(&[high, low]) = stream[taken..].first_chunk() {
        let length = usize::from(u16::from_be_bytes([high, low]));
        let Some(packet) = stream.get(taken + 2..taken + 2 + length) else { break };
        take(packet)?;
        taken += 2 + length;
    }
    Ok(taken)
}

fn again(mut call: impl FnMut() -> Result<usize, Error>) -> Result<usize, Error> {
    loop {
        match call() {
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_come_out_of_a_stream_wherever_it_is_cut() {
        let stream = [0, 3, 1, 2, 3, 0, 0, 0, 1, 9];
        for cut in 0..=stream.len() {
            let (mut packets, mut left) = (vec![], vec![]);
            for part in [&stream[..cut], &stream[cut..]] {
                left.extend(part);
                let take = |packet: &[u8]| {
                    packets.push(packet.to_vec());
                    Ok(())
                };
                let taken = deliver(&left, take).unwrap();
                left.drain(..taken);
            }
            assert_eq!(packets, [vec![1, 2, 3], vec![], vec![9]], "cut at {cut}");
        }
    }
}
