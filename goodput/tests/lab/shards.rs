//! Parts of a run that several machines record, joined, equal the run of one machine.

use crate::cache::{Place, stderr};
use crate::full;
use crate::study::{SEARCH, plan};
use crate::support::{self, assert_identical, goodput};
use cluster::part::{self, Part, PartError};
use lab::kernel;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

pub const SWEEP: &str = r#"
title = "three congestion controls, two rates"
path = { rate = "10 Mbit/s", rtt = "10 ms", buffer = "1 BDP", loss = "1 %" }
flows = [{ duration = "200 ms" }]
vary = { "flows.congestion" = ["cubic", "reno", "bbr"], "path.rate" = ["5 Mbit/s", "10 Mbit/s"] }
repeat = { seeds = 3 }
"#;

fn record(place: &Place, part: &str) {
    let ran = place.goodput(&["run", "spec.toml", "--out", "run", "--no-cache", "--shard", part]);
    assert!(ran.status.success(), "{}", stderr(&ran));
}

fn gather(place: &Place, arguments: &[&str]) -> Output {
    place.goodput(&[&["gather"], arguments].concat())
}

#[test]
fn parts_of_a_sweep_come_to_the_run_of_one_machine() {
    let place = Place::with(SWEEP);
    place.run("whole", &["--no-cache"]);
    record(&place, "1/3");
    record(&place, "3/3");
    let open = gather(&place, &["run.1-of-3.tar", "run.3-of-3.tar"]);
    assert_eq!(open.status.code(), Some(3));
    let said = stderr(&open);
    assert!(
        said.contains("6 of 18 trials are missing (part 2/3)") && said.contains("hint: `goodput run … --shard 2/3`"),
        "{said}"
    );
    record(&place, "2/3");
    // Trials that are present already, and parts given twice, do no harm.
    let done = gather(&place, &["run.2-of-3.tar", "run.1-of-3.tar", "--verify", "20", "%"]);
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(String::from_utf8_lossy(&done.stdout).contains("identical: "), "4 trials ran again");
    assert_identical(&place.path("whole"), &place.path("run"));
}

#[test]
fn parts_of_a_search_go_on_round_by_round() {
    let place = Place::with(SEARCH);
    place.run("whole", &["--no-cache"]);
    let mut rounds = 0;
    loop {
        record(&place, "1/2");
        record(&place, "2/2");
        rounds += 1;
        let gathered = gather(&place, &["run.1-of-2.tar", "run.2-of-2.tar"]);
        match gathered.status.code() {
            Some(0) => break,
            Some(3) if rounds < 30 => assert!(stderr(&gathered).contains("another round of"), "{}", stderr(&gathered)),
            code => panic!("{code:?} after {rounds} rounds: {}", stderr(&gathered)),
        }
    }
    assert!(rounds >= 3, "{rounds} rounds");
    assert_identical(&place.path("whole"), &place.path("run"));
}

/// Number of complete trials in the unfinished files of a part.
pub fn recorded(part: &Path) -> usize {
    let mut whole = 0;
    for left in part::left(part).unwrap().iter().filter_map(|path| Part::begun(path).ok()) {
        let mut own = 0;
        let _ = left.each(|_| -> Result<(), PartError> {
            own += 1;
            Ok(())
        });
        whole = whole.max(own);
    }
    whole
}

