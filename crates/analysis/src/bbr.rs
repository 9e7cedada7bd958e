//! Measures of a sender's BBR: its phases one after the other, and its estimates.
//!
//! BBRv2 and v3 report their phase. The phase of v1 follows from its gains (net/ipv4/tcp_bbr.c: bbr_high_gain 739/256,
//! bbr_drain_gain 88/256, bbr_pacing_gain 320/256, 192/256 and 256/256; bbr_cwnd_gain 512/256 in PROBE_BW, 256/256 in
//! PROBE_RTT).

use super::data::FlowData;
use super::series::Bbr;

/// A state of BBR; PROBE_BW is split into its phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Startup,
    Drain,
    ProbeRtt,
    Up,
    Down,
    Cruise,
    Refill,
}

/// `bbr_high_gain` of v1, 1/256.
const V1_HIGH_GAIN: u64 = 739;
/// `bbr_cwnd_gain` of v1 in PROBE_BW, 1/256; less is PROBE_RTT.
const V1_CWND_GAIN: u64 = 512;
/// A gain of 1, 1/256.
const UNIT_GAIN: u64 = 256;

/// Returns the phase of a sample; `None` if it is unknown.
fn phase(bbr: &Bbr) -> Option<Phase> {
    Some(match (bbr.version, bbr.phase) {
        (1, _) => match (bbr.pacing_gain, bbr.cwnd_gain) {
            (V1_HIGH_GAIN.., _) => Phase::Startup,
            (gain, V1_HIGH_GAIN..) if gain < UNIT_GAIN => Phase::Drain,
            (_, cwnd) if cwnd < V1_CWND_GAIN => Phase::ProbeRtt,
            (gain, _) if gain > UNIT_GAIN => Phase::Up,
            (gain, _) if gain < UNIT_GAIN => Phase::Down,
            _ => Phase::Cruise,
        },
        (_, 1) => Phase::Startup,
        (_, 2) => Phase::Drain,
        (_, 3) => Phase::ProbeRtt,
        (_, 4) => Phase::Up,
        (_, 5) => Phase::Down,
        (_, 6) => Phase::Cruise,
        (_, 7) => Phase::Refill,
        _ => return None,
    })
}

/// Consecutive samples in one phase.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stay {
    phase: Phase,
    /// Times of its first sample and of the first sample after it, ns. Without a sample after it, `to` is the time of
    /// its last.
    from: u64,
    to: u64,
}

fn stays(all: &[Bbr]) -> Vec<Stay> {
    let mut stays: Vec<Stay> = vec![];
    for (time, phase) in all.iter().filter_map(|bbr| Some((bbr.time, phase(bbr)?))) {
        if let Some(last) = stays.last_mut() {
            last.to = time;
            if last.phase == phase {
                continue;
            }
        }
        stays.push(Stay { phase, from: time, to: time });
    }
    stays
}

