//! The lab's prediction for a transfer split by a proxy: the explanation of a direct run, applied to each half of the
//! path.
//!
//! The proxy is a new host with Linux's own settings. A loss rate is shared out by the round-trip times of the halves.

use super::proxy::Set;
use prove::trials;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use toml::{Table, Value};

const SEEDS: &str = "301..305";

/// Goodput of the split transfer, bit/s; `None` if no direct run is explained.
pub fn predicted(set: &Set, budget: &str) -> Result<Option<f64>, String> {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("world-split").join(set.key());
    prove(&set.direct_run, &place, budget, None)?;
    let Some(experiment) = experiment(&place.join("proof"))? else { return Ok(None) };
    mean_goodput(&measured(&split(experiment, set)?, &place, "split", SEEDS)?).map(Some)
}

/// Runs an experiment under a name in a folder, unless it was; the file of its measures.
pub fn measured(experiment: &Table, place: &Path, name: &str, seeds: &str) -> Result<PathBuf, String> {
    let (file, out) = (place.join(format!("{name}.toml")), place.join(name));
    fs::write(&file, experiment.to_string()).map_err(|error| error.to_string())?;
    let measures = out.join("measures.json");
    if !measures.exists() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
        command.arg("run").arg(&file).args(["--seeds", seeds, "--out"]).arg(&out);
        let done = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        if !measures.exists() {
            return Err(format!("{}: {}", file.display(), String::from_utf8_lossy(&done.stderr)));
        }
    }
    Ok(measures)
}

/// Proves a run in a folder, unless that is done, with the RTT of the idle path, s, if the run does not contain it.
pub fn prove(run: &Path, place: &Path, budget: &str, rtt: Option<f64>) -> Result<(), String> {
    if trials::is_kept(place) {
        return Ok(());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.arg("prove").arg(run).args(["--budget", budget, "--out"]).arg(place);
    command.args(rtt.map(|rtt| format!("--rtt={:.0}us", rtt * 1e6)));
    let done = command.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    // 3: nothing reproduced it, or no trial can be compared with it.
    match done.status.code() {
        Some(0 | 3) => Ok(()),
        _ => Err(format!("{}: {}", run.display(), String::from_utf8_lossy(&done.stderr))),
    }
}

/// The experiment of the first explanation as it fits best.
pub fn experiment(proof: &Path) -> Result<Option<Table>, String> {
    let Ok(entries) = fs::read_dir(proof) else { return Ok(None) };
    let mut files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_first = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("1a-"))
            && path.extension().is_some_and(|ending| ending == "toml")
    };
    let Some(file) = files.find(is_first) else { return Ok(None) };
    let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    text.parse().map(Some).map_err(|error| format!("{}: {error}", file.display()))
}

/// The same with a proxy in the middle.
fn split(mut direct: Table, set: &Set) -> Result<Table, String> {
    let mut path = taken(&mut direct, "path")?;
    path.remove("rtt");
    let mtu = path.remove("mtu");
    let whole = set.split.rtt + set.second.rtt;
    let link = |between: [&str; 2], rtt: f64| {
        let mut link = path.clone();
        link.insert("between".into(), between.map(Value::from).to_vec().into());
        link.insert("delay".into(), format!("{:.0} us", rtt * 0.5e6).into());
        if let Some(loss) = link.get_mut("loss") {
            scale_loss(loss, rtt / whole);
        }
        link.extend(mtu.clone().map(|mtu| ("mtu".to_owned(), mtu)));
        link
    };
    let mut to_proxy = Table::new();
    to_proxy.insert("between".into(), ["middle", "proxy"].map(Value::from).to_vec().into());
    to_proxy.insert("rate".into(), "10 Gbit/s".into());
    to_proxy.insert("buffer".into(), "1000 packets".into());
    let links = [link(["sender", "middle"], set.split.rtt), link(["middle", "receiver"], set.second.rtt), to_proxy];
    direct.insert("links".into(), links.map(Value::from).to_vec().into());

    let mut hosts = direct.remove("hosts").and_then(|hosts| hosts.as_table().cloned()).unwrap_or_default();
    for name in ["sender", "receiver", "proxy"] {
        hosts.entry(name).or_insert_with(|| Table::new().into());
    }
    direct.insert("hosts".into(), hosts.into());
    direct.insert("routers".into(), Table::from_iter([("middle".to_owned(), Table::new().into())]).into());

    let flows = direct.remove("flows").and_then(|flows| flows.as_array().cloned()).unwrap_or_default();
    let mut flow = flows.last().and_then(Value::as_table).cloned().ok_or("the experiment has no flow")?;
    for (key, value) in [("name", "transfer"), ("from", "sender"), ("to", "receiver"), ("via", "proxy")] {
        flow.insert(key.into(), value.into());
    }
    direct.insert("flows".into(), vec![Value::from(flow)].into());
    direct.remove("vary");
    direct.remove("expect");
    Ok(direct)
}

fn taken(table: &mut Table, name: &str) -> Result<Table, String> {
    match table.remove(name) {
        Some(Value::Table(inner)) => Ok(inner),
        _ => Err(format!("the experiment has no [{name}]")),
    }
}

/// `"0.2 %"`, or Gilbert and Elliott's `{ p = "0.2 %", r = … }`.
fn scale_loss(loss: &mut Value, by: f64) {
    match loss {
        Value::String(text) => {
            if let Some(percent) = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok()) {
                *text = format!("{:.6} %", percent * by);
            }
        }
        Value::Table(model) => {
            if let Some(p) = model.get_mut("p") {
                scale_loss(p, by);
            }
        }
        _ => {}
    }
}

/// Mean goodput of the receiver.
fn mean_goodput(measures: &Path) -> Result<f64, String> {
    let text = fs::read_to_string(measures).map_err(|error| error.to_string())?;
    let measures: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let last = |trial: &serde_json::Value| {
        let values = trial["values"].as_array()?.iter();
        let goodput = values.filter(|value| value["measure"] == "goodput" && value["subject"] == "flow");
        goodput.max_by_key(|value| value["number"].as_u64())?["value"].as_f64()
    };
    let all: Vec<f64> = measures["trials"].as_array().into_iter().flatten().filter_map(last).collect();
    if all.is_empty() { Err("no trial has a goodput".into()) } else { Ok(all.iter().sum::<f64>() / all.len() as f64) }
}
