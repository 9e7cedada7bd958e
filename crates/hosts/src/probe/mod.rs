//! Probes two hosts into a folder of evidence: their facts, their paths, and a transfer each way.

pub(crate) mod iperf;
pub(crate) mod pair;
pub mod watch;

use crate::login::agent::Load;
use crate::login::controls::Controls;
use crate::login::reach::{self, mtu_script, ping_script, pinged};
use crate::login::{FieldError, Reason, Scope, Shell, Target, collect};
use analysis::sources::{PROBE, Probe, Transfer};
use base::folder::Folder;
use base::show;
use evidence::plain;
pub use pair::{Ends, Tool};
use pair::{Pair, both};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

/// A request to probe two hosts.
#[derive(Debug, Clone)]
pub struct ProbeRequest {
    /// Hosts; the one that connects sends first.
    pub ends: Ends,
    /// Load of each transfer.
    pub load: Load,
    /// Length of each transfer that was asked for; the budget may allow less.
    pub time: Duration,
    /// Folder for the evidence.
    pub out: PathBuf,
}

/// Probes two hosts into the folder, and reports its progress. On an error the folder is removed if it is empty.
pub fn probe(request: &ProbeRequest, tell: &(dyn Fn(&str) + Sync)) -> Result<Probe, FieldError> {
    let folder = made(&request.out)?;
    probe_into(&folder, request, tell).inspect_err(|_| drop(fs::remove_dir(&request.out)))
}

/// Makes one transfer, from the connecting host or to it, and returns what `iperf3 -J` would print.
pub fn transfer(ends: &Ends, load: &Load, forward: bool) -> Result<String, FieldError> {
    Ok(Pair::open(ends, &|_| ())?.transfer(forward, load)?.0)
}

fn probe_into(folder: &Folder, request: &ProbeRequest, tell: &(dyn Fn(&str) + Sync)) -> Result<Probe, FieldError> {
    let mut pair = Pair::open(&request.ends, tell)?;
    if let Some(name) = &request.load.congestion {
        for shell in &pair.shells {
            if let Some(said) = Controls::query(shell)?.lacks(name) {
                let (target, doing) = (shell.target().clone(), format!("--congestion {name}"));
                return Err(FieldError::Refused { target, doing, said: Reason::Own(said) });
            }
        }
    }
    let [from, host] = request.ends.names();
    let ends = [pair.listening.ip(), pair.seen];
    tell("reading the settings, devices and routes of both hosts");
    let [of_from, of_host] = both(&pair.shells, |n, shell| collect(shell, Some(ends[n]), Scope::Facts));
    let facts = ["from.txt", "host.txt"].map(str::to_owned);
    write(folder, &facts[0], &of_from?)?;
    write(folder, &facts[1], &of_host?)?;
    let transfer = |n: usize, name: &str| {
        let [mut between, mut facts] = [[from.clone(), host.clone()], facts.clone()];
        if n == 1 {
            between.reverse();
            facts.reverse();
        }
        let [sender, receiver] = facts.map(Some);
        Transfer { name: name.into(), between, files: vec![], sender, receiver, lacks: Some(UNMEASURED.into()) }
    };
    let transfers = ["upload", "download"].into_iter().enumerate().map(|(n, name)| transfer(n, name)).collect();
    // Whatever ends the probe from here on, the folder can be read.
    let mut probe = Probe { goodput: env!("CARGO_PKG_VERSION").into(), transfers };
    keep(folder, &probe)?;
    tell(&format!("{} pings each way, then the path MTU each way", reach::PINGS));
    let pings = both(&pair.shells, |n, shell| pinged(shell, &ping_script(ends[n])));
    let sizes = both(&pair.shells, |n, shell| pinged(shell, &mtu_script(ends[n])));
    let names = ["from", "host"];
    for (kind, texts) in [("ping", pings), ("mtu", sizes)] {
        for (n, text) in texts.into_iter().enumerate() {
            let (name, text) = (format!("{kind}-{}.txt", names[n]), text?);
            write(folder, &name, &text)?;
            // A host that answers no ping shows nothing of the path.
            if text.contains(" bytes from ") {
                probe.transfers[n].files.push(name);
            }
        }
    }
    keep(folder, &probe)?;
    for n in 0..probe.transfers.len() {
        let own = &mut probe.transfers[n];
        let [sender, receiver] = &own.between;
        tell(&format!("{}: {sender} to {receiver} for {} s", own.name, request.load.time.as_secs_f64()));
        let (document, screens) = pair.transfer(n == 0, &request.load)?;
        let mut files = vec![format!("{}.json", own.name)];
        write(folder, &files[0], &document)?;
        if !screens.trim().is_empty() {
            files.push(format!("{}-ss.txt", own.name));
            write(folder, &files[1], &screens)?;
        }
        files.append(&mut own.files);
        (own.files, own.lacks) = (files, cut(&document, request));
        keep(folder, &probe)?;
    }
    Ok(probe)
}

