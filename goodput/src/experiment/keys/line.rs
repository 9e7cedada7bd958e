//! The keys that `[path]` and `[[links]]` share: what a packet meets on a line.

use super::{RATES, TIMES, either, inner, loss, queue};
use crate::experiment::leaf;
use crate::experiment::section::Section;
use crate::experiment::written::{Aggregate, Bucket, Buffer, Change, Jitter, Lengths, Line, Reorder};
use crate::plan::{Distribution, LengthEffect};
use evidence::unit::{self, Wrong};
use toml::Spanned;

/// How the delay of a line is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delay {
    /// As the round-trip time, or for one change each way.
    RoundTrip,
    OneWay,
}

/// Reads all keys of a line but those that say how fast, how far and how deep it is: `rate`, `delay`, `buffer`.
pub fn line(section: &mut Section, delay: Delay) -> Line {
    let overhead = section.optional("overhead", leaf::quantity(&unit::SIZE, 0..=256));
    let share = leaf::quantity(&unit::RATIO, 0..=unit::ONE);
    Line {
        rate: None,
        delay: None,
        buffer: None,
        overhead: inner(overhead),
        queue: queue::queue(section),
        loss: loss::loss(section),
        outages: loss::outages(section),
        corrupt: inner(section.optional("corrupt", &share)),
        duplicate: inner(section.optional("duplicate", &share)),
        reorder: inner(either(section, "reorder", reorder, leaf::none("{ share = \"1 %\", by = \"5 ms\" }"))),
        jitter: jitter(section),
        lengths: inner(either(section, "lengths", lengths, leaf::none(LENGTHS))),
        police: inner(either(section, "police", police, leaf::none("{ rate = \"50 Mbit/s\", burst = \"64 kB\" }"))),
        shape: inner(either(section, "shape", shape, leaf::none(SHAPE))),
        aggregate: inner(either(section, "aggregate", aggregate, leaf::none("{ every = \"5 ms\", packets = 32 }"))),
        changes: changes(section, delay),
    }
}

const LENGTHS: &str = "{ from = \"2300 B\", to = \"2400 B\", effect = \"drop\" }";
const SHAPE: &str = "{ rate = \"50 Mbit/s\", burst = \"64 kB\", buffer = \"100 packets\" }";

fn reorder(mut section: Section) -> Option<Option<Reorder>> {
    let share = leaf::quantity(&unit::RATIO, 0..=unit::ONE);
    let share = section.required("share", |w| w.hint("add share = \"1 %\""), share);
    let by = section.required("by", |w| w.hint("add by = \"5 ms\", or by = \"3 packets\""), leaf::extent(false));
    section.finish();
    Some(Some(Reorder { share: share?.into_inner(), by: by? }))
}

fn jitter(line: &mut Section) -> Option<Spanned<Jitter>> {
    let time = leaf::quantity(&unit::TIME, 0..=leaf::LONGEST);
    let alone = |by| Jitter { by, distribution: None, reorder: None };
    either(line, "jitter", jitter_table, |value| time(value).map(alone))
}

fn jitter_table(mut section: Section) -> Option<Jitter> {
    const DISTRIBUTIONS: &[(&str, Distribution)] = &[
        ("normal", Distribution::Normal),
        ("uniform", Distribution::Uniform),
        ("pareto", Distribution::Pareto),
        ("paretonormal", Distribution::Paretonormal),
    ];
    let time = leaf::quantity(&unit::TIME, 0..=leaf::LONGEST);
    let by = section.required("by", |w| w.hint("add by = \"1 ms\""), time);
    let distribution = section.optional("distribution", leaf::word(DISTRIBUTIONS));
    let reorder = section.optional("reorder", leaf::boolean);
    section.finish();
    Some(Jitter { by: by?.into_inner(), distribution: inner(distribution), reorder: inner(reorder) })
}

fn lengths(mut section: Section) -> Option<Option<Lengths>> {
    /// A rate is written beside it.
    const SLOW: LengthEffect = LengthEffect::Slow(0);
    const EFFECTS: &[(&str, LengthEffect)] =
        &[("drop", LengthEffect::Drop), ("corrupt", LengthEffect::Corrupt), ("slow", SLOW)];
    let size = leaf::quantity(&unit::SIZE, 1..=65535);
    let from = section.required("from", |w| w.hint("add from = \"2300 B\""), &size);
    let to = section.required("to", |w| w.hint("add to = \"2400 B\""), &size);
    let hint = |wrong: Wrong| wrong.accepted("drop, corrupt, slow").hint("add effect = \"drop\"");
    let effect = section.required("effect", hint, leaf::word(EFFECTS));
    let rate = section.optional("rate", leaf::quantity(&unit::RATE, RATES));
    let effect = match (inner(effect), rate) {
        (Some(SLOW), None) if !section.has("rate") => {
            section.lack("rate", |w| w.hint("add rate = \"1 Mbit/s\": how slowly these packets pass"));
            None
        }
        (Some(SLOW), rate) => rate.map(|rate| LengthEffect::Slow(rate.into_inner())),
        (Some(_), Some(rate)) => {
            let wrong = Wrong::new(format!("{} has a rate, and nothing is slowed", section.name()));
            section.reader().fault(rate.span(), wrong.hint("remove rate, or write effect = \"slow\""));
            None
        }
        (effect, _) => effect,
    };
    if let (Some(from), Some(to)) = (&from, &to)
        && from.get_ref() > to.get_ref()
    {
        let wrong = Wrong::new(format!("to {} is below from", section.reader().literal(to.span())));
        section.reader().fault(to.span(), wrong.hint("both ends of the range are in it; swap them"));
    }
    section.finish();
    Some(Some(Lengths { from: from?.into_inner(), to: to?.into_inner(), effect: effect? }))
}

