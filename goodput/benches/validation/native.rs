//! This machine's own stack: one flow through three network namespaces, behind a line and a queue of Linux's `tbf` and
//! `pfifo`. The queue makes the round trip, so nothing needs to delay packets.

use crate::namespaces::{self, PORT};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const SCRIPT: &str = include_str!("native.sh");

/// Line and queue of `validation/native.toml`.
const LINE: &str = "20000";
const QUEUE: &str = "50";
/// Duration of the flows, s.
const SECONDS: &str = "10";

/// How one of its cases is set up here.
#[derive(Clone, Copy, PartialEq)]
pub struct Case {
    pub congestion: &'static str,
    /// One packet in `every` is lost; 0 for none.
    pub every: u32,
    /// The receiver's largest buffer, bytes.
    pub buffer: u32,
    /// The MSS that the receiver announces.
    pub mss: u32,
}

/// CUBIC as hosts have it.
pub const PLAIN_CUBIC: Case = Case { congestion: "cubic", every: 0, buffer: 33_554_432, mss: 1460 };

/// Result of a flow.
#[derive(Clone, Copy)]
pub struct Flow {
    /// Payload that arrived, bit/s.
    pub goodput: f64,
    /// Mean congestion window over samples of `ss`, packets.
    pub cwnd: f64,
    /// Mean SRTT, s.
    pub srtt: f64,
    /// Share of the payload sent that was sent again.
    pub retransmitted: f64,
}

/// Runs one flow.
pub fn flow(case: Case) -> Result<Flow, String> {
    let numbers = [case.every, case.buffer, case.mss].map(|n| n.to_string());
    let said =
        namespaces::run(SCRIPT, &[&[SECONDS, case.congestion, LINE, QUEUE].map(String::from)[..], &numbers].concat())?;
    match named(&said)[..] {
        [goodput, cwnd, srtt, retransmitted] => Ok(Flow { goodput, cwnd, srtt, retransmitted }),
        _ => Err("no reason given".into()),
    }
}

/// The figures of source and sink, whichever speaks first.
fn named(said: &str) -> Vec<f64> {
    let value = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    ["goodput", "cwnd", "srtt", "retransmitted"].iter().filter_map(|name| value(name)).collect()
}

/// Plays source or sink, if the arguments say so.
pub fn hidden_role(arguments: &[String]) -> Option<ExitCode> {
    namespaces::hidden_role(arguments, send, receive)
}

fn send(mut stream: TcpStream, time: Duration) -> io::Result<()> {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watching = scope.spawn(|| watch(&over));
        let data = [0; 65536];
        let until = Instant::now() + time;
        while Instant::now() < until {
            stream.write_all(&data)?;
        }
        over.store(true, Ordering::Relaxed);
        watching.join().unwrap_or_else(|_| Err(io::Error::other("the watcher panicked")))
    })
}

/// Reads `ss` every 20 ms and prints the means.
fn watch(over: &AtomicBool) -> io::Result<()> {
    let (mut cwnd, mut srtt, mut count) = (0.0, 0.0, 0.0);
    let mut retransmitted = 0.0;
    while !over.load(Ordering::Relaxed) {
        let output = Command::new("ss").args(["-tinH", "dport", "=", "5201"]).stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let value = |name: &str| -> Option<f64> {
            let word = text.split_whitespace().find_map(|word| word.strip_prefix(name))?;
            word.split('/').next()?.parse().ok()
        };
        if let (Some(window), Some(ms), Some(sent)) = (value("cwnd:"), value("rtt:"), value("bytes_sent:")) {
            cwnd += window;
            srtt += ms / 1e3;
            count += 1.0;
            retransmitted = value("bytes_retrans:").unwrap_or(0.0) / sent;
        }
        thread::sleep(Duration::from_millis(20));
    }
    println!("cwnd {}\nsrtt {}\nretransmitted {retransmitted}", cwnd / count, srtt / count);
    Ok(())
}

fn receive() -> io::Result<()> {
    let (mut stream, _) = TcpListener::bind(("0.0.0.0", PORT))?.accept()?;
    let (began, mut received) = (Instant::now(), 0);
    let mut buffer = vec![0; 1 << 20];
    loop {
        match stream.read(&mut buffer)? {
            0 => break,
            bytes => received += bytes,
        }
    }
    println!("goodput {}", received as f64 * 8.0 / began.elapsed().as_secs_f64());
    Ok(())
}
