//! The paths: each cause's mechanism, drawn from ranges, and the test of whether it limits the flow.

use crate::counted::{Counted, Drops};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A path, and the programs that run on it.
#[derive(Clone, Default)]
pub struct Path {
    /// Names of the causes, and the path's number.
    pub name: String,
    /// Number among the paths with the same causes.
    pub number: usize,
    /// Built-in causes; the counters decide whether they limit the flow.
    pub causes: Vec<&'static Cause>,
    /// Rate of the bottleneck, Mbit/s.
    pub rate: f64,
    /// Without a queue, ms.
    pub rtt: f64,
    /// Buffer of the bottleneck, as the experiment writes it.
    pub buffer: String,
    /// Further keys of the bottleneck.
    pub line: Vec<String>,
    /// Keys of the two hosts, sysctls among them as `sysctl.NAME`.
    pub hosts: [Vec<String>; 2],
    /// Middle of the path, between the hosts.
    pub middle: Middle,
    /// Arguments of iperf3's client.
    pub client: String,
    /// Whether the client receives.
    pub reverse: bool,
    /// Command that runs in place of `iperf3 -s`.
    pub server: Option<String>,
    /// How long iperf3 runs.
    pub seconds: u32,
    /// When the path is down, seconds of the experiment: from, to.
    pub down: Option<[f64; 2]>,
    /// Target rate of iperf3 for all streams together, Mbit/s.
    pub target: Option<f64>,
    /// Other traffic, as `[[flows]]`.
    pub beside: String,
}

/// From this number on paths are held out. Of the smaller ones 1, 3 and 5 to 14 were held out once, and were looked at since.
const HELD_OUT: usize = 15;

/// From this number on rates and round-trip times are drawn from wider ranges.
const FIRST_WIDE_NUMBER: usize = 6;

/// Middle of a path, between the hosts.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Middle {
    /// A single link.
    #[default]
    Link,
    /// Two routers with a link of a smaller MTU between them, and no ICMP about it.
    Hole(u32),
    /// A router that merges the packets it forwards.
    Merging,
}

impl Path {
    /// Bandwidth-delay product, bytes.
    pub fn bdp(&self) -> f64 {
        self.rate * self.rtt * 1e3 / 8.0
    }

    /// Whether no rule was made with it, nor with another of its number.
    pub fn is_held_out(&self) -> bool {
        self.number >= HELD_OUT
    }

    /// Whether the sender runs BBR.
    pub fn is_bbr(&self) -> bool {
        self.client.contains("-C bbr")
    }
}

/// A cause.
pub struct Cause {
    /// Name of the cause.
    pub name: &'static str,
    /// The finding that an expert names.
    pub finding: &'static str,
    /// Others that an expert would accept, though of low confidence.
    pub doubtful: &'static [&'static str],
    /// Others that an expert would accept.
    pub also: &'static [&'static str],
    /// Builds it in.
    build: fn(&mut Path, &mut Draw),
    /// The share of the time for which it limited, by the counters.
    pub binds: fn(&Path, &Counted) -> f64,
}

/// Random numbers of a path, which depend on its name alone.
pub struct Draw(Xoshiro256PlusPlus);

impl Draw {
    fn of(name: &str) -> Draw {
        // FNV-1a
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Draw(Xoshiro256PlusPlus::seed_from_u64(hash))
    }

    /// Draws a value, as often below the geometric mean as above it.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        low * (high / low).powf(share)
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[(self.0.next_u64() % of.len() as u64) as usize]
    }
}

/// Payload of a full segment, and its bytes on the wire.
const SEGMENT: [f64; 2] = [1448.0, 1538.0];

/// Loss events for each segment at which Reno gets a share of the link: 1.22/sqrt(p) segments a round trip.
fn loss(path: &Path, share: f64) -> f64 {
    let segments = share * path.bdp() / SEGMENT[1];
    (1.22 / segments).powi(2).min(0.05)
}

fn sysctl(path: &mut Path, host: usize, key: &str, value: String) {
    path.hosts[host].push(format!("sysctl.\"{key}\" = {value}"));
}

/// Sets a receive buffer whose half is the window.
fn receive_buffer(path: &mut Path, window: f64) {
    let bytes = (2.0 * window).max(16_384.0) as u64;
    sysctl(path, 1, "net.ipv4.tcp_rmem", format!("\"4096 {} {bytes}\"", bytes.min(131_072)));
}

/// Longer and faster than this a window of 64 KiB does not do.
fn long(path: &mut Path, draw: &mut Draw) {
    path.rate = draw.between(15.0, 50.0);
    path.rtt = draw.between(60.0, 150.0);
}

