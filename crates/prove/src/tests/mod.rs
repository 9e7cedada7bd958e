//! Tests of the pure parts against arithmetic: reading, distances, and searches in a lab that is a formula.

mod case;
mod formulas;
mod measured;
mod netem;
mod queue;
mod streams;
mod systems;
mod window;

use super::allowed_changes::{Proposal, proposals};
use super::candidate::{Candidate, PAYLOAD_SHARE, scale};
use super::case::Case;
use super::clues::Clues;
use super::distance::{Fit, distance};
use super::refusal::Refusal;
use super::scale::Scale;
use super::trace::{Instrument, Trace};
use super::{
    Assumes, Beside, ChangePlace, Confidence, Design, Explanation, Laboratory, Mechanism, Pings, ProveRequest,
    Scenario, Shown, Verdict, other_kernel, page, prove, report,
};
use diagnosis::diagnose::Given;
use evidence::headers::Ip;
use evidence::{End, Evidence, Limits, System, import};
use plan::recording::Sample;
use serde_json::Value;
use std::collections::BTreeSet;

const NOTHING: Given = Given { rate: None, rtt: None };
/// What the author of examples/listings/hong-kong-new-york.txt writes about the line.
const HONG_KONG: Given = Given { rate: Some(1e9), rtt: Some(0.21) };

fn read(texts: &[(&str, &str)]) -> Evidence {
    let mut evidence = Evidence::default();
    texts.iter().for_each(|(name, text)| import::read(name, text.as_bytes(), &mut evidence));
    import::join(&mut evidence);
    evidence
}

const PING: &str = "PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.\n\
    64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=80.0 ms\n64 bytes from 10.0.0.2: icmp_seq=2 ttl=64 time=80.1 ms\n\n\
    --- 10.0.0.2 ping statistics ---\n2 packets transmitted, 2 received, 0% packet loss, time 1001ms\n\
    rtt min/avg/max/mdev = 80.000/80.050/80.100/0.050 ms\n";

/// iperf3's text for these rates, Mbit/s in each second, with a window of 64 segments.
fn iperf3(rates: &[f64]) -> String {
    let mut text = String::from(
        "Connecting to host 10.0.0.2, port 5201\n[  5] local 10.0.0.1 port 40000 connected to 10.0.0.2 port 5201\n\
         [ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n",
    );
    for (second, rate) in rates.iter().enumerate() {
        let bytes = rate * 1e6 / 8.0 / 1024.0 / 1024.0;
        text += &format!(
            "[  5] {:6.2}-{:<6.2} sec  {bytes:4.2} MBytes  {rate:4.2} Mbits/sec    0   90.5 KBytes       \n",
            second as f64,
            second as f64 + 1.0
        );
    }
    let (mean, count) = (rates.iter().sum::<f64>() / rates.len() as f64, rates.len() as f64);
    let bytes = mean * count * 1e6 / 8.0 / 1024.0 / 1024.0;
    text += "- - - - - - - - - - - - - - - - - - - - - - - - -\n[ ID] Interval           Transfer     Bitrate         Retr\n";
    text +=
        &format!("[  5]   0.00-{count:<5.2}  sec  {bytes:4.2} MBytes  {mean:4.2} Mbits/sec    0             sender\n");
    text + &format!(
        "[  5]   0.00-{count:<5.2}  sec  {bytes:4.2} MBytes  {mean:4.2} Mbits/sec                  receiver\n"
    )
}

fn real(name: &str) -> String {
    std::fs::read_to_string(format!("{}/../../goodput/tests/it/diagnose/real/{name}", env!("CARGO_MANIFEST_DIR")))
        .unwrap()
}

#[test]
fn a_few_lost_packets_leave_much_open() {
    // Exact limits of 95 % for three events of a Poisson count: 0.619 and 8.77 (Garwood 1936).
    let path = format!("{}/../../examples/listings/hong-kong-new-york.txt", env!("CARGO_MANIFEST_DIR"));
    let case = Case::from_evidence(&read(&[("hk", &std::fs::read_to_string(path).unwrap())]), HONG_KONG).unwrap();
    let [least, most] = Clues::from_case(&case).chance(101.0 / 3.0);
    let each = 101.0 / 3.0 / (case.seen.bytes[1..].iter().sum::<f64>() / 1448.0);
    assert!((least / each / 0.619 - 1.0).abs() < 0.03 && (most / each / 8.77 - 1.0).abs() < 0.03, "{least} {most}");
}

