//! Observations alongside a connection or without any, each with the test that determines its cause.

use super::speed;
use super::view::View;
use base::show::{bytes, count, rate, share, time};
use base::stats::percentile;
use evidence::import::iperf::summary;
use evidence::listing::{Counts, Listing, Period, Protocol, Stream};
use evidence::{
    CONNTRACK_FULL, Connection, Counter, Host, Interface, Ping, Printed, QDISC_FLOW_LIMIT, QDISC_SENT, TRANSMIT_HUNG,
};
use serde::Serialize;
use std::cmp::Ordering;

/// An observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sight {
    /// Sentence with its place.
    pub says: String,
    /// Test that determines its cause.
    pub test: String,
}

/// Observations, in the order of the page.
const OBSERVERS: &[fn(&View) -> Vec<Sight>] = &[
    full_table, hung, refused, again, starved, emulated, overfull, datagrams, pings, idle, unread, each_alone, changed,
];

/// Returns all observations.
pub fn observe(view: &View) -> Vec<Sight> {
    OBSERVERS.iter().flat_map(|look| look(view)).collect()
}

fn sight(says: String, test: &str) -> Sight {
    Sight { says, test: test.into() }
}

fn hosts<'e>(view: &View<'e>) -> impl Iterator<Item = &'e Host> {
    view.evidence.hosts.iter()
}

fn devices<'e>(view: &View<'e>) -> impl Iterator<Item = &'e Interface> {
    hosts(view).flat_map(|host| &host.interfaces)
}

fn full_table(view: &View) -> Vec<Sight> {
    let so = "packets of new connections are dropped";
    let test = "sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max on that host: they are equal while it drops; \
                raise the second, or leave the traffic untracked";
    logged(view, CONNTRACK_FULL, "its table of tracked connections is full", so, test)
}

fn hung(view: &View) -> Vec<Sight> {
    let so = "card, driver or link hung, and nothing left meanwhile";
    let test = "dmesg -T: its time against the stall's; then the card's firmware, its driver, and EEE and ASPM off";
    logged(view, TRANSMIT_HUNG, "a network card's transmit queue stood still", so, test)
}

/// Reports an event that a kernel logged, and how often.
fn logged(view: &View, name: &str, what: &str, so: &str, test: &str) -> Vec<Sight> {
    let told = |Counter { value, place, .. }: &Counter| {
        let times = if *value == 1 { "once".into() } else { format!("{} times", count(*value as f64)) };
        sight(format!("The kernel said {times} that {what} ({place}): {so}."), test)
    };
    hosts(view).flat_map(|host| &host.counters).filter(|counter| counter.name == name).map(told).collect()
}

/// Smallest number of connections refused by a full listen queue; fewer are a busy moment.
const MIN_REFUSED: u64 = 100;

fn refused(view: &View) -> Vec<Sight> {
    let told = |Counter { value, place, .. }: &Counter| {
        let says = format!(
            "{} times a listening socket's queue was full ({place}): those connections waited for a second and more, or failed.",
            count(*value as f64)
        );
        let test = "ss -ltn, and nstat -z TcpExtListenOverflows before and after: the socket whose Recv-Q is at its Send-Q accepts too \
                    slowly, or asks for too small a backlog (listen(2), net.core.somaxconn)";
        sight(says, test)
    };
    let counters = hosts(view).flat_map(|host| &host.counters);
    counters
        .filter(|counter| counter.name == "TcpExtListenOverflows" && counter.value >= MIN_REFUSED)
        .map(told)
        .collect()
}

/// Smallest share of segments that a host retransmitted since boot.
const MIN_RETRANSMITTED_SHARE: f64 = 0.005;

fn again(view: &View) -> Vec<Sight> {
    let of_host = |host: &Host| {
        let counter = host.counters.iter().find(|counter| counter.name == "TcpRetransSegs")?;
        let part = counter.value as f64 / host.counter("TcpOutSegs").filter(|sent| *sent > 0)? as f64;
        let says = format!(
            "{} of {} segments that this host sent were sent again ({}, {}), on all its connections since it booted.",
            count(counter.value as f64),
            count(counter.value as f64 / part),
            share(part),
            counter.place
        );
        (part >= MIN_RETRANSMITTED_SHARE).then(|| {
            sight(says, "nstat -n, then the slow transfer, then nstat TcpOutSegs TcpRetransSegs: its own share")
        })
    };
    let alone = view.flows.is_empty();
    hosts(view).filter(|_| alone).filter_map(of_host).collect()
}

/// Smallest share of datagrams that full buffers dropped; fewer are a busy moment.
const MIN_STARVED_SHARE: f64 = 0.01;

