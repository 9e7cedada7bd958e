//! Fetches Debian's kernel sources with apt, which checks signatures. apt's own configuration is not changed.
//!
//! A private folder has a sources file, with the mirror that this machine already uses and the suites that carry new
//! kernels, and the lists that apt makes from it. So any user can get kernels newer than the machine's release.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::{output, program};
use super::error::{FileError, indented};
use super::progress::Progress;
use super::tools::{Tool, ToolsError, require};
use base::sums::file_sha256;
use evidence::platform::Version;

const TOOLS: &[Tool] = &[
    Tool { program: "apt-get", package: "apt" },
    Tool { program: "apt-cache", package: "apt" },
    Tool { program: "dpkg-deb", package: "dpkg" },
];

/// Suites with new kernels, in addition to the machine's own.
const SUITES: [&str; 4] = ["trixie-backports", "trixie", "bookworm-backports", "bookworm"];

const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Prefix of the default package, the newest one.
const DEFAULT_PACKAGE_PREFIX: &str = "linux-source-7.";

/// Why apt has no source.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AptError {
    /// Programs are missing.
    #[error(transparent)]
    Tools(#[from] ToolsError),
    /// apt has no Debian archive.
    #[error(
        "no Debian archive among apt's sources (looked in {})\n\n\
         hint: pass a tarball, an unpacked tree or a git tree of Linux {} or newer instead",
        looked_in.display(), Version::OLDEST_HOST
    )]
    NoArchive {
        /// Folder with apt's sources.
        looked_in: PathBuf,
    },
    /// apt has no such package.
    #[error(
        "apt has no package {package} in {}{}\n\n\
         hint: check the network and apt's mirror, or pass a tarball, an unpacked tree or a git tree",
        suites.join(", "), indented(said)
    )]
    NoPackage {
        /// The requested package, or the pattern of the default ones.
        package: String,
        /// Suites that were searched.
        suites: Vec<String>,
        /// apt's output.
        said: String,
    },
    /// A package could not be downloaded or unpacked.
    #[error("cannot fetch {package}{}\n\nhint: try again, in case the mirror was being updated", indented(said))]
    Download {
        package: String,
        /// Output of apt or dpkg-deb.
        said: String,
    },
    /// A file or folder cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

/// A kernel's source as Debian packages it.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) tarball: PathBuf,
    pub(super) description: String,
}

/// Fetches the newest version of a package, or of the newest package, into `downloads`, unless it is there. Without a
/// network, apt uses its last lists.
pub(super) fn fetch(
    package: Option<&str>,
    apt_folder: &Path,
    downloads: &Path,
    progress: &mut Progress,
) -> Result<Package, AptError> {
    require(TOOLS)?;
    progress.stage("looking for kernel sources with apt");
    let archive = debian_archive(&stanzas_below(apt_folder))
        .ok_or_else(|| AptError::NoArchive { looked_in: apt_folder.to_owned() })?;
    let apt = Apt::prepare(&archive, &downloads.join("apt"))?;
    // If the mirror lacks a suite, the update fails, but the other suites are usable.
    let said = output(&mut apt.command("apt-get", &["-q", "update"])).err().unwrap_or_default();
    let wanted = package.unwrap_or(DEFAULT_PACKAGE_PREFIX);
    let (package, version) = apt.newest(wanted).ok_or_else(|| AptError::NoPackage {
        package: package.map_or_else(|| format!("{DEFAULT_PACKAGE_PREFIX}*"), str::to_owned),
        suites: archive.suites,
        said: last_lines(&said, 6),
    })?;

    let description = format!("Debian {package} {version}");
    let tarball = downloads.join(format!("{package}_{}.tar.xz", version.replace(':', "%3a")));
    if !is_as_fetched(&tarball) {
        if tarball.exists() {
            progress.note(&format!("fetching {} again: its sum is missing or wrong", tarball.display()));
        }
        progress.stage(format!("downloading {description}"));
        apt.download(&package, &version, &tarball)
            .map_err(|said| AptError::Download { package: description.clone(), said: last_lines(&said, 6) })?;
        remember(&tarball).map_err(FileError::on("write", &sum_of(&tarball)))?;
    }
    Ok(Package { tarball, description })
}

