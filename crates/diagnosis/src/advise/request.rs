//! A request for advice, and the command line for it.

use crate::remedy::Route;
use base::model::tunnel::{self, Outer, Tunnel};
use evidence::System;
use evidence::platform::Platform;
use evidence::unit;
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AdviseRequest {
    /// Rate of the link, bit/s; above 0.
    pub rate: f64,
    /// RTT without queues, s; above 0.
    pub rtt: f64,
    /// Number of flows that share the link at the same time; at least 1.
    pub flows: u32,
    /// Loss events per packet sent, at any rate: packets lost together are one event.
    pub loss: Option<f64>,
    pub platform: Platform,
    /// Tunnel of the flows; the innermost of nested tunnels.
    pub tunnel: Option<&'static Tunnel>,
    /// Tunnels that carry it, from the inside out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub carriers: Vec<&'static Tunnel>,
    /// Network that carries the outermost tunnel, or the flows themselves.
    pub outer: Outer,
    /// Whether the host also routes or bridges for others.
    pub forwards: bool,
    /// Network interface of the host.
    pub interface: Option<String>,
    /// Route for the tunnel's MTU.
    pub route: Option<Route>,
    /// Number of connections that may be open at the same time.
    pub connections: u32,
}

impl AdviseRequest {
    /// Returns all tunnels, the innermost first.
    pub fn tunnels(&self) -> Vec<&'static Tunnel> {
        self.tunnel.into_iter().chain(self.carriers.iter().copied()).collect()
    }
}

/// Returns the command line of a request.
pub(super) fn asked(request: &AdviseRequest) -> String {
    let quantity = |kind: &unit::Kind, grains: f64| kind.show(grains.round() as u64).replace(' ', "");
    let mut words = vec![
        format!("--rate {}", quantity(&unit::RATE, request.rate)),
        format!("--rtt {}", quantity(&unit::TIME, request.rtt * 1e9)),
    ];
    let mut add = |word: String, asked: bool| words.extend(asked.then_some(word));
    add(format!("--flows {}", request.flows), request.flows != 1);
    if let Some(loss) = request.loss {
        add(format!("--loss {}", quantity(&unit::RATIO, loss * unit::ONE as f64)), true);
    }
    let system = match request.platform.system {
        System::Linux => "linux",
        System::FreeBsd => "freebsd",
    };
    add(format!("--os {system} --version {}", request.platform.version), true);
    add(format!("--tunnel {}", tunnel::names(&request.tunnels())), request.tunnel.is_some());
    add("--nat-t".into(), request.outer.nat_t);
    add("--ipv6-outside".into(), request.outer.ipv6);
    add(format!("--mtu {}", request.outer.mtu), request.outer.mtu != 1500);
    add("--forwards".into(), request.forwards);
    if let Some(interface) = &request.interface {
        add(format!("--interface {interface}"), true);
    }
    if let Some(route) = &request.route {
        add(format!("--route {}", route.prefix), true);
        add(format!("--via {}", route.via.as_deref().unwrap_or_default()), route.via.is_some());
    }
    add(format!("--connections {}", request.connections), request.connections != 1);
    words.join(" ")
}
