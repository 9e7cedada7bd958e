//! The queue of a link, and the sentences about it.

use super::super::allowed_changes::proposals;
use super::super::change::{LINK_LIMIT, combined, with_larger_buffers};
use super::super::explain::INTERVAL_END_RATIO;
use super::super::neighbours::{mechanism_neighbours, neighbours};
use super::super::row::Effect;
use super::super::search::criterion;
use super::super::{Beside, ChangeRow};
use super::*;
use diagnosis::remedy::Change;
use diagnosis::remedy::lab::Key;

#[test]
fn an_explaining_mechanism_is_not_listed_as_ruled_out() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    case.target = Some(5e6);
    let mut verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    let ruled_out = |verdict: &Verdict| {
        let text = page(verdict, 80).split_whitespace().collect::<Vec<_>>().join(" ");
        let from = text.find("Ruled out: ").expect("mechanisms are ruled out");
        let told = text[from..].split_once(". ").map_or("", |(told, _)| told).to_owned();
        assert_eq!(told.contains("pace of the sending program"), report(&case, verdict).contains("it is known"));
        told
    };
    assert!(ruled_out(&verdict).contains("pace of the sending program (it is known"));
    verdict.explanations[0].name = "pace of the sending program".into();
    let told = ruled_out(&verdict);
    assert!(!told.contains("pace of the sending program"), "{told}");
    // Each reason is given once, with all mechanisms that it rules out.
    assert!(
        told.contains("random loss, policer, burst loss, reordering") && told.matches("nothing was retr").count() < 3,
        "{told}"
    );
}

#[test]
fn a_line_that_others_use_is_as_fast_as_all_of_them() {
    let of = |rates: &[f64], given: Given| {
        Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(rates)))]), given).unwrap()
    };
    let is_out = |case: &Case| Clues::from_case(case).excluded().into_iter().find(|one| one.kind == Mechanism::Shared);
    let mut case = of(&[5.0; 10], NOTHING);
    assert!(is_out(&case).is_some_and(|one| one.why == "nothing was retransmitted"));
    case.seen.retransmitted = Some(vec![3.0; 10]);
    assert_eq!(is_out(&case), None);
    let shared = |case: &Case| -> Vec<Candidate> {
        Clues::from_case(case).candidates().into_iter().filter(|one| one.has(Mechanism::Shared)).collect()
    };
    // Two and four equal flows, each with 5 Mbit/s of payload.
    let rates: Vec<f64> = shared(&case).iter().map(|one| (one.rate * PAYLOAD_SHARE / 5e6).round()).collect();
    assert!(rates.iter().all(|flows| [2.0, 4.0].contains(flows)) && rates.contains(&4.0), "{rates:?}");
    // A late flow has less than its share: three competing flows on 21.1 Mbit/s left 0.82 to 2.87 Mbit/s of 4.97.
    let mut late = of(&[0.82, 0.67, 1.05, 1.2, 1.41, 1.32, 2.47, 2.61, 2.13, 2.87], NOTHING);
    late.seen.retransmitted = Some(vec![1.0; 10]);
    let reach = shared(&late).iter().map(|one| one.rate).fold(0.0, f64::max);
    assert!((18e6..24e6).contains(&reach), "{reach}");
    // A link of 53.1 Mbit/s carries ten times 5 Mbit/s, with 1448 B of payload in 1538.
    let known = Case { rate: Some(50e6 / PAYLOAD_SHARE), ..case.clone() };
    assert_eq!(shared(&known)[0].parts[0].values, [9.0]);
    assert!(shared(&known).iter().all(|one| one.rate == 50e6 / PAYLOAD_SHARE));
    // One flow more or less implies another link rate, if the rate is unknown.
    let one = Candidate::line(10e6, 100.0).with(Mechanism::Shared, &[1.0]);
    let beside = mechanism_neighbours(&one, 1.1, &case);
    assert_eq!((beside[0].parts[0].values[0], beside[0].rate), (2.0, 15e6));
    assert_eq!((beside[1].parts[0].values[0], mechanism_neighbours(&one, 1.1, &known)[0].rate), (1.0, 10e6));
    // An RTT that stays at that of the idle path leaves no room for a queue.
    case.seen.rtt = Some(vec![0.0805; 10]);
    assert!(is_out(&case).is_some_and(|one| one.why.starts_with("no queue stood")));
}

