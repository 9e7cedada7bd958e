//! The plan of an experiment for real hosts: its flows, without its network.

use super::iperf_flows::INTERVAL;
use super::place::place;
use super::{FieldRunError, FieldRunRequest, by_iperf3};
use analysis::study::Wanted;
use evidence::unit::Wrong;
use experiment::{self, Errors, Fault, Outline};
use lab::run;
use plan::{Enough, Flow, Host, Node, Offloads, Plan, Profile, Record, Role, Scene, Stack, Teller, Traffic};
use std::collections::BTreeSet;

/// A plan, and the unused parts of the experiment.
#[derive(Debug, Clone)]
pub struct Planned {
    pub plan: Plan,
    pub unused: Vec<String>,
}

/// Initial number of blocks, if the experiment has none: an interval needs two.
const FIRST_BLOCKS: u64 = 3;

/// Relative interval of goodput at which blocks suffice, and the largest number of blocks.
const NARROW: f64 = 0.05;
const MOST_BLOCKS: u64 = 20;

/// Keys that may vary on real hosts.
const VARIABLE: &[&str] = &[
    "flows.congestion",
    "flows.mss",
    "flows.send-buffer",
    "flows.receive-buffer",
    "flows.count",
    "flows.direction",
    "flows.duration",
    "flows.bytes",
    "flows.start",
    "flows.stagger",
    "flows.scatter",
    "flows.omit",
    "flows.send-rate",
    "flows.from",
    "flows.to",
    "record.interval",
];

/// Sections that describe what already exists on real hosts.
const UNUSED_SECTIONS: &[(&str, &str)] = &[
    ("path", "[path] is not used: the line is what it is"),
    ("links", "[[links]] is not used: the line is what it is"),
    ("tunnels", "[[tunnels]] is not used: the line is what it is"),
    ("switches", "[switches] is not used: the line is what it is"),
    ("routers", "[routers] is not used: the line is what it is"),
    ("routes", "[[routes]] is not used: the hosts' own routes are"),
    ("hosts", "[hosts] is not used: hosts keep their settings; `goodput field apply` tries a change of one"),
    ("kernel", "kernel is not used: hosts run their own"),
    ("family", "family is not used: the address decides"),
    ("run", "[[run]] is not used: goodput runs none of the experiment's commands on real hosts"),
    ("record", "[record] is not used but for interval and limit"),
];

/// Returns the plan of a request. Refuses, at their places, parts that real hosts, or iperf3 there, cannot do.
pub fn planned(request: &FieldRunRequest, teller: Teller) -> Result<Planned, FieldRunError> {
    let mut plan = run::plan_without_kernels(&request.experiment, request.seeds, request.files)?;
    let file = request.experiment.display().to_string();
    let outline = experiment::outline(&file, &plan.spec)?;
    hosts(&plan, &request.names)?;
    let mut faults = faults(&plan, &outline, &request.names);
    if teller == Teller::Iperf3 {
        faults.extend(by_iperf3::faults(&plan, &outline));
    }
    if !faults.is_empty() {
        return Err(Errors::new(&file, &plan.spec, faults).into());
    }
    let sections: BTreeSet<&str> = outline.sections.iter().map(|(name, _)| name.as_str()).collect();
    let says_how_often = sections.contains("repeat");
    let unused = UNUSED_SECTIONS
        .iter()
        .filter(|(name, _)| sections.contains(name))
        .map(|(_, line)| (*line).to_owned())
        .collect();
    if request.seeds.is_none() && !says_how_often {
        plan.trials.retain(|trial| trial.seed < plan.repeat.first + FIRST_BLOCKS);
        plan.trials.iter_mut().enumerate().for_each(|(index, trial)| trial.index = index);
        plan.repeat.seeds = FIRST_BLOCKS;
        plan.repeat.until = Some(Enough { measure: "goodput".into(), interval: NARROW, at_most: MOST_BLOCKS });
    }
    let wanted = missing(&plan);
    let plan = grown(plan, &wanted, &request.names, teller)?;
    Ok(Planned { plan, unused })
}

/// Returns a plan with more trials.
pub fn grown(plan: Plan, wanted: &[Wanted], names: &[String; 2], teller: Teller) -> Result<Plan, FieldRunError> {
    let mut plan = match wanted.is_empty() {
        true => plan,
        false => experiment::grown("the experiment", plan, wanted)?,
    };
    for trial in &mut plan.trials {
        trial.kernel.clear();
        trial.scene = real(&trial.scene, names, teller);
    }
    Ok(plan)
}

/// Sets the hosts' stacks by `uname -s`.
pub fn on_systems(plan: &mut Plan, systems: &[&str; 2]) {
    let stacks = systems.map(|system| if system == "FreeBSD" { Stack::FreeBsd } else { Stack::Linux });
    for trial in plan.trials.iter_mut().filter(|_| stacks.contains(&Stack::FreeBsd)) {
        let mut nodes: Vec<Node> = trial.scene.nodes.iter().cloned().collect();
        for (node, stack) in nodes.iter_mut().zip(stacks) {
            if let Role::Host(host) = &mut node.role {
                host.stack = stack;
            }
        }
        trial.scene.nodes = nodes.into();
    }
}

/// Returns the initial trials that points lack: if the lab has no randomness, it starts with fewer.
fn missing(plan: &Plan) -> Vec<Wanted> {
    let blocks = plan.repeat.seeds();
    let of_point = |trials: &[plan::Trial]| {
        let point = trials[0].point.clone();
        let there: Vec<u64> = trials.iter().map(|trial| trial.seed).collect();
        let seeds = blocks.at(0..blocks.count).filter(move |seed| !there.contains(seed));
        seeds.map(move |seed| Wanted { point: point.clone(), seed }).collect::<Vec<_>>()
    };
    plan.points().into_iter().flat_map(of_point).collect()
}

