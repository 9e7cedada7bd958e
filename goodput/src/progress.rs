//! What of a run is done, and how it shows: two lines that change on a terminal, a line for each trial elsewhere.

use crate::analyze::{Measures, TrialMeasures};
use crate::estimate::{self, Pace};
use crate::measure::{self, Unit};
use crate::plan::{Plan, Setting, Trial};
use crate::{judge, show};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Where a recording came from, and the real time in which it was made, s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Origin {
    /// It was in the run's folder; the time is known if the cache has it too.
    Folder(Option<f64>),
    /// The cache had it.
    Cache(f64),
    /// It was made now.
    Recorded(f64),
}

/// The figure that stands for a trial while others run: the first that it has, and whether more is better.
const MAIN: [(&str, bool); 2] = [("goodput", true), ("rtt-p50", false)];

/// Between two drawings of the line.
const REDRAW: Duration = Duration::from_millis(100);

/// The trials of a run that are done, over all its rounds.
pub struct Progress {
    bar: ProgressBar,
    done: Mutex<Done>,
}

struct Done {
    trials: BTreeSet<usize>,
    /// By the trials' indices; without values where none is done.
    measures: Measures,
    /// Trials in the round's plan.
    all: usize,
    jobs: usize,
    cached: usize,
    /// Virtual time in the recordings, s.
    virtual_time: f64,
    pace: Pace,
    /// The bounds of the real time of the trials that are not done, summed up, s.
    left: f64,
    /// The sum of the main figure over the trials of a point, and their number.
    figures: BTreeMap<Vec<Setting>, (f64, usize)>,
    /// Which of [`MAIN`] the figures are.
    main: Option<(&'static str, bool)>,
    drawn: Instant,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress::new()
    }
}

impl Progress {
    /// Nothing is done yet.
    pub fn new() -> Progress {
        let bar = ProgressBar::new(0);
        let style = ProgressStyle::with_template("{bar:20} {pos} of {len} trials, {prefix}\n{wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar, done: Mutex::new(Done::none()) }
    }

    /// A round of trials begins, so many at a time, of which so many were found finished.
    pub fn begin(&self, plan: &Plan, found: usize, jobs: usize) {
        let mut done = self.done();
        let waiting = plan.trials.iter().filter(|trial| !done.trials.contains(&trial.index));
        done.left = waiting.map(|trial| estimate::bound(&trial.scene)).sum();
        (done.all, done.jobs) = (plan.trials.len(), jobs);
        if self.bar.is_finished() {
            self.bar.reset();
        }
        self.show(&done);
        self.bar.set_length(done.all as u64);
        self.bar.set_position(done.trials.len() as u64);
        self.bar.enable_steady_tick(Duration::from_millis(200));
        if found > 0 && done.trials.len() + found < done.all {
            self.note(&format!("{found} of {} trials were finished before", done.all));
        }
    }

    /// Whether a trial's measures are known.
    pub fn is_done(&self, trial: usize) -> bool {
        self.done().trials.contains(&trial)
    }

    /// A trial has its recording, of so much virtual time, s, and its measures.
    pub fn finished(&self, trial: &Trial, origin: Origin, measures: TrialMeasures, virtual_time: f64) {
        let mut done = self.done();
        let figure = done.add(trial, origin, measures, virtual_time);
        self.bar.set_position(done.trials.len() as u64);
        if !self.bar.is_hidden() {
            if done.drawn.elapsed() > REDRAW {
                done.drawn = Instant::now();
                self.show(&done);
            }
            return;
        }
        let figure = figure.map_or(String::new(), |figure| format!(": {figure}"));
        let source = match origin {
            Origin::Folder(_) => return,
            Origin::Cache(_) => ", from the cache",
            Origin::Recorded(_) => "",
        };
        eprintln!("trial {} of {}: {}{figure}{source}", done.trials.len(), done.all, name(trial));
    }

    /// The measures of all trials of a plan that are done.
    pub fn measures(&self, plan: &Plan) -> Measures {
        let done = self.done();
        let of = |trial: &Trial| done.trials.get(&trial.index).map(|index| done.measures.trials[*index].clone());
        Measures::of(plan.trials.iter().filter_map(of).collect())
    }

    /// Something that the user should know; it stays on the screen.
    pub fn note(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    /// Takes the line off the terminal.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self, done: &Done) {
        let [first, second] = done.lines();
        self.bar.set_prefix(first);
        self.bar.set_message(second);
    }

    fn done(&self) -> MutexGuard<'_, Done> {
        self.done.lock().expect("no panic holds it")
    }
}

