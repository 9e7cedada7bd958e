//! Curves of a trial.

use super::behind_pictures::{operating_points, percentiles};
use crate::report::{Curve, FlowTrace, LaneTrace, QueueUnit, Trace};
use crate::table::{flow_name, lane_name};
use analysis::qlog;
use analysis::{FlowSeries, Series};
use base::folder::Folder;
use evidence::headers::ETHERNET;
use plan::network;
use plan::network::topology::Step;
use plan::recording::NO_SSTHRESH;
use plan::{Buffer, Flow, Scene, Traffic, Trial};

/// Most points of a curve: twice the pixels of a wide plot.
pub(super) const MAX_CURVE_POINTS: usize = 2000;

/// Settings for drawing the curves of a run.
#[derive(Clone, Copy)]
pub(super) struct Drawing {
    /// Width of the bins of goodput, ns.
    pub bin: u64,
    /// Unit of queue lengths.
    pub unit: QueueUnit,
    /// Most points of a curve.
    pub most: usize,
}

/// Endings of a qlog file, as JSON and as JSON-SEQ.
const QLOG_ENDINGS: [&str; 2] = ["qlog", "sqlog"];

impl Drawing {
    /// Adds cwnd and RTT of programs whose qlog was fetched as `/tmp/FLOW.qlog` or `/tmp/FLOW.sqlog`. Its first event is
    /// taken to be the flow's start.
    pub fn add_logged(self, trial: &Trial, series: &Series, folder: &Folder, into: &mut Trace) {
        let programs = (0..trial.scene.flows.len()).filter(|number| trial.scene.flows[*number].is_program());
        for number in programs {
            let names = QLOG_ENDINGS.map(|ending| format!("fetched-{}.{ending}", trial.scene.called(number)));
            let Some(logged) = names
                .iter()
                .find_map(|name| qlog::read(&String::from_utf8_lossy(&folder.read(name, wire::MOST_FETCHED).ok()?)))
            else {
                continue;
            };
            let [start, _] = series.span(number);
            let curve = |of: &[(u64, f64)], scale: f64| {
                let times: Vec<u64> = of.iter().map(|(time, _)| start + time).collect();
                let values: Vec<Option<f64>> = of.iter().map(|(_, value)| Some(value / scale)).collect();
                Curve::new(&seconds(&times), &values, self.most)
            };
            let flow = &mut into.flows[number];
            (flow.cwnd, flow.rtt) = (curve(&logged.cwnd, logged.datagram), curve(&logged.srtt, 1.0));
            flow.bdp = bdp(&trial.scene, &trial.scene.flows[number]);
        }
    }
}

pub(super) fn trace(point: usize, trial: &Trial, series: &Series, drawing: Drawing) -> Trace {
    let scene = &trial.scene;
    let flows = (0..series.flows.len()).map(|number| flow_trace(number, series, scene, drawing));
    let lane = analysis::bottleneck(scene).and_then(|step| lane_trace(step, scene, series, drawing));
    Trace { point, seed: trial.seed, flows: flows.collect(), lanes: lane.into_iter().collect() }
}

fn seconds(times: &[u64]) -> Vec<f64> {
    times.iter().map(|ns| *ns as f64 / 1e9).collect()
}

fn flow_trace(number: usize, series: &Series, scene: &Scene, drawing: Drawing) -> FlowTrace {
    let Drawing { bin, most, .. } = drawing;
    let steady = analysis::steady(number, scene, series).map(|ns| ns as f64 / 1e9);
    let (flow, series) = (&scene.flows[number], &series.flows[number]);
    let time = seconds(&series.time);
    let curve = |y: Vec<Option<f64>>| Curve::new(&time, &y, most);
    let kind = match flow.traffic {
        Traffic::Bulk { .. } | Traffic::Requests { .. } => analysis::congestion(scene, flow).unwrap_or_default(),
        Traffic::Udp { .. } => "udp",
        Traffic::Ping { .. } => "ping",
        Traffic::Program { .. } => "program",
    };
    let srtt = || curve(series.srtt.iter().map(|us| (*us > 0).then_some(*us as f64 / 1e3)).collect());
    FlowTrace {
        name: flow_name(number, scene),
        congestion: kind.into(),
        base_rtt: analysis::base_rtt(scene, flow) as f64 / 1e6,
        bdp: flow.tcp().and_then(|_| bdp(scene, flow)),
        cwnd: curve(series.cwnd.iter().map(|n| Some(*n as f64)).collect()),
        ssthresh: curve(series.ssthresh.iter().map(|n| (*n < NO_SSTHRESH).then_some(*n as f64)).collect()),
        rtt: if kind == "ping" { answers(series, most) } else { srtt() },
        exchange: match flow.traffic {
            Traffic::Requests { .. } => answers(series, most),
            _ => Curve::default(),
        },
        steady,
        goodput: goodput(series, bin, most),
        operating: flow.tcp().map_or(vec![], |_| operating_points(series)),
        rtts: percentiles(match kind {
            "ping" => series.answers(),
            _ => series.srtt.iter().filter(|us| **us > 0).map(|us| us * 1_000).collect(),
        }),
        answers: match flow.traffic {
            Traffic::Requests { .. } => percentiles(series.answers()),
            _ => vec![],
        },
        account: vec![],
    }
}

