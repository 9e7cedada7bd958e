//! Converts a trial of the lab to evidence: TCP_INFO and the hosts' settings, as from real hosts.
//!
//! The causes that the experiment builds in, which only the lab knows, are not used.

use base::folder::Folder;
use evidence::ecn::{Echoed, Ecn, Feedback, Heard};
use evidence::{
    Connection, Evidence, Host, Interface, Limits, LinkRate, Offload, Ping, Place, Point, Route, Seen, Setting, System,
    Tunnel, Window,
};
use plan::recording::{self, RecordingError, Sample, TrialFacts, options};
use plan::{Bond, Cipher, Lane, Node, Role, Scene, Teller, Traffic, Trial, TunnelKind};

/// Returns the evidence of a trial in its folder; `name` is the folder's name.
pub fn of_trial(trial: &Trial, folder: &Folder, name: &str) -> Result<Evidence, RecordingError> {
    let facts = recording::facts(folder)?;
    let samples = samples(&trial.scene, folder)?;
    let mut exchanges = recording::exchanges(folder)?;
    let groups = groups(&trial.scene, &facts);
    let mut evidence = Evidence::default();
    for (number, flow) in trial.scene.flows.iter().enumerate() {
        let place = Place { file: name.into(), line: 0 };
        let exchanges = exchanges.remove(&number).unwrap_or_default();
        let times =
            exchanges.iter().filter_map(|exchange| Some(exchange.end?.saturating_sub(exchange.start) as f64 / 1e9));
        if flow.tcp().is_some() {
            let name = trial.scene.connection(number);
            let mut connection = connection(name, &samples[number], facts.span(number), place);
            let [sends, receives] = crate::data_ends(flow).map(|end| trial.scene.is_freebsd(end));
            without_linux(&mut connection, sends, receives);
            if trial.scene.record.teller == Teller::Iperf3 {
                without_kernel(&mut connection);
            }
            with_idle_path(&mut connection, crate::base_rtt(&trial.scene, flow) as f64 / 1e9);
            connection.congestion = crate::congestion(&trial.scene, flow).map(str::to_owned);
            connection.exchanges = times.collect();
            connection.group = groups[number];
            evidence.connections.push(connection);
        } else if let Traffic::Ping { size, .. } = flow.traffic {
            let mut rtts: Vec<f64> = times.collect();
            rtts.sort_by(f64::total_cmp);
            evidence.pings.push(Ping {
                place,
                target: flow.to.clone(),
                address: None,
                payload: Some(size),
                whole: true,
                sent: Some(exchanges.len() as u64),
                answered: Some(rtts.len() as u64),
                rtts,
                too_big: None,
            });
        }
    }
    evidence.hosts = trial.scene.nodes.iter().map(|node| host(node, &trial.scene, &facts.release, name)).collect();
    let place = Place { file: name.into(), line: 0 };
    let end = facts.ended.values().copied().max().unwrap_or(0);
    evidence.link_rate = line_rate(&trial.scene, end).map(|rate| LinkRate { place, rate });
    Ok(evidence)
}

/// Returns the rate that the flows' links should carry, bit/s, if it is the same for all flows: that of the slowest
/// link on the path. For a line that follows a trace, it is the mean rate until `end`, ns.
fn line_rate(scene: &Scene, end: u64) -> Option<f64> {
    let of_lane = |lane: &Lane| match &lane.rate_trace {
        Some(trace) if end > 0 => Some((trace.between(0, end) / end as f64) as u64),
        _ => lane.rates().max(),
    };
    let of_flow = |flow| crate::way(scene, flow).iter().filter_map(|step| of_lane(step.lane(scene))).min();
    let tcp = scene.flows.iter().filter(|flow| flow.tcp().is_some());
    let mut rates: Vec<Option<u64>> = tcp.map(of_flow).collect();
    rates.dedup();
    <[Option<u64>; 1]>::try_from(rates).ok()?[0].map(|rate| rate as f64)
}

