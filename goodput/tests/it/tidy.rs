//! The invariants of ARCHITECTURE.md that the files themselves show: what may be in which place, and what must not be
//! anywhere. Each failure names file and line, and the remedy.

use plan::recording;
use plan::run_folder;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Parts of `std` that a pure room has no business with.
const IMPURE: &[&str] = &["env", "fs", "io", "os", "process", "thread", "time"];

/// Crates that forbid the keyword of [`word_for_danger`].
const FORBIDDING: &[&str] = &[
    "crates/analysis/src/lib.rs",
    "crates/base/src/lib.rs",
    "crates/cluster/src/lib.rs",
    "crates/diagnosis/src/lib.rs",
    "crates/evidence/src/lib.rs",
    "crates/experiment/src/lib.rs",
    "crates/hosts/src/lib.rs",
    "crates/lab/src/lib.rs",
    "crates/plan/src/lib.rs",
    "crates/prove/src/lib.rs",
    "crates/results/src/lib.rs",
    "crates/suspicion/src/lib.rs",
    "crates/wire/src/lib.rs",
    "goodput/src/lib.rs",
];

/// Folder in which that keyword is allowed.
const DANGEROUS: &str = "crates/agent/src/sys/";

const MOST_LINES: usize = 600;

/// Names that invite everything.
const SHAPELESS: &[&str] = &["common", "core", "helper", "helpers", "manager", "misc", "util", "utils"];

/// Marks of unfinished work, in two pieces so that this file does not contain them.
const MARKS: &[(&str, &str)] =
    &[("TO", "DO"), ("FIX", "ME"), ("XX", "X"), ("todo", "!"), ("unimplemented", "!"), ("#[ig", "nore")];

/// File, mark without its first sign, and reason.
const MARKED: &[(&str, &str, &str)] = &[];

/// Hosts of package registries, in two pieces.
const REGISTRIES: &[(&str, &str)] = &[
    ("crates", ".io"),
    ("npmjs", ".org"),
    ("npmjs", ".com"),
    ("yarnpkg", ".com"),
    ("pypi", ".org"),
    ("pythonhosted", ".org"),
    ("deb.debian", ".org"),
    ("security.debian", ".org"),
    ("snapshot.debian", ".org"),
    ("archive.ubuntu", ".com"),
    ("proxy.golang", ".org"),
    ("rubygems", ".org"),
];

/// Folders of a machine on which somebody works, in two pieces.
const WORKPLACES: &[(&str, &str)] = &[("/wo", "rk/"), ("/tm", "p/h/"), ("/ro", "ot/"), ("/ho", "me/")];

/// Files that documents name and the tree lacks: files of the kernel cache, of an unfinished trial, of a probe.
const ELSEWHERE: &[&str] = &[
    "bbr.parquet",
    "build.log",
    "console.log",
    "download.json",
    "dualpi2.parquet",
    "ecn.parquet",
    "experiments.json",
    "field.json",
    "job.json",
    "kernel.json",
    "probe.json",
    "upload.json",
    "waits.parquet",
];

/// Top folders of Linux, whose files documents name as well.
const LINUX: &[&str] = &["Documentation/", "arch/", "drivers/", "fs/", "include/", "net/"];

/// Endings that make a name in backticks the name of a file.
const ENDINGS: &[&str] = &[
    ".c", ".config", ".css", ".h", ".html", ".js", ".json", ".lock", ".md", ".parquet", ".patch", ".rs", ".sh", ".svg",
    ".toml", ".yml",
];

#[test]
fn danger_has_one_place() {
    let word = word_for_danger();
    let found = sources(".rs")
        .into_iter()
        .filter(|path| !path.starts_with(DANGEROUS))
        .flat_map(|path| grep(&path, |line| words(code(line)).any(|w| w == word)));
    report(found, &format!("move it to {DANGEROUS}, the only place that may say {word}"));
    for path in FORBIDDING {
        let attribute = format!("#![forbid({word}_code)]");
        assert!(text(path).lines().any(|line| line == attribute), "{path}:1: add {attribute}");
    }
}

fn word_for_danger() -> String {
    ["un", "safe"].concat()
}

/// Whether a line of Rust names something outside.
pub fn is_impure(line: &str) -> bool {
    let line = code(line);
    let clock = words(line).any(|word| word == "SystemTime" || word == "Instant");
    let direct = IMPURE.iter().any(|part| words_after(line, "std::").any(|word| word == *part));
    let grouped = line.trim_start().strip_prefix("use std::{");
    let grouped = grouped.is_some_and(|group| words(group).any(|word| IMPURE.contains(&word)));
    clock || direct || grouped
}

