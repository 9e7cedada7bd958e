//! Listings of once misdiagnosed paths that every test run reads: at most two for each rule. `make real` and `make
//! test-all` read all (GOODPUT_TEST_LISTINGS=all).

use super::{native, real};
use std::collections::BTreeMap;

/// Listings by their correct finding; `real-programs` first, then `native-paths`.
const KEPT_LISTINGS: &[(Option<&str>, &[&str])] = &[
    (None, &["full-0.text", "full-line.ss"]),
    (Some("application-limited"), &["cap-0.text", "application.ss"]),
    (Some("bufferbloat"), &["full-deep-0.json", "bufferbloat.text"]),
    (Some("cross-traffic"), &["ack-path.ss", "shared-line.ss"]),
    (Some("ecn-marks"), &["ecn.json", "ecn.ss"]),
    (Some("loss-response"), &["loss-0.text", "random-loss.ss"]),
    (Some("mtu-black-hole"), &["black-hole-0.json", "mtu-hole.ss"]),
    (Some("nagle-delayed-ack"), &["nagle.ss"]),
    (Some("outage"), &["outage-0.text", "outage.ss"]),
    (Some("packet-length"), &["length-fault.ss"]),
    (Some("policer"), &["policer-0.text", "policer.ss"]),
    (Some("receiver-not-reading"), &["reader-2.json", "slow-reader.ss"]),
    (Some("receiver-window"), &["rmem-0.json"]),
    (Some("reordering"), &["reorder-0.ss", "reordering.ss"]),
    (Some("send-buffer"), &["wmem-0.json", "send-buffer.ss"]),
    (Some("shallow-buffer"), &["shared-line-udp.json"]),
    (Some("short-flows"), &["short-flows.ss", "short-flows-server.ss"]),
    (Some("slow-start-exit"), &["reorder-6.json"]),
    (Some("window-or-buffer"), &["receive-window.text"]),
];

/// Whether this run reads a listing.
pub fn is_read(name: &str) -> bool {
    let all = std::env::var_os("GOODPUT_TEST_LISTINGS").is_some_and(|which| which == "all");
    all || KEPT_LISTINGS.iter().any(|(_, names)| names.contains(&name))
}

#[test]
fn every_rule_that_has_listings_keeps_one_or_two() {
    let rules: BTreeMap<&str, Option<&str>> = real::rules().chain(native::rules()).collect();
    for (rule, names) in KEPT_LISTINGS {
        assert!((1..=2).contains(&names.len()), "{rule:?}");
        for name in *names {
            assert_eq!(rules.get(name), Some(rule), "{name}: correct its row in KEPT, or keep another listing");
        }
    }
    for rule in rules.values() {
        assert!(KEPT_LISTINGS.iter().any(|(kept, _)| kept == rule), "{rule:?}: keep one of its listings in KEPT");
    }
}
