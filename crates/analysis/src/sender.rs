//! Finds the end of a flow that sends most of its data, and the settings of that end.

use plan::network::topology;
use plan::{Flow, Node, Role, Scene};

/// Returns the nodes that send and receive most of a flow's data.
pub(crate) fn data_ends(flow: &Flow) -> [&str; 2] {
    let [first, second] = flow.ends();
    if flow.sending_end() == 0 { [first, second] } else { [second, first] }
}

/// Returns the node that sends most of a flow's data.
pub fn sender<'a>(scene: &'a Scene, flow: &Flow) -> &'a Node {
    topology::node(scene, data_ends(flow)[0])
}

/// Returns the congestion control of the end of a TCP flow that sends most: the flow's own, else its route's, else the
/// host's; `None` if the kernel chose.
pub fn congestion<'a>(scene: &'a Scene, flow: &'a Flow) -> Option<&'a str> {
    let tcp = flow.tcp()?;
    let sender = sender(scene, flow);
    let route = || if let Role::Host(host) = &sender.role { host.route.congestion.as_ref() } else { None };
    let sysctl = || sysctl(sender, "net.ipv4.tcp_congestion_control");
    tcp.congestion.as_ref().or_else(route).map(String::as_str).or_else(sysctl)
}

/// Returns the value of a node's sysctl; `None` leaves it to the kernel.
pub fn sysctl<'a>(node: &'a Node, name: &str) -> Option<&'a str> {
    node.sysctls.iter().rfind(|(known, _)| known == name).map(|(_, value)| value.as_str())
}
