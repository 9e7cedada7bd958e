//! Lines and the queues in front of them: a token bucket of one frame, and in it a queue discipline.

use super::decimal;
use super::furnishing::Furnishing;
use crate::plan::{Buffer, Discipline, Host, HostQdisc, Queue};
use evidence::headers::ETHERNET;

/// Packets that pfifo_fast holds: txqueuelen of an Ethernet device.
const TXQUEUELEN: u32 = 1000;
/// The largest txqueuelen that every kernel takes (txqlen_range in net/core/rtnetlink.c).
const LONGEST_TXQUEUELEN: u32 = 32_767;
/// A driver stops its queue when its ring, or what BQL lets into that, is full, and drops nothing (netif_tx_stop_queue):
/// what may wait is bounded by TCP Small Queues and the buffers of sockets.
const NEVER_FULL: u64 = u32::MAX as u64;
/// Frames of a large send, 64 kB: one packet to a host's qdisc, but cut before it here.
const FRAMES_OF_A_SEND: u32 = 45;
/// What a NIC sends in one go, ns at its line rate: 25 kB at 10 Gbit/s, where hardware segments up to 64 kB at once.
const NIC_BURST: u128 = 20_000;
/// Tokens beyond a frame, bytes: the kernel's timers fire up to a few ns late, and a bucket of exactly one frame would
/// lose what flows in meanwhile.
const TOKEN_SLACK: u64 = 64;
/// The framing of a NIC's line of its own, bytes (IEEE 802.3: FCS, preamble and inter-frame gap).
pub const FRAMING: u32 = 24;

/// A line with a queue in front of it, at a device.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The device.
    pub device: &'a str,
    /// Bits per second.
    pub rate: u64,
    /// Bytes beside each frame.
    pub overhead: u32,
    /// Bytes of the largest IP packet.
    pub mtu: u32,
}

impl Line<'_> {
    fn frame(&self) -> u64 {
        u64::from(self.mtu + ETHERNET)
    }

    fn bucket(&self, verb: &str, burst: u64, limit: u64) -> String {
        let Line { device, rate, overhead, .. } = self;
        format!(
            "qdisc {verb} dev {device} root handle 1: tbf rate {rate}bit burst {burst}b limit {limit}b overhead {overhead}"
        )
    }

    /// The line and its queue, added or changed (`verb`); a change sets the limit of a FIFO anew.
    pub fn commands(&self, verb: &str, queue: &Queue) -> Vec<String> {
        let burst = self.frame() + TOKEN_SLACK;
        // tbf makes a FIFO of `limit` bytes of its own, which the next line replaces.
        let limit = capacity_bytes(queue.buffer, self.mtu).max(burst).min(u64::from(u32::MAX));
        let mut lines = vec![self.bucket(verb, burst, limit)];
        if verb == "add" || matches!(queue.discipline, Discipline::DropTail) {
            let leaf = self.leaf(queue);
            lines.push(format!("qdisc {verb} dev {} parent 1:1 handle 10: {leaf}", self.device));
        }
        lines
    }

    /// The discipline as tc takes it.
    fn leaf(&self, queue: &Queue) -> String {
        let packets = packets(queue.buffer, self.mtu);
        let bytes = capacity_bytes(queue.buffer, self.mtu);
        let ecn = |on: bool| if on { "ecn" } else { "noecn" };
        match queue.discipline {
            Discipline::DropTail => match queue.buffer {
                Buffer::Packets(n) => format!("pfifo limit {n}"),
                Buffer::Bytes(n) => format!("bfifo limit {}b", n.min(u64::from(u32::MAX))),
            },
            Discipline::Red { min, max, probability, ecn } => format!(
                "red limit {bytes}b min {min}b max {max}b avpkt {packet}b burst {burst} probability {p} bandwidth {rate}bit{ecn}",
                packet = red_packet(min),
                burst = red_burst(min, max),
                p = decimal(probability),
                rate = self.rate,
                ecn = if ecn { " ecn" } else { "" },
            ),
            Discipline::Codel { target, interval, ecn: on } => {
                format!("codel limit {packets} target {} interval {} {}", us(target), us(interval), ecn(on))
            }
            Discipline::FqCodel { target, interval, ecn: on } => format!(
                "fq_codel limit {packets} memory_limit {MEMORY}b target {} interval {} {}",
                us(target),
                us(interval),
                ecn(on)
            ),
            Discipline::Pie { target, interval, ecn: on } => {
                format!("pie limit {packets} target {} tupdate {} {}", us(target), us(interval), ecn(on))
            }
            Discipline::Cake { rtt } => format!("cake unlimited rtt {} memlimit {bytes}b", us(rtt)),
            // Pacing is the sending host's affair, whose socket a forwarded packet still names.
            Discipline::Fq => format!("fq limit {packets} flow_limit {packets} nopacing"),
            // A target that is never reached leaves the marks of ce_threshold alone.
            Discipline::Threshold { above } => {
                format!("codel limit {packets} target 1000s interval 1000s noecn ce_threshold {}", us(above))
            }
        }
    }

    /// What the kernel must show of the line and its queue.
    pub fn show(&self, queue: &Queue, into: &mut Furnishing) {
        show_rate(into, self.device, self.rate);
        let packets = f64::from(packets(queue.buffer, self.mtu));
        let bytes = capacity_bytes(queue.buffer, self.mtu) as f64;
        let device = self.device;
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
        }
    }
}

