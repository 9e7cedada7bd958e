//! What the pictures draw besides curves: operating points, distributions, the account of the time.

use crate::report::{OperatingPoint, Stay};
use analysis::FlowSeries;
use analysis::sources;
use base::folder::Folder;
use base::stats;
use diagnosis::diagnose::{self, Given, TimeSpent};
use plan::Trial;
use plan::recording::RecordingError;

/// Bins of the data in flight, from nothing to the most.
const FLIGHT_BINS: usize = 48;
/// Fewest samples of a bin whose medians are drawn.
const MIN_BIN_SAMPLES: usize = 3;

/// Returns what came of the data in flight, by its amount: for each sample the rate at which packets were delivered in
/// the round trip that follows, and the RTT at that round trip's end.
pub(super) fn operating_points(series: &FlowSeries) -> Vec<OperatingPoint> {
    let mss = series.last[0].map_or(0, |sample| sample.snd_mss) as f64;
    let most = series.in_flight.iter().copied().max().unwrap_or(0);
    if most == 0 || series.delivered.last().is_none_or(|packets| *packets == 0) {
        return vec![];
    }
    let mut bins: Vec<Vec<OperatingPoint>> = vec![vec![]; FLIGHT_BINS];
    let mut next = 0;
    for (now, time) in series.time.iter().enumerate() {
        let round_trip = time + series.srtt[now] * 1_000;
        next += series.time[next..].partition_point(|time| *time < round_trip);
        if next == series.time.len() {
            break;
        }
        let took = series.time[next].saturating_sub(*time) as f64 / 1e9;
        if series.srtt[now] == 0 || took == 0.0 {
            continue;
        }
        let packets = series.delivered[next].saturating_sub(series.delivered[now]) as f64;
        let flight = series.in_flight[now];
        let bin = (flight as usize * FLIGHT_BINS / (most as usize + 1)).min(FLIGHT_BINS - 1);
        bins[bin].push(OperatingPoint {
            in_flight: flight as f64,
            rtt: series.srtt[next] as f64 / 1e3,
            rate: packets * mss * 8.0 / took / 1e6,
        });
    }
    let median = |bin: &[OperatingPoint], of: fn(&OperatingPoint) -> f64| {
        stats::percentile(bin.iter().map(of).collect(), 0.5).unwrap_or(f64::NAN)
    };
    let drawn = bins.into_iter().filter(|bin| bin.len() >= MIN_BIN_SAMPLES);
    let point = |bin: Vec<OperatingPoint>| OperatingPoint {
        in_flight: median(&bin, |at| at.in_flight),
        rtt: median(&bin, |at| at.rtt),
        rate: median(&bin, |at| at.rate),
    };
    drawn.map(point).collect()
}

/// Returns the percentiles 0 to 100 of times, ns, as ms; nothing of nothing.
pub(super) fn percentiles(mut times: Vec<u64>) -> Vec<f64> {
    times.sort_unstable();
    let Some(last) = times.len().checked_sub(1) else { return vec![] };
    (0..=100).map(|percent| times[last * percent / 100] as f64 / 1e6).collect()
}

/// Returns where the time of each flow went, by its number among the flows; the largest transfers only.
pub(super) fn accounts(trial: &Trial, folder: &Folder) -> Result<Vec<Vec<Stay>>, RecordingError> {
    let evidence = sources::of_trial(trial, folder, "")?;
    let spent = diagnose::by(&[], &evidence, Given::default()).time;
    let of_flow = |number: usize| {
        let name = trial.scene.connection(number);
        spent.iter().find(|spent| spent.connection == name).map_or(vec![], stays)
    };
    let names: Vec<String> = (0..trial.scene.flows.len()).map(|number| trial.scene.connection(number)).collect();
    let is_one = |number: usize| names.iter().filter(|name| **name == names[number]).count() == 1;
    Ok((0..names.len()).map(|number| if is_one(number) { of_flow(number) } else { vec![] }).collect())
}

/// Joins steps of one state.
fn stays(spent: &TimeSpent) -> Vec<Stay> {
    let mut all: Vec<Stay> = vec![];
    for step in &spent.steps {
        let (from, to, state) = (step.begin, step.begin + step.seconds, step.name());
        match all.last_mut() {
            Some(last) if last.state == state => last.to = to,
            _ => all.push(Stay { from, to, state }),
        }
    }
    all
}
