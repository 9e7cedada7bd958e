//! The measures of one direction of a link.

use super::data::LaneData;
use super::nearest_rank;
use super::series::{DualPi2, Ecn, QueueSeries};
use evidence::headers::ETHERNET;
use plan::network::{self, What};
use wire::Follows;

/// Returns the bits that left the queue, framing included, over those that the line's rate allows.
pub fn utilisation(l: &LaneData) -> f64 {
    let of_packets = l.lane.rate_trace.as_ref().is_some_and(|trace| trace.follows == Follows::Opportunities);
    let framing = f64::from(l.lane.overhead) - if of_packets { f64::from(ETHERNET) } else { 0.0 };
    let bytes = l.rise(&l.queue.sent_bytes) + l.rise(&l.queue.sent_packets) * framing;
    bytes * 8.0 / l.room()
}

/// Returns the packets dropped at a sampled place.
pub fn dropped(queue: &QueueSeries) -> f64 {
    queue.drops.last().copied().unwrap_or(0) as f64
}

/// Returns the packets that the sending host's own interface dropped before the link; NaN if it is not sampled.
pub fn of_nic(l: &LaneData) -> f64 {
    let nic = l.series.probed(l.scene, l.step).find(|(what, _)| *what == What::Nic);
    nic.map_or(f64::NAN, |(_, series)| dropped(series))
}

/// Returns the packets dropped on the way to the queue.
pub fn losses(l: &LaneData) -> f64 {
    let stages = l.series.probed(l.scene, l.step).filter(|(what, _)| matches!(what, What::Stage(_)));
    let counted = l.series.facts.counted(network::WIRE_NAMESPACE, &network::counters(l.scene, l.step));
    stages.map(|(_, series)| dropped(series)).sum::<f64>() + counted.map_or(f64::NAN, |n| n as f64)
}

/// Returns the share of the packets leaving the queue that `of` counts; NaN if the queue does not mark.
pub fn ecn_share(l: &LaneData, of: fn(&Ecn) -> u64) -> f64 {
    l.queue.ecn.as_ref().map_or(f64::NAN, |ecn| of(ecn) as f64 / ecn.packets() as f64)
}

/// Returns the share of dualpi2's packets that entered its L queue.
pub fn l_share(l: &LaneData) -> f64 {
    let last = l.queue.dualpi2.last();
    last.map_or(f64::NAN, |q| q.packets_in_l as f64 / (q.packets_in_l + q.packets_in_c) as f64)
}

