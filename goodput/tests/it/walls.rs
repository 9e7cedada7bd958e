//! Attempts of code that has taken over a guest's kernel against the machine: a program in the kernel's place makes
//! them.
//!
//! `tests/walls/process.c` prints each attempt and its errno.

use crate::skip::skip;
use lab::engine::walls::{self, Wall};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};

const GOODPUT: &str = env!("CARGO_BIN_EXE_goodput");

/// Returns the errno of each attempt with some walls missing.
fn attempts(without: &[Wall]) -> BTreeMap<String, u32> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/walls/process.c");
    let built = Command::new("cc").args(["-static", "-o"]).arg(at("process")).arg(source).status();
    assert!(built.unwrap().success());
    ["old", "victim"].iter().for_each(|name| fs::write(at(name), "mine").unwrap());
    let _socket = UnixDatagram::bind(at("socket")).unwrap();
    let mut other = Command::new("sleep").arg("600").spawn().unwrap();
    let output = Command::new("sh")
        .args(["-c", "exec \"$@\" 9<>old", "-", GOODPUT])
        .args(["guest", "--parent", &std::process::id().to_string(), "--ramdisk", "0"])
        .args(without.iter().flat_map(|wall| ["--without", wall.name()]))
        .arg(at("process"))
        .arg(folder.path())
        .arg(other.id().to_string())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    other.kill().and_then(|()| other.wait()).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), 31, "{said}{}", String::from_utf8_lossy(&output.stderr));
    let of = |line: &str| line.rsplit_once(": ").map(|(attempt, errno)| (attempt.to_owned(), errno.parse().unwrap()));
    said.lines().filter_map(of).collect()
}

fn succeeded(attempts: &BTreeMap<String, u32>) -> Vec<&str> {
    attempts.iter().filter(|(_, errno)| **errno == 0).map(|(attempt, _)| attempt.as_str()).collect()
}

#[test]
fn whoever_takes_a_guests_kernel_over_reaches_nothing() {
    let standing = walls::probe(Path::new(GOODPUT));
    if standing != Wall::ALL {
        skip(&format!("this machine has only {standing:?} of {:?}", Wall::ALL));
        return;
    }
    assert_eq!(succeeded(&attempts(&[])), [""; 0]);
}

/// Without the walls nearly all attempts succeed, so the walls are what stops them.
#[test]
fn the_attempts_are_real() {
    let attempts = attempts(&Wall::ALL);
    let failed: Vec<_> = attempts.iter().filter(|(_, errno)| **errno != 0).collect();
    // Attempts that the test's own parents prevent: by a container's filter, or Yama.
    assert!(failed.len() <= 8, "{failed:?}");
    assert_eq!([attempts["create a file"], attempts["send to a socket"], attempts["limit another"]], [0; 3]);
    assert_eq!(attempts["execute /bin/sh"], 0);
}

/// Each of the two walls alone keeps files whole and programs from running, or the network away.
#[test]
fn each_wall_stands_by_itself() {
    let standing = walls::probe(Path::new(GOODPUT));
    if standing.contains(&Wall::Landlock) {
        let alone = attempts(&[Wall::Seccomp, Wall::Namespaces]);
        for attempt in ["read /etc/shadow", "create a file", "write a file", "remove a file", "execute /bin/sh"] {
            assert_ne!(alone[attempt], 0, "{attempt}");
        }
    }
    if standing.contains(&Wall::Seccomp) {
        let alone = attempts(&[Wall::Landlock, Wall::Namespaces]);
        let kept = ["create a file", "write a file", "remove a file", "socket of IPv4", "send to a socket"];
        for attempt in
            kept.into_iter().chain(["limit another", "leave the session", "io_uring", "bpf", "keyring", "namespaces"])
        {
            assert_ne!(alone[attempt], 0, "{attempt}");
        }
    }
}