fn policed(path: &mut Path, draw: &mut Draw) {
    let rate = path.rate * draw.between(0.2, 0.6);
    let burst = (rate * 1e3 / 8.0 * draw.between(20.0, 120.0)).max(10_000.0);
    path.line.push(format!("police = {{ rate = \"{rate:.2} Mbit/s\", burst = \"{burst:.0} B\" }}"));
}

/// Reads for so long, then sleeps for so long, seconds.
fn sleepy(read: f64, sleep: f64) -> String {
    format!("iperf3 -s & p=$!; sleep 3; while kill -STOP $p; do sleep {sleep:.2}; kill -CONT $p; sleep {read:.2}; done")
}

/// Only the link limits the flow.
fn never(_: &Path, _: &Counted) -> f64 {
    0.0
}

const fn cause(
    name: &'static str,
    finding: &'static str,
    build: fn(&mut Path, &mut Draw),
    binds: fn(&Path, &Counted) -> f64,
) -> Cause {
    Cause { name, finding, doubtful: &[], also: &[], build, binds }
}

impl Cause {
    const fn also(self, also: &'static [&'static str]) -> Cause {
        Cause { also, ..self }
    }

    const fn doubtful(self, doubtful: &'static [&'static str]) -> Cause {
        Cause { doubtful, ..self }
    }
}

