//! Candidates as experiments: TOML that a person can read and run.

use super::candidate::{self, Candidate, FRAME_BITS, OTHERS_KEY};
use super::case::Case;
use super::forecast;
use super::systems::FREEBSD_KERNEL;
use diagnosis::remedy::lab::Key;
use evidence::headers::Ip;
use std::fmt::Write;

/// Flows that run at the same time as the transfer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// A ping, to measure latency.
    Ping,
    /// A ping, and a competing transfer, whose keys begin with `neighbour.`.
    Neighbour,
}

impl Beside {
    /// Returns the first seed: changes use other seeds than the search, so that chance is not counted twice.
    pub fn first_seed(self) -> usize {
        const FRESH_SEED: usize = 101;
        if self == Beside::Nothing { 1 } else { FRESH_SEED }
    }

    /// Number of flows; they come before the transfer, which may become several flows.
    pub fn flows(self) -> usize {
        match self {
            Beside::Nothing => 0,
            Beside::Ping => 1,
            Beside::Neighbour => 2,
        }
    }
}

/// An experiment on a candidate, with the cases of one axis; each case is a name and the keys that it sets.
pub struct Design<'c> {
    /// The transfer to reproduce.
    pub case: &'c Case,
    /// Title of the experiment.
    pub title: String,
    /// Question of the experiment; none if empty.
    pub question: String,
    /// The candidate under all cases.
    pub base: &'c Candidate,
    /// Name of the axis.
    pub axis: &'static str,
    /// Names and keys of the cases.
    pub cases: &'c [(String, Vec<Key>)],
    /// Seeds of each case.
    pub seeds: usize,
    /// The first seed.
    pub first: usize,
    /// Predicted range of nine of ten runs by case name, bit/s.
    pub predicted: Vec<(String, [f64; 2])>,
    /// Flows that run at the same time as the transfer.
    pub beside: Beside,
}

/// Traffic beyond the intervals, for the handshake and the last sample, seconds.
const TAIL_S: f64 = 0.1;
/// Head start of competing flows: round trips, and the shortest and longest time in seconds.
const HEAD_START: (f64, [f64; 2]) = (20.0, [0.5, 2.0]);
/// Socket buffers of competing flows, bytes, large enough never to limit.
const MIN_OTHERS_BUFFER_BYTES: f64 = 33_554_432.0;
const MAX_OTHERS_BUFFER_BYTES: f64 = 1_073_741_823.0;
/// Samples per interval, and the longest time between two, seconds.
const SAMPLES_PER_INTERVAL: f64 = 20.0;
const MAX_SAMPLE_STEP_S: f64 = 0.5;
/// Prefix of the keys of a competing transfer, which is the second flow.
pub const NEIGHBOUR_PREFIX: &str = "neighbour.";
/// Interval of pings, ms.
const PING_INTERVAL_MS: u32 = 50;

