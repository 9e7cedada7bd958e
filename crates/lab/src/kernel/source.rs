//! Sources of kernels: where they come from, how they are identified, and how they become a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::apt::{self, AptError};
use super::command::{output, program};
use super::error::{FileError, Full, indented};
use super::progress::Progress;
use super::store::{Store, StoreError, Tree};
use super::tools::{Tool, ToolsError, require};
use base::sums::file_sha256;

/// Programs that unpack or read a source, by the file name's ending.
const COMPRESSIONS: &[(&str, &[Tool])] = &[
    (".tar", &[]),
    (".tar.gz", &[Tool { program: "gzip", package: "gzip" }]),
    (".tgz", &[Tool { program: "gzip", package: "gzip" }]),
    (".tar.xz", &[Tool { program: "xz", package: "xz-utils" }]),
    (".tar.zst", &[Tool { program: "zstd", package: "zstd" }]),
];

/// Origin of a kernel's source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A `linux-source-*` package of Debian; by default the newest that apt can reach.
    Apt {
        /// Name of the package, such as `linux-source-6.12`.
        package: Option<String>,
    },
    /// A `.tar`, `.tar.gz`, `.tar.xz` or `.tar.zst`.
    Tarball(PathBuf),
    /// An unpacked tree, without the files that its .gitignore names. It is read, never changed.
    Folder(PathBuf),
    /// A commit of a git tree.
    Git {
        /// The working tree, or a bare repository.
        folder: PathBuf,
        /// A branch, tag or commit. The default is the last commit, and uncommitted changes are then refused.
        revision: Option<String>,
    },
}

