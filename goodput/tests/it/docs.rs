//! The site: every page has a place and a length, and its commands and experiments are goodput's.

use crate::manual::{commands, goodput};
use crate::tidy::{sources, text};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

const CONTENTS: &str = "docs/SUMMARY.md";

/// Most lines of a page, by the first part of its path that fits.
const LENGTHS: &[(&str, usize)] = &[
    ("README.md", 120),
    ("docs/cases/", 100),
    ("docs/how-to/", 100),
    ("docs/tutorial/", 150),
    ("docs/symptoms.md", 100),
    ("docs/alternatives.md", 100),
    ("docs/explanation/", 190),
];

/// Pages about decisions: they keep the words of their time.
const RECORDS: &[&str] = &["docs/decisions/"];

#[test]
fn every_page_is_in_the_table_of_contents_once() {
    let listed: Vec<String> = links(CONTENTS).map(|(_, path)| path).collect();
    let once: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(once.len(), listed.len(), "{CONTENTS} lists a page twice");
    let missing: Vec<String> = pages()
        .into_iter()
        .filter(|path| path.starts_with("docs/") && path != CONTENTS && !listed.contains(path))
        .collect();
    assert_eq!(missing, Vec::<String>::new(), "add a line for each to {CONTENTS}");
}

/// A page that is not in the table of contents is not built, and a file that `scripts/site` does not copy is not there.
#[test]
fn the_site_has_what_its_pages_link_to() {
    let script = text("scripts/site");
    let copied = script.split_once("linked='").and_then(|(_, rest)| rest.split_once('\'')).expect("the list").0;
    let copied: Vec<&str> = copied.split_whitespace().chain(["docs"]).collect();
    let listed: BTreeSet<String> = links(CONTENTS).map(|(_, path)| path).collect();
    assert!(listed.len() > 80, "{CONTENTS} reads otherwise than this test expects: {listed:?}");
    let mut wrong = vec![];
    for page in &listed {
        for (target, path) in links(page) {
            let is_copied = copied.iter().any(|name| path == *name || Path::new(&path).starts_with(name));
            let is_page = !path.ends_with(".md") || listed.contains(&path);
            let is_file = Path::new(ROOT).join(&path).is_file();
            if !(is_copied && is_page && is_file) {
                wrong.push(format!("{page}: {target}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "link to a page of {CONTENTS}, or to a file that scripts/site copies");
}

#[test]
fn pages_have_their_length() {
    for page in pages() {
        let Some((_, most)) = LENGTHS.iter().find(|(part, _)| page.starts_with(part)) else { continue };
        let lines = text(&page).lines().count();
        assert!(lines <= *most, "{page}: {lines} lines; split it, or move what is looked up to docs/reference");
    }
}

/// Commands that goodput starts itself, and `--help` does not list.
const HIDDEN: &[&str] = &["guest", "man"];

#[test]
fn commands_of_pages_have_the_options_that_they_use() {
    let helps = helps();
    let (mut checked, mut wrong) = (0, vec![]);
    for page in pages().into_iter().filter(|page| !RECORDS.iter().any(|part| page.starts_with(part))) {
        for command in commands_of(&text(&page)) {
            checked += 1;
            let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches(['[', ']'])).collect();
            let nested = words.iter().take(2).copied().collect::<Vec<_>>().join(" ");
            let Some(help) = helps.get(&nested).or_else(|| helps.get(words[0])) else {
                if !HIDDEN.contains(&words[0]) {
                    wrong.push(format!("{page}: goodput {command}"));
                }
                continue;
            };
            let options = words.iter().filter(|word| word.starts_with("--"));
            let options = options.map(|word| word.split(['=', ',']).next().unwrap_or(word));
            let unknown =
                options.filter(|option| !help.split_whitespace().any(|word| word.trim_matches(',') == *option));
            wrong.extend(unknown.map(|option| format!("{page}: {option} of goodput {command}")));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(checked > 120, "{checked} commands found: pages read otherwise than this test expects");
}

/// Arguments after `goodput` in a page's shell blocks, and in its text between backticks.
fn commands_of(page: &str) -> Vec<String> {
    let blocks = blocks(page, "sh");
    let lines = blocks.iter().flat_map(|block| block.lines()).map(|line| line.split(" #").next().unwrap_or(""));
    let shell = lines.flat_map(|line| line.split(['|', ';', '&', '`', '('])).map(str::trim);
    let prose: Vec<&str> = page.split("\n```").step_by(2).collect();
    let inline = prose.iter().flat_map(|text| text.split('`').skip(1).step_by(2));
    let named = shell.chain(inline).filter_map(|command| command.strip_prefix("goodput "));
    named.filter(|command| command.starts_with(char::is_alphabetic)).map(str::to_owned).collect()
}

/// Whole experiments, which have a title; kernels that they name are the reader's.
#[test]
fn experiments_of_pages_are_valid() {
    let mut checked = 0;
    for page in pages().into_iter().filter(|page| page.starts_with("docs/") || page == "README.md") {
        for block in blocks(&text(&page), "toml").iter().filter(|block| block.starts_with("title")) {
            checked += 1;
            if let Err(errors) = experiment::plan(&page, block, &[]) {
                panic!("{errors}");
            }
        }
    }
    assert!(checked > 8, "{checked} experiments found: pages read otherwise than this test expects");
}

/// The first answer that a reader sees is the one that goodput prints.
#[test]
fn the_first_answer_is_what_diagnose_prints() {
    let listing = Path::new(ROOT).join("examples/listings/hong-kong-new-york.txt");
    let listing = listing.to_str().expect("a path");
    let printed = goodput(&["diagnose", listing, "--rtt", "210ms", "--rate", "1Gbit/s"]);
    for page in ["README.md", "docs/tutorial/slow-transfer.md"] {
        let blocks = blocks(&text(page), "text");
        let shown = blocks.iter().find(|block| block.contains("Loss-limited: ")).expect("an answer");
        let shown = shown.lines().filter(|line| !line.starts_with("$ ")).collect::<Vec<_>>().join("\n");
        for part in shown.split("[...]") {
            assert!(printed.contains(part.trim()), "{page} shows\n{part}\nand goodput prints\n{printed}");
        }
    }
}

/// The summary for readers has the counts that the bench writes.
#[test]
fn validation_is_summed_up_as_it_is() {
    let rows = text("docs/reference/validation.md");
    let cell = |start: &str| {
        let row = rows.lines().find_map(|line| line.strip_prefix(start)).unwrap_or_else(|| panic!("no row {start}"));
        row.split(|c: char| !c.is_ascii_digit()).find(|number| !number.is_empty()).expect("a number").to_owned()
    };
    let (all, within) = (cell("| of "), cell("| within 10 % of what was published, or of its formula |"));
    let explained = cell("| off, and another row shows why |");
    let open = cell("| off: not reproduced, or the reason is not proven |");
    let due = format!("| **all rows so far** | | **{within} of {all}** | **{explained} explained, {open} open** |");
    let page = text("docs/explanation/validation.md");
    assert!(page.contains(&due), "docs/explanation/validation.md: its sum should be\n{due}");
    // Counts of tables with many cells.
    let counts = rows.lines().filter_map(|line| line.strip_prefix("**")?.split_once(" figures are within 10 %"));
    for (count, _) in counts {
        assert!(page.contains(&format!("| {count} |")), "docs/explanation/validation.md lacks a row with {count}");
    }
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Pages of the site, and those in the top folder.
fn pages() -> Vec<String> {
    let own = |path: &String| path.starts_with("docs/") || !path.contains('/') && path != "CHANGELOG.md";
    sources(".md").into_iter().filter(own).collect()
}

/// The long help of every command, by its words.
fn helps() -> BTreeMap<String, String> {
    let top = commands(&[]);
    let nested = ["kernel", "field"]
        .into_iter()
        .flat_map(|group| commands(&[group]).into_iter().map(move |name| format!("{group} {name}")));
    let all = top.into_iter().chain(nested);
    all.map(|command| {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = goodput(&words);
        (command, help)
    })
    .collect()
}

/// Targets of a page's links outside of blocks of code, as written and as paths from the root.
fn links(page: &str) -> impl Iterator<Item = (String, String)> {
    let folder = Path::new(page).parent().unwrap_or(Path::new("")).to_owned();
    let text = text(page);
    let prose: String = text.split("\n```").step_by(2).collect();
    let targets: Vec<String> =
        prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect();
    targets.into_iter().filter_map(move |target| {
        let path = target.split('#').next().unwrap_or("");
        (!path.is_empty() && !path.contains(':')).then(|| (target.clone(), plain(&folder.join(path))))
    })
}

/// A path without `..`.
fn plain(path: &Path) -> String {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.to_string_lossy().into_owned()
}

/// A page's blocks of one language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let begin = format!("```{language}\n");
    page.split(&begin).skip(1).filter_map(|rest| Some(rest.split("```").next()?.to_owned())).collect()
}
