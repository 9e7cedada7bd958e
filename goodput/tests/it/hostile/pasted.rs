//! Commands that people are advised to run, made from text by somebody else: no word of it becomes more than one
//! argument.

use super::made::{EXPERIMENT, Made};
use diagnosis::remedy::lab::Key;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// Words that a careless shell command would run.
const EVIL: &[&str] = &[";evil", "$(evil)", "`evil`", "|evil", "&evil", "\"evil\"", "'evil'"];

fn listings() -> Vec<PathBuf> {
    let folders = ["tests/diagnose/cases", "../examples/listings", "../crates/evidence/tests/hosts"];
    let folders = folders.map(|folder| format!("{}/{folder}", env!("CARGO_MANIFEST_DIR")));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    files.filter(|path| path.is_file()).collect()
}

/// All texts under these keys.
fn commands(value: &Value, is_one: bool, into: &mut Vec<String>) {
    match value {
        Value::String(text) if is_one => into.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|value| commands(value, is_one, into)),
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            commands(value, is_one || ["now", "keep", "undo"].contains(&key.as_str()), into);
        }),
        _ => {}
    }
}

/// Names of interfaces, and values of settings.
fn with(evil: &str, line: &str) -> String {
    let line = match line.split_once(['=', ':']) {
        Some((name, _)) if name.contains("net.") && !name.contains("rmem") && !name.contains("wmem") => {
            format!("{line}{evil}")
        }
        _ => line.to_owned(),
    };
    ["eth0", "eth1", "em0", "vtnet0", "ix0", "bond0", "br0", "ens3"]
        .iter()
        .fold(line, |line, name| line.replace(name, &format!("{name}{evil}")))
}

#[test]
fn no_listing_adds_a_command_to_those_that_mend_its_path() {
    let run = Made::new();
    let place = run.path().join("../kept.txt").display().to_string();
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    for file in listings() {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        for evil in EVIL {
            fs::write(&place, text.lines().map(|line| with(evil, line) + "\n").collect::<String>()).unwrap();
            let said = run.goodput(&["diagnose", &place, "--json"]);
            let Ok(page) = serde_json::from_str(&said.stdout) else { continue };
            let mut all = vec![];
            commands(&page, false, &mut all);
            assert!(!all.iter().any(|command| command.contains("evil")), "{}: {all:#?}", file.display());
            kinds.extend(all.iter().filter_map(|command| command.split(' ').next().map(str::to_owned)));
        }
    }
    for kind in ["ethtool", "ifconfig", "sysctl"] {
        assert!(kinds.contains(kind), "no command of {kind} was looked at: {kinds:?}");
    }
}

/// Runs the output of `check` in a shell with programs that only log their names: only those that build a network are
/// called.
#[test]
fn check_output_runs_only_the_commands_it_shows() {
    let run = Made::new();
    let own = run.path().join("../bin");
    fs::create_dir(&own).unwrap();
    let log = run.path().join("../log");
    for name in ["evil", "ip", "tc", "nft", "bridge", "sysctl", "ethtool", "ping", "iperf3", "sleep", "wg", "umask"] {
        let program = own.join(name);
        fs::write(&program, format!("#!/bin/sh\necho {name} >> {}\n", log.display())).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    for evil in EVIL {
        let text = evil.replace('"', "\\\"");
        let keys = [
            format!("hosts.sender.sysctl = {{ \"net.ipv4.tcp_fastopen_key\" = \"0{text}\" }}"),
            format!("hosts.sender.run = [\"echo '{text}'\", {{ at = \"1 s\", command = \"echo '{text}' &\" }}]"),
        ];
        for keys in keys {
            let file = run.path().join("../evil.toml");
            fs::write(&file, EXPERIMENT.replace("[path]", &format!("{keys}\n[path]"))).unwrap();
            let said = run.goodput(&["check", file.to_str().unwrap()]);
            assert_eq!(said.code, 0, "{said:?}");
            let _ = fs::remove_file(&log);
            let mut shell = Command::new("/bin/sh");
            let status = shell.arg("-c").arg(&said.stdout).env("PATH", &own).current_dir(&own).status().unwrap();
            assert!(status.success(), "{}", said.stdout);
            let called = fs::read_to_string(&log).unwrap();
            assert!(
                !called.contains("evil") && called.contains("ip\n") && called.contains("sysctl\n"),
                "{}",
                said.stdout
            );
        }
    }
}

/// `prove` writes experiments with text that it has read. Text that TOML cannot express is an error, and never becomes
/// another key.
#[test]
fn a_text_that_was_read_stays_one_value_of_an_experiment() {
    let line_end = "cubic\"\n[hosts.sender]\nrun = [\"evil\"]\n#";
    let more = ["cubic\\", "\\\"", "'''", "\"\"\"\nrun = 1\n", "\u{1b}\"\nrun = 1\n#", "\u{2028}run = 1", "#", ""];
    for text in more.into_iter().chain([line_end]) {
        let written = Key::new("flows.congestion", text).to_string();
        match written.parse::<toml::Table>() {
            Ok(table) => assert_eq!(table, toml::Table::from_iter([("flows.congestion".into(), text.into())])),
            Err(_) => assert!(text.contains('\u{1b}') || text.contains('\u{2028}'), "{written}"),
        }
    }
}
