//! One direction of a link, in the namespace [`WIRE`]: a packet enters at the port that faces its sender and is handed
//! from device to device at their ingress (`tc … mirred`), without an IP stack in between:
//!
//! ```text
//! port A ─▶ delay_0 ~ delay_0o ─▶ loss_0 ~ loss_0o ─▶ … ─▶ port B
//!           netem delay           netem loss               tbf and queue, if A is a host
//! ```
//!
//! `~` joins the ends of a veth pair. netem's delay comes first because it takes the packet off its sender's account
//! (`skb_orphan_partial`): TCP Small Queues must see the host's own queue alone.

use super::furnishing::Furnishing;
use super::ports::{Port, port};
use super::queue::{self, Line, Nic};
use super::topology::{self, Step, node};
use super::{WIRE, decimal};
use crate::plan::{Distribution, Host, HostQdisc, Lane, LengthEffect, Loss, Role, Scene, Stage};
use wire::{ChangeJob, Tool};

/// Packets that a netem can hold at least: never the limit (its default, 1000, would be).
const UNLIMITED: u32 = 10_000_000;
/// The least delay that tc knows, ns.
const LEAST_DELAY: u64 = 1000;
/// Where packets of the wrong length go, if they do not vanish.
const ASIDE: &str = "aside";
/// A rate that takes no time, but makes netem keep the order of packets (net/sched/sch_netem.c, netem_enqueue).
const IN_ORDER: &str = "rate 10tbit";

/// A direction of a link, and where it begins and ends.
pub struct Direction<'a> {
    scene: &'a Scene,
    number: usize,
    lane: &'a Lane,
    mtu: u32,
    from: Port,
    to: Port,
}

/// Where the queue of a lane is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The namespace.
    pub namespace: String,
    /// The device.
    pub device: String,
    /// `root` or `clsact`.
    pub hook: &'static str,
}

/// A device from whose ingress packets go on.
struct Exit {
    device: String,
    way: Way,
}

/// How packets go on.
enum Way {
    /// tc takes them: filters that choose some come first, then what is done with all the others.
    Tc { filters: Vec<String>, action: String },
    /// The chain of nftables with this name takes them.
    Nft(String),
}

impl Exit {
    fn plain(device: String) -> Exit {
        Exit { device, way: Way::Tc { filters: vec![], action: String::new() } }
    }

