//! The guest kernel of a point, and checks of its features.

use super::freebsd;
use crate::reader::Reader;
use crate::source::Span;
use crate::sysctl;
use crate::written::{Discipline, Role, Setup};
use base::suggest::closest;
use evidence::unit::Wrong;
use plan::HostQdisc;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A guest kernel that an experiment may name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its names. The plan uses the first if the experiment names no kernel.
    pub names: Vec<String>,
    /// Its congestion controls; empty if unknown.
    pub congestion_controls: Vec<String>,
    /// Congestion controls of its FreeBSD stack; `None` if it has no such stack.
    pub freebsd: Option<Vec<String>>,
    /// Features that it lacks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Feature>,
    /// True if another version of goodput built it, so that no trial can boot it.
    #[serde(skip)]
    pub is_stale: bool,
}

/// Features that only later kernels have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Feature {
    /// The qdisc dualpi2.
    DualPi2,
    /// Accurate ECN (RFC 9768).
    AccEcn,
    /// MPTCP whose subflows can be told apart.
    Mptcp,
}

impl Feature {
    /// Returns the Linux release that introduced it.
    pub fn since(self) -> &'static str {
        match self {
            Feature::DualPi2 => "6.17",
            Feature::AccEcn => "6.18",
            Feature::Mptcp => "6.6",
        }
    }
}

/// Reports features that the experiment uses and the kernel lacks.
pub fn check_features(reader: &Reader, setup: &Setup, kernel: Option<&Kernel>) {
    let Some(kernel) = kernel else { return };
    let lacks = |feature: Feature| kernel.lacks.contains(&feature);
    let fault = |place: Span, what: &str, feature: Feature| {
        let wrong = Wrong::new(format!("{what} is not in kernel {}", kernel.names.join(", ")));
        let wrong = wrong.note(format!("it came with Linux {}", feature.since()));
        reader.fault(place, wrong.hint("name a later kernel; goodput kernel list shows those of this machine"));
    };
    let own_hosts = setup.nodes.iter().filter_map(|node| match &node.role {
        Role::Host(host) => Some(&**host),
        Role::Switch(_) | Role::Router(_) => None,
    });
    let hosts = || [&setup.hosts].into_iter().chain(own_hosts.clone());
    if lacks(Feature::DualPi2) {
        let sides = setup.links.iter().flat_map(|link| link.side.iter().chain([&link.backward]));
        let queues = sides.filter_map(|side| side.line.queue.as_ref());
        for queue in queues.filter(|queue| *queue.get_ref().discipline.get_ref() == Discipline::DualPi2) {
            fault(queue.span(), "queue \"dualpi2\"", Feature::DualPi2);
        }
        let qdiscs = hosts().filter_map(|host| host.qdisc.as_ref());
        for qdisc in qdiscs.filter(|qdisc| *qdisc.get_ref() == HostQdisc::DualPi2) {
            fault(qdisc.span(), "qdisc \"dualpi2\"", Feature::DualPi2);
        }
    }
    if lacks(Feature::Mptcp) {
        let protocols = setup.flows.iter().filter_map(|flow| flow.protocol.as_ref());
        for protocol in protocols.filter(|protocol| *protocol.get_ref()) {
            fault(protocol.span(), "protocol \"mptcp\"", Feature::Mptcp);
        }
    }
    if lacks(Feature::AccEcn) {
        let ecn = hosts().flat_map(|host| &host.tunings).filter(|(tuning, _)| tuning.key == "ecn");
        for (_, mode) in ecn.filter(|(_, mode)| *mode.get_ref() > LAST_CLASSIC_ECN) {
            fault(mode.span(), &format!("ecn {}", reader.literal(mode.span())), Feature::AccEcn);
        }
    }
}

/// Highest value of net.ipv4.tcp_ecn without AccECN; those above ask for it or accept it.
const LAST_CLASSIC_ECN: usize = 2;

