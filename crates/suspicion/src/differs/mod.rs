//! Pairs of runs that differ in least, what each difference can change, and which causes that leaves.
//!
//! Pure arithmetic over the facts of a case: no trial is run.

mod alone;
mod family;
mod page;
mod rows;

pub use family::{Effect, FAMILIES, Family};
pub use page::{opening, page};
pub use rows::{DIFFERENCES, Difference};

use crate::facts::{Case, Key, Origin, Run};
use crate::formula::{Interval, Kind};
use rows::SAME_RATIO;
use serde::Serialize;

/// A cause by name, with its families.
#[derive(Debug, Clone, Copy)]
pub struct Cause<'c> {
    pub name: &'c str,
    pub families: &'c [Family],
}

/// Differences between the runs of a case, and the causes that they leave.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Differs {
    /// Pairs of a slow and a fast run, those that differ in least first.
    pub contrasts: Vec<Pair>,
    /// Sentences on runs that differ and are equally fast.
    pub agreements: Vec<String>,
    /// Sentences on the numbers of the slowest run alone.
    pub alone: Vec<String>,
    /// Causes that are left.
    pub left: Vec<String>,
    /// Number of causes at the start.
    pub of: usize,
}

/// Runs nearer than this are explained by the slow one's own numbers first.
const MIN_OPENING_RATIO: f64 = 2.0;

impl Differs {
    /// Returns the pairs that differ in something that was read.
    fn read(&self) -> impl Iterator<Item = &Pair> {
        self.contrasts.iter().filter(|pair| !pair.sentences.is_empty())
    }

    /// Returns those far enough apart that a page opens with them.
    pub fn opening(&self) -> impl Iterator<Item = &Pair> {
        self.read().filter(|pair| pair.ratio >= MIN_OPENING_RATIO)
    }

    /// Returns the first of them if none is far enough apart to open a page.
    pub fn near(&self) -> Option<&Pair> {
        self.read().next().filter(|_| self.opening().next().is_none())
    }

    /// Returns the first contrast if its runs differ in nothing but where they ran: what acts in both alike is not it.
    pub fn of_place(&self) -> Option<&Pair> {
        let is_place = |key: &&str| ["via", "host", "program", "direction"].contains(key);
        let first = self.contrasts.first()?;
        (!first.differ.is_empty() && first.differ.iter().all(is_place)).then_some(first)
    }

    /// Returns what only the slow run of the first contrast passes, if that is all in which it differs.
    pub fn place(&self) -> Option<&str> {
        let pair = self.contrasts.first()?;
        let is_place = pair.differ.iter().all(|key| ["via", "host"].contains(key)) && !pair.differ.is_empty();
        pair.place.as_deref().filter(|_| is_place)
    }
}

/// A slow and a fast run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    pub slow: String,
    pub fast: String,
    /// Speeds as shown.
    pub speeds: [String; 2],
    /// Speed of the fast one over that of the slow one.
    pub ratio: f64,
    /// Facts in which they differ.
    pub differ: Vec<&'static str>,
    /// A sentence for each difference: what it can change, and what it leaves.
    pub sentences: Vec<String>,
    /// What to measure next.
    pub next: &'static str,
    /// What only the slow one passes, or the host that only it is on.
    #[serde(skip)]
    pub place: Option<String>,
}

/// Most facts in which two runs may differ to be a contrast.
const MAX_DIFFERENCES: usize = 2;

/// Most contrasts that are shown: further ones differ in more.
const MAX_CONTRASTS: usize = 4;

/// What to do where two runs differ in nothing that is stated.
const NEXT: &str = "`goodput facts FILE > case.toml`, and write there what was changed between them";

/// Two runs, and the fact in which they differ that a row is about.
#[derive(Debug)]
pub struct Contrast<'c> {
    pub case: &'c Case,
    pub slow: &'c Run,
    pub fast: &'c Run,
    /// Speed of the fast one over that of the slow one.
    pub ratio: f64,
    pub key: &'static str,
}

