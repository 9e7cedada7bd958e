//! Checks of every recording: each setting has the requested value, and no packet is lost without a place and a reason.

use super::TrialError;
use base::folder::Folder;
use evidence::plain;
use plan::network::topology::Step;
use plan::network::{self, Dialect, Port, Shown, WIRE_NAMESPACE};
use plan::recording::{self, TrialFacts};
use plan::{Scene, Stage};
use serde_json::Value;
use std::collections::BTreeMap;
use wire::Device;

/// Checks that every requested file has arrived.
pub fn fetched(names: &[String], folder: &Folder) -> Result<(), TrialError> {
    let missing = names.iter().find(|name| !folder.has(name));
    missing.map_or(Ok(()), |name| Err(TrialError::Agent(format!("the agent did not send {name}; rebuild it"))))
}

/// Compares every setting with the kernel's value.
pub fn settings(scene: &Scene, dialect: Dialect, facts: &TrialFacts) -> Result<(), TrialError> {
    for readback in &facts.readbacks {
        if readback.asked != readback.got {
            return Err(TrialError::Mismatch {
                place: plain::line(&readback.place).into(),
                setting: plain::line(&readback.setting).into(),
                asked: plain::line(&readback.asked).into(),
                got: plain::line(&readback.got).into(),
                hint: hint(&readback.setting).into(),
            });
        }
    }
    one_value_each(facts)?;
    for (namespace, shown) in network::shown(scene, dialect).iter().filter(|(_, shown)| !shown.is_empty()) {
        let qdiscs = qdiscs(facts, namespace)?;
        shown.iter().try_for_each(|wanted| check(namespace, wanted, &qdiscs))?;
    }
    Ok(())
}

/// Checks machine-wide settings. Every host may ask for one and the last one wins, so all must agree.
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
                hint: "\n\nhint: this sysctl is not per host; set it once under [hosts.sysctl]".into(),
            });
        }
    }
    Ok(())
}

fn qdiscs(facts: &TrialFacts, namespace: &str) -> Result<Vec<Value>, TrialError> {
    let list = facts.qdiscs.get(namespace).map(String::as_str).unwrap_or_default();
    serde_json::from_str(&known(list))
        .map_err(|e| TrialError::Agent(format!("{namespace}: cannot parse tc's list of qdiscs: {e}: {list}")))
}

/// Removes the text that tc mixes into its JSON for an unknown qdisc (print_noopt in tc/tc_qdisc.c).
fn known(list: &str) -> String {
    let mut parts = list.split("[Unknown qdisc, ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once(']').map_or(part, |(_, rest)| rest))
}

fn hint(setting: &str) -> &'static str {
    match setting {
        "SO_SNDBUF" => "\n\nhint: net.core.wmem_max caps it; raise it under [hosts.sysctl]",
        "SO_RCVBUF" => "\n\nhint: net.core.rmem_max caps it; raise it under [hosts.sysctl]",
        _ => "",
    }
}

/// Relative rounding of a fraction that tc prints: half a step of the sixth significant digit (iproute2 lib/json_writer.c,
/// jsonw_float: `%g`).
const PRINTED_PRECISION: f64 = 5e-6;

fn check(namespace: &str, wanted: &Shown, qdiscs: &[Value]) -> Result<(), TrialError> {
    let qdisc = qdiscs.iter().find(|q| q["dev"] == *wanted.device && q["kind"] == wanted.kind);
    // tc does not print zeros.
    let got = qdisc.map(|q| q.pointer(wanted.pointer).and_then(Value::as_f64).unwrap_or(0.0));
    // Whole numbers are printed as they are.
    let printed = if wanted.asked.fract() == 0.0 { 0.0 } else { wanted.asked.abs() * PRINTED_PRECISION };
    if got.is_some_and(|got| (got - wanted.asked).abs() <= wanted.grain.max(printed)) {
        return Ok(());
    }
    Err(TrialError::Mismatch {
        place: format!("{namespace}, device {}", wanted.device),
        setting: format!("{} {}", wanted.kind, wanted.pointer.rsplit('/').next().unwrap_or_default()),
        asked: wanted.asked.to_string(),
        got: got.map_or("none".into(), |got| got.to_string()),
        hint: String::new(),
    })
}

/// Checks that packets are conserved. On each direction of a link, every packet that one end sent was received at the
/// other, or was dropped or is still queued at a named place. A link that duplicates delivers more, at most twice as
/// much.
pub fn conservation(scene: &Scene, folder: &Folder, facts: &TrialFacts) -> Result<(), TrialError> {
    let names = ["queue", "drops", "packets"];
    let [queue, drops, packets] = recording::columns(folder, recording::QUEUES, names)?;
    let probes = network::probes(scene);
    let mut last = vec![0; probes.len()];
    for (queue, (drops, packets)) in queue.into_iter().zip(drops.into_iter().zip(packets)) {
        if let Some(last) = last.get_mut(queue as usize) {
            *last = drops + packets;
        }
    }
    for step in network::steps(scene) {
        let lane = step.lane(scene);
        let ends = [step.lane, 1 - step.lane].map(|end| network::port(scene, Step { link: step.link, lane: end }));
        let [out, into] = ends.each_ref().map(|port| device(facts, port));
        let [from, to] = ends.map(|port| port.node);
        let (Some(out), Some(into)) = (out, into) else {
            return Err(TrialError::Agent(format!("no counters for the devices of {from} and {to}")));
        };
        let dropped: u64 = probes
            .iter()
            .zip(&last)
            // Packets that a queue drops in front of its device were never sent.
            .filter(|(probe, _)| probe.step == step && network::is_behind_its_device(scene, probe))
            .map(|(_, drops)| *drops)
            .sum::<u64>()
            + counted(scene, step, facts)?;
        let found = into.rx_packets + dropped;
        let twice = lane.stages.iter().any(|stage| matches!(stage, Stage::Duplicate(_)));
        // Packets that a device refuses to send are lost without a place, unless it lacks carrier at times
        // (noop_enqueue).
        let is_down = !scene.links[step.link].down.is_empty();
        let sent = out.tx_packets + if is_down { 0 } else { out.tx_dropped };
        let most = if twice { sent * 2 } else { sent };
        if !(sent..=most).contains(&found) {
            let lost = lost(&network::row(scene, step), &facts.devices);
            return Err(TrialError::NotConserved { from, to, sent, delivered: into.rx_packets, dropped, lost });
        }
    }
    Ok(())
}

