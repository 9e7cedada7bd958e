//! Interfaces: combines the written keys with the settings of a host's driver and profile.

use crate::profile::{Brings, DEFAULT_COALESCE_NS};
use crate::reader::Reader;
use crate::source::Span;
use crate::written::{self, Host, Machine, Setup};
use evidence::unit::Wrong;
use plan::{Driver, HostQdisc, Interrupts, Offloads, Profile, Stack};
use toml::Spanned;

/// Settings of a host's driver and profile. If both have one, the driver's applies.
pub struct Brought {
    /// The host's distribution.
    pub profile: Profile,
    /// The interface's driver.
    pub driver: Option<Driver>,
    /// The interface's qdisc.
    pub qdisc: Option<HostQdisc>,
    /// The interface's offloads and interrupts.
    pub interface: Option<Offloads>,
    /// Settings under /proc/sys.
    pub sysctls: Vec<(&'static str, &'static str)>,
}

impl Brought {
    /// Collects the settings of the host's driver and profile, or else of those for all hosts.
    pub fn by(own: &Host, all: &Host) -> Brought {
        let profile = own.profile.or(all.profile);
        let driver = own.driver.or(all.driver).flatten();
        let rows = [driver.map(|(_, rows)| rows), profile.map(|(_, rows)| rows)];
        let rows = || rows.into_iter().flatten().flatten().map(|row| row.brings);
        let of_qdisc = |brings| if let Brings::Qdisc(qdisc) = brings { Some(qdisc) } else { None };
        let of_interface = |brings| if let Brings::Interface(on) = brings { Some(on) } else { None };
        let of_sysctl = |brings| if let Brings::Sysctl(name, value) = brings { Some((name, value)) } else { None };
        Brought {
            profile: profile.map(|(profile, _)| profile).unwrap_or_default(),
            driver: driver.map(|(driver, _)| driver),
            qdisc: rows().find_map(of_qdisc),
            interface: rows().find_map(of_interface),
            sysctls: rows().filter_map(of_sysctl).collect(),
        }
    }
}

/// Returns the offloads and interrupts of a switch or router. Its `coalesce` may be for its ports.
pub fn forwarding(reader: &Reader, own: &Machine) -> Offloads {
    let merges = own.ports.iter().any(|port| port.machine.offloads.as_ref().is_some_and(|on| on.get_ref().gro));
    merging(reader, own.offloads.as_ref(), own.coalesce.as_ref(), merges)
}

/// Returns the offloads and interrupts of a port: its own keys, or else its node's.
pub fn of_port(reader: &Reader, own: &Machine, node: &Machine) -> Offloads {
    let offloads = own.offloads.as_ref().or(node.offloads.as_ref());
    match &own.coalesce {
        Some(coalesce) => merging(reader, offloads, Some(coalesce), false),
        None => merging(reader, offloads, node.coalesce.as_ref(), true),
    }
}

/// Returns written offloads with their interrupts. A `coalesce` without merging is a fault, unless others need it.
fn merging(
    reader: &Reader,
    offloads: Option<&Spanned<Offloads>>,
    coalesce: Option<&Spanned<u64>>,
    others_merge: bool,
) -> Offloads {
    let on = offloads.map_or(Offloads::default(), |on| *on.get_ref());
    let wait = coalesce.map(Wait::coalesce);
    if let Some(wait) = wait.as_ref().filter(|_| !on.gro && !others_merge) {
        reader.fault(wait.span.clone(), wait.without(reader, "gro"));
    }
    Offloads { interrupts: interrupts(on, wait, Interrupts::Moderated(DEFAULT_COALESCE_NS)), ..on }
}

/// Returns the offloads and interrupts of a host. Without a line there is no default TSO, since nothing would cut large
/// packets.
pub fn sending(reader: &Reader, own: &Host, all: &Host, brought: &Brought, has_line: bool) -> Offloads {
    let on = written(own, all).unwrap_or_else(|| {
        let on = brought.interface.unwrap_or_default();
        Offloads { tso: on.tso && has_line, ..on }
    });
    let waits = waits(reader, own);
    for wait in waits.iter().filter(|_| !on.gro) {
        reader.fault(wait.span.clone(), wait.without(reader, "gro"));
    }
    let wait = waits.into_iter().next().or_else(|| waits_of(all).into_iter().next());
    let usual = brought.interface.map_or(Interrupts::Moderated(DEFAULT_COALESCE_NS), |on| on.interrupts);
    Offloads { interrupts: interrupts(on, wait, usual), ..on }
}

