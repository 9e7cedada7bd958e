//! The agent that makes traffic on a host: a copy of goodput, which takes orders as lines on its standard input.
//!
//! It answers each line with a line of JSON, and ends with its input, so with the ssh connection. Every connection
//! starts with a line that contains a token, so nobody else's data counts. The direction is in that line, so a host
//! behind NAT receives as well as it sends.

mod claim;
mod flow;
mod transfer;

pub use claim::{bound_of_flows, checked_ends};
pub use flow::{End, FlowLoad, Look, Until};
pub(super) use transfer::BLOCK;

use super::socket_diag::{self, TcpInfo};
use base16ct::lower::{decode_vec, encode_string};

use nix::sys::socket::{Shutdown, setsockopt, shutdown, sockopt};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// An order for an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Accept connections with this token, and no others from now on.
    Listen {
        address: SocketAddr,
        token: String,
        /// SO_RCVBUF of accepted connections. The listening socket has it too, because it determines the window scale.
        #[serde(default)]
        receive_buffer: Option<u32>,
    },
    /// Connect to a listening agent, and learn the connection's ends as both see them.
    Greet { address: SocketAddr, token: String },
    /// Send to a listening agent.
    Send { address: SocketAddr, token: String, load: Load },
    /// Have a listening agent send.
    Receive { address: SocketAddr, token: String, load: Load },
    /// Report the listening end's view of the transfer that ended last.
    Report,
    /// Make these flows, each at its time, and report the connecting ends' view.
    Flows { address: SocketAddr, token: String, flows: Vec<FlowLoad> },
    /// Report the listening ends' view of so many flows, once all have ended, but after this time at the latest.
    Ends { count: usize, within: Duration },
}

/// Duration and size of a transfer over one connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Load {
    pub time: Duration,
    /// Largest number of bytes.
    pub bytes: u64,
    /// Congestion control instead of the host's default.
    pub congestion: Option<String>,
    /// Interval between samples of the sender's tcp_info.
    pub sample: Duration,
}

impl Eq for Load {}

/// An answer of an agent.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    Listening {
        port: u16,
    },
    /// Ends of a connection as both of them see them; addresses may be translated in between.
    Greeted {
        local: SocketAddr,
        seen: SocketAddr,
    },
    Sent(Box<Sent>),
    Received(Received),
    Ends(Vec<End>),
    Refused {
        kind: RefusalKind,
        said: String,
    },
}

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RefusalKind {
    /// The port belongs to another program.
    Taken,
    /// Nobody listens there.
    Closed,
    /// Nothing answers.
    Silent,
    /// Something other than the listening agent answers.
    Stranger,
    /// The host lacks it: a congestion control.
    Missing,
    /// This user may not use it: a congestion control, or a port.
    Forbidden,
    Other,
}

/// A transfer as seen by its sender.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    pub ends: Option<[SocketAddr; 2]>,
    pub congestion: String,
    pub mss: u32,
    /// Start, seconds since the epoch.
    pub began: f64,
    pub seconds: f64,
    pub bytes: u64,
    /// CPU time of the agent over the duration, 1 for one CPU.
    pub busy: f64,
    pub intervals: Vec<Interval>,
    pub screens: Vec<Screen>,
}

/// A connection at a time, as ss shows it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Screen {
    /// Seconds since the epoch.
    pub at: f64,
    /// Receive and send queue, bytes.
    queues: [u32; 2],
    /// `struct tcp_info` and SK_MEMINFO_*, two hexadecimal digits a byte.
    info: String,
    memory: String,
}

impl Screen {
    fn from_info(at: f64, info: &TcpInfo) -> Screen {
        Screen { at, queues: info.queues(), info: encode_string(info.raw()), memory: encode_string(info.raw_memory()) }
    }
}