/// Returns an experiment of one seed.
pub fn design<'d>(case: &'d Case, base: &'d Candidate, cases: &'d [(String, Vec<Key>)], beside: Beside) -> Design<'d> {
    Design {
        case,
        title: "x".into(),
        question: String::new(),
        base,
        axis: "remedy",
        cases,
        seeds: 1,
        first: 1,
        predicted: vec![],
        beside,
    }
}

#[test]
fn competing_flows_start_earlier_and_are_not_counted() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let base = Candidate::line(20e6, 100.0).with(Mechanism::Shared, &[3.0]);
    let cases = [("one".to_owned(), vec![Key::new("flows.count", 4), Key::new("neighbour.congestion", "reno")])];
    let design = |beside: Beside| design(&case, &base, &cases, beside);
    let text = design(Beside::Neighbour).text();
    let flows: Vec<&str> = text.split("[[flows]]\n").skip(1).collect();
    assert_eq!(flows.len(), 4, "a ping, a neighbour, the others, the transfer: {text}");
    // Competing flows start 20 round trips of 80 ms earlier, and last as long as the transfer.
    let [before, until] = [1600.0, 1600.0 + 10e3 + 100.0 + 240.0];
    assert!(
        flows[2].starts_with("count = 3\n") && flows[2].contains(&format!("duration = \"{until:.0} ms\"")),
        "{text}"
    );
    let start = format!("start = \"{before:.0} ms\"");
    assert!([0, 1, 3].iter().all(|at| flows[*at].contains(&start)) && !flows[2].contains("start"), "{text}");
    assert!(text.contains("\"flows.3.count\" = 4\n\"flows.1.congestion\" = \"reno\""), "{text}");
    assert!(design(Beside::Ping).text().contains("\"flows.2.count\" = 4"));
    assert_eq!((design(Beside::Ping).others(), text.contains("others.count")), (3, false));
    let scene = experiment::plan("x.toml", &design(Beside::Neighbour).text(), &[]);
    assert!(scene.is_ok(), "{:?}", scene.err());
}

/// `ss` of a newer kernel leaves "ecn" out.
#[test]
fn marks_that_were_counted_tell_of_ecn() {
    let ss = |marks: u64| -> String {
        let snapshot = |at: u64| {
            let (sent, segments) = (at * 1_000_000, at * 690);
            format!(
                "State Recv-Q Send-Q Local Address:Port Peer Address:PortProcess\nESTAB 0 389512 10.0.0.1:51692 \
                 10.0.0.2:5201\n\t cubic wscale:10,10 rtt:93.586/0.454 mss:1448 cwnd:77 \
                 bytes_sent:{sent} bytes_acked:{sent} segs_out:{segments} data_segs_out:{segments} \
                 delivered:{segments} delivered_ce:{} lastsnd:1 lastrcv:{at}000 lastack:1 busy:{at}000ms \
                 minrtt:91.142 snd_wnd:753664\n",
                marks * at
            )
        };
        (1..9).map(snapshot).collect()
    };
    let of = |marks: u64| Case::from_evidence(&read(&[("x", &(PING.to_owned() + &ss(marks)))]), NOTHING).unwrap().ecn;
    assert_eq!([0, 40].map(of), [false, true]);
}

