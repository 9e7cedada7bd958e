//! The answer as text, one screen.

use super::MAX_CAUSES;
use super::answer::{Answer, Tested, Verdict};
use super::decide::{Decision, FixRow};
use super::template::built_in;
use crate::differs::{self, FAMILIES, Family};
use base::show;
use std::fmt::Write;

/// Hypotheses that are named with a line of their own, at most.
const MAX_NAMED: usize = 8;

/// Excluded causes whose contradiction is shown.
const MAX_EXCLUDED: usize = 4;

/// Numbers in the lab that are shown for a cause.
const MAX_ROWS: usize = 3;

/// Returns the page in so many columns.
pub fn page(answer: &Answer, width: usize) -> String {
    let mut out = String::new();
    for sentence in &answer.contradictions {
        out += &show::paragraph("Contradiction: ", &format!("{sentence}."), width);
    }
    out += &differs::page(&answer.differs, width);
    if !answer.derived.is_empty() {
        out += &show::paragraph("Derived: ", &format!("{}.", answer.derived.join("; ")), width);
    }
    out.push('\n');
    out += &hypotheses(answer, width);
    out += &excluded(answer, width);
    out.push('\n');
    out += &conclusion(answer, width);
    out
}

fn hypotheses(answer: &Answer, width: usize) -> String {
    let mut out = String::new();
    let names: usize = answer.hypotheses.iter().map(|one| one.name.len()).max().unwrap_or(0);
    let many = answer.causes().len() > 1;
    let (own_lines, names_only): (Vec<&Tested>, Vec<&Tested>) =
        answer.hypotheses.iter().partition(|one| one.verdict != Verdict::RuledOut);
    let is_elsewhere = |one: &&Tested| !own_lines.iter().any(|other| other.name == one.name);
    let names_only: Vec<&Tested> = names_only.into_iter().filter(is_elsewhere).collect();
    for one in own_lines.iter().take(MAX_NAMED) {
        let head = format!("{:15} {:names$}  ", one.verdict.word(), one.name);
        let place = one.place.as_ref().map(|place| format!("where {place}"));
        // The path's values of several causes would fill the screen.
        let shown = if many { one.own } else { one.parameters.len() };
        let parameters =
            one.parameters.iter().take(shown).map(|(name, value)| format!("{} {value}", name.replace('_', " ")));
        let body: Vec<String> = place.into_iter().chain(parameters).collect();
        out += &match &body[..] {
            [] => format!("{}\n", head.trim_end()),
            _ => show::hanging(&head, &body.join(", "), width),
        };
        for row in one.rows.iter().take(MAX_ROWS) {
            let text = format!("{}: {} {} in the lab, stated {}", row.run, row.fact, row.lab, row.stated);
            out += &show::hanging(&" ".repeat(16), &text, width);
        }
        if !one.why.is_empty() && one.rows.is_empty() {
            out += &show::hanging(&" ".repeat(16), &format!("{}.", one.why), width);
        }
    }
    let named = |all: &[&Tested]| {
        let mut names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        names.dedup();
        names.join(", ")
    };
    if own_lines.len() > MAX_NAMED {
        out += &show::hanging("and             ", &named(&own_lines[MAX_NAMED..]), width);
    }
    if !names_only.is_empty() {
        let head = format!("{:15} ", Verdict::RuledOut.word());
        out += &show::hanging(&head, &format!("{}: by what differs", named(&names_only)), width);
    }
    out
}

fn excluded(answer: &Answer, width: usize) -> String {
    if answer.excluded.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    if answer.excluded.len() <= MAX_EXCLUDED {
        for (name, why) in &answer.excluded {
            out += &show::hanging(&format!("{:15} ", Verdict::Excluded.word()), &format!("{name}: {why}."), width);
        }
        return out;
    }
    let names: Vec<&str> = answer.excluded.keys().map(String::as_str).collect();
    out += &show::hanging(&format!("{:15} ", Verdict::Excluded.word()), &names.join(", "), width);
    out += &show::hanging(&" ".repeat(16), "Each by arithmetic; --that NAME says by which number.", width);
    out
}

