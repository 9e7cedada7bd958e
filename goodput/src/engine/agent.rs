//! The agent's binary, and the initial RAM disks that bring it and its tools into guests.

use super::tools::{NoTools, Tools};
use base16ct::lower::encode_string as hex;
use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::path::PathBuf;
use std::sync::Mutex;
use wire::Tool;

/// The agent's file name; it is next to goodput's own program.
const AGENT_FILE: &str = "goodput-agent";

/// Why there is no agent to boot.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoAgent {
    #[error(
        "cannot read the agent {path}: {error}\n\nhint: it belongs into the folder of the program goodput: install both again, or copy both"
    )]
    File { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Tools(#[from] NoTools),
    #[error("cannot keep a guest's RAM disk in memory: {0}\n\nhint: goodput doctor checks what this machine lacks")]
    RamDisk(io::Error),
}

/// The agent's binary with its hash, and the programs with which it sets up the network.
pub struct Agent {
    binary: Vec<u8>,
    /// RAM disks made so far, by the tools in them.
    disks: Mutex<BTreeMap<BTreeSet<Tool>, File>>,
    /// The tools that came with goodput, or the host's.
    pub tools: Tools,
    /// SHA-256 of the binary, hexadecimal.
    pub hash: String,
}

impl Agent {
    /// Finds the agent next to this program, or the one that GOODPUT_AGENT names.
    pub fn find() -> Result<Agent, NoAgent> {
        let beside = || Ok(std::env::current_exe()?.with_file_name(AGENT_FILE));
        let path = std::env::var_os("GOODPUT_AGENT").map_or_else(beside, |path| Ok(path.into()));
        let agent = Agent::read(path.map_err(|error| NoAgent::File { path: AGENT_FILE.into(), error })?)?;
        Ok(Agent { tools: Tools::find()?, ..agent })
    }

    /// Reads the agent from a file, with the host's tools.
    pub fn read(path: PathBuf) -> Result<Agent, NoAgent> {
        let binary = fs::read(&path).map_err(|error| NoAgent::File { path, error })?;
        let hash = hex(&Sha256::digest(&binary));
        Ok(Agent { binary, disks: Mutex::default(), tools: Tools::default(), hash })
    }

    /// Returns the RAM disk with some tools, made once: a sealed file in memory. All children of this process inherit
    /// its descriptor, as long as this agent lives.
    pub fn ramdisk(&self, needed: &[Tool]) -> Result<RawFd, NoAgent> {
        let mut disks = self.disks.lock().expect("no panic holds it");
        let needed: BTreeSet<Tool> = needed.iter().copied().collect();
        if let Some(disk) = disks.get(&needed) {
            return Ok(disk.as_raw_fd());
        }
        let tools: Vec<Tool> = needed.iter().copied().collect();
        let disk = in_memory(&self.archive(&tools)?).map_err(NoAgent::RamDisk)?;
        Ok(disks.entry(needed).or_insert(disk).as_raw_fd())
    }

    /// Returns an archive with the agent as /init and the files of some tools.
    fn archive(&self, needed: &[Tool]) -> Result<Vec<u8>, NoTools> {
        let folder = wire::TOOLS.trim_start_matches('/');
        let mut entries = vec![entry("init", 0o100755, &self.binary), entry(folder, 0o040755, &[])];
        let tools = self.tools.files(needed)?;
        let path = |name: &str| format!("{folder}/{name}");
        entries.extend(tools.iter().map(|(name, bytes)| entry(&path(name), 0o100755, bytes)));
        entries.push(entry("TRAILER!!!", 0, &[]));
        Ok(entries.concat())
    }
}

fn in_memory(bytes: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create(c"goodput-ramdisk", MFdFlags::MFD_ALLOW_SEALING)?);
    file.write_all(bytes)?;
    seal(&file)?;
    Ok(file)
}

