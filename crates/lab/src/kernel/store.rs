//! Stores sources and modified sources as trees of a git repository in the cache.
//!
//! A build needs its source, with patches and module, in the folder where the last build left its objects. git can
//! combine such trees without a folder, and changes only the files that differ in a folder. `make` then compiles only
//! what depends on those.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::command::{output, program};
use super::error::{FileError, Full, indented};

/// A git repository without a working tree of its own.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
}

/// A tree in a store: files and their contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tree {
    /// git's id of it.
    pub(super) id: String,
    /// Object folder of another repository that the tree may refer to.
    pub(super) objects: Option<PathBuf>,
}

/// A file that a patch does not fit, as git reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Misfit {
    /// The file to change, relative to the tree's root.
    pub(super) file: String,
    /// Line at which the hunk should apply; `None` if the file is missing.
    pub(super) line: Option<usize>,
}

/// Why a patch could not be applied.
#[derive(Debug)]
pub(super) enum ApplyError {
    /// The patch does not fit.
    Misfits(Vec<Misfit>),
    /// git cannot read it, or another error; git's output.
    Other(String),
}

/// Why the store cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// git cannot use it.
    #[error(
        "git cannot use {}{}\n\nhint: goodput kernel clean removes what can be fetched again",
        folder.display(), indented(said)
    )]
    Git {
        folder: PathBuf,
        /// git's output.
        said: String,
    },
    #[error(transparent)]
    Full(#[from] Full),
    /// A file or folder cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

impl StoreError {
    fn from_git(folder: &Path, said: String) -> StoreError {
        Full::said(&said, folder).map_or(StoreError::Git { folder: folder.to_owned(), said }, StoreError::Full)
    }
}

impl Store {
    pub(super) fn open(folder: PathBuf) -> Result<Store, StoreError> {
        let store = Store { folder };
        if !store.folder.join("HEAD").exists() {
            fs::create_dir_all(&store.folder).map_err(FileError::on("create", &store.folder))?;
            store.run(store.git().args(["init", "-q", "--bare"]))?;
        }
        Ok(store)
    }

    /// Returns a git command for this store, unaffected by the user's or the machine's configuration.
    fn git(&self) -> Command {
        let mut git = program("git");
        for name in std::env::vars_os().map(|(name, _)| name) {
            if name.to_string_lossy().starts_with("GIT_") {
                git.env_remove(name);
            }
        }
        git.env("GIT_DIR", &self.folder)
            .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("LC_ALL", "C")])
            .args(["-c", "core.bare=false", "-c", "core.excludesFile=/dev/null", "-c", "core.compression=1"])
            .args(["-c", "gc.auto=0", "-c", "checkout.workers=0", "-c", "core.safecrlf=false"]);
        git
    }

    fn run(&self, git: &mut Command) -> Result<String, StoreError> {
        output(git).map_err(|said| StoreError::from_git(&self.folder, said))
    }

    /// Returns the tree that was kept under a name.
    pub(super) fn kept(&self, name: &str) -> Option<Tree> {
        let found = output(self.git().args(["rev-parse", "--verify", "-q", &reference(name)])).ok()?;
        Some(Tree { id: found.trim().to_owned(), objects: None })
    }

    /// Keeps a tree under a name.
    pub(super) fn keep(&self, name: &str, tree: &Tree) -> Result<(), StoreError> {
        self.run(self.git().args(["update-ref", &reference(name), &tree.id])).map(drop)
    }

    /// Adds a folder's files, without those that its .gitignore files name.
    pub(super) fn folder(&self, folder: &Path) -> Result<Tree, StoreError> {
        let index = tempfile(&self.folder, "folder")?;
        self.take(folder, index.path(), None, &["."])
    }

    /// Adds these parts of a folder, ignoring its .gitignore files, under a folder of that name.
    pub(super) fn parts(&self, folder: &Path, parts: &[&str], name: &str) -> Result<Tree, StoreError> {
        let index = tempfile(&self.folder, "parts")?;
        let tree = self.take(folder, index.path(), Some("-f"), parts)?;
        let listed = format!("040000 tree {}\t{name}\n", tree.id);
        let id = fed(self.git().arg("mktree"), &listed).map_err(|said| StoreError::from_git(&self.folder, said))?;
        Ok(Tree { id: id.trim().to_owned(), objects: None })
    }

    /// Returns the files of a tree, sorted by the bytes of their names.
    pub(super) fn names(&self, tree: &Tree) -> Result<Vec<String>, StoreError> {
        let list = self.run(self.over(tree).args(["ls-tree", "-r", "-z", "--name-only", &tree.id]))?;
        let mut names: Vec<String> = list.split_terminator('\0').map(str::to_owned).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// Adds all files of a folder, and treats the folder as checked out from then on.
    pub(super) fn adopt(&self, folder: &Path) -> Result<Tree, StoreError> {
        self.take(folder, &sibling_path(folder, "index"), Some("-f"), &["."])
    }

    fn take(&self, folder: &Path, index: &Path, option: Option<&str>, what: &[&str]) -> Result<Tree, StoreError> {
        let mut git = self.git();
        git.env("GIT_WORK_TREE", folder).env("GIT_INDEX_FILE", index).current_dir(folder);
        self.run(git.args(["add", "-A"]).args(option).args(what))?;
        let id = self.run(self.git().env("GIT_INDEX_FILE", index).arg("write-tree"))?;
        Ok(Tree { id: id.trim().to_owned(), objects: None })
    }

    /// Returns the content of a file in a tree; `None` if it does not exist.
    pub(super) fn text(&self, tree: &Tree, path: &str) -> Option<String> {
        output(self.over(tree).args(["cat-file", "blob", &format!("{}:{path}", tree.id)])).ok()
    }

    /// True if a tree has this file or folder.
    pub(super) fn has(&self, tree: &Tree, path: &str) -> bool {
        output(self.over(tree).args(["cat-file", "-e", &format!("{}:{path}", tree.id)])).is_ok()
    }

    fn over(&self, tree: &Tree) -> Command {
        let mut git = self.git();
        git.envs(tree.objects.as_ref().map(|objects| ("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects)));
        git
    }

    /// Returns a copy of a tree to change.
    pub(super) fn draft<'a>(&'a self, tree: &Tree) -> Result<Draft<'a>, StoreError> {
        let index = tempfile(&self.folder, "draft")?;
        let draft = Draft { store: self, base: tree.clone(), index };
        self.run(draft.git().args(["read-tree", &tree.id]))?;
        Ok(draft)
    }

    /// Checks a tree out into a folder. Only files that differ get new content and a new time; files that no tree had
    /// stay. If an earlier call completed, only the differences are looked at.
    pub(super) fn check_out(&self, tree: &Tree, folder: &Path) -> Result<(), StoreError> {
        fs::create_dir_all(folder).map_err(FileError::on("create", folder))?;
        let git = || {
            let mut git = self.over(tree);
            git.env("GIT_WORK_TREE", folder).env("GIT_INDEX_FILE", sibling_path(folder, "index")).current_dir(folder);
            git
        };
        let unfinished = sibling_path(folder, "unfinished");
        let before = if unfinished.exists() { None } else { output(git().args(["write-tree", "--missing-ok"])).ok() };
        fs::write(&unfinished, "").map_err(FileError::on("write", &unfinished))?;
        let moved =
            before.is_some_and(|before| output(git().args(["read-tree", "-m", "-u", before.trim(), &tree.id])).is_ok());
        if !moved {
            self.run(git().args(["read-tree", "--reset", "-u", &tree.id]))?;
        }
        Ok(fs::remove_file(&unfinished).map_err(FileError::on("remove", &unfinished))?)
    }
}

/// Returns the path of a file that belongs to a checked-out folder: `index`, git's record of it, or `unfinished`, a
/// marker.
fn sibling_path(folder: &Path, what: &str) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{what}"));
    folder.with_file_name(name)
}

