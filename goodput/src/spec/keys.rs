//! The keys of each section: what they are called, what they take and which must be there.

use super::leaf;
use super::reader::{Reader, Section, Value, suggest};
use super::written::{At, Axis, Expect, Experiment, Flow, Host, Hosts, Loss, Path, Published, Record, Repeat, Setup};
use crate::measure::{MEASURES, Measure, find};
use crate::plan::End;
use crate::unit::{self, Wrong};
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::DeTable;

const DAY: u64 = 86_400_000_000_000;
/// tbf counts in bytes per second.
const RATES: RangeInclusive<u64> = 8..=100_000_000_000_000;
const TIMES: RangeInclusive<u64> = 0..=DAY;
const SOME_TIME: RangeInclusive<u64> = 1..=DAY;

/// Reads all of a document but what [`setup`] reads.
pub fn experiment<'a>(reader: &'a Reader<'a>, document: &'a Spanned<DeTable<'a>>) -> Experiment {
    let mut root = reader.root(document);
    root.leave(&["title", "question", "kernel", "path", "hosts", "flows"]);
    root.leave(&["vary", "repeat", "record", "expect", "published"]);
    let title = root.required("title", |w| w.hint("add title = \"What the report is called\""), leaf::text);
    let experiment = Experiment {
        title: inner(title).unwrap_or_default(),
        question: inner(root.optional("question", leaf::prose)),
        kernel: inner(root.optional("kernel", leaf::text)),
        vary: vary(root.section("vary")),
        repeat: repeat(root.section("repeat")),
        expect: root.sections("expect").into_iter().filter_map(expect).collect(),
        published: root.sections("published").into_iter().filter_map(published).collect(),
    };
    root.finish();
    experiment
}

/// Reads the sections of a document that may vary; `None` if they cannot stand for a set-up.
pub fn setup<'a>(reader: &'a Reader<'a>, document: &'a Spanned<DeTable<'a>>) -> Option<Setup> {
    let mut root = reader.root(document);
    if !root.has("path") {
        root.fault(Wrong::new("the experiment has no [path]").hint("add [path] with rate, rtt and buffer"));
    }
    let path = path(root.section("path"));
    let hosts = hosts(root.section("hosts"));
    let flows = flows(&mut root);
    let record = record(root.section("record"));
    Some(Setup { path: path?, hosts, flows: flows?, record })
}

fn path(mut section: Section) -> Option<Path> {
    let rate = section.required("rate", |w| w.hint("add rate = \"1 Gbit/s\""), leaf::quantity(&unit::RATE, RATES));
    let rtt = section.required("rtt", |w| w.hint("add rtt = \"50 ms\""), leaf::quantity(&unit::TIME, SOME_TIME));
    let no_buffer =
        |wrong: Wrong| wrong.note("a queue has no natural size, so there is no default").hint("add buffer = \"1 BDP\"");
    let buffer = section.required("buffer", no_buffer, leaf::buffer);
    let loss = loss(&mut section);
    let mtu = section.optional("mtu", leaf::quantity(&unit::SIZE, 576..=65535));
    let overhead = section.optional("overhead", leaf::quantity(&unit::SIZE, 0..=256));
    section.finish();
    Some(Path { rate: rate?, rtt: rtt?, buffer: buffer?, loss, mtu: inner(mtu), overhead: inner(overhead) })
}

fn loss(path: &mut Section) -> Option<Loss> {
    if !path.holds_table("loss") {
        let random = path.optional("loss", leaf::quantity(&unit::RATIO, 0..=unit::ONE));
        return random.map(|share| Loss::Random(share.into_inner()));
    }
    let mut section = path.section("loss");
    /// The counter of tc's gact is 16 bits wide (tc_gact_p's pval in linux/tc_act/tc_gact.h).
    const COUNTS: RangeInclusive<u64> = 2..=65535;
    let every = section.required("every", |w| w.hint("write { every = 1000 }"), leaf::integer(COUNTS));
    section.finish();
    every.map(|n| Loss::Every(n.into_inner()))
}

fn hosts(mut section: Section) -> Hosts {
    let sender = section.section("sender");
    let receiver = section.section("receiver");
    let hosts = Hosts { both: host(&mut section), sender: alone(sender), receiver: alone(receiver) };
    section.finish();
    hosts
}

fn alone(mut section: Section) -> Host {
    let host = host(&mut section);
    section.finish();
    host
}

fn host(section: &mut Section) -> Host {
    let nic = section.optional("nic", leaf::nic(RATES));
    Host { nic: inner(nic), sysctls: sysctls(section.section("sysctl")) }
}

fn sysctls(section: Section) -> Vec<(String, String)> {
    let mut sysctls = Vec::new();
    for (name, span, value) in section.dotted_entries() {
        if let Err(wrong) = leaf::sysctl_name(&name) {
            section.reader().fault(span, wrong);
        } else if let Some(value) = section.reader().parse(&name, value, leaf::sysctl) {
            sysctls.push((name, value.into_inner()));
        }
    }
    sysctls
}

fn flows(root: &mut Section) -> Option<Vec<Flow>> {
    let sections = root.sections("flows");
    if sections.is_empty() {
        if !root.has("flows") {
            root.fault(Wrong::new("the experiment has no [[flows]]").hint("add [[flows]] with duration = \"30 s\""));
        }
        flow(root.nowhere("flows"));
        return None;
    }
    let flows: Vec<Option<Flow>> = sections.into_iter().map(flow).collect();
    flows.into_iter().collect()
}

