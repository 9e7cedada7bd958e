//! Lines and the queues in front of them.

use super::dualpi2;
use super::furnishing::{Dialect, Furnishing};
use super::{decimal, us};
use crate::{Buffer, Discipline, Host, HostQdisc, HostShape, Mark, Queue, Trace};
use evidence::headers::ETHERNET;
use wire::Course;

/// Capacity of pfifo_fast, packets: txqueuelen of an Ethernet device.
const TXQUEUELEN: u32 = 1000;
/// A driver stops its queue when its ring or BQL is full, and drops nothing (netif_tx_stop_queue). TCP Small Queues and
/// socket buffers bound the packets that wait.
const NEVER_FULL: u64 = u32::MAX as u64;
/// Time that a NIC sends at once, ns at its line rate: 25 kB at 10 Gbit/s. Hardware segments up to 64 kB at once there.
const NIC_BURST: u128 = 20_000;
/// Tokens beyond a frame, bytes. The kernel's timers fire up to a few ns late, and a bucket of exactly one frame would
/// lose the tokens of that time.
const TOKEN_SLACK: u64 = 64;
/// Capacity of a netem that must never be the limit (the default is 1000), packets.
pub const UNLIMITED_PACKETS: u32 = 10_000_000;
/// Smallest delay of tc, ns.
pub const LEAST_DELAY: u64 = 1000;
/// A rate that takes no time, but makes netem keep packets in order (net/sched/sch_netem.c, netem_enqueue).
pub const IN_ORDER: &str = "rate 10tbit";

/// A line at a device, as packets leave it there.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The device.
    pub device: &'a str,
    /// Rate, overhead and queue; `None` if sending takes no time.
    pub sending: Option<Sending<'a>>,
    /// Propagation delay, ns.
    pub delay: u64,
    /// Largest IP packet, bytes.
    pub mtu: u32,
    /// Trace that is added to the delay.
    pub delays: Option<&'a Trace>,
}

/// Serialization of packets, one at a time.
#[derive(Debug, Clone, Copy)]
pub struct Sending<'a> {
    /// Rate, bit/s.
    pub rate: u64,
    /// Overhead of each frame, bytes.
    pub overhead: u32,
    /// Queue of waiting packets.
    pub queue: &'a Queue,
    /// Trace that the rate follows.
    pub rates: Option<&'a Trace>,
}

/// Commands that change an existing line.
#[derive(Debug, Default)]
pub struct Changed {
    /// Commands for the kernel module.
    pub module: Vec<String>,
    /// Lines for `tc`.
    pub tc: Vec<String>,
}

