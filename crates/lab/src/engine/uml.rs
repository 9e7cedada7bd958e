//! Boots the guest kernel, a User-Mode Linux process in virtual time, and records what it sends.
//!
//! The guest gets the job on its standard input, sends the recording on its standard output (`wire::frame`) and its
//! console on standard error. It is a process of its own group, dies with goodput and needs no privilege.
//! [`super::walls`] confine it: `goodput guest` builds them before it becomes the guest's kernel.
//!
//! The guest's user space runs in processes of its own. A new kernel installs a filter that traps their system calls,
//! except the few at an address that the kernel itself uses and that a program could jump to ("Known security issues",
//! arch/um/kernel/skas/stub.c). If the user's programs run, the kernel traces these processes instead, which is slower
//! and leaves them no system call. Machines without filters and kernels before 6.16 always trace.

use super::agent::Agent;
use super::console;
use super::guard::{Ended, Guard, Patience};
use super::load::{MAX_PROCESSES, Most, OWN_BYTES};
use super::walls::{self, Wall};
use super::{Engine, Refusal, TrialError, loader, verify};
use crate::kernel::{self, FindError};
use base::folder::{FileError, Folder};
use evidence::platform::Version;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, poll};
use plan::network::{self, Dialect};
use plan::recording::{Fills, REACHED_FILE, Recorder, Reporter};
use plan::{self, Flow, Plan, Role, Scene, Trial};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::os::fd::{AsFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{self, Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wire::Tool;

/// The lab, which boots guests.
pub struct Uml {
    kernels: Vec<(String, kernel::Entry)>,
    files: Files,
    patience: Patience,
    program: PathBuf,
    keeping: Keeping,
    dialect: Dialect,
}

/// Source of the files that guests are loaded from.
enum Files {
    /// This process makes them.
    Own(Arc<Agent>, Mutex<BTreeMap<String, Option<PathBuf>>>),
    /// Another process made them for a trial.
    Handed(Loading),
}

/// The files that a guest is loaded from, besides its kernel. A run makes them once for all its trials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loading {
    /// The RAM disk ([`Agent::ramdisk`]).
    pub ramdisk: RawFd,
    /// Folder of the loader to use in place of the host's.
    pub loader: Option<PathBuf>,
}

/// Confinement of a guest.
#[derive(Debug, Clone, Default)]
pub struct Keeping {
    /// Walls to leave out.
    pub without: Vec<Wall>,
    /// True to run commands with a filter, through which they can reach the kernel's own system calls.
    pub filtered: bool,
    /// True to run commands even if a wall that they need cannot be built.
    pub allow_commands: bool,
}

/// True if the kernel does not know filters (`seccomp=`), which came with 6.16. Unknown versions may know them.
fn traces_always(version: &str) -> bool {
    let filtering: Version = "6.16".parse().expect("a version");
    version.parse::<Version>().is_ok_and(|version| version < filtering)
}

impl Uml {
    /// Returns a lab with these guest kernels, each under the name that trials use, and this agent.
    pub fn new(kernels: Vec<(String, kernel::Entry)>, agent: impl Into<Arc<Agent>>) -> Uml {
        Uml::with_files(kernels, Files::Own(agent.into(), Mutex::default()))
    }

    /// Returns a lab for a trial, with loading files from another process.
    pub fn handed(kernels: Vec<(String, kernel::Entry)>, loading: Loading) -> Uml {
        Uml::with_files(kernels, Files::Handed(loading))
    }

    fn with_files(kernels: Vec<(String, kernel::Entry)>, files: Files) -> Uml {
        // If the program's path is unknown, starting it by name fails later with an error.
        let program = std::env::current_exe().unwrap_or_else(|_| "goodput".into());
        Uml {
            kernels,
            files,
            patience: Patience::default(),
            program,
            keeping: Keeping::default(),
            dialect: Dialect::default(),
        }
    }

    /// Uses another goodput program to build the walls.
    pub fn with_program(self, program: impl Into<PathBuf>) -> Uml {
        Uml { program: program.into(), ..self }
    }

    /// Uses another confinement.
    pub fn with_keeping(self, keeping: Keeping) -> Uml {
        Uml { keeping, ..self }
    }

    /// Uses another way of emulating lines.
    pub fn with_dialect(self, dialect: Dialect) -> Uml {
        Uml { dialect, ..self }
    }

    /// Uses other limits after which a guest counts as hung.
    pub fn with_patience(self, patience: Patience) -> Uml {
        Uml { patience, ..self }
    }

    /// Returns the files that a trial's guest is loaded from; made once for all trials with the same needs.
    pub fn loading(&self, trial: &Trial) -> Result<Loading, TrialError> {
        match &self.files {
            Files::Handed(loading) => Ok(loading.clone()),
            Files::Own(agent, _) => {
                let ramdisk = agent.ramdisk(&needed_tools(&trial.scene))?;
                Ok(Loading { ramdisk, loader: self.loader(self.kernel(&trial.kernel)?)? })
            }
        }
    }

    /// Returns the folder of the loader that a kernel needs in place of the host's. The host is asked once.
    fn loader(&self, kernel: &kernel::Entry) -> Result<Option<PathBuf>, Refusal> {
        let Files::Own(agent, known) = &self.files else { return Ok(None) };
        let mut known = known.lock().expect("no panic holds it");
        match known.get(&kernel.hash) {
            Some(loader) => Ok(loader.clone()),
            None => Ok(known.entry(kernel.hash.clone()).or_insert(loader::needed(kernel, &agent.tools)?).clone()),
        }
    }

    fn kernel(&self, name: &str) -> Result<&kernel::Entry, Refusal> {
        let found = self.kernels.iter().find(|(own, _)| own == name).map(|(_, entry)| entry);
        let present = || self.kernels.iter().map(|(name, _)| name.clone()).collect();
        Ok(found.ok_or_else(|| FindError::Unknown { name: name.to_owned(), present: present() })?)
    }

    fn boot(&self, trial: &Trial, folder: &Folder) -> Result<Child, TrialError> {
        let kernel = self.kernel(&trial.kernel)?;
        let json = serde_json::to_vec(&network::job(&trial.scene, self.dialect).with_seed(trial.seed))
            .expect("a job is plain data");
        folder.write(JOB_FILE, json)?;
        let (stdin, stderr) = (folder.file(JOB_FILE)?, folder.create(CONSOLE_FILE)?);
        let Loading { ramdisk, loader } = self.loading(trial)?;
        // The kernel mixes its command line into its random pool. Options that differ between runs must be ones that
        // UML removes from it (initrd=, ipv6=, mem=, seed=).
        let has_commands = trial.scene.has_commands();
        let is_free = !has_commands || self.keeping.filtered;
        let programs = match traces_always(&kernel.version) {
            // An unknown word would go into the kernel's random numbers.
            true => "seccomp=on",
            false if is_free => "seccomp=auto",
            false => "seccomp=off",
        };
        let needed = Wall::ALL.into_iter().filter(|wall| has_commands && wall.is_needed());
        let needed = needed.filter(|wall| !self.keeping.allow_commands && !self.keeping.without.contains(wall));
        let mut command = Command::new(&self.program);
        command
            .args(["guest", "--parent", &process::id().to_string()])
            .args(["--most", &(memory(&trial.scene) + CONSOLE_MOST).to_string()])
            .args(["--ramdisk", &ramdisk.to_string()])
            .args(loader.iter().flat_map(|folder| [OsStr::new("--loader"), folder.as_os_str()]))
            .args(self.keeping.without.iter().flat_map(|wall| ["--without", wall.name()]))
            .args(needed.flat_map(|wall| ["--needs", wall.name()]))
            .arg(kernel.linux())
            .args(["time-travel=inf-cpu", "time-travel-start=1000000000000000000"])
            .arg(programs)
            .args(["con=null", "con0=null,fd:2", "panic=-1", "quiet"])
            // Creates no unused devices.
            .args(["fb_tunnels=none", "bonding.max_bonds=0", "ifb.numifbs=0", "dummy.numdummies=0"])
            .arg(format!("mem={}M", memory(&trial.scene)))
            .arg(format!("seed={}", trial.seed))
            .args(trial.scene.family.has_ipv6().then_some("ipv6=on"))
            .arg(format!("initrd=/proc/self/fd/{ramdisk}"))
            .env_clear()
            // UML dies without HOME, even if it writes nothing there.
            .env("HOME", "/")
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(stderr)
            .process_group(0);
        command.spawn().map_err(|error| TrialError::Start { program: self.program.display().to_string(), error })
    }
}

const JOB_FILE: &str = "job.json";
/// Most that the kernel may write besides its memory, MiB.
const CONSOLE_MOST: u64 = 64;
/// Longest part of the agent's error to show, characters.
const MOST_TOLD: usize = 2000;
/// Longest part of the console to read, bytes: a stack and more.
const CONSOLE_READ: u64 = 1 << 20;
/// The guest's console; kept when a trial fails.
pub const CONSOLE_FILE: &str = "console.log";

/// Returns the guest's memory, MiB: packets in flight and in the sockets' queues, and room for the kernel. The host
/// only pays for pages that are touched.
fn memory(scene: &Scene) -> u64 {
    let lane = |step: network::topology::Step| {
        let lane = step.lane(scene);
        let rate = lane.rates().max().unwrap_or(0);
        let mtu = scene.links[step.link].mtu;
        let delay = lane.delays().max().unwrap_or(0);
        ((rate as f64 / 8e9 * delay as f64) as u64).saturating_add(network::queue_bytes(lane, mtu).unwrap_or(0))
    };
    let under_way = network::steps(scene).map(lane).fold(0, u64::saturating_add);
    let sockets = scene.flows.len() as u64 * (4 << 20);
    let captures = scene.capture.len() as u64 * (wire::CAPTURE_RING >> 20);
    // A segment of 1,448 bytes occupies 2,304 in the kernel, at the sender and at the receiver.
    (256 + captures + (under_way.saturating_add(sockets).saturating_mul(8) >> 20)).next_multiple_of(64).min(16 << 10)
}

impl fmt::Debug for Uml {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names = self.kernels.iter().map(|(name, _)| name);
        f.write_str("Uml ").and_then(|()| f.debug_list().entries(names).finish())
    }
}

