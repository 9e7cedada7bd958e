//! Embeds what the guest kernel is made of, so that an installed goodput needs no checkout, and the hash of the code that
//! records.

use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Where the source is that decides the bytes of a recording, beside guest kernel and agent: from the scene that a plan
/// holds to the files of a trial.
const RECORDER: &[&str] = &[
    "goodput/src/plan/host.rs",
    "goodput/src/plan/scene.rs",
    "goodput/src/plan/segments.rs",
    "goodput/src/network",
    "goodput/src/engine",
    "goodput/src/recording",
    "evidence/src/headers.rs",
    "wire/src",
    "Cargo.lock",
];

fn main() {
    println!("cargo::rustc-env=GOODPUT_RECORDER={}", recorder());
    let kernel = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernel");
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

/// SHA-256 over names and bytes of the files of [`RECORDER`].
fn recorder() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
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
        } else if place.extension().is_some_and(|ending| ending == "rs" || ending == "lock") {
            let bytes = fs::read(&path).expect("a listed file can be read");
            hash.update(format!("{} {}\n", place.display(), bytes.len()));
            hash.update(bytes);
        }
    }
    format!("{:x}", hash.finalize())
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
