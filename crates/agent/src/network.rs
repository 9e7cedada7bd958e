//! Builds the namespaces, links and queues of a job, and reads every setting back.

use crate::sys::Offload;
use crate::{lab, sys, tool};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use wire::{Device, Inside, Job, Message, Readback, Step, Tool};

/// Makes the whole network, from the machine's settings to the samplers and tracepoints.
pub fn build(job: &Job) -> Result<(), String> {
    let mut readbacks = vec![];
    for (name, value) in &job.machine {
        readbacks.push(sysctl("machine", name, value)?);
    }
    for namespace in &job.namespaces {
        sys::make_namespace(namespace)?;
    }
    for (number, inside) in job.inside.iter().enumerate() {
        let mut furnisher = Furnisher { place: &inside.namespace, readbacks: &mut readbacks };
        let later = job.inside[number + 1..].iter().any(|i| i.namespace == inside.namespace && last_tc(i).is_some());
        sys::in_namespace(&inside.namespace, || furnisher.furnish(inside, last_tc(inside).filter(|_| !later)))??;
    }
    lab::tell(&Message::Readbacks(readbacks));
    if let Some(first) = job.flows.first() {
        lab::control(&format!("flows {} {}", first.port, job.flows.len()))?;
    }
    for (number, queue) in job.queues.iter().enumerate() {
        let command = format!("queue {number} {} {}", queue.device, queue.hook);
        sys::in_namespace(&queue.namespace, || lab::control(&command))??;
    }
    for (wanted, what) in [(job.acks, "acks"), (job.drops, "drops")] {
        if wanted {
            lab::control(&format!("trace {what}"))?;
        }
    }
    if job.acks && job.has_freebsd() {
        lab::freebsd("acks").map_err(|e| format!("FreeBSD's stack does not trace ACKs: {e}"))?;
    }
    Ok(())
}

fn last_tc(inside: &Inside) -> Option<usize> {
    inside.steps.iter().rposition(|step| matches!(step, Step::Run(Tool::Tc, _)))
}

/// Sets up one namespace, on a thread inside it.
struct Furnisher<'a> {
    place: &'a str,
    readbacks: &'a mut Vec<Readback>,
}

impl Furnisher<'_> {
    /// Does the namespace's settings and steps. All qdiscs exist after the step `complete`.
    fn furnish(&mut self, inside: &Inside, complete: Option<usize>) -> Result<(), String> {
        for (name, value) in &inside.sysctls {
            self.readbacks.push(sysctl(self.place, name, value)?);
        }
        for (number, step) in inside.steps.iter().enumerate() {
            let taken = match step {
                Step::Run(Tool::Tc, lines) if complete == Some(number) => self.complete_qdiscs(lines),
                step => self.take(step),
            };
            taken.map_err(|what| format!("{}: {what}", self.place))?;
        }
        Ok(())
    }

    fn complete_qdiscs(&self, lines: &[String]) -> Result<(), String> {
        let output = tool::run(Tool::Tc, &[lines, &["qdisc show".into()]].concat())?;
        lab::tell(&Message::Qdiscs { namespace: self.place.into(), output });
        Ok(())
    }

    fn take(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Run(tool, lines) => tool::run(*tool, lines).map(drop),
            Step::Offloads { device, tso, gso, gro } => {
                let all = [(Offload::Tso, "tso", *tso), (Offload::Gso, "gso", *gso), (Offload::Gro, "gro", *gro)];
                all.into_iter().try_for_each(|(offload, name, on)| self.offload(device, offload, name, on))
            }
            Step::Polled { device, gro_flush_timeout, napi_defer_hard_irqs } => {
                self.poll(device, *gro_flush_timeout, *napi_defer_hard_irqs)
            }
            Step::Module(command) => lab::control(command),
            Step::Course(course) => lab::follow(course),
            Step::Setting(name, value) => sysctl(self.place, name, value).map(|readback| self.readbacks.push(readback)),
            Step::FreeBsd(commands) => commands.iter().try_for_each(|command| self.freebsd(command)),
            Step::File(path, text) => write(path, text).map_err(|e| format!("cannot write {path}: {e}")),
            Step::Pppoe { device, session, peer } => {
                sys::begin_pppoe(device, *session, peer).map_err(|e| format!("cannot begin PPPoE over {device}: {e}"))
            }
            Step::Tun { device } => sys::make_tun(device).map_err(|e| format!("cannot make {device}: {e}")),
            Step::EspInUdp { port, ipv6 } => {
                let family = if *ipv6 { sys::Family::V6 } else { sys::Family::V4 };
                sys::Socket::esp_in_udp(family, *port).map_err(|e| format!("cannot take ESP on UDP port {port}: {e}"))
            }
        }
    }

    fn offload(&mut self, device: &str, offload: Offload, name: &str, on: bool) -> Result<(), String> {
        let word = |on| if on { "on" } else { "off" }.to_string();
        let got = sys::set_offload(device, offload, on)
            .map_err(|e| format!("cannot turn {name} of {device} {}: {e}", word(on)))?;
        self.readbacks.push(Readback {
            place: self.place.into(),
            setting: format!("{device} {name}"),
            asked: word(on),
            got: word(got),
        });
        Ok(())
    }

    /// Gives FreeBSD's stack a command, and reads a sysctl back.
    fn freebsd(&mut self, command: &str) -> Result<(), String> {
        let setting = command.strip_prefix("sysctl ").and_then(|setting| setting.split_once(' '));
        let got = lab::freebsd(command).map_err(|e| match (setting, e.kind()) {
            (Some((name, _)), ErrorKind::NotFound) => {
                format!("FreeBSD's stack has no {name}\n\nhint: correct the name; sysctl -a of FreeBSD lists them")
            }
            (Some((name, _)), ErrorKind::PermissionDenied) => format!("FreeBSD's {name} cannot be changed"),
            (Some((name, value)), _) => format!("cannot set FreeBSD's {name} to \"{value}\": {e}"),
            (None, _) => format!("FreeBSD's stack refused `{command}`: {e}"),
        })?;
        self.readbacks.extend(setting.map(|(name, asked)| Readback {
            place: self.place.into(),
            setting: name.into(),
            asked: asked.into(),
            got,
        }));
        Ok(())
    }

    fn poll(&mut self, device: &str, timeout: u32, defer: u32) -> Result<(), String> {
        let instances = sys::set_polling(device, timeout, defer)
            .map_err(|e| format!("cannot set gro_flush_timeout of {device}, which takes Linux 6.13 or later: {e}"))?;
        if instances.is_empty() {
            return Err(format!("{device} has no NAPI instance"));
        }
        for got in instances {
            let asked = [timeout.into(), defer.into()];
            self.readbacks.extend(["gro_flush_timeout", "napi_defer_hard_irqs"].iter().zip(asked).zip(got).map(
                |((name, asked), got): ((&&str, u64), u64)| Readback {
                    place: self.place.into(),
                    setting: format!("{device} {name}"),
                    asked: asked.to_string(),
                    got: got.to_string(),
                },
            ));
        }
        Ok(())
    }
}