fn flow(mut section: Section) -> Option<Flow> {
    let controls = section.reader().congestion_controls();
    let congestion = section.optional("congestion", |value| leaf::congestion(value, controls));
    let count = section.optional("count", leaf::integer(1..=1000));
    let start = section.optional("start", leaf::quantity(&unit::TIME, TIMES));
    let duration = section.optional("duration", leaf::quantity(&unit::TIME, SOME_TIME));
    let bytes = section.optional("bytes", leaf::quantity(&unit::SIZE, 1..=leaf::MOST_BYTES));
    let send_buffer = section.optional("send-buffer", leaf::socket_buffer);
    let receive_buffer = section.optional("receive-buffer", leaf::socket_buffer);
    let mss = section.optional("mss", leaf::quantity(&unit::SIZE, MSS_MIN..=65495));
    let end = end(&section, duration, bytes);
    section.finish();
    Some(Flow {
        congestion: inner(congestion),
        count: inner(count),
        start: inner(start),
        end: end?,
        send_buffer: inner(send_buffer).flatten(),
        receive_buffer: inner(receive_buffer).flatten(),
        mss,
    })
}

/// TCP_MIN_MSS in include/net/tcp.h.
pub const MSS_MIN: u64 = 88;

fn end(flow: &Section, duration: Option<Spanned<u64>>, bytes: Option<Spanned<u64>>) -> Option<End> {
    match (duration, bytes) {
        (Some(duration), None) => Some(End::Duration(duration.into_inner())),
        (None, Some(bytes)) => Some(End::Bytes(bytes.into_inner())),
        (Some(_), Some(bytes)) => {
            let wrong = Wrong::new("[[flows]] has both duration and bytes");
            flow.reader()
                .fault(bytes.span(), wrong.note("a flow ends after a time or after a number of bytes, not both"));
            None
        }
        (None, None) => {
            if flow.is_there() && !flow.has("duration") && !flow.has("bytes") {
                let wrong = Wrong::new("[[flows]] has neither duration nor bytes");
                flow.fault(wrong.hint("add duration = \"30 s\", or bytes = \"10 MB\""));
            }
            None
        }
    }
}

fn vary(section: Section) -> Vec<Axis> {
    let (mut axes, reader) = (Vec::new(), section.reader());
    for (name, span, value) in section.dotted_entries() {
        let list = value.get_ref().as_array().map(|list| list.iter());
        let values = list.into_iter().flatten().map(|v| Spanned::new(v.span(), reader.value(v).plain())).collect();
        let list = |value: &Value| match value.toml.as_array() {
            Some(list) if list.is_empty() => {
                Err(Wrong::new("has no values").hint("remove the key, or list its values"))
            }
            Some(_) => Ok(()),
            None => Err(value.is_not("a list of values in brackets").hint("a single value belongs in its own section")),
        };
        if reader.parse(&name, value, list).is_some() {
            axes.push(Axis { key: Spanned::new(span, name), values });
        }
    }
    axes
}

fn repeat(mut section: Section) -> Repeat {
    let seeds = section.optional("seeds", leaf::integer(1..=1000));
    let spread = section.optional("spread", leaf::quantity(&unit::TIME, TIMES));
    section.finish();
    Repeat { seeds: inner(seeds), spread: inner(spread) }
}

fn record(mut section: Section) -> Record {
    let interval = section.optional("interval", leaf::quantity(&unit::TIME, 100_000..=10_000_000_000));
    let acks = section.optional("acks", leaf::boolean);
    let drops = section.optional("drops", leaf::boolean);
    let limit = section.optional("limit", leaf::quantity(&unit::TIME, SOME_TIME));
    section.finish();
    Record { interval: inner(interval), acks: inner(acks), drops: inner(drops), limit }
}

fn expect(mut section: Section) -> Option<Expect> {
    let measure = section.required("measure", |w| w.hint("add measure = \"goodput\""), measure);
    let at = at(section.section("where"));
    let value = leaf::measured(measure.as_ref().map(|m| m.get_ref().unit));
    let at_least = section.optional("at-least", &value);
    let at_most = section.optional("at-most", &value);
    if section.is_there() && !section.has("at-least") && !section.has("at-most") {
        section.fault(Wrong::new("[[expect]] has neither at-least nor at-most").hint("add one of them, or both"));
    }
    if let (Some(least), Some(most)) = (&at_least, &at_most)
        && least.get_ref() > most.get_ref()
    {
        section.reader().fault(most.span(), Wrong::new("at-most is below at-least, so that nothing can pass"));
    }
    section.finish();
    Some(Expect { measure: measure?.into_inner().name, at, at_least: inner(at_least), at_most: inner(at_most) })
}

fn published(mut section: Section) -> Option<Published> {
    let source = section.required("source", |w| w.hint("add source = \"who measured it, and how\""), leaf::text);
    let measure = section.required("measure", |w| w.hint("add measure = \"goodput\""), measure);
    let at = at(section.section("where"));
    let value = leaf::measured(measure.as_ref().map(|m| m.get_ref().unit));
    let value = section.required("value", |w| w.hint("add the value with its unit"), value);
    section.finish();
    Some(Published {
        source: source?.into_inner(),
        measure: measure?.into_inner().name,
        at,
        value: value?.into_inner(),
    })
}

fn measure(value: &Value) -> Result<&'static Measure, Wrong> {
    let name = leaf::text(value)?;
    let names = || MEASURES.iter().map(|measure| measure.name);
    find(&name).ok_or_else(|| suggest(Wrong::new("is unknown"), &name, names()))
}

fn at(section: Section) -> At {
    let reader = section.reader();
    let entries = section.dotted_entries().into_iter();
    entries
        .map(|(name, span, value)| (Spanned::new(span, name), Spanned::new(value.span(), reader.value(value).plain())))
        .collect()
}

fn inner<T>(spanned: Option<Spanned<T>>) -> Option<T> {
    spanned.map(Spanned::into_inner)
}
