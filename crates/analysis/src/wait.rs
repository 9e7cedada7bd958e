//! Computes how long a flow's packets waited in queues on their way, from a histogram of each queue.

use super::path::{through_tunnel, ways};
use super::series::{Series, Wait};
use plan::network::{self, What};
use plan::{Scene, Traffic};

/// Waits of a flow in the queue on its way where its packets waited longest on average. If the flow shares queues with
/// other flows, only these count.
#[derive(Debug, Clone, PartialEq)]
pub struct Waited {
    /// Its packets in that queue, by waiting time.
    waits: Vec<Wait>,
    /// The flow's share of the bytes that waited there, each byte weighted by its waiting time.
    pub share: f64,
}

impl Waited {
    /// Finds that queue. `None` if the flow's packets met no queue or went through a tunnel, where they cannot be told
    /// apart, and for recordings without waits. Pings wait on both ways.
    pub fn in_longest_queue(number: usize, scene: &Scene, series: &Series) -> Option<Waited> {
        let all = &series.flows[number].waits;
        let flow = &scene.flows[number];
        let mut way = ways(scene, flow);
        if all.is_empty() || through_tunnel(scene, &way) {
            return None;
        }
        if matches!(flow.traffic, Traffic::Ping { .. }) {
            way.extend(network::routing::way(scene, &flow.to, &flow.from).unwrap_or_default());
        }
        let probes = network::probes(scene);
        let is_met = |wait: &&Wait| {
            probes.get(wait.queue).is_some_and(|probe| probe.what == What::Queue && way.contains(&probe.step))
        };
        let mut met: Vec<Wait> = all.iter().filter(is_met).copied().collect();
        met.sort_unstable_by_key(|wait| (wait.queue, wait.least));
        let is_shared = |queue: usize| {
            let mut others = series.flows.iter().enumerate().filter(|(other, _)| *other != number);
            others.any(|(_, flow)| flow.waits.iter().any(|wait| wait.queue == queue))
        };
        let queues: Vec<&[Wait]> = met.chunk_by(|a, b| a.queue == b.queue).collect();
        let shared: Vec<&[Wait]> = queues.iter().copied().filter(|waits| is_shared(waits[0].queue)).collect();
        // The first of equals wins.
        let longest = (if shared.is_empty() { queues } else { shared })
            .into_iter()
            .reduce(|best, other| if mean(other) > mean(best) { other } else { best })?;
        let own: f64 = longest.iter().map(Wait::byte_seconds).sum();
        Some(Waited { waits: longest.to_vec(), share: own / series.queues[longest[0].queue].byte_seconds })
    }

    /// Returns a percentile of the waiting times of packets, s; `rank` is 0.95 for the 95th.
    pub fn percentile(&self, rank: f64) -> f64 {
        Waited::percentile_of([self].into_iter(), rank)
    }

    /// Returns a percentile of the waiting times of the packets of several flows, s.
    pub fn percentile_of<'w>(all: impl Iterator<Item = &'w Waited>, rank: f64) -> f64 {
        let mut waits: Vec<Wait> = all.flat_map(|waited| waited.waits.iter().copied()).collect();
        waits.sort_unstable_by_key(|wait| wait.least);
        let rank = rank * packets(&waits);
        let mut passed = 0.0;
        let found = waits.iter().find(|wait| {
            passed += wait.packets as f64;
            passed >= rank
        });
        found.or(waits.last()).map_or(f64::NAN, Wait::seconds)
    }
}

fn packets(waits: &[Wait]) -> f64 {
    waits.iter().map(|wait| wait.packets as f64).sum()
}