/// A trial by its point and seed.
pub fn name(trial: &Trial) -> String {
    let values = trial.point.iter().map(|setting| setting.value.clone());
    values.chain([format!("seed {}", trial.seed)]).collect::<Vec<_>>().join(", ")
}

impl Done {
    fn none() -> Done {
        Done {
            trials: BTreeSet::new(),
            measures: Measures { trials: vec![] },
            all: 0,
            jobs: 1,
            cached: 0,
            virtual_time: 0.0,
            pace: Pace::default(),
            left: 0.0,
            figures: BTreeMap::new(),
            main: None,
            drawn: Instant::now(),
        }
    }

    /// Takes a trial in. Gives its main figure.
    fn add(&mut self, trial: &Trial, origin: Origin, measures: TrialMeasures, virtual_time: f64) -> Option<String> {
        for index in self.measures.trials.len()..=trial.index {
            self.measures.trials.push(TrialMeasures { index, values: vec![], caveats: vec![] });
        }
        self.measures.trials[trial.index] = measures;
        self.trials.insert(trial.index);
        self.virtual_time += virtual_time;
        self.left -= estimate::bound(&trial.scene);
        self.cached += usize::from(matches!(origin, Origin::Cache(_)));
        if let Origin::Folder(Some(seconds)) | Origin::Cache(seconds) | Origin::Recorded(seconds) = origin {
            self.pace.learn(&trial.scene, seconds);
        }
        let (main, value) = MAIN.iter().find_map(|main| Some((*main, judge::value(&self.measures, trial, main.0)?)))?;
        if *self.main.get_or_insert(main) == main {
            let (sum, count) = self.figures.entry(trial.point.clone()).or_default();
            (*sum, *count) = (*sum + value, *count + 1);
        }
        Some(figure(main.0, value))
    }

    /// What stands behind the count, and the line below it.
    fn lines(&self) -> [String; 2] {
        let left = words(self.pace.about(self.left.max(0.0), self.jobs));
        let left = format!("{} {left} left", if self.pace.is_learnt() { "about" } else { "at most about" });
        let cached = (self.cached > 0).then(|| format!("{} from the cache", self.cached));
        let time = show::value(Unit::Seconds, self.virtual_time);
        let time = (self.virtual_time > 0.0).then(|| format!("{time} of virtual time"));
        let join = |parts: Vec<String>| parts.join(", ");
        [join(cached.into_iter().chain([left]).collect()), join(time.into_iter().chain(self.extremes()).collect())]
    }

    /// The best point so far, and the worst of several.
    fn extremes(&self) -> Vec<String> {
        let Some((measure, more_is_better)) = self.main else { return vec![] };
        let mut means: Vec<(f64, &Vec<Setting>)> =
            self.figures.iter().map(|(point, (sum, count))| (sum / *count as f64, point)).collect();
        means.sort_by(|a, b| if more_is_better { b.0.total_cmp(&a.0) } else { a.0.total_cmp(&b.0) });
        let told = |word: &str, (mean, point): &(f64, &Vec<Setting>)| {
            format!("{word}: {}", [judge::label(point), figure(measure, *mean)].join(" ").trim_start())
        };
        match &means[..] {
            [] => vec![],
            [only] => vec![told("so far", only)],
            [best, .., worst] => vec![told("best", best), told("worst", worst)],
        }
    }
}

