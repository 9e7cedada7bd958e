//! FreeBSD's stack in a guest kernel, beside Linux's: the tree that a user names, and what of ours joins the two.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::additions::{FreeBsd, Given};
use super::error::FileError;
use super::recipe::{FREEBSD, RecipeError, apply, hash_of_freebsd};
use super::store::{Store, StoreError, Tree};

/// A kernel's stack of FreeBSD's, as `kernel.json` keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// The version in the tree's sys/param.h, as FreeBSD's releases are called.
    pub version: String,
    /// The tree that it was built from.
    pub tree: PathBuf,
    /// git's name of that tree's content.
    pub identity: String,
    /// The congestion controls that it has, as TCP_CONGESTION takes them.
    pub congestion_controls: Vec<String>,
}

/// Why a tree cannot be built in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FreeBsdError {
    /// A file is not there.
    #[error(
        "{}: no such file{more}\n\nhint: --freebsd takes a checkout of F-Stack (its folders freebsd and lib), which has the \
         stack of FreeBSD {} and what it needs to be built by itself", place.display(), VERSIONS[0].1
    )]
    Missing {
        /// What is missing.
        place: PathBuf,
        /// How many others are; may be empty.
        more: String,
    },
    /// A version that was never tried.
    #[error(
        "{}:{line}: __FreeBSD_version {version} is not one that goodput can build\n  = accepted: {}",
        place.display(), VERSIONS.map(|(from, name)| format!("{from} to {} (FreeBSD {name})", from + PER_RELEASE - 1)).join(", ")
    )]
    Version {
        /// The file that says so.
        place: PathBuf,
        /// The line.
        line: usize,
        /// What it says.
        version: u32,
    },
    /// A patch does not apply.
    #[error(transparent)]
    Patch(#[from] RecipeError),
    /// The tree cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file or folder cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The trees that the calls in `kernel/freebsd` fit: the first `__FreeBSD_version` of a release, and its name.
const VERSIONS: [(u32, &str); 1] = [(1_300_000, "13.0")];
const PER_RELEASE: u32 = 1000;

/// The folders of a tree that are used.
const PARTS: [&str; 2] = ["freebsd", "lib"];

/// States the version.
const PARAM: &str = "freebsd/sys/param.h";

/// The list of the tree's files that are compiled, and the scripts that make others.
const FILES: &str = "files";
const SCRIPTS: [&str; 2] = ["freebsd/tools/makeobjops.awk", "freebsd/tools/vnode_if.awk"];

/// A tree that has been read.
#[derive(Debug)]
pub(super) struct Material {
    /// With the user's patches.
    pub(super) tree: Tree,
    pub(super) stack: Stack,
}

impl FreeBsd {
    /// Reads the tree into the store, sees whether it can be built, and applies the patches.
    pub(super) fn fetch(&self, store: &Store) -> Result<Material, FreeBsdError> {
        let folder = std::fs::canonicalize(&self.tree).map_err(FileError::on("read", &self.tree))?;
        let missing = |missing: &[&str]| {
            let more = if missing.len() > 1 {
                format!(", and {} others are missing", missing.len() - 1)
            } else {
                String::new()
            };
            FreeBsdError::Missing { place: self.tree.join(missing[0]), more }
        };
        if let Some(part) = PARTS.iter().find(|part| !folder.join(part).is_dir()) {
            return Err(missing(&[part]));
        }
        let tree = store.parts(&folder, &PARTS)?;
        let param = store.text(&tree, PARAM).ok_or_else(|| missing(&[PARAM]))?;
        let version = self.version(&param)?;
        let there = store.names(&tree)?;
        let needed = files().chain(SCRIPTS);
        let lacking: Vec<&str> =
            needed.filter(|file| there.binary_search_by(|name| (**name).cmp(*file)).is_err()).collect();
        if !lacking.is_empty() {
            return Err(missing(&lacking));
        }
        let mut congestion_controls: Vec<String> = files().filter_map(congestion_control).map(str::to_owned).collect();
        congestion_controls.sort();
        let stack = Stack { version, tree: folder, identity: format!("git-tree:{}", tree.id), congestion_controls };
        let system = format!("FreeBSD {}", stack.version);
        let draft = store.draft(&tree)?;
        for patch in &self.patches {
            apply(&Given { text: in_tree(&patch.text), ..patch.clone() }, &draft, &system, "--freebsd")?;
        }
        Ok(Material { tree: draft.finish()?, stack })
    }

    fn version(&self, param: &str) -> Result<String, FreeBsdError> {
        let place = self.tree.join(PARAM);
        let stated = |text: &str| {
            text.strip_prefix("#define")?
                .trim_start()
                .strip_prefix("__FreeBSD_version")?
                .split_whitespace()
                .next()?
                .parse()
                .ok()
        };
        let mut lines = param.lines().zip(1..);
        let (version, line): (u32, usize) =
            lines.find_map(|(text, line)| Some((stated(text)?, line))).unwrap_or_default();
        let known = VERSIONS.iter().find(|(from, _)| (*from..from + PER_RELEASE).contains(&version));
        known.map(|(_, name)| (*name).to_owned()).ok_or(FreeBsdError::Version { place, line, version })
    }
}

impl Material {
    /// All that decides the stack's bytes, but for patches and compiler.
    pub(super) fn inputs(&self) -> [String; 2] {
        [self.stack.identity.clone(), hash_of_freebsd()]
    }
}

/// A patch of freebsd-src's: what is `sys` there is `freebsd` here.
fn in_tree(patch: &str) -> String {
    let heads = [("--- a/sys/", "--- a/freebsd/"), ("+++ b/sys/", "+++ b/freebsd/")];
    let line = |line: &str| match heads.iter().find(|(from, _)| line.starts_with(from)) {
        Some((from, to)) => line.replacen(from, to, 1),
        None if line.starts_with("diff --git a/sys/") => {
            line.replace(" a/sys/", " a/freebsd/").replace(" b/sys/", " b/freebsd/")
        }
        None => line.to_owned(),
    };
    patch.lines().map(|text| line(text) + "\n").collect()
}

/// The tree's files that are compiled.
fn files() -> impl Iterator<Item = &'static str> {
    let list = FREEBSD.iter().find(|(name, _)| *name == FILES).map_or("", |(_, text)| *text);
    list.lines().filter(|line| !line.starts_with('#'))
}