/// Returns the first sample after STARTUP. PROBE_RTT does not end STARTUP, as BBR returns to it.
fn after_startup(all: &[Bbr]) -> Option<&Bbr> {
    let is_over = |phase: Phase| !matches!(phase, Phase::Startup | Phase::ProbeRtt);
    all.iter().find(|bbr| phase(bbr).is_some_and(is_over))
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

/// Returns the time from the flow's start until BBR left STARTUP for DRAIN or PROBE_BW, s; the flow's whole time if it
/// never did.
pub(super) fn startup(flow: &FlowData) -> f64 {
    let until = |bbr: &Bbr| seconds(bbr.time.saturating_sub(flow.span[0]));
    match flow.own.bbr.is_empty() {
        true => f64::NAN,
        false => after_startup(&flow.own.bbr).map_or(flow.seconds(), until),
    }
}

/// Returns the bandwidth estimate when BBR left STARTUP, bit/s; NaN if it never did.
pub(super) fn startup_bandwidth(flow: &FlowData) -> f64 {
    after_startup(&flow.own.bbr).map_or(f64::NAN, |bbr| bbr.max_bw as f64 * 8.0)
}

/// Returns the version that BBR reports.
pub(super) fn version(flow: &FlowData) -> f64 {
    flow.own.bbr.last().map_or(f64::NAN, |bbr| bbr.version as f64)
}

/// Returns the longest stay in a phase, s, including one at the flow's end.
pub(super) fn longest(flow: &FlowData, phase: Phase) -> f64 {
    let stays = stays(&flow.own.bbr);
    let all = stays.iter().filter(|stay| stay.phase == phase);
    all.map(|stay| stay.to - stay.from).max().map_or(f64::NAN, seconds)
}

/// Returns how often BBR entered a phase; NaN for a flow without BBR.
pub(super) fn entries(flow: &FlowData, phase: Phase) -> f64 {
    let stays = stays(&flow.own.bbr);
    let count = stays.iter().filter(|stay| stay.phase == phase).count();
    if stays.is_empty() { f64::NAN } else { count as f64 }
}

/// Returns how often BBR went from DOWN to REFILL without CRUISE; NaN for v1, which has no REFILL.
pub(super) fn without_cruise(flow: &FlowData) -> f64 {
    let stays = stays(&flow.own.bbr);
    let direct = |pair: &&[Stay]| (pair[0].phase, pair[1].phase) == (Phase::Down, Phase::Refill);
    match flow.own.bbr.first().is_some_and(|bbr| bbr.version > 1) {
        true => stays.windows(2).filter(direct).count() as f64,
        false => f64::NAN,
    }
}

/// Returns the lowest pacing gain of a phase.
pub(super) fn pacing_gain(flow: &FlowData, of: Phase) -> f64 {
    let all = flow.own.bbr.iter().filter(|bbr| phase(bbr) == Some(of));
    all.map(|bbr| bbr.pacing_gain).min().map_or(f64::NAN, |gain| gain as f64 / UNIT_GAIN as f64)
}

/// Returns the bandwidth estimate in the last sample, bit/s.
pub(super) fn bandwidth(flow: &FlowData) -> f64 {
    flow.own.bbr.last().map_or(f64::NAN, |bbr| bbr.max_bw as f64 * 8.0)
}

/// Returns the lowest bound that a loss put on the bandwidth, bit/s; NaN if no loss did.
pub(super) fn least_bandwidth(flow: &FlowData) -> f64 {
    let bounds = flow.own.bbr.iter().map(|bbr| bbr.least_bw).filter(|bound| *bound > 0);
    bounds.min().map_or(f64::NAN, |bound| bound as f64 * 8.0)
}

/// Returns the last bound on what is in flight, packets; NaN if there was none.
pub(super) fn inflight(flow: &FlowData) -> f64 {
    flow.own.bbr.iter().rev().map(|bbr| bbr.inflight_hi).find(|bound| *bound > 0).map_or(f64::NAN, |n| n as f64)
}

/// Returns the most that was acknowledged beyond the estimate, packets; NaN for v1.
pub(super) fn extra_acked(flow: &FlowData) -> f64 {
    let told = flow.own.bbr.iter().filter(|bbr| bbr.version > 1);
    told.map(|bbr| bbr.extra_acked).max().map_or(f64::NAN, |n| n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::series::Series;

    const MS: u64 = 1_000_000;

    /// Checks a trial whose first flow began at 10 ms and had these samples, 10 ms apart.
    fn measured(all: &[Bbr], check: impl Fn(&FlowData)) {
        let (scene, mut series): (_, Series) = (fixture::four_kinds(), fixture::series());
        series.flows[0].bbr = all.iter().zip(1..).map(|(bbr, n)| Bbr { time: n * 10 * MS, ..*bbr }).collect();
        series.facts.started.insert(0, 10 * MS);
        check(&FlowData::new(0, &scene, &series, None));
    }

    fn v1(pacing_gain: u64, cwnd_gain: u64) -> Bbr {
        Bbr { version: 1, pacing_gain, cwnd_gain, max_bw: 1_000_000, ..Bbr::default() }
    }

    fn v3(phase: u64) -> Bbr {
        Bbr { version: 3, phase, pacing_gain: 256, cwnd_gain: 512, max_bw: 2_000_000, ..Bbr::default() }
    }

    #[test]
    fn phases_of_v1_are_those_of_its_gains() {
        let all = [v1(739, 739), v1(739, 739), v1(88, 739), v1(256, 512), v1(320, 512), v1(192, 512), v1(256, 256)];
        let phases: Vec<Phase> = stays(&all).iter().map(|stay| stay.phase).collect();
        assert_eq!(phases, [Phase::Startup, Phase::Drain, Phase::Cruise, Phase::Up, Phase::Down, Phase::ProbeRtt]);
        measured(&all, |flow| {
            assert_eq!(startup(flow), 0.02);
            assert_eq!(startup_bandwidth(flow), 8e6);
            assert_eq!(pacing_gain(flow, Phase::Drain), 88.0 / 256.0);
            assert!([without_cruise, inflight, extra_acked, least_bandwidth].iter().all(|of| of(flow).is_nan()));
        });
    }

    #[test]
    fn startup_goes_on_after_probe_rtt_and_may_never_end() {
        measured(&[v3(1), v3(3), v3(1), v3(2)], |flow| assert_eq!(startup(flow), 0.03));
        measured(&[v3(1), v3(3)], |flow| {
            assert_eq!(startup(flow), flow.seconds());
            assert!(startup_bandwidth(flow).is_nan());
        });
    }

    #[test]
    fn the_longest_stay_counts_also_at_the_end() {
        // DOWN for 20 ms, REFILL for 10 ms, UP for 30 ms as the flow ends.
        measured(&[v3(1), v3(5), v3(5), v3(7), v3(4), v3(4), v3(4), v3(4)], |flow| {
            assert_eq!(longest(flow, Phase::Down), 0.02);
            assert_eq!(longest(flow, Phase::Up), 0.03);
            assert!(longest(flow, Phase::ProbeRtt).is_nan());
            assert_eq!(entries(flow, Phase::ProbeRtt), 0.0);
            assert_eq!(entries(flow, Phase::Startup), 1.0);
            assert_eq!(without_cruise(flow), 1.0);
            assert_eq!(bandwidth(flow), 16e6);
            assert_eq!(version(flow), 3.0);
        });
    }

    #[test]
    fn bounds_are_the_last_and_the_lowest() {
        let bound = |inflight_hi, least_bw| Bbr { inflight_hi, least_bw, ..v3(6) };
        measured(&[bound(0, 0), bound(90, 500_000), bound(80, 250_000), bound(0, 0)], |flow| {
            assert_eq!(inflight(flow), 80.0);
            assert_eq!(least_bandwidth(flow), 2e6);
        });
    }

    #[test]
    fn a_flow_without_bbr_has_none_of_it() {
        measured(&[], |flow| {
            let all = [startup, startup_bandwidth, without_cruise, bandwidth, least_bandwidth, inflight, extra_acked];
            assert!(all.iter().all(|of| of(flow).is_nan()));
            assert!(entries(flow, Phase::Startup).is_nan());
        });
    }

    #[test]
    fn a_phase_that_nobody_has_read_is_none() {
        assert_eq!(phase(&v3(8)), None);
    }
}
