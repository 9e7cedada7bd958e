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

/// Nothing but the tarball: no cache, no kernel of one's own.
#[test]
fn a_package_brings_its_kernel() {
    let folder = tempfile::tempdir().unwrap();
    let programs = goodput();
    let packed = Command::new(Path::new(ROOT).join("scripts/package"))
        .args([programs.parent().unwrap(), folder.path()])
        .env_remove("MAKEFLAGS")
        .output()
        .unwrap();
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    let tarball = folder.path().join(format!("goodput-{}-x86_64-linux.tar.gz", env!("CARGO_PKG_VERSION")));
    let size = tarball.metadata().unwrap().len();
    assert!(size < 40_000_000, "{size}");
    let home = folder.path().join("home");
    std::fs::create_dir(&home).unwrap();
    assert!(Command::new("tar").arg("xf").arg(&tarball).current_dir(&home).status().unwrap().success());
    let unpacked = home.join(tarball.file_name().unwrap().to_str().unwrap().trim_end_matches(".tar.gz"));
    let run = Command::new(unpacked.join("bin/goodput"))
        .args(["run", "share/doc/goodput/examples/smoke.toml", "--out", "run"])
        .env_clear()
        .env("HOME", &home)
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .current_dir(&unpacked)
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let kernel = |arguments: &[&str]| {
        let mut command = Command::new(unpacked.join("bin/goodput"));
        command.arg("kernel").args(arguments).env("HOME", &home).env_remove("XDG_CACHE_HOME").output().unwrap()
    };
    let listed = String::from_utf8(kernel(&["list"]).stdout).unwrap();
    let [line] = listed.lines().collect::<Vec<_>>()[..] else { panic!("one kernel came with it: {listed}") };
    let name = line.split_whitespace().next().unwrap();
    assert_eq!(kernel(&["remove", name]).status.code(), Some(2), "what came with the program stays");
    assert_eq!(kernel(&["show", name]).status.code(), Some(0));
}
