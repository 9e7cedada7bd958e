//! The reference pages say what the code says. Tables of columns, measures and keys are written from the code, by
//! `BLESS=1 cargo test -p goodput --test it reference::`; where a table of keys is written by hand, each key must be
//! there, with the words and bounds that its errors name.

mod keys;

use evidence::headers::MTU;
use evidence::unit::TIME;
use goodput::analyze::MEASURES;
use goodput::diagnose::{self, RULES, Rule};
use goodput::experiment::{self, Brings, DRIVERS, PROFILES, Row, Rows};
use goodput::measure::{Better, Centre, Subject};
use goodput::model::tunnel::{Outer, TUNNELS, Tunnel};
use goodput::plan::{Interrupts, Polling};
use serde_json::to_value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use wire::{Column, Kind};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/");

#[test]
fn every_column_is_described() {
    let tables = [
        ("samples", rows(&[wire::SAMPLE, wire::TCP_INFO].concat())),
        ("queues", rows(wire::QUEUE)),
        ("waits", rows(wire::WAIT)),
        ("dualpi2", rows(wire::DUALPI2)),
        ("ecn", rows(wire::ECN)),
        ("bbr", rows(wire::BBR)),
        ("subflows", rows(wire::SUBFLOW)),
        ("tunnels", rows(wire::TUNNEL)),
        ("vegas", rows(wire::VEGAS)),
        ("dctcp", rows(wire::DCTCP)),
        ("freebsd", rows(wire::FREEBSD)),
        ("exchanges", rows(wire::EXCHANGE)),
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
        Kind::U8 | Kind::Low4 | Kind::High4 | Kind::Bit | Kind::Low2 | Kind::Next2 => "uint8",
        Kind::U16 => "uint16",
        Kind::U32 => "uint32",
        Kind::U64 => "uint64",
        Kind::Some32 => "uint32 or absent",
        Kind::Some64 => "uint64 or absent",
        Kind::Text(_) => "text",
    }
}

#[test]
fn every_measure_is_described() {
    let mut rows = String::from(
        "| measure | of | unit | over seeds | better | definition | source |\n|---|---|---|---|---|---|---|\n",
    );
    for m in MEASURES {
        let kinds: Vec<&str> = m.kinds().iter().map(|kind| kind.name()).collect();
        let of = match m.subject() {
            Subject::Flow => format!("a flow: {}", kinds.join(", ")),
            Subject::Lane => "one direction of a link".into(),
            Subject::Trial => "all flows of the load".into(),
        };
        let centre = match m.centre {
            Centre::Mean => "mean",
            Centre::Median => "median",
        };
        let better = match m.better {
            Better::More => "more",
            Better::Less => "less",
            Better::Neither => "",
        };
        let (name, unit) = (m.name, m.unit.name());
        rows += &format!("| `{name}` | {of} | {unit} | {centre} | {better} | {} | {} |\n", m.definition, m.source);
    }
    check("measures.md", "measures", &rows);
}

#[test]
fn every_profile_and_driver_is_described() {
    let table = |what: &str, all: Vec<(&str, Rows)>| {
        let mut text = format!("| {what} | sets | to | source |\n|---|---|---|---|\n");
        for (word, rows) in all {
            for Row { brings, source } in rows {
                let (set, to) = told(brings);
                text += &format!("| {word} | {set} | {to} | {source} |\n");
            }
        }
        text
    };
    let profiles = PROFILES.iter().map(|(word, (_, rows))| (*word, *rows)).collect();
    check("profiles.md", "profiles", &table("profile", profiles));
    let drivers = DRIVERS.iter().filter_map(|(word, driver)| Some((*word, (*driver)?.1))).collect();
    check("profiles.md", "drivers", &table("driver", drivers));
}