/// RED's mean packet, bytes: tc finds no weight for its average unless two of them fit below the lower threshold
/// (tc_red_eval_ewma in tc/tc_red.c).
fn red_packet(min: u64) -> u64 {
    (min / 2).clamp(1, 1000)
}

/// RED's burst, packets: (2 min + max) / 3 as tc-red(8) recommends, if the weight of the average that tc makes of it
/// leaves the kernel's 32 bits for the upper threshold (red_check_params in include/net/red.h).
fn red_burst(min: u64, max: u64) -> u64 {
    let packet = red_packet(min);
    let recommended = (2 * min + max).div_ceil(3 * packet);
    let bits = 64 - max.leading_zeros();
    let beyond_min = 1u64 << 30u32.saturating_sub(bits).min(20);
    recommended.clamp(min / packet + 1, min / packet + beyond_min.max(2) - 1)
}

/// fq_codel's own limit of memory, 32 MB, is never the limit.
const MEMORY: u32 = u32::MAX;

/// CoDel keeps times in units of 1,024 ns and tc shows them in whole microseconds.
fn show_times(into: &mut Furnishing, device: &str, kind: &'static str, [target, interval]: [u64; 2]) {
    into.show_within(device, kind, "/options/target", us_number(target), 2.5);
    into.show_within(device, kind, "/options/interval", us_number(interval), 2.5);
}

/// tc counts in bytes per second.
pub fn show_rate(into: &mut Furnishing, device: &str, rate: u64) {
    into.show(device, "tbf", "/options/rate", (rate / 8) as f64);
}

fn us_number(ns: u64) -> f64 {
    (ns as f64 / 1e3).floor()
}

fn us(ns: u64) -> String {
    format!("{}us", decimal(ns as f64 / 1e3))
}

/// The most that a queue holds, bytes of Ethernet frames without FCS.
pub fn capacity_bytes(buffer: Buffer, mtu: u32) -> u64 {
    match buffer {
        Buffer::Packets(n) => u64::from(n) * u64::from(mtu + ETHERNET),
        Buffer::Bytes(n) => n,
    }
}

/// The packets of full size that a queue holds, one at least.
fn packets(buffer: Buffer, mtu: u32) -> u32 {
    match buffer {
        Buffer::Packets(n) => n,
        Buffer::Bytes(n) => (n / u64::from(mtu + ETHERNET)).clamp(1, u64::from(u32::MAX)) as u32,
    }
}

