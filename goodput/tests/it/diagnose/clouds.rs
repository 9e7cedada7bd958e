//! Calculated runs of `iperf3 -J -O 3 -t 10` over RTTs of hundreds of milliseconds: rate × RTT is in flight (Little's
//! law), and cwnd follows RFC 9438.

use super::{CASES, LISTINGS};
use diagnosis::diagnose::{self, Confidence, Diagnosis, Given, Style};
use evidence::{Evidence, import};
use std::fmt::Write;
use std::fs;
use std::path::Path;

const MSS: f64 = 1408.0;

/// A second of a run: cwnd at its end in segments, the share of it in flight, and segments sent again.
type Second = (f64, f64, u32);

/// iperf3's JSON of thirteen seconds; the first three are omitted.
fn document(rtt: f64, seconds: &[Second]) -> String {
    let mut intervals = String::new();
    let (mut before, mut sum, mut again) = (10.0, 0.0, 0);
    for (at, (cwnd, used, lost)) in seconds.iter().enumerate() {
        let bytes = used * (before + cwnd) / 2.0 * MSS / rtt;
        before = *cwnd;
        let (omitted, start) = (at < 3, if at < 3 { at } else { at - 3 });
        if !omitted {
            (sum, again) = (sum + bytes, again + lost);
        }
        let comma = if at > 0 { "," } else { "" };
        let stream = format!(
            "\"socket\":5,\"start\":{start},\"end\":{},\"seconds\":1,\"bytes\":{bytes:.0},\"bits_per_second\":{:.0},\
             \"retransmits\":{lost},\"snd_cwnd\":{:.0},\"rtt\":{:.0},\"rttvar\":100,\"pmtu\":1460,\"omitted\":{omitted}",
            start + 1,
            bytes * 8.0,
            cwnd * MSS,
            rtt * 1e6
        );
        let _ = write!(intervals, "{comma}{{\"streams\":[{{{stream}}}]}}");
    }
    let total = format!(
        "\"socket\":5,\"start\":0,\"end\":10,\"seconds\":10,\"bytes\":{sum:.0},\"bits_per_second\":{:.0}",
        sum * 0.8
    );
    format!(
        "{{\"start\":{{\"tcp_mss_default\":{MSS},\"version\":\"iperf 3.9\",\"test_start\":{{\"protocol\":\"TCP\",\
         \"num_streams\":1,\"omit\":3,\"duration\":10,\"reverse\":0}}}},\"intervals\":[{intervals}],\
         \"end\":{{\"streams\":[{{\"sender\":{{{total},\"retransmits\":{again}}},\"receiver\":{{{total}}}}}],\
         \"sender_tcp_congestion\":\"cubic\"}}}}"
    )
}

fn told(files: &[(&str, String)]) -> Diagnosis {
    let mut found = Evidence::default();
    files.iter().for_each(|(name, text)| import::read(name, text.as_bytes(), &mut found));
    assert!(found.unread.is_empty(), "{:?}", found.unread);
    diagnose::diagnose(&found, Given::default())
}

fn top(rtt: f64, seconds: &[Second]) -> Option<(&'static str, Confidence)> {
    told(&[("run.json", document(rtt, seconds))]).top().map(|top| (top.rule, top.confidence))
}

/// A receive window of 3 MB at 296 ms while cwnd is 6.3 MB; `lost` segments are sent again in the sixth second.
fn windowed(lost: u32) -> Vec<Second> {
    let mut seconds = vec![(40.0, 1.0, 0), (250.0, 1.0, 0), (3900.0, 0.8, 0)];
    let after = if lost > 0 { 0.7 } else { 1.0 };
    seconds.extend((3..13).map(|at| {
        let cwnd = if at > 6 { 4480.0 * after } else { 4480.0 };
        (cwnd, 2130.0 / cwnd, if at == 6 { lost } else { 0 })
    }));
    seconds
}

/// W(t) = 0.4 (t − K)^3 + Wmax, K = cbrt(0.3 Wmax / 0.4) (RFC 9438, 4.2).
fn cubic(largest: f64, since: f64) -> f64 {
    0.4 * (since - (0.75 * largest).cbrt()).powi(3) + largest
}

#[test]
fn a_window_that_half_of_cwnd_fills_is_named_whatever_was_lost() {
    for lost in [0, 3, 200] {
        assert_eq!(top(0.296, &windowed(lost)), Some(("window-or-buffer", Confidence::Medium)), "{lost} segments");
    }
}

