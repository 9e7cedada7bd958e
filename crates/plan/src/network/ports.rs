//! Names of devices.
//!
//! A host's devices are `nic`, `nic1`, `nic2` and so on, those of switches and routers `port0`, `port1` and so on, in
//! the order of the file's links. Members of a bond append `-0`, `-1` to its name. In [`super::WIRE_NAMESPACE`] a port
//! has the name of its host, or the name and number of its switch or router.

use super::topology::{Step, attachments, node};
use crate::{Role, Scene};

/// A host's first device.
pub const NIC: &str = "nic";
/// A switch's device that joins its ports.
pub const BRIDGE: &str = "bridge";

/// An end of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// The link and its end.
    pub end: Step,
    /// The node.
    pub node: String,
    /// Device that has the address or is in the bridge: the bond's, if there is one.
    pub device: String,
    /// Device at this end of the link.
    pub member: String,
    /// Other end of the veth pair, in [`super::WIRE_NAMESPACE`].
    pub wire: String,
}

impl Port {
    /// Returns the bond that it belongs to.
    pub fn bond(&self) -> Option<&String> {
        Some(&self.device).filter(|device| **device != self.member)
    }
}

/// Returns the port at an end of a link.
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

/// Appends a number to a name, cut to the longest device name (IFNAMSIZ).
fn numbered(name: &str, number: usize) -> String {
    let number = format!("-{number}");
    let length = name.len().min(15 - number.len());
    format!("{}{number}", &name[..length])
}

/// Returns all ports of a node in the order of its links, those of a bond together.
pub fn ports(scene: &Scene, name: &str) -> Vec<Vec<Port>> {
    let groups = attachments(scene, name);
    groups.iter().map(|group| group.iter().map(|end| port(scene, *end)).collect()).collect()
}
