//! Shows a run's progress: two changing lines on a terminal, otherwise a line for each trial.

use crate::engine;
use crate::estimate::{self, Pace};
use crate::schedule::{Event, Finished, Origin};
use analysis::Measure;
use base::output;
use base::show;
use base::units::Unit;
use evidence::{counted, plain};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use plan::recording::Reached;
use plan::setting;
use plan::{Plan, Setting, Trial};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Main measures of a finished trial, of which the first available is shown, and whether more is better.
const MAIN_MEASURES: [(&str, bool); 2] = [("goodput", true), ("rtt-p50", false)];

/// Interval of redrawing a terminal.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// Intervals between lines when the output is no terminal: about a running trial, and about finished trials in runs
/// with more than `MAX_LINE_PER_TRIAL` trials.
const RUNNING_INTERVAL: Duration = Duration::from_secs(30);
const DONE_INTERVAL: Duration = Duration::from_secs(5);
const MAX_LINE_PER_TRIAL: usize = 100;

/// Steps of the progress bar per trial.
const STEPS_PER_TRIAL: f64 = 1000.0;

/// Shows the events of a run, over all its rounds.
pub struct Progress {
    /// `None` while there is nothing to record.
    bar: Option<ProgressBar>,
    state: State,
    drawn: Instant,
}

/// State of the run.
#[derive(Default)]
struct State {
    /// Finished trials, and trials of the round's plan.
    trials: [usize; 2],
    jobs: usize,
    cached: usize,
    pace: Pace,
    /// Unfinished trials, by index.
    left: BTreeMap<usize, Left>,
    /// Sum of the main measure over the trials of a point, and their number.
    figures: BTreeMap<Vec<Setting>, (f64, usize)>,
    /// Main measure that `figures` contains, from [`MAIN_MEASURES`].
    main: Option<(&'static str, bool)>,
}

/// An unfinished trial.
struct Left {
    name: String,
    point: Vec<Setting>,
    /// Expected real time, s.
    expected: f64,
    /// Virtual time, s, or its maximum.
    length: f64,
    /// Progress, and the real time that it took, s.
    going: Option<(Reached, f64)>,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress::new()
    }
}

impl Progress {
    /// Creates a display with nothing finished yet.
    pub fn new() -> Progress {
        Progress { bar: None, state: State::default(), drawn: Instant::now() }
    }

    /// Takes in an event.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Began { plan, waiting, found, jobs } => self.began(plan, waiting, *found, *jobs),
            Event::Going { trial, reached, seconds } => self.going(trial, *reached, *seconds),
            Event::Finished(finished) => self.finished(finished),
            Event::Failed(trial) => drop(self.state.left.remove(&trial.index)),
            Event::Note(text) => self.note(text),
            Event::Ended => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
            }
        }
    }

    fn began(&mut self, plan: &Plan, waiting: &[&Trial], found: usize, jobs: usize) {
        self.state.begin(plan, waiting, jobs);
        if found == waiting.len() {
            return;
        }
        if found > 0 {
            self.note(&format!("{found} of {} trials were already finished", plan.trials.len()));
        }
        let bar = ProgressBar::new(plan.trials.len() as u64 * STEPS_PER_TRIAL as u64);
        let style = ProgressStyle::with_template("{bar:20} {prefix}\n{wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.bar = Some(bar);
        self.show();
        self.bar.iter().for_each(|bar| bar.enable_steady_tick(Duration::from_millis(200)));
    }

    fn going(&mut self, trial: &Trial, reached: Reached, seconds: f64) {
        self.state.going(trial, reached, seconds);
        if self.is_drawn() {
            self.redraw();
        } else if self.drawn.elapsed() >= RUNNING_INTERVAL {
            self.drawn = Instant::now();
            let [first, second] = self.state.lines();
            output::note(plain::line(&format!("{first}; {second}")));
        }
    }

    fn finished(&mut self, finished: &Finished) {
        let figure = self.state.finish(finished);
        if self.is_drawn() {
            return self.redraw();
        }
        let [done, all] = self.state.trials;
        let is_told = all <= MAX_LINE_PER_TRIAL || done == all || self.drawn.elapsed() >= DONE_INTERVAL;
        if let Some(line) = self.state.finished_line(finished, figure).filter(|_| is_told) {
            self.drawn = Instant::now();
            output::note(plain::line(&line));
        }
    }

    /// True if there is a terminal on which lines can change.
    fn is_drawn(&self) -> bool {
        self.bar.as_ref().is_some_and(|bar| !bar.is_hidden())
    }

    /// Prints text that stays on the screen.
    fn note(&self, text: &str) {
        let text = plain::text(text);
        match &self.bar {
            Some(bar) => bar.suspend(|| output::note(text)),
            None => output::note(text),
        }
    }

    fn redraw(&mut self) {
        if self.drawn.elapsed() > REDRAW_INTERVAL {
            self.drawn = Instant::now();
            self.show();
        }
    }

    fn show(&self) {
        let Some(bar) = &self.bar else { return };
        let [first, second] = self.state.lines();
        bar.set_position((self.state.done() * STEPS_PER_TRIAL) as u64);
        bar.set_prefix(plain::line(&first).into_owned());
        bar.set_message(plain::line(&second).into_owned());
    }
}

