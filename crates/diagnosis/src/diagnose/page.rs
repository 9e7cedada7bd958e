//! Renders a diagnosis, or the explanation of a rule, as text.

use super::finding::{CUT_OFF, Confidence, Figure, Finding, Severity};
use super::rule::Rule;
use super::rules::title;
use super::sizes::Sizes;
use super::{Blind, Diagnosis, Speed};
use crate::remedy::{Change, Remedy, folded, word};
use base::show;
use evidence::System;
use std::fmt::Write;

/// Layout of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Width, columns.
    pub width: usize,
    /// Whether to add every figure, how to keep and undo remedies, and what was not read.
    pub verbose: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { width: 80, verbose: false }
    }
}

/// Number of key figures of a finding; its rule lists them first.
const MAX_KEY_FIGURES: usize = 3;

/// Widest name and value in the table of figures, columns; longer ones take a line.
const MAX_NAME_COLUMNS: usize = 48;
const MAX_VALUE_COLUMNS: usize = 34;

/// Largest number of remedy commands of a finding on the short page.
const MAX_COMMANDS: usize = 5;

/// Largest number of kinds of evidence that the short page asks for.
const MAX_EVIDENCE_ASKED: usize = 3;

/// Longest command that shares its line with its purpose, characters.
const MAX_ASK_COLUMNS: usize = 40;

/// Largest number of observations on the short page.
const MAX_OBSERVATIONS: usize = 3;

/// Lines of the short page: those of a terminal.
const PAGE_LINES: usize = 24;

/// Number of further findings that get a sentence on the short page.
const MAX_FURTHER_FINDINGS: usize = 1;

struct Page {
    text: String,
    style: Style,
}

/// Renders the verdict, its key figures, the commands to type, and what would resolve the doubt.
pub fn page(diagnosis: &Diagnosis, style: Style) -> String {
    let mut page = Page { text: String::new(), style };
    if style.verbose {
        page.whole(diagnosis)
    } else {
        page.short(diagnosis)
    }
    page.text
}

