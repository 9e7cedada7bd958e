//! Keys that `[path]`, `[[links]]` and `backward` share: everything that a line does to packets.

use super::loss::{self, Loss, Outage};
use super::queue::{self, Queue};
use crate::key::{KeyTable, Leaf, Table, Whole, key, keys, value_of};
use crate::leaf::{MAX_QDISC_TIME, MIN_QDISC_TIME, MOST_QUEUED};
use crate::line_profile::{LINE_PROFILES, LineProfile};
use crate::section::Section;
use crate::takes::{
    Boolean, BoundedQuantity, DAY, Nested, Number, Or, QueueExtent, QueueSize, RATE, SHARE, Text, Words, either,
    nested, size, table_or_none, time,
};
use evidence::unit::{self, Wrong};
use plan::{Distribution, LengthEffect};
use toml::Spanned;

const BOTH_WAYS: &str = "both";
const FORWARD: &str = "forward";

keys! {
    /// Everything that a line does. [`crate::resolve`] decides which keys apply to both directions.
    #[derive(Default)]
    pub struct Line {
        rate: Nested<Pace> = key("rate", nested("8 bit/s to 100 Tbit/s, or a table [`trace`](#trace)", pace).or(|| Leaf::schema(&RATE)))
            .direction(BOTH_WAYS)
            .default("required")
            .meaning("our module: [the line](#the-line)");
        delays: Nested<Option<Follow>> = key("delays", nested("table [`trace`](#trace), or `\"none\"`", delays))
            .direction(BOTH_WAYS)
            .default("none")
            .meaning("our module: what a trace adds to the delay");
        buffer: QueueSize = key("buffer", QueueSize)
            .limit("; a frame at least")
            .direction(BOTH_WAYS)
            .default("required where [packets wait](#where-packets-wait)")
            .meaning("limit of the queue");
        queue: Nested<Queue> = key("queue", nested("a [discipline](#queue), or a table", queue::queue).or(queue::words))
            .direction(BOTH_WAYS)
            .default("drop-tail")
            .meaning("the qdisc in front of the line");
        overhead: BoundedQuantity = key("overhead", size(0, 256))
            .direction(BOTH_WAYS)
            .default("24 B")
            .meaning("our module: [the line](#the-line)");
        police: Nested<Option<Bucket>> = key("police", nested("table [`police`](#police), or `\"none\"`", police))
            .direction(FORWARD)
            .default("none")
            .meaning("`action police`");
        shape: Nested<Option<Shape>> = key("shape", nested("table [`shape`](#shape), or `\"none\"`", shape))
            .direction(FORWARD)
            .default("none")
            .meaning("`tbf`");
        lengths: Nested<Option<Lengths>> = key("lengths", nested("table [`lengths`](#lengths), or `\"none\"`", lengths))
            .direction(FORWARD)
            .default("none")
            .meaning("`basic match 'meta(pkt_len …)'`");
        loss: Nested<Loss> = key("loss", nested("0 to 100 %, or a table [`loss`](#loss)", loss::loss).or(|| Leaf::schema(&SHARE)))
            .direction(FORWARD)
            .default("0 %")
            .meaning("`netem loss random`");
        outages: Nested<Vec<Outage>> = key("outages", nested("list of [`outages`](#outages), or `[]`", loss::outages))
            .direction(BOTH_WAYS)
            .default("none")
            .meaning("`netem loss random 100%` while it lasts");
        corrupt: BoundedQuantity = key("corrupt", SHARE)
            .direction(FORWARD)
            .default("0 %")
            .meaning("[`netem corrupt`](#corrupt)");
        duplicate: BoundedQuantity =
            key("duplicate", SHARE).direction(FORWARD).default("0 %").meaning("`netem duplicate`");
        reorder: Nested<Option<Reorder>> = key("reorder", nested("table [`reorder`](#reorder), or `\"none\"`", reorder))
            .direction(FORWARD)
            .default("none")
            .meaning("`netem delay … reorder … gap 1`");
        jitter: Nested<Jitter> = key("jitter", nested("0 ns to 270 s, or a table [`jitter`](#jitter)", jitter).or(|| Leaf::schema(&VARIATION)))
            .direction(FORWARD)
            .default("0 ns")
            .meaning("second argument of `netem delay`");
        noise: Words<bool> = key("noise", Words(NOISES))
            .direction(BOTH_WAYS)
            .default("none")
            .meaning("[`jitter` and `loss`](#noise) where the line has none");
        aggregate: Nested<Option<Aggregate>> =
            key("aggregate", nested("table [`aggregate`](#aggregate), or `\"none\"`", aggregate))
                .direction(BOTH_WAYS)
                .default("none")
                .meaning("`netem slot`");
        changes: Nested<Vec<Change>> = key("changes", nested("list of [`changes`](#changes), or `[]`", changes))
            .direction("both; loss: forward")
            .default("none")
            .meaning("our module; `tc qdisc change`");
    }
}

