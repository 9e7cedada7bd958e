//! `make install` and `make uninstall`: what is there afterwards works, and nothing stays.

use crate::support::goodput;
use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn make(target: &str, prefix: &Path) {
    let programs = goodput();
    let output = Command::new("make")
        .arg(target)
        .arg(format!("PREFIX={}", prefix.display()))
        .arg(format!("PROGRAMS={}", programs.parent().unwrap().display()))
        .env_remove("MAKEFLAGS")
        .current_dir(ROOT)
        .output()
        .unwrap();
    assert!(output.status.success(), "make {target}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_installed_runs_and_goes_again() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("of its own");
    make("install", &prefix);
    for file in [
        "bin/goodput-agent",
        "share/man/man1/goodput.1",
        "share/man/man1/goodput-diagnose.1",
        "share/bash-completion/completions/goodput",
        "share/zsh/site-functions/_goodput",
        "share/fish/vendor_completions.d/goodput.fish",
    ] {
        assert!(prefix.join(file).metadata().is_ok_and(|file| file.len() > 0), "{file}");
    }
    let run = Command::new(prefix.join("bin/goodput"))
        .args(["run", "smoke.toml", "--no-cache", "--out"])
        .arg(folder.path().join("run"))
        .current_dir(Path::new(ROOT).join("examples"))
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));

    make("uninstall", &prefix);
    let mut left = vec![];
    let mut open = vec![prefix];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { left.push(path) }
        }
    }
    assert!(left.is_empty(), "{left:?}");
}