/// `println!` and its like panic when nobody reads.
#[test]
fn printing_has_one_place() {
    let prints = |line: &str| ["print!(", "println!(", "dbg!("].iter().any(|printing| code(line).contains(printing));
    let own = |path: &String| {
        (path.starts_with("goodput/src/") || path.starts_with("crates/"))
            && !path.starts_with("crates/agent/")
            && !path.ends_with("build.rs")
    };
    let found = sources(".rs").into_iter().filter(own).flat_map(|path| grep_own(&path, prints));
    report(found, "use crates/base/src/output.rs, or out! and note! of the command line");
}

#[test]
fn no_file_is_a_house() {
    let long = own_sources().into_iter().filter_map(|path| {
        let lines = own_lines(&text(&path)).count();
        (lines > MOST_LINES).then(|| format!("{path}:{MOST_LINES}: {lines} lines without its tests"))
    });
    report(long, "give one of its topics a module of its own");
}

#[test]
fn names_say_what_is_in_them() {
    let shapeless = |path: &String| {
        let parts = Path::new(path).components().filter_map(|part| match part {
            Component::Normal(name) => Path::new(name).file_stem()?.to_str(),
            _ => None,
        });
        parts.into_iter().any(|part| SHAPELESS.contains(&part))
    };
    let files = own_sources().into_iter().filter(shapeless).map(|path| format!("{path}:1"));
    let inline = own_sources().into_iter().filter(|path| path.ends_with(".rs")).flat_map(|path| {
        grep(&path, |line| words_after(code(line), "mod ").next().is_some_and(|name| SHAPELESS.contains(&name)))
    });
    report(files.chain(inline), "name it after its topic");
}

#[test]
fn nothing_is_left_for_later() {
    let mut used = BTreeSet::new();
    let mut found = vec![];
    for path in own_sources() {
        for mark in MARKS.iter().map(|(a, b)| [*a, *b].concat()) {
            let lines = grep(&path, |line| is_marked(line, &mark));
            match MARKED.iter().position(|(file, known, _)| *file == path && mark.ends_with(known)) {
                Some(known) if !lines.is_empty() => drop(used.insert(known)),
                _ => found.extend(lines),
            }
        }
    }
    report(found, "do it now, or list it with a reason in MARKED of goodput/tests/it/tidy.rs");
    let idle = (0..MARKED.len()).filter(|known| !used.contains(known));
    report(
        idle.map(|known| format!("goodput/tests/it/tidy.rs: {:?}", MARKED[known])),
        "remove what MARKED excuses no more",
    );
}

/// Words in capitals count as whole words only (a mktemp template is no mark); the others match anywhere.
fn is_marked(line: &str, mark: &str) -> bool {
    if mark.bytes().all(|b| b.is_ascii_uppercase()) {
        words(line).any(|word| word == mark)
    } else {
        line.contains(mark)
    }
}

#[test]
fn the_tree_knows_no_registry_and_no_workplace() {
    let registries: Vec<String> = REGISTRIES.iter().map(|(a, b)| [*a, *b].concat()).collect();
    let (mut fetches, mut places) = (vec![], vec![]);
    for path in tracked() {
        fetches.extend(grep(&path, |line| {
            hosts(line).any(|host| registries.iter().any(|known| host == known || host.ends_with(&format!(".{known}"))))
        }));
        places.extend(grep(&path, |line| WORKPLACES.iter().any(|(a, b)| holds_path(line, &[*a, *b].concat()))));
    }
    report(fetches, "leave the choice of a registry or mirror to the machine");
    report(places, "write the path relative to the tree, or as a placeholder");
    let section = |line: &str| line.starts_with("[source") || line.starts_with("[registr");
    let chosen = tracked().into_iter().filter(|path| path.starts_with(".cargo/")).flat_map(|path| grep(&path, section));
    report(chosen, "a registry belongs in the configuration of whoever builds, not in the tree");
}

/// The hosts of all addresses in a line.
fn hosts(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("://").map(|(at, mark)| {
        let rest = &line[at + mark.len()..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-')).unwrap_or(rest.len());
        &rest[..end]
    })
}

/// Whether a path from the root starts so, and is not the middle of another.
fn holds_path(line: &str, path: &str) -> bool {
    let starts = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-~}>".contains(c));
    line.match_indices(path).any(|(at, _)| starts(at))
}