    fn lead_to(self, next: &str, into: &mut Furnishing) {
        let device = self.device;
        match self.way {
            Way::Nft(chain) => into.nft.push(format!("add rule netdev {WIRE} {chain} fwd to \"{next}\"")),
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
    /// A direction of a link of the scene.
    pub fn of(scene: &'a Scene, step: Step) -> Direction<'a> {
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

    /// The host that sends, if one does.
    fn host(&self) -> Option<&'a Host> {
        match &node(self.scene, &self.from.node).role {
            Role::Host(host) => Some(host),
            Role::Switch(_) | Role::Router(_) => None,
        }
    }

    fn line(&self) -> Line<'_> {
        let device = if self.host().is_some() { &self.to.wire } else { &self.from.member };
        Line { device, rate: self.lane.rate, overhead: self.lane.overhead, mtu: self.mtu }
    }

    /// Where its packets wait for the line; `None` if they never wait.
    pub fn queue(&self) -> Option<Place> {
        let place =
            |namespace: &str, device: &str| Place { namespace: namespace.into(), device: device.into(), hook: "root" };
        match (self.host(), &self.lane.queue) {
            (Some(_), Some(_)) => Some(place(WIRE, &self.to.wire)),
            (Some(host), None) => host.nic.map(|_| place(&self.from.node, &self.from.member)),
            (None, _) => Some(place(&self.from.node, &self.from.member)),
        }
    }

    /// The queue of the sending host's own interface, in front of the link; `None` if it has none, or is the line itself.
    pub fn nic_queue(&self) -> Option<Place> {
        let host = self.host().filter(|host| host.nic.is_some() || host.qdisc != HostQdisc::Fifo)?;
        let is_line = self.lane.queue.is_none() && host.nic.is_some();
        let (namespace, device) = (self.from.node.clone(), self.from.member.clone());
        (!is_line).then_some(Place { namespace, device, hook: "root" })
    }

    /// Where the drops of a stage are counted; `None` if it drops nothing or nft counts them.
    pub fn drops(&self, stage: &Stage) -> Option<Place> {
        let (name, hook) = match stage {
            Stage::Loss(Loss::Every(_) | Loss::Packets(_))
            | Stage::Corrupt(_)
            | Stage::Duplicate(_)
            | Stage::Reorder { .. } => return None,
            Stage::Lengths { effect: LengthEffect::Corrupt | LengthEffect::Slow(_), .. } => (self.name(ASIDE), "root"),
            Stage::Aggregate { .. } => (self.name(word(stage)), "root"),
            Stage::Police { .. } | Stage::Lengths { .. } => (self.name(word(stage)) + "o", "clsact"),
            Stage::Loss(_) | Stage::Outages(_) | Stage::Shape { .. } => (self.name(word(stage)), "root"),
        };
        Some(Place { namespace: WIRE.into(), device: name, hook })
    }

    /// The nft counter that has the drops of a stage.
    pub fn counter(&self, stage: &Stage) -> Option<String> {
        matches!(stage, Stage::Loss(Loss::Every(_) | Loss::Packets(_))).then(|| self.name("loss"))
    }

    /// The devices in [`WIRE`], without the ports.
    pub fn devices(&self) -> Vec<String> {
        let aside = |stage: &Stage| match stage {
            Stage::Lengths { effect: LengthEffect::Corrupt | LengthEffect::Slow(_), .. } => Some(ASIDE),
            _ => None,
        };
        let stages = self.lane.stages.iter().flat_map(|stage| [Some(word(stage)), aside(stage)].into_iter().flatten());
        ["delay"].into_iter().chain(stages).map(|stage| self.name(stage)).collect()
    }

    /// The devices that its packets pass, with their namespaces: ends of veth pairs, the sending one first.
    pub fn row(&self) -> Vec<[(String, String); 2]> {
        let wire = |device: &String| (WIRE.to_owned(), device.clone());
        let node = |port: &Port| (port.node.clone(), port.member.clone());
        let between = self.devices().into_iter().map(|name| [wire(&name), wire(&format!("{name}o"))]);
        let first = [node(&self.from), wire(&self.from.wire)];
        let last = [wire(&self.to.wire), node(&self.to)];
        std::iter::once(first).chain(between).chain([last]).collect()
    }

    /// Everything in [`WIRE`] but the devices.
    pub fn furnish(&self, into: &mut Furnishing) {
        let delay = self.name("delay");
        Exit::plain(self.from.wire.clone()).lead_to(&delay, into);
        into.tc.push(format!("qdisc add dev {delay} root handle 1: {}", self.delay(self.lane.delay)));
        // tc hands whole microseconds to the kernel in steps of 64 ns, and shows whole microseconds of these.
        into.show_within(&delay, "netem", "/options/delay/delay", self.lane.delay as f64 / 1e9, 2.1e-6);
        if let Some(jitter) = self.lane.jitter {
            into.show_within(&delay, "netem", "/options/delay/jitter", jitter.by as f64 / 1e9, 2.1e-6);
        }
        let mut exits = vec![Exit::plain(delay + "o")];
        for stage in &self.lane.stages {
            exits = self.stage(stage, exits, into);
        }
        for exit in exits {
            exit.lead_to(&self.to.wire, into);
        }
        let receiver = node(self.scene, &self.to.node).offloads;
        if let (Some(_), Some(queue)) = (self.host(), &self.lane.queue) {
            into.tc.extend(self.line().commands("add", queue));
            self.line().show(queue, into);
        } else if receiver.gro || receiver.lro {
            // The ring of a device that polls holds 256 packets; what does not fit waits here.
            into.tc.push(format!("qdisc add dev {} root handle 1: pfifo limit {UNLIMITED}", self.to.wire));
        }
    }

    /// The line and queue at the port of a switch or router, in its own namespace.
    pub fn furnish_port(&self, into: &mut Furnishing) {
        match (self.host(), &self.lane.queue) {
            (None, Some(queue)) => {
                into.tc.extend(self.line().commands("add", queue));
                self.line().show(queue, into);
            }
            (Some(host), _) => self.nic().furnish(host, into),
            (None, None) => {}
        }
    }

    fn nic(&self) -> Nic<'_> {
        let offloads = node(self.scene, &self.from.node).offloads;
        Nic {
            device: &self.from.member,
            mtu: self.mtu,
            overhead: self.lane.queue.is_none().then_some(self.lane.overhead),
            tso: offloads.tso,
            large: offloads.tso || offloads.gso,
        }
    }

    /// netem for the delay. A rate in its place takes a packet off its sender's account as well.
    fn delay(&self, ns: u64) -> String {
        let us = |ns: u64| decimal(ns as f64 / 1e3);
        if ns < LEAST_DELAY && self.lane.jitter.is_none() {
            return format!("netem {IN_ORDER} limit {UNLIMITED}");
        }
        let mut text = format!("netem delay {}us", us(ns.max(LEAST_DELAY)));
        if let Some(jitter) = self.lane.jitter {
            text += &format!(" {}us", us(jitter.by.max(LEAST_DELAY)));
            text += match jitter.distribution {
                Distribution::Uniform => "",
                Distribution::Normal => " distribution normal",
                Distribution::Pareto => " distribution pareto",
                Distribution::Paretonormal => " distribution paretonormal",
            };
            if !jitter.reorder {
                text = text + " " + IN_ORDER;
            }
        }
        format!("{text} limit {UNLIMITED}")
    }

    /// Leads packets into a stage's device; returns where they come out.
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
                let aside = self.name(ASIDE);
                into.tc.push(format!("qdisc add dev {aside} root handle 1: {}", self.qdisc(stage)));
                let filter = format!("{} {}", length_match(*from, *to), redirect(&aside));
                let mut exits = out(vec![filter], String::new());
                exits.push(Exit::plain(aside + "o"));
                exits
            }
            Stage::Shape { rate, burst, buffer } => {
                into.tc.extend(queue::shaper(&name, *rate, *burst, *buffer, self.mtu));
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

    /// Loses packets by their numbers, which begin again after so many, with nftables.
    fn lose(&self, name: String, cycle: u32, numbers: &[u32], into: &mut Furnishing) -> Vec<Exit> {
        let list: Vec<String> = numbers.iter().map(|n| (n - 1).to_string()).collect();
        into.nft.extend([
            format!("add table netdev {WIRE}"),
            format!("add counter netdev {WIRE} {name}"),
            format!("add chain netdev {WIRE} {name} {{ type filter hook ingress device \"{name}o\" priority 0 ; }}"),
            format!(
                "add rule netdev {WIRE} {name} numgen inc mod {cycle} {{ {} }} counter name \"{name}\" drop",
                list.join(", ")
            ),
        ]);
        vec![Exit { device: format!("{name}o"), way: Way::Nft(name) }]
    }

    /// The qdisc of a stage that is one.
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
            // All the others go ahead of those that are held back.
            Stage::Reorder { share: 1.0, by } => format!("delay {}", us(*by)),
            Stage::Reorder { share, by } => format!("delay {} reorder {} gap 1", us(*by), percent(1.0 - share)),
            Stage::Lengths { effect: LengthEffect::Corrupt, .. } => "corrupt 100%".into(),
            Stage::Lengths { effect: LengthEffect::Slow(rate), .. } => format!("rate {rate}bit"),
            Stage::Aggregate { every, packets, bytes } => {
                let mut slot = format!("slot {0} {0}", us(*every));
                slot += &packets.map(|n| format!(" packets {n}")).unwrap_or_default();
                slot += &bytes.map(|n| format!(" bytes {n}")).unwrap_or_default();
                slot
            }
            Stage::Loss(Loss::Every(_) | Loss::Packets(_)) | Stage::Police { .. } => unreachable!("these are filters"),
            Stage::Lengths { effect: LengthEffect::Drop, .. } => unreachable!("this is a filter"),
            Stage::Shape { .. } => unreachable!("this is a tbf"),
        };
        format!("netem {netem} limit {UNLIMITED}")
    }

    /// What happens to it while traffic flows.
    pub fn changes(&self) -> Vec<ChangeJob> {
        let in_wire = |at: u64, line: String| (at, WIRE.to_owned(), vec![line]);
        let netem = |stage: &str, what: String| {
            format!("qdisc change dev {} root handle 1: netem {what} limit {UNLIMITED}", self.name(stage))
        };
        let mut all = vec![];
        for stage in &self.lane.stages {
            let Stage::Outages(outages) = stage else { continue };
            for (at, lasting) in outages {
                all.push(in_wire(*at, netem("outage", "loss random 100%".into())));
                all.push(in_wire(at + lasting, netem("outage", "loss random 0%".into())));
            }
        }
        for change in &self.lane.changes {
            let delay = |ns| format!("qdisc change dev {} root handle 1: {}", self.name("delay"), self.delay(ns));
            all.extend(change.delay.map(|ns| in_wire(change.at, delay(ns))));
            let loss = |p: f64| netem("loss", format!("loss random {}%", decimal(p * 100.0)));
            all.extend(change.loss.map(|p| in_wire(change.at, loss(p))));
            all.extend(change.rate.and_then(|rate| self.change_rate(change.at, rate)));
        }
        let job = |(at, namespace, lines)| ChangeJob { at, namespace, tool: Tool::Tc, lines };
        all.into_iter().map(job).collect()
    }

    fn change_rate(&self, at: u64, rate: u64) -> Option<(u64, String, Vec<String>)> {
        let lines = match &self.lane.queue {
            Some(queue) => Line { rate, ..self.line() }.commands("change", queue),
            None => vec![self.nic().line("change", rate)],
        };
        Some((at, self.queue()?.namespace, lines))
    }
}

/// What a netem must show of a stage; it keeps probabilities as 32-bit fractions.
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
    // meta(pkt_len) at ingress is the length of the IP packet.
    format!("basic match 'meta(pkt_len gt {}) and meta(pkt_len lt {})'", from - 1, to + 1)
}

/// The first part of the name of a stage's device.
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
