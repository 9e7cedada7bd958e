//! From a plan, its recordings and its verdict to the contents of the report and the terminal's output.

mod behind_pictures;
#[cfg(test)]
mod tests;
mod trace;

use crate::judge::{self, Compared, Expected, Held, SearchResult, Stretch, Verdict, Words};
use crate::junit::{self, Case};
use crate::report::{ComparisonRow, Output, QueueUnit, Report};
use crate::table::{self, Mark, Table};
use analysis::{Measure, Measures, Series};
use base::folder::{FileError, Folder};
use behind_pictures::accounts;
use plan::environment::Environment;
use plan::network;
use plan::recording::{self, RecordingError, TrialFacts};
use plan::setting;
use plan::{Buffer, KERNEL, Plan, Scene, Trial};
use std::collections::BTreeSet;
use trace::{Drawing, MAX_CURVE_POINTS, trace};
use wire::Ran;

/// Most points of all curves together: 8 MB of the page, at 16 characters for a time and a value.
const MAX_POINTS: usize = 500_000;

/// Fewest points of a curve; with more curves, some are left out instead.
const MIN_CURVE_POINTS: usize = 100;

/// Points whose first seeds have an account of the time: as many as the page shows together.
const MAX_ACCOUNTED_POINTS: usize = 12;

/// Number of curves in a [`FlowTrace`].
const CURVES_OF_A_FLOW: usize = 5;

/// Bins of goodput over the longest flow.
const GOODPUT_BINS: u64 = 150;

/// Returns everything that the report shows.
pub fn report(
    plan: &Plan,
    measures: &Measures,
    verdict: &Verdict,
    environment: &Environment,
    folder: impl Fn(usize) -> Result<Folder, FileError>,
) -> Result<Report, RecordingError> {
    let facts = |trial: &Trial| recording::facts(&folder(trial.index)?);
    let (drawn, most) = drawn(plan);
    let is_drawn = |trial: &Trial| drawn.contains(&trial.index);
    let ends = plan.trials.iter().filter(|trial| is_drawn(trial)).map(|trial| Ok(longest(&facts(trial)?)));
    let ends: Vec<u64> = ends.collect::<Result<_, RecordingError>>()?;
    let bin = bin(ends.into_iter().max().unwrap_or(0));
    let drawing = Drawing { bin, unit: queue_unit(plan), most };
    let (mut traces, mut outputs) = (vec![], vec![]);
    for (point, trials) in plan.points().into_iter().enumerate() {
        for (turn, trial) in trials.iter().enumerate() {
            if trial.scene.has_commands() {
                outputs.extend(facts(trial)?.ran.iter().map(|ran| output(plan, trial, ran)));
            }
            let series = match is_drawn(trial) {
                true => analysis::series(&trial.scene, &folder(trial.index)?)?,
                // The page shows the lanes of every point.
                false if turn == 0 => Series::empty(&trial.scene),
                false => continue,
            };
            let mut drawn = trace(point, trial, &series, drawing);
            if turn == 0 && point < MAX_ACCOUNTED_POINTS && is_drawn(trial) {
                let accounts = accounts(trial, &folder(trial.index)?)?;
                drawn.flows.iter_mut().zip(accounts).for_each(|(flow, account)| flow.account = account);
            }
            if is_drawn(trial) {
                drawing.add_logged(trial, &series, &folder(trial.index)?, &mut drawn);
            }
            traces.push(drawn);
        }
    }
    let first = &plan.trials[0].scene;
    Ok(Report {
        title: plan.title.clone(),
        question: plan.question.clone(),
        answer: answer(verdict),
        caveats: verdict.caveats.clone(),
        comparisons: verdict.comparisons.iter().map(comparison).collect(),
        table: table(plan, measures, verdict, environment),
        bin: bin as f64 / 1e6,
        queue_unit: drawing.unit,
        traces,
        left_out: plan.trials.len() - drawn.len(),
        trials: plan.trials.len(),
        outputs,
        spec: plan.spec.clone(),
        commands: network::commands(first),
        kernels: environment.kernels_in_words(uses_bbr(plan), |kernel| bbr_version(plan, measures, kernel)),
        environment: environment.rows(),
        reproduce: vec![
            match first.is_real() {
                false => "goodput rerun RUN    # this folder: runs the recorded plan again and compares every byte",
                true => "goodput field run EXPERIMENT --hosts NAME=HOST,NAME=HOST    # the hosts as above",
            }
            .into(),
        ],
    })
}

