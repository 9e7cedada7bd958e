//! Reading a transfer from evidence, and refusals.

use super::queue::design;
use super::*;

pub(super) fn refusal(texts: &[(&str, &str)], given: Given) -> String {
    let Refusal { why, hint } = Case::from_evidence(&read(texts), given).unwrap_err();
    format!("{why} / {hint}")
}

/// Lengths and goodput, as a loop over `iperf -M` writes them.
const LOOP: &str = "2200 214478\n2250 214478\n2300 150\n2350 150\n2400 150\n2450 214478\n";

#[test]
fn evidence_beyond_the_transfer_is_noted() {
    let notes = |texts: &[(&str, &str)], given| Case::from_evidence(&read(texts), given).unwrap().notes.join(" ");
    let rtt = Given { rtt: Some(0.08), rate: None };
    let one = iperf3(&[5.0; 10]);
    assert_eq!(notes(&[("x", &one)], rtt), "");
    // Another file's transfer is not explained, but is listed with its goodput.
    let two = notes(&[("x", &one), ("y", &iperf3(&[7.0; 10]))], rtt);
    assert!(two.contains("Of 2 transfers one is explained, x:") && two.contains("y:1: 7.00 Mbit/s"), "{two}");
    let six = one.replace("10.0.0.2", "2001:db8::2").replace("10.0.0.1", "2001:db8::1");
    let six = format!("$ iperf3 -c 2001:db8::2\n{six}");
    assert_eq!(Case::from_evidence(&read(&[("x", &six)]), rtt).unwrap().ip, Ip::V6);
    // 100 Gbit/s is more than the lab simulates in a minute: the link is taken as slower, and gains have no upper end.
    let fast = Given { rate: Some(100e9), ..rtt };
    assert!(
        notes(&[("x", &one)], fast).contains("The line carries 100 Gbit/s; the laboratory shows it as 2.00 Gbit/s")
    );
    let case = Case::from_evidence(&read(&[("x", &one)]), fast).unwrap();
    assert_eq!((case.rate, case.faster), (Some(2e9), true));
    // A ping of another path: 280 ms, more than the RTT that the transfer itself counted.
    let other = PING.replace("80.", "280.");
    let json = real("rmem-0.json");
    let seen = notes(&[("x", &json[json.find("\n{").unwrap()..]), ("ping", &other)], NOTHING);
    assert!(seen.contains("The ping took 280 ms at least") && seen.contains("not of this path"), "{seen}");
}

/// iperf3 through tc's tbf at 20 Mbit/s in namespaces, on a line that was sold as 100 Mbit/s.
#[test]
fn link_rate_is_searched_if_a_queue_stands_at_a_lower_rate() {
    let text = include_str!("../../../../goodput/tests/it/diagnose/short/shaper.ss");
    let case =
        |rate| Case::from_evidence(&read(&[("x", text)]), Given { rtt: Some(100e-6), rate: Some(rate) }).unwrap();
    let sold = case(100e6);
    assert_eq!(sold.rate, None, "{:?}", sold.diagnosed);
    assert!(sold.notes.join(" ").contains("Something on the path carries less than 100 Mbit/s"), "{:?}", sold.notes);
    // Full: tbf counts 1514 B of a frame, the lab 1538.
    let full = case(20e6).rate.unwrap();
    assert!((1.0..1538.0 / 1514.0 + 0.001).contains(&(full / 20e6)), "{full}");
}

