use crate::diagnose::bond;
use crate::diagnose::evidence_gaps::Need;
use crate::diagnose::finding::{Confidence, Finding};
use crate::diagnose::flow::Flow;
use crate::diagnose::losses;
use crate::diagnose::losses::MIN_SHORTER_BYTES;
use crate::diagnose::remedies;
use crate::diagnose::rule::Rule;
use crate::diagnose::sizes::Sizes;
use crate::diagnose::view::View;
use base::model::segment::PACKET_HEADERS;
use base::show::{self, rate};
use evidence::headers::{Ip, MTU};
use evidence::{Printed, Sweep};
use std::collections::BTreeMap;

/// Largest ratio of the goodput at a faulty length to that at other lengths.
const MAX_FAULTY_RATE_SHARE: f64 = 0.2;

/// The rule.
pub const RULE: Rule = Rule {
    name: "packet-length",
    title: "Packets of certain sizes are dropped",
    needs: &[Need::Sweep],
    model: "A NIC or another device drops packets whose size lies in a range, and carries smaller and larger ones. No TCP \
            setting does that: windows, buffers and congestion controls don't look at packet sizes.",
    source: "the MSS sweep (docs/examples.md); drivers/net/ethernet/realtek/r8169_main.c (jumbo limits and checksum offload per chip)",
    thresholds: || {
        vec![
            (
                format!("goodput in a range below {} of that on both sides", show::plain_share(MAX_FAULTY_RATE_SHARE)),
                "an MTU cuts off one side only; congestion is blind to sizes",
            ),
            (
                format!(
                    "or one segment, {} and more below the MSS, is sent again {} times and more and never arrives, \
                     while all behind it has",
                    show::plain_bytes(MIN_SHORTER_BYTES),
                    losses::MIN_REPEATED_LOSSES
                ),
                "full-size segments pass, so it is no MTU; nor is the path down",
            ),
        ]
    },
    confidence: "high with a sweep that shows both edges; medium with one segment, or if the text states it",
    confirm: &[
        "ping -M do -s SIZE HOST for sizes inside and outside the range",
        "ethtool -K DEVICE tx off tso off gso off, then sweep again",
        "ethtool -S DEVICE; netstat -i: drops and errors at both ends",
        "one bond member at a time; another cable, port and driver",
    ],
    alike: &[("mtu-black-hole", "larger packets don't get through either")],
    explains: &[
        "mtu-black-hole",
        "timeouts",
        "tunnel-mtu",
        "loss-response",
        "reordering",
        "application-limited",
        "rtt-unfairness",
        "bufferbloat",
        "shallow-buffer",
        "policer",
        "outage",
        "short-flows",
        "slow-start-exit",
        "rate-cap",
    ],
    remedies: remedies::length,
    assumed: 0.0,
    find,
};

fn find(view: &View) -> Vec<Finding> {
    let run = of_runs(view);
    let of_sweeps: Vec<Finding> =
        view.evidence.sweeps.iter().chain(&run).filter_map(|sweep| find_in_sweep(sweep, view)).collect();
    if of_sweeps.is_empty() {
        let found = of_slow(view).or_else(|| view.flows.iter().find_map(of_hole));
        found.into_iter().collect()
    } else {
        of_sweeps
    }
}

/// Smallest number of segment sizes in a sweep.
const MIN_SWEEP_SIZES: usize = 5;

/// Builds a sweep from whole listings, each of a run with another -M.
fn of_runs(view: &View) -> Option<Sweep> {
    let goodput = |run: &Printed| {
        let own = view.evidence.connections.iter().filter(|connection| connection.place == run.place);
        own.filter_map(|connection| connection.goodput).reduce(|a, b| a + b)
    };
    let runs = &view.evidence.listings;
    let sized: BTreeMap<u32, f64> = runs.iter().filter_map(|run| Some((run.listing.mss?, goodput(run)?))).collect();
    (sized.len() >= MIN_SWEEP_SIZES).then(|| Sweep {
        place: runs[0].place.clone(),
        points: sized.into_iter().map(|(size, rate)| (f64::from(size), rate)).collect(),
        mss: true,
    })
}