/// Returns the packets that fill the empty path.
fn bdp(scene: &Scene, flow: &Flow) -> Option<f64> {
    let way = analysis::way(scene, flow);
    let slowest = way.iter().map(|step| step.lane(scene)).min_by_key(|lane| lane.rate)?;
    let mtu = way.iter().map(|step| scene.links[step.link].mtu).min()?;
    let bytes = slowest.rate as f64 * analysis::base_rtt(scene, flow) as f64 / 8e9;
    Some(bytes / f64::from(mtu + ETHERNET + slowest.overhead))
}

/// Returns the duration of each request or ping, ms, at its start; an empty curve if none was answered.
fn answers(series: &FlowSeries, most: usize) -> Curve {
    if series.exchanges.iter().all(|exchange| exchange.end.is_none()) {
        return Curve::default();
    }
    let time: Vec<u64> = series.exchanges.iter().map(|exchange| exchange.start).collect();
    let took = |exchange: &wire::Exchange| Some(exchange.end?.saturating_sub(exchange.start) as f64 / 1e6);
    Curve::new(&seconds(&time), &series.exchanges.iter().map(took).collect::<Vec<_>>(), most)
}

/// Returns the goodput in each bin, Mbit/s, at the bin's end. The last bin ends with the flow; a rest of less than half
/// a bin is joined to the bin before.
pub(super) fn goodput(flow: &FlowSeries, bin: u64, most: usize) -> Curve {
    let mut edges: Vec<(u64, u64)> = flow.received.first().copied().into_iter().collect();
    for &(time, bytes) in &flow.received {
        if edges.last().is_some_and(|before| time / bin > before.0 / bin) {
            edges.push((time, bytes));
        }
    }
    let rest = flow.received.last().copied().filter(|last| edges.last().is_some_and(|before| last.0 > before.0));
    if let (Some(last), Some(before)) = (rest, edges.last().copied()) {
        if edges.len() > 2 && last.0 - before.0 < bin / 2 {
            edges.pop();
        }
        edges.push(last);
    }
    let since = |pair: &[(u64, u64)], of: fn(&(u64, u64)) -> u64| of(&pair[1]).saturating_sub(of(&pair[0])) as f64;
    let rate = |pair: &[(u64, u64)]| since(pair, |edge| edge.1) * 8e3 / since(pair, |edge| edge.0);
    let t: Vec<f64> = edges.iter().skip(1).map(|(time, _)| *time as f64 / 1e9).collect();
    let y: Vec<Option<f64>> = edges.windows(2).map(|pair| Some(rate(pair))).collect();
    Curve::new(&t, &y, most)
}

fn lane_trace(step: Step, scene: &Scene, series: &Series, drawing: Drawing) -> Option<LaneTrace> {
    let Drawing { unit, most, .. } = drawing;
    let (lane, queue) = (step.lane(scene), series.queue(scene, step)?);
    let (values, scale) = match unit {
        QueueUnit::Packets => (&queue.packets, 1.0),
        QueueUnit::Kilobytes => (&queue.backlog, 1e3),
    };
    let capacity = lane.queue.map(|queue| match (unit, queue.buffer) {
        (QueueUnit::Packets, Buffer::Packets(n)) => f64::from(n),
        (_, buffer) => network::capacity_bytes(buffer, scene.links[step.link].mtu) as f64 / 1e3,
    });
    let y: Vec<Option<f64>> = values.iter().map(|n| Some(*n as f64 / scale)).collect();
    Some(LaneTrace {
        name: lane_name(step, scene),
        rate: lane.rate as f64 / 1e6,
        capacity,
        queue: Curve::new(&seconds(&queue.time), &y, most),
    })
}