/// iperf3 3.1 with `-O 3`, whose timer fired before that of the intervals.
#[test]
fn an_unprinted_omitted_interval_equals_its_neighbours() {
    let interval = |start: f64, end: f64, seconds: f64, megabytes: f64, omitted: bool| {
        format!(
            r#"{{"streams":[{{"socket":5,"start":{start},"end":{end},"seconds":{seconds},"bytes":{},"bits_per_second":1,
            "retransmits":5,"snd_cwnd":982784,"rtt":4073,"rttvar":185,"omitted":{omitted}}}]}}"#,
            megabytes * 1e6
        )
    };
    let mut all = vec![
        interval(0.0, 1.000085, 1.000085, 20.0, true),
        interval(1.000085, 2.000083, 0.999998, 22.0, true),
        interval(1.000001, 1.000107, 2.000108, 24.0, false),
    ];
    all.extend((1..10).map(|at| interval(f64::from(at), f64::from(at) + 1.0, 1.0, 24.0, false)));
    let text = format!(
        r#"{{"start":{{"connected":[{{"socket":5,"local_host":"10.0.0.1","local_port":1,"remote_host":"10.0.0.2",
        "remote_port":5201}}],"test_start":{{"protocol":"TCP","num_streams":1,"blksize":131072,"omit":3,"duration":10,
        "reverse":0}}}},"intervals":[{}],"end":{{}}}}"#,
        all.join(",")
    );
    let case = Case::from_evidence(&read(&[("x", &text)]), Given { rtt: Some(0.004), rate: None }).unwrap();
    assert_eq!(case.seen.bytes[..4], [20e6, 22e6, 23e6, 24e6]);
    assert_eq!((case.seen.bytes.len(), case.instrument.omitted.round()), (13, 3.0));
    assert!(case.notes.concat().contains("did not print the last interval that -O leaves out"), "{:?}", case.notes);
}

/// 1,428 B of payload, 12 of timestamps, 20 of TCP and 40 of IPv6 make an MTU of 1,500 B; IPv6 has no MTU below 1,280.
#[test]
fn a_transfer_over_ipv6_is_tried_over_ipv6() {
    let six = iperf3(&[5.0; 10]).replace("10.0.0.2", "2001:db8::2").replace("10.0.0.1", "2001:db8::1");
    let mut case = Case::from_evidence(&read(&[("x", &six)]), Given { rtt: Some(0.08), rate: None }).unwrap();
    assert_eq!((case.ip, case.instrument.mss), (Ip::V6, 1428.0));
    let mut text = |mss: f64| {
        case.instrument.mss = mss;
        let cases = [("now".to_owned(), vec![])];
        let base = Candidate::line(20e6, 100.0);
        let text = design(&case, &base, &cases, Beside::Ping).text();
        let plan = experiment::plan("x.toml", &text, &[]);
        assert!(plan.is_ok(), "{:?}", plan.err());
        text
    };
    let full = text(1428.0);
    assert!(full.contains("family   = \"ipv6\"\n") && !full.contains("mtu"), "{full}");
    assert!(text(1208.0).contains("mtu = \"1280 B\""));
    assert!(!text(1200.0).contains("mtu"));
}

#[test]
fn another_kernel_than_the_sender_s_is_named() {
    let told = |text: &str| other_kernel(&read(&[("x", text)]), System::Linux, "7.3.4");
    let said = told("Linux host 6.8.0-55-generic #57-Ubuntu SMP x86_64 GNU/Linux\n");
    assert!(said.as_ref().is_some_and(|said| said.contains("6.8.0-55-generic; trials run Linux 7.3.4")), "{said:?}");
    assert_eq!(told("Linux host 7.3.9 #1 SMP x86_64 GNU/Linux\n"), None);
    assert_eq!(told(&iperf3(&[5.0; 10])), None);
    let freebsd = read(&[("x", "FreeBSD 14.2-RELEASE\nnet.inet.tcp.recvbuf_max: 2097152\n")]);
    let said = other_kernel(&freebsd, System::FreeBsd, "13.0").unwrap_or_default();
    assert!(said.contains("The sender ran FreeBSD 14.2-RELEASE; trials run FreeBSD 13.0"), "{said}");
}

