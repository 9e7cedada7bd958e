//! Turns the trials of a search into findings, and finds where a long sweep changes most.

use analysis::study::{
    self,
    search::{self, AxisLine, Neighbours},
};
use analysis::{Measure, Measures};
use base::show;
use base::units::Unit;
use plan::setting::{at, label};
use plan::{Axis, Find, Ladder, Plan, Search, Setting};
use serde::{Deserialize, Serialize};

/// Findings of a search or a sweep, and their caveats.
pub(super) struct Found {
    pub findings: Vec<SearchResult>,
    /// Doubts about the findings, a sentence each.
    pub caveats: Vec<String>,
}

/// A finding at one point of the other axes; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResult {
    /// Settings of the other axes.
    pub at: Vec<Setting>,
    /// Values of the searched key at which the measure is low; `None` unless the search is for cliffs and found one.
    pub low: Option<Stretch>,
    /// The same as a sentence.
    pub sentence: String,
}

/// A range of values of the searched key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// First value of the range.
    pub from: String,
    /// Last value of the range.
    pub to: String,
}

impl Found {
    /// Adds a finding at the point of the other axes.
    fn say(&mut self, tried: &AxisLine, low: Option<Stretch>, said: &str) {
        self.findings.push(SearchResult { at: tried.at.to_vec(), low, sentence: at(tried.at, said) });
    }
}

/// Returns the findings of the plan's search at each point of its grid; without a search, where a long sweep changes
/// most.
pub(super) fn search_findings(plan: &Plan, measures: &Measures) -> Found {
    let Some(search) = &plan.search else { return Found { findings: steepest(plan, measures), caveats: vec![] } };
    let mut found = Found { findings: vec![], caveats: vec![] };
    for tried in search::tried(plan, measures) {
        match search.find {
            Find::Cliff { width, fall } => cliffs(search, &tried, width, fall, &mut found),
            Find::Threshold { at_least, at_most } => threshold(search, &tried, at_least, at_most, &mut found),
            Find::Maximum => maximum(search, &tried, plan.compare.margin, &mut found),
        }
        if tried.rungs.len() as u64 >= search.at_most {
            found.caveats.push(at(tried.at, &format!("the search stopped at its limit of {} values.", search.at_most)));
        }
    }
    let is_threshold = matches!(search.find, Find::Threshold { .. });
    if is_threshold && !plan.points().iter().all(|trials| study::is_certain(trials, measures)) {
        found.caveats.push("Other seeds move what was found: --seeds 101..110 shows how far.".into());
    }
    found.caveats.dedup();
    found
}

fn name(search: &Search) -> &str {
    search.key.rsplit('.').next().unwrap_or(&search.key)
}

fn figure(measure: &str, value: Option<f64>) -> String {
    value.map_or("no value".into(), |value| show::value(Measure::unit_of(measure), value))
}

/// A low stretch: the fall into it, its last rung, and the rise out of it if there is one.
struct Low {
    fall: Neighbours,
    last: u64,
    rise: Option<Neighbours>,
}

/// A part of the searched range in which the measure is low.
enum Part {
    /// A stretch that starts with a fall.
    Low(Low),
    /// A stretch that is low from its `first` rung and ends with a rise.
    Rise { first: u64, edge: Neighbours },
}

/// Joins edges into low stretches. A deeper fall, or a rise that leaves the measure low, stays within its stretch.
fn parts(edges: Vec<Neighbours>, fall: f64, ladder: &Ladder) -> Vec<Part> {
    let mut parts = vec![];
    let (mut open, mut since): (Option<Neighbours>, u64) = (None, 0);
    for edge in edges {
        let rises = search::change(&edge) < 0.0;
        let first = std::mem::replace(&mut since, edge[1].0);
        match open {
            Some(fell) if rises && search::change(&[fell[0], edge[1]]) < fall => {
                open = None;
                parts.push(Part::Low(Low { fall: fell, last: edge[0].0, rise: Some(edge) }));
            }
            Some(_) => {}
            None if rises => parts.push(Part::Rise { first, edge }),
            None => open = Some(edge),
        }
    }
    parts.extend(open.map(|fall| Part::Low(Low { fall, last: ladder.last, rise: None })));
    parts
}

