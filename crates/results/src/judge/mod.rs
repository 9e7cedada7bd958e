//! Judges a run: turns its measures into a verdict of comparisons, causes, limits, expectations and caveats.

mod cause;
mod compare;
mod expect;
mod limit;
mod primary;
mod search_results;
#[cfg(test)]
mod tests;

pub use analysis::decide::{Compared, Outcome, Question, Values, Words, decide, words};
use analysis::study;
use analysis::{Caveat, Measure, Measures};
use base::show;
use base::units::{TrafficKind, Unit};
pub use cause::{Cause, Diagnoses};
pub use compare::{Side, question, side_name};
pub(crate) use compare::{is_alone_or_alike, of_different_kinds};
use evidence::headers::ETHERNET;
pub use expect::{Expected, Held};
pub use limit::Limit;
use plan::network::topology;
use plan::setting;
use plan::{Expectation, Flow, Interrupts, Loss, Plan, Scene, Setting, Stage, Trial};
pub use primary::{Primary, Summary};
pub use search_results::{SearchResult, Stretch};
use serde::{Deserialize, Serialize};

/// The verdict on a run; `verdict.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Comparisons of points, or of flows at one point.
    pub comparisons: Vec<Compared>,
    /// A sentence for each point that was not compared, and why.
    pub not_compared: Vec<String>,
    /// Findings of a search, or where a long sweep changes most.
    pub findings: Vec<SearchResult>,
    /// Primary measures of points that no comparison covers.
    pub summaries: Vec<Summary>,
    /// Points at which nothing is random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certain: Option<Certain>,
    /// Causes of slow flows at each point, if the diagnosis knows them.
    #[serde(default)]
    pub causes: Vec<Cause>,
    /// Limits of the bulk flows at each point.
    pub limits: Vec<Limit>,
    /// Outcome of each expectation, in the plan's order.
    pub expectations: Vec<Expected>,
    /// Doubts, a sentence each.
    pub caveats: Vec<String>,
}

/// Points at which nothing is random, so that one seed represents all and there is no interval; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certain {
    pub at: Vec<Vec<Setting>>,
    /// The same as a sentence, and why.
    pub sentence: String,
}

impl Verdict {
    /// Returns the worst outcome of the expectations; `Yes` without any.
    pub fn outcome(&self) -> Held {
        self.expectations.iter().map(|expected| expected.held).max().unwrap_or(Held::Yes)
    }

    /// Returns the index of the comparison with the largest effect, among those by the first one's measure that are
    /// neither equivalent nor inconclusive.
    pub(crate) fn foremost(&self) -> Option<usize> {
        let is_shown = |compared: &Compared| !matches!(compared.outcome, Outcome::Equivalent | Outcome::Inconclusive);
        let shown = self.comparisons.iter().enumerate().filter(|(_, compared)| is_shown(compared));
        let alike = shown.filter(|(_, compared)| compared.measure == self.comparisons[0].measure);
        let sizes = alike.filter_map(|(place, compared)| Some((place, compared.comparison?.magnitude()?)));
        // The last of equals wins, so in reverse the first.
        sizes.rev().max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(place, _)| place)
    }

    /// Returns the sentence that stands for the whole.
    pub fn headline(&self) -> Option<String> {
        let mut sentences = self.sentences();
        (!sentences.is_empty()).then(|| sentences.swap_remove(self.foremost().unwrap_or(0)))
    }

    /// Returns the verdict as sentences. A limit is left out if a cause is known for the same flows.
    pub fn sentences(&self) -> Vec<String> {
        let alone: Vec<&Compared> = self.comparisons.iter().filter(|compared| compared.is_of_one_seed()).collect();
        let together = (alone.len() > 1).then(|| of_one_seed(&alone));
        let apart = |compared: &&Compared| together.is_none() || !compared.is_of_one_seed();
        let compared = self.comparisons.iter().filter(apart).map(Compared::full_sentence).chain(together.clone());
        let is_open =
            |limit: &&Limit| !self.causes.iter().any(|cause| cause.at == limit.at && cause.flow == limit.flow);
        let rest = [
            self.not_compared.iter().collect::<Vec<_>>(),
            self.findings.iter().map(|finding| &finding.sentence).collect(),
            self.summaries.iter().map(|summary| &summary.sentence).collect(),
            self.certain.iter().map(|certain| &certain.sentence).collect(),
            self.causes.iter().map(|cause| &cause.sentence).collect(),
            self.limits.iter().filter(is_open).map(|limit| &limit.sentence).collect(),
            self.expectations.iter().map(|expected| &expected.sentence).collect(),
        ];
        compared.chain(rest.into_iter().flatten().cloned()).collect()
    }
}

