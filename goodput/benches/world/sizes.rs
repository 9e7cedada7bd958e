//! Duration of a transfer of a size: a run of ten seconds is proven, and its explanation predicts the time of another
//! run over the same path within the hour.
//!
//! The arithmetic is the bar: the size over the rate of the run of ten seconds.

use super::proxy::{folders, is_of, quantile};
use super::split::{experiment, measured, prove};
use base::stats::prediction;
use serde_json::Value as Json;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const SEEDS: &str = "301..308";
/// Share of transfers inside a predicted range.
const RANGE_COVERAGE: f64 = 0.9;
/// Standard deviation of ln of the time between runs of a path, in addition, if losses limit it: docs/prove.md.
const BETWEEN_RUNS: f64 = 0.20;
/// The ways that are measured both ways in a set.
const WAYS: [&str; 3] = ["host_target_direct", "proxy_target_direct", "proxy_host_direct"];

/// A run of ten seconds and one of a size over the same path.
pub struct Pair {
    run: PathBuf,
    /// Rate of the run of ten seconds, bit/s.
    rate: f64,
    /// The least of the run of a size, s.
    rtt: f64,
    size: f64,
    /// Duration of the run of a size, s.
    seconds: f64,
    name: String,
}

/// The lab's prediction for a pair.
struct Predicted {
    seconds: f64,
    range: Option<[f64; 2]>,
}

/// The table of the pairs below a folder; every `every`-th is taken.
pub fn table(results: &Path, every: usize, budget: &str) -> Result<String, String> {
    let pairs: Vec<Pair> = find(results)?.into_iter().step_by(every).collect();
    if pairs.is_empty() {
        return Err(format!("no run of a size has one of ten seconds beside it in {}", results.display()));
    }
    let mut all: Vec<(Pair, Option<Predicted>)> = vec![];
    for pair in pairs {
        let lab = predicted(&pair, budget)?;
        let told = lab.as_ref().map_or("nothing".into(), |lab| format!("{:.1} s", lab.seconds));
        eprintln!("{:.1} s, the lab {told}, arithmetic {:.1} s: {}", pair.seconds, pair.arithmetic(), pair.name);
        all.push((pair, lab));
    }
    let mut text = "| prediction of the time of a transfer of a size | transfers | median error | third quartile |\n\
                    |---|---|---|---|\n"
        .to_owned();
    let mut row = |name: &str, way: &dyn Fn(&Pair, Option<&Predicted>) -> Option<f64>| {
        let predicted = all.iter().filter_map(|(pair, lab)| Some(way(pair, lab.as_ref())? / pair.seconds));
        let errors: Vec<f64> = predicted.map(|ratio| (ratio - 1.0).abs()).collect();
        let percent = |at: f64| 100.0 * quantile(errors.clone(), at);
        let _ = writeln!(text, "| {name} | {} | {:.0} % | {:.0} % |", errors.len(), percent(0.5), percent(0.75));
    };
    row("the size over the rate of ten seconds", &|pair, _| Some(pair.arithmetic()));
    row("the same where the lab predicts", &|pair, lab| lab.map(|_| pair.arithmetic()));
    row("the lab, fitted to the run of ten seconds", &|_, lab| lab.map(|lab| lab.seconds));
    let ranged = || all.iter().filter_map(|(pair, lab)| Some((pair.seconds, lab.as_ref()?.range?)));
    let inside = ranged().filter(|(seconds, [low, high])| (*low..=*high).contains(seconds)).count();
    let _ =
        writeln!(text, "\n{inside} of {} transfers took a time in the lab's range for nine of ten.", ranged().count());
    Ok(text)
}

impl Pair {
    fn arithmetic(&self) -> f64 {
        self.size * 8.0 / self.rate
    }
}

