//! Each key takes what its row says: what is at its bounds, and nothing just beyond them or of another unit or type.

use goodput::experiment::{self, KeyRow, KeyTable, Trial};

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
