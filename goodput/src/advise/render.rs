//! The page that `goodput advise` prints.

use super::expectation::Expectation;
use super::files::{saved, written};
use super::{Advice, Buffer, Request, size};
use crate::measure::Unit;
use crate::model::response::Name;
use crate::show;
use evidence::System;
use evidence::unit;

/// Columns of the page.
const WIDTH: usize = 110;

/// The page; with the arithmetic if it is to be explained.
pub fn render(advice: &Advice, explain: bool) -> String {
    let mut page = wrapped(&advice.answer.join(" "), "", "");
    page += "\n";
    page += &asked_for(advice);
    page += &section("Expected goodput", &expected(advice));
    page += &section("Buffers", &buffers(advice));
    if !advice.remedies.is_empty() {
        page += &section("Now, as root", &now(advice));
        page += &section("For the next start: files", &files(advice));
        page += &section("Undo", &undo(advice));
    }
    if !explain {
        page += &section("Leave alone", &folklore(advice));
    }
    page += &section("In doubt", &advice.doubts.iter().map(|d| wrapped(d, "  ", "  ")).collect::<String>());
    if explain {
        page += &section("Arithmetic", &steps(advice));
        let told = |f: &&super::folklore::Folklore| {
            wrapped(&format!("\"{}\": {}. {}", f.said, f.wrong, f.source), "  ", "    ")
        };
        page += &section("What is said, and wrong", &advice.folklore.iter().map(told).collect::<String>());
    }
    page
}

fn section(title: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\n{title}\n{text}") }
}

/// The command line that asks this.
pub fn asked(request: &Request) -> String {
    let quantity = |kind: &unit::Kind, grains: f64| kind.show(grains.round() as u64).replace(' ', "");
    let mut words = vec![
        format!("--rate {}", quantity(&unit::RATE, request.rate)),
        format!("--rtt {}", quantity(&unit::TIME, request.rtt * 1e9)),
    ];
    let mut add = |word: String, asked: bool| words.extend(asked.then_some(word));
    add(format!("--flows {}", request.flows), request.flows != 1);
    if let Some(loss) = request.loss {
        add(format!("--loss {}", quantity(&unit::RATIO, loss * unit::ONE as f64)), true);
    }
    let system = match request.platform.system {
        System::Linux => "linux",
        System::FreeBsd => "freebsd",
    };
    add(format!("--os {system} --version {}", request.platform.version), true);
    if let Some(tunnel) = request.tunnel {
        add(format!("--tunnel {}", tunnel.name), true);
    }
    add("--nat-t".into(), request.outer.nat_t);
    add("--ipv6-outside".into(), request.outer.ipv6);
    add(format!("--mtu {}", request.outer.mtu), request.outer.mtu != 1500);
    add("--forwards".into(), request.forwards);
    if let Some(interface) = &request.interface {
        add(format!("--interface {interface}"), true);
    }
    if let Some(route) = &request.route {
        add(format!("--route {}", route.prefix), true);
        add(format!("--via {}", route.via.as_deref().unwrap_or_default()), route.via.is_some());
    }
    add(format!("--connections {}", request.connections), request.connections != 1);
    words.join(" ")
}

fn asked_for(advice: &Advice) -> String {
    let window = if advice.request.flows > 1 { "window of each flow" } else { "window" };
    let figures = format!(
        "{}: bandwidth-delay product {}, {window} to have {}.",
        asked(&advice.request),
        size(advice.bdp),
        size(advice.window)
    );
    wrapped(&figures, "", "")
}

fn expected(advice: &Advice) -> String {
    let head = ["", "with enough buffer", "by default", "fills the line with less than", ""].map(str::to_owned);
    let rate = |rate: Option<f64>| rate.map_or("not known".into(), |rate| show::value(Unit::BitsPerSecond, rate));
    let row = |e: &Expectation| {
        let stack = if matches!(e.name, Some(Name::Stack(_))) { "a TCP stack" } else { "" };
        let name = format!("  {}", e.algorithm);
        vec![name, rate(e.goodput), rate(e.default_buffers), e.bears(), e.absent.clone().unwrap_or(stack.into())]
    };
    let lines: Vec<Vec<String>> = std::iter::once(head.to_vec()).chain(advice.expected.iter().map(row)).collect();
    align(&lines, &[0, 3, 4])
}

