//! Keys `loss` and `outages`: packets that are lost.

use crate::key::{Key, KeyRow, Leaf, Table, Whole, key, keys};
use crate::section::Section;
use crate::takes::{Boolean, BoundedQuantity, DAY, List, Number, SHARE, either, time};
use evidence::unit::{ONE, Wrong};
use toml::Spanned;

/// A line's loss; shares in grains of [`evidence::unit::RATIO`].
#[derive(Debug, Clone)]
pub enum Loss {
    /// Random loss of a share of the packets.
    Random(u64),
    Every(u64),
    /// Loss of the packets with these numbers.
    Packets(Vec<u64>),
    /// The Gilbert-Elliott model with two states.
    GilbertElliott(TwoStates),
    /// Loss of every packet in these periods.
    Bursts(Vec<Outage>),
}

/// Range of `every`: the modulus of nftables' numgen has 32 bits.
const COUNTS: Number = Number(2, u32::MAX as u64);

/// Most packets that can be listed, and the range of their numbers.
const PACKETS_MAX: usize = 1000;
const NUMBERS: Number = Number(1, 1_000_000);

keys! {
    /// Loss of every Nth packet.
    pub struct Every or None {
        every: Number = key("every", COUNTS)
            .required(|w| w.hint(EVERY_HINT))
            .meaning(
                "every Nth packet, starting with the Nth: `nft … numgen inc mod N { N-1 } drop` at the ingress, then \
                 `fwd to`",
            ),
            required;
    }
}

/// Row of `packets`: the numbers of the packets to lose.
pub fn packets() -> Key<List<Number>> {
    let due = "a list of the packets' numbers in brackets: [3, 7]";
    let words = "list of 1 to 1000 numbers, each 1 to 1000000, ascending";
    key("packets", List { each: NUMBERS, due, words }).default("required").meaning(
        "the packets with these numbers, counted from 1: `nft … numgen inc mod 4294967295 { … } drop` at the ingress, \
         then `fwd to`",
    )
}

keys! {
    /// The Gilbert-Elliott model.
    pub struct TwoStates or None {
        p: BoundedQuantity = key("p", SHARE)
            .required(|w| w.hint("add p = \"1 %\": from the good state to the bad one"))
            .default("required with `r`")
            .meaning("Gilbert-Elliott: `netem loss gemodel p r 1-h 1-k`; good to bad state, per packet"), required;
        r: BoundedQuantity = key("r", SHARE)
            .required(|w| w.hint("add r = \"30 %\": from the bad state to the good one"))
            .default("required with `p`")
            .meaning("bad to good state, per packet"), required;
        bad: BoundedQuantity = key("bad", SHARE).meaning("loss in the bad state, 1-h"), else ONE;
        good: BoundedQuantity = key("good", SHARE).meaning("loss in the good state, 1-k"), else 0;
    }
}

keys! {
    /// Loss of every packet in some periods of equal length.
    pub struct Bursts or None {
        at: List<BoundedQuantity> = key("at", List { each: time(0, DAY), due: TIMES_DUE, words: TIMES_WORDS })
            .required(|w| w.hint("add at = [\"5 s\"]"))
            .default("required with `for`")
            .meaning("everything from these times on, forward only, like [`outages`](#outages)"), required;
        lasts: BoundedQuantity = key("for", time(1, DAY))
            .required(|w| w.hint("add for = \"20 ms\""))
            .default("required with `at`")
            .meaning("and for this long"), required;
    }
}

const TIMES_DUE: &str = "a list of times: [\"5 s\", \"9 s\"]";
const TIMES_WORDS: &str = "list of times, each 0 ns to 1 day, ascending";

/// Rows of all kinds of loss that are tables.
pub fn rows() -> Vec<KeyRow> {
    [Every::rows(), vec![packets().row(None)], TwoStates::rows(), Bursts::rows()].into_iter().flatten().collect()
}

/// One kind of loss that is a table: its keys, and the function that reads it.
type Form = (&'static [&'static str], fn(&mut Section) -> Option<Loss>);

