//! Whatever is killed, nothing of a run outlives it.

use super::place::{Place, signal, wait};
use std::os::unix::process::CommandExt;
use std::thread;
use std::time::Duration;

/// Kills by another delay each time, so that they meet every stage from the start to a guest that runs.
#[test]
fn a_killed_run_leaves_no_process() {
    let place = Place::with_hanging_guest();
    for number in 0..24u64 {
        let arguments = format!("run x.toml --no-cache --out run-{number} --jobs 2");
        let mut child = place.goodput(&arguments).process_group(0).spawn().unwrap();
        thread::sleep(Duration::from_millis((number * 37) % 400));
        // Some only once the guests run.
        if number % 4 == 3 {
            place.wait_for(" stub ");
        }
        let id = if number % 2 == 0 { format!("{}", child.id()) } else { format!("-{}", child.id()) };
        signal("KILL", &id);
        child.wait().unwrap();
        place.assert_empty(&format!("kill {number} of {id}"));
    }
}

#[test]
fn a_killed_trial_is_told_of_and_leaves_no_process() {
    let place = Place::with_hanging_guest();
    let child = place.goodput("run x.toml --no-cache --out new --jobs 1").spawn().unwrap();
    place.wait_for(" stub ");
    let trial = place.processes().into_iter().find(|line| line.contains(" trial ")).unwrap();
    signal("KILL", trial.split(' ').next().unwrap());
    let (code, _, said) = wait(child, Duration::from_secs(40));
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("its process ended without a word (signal: 9 (SIGKILL))"), "{said}");
    place.assert_empty("its trial was killed");
}

/// The child looks at its parent after it has asked for its death, so that none falls between.
#[test]
fn a_trial_whose_parent_is_another_ends() {
    let place = Place::with_hanging_guest();
    let (code, took, said) =
        wait(place.goodput("trial run/plan.json 0 --parent 1").spawn().unwrap(), Duration::from_secs(40));
    assert_eq!(code, 130, "{said}");
    assert!(took < Duration::from_secs(20));
    place.assert_empty("an orphan");
}

#[test]
fn a_killed_build_leaves_no_process() {
    let place = Place::new();
    place.program("bin/tar", "exec sleep 600");
    let mut child = place.goodput("kernel add --from source.tar").spawn().unwrap();
    place.wait_for("sleep 600");
    signal("KILL", &child.id().to_string());
    child.wait().unwrap();
    place.assert_empty("a build");
}