/// Returns the file with a tarball's sum. apt checks only the package, when it downloads it.
fn sum_of(tarball: &Path) -> PathBuf {
    let mut name = tarball.as_os_str().to_owned();
    name.push(".sha256");
    name.into()
}

fn remember(tarball: &Path) -> io::Result<()> {
    fs::write(sum_of(tarball), file_sha256(tarball)? + "\n")
}

/// True if the tarball exists and matches the sum from [`remember`].
fn is_as_fetched(tarball: &Path) -> bool {
    let sum = || Some(file_sha256(tarball).ok()? == fs::read_to_string(sum_of(tarball)).ok()?.trim());
    tarball.exists() && sum() == Some(true)
}

/// apt with a private folder.
struct Apt {
    folder: PathBuf,
}

impl Apt {
    fn prepare(archive: &Archive, folder: &Path) -> Result<Apt, AptError> {
        for inner in ["parts", "lists/partial", "cache/archives/partial"] {
            let inner = folder.join(inner);
            fs::create_dir_all(&inner).map_err(FileError::on("create", &inner))?;
        }
        let apt = Apt { folder: folder.to_owned() };
        for (name, text) in [("parts/debian.sources", archive.to_string()), ("apt.conf", apt.configuration())] {
            let path = folder.join(name);
            fs::write(&path, text).map_err(FileError::on("write", &path))?;
        }
        Ok(apt)
    }

    /// Returns settings on top of the machine's own; they replace only its sources and its hooks after an update.
    fn configuration(&self) -> String {
        let folder = self.folder.display();
        format!(
            "Dir::Etc::SourceList \"/dev/null\";\n\
             Dir::Etc::SourceParts \"{folder}/parts\";\n\
             Dir::State::Lists \"{folder}/lists\";\n\
             Dir::State::status \"/dev/null\";\n\
             Dir::Cache \"{folder}/cache\";\n\
             APT::Sandbox::User \"root\";\n\
             Acquire::Languages \"none\";\n\
             #clear Acquire::IndexTargets::deb::DEP-11;\n\
             #clear APT::Update::Pre-Invoke;\n\
             #clear APT::Update::Post-Invoke;\n\
             #clear APT::Update::Post-Invoke-Success;\n"
        )
    }

    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = program(name);
        command.arg("-c").arg(self.folder.join("apt.conf")).args(arguments).env("LC_ALL", "C");
        command
    }

    /// Finds the newest version of a package, or of the newest package with this prefix if it ends in a dot.
    fn newest(&self, wanted: &str) -> Option<(String, String)> {
        let package = if wanted.ends_with('.') {
            let names = output(&mut self.command("apt-cache", &["pkgnames", wanted])).ok()?;
            newest_package(&names)?.to_owned()
        } else {
            wanted.to_owned()
        };
        let versions = output(&mut self.command("apt-cache", &["madison", &package])).ok()?;
        let version = newest_version(&versions)?.to_owned();
        Some((package, version))
    }

    /// Downloads a package, which apt checks, and keeps the tarball inside it.
    fn download(&self, package: &str, version: &str, tarball: &Path) -> Result<(), String> {
        let folder = self.folder.join("download");
        let io = |error: std::io::Error| format!("{}: {error}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(io)?;
        }
        fs::create_dir_all(&folder).map_err(io)?;
        let wanted = format!("{package}={version}");
        output(self.command("apt-get", &["-q", "download", &wanted]).current_dir(&folder))?;
        let deb = only_file(&folder, ".deb").ok_or("apt-get downloaded no package")?;
        output(program("dpkg-deb").arg("-x").arg(&deb).arg(&folder))?;
        let inside = only_file(&folder.join("usr/src"), ".tar.xz").ok_or("the package has no usr/src/*.tar.xz")?;
        fs::rename(inside, tarball).and_then(|()| fs::remove_dir_all(&folder)).map_err(io)
    }
}

fn only_file(folder: &Path, ending: &str) -> Option<PathBuf> {
    let mut paths = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    paths.find(|path| path.to_string_lossy().ends_with(ending))
}

fn newest_package(names: &str) -> Option<&str> {
    let version = |name: &&str| name.strip_prefix("linux-source-")?.parse::<Version>().ok();
    names.lines().filter(|name| version(name).is_some()).max_by_key(version)
}

