//! `[[flows]]`.

use super::{RATES, SOME_TIME, TIMES, inner};
use crate::experiment::leaf;
use crate::experiment::section::Section;
use crate::experiment::written::{Direction, Flow, Tcp, Traffic};
use crate::plan::Until;
use evidence::unit::{self, Wrong};
use toml::Spanned;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bulk,
    Requests,
    Udp,
    Ping,
}
use Kind::{Bulk, Ping, Requests, Udp};

const KINDS: &[(&str, Kind)] = &[("bulk", Bulk), ("requests", Requests), ("udp", Udp), ("ping", Ping)];

/// The keys that not all kinds have, each with those that do.
const OWN: &[(&str, &[Kind])] = &[
    ("via", &[Bulk]),
    ("bytes", &[Bulk]),
    ("congestion", &[Bulk, Requests]),
    ("send-buffer", &[Bulk, Requests]),
    ("receive-buffer", &[Bulk, Requests]),
    ("mss", &[Bulk, Requests]),
    ("on", &[Bulk]),
    ("off", &[Bulk]),
    ("send-rate", &[Bulk]),
    ("read-rate", &[Bulk]),
    ("slow-start-ends", &[Bulk]),
    ("omit", &[Bulk]),
    ("request", &[Requests]),
    ("response", &[Requests]),
    ("think", &[Requests]),
    ("requests", &[Requests, Ping]),
    ("rate", &[Udp]),
    ("size", &[Udp, Ping]),
    ("interval", &[Ping]),
];

/// What `via` takes for no relay.
const DIRECT: &str = "none";

/// SOCK_MIN_SNDBUF and SOCK_MIN_RCVBUF in include/net/sock.h, 4,608 and 2,304 bytes: the kernel doubles what it is told
/// and makes less into these.
const SEND_BUFFER_MIN: u64 = 2304;
const RECEIVE_BUFFER_MIN: u64 = 1152;

/// `[[flows]]`; in a network of two hosts it needs not name its ends.
pub fn flow(mut section: Section, of_two: bool) -> Flow {
    let kind = section.optional("kind", leaf::word(KINDS));
    // Of an unknown kind there is no saying which keys are wrong.
    let known = kind.as_ref().map(|kind| *kind.get_ref()).or((!section.has("kind")).then_some(Bulk));
    if let Some(known) = known {
        refuse_others(&mut section, known, kind.is_some());
    }
    let name = section.optional("name", leaf::flow_name);
    let end = |section: &mut Section, key, hint: &str| {
        if !of_two && !section.has(key) {
            section
                .lack(key, |wrong| wrong.note("only in a network of two hosts it is clear which is meant").hint(hint));
        }
        section.optional(key, leaf::text)
    };
    let from = end(&mut section, "from", "add from = \"…\": the node that connects");
    let to = end(&mut section, "to", "add to = \"…\": the node that listens");
    let via = section.optional("via", leaf::text).filter(|via| via.get_ref() != DIRECT);
    const DIRECTIONS: &[(&str, Direction)] =
        &[("forward", Direction::Forward), ("reverse", Direction::Reverse), ("both", Direction::Both)];
    let time = leaf::quantity(&unit::TIME, TIMES);
    let mut flow = Flow {
        span: section.span.clone(),
        name,
        from,
        to,
        via,
        direction: inner(section.optional("direction", leaf::word(DIRECTIONS))),
        count: inner(section.optional("count", leaf::integer(1..=1000))),
        start: inner(section.optional("start", &time)),
        stagger: inner(section.optional("stagger", &time)),
        scatter: inner(section.optional("scatter", &time)),
        until: until(&mut section, known),
        omit: section.optional("omit", leaf::quantity(&unit::TIME, SOME_TIME)),
        traffic: None,
    };
    let bulk = bulk(&mut section);
    let tcp = tcp(&mut section);
    flow.traffic = traffic(&mut section, known, tcp, bulk);
    section.finish();
    flow
}

/// Whether flows of the kind of that name have a key; those of an unknown kind do.
pub fn can_have(kind: Option<&str>, key: &str) -> bool {
    let kind = KINDS.iter().find(|(name, _)| *name == kind.unwrap_or("bulk")).map(|(_, kind)| kind);
    let own = OWN.iter().find(|(own, _)| *own == key).map(|(_, kinds)| kinds);
    kind.zip(own).is_none_or(|(kind, kinds)| kinds.contains(kind))
}

/// Notes keys of other kinds. If the kind is written, they are not even accepted.
fn refuse_others(section: &mut Section, kind: Kind, is_written: bool) {
    for (key, kinds) in OWN.iter().filter(|(_, kinds)| !kinds.contains(&kind)) {
        let named = |kind: &Kind| KINDS.iter().find(|(_, known)| known == kind).map_or("", |(name, _)| *name);
        if section.has(key) {
            let wrong = Wrong::new(format!("{key} is no key of a flow of kind \"{}\"", named(&kind)));
            let having: Vec<String> = kinds.iter().map(|kind| format!("\"{}\"", named(kind))).collect();
            let wrong = wrong.note(match &having[..] {
                [one] => format!("only kind {one} has it"),
                several => format!("only kinds {} have it", several.join(" and ")),
            });
            section.reader().fault(
                section.place(key),
                match is_written {
                    true => wrong.hint(format!("remove {key}, or write another kind")),
                    false => wrong.hint(format!("add kind = {}", having[0])),
                },
            );
        }
        if section.has(key) || is_written {
            section.dismiss(key);
        }
    }
}

