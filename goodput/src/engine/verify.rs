//! What every recording must satisfy before it counts: each setting is what was asked for, and no packet is lost
//! without a place and a reason.

use super::TrialError;
use crate::network::{self, NIC, WIRE};
use crate::plan::{Buffer, Lane, Loss, Scene};
use crate::recording::{self, TrialFacts};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Compares every setting with what the kernel had.
pub fn settings(scene: &Scene, facts: &TrialFacts) -> Result<(), TrialError> {
    for readback in &facts.readbacks {
        if readback.asked != readback.got {
            return Err(TrialError::Mismatch {
                place: readback.place.clone(),
                setting: readback.setting.clone(),
                asked: readback.asked.clone(),
                got: readback.got.clone(),
                hint: hint(&readback.setting).into(),
            });
        }
    }
    one_value_each(facts)?;
    for host in &scene.hosts {
        if let Some(rate) = host.nic {
            let wanted = tbf_rate(NIC.into(), rate);
            check(&host.name, &wanted, &qdiscs(facts, &host.name)?)?;
        }
    }
    let qdiscs = qdiscs(facts, WIRE)?;
    for (number, link) in scene.links.iter().enumerate() {
        for (lane, direction) in [&link.forward, &link.backward].into_iter().enumerate() {
            check_lane(number * 2 + lane, direction, &link.ends[1 - lane], &qdiscs)?;
        }
    }
    Ok(())
}

/// Settings of the whole machine are asked for by every host, and the last one wins.
fn one_value_each(facts: &TrialFacts) -> Result<(), TrialError> {
    let mut asked = BTreeMap::new();
    for readback in facts.readbacks.iter().filter(|r| r.place == "machine") {
        let before = asked.insert(&readback.setting, &readback.asked);
        if let Some(before) = before.filter(|before| **before != readback.asked) {
            return Err(TrialError::Mismatch {
                place: "machine".into(),
                setting: readback.setting.clone(),
                asked: before.clone(),
                got: readback.asked.clone(),
                hint: "\n\nhint: this setting exists once for all hosts; give it one value under [hosts.sysctl]".into(),
            });
        }
    }
    Ok(())
}

fn qdiscs(facts: &TrialFacts, namespace: &str) -> Result<Vec<Value>, TrialError> {
    let list = facts.qdiscs.get(namespace).map(String::as_str).unwrap_or_default();
    serde_json::from_str(list)
        .map_err(|e| TrialError::Agent(format!("{namespace}: tc's list of qdiscs is not understood: {e}: {list}")))
}

/// tc counts in bytes per second.
fn tbf_rate(device: String, rate: u64) -> Shown<'static> {
    Shown { device, kind: "tbf", pointer: "/options/rate", asked: (rate / 8) as f64, grain: 0.5 }
}

fn hint(setting: &str) -> &'static str {
    match setting {
        "SO_SNDBUF" => "\n\nhint: net.core.wmem_max caps it; raise it under [hosts.sysctl]",
        "SO_RCVBUF" => "\n\nhint: net.core.rmem_max caps it; raise it under [hosts.sysctl]",
        _ => "",
    }
}

/// A number that `tc -json` shows, where, and what it should be.
struct Shown<'a> {
    device: String,
    kind: &'a str,
    pointer: &'a str,
    asked: f64,
    /// How coarsely tc sets or shows it.
    grain: f64,
}

fn check_lane(number: usize, lane: &Lane, port: &str, qdiscs: &[Value]) -> Result<(), TrialError> {
    let shown = |device: String, kind, pointer, asked, grain| Shown { device, kind, pointer, asked, grain };
    let (fifo, limit) = match lane.buffer {
        Buffer::Packets(n) => ("pfifo", f64::from(n)),
        Buffer::Bytes(n) => ("bfifo", n as f64),
    };
    let mut all = vec![
        // tc hands a delay to the kernel in steps of 64 ns, and shows it in whole microseconds.
        shown(format!("delay{number}"), "netem", "/options/delay/delay", lane.delay as f64 / 1e9, 1.1e-6),
        tbf_rate(port.into(), lane.rate),
        shown(port.into(), fifo, "/options/limit", limit, 0.5),
    ];
    if let Loss::Random(probability) = lane.loss {
        // netem keeps probabilities as 32-bit fractions.
        all.push(shown(
            format!("loss{number}"),
            "netem",
            "/options/loss-random/loss",
            probability,
            1e-6 * probability + 5e-10,
        ));
    }
    all.iter().try_for_each(|wanted| check(WIRE, wanted, qdiscs))
}

fn check(namespace: &str, wanted: &Shown, qdiscs: &[Value]) -> Result<(), TrialError> {
    let qdisc = qdiscs.iter().find(|q| q["dev"] == *wanted.device && q["kind"] == wanted.kind);
    let got = qdisc.and_then(|q| q.pointer(wanted.pointer)).and_then(Value::as_f64);
    if got.is_some_and(|got| (got - wanted.asked).abs() <= wanted.grain) {
        return Ok(());
    }
    Err(TrialError::Mismatch {
        place: format!("{namespace}, device {}", wanted.device),
        setting: format!("{} {}", wanted.kind, wanted.pointer.rsplit('/').next().unwrap_or_default()),
        asked: wanted.asked.to_string(),
        got: got.map_or("nothing of the kind".into(), |got| got.to_string()),
        hint: String::new(),
    })
}

/// Bytes are conserved: on each link, what one host's device sent, the other's received, or a named place dropped.
pub fn conservation(scene: &Scene, folder: &Path, facts: &TrialFacts) -> Result<(), TrialError> {
    let [queue, drops] = recording::columns(&folder.join(recording::QUEUES), ["queue", "drops"])?;
    let mut last = vec![0; network::probes(scene).len()];
    for (queue, drops) in queue.into_iter().zip(drops) {
        if let Some(last) = last.get_mut(queue as usize) {
            *last = drops;
        }
    }
    let device = |host: &str| facts.devices.iter().find(|d| d.namespace == host && d.device == NIC);
    for (number, link) in scene.links.iter().enumerate() {
        for lane in 0..2 {
            let [from, to] = [&link.ends[lane], &link.ends[1 - lane]];
            let (Some(out), Some(into)) = (device(from), device(to)) else {
                return Err(TrialError::Agent(format!("no counters of the devices of {from} and {to}")));
            };
            let here =
                network::probes(scene).into_iter().zip(&last).filter(|(p, _)| p.link == number && p.lane == lane);
            let dropped: u64 = here.map(|(_, drops)| *drops).sum();
            if out.tx_packets != into.rx_packets + dropped {
                return Err(TrialError::NotConserved {
                    from: from.clone(),
                    to: to.clone(),
                    sent: out.tx_packets,
                    delivered: into.rx_packets,
                    dropped,
                });
            }
        }
    }
    Ok(())
}
