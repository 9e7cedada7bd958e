//! Embeds what the guest kernel is made of, so that an installed goodput needs no checkout.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let kernel = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernel");
    let fragment = kernel.join("goodput.config");
    watch(&kernel);
    watch(&fragment);
    let code = format!(
        "const FRAGMENT: &str = include_str!({fragment:?});\n{}{}",
        table("PATCHES", files(&kernel.join("patches"), ".patch")),
        table("MODULE", files(&kernel.join("module"), "")),
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("kernel_files.rs"), code).expect("cargo's folder can be written");
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