const SCALE: Scale = Scale {
    rtt: 0.08,
    streams: 1,
    block: 131_072.0,
    mss: 1448.0,
    step: 1.0,
    steady: false,
    whole: true,
    blocks: false,
    paced: false,
    left_out: 0,
    total: false,
    starved: false,
    lump: 0.0,
};

fn trace(rate: f64, cwnd: f64) -> Trace {
    Trace {
        received: rate,
        each: None,
        bytes: vec![rate / 8.0; 10],
        retransmitted: Some(vec![0.0; 10]),
        cwnd: Some(vec![cwnd; 10]),
        rtt: None,
        rttvar: None,
        spurious: None,
        reordered: None,
        marked: None,
        window: None,
        limits: None,
    }
}

/// This many equal seeds, with pings that never wait.
fn alike(trace: Trace, case: &Case, seeds: usize) -> Vec<Shown> {
    let pings = Some(Pings { mean: case.rtt, p95: case.rtt });
    vec![Shown { goodput: trace.received, trace, pings, others: None, held: None }; seeds]
}

/// 20 Mbit/s over 80 ms are 138 segments in flight.
#[test]
fn a_cwnd_that_is_not_used_up_may_be_any() {
    let of = |cwnd: f64| Trace { rtt: Some(vec![0.08; 10]), ..trace(20e6, cwnd) };
    let d = |seen: f64, lab: f64| distance(&of(seen), &[of(lab), of(lab)], &SCALE).unwrap().d;
    assert_eq!((d(300.0, 600.0), d(300.0, 300.0)), (0.0, 0.0), "less than half of either is in flight");
    assert!(d(300.0, 138.0) > 0.5, "the lab's is used up");
    assert!(d(138.0, 300.0) > 0.5, "the transfer's is");
}

/// The same path: 132 segments lost at once cost goodput if all of cwnd is used, and nothing if half of it is.
#[test]
fn losses_beside_a_cwnd_that_is_not_used_up_count_for_nothing() {
    let of = |cwnd: f64, lost: f64| {
        let retransmitted = Some(vec![0.0, 0.0, 0.0, 0.0, 0.0, lost, 0.0, 0.0, 0.0, 0.0]);
        Trace { rtt: Some(vec![0.08; 10]), retransmitted, ..trace(20e6, cwnd) }
    };
    let d = |cwnd: f64| distance(&of(cwnd, 132.0), &[of(cwnd, 0.0), of(cwnd, 0.0)], &SCALE).unwrap().d;
    assert_eq!(d(300.0), 0.0);
    assert!(d(138.0) > 0.2, "{}", d(138.0));
}

#[test]
fn a_distance_is_in_floors_where_seeds_agree() {
    let seen = trace(20e6, 64.0);
    let fit = distance(&seen, &[trace(20e6, 64.0), trace(20e6, 64.0)], &SCALE).unwrap();
    assert_eq!((fit.d, fit.t3, fit.holds()), (0.0, 0.0, true));
    // Six seeds with no spread: z of goodput is ln(1.1) over its floor of 3 %, and no other statistic of a total
    // differs so much.
    let other = vec![trace(22e6, 64.0); 6];
    let fit = distance(&seen, &other, &SCALE).unwrap();
    let z = fit.z.iter().find(|(name, _)| name == "goodput").unwrap().1;
    assert!((z - -(1.1f64.ln() / 0.03)).abs() < 1e-9, "{z}");
    assert_eq!(distance(&seen, &[], &SCALE), None);
    // Figures that the evidence does not print are not compared.
    assert!(fit.z.iter().all(|(name, _)| !name.contains("RTT") && !name.contains("window")));
    // A z is cut at 6.
    let far = distance(&seen, &vec![trace(200e6, 64.0); 6], &SCALE).unwrap();
    assert_eq!(far.worst()[0].1.abs(), 6.0);
    assert!(!far.holds());
}

