//! Experiments and evidence of any size are read or refused in time that is in proportion to them.

#[path = "../../../../crates/evidence/tests/readers/growth.rs"]
mod growth;

use super::made::{EXPERIMENT, Made};
use diagnosis::diagnose;
use evidence::{Evidence, import};
use growth::{behind, numbered, repeated, takes_time_in_proportion};
use std::fs;
use std::path::Path;
use std::process::Command;

const GOODPUT: &str = env!("CARGO_BIN_EXE_goodput");

fn said(text: &str) -> String {
    experiment::plan("x.toml", text, &[]).map_or_else(|errors| errors.to_string(), |_| String::new())
}

#[test]
fn oversized_experiments_are_refused_before_they_are_read() {
    let many = |piece: &dyn Fn(usize) -> String| -> String { (0..100_000).map(piece).collect() };
    let hosts = many(&|n| format!("[hosts.h{n}]\n"));
    assert!(said(&hosts).starts_with("x.toml:251:8: the network has more than 250 nodes"), "{:.300}", said(&hosts));
    let links = many(&|n| format!("[[links]]\nbetween = [\"h{n}\", \"s\"]\n"));
    assert!(said(&links).contains("the network has 100000 links"), "{:.300}", said(&links));
    let flows = many(&|_| "[[flows]]\nduration = \"1 s\"\n".into());
    assert!(said(&flows).contains("the experiment has 100000 flows"), "{:.300}", said(&flows));
    assert!(said(&"#".repeat(5 << 20)).contains("the experiment is too long"));
}

#[test]
fn reading_takes_time_in_proportion() {
    let of_path = |piece: &str| EXPERIMENT.replace("[[flows]]", &format!("{piece}\n[[flows]]"));
    let within = |head: &'static str, tail: &'static str, line: fn(usize) -> String| {
        let body = numbered(line);
        move |size: usize| of_path(&format!("{head}{}{tail}", body(size)))
    };
    let check = |what: &str, text: &dyn Fn(usize) -> String| {
        takes_time_in_proportion(what, text, |text| drop(experiment::plan("x.toml", text, &[])));
    };
    check("hosts", &numbered(|n| format!("[hosts.h{n:06}]\n")));
    check("keys", &numbered(|n| format!("k{n:06} = 1\n")));
    check("keys of the path", &within("", "", |n| format!("k{n:06} = 1\n")));
    check("flows", &behind(EXPERIMENT, "[[flows]]\nduration = 3\n"));
    check("expectations", &behind(EXPERIMENT, "[[expect]]\nmeasure = \"x\"\n"));
    check("lines that are not TOML", &repeated("= =\n"));
    check("a line that is not TOML", &repeated("= "));
    check("nothing", &repeated("\n"));
    check("sysctls", &within("[hosts.sysctl]\n", "", |n| format!("\"net.ipv4.x{n:06}\" = 1\n")));
    check("commands", &within("[hosts.sender]\nrun = [", "]\n", |n| format!("\"echo {n:06}\",\n")));
    check("packets", &within("loss = { packets = [", "] }\n", |n| format!("{:06},\n", n + 1)));
}

#[test]
fn diagnosing_takes_time_in_proportion() {
    let check = |what: &str, text: &dyn Fn(usize) -> String| {
        takes_time_in_proportion(what, text, |text| {
            let mut evidence = Evidence::default();
            import::read("x", text.as_bytes(), &mut evidence);
            import::join(&mut evidence);
            drop(diagnose::diagnose(&evidence, diagnose::Given::default()));
        });
    };
    const CONNECTION: &str = "cubic wscale:7,7 rto:204 rtt:1.5/0.75 mss:1448 cwnd:10 bytes_sent:1 bytes_acked:1";
    check("connections", &numbered(|n| format!("ESTAB 0 0 10.0.0.1:{n} 10.0.0.2:80\n\t {CONNECTION}\n")));
    check("runs", &repeated("[1]0-1 sec 1 Bytes 1 bits/sec\n"));
    check("streams", &numbered(|n| format!("[{n}]0-1 sec 1 Bytes 1 bits/sec\n")));
    check("settings", &numbered(|n| format!("net.ipv4.conf.veth{n:06}.rp_filter = 1\n")));
    let streams = numbered(|n| format!("{{\"socket\":{n},\"start\":0,\"end\":1}},"));
    let document = |size: usize| format!("{{\"start\":{{}},\"intervals\":[{{\"streams\":[{}null]}}]}}", streams(size));
    check("streams of JSON", &document);
}

/// A few kilobytes as they are mailed: three gigabytes of nothing.
#[test]
fn a_file_that_only_describes_others_does_not_fill_the_memory() {
    let too_large = |file: &str, commands: &[&[&str]]| {
        let run = Made::new();
        let place = run.path().join(file);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::File::create(&place).unwrap().set_len(3 << 30).unwrap();
        for command in commands {
            // Limit of the address space, in kB; a file that is mapped or read takes its size of it.
            let line = format!("ulimit -v 1000000; exec timeout 10 '{}' {} run", GOODPUT, command.join(" "));
            let output = Command::new("sh").args(["-c", &line]).current_dir(run.path().join("..")).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            let name = Path::new(file).file_name().unwrap().to_str().unwrap();
            let expected = format!("{name}: it is larger than 16 MiB, as no such file is");
            assert!(output.status.code() == Some(2) && said.contains(&expected), "{file}, {command:?}: {said}");
        }
    };
    too_large("trials/0001/SHA256SUMS", &[&["report"], &["diagnose"], &["import"], &["rerun"]]);
    too_large("environment.json", &[&["report"]]);
    too_large("proof/verdict.json", &[&["prove"], &["prove", "--json"]]);
}
