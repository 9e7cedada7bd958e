//! Measures how flows share the network, and the harm that they do each other.

use super::path::{base_rtt, load};
use super::series::{Series, counted_from};
use base::units::Better;
use plan::{Flow, Scene};

/// Shares are compared over windows of at least this length, ns, and of at least `WINDOW_RTTS` round trips.
const MIN_WINDOW_NS: u64 = 1_000_000_000;
const WINDOW_RTTS: u64 = 10;
/// Shares count as fair if no flow is further below the equal share (delta of Bansal et al. 2001).
const MAX_SHORTFALL: f64 = 0.1;

/// The load's flows while all of them run.
pub struct Shared<'a> {
    flows: Vec<usize>,
    /// Last start and first end, ns.
    span: [u64; 2],
    /// The same without the time that any of them omits, ns.
    counted: [u64; 2],
    window: u64,
    series: &'a Series,
    /// Payload that each flow delivered in the time that counts, bytes.
    brought: Vec<f64>,
}

impl<'a> Shared<'a> {
    /// Returns the load's flows; `None` unless there are several, all use TCP or are programs, and all run at the same time for a
    /// while.
    pub fn new(scene: &Scene, series: &'a Series) -> Option<Shared<'a>> {
        let flows = load(scene);
        let spans = || flows.iter().map(|flow| series.span(*flow));
        let span = [spans().map(|[start, _]| start).max()?, spans().map(|[_, end]| end).min()?];
        let is_counted = |flow: &Flow| flow.tcp().is_some() || flow.is_program();
        let counts = flows.iter().all(|flow| is_counted(&scene.flows[*flow]));
        let round_trip = flows.iter().map(|flow| base_rtt(scene, &scene.flows[*flow])).max()?;
        let window = MIN_WINDOW_NS.max(WINDOW_RTTS * round_trip);
        let counted =
            [flows.iter().map(|flow| counted_from(&series.facts, *flow, &scene.flows[*flow])).max()?, span[1]];
        if !counts || flows.len() < 2 || counted[0] >= counted[1] {
            return None;
        }
        let shared = Shared { flows, span, counted, window, series, brought: vec![] };
        Some(Shared { brought: shared.between(counted), ..shared })
    }

    /// Returns the payload that each flow delivered between two times, bytes.
    fn between(&self, [from, to]: [u64; 2]) -> Vec<f64> {
        let brought = |flow: &usize| {
            let own = &self.series.flows[*flow];
            own.received_by(to) - own.received_by(from)
        };
        self.flows.iter().map(brought).collect()
    }

    /// Returns windows of a time that begin every `every` ns; the last one ends no later than that time.
    fn windows(&self, [from, to]: [u64; 2], every: u64) -> impl Iterator<Item = [u64; 2]> {
        let windows = (0..).map(move |n| from + n * every).map(|start| [start, start + self.window]);
        windows.take_while(move |[_, end]| *end <= to)
    }

    /// Returns a flow's payload over the equal share of what all delivered; NaN if the flow is not in the load.
    pub(crate) fn of_equal_share(&self, flow: usize) -> f64 {
        let own = self.flows.iter().position(|number| *number == flow).map_or(f64::NAN, |place| self.brought[place]);
        own * self.flows.len() as f64 / self.brought.iter().sum::<f64>()
    }

    /// Returns the smallest of the flows' payloads over the equal share; NaN if none delivered anything.
    pub fn least_share(&self) -> f64 {
        let least = self.brought.iter().copied().fold(f64::INFINITY, f64::min);
        least * self.brought.len() as f64 / self.brought.iter().sum::<f64>()
    }

    /// Returns Jain's index over the time that counts.
    pub fn jain(&self) -> f64 {
        jain(&self.brought)
    }

    /// Returns the mean of Jain's index over consecutive windows.
    pub(crate) fn jain_of_windows(&self) -> f64 {
        let indices = self.windows(self.counted, self.window).map(|window| jain(&self.between(window)));
        super::mean(indices.filter(|index| index.is_finite()).collect::<Vec<_>>().into_iter())
    }

    /// Returns the time from the last start to the end of the first window in which no flow delivered less than 1 -
    /// [`MAX_SHORTFALL`] of the equal share, s; NaN if there is none. Windows begin every tenth of their length.
    pub fn convergence(&self) -> f64 {
        let fair = |window: &[u64; 2]| {
            let brought = self.between(*window);
            let (least, sum) = (brought.iter().copied().fold(f64::INFINITY, f64::min), brought.iter().sum::<f64>());
            sum > 0.0 && least * brought.len() as f64 >= (1.0 - MAX_SHORTFALL) * sum
        };
        let first = self.windows(self.span, self.window / 10).find(fair);
        first.map_or(f64::NAN, |[_, end]| (end - self.span[0]) as f64 / 1e9)
    }
}

/// Returns Jain's index of shares: 1 if all are equal, 1/n if one of n has all (Jain, Chiu and Hawe 1984, DEC-TR-301);
/// NaN if there is nothing to share.
pub fn jain(shares: &[f64]) -> f64 {
    let sum: f64 = shares.iter().sum();
    sum * sum / (shares.len() as f64 * shares.iter().map(|share| share * share).sum::<f64>())
}

/// Returns the harm that others do to a flow: its loss as a share of its value alone if more is better, or of its value
/// together with them if less is better (Ware, Mukerjee, Seshan and Sherry 2019, "Beyond Jain's Fairness Index",
/// HotNets). Below 0 the flow gains. `None` if neither direction is better, for negative values, and if that value is
/// 0.
pub fn harm(better: Better, alone: f64, together: f64) -> Option<f64> {
    let harm = match better {
        Better::More => (alone - together) / alone,
        Better::Less => (together - alone) / together,
        Better::Neither => return None,
    };
    Some(harm).filter(|harm| harm.is_finite() && alone >= 0.0 && together >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use plan::Traffic;

    const SECOND: u64 = 1_000_000_000;

    /// Builds two bulk flows, the second from 2 s on, both until 12 s; rates in MB/s second by second.
    fn two(rates: [&[u64]; 2]) -> (Scene, Series) {
        let (mut scene, mut series) = (fixture::four_kinds(), fixture::series());
        scene.flows =
            vec![fixture::flow("a", "c", fixture::bulk("reno")), fixture::flow("b", "c", fixture::bulk("reno"))];
        series.flows.truncate(2);
        for (flow, (rates, start)) in rates.iter().zip([1, 2]).enumerate() {
            let mut bytes = 0;
            let after = |(n, rate): (usize, &u64)| {
                bytes += rate * 1_000_000;
                ((start + 1 + n as u64) * SECOND, bytes)
            };
            let first = (start * SECOND, 0);
            series.flows[flow].received = [first].into_iter().chain(rates.iter().enumerate().map(after)).collect();
            series.facts.started.insert(flow as u32, start * SECOND);
            series.facts.ended.insert(flow as u32, 12 * SECOND);
        }
        (scene, series)
    }

    #[test]
    fn jain_by_hand() {
        assert_eq!(jain(&[3.0, 3.0, 3.0]), 1.0);
        assert_eq!(jain(&[5.0, 0.0, 0.0, 0.0]), 0.25);
        assert_eq!(jain(&[1.0, 3.0]), 0.8);
        assert!(jain(&[0.0, 0.0]).is_nan() && jain(&[]).is_nan());
        assert_eq!(jain(&[7.0]), 1.0);
    }

    #[test]
    fn a_late_flow_by_hand() {
        // From 2 s on 10 MB/s: 9 and 1, 7 and 3, then halves for 6 s; at the end 0 and 10 for 2 s.
        let first = [10, 9, 7, 5, 5, 5, 5, 5, 5, 0, 0];
        let (scene, series) = two([&first, &[1, 3, 5, 5, 5, 5, 5, 5, 10, 10]]);
        let shared = Shared::new(&scene, &series).unwrap();
        // 46 and 54 MB in 10 s.
        assert_eq!(shared.jain(), 1e4 / (2.0 * (46.0f64.powi(2) + 54.0f64.powi(2))));
        assert_eq!([0, 1, 7].map(|flow| shared.of_equal_share(flow))[..2], [0.92, 1.08]);
        assert!(shared.of_equal_share(7).is_nan());
        assert_eq!(shared.least_share(), 0.92);
        let of_windows = (100.0 / 164.0 + 100.0 / 116.0 + 6.0 + 2.0 * 0.5) / 10.0;
        assert!((shared.jain_of_windows() - of_windows).abs() < 1e-12);
        // With 3 tenths at 0.3 and 7 at 0.5 the share is 0.44, with 2 and 8 it is 0.46: 0.45 is fair. A window from 1.8 s
        // on ends 2.8 s after the start.
        assert!((shared.convergence() - 2.8).abs() < 1e-9, "{}", shared.convergence());
    }

    #[test]
    fn the_time_that_a_flow_omits_is_not_shared() {
        // From 2 s on 10 MB/s: 9 and 1, 7 and 3, then halves for 8 s.
        let (mut scene, series) = two([&[10, 9, 7, 5, 5, 5, 5, 5, 5, 5, 5], &[1, 3, 5, 5, 5, 5, 5, 5, 5, 5]]);
        // The first starts at 1 s, the second at 2 s.
        (scene.flows[0].omit, scene.flows[1].omit) = (SECOND, 2 * SECOND);
        let shared = Shared::new(&scene, &series).unwrap();
        assert_eq!([shared.jain(), shared.jain_of_windows(), shared.of_equal_share(0)], [1.0; 3]);
        assert!((shared.convergence() - 2.8).abs() < 1e-9, "it still counts from the last start");
        scene.flows[1].omit = 10 * SECOND;
        assert!(Shared::new(&scene, &series).is_none());
    }

    #[test]
    fn unfair_flows_never_converge() {
        let (scene, series) = two([&[10, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9], &[1; 10]]);
        assert!(Shared::new(&scene, &series).unwrap().convergence().is_nan());
        let (scene, series) = two([&[0; 11], &[0; 10]]);
        let shared = Shared::new(&scene, &series).unwrap();
        assert!(shared.least_share().is_nan());
        assert!([shared.jain(), shared.jain_of_windows(), shared.convergence()].iter().all(|value| value.is_nan()));
        assert!(shared.of_equal_share(0).is_nan());
    }

    #[test]
    fn only_flows_that_run_together_share() {
        let (mut scene, mut series) = two([&[5; 11], &[5; 10]]);
        assert!(Shared::new(&scene, &series).is_some());
        series.facts.ended.insert(0, 2 * SECOND);
        assert!(Shared::new(&scene, &series).is_none(), "one after the other");
        series.facts.ended.insert(0, 2 * SECOND + SECOND / 2);
        let shared = Shared::new(&scene, &series).unwrap();
        assert_eq!(shared.jain(), 1.0);
        assert!(shared.jain_of_windows().is_nan() && shared.convergence().is_nan(), "shorter than a window");
        series.facts.started.remove(&1);
        series.facts.ended.remove(&1);
        assert!(Shared::new(&scene, &series).is_none(), "one never was");
        let (_, series) = two([&[5; 11], &[5; 10]]);
        scene.flows.truncate(1);
        assert!(Shared::new(&scene, &series).is_none(), "one alone");
        scene.flows = vec![fixture::flow("a", "c", Traffic::Udp { rate: 1, size: 1 }); 2];
        assert!(Shared::new(&scene, &series).is_none(), "datagrams are counted at their end alone");
        scene.flows.clear();
        assert!(Shared::new(&scene, &series).is_none());
    }

    #[test]
    fn on_long_paths_a_window_is_ten_round_trips() {
        let (mut scene, series) = two([&[5; 11], &[5; 10]]);
        assert_eq!(Shared::new(&scene, &series).unwrap().window, SECOND);
        scene.links[2].forward.delay = SECOND;
        // 1 + 1000 + 1 + 4 ms.
        assert_eq!(Shared::new(&scene, &series).unwrap().window, 10_060_000_000);
    }

    #[test]
    fn harm_by_hand() {
        // 10 Mbit/s alone, 4 with another flow; 20 ms alone, 80 with another.
        assert_eq!(harm(Better::More, 10e6, 4e6), Some(0.6));
        assert_eq!(harm(Better::Less, 0.020, 0.080), Some(0.75));
        assert_eq!(harm(Better::More, 10.0, 10.0), Some(0.0));
        assert_eq!(harm(Better::More, 10.0, 0.0), Some(1.0), "starved");
        assert_eq!(harm(Better::More, 10.0, 12.0), Some(-0.2), "it gains");
        assert_eq!(harm(Better::Less, 0.0, 0.0), None);
        assert_eq!(harm(Better::More, 0.0, 5.0), None, "nothing to lose");
        assert_eq!(harm(Better::More, f64::NAN, 5.0), None);
        assert_eq!(harm(Better::Less, -1.0, 5.0), None);
        assert_eq!(harm(Better::Neither, 1.0, 2.0), None);
    }
}
