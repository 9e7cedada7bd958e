//! Reduces a measure of a trial to one number.

use super::measures::{Computed, Measure, Over};
use super::{Measures, TrialMeasures, bottleneck, lane_number, load};
use base::units::{Subject, TrafficKind};
use plan::{Scene, Trial};

/// Returns the flows that a measure of a trial is about.
pub fn concerned(scene: &Scene, name: &str) -> Vec<usize> {
    match Measure::find(name).map(|measure| measure.computed) {
        Some(Computed::Flow { over: Over::Load(_), .. }) => load(scene),
        Some(Computed::Flow { over: Over::Pooled(_), kinds, .. }) if has_load(scene, kinds) => load(scene),
        Some(Computed::Flow { kinds, .. }) => {
            let has = |flow: &usize| kinds.contains(&TrafficKind::from_traffic(&scene.flows[*flow].traffic));
            whole(scene).filter(has).collect()
        }
        _ => vec![],
    }
}

/// True if the load's flows are of these kinds.
fn has_load(scene: &Scene, kinds: &[TrafficKind]) -> bool {
    let load = load(scene);
    !load.is_empty() && load.iter().all(|flow| kinds.contains(&TrafficKind::from_traffic(&scene.flows[*flow].traffic)))
}

/// Returns the numbers of the flows of a kind.
pub fn of_kind(scene: &Scene, kind: TrafficKind) -> Vec<usize> {
    whole(scene).filter(|flow| TrafficKind::from_traffic(&scene.flows[*flow].traffic) == kind).collect()
}

/// Returns all flows except those that a proxy relays: only data at its final receiver counts.
fn whole(scene: &Scene) -> impl Iterator<Item = usize> {
    (0..scene.flows.len()).filter(|flow| !scene.is_relayed(*flow))
}

impl TrialMeasures {
    /// Returns a measure of the trial. For a measure of flows, it is the load's own value if there is one, else the sum
    /// or the mean over the flows that the measure is about; `None` if one of them has no value. For a measure of
    /// directions, it is the bottleneck's.
    pub fn value(&self, scene: &Scene, name: &str) -> Option<f64> {
        match Measure::find(name)?.subject() {
            Subject::Lane => self.get(name, Subject::Lane, lane_number(bottleneck(scene)?)),
            Subject::Trial => self.get(name, Subject::Trial, 0),
            Subject::Flow => self.over(scene, name, &concerned(scene, name)),
        }
    }

    /// Returns a measure over some flows; `None` also if one of them has no value, as a mean over the others would be
    /// about other flows.
    pub fn over(&self, scene: &Scene, name: &str, flows: &[usize]) -> Option<f64> {
        let Computed::Flow { over, .. } = Measure::find(name)?.computed else { return None };
        if let Over::Load(_) | Over::Pooled(_) = over
            && *flows == load(scene)
            && let Some(together) = self.get(name, Subject::Trial, 0)
        {
            return Some(together);
        }
        if let Over::Part = over
            && *flows == load(scene)
        {
            return None;
        }
        let values: Vec<f64> = flows.iter().map(|flow| self.get(name, Subject::Flow, *flow)).collect::<Option<_>>()?;
        let sum: f64 = values.iter().sum();
        let value = if let Over::Sum | Over::Load(_) = over { sum } else { sum / values.len() as f64 };
        Some(value).filter(|_| !values.is_empty())
    }
}

impl Measures {
    /// Returns a measure of a trial ([`TrialMeasures::value`]); `None` also if the trial was not measured.
    pub fn value(&self, trial: &Trial, name: &str) -> Option<f64> {
        self.get(trial.index)?.value(&trial.scene, name)
    }

    /// Returns a measure over some flows of a trial ([`TrialMeasures::over`]).
    pub fn over(&self, trial: &Trial, name: &str, flows: &[usize]) -> Option<f64> {
        self.get(trial.index)?.over(&trial.scene, name, flows)
    }

    /// Returns the flows in `flows` that have no value of a measure in a trial.
    pub fn without(&self, trial: &Trial, name: &str, flows: &[usize]) -> Vec<usize> {
        let of = |flow| self.get(trial.index)?.get(name, Subject::Flow, flow);
        flows.iter().copied().filter(|flow| of(*flow).is_none()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Value, fixture};

    #[test]
    fn trial_value_is_the_bottlenecks_or_the_mean_over_flows() {
        let trial = fixture::trial(fixture::four_kinds());
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
        assert_eq!(measures.value(&trial, "rtt-p50"), Some(0.1), "neither requests nor pings beside it");
        assert_eq!(measures.over(&trial, "rtt-p50", &[0, 1, 3]), Some((0.1 + 0.2 + 0.3) / 3.0));
        assert_eq!(measures.value(&trial, "goodput"), Some(1e6), "datagrams are the background");
        assert_eq!(measures.value(&trial, "unanswered"), Some(1.0));
        assert_eq!(measures.value(&trial, "mss"), None);
    }
}
