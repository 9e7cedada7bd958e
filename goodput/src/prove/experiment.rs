//! Candidates as experiments: TOML that a person can read and run.

use super::candidate::{self, Candidate, FRAME, OTHERS};
use super::case::Case;
use super::forecast;
use crate::remedy::lab::Key;
use evidence::headers::Ip;
use std::fmt::Write;

/// What runs beside the transfer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// A ping, to see what the change does to latency.
    Ping,
    /// A ping, and a transfer of somebody else's, whose keys begin with `neighbour.`.
    Neighbour,
}

impl Beside {
    /// The first seed: what a change brings is tried with others than a path was found with, so that luck is not counted twice.
    pub fn first_seed(self) -> usize {
        const FRESH: usize = 101;
        if self == Beside::Nothing { 1 } else { FRESH }
    }

    /// How many flows; the transfer comes after them, since it may become several.
    pub fn flows(self) -> usize {
        match self {
            Beside::Nothing => 0,
            Beside::Ping => 1,
            Beside::Neighbour => 2,
        }
    }
}

/// An experiment on a candidate with cases of one axis, each a name and the keys that it sets.
pub struct Design<'c> {
    /// What is to be reproduced.
    pub case: &'c Case,
    /// Of the experiment.
    pub title: String,
    /// Of the experiment; none if empty.
    pub question: String,
    /// What every case has.
    pub base: &'c Candidate,
    /// What varies.
    pub axis: &'static str,
    /// Their names and keys.
    pub cases: &'c [(String, Vec<Key>)],
    /// Of each case.
    pub seeds: usize,
    /// The first of them.
    pub first: usize,
    /// In which nine of ten runs of a case are predicted to lie, bit/s, by its name.
    pub predicted: Vec<(String, [f64; 2])>,
    /// What runs beside the transfer.
    pub beside: Beside,
}

/// Beyond what is watched: the handshake and what the instrument looks at last, seconds.
const AFTER: f64 = 0.1;
/// Other transfers are under way when the one begins: round trips, and seconds at least and at most.
const BEFORE: (f64, [f64; 2]) = (20.0, [0.5, 2.0]);
/// Their socket buffers, which are never what holds them back, bytes. The cases of a round have lines of their own.
const LEAST_ROOM: f64 = 33_554_432.0;
const MOST_ROOM: f64 = 1_073_741_823.0;
/// Samples in an interval.
const SAMPLES: f64 = 20.0;
/// Of the keys of somebody else's transfer, which is the second flow.
pub const NEIGHBOUR: &str = "neighbour.";
/// Between two pings, ms.
const PINGED: u32 = 50;

