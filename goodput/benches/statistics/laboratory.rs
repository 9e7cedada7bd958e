//! Comparisons of trials in the real laboratory: sets of seeds drawn from a pool of many.

use crate::random::Random;
use crate::table::{Share, table};
use base::stats::{Conclusion, MARGIN, SEEDS, Samples, compare, conclude};
use plan::run_folder::RunFolder;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const EXPERIMENT: &str = include_str!("aa.toml");

/// How large the pool is, and how many comparisons are drawn from it.
pub struct Effort {
    pub seeds: u64,
    pub comparisons: u64,
}

/// Goodput of each seed of both configurations, bit/s.
struct Pools {
    a: Vec<f64>,
    b: Vec<f64>,
}

/// Draws the values of one comparison; whether a difference is declared.
type Drawn = fn(&Pools, &mut Random) -> bool;

/// Name of a comparison, whether there is a difference to find, and how its samples are drawn.
const COMPARISONS: [(&str, bool, Drawn); 4] = [
    ("A and A, two sets of seeds", false, |pools, random| {
        let [one, other] = two_sets(pools, random);
        is_different(Samples::Unpaired(&of(&pools.a, &one), &of(&pools.a, &other)))
    }),
    ("A and A, two sets of seeds as pairs", false, |pools, random| {
        let [one, other] = two_sets(pools, random);
        is_different(Samples::Paired(&pairs(of(&pools.a, &one), of(&pools.a, &other))))
    }),
    ("A and B, two sets of seeds", true, |pools, random| {
        let [one, other] = two_sets(pools, random);
        is_different(Samples::Unpaired(&of(&pools.a, &one), &of(&pools.b, &other)))
    }),
    ("A and B, the same seeds", true, |pools, random| {
        let seeds = random.choose(SET, pools.a.len());
        is_different(Samples::Paired(&pairs(of(&pools.a, &seeds), of(&pools.b, &seeds))))
    }),
];

/// Seeds of one side.
const SET: usize = SEEDS as usize;
/// The share of differences that may be declared where there is none.
const MOST_FALSE: f64 = 0.05;
/// The share of differences of 5 % that must be found.
const LEAST_FOUND: f64 = 0.90;

fn of(pool: &[f64], seeds: &[usize]) -> Vec<f64> {
    seeds.iter().map(|seed| pool[*seed]).collect()
}

fn two_sets(pools: &Pools, random: &mut Random) -> [Vec<usize>; 2] {
    let mut seeds = random.choose(2 * SET, pools.a.len());
    let other = seeds.split_off(SET);
    [seeds, other]
}

fn pairs(a: Vec<f64>, b: Vec<f64>) -> Vec<[f64; 2]> {
    a.into_iter().zip(b).map(|(a, b)| [a, b]).collect()
}

fn is_different(samples: Samples) -> bool {
    let test = compare(samples, MARGIN).and_then(|found| found.test);
    test.is_some_and(|test| conclude(test.p, test.p_equivalent) == Conclusion::Different)
}

/// Runs both configurations and compares them; the table.
pub fn compared(effort: &Effort) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let pools = run(folder.path(), effort.seeds)?;
    if pools.a.len() < 2 * SET {
        return Err(format!("{} seeds are too few for two sets of {SET}", pools.a.len()));
    }
    let row = |(what, differ, drawn): &(&str, bool, Drawn)| {
        let mut random = Random::new(what);
        let share = Share::of(effort.comparisons, || drawn(&pools, &mut random));
        let [lower, upper] = [share.lower(), share.upper()].map(|bound| format!("{:.1}", 100.0 * bound));
        let (wanted, bound, met) = if *differ {
            ("found in 90 or more", format!("at least {lower}"), share.share() >= LEAST_FOUND)
        } else {
            ("declared in 5 or fewer", format!("at most {upper}"), share.share() <= MOST_FALSE)
        };
        let met = if met { "met" } else { "missed" };
        vec![(*what).to_owned(), wanted.into(), share.text(), bound, met.into()]
    };
    let all = compare(Samples::Paired(&pairs(pools.a.clone(), pools.b.clone())), MARGIN).ok_or("no goodput")?;
    let heading = format!(
        "{} comparisons of {SET} seeds a side, from pools of {}; B has {:.2} % less goodput than A, and from seed to seed it \
         varies by {:.1} % in A and {:.1} % in B (standard deviation over mean)",
        effort.comparisons,
        pools.a.len(),
        100.0 * (1.0 - all.effect),
        100.0 * variation(&pools.a),
        100.0 * variation(&pools.b),
    );
    Ok(table(
        &heading,
        &["comparison", "a difference is, %", "was, %", "bound at 95 %", ""],
        &COMPARISONS.each_ref().map(row),
    ))
}

fn variation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (squares / (count - 1.0)).sqrt() / mean
}

fn run(folder: &Path, seeds: u64) -> Result<Pools, String> {
    let (spec, out) = (folder.join("aa.toml"), folder.join("run"));
    let text = EXPERIMENT.replace("seeds = 1000", &format!("seeds = {seeds}"));
    fs::write(&spec, text).map_err(|e| e.to_string())?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.arg("run").arg(&spec).arg("--out").arg(&out).arg("--json");
    let ended = command.stdin(Stdio::null()).stdout(Stdio::null()).status().map_err(|e| e.to_string())?;
    if !ended.success() {
        return Err(format!("goodput run ended with {ended}"));
    }
    let run = RunFolder::existing(&out).map_err(|e| e.to_string())?;
    let (plan, measures) = lab::run::measured(&run).map_err(|e| e.to_string())?;
    let goodput = |trials: &[plan::Trial]| {
        trials.iter().map(|trial| measures.value(trial, "goodput")).collect::<Option<Vec<f64>>>()
    };
    match plan.points()[..] {
        [a, b] => Ok(Pools { a: goodput(a).ok_or("no goodput")?, b: goodput(b).ok_or("no goodput")? }),
        _ => Err("aa.toml has not two points".into()),
    }
}
