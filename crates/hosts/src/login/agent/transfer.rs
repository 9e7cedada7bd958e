//! One transfer over one connection, as seen by its ends.

use super::{Interval, Load, Received, Screen, Sent, plain};
use crate::login::socket_diag::Watched;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::socket::{setsockopt, sockopt};
use nix::sys::time::TimeValLike;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Size of a write, bytes; iperf3's too.
pub const BLOCK: usize = 128 << 10;

/// Length of an interval, and the smallest number of intervals in a transfer.
const INTERVAL: Duration = Duration::from_secs(1);
pub(super) const INTERVALS: u32 = 5;

/// Timeout of a write, so that a transfer over a path that carries nothing ends in time.
pub(super) const WRITE_TIMEOUT: Duration = Duration::from_millis(100);

/// Time for the other end to read everything after the last byte was written.
pub(super) const READ_OUT_TIMEOUT: Duration = Duration::from_secs(10);

/// Silence after which a receiver gives up.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(20);

/// Sets a socket's congestion control.
pub(super) fn set_congestion(own: &impl AsFd, name: &str) -> io::Result<()> {
    let set = setsockopt(own, sockopt::TcpCongestion, &OsString::from(name));
    set.map_err(|error| {
        io::Error::new(io::Error::from(error).kind(), format!("congestion control {name}: {}", error.desc()))
    })
}

/// Sends until the time or the bytes are used up.
pub fn send(mut stream: TcpStream, load: &Load) -> io::Result<Sent> {
    if let Some(congestion) = &load.congestion {
        set_congestion(&stream, congestion)?;
    }
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let watched = Watched::new(stream.local_addr()?, stream.peer_addr()?);
    let (written, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let mut sent = Sent {
        ends: Some([plain(stream.local_addr()?), plain(stream.peer_addr()?)]),
        began: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64()),
        ..Sent::default()
    };
    let (began, used) = (Instant::now(), processor_time());
    thread::scope(|scope| {
        let watch = scope.spawn(|| watched.ok().map(|watched| watch(&watched, load, sent.began, (&written, &over))));
        let result = write(&mut stream, load, &written);
        over.store(true, Ordering::SeqCst);
        sent.seconds = began.elapsed().as_secs_f64();
        sent.bytes = written.load(Ordering::SeqCst);
        sent.busy = (processor_time() - used) / sent.seconds;
        if let Ok(Some(seen)) = watch.join() {
            Sent { intervals: sent.intervals, screens: sent.screens, congestion: sent.congestion, mss: sent.mss, .. } =
                seen;
        }
        result
    })?;
    finish(&mut stream)?;
    let told: u64 = sent.intervals.iter().map(|interval| interval.bytes).sum();
    if let Some(last) = sent.intervals.last_mut() {
        last.bytes += sent.bytes - told;
        last.end = sent.seconds.max(last.end);
    }
    Ok(sent)
}

fn write(stream: &mut TcpStream, load: &Load, written: &AtomicU64) -> io::Result<()> {
    let block = vec![0x5a; BLOCK];
    let began = Instant::now();
    let mut left = load.bytes;
    while left > 0 && began.elapsed() < load.time {
        let most = usize::try_from(left).unwrap_or(BLOCK).min(BLOCK);
        match stream.write(&block[..most]) {
            Ok(count) => {
                left -= count as u64;
                written.fetch_add(count as u64, Ordering::SeqCst);
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Ends the stream, and waits until the other end has all of it. Missing data is no error here: the other end reports
/// it.
fn finish(stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(READ_OUT_TIMEOUT))?;
    let _ = stream.read(&mut [0; 16]);
    Ok(())
}

/// Samples the connection until the transfer is over.
fn watch(watched: &Watched, load: &Load, epoch: f64, (written, over): (&AtomicU64, &AtomicBool)) -> Sent {
    let began = Instant::now();
    let step = INTERVAL.min(load.time / INTERVALS).max(load.sample);
    let (mut seen, mut next, mut before, mut retransmitted) = (Sent::default(), step, 0, 0);
    loop {
        let is_over = over.load(Ordering::SeqCst);
        let Ok(info) = watched.look() else { break };
        let now = began.elapsed();
        seen.screens.push(Screen::from_info(epoch + now.as_secs_f64(), &info));
        if now >= next || is_over {
            let bytes = written.load(Ordering::SeqCst);
            let [rtt, rttvar] = info.rtt();
            let end = if is_over { now } else { next };
            let own = Interval {
                end: end.as_secs_f64(),
                bytes: bytes - before,
                retransmitted: info.retransmitted().saturating_sub(retransmitted),
                cwnd: info.cwnd(),
                rtt,
                rttvar,
                pmtu: info.pmtu(),
                window: info.window(),
            };
            match seen.intervals.last_mut().filter(|last| is_over && own.end - last.end < step.as_secs_f64() / 2.0) {
                // Adds the rest after the last whole interval.
                Some(last) => {
                    last.bytes += own.bytes;
                    last.retransmitted += own.retransmitted;
                }
                None => seen.intervals.push(own),
            }
            (before, retransmitted) = (bytes, info.retransmitted());
            (seen.congestion, seen.mss) = (info.congestion().to_owned(), info.mss());
            next += step;
        }
        if is_over {
            break;
        }
        thread::sleep(load.sample.saturating_sub(began.elapsed() - now));
    }
    seen
}

/// Receives until the sender ends.
pub fn receive(mut stream: TcpStream, time: Duration) -> io::Result<Received> {
    stream.set_read_timeout(Some(SILENCE_TIMEOUT))?;
    let (began, used) = (Instant::now(), processor_time());
    let mut buffer = vec![0; BLOCK];
    let mut received = Received::default();
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => received.bytes += count as u64,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // The path stopped carrying anything.
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break,
            Err(error) => return Err(error),
        }
        received.seconds = began.elapsed().as_secs_f64();
        if began.elapsed() > time.saturating_add(READ_OUT_TIMEOUT) {
            break;
        }
    }
    received.busy = (processor_time() - used) / received.seconds.max(1e-3);
    Ok(received)
}

/// Returns the CPU time of this process so far, seconds; 0 if unknown.
fn processor_time() -> f64 {
    let used = getrusage(UsageWho::RUSAGE_SELF);
    used.map_or(0.0, |used| (used.user_time() + used.system_time()).num_microseconds() as f64 / 1e6)
}
