//! What is goodput's own in a guest kernel: the config fragment, the patches and the module.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

use super::error::AddError;
use super::version::Version;

include!(concat!(env!("OUT_DIR"), "/kernel_files.rs"));

/// A file by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The file's name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What turns Linux into a guest kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// The options asked for, merged over `tinyconfig`. Those between a comment that starts with `# optional` and the
    /// next empty line may be dropped by a kernel that does not know them.
    pub fragment: String,
    /// Applied with `patch -p1`, in this order.
    pub patches: Vec<Text>,
    /// The files of `drivers/goodput`.
    pub module: Vec<Text>,
}

impl Recipe {
    /// The recipe that this goodput was built with.
    pub fn embedded() -> Recipe {
        let texts = |table: &[(&str, &str)]| {
            table.iter().map(|&(name, text)| Text { name: name.to_owned(), text: text.to_owned() }).collect()
        };
        Recipe { fragment: FRAGMENT.to_owned(), patches: texts(PATCHES), module: texts(MODULE) }
    }

    /// Identifies the recipe, with how [`super::build`] follows it.
    pub(super) fn hash(&self) -> String {
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
        digest(&parts)
    }

    /// Applies the patches to a tree, first to last.
    pub(super) fn patch(&self, tree: &Path, version: &Version) -> Result<(), AddError> {
        self.patches.iter().try_for_each(|patch| {
            apply(patch, tree).map_err(|said| AddError::Patch {
                patch: patch.name.clone(),
                version: version.clone(),
                said,
            })
        })
    }

    /// Puts the module's files into a tree, and hooks them into its configuration and build.
    pub(super) fn hook_module(&self, tree: &Path, version: &Version) -> Result<(), AddError> {
        if self.module.is_empty() {
            return Ok(());
        }
        let folder = tree.join("drivers/goodput");
        fs::create_dir_all(&folder).map_err(AddError::file("create", &folder))?;
        for file in &self.module {
            let path = folder.join(&file.name);
            fs::write(&path, &file.text).map_err(AddError::file("write", &path))?;
        }
        edit(&tree.join("drivers/Makefile"), |text| Some(format!("{text}\nobj-y += goodput/\n")))
            .and_then(|()| edit(&tree.join("drivers/Kconfig"), with_our_menu))
            .map_err(|missing| AddError::NoHook { missing, version: version.clone() })
    }
}

/// Rewrites a file; on failure, what was missing.
fn edit(path: &Path, change: impl FnOnce(&str) -> Option<String>) -> Result<(), String> {
    let missing = |error| format!("{} ({error})", path.display());
    let text = fs::read_to_string(path).map_err(missing)?;
    let text = change(&text).ok_or_else(|| format!("endmenu in {}", path.display()))?;
    fs::write(path, text).map_err(missing)
}

fn with_our_menu(kconfig: &str) -> Option<String> {
    let (menu, after) = kconfig.rsplit_once("endmenu")?;
    Some(format!("{menu}source \"drivers/goodput/Kconfig\"\n\nendmenu{after}"))
}