#[test]
fn the_agent_stays_small() {
    let allowed = ["libc", "serde_json", "wire"];
    let manifest = text("crates/agent/Cargo.toml");
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or("").split("\n[").next().unwrap_or("");
    for line in dependencies.lines().filter(|line| line.contains('=')) {
        let name = line.split('=').next().unwrap_or("").trim();
        assert!(
            allowed.contains(&name),
            "crates/agent/Cargo.toml: {name}: the agent does without; it is loaded at every boot"
        );
    }
    let runtimes = ["tokio", "async-std", "smol"].map(|name| format!("name = \"{name}\""));
    let found = grep("Cargo.lock", |line| runtimes.iter().any(|runtime| line == runtime));
    report(found, "find a crate that needs no async runtime");
}

/// The build lists the folder, so a patch needs no entry elsewhere; its name alone gives the order.
#[test]
fn patches_are_numbered_and_explained() {
    let patches: Vec<String> = tracked().into_iter().filter(|path| path.starts_with("kernel/patches/")).collect();
    assert!(!patches.is_empty(), "kernel/patches is empty");
    let mut number = 0;
    let mut topic = String::new();
    for path in &patches {
        // A variant of the patch for some versions of Linux is named NUMBER-TOPIC.before-VERSION.patch, .from- or .until-.
        let own = [".before-", ".from-", ".until-"]
            .iter()
            .fold(&path[..], |name, cut| name.split(cut).next().unwrap_or(name));
        let own = own.trim_end_matches(".patch").to_owned();
        number += usize::from(own != topic);
        topic = own;
        let start = format!("kernel/patches/{number:04}-");
        assert!(path.starts_with(&start) && path.ends_with(".patch"), "{path}:1: rename it to {start}TOPIC.patch");
        let text = text(path);
        let mut lines = text.lines();
        let (subject, blank, reason) = (lines.next(), lines.next(), lines.next());
        let explained = subject.is_some_and(|line| line.contains(": ")) && blank == Some("");
        let explained = explained && reason.is_some_and(|line| !line.is_empty() && !line.starts_with("--- "));
        assert!(explained, "{path}:1: begin with `PART: WHAT`, an empty line, and why");
    }
}

#[test]
fn documents_name_files_that_exist() {
    let (files, mut missing) = (tracked(), vec![]);
    for path in documents() {
        for (number, name) in names(&text(&path)) {
            if !exists(&name, &path, &files) {
                missing.push(format!("{path}:{number}: `{name}` does not exist"));
            }
        }
    }
    report(missing, "correct the name; what is no file of the tree goes into ELSEWHERE of goodput/tests/it/tidy.rs");
}

/// Words in backticks, outside of blocks, that are names of files, with their lines.
fn names(document: &str) -> Vec<(usize, String)> {
    let mut names = vec![];
    for (number, line) in prose(document) {
        for name in line.split('`').skip(1).step_by(2) {
            if is_file_name(name) {
                names.push((number, name.to_owned()));
            }
        }
    }
    names
}

/// Figures that a run leaves in its folder.
const FIGURES: [&str; 10] = [
    "cwnd.svg",
    "throughput.svg",
    "sweep.svg",
    "heat-map.svg",
    "goodput-over-delay.svg",
    "operating-point.svg",
    "fairness.svg",
    "rtt-distribution.svg",
    "response-times.svg",
    "completion-times.svg",
];

fn is_file_name(name: &str) -> bool {
    let shaped = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c));
    let like_a_file = name.contains('/') || ENDINGS.iter().any(|ending| name.ends_with(ending) && name != *ending);
    let placeholder = |part: &str| part.len() > 1 && part.bytes().all(|b| b.is_ascii_uppercase() || b == b'-');
    let placeholder = |part: &str| placeholder(part.split('.').next().unwrap_or(part)) && !part.ends_with(".md");
    shaped
        && like_a_file
        && !name.starts_with(['/', '.'])
        && !name.starts_with("target/")
        && !name.ends_with("/s")
        && !name.starts_with("x.")
        && !name.split('/').any(placeholder)
        && !LINUX.iter().any(|top| name.starts_with(top))
        && !ELSEWHERE.contains(&name)
        && !of_a_run(name)
}

fn of_a_run(name: &str) -> bool {
    let files =
        [run_folder::PLAN, run_folder::ENVIRONMENT, run_folder::MEASURES, run_folder::VERDICT, run_folder::REPORT];
    let trial = [
        recording::SAMPLES,
        recording::QUEUES,
        recording::ACKS,
        recording::DROPS,
        recording::EXCHANGES,
        recording::TRIAL,
    ];
    let base = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("trials/")
        || name.starts_with("runs/")
        || files.contains(&name)
        || trial.contains(&base)
        || FIGURES.contains(&name)
}

