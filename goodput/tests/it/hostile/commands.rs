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

/// Commands to confirm are shown on one line each, so that none looks like the end of the list.
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

/// Writes what goodput leaves in the cache after the user has agreed: a SHA-256, calculated by sha256sum(1).
pub fn trust(run: &Made, kind: &str, what: &str) {
    let mut sum = Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    sum.stdin.take().unwrap().write_all(format!(r#"{{"{kind}":{what}}}"#).as_bytes()).unwrap();
    let sum = String::from_utf8(sum.wait_with_output().unwrap().stdout).unwrap();
    let known = run.path().join("../cache/goodput/asked");
    fs::create_dir_all(&known).unwrap();
    fs::write(known.join(sum.split_whitespace().next().unwrap()), "").unwrap();
}

const TOUCHES: &str = r#"{"node":"sender","at":0,"command":"touch /tmp/was-here; echo hello","background":false}"#;

#[test]
fn commands_that_the_user_has_run_are_known() {
    let run = with_commands();
    trust(&run, "Commands", &format!("[{TOUCHES}]"));
    for (said, is_refused) in refused(&run) {
        assert!(!is_refused, "{said}");
    }
}

/// A folder may recombine commands that its reader has agreed to: in another order, on another host, or with some left
/// out.
#[test]
fn known_commands_in_another_order_are_not_known() {
    let run = with_commands();
    let other = TOUCHES.replace("touch /tmp/was-here; echo hello", "true");
    for commands in
        [format!("{TOUCHES},{other}"), other, TOUCHES.replace("sender", "receiver"), TOUCHES.replace(":0", ":1")]
    {
        trust(&run, "Commands", &format!("[{commands}]"));
    }
    for (said, is_refused) in refused(&run) {
        assert!(is_refused, "{said}");
    }
}

/// Whoever replays an experiment runs none of its commands, so they are asked about when they would run.
#[test]
fn commands_of_a_replayed_run_are_not_trusted() {
    let run = with_commands();
    let again = format!("{}/../again", run.name());
    let said = run.goodput(&["run", &run.experiment(), "--replay", &run.name(), "--out", &again, "--no-cache"]);
    assert_eq!(said.code, 0, "{said:?}");
    for (said, is_refused) in refused(&run) {
        assert!(is_refused, "{said}");
    }
}
