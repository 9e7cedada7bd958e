//! What a search has found, and where the measure of a long sweep changes most.

use super::value::{at, label, unit};
use crate::analyze::Measures;
use crate::plan::{Axis, Find, Ladder, Plan, Search, Setting};
use crate::show;
use crate::study::search::{self, Line, Neighbours};
use serde::{Deserialize, Serialize};

/// A sentence for each thing that was found, and a doubt about what was not looked at.
pub struct Found {
    /// What was found.
    pub sentences: Vec<String>,
    /// What could have been missed.
    pub caveats: Vec<String>,
    /// Where the measure is low.
    pub defects: Vec<Defect>,
}

/// A stretch of the searched axis at which the measure is low; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defect {
    /// The point of the other axes.
    pub at: Vec<Setting>,
    /// Its first value.
    pub from: String,
    /// Its last value.
    pub to: String,
}

/// What the search of a plan has found at each point of its grid; nothing if it has none.
pub fn found(plan: &Plan, measures: &Measures) -> Found {
    let mut found = Found { sentences: vec![], caveats: vec![], defects: vec![] };
    let Some(search) = &plan.search else { return found };
    for tried in search::tried(plan, measures) {
        match search.find {
            Find::Cliff { width, fall } => cliffs(search, &tried, width, fall, &mut found),
            Find::Threshold { at_least, at_most } => threshold(search, &tried, at_least, at_most, &mut found),
            Find::Maximum => maximum(search, &tried, plan.compare.margin, &mut found),
        }
        if tried.rungs.len() as u64 >= search.at_most {
            found.caveats.push(at(tried.at, &format!("the search ended with its {} values.", search.at_most)));
        }
    }
    found.caveats.dedup();
    found
}

fn name(search: &Search) -> &str {
    search.key.rsplit('.').next().unwrap_or(&search.key)
}

fn figure(measure: &str, value: Option<f64>) -> String {
    value.map_or("no value".into(), |value| show::value(unit(measure), value))
}

fn cliffs(search: &Search, tried: &Line, width: u64, fall: f64, found: &mut Found) {
    let Search { ladder, measure, .. } = search;
    let name = name(search);
    let edges = search::edges(&tried.rungs, fall);
    let defect = |found: &mut Found, from: u64, to: u64| {
        let [from, to] = [from, to].map(|rung| ladder.text(rung));
        found.defects.push(Defect { at: tried.at.to_vec(), from, to });
    };
    if edges.is_empty() {
        found.sentences.push(at(tried.at, &no_cliff(search, tried)));
    }
    let falls = |[(good, high), (low, least)]: Neighbours, to: u64| {
        let down = match lowest(tried, low, to) {
            Some(lowest) if search::change(&[(low, least), lowest]) >= fall => {
                format!(" (down to {} at {})", figure(measure, lowest.1), ladder.text(lowest.0))
            }
            _ => String::new(),
        };
        let gap = if low - good > 1 { " at the latest" } else { "" };
        let [high, least] = [high, least].map(|value| figure(measure, value));
        let [good, low] = [good, low].map(|rung| ladder.text(rung));
        format!("{measure} falls from {high} at {name} {good} to {least} from {low} on{gap}{down}")
    };
    // The fall into the stretch that is still low, and the rung since which there was no edge.
    let (mut open, mut since): (Option<Neighbours>, u64) = (None, 0);
    for edge in edges {
        let [(from, before), (to, after)] = edge;
        let rises = search::change(&edge) < 0.0;
        let is_back = |fell: &Neighbours| search::change(&[fell[0], edge[1]]) < fall;
        let begun = std::mem::replace(&mut since, to);
        let is_left = to - from > 1;
        let gap = if is_left { " at the latest" } else { "" };
        let [before, after] = [before, after].map(|value| figure(measure, value));
        let [last, next] = [from, to].map(|rung| ladder.text(rung));
        let said = match open {
            Some(fell) if rises && is_back(&fell) => {
                open = None;
                let low = fell[1].0;
                defect(found, low, from);
                let least = if is_left || low - fell[0].0 > 1 { "at least " } else { "" };
                let values = values(ladder, low, from);
                let falls = falls(fell, from);
                format!("{falls}, and is back at {after} from {next} on{gap}: {least}{values} of {name}.")
            }
            // Deeper, or higher and still low.
            Some(_) => continue,
            None if rises => {
                defect(found, begun, from);
                match begun {
                    0 => format!("{measure} is {before} up to {name} {last}, and {after} from {next} on{gap}."),
                    _ => format!("{measure} rises from {before} at {name} {last} to {after} from {next} on{gap}."),
                }
            }
            None => {
                open = Some(edge);
                continue;
            }
        };
        found.sentences.push(at(tried.at, &said));
    }
    if let Some(fell) = open {
        defect(found, fell[1].0, ladder.last);
        found.sentences.push(at(tried.at, &format!("{}, up to the end.", falls(fell, ladder.last))));
    }
    let narrow = if width > 1 {
        format!(", or one over less than {} of {name} between two tried values,", ladder.difference(width))
    } else {
        String::new()
    };
    found.caveats.push(format!("A fall of less than {}{narrow} could have been missed.", show::plain_share(fall)));
}

