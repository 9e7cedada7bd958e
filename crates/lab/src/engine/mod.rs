//! Engines turn a trial into a recording: `uml` boots the guest kernel, `replay` returns an earlier recording.

pub mod agent;
mod console;
mod guard;
mod host_tools;
mod linking;
mod load;
pub mod loader;
pub mod replay;
pub mod tools;
pub mod uml;
mod verify;
pub mod walls;

pub use guard::Patience;
pub use load::OWN_BYTES;

use crate::kernel::FindError;
use base::folder::{FileError, Folder};
use evidence::plain;
use plan::recording::RecordingError;
use plan::{Flow, Plan, Scene, Trial, Until};
use std::io;
use std::path::PathBuf;

/// Turns a trial into a recording.
pub trait Engine: Sync {
    /// Refuses a plan that this engine cannot run, before anything starts.
    fn admit(&self, plan: &Plan) -> Result<(), Refusal>;

    /// Records one trial into an empty folder.
    fn record(&self, trial: &Trial, folder: &Folder) -> Result<(), TrialError>;
}

/// Why a plan was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// This engine does not have the kernel.
    #[error(transparent)]
    Kernel(#[from] FindError),
    /// The guest kernel lacks a congestion control.
    #[error(
        "kernel {kernel} has no congestion control \"{name}\"\n  = available: {known}\n\nhint: correct the name, or build a kernel that has it: goodput kernel add"
    )]
    Congestion {
        /// Name of the congestion control.
        name: String,
        /// The kernel.
        kernel: String,
        /// Available congestion controls.
        known: String,
    },
    /// The kernel lacks FreeBSD's stack.
    #[error(
        "kernel {0} lacks FreeBSD's stack, which a host runs\n\nhint: goodput kernel add NAME --freebsd TREE builds one that has it"
    )]
    FreeBsd(String),
    /// The kernel's module, patches or configuration differ from this goodput's.
    #[error("kernel {names} was built by another version of goodput\n\nhint: rebuild it: {again}")]
    Stale {
        names: String,
        /// The command that rebuilds it.
        again: String,
    },
    /// A program for setting up the network is missing.
    #[error("the experiment needs {program}, which this machine lacks\n\nhint: apt-get install {package}")]
    Tool {
        /// The program.
        program: &'static str,
        /// The Debian package that has it.
        package: &'static str,
    },
    /// The C library is older than the kernel needs, or another one.
    #[error(
        "kernel {kernel} needs a newer C library than this machine has\n  = {said}\n\nhint: use the tarball or the package goodput-lab, which bring one, or build the kernel here: goodput kernel add {kernel} --replace"
    )]
    Library {
        /// The kernel.
        kernel: String,
        /// Message of the host's loader.
        said: String,
    },
    /// The machine cannot isolate an experiment's commands.
    #[error(
        "the experiment runs commands, and this machine cannot keep them in: it lacks {}\n\nhint: read the commands, then pass --allow-commands; goodput doctor says more", .0.name()
    )]
    Unwalled(walls::Wall),
    /// No recording has the trial.
    #[error(
        "{} has no recording of trial {trial} of this plan\n\nhint: it can only replay what was recorded, on kernel {}; run the experiment without --replay", plain::path(run), plain::line(&kernels.join(", "))
    )]
    NotRecorded {
        /// The run to replay.
        run: PathBuf,
        /// The trial's index.
        trial: usize,
        /// Kernels that the run used.
        kernels: Vec<String>,
    },
    /// Trials ran on real hosts.
    #[error(
        "this was measured on real hosts, which the lab does not have\n\nhint: goodput field run measures there again; the lab runs the experiment as it was written, with its links"
    )]
    Real,
    /// A run cannot be read.
    #[error("{0}")]
    Run(String),
}

/// Why a trial has no recording.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// A program that the engine starts is missing or refused.
    #[error("cannot start {program}: {error}\n\nhint: goodput doctor checks what this machine lacks")]
    Start {
        /// The program.
        program: String,
        /// Error from the operating system.
        error: io::Error,
    },
    /// The guest ended before the agent reported its end.
    #[error("the guest died {when}; its last words:\n{words}\n\nhint: the complete log is {log}")]
    Died {
        /// Virtual time of its death, in words.
        when: String,
        /// Its kernel's last words.
        words: String,
        /// The console's log.
        log: PathBuf,
    },
    /// The machine lets the guest's kernel neither filter nor trace its programs.
    #[error(
        "a guest's kernel can neither filter the system calls of its programs on this machine (seccomp(2)) nor trace them (ptrace(2)); its last words:\n{words}\n\nhint: allow one of the two; a container has security options for that, such as --security-opt seccomp=FILE or --cap-add SYS_PTRACE"
    )]
    NoHold {
        /// Its kernel's last words.
        words: String,
    },
    /// Virtual time stood still.
    #[error("the guest hung {when}: no headway in {stood}; it was\n{place}\n\nhint: the complete log is {log}")]
    Hung {
        /// Virtual time at which it hung, in words.
        when: String,
        /// How long virtual time stood still, in words.
        stood: String,
        /// The function in which its kernel was, and its callers.
        place: String,
        /// The console's log.
        log: PathBuf,
    },
    /// The guest took more of the machine than a guest needs.
    #[error(
        "the guest was ended {when}: it had {what}\n\nhint: if its kernel has a patch or a module of somebody else's, read it; the complete log is {log}"
    )]
    TooMuch {
        /// Virtual time at which it was ended, in words.
        when: String,
        /// Excess, in words.
        what: String,
        /// The console's log.
        log: PathBuf,
    },
    /// The agent could not do its job.
    #[error("{0}")]
    Agent(String),
    /// The kernel has another value than requested.
    #[error("{place}: {setting} should be {asked}, but the kernel has {got}{hint}")]
    Mismatch {
        /// Place of the setting: a namespace or flow.
        place: String,
        /// The setting.
        setting: String,
        /// Requested value.
        asked: String,
        /// Value that the kernel has.
        got: String,
        /// A hint after a blank line; may be empty.
        hint: String,
    },
    /// Packets appeared or vanished.
    #[error(
        "packets are not conserved from {from} to {to}: {sent} sent, {delivered} delivered, {dropped} dropped; {lost}"
    )]
    NotConserved {
        /// The sending host.
        from: String,
        /// The receiving host.
        to: String,
        /// Packets that left the sending host.
        sent: u64,
        /// Packets that reached the receiving host.
        delivered: u64,
        /// Packets dropped in between.
        dropped: u64,
        /// Places where the others were lost, in words.
        lost: String,
    },
    /// The engine cannot run it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The recording could not be written.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A file next to the recording could not be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The agent or its tools cannot be read.
    #[error(transparent)]
    NoAgent(#[from] agent::NoAgent),
}

/// Returns the longest virtual time of a scene, ns.
pub fn virtual_length(scene: &Scene) -> u64 {
    let end = |flow: &Flow| match flow.until {
        Until::Duration(ns) => flow.start + ns,
        Until::Bytes(_) | Until::Exchanges(_) | Until::Exit => scene.record.limit,
    };
    let commands = scene.commands.iter().map(|command| command.at);
    scene.flows.iter().map(end).chain(commands).max().unwrap_or(0)
}