impl Engine for Uml {
    fn admit(&self, plan: &Plan) -> Result<(), Refusal> {
        if plan.trials.iter().any(|trial| trial.scene.is_real()) {
            return Err(Refusal::Real);
        }
        let has_commands = plan.trials.iter().any(|trial| trial.scene.has_commands());
        if has_commands && !self.keeping.allow_commands {
            let standing = walls::probe(&self.program);
            if let Some(wall) = Wall::ALL.into_iter().find(|wall| wall.is_needed() && !standing.contains(wall)) {
                return Err(Refusal::Unwalled(wall));
            }
        }
        for (tool, program, package) in Tool::ALL {
            let needed = || plan.trials.iter().any(|trial| network::tools(&trial.scene).contains(&tool));
            let comes_along = match &self.files {
                Files::Own(agent, _) => agent.tools.version(program).is_some(),
                Files::Handed(_) => true,
            };
            let is_there = comes_along || kernel::find_program(program).is_some();
            if !is_there && needed() {
                return Err(Refusal::Tool { program, package });
            }
        }
        plan.kernels().into_iter().try_for_each(|name| {
            let kernel = self.kernel(name)?;
            if !kernel.is_current() {
                return Err(Refusal::Stale { names: kernel.names.join(", "), again: kernel.again() });
            }
            self.loader(kernel)?;
            let known = &kernel.congestion_controls;
            let trials = plan.trials.iter().filter(|trial| trial.kernel == name);
            if kernel.freebsd.is_none() && trials.clone().any(|trial| trial.scene.has_freebsd()) {
                return Err(Refusal::FreeBsd(kernel.names.join(", ")));
            }
            let mut asked = trials.flat_map(|trial| congestion_controls(&trial.scene));
            match asked.find(|asked| !known.is_empty() && !known.contains(asked)) {
                None => Ok(()),
                Some(asked) => Err(Refusal::Congestion {
                    name: asked.clone(),
                    kernel: kernel.version.clone(),
                    known: known.join(", "),
                }),
            }
        })
    }