#[test]
fn a_window_that_falls_without_a_loss_was_told_by_marks() {
    // CUBIC's window falls to 0.7 at each mark: 90.5 kB, 65, 72, 79, …
    let kbytes = [90.5, 65.0, 72.0, 79.0, 86.0, 62.0, 69.0, 76.0, 83.0, 60.0];
    let steady = iperf3(&[5.0; 10]);
    let mut lines: Vec<String> = steady.lines().map(str::to_owned).collect();
    let cwnds = kbytes.iter();
    lines.iter_mut().filter(|line| line.contains("KBytes")).zip(cwnds).for_each(|(line, cwnd)| {
        *line = line.replace("90.5", &format!("{cwnd:.1}"));
    });
    let of = |text: &str| Case::from_evidence(&read(&[("x", &(PING.to_owned() + text))]), NOTHING).unwrap();
    let (falls, steady) = (of(&lines.join("\n")), of(&steady));
    let is_out = |case: &Case| Clues::from_case(case).excluded().into_iter().find(|one| one.kind == Mechanism::Aqm);
    assert_eq!((falls.ecn, is_out(&falls)), (true, None));
    assert!(!steady.ecn && is_out(&steady).is_some_and(|one| one.why == "nothing was lost that lowered cwnd"));
    // A queue of 200 ms has no AQM.
    let deep = Case { seen: Trace { rtt: Some(vec![0.28; 10]), ..falls.seen.clone() }, ..falls.clone() };
    assert!(is_out(&deep).is_some_and(|one| one.why == "packets waited for 200 ms"));
    // Both hosts then have ECN on in every candidate, and the queue marks.
    let keys = |case: &Case| super::super::candidate::common(case).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(
        keys(&falls).contains(&"\"hosts.receiver.ecn\" = true".to_owned()) && !keys(&steady).join("").contains("ecn")
    );
    let aqm = Candidate::line(20e6, 3.0).with(Mechanism::Aqm, &[0.005]);
    let told = aqm.keys().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(
        told.contains("ecn = true") && told.contains("target = \"5000 us\"") && told.contains("10240 packets"),
        "{told}"
    );
}

#[test]
fn a_device_has_one_qdisc_at_its_root() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    let policer = Explanation {
        name: "policer".into(),
        candidate: Candidate::line(20e6, 100.0).with(Mechanism::Policer, &[5e6, 1e4]),
        ..verdict.explanations[0].clone()
    };
    let all = proposals(&case, &[policer], &ChangePlace::ALL.map(|(_, place)| place));
    let rows: Vec<ChangeRow> = [verdict.rows[0].clone()]
        .into_iter()
        .chain(all.iter().map(|one| ChangeRow { name: one.name.clone(), ..verdict.rows[1].clone() }))
        .collect();
    for together in combined(&rows, &all) {
        let roots = together.remedies.iter().filter(|one| matches!(one.change, Change::Qdisc { .. })).count();
        assert!(
            together.name.contains("shaper") && !together.name.contains("pacing") && roots == 1,
            "{}",
            together.name
        );
    }
}

#[test]
fn a_buffer_that_may_limit_a_change_is_enlarged_with_it() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    let row = |name: &str, next: &str, gain: f64, latency: f64| ChangeRow {
        name: name.into(),
        effects: vec![Effect { next: next.into(), gain, latency, ..verdict.rows[1].effects[0].clone() }],
        ..verdict.rows[1].clone()
    };
    let of = |next: &str, gain: f64, latency: f64| {
        let more = ["bbr + larger receive buffer", "larger send buffer + bbr", "bbr + pacing"];
        let more = more.map(|name| row(name, LINK_LIMIT, gain, latency));
        with_larger_buffers(&[vec![row("bbr", next, 2.0, 1.0)], more.to_vec()].concat())
    };
    assert_eq!(of("the receive window", 2.0, 1.2), Some(1));
    assert_eq!(of("the send buffer", 2.0, 1.2), Some(2));
    assert_eq!(of(LINK_LIMIT, 2.0, 1.2), None, "nothing says that a buffer holds it back");
    assert_eq!(of("the receive window", 1.8, 1.2), None, "less goodput");
    assert_eq!(of("the receive window", 2.0, 1.6), None, "a longer queue");
}