fn mean(waits: &[Wait]) -> f64 {
    waits.iter().map(|wait| wait.packets as f64 * wait.seconds()).sum::<f64>() / packets(waits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use plan::network::topology::Step;
    use plan::{Tunnel, TunnelKind};

    /// Returns the index of a queue. Flow 0 goes over links 0 and 2, and comes back over the same.
    fn queue(scene: &Scene, link: usize, lane: usize) -> usize {
        let step = Step { link, lane };
        network::probes(scene).iter().position(|probe| probe.step == step && probe.what == What::Queue).unwrap()
    }

    fn wait(queue: usize, ms: u64, packets: u64) -> Wait {
        Wait { queue, least: ms * 1_000_000, most: ms * 1_000_000, packets, bytes: packets * 1000 }
    }

    #[test]
    fn percentiles_and_share_by_hand() {
        let scene = fixture::four_kinds();
        let slow = queue(&scene, 2, 0);
        let mut series = fixture::series();
        // Its ACKs wait longest, but only queues on the way of its data count.
        series.flows[0].waits = vec![
            wait(queue(&scene, 0, 0), 0, 100),
            wait(queue(&scene, 2, 1), 50, 10),
            wait(slow, 9, 5),
            wait(slow, 1, 95),
        ];
        // The flow's own 95 + 45 ms times 1 kB, and twice as much from other flows.
        series.queues[slow].byte_seconds = 3.0 * 140.0;
        let waited = Waited::in_longest_queue(0, &scene, &series).unwrap();
        assert_eq!(
            [0.5, 0.95, 0.951, 0.99, 1.0].map(|rank| waited.percentile(rank)),
            [0.001, 0.001, 0.009, 0.009, 0.009]
        );
        assert!((waited.share - 1.0 / 3.0).abs() < 1e-12, "{}", waited.share);
        assert_eq!(Waited::in_longest_queue(1, &scene, &series), None, "nothing was told of it");
        let mut tunnelled = scene.clone();
        tunnelled.tunnels = vec![Tunnel { ends: ["s".into(), "c".into()], kind: TunnelKind::Gre, ipv6: false }].into();
        assert_eq!(Waited::in_longest_queue(0, &tunnelled, &series), None);
    }

    /// Packets that wait for their own host's line delay no other flow.
    #[test]
    fn a_queue_that_flows_share_counts_before_one_of_their_own() {
        let scene = fixture::four_kinds();
        let [own, common] = [queue(&scene, 0, 0), queue(&scene, 2, 0)];
        let mut series = fixture::series();
        series.flows[0].waits = vec![wait(own, 9, 10), wait(common, 1, 10)];
        series.queues[own].byte_seconds = 90.0;
        series.queues[common].byte_seconds = 40.0;
        assert_eq!(Waited::in_longest_queue(0, &scene, &series).unwrap().percentile(0.5), 0.009, "it shares none");
        series.flows[1].waits = vec![wait(common, 3, 10)];
        let waited = Waited::in_longest_queue(0, &scene, &series).unwrap();
        assert_eq!((waited.percentile(0.5), waited.share), (0.001, 0.25));
    }

    #[test]
    fn a_ping_waits_on_both_ways() {
        let scene = fixture::four_kinds();
        let ping = scene.flows.iter().position(|flow| matches!(flow.traffic, Traffic::Ping { .. })).unwrap();
        let back = ways(&scene, &scene.flows[ping])[0];
        let mut series = fixture::series();
        series.flows[ping].waits = vec![wait(queue(&scene, back.link, 1 - back.lane), 7, 1)];
        assert_eq!(Waited::in_longest_queue(ping, &scene, &series).unwrap().percentile(0.5), 0.007);
        series.flows[0].waits = vec![wait(queue(&scene, 2, 1), 7, 1)];
        assert_eq!(Waited::in_longest_queue(0, &scene, &series), None, "ACKs are no data");
    }

    #[test]
    fn a_wait_is_the_middle_of_its_bucket() {
        let wait = Wait { queue: 0, least: 64 << 10, most: (65 << 10) - 1, packets: 1, bytes: 2 };
        assert!((wait.seconds() - 66_047.5e-9).abs() < 1e-15);
        assert!((wait.byte_seconds() - 2.0 * 66_047.5e-9).abs() < 1e-15);
    }
}
