//! The comparisons as a table of the page.

use super::ComparisonRow;
use crate::judge::Outcome;
use maud::{Markup, html};

/// Rows shown; the others are behind a fold that counts them.
const MAX_OPEN_ROWS: usize = 12;

/// Returns the table; nothing without comparisons.
pub(super) fn comparisons(rows: &[ComparisonRow]) -> Markup {
    if rows.len() <= MAX_OPEN_ROWS {
        return html! { @if !rows.is_empty() { (table(rows)) } };
    }
    let count = |outcome: Outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    let counts =
        Outcome::ALL.map(|outcome| (count(outcome), outcome.word())).into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, name)| format!("{count} {name}")).collect();
    html! {
        details { summary { (rows.len()) " comparisons: " (counts.join(", ")) } (table(rows)) }
    }
}

fn table(rows: &[ComparisonRow]) -> Markup {
    html! {
        table.comparisons {
            thead {
                tr {
                    th { "measure" }
                    th { "compared" }
                    th { "with" }
                    th.number { "effect" }
                    th.number { "95 % interval" }
                    th.number { "p" }
                    th { "result" }
                }
            }
            tbody {
                @for ComparisonRow { what, base, other, effect, interval, p, outcome } in rows {
                    tr {
                        th { (what) }
                        th { (other) }
                        th { (base) }
                        td.number { (effect) }
                        td.number { (known(interval)) }
                        td.number { (known(p)) }
                        td { span class={ "tag " (outcome.word()) } { (outcome.word()) } }
                    }
                }
            }
        }
    }
}

fn known(text: &str) -> &str {
    if text.is_empty() { "–" } else { text }
}
