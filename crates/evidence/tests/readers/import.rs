//! Listings as files: each FILE in `tests/import/` has a `FILE.out` with the figures read and their results, or a
//! `FILE.err` with the error. `BLESS=1 cargo test -p goodput-evidence --test it import::` writes the results; check the
//! figures by hand.

use crate::growth::{numbered, repeated, takes_time_in_proportion};
use evidence::import::iperf::summary::{self, Summary};
use evidence::import::{self, iperf};
use evidence::listing::{Counts, Listing, Period, Reading};
use evidence::{Connection, Evidence};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/import");

/// Listings that users are shown; their results are in FOLDER.
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/listings");

#[test]
fn every_file_gives_what_stands_beside_it() {
    let bless = std::env::var_os("BLESS").is_some();
    let differences: Vec<String> = files().iter().filter_map(|path| compare(path, bless)).collect();
    assert!(differences.is_empty(), "{}\nBLESS=1 accepts what is found", differences.join("\n"));
}

fn files() -> Vec<PathBuf> {
    let files = [FOLDER, EXAMPLES].into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let is_golden = |path: &PathBuf| path.extension().is_some_and(|e| e == "out" || e == "err");
    let mut files: Vec<PathBuf> = files.filter(|path| !is_golden(path)).collect();
    files.sort();
    assert!(files.len() > 25, "only {} files in {FOLDER}", files.len());
    files
}

fn compare(path: &Path, bless: bool) -> Option<String> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let (ending, found, other) = match iperf::read(name, &fs::read(path).unwrap()) {
        Ok(listings) => ("out", listings.iter().map(dump).collect::<Vec<_>>().join("\n"), "err"),
        Err(errors) => ("err", errors.to_string(), "out"),
    };
    let [golden, other] = [ending, other].map(|ending| Path::new(FOLDER).join(format!("{name}.{ending}")));
    if bless {
        fs::write(&golden, &found).unwrap();
        let _ = fs::remove_file(&other);
    }
    if other.exists() {
        return Some(format!("{name} gives {ending}, and {} is beside it", other.display()));
    }
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    (expected != found).then(|| difference(&golden, &expected, &found))
}

fn difference(golden: &Path, expected: &str, found: &str) -> String {
    let same = expected.lines().zip(found.lines()).take_while(|(old, new)| old == new).count();
    let from = |text: &str, sign: char| -> String {
        text.lines().skip(same).take(20).map(|line| format!("{sign} {line}\n")).collect()
    };
    format!("{}, line {}:\n{}{}", golden.display(), same + 1, from(expected, '-'), from(found, '+'))
}

// ---- readable dumps of listings ----

/// A listing as text: the run, a line for each period, and the summary.
fn dump(listing: &Listing) -> String {
    let mut out = format!("line {}: {:?}", listing.line, listing.program);
    let mut say = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            write!(out, ", {name} {value}").unwrap();
        }
    };
    say("protocol", listing.protocol.map(|protocol| format!("{protocol:?}")));
    say("direction", listing.direction.map(|direction| format!("{direction:?}")));
    say("congestion", listing.congestion.clone());
    say("duration", listing.duration.map(|seconds| format!("{seconds} s")));
    say("omitting", listing.omit.map(|seconds| format!("{seconds} s")));
    say("mss", listing.mss.map(|mss| format!("{mss} B")));
    say("block", listing.block.map(|block| format!("{block} B")));
    say("handshake", listing.handshake.map(|seconds| format!("{seconds:.6} s")));
    say("processors", listing.processors.map(|p| format!("{:.4}/{}", p.local, shown(p.remote))));
    out += "\n";
    for (name, text) in [("command", &listing.command), ("error", &listing.error)] {
        if let Some(text) = text {
            writeln!(out, "{name}: {text}").unwrap();
        }
    }
    if listing.is_cut_off() {
        out += "cut off\n";
    }
    for stream in &listing.streams {
        out += &counts(&format!("[{}]", stream.id), &stream.counts);
    }
    out += &counts("[sum]", &listing.sum);
    for stream in &listing.apart {
        out += &counts(&format!("apart [{}]", stream.id), &stream.counts);
    }
    out + &summed(&summary::summary(listing))
}

fn shown(share: Option<f64>) -> String {
    share.map_or("?".into(), |share| format!("{share:.4}"))
}