/// Keys of `[hosts]`, or a sysctl, and what they are.
fn told(brings: &Brings) -> (String, String) {
    match brings {
        Brings::Sysctl(name, value) => (format!("`{name}`"), (*value).to_owned()),
        Brings::Qdisc(qdisc) => ("`qdisc`".into(), to_value(qdisc).unwrap().as_str().unwrap().replace('-', "_")),
        Brings::Interface(on) => {
            let offloads = [(on.tso, "tso"), (on.gso, "gso"), (on.gro, "gro"), (on.lro, "lro")];
            let offloads: Vec<&str> = offloads.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect();
            let (key, value) = match on.interrupts {
                Interrupts::Each => ("coalesce", "0 ns".to_owned()),
                Interrupts::Moderated(ns) => ("coalesce", TIME.show(ns)),
                Interrupts::Polled(Polling { gro_flush_timeout, napi_defer_hard_irqs }) => {
                    ("napi", format!("{}, {napi_defer_hard_irqs}", TIME.show(gro_flush_timeout.into())))
                }
            };
            (format!("`offloads`, `{key}`"), format!("{}; {value}", offloads.join(", ")))
        }
    }
}

#[test]
fn every_rule_is_described() {
    let row = |rule: &&Rule| format!("| [{}](rules/{}.md) | {} |\n", rule.name, rule.name, rule.title);
    let rows: String = RULES.iter().map(row).collect();
    check("rules.md", "rules", &format!("| rule | |\n|---|---|\n{rows}"));
    for rule in RULES {
        let page = format!("rules/{}.md", rule.name);
        let due = format!("# {}\n\n```text\n{}```\n", rule.name, diagnose::explain(rule, 100));
        if std::env::var_os("BLESS").is_some() {
            fs::write(format!("{FOLDER}{page}"), &due).unwrap();
        }
        assert_eq!(read(&page), due, "docs/reference/{page}: BLESS=1 cargo test -p goodput --test it reference::");
    }
    let pages = fs::read_dir(format!("{FOLDER}rules")).unwrap().count();
    assert_eq!(pages, RULES.len(), "docs/reference/rules/ has the page of a rule that is gone");
}

#[test]
fn every_tunnels_overhead_is_described() {
    let outer = |ipv6| Outer { mtu: MTU, ipv6, nat_t: false };
    let bytes = |bytes: Option<u32>| bytes.map_or("-".into(), |bytes| bytes.to_string());
    let row = |tunnel: &Tunnel| {
        let over = |ipv6| (tunnel.devices[0].is_none() || tunnel.devices[usize::from(ipv6)].is_some()).then_some(ipv6);
        let cells = [false, true].map(|ipv6| {
            let over = over(ipv6);
            let [adds, leaves] =
                [over.map(|ipv6| tunnel.overhead(ipv6)), over.and_then(|ipv6| tunnel.mtu(outer(ipv6)))];
            format!("{} | {}", bytes(adds), bytes(leaves))
        });
        format!("| {} | {} | {} |\n", tunnel.name, cells.join(" | "), tunnel.source)
    };
    let rows: String = TUNNELS.iter().map(row).collect();
    let head = "| tunnel | over IPv4, B | leaves, B | over IPv6, B | leaves, B | source |\n|---|---|---|---|---|---|\n";
    check("links.md", "overheads", &format!("{head}{rows}"));
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
         hint: BLESS=1 cargo test -p goodput --test it reference::"
    );
}

fn read(page: &str) -> String {
    fs::read_to_string(format!("{FOLDER}{page}")).unwrap_or_else(|error| panic!("docs/reference/{page}: {error}"))
}

/// The pages on which the keys of an experiment are described.
const PAGES: [&str; 4] = ["experiment.md", "links.md", "profiles.md", "trials.md"];

struct Page {
    name: &'static str,
    text: String,
}

fn pages() -> Vec<Page> {
    PAGES.into_iter().map(|name| Page { name, text: read(name) }).collect()
}

/// What `[path]`, `[[links]]` and `backward` share.
const LINE: &str = "Keys of a line";

