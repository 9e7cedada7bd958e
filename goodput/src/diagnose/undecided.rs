//! Where nothing was found that binds: what the evidence shows and rules out, and what is left.

use super::flow::Flow;
use super::losses::lossy;
use super::speed;
use super::view::View;
use crate::show::{self, share, time};
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
    /// Of the slow one of several runs, else of the connection that carried most.
    pub fn of(view: &View) -> Option<Undecided> {
        let most = || view.flows.iter().chain(&view.sums).max_by(|a, b| a.offered().total_cmp(&b.offered()));
        let most = speed::slowest(view).or_else(most)?;
        let lost = seen(view, most);
        // What is said to be seen is not left open.
        let limits = LIMITS.iter().filter(|(name, _)| lost.is_none() || *name != LOSS);
        let mut all = Undecided { seen: stands(most).or(lost.clone()).or_else(|| loses(most)), ..Undecided::default() };
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

/// Losses in so much of so many points, and a window that is no larger than this many times what random losses of that
/// share leave to Reno, whatever the path (Mathis et al., 1997).
const OFTEN: f64 = 0.8;
const COURSE: usize = 5;
const NEAR: f64 = 3.0;

/// A connection that loses packets all the time, few as they are, and whose window is as small as that makes it.
fn loses(flow: &Flow) -> Option<[String; 2]> {
    let points = flow.seen.points.get(1..).filter(|points| points.len() >= COURSE)?;
    let (share_lost, cwnd) = (flow.retransmitted()?, flow.cwnd?);
    let leaves = flow.mss * (1.5 / share_lost).sqrt();
    let seen = format!(
        "Segments are sent again in {} of {} intervals, {} of all, and cwnd is {} on the mean: random losses of that share \
         leave Reno {}, whatever the path.",
        points.iter().filter(|point| point.retransmitted > Some(0.0)).count(),
        points.len(),
        share(share_lost),
        show::bytes(cwnd),
        show::bytes(leaves)
    );
    let often = lossy(points) >= OFTEN && cwnd <= NEAR * leaves && flow.connections == 1;
    often.then(|| [seen, ALONE.into()])
}

/// What tells random losses of one connection from what drops above a rate.
const ALONE: &str = "the same with -P 8: random losses let eight connections carry eight times as much, a rate cap or a policer no \
                     more than one";

/// The same of several.
const TOGETHER: &str = "the same with -P 1: random losses leave one connection its share alone, a rate cap or a policer nearly the \
                        whole sum";

/// Segments of a connection and those beside it that were sent again, if they are many.
fn seen(view: &View, flow: &Flow) -> Option<[String; 2]> {
    let members: Vec<&Flow> = view.group(flow).collect();
    let of = if members.is_empty() { vec![flow] } else { members.clone() };
    let sum = |count: fn(&Flow) -> Option<f64>| of.iter().map(|flow| count(flow)).sum::<Option<f64>>();
    let (again, segments) = (sum(|flow| flow.seen.retransmitted)?, sum(|flow| flow.segments)?);
    let part = again / (segments + again);
    let (on, test) = match members.len() {
        1 => (String::new(), ALONE),
        0 => (" on all connections".into(), TOGETHER),
        n => (format!(" on {n} connections"), TOGETHER),
    };
    (part >= MANY)
        .then(|| [format!("{} of the segments are sent again{on}: something drops them.", share(part)), test.into()])
}