#[test]
fn a_candidate_that_allows_for_much_is_charged_for_it() {
    // Both means are the evidence's, so z is 0 and the likelihood is ln of the standard deviation.
    let seen = trace(20e6, 64.0);
    let seeds =
        |by: f64| -> Vec<Trace> { [1.0 / by, by].repeat(3).iter().map(|times| trace(20e6 * times, 64.0)).collect() };
    let [narrow, wide] = [1.01, 1.5].map(|by| distance(&seen, &seeds(by), &SCALE).unwrap());
    assert!(narrow.d < 0.01 && wide.d < 0.5 && wide.unlikelihood() > narrow.unlikelihood(), "{wide:?}");
    let same = distance(&seen, &vec![seen.clone(); 6], &SCALE).unwrap();
    assert_eq!(same.unlikelihood(), 0.0);
    // Goodput alone: six seeds at ln 1.5 on either side have a deviation of ln 1.5 √(6/5) and a floor of 3 %.
    let deviation = 1.5f64.ln() * (6.0f64 / 5.0).sqrt();
    let charge = ((deviation.powi(2) * 7.0 / 6.0 + 0.03f64.powi(2)) / 0.03f64.powi(2)).ln();
    assert!(wide.spread >= charge - 1e-9, "{} {charge}", wide.spread);
}

#[test]
fn a_two_segment_send_buffer_is_known_to_a_fifth() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let line = Candidate::line(20e6, 100.0);
    let lump = |candidate: Candidate| scale(&case, &candidate.keys()).lump;
    // A uniform distribution over 64 KiB has a standard deviation of 18.9 kB: 14.4 % of 131,072 B.
    assert!((lump(line.with(Mechanism::SendBuffer, &[131_072.0])) - 0.5 / 12f64.sqrt()).abs() < 1e-9);
    assert_eq!(lump(line.with(Mechanism::SendBuffer, &[20e3])), 0.2);
    assert!(lump(line.clone()) < 0.005);
    // The tolerance does not apply with another mechanism: the candidate would fit too much.
    assert_eq!(lump(line.with(Mechanism::SendBuffer, &[20e3]).with(Mechanism::ReceiveWindow, &[1e5])), 0.0);
}

#[test]
fn samples_are_read_as_iperf3_reads_them() {
    let instrument = Instrument {
        step: 1.0,
        first: Some(1.0),
        intervals: 2,
        omitted: 0.0,
        written: true,
        block: 1000.0,
        mss: 100.0,
        sent: false,
        total: false,
    };
    // 250 B/ms acknowledged, 10 segments in flight, nothing unsent; established at 80 ms.
    let sample = |ms: u64| Sample {
        time: ms * 1_000_000,
        bytes_acked: 250 * ms.saturating_sub(80),
        unacked: 10,
        snd_mss: 100,
        snd_cwnd: 10 + ms / 1000,
        rtt: 80_000,
        total_retrans: ms / 500,
        ..Sample::default()
    };
    let sent: Vec<Sample> = (0..60).map(|n| sample(n * 50)).collect();
    let arrived: Vec<Sample> =
        (0..60).map(|n| Sample { bytes_received: 250 * (n * 50u64).saturating_sub(120), ..sample(n * 50) }).collect();
    let trace = Trace::of_samples(&sent, &arrived, 80e6, &instrument).unwrap();
    // After 1 s 250,000 B are acknowledged and 1,000 in flight: 251 blocks; 250 more in the next.
    assert_eq!(trace.bytes, [251_000.0, 250_000.0]);
    assert_eq!(trace.retransmitted, Some(vec![2.0, 2.0]));
    assert_eq!(trace.cwnd, Some(vec![11.0, 12.0]));
    assert!((trace.received - 250.0 * 1960.0 * 8.0 / 2.0).abs() < 1.0, "{}", trace.received);
    assert_eq!(Trace::of_samples(&[], &[], 0.0, &instrument), None);
}

/// A lab that is a formula: a window gives window / RTT, a link its rate, and the printed window is 64 segments.
struct Formula {
    /// Half of a receive buffer is window.
    share: f64,
    asked: Vec<String>,
}

impl Laboratory for Formula {
    type Error = ();

