//! Decides whether a transfer is slow.

use super::conflict::SAME_RATE_RATIO;
use super::finding::About;
use super::flow::Flow;
use super::path_facts::Known;
use super::view::View;
use base::model::FULL_LINK_SHARE;
use base::show::{rate, share};
use evidence::Place;
use evidence::listing::Direction;
use serde::Serialize;

/// Joint goodput of the connections that matter, and the link rate to compare it with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Speed {
    /// Goodput of all connections together, bit/s.
    pub goodput: f64,
    /// Rate of the link, bit/s, if known.
    pub link: Option<f64>,
    /// Origin of the link rate.
    pub from: Option<String>,
    /// Whether it is slow; `None` if the expected rate is unknown.
    pub slow: Option<bool>,
    /// Rate of the Ethernet that carries exactly this goodput, bit/s, if the link rate is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ethernet: Option<f64>,
    /// Direction of a run in both directions, and the other direction's rate at the same time, bit/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub both_ways: Option<(Direction, f64)>,
    /// Another run with a different rate, bit/s, and its place: the slowest, or the fastest if none is slower.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub another: Option<(f64, Place)>,
    /// The connection that gets least, if they share the link unequally.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starved: Option<Starved>,
}

/// A connection that gets little of a link.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Starved {
    /// Its name.
    pub connection: String,
    /// Its goodput, bit/s.
    pub goodput: f64,
    /// Number of connections on the link.
    pub connections: usize,
}

/// Rates of Ethernet, bit/s (IEEE 802.3), and the range of goodput over the payload rate of a full one.
const ETHERNET_RATES: [f64; 9] = [10e6, 100e6, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 100e9];
pub const FULL_ETHERNET_RATIO: std::ops::Range<f64> = 0.985..1.005;

/// Largest share that the queue of a full link drops.
const MAX_QUEUE_LOSS_SHARE: f64 = 0.01;

/// Ratio of rates above which runs or directions are distinct: the question is about the slow one.
const MIN_RATE_RATIO: f64 = 1.1;

/// Share of its fair share below which a connection that always has data to send is starved.
pub const MAX_STARVED_SHARE: f64 = 0.5;
/// Share of the time for which such a connection has data outstanding or waiting.
const MIN_BACKLOGGED_SHARE: f64 = 0.9;

/// Gain of several connections over one from which the limit is not theirs.
pub(super) const MIN_PARALLEL_GAIN: f64 = 1.5;

impl Speed {
    /// Returns the speed of a finding's connection and its group, else of the slow one among runs and directions, else
    /// of the largest; `None` if nothing was carried.
    pub fn for_finding(view: &View, about: Option<&About>) -> Option<Speed> {
        let is_meant = |flow: &&Flow| about.is_some_and(|about| about.is(flow));
        let most = || all(view).max_by(|a, b| carried(a.seen.bytes).total_cmp(&carried(b.seen.bytes)));
        let flow = view.flows.iter().find(is_meant).or_else(|| slowest(view)).or_else(most)?;
        let total = flow.total.unwrap_or(0.0);
        // A rate above the link's is what a token bucket let through at first.
        let later =
            flow.later().filter(|later| flow.expected().is_some_and(|line| total > line.value && *later < total));
        let goodput = later.unwrap_or(total);
        let both_ways = way(view, flow).zip(back(view, flow));
        let is_moving = goodput > 0.0 || both_ways.is_some_and(|(_, back)| back > 0.0);
        if !(is_moving && goodput.is_finite()) {
            return None;
        }
        let another = another(view, flow);
        // The link carries the rate of other flows on it.
        let mut beside = another.iter().map(|(other, _)| *other).chain(both_ways.map(|(_, back)| back));
        let is_less = beside.any(|other| other > MIN_RATE_RATIO * goodput);
        let full = |line: &Known| goodput > FULL_LINK_SHARE * line.value * flow.payload() && !is_less;
        // The speed of an interface can show that a transfer is not slow, but not that it is.
        let slow = flow.line.as_ref().and_then(|line| match (full(line), line.from.is_bound()) {
            (true, _) => Some(false),
            (false, false) => Some(true),
            (false, true) => None,
        });
        let from = flow.line.as_ref().map(|line| line.from.to_string());
        let lossless = flow.retransmitted().is_none_or(|again| again < MAX_QUEUE_LOSS_SHARE);
        let ethernet = ethernet(goodput, flow).filter(|_| slow.is_none() && lossless);
        let link = flow.line.as_ref().map(|line| line.value);
        let starved = starved(view, flow, total);
        Some(Speed { goodput, link, from, slow, ethernet, both_ways, another, starved })
    }

