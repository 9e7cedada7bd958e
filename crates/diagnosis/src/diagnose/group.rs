//! Groups of connections at the same time over the same path, and their joint rates.

use super::flow::Flow;
use base::stats::percentile;
use evidence::Seen;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file, the number of a group in it, and the direction of its data: a link has its rate in each direction.
pub type Key = (Arc<str>, usize, bool);

/// All groups of the evidence.
pub struct Groups(BTreeMap<Key, Group>);

/// Connections at the same time over the same path.
#[derive(Debug, Default)]
pub struct Group {
    /// Indices of its connections among all.
    pub members: Vec<usize>,
    /// Whether the connections fill the path together: the sum of their rates hardly varies.
    pub full: bool,
    /// Joint delivery rates over spans of three round trips, at least 0.1 s each, bit/s.
    pub rates: Option<Vec<f64>>,
}

/// Mean over peak of the group's rate above which its connections fill a path.
const FULL_PEAK_SHARE: f64 = 0.9;

/// Bounds of a control connection: less than this share of the largest connection's bytes, and less than this many
/// bytes. iperf3's carries 0.2 kB of results for each stream.
const CONTROL_CONNECTION: (f64, f64) = (0.01, 65_536.0);

/// Bytes in a send buffer that show a program that keeps writing (the default of tcp_wmem).
const FILLED_BUFFER_BYTES: f64 = 16_384.0;

/// Number of requests that make a connection alongside a transfer a conversation; iperf3's control connection has
/// four.
const MIN_REQUESTS: usize = 5;

/// Largest ratio of the group's span to its shortest connection's if connections are parallel.
const MAX_SPAN_RATIO: f64 = 1.1;

/// Largest number of spans in a sum.
const MAX_SPANS: f64 = 10_000.0;

/// Returns the key of the group that shares a connection's path and direction.
pub fn key(flow: &Flow) -> Key {
    let (file, number) = both_ways(flow);
    (file, number, flow.seen.seen == Seen::Receiver)
}

/// Returns the file and group number, for both directions.
pub fn both_ways(flow: &Flow) -> (Arc<str>, usize) {
    (flow.seen.place.file.clone(), flow.seen.group)
}

/// Keeps the connections that carry the data of their group. Bytes offered decide, because nothing arrives through a
/// black hole. Those of a connection that has become idle count: what is active beside it, such as iperf3's control
/// connection after the run, carries nothing in comparison.
pub fn carrying<'a>(all: Vec<Flow<'a>>, idle: &[Flow<'a>]) -> Vec<Flow<'a>> {
    let mut most: BTreeMap<_, f64> = BTreeMap::new();
    for flow in all.iter().chain(idle) {
        let largest = most.entry(both_ways(flow)).or_default();
        *largest = largest.max(flow.offered());
    }
    let (share, bytes) = CONTROL_CONNECTION;
    let writes = |flow: &Flow| {
        flow.offered() >= bytes.min(share * most[&both_ways(flow)]) || flow.stuck() >= FILLED_BUFFER_BYTES
    };
    let asks = |flow: &Flow| {
        flow.seen.exchanges.len() >= MIN_REQUESTS || most[&both_ways(flow)] < bytes && !flow.seen.exchanges.is_empty()
    };
    let carries = |flow: &Flow| asks(flow) || writes(flow);
    let mut carrying: Vec<Flow<'a>> = all.into_iter().filter(carries).collect();
    let mut groups: BTreeMap<Key, Vec<&Flow>> = BTreeMap::new();
    for flow in &carrying {
        groups.entry(key(flow)).or_default().push(flow);
    }
    let totals: BTreeMap<Key, f64> = groups.into_iter().map(|(key, members)| (key, total(&members))).collect();
    carrying.iter_mut().for_each(|flow| flow.total = totals.get(&key(flow)).copied().filter(|_| flow.total.is_some()));
    carrying
}

/// Returns the joint goodput of connections, bit/s, over the time with at least one of them: they may run one after
/// another.
fn total(members: &[&Flow]) -> f64 {
    let sum = || members.iter().filter_map(|flow| flow.seen.goodput).sum();
    let known: Option<Vec<(f64, [f64; 2])>> = members.iter().map(|flow| flow.seen.bytes.zip(flow.seen.span)).collect();
    let Some(mut known) = known.filter(|known| known.len() > 1) else { return sum() };
    known.sort_by(|a, b| a.1[0].total_cmp(&b.1[0]));
    let (bytes, seconds, _) =
        known.iter().fold((0.0, 0.0, f64::MIN), |(bytes, seconds, until), (own, [start, end])| {
            (bytes + own, seconds + (end - start.max(until)).max(0.0), until.max(*end))
        });
    let shortest = known.iter().map(|(_, [start, end])| end - start).fold(f64::INFINITY, f64::min);
    // Goodputs of connections that last the whole time add up as printed.
    if seconds > MAX_SPAN_RATIO * shortest { 8.0 * bytes / seconds } else { sum() }
}

impl Groups {
    /// Groups all connections.
    pub fn from_flows(flows: &[Flow]) -> Groups {
        let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
        for (number, flow) in flows.iter().enumerate() {
            groups.entry(key(flow)).or_default().members.push(number);
        }
        for group in groups.values_mut().filter(|group| group.members.len() > 1) {
            let members: Vec<&Flow> = group.members.iter().map(|number| &flows[*number]).collect();
            group.rates = sums(&members, 3.0);
            group.full = sums(&members, 10.0).is_some_and(is_steady);
        }
        Groups(groups)
    }

    /// Returns the group of a connection; a sum has none.
    pub fn find(&self, flow: &Flow) -> Option<&Group> {
        self.0.get(&key(flow))
    }
}

fn is_steady(rates: Vec<f64>) -> bool {
    let settled: Vec<f64> = rates.into_iter().skip(2).collect();
    let mean = settled.iter().sum::<f64>() / settled.len() as f64;
    percentile(settled, 0.95).is_some_and(|peak| mean > FULL_PEAK_SHARE * peak)
}

/// Returns the joint delivery rates over spans of so many round trips, bit/s.
fn sums(members: &[&Flow], rounds: f64) -> Option<Vec<f64>> {
    let first = members.first()?;
    let [start, end] = first.seen.span?;
    let width = (end - start) / first.seen.points.len().max(1) as f64;
    let rtt = first.base().unwrap_or(0.0);
    let span = (rounds * rtt).max(0.1).max(1.01 * width).max((end - start) / MAX_SPANS);
    let mut bytes = vec![0.0; ((end - start) / span).floor() as usize];
    for point in members.iter().flat_map(|flow| &flow.seen.points).filter(|point| point.time >= start) {
        if let Some(bin) = bytes.get_mut(((point.time - start) / span).floor() as usize) {
            *bin += point.bytes?;
        }
    }
    (bytes.len() > 3).then(|| bytes.iter().map(|bytes| bytes * 8.0 / span).collect())
}
