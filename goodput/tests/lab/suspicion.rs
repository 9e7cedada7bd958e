//! `test` in the lab: facts that physics gives for a cause are explained by it, and a healthy line by itself.

use super::schema::conforming;
use super::support::goodput;
use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn test(case: &str, arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.toml");
    std::fs::write(&file, case).unwrap();
    let mut command = Command::new(goodput());
    command.arg("test").arg(&file).args(arguments).stderr(Stdio::null());
    command.output().unwrap()
}

fn verdict<'v>(answer: &'v Value, name: &str) -> &'v str {
    let all = answer["hypotheses"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).map_or("", |one| one["verdict"].as_str().unwrap())
}

/// RFC 7323, 1.1: 64 KiB at 100 ms are 5.24 Mbit/s, and four such streams 21. Losses would make CUBIC as slow with 0.06 %
/// sent again, and nothing is.
const WINDOW: &str = "[path]\nrate = \"100 Mbit/s\"\nrtt = \"100 ms\"\n\
     [[runs]]\nname = \"one\"\nduration = \"20 s\"\ngoodput = \"5 to 5.5 Mbit/s\"\nretransmitted = \"at most 0.001 %\"\n\
     [[runs]]\nname = \"four\"\nstreams = 4\nduration = \"20 s\"\ngoodput = \"20 to 22 Mbit/s\"\n";

#[test]
fn a_receive_window_fits_and_losses_are_excluded() {
    let asked = ["--that", "receive-window", "--against", "random-loss", "--fix", "bbr", "--json"];
    let output = test(WINDOW, &asked);
    let answer = conforming("test", &output.stdout);
    assert_eq!(verdict(&answer, "receive-window"), "fits", "{answer:#}");
    assert!(answer["excluded"]["random-loss"].is_string() && answer["excluded"]["line"].is_string(), "{answer:#}");
    assert_eq!(output.status.code(), Some(0));
    // BBR cannot send more than the window either.
    let [before, after] = ["0", "1"].map(|at| answer["fixes"][0].pointer(&format!("/in_the_lab/{at}")).cloned());
    let rate = |shown: Option<Value>| {
        let text = shown.unwrap().as_str().unwrap().to_owned();
        text.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let (before, after) = (rate(before), rate(after));
    assert!((after / before - 1.0).abs() < 0.2, "{before} {after}");
    assert_eq!(test(WINDOW, &asked).stdout, output.stdout, "the same facts, the same bytes");
}

/// kubernetes 90838: tbf with 10 Mbit/s and a bucket of 268 MB, which lets 1.99 Gbit/s pass in the first second.
#[test]
fn a_bucket_of_the_posting_is_reproduced() {
    let case = include_str!("../cases/k8s-burst.toml");
    let answer = conforming("test", &test(case, &["--that", "shaper-with-burst", "--json"]).stdout);
    assert_eq!(verdict(&answer, "shaper-with-burst"), "fits", "{answer:#}");
}

/// 100 Mbit/s carry 94.1 of payload; an idle RTT of 20 ms and a buffer of one BDP give at most 40 under load.
#[test]
fn a_healthy_line_needs_no_cause() {
    let case = "[path]\nrate = \"100 Mbit/s\"\nrtt = \"20 ms\"\n\
                [[runs]]\nname = \"a\"\nduration = \"20 s\"\ngoodput = \"85 to 95 Mbit/s\"\nsrtt = \"20 to 42 ms\"\n\
                [[runs]]\nname = \"b\"\nstreams = 4\nduration = \"20 s\"\ngoodput = \"85 to 95 Mbit/s\"\n";
    let output = test(case, &["--that", "cap-shaper", "--budget", "20s"]);
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.contains("Answer: the line alone shows every number"), "{page}");
    assert_eq!(output.status.code(), Some(0));
}
