//! PID 1 of the guest: builds the network of one job, runs its flows and powers off.
//!
//! It does nothing per packet and nothing per sample: the kernel module samples (`kernel/module/goodput.c`), a sender
//! blocks in one `sendmsg` of megabytes, a receiver in one `recv` that discards what it reads.
#![deny(unsafe_op_in_unsafe_fn)]

mod flow;
mod lab;
mod network;
mod sys;

use std::thread;
use std::time::Duration;
use wire::Message;

fn main() {
    if let Err(what) = sys::mount_guest().and_then(|()| run()) {
        lab::tell(&Message::Failed { what });
    }
    sys::power_off();
}

fn run() -> Result<(), String> {
    let job = lab::job()?;
    network::build(&job)?;
    let origin = sys::next_second();
    lab::control(&format!("start {origin} {}", job.interval))?;
    flow::run_all(&job, origin)?;
    thread::sleep(Duration::from_nanos(job.settle));
    lab::control("stop")?;
    lab::tell(&Message::Devices(network::devices(&job)?));
    lab::tell(&Message::Done);
    Ok(())
}