/// Comparisons of one seed that are named.
const MAX_OF_ONE_SEED: usize = 4;

/// "One seed of each proves nothing: B vs A, goodput 50.0 % lower; C vs A, goodput the same."
fn of_one_seed(alone: &[&Compared]) -> String {
    let each = |compared: &&Compared| {
        let unit = Measure::unit_of(&compared.measure);
        let effect = compared.comparison.as_ref().map_or(String::new(), |comparison| match comparison.magnitude() {
            Some(0.0) => "the same".into(),
            _ => words(comparison, unit).effect,
        });
        let of = compared.flow.as_ref().map_or(String::new(), |flow| format!(" of {flow}"));
        let seen = format!("{} vs {}, {}{of} {effect}", compared.other, compared.base, compared.measure);
        setting::about(&compared.at, &seen)
    };
    let named: Vec<String> = alone.iter().take(MAX_OF_ONE_SEED).map(each).collect();
    let more = match alone.len().saturating_sub(MAX_OF_ONE_SEED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("One seed of each proves nothing: {}{more}.", named.join("; "))
}

/// Checks the expectations at the points that have a setting, each by itself; those that are of other points are left out.
pub fn expected_at(plan: &Plan, measures: &Measures, setting: Option<&Setting>) -> Vec<Expected> {
    let is_there = |wanted: &&Expectation| plan.trials.iter().any(|trial| trial.is_at(&wanted.at));
    let narrowed = plan.expect.iter().map(|wanted| {
        let more = setting.filter(|setting| !wanted.at.contains(setting));
        Expectation { at: wanted.at.iter().chain(more).cloned().collect(), ..wanted.clone() }
    });
    let narrowed: Vec<Expectation> = narrowed.collect();
    narrowed.iter().filter(is_there).map(|wanted| expect::expected(wanted, plan, measures)).collect()
}

/// With more points than this, only the table lists limits, and no causes are printed.
const MAX_POINTS_WITH_CAUSES: usize = 12;

/// Judges a run; `diagnoses` are those of the trials that [`trials_to_diagnose`] returns.
pub fn judge(plan: &Plan, measures: &Measures, diagnoses: &Diagnoses) -> Verdict {
    let compared = compare::comparisons(plan, measures);
    let found = search_results::search_findings(plan, measures);
    let points = study::counted(plan, measures);
    let few = if points.len() <= MAX_POINTS_WITH_CAUSES { &points[..] } else { &[] };
    let limits: Vec<Limit> = few.iter().flat_map(|trials| limit::limits(trials, measures)).collect();
    let causes = few.iter().flat_map(|trials| {
        let own: Vec<Limit> = limits.iter().filter(|limit| limit.at == *trials[0].point).cloned().collect();
        cause::causes(trials, diagnoses, &own)
    });
    Verdict {
        caveats: [
            caveats(plan, measures),
            found.caveats,
            compared.caveats,
            of_comparisons(&compared.compared),
            world(plan),
        ]
        .concat(),
        findings: found.findings,
        summaries: few.iter().flat_map(|trials| summaries(points.len(), trials, &compared.by, measures)).collect(),
        certain: certain(plan, measures),
        causes: causes.collect(),
        expectations: plan.expect.iter().map(|wanted| expect::expected(wanted, plan, measures)).collect(),
        comparisons: compared.compared,
        not_compared: compared.not_compared,
        limits,
    }
}

/// Returns the trials whose diagnosis the verdict uses; none above `MAX_POINTS_WITH_CAUSES` points.
pub fn trials_to_diagnose<'p>(plan: &'p Plan, measures: &Measures) -> Vec<&'p Trial> {
    let points = study::counted(plan, measures);
    if points.len() <= MAX_POINTS_WITH_CAUSES { points.into_iter().flatten().collect() } else { vec![] }
}