fn tcp(section: &mut Section) -> Tcp {
    Tcp {
        congestion: section.optional("congestion", leaf::congestion),
        send_buffer: inner(section.optional("send-buffer", leaf::socket_buffer(SEND_BUFFER_MIN))).flatten(),
        receive_buffer: inner(section.optional("receive-buffer", leaf::socket_buffer(RECEIVE_BUFFER_MIN))).flatten(),
        mss: section.optional("mss", leaf::quantity(&unit::SIZE, leaf::MSS_MIN..=65495)),
    }
}

/// What only a bulk flow does: writing and not writing, and how fast it writes and reads.
struct Pace {
    on_off: Option<(u64, u64)>,
    send_rate: Option<u64>,
    read_rate: Option<u64>,
    slow_start_ends: Option<u64>,
}

/// A cwnd that slow start may end at: the largest that a window of RFC 7323 covers, bytes.
const CWNDS: std::ops::RangeInclusive<u64> = 1..=1 << 30;

/// On and off, ns.
const PERIOD_MIN: u64 = 1_000_000;

fn bulk(section: &mut Section) -> Pace {
    let time = leaf::quantity(&unit::TIME, SOME_TIME);
    let [on, off] = ["on", "off"].map(|key| section.optional(key, &time));
    if let (Some(on), Some(off)) = (&on, &off)
        && on.get_ref() + off.get_ref() < PERIOD_MIN
    {
        let wrong = Wrong::new("on and off together are shorter than an application can take turns");
        section.reader().fault(off.span(), wrong.accepted("1 ms or more in all"));
    }
    for (key, other) in [("on", "off"), ("off", "on")] {
        if section.has(key) && !section.has(other) {
            section.lack(other, |w| {
                w.note("a flow that pauses has both on and off").hint(format!("add {other} = \"1 s\""))
            });
        }
    }
    let [send_rate, read_rate] =
        ["send-rate", "read-rate"].map(|key| inner(section.optional(key, leaf::quantity(&unit::RATE, RATES))));
    let slow_start_ends = inner(section.optional("slow-start-ends", leaf::quantity(&unit::SIZE, CWNDS)));
    Pace { on_off: inner(on).zip(inner(off)), send_rate, read_rate, slow_start_ends }
}

fn traffic(section: &mut Section, kind: Option<Kind>, tcp: Tcp, pace: Pace) -> Option<Traffic> {
    const MESSAGES: std::ops::RangeInclusive<u64> = 1..=1_000_000_000;
    let request = section.optional("request", leaf::quantity(&unit::SIZE, MESSAGES));
    let response = section.optional("response", leaf::quantity(&unit::SIZE, MESSAGES));
    let think = section.optional("think", leaf::quantity(&unit::TIME, TIMES));
    if kind == Some(Udp) && !section.has("rate") {
        section.lack("rate", |w| w.hint("add rate = \"1 Mbit/s\": of the payload"));
    }
    let rate = section.optional("rate", leaf::quantity(&unit::RATE, RATES));
    // A sequence number in each.
    let size = section.optional("size", leaf::quantity(&unit::SIZE, 8..=65507));
    let interval = section.optional("interval", leaf::quantity(&unit::TIME, 1_000_000..=super::DAY));
    let Pace { on_off, send_rate, read_rate, slow_start_ends } = pace;
    Some(match kind? {
        Bulk => Traffic::Bulk { tcp, on_off, send_rate, read_rate, slow_start_ends },
        Requests => Traffic::Requests { tcp, request: inner(request), response: inner(response), think: inner(think) },
        Udp => Traffic::Udp { rate: rate?.into_inner(), size },
        Ping => Traffic::Ping { interval: inner(interval), size },
    })
}

/// When a flow ends: after a time, or by what its kind counts.
fn until(section: &mut Section, kind: Option<Kind>) -> Option<Until> {
    let duration = section.optional("duration", leaf::quantity(&unit::TIME, SOME_TIME));
    let bytes = section.optional("bytes", leaf::quantity(&unit::SIZE, 1..=leaf::MOST_BYTES));
    let requests = section.optional("requests", leaf::integer(1..=1_000_000));
    let (key, counted, example) = match kind? {
        Bulk => ("bytes", bytes.map(spanned(Until::Bytes)), ", or bytes = \"10 MB\""),
        Requests | Ping => ("requests", requests.map(spanned(Until::Exchanges)), ", or requests = 100"),
        Udp => {
            if !section.has("duration") {
                section.lack("duration", |w| w.hint("add duration = \"30 s\""));
            }
            return inner(duration).map(Until::Duration);
        }
    };
    match (duration, counted) {
        (Some(_), Some(counted)) => {
            let wrong = Wrong::new(format!("[[flows]] has both duration and {key}"));
            let note = format!("a flow ends after a time or after a number of {key}, not both");
            section.reader().fault(counted.span(), wrong.note(note));
            None
        }
        (None, None) => {
            if section.is_there() && !section.has("duration") && !section.has(key) {
                let wrong = Wrong::new(format!("[[flows]] has neither duration nor {key}"));
                section.lack_any(&["duration", key], wrong.hint(format!("add duration = \"30 s\"{example}")));
            }
            None
        }
        (duration, counted) => inner(duration).map(Until::Duration).or(inner(counted)),
    }
}

fn spanned(make: fn(u64) -> Until) -> impl Fn(Spanned<u64>) -> Spanned<Until> {
    move |value| Spanned::new(value.span(), make(value.into_inner()))
}
