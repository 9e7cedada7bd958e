//! Effects of iperf3's options on its figures. `tests/options/` has a run per option, as text and as JSON, by iperf3
//! 3.12 over a link of 20 Mbit/s (`tc tbf`). The options and the program's own totals are the oracle.

use evidence::import;
use evidence::listing::Direction;
use evidence::{Connection, Evidence, Seen};
use std::fs;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/options");

/// Link rate, bit/s.
const LINK: f64 = 20e6;

/// A run with an option.
struct Run {
    name: &'static str,
    options: &'static str,
    /// Connections that sent forward, and backward.
    flows: [usize; 2],
    /// Seconds between intervals; 0 if there is one interval.
    step: f64,
    /// Rate that each connection is limited to, bit/s.
    rate: Option<f64>,
    block: Option<f64>,
    asked: Option<f64>,
    omitted: f64,
}

const DEFAULT_RUN: Run =
    Run { name: "", options: "", flows: [1, 0], step: 1.0, rate: None, block: None, asked: None, omitted: 0.0 };

const RUNS: [Run; 12] = [
    Run { name: "interval", options: "-t 2 -i 0.5", step: 0.5, ..DEFAULT_RUN },
    Run { name: "no-intervals", options: "-t 2 -i 0", step: 0.0, ..DEFAULT_RUN },
    // This run prints nothing about the omitted second; only the options show it.
    Run { name: "no-intervals-omit", options: "-t 2 -O 1 -i 0", step: 0.0, omitted: 1.0, ..DEFAULT_RUN },
    Run { name: "rate", options: "-t 2 -b 5M", rate: Some(5e6), ..DEFAULT_RUN },
    Run { name: "pacing", options: "-t 2 --pacing-timer 20000 -b 5M", rate: Some(5e6), ..DEFAULT_RUN },
    Run { name: "paced", options: "-t 2 --fq-rate 5M", rate: Some(5e6), ..DEFAULT_RUN },
    Run { name: "block", options: "-t 2 -l 16K", block: Some(16384.0), ..DEFAULT_RUN },
    Run { name: "window", options: "-t 2 -w 32K", asked: Some(32768.0), ..DEFAULT_RUN },
    Run { name: "parallel", options: "-t 2 -P 3", flows: [3, 0], ..DEFAULT_RUN },
    Run { name: "reverse", options: "-t 2 -R", flows: [0, 1], ..DEFAULT_RUN },
    Run { name: "both", options: "-t 2 --bidir", flows: [1, 1], ..DEFAULT_RUN },
    Run { name: "bytes", options: "-n 3M", ..DEFAULT_RUN },
];

fn read(name: &str, text: &str) -> Evidence {
    let mut evidence = Evidence::default();
    import::read(name, text.as_bytes(), &mut evidence);
    evidence
}

/// The run as text, with its command above it, and as JSON, which has no command.
fn both(run: &Run) -> [(String, Evidence); 2] {
    ["txt", "json"].map(|ending| {
        let name = format!("{}.{ending}", run.name);
        let text = fs::read_to_string(Path::new(FOLDER).join(&name)).unwrap();
        let command = if ending == "txt" { format!("$ iperf3 -c 10.77.0.2 {}\n", run.options) } else { String::new() };
        let evidence = read(&name, &(command + &text));
        (name, evidence)
    })
}

fn near(a: f64, b: f64, share: f64) -> bool {
    (a - b).abs() <= share * b.abs()
}

#[test]
fn each_option_is_read_as_it_was_asked_for() {
    for run in &RUNS {
        for (name, evidence) in both(run) {
            let of = |direction| {
                let all = evidence.listings.iter().filter(move |printed| printed.listing.direction == Some(direction));
                all.map(|printed| printed.listing.streams.len()).sum::<usize>()
            };
            assert_eq!([of(Direction::Forward), of(Direction::Backward)], run.flows, "{name}");
            assert_eq!(evidence.connections.len(), run.flows[0] + run.flows[1], "{name}");
            for seen in &evidence.connections {
                asked_for(run, &name, seen);
            }
        }
    }
}

fn asked_for(run: &Run, name: &str, seen: &Connection) {
    // JSON has the blocks of -l; text has them in its command. 3.12 does not print --fq-rate in JSON.
    let is_told = name != "paced.json";
    assert_eq!(seen.target, run.rate.filter(|_| is_told), "{name}");
    assert_eq!(seen.asked, run.asked, "{name}");
    assert_eq!(seen.omitted, run.omitted, "{name}");
    // Only the end that sends prints cwnd and retransmissions.
    let backward = run.flows[1] > 0 && !seen.written;
    assert_eq!(seen.written, run.flows[0] > 0 && !backward, "{name}");
    assert!(seen.written || seen.points.iter().all(|point| point.cwnd.is_none()), "{name}");
    assert!(seen.retransmitted.is_some(), "{name}: the totals have the sender's count whichever end prints");
    assert_eq!(seen.seen, Seen::Both, "{name}");
    let ends = seen.ends.map(|[from, to]| (from.to_string(), to.to_string()));
    let (client, server) = ("10.77.0.1".to_owned(), "10.77.0.2".to_owned());
    assert_eq!(ends, Some(if seen.written { (client, server) } else { (server, client) }), "{name}");
    let steps: Vec<f64> = seen.points.windows(2).map(|pair| pair[1].time - pair[0].time).collect();
    let whole = &steps[..steps.len() - 1];
    match run.step {
        0.0 => assert_eq!(steps.len(), 1, "{name}"),
        step => assert!(whole.iter().all(|one| near(*one, step, 0.03)), "{name}: {steps:?}"),
    }
    let goodput = seen.goodput.unwrap();
    assert!(goodput < LINK, "{name}: {goodput} is the receiver's");
    if let Some(rate) = run.rate {
        assert!(near(goodput, rate, 0.08), "{name}: {goodput}");
    }
}

#[test]
fn blocks_are_those_of_the_option_or_128_kib() {
    for run in &RUNS {
        for (name, evidence) in both(run) {
            let block = evidence.listings[0].listing.block.map(|bytes| bytes as f64);
            let default = name.ends_with("json").then_some(131_072.0);
            assert_eq!(block, run.block.or(default), "{name}");
        }
    }
}

#[test]
fn senders_count_whole_blocks_and_receivers_do_not() {
    for run in RUNS.iter().filter(|run| run.flows == [1, 0] && run.rate.is_some()) {
        let [_, (name, evidence)] = both(run);
        let points = evidence.connections[0].points.iter();
        let left: Vec<f64> = points.filter_map(|point| Some(point.bytes? % 131_072.0)).collect();
        let whole = left.iter().all(|bytes| *bytes == 0.0);
        // A pacer below the socket lets a write wait in the middle: iperf3 then counts the part that was taken.
        assert_eq!(whole, run.name != "paced", "{name}: {left:?}");
    }
}

#[test]
fn streams_add_up_to_the_sum_that_is_printed() {
    let run = RUNS.iter().find(|run| run.name == "parallel").unwrap();
    for (name, evidence) in both(run) {
        let all: f64 = evidence.connections.iter().filter_map(|seen| seen.goodput).sum();
        let printed = evidence.listings[0].listing.sum.receiver.unwrap().rate.unwrap().value;
        assert!(near(all, printed, 0.01), "{name}: {all} of {printed}");
        assert!(evidence.connections.iter().all(|seen| seen.group == evidence.connections[0].group), "{name}");
    }
}