/// Returns the group of each flow. Flows of different names that run at different times are in different groups.
fn groups(scene: &Scene, facts: &TrialFacts) -> Vec<usize> {
    let all: Vec<usize> = (0..scene.flows.len()).collect();
    let mut named: Vec<([u64; 2], Vec<usize>)> = vec![];
    for (_, flows) in scene.by_name(&all) {
        let spans = || flows.iter().map(|flow| facts.span(*flow));
        let (start, end) = (spans().map(|[start, _]| start).min(), spans().map(|[_, end]| end).max());
        named.push(([start.unwrap_or(0), end.unwrap_or(0)], flows));
    }
    named.sort();
    let (mut groups, mut group, mut last) = (vec![0; all.len()], 0, 0);
    for ([start, end], flows) in named {
        if start >= last && last > 0 {
            group += 1;
        }
        last = last.max(end);
        flows.into_iter().for_each(|flow| groups[flow] = group);
    }
    groups
}

/// Smallest ratio of minimum RTT to the idle path's RTT that shows a standing queue.
const QUEUED_RTT_RATIO: f64 = 1.5;

/// Replaces the minimum RTT by the idle path's RTT from the plan, s, if the minimum includes a standing queue.
fn with_idle_path(seen: &mut Connection, idle: f64) {
    if idle > 0.0 && seen.rtt_min.is_some_and(|least| least > QUEUED_RTT_RATIO * idle) {
        (seen.rtt_min, seen.rtt_base) = (None, Some(idle));
    }
}

/// Most points of a connection; rules need no more.
const MAX_POINTS: usize = 4000;

/// Samples of a flow's sending end, and of its other end.
type Ends = [Vec<Sample>; 2];

/// Returns the samples of each flow.
fn samples(scene: &Scene, folder: &Folder) -> Result<Vec<Ends>, RecordingError> {
    let mut all: Vec<Ends> = vec![Ends::default(); scene.flows.len()];
    recording::samples(folder, |sample| {
        let number = sample.flow as usize;
        if let Some(ends) = all.get_mut(number) {
            ends[usize::from(sample.end != scene.flows[number].sending_end())].push(*sample);
        }
    })?;
    Ok(all)
}

fn connection(name: String, [sent, received]: &Ends, [start, end]: [u64; 2], place: Place) -> Connection {
    let mut seen = Connection::new(place, evidence::Source::Laboratory, name, Seen::Both);
    let seconds = end.saturating_sub(start) as f64 / 1e9;
    let (Some(last), true) = (sent.last(), seconds > 0.0) else { return seen };
    let mss = last.snd_mss as f64;
    let arrived = received.last();
    seen.span = Some([start as f64 / 1e9, end as f64 / 1e9]);
    seen.bytes = arrived.map(|r| r.bytes_received as f64);
    seen.goodput = seen.bytes.map(|bytes| bytes * 8.0 / seconds);
    seen.mss = Some(mss).filter(|mss| *mss > 0.0);
    seen.advmss = arrived.map(|r| r.advmss as f64);
    seen.pmtu = Some(last.pmtu as f64);
    seen.segments_sent = Some(last.data_segs_out as f64);
    seen.retransmitted = Some(last.total_retrans as f64);
    seen.spurious = Some(last.dsack_dups as f64);
    seen.reordered = Some(last.reord_seen as f64);
    seen.out_of_order = arrived.filter(|r| r.data_segs_in > 0).map(|r| r.rcv_ooopack as f64 / r.data_segs_in as f64);
    seen.timeouts = last.total_rto.map(|n| n as f64);
    seen.timeout_time = last.total_rto_time.map(|ms| ms as f64 / 1e3);
    seen.marked = (last.delivered > 0).then(|| last.delivered_ce as f64 / last.delivered as f64);
    seen.ecn = Some(last.has(options::ECN));
    seen.ecn_detail = last.ecn_mode.and_then(|mode| ecn(mode, last));
    seen.sack = Some(last.has(options::SACK));
    seen.scaled = Some(last.has(options::SCALED));
    seen.rtt_min = last.min_rtt().filter(|us| *us > 0).map(|us| us as f64 / 1e6);
    let share = |us: u64| us as f64 / 1e6 / seconds;
    seen.limits = Some(Limits {
        busy: share(last.busy_time),
        rwnd: share(last.rwnd_limited),
        sndbuf: share(last.sndbuf_limited),
    });
    let during = |s: &&Sample| (start..=end).contains(&s.time);
    seen.window = sent.iter().filter(during).map(|s| s.snd_wnd).max().map(|largest| {
        let offered = sent.iter().skip_while(|s| s.snd_wnd == 0);
        let zeros = offered.filter(during).filter(|s| s.snd_wnd < last.snd_mss).count() as u64;
        Window { largest: largest as f64, zeros }
    });
    let mut full: Vec<f64> = received
        .iter()
        .filter(during)
        .filter(|r| r.rcvbuf > 0)
        .map(|r| r.rmem_alloc as f64 / r.rcvbuf as f64)
        .collect();
    full.sort_by(f64::total_cmp);
    seen.unread = full.get(full.len() / 2).copied();
    seen.sndbuf = Some(last.sndbuf as f64);
    seen.points = points(sent, [start, end], mss);
    seen
}

