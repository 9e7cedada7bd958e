//! Measures of flows that use a TCP tunnel or several MPTCP subflows.

use super::data::FlowData;
use super::flow::ratio;
use super::path::way;
use plan::TunnelKind;

/// Returns the TCP tunnels that a flow's data passes: the tunnel's number, and the end at which the data enters.
fn entered(f: &FlowData) -> Vec<[u64; 2]> {
    let way = way(f.scene, f.flow);
    let nodes: Vec<&str> = way.iter().map(|step| f.scene.links[step.link].ends[step.lane].node.as_str()).collect();
    let last = way.last().map(|step| f.scene.links[step.link].ends[1 - step.lane].node.as_str());
    let place = |name: &String| nodes.iter().copied().chain(last).position(|node| node == name);
    let tunnels = f.scene.tunnels.iter().enumerate().filter(|(_, tunnel)| tunnel.kind == TunnelKind::Tcp);
    let end = |ends: &[String; 2]| Some(u64::from(place(&ends[1])? < place(&ends[0])?));
    tunnels.filter_map(|(number, tunnel)| Some([number as u64, end(&tunnel.ends)?])).collect()
}

/// Returns the share of the payload that the tunnel's connection retransmitted; with several tunnels, the largest.
pub fn tunnel_retransmitted(f: &FlowData) -> f64 {
    let sent = entered(f).into_iter().filter_map(|key| f.series.beside.tunnels.get(&key));
    sent.map(|sent| ratio(sent.again, sent.bytes)).fold(f64::NAN, f64::max)
}

/// Returns the share of a flow's retransmissions that had arrived already, through a tunnel that loses nothing; NaN
/// without a tunnel.
pub fn needless(f: &FlowData) -> f64 {
    if entered(f).is_empty() { f64::NAN } else { f.sender(|s| ratio(s.dsack_dups, s.total_retrans)) }
}

fn subflows<'a>(f: &'a FlowData) -> impl Iterator<Item = (u64, u64)> + 'a {
    let own = f.series.beside.subflows.range([f.number as u64, 0]..=[f.number as u64, u64::MAX]);
    own.map(|([_, subflow], sent)| (*subflow, sent.bytes)).filter(|(_, bytes)| *bytes > 0)
}

/// Returns the number of subflows that carried data; NaN without any.
pub fn used_subflows(f: &FlowData) -> f64 {
    let count = subflows(f).count();
    if count == 0 { f64::NAN } else { count as f64 }
}

/// Returns the share of the payload that the first subflow sent.
pub fn first_subflow(f: &FlowData) -> f64 {
    let all: u64 = subflows(f).map(|(_, bytes)| bytes).sum();
    let first = subflows(f).filter(|(subflow, _)| *subflow == 1).map(|(_, bytes)| bytes).sum();
    ratio(first, all)
}