/// Output of the real iperf3 -J in the guest over 90 ms: cwnd in segments and RTT in ms, at the ends of ten seconds.
/// With three competing CUBIC flows on 21.1 Mbit/s it carried 0.947 Mbit/s, and alone on 3.9 Mbit/s it carried 3.61.
#[test]
fn a_share_drifts_and_a_line_of_its_own_does_not() {
    const SHARED_LINE: [[f64; 10]; 2] = [
        [7.0, 10.0, 12.0, 16.0, 18.0, 16.0, 15.0, 19.0, 19.0, 23.0],
        [155.0, 167.0, 171.0, 181.0, 189.0, 171.0, 154.0, 159.0, 173.0, 181.0],
    ];
    const OWN_LINE: [[f64; 10]; 2] = [
        [49.0, 51.0, 53.0, 53.0, 56.0, 57.0, 51.0, 57.0, 45.0, 55.0],
        [182.0, 156.0, 167.0, 167.0, 175.0, 182.0, 156.0, 177.0, 135.0, 167.0],
    ];
    let of = |[cwnd, rtt]: [[f64; 10]; 2]| Trace {
        cwnd: Some(cwnd.to_vec()),
        rtt: Some(rtt.iter().map(|ms| ms / 1e3).collect()),
        ..trace(4e6, 1.0)
    };
    // A full link without competing flows: RTT is the data in flight over its rate.
    let line = |at: usize| of([OWN_LINE[0], OWN_LINE[0].map(|cwnd| (cwnd + at as f64) / 0.32)]);
    let off = |seen: &Trace| {
        let fit = distance(seen, &(0..6).map(line).collect::<Vec<_>>(), &Scale { rtt: 0.09, ..SCALE }).unwrap();
        fit.z.iter().find(|(name, _)| name == "variation of cwnd over RTT").unwrap().1
    };
    let [shared, own] = [SHARED_LINE, OWN_LINE].map(|seen| off(&of(seen)));
    assert!(shared > 3.0 && own.abs() < 1.0, "{shared} {own}");
}

#[test]
fn a_prediction_spans_the_rates_that_were_not_told_apart() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    assert!(verdict.rows[0].effects.iter().all(|effect| effect.line == [1.0, 1.0]), "what it is now was seen");
    let changed = || verdict.rows[1..].iter().flat_map(|row| &row.effects);
    for effect in changed() {
        let scenarios = &verdict.explanations[effect.explanation].scenarios;
        let rate = scenarios.iter().find(|one| one.assumes == effect.assumes).unwrap().candidate.rate;
        let is_full = effect.goodput[0] > 0.85 * PAYLOAD_SHARE * rate;
        assert_eq!(effect.line[1], if is_full { INTERVAL_END_RATIO } else { 1.0 }, "{effect:?} on {rate}");
        // A link carries at least the measured goodput.
        assert!(effect.line[0] * rate * PAYLOAD_SHARE > 0.999 * 5e6 || !is_full, "{effect:?} on {rate}");
    }
    assert!(changed().any(|effect| effect.line[1] > 1.0));
    let row = ChangeRow { open: false, ..verdict.rows[1].clone() };
    let most = row.effects.iter().map(|effect| effect.goodput[0] * effect.line[1]).fold(0.0, f64::max);
    // Nothing is random here, and real runs differ by 2.8 % (sd): 1.645 of them on either side.
    assert!((row.goodput()[1] / most - (1.645f64 * 0.028).exp()).abs() < 1e-4, "{:?} {most}", row.goodput());
}

#[test]
fn candidates_with_more_quantities_need_a_better_fit() {
    let line = Candidate::line(20e6, 100.0);
    // z of 2: a misfit of 4. A count is one quantity, a share and a length are two.
    let fit = Fit { z: vec![("goodput".into(), 2.0)], ..Fit::default() };
    let of = |candidate: Candidate| criterion(&candidate, &fit);
    let [shared, bursts] = [line.with(Mechanism::Shared, &[3.0]), line.with(Mechanism::Bursts, &[0.01, 4.0])];
    assert_eq!([of(line), of(shared), of(bursts)], [4.0, 6.0, 8.0]);
}

