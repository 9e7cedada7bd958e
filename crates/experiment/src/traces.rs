//! The trace files that an experiment's lines follow: mahimahi's format, or CSV. The caller has read them.

use evidence::plain;
use evidence::unit::{self, Kind};
use plan::{Plan, Points, Trace};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use toml::Spanned;
use toml::de::DeValue;
use wire::{Follows, Point};

/// Longest file, bytes.
pub const TEXT: usize = 256 << 20;
/// Most points of a file: a day has 86,400 seconds.
const MOST_POINTS: usize = 100_000;

/// Points of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Followed {
    pub follows: Follows,
    pub points: Points,
}

/// Trace files by the names that an experiment gives them; an error says why one cannot be used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Traces(BTreeMap<String, Result<Followed, String>>);

impl Traces {
    /// Parses and adds a file, or the reason why it could not be read.
    pub fn insert(&mut self, name: &str, text: Result<&str, String>) {
        self.0.insert(name.to_owned(), text.and_then(|text| parse(name, text)));
    }

    /// Returns the traces that a plan's lines follow.
    pub fn from_plan(plan: &Plan) -> Traces {
        let links = plan.trials.iter().flat_map(|trial| trial.scene.links.iter());
        let lanes = links.flat_map(|link| [&link.forward, &link.backward]);
        let traces = lanes.flat_map(|lane| [&lane.rate_trace, &lane.delay_trace]).flatten();
        let kept = |trace: &Trace| Followed { follows: trace.follows, points: trace.points.clone() };
        Traces(traces.map(|trace| (trace.file.clone(), Ok(kept(trace)))).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn find(&self, name: &str) -> Option<&Result<Followed, String>> {
        self.0.get(name)
    }
}

impl Serialize for Traces {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().filter_map(|(name, found)| Some((name, found.as_ref().ok()?))))
    }
}

impl<'de> Deserialize<'de> for Traces {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Traces, D::Error> {
        let all: BTreeMap<String, Followed> = BTreeMap::deserialize(deserializer)?;
        Ok(Traces(all.into_iter().map(|(name, followed)| (name, Ok(followed))).collect()))
    }
}

impl Eq for Traces {}

/// Collects every file that a document names: the texts of keys called `trace`.
pub fn named(value: &DeValue, into: &mut BTreeSet<String>) {
    match value {
        DeValue::Table(table) => {
            for (key, value) in table {
                match value.get_ref() {
                    DeValue::String(name) if key.get_ref() == "trace" || key.get_ref().ends_with(".trace") => {
                        into.insert(name.to_string());
                    }
                    // Under `[vary]`, the values are lists.
                    DeValue::Array(list) if key.get_ref().ends_with("trace") => {
                        into.extend(list.iter().filter_map(|name| name.get_ref().as_str()).map(str::to_owned));
                    }
                    inner => named(inner, into),
                }
            }
        }
        DeValue::Array(list) => list.iter().map(Spanned::get_ref).for_each(|value| named(value, into)),
        _ => {}
    }
}

/// Parses a file: mahimahi's format if its first line is a number, else CSV.
pub fn parse(name: &str, text: &str) -> Result<Followed, String> {
    let rows = || text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let (_, first) = rows().next().ok_or_else(|| format!("{} is empty", plain::line(name)))?;
    let followed = if first.parse::<u64>().is_ok() { mahimahi(rows()) } else { csv(first, rows().skip(1)) };
    let at = |(line, what): (usize, String)| format!("{}:{line}: {}", plain::line(name), plain::line(&what));
    followed.map_err(at)
}

type TraceLine<'t> = (usize, &'t str);

/// Parses mahimahi's format: each line is the time of an opportunity, ms.
fn mahimahi<'t>(rows: impl Iterator<Item = TraceLine<'t>>) -> Result<Followed, (usize, String)> {
    const MS: u64 = 1_000_000;
    let mut points: Vec<Point> = vec![];
    let mut last = 0;
    for (line, text) in rows {
        let wrong = |what: &str| (line, format!("\"{text}\" {what}"));
        let time = text.parse::<u64>().ok().and_then(|ms| ms.checked_mul(MS));
        let time = time.ok_or_else(|| wrong("is no time of an opportunity: a line is a whole number of ms"))?;
        match points.last_mut() {
            Some([at, _]) if *at > time => return Err(wrong("is earlier than the line before it")),
            Some([at, number]) if *at == time => *number += 1,
            _ => points.push([time, 1]),
        }
        last = line;
        bounded(line, points.len())?;
    }
    let lasts = points.last().is_some_and(|point| point[0] > 0);
    if !lasts {
        return Err((last, "the last opportunity is at 0 ms, and it is what the trace takes".into()));
    }
    Ok(Followed { follows: Follows::Opportunities, points: Points::encode(&points) })
}

