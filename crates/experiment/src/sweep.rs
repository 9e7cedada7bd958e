//! The grid of points, each a document of its own. The first axis of `[vary]` varies slowest, the values of `[search]`
//! fastest.

use super::dotted::{LISTS, TOP, VARIABLE, heading, is_numbered, may_vary, rank};
use super::reader::Reader;
use super::resolve::{self, Draft, Kernel};
use super::source::Fault;
use super::traces::Traces;
use super::written::{At, Axis, Experiment, Put, Written};
use super::{keys, ladder, named, plan_defaults};
use analysis::study::{self, Wanted};
use base::stats::SEEDS;
use base::suggest::{closest, suggest};
use evidence::unit::Wrong;
use plan::{Find, KERNEL, Plan, Repeat, Scene, Seeds, Setting, Shared, Trial};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

type Document<'a> = Spanned<DeTable<'a>>;

/// Most trials of a sweep.
const MOST_TRIALS: u64 = 1_000_000;

/// Most connections in all trials together; with more, the plan would not fit in memory.
const MOST_CONNECTIONS: u64 = 1_000_000;

/// Range of start times with several seeds, ns.
const START_SPREAD_NS: u64 = 10_000_000;

/// Makes the plan of a TOML document, with its own seeds or those in `asked`; or returns all faults.
pub fn plan(
    text: &str,
    document: &Document,
    kernels: &[Kernel],
    asked: Option<Seeds>,
    traces: &Traces,
) -> Result<Plan, Vec<Fault>> {
    let known = variable(text, document);
    let reader = Reader::knowing(text, &known);
    let experiment = read(&reader, document, &known);
    let repeat = repeat(&experiment, asked);
    let points = if is_too_large(&reader, &experiment, repeat.seeds) { vec![] } else { first_points(&experiment) };
    let sweep = Sweep {
        text,
        common: common(document),
        known: &known,
        experiment: &experiment,
        repeat: &repeat,
        kernels,
        traces,
    };
    let drafts = sweep.drafts(&reader, &points);
    if reader.is_clean() {
        check_distinct(&reader, &experiment.vary, &points, &drafts);
        let settings: Vec<Vec<Setting>> = points.iter().map(|point| sweep.settings(point)).collect();
        named::check(&reader, &experiment, settings.iter().zip(drafts.iter().map(Draft::scene)).collect());
    }
    if !reader.is_clean() {
        return Err(reader.faults());
    }
    let (seeds, spread) = (repeat.seeds(), repeat.spread);
    let trials = points.iter().zip(&drafts).flat_map(|(point, draft)| {
        let settings: Shared<Setting> = sweep.settings(point).into();
        let scenes: Vec<Scene> =
            seeds.at(0..study::PROBE_SEEDS.min(seeds.count)).map(|seed| draft.with_seed(seed, spread)).collect();
        let first = if study::may_be_certain(scenes.iter()) { scenes.len() as u64 } else { seeds.count };
        seeds.at(0..first).map(move |seed| Trial {
            index: 0,
            point: settings.clone(),
            kernel: draft.kernel.clone(),
            seed,
            scene: draft.with_seed(seed, spread),
        })
    });
    let trials = trials.enumerate().map(|(index, trial)| Trial { index, ..trial }).collect();
    Ok(plan_defaults::plan(text, experiment, trials, repeat))
}

/// Returns the number of trials at the start, assuming that every point has randomness; or the faults of the keys that
/// decide it.
pub fn size(text: &str, document: &Document, asked: Option<Seeds>) -> Result<u64, Vec<Fault>> {
    let known = variable(text, document);
    let reader = Reader::knowing(text, &known);
    let experiment = read(&reader, document, &known);
    let seeds = repeat(&experiment, asked).seeds;
    if reader.is_clean() { Ok(trials(&experiment, seeds)) } else { Err(reader.faults()) }
}