#[test]
fn a_queue_that_loses_packets_is_a_cause_beside_a_window() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    // 10 Mbit/s and 80 ms hold 65 packets.
    let window = |queue: f64| Candidate::line(10e6, queue).with(Mechanism::ReceiveWindow, &[65_536.0]);
    assert_eq!([8.0, 65.0].map(|queue| window(queue).causes(case.rtt)), [2, 1]);
    let moves = |queue: f64| neighbours(&window(queue), 1.25, &case).iter().any(|one| one.buffer != queue);
    assert!(moves(8.0) && !moves(65.0));
}

#[test]
fn packets_come_sooner_beside_a_loss_than_alone() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    case.seen.retransmitted = Some(vec![3.0; 10]);
    case.seen.cwnd = Some([40.0, 28.0].repeat(5));
    let line = Candidate::line(20e6, 100.0);
    let [loss, late] = [line.with(Mechanism::Loss, &[0.002]), line.with(Mechanism::Reordering, &[0.04, 0.02])];
    let fitted = |one: &Candidate| one.quantities()[2..].to_vec();
    let pairs = Clues::from_case(&case).pairs(&[&loss, &late], &[]);
    let both = pairs.iter().filter(|one| one.has(Mechanism::Loss) && one.has(Mechanism::Reordering));
    assert!(both.clone().count() > 0 && both.clone().all(|one| fitted(one) == [0.002, 0.04, 0.012]), "{pairs:?}");
    // A window is no share of the link: the loss stays the same on the same link. On a faster link the window is the
    // limit, with the 27 of 3,884 segments that were retransmitted after the first interval.
    let hidden = |rate: f64| -> Vec<f64> {
        let own = pairs
            .iter()
            .filter(|one| one.has(Mechanism::Loss) && one.has(Mechanism::ReceiveWindow) && one.rate == rate);
        own.map(|one| one.parts[1].values[0]).collect()
    };
    assert_eq!(hidden(20e6), [0.002, 0.002]);
    let faster = hidden(4.0 * Clues::from_case(&case).least());
    assert!(faster.len() == 2 && faster.iter().all(|share| (share / (27.0 / 3884.0) - 1.0).abs() < 0.01), "{faster:?}");
}

/// In the lab CUBIC gets 5.29 Mbit/s through a policer of 9 Mbit/s and 24.2 kB over 50 ms, whose BDP is 56.3 kB.
#[test]
fn a_burst_below_a_bdp_is_guessed_from_what_arrived() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.29; 10])))]), NOTHING).unwrap();
    (case.rtt, case.seen.retransmitted) = (0.05, Some(vec![3.0; 10]));
    let policers: Vec<Candidate> =
        Clues::from_case(&case).candidates().into_iter().filter(|one| one.has(Mechanism::Policer)).collect();
    let near = |one: &&Candidate| (one.parts[0].values[1] / 24.2e3).ln().abs() < 1.2f64.ln();
    let rates: Vec<f64> = policers.iter().filter(near).map(|one| one.parts[0].values[0]).collect();
    assert!(rates.iter().any(|rate| *rate < 9e6) && rates.iter().any(|rate| *rate > 9e6), "{policers:?}");
}

/// tbf counts 1514 bytes of the 1538 that a full frame takes on a line.
#[test]
fn a_shaper_that_is_printed_is_the_line() {
    let tc = "$ tc qdisc show dev eth0\nqdisc tbf 8001: root refcnt 2 rate 5Mbit burst 16Kb lat 50ms\n\n";
    let of = |tc: &str, rate: f64| {
        let listing = PING.to_owned() + tc + &iperf3(&[rate; 10]);
        Case::from_evidence(&read(&[("x", &listing)]), NOTHING).unwrap().rate
    };
    let line = of(tc, 4.76).unwrap();
    assert!((line / (5e6 * 1538.0 / 1514.0) - 1.0).abs() < 1e-9, "{line}");
    assert_eq!([of("", 4.76), of(tc, 2.0)], [None, None], "none is printed, or it is not what limits");
}