impl State {
    fn begin(&mut self, plan: &Plan, waiting: &[&Trial], jobs: usize) {
        let all = plan.trials.len();
        self.trials = [all - waiting.len(), all];
        self.jobs = jobs;
        self.left = waiting.iter().map(|trial| (trial.index, Left::new(trial))).collect();
    }

    fn going(&mut self, trial: &Trial, reached: Reached, seconds: f64) {
        if let Some(left) = self.left.get_mut(&trial.index) {
            left.going = Some((reached, seconds));
        }
    }

    /// Counts a finished trial. Returns its main measure.
    fn finish(&mut self, Finished { trial, origin, measures, .. }: &Finished) -> Option<String> {
        self.trials[0] += 1;
        self.left.remove(&trial.index);
        self.cached += usize::from(matches!(origin, Origin::Cache(_)));
        if let Origin::Folder(Some(seconds)) | Origin::Cache(seconds) | Origin::Recorded(seconds) = *origin {
            self.pace.learn(trial, seconds);
        }
        let value = |main: &(&str, bool)| measures.value(&trial.scene, main.0);
        let (main, value) = MAIN_MEASURES.iter().find_map(|main| Some((*main, value(main)?)))?;
        if *self.main.get_or_insert(main) == main {
            let (sum, count) = self.figures.entry(trial.point.to_vec()).or_default();
            (*sum, *count) = (*sum + value, *count + 1);
        }
        Some(figure(main.0, value))
    }

    /// Returns a line about a finished trial; `None` if the folder already had it.
    fn finished_line(&self, Finished { trial, origin, .. }: &Finished, figure: Option<String>) -> Option<String> {
        let source = match origin {
            Origin::Folder(_) => return None,
            Origin::Cache(_) => ", from the cache",
            Origin::Recorded(_) => "",
        };
        let [done, all] = self.trials;
        let figure = figure.map_or(String::new(), |figure| format!(": {figure}"));
        Some(format!("{}, {done} of {all} done{figure}{source}", called(trial)))
    }

    /// Returns the number of finished trials, plus the shares of running ones.
    fn done(&self) -> f64 {
        self.trials[0] as f64 + self.left.values().map(Left::share).sum::<f64>()
    }

    /// Estimates the real time until all trials are finished.
    fn time_left(&self) -> Duration {
        let mut pace = self.pace.clone();
        for left in self.left.values() {
            if let Some((_, seconds)) = left.going.filter(|_| left.share() > MIN_DONE_SHARE) {
                pace.learn_part(&left.point, left.expected * left.share(), seconds);
            }
        }
        let each = self.left.values().map(|left| pace.about(&left.point, left.expected) * (1.0 - left.share()));
        estimate::together(each, self.jobs)
    }

