//! Each key accepts what its row documents: the values at its bounds, and none just beyond them or of another unit or
//! type.

use super::{KERNELS, design, json, network, path};
use experiment::{self, KeyRow, KeyTable, Trial};
use plan::{self, Plan};

#[test]
fn every_key_takes_its_bounds_and_nothing_beyond_them() {
    let mut tried = 0;
    for table in experiment::key_tables() {
        for row in &table.rows {
            for kind in kinds(&table, row) {
                row.trials.iter().for_each(|trial| check(&table, row, kind, trial));
                tried += row.trials.len();
            }
        }
    }
    assert!(tried > 200, "{tried} values were tried");
}

/// The kinds of a table that has a key; one without a kind if all have it.
fn kinds(table: &KeyTable, row: &KeyRow) -> Vec<Option<&'static str>> {
    match row.kinds {
        [] => vec![None],
        kinds => {
            let by = table.rows.iter().find(|row| Some(row.name) == table.kind).expect("a key says of what kind it is");
            let known = |kind: &str| by.trials.iter().any(|trial| trial.toml == format!("\"{kind}\""));
            assert!(kinds.iter().all(|kind| known(kind)), "{}: {kinds:?} are not all words of {}", row.name, by.name);
            kinds.iter().map(|kind| Some(*kind)).collect()
        }
    }
}

fn check(table: &KeyTable, row: &KeyRow, kind: Option<&str>, trial: &Trial) {
    let Trial { toml, wrong } = trial;
    let of_kind = table.kind.zip(kind).map_or(String::new(), |(by, kind)| format!("{by} = \"{kind}\"\n"));
    let text = format!("{}\n{of_kind}{} = {toml}\n", table.heading, row.name);
    let value = text.len() - 1 - toml.len()..text.len() - 1;
    let errors = experiment::plan("row.toml", &text, &[]).expect_err("it has no title");
    let of_value = errors.faults.iter().filter(|fault| value.contains(&fault.span.start));
    let found: Vec<&str> = of_value.map(|fault| fault.wrong.what.as_str()).collect();
    match wrong {
        None => {
            let about_value = format!("{} {}", row.name, toml.trim_matches(['[', ']']));
            assert!(!found.iter().any(|what| what.starts_with(&about_value)), "{text}is refused: {found:?}");
        }
        Some(wrong) => {
            let is_due = |what: &&str| what.starts_with(&format!("{} ", row.name)) && what.contains(wrong);
            assert!(found.iter().any(is_due), "{text}is not said to be wrong as \"{wrong}\": {found:?}");
        }
    }
}

/// Sections, by their heading and kind, in experiments that leave their keys open: where there is room for one.
const OPEN_SECTIONS: &[(&str, Option<&str>, &str, &str)] = &[
    ("[[flows]]", None, path::BASE, "#flows"),
    ("[[flows]]", Some("bulk"), path::BASE, "#flows"),
    ("[[flows]]", Some("requests"), network::BASE, "#requests"),
    ("[[flows]]", Some("udp"), network::BASE, "#udp"),
    ("[[flows]]", Some("ping"), network::BASE, "#ping"),
    ("[[flows]]", Some("program"), network::BASE, "#program"),
    ("[record]", None, path::BASE, "#record"),
    ("[path]", None, path::BASE, "#path"),
    ("[path.backward]", None, path::BASE, "#backward"),
    ("[[links]]", None, network::BASE, "#links.0"),
    ("[[tunnels]]", Some("esp"), network::BASE, "#tunnels"),
    ("[hosts]", None, path::BASE, "#hosts\n"),
    ("[hosts]", Some("linux"), path::BASE, "#hosts\n"),
    ("[routers.r]", None, network::BASE, "#r\n"),
    ("[search]", None, design::SEARCH, "#search"),
    ("[search]", Some("cliff"), design::SEARCH, "#search"),
    ("[compare]", None, design::GRID, "#compare"),
];

/// The rows of a table that a section has.
fn rows_in(heading: &str, kind: Option<&str>) -> Vec<KeyRow> {
    let table = experiment::key_tables().into_iter().find(|table| table.heading == heading).expect(heading);
    let has = |row: &KeyRow| kind.map_or(row.kinds.is_empty(), |kind| row.kinds.contains(&kind));
    table.rows.into_iter().filter(has).collect()
}

/// The plan with a key written; `None` if something else is wrong with it there.
fn with(base: &str, place: &str, key: &str, value: &str) -> Option<Plan> {
    let text = base.replacen(place, &format!("{key} = {value}\n"), 1);
    experiment::plan("row.toml", &text, &KERNELS).ok()
}

/// A default that the reference gives as a value is that value: the plan is the same whether it is written or not.
#[test]
fn every_default_is_what_holds_where_nothing_is_written() {
    let mut held = Vec::new();
    for (heading, kind, base, place) in OPEN_SECTIONS {
        let without = json(&super::plan(base));
        for KeyRow { name, default, .. } in rows_in(heading, *kind) {
            for value in [default.clone(), format!("\"{default}\"")] {
                let Some(with) = with(base, place, name, &value) else { continue };
                assert_eq!(json(&with), without, "{heading}: {name} = {value} is its default and changes the plan");
                held.push(name);
            }
        }
    }
    for name in ["count", "interval", "request", "think", "overhead", "mtu", "icmp", "cipher", "acks", "fall", "margin"]
    {
        assert!(held.contains(&name), "the default of {name} was not tried: {held:?}");
    }
}

/// Bounds of keys are within those that any plan has to keep, which are written by hand (crates/plan/src/validity.rs).
#[test]
fn accepted_values_of_a_key_make_a_sound_plan() {
    let mut sound = 0;
    for (heading, kind, base, place) in OPEN_SECTIONS {
        for row in rows_in(heading, *kind) {
            for Trial { toml, .. } in row.trials.iter().filter(|trial| trial.wrong.is_none()) {
                let Some(with) = with(base, place, row.name, toml) else { continue };
                assert_eq!(plan::check(&with), Ok(()), "{heading}: {} = {toml}", row.name);
                sound += 1;
            }
        }
    }
    assert!(sound > 100, "{sound} values made a plan");
}
