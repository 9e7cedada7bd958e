//! `goodput advise`: pages as they are printed for the arguments in tests/advise/NAME.args, and what is in the files.
//! `BLESS=1` writes what is found.

use clap::Parser;
use evidence::System;
use evidence::platform::Platform;
use goodput::advise::arguments::AdviseArguments;
use goodput::advise::remedy::{self, Route};
use goodput::advise::{self, Advice};
use std::fs;
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/advise");

#[derive(Parser)]
#[command(name = "goodput advise", disable_version_flag = true)]
struct Line {
    #[command(flatten)]
    arguments: AdviseArguments,
}

/// The page, or the error.
fn page(line: &str) -> Result<String, String> {
    let words = std::iter::once("goodput advise").chain(line.split_whitespace());
    let line = Line::try_parse_from(words).map_err(|error| error.to_string())?;
    let request = line.arguments.request().map_err(|wrong| {
        let notes: String = wrong.notes.iter().map(|note| format!("{note}\n")).collect();
        format!("{}\n{notes}{}\n", wrong.what, wrong.hint.unwrap_or_default())
    })?;
    Ok(advise::render(&advise::advise(&request), line.arguments.explain))
}

fn advice(line: &str) -> Advice {
    let words = std::iter::once("goodput advise").chain(line.split_whitespace());
    let line = Line::try_parse_from(words).unwrap();
    advise::advise(&line.arguments.request().unwrap())
}

/// Names and texts of the arguments.
fn cases() -> Vec<(String, String)> {
    let mut cases = vec![];
    for entry in fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "args") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            cases.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    cases.sort();
    assert!(cases.len() > 10, "{cases:?}");
    cases
}

#[test]
fn pages_are_as_they_were_checked() {
    let mut wrong = vec![];
    for (name, line) in cases() {
        let (ending, found) = match page(&line) {
            Ok(page) => ("out", page),
            Err(error) => ("err", error),
        };
        let path = Path::new(FOLDER).join(format!("{name}.{ending}"));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, found).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}\nhint: BLESS=1 cargo test -p goodput --test it advise::", wrong.join("\n"));
}

