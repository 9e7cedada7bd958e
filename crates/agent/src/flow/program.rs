//! A user's server and client as a flow.

use super::Flow;
use crate::command::{self, GRACE, Output};
use crate::waiting::Outcome;
use crate::{lab, sys};
use std::collections::BTreeSet;
use std::fs;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use wire::{CommandJob, Message, Ran, Until};

/// Lead of the server before the trial begins, ns, to start up. The network is up by then.
const LEAD_NS: u64 = 1_000_000_000;
/// Longest wait for a server to listen, from the flow's start, ns.
const LISTEN_PATIENCE_NS: u64 = 10_000_000_000;
const LOOK_INTERVAL_NS: u64 = 1_000_000;
/// Statuses with which a shell says that it cannot run a command (POSIX, 2.8.2).
const NOT_RUN: [i32; 2] = [126, 127];

/// Starts a flow of the server and the client, each with its number among the job's commands.
pub fn start(flow: &Flow, commands: [(u32, CommandJob); 2]) -> Outcome {
    for (namespace, end) in flow.job.ends().into_iter().zip(0..) {
        sys::in_namespace(namespace, || lab::control(&format!("program {} {end}", flow.number)))??;
    }
    let [server, client] = commands.map(|(number, job)| Program::new(flow, number, job));
    let flow = flow.clone();
    sys::spawn(move || {
        let outcome = run(&flow, &server, &client);
        [client, server].into_iter().for_each(|program| program.stop());
        flow.reporter.report(outcome.map_err(|what| flow.place(&what)));
    })
}

fn run(flow: &Flow, server: &Program, client: &Program) -> Outcome {
    server.start(flow.origin - LEAD_NS)?;
    sys::sleep_exactly_until(flow.start());
    wait_for(flow, server)?;
    // A server may take longer than its lead.
    let begun = flow.now().max(flow.job.start);
    let begun = if begun - flow.job.start < LOOK_INTERVAL_NS { flow.job.start } else { begun };
    lab::tell(&Message::Started { flow: flow.number, time: begun });
    client.start(0)?;
    let deadline = match flow.job.until {
        Until::Duration(duration) => flow.origin + begun + duration,
        _ => flow.limit,
    };
    let ended = client.wait(deadline);
    let time = flow.now();
    for end in [0, 1] {
        flow.release(end)?;
    }
    let broken = match (&ended, server.ending()) {
        (Some(Ending { status, .. }), _) if NOT_RUN.contains(status) => {
            return Err(client.said("cannot be run", ended.as_ref()));
        }
        (_, Some(over)) if over.status != 0 => Some(server.said(&ended_with(over.status), Some(&over))),
        (Some(over), _) if over.status != 0 => Some(client.said(&ended_with(over.status), Some(over))),
        (None, _) if flow.job.until == Until::Exit => {
            Some(client.said("had not ended at the trial's time limit", None))
        }
        _ => None,
    };
    lab::tell(&match broken {
        Some(why) => Message::Broken { flow: flow.number, time, why },
        None => Message::Ended { flow: flow.number, time },
    });
    if flow.job.until == Until::Exit && ended.is_some() {
        // The server answers the client's last packets.
        sys::sleep_exactly_until(sys::now() + flow.settle);
    }
    Ok(())
}

/// Waits until the server listens on the flow's port.
fn wait_for(flow: &Flow, server: &Program) -> Outcome {
    let port = flow.job.port;
    let deadline = flow.start() + LISTEN_PATIENCE_NS;
    loop {
        let listening = sys::in_namespace(&flow.job.to, listening)?;
        if listening.iter().any(|(_, own)| *own == port) {
            return Ok(());
        }
        let over = server.ending();
        if let Some(over) = over.as_ref().filter(|over| over.status != 0) {
            let what = if NOT_RUN.contains(&over.status) { "cannot be run".into() } else { ended_with(over.status) };
            return Err(server.said(&what, Some(over)));
        }
        if sys::now() >= deadline {
            let others: Vec<String> = listening.iter().map(|(protocol, port)| format!("{protocol} {port}")).collect();
            let others = if others.is_empty() {
                "nothing there listens".into()
            } else {
                format!("{} there listens on {}", flow.job.to, others.join(", "))
            };
            let has_left = if over.is_some() { ", has ended," } else { "" };
            let what = format!(
                "{has_left} does not listen on UDP or TCP port {port} after {} s; {others}",
                LISTEN_PATIENCE_NS / 1_000_000_000
            );
            return Err(server.said(what.trim_start(), over.as_ref()));
        }
        sys::sleep_exactly_until(sys::now() + LOOK_INTERVAL_NS);
    }
}

fn ended_with(status: i32) -> String {
    match status {
        0..=128 => format!("ended with status {status}"),
        _ => format!("was ended by signal {}", status - 128),
    }
}

/// Returns the ports at which sockets of the thread's namespace receive (proc_net_tcp in the kernel's documentation).
fn listening() -> BTreeSet<(&'static str, u16)> {
    /// TCP_LISTEN, and TCP_CLOSE of a UDP socket without a peer (include/net/tcp_states.h).
    const TABLES: [(&str, &str, &str); 4] =
        [("tcp", "TCP", "0A"), ("tcp6", "TCP", "0A"), ("udp", "UDP", "07"), ("udp6", "UDP", "07")];
    let ports = TABLES.into_iter().flat_map(|(file, protocol, state)| {
        let table = fs::read_to_string(format!("/proc/thread-self/net/{file}")).unwrap_or_default();
        ports(&table, state).into_iter().map(move |port| (protocol, port)).collect::<Vec<_>>()
    });
    ports.collect()
}