    /// True if the connections together fill the link, but one of them gets little.
    pub(crate) fn is_shared_unequally(&self) -> bool {
        self.slow == Some(false) && self.starved.is_some()
    }

    /// Returns a sentence.
    pub fn sentence(&self) -> String {
        [Some(self.own()), self.back(), self.run()].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Returns what a page about one of several runs or directions must mention: the other direction, and a slower
    /// run.
    pub fn note_on_others(&self) -> Option<String> {
        let slower = self.another.as_ref().is_some_and(|(other, _)| *other < self.goodput);
        let told: Vec<String> = self.back().into_iter().chain(self.run().filter(|_| slower)).collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// Whether another run or direction is faster, which has its own limit.
    pub(crate) fn is_the_slow_one(&self) -> bool {
        let others = self.another.iter().map(|(other, _)| *other).chain(self.both_ways.map(|(_, back)| back));
        others.into_iter().any(|other| other > MIN_RATE_RATIO * self.goodput)
    }

    fn back(&self) -> Option<String> {
        self.both_ways.map(|(_, back)| format!("The other direction carries {} at the same time.", rate(back)))
    }

    fn run(&self) -> Option<String> {
        self.another.as_ref().map(|(other, place)| format!("Another run gets {} ({place}).", rate(*other)))
    }

    fn own(&self) -> String {
        let way = match self.both_ways {
            Some((Direction::Forward, _)) => " from client to server",
            Some((Direction::Backward, _)) => " from server to client",
            None => "",
        };
        let goodput = rate(self.goodput) + way;
        if let Some(ethernet) = self.ethernet {
            let carries = rate(ethernet);
            return format!("{goodput} is what Ethernet at {carries} carries. If the link is faster, pass --rate.");
        }
        match (self.slow, self.link) {
            (Some(true), Some(link)) => {
                format!("Slow: {goodput} is {} of the {} link.", share(self.goodput / link), rate(link))
            }
            (Some(false), Some(link)) => {
                let [part, of] = [share(self.goodput / link), rate(link)];
                let total = if self.starved.is_some() { " in total" } else { "" };
                let more = if self.goodput > SAME_RATE_RATIO * link {
                    " No link carries more than its rate: check that --rate is for this direction, and that all of \
                     this arrived."
                        .into()
                } else {
                    self.starved.as_ref().map_or(String::new(), |Starved { connection, goodput, connections }| {
                        format!(" But {connection}, one of {connections} connections, gets {} of it.", rate(*goodput))
                    })
                };
                format!("Not slow{total}: {goodput} is {part} of the {of} link.{more}")
            }
            (_, Some(link)) => format!(
                "Is {goodput} slow? The interface runs at {}, but the path may be slower. Pass the rate of its \
                 slowest link as --rate.",
                rate(link)
            ),
            _ => format!("Is {goodput} slow? goodput does not know the link rate: pass it as --rate."),
        }
    }
}

/// Returns the connection that gets least of those that always have data to send, if it gets less than its share.
fn starved(view: &View, flow: &Flow, total: f64) -> Option<Starved> {
    let group: Vec<_> = view.group(flow).collect();
    let fair = total / group.len() as f64;
    let backlogged = group.iter().filter(|flow| flow.busy().is_some_and(|busy| busy > MIN_BACKLOGGED_SHARE));
    let known = backlogged.filter_map(|flow| Some((&flow.seen.name, flow.seen.goodput?)));
    let (name, goodput) = known.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let is_starved = group.len() > 1 && goodput < MAX_STARVED_SHARE * fair;
    is_starved.then(|| Starved { connection: name.clone(), goodput, connections: group.len() })
}

/// Whether the sender's own interface may be full, which limits cwnd as well (TCP Small Queues): the goodput is that
/// of an Ethernet, less headers, and nobody states another link rate.
pub fn may_be_own_interface(flow: &Flow) -> bool {
    let later = flow.later().filter(|_| flow.total == flow.seen.goodput);
    let rates = [flow.total, later];
    flow.expected().is_none() && rates.into_iter().flatten().any(|rate| ethernet(rate, flow).is_some())
}

/// Returns the rate of the Ethernet that carries exactly this goodput of a connection and its group, bit/s.
pub fn ethernet(goodput: f64, flow: &Flow) -> Option<f64> {
    ETHERNET_RATES.into_iter().find(|rate| FULL_ETHERNET_RATIO.contains(&(goodput / (rate * flow.payload()))))
}

/// Returns the slowest run, or direction of a run, if another one is faster.
pub(super) fn slowest<'v, 'e>(view: &'v View<'e>) -> Option<&'v Flow<'e>> {
    let slow = runs(view).filter_map(|flow| Some((flow, flow.total?))).min_by(|a, b| a.1.total_cmp(&b.1));
    let apart = |flow: &Flow, own: f64| {
        let others = another(view, flow).map(|(other, _)| other).into_iter().chain(back(view, flow));
        others.into_iter().any(|other| other > MIN_RATE_RATIO * own)
    };
    slow.filter(|(flow, own)| apart(flow, *own)).map(|(flow, _)| flow)
}

/// Returns the places of the slow run and of another run in the same file, the earlier first.
pub(super) fn apart(view: &View) -> Option<[Place; 2]> {
    let slow = slowest(view)?;
    let (_, other) = another(view, slow).filter(|(_, other)| other.file == slow.seen.place.file)?;
    let mut places = [slow.seen.place.clone(), other];
    places.sort();
    Some(places)
}

/// Returns the slowest of the other runs if it is slower, else the fastest if it is faster.
fn another(view: &View, own: &Flow) -> Option<(f64, Place)> {
    let rate = own.total.filter(|_| is_run(own))?;
    let others = || {
        let others = runs(view).filter(|flow| flow.seen.place != own.seen.place && flow.total > Some(0.0));
        others.filter_map(|flow| Some((flow.total?, flow.seen.place.clone())))
    };
    let slowest = others().min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(other, _)| MIN_RATE_RATIO * other < rate);
    let fastest = || others().max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(other, _)| *other > MIN_RATE_RATIO * rate);
    slowest.or_else(fastest)
}

/// Returns the rate of the other direction of a run in both, bit/s; it has the same place.
fn back(view: &View, own: &Flow) -> Option<f64> {
    let is_back = |flow: &&Flow| flow.seen.place == own.seen.place && flow.seen.group != own.seen.group;
    runs(view).filter(|_| is_run(own)).find(is_back)?.total
}

/// Returns the direction of a run's data.
fn way(view: &View, flow: &Flow) -> Option<Direction> {
    let printed = view.evidence.listings.get(flow.seen.group).filter(|printed| printed.place == flow.seen.place)?;
    printed.listing.direction
}

/// Returns runs of iperf without a rate limit of their own.
fn runs<'v, 'e>(view: &'v View<'e>) -> impl Iterator<Item = &'v Flow<'e>> {
    all(view).filter(|flow| is_run(flow))
}

fn all<'v, 'e>(view: &'v View<'e>) -> impl Iterator<Item = &'v Flow<'e>> {
    view.flows.iter().chain(&view.sums)
}

fn is_run(flow: &Flow) -> bool {
    flow.seen.source.is_iperf() && !flow.keeps_to_rate()
}

fn carried(bytes: Option<f64>) -> f64 {
    bytes.filter(|bytes| bytes.is_finite()).unwrap_or(0.0)
}
