//! goodput's changes that make Linux a guest kernel: the config fragment, patches, module and congestion controls.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::additions::{Additions, FOLDER, Given, Text, makefile};
use super::congestion;
use super::error::indented;
use super::store::{ApplyError, Draft, Misfit, Store, StoreError, Tree};
use evidence::platform::Version;

include!(concat!(env!("OUT_DIR"), "/kernel_files.rs"));

/// Everything that turns Linux into a guest kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// Options merged over `tinyconfig`; `super::config` decides which of them may be dropped.
    pub fragment: String,
    /// Patches, applied with `-p1` in this order. Patches with the same number are alternatives for different versions
    /// of Linux: the first that fits is applied. A name with `.from-VERSION` restricts a patch to that version and
    /// later ones.
    pub patches: Vec<Text>,
    /// Files of `drivers/goodput`.
    pub module: Vec<Text>,
    /// Files of `drivers/goodput/cc`: congestion controls. Names restrict versions as for patches.
    pub congestion: Vec<Text>,
}

/// Why a source cannot be prepared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// None of goodput's own alternative patches fits.
    #[error(
        "goodput's patches do not apply to Linux {version}{}\n\n\
         hint: they are tested on Debian's kernels; `goodput kernel add` alone takes the newest of those",
        indented(said)
    )]
    OwnPatch {
        /// Version of the kernel.
        version: Version,
        /// Position and text of the hunks that do not fit.
        said: String,
    },
    /// The user's patch does not fit.
    #[error(
        "{said}\n\nhint: {system} lacks the context lines or the removed lines of the hunk; rebase the patch onto this \
         version, or choose the version that it was made for with {option}"
    )]
    Patch {
        /// Position and text of each hunk.
        said: String,
        /// System that it was applied to.
        system: String,
        /// Option that chooses the system.
        option: &'static str,
    },
    /// The source already has the user's patch.
    #[error(
        "{}: {system} already has these changes\n\nhint: omit the patch, or use an older source with {option}",
        patch.display()
    )]
    Applied {
        patch: PathBuf,
        /// System that it was applied to.
        system: String,
        /// Option that chooses the system.
        option: &'static str,
    },
    #[error(
        "{}: git cannot read this patch{}\n\nhint: pass what `git diff`, `git format-patch` or `diff -u` prints, with paths from \
         the top of the tree: a/net/ipv4/tcp.c",
        patch.display(), indented(said)
    )]
    NoPatch {
        patch: PathBuf,
        /// git's output.
        said: String,
    },
    /// The kernel lacks a place to which goodput's module attaches.
    #[error(
        "goodput's module finds no {missing} in Linux {version}\n\n\
         hint: the module is made for Debian's newest kernel, which `goodput kernel add` alone takes"
    )]
    NoHook {
        /// The missing place.
        missing: String,
        /// Version of the kernel.
        version: Version,
    },
    /// The tree cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A source with all changes applied.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) tree: Tree,
    /// Names of goodput's patches that were applied.
    pub(super) patches: Vec<String>,
}

impl Recipe {
    /// Returns the recipe that this goodput was built with.
    pub fn embedded() -> Recipe {
        let texts = |table: &[(&str, &str)]| {
            table.iter().map(|&(name, text)| Text { name: name.to_owned(), text: text.to_owned() }).collect()
        };
        Recipe {
            fragment: FRAGMENT.to_owned(),
            patches: texts(PATCHES),
            module: texts(MODULE),
            congestion: texts(CONGESTION),
        }
    }