fn figure(measure: &str, value: f64) -> String {
    show::value(measure::find(measure).map_or(Unit::Ratio, |measure| measure.unit), value)
}

/// A real time as people say it, rounded up to seconds; never none at all.
pub fn words(time: Duration) -> String {
    HumanDuration(Duration::from_secs_f64(time.as_secs_f64().ceil().clamp(1.0, 1e15))).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::{Value, sample};
    use crate::measure::Subject;

    fn trial(index: usize, congestion: &str) -> Trial {
        let point = vec![Setting { key: "flows.congestion".into(), value: congestion.into() }];
        Trial { index, point, seed: index as u64, ..sample::trial(sample::four_kinds()) }
    }

    fn goodput(index: usize, value: f64) -> TrialMeasures {
        let value = Value { measure: "goodput".into(), subject: Subject::Trial, number: 0, value };
        TrialMeasures { index, values: vec![value], caveats: vec![] }
    }

    fn plan(trials: Vec<Trial>) -> Plan {
        Plan { trials, ..sample::plan(sample::four_kinds()) }
    }

    #[test]
    fn the_lines_tell_what_came_from_where_how_long_and_the_extremes() {
        let progress = Progress::new();
        let all = [trial(0, "cubic"), trial(1, "cubic"), trial(2, "bbr"), trial(3, "reno")];
        progress.begin(&plan(all.to_vec()), 0, 1);
        let lines = || progress.done().lines();
        assert!(lines()[0].starts_with("at most about ") && lines()[1].is_empty(), "{:?}", lines());
        progress.finished(&all[2], Origin::Cache(60.0), goodput(2, 822e6), 30.0);
        let expected = ["1 from the cache, about 3 minutes left", "30.0 s of virtual time, so far: bbr 822 Mbit/s"];
        assert_eq!(lines(), expected);
        progress.finished(&all[0], Origin::Recorded(60.0), goodput(0, 100e6), 30.0);
        progress.finished(&all[1], Origin::Folder(None), goodput(1, 200e6), 30.0);
        let expected = "90.0 s of virtual time, best: bbr 822 Mbit/s, worst: cubic 150 Mbit/s";
        assert_eq!(lines(), ["1 from the cache, about 60 seconds left", expected]);
    }

    #[test]
    fn measures_live_from_round_to_round_in_the_plan_s_order() {
        let progress = Progress::new();
        let [a, b, c] = [trial(0, "cubic"), trial(1, "bbr"), trial(2, "cubic")];
        progress.begin(&plan(vec![a.clone(), b.clone()]), 0, 2);
        progress.finished(&b, Origin::Recorded(1.0), goodput(1, 2.0), 1.0);
        progress.finished(&a, Origin::Recorded(1.0), goodput(0, 1.0), 1.0);
        progress.end();
        let grown = plan(vec![a, b, c.clone()]);
        progress.begin(&grown, 0, 2);
        assert!(progress.is_done(1) && !progress.is_done(2));
        progress.finished(&c, Origin::Recorded(1.0), goodput(2, 3.0), 1.0);
        let values = progress.measures(&grown).trials.into_iter().map(|trial| (trial.index, trial.values[0].value));
        assert_eq!(values.collect::<Vec<_>>(), [(0, 1.0), (1, 2.0), (2, 3.0)]);
    }

    #[test]
    fn a_trial_without_figures_is_no_fault() {
        let progress = Progress::new();
        let one = trial(5, "cubic");
        progress.begin(&plan(vec![one.clone()]), 0, 1);
        let none = TrialMeasures { index: 5, values: vec![], caveats: vec![] };
        progress.finished(&one, Origin::Recorded(0.1), none, 0.0);
        assert_eq!(progress.done().lines()[1], "");
    }
}
