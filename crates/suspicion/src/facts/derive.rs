//! Facts that arithmetic gives, and facts that contradict one another.

use super::{Case, Fact, HEADER_BYTES, Key, Origin, Run};
use crate::formula::{Interval, Kind};

/// Segments lost in one event, at most: a full queue or a radio drops a burst. From a count of segments sent again,
/// the number of events is this much less certain.
const MAX_SEGMENTS_PER_EVENT: f64 = 30.0;

/// Payload of a segment where none is stated, bytes: an MTU of 1500 less 52 of headers.
const USUAL_MSS: f64 = 1448.0;

/// Share of a socket buffer that becomes window, from and to: Linux announces half to all of what -w asks for, and
/// doubles it first (net/core/sock.c, sock_setsockopt).
const WINDOW_SHARES: Interval = Interval { low: 0.5, high: 2.2 };

/// Adds the facts that follow from others. Returns a sentence for each of them.
pub fn derive(case: &mut Case) -> Vec<String> {
    let mut sentences = vec![];
    for at in 0..case.runs.len() {
        sentences.extend(goodput_of_a_run(case, at));
        sentences.extend(retransmitted_of_a_run(case, at));
    }
    sentences.extend(least_mtu(case));
    sentences.extend(one_rtt(case));
    sentences.extend(one_window(case));
    sentences
}

fn add(case: &mut Case, at: usize, name: &'static str, interval: Interval, quote: String) {
    let kind = Key::kind_of(name);
    let fact = Fact { quote: Some(quote), ..Fact::new(kind, interval, Origin::Derived) };
    case.runs[at].facts.numbers.insert(name, fact);
}

/// Figures of a sum that people round, either way: 22 MB are 21 to 23.
const ROUNDED_FACTOR: f64 = 1.05;

fn goodput_of_a_run(case: &mut Case, at: usize) -> Option<String> {
    let run = &case.runs[at];
    if Case::speed(run).is_some() {
        return None;
    }
    let (bytes, time) = (run.facts.number("transferred")?, run.facts.number("duration")?);
    let rounded = Interval::around(1.0, ROUNDED_FACTOR);
    let goodput = bytes * Interval::exactly(8.0) / time * rounded;
    let [bytes, time] = [Kind::Size.show(bytes), Kind::Time.show(time)];
    let sentence = format!("{}: {bytes} in {time} are {}", run.name, Kind::Rate.show(goodput));
    add(case, at, "goodput", goodput, format!("{bytes} in {time}"));
    Some(sentence)
}

fn retransmitted_of_a_run(case: &mut Case, at: usize) -> Option<String> {
    let run = &case.runs[at];
    if run.facts.number("retransmitted").is_some() {
        return None;
    }
    let (again, goodput) = (run.facts.number("retransmissions")?, Case::speed(run)?);
    let time = run.facts.number("duration")?;
    let mss = case.number(run, "mss").map_or(USUAL_MSS, Interval::middle);
    let sent = goodput * time / Interval::exactly(8.0 * mss);
    let counted = if again.high == 0.0 { Interval::exactly(0.0) } else { likely_counts(again) };
    let share = counted / sent;
    let share = Interval { low: share.low.min(1.0), high: share.high.min(1.0) };
    let show = Kind::Share.show(share);
    let name = run.name.clone();
    let events = (again.high / MAX_SEGMENTS_PER_EVENT).ceil().max(1.0);
    let sentence = format!(
        "{name}: {} segments sent again, as few as {} events: {show}",
        Kind::Count.show(again),
        Kind::Count.show(Interval::exactly(events))
    );
    add(case, at, "retransmitted", share, "segments sent again of those that the goodput needs".into());
    Some(sentence)
}

/// Returns the counts of another run that are likely: 2 standard deviations of a Poisson count of events, each of up to
/// [`MAX_SEGMENTS_PER_EVENT`].
fn likely_counts(again: Interval) -> Interval {
    let events = (again.middle() / MAX_SEGMENTS_PER_EVENT).max(1.0);
    let spread = 2.0 * events.sqrt();
    let factors = Interval::new(((events - spread) / events).max(0.1), (events + spread) / events);
    again * factors
}

/// The usual MTU of jumbo frames, bytes.
const JUMBO_MTU: f64 = 9_000.0;

/// Derives that the path takes what a sweep over segments reaches: lengths above the usual MTU that differ in speed are
/// sent as such.
fn least_mtu(case: &mut Case) -> Option<String> {
    if case.path.number("mtu").is_some() {
        return None;
    }
    let of_run = |run: &Run| Some((run.facts.number("mss")?.middle(), Case::speed(run)?));
    let above: Vec<(f64, Interval)> = case.runs.iter().filter_map(of_run).filter(|(mss, _)| *mss > USUAL_MSS).collect();
    let differ = above.iter().any(|(_, a)| above.iter().any(|(_, b)| !a.meets(*b)));
    let longest = above.iter().map(|(mss, _)| *mss).fold(0.0, f64::max) + HEADER_BYTES;
    if !differ {
        return None;
    }
    let mtu = Interval::new(longest, JUMBO_MTU.max(longest));
    let quote = "segments of these lengths differ in speed, so they are sent as such";
    let fact = Fact { quote: Some(quote.into()), ..Fact::new(Kind::Size, mtu, Origin::Derived) };
    case.path.numbers.insert("mtu", fact);
    Some(format!("segments above {USUAL_MSS} B differ in speed, so the path takes packets of {longest} B"))
}

