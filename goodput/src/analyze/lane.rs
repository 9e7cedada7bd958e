//! The measures of one direction of a link.

use super::series::{QueueSeries, Series};
use super::{Values, mean, most, nearest_rank};
use crate::network::topology::Step;
use crate::network::{self, What};
use crate::plan::{Change, Lane, Scene};

/// All that is known of a direction of a link; nothing if packets never wait there.
pub fn values(step: Step, scene: &Scene, series: &Series) -> Values {
    let (lane, Some(queue)) = (step.lane(scene), series.queue(scene, step)) else { return vec![] };
    let [first, last] = span(queue, series);
    let during = |values: &[u64]| values.get(last).zip(values.get(first)).map_or(0, |(b, a)| b - a) as f64;
    let bytes = during(&queue.sent_bytes) + during(&queue.sent_packets) * f64::from(lane.overhead);
    let room = queue.time.get(last).zip(queue.time.get(first)).map_or(0.0, |(b, a)| bits_between(lane, *a, *b));
    let backlog = queue.backlog.get(first..=last).unwrap_or_default();
    let mut delays: Vec<f64> = (first..first + backlog.len()).map(|at| delay(lane, queue, at)).collect();
    delays.sort_unstable_by(f64::total_cmp);
    let drops = |series: &QueueSeries| series.drops.last().copied().unwrap_or(0) as f64;
    let stages = series.probed(scene, step).filter(|(what, _)| matches!(what, What::Stage(_)));
    let counted = series.facts.counted(network::WIRE, &network::counters(scene, step));
    vec![
        ("utilisation", bytes * 8.0 / room),
        ("queue-mean", mean(backlog.iter().map(|n| *n as f64))),
        ("queue-max", most(backlog)),
        ("queue-delay-mean", mean(delays.iter().copied())),
        ("queue-delay-p95", nearest_rank(&delays, 0.95).unwrap_or(f64::NAN)),
        ("queue-drops", drops(queue)),
        ("loss-drops", stages.map(|(_, series)| drops(series)).sum::<f64>() + counted.map_or(f64::NAN, |n| n as f64)),
    ]
}

/// The last samples before the first flow began and before the last one ended; without flows the first and the last.
fn span(queue: &QueueSeries, series: &Series) -> [usize; 2] {
    let before = |time: u64| queue.time.partition_point(|t| *t <= time).saturating_sub(1);
    let facts = &series.facts;
    let (Some(start), Some(end)) = (facts.started.values().min(), facts.ended.values().max()) else {
        return [0, queue.time.len().saturating_sub(1)];
    };
    [before(*start), before(*end)]
}

/// How long the line would take to send what waits, s.
fn delay(lane: &Lane, queue: &QueueSeries, at: usize) -> f64 {
    let bytes = queue.backlog[at] + queue.packets[at] * u64::from(lane.overhead);
    bytes as f64 * 8.0 / rate_at(lane, queue.time[at]) as f64
}

/// Bits per second at a time.
fn rate_at(lane: &Lane, time: u64) -> u64 {
    let changed = lane.changes.iter().rfind(|change| change.at <= time && change.rate.is_some());
    changed.and_then(|change| change.rate).unwrap_or(lane.rate)
}

/// What the line can send between two times.
pub(super) fn bits_between(lane: &Lane, from: u64, to: u64) -> f64 {
    over(lane, |change| change.rate, |at| rate_at(lane, at), from, to) / 1e9
}

/// The mean of its propagation delay between two times, ns.
pub(super) fn mean_delay(lane: &Lane, from: u64, to: u64) -> f64 {
    let delay_at = |time: u64| {
        let changed = lane.changes.iter().rfind(|change| change.at <= time && change.delay.is_some());
        changed.and_then(|change| change.delay).unwrap_or(lane.delay)
    };
    over(lane, |change| change.delay, delay_at, from, to) / (to - from) as f64
}

