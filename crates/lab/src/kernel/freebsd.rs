//! FreeBSD's stack in a guest kernel, alongside Linux's: reads the user's tree, and adds goodput's code that joins the
//! two.

use evidence::counted;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::additions::{FreeBsd, Given};
use super::error::FileError;
use super::recipe::{FREEBSD, RecipeError, apply, hash_of_freebsd};
use super::store::{Store, StoreError, Tree};

/// FreeBSD's stack in a kernel, as recorded in `kernel.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// Version in the tree's sys/param.h, in the form of FreeBSD's releases.
    pub version: String,
    /// The tree that it was built from.
    pub tree: PathBuf,
    /// git's id of that tree's content.
    pub identity: String,
    /// Its congestion controls, named as for TCP_CONGESTION.
    pub congestion_controls: Vec<String>,
}

/// Why a tree cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FreeBsdError {
    /// A file is missing.
    #[error(
        "{}: no such file{more}\n\nhint: --freebsd takes a checkout of freebsd-src or of F-Stack, with {TESTED}; another \
         release is built if its files and declarations fit",
        place.display()
    )]
    Missing {
        place: PathBuf,
        /// Other missing files; may be empty.
        more: String,
    },
    /// The release is older than goodput's calls, or none is stated.
    #[error(
        "{}:{line}: __FreeBSD_version {version} is not one that goodput can build{lacks}\n  = accepted: {OLDEST} (FreeBSD 13) and later",
        place.display()
    )]
    Version {
        /// File that states the version.
        place: PathBuf,
        line: usize,
        version: u32,
        /// Other things that a build would lack; may be empty.
        lacks: String,
    },
    /// A header lacks a declaration that the code in `kernel/freebsd` uses.
    #[error(
        "{}: no `{words}`\n\nhint: what joins the stack to the guest kernel uses it, as {TESTED} has it", place.display()
    )]
    Lacks {
        place: PathBuf,
        /// The missing declaration.
        words: &'static str,
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

/// The oldest `__FreeBSD_version` that the calls in `kernel/freebsd` fit. A later one is built if its declarations fit.
const OLDEST: u32 = 1_300_000;

/// Releases whose stack has run (docs/freebsd.md).
const TESTED: &str = "FreeBSD 13.0, 13.1, 14.0 or 15.0";

/// Names of the folder `sys`: freebsd-src's, and F-Stack's.
const SYS_NAMES: [&str; 2] = [SYS, "freebsd"];

/// Its name in the store.
const SYS: &str = "sys";

/// Folders in it that are used.
const USED_FOLDERS: [&str; 19] = [
    "amd64",
    "bsm",
    "contrib/ck",
    "crypto",
    "ddb",
    "kern",
    "libkern",
    "net",
    "net80211",
    "netinet",
    "netinet6",
    "netipsec",
    "netlink",
    "netpfil",
    "security",
    "sys",
    "tools",
    "vm",
    "x86",
];

const PARAM: &str = "sys/param.h";

/// List of the tree's files that are compiled; [`SOURCES`] generate others.
const FILES: &str = "files";
const SOURCES: [&str; 6] = [
    "tools/makeobjops.awk",
    "tools/vnode_if.awk",
    "kern/vnode_if.src",
    "kern/bus_if.m",
    "kern/device_if.m",
    "kern/linker_if.m",
];

/// Declarations that goodput's side uses and that other releases have in another form.
const USED_DECLARATIONS: [(&str, &str); 7] = [
    ("netinet/tcp_var.h", "t_inpcb"),
    ("netinet/tcp_var.h", "t_segqlen"),
    ("netinet/tcp_var.h", "sack_bytes_rexmit"),
    ("netinet/tcp_lro.h", "tcp_lro_init_args"),
    ("net/route/route_ctl.h", "rib_action"),
    ("sys/socketvar.h", "SO_RCV"),
    ("vm/uma.h", "uma_zsecond_create"),
];

/// A tree that has been read.
#[derive(Debug)]
pub(super) struct Material {
    /// The tree with the user's patches.
    pub(super) tree: Tree,
    pub(super) stack: Stack,
}

impl FreeBsd {
    /// Reads the tree into the store, checks that it can be built, and applies the patches.
    pub(super) fn fetch(&self, store: &Store) -> Result<Material, FreeBsdError> {
        let folder = std::fs::canonicalize(&self.tree).map_err(FileError::on("read", &self.tree))?;
        let top = SYS_NAMES.iter().find(|top| folder.join(top).is_dir()).unwrap_or(&SYS);
        let missing = |file: &str, more: String| FreeBsdError::Missing { place: self.tree.join(top).join(file), more };
        let sys = std::fs::canonicalize(folder.join(top)).map_err(|_| missing("", String::new()))?;
        let parts: Vec<&str> = USED_FOLDERS.into_iter().filter(|part| sys.join(part).is_dir()).collect();
        let tree = store.parts(&sys, &parts, SYS)?;
        let text = |file: &str| store.text(&tree, &format!("{SYS}/{file}"));
        let param = text(PARAM).ok_or_else(|| missing(PARAM, String::new()))?;
        let there = store.names(&tree)?;
        let is_there = |file: &str| there.binary_search(&format!("{SYS}/{file}")).is_ok();
        let needed = files().filter(|file| !file.is_optional()).chain(SOURCES.into_iter().map(File));
        let lacking: Vec<&str> =
            needed.filter(|file| !file.names().any(is_there)).filter_map(|file| file.names().next()).collect();
        let undeclared = USED_DECLARATIONS
            .into_iter()
            .find(|(header, words)| !text(header).is_some_and(|text| declares(&text, words)));
        let version = version(&param, self.tree.join(top).join(PARAM), lacks(&lacking, undeclared))?;
        if let Some((first, others)) = lacking.split_first() {
            return Err(missing(first, and(others)));
        }
        if let Some((header, words)) = undeclared {
            return Err(FreeBsdError::Lacks { place: self.tree.join(top).join(header), words });
        }
        let chosen = files().filter_map(|file| file.names().find(|name| is_there(name)));
        let mut congestion_controls: Vec<String> = chosen.filter_map(congestion_control).map(str::to_owned).collect();
        congestion_controls.sort();
        let stack = Stack { version, tree: folder, identity: format!("git-tree:{}", tree.id), congestion_controls };
        let system = format!("FreeBSD {}", stack.version);
        let draft = store.draft(&tree)?;
        for patch in &self.patches {
            apply(&Given { text: in_tree(&patch.text), ..patch.clone() }, &draft, &system, "--freebsd")?;
        }
        Ok(Material { tree: draft.finish()?, stack })
    }
}

/// True if a header contains these words, with any white space between them.
fn declares(header: &str, words: &str) -> bool {
    header.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ").contains(words))
}

/// Returns the release that a tree states.
fn version(param: &str, place: PathBuf, lacks: String) -> Result<String, FreeBsdError> {
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
    let (version, line): (u32, usize) = lines.find_map(|(text, line)| Some((stated(text)?, line))).unwrap_or_default();
    if version < OLDEST {
        return Err(FreeBsdError::Version { place, line, version, lacks });
    }
    Ok(format!("{}.{}", version / 100_000, version / 1000 % 100))
}

/// Most names that an error lists.
const MAX_LISTED_NAMES: usize = 5;

/// Formats the missing files after the first.
fn and(others: &[&str]) -> String {
    match others.len() {
        0 => String::new(),
        more @ 1..=MAX_LISTED_NAMES => format!(", nor {}", others[..more].join(", ")),
        more => {
            let rest = counted(more - MAX_LISTED_NAMES, "other", "others");
            format!(", nor {} and {rest}", others[..MAX_LISTED_NAMES].join(", "))
        }
    }
}

/// Describes everything that a tree of the wrong version lacks.
fn lacks(files: &[&str], undeclared: Option<(&str, &str)>) -> String {
    let files = files.split_first().map(|(first, others)| format!("\n  = it has no {first}{}", and(others)));
    let words = undeclared.map(|(header, words)| format!("\n  = {header} has no `{words}`"));
    files.into_iter().chain(words).collect()
}

impl Material {
    /// Returns everything that determines the stack's bytes, except patches and compiler.
    pub(super) fn inputs(&self) -> [String; 2] {
        [self.stack.identity.clone(), hash_of_freebsd()]
    }
}

/// Adapts a patch for F-Stack: its folder `freebsd` is `sys` in freebsd-src and in the store.
fn in_tree(patch: &str) -> String {
    let heads = [("--- a/freebsd/", "--- a/sys/"), ("+++ b/freebsd/", "+++ b/sys/")];
    let line = |line: &str| match heads.iter().find(|(from, _)| line.starts_with(from)) {
        Some((from, to)) => line.replacen(from, to, 1),
        None if line.starts_with("diff --git a/freebsd/") => {
            line.replace(" a/freebsd/", " a/sys/").replace(" b/freebsd/", " b/sys/")
        }
        None => line.to_owned(),
    };
    patch.lines().map(|text| line(text) + "\n").collect()
}

/// A line of [`FILES`].
#[derive(Debug, Clone, Copy)]
struct File(&'static str);

impl File {
    /// True if not every release has it.
    fn is_optional(self) -> bool {
        self.0.starts_with('?')
    }

    /// Returns its alternatives, of which the first that a tree has is compiled.
    fn names(self) -> impl Iterator<Item = &'static str> {
        self.0.trim_start_matches('?').split('|')
    }
}

/// Returns the tree's files that are compiled.
fn files() -> impl Iterator<Item = File> {
    let list = FREEBSD.iter().find(|(name, _)| *name == FILES).map_or("", |(_, text)| *text);
    list.lines().filter(|line| !line.starts_with('#')).map(File)
}

/// Returns the congestion control that `netinet/cc/cc_NAME.c` registers (mod_cc(4)).
fn congestion_control(file: &'static str) -> Option<&'static str> {
    Path::new(file).file_name()?.to_str()?.strip_prefix("cc_")?.strip_suffix(".c")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADERS: &str = "struct\tinpcb *t_inpcb t_segqlen sack_bytes_rexmit tcp_lro_init_args rib_action \
                           SO_RCV uma_zsecond_create";

    /// Makes a tree with that version and all files that are used.
    fn tree(folder: &Path, top: &str, version: u32) -> PathBuf {
        let tree = folder.join("src");
        let write = |file: &str, text: &str| {
            let path = tree.join(top).join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let first = files().filter_map(|file| file.names().next());
        first.chain(SOURCES).for_each(|file| write(file, "one\n"));
        USED_DECLARATIONS.iter().for_each(|(header, _)| write(header, HEADERS));
        write(PARAM, &format!("/*\n#undef __FreeBSD_version\n#define __FreeBSD_version {version}\t/* x */\n"));
        tree
    }

    fn fetch(tree: &Path, patch: &str) -> Result<Material, FreeBsdError> {
        let store = Store::open(tree.with_file_name("store")).unwrap();
        let patches = Vec::from_iter((!patch.is_empty()).then(|| Given { path: "p".into(), text: patch.to_owned() }));
        FreeBsd { tree: tree.to_owned(), patches }.fetch(&store)
    }

    #[test]
    fn both_layouts_are_the_same_tree() {
        let made = ["sys", "freebsd"].map(|top| {
            let folder = tempfile::tempdir().unwrap();
            let tree = tree(folder.path(), top, 1_302_001);
            std::fs::create_dir(tree.join("lib")).unwrap();
            let patches = ["sys", "freebsd"].map(|to| {
                let file = format!("{to}/netinet/tcp_output.c");
                let patch =
                    format!("diff --git a/{file} b/{file}\n--- a/{file}\n+++ b/{file}\n@@ -1 +1 @@\n-one\n+a/{to}/\n");
                fetch(&tree, &patch.replace("+a/freebsd/", "+a/sys/")).unwrap().tree.id
            });
            assert_eq!(patches[0], patches[1]);
            let material = fetch(&tree, "").unwrap();
            assert_eq!(material.stack.version, "13.2");
            (material.stack.identity, patches[0].clone())
        });
        assert_eq!(made[0], made[1]);
    }

    #[test]
    fn files_missing_from_a_tree_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let refusal = |tree: &Path| fetch(tree, "").unwrap_err().to_string();
        let place = folder.path().join("src");
        assert!(refusal(&place).contains("src"), "{}", refusal(&place));
        std::fs::create_dir(&place).unwrap();
        assert!(refusal(&place).contains("src/sys/: no such file\n"), "{}", refusal(&place));

        let tree = tree(folder.path(), "sys", 1_300_139);
        std::fs::remove_file(tree.join("sys/net/radix.c")).unwrap();
        assert!(refusal(&tree).contains("src/sys/net/radix.c: no such file\n"), "{}", refusal(&tree));
        std::fs::remove_dir_all(tree.join("sys/libkern")).unwrap();
        let expected = "libkern/arc4random_uniform.c: no such file, nor libkern/bcd.c, libkern/gsb_crc32.c, \
                        libkern/inet_ntoa.c, libkern/jenkins_hash.c, libkern/strlcpy.c and 2 others\n";
        assert!(refusal(&tree).contains(expected), "{}", refusal(&tree));
    }

    #[test]
    fn a_header_that_declares_less_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let tree = tree(folder.path(), "sys", 1_300_139);
        std::fs::write(tree.join("sys/netinet/tcp_var.h"), HEADERS.replace("t_inpcb", "")).unwrap();
        let said = fetch(&tree, "").unwrap_err().to_string();
        assert!(said.contains("src/sys/netinet/tcp_var.h: no `t_inpcb`"), "{said}");
    }

    #[test]
    fn an_older_version_is_refused_with_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let tree = tree(folder.path(), "sys", 1_202_000);
        std::fs::remove_file(tree.join("sys/net/route/nhop.c")).unwrap();
        std::fs::write(tree.join("sys/netinet/tcp_var.h"), HEADERS.replace("t_inpcb", "")).unwrap();
        let said = fetch(&tree, "").unwrap_err().to_string();
        let expected = "src/sys/sys/param.h:3: __FreeBSD_version 1202000 is not one that goodput can build\n  \
                        = it has no net/route/nhop.c\n  = netinet/tcp_var.h has no `t_inpcb`\n  \
                        = accepted: 1300000 (FreeBSD 13) and later";
        assert!(said.ends_with(expected), "{said}");
    }

    /// 15.0 has no tcp_debug.c, and its checksums in another file; a checkout may be without a congestion control.
    #[test]
    fn a_later_release_is_built_if_its_files_and_declarations_fit() {
        let folder = tempfile::tempdir().unwrap();
        let tree = tree(folder.path(), "sys", 1_600_004);
        let sys = tree.join("sys");
        std::fs::remove_file(sys.join("netinet/tcp_debug.c")).unwrap();
        std::fs::remove_file(sys.join("netinet/cc/cc_cdg.c")).unwrap();
        std::fs::rename(sys.join("amd64/amd64/in_cksum.c"), sys.join("netinet/in_cksum.c")).unwrap();
        let stack = fetch(&tree, "").unwrap().stack;
        assert_eq!(stack.version, "16.0");
        assert_eq!(stack.congestion_controls, ["chd", "cubic", "dctcp", "hd", "htcp", "newreno", "vegas"]);
        std::fs::remove_file(sys.join("netinet/in_cksum.c")).unwrap();
        let said = fetch(&tree, "").unwrap_err().to_string();
        assert!(said.contains("src/sys/amd64/amd64/in_cksum.c: no such file\n"), "{said}");
    }

    #[test]
    fn the_list_names_files_and_their_controls() {
        let mut names = files().flat_map(File::names);
        assert!(names.all(|file| file.ends_with(".c") && USED_FOLDERS.iter().any(|part| file.starts_with(part))));
        let controls: Vec<&str> = files().flat_map(File::names).filter_map(congestion_control).collect();
        assert_eq!(controls, ["cdg", "chd", "cubic", "dctcp", "hd", "htcp", "newreno", "vegas"]);
    }
}