    fn run(&mut self, design: &Design) -> Result<Vec<Vec<Shown>>, ()> {
        let (text, cases, seeds, case) = (&design.text(), design.cases.len(), design.seeds, design.case);
        self.asked.push(text.to_owned());
        let base = text.split("\n[vary").next().unwrap_or_default();
        let all: Vec<&str> = text.split("\n[vary").skip(1).collect();
        assert_eq!(all.len(), cases);
        // An experiment refuses two cases with the same network.
        let settings = |of: &str| -> Vec<(String, String)> {
            let pairs = of.lines().filter_map(|line| line.split_once(" = "));
            let name = |key: &str| key.trim_matches('"').rsplit('.').next().unwrap_or_default().to_owned();
            pairs.map(|(key, value)| (name(key.trim()), value.to_owned())).collect()
        };
        let usual = settings(base);
        let distinct: BTreeSet<Vec<(String, String)>> = all
            .iter()
            .map(|own| settings(own).into_iter().filter(|setting| !usual.contains(setting)).collect())
            .collect();
        assert_eq!(distinct.len(), cases, "{text}");
        let number = |key: &str, of: &str| -> Option<f64> {
            let line = of.lines().find(|line| line.contains(key))?;
            let value = line.split('=').nth(1)?.trim().trim_matches('"').split_whitespace();
            let words: Vec<&str> = value.collect();
            if key == "rate" { Some(words[0].parse::<f64>().ok()? * 1e3) } else { words.last()?.parse().ok() }
        };
        let shown = |own: &&str| {
            let of = |key: &str| number(key, own).or_else(|| number(key, base)).unwrap();
            let goodput = (of("rate") * PAYLOAD_SHARE).min(of("tcp_rmem") * self.share * 8.0 / case.rtt);
            let cwnd = case.seen.cwnd.as_ref().unwrap()[1];
            let offered = of("tcp_rmem") * self.share * 8.0 / case.rtt;
            let waits = if offered < of("rate") * PAYLOAD_SHARE { 1.0 } else { 0.0 };
            let intervals = case.instrument.intervals;
            let trace = Trace {
                bytes: vec![goodput / 8.0; intervals],
                cwnd: Some(vec![cwnd; intervals]),
                retransmitted: Some(vec![0.0; intervals]),
                limits: Some(Limits { busy: 1.0, rwnd: waits, sndbuf: 0.0 }),
                ..trace(goodput, cwnd)
            };
            alike(trace, case, seeds)
        };
        Ok(all.iter().map(shown).collect())
    }

    fn say(&mut self, _: &str) {}
}

fn request() -> ProveRequest {
    ProveRequest {
        places: vec![ChangePlace::Sender, ChangePlace::Receiver],
        budget: 60.0,
        neighbour: None,
        only: vec![],
    }
}

/// Checks that each sentence of the terminal is in the report; rows with columns are no sentences.
#[track_caller]
fn assert_same_sentences(case: &Case, verdict: &Verdict) {
    let mut inside = false;
    let html = report(case, verdict);
    let text: String = html
        .chars()
        .filter(|c| {
            inside = (inside || *c == '<') && *c != '>';
            !inside && *c != '>'
        })
        .collect();
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    let text = plain.iter().fold(text, |text, (name, sign)| text.replace(name, sign)).to_lowercase();
    let wide = page(verdict, 100_000);
    let sentences = wide.lines().skip(1).map(str::trim).filter(|line| !line.ends_with(':') && !line.contains("  "));
    let mut count = 0;
    for line in sentences.filter(|line| line.ends_with('.')) {
        let says = line.split_once(": ").map_or(line, |(_, says)| says).trim_start_matches("! ");
        assert!(text.contains(&says.to_lowercase()), "the report lacks: {line}\n{html}");
        count += 1;
    }
    assert!(count > 1, "{wide}");
}

