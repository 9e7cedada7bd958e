//! `goodput diagnose` on listings that people published: what each names first, and whole pages as
//! `tests/diagnose/NAME.out`. `BLESS=1` writes what is found; check the figures by hand.

use evidence::import;
use evidence::{Connection, Evidence, Limits, Place, Point, Seen, Window};
use goodput::diagnose::{self, Confidence, Diagnosis, Given, RULES, Severity};
use goodput::sources;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const LISTINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnose");

/// A published listing, as if it lay in the current folder.
fn of(name: &str) -> Diagnosis {
    let mut evidence = Evidence::default();
    import::read(
        &format!("{name}.txt"),
        &fs::read(Path::new(LISTINGS).join(format!("{name}.txt"))).unwrap(),
        &mut evidence,
    );
    diagnose::diagnose(&evidence, Given::default())
}

#[track_caller]
fn says(diagnosis: &Diagnosis, rule: &str, severity: Severity, words: &[&str]) {
    let finding = diagnosis.findings.iter().find(|finding| {
        finding.rule == rule && finding.severity == severity && words.iter().all(|word| finding.says.contains(word))
    });
    assert!(finding.is_some(), "{:#?}", diagnosis.findings.iter().map(|f| (f.rule, &f.says)).collect::<Vec<_>>());
}

#[test]
fn ipsec_tunnel_is_a_rate_cap_and_its_route_fits_every_cipher() {
    let found = of("ipsec-tunnel");
    assert_eq!(found.top().map(|top| (top.rule, top.confidence)), Some(("rate-cap", Confidence::High)));
    says(&found, "rate-cap", Severity::Problem, &["48.7 Mbit/s", "no difference in throughput"]);
    says(&found, "tunnel-mtu", Severity::Note, &["10.4.0.0/16", "1400 bytes", "1406", "1360"]);
    says(&found, "few-samples", Severity::Note, &["cannot be told"]);
}

#[test]
fn freebsd_cubic_patch_is_read_into_tables() {
    let mut evidence = Evidence::default();
    import::read("x", &fs::read(Path::new(LISTINGS).join("freebsd-cubic-patch.txt")).unwrap(), &mut evidence);
    let rows: Vec<usize> = evidence.tables.iter().map(|table| table.rows.len()).collect();
    assert_eq!(rows[..2], [5, 8]);
    let loss = &evidence.tables[1];
    assert!(loss.columns.iter().any(|head| head == "3% loss rate"), "{:?}", loss.columns);
    assert!(loss.rows[0].contains(&"53.1 Mbits/sec".to_owned()), "{:?}", loss.rows[0]);
    let found = of("freebsd-cubic-patch");
    says(&found, "timeouts", Severity::Problem, &["33.6 to 37.9 times", "FreeBSD".to_lowercase().as_str()]);
}

#[test]
fn mss_sweep_is_a_length_fault() {
    let found = of("mss-sweep");
    assert_eq!(found.top().map(|top| top.rule), Some("packet-length"));
    says(&found, "packet-length", Severity::Problem, &["2300 to 2400 bytes", "1430 times"]);
    let bond = found.findings.iter().find(|finding| finding.rule == "reordering").unwrap();
    assert_eq!(bond.follows, Some("packet-length"));
}

#[test]
fn hong_kong_new_york_is_bound_by_three_losses_and_then_by_the_receive_window() {
    let found = of("hong-kong-new-york");
    assert_eq!(found.top().map(|top| top.rule), Some("loss-response"));
    says(&found, "loss-response", Severity::Problem, &["3 loss events", "CUBIC 69.0 Mbit/s at 210 ms", "69.3 Mbit/s"]);
    says(&found, "receiver-window", Severity::Problem, &["3.15 MB in 210 ms allow 120 Mbit/s", "102 Mbit/s"]);
    says(&found, "sysctl-units", Severity::Note, &["16.0 MiB, 341 MiB and 16.0 GiB"]);
}

#[test]
fn lro_jail_is_a_host_that_merges_what_it_bridges() {
    let found = of("lro-jail");
    assert_eq!(found.top().map(|top| top.rule), Some("offload-forwarding"));
    says(&found, "offload-forwarding", Severity::Problem, &["1.40 Mbit/s", "91.8 Mbit/s", "65.6 times"]);
    let commands: Vec<String> = found.top().unwrap().remedies.iter().flat_map(|remedy| remedy.steps().now).collect();
    assert_eq!(commands.last().map(String::as_str), Some("ifconfig DEVICE -lro -tso4 -tso6 -vlanhwtso"));
    says(&found, "void-setting", Severity::Note, &["mssdflt = 1220"]);
}

#[test]
fn pages_are_as_they_were_checked() {
    let mut wrong = vec![];
    for name in ["ipsec-tunnel", "freebsd-cubic-patch", "mss-sweep", "hong-kong-new-york", "lro-jail"] {
        let (path, page) = (Path::new(FOLDER).join(format!("{name}.out")), diagnose::page(&of(name)));
        if fs::read_to_string(&path).ok().as_ref() != Some(&page) {
            wrong.push(name);
            if std::env::var_os("BLESS").is_some() {
                fs::write(&path, page).unwrap();
            }
        }
    }
    assert_eq!(wrong, Vec::<&str>::new(), "BLESS=1 writes what is found");
}

