//! Reach of a hostile command in a guest, with both walls around the guest and with each alone.
//!
//! `tests/walls/guest.c` tries; `goodput/tests/it/walls.rs` tries from the place of the guest's kernel.

use crate::cache::Place;
use crate::skip::skip;
use crate::support::{agent, assert_identical, goodput, kernel, plan};
use evidence::platform::Version;
use goodput::engine::uml::{Keeping, Uml};
use goodput::engine::walls::{self, Wall};
use goodput::engine::{Engine, TrialError, loader};
use goodput::folder::Folder;
use goodput::recording::TRIAL;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Results of a program's attempts, run by a command of the sender.
fn attempts(keeping: Keeping) -> BTreeMap<String, String> {
    ran(keeping, "").unwrap_or_else(|error| panic!("{error}"))
}

/// The same with arguments; or how the trial ended.
fn ran(keeping: Keeping, arguments: &str) -> Result<BTreeMap<String, String>, TrialError> {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("guest");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/walls/guest.c");
    let flags =
        ["-static", "-nostdlib", "-ffreestanding", "-fno-tree-loop-distribute-patterns", "-fno-stack-protector"];
    let built = Command::new("cc").args(flags).args(["-Os", "-s", "-o"]).arg(&program).arg(source).status();
    assert!(built.unwrap().success());
    let text = Command::new("base64").arg("-w0").arg(&program).output().unwrap().stdout;
    let text = String::from_utf8(text).unwrap();
    let run = format!("echo {text} | base64 -d > /tmp/guest; chmod 755 /tmp/guest; /tmp/guest {arguments}");
    let trial = plan(&format!(
        r#"
        title = "escape"
        path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "20 packets" }}
        flows = [{{ duration = "1 s" }}]
        hosts.sender.run = ["{run}"]
        "#
    ))
    .trials
    .remove(0);
    let out = folder.path().join("trial");
    std::fs::create_dir(&out).unwrap();
    let lab = Uml::new(vec![(trial.kernel.clone(), kernel())], agent()).with_program(goodput()).with_keeping(keeping);
    lab.record(&trial, &Folder::open(&out).unwrap())?;
    let facts: serde_json::Value = serde_json::from_slice(&std::fs::read(out.join(TRIAL)).unwrap()).unwrap();
    let said = facts["ran"][0]["output"].as_str().unwrap();
    Ok(said.lines().filter_map(|line| line.split_once(": ")).map(|(a, b)| (a.into(), b.into())).collect())
}

/// Every attempt has failed, as it should.
fn assert_kept_in(attempts: &BTreeMap<String, String>) {
    assert_eq!(attempts.len(), 20, "{attempts:?}");
    for (attempt, answer) in attempts {
        match attempt.as_str() {
            // Ended, instead of answered by the host.
            "stub" | "kernel's memory" => assert_eq!(answer, "signal 11"),
            "descriptors" => assert_eq!(answer, "open 0"),
            _ => assert!(answer.starts_with("errno ") && answer != "errno 0", "{attempt}: {answer}"),
        }
    }
}

#[test]
fn a_hostile_command_reaches_nothing() {
    assert_kept_in(&attempts(Keeping::default()));
}

/// The guest's own wall alone: no call of the stub's, and none of the host's files but programs.
#[test]
fn a_hostile_command_reaches_nothing_without_the_walls_around_the_kernel() {
    assert_kept_in(&attempts(Keeping { without: Wall::ALL.to_vec(), ..Keeping::default() }));
}

/// Reason for the first wall: with a filter, a program can make the stub's calls, and the host answers. Two calls give
/// it the memory of the guest's kernel, and only the second wall is left.
#[test]
fn a_filter_would_let_a_command_reach_the_host() {
    if kernel().version.parse::<Version>().unwrap() < "6.16".parse().unwrap() {
        return; // Such a kernel has no filter.
    }
    for without in [vec![], Wall::ALL.to_vec()] {
        let attempts = attempts(Keeping { filtered: true, without, ..Keeping::default() });
        assert_eq!(attempts["stub"], "errno 11", "EAGAIN, of the kernel's socket on the host");
        assert_eq!(attempts["kernel's memory"], "errno 0", "a name in the kernel's own memory is another");
    }
}

