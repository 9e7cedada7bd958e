//! Pages that `goodput advise` prints for the arguments in tests/advise/NAME.args, and the files that it proposes.
//! `BLESS=1` records new output; `remedy` checks the commands.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/advise");

/// The page, or the error.
fn page(line: &str) -> Result<String, String> {
    let program =
        Command::new(env!("CARGO_BIN_EXE_goodput")).arg("advise").args(line.split_whitespace()).output().unwrap();
    let [out, errors] = [program.stdout, program.stderr].map(|text| String::from_utf8(text).unwrap());
    if program.status.success() { Ok(out) } else { Err(errors) }
}

fn advice(line: &str) -> Value {
    serde_json::from_str(&page(&format!("{line} --json")).unwrap()).unwrap()
}

/// The files that it writes, by their paths.
fn written(line: &str) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut folders) = (vec![], vec![folder.path().to_owned()]);
    page(&format!("{line} --write {}", folder.path().display())).unwrap();
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder.path()).unwrap().display().to_string();
                files.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
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

/// Files for sysctl(8) contain only comments and `key = value` lines: keys of this kernel, where it has them, and whole
/// numbers.
#[test]
fn files_of_sysctl_can_be_loaded() {
    let mut seen = 0;
    for (name, line) in cases().into_iter().filter(|(_, line)| page(line).is_ok()) {
        for (file, text) in written(&line).iter().filter(|(file, _)| file.contains("sysctl")) {
            for line in text.lines().filter_map(|line| line.split('#').next()).filter(|line| !line.is_empty()) {
                let (key, value) = line.split_once('=').unwrap_or_else(|| panic!("{name}: {line}"));
                let (key, value) = (key.trim(), value.trim());
                let plain = |c: char| c.is_ascii_alphanumeric() || "._".contains(c);
                assert!(key.chars().all(plain) && !value.is_empty() && !value.contains('"'), "{name}: {line}");
                let numbers: Vec<Option<i32>> = value.split(' ').map(|word| word.parse().ok()).collect();
                let word = value.chars().all(|c| c.is_ascii_lowercase());
                assert!(word || numbers.iter().all(|number| number.is_some_and(|n| n >= 0)), "{name}: {line}");
                assert!(numbers.is_sorted(), "{name}: least, first and most: {line}");
                let proc = Path::new("/proc/sys").join(key.replace('.', "/"));
                if file.starts_with("sysctl.d") && Path::new("/proc/sys/net/core/default_qdisc").exists() {
                    assert!(proc.exists(), "{name}: {}", proc.display());
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

/// Hong Kong–New York: loss limits the flow, BBR with default buffers reaches its published rate, and the proposed
/// buffers are twice the path's BDP.
#[test]
fn hong_kong_new_york_gets_bbr_and_buffers() {
    let advice = advice("--rate 1Gbit/s --rtt 210ms --loss 0.00167% --version 6.12");
    let of = |name: &str, what: &str| {
        let expected = advice["expected"].as_array().unwrap().iter().find(|e| e["algorithm"] == name).unwrap();
        expected[what].as_f64().unwrap()
    };
    // RFC 9438, section 5.1, at three events in 179,590 segments of 1448 B; published are 69.6.
    assert!((of("cubic", "goodput") / 69.04e6 - 1.0).abs() < 0.001);
    assert!((of("bbr", "default_buffers") / 119.8e6 - 1.0).abs() < 0.001);
    assert_eq!((advice["bdp"].as_u64(), advice["window"].as_u64()), (Some(26_250_000), Some(52_500_000)));
    assert!(advice["buffers"].as_array().unwrap().iter().all(|b| b["needed"] == 101 << 20));
    let what: Vec<&str> = advice["remedies"].as_array().unwrap().iter().map(|r| r["what"].as_str().unwrap()).collect();
    assert_eq!(what, ["receive buffer", "send buffer", "congestion control", "net.core.default_qdisc"]);
}

/// No buffer is raised if loss alone limits the flow and no congestion control does better.
#[test]
fn nothing_is_raised_where_it_cannot_help() {
    let advice = advice("--rate 1Gbit/s --rtt 210ms --loss 1% --version 3.10");
    assert_eq!(advice["remedies"], serde_json::json!([]));
    assert!(advice["answer"].to_string().contains("whatever the buffers"), "{}", advice["answer"]);
}

/// The answer comes first, and no line of prose is wider than a terminal of 80 columns.
#[test]
fn pages_fit_a_terminal() {
    for (name, line) in cases() {
        let Ok(page) = page(&line) else { continue };
        let wide = |line: &&str| line.chars().count() > 80 && !line.contains("=\"") && !line.contains("/etc/");
        assert_eq!(page.lines().find(wide), None, "{name}");
        let first = page.lines().position(str::is_empty).unwrap();
        assert!(first <= 7, "{name}: {first} lines before the first section");
    }
}

#[test]
fn the_guide_shows_pages_as_they_are() {
    let guide = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/advise.md")).unwrap();
    for name in ["hong-kong-new-york", "lro-jail"] {
        let page = fs::read_to_string(Path::new(FOLDER).join(format!("{name}.out"))).unwrap();
        assert!(guide.contains(&page), "copy {name}.out into docs/reference/advise.md");
    }
}

#[test]
fn an_advice_is_data() {
    let json = advice("--rate 1Gbit/s --rtt 210ms --loss 0.00167% --tunnel esp-aes-gcm --forwards --interface eth0");
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
