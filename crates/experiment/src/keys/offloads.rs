//! Offloads: of hosts, of what forwards, and of single ports.

use super::inner;
use crate::key::{Key, Leaf, Trial, key, keys};
use crate::leaf;
use crate::section::Section;
use crate::takes::{BoundedQuantity, List, Nested, Words, nested, time};
use crate::value::Value;
use crate::written::{Machine, Port, Sysctls};
use evidence::unit::Wrong;
use plan::{Interrupts, Offloads, Stack};
use toml::Spanned;

/// How long an interface may collect packets, ns: longer than any driver does.
pub const COALESCE: BoundedQuantity = time(0, 10_000_000);

/// Row of `coalesce`, shared by switches, routers and their ports.
pub fn coalesce() -> Key<BoundedQuantity> {
    key("coalesce", COALESCE)
        .limit(", only with `\"gro\"` or `\"lro\"`")
        .default("50 us with either, else 0 ns")
        .meaning("our module")
}

/// Row of `offloads`, shared by switches and routers.
pub fn merging() -> Key<List<Offload>> {
    key(
        "offloads",
        List {
            each: Offload::FORWARDING,
            due: "a list in brackets of what is on: gro, lro",
            words: "list of `\"gro\"` or `\"lro\"`",
        },
    )
    .limit(": [enabled offloads](#offloads)")
    .default("`[]`")
    .meaning("`ethtool -K`, our module")
}

/// Row of `ports`, shared by switches and routers.
pub fn ports() -> Key<Nested<Vec<Port>>> {
    key("ports", nested("a table [`ports`](interfaces.md#ports) by neighbour", read_ports))
        .default("every port is as the node")
        .meaning("`ethtool -K`, our module, for the port that faces a neighbour")
}

keys! {
    /// An entry of `ports`.
    pub struct PortKeys {
        offloads: List<Offload> = key(
            "offloads",
            List {
                each: Offload::OF_PORT,
                due: "a list in brackets of what is on: gro, lro, tso-fault",
                words: "list of `\"gro\"`, `\"lro\"` or `\"tso-fault\"`",
            },
        )
        .limit(": [enabled offloads](experiment.md#offloads)")
        .default("the node's")
        .meaning("`ethtool -K`, our module; *tso-fault*: `tc filter … egress basic match 'meta(pkt_len gt …)' action drop`");
        coalesce: BoundedQuantity = coalesce().default("the node's; else 50 us with either, 0 ns without");
    }
}

/// Reads `ports`: the offloads of the port that faces each named neighbour.
fn read_ports(node: &mut Section, key: &'static str) -> Option<Spanned<Vec<Port>>> {
    let mut section = node.section(key);
    let span = section.span.clone();
    let mut ports = Vec::new();
    for (to, mut own) in section.named() {
        let PortKeys { offloads, coalesce, .. } = PortKeys::read(&mut own);
        let machine = machine(&own, offloads, coalesce, None);
        own.finish();
        ports.push(Port { to, machine });
    }
    for (key, value) in section.entries().into_iter().filter(|(_, value)| !value.get_ref().is_table()) {
        let due = "a table in braces: { offloads = [\"lro\"] }";
        section.reader().wrong_type(key.get_ref(), value, due);
    }
    Some(Spanned::new(span, ports))
}

pub const SENDING: List<Offload> = List {
    each: Offload::SENDING,
    due: "a list in brackets of what is on: tso, gso, gro",
    words: "list of `\"tso\"`, `\"gso\"`, `\"gro\"`, `\"lro\"`",
};

/// An element of `offloads`.
#[derive(Debug, Clone, Copy)]
pub struct Offload(&'static [(&'static str, Offloads)]);

const OFF: Offloads =
    Offloads { tso: false, gso: false, gro: false, lro: false, tso_fault: false, interrupts: Interrupts::Each };
const TSO: Offloads = Offloads { tso: true, ..OFF };
const GSO: Offloads = Offloads { gso: true, ..OFF };
const GRO: Offloads = Offloads { gro: true, ..OFF };
const LRO: Offloads = Offloads { lro: true, ..OFF };
const TSO_FAULT: Offloads = Offloads { tso_fault: true, ..OFF };