/// Every cause; the first is that nothing is wrong.
pub const CAUSES: &[Cause] = &[
    cause("full", "none", |_, _| {}, never),
    cause("full-bbr", "none", |path, _| path.client += " -C bbr", never),
    cause("full-reno", "none", |path, _| path.client += " -C reno", never),
    cause("full-streams", "none", |path, draw| path.client += &format!(" -P {}", draw.pick(&[2, 3, 4, 6])), never),
    cause("full-reverse", "none", |path, _| path.reverse = true, never),
    cause(
        "full-reverse-streams",
        "none",
        |path, draw| {
            path.reverse = true;
            path.client += &format!(" -P {}", draw.pick(&[2, 4]));
        },
        never,
    ),
    cause(
        "full-window",
        "none",
        |path, _| path.client += &format!(" -w {:.0}K", (4.0 * path.bdp()).max(200e3) / 1024.0),
        never,
    ),
    cause("full-short", "none", |path, _| path.seconds = 4, never),
    cause("full-long", "none", |path, _| path.seconds = 25, never),
    cause(
        "full-beside-udp",
        "none",
        |path, draw| {
            let rate = path.rate * draw.between(0.15, 0.4);
            path.beside = format!("[[flows]]\nkind = \"udp\"\nrate = \"{rate:.2} Mbit/s\"\nduration = \"14 s\"\n");
        },
        never,
    )
    .also(&["rate-cap"]),
    cause(
        "full-wireless",
        "none",
        |path, draw| {
            path.rtt = draw.between(15.0, 50.0);
            path.line.push(format!("jitter = \"{:.2} ms\"", draw.between(0.5, 2.5)));
            path.line.push(format!("aggregate = {{ every = \"{:.1} ms\" }}", draw.between(1.0, 4.0)));
        },
        never,
    ),
    cause(
        "full-aqm",
        "none",
        |path, draw| {
            path.buffer = "1000 packets".into();
            path.rtt = draw.between(8.0, 40.0);
            path.line.push(format!("queue = \"{}\"", draw.pick(&["fq_codel", "codel", "pie"])));
        },
        never,
    ),
    cause(
        "full-ecn",
        "none",
        |path, draw| {
            path.buffer = "1000 packets".into();
            path.rtt = draw.between(8.0, 40.0);
            let discipline = draw.pick(&["fq_codel", "codel"]);
            path.line.push(format!("queue = {{ discipline = \"{discipline}\", ecn = true }}"));
            path.hosts.iter_mut().for_each(|host| host.push("ecn = true".into()));
        },
        never,
    ),
    cause(
        "bloat",
        "bufferbloat",
        |path, draw| {
            path.rtt = draw.between(8.0, 40.0);
            path.buffer = format!("{:.1} BDP", draw.between(4.0, 12.0) * (20.0 / path.rtt).max(1.0));
        },
        |path, counted| f64::from(u8::from(counted.delay > (1.4e-3 * path.rtt).max(0.04))),
    )
    .also(&["rate-cap"]),
    cause(
        "loss",
        "loss-response",
        |path, draw| {
            let share = loss(path, draw.between(0.15, 0.5));
            path.line.push(format!("loss = \"{:.4} %\"", 100.0 * share));
        },
        |_, counted| counted.backing_off(Drops::Loss),
    ),
    cause(
        "loss-bursts",
        "loss-response",
        |path, draw| {
            let share = loss(path, draw.between(0.15, 0.4));
            path.line.push(format!(
                "loss = {{ p = \"{:.4} %\", r = \"{:.0} %\" }}",
                100.0 * share,
                draw.between(25.0, 60.0)
            ));
        },
        |_, counted| counted.backing_off(Drops::Loss),
    )
    .also(&["timeouts"]),
    cause("policer", "policer", policed, |_, counted| counted.backing_off(Drops::Police)).also(&["rate-cap"]),
    cause(
        "policer-bbr",
        "policer",
        |path, draw| {
            policed(path, draw);
            path.client += " -C bbr";
        },
        |_, counted| counted.backing_off(Drops::Police),
    )
    .also(&["rate-cap"]),
    cause(
        "shallow",
        "shallow-buffer",
        |path, draw| {
            path.rate = draw.between(20.0, 50.0);
            path.rtt = draw.between(40.0, 100.0);
            path.buffer = format!("{:.0} packets", (path.bdp() / SEGMENT[1] * draw.between(0.03, 0.1)).max(4.0));
        },
        |_, counted| counted.backing_off(Drops::Queue),
    )
    .also(&["loss-response"]),
    cause(
        "rmem",
        "receiver-window",
        |path, draw| {
            let window = path.bdp() * draw.between(0.15, 0.6);
            receive_buffer(path, window);
        },
        |_, counted| counted.rwnd,
    )
    .also(&["window-or-buffer"]),
    cause(
        "unscaled",
        "receiver-window",
        |path, draw| {
            long(path, draw);
            sysctl(path, 1, "net.ipv4.tcp_window_scaling", "0".into());
        },
        |_, counted| counted.rwnd,
    )
    .also(&["window-or-buffer"]),
    cause(
        "socket",
        "receiver-window",
        |path, draw| {
            let bytes = path.bdp() * draw.between(0.2, 0.6);
            path.client += &format!(" -w {:.0}K", (bytes / 1024.0).max(8.0));
        },
        |_, counted| counted.rwnd + counted.sndbuf,
    )
    .also(&["send-buffer", "window-or-buffer"]),
    cause(
        "wmem",
        "send-buffer",
        |path, draw| {
            let bytes = (1.6 * path.bdp() * draw.between(0.2, 0.6)).max(20_000.0) as u64;
            sysctl(path, 0, "net.ipv4.tcp_wmem", format!("\"4096 {} {bytes}\"", bytes.min(16_384)));
        },
        |_, counted| counted.sndbuf,
    )
    .doubtful(&["receiver-window", "window-or-buffer"]),
    cause(
        "reader",
        "receiver-not-reading",
        |path, draw| {
            let period = draw.between(0.4, 1.6);
            let read = period * draw.between(0.08, 0.25);
            receive_buffer(path, draw.between(100e3, 250e3));
            path.server = Some(sleepy(read, period - read));
        },
        |_, counted| counted.rwnd,
    )
    .doubtful(&["receiver-window", "window-or-buffer"]),
    cause(
        "told",
        "application-limited",
        |path, draw| {
            let target = path.rate * draw.between(0.1, 0.6);
            path.target = Some(target);
            path.client += &format!(" -b {target:.2}M");
        },
        |path, counted| {
            let keeps_up = path.target.is_some_and(|target| counted.goodput > 0.93e6 * target);
            if keeps_up { 1.0 } else { 1.0 - counted.busy }
        },
    ),
    cause(
        "outage",
        "outage",
        |path, draw| {
            let lasts = draw.between(1.5, 4.0);
            let at = draw.between(4.0, 7.0);
            path.down = Some([at, at + lasts]);
            path.line.push(format!("outages = [{{ at = \"{at:.2} s\", for = \"{lasts:.2} s\" }}]"));
        },
        |path, counted| counted.silent / f64::from(path.seconds),
    )
    .also(&["timeouts"]),
    cause(
        "hole",
        "mtu-black-hole",
        |path, draw| path.middle = Middle::Hole(draw.pick(&[1480, 1450, 1420, 1400, 1300, 1200])),
        |_, counted| 1.0 - counted.utilisation,
    ),
    cause(
        "hole-probed",
        "mtu-black-hole",
        |path, draw| {
            path.middle = Middle::Hole(draw.pick(&[1480, 1450, 1420, 1400, 1300, 1200]));
            path.hosts[0].push("mtu-probing = true".into());
        },
        |_, counted| 1.0 - counted.utilisation,
    ),
    cause(
        "length",
        "packet-length",
        |path, draw| {
            let from = draw.pick(&[1300, 1400, 1450]);
            path.line.push(format!("lengths = {{ from = \"{from} B\", to = \"1514 B\", effect = \"drop\" }}"));
        },
        |_, counted| 1.0 - counted.utilisation,
    )
    .also(&["mtu-black-hole"]),
    cause(
        "reorder",
        "reordering",
        |path, draw| {
            let by = draw.between(3.0, 8.0).min(0.3 * path.rtt);
            path.line.push(format!("jitter = {{ by = \"{by:.2} ms\", reorder = true }}"));
        },
        |_, counted| counted.reduced(),
    ),
    cause(
        "merging",
        "offload-forwarding",
        |path, draw| {
            path.rate = draw.between(100.0, 200.0);
            path.rtt = draw.between(5.0, 40.0);
            path.middle = Middle::Merging;
        },
        |_, counted| counted.reduced(),
    )
    .also(&["timeouts"]),
    cause(
        "brief",
        "short-flows",
        |path, draw| {
            path.rtt = draw.between(100.0, 200.0);
            path.rate = draw.between(30.0, 50.0);
            path.client += &format!(" -n {:.0}K", draw.between(100.0, 400.0));
        },
        |_, counted| 1.0 - counted.utilisation,
    ),
];

