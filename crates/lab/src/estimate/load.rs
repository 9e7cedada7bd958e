//! Load that a flow puts on its path, estimated from the scene.

use base::model::response::{self, ALGORITHMS, Algorithm, Name};
use plan::network::topology::{Step, node};
use plan::{Flow, LengthEffect, Loss, Role, Scene, Stage, Tcp, Traffic, Until, Writes};

/// Distance between losses, packets, up to which they cost a sender one reduction.
const ONE_EVENT: u32 = 100;
/// Shortest round trip, s.
const MIN_RTT_S: f64 = 20e-6;
/// Initial window, segments (RFC 6928).
const INITIAL_WINDOW: f64 = 10.0;

/// Time of a program that ends by itself, s of virtual time, and system calls of programs for each packet.
const PROGRAM_S: f64 = 10.0;
const PROGRAM_CALLS: f64 = 2.0;

/// Load of a flow on the narrowest lane of its path.
#[derive(Debug)]
pub struct Load {
    /// Start and end, s; the end is infinite for a flow that ends after its data.
    pub span: [f64; 2],
    /// Packets to send; infinite for a flow without a size.
    pub packets: f64,
    /// Rate of the lane, packets of the flow's size per second.
    pub line: f64,
    /// Rate of the flow if it is alone there, packets per second.
    pub alone: f64,
    pub links: usize,
    pub stages: usize,
    /// System calls of the agent for each packet.
    pub calls: f64,
}

impl Load {
    /// Returns the number of packets that are sent.
    pub fn carried(&self) -> f64 {
        self.packets.min(self.alone * (self.span[1] - self.span[0]))
    }
}

/// Limits flows that share a lane to their share of it, and sets the end of each flow that ends after its data.
pub fn share(loads: &mut [Load]) {
    let wanted: f64 = loads.iter().map(|load| load.alone).sum();
    for load in loads {
        load.alone = load.alone.min(load.line * load.alone / wanted).max(f64::MIN_POSITIVE);
        if load.span[1].is_infinite() {
            load.span[1] = load.span[0] + load.packets / load.alone;
        }
    }
}

/// Returns a flow's load, with the number of the narrowest lane on its path.
pub fn flow_load(scene: &Scene, flow: &Flow) -> Option<(usize, Load)> {
    let way = analysis::way(scene, flow);
    let narrowest = way.iter().copied().min_by(|a, b| line(scene, *a).total_cmp(&line(scene, *b)))?;
    let mtu = way.iter().map(|step| scene.links[step.link].mtu).min()?;
    // Headers of a segment without options, bytes.
    let headers = flow.family().tcp();
    let mss = flow.tcp().and_then(|tcp| tcp.mss).unwrap_or(mtu).min(mtu.saturating_sub(headers)).max(1);
    let start = flow.start as f64 / 1e9;
    let (end, count) = match flow.until {
        Until::Duration(ns) => (start + ns as f64 / 1e9, f64::INFINITY),
        Until::Bytes(count) | Until::Exchanges(count) => (f64::INFINITY, count as f64),
        // Nobody knows for how long.
        Until::Exit => (start + PROGRAM_S, f64::INFINITY),
    };
    let rtt = (analysis::base_rtt(scene, flow) as f64 / 1e9).max(MIN_RTT_S);
    let of_size = |payload: u32| line(scene, narrowest) / 8.0 / f64::from(payload.saturating_add(headers));
    let per_segment = |rate: u64| rate as f64 / 8.0 / f64::from(mss);
    let (payload, packets, alone, calls) = match &flow.traffic {
        Traffic::Bulk { tcp, send_rate, read_rate, on_off, .. } => {
            let path = response::Path { rate: of_size(mss) * f64::from(mss) * 8.0, rtt, mss: mss.into() };
            let alone = windowed(scene, flow, tcp, rtt).min(lossy(scene, flow, &way, &path)) / 8.0 / f64::from(mss);
            let rates = [*send_rate, *read_rate, tcp.max_rate].into_iter().flatten();
            let alone = rates.fold(alone, |all, rate| all.min(per_segment(rate)));
            let paused = |writes: Writes| writes.bytes as f64 / f64::from(mss) / (writes.pause as f64 / 1e9);
            let alone = tcp.writes.map_or(alone, |writes| alone.min(paused(writes)));
            let busy = on_off.map_or(1.0, |(on, off)| on as f64 / (on + off) as f64);
            let calls = tcp.writes.map_or(0.0, |writes| f64::from(mss) / writes.bytes as f64);
            (mss, count / f64::from(mss), alone * busy, calls)
        }
        Traffic::Requests { request, response, think, outstanding, .. } => {
            let each: f64 = [request, response].map(|bytes| bytes.div_ceil(mss.into()) as f64).iter().sum();
            let rounds = 1.0 + (each / INITIAL_WINDOW).max(1.0).log2();
            let ahead = f64::from(*outstanding);
            let time = *think as f64 / 1e9 + rtt * rounds + ahead * each / of_size(mss);
            (mss, each * count, ahead * each / time, 4.0 / each)
        }
        Traffic::Udp { rate, size } => (*size, count, *rate as f64 / 8.0 / f64::from(*size), 2.0),
        Traffic::Ping { interval, size } => (*size, count, 1e9 / (*interval).max(1) as f64, 2.0),
        Traffic::Program { .. } => (mss, count, of_size(mss), PROGRAM_CALLS),
    };
    let (line, stages) = (of_size(payload), way.iter().map(|step| step.lane(scene).stages.len()).sum());
    let load = Load { span: [start, end], packets, line, alone: alone.min(line), links: way.len(), stages, calls };
    Some((analysis::lane_number(narrowest), load))
}