/// Sentence about a transfer until it is over.
const UNMEASURED: &str = "The probe ended before this transfer was over: only what was read before it is here.";

fn keep(folder: &Folder, probe: &Probe) -> Result<(), FieldError> {
    let text = serde_json::to_string_pretty(probe).expect("plain data") + "\n";
    folder.write_whole(PROBE, text).map_err(|refused| here(&folder.place(PROBE))(refused.error))
}

/// Says that the budget ended a transfer before the time that was asked for.
fn cut(document: &str, request: &ProbeRequest) -> Option<String> {
    let document: serde_json::Value = serde_json::from_str(document).ok()?;
    let sent = &document["end"]["sum_sent"];
    let (bytes, seconds) = (sent["bytes"].as_u64()?, sent["seconds"].as_f64()?);
    let asked = show::time(request.time.as_secs_f64());
    if bytes >= request.load.bytes {
        return Some(format!(
            "It ended after {} of {asked}, when it had sent {}, its half of the budget. --budget gives it more.",
            show::time(seconds),
            show::bytes(bytes as f64)
        ));
    }
    let allowed = show::time(request.load.time.as_secs_f64());
    (request.load.time < request.time)
        .then(|| format!("It lasted {allowed}, its half of the budget, and not {asked}. --budget gives it more."))
}

fn here(path: &Path) -> impl FnOnce(io::Error) -> FieldError {
    let what = plain::path(path);
    move |error| FieldError::Here { what, error }
}

fn made(out: &Path) -> Result<Folder, FieldError> {
    fs::create_dir_all(out).map_err(here(out))?;
    if fs::read_dir(out).map_err(here(out))?.next().is_some() {
        let error = io::Error::other("it is not empty\n\nhint: choose another folder with --out");
        return Err(here(out)(error));
    }
    Folder::open(out).map_err(|refused| here(out)(refused.error))
}

/// Writes what a host printed, as text that a terminal may show.
fn write(folder: &Folder, name: &str, text: &str) -> Result<(), FieldError> {
    folder.write(name, plain::text(text).as_bytes()).map_err(|refused| here(&folder.place(name))(refused.error))
}

/// Returns the steps of a probe in order, each with the host that runs it.
pub fn dry_run(request: &ProbeRequest) -> Vec<(String, String)> {
    let ends = &request.ends;
    let [from, host] = ends.names();
    let shown = |target: &Target, words: &[&str]| ("here".to_owned(), Shell::shown(target, words));
    let addresses = [ends.address.map_or("HOST".into(), |address| address.to_string()), "FROM".to_owned()];
    let placed = |script: String, end: &str| script.replace("192.0.2.1", end);
    let example = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    let load = &request.load;
    let mut steps = vec![shown(&ends.from, &["sh", "-s"]), shown(&ends.host, &["sh", "-s"])];
    for (n, name) in [&from, &host].into_iter().enumerate() {
        steps.push((name.clone(), "take the lock, and make a folder for programs; both go when goodput ends".into()));
        let target = [&ends.from, &ends.host][n];
        if ends.tool == Tool::Iperf3 {
            continue;
        }
        let own = if target.shares_files() { "goodput" } else { "FOLDER/goodput" };
        if !target.shares_files() {
            steps.push((name.clone(), "tee FOLDER/goodput (a copy of this program)".into()));
        }
        steps.push((name.clone(), format!("{own} field agent")));
    }
    for (n, name) in [&from, &host].into_iter().enumerate() {
        steps.push((name.clone(), "the script of `goodput field collect`, without live connections".into()));
        steps.push((name.clone(), placed(ping_script(example), &addresses[n])));
        steps.push((name.clone(), placed(mtu_script(example), &addresses[n])));
    }
    let about = |a: &str, b: &str| {
        format!("TCP port {}: {a} to {b}, {} s or {} bytes", ends.port, load.time.as_secs_f64(), load.bytes)
    };
    for (forward, said) in [(true, about(&from, &host)), (false, about(&host, &from))] {
        match ends.tool {
            Tool::Any | Tool::Agent => steps.push((from.clone(), said)),
            Tool::Iperf3 => {
                let listening = SocketAddr::new(ends.address.unwrap_or(example), ends.port);
                let [server, client] =
                    iperf::shown(listening, forward, load).map(|command| placed(command, &addresses[0]));
                steps.extend([(host.clone(), server), (from.clone(), client)]);
            }
        }
    }
    steps
}