    fn record(&self, trial: &Trial, folder: &Folder) -> Result<(), TrialError> {
        if trial.scene.is_real() {
            return Err(Refusal::Real.into());
        }
        let mut child = self.boot(trial, folder)?;
        let stream = child.stdout.take().expect("standard output is piped");
        let guard = Guard::new(child, self.patience, most(&trial.scene), latest(&trial.scene));
        let captures = trial.scene.capture.iter().map(|node| plan::captured(node));
        let fetched: Vec<String> = trial.scene.fetch.iter().map(|path| plan::fetched(path)).chain(captures).collect();
        let mut recorder = Recorder::new(folder).fetching(fetched.clone()).with_partial(freebsd_ends(&trial.scene));
        listen(stream, &mut recorder, &mut Reporter::new(folder), &guard)?;
        let hung = guard.end();
        let (facts, ending) = recorder.finish()?;
        let (log, when) = (folder.place(CONSOLE_FILE), guard.when());
        let said = || String::from_utf8_lossy(&last(folder).unwrap_or_default()).into_owned();
        match (hung, ending) {
            (Some(Ended::TooMuch(what)), _) => return Err(TrialError::TooMuch { when, what, log }),
            (Some(Ended::Hung(stood)), _) => {
                return Err(TrialError::Hung { when, stood, place: console::place(&said()), log });
            }
            (None, None) if guard.at_boot() && console::has_no_hold(&said()) => {
                return Err(TrialError::NoHold { words: console::words(&said()) });
            }
            (None, None) => return Err(TrialError::Died { when, words: console::words(&said()), log }),
            (None, Some(Err(what))) => {
                return Err(TrialError::Agent(agent_message(&what, trial.scene.has_commands())));
            }
            (None, Some(Ok(()))) => {}
        }
        verify::fetched(&fetched, folder)?;
        verify::settings(&trial.scene, self.dialect, &facts)?;
        verify::conservation(&trial.scene, folder, &facts)?;
        Ok(clean(folder)?)
    }
}