    /// Returns the text next to the bar, and the line below it.
    fn lines(&self) -> [String; 2] {
        let [done, all] = self.trials;
        let left = format!("about {} left", words(self.time_left()));
        let cached = (self.cached > 0).then(|| format!("{} from the cache", self.cached));
        let count = format!("{done} of {}", counted(all, "trial", "trials"));
        let first: Vec<String> = [count].into_iter().chain(cached).chain([left]).collect();
        let going = self.left.values().filter_map(|left| Some((left, left.going?)));
        let oldest = going.max_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b)).map(|(left, _)| left.line(all > 1));
        [first.join(", "), oldest.into_iter().chain(self.extremes()).collect::<Vec<_>>().join("; ")]
    }

    /// Returns the best point so far, and the worst if there are several.
    fn extremes(&self) -> Vec<String> {
        let Some((measure, more_is_better)) = self.main else { return vec![] };
        let mut means: Vec<(f64, &Vec<Setting>)> =
            self.figures.iter().map(|(point, (sum, count))| (sum / *count as f64, point)).collect();
        means.sort_by(|a, b| if more_is_better { b.0.total_cmp(&a.0) } else { a.0.total_cmp(&b.0) });
        let told = |word: &str, (mean, point): &(f64, &Vec<Setting>)| {
            format!("{word}: {}", [setting::label(point), figure(measure, *mean)].join(" ").trim_start())
        };
        match &means[..] {
            [] => vec![],
            [only] => vec![told("so far", only)],
            [best, .., worst] => vec![told("best", best), told("worst", worst)],
        }
    }
}

/// Smallest share of a trial that predicts its time: before that it is boot and slow start.
const MIN_DONE_SHARE: f64 = 0.02;

impl Left {
    fn new(trial: &Trial) -> Left {
        Left {
            name: called(trial),
            point: trial.point.to_vec(),
            expected: estimate::expected(&trial.scene),
            length: engine::virtual_length(&trial.scene) as f64 / 1e9,
            going: None,
        }
    }

    /// Returns the finished share.
    fn share(&self) -> f64 {
        self.going.map_or(0.0, |(reached, _)| (reached.time as f64 / 1e9 / self.length).clamp(0.0, 1.0))
    }

    /// Describes how far the trial is, and its rate so far.
    fn line(&self, named: bool) -> String {
        let reached = self.going.map_or(Reached::default(), |(reached, _)| reached);
        let seconds = reached.time as f64 / 1e9;
        let name = if named { format!("{}: ", self.name) } else { String::new() };
        let rate = (reached.received > 0)
            .then(|| format!(", {}", show::value(Unit::BitsPerSecond, reached.received as f64 * 8.0 / seconds)));
        format!("{name}{seconds:.1} of {} s{}", show::rounded(self.length), rate.unwrap_or_default())
    }
}

/// Names a trial by the number of its folder.
fn called(trial: &Trial) -> String {
    format!("trial {} ({})", trial.index, trial.name())
}

fn figure(measure: &str, value: f64) -> String {
    show::value(Measure::unit_of(measure), value)
}

