//! Run folders and experiments made by an attacker: opening them does no harm.

mod commands;
pub mod made;
mod named;
mod parts;
mod pasted;
mod plans;
mod proofs;
mod reading;
mod recorded;
mod sizes;
mod stream;
mod words;

use made::{Made, TRIALS};
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with a private file next to the run.
fn victim(beside: &Made) -> PathBuf {
    let victim = beside.path().join("../victim");
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("letters.txt"), "mine").unwrap();
    victim
}

fn is_untouched(victim: &Path) {
    assert_eq!(fs::read_to_string(victim.join("letters.txt")).unwrap(), "mine");
    assert_eq!(fs::read_dir(victim).unwrap().count(), 1);
}

/// Every command that takes a run's folder and needs no guest.
fn commands(run: &Made) -> Vec<Vec<String>> {
    let (own, first) = (run.name(), format!("{}:0", run.name()));
    let all: &[&[&str]] = &[
        &["report", &own],
        &["report", &own, "--json", "--all"],
        &["diagnose", &own],
        &["diagnose", &first, "--json"],
        &["import", &own],
        &["import", &own, "--json"],
        &["export", &first, "--to", "iperf3"],
        &["compare", &format!("{own}:cubic"), &format!("{own}:reno")],
        &["rerun", &own],
        &["trial", &format!("{own}/plan.json"), "0", "--replay", &own],
        &["run", &run.experiment(), "--replay", &own, "--out", &format!("{own}/../again"), "--no-cache"],
    ];
    all.iter().map(|words| words.iter().map(|word| (*word).to_owned()).collect()).collect()
}

#[test]
fn a_run_that_was_made_is_read_by_every_command() {
    let run = Made::new();
    for command in commands(&run) {
        let said = run.goodput(&command);
        let is_fine = matches!(said.code, 0 | 3) || ["rerun", "run"].contains(&command[0].as_str());
        assert!(is_fine, "{command:?}: {said:?}");
    }
}

#[test]
fn a_link_for_an_unfinished_trial_leads_nowhere() {
    for link_to in ["../../victim", "../../victim/letters.txt"] {
        let run = Made::new();
        let victim = victim(&run);
        fs::remove_dir_all(run.trial(0)).unwrap();
        symlink(link_to, run.path().join("trials/0000.unfinished")).unwrap();
        let replay = Made::new();
        let said = run.goodput(&["trial", &format!("{}/plan.json", run.name()), "0", "--replay", &replay.name()]);
        is_untouched(&victim);
        assert_eq!(said.code, 2, "{said:?}");
        assert!(said.stderr.contains("0000.unfinished") && said.stderr.contains("symbolic link"), "{said:?}");
    }
}

#[test]
fn a_link_for_the_trials_leads_nowhere() {
    let run = Made::new();
    let victim = victim(&run);
    fs::create_dir(victim.join("0000.unfinished")).unwrap();
    fs::write(victim.join("0000.unfinished/letters.txt"), "mine").unwrap();
    fs::remove_dir_all(run.path().join("trials")).unwrap();
    symlink("../victim", run.path().join("trials")).unwrap();
    let replay = Made::new();
    let said = run.goodput(&["trial", &format!("{}/plan.json", run.name()), "0", "--replay", &replay.name()]);
    assert_eq!(said.code, 2, "{said:?}");
    assert!(said.stderr.contains("trials: ") && said.stderr.contains("symbolic link"), "{said:?}");
    assert_eq!(fs::read_to_string(victim.join("0000.unfinished/letters.txt")).unwrap(), "mine");
}

#[test]
fn output_is_not_written_through_links() {
    for name in ["verdict.json", "measures.json", "report.html", "cwnd.svg"] {
        for ending in ["", ".partial"] {
            let run = Made::new();
            let victim = victim(&run);
            let place = run.path().join(format!("{name}{ending}"));
            symlink("../victim/letters.txt", &place).unwrap();
            let said = run.goodput(&["report", &run.name()]);
            is_untouched(&victim);
            assert!(matches!(said.code, 0 | 3), "{said:?}");
            let written = fs::symlink_metadata(run.path().join(name)).unwrap();
            assert!(written.is_file(), "{name}{ending}: the link makes way");
        }
    }
}