/// Returns the newest version, which `apt-cache madison` prints first.
fn newest_version(madison: &str) -> Option<&str> {
    madison.lines().next()?.split('|').nth(1).map(str::trim)
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

/// Debian's main archive, at the address that this machine uses.
#[derive(Debug, PartialEq)]
struct Archive {
    uris: Vec<String>,
    suites: Vec<String>,
}

impl std::fmt::Display for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Archive { uris, suites } = self;
        writeln!(f, "Types: deb\nURIs: {}\nSuites: {}", uris.join(" "), suites.join(" "))?;
        writeln!(f, "Components: main\nSigned-By: {KEYRING}")
    }
}

/// One entry of apt's sources.
#[derive(Debug, Default, PartialEq)]
struct Stanza {
    types: Vec<String>,
    uris: Vec<String>,
    suites: Vec<String>,
    components: Vec<String>,
    signed_by: Option<String>,
    disabled: bool,
}

impl Stanza {
    /// True for an entry of Debian's main archive. Unsigned entries are checked with apt's global keys, so only the
    /// address identifies them.
    fn is_debian(&self) -> bool {
        let has = |words: &[String], word: &str| words.iter().any(|found| found.contains(word));
        let ours = match &self.signed_by {
            Some(key) => key.contains("debian-archive"),
            None => has(&self.uris, "debian"),
        };
        let is_main = self.types.iter().any(|kind| kind == "deb") && self.components.iter().any(|part| part == "main");
        ours && is_main && !self.disabled && !has(&self.uris, "security") && !has(&self.suites, "security")
    }
}

/// Returns the archive of the first Debian entry, preferring entries with Debian's key, and adds the suites that carry
/// kernels.
fn debian_archive(stanzas: &[Stanza]) -> Option<Archive> {
    let debian: Vec<&Stanza> = stanzas.iter().filter(|stanza| stanza.is_debian()).collect();
    let best = debian.iter().find(|stanza| stanza.signed_by.is_some()).or(debian.first())?;
    let own = debian.iter().filter(|stanza| stanza.uris == best.uris).flat_map(|stanza| &stanza.suites);
    let mut suites: Vec<String> = SUITES.map(str::to_owned).to_vec();
    for suite in own {
        if !suites.contains(suite) {
            suites.push(suite.clone());
        }
    }
    Some(Archive { uris: best.uris.clone(), suites })
}

/// Reads all of apt's sources: `sources.list` first, then the files of `sources.list.d` in name order. Unreadable files
/// are skipped; apt cannot read them either.
fn stanzas_below(apt_folder: &Path) -> Vec<Stanza> {
    let mut paths: Vec<PathBuf> = fs::read_dir(apt_folder.join("sources.list.d"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths.insert(0, apt_folder.join("sources.list"));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_default();
        match path.extension()?.to_str()? {
            "list" => Some(one_line_stanzas(&text)),
            "sources" => Some(deb822_stanzas(&text)),
            _ => None,
        }
    };
    paths.into_iter().filter_map(read).flatten().collect()
}

/// Parses lines of the form `deb [option=value …] URI SUITE COMPONENT…`.
fn one_line_stanzas(text: &str) -> Vec<Stanza> {
    let parse = |line: &str| {
        let line = line.split('#').next()?.trim();
        let (kind, rest) = line.split_once(char::is_whitespace)?;
        let rest = rest.trim_start();
        let (options, rest) = match rest.strip_prefix('[') {
            Some(inside) => inside.split_once(']')?,
            None => ("", rest),
        };
        let mut rest = rest.split_whitespace().map(str::to_owned);
        Some(Stanza {
            types: vec![kind.to_owned()],
            uris: vec![rest.next()?],
            suites: vec![rest.next()?],
            components: rest.collect(),
            signed_by: options
                .split_whitespace()
                .find_map(|option| option.to_lowercase().starts_with("signed-by=").then(|| option[10..].to_owned())),
            disabled: false,
        })
    };
    text.lines().filter_map(parse).collect()
}

/// Parses paragraphs of `Field: value` lines.
fn deb822_stanzas(text: &str) -> Vec<Stanza> {
    let text: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    text.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty()).map(deb822_stanza).collect()
}

