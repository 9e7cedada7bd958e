//! Error messages of the command line: each names the bad input, the accepted values, and the next step.

use crate::hostile::made::Made;
use crate::manual::commands;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The exit code, and everything that was printed, as one line.
fn said(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    let output = command.args(arguments).current_dir(folder).env("COLUMNS", "80").output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code(), text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn refuses(folder: &Path, arguments: &[&str], words: &[&str]) {
    let (code, text) = said(folder, arguments);
    assert_eq!(code, Some(2), "{arguments:?}: {text}");
    words.iter().for_each(|word| assert!(text.contains(word), "{arguments:?} without {word}: {text}"));
}

/// Every command, and each option of it with the name of its value.
fn options() -> Vec<(Vec<String>, Vec<[String; 2]>)> {
    let nested = commands(&["kernel"]).into_iter().map(|name| vec!["kernel".to_owned(), name]);
    let paths = commands(&[]).into_iter().map(|name| vec![name]).chain(nested);
    let options = |path: &Vec<String>| {
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        let (_, help) = said(Path::new("."), &[&words[..], &["-h"]].concat());
        let words: Vec<&str> = help.split(' ').collect();
        let pair = |pair: &[&str]| {
            let value = pair[1].strip_prefix('<')?.strip_suffix('>')?;
            Some([pair[0].strip_prefix("--")?, value].map(str::to_owned))
        };
        words.windows(2).filter_map(pair).collect()
    };
    paths.map(|path| (path.clone(), options(&path))).collect()
}

/// The same units as in an experiment, and the same hints.
#[test]
fn every_quantity_says_what_to_write() {
    let mut seen = vec![];
    for (path, options) in options() {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        for [name, value] in &options {
            let option = format!("--{name}");
            let refuses = |text: &str, words: &[&str]| {
                let named = format!("error: invalid value '{text}' for '{option} <{value}>': ");
                refuses(Path::new("."), &[&path[..], &[&option, text]].concat(), &[&[named.as_str()], words].concat());
            };
            match value.as_str() {
                "RATE" => refuses("7Gbps", &["has an unknown unit", "accepted: bit/s", "hint: write \"7 Gbit/s\""]),
                "TIME" => refuses("7", &["has no unit", "accepted: ns, us", "hint: write \"7 ms\" or \"7 s\""]),
                "SHARE" => refuses("0.1", &["has no unit", "accepted: %", "hint: write \"0.1 %\""]),
                "PERCENT" => refuses("200", &["is out of range", "accepted: a number above 0 and up to "]),
                "N" | "BYTES" | "M/N" => {}
                _ => continue,
            }
            refuses("-1", &[]);
            seen.push(format!("{} {option}", path.join(" ")));
        }
    }
    for known in
        ["diagnose --rate", "diagnose --rtt", "prove --budget", "advise --loss", "compare --margin", "run --jobs"]
    {
        assert!(seen.iter().any(|one| one == known), "{known} is not in {seen:?}");
    }
}

#[test]
fn help_fits_a_terminal() {
    let wide = |path: &[&str]| {
        for help in ["-h", "--help"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
            let output = command.args(path).arg(help).env("COLUMNS", "80").output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert_eq!(text.lines().find(|line| line.chars().count() > 80), None, "{path:?} {help}");
        }
    };
    wide(&[]);
    options().iter().for_each(|(path, _)| wide(&path.iter().map(String::as_str).collect::<Vec<_>>()));
}

#[test]
fn a_file_that_is_missing_empty_or_binary_gets_a_next_step() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("iperf3-tokyo.json"), "").unwrap();
    fs::write(folder.join("blank.txt"), " \n\n").unwrap();
    fs::write(folder.join("noise.bin"), [0x7Fu8, 0, 1, 0xC3, 0x28, 27, 7, b'\n'].repeat(100)).unwrap();
    let commands = [&["diagnose"][..], &["diagnose", "-v"], &["import"], &["prove"], &["check"], &["run"]];
    for command in commands {
        refuses(folder, &[command, &["iperf3-tokio.json"]].concat(), &["hint: write \"iperf3-tokyo.json\""]);
    }
    for file in ["iperf3-tokyo.json", "blank.txt", "noise.bin"] {
        let why = if file == "noise.bin" { "neither text nor a pcap" } else { "the file is empty" };
        let why = format!("Not read: {file}: {why}");
        for command in commands[..3].iter() {
            refuses(folder, &[command, &[file][..]].concat(), &[&why, "Next: save what `iperf3 -c HOST -J`"]);
        }
        refuses(folder, &["prove", file], &[&why, "cannot be reproduced", "hint: run `iperf3"]);
        assert!(!said(folder, &["prove", file]).1.contains("Read: ."));
    }
    for command in ["check", "run"] {
        refuses(folder, &[command, "blank.txt"], &["the experiment is empty", "examples/smoke.toml"]);
        refuses(folder, &[command, "noise.bin"], &["noise.bin:1:1: this is binary data", "goodput diagnose noise.bin"]);
        assert!(!said(folder, &[command, "noise.bin"]).1.contains("\\u{"), "nothing of it is shown");
    }
    refuses(folder, &["diagnose"], &["<FILE|RUN|->"]);
}

#[test]
fn evidence_that_is_taken_for_an_experiment_leads_to_the_diagnosis() {
    let listings = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings"));
    for file in ["hong-kong-new-york.txt", "rate-cap-cubic.txt", "lro-jail.txt"] {
        refuses(listings, &["check", file], &["this is evidence (", &format!("hint: goodput diagnose {file}")]);
    }
}

