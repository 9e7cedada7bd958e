//! `card`: what people forward of a proof, a change or a run.

use crate::Failure;
use base::show;
use base::units::Unit;
use clap::Args;
use diagnosis::remedy::word;
use evidence::plain;
use hosts::field_run::FIELD;
use plan::run_folder::{PLAN, RunFolder, VERDICT};
use prove::{ChangeRow, Verdict, trials};
use results::card::{Bar, BarKind, Card};
use results::judge;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Write the card of a proof, an applied change or a run: what people forward
///
/// Ten lines of Markdown on standard output, and a figure beside the folder's files: what was measured, what limits it,
/// what was predicted for which change, what was changed, what was measured after it, and how to undo it. Neither has
/// an address.
#[derive(Args)]
pub struct Arguments {
    /// Folder of a proof, with the change that `goodput apply` made by it; folder of a run, of the lab or of real hosts; or
    /// what `goodput apply --measure …` printed as JSON.
    #[arg(value_name = "FOLDER|FILE")]
    source: PathBuf,
    /// File for the figure [default: card.svg in the folder].
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// The result of `goodput apply` with a proof, beside it.
pub const APPLIED: &str = "applied.json";
/// Largest saved output of `apply`, bytes.
const MAX_APPLIED_BYTES: u64 = 1 << 20;
/// Most comparisons of a run in words, and in bars.
const MAX_COMPARISONS: usize = 2;

pub fn execute(Arguments { source, svg }: &Arguments) -> Result<u8, Failure> {
    let (card, folder) = if let Some(home) = trials::home(source) {
        let applied = Some(home.join(APPLIED)).filter(|file| file.is_file()).map(|file| applied(&file)).transpose()?;
        (of_proof(&trials::kept(&home)?.in_lines(), applied.as_ref()), Some(home))
    } else if source.join(PLAN).is_file() {
        (of_run(source)?, Some(source.clone()))
    } else if source.is_file() {
        (of_change(&applied(source)?), None)
    } else {
        let what = format!("{} is no proof, no run and no saved output of `goodput apply`", plain::path(source));
        return Err(Failure(format!("{what}\n\nhint: name the folder that `goodput prove` or `goodput run` printed")));
    };
    out!("{}", card.markdown().trim_end());
    if let Some(file) = svg.clone().or(folder.map(|folder| folder.join("card.svg"))) {
        let refused = |error| Failure(format!("cannot write {}: {error}", plain::path(&file)));
        base::output::file(&file, &card.svg()).map_err(refused)?;
        note!("Figure: {}", plain::path(&file));
    }
    Ok(0)
}

/// What `goodput apply` did and measured.
struct Applied {
    changed: Vec<[String; 3]>,
    outcome: String,
    /// Mean goodput without and with the change, bit/s.
    goodput: Option<[f64; 2]>,
    predicted: Option<[f64; 2]>,
    sentence: String,
}

fn applied(file: &Path) -> Result<Applied, Failure> {
    let wrong = |what: &str| {
        Failure(format!("{} {what}\n\nhint: save the output of `goodput apply … --json`", plain::path(file)))
    };
    let size = fs::metadata(file).map_err(|error| wrong(&format!("cannot be read: {error}")))?.len();
    if size > MAX_APPLIED_BYTES {
        return Err(wrong("is larger than 1 MiB"));
    }
    let text = fs::read_to_string(file).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    let all: Value = serde_json::from_str(&text).map_err(|error| wrong(&format!("is not JSON: {error}")))?;
    if all["schema"] != goodput::schema::APPLY.id().as_str() {
        return Err(wrong("is not the output of `goodput apply`"));
    }
    let text = |value: &Value| plain::line(value.as_str().unwrap_or_default()).into_owned();
    let two = |value: &Value| Some([value[0].as_f64()?, value[1].as_f64()?]);
    let changed = all["changed"].as_array().into_iter().flatten();
    let pairs: Vec<[f64; 2]> = all["pairs"].as_array().into_iter().flatten().filter_map(two).collect();
    let mean = |side: usize| pairs.iter().map(|pair| pair[side]).sum::<f64>() / pairs.len() as f64;
    Ok(Applied {
        changed: changed.map(|one| ["change", "was", "new"].map(|key| text(&one[key]))).collect(),
        outcome: text(&all["outcome"]),
        goodput: (!pairs.is_empty()).then(|| [mean(0), mean(1)]),
        predicted: two(&all["predicted"]),
        sentence: text(&all["compared"]["sentence"]),
    })
}

impl Applied {
    fn say(&self, card: &mut Card) {
        let each = self.changed.iter().map(|[change, was, new]| format!("{change} (was {was}, is {new})"));
        let changed = each.collect::<Vec<_>>().join("; ");
        let is_made = self.outcome == "applied";
        card.say(
            "Changed",
            match self.outcome.as_str() {
                "applied" => changed,
                "nothing" => "nothing: it was so already".into(),
                _ => format!("{changed}; put back, as it was not better"),
            },
        );
        if let Some([_, after]) = self.goodput {
            let against = self.predicted.map_or(String::new(), |[low, high]| match after {
                less if less < low => format!(", below the predicted {}", show::range(Unit::BitsPerSecond, low, high)),
                more if more > high => format!(", above the predicted {}", show::range(Unit::BitsPerSecond, low, high)),
                _ => ", as predicted".into(),
            });
            card.say("Measured after", format!("{}{against}. {}", show::rate(after), self.sentence));
            card.bars.push(measured("with the change", after));
        }
        card.say(
            "Undo",
            if is_made { format!("`{}` on each host that was changed", word::UNDO) } else { "nothing to undo".into() },
        );
    }
}

fn measured(label: &str, goodput: f64) -> Bar {
    Bar { label: label.into(), from: goodput, to: Some(goodput), kind: BarKind::Measured }
}

fn of_change(applied: &Applied) -> Card {
    let mut card = Card { title: "A change, measured on the real path".into(), ..Card::default() };
    if let Some([before, _]) = applied.goodput {
        card.say("Measured", format!("{} without the change", show::rate(before)));
        card.bars.push(measured("without the change", before));
    }
    if let Some([low, high]) = applied.predicted {
        card.say("Predicted", show::range(Unit::BitsPerSecond, low, high));
        card.bars.push(Bar { label: "predicted".into(), from: low, to: Some(high), kind: BarKind::Predicted });
    }
    applied.say(&mut card);
    card
}

fn of_proof(verdict: &Verdict, applied: Option<&Applied>) -> Card {
    let line = verdict.rate.map_or("line rate unknown".into(), |rate| format!("{} line", show::rate(rate)));
    let mut card = Card { title: "Why a transfer is slow, and what helps".into(), ..Card::default() };
    card.say("Measured", format!("{}; {} RTT, {line}", show::rate(verdict.goodput), show::time(verdict.rtt)));
    card.bars.push(measured("measured", verdict.goodput));
    let causes: Vec<&str> = verdict.explanations.iter().map(|one| one.name.as_str()).collect();
    card.say(
        "Limit",
        match causes.is_empty() {
            true => format!("unknown: none of {} trials of the lab looks like this transfer", verdict.trials),
            false => format!(
                "{}, reproduced by the real TCP stack in a lab, {} trials",
                causes.join(", or "),
                verdict.trials
            ),
        },
    );
    let best = verdict.best();
    match best {
        Some(best) => {
            let confidence = best.confidence().word();
            card.say("Predicted", format!("{} with {}, {confidence} confidence", range(best), best.name));
            card.bars.push(predicted(best));
        }
        None => card.say("Predicted", "no change that was tried helps"),
    }
    if let Some(applied) = applied {
        applied.say(&mut card);
        return card;
    }
    // A run of the evidence with the change is an outcome too.
    let with_change: Vec<_> = verdict.compared.iter().filter(|one| !one.changed.is_empty()).collect();
    for one in &with_change {
        card.bars.push(measured(&format!("with {}", one.changed.join(" + ")), one.goodput.measured));
    }
    match with_change.first() {
        Some(one) => {
            let agrees = match one.agrees() {
                Some(true) => ", as predicted",
                Some(false) => ", not as predicted",
                None => ", which was not predicted",
            };
            card.say("Changed", one.changed.join(" + "));
            card.say("Measured after", format!("{}{agrees}", show::rate(one.goodput.measured)));
        }
        None => {
            card.say("Changed", "nothing yet");
            card.say(
                "Measured after",
                "not yet: `goodput apply FOLDER --to END` changes it, measures, and keeps it if it is better",
            );
        }
    }
    if let Some(best) = best {
        let undo = best.undo.iter().filter(|line| !line.starts_with('#'));
        card.say(
            "Undo",
            match best.apply.is_empty() {
                false => format!("`{}` on each host that was changed", word::UNDO),
                true => undo.map(|line| format!("`{line}`")).collect::<Vec<_>>().join("; "),
            },
        );
    }
    card
}

fn range(row: &ChangeRow) -> String {
    let [low, high] = row.goodput();
    if row.is_open() { format!("{} or more", show::rate(low)) } else { show::range(Unit::BitsPerSecond, low, high) }
}

fn predicted(row: &ChangeRow) -> Bar {
    let [low, high] = row.goodput();
    let to = (!row.is_open()).then_some(high);
    Bar { label: format!("predicted: {}", row.name), from: low, to, kind: BarKind::Predicted }
}

fn of_run(path: &Path) -> Result<Card, Failure> {
    let folder = RunFolder::existing(path)?;
    let plan = folder.plan()?;
    let verdict: judge::Verdict = folder.read_json(VERDICT)?;
    let is_real = folder.folder().has(FIELD);
    let mut card = Card { title: plan.title.clone(), ..Card::default() };
    let place = if is_real { "between real hosts" } else { "by the real TCP stack in a lab, in virtual time" };
    card.say("Measured", format!("{} trials {place}", plan.trials.len()));
    let limits = verdict.causes.iter().map(|one| &one.sentence).chain(verdict.limits.iter().map(|one| &one.sentence));
    card.say("Limit", limits.map(String::as_str).next().unwrap_or("not decided"));
    let expected = verdict.expectations.iter().map(|one| one.sentence.as_str());
    card.say(
        "Predicted",
        Some(expected.collect::<Vec<_>>().join(" ")).filter(|all| !all.is_empty()).unwrap_or("nothing".into()),
    );
    let goodput: Vec<_> = verdict.comparisons.iter().filter(|one| one.measure == "goodput").collect();
    let shown = if goodput.is_empty() { verdict.comparisons.iter().collect() } else { goodput.clone() };
    let shown = &shown[..shown.len().min(MAX_COMPARISONS)];
    let changes: Vec<String> = shown.iter().map(|one| format!("{} in place of {}", one.other, one.base)).collect();
    card.say("Changed", if changes.is_empty() { "nothing: one point".into() } else { changes.join("; ") });
    card.say(
        "Measured after",
        match shown.is_empty() {
            false => shown.iter().map(|one| one.sentence.as_str()).collect::<Vec<_>>().join(" "),
            true => verdict
                .summaries
                .iter()
                .map(|one| one.sentence.as_str())
                .take(MAX_COMPARISONS)
                .collect::<Vec<_>>()
                .join(" "),
        },
    );
    card.say(
        "Undo",
        if is_real { "nothing: a run on real hosts changes no setting" } else { "nothing: no host was changed" },
    );
    for one in goodput.into_iter().take(MAX_COMPARISONS) {
        let sides = [&one.base, &one.other].into_iter().zip(&one.estimates);
        let new = sides.filter_map(|(name, estimate)| Some(measured(name, estimate.as_ref()?.value)));
        new.for_each(|bar| {
            if !card.bars.contains(&bar) {
                card.bars.push(bar)
            }
        });
    }
    Ok(card)
}
