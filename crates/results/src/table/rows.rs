//! The table of a run: the subject of each row, and its cells.

use super::{Cell, Column, Figure, MAX_DOTS, Mode, Point, Published, Row, Table};
use analysis::study;
use analysis::{MEASURES, Measure, Measures};
use base::show;
use base::stats;
use base::units::{Shown, Subject, Unit};
use plan::network::topology::Step;
use plan::setting;
use plan::{Flow, Plan, Role, Scene, Setting, Traffic, Trial};

/// Flows of the load above which they share one row if space is short.
const MAX_LOAD_ROWS: usize = 4;

/// Subjects of a row of the table.
#[derive(Default)]
struct Subjects {
    flow: Option<usize>,
    lane: Option<Step>,
    /// All flows of the load together.
    load: bool,
    /// All flows of a name together.
    called: Vec<usize>,
}

impl Subjects {
    /// Returns the rows of a point: a single flow has one together with the bottleneck. Several flows have one each,
    /// followed by one for all flows of a name, where names differ and several flows share one, by one for all flows of
    /// the load, if there are several, and by one for the bottleneck.
    fn from_scene(scene: &Scene) -> Vec<Subjects> {
        let lane = analysis::bottleneck(scene);
        match scene.flows.len() {
            alone @ (0 | 1) => vec![Subjects { flow: (alone == 1).then_some(0), lane, ..Subjects::default() }],
            several => {
                let flows = (0..several).map(|flow| Subjects { flow: Some(flow), ..Subjects::default() });
                let named = groups(scene).into_iter().map(|called| Subjects { called, ..Subjects::default() });
                let load = analysis::load(scene).len() > 1;
                let load = load.then(|| Subjects { load, ..Subjects::default() });
                let lane = lane.map(|lane| Subjects { lane: Some(lane), ..Subjects::default() });
                flows.chain(named).chain(load).chain(lane).collect()
            }
        }
    }

    fn number(&self, subject: Subject) -> Option<usize> {
        match subject {
            Subject::Flow => self.flow,
            Subject::Lane => self.lane.map(analysis::lane_number),
            Subject::Trial => self.load.then_some(0),
        }
    }

    /// Returns the key under which a value of a measure is stored; the row of all flows has measures of flows as well.
    fn place(&self, measure: &Measure) -> Option<(Subject, usize)> {
        let of_load = self.load && measure.subject() != Subject::Lane;
        let subject = if of_load { Subject::Trial } else { measure.subject() };
        Some((subject, self.number(subject)?))
    }

    /// Whether the row for all flows of the load, or of its name, suffices in place of this one where there is little
    /// room.
    fn is_one_of_many(&self, scene: &Scene) -> bool {
        let Some(flow) = self.flow else { return false };
        let load = analysis::load(scene);
        load.len() > MAX_LOAD_ROWS && load.contains(&flow) || groups(scene).iter().any(|called| called.contains(&flow))
    }

    /// Returns the value of a measure in a trial.
    fn value(&self, measure: &Measure, trial: &Trial, measures: &Measures) -> Option<f64> {
        if !self.called.is_empty() {
            return measures.over(trial, measure.name, &self.called);
        }
        let (subject, number) = self.place(measure)?;
        match subject {
            Subject::Trial => measures.value(trial, measure.name),
            _ => measures.get(trial.index)?.get(measure.name, subject, number),
        }
    }

    /// Whether it has a value of a measure, if that can be measured.
    fn is_of(&self, measure: &Measure) -> bool {
        match self.called.is_empty() {
            true => self.place(measure).is_some(),
            false => measure.subject() == Subject::Flow,
        }
    }

    fn name(&self, scene: &Scene) -> String {
        if let [first, ..] = self.called[..] {
            let name = scene.flows[first].name.as_deref().unwrap_or_default();
            return format!("{name}, {} flows", self.called.len());
        }
        match (self.flow, self.lane) {
            (Some(flow), _) => flow_name(flow, scene),
            (None, Some(lane)) => lane_name(lane, scene),
            (None, None) if self.load => "all flows".into(),
            (None, None) => String::new(),
        }
    }
}

