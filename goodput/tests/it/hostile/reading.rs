//! Commands that read a folder from elsewhere start no program, whatever the folder names and wherever it is.
//!
//! `tests/walls/watched.c` ends a process that starts another.

use super::made::{EXPERIMENT, Made, Said};
use super::{parts, proofs, recorded};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Names of programs that a folder may ask for.
const PROGRAMS: &[&str] = &[
    "sh",
    "bash",
    "sudo",
    "ip",
    "tc",
    "nft",
    "bridge",
    "wg",
    "ethtool",
    "sysctl",
    "goodput",
    "goodput-agent",
    "git",
    "less",
    "more",
    "pager",
    "xdg-open",
    "sensible-browser",
    "ssh",
    "scp",
    "tar",
    "gzip",
    "sha256sum",
    "sbatch",
    "squeue",
    "scancel",
    "tcpdump",
    "tshark",
    "iperf3",
    "ping",
    "getent",
    "ldd",
    "ldconfig",
    "setpriv",
    "make",
    "gcc",
    "linux",
];
const VARIABLES: &[&str] = &[
    "PAGER",
    "MANPAGER",
    "GIT_PAGER",
    "BROWSER",
    "EDITOR",
    "VISUAL",
    "SHELL",
    "ENV",
    "BASH_ENV",
    "LESSOPEN",
    "GIT_SSH",
    "GIT_EXTERNAL_DIFF",
    "PROMPT_COMMAND",
];

/// A run, a proof and a part. Every text in them that could name a program names one that leaves a file, `evil`.
fn made() -> Made {
    let command = "touch evil";
    let run = Made::of(&format!(
        "{EXPERIMENT}\n[hosts.sender]\nrun = [\"{command}\", {{ at = \"1 s\", command = \"{command}\" }}]\n"
    ));
    let kernel = json!({
        "name": "$(touch evil)", "version": "7.3.4; touch evil", "source": "`touch evil`",
        "additions": [{ "kind": "patch", "path": "evil.sh", "sha256": "" }], "hash": "", "config": "", "binary": "evil.sh",
    });
    let mut environment: serde_json::Value = serde_json::from_str(recorded::ENVIRONMENT).unwrap();
    environment["kernels"] = json!([kernel]);
    environment["tools"] = json!([["ip", "$(touch evil)"], ["touch evil", "evil.sh"]]);
    fs::write(run.path().join("environment.json"), environment.to_string()).unwrap();
    proofs::written(&run, &["|touch evil", "$(touch evil)", "evil.sh", "ssh://evil/$(touch evil)"]);
    let place = run.path().join("..");
    parts::written(&run, &environment);
    let folders = [place.clone(), run.path(), run.path().join("proof"), run.trial(0), place.join("cache/goodput")];
    for folder in &folders[..3] {
        PROGRAMS.iter().chain(&["evil.sh"]).for_each(|name| program(&folder.join(name), &place));
        [".ssh", ".git/hooks"].iter().for_each(|name| fs::create_dir_all(folder.join(name)).unwrap());
        [".ssh/rc", ".git/hooks/post-checkout", ".profile", ".bashrc"]
            .iter()
            .for_each(|name| program(&folder.join(name), &place));
        fs::write(folder.join(".ssh/config"), "Host *\nProxyCommand touch evil\n").unwrap();
        fs::write(folder.join(".git/config"), "[core]\nfsmonitor = touch evil\npager = touch evil\n").unwrap();
    }
    run
}

fn program(path: &Path, place: &Path) {
    fs::write(path, format!("#!/bin/sh\ntouch {}/evil\n", place.display())).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Output of a command inside such folders, with or without the filter.
fn said(run: &Made, arguments: &[String], watched: Option<&Path>) -> Said {
    let mut command = Command::new("timeout");
    command.arg("10").args(watched).arg(env!("CARGO_BIN_EXE_goodput")).env("HOME", run.path());
    command.env("PATH", format!("{0}:{0}/..:.:{1}", run.name(), std::env::var("PATH").unwrap()));
    command.envs(VARIABLES.iter().map(|name| (name, run.path().join("evil.sh"))));
    run.said(&mut command, arguments)
}

fn filter(run: &Made) -> std::path::PathBuf {
    let watched = run.path().join("../watched");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/walls/watched.c");
    assert!(Command::new("cc").arg("-o").arg(&watched).arg(source).status().unwrap().success());
    watched
}

fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn reading_commands_start_no_program() {
    let run = made();
    let watched = filter(&run);
    let own = run.name();
    let mut commands = super::commands(&run);
    commands.retain(|command| !["rerun", "trial", "run"].contains(&command[0].as_str()));
    let listing = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/diagnose/real/rmem-0.text");
    let gathered = run.path().join("../gathered").display().to_string();
    commands.extend([
        words(&["prove", &own]),
        words(&["prove", &own, "--json"]),
        words(&["prove", &own, "--add", listing]),
        words(&["prove", &format!("{own}:0")]),
        words(&["prove", listing]),
        words(&["gather", "other.1-of-1.tar", "--out", &gathered]),
        words(&["report", &gathered]),
        words(&["check", &run.experiment()]),
        words(&["check", &run.experiment(), "--json"]),
        words(&["explain"]),
        words(&["explain", "packet-length"]),
        words(&["diagnose", listing, &format!("{own}/environment.json"), &format!("{own}/proof/asked.json")]),
        words(&["import", listing, &format!("{own}/plan.json")]),
        words(&["compare", listing, &listing.replace(".text", ".json")]),
    ]);
    for command in &commands {
        let said = said(&run, command, Some(&watched));
        let is_read =
            matches!(said.code, 0 | 3) || command[0] == "prove" && said.code == 2 && said.stderr.contains("hint");
        assert!(is_read, "{command:?}: {said:?}");
    }
    let evil = run.path().join("../evil");
    assert!(!evil.exists() && !run.path().join("evil").exists());
}

/// The filter stops a command that starts a program, and the planted programs do leave their file.
#[test]
fn the_filter_and_the_programs_are_real() {
    let run = made();
    let watched = filter(&run);
    assert_eq!(said(&run, &words(&["doctor"]), Some(&watched)).code, -1);
    let evil = run.path().join("../evil");
    assert!(!evil.exists());
    assert_ne!(said(&run, &words(&["doctor"]), None).code, -1);
    assert!(evil.exists(), "doctor asks the programs of PATH for their versions");
}
