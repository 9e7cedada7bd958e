//! Expected goodput of each congestion control, and the choice among them.

use super::{AdviseRequest, SumStep, step};
use crate::remedy::{Remedy, catalogue};
use base::model::response::{ALGORITHMS, Algorithm, Name, Path};
use base::show;
use base::units::Unit;
use evidence::System;
use evidence::platform::Platform;
use serde::Serialize;

/// The expected goodput of a congestion control.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Expectation {
    pub algorithm: &'static str,
    /// System's name for it.
    pub name: Option<Name>,
    /// Reason why the system lacks it.
    pub absent: Option<String>,
    /// Payload rate of all flows together at the given loss, or without loss, with large enough buffers, bit/s; `None`
    /// if unknown.
    pub goodput: Option<f64>,
    /// The same rate with the version's default buffers.
    pub default_buffers: Option<f64>,
    /// Share of packets lost, in events, up to which a flow keeps its whole share of the link.
    pub tolerates: f64,
    /// Time between two such losses of a flow at that rate, s.
    pub every: f64,
    /// Caution before its use.
    pub note: &'static str,
    /// Source of the response.
    pub source: &'static str,
}

/// Returns the expectations of all algorithms, even those the system lacks.
pub fn all(request: &AdviseRequest, path: &Path) -> Vec<Expectation> {
    let limits = base::model::buffer::Limits::for_platform(&request.platform);
    let default_window = limits.window().min(limits.in_flight()) as f64;
    let flows = f64::from(request.flows.max(1));
    let of = |algorithm: &Algorithm| {
        let rate = (algorithm.response)(path, request.loss.unwrap_or(0.0));
        let tolerates = (algorithm.tolerates)(path);
        let (name, absent) = here(algorithm, &request.platform);
        Expectation {
            algorithm: algorithm.name,
            name,
            absent,
            goodput: rate.map(|rate| flows * rate),
            default_buffers: rate.map(|rate| flows * rate.min(default_window * 8.0 / path.rtt)),
            tolerates,
            every: path.mss * 8.0 / (tolerates * path.rate),
            note: algorithm.note,
            source: algorithm.source,
        }
    };
    ALGORITHMS.iter().map(of).collect()
}

/// Returns the name of an algorithm on a system, or why it has none.
fn here(algorithm: &Algorithm, platform: &Platform) -> (Option<Name>, Option<String>) {
    let (name, other) = match platform.system {
        System::Linux => (algorithm.linux, algorithm.freebsd.map(|_| "FreeBSD has it")),
        System::FreeBsd => (algorithm.freebsd, algorithm.linux.map(|_| "Linux has it")),
    };
    match name {
        Some(_) if platform.system == System::Linux && !platform.is_since(algorithm.linux_since) => {
            (None, Some(format!("since Linux {}", algorithm.linux_since)))
        }
        Some(Name::Stack(_)) if !platform.is_since("15.0") => {
            (None, Some("needs a kernel with options TCPHPTS".into()))
        }
        None => (None, Some(other.unwrap_or("in no released kernel").into())),
        name => (name, None),
    }
}

impl Expectation {
    /// Describes the loss that a flow tolerates at the link rate.
    pub(crate) fn bears(&self) -> String {
        if self.tolerates >= 0.01 {
            return format!("{} of its packets, by its model", percent(self.tolerates));
        }
        format!("1 in {} packets ({})", count(1.0 / self.tolerates), show::value(Unit::Seconds, self.every))
    }

    /// Describes the same in a sentence.
    fn limit(&self, request: &AdviseRequest) -> String {
        format!(
            "{} fills the link as long as {} sees fewer than one loss event in {} packets (one every {})",
            capitals(self.algorithm),
            if request.flows > 1 { "each flow" } else { "it" },
            count(1.0 / self.tolerates),
            show::value(Unit::Seconds, self.every),
        )
    }