impl Design<'_> {
    /// As it is written.
    pub fn text(&self) -> String {
        let Design { case, base, axis, .. } = self;
        let mut text = format!("title    = {:?}\n", self.title);
        if !self.question.is_empty() {
            let _ = writeln!(text, "question = {:?}", self.question);
        }
        if case.ip == Ip::V6 {
            text += "family   = \"ipv6\"\n";
        }
        let keys: Vec<Key> = merged(candidate::common(case), base.keys());
        let lines = |prefix: &str| {
            let own = keys.iter().filter_map(|key| Some(line(key.path.strip_prefix(prefix)?, &key.literal())));
            own.collect::<String>()
        };
        let seconds = case.instrument.seconds() + AFTER + 2.0 * case.rtt + case.begins();
        let (others, head) = (self.others(), if self.others() > 0 { self.start() } else { 0.0 });
        let start = if others > 0 { format!("start = \"{:.0} ms\"\n", head * 1e3) } else { String::new() };
        let omit = case.omits();
        let duration = format!("{start}duration = \"{:.0} ms\"\n", seconds * 1e3);
        let _ = write!(text, "\n[path]\nrtt = \"{:.0} us\"\n{}", case.rtt * 1e6, lines("path."));
        // Somebody else's hosts have room for twice what the line and its queue hold, whatever these are set to.
        let held = base.rate * case.rtt / 8.0 + base.buffer * FRAME / 8.0;
        let room = (2.0 * held).clamp(LEAST_ROOM, MOST_ROOM);
        let buffers = format!("send-buffer = \"{room:.0} B\"\nreceive-buffer = \"{room:.0} B\"\n");
        if others > 0 || self.beside == Beside::Neighbour {
            let most = ["rmem", "wmem"].map(|name| format!("\"net.core.{name}_max\" = {room:.0}\n"));
            let _ = write!(text, "\n[hosts.sysctl]\n{}", most.concat());
        }
        for host in ["sender", "receiver"] {
            let own = lines(&format!("hosts.{host}."));
            if !own.is_empty() {
                let _ = write!(text, "\n[hosts.{host}]\n{own}");
            }
        }
        if self.beside != Beside::Nothing {
            let _ = write!(text, "\n[[flows]]\nkind = \"ping\"\ninterval = \"{PINGED} ms\"\n{duration}");
        }
        if self.beside == Beside::Neighbour {
            let _ = write!(text, "\n[[flows]]\n{buffers}{duration}");
        }
        if others > 0 {
            let all = format!("duration = \"{:.0} ms\"\n", (head + seconds) * 1e3);
            let _ = write!(text, "\n[[flows]]\ncount = {others}\ncongestion = \"cubic\"\n{buffers}{all}");
        }
        let _ = write!(text, "\n[[flows]]\n{duration}omit = \"{omit:.0} ns\"\n{}", lines("flows."));
        let interval = (case.instrument.step * 1e6 / SAMPLES).round();
        let _ = write!(text, "\n[record]\ninterval = \"{interval:.0} us\"\n\n[repeat]\nseeds = {}\n", self.seeds);
        for (name, keys) in self.cases {
            let _ = writeln!(text, "\n[vary.{axis}.{name}]");
            let section = self.beside.flows() + usize::from(others > 0);
            let own = keys.iter().filter(|key| key.path != OTHERS);
            own.for_each(|key| text += &format!("{}\n", of_flow(section, key)));
        }
        for (name, [low, high]) in &self.predicted {
            let _ = write!(
                text,
                "\n[[expect]]\nmeasure = \"goodput\"\nwhere   = {{ {axis} = {name:?} }}\nbetween = [\"{low:.0} bit/s\", \
                 \"{high:.0} bit/s\"]\nshare   = \"{:.0} %\"\n",
                100.0 * forecast::COVERED
            );
        }
        text
    }

    /// How many other transfers use the line: as many in each case.
    pub fn others(&self) -> usize {
        let cases = self.cases.first().map_or(vec![], |(_, keys)| keys.clone());
        others(&merged(self.base.keys(), cases))
    }

    /// When the transfer begins if others are under way, seconds.
    fn start(&self) -> f64 {
        let (trips, [least, most]) = BEFORE;
        (trips * self.case.rtt).clamp(least, most)
    }
}

/// How many other transfers these keys stand for.
pub fn others(keys: &[Key]) -> usize {
    let own = keys.iter().rev().find(|key| key.path == OTHERS);
    own.and_then(|key| key.value.as_integer()).map_or(0, |count| count.max(0) as usize)
}

/// A line of a section: sysctls are a table in it.
fn line(name: &str, value: &str) -> String {
    match name.strip_prefix("sysctl.") {
        Some(sysctl) => format!("sysctl.\"{sysctl}\" = {value}\n"),
        None => format!("{name} = {value}\n"),
    }
}

/// Keys of flows are of the transfer alone, or of somebody else's.
fn of_flow(number: usize, key: &Key) -> Key {
    let own = [("flows.", number), (NEIGHBOUR, 1)];
    let of = own.iter().find_map(|(prefix, number)| Some((key.path.strip_prefix(prefix)?, number)));
    of.map_or_else(|| key.clone(), |(name, number)| Key::new(format!("flows.{number}.{name}"), key.value.clone()))
}

/// Keys, the later ones in place of earlier ones of the same path.
pub fn merged(keys: Vec<Key>, more: Vec<Key>) -> Vec<Key> {
    let mut all: Vec<Key> = vec![];
    for key in keys.into_iter().chain(more) {
        all.retain(|known| known.path != key.path);
        all.push(key);
    }
    all
}
