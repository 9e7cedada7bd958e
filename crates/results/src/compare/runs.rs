//! Points of runs side by side.

use super::{Answer, CompareError, CompareRequest, Side};
use crate::judge::{self, Primary};
use analysis::Measures;
use analysis::finished_run::measured;
use evidence::plain;
use plan::environment::Environment;
use plan::run_folder::{self, RunFolder};
use plan::setting::{self, label};
use plan::{KERNEL, Plan, Role, Scene, Setting, Trial};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A run with its measures.
pub(super) struct Run<'s> {
    side: &'s Side,
    pub folder: RunFolder,
    pub plan: Plan,
    pub measures: Measures,
    pub environment: Environment,
}

/// A point of a run: its trials, and the settings that the side's name leaves open.
pub(super) struct Point<'r> {
    pub trials: &'r [Trial],
    open: Vec<Setting>,
}

/// Differences listed; more are counted.
const MAX_LISTED_DIFFERENCES: usize = 8;

/// Doubt about an A/B of flows that share a bottleneck (Spang et al. 2021, IMC).
const MIXED_CONTROLS_DOUBT: &str = "On one side several congestion controls share a bottleneck: how they share it says nothing about either \
                     alone.";

/// Compares the points that both sides have.
pub fn compare(request: &CompareRequest, a: &Side, b: &Side) -> Result<Answer, CompareError> {
    let [a, b] = [Run::read(a)?, Run::read(b)?];
    let [of_a, of_b] = [a.points()?, b.points()?];
    let pairs = pairs(&a, &b, &of_a, &of_b)?;
    let same_run = a.side.is_where(b.side);
    if same_run && pairs.iter().any(|(a, b)| a.trials[0].point == b.trials[0].point) {
        return Err(CompareError::Same(a.side.name.clone(), b.side.name.clone()));
    }
    if !same_run && !request.force {
        let mut of_paths: Vec<String> = pairs.iter().flat_map(|(a, b)| of_paths(a.trials, b.trials)).collect();
        of_paths.sort();
        of_paths.dedup();
        if !of_paths.is_empty() {
            let sides = [&a, &b].map(|run| run.side.name.clone());
            return Err(CompareError::OtherPath { sides, differences: shortened(of_paths) });
        }
    }
    let names = names(&a, &b, &pairs[0]);
    let mut answer = Answer::default();
    let mut questions = vec![];
    for (left, right) in &pairs {
        let at = if pairs.len() > 1 { left.open.as_slice() } else { &[] };
        let chosen = Primary::chosen(&request.measures, &[], [left.trials, right.trials]);
        if chosen.is_empty() {
            answer.sentences.push(setting::about(at, &judge::of_different_kinds(&names)));
        }
        for primary in &chosen {
            let sides = [
                judge::Side { name: &names[0], trials: left.trials, measures: &a.measures, primary },
                judge::Side { name: &names[1], trials: right.trials, measures: &b.measures, primary },
            ];
            match judge::question(at, sides) {
                Ok(question) => questions.push(question),
                Err(why) => answer.sentences.push(why),
            }
        }
    }
    answer.comparisons = judge::decide(questions, request.margin);
    answer.sentences.extend(answer.comparisons.iter().map(|compared| compared.full_sentence()));
    answer.differences = differences(&a, &b, &pairs);
    answer.caveats = caveats(&[&a, &b], &pairs);
    answer.caveats.extend(left_out(&[&a, &b], [of_a.len(), of_b.len()], pairs.len()));
    if pairs.iter().any(|(a, b)| !judge::is_alone_or_alike(a.trials, b.trials)) {
        answer.caveats.push(MIXED_CONTROLS_DOUBT.into());
    }
    answer.caveats.extend(judge::of_comparisons(&answer.comparisons));
    Ok(answer)
}

impl Run<'_> {
    pub fn read(side: &Side) -> Result<Run<'_>, CompareError> {
        let folder = RunFolder::existing(&side.path)?;
        let (plan, measures) = measured(&folder)?;
        let environment = folder.read_json(run_folder::ENVIRONMENT)?;
        Ok(Run { side, folder, plan, measures, environment })
    }

    /// Returns the points that the side names.
    pub fn points(&self) -> Result<Vec<Point<'_>>, CompareError> {
        let points = self.plan.points();
        let Some(wanted) = &self.side.part else {
            return Ok(points.into_iter().map(|trials| Point { trials, open: trials[0].point.to_vec() }).collect());
        };
        let named = |trials: &[Trial]| setting::left_open(&trials[0].point, wanted);
        let found: Vec<Point> =
            points.iter().filter_map(|trials| Some(Point { trials, open: named(trials)? })).collect();
        if found.is_empty() {
            let run = plain::path(&self.side.path);
            let points = points.iter().map(|trials| plain::line(&label(&trials[0].point)).into_owned());
            let points = points.filter(|point| !point.is_empty());
            let accepted = points.chain([format!("{run}, the whole run")]).collect();
            return Err(CompareError::NoPoint { run, wanted: wanted.clone(), accepted });
        }
        Ok(found)
    }
}

type Pair<'r> = (&'r Point<'r>, &'r Point<'r>);