/// Rate of a line.
#[derive(Debug, Clone)]
pub enum Pace {
    /// Constant rate, bit/s.
    Fixed(u64),
    /// Rate that follows a trace.
    Follows(Follow),
}

const TRACE_ENDS: &[(&str, bool)] = &[("repeat", true), ("hold", false)];
const UNUSED_OPPORTUNITIES: &[(&str, bool)] = &[("lost", false), ("kept", true)];

keys! {
    /// A trace or model that a line follows.
    pub struct Follow or None {
        trace: Text = key("trace", Text("the name of a file, from the experiment's folder"))
            .default("this or `profile` is required")
            .meaning("mahimahi's format, or CSV with a head");
        profile: Words<LineProfile> = key("profile", Words(LINE_PROFILES))
            .default("this or `trace` is required")
            .meaning("a [model](#line-profiles) in place of a file");
        end: Words<bool> = key("end", Words(TRACE_ENDS))
            .meaning("what follows its last row: its first one, or its last value for ever"), else true;
        unused: Words<bool> = key("unused", Words(UNUSED_OPPORTUNITIES))
            .limit(", of mahimahi's format")
            .meaning("what becomes of an opportunity that finds no packet"), else false;
        offset: Or<BoundedQuantity> = key("offset", Or("seed", time(0, DAY)))
            .meaning("where in it the trial begins; *seed* draws a place in it for each seed"), else Some(0);
    }
}

/// Reads a trace; exactly one of file and profile must be written.
fn follow(mut section: Section) -> Option<Follow> {
    let found = Follow::read(&mut section);
    match ["trace", "profile"].map(|key| section.has(key)) {
        [false, false] => {
            let wrong = Wrong::new(format!("{} has neither trace nor profile", section.name()));
            let hint = "add trace = \"lte.down\": the file to follow; or profile = \"lte-drive\": a model";
            section.lack_any(&["trace", "profile"], wrong.hint(hint));
        }
        [true, true] => {
            let wrong = Wrong::new(format!("{} has trace and profile", section.name()));
            section.reader().fault(section.place("profile"), wrong.hint("remove one of them"));
        }
        _ => {}
    }
    section.finish();
    found.filter(|follow| follow.trace.is_some() != follow.profile.is_some())
}

/// Reads a rate: a quantity or a trace.
fn pace(line: &mut Section, key: &'static str) -> Option<Spanned<Pace>> {
    either(line, key, |section| follow(section).map(Pace::Follows), |value| RATE.parse(value).map(Pace::Fixed))
}

fn delays(line: &mut Section, key: &'static str) -> Option<Spanned<Option<Follow>>> {
    table_or_none(line, key, follow, "{ trace = \"starlink.csv\" }")
}

/// Words of `noise`; true adds the noise of paths between clouds.
const NOISES: &[(&str, bool)] = &[("none", false), ("clouds", true)];

keys! {
    /// `reorder`
    pub struct Reorder or None {
        share: BoundedQuantity = key("share", SHARE)
            .required(|w| w.hint("add share = \"1 %\""))
            .meaning("of the packets"), required;
        by: QueueExtent = key("by", QueueExtent { sizes: false })
            .required(|w| w.hint("add by = \"5 ms\", or by = \"3 packets\""))
            .meaning("how far they are held back"), required;
    }
}

