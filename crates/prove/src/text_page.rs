//! The answer as text: the explanations, the effect of each change, and the commands of the best one.

use super::Verdict;
use super::candidate::{Mechanism, PAYLOAD_SHARE};
use super::clues::Excluded;
use super::compared::Comparison;
use super::distance::Fit;
use super::explain::{Assumes, Departure, Explanation, MIN_GAIN};
use super::formulas;
use super::remarks::{next, of_idle, of_row};
use super::row::{ChangeRow, Effect, Neighbour};
use super::words::{Statement, far, noun, state, two_digits};
use base::show;
use base::stats::mean;
use base::units::Unit;
use diagnosis::remedy::{folded, word};
use std::fmt::Write;

/// Says how to read the table.
pub fn how_to_read(verdict: &Verdict) -> String {
    let figure = if verdict.figure.is_empty() { String::new() } else { format!(" Goodput is {}.", verdict.figure) };
    format!(
        "Each range of goodput holds nine of ten runs, whichever of the paths above is yours.{figure} Confidence: high if \
         the change helps on all of them, seed by seed. The other columns are means of the lab's runs."
    )
}
/// The open question about a link.
const LINE_RATE: &str = "the rate of the line";
/// Statistics further off than this many standard deviations are listed.
const MIN_OFF_Z: f64 = 2.0;
/// Largest ratio of an RTT to the idle path's for which the buffer delay is a percentage; above, it is a time.
const MAX_PERCENT_RATIO: f64 = 10.0;
/// Commands of each kind on the page.
const MAX_COMMANDS: usize = 12;
/// Width of a remedy's name.
const NAME_COLUMNS: usize = 24;
/// Width of the indent before a command.
const INDENT_COLUMNS: usize = 8;

/// Writes the page in `width` columns.
pub fn page(verdict: &Verdict, width: usize) -> String {
    let mut page = Page { text: String::new(), width };
    page.transfer(verdict);
    match verdict.explanations.is_empty() {
        true => page.nothing(verdict),
        false => {
            page.state("", first_measurement(verdict).into_iter().collect());
            page.paragraph("Answer: ", &answer(verdict));
            page.state("", of_comparisons(verdict));
            page.line("");
            page.explanations(verdict);
            if !verdict.rows.is_empty() {
                page.table(verdict);
            }
            page.best(verdict);
        }
    }
    page.text
}

/// Names the measurement without which a range is too wide to act on.
pub fn first_measurement(verdict: &Verdict) -> Option<Statement> {
    let narrow = verdict.narrow.as_ref()?;
    let wide = show::number(narrow.width);
    let what = format!(
        "{} spans a factor of {wide}, too wide to act on. This narrows it most: {}.",
        narrow.row, narrow.measure
    );
    Some(state("Measure first: ", format!("the range of {what}")))
}

/// Sets other runs of the evidence beside what was predicted of them.
pub fn of_comparisons(verdict: &Verdict) -> Vec<Statement> {
    let head = |one: &Comparison| match one.agrees() {
        Some(true) if one.agrees_wholly() => "As predicted: ",
        Some(true) => "Goodput as predicted: ",
        Some(false) => "Not as predicted: ",
        None => "Another run: ",
    };
    verdict.compared.iter().map(|one| state(head(one), one.sentence())).collect()
}

/// Sums up the answer in a sentence.
pub fn answer(verdict: &Verdict) -> String {
    let causes: Vec<String> = verdict.explanations.iter().map(|one| noun(&one.name)).collect();
    let brings = match verdict.best() {
        _ if causes.is_empty() => {
            let trials = verdict.trials;
            return format!(
                "not reproduced: none of {trials} trials looks like this transfer, so nothing is predicted."
            );
        }
        None if verdict.rows.is_empty() => "no change could be tried".into(),
        None => "no change that was tried helps".into(),
        Some(best) if best.is_conditional() => {
            format!("{} helps only if it is {}", best.name, helped(best, verdict).join(", or "))
        }
        Some(best) => format!("{} brings {}", best.name, goodput(best)),
    };
    format!("{}; {brings}.", causes.join(", or "))
}