/// Returns the rate of a direction of a link, bit/s.
fn line(scene: &Scene, step: Step) -> f64 {
    let lane = step.lane(scene);
    let stages = lane.stages.iter().filter_map(|stage| match stage {
        Stage::Police { rate, .. } | Stage::Shape { rate, .. } => Some(*rate),
        _ => None,
    });
    let nic = match &node(scene, &scene.links[step.link].ends[step.lane].node).role {
        Role::Host(host) => host.nic,
        Role::Switch(_) | Role::Router(_) => None,
    };
    lane.rates().max().into_iter().chain(stages).chain(nic).min().unwrap_or(0) as f64
}

/// Returns the rate of half the largest buffer of either end in each round trip, bit/s: the other half is overhead.
fn windowed(scene: &Scene, flow: &Flow, tcp: &Tcp, rtt: f64) -> f64 {
    let most = |name: &str, sysctl: &str| -> Option<f64> {
        let (_, value) = node(scene, name).sysctls.iter().rfind(|(name, _)| name == sysctl)?;
        value.split(' ').nth(2)?.parse().ok()
    };
    let send = tcp.send_buffer.map(f64::from).or(most(&flow.from, "net.ipv4.tcp_wmem").map(|most| most / 2.0));
    let receive = tcp.receive_buffer.map(f64::from).or(most(&flow.to, "net.ipv4.tcp_rmem").map(|most| most / 2.0));
    [send, receive].into_iter().flatten().fold(f64::INFINITY, f64::min) * 8.0 / rtt
}

/// Returns the rate of the congestion control under the path's loss, bit/s.
fn lossy(scene: &Scene, flow: &Flow, way: &[Step], path: &response::Path) -> f64 {
    let segment = path.mss as u32 + flow.family().tcp();
    let stages = || way.iter().flat_map(|step| &step.lane(scene).stages);
    let vanish = |stage: &Stage| {
        let is_hit = |from, to| (from..=to).contains(&segment);
        matches!(stage, Stage::Lengths { from, to, effect: LengthEffect::Drop | LengthEffect::Corrupt } if is_hit(*from, *to))
    };
    if stages().any(vanish) {
        return path.mss * 8.0;
    }
    let input = match &node(scene, &flow.to).role {
        Role::Host(host) => host.input_loss.map_or(0.0, |every| 1.0 / f64::from(every)),
        Role::Switch(_) | Role::Router(_) => 0.0,
    };
    let share: f64 = input + stages().map(events).sum::<f64>();
    let name = analysis::congestion(scene, flow).unwrap_or("reno");
    let is_known = |known: &&Algorithm| matches!(known.linux, Some(Name::Control(own)) if own == name);
    let algorithm = ALGORITHMS.iter().find(is_known).unwrap_or(&ALGORITHMS[0]);
    let rate = |p: f64| if p > 0.0 { (algorithm.response)(path, p).unwrap_or(path.rate) } else { path.rate };
    let Until::Duration(ns) = flow.until else { return rate(share) };
    // Losses at fixed packet numbers: the more the flow sends, the smaller their share.
    let counted: f64 = stages().map(numbered).sum();
    let packets = |rate: f64| rate / 8.0 / path.mss * ns as f64 / 1e9;
    (0..40).fold(path.rate, |last, _| (last * rate(share + counted / packets(last).max(1.0))).sqrt())
}

/// Returns the loss events for each packet.
fn events(stage: &Stage) -> f64 {
    match *stage {
        Stage::Loss(Loss::Random(p)) | Stage::Corrupt(p) => p,
        Stage::Loss(Loss::Every(n)) => 1.0 / f64::from(n),
        Stage::Loss(Loss::GilbertElliott { p, r, bad, good }) => good + bad * p * r / (p + r).max(f64::MIN_POSITIVE),
        _ => 0.0,
    }
}

/// Returns the loss events at fixed packet numbers.
fn numbered(stage: &Stage) -> f64 {
    let Stage::Loss(Loss::Packets(numbers)) = stage else { return 0.0 };
    let apart = numbers.windows(2).filter(|pair| pair[1] - pair[0] > ONE_EVENT).count();
    (apart + usize::from(!numbers.is_empty())) as f64
}
