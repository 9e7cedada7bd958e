//! Compares a window or buffer stated in prose with the goodput stated there.

use super::finding::{Confidence, Finding};
use super::view::View;
use base::show::{bytes, rate, time};
use evidence::{Place, Quantity};
use std::ops::RangeInclusive;

/// Goodput over the rate that a stated window allows if the window explains it: headers, delayed ACKs and rounding.
const WINDOW_EXPLAINS_RATIO: RangeInclusive<f64> = 0.75..=1.25;
/// The same ratio for a send buffer: Linux doubles a requested one, and a segment takes up to twice its payload.
const BUFFER_EXPLAINS_RATIO: RangeInclusive<f64> = 0.5..=2.0;

/// Returns the stated value of a quantity, if it is unique.
fn stated<'a>(view: &View<'a>, what: Quantity) -> Option<(f64, &'a Place)> {
    let mut all = view.evidence.said.iter().filter(|said| said.what == what);
    let first = all.next()?;
    all.all(|other| other.value == first.value).then_some((first.value, &first.place))
}

/// Returns a rule's finding if no listing shows more and the stated size over the stated RTT matches the stated
/// goodput.
pub fn explained(view: &View, rule: &'static str, cost: f64, what: Quantity) -> Option<Finding> {
    let (size, rtt, goodput) = (stated(view, what)?, stated(view, Quantity::Rtt)?, stated(view, Quantity::Goodput)?);
    let most = size.0 * 8.0 / rtt.0;
    let (name, key, explains) = match what {
        Quantity::SendBuffer => ("Send-buffer limited", "send buffer", BUFFER_EXPLAINS_RATIO),
        _ => ("Receive-window limited", "window", WINDOW_EXPLAINS_RATIO),
    };
    if !view.flows.is_empty() || !explains.contains(&(goodput.0 / most)) {
        return None;
    }
    let says = format!(
        "{name}: {} / {} = {} at most, by the figures of the text; it gets {}.",
        bytes(size.0),
        time(rtt.0),
        rate(most),
        rate(goodput.0)
    );
    let finding = Finding::problem(rule, Confidence::Medium, cost, says)
        .at(key, bytes(size.0), size.1)
        .at("RTT", time(rtt.0), rtt.1)
        .at("goodput", rate(goodput.0), goodput.1)
        .ask("ss -tinm dst HOST at the sender while it runs: rwnd_limited or sndbuf_limited settles it");
    Some(finding)
}