/// Reads `tcpi_ecn_mode` and the counters of AccECN (include/uapi/linux/tcp.h).
fn ecn(mode: u64, sender: &Sample) -> Option<Ecn> {
    let agreed = match mode {
        0 => Feedback::None,
        1 => Feedback::Classic,
        2 => Feedback::Accurate,
        _ => return None,
    };
    let [ect1, ect0, ce] = [sender.delivered_e1_bytes, sender.delivered_e0_bytes, sender.delivered_ce_bytes];
    let bytes = ect1.zip(ect0).zip(ce).map(|((ect1, ect0), ce)| Echoed { ect1, ect0, ce });
    // Without the option, all of them are 0.
    let bytes = bytes.filter(|bytes| bytes.all() > 0);
    let heard = (agreed == Feedback::Accurate).then_some(Heard { marked: Some([sender.delivered_ce; 2]), bytes });
    Some(Ecn { agreed: Some(agreed), heard, ..Ecn::default() })
}

/// Removes figures that a FreeBSD end does not have.
fn without_linux(seen: &mut Connection, sends: bool, receives: bool) {
    if sends || receives {
        seen.advmss = None;
    }
    if sends {
        (seen.pmtu, seen.segments_sent, seen.spurious, seen.reordered) = (None, None, None, None);
        (seen.marked, seen.rtt_min, seen.limits, seen.sndbuf) = (None, None, None, None);
        seen.ecn_detail = None;
        seen.points.iter_mut().for_each(|point| {
            *point = Point {
                time: point.time,
                bytes: point.bytes,
                retransmitted: point.retransmitted,
                cwnd: point.cwnd,
                ssthresh: point.ssthresh,
                srtt: point.srtt,
                rttvar: point.rttvar,
                in_flight: point.in_flight,
                window: point.window,
                unsent: point.unsent,
                ..Point::default()
            };
        });
    }
}

/// Removes figures that iperf3's intervals do not have.
fn without_kernel(seen: &mut Connection) {
    let known = Connection::new(seen.place.clone(), seen.source, seen.name.clone(), seen.seen);
    let points = seen.points.drain(..).map(|point| Point {
        time: point.time,
        retransmitted: point.retransmitted,
        cwnd: point.cwnd,
        srtt: point.srtt,
        ..Point::default()
    });
    *seen = Connection {
        span: seen.span,
        bytes: seen.bytes,
        goodput: seen.goodput,
        retransmitted: seen.retransmitted,
        points: points.collect(),
        ..known
    };
}

fn points(sent: &[Sample], [start, end]: [u64; 2], mss: f64) -> Vec<Point> {
    let within: Vec<&Sample> = sent.iter().filter(|s| (start..=end).contains(&s.time)).collect();
    let step = within.len().div_ceil(MAX_POINTS).max(1);
    let mut before = Sample::default();
    within
        .into_iter()
        .step_by(step)
        .map(|s| {
            let since = |now: u64, then: u64| now.saturating_sub(then) as f64;
            let spent = [
                since(s.busy_time, before.busy_time),
                since(s.rwnd_limited, before.rwnd_limited),
                since(s.sndbuf_limited, before.sndbuf_limited),
            ];
            let point = Point {
                time: s.time as f64 / 1e9,
                bytes: Some(since(s.bytes_acked, before.bytes_acked)),
                retransmitted: Some(since(s.total_retrans, before.total_retrans)),
                delivered: Some(since(s.delivered, before.delivered)),
                marked: Some(since(s.delivered_ce, before.delivered_ce)),
                limits: Limits::from_spent(spent.map(Some), since(s.time, before.time) / 1e3),
                cwnd: Some(s.snd_cwnd as f64 * mss),
                ssthresh: s.ssthresh().map(|packets| packets as f64 * mss),
                srtt: (s.rtt > 0).then_some(s.rtt as f64 / 1e6),
                rttvar: (s.rtt > 0).then_some(s.rttvar as f64 / 1e6),
                in_flight: Some(s.unacked as f64 * mss),
                window: Some(s.snd_wnd as f64),
                unsent: Some(s.notsent_bytes as f64),
                ..Point::default()
            };
            before = *s;
            point
        })
        .collect()
}