/// Why a source is not available.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The text names no source.
    #[error(
        "\"{text}\" is not a kernel source: no such file, folder, git tree or package\n\n\
         hint: pass a package such as linux-source-6.12, a tarball, an unpacked tree, or a git tree as FOLDER@REVISION"
    )]
    Unknown { text: String },
    /// A source could not be unpacked.
    #[error(
        "cannot unpack {source_name}{}\n\nhint: check that the file is complete and that its name matches its format",
        indented(said)
    )]
    Unpack {
        source_name: String,
        /// Output of the unpacking program.
        said: String,
    },
    /// git does not know the revision, or there is no repository.
    #[error(
        "git finds no {revision} in {}{}\n\nhint: pass a branch, tag or commit that `git -C {0} log` knows",
        folder.display(), indented(said)
    )]
    Git {
        folder: PathBuf,
        /// The requested revision.
        revision: String,
        /// git's output.
        said: String,
    },
    /// A git tree has uncommitted changes.
    #[error(
        "{} has uncommitted changes, and a kernel is built from a commit{}\n\n\
         hint: commit them, or pass {0}@HEAD to build without them",
        folder.display(), indented(changes)
    )]
    Uncommitted { folder: PathBuf, changes: String },
    /// apt cannot provide it.
    #[error(transparent)]
    Apt(#[from] AptError),
    /// Programs are missing.
    #[error(transparent)]
    Tools(#[from] ToolsError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Full(#[from] Full),
    /// A file or folder cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A kernel's source, as recorded in `kernel.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// Description for people: the package and its version, or the path.
    pub description: String,
    /// Identity for the hash: `sha256:…` of a tarball, or `git-tree:…` of a commit or a folder.
    pub identity: String,
}

impl Source {
    /// Parses a source as people write it: `apt`, a package, a path, or `FOLDER@REVISION`.
    pub fn parse(text: &str) -> Result<Source, SourceError> {
        let path = Path::new(text);
        if text == "apt" {
            return Ok(Source::Apt { package: None });
        }
        if path.is_dir() {
            let path = path.to_owned();
            let is_git = path.join(".git").exists();
            return Ok(if is_git { Source::Git { folder: path, revision: None } } else { Source::Folder(path) });
        }
        if path.is_file() && compression(path).is_some() {
            return Ok(Source::Tarball(path.to_owned()));
        }
        if text.starts_with("linux-source-") && !text.contains('/') {
            return Ok(Source::Apt { package: Some(text.to_owned()) });
        }
        match text.rsplit_once('@') {
            Some((folder, revision)) if Path::new(folder).is_dir() && !revision.is_empty() => {
                Ok(Source::Git { folder: folder.into(), revision: Some(revision.to_owned()) })
            }
            _ => Err(SourceError::Unknown { text: text.to_owned() }),
        }
    }

    /// Makes the source available without a network, and identifies it. Downloads are kept in `downloads`.
    pub(super) fn fetch(
        &self,
        downloads: &Path,
        store: &Store,
        progress: &mut Progress,
    ) -> Result<Material, SourceError> {
        match self {
            Source::Apt { package } => {
                let package = apt::fetch(package.as_deref(), Path::new("/etc/apt"), downloads, progress)?;
                progress.stage(format!("reading {}", package.description));
                tarball(&package.tarball, package.description)
            }
            Source::Tarball(path) => {
                require(compression(path).unwrap_or_default())?;
                progress.stage(format!("reading {}", path.display()));
                tarball(path, absolute(path)?.display().to_string())
            }
            Source::Folder(path) => {
                progress.stage(format!("reading {}", path.display()));
                let folder = absolute(path)?;
                let tree = store.folder(&folder)?;
                let record = SourceRecord {
                    description: folder.display().to_string(),
                    identity: format!("git-tree:{}", tree.id),
                };
                Ok(Material { record, origin: Origin::Tree(tree) })
            }
            Source::Git { folder, revision } => git(folder, revision.as_deref()),
        }
    }
}

/// A source that is available locally.
#[derive(Debug)]
pub(super) struct Material {
    pub(super) record: SourceRecord,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Tarball { path: PathBuf, sha256: String },
    Tree(Tree),
}

impl Material {
    /// Returns the source's files as a tree of the store, and the folder in `work` if a tarball was just unpacked.
    pub(super) fn tree(
        &self,
        store: &Store,
        work: &Path,
        progress: &mut Progress,
    ) -> Result<(Tree, Option<PathBuf>), SourceError> {
        let (path, sha256) = match &self.origin {
            Origin::Tree(tree) => return Ok((tree.clone(), None)),
            Origin::Tarball { path, sha256 } => (path, sha256),
        };
        if let Some(tree) = store.kept(sha256) {
            return Ok((tree, None));
        }
        let name = &self.record.description;
        progress.stage(format!("unpacking {name}"));
        let around = work.join("unpacked");
        fs::create_dir(&around).map_err(FileError::on("create", &around))?;
        output(program("tar").args(["-x", "--no-same-owner", "-C"]).arg(&around).arg("-f").arg(path))
            .map_err(|said| unpack_error(name, said, work))?;
        let top = lone_folder(&around).map_err(FileError::on("read", &around))?.unwrap_or(around);
        progress.stage(format!("storing the files of {name}"));
        let tree = store.adopt(&top)?;
        store.keep(sha256, &tree)?;
        Ok((tree, Some(top)))
    }
}

fn unpack_error(source_name: &str, said: String, folder: &Path) -> SourceError {
    Full::said(&said, folder)
        .map_or(SourceError::Unpack { source_name: source_name.to_owned(), said }, SourceError::Full)
}

fn tarball(path: &Path, description: String) -> Result<Material, SourceError> {
    let path = absolute(path)?;
    let sha256 = file_sha256(&path).map_err(FileError::on("read", &path))?;
    let record = SourceRecord { description, identity: format!("sha256:{sha256}") };
    Ok(Material { record, origin: Origin::Tarball { path, sha256 } })
}

fn git(folder: &Path, revision: Option<&str>) -> Result<Material, SourceError> {
    let folder = absolute(folder)?;
    let wanted = revision.unwrap_or("HEAD");
    let ask = |arguments: &[&str]| {
        output(program("git").arg("-C").arg(&folder).args(arguments))
            .map(|said| said.trim_end().to_owned())
            .map_err(|said| SourceError::Git { folder: folder.clone(), revision: wanted.to_owned(), said })
    };
    if revision.is_none() {
        let changes = ask(&["status", "--porcelain", "--untracked-files=no"])?;
        if !changes.is_empty() {
            return Err(SourceError::Uncommitted { folder, changes });
        }
    }
    let object = |kind: &str| ask(&["rev-parse", "--verify", "--end-of-options", &format!("{wanted}^{{{kind}}}")]);
    let (id, commit) = (object("tree")?, object("commit")?);
    let objects = folder.join(ask(&["rev-parse", "--git-path", "objects"])?);
    let record =
        SourceRecord { description: format!("{}@{commit}", folder.display()), identity: format!("git-tree:{id}") };
    Ok(Material { record, origin: Origin::Tree(Tree { id, objects: Some(objects) }) })
}

/// Returns the only entry of a folder if it is a folder: the usual form of a tarball.
fn lone_folder(folder: &Path) -> io::Result<Option<PathBuf>> {
    let mut entries = fs::read_dir(folder)?;
    match (entries.next().transpose()?, entries.next().transpose()?) {
        (Some(only), None) if only.file_type()?.is_dir() => Ok(Some(only.path())),
        _ => Ok(None),
    }
}

fn compression(path: &Path) -> Option<&'static [Tool]> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    COMPRESSIONS.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, tools)| *tools)
}

