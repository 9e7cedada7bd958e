//! Flows: threads that sleep in the kernel while packets move.

mod bulk;
mod connection;
mod exchanges;
mod outstanding;
mod pace;
mod ping;
mod program;
mod relay;
mod requests;
mod udp;
mod writes;

use crate::sys::{Family, Stack};
use crate::waiting::{Outcome, Reporter, Waiting};
use crate::{lab, sys};
use std::sync::mpsc::channel;
use wire::{CommandJob, FlowJob, Job, Message, Traffic};

/// Starts all flows of the job; times count from `origin` (CLOCK_MONOTONIC, ns).
pub fn start_all(job: &Job, origin: u64, waiting: &mut Waiting) -> Outcome {
    // The half of a relayed flow that leads to the proxy; the other half is the next flow.
    let mut first_half = None;
    for (number, flow) in job.flows.iter().enumerate() {
        let is_relayed = job.flows.get(number + 1).is_some_and(|behind| behind.onward);
        let number = number as u32;
        let reporter = waiting.add(name(number, flow));
        let flow = Flow {
            number,
            job: flow.clone(),
            origin,
            limit: origin + job.limit - job.settle,
            settle: job.settle,
            stacks: flow.ends().map(|end| Stack::for_kernel(job.is_freebsd(end))),
            reporter,
        };
        let started = match flow.job.traffic.clone() {
            Traffic::Bulk { tcp, on_off, send_rate, read_rate, slow_start_ends } => {
                let ends = bulk::Ends { read_rate, slow_start_ends };
                let pace = pace::Pace { on_off, rate: send_rate, writes: tcp.writes };
                let bulk = bulk::Bulk::new(&flow, tcp, pace, ends);
                bulk.and_then(|bulk| match (first_half.take(), flow.job.onward) {
                    (Some(first), true) => relay::start(first, bulk),
                    (None, false) if is_relayed => {
                        first_half = Some(bulk);
                        Ok(())
                    }
                    (None, false) => bulk::start(bulk),
                    _ => Err("the flow before it leads to no relay".into()),
                })
            }
            Traffic::Requests { tcp, request, response, think, outstanding } => {
                requests::start(&flow, tcp, requests::Exchanged { request, response, think, outstanding })
            }
            Traffic::Udp { rate, size } => udp::start(&flow, rate, size),
            Traffic::Ping { interval, size } => ping::start(&flow, interval, size),
            Traffic::Program { .. } => programs(job, number).and_then(|own| program::start(&flow, own)),
        };
        started.map_err(|what| flow.place(&what))?;
    }
    Ok(())
}

/// Returns the server and the client of a flow, each with its number among the job's commands.
fn programs(job: &Job, flow: u32) -> Result<[(u32, CommandJob); 2], String> {
    let numbered = (0..).zip(&job.commands).filter(|(_, command)| command.flow == Some(flow));
    let own: Vec<(u32, CommandJob)> = numbered.map(|(number, command)| (number, command.clone())).collect();
    own.try_into().map_err(|_| "it needs a server and a client".into())
}

fn name(number: u32, flow: &FlowJob) -> String {
    format!("flow {number} ({} to {})", flow.from, flow.to)
}

/// State that every thread of a flow has.
#[derive(Clone)]
struct Flow {
    number: u32,
    job: FlowJob,
    origin: u64,
    /// End of the trial's time, before the last packets arrive (CLOCK_MONOTONIC, ns).
    limit: u64,
    /// Time that the last packets may be in flight, ns.
    settle: u64,
    /// Stacks of both ends, as `FlowJob::ends` orders them.
    stacks: [Stack; 2],
    reporter: Reporter,
}

impl Flow {
    fn place(&self, what: &str) -> String {
        format!("{}: {what}", name(self.number, &self.job))
    }

    /// Runs the listening end, which listens before this returns. Only its failure is reported.
    fn spawn_listener<S>(
        &self,
        listen: impl FnOnce() -> Result<S, String> + Send + 'static,
        serve: impl FnOnce(S) -> Outcome + Send + 'static,
    ) -> Outcome {
        let (listening, listens) = channel();
        let flow = self.clone();
        sys::spawn(move || {
            let end = sys::enter_namespace(&flow.job.to).and_then(|()| listen());
            let _ = listening.send(end.as_ref().map(drop).map_err(String::clone));
            if let Ok(end) = end
                && let Err(what) = serve(end)
            {
                flow.reporter.report(Err(flow.place(&what)));
            }
        })?;
        listens.recv().map_err(|e| e.to_string())?
    }

    /// Runs the connecting end, and reports the flow's end when it has ended.
    fn spawn_starter(&self, work: impl FnOnce() -> Outcome + Send + 'static) -> Outcome {
        let flow = self.clone();
        sys::spawn(move || {
            let outcome = sys::enter_namespace(&flow.job.from).and_then(|()| work());
            flow.reporter.report(outcome.map_err(|what| flow.place(&what)));
        })
    }

    /// IP version of the flow.
    fn family(&self) -> Family {
        Family::from_address(self.job.address)
    }

    /// Start of the flow (CLOCK_MONOTONIC, ns).
    fn start(&self) -> u64 {
        self.origin + self.job.start
    }

    /// Waits for the flow's start, and reports it.
    fn begin(&self) {
        sys::sleep_until(self.start());
        lab::tell(&Message::Started { flow: self.number, time: self.job.start });
    }

    /// Current virtual time, ns after the network was up.
    fn now(&self) -> u64 {
        sys::now().saturating_sub(self.origin)
    }

    fn tell_end(&self) {
        lab::tell(&Message::Ended { flow: self.number, time: self.now() });
    }
}
