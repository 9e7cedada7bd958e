//! Embeds what the guest kernel is made of, so that an installed goodput needs no checkout, and the hash of the code that
//! records.

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Source files that decide the bytes of a recording, together with guest kernel and agent: from the scene that a plan
/// holds to the files of a trial.
const RECORDER: &[&str] = &[
    "crates/plan/src/chance.rs",
    "crates/plan/src/flow.rs",
    "crates/plan/src/host.rs",
    "crates/plan/src/queue.rs",
    "crates/plan/src/record.rs",
    "crates/plan/src/scene.rs",
    "crates/plan/src/segments.rs",
    "crates/plan/src/shared.rs",
    "crates/plan/src/trace.rs",
    "crates/plan/src/tunnel.rs",
    "crates/plan/src/network",
    "crates/lab/src/engine",
    "crates/plan/src/recording",
    "crates/base/src/model/tunnel.rs",
    "crates/evidence/src/headers.rs",
    "crates/wire/src",
];

/// The libraries that write recordings and jobs. Of Cargo.lock these count, and what they need.
const LIBRARIES: &[&str] = &["arrow-array", "arrow-schema", "parquet", "serde", "serde_json"];

fn main() {
    println!("cargo::rustc-env=GOODPUT_RECORDER={}", recorder());
    let kernel = manifest_folder().join("../../kernel");
    let fragment = kernel.join("goodput.config");
    watch(&kernel);
    watch(&fragment);
    let code = format!(
        "const FRAGMENT: &str = include_str!({fragment:?});\n{}{}{}",
        table("PATCHES", files(&kernel.join("patches"), ".patch")),
        table("MODULE", files(&kernel.join("module"), "")),
        table("CONGESTION", [files(&kernel.join("cc"), ".c"), files(&kernel.join("cc"), ".h")].concat()),
    ) + &tree("FREEBSD", &kernel.join("freebsd"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("kernel_files.rs"), code).expect("cargo's folder can be written");
}

/// This crate's folder, which is another one when a target folder was copied.
fn manifest_folder() -> PathBuf {
    PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"))
}

/// SHA-256 over names and bytes of the files of [`RECORDER`], and over the [`LIBRARIES`].
fn recorder() -> String {
    let root = manifest_folder().join("../..");
    let mut hash = Sha256::new();
    let mut waiting: Vec<PathBuf> = RECORDER.iter().rev().map(PathBuf::from).collect();
    while let Some(place) = waiting.pop() {
        let path = root.join(&place);
        watch(&path);
        if path.is_dir() {
            let mut inside: Vec<PathBuf> = fs::read_dir(&path)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| place.join(entry.file_name()))
                .collect();
            inside.sort();
            waiting.extend(inside);
        } else if place.extension().is_some_and(|ending| ending == "rs") {
            let bytes = fs::read(&path).expect("a listed file can be read");
            hash.update(format!("{} {}\n", place.display(), bytes.len()));
            hash.update(bytes);
        }
    }
    let lock = root.join("Cargo.lock");
    watch(&lock);
    for package in libraries(&fs::read_to_string(lock).expect("cargo has a Cargo.lock")) {
        hash.update(package);
    }
    format!("{:x}", hash.finalize())
}

/// The entries of Cargo.lock of the [`LIBRARIES`] and all that these need, in its order.
fn libraries(lock: &str) -> Vec<&str> {
    let packages: Vec<&str> = lock.split("[[package]]\n").skip(1).collect();
    let name = |package: &str| package.split('"').nth(1).map(str::to_owned);
    let mut wanted: BTreeSet<String> = LIBRARIES.iter().map(|name| (*name).to_owned()).collect();
    loop {
        let chosen =
            || packages.iter().copied().filter(|package| name(package).is_some_and(|name| wanted.contains(&name)));
        // Each stands on a line of its own, with its version where there are several.
        let lists = chosen().filter_map(|package| package.split_once("dependencies = ["));
        let needed = lists.flat_map(|(_, list)| list.split('"').skip(1).step_by(2));
        let all: BTreeSet<String> =
            needed.filter_map(|need| need.split(' ').next()).map(str::to_owned).chain(wanted.iter().cloned()).collect();
        if all == wanted {
            return chosen().collect();
        }
        wanted = all;
    }
}

/// A table of names and texts.
fn table(name: &str, files: Vec<PathBuf>) -> String {
    let mut code = format!("const {name}: &[(&str, &str)] = &[\n");
    for file in files {
        watch(&file);
        let base = file.file_name().expect("a listed file has a name");
        writeln!(code, "    ({base:?}, include_str!({file:?})),").expect("a String takes any text");
    }
    code + "];\n"
}

/// A table of the files of a folder and those below it, by their paths from it.
fn tree(name: &str, top: &Path) -> String {
    let mut code = format!("pub(super) const {name}: &[(&str, &str)] = &[\n");
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        for file in files(&folder, "") {
            watch(&file);
            let place = file.strip_prefix(top).expect("it is below the folder");
            writeln!(code, "    ({place:?}, include_str!({file:?})),").expect("a String takes any text");
        }
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        folders.extend(entries.filter(|path| path.is_dir()));
        folders.sort_by(|a, b| b.cmp(a));
    }
    code + "];\n"
}

/// The files of a folder whose names end so, in name order; none if there is no such folder.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    watch(folder);
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a listed folder can be read").path())
        .filter(|path| path.is_file() && path.to_string_lossy().ends_with(ending))
        .filter(|path| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')))
        .collect();
    files.sort();
    files
}

fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}