fn counts(name: &str, counts: &Counts) -> String {
    let ends = [("sender", &counts.sender), ("receiver", &counts.receiver)];
    let ends = ends.into_iter().filter_map(|(end, period)| Some((end, period.as_ref()?)));
    let all = counts.intervals.iter().map(|period| ("interval", period)).chain(ends);
    all.map(|(what, period)| format!("  {name} {what} {}\n", shown_period(period))).collect()
}

fn shown_period(period: &Period) -> String {
    let mut out = format!("{} to {} s", reading(period.start), reading(period.end));
    let mut say = |value: Option<String>, unit: &str| {
        if let Some(value) = value {
            write!(out, ", {value} {unit}").unwrap();
        }
    };
    say(period.bytes.map(reading), "B");
    say(period.rate.map(reading), "bit/s");
    say(period.retransmits.map(|n| n.to_string()), "retransmits");
    say(period.cwnd.map(reading), "B cwnd");
    say(period.rtt.map(|seconds| format!("{seconds:.6}")), "s rtt");
    say(period.in_flight.map(|bytes| format!("{bytes:.0}")), "B in flight");
    say(period.held.map(|seconds| format!("{seconds:.3}")), "s held");
    say(period.lost.map(|n| n.to_string()), "lost");
    say(period.datagrams.map(|n| n.to_string()), "datagrams");
    say(period.jitter.map(reading), "s jitter");
    if period.omitted {
        out += ", omitted";
    }
    if let Some(seconds) = period.skipped {
        write!(out, ", {seconds:.2} s before it not printed").unwrap();
    }
    out
}

/// Formats a reading as `48700000±50000`; an exact value has no tolerance.
fn reading(reading: Reading) -> String {
    let digits = |number: f64| {
        let whole = number.abs().max(1e-9).log10().floor();
        let text = format!("{number:.*}", (9.0 - whole).clamp(0.0, 15.0) as usize);
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    };
    let spread = if reading.half_width == 0.0 { String::new() } else { format!("±{}", digits(reading.half_width)) };
    digits(reading.value) + &spread
}

fn summed(summary: &Summary) -> String {
    let mut out = String::new();
    if let Some(goodput) = summary.goodput {
        writeln!(out, "goodput {} bit/s by {:?}", reading(goodput.rate), goodput.counted).unwrap();
    }
    if let Some(flows) = &summary.flows {
        let (slowest, fastest) = flows.extremes();
        let (slowest, fastest, jain) = (reading(slowest), reading(fastest), flows.jain().map(reading));
        let jain = jain.unwrap_or("?".into());
        let number = flows.rates.len();
        writeln!(out, "{number} flows from {slowest} to {fastest} by {:?}, Jain {jain}", flows.counted).unwrap();
    }
    if let Some(again) = summary.retransmitted {
        let mss = format!("{} B{}", again.mss, if again.assumed { " assumed" } else { "" });
        let [segments, ratio, share] = [again.segments, again.ratio(), again.share()].map(reading);
        writeln!(out, "{} retransmitted of {segments} of {mss}: ratio {ratio}, share {share}", again.count).unwrap();
    }
    out
}

// ---- figures that were computed by hand ----

fn only(name: &str) -> Listing {
    let listings = iperf::read(name, &fs::read(Path::new(EXAMPLES).join(name)).unwrap()).unwrap();
    let [listing] = <[Listing; 1]>::try_from(listings).unwrap();
    listing
}

fn near(reading: Reading, value: f64, within: f64) -> bool {
    (reading.value - value).abs() <= within
}

