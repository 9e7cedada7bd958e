//! Sets up one direction of a link, in the namespace [`WIRE_NAMESPACE`]. A packet enters at the port that faces its
//! sender and is passed from device to device at their ingress (`tc … mirred`), without an IP stack in between:
//!
//! ```text
//! port A ─▶ loss_0 ~ loss_0o ─▶ … ─▶ port B
//!           netem loss               line, and its queue if A is a host
//! ```
//!
//! `~` joins the ends of a veth pair. Without stages a packet goes from port to port.

use super::furnishing::{Dialect, Furnishing};
use super::ports::{Port, port};
use super::queue::{self, Changed, IN_ORDER, LEAST_DELAY, Line, Nic, Sending, UNLIMITED_PACKETS};
use super::topology::{self, Step, node};
use super::{WIRE_NAMESPACE, decimal};
use crate::{Distribution, Host, HostQdisc, Jitter, Lane, LengthEffect, Loss, Role, Scene, Stage};
use evidence::headers::FRAMING;
use wire::ChangeJob;

/// Device for packets of affected lengths that are not dropped.
const ASIDE_CLASS: &str = "aside";
/// A direction of a link, with its two ports.
pub struct Direction<'a> {
    scene: &'a Scene,
    number: usize,
    lane: &'a Lane,
    mtu: u32,
    from: Port,
    to: Port,
}

/// QueuePlace of a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePlace {
    /// The namespace.
    pub namespace: String,
    /// The device.
    pub device: String,
    /// `root` or `clsact`.
    pub hook: &'static str,
}

/// A device at whose ingress packets go on.
struct Exit {
    device: String,
    way: Way,
}

/// How packets go on.
enum Way {
    /// By tc: first filters for some packets, then an action for the others.
    Tc { filters: Vec<String>, action: String },
    /// By the nftables chain with this name.
    Nft(String),
}

impl Exit {
    fn plain(device: String) -> Exit {
        Exit { device, way: Way::Tc { filters: vec![], action: String::new() } }
    }

    fn lead_to(self, next: &str, into: &mut Furnishing) {
        let device = self.device;
        match self.way {
            Way::Nft(chain) => into.nft.push(format!("add rule netdev {WIRE_NAMESPACE} {chain} fwd to \"{next}\"")),
            Way::Tc { filters, action }
                if into.dialect == Dialect::Laboratory && filters.is_empty() && action.is_empty() =>
            {
                into.module.push(format!("lead {device} {next}"));
            }
            Way::Tc { filters, action } => {
                into.tc.push(format!("qdisc add dev {device} clsact"));
                let last = if filters.is_empty() { "" } else { " prio 2" };
                into.tc.extend(filters.iter().map(|f| format!("filter add dev {device} ingress prio 1 {f}")));
                into.tc.push(format!("filter add dev {device} ingress{last} matchall {action}{}", redirect(next)));
            }
        }
    }
}

fn redirect(to: &str) -> String {
    format!("action mirred egress redirect dev {to}")
}

impl<'a> Direction<'a> {
    /// Returns a direction of a link of the scene.
    pub fn new(scene: &'a Scene, step: Step) -> Direction<'a> {
        let link = &scene.links[step.link];
        Direction {
            scene,
            number: step.link * 2 + step.lane,
            lane: topology::lane(link, step.lane),
            mtu: link.mtu,
            from: port(scene, step),
            to: port(scene, Step { link: step.link, lane: 1 - step.lane }),
        }
    }

    fn name(&self, stage: &str) -> String {
        format!("{stage}_{}", self.number)
    }

    /// Returns the sending host; `None` if a switch or router sends.
    fn host(&self) -> Option<&'a Host> {
        match &node(self.scene, &self.from.node).role {
            Role::Host(host) => Some(host),
            Role::Switch(_) | Role::Router(_) => None,
        }
    }