/// How a page looks if the sender was watched: two connections of which one reads slowly.
#[test]
fn what_is_counted_is_sure_and_what_follows_stands_behind() {
    let place = Place { file: "ss.txt".into(), line: 1 };
    let mut slow = Connection::new(place, "ss", "10.0.0.1:1 > 10.0.0.2:2", Seen::Sender);
    slow.span = Some([0.0, 20.0]);
    slow.bytes = Some(20e6);
    slow.goodput = Some(8e6);
    slow.rtt_min = Some(0.1);
    slow.limits = Some(Limits { busy: 1.0, rwnd: 0.9, sndbuf: 0.0 });
    slow.window = Some(Window { largest: 1e5, zeros: 0 });
    let found = |connection: &Connection| {
        let evidence = Evidence { connections: vec![connection.clone()], ..Evidence::default() };
        diagnose::diagnose(&evidence, Given::default())
    };
    let window = found(&slow);
    assert_eq!(window.top().map(|top| (top.rule, top.confidence)), Some(("receiver-window", Confidence::High)));
    assert!(
        window.top().unwrap().says.contains("100 kB in 100 ms allow 8.00 Mbit/s"),
        "{}",
        window.top().unwrap().says
    );
    slow.window = Some(Window { largest: 1e5, zeros: 7 });
    assert_eq!(found(&slow).top().map(|top| top.rule), Some("receiver-not-reading"));
    slow.limits = Some(Limits { busy: 1.0, rwnd: 0.0, sndbuf: 0.8 });
    slow.window = None;
    assert_eq!(found(&slow).top().map(|top| top.rule), Some("send-buffer"));
    slow.limits = Some(Limits { busy: 0.3, rwnd: 0.0, sndbuf: 0.0 });
    assert_eq!(found(&slow).top().map(|top| top.rule), Some("application-limited"));
}

#[test]
fn nothing_found_is_said_with_what_was_not_looked_at() {
    let found = diagnose::diagnose(&Evidence::default(), Given::default());
    assert_eq!(found.findings, []);
    assert!(found.blind.iter().any(|blind| blind.ask[0].contains("ss -tin")), "{:?}", found.blind);
    assert!(diagnose::page(&found).starts_with("Nothing was read that a rule could look at."));
}

#[test]
fn rules_name_rules_and_say_all_that_explain_prints() {
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len());
    for rule in RULES {
        let others = rule.explains.iter().chain(rule.alike.iter().map(|(other, _)| other));
        let unknown: Vec<_> = others.filter(|other| !names.contains(*other)).collect();
        assert!(unknown.is_empty(), "{}: {unknown:?}", rule.name);
        assert!(!rule.explains.contains(&rule.name), "{} explains itself", rule.name);
        let told = !rule.thresholds.is_empty() && !rule.confirm.is_empty() && !rule.source.is_empty();
        assert!(told && !rule.confidence.is_empty(), "{}", rule.name);
        assert!(diagnose::explain(rule).contains(rule.title));
    }
}

#[test]
fn what_cannot_be_read_is_an_error_that_names_it() {
    let missing = sources::evidence(&[PathBuf::from("/nowhere/at/all.txt")]).err().unwrap().to_string();
    assert!(missing.starts_with("/nowhere/at/all.txt: "), "{missing}");
}

fn number() -> impl Strategy<Value = Option<f64>> {
    let odd = prop::sample::select(vec![0.0, 1.0, 1e-9, 1e18, -1.0, f64::NAN, f64::INFINITY]);
    prop::option::of(prop_oneof![odd, 0.0..1e7])
}

prop_compose! {
    fn point()(
        time in 0.0..100.0, bytes in number(), retransmitted in number(), cwnd in number(), ssthresh in number(),
        srtt in number(), in_flight in number(), window in number(), unsent in number(),
    ) -> Point {
        Point { time, bytes, retransmitted, cwnd, ssthresh, srtt, in_flight, window, unsent }
    }
}

prop_compose! {
    fn connection()(
        points in prop::collection::vec(point(), 0..40), numbers in prop::collection::vec(number(), 16), group in 0..3_usize,
        exchanges in prop::collection::vec(0.0..2.0, 0..8),
    ) -> Connection {
        let mut c = Connection::new(Place { file: "x".into(), line: 1 }, "x", "a > b", Seen::Both);
        let [bytes, goodput, mss, advmss, sent, again, spurious, seen, order, timeouts, time, rtt, largest, a, b, d] = numbers[..]
        else { unreachable!() };
        (c.bytes, c.goodput, c.mss, c.advmss, c.segments_sent, c.retransmitted) = (bytes, goodput, mss, advmss, sent, again);
        (c.spurious, c.reordered, c.out_of_order, c.timeouts, c.timeout_time) = (spurious, seen, order, timeouts, time);
        c.rtt_min = rtt;
        c.window = largest.map(|largest| Window { largest, zeros: 0 });
        c.limits = a.zip(b).zip(d).map(|((busy, rwnd), sndbuf)| Limits { busy, rwnd, sndbuf });
        c.span = a.zip(b).map(|(a, b)| [a, b]);
        c.group = group;
        c.points = points;
        c.points.sort_by(|a, b| a.time.total_cmp(&b.time));
        c.exchanges = exchanges;
        c
    }
}

proptest! {
    #[test]
    fn no_evidence_makes_a_rule_panic(connections in prop::collection::vec(connection(), 0..5)) {
        let evidence = Evidence { connections, ..Evidence::default() };
        let found = diagnose::diagnose(&evidence, Given::default());
        prop_assert!(found.findings.iter().all(|finding| finding.cost.is_finite()));
        diagnose::page(&found);
    }
}