impl Page {
    fn paragraph(&mut self, head: &str, body: &str) {
        self.text += &show::paragraph(head, body, self.style.width);
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    fn short(&mut self, diagnosis: &Diagnosis) {
        let (own, following): (Vec<&Finding>, Vec<&Finding>) =
            diagnosis.findings.iter().partition(|f| f.follows.is_none());
        let top = diagnosis.top();
        self.conflicts(diagnosis);
        let fast = diagnosis.speed.as_ref().filter(|speed| speed.slow == Some(false));
        if let Some(speed) = fast.filter(|_| top.is_some()) {
            self.paragraph("", &speed.sentence());
            self.line("");
        }
        match top {
            Some(top) => self.verdict(top),
            None => self.nothing(diagnosis),
        }
        let after_verdict = self.text.len();
        if let Some(repeats) = diagnosis.repeats.as_ref().filter(|_| top.is_some()) {
            self.line("");
            self.paragraph("", &repeats.sentence());
        }
        let beside =
            diagnosis.speed.as_ref().and_then(Speed::note_on_others).filter(|_| top.is_some() && fast.is_none());
        if let Some(beside) = beside {
            self.line("");
            self.paragraph("", &beside);
        }
        if let Some(sight) = diagnosis.seen.first().filter(|_| top.is_some()) {
            self.line("");
            self.paragraph("Seen: ", &sight.says);
        }
        let rest: Vec<&Finding> = own.into_iter().skip(usize::from(top.is_some())).collect();
        let (again, rest): (Vec<&Finding>, Vec<&Finding>) =
            rest.into_iter().partition(|finding| top.is_some_and(|top| is_said_again(finding, top)));
        let (problems, notes): (Vec<&Finding>, Vec<&Finding>) =
            rest.into_iter().partition(|finding| finding.severity == Severity::Problem);
        if !again.is_empty() {
            self.line("");
            let files: Vec<&str> =
                again.iter().filter_map(|finding| Some(&*finding.about.as_ref()?.place.file)).collect();
            self.paragraph("As well in: ", &unique(files).join(", "));
        }
        if !problems.is_empty() || !notes.is_empty() || !following.is_empty() {
            self.line("");
        }
        // Without a problem the first note is printed in full.
        let told = usize::from(top.is_none() && !notes.is_empty());
        notes.iter().take(told).for_each(|note| self.paragraph(note_head(note), &note.says));
        problems.iter().take(MAX_FURTHER_FINDINGS).for_each(|next| self.paragraph(&next_head(next, top), &next.says));
        let told_of: Vec<&str> =
            top.into_iter().chain(problems.iter().copied().take(MAX_FURTHER_FINDINGS)).map(|f| f.rule).collect();
        let others = problems.iter().skip(MAX_FURTHER_FINDINGS).chain(&following);
        let others: Vec<&str> =
            others.filter(|finding| !told_of.contains(&finding.rule)).map(|finding| title(finding.rule)).collect();
        if !others.is_empty() {
            self.paragraph("Also: ", &unique(others).join("; "));
        }
        if diagnosis.read.is_empty() {
            return;
        }
        let mut rest = Page { text: String::new(), style: self.style };
        let mut time = Page { text: String::new(), style: self.style };
        time.time(diagnosis);
        if !diagnosis.in_vain.is_empty() {
            rest.line("");
            rest.paragraph("Nothing recognized in: ", &diagnosis.in_vain.join(", "));
        }
        if top.is_none_or(|top| top.ask.is_empty()) && !diagnosis.is_void() {
            rest.wants(&diagnosis.blind, if top.is_some() { 2 } else { MAX_EVIDENCE_ASKED });
        }
        rest.line("");
        match top {
            Some(top) => rest.paragraph("", &format!("More: --verbose, goodput explain {}", top.rule)),
            None if diagnosis.can_be_proved() => {
                rest.paragraph(
                    "",
                    &format!(
                        "Next: `{}` looks for paths that reproduce this transfer. More: --verbose",
                        diagnosis.proof_command()
                    ),
                );
            }
            None => rest.paragraph("", "More: --verbose"),
        }
        let below = lines(&rest.text);
        let first = if notes.len() > told { 1 } else { 0 };
        // The strip takes what the verdict leaves of a page; notes take the rest.
        let kept = PAGE_LINES.saturating_sub(lines(&self.text) + below + first);
        if lines(&time.text) <= kept {
            self.text.insert_str(after_verdict, &time.text);
        }
        self.notes(&notes[told..], PAGE_LINES.saturating_sub(below));
        self.text += &rest.text;
    }

    /// Prints the first sentence of as many notes as fit a page of the given height.
    fn notes(&mut self, notes: &[&Finding], height: usize) {
        for (number, note) in notes.iter().enumerate() {
            let line = show::paragraph(note_head(note), first_sentence(&note.says), self.style.width);
            let others = usize::from(number + 1 < notes.len());
            if lines(&self.text) + lines(&line) + others > height {
                let left = notes.len() - number;
                self.line(&format!("{left} more {}: --verbose", if left == 1 { "note" } else { "notes" }));
                return;
            }
            self.text += &line;
        }
    }

    /// Prints where the time of the first transfer went.
    fn time(&mut self, diagnosis: &Diagnosis) {
        let Some(spent) = diagnosis.time.first() else { return };
        self.line("");
        self.paragraph("Where the time went: ", &format!("{}.", spent.sentence()));
        self.line(&format!("  {}", spent.strip(self.style.width)));
    }

    /// Prints contradictions, before the findings that depend on them.
    fn conflicts(&mut self, diagnosis: &Diagnosis) {
        for conflict in &diagnosis.conflicts {
            self.paragraph("Contradiction: ", conflict);
            self.line("");
        }
    }

    /// Prints the finding, its key figures, the commands to type, and what would resolve its doubt.
    fn verdict(&mut self, finding: &Finding) {
        self.paragraph("", &finding.says);
        let others = match finding.about.as_ref().map_or(0, |about| about.others.len()) {
            0 => String::new(),
            1 => ", 1 more connection alike".into(),
            n => format!(", {n} more connections alike"),
        };
        self.line(&format!("({}, {} confidence{others})", finding.rule, finding.confidence.word()));
        self.line("");
        self.figures(&finding.figures[..finding.figures.len().min(MAX_KEY_FIGURES)], 2);
        self.commands(&finding.remedies);
        if finding.caveats.iter().any(|caveat| caveat == CUT_OFF) {
            self.line("");
            self.paragraph("Doubt: ", CUT_OFF);
        }
        if let Some(ask) = finding.ask.first() {
            self.line("");
            self.paragraph("To be sure: ", ask);
        }
    }

    /// Prints each figure on a line with its origin, or with the origin below if the page is too narrow.
    fn figures(&mut self, figures: &[Figure], indent: usize) {
        let widest = |of: fn(&Figure) -> &str, most: usize| {
            figures.iter().map(|figure| of(figure).chars().count()).filter(|wide| *wide <= most).max().unwrap_or(0)
        };
        let (name, value) = (widest(|f| &f.name, MAX_NAME_COLUMNS), widest(|f| &f.value, MAX_VALUE_COLUMNS));
        let margin = " ".repeat(indent);
        for figure in figures {
            let known = format!("{margin}{:name$}  {:value$}", figure.name, figure.value);
            let line = format!("{known}  {}", figure.from);
            let fits = |line: &str| line.chars().count() <= self.style.width;
            if fits(&line) {
                self.line(line.trim_end());
                continue;
            }
            match fits(known.trim_end()) {
                true => self.line(known.trim_end()),
                false => self.paragraph(&margin, &format!("{}: {}", figure.name, figure.value)),
            }
            self.paragraph(&format!("{margin}  "), &figure.from);
        }
    }

    /// Prints the commands for the first remedy's system, as many as fit; or the action in words if there is no
    /// command.
    fn commands(&mut self, remedies: &[Remedy]) {
        let Some(first) = remedies.iter().find(|remedy| !remedy.commands().is_empty()).or(remedies.first()) else {
            return;
        };
        self.line("");
        if first.commands().is_empty() {
            self.paragraph("Fix: ", &in_words(first));
            return;
        }
        let mut room = MAX_COMMANDS;
        let mut more = 0;
        for remedy in remedies.iter().filter(|remedy| remedy.system() == first.system()) {
            let commands: Vec<String> =
                remedy.commands().iter().flat_map(|command| folded(command, self.style.width - 2)).collect();
            if commands.is_empty() || commands.len() > room && room < MAX_COMMANDS {
                more += 1;
                continue;
            }
            room = room.saturating_sub(commands.len());
            self.line(&format!(
                "Fix: {} {} ({})",
                remedy.what(),
                remedy.at.name(),
                system(remedy).trim_end_matches(": ")
            ));
            commands.iter().for_each(|line| self.line(&format!("  {line}")));
        }
        if more > 0 {
            self.line(&format!("  and {more} more: --verbose"));
        }
    }

    fn nothing(&mut self, diagnosis: &Diagnosis) {
        for failed in &diagnosis.failed {
            self.paragraph("Failed: ", &failed.says);
            if let Some(next) = failed.next {
                self.paragraph("Next: ", next);
            }
        }
        if diagnosis.read.is_empty() {
            self.paragraph("", "Nothing to diagnose.");
            self.text += &show::nothing_read(&diagnosis.unread, self.style.width);
            self.paragraph(
                "Or: ",
                "write down the few numbers that you have, `goodput facts new > case.toml`, for `goodput test`",
            );
        }
        if diagnosis.is_void() {
            return;
        }
        let slow = diagnosis.speed.as_ref().is_some_and(|speed| speed.slow == Some(true));
        // A transfer limited by the link needs no other cause.
        let speed = diagnosis.speed.as_ref();
        let capped = diagnosis.findings.iter().any(|found| found.rule == "rate-cap");
        let by_link =
            capped && !speed.is_some_and(Speed::is_the_slow_one) || speed.is_some_and(|s| s.ethernet.is_some());
        let cause = match (slow, by_link) {
            (true, _) => "This evidence does not say why.",
            (false, true) => "",
            (false, false) => "No cause found in this evidence.",
        };
        let is_seen = !diagnosis.seen.is_empty();
        match &diagnosis.speed {
            Some(speed) if speed.slow == Some(false) => self.paragraph("", &speed.sentence()),
            Some(speed) => self.paragraph("", format!("{} {cause}", speed.sentence()).trim_end()),
            None if cause.is_empty() || is_seen => {}
            None => self.paragraph("", cause),
        }
        self.seen(diagnosis, if self.style.verbose { usize::MAX } else { MAX_OBSERVATIONS });
        if let Some(repeats) = &diagnosis.repeats {
            self.paragraph("", &repeats.sentence());
        }
        if let Some(open) = diagnosis.undecided.as_ref().filter(|_| !by_link) {
            if !open.told.is_empty() {
                self.paragraph("Measured: ", &format!("{}.", open.told.join("; ")));
            }
            if let Some([seen, test]) = &open.seen {
                self.paragraph("Seen: ", seen);
                self.paragraph("To decide: ", test);
            }
            for (head, limits) in [("Ruled out: ", &open.ruled_out), ("Not ruled out: ", &open.left)] {
                if !limits.is_empty() {
                    self.paragraph(head, &format!("{}.", limits.join(", ")));
                }
            }
        }
        self.paragraph("Read: ", &diagnosis.read.join(", "));
        if !self.style.verbose {
            self.refused(diagnosis);
        }
    }

    /// Prints observations, each with the test that determines its cause.
    fn seen(&mut self, diagnosis: &Diagnosis, most: usize) {
        for sight in diagnosis.seen.iter().take(most) {
            self.paragraph("Seen: ", &sight.says);
            self.paragraph("To decide: ", &sight.test);
        }
    }

    /// Prints the first source that was recognized but could not be read.
    fn refused(&mut self, diagnosis: &Diagnosis) {
        let refused = diagnosis.unread.iter().filter_map(|unread| Some((&unread.place, unread.why.as_ref()?)));
        for (place, why) in refused.take(1) {
            self.paragraph("Not read: ", &format!("{place}: {why}"));
        }
    }

    /// Prints the evidence to provide next: a line for each command, with all that it provides.
    fn wants(&mut self, blind: &[Blind], most: usize) {
        let mut wants: Vec<(&str, Vec<&str>)> = vec![];
        for blind in blind {
            match wants.iter_mut().find(|(ask, _)| *ask == blind.ask) {
                Some((_, brings)) => brings.push(blind.lacks),
                None => wants.push((blind.ask, vec![blind.lacks])),
            }
        }
        if wants.is_empty() {
            return;
        }
        wants.truncate(most);
        self.line("");
        self.line("To look further, provide:");
        let column = wants.iter().map(|(ask, _)| ask.len()).filter(|long| *long <= MAX_ASK_COLUMNS).max().unwrap_or(0);
        for (ask, brings) in wants {
            let (head, brings) = (format!("  {ask:column$}  "), brings.join(", "));
            if ask.len() <= MAX_ASK_COLUMNS {
                self.text += &show::hanging(&head, &brings, self.style.width);
            } else {
                folded(ask, self.style.width - 2).iter().for_each(|line| self.line(&format!("  {line}")));
                self.paragraph(&" ".repeat(column + 4), &brings);
            }
        }
    }

    fn whole(&mut self, diagnosis: &Diagnosis) {
        let (own, following): (Vec<&Finding>, Vec<&Finding>) =
            diagnosis.findings.iter().partition(|f| f.follows.is_none());
        self.conflicts(diagnosis);
        if diagnosis.top().is_none() {
            self.nothing(diagnosis);
        }
        if diagnosis.read.is_empty() {
            return;
        }
        let mut told = vec![];
        for (number, finding) in own.into_iter().enumerate() {
            if number > 0 || diagnosis.top().is_none() {
                self.line("");
            }
            self.finding(finding, &mut told);
        }
        for more in following {
            self.line("");
            self.paragraph(&format!("{} (follows from {}): ", more.rule, more.follows.unwrap_or_default()), &more.says);
        }
        self.time(diagnosis);
        self.line("");
        if let Some(speed) = diagnosis.speed.as_ref().filter(|_| diagnosis.top().is_some()) {
            self.paragraph("", &speed.sentence());
        }
        if diagnosis.top().is_some() {
            self.paragraph("Read: ", &diagnosis.read.join(", "));
            self.seen(diagnosis, usize::MAX);
        }
        self.text += &show::unread(&diagnosis.unread, self.style.width);
        self.wants(&diagnosis.blind, usize::MAX);
    }

    /// Prints a finding in full, without remedies that were already printed.
    fn finding(&mut self, finding: &Finding, told: &mut Vec<Remedy>) {
        let kind = if finding.severity == Severity::Problem { "Problem" } else { "Note" };
        self.line(&format!("{kind}: {} ({} confidence)", finding.rule, finding.confidence.word()));
        self.paragraph("  ", &finding.says);
        if let Some(others) = finding.about.as_ref().map(|about| about.others.len()).filter(|others| *others > 0) {
            self.paragraph("  ", &format!("{others} more connections at the same time show the same."));
        }
        if !finding.figures.is_empty() {
            self.line("");
            self.figures(&finding.figures, 4);
        }
        let new: Vec<&Remedy> = finding.remedies.iter().filter(|remedy| !told.contains(remedy)).collect();
        if !finding.remedies.is_empty() {
            self.line(if new.is_empty() { "\n  Fix: as above" } else { "\n  Fix" });
            new.iter().for_each(|remedy| self.remedy(remedy));
        }
        told.extend(new.into_iter().cloned());
        finding.caveats.iter().for_each(|caveat| self.paragraph("  Doubt: ", caveat));
        finding.ask.iter().for_each(|ask| self.paragraph("  To be sure: ", ask));
        self.line(&format!("  More: goodput explain {}", finding.rule));
    }

    fn remedy(&mut self, remedy: &Remedy) {
        let steps = remedy.steps();
        self.paragraph("    ", &in_words(remedy));
        remedy.word().iter().for_each(|word| self.lines("run ", &word::apply(std::slice::from_ref(word))));
        steps.now.iter().for_each(|command| self.lines("now ", command));
        for (file, line) in &steps.keep {
            self.line(&format!("      keep  {}", file.path()));
            file.line(line).lines().for_each(|line| self.line(&format!("            {line}")));
        }
        steps.removals().iter().chain(&steps.undo).for_each(|command| self.lines("undo", command));
    }

    /// Prints a command, wrapped to the page's width.
    fn lines(&mut self, head: &str, command: &str) {
        for (number, line) in folded(command, self.style.width - 12).iter().enumerate() {
            self.line(&format!("      {}  {line}", if number == 0 { head } else { "    " }));
        }
    }
}

/// Returns the change, its host and the reason; the reason alone if no command makes the change.
fn in_words(remedy: &Remedy) -> String {
    match remedy.change {
        Change::Words { .. } => remedy.why.clone(),
        _ => format!("{}{} {}. {}", system(remedy), remedy.what(), remedy.at.name(), remedy.why),
    }
}

fn system(remedy: &Remedy) -> &'static str {
    match remedy.system() {
        Some(System::Linux) => "Linux: ",
        Some(System::FreeBsd) => "FreeBSD: ",
        None => "",
    }
}