    /// Returns the serialization, unless the host's own interface does it.
    fn sending(&self) -> Option<Sending<'_>> {
        let queue = self.lane.queue.as_ref()?;
        Some(Sending {
            rate: self.lane.rate,
            overhead: self.lane.overhead,
            queue,
            rates: self.lane.rate_trace.as_ref(),
        })
    }

    /// Returns the line before the port at the other end: the whole line if a host sends, or else only its delay.
    fn line(&self) -> Line<'_> {
        let sending = self.sending().filter(|_| self.host().is_some());
        let delay = if self.lane.jitter.is_some() { 0 } else { self.lane.delay };
        Line { device: &self.to.wire, sending, delay, mtu: self.mtu, delays: self.lane.delay_trace.as_ref() }
    }

    /// Returns the line at the port of a switch or router, without its delay.
    fn line_of_port(&self) -> Line<'_> {
        Line { device: &self.from.member, sending: self.sending(), delay: 0, mtu: self.mtu, delays: None }
    }

    /// Returns the place where packets wait for the line; `None` if they never wait.
    pub fn queue(&self) -> Option<QueuePlace> {
        let place = |namespace: &str, device: &str| QueuePlace {
            namespace: namespace.into(),
            device: device.into(),
            hook: "root",
        };
        match (self.host(), &self.lane.queue) {
            (Some(_), Some(_)) => Some(place(WIRE_NAMESPACE, &self.to.wire)),
            (Some(host), None) => host.nic.map(|_| place(&self.from.node, &self.from.member)),
            (None, _) => Some(place(&self.from.node, &self.from.member)),
        }
    }

    /// Returns the queue of the sending host's own interface, in front of the link; `None` if there is none, or if the
    /// interface is the line itself.
    pub fn nic_queue(&self) -> Option<QueuePlace> {
        let host = self.host().filter(|host| host.nic.is_some() || host.qdisc != HostQdisc::Fifo)?;
        let is_line = self.lane.queue.is_none() && host.nic.is_some();
        let (namespace, device) = (self.from.node.clone(), self.from.member.clone());
        (!is_line).then_some(QueuePlace { namespace, device, hook: "root" })
    }

    /// Returns the place where a stage's drops are counted; `None` if it drops nothing or nft counts them.
    pub fn drops(&self, stage: &Stage) -> Option<QueuePlace> {
        let (name, hook) = match stage {
            Stage::Loss(Loss::Every(_) | Loss::Packets(_))
            | Stage::Corrupt(_)
            | Stage::Duplicate(_)
            | Stage::Reorder { .. } => return None,
            Stage::Lengths { effect: LengthEffect::Corrupt | LengthEffect::Slow(_), .. } => {
                (self.name(ASIDE_CLASS), "root")
            }
            Stage::Aggregate { .. } => (self.name(word(stage)), "root"),
            Stage::Police { .. } | Stage::Lengths { .. } => (self.name(word(stage)) + "o", "clsact"),
            Stage::Loss(_) | Stage::Outages(_) | Stage::Shape { .. } => (self.name(word(stage)), "root"),
        };
        Some(QueuePlace { namespace: WIRE_NAMESPACE.into(), device: name, hook })
    }

    /// Returns the nft counter of a stage's drops.
    pub fn counter(&self, stage: &Stage) -> Option<String> {
        matches!(stage, Stage::Loss(Loss::Every(_) | Loss::Packets(_))).then(|| self.name("loss"))
    }

    /// Returns the devices in [`WIRE_NAMESPACE`], without the ports.
    pub fn devices(&self) -> Vec<String> {
        let aside = |stage: &Stage| match stage {
            Stage::Lengths { effect: LengthEffect::Corrupt | LengthEffect::Slow(_), .. } => Some(ASIDE_CLASS),
            _ => None,
        };
        let stages = self.lane.stages.iter().flat_map(|stage| [Some(word(stage)), aside(stage)].into_iter().flatten());
        self.lane.jitter.map(|_| "delay").into_iter().chain(stages).map(|stage| self.name(stage)).collect()
    }

    /// Returns the devices that its packets pass, with their namespaces: pairs of veth ends, the sending end first.
    pub fn row(&self) -> Vec<[(String, String); 2]> {
        let wire = |device: &String| (WIRE_NAMESPACE.to_owned(), device.clone());
        let node = |port: &Port| (port.node.clone(), port.member.clone());
        let between = self.devices().into_iter().map(|name| [wire(&name), wire(&format!("{name}o"))]);
        let first = [node(&self.from), wire(&self.from.wire)];
        let last = [wire(&self.to.wire), node(&self.to)];
        std::iter::once(first).chain(between).chain([last]).collect()
    }

    /// Sets up everything in [`WIRE_NAMESPACE`] except the devices.
    pub fn furnish(&self, into: &mut Furnishing) {
        let mut exits = vec![Exit::plain(self.from.wire.clone())];
        if let Some(jitter) = self.lane.jitter {
            exits = self.varying(jitter, exits, into);
        }
        for stage in &self.lane.stages {
            exits = self.stage(stage, exits, into);
        }
        for exit in exits {
            exit.lead_to(&self.to.wire, into);
        }
        self.line().furnish(into);
    }

    /// Sets up the sending end in the sender's namespace: a switch's or router's line, or a host's interface.
    pub fn furnish_port(&self, into: &mut Furnishing) {
        match self.host() {
            Some(host) => self.nic().furnish(host, into),
            None if self.lane.queue.is_some() => self.line_of_port().furnish(into),
            None => {}
        }
    }

    fn nic(&self) -> Nic<'_> {
        Nic {
            device: &self.from.member,
            mtu: self.mtu,
            // If the interface is a separate line, it has Ethernet's framing; if it is the link's line, it has the
            // link's.
            overhead: if self.lane.queue.is_some() { FRAMING } else { self.lane.overhead },
            tso: node(self.scene, &self.from.node).offloads.tso,
        }
    }

    /// Adds a netem for a delay that varies.
    fn varying(&self, jitter: Jitter, exits: Vec<Exit>, into: &mut Furnishing) -> Vec<Exit> {
        let device = self.name("delay");
        for exit in exits {
            exit.lead_to(&device, into);
        }
        into.tc.push(format!("qdisc add dev {device} root handle 1: {}", netem_of(self.lane.delay, jitter)));
        // tc passes whole microseconds to the kernel in steps of 64 ns, and shows them in whole microseconds.
        into.show_within(&device, "netem", "/options/delay/delay", self.lane.delay as f64 / 1e9, 2.1e-6);
        into.show_within(&device, "netem", "/options/delay/jitter", jitter.by as f64 / 1e9, 2.1e-6);
        vec![Exit::plain(device + "o")]
    }

    /// Leads packets into a stage's device, and returns the devices where they leave it.
    fn stage(&self, stage: &Stage, exits: Vec<Exit>, into: &mut Furnishing) -> Vec<Exit> {
        let name = self.name(word(stage));
        let out = |filters, action| vec![Exit { device: format!("{name}o"), way: Way::Tc { filters, action } }];
        for exit in exits {
            exit.lead_to(&name, into);
        }
        match stage {
            Stage::Loss(Loss::Every(n)) => self.lose(name, *n, &[*n], into),
            Stage::Loss(Loss::Packets(numbers)) => self.lose(name, u32::MAX, numbers, into),
            Stage::Police { rate, burst } => {
                out(vec![], format!("action police rate {rate}bit burst {burst}b mtu 128kb conform-exceed drop/pipe "))
            }
            Stage::Lengths { from, to, effect: LengthEffect::Drop } => {
                out(vec![format!("{} action drop", length_match(*from, *to))], String::new())
            }
            Stage::Lengths { from, to, .. } => {
                let aside = self.name(ASIDE_CLASS);
                into.tc.push(format!("qdisc add dev {aside} root handle 1: {}", self.qdisc(stage)));
                let filter = format!("{} {}", length_match(*from, *to), redirect(&aside));
                let mut exits = out(vec![filter], String::new());
                exits.push(Exit::plain(aside + "o"));
                exits
            }
            Stage::Shape { rate, burst, buffer } => {
                let is_accounted = self.host().is_some_and(|host| host.nic.is_none());
                into.tc.extend(queue::shaper(&name, *rate, *burst, *buffer, self.mtu, is_accounted));
                queue::show_rate(into, &name, *rate);
                out(vec![], String::new())
            }
            _ => {
                into.tc.push(format!("qdisc add dev {name} root handle 1: {}", self.qdisc(stage)));
                show_share(&name, stage, into);
                out(vec![], String::new())
            }
        }
    }

    /// Drops packets by number with nftables; the count restarts after `cycle` packets.
    fn lose(&self, name: String, cycle: u32, numbers: &[u32], into: &mut Furnishing) -> Vec<Exit> {
        let list: Vec<String> = numbers.iter().map(|n| (n - 1).to_string()).collect();
        into.nft.extend([
            format!("add table netdev {WIRE_NAMESPACE}"),
            format!("add counter netdev {WIRE_NAMESPACE} {name}"),
            format!("add chain netdev {WIRE_NAMESPACE} {name} {{ type filter hook ingress device \"{name}o\" priority 0 ; }}"),
            format!(
                "add rule netdev {WIRE_NAMESPACE} {name} numgen inc mod {cycle} {{ {} }} counter name \"{name}\" drop",
                list.join(", ")
            ),
        ]);
        vec![Exit { device: format!("{name}o"), way: Way::Nft(name) }]
    }

    /// Returns the qdisc of a stage that is implemented by one.
    fn qdisc(&self, stage: &Stage) -> String {
        let percent = |share: f64| format!("{}%", decimal(share * 100.0));
        let us = |ns: u64| format!("{}us", decimal(ns as f64 / 1e3));
        let netem = match stage {
            Stage::Loss(Loss::Random(p)) => format!("loss random {}", percent(*p)),
            Stage::Loss(Loss::GilbertElliott { p, r, bad, good }) => {
                format!("loss gemodel {} {} {} {}", percent(*p), percent(*r), percent(*bad), percent(*good))
            }
            Stage::Outages(_) => "loss random 0%".into(),
            Stage::Corrupt(p) => format!("corrupt {}", percent(*p)),
            Stage::Duplicate(p) => format!("duplicate {}", percent(*p)),
            // netem delays the held-back packets; the others are sent ahead of them.
            Stage::Reorder { share: 1.0, by } => format!("delay {}", us(*by)),
            Stage::Reorder { share, by } => format!("delay {} reorder {} gap 1", us(*by), percent(1.0 - share)),
            Stage::Lengths { effect: LengthEffect::Corrupt, .. } => "corrupt 100%".into(),
            Stage::Lengths { effect: LengthEffect::Slow(rate), .. } => format!("rate {rate}bit"),
            Stage::Aggregate { every, packets, bytes } => {
                // With a rate, netem orphans packets from their socket (skb_orphan_partial), as a line does.
                let mut slot = format!("{IN_ORDER} slot {0} {0}", us(*every));
                slot += &packets.map(|n| format!(" packets {n}")).unwrap_or_default();
                slot += &bytes.map(|n| format!(" bytes {n}")).unwrap_or_default();
                slot
            }
            Stage::Loss(Loss::Every(_) | Loss::Packets(_)) | Stage::Police { .. } => unreachable!("these are filters"),
            Stage::Lengths { effect: LengthEffect::Drop, .. } => unreachable!("this is a filter"),
            Stage::Shape { .. } => unreachable!("this is a tbf"),
        };
        format!("netem {netem} limit {UNLIMITED_PACKETS}")
    }

    /// Returns its changes while traffic flows.
    pub fn changes(&self, dialect: Dialect) -> Vec<ChangeJob> {
        let in_wire = |at: u64, Changed { module, tc }: Changed| ChangeJob {
            at,
            namespace: WIRE_NAMESPACE.into(),
            module,
            tc,
            forgets: false,
        };
        let netem = |stage: &str, what: String| Changed {
            tc: vec![format!("qdisc change dev {} root handle 1: {what}", self.name(stage))],
            ..Changed::default()
        };
        let losing = |stage: &str, p: f64| {
            netem(stage, format!("netem loss random {}% limit {UNLIMITED_PACKETS}", decimal(p * 100.0)))
        };
        let mut all = vec![];
        for stage in &self.lane.stages {
            let Stage::Outages(outages) = stage else { continue };
            for (at, lasting) in outages {
                all.push(in_wire(*at, losing("outage", 1.0)));
                all.push(in_wire(at + lasting, losing("outage", 0.0)));
            }
        }
        for (at, lasts) in &self.scene.links[self.number / 2].down {
            let carrier = |at: u64, on: u8| ChangeJob {
                at,
                namespace: self.from.node.clone(),
                module: vec![format!("carrier {} {on}", self.from.member)],
                tc: vec![],
                forgets: false,
            };
            all.extend([carrier(*at, 0), carrier(at + lasts, 1)]);
        }
        for change in &self.lane.changes {
            let delay = |ns| match self.lane.jitter {
                Some(jitter) => netem("delay", netem_of(ns, jitter)),
                None => self.line().change(dialect, None, Some(ns)),
            };
            all.extend(change.delay.map(|ns| in_wire(change.at, delay(ns))));
            all.extend(change.loss.map(|p| in_wire(change.at, losing("loss", p))));
            all.extend(change.rate.and_then(|rate| self.change_rate(change.at, rate, dialect)));
        }
        all
    }

    fn change_rate(&self, at: u64, rate: u64, dialect: Dialect) -> Option<ChangeJob> {
        let Changed { module, tc } = match (self.host(), &self.lane.queue) {
            (Some(_), None) => self.nic().change(dialect, rate),
            (Some(_), Some(_)) => self.line().change(dialect, Some(rate), None),
            (None, _) => self.line_of_port().change(dialect, Some(rate), None),
        };
        Some(ChangeJob { at, namespace: self.queue()?.namespace, module, tc, forgets: false })
    }
}