const SHORT_PATH: Given = Given { rate: None, rtt: Some(1e-4) };

/// tbf with a limit of 15,000 bytes holds nine frames of 1514. tc prints the limit as `lat`, here 5.38 ms at 20 Mbit/s
/// beyond a burst of 1540 bytes; 50 ms at 5 Mbit/s beyond 16 KiB are 47,634 bytes, or 31 frames.
#[test]
fn a_printed_shaper_s_queue_is_a_candidate() {
    let of = |tc: &str, rate: f64| {
        let listing = format!("$ tc qdisc show dev eth0\nqdisc tbf 1: root refcnt 2 {tc}\n\n") + &iperf3(&[rate; 10]);
        let mut case = Case::from_evidence(&read(&[("x", &listing)]), SHORT_PATH).unwrap();
        let [queue, rate] = [case.queue, case.rate].map(Option::unwrap);
        case.seen.rtt = Some(vec![case.rtt + 0.6 * queue * 1538.0 * 8.0 / rate; 10]);
        let is_alone = |one: &Candidate| one.parts.is_empty() && one.buffer == queue && one.rate == rate;
        assert!(Clues::from_case(&case).candidates().iter().any(is_alone), "{tc}");
        queue
    };
    assert_eq!(of("rate 20Mbit burst 1540b lat 5.38ms", 19.1), 9.0);
    assert_eq!(of("rate 20Mbit burst 1540b limit 15000b", 19.1), 9.0);
    assert_eq!(of("rate 5Mbit burst 16Kb lat 50ms", 4.76), 31.0);
}

/// Seven packets take 4.31 ms at 20 Mbit/s. The smoothed RTT of a queue that varies is shorter than that of a full one.
#[test]
fn a_short_queue_is_tried_packet_by_packet() {
    let mut case = Case::from_evidence(&read(&[("x", &iperf3(&[18.7; 10]))]), SHORT_PATH).unwrap();
    case.rate = Some(20e6);
    let tried = |case: &Case| -> BTreeSet<u64> {
        let all = Clues::from_case(case).candidates().into_iter().filter(|one| one.parts.is_empty());
        all.map(|one| one.buffer.round() as u64).collect()
    };
    case.seen.rtt = Some(vec![case.rtt + 7.0 * 1538.0 * 8.0 / 20e6; 10]);
    let short = tried(&case);
    assert!([6, 7, 8, 9].iter().all(|packets| short.contains(packets)), "{short:?}");
    case.seen.rtt = Some(vec![case.rtt + 70.0 * 1538.0 * 8.0 / 20e6; 10]);
    let long = tried(&case);
    assert!(long.contains(&70) && !long.contains(&71), "{long:?}");
}

#[test]
fn an_rtt_two_packets_longer_gives_the_idle_link_rate() {
    // 5 Mbit/s on a link of 40: two frames of 1538 B take 0.615 ms of 80; at 8 Mbit/s they take 3.08 ms, and three
    // packets may queue there. A queue of 30 packets on 5.31 Mbit/s adds up to an RTT of 149.5 ms.
    let rate = |rtt: f64| {
        let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
        case.seen.rtt = Some(vec![rtt; 10]);
        let lines: Vec<Candidate> =
            Clues::from_case(&case).candidates().into_iter().filter(|one| one.has(Mechanism::ReceiveWindow)).collect();
        lines[0].rate
    };
    assert!((rate(0.080 + 2.0 * 1538.0 * 8.0 / 8e6) / 8e6 - 1.0).abs() < 1e-6, "{}", rate(0.083));
    let below_resolution = rate(0.080 + 2.0 * 1538.0 * 8.0 / 40e6);
    assert!(below_resolution < 9e6, "{below_resolution}");
    assert!(rate(0.1495) < 9e6 * 1.5);
}