/// Whether `name` is a path from the root or from the document, or, without a folder, a file anywhere.
fn exists(name: &str, document: &str, files: &[String]) -> bool {
    let beside = Path::new(document).parent().unwrap_or(Path::new("")).join(name);
    Path::new(ROOT).join(name).exists()
        || Path::new(ROOT).join(beside).exists()
        || !name.contains('/') && files.iter().any(|file| file.rsplit('/').next() == Some(name))
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut broken = vec![];
    for path in tracked().into_iter().filter(|path| path.ends_with(".md")) {
        let folder = Path::new(ROOT).join(&path).parent().map(Path::to_path_buf).unwrap_or_default();
        for (number, line) in prose(&text(&path)) {
            for (_, rest) in line.match_indices("](").map(|(at, mark)| (at, &line[at + mark.len()..])) {
                let target = rest.split([')', '#', ' ']).next().unwrap_or("");
                if !target.is_empty()
                    && !target.contains("://")
                    && !target.starts_with("mailto:")
                    && !folder.join(target).exists()
                {
                    broken.push(format!("{path}:{number}: the link to {target} leads nowhere"));
                }
            }
        }
    }
    report(broken, "correct the link; it is relative to the document's folder");
}

/// The lines of a document outside of its code blocks, with their numbers.
fn prose(document: &str) -> Vec<(usize, &str)> {
    let mut fenced = false;
    let outside = |(number, line): (usize, &'_ str)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fenced && !fence).then_some(number + 1)
    };
    let numbers: Vec<Option<usize>> = document.lines().enumerate().map(outside).collect();
    document.lines().zip(numbers).filter_map(|(line, number)| Some((number?, line))).collect()
}

/// Modules that the recording code uses and that decide no recorded byte, with the reason.
const UNHASHED_MODULES: &[(&str, &str)] = &[
    ("base::folder", "opens files and decides nothing of what is in them"),
    ("base::process", "ends processes and looks at them"),
    ("base::sums", "lists what a recording holds when it is whole"),
    ("crate::kernel", "finds kernels, whose bytes are in the key of a trial"),
    ("evidence::plain", "makes text fit for a terminal"),
    ("evidence::platform", "compares versions of kernels, whose bytes are in the key of a trial"),
    ("evidence::unit", "reads quantities of the plan, which is in the key of a trial"),
    ("plan::captured", "names the file of a node's capture"),
    ("plan::fetched", "names the folder of a trial's fetched files"),
    ("plan::run_folder", "replays, which are never cached"),
];

/// Libraries that the recording code uses and whose version changes no recorded byte.
const UNHASHED_LIBRARIES: &[&str] =
    &["base16ct", "base64", "landlock", "nix", "seccompiler", "sha2", "tempfile", "thiserror"];

/// Crates whose code decides recorded bytes, with the names that their own files call them by.
const RECORDING_CRATES: [&str; 5] = ["base", "evidence", "lab", "plan", "wire"];

/// The texts in a list of crates/lab/build.rs.
fn listed<'b>(build: &'b str, name: &str) -> Vec<&'b str> {
    let list = build.split(&format!("const {name}")).nth(1).and_then(|rest| rest.split(';').next()).unwrap_or("");
    list.split('"').skip(1).step_by(2).collect()
}