fn ports(table: &str, state: &str) -> Vec<u16> {
    let port = |line: &str| {
        let mut words = line.split_whitespace().skip(1);
        let (local, is_there) = (words.next()?, words.nth(1)? == state);
        u16::from_str_radix(local.rsplit(':').next()?, 16).ok().filter(|_| is_there)
    };
    table.lines().skip(1).filter_map(port).collect()
}

/// How a program ended.
#[derive(Debug, Clone)]
struct Ending {
    status: i32,
    last: Option<String>,
}

#[derive(Debug)]
enum State {
    Waiting,
    /// Running, with this process as the leader of its group.
    Running(u32),
    /// Asked to end.
    Ending,
    Over(Ending),
}

/// One of the two programs.
#[derive(Clone)]
struct Program {
    flow: Flow,
    /// Number among the job's commands.
    number: u32,
    job: CommandJob,
    output: Arc<Mutex<Output>>,
    state: Arc<Mutex<State>>,
    ended: Sender<()>,
    ends: Arc<Mutex<Receiver<()>>>,
}

fn open<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Program {
    fn new(flow: &Flow, number: u32, job: CommandJob) -> Program {
        let (ended, ends) = channel();
        let (output, ends) = (Arc::default(), Arc::new(Mutex::new(ends)));
        Program { flow: flow.clone(), number, job, output, state: Arc::new(Mutex::new(State::Waiting)), ended, ends }
    }

    /// Starts the program at a time (CLOCK_MONOTONIC, ns), on a thread that follows it.
    fn start(&self, at: u64) -> Outcome {
        let program = self.clone();
        sys::spawn(move || {
            if let Err(what) = program.follow(at) {
                let ending = Ending { status: NOT_RUN[0], last: Some(what) };
                program.end(ending);
            }
        })
    }

    fn follow(&self, at: u64) -> Outcome {
        sys::enter_namespace(&self.job.namespace)?;
        sys::sleep_exactly_until(at);
        let (mut child, mut reader) = command::spawn(&self.job.command).map_err(|e| e.to_string())?;
        *open(&self.state) = State::Running(child.id());
        let mut output = Output::default();
        let is_ending = || matches!(*open(&self.state), State::Ending);
        let followed = command::follow(&mut child, &mut reader, &mut output, is_ending);
        let status = followed.map_err(|e| format!("cannot follow it: {e}"))?;
        let last = output.last_lines();
        *open(&self.output) = output;
        self.end(Ending { status, last });
        command::drop_rest(reader);
        Ok(())
    }

    fn end(&self, ending: Ending) {
        let mut state = open(&self.state);
        let status = (!matches!(*state, State::Ending)).then_some(ending.status);
        let output = open(&self.output).text();
        let output = if output.is_empty() { ending.last.clone().unwrap_or_default() } else { output };
        lab::tell(&Message::Ran(Ran { command: self.number, time: self.flow.now(), status, output }));
        *state = State::Over(ending);
        let _ = self.ended.send(());
    }

    /// Waits for the program's end until a deadline (CLOCK_MONOTONIC, ns).
    fn wait(&self, deadline: u64) -> Option<Ending> {
        let patience = Duration::from_nanos(deadline.saturating_sub(sys::now()));
        open(&self.ends).recv_timeout(patience).ok()?;
        self.ending()
    }

    fn ending(&self) -> Option<Ending> {
        if let State::Over(ending) = &*open(&self.state) { Some(ending.clone()) } else { None }
    }

    /// Ends the program if it still runs, and waits until that has been reported.
    fn stop(&self) {
        let leader = {
            let mut state = open(&self.state);
            let State::Running(leader) = *state else { return };
            *state = State::Ending;
            leader
        };
        sys::end_group(leader);
        if self.wait(sys::now() + GRACE.as_nanos() as u64).is_none() {
            sys::kill_group(leader);
            self.wait(u64::MAX);
        }
    }

    /// Says what happened to it, with its last lines.
    fn said(&self, what: &str, ending: Option<&Ending>) -> String {
        let last = ending.and_then(|ending| ending.last.as_ref());
        let last = last.map_or(String::new(), |last| format!(": {last}"));
        let role = if self.job.background { "server" } else { "client" };
        format!("the {role} \"{}\" {what}{last}", self.job.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of /proc/net/tcp and udp6 of Linux 6.1: sshd and a connection, a UDP server and a connected client.
    #[test]
    fn ports_are_those_of_sockets_that_receive() {
        let tcp = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
                   0: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 15311 1\n   \
                   1: 0100007F:0016 0100007F:D2F0 01 00000000:00000000 02:000AF2B5 00000000     0        0 17710 2\n";
        assert_eq!(ports(tcp, "0A"), [22]);
        let udp6 = "  sl  local_address                         remote_address                        st tx_queue\n  \
                    10: 00000000000000000000000000000000:1839 00000000000000000000000000000000:0000 07 00000000:0\n  \
                    11: 00000000000000000000000001000000:A001 00000000000000000000000001000000:1839 01 00000000:0\n";
        assert_eq!(ports(udp6, "07"), [6201]);
        assert_eq!(ports("", "07"), [0u16; 0]);
    }
}