/// Returns the offloads and interrupts of a FreeBSD host. Keys of `[hosts]` apply only if `[hosts]` is for FreeBSD.
pub fn of_freebsd(reader: &Reader, own: &Host, all: &Host) -> Offloads {
    let of_all = Some(&all.machine).filter(|_| all.stack == Some(Stack::FreeBsd));
    let written = own.machine.offloads.as_ref().or(of_all.and_then(|all| all.offloads.as_ref()));
    let on = written.map_or(Offloads::default(), |on| *on.get_ref());
    let wait = own.machine.coalesce.as_ref().map(Wait::coalesce);
    if let Some(wait) = wait.as_ref().filter(|_| !on.lro) {
        reader.fault(wait.span.clone(), wait.without(reader, "lro"));
    }
    let wait = wait.or(of_all.and_then(|all| all.coalesce.as_ref().map(Wait::coalesce)));
    let interrupts = wait.map_or(Interrupts::Moderated(DEFAULT_COALESCE_NS), |wait| wait.interrupts);
    Offloads { interrupts: if on.lro { interrupts } else { Interrupts::Each }, ..on }
}

fn interrupts(on: Offloads, wait: Option<Wait>, usual: Interrupts) -> Interrupts {
    if on.gro { wait.map_or(usual, |wait| wait.interrupts) } else { Interrupts::Each }
}

/// Returns the offloads that are written for the host, or else for all hosts.
fn written(own: &Host, all: &Host) -> Option<Offloads> {
    own.machine.offloads.as_ref().or(all.machine.offloads.as_ref()).map(|on| *on.get_ref())
}

/// Checks that at least one host merges segments if `[hosts]` says when interfaces interrupt.
pub fn check(reader: &Reader, setup: &Setup) {
    let all = &setup.hosts;
    let merges = |node: &written::Node| match &node.role {
        written::Role::Host(own) => {
            written(own, all).or(Brought::by(own, all).interface).is_some_and(|on| on.gro || on.lro)
        }
        _ => false,
    };
    let waits = waits(reader, all);
    if !setup.nodes.iter().any(merges) {
        waits.iter().for_each(|wait| reader.fault(wait.span.clone(), wait.without(reader, "gro")));
    }
}

/// A key that says when an interface interrupts.
struct Wait {
    key: &'static str,
    span: Span,
    interrupts: Interrupts,
}

impl Wait {
    fn coalesce(written: &Spanned<u64>) -> Wait {
        let interrupts = match *written.get_ref() {
            0 => Interrupts::Each,
            ns => Interrupts::Moderated(ns),
        };
        Wait { key: "coalesce", span: written.span(), interrupts }
    }

    fn without(&self, reader: &Reader, merging: &str) -> Wrong {
        let Wait { key, span, .. } = self;
        let wrong = Wrong::new(format!("{key} {} without \"{merging}\"", reader.literal(span.clone())));
        let wrong = wrong.note(format!("{key} collects segments for merging"));
        wrong.hint(format!("add offloads = [\"{merging}\"], or remove {key}"))
    }
}

/// Returns the keys in this section that say when an interface interrupts. More than one is a fault.
fn waits(reader: &Reader, host: &Host) -> Vec<Wait> {
    let waits = waits_of(host);
    if let [one, other] = &waits[..] {
        let wrong = Wrong::new(format!("{} and {} are both written", one.key, other.key));
        let wrong = wrong.note("an interface interrupts after an interval, or Linux polls it");
        reader.fault(other.span.clone(), wrong.hint("remove one of them"));
    }
    waits
}

fn waits_of(host: &Host) -> Vec<Wait> {
    let napi = host.napi.as_ref().map(|polling| Wait {
        key: "napi",
        span: polling.span(),
        interrupts: Interrupts::Polled(*polling.get_ref()),
    });
    host.machine.coalesce.as_ref().map(Wait::coalesce).into_iter().chain(napi).collect()
}
