//! Runs that are killed, edited, repeated and damaged: each trial is recorded once, and its recording never changes.

use crate::support::{assert_identical, goodput, kernel};
use plan::recording;
use serde_json::Value;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

const SPEC: &str = r#"
title = "eight short trials"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP", loss = "0.1 %" }
flows = [{ duration = "500 ms" }]
vary = { "flows.congestion" = ["cubic", "bbr"] }
repeat = { seeds = 4 }
"#;

/// A folder for a run, with a cache that contains only the user's kernels.
pub struct Place(TempDir);

impl Place {
    pub fn new() -> Place {
        Place::with(SPEC)
    }

    pub fn with(spec: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("cache/goodput")).unwrap();
        let kernels = kernel().folder.parent().unwrap().canonicalize().unwrap();
        std::os::unix::fs::symlink(kernels, folder.path().join("cache/goodput/kernels")).unwrap();
        fs::write(folder.path().join("spec.toml"), spec).unwrap();
        Place(folder)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(goodput());
        command.args(arguments).current_dir(&self.0).env("XDG_CACHE_HOME", self.path("cache"));
        command.env_remove("GOODPUT_CACHE");
        command
    }

    pub fn goodput(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Standard error of a run that must succeed.
    #[track_caller]
    pub fn run(&self, out: &str, arguments: &[&str]) -> String {
        let output = self.goodput(&[&["run", "spec.toml", "--out", out], arguments].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        said
    }

    /// Standard error of a command that must refuse.
    #[track_caller]
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.goodput(arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(said.contains("\n\nhint: ") && !said.contains("panicked"), "{arguments:?}: {said}");
        said
    }

    /// Starts a run and kills it with all its processes at random moments until it finishes; returns the number of
    /// kills.
    pub fn run_and_kill(&self, out: &str, arguments: &[&str]) -> usize {
        let (mut kills, mut wait) = (0, Duration::ZERO);
        loop {
            let mut command = self.command(&[&["run", "spec.toml", "--out", out], arguments].concat());
            let mut run = command.process_group(0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // A random delay, longer each time so that the run finishes.
            let chance = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().subsec_nanos() % 150_000_000;
            wait += Duration::from_millis(30);
            thread::sleep(wait + Duration::from_nanos(chance.into()));
            if run.try_wait().unwrap().is_some_and(|status| status.success()) {
                return kills;
            }
            kill(run);
            kills += 1;
        }
    }

    fn dry_run(&self, out: &str) -> Value {
        let output = self.goodput(&["run", "spec.toml", "--out", out, "--dry-run", "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    fn entries(&self) -> Vec<PathBuf> {
        entries(&self.path("cache/goodput/trials"))
    }
}

/// Entries of a cache, without its hidden files.
fn entries(cache: &Path) -> Vec<PathBuf> {
    let all = fs::read_dir(cache).into_iter().flatten().map(|entry| entry.unwrap());
    all.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b".")).map(|entry| entry.path()).collect()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Trials that a run recorded itself, and those that it had from the cache.
pub fn origins(said: &str) -> [usize; 2] {
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("trial ")).collect();
    let cached = lines.iter().filter(|line| line.ends_with(", from the cache")).count();
    [lines.len() - cached, cached]
}

/// Two users, as on two machines, share one cache folder.
#[test]
fn two_writers_share_a_cache_and_damage_is_recorded_again() {
    let shared = tempfile::tempdir().unwrap();
    let start = |place: &Place| {
        let mut run = place.command(&["run", "spec.toml", "--out", "run"]);
        run.env("GOODPUT_CACHE", shared.path()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let said = |run: Child| {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    let places = [Place::new(), Place::new()];
    for run in places.each_ref().map(start) {
        said(run);
    }
    assert_identical(&places[0].path("run"), &places[1].path("run"));
    assert!(places.iter().all(|place| place.entries().is_empty()), "GOODPUT_CACHE takes the place of the user's own");
    let entries = entries(shared.path());
    assert_eq!(entries.len(), 8, "whole ones and nothing else: {entries:?}");

    // Another file in its place: the one that is there is the runs' own as well.
    fs::remove_file(entries[3].join(recording::SAMPLES)).unwrap();
    fs::write(entries[3].join(recording::SAMPLES), "PAR1").unwrap();
    let third = Place::new();
    assert_eq!(origins(&said(start(&third))), [1, 7]);
    assert_identical(&places[0].path("run"), &third.path("run"));
}

/// Kills a run with all that it has in its process group, and waits for it.
fn kill(mut run: Child) {
    let group = format!("-{}", run.id());
    Command::new("kill").args(["-KILL", "--", &group]).status().unwrap();
    run.wait().unwrap();
}

#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_bytes() {
    let place = Place::new();
    place.run("whole", &["--no-cache"]);
    for (name, arguments) in [("torn", &["--no-cache"][..]), ("cached", &[])] {
        let kills = place.run_and_kill(name, arguments);
        assert!(kills >= 2, "{name} was killed {kills} times");
        assert_identical(&place.path("whole"), &place.path(name));
    }
    assert!(place.entries().len() <= 8);
}

#[test]
fn an_edited_experiment_records_what_is_new() {
    let place = Place::new();
    assert_eq!(origins(&place.run("first", &[])), [8, 0]);
    fs::write(place.path("spec.toml"), SPEC.replace("\"bbr\"]", "\"bbr\", \"reno\"]")).unwrap();
    let dry_run = place.dry_run("edited");
    let of = |key: &str| dry_run[key].as_u64().unwrap();
    assert_eq!(["trials", "finished", "cached", "waiting"].map(of), [12, 0, 8, 4]);
    assert_eq!(dry_run["measured"], true, "eight trials have shown how long they take");
    assert!(!place.path("edited").exists(), "a dry run creates nothing");
    assert_eq!(origins(&place.run("edited", &[])), [4, 8]);
    assert_eq!(origins(&place.run("apart", &["--no-cache"])), [12, 0]);
    assert_identical(&place.path("apart"), &place.path("edited"));
    let rerun = place.goodput(&["rerun", "edited"]);
    assert!(String::from_utf8_lossy(&rerun.stdout).starts_with("identical: "), "{}", stderr(&rerun));
    assert_eq!(origins(&stderr(&rerun)), [12, 0], "a rerun records everything");
}

#[test]
fn no_cache_neither_gives_nor_takes() {
    let place = Place::new();
    place.run("first", &["--no-cache"]);
    assert_eq!(place.entries(), [""; 0].map(PathBuf::from));
    place.run("second", &[]);
    assert_eq!(origins(&place.run("third", &["--no-cache"])), [8, 0]);
}

#[test]
fn a_damaged_entry_is_recorded_again() {
    let place = Place::new();
    place.run("first", &[]);
    let damaged = place.entries().remove(0).join(recording::SAMPLES);
    let bytes = fs::read(&damaged).unwrap();
    // A file of its own: the run's is linked to it.
    fs::remove_file(&damaged).unwrap();
    fs::write(&damaged, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(origins(&place.run("second", &[])), [1, 7]);
    assert_identical(&place.path("first"), &place.path("second"));
    assert_eq!(origins(&place.run("third", &[])), [0, 8]);
}

#[test]
fn a_cache_that_cannot_be_written_costs_the_cache_alone() {
    let place = Place::new();
    fs::write(place.path("cache/goodput/trials"), "no folder").unwrap();
    let said = place.run("run", &[]);
    assert_eq!(said.matches("cannot cache recordings in ").count(), 1, "{said}");
    assert_eq!(origins(&said), [8, 0]);
}

#[test]
fn two_at_once_in_a_folder_and_two_at_once_on_a_cache() {
    let place = Place::new();
    let start = |out: &str| {
        let mut command = place.command(&["run", "spec.toml", "--out", out]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let first = start("shared");
    while !place.path("shared/plan.json").exists() {
        thread::sleep(Duration::from_millis(5));
    }
    let said = place.refused(&["run", "spec.toml", "--out", "shared"]);
    assert!(said.contains("another goodput is using shared"), "{said}");
    let beside = start("beside");
    for run in [first, beside] {
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    assert_identical(&place.path("shared"), &place.path("beside"));
}

/// A trial is started several times, as a cluster's scheduler may do by mistake.
#[test]
fn one_trial_started_twice_is_recorded_once() {
    let place = Place::new();
    place.run("run", &["--no-cache"]);
    let before = fs::read(place.path("run/trials/0003/trial.json")).unwrap();
    fs::remove_dir_all(place.path("run/trials/0003")).unwrap();
    let start = || place.command(&["trial", "run/plan.json", "3"]).stderr(Stdio::piped()).spawn().unwrap();
    for trial in [start(), start(), start()] {
        let output = trial.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    assert_eq!(fs::read(place.path("run/trials/0003/trial.json")).unwrap(), before);
    assert!(!place.path("run/trials/0003.unfinished").exists());
}

#[test]
fn damage_is_named_with_what_to_do() {
    let place = Place::new();
    place.run("whole", &["--no-cache"]);
    let damaged = |damage: &dyn Fn(&Path), expected: &str| {
        let run = place.path("run");
        let _ = fs::remove_dir_all(&run);
        assert!(Command::new("cp").args(["-r", "whole", "run"]).current_dir(&place.0).status().unwrap().success());
        damage(&run);
        for command in [&["report", "run"][..], &["run", "spec.toml", "--out", "run"]] {
            let said = place.refused(command);
            assert!(said.contains(expected), "{command:?}: {said}");
        }
    };
    let samples = |run: &Path| run.join("trials/0002").join(recording::SAMPLES);
    damaged(&|run| fs::remove_file(samples(run)).unwrap(), "run/trials/0002: samples.parquet is missing");
    damaged(
        &|run| fs::write(samples(run), &fs::read(samples(run)).unwrap()[..1000]).unwrap(),
        "run/trials/0002: samples.parquet is not what was recorded",
    );
    damaged(&|run| fs::write(run.join("plan.json"), "{").unwrap(), "run is damaged: plan.json: ");
    damaged(&|run| fs::write(run.join("environment.json"), "").unwrap(), "run is damaged: environment.json: ");
    damaged(&|run| fs::remove_file(run.join("environment.json")).unwrap(), "run is damaged: environment.json ");
    let said = place.refused(&["rerun", "run"]);
    assert!(said.contains("environment.json"), "{said}");

    // Derived files are made again.
    fs::remove_dir_all(place.path("run")).unwrap();
    place.run("run", &["--no-cache"]);
    for name in ["measures.json", "verdict.json", "report.html", "cwnd.svg"] {
        fs::remove_file(place.path("run").join(name)).unwrap();
    }
    fs::write(place.path("run/throughput.svg"), "").unwrap();
    assert!(place.goodput(&["report", "run"]).status.success());
    assert_identical(&place.path("whole"), &place.path("run"));

    // The hint's advice works.
    fs::remove_file(samples(&place.path("run"))).unwrap();
    place.refused(&["report", "run"]);
    fs::remove_dir_all(place.path("run/trials/0002")).unwrap();
    assert_eq!(origins(&place.run("run", &["--no-cache"])), [1, 0]);
    assert_identical(&place.path("whole"), &place.path("run"));
}

#[test]
fn a_run_of_another_laboratory_is_not_gone_on_with() {
    let place = Place::new();
    place.run("run", &["--no-cache"]);
    let path = place.path("run/environment.json");
    let mut environment: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    // An environment from before that hash existed.
    environment.as_object_mut().unwrap().remove("recorder");
    fs::write(&path, serde_json::to_string_pretty(&environment).unwrap()).unwrap();
    let said = place.refused(&["run", "spec.toml", "--out", "run"]);
    assert!(said.contains("recording code: unknown then, "), "{said}");
    assert!(place.goodput(&["report", "run"]).status.success());
    fs::remove_dir_all(place.path("run/trials/0000")).unwrap();
    let said = place.refused(&["trial", "run/plan.json", "0"]);
    assert!(said.contains("recording code: unknown then, "), "{said}");
}

#[test]
fn many_trials_are_confirmed() {
    let place = Place::new();
    fs::write(place.path("spec.toml"), SPEC.replace("seeds = 4", "seeds = 600")).unwrap();
    let said = place.refused(&["run", "spec.toml", "--out", "run"]);
    assert!(said.contains("1200 trials to run (") && said.contains("--yes"), "{said}");
    assert!(!place.path("run").exists(), "nothing starts");
    let dry_run = place.dry_run("run");
    assert_eq!((dry_run["waiting"].as_u64(), dry_run["measured"].as_bool()), (Some(1200), Some(false)));
}