/// Returns the kernel's name: the written one, or the last kernel's; empty if there is none.
pub fn kernel<'k>(reader: &Reader, setup: &Setup, kernels: &'k [Kernel]) -> (String, Option<&'k Kernel>) {
    let Some(written) = &setup.kernel else {
        let last = kernels.last();
        let name = last.and_then(|kernel| kernel.names.first()).cloned().unwrap_or_default();
        check_congestion(reader, setup, last, &name);
        return (name, last);
    };
    let name = written.get_ref();
    let found = kernels.iter().find(|kernel| kernel.names.contains(name));
    if found.is_none() && !kernels.is_empty() {
        let current = || kernels.iter().filter(|kernel| !kernel.is_stale);
        let names = || current().flat_map(|kernel| &kernel.names).map(String::as_str);
        let wrong = Wrong::new(format!("this machine has no guest kernel named \"{name}\""));
        let wrong = wrong.accepted(names().collect::<Vec<_>>().join(", "));
        reader.fault(
            written.span(),
            wrong.hint(match closest(name, names()) {
                None if is_bbr3(name) => {
                    format!("goodput kernel add {name} --from linux-source-6.12 --patch FILE, FILE being a patch with BBRv3: docs/how-to/bbr3.md")
                }
                Some(meant) => format!("write \"{meant}\", or build it: goodput kernel add {name} --from …"),
                None => format!("goodput kernel add {name} --from …"),
            }),
        );
    }
    check_congestion(reader, setup, found, name);
    (name.clone(), found)
}

/// Reports congestion controls that the kernel lacks, if its list is known.
fn check_congestion(reader: &Reader, setup: &Setup, kernel: Option<&Kernel>, name: &str) {
    let known = kernel.map_or(&[][..], |kernel| &kernel.congestion_controls);
    if known.is_empty() {
        return;
    }
    for (key, written) in controls(setup).filter(|(_, written)| !known.contains(written.get_ref())) {
        let wrong = Wrong::new(format!("{key} \"{}\" is not in kernel {name}", written.get_ref()));
        let wrong = wrong.accepted(known.join(", "));
        if is_bbr3(written.get_ref()) {
            let wrong = wrong.note("bbr is BBRv1, another algorithm; no release of Linux has BBRv3");
            let hint = "build a tree that has BBRv3, in which it is mostly called bbr too: goodput kernel add with-bbr3 --from TREE";
            reader.fault(written.span(), wrong.hint(hint));
            continue;
        }
        let meant = closest(written.get_ref(), known.iter().map(String::as_str));
        reader.fault(written.span(), meant.iter().fold(wrong, |wrong, meant| wrong.hint(format!("write \"{meant}\""))));
    }
}

/// True if the name means the BBR of draft-ietf-ccwg-bbr, or BBRv2 before it.
fn is_bbr3(name: &str) -> bool {
    ["bbr2", "bbrv2", "bbr3", "bbrv3", "bbr_v3", "bbr-v3"].contains(&name.to_lowercase().as_str())
}

/// Returns every congestion control in the experiment, with its key.
fn controls(setup: &Setup) -> impl Iterator<Item = (&'static str, &Spanned<String>)> {
    let of_flows = setup.flows.iter().filter(|flow| !freebsd::sends(setup, flow));
    let of_flows = of_flows.filter_map(|flow| flow.congestion.as_ref());
    let of_nodes = setup.nodes.iter().filter_map(|node| match &node.role {
        Role::Host(host) => host.route_congestion.as_ref(),
        Role::Switch(_) | Role::Router(_) => None,
    });
    let of_routes = setup.hosts.route_congestion.iter().chain(of_nodes);
    let machines = setup.nodes.iter().map(|node| match &node.role {
        Role::Host(host) => &host.machine,
        Role::Switch(switch) => &switch.machine,
        Role::Router(router) => &router.machine,
    });
    let sysctls = [&setup.hosts.machine].into_iter().chain(machines).flat_map(|machine| &machine.sysctls);
    let of_sysctls = sysctls.filter(|(name, _)| name.get_ref() == sysctl::CONGESTION).map(|(_, value)| value);
    of_flows
        .map(|name| ("congestion", name))
        .chain(of_routes.map(|name| ("route-congestion", name)))
        .chain(of_sysctls.map(|name| (sysctl::CONGESTION, name)))
}
