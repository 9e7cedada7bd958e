//! Where a kernel's source comes from, what identifies it, and how it becomes a folder.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::apt;
use super::command::output;
use super::error::AddError;
use super::progress::Progress;
use super::tools::{Tool, require};
use crate::sums::file_sha256;

/// The programs that unpack or read a source, by the end of its file's name.
const COMPRESSIONS: &[(&str, &[Tool])] = &[
    (".tar", &[]),
    (".tar.gz", &[Tool { program: "gzip", package: "gzip" }]),
    (".tgz", &[Tool { program: "gzip", package: "gzip" }]),
    (".tar.xz", &[Tool { program: "xz", package: "xz-utils" }]),
    (".tar.zst", &[Tool { program: "zstd", package: "zstd" }]),
];
const GIT: &[Tool] = &[Tool { program: "git", package: "git" }];

/// Where a kernel's source comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A `linux-source-*` package of Debian; the newest that apt can reach unless one is named.
    Apt {
        /// The package's name, such as `linux-source-6.12`.
        package: Option<String>,
    },
    /// A `.tar`, `.tar.gz`, `.tar.xz` or `.tar.zst`.
    Tarball(PathBuf),
    /// An unpacked tree; it is copied, never changed.
    Folder(PathBuf),
    /// A commit of a git tree.
    Git {
        /// The tree, or a bare repository.
        folder: PathBuf,
        /// A branch, tag or commit; without one the last commit, and changes beyond it are refused.
        revision: Option<String>,
    },
}

/// What a kernel was built from, as `kernel.json` keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// For people: the package and its version, or the path.
    pub description: String,
    /// For the hash: `sha256:…` of a tarball, `git-tree:…`, or `folder-sha256:…` of names and contents.
    pub identity: String,
}

impl Source {
    /// Reads a source as people write it: `apt`, a package, a path, or `FOLDER@REVISION`.
    pub fn parse(text: &str) -> Result<Source, AddError> {
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
            _ => Err(AddError::NoSuchSource { text: text.to_owned() }),
        }
    }

    /// Makes the source's bytes reachable without a network, and identifies them. Downloads are kept in `downloads`.
    pub(super) fn fetch(&self, downloads: &Path, progress: &mut Progress) -> Result<Material, AddError> {
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
                let identity = folder_identity(&folder).map_err(AddError::file("read", &folder))?;
                let record = SourceRecord { description: folder.display().to_string(), identity };
                Ok(Material { record, origin: Origin::Folder(folder) })
            }
            Source::Git { folder, revision } => git(folder, revision.as_deref()),
        }
    }
}

/// A source within reach.
#[derive(Debug)]
pub(super) struct Material {
    pub(super) record: SourceRecord,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    Tarball(PathBuf),
    Folder(PathBuf),
    Git { folder: PathBuf, commit: String },
}

impl Material {
    /// Writes the source's files to `tree`, whose parent exists; what went wrong in the words of the program that
    /// did it.
    pub(super) fn unpack(&self, tree: &Path) -> Result<(), String> {
        match &self.origin {
            Origin::Tarball(path) => {
                let around = tree.with_extension("unpacked");
                fs::create_dir(&around).map_err(|error| format!("{}: {error}", around.display()))?;
                output(Command::new("tar").args(["-x", "--no-same-owner", "-C"]).arg(&around).arg("-f").arg(path))?;
                lone_folder(&around)
                    .and_then(|top| fs::rename(top.as_deref().unwrap_or(&around), tree))
                    .map_err(|error| format!("{}: {error}", around.display()))
            }
            Origin::Folder(path) => {
                output(Command::new("cp").args(["-a", "--no-preserve=ownership", "--"]).arg(path).arg(tree))?;
                output(Command::new("chmod").args(["-R", "u+rwX", "--"]).arg(tree)).map(drop)
            }
            Origin::Git { folder, commit } => unpack_commit(folder, commit, tree),
        }
    }

    /// Whether the files may be the leftovers of another build besides the source.
    pub(super) fn may_be_built_in(&self) -> bool {
        matches!(self.origin, Origin::Folder(_))
    }
}

fn tarball(path: &Path, description: String) -> Result<Material, AddError> {
    let path = absolute(path)?;
    let identity = file_sha256(&path).map_err(AddError::file("read", &path))?;
    let record = SourceRecord { description, identity: format!("sha256:{identity}") };
    Ok(Material { record, origin: Origin::Tarball(path) })
}