/// Returns the keys that vary, with their positions. Cases contribute every key that they set.
pub fn varied(text: &str, document: &Document) -> Vec<Spanned<String>> {
    let known = variable(text, document);
    let reader = Reader::knowing(text, &known);
    let experiment = read(&reader, document, &known);
    let puts = experiment.vary.iter().flat_map(|axis| &axis.cases).flat_map(|case| &case.puts);
    puts.map(|put| put.key.clone()).collect()
}

/// Returns the plan with more trials, or the faults of the values that a search chose.
pub fn grown(mut plan: Plan, text: &str, document: &Document, wanted: &[Wanted]) -> Result<Plan, Vec<Fault>> {
    let known = variable(text, document);
    let reader = Reader::knowing(text, &known);
    let experiment = read(&reader, document, &known);
    // Kernels were checked when the plan was made.
    let (repeat, traces) = (plan.repeat.clone(), &Traces::from_plan(&plan));
    let (common, kernels) = (common(document), &[][..]);
    let sweep = Sweep { text, common, known: &known, experiment: &experiment, repeat: &repeat, kernels, traces };
    // All seeds of a point share one draft.
    let seeds: Vec<&[Wanted]> = wanted.chunk_by(|a, b| a.point == b.point).collect();
    let points: Vec<Point> = seeds.iter().filter_map(|seeds| sweep.point(&seeds[0].point)).collect();
    let drafts = sweep.drafts(&reader, &points);
    if !reader.is_clean() {
        return Err(reader.faults());
    }
    let next = plan.trials.len();
    let kernels: BTreeMap<&[Setting], &String> =
        plan.trials.iter().map(|trial| (plan.grid(&trial.point), &trial.kernel)).collect();
    let trial = |(number, (wanted, draft)): (usize, (&Wanted, &Draft))| Trial {
        index: next + number,
        point: wanted.point.clone(),
        kernel: kernels.get(plan.grid(&wanted.point)).copied().unwrap_or(&draft.kernel).clone(),
        seed: wanted.seed,
        scene: draft.with_seed(wanted.seed, plan.repeat.spread),
    };
    let drawn =
        seeds.into_iter().zip(&drafts).flat_map(|(seeds, draft)| seeds.iter().map(move |wanted| (wanted, draft)));
    let more: Vec<Trial> = drawn.enumerate().map(trial).collect();
    plan.trials.extend(more);
    plan_defaults::set_in_order(&mut plan);
    Ok(plan)
}

/// Reads the keys that all points share, and notes their faults.
fn read<'a>(reader: &'a Reader<'a>, document: &'a Document<'a>, known: &BTreeSet<String>) -> Experiment<'a> {
    if document.get_ref().is_empty() {
        reader.fault(
            0..0,
            Wrong::new("the experiment is empty").hint("copy one of goodput's examples, such as examples/smoke.toml"),
        );
    }
    let mut experiment = keys::experiment(reader, document);
    experiment.vary.retain(|axis| check_keys(reader, axis, known));
    check_once(reader, &experiment);
    experiment.search.take_if(|search| !check_key(reader, &search.key, known) || !check_quantity(reader, &search.key));
    let expected = experiment.expect.iter().map(|expect| &expect.at);
    let published = experiment.published.iter().map(|published| &published.at);
    expected.chain(published).for_each(|at| check_where(reader, &experiment, at));
    check_compare(reader, &experiment);
    experiment
}

/// Returns the keys that may vary: those that reading the set-up asks for.
fn variable(text: &str, document: &Document) -> BTreeSet<String> {
    let reader = Reader::new(text);
    keys::setup(&reader, document);
    reader.known().into_iter().filter(|key| may_vary(key)).collect()
}

/// True if all keys of an axis may vary.
fn check_keys(reader: &Reader, axis: &Axis, known: &BTreeSet<String>) -> bool {
    let mut checked = BTreeSet::new();
    let puts = axis.cases.iter().flat_map(|case| &case.puts);
    let once = puts.filter(|put| checked.insert(put.key.span().start));
    once.map(|put| check_key(reader, &put.key, known)).fold(true, |all, good| all & good)
}

