//! Reads a path's MTU and hops: `tracepath` of iputils, `traceroute --mtu`, `mtr --report`.

use super::{decimal, is_prompt, leading, whole};
use crate::import::Page;
use crate::{Evidence, Path};

/// Reads the output of these programs.
pub(super) fn read(page: &mut Page<'_>, evidence: &mut Evidence) {
    let mut run: Option<Run> = None;
    let mut asked: Option<Asked> = None;
    for index in 0..page.lines.len() {
        let line = page.lines[index];
        if line.claimed || line.text.trim().is_empty() {
            continue;
        }
        if let Some(target) = command(line.text) {
            finish(page, evidence, run.take());
            asked = Some(Asked { index, target });
            continue;
        }
        let Some(part) = part(line.text, run.as_ref().map(|run| run.program)) else {
            finish(page, evidence, run.take());
            continue;
        };
        let goes_on = run.as_ref().is_some_and(|run| part.follows(run));
        if !goes_on {
            finish(page, evidence, run.take());
            run = Some(Run::begin(page, index, part.program(), asked.take()));
        }
        if let Some(run) = &mut run {
            run.take(part);
            run.lines.push(index);
        }
    }
    finish(page, evidence, run);
}

/// A command and the target that it names.
struct Asked<'a> {
    index: usize,
    target: Option<&'a str>,
}

fn command(line: &str) -> Option<Option<&str>> {
    let names = ["tracepath ", "tracepath6 ", "traceroute ", "traceroute6 ", "mtr "];
    let name = names.iter().find_map(|name| line.find(name).filter(|&at| is_prompt(&line[..at])).map(|at| (name, at)));
    let (name, at) = name?;
    let words: Vec<&str> = line[at + name.len()..].split_whitespace().collect();
    let is_first = words.first() != Some(&"to");
    let named =
        words.iter().rev().find(|word| !word.starts_with('-') && leading(word).is_none_or(|_| word.contains('.')));
    (is_first && words.len() < 12).then(|| named.copied())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Program {
    Tracepath,
    Traceroute,
    Mtr,
}

/// A line of one of these programs.
#[derive(Debug)]
enum Part<'a> {
    /// `traceroute to host (10.0.0.1), 30 hops max, 65000 byte packets`, the head of mtr's table.
    Head(Program, Option<&'a str>),
    Hop(Hop<'a>),
    /// `Resume: pmtu 1400 hops 3 back 3`.
    Sum(u32),
    /// `Start: 2024-01-01T00:00:00+0000`, `Too many hops`.
    Rest(Program),
}

#[derive(Debug)]
struct Hop<'a> {
    program: Program,
    number: u32,
    /// Round-trip time, the least if several are printed, seconds.
    rtt: Option<f64>,
    pmtu: Option<u32>,
    reached: bool,
    /// Name and address, as printed.
    names: [Option<&'a str>; 2],
}

impl Part<'_> {
    fn program(&self) -> Program {
        match self {
            Part::Head(program, _) | Part::Rest(program) => *program,
            Part::Hop(hop) => hop.program,
            Part::Sum(_) => Program::Tracepath,
        }
    }

    fn follows(&self, run: &Run) -> bool {
        let later = match self {
            Part::Head(..) => run.hops == 0,
            Part::Hop(hop) => hop.number >= run.hop,
            _ => true,
        };
        later && !run.summed && self.program() == run.program
    }
}

struct Run<'a> {
    program: Program,
    path: Path,
    lines: Vec<usize>,
    /// Whether a line was read that only such a program prints.
    sure: bool,
    summed: bool,
    /// Number of the last hop.
    hop: u32,
    hops: usize,
    address: Option<&'a str>,
}

impl<'a> Run<'a> {
    fn begin(page: &Page<'_>, index: usize, program: Program, asked: Option<Asked<'a>>) -> Run<'a> {
        let target = asked.as_ref().and_then(|asked| asked.target).map(str::to_owned);
        let path = Path { place: page.place(index), target, mtus: vec![], pmtu: None, rtt: None, reached: false };
        let lines = asked.iter().map(|asked| asked.index).collect();
        Run { program, path, lines, sure: asked.is_some(), summed: false, hop: 0, hops: 0, address: None }
    }

    fn take(&mut self, part: Part<'a>) {
        match part {
            Part::Head(_, target) => {
                self.sure = true;
                self.address = target;
                self.path.target = self.path.target.take().or(target.map(str::to_owned));
            }
            Part::Hop(hop) => {
                self.hop = hop.number;
                self.hops += 1;
                self.sure |= hop.number == 0;
                self.path.rtt = hop.rtt.or(self.path.rtt);
                if let Some(pmtu) = hop.pmtu.filter(|&pmtu| self.path.pmtu != Some(pmtu)) {
                    self.path.mtus.push((hop.number, pmtu));
                    self.path.pmtu = Some(pmtu);
                }
                let is_target = self.address.is_some() && hop.names.contains(&self.address);
                self.path.reached = match self.program {
                    Program::Tracepath => self.path.reached || hop.reached,
                    Program::Traceroute => self.path.reached || is_target,
                    Program::Mtr => hop.rtt.is_some(),
                };
                if hop.reached && self.path.target.is_none() {
                    self.path.target = hop.names[0].map(str::to_owned);
                }
            }
            Part::Sum(pmtu) => {
                (self.sure, self.summed) = (true, true);
                self.path.pmtu = Some(pmtu);
            }
            Part::Rest(_) => self.sure = true,
        }
    }
}

