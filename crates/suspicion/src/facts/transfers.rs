//! Evidence from facts: each run that states a goodput becomes a transfer of which only totals are known.

use super::{Case, Run};
use crate::formula::Interval;
use evidence::{Connection, End, Evidence, Host, Place, Seen, Setting, Source, System};

/// The kernel's minimum and usual default of tcp_rmem, bytes (Documentation/networking/ip-sysctl.rst).
const TCP_RMEM: [u64; 2] = [4_096, 131_072];

/// Returns the TCP runs of a case as evidence, the slowest first. `file` names the case in what is printed.
pub fn as_evidence(case: &Case, file: &str) -> Evidence {
    let mut runs: Vec<(f64, &Run)> = case
        .runs
        .iter()
        .filter(|run| case.label(run, "protocol") == Some("tcp"))
        .filter_map(|run| Some((Case::speed(run)?.middle(), run)))
        .collect();
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut evidence = Evidence::default();
    for (group, (goodput, run)) in runs.into_iter().enumerate() {
        let place = Place { file: format!("{file}, {}", run.name).into(), line: 0 };
        let one = transfer(case, run, goodput, Connection::new(place, Source::Facts, "stated", Seen::Both));
        let one = Connection { group, ..one };
        if one.streams.is_some() { evidence.sums.push(one) } else { evidence.connections.push(one) }
    }
    evidence.hosts.extend(hosts(case, file));
    evidence
}

fn transfer(case: &Case, run: &Run, goodput: f64, blank: Connection) -> Connection {
    let number = |name: &str| case.number(run, name).map(Interval::middle);
    let seconds = number("duration");
    let mss = number("mss");
    let bytes = number("transferred").or_else(|| Some(goodput * seconds? / 8.0));
    let of_share = || Some(number("retransmitted")? * bytes? / mss?);
    let streams = case.streams(run).round() as usize;
    Connection {
        congestion: case.label(run, "congestion").map(str::to_owned),
        span: seconds.map(|seconds| [0.0, seconds]),
        goodput: Some(goodput),
        bytes,
        mss,
        asked: number("window"),
        rtt_base: case.path.number("rtt").map(Interval::middle),
        retransmitted: number("retransmissions").or_else(of_share),
        streams: (streams > 1).then_some(streams),
        ..blank
    }
}

/// Returns the hosts of which the path's facts state something.
fn hosts(case: &Case, file: &str) -> Vec<Host> {
    let place = Place { file: file.into(), line: 0 };
    let most = case.path.number("receive-max").map(Interval::middle);
    let kernel = case.runs.first().and_then(|run| case.label(run, "kernel"));
    let receiver = most.map(|most| {
        let value = format!("{} {} {most:.0}", TCP_RMEM[0], TCP_RMEM[1].min(most as u64));
        let settings = vec![Setting::new(place.clone(), "net.ipv4.tcp_rmem", value)];
        Host { settings, end: Some(End::Receiver), system: Some(System::Linux), ..Host::new(place.clone()) }
    });
    let sender = kernel.map(|kernel| {
        let system = if kernel.to_lowercase().contains("freebsd") { System::FreeBsd } else { System::Linux };
        let version = kernel.split_whitespace().last().map(str::to_owned);
        Host { end: Some(End::Sender), system: Some(system), version, ..Host::new(place.clone()) }
    });
    receiver.into_iter().chain(sender).collect()
}
