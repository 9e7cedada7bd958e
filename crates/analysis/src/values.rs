//! The values of a trial's measures.

use base::units::Subject;
use plan::Shared;
use serde::{Serialize, Serializer};

/// One measure of one flow or lane, or of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Value {
    /// The measure's name.
    pub measure: &'static str,
    pub subject: Subject,
    /// Number of the flow, or of the lane ([`Step`](plan::network::topology::Step)): link × 2 + direction; 0 for a
    /// trial.
    pub number: usize,
    /// The value in the measure's unit.
    pub value: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Key {
    measure: &'static str,
    subject: Subject,
    number: usize,
}

/// All values of a trial. Most trials of a run have the same keys, which are stored once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values {
    keys: Shared<Key>,
    values: Vec<f64>,
}

impl Values {
    /// Returns all values in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = Value> {
        let value = |(key, value): (&Key, &f64)| Value {
            measure: key.measure,
            subject: key.subject,
            number: key.number,
            value: *value,
        };
        self.keys.iter().zip(&self.values).map(value)
    }

    /// Returns the value of a measure of one flow or lane, or of the trial.
    pub fn get(&self, measure: &str, subject: Subject, number: usize) -> Option<f64> {
        let is_meant = |key: &Key| key.measure == measure && key.subject == subject && key.number == number;
        self.keys.iter().position(is_meant).map(|place| self.values[place])
    }

    /// Shares the keys of `other` if they are the same, and frees spare capacity.
    pub fn share(&mut self, other: &Values) {
        self.keys.share(&other.keys);
        self.values.shrink_to_fit();
    }
}

impl Extend<Value> for Values {
    fn extend<I: IntoIterator<Item = Value>>(&mut self, values: I) {
        for Value { measure, subject, number, value } in values {
            self.keys.push(Key { measure, subject, number });
            self.values.push(value);
        }
    }
}

impl FromIterator<Value> for Values {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Values {
        let mut all = Values::default();
        all.extend(values);
        all
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Caveat, Measures, TrialMeasures};

    fn trial(index: usize, measures: &[&'static str], value: f64) -> TrialMeasures {
        let value = |measure: &&'static str| Value { measure, subject: Subject::Flow, number: 0, value };
        let caveats = vec![Caveat::NoSteadyState { flow: 0 }].into();
        TrialMeasures { index, recording: None, values: measures.iter().map(value).collect(), caveats }
    }

    #[test]
    fn trials_share_what_their_values_are_of() {
        let both = ["goodput", "rtt-p50"];
        let all: Measures =
            [trial(2, &both[..1], 3.0), trial(1, &both, 2.0), trial(0, &both, 1.0)].into_iter().collect();
        let [first, second, third] = &all.trials[..] else { panic!("{all:?}") };
        assert_eq!([first, second, third].map(|trial| trial.index), [0, 1, 2]);
        assert_eq!([first, second].map(|trial| trial.get("rtt-p50", Subject::Flow, 0)), [Some(1.0), Some(2.0)]);
        assert_eq!(third.get("rtt-p50", Subject::Flow, 0), None);
        assert!(
            std::ptr::eq(&*first.values.keys, &*second.values.keys) && std::ptr::eq(&*first.caveats, &*third.caveats)
        );
        assert_ne!(first.values.keys, third.values.keys);
    }

    #[test]
    fn a_trial_that_is_measured_again_is_there_once() {
        let anew = trial(1, &["goodput"], 9.0);
        let before = [trial(0, &["goodput"], 1.0), trial(1, &["goodput"], 2.0)];
        let all: Measures = [anew].into_iter().chain(before).collect();
        let values: Vec<f64> = all.trials.iter().flat_map(|trial| trial.values.iter()).map(|v| v.value).collect();
        assert_eq!(values, [1.0, 9.0]);
    }
}
