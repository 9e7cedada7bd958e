//! The agent's binary, and the initial RAM disk that carries it and its tools into the guest.

use super::tools::{NoTools, Tools};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::PathBuf;
use wire::Tool;

/// The agent's file name; it lies beside goodput's own.
const NAME: &str = "goodput-agent";

/// Why there is no agent to boot.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoAgent {
    #[error(
        "cannot read the agent {path}: {error}\n\nhint: it belongs next to goodput; build both: cargo build --release"
    )]
    File { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Tools(#[from] NoTools),
}

/// The agent as bytes, with its hash, and the programs that it sets the network up with.
pub struct Agent {
    binary: Vec<u8>,
    /// Those that came with goodput, or the host's.
    pub tools: Tools,
    /// SHA-256 of the binary, hexadecimal.
    pub hash: String,
}

impl Agent {
    /// The agent beside this program, or the one that GOODPUT_AGENT names.
    pub fn find() -> Result<Agent, NoAgent> {
        let beside = || Ok(std::env::current_exe()?.with_file_name(NAME));
        let path = std::env::var_os("GOODPUT_AGENT").map_or_else(beside, |path| Ok(path.into()));
        let agent = Agent::read(path.map_err(|error| NoAgent::File { path: NAME.into(), error })?)?;
        Ok(Agent { tools: Tools::find()?, ..agent })
    }

    /// The agent in a file, with the host's tools.
    pub fn read(path: PathBuf) -> Result<Agent, NoAgent> {
        let binary = fs::read(&path).map_err(|error| NoAgent::File { path, error })?;
        let hash = Sha256::digest(&binary).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Agent { binary, tools: Tools::default(), hash })
    }

    /// The RAM disk: the agent as /init, and the files of those tools that a trial needs.
    pub fn ramdisk(&self, needed: &[Tool]) -> Result<Vec<u8>, NoTools> {
        let folder = wire::TOOLS.trim_start_matches('/');
        let mut entries = vec![entry("init", 0o100755, &self.binary), entry(folder, 0o040755, &[])];
        let tools = self.tools.files(needed)?;
        let path = |name: &str| format!("{folder}/{name}");
        entries.extend(tools.iter().map(|(name, bytes)| entry(&path(name), 0o100755, bytes)));
        entries.push(entry("TRAILER!!!", 0, &[]));
        Ok(entries.concat())
    }
}

/// An entry of a cpio archive in the "newc" format (Documentation/driver-api/early-userspace/buffer-format.rst).
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

    #[test]
    fn entries_are_aligned_and_counted() {
        let bytes = entry("init", 0o100755, b"abcde");
        assert_eq!(bytes.len(), 110 + 6 + 8);
        assert_eq!(&bytes[..6], b"070701");
        assert_eq!(&bytes[6 + 8 * 6..6 + 8 * 7], b"00000005");
    }
}
