//! Every example runs, its expectations are met, and the commands that it equals have not changed.

use crate::program_flows::has;
use crate::support::extra_kernel;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
const COMMANDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands");

/// The main experiment is run by `make demo`.
const DEMO: &str = "long-fat-line";

/// Each has a test of its answer in `studies`.
const STUDIES: &[&str] =
    &["cubic-patch", "dctcp-or-cubic", "freebsd-cubic", "loss-resilience", "mss-sweep", "two-flows"];

/// `make cases` runs these in full, with the pages that show their figures.
const CASES: &[&str] =
    &["cubic-growth", "long-fat-line-controls", "long-fat-line-queue", "long-fat-line-sockets", "two-senders"];

/// `make cases` runs these in full; one seed is enough for their expectations.
const ONE_SEED: &[&str] = &["bad-lengths", "lro-bridge"];

/// Examples on FreeBSD's stack. `make kernels-all` builds its kernels if there is a tree; `studies` has their answers.
pub const FREEBSD: &[&str] = &[
    "freebsd-stack-growth",
    "freebsd-stack-host",
    "freebsd-stack-loss",
    "freebsd-stack-memory",
    "freebsd-stack-mixed",
    "freebsd-stack-modules",
    "freebsd-stack-patch",
    "freebsd-stack-rack",
    "freebsd-stack-rack-lan",
    "freebsd-stack-rack-later",
    "freebsd-stack-receiver",
    "freebsd-stack-timeouts",
    "freebsd-stack-tri-point",
    "freebsd-stack-window",
];

/// FreeBSD examples that take ten minutes of two cores and more each. Only their commands are tested; run them after
/// changing them.
pub const BY_HAND: &[&str] = &["freebsd-stack-memory", "freebsd-stack-window"];

/// Examples on a kernel that only a user can add; `bbr` has their answers.
const OF_USERS: &[&str] = &["bbr-versions"];

/// Programs that examples run, beside those of every machine.
const PROGRAMS_OF: &[(&str, &[&str])] = &[
    ("http2-window", &["nghttpd", "curl"]),
    ("iperf3", &["iperf3"]),
    ("quic-beside-cubic", NGTCP2),
    ("quic-cross-traffic", NGTCP2),
    ("quic-goodput", NGTCP2),
];
const NGTCP2: &[&str] = &["gtlsserver", "gtlsclient", "openssl"];

/// Examples whose commands are stored with the tests, so that a change shows in the diff.
const KEPT_EXAMPLES: &[&str] =
    &["black-hole", "bond", "impairments", "link-changes", "lro-bridge", "queues", "tri-point", "tunnels"];

pub fn goodput(arguments: &[&str], file: &Path, folder: &Path) -> Output {
    let program = env!("CARGO_BIN_EXE_goodput");
    Command::new(program).args(arguments).arg(file).current_dir(folder).output().unwrap()
}

pub fn examples() -> BTreeMap<String, PathBuf> {
    let files = fs::read_dir(EXAMPLES).unwrap().map(|entry| entry.unwrap().path());
    let named = |path: PathBuf| (path.file_stem().unwrap().to_string_lossy().into_owned(), path);
    files.filter(|path| path.extension().is_some_and(|e| e == "toml")).map(named).collect()
}

/// The kernels that an experiment names.
fn kernels_of(experiment: &Path) -> Vec<String> {
    let text = fs::read_to_string(experiment).unwrap();
    let lines = text.lines().filter(|line| line.split([' ', '=']).next() == Some("kernel"));
    let values = lines.filter_map(|line| line.split('#').next()?.split_once('='));
    values.flat_map(|(_, value)| value.split('"').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_example_holds() {
    let folder = tempfile::tempdir().unwrap();
    let quick = |name: &String| name != DEMO && ![STUDIES, CASES, FREEBSD, OF_USERS].concat().contains(&name.as_str());
    for (name, file) in examples().into_iter().filter(|(name, _)| quick(name)) {
        let own = PROGRAMS_OF.iter().find(|(example, _)| *example == name).map_or(&[][..], |(_, own)| own);
        if !own.iter().all(|program| has(program)) {
            continue;
        }
        let seeds = if ONE_SEED.contains(&name.as_str()) { &["--seeds", "1"][..] } else { &[] };
        let output = goodput(&[&["run", "--no-cache", "--out", &name], seeds].concat(), &file, folder.path());
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
        assert_eq!(output.status.code(), Some(0), "examples/{name}.toml\n{out}\n{err}");
        assert!(fs::read_to_string(&file).unwrap().contains("[[expect]]") || name == "smoke", "{name} expects nothing");
    }
}

#[test]
fn every_example_s_commands_are_of_programs_that_people_have() {
    const PROGRAMS: &[&str] = &["ip", "tc", "bridge", "sysctl", "umask", "sleep"];
    let folder = tempfile::tempdir().unwrap();
    let has_freebsd = crate::freebsd::tree().is_some();
    for (name, file) in examples() {
        let is_left_out = FREEBSD.contains(&name.as_str()) && !has_freebsd;
        if is_left_out || !kernels_of(&file).iter().all(|kernel| extra_kernel(kernel).is_some()) {
            continue;
        }
        let output = goodput(&["check"], &file, folder.path());
        let text = String::from_utf8(output.stdout).unwrap();
        let lines = || text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        assert!(lines().count() > 20, "{name}: {text}");
        for line in lines() {
            let program = line.trim_start_matches('(').split([' ', ';']).next().unwrap_or("");
            assert!(PROGRAMS.contains(&program), "{name}: {line}");
        }
        if KEPT_EXAMPLES.contains(&name.as_str()) {
            compare(&name, &text);
        }
    }
}

/// Compares commands with those kept; `BLESS=1` keeps them.
fn compare(name: &str, text: &str) {
    let kept = Path::new(COMMANDS).join(format!("{name}.sh"));
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(COMMANDS).unwrap();
        return fs::write(kept, text).unwrap();
    }
    let before = fs::read_to_string(&kept).unwrap_or_default();
    let differs = before.lines().zip(text.lines()).find(|(a, b)| a != b);
    assert!(
        before == text,
        "{}: {differs:?}\nhint: look at what changed, then BLESS=1 cargo test -p goodput --test lab examples::",
        kept.display()
    );
}
