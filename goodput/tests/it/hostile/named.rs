//! Files that somebody else's file names: an experiment's traces, and the change of a proof.

use super::made::Made;
use super::proofs;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// An experiment that follows a trace.
fn following(beside: &Made, trace: &str) -> String {
    let place = beside.path().join("mailed.toml");
    let text = format!(
        "title = \"t\"\npath = {{ rate = {{ trace = {trace:?} }}, rtt = \"9 ms\", buffer = \"9 packets\" }}\n\
         flows = [{{ duration = \"1 s\" }}]\n"
    );
    fs::write(&place, text).unwrap();
    place.display().to_string()
}

#[test]
fn an_experiment_reads_no_file_but_beside_it_or_below() {
    let run = Made::new();
    let (own, other) = (run.path(), run.path().join("../other"));
    [own.join("below/deep"), other.clone()].iter().for_each(|folder| fs::create_dir_all(folder).unwrap());
    for file in [own.join("beside"), own.join("below/deep/trace"), own.join(".hidden"), other.join("secret")] {
        fs::write(file, "hunter2\n").unwrap();
    }
    symlink("/etc/passwd", own.join("link")).unwrap();
    symlink("../other", own.join("up")).unwrap();
    assert!(Command::new("mkfifo").arg(own.join("pipe")).status().unwrap().success());
    let secret = other.join("secret").display().to_string();
    let cases = [
        (secret.as_str(), "neither beside this file nor below it"),
        ("../other/secret", "neither beside this file nor below it"),
        ("below/../../other/secret", "neither beside this file nor below it"),
        ("/dev/zero", "neither beside this file nor below it"),
        (".hidden", "or it is hidden"),
        ("link", "it is a symbolic link"),
        ("up/secret", "it is a symbolic link"),
        ("pipe", "it is a named pipe"),
        ("below", "it is a folder"),
    ];
    for (trace, words) in cases {
        let file = following(&run, trace);
        for command in
            [&["check", &file][..], &["run", &file, "--dry-run"], &["field", "run", &file, "--hosts", "a=b,c=d"]]
        {
            let said = run.goodput(command);
            let one_line = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.code == 2 && one_line.contains(words), "{trace}: {said:?}");
            assert!(one_line.contains("--any-files") && !said.stderr.contains("hunter2"), "{trace}: {said:?}");
        }
    }
    for trace in ["beside", "./below/deep/trace"] {
        let said = run.goodput(&["check", &following(&run, trace)]);
        assert!(said.stderr.contains("\"hunter2\" is neither a time of"), "{trace}: {said:?}");
    }
    for trace in [&secret, "../other/secret", "up/secret"] {
        let said = run.goodput(&["check", &following(&run, trace), "--any-files"]);
        assert!(said.stderr.contains("\"hunter2\" is neither a time of"), "{trace}: {said:?}");
    }
    fs::write(own.join("beside"), "0\n3\n10\n").unwrap();
    assert_eq!(run.goodput(&["check", &following(&run, "beside")]).code, 0);
}

/// A proof of a stranger whose change is a route: the stranger chose the gateway.
#[test]
fn a_strangers_route_is_named_with_its_gateway_and_nothing_passes_without_sums() {
    let run = Made::new();
    proofs::written(&run, &["listing.txt"]);
    let proof = run.path().join("proof");
    let verdict = proof.join("verdict.json");
    let mut sent: Value = serde_json::from_str(&fs::read_to_string(&verdict).unwrap()).unwrap();
    let route =
        json!({ "at": "Sender", "setting": "route-mtu@default", "value": "1400,via=203.0.113.9", "command": "x" });
    sent["rows"].as_array_mut().unwrap().iter_mut().for_each(|row| row["changes"] = json!([route]));
    fs::write(&verdict, sent.to_string()).unwrap();
    let apply = ["apply", &run.name(), "--no-measure"];
    let said = run.goodput(&apply);
    assert!(said.code == 2 && said.stderr.contains("SHA256SUMS is missing"), "{said:?}");
    base::sums::write(&base::folder::Folder::open(&proof).unwrap()).unwrap();
    let said = run.goodput(&apply);
    let words = said.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("sends all other traffic through the gateway 203.0.113.9"), "{said:?}\n{sent}");
    assert!(said.code == 2 && words.contains("somebody else made this proof"), "{said:?}");
}
