//! Paths drawn at random, each from its number: a link, and one or two mechanisms that limit a transfer.

use super::SECONDS;
use prove::{Candidate, Mechanism};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Limit of a transfer: a mechanism, or the link with its queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cause {
    /// A mechanism, with its quantities in the order of its row.
    Mechanism(Mechanism, [f64; 2]),
    /// A queue by its name in a verdict, and its length in packets.
    Queue(&'static str, f64),
}

/// Program and format of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Source {
    /// `iperf3 -J`.
    Json,
    /// iperf3.
    Text,
    /// `ss -tinm`, once in a second.
    Ss,
}

/// A path.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// Number of the path, from which it is drawn.
    pub number: u64,
    /// Link rate, bit/s.
    pub rate: f64,
    /// RTT of the idle path, s.
    pub rtt: f64,
    /// One or two causes.
    pub causes: Vec<Cause>,
}

/// Head start of competing flows, seconds.
const HEAD_START_S: f64 = 2.0;

struct Lot(Xoshiro256PlusPlus);

impl Lot {
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Evenly over the logarithm.
    fn from(&mut self, low: f64, high: f64) -> f64 {
        (low.ln() + self.unit() * (high / low).ln()).exp()
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[(self.unit() * all.len() as f64) as usize % all.len()]
    }
}

const SEED: u64 = 17;
/// Causes drawn alone, and pairs of causes.
const SINGLE_CAUSES: [&str; 9] = [
    "receive window",
    "send buffer",
    "random loss",
    "burst loss",
    "policer",
    "reordering",
    "line",
    "small queue",
    "large queue",
];
const CAUSE_PAIRS: [[&str; 2]; 6] = [
    ["random loss", "receive window"],
    ["random loss", "send buffer"],
    ["small queue", "receive window"],
    ["policer", "random loss"],
    ["policer", "receive window"],
    ["random loss", "reordering"],
];

/// Paths from this number on have the causes added later, so that the others stay the same.
const FIRST_ADDED: u64 = 1000;
const ADDED_CAUSES: [&str; 3] = ["shared bottleneck", "AQM", "AQM that marks"];

/// The path of a number. Every third of the first has two mechanisms.
pub fn path(number: u64) -> Drawn {
    let mut lot = Lot(Xoshiro256PlusPlus::seed_from_u64(SEED + number));
    let rate = (lot.from(6e6, 40e6) / 1e5).round() * 1e5;
    let rtt = (lot.from(0.015, 0.12) * 1e3).round() / 1e3;
    let names: Vec<&str> = match number {
        FIRST_ADDED.. => vec![lot.one(&ADDED_CAUSES)],
        _ if number % 3 == 2 => lot.one(&CAUSE_PAIRS).to_vec(),
        _ => vec![lot.one(&SINGLE_CAUSES)],
    };
    let causes = names.into_iter().map(|name| cause(name, rate, rtt, &mut lot)).collect();
    Drawn { number, rate, rtt, causes }
}

/// Draws quantities at which the mechanism limits the transfer to about a fifth to four fifths of the link.
fn cause(name: &'static str, rate: f64, rtt: f64, lot: &mut Lot) -> Cause {
    let bdp = rate * rtt / 8.0;
    let share = lot.from(0.2, 0.7);
    let kind = |kind: Mechanism, first: f64, second: f64| Cause::Mechanism(kind, [first, second]);
    // Mathis et al. 1997, C = 1.2.
    let lost = (1.2 * 1448.0 * 8.0 / (share * rate * rtt)).powi(2).clamp(2e-4, 0.05);
    match name {
        "receive window" => kind(Mechanism::ReceiveWindow, (2.0 * share * bdp).max(8000.0), 0.0),
        "send buffer" => kind(Mechanism::SendBuffer, (1.5 * share * bdp).max(12_000.0), 0.0),
        "random loss" => kind(Mechanism::Loss, lost, 0.0),
        "burst loss" => kind(Mechanism::Bursts, lost, 4.0),
        "policer" => kind(Mechanism::Policer, share * rate, lot.from(10e3, 60e3)),
        "reordering" => kind(Mechanism::Reordering, lot.from(0.02, 0.1), rtt * lot.from(0.3, 1.0)),
        "shared bottleneck" => kind(Mechanism::Shared, lot.from(1.0, 6.0).round(), 0.0),
        // CUBIC keeps a line full over a target of 5 ms while its window is a few times that; beyond it does not.
        "AQM" => kind(Mechanism::Aqm, 0.005, 0.0),
        "AQM that marks" => kind(Mechanism::Aqm, 0.005, 1.0),
        "small queue" => Cause::Queue("small queue", (lot.from(0.05, 0.25) * bdp / 1514.0).round().max(3.0)),
        "large queue" => Cause::Queue("large queue", (lot.from(3.0, 8.0) * bdp / 1514.0).round()),
        _ => Cause::Queue("line", (bdp / 1514.0).round().max(8.0)),
    }
}