/// Summarizes the primary measures of a point that no comparison covers: those of the load if it is the only point, and
/// the times of requests and pings at every point.
fn summaries(
    points: usize,
    trials: &[Trial],
    compared: &[(Vec<Setting>, Primary)],
    measures: &Measures,
) -> Vec<Summary> {
    let point = &*trials[0].point;
    let main = if points == 1 { Primary::common(&[trials]) } else { vec![] };
    let kinds = [TrafficKind::Requests, TrafficKind::Ping].into_iter();
    let there = kinds.filter(|kind| !analysis::of_kind(&trials[0].scene, *kind).is_empty());
    let beside: Vec<Primary> = there.flat_map(|kind| Primary::of_kind(kind, trials)).collect();
    let is_told = |primary: &Primary| {
        let is_compared = compared.iter().any(|(at, other)| at == point && other.is(primary));
        is_compared || main.iter().any(|main| main.is(primary))
    };
    let rest = beside.iter().filter(|primary| !is_told(primary));
    main.iter().chain(rest).map(|primary| primary.summary(measures, trials)).collect()
}

/// Returns the points whose seeds all gave the same bytes.
fn certain(plan: &Plan, measures: &Measures) -> Option<Certain> {
    let points = plan.points();
    let at: Vec<Vec<Setting>> = points
        .iter()
        .filter(|trials| study::is_certain(trials, measures))
        .map(|trials| trials[0].point.to_vec())
        .collect();
    let labels: Vec<String> = at.iter().map(|point| setting::label(point)).collect();
    let which = match (at.len(), points.len()) {
        (0, _) => return None,
        (n, all) if n == all => String::new(),
        (n, _) if n > MAX_POINTS_WITH_CAUSES => format!(" at {n} of {} points", points.len()),
        _ => format!(" at {}", labels.join("; ")),
    };
    let sentence = format!(
        "Nothing is random{which}: the plan draws nothing, and two seeds gave the same bytes. One seed stands for all, without \
         an interval."
    );
    Some(Certain { at, sentence })
}

fn caveats(plan: &Plan, measures: &Measures) -> Vec<String> {
    let all = measures.trials.iter().flat_map(|trial| &trial.caveats);
    let (unsteady, all): (Vec<&Caveat>, Vec<&Caveat>) =
        all.partition(|caveat| matches!(caveat, Caveat::NoSteadyState { .. }));
    let mut texts = analysis::sentences(all, &plan.flow_names());
    let points = plan.points();
    let at = unsteady_at(&points, measures);
    let unsteady = analysis::sentences(unsteady, &plan.flow_names()).into_iter();
    texts.extend(unsteady.map(|text| format!("{}{at}.", text.trim_end_matches('.'))));
    // A run that compares nothing and expects nothing claims nothing.
    let claims = points.len() > 1 || !plan.expect.is_empty();
    if claims && points.iter().any(|trials| trials.len() == 1) {
        texts.push("With one seed, any difference may be chance: raise repeat.seeds or pass --seeds 10.".into());
    }
    if claims && points.iter().any(|trials| trials.len() > 1 && loses_the_same(&trials[0].scene)) {
        texts.push("Every seed loses the same packets: intervals say nothing of losses at other times.".into());
    }
    let mut idle: Vec<String> = points.iter().flat_map(|trials| idle_lro(&trials[0].scene)).collect();
    idle.dedup();
    texts.extend(idle);
    if let Some(enough) = &plan.repeat.until {
        let number = |of: &dyn Fn(&[Trial]) -> bool| points.iter().filter(|trials| of(trials)).count();
        let wide = number(&|trials| study::is_wide(enough, trials, measures));
        let silent = number(&|trials| study::estimate(measures, trials, &enough.measure).is_none());
        let which =
            |n: usize| if points.len() == 1 { String::new() } else { format!(" at {n} of {} points", points.len()) };
        let (name, bound, most) = (&enough.measure, show::plain_share(enough.interval), enough.at_most);
        let text = format!("The interval of {name} is still wider than {bound} after {most} seeds{}.", which(wide));
        texts.extend((wide > 0).then_some(text));
        let text = format!("{name} has no value{}, so no seeds were added.", which(silent));
        texts.extend((silent > 0).then(|| show::capital(&text)));
    }
    texts
}