/// What sysctl(8) takes: comments, and `key = value` with keys of this kernel, where it has them, and whole numbers.
#[test]
fn files_of_sysctl_can_be_loaded() {
    let mut seen = 0;
    for (name, line) in cases().into_iter().filter(|(_, line)| page(line).is_ok()) {
        for file in advise::written(&advice(&line)).iter().filter(|file| file.name.contains("sysctl")) {
            for line in file.text.lines().filter(|line| !line.starts_with('#')) {
                let (key, value) = line.split_once('=').unwrap_or_else(|| panic!("{name}: {line}"));
                let (key, value) = (key.trim(), value.trim());
                let plain = |c: char| c.is_ascii_alphanumeric() || "._".contains(c);
                assert!(key.chars().all(plain) && !value.is_empty() && !value.contains('"'), "{name}: {line}");
                let numbers: Vec<Option<i32>> = value.split(' ').map(|word| word.parse().ok()).collect();
                let word = value.chars().all(|c| c.is_ascii_lowercase());
                assert!(word || numbers.iter().all(|number| number.is_some_and(|n| n >= 0)), "{name}: {line}");
                assert!(numbers.is_sorted(), "{name}: least, first and most: {line}");
                let proc = Path::new("/proc/sys").join(key.replace('.', "/"));
                if file.name.starts_with("sysctl.d") && Path::new("/proc/sys/net/core/default_qdisc").exists() {
                    assert!(proc.exists(), "{name}: {}", proc.display());
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn every_change_is_kept_and_can_be_undone() {
    for (name, line) in cases().into_iter().filter(|(_, line)| page(line).is_ok()) {
        for remedy in advice(&line).remedies {
            assert!(!remedy.now.is_empty() && !remedy.note.is_empty(), "{name}: {remedy:?}");
            assert!(!remedy.undo.is_empty() || !remedy.keep.is_empty(), "{name}: {remedy:?}");
        }
    }
}

/// The Hong Kong–New York line: loss binds, the default window is that of its BBR run, and buffers are twice what the line holds.
#[test]
fn hong_kong_new_york_gets_bbr_and_buffers() {
    let advice = advice("--rate 1Gbit/s --rtt 210ms --loss 0.00165% --version 6.12");
    let of = |name: &str| advice.expected.iter().find(|e| e.algorithm == name).unwrap();
    assert!((of("cubic").goodput.unwrap() / 69.6e6 - 1.0).abs() < 0.002);
    assert!((of("bbr").default_buffers.unwrap() / 119.8e6 - 1.0).abs() < 0.001);
    assert_eq!((advice.bdp, advice.window), (26_250_000, 52_500_000));
    assert!(advice.buffers.iter().all(|b| b.needed == 101 << 20));
    let what: Vec<&str> = advice.remedies.iter().map(|remedy| remedy.what).collect();
    assert_eq!(what, ["receive buffer", "send buffer", "congestion control", "queueing discipline"]);
}

/// No buffer is raised where loss alone binds and no congestion control does better.
#[test]
fn nothing_is_raised_where_it_cannot_help() {
    let advice = advice("--rate 1Gbit/s --rtt 210ms --loss 1% --version 3.10");
    assert!(advice.remedies.is_empty(), "{:?}", advice.remedies);
    assert!(advice.answer.concat().contains("whatever the buffers"), "{:?}", advice.answer);
}

/// Those too that only a diagnosis asks for.
#[test]
fn every_remedy_says_how_to_keep_and_to_undo_it() {
    let platforms = [(System::Linux, "6.12"), (System::FreeBsd, "14.2")];
    for (system, version) in platforms {
        let platform = Platform { system, version: version.parse().unwrap() };
        let route = Route {
            prefix: "10.4.0.0/16".into(),
            address: "10.4.0.0".into(),
            ipv6: false,
            via: Some("192.0.2.1".into()),
            interface: Some("em0".into()),
        };
        let mut remedies = vec![
            remedy::receive_buffer(1 << 25, &platform),
            remedy::send_buffer(1 << 25, &platform),
            remedy::congestion("htcp", &platform),
            remedy::route_mtu(&route, 1400, system),
            remedy::mss_clamp(1400, system),
            remedy::lro_off("em0", system),
            remedy::mtu_probing(system),
            remedy::no_metrics_save(system),
        ];
        match system {
            System::Linux => remedies.extend([
                remedy::fq(Some("em0"), &platform),
                remedy::slow_start_after_idle_off(),
                remedy::tcp_mem([765_918, 1_021_224, 1_531_836]),
            ]),
            System::FreeBsd => remedies.push(remedy::stack("rack", &platform)),
        }
        for remedy in remedies {
            assert_eq!(remedy.system, system);
            let [now, keep, undo] = [remedy.now.len(), remedy.keep.len(), remedy.undo.len()];
            assert!(now > 0 && keep > 0 && undo > 0 && !remedy.note.is_empty(), "{remedy:?}");
            for key in &remedy.keys {
                let kept = remedy.keep.iter().any(|(_, line)| line.starts_with(key));
                assert!(kept && remedy.now.iter().any(|command| command.contains(key)), "{key}: {remedy:?}");
            }
        }
        assert_eq!(remedy::nodelay(system).keep, []);
    }
}

#[test]
fn the_guide_shows_pages_as_they_are() {
    let guide = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/advise.md")).unwrap();
    for name in ["hong-kong-new-york", "lro-jail"] {
        let page = fs::read_to_string(Path::new(FOLDER).join(format!("{name}.out"))).unwrap();
        assert!(guide.contains(&page), "copy {name}.out into docs/guide/advise.md");
    }
}

#[test]
fn an_advice_is_data() {
    let advice = advice("--rate 1Gbit/s --rtt 210ms --loss 0.00165% --tunnel esp-aes-gcm --forwards --interface eth0");
    let json = serde_json::to_value(&advice).unwrap();
    assert_eq!(json["inside"]["mtu"], 1446);
    assert_eq!(json["request"]["platform"]["version"], "6.12.0");
    assert_eq!(json["remedies"][0]["keep"][0][0], "/etc/systemd/network/10-goodput-eth0.link");
    assert!(json["expected"].as_array().unwrap().iter().any(|e| e["name"]["Control"] == "bbr"));
}

#[test]
fn no_arguments_within_their_bounds_panic() {
    for rate in ["1kbit/s", "100Tbit/s"] {
        for rtt in ["1us", "100s"] {
            for loss in ["0%", "0.0000000001%", "100%"] {
                for rest in
                    ["--flows 1000000", "--tunnel esp-aes-cbc-sha512 --nat-t --mtu 576 --ipv6-outside --forwards"]
                {
                    for system in ["linux --version 2.6.32", "linux --version 99", "freebsd --version 13.0"] {
                        let line = format!("--rate {rate} --rtt {rtt} --loss {loss} {rest} --os {system}");
                        let page = page(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
                        assert!(!page.contains("NaN") && !page.contains("inf "), "{line}:\n{page}");
                    }
                }
            }
        }
    }
}