/// Moves a checked-out folder to a place; leaves it where it is if the place is taken.
pub(super) fn move_checkout(from: &Path, to: &Path) -> std::io::Result<()> {
    if to.exists() {
        return Ok(());
    }
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::rename(sibling_path(from, "index"), sibling_path(to, "index"))?;
    fs::rename(from, to)
}

fn reference(name: &str) -> String {
    format!("refs/sources/{name}")
}

fn tempfile(folder: &Path, stem: &str) -> Result<Scratch, StoreError> {
    let path = folder.join(format!("{stem}-{}", std::process::id()));
    match fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(FileError::on("remove", &path)(error).into()),
        _ => Ok(Scratch(path)),
    }
}

/// A file that is removed when dropped.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If that fails, the next one removes it.
        let _ = fs::remove_file(&self.0);
    }
}

/// A tree that is being changed: a git index without a folder.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    store: &'a Store,
    base: Tree,
    index: Scratch,
}

impl Draft<'_> {
    fn git(&self) -> Command {
        let mut git = self.store.over(&self.base);
        git.env("GIT_INDEX_FILE", self.index.path());
        git
    }

    /// Returns the current content of a file.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        output(self.git().args(["cat-file", "blob", &format!(":{path}")])).ok()
    }

    /// Sets the content of a file.
    pub(super) fn write(&self, path: &str, text: &str) -> Result<(), StoreError> {
        let said = fed(self.git().args(["hash-object", "-w", "--stdin"]), text);
        let id = said.map_err(|said| StoreError::from_git(&self.store.folder, said))?;
        let entry = format!("100644,{},{path}", id.trim());
        self.store.run(self.git().args(["update-index", "--add", "--cacheinfo", &entry])).map(drop)
    }

    /// Applies a patch completely or not at all.
    pub(super) fn apply(&self, patch: &str) -> Result<(), ApplyError> {
        let mut git = self.git();
        let said = fed(git.args(["apply", "--cached", "--whitespace=nowarn"]).args(context(patch)).arg("-"), patch);
        said.map(drop).map_err(|said| match misfits(&said) {
            misfits if misfits.is_empty() => ApplyError::Other(said),
            misfits => ApplyError::Misfits(misfits),
        })
    }

    /// True if the patch can be reversed, so its changes are already there.
    pub(super) fn has_applied(&self, patch: &str) -> bool {
        let mut git = self.git();
        git.args(["apply", "--cached", "--check", "--reverse", "--whitespace=nowarn"]).args(context(patch)).arg("-");
        fed(&mut git, patch).is_ok()
    }

    /// Returns the tree with all changes.
    pub(super) fn finish(self) -> Result<Tree, StoreError> {
        let id = self.store.run(self.git().arg("write-tree"))?;
        Ok(Tree { id: id.trim().to_owned(), objects: self.base.objects.clone() })
    }
}

