//! Cards of a kept proof and of saved output of `apply`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");

fn card(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goodput")).arg("card").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Figures by hand from proof/verdict.json: 69.3 Mbit/s and 210 ms on a line of 1 Gbit/s; three settings at two hosts.
#[test]
fn a_proof_in_ten_lines_and_a_figure() {
    let folder = tempfile::tempdir().unwrap();
    let figure = folder.path().join("card.svg");
    let done = card(&[TESTS, "--svg", figure.to_str().unwrap()]);
    let said = text(&done.stdout);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(said.lines().count() <= 10, "{said}");
    for due in [
        "- Measured: 69.3 Mbit/s; 210 ms RTT, 1.00 Gbit/s line",
        "- Limit: burst loss, reproduced",
        "with bbr + larger send buffer + larger receive buffer, high confidence",
        "- Changed: nothing yet",
        "sysctl -p /var/lib/goodput-net.ipv4.tcp_rmem",
    ] {
        assert!(said.contains(due), "no {due} in {said}");
    }
    let svg = fs::read_to_string(&figure).unwrap();
    let svg = roxmltree::Document::parse(&svg).unwrap();
    let bars = svg.descendants().filter(|node| node.attribute("height") == Some("16")).count();
    assert_eq!(bars, 2, "measured and predicted");
}

#[test]
fn a_change_with_what_was_measured_after_it_and_no_address() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("applied.json");
    let changed = r#"[{"change": "route-congctl@192.0.2.7/32=bbr", "was": "-", "new": "bbr"}]"#;
    let json = |outcome: &str| {
        format!(
            r#"{{"schema": "goodput/apply/1", "outcome": "{outcome}", "changed": {changed}, "predicted": [80e6, 90e6],
            "pairs": [[40e6, 84e6], [44e6, 88e6]], "compared": {{"sentence": "It is better."}}}}"#
        )
    };
    let file = file.to_str().unwrap();
    fs::write(file, json("applied")).unwrap();
    let said = text(&card(&[file]).stdout);
    assert!(said.contains("- Measured: 42.0 Mbit/s without the change"), "{said}");
    assert!(said.contains("- Measured after: 86.0 Mbit/s, as predicted. It is better."), "{said}");
    assert!(said.contains("route-congctl@ADDRESS/32=bbr") && !said.contains("192.0.2.7"), "{said}");
    assert!(said.contains("- Undo: `sudo goodput undo`"), "{said}");
    fs::write(file, json("put-back")).unwrap();
    let said = text(&card(&[file]).stdout);
    assert!(said.contains("put back, as it was not better") && said.contains("- Undo: nothing to undo"), "{said}");
}

#[test]
fn what_has_no_card_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.json");
    for (written, due) in [("{", "is not JSON"), (r#"{"schema": "goodput/undo/1"}"#, "is not the output of")] {
        fs::write(&file, written).unwrap();
        let done = card(&[file.to_str().unwrap()]);
        assert_eq!(done.status.code(), Some(2));
        assert!(text(&done.stderr).contains(due), "{}", text(&done.stderr));
    }
    let done = card(&[folder.path().to_str().unwrap()]);
    assert!(done.status.code() == Some(2) && text(&done.stderr).contains("is no proof, no run"));
    assert!(!Path::new(folder.path()).join("card.svg").exists());
}