fn starved(view: &View) -> Vec<Sight> {
    let of_host = |host: &Host| {
        let dropped = host.counters.iter().find(|counter| counter.name == "UdpRcvbufErrors")?;
        // Dropped datagrams also count as errors (net/ipv4/udp.c, __udp_queue_rcv_skb).
        let errors = host.counter("UdpInErrors").unwrap_or(0).max(dropped.value);
        let all = host.counter("UdpInDatagrams")?.saturating_add(errors) as f64;
        let part = dropped.value as f64 / all;
        let says = format!(
            "{} of {} UDP datagrams received were dropped because a socket's buffer was full ({}, {}): the program \
             reads too slowly, or too rarely for the bursts.",
            count(dropped.value as f64),
            count(all),
            share(part),
            dropped.place
        );
        let test = "ss -uampn: the socket whose Recv-Q is near rb and whose d grows; nstat -z UdpRcvbufErrors before and after its \
                    program reads faster, or asks for more (SO_RCVBUF, net.core.rmem_max)";
        (part > MIN_STARVED_SHARE).then(|| sight(says, test))
    };
    hosts(view).filter_map(of_host).collect()
}

/// Fewest packets that a queueing discipline dropped; fewer are a busy moment.
const MIN_DROPPED: u64 = 10;

fn emulated(view: &View) -> Vec<Sight> {
    let of_device = |device: &Interface| {
        let qdisc = device.qdisc.as_ref()?;
        let loses = |netem: &&str| {
            let mut words = netem.split_whitespace();
            words.next() == Some("netem") && words.any(|word| word == "loss")
        };
        let (netem, place) = qdisc.split(" / ").zip(&device.qdisc_places).find(|(part, _)| loses(part))?;
        let says = format!("{} has an emulator that drops packets: {netem} ({place}).", device.name);
        let test =
            format!("tc qdisc del dev {} root, unless the loss is intended; then repeat the transfer", device.name);
        Some(sight(says, &test))
    };
    devices(view).filter_map(of_device).collect()
}

/// Smallest share of packets that a queueing discipline dropped: a tenth of a percent leaves Reno and CUBIC a window
/// of 38 segments, over 100 ms 4.4 Mbit/s (RFC 9438, table 1).
const MIN_DROPPED_SHARE: f64 = 1e-3;
/// Smallest share of the drops with the same cause.
const MIN_SAME_CAUSE_SHARE: f64 = 0.9;

fn overfull(view: &View) -> Vec<Sight> {
    let of_device = |device: &Interface| {
        let dropped = device.counter("qdisc_dropped").filter(|dropped| dropped.value >= MIN_DROPPED)?;
        let all = device.counter(QDISC_SENT)?.value.saturating_add(dropped.value) as f64;
        let part = dropped.value as f64 / all;
        let qdisc = device.qdisc.as_ref()?;
        let kinds: Vec<&str> = qdisc.split(" / ").filter_map(|qdisc| qdisc.split(' ').next()).collect();
        let by_flow = device
            .counter(QDISC_FLOW_LIMIT)
            .is_some_and(|by_flow| by_flow.value as f64 > MIN_SAME_CAUSE_SHARE * dropped.value as f64);
        let because = if by_flow {
            ", because one flow used up its share of the queue (flow_limit). This host's own TCP waits instead; \
             forwarded traffic, containers, virtual machines and UDP do not"
        } else {
            ": more came than it lets through"
        };
        let says = format!(
            "{} of {} packets did not leave {} ({}, {}): its queueing discipline, {}, dropped them{because}. The counters run since it was set up, so earlier \
             transfers are in them.",
            count(dropped.value as f64),
            count(all),
            device.name,
            share(part),
            dropped.place,
            kinds.join(" / ")
        );
        let test =
            format!("tc -s qdisc show dev {} before and after the slow transfer: what it drops of that", device.name);
        (part > MIN_DROPPED_SHARE && !kinds.contains(&"netem")).then(|| sight(says, &test))
    };
    devices(view).filter_map(of_device).collect()
}

/// TCP goodput over the datagrams' rate above which datagrams fill no queue on the path.
const MIN_PATH_HEADROOM: f64 = 4.0;

