//! The same stack without the laboratory: one flow through three network namespaces of this machine, at full speed.
//!
//! The benchmark starts itself again in the outer namespaces, as source and as sink (`native.sh`).

use crate::cpu;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const SCRIPT: &str = include_str!("native.sh");
const SOURCE: &str = "native-source";
const SINK: &str = "native-sink";
const PORT: u16 = 5201;

/// What a flow took.
pub struct Flow {
    /// Data packets that reached the sink.
    pub packets: f64,
    /// Seconds.
    pub wall: f64,
    /// Seconds that the whole machine's processors were busy.
    pub cpu: f64,
}

/// Runs one flow for so many seconds.
pub fn flow(seconds: u32) -> Result<Flow, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let output = Command::new("unshare")
        .args(unshare_arguments())
        .args(["sh", "-c", SCRIPT, "native"])
        .arg(own)
        .arg(seconds.to_string())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("unshare: {e}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = said.split_whitespace().flat_map(str::parse).collect();
    match numbers[..] {
        [packets, wall, cpu] if output.status.success() => Ok(Flow { packets, wall, cpu }),
        _ => Err(format!(
            "this machine refuses network namespaces: {}",
            String::from_utf8_lossy(&output.stderr).trim().lines().next_back().unwrap_or("no reason given")
        )),
    }
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
    let data = vec![0; 16 << 20];
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(seconds) {
        stream.write_all(&data)?;
    }
    Ok(())
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

fn receive() -> io::Result<()> {
    let (mut stream, _) = TcpListener::bind(("0.0.0.0", PORT))?.accept()?;
    let (began, packets, cpu) = (Instant::now(), received_packets(), cpu::of_machine());
    let mut buffer = vec![0; 1 << 20];
    while stream.read(&mut buffer)? > 0 {}
    let wall = began.elapsed().as_secs_f64();
    println!("{} {wall} {}", received_packets() - packets, cpu::of_machine() - cpu);
    Ok(())
}

/// What the sink's device has received, from its line of /proc/net/dev: name, bytes, packets.
fn received_packets() -> f64 {
    let table = fs::read_to_string("/proc/net/dev").unwrap_or_default();
    let line = table.lines().find_map(|line| line.trim().strip_prefix("far:"));
    line.and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0.0)
}
