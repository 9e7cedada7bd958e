//! Finds what the flows meet in the network: their ways, empty RTTs, ideal goodput and the bottleneck.

use super::rates::{bits_between, mean_delay};
use super::sender::{data_ends, sender};
use evidence::headers::{self, FRAMING};
use plan::network;
use plan::network::routing;
use plan::network::topology::{self, Step};
use plan::recording::{Sample, options};
use plan::{Bond, Flow, Host, Lane, Role, Scene, Stage, Traffic};

/// Returns the number under which values of a direction of a link are stored.
pub fn lane_number(step: Step) -> usize {
    step.link * 2 + step.lane
}

/// Returns the RTT of a flow's empty path, ns.
pub fn base_rtt(scene: &Scene, flow: &Flow) -> u64 {
    routing::round_trip(scene, &flow.from, &flow.to).map(|lane| lane.delay).sum()
}

/// Returns the mean RTT of a flow's empty path between two times, ns, as delays may change; NaN for a real path.
pub fn mean_base_rtt(scene: &Scene, flow: &Flow, [from, to]: [u64; 2]) -> f64 {
    if scene.is_real() {
        return f64::NAN;
    }
    routing::round_trip(scene, &flow.from, &flow.to).map(|lane| mean_delay(lane, from, to)).sum()
}

/// Returns the highest payload rate that the way of a flow's data can carry between two times, bit/s: full segments
/// back to back on the slowest of its lines, policers and shapers, without other flows (RFC 6349, section 4.1.1). NaN
/// on a real path and through a tunnel, whose overhead the plan does not contain.
pub fn ideal_goodput(scene: &Scene, flow: &Flow, sender_end: &Sample, [from, to]: [u64; 2]) -> f64 {
    let way = way(scene, flow);
    if through_tunnel(scene, &way) || scene.is_real() {
        return f64::NAN;
    }
    let timestamps = if sender_end.has(options::TIMESTAMPS) { headers::TIMESTAMPS } else { 0 };
    let packet = sender_end.snd_mss + u64::from(flow.family().tcp() + timestamps);
    let frame = packet + u64::from(headers::ETHERNET);
    let payload = |rate: f64, bytes: u64| rate * sender_end.snd_mss as f64 / bytes as f64;
    let line = |step: &Step| {
        let lane = step.lane(scene);
        let bits: f64 = together(scene, *step).iter().map(|member| bits_between(member.lane(scene), from, to)).sum();
        let stages = lane.stages.iter().filter_map(|stage| match stage {
            Stage::Police { rate, .. } => Some(payload(*rate as f64, packet)),
            Stage::Shape { rate, .. } => Some(payload(*rate as f64, frame)),
            _ => None,
        });
        let line = payload(bits * 1e9 / to.saturating_sub(from) as f64, frame + u64::from(lane.overhead));
        stages.fold(line, f64::min)
    };
    let own = way.first().map(|step| step.lane(scene)).filter(|lane| lane.queue.is_none());
    let framing = own.map_or(FRAMING, |lane| lane.overhead);
    let nic = match &sender(scene, flow).role {
        Role::Host(Host { nic: Some(rate), .. }) => payload(*rate as f64, frame + u64::from(framing)),
        _ => f64::INFINITY,
    };
    way.iter().map(line).fold(nic, f64::min)
}

/// True if a way leads through a tunnel.
pub fn through_tunnel(scene: &Scene, way: &[Step]) -> bool {
    let passes = |name: &String| way.iter().any(|step| scene.links[step.link].ends.iter().any(|end| end.node == *name));
    scene.tunnels.iter().any(|tunnel| tunnel.ends.iter().all(passes))
}

/// Returns the directions that share the segments of one flow: all members of a bond that takes turns (balance-rr),
/// else the direction itself.
fn together(scene: &Scene, step: Step) -> Vec<Step> {
    if scene.links[step.link].bond != Some(Bond::BalanceRr) {
        return vec![step];
    }
    let from = &scene.links[step.link].ends[step.lane].node;
    topology::attachments(scene, from).into_iter().find(|members| members.contains(&step)).unwrap_or_default()
}