    /// Returns its line of the arithmetic.
    pub fn step(&self, path: &Path, loss: Option<f64>) -> SumStep {
        let keeps = format!("keeps {} up to a loss of {}", show::value(Unit::BitsPerSecond, path.rate), self.bears());
        let sum = match (loss, self.goodput) {
            (Some(loss), Some(rate)) => {
                format!("at {}: {} in total; a flow {keeps}", percent(loss), show::value(Unit::BitsPerSecond, rate))
            }
            (Some(loss), None) => format!("at {}: unknown; a flow {keeps}", percent(loss)),
            (None, _) => format!("a flow {keeps}"),
        };
        step(self.algorithm, sum, self.source)
    }
}

/// The chosen congestion control, and the reason.
#[derive(Debug)]
pub struct Choice {
    /// New congestion control or stack; `None` if the default is right.
    pub change: Option<Name>,
    /// Payload rate of all flows together with it, bit/s.
    pub rate: f64,
    pub sentence: String,
    /// Open questions.
    pub doubts: Vec<String>,
}

/// Share of the link from which the default control is kept.
pub const SUFFICIENT_LINK_SHARE: f64 = 0.9;

/// Smallest gain for another control, because it also affects other traffic.
const MIN_CHANGE_GAIN: f64 = 1.25;

/// Share of the link below which no control helps enough.
const MIN_USEFUL_LINK_SHARE: f64 = 0.5;

/// Smallest gain for another control even then.
const MIN_RESCUE_GAIN: f64 = 1.5;

/// Largest number of parallel streams advised.
const MAX_STREAMS: f64 = 64.0;

/// Chooses the default if it fills the link, else the best on this system.
pub fn choose(request: &AdviseRequest, line: f64, expected: &[Expectation]) -> Choice {
    let default = request.platform.default_control();
    let named = |e: &&Expectation| e.name == Some(Name::Control(default));
    let cubic = |e: &&Expectation| e.algorithm == "cubic";
    let Some(now) = expected.iter().find(named).or_else(|| expected.iter().find(cubic)) else {
        return Choice { change: None, rate: line, sentence: String::new(), doubts: vec![] };
    };
    let Some(loss) = request.loss else {
        // FreeBSD before 14.0 starts with NewReno.
        let better = expected.iter().find(cubic).filter(|e| e.tolerates > now.tolerates * MIN_CHANGE_GAIN);
        let sentence = format!("{}.", better.unwrap_or(now).limit(request));
        let doubt =
            "Pass --loss for a specific answer: run iperf3 for 30 s and divide loss events (bursts) by packets sent.";
        return Choice { change: better.and_then(|e| e.name), rate: line, sentence, doubts: vec![doubt.into()] };
    };
    let rate = now.goodput.unwrap_or(0.0);
    if rate >= SUFFICIENT_LINK_SHARE * line {
        let sentence = format!("{}: at {} it does.", now.limit(request), percent(loss));
        return Choice { change: None, rate, sentence, doubts: vec![] };
    }
    let held = Held::new(now, loss, line, expected);
    Choice {
        change: held.change(),
        rate: if held.change().is_some() { held.best_rate } else { rate },
        sentence: held.sentence(request),
        doubts: held.doubts(request),
    }
}

/// A default congestion control that loss limits below the link rate, and better alternatives.
struct Held<'a> {
    now: &'a Expectation,
    loss: f64,
    line: f64,
    /// Best control on this system.
    best: &'a Expectation,
    best_rate: f64,
    /// BBR's rate, and why the system lacks it, if it would be better still.
    later: Option<(f64, &'a str)>,
}