/// Seals the file. Nothing maps it writable yet, so denying future writes denies all. F_SEAL_WRITE would fail with
/// EBUSY while the host's memory management holds a reference to one of the pages (mm/memfd.c, memfd_wait_for_pins).
fn seal(file: &File) -> io::Result<()> {
    let seals = SealFlag::F_SEAL_FUTURE_WRITE | SealFlag::F_SEAL_GROW | SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_SEAL;
    fcntl(file, FcntlArg::F_ADD_SEALS(seals))?;
    Ok(())
}

/// Returns an entry of a cpio archive in the "newc" format
/// (Documentation/driver-api/early-userspace/buffer-format.rst).
fn entry(name: &str, mode: u32, data: &[u8]) -> Vec<u8> {
    let inode = u32::from(!data.is_empty());
    let fields = [inode, mode, 0, 0, 1, 0, data.len() as u32, 0, 0, 0, 0, name.len() as u32 + 1, 0];
    let mut bytes = b"070701".to_vec();
    bytes.extend(fields.iter().flat_map(|field| format!("{field:08x}").into_bytes()));
    bytes.extend(name.as_bytes());
    bytes.push(0);
    pad(&mut bytes);
    bytes.extend(data);
    pad(&mut bytes);
    bytes
}

fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(4), 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::fcntl::{SpliceFFlags, splice};
    use std::os::unix::fs::FileExt;
    use std::process::Command;

    /// A child finds its entries, nobody can write to it, and each set of tools has its own.
    #[test]
    fn a_ram_disk_is_made_once_and_stays_as_it_is() {
        let agent = Agent { tools: Tools::default(), ..Agent::read("/bin/true".into()).unwrap() };
        let [none, again, one] = [&[][..], &[], &[Tool::Ip, Tool::Ip]].map(|tools| agent.ramdisk(tools).unwrap());
        assert_eq!(none, again);
        assert_ne!(none, one);
        let has = |disk: RawFd, name: &str| {
            let bytes = Command::new("cat").arg(format!("/proc/self/fd/{disk}")).output().unwrap().stdout;
            let name = format!("{name}\0");
            bytes.windows(name.len()).any(|part| part == name.as_bytes())
        };
        assert_eq!(
            ["init", "tools", "tools/ip", "tools/libc.so.6"].map(|name| has(none, name)),
            [true, true, false, false]
        );
        assert_eq!(["init", "tools", "tools/ip", "tools/libc.so.6"].map(|name| has(one, name)), [true; 4]);
        let disks = agent.disks.lock().unwrap();
        for disk in disks.values() {
            assert!(disk.write_at(b"x", 0).is_err() && disk.set_len(0).is_err());
            let again = File::options().write(true).open(format!("/proc/self/fd/{}", disk.as_raw_fd()));
            assert!(again.is_err() || again.unwrap().write_at(b"x", 0).is_err());
        }
    }

    /// Pages spliced into a pipe are referenced by it, as the host's reclaim references pages for a moment.
    #[test]
    fn a_file_is_sealed_while_something_refers_to_its_pages() {
        let mut file = File::from(memfd_create(c"test", MFdFlags::MFD_ALLOW_SEALING).unwrap());
        file.write_all(&[0; 4096]).unwrap();
        let (_reader, writer) = io::pipe().unwrap();
        let spliced = splice(&file, Some(&mut 0), &writer, None, 4096, SpliceFFlags::empty()).unwrap();
        assert_eq!(spliced, 4096);
        seal(&file).unwrap();
        assert!(file.write_at(b"x", 0).is_err() && file.set_len(0).is_err());
    }

    #[test]
    fn entries_are_aligned_and_counted() {
        let bytes = entry("init", 0o100755, b"abcde");
        assert_eq!(bytes.len(), 110 + 6 + 8);
        assert_eq!(&bytes[..6], b"070701");
        assert_eq!(&bytes[6 + 8 * 6..6 + 8 * 7], b"00000005");
    }
}