fn check_key(reader: &Reader, key: &Spanned<String>, known: &BTreeSet<String>) -> bool {
    let name = key.get_ref();
    if known.contains(name) || sysctl(name, known).is_some() {
        return true;
    }
    let names = || known.iter().map(String::as_str).filter(|key| is_numbered(name) || !is_numbered(key));
    let wrong = if may_vary(name) {
        let section = name.split_inclusive('.').next().unwrap_or(name);
        let within = || names().filter(|other| other.starts_with(section));
        match within().next() {
            Some(_) => suggest(Wrong::new(format!("there is no key \"{name}\" to vary")), name, within()),
            None => Wrong::new(format!("there is no {} to vary", heading(section.trim_end_matches('.')))),
        }
    } else {
        let wrong = Wrong::new(format!("\"{name}\" cannot vary"));
        let meant = names().filter(|other| other.split_once('.').is_some_and(|(_, key)| key == name));
        match meant.min_by_key(|other| rank(other)) {
            Some(meant) => wrong.hint(format!("write \"{meant}\"")),
            None => match closest(name, TOP.into_iter()) {
                Some(meant) => wrong.hint(format!("write {meant}")),
                None => {
                    let sections = VARIABLE.map(heading).join(", ");
                    wrong.accepted(format!("{}, and keys of {sections}, such as \"path.rate\"", TOP.join(", ")))
                }
            },
        }
    };
    reader.fault(key.span(), wrong);
    false
}

/// True if the key's values can be searched.
fn check_quantity(reader: &Reader, key: &Spanned<String>) -> bool {
    let name = key.get_ref().as_str();
    let is_quantity = !TOP.contains(&name);
    if !is_quantity {
        let wrong = Wrong::new(format!("\"{name}\" is not a quantity and cannot be searched"));
        let values = if name == KERNEL { "kernels" } else { "its values" };
        reader.fault(key.span(), wrong.hint(format!("list {values} under [vary] instead of the search")));
    }
    is_quantity
}

/// Checks that no key varies on two axes, where one value would overwrite the other.
fn check_once(reader: &Reader, experiment: &Experiment) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let searched = experiment.search.iter().map(|search| (usize::MAX, &search.key));
    let varied =
        experiment.vary.iter().enumerate().flat_map(|(number, axis)| {
            axis.cases.iter().flat_map(|case| &case.puts).map(move |put| (number, &put.key))
        });
    for (number, key) in varied.chain(searched) {
        if *seen.entry(key.get_ref()).or_insert(number) != number {
            let wrong = Wrong::new(format!("\"{}\" varies twice", key.get_ref()));
            reader.fault(key.span(), wrong.hint("name it in one place"));
        }
    }
}

/// Returns the names of a sweep's settings, each with the texts of its values.
fn shown<'x>(axes: &'x [Axis]) -> Vec<(&'x str, Vec<&'x str>)> {
    let of_axis = |axis: &'x Axis| {
        axis.keys.iter().enumerate().map(|(place, key)| {
            let texts = axis.cases.iter().map(move |case| case.shown[place].get_ref().as_str());
            (key.get_ref().as_str(), texts.collect())
        })
    };
    axes.iter().flat_map(of_axis).collect()
}

fn check_where(reader: &Reader, experiment: &Experiment, at: &At) {
    let shown = shown(&experiment.vary);
    for (key, value) in at {
        if experiment.search.as_ref().is_some_and(|search| search.key.get_ref() == key.get_ref()) {
            let wrong = Wrong::new(format!("where names \"{}\", whose values the search chooses", key.get_ref()));
            reader.fault(key.span(), wrong.hint("list its values under [vary] instead of the search"));
            continue;
        }
        check_value(reader, &shown, "where", key, value);
    }
}