/// Returns the most that a guest may take of the machine.
fn most(scene: &Scene) -> Most {
    Most { processes: MAX_PROCESSES, bytes: ((memory(scene) + CONSOLE_MOST) << 20) + OWN_BYTES }
}

/// Formats the agent's message. Commands can forge it, so with commands every line is marked and none looks like
/// goodput's own, least of all a hint.
fn agent_message(what: &str, has_commands: bool) -> String {
    let what: String = what.chars().take(MOST_TOLD).collect();
    if has_commands { what.lines().collect::<Vec<_>>().join("\n  | ") } else { what }
}

/// Returns the latest virtual time of a trial, ns: the agent's time limit, and time to finish.
fn latest(scene: &Scene) -> u64 {
    network::limit(scene).saturating_mul(2).saturating_add(60_000_000_000)
}

/// Returns the tools that the guest needs. A user's command may call any of them.
fn needed_tools(scene: &Scene) -> Vec<Tool> {
    match scene.has_commands() {
        false => network::tools(scene),
        true => Tool::ALL.map(|(tool, ..)| tool).into(),
    }
}

/// Returns every congestion control that flows or routes name.
fn congestion_controls(scene: &Scene) -> impl Iterator<Item = &String> {
    let of_routes = scene.nodes.iter().filter_map(|node| match &node.role {
        Role::Host(host) => host.route.congestion.as_ref(),
        Role::Switch(_) | Role::Router(_) => None,
    });
    let of_linux = scene.flows.iter().filter(|flow| !scene.is_freebsd(flow.ends()[0]));
    of_linux.filter_map(|flow| flow.tcp()?.congestion.as_ref()).chain(of_routes)
}