fn reorder(line: &mut Section, key: &'static str) -> Option<Spanned<Option<Reorder>>> {
    table_or_none(line, key, Reorder::whole, "{ share = \"1 %\", by = \"5 ms\" }")
}

const DISTRIBUTIONS: &[(&str, Distribution)] = &[
    ("normal", Distribution::Normal),
    ("uniform", Distribution::Uniform),
    ("pareto", Distribution::Pareto),
    ("paretonormal", Distribution::Paretonormal),
];

/// Range of a delay's variation.
const VARIATION: BoundedQuantity = time(0, MAX_QDISC_TIME);

keys! {
    /// `jitter`
    pub struct Jitter or None {
        by: BoundedQuantity = key("by", VARIATION)
            .limit(", at most the delay in its direction, which is at most 270 s then")
            .required(|w| w.hint("add by = \"1 ms\""))
            .meaning("standard deviation; of *uniform* half the width"), required;
        distribution: Words<Distribution> = key("distribution", Words(DISTRIBUTIONS))
            .meaning("of the delay"), else Distribution::Normal;
        reorder: Boolean = key("reorder", Boolean).meaning("whether packets may overtake"), else false;
    }
}

/// Reads `jitter`: a table, or only its extent.
fn jitter(line: &mut Section, key: &'static str) -> Option<Spanned<Jitter>> {
    let span = line.place(key);
    either(line, key, Jitter::whole, |value| {
        let by = Spanned::new(span.clone(), VARIATION.parse(value)?);
        Ok(Jitter { span, by, distribution: Distribution::Normal, reorder: false })
    })
}

/// The word `slow`; its rate is a key of its own.
const SLOW_EFFECT: LengthEffect = LengthEffect::Slow(0);
const EFFECTS: &[(&str, LengthEffect)] =
    &[("drop", LengthEffect::Drop), ("corrupt", LengthEffect::Corrupt), ("slow", SLOW_EFFECT)];

/// Length of an IPv4 packet, bytes.
const LENGTH: BoundedQuantity = size(1, 65535);

keys! {
    /// `lengths`
    pub struct Lengths or None {
        from: BoundedQuantity = key("from", LENGTH)
            .required(|w| w.hint("add from = \"2300 B\""))
            .meaning("the shortest packet that it affects"), required;
        to: BoundedQuantity = key("to", LENGTH)
            .limit(", `from` at least")
            .required(|w| w.hint("add to = \"2400 B\""))
            .meaning("the longest"), required;
        effect: Words<LengthEffect> = key("effect", Words(EFFECTS))
            .required(|w| w.accepted("drop, corrupt, slow").hint("add effect = \"drop\""))
            .meaning("what happens to them"), required;
        rate: BoundedQuantity = key("rate", RATE)
            .limit(", only with `\"slow\"`")
            .default("required with `\"slow\"`")
            .meaning("how fast they pass");
    }
}

impl Lengths {
    /// Returns the effect with its rate filled in.
    pub fn effect_at_rate(&self) -> LengthEffect {
        match *self.effect.get_ref() {
            SLOW_EFFECT => LengthEffect::Slow(value_of(&self.rate).unwrap_or(0)),
            effect => effect,
        }
    }
}

fn lengths(line: &mut Section, key: &'static str) -> Option<Spanned<Option<Lengths>>> {
    table_or_none(line, key, lengths_table, "{ from = \"2300 B\", to = \"2400 B\", effect = \"drop\" }")
}