/// Checks that a key varies and has this value.
fn check_value(
    reader: &Reader,
    shown: &[(&str, Vec<&str>)],
    what: &str,
    key: &Spanned<String>,
    value: &Spanned<String>,
) {
    if shown.is_empty() {
        let wrong = Wrong::new(format!("{what} names \"{}\", but nothing varies", key.get_ref()));
        reader.fault(key.span(), wrong.hint(format!("remove {what}, or add the key to [vary]")));
        return;
    }
    let Some((_, values)) = shown.iter().find(|(name, _)| name == key.get_ref()) else {
        let wrong = Wrong::new(format!("{what} names \"{}\", which does not vary", key.get_ref()));
        reader.fault(key.span(), suggest(wrong, key.get_ref(), shown.iter().map(|(name, _)| *name)));
        return;
    };
    if !values.iter().any(|known| known == value.get_ref()) {
        let wrong = Wrong::new(format!("{} is never \"{}\"", key.get_ref(), value.get_ref()));
        reader.fault(value.span(), suggest(wrong, value.get_ref(), values.iter().copied()));
    }
}

fn check_compare(reader: &Reader, experiment: &Experiment) {
    let (shown, compare) = (shown(&experiment.vary), &experiment.compare);
    let idle = match &experiment.search {
        Some(_) => Some("the values of a search are not compared"),
        None if shown.is_empty() => Some("nothing varies"),
        None => None,
    };
    // Comparing flows with each other works within every trial.
    let within = experiment.search.is_none() && compare.flows.len() > 1;
    if let Some(why) = idle {
        // A search for the maximum uses the margin: values within it count as equally good.
        let is_maximum = experiment.search.as_ref().is_some_and(|search| search.plan.find == Find::Maximum);
        let named = [&compare.over, &compare.against].map(|key| key.as_ref().map(Spanned::span));
        let margin = compare.margin.as_ref().filter(|_| !is_maximum && !within).map(Spanned::span);
        let measures = compare.measures.as_ref().filter(|_| !within).map(Spanned::span);
        let flow = compare.flows.first().filter(|_| !within).map(Spanned::span);
        for place in named.into_iter().chain([measures, margin, flow]).flatten() {
            let wrong = Wrong::new(format!("[compare] has nothing to compare: {why}"));
            reader.fault(place, wrong.hint("remove it, or list values under [vary]"));
        }
        return;
    }
    match (&compare.over, &compare.against) {
        (Some(over), Some(against)) => check_value(reader, &shown, "over", over, against),
        (Some(over), None) => {
            let any = shown.iter().find(|(key, _)| key == over.get_ref()).and_then(|(_, values)| values.first());
            let any = Spanned::new(over.span(), any.map_or(String::new(), |value| (*value).to_owned()));
            check_value(reader, &shown, "over", over, &any);
        }
        (None, Some(against)) => {
            let wrong = Wrong::new("against has no over").hint("add over = the key of [vary] that has this value");
            reader.fault(against.span(), wrong);
        }
        (None, None) => {}
    }
}

/// Returns the number of trials with this many seeds at first.
fn trials(experiment: &Experiment, seeds: u64) -> u64 {
    let axes = experiment.vary.iter().map(|axis| axis.cases.len() as u64);
    let searched = experiment.search.iter().map(|search| study::first_number(&search.plan.ladder, search.plan.find));
    axes.chain(searched).chain([seeds]).fold(1, u64::saturating_mul)
}

fn is_too_large(reader: &Reader, experiment: &Experiment, seeds: u64) -> bool {
    let trials = trials(experiment, seeds);
    if trials > MOST_TRIALS {
        let points = trials / seeds;
        let wrong = Wrong::new(format!("the sweep has {trials} trials: {points} points with {seeds} seeds each"));
        let place = experiment.vary.first().map_or(0..0, |axis| axis.keys[0].span());
        reader.fault(place, wrong.accepted(format!("{MOST_TRIALS} trials at most")));
    }
    trials > MOST_TRIALS
}

