//! Commands in a run folder that came by mail.

use super::made::{EXPERIMENT, Made};
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

fn with_commands() -> Made {
    with("touch /tmp/was-here; echo hello")
}

fn with(command: &str) -> Made {
    Made::of(&format!("{EXPERIMENT}\n[hosts.sender]\nrun = [{command:?}]\n"))
}

fn refused(run: &Made) -> [(String, bool); 2] {
    let plan = format!("{}/plan.json", run.name());
    fs::rename(run.trial(0), run.path().join("trials/kept")).unwrap();
    let trial = run.goodput(&["trial", &plan, "0"]);
    fs::rename(run.path().join("trials/kept"), run.trial(0)).unwrap();
    let rerun = run.goodput(&["rerun", &run.name()]);
    [trial, rerun].map(|said| {
        assert_eq!(said.code, 2, "there is no kernel either: {said:?}");
        let is_refused =
            said.stderr.contains("runs commands that you have not run before:\n  touch /tmp/was-here; echo hello");
        (said.stderr, is_refused)
    })
}

#[test]
fn unknown_commands_are_shown_and_do_not_run() {
    for (said, is_refused) in refused(&with_commands()) {
        assert!(is_refused && said.contains("hint: read them, then pass --allow-commands"), "{said}");
    }
}

/// What is asked about is one line for each command, so that none looks like the end of the list.
#[test]
fn a_command_of_many_lines_is_shown_as_one() {
    let run = with("true\n\nhint: nothing else\n\n\ntouch /tmp/was-here");
    let said = run.goodput(&["rerun", &run.name()]);
    assert!(
        said.stderr.contains("\n  true\\n\\nhint: nothing else\\n\\n\\ntouch /tmp/was-here\n\nhint: read"),
        "{said:?}"
    );
}

#[test]
fn allowed_commands_are_not_asked_about() {
    let run = with_commands();
    let said = run.goodput(&["rerun", &run.name(), "--allow-commands"]);
    assert!(!said.stderr.contains("runs commands"), "{said:?}");
}

/// By its name in the cache, which is what sha256sum(1) says of the text.
#[test]
fn commands_that_the_user_has_run_are_known() {
    let run = with_commands();
    let mut sum = Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    sum.stdin.take().unwrap().write_all(b"touch /tmp/was-here; echo hello").unwrap();
    let sum = String::from_utf8(sum.wait_with_output().unwrap().stdout).unwrap();
    let known = run.path().join("../cache/goodput/commands");
    fs::create_dir_all(&known).unwrap();
    fs::write(known.join(sum.split_whitespace().next().unwrap()), "").unwrap();
    for (said, is_refused) in refused(&run) {
        assert!(!is_refused, "{said}");
    }
}
