//! From a set-up as written to a scene in which every default is filled in.

pub(super) mod chance;
mod family;
mod flow;
mod freebsd;
mod interface;
mod kernel;
mod lane;
mod link;
mod node;
mod refused;
mod route;
mod topology;

use super::reader::Reader;
use super::written::{self, Setup};
use evidence::unit::{TIME, Wrong};
use flow::{Ends, Scattered};
pub use kernel::{Feature, Kernel};
use plan::{Command, Lane, Record, Scene, Teller, Trace, Until};
use toml::Spanned;
use topology::Topology;

/// Time for a trial after its last flow with a duration has ended, ns.
const FLOW_GRACE_NS: u64 = 10_000_000_000;
/// Time for flows without a duration, and for commands, ns.
const OPEN_END_LIMIT_NS: u64 = 3_600_000_000_000;

/// A trial before the flows' start delays are drawn.
#[derive(Debug)]
pub struct Draft {
    /// Name of the guest kernel.
    pub kernel: String,
    scene: Scene,
    /// Longest start delay of each flow, in addition to the spread of all, ns.
    scatter: Vec<u64>,
}

impl Draft {
    /// Returns the number of connections.
    pub fn connections(&self) -> usize {
        self.scene.flows.len()
    }

    /// Returns the scene, with every flow at its earliest start.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns the scene of a trial: draws each flow's start delay from the seed.
    pub fn with_seed(&self, seed: u64, spread: u64) -> Scene {
        let mut scene = self.scene.clone();
        place_traces(&mut scene, seed);
        let mut before = 0;
        for (number, (flow, &scatter)) in scene.flows.iter_mut().zip(&self.scatter).enumerate() {
            if flow.onward {
                flow.start = before;
                continue;
            }
            flow.start += chance::later(chance::Stream::Spread, seed, number, spread);
            flow.start += chance::later(chance::Stream::Scatter, seed, number, scatter);
            before = flow.start;
        }
        scene
    }
}

/// Draws the offset in each trace that the seed decides.
fn place_traces(scene: &mut Scene, seed: u64) {
    let is_drawn = |trace: &Option<Trace>| trace.as_ref().is_some_and(|trace| trace.by_seed);
    let of_lane = |lane: &Lane| is_drawn(&lane.rate_trace) || is_drawn(&lane.delay_trace);
    if !scene.links.iter().any(|link| of_lane(&link.forward) || of_lane(&link.backward)) {
        return;
    }
    let lanes = scene.links.iter_mut().flat_map(|link| [&mut link.forward, &mut link.backward]);
    for (number, lane) in lanes.enumerate() {
        for trace in [&mut lane.rate_trace, &mut lane.delay_trace].into_iter().flatten().filter(|trace| trace.by_seed) {
            trace.offset = chance::later(chance::Stream::Offset, seed, number, trace.end());
        }
    }
}

/// Returns the draft of a set-up; `None` and faults if it is invalid. Names are checked even if some values could not
/// be read.
pub fn draft(reader: &Reader, setup: &Setup, kernels: &[Kernel], spread: u64) -> Option<Draft> {
    let (kernel, known) = kernel::kernel(reader, setup, kernels);
    let topology = Topology::new(reader, setup);
    let ends = flow::ends(reader, setup);
    let tunnel_ends = link::tunnel_ends(reader, setup);
    let family = family::family(reader, setup);
    let (topology, ends) = (topology?, ends.into_iter().collect::<Option<Vec<Ends>>>()?);
    refused::check(reader, setup, &topology, &ends, known);
    refused::check_multipath(reader, setup, &ends);
    kernel::check_features(reader, setup, known);
    if !reader.is_clean() {
        return None;
    }
    let links = link::links(reader, setup, &topology);
    let nodes = node::nodes(reader, setup, &topology, &links, &ends);
    let flows = flow::flows(reader, setup, &topology, (&nodes, &links, family), &ends);
    let (commands, fetch) = (node::commands(setup), node::fetched(reader, setup));
    let record = recorded(reader, &setup.record, &flows, &commands, spread);
    let tunnels = link::tunnels(reader, setup, &tunnel_ends, (&nodes, &links, family));
    check_end(reader, &flows, &commands);
    let (flows, scatter) = flows.into_iter().map(|Scattered { flow, by }| (flow, by)).unzip();
    let routes = route::routes(reader, setup, &nodes, &links).into();
    let (nodes, links, tunnels) = (nodes.into(), links.into(), tunnels.into());
    let (commands, fetch, capture) = (commands.into(), fetch.into(), node::captured(reader, setup).into());
    let scene = Scene { nodes, links, routes, tunnels, family, flows, commands, fetch, capture, record };
    if reader.is_clean() {
        route::check(reader, setup, &scene, &ends);
        link::check_nesting(reader, setup, &scene);
    }
    if reader.is_clean() {
        link::check_inner_mtus(reader, setup, &scene);
        link::check_depths(reader, setup, &scene);
    }
    Some(Draft { kernel, scene, scatter })
}

/// Checks that something ends the trial: a flow, or a command in the foreground.
fn check_end(reader: &Reader, flows: &[Scattered], commands: &[Command]) {
    if flows.is_empty() && commands.iter().all(|command| command.background) {
        let wrong = Wrong::new("the experiment has no [[flows]], and all of its commands run in the background");
        reader.fault(0..0, wrong.note("nothing says when a trial is over").hint("add [[flows]], or remove background"));
    }
}

fn recorded(
    reader: &Reader,
    record: &written::Record,
    flows: &[Scattered],
    commands: &[Command],
    spread: u64,
) -> Record {
    let &written::Record { interval, acks, drops, ref limit, .. } = record;
    let of_commands = commands.iter().map(|command| command.at).max().unwrap_or(0);
    let ended = flow::last_end(flows, spread);
    let started = flow::last_start(flows, spread).max(of_commands);
    if let Some(limit) = limit {
        check_limit(reader, limit, ended.max(started), of_commands);
    }
    let is_open = flows.iter().any(|Scattered { flow, .. }| !matches!(flow.until, Until::Duration(_)))
        || commands.iter().any(|command| !command.background);
    let patience = if is_open { started + OPEN_END_LIMIT_NS } else { 0 };
    Record {
        interval,
        acks,
        drops,
        limit: limit.as_ref().map_or(patience.max(ended.max(started) + FLOW_GRACE_NS), |limit| *limit.get_ref()),
        teller: Teller::Kernel,
    }
}

fn check_limit(reader: &Reader, limit: &Spanned<u64>, last: u64, of_commands: u64) {
    if *limit.get_ref() < last {
        let what = if last == of_commands { "the last command starts" } else { "the flows do" };
        let wrong = Wrong::new(format!("limit {} ends before {what}", reader.literal(limit.span())));
        reader.fault(limit.span(), wrong.accepted(format!("at least {}, spread included", TIME.show(last))));
    }
}