fn seeds(experiment: &Experiment) -> u64 {
    let compared = !experiment.vary.is_empty() && experiment.search.is_none();
    experiment.repeat.seeds.unwrap_or(if compared { SEEDS } else { 1 })
}

/// Returns how often points are repeated: as asked for, or else as written. A seed gives the same trial in every range
/// that contains it. Starts are therefore spread unless only seed 1 is written or asked for.
fn repeat(experiment: &Experiment, asked: Option<Seeds>) -> Repeat {
    let written = Seeds { first: 1, count: seeds(experiment) };
    let Seeds { first, count } = asked.unwrap_or(written);
    let until = &experiment.repeat.until;
    let several = [written, asked.unwrap_or(written)].iter().any(|seeds| seeds.last() > 1) || until.is_some();
    Repeat {
        first,
        seeds: count,
        spread: experiment.repeat.spread.unwrap_or(if several { START_SPREAD_NS } else { 0 }),
        until: until.clone().filter(|_| asked.is_none()),
    }
}

/// A point of the grid: the index of its value on each axis, and the rung of the search.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Point {
    cases: Vec<usize>,
    rung: Option<u64>,
}

/// Returns the points of the grid, each with the rungs that a search tries first.
fn first_points(experiment: &Experiment) -> Vec<Point> {
    let grid = experiment.vary.iter().fold(vec![Vec::new()], |points, axis| {
        let with = |point: &Vec<usize>, value| [point.as_slice(), &[value]].concat();
        points.iter().flat_map(|point| (0..axis.cases.len()).map(move |value| with(point, value))).collect()
    });
    let rungs: Vec<Option<u64>> = match &experiment.search {
        Some(search) => study::first(&search.plan.ladder, search.plan.find).into_iter().map(Some).collect(),
        None => vec![None],
    };
    let with_rungs = |cases: Vec<usize>| rungs.iter().map(move |rung| Point { cases: cases.clone(), rung: *rung });
    grid.into_iter().flat_map(with_rungs).collect()
}

/// Inputs from which points are made.
struct Sweep<'x, 'a> {
    text: &'x str,
    common: Document<'x>,
    known: &'x BTreeSet<String>,
    experiment: &'x Experiment<'a>,
    repeat: &'x Repeat,
    kernels: &'x [Kernel],
    traces: &'x Traces,
}