impl Contrast<'_> {
    fn speed(run: &Run) -> Interval {
        Case::speed(run).unwrap_or(Interval::ANY)
    }

    fn speed_of_slow(&self) -> String {
        shown_speed(self.slow)
    }

    fn speed_of_fast(&self) -> String {
        shown_speed(self.fast)
    }

    /// Returns the goodput of each stream of the slow run.
    fn speed_of_each(&self) -> String {
        Kind::Rate.show(Contrast::speed(self.slow) / Interval::exactly(self.case.streams(self.slow)))
    }

    fn labels(&self) -> [String; 2] {
        [self.slow, self.fast].map(|run| value(self.case, run, self.key).unwrap_or_else(|| format!("no {}", self.key)))
    }

    /// Returns lengths to the byte.
    fn lengths(&self) -> [String; 2] {
        let show =
            |run: &Run| self.case.number(run, self.key).map_or("unknown".into(), |value| Kind::Size.exact(value));
        [self.slow, self.fast].map(show)
    }

    fn numbers(&self, kind: Kind) -> [String; 2] {
        let show = |run: &Run| self.case.number(run, self.key).map_or("unknown".into(), |value| kind.show(value));
        [self.slow, self.fast].map(show)
    }

    /// Returns the number of the slow run over that of the fast one.
    fn key_ratio(&self) -> Option<f64> {
        let of = |run: &Run| self.case.number(run, self.key).map(Interval::middle);
        Some(of(self.slow)? / of(self.fast)?)
    }

    /// Returns what is under way in each of them: rate x RTT.
    fn windows(&self) -> Option<[Interval; 2]> {
        let of = |run: &Run| Some(Contrast::speed(run) * self.case.number(run, "rtt")? / Interval::exactly(8.0));
        Some([of(self.slow)?, of(self.fast)?])
    }

    fn slow_window(&self) -> Option<String> {
        self.windows().map(|[slow, _]| Kind::Size.show(slow))
    }

    fn is_one_rtt(&self) -> bool {
        self.case.number(self.slow, "rtt") == self.case.number(self.fast, "rtt")
    }
}

/// Returns a run's speed as it was written: without the interval of repeated runs.
fn shown_speed(run: &Run) -> String {
    let fact = ["goodput", "late"].into_iter().find_map(|name| run.facts.numbers.get(name));
    fact.map_or("unknown".into(), |fact| Kind::Rate.show(Kind::Rate.parse(&fact.text).unwrap_or(fact.interval)))
}

/// Returns a fact as text, with the value that it has where nothing is said.
fn value(case: &Case, run: &Run, key: &str) -> Option<String> {
    let number = case.fact(run, key).map(|fact| Key::kind_of(key).show(fact.interval));
    let own = number.or_else(|| case.label(run, key).map(str::to_owned));
    own.or_else(|| match key {
        "streams" => Some("1".into()),
        "congestion" => Some("cubic".into()),
        _ => None,
    })
}

/// Facts that every run has: where one is not stated, it is unknown, and no difference.
const ALWAYS_THERE: [&str; 5] = ["direction", "ends", "kernel", "tool", "mtu"];

fn differences(case: &Case, a: &Run, b: &Run) -> Vec<&'static Difference> {
    // What a program printed of one run alone, such as its MSS, was not set.
    let is_set = |run: &Run, key: &str| {
        case.fact(run, key).is_none_or(|fact| matches!(fact.origin, Origin::Stated | Origin::Assumed))
    };
    let differs = |row: &&Difference| {
        let both = [value(case, a, row.key), value(case, b, row.key)];
        match &both {
            [Some(a), Some(b)] => a != b,
            [None, None] => false,
            _ => !ALWAYS_THERE.contains(&row.key) && is_set(a, row.key) && is_set(b, row.key),
        }
    };
    // A program is what the tool runs.
    let is_said = |row: &&Difference| row.key != "tool" || value(case, a, "program") == value(case, b, "program");
    let found: Vec<&'static Difference> = DIFFERENCES.iter().filter(differs).filter(is_said).collect();
    // A number of streams or a window says nothing of a run over the other protocol.
    match found.iter().position(|row| row.key == "protocol") {
        Some(at) if found.len() <= MAX_DIFFERENCES => vec![found[at]],
        _ => found,
    }
}

