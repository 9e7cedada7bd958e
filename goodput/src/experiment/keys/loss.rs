//! `loss` and `outages`: packets that vanish.

use super::{SOME_TIME, TIMES, either, inner};
use crate::experiment::leaf;
use crate::experiment::section::Section;
use crate::experiment::value::Value;
use crate::experiment::written::{Loss, Outage};
use evidence::unit::{self, Wrong};
use std::ops::RangeInclusive;
use toml::Spanned;

/// The modulus of nftables' numgen has 32 bits.
const COUNTS: RangeInclusive<u64> = 2..=u32::MAX as u64;

/// The most packets that can be named, and the largest of their numbers.
const MOST_PACKETS: usize = 1000;
const NUMBERS: RangeInclusive<u64> = 1..=1_000_000;

/// The keys of a kind of loss that is a table, and how it is read.
type Form = (&'static [&'static str], fn(&mut Section) -> Option<Loss>);

const FORMS: &[Form] =
    &[(&["every"], every), (&["packets"], packets), (&["p", "r", "bad", "good"], two_states), (&["at", "for"], bursts)];

const HINT: &str = "write { every = 1000 }";

/// The loss of a line; `None` if it is not written.
pub fn loss(line: &mut Section) -> Option<Spanned<Loss>> {
    let share = |value: &Value| leaf::quantity(&unit::RATIO, 0..=unit::ONE)(value).map(Loss::Random);
    either(line, "loss", table, share)
}

fn table(mut section: Section) -> Option<Loss> {
    let written = |keys: &[&'static str]| keys.iter().copied().find(|key| section.has(key));
    let forms: Vec<_> = FORMS.iter().filter_map(|(keys, read)| Some((written(keys)?, read))).collect();
    let loss = match forms[..] {
        [(_, read)] => read(&mut section),
        [] => {
            section.lack("every", |wrong| wrong.accepted("every, packets, p and r, or at and for").hint(HINT));
            None
        }
        [(one, _), (other, _), ..] => {
            let wrong = Wrong::new(format!("{} has both {one} and {other}", section.name()));
            section.reader().fault(section.place(other), wrong.note("a line has one kind of loss").hint(HINT));
            None
        }
    };
    if !section.is_there() {
        FORMS.iter().for_each(|(_, read)| drop(read(&mut section)));
    }
    FORMS.iter().for_each(|(keys, _)| section.leave(keys));
    section.finish();
    loss
}

fn every(section: &mut Section) -> Option<Loss> {
    let every = section.required("every", |w| w.hint(HINT), leaf::integer(COUNTS));
    every.map(|n| Loss::Every(n.into_inner()))
}

fn packets(section: &mut Section) -> Option<Loss> {
    let due = "a list of the packets' numbers in brackets: [3, 7]";
    let packets = section.list("packets", due, leaf::integer(NUMBERS))?;
    let wrong = |what: &str| Err(Wrong::new(what).accepted(due));
    let listed = match packets.get_ref().len() {
        0 => wrong("is empty"),
        1..=MOST_PACKETS => Ok(()),
        _ => wrong("names more than 1000 packets"),
    };
    if let Err(wrong) = listed {
        let what = format!("packets {}", wrong.what);
        section.reader().fault(packets.span(), Wrong { what, ..wrong });
    }
    is_ascending(section, packets.get_ref(), "is below the one before it", "numbers in ascending order");
    Some(Loss::Packets(packets.into_inner().into_iter().map(Spanned::into_inner).collect()))
}

fn two_states(section: &mut Section) -> Option<Loss> {
    let share = leaf::quantity(&unit::RATIO, 0..=unit::ONE);
    let p = section.required("p", |w| w.hint("add p = \"1 %\": from the good state to the bad one"), &share);
    let r = section.required("r", |w| w.hint("add r = \"30 %\": from the bad state to the good one"), &share);
    let bad = inner(section.optional("bad", &share));
    let good = inner(section.optional("good", &share));
    Some(Loss::GilbertElliott { p: p?.into_inner(), r: r?.into_inner(), bad, good })
}

fn bursts(section: &mut Section) -> Option<Loss> {
    let due = "a list of times: [\"5 s\", \"9 s\"]";
    if !section.has("at") {
        section.lack("at", |w| w.hint("add at = [\"5 s\"]"));
    }
    let times = section.list("at", due, leaf::quantity(&unit::TIME, TIMES)).map(Spanned::into_inner);
    is_in_order(section, times.iter().flatten());
    let lasts = section.required("for", |w| w.hint("add for = \"20 ms\""), leaf::quantity(&unit::TIME, SOME_TIME));
    let lasts = lasts?.into_inner();
    Some(Loss::Bursts(times?.into_iter().map(|at| Outage { at, lasts }).collect()))
}

/// The outages of a line, in the order of time.
pub fn outages(line: &mut Section) -> Option<Vec<Outage>> {
    let is_written = line.has("outages");
    let outages: Vec<_> = line.sections("outages").into_iter().map(outage).collect();
    outage(line.nowhere("outages"));
    is_in_order(line, outages.iter().filter_map(|(at, _)| at.as_ref()));
    let whole = outages.into_iter().map(|(at, lasts)| Some(Outage { at: at?, lasts: lasts? }));
    let outages: Option<Vec<Outage>> = whole.collect();
    outages.filter(|_| is_written)
}

fn outage(mut section: Section) -> (Option<Spanned<u64>>, Option<u64>) {
    let at = section.required("at", |w| w.hint("add at = \"20 s\""), leaf::quantity(&unit::TIME, TIMES));
    let lasts = section.required("for", |w| w.hint("add for = \"2 s\""), leaf::quantity(&unit::TIME, SOME_TIME));
    section.finish();
    (at, inner(lasts))
}

/// Notes each value that is not above the one before it; `what` is then wrong with it.
fn is_ascending<'s>(section: &Section, values: impl IntoIterator<Item = &'s Spanned<u64>>, what: &str, due: &str) {
    let mut before: Option<&Spanned<u64>> = None;
    for value in values {
        if let Some(before) = before.filter(|before| value.get_ref() <= before.get_ref()) {
            let [this, that] = [value, before].map(|value| section.reader().literal(value.span()));
            let what = if value.get_ref() == before.get_ref() { "comes twice" } else { what };
            let wrong = Wrong::new(format!("{this} {what}")).note(format!("the one before it is {that}"));
            section.reader().fault(value.span(), wrong.accepted(due));
        }
        before = Some(value);
    }
}

/// Notes each time that does not come after the one before it.
pub fn is_in_order<'s>(section: &Section, times: impl IntoIterator<Item = &'s Spanned<u64>>) {
    is_ascending(section, times, "goes back in time", "times in ascending order");
}