fn bucket(section: &mut Section) -> Option<Bucket> {
    let rate = section.required("rate", |w| w.hint("add rate = \"50 Mbit/s\""), leaf::quantity(&unit::RATE, RATES));
    let size = leaf::quantity(&unit::SIZE, 1..=leaf::MOST_QUEUED);
    let burst = section.required("burst", |w| w.hint("add burst = \"64 kB\""), size);
    Some(Bucket { rate: rate?.into_inner(), burst: burst? })
}

fn police(mut section: Section) -> Option<Option<Bucket>> {
    let bucket = bucket(&mut section);
    if let Some(Bucket { rate, burst }) = &bucket {
        let most = (u128::from(*rate) * u128::from(leaf::LONGEST) / 8_000_000_000) as u64;
        if *burst.get_ref() > most {
            let wrong = Wrong::new(format!("burst {} is too large", section.reader().literal(burst.span())));
            let most = format!("at most {}: {} at its rate", unit::SIZE.show(most), unit::TIME.show(leaf::LONGEST));
            section.reader().fault(burst.span(), wrong.accepted(most));
        }
    }
    section.finish();
    bucket.map(Some)
}

fn shape(mut section: Section) -> Option<Option<(Bucket, Spanned<Buffer>)>> {
    let bucket = bucket(&mut section);
    let buffer = section.required("buffer", no_buffer, leaf::buffer);
    section.finish();
    Some(Some((bucket?, buffer?)))
}

/// What is wrong with a queue of no size.
pub fn no_buffer(wrong: Wrong) -> Wrong {
    wrong.note("a queue has no natural size, so there is no default").hint("add buffer = \"1 BDP\"")
}

/// netem counts them in a signed 32-bit number (get_slot in net/sched/sch_netem.c).
const MOST_RELEASED: u64 = i32::MAX as u64;

fn aggregate(mut section: Section) -> Option<Option<Aggregate>> {
    let every = leaf::quantity(&unit::TIME, leaf::SHORTEST..=leaf::LONGEST);
    let every = section.required("every", |w| w.hint("add every = \"5 ms\""), every);
    let packets = section.optional("packets", leaf::integer(1..=1_000_000));
    let bytes = section.optional("bytes", leaf::quantity(&unit::SIZE, 1..=MOST_RELEASED));
    section.finish();
    Some(Some(Aggregate { every: every?.into_inner(), packets: inner(packets), bytes }))
}

fn changes(line: &mut Section, delay: Delay) -> Option<Vec<Change>> {
    let is_written = line.has("changes");
    let changes: Vec<_> = line.sections("changes").into_iter().map(|section| change(section, delay)).collect();
    change(line.nowhere("changes"), delay);
    loss::is_in_order(line, changes.iter().filter_map(|(at, _)| at.as_ref()));
    is_written.then(|| changes.into_iter().map(|(_, change)| change).collect())
}

/// A change and when it is; at 0 if that is not known.
fn change(mut section: Section, delay: Delay) -> (Option<Spanned<u64>>, Change) {
    let at = section.required("at", |w| w.hint("add at = \"20 s\""), leaf::quantity(&unit::TIME, TIMES));
    let rate = section.optional("rate", leaf::quantity(&unit::RATE, RATES));
    let one_way = section.optional("delay", leaf::quantity(&unit::TIME, 0..=super::DAY));
    let there_and_back = match delay {
        Delay::RoundTrip => section.optional("rtt", leaf::quantity(&unit::TIME, 0..=2 * super::DAY)),
        Delay::OneWay => None,
    };
    let loss = section.optional("loss", leaf::quantity(&unit::RATIO, 0..=unit::ONE));
    if let (Some(_), Some(rtt)) = (&one_way, &there_and_back) {
        let wrong = Wrong::new(format!("{} has both delay and rtt", section.name()));
        section
            .reader()
            .fault(rtt.span(), wrong.note("delay is each way, rtt there and back").hint("remove one of them"));
    }
    let keys = ["rate", "delay", "rtt", "loss"];
    if section.is_there() && !keys.iter().any(|key| section.has(key)) {
        let due = if delay == Delay::RoundTrip { "rate, rtt, delay, loss" } else { "rate, delay, loss" };
        section
            .fault(Wrong::new(format!("{} changes nothing", section.name())).accepted(format!("one or more of {due}")));
    }
    section.finish();
    let delay = inner(one_way).map(|delay| [delay, delay]).or(inner(there_and_back).map(there_and_back_of));
    let time = at.as_ref().map_or(0, |at| *at.get_ref());
    (at, Change { at: time, rate: inner(rate), delay, loss })
}

/// Both directions of a round trip.
pub fn there_and_back_of(rtt: u64) -> [u64; 2] {
    [rtt - rtt / 2, rtt / 2]
}