fn begin(place: &Place, part: &str) -> Child {
    let mut command =
        place.command(&["run", "spec.toml", "--out", "run", "--no-cache", "--jobs", "1", "--shard", part]);
    command.env("TMPDIR", place.path("node")).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_killed_part_and_two_writers_at_once_change_no_byte() {
    let place = Place::with(SWEEP);
    place.run("whole", &["--no-cache"]);
    fs::create_dir(place.path("node")).unwrap();
    let on_the_node = || fs::read_dir(place.path("node")).unwrap().count();
    let part_1 = place.path("run.1-of-2.tar");
    let mut killed = begin(&place, "1/2");
    while recorded(&part_1) < 2 {
        assert!(killed.try_wait().unwrap().is_none(), "it ended before it was killed");
        thread::sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let before = recorded(&part_1);
    assert_eq!(on_the_node(), 1, "what it was recording");
    let twice = [begin(&place, "1/2"), begin(&place, "1/2")];
    while part::left(&part_1).unwrap().len() < 3 {
        thread::sleep(Duration::from_millis(1));
    }
    assert!(recorded(&part_1) >= before, "what was recorded is there");
    for writer in twice {
        let ran = writer.wait_with_output().unwrap();
        assert!(ran.status.success(), "{}", stderr(&ran));
        let trials = stderr(&ran).matches("\ntrial ").count() + usize::from(stderr(&ran).starts_with("trial "));
        assert!(trials <= 9 - before, "{trials} trials were recorded again");
    }
    assert_eq!((part::left(&part_1).unwrap(), on_the_node()), (vec![], 0));
    record(&place, "2/2");
    // A shared file system has one file of each part.
    let names = fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.filter(|name| name.to_string_lossy().starts_with("run.")).count(), 2);
    // Clocks of other machines are apart.
    for (name, time) in [("run.1-of-2.tar", "1970-01-02"), ("run.2-of-2.tar", "2100-01-01")] {
        assert!(Command::new("touch").args(["-d", time]).arg(place.path(name)).status().unwrap().success());
    }
    let done = gather(&place, &["run.1-of-2.tar", "run.2-of-2.tar"]);
    assert!(done.status.success(), "{}", stderr(&done));
    assert_identical(&place.path("whole"), &place.path("run"));
}

#[test]
fn two_that_gather_at_once_come_to_the_same() {
    let place = Place::with(SWEEP);
    place.run("whole", &["--no-cache"]);
    record(&place, "1/1");
    let gathers = [(); 2].map(|()| {
        let mut command = place.command(&["gather", "run.1-of-1.tar"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    });
    let ended = gathers.map(|gather| gather.wait_with_output().unwrap());
    assert!(ended.iter().any(|ended| ended.status.success()), "{}", stderr(&ended[0]));
    for refused in ended.iter().filter(|ended| !ended.status.success()) {
        assert!(stderr(refused).contains("another goodput is using run"), "{}", stderr(refused));
    }
    assert_identical(&place.path("whole"), &place.path("run"));
}

/// Records a part on a node whose own disk is full, then with the shared disk full, then with room on both.
const FULL_DISK_SCRIPT: &str = r#"
mkdir node shared && mount -t tmpfs -o size=40k none node && mount -t tmpfs -o size=8m none shared
export TMPDIR=$PWD/node
"$@" 2>node.said; echo $? >node.code
mount -o remount,size=32m node && mount -o remount,size=100k shared
"$@" 2>shared.said; echo $? >shared.code
mount -o remount,size=8m shared
"$@" 2>room.said; echo $? >room.code
cp shared/run.1-of-1.tar . && ls shared >names && ls node >>names
"#;

#[test]
fn a_node_whose_disk_is_full_says_so_and_its_part_goes_on() {
    let place = Place::with(SWEEP);
    place.run("whole", &["--no-cache"]);
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", FULL_DISK_SCRIPT, "-"]).arg(goodput());
    command.args(["run", "spec.toml", "--out", "shared/run", "--no-cache", "--jobs", "1", "--shard", "1/1"]);
    let ran = command.current_dir(place.path("")).env("XDG_CACHE_HOME", place.path("cache")).output().unwrap();
    assert!(ran.status.success(), "this machine mounts no tmpfs in a user namespace: {}", stderr(&ran));
    let read = |name: &str| fs::read_to_string(place.path(name)).unwrap();
    for (disk, named) in [("node", "node/goodput-"), ("shared", "shared/run.1-of-1.")] {
        let said = read(&format!("{disk}.said"));
        assert_eq!(read(&format!("{disk}.code")).trim(), "2", "{said}");
        assert!(said.contains(full::NO_SPACE) && said.contains(named), "{disk}: {said}");
        assert!(said.contains(&format!("\n\nhint: {}", full::HINT)), "{disk}: {said}");
    }
    assert_eq!(read("room.code").trim(), "0", "{}", read("room.said"));
    assert_eq!(read("names"), "run.1-of-1.tar\n", "nothing else is left");
    let done = gather(&place, &["run.1-of-1.tar"]);
    assert!(done.status.success(), "{}", stderr(&done));
    assert_identical(&place.path("whole"), &place.path("run"));
}

/// Records a part on a machine where the kernel of that name has another version; returns the part's file.
fn record_on_another_kernel(place: &Place, part: &str) -> String {
    let there = place.path("there");
    let here = support::kernel();
    let other = [Some("6.12"), None].map(|name| kernel::find(name).unwrap_or_else(|error| panic!("{error}")));
    let other = other.iter().find(|kernel| kernel.version != here.version).expect("kernels of two versions");
    let folder = there.join("cache/goodput/kernels").join(other.folder.file_name().unwrap());
    fs::create_dir_all(&folder).unwrap();
    for file in fs::read_dir(&other.folder).unwrap().map(Result::unwrap).filter(|file| file.path().is_file()) {
        fs::copy(file.path(), folder.join(file.file_name())).unwrap();
    }
    let list = fs::read_to_string(folder.join("kernel.json")).unwrap();
    let mut list: serde_json::Value = serde_json::from_str(&list).unwrap();
    list["names"] = vec![here.names[0].clone()].into();
    fs::write(folder.join("kernel.json"), list.to_string()).unwrap();
    let mut command = place.command(&["run", "../spec.toml", "--out", "run", "--no-cache", "--shard", part]);
    let ran = command.current_dir(&there).env("XDG_CACHE_HOME", there.join("cache")).output().unwrap();
    assert!(ran.status.success(), "{}", stderr(&ran));
    format!("there/run.{}.tar", part.replace('/', "-of-"))
}

/// Repacks an archive after `change` has changed its files.
fn repack(place: &Place, from: &str, to: &str, change: impl Fn(&Path)) {
    let folder = place.path("unpacked");
    fs::create_dir(&folder).unwrap();
    let tar = |arguments: &[&str]| {
        let ran = Command::new("tar").args(arguments).current_dir(&folder).output().unwrap();
        assert!(ran.status.success(), "{}", stderr(&ran));
        ran.stdout
    };
    let archive = format!("../{from}");
    let names = tar(&["xvf", &archive]);
    fs::write(place.path("names"), names).unwrap();
    change(&folder);
    tar(&["--create", "--blocking-factor=1", &format!("--file=../{to}"), "--files-from=../names"]);
    fs::remove_dir_all(&folder).unwrap();
}

/// Repacks a part with the files of trial 2 as trial 0: wrong files, but with sums that match them.
fn forge(place: &Place, from: &str, to: &str) {
    repack(place, from, to, |at| {
        for entry in fs::read_dir(at.join("trials/0002")).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), at.join("trials/0000").join(entry.file_name())).unwrap();
        }
        let end = fs::read_to_string(at.join("end.json")).unwrap();
        fs::write(at.join("end.json"), end.replace(&value_of(&end, &["sha256"]), &"0".repeat(64))).unwrap();
    });
}