    /// Returns a hash of the recipe and of the way a build follows it.
    pub fn hash(&self) -> String {
        let texts = |kind: &'static str, texts: &[Text]| {
            texts
                .iter()
                .flat_map(move |file| [kind.to_owned(), file.name.clone(), file.text.clone()])
                .collect::<Vec<_>>()
        };
        let mut parts = super::build::how();
        parts.push(self.fragment.clone());
        parts.extend(texts("patch", &self.patches));
        parts.extend(texts("module", &self.module));
        parts.extend(texts("congestion", &self.congestion));
        digest(&parts)
    }

    /// Returns a hash of the recipe, with FreeBSD's part if needed.
    pub(super) fn hash_with(&self, has_freebsd: bool) -> String {
        if has_freebsd { digest(&[self.hash(), hash_of_freebsd()]) } else { self.hash() }
    }

    /// Returns the congestion controls that it registers, in addition to the configuration's.
    pub(super) fn congestion_controls(&self, version: &Version) -> impl Iterator<Item = String> {
        self.congestion_for(version).into_iter().flat_map(|file| congestion::registered(&file.text))
    }

    fn congestion_for(&self, version: &Version) -> Vec<Text> {
        let meant = self.congestion.iter().filter(|file| is_for(&file.name, version));
        // A kernel module's name has no dot.
        let plain = |name: &str| {
            name.split_once('.')
                .map_or(name.to_owned(), |(name, rest)| format!("{name}.{}", rest.rsplit('.').next().unwrap_or(rest)))
        };
        meant.map(|file| Text { name: plain(&file.name), text: file.text.clone() }).collect()
    }

    /// Combines a source with the recipe and the user's additions.
    pub(super) fn prepare(
        &self,
        store: &Store,
        source: &Tree,
        version: &Version,
        additions: &Additions,
    ) -> Result<Prepared, RecipeError> {
        let draft = store.draft(source)?;
        let patches = self.patch(&draft, version)?;
        self.hook_module(&draft, version)?;
        let system = format!("Linux {version}");
        additions.patches.iter().try_for_each(|patch| apply(patch, &draft, &system, "--from"))?;
        add_modules(&draft, additions)?;
        if additions.freebsd.is_some() {
            hook_freebsd(&draft)?;
        }
        Ok(Prepared { tree: draft.finish()?, patches })
    }

    /// Applies goodput's own patches, and returns the names of those that fit.
    fn patch(&self, draft: &Draft, version: &Version) -> Result<Vec<String>, RecipeError> {
        let number = |patch: &Text| patch.name.split('-').next().map(str::to_owned);
        let fitting = |patches: &[Text]| {
            let mut first = None;
            for patch in patches {
                match draft.apply(&patch.text) {
                    Ok(()) => return Ok(patch.name.clone()),
                    Err(error) => first = first.or(Some((patch, error))),
                }
            }
            let said = first.map_or(String::new(), |(patch, error)| described(patch, &error));
            Err(RecipeError::OwnPatch { version: version.clone(), said })
        };
        let meant: Vec<Text> = self.patches.iter().filter(|patch| is_for(&patch.name, version)).cloned().collect();
        meant.chunk_by(|a, b| number(a) == number(b)).map(fitting).collect()
    }

    /// Adds the module and the congestion controls to a tree, and to its configuration and build.
    fn hook_module(&self, draft: &Draft, version: &Version) -> Result<(), RecipeError> {
        let congestion = self.congestion_for(version);
        for (folder, files) in [("drivers/goodput", &self.module), ("drivers/goodput/cc", &congestion)] {
            for file in files {
                draft.write(&format!("{folder}/{}", file.name), &file.text)?;
            }
        }
        draft.write("drivers/goodput/cc/Makefile", &makefile(&congestion))?;
        let missing = |missing: &str| RecipeError::NoHook { missing: missing.to_owned(), version: version.clone() };
        let drivers = draft.text("drivers/Makefile").ok_or_else(|| missing("drivers/Makefile"))?;
        draft.write("drivers/Makefile", &format!("{drivers}\nobj-y += goodput/\n"))?;
        let menu = draft.text("drivers/Kconfig").ok_or_else(|| missing("drivers/Kconfig"))?;
        let menu = with_our_menu(&menu).ok_or_else(|| missing("endmenu in drivers/Kconfig"))?;
        Ok(draft.write("drivers/Kconfig", &menu)?)
    }
}

/// Adds the code that joins FreeBSD's stack to a tree of Linux.
fn hook_freebsd(draft: &Draft) -> Result<(), StoreError> {
    for (name, text) in FREEBSD {
        let place = name.strip_prefix("linux/").map_or(format!("stack/{name}"), str::to_owned);
        draft.write(&format!("drivers/goodput/freebsd/{place}"), text)?;
    }
    let drivers = draft.text("drivers/Makefile").unwrap_or_default();
    draft.write("drivers/Makefile", &format!("{drivers}obj-y += goodput/freebsd/\n"))
}