/// Returns the way that most of a flow's data takes. For requests it is that of the responses, unless these are the
/// smaller part.
pub fn way(scene: &Scene, flow: &Flow) -> Vec<Step> {
    let [from, to] = data_ends(flow);
    routing::way(scene, from, to).unwrap_or_default()
}

/// Returns every direction of a link that a flow's data may take: its way; with MPTCP, each that leads nearer to the
/// receiver.
pub fn ways(scene: &Scene, flow: &Flow) -> Vec<Step> {
    if !flow.tcp().is_some_and(|tcp| tcp.multipath) {
        return way(scene, flow);
    }
    let [_, to] = data_ends(flow);
    let left = |node: &str| if node == to { Some(0) } else { routing::way(scene, node, to).map(|way| way.len()) };
    let is_nearer = |step: &Step| {
        let ends = &scene.links[step.link].ends;
        let [from, to] = [&ends[step.lane].node, &ends[1 - step.lane].node];
        left(to).is_some_and(|after| left(from).is_none_or(|before| after < before))
    };
    network::steps(scene).filter(is_nearer).collect()
}

/// Returns the numbers of the flows that load the network: bulk data and programs if there are any, else requests, else datagrams;
/// never pings. Other flows are background.
pub fn load(scene: &Scene) -> Vec<usize> {
    let kinds: [fn(&Traffic) -> bool; 3] = [
        |traffic| matches!(traffic, Traffic::Bulk { .. } | Traffic::Program { .. }),
        |traffic| matches!(traffic, Traffic::Requests { .. }),
        |traffic| matches!(traffic, Traffic::Udp { .. }),
    ];
    let of_kind = |kind: fn(&Traffic) -> bool| -> Vec<usize> {
        let flows = 0..scene.flows.len();
        flows.filter(|flow| kind(&scene.flows[*flow].traffic) && !scene.is_relayed(*flow)).collect()
    };
    kinds.into_iter().map(of_kind).find(|flows| !flows.is_empty()).unwrap_or_default()
}

/// Returns the bottleneck: on the ways of the [`load`]'s data, the direction that is slowest for each of these flows
/// that it carries; the first of equals. With pings alone, it is the slowest lane on their ways; without flows, the
/// slowest of all.
pub fn bottleneck(scene: &Scene) -> Option<Step> {
    let mut met: Vec<Step> = load(scene).into_iter().flat_map(|flow| ways(scene, &scene.flows[flow])).collect();
    if met.is_empty() {
        for step in scene.flows.iter().flat_map(|flow| way(scene, flow)) {
            met.extend((!met.contains(&step)).then_some(step));
        }
    }
    let all = if met.is_empty() { network::steps(scene).collect() } else { met };
    let flows = |step: &Step| all.iter().filter(|other| *other == step).count() as u64;
    all.iter().copied().min_by_key(|step| slowest(step.lane(scene)) / flows(step))
}