/// A command makes the guest's kernel become a shell of the host. Returns whether the shell left its file, and the
/// command's output or the trial's error.
fn escaped(keeping: Keeping, loader: &str) -> (bool, Result<String, String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("was-here");
    let symbols = Command::new("nm").arg(kernel().linux()).output().unwrap().stdout;
    let symbols = String::from_utf8(symbols).unwrap();
    let address =
        |name: &str| symbols.lines().find(|line| line.ends_with(&format!(" {name}"))).unwrap()[..16].to_owned();
    let [start, operations, execve] = ["__binary_start", "full_fops", "execvp_noalloc"].map(address);
    let script = format!("echo goodput > {}", file.display());
    let ran = ran(keeping, &format!("{start} {operations} {execve} {loader} /bin/sh -c '{script}'"));
    let said = ran.map(|attempts| attempts["program of the host"].clone()).map_err(|error| error.to_string());
    (fs::read(&file).is_ok_and(|bytes| bytes == b"goodput\n"), said)
}

/// The whole way, from a command in the guest to a shell of the host's that writes a file, and each wall alone on it.
#[test]
fn a_command_runs_no_program_of_the_host_behind_either_wall() {
    if kernel().version.parse::<Version>().unwrap() < "6.16".parse().unwrap() {
        return; // Such a kernel has no filter, and what it has in its place is the first wall.
    }
    let standing = walls::probe(&goodput());
    let but = |wall: Wall| Wall::ALL.into_iter().filter(|other| *other != wall).collect::<Vec<_>>();
    let behind = |without: Vec<Wall>| Keeping { filtered: true, without, ..Keeping::default() };

    let (was_here, said) = escaped(behind(Wall::ALL.to_vec()), "");
    assert!(was_here, "without walls nothing stops it: {said:?}");

    // The first wall alone ends the command at the stub.
    let first = Keeping { without: Wall::ALL.to_vec(), ..Keeping::default() };
    assert_eq!(escaped(first, ""), (false, Ok("signal 11".into())));

    let both = [Wall::Landlock, Wall::Seccomp].iter().all(|wall| standing.contains(wall));
    let cases = [
        // Landlock forbids execution, except of the loader, which runs any program; but no file is written.
        (standing.contains(&Wall::Landlock), but(Wall::Landlock), "", Ok("errno 13")),
        (standing.contains(&Wall::Landlock), but(Wall::Landlock), loader::HOST_LOADER, Err("Permission denied")),
        // The filter has no call that makes a file.
        (standing.contains(&Wall::Seccomp), but(Wall::Seccomp), "", Err("Function not implemented")),
        (both, vec![], "", Ok("errno 13")),
        (both, vec![], loader::HOST_LOADER, Err("Function not implemented")),
    ];
    for (_, without, loader, expected) in cases.into_iter().filter(|(stand, ..)| *stand) {
        let (was_here, said) = escaped(behind(without.clone()), loader);
        let is_stopped = match (&said, expected) {
            (Ok(answer), Ok(errno)) => answer == errno,
            (Err(end), Err(words)) => end.starts_with("the guest died ") && end.contains(words),
            _ => false,
        };
        assert!(!was_here && is_stopped, "without {without:?}, {loader}: {said:?}");
    }
}

/// Builds the program that runs another one as on a machine that lacks system calls.
fn lacking(place: &Place) -> PathBuf {
    let program = place.path("lacking");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/walls/lacking.c");
    assert!(Command::new("cc").arg("-o").arg(&program).arg(source).status().unwrap().success());
    program
}

