//! Finds doubts about measurements and puts them into sentences.

use super::flow::{carried, unanswered};
use super::path::{base_rtt, way};
use super::sender::{congestion, sender, sysctl};
use super::series::Series;
use super::steady;
use base::show;
use evidence::platform::Version;
use plan::network::{self, topology};
use plan::recording::options;
use plan::{Discipline, Flow, Queue, Role, Scene, Teller, Traffic};
use serde::Serialize;
use std::collections::BTreeMap;

/// A doubt about a measurement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caveat {
    /// None of the flow's data arrived.
    NothingDelivered {
        /// The flow's number.
        flow: usize,
    },
    /// The flow's connection could not be made, or broke.
    Broken {
        /// The flow's number.
        flow: usize,
        /// Error message of the system.
        why: String,
    },
    /// A queue that marks never marks the flow's packets: ECN was not negotiated.
    NoEcn {
        /// The flow's number.
        flow: usize,
        /// The queue's discipline.
        discipline: String,
        /// Whether the flow's congestion control is dctcp, which needs the marks.
        dctcp: bool,
    },
    /// RACK is turned off for the flow's sender, but its kernel has no other way to detect losses.
    Rack {
        /// The flow's number.
        flow: usize,
        /// The kernel's release.
        release: String,
    },
    /// Requests or pings have no answer, and no percentile includes them.
    Unanswered {
        /// The flow's number.
        flow: usize,
        /// Number of requests or pings.
        asked: usize,
        /// Number of requests or pings without an answer.
        unanswered: usize,
    },
    /// The flow lasted so few RTTs that start-up skews every mean.
    FewRoundTrips {
        /// The flow's number.
        flow: usize,
        /// Duration in RTTs of the empty path.
        round_trips: u64,
    },
    /// The flow's goodput was not steady before half of its time was over.
    NoSteadyState {
        /// The flow's number.
        flow: usize,
    },
    /// The samples are too few for percentiles.
    FewSamples {
        /// The flow's number.
        flow: usize,
        samples: usize,
    },
    /// A host's own interface dropped packets before they reached the link.
    NicDrops {
        host: String,
        /// Number of packets.
        packets: u64,
    },
    /// Queues were sampled so rarely that utilisation and means of queues are rough.
    Coarse {
        /// The interval's share of the time from the first flow's start to the last one's end, per cent; 100 at most.
        percent: u64,
    },
    /// FreeBSD's stack sends the flow, and does not count what limits it.
    Uncounted {
        /// The flow's number.
        flow: usize,
    },
    /// The values are from iperf3, which reports less than a kernel.
    ByIperf3,
    /// The kernel does not count timeouts.
    NoTimeouts { release: String },
    /// The other end of a flow of programs received less than it sent.
    OtherSends {
        /// The flow's number.
        flow: usize,
    },
    /// The answers are too few for percentiles.
    FewExchanges {
        /// The flow's number.
        flow: usize,
        exchanges: usize,
    },
}

/// Fewer round trips than this are mostly start-up: slow start alone takes about ten to fill 1,000 packets.
const FEW_ROUND_TRIPS: u64 = 20;
/// The 95th percentile of fewer values than this is their maximum.
const FEW_VALUES: usize = 20;
/// A sampling interval above this percentage of the flows' time is a caveat: measures of queues come from samples, which
/// may be that far from the flows' start and end.
const COARSE_PERCENT: u64 = 2;
/// From this version on, bit 0 of net.ipv4.tcp_recovery changes nothing (Documentation/networking/ip-sysctl.rst).
const RACK_ALONE: &str = "6.17-rc1";

/// Returns the doubts about a flow's measures.
pub fn of_flow(number: usize, scene: &Scene, series: &Series) -> Vec<Caveat> {
    let (flow, own) = (&scene.flows[number], &series.flows[number]);
    let broken = series.facts.broken.get(&(number as u32)).map(|why| Caveat::Broken { flow: number, why: why.clone() });
    let mut all = Vec::from_iter(broken);
    if matches!(flow.traffic, Traffic::Bulk { .. } | Traffic::Program { .. }) && carried(own, flow.until) == 0 {
        all.insert(0, Caveat::NothingDelivered { flow: number });
        return all;
    }
    let unanswered = unanswered(number, scene, series);
    if unanswered > 0 {
        all.push(Caveat::Unanswered { flow: number, asked: own.exchanges.len(), unanswered });
    }
    let answers = own.exchanges.iter().filter(|exchange| exchange.end.is_some()).count();
    if !own.exchanges.is_empty() && (1..FEW_VALUES).contains(&answers) {
        all.push(Caveat::FewExchanges { flow: number, exchanges: answers });
    }
    if flow.tcp().is_some() {
        all.extend(of_connection(number, flow, scene, series));
    } else if flow.is_program() {
        let [back, forth] = own.packets.map(|counts| counts.unwrap_or_default().bytes_received);
        all.extend((back > forth).then_some(Caveat::OtherSends { flow: number }));
        all.extend(of_time(number, scene, series));
    }
    all
}