/// Returns what `sysctl`, `ethtool -k`, `ip link`, `ip route` and `ip xfrm state` would print on a node.
fn host(node: &Node, scene: &Scene, release: &str, name: &str) -> Host {
    let place = Place { file: format!("{name}: {}", node.name).into(), line: 0 };
    let mut host = Host::new(place.clone());
    let is_freebsd = scene.is_freebsd(&node.name);
    host.system = Some(if is_freebsd { System::FreeBsd } else { System::Linux });
    host.version = (!is_freebsd).then(|| release.into());
    let setting = |key: &str, value: &str| Setting::new(place.clone(), key, value);
    host.settings = node.sysctls.iter().map(|(key, value)| setting(key, value)).collect();
    let device = |name: &str| Interface::new(name, place.clone());
    let links = || scene.links.iter().filter(|link| link.ends.iter().any(|end| end.node == node.name));
    for (number, link) in links().enumerate() {
        let mut own = device(&format!("eth{number}"));
        own.mtu = Some(link.mtu);
        own.master = match (&node.role, link.bond) {
            (Role::Switch(_), _) => Some("br0".into()),
            (_, bond) => bond.map(|_| "bond0".into()),
        };
        let offload = |name: &str, on| Offload { place: place.clone(), name: name.into(), on, fixed: false };
        let far = link.ends.iter().find(|end| end.node != node.name).map_or("", |end| end.node.as_str());
        let on = node.offloads_towards(far);
        own.offloads = vec![
            offload("tcp-segmentation-offload", on.tso || on.tso_fault),
            offload("generic-segmentation-offload", on.gso),
            offload("generic-receive-offload", on.gro),
            offload("large-receive-offload", on.lro),
        ];
        host.interfaces.push(own);
    }
    if let Some(bond) = links().find_map(|link| link.bond) {
        let mode = match bond {
            Bond::BalanceRr => "balance-rr",
            Bond::ActiveBackup => "active-backup",
            Bond::BalanceXor => "balance-xor",
        };
        host.interfaces.push(Interface { kind: Some("bond".into()), bond_mode: Some(mode.into()), ..device("bond0") });
    }
    match &node.role {
        Role::Switch(_) => host.interfaces.push(Interface { kind: Some("bridge".into()), ..device("br0") }),
        Role::Router(_) => {
            host.settings.push(setting("net.ipv4.ip_forward", "1"));
            if scene.family.has_ipv6() {
                host.settings.push(setting("net.ipv6.conf.all.forwarding", "1"));
            }
        }
        Role::Host(own) => host.routes.extend(own.route.mtu.map(|mtu| Route {
            place: place.clone(),
            to: "default".into(),
            via: None,
            device: None,
            mtu: Some(mtu),
            attributes: vec![],
        })),
    }
    for tunnel in scene.tunnels.iter().filter(|tunnel| tunnel.ends.contains(&node.name)) {
        match tunnel.kind {
            TunnelKind::Esp { cipher, udp } => host.tunnels.push(esp(cipher, udp, &tunnel.ends, &place)),
            TunnelKind::Gre if tunnel.ipv6 => {
                host.interfaces.push(Interface { kind: Some("ip6gre".into()), ..device("ip6gre1") })
            }
            TunnelKind::Gre => host.interfaces.push(Interface { kind: Some("gre".into()), ..device("gre1") }),
            TunnelKind::Vxlan => host.interfaces.push(Interface { kind: Some("vxlan".into()), ..device("vxlan0") }),
            TunnelKind::Geneve => host.interfaces.push(Interface { kind: Some("geneve".into()), ..device("gnv0") }),
            TunnelKind::Ipip => {
                let kind = if tunnel.ipv6 { "ip6tnl" } else { "ipip" };
                host.interfaces.push(Interface { kind: Some(kind.into()), ..device("tun1") })
            }
            TunnelKind::Pppoe => host.interfaces.push(Interface { kind: Some("ppp".into()), ..device("ppp0") }),
            TunnelKind::Vlan | TunnelKind::Qinq => {
                host.interfaces.push(Interface { kind: Some("vlan".into()), ..device("vlan1") })
            }
            TunnelKind::SixInFour => host.interfaces.push(Interface { kind: Some("sit".into()), ..device("sit1") }),
            TunnelKind::Tcp => host.interfaces.push(Interface { kind: Some("tun".into()), ..device("tun0") }),
            TunnelKind::Wireguard => {
                host.interfaces.push(Interface { kind: Some("wireguard".into()), ..device("wg0") })
            }
        }
    }
    host
}

