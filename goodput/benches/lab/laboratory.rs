//! Trials, each a process of its own: `goodput trial`, as a scheduler calls it.

use crate::cpu;
use base::folder::Folder;
use lab::engine::Engine;
use lab::engine::agent::Agent;
use lab::engine::uml::{Keeping, Uml};
use lab::engine::walls::Wall;
use lab::run;
use plan::Plan;
use plan::recording::{self, TrialFacts};
use plan::run_folder::RunFolder;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const LARGE_BUFFERS: &str = r#"
"net.ipv4.tcp_rmem" = "4096 131072 104857600"
"net.ipv4.tcp_wmem" = "4096 16384 104857600"
"#;

const LARGE_BUFFERS_OF_FREEBSD: &str = r#"
"kern.ipc.maxsockbuf" = 33554432
"net.inet.tcp.sendbuf_max" = 16777216
"net.inet.tcp.recvbuf_max" = 16777216
"net.inet.tcp.reass.maxqueuelen" = 100000
"#;

/// An experiment with a flow over a bottleneck with a buffer of 1 BDP.
#[derive(Clone)]
pub struct Experiment {
    kernel: Option<&'static str>,
    path: String,
    hosts: String,
    sysctl: String,
    flow: String,
    record: String,
}

impl Experiment {
    pub fn new(rate: &str, rtt: &str, flow: &str) -> Experiment {
        let path = format!("rate = {rate:?}\nrtt = {rtt:?}\nbuffer = \"1 BDP\"");
        Experiment {
            kernel: None,
            path,
            hosts: String::new(),
            sysctl: String::new(),
            flow: flow.into(),
            record: String::new(),
        }
    }

    /// CUBIC for `seconds` of virtual time.
    pub fn bulk(rate: &str, rtt: &str, seconds: u32) -> Experiment {
        Experiment::new(rate, rtt, &format!("congestion = \"cubic\"\nduration = \"{seconds} s\""))
    }

    /// Ten single pings of `bytes`, between hosts whose devices take no time.
    pub fn pings(rate: &str, rtt: &str, bytes: u64) -> Experiment {
        let flow = format!("kind = \"ping\"\ninterval = \"3 s\"\nsize = \"{bytes} B\"\nrequests = 10");
        let experiment = Experiment::new(rate, rtt, &flow).without_line_rates();
        Experiment { path: experiment.path.replace("1 BDP", "100 packets"), ..experiment }
    }

    /// The same with hosts whose devices have no line rate, as in the native set-up.
    pub fn without_line_rates(self) -> Experiment {
        Experiment { hosts: "nic = \"unlimited\"".into(), ..self }
    }

    /// The same with hosts that send and receive in large pieces.
    pub fn with_offloads(self) -> Experiment {
        Experiment { hosts: "offloads = [\"tso\", \"gso\", \"gro\"]".into(), ..self }
    }

    /// The same with `count` such flows.
    pub fn times(self, count: u32) -> Experiment {
        let flow = format!("{}\ncount = {count}", self.flow);
        Experiment { flow, ..self }
    }

    /// The same with other keys under `[record]`.
    pub fn recorded(&self, record: &str) -> Experiment {
        Experiment { record: record.into(), ..self.clone() }
    }

    /// The same with socket buffers that are never the limit.
    pub fn with_large_buffers(self) -> Experiment {
        let sysctl = LARGE_BUFFERS.into();
        Experiment { sysctl, ..self }
    }

    /// On another kernel than the default.
    pub fn on(self, kernel: &'static str) -> Experiment {
        Experiment { kernel: Some(kernel), ..self }
    }

    /// Between hosts of FreeBSD's with buffers that are never the limit.
    pub fn of_freebsd(self) -> Experiment {
        Experiment { hosts: "stack = \"freebsd\"".into(), sysctl: LARGE_BUFFERS_OF_FREEBSD.into(), ..self }
    }

    /// Runs its one trial.
    pub fn run(&self) -> Result<Trial, String> {
        let before = cpu::of_children();
        let running = self.start(&[])?;
        let began = running.began;
        let folder = running.end()?;
        Ok(Trial { folder, wall: began.elapsed().as_secs_f64(), cpu: cpu::of_children() - before })
    }

    /// Runs its one trial; returns it with the instructions that its processes took in user space, if this machine has a
    /// counter of them and `perf` may read it.
    pub fn instructions(&self) -> Result<(Trial, f64), String> {
        let counted = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
        let file = counted.path().to_string_lossy();
        let running = self.start(&["perf", "stat", "-x,", "-e", "instructions:u", "-o", &file])?;
        let began = running.began;
        let folder = running.end()?;
        let trial = Trial { folder, wall: began.elapsed().as_secs_f64(), cpu: 0.0 };
        let text = fs::read_to_string(counted.path()).map_err(|e| e.to_string())?;
        let line = text.lines().find(|line| line.contains("instructions"));
        let count = line.and_then(|line| line.split(',').next()?.parse().ok());
        Ok((trial, count.ok_or("this machine counts no instructions")?))
    }