/// Reports lost UDP datagrams: nothing adapts their rate to the path.
fn datagrams(view: &View) -> Vec<Sight> {
    let carried = |listing: &Listing| {
        let of_tcp =
            |other: &&Printed| other.listing.protocol != Some(Protocol::Udp) && other.listing.may_be_beside(listing);
        let rates = view.evidence.listings.iter().filter(of_tcp).filter_map(|other| summary::goodput(&other.listing));
        rates.map(|goodput| goodput.rate.value).reduce(f64::max)
    };
    let lost = view.evidence.listings.iter().filter_map(|run| Some((run, lost(&run.listing)?)));
    let told = |(run, [lost, sent]): (&Printed, [f64; 2])| {
        let what = format!(
            "{} of {} datagrams of UDP are lost ({}, {})",
            count(lost),
            count(sent),
            share(lost / sent),
            run.place
        );
        let offered = summary::goodput(&run.listing).map(|goodput| goodput.rate.value * sent / (sent - lost).max(1.0));
        match offered.zip(carried(&run.listing)).filter(|(offered, tcp)| MIN_PATH_HEADROOM * offered < *tcp) {
            Some((offered, tcp)) => sight(
                format!(
                    "{what} at {}, while TCP gets {} over the same path. That rules out a rate cap and a full queue: \
                     the link, a driver or the receiving program drops them.",
                    rate(offered),
                    rate(tcp)
                ),
                "ethtool -S DEVICE, ip -s link and nstat -z UdpRcvbufErrors at both ends before and after: the counter that grows by \
                 as many",
            ),
            None => sight(
                format!("{what}."),
                "iperf3 -c HOST -u -b RATE at lower rates: if all arrives below some rate, that is what the path or the receiver \
                 takes; if the same share is lost at any rate, something drops datagrams",
            ),
        }
    };
    lost.map(told).collect()
}

/// Returns the lost datagrams and all of them, if some were lost.
fn lost(listing: &Listing) -> Option<[f64; 2]> {
    let counted = |period: &Period| Some([period.lost? as f64, period.datagrams? as f64]);
    let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
    let of_stream = |stream: &Stream| {
        let Counts { sender, receiver, intervals } = &stream.counts;
        let whole = [receiver, sender].into_iter().flatten().find_map(counted);
        whole.or_else(|| intervals.iter().filter_map(counted).reduce(add))
    };
    let is_udp = listing.protocol == Some(Protocol::Udp);
    let counted = listing.streams.iter().filter(|_| is_udp).filter_map(of_stream).reduce(add)?;
    Some(counted).filter(|[lost, sent]| *lost > 0.0 && *sent > 0.0)
}

/// Smallest number of unanswered requests; a single one may be lost to address resolution.
const MIN_UNANSWERED: u64 = 2;
/// RTT spreads that show a queue or a device that sleeps: RTTs of an idle path are close together.
const MIN_RTT_SPREAD_RATIO: f64 = 10.0;
const MIN_MEDIAN_RTT_RATIO: f64 = 2.0;
const MIN_RTT_SPREAD_S: f64 = 0.05;

fn pings(view: &View) -> Vec<Sight> {
    let plain = view.evidence.pings.iter().filter(|ping| !ping.whole && ping.too_big.is_none());
    plain.flat_map(|ping| spread(ping).filter(|_| view.flows.is_empty()).into_iter().chain(unanswered(ping))).collect()
}

fn target(ping: &Ping) -> String {
    if ping.target.is_empty() { String::new() } else { format!(" of {}", ping.target) }
}

fn unanswered(ping: &Ping) -> Option<Sight> {
    let (sent, answered) = (ping.sent?, ping.answered.filter(|answered| *answered > 0)?);
    let lost = sent.checked_sub(answered).filter(|lost| *lost >= MIN_UNANSWERED)?;
    let says = format!(
        "{} of {} pings{} are not answered ({}, {}).",
        count(lost as f64),
        count(sent as f64),
        target(ping),
        share(lost as f64 / sent as f64),
        ping.place
    );
    let test = "ping -c 100 to the first hop, then mtr -n HOST: if they are lost there already, your own cable or \
                radio loses them; otherwise look for the first hop from which loss persists";
    let queue = "repeat while nobody else sends: a full queue then no longer drops them";
    Some(sight(says, if waits(ping).is_some() { queue } else { test }))
}

/// Returns the least, the median and the largest RTT, if some or most pings wait.
fn waits(ping: &Ping) -> Option<[f64; 3]> {
    let [least, most] = [f64::min, f64::max].map(|of| ping.rtts.iter().copied().reduce(of));
    let (least, most) = (least?, most?);
    let middle = percentile(ping.rtts.clone(), 0.5)?;
    let some = most > MIN_RTT_SPREAD_RATIO * least && most - least > MIN_RTT_SPREAD_S;
    let mostly = middle > MIN_MEDIAN_RTT_RATIO * least && middle - least > MIN_RTT_SPREAD_S;
    (some || mostly).then_some([least, middle, most])
}