fn lengths_table(mut section: Section) -> Option<Lengths> {
    let lengths = Lengths::read(&mut section);
    let is_slow = Lengths::effect().read(&mut section).map(|effect| *effect.get_ref() == SLOW_EFFECT);
    if is_slow == Some(true) && !section.has("rate") {
        section.lack("rate", |w| w.hint("add rate = \"1 Mbit/s\": how slowly these packets pass"));
    }
    if let (Some(false), Some(rate)) = (is_slow, Lengths::rate().read(&mut section)) {
        let wrong = Wrong::new(format!("{} has a rate, and nothing is slowed", section.name()));
        section.reader().fault(rate.span(), wrong.hint("remove rate, or write effect = \"slow\""));
    }
    if let Some(Lengths { from, to, .. }) = &lengths
        && from.get_ref() > to.get_ref()
    {
        let wrong = Wrong::new(format!("to {} is below from", section.reader().literal(to.span())));
        section.reader().fault(to.span(), wrong.hint("both ends of the range are in it; swap them"));
    }
    section.finish();
    lengths
}

/// Size of a token bucket, bytes.
const BURST: BoundedQuantity = size(1, MOST_QUEUED);

keys! {
    /// `police`
    pub struct Bucket or None {
        rate: BoundedQuantity = key("rate", RATE)
            .required(|w| w.hint("add rate = \"50 Mbit/s\""))
            .meaning("what passes for long"), required;
        burst: BoundedQuantity = key("burst", BURST)
            .limit(", at least the mtu")
            .required(|w| w.hint("add burst = \"64 kB\""))
            .meaning("what passes at once"), required;
    }
}

fn police(line: &mut Section, key: &'static str) -> Option<Spanned<Option<Bucket>>> {
    table_or_none(line, key, police_table, "{ rate = \"50 Mbit/s\", burst = \"64 kB\" }")
}

fn police_table(mut section: Section) -> Option<Bucket> {
    let bucket = Bucket::read(&mut section);
    if let Some(Bucket { rate, burst, .. }) = &bucket {
        let most = (u128::from(*rate.get_ref()) * u128::from(MAX_QDISC_TIME) / 8_000_000_000) as u64;
        if *burst.get_ref() > most {
            let wrong = Wrong::new(format!("burst {} is too large", section.reader().literal(burst.span())));
            let most = format!("at most {}: {} at its rate", unit::SIZE.show(most), unit::TIME.show(MAX_QDISC_TIME));
            section.reader().fault(burst.span(), wrong.accepted(most));
        }
    }
    section.finish();
    bucket
}

keys! {
    /// `shape`
    pub struct Shape or None {
        rate: BoundedQuantity = key("rate", RATE)
            .required(|w| w.hint("add rate = \"50 Mbit/s\""))
            .meaning("what passes for long"), required;
        burst: BoundedQuantity = key("burst", BURST)
            .limit(", at least a frame")
            .required(|w| w.hint("add burst = \"64 kB\""))
            .meaning("what passes at once"), required;
        buffer: QueueSize = key("buffer", QueueSize)
            .limit(" at the shaper's rate; a frame at least")
            .required(no_buffer)
            .meaning("what waits"), required;
    }
}

fn shape(line: &mut Section, key: &'static str) -> Option<Spanned<Option<Shape>>> {
    table_or_none(line, key, Shape::whole, "{ rate = \"50 Mbit/s\", burst = \"64 kB\", buffer = \"100 packets\" }")
}

/// Adds to an error that a queue has no default size.
pub fn no_buffer(wrong: Wrong) -> Wrong {
    wrong.note("a queue has no natural size, so there is no default").hint("add buffer = \"1 BDP\"")
}

/// Most bytes per release: netem counts them in a signed 32-bit number (get_slot in net/sched/sch_netem.c).
const RELEASED_MAX: u64 = i32::MAX as u64;

keys! {
    /// `aggregate`
    pub struct Aggregate or None {
        every: BoundedQuantity = key("every", time(MIN_QDISC_TIME, MAX_QDISC_TIME))
            .required(|w| w.hint("add every = \"5 ms\""))
            .meaning("from one release to the next"), required;
        packets: Number = key("packets", Number(1, 1_000_000))
            .default("no limit")
            .meaning("most packets per release");
        bytes: BoundedQuantity = key("bytes", size(1, RELEASED_MAX))
            .limit(", at least a frame")
            .default("no limit")
            .meaning("a release ends once it has sent this many");
    }
}