impl Line<'_> {
    /// Creates the line.
    pub fn furnish(&self, into: &mut Furnishing) {
        let device = self.device;
        match into.dialect {
            Dialect::Laboratory => {
                into.tc.push(format!("qdisc add dev {device} root handle 1: line"));
                into.tc.extend(self.sending.map(|sending| self.waiting(into.dialect, "add", "1:1", sending)));
                into.module.extend(self.sending.map(|sending| self.rate(sending)));
                into.module.extend(self.sending.and_then(|sending| self.options(sending)));
                into.module.extend((self.delay > 0).then(|| self.delay()));
            }
            Dialect::Linux => {
                let delayed = self.delay > 0 || self.delays.is_some() || self.sending.is_none();
                into.tc.extend(delayed.then(|| format!("qdisc add dev {device} root handle 1: {}", self.netem())));
                into.tc.extend(self.sending.map(|sending| self.bucket("add", sending)));
                let waiting = |sending| self.waiting(into.dialect, "add", self.leaf_of_bucket(), sending);
                into.tc.extend(self.sending.map(waiting));
            }
        }
        let rates = self.sending.and_then(|sending| sending.rates);
        into.courses.extend([rates, self.delays].into_iter().flatten().map(|trace| self.course(trace)));
        if let Some(sending) = self.sending {
            self.show(sending.queue, into);
        }
    }

    fn course(&self, trace: &Trace) -> Course {
        Course {
            device: self.device.into(),
            follows: trace.follows,
            keeps: trace.keeps,
            period: if trace.repeats { trace.end() } else { 0 },
            offset: trace.offset,
            points: trace.points.text().into(),
        }
    }

    /// Changes its rate or delay; the limit of a FIFO changes with the rate.
    pub fn change(&self, dialect: Dialect, rate: Option<u64>, delay: Option<u64>) -> Changed {
        let device = self.device;
        let mut changed = Changed::default();
        let line = Line { delay: delay.unwrap_or(self.delay), ..*self };
        let sending = self.sending.zip(rate).map(|(sending, rate)| Sending { rate, ..sending });
        match dialect {
            Dialect::Laboratory => {
                changed.module.extend(delay.map(|_| line.delay()));
                changed.module.extend(sending.map(|sending| line.rate(sending)));
            }
            Dialect::Linux => {
                let netem = |_| format!("qdisc change dev {device} root handle 1: {}", line.netem());
                changed.tc.extend(delay.map(netem));
                changed.tc.extend(sending.map(|sending| self.bucket("change", sending)));
            }
        }
        let parent = match dialect {
            Dialect::Laboratory => "1:1",
            Dialect::Linux => self.leaf_of_bucket(),
        };
        let fifo = sending.filter(|sending| matches!(sending.queue.discipline, Discipline::DropTail));
        changed.tc.extend(fifo.map(|sending| self.waiting(dialect, "change", parent, sending)));
        changed
    }

    fn rate(&self, Sending { rate, overhead, .. }: Sending) -> String {
        format!("rate {} {rate} {overhead}", self.device)
    }

    fn delay(&self) -> String {
        format!("delay {} {}", self.device, self.delay)
    }

    /// Returns a netem for the delay. Without delay it gets a rate, which also orphans packets from their socket.
    fn netem(&self) -> String {
        match self.delay {
            0 => format!("netem {IN_ORDER} limit {UNLIMITED_PACKETS}"),
            ns => format!("netem delay {} limit {UNLIMITED_PACKETS}", us(ns.max(LEAST_DELAY))),
        }
    }

    fn bucket(&self, verb: &str, Sending { rate, overhead, queue, .. }: Sending) -> String {
        let burst = frame(self.mtu) + TOKEN_SLACK;
        // tbf creates a FIFO of `limit` bytes, which is replaced.
        let limit = capacity_bytes(queue.buffer, self.mtu).max(burst).min(u64::from(u32::MAX));
        let place = if self.delay > 0 { "parent 1:1 handle 2:" } else { "root handle 1:" };
        bucket(verb, self.device, place, Bucket { rate, burst, limit, overhead })
    }

    fn leaf_of_bucket(&self) -> &'static str {
        if self.delay > 0 { "2:1" } else { "1:1" }
    }

    fn waiting(&self, dialect: Dialect, verb: &str, parent: &str, sending: Sending) -> String {
        format!("qdisc {verb} dev {} parent {parent} handle 10: {}", self.device, self.leaf(dialect, sending))
    }

    /// Returns the module's command for a queue that the installed tc may not know.
    fn options(&self, Sending { queue, .. }: Sending) -> Option<String> {
        match &queue.discipline {
            Discipline::DualPi2(told) => {
                let options = dualpi2::attributes(told, packets(queue.buffer, self.mtu));
                Some(format!("options {} {options}", self.device))
            }
            _ => None,
        }
    }

    /// Returns tc's arguments for the discipline.
    fn leaf(&self, dialect: Dialect, Sending { rate, queue, .. }: Sending) -> String {
        let packets = packets(queue.buffer, self.mtu);
        let bytes = capacity_bytes(queue.buffer, self.mtu);
        let ecn = |on: bool| if on { "ecn" } else { "noecn" };
        let leaf = match queue.discipline {
            Discipline::DropTail => match queue.buffer {
                Buffer::Packets(n) => format!("pfifo limit {n}"),
                Buffer::Bytes(n) => format!("bfifo limit {}b", n.min(u64::from(u32::MAX))),
            },
            Discipline::Red { min, max, probability, ecn } => format!(
                "red limit {bytes}b min {min}b max {max}b avpkt {packet}b burst {burst} probability {p} bandwidth {rate}bit{ecn}",
                packet = red_packet(min),
                burst = red_burst(min, max),
                p = decimal(probability),
                ecn = if ecn { " ecn" } else { "" },
            ),
            Discipline::Codel { target, interval, ecn: on } => {
                format!("codel limit {packets} target {} interval {} {}", us(target), us(interval), ecn(on))
            }
            Discipline::FqCodel { target, interval, ecn: on } => format!(
                "fq_codel limit {packets} memory_limit {UNLIMITED_MEMORY}b target {} interval {} {}",
                us(target),
                us(interval),
                ecn(on)
            ),
            Discipline::Pie { target, interval, ecn: on } => {
                format!("pie limit {packets} target {} tupdate {} {}", us(target), us(interval), ecn(on))
            }
            Discipline::Cake { rtt } => format!("cake unlimited rtt {} memlimit {bytes}b", us(rtt)),
            // Pacing is the sending host's job; a forwarded packet still points to its socket.
            Discipline::Fq => format!("fq limit {packets} flow_limit {packets} nopacing"),
            // A target that is never reached leaves only the marks of ce_threshold.
            Discipline::Threshold { above } => {
                format!("codel limit {packets} target 1000s interval 1000s noecn ce_threshold {}", us(above))
            }
            Discipline::DualPi2(told) => match dialect {
                Dialect::Laboratory => "dualpi2".to_owned(),
                Dialect::Linux => dualpi2::words(&told, packets),
            },
        };
        leaf + &queue.mark.map(mark).unwrap_or_default()
    }

    /// Requires the kernel to show the queue's parameters.
    fn show(&self, queue: &Queue, into: &mut Furnishing) {
        let packets = f64::from(packets(queue.buffer, self.mtu));
        let bytes = capacity_bytes(queue.buffer, self.mtu) as f64;
        let device = self.device;
        if let Some(Mark { above, .. }) = queue.mark {
            let kind = match queue.discipline {
                Discipline::FqCodel { .. } => "fq_codel",
                Discipline::Fq => "fq",
                _ => "codel",
            };
            into.show_within(device, kind, "/options/ce_threshold", us_number(above), 2.0);
        }
        match queue.discipline {
            Discipline::DropTail => match queue.buffer {
                Buffer::Packets(n) => into.show(device, "pfifo", "/options/limit", f64::from(n)),
                Buffer::Bytes(n) => into.show(device, "bfifo", "/options/limit", n as f64),
            },
            Discipline::Red { min, max, .. } => {
                into.show(device, "red", "/options/limit", bytes);
                into.show(device, "red", "/options/min", min as f64);
                into.show(device, "red", "/options/max", max as f64);
            }
            Discipline::Codel { target, interval, .. } => {
                into.show(device, "codel", "/options/limit", packets);
                show_times(into, device, "codel", [target, interval]);
            }
            Discipline::FqCodel { target, interval, .. } => {
                into.show(device, "fq_codel", "/options/limit", packets);
                show_times(into, device, "fq_codel", [target, interval]);
            }
            Discipline::Pie { target, interval, .. } => {
                into.show(device, "pie", "/options/limit", packets);
                into.show_within(device, "pie", "/options/target", us_number(target), 1.5);
                into.show_within(device, "pie", "/options/tupdate", us_number(interval), 1.5);
            }
            Discipline::Cake { rtt } => into.show_within(device, "cake", "/options/rtt", us_number(rtt), 1.0),
            Discipline::Fq => into.show(device, "fq", "/options/limit", packets),
            Discipline::Threshold { above } => {
                into.show(device, "codel", "/options/limit", packets);
                into.show_within(device, "codel", "/options/ce_threshold", us_number(above), 2.0);
            }
            // The module reads back its own settings (set_options() in kernel/module/options.c).
            Discipline::DualPi2(_) => {}
        }
    }
}