fn git(folder: &Path, revision: Option<&str>) -> Result<Material, AddError> {
    require(GIT)?;
    let folder = absolute(folder)?;
    let wanted = revision.unwrap_or("HEAD");
    let ask = |arguments: &[&str]| {
        output(Command::new("git").arg("-C").arg(&folder).args(arguments)).map_err(|said| AddError::Git {
            folder: folder.clone(),
            revision: wanted.to_owned(),
            said,
        })
    };
    if revision.is_none() {
        let changes = ask(&["status", "--porcelain", "--untracked-files=no"])?;
        if !changes.is_empty() {
            return Err(AddError::Uncommitted { folder, changes });
        }
    }
    let object = |kind: &str| {
        let name = format!("{wanted}^{{{kind}}}");
        ask(&["rev-parse", "--verify", "--end-of-options", &name])
            .map(|said| said.lines().last().unwrap_or_default().to_owned())
    };
    let (tree, commit) = (object("tree")?, object("commit")?);
    let record =
        SourceRecord { description: format!("{}@{commit}", folder.display()), identity: format!("git-tree:{tree}") };
    Ok(Material { record, origin: Origin::Git { folder, commit } })
}

fn unpack_commit(folder: &Path, commit: &str, tree: &Path) -> Result<(), String> {
    fs::create_dir(tree).map_err(|error| format!("{}: {error}", tree.display()))?;
    let mut archive = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["archive", "--format=tar", commit])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("git: {error}"))?;
    let Some(stream) = archive.stdout.take() else {
        return Err("git: no output".to_owned());
    };
    let unpacked = Command::new("tar").args(["-x", "--no-same-owner", "-C"]).arg(tree).stdin(stream).output();
    let archived = archive.wait().map_err(|error| format!("git: {error}"))?;
    match unpacked {
        Err(error) => Err(format!("tar: {error}")),
        Ok(tar) if !tar.status.success() => Err(String::from_utf8_lossy(&tar.stderr).into_owned()),
        Ok(_) if !archived.success() => Err(format!("git archive {commit}: {archived}")),
        Ok(_) => Ok(()),
    }
}

/// The only thing in a folder, if that is a folder: the usual shape of a tarball.
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

fn absolute(path: &Path) -> Result<PathBuf, AddError> {
    fs::canonicalize(path).map_err(AddError::file("read", path))
}

fn folder_identity(folder: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    hash_folder(folder, Path::new(""), &mut hash)?;
    Ok(format!("folder-sha256:{:x}", hash.finalize()))
}

fn hash_folder(root: &Path, inside: &Path, hash: &mut Sha256) -> io::Result<()> {
    let mut names: Vec<_> =
        fs::read_dir(root.join(inside))?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    names.sort();
    for name in names {
        let inside = inside.join(name);
        let path = root.join(&inside);
        let kind = fs::symlink_metadata(&path)?.file_type();
        let (mark, content) = match () {
            () if kind.is_dir() => ("folder", String::new()),
            () if kind.is_symlink() => ("link", fs::read_link(&path)?.to_string_lossy().into_owned()),
            () if kind.is_file() => ("file", file_sha256(&path)?),
            () => ("other", String::new()),
        };
        for part in [inside.as_os_str().as_bytes(), mark.as_bytes(), content.as_bytes()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        if kind.is_dir() {
            hash_folder(root, &inside, hash)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert!(matches!(parse(wrong), Err(AddError::NoSuchSource { .. })), "{wrong}");
        }
    }

    #[test]
    fn a_folder_is_its_names_and_contents() {
        let folder = tempfile::tempdir().unwrap();
        sh(folder.path(), "mkdir a b c; for d in a b c; do echo 1 >$d/x; ln -s x $d/y; done; mv c/x c/z");
        let identity = |name: &str| folder_identity(&folder.path().join(name)).unwrap();
        assert_eq!(identity("a"), identity("b"));
        assert_ne!(identity("a"), identity("c"));
    }

    #[test]
    fn tarball_folder_and_commit_unpack_to_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        sh(
            folder.path(),
            "mkdir -p t/sub; echo 1 >t/sub/x; tar -cf one.tar t; chmod -R a-w t/sub; \
             cp -a t g; cd g; git init -q .; git add .; \
             git -c user.name=a -c user.email=a@b commit -qm one; chmod -R u+w .; ",
        );
        let mut quiet = Progress::quiet();
        for (number, name) in ["one.tar", "t", "g", "g@HEAD"].into_iter().enumerate() {
            let source = Source::parse(folder.path().join(name).to_str().unwrap()).unwrap();
            let material = source.fetch(folder.path(), &mut quiet).unwrap();
            let tree = folder.path().join(format!("tree{number}"));
            material.unpack(&tree).unwrap();
            fs::write(tree.join("sub/x"), "2\n").unwrap();
        }
        assert_eq!(fs::read_to_string(folder.path().join("t/sub/x")).unwrap(), "1\n");

        sh(folder.path(), "echo 3 >g/sub/x");
        let changed = Source::Git { folder: folder.path().join("g"), revision: None };
        let error = changed.fetch(folder.path(), &mut quiet).unwrap_err().to_string();
        assert!(error.contains("sub/x") && error.contains("@HEAD"), "{error}");
        let unknown = Source::Git { folder: folder.path().join("g"), revision: Some("v9".into()) };
        assert!(matches!(unknown.fetch(folder.path(), &mut quiet), Err(AddError::Git { .. })));
    }
}