fn absolute(path: &Path) -> Result<PathBuf, SourceError> {
    Ok(fs::canonicalize(path).map_err(FileError::on("read", path))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn sh(folder: &Path, script: &str) {
        output(Command::new("sh").arg("-ec").arg(script).current_dir(folder)).unwrap();
    }

    #[test]
    fn sources_are_read_as_people_write_them() {
        let folder = tempfile::tempdir().unwrap();
        sh(folder.path(), "mkdir tree git; mkdir git/.git; touch linux.tar.xz notes.txt");
        let at = |name: &str| folder.path().join(name);
        let parse = |name: &str| Source::parse(at(name).to_str().unwrap());
        assert_eq!(Source::parse("apt").unwrap(), Source::Apt { package: None });
        let package = Some("linux-source-6.12".to_owned());
        assert_eq!(Source::parse("linux-source-6.12").unwrap(), Source::Apt { package });
        assert_eq!(parse("tree").unwrap(), Source::Folder(at("tree")));
        assert_eq!(parse("linux.tar.xz").unwrap(), Source::Tarball(at("linux.tar.xz")));
        assert_eq!(parse("git").unwrap(), Source::Git { folder: at("git"), revision: None });
        assert_eq!(parse("git@v7.3").unwrap(), Source::Git { folder: at("git"), revision: Some("v7.3".into()) });
        for wrong in ["notes.txt", "nothing", "git@", "nothing@v7.3"] {
            assert!(matches!(parse(wrong), Err(SourceError::Unknown { .. })), "{wrong}");
        }
    }

    #[test]
    fn tarball_folder_and_commit_are_the_same_tree() {
        let folder = tempfile::tempdir().unwrap();
        sh(
            folder.path(),
            "mkdir -p t/sub; echo 1 >t/sub/x; tar -cf one.tar t; cp -a t g; cd g; git init -q .; git add .; \
             git -c user.name=a -c user.email=a@b commit -qm one",
        );
        let store = Store::open(folder.path().join("store")).unwrap();
        let mut quiet = Progress::quiet();
        let mut tree = |name: &str| {
            let source = Source::parse(folder.path().join(name).to_str().unwrap()).unwrap();
            let material = source.fetch(folder.path(), &store, &mut quiet).unwrap();
            let (tree, _) = material.tree(&store, folder.path(), &mut Progress::quiet()).unwrap();
            assert_eq!(store.text(&tree, "sub/x").as_deref(), Some("1\n"), "{name}");
            (material.record.identity, tree.id)
        };
        let trees = ["one.tar", "t", "g", "g@HEAD"].map(&mut tree);
        assert!(trees.iter().all(|(_, id)| *id == trees[0].1), "{trees:?}");
        assert!(trees[1..].iter().all(|(identity, _)| *identity == trees[1].0), "{trees:?}");

        sh(folder.path(), "echo 3 >g/sub/x");
        let changed = Source::Git { folder: folder.path().join("g"), revision: None };
        let error = changed.fetch(folder.path(), &store, &mut quiet).unwrap_err().to_string();
        assert!(error.contains("sub/x") && error.contains("@HEAD"), "{error}");
        let unknown = Source::Git { folder: folder.path().join("g"), revision: Some("v9".into()) };
        assert!(matches!(unknown.fetch(folder.path(), &store, &mut quiet), Err(SourceError::Git { .. })));
    }
}
