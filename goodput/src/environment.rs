//! What a run ran on: the parts that decide the bytes, and the parts that only explain them.

use crate::engine::agent::Agent;
use crate::kernel;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::process::{Child, Command, Stdio};

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
    /// SHA-256 of the code between a plan and its recordings ([`RECORDER`]).
    #[serde(default = "unknown")]
    pub recorder: String,
    /// The versions of the host's programs that set the guest's network up.
    pub tools: Vec<(String, String)>,
    /// The host's kernel, processor and cores.
    pub host: Vec<(String, String)>,
}

/// SHA-256 of the source between a plan and its recordings: `RECORDER` of goodput/build.rs lists it.
pub const RECORDER: &str = env!("GOODPUT_RECORDER");

/// Of a run that does not tell.
fn unknown() -> String {
    "unknown".into()
}

impl Environment {
    /// Looks at this machine.
    pub fn of(kernel: &kernel::Entry, agent: &Agent) -> Environment {
        Environment::with_tools(kernel, agent, tools())
    }

    /// The same without asking the programs for their versions, which takes some milliseconds.
    pub fn with_tools(kernel: &kernel::Entry, agent: &Agent, tools: Vec<(String, String)>) -> Environment {
        Environment {
            goodput: env!("CARGO_PKG_VERSION").into(),
            kernel: kernel.version.clone(),
            kernel_source: kernel.source.description.clone(),
            kernel_hash: kernel.hash.clone(),
            kernel_config: kernel.config_sha256.clone(),
            kernel_binary: kernel.linux_sha256.clone(),
            agent: agent.hash.clone(),
            recorder: RECORDER.into(),
            tools,
            host: host(),
        }
    }

    /// What decides the bytes of recordings, beside the tools: what people call it, and its hash.
    fn parts(&self) -> [(&'static str, &String); 3] {
        [("recording code", &self.recorder), ("guest kernel", &self.kernel_binary), ("agent", &self.agent)]
    }

    /// Whether trials in both must give the same bytes; the first difference if not.
    pub fn difference(&self, other: &Environment) -> Option<String> {
        let version = |tools: &[(String, String)], name: &String| {
            tools.iter().find(|(other, _)| other == name).map_or("none".into(), |(_, version)| version.clone())
        };
        let tools =
            self.tools.iter().map(|(name, before)| (name.as_str(), before.clone(), version(&other.tools, name)));
        let parts = self.parts().into_iter().zip(other.parts());
        let parts = parts.map(|((what, before), (_, now))| (what, before.clone(), now.clone()));
        let (what, before, now) = parts.chain(tools).find(|(_, before, now)| before != now)?;
        Some(format!("{what}: {} then, {} now", short(&before), short(&now)))
    }

    /// A hash of what decides the bytes, hexadecimal.
    pub fn fingerprint(&self) -> String {
        let own = self.parts().into_iter().map(|(_, hash)| hash);
        let parts: Vec<&str> = own.chain(self.tools.iter().map(|(_, version)| version)).map(String::as_str).collect();
        hex(&Sha256::digest(parts.join("\n")))
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
            ("recording code, SHA-256", &self.recorder),
        ];
        let own = own.into_iter().map(|(name, value)| (name.to_string(), value.clone()));
        own.chain(self.tools.iter().cloned()).chain(self.host.iter().cloned()).collect()
    }
}

fn short(text: &str) -> &str {
    if text.len() == 64 { &text[..12] } else { text }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Asks all programs at once.
fn tools() -> Vec<(String, String)> {
    let asked =
        [("ip", "-V"), ("nft", "--version"), ("wg", "--version")].map(|(name, option)| (name, ask(name, option)));
    asked.map(|(name, child)| (name.into(), child.and_then(answer).unwrap_or_default())).into()
}

fn ask(name: &str, option: &str) -> Option<Child> {
    Command::new(kernel::find_program(name)?)
        .arg(option)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()
}

/// What a program says of itself.
fn answer(child: Child) -> Option<String> {
    let output = child.wait_with_output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
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