/// Returns the doubt about the measures of a trial's queues, if there is one.
pub fn of_queues(scene: &Scene, series: &Series) -> Option<Caveat> {
    let (start, end) = (series.facts.started.values().min()?, series.facts.ended.values().max()?);
    let percent = (scene.record.interval.saturating_mul(100)).div_ceil(end.saturating_sub(*start).max(1));
    (percent > COARSE_PERCENT && !scene.links.is_empty()).then(|| Caveat::Coarse { percent: percent.min(100) })
}

/// Returns the hosts whose own interfaces have dropped packets.
pub fn of_hosts(scene: &Scene, series: &Series) -> Vec<Caveat> {
    let mut dropped: BTreeMap<&str, u64> = BTreeMap::new();
    for (probe, queue) in network::probes(scene).iter().zip(&series.queues) {
        let from = &scene.links[probe.step.link].ends[probe.step.lane].node;
        let is_host = matches!(topology::node(scene, from).role, Role::Host(_));
        if is_host && !network::is_behind_its_device(scene, probe) {
            *dropped.entry(from).or_default() += queue.drops.last().copied().unwrap_or(0);
        }
    }
    let caveat = |(host, packets): (&str, u64)| Caveat::NicDrops { host: host.into(), packets };
    dropped.into_iter().filter(|(_, packets)| *packets > 0).map(caveat).collect()
}

/// Returns what the trial's kernel does not report: TCP_INFO has total_rto from Linux 6.7 on (commit 3868ab0f1925), and
/// iperf3 reports less.
pub fn of_kernel(scene: &Scene, series: &Series) -> Option<Caveat> {
    if scene.record.teller == Teller::Iperf3 {
        return Some(Caveat::ByIperf3);
    }
    let mut of_linux = series.flows.iter().zip(&scene.flows).filter(|(_, flow)| !scene.is_freebsd(flow.ends()[0]));
    let silent = of_linux.any(|(own, _)| own.last[0].is_some_and(|sender| sender.total_rto.is_none()));
    silent.then(|| Caveat::NoTimeouts { release: series.facts.release.clone() })
}

fn of_connection(number: usize, flow: &Flow, scene: &Scene, series: &Series) -> Vec<Caveat> {
    let own = &series.flows[number];
    let mut all = vec![];
    if sender(scene, flow).is_freebsd() {
        all.push(Caveat::Uncounted { flow: number });
    }
    if own.last[0].is_some_and(|sender| !sender.has(options::ECN)) {
        let marking = way(scene, flow).into_iter().filter_map(|step| step.lane(scene).queue);
        let marking = marking.filter(Queue::marks).map(|queue| queue.discipline);
        let dctcp = congestion(scene, flow) == Some("dctcp");
        // dualpi2 has a queue for flows without ECN.
        let marking = marking.filter(|discipline| dctcp || !matches!(discipline, Discipline::DualPi2(_)));
        let mut names: Vec<&str> = marking.map(|discipline| name(&discipline)).collect();
        names.sort_unstable();
        names.dedup();
        all.extend(names.into_iter().map(|name| Caveat::NoEcn { flow: number, discipline: name.into(), dctcp }));
    }
    if !detects_as_told(flow, scene, &series.facts.release) {
        all.push(Caveat::Rack { flow: number, release: series.facts.release.clone() });
    }
    let samples = own.srtt.iter().filter(|us| **us > 0).count();
    if (1..FEW_VALUES).contains(&samples) {
        all.push(Caveat::FewSamples { flow: number, samples });
    }
    all.extend(of_time(number, scene, series));
    all
}