impl<'a> Held<'a> {
    fn new(now: &'a Expectation, loss: f64, line: f64, expected: &'a [Expectation]) -> Held<'a> {
        let usable = expected.iter().filter(|e| e.name.is_some());
        let best = usable.max_by(|a, b| a.goodput.unwrap_or(0.0).total_cmp(&b.goodput.unwrap_or(0.0))).unwrap_or(now);
        let best_rate = best.goodput.unwrap_or(0.0);
        let absent = expected.iter().find(|e| e.algorithm == "bbr" && e.name.is_none());
        let better = |e: &'a Expectation| {
            Some((e.goodput.filter(|rate| *rate >= MIN_CHANGE_GAIN * best_rate)?, e.absent.as_deref()?))
        };
        Held { now, loss, line, best, best_rate, later: absent.and_then(better) }
    }

    fn change(&self) -> Option<Name> {
        let worth = if self.best_rate >= MIN_USEFUL_LINK_SHARE * self.line { MIN_CHANGE_GAIN } else { MIN_RESCUE_GAIN };
        self.best.name.filter(|_| self.best_rate >= worth * self.now.goodput.unwrap_or(0.0))
    }

    fn sentence(&self, request: &AdviseRequest) -> String {
        let rate = |value: f64| show::value(Unit::BitsPerSecond, value);
        let now_rate = self.now.goodput.unwrap_or(0.0);
        let flows = (f64::from(request.flows) * self.line / now_rate.max(1.0)).ceil();
        let mut sentence = format!(
            "Loss of {} at {} limits {} to {} of the link's {}, whatever the buffers.",
            percent(self.loss),
            show::value(Unit::Seconds, request.rtt),
            capitals(self.now.algorithm),
            rate(now_rate),
            rate(self.line)
        );
        if self.change().is_some() {
            sentence += &format!(
                " {} would reach at most {}, by its model: `goodput run` shows how much.",
                capitals(self.best.algorithm),
                rate(self.best_rate)
            );
        }
        if let Some((there, since)) = self.later {
            sentence += &format!(" BBR ({since}) would reach at most {}, by its model.", rate(there));
        }
        if flows <= MAX_STREAMS {
            sentence += &format!(" {flows} parallel flows of {} would fill the link.", capitals(self.now.algorithm));
        }
        if flows > MAX_STREAMS
            && self.later.map_or(self.best_rate, |(there, _)| there) < MIN_USEFUL_LINK_SHARE * self.line
        {
            sentence += " No host setting gets near it: find what loses the packets.";
        }
        sentence
    }

    fn doubts(&self, request: &AdviseRequest) -> Vec<String> {
        let mut doubts: Vec<String> = vec![];
        let change = self.change();
        if change.is_none() && self.later.is_some() {
            doubts.push("BBR also needs larger buffers: ask again with the --version that has it.".into());
        }
        if change.is_some() && !self.best.note.is_empty() {
            doubts.push(format!("{} {}.", capitals(self.best.algorithm), self.best.note));
        }
        if let Some(Name::Stack(name)) = change {
            doubts.push(format!(
                "That FreeBSD's {name} stack answers loss as Linux's {name} does is assumed, not measured; a Linux sender is \
                 the safer choice."
            ));
        }
        if request.platform.system == System::FreeBsd && self.loss >= 0.02 {
            doubts.push(format!("FreeBSD's RACK stack repairs many losses sooner: {}", catalogue::RACK));
        }
        doubts
    }
}

impl Choice {
    pub fn remedies(&self, name: Name, platform: &Platform, interface: Option<&str>) -> Vec<Remedy> {
        match name {
            Name::Stack(name) => vec![catalogue::stack(name, platform)],
            Name::Control("bbr") => {
                let pacing = catalogue::fq(interface, platform);
                std::iter::once(catalogue::congestion("bbr", platform)).chain(pacing).collect()
            }
            Name::Control(name) => vec![catalogue::congestion(name, platform)],
        }
    }
}

/// Returns an algorithm's name for a sentence.
fn capitals(algorithm: &str) -> String {
    match algorithm {
        "reno" => "Reno".into(),
        other => other.to_uppercase(),
    }
}

/// Prints a share with all its digits.
fn percent(share: f64) -> String {
    show::plain_share(share)
}

/// Prints a number of packets with three digits.
fn count(packets: f64) -> String {
    let scales = [(1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e4, " thousand")];
    let found = scales.iter().find(|(size, _)| packets >= *size);
    found.map_or_else(
        || format!("{:.0}", packets.max(1.0)),
        |(size, name)| format!("{}{name}", show::number(packets / if *size == 1e4 { 1e3 } else { *size })),
    )
}