#[test]
fn a_window_on_an_unknown_link_is_found_with_a_gain_interval() {
    let rates = [5.0; 10];
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&rates)))]), NOTHING).unwrap();
    let mut lab = Formula { share: 0.5, asked: vec![] };
    let verdict = prove(&case, &request(), &mut lab).unwrap();
    let own = verdict.explanations.iter().find(|one| one.names("receive window")).expect("the window explains it");
    // 5 Mbit/s over 80 ms is a window of 50,000 B, so a buffer of 100,000 B.
    let [low, high] = own.ranges[2];
    assert!((low..=high).contains(&100_000.0), "{low} {high}");
    assert!(!own.knows_rate());
    let best = verdict.best().expect("a larger buffer helps");
    assert!(best.name.contains("receive buffer") && best.is_open(), "{}", best.name);
    assert!(verdict.ask.as_ref().is_some_and(|ask| ask.contains("--rate")), "{:?}", verdict.ask);
    // The same question leads to the same trials.
    let mut again = Formula { share: 0.5, asked: vec![] };
    assert_eq!(prove(&case, &request(), &mut again).unwrap(), verdict);
    assert_eq!(again.asked, lab.asked);
    let text = page(&verdict, 80);
    assert!(text.lines().all(|line| line.chars().count() <= 80 || line.contains('/')), "{text}");
    assert!(text.contains(" or more"), "{text}");
    assert!(text.contains("Answer: ") && text.contains("RFC 6349: "), "{text}");
    // Nothing ever waited for the send buffer, so no trial was needed to predict a larger send buffer alone.
    let keys = |name: &str| &verdict.rows.iter().find(|row| row.name == name).expect("it is a row").keys;
    let [sender, receiver] = ["larger send buffer", "larger receive buffer"].map(keys);
    let has = |case: &str, keys: &[String]| keys.iter().all(|key| case.contains(key.as_str()));
    let cases: Vec<&str> = lab.asked.iter().flat_map(|text| text.split("\n[vary.remedy").skip(1)).collect();
    assert!(cases.iter().any(|case| has(case, receiver)));
    let is_alone = |case: &&str| has(case, sender) && !has(case, receiver) && !case.contains("congestion");
    assert!(!cases.iter().any(is_alone), "{sender:?}");
    // A larger buffer brings nothing on a link that is as slow as the transfer.
    assert_eq!(best.confidence(), Confidence::Low);
    assert_same_sentences(&case, &verdict);
    let html = report(&case, &verdict);
    assert!(html.contains("<svg") && html.contains(&best.name) && !html.contains("<script"), "{html}");
}

/// The same lab, but all trials of changes fail.
struct Mute(Formula);

impl Laboratory for Mute {
    type Error = ();

    fn run(&mut self, design: &Design) -> Result<Vec<Vec<Shown>>, ()> {
        let shown = self.0.run(design)?;
        Ok(if design.axis == "remedy" { vec![vec![]; shown.len()] } else { shown })
    }

    fn say(&mut self, _: &str) {}
}

#[test]
fn without_effects_no_change_is_proposed() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let verdict = prove(&case, &request(), &mut Mute(Formula { share: 0.5, asked: vec![] })).unwrap();
    assert!(!verdict.explanations.is_empty() && verdict.rows.is_empty());
    assert!(page(&verdict, 80).contains("No change could be tried"), "{}", page(&verdict, 80));
    assert!(report(&case, &verdict).contains("receive window"));
    assert_same_sentences(&case, &verdict);
    let none = Verdict { explanations: vec![], nearest: verdict.tried.first().cloned(), ..verdict };
    assert_same_sentences(&case, &none);
}

/// Collects every place of a document, as JSON pointers.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(n, one)| places(one, &format!("{at}/{n}"), into)),
        Value::Object(map) => map.iter().for_each(|(key, one)| places(one, &format!("{at}/{key}"), into)),
        _ => {}
    }
    into.push(at.to_owned());
}

/// `prove DIR` shows a file that anyone may have written.
#[test]
fn no_change_of_a_verdict_makes_its_page_panic() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    let sound = serde_json::to_value(&verdict).unwrap();
    let mut all = vec![];
    places(&sound, "", &mut all);
    let absurd =
        ["null", "0", "-1", "1e308", "-1e308", "18446744073709551615", "\"\"", "\"\\u001b[31m\"", "[]", "{}", "true"];
    let mut shown = 0;
    for place in &all {
        for absurd in absurd {
            let mut value = sound.clone();
            *value.pointer_mut(place).unwrap() = serde_json::from_str(absurd).unwrap();
            if let Ok(verdict) = serde_json::from_value::<Verdict>(value) {
                page(&verdict, 80);
                shown += 1;
            }
        }
    }
    assert!(shown > all.len(), "{shown} of {} places", all.len());
}