/// The headings under which a section's keys are described, and experiments in which it has a key that nobody knows;
/// what they know instead, taken together, is what must be there.
const SECTIONS: &[(&[&str], &[&str])] = &[
    (&["The experiment"], &["zzzzzzzz = 1"]),
    (&["[path]", LINE], &["[path]\nzzzzzzzz = 1"]),
    (&["[[links]]", LINE], &["[[links]]\nzzzzzzzz = 1"]),
    (&["backward", LINE], &["[path.backward]\nzzzzzzzz = 1"]),
    (&["backward", LINE], &["[[links]]\n[links.backward]\nzzzzzzzz = 1"]),
    (&["Keys of queue"], &["[path]\nqueue = { zzzzzzzz = 1 }"]),
    (&["trace"], &["[path]\nrate = { zzzzzzzz = 1 }", "[path]\ndelays = { zzzzzzzz = 1 }"]),
    (&["police"], &["[path]\npolice = { zzzzzzzz = 1 }"]),
    (&["shape"], &["[path]\nshape = { zzzzzzzz = 1 }"]),
    (&["lengths"], &["[path]\nlengths = { zzzzzzzz = 1 }"]),
    (&["loss"], &["[path]\nloss = { zzzzzzzz = 1 }"]),
    (&["outages"], &["[[path.outages]]\nzzzzzzzz = 1"]),
    (&["reorder"], &["[path]\nreorder = { zzzzzzzz = 1 }"]),
    (&["jitter"], &["[path]\njitter = { zzzzzzzz = 1 }"]),
    (&["aggregate"], &["[path]\naggregate = { zzzzzzzz = 1 }"]),
    (&["changes"], &["[[path.changes]]\nzzzzzzzz = 1", "[[links]]\n[[links.changes]]\nzzzzzzzz = 1"]),
    (&["[hosts]"], &["[hosts]\nzzzzzzzz = 1"]),
    (&["[hosts]", "[hosts.NAME]"], &["[hosts.a]\nzzzzzzzz = 1"]),
    (&["[hosts]", "[hosts.NAME]"], &["[path]\n[hosts.sender]\nzzzzzzzz = 1"]),
    (&["[switches.NAME]"], &["[switches.s]\nzzzzzzzz = 1"]),
    (&["[routers.NAME]"], &["[routers.r]\nzzzzzzzz = 1"]),
    (&["napi"], &["[hosts]\nnapi = { zzzzzzzz = 1 }"]),
    (&["nat"], &["[routers.r]\nnat = { zzzzzzzz = 1 }"]),
    (&["MPTCP"], &["[hosts.a]\nmptcp = { zzzzzzzz = 1 }"]),
    (&["run"], &["[hosts.a]\nrun = [{ zzzzzzzz = 1 }]"]),
    (&["[[tunnels]]"], &["[[tunnels]]\nzzzzzzzz = 1"]),
    (&["[[flows]]", "TCP", "bulk"], &["[[flows]]\nkind = \"bulk\"\nzzzzzzzz = 1"]),
    (&["[[flows]]", "TCP", "requests"], &["[[flows]]\nkind = \"requests\"\nzzzzzzzz = 1"]),
    (&["[[flows]]", "udp"], &["[[flows]]\nkind = \"udp\"\nzzzzzzzz = 1"]),
    (&["[[flows]]", "ping"], &["[[flows]]\nkind = \"ping\"\nzzzzzzzz = 1"]),
    (&["[search]"], &["[search]\nzzzzzzzz = 1"]),
    (&["[repeat]"], &["[repeat]\nzzzzzzzz = 1"]),
    (&["[repeat.until]"], &["[repeat]\nuntil = { zzzzzzzz = 1 }"]),
    (&["[compare]"], &["[compare]\nzzzzzzzz = 1"]),
    (&["[record]"], &["[record]\nzzzzzzzz = 1"]),
    (&["[[expect]]"], &["[[expect]]\nzzzzzzzz = 1"]),
    (&["[[published]]"], &["[[published]]\nzzzzzzzz = 1"]),
];