#[test]
fn a_folder_that_is_no_run_is_told_from_a_proof() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir_all(folder.join("runs/prove-x/proof")).unwrap();
    fs::create_dir(folder.join("other")).unwrap();
    refuses(
        folder,
        &["report", "runs/prove-x"],
        &["hint: its proof has no verdict.json: run `goodput prove` with the evidence"],
    );
    fs::write(folder.join("runs/prove-x/proof/verdict.json"), "{}").unwrap();
    for command in [&["report"][..], &["rerun"], &["diagnose"], &["import"], &["export", "--to", "iperf3"]] {
        refuses(folder, &[command, &["runs/prove-x"]].concat(), &["hint: it is a proof; `goodput prove runs/prove-x`"]);
        let (_, text) = said(folder, &[command, &["other"]].concat());
        assert!(text.contains("other is ") && text.contains("hint: ") && !text.contains("--out"), "{text}");
    }
    fs::create_dir_all(folder.join("runs/x/trials/0003")).unwrap();
    fs::write(folder.join("runs/x/plan.json"), "{}").unwrap();
    refuses(
        folder,
        &["diagnose", "runs/x/trials/0003"],
        &["hint: it is a trial of a run; `goodput diagnose runs/x:3`"],
    );
    let within = "hint: it belongs to a proof; `goodput prove runs/prove-x`";
    refuses(folder, &["report", "runs/prove-x/proof"], &[within]);
    fs::write(folder.join("file"), "").unwrap();
    refuses(folder, &["report", "file"], &["hint: it is, or lies in, a file: name the folder of a run"]);
    for plan in ["other", "file", "runs/plan.jso"] {
        refuses(
            folder,
            &["trial", plan, "0"],
            &["is not the plan of a run", "hint: goodput trial RUN/plan.json INDEX"],
        );
    }
}

#[test]
fn a_point_or_trial_that_is_not_there_is_told_with_those_that_are() {
    let run = Made::new();
    for command in [&["diagnose"][..], &["import"]] {
        let of = |part: &str| run.goodput(&[command, &[&format!("{}:{part}", run.name())]].concat());
        let (point, trial) = (of("nope"), of("77"));
        assert!(point.stderr.contains("has no point \"nope\"\n\naccepted: cubic; reno; "), "{point:?}");
        assert!(trial.stderr.contains("has no finished trial 77\n\naccepted: "), "{trial:?}");
    }
}

#[test]
fn a_name_that_is_misspelt_is_found() {
    let here = Path::new(".");
    refuses(here, &["explain", "los-response"], &["no rule los-response", "hint: write \"loss-response\""]);
    refuses(here, &["explain", "loss"], &["no rule loss", "hint: write \"loss-response\""]);
    refuses(here, &["explain", "nonsense"], &["no rule nonsense", "accepted: offload-forwarding, "]);
    refuses(here, &["prove", "x", "--may", "sendr"], &["hint: write \"sender\""]);
    refuses(here, &["prove", "x", "--only", "random-los"], &["hint: write \"random-loss\""]);
}

#[test]
fn what_cannot_be_written_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (large, small) = (["--rate", "1Gbit/s", "--rtt", "210ms"], ["--rate", "10Mbit/s", "--rtt", "1ms"]);
    let advise = |path: &[&'static str], to| [&["advise"], path, &["--write", to]].concat();
    refuses(folder, &advise(&large, "/proc/x"), &["/proc/x: ", "hint: nothing can be written to /proc"]);
    let (code, text) = said(folder, &advise(&small, "out"));
    assert!(code == Some(0) && text.contains("nothing to write: no setting needs to change"), "{text}");
    let run = Made::new();
    let run_name = run.name();
    refuses(folder, &["report", &run_name, "--csv", "away/all.csv"], &["hint: make its folder first: mkdir -p away"]);
}

#[test]
fn listings_of_several_paths_are_not_one_case_in_silence() {
    let listings = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/listings"));
    let mut names: Vec<String> =
        fs::read_dir(listings).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let folder = tempfile::tempdir().unwrap();
    for (name, net, mbytes) in [("a.txt", "10.0.0", 162), ("b.txt", "10.7.0", 99)] {
        let run = format!(
            "[  5] local {net}.1 port 40000 connected to {net}.2 port 5201\n\
             [ ID] Interval           Transfer     Bitrate\n\
             [  5]   0.00-10.00  sec   {mbytes} MBytes   136 Mbits/sec                  receiver\n"
        );
        fs::write(folder.path().join(name), run).unwrap();
    }
    let (_, all) = said(folder.path(), &["diagnose", "a.txt", "b.txt"]);
    assert!(all.starts_with("Not of one path: ") && all.contains("a `goodput diagnose` of their own"), "{all}");
    assert!(all.contains("a.txt:1 is between 10.0.0.1 and 10.0.0.2") && all.contains("10.7.0.1"), "{all}");
    refuses(
        folder.path(),
        &["prove", "a.txt", "b.txt"],
        &["not of one path, and prove takes one: ", "hint: give the files of each path to a `goodput prove`"],
    );
    for name in names {
        assert!(!said(listings, &["diagnose", name]).1.contains("Not of one path"), "{name}");
    }
    let (_, two) = said(listings, &["diagnose", "rate-cap-cubic.txt", "rate-cap-dctcp.txt"]);
    assert!(!two.contains("Not of one path"), "two congestion controls on one path: {two}");
}
