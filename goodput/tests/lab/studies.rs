//! Studies of `examples/` have the answers that `docs/examples.md` gives.

use crate::examples::{BY_HAND, FREEBSD, examples, goodput};
use std::fs;

/// Verdict of a study whose expectations are met, and its number of trials.
fn answer(name: &str) -> (serde_json::Value, usize) {
    let folder = tempfile::tempdir().unwrap();
    let output = goodput(&["run", "--no-cache", "--out", name], &examples()[name], folder.path());
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert_eq!(output.status.code(), Some(0), "{out}\n{err}");
    let read = |file: &str| fs::read(folder.path().join(name).join(file)).unwrap();
    let plan: serde_json::Value = serde_json::from_slice(&read("plan.json")).unwrap();
    (serde_json::from_slice(&read("verdict.json")).unwrap(), plan["trials"].as_array().unwrap().len())
}

/// Measure and outcome of each comparison, in order.
fn outcomes(verdict: &serde_json::Value) -> Vec<(String, String)> {
    let text = |compared: &serde_json::Value, key: &str| compared[key].as_str().unwrap().to_owned();
    let compared = verdict["comparisons"].as_array().unwrap().iter();
    compared.map(|compared| (text(compared, "measure"), text(compared, "outcome"))).collect()
}

#[test]
fn the_lost_segment_sizes_are_found_to_the_byte() {
    let (verdict, _) = answer("mss-sweep");
    let findings = verdict["findings"].as_array().unwrap();
    let of = |cards: &str| findings.iter().filter(|found| found["at"][0]["value"] == cards).collect::<Vec<_>>();
    let [one] = of("one bad").try_into().unwrap();
    assert_eq!(one["low"], serde_json::json!({ "from": "2300 B", "to": "2400 B" }));
    assert!(of("both bad").len() > 1, "two bad cards make several dips: {findings:?}");
}

#[test]
fn freebsds_patch_of_cubic_makes_steps_finer() {
    let (verdict, _) = answer("freebsd-cubic");
    let of_patch: Vec<(String, String)> = outcomes(&verdict).into_iter().take(4).collect();
    let shown =
        [("goodput", "equivalent"), ("burst", "equivalent"), ("cwnd-step", "better"), ("cwnd-step-max", "better")];
    assert_eq!(of_patch, shown.map(|(measure, outcome)| (measure.to_owned(), outcome.to_owned())));
}

#[test]
fn freebsds_own_stack_does_what_its_examples_expect() {
    if crate::freebsd::tree().is_none() {
        return;
    }
    let here = FREEBSD.iter().filter(|name| !BY_HAND.contains(name));
    let verdicts: Vec<_> = here.map(|name| answer(name).0).collect();
    // 3.1 % was published of the patch's cost, and called benign.
    assert_eq!(outcomes(&verdicts[0])[0], ("goodput".to_owned(), "equivalent".to_owned()));
}

#[test]
fn a_patch_of_cubic_gains_where_it_grows_as_reno_does() {
    let (verdict, trials) = answer("cubic-patch");
    assert_eq!((outcomes(&verdict), trials), (vec![("goodput".to_owned(), "better".to_owned()); 3], 60));
}

#[test]
fn dctcp_is_not_clearly_superior() {
    let (verdict, _) = answer("dctcp-or-cubic");
    let [goodput, retransmitted, jain] = outcomes(&verdict).try_into().unwrap();
    // Both fill the cap; without ECN DCTCP does as Reno does.
    assert_eq!((goodput.0.as_str(), goodput.1.as_str()), ("goodput", "equivalent"));
    assert_eq!((retransmitted.0.as_str(), retransmitted.1.as_str()), ("retransmitted", "worse"));
    assert_eq!(jain.0, "jain");
    let apart = |sentence: &serde_json::Value| sentence.as_str().unwrap().starts_with("half is not compared");
    assert!(verdict["not_compared"].as_array().unwrap().iter().any(apart));
}

#[test]
fn reno_bears_loss_in_a_lan_better_than_cubic() {
    let (verdict, trials) = answer("loss-resilience");
    assert_eq!(outcomes(&verdict), vec![("goodput".to_owned(), "better".to_owned()); 4]);
    assert_eq!(trials, 80);
}

#[test]
fn two_flows_do_not_fill_a_switch_of_small_buffers() {
    let (verdict, _) = answer("two-flows");
    let measures: Vec<String> = outcomes(&verdict).into_iter().map(|(measure, _)| measure).collect();
    assert_eq!(measures, ["utilisation", "goodput", "jain", "convergence"]);
    let utilisation = verdict["comparisons"][0]["estimates"][0]["value"].as_f64().unwrap();
    // 125 kB are 2.5 % of the BDP: CUBIC falls to 0.7 of a full line, and is at 0.7 to 1 of it, if all goes well.
    assert!((0.6..0.95).contains(&utilisation), "{utilisation}");
}
