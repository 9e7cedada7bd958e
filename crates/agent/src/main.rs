//! PID 1 of the guest: builds the network of one job, runs its flows, changes and commands, and powers off.
//!
//! The agent does no work per sample or per packet of bulk data: the kernel module samples (`kernel/module/goodput.c`),
//! sends the sender's data and discards the receiver's (`kernel/module/bulk.c`).
#![deny(unsafe_op_in_unsafe_fn)]

mod capture;
mod command;
mod fetch;
mod flow;
mod lab;
mod network;
mod schedule;
mod sys;
mod tool;
mod tunnel;
mod waiting;

use std::fs;
use std::thread;
use std::time::Duration;
use waiting::Waiting;
use wire::Message;

fn main() {
    if let Err(what) = sys::set_guest_up().and_then(|()| run()) {
        lab::tell(&Message::Failed { what });
    }
    sys::power_off();
}

fn run() -> Result<(), String> {
    let job = lab::job()?;
    // A warning ends the trial: measurements of such a kernel are not trusted
    // (Documentation/admin-guide/sysctl/kernel.rst).
    fs::write("/proc/sys/kernel/panic_on_warn", "1").map_err(|e| format!("cannot set kernel.panic_on_warn: {e}"))?;
    network::build(&job)?;
    let tunnels = tunnel::connect_all(&job)?;
    if !job.commands.is_empty() {
        sys::share_host()?;
    }
    sys::seal_root()?;
    let captures = capture::begin(&job)?;
    let origin = sys::next_second();
    lab::control(&format!("start {origin} {}", job.interval))?;
    if job.has_freebsd() {
        lab::freebsd(&format!("start {origin} {}", job.interval)).map_err(|e| format!("FreeBSD's stack: {e}"))?;
    }
    let mut waiting = Waiting::new();
    tunnel::start_all(tunnels, &waiting)?;
    schedule::start_changes(&job, origin, &waiting);
    flow::start_all(&job, origin, &mut waiting)?;
    let background = schedule::start_commands(&job, origin, &mut waiting);
    waiting.wait(origin + job.limit)?;
    background.end();
    if !job.tunnels.is_empty() {
        thread::sleep(Duration::from_nanos(job.settle));
        lab::control("end-tunnels")?;
    }
    thread::sleep(Duration::from_nanos(job.settle));
    lab::control("stop")?;
    network::counters(&job)?;
    fetch::send_all(&job)?;
    capture::send_all(captures, job.fetch.len(), origin)?;
    lab::tell(&Message::Devices(network::devices(&job)?));
    lab::tell(&Message::Done);
    Ok(())
}
