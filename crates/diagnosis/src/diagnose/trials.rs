//! Summarizes the diagnoses of a run's trials: each diagnosis once, its points, and one page.

use super::finding::Confidence;
use super::page::{Style, page};
use super::{Diagnosis, rules};
use base::show;
use std::cmp::Reverse;
use std::fmt::Write;

/// A trial and its diagnosis.
#[derive(Debug, Clone)]
pub struct Told {
    /// Number of the trial.
    pub trial: usize,
    /// Point of the trial; empty without a sweep.
    pub point: String,
    /// Seed of the trial.
    pub seed: u64,
    /// Diagnosis of the trial.
    pub diagnosis: Diagnosis,
}

/// The gist of a diagnosis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gist {
    /// A rule's finding is the limit.
    Bound(&'static str),
    /// Not slow.
    Fast,
    /// The link is full, but one connection gets little of it.
    Unequal,
    /// No cause was found.
    Open,
}

impl Gist {
    /// Returns the gist of a diagnosis.
    pub fn from_diagnosis(diagnosis: &Diagnosis) -> Gist {
        match (diagnosis.top(), &diagnosis.speed) {
            (Some(top), _) => Gist::Bound(top.rule),
            (None, Some(speed)) if speed.is_shared_unequally() => Gist::Unequal,
            (None, Some(speed)) if speed.slow == Some(false) => Gist::Fast,
            (None, _) => Gist::Open,
        }
    }

    /// Returns a title of a few words.
    pub fn title(self) -> &'static str {
        match self {
            Gist::Bound(name) => rules::title(name),
            Gist::Fast => "Not slow",
            Gist::Unequal => "Not slow in total, but one connection gets little",
            Gist::Open => "No cause found",
        }
    }
}

/// Trials with the same gist.
struct Group<'t> {
    gist: Gist,
    trials: Vec<&'t Told>,
}

/// Largest number of points of a group that the short page lists.
const MAX_NAMED_POINTS: usize = 24;

/// Largest number of groups with their own page in the short form.
const MAX_GROUPS: usize = 3;

/// Prints the verdict on all trials, the points for each diagnosis, and a page for each diagnosis; for a single trial
/// only its page.
pub fn pages(told: &[Told], style: Style) -> String {
    if let [only] = told {
        return page(&only.diagnosis, style);
    }
    let groups = groups(told);
    let mut text = show::paragraph("", &verdict(&groups, told.len()), style.width);
    if groups.len() > 1 {
        text += "\n";
        groups.iter().for_each(|group| text += &show::paragraph("", &line(group, told, style), style.width));
    }
    let shown = if style.verbose { groups.len() } else { MAX_GROUPS };
    for group in groups.iter().take(shown) {
        let example = group.example();
        let _ = write!(text, "\n--- as in {} ---\n\n{}", name(example), page(&example.diagnosis, style));
    }
    let rest: Vec<String> = groups.iter().skip(shown).map(|group| name(group.example())).collect();
    if !rest.is_empty() {
        text += &format!("\n{}", show::paragraph("Not shown, see RUN:N: ", &rest.join("; "), style.width));
    }
    text
}

/// Groups trials by gist, the most frequent first; of two as frequent, the one with a cause.
fn groups(told: &[Told]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = vec![];
    for one in told {
        let gist = Gist::from_diagnosis(&one.diagnosis);
        match groups.iter_mut().find(|group| group.gist == gist) {
            Some(group) => group.trials.push(one),
            None => groups.push(Group { gist, trials: vec![one] }),
        }
    }
    groups.sort_by_key(|group| (Reverse(group.trials.len()), !matches!(group.gist, Gist::Bound(_))));
    groups
}

impl<'t> Group<'t> {
    fn confidence(&self) -> impl Iterator<Item = Confidence> {
        self.trials.iter().filter_map(|told| Some(told.diagnosis.top()?.confidence))
    }

    /// Returns the first of the most confident trials.
    fn example(&self) -> &'t Told {
        let surest = self.confidence().max();
        let is_surest = |told: &&&Told| told.diagnosis.top().map(|top| top.confidence) == surest;
        self.trials.iter().find(is_surest).unwrap_or(&self.trials[0])
    }
}

fn verdict(groups: &[Group], all: usize) -> String {
    let count = |(place, group): (usize, &Group)| match (group.trials.len(), place) {
        (n, _) if n == all => format!("{} (all {all} trials)", group.gist.title()),
        (n, 0) => format!("{} ({n} of {all} trials)", group.gist.title()),
        (n, _) => format!("{} ({n})", group.gist.title()),
    };
    groups.iter().enumerate().map(count).collect::<Vec<_>>().join("; ") + "."
}