    /// Runs its one trial; returns the most memory that its processes had together, bytes.
    pub fn peak_memory(&self) -> Result<u64, String> {
        let mut running = self.start(&[])?;
        let mut peak = 0;
        while running.child.try_wait().map_err(|e| e.to_string())?.is_none() {
            peak = peak.max(memory_of_tree(running.child.id()));
            thread::sleep(Duration::from_millis(20));
        }
        running.end()?;
        Ok(peak)
    }

    /// Records its one trial within this process, but for the walls given; seconds, and seconds of its guest's processor time.
    pub fn record_without(&self, walls: &[Wall]) -> Result<[f64; 2], String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let plan = self.plan(&folder)?;
        let trial = &plan.trials[0];
        let program = Path::new(env!("CARGO_BIN_EXE_goodput"));
        let agent = Agent::read(program.with_file_name("goodput-agent")).map_err(|e| e.to_string())?;
        let kernel = run::kernel(&trial.kernel).map_err(|e| e.to_string())?;
        let keeping = Keeping { without: walls.to_vec(), ..Keeping::default() };
        let laboratory = Uml::new(vec![kernel], agent).with_program(program).with_keeping(keeping);
        let out = Folder::open(folder.path()).map_err(|e| e.to_string())?;
        let (began, before) = (Instant::now(), cpu::of_children());
        laboratory.record(trial, &out).map_err(|e| e.to_string())?;
        Ok([began.elapsed().as_secs_f64(), cpu::of_children() - before])
    }

    fn plan(&self, folder: &TempDir) -> Result<Plan, String> {
        let spec = folder.path().join("bench.toml");
        let Experiment { kernel, path, hosts, sysctl, flow, record } = self;
        let kernel = kernel.map(|name| format!("kernel = \"{name}\"")).unwrap_or_default();
        let text = format!(
            "title = \"bench\"\n{kernel}\n[path]\n{path}\n[hosts]\n{hosts}\n[hosts.sysctl]\n{sysctl}\n[[flows]]\n{flow}\n[record]\n{record}\n"
        );
        fs::write(&spec, text).map_err(|e| e.to_string())?;
        run::plan(&spec, None, None, run::Files::Beside).map_err(|e| e.to_string())
    }

    /// A process for its trial, under a program that runs another if one is given.
    fn start(&self, under: &[&str]) -> Result<Running, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let plan = self.plan(&folder)?;
        let run = RunFolder::open(&folder.path().join("run"), &plan).map_err(|e| e.to_string())?;
        let goodput = env!("CARGO_BIN_EXE_goodput");
        let words: Vec<&str> = under.iter().copied().chain([goodput]).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg("trial").arg(run.file(plan::run_folder::PLAN)).arg("0");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let began = Instant::now();
        let child = command.spawn().map_err(|e| format!("{}: {e}", words[0]))?;
        Ok(Running { folder, run, child, began })
    }
}

struct Running {
    folder: TempDir,
    run: RunFolder,
    child: Child,
    began: Instant,
}

impl Running {
    fn end(self) -> Result<Recorded, String> {
        let output = self.child.wait_with_output().map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().into());
        }
        let trial = self.run.trial(0).map_err(|e| e.to_string())?;
        Ok(Recorded { _temporary: self.folder, trial })
    }
}

/// A trial's folder, as long as it is held.
struct Recorded {
    _temporary: TempDir,
    trial: Folder,
}

/// A finished trial.
pub struct Trial {
    folder: Recorded,
    /// Seconds from the start of its process to its end.
    pub wall: f64,
    /// Seconds of processor time, of all its processes.
    pub cpu: f64,
}

impl Trial {
    pub fn folder(&self) -> &Folder {
        &self.folder.trial
    }

    pub fn facts(&self) -> Result<TrialFacts, String> {
        recording::facts(self.folder()).map_err(|e| e.to_string())
    }

    /// Data packets that reached the receiver, together with the few of the handshake.
    pub fn packets(&self) -> Result<f64, String> {
        let facts = self.facts()?;
        let nic = facts.devices.iter().find(|d| d.namespace == "receiver" && d.device == "nic");
        nic.map(|device| device.rx_packets as f64).ok_or_else(|| "the receiver has no device".into())
    }
}

/// Memory of a process and its descendants, bytes: pages that several share count once (Pss).
fn memory_of_tree(root: u32) -> u64 {
    let parents = parents();
    let in_tree = |pid: &u32| {
        std::iter::successors(Some(*pid), |pid| parents.get(pid).copied()).take(64).any(|ancestor| ancestor == root)
    };
    parents.keys().filter(|pid| in_tree(pid)).map(|pid| proportional_memory(*pid)).sum()
}

fn parents() -> HashMap<u32, u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter_map(with_parent).collect()
}

fn with_parent(pid: u32) -> Option<(u32, u32)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?;
    Some((pid, parent.parse().ok()?))
}

fn proportional_memory(pid: u32) -> u64 {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = pss.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
