//! How often the diagnosis is right on output of real programs; docs/diagnosis-lab.md has the tables.
//!
//! `cargo bench --package goodput --bench real` records missing paths (half a minute each on one core), and evaluates
//! the held-out paths; `-- --tuning` the others, with every miss. Names of causes select paths, `--number=3` selects
//! those of that number, `--kept` the recorded ones; `--record` evaluates nothing. `BLESS=1` writes the tables.
#![forbid(unsafe_code)]

mod counted;
#[path = "../kept/mod.rs"]
mod kept;
mod label;
mod paths;
mod record;
mod score;
mod tables;

use kept::Page;
use label::Label;
use paths::Path;
use record::Recorded;
use score::Tier;
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::thread;
use tables::Outcomes;

const PAGE: Page = Page {
    path: "docs/diagnosis-lab.md",
    marks: ["<!-- begin real -->\n", "<!-- end real -->\n"],
    command: "make real",
    lasting: |tables| tables,
};

/// Paths that are recorded side by side.
const SIDE_BY_SIDE: usize = 1;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let tuning = arguments.iter().any(|a| a == "--tuning");
    let names: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    let number: Option<usize> = arguments.iter().find_map(|a| a.strip_prefix("--number=")?.parse().ok());
    for program in ["iperf3", "ping", "ss", "sysctl", "tcpdump", "timeout", "xz"] {
        let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
        if !found.is_ok_and(|found| found.status.success()) {
            eprintln!(
                "{program} is missing\n\nhint: apt-get install iperf3 iputils-ping iproute2 procps tcpdump xz-utils"
            );
            return ExitCode::FAILURE;
        }
    }
    let named = |path: &Path| names.is_empty() || names.iter().any(|name| path.name.starts_with(name.as_str()));
    let kept = arguments.iter().any(|a| a == "--kept");
    let numbered = |path: &Path| number.is_none_or(|number| path.number == number);
    let half = |path: &Path| path.is_held_out() != tuning;
    let wanted: Vec<Path> =
        paths::all().into_iter().filter(|path| half(path) && numbered(path) && named(path)).collect();
    let wanted: Vec<Path> = wanted.into_iter().filter(|path| !kept || record::is_recorded(path)).collect();
    if arguments.iter().any(|a| a == "--record") {
        let failed = recorded(&wanted).into_iter().filter_map(Result::err).inspect(|why| eprintln!("{why}")).count();
        return if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match measure(&wanted) {
        Ok((text, outcomes)) => {
            println!("{text}");
            if tuning || !names.is_empty() || number.is_some() {
                print!("{}", tables::misses(&outcomes));
                return ExitCode::SUCCESS;
            }
            if PAGE.hold(&text) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn measure(paths: &[Path]) -> Result<(String, Outcomes), String> {
    let mut outcomes = Outcomes::new();
    let (mut failed, mut unlabelled) = (vec![], vec![]);
    for (path, recorded) in paths.iter().zip(recorded(paths)) {
        let recorded = match recorded {
            Ok(recorded) => recorded,
            Err(why) => {
                failed.push(format!("{}: {why}", path.name));
                continue;
            }
        };
        let Some(label) = Label::of(path, &recorded.counted) else {
            unlabelled.push(path.name.as_str());
            continue;
        };
        for told in [true, false] {
            for tier in Tier::ALL {
                let outcome = score::outcome(path, &recorded, &label, tier, told)?;
                outcomes.entry((told, tier)).or_default().push(outcome);
            }
        }
    }
    failed.iter().for_each(|why| eprintln!("{why}"));
    if outcomes.is_empty() {
        return Err("no path was recorded".into());
    }
    let mut text = tables::all(&outcomes);
    if !unlabelled.is_empty() {
        text += &format!(
            "\nLeft out, as neither the line was full nor what was built in limited: {}.\n",
            unlabelled.join(", ")
        );
    }
    Ok((text, outcomes))
}

/// Records paths side by side; the results are in their order.
fn recorded(paths: &[Path]) -> Vec<Result<Recorded, String>> {
    let next = Mutex::new(0..paths.len());
    let all: Vec<Mutex<Option<Result<Recorded, String>>>> = paths.iter().map(|_| Mutex::new(None)).collect();
    let take = || next.lock().ok()?.next();
    thread::scope(|scope| {
        for _ in 0..SIDE_BY_SIDE {
            scope.spawn(|| {
                while let Some(number) = take() {
                    let one = record::record(&paths[number]);
                    if let Ok(mut place) = all[number].lock() {
                        *place = Some(one);
                    }
                }
            });
        }
    });
    let of =
        |one: Mutex<Option<Result<Recorded, String>>>| one.into_inner().ok().flatten().unwrap_or(Err("lost".into()));
    all.into_iter().map(of).collect()
}