/// Returns tc's arguments for additional marks. ECT(1) is the ECN field 01; packets with CE stay marked.
fn mark(Mark { above, ect1_alone }: Mark) -> String {
    let only = if ect1_alone { " ce_threshold_selector 0x01/0x03" } else { "" };
    format!(" ce_threshold {}{only}", us(above))
}

/// A token bucket.
struct Bucket {
    /// Rate, bit/s.
    rate: u64,
    /// Bucket, bytes.
    burst: u64,
    /// Queue, bytes.
    limit: u64,
    /// Overhead of each frame, bytes.
    overhead: u32,
}

fn bucket(verb: &str, device: &str, place: &str, Bucket { rate, burst, limit, overhead }: Bucket) -> String {
    format!("qdisc {verb} dev {device} {place} tbf rate {rate}bit burst {burst}b limit {limit}b overhead {overhead}")
}

/// Returns the largest frame as the kernel counts it, bytes.
fn frame(mtu: u32) -> u64 {
    u64::from(mtu + ETHERNET)
}

/// Returns RED's mean packet, bytes. tc finds no weight for its average unless two of them fit below the lower
/// threshold (tc_red_eval_ewma in tc/tc_red.c).
fn red_packet(min: u64) -> u64 {
    (min / 2).clamp(1, 1000)
}

