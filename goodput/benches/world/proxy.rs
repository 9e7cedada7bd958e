//! Gain from a proxy in the middle: sets of one path measured direct, forwarded, and split, with the two halves.
//!
//! An engineer's arithmetic is the baseline: a transfer limited by its window or by losses gains as the RTT gets
//! shorter (cwnd/RTT), up to the rate of the second half by itself.

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The sets of the development half.
const SETS: &str = "latest/host-lon04_ibm";

/// Runs of one kind in a set: their median goodput, bit/s, and their least round-trip time, s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    goodput: f64,
    pub rtt: f64,
}

/// Measurements of one path within an hour.
#[derive(Debug, Clone)]
pub struct Set {
    /// Name of the set's folder.
    pub name: String,
    /// A direct run.
    pub direct_run: PathBuf,
    direct: Measured,
    forwarded: Measured,
    /// Split transfer; its RTT is the one to the proxy.
    pub split: Measured,
    /// From the proxy to the target.
    pub second: Measured,
}

impl Set {
    /// Last names of the folder, joined.
    pub fn key(&self) -> String {
        let names: Vec<&str> = self.name.rsplit('/').take(3).collect();
        names.join("-")
    }

    /// Limits a prediction for the split path to the rate of the second half by itself, bit/s.
    fn at_most_second(&self, predicted: f64) -> f64 {
        predicted.min(self.second.goodput)
    }

    /// Prediction of the arithmetic, bit/s.
    fn arithmetic(&self) -> f64 {
        self.at_most_second(self.direct.goodput * self.direct.rtt / self.split.rtt)
    }
}

/// A name and a prediction of the split transfer's rate, bit/s; `None` if it refuses.
type Predictor<'a> = (&'static str, &'a dyn Fn(&Set) -> Option<f64>);

/// The lab's prediction for a set, bit/s; `None` if it refuses.
pub type Predicts<'a> = &'a dyn Fn(&Set) -> Result<Option<f64>, String>;

/// The table of the sets below a checkout of the repository; the lab takes every `every`-th set.
pub fn table(root: &Path, every: usize, lab: Predicts) -> Result<String, String> {
    let results = results(root);
    let sets: Vec<Set> = find(&results.join(SETS))?.into_iter().step_by(every).collect();
    if sets.is_empty() {
        return Err(format!("no set has direct, forwarded and split runs in {}", results.join(SETS).display()));
    }
    let arithmetic = |set: &Set| Some(set.arithmetic());
    let unchanged = |set: &Set| Some(set.direct.goodput);
    let mut predicted = vec![];
    for set in &sets {
        let lab = lab(set)?.map(|rate| set.at_most_second(rate));
        let told = lab.map_or("nothing".to_owned(), |rate| format!("{:.0}", rate / 1e6));
        let [split, arithmetic] = [set.split.goodput, set.arithmetic()].map(|rate| rate / 1e6);
        eprintln!("split {split:.0} Mbit/s, the lab {told}, arithmetic {arithmetic:.0}: {}", set.key());
        predicted.push((set.key(), lab));
    }
    let lab = |set: &Set| predicted.iter().find(|(key, _)| *key == set.key())?.1;
    let told = |set: &Set| lab(set).and(Some(set.arithmetic()));
    let ways: [Predictor; 4] = [
        ("no change", &unchanged),
        ("direct rate by RTT, at most the second half", &arithmetic),
        ("the same where the lab predicts", &told),
        ("the lab, fitted to a direct run, at most the second half", &lab),
    ];
    let [gain, slower] = [|set: &Set| set.split.goodput, |set: &Set| set.forwarded.goodput]
        .map(|carried| quantile(sets.iter().map(|set| carried(set) / set.direct.goodput).collect(), 0.5));
    let mut text = format!(
        "{} sets; split carries {gain:.2} times the direct goodput, forwarded {slower:.2} times (medians)\n\n\
         | prediction of the split goodput | sets | median error | third quartile |\n|---|---|---|---|\n",
        sets.len()
    );
    for (name, way) in ways {
        let errors: Vec<f64> =
            sets.iter().filter_map(|set| Some((way(set)? / set.split.goodput - 1.0).abs())).collect();
        let percent = |at: f64| 100.0 * quantile(errors.clone(), at);
        let _ = writeln!(text, "| {name} | {} | {:.0} % | {:.0} % |", errors.len(), percent(0.5), percent(0.75));
    }
    Ok(text)
}

/// Folder of a checkout's runs.
pub fn results(root: &Path) -> PathBuf {
    let results = root.join("results");
    if results.is_dir() { results } else { root.to_owned() }
}

/// The sets below a folder that were measured in full, by name.
fn find(folder: &Path) -> Result<Vec<Set>, String> {
    let mut sets: Vec<Set> = folders(folder)?.iter().filter_map(|(folder, files)| set(folder, files)).collect();
    sets.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(sets)
}

/// A folder and those below it, each with its files.
pub fn folders(folder: &Path) -> Result<Vec<(PathBuf, Vec<PathBuf>)>, String> {
    let mut left = vec![folder.to_owned()];
    let mut all = vec![];
    while let Some(folder) = left.pop() {
        let mut files = vec![];
        for entry in fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
            let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
            if path.is_dir() { &mut left } else { &mut files }.push(path);
        }
        all.push((folder, files));
    }
    Ok(all)
}

fn set(folder: &Path, files: &[PathBuf]) -> Option<Set> {
    let of = |stem: &str| {
        let mine =
            files.iter().filter(|file| is_of(file, stem)).filter_map(|file| run(&fs::read_to_string(file).ok()?));
        let runs: Vec<Measured> = mine.collect();
        let rtt = runs.iter().map(|run| run.rtt).reduce(f64::min)?;
        Some(Measured { goodput: quantile(runs.iter().map(|run| run.goodput).collect(), 0.5), rtt })
    };
    let direct_run = files.iter().filter(|file| is_of(file, "bw_host_target_direct")).min()?.clone();
    Some(Set {
        name: folder.display().to_string(),
        direct_run,
        direct: of("bw_host_target_direct")?,
        forwarded: of("bw_host_proxy_forwarding")?,
        split: of("bw_host_proxy_proxy")?,
        second: of("bw_proxy_target_direct")?,
    })
}

/// `STEM.res` and its repeats, `STEM_3.res`.
pub fn is_of(file: &Path, stem: &str) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let rest = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(".res"));
    rest.is_some_and(|rest| rest.is_empty() || rest[1..].parse::<u32>().is_ok() && rest.starts_with('_'))
}

/// Goodput by the receiver, and the least RTT of the sender's socket.
fn run(text: &str) -> Option<Measured> {
    let run: Value = serde_json::from_str(text.get(text.find('{')?..=text.rfind('}')?)?).ok()?;
    let goodput = run["end"]["sum_received"]["bits_per_second"].as_f64().filter(|rate| *rate > 0.0)?;
    let rtt = run["end"]["streams"][0]["sender"]["min_rtt"].as_f64().filter(|us| *us > 0.0)?;
    Some(Measured { goodput, rtt: rtt * 1e-6 })
}

/// Returns the value below which a share of all is, interpolated between neighbours.
pub fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = share * (values.len().saturating_sub(1)) as f64;
    let neighbours = [at.floor(), at.ceil()].map(|at| values.get(at as usize).copied());
    match neighbours {
        [Some(low), Some(high)] => low + (high - low) * at.fract(),
        _ => f64::NAN,
    }
}