/// Returns the flows of each name that several share, unless all have it.
fn groups(scene: &Scene) -> Vec<Vec<usize>> {
    let named = scene.by_name(&analysis::load(scene));
    let is_only = named.len() < 2;
    let several = named.into_iter().filter(|(name, flows)| name.is_some() && flows.len() > 1);
    if is_only { vec![] } else { several.map(|(_, flows)| flows).collect() }
}

/// Returns the table: a row for each point, and with several flows one for each flow and for the bottleneck. Measures
/// without any value have no column.
pub fn table(plan: &Plan, measures: &Measures) -> Table {
    let mut rows = vec![];
    for (point, trials) in study::counted(plan, measures).into_iter().enumerate() {
        let scene = &trials[0].scene;
        for subjects in Subjects::from_scene(scene) {
            let cells = MEASURES.iter().map(|m| {
                let of_trial = |trial: &Trial| subjects.value(m, trial, measures);
                over_seeds(m, trials.iter().filter_map(of_trial).collect())
            });
            rows.push(Row {
                point,
                subject: if scene.flows.len() > 1 { subjects.name(scene) } else { String::new() },
                name: subjects.name(scene),
                one_of_many: subjects.is_one_of_many(scene),
                seeds: trials.len(),
                cells: cells.collect(),
            });
        }
    }
    let published = |measure: &Measure| plan.published.iter().any(|p| p.measure == measure.name);
    let asked = |measure: &Measure| {
        let is_compared = plan.compare.measures.iter().any(|name| name == measure.name);
        published(measure) || is_compared || plan.expect.iter().any(|e| e.measure == measure.name)
    };
    let kept: Vec<bool> = MEASURES
        .iter()
        .enumerate()
        .map(|(column, m)| published(m) || rows.iter().any(|row| row.cells[column].is_some()))
        .collect();
    let any: Vec<bool> = (0..MEASURES.len())
        .map(|column| rows.iter().filter_map(|row| row.cells[column].as_ref()).any(|cell| cell.max.value > 0.0))
        .collect();
    for row in &mut rows {
        let mut kept = kept.iter();
        row.cells.retain(|_| *kept.next().unwrap_or(&false));
    }
    let shown = |measure: &Measure, any: bool| match measure.shown {
        _ if asked(measure) => Shown::Asked,
        Shown::IfAny if any => Shown::First,
        Shown::IfAny => Shown::Report,
        usual => usual,
    };
    let known = MEASURES.iter().zip(any).zip(&kept).filter(|(_, kept)| **kept);
    let columns = known.map(|((m, any), _)| Column {
        name: m.name.into(),
        unit: show::column_unit(m.unit).0.into(),
        size: show::column_unit(m.unit).1,
        definition: m.definition.into(),
        centre: m.centre,
        shown: shown(m, any),
    });
    let points = plan.points().into_iter().map(|trials| point(&trials[0].point));
    let mut table = Table {
        keys: plan.vary.iter().map(|axis| axis.key.clone()).collect(),
        points: points.collect(),
        marks: vec![],
        columns: columns.collect(),
        rows,
        published: vec![],
    };
    table.published = self::published(plan, &table);
    table
}

fn point(point: &[Setting]) -> Point {
    Point { values: point.iter().map(|setting| setting.value.clone()).collect(), label: setting::label(point) }
}

/// Returns the name of a flow, such as "flow 0, cubic", "jail, bbr" or "flow 1, ping", with its ends unless they are
/// obvious.
pub fn flow_name(number: usize, scene: &Scene) -> String {
    let flow = &scene.flows[number];
    let kind = match flow.traffic {
        Traffic::Bulk { .. } => None,
        Traffic::Requests { .. } => Some("requests"),
        Traffic::Udp { .. } => Some("udp"),
        Traffic::Ping { .. } => Some("ping"),
        Traffic::Program { .. } => Some("program"),
    };
    let hosts = scene.nodes.iter().filter(|node| matches!(node.role, Role::Host(_))).count();
    let same = |other: &Flow| other.from == flow.from && other.to == flow.to;
    // Data of programs goes from end 0 to end 1, whichever connects.
    let [from, to] = if flow.is_program() { flow.ends() } else { [&flow.from, &flow.to].map(String::as_str) };
    let ends = (hosts > 2 || !scene.flows.iter().all(same)).then(|| format!("{from} to {to}"));
    let called = scene.called(number);
    let congestion = analysis::congestion(scene, flow).filter(|control| *control != called);
    let parts = [kind.map(String::from), congestion.map(String::from), ends];
    [called].into_iter().chain(parts.into_iter().flatten()).collect::<Vec<_>>().join(", ")
}

