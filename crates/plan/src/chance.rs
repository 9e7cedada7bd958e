//! Whether a scene's outcome depends on the seed.

use super::{Bond, Discipline, HostQdisc, Lane, LengthEffect, Loss, Role, Scene, Stage, TunnelKind};

/// Congestion controls without randomness (net/ipv4/tcp_*.c, kernel/cc/). BBR draws the phase of its gain cycle, and
/// CDG draws whether it backs off; others are unknown.
const DETERMINISTIC_CONTROLS: &[&str] = &[
    "reno",
    "cubic",
    "dctcp",
    "highspeed",
    "htcp",
    "hybla",
    "illinois",
    "lp",
    "prague",
    "scalable",
    "vegas",
    "veno",
    "westwood",
    "yeah",
];

/// True if something in a scene is random, or may be: loss, jitter, queues that drop at random or hash flows with a
/// secret, the output of commands, and everything on a real path. Other randomness shows only in the recordings.
pub fn draws(scene: &Scene) -> bool {
    if scene.is_real() {
        return true;
    }
    let of_lanes = scene.links.iter().flat_map(|link| [&link.forward, &link.backward]).any(lane);
    let of_hosts = scene.nodes.iter().any(|node| match &node.role {
        Role::Host(host) => {
            matches!(host.qdisc, HostQdisc::Fq | HostQdisc::FqCodel | HostQdisc::DualPi2)
                || host.route.congestion.is_some()
        }
        Role::Switch(_) | Role::Router(_) => false,
    });
    let of_flows = scene.flows.iter().filter_map(|flow| flow.tcp()).any(|tcp| {
        let control = tcp.congestion.as_deref().unwrap_or_default();
        !DETERMINISTIC_CONTROLS.contains(&control)
    });
    // Ports are random, and WireGuard randomises the times of its handshakes.
    let of_ports = scene.links.iter().any(|link| link.bond == Some(Bond::BalanceXor));
    let of_tunnels = scene.tunnels.iter().any(|tunnel| tunnel.kind == TunnelKind::Wireguard);
    let of_nat = scene.nodes.iter().any(|node| match &node.role {
        Role::Router(router) => router.nat.as_ref().is_some_and(|nat| nat.random_ports),
        Role::Host(_) | Role::Switch(_) => false,
    });
    of_nat || of_lanes || of_hosts || of_flows || of_ports || of_tunnels || scene.has_commands()
}

fn lane(lane: &Lane) -> bool {
    let queue = lane.queue.is_some_and(|queue| match queue.discipline {
        Discipline::DropTail | Discipline::Codel { .. } | Discipline::Threshold { .. } => false,
        Discipline::Red { .. }
        | Discipline::Pie { .. }
        | Discipline::FqCodel { .. }
        | Discipline::Cake { .. }
        | Discipline::DualPi2(_)
        | Discipline::Fq => true,
    });
    let jitter = lane.jitter.is_some_and(|jitter| jitter.by > 0);
    let changes = lane.changes.iter().any(|change| change.loss.is_some_and(is_drawn));
    let traces = [&lane.rate_trace, &lane.delay_trace].into_iter().flatten().any(|trace| trace.by_seed);
    queue || jitter || changes || traces || lane.stages.iter().any(stage)
}

fn stage(stage: &Stage) -> bool {
    match stage {
        Stage::Loss(Loss::Random(share)) | Stage::Corrupt(share) | Stage::Duplicate(share) => is_drawn(*share),
        Stage::Loss(Loss::GilbertElliott { .. }) => true,
        Stage::Loss(Loss::Every(_) | Loss::Packets(_)) => false,
        Stage::Reorder { share, .. } => is_drawn(*share),
        Stage::Lengths { effect, .. } => matches!(effect, LengthEffect::Corrupt),
        Stage::Outages(_) | Stage::Police { .. } | Stage::Shape { .. } | Stage::Aggregate { .. } => false,
    }
}

/// True if the share is random: neither none nor all.
fn is_drawn(share: f64) -> bool {
    share > 0.0 && share < 1.0
}