fn of_hole(flow: &Flow) -> Option<Finding> {
    let hole = flow.short_hole()?;
    let length = (hole.bytes + PACKET_HEADERS).round();
    let says = format!(
        "Packets of {length} bytes are dropped: one was sent again {} times and never arrived, while the {} segments \
         behind it did. The path is up, and the MTU is not the cause.",
        show::count(hole.again),
        show::count(hole.behind)
    );
    let finding = Finding::problem(RULE.name, Confidence::Medium, 1.0, says)
        .at("segment that never arrives", format!("{} bytes", hole.bytes.round()), &flow.seen.place)
        .at("full segment", format!("{} bytes", flow.mss), &flow.seen.place)
        .at("segments behind it, which SACK has", show::count(hole.behind), &flow.seen.place)
        .doubt("A device may drop the segment for its content, not for its length.")
        .ask(format!(
            "ping -c 5 -s {} HOST, and a few sizes around it: which are answered",
            length - f64::from(Ip::V4.datagram())
        ));
    Some(finding.about_flow(flow).with_remedies(remedies::fault(&Sizes::for_flow(flow))))
}

/// A range of faulty lengths in a sweep, after good ones.
struct Cliff {
    /// First and last length, bytes.
    ends: [f64; 2],
    /// Goodput within the range, and next to it, bit/s.
    low: f64,
    beside: f64,
    /// The last length that passes below the range, and the first above it, if one was tried.
    passes: [Option<f64>; 2],
}

/// Returns the first range with low goodput.
fn cliff(sweep: &Sweep) -> Option<Cliff> {
    let points = &sweep.points;
    let best = points.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
    let is_low = |rate: f64| rate < MAX_FAULTY_RATE_SHARE * best;
    // A fault begins after a good length.
    let begin = points.iter().position(|(_, rate)| is_low(*rate)).filter(|begin| *begin > 0)?;
    let length = points[begin..].iter().take_while(|(_, rate)| is_low(*rate)).count();
    let after = points.get(begin + length);
    let within = &points[begin..begin + length];
    let low = within.iter().map(|(_, rate)| *rate).sum::<f64>() / length as f64;
    let beside = after.map_or(f64::INFINITY, |after| after.1).min(points[begin - 1].1);
    let ends = [within[0].0, within[length - 1].0];
    let passes = [Some(points[begin - 1].0), after.map(|after| after.0)];
    (low < MAX_FAULTY_RATE_SHARE * beside).then_some(Cliff { ends, low, beside, passes })
}

fn find_in_sweep(sweep: &Sweep, view: &View) -> Option<Finding> {
    let Cliff { ends: [from, to], low, beside, passes: [below, above] } = cliff(sweep)?;
    let is_last = above.is_none();
    let passes = below.unwrap_or(from - 1.0);
    let headers = if sweep.mss { f64::from(Ip::V4.tcp()) } else { 0.0 };
    let dropped = match (sweep.mss, is_last) {
        (true, false) => {
            format!("Segments of {from} to {to} bytes, packets of {} to {}, are dropped", from + headers, to + headers)
        }
        (true, true) => format!("Segments of {from} bytes and more, packets of {}, are dropped", from + headers),
        (false, false) => format!("Packets of {from} to {to} bytes are dropped"),
        (false, true) => format!("Packets of {from} bytes and more are dropped"),
    };
    let others = if is_last { "smaller" } else { "smaller and larger" };
    let says = format!(
        "{dropped}: {} with these, {} with {others} ones ({} times as much).",
        rate(low),
        rate(beside),
        show::number(beside / low)
    );
    let span = if is_last { format!("{from} bytes and more") } else { format!("{from} to {to} bytes") };
    let mut finding = Finding::problem(RULE.name, Confidence::High, 1.0, says)
        .at(if sweep.mss { "segment sizes affected" } else { "sizes affected" }, span, &sweep.place)
        .at("goodput with them", rate(low), &sweep.place)
        .at("goodput next to them", rate(beside), &sweep.place);
    for device in view.evidence.hosts.iter().flat_map(|host| &host.interfaces) {
        for counter in device.drops() {
            finding =
                finding.at(format!("{} of {}", counter.name, device.name), counter.value.to_string(), &counter.place);
        }
        if let Some(driver) = &device.driver {
            finding = finding.at(format!("driver of {}", device.name), driver.clone(), &device.place);
        }
        if let Some(mtu) = device.mtu.filter(|mtu| *mtu > MTU && device.kind.is_none()) {
            finding = finding.at(format!("MTU of {}", device.name), mtu.to_string(), &device.place);
        }
    }
    finding = with_edges(finding, sweep, [below.map(|below| [below, from]), above.map(|above| [to, above])]);
    if low > 0.0 && !is_last {
        let of_bond = match bond::members(view) {
            Some([one, other]) => format!("take {one} out of the bond, sweep again; put it back, take {other} out"),
            None => "sweep in the other direction; one card, cable and port at a time".into(),
        };
        finding = finding
            .doubt("Some of these packets pass: one card of several drops them, or one direction does.")
            .ask(of_bond);
    }
    let low_rate = low / (8.0 * (from + to) / 2.0);
    if low_rate < 1000.0 {
        finding = finding.figure(
            "segments per second there",
            show::number(low_rate),
            "goodput / size: the pace of RTOs, not of a window",
        );
    }
    Some(finding.sized(Sizes::default().below(passes + headers + 1.0)))
}