fn conclusion(answer: &Answer, width: usize) -> String {
    let mut out = String::new();
    let (all, causes) = (answer.causes(), answer.likely());
    if let Some(stopped) = &answer.stopped {
        out += &show::paragraph("Stopped: ", &format!("{stopped}."), width);
    }
    let shown = answer.shown();
    match causes.len() {
        _ if answer.is_line_enough() => {
            let text = "the line alone shows every number, so nothing else is needed to explain them. If the path should \
                        be faster, state its rate and RTT.";
            out += &show::paragraph("Answer: ", text, width);
        }
        0 => {
            let text = "the facts exclude every cause that goodput knows. One of them may be wrong, or two causes act.";
            out += &show::paragraph("Answer: ", text, width);
        }
        1 => {
            let one = answer.hypotheses.iter().find(|one| one.name == causes[0]);
            out += &one.map_or(String::new(), |one| answered(one, all.len() > 1, width));
        }
        many if many <= MAX_CAUSES => {
            let each = causes.iter().filter_map(|name| answer.hypotheses.iter().find(|one| one.name == *name));
            let each: Vec<String> = each.map(|one| format!("{}: {}.", one.name, one.says)).collect();
            let text = format!("two causes are left. {} {}", each.join(" "), shown_sentence(&shown, causes.len()));
            out += &show::paragraph("Answer: ", &text, width);
        }
        many => {
            let place =
                answer.differs.place().map_or(String::new(), |place| format!("it is in what only {place} passes. "));
            let kind = shared_kind(&causes).map(|(name, meaning)| format!("All are of one kind, {name}: {meaning}."));
            let first = format!("{place}{many} causes are left, and these numbers cannot tell them apart.");
            let next = answer.decides.is_empty().then(|| ADD_A_RUN.to_owned());
            let sentences = [Some(first), kind, Some(shown_sentence(&shown, causes.len())), next];
            let sentences: Vec<String> = sentences.into_iter().flatten().filter(|one| !one.is_empty()).collect();
            out += &show::paragraph("Answer: ", &sentences.join(" "), width);
        }
    }
    let mut unusual: Vec<(String, Vec<&str>)> = vec![];
    for name in all.iter().filter(|name| !causes.contains(name)) {
        let one = answer.hypotheses.iter().find(|one| one.name == **name && one.verdict.remains());
        let why = one.map_or(String::new(), |one| one.unusual.join("; "));
        match unusual.iter_mut().find(|(known, _)| *known == why) {
            Some((_, names)) => names.push(name),
            None => unusual.push((why, vec![name])),
        }
    }
    // Where nothing usual is left, what is named needs its reason.
    let is_odd = |one: &&Tested| one.verdict.remains() && !one.is_line() && !one.unusual.is_empty();
    for one in answer.hypotheses.iter().filter(is_odd) {
        let others = answer.hypotheses.iter().filter(|other| other.name == one.name);
        if causes.contains(&one.name.as_str()) && others.into_iter().all(|other| !other.unusual.is_empty()) {
            out += &show::paragraph("Unusual: ", &format!("{}: {}.", one.name, one.unusual.join("; ")), width);
        }
    }
    if !unusual.is_empty() {
        let groups: Vec<String> =
            unusual.into_iter().map(|(why, names)| format!("{} ({why})", names.join(", "))).collect();
        out += &show::paragraph("Allowed too, but unusual: ", &format!("{}.", groups.join("; ")), width);
    }
    // One line alone does not make two runs differ.
    if answer.differs.contrasts.is_empty() && answer.line().is_some_and(|line| line.verdict == Verdict::Possible) {
        out += &show::paragraph("Line: ", "by arithmetic, the line alone may explain every number as well.", width);
    }
    for decision in &answer.decides {
        out += &show::paragraph("Measure next: ", &decided(decision), width);
    }
    out += &fixes(answer, width);
    for sentence in &answer.kernels {
        out += &show::paragraph("Kernel: ", &format!("{sentence}."), width);
    }
    if !answer.rests_on.is_empty() {
        let _ = write!(out, "{}", show::paragraph("Assumed: ", &format!("{}.", answer.rests_on.join(", ")), width));
    }
    out
}