/// Returns RED's burst, packets: (2 min + max) / 3 as tc-red(8) recommends, if the weight that tc computes from it
/// leaves the kernel's 32 bits for the upper threshold (red_check_params in include/net/red.h).
fn red_burst(min: u64, max: u64) -> u64 {
    let packet = red_packet(min);
    let recommended = (2 * min + max).div_ceil(3 * packet);
    let bits = 64 - max.leading_zeros();
    let beyond_min = 1u64 << 30u32.saturating_sub(bits).min(20);
    recommended.clamp(min / packet + 1, min / packet + beyond_min.max(2) - 1)
}

/// Disables fq_codel's own memory limit of 32 MB.
const UNLIMITED_MEMORY: u32 = u32::MAX;

/// Requires CoDel's times. CoDel keeps units of 1,024 ns, and tc shows whole microseconds.
fn show_times(into: &mut Furnishing, device: &str, kind: &'static str, [target, interval]: [u64; 2]) {
    into.show_within(device, kind, "/options/target", us_number(target), 2.5);
    into.show_within(device, kind, "/options/interval", us_number(interval), 2.5);
}

/// Requires a tbf's rate, which tc counts in bytes per second.
pub fn show_rate(into: &mut Furnishing, device: &str, rate: u64) {
    into.show(device, "tbf", "/options/rate", (rate / 8) as f64);
}

fn us_number(ns: u64) -> f64 {
    (ns as f64 / 1e3).floor()
}

/// Returns the capacity of a queue, bytes of Ethernet frames without FCS.
pub fn capacity_bytes(buffer: Buffer, mtu: u32) -> u64 {
    match buffer {
        Buffer::Packets(n) => u64::from(n) * u64::from(mtu + ETHERNET),
        Buffer::Bytes(n) => n,
    }
}

/// Returns the full-size packets that a queue can contain, at least one.
fn packets(buffer: Buffer, mtu: u32) -> u32 {
    match buffer {
        Buffer::Packets(n) => n,
        Buffer::Bytes(n) => (n / u64::from(mtu + ETHERNET)).clamp(1, u64::from(u32::MAX)) as u32,
    }
}

/// Returns a token bucket with bursts, with a FIFO in front of it. Packets from an interface that is no line still
/// belong to their socket; a netem with a rate orphans them.
pub fn shaper(device: &str, rate: u64, burst: u64, buffer: Buffer, mtu: u32, is_accounted: bool) -> Vec<String> {
    let burst = burst.max(u64::from(mtu + ETHERNET) + TOKEN_SLACK);
    let limit = capacity_bytes(buffer, mtu).max(burst).min(u64::from(u32::MAX));
    let fifo = match buffer {
        Buffer::Packets(n) => format!("pfifo limit {n}"),
        Buffer::Bytes(n) => format!("bfifo limit {n}b"),
    };
    let before = format!("qdisc add dev {device} root handle 2: netem {IN_ORDER} limit {UNLIMITED_PACKETS}");
    let place = if is_accounted { "parent 2:1" } else { "root" };
    let bucket = format!("qdisc add dev {device} {place} handle 1: tbf rate {rate}bit burst {burst}b limit {limit}b");
    let fifo = format!("qdisc add dev {device} parent 1:1 handle 10: {fifo}");
    is_accounted.then_some(before).into_iter().chain([bucket, fifo]).collect()
}