/// Lengths of a finer sweep between two lengths.
const FINER_STEPS: f64 = 10.0;

/// Adds between which lengths the edges lie, and the sweep that finds them.
fn with_edges(mut finding: Finding, sweep: &Sweep, edges: [Option<[f64; 2]>; 2]) -> Finding {
    let length = if sweep.mss { "segment" } else { "packet" };
    let open: Vec<[f64; 2]> = edges.into_iter().flatten().filter(|[low, high]| high - low > 1.0).collect();
    for [low, high] in &open {
        finding = finding.at(format!("an edge lies within, {length}"), format!("{low} to {high} bytes"), &sweep.place);
    }
    let sequences: Vec<String> =
        open.iter().map(|[low, high]| format!("$(seq {low} {} {high})", ((high - low) / FINER_STEPS).ceil())).collect();
    if sweep.mss && !open.is_empty() {
        finding = finding.ask(format!(
            "the edges: for m in {}; do echo $m $(iperf3 -c HOST -t 2 -M $m | grep receiver); done",
            sequences.join(" ")
        ));
    }
    if !sweep.mss {
        finding = finding.doubt(
            "The lengths are read as those of packets. If they are of iperf's -M, they are of segments, and packets are \
             40 bytes longer: give the command as well.",
        );
    }
    finding
}

/// Finds a connection that gets far less than others at the same time with smaller and with larger segments.
fn of_slow(view: &View) -> Option<Finding> {
    let slow = view.flows.iter().find_map(|flow| {
        let much = |other: &&Flow| {
            other.seen.goodput.unwrap_or(0.0) * MAX_FAULTY_RATE_SHARE > flow.seen.goodput.unwrap_or(f64::MAX)
        };
        let smaller = view.group(flow).filter(much).find(|other| other.mss + MIN_SHORTER_BYTES < flow.mss)?;
        let larger = view.group(flow).filter(much).find(|other| other.mss > flow.mss + MIN_SHORTER_BYTES)?;
        Some((flow, smaller, larger))
    });
    let (flow, smaller, larger) = slow?;
    let [own, small, large] = [flow, smaller, larger].map(|f| (f.mss, f.seen.goodput.unwrap_or(0.0)));
    let says = format!(
        "Packets of about {} bytes are slow: with {}-byte segments a connection gets {}, while those with {} and {} bytes get {} \
         and {}.",
        own.0 + PACKET_HEADERS,
        own.0,
        rate(own.1),
        small.0,
        large.0,
        rate(small.1),
        rate(large.1)
    );
    let finding = Finding::problem(RULE.name, Confidence::High, 1.0 - own.1 / small.1.min(large.1), says)
        .at("slow segment size", format!("{} bytes", own.0), &flow.seen.place)
        .at("fast segment sizes", format!("{} and {} bytes", small.0, large.0), &larger.seen.place)
        .ask("a sweep over segment sizes shows both edges: for m in $(seq 500 20 8948); do …; done");
    Some(finding.about_flow(flow).sized(Sizes::for_flow(flow).below(flow.mss + 52.0)))
}
