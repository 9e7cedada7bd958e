//! Checks flows that other sections name: each must exist at every point it applies to.

use super::reader::Reader;
use super::written::{At, Experiment};
use analysis::Measure;
use base::suggest::closest;
use base::units::{Subject, TrafficKind};
use evidence::unit::Wrong;
use plan::{Scene, Setting, is_flow_name};
use toml::Spanned;

/// Each point with its scene.
type Points<'p> = Vec<(&'p Vec<Setting>, &'p Scene)>;

/// Reports flows that do not exist, and measures that a flow cannot have.
pub fn check(reader: &Reader, experiment: &Experiment, points: Points) {
    for flow in &experiment.compare.flows {
        exists(reader, flow, &vec![], &points);
    }
    let expected = experiment.expect.iter().map(|expect| (&expect.flow, expect.measure, &expect.at));
    let published = experiment.published.iter().map(|published| (&published.flow, published.measure, &published.at));
    for (flow, measure, at) in expected.chain(published) {
        if let Some(flow) = flow
            && exists(reader, flow, at, &points)
        {
            has(reader, flow, measure, at, &points);
        }
    }
}

/// Returns the scenes of the points that have all these settings.
fn meant<'p>(at: &At, points: &Points<'p>) -> Vec<&'p Scene> {
    let is_at = |point: &[Setting]| {
        at.iter().all(|(key, value)| point.iter().any(|s| s.key == *key.get_ref() && s.value == *value.get_ref()))
    };
    points.iter().filter(|(point, _)| is_at(point)).map(|(_, scene)| *scene).collect()
}

fn exists(reader: &Reader, flow: &Spanned<String>, at: &At, points: &Points) -> bool {
    let name = flow.get_ref();
    let Some(without) = meant(at, points).into_iter().find(|scene| scene.flows_called(name).is_empty()) else {
        return true;
    };
    let mut names: Vec<String> = without.flows.iter().filter_map(|flow| flow.name.clone()).collect();
    names.dedup();
    let wrong = Wrong::new(format!("there is no flow \"{name}\""));
    let numbers = match without.flows.len() {
        0 => None,
        1 => Some("flow 0".to_owned()),
        several => Some(format!("flow 0 to flow {}", several - 1)),
    };
    let wrong = match closest(name, names.iter().map(String::as_str)) {
        Some(meant) => wrong.hint(format!("write \"{meant}\"")),
        None => wrong.accepted(names.iter().cloned().chain(numbers).collect::<Vec<_>>().join(", ")),
    };
    let named = names.is_empty() && is_flow_name(name);
    let wrong =
        if named { wrong.hint(format!("a flow gets a name by name = \"{name}\" in its [[flows]]")) } else { wrong };
    reader.fault(flow.span(), wrong);
    false
}

/// Reports a measure that the flow cannot have.
fn has(reader: &Reader, flow: &Spanned<String>, measure: &str, at: &At, points: &Points) {
    let Some(measure) = Measure::find(measure) else { return };
    let name = flow.get_ref();
    let wrong = |what: String| reader.fault(flow.span(), Wrong::new(what).hint("remove flow"));
    match measure.subject() {
        Subject::Lane => wrong(format!("{} is of a link's direction, and of no flow", measure.name)),
        Subject::Trial => wrong(format!("{} is of all flows together, and of none alone", measure.name)),
        Subject::Flow => {
            let mut kinds = meant(at, points).into_iter().flat_map(|scene| {
                scene
                    .flows_called(name)
                    .into_iter()
                    .map(|number| TrafficKind::from_traffic(&scene.flows[number].traffic))
            });
            if let Some(kind) = kinds.find(|kind| !measure.kinds().contains(kind)) {
                let having: Vec<&str> = measure.kinds().iter().map(|kind| kind.name()).collect();
                let what = format!("\"{name}\", a flow of kind {}, has no {}", kind.name(), measure.name);
                reader.fault(flow.span(), Wrong::new(what).accepted(format!("flows of kind {}", having.join(", "))));
            }
        }
    }
}