/// Causes of paths with one.
const SINGLES: &[&str] = &[
    "loss",
    "loss-bursts",
    "policer",
    "policer-bbr",
    "shallow",
    "bloat",
    "rmem",
    "unscaled",
    "socket",
    "wmem",
    "reader",
    "told",
    "outage",
    "hole",
    "hole-probed",
    "length",
    "reorder",
    "merging",
    "brief",
    "full",
    "full-bbr",
    "full-reno",
    "full-streams",
    "full-reverse",
    "full-reverse-streams",
    "full-window",
    "full-short",
    "full-long",
    "full-beside-udp",
    "full-wireless",
    "full-aqm",
    "full-ecn",
];

/// Causes of paths with two.
const PAIRS: &[[&str; 2]] = &[
    ["loss", "rmem"],
    ["unscaled", "loss"],
    ["loss", "outage"],
    ["loss", "wmem"],
    ["policer", "rmem"],
    ["policer", "outage"],
    ["policer", "loss"],
    ["policer", "told"],
    ["loss", "told"],
    ["shallow", "rmem"],
    ["shallow", "loss"],
    ["bloat", "loss"],
    ["bloat", "outage"],
    ["rmem", "outage"],
    ["wmem", "outage"],
    ["loss-bursts", "reader"],
    ["reorder", "loss"],
    ["policer-bbr", "loss"],
    ["hole-probed", "loss"],
    ["told", "outage"],
];

/// The cause of that name.
fn find(name: &str) -> &'static Cause {
    CAUSES.iter().find(|cause| cause.name == name).unwrap_or(&CAUSES[0])
}

/// Paths of a kind.
const PATHS_PER_KIND: usize = 16;

/// All paths, one of each kind before the next of any.
pub fn all() -> Vec<Path> {
    let kinds: Vec<Vec<&str>> =
        SINGLES.iter().map(|name| vec![*name]).chain(PAIRS.iter().map(|of| of.to_vec())).collect();
    (0..PATHS_PER_KIND).flat_map(|number| kinds.iter().map(move |names| path(names, number))).collect()
}

fn path(names: &[&str], number: usize) -> Path {
    let name = format!("{}-{number}", names.join("+"));
    let mut draw = Draw::of(&name);
    let (rates, rtts) =
        if number < FIRST_WIDE_NUMBER { ([5.0, 50.0], [10.0, 120.0]) } else { ([2.0, 100.0], [5.0, 250.0]) };
    let mut path = Path {
        number,
        causes: names.iter().map(|name| find(name)).collect(),
        rate: draw.between(rates[0], rates[1]),
        rtt: draw.between(rtts[0], rtts[1]),
        seconds: 10,
        name,
        ..Path::default()
    };
    path.rtt = path.rtt.max(20.0 * 1538.0 * 8.0 / path.rate / 1e3);
    path.buffer = format!("{:.2} BDP", draw.between(0.8, 1.3));
    if draw.pick(&[true, false]) {
        path.hosts[0].push("offloads = [\"tso\"]".into());
        path.hosts[1].push("offloads = [\"gro\"]".into());
    }
    for cause in path.causes.clone() {
        (cause.build)(&mut path, &mut draw);
    }
    path
}
