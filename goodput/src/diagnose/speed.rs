//! Is it slow at all?

use super::finding::About;
use super::flow::Flow;
use super::known::Known;
use super::view::View;
use crate::show::{rate, share};
use evidence::Place;
use serde::Serialize;

/// What the connections that matter deliver together, and what they should.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Speed {
    /// Goodput of all of them, bit/s.
    pub goodput: f64,
    /// Rate of the link, bit/s, as far as it is known.
    pub link: Option<f64>,
    /// Who says so.
    pub from: Option<String>,
    /// Whether it is slow; `None` where nothing says what the link should carry.
    pub slow: Option<bool>,
    /// Where nothing does, the rate of the Ethernet that carries just that, bit/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ethernet: Option<f64>,
    /// The fastest run of the same listing, if it is another one: bit/s, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faster: Option<(f64, Place)>,
}

/// Above this share of its link a transfer is not slow.
const FULL: f64 = 0.9;

/// Rates of Ethernet, bit/s (IEEE 802.3), and what a transfer comes to of what one carries.
pub(super) const ETHERNET: [f64; 9] = [10e6, 100e6, 1e9, 2.5e9, 5e9, 10e9, 25e9, 40e9, 100e9];
const ALL: std::ops::Range<f64> = 0.985..1.005;

/// What a queue drops of a full line is less.
const FEW: f64 = 0.01;

/// Runs that differ by more are not alike: the slow one is what is asked about.
const APART: f64 = 1.5;

impl Speed {
    /// Of the connection that a finding is about and those beside it, else of the slow one of several runs, else of those that
    /// carried most; `None` if none carried anything.
    pub fn of(view: &View, about: Option<&About>) -> Option<Speed> {
        let is_meant = |flow: &&Flow| about.is_some_and(|about| about.is(flow));
        let most = || view.flows.iter().max_by(|a, b| carried(a.seen.bytes).total_cmp(&carried(b.seen.bytes)));
        let flow = view.flows.iter().find(is_meant).or_else(|| slowest(view)).or_else(most)?;
        let goodput = flow.total.unwrap_or(0.0);
        if !(goodput > 0.0 && goodput.is_finite()) {
            return None;
        }
        let full = |line: &Known| goodput > FULL * line.value * flow.payload();
        // The speed of an interface can show that nothing is slow, and not that something is.
        let slow = flow.line.as_ref().and_then(|line| match (full(line), line.from.is_bound()) {
            (true, _) => Some(false),
            (false, false) => Some(true),
            (false, true) => None,
        });
        let from = flow.line.as_ref().map(|line| line.from.to_string());
        let lossless = flow.retransmitted().is_none_or(|again| again < FEW);
        let ethernet = ethernet(goodput, flow).filter(|_| slow.is_none() && lossless);
        let faster = fastest(view, flow);
        Some(Speed { goodput, link: flow.line.as_ref().map(|line| line.value), from, slow, ethernet, faster })
    }

    /// In a sentence.
    pub fn sentence(&self) -> String {
        let faster =
            self.faster.as_ref().map(|(goodput, place)| format!(" Another run gets {} ({place}).", rate(*goodput)));
        self.own() + &faster.unwrap_or_default()
    }

    fn own(&self) -> String {
        let goodput = rate(self.goodput);
        if let Some(ethernet) = self.ethernet {
            let carries = rate(ethernet);
            return format!("{goodput} is what Ethernet at {carries} carries. If the link is faster, pass --rate.");
        }
        match (self.slow, self.link) {
            (Some(true), Some(link)) => {
                format!("Slow: {goodput} is {} of the {} link.", share(self.goodput / link), rate(link))
            }
            (Some(false), Some(link)) => {
                format!("Not slow: {goodput} is {} of the {} link.", share(self.goodput / link), rate(link))
            }
            (_, Some(link)) => format!(
                "Is {goodput} slow? The interface runs at {}, but the path may be slower. Pass --rate with what it should carry.",
                rate(link)
            ),
            _ => format!("Is {goodput} slow? The link rate is unknown: pass --rate with what it should carry."),
        }
    }
}

/// The rate of the Ethernet that carries just this goodput of a connection and those beside it, bit/s.
pub fn ethernet(goodput: f64, flow: &Flow) -> Option<f64> {
    ETHERNET.into_iter().find(|rate| ALL.contains(&(goodput / (rate * flow.payload()))))
}

/// The slowest run of a listing, if another one is much faster.
fn slowest<'v, 'e>(view: &'v View<'e>) -> Option<&'v Flow<'e>> {
    let runs = view.flows.iter().filter(|flow| is_run(flow) && flow.total > Some(0.0));
    let rate = |flow: &Flow| flow.total.unwrap_or(f64::INFINITY);
    runs.min_by(|a, b| rate(a).total_cmp(&rate(b))).filter(|slow| fastest(view, slow).is_some())
}

/// The fastest run of the listings that stand in the same file as a much slower one.
fn fastest(view: &View, slow: &Flow) -> Option<(f64, Place)> {
    let own = &slow.seen.place;
    let is_another = |flow: &&Flow| flow.seen.place.file == own.file && flow.seen.place.line != own.line;
    let runs = view.flows.iter().filter(|flow| is_run(slow) && is_run(flow) && is_another(flow));
    let (goodput, place) =
        runs.filter_map(|flow| Some((flow.total?, &flow.seen.place))).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (goodput > APART * slow.total?).then(|| (goodput, place.clone()))
}

fn is_run(flow: &Flow) -> bool {
    flow.seen.source.starts_with("iperf")
}

fn carried(bytes: Option<f64>) -> f64 {
    bytes.filter(|bytes| bytes.is_finite()).unwrap_or(0.0)
}
