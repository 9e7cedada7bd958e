//! `undo` commands for every listing in the tree: what they restore.

use diagnosis::diagnose::{self, Given};
use diagnosis::remedy::Remedy;
use evidence::{Evidence, import};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with listings: from users, from programs on real paths, and from cases of a rule.
const FOLDERS: &[&str] =
    &["../examples/listings", "tests/it/diagnose/real", "tests/it/diagnose/native", "tests/diagnose/cases"];

fn listings() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        FOLDERS.iter().map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).collect();
    let mut files = vec![];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

/// The remedies of a text, whatever its link rate is taken for.
fn remedies(name: &str, text: &[u8]) -> Vec<Remedy> {
    let mut evidence = Evidence::default();
    import::read(name, text, &mut evidence);
    let rates = [None, Some(1e7), Some(1e9)];
    let findings = rates.map(|rate| diagnose::diagnose(&evidence, Given { rate, rtt: None }).findings);
    findings.into_iter().flatten().flat_map(|finding| finding.remedies).collect()
}

/// The setting and value of a command: `sysctl -w KEY=VALUE`, `echo VALUE > FILE`, `ip link set dev DEVICE mtu BYTES`.
fn assignment(command: &str) -> Option<(&str, &str)> {
    if let Some(text) = command.strip_prefix("sysctl ") {
        return text.strip_prefix("-w ").unwrap_or(text).split_once('=');
    }
    if let Some((value, file)) = command.strip_prefix("echo ").and_then(|text| text.split_once(" > ")) {
        return Some((file, value));
    }
    command.rsplit_once(" mtu ")
}

#[test]
fn no_undo_sets_what_its_remedy_sets() {
    let (mut wrong, mut assigned) = (vec![], 0);
    for path in listings() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for remedy in remedies(&name, &fs::read(&path).unwrap()) {
            let steps = remedy.steps();
            assigned += steps.undo.iter().filter_map(|undo| assignment(undo)).count();
            let same = |undo: &&String| {
                let now = steps.now.iter().any(|now| assignment(now).is_some() && assignment(now) == assignment(undo));
                now || steps.now.contains(undo)
            };
            wrong.extend(steps.undo.iter().filter(same).map(|undo| format!("{name}: {undo}")));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(assigned > 10, "{assigned} undo commands set a known value");
}

/// `net.inet.tcp.functions_default: freebsd -> rack`: the value before the arrow is the old one.
#[test]
fn values_that_sysctl_replaced_are_restored() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/listings/freebsd-cubic-patch.txt");
    let all = remedies("x", &fs::read(path).unwrap());
    let stack = all.iter().find(|remedy| remedy.key() == Some("net.inet.tcp.functions_default")).unwrap();
    assert_eq!(stack.steps().undo, ["sysctl net.inet.tcp.functions_default=freebsd"]);
    let text = "# sysctl net.inet.tcp.sendbuf_max=16777216\nnet.inet.tcp.sendbuf_max: 2097152 -> 16777216\n";
    let mut evidence = Evidence::default();
    import::read("x", text.as_bytes(), &mut evidence);
    let setting = evidence.hosts[0].setting("net.inet.tcp.sendbuf_max").unwrap();
    assert_eq!((setting.value.as_str(), setting.was.as_deref()), ("16777216", Some("2097152")));
}
