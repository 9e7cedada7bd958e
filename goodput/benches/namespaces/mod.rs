//! Three network namespaces of this machine in a row, the middle one forwarding.
//!
//! A benchmark starts itself again in the outer ones, as source and as sink (`row.sh`).

use std::fs;
use std::io;
use std::net::TcpStream;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const ROW: &str = include_str!("row.sh");
const SOURCE: &str = "native-source";
const SINK: &str = "native-sink";

/// The sink's port.
pub const PORT: u16 = 5201;

/// Runs a script after setting up the namespaces, with the benchmark's program and arguments. Returns its output, or
/// the last line of its errors.
pub fn run(script: &str, arguments: &[String]) -> Result<String, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let output = Command::new("unshare")
        .args(unshare_arguments())
        .args(["sh", "-c", &format!("{ROW}{script}"), "native"])
        .arg(own)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("unshare: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().lines().next_back().unwrap_or("no reason given").into())
}

fn unshare_arguments() -> &'static [&'static str] {
    let root = fs::read_to_string("/proc/self/status").is_ok_and(|s| s.lines().any(|l| l.starts_with("Uid:\t0\t0\t")));
    if root { &["--mount", "--net"] } else { &["--user", "--map-root-user", "--mount", "--net"] }
}

/// Acts as the source (for some seconds) or the sink, if the arguments request it.
pub fn hidden_role(
    arguments: &[String],
    source: fn(TcpStream, Duration) -> io::Result<()>,
    sink: fn() -> io::Result<()>,
) -> Option<ExitCode> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        [SOURCE, seconds] => {
            connect().and_then(|stream| source(stream, Duration::from_secs(seconds.parse().unwrap_or(1))))
        }
        [SINK] => sink(),
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