/// Lists the points at which a flow was not steady: " (at cubic, 200 ms; bbr, 200 ms)"; empty if no trial was steady.
fn unsteady_at(points: &[&[Trial]], measures: &Measures) -> String {
    let is_unsteady = |trial: &Trial| {
        let own = measures.get(trial.index).map(|own| own.caveats.iter());
        own.into_iter().flatten().any(|caveat| matches!(caveat, Caveat::NoSteadyState { .. }))
    };
    let at: Vec<&&[Trial]> = points.iter().filter(|trials| trials.iter().any(is_unsteady)).collect();
    let seeds = |trials: &[Trial]| match trials.iter().filter(|trial| is_unsteady(trial)).count() {
        all if all == trials.len() => String::new(),
        some => format!("{some} of {} seeds", trials.len()),
    };
    let label = |trials: &[Trial]| {
        let told = [setting::label(&trials[0].point), seeds(trials)].into_iter().filter(|text| !text.is_empty());
        told.collect::<Vec<_>>().join(", ")
    };
    let labels = || at.iter().map(|trials| label(trials)).collect::<Vec<_>>().join("; ");
    let is_every = at.iter().all(|trials| trials.iter().all(is_unsteady));
    match at.len() {
        n if n == points.len() && is_every => String::new(),
        n if n > MAX_POINTS_WITH_CAUSES => format!(" (at {n} of {} points)", points.len()),
        _ => format!(" (at {})", labels()),
    }
}

/// Packets that LRO's interval must hold before it merges most of them: the one that begins it is handed on at once.
const MIN_MERGED_PACKETS: f64 = 2.0;

/// Says where LRO merges almost nothing, since packets come too slowly for two to meet in an interval.
fn idle_lro(scene: &Scene) -> Vec<String> {
    let mut told = vec![];
    for flow in analysis::load(scene) {
        let mut slowest = 0.0f64;
        for step in analysis::way(scene, &scene.flows[flow]) {
            let (lane, link) = (step.lane(scene), &scene.links[step.link]);
            let frame = f64::from(link.mtu + ETHERNET + lane.overhead);
            slowest = slowest.max(frame * 8.0 / lane.rate as f64);
            let node = topology::node(scene, &link.ends[1 - step.lane].node);
            let Interrupts::Moderated(interval) = node.offloads.interrupts else { continue };
            let interval = interval as f64 / 1e9;
            if node.offloads.lro && interval < MIN_MERGED_PACKETS * slowest {
                let [interval, packet] = [show::plain_time(interval), show::value(Unit::Seconds, slowest)];
                told.push(format!(
                    "LRO of {} merges almost nothing: it collects for {interval}, and a packet takes {packet} on its way there.",
                    node.name
                ));
            }
        }
    }
    told.sort();
    told.dedup();
    told
}

/// Says how comparisons were tested, if any were.
pub fn of_comparisons(compared: &[Compared]) -> Vec<String> {
    let tested: Vec<&Compared> = compared.iter().filter(|compared| compared.p.is_some()).collect();
    let Some(first) = tested.first() else { return vec![] };
    let margin = show::plain_share(first.margin);
    let number = match tested.iter().filter(|compared| compared.varies()).count() {
        0 | 1 => String::new(),
        n => format!("; the verdicts are corrected for {n} comparisons (Holm)"),
    };
    vec![format!("A difference counts as equivalent if its 90 % interval is within {margin}{number}.")]
}

/// True if the scene loses the same packets with every seed.
fn loses_the_same(scene: &Scene) -> bool {
    let mut stages = scene.links.iter().flat_map(|link| [&link.forward, &link.backward]).flat_map(|lane| &lane.stages);
    stages.any(|stage| matches!(stage, Stage::Loss(Loss::Every(_) | Loss::Packets(_))))
}

/// Says what the lab cannot show; empty if a scene is real.
fn world(plan: &Plan) -> Vec<String> {
    if plan.trials.iter().any(|trial| trial.scene.is_real()) {
        return vec![];
    }
    let cpu = "The lab does not model CPU cost: CPU, interrupt and encryption bottlenecks cannot appear.";
    let is_prague = |scene: &Scene, flow: &Flow| analysis::congestion(scene, flow) == Some("prague");
    let mut scenes = plan.trials.iter().map(|trial| &trial.scene);
    let prague = scenes.any(|scene| scene.flows.iter().any(|flow| is_prague(scene, flow)));
    let own = prague.then(|| "prague is goodput's module: no release of Linux has TCP Prague.".to_owned());
    [cpu.to_owned()].into_iter().chain(own).collect()
}

/// "9.1 to 9.4 Mbit/s", or one figure if the ends look alike.
fn range(name: &str, values: &[f64]) -> String {
    if values.is_empty() {
        return "no value".into();
    }
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    show::range(Measure::unit_of(name), low, high)
}
