//! Error rates of the statistics against their nominal ones; docs/reference/statistics.md has the tables.
//!
//! `cargo bench -p goodput --bench statistics`, with `-- simulation` or `-- laboratory` for one part, `--quick` for a look.
//! A missed figure is marked and no error. The simulation is the same in each run.
#![forbid(unsafe_code)]

mod comparisons;
mod coverage;
mod laboratory;
mod modes;
mod random;
mod table;

use base::stats::Centre;
use laboratory::Effort;
use std::process::ExitCode;
use std::time::Instant;

/// A part: given whether to be quick, its tables.
type Part = fn(bool) -> Result<Vec<String>, String>;

const TABLES: [(&str, Part); 2] = [("simulation", simulation), ("laboratory", in_laboratory)];

fn simulation(quick: bool) -> Result<Vec<String>, String> {
    let [many, few] = if quick { [200, 100] } else { [10_000, 2000] };
    Ok(vec![
        coverage::of_centre(Centre::Mean, many),
        coverage::of_centre(Centre::Median, many),
        coverage::of_series(many),
        coverage::of_stopping(few),
        comparisons::simulated(few),
        modes::false_alarms(many),
        modes::power(many),
        coverage::cost(),
    ])
}

fn in_laboratory(quick: bool) -> Result<Vec<String>, String> {
    let seeds = if quick { 40 } else { 1000 };
    laboratory::compared(&Effort { seeds, comparisons: 1000 }).map(|table| vec![table])
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let all = !TABLES.iter().any(|(name, _)| has(name));
    let mut failed = false;
    for (name, part) in TABLES.iter().filter(|(name, _)| all || has(name)) {
        eprintln!("{name} …");
        let began = Instant::now();
        match part(has("--quick")) {
            Ok(tables) => tables.iter().for_each(|table| println!("{table}")),
            Err(why) => {
                eprintln!("{name}: {why}");
                failed = true;
            }
        }
        println!("The {name} took {:.0} s.\n", began.elapsed().as_secs_f64());
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