/// Returns the lowest rate that a lane, its policers and its shapers ever allow, bit/s.
fn slowest(lane: &Lane) -> u64 {
    let stages = lane.stages.iter().filter_map(|stage| match stage {
        Stage::Police { rate, .. } | Stage::Shape { rate, .. } => Some(*rate),
        _ => None,
    });
    lane.rates().chain(stages).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion;
    use crate::fixture::{bulk, flow, four_kinds, tree};
    use plan::Change;

    #[test]
    fn a_way_is_that_of_the_data() {
        let mut scene = tree();
        let requests = |request, response| Traffic::Requests {
            tcp: Default::default(),
            request,
            response,
            think: 0,
            outstanding: 1,
        };
        let steps = |scene: &Scene, flow| way(scene, flow).into_iter().map(lane_number).collect::<Vec<_>>();
        scene.flows =
            vec![flow("a", "c", bulk("cubic")), flow("a", "c", requests(9, 10)), flow("a", "c", requests(10, 9))];
        assert_eq!(steps(&scene, &scene.flows[0]), [0, 4]);
        assert_eq!(steps(&scene, &scene.flows[1]), [5, 1]);
        assert_eq!(steps(&scene, &scene.flows[2]), [0, 4]);
        // 1 ms and 4 ms, there and back.
        assert_eq!(base_rtt(&scene, &scene.flows[1]), 10_000_000);
    }

    #[test]
    fn congestion_control_is_the_flows_or_the_routes_or_the_hosts() {
        let mut scene = four_kinds();
        let of = |scene: &Scene, flow: usize| congestion(scene, &scene.flows[flow]).map(str::to_owned);
        assert_eq!([0, 1, 2, 3].map(|flow| of(&scene, flow)), [Some("cubic".into()), Some("bbr".into()), None, None]);
        let Traffic::Bulk { tcp, .. } = &mut scene.flows[0].traffic else { unreachable!() };
        tcp.congestion = None;
        assert_eq!(of(&scene, 0), None);
        scene.nodes[0].sysctls.push(("net.ipv4.tcp_congestion_control".into(), "reno".into()));
        assert_eq!(of(&scene, 0), Some("reno".into()));
        let Role::Host(host) = &mut scene.nodes[0].role else { unreachable!() };
        host.route.congestion = Some("dctcp".into());
        assert_eq!(of(&scene, 0), Some("dctcp".into()));
        // Flow 1 goes from c to b; if its requests are larger than its responses, c is the sender.
        let Traffic::Requests { tcp, request, .. } = &mut scene.flows[1].traffic else { unreachable!() };
        (tcp.congestion, *request) = (None, 901);
        scene.nodes[2].sysctls.push(("net.ipv4.tcp_congestion_control".into(), "vegas".into()));
        assert_eq!((scene.flows[1].sending_end(), of(&scene, 1)), (1, Some("vegas".into())));
        let Traffic::Requests { request, .. } = &mut scene.flows[1].traffic else { unreachable!() };
        *request = 900;
        assert_eq!((scene.flows[1].sending_end(), of(&scene, 1)), (0, None));
    }

    #[test]
    fn ideal_goodput_is_full_segments_at_the_slowest_link_rate() {
        const SECOND: u64 = 1_000_000_000;
        let mut scene = four_kinds();
        let sender_end = Sample { snd_mss: 1448, options: 7, ..Sample::default() };
        let ideal = |scene: &Scene, options| {
            let ideal = ideal_goodput(scene, &scene.flows[0], &Sample { options, ..sender_end }, [0, 2 * SECOND]);
            (ideal / 1e3).round() / 1e3
        };
        // 1448 bytes of 1500, 14 and 24 at 100 Mbit/s; without timestamps 1448 of 1488, 14 and 24.
        assert_eq!((ideal(&scene, 7), ideal(&scene, 6)), (94.148, 94.889));
        let change = Change { at: SECOND, rate: Some(50_000_000), delay: None, loss: None };
        scene.links[2].forward.changes = vec![change];
        assert_eq!(ideal(&scene, 7), 70.611, "75 Mbit/s on average");
        scene.links[0].forward.stages = vec![Stage::Police { rate: 50_000_000, burst: 1 }];
        assert_eq!(ideal(&scene, 7), 48.267, "1448 of 1500");
        let Role::Host(host) = &mut scene.nodes[0].role else { unreachable!() };
        host.nic = Some(10_000_000);
        assert_eq!(ideal(&scene, 7), 9.415);
        let ends = ["s".into(), "c".into()];
        scene.tunnels = vec![plan::Tunnel { ends, kind: plan::TunnelKind::Gre, ipv6: false }].into();
        assert!(ideal(&scene, 7).is_nan());
        scene.tunnels[0].ends = ["s".into(), "b".into()];
        assert_eq!(ideal(&scene, 7), 9.415, "the tunnel is elsewhere");
    }

    #[test]
    fn a_bond_that_takes_turns_is_as_fast_as_its_members_together() {
        let mut scene = four_kinds();
        let member = scene.links[2].clone();
        scene.links.push(member);
        let sender_end = Sample { snd_mss: 1448, options: 7, ..Sample::default() };
        for (bond, times) in [(Bond::BalanceRr, 2.0), (Bond::ActiveBackup, 1.0), (Bond::BalanceXor, 1.0)] {
            scene.links[2].bond = Some(bond);
            scene.links[3].bond = Some(bond);
            let ideal = ideal_goodput(&scene, &scene.flows[0], &sender_end, [0, 1_000_000_000]);
            assert!((ideal / (times * 1e8 * 1448.0 / 1538.0) - 1.0).abs() < 1e-12, "{bond:?}: {ideal}");
        }
    }

    #[test]
    fn the_bottleneck_is_the_slowest_lane_that_data_meets() {
        let mut scene = four_kinds();
        // a and b to the switch at 1 Gbit/s, the switch to c at 100 Mbit/s.
        assert_eq!(bottleneck(&scene), Some(Step { link: 2, lane: 0 }));
        scene.links[1].backward.rate = 1_000_000;
        assert_eq!(bottleneck(&scene), Some(Step { link: 2, lane: 0 }), "no data takes that way");
        scene.links[1].forward.changes = vec![Change { at: 0, rate: Some(5), delay: None, loss: None }];
        assert_eq!(bottleneck(&scene), Some(Step { link: 2, lane: 0 }), "only datagrams take it, beside bulk data");
        scene.flows.push(flow("b", "c", bulk("cubic")));
        assert_eq!(bottleneck(&scene), Some(Step { link: 1, lane: 0 }), "a rate may fall");
        scene.links[0].forward.stages = vec![Stage::Police { rate: 4, burst: 1 }];
        assert_eq!(bottleneck(&scene), Some(Step { link: 0, lane: 0 }), "a policer is a limit");
        scene.flows.clear();
        assert_eq!(bottleneck(&scene), Some(Step { link: 0, lane: 0 }), "without flows every lane counts");
        scene.links.clear();
        assert_eq!(bottleneck(&scene), None);
    }

    #[test]
    fn the_first_of_equals_is_the_bottleneck() {
        let mut scene = tree();
        scene.links[2].forward.rate = 1_000_000_000;
        scene.flows = vec![flow("c", "b", bulk("cubic")), flow("a", "c", bulk("cubic"))];
        scene.links[2].backward.rate = 1_000_000_000;
        assert_eq!(bottleneck(&scene), Some(Step { link: 2, lane: 1 }));
        scene.flows.push(flow("b", "c", bulk("cubic")));
        assert_eq!(bottleneck(&scene), Some(Step { link: 2, lane: 0 }), "two flows share it");
    }

    #[test]
    fn pings_are_no_load() {
        let mut scene = tree();
        let ping = |from, to| flow(from, to, Traffic::Ping { interval: 1, size: 56 });
        // 60 Mbit/s for the flow from a, and 100 Mbit/s for the pings behind.
        scene.links[0].forward.rate = 60_000_000;
        scene.flows = vec![ping("b", "c"), ping("b", "c"), flow("a", "c", bulk("cubic"))];
        assert_eq!((load(&scene), bottleneck(&scene)), (vec![2], Some(Step { link: 0, lane: 0 })));
        scene.flows.truncate(2);
        assert_eq!((load(&scene), bottleneck(&scene)), (vec![], Some(Step { link: 2, lane: 0 })));
        scene.links[1].forward.rate = 60_000_000;
        assert_eq!(bottleneck(&scene), Some(Step { link: 1, lane: 0 }));
        let kinds = four_kinds().flows;
        scene.flows = vec![kinds[3].clone(), kinds[2].clone(), kinds[1].clone()];
        assert_eq!(load(&scene), [2]);
        scene.flows.pop();
        assert_eq!(load(&scene), [1]);
    }
}
