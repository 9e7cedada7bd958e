//! Renders the page of `goodput advise`.

use super::expectation::Expectation;
use super::files::written;
use super::folklore::Folklore;
use super::{Advice, Buffer, SumStep, size};
use crate::remedy::{Remedy, folded};
use base::show;
use base::units::Unit;
use evidence::System;

/// Renders the page in lines of a width: the answer, the commands, how to undo them; on demand the arithmetic, and
/// what to leave alone.
pub fn render(advice: &Advice, explain: bool, width: usize) -> String {
    let page = Page { advice, width };
    let mut text = page.wrapped(&advice.answer.join(" "), "", "");
    text += &page.wrapped(&page.figures(), "", "");
    text += &section("Expected goodput", &page.expected(explain));
    if !advice.remedies.is_empty() {
        text += &section("Now, as root", &page.now(Remedy::commands));
        text += &section("Keep it over a reboot", &page.files());
        text += &section("Undo", &page.undo(Remedy::undo));
    }
    text += &section("Caveats", &advice.doubts.iter().map(|doubt| page.wrapped(doubt, "  ", "  ")).collect::<String>());
    if explain {
        if page.has_words() {
            text += &section("The same by hand", &page.now(|remedy| remedy.steps().now));
            text += &section("Undone by hand", &page.undo(|remedy| remedy.steps().undo));
        }
        text += &section("Buffers", &page.buffers());
        text += &section("Arithmetic", &advice.steps.iter().map(|step| page.step(step)).collect::<String>());
        text += &section("Leave alone", &advice.folklore.iter().map(|said| page.folklore(said)).collect::<String>());
    } else {
        text += "\nWhy, and what to leave alone: add --explain\n";
    }
    text
}

fn section(title: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\n{title}\n{text}") }
}

struct Page<'a> {
    advice: &'a Advice,
    width: usize,
}