/// Parses CSV: a head such as `time (s),rate (Mbit/s)`, then a time and a value in each row.
fn csv<'t>(head: &str, rows: impl Iterator<Item = TraceLine<'t>>) -> Result<Followed, (usize, String)> {
    const DUE: &str = "such as \"time (s),rate (Mbit/s)\" or \"time (s),delay (ms)\"";
    let no_head = || (1, format!("\"{head}\" is neither a time of mahimahi's nor a head {DUE}"));
    let (time, value) = head.split_once(',').ok_or_else(no_head)?;
    let value = value.split(',').next().unwrap_or(value);
    let time = (unit::TIME, unit_of(time).ok_or_else(no_head)?);
    let of_value = unit_of(value).ok_or_else(no_head)?;
    let has = |kind: &Kind, unit: &str| kind.units.iter().any(|(known, _)| *known == unit);
    let value = match of_value {
        unit if has(&unit::RATE, unit) => (unit::RATE, unit),
        unit if has(&unit::TIME, unit) => (unit::TIME, unit),
        _ => return Err(no_head()),
    };
    if !has(&unit::TIME, time.1) {
        return Err(no_head());
    }
    let mut points: Vec<Point> = vec![];
    let mut begin = None;
    for (line, text) in rows.filter(|(_, text)| !text.is_empty()) {
        let mut cells = text.split(',').map(str::trim);
        let mut cell = |kind: &(Kind, &str)| {
            let text = cells.next().unwrap_or_default();
            let read = unit::parse_any(&format!("{text} {}", kind.1), &[&kind.0]);
            read.map(|(_, grains)| grains).map_err(|wrong| (line, format!("\"{text}\" {}", wrong.what)))
        };
        let (at, value) = (cell(&time)?, cell(&value)?);
        let begin = *begin.get_or_insert(at);
        let back = || (line, "its time is not after that of the row before it".to_owned());
        let at = at.checked_sub(begin).ok_or_else(back)?;
        if points.last().is_some_and(|[before, _]| *before >= at) {
            return Err(back());
        }
        points.push([at, value]);
        bounded(line, points.len())?;
    }
    if points.len() < 2 {
        return Err((1, "there are fewer than two rows: the last one ends the trace".into()));
    }
    let follows = if has(&unit::RATE, value.1) { Follows::Rate } else { Follows::Delay };
    Ok(Followed { follows, points: Points::encode(&points) })
}

fn bounded(line: usize, points: usize) -> Result<(), (usize, String)> {
    if points <= MOST_POINTS { Ok(()) } else { Err((line, format!("a trace has {MOST_POINTS} points at most"))) }
}

/// Returns the unit in a head such as `rate (Mbit/s)`, `rate_Mbit/s` or `rate Mbit/s`.
fn unit_of(head: &str) -> Option<&str> {
    let last = head.trim().trim_end_matches(')').rsplit([' ', '(', '_']).next()?;
    (!last.is_empty()).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Result<(Follows, Vec<Point>), String> {
        parse("t", text).map(|followed| (followed.follows, followed.points.list().to_vec()))
    }

    #[test]
    fn opportunities_of_one_time_are_counted() {
        let found = points("0\n0\n3\n3\n3\n10\n");
        assert_eq!(found, Ok((Follows::Opportunities, vec![[0, 2], [3_000_000, 3], [10_000_000, 1]])));
    }

    #[test]
    fn rows_have_the_units_of_their_head() {
        let found = points("time (s),rate (Mbit/s),note\n10.5,1.5,x\n\n10.6, 0 \n11,2\n");
        assert_eq!(found, Ok((Follows::Rate, vec![[0, 1_500_000], [100_000_000, 0], [500_000_000, 2_000_000]])));
        assert_eq!(points("t_ms,owd_us\n0,7\n1,8\n"), Ok((Follows::Delay, vec![[0, 7_000], [1_000_000, 8_000]])));
    }

    #[test]
    fn malformed_traces_are_refused_with_their_line() {
        for (text, wrong) in [
            ("", "t is empty"),
            ("0\n", "t:1: the last opportunity is at 0 ms, and it is what the trace takes"),
            ("5\n4\n", "t:2: \"4\" is earlier than the line before it"),
            ("5\nx\n", "t:2: \"x\" is no time of an opportunity: a line is a whole number of ms"),
            ("time (s),rate (Mbit/s)\n0,1\n0,2\n", "t:3: its time is not after that of the row before it"),
            ("time (s),rate (Mbit/s)\n0,fast\n", "t:2: \"fast\" is not a number with a unit"),
            ("time (s),rate (Mbit/s)\n0,1\n", "t:1: there are fewer than two rows: the last one ends the trace"),
        ] {
            assert_eq!(points(text).unwrap_err(), wrong, "{text:?}");
        }
        assert!(points("<html>").unwrap_err().starts_with("t:1: \"<html>\" is neither"));
    }
}