/// Prints, for example, `policer (high confidence): 5 Mbit/s; 10 Mbit/s (3 of 10 seeds)`.
fn line(group: &Group, told: &[Told], style: Style) -> String {
    let head = match (group.gist, group.confidence().min(), group.confidence().max()) {
        (Gist::Bound(rule), Some(least), Some(most)) if least == most => format!("{rule} ({} confidence)", most.word()),
        (Gist::Bound(rule), Some(least), Some(most)) => {
            format!("{rule} ({} to {} confidence)", least.word(), most.word())
        }
        (gist, ..) => gist.title().to_owned(),
    };
    let mut points: Vec<&str> = group.trials.iter().map(|told| told.point.as_str()).collect();
    points.dedup();
    let at = |point: &&str| {
        let seeds = |all: &mut dyn Iterator<Item = &Told>| all.filter(|told| told.point == **point).count();
        let (own, all) = (seeds(&mut group.trials.iter().copied()), seeds(&mut told.iter()));
        match (point.is_empty(), own == all) {
            (true, _) => format!("{own} of {all} seeds"),
            (false, true) => (*point).to_owned(),
            (false, false) => format!("{point} ({own} of {all} seeds)"),
        }
    };
    let named = if style.verbose { points.len() } else { MAX_NAMED_POINTS };
    let mut named: Vec<String> = points.iter().take(named).map(at).collect();
    let more = points.len() - named.len();
    named.extend((more > 0).then(|| format!("and {more} more points")));
    format!("{head}: {}", named.join("; "))
}

/// Prints, for example, `trial 3 (cubic, seed 4)`.
fn name(told: &Told) -> String {
    let point = if told.point.is_empty() { String::new() } else { format!("{}, ", told.point) };
    format!("trial {} ({point}seed {})", told.trial, told.seed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::Finding;
    use crate::diagnose::speed::Speed;

    fn diagnosis_of(trial: usize, point: &str, seed: u64, rule: Option<(&'static str, Confidence)>) -> Told {
        let finding =
            rule.map(|(rule, confidence)| Finding::problem(rule, confidence, 0.5, format!("{rule} of {trial}")));
        let speed = Speed {
            goodput: 1e6,
            link: None,
            from: None,
            slow: None,
            ethernet: None,
            both_ways: None,
            another: None,
            starved: None,
        };
        let diagnosis = Diagnosis {
            findings: finding.into_iter().collect(),
            repeats: None,
            speed: Some(speed),
            undecided: None,
            seen: vec![],
            conflicts: vec![],
            time: vec![],
            asked: vec![],
            dropped: vec![],
            blind: vec![],
            failed: vec![],
            read: vec!["one connection".into()],
            in_vain: vec![],
            unread: vec![],
        };
        Told { trial, point: point.into(), seed, diagnosis }
    }

    #[test]
    fn trials_that_say_the_same_are_told_together() {
        use Confidence::{High, Medium};
        let all = [
            diagnosis_of(0, "cubic", 1, Some(("policer", Medium))),
            diagnosis_of(1, "cubic", 2, Some(("policer", High))),
            diagnosis_of(2, "reno", 1, Some(("policer", High))),
            diagnosis_of(3, "reno", 2, None),
            diagnosis_of(4, "bbr", 1, None),
            diagnosis_of(5, "bbr", 2, None),
            diagnosis_of(6, "bbr", 3, None),
        ];
        let text = pages(&all, Style { width: 200, verbose: false });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..4],
            [
                "No cause found (4 of 7 trials); Policed: traffic above a rate is dropped (3).",
                "",
                "No cause found: reno (1 of 2 seeds); bbr",
                "policer (medium to high confidence): cubic; reno (1 of 2 seeds)",
            ]
        );
        assert!(text.contains("--- as in trial 1 (cubic, seed 2) ---\n\npolicer of 1\n"), "{text}");
        assert!(!text.contains("policer of 0"), "{text}");
    }

    #[test]
    fn of_one_trial_there_is_its_page_alone() {
        let one = diagnosis_of(7, "cubic", 1, Some(("policer", Confidence::High)));
        let style = Style::default();
        assert_eq!(pages(std::slice::from_ref(&one), style), page(&one.diagnosis, style));
    }

    #[test]
    fn many_points_are_counted() {
        let all: Vec<Told> = (0..100)
            .map(|n| diagnosis_of(n, &format!("{n} ms"), 1, (n > 0).then_some(("outage", Confidence::Low))))
            .collect();
        let text = pages(&all, Style::default());
        assert!(text.starts_with("The path went down for a while (99 of 100 trials); No cause found (1).\n"), "{text}");
        assert!(text.contains("and 75 more points"), "{text}");
        assert!(text.lines().count() < 60, "{text}");
    }
}