/// "[SUM] … 48.7 Mbits/sec … receiver" in both; 24159 and 20476 retransmits among 353 and 350 MBytes in segments of
/// 1448 B, 255 626 and 253 453 of them: 9.45 and 8.08 %.
#[test]
fn cubic_and_dctcp_listings_give_their_printed_figures() {
    for (name, congestion, ratio, share, jain, slowest, fastest) in [
        ("rate-cap-cubic.txt", "cubic", 0.0945, 0.0863, 0.993, 4.14e6, 5.61e6),
        ("rate-cap-dctcp.txt", "dctcp", 0.0808, 0.0747, 0.997, 4.37e6, 5.36e6),
    ] {
        let listing = only(name);
        assert_eq!(listing.congestion.as_deref(), Some(congestion));
        assert_eq!(listing.duration, Some(60.0));
        let Summary { goodput, flows, retransmitted } = summary::summary(&listing);
        assert_eq!(goodput.unwrap().counted, summary::Counted::Receiver);
        assert!(near(goodput.unwrap().rate, 48.7e6, 1.0) && near_width(goodput.unwrap().rate, 50e3), "{goodput:?}");
        let again = retransmitted.unwrap();
        assert!(again.assumed && again.mss == 1448);
        assert!(near(again.ratio(), ratio, 5e-5) && near(again.share(), share, 5e-5), "{again:?}");
        let flows = flows.unwrap();
        assert!(near(flows.jain().unwrap(), jain, 5e-4), "{flows:?}");
        let (least, most) = flows.extremes();
        assert!(flows.rates.len() == 10 && near(least, slowest, 1.0) && near(most, fastest, 1.0), "{flows:?}");
    }
}

fn near_width(reading: Reading, half_width: f64) -> bool {
    (reading.half_width - half_width).abs() < 1e-6 * half_width
}

#[test]
fn the_two_listings_of_cubic_and_dctcp_sit_at_a_rate_cap() {
    let cap = summary::rate_cap(&only("rate-cap-cubic.txt"), &only("rate-cap-dctcp.txt")).unwrap();
    assert!(cap.goodputs.iter().all(|rate| near(*rate, 48.7e6, 1.0)), "{cap:?}");
    // Cubic: flow 17, 2142 among 35.0 MBytes, 8.45 %; dctcp: flow 11, 2001 among 38.5 MBytes, 7.18 %.
    assert!(near(cap.least_retransmitted[0], 0.0845, 1e-4), "{cap:?}");
    assert!(near(cap.least_retransmitted[1], 0.0718, 1e-4), "{cap:?}");
}

/// Each change alone removes the sign of a rate cap: another total, a flow without losses, one flow with half of the
/// total.
#[test]
fn listings_without_a_rate_cap_are_not_called_capped() {
    let text = fs::read_to_string(Path::new(EXAMPLES).join("rate-cap-cubic.txt")).unwrap();
    let other = only("rate-cap-dctcp.txt");
    for (printed, changed) in [
        ("348 MBytes  48.7 Mbits/sec", "341 MBytes  47.7 Mbits/sec"),
        ("4.56 Mbits/sec  2425 ", "4.56 Mbits/sec  200 "),
        ("40.1 MBytes  5.61 Mbits/sec", "174 MBytes  24.3 Mbits/sec"),
    ] {
        assert!(text.contains(printed));
        let listings = iperf::read("changed", text.replace(printed, changed).as_bytes()).unwrap();
        assert_eq!(summary::rate_cap(&listings[0], &other), None, "{changed}");
        assert_eq!(summary::rate_cap(&other, &listings[0]), None, "{changed}");
    }
    let lone = fs::read(Path::new(FOLDER).join("hong-kong-new-york-runs.txt")).unwrap();
    let lone = iperf::read("hong-kong-new-york-runs.txt", &lone).unwrap();
    assert_eq!(summary::rate_cap(&lone[0], &lone[0]), None, "one flow shares with nobody");
}

#[test]
fn a_document_around_listings_changes_nothing_in_them() {
    let whole =
        iperf::read("document", &fs::read(Path::new(FOLDER).join("ipsec-tunnel-article.txt")).unwrap()).unwrap();
    assert_eq!(whole.len(), 2);
    for (found, name) in whole.into_iter().zip(["rate-cap-cubic.txt", "rate-cap-dctcp.txt"]) {
        assert_eq!(found.apart.len(), 1, "the table after each, of the receiver alone");
        let alone = only(name);
        assert_eq!(Listing { line: alone.line, apart: vec![], ..found }, alone);
    }
}