/// Returns a percentile of how long the first packet of a dualpi2 queue has waited, over the samples that count, s.
pub fn dualpi2_delay(l: &LaneData, of: fn(&DualPi2) -> u64, rank: f64) -> f64 {
    let all = l.queue.dualpi2.get(l.span[0]..=l.span[1]).unwrap_or_default();
    let mut delays: Vec<f64> = all.iter().map(|q| of(q) as f64 / 1e6).collect();
    delays.sort_unstable_by(f64::total_cmp);
    nearest_rank(&delays, rank).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{self, Series};
    use crate::per_subject::of_lane;
    use plan::network::topology::Step;
    use plan::{Change, Loss, Scene, Stage};

    const SLOW_LANE: Step = Step { link: 2, lane: 0 };
    const FROM_A: Step = Step { link: 0, lane: 0 };

    #[track_caller]
    fn has(scene: &Scene, series: &Series, expected: &[(&str, f64)]) {
        let found = of_lane(&LaneData::new(SLOW_LANE, scene, series).unwrap());
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
            &fixture::four_kinds(),
            &fixture::series(),
            &[
                // 10,000 packets of 1226 B and 24 B of framing are 100 Mbit of the 200 Mbit of 2 s.
                ("utilisation", 0.5),
                // 0, 10, 20, 30 and 0 packets of 1226 B; those before and after do not count.
                ("queue-mean", 12.0 * 1226.0),
                ("queue-max", 30.0 * 1226.0),
                // 12 packets of 1250 B at 100 Mbit/s.
                ("queue-delay-mean", 0.0012),
                // 30 such packets.
                ("queue-delay-p95", 0.003),
                ("queue-drops", 7.0),
                ("loss-drops", 0.0),
            ],
        );
    }

    #[test]
    fn a_rate_that_changes_is_the_rate_meanwhile() {
        let mut scene = fixture::four_kinds();
        let change = |at, rate| Change { at, rate, delay: Some(0), loss: None };
        scene.links[2].forward.changes = vec![change(2_000_000_000, Some(25_000_000)), change(2_500_000_000, None)];
        // 100 Mbit/s for a second, then 25 Mbit/s, for the samples of 20 and 30 packets too.
        let delay = (10.0 * 0.1 + (20.0 + 30.0) * 0.4) / 5.0 * 1e-3;
        has(&scene, &fixture::series(), &[("utilisation", 100.0 / 125.0), ("queue-delay-mean", delay)]);
    }

    #[test]
    fn drops_at_the_hosts_interface_are_not_drops_of_the_link() {
        let mut scene = fixture::four_kinds();
        let all = |scene: &Scene| of_lane(&LaneData::new(FROM_A, scene, &with_nic(scene, 8741)).unwrap());
        let named = |scene: &Scene, name: &str| all(scene).iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
        assert_eq!(named(&scene, "nic-drops"), None, "the interface is the line");
        scene.links[0].forward.queue = scene.links[2].forward.queue;
        assert_eq!(["nic-drops", "queue-drops"].map(|name| named(&scene, name)), [Some(8741.0), Some(0.0)]);
    }

    /// Returns series in which only a's own interface has dropped packets.
    fn with_nic(scene: &Scene, drops: u64) -> Series {
        let own = |probe: &network::Probe| probe.step == FROM_A && probe.what == What::Nic;
        let queue = |probe| QueueSeries { drops: vec![0, if own(&probe) { drops } else { 0 }], ..Default::default() };
        Series { queues: network::probes(scene).into_iter().map(queue).collect(), ..fixture::series() }
    }

    #[test]
    fn losses_of_every_kind_add_up() {
        let mut scene = fixture::four_kinds();
        scene.links[2].forward.stages = vec![Stage::Loss(Loss::Random(0.5)), Stage::Police { rate: 1, burst: 1 }];
        let mut series = fixture::series();
        let place =
            network::probes(&scene).iter().position(|p| p.step == SLOW_LANE && p.what == What::Stage(0)).unwrap();
        let stage = |drops: &[u64]| QueueSeries { drops: drops.to_vec(), ..Default::default() };
        series.queues.splice(place..place, [stage(&[0, 4]), stage(&[1, 5])]);
        has(&scene, &series, &[("loss-drops", 9.0), ("queue-drops", 7.0)]);
        scene.links[2].forward.stages = vec![Stage::Loss(Loss::Packets(vec![1]))];
        let counters = r#"{"nftables": [{"counter": {"name": "loss_4", "packets": 6}}]}"#;
        series.facts.counters.insert(network::WIRE_NAMESPACE.into(), counters.into());
        has(&scene, &fixture::Series { facts: series.facts, ..fixture::series() }, &[("loss-drops", 6.0)]);
    }

    #[test]
    fn marks_and_the_queues_of_dualpi2_by_hand() {
        let mut series = fixture::series();
        let place =
            network::probes(&fixture::four_kinds()).iter().position(|p| p.step == SLOW_LANE && p.what == What::Queue);
        let queue = &mut series.queues[place.unwrap()];
        queue.ecn = Some(Ecn { not_ect: 50, ect1: 30, ect0: 0, ce: 20 });
        let sample =
            |delay_l| DualPi2 { delay_l, delay_c: 15_000, packets_in_c: 60, packets_in_l: 40, ..DualPi2::default() };
        queue.dualpi2 = queue.time.iter().map(|_| sample(1000)).collect();
        has(
            &fixture::four_kinds(),
            &series,
            &[("queue-ce", 0.2), ("queue-ect1", 0.3), ("l-share", 0.4), ("l-delay-p95", 0.001), ("c-delay-p95", 0.015)],
        );
    }

    #[test]
    fn without_flows_the_whole_trial_counts() {
        let mut series = fixture::series();
        series.facts.started.clear();
        series.facts.ended.clear();
        // 500 and 99 packets before and after.
        let most = 500.0 * 1226.0;
        has(&fixture::four_kinds(), &series, &[("queue-max", most), ("queue-drops", 7.0)]);
        series.queues = vec![QueueSeries::default(); series.queues.len()];
        assert!(
            of_lane(&LaneData::new(SLOW_LANE, &fixture::four_kinds(), &series).unwrap())
                .iter()
                .all(|(_, value)| *value == 0.0)
        );
    }
}