#[test]
fn evidence_too_thin_to_reproduce_is_refused_with_a_next_step() {
    let listing = |name: &str| {
        let path = format!("{}/../../examples/listings/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    let rtt = Given { rtt: Some(0.08), rate: None };
    let one = iperf3(&[5.0; 10]);
    type Texts<'t> = &'t [(&'t str, &'t str)];
    let cases: &[(Texts, Given, &str)] = &[
        (&[("x", "net.ipv4.tcp_rmem = 4096 131072 6291456\n")], rtt, "nothing in it tells of a TCP transfer"),
        (&[("x", &one)], NOTHING, "nothing tells the round-trip time"),
        (&[("x", &iperf3(&[5.0; 3]))], rtt, "3 intervals, and at least 5"),
        (&[("x", &iperf3(&[90_000.0; 10]))], rtt, "more than the laboratory can show"),
        (&[("x", &one)], Given { rate: Some(4e6), ..rtt }, "over a line that is said to carry 4.00 Mbit/s"),
        // 5 Mbit/s over 0.5 s are 312 kB, and 64 segments are 92.7 kB.
        (
            &[("x", &one)],
            Given { rtt: Some(0.5), rate: None },
            "takes 312 kB in flight, and x:1 counted a cwnd of 92.7 kB",
        ),
        (&[("x", &real("rmem-0.json"))], Given { rtt: Some(0.5), rate: None }, "less than the 500 ms"),
        (&[("rate-cap-cubic", &listing("rate-cap-cubic"))], NOTHING, "nothing tells the round-trip time"),
        (&[("loop-Kbytes", LOOP)], rtt, "a sweep over lengths has a total for each"),
    ];
    for (texts, given, why) in cases {
        let told = refusal(texts, *given);
        assert!(told.contains(why), "{why}: {told}");
    }
}

#[test]
fn the_first_transfer_of_a_document_is_explained() {
    let path = format!("{}/../../examples/listings/hong-kong-new-york.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let case = Case::from_evidence(&read(&[("hk", &text)]), HONG_KONG).unwrap();
    assert_eq!((case.rate, case.rtt, case.congestion.as_str()), (Some(1e9), 0.21, "cubic"));
    assert!(case.notes.iter().any(|note| note.contains("Of 2 transfers one is explained, hk:2.")), "{:?}", case.notes);
    // Its iperf3 counts in steps of 1.25 MB, as the listing shows: 7.50, 8.75, 10.0, 11.2 MBytes.
    assert_eq!((case.instrument.block, case.instrument.intervals), (1_310_720.0, 30));
    assert_eq!(case.wmem, Some(4_194_304));
    assert_eq!(case.rmem, None, "the settings are of the end that printed");
}

#[test]
fn a_senders_pace_is_proposed_only_with_evidence() {
    let read = |text: &str| Case::from_evidence(&read(&[("x", &(PING.to_owned() + text))]), NOTHING).unwrap();
    let is_out = |case: &Case, kind: Mechanism| Clues::from_case(case).excluded().iter().any(|one| one.kind == kind);
    // 5.37 Mbit/s over 80 ms are 37 segments of the 64 that cwnd allows: a window or a slow reader may limit it.
    let mut case = read(&iperf3(&[5.37; 10]));
    assert!(is_out(&case, Mechanism::Pace) && !is_out(&case, Mechanism::Reader));
    case.idle = Some("the sender was busy for 60.0 % of the time".into());
    assert!(!is_out(&case, Mechanism::Pace));
    // The rate given to -b is a round figure, and iperf3's text does not print it.
    assert!(!is_out(&read(&iperf3(&[5.0; 10])), Mechanism::Pace));
    // A transfer that gets the rate of -b needs no slow reader as well; one that gets less may.
    for (target, slow) in [(5.4e6, false), (8e6, true)] {
        case.target = Some(target);
        assert_eq!(is_out(&case, Mechanism::Reader), !slow, "{target}");
    }
    // 9.0 Mbit/s are 62 of the 64.
    let full = read(&iperf3(&[9.0; 10]));
    assert!(is_out(&full, Mechanism::Pace) && is_out(&full, Mechanism::Reader));
}

#[test]
fn an_ss_series_is_the_transfers_not_the_control_connections() {
    let path = format!("{}/../../goodput/tests/it/diagnose/real/rmem-0.ss", env!("CARGO_MANIFEST_DIR"));
    let case = Case::from_evidence(&read(&[("ss", &std::fs::read_to_string(path).unwrap())]), NOTHING).unwrap();
    // 52.6 kB each 80 ms, as the listing's own window and RTT say.
    assert!((case.seen.received / (52_600.0 * 8.0 / 0.08) - 1.0).abs() < 0.1, "{}", case.seen.received);
    assert!(case.notes.iter().all(|note| !note.contains("transfers")), "{:?}", case.notes);
    // The first snapshot came in slow start, and is joined with the second.
    let times = case.instrument.first.map(|first| first / case.instrument.step);
    assert!(times.is_some_and(|times| (1.0..2.0).contains(&times)), "{:?}", case.instrument);
}

#[test]
fn a_capture_is_a_transfer_in_even_intervals() {
    let capture = |name: &str| {
        let path = format!("{}/../../goodput/tests/captures/{name}.pcap", env!("CARGO_MANIFEST_DIR"));
        analysis::sources::evidence(&[path.into()]).unwrap().pop().unwrap().found
    };
    // Each capture lasts some seconds, with stretches without packets.
    for name in ["loss-2-percent", "policer-10-mbit", "shaper-100-kb", "policer-and-outage"] {
        let found = capture(name);
        let case = Case::from_evidence(&found, NOTHING).unwrap_or_else(|refusal| panic!("{name}: {}", refusal.why));
        let (seen, step) = (&case.seen, case.instrument.step);
        let carried = seen.bytes.iter().sum::<f64>();
        let counted = found.connections.iter().filter_map(|one| one.bytes).fold(0.0, f64::max);
        assert!(seen.bytes.len() <= 30 && step >= 0.1, "{name}: {} of {step}", seen.bytes.len());
        assert!((0.8..=1.0).contains(&(carried / counted)), "{name}: {carried} of {counted} B");
        assert!((seen.received * case.instrument.seconds() / 8.0 / carried - 1.0).abs() < 1e-9, "{name}");
        assert!(seen.retransmitted.is_some() && seen.cwnd.is_none(), "{name}");
    }
}

/// cwnd of a transfer of 13 s from London to Tokyo, kB: 11 segments are lost when it reaches 2.87 MB, and CUBIC climbs
/// back to that from 0.7 of it (RFC 9438, 4.6).
#[test]
fn slow_start_end_is_tried_at_the_cwnd_of_its_loss() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 13])))]), NOTHING).unwrap();
    let kilobytes =
        [228, 2869, 534, 2135, 2339, 2473, 2585, 2687, 2752, 2806, 2836, 2857, 2866].map(|kb| f64::from(kb) * 1e3);
    case.seen.cwnd = Some(kilobytes.map(|bytes| bytes / case.instrument.mss).into());
    case.seen.rtt = Some(vec![0.225; 13]);
    case.seen.bytes = vec![95e6 / 8.0; 13];
    case.rtt = 0.225;
    let tried = |case: &Case, lost: [f64; 13]| -> Option<Vec<f64>> {
        let case = Case { seen: Trace { retransmitted: Some(lost.into()), ..case.seen.clone() }, ..case.clone() };
        let all = Clues::from_case(&case).candidates();
        all.iter()
            .flat_map(|one| &one.parts)
            .find(|part| part.kind == Mechanism::Overshoot)
            .map(|part| part.values.clone())
    };
    let mut lost = [0.0; 13];
    assert_eq!(tried(&case, lost), None, "nothing is lost");
    lost[2] = 11.0;
    assert_eq!(tried(&case, lost), Some(vec![2_869_000.0, 11.0]));
    lost[9] = 1.0;
    assert_eq!(tried(&case, lost), Some(vec![2_869_000.0, 11.0]), "cwnd stays");
    case.seen.cwnd.iter_mut().flatten().skip(10).for_each(|cwnd| *cwnd *= 0.7);
    assert_eq!(tried(&case, lost), None, "it falls again");
}

