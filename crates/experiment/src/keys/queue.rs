//! Key `queue`: a discipline's name, or a table with the name and its parameters.

use crate::key::{Leaf, Table, Whole, check_kinds, key, keys};
use crate::leaf::{MAX_QDISC_TIME, MIN_QDISC_TIME, MOST_QUEUED};
use crate::section::Section;
use crate::takes::{Boolean, BoundedQuantity, Number, QueueExtent, SHARE, Words, either, gain, share, size, time};
use crate::value::Value;
use base::suggest::suggest;
use evidence::unit::{self, Wrong};
use toml::Spanned;

/// The name of a queue discipline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discipline {
    DropTail,
    Red,
    Codel,
    FqCodel,
    Pie,
    Cake,
    Fq,
    /// CoDel's ECN marks only.
    Threshold,
    DualPi2,
}

const DISCIPLINES: &[(&str, Discipline)] = &[
    ("drop-tail", Discipline::DropTail),
    ("red", Discipline::Red),
    ("codel", Discipline::Codel),
    ("fq_codel", Discipline::FqCodel),
    ("pie", Discipline::Pie),
    ("cake", Discipline::Cake),
    ("fq", Discipline::Fq),
    ("threshold", Discipline::Threshold),
    ("dualpi2", Discipline::DualPi2),
];

const TARGET_DISCIPLINES: &[&str] = &["codel", "fq_codel", "pie", "dualpi2"];
const DUALPI2: &[&str] = &["dualpi2"];
const OVERLOADS: &[(&str, bool)] = &[("drop", true), ("overflow", false)];
const DROPS: &[(&str, bool)] = &[("dequeue", false), ("enqueue", true)];
const LOW_LATENCY: &[(&str, bool)] = &[("ect1", false), ("any-ect", true)];
/// Disciplines with a `ce_threshold` in tc.
const CE_THRESHOLD_DISCIPLINES: &[&str] = &["codel", "fq_codel", "fq"];
const MARKED_CODEPOINTS: &[(&str, bool)] = &[("any-ect", false), ("ect1", true)];
const MARKING_DISCIPLINES: &[&str] = &["red", "codel", "fq_codel", "pie"];
/// Range of times: tc counts them in us, in 32 bits.
const TIME: BoundedQuantity = time(MIN_QDISC_TIME, MAX_QDISC_TIME);
const QUEUED: BoundedQuantity = size(1, MOST_QUEUED);