fn answered(one: &Tested, has_rivals: bool, width: usize) -> String {
    let others = if has_rivals { "the others are excluded or unusual" } else { "excludes the others" };
    let joint = if has_rivals { ", and" } else { " and" };
    let how = match one.verdict {
        Verdict::Fits => "The lab shows every number that it predicts".to_owned(),
        Verdict::Nearly => "The lab comes within a quarter of every number".to_owned(),
        Verdict::NotReproduced => format!(
            "Arithmetic allows it{joint} {others}; a coarse search in the lab did not find its numbers, which proves nothing"
        ),
        _ if one.has_experiment => format!("Arithmetic allows it{joint} {others}"),
        _ => format!("Arithmetic allows it{joint} {others}; the lab cannot build it"),
    };
    let place = one.place.as_ref().map_or(String::new(), |place| format!(", where {place}"));
    let mut out = show::paragraph("Answer: ", &format!("{}{place}. {}. {how}.", one.name, one.says), width);
    if !one.fix.is_empty() {
        out += &show::paragraph("Fix: ", &format!("{}.", one.fix), width);
    }
    out
}

/// What to do where no one measurement is known to decide.
const ADD_A_RUN: &str = "Add a run that differs in one thing: other streams, another program, another host, -M 700, or its \
                         retransmissions and cwnd.";

/// Returns which number of which measurement tells causes apart, those with one prediction together.
fn decided(decision: &Decision) -> String {
    let (Some(measure), Some(fact), Some(predicted)) = (&decision.measure, &decision.fact, &decision.predicted) else {
        let names = decision.between.join(", ");
        return format!("no number that formulas predict tells these apart: {names}. Change the fix of one and look.");
    };
    let mut groups: Vec<(&str, Vec<&str>)> = vec![];
    for (name, value) in decision.between.iter().zip(predicted) {
        match groups.iter_mut().find(|(known, _)| known == value) {
            Some((_, names)) => names.push(name),
            None => groups.push((value, vec![name])),
        }
    }
    let each: Vec<String> =
        groups.into_iter().map(|(value, names)| format!("{value} if it is {}", names.join(" or "))).collect();
    format!("{measure}: {fact} is {}.", each.join(", "))
}

/// Returns the family that all of these causes have and the fewest others, with what it means.
fn shared_kind(names: &[&str]) -> Option<(&'static str, &'static str)> {
    let all = built_in();
    let members = |family: &Family| all.iter().filter(|one| one.families.contains(family)).count();
    let has_all = |family: &Family| {
        names.iter().all(|name| all.iter().any(|one| one.name == *name && one.families.contains(family)))
    };
    let shared = FAMILIES.iter().filter(|(_, family, _)| has_all(family));
    shared.min_by_key(|(_, family, _)| members(family)).map(|(name, _, meaning)| (*name, *meaning))
}

/// Changes whose effect is shown for each cause, at most.
const MAX_FIXES: usize = 4;

/// Returns what each change does: under causes that it does not touch in one line, and under the others.
fn fixes(answer: &Answer, width: usize) -> String {
    let mut out = String::new();
    let mut names: Vec<&str> = answer.fixes.iter().map(|row| row.fix.as_str()).collect();
    names.dedup();
    for name in names {
        let rows = answer.fixes.iter().filter(|row| row.fix == name);
        let is_idle = |row: &&FixRow| {
            let same = |pair: &Option<[String; 2]>| pair.as_ref().is_none_or(|[before, after]| before == after);
            same(&row.by_formula) && same(&row.in_the_lab)
        };
        let (idle, helping): (Vec<&FixRow>, Vec<&FixRow>) = rows.partition(is_idle);
        for row in helping.iter().take(MAX_FIXES) {
            let shown = [("by formula", &row.by_formula), ("in the lab", &row.in_the_lab)];
            let parts = shown.iter().filter_map(|(how, pair)| {
                pair.as_ref().map(|[before, after]| format!("{before} becomes {after} {how}"))
            });
            let text = format!("{}: {}.", row.hypothesis, parts.collect::<Vec<_>>().join("; "));
            out += &show::paragraph(&format!("With {name}: "), &text, width);
        }
        if !idle.is_empty() {
            let causes: Vec<&str> = idle.iter().map(|row| row.hypothesis.as_str()).collect();
            out += &show::paragraph(
                &format!("With {name}: "),
                &format!("nothing changes if it is {}.", causes.join(", ")),
                width,
            );
        }
    }
    out
}

/// Returns which of several causes the lab shows.
fn shown_sentence(shown: &[&str], left: usize) -> String {
    match shown {
        [] => String::new(),
        all if all.len() == left => "The lab shows each of them.".into(),
        names => format!("The lab shows {}; it did not find the others, which proves nothing.", names.join(", ")),
    }
}