/// A token bucket that lets bursts pass, and a FIFO in front of it.
pub fn shaper(device: &str, rate: u64, burst: u64, buffer: Buffer, mtu: u32) -> [String; 2] {
    let burst = burst.max(u64::from(mtu + ETHERNET) + TOKEN_SLACK);
    let limit = capacity_bytes(buffer, mtu).max(burst).min(u64::from(u32::MAX));
    let fifo = match buffer {
        Buffer::Packets(n) => format!("pfifo limit {n}"),
        Buffer::Bytes(n) => format!("bfifo limit {n}b"),
    };
    [
        format!("qdisc add dev {device} root handle 1: tbf rate {rate}bit burst {burst}b limit {limit}b"),
        format!("qdisc add dev {device} parent 1:1 handle 10: {fifo}"),
    ]
}

/// How much may wait in a host beside what TCP sends: of fq and fq_codel what they hold by default (tc-fq(8),
/// tc-fq_codel(8)), and as much as pfifo_fast holds of sockets' buffers, which have 212,992 B each.
pub fn host_buffer(host: &Host) -> Buffer {
    Buffer::Packets(match host.qdisc {
        HostQdisc::Fifo | HostQdisc::PfifoFast => TXQUEUELEN,
        HostQdisc::Fq => 10_000,
        HostQdisc::FqCodel => 10_240,
    })
}

/// A host's own device.
#[derive(Debug, Clone, Copy)]
pub struct Nic<'a> {
    /// The device.
    pub device: &'a str,
    /// Bytes of the largest IP packet.
    pub mtu: u32,
    /// Bytes beside each frame; `None` if the line is not the link's.
    pub overhead: Option<u32>,
    /// Whether it cuts large packets, and so sends frame by frame.
    pub tso: bool,
    /// Whether the stack gives it large packets.
    pub large: bool,
}

impl Nic<'_> {
    /// The line, added or changed.
    pub fn line(&self, verb: &str, rate: u64) -> String {
        let overhead = self.overhead.unwrap_or(FRAMING);
        let line = Line { device: self.device, rate, overhead, mtu: self.mtu };
        let frame = line.frame();
        // Two frames at least, so that a pair of segments released by one ACK leaves as the kernel sent it.
        let several = (2 * frame + TOKEN_SLACK).max((u128::from(rate) * NIC_BURST / 8_000_000_000) as u64);
        // tbf cuts what is larger than its bucket: TSO then happens in it.
        let burst = if self.tso { frame + TOKEN_SLACK } else { several };
        line.bucket(verb, burst, NEVER_FULL)
    }

    /// The line, if the host has one, and the host's qdisc.
    pub fn furnish(&self, host: &Host, into: &mut Furnishing) {
        let device = self.device;
        // What the bucket cuts counts frame by frame.
        let times = if self.large && host.nic.is_some() { FRAMES_OF_A_SEND } else { 1 };
        let scheduler = match host.qdisc {
            HostQdisc::Fifo => None,
            HostQdisc::Fq => Some(format!("fq limit {} flow_limit {}", 10_000 * times, 100 * times)),
            HostQdisc::FqCodel => Some(format!("fq_codel limit {}", 10_240 * times)),
            HostQdisc::PfifoFast => {
                let length = (TXQUEUELEN * times).min(LONGEST_TXQUEUELEN);
                into.ip.push(format!("link set dev {device} txqueuelen {length}"));
                Some("pfifo_fast".into())
            }
        };
        let parent = match host.nic {
            Some(rate) => {
                into.tc.push(self.line("add", rate));
                show_rate(into, device, rate);
                "parent 1:1 handle 10:"
            }
            None => "root handle 1:",
        };
        into.tc.extend(scheduler.map(|kind| format!("qdisc add dev {device} {parent} {kind}")));
    }
}