fn cliffs(search: &Search, tried: &AxisLine, width: u64, fall: f64, found: &mut Found) {
    let Search { ladder, .. } = search;
    let edges = search::edges(&tried.rungs, fall);
    if edges.is_empty() {
        found.say(tried, None, &no_cliff(search, tried));
    }
    for part in parts(edges, fall, ladder) {
        let (first, last, said) = match part {
            Part::Low(low) => (low.fall[1].0, low.last, low_sentence(search, tried, &low, fall)),
            Part::Rise { first, edge } => (first, edge[0].0, rise_sentence(search, first, edge)),
        };
        let [from, to] = [first, last].map(|rung| ladder.text(rung));
        found.say(tried, Some(Stretch { from, to }), &said);
    }
    let narrow = match width {
        ..=1 => String::new(),
        _ => format!(", or narrower than {} of {},", ladder.difference(width), name(search)),
    };
    found.caveats.push(format!("A fall of less than {}{narrow} could have been missed.", show::plain_share(fall)));
}

/// True if values between two neighbours were not tried.
fn has_gap([(from, _), (to, _)]: Neighbours) -> bool {
    to - from > 1
}

fn low_sentence(search: &Search, tried: &AxisLine, low: &Low, fall: f64) -> String {
    let Search { ladder, measure, .. } = search;
    let name = name(search);
    let Low { fall: fell, last, rise } = *low;
    let [(good, high), (first, least)] = fell;
    let deeper = lowest(tried, first, last).filter(|lowest| search::change(&[(first, least), *lowest]) >= fall);
    let down = deeper.map_or(String::new(), |(rung, value)| {
        format!(" (as low as {} at {})", figure(measure, value), ladder.text(rung))
    });
    let by = |edge: Neighbours| if has_gap(edge) { " or before" } else { "" };
    let falls = format!(
        "{measure} falls from {} at {name} {} to {} at {}{}{down}",
        figure(measure, high),
        ladder.text(good),
        figure(measure, least),
        ladder.text(first),
        by(fell)
    );
    let Some(rise) = rise else { return format!("{falls}, and stays low to the end of the range.") };
    let (next, after) = rise[1];
    let least = if has_gap(fell) || has_gap(rise) { "at least " } else { "" };
    let (after, next) = (figure(measure, after), ladder.text(next));
    let values = values(ladder, name, first, last);
    format!("{falls}, and recovers to {after} at {next}{}: {least}{values} affected.", by(rise))
}

fn rise_sentence(search: &Search, first: u64, edge: Neighbours) -> String {
    let Search { ladder, measure, .. } = search;
    let name = name(search);
    let [(last, before), (next, value)] = edge;
    let gap = if has_gap(edge) { " or before" } else { "" };
    let after = figure(measure, value);
    let [last, next] = [last, next].map(|rung| ladder.text(rung));
    let is = if before.is_some() { "is" } else { "has" };
    let before = figure(measure, before);
    match first {
        0 => format!("{measure} {is} {before} up to {name} {last}, and {after} from {next}{gap}."),
        _ => format!("{measure} rises from {before} at {name} {last} to {after} at {next}{gap}."),
    }
}

/// Returns the rung with the lowest value between two rungs, both included. A missing value counts as the lowest.
fn lowest(tried: &AxisLine, from: u64, to: u64) -> Option<(u64, Option<f64>)> {
    let within = tried.rungs.iter().filter(|(rung, _)| (from..=to).contains(rung)).copied();
    within.min_by(|(_, a), (_, b)| a.unwrap_or(f64::NEG_INFINITY).total_cmp(&b.unwrap_or(f64::NEG_INFINITY)))
}

/// "101 values of mss, 2300 B to 2400 B,"
fn values(ladder: &Ladder, name: &str, from: u64, to: u64) -> String {
    match to - from + 1 {
        1 => format!("1 value of {name}, {},", ladder.text(from)),
        number => format!("{number} values of {name}, {} to {},", ladder.text(from), ladder.text(to)),
    }
}

fn no_cliff(search: &Search, tried: &AxisLine) -> String {
    let pairs = tried.rungs.windows(2).map(|pair| [pair[0], pair[1]]);
    let largest = pairs.max_by(|a, b| search::change(a).abs().total_cmp(&search::change(b).abs()));
    let Some(largest) = largest else { return "no cliff.".into() };
    let Search { ladder, measure, .. } = search;
    let share = show::value(Unit::Ratio, search::change(&largest).abs());
    let [from, to] = largest.map(|(rung, _)| ladder.text(rung));
    format!("no cliff: {measure} changes by at most {share} between neighbours, {} {from} and {to}.", name(search))
}