#[test]
fn an_outage_begins_where_the_transfer_stops() {
    // 5 Mbit/s: half a second of it in the fifth interval, nothing in two, and half a second in the eighth.
    let rates = [5.0, 5.0, 5.0, 5.0, 2.5, 0.0, 0.0, 2.5, 5.0, 5.0];
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&rates)))]), NOTHING).unwrap();
    let all = Clues::from_case(&case).candidates();
    let outage = all.iter().find(|one| one.has(Mechanism::Outage)).expect("it stood still");
    let [at, length] = [outage.parts[0].values[0], outage.parts[0].values[1]];
    assert!((at - 4.58).abs() < 0.02 && (length - 0.9 * 3.0).abs() < 0.02, "{at} {length}");
    assert!(outage.keys().iter().any(|key| key.literal().starts_with("[{ at = \"")), "{:?}", outage.keys());
    // A real outage of 3 s, 4 s after the start; iperf3's data flows 0.3 s and four round trips of 40 ms after it.
    let real = Case::from_evidence(&read(&[("x", &real("outage-0.json"))]), NOTHING).unwrap();
    let all = Clues::from_case(&real).candidates();
    let outage = all.iter().find(|one| one.has(Mechanism::Outage)).expect("it stood still");
    assert!((outage.parts[0].values[0] - 3.54).abs() < 0.1, "{outage:?}");
    let steady = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    assert!(Clues::from_case(&steady).candidates().iter().all(|one| !one.has(Mechanism::Outage)));
}