impl Sent {
    /// Returns its screens as `ss -tinmH` prints them, each after its time.
    pub fn shown(&self) -> String {
        let Some(ends) = &self.ends else { return String::new() };
        let mut all = String::new();
        for Screen { at, queues, info, memory } in &self.screens {
            let info = TcpInfo::from_bytes(
                decode_vec(info).unwrap_or_default(),
                decode_vec(memory).unwrap_or_default(),
                &self.congestion,
                *queues,
            );
            let _ = writeln!(all, "{at:.3}");
            all += &socket_diag::screen(ends, &info);
        }
        all
    }
}

/// Bytes written in an interval, and the connection at its end.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub end: f64,
    pub bytes: u64,
    pub retransmitted: u32,
    pub cwnd: u64,
    pub rtt: u32,
    pub rttvar: u32,
    pub pmtu: u32,
    pub window: Option<u32>,
}

/// A transfer as seen by its receiver.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Received {
    pub bytes: u64,
    pub seconds: f64,
    pub busy: f64,
}

impl Answer {
    fn refused(error: &io::Error) -> Answer {
        let kind = match error.kind() {
            ErrorKind::AddrInUse => RefusalKind::Taken,
            ErrorKind::ConnectionRefused => RefusalKind::Closed,
            ErrorKind::TimedOut
            | ErrorKind::WouldBlock
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable => RefusalKind::Silent,
            ErrorKind::NotFound => RefusalKind::Missing,
            ErrorKind::PermissionDenied => RefusalKind::Forbidden,
            _ => RefusalKind::Other,
        };
        Answer::Refused { kind, said: error.to_string() }
    }
}

/// Timeout for connecting.
const CONNECT: Duration = Duration::from_secs(5);

/// Longest token or order, bytes.
const MAX_ORDER_BYTES: u64 = 4096;

/// State of the listening end.
#[derive(Default)]
struct Heard {
    /// Transfer that ended last.
    last: Mutex<Option<Answer>>,
    /// Ends of flows that have not been reported yet.
    ends: Mutex<Vec<End>>,
    listener: Mutex<Option<TcpListener>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics with it")
}

/// Interval between checks of the listening end's state.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Time that the listening end may take for a transfer that has ended at the other end.
const REPORT: Duration = Duration::from_secs(15);

/// Follows orders until its input ends.
pub fn serve(input: impl BufRead, mut answer: impl FnMut(&str)) {
    let heard = Arc::default();
    for line in input.lines().map_while(Result::ok) {
        let done = match serde_json::from_str(&line) {
            Ok(order) => follow(&order, &heard).unwrap_or_else(|error| Answer::refused(&error)),
            Err(error) => Answer::Refused { kind: RefusalKind::Other, said: error.to_string() },
        };
        answer(&serde_json::to_string(&done).expect("plain data"));
    }
}

fn follow(order: &Order, heard: &Arc<Heard>) -> io::Result<Answer> {
    match order {
        Order::Listen { address, token, receive_buffer } => {
            let port = listen(*address, token, *receive_buffer, heard)?;
            Ok(Answer::Listening { port })
        }
        Order::Greet { address, token } => {
            let mut stream = greeted(*address, token, &Asked::Greet)?;
            let mut seen = String::new();
            stream.set_read_timeout(Some(CONNECT))?;
            let read = (&mut stream).take(MAX_ORDER_BYTES).read_to_string(&mut seen);
            match (read, seen.trim().parse()) {
                (Ok(_), Ok(seen)) => Ok(Answer::Greeted { local: stream.local_addr()?, seen }),
                (Err(error), _) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Err(error),
                _ => Ok(Answer::Refused { kind: RefusalKind::Stranger, said: "another program answers there".into() }),
            }
        }
        Order::Send { address, token, load } => {
            let stream = greeted(*address, token, &Asked::Receive)?;
            Ok(Answer::Sent(Box::new(transfer::send(stream, load)?)))
        }
        Order::Receive { address, token, load } => {
            let stream = greeted(*address, token, &Asked::Send(load.clone()))?;
            Ok(Answer::Received(transfer::receive(stream, load.time)?))
        }
        Order::Report => {
            let answer = awaited(REPORT, || locked(&heard.last).take());
            answer.ok_or_else(|| ErrorKind::TimedOut.into())
        }
        Order::Flows { address, token, flows } => Ok(Answer::Ends(flow::connecting(*address, token, flows))),
        Order::Ends { count, within } => {
            awaited(*within, || (locked(&heard.ends).len() >= *count).then_some(()));
            Ok(Answer::Ends(std::mem::take(&mut *locked(&heard.ends))))
        }
    }
}