/// An error about an unknown key lists those that are known, so the code itself says which keys there are.
#[test]
fn every_key_is_described() {
    let pages = pages();
    for (headings, experiments) in SECTIONS {
        let known: BTreeSet<String> = experiments.iter().flat_map(|experiment| known(experiment)).collect();
        compare(&pages, headings, &known);
    }
    let one = BTreeSet::from(["every".to_owned()]);
    assert_eq!(known("[hosts]\ninput-loss = { zzzzzzzz = 1 }"), one, "describe it under input-loss");
}

/// The keys under these headings, taken together, are those that are known.
fn compare(pages: &[Page], headings: &[&str], known: &BTreeSet<String>) {
    let rows = rows_of(pages, headings);
    let described: BTreeSet<String> = rows.iter().filter_map(|(_, row)| key_of(row)).map(str::to_owned).collect();
    let under: Vec<String> = headings.iter().map(|heading| place(pages, heading)).collect();
    let under = under.join(" or ");
    let missing: Vec<_> = known.difference(&described).collect();
    assert!(missing.is_empty(), "{under}: add {missing:?}");
    let idle: Vec<_> = described.difference(known).collect();
    assert!(idle.is_empty(), "{under}: remove {idle:?}");
}

/// What the errors about `zzzzzzzz` list as accepted.
fn known(experiment: &str) -> BTreeSet<String> {
    let errors = experiment::plan("reference.toml", experiment, &[]).expect_err("nobody knows that word");
    let fault = errors.faults.iter().find(|fault| fault.wrong.what.contains("zzzzzzzz"));
    let fault = fault.unwrap_or_else(|| panic!("no error names it:\n{experiment}\n{errors}"));
    let list = fault.wrong.notes.iter().find_map(|note| note.strip_prefix("accepted: "));
    let list = list.unwrap_or_else(|| panic!("the error does not say what is accepted:\n{experiment}\n{errors}"));
    list.split(", ").map(str::to_owned).collect()
}

/// The one page with this heading.
fn page_of<'p>(pages: &'p [Page], heading: &str) -> &'p Page {
    let has = |page: &&Page| page.text.lines().any(|line| headed(line).as_deref() == Some(heading));
    let found: Vec<&Page> = pages.iter().filter(has).collect();
    match found[..] {
        [page] => page,
        [] => panic!("docs/reference: add the heading \"{heading}\" to one of {PAGES:?}"),
        _ => panic!("docs/reference: several of {PAGES:?} have the heading \"{heading}\""),
    }
}

fn place(pages: &[Page], heading: &str) -> String {
    format!("docs/reference/{}, under \"{heading}\"", page_of(pages, heading).name)
}

/// The rows of tables under a heading, up to the next one of any level.
fn rows_under<'p>(pages: &'p [Page], heading: &str) -> Vec<&'p str> {
    let page = &page_of(pages, heading).text;
    let lines = page.lines().skip_while(|line| headed(line).as_deref() != Some(heading)).skip(1);
    lines.take_while(|line| headed(line).is_none()).filter(|line| line.starts_with("| ")).collect()
}

/// The rows of all tables under these headings, each with its heading.
fn rows_of<'p, 'h>(pages: &'p [Page], headings: &[&'h str]) -> Vec<(&'h str, &'p str)> {
    let under = |heading: &&'h str| {
        let heading = *heading;
        rows_under(pages, heading).into_iter().map(move |row| (heading, row))
    };
    headings.iter().flat_map(under).collect()
}

/// The text of a heading.
fn headed(line: &str) -> Option<String> {
    let text = line.strip_prefix("## ").or_else(|| line.strip_prefix("### "))?;
    Some(text.replace('`', ""))
}

/// The key that a row is about, its first cell; a table of sections names them in brackets.
fn key_of(row: &str) -> Option<&str> {
    Some(row.strip_prefix("| `")?.split_once('`')?.0.trim_matches(['[', ']']))
}

/// The row of a key, and where it is.
fn row<'p>(pages: &'p [Page], headings: &[&str], key: &str) -> (String, &'p str) {
    let found = rows_of(pages, headings).into_iter().find(|(_, row)| key_of(row) == Some(key));
    let (heading, row) = found.unwrap_or_else(|| panic!("no row for {key} under {headings:?}"));
    (format!("{}: {key}", place(pages, heading)), row)
}