/// iperf3 3.12 through a relay of 50 Mbit/s and 20 ms each way, in namespaces: it prints 47.1 Mbit/s at the receiver, of
/// what came after the first three seconds.
#[test]
fn what_a_listing_prints_after_omitted_seconds_is_the_figure() {
    let text = include_str!("omitted.text");
    let case = Case::from_evidence(&read(&[("x", text)]), Given { rtt: Some(0.04), rate: None }).unwrap();
    let Instrument { intervals, omitted, sent, .. } = case.instrument;
    assert_eq!((case.seen.received, intervals, omitted, sent), (47.1e6, 13, 3.0, false));
    assert_eq!(case.figure(), "what arrived in 10.0 s, without the first 3.00 s (-O)");
    // 188 segments were retransmitted in the omitted seconds, and two later.
    assert_eq!(case.seen.counted_again(&case.instrument), Some(2.0));
    // The sender's total has what it wrote, if the receiver's is missing.
    let lines = text.lines().filter(|line| !line.ends_with("receiver"));
    let sender: String = lines.map(|line| format!("{line}\n")).collect();
    let case = Case::from_evidence(&read(&[("x", &sender)]), Given { rtt: Some(0.04), rate: None }).unwrap();
    assert_eq!((case.seen.received, case.instrument.sent), (47.6e6, true));
}

/// A minute at 5 Mbit/s, then one at 15: the mean of the first 30 s is not what iperf3 prints.
#[test]
fn a_long_run_is_compared_as_a_whole() {
    let rates: Vec<f64> = (0..120).map(|second| if second < 60 { 5.0 } else { 15.0 }).collect();
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&rates)))]), NOTHING).unwrap();
    assert_eq!((case.instrument.step, case.instrument.intervals), (4.0, 30));
    assert!((case.seen.received / 10e6 - 1.0).abs() < 1e-6 && case.instrument.seconds() == 120.0);
    assert!((case.seen.bytes[0] / (4.0 * 5e6 / 8.0) - 1.0).abs() < 0.01, "{}", case.seen.bytes[0]);
    assert!(case.notes.iter().all(|note| !note.contains("Only the first")), "{:?}", case.notes);
    // 100 times as much is more than the lab runs in a trial.
    let fast: Vec<f64> = rates.iter().map(|rate| 100.0 * rate).collect();
    let case = Case::from_evidence(
        &read(&[("x", &(PING.to_owned() + &iperf3(&fast)))]),
        Given { rtt: Some(0.001), rate: None },
    )
    .unwrap();
    assert!(case.notes.iter().any(|note| note.contains("Only the first")) && case.instrument.sent);
}

/// Founding document 004: the host's run comes first, and its jail gets 66 times less.
#[test]
fn a_run_that_is_far_slower_is_the_one_to_explain() {
    let mut evidence = evidence::Evidence::default();
    let listing = include_bytes!("../../../../examples/listings/lro-jail.txt");
    evidence::import::read("jail", listing, &mut evidence);
    let case = Case::from_evidence(&evidence, Given { rate: Some(100e6), rtt: Some(0.02) }).unwrap();
    assert!(case.name.starts_with("jail:21"), "{}", case.name);
    assert_eq!((case.streams, case.seen.received.round()), (2, 1_398_000.0));
    assert!(case.notes[0].starts_with("Of 2 transfers one is explained, jail:21."), "{:?}", case.notes);
    assert!(case.instrument.total);
}

#[test]
fn a_line_that_carries_more_payload_than_the_labs_is_as_fast_as_it_must_be() {
    // 95 of 100 Mbit/s, as without timestamps: 1460 of 1538 bytes. In the lab it takes 95 x 1538 / 1448.
    let given = Given { rate: Some(100e6), rtt: Some(0.001) };
    let case = |rate: f64| Case::from_evidence(&read(&[("x", &iperf3(&[rate; 10]))]), given).unwrap();
    let full = case(94.9);
    let rate = full.rate.unwrap();
    assert!((rate / (94.9e6 * 1538.0 / 1448.0) - 1.0).abs() < 0.01, "{rate}");
    assert!(full.notes.iter().any(|note| note.contains("it stands for 100 Mbit/s")), "{:?}", full.notes);
    assert_eq!(case(50.0).rate, Some(100e6));
}