/// Returns the heading of a note. A note about a connection with low confidence is one of several possible causes.
fn note_head(note: &Finding) -> &'static str {
    let doubtful = note.confidence == Confidence::Low && note.about.is_some();
    if doubtful { "Perhaps: " } else { "Note: " }
}

/// Returns the heading of the second limit, with its place if it concerns another transfer.
fn next_head(next: &Finding, top: Option<&Finding>) -> String {
    let [own, first] = [Some(next), top].map(|finding| finding?.about.as_ref().map(|about| &about.place));
    match own.zip(first) {
        Some((own, first)) if own.file != first.file => format!("Next ({own}): "),
        Some((own, first)) if own.line != first.line => format!("Next (line {}): ", own.line),
        _ => "Next: ".into(),
    }
}

/// Whether another file has the top finding for its connection: the same run, or a similar one.
fn is_said_again(finding: &Finding, top: &Finding) -> bool {
    let files = [finding, top].map(|finding| finding.about.as_ref().map(|about| &about.place.file));
    finding.rule == top.rule && files[0].is_some() && files[0] != files[1]
}

fn lines(text: &str) -> usize {
    text.lines().count()
}

/// Returns the first sentence of a text.
fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| &text[..=first.len()])
}

/// Removes duplicates, keeping the order.
fn unique(names: Vec<&str>) -> Vec<&str> {
    let mut seen = vec![];
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// Prints everything known about a rule.
pub fn explain(rule: &Rule, width: usize) -> String {
    let mut page = Page { text: String::new(), style: Style { width, verbose: true } };
    page.line(&format!("{}: {}\n", rule.name, rule.title));
    page.paragraph("  ", rule.model);
    page.paragraph("  Source: ", rule.source);
    if !rule.needs.is_empty() {
        let needs: Vec<&str> = rule.needs.iter().map(|need| need.stated().0).collect();
        page.paragraph("  Looks at: ", &needs.join(", "));
    }
    page.line("\n  Found when");
    (rule.thresholds)().iter().for_each(|(threshold, why)| page.paragraph("    - ", &format!("{threshold}: {why}")));
    page.paragraph("  Confidence: ", rule.confidence);
    if rule.assumed > 0.0 {
        let assumed = show::plain_share(rule.assumed);
        page.paragraph("  Ranking: ", &format!("where its cost cannot be measured, {assumed} of goodput is assumed"));
    }
    page.line("\n  To confirm");
    rule.confirm.iter().for_each(|command| page.paragraph("    - ", command));
    if !rule.alike.is_empty() {
        page.line("\n  Looks alike");
        rule.alike.iter().for_each(|(other, tell)| page.paragraph("    - ", &format!("{other}: {tell}")));
    }
    let remedies = (rule.remedies)(&Sizes::default());
    if !remedies.is_empty() {
        page.line("\n  Fix, for example at 1 Gbit/s and 210 ms");
        remedies.iter().for_each(|remedy| page.remedy(remedy));
    }
    page.text
}