/// Returns how much may wait in a host beyond TCP's own queue. fq, fq_codel and dualpi2 have their defaults (tc-fq(8),
/// tc-fq_codel(8), dualpi2_reset_default() in net/sched/sch_dualpi2.c); pfifo_fast has what its sockets' buffers of
/// 212,992 B each allow.
pub fn host_buffer(host: &Host) -> Buffer {
    Buffer::Packets(match host.qdisc {
        HostQdisc::Fifo | HostQdisc::PfifoFast => TXQUEUELEN,
        HostQdisc::Fq | HostQdisc::DualPi2 => 10_000,
        HostQdisc::FqCodel => 10_240,
    })
}

/// Handle of a host's own token bucket.
const SHAPE_HANDLE: &str = "20:";

/// A host's own interface.
#[derive(Debug, Clone, Copy)]
pub struct Nic<'a> {
    /// The device.
    pub device: &'a str,
    /// Largest IP packet, bytes.
    pub mtu: u32,
    /// Overhead of each frame, bytes.
    pub overhead: u32,
    /// True if it cuts large packets, and so sends frame by frame.
    pub tso: bool,
}

impl Nic<'_> {
    /// Creates the line, if the host has one, and the host's qdisc.
    pub fn furnish(&self, host: &Host, into: &mut Furnishing) {
        let device = self.device;
        let scheduler = match host.qdisc {
            HostQdisc::Fifo => None,
            HostQdisc::Fq => Some("fq".to_owned()),
            HostQdisc::FqCodel => Some("fq_codel".to_owned()),
            HostQdisc::PfifoFast => Some("pfifo_fast".to_owned()),
            HostQdisc::DualPi2 => Some("dualpi2".to_owned()),
        };
        let own = match (host.nic, into.dialect) {
            (Some(rate), Dialect::Laboratory) => {
                into.tc.push(format!("qdisc add dev {device} root handle 1: line"));
                into.module.push(self.rate(rate));
                // A token bucket has a FIFO of its own.
                scheduler.or_else(|| host.shape.is_none().then(|| format!("pfifo limit {UNLIMITED_PACKETS}")))
            }
            // A tbf creates a FIFO.
            (Some(rate), Dialect::Linux) => {
                into.tc.push(self.bucket("add", rate));
                scheduler
            }
            (None, _) => scheduler,
        };
        let front = if host.nic.is_some() { "parent 1:1" } else { "root" };
        let handle = if host.nic.is_some() { "10:" } else { "1:" };
        let parent = match host.shape {
            None => front.to_owned(),
            Some(shape) => {
                self.shape(shape, front, into);
                format!("parent {SHAPE_HANDLE}1")
            }
        };
        into.tc.extend(own.map(|kind| format!("qdisc add dev {device} {parent} handle {handle} {kind}")));
    }

    /// Creates a token bucket in front of the line.
    fn shape(&self, shape: HostShape, place: &str, into: &mut Furnishing) {
        let device = self.device;
        let burst = shape.burst.max(frame(self.mtu) + TOKEN_SLACK);
        let limit = shape.limit().max(burst).min(u64::from(u32::MAX));
        let place = format!("{place} handle {SHAPE_HANDLE}");
        into.tc.push(bucket("add", device, &place, Bucket { rate: shape.rate, burst, limit, overhead: 0 }));
        if into.dialect == Dialect::Laboratory {
            show_rate(into, device, shape.rate);
        }
    }

    /// Changes the line's rate.
    pub fn change(&self, dialect: Dialect, rate: u64) -> Changed {
        match dialect {
            Dialect::Laboratory => Changed { module: vec![self.rate(rate)], tc: vec![] },
            Dialect::Linux => Changed { module: vec![], tc: vec![self.bucket("change", rate)] },
        }
    }

    fn rate(&self, rate: u64) -> String {
        format!("nic {} {rate} {}", self.device, self.overhead)
    }

    fn bucket(&self, verb: &str, rate: u64) -> String {
        let frame = frame(self.mtu);
        // At least two frames, so that a pair of segments released by one ACK leaves as the kernel sent it.
        let several = (2 * frame + TOKEN_SLACK).max((u128::from(rate) * NIC_BURST / 8_000_000_000) as u64);
        // tbf cuts packets larger than its bucket, which implements TSO.
        let burst = if self.tso { frame + TOKEN_SLACK } else { several };
        bucket(verb, self.device, "root handle 1:", Bucket { rate, burst, limit: NEVER_FULL, overhead: self.overhead })
    }
}
