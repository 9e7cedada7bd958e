//! Facts from listings: what goodput has read of connections, pings and hosts, for a person to correct and add to.

use super::{Case, Fact, Facts, Key, Origin, Run, repeated};
use crate::formula::{Interval, Kind};
use evidence::listing::{Listing, Reading};
use evidence::{Connection, Evidence, Ping, Place, Printed};

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
    if !facts.has("mss")
        && let Some(mss) = listing.and_then(|listing| one_mss(&cwnds(listing)))
    {
        let quote = format!("{place}: the one MSS that all figures of Cwnd are multiples of");
        let fact = Fact { quote: Some(quote), ..Fact::new(Kind::Size, mss, Origin::Derived) };
        facts.numbers.insert("mss", fact);
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
    let is_own = |printed: &&Printed| printed.place.file == place.file && printed.place.line <= place.line;
    evidence.listings.iter().rfind(is_own).map(|printed| &printed.listing)
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

fn cwnds(listing: &Listing) -> Vec<Reading> {
    let periods = listing.streams.iter().flat_map(|stream| &stream.counts.intervals);
    periods.filter_map(|period| period.cwnd).filter(|cwnd| cwnd.value > 0.0).collect()
}

/// Bounds of an MSS: what every host takes (RFC 9293, 3.7.1), and a jumbo frame's.
const MIN_MSS: u32 = 536;
const MAX_MSS: u32 = 9_216;

/// Figures from which a common divisor says something.
const MIN_FIGURES: usize = 4;

/// Share by which the values of an MSS may differ that all fit.
const ONE_MSS_SHARE: f64 = 0.01;

/// Returns the largest MSS of which all figures of a cwnd, as printed, are multiples: Linux counts cwnd in segments.
/// `None` if others fit that are no fraction of it.
fn one_mss(figures: &[Reading]) -> Option<Interval> {
    let is_multiple = |figure: &Reading, mss: f64| {
        let segments = (figure.value / mss).round().max(1.0);
        (figure.value - segments * mss).abs() <= figure.half_width
    };
    let fits = |mss: &u32| figures.iter().all(|figure| is_multiple(figure, f64::from(*mss)));
    let all: Vec<u32> = (MIN_MSS..=MAX_MSS).rev().filter(fits).collect();
    let high = *all.first().filter(|_| figures.len() >= MIN_FIGURES)?;
    let together = all.iter().zip(0..).take_while(|(mss, below)| **mss + below == high).count();
    let mss = Interval::new(f64::from(all[together - 1]), f64::from(high));
    let is_fraction = |other: &u32| {
        let times = (mss.high / f64::from(*other)).round();
        (mss.high / f64::from(*other) / times - 1.0).abs() < ONE_MSS_SHARE
    };
    let is_one = mss.low >= mss.high * (1.0 - ONE_MSS_SHARE) && all[together..].iter().all(is_fraction);
    is_one.then_some(mss)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures as iperf3 prints them: three digits of KBytes of 1024 B.
    fn printed(segments: &[u32], mss: u32) -> Vec<Reading> {
        let figure = |segments: &u32| {
            let kilobytes = f64::from(segments * mss) / 1024.0;
            let step = if kilobytes < 9.995 {
                0.01
            } else if kilobytes < 99.95 {
                0.1
            } else {
                1.0
            };
            Reading { value: (kilobytes / step).round() * step * 1024.0, half_width: step * 512.0 + 1e-6 }
        };
        segments.iter().map(figure).collect()
    }

    #[test]
    fn figures_of_cwnd_have_one_mss() {
        let jumbo = one_mss(&printed(&[1, 2, 3, 5, 7, 8, 10, 11, 20, 31], 8948)).unwrap();
        assert!(jumbo.low <= 8948.0 && jumbo.high >= 8948.0 && jumbo.high < 8960.0, "{jumbo:?}");
        let usual = one_mss(&printed(&[1, 2, 3, 5, 7, 10, 11, 13], 1448)).unwrap();
        assert!(usual.low <= 1448.0 && usual.high >= 1448.0 && usual.high < 1460.0, "{usual:?}");
        // A window of a thousand segments, to three digits, is a multiple of anything.
        assert_eq!(one_mss(&printed(&[1000, 1100, 1207, 1301], 1448)), None);
        assert_eq!(one_mss(&printed(&[10, 11], 1448)), None);
    }
}
