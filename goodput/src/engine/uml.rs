//! Boots the guest kernel, a User-Mode Linux process in virtual time, and records what it sends.
//!
//! The guest gets the job on its standard input, sends the recording on its standard output (`wire::frame`) and its
//! console on standard error. It is a process of its own group, dies with us, and needs no privilege.

use super::agent::Agent;
use super::console;
use super::guard::{Guard, Patience};
use super::{Engine, Refusal, TrialError, verify};
use crate::folder::{FileError, Folder};
use crate::kernel::{self, FindError};
use crate::network;
use crate::plan::{Plan, Role, Scene, Trial};
use crate::recording::{REACHED, Recorder, Reporter};
use std::io::{BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};
use wire::Tool;

/// The laboratory.
pub struct Uml {
    kernels: Vec<(String, kernel::Entry)>,
    agent: Agent,
    patience: Patience,
}

impl Uml {
    /// A laboratory with these guest kernels, each by the name that trials call it, and this agent.
    pub fn new(kernels: Vec<(String, kernel::Entry)>, agent: Agent) -> Uml {
        Uml { kernels, agent, patience: Patience::default() }
    }

    /// Another time after which a guest is taken for hung.
    pub fn with_patience(self, patience: Patience) -> Uml {
        Uml { patience, ..self }
    }

    fn kernel(&self, name: &str) -> Result<&kernel::Entry, Refusal> {
        let found = self.kernels.iter().find(|(own, _)| own == name).map(|(_, entry)| entry);
        let present = || self.kernels.iter().map(|(name, _)| name.clone()).collect();
        Ok(found.ok_or_else(|| FindError::Unknown { name: name.to_owned(), present: present() })?)
    }

    fn boot(&self, trial: &Trial, folder: &Folder) -> Result<Child, TrialError> {
        let kernel = self.kernel(&trial.kernel)?;
        let json = serde_json::to_vec(&network::job(&trial.scene)).expect("a job is plain data");
        folder.write(JOB, json)?;
        folder.write(RAMDISK, self.agent.ramdisk())?;
        let (stdin, stderr) = (folder.file(JOB)?, folder.create(CONSOLE)?);
        // The kernel mixes its command line into its random pool: what differs from run to run must be an option that
        // UML takes off it (initrd=, mem=, seed=, uml_dir=).
        let mut command = Command::new("setarch");
        command
            .args(["x86_64", "--addr-no-randomize", "setpriv", "--pdeathsig", "KILL"])
            .arg(kernel.linux())
            .args(["time-travel=inf-cpu", "time-travel-start=1000000000000000000", "seccomp=on"])
            .args(["con=null", "con0=null,fd:2", "panic=-1", "quiet"])
            // No devices that nobody asked for.
            .args(["fb_tunnels=none", "bonding.max_bonds=0", "ifb.numifbs=0", "dummy.numdummies=0"])
            .arg(format!("mem={}M", memory(&trial.scene)))
            .arg(format!("seed={}", trial.seed))
            .arg(format!("initrd={}", folder.place(RAMDISK).display()))
            .arg(format!("uml_dir={}/", folder.path().display()))
            .env_clear()
            .envs(std::env::var_os("TMPDIR").map(|folder| ("TMPDIR", folder)))
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            // UML dies without a home, even when uml_dir= leaves nothing to put there.
            .env("HOME", "/")
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(stderr)
            .process_group(0);
        command.spawn().map_err(|error| TrialError::Start { program: "setarch".into(), error })
    }
}

const JOB: &str = "job.json";
const RAMDISK: &str = "agent.cpio";
/// The guest's console; kept when a trial fails.
pub const CONSOLE: &str = "console.log";

/// The guest's memory, MiB: what the packets under way and in the sockets' queues can take, and room for the kernel.
/// Only what is touched costs memory on the host.
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
    // A segment of 1,448 bytes occupies 2,304 in the kernel at each of sender and receiver.
    (256 + (under_way.saturating_add(sockets).saturating_mul(8) >> 20)).next_multiple_of(64).min(16 << 10)
}

impl Engine for Uml {
    fn admit(&self, plan: &Plan) -> Result<(), Refusal> {
        for (tool, program, package) in Tool::ALL {
            let needed = || plan.trials.iter().any(|trial| network::tools(&trial.scene).contains(&tool));
            if kernel::find_program(program).is_none() && needed() {
                return Err(Refusal::Tool { program, package });
            }
        }
        plan.kernels().into_iter().try_for_each(|name| {
            let kernel = self.kernel(name)?;
            if !kernel.is_current() {
                return Err(Refusal::Stale(kernel.names.join(", ")));
            }
            let known = &kernel.congestion_controls;
            let trials = plan.trials.iter().filter(|trial| trial.kernel == name);
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
        let mut child = self.boot(trial, folder)?;
        let stream = child.stdout.take().expect("standard output is piped");
        let guard = Guard::new(child, self.patience);
        let mut recorder = Recorder::new(folder);
        listen(stream, &mut recorder, &mut Reporter::new(folder), &guard)?;
        let hung = guard.end();
        let (facts, ending) = recorder.finish()?;
        let (log, when) = (folder.place(CONSOLE), guard.when());
        let said = || String::from_utf8_lossy(&folder.read(CONSOLE).unwrap_or_default()).into_owned();
        match (hung, ending) {
            (Some(stood), _) => return Err(TrialError::Hung { when, stood, place: console::place(&said()), log }),
            (None, None) => return Err(TrialError::Died { when, words: console::words(&said()), log }),
            (None, Some(Err(what))) => return Err(TrialError::Agent(what)),
            (None, Some(Ok(()))) => {}
        }
        verify::settings(&trial.scene, &facts)?;
        verify::conservation(&trial.scene, folder, &facts)?;
        Ok(clean(folder)?)
    }
}

/// Every congestion control that flows or routes name.
fn congestion_controls(scene: &Scene) -> impl Iterator<Item = &String> {
    let of_routes = scene.nodes.iter().filter_map(|node| match &node.role {
        Role::Host(host) => host.route.congestion.as_ref(),
        Role::Switch(_) | Role::Router(_) => None,
    });
    scene.flows.iter().filter_map(|flow| flow.tcp()?.congestion.as_ref()).chain(of_routes)
}

/// Removes what only a failed trial keeps.
fn clean(folder: &Folder) -> Result<(), FileError> {
    [JOB, RAMDISK, CONSOLE, REACHED].into_iter().try_for_each(|name| folder.remove(name))?;
    let left = folder.names()?;
    left.iter().filter(|name| folder.has_folder(name)).try_for_each(|name| folder.remove(name))
}

/// Reads frames until the stream ends.
fn listen(
    stream: ChildStdout,
    recorder: &mut Recorder,
    reporter: &mut Reporter,
    guard: &Guard,
) -> Result<(), TrialError> {
    let mut stream = BufReader::with_capacity(1 << 18, stream);
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

/// A stream that breaks off is a guest that died: its end is told by what is missing.
fn read_or_end(stream: &mut impl Read, buffer: &mut [u8]) -> bool {
    stream.read_exact(buffer).is_ok()
}