/// Waits until there is a value.
fn awaited<T>(within: Duration, look: impl Fn() -> Option<T>) -> Option<T> {
    let since = Instant::now();
    loop {
        match look() {
            None if since.elapsed() < within => thread::sleep(POLL_INTERVAL),
            found => return found,
        }
    }
}

/// Accepts connections in the background, and stops accepting those of an earlier order.
fn listen(address: SocketAddr, token: &str, receive_buffer: Option<u32>, heard: &Arc<Heard>) -> io::Result<u16> {
    if let Some(before) = locked(&heard.listener).take() {
        shutdown(before.as_raw_fd(), Shutdown::Both)?;
    }
    locked(&heard.ends).clear();
    let listener = TcpListener::bind(address)?;
    if let Some(bytes) = receive_buffer {
        setsockopt(&listener, sockopt::RcvBuf, &(bytes as usize))?;
    }
    let port = listener.local_addr()?.port();
    *locked(&heard.listener) = Some(listener.try_clone()?);
    let (token, heard) = (token.to_owned(), Arc::clone(heard));
    thread::spawn(move || {
        loop {
            let stream = match listener.accept() {
                Ok((stream, _)) => stream,
                // The listener was shut down.
                Err(error) if error.kind() == ErrorKind::InvalidInput => break,
                Err(_) => continue,
            };
            let (token, heard) = (token.clone(), Arc::clone(&heard));
            thread::spawn(move || match accepted(stream, &token) {
                Ok(Some(Answer::Ends(ends))) => locked(&heard.ends).extend(ends),
                Ok(Some(answer)) => *locked(&heard.last) = Some(answer),
                _ => {}
            });
        }
    });
    Ok(port)
}

/// The purpose of a connection, in its first line.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Asked {
    Greet,
    Receive,
    Send(Load),
    Flow(FlowLoad),
}

#[derive(Serialize, Deserialize)]
struct First {
    token: String,
    asked: Asked,
}

fn greeted(address: SocketAddr, token: &str, asked: &Asked) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect_timeout(&address, CONNECT)?;
    introduce(&mut stream, token, asked)?;
    Ok(stream)
}

/// Sends the token and the purpose of the connection.
fn introduce(stream: &mut TcpStream, token: &str, asked: &Asked) -> io::Result<()> {
    let first = First { token: token.to_owned(), asked: asked.clone() };
    stream.write_all((serde_json::to_string(&first)? + "\n").as_bytes())
}

/// Does what the first line asks, if it has the token.
fn accepted(mut stream: TcpStream, token: &str) -> io::Result<Option<Answer>> {
    stream.set_read_timeout(Some(CONNECT))?;
    let mut line = String::new();
    // Only data follows the line before it has been answered.
    let mut reader = BufReader::with_capacity(1, (&stream).take(MAX_ORDER_BYTES));
    reader.read_line(&mut line)?;
    let first: First = serde_json::from_str(&line)?;
    if first.token != token {
        return Ok(None);
    }
    match first.asked {
        Asked::Greet => {
            let peer = stream.peer_addr()?;
            stream.write_all(plain(peer).to_string().as_bytes())?;
            Ok(None)
        }
        Asked::Receive => Ok(Some(Answer::Received(transfer::receive(stream, Duration::MAX)?))),
        Asked::Send(load) => {
            let sent = transfer::send(stream, &load).map(|sent| Answer::Sent(Box::new(sent)));
            Ok(Some(sent.unwrap_or_else(|error| Answer::refused(&error))))
        }
        Asked::Flow(load) => Ok(Some(Answer::Ends(vec![flow::listening(stream, &load)]))),
    }
}

