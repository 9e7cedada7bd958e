//! Output of real programs on a path: iperf3, ss, ping, sysctl and tcpdump, run in the guest.

use crate::counted::{Counted, Transfer};
use crate::kept;
use crate::paths::{Middle, Path};
use plan::recording;
use plan::run_folder::RunFolder;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Output as files that a user could have saved, and the laboratory's counters.
pub struct Recorded {
    /// ping, and iperf3's text.
    pub text: PathBuf,
    /// ping, and `iperf3 -J`.
    pub json: PathBuf,
    /// Settings of the sender, and `ss -tinm` there every second.
    pub ss: PathBuf,
    /// At the sender.
    pub capture: PathBuf,
    /// Settings of the receiver.
    pub receiver: PathBuf,
    /// Counters of the laboratory and of the sender's kernel.
    pub counted: Counted,
}

/// When iperf3 starts, seconds; ping is over by then.
const IPERF3_START_S: f64 = 2.0;
/// Longest trial, seconds; a longer one hangs.
const MAX_TRIAL_S: u32 = 400;
/// Bytes of base64 of a capture that one command prints, since the lab keeps 1 MiB of output each, and the largest
/// number of such commands.
const PART_BYTES: usize = 1_000_000;
const MAX_PARTS: usize = 8;

const SETTINGS: &str = "sysctl net.ipv4.tcp_rmem net.ipv4.tcp_wmem net.ipv4.tcp_congestion_control \
                        net.ipv4.tcp_window_scaling net.ipv4.tcp_mtu_probing net.ipv4.tcp_ecn";

/// A command, the host that it runs on, and when.
struct Step {
    host: usize,
    at: f64,
    background: bool,
    line: String,
}

/// Role of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Settings(usize),
    Ping,
    Client,
    Server,
    Watch,
    Dump,
    Part(usize),
}

/// Commands of a run, those of the sender first: an output has the number of its command.
struct Script(Vec<(Role, Step)>);

impl Script {
    /// Script with iperf3's text alone, or with `-J` and all other programs.
    fn of(path: &Path, whole: bool) -> Script {
        let (client, server) = if path.reverse { (1, 0) } else { (0, 1) };
        let to = |host: usize| path.address(1 - host);
        let mut steps = vec![];
        let mut add =
            |role, host, at, background, line: String| steps.push((role, Step { host, at, background, line }));
        add(Role::Settings(0), 0, 0.0, false, SETTINGS.into());
        add(Role::Settings(1), 1, 0.0, false, SETTINGS.into());
        add(Role::Ping, client, 0.1, false, format!("ping -c 5 -i 0.2 {} || true", to(client)));
        add(Role::Server, server, 0.0, true, path.server.clone().unwrap_or_else(|| "iperf3 -s".into()));
        let patience = path.seconds + 60;
        let command = path.command(whole);
        add(Role::Client, client, IPERF3_START_S, false, format!("timeout {patience} {command} || true"));
        if whole {
            add(Role::Watch, 0, IPERF3_START_S - 0.05, true, path.watch());
            let end = path.seconds + 3;
            let dump = format!(
                "timeout -s INT {end} tcpdump -i nic -s 96 -w /tmp/c tcp 2>/dev/null; xz -6 < /tmp/c | base64 -w 0 > /tmp/b"
            );
            add(Role::Dump, 0, IPERF3_START_S - 0.1, false, dump);
            for part in 0..MAX_PARTS {
                let cut = format!("tail -c +{} /tmp/b | head -c {PART_BYTES}", part * PART_BYTES + 1);
                add(Role::Part(part), 0, IPERF3_START_S + f64::from(path.seconds) + 80.0, false, cut);
            }
        }
        steps.sort_by_key(|(_, step)| step.host);
        Script(steps)
    }

    fn lines(&self, host: usize) -> String {
        let of = |step: &Step| {
            let line = serde_json::Value::from(step.line.as_str());
            let background = if step.background { ", background = true" } else { "" };
            format!("    {{ at = \"{:.0} ms\", command = {line}{background} }},\n", 1e3 * step.at)
        };
        let all: String = self.0.iter().filter(|(_, step)| step.host == host).map(|(_, step)| of(step)).collect();
        format!("run = [\n{all}]\n")
    }
}