/// Returns the flows of a trial whose congestion control is called bbr.
fn bbr_flows(scene: &Scene) -> Vec<usize> {
    let is_bbr = |number: &usize| analysis::congestion(scene, &scene.flows[*number]) == Some("bbr");
    (0..scene.flows.len()).filter(is_bbr).collect()
}

/// Returns the version of a kernel's bbr, from the first of its trials that measured it.
fn bbr_version(plan: &Plan, measures: &Measures, kernel: &str) -> Option<f64> {
    let mut trials = plan.trials.iter().filter(|trial| trial.kernel == kernel);
    trials.find_map(|trial| measures.over(trial, "bbr-version", &bbr_flows(&trial.scene)))
}

/// True if any flow's congestion control is called bbr.
fn uses_bbr(plan: &Plan) -> bool {
    let mut scenes = plan.points().into_iter().map(|trials| &trials[0].scene);
    scenes.any(|scene| !bbr_flows(scene).is_empty())
}

/// Returns the verdict's sentences. The one about the largest effect comes first, as the page's headline.
fn answer(verdict: &Verdict) -> Vec<String> {
    let mut sentences = verdict.sentences();
    if let Some(place) = verdict.foremost() {
        sentences[..=place].rotate_right(1);
    }
    sentences
}

/// Returns the table with the findings marked, and with a kernel's version if its name does not show it.
fn table(plan: &Plan, measures: &Measures, verdict: &Verdict, environment: &Environment) -> Table {
    let mut table = table::table(plan, measures);
    table.marks = marks(plan, verdict);
    for (key, _) in table.keys.iter().enumerate().filter(|(_, key)| *key == KERNEL) {
        for value in table.points.iter_mut().map(|point| &mut point.values[key]) {
            if let Some(version) = environment.version_behind(value) {
                *value = format!("{value} ({version})");
            }
        }
    }
    table
}

/// Chooses the trials whose curves are on the page, the first seed of each point before all second seeds, and the most
/// points per curve.
fn drawn(plan: &Plan) -> (BTreeSet<usize>, usize) {
    let turns =
        |trials: &[Trial]| trials.iter().enumerate().map(|(turn, trial)| (turn, trial.index)).collect::<Vec<_>>();
    let mut order: Vec<(usize, usize)> = plan.points().into_iter().flat_map(turns).collect();
    order.sort_unstable();
    let (mut drawn, mut curves) = (BTreeSet::new(), 0);
    for (_, index) in order {
        let more = 1 + CURVES_OF_A_FLOW * plan.trials[index].scene.flows.len();
        if !drawn.is_empty() && curves + more > MAX_POINTS / MIN_CURVE_POINTS {
            break;
        }
        curves += more;
        drawn.insert(index);
    }
    (drawn, (MAX_POINTS / curves.max(1)).clamp(5, MAX_CURVE_POINTS))
}

/// Returns the row of a comparison.
pub(crate) fn comparison(compared: &Compared) -> ComparisonRow {
    let unit = Measure::unit_of(&compared.measure);
    let Words { effect, interval } =
        compared.comparison.as_ref().map_or(Words::default(), |comparison| judge::words(comparison, unit));
    let measure = match &compared.flow {
        Some(flow) => format!("{} of {flow}", compared.measure),
        None => compared.measure.clone(),
    };
    let what = [vec![measure], setting::labels(&compared.at)].concat().join(", ");
    let p = compared.p.map_or(String::new(), |p| if p < 0.001 { "< 0.001".into() } else { format!("{p:.3}") });
    let (base, other) = (compared.base.clone(), compared.other.clone());
    ComparisonRow { what, base, other, effect, interval, p, outcome: compared.outcome }
}

