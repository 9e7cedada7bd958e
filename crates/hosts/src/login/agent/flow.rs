//! Flows of an experiment: several at the same time, each with its own socket options, and tcp_info of both ends.
//!
//! Clocks are not compared: each end counts from its own zero, which is the order at the connecting end and the first
//! line at the listening one.

use super::transfer::{BLOCK, READ_OUT_TIMEOUT, WRITE_TIMEOUT, set_congestion};
use super::{Asked, CONNECT, introduce};
use crate::login::socket_diag::{TcpInfo, Watched};
use base16ct::lower::{decode_vec, encode_string};
use nix::libc;
use nix::sys::socket::{AddressFamily, SockFlag, SockType, SockaddrStorage, connect, setsockopt, socket, sockopt};
use nix::sys::time::{TimeVal, TimeValLike};
use serde::{Deserialize, Serialize};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A flow to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlowLoad {
    pub number: u32,
    /// Start after the order.
    pub start: Duration,
    /// Whether the connecting end sends.
    pub forward: bool,
    pub until: Until,
    /// Time after which the flow is given up.
    pub limit: Duration,
    /// Largest number of bytes, however long it lasts.
    pub most: u64,
    /// Congestion control of the sending end, instead of its host's default.
    pub congestion: Option<String>,
    /// TCP_MAXSEG of the connecting end, whose SYN tells it the other.
    pub mss: Option<u32>,
    /// SO_SNDBUF of the sending end.
    pub send_buffer: Option<u32>,
    /// SO_RCVBUF of the receiving end; a listening end has its listener's.
    pub receive_buffer: Option<u32>,
    /// Rate at which the application writes, bits per second.
    pub rate: Option<u64>,
    /// Interval between samples of tcp_info.
    pub sample: Duration,
}

/// The end condition of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Until {
    /// End after this long; the connection is then reset.
    Time(Duration),
    /// End once the receiver has read these bytes.
    Bytes(u64),
}

impl FlowLoad {
    /// Returns its longest duration.
    pub(super) fn longest(&self) -> Duration {
        match self.until {
            Until::Time(time) => time,
            Until::Bytes(_) => self.limit,
        }
    }

    /// Returns the largest number of bytes written.
    pub(super) fn bytes(&self) -> u64 {
        match self.until {
            Until::Time(_) => self.most,
            Until::Bytes(bytes) => bytes.min(self.most),
        }
    }
}

/// A flow as seen by one of its ends. Times are ns from the end's own zero.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    pub number: u32,
    pub sends: bool,
    /// Start and return of connect(2); 0 at the listening end.
    pub connecting: [u64; 2],
    pub ended: u64,
    /// Bytes written or read.
    pub bytes: u64,
    /// Whether it ended because of [`FlowLoad::most`].
    pub was_cut: bool,
    /// Reason why it could not be made, or broke.
    pub broken: Option<String>,
    pub ends: Option<[SocketAddr; 2]>,
    /// Congestion control that the kernel had last.
    pub congestion: String,
    pub looks: Vec<Look>,
}

/// A sample of the kernel's view of a connection.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    pub time: u64,
    /// sk_sndbuf, sk_wmem_queued, sk_rcvbuf and the memory of the receive queue, bytes.
    pub memory: [u32; 4],
    /// `struct tcp_info`, two hexadecimal digits a byte.
    pub info: String,
}

impl Look {
    fn new(time: u64, info: &TcpInfo) -> Look {
        Look { time, memory: info.memory(), info: encode_string(info.raw()) }
    }

    /// Creates a sample with these bytes of `struct tcp_info`.
    pub fn of_info(time: u64, memory: [u32; 4], info: &[u8]) -> Look {
        Look { time, memory, info: encode_string(info) }
    }

    /// Returns the bytes of `struct tcp_info`; none if it is not hexadecimal.
    pub fn info(&self) -> Vec<u8> {
        decode_vec(&self.info).unwrap_or_default()
    }
}

