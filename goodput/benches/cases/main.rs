//! The figures of `docs/cases/` and of FreeBSD's page: runs the experiments that the pages name, and holds the pages to what they print.
//!
//! `make cases`; `BLESS=1` writes the pages and their pictures. Names of experiments as arguments run these alone. Trials
//! come from the cache if they have been run before.
#![forbid(unsafe_code)]

mod blocks;
mod figures;
#[path = "../kept/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the pages of other benches have one block each")]
mod kept;
mod reasons;

use plan::run_folder::{self, RunFolder};
use results::judge::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Longest experiment, seconds.
const MAX_RUN_S: u32 = 900;

/// Characters of a line of an answer.
const WIDTH: usize = 100;

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    match hold(&names) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Whether every page is as it should be.
fn hold(names: &[String]) -> Result<bool, String> {
    let bless = std::env::var_os("BLESS").is_some();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|other| other == name);
    let mut runs: BTreeMap<String, Run> = BTreeMap::new();
    let mut right = true;
    for path in pages()? {
        let page = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let shown = blocks::figures(&page);
        let of_blocks = blocks::blocks(&page);
        let of_blocks = of_blocks.iter().filter(|block| blocks::OF_EXPERIMENTS.contains(&block.kind));
        for name in of_blocks.map(|block| block.of).chain(shown.iter().map(|(name, _)| *name)) {
            if wanted(name) && !runs.contains_key(name) && has_kernels(name)? {
                runs.insert(name.into(), Run::new(name)?);
            }
        }
        for run in runs.values_mut() {
            right &= run.unexplained.drain(..).map(|why| eprintln!("{why}")).count() == 0;
        }
        let due = blocks::rewritten(&page, |block| {
            let run = runs.get(block.of)?;
            Some((run.hash.clone(), if block.kind == "figures" { run.figures.clone() } else { run.answer.clone() }))
        });
        right &= kept(&path, due.as_bytes(), bless)?;
        for (name, figure) in shown {
            let Some(run) = runs.get(name) else { continue };
            let svg = fs::read(run.folder.join(format!("{figure}.svg")))
                .map_err(|e| format!("{}: {name} has no {figure}.svg: {e}", path.display()))?;
            right &= kept(&path.with_file_name(format!("{name}-{figure}.svg")), &svg, bless)?;
        }
    }
    Ok(right)
}

/// Whether all guest kernels that an experiment names are here; those with FreeBSD's stack need its sources.
fn has_kernels(name: &str) -> Result<bool, String> {
    let text = fs::read_to_string(spec(name)).map_err(|e| format!("{name}: {e}"))?;
    let named = text.lines().filter_map(|line| line.strip_prefix("kernel")?.trim_start().strip_prefix('='));
    let named = named.filter_map(|value| value.split('"').nth(1));
    let missing: BTreeSet<&str> = named.filter(|name| lab::kernel::find(Some(name)).is_err()).collect();
    if !missing.is_empty() {
        let missing: Vec<&str> = missing.into_iter().collect();
        eprintln!("{name}: left as it is, without the kernels {} (make kernels-all)", missing.join(", "));
        return Ok(false);
    }
    Ok(true)
}

fn spec(name: &str) -> PathBuf {
    Path::new(kept::page::ROOT).join(format!("examples/{name}.toml"))
}

/// The case pages, and the page of FreeBSD's figures.
fn pages() -> Result<Vec<PathBuf>, String> {
    let folder = Path::new(kept::page::ROOT).join("docs/cases");
    let files = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut pages: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.push(Path::new(kept::page::ROOT).join("docs/explanation/freebsd-figures.md"));
    pages.sort();
    Ok(pages)
}

/// Compares a file with what it should be, or writes it.
fn kept(path: &Path, due: &[u8], bless: bool) -> Result<bool, String> {
    if fs::read(path).is_ok_and(|held| held == due) {
        return Ok(true);
    }
    if bless {
        return fs::write(path, due).map(|()| true).map_err(|e| format!("{}: {e}", path.display()));
    }
    eprintln!("{} differs\nhint: BLESS=1 make cases, and look at what has changed", path.display());
    Ok(false)
}

/// What a page shows of an experiment's run.
struct Run {
    folder: PathBuf,
    hash: String,
    figures: String,
    answer: String,
    /// Cells that are off, and nothing says why.
    unexplained: Vec<String>,
}

impl Run {
    fn new(name: &str) -> Result<Run, String> {
        let began = Instant::now();
        let spec = spec(name);
        let text = fs::read(&spec).map_err(|e| format!("{}: {e}", spec.display()))?;
        let run = kept::run("cases", name, &spec, MAX_RUN_S)?;
        eprintln!("{name}: {:.0} s", began.elapsed().as_secs_f64());
        let folder = kept::folder("cases", name, &spec)?;
        let (table, unexplained) = figures::of(name, &run)?;
        Ok(Run { hash: blocks::hash(&text), figures: table, answer: answer(&run)?, folder, unexplained })
    }
}

/// The verdict's comparisons and findings, as `goodput run` prints them.
fn answer(run: &RunFolder) -> Result<String, String> {
    let verdict: Verdict = run.read_json(run_folder::VERDICT).map_err(|e| e.to_string())?;
    let compared = verdict.comparisons.iter().map(|compared| compared.full_sentence());
    let found = verdict.findings.into_iter().map(|finding| finding.sentence);
    let summed = verdict.summaries.into_iter().map(|summary| summary.sentence);
    let sentences: Vec<String> = compared.chain(verdict.not_compared.clone()).chain(found).chain(summed).collect();
    let text: String = sentences.iter().map(|sentence| base::show::paragraph("", sentence, WIDTH)).collect();
    Ok(format!("```text\n{text}```\n"))
}
