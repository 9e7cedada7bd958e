//! The guest kernel of a point, and what it must have.

use super::freebsd;
use crate::experiment::reader::Reader;
use crate::experiment::sysctl;
use crate::experiment::written::{Role, Setup};
use crate::suggest::closest;
use evidence::unit::Wrong;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A guest kernel that an experiment may name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// What it is called; by the first of them where an experiment names no kernel.
    pub names: Vec<String>,
    /// The congestion controls that it has; empty if that is not known.
    pub congestion_controls: Vec<String>,
    /// Those of FreeBSD's stack; `None` if it has no such stack.
    pub freebsd: Option<Vec<String>>,
}

/// The name of the kernel: as it is written, or else that of the last one; empty if there is none.
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
        let names = || kernels.iter().flat_map(|kernel| &kernel.names).map(String::as_str);
        let wrong = Wrong::new(format!("this machine has no guest kernel named \"{name}\""));
        let wrong = wrong.accepted(names().collect::<Vec<_>>().join(", "));
        reader.fault(
            written.span(),
            wrong.hint(match closest(name, names()) {
                Some(meant) => format!("write \"{meant}\", or build it: goodput kernel add {name} --from …"),
                None => format!("goodput kernel add {name} --from …"),
            }),
        );
    }
    check_congestion(reader, setup, found, name);
    (name.clone(), found)
}

/// Notes each congestion control that the kernel lacks, as far as it is known what it has.
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

/// Whether a name means the BBR of draft-ietf-ccwg-bbr or the one before it.
fn is_bbr3(name: &str) -> bool {
    ["bbr2", "bbrv2", "bbr3", "bbrv3", "bbr_v3", "bbr-v3"].contains(&name.to_lowercase().as_str())
}

/// Every congestion control that is written, with its key.
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