impl Cause {
    /// Name in a verdict.
    pub fn name(&self) -> &'static str {
        match self {
            Cause::Mechanism(kind, _) => kind.name(),
            Cause::Queue(name, _) => name,
        }
    }
}

impl Drawn {
    /// The names of the causes.
    pub fn names(&self) -> Vec<&'static str> {
        self.causes.iter().map(Cause::name).collect()
    }

    /// The same path without one of its causes: a small queue becomes one of a BDP.
    pub fn without(&self, cause: usize) -> Drawn {
        let mut causes = self.causes.clone();
        causes.remove(cause);
        Drawn { causes, ..self.clone() }
    }

    /// A mechanism that the path lacks, and that does not look like one that it has, if there is one.
    pub fn wrong(&self) -> Option<&'static str> {
        let has = |name: &str| self.names().contains(&name);
        match (has("receive window") || has("send buffer"), has("policer")) {
            (true, true) => None,
            (true, false) => Some("policer"),
            (false, _) => Some("receive-window"),
        }
    }

    /// Output of the ping before the transfer. The guest has no ping; the idle path would answer in its RTT.
    pub fn ping(&self) -> String {
        let rtt = self.rtt * 1e3;
        let mut text = "PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.\n".to_owned();
        for number in 1..=10 {
            let _ = writeln!(text, "64 bytes from 10.0.0.2: icmp_seq={number} ttl=64 time={:.1} ms", rtt + 0.1);
        }
        let (low, high) = (rtt + 0.1, rtt + 0.1);
        let _ = writeln!(
            text,
            "\n--- 10.0.0.2 ping statistics ---\n10 packets transmitted, 10 received, 0% packet loss, time 9012ms"
        );
        let _ = writeln!(text, "rtt min/avg/max/mdev = {low:.3}/{low:.3}/{high:.3}/0.010 ms\n");
        text
    }

    /// The network as sections of an experiment.
    fn sections(&self, run: [&str; 2]) -> String {
        let (mut path, mut hosts) = (String::new(), [String::new(), String::new()]);
        let buffer = self.buffer();
        for cause in &self.causes {
            match *cause {
                Cause::Queue(..) => {}
                Cause::Mechanism(kind, [a, b]) => match kind {
                    Mechanism::ReceiveWindow => hosts[1] += &memory("rmem", a, 131_072.0),
                    Mechanism::SendBuffer => hosts[0] += &memory("wmem", a, 16_384.0),
                    Mechanism::Loss => path += &format!("loss = \"{:.4} %\"\n", a * 100.0),
                    Mechanism::Bursts => {
                        path += &format!("loss = {{ p = \"{:.4} %\", r = \"{:.2} %\" }}\n", 100.0 * a / b, 100.0 / b)
                    }
                    Mechanism::Policer => {
                        path += &format!("police = {{ rate = \"{:.0} kbit/s\", burst = \"{b:.0} B\" }}\n", a / 1e3)
                    }
                    Mechanism::Reordering => {
                        path +=
                            &format!("reorder = {{ share = \"{:.2} %\", by = \"{:.0} us\" }}\n", a * 100.0, b * 1e6);
                    }
                    Mechanism::Aqm => {
                        let target = format!("{:.0} ms", a * 1e3);
                        path += &format!("queue = {{ discipline = \"fq_codel\", target = {target:?}, ecn = true }}\n");
                        hosts.iter_mut().filter(|_| b > 0.0).for_each(|host| *host += "ecn = true\n");
                    }
                    Mechanism::Shared
                    | Mechanism::Hole
                    | Mechanism::Outage
                    | Mechanism::Pace
                    | Mechanism::Reader
                    | Mechanism::EarlyExit
                    | Mechanism::Overshoot => {}
                },
            }
        }
        let room = match self.others() {
            0 => "",
            _ => "[hosts.sysctl]\n\"net.core.rmem_max\" = 33554432\n\"net.core.wmem_max\" = 33554432\n",
        };
        format!(
            "title = \"path {}\"\n\n[path]\nrate = \"{:.0} kbit/s\"\nrtt = \"{:.0} us\"\nbuffer = \"{buffer:.0} packets\"\n{path}\n{room}[hosts.sender]\n{}{}\n[hosts.receiver]\n{}{}\n",
            self.number,
            self.rate / 1e3,
            self.rtt * 1e6,
            hosts[0],
            run[0],
            hosts[1],
            run[1]
        )
    }

    /// Source of the evidence: each of three in turn, on as many paths with one mechanism as with two.
    pub fn source(&self) -> Source {
        [Source::Json, Source::Text, Source::Ss][(self.number / 6) as usize % 3]
    }

    /// The laboratory's candidate with all that was drawn.
    pub fn candidate(&self) -> Candidate {
        let mut candidate = Candidate::line(self.rate, self.buffer());
        for cause in &self.causes {
            if let Cause::Mechanism(kind, values) = cause {
                candidate = candidate.with(*kind, &values[..kind.row().1.len()]);
            }
        }
        candidate
    }

    /// How many transfers of others use the line.
    pub fn others(&self) -> usize {
        let own = self.causes.iter().find_map(|cause| match cause {
            Cause::Mechanism(Mechanism::Shared, [count, _]) => Some(*count as usize),
            _ => None,
        });
        own.unwrap_or(0)
    }

    /// The other flows, which start before the transfer and last until it ends, after `seconds`.
    fn with_others(&self, seconds: f64) -> String {
        match self.others() {
            0 => String::new(),
            count => format!(
                "[[flows]]\ncount = {count}\nsend-buffer = \"32 MiB\"\nreceive-buffer = \"32 MiB\"\nduration = \"{:.0} ms\"\n",
                (seconds + HEAD_START_S) * 1e3
            ),
        }
    }

    fn buffer(&self) -> f64 {
        if self.causes.iter().any(|cause| matches!(cause, Cause::Mechanism(Mechanism::Aqm, _))) {
            return 10_240.0;
        }
        let told = self.causes.iter().find_map(|cause| match cause {
            Cause::Queue(_, packets) => Some(*packets),
            Cause::Mechanism(..) => None,
        });
        told.unwrap_or_else(|| (self.rate * self.rtt / 8.0 / 1514.0).round().max(8.0))
    }

    /// The experiment in which iperf3 runs, and `ss` at the same time if it is the source.
    pub fn with_iperf3(&self, seeds: usize) -> String {
        let json = if self.source() == Source::Json { " -J" } else { "" };
        let after = |ms: f64| ms + if self.others() > 0 { HEAD_START_S * 1e3 } else { 0.0 };
        let look = match self.source() {
            Source::Ss => {
                // Flows of others run between the same hosts; iperf3 listens here.
                let of = if self.others() > 0 { "dport = 5201" } else { "dst 10.0.0.2" };
                let at = after(900.0);
                format!(
                    "{{ at = \"{at:.0} ms\", background = true, command = \"while :; do ss -tinm {of}; sleep 1; done\" }}, "
                )
            }
            _ => String::new(),
        };
        let at = after(300.0);
        let client =
            format!("run = [{look}{{ at = \"{at:.0} ms\", command = \"iperf3 -c 10.0.0.2 -t {SECONDS}{json}\" }}]\n");
        let server = "run = [{ command = \"iperf3 -s\", background = true }]\n";
        let others = self.with_others(f64::from(SECONDS) + 2.0);
        format!("{}{others}[record]\ninterval = \"1 s\"\n[repeat]\nseeds = {seeds}\n", self.sections([&client, server]))
    }

    /// The experiment that measures the effect of a change on the path.
    pub fn with_change(&self, keys: &[String], seeds: usize) -> String {
        let mut text = self.sections(["", ""]);
        let seconds = f64::from(SECONDS) + 0.1 + 3.0 * self.rtt;
        let start =
            if self.others() > 0 { format!("start = \"{:.0} ms\"\n", HEAD_START_S * 1e3) } else { String::new() };
        let duration = format!("{start}duration = \"{:.0} ms\"\n", seconds * 1e3);
        let others = self.with_others(seconds);
        let _ = write!(
            text,
            "[[flows]]\nkind = \"ping\"\ninterval = \"50 ms\"\n{duration}{others}[[flows]]\n{duration}\
             [record]\ninterval = \"50 ms\"\n[repeat]\nseeds = {seeds}\n"
        );
        if !keys.is_empty() {
            text += "[vary.remedy.it]\n";
        }
        let own = format!("\"flows.{}.", if self.others() > 0 { 2 } else { 1 });
        keys.iter().for_each(|key| text += &format!("{}\n", key.replace("\"flows.", &own)));
        text
    }
}

fn memory(name: &str, most: f64, first: f64) -> String {
    format!("sysctl = {{ \"net.ipv4.tcp_{name}\" = \"4096 {:.0} {most:.0}\" }}\n", most.min(first))
}