impl Path {
    fn address(&self, host: usize) -> &'static str {
        match (host, self.middle) {
            (0, _) => "10.0.0.1",
            (_, Middle::Link) => "10.0.0.2",
            (_, Middle::Merging) => "10.0.1.1",
            (_, Middle::Hole(_)) => "10.0.2.1",
        }
    }

    /// Command line as a user types it.
    fn command(&self, json: bool) -> String {
        let to = self.address(usize::from(!self.reverse));
        let time = if self.client.contains(" -n ") { String::new() } else { format!(" -t {}", self.seconds) };
        let reverse = if self.reverse { " -R" } else { "" };
        let port = if self.beside.is_empty() { "" } else { " -p 5301" };
        format!("iperf3 -c {to}{port}{}{reverse}{time}{}", self.client, if json { " -J" } else { "" })
    }

    fn watch(&self) -> String {
        format!("while :; do ss -tinm dst {}; sleep 1; done", self.address(1))
    }

    /// The experiment.
    fn experiment(&self, script: &Script) -> String {
        let (rate, rtt) = (self.rate, self.rtt);
        let keys: String = self.line.iter().map(|key| format!("{key}\n")).collect();
        let network = match self.middle {
            Middle::Link => {
                format!(
                    "[path]\nrate = \"{rate:.3} Mbit/s\"\nrtt = \"{rtt:.3} ms\"\nbuffer = \"{}\"\n{keys}",
                    self.buffer
                )
            }
            Middle::Hole(mtu) => format!(
                "[routers.silent]\nicmp = false\n[routers.far]\n[[links]]\nbetween = [\"sender\", \"silent\"]\nrate = \"1 Gbit/s\"\n\
                 buffer = \"200 packets\"\n[[links]]\nbetween = [\"silent\", \"far\"]\nrate = \"{rate:.3} Mbit/s\"\ndelay = \"{:.3} ms\"\n\
                 mtu = \"{mtu} B\"\nbuffer = \"{}\"\n{keys}[[links]]\nbetween = [\"far\", \"receiver\"]\nrate = \"1 Gbit/s\"\n\
                 buffer = \"200 packets\"\n",
                rtt / 2.0,
                self.buffer
            ),
            Middle::Merging => format!(
                "[routers.gateway]\noffloads = [\"lro\"]\ncoalesce = \"500 us\"\n[[links]]\nbetween = [\"sender\", \"gateway\"]\n\
                 rate = \"{rate:.3} Mbit/s\"\ndelay = \"{:.3} ms\"\nbuffer = \"1 MB\"\n[[links]]\nbetween = [\"gateway\", \"receiver\"]\n\
                 rate = \"1 Gbit/s\"\nbuffer = \"1 MB\"\n",
                rtt / 2.0
            ),
        };
        let host = |number: usize, name: &str| {
            let keys: String = self.hosts[number].iter().map(|key| format!("{key}\n")).collect();
            format!("[hosts.{name}]\n{keys}{}", script.lines(number))
        };
        format!(
            "title = \"{}\"\n{network}{}{}{}[record]\ninterval = \"20 ms\"\n",
            self.name,
            host(0, "sender"),
            host(1, "receiver"),
            self.beside
        )
    }
}

/// Whether a path was recorded before, by this experiment or one like it.
pub fn is_recorded(path: &Path) -> bool {
    let kept = fs::read_dir(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("real"));
    let own = format!("{}.all-", path.name);
    let is_own = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(&own);
    kept.is_ok_and(|kept| kept.flatten().filter(is_own).any(|entry| entry.path().join("evidence/sender.pcap").exists()))
}

