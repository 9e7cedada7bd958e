//! A shaper of a host that is printed, at whose rate a transfer runs.

use super::{RULE, busiest};
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::remedies;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use crate::show::rate;
use evidence::Interface;

/// Shapers and the word before their rate: tc-tbf(8), tc-cake(8).
const SHAPERS: [(&str, &str); 2] = [("tbf", "rate"), ("cake", "bandwidth")];
/// Share of a shaper's rate that is payload, at least: full segments leave 0.94 of it, with a round trip of ACKs and retransmissions.
const MIN_SHAPER_PAYLOAD_SHARE: f64 = 0.85;

const TC_UNITS: [(&str, f64); 4] = [("bit", 1.0), ("Kbit", 1e3), ("Mbit", 1e6), ("Gbit", 1e9)];

/// A shaper as `tc qdisc show` prints it.
struct Shaper<'a> {
    device: &'a Interface,
    /// The qdisc with its parameters.
    printed: &'a str,
    /// bit/s
    rate: f64,
}

/// `tbf rate 50Mbit burst 16Kb lat 50ms`
fn of_qdisc<'a>(device: &'a Interface, printed: &'a str) -> Option<Shaper<'a>> {
    let mut words = printed.split_whitespace();
    let kind = words.next()?;
    let (_, before) = SHAPERS.into_iter().find(|(name, _)| *name == kind)?;
    let rate = bits(words.skip_while(|word| *word != before).nth(1)?)?;
    Some(Shaper { device, printed, rate })
}

/// A rate as tc prints it, bit/s (tc(8)): `50Mbit`.
fn bits(printed: &str) -> Option<f64> {
    let (number, unit) = printed.split_at(printed.find(|c: char| c.is_ascii_alphabetic())?);
    let (_, size) = TC_UNITS.into_iter().find(|(name, _)| unit.eq_ignore_ascii_case(name))?;
    Some(number.parse::<f64>().ok()? * size)
}

/// The transfer that carried most runs at the rate of a shaper.
pub fn of_shaper(view: &View) -> Option<Finding> {
    let (flow, total) = busiest(view)?;
    let devices = view.evidence.hosts.iter().flat_map(|host| &host.interfaces);
    let shapers = devices.flat_map(|device| {
        device.qdisc.iter().flat_map(|qdisc| qdisc.split(" / ")).filter_map(move |printed| of_qdisc(device, printed))
    });
    let fits = |shaper: &Shaper| (MIN_SHAPER_PAYLOAD_SHARE * shaper.rate..=shaper.rate).contains(&total);
    let Shaper { device, printed, rate: cap } = shapers.filter(fits).min_by(|a, b| a.rate.total_cmp(&b.rate))?;
    let says = format!(
        "Rate cap at {}: {} is shaped ({printed}), and {} of payload is what that leaves.",
        rate(cap),
        device.name,
        rate(total)
    );
    let lost = flow.expected().map_or(0.0, |line| (1.0 - total / line.value).max(0.0));
    let finding = Finding::problem(RULE.name, Confidence::High, lost, says)
        .at("rate of the shaper", rate(cap), &device.place)
        .at("total goodput", rate(total), &flow.seen.place)
        .ask(format!("tc qdisc show dev {}: who set it, and whether the rate is meant", device.name));
    Some(finding.of(flow).sized(Sizes::of(flow)).with_remedies(remedies::own_shaper(&device.name)))
}
