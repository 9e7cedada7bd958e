//! Finds a printed shaper whose rate matches that of a transfer.

use super::{RULE, busiest};
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::remedies;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::model::segment;
use crate::show::rate;
use evidence::{End, Evidence, Host, Interface, Place};

/// Shapers and the word before their rate: tc-tbf(8), tc-cake(8).
const SHAPERS: [(&str, &str); 2] = [("tbf", "rate"), ("cake", "bandwidth")];
/// Smallest share of a shaper's rate that is payload: full segments leave 0.94 of it, less ACKs and retransmissions.
pub(super) const MIN_SHAPER_PAYLOAD_SHARE: f64 = 0.85;

/// Units of tc: bit/s, bytes, seconds (iproute2, lib/utils.c and tc/tc_util.c).
const TC_RATES: [(&str, f64); 4] = [("bit", 1.0), ("Kbit", 1e3), ("Mbit", 1e6), ("Gbit", 1e9)];
const TC_SIZES: [(&str, f64); 3] = [("b", 1.0), ("Kb", 1024.0), ("Mb", 1024.0 * 1024.0)];
const TC_TIMES: [(&str, f64); 3] = [("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];

/// A shaper as `tc qdisc show` prints it.
struct Shaper<'a> {
    device: &'a Interface,
    /// Qdisc with its parameters.
    printed: &'a str,
    /// Line that prints it.
    place: &'a Place,
    /// Rate, bit/s.
    rate: f64,
}

/// Parses, for example, `tbf rate 50Mbit burst 16Kb lat 50ms`.
fn of_qdisc<'a>(device: &'a Interface, place: &'a Place, printed: &'a str) -> Option<Shaper<'a>> {
    let mut words = printed.split_whitespace();
    let kind = words.next()?;
    let (_, before) = SHAPERS.into_iter().find(|(name, _)| *name == kind)?;
    let rate = scaled(words.skip_while(|word| *word != before).nth(1)?, &TC_RATES)?;
    Some(Shaper { device, printed, place, rate })
}

/// Parses a figure as tc prints it (tc(8)): `50Mbit`.
fn scaled(printed: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, unit) = printed.split_at(printed.find(|c: char| c.is_ascii_alphabetic())?);
    let (_, size) = units.iter().find(|(name, _)| unit.eq_ignore_ascii_case(name))?;
    Some(number.parse::<f64>().ok()? * size)
}

/// Returns the slowest shaper of some hosts whose rate fits a total, bit/s.
fn at_rate<'e>(hosts: impl Iterator<Item = &'e Host>, total: f64) -> Option<Shaper<'e>> {
    let shapers = hosts.flat_map(|host| &host.interfaces).flat_map(|device| {
        let parts = device.qdisc.iter().flat_map(|qdisc| qdisc.split(" / "));
        parts.zip(&device.qdisc_places).filter_map(move |(printed, place)| of_qdisc(device, place, printed))
    });
    let fits = |shaper: &Shaper| (MIN_SHAPER_PAYLOAD_SHARE * shaper.rate..=shaper.rate).contains(&total);
    shapers.filter(fits).min_by(|a, b| a.rate.total_cmp(&b.rate))
}

/// A link that carries as much as a shaper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapedLine {
    /// Rate, bit/s.
    pub rate: f64,
    /// Full packets that its queue holds, if that is printed.
    pub queue: Option<f64>,
}

/// Returns the link that carries as much as the sender's shaper. A shaper counts Ethernet frames without what the wire
/// adds to them.
pub fn shaped_line(evidence: &Evidence, goodput: f64) -> Option<ShapedLine> {
    const FRAME: f64 = segment::FULL_SEGMENT + segment::FRAME_HEADERS;
    let senders = evidence.hosts.iter().filter(|host| host.may_be(End::Sender));
    let shaper = at_rate(senders, goodput)?;
    let queue = limit(&shaper).map(|bytes| (bytes / FRAME).floor()).filter(|packets| *packets >= 1.0);
    Some(ShapedLine { rate: shaper.rate * segment::FULL_FRAME / FRAME, queue })
}

/// Returns the bytes that a shaper's queue holds: tc prints `limit`, or `lat`, the time in which the rate drains what
/// the limit holds beyond the burst (iproute2, tc/q_tbf.c).
fn limit(shaper: &Shaper) -> Option<f64> {
    let value = |name: &str| shaper.printed.split_whitespace().skip_while(|word| *word != name).nth(1);
    let beyond = || Some(shaper.rate / 8.0 * scaled(value("lat")?, &TC_TIMES)? + scaled(value("burst")?, &TC_SIZES)?);
    value("limit").and_then(|limit| scaled(limit, &TC_SIZES)).or_else(beyond)
}

/// Finds a shaper at whose rate the largest transfer runs.
pub fn of_shaper(view: &View) -> Option<Finding> {
    let (flow, total) = busiest(view)?;
    let Shaper { device, printed, place, rate: cap } = at_rate(view.evidence.hosts.iter(), total)?;
    let says = format!(
        "Rate cap at {}: {} is shaped ({printed}), and {} of payload is what that leaves.",
        rate(cap),
        device.name,
        rate(total)
    );
    let lost = flow.expected().map_or(0.0, |line| (1.0 - total / line.value).max(0.0));
    let mut finding = Finding::problem(RULE.name, Confidence::High, lost, says)
        .at("rate of the shaper", rate(cap), place)
        .at("total goodput", rate(total), &flow.seen.place);
    // A policer explains no cap that its own host prints.
    finding.beside = true;
    let finding = super::with_losses(finding, flow)
        .ask(format!("tc qdisc show dev {}: who set it, and whether the rate is meant", device.name));
    Some(finding.of(flow).sized(Sizes::of(flow)).with_remedies(remedies::own_shaper(&device.name)))
}