fn deb822_stanza(lines: &[&str]) -> Stanza {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in lines {
        match (line.starts_with(char::is_whitespace), line.split_once(':'), fields.last_mut()) {
            (true, _, Some((_, value))) => *value += line,
            (false, Some((key, value)), _) => fields.push((key.to_lowercase(), value.trim().to_owned())),
            _ => {}
        }
    }
    let value = |key: &str| fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    let words = |key: &str| value(key).unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    Stanza {
        types: words("types"),
        uris: words("uris"),
        suites: words("suites"),
        components: words("components"),
        signed_by: value("signed-by").map(str::to_owned),
        disabled: value("enabled").is_some_and(|value| ["no", "false", "0", "off"].contains(&value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEB822: &str = "\
Types: deb deb-src
# http://snapshot.example/debian
URIs: http://mirror.example/debian
Suites: forky forky-updates
Components: main
 contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: forky-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
";

    const LIST: &str = "\
# deb http://commented.example/debian bookworm main
deb cdrom:[Debian 12]/ bookworm main
deb [arch=amd64 signed-by=/etc/apt/keyrings/docker.asc] https://docker.example/linux/debian bookworm stable main
deb http://security.example/debian-security bookworm-security main
deb-src http://mirror.example/debian bookworm main
deb http://mirror.example/debian bookworm main contrib # the archive
deb http://mirror.example/debian bookworm-updates main
";

    fn archive(stanzas: Vec<Stanza>) -> (String, Vec<String>) {
        let archive = debian_archive(&stanzas).unwrap();
        (archive.uris.join(" "), archive.suites[SUITES.len()..].to_vec())
    }

    #[test]
    fn the_archive_is_found_in_paragraphs() {
        let (uri, suites) = archive(deb822_stanzas(DEB822));
        assert_eq!((uri.as_str(), suites.join(" ").as_str()), ("http://mirror.example/debian", "forky forky-updates"));
    }

    #[test]
    fn the_archive_is_found_in_lines() {
        let (uri, suites) = archive(one_line_stanzas(LIST));
        assert_eq!((uri.as_str(), suites.join(" ").as_str()), ("http://mirror.example/debian", "bookworm-updates"));
    }

    #[test]
    fn a_machine_may_have_no_debian_archive() {
        let ubuntu = "Types: deb\nURIs: http://archive.example/ubuntu\nSuites: noble\nComponents: main\n";
        assert_eq!(debian_archive(&deb822_stanzas(ubuntu)), None);
        assert_eq!(debian_archive(&deb822_stanzas(&DEB822.replace("Types", "Enabled: no\nTypes"))), None);
    }

    #[test]
    fn packages_and_versions_are_ordered() {
        let names = "linux-source-7.9\nlinux-source-7.10\nlinux-source-7.2\nlinux-source-7.x\n";
        assert_eq!(newest_package(names), Some("linux-source-7.10"));
        let madison = " linux-source-7.3 | 7.3.4-1~bpo13+1 | http://mirror.example trixie-backports/main amd64 Packages\n\
                        linux-source-7.3 | 7.3.1-1~bpo13+1 | http://mirror.example trixie-backports/main amd64 Packages\n";
        assert_eq!(newest_version(madison), Some("7.3.4-1~bpo13+1"));
        assert_eq!(newest_version(""), None);
    }

    #[test]
    fn a_tarball_is_used_again_as_it_was_fetched() {
        let folder = tempfile::tempdir().unwrap();
        let tarball = folder.path().join("linux.tar.xz");
        assert!(!is_as_fetched(&tarball));
        fs::write(&tarball, "a kernel").unwrap();
        assert!(!is_as_fetched(&tarball), "of a goodput that kept no sums, or half of it");
        remember(&tarball).unwrap();
        assert!(is_as_fetched(&tarball));
        fs::write(&tarball, "another").unwrap();
        assert!(!is_as_fetched(&tarball));
        fs::remove_file(&tarball).unwrap();
        assert!(!is_as_fetched(&tarball));
    }

    #[test]
    fn apt_reads_all_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let parts = folder.path().join("sources.list.d");
        fs::create_dir(&parts).unwrap();
        fs::write(folder.path().join("sources.list"), LIST).unwrap();
        fs::write(parts.join("debian.sources"), DEB822).unwrap();
        fs::write(parts.join("debian.sources.save"), DEB822).unwrap();
        assert_eq!(stanzas_below(folder.path()).len(), 8);
        assert!(stanzas_below(&parts).is_empty());
    }
}
