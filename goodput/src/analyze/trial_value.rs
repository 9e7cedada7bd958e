//! A measure of a trial as one number.

use super::measures::{Computed, Measure, Over};
use super::{Measures, TrialMeasures, bottleneck, lane_number, load};
use crate::measure::{Kind, Subject};
use crate::plan::{Scene, Trial};

/// The flows that a measure of a trial is about.
pub(crate) fn concerned(scene: &Scene, name: &str) -> Vec<usize> {
    match Measure::find(name).map(|measure| measure.computed) {
        Some(Computed::Flow { over: Over::Load(_), .. }) => load(scene),
        Some(Computed::Flow { kinds, .. }) => {
            let has = |flow: &usize| kinds.contains(&Kind::of(&scene.flows[*flow].traffic));
            whole(scene).filter(has).collect()
        }
        _ => vec![],
    }
}

/// The flows of a kind, by their numbers.
pub(crate) fn of_kind(scene: &Scene, kind: Kind) -> Vec<usize> {
    whole(scene).filter(|flow| Kind::of(&scene.flows[*flow].traffic) == kind).collect()
}

/// All flows but those that a proxy sends on: what a trial brings is what arrives in the end.
fn whole(scene: &Scene) -> impl Iterator<Item = usize> {
    (0..scene.flows.len()).filter(|flow| !scene.is_relayed(*flow))
}

impl TrialMeasures {
    /// A measure of the trial: of flows that of the load together if there is one, of numbers of things the sum over the
    /// flows of a kind that has it, else the mean over them; `None` if one of them has no value. Of directions that of
    /// the bottleneck.
    pub fn value(&self, scene: &Scene, name: &str) -> Option<f64> {
        match Measure::find(name)?.subject() {
            Subject::Lane => self.of(name, Subject::Lane, lane_number(bottleneck(scene)?)),
            Subject::Trial => self.of(name, Subject::Trial, 0),
            Subject::Flow => self.over(scene, name, &concerned(scene, name)),
        }
    }

    /// A measure over some flows; `None` also if one of them has no value: a mean over the others would be that of other
    /// flows.
    pub fn over(&self, scene: &Scene, name: &str, flows: &[usize]) -> Option<f64> {
        let Computed::Flow { over, .. } = Measure::find(name)?.computed else { return None };
        if let Over::Load(_) = over
            && *flows == load(scene)
            && let Some(together) = self.of(name, Subject::Trial, 0)
        {
            return Some(together);
        }
        if let Over::Part = over
            && *flows == load(scene)
        {
            return None;
        }
        let values: Vec<f64> = flows.iter().map(|flow| self.of(name, Subject::Flow, *flow)).collect::<Option<_>>()?;
        let sum: f64 = values.iter().sum();
        let value = if let Over::Mean | Over::Part = over { sum / values.len() as f64 } else { sum };
        Some(value).filter(|_| !values.is_empty())
    }
}

impl Measures {
    /// A measure of a trial ([`TrialMeasures::value`]); `None` also of one that was not measured.
    pub fn value(&self, trial: &Trial, name: &str) -> Option<f64> {
        self.get(trial.index)?.value(&trial.scene, name)
    }

    /// A measure over some flows of a trial ([`TrialMeasures::over`]).
    pub fn over(&self, trial: &Trial, name: &str, flows: &[usize]) -> Option<f64> {
        self.get(trial.index)?.over(&trial.scene, name, flows)
    }

    /// Those of some flows of a trial that have no value of a measure.
    pub fn without(&self, trial: &Trial, name: &str, flows: &[usize]) -> Vec<usize> {
        let of = |flow| self.get(trial.index)?.of(name, Subject::Flow, flow);
        flows.iter().copied().filter(|flow| of(*flow).is_none()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::{Value, sample};

    #[test]
    fn a_lane_is_that_of_the_bottleneck_and_a_mean_that_of_flows_which_have_it() {
        let trial = sample::trial(sample::four_kinds());
        let value = |measure, subject, number, value| Value { measure, subject, number, value };
        let values = [
            value("utilisation", Subject::Lane, 0, 0.1),
            value("utilisation", Subject::Lane, 4, 0.9),
            value("rtt-p50", Subject::Flow, 0, 0.1),
            value("rtt-p50", Subject::Flow, 1, 0.2),
            value("rtt-p50", Subject::Flow, 3, 0.3),
            value("goodput", Subject::Flow, 0, 1e6),
            value("goodput", Subject::Flow, 2, 2e6),
            value("exchange-p50", Subject::Flow, 3, 2e6),
            value("unanswered", Subject::Flow, 1, 0.0),
            value("unanswered", Subject::Flow, 3, 1.0),
        ];
        let values = values.into_iter().collect();
        let measures =
            Measures { trials: vec![TrialMeasures { index: 0, recording: None, values, caveats: vec![].into() }] };
        assert_eq!(measures.value(&trial, "utilisation"), Some(0.9));
        assert_eq!(measures.value(&trial, "rtt-p50"), Some((0.1 + 0.2 + 0.3) / 3.0));
        assert_eq!(measures.value(&trial, "goodput"), Some(1e6), "datagrams are the background");
        assert_eq!(measures.value(&trial, "unanswered"), Some(1.0));
        assert_eq!(measures.value(&trial, "mss"), None);
    }
}
