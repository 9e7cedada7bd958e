//! Engines turn a trial into a recording: `uml` boots the guest kernel, `replay` serves what was recorded before.

pub mod agent;
mod console;
mod guard;
mod host_tools;
mod linking;
pub mod loader;
pub mod replay;
pub mod tools;
pub mod uml;
mod verify;
pub mod walls;

pub use guard::Patience;

use crate::folder::{FileError, Folder};
use crate::kernel::FindError;
use crate::plan::{Flow, Plan, Scene, Trial, Until};
use crate::recording::RecordingError;
use evidence::plain;
use std::io;
use std::path::PathBuf;

/// Whatever can turn a trial into a recording.
pub trait Engine: Sync {
    /// Refuses a plan that needs what this engine cannot do, before anything starts.
    fn admit(&self, plan: &Plan) -> Result<(), Refusal>;

    /// Records one trial into a folder that is empty.
    fn record(&self, trial: &Trial, folder: &Folder) -> Result<(), TrialError>;
}

/// Why a plan was refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// A kernel that this engine does not have.
    #[error(transparent)]
    Kernel(#[from] FindError),
    /// A congestion control that the guest kernel lacks.
    #[error(
        "kernel {kernel} has no congestion control \"{name}\"\n  = available: {known}\n\nhint: correct the name, or build a kernel that has it: goodput kernel add"
    )]
    Congestion {
        /// As it was asked for.
        name: String,
        /// The kernel.
        kernel: String,
        /// What it has.
        known: String,
    },
    /// A kernel without FreeBSD's stack.
    #[error(
        "kernel {0} lacks FreeBSD's stack, which a host runs\n\nhint: goodput kernel add NAME --freebsd TREE builds one that has it"
    )]
    FreeBsd(String),
    /// A kernel whose module, patches or configuration are not this goodput's.
    #[error("kernel {names} was built by another version of goodput\n\nhint: rebuild it: {again}")]
    Stale {
        names: String,
        /// The command.
        again: String,
    },
    /// A program that sets the network up is missing.
    #[error("the experiment needs {program}, which this machine lacks\n\nhint: apt-get install {package}")]
    Tool {
        /// The program.
        program: &'static str,
        /// The Debian package that has it.
        package: &'static str,
    },
    /// A C library that is older than the kernel's, or another.
    #[error(
        "kernel {kernel} needs a newer C library than this machine has\n  = {said}\n\nhint: use the tarball or the package goodput-lab, which bring one, or build the kernel here: goodput kernel add {kernel} --replace"
    )]
    Library {
        /// The kernel.
        kernel: String,
        /// What the host's loader said.
        said: String,
    },
    /// Commands without a wall between them and the machine.
    #[error(
        "the experiment runs commands, and this machine cannot keep them in: it lacks {}\n\nhint: read the commands, then pass --allow-commands; goodput doctor says more", .0.name()
    )]
    Unwalled(walls::Wall),
    /// A trial that a recording does not hold.
    #[error(
        "{} has no recording of trial {trial} of this plan\n\nhint: it can only replay what was recorded, on kernel {}; run the experiment without --replay", plain::path(run), plain::line(&kernels.join(", "))
    )]
    NotRecorded {
        /// The run that was to be replayed.
        run: PathBuf,
        /// The trial's index.
        trial: usize,
        /// The kernels that it was run on.
        kernels: Vec<String>,
    },
    /// Trials on real hosts.
    #[error(
        "this was measured on real hosts, which the lab does not have\n\nhint: goodput field run measures there again; the lab runs the experiment as it was written, with its links"
    )]
    Real,
    /// A run that cannot be read.
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
        /// What the system said.
        error: io::Error,
    },
    /// The guest ended before the agent said so.
    #[error("the guest died {when}; its last words:\n{words}\n\nhint: the complete log is {log}")]
    Died {
        /// At which virtual time, in words.
        when: String,
        /// What its kernel said of it.
        words: String,
        /// Where the console's log is.
        log: PathBuf,
    },
    /// The machine keeps its kernel from its own programs.
    #[error(
        "a guest's kernel can neither filter the system calls of its programs on this machine (seccomp(2)) nor trace them (ptrace(2)); its last words:\n{words}\n\nhint: allow one of the two; a container has security options for that, such as --security-opt seccomp=FILE or --cap-add SYS_PTRACE"
    )]
    NoHold {
        /// What its kernel said of it.
        words: String,
    },
    /// Virtual time stood still.
    #[error("the guest hung {when}: no headway in {stood}; it was\n{place}\n\nhint: the complete log is {log}")]
    Hung {
        /// At which virtual time, in words.
        when: String,
        /// For how long, in words.
        stood: String,
        /// The function in which its kernel was, and its callers.
        place: String,
        /// Where the console's log is.
        log: PathBuf,
    },
    /// The agent could not do what it was told.
    #[error("{0}")]
    Agent(String),
    /// The kernel has another value than was asked for.
    #[error("{place}: {setting} should be {asked}, but the kernel has {got}{hint}")]
    Mismatch {
        /// Where: a namespace or flow.
        place: String,
        /// Which setting.
        setting: String,
        /// What was asked for.
        asked: String,
        /// What the kernel has.
        got: String,
        /// What may help, from a blank line on; may be empty.
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
        /// Packets that left the one.
        sent: u64,
        /// Packets that reached the other.
        delivered: u64,
        /// Packets dropped in between.
        dropped: u64,
        /// Where the others were lost, in words.
        lost: String,
    },
    /// The engine cannot run it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The recording could not be written.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A file beside the recording could not be written or read.
    #[error(transparent)]
    File(#[from] FileError),
    /// What the guest runs first cannot be read.
    #[error(transparent)]
    NoAgent(#[from] agent::NoAgent),
}

/// How long a scene lasts at most, ns of virtual time.
pub fn virtual_length(scene: &Scene) -> u64 {
    let end = |flow: &Flow| match flow.until {
        Until::Duration(ns) => flow.start + ns,
        Until::Bytes(_) | Until::Exchanges(_) => scene.record.limit,
    };
    let commands = scene.commands.iter().map(|command| command.at);
    scene.flows.iter().map(end).chain(commands).max().unwrap_or(0)
}