impl Page<'_> {
    fn figures(&self) -> String {
        let per_flow = if self.advice.request.flows > 1 { " a flow" } else { "" };
        let Advice { bdp, window, .. } = self.advice;
        format!("BDP {}; window needed {}{per_flow}.", size(*bdp), size(*window))
    }

    /// Prints the controls of the system; for the others only why they are missing.
    fn expected(&self, explain: bool) -> String {
        let head = ["", "large buffers", "default buffers", "fills the link up to a loss of"].map(str::to_owned);
        let rate = |rate: Option<f64>| rate.map_or("unknown".into(), |rate| show::value(Unit::BitsPerSecond, rate));
        let row =
            |e: &Expectation| vec![format!("  {}", e.algorithm), rate(e.goodput), rate(e.default_buffers), e.bears()];
        let shown = self.advice.expected.iter().filter(|e| explain || e.name.is_some());
        let lines: Vec<Vec<String>> = std::iter::once(head.to_vec()).chain(shown.map(row)).collect();
        let missing =
            self.advice.expected.iter().filter_map(|e| Some(format!("{}: {}", e.algorithm, e.absent.as_ref()?)));
        let missing = missing.collect::<Vec<_>>().join("; ");
        let missing = if explain && !missing.is_empty() {
            self.wrapped(&format!("Not on this system: {missing}."), "  ", "  ")
        } else {
            String::new()
        };
        align(&lines, &[0, 3]) + &missing
    }

    fn buffers(&self) -> String {
        let row = |b: &Buffer| {
            let enough = b.suffices(self.advice.window);
            let needed = if enough { "enough".into() } else { format!("{} B needed", b.needed) };
            vec![
                format!("  {}", b.setting),
                format!("default {} B", b.default),
                format!("window {}", size(b.default_window)),
                needed,
            ]
        };
        let lines: Vec<Vec<String>> = self.advice.buffers.iter().map(row).collect();
        let memory = &self.advice.memory;
        let connections = match memory.connections {
            1 => "1 connection".into(),
            n => format!("{n} connections"),
        };
        let pages = match self.advice.request.platform.system {
            System::Linux => format!(
                "{} pages, which the default tcp_mem allows with {} of free memory or more",
                memory.pages,
                size(memory.machine)
            ),
            System::FreeBsd => "in mbufs (netstat -m)".into(),
        };
        let cost = format!(
            "Memory for {connections}: typically {}, at most {} ({pages}).",
            size(memory.typical),
            size(memory.worst)
        );
        align(&lines, &[0]) + &self.wrapped(&cost, "  ", "  ")
    }

    fn has_words(&self) -> bool {
        self.advice.remedies.iter().any(|remedy| remedy.word().is_some())
    }

    fn now(&self, commands: impl Fn(&Remedy) -> Vec<String>) -> String {
        let mut text = String::new();
        let mut seen: Vec<String> = vec![];
        for remedy in &self.advice.remedies {
            let title = format!("{}, {}. {}", remedy.what(), remedy.at.name(), remedy.why);
            text += &self.wrapped(&title, "  # ", "  # ");
            for command in commands(remedy) {
                if !seen.contains(&command) {
                    text += &self.command(&command);
                    seen.push(command);
                }
            }
        }
        text
    }

    fn files(&self) -> String {
        let mut text = String::new();
        for file in written(self.advice) {
            let adds = if file.addition { ", lines to add" } else { "" };
            let hint = file.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
            text += &self.wrapped(&format!("{}{adds}{hint}", file.path), "  ", "    ");
            let lines = file.text.lines().skip(1).map(|line| format!("    {line}").trim_end().to_owned() + "\n");
            text += &lines.collect::<String>();
        }
        text
    }

    fn undo(&self, commands: impl Fn(&Remedy) -> Vec<String>) -> String {
        let mut seen: Vec<String> = vec![];
        let removals = written(self.advice).into_iter().flat_map(|file| file.removals);
        let commands = self.advice.remedies.iter().rev().flat_map(commands);
        for command in removals.chain(commands) {
            if !seen.contains(&command) {
                seen.push(command);
            }
        }
        seen.iter().map(|command| self.command(command)).collect()
    }

    fn folklore(&self, said: &Folklore) -> String {
        let system = self.advice.request.platform.system;
        let here: Vec<&str> = said.settings.iter().copied().filter(|key| is_of(key, system)).collect();
        let what = if here.is_empty() { String::new() } else { format!("{}: ", here.join(", ")) };
        self.wrapped(&format!("{what}\"{}\" - {}. [{}]", said.said, said.wrong, said.source), "  ", "    ")
    }

    fn step(&self, step: &SumStep) -> String {
        self.wrapped(&format!("{}: {}", step.what, step.sum), "  ", "    ")
            + &self.wrapped(&format!("[{}]", step.source), "    ", "     ")
    }

    fn command(&self, command: &str) -> String {
        folded(command, self.width.saturating_sub(2)).iter().map(|line| format!("  {line}\n")).collect()
    }

    fn wrapped(&self, text: &str, first: &str, rest: &str) -> String {
        let options = textwrap::Options::new(self.width).initial_indent(first).subsequent_indent(rest);
        textwrap::fill(text, options.break_words(false).word_splitter(textwrap::WordSplitter::NoHyphenation)) + "\n"
    }
}

/// Whether a setting belongs to this system.
fn is_of(key: &str, system: System) -> bool {
    match system {
        System::Linux => !key.starts_with("net.inet."),
        System::FreeBsd => key.starts_with("net.inet."),
    }
}

/// Aligns columns; those with these numbers to the left.
fn align(lines: &[Vec<String>], left: &[usize]) -> String {
    let width =
        |c: usize| lines.iter().filter_map(|line| line.get(c)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let cell = |(c, text): (usize, &String)| {
        let width = width(c);
        if left.contains(&c) { format!("{text:<width$}") } else { format!("{text:>width$}") }
    };
    let line = |line: &Vec<String>| {
        let cells: Vec<String> = line.iter().enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}