/// Returns the findings of a search as stretches of its axis.
fn marks(plan: &Plan, verdict: &Verdict) -> Vec<Mark> {
    let Some(search) = &plan.search else { return vec![] };
    let mark = |SearchResult { at, low, .. }: &SearchResult| {
        let Stretch { from, to } = low.clone()?;
        let stretch = if from == to { from.clone() } else { format!("{from} to {to}") };
        let text = setting::labels(at).into_iter().chain([stretch]).collect::<Vec<_>>().join(", ");
        Some(Mark { key: search.key.clone(), from, to, text })
    };
    verdict.findings.iter().filter_map(mark).collect()
}

/// Returns the unit of the queue. The queue of a host's own interface counts packets.
fn queue_unit(plan: &Plan) -> QueueUnit {
    let in_bytes = |trial: &Trial| {
        let queue = analysis::bottleneck(&trial.scene).and_then(|step| step.lane(&trial.scene).queue);
        queue.is_some_and(|queue| matches!(queue.buffer, Buffer::Bytes(_)))
    };
    if plan.trials.iter().any(in_bytes) { QueueUnit::Kilobytes } else { QueueUnit::Packets }
}

/// Returns the end of a trial's last flow, ns.
fn longest(facts: &TrialFacts) -> u64 {
    facts.ended.values().copied().max().unwrap_or(0)
}

/// Returns the width of a bin, ns: a round time that gives about [`GOODPUT_BINS`] bins.
fn bin(longest: u64) -> u64 {
    let rounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000];
    let ms = rounds.into_iter().find(|ms| ms * 1_000_000 * GOODPUT_BINS >= longest).unwrap_or(60_000);
    ms * 1_000_000
}

/// Returns a user's command with its output.
fn output(plan: &Plan, trial: &Trial, ran: &Ran) -> Output {
    let all = trial.scene.all_commands();
    let command = all.get(ran.command as usize);
    let mut place: Vec<String> = (!trial.point.is_empty()).then(|| setting::label(&trial.point)).into_iter().collect();
    if plan.trials.len() > 1 {
        place.push(format!("seed {}", trial.seed));
    }
    place.extend(command.map(|command| command.node.clone()));
    let began = command.map_or(0, |command| command.at);
    // Most commands take almost no virtual time.
    let second = |ns: u64| (ns as f64 / 1e6).round() / 1e3;
    let time = match second(ran.time.saturating_sub(began)) > 0.0 {
        true => format!("from {} s to {} s", second(began), second(ran.time)),
        false => format!("at {} s", second(began)),
    };
    let ending = match ran.status {
        _ if ran.time < began => "never began: the trial ended before".into(),
        Some(status) => format!("{time}, exit status {status}"),
        None => format!("{time}, ended with the trial"),
    };
    Output {
        place: place.join(", "),
        command: command.map_or(String::new(), |command| command.command.clone()),
        ending,
        text: ran.output.clone(),
    }
}

/// Returns each expectation as a test case for CI servers.
pub fn cases(verdict: &Verdict) -> Vec<Case> {
    let case = |Expected { name, held, sentence, .. }: &Expected| Case {
        name: name.clone(),
        outcome: match held {
            Held::Yes => junit::Outcome::Passed,
            Held::No => junit::Outcome::Failed,
            Held::Inconclusive => junit::Outcome::Inconclusive,
        },
        text: sentence.clone(),
    };
    verdict.expectations.iter().map(case).collect()
}

/// Returns the verdict's exit code: 0 if all expectations held, 1 if one failed, 3 if inconclusive.
pub fn exit_code(verdict: &Verdict) -> u8 {
    code(verdict.outcome())
}

/// Returns the exit code of the worst outcome.
pub fn code(worst: Held) -> u8 {
    match worst {
        judge::Held::Yes => 0,
        judge::Held::No => 1,
        judge::Held::Inconclusive => 3,
    }
}