/// Writes a file that only the agent and its tools may read, since it may contain a key.
fn write(path: &str, text: &str) -> Result<(), std::io::Error> {
    if let Some(folder) = Path::new(path).parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// Writes a setting in the thread's namespace and reads it back. A setting that exists once for the whole machine, such
/// as net.core.rmem_max, is written in the first namespace.
fn sysctl(place: &str, name: &str, value: &str) -> Result<Readback, String> {
    let path = format!("/proc/sys/{}", name.replace('.', "/"));
    let write_and_read = || fs::write(&path, value).and_then(|()| fs::read_to_string(&path));
    let (place, got) = match write_and_read() {
        Err(e) if matches!(e.kind(), ErrorKind::PermissionDenied | ErrorKind::NotFound) => {
            match sys::outside_namespaces(write_and_read)? {
                Ok(got) => ("machine", Ok(got)),
                refused => (place, refused),
            }
        }
        other => (place, other),
    };
    let got = got.map_err(|e| match e.kind() {
        ErrorKind::NotFound => lacking(place, name),
        _ => format!("{place}: cannot set {name} to \"{value}\": {e}"),
    })?;
    Ok(Readback {
        place: place.into(),
        setting: name.into(),
        asked: value.into(),
        got: got.split_whitespace().collect::<Vec<_>>().join(" "),
    })
}

/// Sysctls that Linux 6.1 lacks, and the version that brought them (net/ipv4/sysctl_net_ipv4.c).
const NEW_SYSCTLS: [(&str, &str); 7] = [
    ("net.ipv4.tcp_backlog_ack_defer", "6.7"),
    ("net.ipv4.tcp_pingpong_thresh", "6.7"),
    ("net.ipv4.tcp_plb_enabled", "6.2"),
    ("net.ipv4.tcp_rto_max_ms", "6.15"),
    ("net.ipv4.tcp_rto_min_us", "6.11"),
    ("net.ipv4.tcp_syn_linear_timeouts", "6.5"),
    ("net.ipv4.tcp_tw_reuse_delay", "6.14"),
];

/// Error message that this kernel lacks a sysctl.
fn lacking(place: &str, name: &str) -> String {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let since = NEW_SYSCTLS.iter().find(|(known, _)| *known == name);
    let since = since.map_or(String::new(), |(_, version)| format!("; it was added in Linux {version}"));
    format!(
        "{place}: Linux {} has no {name}{since}\n\nhint: correct the name, or use a kernel that has it",
        release.trim()
    )
}

/// Sends the host nft's counters of each namespace where it filters.
pub fn counters(job: &Job) -> Result<(), String> {
    for namespace in job.namespaces.iter().filter(|namespace| filters(job, namespace)) {
        let output = sys::in_namespace(namespace, tool::counters)?.map_err(|what| format!("{namespace}: {what}"))?;
        lab::tell(&Message::Counters { namespace: namespace.clone(), output });
    }
    Ok(())
}

fn filters(job: &Job, namespace: &str) -> bool {
    let mut inside = job.inside.iter().filter(|inside| inside.namespace == namespace).flat_map(|inside| &inside.steps);
    inside.any(|step| matches!(step, Step::Run(Tool::Nft, _)))
}

/// Reads the counters of every device in every namespace.
pub fn devices(job: &Job) -> Result<Vec<Device>, String> {
    let mut all = vec![];
    for namespace in &job.namespaces {
        let table = sys::in_namespace(namespace, || fs::read_to_string("/proc/thread-self/net/dev"))?;
        let table = table.map_err(|e| format!("{namespace}: cannot read /proc/net/dev: {e}"))?;
        all.extend(table.lines().skip(2).filter_map(|line| device(namespace, line)));
    }
    Ok(all)
}

/// Reads a line of /proc/net/dev: name, then 8 counters of reception and 8 of transmission.
fn device(namespace: &str, line: &str) -> Option<Device> {
    let (name, counters) = line.split_once(':')?;
    let n: Vec<u64> = counters.split_whitespace().filter_map(|n| n.parse().ok()).collect();
    Some(Device {
        namespace: namespace.into(),
        device: name.trim().into(),
        rx_packets: *n.get(1)?,
        rx_dropped: *n.get(3)?,
        tx_packets: *n.get(9)?,
        tx_dropped: *n.get(11)?,
    })
    .filter(|d| d.device != "lo")
}