#[test]
fn a_forged_trial_is_told_by_recording_it_again() {
    let place = Place::with(SWEEP);
    record(&place, "1/1");
    forge(&place, "run.1-of-1.tar", "forged.tar");
    let done = gather(&place, &["forged.tar", "--out", "forged", "--verify", "100%"]);
    let said = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(1), "{said}{}", stderr(&done));
    let mut different = said.lines().skip_while(|line| !line.starts_with("different: ")).skip(1).map(str::trim);
    assert!(different.next().is_some_and(|file| file.starts_with("trials/0000/")), "{said}");
    assert!(different.all(|file| !file.starts_with("trials/") || file.starts_with("trials/0000/")), "{said}");
}

#[test]
fn foreign_parts_are_refused() {
    let place = Place::with(SWEEP);
    record(&place, "1/2");
    record(&place, "2/2");
    let refused = |arguments: &[&str]| place.refused(&[&["gather"], arguments].concat());
    let (first, second) = ("run.1-of-2.tar", "run.2-of-2.tar");

    fs::copy(place.path(second), place.path("second")).unwrap();
    assert!(refused(&["second"]).contains("does not tell by its name which run it is a part of"));
    assert!(refused(&["old.1-of-2.tar"]).contains("is no part of a run: No such file"));
    fs::create_dir(place.path("old.1-of-2.tar")).unwrap();
    assert!(refused(&["old.1-of-2.tar"]).contains("is no part of a run: it is a folder"));

    let head = |at: &Path| fs::read_to_string(at.join("part.json")).unwrap();
    repack(&place, second, "other.tar", |at| {
        let agent = value_of(&head(at), &["environment", "agent"]);
        fs::write(at.join("part.json"), head(at).replace(&agent, &"0".repeat(64))).unwrap();
    });
    let said = refused(&[first, "other.tar"]);
    assert!(said.contains("other.tar was recorded in a different environment than run.1-of-2.tar: agent"), "{said}");

    let elsewhere = record_on_another_kernel(&place, "2/2");
    let said = refused(&[first, &elsewhere]);
    assert!(said.contains("environment than run.1-of-2.tar: guest kernel"), "{said}");

    repack(&place, first, "other.tar", |at| {
        let plan = value_of(&head(at), &["outline", "plan"]);
        fs::write(at.join("part.json"), head(at).replace(&plan, &"0".repeat(64))).unwrap();
    });
    let said = refused(&["other.tar", "--out", "elsewhere"]);
    assert!(said.contains("this goodput makes another plan of its experiment"), "{said}");

    repack(&place, second, "other.tar", |at| fs::write(at.join("trials/0001/trial.json"), "{}").unwrap());
    let said = refused(&[first, "other.tar"]);
    assert!(
        said.contains("other.tar is damaged at byte ") && said.contains("trial 1: trial.json is not what was"),
        "{said}"
    );

    let whole = fs::read(place.path(second)).unwrap();
    fs::write(place.path("other.tar"), &whole[..whole.len() / 2]).unwrap();
    let said = refused(&[first, "other.tar"]);
    assert!(said.contains(&format!("other.tar is cut off at byte {}, after ", whole.len() / 2)), "{said}");

    // Only the truncated trials are recorded again.
    fs::rename(place.path("other.tar"), place.path(second)).unwrap();
    record(&place, "2/2");

    fs::write(place.path("spec.toml"), SWEEP.replace("seeds = 3", "seeds = 2")).unwrap();
    let ran = place.goodput(&["run", "spec.toml", "--out", "other", "--no-cache", "--shard", "1/2"]);
    assert!(ran.status.success(), "{}", stderr(&ran));
    let said = refused(&[first, "other.1-of-2.tar"]);
    assert!(
        said.contains("other.1-of-2.tar is a part of another experiment than run.1-of-2.tar: line 6 is "),
        "{said}"
    );
    assert!(said.contains("is `repeat = { seeds = 2 }`, not `repeat = { seeds = 3 }`"), "{said}");
    let said = place.refused(&["run", "spec.toml", "--out", "run", "--no-cache", "--shard", "1/2"]);
    assert!(said.contains("run has the results of another plan"), "{said}");

    forge(&place, first, "twice.tar");
    let said = refused(&[first, "twice.tar", "--out", "new"]);
    assert!(said.contains("trial 0 is not the same in run.1-of-2.tar and twice.tar"), "{said}");
    assert!(!place.path("new").exists(), "nothing was joined");
    assert_eq!(gather(&place, &[first]).status.code(), Some(3));
    let said = refused(&["twice.tar", "--out", "run"]);
    assert!(said.contains("trial 0 is not the same in run/trials/0000 and twice.tar"), "{said}");
    assert!(!place.path("run").join("verdict.json").exists());
    assert_eq!(plan(&place.path("run")).trials.len(), 18);
}