/// Slow start ends at 1,500 segments, and CUBIC climbs by 0.4 t³.
#[test]
fn a_cwnd_that_climbs_without_a_loss_left_slow_start_early() {
    let mut seconds = vec![(300.0, 1.0, 0), (1500.0, 1.0, 0), (1500.4, 1.0, 0)];
    seconds.extend((3..13).map(|at| (1500.0 + 0.4 * f64::from(at - 1).powi(3), 1.0, 0)));
    assert_eq!(top(0.138, &seconds), Some(("slow-start-exit", Confidence::Medium)));
    let page = diagnose::page(&told(&[("run.json", document(0.138, &seconds))]), Style { width: 400, verbose: true });
    assert!(page.contains("cwnd was still growing: from 2.11 MB to 2.86 MB in 10.0 s"), "{page}");
}

/// 435 segments of 2,700 are lost in the third second.
#[test]
fn behind_an_overshoot_cwnd_climbs_for_longer_than_the_test() {
    let mut seconds = vec![(200.0, 1.0, 0), (2700.0, 0.9, 0), (1890.0, 1.0, 435)];
    seconds.extend((3..13).map(|at| (cubic(2700.0, f64::from(at - 2)), 1.0, 0)));
    assert_eq!(top(0.293, &seconds), Some(("slow-start-overshoot", Confidence::Medium)));
}

/// A loss event every three seconds; each takes 30 % of cwnd.
#[test]
fn losses_that_keep_cwnd_down_limit_where_rtts_stay() {
    let mut seconds = vec![(300.0, 1.0, 0), (1200.0, 1.0, 0), (840.0, 1.0, 12)];
    let mut largest = 1200.0;
    let mut since = 0.0;
    for at in 3..13 {
        since += 1.0;
        let cwnd = cubic(largest, since);
        let lost = at % 3 == 2;
        seconds.push(if lost { (0.7 * cwnd, 1.0, 9) } else { (cwnd, 1.0, 0) });
        if lost {
            (largest, since) = (cwnd, 0.0);
        }
    }
    assert_eq!(top(0.176, &seconds).map(|(rule, _)| rule), Some("loss-response"));
}

/// Ten runs; two of them lose more than their window explains.
#[test]
fn repeats_are_one_case_and_say_how_many_agree() {
    let losses: Vec<Second> = {
        let mut seconds = vec![(200.0, 1.0, 0), (2700.0, 0.9, 0), (1890.0, 1.0, 435)];
        seconds.extend((3..13).map(|at| (cubic(2700.0, f64::from(at - 2)), 1.0, 0)));
        seconds
    };
    let names: Vec<String> = (0..10).map(|number| format!("run_{number}.json")).collect();
    let files: Vec<(&str, String)> = names
        .iter()
        .enumerate()
        .map(|(at, name)| (&**name, document(0.296, &if at % 5 == 4 { losses.clone() } else { windowed(0) })))
        .collect();
    let diagnosis = told(&files);
    assert_eq!(diagnosis.top().map(|top| top.rule), Some("window-or-buffer"));
    let repeats = diagnosis.repeats.as_ref().unwrap();
    assert_eq!((repeats.runs, repeats.with_losses), (10, Some(2)), "in the omitted seconds");
    assert_eq!(repeats.answers, [(Some("window-or-buffer"), 8), (Some("slow-start-overshoot"), 2)]);
    let page = diagnose::page(&diagnosis, Style { width: 400, verbose: false });
    assert!(page.contains("10 runs of one path") && page.contains("2 of 10 runs: Slow start overshot"), "{page}");
}

/// No finding reports a cap below the measured rate.
#[test]
fn no_finding_says_a_cap_below_what_was_measured() {
    let folders = [LISTINGS, CASES, concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/native"), REAL];
    let mut read = 0;
    for path in folders.into_iter().flat_map(|folder| fs::read_dir(Path::new(folder)).unwrap()) {
        let path = path.unwrap().path();
        let Some(text) = path.is_file().then(|| fs::read(&path).unwrap()) else { continue };
        let mut found = Evidence::default();
        import::read("listing", &text, &mut found);
        read += 1;
        for finding in diagnose::diagnose(&found, Given::default()).findings {
            let caps = [" caps ", " cap ", " at most; measured "].iter().any(|word| finding.says.contains(word));
            assert!(!(caps && finding.says.contains(" above")), "{}: {}", path.display(), finding.says);
        }
    }
    assert!(read > 150, "{read} listings");
}

const REAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real");
