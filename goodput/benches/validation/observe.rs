//! Values taken from trials.

use crate::formula;
use analysis::{FlowSeries, Measures, Series};
use base::units::Subject;
use plan::run_folder::RunFolder;
use plan::{Plan, Trial};

/// A value of a trial.
#[derive(Clone, Copy)]
pub enum Ours {
    /// A measure of the whole load, or of the bottleneck.
    Load(&'static str),
    /// A measure of one flow over that of another.
    Over(&'static str, usize, usize),
    /// The first flow's share of all received bytes, in the second half of its time.
    Share,
    /// Payload that the first flow received from a second on, bit/s.
    From(u64),
    /// A measure of one flow.
    Of(&'static str, usize),
    /// Payload that a flow received from one second to another, bit/s.
    Between(usize, [u64; 2]),
    /// Jain's index of the same of all flows.
    Jain([u64; 2]),
    /// Mean congestion window of the first flow, from a quarter of its time on, when the effect of slow start is over.
    Window,
    /// Congestion window of the first flow at a second, in bytes of payload.
    WindowAt(u64),
    /// Payload that the first flow sent again, in full segments.
    Retransmissions,
    /// Mean SRTT of the first flow, s.
    Srtt,
    /// Mean SRTT of the second flow over that of the first.
    SrttOver,
    /// Mean amount of a flow in flight, by Little's law: goodput times mean SRTT, segments.
    Pipe(usize),
    /// CUBIC's window of RFC 9438 at a flow's own loss events over its packets and its mean SRTT.
    CubicAtItsLoss(usize),
    /// Mean SRTT of the flows over the RTT of the idle path.
    Inflation,
    /// Seconds from one time at which the first flow's window falls to four packets to the next.
    ProbePeriod,
    /// Seconds for which it stays there.
    ProbeTime,
    /// Mean queue of the bottleneck in the second half of the first flow's time, packets.
    Queue,
}

/// A run that is there.
pub struct Run {
    pub plan: Plan,
    folder: RunFolder,
    measures: Measures,
}

impl Run {
    /// Reads its plan and measures.
    pub fn read(folder: RunFolder) -> Result<Run, String> {
        let (plan, measures) = lab::run::measured(&folder).map_err(|e| e.to_string())?;
        Ok(Run { plan, folder, measures })
    }

    /// The trials, one for each seed, of the only point that has all of these values.
    pub fn point(&self, at: &[&str]) -> Result<Vec<&Trial>, String> {
        let is_at = |trial: &Trial| at.iter().all(|value| trial.point.iter().any(|setting| setting.value == *value));
        let trials: Vec<&Trial> = self.plan.trials.iter().filter(|trial| is_at(trial)).collect();
        match trials.iter().all(|trial| trial.point == trials[0].point) && !trials.is_empty() {
            true => Ok(trials),
            false => Err(format!("{at:?} is not one point of {}", self.plan.title)),
        }
    }

    /// A trial's value.
    pub fn value(&self, trial: &Trial, ours: Ours) -> Result<f64, String> {
        let of_flow = |name, flow| self.measures.get(trial.index)?.get(name, Subject::Flow, flow);
        let value = match ours {
            Ours::Load(name) => self.measures.value(trial, name),
            Ours::Of(name, flow) => of_flow(name, flow),
            Ours::Over(name, flow, other) => of_flow(name, flow).zip(of_flow(name, other)).map(|(a, b)| a / b),
            _ => {
                let folder = self.folder.trial(trial.index).map_err(|e| e.to_string())?;
                let series = analysis::series(&trial.scene, &folder).map_err(|e| e.to_string())?;
                of_series(ours, trial, &series, of_flow)
            }
        };
        value.ok_or_else(|| format!("{}: {} has no value", self.plan.title, trial.name()))
    }
}

fn of_series(
    ours: Ours,
    trial: &Trial,
    series: &Series,
    of_flow: impl Fn(&'static str, usize) -> Option<f64>,
) -> Option<f64> {
    let first = series.flows.first()?;
    let [start, end] = series.span(0);
    let seconds = |window: [u64; 2]| window.map(|second| start + second * 1_000_000_000);
    match ours {
        Ours::Share => share(series),
        Ours::From(second) => Some(received_in(first, [start + second * 1_000_000_000, end])),
        Ours::Between(flow, window) => Some(received_in(series.flows.get(flow)?, seconds(window))),
        Ours::Jain(window) => {
            let rates: Vec<f64> = series.flows.iter().map(|flow| received_in(flow, seconds(window))).collect();
            let squares: f64 = rates.iter().map(|rate| rate * rate).sum();
            Some(rates.iter().sum::<f64>().powi(2) / (rates.len() as f64 * squares))
        }
        Ours::Window => mean_from(&first.time, &first.cwnd, start + (end - start) / 4),
        Ours::WindowAt(second) => {
            let place = first.time.partition_point(|time| *time < start + second * 1_000_000_000);
            Some(*first.cwnd.get(place)? as f64 * first.last[0]?.snd_mss as f64)
        }
        Ours::Retransmissions => first.last[0].map(|last| last.bytes_retrans as f64 / last.snd_mss as f64),
        Ours::Srtt => mean_srtt(first),
        Ours::SrttOver => Some(mean_srtt(series.flows.get(1)?)? / mean_srtt(first)?),
        Ours::Pipe(flow) => {
            let segments = of_flow("goodput", flow)? / 8.0 / of_flow("mss", flow)?;
            Some(segments * mean_srtt(series.flows.get(flow)?)?)
        }
        Ours::CubicAtItsLoss(flow) => {
            let [start, end] = series.span(flow);
            let packets = of_flow("goodput", flow)? / 8.0 / of_flow("mss", flow)? * (end - start) as f64 / 1e9;
            Some(formula::cubic_window(of_flow("loss-events", flow)? / packets, mean_srtt(series.flows.get(flow)?)?))
        }
        Ours::Inflation => {
            let base = analysis::base_rtt(&trial.scene, trial.scene.flows.first()?) as f64;
            let means = series.flows.iter().map(|flow| mean_from(&flow.time, &flow.srtt, start + (end - start) / 4));
            let means: Vec<f64> = means.collect::<Option<_>>()?;
            Some(means.iter().sum::<f64>() * 1e3 / means.len() as f64 / base)
        }
        Ours::ProbePeriod => {
            let probes = probes(first);
            let [(earliest, _), .., (latest, _)] = probes[..] else { return None };
            Some((latest - earliest) as f64 / 1e9 / (probes.len() - 1) as f64)
        }
        Ours::ProbeTime => {
            let probes = probes(first);
            let times: u64 = probes.iter().map(|(start, end)| end - start).sum();
            Some(times as f64 / 1e9 / probes.len() as f64).filter(|_| !probes.is_empty())
        }
        Ours::Queue => {
            let queue = series.queue(&trial.scene, analysis::bottleneck(&trial.scene)?)?;
            mean_from(&queue.time, &queue.packets, start + (end - start) / 2)
        }
        Ours::Load(_) | Ours::Of(..) | Ours::Over(..) => None,
    }
}

/// bit/s, between two times of the recording.
fn received_in(flow: &FlowSeries, [from, to]: [u64; 2]) -> f64 {
    (flow.received_by(to) - flow.received_by(from)) * 8e9 / (to - from) as f64
}

fn share(series: &Series) -> Option<f64> {
    let [start, end] = series.span(0);
    let second_half = |flow: &FlowSeries| flow.received_by(end) - flow.received_by(start + (end - start) / 2);
    let received: Vec<f64> = series.flows.iter().map(second_half).collect();
    Some(received.first()? / received.iter().sum::<f64>())
}

/// Seconds.
fn mean_srtt(flow: &FlowSeries) -> Option<f64> {
    mean_from(&flow.time, &flow.srtt, 0).map(|us| us / 1e6)
}

/// The mean of the samples from a time on.
fn mean_from(time: &[u64], values: &[u64], from: u64) -> Option<f64> {
    let values = values.get(time.partition_point(|t| *t < from)..)?;
    (!values.is_empty()).then(|| values.iter().sum::<u64>() as f64 / values.len() as f64)
}

/// From when to when the window was four packets, each time that both were seen.
fn probes(flow: &FlowSeries) -> Vec<(u64, u64)> {
    let samples: Vec<(u64, bool)> = flow.time.iter().zip(&flow.cwnd).map(|(time, cwnd)| (*time, *cwnd <= 4)).collect();
    let changes: Vec<u64> = samples.windows(2).filter(|pair| pair[0].1 != pair[1].1).map(|pair| pair[1].0).collect();
    changes.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}