/// Returns an ESP tunnel with the names of `ip xfrm state`.
fn esp(cipher: Cipher, in_udp: bool, ends: &[String; 2], place: &Place) -> Tunnel {
    let (algorithms, icv_bits): (&[&str], u32) = match cipher {
        Cipher::AesGcm128 | Cipher::AesGcm256 => (&["rfc4106(gcm(aes))"], 128),
        Cipher::Chacha20Poly1305 => (&["rfc7539esp(chacha20,poly1305)"], 128),
        Cipher::AesCbcSha1 => (&["cbc(aes)", "hmac(sha1)"], 96),
        Cipher::AesCbcSha256 => (&["cbc(aes)", "hmac(sha256)"], 128),
    };
    Tunnel {
        place: place.clone(),
        ends: ends.clone(),
        mode: Some("tunnel".into()),
        algorithms: algorithms.iter().map(|name| (*name).into()).collect(),
        icv_bits: Some(icv_bits),
        in_udp,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use plan::Stage;

    #[test]
    fn flows_with_names_that_follow_each_other_are_no_group() {
        let flow = |name: &str| {
            let mut flow = fixture::flow("a", "c", fixture::bulk("cubic"));
            flow.name = Some(name.to_owned()).filter(|name| !name.is_empty());
            flow
        };
        let of = |names: [&str; 3], spans: [[u64; 2]; 3]| {
            let scene = Scene { flows: names.map(flow).into(), ..fixture::tree() };
            let times = |at: usize| (0..).zip(spans.map(|span| span[at])).collect();
            groups(&scene, &TrialFacts { started: times(0), ended: times(1), ..TrialFacts::default() })
        };
        let in_turn = [[0, 10], [10, 20], [30, 40]];
        assert_eq!(of(["host", "jail", "other"], in_turn), [0, 1, 2]);
        assert_eq!(of(["host", "jail", "host"], in_turn), [0, 0, 0], "the jail's is within the host's");
        assert_eq!(of(["host", "jail", "other"], [[0, 10], [9, 20], [30, 40]]), [0, 0, 1]);
        assert_eq!(of(["", "", ""], in_turn), [0, 0, 0]);
    }

    #[test]
    fn a_line_is_stated_where_all_flows_have_the_same() {
        let rate = |ends: &[[&str; 2]], change: fn(&mut Scene)| {
            let mut scene = fixture::tree();
            scene.flows = ends.iter().map(|[from, to]| fixture::flow(from, to, fixture::bulk("cubic"))).collect();
            change(&mut scene);
            line_rate(&scene, 60_000_000_000)
        };
        assert_eq!(rate(&[["a", "c"], ["b", "c"]], |_| ()), Some(1e8));
        assert_eq!(rate(&[["a", "b"]], |_| ()), Some(1e9));
        assert_eq!(rate(&[["a", "b"], ["a", "c"]], |_| ()), None, "neither is the other's");
        assert_eq!(rate(&[], |_| ()), None);
        let policed = |scene: &mut Scene| scene.links[2].forward.stages = vec![Stage::Police { rate: 4, burst: 1 }];
        assert_eq!(rate(&[["a", "c"]], policed), Some(1e8), "a cause is not told");
    }
}