fn apply(patch: &Text, tree: &Path) -> Result<(), String> {
    use std::io::Write;
    let mut child = Command::new("patch")
        .args(["-p1", "--forward", "--fuzz=0", "--batch", "--no-backup-if-mismatch", "-r", "-"])
        .current_dir(tree)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("patch: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A patch that stops reading has failed, and says why itself.
        let _ = stdin.write_all(patch.text.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| format!("patch: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(failures(&String::from_utf8_lossy(&output.stdout))) }
}

/// The files that `patch` found fault with, each with its failed hunks.
fn failures(said: &str) -> String {
    let starts_a_file = |line: &str| line.starts_with("patching file") || line.starts_with("can't find file");
    let mut kept: Vec<&str> = Vec::new();
    let mut file = None;
    for line in said.lines() {
        if starts_a_file(line) {
            file = Some(line);
        }
        let fault = ["FAILED", "can't find file", "malformed", "previously applied", "garbage"];
        if fault.iter().any(|word| line.contains(word)) {
            kept.extend(file.take().filter(|file| *file != line));
            kept.push(line);
        }
    }
    if kept.is_empty() { said.to_owned() } else { kept.join("\n") }
}

/// An option as a fragment asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wish<'a> {
    option: &'a str,
    value: &'a str,
    optional: bool,
}

/// What a finished configuration lacks of a fragment: first what must not lack, then what may.
pub(super) fn dropped(fragment: &str, config: &str) -> (Vec<String>, Vec<String>) {
    let has: BTreeMap<&str, &str> = config.lines().filter_map(setting).collect();
    let lacking = wishes(fragment).into_iter().filter(|wish| has.get(wish.option).unwrap_or(&"n") != &wish.value);
    let (optional, needed): (Vec<Wish>, Vec<Wish>) = lacking.partition(|wish| wish.optional);
    let text = |wish: Wish| format!("{}={}", wish.option, wish.value);
    (needed.into_iter().map(text).collect(), optional.into_iter().map(text).collect())
}

fn wishes(fragment: &str) -> Vec<Wish<'_>> {
    let mut wishes: Vec<Wish> = Vec::new();
    let mut optional = false;
    for line in fragment.lines() {
        if line.trim().is_empty() {
            optional = false;
        } else if let Some((option, value)) = setting(line) {
            wishes.retain(|wish| wish.option != option);
            wishes.push(Wish { option, value, optional });
        } else if line.starts_with("# optional") {
            optional = true;
        }
    }
    wishes
}

/// `CONFIG_X=value`, or `# CONFIG_X is not set`, which is the value `n`.
fn setting(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    match line.strip_prefix("# ").and_then(|line| line.strip_suffix(" is not set")) {
        Some(option) => option.starts_with("CONFIG_").then_some((option, "n")),
        None => line.split_once('=').filter(|(option, _)| option.starts_with("CONFIG_")),
    }
}

/// A hash over texts, each with its length, so that no two lists are alike.
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
    fn a_dropped_option_is_named() {
        let fragment = "CONFIG_NET=y\n# CONFIG_SMP is not set\nCONFIG_HZ=1000\nCONFIG_CUBIC=y\n\n\
                        # optional: newer kernels only\nCONFIG_BBR3=y\nCONFIG_VETH=y\n\nCONFIG_LAST=y\n";
        let config = "CONFIG_NET=y\nCONFIG_SMP=y\nCONFIG_HZ=100\nCONFIG_VETH=y\n# CONFIG_CUBIC is not set\n";
        let (needed, optional) = dropped(fragment, config);
        assert_eq!(needed, ["CONFIG_SMP=n", "CONFIG_HZ=1000", "CONFIG_CUBIC=y", "CONFIG_LAST=y"]);
        assert_eq!(optional, ["CONFIG_BBR3=y"]);
    }

    #[test]
    fn the_last_wish_counts() {
        let (needed, _) = dropped("CONFIG_A=y\n# CONFIG_A is not set\n", "");
        assert!(needed.is_empty());
    }

    #[test]
    fn everything_in_a_recipe_is_in_its_hash() {
        let text = |name: &str, text: &str| Text { name: name.into(), text: text.into() };
        let base = Recipe { fragment: "a".into(), patches: vec![text("p", "q")], module: vec![text("m", "n")] };
        let others = [
            Recipe { fragment: "b".into(), ..base.clone() },
            Recipe { patches: vec![text("p", "r")], ..base.clone() },
            Recipe { patches: vec![text("pq", "")], ..base.clone() },
            Recipe { module: vec![], patches: vec![text("p", "q"), text("m", "n")], ..base.clone() },
            Recipe { module: vec![text("M", "n")], ..base.clone() },
        ];
        assert_eq!(base.hash(), base.clone().hash());
        for other in others {
            assert_ne!(base.hash(), other.hash(), "{other:?}");
        }
    }

    #[test]
    fn the_menu_is_hooked_before_its_end() {
        let kconfig = "menu \"Device Drivers\"\nsource \"a\"\nendmenu\n";
        let hooked = with_our_menu(kconfig).unwrap();
        assert_eq!(hooked, "menu \"Device Drivers\"\nsource \"a\"\nsource \"drivers/goodput/Kconfig\"\n\nendmenu\n");
    }

    #[test]
    fn a_failed_patch_names_file_and_hunk() {
        let said = "patching file a\nHunk #1 succeeded at 3.\npatching file b/c\nHunk #2 FAILED at 7.\n1 out of 2 hunks FAILED\n";
        assert_eq!(failures(said), "patching file b/c\nHunk #2 FAILED at 7.\n1 out of 2 hunks FAILED");
    }
}