impl Offload {
    /// Offloads of hosts; [`check_offloads`] removes those that the stack lacks.
    const SENDING: Offload = Offload(&[("tso", TSO), ("gso", GSO), ("gro", GRO), ("lro", LRO)]);

    /// Offloads of nodes that forward. LRO passes what it merged on to the kernel's GRO, so it implies GRO.
    const FORWARDING: Offload = Offload(&[("gro", GRO), ("lro", Offloads { gro: true, ..LRO })]);

    /// Offloads of one port of a node that forwards.
    const OF_PORT: Offload = Offload(&[("gro", GRO), ("lro", Offloads { gro: true, ..LRO }), ("tso-fault", TSO_FAULT)]);
}

impl Leaf for Offload {
    type Value = Offloads;

    fn parse(&self, value: &Value) -> Result<Offloads, Wrong> {
        match value.toml.as_str() {
            Some(word @ ("tso" | "gso")) if self.0.iter().all(|(known, _)| *known != word) => {
                let known: Vec<&str> = self.0.iter().map(|(known, _)| *known).collect();
                Err(Wrong::new("is for what sends of its own").accepted(known.join(", ")))
            }
            _ => leaf::word(self.0)(value),
        }
    }

    fn words(&self) -> String {
        Leaf::words(&Words(self.0))
    }

    fn trials(&self) -> Vec<Trial> {
        Leaf::trials(&Words(self.0)).into_iter().filter(|trial| trial.toml != "\"lro\"").collect()
    }
}

/// Checks offloads against the stack: Linux hosts have no LRO, and FreeBSD merges by LRO only.
pub fn check_offloads(section: &Section, offloads: &Spanned<Vec<Spanned<Offloads>>>, stack: Option<Stack>) {
    let is_freebsd = stack == Some(Stack::FreeBsd);
    for word in offloads.get_ref() {
        let named = |what: &str| Wrong::new(format!("offloads {} {what}", section.reader().literal(word.span())));
        let on = word.get_ref();
        let wrong = match is_freebsd {
            true if on.gro => named("is none of FreeBSD's").accepted("tso, lro").hint("write \"lro\""),
            true if on.gso => named("is none of FreeBSD's").accepted("tso, lro").hint("write \"tso\""),
            false if on.lro => named("is for what forwards packets")
                .accepted("tso, gso, gro")
                .hint("write it for the switch or router that passes on what it has merged"),
            _ => continue,
        };
        section.reader().fault(word.span(), wrong);
    }
}

pub fn machine(
    section: &Section,
    offloads: Option<Spanned<Vec<Spanned<Offloads>>>>,
    coalesce: Option<Spanned<u64>>,
    sysctls: Option<Spanned<Sysctls>>,
) -> Machine {
    let offloads = offloads.map(|listed| Spanned::new(listed.span(), all_of(section, listed.get_ref())));
    Machine { offloads, coalesce, ports: vec![], sysctls: inner(sysctls).unwrap_or_default() }
}

/// Returns the keys of a node that forwards.
pub fn forwarding(
    section: &Section,
    offloads: Option<Spanned<Vec<Spanned<Offloads>>>>,
    coalesce: Option<Spanned<u64>>,
    ports: Option<Spanned<Vec<Port>>>,
    sysctls: Option<Spanned<Sysctls>>,
) -> Machine {
    Machine { ports: inner(ports).unwrap_or_default(), ..machine(section, offloads, coalesce, sysctls) }
}

/// Combines the listed offloads.
fn all_of(section: &Section, listed: &[Spanned<Offloads>]) -> Offloads {
    let mut on = OFF;
    for (number, word) in listed.iter().enumerate() {
        if listed[..number].iter().any(|other| other.get_ref() == word.get_ref()) {
            let written = section.reader().literal(word.span());
            section.reader().fault(word.span(), Wrong::new(format!("offloads lists {written} twice")));
        }
        let one = word.get_ref();
        on = Offloads {
            tso: on.tso || one.tso,
            gso: on.gso || one.gso,
            gro: on.gro || one.gro,
            lro: on.lro || one.lro,
            tso_fault: on.tso_fault || one.tso_fault,
            interrupts: Interrupts::Each,
        };
    }
    on
}