/// Feeds a text to a command. Returns its standard output, or its errors if it failed.
fn fed(command: &mut Command, text: &str) -> Result<String, String> {
    let git = |error: std::io::Error| format!("git: {error}");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(git)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A command that stops reading has failed, and reports the reason itself.
        let _ = stdin.write_all(text.as_bytes());
    }
    let output = child.wait_with_output().map_err(git)?;
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() { Ok(out) } else { Err(err.trim().to_owned()) }
}

/// Returns git's option for a patch without context, such as `diff -U0` writes.
fn context(patch: &str) -> Option<&'static str> {
    let hunks = patch.lines().skip_while(|line| !line.starts_with("@@"));
    (!hunks.into_iter().any(|line| line.starts_with(' '))).then_some("--unidiff-zero")
}

fn misfits(said: &str) -> Vec<Misfit> {
    let misfit = |line: &str| {
        let line = line.strip_prefix("error: ")?;
        if let Some(place) = line.strip_prefix("patch failed: ") {
            let (file, line) = place.rsplit_once(':')?;
            return Some(Misfit { file: file.to_owned(), line: line.parse().ok() });
        }
        let file = line.strip_suffix(": does not exist in index")?;
        Some(Misfit { file: file.to_owned(), line: None })
    };
    said.lines().filter_map(misfit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "--- a/sub/x\n+++ b/sub/x\n@@ -1 +1 @@\n-one\n+two\n";

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("git")).unwrap();
        let source = folder.path().join("source");
        fs::create_dir_all(source.join("sub")).unwrap();
        for (name, text) in [("sub/x", "one\n"), ("y", "y\n"), (".gitignore", "*.o\n"), ("y.o", "object\n")] {
            fs::write(source.join(name), text).unwrap();
        }
        (folder, store)
    }

    #[test]
    fn a_checkout_changes_only_what_differs() {
        let (folder, store) = store();
        let tree = store.folder(&folder.path().join("source")).unwrap();
        assert!(!store.has(&tree, "y.o") && store.has(&tree, "sub"));
        store.keep("name", &tree).unwrap();
        assert_eq!(store.kept("name"), Some(tree.clone()));
        assert_eq!(store.kept("other"), None);

        let out = folder.path().join("out");
        store.check_out(&tree, &out).unwrap();
        fs::write(out.join("y.o"), "new object\n").unwrap();
        let time = |name: &str| fs::metadata(out.join(name)).unwrap().modified().unwrap();
        let before = (time("y"), time("sub/x"));
        let draft = store.draft(&tree).unwrap();
        draft.apply(PATCH).unwrap();
        draft.write("sub/z", "z\n").unwrap();
        assert_eq!(draft.text("sub/x").as_deref(), Some("two\n"));
        let changed = draft.finish().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        store.check_out(&changed, &out).unwrap();
        assert_eq!(fs::read_to_string(out.join("sub/x")).unwrap(), "two\n");
        assert_eq!(fs::read_to_string(out.join("sub/z")).unwrap(), "z\n");
        assert_eq!(fs::read_to_string(out.join("y.o")).unwrap(), "new object\n");
        assert!(time("y") == before.0 && time("sub/x") > before.1);

        store.check_out(&tree, &out).unwrap();
        assert_eq!(fs::read_to_string(out.join("sub/x")).unwrap(), "one\n");
        assert!(!out.join("sub/z").exists());
    }

    #[test]
    fn a_folder_that_was_read_need_not_be_checked_out() {
        let (folder, store) = store();
        let source = folder.path().join("source");
        let tree = store.adopt(&source).unwrap();
        assert!(store.has(&tree, "y.o"));
        let out = folder.path().join("trees/7.3");
        move_checkout(&source, &out).unwrap();
        let time = || fs::metadata(out.join("y")).unwrap().modified().unwrap();
        let before = time();
        store.check_out(&tree, &out).unwrap();
        assert!(time() == before && !source.exists());
        fs::create_dir(&source).unwrap();
        move_checkout(&source, &out).unwrap();
        assert!(source.exists());
    }

    #[test]
    fn an_interrupted_checkout_is_repaired() {
        let (folder, store) = store();
        let tree = store.folder(&folder.path().join("source")).unwrap();
        let out = folder.path().join("out");
        store.check_out(&tree, &out).unwrap();
        fs::write(out.join("sub/x"), "half").unwrap();
        fs::remove_file(out.join("y")).unwrap();
        fs::write(folder.path().join("out.unfinished"), "").unwrap();
        store.check_out(&tree, &out).unwrap();
        assert_eq!(fs::read_to_string(out.join("sub/x")).unwrap(), "one\n");
        assert!(out.join("y").exists());
    }

    #[test]
    fn a_patch_that_does_not_fit_tells_where() {
        let (folder, store) = store();
        let tree = store.folder(&folder.path().join("source")).unwrap();
        let draft = store.draft(&tree).unwrap();
        let misfits = |patch: &str| match draft.apply(patch) {
            Err(ApplyError::Misfits(misfits)) => misfits,
            other => panic!("{other:?}"),
        };
        assert_eq!(misfits(&PATCH.replace("-one", "-ten")), [Misfit { file: "sub/x".into(), line: Some(1) }]);
        assert_eq!(misfits(&PATCH.replace("/x", "/none")), [Misfit { file: "sub/none".into(), line: None }]);
        assert!(matches!(draft.apply("no patch\n"), Err(ApplyError::Other(said)) if said.contains("No valid patches")));
        assert_eq!(draft.text("sub/x").as_deref(), Some("one\n"));
    }

    #[test]
    fn a_patch_without_context_is_applied_where_it_says() {
        let (folder, store) = store();
        let tree = store.folder(&folder.path().join("source")).unwrap();
        let draft = store.draft(&tree).unwrap();
        let patch = "--- a/sub/x\n+++ b/sub/x\n@@ -0,0 +1 @@\n+zero\n@@ -1 +2 @@\n-one\n+two\n";
        draft.apply(patch).unwrap();
        assert_eq!(draft.text("sub/x").as_deref(), Some("zero\ntwo\n"));
        assert!(draft.has_applied(patch));
    }
}
