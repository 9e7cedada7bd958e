//! Differences between runs, as text.

use super::{Differs, Pair};
use base::show;
use std::fmt::Write;

/// Most causes that a page names.
const MAX_NAMED: usize = 6;

/// Most contrasts at the head of another page.
const MAX_OPENING: usize = 2;

/// Returns the runs that differ in least, at the head of a page about the slow one.
pub fn opening(differs: &Differs, width: usize) -> String {
    let mut out = String::new();
    for pair in differs.opening().take(MAX_OPENING) {
        out += &contrast(pair, width);
    }
    for sentence in differs.agreements.iter().chain(&differs.alone) {
        out += &show::hanging("", &ended(sentence), width);
    }
    if differs.left.len() <= MAX_NAMED {
        out += &show::paragraph("", &format!("What differs leaves: {}.", differs.left.join(", ")), width);
    }
    out
}

fn contrast(pair: &Pair, width: usize) -> String {
    let mut out = show::paragraph("", &headline(pair), width);
    for sentence in &pair.sentences {
        out += &show::hanging("  ", &ended(sentence), width);
    }
    out + &show::hanging("  ", &ended(&format!("Next: {}", pair.next)), width)
}

/// Returns the page in so many columns.
pub fn page(differs: &Differs, width: usize) -> String {
    let mut out = String::new();
    for pair in &differs.contrasts {
        out += &contrast(pair, width);
    }
    for sentence in differs.agreements.iter().chain(&differs.alone) {
        out += &show::hanging("", &ended(sentence), width);
    }
    if differs.contrasts.is_empty() {
        let what = "No two runs differ in one or two stated facts and in speed. A second run that differs in one thing \
                    (streams, direction, another program, another host) says most.";
        out += &show::paragraph("", what, width);
    }
    let left = match differs.left.len() {
        many if many == differs.of => "Nothing is ruled out by what differs.".to_owned(),
        many if many > MAX_NAMED => format!("Left of {} causes: {many}.", differs.of),
        _ => format!("Left of {} causes: {}.", differs.of, differs.left.join(", ")),
    };
    let _ = write!(out, "\n{}", show::paragraph("", &left, width));
    out
}

fn headline(pair: &Pair) -> String {
    let by = match &pair.differ[..] {
        [] => "nothing that goodput reads: in what you write about them, or in other traffic".to_owned(),
        names => names.join(" and "),
    };
    let times = if pair.ratio < 9.95 { format!("{:.1}", pair.ratio) } else { format!("{:.0}", pair.ratio) };
    let [slow, fast] = &pair.speeds;
    format!("{}: {slow}. {}: {fast}, {times} times as fast. They differ in {by}.", pair.slow, pair.fast)
}

fn ended(sentence: &str) -> String {
    format!("{sentence}.")
}