/// Returns what differs, and which of the causes it leaves.
pub fn differs(case: &Case, causes: &[Cause]) -> Differs {
    let mut left: Vec<&Cause> = causes.iter().collect();
    // Sentences that would leave no cause rest on an unknown one: they are shown, and rule nothing out.
    let mut keep = |effects: &[Effect]| {
        let allowed = |cause: &&&Cause| effects.iter().any(|effect| effect.allows(cause.families));
        let rest: Vec<&Cause> = left.iter().filter(allowed).copied().collect();
        if !rest.is_empty() && !effects.is_empty() {
            left = rest;
        }
    };
    let mut found = Differs { contrasts: vec![], agreements: vec![], alone: vec![], left: vec![], of: causes.len() };
    let runs: Vec<&Run> = case.runs.iter().filter(|run| Case::speed(run).is_some()).collect();
    let middle = |run: &Run| Case::speed(run).map_or(0.0, |speed| speed.middle().max(1.0));
    let mut pairs = vec![];
    for (at, a) in runs.iter().enumerate() {
        for b in &runs[at + 1..] {
            let [slow, fast] = if middle(a) <= middle(b) { [*a, *b] } else { [*b, *a] };
            pairs.push((differences(case, slow, fast), middle(fast) / middle(slow), slow, fast));
        }
    }
    pairs.sort_by(|a, b| a.0.len().cmp(&b.0.len()).then(b.1.total_cmp(&a.1)));
    for (rows, ratio, slow, fast) in pairs.into_iter().take(MAX_CONTRASTS) {
        let of = |row: &Difference| Contrast { case, slow, fast, ratio, key: row.key };
        if ratio >= SAME_RATIO && rows.len() <= MAX_DIFFERENCES {
            let all: Vec<(String, Effect)> = rows.iter().map(|row| (row.of)(&of(row))).collect();
            // Either difference may be what does it.
            keep(&all.iter().map(|(_, effect)| *effect).collect::<Vec<_>>());
            found.contrasts.push(Pair {
                slow: slow.name.clone(),
                fast: fast.name.clone(),
                speeds: [slow, fast].map(shown_speed),
                ratio,
                differ: rows.iter().map(|row| row.key).collect(),
                sentences: all.into_iter().map(|(text, _)| text).collect(),
                next: rows.first().map_or(NEXT, |row| row.next),
                place: ["via", "host"].iter().find_map(|key| case.label(slow, key)).map(str::to_owned),
            });
        } else if let (true, [row]) = (ratio < SAME_RATIO, &rows[..])
            && let Some(same) = row.same
        {
            let (text, effect) = same(&of(row));
            keep(&[effect]);
            found.agreements.push(text);
        }
    }
    if let Some(slowest) = case.slowest() {
        for (text, effect) in alone::sentences(case, slowest) {
            keep(&[effect]);
            found.alone.push(format!("{}: {text}", slowest.name));
        }
    }
    found.left = left.iter().map(|cause| cause.name.to_owned()).collect();
    found
}

/// Ratio of two runs' speeds that neither repeats nor other traffic make.
const MIN_UNREAD_RATIO: f64 = 5.0;

/// Gives a run a place of its own if another is far faster and differs in nothing that was read: whatever makes it slow,
/// the other does not pass.
pub fn with_unread_difference(case: &Case) -> Case {
    let mut case = case.clone();
    let speed = |run: &Run| Case::speed(run).map(Interval::middle);
    let Some(slowest) = case.slowest().filter(|run| run.facts.label("via").is_none()) else { return case };
    let name = slowest.name.clone();
    let is_far_faster = |run: &&Run| speed(run) > speed(slowest).map(|slow| MIN_UNREAD_RATIO * slow);
    let mut faster = case.runs.iter().filter(is_far_faster).peekable();
    let is_unread = faster.peek().is_some() && faster.all(|run| differences(&case, slowest, run).is_empty());
    if let Some(run) = case.runs.iter_mut().find(|run| is_unread && run.name == name) {
        run.facts.labels.insert("via", format!("what only {name} passes"));
    }
    case
}

#[cfg(test)]
mod tests;