#[test]
fn a_link_for_a_rerun_is_removed_and_not_what_it_leads_to() {
    let run = Made::new();
    let victim = victim(&run);
    symlink("../victim", run.path().join("rerun")).unwrap();
    run.goodput(&["rerun", &run.name()]);
    is_untouched(&victim);
}

/// An object in place of a file: its name, and how it is made.
type Oddity = (&'static str, fn(&Path));

const ODDITIES: &[Oddity] = &[
    ("symbolic link", |place| symlink("/dev/zero", place).unwrap()),
    ("named pipe", |place| assert!(Command::new("mkfifo").arg(place).status().unwrap().success())),
    ("socket", |place| drop(UnixListener::bind(place).unwrap())),
    ("folder", |place| fs::create_dir(place).unwrap()),
];

#[test]
fn files_of_a_run_that_are_not_regular_are_named_not_read() {
    for file in [
        "plan.json",
        "environment.json",
        "trials/0000/samples.parquet",
        "trials/0000/trial.json",
        "trials/0000/SHA256SUMS",
        "trials/0000",
    ] {
        for (what, make) in ODDITIES {
            if (file, *what) == ("trials/0000", "folder") {
                continue;
            }
            let run = Made::new();
            let place = run.path().join(file);
            if place.is_dir() {
                fs::remove_dir_all(&place).unwrap()
            } else {
                fs::remove_file(&place).unwrap()
            }
            make(&place);
            assert!(*what != "named pipe" || fs::symlink_metadata(&place).unwrap().file_type().is_fifo());
            for command in commands(&run) {
                let needless = match file {
                    "environment.json" => ["diagnose", "import", "export", "trial"].contains(&command[0].as_str()),
                    "plan.json" => false,
                    // A trial that has a folder is done.
                    _ => command[0] == "trial" && file != "trials/0000",
                };
                let said = run.goodput(&command);
                let name = Path::new(file).file_name().unwrap().to_str().unwrap();
                let is_named = said.code == 2 && said.stderr.contains(name) && said.stderr.contains(what);
                assert!(needless || is_named, "{file} as a {what}, {command:?}: {said:?}");
            }
        }
    }
}

#[test]
fn a_recording_without_sums_is_damaged() {
    let run = Made::new();
    fs::remove_file(run.trial(1).join("SHA256SUMS")).unwrap();
    for command in commands(&run).into_iter().filter(|command| command[0] != "trial") {
        if command.iter().any(|word| word.ends_with(":0")) {
            continue;
        }
        let said = run.goodput(&command);
        let is_refused =
            said.code == 2 && said.stderr.contains("SHA256SUMS is missing") && said.stderr.contains("hint: ");
        assert!(is_refused, "{command:?}: {said:?}");
    }
}

#[test]
fn a_recording_that_was_changed_is_read_by_nobody() {
    let run = Made::new();
    let facts = run.trial(0).join("trial.json");
    fs::write(&facts, fs::read_to_string(&facts).unwrap().replace("made", "fake")).unwrap();
    for command in commands(&run).into_iter().filter(|command| command[0] != "trial") {
        let said = run.goodput(&command);
        assert!(said.code == 2 && said.stderr.contains("trial.json is not what was recorded"), "{command:?}: {said:?}");
    }
}

#[test]
fn sums_list_nothing_outside_their_folder() {
    for name in ["../plan.json", "/etc/hostname", "a/b", "..", "."] {
        let run = Made::new();
        let sums = run.trial(0).join("SHA256SUMS");
        let text = fs::read_to_string(&sums).unwrap();
        fs::write(&sums, format!("{text}{}  {name}\n", "0".repeat(64))).unwrap();
        let said = run.goodput(&["report", &run.name()]);
        assert!(said.code == 2 && said.stderr.contains(&format!("lists \"{name}\"")), "{said:?}");
    }
}

#[test]
fn a_trial_needs_nothing_but_the_plan() {
    let run = Made::new();
    let alone = run.path().join("../alone");
    fs::create_dir(&alone).unwrap();
    fs::copy(run.path().join("plan.json"), alone.join("plan.json")).unwrap();
    let plan = alone.join("plan.json").display().to_string();
    let said = run.goodput(&["trial", &plan, &(TRIALS - 1).to_string(), "--replay", &run.name()]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(alone.join(format!("trials/{:04}/SHA256SUMS", TRIALS - 1)).is_file());
}