/// A key that takes one of some words: the heading under which it is described, and an experiment in which it has a
/// word that nobody knows.
const WORDS: &[(&str, &str, &str)] = &[
    ("[[links]]", "bond", "[[links]]\nbond = \"zzzzzzzz\""),
    ("trace", "end", "[path]\nrate = { end = \"zzzzzzzz\" }"),
    ("trace", "unused", "[path]\nrate = { unused = \"zzzzzzzz\" }"),
    ("Keys of queue", "overload", "[path]\nqueue = { overload = \"zzzzzzzz\" }"),
    ("lengths", "effect", "[path]\nlengths = { effect = \"zzzzzzzz\" }"),
    ("jitter", "distribution", "[path]\njitter = { distribution = \"zzzzzzzz\" }"),
    ("[hosts]", "profile", "[hosts]\nprofile = \"zzzzzzzz\""),
    ("[hosts]", "driver", "[hosts]\ndriver = \"zzzzzzzz\""),
    ("[hosts]", "qdisc", "[hosts]\nqdisc = \"zzzzzzzz\""),
    ("[hosts]", "offloads", "[hosts]\noffloads = [\"zzzzzzzz\"]"),
    ("[hosts]", "recovery", "[hosts]\nrecovery = \"zzzzzzzz\""),
    ("[switches.NAME]", "offloads", "[switches.s]\noffloads = [\"zzzzzzzz\"]"),
    ("[routers.NAME]", "offloads", "[routers.r]\noffloads = [\"zzzzzzzz\"]"),
    ("[[tunnels]]", "kind", "[[tunnels]]\nkind = \"zzzzzzzz\""),
    ("[[tunnels]]", "cipher", "[[tunnels]]\ncipher = \"zzzzzzzz\""),
    ("[[flows]]", "kind", "[[flows]]\nkind = \"zzzzzzzz\""),
    ("[[flows]]", "direction", "[[flows]]\ndirection = \"zzzzzzzz\""),
    ("[search]", "find", "[search]\nfind = \"zzzzzzzz\""),
];

#[test]
fn every_word_is_described() {
    let pages = pages();
    for (heading, key, experiment) in WORDS {
        let (place, row) = row(&pages, &[*heading], key);
        let takes = row.split('|').nth(2).unwrap_or("");
        let quoted: BTreeSet<String> = takes.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        assert_eq!(quoted, known(experiment), "{place}");
    }
}