/// The lowest that was tried between two rungs; what has no value is lower than all that have one.
fn lowest(tried: &Line, from: u64, to: u64) -> Option<(u64, Option<f64>)> {
    let within = tried.rungs.iter().filter(|(rung, _)| (from..=to).contains(rung)).copied();
    within.min_by(|(_, a), (_, b)| a.unwrap_or(f64::NEG_INFINITY).total_cmp(&b.unwrap_or(f64::NEG_INFINITY)))
}

/// "101 values, 2300 B to 2400 B,"
fn values(ladder: &Ladder, from: u64, to: u64) -> String {
    match to - from + 1 {
        1 => format!("1 value, {},", ladder.text(from)),
        number => format!("{number} values, {} to {},", ladder.text(from), ladder.text(to)),
    }
}

fn no_cliff(search: &Search, tried: &Line) -> String {
    let pairs = tried.rungs.windows(2).map(|pair| [pair[0], pair[1]]);
    let largest = pairs.max_by(|a, b| search::change(a).abs().total_cmp(&search::change(b).abs()));
    let Some(largest) = largest else { return "there is no cliff.".into() };
    let Search { ladder, measure, .. } = search;
    let share = show::value(crate::measure::Unit::Ratio, search::change(&largest).abs());
    let [from, to] = largest.map(|(rung, _)| ladder.text(rung));
    format!(
        "there is no cliff: {measure} changes by {share} at most between neighbours, from {} {from} to {to}.",
        name(search)
    )
}

fn threshold(search: &Search, tried: &Line, at_least: Option<f64>, at_most: Option<f64>, found: &mut Found) {
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
            format!("no {name} of the {} tried, {ends}, gives {condition}.", tried.rungs.len())
        }
        (Some(rung), None) => {
            format!("already {name} {} gives {condition}: {}.", ladder.text(rung), figure(measure, value(rung)))
        }
        (Some(rung), Some([(below, before), _])) => format!(
            "{condition} takes a {name} of {}: {}; {} gives {}.",
            ladder.text(rung),
            figure(measure, value(rung)),
            ladder.text(below),
            figure(measure, before)
        ),
    };
    found.sentences.push(at(tried.at, &said));
    if !threshold.exceptions.is_empty() {
        let texts: Vec<String> = threshold.exceptions.iter().map(|rung| ladder.text(*rung)).collect();
        let said = format!("the condition does not hold at every larger value: not at {}.", texts.join(", "));
        found.caveats.push(at(tried.at, &said));
    } else {
        found.caveats.push("The condition is taken to change once: between tried values nobody looked.".into());
    }
}

fn maximum(search: &Search, tried: &Line, margin: f64, found: &mut Found) {
    let Search { ladder, measure, .. } = search;
    let Some(best) = search::best(&tried.rungs) else {
        found.sentences.push(at(tried.at, &format!("{measure} has no value.")));
        return;
    };
    let (rung, top) = tried.rungs[best];
    let near = |value: Option<f64>| value.zip(top).is_some_and(|(value, top)| value >= top * (1.0 - margin));
    let first =
        tried.rungs[..=best].iter().rev().take_while(|(_, value)| near(*value)).last().map_or(rung, |(rung, _)| *rung);
    let last = tried.rungs[best..].iter().take_while(|(_, value)| near(*value)).last().map_or(rung, |(rung, _)| *rung);
    let flat = match first == last {
        true => String::new(),
        false => format!(
            "; from {} to {} it is within {} of that",
            ladder.text(first),
            ladder.text(last),
            show::plain_share(margin)
        ),
    };
    let said =
        format!("{measure} is largest at {} {}: {}{flat}.", name(search), ladder.text(rung), figure(measure, top));
    found.sentences.push(at(tried.at, &said));
    found.caveats.push("A narrow maximum between the first values could have been missed.".into());
}

/// Where the goodput of a sweep over many values changes most between neighbours, at each point of the other axes.
pub fn steepest(plan: &Plan, measures: &Measures) -> Vec<String> {
    const MEASURE: &str = "goodput";
    let long = |axis: &&Axis| !axis.in_step && Some(&axis.key) != plan.compare.over.as_ref();
    let last = plan.vary.last().filter(long).filter(|axis| axis.values.len() > 6);
    let Some(axis) = last.filter(|_| plan.search.is_none()) else { return vec![] };
    let place = |text: &str| axis.values.iter().position(|value| value == text).map(|place| place as u64);
    let sentence = |line: &Line| {
        let pairs = line.rungs.windows(2).map(|pair| [pair[0], pair[1]]).filter(|pair| search::change(pair) != 0.0);
        let largest = pairs.max_by(|a, b| search::change(a).abs().total_cmp(&search::change(b).abs()))?;
        let setting =
            |place: u64| label(&[Setting { key: axis.key.clone(), value: axis.values[place as usize].clone() }]);
        let [(from, before), (to, after)] = largest;
        let [before, after] = [before, after].map(|value| figure(MEASURE, value));
        let said = format!("{MEASURE} changes most from {} to {}: {before} to {after}.", setting(from), setting(to));
        Some(at(line.at, &said))
    };
    search::lines(plan, measures, MEASURE, place).iter().filter_map(sentence).collect()
}
