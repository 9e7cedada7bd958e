//! A trial of the laboratory as evidence: what TCP_INFO and the hosts' settings tell, as they would of real hosts.
//!
//! What only the laboratory knows, the causes that the experiment builds in, is not looked at.

use crate::analyze;
use crate::plan::{Bond, Cipher, Flow, Node, Role, Scene, Traffic, Trial, TunnelKind};
use crate::recording::{self, RecordingError};
use evidence::{
    Connection, Evidence, Host, Interface, Limits, Offload, Ping, Place, Point, Route, Seen, Setting, System, Tunnel,
    Window,
};
use std::path::Path;

/// The evidence of a trial in its folder; `name` stands for the folder.
pub fn of_trial(trial: &Trial, folder: &Path, name: &str) -> Result<Evidence, RecordingError> {
    let facts = recording::facts(folder)?;
    let samples = Samples::read(&folder.join(recording::SAMPLES))?;
    let series = analyze::series(&trial.scene, folder)?;
    let mut evidence = Evidence::default();
    for (number, flow) in trial.scene.flows.iter().enumerate() {
        let place = Place { file: name.into(), line: 0 };
        if flow.tcp().is_some() {
            let mut connection = samples.connection(number, flow, series.span(number), place);
            connection.congestion = analyze::congestion(&trial.scene, flow).map(str::to_owned);
            if matches!(flow.traffic, Traffic::Requests { .. }) {
                let ended = series.flows[number].exchanges.iter();
                connection.exchanges = ended.filter_map(|e| Some((e.end? - e.start) as f64 / 1e9)).collect();
            }
            evidence.connections.push(connection);
        } else if let Traffic::Ping { size, .. } = flow.traffic {
            let answers = series.flows[number].answers();
            evidence.pings.push(Ping {
                place,
                target: flow.to.clone(),
                payload: Some(size),
                whole: true,
                sent: Some(series.flows[number].exchanges.len() as u64),
                answered: Some(answers.len() as u64),
                rtts: answers.iter().map(|ns| *ns as f64 / 1e9).collect(),
                too_big: None,
            });
        }
    }
    evidence.hosts = trial.scene.nodes.iter().map(|node| host(node, &trial.scene, &facts.release, name)).collect();
    Ok(evidence)
}

/// A sample of one end of a flow, in the kernel's units.
#[derive(Clone, Copy, Default)]
struct Sample {
    flow: u64,
    end: u64,
    time: u64,
    options: u64,
    mss: u64,
    pmtu: u64,
    advmss: u64,
    unacked: u64,
    rtt: u64,
    ssthresh: u64,
    cwnd: u64,
    retransmitted: u64,
    acked: u64,
    received: u64,
    unsent: u64,
    min_rtt: u64,
    segments_in: u64,
    segments_out: u64,
    busy: u64,
    rwnd: u64,
    sndbuf_limited: u64,
    spurious: u64,
    reordered: u64,
    out_of_order: u64,
    window: u64,
    rcvbuf: u64,
    rmem: u64,
    sndbuf: u64,
    delivered: u64,
    marked: u64,
    timeouts: Option<u64>,
    timeout_time: Option<u64>,
}