impl<'x, 'a: 'x> Sweep<'x, 'a> {
    /// Returns the draft of every valid point, in order.
    fn drafts(&self, reader: &Reader, points: &[Point]) -> Vec<Draft> {
        let Repeat { spread, seeds, .. } = *self.repeat;
        let (mut drafts, mut connections, mut places) = (Vec::new(), 0, HashSet::new());
        for point in points {
            let puts = self.puts(point);
            let (document, homeless) = self.substituted(&puts);
            let local = Reader::knowing(self.text, self.known).with_traces(self.traces);
            let setup = keys::setup(&local, &document);
            if let Some(draft) = setup.and_then(|setup| resolve::draft(&local, &setup, self.kernels, spread)) {
                connections += draft.connections() as u64 * seeds;
                drafts.push(draft);
            }
            if let Some(key) = homeless.filter(|_| local.is_clean()) {
                local.fault(key.span(), no_place(key.get_ref()));
            }
            // All values of a range have one position, so report a fault there only once.
            let new: Vec<Fault> = local.faults().into_iter().filter(|fault| !places.contains(&fault.span)).collect();
            places.extend(new.iter().map(|fault| fault.span.clone()));
            new.into_iter().for_each(|fault| reader.fault(fault.span.clone(), with_unit(fault, &puts)));
            if connections > MOST_CONNECTIONS {
                let wrong = Wrong::new("the experiment has too many connections in all trials together");
                reader.fault(0..0, wrong.accepted(format!("{MOST_CONNECTIONS} at most")));
                break;
            }
        }
        drafts
    }

    /// Returns the values that a point puts into the document.
    fn puts(&self, point: &Point) -> Vec<Put<'a>> {
        let cases = self.experiment.vary.iter().zip(&point.cases);
        let varied = cases.flat_map(|(axis, &case)| axis.cases[case].puts.iter().cloned());
        let searched = self.experiment.search.iter().zip(point.rung).map(|(search, rung)| {
            let ladder = &search.plan.ladder;
            let text = ladder.text(rung);
            let text = if ladder.unit.is_empty() { text } else { format!("\"{text}\"") };
            Put { key: search.key.clone(), value: Spanned::new(search.span.clone(), Written::Computed(text)) }
        });
        varied.chain(searched).collect()
    }

    /// Returns the document with a point's values in their places, and a key that has no place.
    fn substituted<'p>(&self, puts: &'p [Put<'p>]) -> (Document<'p>, Option<&'p Spanned<String>>)
    where
        'x: 'p,
    {
        let (mut document, mut homeless): (Document<'p>, _) = (self.common.clone(), None);
        for Put { key, value } in puts {
            let written = match value.get_ref() {
                Written::Out(value) => (*value).clone(),
                Written::Computed(text) => DeValue::parse(text).map_or(DeValue::Boolean(false), Spanned::into_inner),
            };
            let value = Spanned::new(value.span(), written);
            if !put(document.get_mut(), &route(key.get_ref(), self.known), key, &value) {
                homeless = Some(key);
            }
        }
        (document, homeless)
    }

    /// Returns the settings that identify a point.
    fn settings(&self, point: &Point) -> Vec<Setting> {
        let axes = self.experiment.vary.iter().zip(&point.cases);
        let varied = axes.flat_map(|(axis, &case)| {
            let shown = axis.keys.iter().zip(&axis.cases[case].shown);
            shown.map(|(key, text)| Setting { key: key.get_ref().clone(), value: text.get_ref().clone() })
        });
        let searched = self.experiment.search.iter().zip(point.rung);
        let searched = searched
            .map(|(search, rung)| Setting { key: search.key.get_ref().clone(), value: search.plan.ladder.text(rung) });
        varied.chain(searched).collect()
    }

    /// Finds the point with these settings.
    fn point(&self, settings: &[Setting]) -> Option<Point> {
        let mut rest = settings.iter();
        let mut cases = Vec::new();
        for axis in &self.experiment.vary {
            let texts: Vec<&str> = rest.by_ref().take(axis.keys.len()).map(|setting| setting.value.as_str()).collect();
            let same = |case: &super::written::Case| {
                case.shown.iter().map(|text| text.get_ref().as_str()).eq(texts.iter().copied())
            };
            cases.push(axis.cases.iter().position(same)?);
        }
        let rung = self.experiment.search.as_ref().zip(rest.next());
        let rung = rung.and_then(|(search, setting)| search.plan.ladder.rung(&setting.value));
        Some(Point { cases, rung })
    }
}

/// Adds a hint to a fault about a range of plain numbers that needs a unit.
fn with_unit(fault: Fault, puts: &[Put]) -> Wrong {
    let computed = |put: &&Put| put.value.span() == fault.span && matches!(put.value.get_ref(), Written::Computed(_));
    match puts.iter().find(computed) {
        Some(_) if fault.wrong.what.ends_with("has no unit") && fault.wrong.hint.is_none() => {
            fault.wrong.hint(format!("write the unit with the numbers, as in {}", ladder::RANGE))
        }
        _ => fault.wrong,
    }
}

/// Returns the fault of a key whose table is a list, or is written as something else. A table that is not written at
/// all has room for it.
fn no_place(key: &str) -> Wrong {
    let table = key.rsplit_once('.').map_or("", |(table, _)| table);
    let wrong = Wrong::new(format!("\"{key}\" has no place: there is no {}", heading(table)));
    wrong.hint(format!("write {} with its other keys, or vary \"{table}\" as a whole", heading(table)))
}

/// Returns the document without `[vary]`.
fn common<'a>(document: &Document<'a>) -> Document<'a> {
    let mut common = document.clone();
    common.get_mut().remove("vary");
    common
}