/// Returns the doubt about a flow that was mostly start-up.
fn of_time(number: usize, scene: &Scene, series: &Series) -> Option<Caveat> {
    let flow = &scene.flows[number];
    let [start, end] = series.span(number);
    let round_trips = end.saturating_sub(start) / base_rtt(scene, flow).max(1);
    if round_trips < FEW_ROUND_TRIPS {
        return Some(Caveat::FewRoundTrips { flow: number, round_trips });
    }
    let has_data = matches!(flow.traffic, Traffic::Bulk { .. } | Traffic::Program { .. });
    (has_data && steady(number, scene, series).is_none()).then_some(Caveat::NoSteadyState { flow: number })
}

/// True if a kernel detects losses as the flow's sender is configured to, with RACK (TCP_RACK_LOSS_DETECTION,
/// include/net/tcp.h) or without.
fn detects_as_told(flow: &Flow, scene: &Scene, release: &str) -> bool {
    let told = sysctl(sender(scene, flow), "net.ipv4.tcp_recovery").and_then(|bits| bits.parse::<u64>().ok());
    let rack_alone = || release.parse::<Version>().ok() >= RACK_ALONE.parse().ok();
    told.is_none_or(|bits| bits & 1 == 1) || !rack_alone()
}

/// Returns the name of a discipline in an experiment.
fn name(discipline: &Discipline) -> &'static str {
    match discipline {
        Discipline::DropTail => "drop-tail",
        Discipline::Red { .. } => "red",
        Discipline::Codel { .. } => "codel",
        Discipline::FqCodel { .. } => "fq_codel",
        Discipline::Pie { .. } => "pie",
        Discipline::Cake { .. } => "cake",
        Discipline::Fq => "fq",
        Discipline::Threshold { .. } => "threshold",
        Discipline::DualPi2(_) => "dualpi2",
    }
}

/// Puts the doubts of all trials into words, a sentence for each kind; `names` are the flows' names.
pub fn sentences(mut all: Vec<&Caveat>, names: &[Option<String>]) -> Vec<String> {
    all.sort_by_key(|caveat| (caveat.topic(), caveat.flow()));
    all.chunk_by(|a, b| a.topic() == b.topic()).map(|alike| sentence(alike, names)).collect()
}

fn sentence(alike: &[&Caveat], names: &[Option<String>]) -> String {
    let figures = |of: fn(&Caveat) -> u64| {
        let all = || alike.iter().map(|caveat| of(caveat));
        let [least, most] = [all().min(), all().max()].map(Option::unwrap_or_default);
        if least == most { format!("{most}") } else { format!("{least} to {most}") }
    };
    let mut flows: Vec<usize> = alike.iter().map(|caveat| caveat.flow()).collect();
    flows.dedup();
    let (of_flows, number_of_flows) = (show::flows(&flows, names), flows.len());
    // A name stays as its author wrote it.
    let is_named = of_flows.starts_with(|c: char| c.is_lowercase()) && !of_flows.starts_with("flow");
    let flows = if is_named { of_flows.clone() } else { show::capital(&of_flows) };
    let number = figures(Caveat::number);
    let count = |number: &str, noun: &str| format!("{number} {noun}{}", if number == "1" { "" } else { "s" });
    match alike[0] {
        Caveat::NothingDelivered { .. } => format!("{flows} delivered nothing."),
        Caveat::Broken { why, .. } => format!("{flows} did not complete: {why}."),
        Caveat::NoEcn { discipline, dctcp, .. } => {
            let its = if number_of_flows == 1 { "its" } else { "their" };
            let then = if *dctcp { " Without ECN, dctcp behaves like reno." } else { "" };
            format!("{flows} did not negotiate ECN, so the {discipline} queue marks none of {its} packets.{then}")
        }
        Caveat::OtherSends { .. } => {
            format!(
                "{flows} sent most data from the end that `sends` does not name: write the other of \"server\" and \"client\"."
            )
        }
        Caveat::Rack { release, .. } => format!(
            "{flows} used RACK although net.ipv4.tcp_recovery turns it off: Linux 6.17 and later (this was {release}) \
             detect losses no other way. Use an older kernel, such as 6.12."
        ),
        Caveat::Unanswered { .. } => {
            let asked = count(&figures(Caveat::total), "exchange");
            format!("{flows} got no answer to {number} of {asked}; percentiles exclude these.")
        }
        Caveat::FewRoundTrips { .. } => {
            format!("{flows} lasted {}, so start-up skews the averages.", count(&number, "round trip"))
        }
        Caveat::NoSteadyState { .. } => {
            format!("{flows} did not reach steady state in the first half, so start-up skews the averages.")
        }
        Caveat::FewSamples { .. } => {
            format!("{flows} has only {}, too few for percentiles: shorten record.interval.", count(&number, "sample"))
        }
        Caveat::NicDrops { host, .. } => format!(
            "The queue of {host}'s own interface dropped {} before they reached the link: they are in nic-drops, or in \
             queue-drops where the interface is the line.",
            count(&number, "packet")
        ),
        Caveat::Coarse { .. } => format!(
            "Queues were sampled only every {number} % of the flows' time, so utilisation and queue averages are rough: \
             shorten record.interval."
        ),
        Caveat::NoTimeouts { release } => {
            format!("Linux {release} does not count timeouts (6.7 and later do): rto and rto-time have no value.")
        }
        Caveat::Uncounted { .. } => format!(
            "FreeBSD's stack does not count what limits {of_flows}: limited-cwnd, its like and rto have no value."
        ),
        Caveat::ByIperf3 => {
            "iperf3 made the flows: retransmitted, loss-events, rtt-min, limited-cwnd and its like and rto have \
                             no value."
                .into()
        }
        Caveat::FewExchanges { .. } => {
            format!("{flows} got {}, too few for percentiles.", count(&number, "answer"))
        }
    }
}

