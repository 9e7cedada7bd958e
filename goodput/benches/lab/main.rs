//! goodput's performance figures and their targets, measured on this machine; docs/explanation/performance.md defines
//! each figure.
//!
//! `cargo bench -p goodput --bench lab`, with `-- --quick` for shorter runs and `-- "NAME"` for one group of FIGURES. A missed target is printed and no error.
#![forbid(unsafe_code)]

mod cpu;
mod figures;
mod laboratory;
mod load;
#[path = "../namespaces/mod.rs"]
mod namespaces;
mod native;
mod table;

use std::process::ExitCode;
use std::time::Instant;
use table::Row;

/// How long and how often things are run.
pub struct Effort {
    /// Runs of everything that is compared.
    repetitions: usize,
    /// Virtual seconds of the long trials.
    long: u32,
    /// Virtual seconds of the trials that are compared.
    compared: u32,
}

const FULL_EFFORT: Effort = Effort { repetitions: 5, long: 300, compared: 20 };
const QUICK_EFFORT: Effort = Effort { repetitions: 1, long: 20, compared: 4 };

type Figure = fn(&Effort) -> Result<Vec<Row>, String>;

const FIGURES: &[(&str, Figure)] = &[
    ("cost per packet", figures::cost_per_packet),
    ("FreeBSD's stack", figures::freebsd),
    ("instructions per packet", figures::instructions_per_packet),
    ("speed", figures::speed),
    ("crowds", figures::crowds),
    ("start and memory", figures::start_and_memory),
    ("exactness", figures::exactness),
    ("cost of recording", figures::cost_of_recording),
    ("cost of walls", figures::cost_of_walls),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(end) = native::hidden_role(&arguments) {
        return end;
    }
    let effort = if arguments.iter().any(|a| a == "--quick") { QUICK_EFFORT } else { FULL_EFFORT };
    let wanted = arguments.iter().find(|a| !a.starts_with('-'));
    let others = load::busy();
    let began = Instant::now();
    let mut failed = false;
    let mut rows = vec![];
    for (name, figure) in FIGURES.iter().filter(|(name, _)| wanted.is_none_or(|wanted| wanted == name)) {
        eprintln!("{name} …");
        match figure(&effort) {
            Ok(more) => rows.extend(more),
            Err(why) => {
                failed = true;
                rows.push(Row::missing(name, &why));
            }
        }
    }
    println!("{}", cpu::machine());
    println!("{}", load::quiet([others, load::busy()]));
    println!("Medians of {} runs side by side, lowest to highest in brackets.\n", effort.repetitions);
    println!("{}", table::text(&rows));
    println!("The whole took {:.0} s.", began.elapsed().as_secs_f64());
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
