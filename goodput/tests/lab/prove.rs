//! `prove` on output of the real iperf3 over a path of `scripts/real-programs`: 20 Mbit/s, 80 ms, 1 BDP, and a receive
//! buffer of 87,380 B.

use super::schema::conforming;
use super::support::goodput;
use prove::trials;
use std::process::{Command, Stdio};

const LISTING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real/rmem-0.json");

#[test]
fn a_receive_window_is_found_with_its_buffer_and_its_gain() {
    let folder = tempfile::tempdir().unwrap();
    let asked = || {
        let mut command = Command::new(goodput());
        command.args(["prove", LISTING, "--budget", "20s", "--may", "receiver", "--out"]).arg(folder.path());
        command.stderr(Stdio::null()).output().unwrap()
    };
    let first = asked();
    assert!(first.status.success());
    let verdict = trials::kept(folder.path()).unwrap();
    assert_eq!(verdict.explanations.len(), 1);
    let own = &verdict.explanations[0];
    assert!(own.names("receive window"), "{}", own.name);
    let [low, high] = own.ranges[2];
    assert!((low..=high).contains(&87_380.0), "{low} {high}");
    // The link carries 20 Mbit/s × 1448 / 1538 of payload; the listing does not say so.
    let best = verdict.best().expect("a larger buffer");
    assert!(best.goodput()[0] <= 20e6 * 1448.0 / 1538.0 && best.is_open(), "{:?}", best.goodput());
    // Showing the proof again needs no trial and prints the same, and so does repeating the proof.
    let shown = Command::new(goodput()).arg("prove").arg(folder.path()).output().unwrap();
    assert_eq!(shown.stdout, first.stdout);
    assert_eq!(asked().stdout, first.stdout);
    assert_eq!(trials::kept(folder.path()).unwrap(), verdict);
    let shown = Command::new(goodput()).args(["prove", "--json"]).arg(folder.path()).output().unwrap();
    conforming("prove", &shown.stdout);
    // The proof's experiments are valid by themselves.
    let kept = std::fs::read_dir(folder.path().join("proof")).unwrap().flatten().map(|entry| entry.path());
    let experiments: Vec<_> = kept.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    assert!(experiments.len() >= 2, "{experiments:?}");
    for experiment in &experiments {
        assert!(Command::new(goodput()).arg("check").arg(experiment).stdout(Stdio::null()).status().unwrap().success());
    }
    let edits = |arguments: [&std::ffi::OsStr; 2]| {
        let done = Command::new(goodput()).args(arguments).arg("--dry-run").output().unwrap();
        String::from_utf8_lossy(&done.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let run = |experiment: &std::path::Path| edits(["run".as_ref(), experiment.as_os_str()]);
    assert!(!run(&experiments[0]).contains("Edited since"), "{}", run(&experiments[0]));
    let text = std::fs::read_to_string(&experiments[0]).unwrap();
    std::fs::write(&experiments[0], text.replace("seeds = 5", "seeds = 6")).unwrap();
    let said = run(&experiments[0]);
    assert!(
        said.contains("Edited since: ") && said.contains("says `seeds = 6` where the proof wrote `seeds = 5`"),
        "{said}"
    );
    let shown = Command::new(goodput()).arg("prove").arg(folder.path()).output().unwrap();
    assert!(String::from_utf8_lossy(&shown.stderr).contains("Edited since: ") && shown.stdout == first.stdout);
}

/// Proofs of minutes, which `make test-all` runs.
mod long {
    use super::LISTING;
    use crate::cache::Place;
    use crate::support::{assert_identical, goodput};
    use prove::trials;
    use prove::{Assumes, Mechanism};
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    /// The founding listing: 101 of 179,590 segments sent again in three events, CUBIC at 69.3 Mbit/s over 1 Gbit/s and 210 ms.
    #[test]
    fn hong_kong_new_york_is_loss_then_receive_window() {
        const PUBLISHED: f64 = 102e6;
        let folder = tempfile::tempdir().unwrap();
        let listing = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings/hong-kong-new-york.txt");
        let mut command = Command::new(goodput());
        command.args(["prove", listing, "--rtt", "210ms", "--rate", "1Gbit/s", "--out"]).arg(folder.path());
        command.stderr(Stdio::null());
        assert!(command.output().unwrap().status.success());
        let verdict = trials::kept(folder.path()).unwrap();
        let names: Vec<&str> = verdict.explanations.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["burst loss"]);
        let [low, high] = verdict.explanations[0].ranges[2];
        assert!((low..=high).contains(&(101.0 / 179_590.0)), "{low} {high}");
        assert!(verdict.excluded.iter().any(|one| one.kind == Mechanism::Pace));
        // The receiver's buffer is not in the listing. Set like the sender (4 MiB, tcp_adv_win_scale 2) it offers 3 MiB.
        let sender =
            verdict.rows.iter().find(|row| row.name == "bbr + larger send buffer").expect("the listing's second run");
        let alike = sender.effects.iter().find(|effect| effect.assumes == Assumes::Alike).expect("a receiver like it");
        let goodput = alike.goodput.iter().sum::<f64>() / alike.goodput.len() as f64;
        assert!(goodput < f64::from(3 << 20) * 8.0 / 0.21 && (goodput / PUBLISHED - 1.0).abs() < 0.1, "{goodput}");
        assert_eq!(alike.next, "the receive window");
        // As in examples/long-fat-line.toml, where the same packets are lost.
        let best = verdict.best().expect("BBR with larger buffers");
        assert!(best.name.starts_with("bbr") && best.goodput()[0] > 300e6, "{} {:?}", best.name, best.goodput());
    }

    #[test]
    fn added_evidence_gives_the_same_proof_as_all_at_once() {
        let place = Place::new();
        let sysctl = place.path("receiver.txt");
        std::fs::write(&sysctl, "net.ipv4.tcp_rmem = 4096 87380 87380\n").unwrap();
        let sysctl = sysctl.to_str().unwrap();
        let prove = |arguments: &[&str]| {
            let mut command = place.command(&["prove"]);
            command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
            assert!(command.status().unwrap().success(), "{arguments:?}");
        };
        let question = ["--budget", "5s", "--may", "receiver"];
        prove(&[&[LISTING, "--out", "grown"][..], &question].concat());
        let first = trials::kept(&place.path("grown")).unwrap();
        prove(&["grown", "--add", sysctl]);
        prove(&[&[LISTING, sysctl, "--out", "whole"][..], &question].concat());
        let [grown, whole] = ["grown", "whole"].map(|name| trials::kept(&place.path(name)).unwrap());
        assert_eq!(grown.before, first.explanations.iter().map(|one| one.name.clone()).collect::<Vec<_>>());
        assert_eq!(prove::Verdict { before: vec![], ..grown }, whole);
        // The same file once more is no more evidence.
        prove(&["grown", "--add", sysctl]);
        assert_eq!(trials::asked(&place.path("grown")).unwrap(), trials::asked(&place.path("whole")).unwrap());
    }

    #[test]
    fn an_interrupted_proof_goes_on_to_the_same_bytes() {
        let (whole, torn) = (Place::new(), Place::new());
        let asked = |place: &Place| {
            let mut command =
                place.command(&["prove", LISTING, "--budget", "5s", "--may", "receiver", "--out", "proven"]);
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
        assert!(!trials::is_kept(&torn.path("proven")));
        assert!(asked(&torn).status().unwrap().success());
        assert_identical(&whole.path("proven"), &torn.path("proven"));
    }

    /// Output of the real ss in the guest, each second, for the real iperf3 on path 1003 of the bench: 6 Mbit/s and 102
    /// ms behind fq_codel with a target of 5 ms, and ECN on both hosts. With BBR that path carried 5.50 Mbit/s instead
    /// of 4.71 (other seeds).
    #[test]
    fn a_marking_queue_is_found_and_bbr_ignores_its_marks() {
        const TRUE: f64 = 5.498e6;
        let folder = tempfile::tempdir().unwrap();
        let listing = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lab/prove/aqm-that-marks.txt");
        let mut command = Command::new(goodput());
        command.args(["prove", listing, "--budget", "20s", "--neighbour", "cubic", "--out"]).arg(folder.path());
        let shown = command.stderr(Stdio::null()).output().unwrap();
        assert!(shown.status.success());
        let verdict = trials::kept(folder.path()).unwrap();
        let first = verdict.explanations.first().expect("it is reproduced");
        assert_eq!(first.name, "AQM");
        let [low, high] = first.ranges[0];
        assert!((low..=high).contains(&6e6), "{low} {high}");
        assert!(
            verdict.excluded.iter().any(|one| one.kind == Mechanism::Loss && one.why == "nothing was retransmitted")
        );
        let best = verdict.best().expect("a change that helps");
        let [low, high] = best.goodput();
        assert!(best.name.starts_with("bbr") && low < 1.05 * TRUE && high > 0.95 * TRUE, "{} {low} {high}", best.name);
        // fq_codel gives each flow its half, whatever its congestion control.
        let [_, theirs] = verdict.neighbour[0].after;
        let half = first.candidate.rate * 1448.0 / 1538.0 / 2.0;
        assert!((theirs / half - 1.0).abs() < 0.15 && verdict.neighbour[0].all.is_some(), "{theirs} of {half}");
        let page = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(page.contains("Neighbour: a competing cubic flow on the same line gets "), "{page}");
    }
}