impl Design<'_> {
    /// The experiment as TOML.
    pub fn text(&self) -> String {
        let Design { case, base, axis, .. } = self;
        let mut text = format!("title    = {:?}\n", self.title);
        if !self.question.is_empty() {
            let _ = writeln!(text, "question = {:?}", self.question);
        }
        if case.ip == Ip::V6 {
            text += "family   = \"ipv6\"\n";
        }
        let systems = &case.systems;
        if systems.any_freebsd() {
            let _ = writeln!(text, "kernel   = {FREEBSD_KERNEL:?}");
        }
        let keys: Vec<Key> = merged(candidate::common(case), base.keys());
        let keys = merged(systems.own_keys(), systems.keys(&keys).unwrap_or_default());
        let lines = |prefix: &str| {
            let own = keys.iter().filter_map(|key| Some(line(key.path.strip_prefix(prefix)?, &key.literal())));
            own.collect::<String>()
        };
        let seconds = case.instrument.seconds() + TAIL_S + 2.0 * case.rtt + case.begins();
        let (others, head) = (self.others(), if self.others() > 0 { self.start() } else { 0.0 });
        let start = if others > 0 { format!("start = \"{:.0} ms\"\n", head * 1e3) } else { String::new() };
        let omit = case.omits();
        let duration = format!("{start}duration = \"{:.0} ms\"\n", seconds * 1e3);
        let _ = write!(text, "\n[path]\nrtt = \"{:.0} us\"\n{}", case.rtt * 1e6, lines("path."));
        // Buffers of competing flows are twice the BDP plus the queue, whatever the hosts' settings.
        let held = base.rate * case.rtt / 8.0 + base.buffer * FRAME_BITS / 8.0;
        let room = (2.0 * held).clamp(MIN_OTHERS_BUFFER_BYTES, MAX_OTHERS_BUFFER_BYTES);
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
            let _ = write!(text, "\n[[flows]]\nkind = \"ping\"\ninterval = \"{PING_INTERVAL_MS} ms\"\n{duration}");
        }
        if self.beside == Beside::Neighbour {
            let _ = write!(text, "\n[[flows]]\n{buffers}{duration}");
        }
        if others > 0 {
            let all = format!("duration = \"{:.0} ms\"\n", (head + seconds) * 1e3);
            let _ = write!(text, "\n[[flows]]\ncount = {others}\ncongestion = \"cubic\"\n{buffers}{all}");
        }
        let _ = write!(text, "\n[[flows]]\n{duration}omit = \"{omit:.0} ns\"\n{}", lines("flows."));
        let interval = ((case.instrument.step / SAMPLES_PER_INTERVAL).min(MAX_SAMPLE_STEP_S) * 1e6).round();
        let _ = write!(text, "\n[record]\ninterval = \"{interval:.0} us\"\n\n[repeat]\nseeds = {}\n", self.seeds);
        for (name, keys) in self.cases {
            let _ = writeln!(text, "\n[vary.{axis}.{name}]");
            let section = self.beside.flows() + usize::from(others > 0);
            let own = systems.keys(keys).unwrap_or_default();
            let own = own.iter().filter(|key| key.path != OTHERS_KEY);
            own.for_each(|key| text += &format!("{}\n", of_flow(section, key)));
        }
        for (name, [low, high]) in &self.predicted {
            let _ = write!(
                text,
                "\n[[expect]]\nmeasure = \"goodput\"\nwhere   = {{ {axis} = {name:?} }}\nbetween = [\"{low:.0} bit/s\", \
                 \"{high:.0} bit/s\"]\nshare   = \"{:.0} %\"\n",
                100.0 * forecast::RANGE_COVERAGE
            );
        }
        text
    }

    /// The number of competing flows, the same in each case.
    pub fn others(&self) -> usize {
        let cases = self.cases.first().map_or(vec![], |(_, keys)| keys.clone());
        others(&merged(self.base.keys(), cases))
    }

    /// Start of the transfer after competing flows, seconds.
    fn start(&self) -> f64 {
        let (trips, [least, most]) = HEAD_START;
        (trips * self.case.rtt).clamp(least, most)
    }
}

/// The number of competing flows in these keys.
pub fn others(keys: &[Key]) -> usize {
    let own = keys.iter().rev().find(|key| key.path == OTHERS_KEY);
    own.and_then(|key| key.value.as_integer()).map_or(0, |count| count.max(0) as usize)
}

/// Writes a line of a section; sysctls are a table.
fn line(name: &str, value: &str) -> String {
    match name.strip_prefix("sysctl.") {
        Some(sysctl) => format!("sysctl.\"{sysctl}\" = {value}\n"),
        None => format!("{name} = {value}\n"),
    }
}

/// Returns the key with the number of its flow: the transfer or the competing one.
fn of_flow(number: usize, key: &Key) -> Key {
    let own = [("flows.", number), (NEIGHBOUR_PREFIX, 1)];
    let of = own.iter().find_map(|(prefix, number)| Some((key.path.strip_prefix(prefix)?, number)));
    of.map_or_else(|| key.clone(), |(name, number)| Key::new(format!("flows.{number}.{name}"), key.value.clone()))
}

/// Merges keys; a later one replaces an earlier one of the same path.
pub fn merged(keys: Vec<Key>, more: Vec<Key>) -> Vec<Key> {
    let mut all: Vec<Key> = vec![];
    for key in keys.into_iter().chain(more) {
        all.retain(|known| known.path != key.path);
        all.push(key);
    }
    all
}