fn spread(ping: &Ping) -> Option<Sight> {
    let [least, middle, most] = waits(ping)?;
    let says = format!(
        "RTTs{} range from {} to {}, median {} ({}): a device sleeps between packets, like a radio that saves power, \
         or a queue fills at times.",
        target(ping),
        time(least),
        time(most),
        time(middle),
        ping.place
    );
    let test = "ping -i 0.02 HOST: if all RTTs fall to the minimum, a device sleeps (iw dev DEVICE set power_save \
                off); if they fall only when nobody else sends, a queue fills";
    Some(sight(says, test))
}

/// Reports connections that one screen of `ss` shows with nothing to send, if no connection has data.
fn idle(view: &View) -> Vec<Sight> {
    let none = view.flows.is_empty() && view.evidence.connections.iter().any(|seen| seen.idle);
    let says = "Nothing is outstanding and nothing waits to be sent (app_limited, Send-Q 0): the program has no more to send at that \
                moment.";
    let told = || sight(says.into(), "ss -tinm dst HOST every second while it transfers");
    none.then(told).into_iter().collect()
}

/// Age of unread data above which a program does not read, seconds.
const UNREAD_AFTER_S: f64 = 1.0;

/// Reports data that a program on the observed host leaves in its socket.
fn unread(view: &View) -> Vec<Sight> {
    let stale = |seen: &&Connection| seen.stale.is_some_and(|[_, age]| age > UNREAD_AFTER_S);
    let told = |seen: &Connection| {
        let [left, age] = seen.stale?;
        let says = format!(
            "{} wait in the receive queue of {} ({}), and nothing came for {}: the program on this host does not read.",
            bytes(left),
            seen.name,
            seen.place,
            time(age)
        );
        Some(sight(says, "ss -tnp: whose socket it is; its stack, or strace -p, tells what that program waits for"))
    };
    let all = view.evidence.connections.iter().filter(stale);
    all.max_by(|a, b| a.stale.partial_cmp(&b.stale).unwrap_or(Ordering::Equal)).and_then(told).into_iter().collect()
}

/// Reports that one connection gets far less than several together.
fn each_alone(view: &View) -> Vec<Sight> {
    let runs = || view.evidence.listings.iter().filter(|run| run.listing.protocol != Some(Protocol::Udp));
    let got = |run: &Printed| summary::goodput(&run.listing).map(|goodput| goodput.rate.value);
    let alone = |run: &&Printed| run.listing.streams.len() == 1 && run.listing.target.is_none();
    let beside = |one: &Printed| {
        let more = runs().filter(|run| run.listing.streams.len() != 1 && run.listing.may_be_beside(&one.listing));
        let more = more.filter_map(|run| Some((run, got(run)?))).max_by(|a, b| a.1.total_cmp(&b.1));
        more.filter(|(_, together)| got(one).is_some_and(|own| own > 0.0 && *together > speed::MIN_PARALLEL_GAIN * own))
    };
    let pair = runs().filter(alone).find_map(|one| Some((one, beside(one)?)));
    let told = |(one, (more, together)): (&Printed, (&Printed, f64))| {
        let several = match more.listing.streams.len() {
            0 => "several".into(),
            n => n.to_string(),
        };
        let says = format!(
            "One connection gets {} ({}), {several} together {} ({}): the link carries more than one connection gets. \
             A window, losses, a per-flow cap or one CPU core limits that connection.",
            rate(got(one).unwrap_or(0.0)),
            one.place,
            rate(together),
            more.place
        );
        let test = "ss -tinm dst HOST while one connection runs: rwnd_limited or sndbuf_limited means a window, \
                    retrans means loss; none of them, and no busy core in mpstat -P ALL 1, means a per-flow cap";
        sight(says, test)
    };
    pair.map(told).into_iter().collect()
}

/// Reports settings changed between two differing runs of one file.
fn changed(view: &View) -> Vec<Sight> {
    let Some([first, second]) = speed::apart(view) else { return vec![] };
    let between = |host: &Host| {
        let own = || host.settings.iter().filter(|setting| setting.place.file == first.file);
        let before = |at: usize, key: &str| own().rfind(|setting| setting.key == key && setting.place.line < at);
        let later = own().filter(|setting| (first.line..second.line).contains(&setting.place.line));
        let changes = later.filter_map(|setting| {
            let [old, new] = [first.line, second.line].map(|line| before(line, &setting.key));
            let (old, new) = (old?, new?);
            (old.value != new.value && new.place == setting.place)
                .then(|| format!("{} from {} to {} ({})", new.key, old.value, new.value, new.place))
        });
        changes.collect::<Vec<_>>()
    };
    let changes: Vec<String> = hosts(view).flat_map(between).collect();
    let says = format!("Between two of the runs was changed: {}.", changes.join("; "));
    let test = "run both again, in turn, ten times: goodput compare tells whether the change matters";
    if changes.is_empty() { vec![] } else { vec![sight(says, test)] }
}