const FORMS: &[Form] = &[
    (&["every"], every),
    (&["packets"], listed),
    (&["p", "r", "bad", "good"], |section| TwoStates::read(section).map(Loss::GilbertElliott)),
    (&["at", "for"], bursts),
];

const EVERY_HINT: &str = "write { every = 1000 }";

/// Reads the loss of a line; `None` if it is not written.
pub fn loss(line: &mut Section, key: &'static str) -> Option<Spanned<Loss>> {
    either(line, key, table, |value| SHARE.parse(value).map(Loss::Random))
}

fn table(mut section: Section) -> Option<Loss> {
    let written = |keys: &[&'static str]| keys.iter().copied().find(|key| section.has(key));
    let forms: Vec<_> = FORMS.iter().filter_map(|(keys, read)| Some((written(keys)?, read))).collect();
    let loss = match forms[..] {
        [(_, read)] => read(&mut section),
        [] => {
            section.lack("every", |wrong| wrong.accepted("every, packets, p and r, or at and for").hint(EVERY_HINT));
            None
        }
        [(one, _), (other, _), ..] => {
            let wrong = Wrong::new(format!("{} has both {one} and {other}", section.name()));
            section.reader().fault(section.place(other), wrong.note("a line has one kind of loss").hint(EVERY_HINT));
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
    Every::read(section).map(|Every { every, .. }| Loss::Every(every.into_inner()))
}

fn listed(section: &mut Section) -> Option<Loss> {
    let row = packets();
    let (packets, due) = (row.read(section)?, row.takes.due);
    let wrong = |what: &str| Err(Wrong::new(what).accepted(due));
    let listed = match packets.get_ref().len() {
        0 => wrong("is empty"),
        1..=PACKETS_MAX => Ok(()),
        _ => wrong("names more than 1000 packets"),
    };
    if let Err(wrong) = listed {
        let what = format!("packets {}", wrong.what);
        section.reader().fault(packets.span(), Wrong { what, ..wrong });
    }
    is_ascending(section, packets.get_ref(), "is below the one before it", "numbers in ascending order");
    Some(Loss::Packets(packets.into_inner().into_iter().map(Spanned::into_inner).collect()))
}

fn bursts(section: &mut Section) -> Option<Loss> {
    let times = Bursts::at().read(section);
    is_in_order(section, times.iter().flat_map(Spanned::get_ref));
    let Bursts { at, lasts, .. } = Bursts::read(section)?;
    let outage = |at: Spanned<u64>| Outage { span: at.span(), at, lasts: lasts.clone(), down: None };
    Some(Loss::Bursts(at.into_inner().into_iter().map(outage).collect()))
}

keys! {
    /// A period in which nothing gets through.
    pub struct Outage or None {
        at: BoundedQuantity = key("at", time(0, DAY))
            .limit(", later than the one before")
            .required(|w| w.hint("add at = \"20 s\""))
            .meaning("when"), required;
        lasts: BoundedQuantity = key("for", time(1, DAY))
            .required(|w| w.hint("add for = \"2 s\""))
            .meaning("how long"), required;
        down: Boolean = key("down", Boolean)
            .limit(", not under `backward`")
            .default("false")
            .meaning("whether the link is down meanwhile: the interfaces at its ends lose their carrier");
    }
}

/// Reads the outages of a line, which must be in order of time.
pub fn outages(line: &mut Section, key: &'static str) -> Option<Spanned<Vec<Outage>>> {
    let span = line.has(key).then(|| line.place(key));
    let each = |mut section: Section| (Outage::at().read(&mut section), Outage::whole(section));
    let outages: Vec<_> = line.sections(key).into_iter().map(each).collect();
    each(line.nowhere(key));
    is_in_order(line, outages.iter().filter_map(|(at, _)| at.as_ref()));
    let outages = outages.into_iter().filter_map(|(_, outage)| outage).collect();
    span.map(|span| Spanned::new(span, outages))
}

/// Reports each value that is not above the one before it; `what` completes the error.
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

/// Reports each time that is not after the one before it.
pub fn is_in_order<'s>(section: &Section, times: impl IntoIterator<Item = &'s Spanned<u64>>) {
    is_ascending(section, times, "goes back in time", "times in ascending order");
}