/// Puts a value at the end of its route. Returns false if there is no table for it.
fn put<'a>(table: &mut DeTable<'a>, route: &[&str], key: &Spanned<String>, value: &Spanned<DeValue<'a>>) -> bool {
    let [name, rest @ ..] = route else { return false };
    if !rest.is_empty() && LISTS.contains(name) && !table.contains_key(*name) {
        return false;
    }
    let spanned = Spanned::new(key.span(), Cow::Owned((*name).to_owned()));
    if rest.is_empty() {
        table.insert(spanned, value.clone());
        return true;
    }
    let empty = || Spanned::new(key.span(), DeValue::Table(DeTable::new()));
    match table.entry(spanned).or_insert_with(empty).get_mut() {
        DeValue::Table(inner) => put(inner, rest, key, value),
        DeValue::Array(list) => {
            let chosen = chosen(name, list, rest);
            let rest = if rest[0].parse::<usize>().is_ok() { &rest[1..] } else { rest };
            let elements = list.iter_mut().zip(chosen).filter_map(|(element, chosen)| chosen.then_some(element));
            let placed = elements.map(|element| match element.get_mut() {
                DeValue::Table(inner) => put(inner, rest, key, value),
                _ => false,
            });
            placed.fold(false, |any, placed| any | placed)
        }
        _ => false,
    }
}

/// Returns which tables of a list a route means: the one with its number, or all that can have the key.
fn chosen(name: &str, list: &DeArray, rest: &[&str]) -> Vec<bool> {
    if let Some(Ok(number)) = rest.first().map(|first| first.parse::<usize>()) {
        return (0..list.len()).map(|other| other == number).collect();
    }
    let can_have = |element: &Spanned<DeValue>| match (element.get_ref(), rest) {
        (DeValue::Table(table), [key]) => keys::can_have(name, table, key),
        _ => true,
    };
    let chosen: Vec<bool> = list.iter().map(can_have).collect();
    // If no table can have the key, try all of them, so that the error says so.
    if chosen.contains(&true) { chosen } else { vec![true; list.len()] }
}

/// Splits a key into its route. A sysctl's name, with its dots, is one element.
fn route<'k>(key: &'k str, known: &BTreeSet<String>) -> Vec<&'k str> {
    match sysctl(key, known) {
        Some((table, name)) => table.split('.').chain(["sysctl", name]).collect(),
        None => key.split('.').collect(),
    }
}

/// Splits a key into the node's table and the sysctl's name, if it points to a sysctl.
fn sysctl<'k>(key: &'k str, known: &BTreeSet<String>) -> Option<(&'k str, &'k str)> {
    key.split_once(".sysctl.").filter(|(table, _)| known.contains(&format!("{table}.sysctl")))
}

/// Reports two values of an axis that give the same scene: one point would have two names.
fn check_distinct(reader: &Reader, axes: &[Axis], points: &[Point], drafts: &[Draft]) {
    for (place, axis) in axes.iter().enumerate() {
        let others_first = |point: &Point| {
            let first = point.cases.iter().enumerate().all(|(other, case)| other == place || *case == 0);
            first && point.rung.is_none_or(|rung| rung == 0)
        };
        let mut seen = HashMap::new();
        let along = points.iter().zip(drafts).filter(|(point, _)| others_first(point));
        for (point, draft) in along {
            let value = &axis.cases[point.cases[place]].shown[0];
            if let Some(earlier) = seen.insert(format!("{draft:?}"), value.get_ref()) {
                let (this, that, key) = (value.get_ref(), earlier, axis.keys[0].get_ref());
                let what = if this == that {
                    format!("{key} lists \"{this}\" twice")
                } else {
                    format!("{key} lists \"{this}\", which is the same as \"{that}\"")
                };
                reader.fault(value.span(), Wrong::new(what));
            }
        }
    }
}