/// Formats a real time in words, rounded up to seconds, at least one.
pub fn words(time: Duration) -> String {
    HumanDuration(Duration::from_secs_f64(time.as_secs_f64().ceil().clamp(1.0, 1e15))).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::{TrialMeasures, Value, Values, fixture};
    use base::units::Subject;

    fn trial(index: usize, congestion: &str) -> Trial {
        let point = vec![Setting { key: "flows.congestion".into(), value: congestion.into() }];
        Trial { index, point: point.into(), seed: index as u64, ..fixture::trial(fixture::four_kinds()) }
    }

    fn goodput(index: usize, value: f64) -> TrialMeasures {
        let value = Value { measure: "goodput", subject: Subject::Trial, number: 0, value };
        TrialMeasures { index, recording: None, values: [value].into_iter().collect(), caveats: vec![].into() }
    }

    fn finished(trial: &Trial, origin: Origin, measures: TrialMeasures) -> Event<'_> {
        Event::Finished(Finished { trial, origin, measures })
    }

    /// Progress of a run that begins with all these trials waiting.
    fn begun(trials: &[Trial]) -> Progress {
        let plan = Plan { trials: trials.to_vec(), ..fixture::plan(fixture::four_kinds()) };
        let waiting: Vec<&Trial> = plan.trials.iter().collect();
        let mut progress = Progress::new();
        progress.hear(&Event::Began { plan: &plan, waiting: &waiting, found: 0, jobs: 1 });
        progress
    }

    #[test]
    fn progress_lines_show_origin_remaining_time_and_extremes() {
        let all = [trial(0, "cubic"), trial(1, "cubic"), trial(2, "bbr"), trial(3, "cubic")];
        let mut progress = begun(&all);
        let lines = progress.state.lines();
        assert!(lines[0].starts_with("0 of 4 trials, about ") && lines[1].is_empty(), "{lines:?}");
        progress.hear(&finished(&all[2], Origin::Cache(60.0), goodput(2, 822e6)));
        let expected = ["1 of 4 trials, 1 from the cache, about 3 minutes left", "so far: bbr 822 Mbit/s"];
        assert_eq!(progress.state.lines(), expected);
        progress.hear(&finished(&all[0], Origin::Recorded(20.0), goodput(0, 100e6)));
        progress.hear(&finished(&all[1], Origin::Folder(None), goodput(1, 200e6)));
        let expected = "best: bbr 822 Mbit/s; worst: cubic 150 Mbit/s";
        assert_eq!(progress.state.lines(), ["3 of 4 trials, 1 from the cache, about 20 seconds left", expected]);
    }

    #[test]
    fn a_running_trial_shows_its_progress_and_remaining_time() {
        let one = trial(0, "cubic");
        let length = engine::virtual_length(&one.scene);
        let mut progress = begun(std::slice::from_ref(&one));
        let reached = Reached { time: length / 4, received: 1_000_000 };
        progress.hear(&Event::Going { trial: &one, reached, seconds: 20.0 });
        assert_eq!(progress.state.done(), 0.25);
        let seconds = length as f64 / 1e9;
        let rate = show::value(Unit::BitsPerSecond, 32e6 / seconds);
        let expected = format!("{:.1} of {} s, {rate}", seconds / 4.0, show::rounded(seconds));
        assert_eq!(progress.state.lines(), ["0 of 1 trial, about 60 seconds left".to_owned(), expected]);
        progress.hear(&Event::Failed(&one));
        assert_eq!(progress.state.lines()[1], "");
    }

    #[test]
    fn a_trial_is_told_of_by_its_number_in_the_folder() {
        let all = [trial(0, "cubic"), trial(1, "bbr")];
        let mut progress = begun(&all);
        let mut told = |trial, origin| {
            let finished = Finished { trial, origin, measures: goodput(trial.index, 822e6) };
            let figure = progress.state.finish(&finished);
            progress.state.finished_line(&finished, figure)
        };
        let first = told(&all[1], Origin::Recorded(1.0));
        assert_eq!(first.as_deref(), Some("trial 1 (bbr, seed 1), 1 of 2 done: 822 Mbit/s"));
        let second = told(&all[0], Origin::Cache(1.0));
        assert_eq!(second.as_deref(), Some("trial 0 (cubic, seed 0), 2 of 2 done: 822 Mbit/s, from the cache"));
        assert_eq!(told(&all[0], Origin::Folder(None)), None);
    }

    #[test]
    fn a_finished_run_has_no_bar() {
        let one = trial(0, "cubic");
        let plan = Plan { trials: vec![one.clone()], ..fixture::plan(fixture::four_kinds()) };
        let mut progress = Progress::new();
        progress.hear(&Event::Began { plan: &plan, waiting: &[&one], found: 1, jobs: 1 });
        assert!(progress.bar.is_none());
    }

    #[test]
    fn a_trial_without_figures_is_no_fault() {
        let one = trial(5, "cubic");
        let mut progress = begun(std::slice::from_ref(&one));
        let none = TrialMeasures { index: 5, recording: None, values: Values::default(), caveats: vec![].into() };
        progress.hear(&finished(&one, Origin::Recorded(0.1), none));
        assert_eq!(progress.state.lines()[1], "");
    }
}
