//! `docs/cases/`: blocks of experiments are of the tree's experiments, and commands print what the pages say. `make cases`
//! writes the former, `BLESS=1 cargo test -p goodput --test it cases::` the latter.

#[path = "../../benches/cases/blocks.rs"]
mod blocks;

use crate::tidy::{sources, text};
use blocks::{OF_EXPERIMENTS, blocks, figures, hash, rewritten};
use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Starts of paragraphs of an output that a page shows, beside the first one.
const SHOWN: [&str; 5] = ["Fix:", "Answer:", "Now, as root", "Keep it over a reboot", "Undo"];

fn pages() -> Vec<String> {
    let pages: Vec<String> = sources(".md").into_iter().filter(|path| path.starts_with("docs/cases/")).collect();
    assert!(pages.len() >= 5, "a page for each founding document: {pages:?}");
    pages
}

#[test]
fn figures_are_of_the_experiments_as_they_are() {
    let mut checked = 0;
    for page in pages() {
        let page_text = text(&page);
        for block in blocks(&page_text).into_iter().filter(|block| OF_EXPERIMENTS.contains(&block.kind)) {
            let file = format!("examples/{}.toml", block.of);
            let now = fs::read(Path::new(ROOT).join(&file)).unwrap_or_else(|_| panic!("{page} names {file}"));
            assert_eq!(block.hash, hash(&now), "{page}: {file} has changed since: BLESS=1 make cases");
            assert!(
                page_text.contains(&format!("goodput run {file}")),
                "{page} lacks the command of its figures, {file}"
            );
            checked += 1;
        }
        for (name, figure) in figures(&page_text) {
            let is_run =
                blocks(&page_text).iter().any(|block| block.of == name && OF_EXPERIMENTS.contains(&block.kind));
            assert!(is_run, "{page}: {name}-{figure}.svg is of an experiment without figures there");
            assert!(
                Path::new(ROOT).join(format!("docs/cases/{name}-{figure}.svg")).is_file(),
                "{page}: {name}-{figure}.svg"
            );
        }
    }
    assert!(checked > 8, "{checked} blocks found: pages read otherwise than this test expects");
}

#[test]
fn commands_print_what_the_pages_say() {
    let mut checked = 0;
    for page in pages() {
        let held = text(&page);
        let due = rewritten(&held, |block| {
            (block.kind == "command").then(|| {
                checked += 1;
                (String::new(), format!("```text\n{}```\n", shown(block.of, &printed(block.of))))
            })
        });
        if std::env::var_os("BLESS").is_some() {
            fs::write(Path::new(ROOT).join(&page), &due).unwrap();
        } else {
            assert_eq!(held, due, "{page}: BLESS=1 cargo test -p goodput --test it cases::");
        }
    }
    assert!(checked >= 5, "{checked} commands found: pages read otherwise than this test expects");
}

/// Output of a command of goodput, in the tree.
fn printed(command: &str) -> String {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("goodput"), "{command}");
    let output = Command::new(env!("CARGO_BIN_EXE_goodput")).args(words).current_dir(ROOT).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The first paragraph of an output, which is the answer, and those that begin with [`SHOWN`]; of advice only these.
fn shown(command: &str, printed: &str) -> String {
    let answers = usize::from(!command.starts_with("goodput advise"));
    let (mut out, mut is_cut) = (String::new(), false);
    for (place, paragraph) in printed.trim_end().split("\n\n").enumerate() {
        if place >= answers && !SHOWN.iter().any(|start| paragraph.starts_with(start)) {
            is_cut = true;
            continue;
        }
        if std::mem::take(&mut is_cut) {
            out += "[...]\n";
        }
        out += paragraph.trim_end();
        out.push('\n');
    }
    if is_cut { out + "[...]\n" } else { out }
}
