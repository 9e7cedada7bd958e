//! Counters of a transfer from the laboratory and the sender's kernel.

use analysis::Series;
use plan::network::What;
use plan::network::topology::Step;
use plan::{Scene, Stage};

/// A transfer: when it began and how long it was to last, seconds, over which rate, bit/s, and when that was down.
#[derive(Clone, Copy)]
pub struct Transfer {
    pub start: f64,
    pub seconds: f64,
    pub rate: f64,
    pub down: Option<[f64; 2]>,
}

/// Places where packets are dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Drops {
    /// Random loss.
    Loss,
    /// Drops of a policer.
    Police,
    /// Drops of the bottleneck's queue.
    Queue,
}

/// Counters while iperf3 ran.
#[derive(Debug, Clone, Default)]
pub struct Counted {
    /// Output of the bottleneck's queue over its rate, after slow start.
    pub utilisation: f64,
    /// Mean queueing delay at the bottleneck, s.
    pub delay: f64,
    /// Packets that were dropped: by chance, by a policer, by the queue.
    drops: [f64; 3],
    /// tcp_info's busy time as a share of the connections' time.
    pub busy: f64,
    /// Its rwnd-limited time.
    pub rwnd: f64,
    /// Its sndbuf-limited time.
    pub sndbuf: f64,
    /// Rate of acknowledged data, bit/s.
    pub goodput: f64,
    /// From the path's going down to the first packet after it was up again, seconds: retransmissions are then far apart
    /// (RFC 6298, 5.5).
    pub silent: f64,
}

/// A link is full from this share of its rate on.
pub const FULL_LINK_SHARE: f64 = 0.9;
/// Slow start, seconds.
const SLOW_START_S: f64 = 2.0;

impl Counted {
    /// The share of the time in which the congestion window bound below the line's rate.
    pub fn reduced(&self) -> f64 {
        let bound = (self.busy - self.rwnd - self.sndbuf).clamp(0.0, 1.0);
        if self.utilisation < FULL_LINK_SHARE { bound } else { 0.0 }
    }

    /// The same, for the share of the drops that were of one kind.
    pub fn backing_off(&self, from: Drops) -> f64 {
        let all: f64 = self.drops.iter().sum();
        if all > 0.0 { self.reduced() * self.drops[from as usize] / all } else { 0.0 }
    }

    /// Counters of a transfer, with `ss` output taken during it.
    pub fn of(scene: &Scene, series: &Series, transfer: Transfer, watched: &str) -> Counted {
        let Transfer { start, seconds, rate, down } = transfer;
        // If there are three links, the narrow one is in the middle.
        let step = Step { link: if scene.links.len() == 3 { 1 } else { 0 }, lane: 0 };
        let mut counted = Counted::default();
        counted.tcp(seconds, watched);
        let span = [start + SLOW_START_S, start + seconds].map(|time| (time * 1e9) as u64);
        if let Some(queue) = series.queue(scene, step) {
            let [from, to] = span.map(|time| queue.time.partition_point(|at| *at < time).min(queue.time.len() - 1));
            let seconds = (queue.time[to] - queue.time[from]) as f64 / 1e9;
            let rose = |counter: &[u64]| (counter[to] - counter[from]) as f64;
            let bits = 8.0 * (rose(&queue.sent_bytes) + 24.0 * rose(&queue.sent_packets));
            let backlog: f64 = queue.backlog[from..to].iter().map(|n| *n as f64).sum();
            counted.utilisation = bits / seconds / rate;
            counted.delay = 8.0 * backlog / (to - from).max(1) as f64 / rate;
            counted.drops[Drops::Queue as usize] = queue.drops.last().copied().unwrap_or(0) as f64;
            if let Some([down, up]) = down {
                let up = queue.time.partition_point(|at| (*at as f64) < 1e9 * up).min(queue.time.len() - 1);
                let next = queue.sent_packets.partition_point(|sent| *sent <= queue.sent_packets[up]);
                let flows = queue.time.get(next).map_or(start + seconds, |at| *at as f64 / 1e9);
                counted.silent = flows.min(start + seconds) - down;
            }
        } else {
            counted.utilisation = counted.goodput * 1538.0 / 1448.0 / rate;
        }
        for (what, stage) in series.probed(scene, step) {
            let dropped = stage.drops.last().copied().unwrap_or(0) as f64;
            match what {
                What::Stage(number) => {
                    if let Some(kind) = kind(scene, step, number) {
                        counted.drops[kind as usize] += dropped;
                    }
                }
                What::Queue | What::Nic => {}
            }
        }
        counted
    }

    /// Reads the kernel's last values for the connections that carried data.
    fn tcp(&mut self, seconds: f64, watched: &str) {
        let mut last: std::collections::BTreeMap<&str, &str> = std::collections::BTreeMap::new();
        let mut name = "";
        for line in watched.lines() {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                [state, _, _, local, ..] if state.chars().all(|c| c.is_ascii_uppercase() || c == '-') => name = local,
                _ if line.contains("bytes_sent:") => drop(last.insert(name, line)),
                _ => {}
            }
        }
        let value = |line: &str, key: &str| -> f64 {
            let word = line.split_whitespace().find_map(|word| word.strip_prefix(key));
            let number = |word: &str| word.split(['m', '(']).next().and_then(|digits| digits.parse().ok());
            word.and_then(number).unwrap_or(0.0)
        };
        let most = last.values().map(|line| value(line, "bytes_sent:")).fold(0.0, f64::max);
        let data: Vec<&&str> = last.values().filter(|line| value(line, "bytes_sent:") > 0.1 * most).collect();
        let sum = |key: &str| data.iter().map(|line| value(line, key)).sum::<f64>();
        let whole = 1e3 * seconds * data.len().max(1) as f64;
        // The last screen may be up to a second before the end.
        let share = |key: &str| (sum(key) / (whole - 500.0)).min(1.0);
        self.busy = share("busy:");
        self.rwnd = share("rwnd_limited:");
        self.sndbuf = share("sndbuf_limited:");
        self.goodput = 8.0 * sum("bytes_acked:") / (seconds - 0.5);
    }
}

fn kind(scene: &Scene, step: Step, number: usize) -> Option<Drops> {
    match step.lane(scene).stages[number] {
        Stage::Police { .. } => Some(Drops::Police),
        Stage::Loss(_) => Some(Drops::Loss),
        _ => None,
    }
}
