//! Measured runs with a change, compared with the prediction for it.

use super::*;
use crate::row::Effect;
use crate::{ChangeRow, Measured, experiments};

fn hong_kong(text: impl Fn(String) -> String) -> Vec<Measured> {
    let path = format!("{}/../../examples/listings/hong-kong-new-york.txt", env!("CARGO_MANIFEST_DIR"));
    let text = text(std::fs::read_to_string(path).unwrap());
    Case::from_evidence(&read(&[("hk", &text)]), HONG_KONG).unwrap().measured
}

/// Line 47 has a tcp_wmem of 4 MiB, line 54 one of 25 MiB, and line 66 BBR; the result is 102 Mbit/s on line 104.
#[test]
fn changes_before_a_later_run_are_found_between_the_runs() {
    let of = |changed: &[&str]| Measured {
        place: "hk:68".into(),
        changed: changed.iter().map(|one| (*one).to_owned()).collect(),
        goodput: 102e6,
        ..Measured::default()
    };
    let hong_kong = |text: &dyn Fn(String) -> String| {
        let plain = |run: Measured| Measured {
            place: run.place,
            changed: run.changed,
            goodput: run.goodput,
            ..Measured::default()
        };
        hong_kong(text).into_iter().map(plain).collect::<Vec<_>>()
    };
    assert_eq!(hong_kong(&|text| text), [of(&["bbr", "larger send buffer"])]);
    let alone = hong_kong(&|text| text.replace("net.ipv4.tcp_wmem = 4096 87380 26214400", "-"));
    assert_eq!(alone, [of(&["bbr"])]);
    let again = hong_kong(&|text| text.replace("net.ipv4.tcp_congestion_control = bbr", "-"));
    assert_eq!(again, [of(&["larger send buffer"])]);
    assert!(of(&["bbr", "no -w"]).is_with("no -w + bbr") && !of(&["bbr"]).is_with("no -w + bbr"));
}

#[test]
fn a_run_off_its_prediction_lowers_the_confidence() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    case.rate = Some(20e6);
    let mut row = |goodput: f64| -> (ChangeRow, Verdict) {
        case.measured = vec![Measured {
            place: "y:1".into(),
            changed: vec!["larger receive buffer".into()],
            goodput,
            ..Measured::default()
        }];
        let verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
        let row = verdict.rows.iter().find(|row| row.name == "larger receive buffer").unwrap();
        (row.clone(), verdict)
    };
    // The link carries 20 Mbit/s × 1448 / 1538 of payload.
    let line = 20e6 * 1448.0 / 1538.0;
    let (inside, verdict) = row(1.02 * line);
    assert_eq!((inside.off().count(), inside.confidence()), (0, Confidence::High), "{:?}", inside.goodput());
    let text = page(&verdict, 80);
    assert!(text.contains("    measured 19.2 Mbit/s (y:1), as predicted.\n"), "{text}");
    let [low, high] = inside.goodput();
    let (above, verdict) = row(1.2 * high);
    let (_, beyond) = above.off().next().unwrap();
    assert!((beyond - 0.2).abs() < 1e-6, "{beyond}");
    assert_eq!(above.confidence(), Confidence::Medium);
    let text = page(&verdict, 80);
    assert!(text.contains("! measured 23.7 Mbit/s (y:1), 20.0 % above what is predicted"), "{text}");
    let (below, _) = row(0.5 * low);
    assert!(below.off().next().is_some_and(|(_, beyond)| (beyond + 0.5).abs() < 1e-6));
    // No run is above a range without an upper end.
    assert_eq!(ChangeRow { open: true, ..above }.off().count(), 0);
}

/// A mechanism that fits the only run may still predict another goodput.
#[test]
fn a_goodput_unlike_its_best_fit_is_reported() {
    let case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    let verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    let page = |times: f64| {
        let verdict = Verdict { goodput: verdict.rows[0].goodput()[1] * times, ..verdict.clone() };
        page(&verdict, 80).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(!page(1.0).contains("the transfer got"), "{}", page(1.0));
    assert!(page(1.5).contains("50.0 % above this: go by what a change gains over it"), "{}", page(1.5));
    assert!(page(0.5).contains("below this"), "{}", page(0.5));
}

/// Each experiment is one way the path may be: a range over all ways, as the table has it, would pass wherever one of
/// them does.
#[test]
fn an_experiment_expects_the_range_of_its_own_path() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    case.rate = Some(20e6);
    let mut verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    let first = verdict.explanations[0].scenarios[0].clone();
    verdict.explanations.truncate(1);
    verdict.explanations[0].scenarios = vec![first.clone(), Scenario { assumes: Assumes::Alike, ..first }];
    let mut row = verdict.rows.iter().find(|row| row.name == "larger receive buffer").unwrap().clone();
    let under = |assumes, rate: f64| {
        let (goodput, now, printed) = (vec![rate; 5], vec![rate / 2.0; 5], vec![rate; 5]);
        Effect { explanation: 0, assumes, goodput, now, printed, ..row.effects[0].clone() }
    };
    row.effects = vec![under(Assumes::Nothing, 15e6), under(Assumes::Alike, 8e6)];
    let [low, high] = row.goodput();
    assert!(low < 8e6 && high > 15e6, "{low} {high}");
    let case_name = row.case();
    verdict.rows = vec![row];
    let ranges: Vec<[f64; 2]> = experiments(&case, &verdict, 5)
        .iter()
        .map(|(_, text)| {
            let own = text.split("[[expect]]").skip(1).find(|part| part.contains(&case_name)).unwrap();
            let line = own.lines().find(|line| line.starts_with("between")).unwrap();
            let figures: Vec<f64> =
                line.split('"').filter_map(|word| word.strip_suffix(" bit/s")?.parse().ok()).collect();
            [figures[0], figures[1]]
        })
        .collect();
    let is_around =
        |[low, high]: [f64; 2], rate: f64| low <= rate && rate <= high && low > 0.6 * rate && high < 1.6 * rate;
    assert!(ranges.len() == 2 && is_around(ranges[0], 15e6) && is_around(ranges[1], 8e6), "{ranges:?}");
}

/// The mean RTT of the lab over the idle RTT is a percentage in RFC 6349, 4.2; at a thousandth of the queue's delay it
/// says less than the time.
#[test]
fn the_delay_of_a_queue_over_an_rtt_of_microseconds_is_a_time() {
    let mut case = Case::from_evidence(&read(&[("x", &(PING.to_owned() + &iperf3(&[5.0; 10])))]), NOTHING).unwrap();
    case.rate = Some(20e6);
    let mut verdict = prove(&case, &request(), &mut Formula { share: 0.5, asked: vec![] }).unwrap();
    verdict.rows.iter_mut().flat_map(|row| &mut row.effects).for_each(|effect| effect.rtt = 0.12);
    assert!(page(&verdict, 200).contains("buffer delay 50 % → 50 %"), "{}", page(&verdict, 200));
    verdict.rtt = 1e-5;
    assert!(page(&verdict, 200).contains("buffer delay 120 ms → 120 ms"), "{}", page(&verdict, 200));
}
