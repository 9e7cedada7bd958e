//! The comparisons as a table of the page.

use super::ComparisonRow;
use super::markup::escape;
use crate::judge::Outcome;
use std::fmt::Write;

/// More rows stand behind a fold that counts them.
const OPEN: usize = 12;

/// Nothing if there are none.
pub(super) fn comparisons(rows: &[ComparisonRow]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<table class=\"comparisons\">\n<thead><tr><th>measure</th><th>compared</th><th>with</th>\
         <th class=\"number\">effect</th><th class=\"number\">95 % interval</th><th class=\"number\">p</th>\
         <th>shown</th></tr></thead>\n<tbody>\n",
    );
    for ComparisonRow { what, base, other, effect, interval, p, outcome } in rows {
        let [what, base, other, effect] = [what, base, other, effect].map(|text| escape(text));
        let [interval, p] = [interval, p].map(|text| if text.is_empty() { "–".into() } else { escape(text) });
        let word = outcome.word();
        writeln!(
            out,
            "<tr><th>{what}</th><th>{other}</th><th>{base}</th><td class=\"number\">{effect}</td>\
             <td class=\"number\">{interval}</td><td class=\"number\">{p}</td>\
             <td><span class=\"tag {word}\">{word}</span></td></tr>",
        )
        .unwrap();
    }
    out += "</tbody></table>\n";
    if rows.len() <= OPEN {
        return out;
    }
    let count = |outcome: Outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    let counts =
        Outcome::ALL.map(|outcome| (count(outcome), outcome.word())).into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, name)| format!("{count} {name}")).collect();
    format!("<details><summary>{} comparisons: {}</summary>\n{out}</details>\n", rows.len(), counts.join(", "))
}