/// A value that changes at times, taken over the time between two, ns.
fn over(lane: &Lane, of: fn(&Change) -> Option<u64>, at: impl Fn(u64) -> u64, from: u64, to: u64) -> f64 {
    let changes = lane.changes.iter().filter(|change| of(change).is_some()).map(|change| change.at);
    let inside = changes.filter(|at| (from..to).contains(at));
    let times: Vec<u64> = [from].into_iter().chain(inside).chain([to]).collect();
    times.windows(2).map(|pair| at(pair[0]) as f64 * (pair[1] - pair[0]) as f64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::sample;
    use crate::plan::{Loss, Stage};

    const SLOW: Step = Step { link: 2, lane: 0 };

    #[track_caller]
    fn has(scene: &Scene, series: &Series, expected: &[(&str, f64)]) {
        let found = values(SLOW, scene, series);
        for (name, due) in expected {
            let value = found.iter().find(|(measure, _)| measure == name).map(|(_, value)| *value);
            assert!(
                value.is_some_and(|value| (value - due).abs() <= due.abs() * 1e-12),
                "{name}: {value:?}, not {due}"
            );
        }
    }

    #[test]
    fn a_queue_by_hand() {
        has(
            &sample::four_kinds(),
            &sample::series(),
            &[
                // 10,000 packets of 1226 B and 24 B of framing are 100 Mbit of the 200 Mbit of 2 s.
                ("utilisation", 0.5),
                // 0, 10, 20, 30 and 0 packets of 1226 B; those before and after do not count.
                ("queue-mean", 12.0 * 1226.0),
                ("queue-max", 30.0 * 1226.0),
                // 12 packets of 1250 B at 100 Mbit/s.
                ("queue-delay-mean", 0.0012),
                // 30 packets of them.
                ("queue-delay-p95", 0.003),
                ("queue-drops", 7.0),
                ("loss-drops", 0.0),
            ],
        );
    }

    #[test]
    fn a_rate_that_changes_is_the_rate_meanwhile() {
        let mut scene = sample::four_kinds();
        let change = |at, rate| Change { at, rate, delay: Some(0), loss: None };
        scene.links[2].forward.changes = vec![change(2_000_000_000, Some(25_000_000)), change(2_500_000_000, None)];
        // 100 Mbit/s for a second, then 25 Mbit/s, for the samples of 20 and 30 packets too.
        let delay = (10.0 * 0.1 + (20.0 + 30.0) * 0.4) / 5.0 * 1e-3;
        has(&scene, &sample::series(), &[("utilisation", 100.0 / 125.0), ("queue-delay-mean", delay)]);
    }

    #[test]
    fn a_delay_that_changes_is_the_delay_meanwhile() {
        let mut lane = sample::four_kinds().links[2].forward.clone();
        assert_eq!(mean_delay(&lane, 1, 2), 4e6);
        let change = |at, delay| Change { at, rate: None, delay, loss: None };
        lane.changes = vec![change(2_000_000_000, Some(8_000_000)), change(2_500_000_000, None)];
        assert_eq!(mean_delay(&lane, 1_000_000_000, 3_000_000_000), 6e6);
        assert_eq!(mean_delay(&lane, 2_000_000_000, 3_000_000_000), 8e6);
    }

    #[test]
    fn losses_of_every_kind_add_up() {
        let mut scene = sample::four_kinds();
        scene.links[2].forward.stages = vec![Stage::Loss(Loss::Random(0.5)), Stage::Police { rate: 1, burst: 1 }];
        let mut series = sample::series();
        let place = network::probes(&scene).iter().position(|p| p.step == SLOW && p.what == What::Stage(0)).unwrap();
        let stage = |drops: &[u64]| QueueSeries { drops: drops.to_vec(), ..Default::default() };
        series.queues.splice(place..place, [stage(&[0, 4]), stage(&[1, 5])]);
        has(&scene, &series, &[("loss-drops", 9.0), ("queue-drops", 7.0)]);
        scene.links[2].forward.stages = vec![Stage::Loss(Loss::Packets(vec![1]))];
        let counters = r#"{"nftables": [{"counter": {"name": "loss_4", "packets": 6}}]}"#;
        series.facts.counters.insert(network::WIRE.into(), counters.into());
        has(&scene, &sample::Series { facts: series.facts, ..sample::series() }, &[("loss-drops", 6.0)]);
    }

    #[test]
    fn without_flows_the_whole_trial_counts() {
        let mut series = sample::series();
        series.facts.started.clear();
        series.facts.ended.clear();
        // 500 and 99 packets before and after.
        let most = 500.0 * 1226.0;
        has(&sample::four_kinds(), &series, &[("queue-max", most), ("queue-drops", 7.0)]);
        series.queues = vec![QueueSeries::default(); series.queues.len()];
        assert!(
            values(SLOW, &sample::four_kinds(), &series).iter().all(|(_, value)| !value.is_finite() || *value == 0.0)
        );
    }
}
