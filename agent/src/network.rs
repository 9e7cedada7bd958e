//! Builds the namespaces, links and queues of a job, and reads every setting back.

use crate::{lab, sys};
use std::fs;
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};
use wire::{Device, Inside, Job, Message, Readback};

/// Makes the whole network, from the machine's settings to what is sampled and traced.
pub fn build(job: &Job) -> Result<(), String> {
    let mut readbacks = vec![];
    for (name, value) in &job.machine {
        readbacks.push(sysctl("machine", name, value)?);
    }
    for namespace in &job.namespaces {
        sys::make_namespace(namespace)?;
    }
    for inside in &job.inside {
        readbacks.extend(sys::in_namespace(&inside.namespace, || furnish(inside))??);
    }
    lab::tell(&Message::Readbacks(readbacks));
    for (number, queue) in job.queues.iter().enumerate() {
        let command = format!("queue {number} {} {}", queue.device, queue.hook);
        sys::in_namespace(&queue.namespace, || lab::control(&command))??;
    }
    for (wanted, what) in [(job.acks, "acks"), (job.drops, "drops")] {
        if wanted {
            lab::control(&format!("trace {what}"))?;
        }
    }
    Ok(())
}

fn furnish(inside: &Inside) -> Result<Vec<Readback>, String> {
    let place = &inside.namespace;
    let mut readbacks = vec![];
    for (name, value) in &inside.sysctls {
        readbacks.push(sysctl(place, name, value)?);
    }
    batch("ip", &inside.ip, place)?;
    for device in &inside.plain_devices {
        sys::offloads_off(device).map_err(|e| format!("{place}: cannot switch off the offloads of {device}: {e}"))?;
    }
    let mut tc = inside.tc.clone();
    if !tc.is_empty() {
        tc.push("qdisc show".into());
        lab::tell(&Message::Qdiscs { namespace: place.clone(), output: batch("tc", &tc, place)? });
    }
    Ok(readbacks)
}

/// Writes a setting in the thread's namespace and reads it back. What exists once for the whole machine
/// (net.core.rmem_max and its like) cannot be written in a namespace, so it is written outside.
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
    let got = got.map_err(|e| format!("{place}: cannot set {name} to \"{value}\": {e}"))?;
    Ok(Readback {
        place: place.into(),
        setting: name.into(),
        asked: value.into(),
        got: got.split_whitespace().collect::<Vec<_>>().join(" "),
    })
}

/// Runs iproute2's `ip` or `tc` on all lines at once in the thread's namespace; returns what it printed.
fn batch(tool: &str, lines: &[String], place: &str) -> Result<String, String> {
    if lines.is_empty() {
        return Ok(String::new());
    }
    let failed = |what: String| format!("{place}: `{tool} -batch` failed: {what}");
    let mut child = Command::new(tool)
        .args(["-json", "-batch", "-"])
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| failed(e.to_string()))?;
    let text = lines.join("\n") + "\n";
    let mut stdin = child.stdin.take().ok_or_else(|| failed("no standard input".into()))?;
    stdin.write_all(text.as_bytes()).map_err(|e| failed(e.to_string()))?;
    drop(stdin);
    let output = child.wait_with_output().map_err(|e| failed(e.to_string()))?;
    if !output.status.success() {
        return Err(failed(blame(&String::from_utf8_lossy(&output.stderr), lines)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// iproute2 ends with `Command failed -:LINE`: names that line.
fn blame(stderr: &str, lines: &[String]) -> String {
    let line = stderr
        .lines()
        .find_map(|l| l.strip_prefix("Command failed -:"))
        .and_then(|n| n.trim().parse::<usize>().ok())
        .and_then(|n| lines.get(n.checked_sub(1)?));
    match line {
        Some(line) => format!("`{line}`: {}", stderr.lines().next().unwrap_or("").trim()),
        None => stderr.trim().to_string(),
    }
}

/// Counters of every device in every namespace.
pub fn devices(job: &Job) -> Result<Vec<Device>, String> {
    let mut all = vec![];
    for namespace in &job.namespaces {
        let table = sys::in_namespace(namespace, || fs::read_to_string("/proc/thread-self/net/dev"))?;
        let table = table.map_err(|e| format!("{namespace}: cannot read /proc/net/dev: {e}"))?;
        all.extend(table.lines().skip(2).filter_map(|line| device(namespace, line)));
    }
    Ok(all)
}

/// A line of /proc/net/dev: name, then 8 counters of reception and 8 of transmission.
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
