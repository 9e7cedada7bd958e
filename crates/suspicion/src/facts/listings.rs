//! Facts from listings: what goodput has read of connections, pings and hosts, for a person to correct and add to.

use super::{Case, Fact, Facts, HEADER_BYTES, Key, MAX_RUNS, Origin, Run, repeated};
use crate::formula::{Interval, Kind};
use base::model::segment;
use evidence::listing::{Counts, Direction, Listing, Program, Protocol, Reading};
use evidence::{CONGESTION_SETTINGS, Connection, Evidence, Ping, Place, Printed, Seen, Sweep};

/// Returns the facts of evidence: a run for each group of connections, each UDP run and the lengths that decide a sweep.
pub fn of_evidence(evidence: &Evidence) -> Case {
    let mut case = Case::default();
    path(evidence, &mut case.path);
    let all: Vec<&Connection> = evidence.connections.iter().chain(&evidence.sums).collect();
    for one in all.iter().filter(|one| !is_seen_by_the_sender(one, evidence)) {
        let is_one = |other: &&&Connection| is_together(one, other);
        if all.iter().find(is_one).is_some_and(|first| std::ptr::eq(*first, *one)) {
            let group: Vec<&Connection> = all.iter().filter(is_one).copied().collect();
            case.runs.extend(run(&group, evidence));
        }
    }
    case.runs.extend(evidence.listings.iter().filter_map(udp_run));
    case.runs.extend(evidence.sweeps.iter().flat_map(lengths));
    case.runs.truncate(MAX_RUNS);
    name(&mut case.runs, evidence);
    case
}

/// True for connections of one run, of one direction, that one end printed.
fn is_together(one: &Connection, other: &Connection) -> bool {
    one.place.file == other.place.file && one.group == other.group && one.seen == other.seen
}

/// True for what the receiver printed of a run whose sender's listing is there as well.
fn is_seen_by_the_sender(one: &Connection, evidence: &Evidence) -> bool {
    let is_same = |printed: &&Printed| printed.place == one.place;
    let other_end =
        evidence.listings.iter().find(is_same).and_then(|printed| evidence.listings.get(printed.other_end?));
    let is_sender =
        |other: &Connection| other_end.is_some_and(|end| end.place == other.place) && other.seen == Seen::Sender;
    one.seen == Seen::Receiver && evidence.connections.iter().any(is_sender)
}

/// Gives each run the line and, if there are several, the file where it begins; a run of a sweep keeps its length.
fn name(runs: &mut [Run], evidence: &Evidence) {
    let has_one_file = evidence.files().len() < 2;
    for at in 0..runs.len() {
        let place = std::mem::take(&mut runs[at].name);
        let mut name = match place.rsplit_once(':') {
            Some((_, line)) if has_one_file => format!("line {line}"),
            _ => place,
        };
        if let Some(direction) = runs[at].facts.label("direction").filter(|_| is_taken(&runs[..at], &name)) {
            name = format!("{name} {direction}");
        }
        let first = name.clone();
        for number in 2.. {
            if !is_taken(&runs[..at], &name) {
                break;
            }
            name = format!("{first} ({number})");
        }
        runs[at].name = name;
    }
}