/// Ends a plan after so many trials, as if it had required no more.
pub fn end_after(plan: &mut Plan, finished: usize) {
    plan.trials.retain(|trial| trial.index < finished);
    plan.repeat.until = None;
    plan.repeat.seeds = plan.points().iter().map(|trials| trials.len() as u64).min().unwrap_or(1);
}

/// Returns the same flows between two hosts on an existing path.
fn real(scene: &Scene, names: &[String; 2], teller: Teller) -> Scene {
    let least = if teller == Teller::Iperf3 { INTERVAL.as_nanos() as u64 } else { 0 };
    let interval = scene.record.interval.max(least);
    let host = Host {
        stack: Stack::Linux,
        profile: Profile::Plain,
        driver: None,
        nic: None,
        qdisc: plan::HostQdisc::Fifo,
        route: plan::Route::default(),
        shape: None,
        input_loss: None,
        multipath: plan::Multipath::default(),
    };
    let node = |name: &String| Node {
        name: name.clone(),
        role: Role::Host(host.clone()),
        offloads: Offloads::default(),
        ports: vec![],
        sysctls: vec![],
    };
    Scene {
        nodes: names.iter().map(node).collect::<Vec<_>>().into(),
        links: vec![].into(),
        routes: vec![].into(),
        tunnels: vec![].into(),
        family: scene.family,
        flows: scene.flows.clone(),
        commands: vec![].into(),
        fetch: vec![].into(),
        capture: vec![].into(),
        record: Record { acks: false, drops: false, teller, interval, ..scene.record },
    }
}

/// Refuses names that are no hosts of the experiment.
fn hosts(plan: &Plan, names: &[String; 2]) -> Result<(), FieldRunError> {
    let nodes = plan.trials.iter().flat_map(|trial| trial.scene.nodes.iter());
    let hosts: BTreeSet<&String> =
        nodes.filter(|node| matches!(node.role, Role::Host(_))).map(|node| &node.name).collect();
    match names.iter().find(|name| !hosts.contains(name)) {
        Some(name) => Err(FieldRunError::NoHost { name: name.clone(), accepted: hosts.into_iter().cloned().collect() }),
        None => Ok(()),
    }
}

/// Returns the parts that real hosts cannot do, at their places.
fn faults(plan: &Plan, outline: &Outline, names: &[String; 2]) -> Vec<Fault> {
    let mut faults = vec![];
    if let Some((_, span)) = outline.sections.iter().find(|(name, _)| name == "search") {
        let wrong = Wrong::new("a search is for the lab: a real line would be under load until it ends");
        faults.push(Fault { span: span.clone(), wrong: wrong.hint("list the values under [vary]") });
    }
    for (key, span) in &outline.varied {
        let parts: Vec<&str> = key.split('.').filter(|part| !part.bytes().all(|b| b.is_ascii_digit())).collect();
        let plain = parts.join(".");
        if !VARIABLE.contains(&plain.as_str()) && !faults.iter().any(|fault: &Fault| fault.span == *span) {
            let wrong = Wrong::new(format!("\"{key}\" cannot vary on real hosts: it is what it is"));
            let accepted = VARIABLE.join(", ");
            faults.push(Fault {
                span: span.clone(),
                wrong: wrong
                    .accepted(accepted)
                    .hint("goodput run varies it in the lab; `goodput field apply` tries a setting of a host"),
            });
        }
    }
    for trial in &plan.trials {
        for flow in &trial.scene.flows {
            if let Some((key, what)) = unlike(flow, names) {
                let span = place(outline, key);
                if !faults.iter().any(|fault| fault.span == span) {
                    faults.push(Fault { span, wrong: Wrong::new(what).hint("goodput run has it in the lab") });
                }
            }
        }
        let listening: BTreeSet<Option<u32>> = trial
            .scene
            .flows
            .iter()
            .filter(|flow| flow.to == names[1])
            .filter_map(|flow| flow.tcp().map(|tcp| tcp.receive_buffer))
            .collect();
        if listening.len() > 1 {
            let wrong = Wrong::new(format!("the flows of a trial to {} need the same receive-buffer", names[1]));
            faults.push(Fault {
                span: place(outline, "receive-buffer"),
                wrong: wrong.hint("vary it from trial to trial"),
            });
            break;
        }
    }
    faults
}

/// Returns the key of a flow that real hosts cannot do, and the reason.
fn unlike(flow: &Flow, names: &[String; 2]) -> Option<(&'static str, String)> {
    let Traffic::Bulk { tcp, on_off, read_rate, slow_start_ends, .. } = &flow.traffic else {
        return Some(("kind", "goodput makes bulk flows alone on real hosts".into()));
    };
    let is_host = |name: &String| names.contains(name);
    let no = |key, what: &str| Some((key, format!("{what} is not there on real hosts")));
    match () {
        _ if tcp.multipath => no("protocol", "MPTCP"),
        _ if on_off.is_some() => no("on", "a flow with pauses"),
        _ if read_rate.is_some() => no("read-rate", "a slow reader"),
        _ if slow_start_ends.is_some() => no("slow-start-ends", "another end of slow start"),
        _ if tcp.nodelay => no("nodelay", "TCP_NODELAY"),
        _ if tcp.max_rate.is_some() => no("max-rate", "a cap of the pacing rate"),
        _ if tcp.writes.is_some() => no("write", "a size of writes"),
        _ if flow.onward => no("via", "a relay"),
        _ if !is_host(&flow.from) => Some(("from", format!("{} is none of --hosts", flow.from))),
        _ if !is_host(&flow.to) => Some(("to", format!("{} is none of --hosts", flow.to))),
        _ => None,
    }
}