/// Returns pairs of points with the same open settings; if both sides have one point, those are a pair whatever their
/// settings.
fn pairs<'r>(a: &Run, b: &Run, of_a: &'r [Point<'r>], of_b: &'r [Point<'r>]) -> Result<Vec<Pair<'r>>, CompareError> {
    if let ([left], [right]) = (of_a, of_b) {
        return Ok(vec![(left, right)]);
    }
    let other = |left: &'r Point<'r>| Some((left, of_b.iter().find(|right| right.open == left.open)?));
    let pairs: Vec<Pair> = of_a.iter().filter_map(other).collect();
    if pairs.is_empty() {
        let labels = |points: &[Point]| points.iter().map(|point| label(&point.trials[0].point)).collect();
        let sides = [a.side.name.clone(), b.side.name.clone()];
        return Err(CompareError::NothingInCommon { sides, points: [labels(of_a), labels(of_b)] });
    }
    Ok(pairs)
}

/// Returns the sides' names: their points if these differ, else the names in the command.
fn names(a: &Run, b: &Run, (left, right): &Pair) -> [String; 2] {
    let own = |point: &Point| {
        let named: Vec<Setting> =
            point.trials[0].point.iter().filter(|setting| !point.open.contains(setting)).cloned().collect();
        label(if named.is_empty() { &point.trials[0].point[..] } else { &named })
    };
    let names = [own(left), own(right)];
    if names[0] != names[1] && names.iter().all(|name| !name.is_empty()) {
        return names;
    }
    [a.side.name.clone(), b.side.name.clone()]
}

/// Returns the path of the flows: links, tunnels, and all nodes but hosts.
fn path(scene: &Scene) -> Value {
    let nodes: Vec<_> = scene.nodes.iter().filter(|node| !matches!(node.role, Role::Host(_))).collect();
    json!({ "links": scene.links, "tunnels": scene.tunnels, "nodes": nodes })
}

/// Lists the differences between the modelled paths; none if a side is a real path, whose properties the comparison is
/// about.
fn of_paths(a: &[Trial], b: &[Trial]) -> Vec<String> {
    let mut found = vec![];
    if [a, b].iter().any(|side| side[0].scene.is_real()) {
        return found;
    }
    differ(String::new(), &path(&a[0].scene), &path(&b[0].scene), &mut found);
    found
}

/// Lists the differences other than the path, between the first points and between the laboratories.
fn differences(a: &Run, b: &Run, pairs: &[Pair]) -> Vec<String> {
    let (left, right) = pairs[0];
    let mut found = vec![];
    let [one, two] = [left, right].map(|point| json!(point.trials[0].scene));
    differ(String::new(), &one, &two, &mut found);
    let [one, two] = [left, right].map(|point| &point.trials[0].kernel);
    differ(KERNEL.into(), &json!(one), &json!(two), &mut found);
    let differences = a.environment.only(one).differences(&b.environment.only(two));
    found.extend(differences.into_iter().map(|what| what.replace(" then, ", " and ").replace(" now", "")));
    shortened(found)
}

/// Adds the places at which two values differ, with both values.
fn differ(at: String, a: &Value, b: &Value, into: &mut Vec<String>) {
    let below = |key: &str| if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let value = |of: &serde_json::Map<String, Value>, key| of.get(key).cloned().unwrap_or(Value::Null);
            keys.into_iter().for_each(|key| differ(below(key), &value(a, key), &value(b, key), into));
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().for_each(|(n, (a, b))| differ(below(&n.to_string()), a, b, into));
        }
        _ if a == b => {}
        _ => into.push(format!("{}: {} and {}", written(&at), brief(a), brief(b))),
    }
}

/// Returns a place of the plan as an experiment writes it, if it has a key there: `flows.0.congestion`.
fn written(at: &str) -> String {
    let kept = |part: &&str| {
        !["traffic", "bulk", "requests", "udp", "ping", "tcp", "role", "host", "router", "switch"].contains(part)
    };
    at.split('.').filter(kept).collect::<Vec<_>>().join(".")
}

fn brief(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::String(text) => text.clone(),
        Value::Array(list) => format!("{} of them", list.len()),
        Value::Object(_) => "a table".into(),
        other => other.to_string(),
    }
}

/// Shortens the list of differences; a difference that several flows or links share is listed once.
fn shortened(all: Vec<String>) -> Vec<String> {
    let mut alike: Vec<(String, String, usize)> = vec![];
    for line in all {
        let (place, values) = line.split_once(": ").unwrap_or((&line, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = place.split('.').map(|part| if is_number(part) { "*" } else { part }).collect();
        let any = format!("{}: {values}", parts.join("."));
        match alike.iter_mut().find(|(other, ..)| *other == any) {
            Some((_, _, number)) => *number += 1,
            None => alike.push((any, line, 1)),
        }
    }
    let more = alike.len().saturating_sub(MAX_LISTED_DIFFERENCES);
    let line = |(any, line, number)| if number > 1 { format!("{any}, {number} times") } else { line };
    let mut told: Vec<String> = alike.into_iter().take(MAX_LISTED_DIFFERENCES).map(line).collect();
    told.extend((more > 0).then(|| format!("and {more} more")));
    told
}

/// Describes the points of a side that have no counterpart.
fn left_out(runs: &[&Run; 2], points: [usize; 2], pairs: usize) -> Vec<String> {
    let sides = runs.iter().zip(points).filter(|(_, points)| *points > pairs);
    let said = |(run, points): (&&Run, usize)| {
        format!("{} of {points} points of {} have no counterpart and are not compared.", points - pairs, run.side.name)
    };
    sides.map(said).collect()
}

fn caveats(runs: &[&Run; 2], pairs: &[Pair]) -> Vec<String> {
    let mut texts = vec![];
    for (run, side) in runs.iter().zip([0, 1]) {
        let trials = pairs.iter().flat_map(|(a, b)| if side == 0 { a.trials } else { b.trials });
        let doubts = trials.filter_map(|trial| run.measures.get(trial.index)).flat_map(|trial| &trial.caveats);
        let doubts = analysis::sentences(doubts.collect(), &run.plan.flow_names());
        texts.extend(doubts.into_iter().map(|doubt| format!("{}: {doubt}", run.side.name)));
    }
    texts
}
