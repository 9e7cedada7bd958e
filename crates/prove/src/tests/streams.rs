//! Several streams as one transfer, totals alone, and two runs of one document.

use super::case::refusal;
use super::*;
use crate::streams::unevenness;
use crate::{Comparison, Measured};
use base::stats::mean;

fn listing(name: &str) -> String {
    let path = format!("{}/../../examples/listings/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

const TEN_MS: Given = Given { rate: None, rtt: Some(0.01) };

/// iperf3 prints 6.21 + 3.99 + 4.03 + 4.52 Mbit/s at the receiver, and 10 + 4 retransmissions in two seconds.
#[test]
fn streams_of_a_listing_are_one_transfer() {
    let text = real("full-streams-0.text");
    let case = Case::from_evidence(&read(&[("x", &text)]), NOTHING).unwrap();
    assert!((case.seen.received / 18.75e6 - 1.0).abs() < 1e-9, "{}", case.seen.received);
    assert_eq!((case.streams, case.instrument.intervals), (4, 12));
    assert_eq!(case.seen.retransmitted.as_ref().unwrap()[..2], [10.0, 4.0]);
    // 60.8 + 3 × 36.8 kB of segments of 1448 B.
    let cwnd = (60.8 + 3.0 * 36.8) * 1024.0 / 1448.0;
    assert!((case.seen.cwnd.as_ref().unwrap()[0] / cwnd - 1.0).abs() < 1e-9);
    // Mean 4.6875, deviations 1.5225, -0.6975, -0.6575, -0.1675: their root mean square is 0.9029.
    let uneven = unevenness(case.seen.each.as_ref().unwrap());
    assert!((uneven - 0.9029 / 4.6875).abs() < 1e-3, "{uneven}");
    let keys: Vec<String> = crate::candidate::common(&case).iter().map(ToString::to_string).collect();
    assert!(keys.contains(&"\"flows.count\" = 4".to_owned()), "{keys:?}");
    // JSON prints the round-trip time of each stream.
    let json = Case::from_evidence(&read(&[("x", &real("full-streams-0.json"))]), NOTHING).unwrap();
    assert!(json.streams == 4 && json.seen.rtt.is_some_and(|rtt| mean(&rtt) > 0.04));
}

#[test]
fn a_window_that_several_streams_share_is_one_of_each() {
    // 5 Mbit/s over 80 ms are 50 kB in flight, 12.5 kB of each of four streams.
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let sizes = |case: &Case| -> Vec<f64> {
        let all = Clues::from_case(case).candidates();
        let windows = all.iter().flat_map(|one| &one.parts).filter(|part| part.kind == Mechanism::ReceiveWindow);
        windows.map(|part| part.values[0]).collect()
    };
    let one = sizes(&case);
    case.streams = 4;
    assert!(!one.is_empty() && one.iter().zip(sizes(&case)).all(|(one, each)| (one / each / 4.0 - 1.0).abs() < 1e-9));
}

#[test]
fn a_sum_alone_needs_the_number_of_its_streams() {
    let sums: String = (0..8)
        .map(|at| format!("[SUM] {at:6.2}-{:<6.2} sec  2.27 MBytes  19.0 Mbits/sec    3\n", at as f64 + 1.0))
        .collect();
    let head = "[ ID] Interval           Transfer     Bitrate         Retr\n";
    let of = |command: &str| format!("{PING}\n$ {command}\n{head}{sums}");
    let case = Case::from_evidence(&read(&[("x", &of("iperf3 -c 10.0.0.2 -t 8 -P 10"))]), NOTHING).unwrap();
    assert_eq!((case.streams, case.seen.each), (10, None));
    assert!((case.seen.received / 19e6 - 1.0).abs() < 0.01, "{}", case.seen.received);
    let said = refusal(&[("x", &of("iperf3 -c 10.0.0.2 -t 8"))], NOTHING);
    assert!(said.contains("not how many they are") && said.contains("-P"), "{said}");
}

/// The same text, with the last two intervals of a stream cut out: it ended 2 s before the others.
#[test]
fn streams_that_end_apart_are_refused_with_the_next_step() {
    let text = real("full-streams-0.text");
    let ends = |line: &&str| {
        !(line.starts_with("[ 11]")
            && ["7.00-", "8.00-", "9.00-", "10.00-", "11.00-"].iter().any(|at| line.contains(at)))
    };
    let text: String = text.lines().filter(ends).map(|line| format!("{line}\n")).collect();
    let said = refusal(&[("x", &text)], NOTHING);
    assert!(said.contains("end up to 5.00 s apart") && said.contains("-P 4"), "{said}");
}

/// Ten streams of 60 s: 48.7 Mbit/s and 24,159 retransmissions with CUBIC; 48.7 and 20,476 with DCTCP.
#[test]
fn two_listings_of_totals_are_one_proof() {
    let (cubic, dctcp) = (listing("rate-cap-cubic"), listing("rate-cap-dctcp"));
    let case = Case::from_evidence(&read(&[("cubic", &cubic), ("dctcp", &dctcp)]), TEN_MS).unwrap();
    assert_eq!((case.streams, case.instrument.total, case.congestion.as_str()), (10, true, "cubic"));
    assert!((case.seen.received / 48.7e6 - 1.0).abs() < 0.01, "{}", case.seen.received);
    let lost = case.seen.counted_again(&case.instrument).unwrap();
    assert!((lost / case.instrument.step / (24_159.0 / 60.02) - 1.0).abs() < 1e-3, "{lost}");
    let [run] = &case.measured[..] else { panic!("{:?}", case.measured) };
    assert_eq!((run.changed.as_slice(), run.retransmitted), (&["dctcp".to_owned()][..], Some(20_476.0)));
    // Receivers print 5.15, 4.37, … 4.86 Mbit/s: 0.2697 of 4.869.
    assert!(run.unevenness.is_some_and(|uneven| (uneven - 0.2697 / 4.869).abs() < 1e-4), "{run:?}");
    let keys: Vec<String> = run.keys.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(keys, ["\"flows.congestion\" = \"dctcp\""]);
    // A kernel without it predicts nothing of that run, and refuses a transfer with it.
    let known = ["cubic".to_owned()];
    assert!(case.clone().with_controls(&known).unwrap().measured[0].keys.is_none());
    assert!(Case { congestion: "dctcp".into(), ..case }.with_controls(&known).is_err());
}

/// 5 Mbit/s in a window of 50,000 B; a run with `-w` of twice as much gets 10 Mbit/s, as the formula says.
#[test]
fn a_second_run_is_predicted_and_compared() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    case.rate = Some(20e6);
    let compared = |case: &Case| -> Comparison {
        let verdict = prove(case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
        assert_same_sentences(case, &verdict);
        verdict.compared.first().unwrap().clone()
    };
    let rmem = crate::settings::largest_buffer(evidence::End::Receiver, 200_000);
    let run = |goodput: f64| Measured {
        place: "y:1".into(),
        changed: vec!["receive buffer of 200 kB".into()],
        goodput,
        keys: Some(vec![rmem.clone()]),
        ..Measured::default()
    };
    case.measured = vec![run(10e6)];
    let right = compared(&case);
    assert_eq!(right.agrees(), Some(true), "{right:?}");
    assert!(right.sentence().starts_with("y:1, with receive buffer of 200 kB: goodput 10.0 Mbit/s, predicted "));
    case.measured = vec![run(6e6)];
    let wrong = compared(&case);
    assert_eq!(wrong.agrees(), Some(false));
    assert!(wrong.sentence().contains(" below the predicted "), "{}", wrong.sentence());
    case.measured = vec![Measured { keys: None, changed: vec!["the other direction".into()], ..run(6e6) }];
    let other = compared(&case);
    assert!(other.agrees().is_none() && other.sentence().contains("Prove that run by itself"), "{}", other.sentence());
    let two = vec!["receive buffer of 200 kB".to_owned(), "cubic".to_owned()];
    case.measured = vec![Measured { changed: two, ..run(10e6) }];
    assert!(compared(&case).sentence().contains("2 things at once"));
}

/// The listing's BBR run: cwnd 8.79 MiB at about 115 Mbit/s over 210 ms, which are 3.02 MB in flight: 3.05 of them.
#[test]
fn bbr_that_never_left_its_startup_ran_out_of_data() {
    let text = listing("hong-kong-new-york");
    let from = text.rfind("Connecting to host").unwrap();
    let bbr = format!("net.ipv4.tcp_congestion_control = bbr\n{}", &text[from..]);
    let case = |rate| Case::from_evidence(&read(&[("bbr", &bbr)]), Given { rate, rtt: Some(0.21) }).unwrap();
    for case in [case(None), case(Some(1e9))] {
        assert_eq!(case.congestion, "bbr");
        let clues = Clues::from_case(&case);
        let told = clues.starved().expect("it did not leave it");
        assert!(told.contains("3.0 times") || told.contains("3.1 times"), "{told}");
        assert!(!clues.allows(&Candidate::line(130e6, 100.0)));
        assert!(clues.allows(&Candidate::line(1e9, 1e4).with(Mechanism::SendBuffer, &[4e6])));
        let kinds: Vec<Mechanism> =
            clues.candidates().iter().flat_map(|one| one.parts.iter().map(|part| part.kind)).collect();
        assert!(kinds.contains(&Mechanism::SendBuffer) && !kinds.contains(&Mechanism::ReceiveWindow), "{kinds:?}");
    }
    let mut cubic = case(None);
    cubic.congestion = "cubic".into();
    assert!(Clues::from_case(&cubic).starved().is_none());
}

/// Six runs of four streams through a relay that loses 0.5 %: 18.8, 22.9, 27.4, 25.6, 20.6 and 21.7 Mbit/s, whose
/// logarithms have a standard deviation of 0.14. A lab whose seeds agree covers as much.
#[test]
fn a_range_under_random_losses_is_as_wide_as_repeats_are() {
    let agreeing = [20e6; 5];
    let beside = crate::forecast::random_losses(&agreeing, 88.0);
    assert!((beside - 0.2f64.hypot(0.5 / 88f64.sqrt())).abs() < 1e-12, "{beside}");
    let [low, high] = crate::forecast::next_run(&agreeing, beside);
    let repeats = [18.8, 22.9, 27.35, 25.56, 20.55, 21.73];
    assert!(repeats.iter().filter(|rate| (low..=high).contains(&(**rate * 1e6))).count() >= 5, "{low} {high}");
    assert!(high / low < 3.0, "{low} {high}");
    // Seeds that differ more leave the floor.
    let apart = [10e6, 20e6, 40e6];
    assert!(crate::forecast::random_losses(&apart, 1e6) < 0.03);
}

/// Two paths that fit predict 20 and 80 Mbit/s, and seeds differ by 10 %; the transfer got 40. Between the logarithms of 20
/// and 80 there is ln 4, so their deviation is ln 2; the weight is 0.48 / 0.49.
#[test]
fn the_transfer_tells_which_of_the_paths_that_fit_is_near() {
    let seeds = |rate: f64| [rate * 0.9, rate / 0.9];
    let (slow, fast) = (seeds(20e6), seeds(80e6));
    let drawn = |seen: f64| crate::forecast::Drawn::new(seen, &[20e6, 80e6], [&slow[..], &fast[..]].into_iter());
    let weight = 2f64.ln().powi(2) / (2f64.ln().powi(2) + 0.9f64.ln().powi(2));
    let [low, high] = drawn(40e6).range([16e6, 25e6], 20e6);
    let moved = 20e6 * 2f64.powf(weight);
    assert!((low / (moved * 0.8f64.powf((1.0 + weight).sqrt())) - 1.0).abs() < 1e-9, "{low}");
    assert!((high / (moved * 1.25f64.powf((1.0 + weight).sqrt())) - 1.0).abs() < 1e-9, "{high}");
    // Paths that agree keep their ranges.
    let same = crate::forecast::Drawn::new(40e6, &[20e6, 20e6], [&slow[..], &slow[..]].into_iter());
    assert_eq!(same.range([16e6, 25e6], 20e6), [16e6, 25e6]);
}