/// Describes where packets were lost: at devices that refused them, or between the ends of a veth pair.
fn lost(row: &[[(String, String); 2]], devices: &[Device]) -> String {
    let counters = |(namespace, device): &(String, String)| {
        devices.iter().find(|d| d.namespace == *namespace && d.device == *device)
    };
    let named = |(namespace, device): &(String, String)| format!("{device} in {namespace}");
    let places = row.iter().flat_map(|[from, to]| {
        let (sends, receives) = (counters(from), counters(to));
        let refused = sends.map_or(0, |sends| sends.tx_dropped);
        let gone = sends.zip(receives).map_or(0, |(a, b)| a.tx_packets.saturating_sub(b.rx_packets));
        let refused = (refused > 0).then(|| format!("{} refused to send {refused}", named(from)));
        [refused, (gone > 0).then(|| format!("{gone} never came from {} to {}", named(from), named(to)))]
    });
    let places: Vec<String> = places.flatten().collect();
    if places.is_empty() { "no device says where".into() } else { places.join(", ") }
}

fn device<'a>(facts: &'a TrialFacts, port: &Port) -> Option<&'a Device> {
    facts.devices.iter().find(|d| d.namespace == port.node && d.device == port.member)
}

/// Returns the packets that nftables counted.
fn counted(scene: &Scene, step: Step, facts: &TrialFacts) -> Result<u64, TrialError> {
    let names = network::counters(scene, step);
    if names.is_empty() {
        return Ok(0);
    }
    let text = facts.counters.get(WIRE_NAMESPACE).map(String::as_str).unwrap_or_default();
    let list: Value = serde_json::from_str(text).map_err(|e| {
        TrialError::Agent(format!("{WIRE_NAMESPACE}: cannot parse nft's list of counters: {e}: {text}"))
    })?;
    let counters = list["nftables"].as_array().into_iter().flatten().map(|entry| &entry["counter"]);
    let mine = counters.filter(|counter| names.iter().any(|name| counter["name"] == *name));
    Ok(mine.filter_map(|counter| counter["packets"].as_u64()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::fixture::tree;

    #[test]
    fn a_list_is_read_without_the_options_of_unknown_qdiscs() {
        let list =
            r#"[{"kind":"dualpi2","options":{[Unknown qdisc, optlen=92] }},{"kind":"pfifo","options":{"limit":9}}]"#;
        let read: Vec<Value> = serde_json::from_str(&known(list)).unwrap();
        assert_eq!((read.len(), &read[1]["options"]["limit"]), (2, &Value::from(9)));
    }

    /// tc prints six significant digits of a fraction (`%g`): 0.02046257 as 0.0204626.
    #[test]
    fn a_fraction_is_compared_as_tc_prints_it_and_a_whole_number_exactly() {
        let printed = |asked: f64, got: &str| {
            let list = format!(r#"[{{"dev":"a","kind":"netem","options":{{"loss":{got}}}}}]"#);
            let qdiscs: Vec<Value> = serde_json::from_str(&list).unwrap();
            let grain = 1e-9;
            check("wire", &Shown { device: "a".into(), kind: "netem", pointer: "/options/loss", asked, grain }, &qdiscs)
                .is_ok()
        };
        assert!(printed(0.02046257, "0.0204626") && printed(0.999999499, "0.999999"));
        assert!(!printed(0.02046257, "0.0204628") && !printed(0.02046257, "0"));
        assert!(printed(1e9, "1000000000") && !printed(1e9, "1000000001"));
    }

    /// From a to s: a's interface, its end in the wire, and the switch's port.
    #[test]
    fn lost_packets_are_located_at_a_device() {
        let row = network::row(&tree(), Step { link: 0, lane: 0 });
        let device = |(namespace, device): &(String, String)| Device {
            namespace: namespace.clone(),
            device: device.clone(),
            rx_packets: 1000,
            rx_dropped: 0,
            tx_packets: 1000,
            tx_dropped: 0,
        };
        let all: Vec<Device> = row.iter().flatten().map(device).collect();
        let names: Vec<&str> = all.iter().map(|d| d.device.as_str()).collect();
        assert_eq!(names, ["nic", "a", "s-0", "port0"]);
        let told = |change: fn(&mut [Device])| {
            let mut changed = all.clone();
            change(&mut changed);
            lost(&row, &changed)
        };
        assert_eq!(told(|_| ()), "no device says where");
        assert_eq!(told(|d| d[2].tx_dropped = 23), "s-0 in wire refused to send 23");
        let two = told(|d| (d[1].rx_packets, d[3].rx_packets) = (990, 0));
        assert_eq!(two, "10 never came from nic in a to a in wire, 1000 never came from s-0 in wire to port0 in s");
    }
}