/// A lab that is another formula: a loss p alone gives a cwnd of 1.2 / √p segments (Mathis et al. 1997), a receive
/// buffer B a window of 0.617 B, and both together the harmonic mean of their squares; a link holds two packets more.
struct Both;

impl Both {
    fn trace(rate: f64, rmem: f64, loss: f64, case: &Case) -> Trace {
        let Instrument { mss, intervals, step, .. } = case.instrument;
        let window = 0.617 * rmem;
        let (alone, offered) = (1.2 / loss.max(1e-9).sqrt(), window / mss);
        let cwnd = (1.0 / (1.0 / alone.powi(2) + 1.0 / offered.powi(2))).sqrt();
        let swing = if loss > 1e-6 { 0.05 } else { 0.0 };
        let rtt = case.rtt + 2.0 * 1538.0 * 8.0 / rate;
        let goodput = (cwnd * mss * 8.0 / rtt).min(PAYLOAD_SHARE * rate);
        let first = (window * 8.0 / rtt).min(PAYLOAD_SHARE * rate);
        let bytes: Vec<f64> = (0..intervals).map(|at| if at == 0 { first } else { goodput } * step / 8.0).collect();
        Trace {
            received: bytes.iter().sum::<f64>() * 8.0 / step / intervals as f64,
            each: None,
            retransmitted: Some(bytes.iter().map(|bytes| bytes / mss * loss).collect()),
            // Losses lower cwnd.
            cwnd: Some(
                (0..intervals)
                    .map(|at| if at % 2 == 0 { cwnd * (1.0 + swing) } else { cwnd * (1.0 - swing) })
                    .collect(),
            ),
            rtt: Some(vec![rtt; intervals]),
            rttvar: None,
            spurious: None,
            reordered: None,
            marked: None,
            window: Some(vec![window.min(2.0 * cwnd * mss); intervals]),
            limits: None,
            bytes,
        }
    }
}

impl Laboratory for Both {
    type Error = ();

    fn run(&mut self, design: &Design) -> Result<Vec<Vec<Shown>>, ()> {
        let (text, seeds, case) = (design.text(), design.seeds, design.case);
        let base = text.split("\n[vary").next().unwrap_or_default();
        let last = |own: &str, key: &str| -> Option<f64> {
            let value = own.lines().find(|line| line.contains(key))?.split(" = ").nth(1)?;
            let numbers = value.split(|c: char| !c.is_ascii_digit() && c != '.').filter_map(|word| word.parse().ok());
            let numbers: Vec<f64> = numbers.collect();
            if key == "rmem" { numbers.last().copied() } else { numbers.first().copied() }
        };
        let shown = |own: &str| {
            let of = |key: &str| last(own, key).or_else(|| last(base, key));
            let loss = if own.contains("path.loss\" = \"") { of("path.loss").unwrap_or_default() / 100.0 } else { 0.0 };
            let rate = of("rate").unwrap_or_default() * 1e3;
            let trace = Both::trace(rate, of("rmem").unwrap_or_default(), loss, case);
            alike(trace, case, seeds)
        };
        Ok(text.split("\n[vary").skip(1).map(shown).collect())
    }

    fn say(&mut self, _: &str) {}
}

#[test]
fn two_mechanisms_are_named_if_neither_alone_fits() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    // Alone, the loss allows 17 segments and the buffer 27.9: both count, and neither needs the link.
    case.seen = Both::trace(40e6, 65_536.0, 0.005, &case);
    let verdict = prove(&case, &request(), &mut Both).unwrap();
    let own = verdict.explanations.first().expect("both explain it");
    assert!(own.names("random loss") && own.names("receive window"), "{}", own.name);
    let [[low, high], [least, most]] = [own.ranges[2], own.ranges[3]];
    assert!((low..=high).contains(&65_536.0) && (least..=most).contains(&0.005), "{:?}", own.ranges);
    // With the loss alone as the cause, the buffer adds nothing and is not named.
    case.seen = Both::trace(40e6, 33_554_432.0, 0.005, &case);
    let verdict = prove(&case, &request(), &mut Both).unwrap();
    let names: Vec<&str> = verdict.explanations.iter().map(|one| one.name.as_str()).collect();
    assert!(names.contains(&"random loss") && names.iter().all(|name| !name.contains(" + ")), "{names:?}");
}

