//! How a run shows while it goes on: two lines that change on a terminal, a line for each trial elsewhere.

use crate::estimate::{self, Pace};
use crate::measure::{self, Unit};
use crate::plan::{Plan, Setting, Trial};
use crate::schedule::{Event, Finished, Origin};
use crate::show;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The figure that stands for a trial while others run: the first that it has, and whether more is better.
const MAIN: [(&str, bool); 2] = [("goodput", true), ("rtt-p50", false)];

/// Between two drawings of the line.
const REDRAW: Duration = Duration::from_millis(100);

/// Shows what it hears of a run, over all its rounds.
pub struct Progress {
    bar: ProgressBar,
    done: Done,
    drawn: Instant,
}

/// What stands on the screen.
struct Done {
    /// Trials that are done, and those of the round's plan.
    trials: [usize; 2],
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
        Progress { bar, done: Done::none(), drawn: Instant::now() }
    }

    /// Takes in what happened.
    pub fn hear(&mut self, event: &Event) {
        match event {
            Event::Began { plan, waiting, found, jobs } => self.began(plan, waiting, *found, *jobs),
            Event::Finished(finished) => self.finished(finished),
            Event::Note(text) => self.note(text),
            Event::Ended => self.bar.finish_and_clear(),
        }
    }

    fn began(&mut self, plan: &Plan, waiting: &[&Trial], found: usize, jobs: usize) {
        let all = plan.trials.len();
        self.done.trials = [all - waiting.len(), all];
        self.done.left = waiting.iter().map(|trial| estimate::bound(&trial.scene)).sum();
        self.done.jobs = jobs;
        if self.bar.is_finished() {
            self.bar.reset();
        }
        self.show();
        self.bar.set_length(all as u64);
        self.bar.enable_steady_tick(Duration::from_millis(200));
        if found > 0 && found < waiting.len() {
            self.note(&format!("{found} of {all} trials were already finished"));
        }
    }

    fn finished(&mut self, finished: &Finished) {
        let figure = self.done.add(finished);
        if !self.bar.is_hidden() {
            if self.drawn.elapsed() > REDRAW {
                self.drawn = Instant::now();
                self.show();
            }
            return;
        }
        let figure = figure.map_or(String::new(), |figure| format!(": {figure}"));
        let source = match finished.origin {
            Origin::Folder(_) => return,
            Origin::Cache(_) => ", from the cache",
            Origin::Recorded(_) => "",
        };
        let [done, all] = self.done.trials;
        eprintln!("trial {done} of {all}: {}{figure}{source}", finished.trial.name());
    }

    /// Something that stays on the screen.
    fn note(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    fn show(&self) {
        let [first, second] = self.done.lines();
        self.bar.set_position(self.done.trials[0] as u64);
        self.bar.set_prefix(first);
        self.bar.set_message(second);
    }
}

impl Done {
    fn none() -> Done {
        Done {
            trials: [0, 0],
            jobs: 1,
            cached: 0,
            virtual_time: 0.0,
            pace: Pace::default(),
            left: 0.0,
            figures: BTreeMap::new(),
            main: None,
        }
    }

    /// Takes a trial in. Gives its main figure.
    fn add(&mut self, Finished { trial, origin, virtual_time, measures }: &Finished) -> Option<String> {
        self.trials[0] += 1;
        self.virtual_time += virtual_time;
        self.left -= estimate::bound(&trial.scene);
        self.cached += usize::from(matches!(origin, Origin::Cache(_)));
        if let Origin::Folder(Some(seconds)) | Origin::Cache(seconds) | Origin::Recorded(seconds) = *origin {
            self.pace.learn(&trial.scene, seconds);
        }
        let value = |main: &(&str, bool)| measures.value(&trial.scene, main.0);
        let (main, value) = MAIN.iter().find_map(|main| Some((*main, value(main)?)))?;
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
            format!("{word}: {}", [show::label(point), figure(measure, *mean)].join(" ").trim_start())
        };
        match &means[..] {
            [] => vec![],
            [only] => vec![told("so far", only)],
            [best, .., worst] => vec![told("best", best), told("worst", worst)],
        }
    }
}

fn figure(measure: &str, value: f64) -> String {
    show::value(measure::unit(measure), value)
}

/// A real time as people say it, rounded up to seconds; never none at all.
pub fn words(time: Duration) -> String {
    HumanDuration(Duration::from_secs_f64(time.as_secs_f64().ceil().clamp(1.0, 1e15))).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::{TrialMeasures, Value, sample};
    use crate::measure::Subject;

    fn trial(index: usize, congestion: &str) -> Trial {
        let point = vec![Setting { key: "flows.congestion".into(), value: congestion.into() }];
        Trial { index, point, seed: index as u64, ..sample::trial(sample::four_kinds()) }
    }

    fn goodput(index: usize, value: f64) -> TrialMeasures {
        let value = Value { measure: "goodput".into(), subject: Subject::Trial, number: 0, value };
        TrialMeasures { index, values: vec![value], caveats: vec![] }
    }

    fn finished(trial: &Trial, origin: Origin, measures: TrialMeasures, virtual_time: f64) -> Event<'_> {
        Event::Finished(Finished { trial, origin, virtual_time, measures })
    }

    /// Of a run that begins with all of these waiting.
    fn begun(trials: &[Trial]) -> Progress {
        let plan = Plan { trials: trials.to_vec(), ..sample::plan(sample::four_kinds()) };
        let waiting: Vec<&Trial> = plan.trials.iter().collect();
        let mut progress = Progress::new();
        progress.hear(&Event::Began { plan: &plan, waiting: &waiting, found: 0, jobs: 1 });
        progress
    }

    #[test]
    fn the_lines_tell_what_came_from_where_how_long_and_the_extremes() {
        let all = [trial(0, "cubic"), trial(1, "cubic"), trial(2, "bbr"), trial(3, "reno")];
        let mut progress = begun(&all);
        let lines = progress.done.lines();
        assert!(lines[0].starts_with("at most about ") && lines[1].is_empty(), "{lines:?}");
        progress.hear(&finished(&all[2], Origin::Cache(60.0), goodput(2, 822e6), 30.0));
        let expected = ["1 from the cache, about 3 minutes left", "30.0 s of virtual time, so far: bbr 822 Mbit/s"];
        assert_eq!(progress.done.lines(), expected);
        progress.hear(&finished(&all[0], Origin::Recorded(60.0), goodput(0, 100e6), 30.0));
        progress.hear(&finished(&all[1], Origin::Folder(None), goodput(1, 200e6), 30.0));
        let expected = "90.0 s of virtual time, best: bbr 822 Mbit/s, worst: cubic 150 Mbit/s";
        assert_eq!(progress.done.lines(), ["1 from the cache, about 60 seconds left", expected]);
    }

    #[test]
    fn a_trial_without_figures_is_no_fault() {
        let one = trial(5, "cubic");
        let mut progress = begun(std::slice::from_ref(&one));
        let none = TrialMeasures { index: 5, values: vec![], caveats: vec![] };
        progress.hear(&finished(&one, Origin::Recorded(0.1), none, 0.0));
        assert_eq!(progress.done.lines()[1], "");
    }
}