/// Returns the name of a lane, such as "sender to receiver".
pub fn lane_name(step: Step, scene: &Scene) -> String {
    let ends = &scene.links[step.link].ends;
    format!("{} to {}", ends[step.lane].node, ends[1 - step.lane].node)
}

/// Combines the values of the seeds into one cell; `None` without values.
pub(super) fn over_seeds(measure: &Measure, seeds: Vec<f64>) -> Option<Cell> {
    let estimate = stats::estimate(&seeds, measure.centre)?;
    let extreme = |pick: fn(f64, f64) -> f64| seeds.iter().copied().reduce(pick);
    let (min, max) = (extreme(f64::min)?, extreme(f64::max)?);
    // An interval is cut at the bounds of the measure's possible values.
    let (least, most) = if measure.unit == Unit::Ratio { (0.0, 1.0) } else { (0.0, f64::INFINITY) };
    let possible = |end: f64| end.clamp(f64::min(least, min), f64::max(most, max));
    let show = |value: f64| figure(measure, value);
    Some(Cell {
        centre: show(estimate.value),
        interval: estimate.interval.map(|ends| ends.map(possible).map(show)),
        modes: stats::modes(&seeds).map(|both| both.map(|mode| Mode { centre: show(mode.centre), seeds: mode.count })),
        min: show(min),
        max: show(max),
        known: seeds.len(),
        seeds: thinned(seeds),
    })
}

fn thinned(mut seeds: Vec<f64>) -> Vec<f64> {
    if seeds.len() > MAX_DOTS {
        seeds.sort_unstable_by(f64::total_cmp);
        seeds = (0..MAX_DOTS).map(|dot| seeds[dot * (seeds.len() - 1) / (MAX_DOTS - 1)]).collect();
    }
    seeds.shrink_to_fit();
    seeds
}

fn figure(measure: &Measure, value: f64) -> Figure {
    Figure { text: show::figure(measure.unit, value, show::column_unit(measure.unit).1), value }
}

/// Places published figures next to every value of their measure at their points, or at the place that should have one.
fn published(plan: &Plan, table: &Table) -> Vec<Published> {
    let points = plan.points();
    let subjects: Vec<Subjects> = points.iter().flat_map(|trials| Subjects::from_scene(&trials[0].scene)).collect();
    let mut all = vec![];
    for p in &plan.published {
        let Some(measure) = Measure::find(&p.measure) else { continue };
        let Some(column) = table.columns.iter().position(|column| column.name == p.measure) else { continue };
        for (point, trials) in points.iter().enumerate() {
            if !p.at.iter().all(|setting| trials[0].point.contains(setting)) {
                continue;
            }
            let own = p.flow.as_ref().map(|flow| trials[0].scene.flows_called(flow));
            // A figure of several flows belongs to the row that has them together.
            let has_group = |own: &Vec<usize>| groups(&trials[0].scene).contains(own);
            let is_of = |row: usize| match &own {
                None => subjects[row].called.is_empty(),
                Some(own) if has_group(own) => subjects[row].called == *own,
                Some(own) => subjects[row].flow.is_some_and(|flow| own.contains(&flow)),
            };
            let fits = |&row: &usize| table.rows[row].point == point && subjects[row].is_of(measure) && is_of(row);
            let fitting: Vec<usize> = (0..table.rows.len()).filter(fits).collect();
            let mut known: Vec<usize> =
                fitting.iter().copied().filter(|row| table.rows[*row].cells[column].is_some()).collect();
            // A figure published for several flows applies to all of them together.
            let together = known.iter().copied().find(|row| subjects[*row].load);
            known.retain(|row| together.is_none_or(|together| *row == together));
            if known.is_empty() {
                known.extend(fitting.first());
            }
            let figure = figure(measure, p.value);
            all.extend(known.into_iter().map(|row| Published {
                source: p.source.clone(),
                row,
                column,
                figure: figure.clone(),
            }));
        }
    }
    all
}