fn buffers(advice: &Advice) -> String {
    let row = |b: &Buffer| {
        let needed = if b.suffices(advice.window) { "enough".into() } else { format!("{} B needed", b.needed) };
        vec![
            format!("  {} of {}", b.name, b.setting),
            format!("{} B by default", b.default),
            format!("gives {}", size(b.default_window)),
            needed,
        ]
    };
    let lines: Vec<Vec<String>> = advice.buffers.iter().map(row).collect();
    let memory = &advice.memory;
    let connections = match memory.connections {
        1 => "1 connection".into(),
        n => format!("{n} connections"),
    };
    let pages = match advice.request.platform.system {
        System::Linux => format!(
            "{} pages, which tcp_mem allows by default from {} of free memory on",
            memory.pages,
            size(memory.machine)
        ),
        System::FreeBsd => "in mbufs (`netstat -m`)".into(),
    };
    let cost = format!(
        "Memory for {connections}: usually {}; at the most {}, {pages}.",
        size(memory.typical),
        size(memory.worst)
    );
    align(&lines, &[0]) + &wrapped(&cost, "  ", "  ")
}

fn now(advice: &Advice) -> String {
    let mut text = String::new();
    if let Some([save, restore]) = saved(advice) {
        text += &format!("  # what there is now: {restore} brings it back\n  {save}\n");
    }
    let mut seen: Vec<&String> = vec![];
    for remedy in &advice.remedies {
        let commands: Vec<&String> = remedy.now.iter().filter(|command| !seen.contains(command)).collect();
        text += &wrapped(&format!("{}, {}: {}", remedy.what, remedy.at.name(), remedy.note), "  # ", "  #   ");
        text += &commands.iter().map(|command| format!("  {command}\n")).collect::<String>();
        seen.extend(commands);
    }
    text
}

fn files(advice: &Advice) -> String {
    let mut text = String::new();
    for file in written(advice) {
        let adds = if file.addition { ", added to what is there" } else { "" };
        let hint = file.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        text += &wrapped(&format!("{}{adds}{hint}", file.path), "  ", "    ");
        text += &file
            .text
            .lines()
            .skip(1)
            .map(|line| format!("    {line}").trim_end().to_owned() + "\n")
            .collect::<String>();
    }
    text
}

fn undo(advice: &Advice) -> String {
    let mut seen: Vec<String> = vec![];
    let commands = advice.remedies.iter().rev().flat_map(|remedy| remedy.undo.iter().cloned());
    let (additions, own): (Vec<_>, Vec<_>) = written(advice).into_iter().partition(|file| file.addition);
    let own = own.into_iter().map(|file| format!("rm {}", file.path));
    let additions = additions.into_iter().map(|file| format!("# take the lines out of {}", file.path));
    for command in own.chain(additions).chain(commands) {
        if !seen.contains(&command) {
            seen.push(command);
        }
    }
    seen.iter().map(|command| format!("  {command}\n")).collect()
}

fn folklore(advice: &Advice) -> String {
    let told = |f: &&super::folklore::Folklore| {
        let here: Vec<&str> =
            f.settings.iter().copied().filter(|key| is_of(key, advice.request.platform.system)).collect();
        let what = if here.is_empty() { format!("\"{}\"", f.said) } else { here.join(", ") };
        wrapped(&format!("{what}: {}", f.wrong), "  ", "    ")
    };
    advice.folklore.iter().map(told).collect()
}

/// Whether a setting is one of this system's.
fn is_of(key: &str, system: System) -> bool {
    match system {
        System::Linux => !key.starts_with("net.inet."),
        System::FreeBsd => key.starts_with("net.inet."),
    }
}

fn steps(advice: &Advice) -> String {
    let told = |s: &super::Step| {
        wrapped(&format!("{}: {}", s.what, s.sum), "  ", "    ") + &wrapped(&format!("[{}]", s.source), "    ", "     ")
    };
    advice.steps.iter().map(told).collect()
}

/// Columns side by side; those of these numbers to the left.
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

/// Text in lines of the page's width.
fn wrapped(text: &str, first: &str, rest: &str) -> String {
    let mut lines = vec![];
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, rest.to_owned()));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line += word;
        empty = false;
    }
    lines.push(line);
    lines.join("\n") + "\n"
}