/// Returns the ends of flows that FreeBSD samples: the flow, and 0 for the sender or 1 for the receiver.
fn freebsd_ends(scene: &Scene) -> BTreeMap<[u32; 2], Fills> {
    let ends = |(number, flow): (usize, &Flow)| {
        let ends = flow.ends().into_iter().zip(0..).filter(|(name, _)| scene.is_freebsd(name));
        ends.map(|(_, end)| ([number as u32, end], Fills::FreeBsd)).collect::<Vec<_>>()
    };
    scene.flows.iter().enumerate().flat_map(ends).collect()
}

/// Returns the end of the console's log.
fn last(folder: &Folder) -> io::Result<Vec<u8>> {
    let mut file = folder.file(CONSOLE_FILE).map_err(|refused| refused.error)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(CONSOLE_READ)))?;
    let mut bytes = vec![];
    file.take(CONSOLE_READ).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Removes files that only a failed trial keeps.
fn clean(folder: &Folder) -> Result<(), FileError> {
    [JOB_FILE, CONSOLE_FILE, REACHED_FILE].into_iter().try_for_each(|name| folder.remove(name))
}

/// The stream of a guest. It ends with the guest's kernel, also if another process holds it open or writes to it.
struct UntilEnd<'g> {
    stream: ChildStdout,
    guard: &'g Guard,
    ended: Option<Instant>,
}

/// Time to read what a guest has written when it ends: no more than a pipe holds.
const READ_OUT: Duration = Duration::from_secs(5);

impl Read for UntilEnd<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        /// Interval between checks whether the kernel has ended, ms.
        const CHECK_INTERVAL_MS: u16 = 200;
        loop {
            // Asked first: data from before the end are in the pipe after it.
            let has_ended = self.guard.has_ended();
            if has_ended && self.ended.get_or_insert_with(Instant::now).elapsed() > READ_OUT {
                return Ok(0);
            }
            match poll(&mut [PollFd::new(self.stream.as_fd(), PollFlags::POLLIN)], CHECK_INTERVAL_MS) {
                Ok(0) if has_ended => return Ok(0),
                Ok(0) | Err(Errno::EINTR) => {}
                Ok(_) => return self.stream.read(buffer),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Reads frames until the stream ends.
fn listen(
    stream: ChildStdout,
    recorder: &mut Recorder,
    reporter: &mut Reporter,
    guard: &Guard,
) -> Result<(), TrialError> {
    let mut stream = BufReader::with_capacity(1 << 18, UntilEnd { stream, guard, ended: None });
    let mut head = [0; wire::frame::HEADER];
    let mut payload = vec![];
    while read_or_end(&mut stream, &mut head) {
        let Some((kind, length)) = wire::frame::header(head) else { break };
        payload.resize(length, 0);
        if !read_or_end(&mut stream, &mut payload) {
            break;
        }
        let time = recorder.take(kind, &payload)?;
        guard.saw(time, kind);
        reporter.saw(kind, &payload, time);
    }
    Ok(())
}

/// Fills the buffer, or returns false. A stream that breaks off means that the guest died; missing data show that
/// later.
fn read_or_end(stream: &mut impl Read, buffer: &mut [u8]) -> bool {
    stream.read_exact(buffer).is_ok()
}