/// A column, and the field of a sample that it fills.
type Field = (&'static str, fn(&mut Sample) -> &mut u64);

const FIELDS: [Field; 30] = [
    ("flow", |s| &mut s.flow),
    ("end", |s| &mut s.end),
    ("time", |s| &mut s.time),
    ("options", |s| &mut s.options),
    ("snd_mss", |s| &mut s.mss),
    ("pmtu", |s| &mut s.pmtu),
    ("advmss", |s| &mut s.advmss),
    ("unacked", |s| &mut s.unacked),
    ("rtt", |s| &mut s.rtt),
    ("snd_ssthresh", |s| &mut s.ssthresh),
    ("snd_cwnd", |s| &mut s.cwnd),
    ("total_retrans", |s| &mut s.retransmitted),
    ("bytes_acked", |s| &mut s.acked),
    ("bytes_received", |s| &mut s.received),
    ("notsent_bytes", |s| &mut s.unsent),
    ("min_rtt", |s| &mut s.min_rtt),
    ("data_segs_in", |s| &mut s.segments_in),
    ("data_segs_out", |s| &mut s.segments_out),
    ("busy_time", |s| &mut s.busy),
    ("rwnd_limited", |s| &mut s.rwnd),
    ("sndbuf_limited", |s| &mut s.sndbuf_limited),
    ("dsack_dups", |s| &mut s.spurious),
    ("reord_seen", |s| &mut s.reordered),
    ("rcv_ooopack", |s| &mut s.out_of_order),
    ("snd_wnd", |s| &mut s.window),
    ("rcvbuf", |s| &mut s.rcvbuf),
    ("rmem_alloc", |s| &mut s.rmem),
    ("sndbuf", |s| &mut s.sndbuf),
    ("delivered", |s| &mut s.delivered),
    ("delivered_ce", |s| &mut s.marked),
];

struct Samples(Vec<Sample>);

/// ssthresh before there is one (TCP_INFINITE_SSTHRESH, include/net/tcp.h).
const NO_SSTHRESH: u64 = 0x7fff_ffff;

/// min_rtt before the first round trip (`~0U`, net/ipv4/tcp.c).
const NO_RTT: u64 = 0xffff_ffff;

/// Bits of `tcpi_options` (include/uapi/linux/tcp.h).
const SACK: u64 = 2;
const SCALED: u64 = 4;
const ECN: u64 = 8;

/// At most so many points of a connection: rules need no more.
const POINTS: usize = 4000;

impl Samples {
    fn read(path: &Path) -> Result<Samples, RecordingError> {
        let columns = recording::columns(path, FIELDS.map(|(name, _)| name))?;
        let late = recording::columns_if_any(path, ["total_rto", "total_rto_time"])?;
        let sample = |row: usize| {
            let mut sample = Sample::default();
            FIELDS.iter().zip(&columns).for_each(|((_, field), column)| *field(&mut sample) = column[row]);
            let [timeouts, timeout_time] = late.each_ref().map(|column| Some(column.as_ref()?[row]));
            Sample { timeouts, timeout_time, ..sample }
        };
        Ok(Samples((0..columns[0].len()).map(sample).collect()))
    }

    fn of(&self, flow: usize, end: u64) -> Vec<Sample> {
        self.0.iter().filter(|s| s.flow == flow as u64 && s.end == end).copied().collect()
    }

    fn connection(&self, number: usize, flow: &Flow, [start, end]: [u64; 2], place: Place) -> Connection {
        let sender = analyze::sending_end(flow);
        let (sent, received) = (self.of(number, sender), self.of(number, 1 - sender));
        let name = format!("flow {number}, {} → {}", flow.from, flow.to);
        let mut seen = Connection::new(place, "laboratory", name, Seen::Both);
        let seconds = end.saturating_sub(start) as f64 / 1e9;
        let (Some(last), true) = (sent.last(), seconds > 0.0) else { return seen };
        let mss = last.mss as f64;
        let arrived = received.last();
        seen.span = Some([start as f64 / 1e9, end as f64 / 1e9]);
        seen.bytes = arrived.map(|r| r.received as f64);
        seen.goodput = seen.bytes.map(|bytes| bytes * 8.0 / seconds);
        seen.mss = Some(mss).filter(|mss| *mss > 0.0);
        seen.advmss = arrived.map(|r| r.advmss as f64);
        seen.pmtu = Some(last.pmtu as f64);
        seen.segments_sent = Some(last.segments_out as f64);
        seen.retransmitted = Some(last.retransmitted as f64);
        seen.spurious = Some(last.spurious as f64);
        seen.reordered = Some(last.reordered as f64);
        seen.out_of_order = arrived.filter(|r| r.segments_in > 0).map(|r| r.out_of_order as f64 / r.segments_in as f64);
        seen.timeouts = last.timeouts.map(|n| n as f64);
        seen.timeout_time = last.timeout_time.map(|ms| ms as f64 / 1e3);
        seen.marked = (last.delivered > 0).then(|| last.marked as f64 / last.delivered as f64);
        seen.ecn = Some(last.options & ECN != 0);
        seen.sack = Some(last.options & SACK != 0);
        seen.scaled = Some(last.options & SCALED != 0);
        seen.rtt_min = (last.min_rtt != NO_RTT && last.min_rtt > 0).then_some(last.min_rtt as f64 / 1e6);
        let share = |us: u64| us as f64 / 1e6 / seconds;
        seen.limits =
            Some(Limits { busy: share(last.busy), rwnd: share(last.rwnd), sndbuf: share(last.sndbuf_limited) });
        let during = |s: &&Sample| (start..=end).contains(&s.time);
        seen.window = sent.iter().filter(during).map(|s| s.window).max().map(|largest| {
            let offered = sent.iter().skip_while(|s| s.window == 0);
            let zeros = offered.filter(during).filter(|s| s.window < last.mss).count() as u64;
            Window { largest: largest as f64, zeros }
        });
        let mut full: Vec<f64> =
            received.iter().filter(during).filter(|r| r.rcvbuf > 0).map(|r| r.rmem as f64 / r.rcvbuf as f64).collect();
        full.sort_by(f64::total_cmp);
        seen.unread = full.get(full.len() / 2).copied();
        seen.sndbuf = Some(last.sndbuf as f64);
        seen.points = points(&sent, [start, end], mss);
        seen
    }
}

fn points(sent: &[Sample], [start, end]: [u64; 2], mss: f64) -> Vec<Point> {
    let within: Vec<&Sample> = sent.iter().filter(|s| (start..=end).contains(&s.time)).collect();
    let step = within.len().div_ceil(POINTS).max(1);
    let mut before = Sample::default();
    within
        .into_iter()
        .step_by(step)
        .map(|s| {
            let since = |now: u64, then: u64| now.saturating_sub(then) as f64;
            let point = Point {
                time: s.time as f64 / 1e9,
                bytes: Some(since(s.acked, before.acked)),
                retransmitted: Some(since(s.retransmitted, before.retransmitted)),
                cwnd: Some(s.cwnd as f64 * mss),
                ssthresh: (s.ssthresh != NO_SSTHRESH).then_some(s.ssthresh as f64 * mss),
                srtt: (s.rtt > 0).then_some(s.rtt as f64 / 1e6),
                in_flight: Some(s.unacked as f64 * mss),
                window: Some(s.window as f64),
                unsent: Some(s.unsent as f64),
            };
            before = *s;
            point
        })
        .collect()
}

/// What `sysctl`, `ethtool -k`, `ip link`, `ip route` and `ip xfrm state` would tell on a node.
fn host(node: &Node, scene: &Scene, release: &str, name: &str) -> Host {
    let place = Place { file: format!("{name}: {}", node.name).into(), line: 0 };
    let mut host = Host::new(place.clone());
    host.system = Some(System::Linux);
    host.version = Some(release.into());
    let setting = |key: &str, value: &str| Setting { place: place.clone(), key: key.into(), value: value.into() };
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
        own.offloads = vec![
            offload("tcp-segmentation-offload", node.offloads.tso),
            offload("generic-segmentation-offload", node.offloads.gso),
            offload("generic-receive-offload", node.offloads.gro),
            offload("large-receive-offload", node.offloads.lro),
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
        Role::Router(_) => host.settings.push(setting("net.ipv4.ip_forward", "1")),
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
            TunnelKind::Gre => host.interfaces.push(Interface { kind: Some("gre".into()), ..device("gre1") }),
            TunnelKind::Vxlan => host.interfaces.push(Interface { kind: Some("vxlan".into()), ..device("vxlan0") }),
            TunnelKind::Wireguard => {
                host.interfaces.push(Interface { kind: Some("wireguard".into()), ..device("wg0") })
            }
        }
    }
    host
}

/// As `ip xfrm state` names it.
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
