//! This machine's own stack: one flow through three network namespaces, behind a line and a queue of Linux's `tbf` and
//! `pfifo`. The queue makes the round trip, so nothing needs to delay packets.
//!
//! The benchmark starts itself again in the outer namespaces, as source and as sink (`native.sh`).

use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const SCRIPT: &str = include_str!("native.sh");
const SOURCE: &str = "validation-source";
const SINK: &str = "validation-sink";
const PORT: u16 = 5201;

/// Line and queue of `validation/native.toml`.
const LINE: &str = "20000";
const QUEUE: &str = "50";
/// Its flows' time, s.
const SECONDS: &str = "10";

/// How one of its cases is set up here.
#[derive(Clone, Copy, PartialEq)]
pub struct Case {
    pub congestion: &'static str,
    /// Every so many packets one is lost; 0 for none.
    pub every: u32,
    /// The receiver's largest buffer, bytes.
    pub buffer: u32,
    /// The MSS that the receiver announces.
    pub mss: u32,
}

/// CUBIC as hosts have it.
pub const PLAIN: Case = Case { congestion: "cubic", every: 0, buffer: 33_554_432, mss: 1460 };

/// What a flow did.
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
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let numbers = [case.every, case.buffer, case.mss].map(|n| n.to_string());
    let output = Command::new("unshare")
        .args(unshare_arguments())
        .args(["sh", "-c", SCRIPT, "native"])
        .arg(own)
        .args([SECONDS, case.congestion, LINE, QUEUE])
        .args(&numbers)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("unshare: {e}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    match named(&said)[..] {
        [goodput, cwnd, srtt, retransmitted] if output.status.success() => {
            Ok(Flow { goodput, cwnd, srtt, retransmitted })
        }
        _ => {
            Err(String::from_utf8_lossy(&output.stderr).trim().lines().next_back().unwrap_or("no reason given").into())
        }
    }
}

/// The figures of source and sink, whichever speaks first.
fn named(said: &str) -> Vec<f64> {
    let value = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    ["goodput", "cwnd", "srtt", "retransmitted"].iter().filter_map(|name| value(name)).collect()
}

fn unshare_arguments() -> &'static [&'static str] {
    let root = fs::read_to_string("/proc/self/status").is_ok_and(|s| s.lines().any(|l| l.starts_with("Uid:\t0\t0\t")));
    if root { &["--mount", "--net"] } else { &["--user", "--map-root-user", "--mount", "--net"] }
}

/// Plays source or sink, if the arguments say so.
pub fn hidden_role(arguments: &[String]) -> Option<ExitCode> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        [SOURCE, seconds] => send(seconds.parse().unwrap_or(1)),
        [SINK] => receive(),
        _ => return None,
    };
    Some(match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    })
}

fn send(seconds: u64) -> io::Result<()> {
    let mut stream = connect()?;
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let watching = scope.spawn(|| watch(&over));
        let data = [0; 65536];
        let until = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < until {
            stream.write_all(&data)?;
        }
        over.store(true, Ordering::Relaxed);
        watching.join().unwrap_or_else(|_| Err(io::Error::other("the watcher panicked")))
    })
}

/// The sink may not be listening yet.
fn connect() -> io::Result<TcpStream> {
    let began = Instant::now();
    loop {
        match TcpStream::connect(("10.0.2.1", PORT)) {
            Err(_) if began.elapsed() < Duration::from_secs(5) => thread::sleep(Duration::from_millis(10)),
            outcome => return outcome,
        }
    }
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