keys! {
    /// `queue`: the discipline and its parameters.
    pub struct Queue or None {
        discipline: Words<Discipline> = key("discipline", Words(DISCIPLINES))
            .required(|w| w.hint("add discipline = \"codel\"")), required;
        min: BoundedQuantity = key("min", QUEUED)
            .kinds(&["red"])
            .limit(", below `max`")
            .default("a sixth of the buffer")
            .meaning("mean queue length at which dropping or marking starts");
        max: BoundedQuantity = key("max", QUEUED)
            .kinds(&["red"])
            .limit(", within the buffer")
            .default("half of the buffer")
            .meaning("mean queue length at which `probability` is reached");
        probability: BoundedQuantity = key("probability", share(1, unit::ONE))
            .kinds(&["red"])
            .meaning("probability of a drop or mark at `max`"),
            else unit::ONE / 10;
        target: BoundedQuantity =
            key("target", TIME).kinds(TARGET_DISCIPLINES).default("5 ms; pie, dualpi2 15 ms").meaning("target queueing delay");
        interval: BoundedQuantity = key("interval", TIME)
            .kinds(TARGET_DISCIPLINES)
            .limit("; dualpi2 4 s at most")
            .default("100 ms; pie 15 ms, dualpi2 16 ms")
            .meaning("codel and fq_codel: how long the target may be exceeded; pie and dualpi2: time between updates");
        rtt: BoundedQuantity = key("rtt", TIME).kinds(&["cake"]).meaning("RTT that cake is tuned for"), else 100_000_000;
        ecn: Boolean = key("ecn", Boolean)
            .kinds(MARKING_DISCIPLINES)
            .default("false; fq_codel true")
            .meaning("mark ECN-capable packets instead of dropping them");
        above: QueueExtent = key("above", QueueExtent { sizes: true })
            .kinds(&["threshold"])
            .required(|w| w.hint("add above = \"1 ms\""))
            .meaning(
                "mark ECN-capable packets that waited longer; packets (full-size) and bytes are converted to time at \
                 the link rate, at most 270 s",
            );
        mark_above: QueueExtent = key("mark-above", QueueExtent { sizes: true })
            .kinds(CE_THRESHOLD_DISCIPLINES)
            .default("off")
            .meaning("mark ECN-capable packets that waited longer, whatever else the discipline does (`ce_threshold`)");
        mark_only: Words<bool> = key("mark-only", Words(MARKED_CODEPOINTS))
            .kinds(&["fq_codel"])
            .meaning("which packets `mark-above` marks (`ce_threshold_selector`)"), else false;
        alpha: BoundedQuantity = key("alpha", gain())
            .kinds(DUALPI2)
            .limit(", rounded to 1/256 Hz")
            .default("0.16 Hz")
            .meaning("integral gain of the PI controller");
        beta: BoundedQuantity = key("beta", gain())
            .kinds(DUALPI2)
            .limit(", rounded to 1/256 Hz")
            .default("3.2 Hz")
            .meaning("proportional gain");
        step: QueueExtent = key("step", QueueExtent { sizes: false })
            .kinds(DUALPI2)
            .limit("; 4 s at most")
            .default("1 ms")
            .meaning("from this wait or length on each packet of the L queue is marked (`step_thresh`)");
        coupling: Number = key("coupling", Number(1, 255))
            .kinds(DUALPI2)
            .meaning("k: the L queue is marked with k times the probability whose square the C queue has (RFC 9332)"),
            else 2;
        protection: BoundedQuantity = key("protection", SHARE)
            .kinds(DUALPI2)
            .limit(", whole per cent")
            .default("10 %")
            .meaning("the C queue's share of the scheduler while both wait (`classic_protection`)");
        overload: Words<bool> = key("overload", Words(OVERLOADS))
            .kinds(DUALPI2)
            .meaning("what happens once the L queue's probability would pass 100 %"), else true;
        drop_at: Words<bool> = key("drop-at", Words(DROPS))
            .kinds(DUALPI2)
            .meaning("where packets are dropped or marked"), else false;
        low_latency: Words<bool> = key("low-latency", Words(LOW_LATENCY))
            .kinds(DUALPI2)
            .meaning("which packets go to the L queue, beside those with CE (`l4s_ect`, `any_ect`)"), else false;
    }
}

/// Returns the schema of a discipline's name.
pub fn words() -> serde_json::Value {
    Leaf::schema(&Words(DISCIPLINES))
}

/// Reads the queue discipline; `None` if it is not written.
pub fn queue(line: &mut Section, key: &'static str) -> Option<Spanned<Queue>> {
    let span = line.place(key);
    either(line, key, table, |value| {
        let discipline = Spanned::new(span.clone(), word(value)?);
        Ok(Queue {
            span,
            discipline,
            min: None,
            max: None,
            probability: unit::ONE / 10,
            target: None,
            interval: None,
            rtt: 100_000_000,
            ecn: None,
            above: None,
            mark_above: None,
            mark_only: false,
            alpha: None,
            beta: None,
            step: None,
            coupling: 2,
            protection: None,
            overload: true,
            drop_at: false,
            low_latency: false,
        })
    })
}

fn word(value: &Value) -> Result<Discipline, Wrong> {
    let names = || DISCIPLINES.iter().map(|(name, _)| *name);
    let Some(name) = value.toml.as_str() else {
        let names = names().collect::<Vec<_>>().join(", ");
        return Err(
            value.is_not(&format!("{names}; or a table such as {{ discipline = \"codel\", target = \"5 ms\" }}"))
        );
    };
    match DISCIPLINES.iter().find(|(known, _)| *known == name) {
        None => Err(suggest(Wrong::new("is unknown"), name, names())),
        Some((_, Discipline::Threshold)) => Err(Wrong::new("has no above")
            .note("it marks packets that wait longer than a time, and there is no usual one")
            .hint("write { discipline = \"threshold\", above = \"1 ms\" }")),
        Some((_, discipline)) => Ok(*discipline),
    }
}

fn table(mut section: Section) -> Option<Queue> {
    let found = Queue::discipline().read(&mut section);
    // Without a known discipline, nobody can tell which keys are wrong.
    if let Some((name, _)) = found.and_then(|found| DISCIPLINES.iter().find(|known| known.1 == *found.get_ref())) {
        check_kinds(&mut section, "a queue", ["discipline", name], true, &Queue::keys());
    }
    Queue::whole(section)
}
