//! The programs that set up the guest's network, brought into the guest with their loader and libraries. A package has
//! its own, so that results do not depend on the host's; without them, goodput copies the host's.
//!
//! A package's tools are Debian's, changed to load from `wire::TOOLS` in the guest (`scripts/tools`). `tools.json` next
//! to them lists each with its version and the files that it needs.

use super::host_tools::{self, NoCopy};
use base::folder::{FileError, Folder, MAX_TEXT_BYTES};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};
use wire::Tool;

/// Folder of the tools, relative to the parent of the program's folder.
const TOOLS_FOLDER: &str = "lib/goodput/tools";

const TOOLS_LIST: &str = "tools.json";

/// Largest program or library, bytes.
const MAX_PROGRAM_BYTES: u64 = 256 << 20;

/// Why there are no tools for a guest.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoTools {
    #[error("the tools of this package are damaged: {0}\n\nhint: unpack or install it again")]
    File(#[from] FileError),
    #[error("the tools of this package are damaged: {list}: {error}\n\nhint: unpack or install it again")]
    List { list: PathBuf, error: serde_json::Error },
    #[error(transparent)]
    Host(#[from] NoCopy),
}

/// The tools to use, by default the host's.
#[derive(Debug, Default)]
pub struct Tools {
    own: Option<Own>,
}

#[derive(Debug)]
struct Own {
    folder: Folder,
    programs: BTreeMap<String, Program>,
}

#[derive(Debug, Deserialize)]
struct Program {
    version: String,
    files: Vec<String>,
}

impl Tools {
    /// Returns the tools in the folder that GOODPUT_TOOLS names (the host's if it is empty), or those of the package.
    pub fn find() -> Result<Tools, NoTools> {
        let beside =
            || Some(env::current_exe().ok()?.parent()?.parent()?.join(TOOLS_FOLDER)).filter(|folder| folder.is_dir());
        match env::var_os("GOODPUT_TOOLS") {
            Some(none) if none.is_empty() => Ok(Tools::default()),
            Some(folder) => Tools::read(Path::new(&folder)),
            None => beside().map_or(Ok(Tools::default()), |folder| Tools::read(&folder)),
        }
    }

    fn read(folder: &Path) -> Result<Tools, NoTools> {
        let folder = Folder::open(folder)?;
        let programs = serde_json::from_slice(&folder.read(TOOLS_LIST, MAX_TEXT_BYTES)?)
            .map_err(|error| NoTools::List { list: folder.place(TOOLS_LIST), error })?;
        Ok(Tools { own: Some(Own { folder, programs }) })
    }

    /// Returns the version of a tool that came with goodput.
    pub fn version(&self, program: &str) -> Option<&str> {
        Some(&self.own.as_ref()?.programs.get(program)?.version)
    }

    /// Returns the tools' folder, if they came with goodput.
    pub fn folder(&self) -> Option<&Path> {
        Some(self.own.as_ref()?.folder.path())
    }

    /// Returns names and bytes of the files that some tools need in the guest.
    pub fn files(&self, needed: &[Tool]) -> Result<BTreeMap<String, Vec<u8>>, NoTools> {
        match &self.own {
            Some(own) => Ok(own.files(needed)?),
            None => Ok(host_tools::files(needed)?),
        }
    }

    /// Returns the SHA-256 over all files of all tools, hexadecimal.
    pub fn hash(&self) -> Result<String, NoTools> {
        let mut hash = Sha256::new();
        for (name, bytes) in self.files(&Tool::ALL.map(|(tool, ..)| tool))? {
            hash.update(format!("{name} {}\n", bytes.len()));
            hash.update(bytes);
        }
        Ok(format!("{:x}", hash.finalize()))
    }
}

impl Own {
    fn files(&self, needed: &[Tool]) -> Result<BTreeMap<String, Vec<u8>>, FileError> {
        let wanted = Tool::ALL.into_iter().filter(|(tool, ..)| needed.contains(tool));
        let programs = wanted.filter_map(|(_, name, _)| self.programs.get(name));
        let names: BTreeSet<&String> = programs.flat_map(|program| &program.files).collect();
        names.into_iter().map(|name| Ok((name.clone(), self.folder.read(name, MAX_PROGRAM_BYTES)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(list: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(TOOLS_LIST), list).unwrap();
        ["ip", "tc", "libc.so.6"].iter().for_each(|name| fs::write(folder.path().join(name), name).unwrap());
        folder
    }

    const TWO_TOOLS: &str = r#"{"ip": {"version": "iproute2 6.1", "files": ["ip", "libc.so.6"]},
                          "tc": {"version": "iproute2 6.1", "files": ["tc", "libc.so.6"]}}"#;

    #[test]
    fn a_guest_gets_what_its_trial_needs_and_each_file_once() {
        let folder = folder(TWO_TOOLS);
        let tools = Tools::read(folder.path()).unwrap();
        let names = |needed: &[Tool]| tools.files(needed).unwrap().into_keys().collect::<Vec<_>>();
        assert_eq!(names(&[Tool::Ip, Tool::Ip]), ["ip", "libc.so.6"]);
        assert_eq!(names(&[Tool::Tc, Tool::Ip]), ["ip", "libc.so.6", "tc"]);
        assert_eq!(names(&[Tool::Nft]), [""; 0]);
        assert_eq!((tools.version("ip"), tools.version("nft")), (Some("iproute2 6.1"), None));
        assert_eq!(Tools::default().version("ip"), None);
    }

    #[test]
    fn a_hash_is_of_all_bytes() {
        let folder = folder(TWO_TOOLS);
        let hash = || Tools::read(folder.path()).unwrap().hash().unwrap();
        let before = hash();
        fs::write(folder.path().join("libc.so.6"), "another").unwrap();
        assert_ne!(hash(), before);
    }

    /// The files include everything that `ldd` lists.
    #[test]
    fn the_hosts_come_with_all_that_they_load() {
        let all = Tools::default().files(&Tool::ALL.map(|(tool, ..)| tool)).unwrap();
        let ours = all.keys().filter(|name| Tool::ALL.iter().any(|(_, tool, _)| tool == name)).collect::<Vec<_>>();
        for tool in &ours {
            let path = crate::kernel::find_program(tool).unwrap();
            let said = std::process::Command::new("ldd").arg(&path).output().unwrap().stdout;
            let said = String::from_utf8(said).unwrap();
            let libraries: Vec<_> = said.split_whitespace().filter(|word| word.starts_with('/')).collect();
            assert!(libraries.len() > 1, "{said}");
            for library in libraries {
                let name = Path::new(library).file_name().unwrap().to_str().unwrap();
                assert!(all[name] == fs::read(library).unwrap(), "{tool} loads {library}");
            }
        }
        assert!(!ours.is_empty() && all.contains_key("normal.dist"));
        let named = b"/tools/ld-linux-x86-64.so.2\0";
        assert!(all["ip"].windows(named.len()).any(|bytes| bytes == named));
    }

    #[test]
    fn damage_is_told_with_what_helps() {
        let said = |list: &str| Tools::read(folder(list).path()).unwrap_err().to_string();
        assert!(said("{").contains("tools.json: EOF") && said("{").ends_with("hint: unpack or install it again"));
        let folder = folder(TWO_TOOLS);
        fs::remove_file(folder.path().join("tc")).unwrap();
        let error = Tools::read(folder.path()).unwrap().hash().unwrap_err().to_string();
        assert!(error.contains("/tc: No such file") && error.contains("hint: unpack"), "{error}");
    }
}