/// Returns the IPv4 address that an IPv6 socket shows.
fn plain(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V6(ip) => SocketAddr::new(ip.to_canonical(), address.port()),
        IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(input: &[Order]) -> Vec<Answer> {
        let lines: String = input.iter().map(|order| serde_json::to_string(order).unwrap() + "\n").collect();
        let mut answers = vec![];
        serve(lines.as_bytes(), |line| answers.push(serde_json::from_str(line).unwrap()));
        answers
    }

    fn load() -> Load {
        let time = Duration::from_millis(600);
        Load { time, bytes: u64::MAX, congestion: Some("reno".into()), sample: Duration::from_millis(10) }
    }

    #[test]
    fn data_go_both_ways_over_one_port_and_both_ends_count_the_same() {
        let listen = |port| Order::Listen {
            address: SocketAddr::from(([127, 0, 0, 1], port)),
            token: "t".into(),
            receive_buffer: None,
        };
        let here: Arc<Heard> = Arc::default();
        let Ok(Answer::Listening { port }) = follow(&listen(0), &here) else { panic!() };
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let other = Arc::default();
        assert!(matches!(follow(&listen(port), &other).map_err(|e| e.kind()), Err(ErrorKind::AddrInUse)));
        let token = || "t".to_owned();
        let answers = order(&[
            Order::Greet { address, token: token() },
            Order::Send { address, token: token(), load: load() },
            Order::Greet { address, token: "wrong".into() },
        ]);
        assert!(matches!(answers[0], Answer::Greeted { local, seen } if local == seen), "{:?}", answers[0]);
        let Answer::Sent(sent) = &answers[1] else { panic!("{:?}", answers[1]) };
        let Ok(Answer::Received(received)) = follow(&Order::Report, &here) else { panic!() };
        assert_eq!(sent.bytes, received.bytes);
        assert_eq!(sent.congestion, "reno");
        assert_eq!(sent.intervals.iter().map(|interval| interval.bytes).sum::<u64>(), sent.bytes);
        // Samples are every 10 ms; a busy machine may take fewer.
        let shown = sent.shown();
        assert!(shown.lines().filter(|line| line.starts_with("ESTAB")).count() >= 20, "{shown}");
        assert!(shown.contains(" reno wscale:") && shown.contains("skmem:(r"), "{shown}");
        assert!(Sent::clone(sent).checked(&load()).is_ok());
        assert!(matches!(&answers[2], Answer::Refused { .. }));
        let answers = order(&[Order::Receive { address, token: token(), load: load() }]);
        let Answer::Received(received) = &answers[0] else { panic!("{:?}", answers[0]) };
        let Ok(Answer::Sent(sent)) = follow(&Order::Report, &here) else { panic!() };
        assert_eq!(sent.bytes, received.bytes);
        assert!((sent.seconds - 0.6).abs() < 0.4, "{}", sent.seconds);
    }

    #[test]
    fn a_port_where_nobody_listens_is_told_apart() {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let answers = order(&[Order::Greet { address: free, token: "t".into() }]);
        assert!(matches!(answers[0], Answer::Refused { kind: RefusalKind::Closed, .. }), "{answers:?}");
        let mut answers = vec![];
        serve("nonsense\n".as_bytes(), |line| answers.push(line.to_owned()));
        assert!(answers[0].contains("refused"), "{answers:?}");
    }
    /// A proxy or another machine at the address: it accepts, and says nothing or something else.
    #[test]
    fn another_program_at_the_address_is_told_apart() {
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = other.local_addr().unwrap();
        let speaking = thread::spawn(move || {
            let _ = other.accept();
            let _ = other.accept().and_then(|(mut stream, _)| stream.write_all(b"SSH-2.0-x\r\n"));
        });
        let greet = || Order::Greet { address, token: "t".into() };
        let answers = order(&[greet(), greet()]);
        let is_stranger = |answer: &Answer| matches!(answer, Answer::Refused { kind: RefusalKind::Stranger, .. });
        assert!(answers.len() == 2 && answers.iter().all(is_stranger), "{answers:?}");
        speaking.join().unwrap();
    }
}