/// Records a path, or returns its earlier recording.
pub fn record(path: &Path) -> Result<Recorded, String> {
    let (short, whole) = (Script::of(path, false), Script::of(path, true));
    let specs = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("real");
    fs::create_dir_all(&specs).map_err(|e| e.to_string())?;
    let run = |script: &Script, kind: &str| {
        let name = format!("{}.{kind}", path.name);
        let spec = specs.join(format!("{name}.toml"));
        fs::write(&spec, path.experiment(script)).map_err(|e| format!("{}: {e}", spec.display()))?;
        // A finished recording needs no kernel.
        let known = RunFolder::existing(&kept::folder("real", &name, &spec)?).ok().filter(|run| run.is_finished(0));
        known.map_or_else(|| kept::run("real", &name, &spec, MAX_TRIAL_S), Ok)
    };
    let (text, all) = (run(&short, "text")?, run(&whole, "all")?);
    let (of_text, of_all) = (Outputs::of(&text, &short)?, Outputs::of(&all, &whole)?);
    let folder = all.path().join("evidence");
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let keep = |name: &str, content: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, content).map_err(|e| format!("{}: {e}", file.display())).map(|()| file)
    };
    let ping = |outputs: &Outputs| {
        format!("$ ping -c 5 {}\n{}\n", path.address(usize::from(!path.reverse)), outputs.get(Role::Ping))
    };
    let with =
        |outputs: &Outputs, json| format!("{}$ {}\n{}", ping(outputs), path.command(json), outputs.get(Role::Client));
    let settings = |host| format!("$ {SETTINGS}\n{}", of_all.get(Role::Settings(host)));
    let watched = of_all.get(Role::Watch);
    let (trial, series) = series(&all)?;
    let transfer =
        Transfer { start: IPERF3_START_S, seconds: path.seconds.into(), rate: path.rate * 1e6, down: path.down };
    Ok(Recorded {
        text: keep("iperf3.txt", with(&of_text, false).as_bytes())?,
        json: keep("iperf3.json", with(&of_all, true).as_bytes())?,
        ss: keep("ss.txt", format!("{}$ {}\n{watched}", settings(0), path.watch()).as_bytes())?,
        receiver: keep("receiver.txt", settings(1).as_bytes())?,
        capture: keep("sender.pcap", &unpacked(&of_all)?)?,
        counted: Counted::of(&trial.scene, &series, transfer, watched),
    })
}

/// Output of a run's commands.
struct Outputs<'s> {
    script: &'s Script,
    printed: Vec<String>,
}

impl<'s> Outputs<'s> {
    fn of(run: &RunFolder, script: &'s Script) -> Result<Outputs<'s>, String> {
        let folder = run.trial(0).map_err(|e| e.to_string())?;
        let facts = recording::facts(&folder).map_err(|e| e.to_string())?;
        let mut printed = vec![String::new(); script.0.len()];
        for ran in facts.ran {
            if let Some(output) = printed.get_mut(ran.command as usize) {
                *output = ran.output;
            }
        }
        Ok(Outputs { script, printed })
    }

    fn get(&self, role: Role) -> &str {
        let at = self.script.0.iter().position(|(own, _)| *own == role);
        at.map_or("", |at| &self.printed[at])
    }
}

/// The capture, of its parts.
fn unpacked(outputs: &Outputs) -> Result<Vec<u8>, String> {
    let text: String = (0..MAX_PARTS).map(|part| outputs.get(Role::Part(part))).collect();
    let mut child = Command::new("sh")
        .args(["-c", "base64 -d | xz -dc"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("base64, xz: {e}"))?;
    let mut input = child.stdin.take().ok_or("no pipe")?;
    let feed = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    feed.join().map_err(|_| "no pipe")?.map_err(|e| e.to_string())?;
    if output.stdout.is_empty() { Err("tcpdump captured nothing".into()) } else { Ok(output.stdout) }
}

/// Recorded series of the bottleneck's queue and stages.
fn series(run: &RunFolder) -> Result<(plan::Trial, analysis::Series), String> {
    let plan = run.plan().map_err(|e| e.to_string())?;
    let trial = plan.trials.first().cloned().ok_or("no trial")?;
    let folder = run.trial(0).map_err(|e| e.to_string())?;
    let series = analysis::series(&trial.scene, &folder).map_err(|e| e.to_string())?;
    Ok((trial, series))
}