/// Makes flows from the connecting end, each in its own thread.
pub(super) fn connecting(address: SocketAddr, token: &str, flows: &[FlowLoad]) -> Vec<End> {
    let zero = Instant::now();
    thread::scope(|scope| {
        let made = |load: &'_ FlowLoad| {
            let load = load.clone();
            scope.spawn(move || {
                thread::sleep(load.start.saturating_sub(zero.elapsed()));
                one(address, token, &load, zero)
            })
        };
        let threads: Vec<_> = flows.iter().map(made).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

fn one(address: SocketAddr, token: &str, load: &FlowLoad, zero: Instant) -> End {
    let began = since(zero);
    let mut end = End { number: load.number, sends: load.forward, connecting: [began; 2], ..End::default() };
    let done = connected(address, load).and_then(|mut stream| {
        end.connecting[1] = since(zero);
        introduce(&mut stream, token, &Asked::Flow(load.clone()))?;
        transfer(stream, load, zero, Duration::from_nanos(began), &mut end)
    });
    finished(end, done, zero)
}

/// Serves the listening end of a flow whose first line has been read.
pub(super) fn listening(stream: TcpStream, load: &FlowLoad) -> End {
    let zero = Instant::now();
    let mut end = End { number: load.number, sends: !load.forward, ..End::default() };
    let done = transfer(stream, load, zero, Duration::ZERO, &mut end);
    finished(end, done, zero)
}

fn finished(mut end: End, done: io::Result<()>, zero: Instant) -> End {
    if end.ended == 0 {
        end.ended = since(zero);
    }
    end.broken = done.err().map(|error| error.to_string());
    end
}

fn since(zero: Instant) -> u64 {
    u64::try_from(zero.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Connects with the options that must be set before.
fn connected(address: SocketAddr, load: &FlowLoad) -> io::Result<TcpStream> {
    let family = if address.is_ipv4() { AddressFamily::Inet } else { AddressFamily::Inet6 };
    let own = socket(family, SockType::Stream, SockFlag::SOCK_CLOEXEC, None)?;
    if let Some(mss) = load.mss {
        setsockopt(&own, sockopt::TcpMaxSeg, &mss).map_err(about("TCP_MAXSEG"))?;
    }
    if let Some(bytes) = load.receive_buffer.filter(|_| !load.forward) {
        setsockopt(&own, sockopt::RcvBuf, &(bytes as usize)).map_err(about("SO_RCVBUF"))?;
    }
    if load.forward {
        for_sending(&own, load)?;
    }
    let seconds = i64::try_from(CONNECT.as_secs()).unwrap_or(i64::MAX);
    setsockopt(&own, sockopt::SendTimeout, &TimeVal::seconds(seconds))?;
    connect(own.as_raw_fd(), &SockaddrStorage::from(address)).map_err(|error| match io::Error::from(error) {
        // SO_SNDTIMEO ended it (socket(7)).
        error if error.raw_os_error() == Some(libc::EINPROGRESS) => ErrorKind::TimedOut.into(),
        error => error,
    })?;
    Ok(TcpStream::from(own))
}

fn for_sending(own: &impl std::os::fd::AsFd, load: &FlowLoad) -> io::Result<()> {
    if let Some(congestion) = &load.congestion {
        set_congestion(own, congestion)?;
    }
    if let Some(bytes) = load.send_buffer {
        setsockopt(own, sockopt::SndBuf, &(bytes as usize)).map_err(about("SO_SNDBUF"))?;
    }
    Ok(())
}

fn about(what: &str) -> impl FnOnce(nix::errno::Errno) -> io::Error {
    move |error| io::Error::other(format!("{what}: {}", error.desc()))
}

/// Sends or receives, and samples tcp_info meanwhile; `began` is the start of the flow's time, since `zero`.
fn transfer(mut stream: TcpStream, load: &FlowLoad, zero: Instant, began: Duration, end: &mut End) -> io::Result<()> {
    if end.sends && end.connecting[1] == 0 {
        for_sending(&stream, load)?;
    }
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    stream.set_read_timeout(Some(WRITE_TIMEOUT))?;
    let ends = [stream.local_addr()?, stream.peer_addr()?];
    end.ends = Some(ends);
    let watched = Watched::new(ends[0], ends[1])?;
    let (counted, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let result = thread::scope(|scope| {
        let watch = scope.spawn(|| watch(&watched, load.sample, zero, &over));
        let result = match end.sends {
            true => send(&mut stream, load, zero, began, &counted),
            false => receive(&mut stream, load, zero, began, &counted),
        };
        end.ended = since(zero);
        over.store(true, Ordering::SeqCst);
        if let Ok((looks, congestion)) = watch.join() {
            (end.looks, end.congestion) = (looks, congestion);
        }
        result
    });
    end.bytes = counted.load(Ordering::SeqCst);
    end.was_cut =
        end.sends && end.bytes >= load.most && !matches!(load.until, Until::Bytes(bytes) if bytes <= load.most);
    if end.sends {
        leave(&mut stream, load)?;
    }
    result
}

/// Samples a connection until it is over, or gone.
fn watch(watched: &Watched, step: Duration, zero: Instant, over: &AtomicBool) -> (Vec<Look>, String) {
    let (mut looks, mut congestion) = (vec![], String::new());
    loop {
        let is_over = over.load(Ordering::SeqCst);
        let time = since(zero);
        let Ok(info) = watched.look() else { break };
        // A connection in TIME_WAIT is gone.
        if info.raw().is_empty() {
            break;
        }
        looks.push(Look::new(time, &info));
        congestion.clear();
        congestion.push_str(info.congestion());
        if is_over {
            break;
        }
        thread::sleep(step.saturating_sub(Duration::from_nanos(since(zero) - time)));
    }
    (looks, congestion)
}

/// Returns the size of a rate-limited application's writes: the bytes of a millisecond, and at least a segment.
fn chunk(rate: u64) -> u64 {
    const SEGMENT: u64 = 1448;
    (rate / 8 / 1000).clamp(SEGMENT, BLOCK as u64)
}

fn send(stream: &mut TcpStream, load: &FlowLoad, zero: Instant, began: Duration, sent: &AtomicU64) -> io::Result<()> {
    let block = vec![0x5a; BLOCK];
    let (first, deadline) = (Instant::now(), began + load.longest());
    let mut left = load.bytes();
    while left > 0 && zero.elapsed() < deadline {
        let mut most = left.min(BLOCK as u64);
        if let Some(rate) = load.rate {
            most = most.min(chunk(rate));
            let due = first + Duration::from_secs_f64(sent.load(Ordering::SeqCst) as f64 * 8.0 / rate as f64);
            let end = zero + deadline;
            thread::sleep(due.min(end).saturating_duration_since(Instant::now()));
        }
        match stream.write(&block[..most as usize]) {
            Ok(count) => {
                left -= count as u64;
                sent.fetch_add(count as u64, Ordering::SeqCst);
            }
            Err(error) if is_pause(&error) => {}
            Err(error) => return Err(error),
        }
    }
    match load.until {
        Until::Bytes(bytes) if left == 0 && bytes <= load.most => drained(stream, zero, deadline),
        Until::Bytes(_) if left > 0 => Err(io::Error::other(format!("{left} bytes were left to send"))),
        _ => Ok(()),
    }
}

/// Ends the stream, and waits until the receiver, which then has all of it, ends its own.
fn drained(stream: &mut TcpStream, zero: Instant, deadline: Duration) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    while zero.elapsed() < deadline {
        match stream.read(&mut [0; 16]) {
            Err(error) if is_pause(&error) => {}
            _ => return Ok(()),
        }
    }
    Err(io::Error::other("the receiver has not got all of it"))
}

fn receive(
    stream: &mut TcpStream,
    load: &FlowLoad,
    zero: Instant,
    began: Duration,
    received: &AtomicU64,
) -> io::Result<()> {
    let mut buffer = vec![0; BLOCK];
    let deadline = began + load.longest() + READ_OUT_TIMEOUT;
    while zero.elapsed() < deadline {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => drop(received.fetch_add(count as u64, Ordering::SeqCst)),
            // A timed flow ends with a reset.
            Err(error) if error.kind() == ErrorKind::ConnectionReset && matches!(load.until, Until::Time(_)) => {
                return Ok(());
            }
            Err(error) if is_pause(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Resets a timed flow, so that its buffered data does not extend into the next.
fn leave(stream: &mut TcpStream, load: &FlowLoad) -> io::Result<()> {
    if matches!(load.until, Until::Time(_)) {
        setsockopt(stream, sockopt::Linger, &libc::linger { l_onoff: 1, l_linger: 0 })?;
    }
    Ok(())
}
