//! What a run ran on: the parts that decide the bytes, and the parts that only explain them.

use crate::engine::agent::Agent;
use crate::kernel;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::process::Command;

/// `environment.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// Version of goodput.
    pub goodput: String,
    /// The guest kernel's version.
    pub kernel: String,
    /// Where its source came from.
    pub kernel_source: String,
    /// Hash of all inputs of its build.
    pub kernel_hash: String,
    /// SHA-256 of its configuration.
    pub kernel_config: String,
    /// SHA-256 of the kernel itself.
    pub kernel_binary: String,
    /// SHA-256 of the agent.
    pub agent: String,
    /// `ip -V` of the host, whose programs the guest runs.
    pub iproute2: String,
    /// The host's kernel, processor and cores.
    pub host: Vec<(String, String)>,
}

impl Environment {
    /// Looks at this machine.
    pub fn of(kernel: &kernel::Entry, agent: &Agent) -> Environment {
        Environment {
            goodput: env!("CARGO_PKG_VERSION").into(),
            kernel: kernel.version.clone(),
            kernel_source: kernel.source.description.clone(),
            kernel_hash: kernel.hash.clone(),
            kernel_config: kernel.config_sha256.clone(),
            kernel_binary: kernel.linux_sha256.clone(),
            agent: agent.hash.clone(),
            iproute2: iproute2(),
            host: host(),
        }
    }

    /// Whether runs in both must give the same bytes; the first difference if not.
    pub fn difference(&self, other: &Environment) -> Option<String> {
        let parts = [
            ("goodput", &self.goodput, &other.goodput),
            ("guest kernel", &self.kernel_binary, &other.kernel_binary),
            ("agent", &self.agent, &other.agent),
            ("iproute2", &self.iproute2, &other.iproute2),
        ];
        let (what, before, now) = parts.into_iter().find(|(_, before, now)| before != now)?;
        Some(format!("{what}: {} then, {} now", short(before), short(now)))
    }

    /// A hash of what decides the bytes, hexadecimal.
    pub fn fingerprint(&self) -> String {
        hex(&Sha256::digest([&*self.goodput, &*self.kernel_binary, &*self.agent, &*self.iproute2].join("\n")))
    }

    /// Name and value of each part, for the report.
    pub fn rows(&self) -> Vec<(String, String)> {
        let own = [
            ("goodput", &self.goodput),
            ("guest kernel", &self.kernel),
            ("its source", &self.kernel_source),
            ("its inputs, SHA-256", &self.kernel_hash),
            ("its configuration, SHA-256", &self.kernel_config),
            ("its binary, SHA-256", &self.kernel_binary),
            ("agent, SHA-256", &self.agent),
            ("iproute2", &self.iproute2),
        ];
        let own = own.into_iter().map(|(name, value)| (name.to_string(), value.clone()));
        own.chain(self.host.iter().cloned()).collect()
    }
}

fn short(text: &str) -> &str {
    if text.len() == 64 { &text[..12] } else { text }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn iproute2() -> String {
    let ip = kernel::find_program("ip").unwrap_or_else(|| "ip".into());
    let output = Command::new(ip).arg("-V").output();
    output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string()).unwrap_or_default()
}

fn host() -> Vec<(String, String)> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default().trim().to_string();
    let processor = read("/proc/cpuinfo");
    let processor = processor.lines().find_map(|l| l.strip_prefix("model name")).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, |n| n.get());
    vec![
        ("host kernel".into(), read("/proc/sys/kernel/osrelease")),
        ("host processor".into(), processor.trim_start_matches([' ', '\t', ':']).to_string()),
        ("host cores".into(), cores.to_string()),
    ]
}