/// What `netinet/cc/cc_NAME.c` registers (mod_cc(4)).
fn congestion_control(file: &'static str) -> Option<&'static str> {
    Path::new(file).file_name()?.to_str()?.strip_prefix("cc_")?.strip_suffix(".c")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(tree: &Path) -> FreeBsd {
        FreeBsd { tree: tree.to_owned(), patches: vec![] }
    }

    #[test]
    fn the_version_is_that_of_a_release_that_the_calls_fit() {
        let read = |text: &str| given(Path::new("t")).version(text);
        assert_eq!(read("/*\n#undef __FreeBSD_version\n#define __FreeBSD_version 1300139\t/* x */\n").unwrap(), "13.0");
        let error = read("\n#define __FreeBSD_version 1400097\n").unwrap_err().to_string();
        assert!(error.starts_with("t/freebsd/sys/param.h:2: __FreeBSD_version 1400097 is not one"), "{error}");
        assert!(error.contains("1300000 to 1300999 (FreeBSD 13.0)"), "{error}");
    }

    #[test]
    fn a_tree_that_lacks_files_is_refused_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("store")).unwrap();
        let tree = folder.path().join("src");
        let refusal = || given(&tree).fetch(&store).unwrap_err().to_string();
        std::fs::create_dir_all(tree.join("freebsd/sys")).unwrap();
        assert!(refusal().contains("src/lib: no such file\n"), "{}", refusal());
        std::fs::create_dir(tree.join("lib")).unwrap();
        std::fs::write(tree.join("lib/ff_glue.c"), "").unwrap();
        assert!(refusal().contains("src/freebsd/sys/param.h: no such file\n"), "{}", refusal());
        std::fs::write(tree.join(PARAM), "#define __FreeBSD_version 1300139\n").unwrap();
        let others = files().count() + SCRIPTS.len() - 2;
        let expected = format!("in_cksum.c: no such file, and {others} others are missing");
        assert!(refusal().contains(&expected), "{}", refusal());
    }

    #[test]
    fn a_patch_of_freebsd_src_fits_the_tree() {
        let patch = "diff --git a/sys/netinet/x.c b/sys/netinet/x.c\n--- a/sys/netinet/x.c\n+++ b/sys/netinet/x.c\n@@ -1 +1 @@\n-a/sys/\n+b\n";
        let expected = "diff --git a/freebsd/netinet/x.c b/freebsd/netinet/x.c\n--- a/freebsd/netinet/x.c\n+++ b/freebsd/netinet/x.c\n@@ -1 +1 @@\n-a/sys/\n+b\n";
        assert_eq!(in_tree(patch), expected);
    }

    #[test]
    fn the_list_names_files_and_their_controls() {
        assert!(files().all(|file| file.ends_with(".c") && PARTS.iter().any(|part| file.starts_with(part))));
        let controls: Vec<&str> = files().filter_map(congestion_control).collect();
        assert_eq!(controls, ["cdg", "chd", "cubic", "dctcp", "hd", "htcp", "newreno", "vegas"]);
    }
}