struct Page {
    text: String,
    width: usize,
}

impl Page {
    /// Writes a paragraph. A percent sign stays with its number.
    fn paragraph(&mut self, head: &str, body: &str) {
        const NO_BREAK_PERCENT: &str = "\u{e000}%";
        let body = body.replace(" %", NO_BREAK_PERCENT);
        self.text += &show::paragraph(head, &body, self.width).replace(NO_BREAK_PERCENT, " %");
    }

    fn state(&mut self, indent: &str, all: Vec<Statement>) {
        all.iter().for_each(|one| self.paragraph(&format!("{indent}{}", one.head), &one.says));
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    fn transfer(&mut self, verdict: &Verdict) {
        let rate = verdict.rate.map_or("line rate unknown".into(), |rate| format!("{} line", show::rate(rate)));
        let what =
            format!("{}: {}; {} path, {rate}.", verdict.transfer, show::rate(verdict.goodput), show::time(verdict.rtt));
        self.paragraph("", &what);
        verdict.notes.iter().for_each(|note| self.paragraph("Note: ", note));
        if !verdict.before.is_empty() {
            self.paragraph("Before this evidence was added: ", &format!("{}.", verdict.before.join("; ")));
        }
        self.line("");
    }

    fn nothing(&mut self, verdict: &Verdict) {
        self.paragraph("", &show::capital(&answer(verdict)));
        self.state("  ", of_nothing(verdict));
    }

    fn explanations(&mut self, verdict: &Verdict) {
        let many = verdict.explanations.len() > 1;
        let head = if many { "Any one of these reproduces it:" } else { "This reproduces it:" };
        self.line(head);
        for one in &verdict.explanations {
            self.paragraph("  ", &format!("{}: {}.", show::capital(&one.name), fitted_quantities(one, verdict.rate)));
            self.state("    ", of_explanation(one));
        }
        self.state("  ", of_what_is_open(verdict));
        self.line("");
    }

    fn table(&mut self, verdict: &Verdict) {
        self.row("remedy", ["goodput", "RTT p95", "retransmitted", "confidence"]);
        self.row("", ["Mbit/s", "ms", "%", ""]);
        for row in verdict.rows.iter().filter(|row| !row.is_idle()) {
            let goodput = match row.is_open() {
                true => format!("{} or more", show::number(row.goodput()[0] / 1e6)),
                false => range(row.goodput().map(|rate| rate / 1e6)),
            };
            let rtt = range(row.p95().map(|time| time * 1e3));
            let again = row.retransmitted().map(|share| two_digits(share * 100.0));
            let again = if again[0] == again[1] { again[0].clone() } else { again.join(" to ") };
            let name = textwrap::wrap(&row.name, NAME_COLUMNS);
            let last = name.len() - 1;
            name[..last].iter().for_each(|line| self.line(line));
            self.row(&name[last], [&goodput, &rtt, &again, row.confidence().word()]);
            self.state("    ", of_row(row, verdict));
        }
        self.state("", of_idle(verdict));
        self.paragraph("", &how_to_read(verdict));
        self.line("");
    }

    fn row(&mut self, name: &str, [goodput, rtt, again, confidence]: [&str; 4]) {
        self.line(&format!("{name:NAME_COLUMNS$}  {goodput:>12}  {rtt:>12}  {again:>13}  {confidence:>10}"));
    }

    fn best(&mut self, verdict: &Verdict) {
        let Some(best) = verdict.best() else { return self.state("", of_best(verdict)) };
        self.state("", vec![advice(best, verdict)]);
        let ends = best.apply.iter().filter(|line| line.starts_with("# ")).count();
        let undo = vec![if ends > 1 { format!("{}   # on each host", word::UNDO) } else { word::UNDO.to_owned() }];
        let short = !best.apply.is_empty();
        let (now, undo) = if short { (&best.apply, &undo) } else { (&best.now, &best.undo) };
        for (verb, lines) in &[("now", now), ("keep", &best.keep), ("undo", undo)] {
            lines.iter().take(MAX_COMMANDS).enumerate().for_each(|(at, line)| {
                let head = if at == 0 { *verb } else { "" };
                // Lines of a file are not folded.
                let lines = match *verb {
                    "keep" => line.split('\n').map(str::to_owned).collect(),
                    _ => folded(line, self.width - INDENT_COLUMNS),
                };
                lines
                    .iter()
                    .enumerate()
                    .for_each(|(at, line)| self.line(&format!("  {:5} {line}", if at == 0 { head } else { "" })));
            });
        }
        self.state("", of_best(verdict));
    }
}

/// Describes the goodput of a competing flow.
fn neighbour(verdict: &Verdict) -> Option<Statement> {
    let first = verdict.neighbour.first()?;
    let of = |pairs: Vec<[f64; 2]>| {
        let [own, theirs] = [0, 1].map(|at| {
            let all = pairs.iter().map(|pair| pair[at]);
            let [low, high] = all.fold([f64::INFINITY, 0.0], |[a, b], got| [a.min(got), b.max(got)]);
            show::range(Unit::BitsPerSecond, low, high)
        });
        format!("{theirs} beside your {own}")
    };
    let each = |of: fn(&Neighbour) -> [f64; 2]| verdict.neighbour.iter().map(of).collect::<Vec<_>>();
    let mut told = format!(
        "a competing {} flow on the same line gets {} now, and {} after the change",
        first.control,
        of(each(|one| one.now)),
        of(each(|one| one.after))
    );
    if let Some(all) = verdict.neighbour.iter().map(|one| one.all).collect::<Option<Vec<_>>>() {
        told += &format!("; {} if it makes it too", of(all));
    }
    Some(state("Neighbour: ", format!("{told}.")))
}

/// Writes the metrics of RFC 6349, 4.1 and 4.2, under one explanation, without and with a change.
fn rfc6349(verdict: &Verdict, best: Option<&ChangeRow>) -> Statement {
    let at = best.and_then(|best| fitted(best).find(|e| e.gain >= MIN_GAIN)).map_or(0, |effect| effect.explanation);
    let of = |row| fitted(row).find(|effect| effect.explanation == at);
    let effects: Vec<&Effect> = verdict.rows.first().into_iter().chain(best).filter_map(of).collect();
    let told = |of: &dyn Fn(&Effect) -> String| effects.iter().map(|e| of(e)).collect::<Vec<_>>().join(" → ");
    let mut all = vec![];
    let line = verdict.explanations.get(at).filter(|one| one.knows_rate()).map(|one| one.candidate.rate);
    if let Some(rate) = verdict.rate.or(line) {
        let ratio = |e: &Effect| show::number(rate * PAYLOAD_SHARE / mean(&e.goodput).max(1.0));
        all.push(format!("TCP transfer time ratio {}", told(&ratio)));
    }
    let efficiency = |e: &Effect| format!("{:.2} %", 100.0 * (1.0 - e.retransmitted));
    all.push(format!("TCP efficiency {}", told(&efficiency)));
    let longest = effects.iter().map(|effect| effect.rtt / verdict.rtt).fold(1.0, f64::max);
    let delay = |e: &Effect| match longest > MAX_PERCENT_RATIO {
        true => show::time((e.rtt - verdict.rtt).max(0.0)),
        false => format!("{:.0} %", 100.0 * (e.rtt / verdict.rtt - 1.0).max(0.0)),
    };
    all.push(format!("buffer delay {}", told(&delay)));
    state("RFC 6349: ", format!("{}.", all.join("; ")))
}

/// Describes a transfer that nothing reproduces: the nearest candidate, and the diagnosis.
pub fn of_nothing(verdict: &Verdict) -> Vec<Statement> {
    let mut all = vec![];
    if let Some((what, fit)) = &verdict.nearest {
        all.push(state("Nearest: ", format!("{what}, {}", distance(fit))));
        if fit.holds() {
            const REFUSED: &str = "with fresh seeds it no longer fits, or it fits as well without one of its mechanisms, so it proves \
                                   nothing. A larger --budget may find one that holds.";
            all.push(state("Refused: ", REFUSED));
        }
        all.push(state("Off: ", off(fit, MIN_OFF_Z)));
    }
    all.extend(excluded(verdict));
    all.extend(by_formulas(verdict));
    all
}

/// Describes thirds in which the lab's curve differs from the transfer's.
fn departs(one: &Explanation) -> Option<String> {
    let of = |span: &Departure| {
        let [low, high] = span.lab;
        let when = match span.from {
            0.0 => format!("in the first {}", show::time(span.until)),
            from => format!("from {} to {}", show::time(from), show::time(span.until)),
        };
        format!(
            "{when} the transfer carried {}, and the lab {}",
            show::rate(span.seen),
            show::range(Unit::BitsPerSecond, low, high)
        )
    };
    let all: Vec<String> = one.departs.iter().map(of).collect();
    (!all.is_empty()).then(|| format!("{}.", all.join("; ")))
}

/// Describes the distance of an explanation, and how much each mechanism counts.
pub fn of_explanation(one: &Explanation) -> Vec<Statement> {
    let mut all = vec![state("", format!("{}.", distance(&one.fit)))];
    let far = off(&one.fit, MIN_OFF_Z);
    if !far.is_empty() {
        all.push(state("off: ", far));
    }
    all.extend(departs(one).map(|told| state("another curve: ", told)));
    let without = one.without.iter().filter(|(what, _)| one.names(what));
    let rises: Vec<String> = without
        .map(|(what, rise)| format!("without the {what} the lab is {rise:.1} standard deviations worse"))
        .collect();
    if !rises.is_empty() {
        all.push(state("", format!("{}.", rises.join(", "))));
    }
    let beside: Vec<&str> = one.bystanders().collect();
    if !beside.is_empty() {
        let beside = show::capital(&beside.join(" with "));
        let least = 100.0 * (MIN_GAIN - 1.0);
        let says = format!("goodput rises by less than {least:.0} % without it");
        all.push(state("", format!("{beside} shows as well and does not limit: {says}.")));
    }
    all
}

/// Lists what was ruled out, what is unknown, and the measurement that would settle it.
pub fn of_what_is_open(verdict: &Verdict) -> Vec<Statement> {
    let unknown =
        |assumes: Assumes| verdict.explanations.iter().any(|one| one.scenarios.iter().any(|s| s.assumes == assumes));
    let open = [
        (Assumes::Slower, LINE_RATE),
        (Assumes::Faster, LINE_RATE),
        (Assumes::Alike, "the receive buffer"),
        (Assumes::ReceiveWindow, "the receive buffer"),
        (Assumes::SendBuffer, "the send buffer"),
    ];
    let mut open: Vec<&str> = open.into_iter().filter(|(assumes, _)| unknown(*assumes)).map(|(_, what)| what).collect();
    open.dedup();
    let open = (!open.is_empty())
        .then(|| state("Not known: ", format!("{}. Each prediction covers every value that fits.", open.join(", "))));
    let ask = verdict.ask.as_ref().map(|ask| state("To be sure: ", ask.clone()));
    [excluded(verdict), too_far(verdict), by_formulas(verdict), open, ask].into_iter().flatten().collect()
}

fn by_formulas(verdict: &Verdict) -> Option<Statement> {
    Some(state("By formulas alone (goodput diagnose): ", formulas::compare_with_lab(verdict)?))
}

/// Lists single mechanisms that do not reproduce the transfer, the likeliest first.
fn too_far(verdict: &Verdict) -> Option<Statement> {
    const MAX_TOO_FAR: usize = 6;
    let of = |(what, fit): &(String, Fit)| {
        let (name, rest) = what.split_once(" (")?;
        let is_alone = rest.matches(" (").count() == 0;
        let is_named = verdict.explanations.iter().any(|one| one.names(name));
        (is_alone && !is_named && !fit.holds()).then(|| format!("{name} {:.2}", fit.d))
    };
    let all: Vec<String> = verdict.tried.iter().filter_map(of).take(MAX_TOO_FAR).collect();
    let limit = Fit::MAX_D;
    (!all.is_empty()).then(|| {
        state(
            "Tried and too far off: ",
            format!("{} times the spread in the mean ({limit:.2} at most).", all.join(", ")),
        )
    })
}

/// Lists mechanisms ruled out without the lab, each reason once.
fn excluded(verdict: &Verdict) -> Option<Statement> {
    let mut reasons: Vec<(&str, Vec<&str>)> = vec![];
    for one in verdict.ruled_out() {
        match reasons.iter_mut().find(|(why, _)| *why == one.why) {
            Some((_, kinds)) => kinds.push(one.kind.name()),
            None => reasons.push((&one.why, vec![one.kind.name()])),
        }
    }
    let told: Vec<String> = reasons.iter().map(|(why, kinds)| format!("{} ({why})", kinds.join(", "))).collect();
    (!told.is_empty()).then(|| state("Ruled out: ", format!("{}.", told.join("; "))))
}

/// Names the change to make, or to try.
pub fn advice(best: &ChangeRow, verdict: &Verdict) -> Statement {
    if !best.is_conditional() {
        return state("Do: ", format!("{}: on average {} times the goodput (95 % interval).", best.name, gain(best)));
    }
    let told = fitted(best).filter_map(|e| {
        let name = noun(&verdict.explanations.get(e.explanation)?.name);
        Some(format!("{} if it is {name}", show::rate(mean(&e.goodput))))
    });
    state("Try: ", format!("{}: {}.", best.name, told.collect::<Vec<_>>().join(", ")))
}

/// Describes the best change, or says why there is none.
pub fn of_best(verdict: &Verdict) -> Vec<Statement> {
    let Some(best) = verdict.best() else {
        let why = match verdict.rows.is_empty() {
            true => "No change could be tried: the lab showed nothing of the transfer beside a ping.",
            false => "No change that was tried helps: the limit is not at the ends, or there is none.",
        };
        return vec![state("", why), rfc6349(verdict, None)];
    };
    let mut all: Vec<Statement> = neighbour(verdict).into_iter().collect();
    all.push(state("Next limit: ", format!("{}.", next(best, verdict))));
    all.push(state("Verify: ", verify(best)));
    all.push(rfc6349(verdict, Some(best)));
    all
}

impl Verdict {
    /// Returns mechanisms ruled out without the lab, except those of an explanation: a known pace needs no search.
    pub fn ruled_out(&self) -> impl Iterator<Item = &Excluded> {
        self.excluded.iter().filter(|out| !self.explanations.iter().any(|one| one.names(out.kind.name())))
    }

