//! Rules that a crate boundary cannot hold: no file imports in a circle, and pure code sees nothing outside.

mod imports;

use crate::tidy::{grep_own, is_impure, report, sources, text};
use imports::{Import, circles, imports};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Code that neither sees nor changes anything outside: no clock, file, host or environment.
const PURE: &[&str] = &[
    "crates/wire/src/",
    "crates/evidence/src/",
    "crates/base/src/units.rs",
    "crates/base/src/model/",
    "crates/base/src/show.rs",
    "crates/base/src/stats/",
    "crates/base/src/suggest.rs",
    "crates/diagnosis/src/",
    "crates/plan/src/",
    "crates/experiment/src/",
    "crates/analysis/src/",
    "crates/results/src/",
    "crates/prove/src/",
    "crates/suspicion/src/",
    "crates/cluster/src/shard.rs",
    "goodput/src/file_schema.rs",
    "goodput/src/schema.rs",
];

/// Places in them that read or write files.
const IMPURE: &[&str] = &[
    "crates/evidence/src/capture/",
    "crates/evidence/src/packed.rs",
    "crates/plan/src/recording/",
    "crates/plan/src/run_folder.rs",
    "crates/analysis/src/sources/",
    "crates/results/src/compare/",
    "crates/prove/src/trials/",
    "crates/suspicion/src/trials.rs",
];

#[test]
fn no_files_import_one_another_in_a_circle() {
    let circles = circles(&HOUSE);
    report(
        circles.iter().flatten().map(|import| format!("{}: imports {} for {}", import.from, import.to, import.path)),
        "move what both need into a file below both",
    );
}

#[test]
fn pure_code_sees_nothing_outside() {
    let lies_in = |file: &str, places: &[&str]| places.iter().any(|place| file.starts_with(place));
    for place in [PURE, IMPURE].concat() {
        assert!(files().iter().any(|file| file.starts_with(place)), "{place} is gone: take it from the list");
    }
    let files = files().into_iter().filter(|file| lies_in(file, PURE) && !lies_in(file, IMPURE));
    let found = files.flat_map(|file| grep_own(&file, is_impure));
    report(found, "hand the value in from code that may look outside (lab, hosts, the command line)");
}

/// Crates by name, and the files that they begin with.
fn crates() -> Vec<(String, String)> {
    let begins = |file: &String| {
        let rest = file.strip_prefix("crates/")?;
        let name = rest.strip_suffix("/src/lib.rs").or_else(|| rest.strip_suffix("/src/main.rs"))?;
        Some((name.to_owned(), file.clone()))
    };
    let program = ["bin", "goodput/src/bin/goodput/main.rs"].map(str::to_owned);
    sources(".rs").iter().filter_map(begins).chain([program.into()]).collect()
}

/// Files of the crates, but for their tests.
fn files() -> Vec<String> {
    let own = |path: &String| path.contains("/src/") && !path.ends_with("/tests.rs") && !path.contains("/tests/");
    sources(".rs").into_iter().filter(own).collect()
}

static HOUSE: LazyLock<BTreeSet<Import>> = LazyLock::new(|| {
    let known: BTreeSet<String> = sources(".rs").into_iter().collect();
    let crates = crates();
    let crates: Vec<(&str, &str)> = crates.iter().map(|(name, file)| (name.as_str(), file.as_str())).collect();
    imports(&crates, |path| known.contains(path).then(|| text(path)))
});

/// A house of five files, in which `a` and `b` import each other, and the ground its roof.
const PLANTED: &[(&str, &str)] = &[
    ("goodput/src/lib.rs", "pub mod ground; pub mod roof;"),
    (
        "goodput/src/ground.rs",
        "pub fn plan() -> u8 { let text = \"crate::roof::a\"; crate::roof::a(text) } // crate::roof",
    ),
    ("goodput/src/roof/mod.rs", "mod a;\nmod b;\npub use a::{a, Kind as Sort};\npub enum Face {}\n"),
    (
        "goodput/src/roof/a.rs",
        "use super::b::{self, deep::{Thing}};\nuse super::Face;\npub fn a(_: &str) -> u8 { b::b() }\npub enum Kind {}\n\
         #[cfg(test)]\nmod tests { use crate::ground; }\n#[cfg(test)]\nuse crate::{ground};\n",
    ),
    ("goodput/src/roof/b.rs", "use crate::roof::Sort;\npub mod deep { pub struct Thing; }\npub fn b() -> u8 { 0 }\n"),
];

fn planted(change: impl Fn(&str) -> String) -> BTreeSet<Import> {
    let read = |path: &str| PLANTED.iter().find(|(file, _)| *file == path).map(|(_, text)| change(text));
    imports(&[("goodput", "goodput/src/lib.rs")], read)
}

#[test]
fn a_planted_circle_is_found() {
    let imports = planted(str::to_owned);
    let found: Vec<Vec<&str>> =
        circles(&imports).iter().map(|circle| circle.iter().map(|import| import.path.as_str()).collect()).collect();
    assert_eq!(found, [["super::b", "super::b::b", "super::b::deep::Thing", "crate::roof::Sort"]]);
    assert_eq!(circles(&planted(|text| text.replace("use crate::roof::Sort;", ""))), Vec::<Vec<&Import>>::new());
}