fn threshold(search: &Search, tried: &AxisLine, at_least: Option<f64>, at_most: Option<f64>, found: &mut Found) {
    let Search { ladder, measure, .. } = search;
    let name = name(search);
    let bound = |word: &str, bound: Option<f64>| bound.map(|bound| format!("{word} {}", figure(measure, Some(bound))));
    let bounds: Vec<String> = [bound("at least", at_least), bound("at most", at_most)].into_iter().flatten().collect();
    let condition = format!("{measure} {}", bounds.join(" and "));
    let threshold = search::threshold(&tried.rungs, at_least, at_most);
    let value = |rung: u64| tried.rungs.iter().find(|(other, _)| *other == rung).and_then(|(_, value)| *value);
    let said = match (threshold.rung, threshold.bracket) {
        (None, _) => {
            let ends = [0, ladder.last].map(|rung| ladder.text(rung)).join(" to ");
            format!("none of the {} values of {name} tried, {ends}, gives {condition}.", tried.rungs.len())
        }
        (Some(rung), None) => {
            let value = figure(measure, value(rung));
            format!("the smallest {name} tried, {}, already gives {condition}: {value}.", ladder.text(rung))
        }
        (Some(rung), Some([(below, before), _])) => format!(
            "{condition} needs a {name} of {}: {}, but only {} at {}.",
            ladder.text(rung),
            figure(measure, value(rung)),
            figure(measure, before),
            ladder.text(below)
        ),
    };
    found.say(tried, None, &said);
    if !threshold.exceptions.is_empty() {
        let texts: Vec<String> = threshold.exceptions.iter().map(|rung| ladder.text(*rung)).collect();
        let said = format!("above the threshold the condition fails again at {}.", texts.join(", "));
        found.caveats.push(at(tried.at, &said));
    } else {
        found.caveats.push("The search assumes that the condition changes once; it did not try every value.".into());
    }
}

fn maximum(search: &Search, tried: &AxisLine, margin: f64, found: &mut Found) {
    let Search { ladder, measure, .. } = search;
    let Some(best) = search::best(&tried.rungs) else {
        found.say(tried, None, &format!("{measure} has no value."));
        return;
    };
    let (rung, top) = tried.rungs[best];
    let near = |value: Option<f64>| value.zip(top).is_some_and(|(value, top)| value >= top * (1.0 - margin));
    let first =
        tried.rungs[..=best].iter().rev().take_while(|(_, value)| near(*value)).last().map_or(rung, |(rung, _)| *rung);
    let last = tried.rungs[best..].iter().take_while(|(_, value)| near(*value)).last().map_or(rung, |(rung, _)| *rung);
    let [first, last] = [first, last].map(|rung| ladder.text(rung));
    let margin = show::plain_share(margin);
    let flat = if first == last { String::new() } else { format!("; {first} to {last} are within {margin} of that") };
    let (place, top) = (ladder.text(rung), figure(measure, top));
    found.say(tried, None, &format!("{measure} peaks at {} {place}: {top}{flat}.", name(search)));
    found.caveats.push("A peak narrower than the spacing of the first values could have been missed.".into());
}

/// Finds where the goodput of a sweep over many values changes most between neighbours, at each point of the other
/// axes.
fn steepest(plan: &Plan, measures: &Measures) -> Vec<SearchResult> {
    const MEASURE: &str = "goodput";
    let long = |axis: &&Axis| !axis.in_step && Some(&axis.key) != plan.compare.over.as_ref();
    // Names of cases have no order.
    let is_ordered = |axis: &&Axis| axis.values.iter().all(|value| value.starts_with(|c: char| c.is_ascii_digit()));
    let axis = plan.vary.last().filter(long).filter(|axis| axis.values.len() > 6).filter(is_ordered);
    let Some(axis) = axis else { return vec![] };
    let place = |text: &str| axis.values.iter().position(|value| value == text).map(|place| place as u64);
    let finding = |line: &AxisLine| {
        let pairs = line.rungs.windows(2).map(|pair| [pair[0], pair[1]]).filter(|pair| search::change(pair) != 0.0);
        let largest = pairs.max_by(|a, b| search::change(a).abs().total_cmp(&search::change(b).abs()))?;
        let setting =
            |place: u64| label(&[Setting { key: axis.key.clone(), value: axis.values[place as usize].clone() }]);
        let [(from, before), (to, after)] = largest;
        let [before, after] = [before, after].map(|value| figure(MEASURE, value));
        let said =
            format!("{MEASURE} changes most between {} and {}: {before} to {after}.", setting(from), setting(to));
        Some(SearchResult { at: line.at.to_vec(), low: None, sentence: at(line.at, &said) })
    };
    search::lines(plan, measures, MEASURE, place).iter().filter_map(finding).collect()
}