/// Least number of hops of a run whose head is missing.
const MIN_HOPS_WITHOUT_HEAD: usize = 2;

fn finish(page: &mut Page<'_>, evidence: &mut Evidence, run: Option<Run<'_>>) {
    let Some(run) = run.filter(|run| run.hops > 0 && (run.sure || run.hops >= MIN_HOPS_WITHOUT_HEAD)) else { return };
    run.lines.iter().for_each(|&line| page.claim(line));
    evidence.paths.push(run.path);
}

fn part(line: &str, program: Option<Program>) -> Option<Part<'_>> {
    let text = line.trim();
    if let Some(rest) = text.strip_prefix("traceroute to ").or(text.strip_prefix("traceroute6 to ")) {
        let address = rest.split_once('(').and_then(|(_, rest)| rest.split(')').next());
        return rest.contains(" hops max").then_some(Part::Head(Program::Traceroute, address));
    }
    if text.starts_with("HOST:") && text.contains("Loss%") {
        return Some(Part::Head(Program::Mtr, None));
    }
    if text.starts_with("Start: ") && super::clock::stamp(&text["Start: ".len()..]).is_some() {
        return Some(Part::Rest(Program::Mtr));
    }
    let words: Vec<&str> = text.split_whitespace().take(MAX_LINE_WORDS).collect();
    match words.as_slice() {
        ["Resume:", "pmtu", pmtu, ..] => return mtu(pmtu).map(Part::Sum),
        ["Too", "many", "hops:", ..] => return Some(Part::Rest(Program::Tracepath)),
        _ => {}
    }
    let first = words.first()?;
    let hop = if first.ends_with("|--") {
        of_mtr(&words)
    } else if first.ends_with(':') {
        of_tracepath(&words)
    } else {
        program.filter(|program| *program == Program::Traceroute).and_then(|_| of_traceroute(&words))
    };
    hop.map(Part::Hop)
}

/// Most words read of a line.
const MAX_LINE_WORDS: usize = 64;

fn mtu(word: &str) -> Option<u32> {
    whole(word).and_then(|mtu| u32::try_from(mtu).ok()).filter(|&mtu| mtu > 0)
}

fn hop_number(word: &str) -> Option<u32> {
    whole(word).and_then(|hop| u32::try_from(hop).ok()).filter(|hop| (1..=255).contains(hop))
}

/// Parses ` 2: 10.0.0.1 1.234ms pmtu 1400`. The sending host itself, `1?: [LOCALHOST] pmtu 1500`, is hop 0.
fn of_tracepath<'a>(words: &[&'a str]) -> Option<Hop<'a>> {
    let number = words[0].trim_end_matches(':');
    let number = hop_number(number.trim_end_matches('?'))?;
    let name = *words.get(1)?;
    let mut hop = Hop {
        program: Program::Tracepath,
        number: if name == "[LOCALHOST]" { 0 } else { number },
        rtt: None,
        pmtu: None,
        reached: false,
        names: [Some(name), None],
    };
    if name == "no" {
        return (words[2..] == ["reply"]).then_some(hop);
    }
    let mut rest = words[2..].iter().copied();
    while let Some(word) = rest.next() {
        match word {
            "pmtu" => hop.pmtu = Some(mtu(rest.next()?)?),
            "asymm" => drop(whole(rest.next()?)?),
            "reached" => hop.reached = true,
            _ if word.starts_with('(') || word.starts_with('!') => {}
            _ => hop.rtt = Some(decimal(word.strip_suffix("ms")?)? / 1e3),
        }
    }
    (hop.rtt.is_some() || hop.pmtu.is_some()).then_some(hop)
}

/// Parses ` 2 10.0.0.1 (10.0.0.1) 1.2 ms F=1400 1.1 ms *`.
fn of_traceroute<'a>(words: &[&'a str]) -> Option<Hop<'a>> {
    let number = hop_number(words[0])?;
    let mut hop =
        Hop { program: Program::Traceroute, number, rtt: None, pmtu: None, reached: false, names: [None, None] };
    let probed = words[1..].iter().any(|word| *word == "*" || *word == "ms");
    for (at, word) in words.iter().enumerate().skip(1) {
        if let Some(size) = word.strip_prefix("F=") {
            hop.pmtu = mtu(size);
        } else if let Some(ms) = decimal(word).filter(|_| words.get(at + 1) == Some(&"ms")) {
            hop.rtt = Some(hop.rtt.map_or(ms / 1e3, |least| least.min(ms / 1e3)));
        } else if let Some(address) = word.strip_prefix('(') {
            hop.names[1] = Some(address.trim_end_matches(')'));
        } else if at == 1 && *word != "*" {
            hop.names[0] = Some(word);
        }
    }
    probed.then_some(hop)
}

/// Parses ` 3.|-- 10.0.0.1 0.0% 10 5.1 5.2 5.0 5.5 0.2`: after the loss come the number sent, last, mean and best.
fn of_mtr<'a>(words: &[&'a str]) -> Option<Hop<'a>> {
    let number = hop_number(words[0].trim_end_matches("|--").trim_end_matches('.'))?;
    let loss = words.get(2).and_then(|word| decimal(word.trim_end_matches('%')))?;
    let best = words.get(6).and_then(|word| decimal(word))?;
    let rtt = Some(best / 1e3).filter(|_| loss < 100.0);
    Some(Hop { program: Program::Mtr, number, rtt, pmtu: None, reached: false, names: [words.get(1).copied(), None] })
}
