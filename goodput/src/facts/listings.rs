//! Facts from listings: what goodput has read of connections, pings and hosts, for a person to correct and add to.

use super::{Case, Fact, Facts, Key, Origin, Run, repeated};
use crate::formula::Interval;
use evidence::listing::Listing;
use evidence::{Connection, Evidence, Ping, Place};

/// Returns the facts of evidence: a run for each group of connections.
pub fn of_evidence(evidence: &Evidence) -> Case {
    let mut case = Case::default();
    path(evidence, &mut case.path);
    let all: Vec<&Connection> = evidence.connections.iter().chain(&evidence.sums).collect();
    for one in &all {
        let is_first = |other: &&&Connection| is_together(one, other);
        if all.iter().find(is_first).is_some_and(|first| std::ptr::eq(*first, *one)) {
            let group: Vec<&Connection> = all.iter().filter(is_first).copied().collect();
            case.runs.extend(run(&group, evidence, case.runs.len()));
        }
    }
    case
}

/// True for connections of one run that one end printed.
fn is_together(one: &Connection, other: &Connection) -> bool {
    one.place.file == other.place.file && one.group == other.group && one.seen == other.seen
}

/// Share of pings that are faster than what other traffic delays.
const IDLE_SHARE: f64 = 0.1;

fn path(evidence: &Evidence, facts: &mut Facts) {
    let of_ping = |ping: &Ping| {
        let mut rtts: Vec<f64> = ping.rtts.iter().copied().filter(|rtt| *rtt > 0.0).collect();
        rtts.sort_by(f64::total_cmp);
        let low = *rtts.first()?;
        let high = rtts[((rtts.len() as f64 * IDLE_SHARE) as usize).max(1).min(rtts.len() - 1)];
        Some((Interval::new(low, high), ping.place.clone()))
    };
    let of_connection = |one: &Connection| Some((Interval::exactly(one.rtt_base.or(one.rtt_min)?), one.place.clone()));
    let pinged = evidence.pings.iter().filter_map(of_ping).min_by(|a, b| a.0.low.total_cmp(&b.0.low));
    let least = || evidence.connections.iter().filter_map(of_connection).min_by(|a, b| a.0.low.total_cmp(&b.0.low));
    if let Some((rtt, place)) = pinged.or_else(least) {
        put(facts, "rtt", rtt, &place);
    }
    let traced = evidence.paths.iter().find_map(|path| Some((path.pmtu?, &path.place)));
    let sent = || evidence.connections.iter().find_map(|one| Some((one.pmtu? as u32, &one.place)));
    if let Some((mtu, place)) = traced.or_else(sent) {
        put(facts, "mtu", Interval::exactly(mtu.into()), place);
    }
    let rates = evidence.hosts.iter().flat_map(|host| &host.interfaces);
    let rates = rates.filter_map(|one| Some((one.rate.filter(|rate| *rate > 0.0)?, &one.place)));
    if let Some((rate, place)) = rates.min_by(|a, b| a.0.total_cmp(&b.0)) {
        put(facts, "rate", Interval::exactly(rate), place);
    }
}

fn run(group: &[&Connection], evidence: &Evidence, number: usize) -> Option<Run> {
    let first = *group.first()?;
    let mut facts = Facts::default();
    let place = &first.place;
    let sum = |of: fn(&Connection) -> Option<f64>| group.iter().map(|one| of(one)).sum::<Option<f64>>();
    let streams = group.len() as f64;
    put(&mut facts, "streams", Interval::exactly(streams), place);
    let listing = listing(evidence, place);
    if let Some(listing) = listing {
        facts.labels.insert("tool", format!("{:?}", listing.program).to_lowercase());
        if let Some(direction) = listing.direction {
            let direction = format!("{direction:?}").to_lowercase();
            facts.labels.insert("direction", direction);
        }
    }
    if let Some(congestion) = &first.congestion {
        facts.labels.insert("congestion", congestion.clone());
    }
    let numbers: &[(&str, Option<f64>)] = &[
        ("mss", first.mss),
        ("window", first.asked),
        ("duration", first.span.map(|[from, to]| to - from)),
        ("goodput", sum(|one| one.goodput)),
        ("retransmissions", sum(|one| one.retransmitted)),
    ];
    for (name, value) in numbers {
        if let Some(value) = value.filter(|value| value.is_finite() && *value >= 0.0) {
            put(&mut facts, name, Interval::exactly(value), place);
        }
    }
    let goodputs: Vec<f64> = group.iter().filter_map(|one| one.goodput).collect();
    let [low, high] = ends(&goodputs)?;
    if group.len() > 1 && low > 0.0 {
        put(&mut facts, "spread", Interval::exactly(high / low), place);
    }
    for (name, of) in
        [("cwnd", (|point| point.cwnd) as fn(&evidence::Point) -> Option<f64>), ("srtt", |point| point.srtt)]
    {
        // Slow start is over after the first quarter of what was seen.
        let values = group.iter().flat_map(|one| one.counted().iter().skip(one.counted().len() / 4).filter_map(of));
        let mut values: Vec<f64> = values.filter(|value| *value > 0.0).collect();
        values.sort_by(f64::total_cmp);
        if let [_, ..] = values[..] {
            let at = |share: usize| values[(values.len() - 1) * share / 4];
            put(&mut facts, name, Interval::new(at(1), at(3)), place);
        }
    }
    let name = format!("{}:{}", plain_name(place), place.line);
    Some(Run { name: if place.line == 0 { format!("run {}", number + 1) } else { name }, facts })
}

fn plain_name(place: &Place) -> String {
    let name = place.file.rsplit('/').next().unwrap_or_default();
    evidence::plain::line(name).into_owned()
}

fn listing<'e>(evidence: &'e Evidence, place: &Place) -> Option<&'e Listing> {
    let own = evidence.listings.iter().filter(|printed| printed.place.file == place.file);
    own.filter(|printed| printed.place.line <= place.line).next_back().map(|printed| &printed.listing)
}

fn ends(values: &[f64]) -> Option<[f64; 2]> {
    let low = values.iter().copied().reduce(f64::min)?;
    Some([low, values.iter().copied().reduce(f64::max)?])
}

/// Adds what a program printed, with its place. Its interval is that of repeated runs.
fn put(facts: &mut Facts, name: &str, interval: Interval, place: &Place) {
    let Some(key) = Key::find(name) else { return };
    let fact = Fact::new(key.kind(), interval, Origin::Measured);
    let fact = Fact { interval: repeated(key, interval), quote: Some(place.to_string()), ..fact };
    facts.numbers.insert(key.name, fact);
}
