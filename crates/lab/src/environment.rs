//! Examines the laboratory of a run: kernels, agent, tools and the machine.

use crate::engine::agent::{Agent, NoAgent};
use crate::engine::tools::{NoTools, Tools};
use crate::engine::walls;
use crate::kernel;
use plan::environment::{Environment, Kernel};
use std::fs;
use std::process::{Child, Command, Stdio};

/// SHA-256 of the source between a plan and its recordings: `RECORDER` of this crate's `build.rs` lists it.
pub const RECORDER: &str = env!("GOODPUT_RECORDER");

/// Examines this machine; starts a few programs.
pub fn examine(kernels: &[(String, kernel::Entry)], agent: &Agent) -> Result<Environment, NoAgent> {
    Ok(Environment { tools: tools(&agent.tools)?, host: host(), ..ours(kernels, &agent.hash) })
}

/// Returns the environment for more trials on a run's machine, without examining it again. `agent` is the hash of
/// their agent.
pub(crate) fn on_the_machine_of(run: &Environment, kernels: &[(String, kernel::Entry)], agent: &str) -> Environment {
    Environment { tools: run.tools.clone(), host: run.host.clone(), ..ours(kernels, agent) }
}

fn ours(kernels: &[(String, kernel::Entry)], agent: &str) -> Environment {
    Environment {
        goodput: env!("CARGO_PKG_VERSION").into(),
        kernels: kernels.iter().map(|(name, entry)| described(name, entry)).collect(),
        agent: agent.into(),
        recorder: RECORDER.into(),
        tools: Vec::new(),
        host: Vec::new(),
    }
}

/// Describes an entry of the kernel cache under the name that trials use.
fn described(name: &str, entry: &kernel::Entry) -> Kernel {
    Kernel {
        name: name.to_owned(),
        version: entry.version.clone(),
        source: entry.source.description.clone(),
        additions: entry.additions.clone(),
        hash: entry.hash.clone(),
        config: entry.config_sha256.clone(),
        binary: entry.linux_sha256.clone(),
    }
}

/// Asks each program for its version; the host's programs run at the same time.
fn tools(tools: &Tools) -> Result<Vec<(String, String)>, NoTools> {
    let programs = [("ip", "-V"), ("nft", "--version"), ("wg", "--version")];
    let asked = programs.map(|(name, option)| match tools.version(name) {
        Some(version) => (name, Ok(version.to_owned())),
        None => (name, Err(ask(name, option))),
    });
    let files = ("files of the tools, SHA-256".into(), tools.hash()?);
    let told = |(name, known): (&str, Result<String, Option<Child>>)| {
        (name.into(), known.unwrap_or_else(|child| child.and_then(answer).unwrap_or_default()))
    };
    Ok(asked.map(told).into_iter().chain([files]).collect())
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

/// Returns what a program printed.
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
        ("walls around the guest".into(), walls()),
    ]
}

/// Names the walls that this machine can build.
fn walls() -> String {
    let standing = std::env::current_exe().map(|program| walls::probe(&program)).unwrap_or_default();
    if standing.is_empty() { "none".into() } else { walls::names(&standing) }
}
