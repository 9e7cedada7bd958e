//! Series of repeats: transfers of one path, minutes apart, labelled by their physical limit.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Half of the recordings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `results/host-*` and `results/latest/host-lon04_ibm`.
    Development,
    /// All others.
    Kept,
}

/// Limit of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// cwnd stays, and less than three quarters of it is in flight: a window or a buffer of either end, or a program.
    Window,
    /// cwnd is used up, and more than twenty segments are sent again.
    Losses,
    /// cwnd is used up and grows to the end, with hardly a loss: slow start ended early.
    Growing,
    /// None of these, or a mixture.
    Other,
}

impl Label {
    /// Labels by which a run is judged.
    pub const JUDGED: [Label; 3] = [Label::Window, Label::Losses, Label::Growing];

    /// Name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Label::Window => "window",
            Label::Losses => "losses",
            Label::Growing => "growing",
            Label::Other => "other",
        }
    }
}

/// Repeats of one path.
#[derive(Debug, Clone)]
pub struct Series {
    /// Folder and stem of the series's files.
    pub name: String,
    /// The label that 70 % of its runs have.
    pub label: Label,
    /// Runs, and the label of each.
    pub runs: Vec<(PathBuf, Label)>,
}

/// Fewer repeats are no series.
const REPEATS: usize = 8;
/// Share of a series' runs that must have its label.
const MIN_LABEL_SHARE: f64 = 0.7;
/// Fewer intervals that count are too short a run.
const INTERVALS: usize = 8;

/// All series of a part, by name. `root` is the repository or its `results`.
pub fn find(root: &Path, part: Part) -> Result<Vec<Series>, String> {
    let results = root.join("results");
    let results = if results.is_dir() { results } else { root.to_owned() };
    let mut stems: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in folders(&results, part)? {
        gather(&folder, &results, &mut stems)?;
    }
    let labelled = |(name, files): (String, Vec<PathBuf>)| {
        let labels = files.into_iter().filter_map(|file| Some((label(&fs::read_to_string(&file).ok()?)?, file)));
        let runs: Vec<(PathBuf, Label)> = labels.map(|(label, file)| (file, label)).collect();
        let of = |wanted: Label| runs.iter().filter(|(_, label)| *label == wanted).count() as f64;
        let label = Label::JUDGED.into_iter().find(|wanted| of(*wanted) >= MIN_LABEL_SHARE * runs.len() as f64);
        (runs.len() >= REPEATS).then(|| Series { name, label: label.unwrap_or(Label::Other), runs })
    };
    let found: Vec<Series> = stems.into_iter().filter_map(labelled).collect();
    if found.is_empty() {
        return Err(format!("{}: no series of {REPEATS} runs and more", results.display()));
    }
    Ok(found)
}

/// Draws up to `count` series of each label, and `repeats` runs of each, with a seed.
pub fn draw(all: Vec<Series>, count: usize, repeats: usize, seed: u64) -> Vec<Series> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut drawn = vec![];
    for label in Label::JUDGED {
        let mut own: Vec<Series> = all.iter().filter(|series| series.label == label).cloned().collect();
        for place in (1..own.len()).rev() {
            own.swap(place, (random.next_u64() % (place as u64 + 1)) as usize);
        }
        own.truncate(count);
        own.iter_mut().for_each(|series| series.runs.truncate(repeats));
        drawn.extend(own);
    }
    drawn
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut all: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
    all.sort();
    Ok(all)
}

/// The folders of a part.
fn folders(results: &Path, part: Part) -> Result<Vec<PathBuf>, String> {
    let named = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut all = vec![];
    for top in entries(results)?.into_iter().filter(|path| path.is_dir()) {
        match named(&top).as_str() {
            "latest" => all.extend(
                entries(&top)?
                    .into_iter()
                    .filter(|one| (named(one) == "host-lon04_ibm") == (part == Part::Development)),
            ),
            name if name.starts_with("host-") == (part == Part::Development) => all.push(top),
            _ => {}
        }
    }
    Ok(all)
}

/// The files of a folder and those below it, by folder and stem without the number at the end.
fn gather(folder: &Path, results: &Path, stems: &mut BTreeMap<String, Vec<PathBuf>>) -> Result<(), String> {
    for path in entries(folder)? {
        if path.is_dir() {
            gather(&path, results, stems)?;
        } else if path.extension().is_some_and(|extension| extension == "res") {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let number = |(_, end): &(&str, &str)| end.bytes().all(|digit| digit.is_ascii_digit());
            let stem = stem.rsplit_once('_').filter(number).map_or(&*stem, |(stem, _)| stem);
            let below = folder.strip_prefix(results).unwrap_or(folder);
            stems.entry(format!("{}/{stem}", below.display())).or_default().push(path);
        }
    }
    Ok(())
}

/// An interval of a run.
struct Interval {
    bytes: f64,
    seconds: f64,
    rtt: f64,
    cwnd: f64,
}

/// Limit of a run, from the share of cwnd in flight, the course of cwnd, and retransmissions; `None` if the run is too
/// short.
fn label(text: &str) -> Option<Label> {
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    let run: Value = serde_json::from_str(text.get(start..=end)?).ok()?;
    let every: Vec<&Value> = run["intervals"].as_array()?.iter().map(|interval| &interval["streams"][0]).collect();
    let counted = |one: &&Value| {
        let interval = Interval {
            bytes: one["bytes"].as_f64()?,
            seconds: one["seconds"].as_f64()?,
            rtt: one["rtt"].as_f64()? / 1e6,
            cwnd: one["snd_cwnd"].as_f64()?,
        };
        let counts = one["omitted"] != Value::Bool(true) && interval.seconds > 0.5;
        (counts && interval.rtt > 0.0 && interval.cwnd > 0.0).then_some(interval)
    };
    let intervals: Vec<Interval> = every.iter().filter_map(counted).collect();
    if intervals.len() < INTERVALS {
        return None;
    }
    let used = median(intervals.iter().map(|one| one.bytes / one.seconds * one.rtt / one.cwnd).collect());
    let again: f64 = every.iter().filter_map(|one| one["retransmits"].as_f64()).sum();
    let cwnd: Vec<f64> = intervals.iter().map(|one| one.cwnd).collect();
    let (least, largest) = cwnd.iter().fold((f64::MAX, 0.0_f64), |(a, b), cwnd| (a.min(*cwnd), b.max(*cwnd)));
    let rises = cwnd.windows(2).filter(|pair| pair[1] >= pair[0]).count();
    let grows = rises + 2 >= cwnd.len() && cwnd[cwnd.len() - 1] > 1.1 * cwnd[0];
    Some(match () {
        () if used < 0.75 && largest / least < 1.25 => Label::Window,
        () if used > 0.8 && grows && again <= 20.0 => Label::Growing,
        () if used > 0.85 && again > 20.0 => Label::Losses,
        () => Label::Other,
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}
