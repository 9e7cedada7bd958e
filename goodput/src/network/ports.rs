//! What devices are called.
//!
//! A host's device is `nic`, its others `nic1`, `nic2` and so on, those of switches and routers are `port0`, `port1` and so on in the order of the file's
//! links; the members of a bond have `-0`, `-1` behind its name. In [`super::WIRE_NAMESPACE`] a port has the name of its host, or
//! the name and number of its switch or router.

use super::topology::{Step, attachments, node};
use crate::plan::{Role, Scene};

/// The first device of a host.
pub const NIC: &str = "nic";
/// The device of a switch that joins its ports.
pub const BRIDGE: &str = "bridge";

/// An end of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// The link, and which of its ends.
    pub end: Step,
    /// The node.
    pub node: String,
    /// The device that has the address or is in the bridge: a bond's, if there is one.
    pub device: String,
    /// The device that is the end of this link.
    pub member: String,
    /// The other end of the veth pair, in [`super::WIRE_NAMESPACE`].
    pub wire: String,
}

impl Port {
    /// The bond that it is a member of.
    pub fn bond(&self) -> Option<&String> {
        Some(&self.device).filter(|device| **device != self.member)
    }
}

/// The port at an end of a link.
pub fn port(scene: &Scene, end: Step) -> Port {
    let name = &scene.links[end.link].ends[end.lane].node;
    let groups = attachments(scene, name);
    let (group, members) =
        groups.iter().enumerate().find(|(_, group)| group.contains(&end)).expect("an end is attached to its node");
    let member = members.iter().position(|step| *step == end).unwrap_or(0);
    let host = matches!(node(scene, name).role, Role::Host(_));
    let device = match (host, group) {
        (true, 0) => NIC.into(),
        (true, _) => format!("{NIC}{group}"),
        (false, _) => format!("port{group}"),
    };
    let number = groups.iter().flatten().position(|step| *step == end).unwrap_or(0);
    let bonded = scene.links[end.link].bond.is_some();
    Port {
        end,
        node: name.clone(),
        member: if bonded { format!("{device}-{member}") } else { device.clone() },
        device,
        wire: if host && !bonded && group == 0 { name.clone() } else { numbered(name, number) },
    }
}

/// A name with a number behind it, cut to what a device's name may have (IFNAMSIZ).
fn numbered(name: &str, number: usize) -> String {
    let number = format!("-{number}");
    let length = name.len().min(15 - number.len());
    format!("{}{number}", &name[..length])
}

/// All ports of a node in the order of its links, those of a bond together.
pub fn ports(scene: &Scene, name: &str) -> Vec<Vec<Port>> {
    let groups = attachments(scene, name);
    groups.iter().map(|group| group.iter().map(|end| port(scene, *end)).collect()).collect()
}