impl Caveat {
    fn flow(&self) -> usize {
        match *self {
            Caveat::NothingDelivered { flow }
            | Caveat::Broken { flow, .. }
            | Caveat::NoEcn { flow, .. }
            | Caveat::Rack { flow, .. }
            | Caveat::Unanswered { flow, .. }
            | Caveat::FewRoundTrips { flow, .. }
            | Caveat::NoSteadyState { flow }
            | Caveat::FewSamples { flow, .. }
            | Caveat::Uncounted { flow }
            | Caveat::OtherSends { flow }
            | Caveat::FewExchanges { flow, .. } => flow,
            Caveat::NicDrops { .. } | Caveat::Coarse { .. } | Caveat::NoTimeouts { .. } | Caveat::ByIperf3 => 0,
        }
    }

    /// Returns all that its sentence says except flows and numbers; doubts are printed in this order.
    fn topic(&self) -> (u8, &str, bool) {
        match self {
            Caveat::NothingDelivered { .. } => (0, "", false),
            Caveat::Broken { why, .. } => (0, why, true),
            Caveat::NoEcn { discipline, dctcp, .. } => (1, discipline, *dctcp),
            Caveat::OtherSends { .. } => (1, "", false),
            Caveat::Rack { release, .. } => (2, release, false),
            Caveat::Unanswered { .. } => (3, "", false),
            Caveat::FewRoundTrips { .. } => (4, "", false),
            Caveat::NoSteadyState { .. } => (5, "", false),
            Caveat::FewSamples { .. } => (6, "", false),
            Caveat::FewExchanges { .. } => (7, "", false),
            Caveat::Coarse { .. } => (8, "", false),
            Caveat::NoTimeouts { release } => (9, release, false),
            Caveat::NicDrops { host, .. } => (10, host, false),
            Caveat::Uncounted { .. } => (11, "", false),
            Caveat::ByIperf3 => (12, "", false),
        }
    }

    /// Returns the number in its sentence; 0 if it has none.
    fn number(&self) -> u64 {
        match *self {
            Caveat::NothingDelivered { .. }
            | Caveat::Broken { .. }
            | Caveat::NoEcn { .. }
            | Caveat::Rack { .. }
            | Caveat::NoTimeouts { .. }
            | Caveat::ByIperf3
            | Caveat::Uncounted { .. }
            | Caveat::OtherSends { .. }
            | Caveat::NoSteadyState { .. } => 0,
            Caveat::Unanswered { unanswered: n, .. }
            | Caveat::FewSamples { samples: n, .. }
            | Caveat::FewExchanges { exchanges: n, .. } => n as u64,
            Caveat::FewRoundTrips { round_trips, .. } => round_trips,
            Caveat::Coarse { percent } => percent,
            Caveat::NicDrops { packets, .. } => packets,
        }
    }