    /// Returns the first change that harms under no scenario, helps on average, and helps under the best fit of an
    /// explanation.
    pub fn best(&self) -> Option<&ChangeRow> {
        let helps = |row: &&ChangeRow| {
            !row.dropped
                && row.has_commands()
                && row.gain()[0] > 1.0 / MIN_GAIN
                && row.mean_gain() >= MIN_GAIN
                && !helped(row, self).is_empty()
        };
        self.rows.iter().skip(1).find(helps)
    }
}

/// Returns a row's effects under the best fit of each explanation.
fn fitted(row: &ChangeRow) -> impl Iterator<Item = &Effect> + Clone {
    row.effects.iter().filter(|effect| effect.assumes == Assumes::Nothing)
}

/// Names the explanations under which a change helps.
fn helped(row: &ChangeRow, verdict: &Verdict) -> Vec<String> {
    let helps = fitted(row).filter(|effect| effect.helps());
    helps.filter_map(|effect| Some(noun(&verdict.explanations.get(effect.explanation)?.name))).collect()
}

/// Says how to verify the change on the path itself.
fn verify(best: &ChangeRow) -> String {
    let expected = goodput(best);
    format!("run the same transfer again and expect {expected}; if it differs, something else is at work.")
}

pub fn distance(fit: &Fit) -> String {
    let count = fit.z.len();
    let mean = format!(
        "{count} figures are off by {:.2} times their spread in the mean, {:.1} in the worst three",
        fit.d, fit.t3
    );
    let limits = format!("runs of one path differ by up to {:.2} and {:.1}", Fit::MAX_D, Fit::MAX_T3);
    match fit.beyond {
        _ if fit.holds() => {
            format!("it differs from the lab's runs no more than two runs of one path do: {mean}; {limits}")
        }
        0.0 => format!("{mean}; {limits}"),
        beyond => format!("its goodput is {} the lab's runs; {mean}", far(beyond)),
    }
}

fn off(fit: &Fit, beyond: f64) -> String {
    let far = fit.worst().into_iter().filter(|(_, z)| z.abs() > beyond).take(3);
    far.map(|(name, z)| format!("{name} {z:+.1} sd")).collect::<Vec<_>>().join(", ")
}

/// Lists the fitted quantities with intervals; the link only if its rate shows.
pub fn fitted_quantities(one: &Explanation, rate: Option<f64>) -> String {
    let mut ranges = one.ranges.iter();
    let (line, buffer) = (ranges.next(), ranges.next());
    let mut all = vec![];
    for part in &one.candidate.parts {
        let (name, quantities) = part.kind.row();
        let mut of = if one.names(name) { String::new() } else { format!("{name} with ") };
        for (what, quantity) in quantities {
            if let Some([low, high]) = ranges.next() {
                all.push(format!("{of}{what} {}", quantity.range(*low, *high)));
                of.clear();
            }
        }
    }
    for (kind, setting) in
        [(Mechanism::ReceiveWindow, "receiver's tcp_rmem"), (Mechanism::SendBuffer, "sender's tcp_wmem")]
    {
        if one.names(kind.name()) && !one.candidate.has(kind) {
            all.push(format!("the {setting} as it is set"));
        }
    }
    if let (Some([low, high]), Some([least, most])) = (line, buffer) {
        match (rate, one.knows_rate()) {
            (Some(_), _) => {}
            (None, true) => all.push(format!("line {}", show::range(Unit::BitsPerSecond, *low, *high))),
            (None, false) => all.push("line rate unknown".into()),
        }
        let shows = one.knows_rate() || one.names("small queue") || one.names("large queue");
        if shows && !one.candidate.has(Mechanism::Aqm) {
            all.push(format!("queue {least:.0} to {most:.0} packets"));
        }
    }
    all.join(", ")
}

fn range([low, high]: [f64; 2]) -> String {
    let [a, b] = [low, high].map(show::number);
    if a == b { a } else { format!("{a} to {b}") }
}

/// Formats the predicted goodput with a change.
pub fn goodput(row: &ChangeRow) -> String {
    let [low, high] = row.goodput();
    if row.is_open() { format!("{} or more", show::rate(low)) } else { show::range(Unit::BitsPerSecond, low, high) }
}

/// Formats the mean gain of a change, as a ratio.
pub fn gain(row: &ChangeRow) -> String {
    if row.is_open() { format!("{} or more", show::number(row.worth()[0])) } else { range(row.worth()) }
}