fn is_taken(runs: &[Run], name: &str) -> bool {
    runs.iter().any(|run| run.name == name)
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

fn run(group: &[&Connection], evidence: &Evidence) -> Option<Run> {
    let first = *group.first()?;
    let mut facts = Facts::default();
    let place = &first.place;
    let sum = |of: fn(&Connection) -> Option<f64>| group.iter().map(|one| of(one)).sum::<Option<f64>>();
    let listing = listing(evidence, place);
    let is_a_sum = group.iter().any(|one| evidence.sums.iter().any(|sum| std::ptr::eq(sum, *one)));
    let streams = if is_a_sum { listing.map_or(1, |listing| listing.streams.len()) } else { group.len() };
    put(&mut facts, "streams", Interval::exactly(streams.max(1) as f64), place);
    if let Some(listing) = listing {
        facts.labels.insert("tool", tool(listing));
    }
    match first.addresses() {
        Some(ends) => put_ends(&mut facts, ends.map(|end| end.to_string())),
        None => put_direction(&mut facts, listing.and_then(|listing| listing.direction)),
    }
    let congestion = first.congestion.as_ref().or(listing.and_then(|listing| listing.congestion.as_ref()));
    if let Some(congestion) = congestion.or(congestion_set(evidence, place)) {
        facts.labels.insert("congestion", congestion.clone());
    }
    let numbers: &[(&str, Option<f64>)] = &[
        ("mss", first.mss),
        ("window", first.asked),
        ("write", listing.and_then(block)),
        ("duration", first.span.map(|[from, to]| to - from)),
        ("goodput", sum(|one| one.goodput)),
        ("retransmissions", sum(|one| one.retransmitted)),
    ];
    for (name, value) in numbers {
        if let Some(value) =
            value.filter(|value| value.is_finite() && *value >= 0.0 && (*value > 0.0 || *name != "mss"))
        {
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
    if let Some([early, late]) = early_and_late(group) {
        put(&mut facts, "early", Interval::exactly(early), place);
        put(&mut facts, "late", Interval::exactly(late), place);
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
    Some(Run { name: place_of(place), facts })
}

/// Returns the congestion control that was set before a run in its file.
fn congestion_set<'e>(evidence: &'e Evidence, run: &Place) -> Option<&'e String> {
    let set = evidence.hosts.iter().flat_map(|host| CONGESTION_SETTINGS.map(|key| host.set_before(key, run)));
    set.flatten().max_by_key(|setting| setting.place.line).map(|setting| &setting.value)
}

/// Returns the bytes of each write: of the command, or those of iperf3 if it has no -l.
fn block(listing: &Listing) -> Option<f64> {
    let usual = || (listing.program == Program::Iperf3 && listing.command.is_some()).then_some(segment::IPERF3_WRITE);
    listing.block.map(|block| block as f64).or_else(usual)
}

/// Seconds of a run below which its first second is not told from the rest.
const MIN_SECONDS: f64 = 4.0;

/// Ratio of the first second to the rest, either way, from which they are two figures.
const EARLY_FACTOR: f64 = 1.5;

/// Returns the goodput of the first second and of the rest, bit/s, if they are far apart and the sender's program does
/// not run ahead of what arrives.
fn early_and_late(group: &[&Connection]) -> Option<[f64; 2]> {
    let [mut early, mut late] = [0.0; 2];
    for one in group {
        let ([start, end], points) = (one.span?, one.counted());
        let first = points.iter().find(|point| point.bytes.is_some())?;
        let (length, total) = (first.time - start, end - start);
        if !(0.5..=1.5).contains(&length) || total < MIN_SECONDS || one.omitted > 0.0 {
            return None;
        }
        let rest: f64 = points.iter().filter(|point| point.time > first.time).filter_map(|point| point.bytes).sum();
        early += first.bytes? * 8.0 / length;
        late += rest * 8.0 / (total - length);
    }
    let is_apart = early > EARLY_FACTOR * late || late > EARLY_FACTOR * early;
    (is_apart && late > 0.0).then_some([early, late])
}

/// Returns a run over UDP.
fn udp_run(printed: &Printed) -> Option<Run> {
    let (listing, place) = (&printed.listing, &printed.place);
    let is_total = |counts: &&Counts| counts.sender.is_some() || counts.receiver.is_some();
    // A run of one stream prints no sum.
    let of_streams = listing.streams.iter().map(|stream| &stream.counts);
    let counts = std::iter::once(&listing.sum).chain(of_streams).find(is_total)?;
    if listing.protocol != Some(Protocol::Udp) || printed.other_end.is_some() && counts.receiver.is_none() {
        return None;
    }
    let mut facts = Facts::default();
    facts.labels.insert("tool", tool(listing));
    match &listing.hosts {
        Some([own, other]) => {
            let sender_first = listing.direction != Some(Direction::Backward);
            let ends = if sender_first { [own, other] } else { [other, own] };
            put_ends(&mut facts, ends.map(|end| evidence::plain::line(end).into_owned()));
        }
        None => put_direction(&mut facts, listing.direction),
    }
    let streams = listing.streams.len().max(1) as f64;
    put(&mut facts, "streams", Interval::exactly(streams), place);
    let whole = counts.receiver.or(counts.sender)?;
    let sent = counts.sender.and_then(|sender| sender.rate).map(|rate| rate.value);
    let offered = listing.target.map(|target| target * streams).or(sent);
    let lost = counts.receiver.and_then(|period| Some((period.lost? as f64, period.datagrams? as f64)));
    let numbers = [
        ("offered", offered),
        ("datagram", listing.block.map(|block| block as f64)),
        ("duration", Some(whole.end.value - whole.start.value)),
        ("goodput", whole.rate.map(|rate| rate.value)),
        ("lost", lost.filter(|(_, all)| *all > 0.0).map(|(lost, all)| lost / all)),
    ];
    for (name, value) in numbers {
        if let Some(value) = value.filter(|value| value.is_finite() && *value >= 0.0) {
            put(&mut facts, name, Interval::exactly(value), place);
        }
    }
    facts.has("goodput").then(|| Run { name: place_of(place), facts })
}

/// Ratio of neighbouring points of a sweep from which the length between them decides.
const EDGE_RATIO: f64 = 2.0;

/// Returns the runs of a sweep on both sides of its edges, or its slowest and fastest.
fn lengths(sweep: &Sweep) -> Vec<Run> {
    let points = &sweep.points;
    let is_edge = |pair: &&[(f64, f64)]| {
        let [slow, fast] = [pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1)];
        fast > EDGE_RATIO * slow
    };
    let mut chosen: Vec<(f64, f64)> = points.windows(2).filter(is_edge).flatten().copied().collect();
    if chosen.is_empty() {
        let by_rate = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        chosen.extend(points.iter().min_by(by_rate).into_iter().chain(points.iter().max_by(by_rate)));
    }
    chosen.dedup();
    let run = |(length, rate): (f64, f64)| {
        let mut facts = Facts::default();
        let payload = if sweep.mss { length } else { length - HEADER_BYTES };
        put(&mut facts, "mss", Interval::exactly(payload.max(1.0)), &sweep.place);
        put(&mut facts, "goodput", Interval::exactly(rate), &sweep.place);
        let option = if sweep.mss { "-M" } else { "length" };
        Run { name: format!("{option} {length}"), facts }
    };
    chosen.into_iter().map(run).collect()
}

fn tool(listing: &Listing) -> String {
    format!("{:?}", listing.program).to_lowercase()
}

/// Adds the two hosts, in one order for both directions, and the one that sends.
fn put_ends(facts: &mut Facts, [sender, receiver]: [String; 2]) {
    facts.labels.insert("direction", format!("from {sender}"));
    let mut both = [sender, receiver];
    both.sort();
    facts.labels.insert("ends", both.join(" and "));
}

fn put_direction(facts: &mut Facts, direction: Option<Direction>) {
    let word = match direction {
        Some(Direction::Forward) => "from the client",
        Some(Direction::Backward) => "from the server",
        None => return,
    };
    facts.labels.insert("direction", word.to_owned());
}

/// Returns file and line, from which names of runs are made.
fn place_of(place: &Place) -> String {
    format!("{}:{}", plain_name(place), place.line)
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
