//! Suites: folders of experiments. `goodput/tests/lab/suites.rs` runs one.

use crate::tidy::text;
use lab::run::{self, Files};
use plan::Plan;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const PAGE: &str = "docs/how-to/rfc9743.md";
/// Sections of RFC 9743 that ask for an evaluation, but for 5.3, which asks for documents.
const SECTIONS: [&str; 23] = [
    "5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.1.5", "5.2.1", "5.2.2", "5.2.3", "6.1", "6.2", "6.3", "6.4", "7.1", "7.2",
    "7.3", "7.4", "7.5", "7.6", "7.7", "7.8", "7.9", "7.10", "7.11",
];

fn experiments() -> Vec<(String, PathBuf)> {
    let files = fs::read_dir(Path::new(ROOT).join("suites/rfc9743")).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path)).collect()
}

fn plan(path: &Path) -> Plan {
    run::plan_without_kernels(path, None, Files::Beside).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn each_section_of_rfc_9743_has_an_experiment_and_a_row() {
    let page = text(PAGE);
    let experiments = experiments();
    for section in SECTIONS {
        let own = experiments.iter().filter(|(name, _)| name.split_once('-').is_some_and(|(own, _)| own == section));
        let names: Vec<&str> = own.map(|(name, _)| name.as_str()).collect();
        assert!(!names.is_empty(), "no experiment of section {section}");
        let row = page.lines().find(|line| line.starts_with(&format!("| {section} |")));
        let row = row.unwrap_or_else(|| panic!("{PAGE} has no row of section {section}"));
        names.iter().for_each(|name| assert!(row.contains(&format!("`{name}`")), "{PAGE}: {section} lacks {name}"));
    }
    for (name, _) in &experiments {
        let section = name.split_once('-').map_or("", |(section, _)| section);
        assert!(SECTIONS.contains(&section), "suites/rfc9743/{name}.toml begins with no section");
    }
}

#[test]
fn each_compares_the_default_of_the_hosts_and_has_a_criterion() {
    for (name, path) in experiments() {
        let plan = plan(&path);
        assert_eq!(plan.compare.over.as_deref(), Some("hosts.sysctl.net.ipv4.tcp_congestion_control"), "{name}");
        assert_eq!(plan.compare.against.as_deref(), Some("cubic"), "{name}");
        assert!(!plan.expect.is_empty(), "{name}");
        // A criterion is of the control: it holds or not at each value of the axis.
        let fixed = plan
            .expect
            .iter()
            .flat_map(|expect| &expect.at)
            .any(|at| at.key == "hosts.sysctl.net.ipv4.tcp_congestion_control");
        assert!(!fixed, "{name}");
        assert!(plan.title.starts_with(name.split_once('-').unwrap().0), "{name}: {}", plan.title);
    }
}

fn goodput(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.args(arguments).current_dir(folder).env("XDG_CACHE_HOME", folder).output().unwrap()
}

#[test]
fn a_folder_that_is_no_suite_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str]| {
        let output = goodput(arguments, place.path());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    fs::create_dir(place.path().join("empty")).unwrap();
    let error = "goodput: empty has no experiments\n\naccepted: an experiment, or a folder with experiments (*.toml)\n";
    assert_eq!(refused(&["run", "empty"]), error);
    let error = "goodput: --csv is for one experiment, and empty is a folder\n";
    assert_eq!(refused(&["run", "empty", "--csv", "x.csv"]), error);
    for (vary, why) in [
        ("flows.0.congestion", "there is no \"=\""),
        ("path.loss=", "a key or a value is missing"),
        ("path.rtt=[1", "not TOML: "),
    ] {
        let said = refused(&["run", "empty", "--vary", vary]);
        assert!(said.contains(why), "{said}");
    }
}