/// The table of profiles has the sysctls that each sets.
#[test]
fn every_recovery_profile_is_described() {
    let page = read("recovery.md");
    let table: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| sysctl") || line.starts_with("| `net."))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    for profile in known("[hosts]\nrecovery = \"zzzzzzzz\"") {
        let column = table[0].iter().position(|cell| *cell == profile).expect(&profile);
        let due = |row: &Vec<&str>| (row[1].to_owned(), row[column].to_owned());
        let due: Vec<_> = table[1..].iter().map(due).filter(|(_, value)| !value.is_empty()).collect();
        assert_eq!(sysctls(&format!("recovery = \"{profile}\"")), due, "docs/reference/recovery.md: {profile}");
    }
}

/// The sysctls of a host that are not those of every host.
fn sysctls(key: &str) -> Vec<(String, String)> {
    let of = |key: &str| {
        let path = "path = { rate = \"1 Gbit/s\", rtt = \"1 ms\", buffer = \"1 BDP\" }";
        let text = format!("title = \"x\"\n{path}\nflows = [{{ duration = \"1 s\" }}]\n[hosts]\n{key}\n");
        let plan = experiment::plan("reference.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        plan.trials[0].scene.nodes[0].sysctls.clone()
    };
    let all = of("");
    of(key).into_iter().filter(|sysctl| !all.contains(sysctl)).collect()
}

/// A row for each discipline names its own keys.
#[test]
fn every_discipline_and_its_keys_are_described() {
    let pages = pages();
    let disciplines = known("[path]\nqueue = \"zzzzzzzz\"");
    compare(&pages, &["queue"], &disciplines);
    for discipline in disciplines {
        let mut known = known(&format!("[path]\nqueue = {{ discipline = \"{discipline}\", zzzzzzzz = 1 }}"));
        known.remove("discipline");
        let (place, row) = row(&pages, &["queue"], &discipline);
        let keys = row.split('|').nth(2).unwrap_or("");
        let keys: BTreeSet<String> = keys.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        assert_eq!(keys, known, "{place}");
    }
}

/// A value of each kind that is beyond every bound.
const OUT_OF_BOUNDS: &[&str] = &[
    "\"1000 Tbit/s\"",
    "\"2880 min\"",
    "\"1000000000 GB\"",
    "\"101 %\"",
    "\"5000000000 packets\"",
    "\"1001 BDP\"",
    "10000000",
];

/// An error about a value beyond its bounds says what they are.
#[test]
fn every_bound_is_described() {
    let pages = pages();
    let mut bounds = 0;
    for (headings, experiments) in SECTIONS {
        for experiment in *experiments {
            for key in known(experiment) {
                for range in ranges(experiment, &key) {
                    let (place, row) = row(&pages, headings, &key);
                    assert!(says(row, &range), "{place} takes {range}, and it says\n{row}");
                    bounds += 1;
                }
            }
        }
    }
    assert!(bounds > 100, "{bounds} bounds found: errors read otherwise than this test expects");
}

/// Whether a range stands in a row, and is not part of a longer number.
fn says(row: &str, range: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    row.match_indices(range)
        .any(|(at, _)| !row[..at].ends_with(is_digit) && !row[at + range.len()..].starts_with(is_digit))
}

fn ranges(experiment: &str, key: &str) -> BTreeSet<String> {
    let values = OUT_OF_BOUNDS.iter().flat_map(|value| [value.to_string(), format!("[{value}]")]);
    let range = |value: String| {
        let experiment = experiment.replace("zzzzzzzz = 1", &format!("{key} = {value}"));
        let errors = experiment::plan("reference.toml", &experiment, &[]).err()?;
        let fault = errors.faults.iter().find(|fault| {
            let what = &fault.wrong.what;
            let of_bounds = what.ends_with(" is too large") || what.ends_with(" is out of range");
            of_bounds && what.split(' ').next() == Some(key)
        })?;
        let accepted = fault.wrong.notes.iter().find_map(|note| note.strip_prefix("accepted: "))?;
        let range = accepted.strip_prefix("a whole number from ").unwrap_or(accepted);
        let range = range.split(", or ").next().unwrap_or(range);
        Some(range.replace("86400 s", "1 day").replace("3600 s", "1 hour"))
    };
    values.filter_map(range).collect()
}

/// Keys of hosts that stand for a sysctl say which, and its values.
#[test]
fn every_key_for_a_sysctl_is_described() {
    let pages = pages();
    let sysctls = |line: &str| {
        let path = "path = { rate = \"1 Mbit/s\", rtt = \"10 ms\", buffer = \"10 packets\" }";
        let text = format!("title = \"sysctls\"\n{path}\nflows = [{{ duration = \"1 s\" }}]\n[hosts]\n{line}\n");
        let plan = experiment::plan("reference.toml", &text, &[]).ok()?;
        Some(plan.trials[0].scene.nodes[0].sysctls.clone())
    };
    let base = sysctls("").expect("an experiment");
    let mut found = 0;
    for key in known("[hosts]\nzzzzzzzz = 1") {
        for on in [false, true] {
            let with = sysctls(&format!("{key} = {on}")).unwrap_or_default();
            for (name, value) in with.iter().filter(|sysctl| !base.contains(sysctl)) {
                let (place, row) = row(&pages, &["[hosts]"], &key);
                let said = row.contains(&format!("`{name}`")) && row.contains(&format!("{on} {value}"));
                assert!(said, "{place} = {on} sets {name} to {value}, and it says\n{row}");
                found += 1;
            }
        }
    }
    assert!(found > 0, "no key of [hosts] stands for a sysctl");
}

#[test]
fn sections_are_listed_at_the_top() {
    let pages = pages();
    let mut anchors = BTreeSet::new();
    for Page { name, text } in &pages {
        for heading in text.lines().filter_map(headed) {
            assert!(anchors.insert(anchor(&heading)), "docs/reference/{name}: two headings read {heading}");
        }
        let contents = text.split("\n## ").next().unwrap_or("");
        for heading in text.lines().filter(|line| line.starts_with("## ")).filter_map(headed) {
            let link = format!("](#{})", anchor(&heading));
            assert!(contents.contains(&link), "docs/reference/{name}: add {link} to the list at the top");
        }
    }
}

/// Of every document, whether to a heading of its own or to one of another document.
#[test]
fn links_to_headings_lead_to_them() {
    let mut links = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let Some((file, anchor)) = target.split_once('#').filter(|(file, _)| !file.contains("://")) else {
                continue;
            };
            let other = document.parent().expect("a folder").join(file);
            let other = if file.is_empty() { text.clone() } else { fs::read_to_string(other).unwrap_or_default() };
            let is_there = anchors(&other).contains(anchor);
            assert!(is_there, "{}: nothing is headed {target}", document.display());
            links += 1;
        }
    }
    assert!(links > 50, "{links} links found: documents read otherwise than this test expects");
}

/// All of them in the top folder and under docs/.
fn documents() -> Vec<PathBuf> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let inside = ["docs", "docs/decisions", "docs/explanation", "docs/how-to", "docs/reference", "docs/tutorial"];
    let folders = [vec![top.clone()], inside.map(|folder| top.join(folder)).to_vec()].concat();
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder"));
    let files = files.map(|file| file.expect("a file").path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
}

/// What links to a document's headings are called.
fn anchors(document: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let text = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))?;
        Some(anchor(&text.replace('`', "")))
    };
    document.lines().filter_map(heading).collect()
}