/// Returns a hash of the code that joins FreeBSD's stack to the kernel.
pub(super) fn hash_of_freebsd() -> String {
    let texts: Vec<String> = FREEBSD.iter().flat_map(|(name, text)| [(*name).to_owned(), (*text).to_owned()]).collect();
    digest(&texts)
}

/// True if a patch or file with this name is for a version: `.from-VERSION` is the first version, `.until-VERSION` the
/// first excluded one.
fn is_for(name: &str, version: &Version) -> bool {
    let named = |bound: &str| -> Option<Version> { name.split_once(bound)?.1.rsplit_once('.')?.0.parse().ok() };
    named(".from-").is_none_or(|from| *version >= from) && named(".until-").is_none_or(|until| *version < until)
}

/// Adds the user's modules to a tree. Their Makefile exists even if there are none.
fn add_modules(draft: &Draft, additions: &Additions) -> Result<(), StoreError> {
    for module in &additions.modules {
        for file in &module.files {
            draft.write(&format!("{}/{}", module.place(), file.name), &file.text)?;
        }
        draft.write(&format!("{}/Makefile", module.place()), &makefile(&module.files))?;
    }
    let folders: String = additions.modules.iter().map(|module| format!("obj-y += {}/\n", module.name)).collect();
    draft.write(&format!("{FOLDER}/Makefile"), &folders)
}

fn with_our_menu(kconfig: &str) -> Option<String> {
    let (menu, after) = kconfig.rsplit_once("endmenu")?;
    Some(format!("{menu}source \"drivers/goodput/Kconfig\"\n\nendmenu{after}"))
}

/// Applies a user's patch to the system that an option chooses.
pub(super) fn apply(patch: &Given, draft: &Draft, system: &str, option: &'static str) -> Result<(), RecipeError> {
    let error = match draft.apply(&patch.text) {
        Ok(()) => return Ok(()),
        Err(error) => error,
    };
    let applied = draft.has_applied(&patch.text);
    let path = patch.path.clone();
    Err(match error {
        ApplyError::Other(said) => RecipeError::NoPatch { patch: path, said },
        ApplyError::Misfits(_) if applied => RecipeError::Applied { patch: path, system: system.to_owned(), option },
        ApplyError::Misfits(misfits) => {
            let said = misfits.iter().map(|misfit| shown(&patch.shown(), &patch.text, misfit)).collect::<String>();
            RecipeError::Patch { said: said.trim_end().to_owned(), system: system.to_owned(), option }
        }
    })
}

fn described(patch: &Text, error: &ApplyError) -> String {
    match error {
        ApplyError::Other(said) => format!("{}: {said}", patch.name),
        ApplyError::Misfits(misfits) => {
            misfits.iter().map(|misfit| shown(&patch.name, &patch.text, misfit)).collect::<String>()
        }
    }
}

/// Most lines of a hunk in an error.
const SHOWN_HUNK_LINES: usize = 12;

/// Formats position and text of the hunk that does not fit.
fn shown(name: &str, text: &str, misfit: &Misfit) -> String {
    let Misfit { file, line } = misfit;
    let Some(line) = line else { return format!("{name}: no such file: {file}\n") };
    let Some(hunk) = hunk(text, file, *line) else {
        return format!("{name}: the hunk for {file}:{line} does not apply\n");
    };
    let lines: String = hunk.lines.iter().take(SHOWN_HUNK_LINES).map(|line| format!("    {line}\n")).collect();
    let more = if hunk.lines.len() > SHOWN_HUNK_LINES { "    …\n" } else { "" };
    format!("{name}:{}: hunk {} for {file} does not apply\n{lines}{more}", hunk.at, hunk.number)
}

#[derive(Debug, PartialEq)]
struct Hunk<'a> {
    /// Its line in the patch, from 1.
    at: usize,
    /// Its number among the file's hunks, from 1.
    number: usize,
    lines: Vec<&'a str>,
}

