//! The first SIGINT, SIGTERM or SIGHUP ends every command within a second, and the exit code is 130.

use super::place::{GOODPUT, Place, signal, wait};
use std::io::Write;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

const SIGNALS: [&str; 3] = ["INT", "TERM", "HUP"];
/// Longest time from a signal to the end. Without a signal these commands take minutes; on an idle machine a signal
/// takes less than a second, under a load of 8 more.
const MAX_EXIT_TIME: Duration = Duration::from_secs(20);

/// Sends a signal to a process, asserts its exit code and time, and returns its standard error.
#[track_caller]
fn ends(child: Child, name: &str, what: &str) -> String {
    signal(name, &child.id().to_string());
    let (code, took, said) = wait(child, 2 * MAX_EXIT_TIME);
    assert_eq!(code, 130, "{what}, SIG{name}: {said}");
    assert!(took < MAX_EXIT_TIME, "{what}, SIG{name}: {took:?}: {said}");
    said
}

#[test]
fn a_command_that_reads_without_end_is_ended() {
    let place = Place::new();
    for (arguments, name) in ["diagnose -", "import -"].iter().flat_map(|a| SIGNALS.map(|name| (a, name))) {
        let mut child = place.goodput(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let endless = thread::spawn(move || while stdin.write_all(b"nothing that anybody knows\n").is_ok() {});
        thread::sleep(Duration::from_millis(100));
        ends(child, name, arguments);
        endless.join().unwrap();
    }
}

#[test]
fn a_run_ends_with_all_its_processes_and_can_go_on() {
    for name in SIGNALS {
        let place = Place::with_hanging_guest();
        let child = place.goodput("run x.toml --no-cache --out new --jobs 2").spawn().unwrap();
        place.wait_for(" stub ");
        let said = ends(child, name, "run");
        assert!(said.contains("interrupted with 0 of 2 trials finished"), "{said}");
        place.assert_empty(name);
        let again = place.goodput("run x.toml --no-cache --out new").spawn().unwrap();
        place.wait_for(" stub ");
        ends(again, name, "run");
    }
}

/// goodput does not wait after a second signal, and the trials end nevertheless.
#[test]
fn a_second_signal_leaves_no_process_either() {
    let place = Place::with_hanging_guest();
    for number in 0..6 {
        let arguments = format!("run x.toml --no-cache --out new-{number} --jobs 2");
        let child = place.goodput(&arguments).spawn().unwrap();
        place.wait_for(" stub ");
        signal("TERM", &child.id().to_string());
        ends(child, "INT", "run");
        place.assert_empty("a second signal");
    }
}

#[test]
fn a_trial_ends_with_all_its_processes() {
    for name in SIGNALS {
        let place = Place::with_hanging_guest();
        place.plan("alone");
        let plan = place.path("alone/plan.json");
        let child = place.goodput(&format!("trial {} 0", plan.display())).spawn().unwrap();
        place.wait_for(" stub ");
        ends(child, name, "trial");
        place.assert_empty(name);
    }
}

#[test]
fn an_examination_ends_with_all_its_processes() {
    for name in SIGNALS {
        let place = Place::with_hanging_guest();
        let child = place.goodput("doctor").env("TMPDIR", place.path("")).spawn().unwrap();
        place.wait_for(" stub ");
        ends(child, name, "doctor");
        place.assert_empty(name);
        let left = std::fs::read_dir(place.path("")).unwrap().flatten().map(|entry| entry.file_name());
        assert!(!left.into_iter().any(|name| name.to_string_lossy().starts_with(".tmp")));
    }
}

#[test]
fn a_kernel_build_ends_with_all_its_processes_and_blames_nobody() {
    for name in SIGNALS {
        let place = Place::new();
        place.program("bin/tar", "sh -c 'sleep 600; :' unpacking & wait");
        let child = place.goodput("kernel add --from source.tar").spawn().unwrap();
        place.wait_for("unpacking");
        let said = ends(child, name, "kernel add");
        assert!(said.contains("interrupted") && !said.contains("tar: "), "{said}");
        place.assert_empty(name);
    }
}

#[test]
fn a_search_for_a_commit_ends_with_all_its_processes() {
    for name in SIGNALS {
        let place = Place::new();
        place.program("bin/git", "sh -c 'sleep 600; :' searching & wait");
        place.write("expect.toml", &(super::place::read(&place.path("x.toml")) + super::EXPECT));
        let child = place.goodput("bisect expect.toml --tree . --good a --bad b").spawn().unwrap();
        place.wait_for("searching");
        ends(child, name, "bisect");
        place.assert_empty(name);
    }
}

/// Short commands may end before the signal arrives.
#[test]
fn short_commands_end_at_once_and_leave_nothing_half_written() {
    let place = Place::new();
    let whole = |name: &str| super::place::read(&place.path(name));
    let output = place.goodput("report run --csv all.csv").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let (report, csv) = (whole("run/report.html"), whole("all.csv"));
    let commands =
        ["report run --csv all.csv", "check x.toml", "import listing.txt", "compare listing.txt:1 listing.txt:2"];
    for (number, arguments) in commands.iter().cycle().take(24).enumerate() {
        let child = place.goodput(arguments).stdout(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(3 * number as u64));
        signal(SIGNALS[number % 3], &child.id().to_string());
        let (code, took, said) = wait(child, 2 * MAX_EXIT_TIME);
        // 2 is a SIGTERM before goodput listens; 3 is inconclusive.
        assert!([0, 3, 130, 1002, 1015, 1001].contains(&code), "{arguments}: {code}: {said}");
        assert!(took < MAX_EXIT_TIME, "{arguments}: {took:?}");
        assert_eq!(whole("run/report.html"), report);
        assert_eq!(whole("all.csv"), csv);
    }
}

#[test]
fn a_parent_that_blocks_or_ignores_signals_changes_nothing() {
    let place = Place::with_hanging_guest();
    // Perl is in every Debian; sh cannot block a signal.
    let blocked = "use POSIX; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGINT, SIGTERM, SIGHUP)); exec @ARGV";
    for name in SIGNALS {
        let mut command = place.command("perl");
        command.args(["-e", blocked, GOODPUT, "run", "x.toml", "--no-cache", "--out", name]);
        let child = command.spawn().unwrap();
        place.wait_for(" stub ");
        ends(child, name, "run with blocked signals");
        place.assert_empty(name);
    }
    let place = Place::new();
    let ignored = "$SIG{CHLD} = 'IGNORE'; exec @ARGV";
    let mut command = place.command("perl");
    let arguments = ["run", "x.toml", "--no-cache", "--out", "replayed", "--replay", "run"];
    let output = command.args(["-e", ignored, GOODPUT]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// SIGHUP is ignored, as under nohup(1).
#[test]
fn a_run_that_ignores_sighup_continues() {
    let place = Place::with_hanging_guest();
    let child = place.shell("trap '' HUP; exec \"$GOODPUT\" run x.toml --no-cache --out new").spawn().unwrap();
    place.wait_for(" stub ");
    signal("HUP", &child.id().to_string());
    thread::sleep(Duration::from_millis(500));
    assert!(!place.processes().is_empty());
    ends(child, "TERM", "run");
    place.assert_empty("nohup");
}