/// Returns a netem with varying delays.
fn netem_of(ns: u64, jitter: Jitter) -> String {
    let us = |ns: u64| decimal(ns.max(LEAST_DELAY) as f64 / 1e3);
    let shape = match jitter.distribution {
        Distribution::Uniform => "",
        Distribution::Normal => " distribution normal",
        Distribution::Pareto => " distribution pareto",
        Distribution::Paretonormal => " distribution paretonormal",
    };
    let order = if jitter.reorder { String::new() } else { format!(" {IN_ORDER}") };
    format!("netem delay {}us {}us{shape}{order} limit {UNLIMITED_PACKETS}", us(ns), us(jitter.by))
}

/// Requires netem to show a stage's probabilities; it keeps them as 32-bit fractions.
fn show_share(device: &str, stage: &Stage, into: &mut Furnishing) {
    let mut share = |pointer, share: f64| into.show_within(device, "netem", pointer, share, 1e-6 * share + 5e-10);
    match stage {
        Stage::Loss(Loss::Random(p)) => share("/options/loss-random/loss", *p),
        Stage::Corrupt(p) => share("/options/corrupt/corrupt", *p),
        Stage::Duplicate(p) => share("/options/duplicate/duplicate", *p),
        Stage::Loss(Loss::GilbertElliott { p, r, bad, good }) => {
            share("/options/loss-gemodel/p", *p);
            share("/options/loss-gemodel/r", *r);
            share("/options/loss-gemodel/1-h", *bad);
            share("/options/loss-gemodel/1-k", *good);
        }
        Stage::Reorder { share: held, by } if *held < 1.0 => {
            share("/options/reorder/reorder", 1.0 - held);
            into.show_within(device, "netem", "/options/delay/delay", *by as f64 / 1e9, 2.1e-6);
        }
        Stage::Aggregate { every, .. } => {
            into.show_within(device, "netem", "/options/slot/min-delay", *every as f64 / 1e9, 2.1e-6);
        }
        _ => {}
    }
}

fn length_match(from: u32, to: u32) -> String {
    // At ingress, meta(pkt_len) is the length of the IP packet.
    format!("basic match 'meta(pkt_len gt {}) and meta(pkt_len lt {})'", from - 1, to + 1)
}

/// Returns the first part of a stage's device name.
fn word(stage: &Stage) -> &'static str {
    match stage {
        Stage::Loss(_) => "loss",
        Stage::Outages(_) => "outage",
        Stage::Corrupt(_) => "corrupt",
        Stage::Duplicate(_) => "twice",
        Stage::Reorder { .. } => "reorder",
        Stage::Lengths { .. } => "length",
        Stage::Police { .. } => "police",
        Stage::Shape { .. } => "shape",
        Stage::Aggregate { .. } => "slot",
    }
}