/// Finds the hunk of a patch that begins at a line of a file.
fn hunk<'a>(patch: &'a str, file: &str, line: usize) -> Option<Hunk<'a>> {
    let is_head = |line: &str| ["--- ", "diff ", "index "].iter().any(|head| line.starts_with(head));
    let (mut ours, mut number) = (false, 0);
    let lines: Vec<&str> = patch.lines().collect();
    for (at, text) in lines.iter().enumerate() {
        if let Some(path) = text.strip_prefix("--- ").or(text.strip_prefix("+++ ")) {
            let path = path.split('\t').next().unwrap_or_default().trim_end();
            let same = path.split_once('/').is_some_and(|(_, path)| path == file);
            ours = if text.starts_with("+++") { ours || same } else { same };
            number = 0;
        }
        let Some(range) = text.strip_prefix("@@ -") else { continue };
        number += 1;
        let begins = range.split([',', ' ']).next()?.parse() == Ok(line);
        if ours && begins {
            let body = lines[at + 1..].iter().take_while(|line| !line.starts_with("@@ ") && !is_head(line));
            let lines = [*text].into_iter().chain(body.copied()).collect();
            return Some(Hunk { at: at + 1, number, lines });
        }
    }
    None
}

/// Returns a hash over texts. Each goes with its length, so that different lists never match.
pub(super) fn digest(parts: &[String]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    format!("{:x}", hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_in_a_recipe_is_in_its_hash() {
        let text = |name: &str, text: &str| Text { name: name.into(), text: text.into() };
        let base = Recipe {
            fragment: "a".into(),
            patches: vec![text("p", "q")],
            module: vec![text("m", "n")],
            congestion: vec![],
        };
        let others = [
            Recipe { fragment: "b".into(), ..base.clone() },
            Recipe { patches: vec![text("p", "r")], ..base.clone() },
            Recipe { patches: vec![text("pq", "")], ..base.clone() },
            Recipe { module: vec![], patches: vec![text("p", "q"), text("m", "n")], ..base.clone() },
            Recipe { module: vec![], congestion: vec![text("m", "n")], ..base.clone() },
            Recipe { module: vec![text("M", "n")], ..base.clone() },
        ];
        assert_eq!(base.hash(), base.clone().hash());
        for other in others {
            assert_ne!(base.hash(), other.hash(), "{other:?}");
        }
    }

    #[test]
    fn a_patch_may_be_for_some_versions_only() {
        let is_for = |name: &str, version: &str| is_for(name, &version.parse().unwrap());
        assert!(is_for("0001-um-seed.patch", "6.1") && is_for("0001-um-seed.before-6.16.patch", "7.3.4"));
        assert!(is_for("0011-x.from-6.6.patch", "6.6.0") && is_for("0011-x.from-6.6.patch", "6.12.107"));
        assert!(!is_for("0011-x.from-6.6.patch", "6.1.192"));
        assert!(is_for("x.from-7.3.c", "7.3.4") && !is_for("x.from-7.3.c", "7.2.9"));
        assert!(is_for("0014-x.until-6.13.patch", "6.12.117") && !is_for("0014-x.until-6.13.patch", "6.13.0"));
    }

    #[test]
    fn the_menu_is_hooked_before_its_end() {
        let kconfig = "menu \"Device Drivers\"\nsource \"a\"\nendmenu\n";
        let hooked = with_our_menu(kconfig).unwrap();
        assert_eq!(hooked, "menu \"Device Drivers\"\nsource \"a\"\nsource \"drivers/goodput/Kconfig\"\n\nendmenu\n");
    }

    #[test]
    fn the_hunk_that_does_not_fit_is_shown() {
        let patch = "Subject: x\n---\n a | 2 +-\n\ndiff --git a/x/a b/x/a\n--- a/x/a\n+++ b/x/a\n@@ -3,1 +3,1 @@ f\n-a\n+b\n\
                     @@ -9 +9 @@ g\n-c\n+d\ndiff --git a/x/b b/x/b\n--- a/x/b\t2026\n+++ b/x/b\n@@ -9 +9 @@\n-e\n+f\n";
        let at = |file: &str, line: usize| hunk(patch, file, line).map(|hunk| (hunk.at, hunk.number, hunk.lines.len()));
        assert_eq!(at("x/a", 3), Some((8, 1, 3)));
        assert_eq!(at("x/a", 9), Some((11, 2, 3)));
        assert_eq!(at("x/b", 9), Some((17, 1, 3)));
        assert_eq!(at("x/c", 9), None);
        let misfit = Misfit { file: "x/a".into(), line: Some(9) };
        assert_eq!(
            shown("p", patch, &misfit),
            "p:11: hunk 2 for x/a does not apply\n    @@ -9 +9 @@ g\n    -c\n    +d\n"
        );
    }
}
