//! Experiments as files: `NAME.toml` next to its errors, `NAME.stderr`. `good-NAME.toml` gives a plan. Four have it as
//! `NAME.plan.json`, for defaults, names, and the order of the trials of a sweep and a search, which `keys` cannot
//! show. `BLESS=1 cargo test -p goodput --test it experiment::` records new output; read the difference before you
//! commit it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/experiment");

/// The kernels of the machine on which the experiments are read; the last is the newest.
static KERNELS: LazyLock<Vec<experiment::Kernel>> = LazyLock::new(|| {
    let all = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let kernel = |names: &[&str], controls: &[&str]| experiment::Kernel {
        names: all(names),
        congestion_controls: all(controls),
        freebsd: None,
        lacks: vec![],
        is_stale: false,
    };
    let both = experiment::Kernel {
        freebsd: Some(all(&["cubic", "htcp", "newreno"])),
        ..kernel(&["both"], &["bbr", "cubic", "reno"])
    };
    vec![
        both,
        experiment::Kernel {
            lacks: vec![experiment::Feature::DualPi2, experiment::Feature::AccEcn, experiment::Feature::Mptcp],
            ..kernel(&["6.12", "before"], &["bbr", "cubic", "reno"])
        },
        kernel(&["after", "7.0-rc1"], &["bbr", "cubic", "my_cubic", "reno"]),
        kernel(&["6.18"], &[]),
    ]
});

#[test]
fn every_file_gives_the_errors_or_the_plan_beside_it() {
    let bless = std::env::var_os("BLESS").is_some();
    let differences: Vec<String> = experiments().iter().filter_map(|path| compare(path, bless)).collect();
    assert!(differences.is_empty(), "{}\nBLESS=1 accepts what is found", differences.join("\n"));
}

fn experiments() -> Vec<PathBuf> {
    let files = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    files.sort();
    assert!(files.len() > 35, "only {} experiments in {FOLDER}", files.len());
    files
}

fn compare(path: &Path, bless: bool) -> Option<String> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let (extension, found, other) = match experiment::plan(name, &fs::read_to_string(path).unwrap(), &KERNELS) {
        Ok(_) if name.starts_with("good-") && !path.with_extension("plan.json").exists() => return None,
        Ok(plan) => ("plan.json", json(plan), "stderr"),
        Err(errors) => ("stderr", errors.to_string(), "plan.json"),
    };
    let golden = path.with_extension(extension);
    if bless {
        fs::write(&golden, &found).unwrap();
        let _ = fs::remove_file(path.with_extension(other));
    }
    if path.with_extension(other).exists() {
        return Some(format!("{name} gives {extension}, and there is {other} beside it"));
    }
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    (expected != found).then(|| difference(&golden, &expected, &found))
}

/// The plan without the text it was made from, and without the version, which changes with every release.
fn json(mut plan: plan::Plan) -> String {
    plan.spec.clear();
    plan.goodput.clear();
    serde_json::to_string_pretty(&plan).unwrap() + "\n"
}

fn difference(golden: &Path, expected: &str, found: &str) -> String {
    let same = expected.lines().zip(found.lines()).take_while(|(old, new)| old == new).count();
    let from = |text: &str, sign: char| -> String {
        text.lines().skip(same).take(20).map(|line| format!("{sign} {line}\n")).collect()
    };
    format!("{}, line {}:\n{}{}", golden.display(), same + 1, from(expected, '-'), from(found, '+'))
}

/// 40 Mbit/s × 10 ms / 8 are 50 kB, and 20 Mbit/s × 60 ms / 8 are 150 kB: the way over LTE is not the shortest from phone to
/// server, and leads through the link once.
#[test]
fn a_link_off_the_shortest_path_uses_its_own_bdp() {
    let text = r#"
title = "two ways"
hosts = { phone = {}, server = {} }
routers = { wifi = {}, lte = {}, core = {} }
links = [
    { between = ["phone", "wifi"], rate = "40 Mbit/s", delay = "5 ms", buffer = "1 BDP" },
    { between = ["phone", "lte"], rate = "20 Mbit/s", delay = "30 ms", buffer = "1 BDP" },
    { between = ["wifi", "core"], rate = "1 Gbit/s", buffer = "1000 packets" },
    { between = ["lte", "core"], rate = "1 Gbit/s", buffer = "1000 packets" },
    { between = ["core", "server"], rate = "1 Gbit/s", buffer = "1000 packets" },
]
flows = [{ from = "phone", to = "server", duration = "1 s" }]
"#;
    let plan = experiment::plan("two-ways.toml", text, &KERNELS).unwrap();
    let queue = |link: usize| serde_json::to_string(&plan.trials[0].scene.links[link].backward.queue).unwrap();
    assert!(queue(0).contains(":50000") && queue(1).contains(":150000"), "{} {}", queue(0), queue(1));
}
