use super::*;
use crate::facts::read;

const CAUSES: [(&str, &[Family]); 4] = [
    ("random-loss", &[Family::Losses, Family::Line]),
    ("receive-window", &[Family::Window, Family::Receiver, Family::Program]),
    ("cap-shaper", &[Family::Shared, Family::Queue]),
    ("mtu-hole", &[Family::Losses, Family::Lengths]),
];

fn differences_of(text: &str) -> Differs {
    let causes: Vec<Cause> = CAUSES.iter().map(|(name, families)| Cause { name, families }).collect();
    differs(&read("case.toml", text).unwrap(), &causes)
}

fn runs(path: &str, runs: &[&str]) -> Differs {
    let named = runs.iter().enumerate().map(|(at, run)| format!("[[runs]]\nname = \"{at}\"\n{run}\n"));
    differences_of(&format!("[path]\n{path}\n{}", named.collect::<String>()))
}

/// Ten streams carry ten times what one does: no limit that they share can do that.
#[test]
fn streams_that_add_up_rule_out_a_shared_limit() {
    let differs = runs("rtt = \"20 ms\"", &["goodput = \"5 Mbit/s\"", "streams = 10\ngoodput = \"50 Mbit/s\""]);
    assert_eq!(differs.contrasts[0].differ, ["streams"]);
    assert!(
        differs.contrasts[0].sentences[0]
            .starts_with("10 streams carry 10 times what 1 stream does: a limit of each stream")
    );
    assert_eq!(differs.left, ["random-loss", "receive-window", "mtu-hole"]);
}

#[test]
fn streams_that_do_not_add_up_leave_a_shared_limit() {
    let differs = runs("", &["goodput = \"50 Mbit/s\"", "streams = 10\ngoodput = \"52 Mbit/s\""]);
    assert!(differs.contrasts.is_empty());
    assert!(differs.agreements[0].contains("a limit that all share"), "{:?}", differs.agreements);
    assert_eq!(differs.left, ["cap-shaper"]);
}

/// 8 kB in 10 ms and 8 kB in 100 ms: the product of rate and RTT is a window.
#[test]
fn one_product_of_rate_and_rtt_is_a_window() {
    let near = "rtt = \"10 ms\"\ngoodput = \"6.4 Mbit/s\"";
    let far = "rtt = \"100 ms\"\ngoodput = \"0.64 Mbit/s\"";
    let differs = runs("", &[near, far]);
    assert!(differs.contrasts[0].sentences[0].starts_with("rate x RTT is the same, "), "{differs:?}");
    assert_eq!(differs.left, ["receive-window"]);
}

/// Losses make the rate proportional to the MSS: 5 % more cannot make it a thousand times faster.
#[test]
fn lengths_that_decide_leave_a_hole() {
    let differs =
        runs("", &["mss = \"2338 B\"\ngoodput = \"1.2 Mbit/s\"", "mss = \"2188 B\"\ngoodput = \"1.7 Gbit/s\""]);
    assert_eq!(differs.left, ["mtu-hole"]);
}

#[test]
fn what_was_changed_and_did_nothing_is_not_the_limit() {
    let small = "receive-max = \"4 MB\"\ngoodput = \"69 Mbit/s\"";
    let large = "receive-max = \"35 MB\"\ngoodput = \"70 Mbit/s\"";
    let differs = runs("", &[small, large]);
    assert!(differs.agreements[0].ends_with("not the receiver's window"));
    assert_eq!(differs.left, ["random-loss", "cap-shaper", "mtu-hole"]);
}

/// Two facts differ, so either may be the reason: what one rules out the other may leave.
#[test]
fn of_two_differences_either_may_be_it() {
    let slow = "program = \"sql\"\nstreams = 1\ngoodput = \"5 Mbit/s\"";
    let fast = "program = \"scp\"\nstreams = 10\ngoodput = \"50 Mbit/s\"";
    let differs = runs("", &[slow, fast]);
    assert_eq!(differs.contrasts[0].differ, ["streams", "program"]);
    assert_eq!(differs.left, ["random-loss", "receive-window", "mtu-hole"]);
}

/// The queue is the delay beyond the idle RTT times the rate.
#[test]
fn a_ping_under_load_shows_the_queue() {
    let differs = runs("rtt = \"10 ms\"", &["goodput = \"0.8 to 1.2 Mbit/s\"\nping = \"110 to 130 ms\""]);
    // From 100 ms x 0.8 Mbit/s to 120 ms x 1.2 Mbit/s.
    assert_eq!(differs.alone, ["0: ping 110 to 130 ms under load: a queue of 10 to 18 kB in front of the line"]);
    assert_eq!(differs.left, ["cap-shaper"]);
}

#[test]
fn pages_fit_their_columns_and_name_the_contrast() {
    let differs = runs("rtt = \"20 ms\"", &["goodput = \"5 Mbit/s\"", "streams = 10\ngoodput = \"50 Mbit/s\""]);
    let text = page(&differs, 80);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.starts_with("0: 5 Mbit/s. 1: 50 Mbit/s, 10 times as fast. They differ in streams."), "{text}");
    assert!(text.ends_with("Left of 4 causes: random-loss, receive-window, mtu-hole.\n"), "{text}");
    let none = page(&runs("", &["goodput = \"5 Mbit/s\""]), 80);
    assert!(none.starts_with("No two runs differ in one or two stated facts"), "{none}");
}

/// 5 Gbit/s with a window of 1.27 MB need an RTT of 2 ms; ten times the streams carry ten times as much.
#[test]
fn streams_without_losses_under_a_short_rtt_leave_a_cap_for_each_flow() {
    let one = "goodput = \"4.97 Gbit/s\"\nretransmissions = 0\ncwnd = \"1.27 MB\"";
    let ten = "streams = 5\ngoodput = \"24.8 Gbit/s\"";
    let causes: [(&str, &[Family]); 3] = [
        ("cap-per-flow", &[Family::EachFlow]),
        ("receive-window", &[Family::Window]),
        ("random-loss", &[Family::Losses]),
    ];
    let left = |path: &str| {
        let text = format!("[path]\n{path}\n[[runs]]\nname = \"one\"\n{one}\n[[runs]]\nname = \"five\"\n{ten}\n");
        let causes: Vec<Cause> = causes.iter().map(|(name, families)| Cause { name, families }).collect();
        differs(&read("case.toml", &text).unwrap(), &causes)
    };
    let known = left("rtt = \"0.2 ms\"");
    assert_eq!(known.left, ["cap-per-flow"]);
    assert!(known.contrasts[0].sentences[0].contains("would need an RTT of 1."), "{:?}", known.contrasts);
    let unknown = left("");
    assert_eq!(unknown.left, ["cap-per-flow", "receive-window"]);
}

/// UDP that arrives whole at twice the rate shows that the line carries it.
#[test]
fn udp_that_arrives_rules_out_the_rate_of_the_line() {
    let differs =
        runs("", &["goodput = \"50 Mbit/s\"", "offered = \"100 Mbit/s\"\ngoodput = \"100 Mbit/s\"\nlost = \"0 %\""]);
    assert_eq!(differs.contrasts[0].differ, ["protocol"]);
    assert_eq!(differs.left, ["random-loss", "receive-window", "mtu-hole"]);
}