/// A stale recording is served if code that decides its bytes is not in `RECORDER`.
#[test]
fn recording_code_is_in_its_hash() {
    let build = text("crates/lab/build.rs");
    let hashed = listed(&build, "RECORDER");
    assert!(hashed.contains(&"crates/wire/src"), "{hashed:?}");
    let missing = hashed.iter().filter(|place| !Path::new(ROOT).join(place).exists());
    report(missing.map(|place| format!("crates/lab/build.rs: {place} is gone")), "correct RECORDER");
    let recording: Vec<String> =
        sources(".rs").into_iter().filter(|path| hashed.iter().any(|place| path.starts_with(place))).collect();
    let foreign = recording.iter().flat_map(|path| {
        let own = path.strip_prefix("crates/").and_then(|rest| rest.split('/').next()).unwrap_or("");
        let is_known = |krate: &str, module: &str| {
            let place = format!("crates/{}/src/{module}", if krate == "crate" { own } else { krate });
            let is_hashed = hashed.iter().any(|known| known.starts_with(&place) || place.starts_with(known));
            is_hashed || UNHASHED_MODULES.iter().any(|(known, _)| *known == format!("{krate}::{module}"))
        };
        let is_foreign = |line: &str| {
            RECORDING_CRATES.iter().chain(&["crate"]).any(|krate| {
                let mut modules = words_after(code(line), &format!("{krate}::")).map(str::to_owned).collect::<Vec<_>>();
                modules.retain(|module| module.starts_with(char::is_lowercase));
                modules.iter().any(|module| !is_known(krate, module))
            })
        };
        grep_own(path, is_foreign)
    });
    report(foreign, "add the module to RECORDER of crates/lab/build.rs, or to UNHASHED_MODULES with a reason");

    let libraries = listed(&build, "LIBRARIES");
    assert!(libraries.contains(&"parquet"), "{libraries:?}");
    let manifests = RECORDING_CRATES.map(|krate| text(&format!("crates/{krate}/Cargo.toml"))).concat();
    let used = manifests.lines().filter_map(|line| line.split_once(".workspace = true")).map(|(name, _)| name);
    let unknown: BTreeSet<String> = used
        .filter(|name| !libraries.contains(name) && !UNHASHED_LIBRARIES.contains(name))
        .filter(|name| !RECORDING_CRATES.contains(name) && !["version", "edition", "license"].contains(name))
        .map(|name| format!("{}::", name.replace('-', "_")))
        .collect();
    let uses = |line: &str| unknown.iter().any(|name| words_after(code(line), name).next().is_some());
    let found = recording.iter().flat_map(|path| grep_own(path, uses));
    report(found, "add the library to LIBRARIES of crates/lab/build.rs, or to UNHASHED_LIBRARIES");
}

// ---- the tree ----

/// Every file that git tracks or would track; without git, every file but those that .gitignore names.
fn tracked() -> Vec<String> {
    let git = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(ROOT)
        .output();
    let mut files: Vec<String> = match git {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).split('\0').map(str::to_owned).collect()
        }
        _ => {
            let mut files = vec![];
            walk(Path::new(ROOT), Path::new(""), &mut files);
            files
        }
    };
    files.retain(|path| Path::new(ROOT).join(path).is_file());
    files.sort();
    files.dedup();
    assert!(files.iter().any(|path| path == "goodput/src/lib.rs"), "the tree is not where it should be: {ROOT}");
    files
}

fn walk(root: &Path, inside: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(root.join(inside)).into_iter().flatten().flatten() {
        let path: PathBuf = inside.join(entry.file_name());
        match path.to_str() {
            Some("target" | "runs" | "bin" | ".git") | None => {}
            Some(_) if entry.path().is_dir() => walk(root, &path, files),
            Some(path) => files.push(path.to_owned()),
        }
    }
}

pub fn sources(ending: &str) -> Vec<String> {
    tracked().into_iter().filter(|path| path.ends_with(ending)).collect()
}

/// Source files written by hand, here.
fn own_sources() -> Vec<String> {
    let endings = [".rs", ".c", ".js", ".css", ".html", ".toml", ".md", ".sh", "Makefile", "Kconfig", ".config"];
    let own = |path: &String| {
        let known = path.starts_with("scripts/") || endings.iter().any(|ending| path.ends_with(ending));
        known && !path.starts_with("report/vendor/") && !path.starts_with("goodput/tests/experiment/")
    };
    tracked().into_iter().filter(own).collect()
}

fn documents() -> Vec<String> {
    let top = ["ARCHITECTURE.md", "README.md", "CONTRIBUTING.md"];
    let read = |path: &String| top.contains(&path.as_str()) || path.starts_with("docs/") && path.ends_with(".md");
    tracked().into_iter().filter(read).collect()
}

pub fn text(path: &str) -> String {
    let bytes = fs::read(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    String::from_utf8_lossy(&bytes).into_owned()
}

// ---- lines ----

/// A file's lines before its tests.
fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{'));
    lines.into_iter().take(tests.unwrap_or(usize::MAX))
}

fn grep(path: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    found(path, text(path).lines(), wanted)
}

pub fn grep_own(path: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    found(path, own_lines(&text(path)), wanted)
}

fn found<'a>(path: &str, lines: impl Iterator<Item = &'a str>, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let numbered = lines.enumerate().filter(|(_, line)| wanted(line));
    numbered
        .map(|(at, line)| format!("{path}:{}: {}", at + 1, line.trim().chars().take(120).collect::<String>()))
        .collect()
}

/// A line of Rust without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or(line)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The word after each `mark`.
fn words_after<'a>(line: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(mark).filter_map(|(at, mark)| {
        let rest = &line[at + mark.len()..];
        words(rest).next().filter(|word| rest.starts_with(word))
    })
}

pub fn report(found: impl IntoIterator<Item = String>, remedy: &str) {
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.is_empty(), "\n{}\nhint: {remedy}\n", found.join("\n"));
}