fn find(results: &Path) -> Result<Vec<Pair>, String> {
    let mut pairs = vec![];
    for (folder, files) in folders(results)? {
        pairs.extend(WAYS.iter().filter_map(|way| pair(&folder, &files, way)));
    }
    pairs.sort_by(|a, b| a.run.cmp(&b.run));
    Ok(pairs)
}

fn pair(folder: &Path, files: &[PathBuf], way: &str) -> Option<Pair> {
    let file = |stem: &str| files.iter().filter(|file| is_of(file, &format!("{stem}_{way}"))).min();
    let (run, sized) = (file("bw")?, file("large_file")?);
    let text = fs::read_to_string(sized).ok()?;
    let sized: Json = serde_json::from_str(text.get(text.find('{')?..=text.rfind('}')?)?).ok()?;
    let end = &sized["end"];
    let number = |value: &Json| value.as_f64().filter(|number| *number > 0.0);
    let names: Vec<String> = folder.iter().rev().take(3).map(|name| name.to_string_lossy().into_owned()).collect();
    Some(Pair {
        rate: received(&fs::read_to_string(run).ok()?)?,
        run: run.clone(),
        rtt: number(&end["streams"][0]["sender"]["min_rtt"])? * 1e-6,
        size: number(&end["sum_received"]["bytes"])?,
        seconds: number(&end["sum_received"]["seconds"])?,
        name: format!("{}-{way}", names.join("-")),
    })
}

/// Rate that arrived, from iperf3's last line of the receiver, bit/s.
fn received(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.trim_end().ends_with("receiver"))?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().position(|word| word.ends_with("bits/sec"))?;
    let factor = match words[at] {
        "Kbits/sec" => 1e3,
        "Mbits/sec" => 1e6,
        "Gbits/sec" => 1e9,
        _ => return None,
    };
    Some(words.get(at - 1)?.parse::<f64>().ok()? * factor)
}

/// Predicted time for the size under the explanation of the run of ten seconds; `None` without an explanation.
fn predicted(pair: &Pair, budget: &str) -> Result<Option<Predicted>, String> {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("world-sizes").join(&pair.name);
    prove(&pair.run, &place, budget, Some(pair.rtt))?;
    let experiment = experiment(&place.join("proof"))?;
    let Some(sized) = experiment.and_then(|experiment| sized(experiment, pair.size)) else { return Ok(None) };
    let times = times(&measured(&sized, &place, "sized", SEEDS)?)?;
    let seconds = quantile(times.clone(), 0.5);
    Ok(Some(Predicted { seconds, range: prediction(&times, RANGE_COVERAGE, BETWEEN_RUNS) }))
}

/// The same transfer, of a size in place of a time; `None` if others use the line for as long as it was watched.
fn sized(mut experiment: Table, size: f64) -> Option<Table> {
    let flows = experiment.remove("flows")?.as_array()?.clone();
    let mut all = flows.iter().filter_map(Value::as_table).filter(|flow| !flow.contains_key("kind"));
    let mut flow = all.next().filter(|_| all.next().is_none())?.clone();
    ["duration", "omit", "start"].iter().for_each(|key| drop(flow.remove(*key)));
    flow.insert("bytes".into(), format!("{size:.0} B").into());
    experiment.insert("flows".into(), vec![Value::from(flow)].into());
    ["vary", "expect"].iter().for_each(|key| drop(experiment.remove(*key)));
    Some(experiment)
}

/// How long each trial's transfer took, s.
fn times(measures: &Path) -> Result<Vec<f64>, String> {
    let text = fs::read_to_string(measures).map_err(|error| error.to_string())?;
    let measures: Json = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let of_trial = |trial: &Json| {
        let mut values = trial["values"].as_array()?.iter();
        values.find(|value| value["measure"] == "completion" && value["subject"] == "flow")?["value"].as_f64()
    };
    let all: Vec<f64> = measures["trials"].as_array().into_iter().flatten().filter_map(of_trial).collect();
    if all.is_empty() { Err(format!("no trial of it ended: {text:.300}")) } else { Ok(all) }
}
