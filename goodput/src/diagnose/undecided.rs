//! Where nothing was found that binds: what the evidence shows and rules out, and what is left.

use super::flow::Flow;
use super::view::View;
use crate::show::{self, share, time};
use evidence::Printed;
use evidence::listing::{Counts, Period, Protocol, Stream};
use serde::Serialize;

/// Limits by what the evidence says of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Undecided {
    /// What was counted and has some cause, with the test that tells causes apart.
    pub seen: Option<[String; 2]>,
    /// What does not bind.
    pub ruled_out: Vec<&'static str>,
    /// What may.
    pub left: Vec<&'static str>,
}

/// A limit that held for less of the time than this does not bind.
const SELDOM: f64 = 0.05;

/// Seconds without data that no single timeout explains, in so many points.
const STANDS: f64 = 3.0;
const SEVERAL: usize = 3;

/// Segments sent again that are not to be passed over: Reno's cwnd is below 12 of them.
const MANY: f64 = 0.01;

/// A limit, and whether it may bind; `None` if nothing tells.
type Limit = (&'static str, fn(&Flow) -> Option<bool>);

const LOSS: &str = "loss";

const LIMITS: &[Limit] = &[
    (LOSS, |flow| Some(flow.seen.retransmitted? > 0.0)),
    ("ECN marks", |flow| Some(flow.seen.marked? > 0.0)),
    ("a standing queue", |flow| Some(flow.is_raised(0.0)? || flow.is_queue_of_window())),
    ("the receive window", |flow| {
        let counted = flow.seen.limits.map(|limits| limits.rwnd > SELDOM);
        counted.or_else(|| Some(flow.seen.goodput? * flow.base()? / 8.0 > 0.5 * flow.seen.window?.largest))
    }),
    ("the send buffer", |flow| Some(flow.seen.limits?.sndbuf > SELDOM)),
    // On one screen, shares are of the time that it was busy.
    ("the application", |flow| Some(flow.seen.limits.filter(|_| flow.seen.screen.is_none())?.busy < 1.0 - SELDOM)),
    ("the CPU", |flow| {
        let used = flow.seen.processors.into_iter().flatten().reduce(f64::max)?;
        Some(used > 0.8)
    }),
    ("the path MTU", |flow| Some(flow.seen.bytes? < 100.0 * flow.mss || flow.longest_silence()? > 1.5)),
];

impl Undecided {
    /// Of the connection that carried most.
    pub fn of(view: &View) -> Option<Undecided> {
        let Some(most) = view.flows.iter().max_by(|a, b| a.offered().total_cmp(&b.offered())) else {
            let seen = view.evidence.listings.iter().find_map(datagrams).or_else(|| idle(view));
            return seen.map(|seen| Undecided { seen: Some(seen), ..Undecided::default() });
        };
        let lost = seen(view, most);
        // What is said to be seen is not left open.
        let limits = LIMITS.iter().filter(|(name, _)| lost.is_none() || *name != LOSS);
        let mut all = Undecided { seen: stands(most).or(lost.clone()), ..Undecided::default() };
        for (name, may_bind) in limits {
            match may_bind(most) {
                Some(false) => all.ruled_out.push(name),
                _ => all.left.push(name),
            }
        }
        Some(all)
    }
}

/// A connection that stands still and does not retransmit; an RTO sends again within seconds (RFC 6298, 5.5).
fn stands(flow: &Flow) -> Option<[String; 2]> {
    let silence = flow.longest_silence().filter(|silence| *silence > STANDS)?;
    let silent = || flow.seen.points.iter().filter(|point| point.bytes == Some(0.0));
    let again: f64 = silent().map(|point| point.retransmitted).sum::<Option<f64>>()?;
    let seen = format!(
        "Nothing arrives for {} and nothing is sent again meanwhile. What is lost is sent again, so the sender has nothing \
         to send, or may not.",
        time(silence)
    );
    let test = "ss -tinm dst HOST at the sender while it stands still: no snd_wnd is a closed receive window, an empty Send-Q an \
                application that waits, unacked data a path that is down";
    (again == 0.0 && silent().count() >= SEVERAL).then(|| [seen, test.into()])
}

/// Connections of which one screen of `ss` shows nothing to send.
fn idle(view: &View) -> Option<[String; 2]> {
    let idle = view.evidence.connections.iter().filter(|seen| seen.idle).count();
    let seen = "Nothing is outstanding and nothing waits to be sent (app_limited, Send-Q 0): the program has no more to send at that \
                moment.";
    (idle > 0).then(|| [seen.to_owned(), "ss -tinm dst HOST every second while it transfers".to_owned()])
}

/// Datagrams of UDP that did not arrive: nothing adapts their rate to the path.
fn datagrams(run: &Printed) -> Option<[String; 2]> {
    let listing = Some(&run.listing).filter(|listing| listing.protocol == Some(Protocol::Udp))?;
    let counted = |period: &Period| Some([period.lost? as f64, period.datagrams? as f64]);
    let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
    let of_stream = |stream: &Stream| {
        let Counts { sender, receiver, intervals } = &stream.counts;
        let whole = [receiver, sender].into_iter().flatten().find_map(counted);
        whole.or_else(|| intervals.iter().filter_map(counted).reduce(add))
    };
    let [lost, sent] = listing.streams.iter().filter_map(of_stream).reduce(add)?;
    let seen = format!(
        "{} of {} datagrams of UDP are lost ({}, {}).",
        show::count(lost),
        show::count(sent),
        share(lost / sent),
        run.place
    );
    let test = "iperf3 -c HOST -u -b RATE at lower rates: if all arrives below some rate, that is what the path or the receiver takes; if \
                the same share is lost at any rate, something drops datagrams";
    (lost > 0.0 && sent > 0.0).then(|| [seen, test.into()])
}

/// Segments of a connection and those beside it that were sent again, if they are many.
fn seen(view: &View, flow: &Flow) -> Option<[String; 2]> {
    let sum = |of: fn(&Flow) -> Option<f64>| view.group(flow).map(of).sum::<Option<f64>>();
    let (again, segments) = (sum(|flow| flow.seen.retransmitted)?, sum(|flow| flow.segments)?);
    let part = again / (segments + again);
    let (on, test) = match view.group(flow).count() {
        1 => (
            String::new(),
            "the same with -P 8: random losses let eight connections carry eight times as much, a rate cap or a policer no more than one",
        ),
        n => (
            format!(" on {n} connections"),
            "the same with -P 1: random losses leave one connection its share alone, a rate cap or a policer nearly the whole sum",
        ),
    };
    (part >= MANY)
        .then(|| [format!("{} of the segments are sent again{on}: something drops them.", share(part)), test.into()])
}