fn aggregate(line: &mut Section, key: &'static str) -> Option<Spanned<Option<Aggregate>>> {
    table_or_none(line, key, Aggregate::whole, "{ every = \"5 ms\", packets = 32 }")
}

keys! {
    /// An element of `changes`.
    pub struct Change or None {
        at: BoundedQuantity = key("at", time(0, DAY))
            .limit(", later than the one before")
            .required(|w| w.hint("add at = \"20 s\""))
            .meaning("when"), required;
        rate: BoundedQuantity = key("rate", RATE).default("unchanged").meaning("in both directions");
        delay: BoundedQuantity = key("delay", time(0, DAY)).default("unchanged").meaning("each way");
        rtt: BoundedQuantity = key("rtt", time(0, 2 * DAY))
            .limit(", only under `[path]`")
            .default("unchanged")
            .meaning("half each way, instead of `delay`");
        loss: BoundedQuantity = key("loss", SHARE).default("unchanged").meaning("forward");
    }
}

impl Change {
    /// Delay forward and backward, ns.
    pub fn delays(&self) -> Option<[u64; 2]> {
        value_of(&self.delay).map(|delay| [delay, delay]).or(value_of(&self.rtt).map(there_and_back_of))
    }
}

fn changes(line: &mut Section, key: &'static str) -> Option<Spanned<Vec<Change>>> {
    let span = line.has(key).then(|| line.place(key));
    // `[path]` has an `rtt`, so its changes may have one too.
    let of_path = line.name() == "[path]";
    let changes: Vec<_> = line.sections(key).into_iter().map(|section| change(section, of_path)).collect();
    change(line.nowhere(key), of_path);
    loss::is_in_order(line, changes.iter().filter_map(|(at, _)| at.as_ref()));
    let changes = changes.into_iter().filter_map(|(_, change)| change).collect();
    span.map(|span| Spanned::new(span, changes))
}

/// Reads a change. Its time is returned even if the rest of the change is invalid.
fn change(mut section: Section, of_path: bool) -> (Option<Spanned<u64>>, Option<Change>) {
    if !of_path {
        if section.has("rtt") {
            let wrong = Wrong::new(format!("{} has no key \"rtt\"", section.name()));
            section.reader().fault(section.place("rtt"), wrong.hint("write delay, which is each way"));
        }
        section.dismiss("rtt");
    }
    let (at, change) = (Change::at().read(&mut section), Change::read(&mut section));
    if let Some(Change { delay: Some(_), rtt: Some(rtt), .. }) = &change {
        let wrong = Wrong::new(format!("{} has both delay and rtt", section.name()));
        let wrong = wrong.note("delay is each way, rtt there and back");
        section.reader().fault(rtt.span(), wrong.hint("remove one of them"));
    }
    let keys = ["rate", "delay", "rtt", "loss"];
    if section.is_there() && !keys.iter().any(|key| section.has(key)) {
        let due = if of_path { "rate, rtt, delay, loss" } else { "rate, delay, loss" };
        section
            .fault(Wrong::new(format!("{} changes nothing", section.name())).accepted(format!("one or more of {due}")));
    }
    section.finish();
    (at, change)
}

/// Splits an RTT into its two directions.
pub fn there_and_back_of(rtt: u64) -> [u64; 2] {
    [rtt - rtt / 2, rtt / 2]
}

/// Tables of a line, for the reference.
pub fn tables() -> Vec<KeyTable> {
    let table = |heading, rows| KeyTable { heading, kind: None, rows };
    vec![
        KeyTable { kind: Some("discipline"), ..table("[path.queue]", Queue::rows()) },
        table("[path.rate]", Follow::rows()),
        table("[path.police]", Bucket::rows()),
        table("[path.shape]", Shape::rows()),
        table("[path.lengths]", Lengths::rows()),
        table("[path.loss]", loss::rows()),
        table("[[path.outages]]", Outage::rows()),
        table("[path.reorder]", Reorder::rows()),
        table("[path.jitter]", Jitter::rows()),
        table("[path.aggregate]", Aggregate::rows()),
        table("[[path.changes]]", Change::rows()),
    ]
}
