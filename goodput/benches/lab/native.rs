//! The same stack without the laboratory: one flow through three network namespaces of this machine, at full speed.

use crate::load;
use crate::namespaces::{self, PORT};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const SCRIPT: &str = include_str!("native.sh");

/// Packets and time of a flow.
pub struct Flow {
    /// Data packets that reached the sink.
    pub packets: f64,
    /// Seconds.
    pub wall: f64,
    /// Seconds that the whole machine's processors were busy.
    pub cpu: f64,
}

/// Runs one flow for `seconds`.
pub fn flow(seconds: u32) -> Result<Flow, String> {
    let refused = |why: String| format!("this machine refuses network namespaces: {why}");
    let said = namespaces::run(SCRIPT, &[seconds.to_string()]).map_err(refused)?;
    let numbers: Vec<f64> = said.split_whitespace().flat_map(str::parse).collect();
    match numbers[..] {
        [packets, wall, cpu] => Ok(Flow { packets, wall, cpu }),
        _ => Err(refused("no reason given".into())),
    }
}

/// Plays source or sink, if the arguments say so.
pub fn hidden_role(arguments: &[String]) -> Option<ExitCode> {
    namespaces::hidden_role(arguments, send, receive)
}

fn send(mut stream: TcpStream, time: Duration) -> io::Result<()> {
    let data = vec![0; 16 << 20];
    let began = Instant::now();
    while began.elapsed() < time {
        stream.write_all(&data)?;
    }
    Ok(())
}

fn receive() -> io::Result<()> {
    let (mut stream, _) = TcpListener::bind(("0.0.0.0", PORT))?.accept()?;
    let (began, packets, cpu) = (Instant::now(), received_packets(), load::of_machine());
    let mut buffer = vec![0; 1 << 20];
    while stream.read(&mut buffer)? > 0 {}
    let wall = began.elapsed().as_secs_f64();
    println!("{} {wall} {}", received_packets() - packets, load::of_machine() - cpu);
    Ok(())
}

/// Packets received by the sink's device, from its line of /proc/net/dev: name, bytes, packets.
fn received_packets() -> f64 {
    let table = fs::read_to_string("/proc/net/dev").unwrap_or_default();
    let line = table.lines().find_map(|line| line.trim().strip_prefix("far:"));
    line.and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0.0)
}
