//! goodput on transfers between clouds that others measured repeatedly.
//!
//! `WORLD=path make world` reads a checkout or an archive of `kfirtoledo/CloudPilot_Project` at 64b2bb8, labels each
//! series of repeats by physics, draws some of each label with a fixed seed, and prints how often the diagnosis names
//! that label as the problem: first for the half that no rule was made with. `WORLD_SERIES=12` sets the number of
//! series of each label, `-- --misses` prints every missed run of the development half. `-- --prove` proves one run of
//! each series and compares its repeats; `WORLD_BUDGET=60s` is the budget of each, and `WORLD_PART=kept` takes the
//! other half. `-- --proxy` prints the gain from proxies and how well it is predicted, `-- --sizes` the duration of
//! transfers of a size and how well it is predicted; `WORLD_EVERY=3` takes every third of these.
#![forbid(unsafe_code)]

mod diagnose;
#[path = "../kept/inside.rs"]
mod inside;
#[path = "../kept/page.rs"]
mod page;
mod prove;
mod proxy;
mod series;
mod sizes;
mod split;

use page::Page;
use series::Part;
use std::path::PathBuf;
use std::process::ExitCode;

const PAGE: Page = Page {
    path: "docs/diagnosis.md",
    marks: ["<!-- begin world -->\n", "<!-- end world -->\n"],
    command: "WORLD=path make world",
    lasting: |tables| tables,
};

/// Series of each label that are drawn; `growing` has the fewest, 13 in the development half.
const SERIES: usize = 12;
/// Repeats of a series that are read.
const REPEATS: usize = 10;
/// Budget of a proof, on two cores.
const BUDGET: &str = "60s";
/// The seed of the draw.
const SEED: u64 = 51;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    match table(&arguments) {
        Ok((text, is_page)) => {
            print!("{text}");
            if !is_page || PAGE.hold(&text) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The table, and whether it is the one that docs/diagnosis.md shows.
fn table(arguments: &[String]) -> Result<(String, bool), String> {
    let root = std::env::var_os("WORLD").map(PathBuf::from);
    let root = root.ok_or("WORLD is not set\n\nhint: WORLD=path make world, of a checkout of CloudPilot_Project")?;
    let budget = std::env::var("WORLD_BUDGET").unwrap_or(BUDGET.to_owned());
    let every = std::env::var("WORLD_EVERY").ok().and_then(|every| every.parse().ok()).unwrap_or(1).max(1);
    if arguments.iter().any(|a| a == "--proxy") {
        return Ok((proxy::table(&root, every, &|set| split::predicted(set, &budget))?, false));
    }
    if arguments.iter().any(|a| a == "--sizes") {
        return Ok((sizes::table(&proxy::results(&root), every, &budget)?, false));
    }
    let wanted = std::env::var("WORLD_SERIES").ok().and_then(|count| count.parse().ok()).unwrap_or(SERIES);
    let drawn = |part| series::find(&root, part).map(|all| series::draw(all, wanted, REPEATS, SEED));
    if arguments.iter().any(|a| a == "--prove") {
        let is_kept = std::env::var("WORLD_PART").is_ok_and(|part| part == "kept");
        let proven = prove::outcomes(&drawn(if is_kept { Part::Kept } else { Part::Development })?, &budget)?;
        return Ok((prove::lines(&proven) + &prove::table(&proven), false));
    }
    let development = diagnose::outcomes(&drawn(Part::Development)?)?;
    if arguments.iter().any(|a| a == "--misses") {
        return Ok((diagnose::misses(&development), false));
    }
    let kept = diagnose::table("the kept half", &diagnose::outcomes(&drawn(Part::Kept)?)?);
    let development = diagnose::table("the half that the rules were made with", &development);
    Ok((format!("{kept}\n{development}"), wanted == SERIES))
}