/// What a link to a heading is called: letters, digits and hyphens.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[test]
fn every_example_is_described() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let files = fs::read_dir(folder).expect("examples").map(|file| file.expect("a file").file_name());
    let files = files.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(".toml"));
    let files: BTreeSet<String> = files.collect();
    let page = read("../examples.md");
    let links = page.lines().filter(|line| line.starts_with("| [")).filter_map(|row| {
        let (_, target) = row.split_once("](../examples/")?;
        Some(target.split_once(')')?.0.to_owned())
    });
    let links: Vec<String> = links.collect();
    let described: BTreeSet<String> = links.iter().cloned().collect();
    assert_eq!(described.len(), links.len(), "docs/examples.md has two rows for one example: {links:?}");
    let missing: Vec<_> = files.difference(&described).collect();
    assert!(missing.is_empty(), "docs/examples.md: add a row for {missing:?}");
    let idle: Vec<_> = described.difference(&files).collect();
    assert!(idle.is_empty(), "docs/examples.md: {idle:?} are not in examples/");
}

#[test]
fn every_experiment_of_a_page_is_one() {
    for name in PAGES.into_iter().chain(["../../README.md"]) {
        let page = read(name);
        let blocks: Vec<&str> =
            page.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap_or("")).collect();
        assert!(!blocks.is_empty(), "docs/reference/{name} shows no experiment");
        for block in blocks {
            if let Err(errors) = experiment::plan(&format!("docs/reference/{name}"), block, &[]) {
                panic!("{errors}");
            }
        }
    }
}

/// An error as the page shows it is the error as it is.
#[test]
fn the_error_of_the_page_is_the_error() {
    let page = read("experiment.md");
    let shown = page.split("```text\n").nth(1).and_then(|block| block.split("```").next()).expect("it shows an error");
    let golden = include_str!("../experiment/rate-bare-number.stderr");
    assert_eq!(shown.trim_end(), golden.trim_end(), "docs/reference/experiment.md");
}