/// A machine without Landlock, and one without filters of system calls, by the numbers of their calls on x86-64.
#[test]
fn where_a_wall_is_missing_commands_need_leave() {
    let place = Place::with(SHORT_EXPERIMENT);
    let lacking = lacking(&place);
    std::fs::write(place.path("runs.toml"), format!("{SHORT_EXPERIMENT}hosts.sender.run = ['true']\n")).unwrap();
    let (plain, allowed) = (("spec.toml", &[][..]), ("runs.toml", &["--allow-commands"][..]));
    // A newer guest kernel filters the calls of its programs, and without filters traces them: the same bytes.
    place.run("here", &["--no-cache"]);
    for (call, wall) in [("444", Wall::Landlock), ("317", Wall::Seccomp)] {
        let run = |file: &str, more: &[&str]| {
            let out = format!("{call}-{file}");
            let mut command = Command::new(&lacking);
            command.arg(call).arg(goodput()).args(["run", file, "--no-cache", "--out", &out]).args(more);
            let output =
                command.current_dir(place.path(".")).env("XDG_CACHE_HOME", place.path("cache")).output().unwrap();
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let (code, said) = run("runs.toml", &[]);
        let words = format!("this machine cannot keep them in: it lacks {}", wall.name());
        assert!(code == Some(2) && said.contains(&words) && said.contains("hint: read the commands"), "{said}");
        assert!(!place.path(&format!("{call}-runs.toml/trials/0000")).exists());
        for (file, more) in [plain, allowed] {
            let (code, said) = run(file, more);
            assert_eq!(code, Some(0), "{file}: {said}");
            if file == plain.0 {
                assert_identical(&place.path("here/trials"), &place.path(&format!("{call}-{file}/trials")));
            }
            let environment = std::fs::read(place.path(&format!("{call}-{file}/environment.json"))).unwrap();
            let environment: serde_json::Value = serde_json::from_slice(&environment).unwrap();
            let host = environment["host"].as_array().unwrap();
            let walls = host.iter().find(|row| row[0] == "walls around the guest").unwrap()[1].as_str().unwrap();
            assert!(!walls.contains(wall.name()) && walls.contains(Wall::Namespaces.name()), "{walls}");
        }
    }
}

/// Without filters and without ptrace(2) nothing confines a guest's programs: goodput reports that, with a remedy.
#[test]
fn a_machine_that_lets_no_guest_hold_its_programs_is_named() {
    let place = Place::with(SHORT_EXPERIMENT);
    let lacking = lacking(&place);
    for arguments in [&["run", "spec.toml", "--no-cache", "--out", "run"][..], &["doctor"]] {
        let mut command = Command::new(&lacking);
        command.arg("317").arg(&lacking).arg("101").arg(goodput()).args(arguments);
        let output = command.current_dir(place.path(".")).env("XDG_CACHE_HOME", place.path("cache")).output().unwrap();
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(words.contains("can neither filter the system calls of its programs") && words.contains("(ptrace(2))"));
        assert!(words.contains("hint: allow one of the two; a container has"), "{said}");
    }
}

const SHORT_EXPERIMENT: &str = r#"
title = "short"
path = { rate = "10 Mbit/s", rtt = "20 ms", buffer = "20 packets" }
flows = [{ duration = "200 ms" }]
"#;

/// Its memory is no file, and it writes none.
#[test]
fn a_guest_needs_no_folder_for_its_memory() {
    let folder = tempfile::tempdir().unwrap();
    let smoke = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/smoke.toml");
    let line =
        "mount -t tmpfs -o ro,noexec none /dev/shm && TMPDIR=/nowhere exec \"$0\" run \"$1\" --no-cache --out \"$2\"";
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", line]).arg(goodput()).arg(smoke).arg(folder.path().join("run"));
    let output = command.env("GOODPUT_AGENT", goodput().with_file_name("goodput-agent")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("unshare failed") {
        skip("this machine allows no user namespaces");
        return;
    }
    assert!(output.status.success(), "{said}");
}