    fn total(&self) -> u64 {
        if let Caveat::Unanswered { asked, .. } = self { *asked as u64 } else { self.number() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{bulk, four_kinds, series};
    use plan::Stack;

    fn nameless(flows: usize) -> Vec<Option<String>> {
        vec![None; flows]
    }

    #[test]
    fn programs_that_send_the_other_way_are_doubted() {
        let (mut scene, mut series) = (four_kinds(), series());
        let (server, client, sends) = (String::new(), String::new(), plan::ProgramEnd::Client);
        scene.flows[0].traffic = plan::Traffic::Program { server, client, sends };
        let doubt = |back: u64, series: &mut Series| {
            let counts = |bytes_received| Some(crate::series::PacketCounts { bytes_received, ..Default::default() });
            series.flows[0].packets = [counts(back), counts(1000)];
            of_flow(0, &scene, series).contains(&Caveat::OtherSends { flow: 0 })
        };
        assert_eq!([1000, 1001].map(|back| doubt(back, &mut series)), [false, true]);
        let said = sentences(vec![&Caveat::OtherSends { flow: 0 }], &nameless(1));
        assert!(said[0].starts_with("Flow 0 sent most data from the end that `sends` does not name"), "{said:?}");
    }

    #[test]
    fn a_queue_that_marks_doubts_flows_without_ecn() {
        let (mut scene, mut series) = (four_kinds(), series());
        let doubts = |scene: &Scene, series: &Series| {
            of_flow(0, scene, series).into_iter().filter(|c| matches!(c, Caveat::NoEcn { .. })).collect::<Vec<_>>()
        };
        assert_eq!(doubts(&scene, &series), [], "it is a drop-tail");
        let queue = scene.links[2].forward.queue.as_mut().unwrap();
        queue.discipline = Discipline::Threshold { above: 1 };
        let doubt = |dctcp| Caveat::NoEcn { flow: 0, discipline: "threshold".into(), dctcp };
        assert_eq!(doubts(&scene, &series), [doubt(false)]);
        scene.flows[0].traffic = bulk("dctcp");
        assert_eq!(doubts(&scene, &series), [doubt(true)]);
        series.flows[0].last[0].as_mut().unwrap().options = 15;
        assert_eq!(doubts(&scene, &series), []);
        series.flows[0].last[0].as_mut().unwrap().options = 7;
        scene.links[2].forward.queue.as_mut().unwrap().discipline =
            Discipline::Codel { target: 1, interval: 1, ecn: false };
        assert_eq!(doubts(&scene, &series), [], "it drops, and was not asked to mark");
        // A queue that only ACKs meet marks no data.
        scene.links[0].backward.queue.as_mut().unwrap().discipline = Discipline::Cake { rtt: 1 };
        assert_eq!(doubts(&scene, &series), []);
    }

    #[test]
    fn disabling_rack_on_a_rack_only_kernel_gets_a_caveat() {
        let (mut scene, mut series) = (four_kinds(), series());
        let sender = scene.nodes.iter().position(|node| node.name == scene.flows[0].from).unwrap();
        let mut doubts = |value: &str, release: &str| {
            scene.nodes[sender].sysctls.push(("net.ipv4.tcp_recovery".into(), value.into()));
            series.facts.release = release.into();
            let doubts = of_flow(0, &scene, &series);
            doubts.into_iter().filter(|caveat| matches!(caveat, Caveat::Rack { .. })).collect::<Vec<_>>()
        };
        for (value, release) in [("0", "6.12.117"), ("0", "6.16.12-lab"), ("1", "7.3.4"), ("5", "7.3.4"), ("0", "?")] {
            assert_eq!(doubts(value, release), [], "{value} on {release}");
        }
        for (value, release) in [("0", "6.17.0-rc1"), ("4", "7.3.4")] {
            assert_eq!(doubts(value, release), [Caveat::Rack { flow: 0, release: release.into() }]);
        }
        let of = |flow, release: &str| Caveat::Rack { flow, release: release.into() };
        assert_eq!(
            sentences(vec![&of(1, "7.3.4"), &of(0, "7.3.4")], &nameless(4)),
            [
                "Flows 0 and 1 used RACK although net.ipv4.tcp_recovery turns it off: Linux 6.17 and later (this was 7.3.4) \
              detect losses no other way. Use an older kernel, such as 6.12."
            ]
        );
    }

    #[test]
    fn unanswered_pings_get_a_caveat() {
        let (scene, mut series) = (four_kinds(), series());
        let open = Caveat::Unanswered { flow: 3, asked: 21, unanswered: 1 };
        assert_eq!(of_flow(3, &scene, &series), [open]);
        series.flows[3].exchanges.truncate(19);
        assert_eq!(of_flow(3, &scene, &series), [Caveat::FewExchanges { flow: 3, exchanges: 19 }]);
        assert_eq!(of_flow(2, &scene, &series), [], "datagrams may be lost");
    }

    #[test]
    fn a_flow_that_delivered_nothing_has_no_other_doubt() {
        let (scene, mut series) = (four_kinds(), series());
        series.flows[0].srtt.clear();
        series.flows[0].received = vec![(1, 0), (2, 0)];
        assert_eq!(of_flow(0, &scene, &series), [Caveat::NothingDelivered { flow: 0 }]);
        series.flows[0].received.push((3, 1));
        assert_eq!(of_flow(0, &scene, &series), [Caveat::NoSteadyState { flow: 0 }], "no samples, no percentiles");
    }

    #[test]
    fn a_long_interval_is_doubted() {
        let (mut scene, mut series) = (four_kinds(), series());
        // Flows from 1 s to 3 s.
        let mut doubt = |interval: u64| {
            scene.record.interval = interval;
            of_queues(&scene, &series)
        };
        assert_eq!(doubt(40_000_000), None);
        assert_eq!(doubt(40_000_001), Some(Caveat::Coarse { percent: 3 }));
        assert_eq!(doubt(500_000_000), Some(Caveat::Coarse { percent: 25 }));
        assert_eq!(doubt(9_000_000_000), Some(Caveat::Coarse { percent: 100 }));
        series.facts.started.clear();
        assert_eq!(of_queues(&scene, &series), None, "the whole trial counts");
        let both = [Caveat::Coarse { percent: 3 }, Caveat::Coarse { percent: 25 }];
        assert_eq!(
            sentences(both.iter().collect(), &nameless(1)),
            [
                "Queues were sampled only every 3 to 25 % of the flows' time, so utilisation and queue averages are rough: \
              shorten record.interval."
            ]
        );
    }

    #[test]
    fn measures_that_freebsd_does_not_count_are_named_per_flow() {
        let (mut scene, series) = (four_kinds(), series());
        let doubts = |scene: &Scene| -> Vec<Caveat> {
            let all = (0..4).flat_map(|flow| of_flow(flow, scene, &series));
            all.filter(|caveat| matches!(caveat, Caveat::Uncounted { .. })).collect()
        };
        assert_eq!(doubts(&scene), []);
        for node in scene.nodes.iter_mut() {
            if let Role::Host(host) = &mut node.role {
                host.stack = Stack::FreeBsd;
            }
        }
        assert_eq!(
            sentences(doubts(&scene).iter().collect(), &nameless(4)),
            ["FreeBSD's stack does not count what limits flows 0 and 1: limited-cwnd, its like and rto have no value."],
            "datagrams and pings are not TCP"
        );
    }

    #[test]
    fn a_kernel_that_counts_no_timeouts_is_named_once() {
        let mut series = series();
        assert_eq!(of_kernel(&four_kinds(), &series), None);
        series.facts.release = "6.1.158".into();
        series.flows[0].last[0].as_mut().unwrap().total_rto = None;
        let doubts: Vec<Caveat> =
            [of_kernel(&four_kinds(), &series), of_kernel(&four_kinds(), &series)].into_iter().flatten().collect();
        assert_eq!(
            sentences(doubts.iter().collect(), &nameless(4)),
            ["Linux 6.1.158 does not count timeouts (6.7 and later do): rto and rto-time have no value."]
        );
    }

    #[test]
    fn drops_at_a_hosts_own_interface_are_named() {
        let (scene, mut series) = (four_kinds(), series());
        assert_eq!(of_hosts(&scene, &series), [], "the switch drops for its link");
        let from_a = network::probes(&scene).iter().position(|probe| (probe.step.link, probe.step.lane) == (0, 0));
        series.queues[from_a.unwrap()].drops = vec![0, 8741];
        let doubt = Caveat::NicDrops { host: "a".into(), packets: 8741 };
        assert_eq!(of_hosts(&scene, &series), std::slice::from_ref(&doubt));
        let less = Caveat::NicDrops { host: "a".into(), packets: 1 };
        let then =
            "before they reached the link: they are in nic-drops, or in queue-drops where the interface is the line.";
        for (all, number) in
            [(vec![&doubt], "8741 packets"), (vec![&less], "1 packet"), (vec![&less, &doubt], "1 to 8741 packets")]
        {
            assert_eq!(
                sentences(all, &nameless(4)),
                [format!("The queue of a's own interface dropped {number} {then}")]
            );
        }
    }

    #[test]
    fn short_flows_are_doubted() {
        let (scene, mut series) = (four_kinds(), series());
        // The empty path takes 10 ms.
        series.facts.ended.insert(0, 1_000_000_000 + 199_999_999);
        let doubts = of_flow(0, &scene, &series);
        assert!(doubts.contains(&Caveat::FewRoundTrips { flow: 0, round_trips: 19 }), "{doubts:?}");
        series.facts.ended.insert(0, 1_000_000_000 + 200_000_000);
        let doubts = [Caveat::FewSamples { flow: 0, samples: 4 }, Caveat::NoSteadyState { flow: 0 }];
        assert_eq!(of_flow(0, &scene, &series), doubts);
    }

    #[test]
    fn a_flow_that_settles_late_is_doubted() {
        let (mut scene, mut series) = (four_kinds(), series());
        scene.record.interval = 10_000_000;
        let mut settled = |start: u64| {
            let bytes = |tick: u64| tick.saturating_sub(start) * 100_000;
            series.flows[0].received = (0..=200).map(|n| (1_000_000_000 + n * 10_000_000, bytes(n))).collect();
            !of_flow(0, &scene, &series).contains(&Caveat::NoSteadyState { flow: 0 })
        };
        assert!(settled(0) && settled(100) && !settled(110));
        let late = Caveat::NoSteadyState { flow: 0 };
        assert_eq!(
            sentences(vec![&late, &late], &nameless(1)),
            ["Flow 0 did not reach steady state in the first half, so start-up skews the averages."]
        );
    }

    #[test]
    fn doubts_of_many_trials_and_flows_are_one_sentence() {
        let unanswered = |unanswered| Caveat::Unanswered { flow: 3, asked: 21, unanswered };
        let ecn = |flow| Caveat::NoEcn { flow, discipline: "red".into(), dctcp: flow == 1 };
        let few = |flow, round_trips| Caveat::FewRoundTrips { flow, round_trips };
        let all =
            [unanswered(4), few(0, 5), ecn(1), few(7, 9), unanswered(1), few(0, 5), ecn(2), ecn(0), unanswered(2)];
        let more = [few(2, 5), few(3, 5), few(4, 5), few(6, 5)];
        assert_eq!(
            sentences(all.iter().chain(&more).collect(), &nameless(8)),
            [
                "Flows 0 and 2 did not negotiate ECN, so the red queue marks none of their packets.",
                "Flow 1 did not negotiate ECN, so the red queue marks none of its packets. Without ECN, dctcp behaves like reno.",
                "Flow 3 got no answer to 1 to 4 of 21 exchanges; percentiles exclude these.",
                "Flows 0, 2 to 4, 6 and 7 lasted 5 to 9 round trips, so start-up skews the averages.",
            ]
        );
        assert_eq!(sentences(vec![], &nameless(8)), [""; 0]);
        let dead: Vec<Caveat> = (0..50).map(|n| Caveat::NothingDelivered { flow: 5 * n }).collect();
        assert_eq!(sentences(dead.iter().collect(), &nameless(250)), ["50 of 250 flows delivered nothing."]);
        let one = [
            few(0, 1),
            Caveat::FewExchanges { flow: 1, exchanges: 1 },
            Caveat::FewSamples { flow: 0, samples: 1 },
            Caveat::Unanswered { flow: 3, asked: 1, unanswered: 1 },
        ];
        assert_eq!(
            sentences(one.iter().collect(), &nameless(4)),
            [
                "Flow 3 got no answer to 1 of 1 exchange; percentiles exclude these.",
                "Flow 0 lasted 1 round trip, so start-up skews the averages.",
                "Flow 0 has only 1 sample, too few for percentiles: shorten record.interval.",
                "Flow 1 got 1 answer, too few for percentiles.",
            ]
        );
    }
}
