//! `prove` on what the real iperf3 printed on a path that `scripts/real-programs` names: 20 Mbit/s, 80 ms, 1 BDP, and a
//! receive buffer of 87,380 B.

use super::cache::Place;
use super::support::{assert_identical, goodput};
use goodput::proof;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

const LISTING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real/rmem-0.json");

#[test]
fn a_receive_window_is_found_with_its_buffer_and_what_a_larger_one_brings() {
    let folder = tempfile::tempdir().unwrap();
    let asked = || {
        let mut command = Command::new(goodput());
        command.args(["prove", LISTING, "--budget", "20s", "--may", "receiver", "--out"]).arg(folder.path());
        command.stderr(Stdio::null()).output().unwrap()
    };
    let first = asked();
    assert!(first.status.success());
    let verdict = proof::kept(folder.path()).unwrap();
    assert_eq!(verdict.explanations.len(), 1);
    let own = &verdict.explanations[0];
    assert!(own.names("receive window"), "{}", own.name);
    let [low, high] = own.ranges[2];
    assert!((low..=high).contains(&87_380.0), "{low} {high}");
    // The line carries 20 Mbit/s × 1448 / 1538 of payload, and nothing in the listing says so.
    let best = verdict.best().expect("a larger buffer");
    assert!(best.goodput()[0] <= 20e6 * 1448.0 / 1538.0 && best.is_open(), "{:?}", best.goodput());
    // A second look needs no trial and says the same; so does the proof that is run again.
    let shown = Command::new(goodput()).arg("prove").arg(folder.path()).output().unwrap();
    assert_eq!(shown.stdout, first.stdout);
    assert_eq!(asked().stdout, first.stdout);
    assert_eq!(proof::kept(folder.path()).unwrap(), verdict);
    // What is kept can be checked by itself.
    let kept = std::fs::read_dir(folder.path().join("proof")).unwrap().flatten().map(|entry| entry.path());
    let experiments: Vec<_> = kept.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    assert!(experiments.len() >= 2, "{experiments:?}");
    for experiment in experiments {
        assert!(
            Command::new(goodput()).arg("check").arg(&experiment).stdout(Stdio::null()).status().unwrap().success()
        );
    }
}

#[test]
fn an_interrupted_proof_goes_on_to_the_same_bytes() {
    let (whole, torn) = (Place::new(), Place::new());
    let asked = |place: &Place| {
        let mut command = place.command(&["prove", LISTING, "--budget", "5s", "--may", "receiver", "--out", "proven"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    assert!(asked(&whole).status().unwrap().success());
    let mut child = asked(&torn).spawn().unwrap();
    // The second round has begun once its experiment is written.
    while !torn.path("proven/rounds/01.toml").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before its second round");
        thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!proof::is_kept(&torn.path("proven")));
    assert!(asked(&torn).status().unwrap().success());
    assert_identical(&whole.path("proven"), &torn.path("proven"));
}