/// The run's folder may have come by mail, with a plan that had grown by another round.
#[test]
fn a_folder_adds_no_commands_to_an_experiment() {
    let place = Place::with(&SWEEP.replace("flows =", "hosts = { sender = { run = ['true'] } }\nflows ="));
    record(&place, "1/18");
    assert_eq!(gather(&place, &["run.1-of-18.tar"]).status.code(), Some(3));
    let path = place.path("run/plan.json");
    let mut plan: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let mut more = plan["trials"][17].clone();
    (more["index"], more["seed"]) = (18.into(), 4.into());
    plan["trials"].as_array_mut().unwrap().push(more);
    let mut grown = |command: &str| {
        plan["trials"][18]["scene"]["commands"][0]["command"] = command.into();
        fs::write(&path, plan.to_string()).unwrap();
        place.goodput(&["run", "spec.toml", "--out", "run", "--no-cache", "--shard", "2/18"])
    };
    let refused = grown("touch evil");
    let said = stderr(&refused);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("run runs commands that you have not run before:\n  touch evil\n"), "{said}");
    let own = grown("true");
    assert!(own.status.success(), "{}", stderr(&own));
}

/// The value of a key of a JSON text.
fn value_of(text: &str, keys: &[&str]) -> String {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    keys.iter().fold(&value, |value, key| &value[*key]).as_str().unwrap().to_owned()
}