#[test]
fn the_reader_takes_time_in_proportion_to_the_text() {
    let row = "[  5]   0.00-1.00   sec   640 KBytes  5.24 Mbits/sec    0   1.12 MBytes       \n";
    let pieces = [
        "[",
        "{",
        "{\"start\":",
        "{\"start\":{",
        "{\"start\":{}}",
        "[[{\"",
        "iperf3 ",
        "iperf3 -c x\n",
        " ",
        "\n",
        "\0",
        "[SUM]",
        "[ 1]0.0-",
        "[  5] 1-2 sec ",
        "[ ID]\n",
        "\"",
        "\\",
        "1.00 ",
        "\u{FEFF}",
        "跨",
        row,
        "Connecting to host x\n",
        "{\"event\":\"start\",\"data\":{}}\n",
        "{\"start\":\n",
        "{\"title\":\"\n",
        "[  5] 0.00-1.00 sec 1 x\n",
    ];
    let read = |text: &str| drop(iperf::read("large", text.as_bytes()).map_err(|errors| errors.to_string()));
    for piece in pieces {
        takes_time_in_proportion(piece, repeated(piece), read);
    }
    takes_time_in_proportion("streams", numbered(|id| row.replacen("  5", &format!("{id:5}"), 1)), read);
    // xorshift64 (Marsaglia 2003).
    let next = |seed: &u64| Some([13, -7, 17].iter().fold(*seed, |s, by| s ^ if *by > 0 { s << by } else { s >> -by }));
    let noise = |size: usize| {
        let bytes: Vec<u8> =
            std::iter::successors(Some(88_172_645_463_325_252), next).take(size).map(|s| s as u8).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    takes_time_in_proportion("noise", noise, read);
}

// ---- seconds that -O omits ----

fn connection(name: &str) -> Connection {
    let mut evidence = Evidence::default();
    import::read(name, &fs::read(Path::new(FOLDER).join(name)).unwrap(), &mut evidence);
    let [connection] = <[Connection; 1]>::try_from(evidence.connections).unwrap();
    connection
}

#[test]
fn omitted_seconds_are_separate_from_counted_ones() {
    // The program's own total over the seconds that count, and how many seconds it omitted.
    for (name, omitted, total, seconds, unprinted) in [
        ("omit.txt", 2.0, 7.12 * 1_048_576.0, 3.0, false),
        ("omit-last-unprinted.txt", 2.0, 1.25 * 1_048_576.0, 2.0, true),
        ("omit-last-unprinted.json", 2.0, 7_471_104.0, 3.000_079, true),
    ] {
        let seen = connection(name);
        assert!((seen.omitted - omitted).abs() < 0.001, "{name}: {}", seen.omitted);
        assert_eq!(seen.span.map(|[start, end]| (start, end)), Some((0.0, seconds)), "{name}");
        let counted: f64 = seen.counted().iter().filter(|point| point.time > 0.0).filter_map(|point| point.bytes).sum();
        assert!((counted / total - 1.0).abs() < 0.01, "{name}: {counted}");
        assert!((seen.goodput.unwrap() * seconds / 8.0 / total - 1.0).abs() < 0.01, "{name}: {:?}", seen.goodput);
        let whole = seen.from_start();
        let times: Vec<i64> = whole.iter().map(|point| point.time.round() as i64).collect();
        assert_eq!(times, (0..=(omitted + seconds).round() as i64).collect::<Vec<_>>(), "{name}");
        assert_eq!(whole.iter().skip(1).any(|point| point.bytes.is_none()), unprinted, "{name}");
        // A program with a set rate keeps it in every second, before and after 0.
        let rates: Vec<f64> = whole.windows(2).filter_map(|pair| pair[1].rate_since(&pair[0])).collect();
        let mean = counted * 8.0 / seconds;
        assert!(rates.iter().all(|rate| (rate / mean - 1.0).abs() < 0.1), "{name}: {rates:?} of {mean}");
    }
}

#[test]
fn intervals_that_end_before_they_start_are_refused() {
    let text = fs::read_to_string(Path::new(FOLDER).join("omit-last-unprinted.txt")).unwrap();
    let crossing = text.replacen("1.00-1.00 ", "1.01-1.00 ", 1);
    assert_ne!(text, crossing);
    let [read, crossed] = [&text, &crossing].map(|text| iperf::read("x", text.as_bytes()).unwrap());
    assert_eq!(read[0].streams[0].counts.intervals.len(), crossed[0].streams[0].counts.intervals.len());
    let later = text.replacen("1.00-2.00 ", "2.01-2.00 ", 1);
    assert!(iperf::read("x", later.as_bytes()).is_err());
}