#[test]
fn changes_follow_from_mechanisms_of_the_set() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let line = Candidate::line(20e6, 100.0);
    let all = |candidate: Candidate, name: &str| {
        let scenarios = vec![Scenario { assumes: Assumes::Nothing, candidate: candidate.clone() }];
        let (fit, ranges) = (Fit::default(), vec![[1000.0, 1500.0]; 5]);
        let one = Explanation {
            name: name.into(),
            candidate,
            fit,
            ranges,
            scenarios,
            without: vec![],
            goodput: vec![],
            cwnd: vec![],
            departs: vec![],
        };
        proposals(&case, &[one], &ChangePlace::ALL.map(|(_, place)| place))
    };
    let names = |candidate: Candidate, name: &str| -> Vec<String> {
        let name_of = |one: Proposal| {
            let paths: BTreeSet<&str> = one.keys.iter().map(|key| key.path.as_str()).collect();
            assert_eq!(
                paths.len(),
                one.keys.len(),
                "an experiment refuses a key that is written twice: {:?}",
                one.keys
            );
            one.name
        };
        all(candidate, name).into_iter().map(name_of).collect()
    };
    let usual = ["bbr", "larger send buffer", "larger receive buffer"];
    let queues = ["queue of one BDP", "AQM at the bottleneck", "AQM that marks (ECN)"];
    let with = |more: &[&'static str]| [&usual[..], more].concat();
    assert_eq!(names(line.clone(), "line"), with(&queues));
    assert_eq!(names(line.clone(), "small queue"), with(&[&["pacing by fq"], &queues[..]].concat()));
    assert_eq!(names(line.with(Mechanism::Loss, &[0.01]), "random loss"), with(&["4 parallel streams"]));
    let policer = names(line.with(Mechanism::Policer, &[5e6, 1e4]), "policer");
    assert_eq!(policer, with(&["shaper below the policer", "pacing by fq"]));
    // If packets of 1000 B and more may vanish, those of 999 B pass.
    let hole = all(line.with(Mechanism::Hole, &[1401.0]), "MTU hole");
    let smaller = hole.iter().find(|one| one.name == "smaller MTU").unwrap();
    let keys: Vec<String> = smaller.keys.iter().map(ToString::to_string).collect();
    assert!(keys.contains(&"\"hosts.sender.route-mtu\" = \"999 B\"".to_owned()), "{keys:?}");
    // Only changes at the sender are allowed.
    let own = proposals(&case, &[], &[ChangePlace::Sender]);
    assert_eq!(own.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), usual[..2]);
}

#[test]
fn connections_side_by_side_are_one_transfer() {
    let two = Trace::of_streams(vec![trace(20e6, 64.0), trace(10e6, 32.0)]).unwrap();
    assert_eq!((two.received, two.bytes[3]), (30e6, 30e6 / 8.0));
    assert_eq!((two.cwnd.unwrap()[0], two.retransmitted.unwrap()[0]), (96.0, 0.0));
}

#[test]
fn an_irreproducible_transfer_predicts_nothing() {
    // No formula of this lab swings from second to second.
    let rates: Vec<f64> = (0..10).map(|n| if n % 2 == 0 { 1.0 } else { 20.0 }).collect();
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&rates)))]), NOTHING).unwrap();
    let verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    assert_eq!((verdict.explanations.len(), verdict.rows.len()), (0, 0));
    let text = page(&verdict, 80);
    assert!(text.contains("Not reproduced") && text.contains("Nearest") && !text.contains("Do: "), "{text}");
}

#[test]
fn hard_evidence_excludes_before_any_trial() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    let excluded: Vec<Mechanism> = verdict.excluded.iter().map(|one| one.kind).collect();
    let lossy = [
        Mechanism::Loss,
        Mechanism::Policer,
        Mechanism::Bursts,
        Mechanism::Reordering,
        Mechanism::Shared,
        Mechanism::Aqm,
    ];
    assert_eq!(
        excluded,
        [&[Mechanism::EarlyExit, Mechanism::Overshoot], &lossy[..], &[Mechanism::Hole, Mechanism::Outage]].concat()
    );
}