/// Returns the one RTT with which every window gives its goodput.
fn one_rtt(case: &mut Case) -> Option<String> {
    if case.path.number("rtt").is_some() {
        return None;
    }
    let rtt_of = |run: &Run| {
        let (window, goodput) = (run.facts.number("window")?, Case::speed(run)?);
        let streams = Interval::exactly(case.streams(run));
        Some((window.low, window * WINDOW_SHARES * Interval::exactly(8.0) * streams / goodput))
    };
    let of_runs: Vec<(f64, Interval)> = case.runs.iter().filter_map(rtt_of).collect();
    let windows: std::collections::BTreeSet<u64> = of_runs.iter().map(|(window, _)| *window as u64).collect();
    if windows.len() < 2 {
        return None;
    }
    let rtt = of_runs.iter().map(|(_, rtt)| *rtt).try_fold(Interval::ANY, |all, rtt| all.within(rtt))?;
    let quote = "the one RTT that all windows fit";
    let fact = Fact { quote: Some(quote.into()), ..Fact::new(Kind::Time, rtt, Origin::Derived) };
    case.path.numbers.insert("rtt", fact);
    Some(format!("all {} windows fit one RTT of {}", windows.len(), Kind::Time.show(rtt)))
}

/// Returns a sentence on the one window that gives every run over different RTTs its goodput.
fn one_window(case: &Case) -> Option<String> {
    let of_run = |run: &Run| {
        let (rtt, goodput) = (case.number(run, "rtt")?, Case::speed(run)?);
        Some((rtt, goodput * rtt / Interval::exactly(8.0 * case.streams(run))))
    };
    let of_runs: Vec<(Interval, Interval)> = case.runs.iter().filter_map(of_run).collect();
    let is_apart = of_runs.iter().any(|(a, _)| of_runs.iter().any(|(b, _)| !a.meets(*b)));
    if !is_apart {
        return None;
    }
    let window = of_runs.iter().map(|(_, window)| *window).try_fold(Interval::ANY, |all, own| all.within(own))?;
    Some(format!("one window of {} gives every run its goodput", Kind::Size.show(window)))
}

/// Returns a sentence for each contradiction among the facts.
pub fn contradictions(case: &Case) -> Vec<String> {
    let of_run = |run: &Run| {
        let of_run = RULES.iter().filter_map(|rule| rule(case, run));
        of_run.map(|what| format!("{}: {what}", run.name)).collect::<Vec<_>>()
    };
    let mut all: Vec<String> = case.runs.iter().flat_map(of_run).collect();
    all.dedup();
    all
}

type Rule = fn(&Case, &Run) -> Option<String>;

const RULES: &[Rule] = &[
    |case, run| {
        let (goodput, rate) = (Case::speed(run)?, case.number(run, "rate")?);
        let show = |value| Kind::Rate.show(value);
        (goodput.low > rate.high)
            .then(|| format!("goodput of {} is more than the path's rate of {}", show(goodput), show(rate)))
    },
    |case, run| {
        let rtt = case.number(run, "rtt")?;
        let loaded = ["srtt", "ping"].into_iter().find_map(|name| Some((name, run.facts.number(name)?)));
        let (name, loaded) = loaded?;
        (loaded.high < rtt.low).then(|| {
            let [loaded, rtt] = [loaded, rtt].map(|time| Kind::Time.show(time));
            format!("an idle RTT of {rtt} is stated, but {name} shows {loaded} under load")
        })
    },
    |case, run| {
        let (mss, mtu) = (run.facts.number("mss")?, case.number(run, "mtu")?);
        /// Headers of IPv4 and TCP, bytes: an MSS is at least this much below the MTU (RFC 9293, 3.7.1).
        const HEADERS: f64 = 40.0;
        (mss.low > mtu.high - HEADERS)
            .then(|| format!("an MSS of {} does not fit an MTU of {}", Kind::Size.exact(mss), Kind::Size.exact(mtu)))
    },
    |_, run| {
        let (goodput, early, late) =
            (run.facts.number("goodput")?, run.facts.number("early")?, run.facts.number("late")?);
        (!goodput.meets(early.hull(late))).then(|| {
            let [goodput, early, late] = [goodput, early, late].map(|rate| Kind::Rate.show(rate));
            format!("goodput of {goodput} is not between {early} at first and {late} later")
        })
    },
    |case, run| {
        let (cwnd, rtt, goodput) = (run.facts.number("cwnd")?, case.number(run, "rtt")?, Case::speed(run)?);
        let most = cwnd * Interval::exactly(8.0 * case.streams(run)) / rtt;
        /// A printed cwnd is of one moment: the mean is at most this many times the largest that is stated.
        const MOMENT_FACTOR: f64 = 2.0;
        (goodput.low > most.high * MOMENT_FACTOR).then(|| {
            let [cwnd, rtt] = [Kind::Size.show(cwnd), Kind::Time.show(rtt)];
            format!(
                "a cwnd of {cwnd} at an RTT of {rtt} carries {} at most, not {}",
                Kind::Rate.show(Interval::exactly(most.high)),
                Kind::Rate.show(goodput)
            )
        })
    },
    |_, run| {
        let (bytes, time, goodput) =
            (run.facts.number("transferred")?, run.facts.number("duration")?, run.facts.number("goodput")?);
        let carried = bytes * Interval::exactly(8.0) / time * Interval::around(1.0, ROUNDED_FACTOR);
        (!carried.meets(goodput)).then(|| {
            let [carried, goodput] = [carried, goodput].map(|rate| Kind::Rate.show(rate));
            format!("{} in {} are {carried}, but {goodput} is stated", Kind::Size.show(bytes), Kind::Time.show(time))
        })
    },
];
