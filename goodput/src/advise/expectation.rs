//! What each congestion control would get, and which one to take.

use super::remedy::{self, Remedy};
use super::{Request, Step, step};
use crate::measure::Unit;
use crate::model::response::{ALGORITHMS, Algorithm, Name, Path};
use crate::show;
use evidence::System;
use evidence::platform::Platform;
use serde::Serialize;

/// What a congestion control would get.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Expectation {
    /// As tables name it.
    pub algorithm: &'static str,
    /// As the system calls it.
    pub name: Option<Name>,
    /// Why the system has none such.
    pub absent: Option<String>,
    /// Payload rate of all flows together at the loss that is told, or without loss, with buffers that are large enough,
    /// bit/s; `None` if nobody knows.
    pub goodput: Option<f64>,
    /// The same with the buffers of the version's defaults.
    pub default_buffers: Option<f64>,
    /// The share of packets lost, in events, up to which a flow keeps all of its share of the line.
    pub tolerates: f64,
    /// The time between two such losses of a flow at that rate, s.
    pub every: f64,
    /// What has to be known of it.
    pub note: &'static str,
    /// Where the response comes from.
    pub source: &'static str,
}

/// Of all algorithms, on this system or not.
pub fn all(request: &Request, path: &Path) -> Vec<Expectation> {
    let limits = crate::model::buffer::Limits::of(&request.platform);
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

/// The name of an algorithm on a system, or why it has none.
fn here(algorithm: &Algorithm, platform: &Platform) -> (Option<Name>, Option<String>) {
    let (name, other) = match platform.system {
        System::Linux => (algorithm.linux, algorithm.freebsd.map(|_| "FreeBSD's")),
        System::FreeBsd => (algorithm.freebsd, algorithm.linux.map(|_| "Linux'")),
    };
    match name {
        Some(_) if platform.system == System::Linux && !platform.is_since(algorithm.linux_since) => {
            (None, Some(format!("from Linux {} on", algorithm.linux_since)))
        }
        Some(Name::Stack(_)) if !platform.is_since("15.0") => (None, Some("with options TCPHPTS in the kernel".into())),
        None => (None, Some(other.unwrap_or("in no released kernel").into())),
        name => (name, None),
    }
}

impl Expectation {
    /// What a flow bears at the rate of the line.
    pub fn bears(&self) -> String {
        if self.tolerates >= 0.01 {
            return format!("{} of its packets lost", percent(self.tolerates));
        }
        format!("1 event in {} packets, or in {}", count(1.0 / self.tolerates), show::value(Unit::Seconds, self.every))
    }

    /// Its line of the arithmetic.
    pub fn step(&self, path: &Path, loss: Option<f64>) -> Step {
        let keeps = format!("keeps {} up to {}", show::value(Unit::BitsPerSecond, path.rate), self.bears());
        let sum = match (loss, self.goodput) {
            (Some(loss), Some(rate)) => {
                format!("at {}: {} in all; a flow {keeps}", percent(loss), show::value(Unit::BitsPerSecond, rate))
            }
            (Some(loss), None) => format!("at {}: not known; a flow {keeps}", percent(loss)),
            (None, _) => format!("a flow {keeps}"),
        };
        step(self.algorithm, sum, self.source)
    }
}

/// A congestion control that is to be taken, and why.
#[derive(Debug)]
pub struct Choice {
    /// What to change to; `None` if the default is right.
    pub change: Option<Name>,
    /// The payload rate that all flows come to with it, bit/s.
    pub rate: f64,
    /// Why.
    pub sentence: String,
    /// What that leaves open.
    pub doubts: Vec<String>,
}

/// With so much of the line the default is as good as any.
pub const ENOUGH: f64 = 0.9;

/// Another one has to be better by this factor: what it does to other traffic is a price.
const WORTH: f64 = 1.25;

/// With less than this of the line nothing helps.
const HOPELESS: f64 = 0.5;

/// Even then another one is taken if it is better by this factor.
const RESCUE: f64 = 1.5;

/// More flows than these at a time are no way out.
const MANY: f64 = 64.0;

/// Chooses: the default while it fills the line, else what does best on this system.
pub fn choose(request: &Request, line: f64, expected: &[Expectation]) -> Choice {
    let rate = |value: f64| show::value(Unit::BitsPerSecond, value);
    let default = request.platform.default_control();
    let named = |e: &&Expectation| e.name == Some(Name::Control(default));
    let cubic = |e: &&Expectation| e.algorithm == "cubic";
    let Some(now) = expected.iter().find(named).or_else(|| expected.iter().find(cubic)) else {
        return Choice { change: None, rate: line, sentence: String::new(), doubts: vec![] };
    };
    let each = if request.flows > 1 { "each flow" } else { "it" };
    let limit = |e: &Expectation| {
        format!(
            "{} fills the line as long as {each} meets less than one loss event in {} packets, which is one in {}",
            capitals(e.algorithm),
            count(1.0 / e.tolerates),
            show::value(Unit::Seconds, e.every),
        )
    };
    let Some(loss) = request.loss else {
        // FreeBSD before 14.0 begins with NewReno.
        let better = expected.iter().find(cubic).filter(|e| e.tolerates > now.tolerates * WORTH);
        let taken = better.unwrap_or(now);
        return Choice {
            change: better.and_then(|e| e.name),
            rate: line,
            sentence: format!("{}.", limit(taken)),
            doubts: vec![
                "Without --loss nobody knows what binds: run iperf3 for 30 s, and give how often it retransmitted, bursts \
                 and not packets, as a share of the packets sent."
                    .into(),
            ],
        };
    };
    let now_rate = now.goodput.unwrap_or(0.0);
    if now_rate >= ENOUGH * line {
        let sentence = format!("{}: at {} it does.", limit(now), percent(loss));
        return Choice { change: None, rate: now_rate, sentence, doubts: vec![] };
    }
    let usable = expected.iter().filter(|e| e.name.is_some());
    let best = usable.max_by(|a, b| a.goodput.unwrap_or(0.0).total_cmp(&b.goodput.unwrap_or(0.0))).unwrap_or(now);
    let best_rate = best.goodput.unwrap_or(0.0);
    let worth = if best_rate >= HOPELESS * line { WORTH } else { RESCUE };
    let change = (best_rate >= worth * now_rate).then_some(best.name).flatten();
    let later = expected.iter().find(|e| e.algorithm == "bbr" && e.name.is_none());
    let later = later.and_then(|e| Some((e.goodput.filter(|rate| *rate >= WORTH * best_rate)?, e.absent.as_ref()?)));
    let flows = (f64::from(request.flows) * line / now_rate.max(1.0)).ceil();
    let mut sentence = format!(
        "A loss of {} at {} gives {} {} of the {} that the line has, whatever the buffers",
        percent(loss),
        show::value(Unit::Seconds, request.rtt),
        capitals(now.algorithm),
        rate(now_rate),
        rate(line)
    );
    let mut ways = vec![];
    if change.is_some() {
        ways.push(format!("{} would get {}", capitals(best.algorithm), rate(best_rate)));
    }
    if let Some((there, since)) = later {
        ways.push(format!("BBR, {since}, would get {}", rate(there)));
    }
    if flows <= MANY {
        ways.push(format!("{flows} flows of {} would fill it", capitals(now.algorithm)));
    }
    if !ways.is_empty() {
        sentence += &format!("; {}", ways.join(", and "));
    }
    sentence += ".";
    if flows > MANY && later.map_or(best_rate, |(there, _)| there) < HOPELESS * line {
        sentence += " Nothing that a host sets brings it near that: find what loses the packets.";
    }
    let mut doubts = vec![];
    if change.is_none() && later.is_some() {
        doubts.push("With BBR the buffers have to be larger as well: ask again with the --version that has it.".into());
    }
    if change.is_some() && !best.note.is_empty() {
        doubts.push(format!("{} {}.", capitals(best.algorithm), best.note));
    }
    if let Some(Name::Stack(name)) = change {
        doubts.push(format!(
            "That FreeBSD's stack {name} answers to loss as Linux' {name} does is taken for granted here, not measured; \
             a sender with Linux is the surer way."
        ));
    }
    if request.platform.system == System::FreeBsd && loss >= 0.02 {
        doubts.push(
            "FreeBSD's RACK stack repairs many losses sooner: of 3 and 4 % in a LAN it had 3.5 and 5.7 times the goodput \
             of the default stack, but two thirds of it at 1 % (wiki.freebsd.org/chengcui/newtest)."
                .into(),
        );
    }
    let rate = if change.is_some() { best_rate } else { now_rate };
    Choice { change, rate, sentence, doubts }
}

impl Choice {
    /// What to do for it.
    pub fn remedies(&self, name: Name, platform: &Platform, interface: Option<&str>) -> Vec<Remedy> {
        match name {
            Name::Stack(name) => vec![remedy::stack(name, platform)],
            Name::Control("bbr") => vec![remedy::congestion("bbr", platform), remedy::fq(interface, platform)],
            Name::Control(name) => vec![remedy::congestion(name, platform)],
        }
    }
}

/// An algorithm as a sentence names it.
fn capitals(algorithm: &str) -> String {
    match algorithm {
        "reno" => "Reno".into(),
        other => other.to_uppercase(),
    }
}

/// A share that was told, with its digits.
fn percent(share: f64) -> String {
    show::plain_share(share)
}

/// A number of packets, three digits of it.
fn count(packets: f64) -> String {
    let scales = [(1e12, " trillion"), (1e9, " billion"), (1e6, " million"), (1e4, " thousand")];
    let found = scales.iter().find(|(size, _)| packets >= *size);
    found.map_or_else(
        || format!("{:.0}", packets.max(1.0)),
        |(size, name)| format!("{}{name}", show::number(packets / if *size == 1e4 { 1e3 } else { *size })),
    )
}
