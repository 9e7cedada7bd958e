//! The reference pages say what the code says. Tables of columns and measures are written from the code, by
//! `BLESS=1 cargo test -p goodput --test reference`; the keys of an experiment are described by hand, and each must be
//! there.

use goodput::measure::{MEASURES, Subject, Unit};
use goodput::spec;
use std::collections::BTreeSet;
use std::fs;
use wire::{Column, Kind};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/");

#[test]
fn every_column_is_described() {
    let tables = [
        ("samples", rows(&[wire::SAMPLE, wire::TCP_INFO].concat())),
        ("queues", rows(wire::QUEUE)),
        ("acks", rows(wire::ACK)),
        ("drops", rows(wire::DROP) + "| `reason_name` | text |  | name of `reason` |\n"),
    ];
    for (name, rows) in tables {
        check("recording.md", name, &format!("| column | type | unit | meaning |\n|---|---|---|---|\n{rows}"));
    }
}

fn rows(columns: &[Column]) -> String {
    let row = |c: &Column| format!("| `{}` | {} | {} | {} |\n", c.name, kind(c.kind), c.unit, c.meaning);
    columns.iter().map(row).collect()
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::U8 | Kind::Low4 | Kind::High4 | Kind::Bit => "uint8",
        Kind::U16 => "uint16",
        Kind::U32 => "uint32",
        Kind::U64 => "uint64",
        Kind::Text(_) => "text",
    }
}

#[test]
fn every_measure_is_described() {
    let mut rows = String::from("| measure | of | unit | definition |\n|---|---|---|---|\n");
    for m in MEASURES {
        let of = match m.subject {
            Subject::Flow => "a flow",
            Subject::Lane => "one direction of a link",
        };
        let unit = match m.unit {
            Unit::BitsPerSecond => "bit/s",
            Unit::Seconds => "s",
            Unit::Ratio => "share of 1",
            Unit::Packets => "packets",
            Unit::Bytes => "bytes",
        };
        rows += &format!("| `{}` | {of} | {unit} | {} |\n", m.name, m.definition);
    }
    check("measures.md", "measures", &rows);
}

/// Compares what stands between the marks of a table with what should.
fn check(page: &str, table: &str, due: &str) {
    let text = read(page);
    let [begin, end] = ["begin", "end"].map(|mark| format!("<!-- {mark} {table} -->\n"));
    let parts = text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?)));
    let Some((before, (found, after))) = parts else {
        panic!("docs/reference/{page}: add the lines {begin}and {end}with the table between them");
    };
    if found == due {
        return;
    }
    if std::env::var_os("BLESS").is_some() {
        return fs::write(format!("{FOLDER}{page}"), [before, &begin, due, &end, after].concat()).unwrap();
    }
    let same = found.lines().zip(due.lines()).take_while(|(found, due)| found == due).count();
    let line = text[..before.len() + begin.len()].lines().count() + same + 1;
    let [found, due] = [found, due].map(|text| text.lines().nth(same).unwrap_or("(nothing)").to_owned());
    panic!(
        "docs/reference/{page}:{line}: it says\n  {found}\nand the code\n  {due}\n\
         hint: BLESS=1 cargo test -p goodput --test reference"
    );
}

fn read(page: &str) -> String {
    fs::read_to_string(format!("{FOLDER}{page}")).unwrap_or_else(|error| panic!("docs/reference/{page}: {error}"))
}

/// Each section as it is headed in the page, and an experiment in which it has a key that nobody knows.
const SECTIONS: &[(&str, &str)] = &[
    ("The experiment", "zzzzzzzz = 1"),
    ("[path]", "[path]\nzzzzzzzz = 1"),
    ("[hosts]", "[hosts]\nzzzzzzzz = 1"),
    ("[hosts.sender] and [hosts.receiver]", "[hosts.sender]\nzzzzzzzz = 1"),
    ("[[flows]]", "[[flows]]\nzzzzzzzz = 1"),
    ("[repeat]", "[repeat]\nzzzzzzzz = 1"),
    ("[record]", "[record]\nzzzzzzzz = 1"),
    ("[[expect]]", "[[expect]]\nzzzzzzzz = 1"),
    ("[[published]]", "[[published]]\nzzzzzzzz = 1"),
];

/// An error about an unknown key lists those that are known, so the code itself says which keys there are.
#[test]
fn every_key_is_described() {
    let page = read("experiment.md");
    for (section, text) in SECTIONS {
        let known = known(text);
        let described = described(&page, section);
        let missing: Vec<_> = known.difference(&described).collect();
        assert!(missing.is_empty(), "docs/reference/experiment.md: under \"## {section}\" add {missing:?}");
        let idle: Vec<_> = described.difference(&known).collect();
        assert!(idle.is_empty(), "docs/reference/experiment.md: under \"## {section}\" remove {idle:?}");
    }
    assert_eq!(known("[path]\nloss = { zzzzzzzz = 1 }"), BTreeSet::from(["every".into()]), "describe it under loss");
}

fn known(experiment: &str) -> BTreeSet<String> {
    let errors = spec::plan("reference.toml", experiment, spec::Kernel::default()).expect_err("nobody knows that key");
    let fault = errors.faults.iter().find(|fault| fault.wrong.what.contains("zzzzzzzz")).expect("and it is said");
    let list = fault.wrong.notes.iter().find_map(|note| note.strip_prefix("accepted: ")).expect("with those known");
    list.split(", ").map(str::to_owned).collect()
}

/// The first column of the table under a heading; a table of sections names them in brackets.
fn described(page: &str, section: &str) -> BTreeSet<String> {
    let under = page.lines().skip_while(|line| line.replace('`', "") != format!("## {section}")).skip(1);
    let rows = under.take_while(|line| !line.starts_with("## ")).filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| Some(row.split_once('`')?.0.trim_matches(['[', ']']).to_owned())).collect()
}

#[test]
fn every_experiment_of_the_page_is_one() {
    let page = read("experiment.md");
    let blocks: Vec<&str> =
        page.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap_or("")).collect();
    assert!(!blocks.is_empty(), "docs/reference/experiment.md shows no experiment");
    for block in blocks {
        if let Err(errors) = spec::plan("docs/reference/experiment.md", block, spec::Kernel::default()) {
            panic!("{errors}");
        }
    }
}

/// An error as the page shows it is the error as it is.
#[test]
fn the_error_of_the_page_is_the_error() {
    let page = read("experiment.md");
    let shown = page.split("```text\n").nth(1).and_then(|block| block.split("```").next()).expect("it shows an error");
    let golden = include_str!("spec/rate-bare-number.stderr");
    assert_eq!(shown.trim_end(), golden.trim_end(), "docs/reference/experiment.md");
}
