//! From measures to a verdict: what was shown, what was not, and the doubts.
//!
//! A point is compared with the first one, seed by seed. Nothing is claimed beyond what every seed shows.

use crate::analyze::{self, Caveat, Measures};
use crate::measure::{self, Subject, Unit};
use crate::plan::{Expectation, Flow, Plan, Setting, Traffic, Trial};
use crate::show;
use serde::{Deserialize, Serialize};

/// What a run has shown; `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The answer, a sentence for each comparison or expectation.
    pub sentences: Vec<String>,
    /// How each expectation came out.
    pub expectations: Vec<Held>,
    /// Doubts, a sentence each.
    pub caveats: Vec<String>,
}

/// How an expectation came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Held {
    /// In every trial that it is about.
    Yes,
    /// In some trials and not in others, or a trial has no value.
    Inconclusive,
    /// In no trial that it is about.
    No,
}

impl Verdict {
    /// The worst of the expectations; a run without any has held.
    pub fn outcome(&self) -> Held {
        self.expectations.iter().copied().max().unwrap_or(Held::Yes)
    }
}

/// Judges a run.
pub fn judge(plan: &Plan, measures: &Measures) -> Verdict {
    let expectations: Vec<Held> = plan.expect.iter().map(|e| held(e, plan, measures)).collect();
    let mut sentences = comparisons(plan, measures);
    for (trials, compared) in points(plan).into_iter().zip(yardsticks(plan)) {
        sentences.extend(limit(trials, measures));
        sentences.extend(asides(&compared, trials, measures));
    }
    sentences.extend(plan.expect.iter().zip(&expectations).map(|(e, held)| expectation(e, *held, plan, measures)));
    Verdict { sentences, expectations, caveats: caveats(plan, measures) }
}

/// Trials of one point, in the plan's order.
pub fn points(plan: &Plan) -> Vec<&[Trial]> {
    plan.trials.chunk_by(|a, b| a.point == b.point).collect()
}

/// A measure of a trial: of flows that of the load together if there is one, of numbers of things the sum over the flows
/// of a kind that has it, else the mean over them; `None` if one of them has no value. Of lanes that of the bottleneck.
pub fn value(measures: &Measures, trial: &Trial, name: &str) -> Option<f64> {
    if measure::find(name).is_some_and(|measure| measure.subject == Subject::Lane) {
        let lane = analyze::lane_number(analyze::bottleneck(&trial.scene)?);
        return measures.trials.get(trial.index)?.of(name, Subject::Lane, lane);
    }
    over(measures, trial, name, &concerned(trial, name))
}

/// The flows that a measure of a trial is about.
fn concerned(trial: &Trial, name: &str) -> Vec<usize> {
    if name == "goodput" {
        return analyze::load(&trial.scene);
    }
    of_kind(trial, |flow| measure::has(&flow.traffic, name))
}

fn of_kind(trial: &Trial, kind: impl Fn(&Flow) -> bool) -> Vec<usize> {
    let flows = trial.scene.flows.iter().enumerate();
    flows.filter(|(_, flow)| kind(flow)).map(|(number, _)| number).collect()
}

/// Those of some flows that have no value of a measure.
fn without(measures: &Measures, trial: &Trial, name: &str, flows: &[usize]) -> Vec<usize> {
    let of = |flow| measures.trials.get(trial.index)?.of(name, Subject::Flow, flow);
    flows.iter().copied().filter(|flow| of(*flow).is_none()).collect()
}

/// A measure over some flows of a trial; `None` also if one of them has no value: a mean over the others would be that
/// of other flows.
fn over(measures: &Measures, trial: &Trial, name: &str, flows: &[usize]) -> Option<f64> {
    let measures = measures.trials.get(trial.index)?;
    if let Some(together) = measures.of(name, Subject::Trial, 0).filter(|_| *flows == concerned(trial, name)) {
        return Some(together);
    }
    let values: Vec<f64> = flows.iter().map(|flow| measures.of(name, Subject::Flow, *flow)).collect::<Option<_>>()?;
    let sum: f64 = values.iter().sum();
    let summed = name == "goodput" || unit(name) == Unit::Count;
    Some(if summed { sum } else { sum / values.len() as f64 }).filter(|_| !values.is_empty())
}

fn matches(trial: &Trial, at: &[Setting]) -> bool {
    at.iter().all(|setting| trial.point.contains(setting))
}

fn held(e: &Expectation, plan: &Plan, measures: &Measures) -> Held {
    let concerned = plan.trials.iter().filter(|trial| matches(trial, &e.at));
    let results: Vec<Option<bool>> = concerned
        .map(|trial| {
            let value = value(measures, trial, &e.measure);
            value.map(|v| e.at_least.is_none_or(|low| v >= low) && e.at_most.is_none_or(|high| v <= high))
        })
        .collect();
    let all = |result| !results.is_empty() && results.iter().all(|r| *r == Some(result));
    match (all(true), all(false)) {
        (true, _) => Held::Yes,
        (_, true) => Held::No,
        // Missing evidence is neither.
        _ => Held::Inconclusive,
    }
}

/// A point by its values.
pub fn label(at: &[Setting]) -> String {
    labels(at).join(", ")
}

/// What a point is called by: a value that has commas of its own is in parentheses beside others.
pub fn labels(at: &[Setting]) -> Vec<String> {
    let set_off = |label: String| if at.len() > 1 && label.contains(", ") { format!("({label})") } else { label };
    at.iter().map(|setting| set_off(setting.label())).collect()
}

fn unit(name: &str) -> Unit {
    measure::find(name).map_or(Unit::Ratio, |m| m.unit)
}

/// "9.1 to 9.4 Mbit/s", or one figure if the ends look alike.
fn range(name: &str, values: &[f64]) -> String {
    if values.is_empty() {
        return "no value".into();
    }
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    show::range(unit(name), low, high)
}

fn expectation(e: &Expectation, held: Held, plan: &Plan, measures: &Measures) -> String {
    let concerned: Vec<&Trial> = plan.trials.iter().filter(|trial| matches(trial, &e.at)).collect();
    let values: Vec<f64> = concerned.iter().filter_map(|t| value(measures, t, &e.measure)).collect();
    let unit = unit(&e.measure);
    let bounds = [("at least", e.at_least), ("at most", e.at_most)];
    let bounds: Vec<String> =
        bounds.iter().filter_map(|(word, bound)| Some(format!("{word} {}", show::value(unit, (*bound)?)))).collect();
    let verdict = match held {
        Held::Yes => "held",
        Held::No => "FAILED",
        Held::Inconclusive if values.is_empty() => "is inconclusive: no trial has a value",
        Held::Inconclusive if values.len() < concerned.len() => "is inconclusive: not every trial has a value",
        Held::Inconclusive => "is inconclusive: it did not hold in every trial, nor fail in every one",
    };
    let missing = |trial: &&Trial| without(measures, trial, &e.measure, &self::concerned(trial, &e.measure));
    let silent = join(concerned.iter().filter(|t| value(measures, t, &e.measure).is_none()).map(missing));
    let total = concerned.iter().map(|trial| trial.scene.flows.len()).max().unwrap_or(0);
    let seen: Vec<String> = [
        (!values.is_empty()).then(|| range(&e.measure, &values)),
        (!silent.is_empty()).then(|| {
            let verb = if silent.len() == 1 { "has" } else { "have" };
            format!("{} {verb} none", show::flows(&silent, total))
        }),
    ]
    .into_iter()
    .flatten()
    .collect();
    let seen = if seen.is_empty() { String::new() } else { format!(" ({})", seen.join("; ")) };
    let points = if e.at.is_empty() { "every point".into() } else { label(&e.at) };
    format!("Expected {} of {points} {}: {verdict}{seen}.", e.measure, bounds.join(" and "))
}

/// The flows of several trials, each once.
fn join(flows: impl Iterator<Item = Vec<usize>>) -> Vec<usize> {
    flows.flatten().collect::<std::collections::BTreeSet<usize>>().into_iter().collect()
}

/// What points are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Yardstick {
    /// The goodput of bulk data: more is better.
    Goodput,
    /// The median time of a request and its response: less is better.
    Exchange,
    /// The median round-trip time of pings: less is better.
    Ping,
    /// The goodput of datagrams: more is better.
    Datagrams,
}

impl Yardstick {
    /// What all of some points have: of bulk data its goodput, beside which datagrams and pings are the background;
    /// `None` if there is no kind of flow that all have.
    fn of(points: &[&[Trial]]) -> Option<Yardstick> {
        let all = [Yardstick::Goodput, Yardstick::Exchange, Yardstick::Ping, Yardstick::Datagrams];
        let there = |trial: &Trial, yardstick: Yardstick| trial.scene.flows.iter().any(yardstick.kind());
        let common = |yardstick: &Yardstick| points.iter().copied().flatten().all(|trial| there(trial, *yardstick));
        all.into_iter().find(common)
    }

    fn measure(self) -> &'static str {
        match self {
            Yardstick::Goodput | Yardstick::Datagrams => "goodput",
            Yardstick::Exchange => "exchange-p50",
            Yardstick::Ping => "rtt-p50",
        }
    }

    /// The flows that count.
    fn kind(self) -> Kind {
        match self {
            Yardstick::Goodput => is_bulk,
            Yardstick::Exchange => is_requests,
            Yardstick::Ping => is_ping,
            Yardstick::Datagrams => |flow| matches!(flow.traffic, Traffic::Udp { .. }),
        }
    }

    /// Whether more of it is better: goodput, not time.
    fn more_is_better(self) -> bool {
        matches!(self, Yardstick::Goodput | Yardstick::Datagrams)
    }

    fn value(self, measures: &Measures, trial: &Trial) -> Option<f64> {
        over(measures, trial, self.measure(), &of_kind(trial, self.kind()))
    }

    /// The flows that have no value.
    fn unanswered(self, measures: &Measures, trial: &Trial) -> Vec<usize> {
        without(measures, trial, self.measure(), &of_kind(trial, self.kind()))
    }

    /// Why a point has no value in some of its seeds.
    fn silence(self, measures: &Measures, trials: &[Trial]) -> Option<String> {
        let silent: Vec<Vec<usize>> =
            trials.iter().map(|trial| self.unanswered(measures, trial)).filter(|flows| !flows.is_empty()).collect();
        if self.more_is_better() || silent.is_empty() {
            return None;
        }
        let flows = join(silent.iter().cloned());
        let seeds = match (silent.len(), trials.len()) {
            (n, all) if n == all => String::new(),
            (n, all) => format!(" in {n} of {all} seeds"),
        };
        Some(format!(
            "with {} {} got no answer{seeds}",
            label(&trials[0].point),
            show::flows(&flows, trials[0].scene.flows.len())
        ))
    }

    fn noun(self) -> &'static str {
        match self {
            Yardstick::Goodput | Yardstick::Datagrams => "goodput",
            Yardstick::Exchange => "the median exchange",
            Yardstick::Ping => "the median ping",
        }
    }

    /// Of one point alone.
    fn sentence(self, point: &[Setting], values: &[f64]) -> String {
        let range = range(self.measure(), values);
        let takes = match self {
            _ if self.more_is_better() => ":",
            _ if values.is_empty() => " has",
            _ => " takes",
        };
        at(point, &format!("{}{takes} {range}.", self.noun()))
    }
}

/// A sentence about a point.
fn at(point: &[Setting], sentence: &str) -> String {
    match point {
        [] => show::capital(sentence),
        point => format!("{}: {sentence}", label(point)),
    }
}

/// Which flows are meant.
type Kind = fn(&Flow) -> bool;

fn is_bulk(flow: &Flow) -> bool {
    matches!(flow.traffic, Traffic::Bulk { .. })
}

fn is_requests(flow: &Flow) -> bool {
    matches!(flow.traffic, Traffic::Requests { .. })
}

fn is_ping(flow: &Flow) -> bool {
    matches!(flow.traffic, Traffic::Ping { .. })
}

/// Each point beside the first one, seed by seed.
fn comparisons(plan: &Plan, measures: &Measures) -> Vec<String> {
    let points = points(plan);
    let Some((first, others)) = points.split_first() else { return vec![] };
    let nothing_flows = |trials: &[Trial]| trials.iter().all(|trial| trial.scene.flows.is_empty());
    if others.is_empty() {
        let Some(yardstick) = Yardstick::of(&[first]) else { return vec![] };
        let values: Vec<f64> = first.iter().filter_map(|trial| yardstick.value(measures, trial)).collect();
        return vec![yardstick.sentence(&[], &values)];
    }
    let compare = |other: &&[Trial]| {
        let Some(yardstick) = Yardstick::of(&[first, other]) else {
            let [name, against] = [*other, *first].map(|trials| label(&trials[0].point));
            return format!("{name} and {against} cannot be compared: their flows are of different kinds.");
        };
        let value = |trial: &Trial| yardstick.value(measures, trial);
        let pairs = |other: &[Trial]| -> (Vec<f64>, Vec<f64>) {
            first.iter().zip(other).filter_map(|(a, b)| value(a).zip(value(b))).unzip()
        };
        let silence: Vec<String> =
            [*first, *other].iter().filter_map(|trials| yardstick.silence(measures, trials)).collect();
        if !silence.is_empty() {
            let [name, against] = [*other, *first].map(|trials| label(&trials[0].point));
            return format!("{name} and {against} cannot be compared: {}.", silence.join(", "));
        }
        let (base, values) = pairs(other);
        compare(yardstick, [first, other], [&base, &values])
    };
    others.iter().filter(|other| !nothing_flows(first) || !nothing_flows(other)).map(compare).collect()
}

/// What each point is compared by; several of the first one if others are of other kinds.
fn yardsticks(plan: &Plan) -> Vec<Vec<Yardstick>> {
    let points = points(plan);
    let Some((first, others)) = points.split_first() else { return vec![] };
    let pairs: Vec<Option<Yardstick>> = others.iter().map(|other| Yardstick::of(&[first, other])).collect();
    let of_first = if others.is_empty() { vec![Yardstick::of(&[first])] } else { pairs.clone() };
    let of_first = of_first.into_iter().flatten().collect();
    [of_first].into_iter().chain(pairs.into_iter().map(|yardstick| yardstick.into_iter().collect())).collect()
}

/// Ratios that read as 1.00.
const ALIKE: f64 = 0.005;

/// The first point and another, and the values of the seeds that have one at both.
fn compare(yardstick: Yardstick, points: [&[Trial]; 2], values: [&[f64]; 2]) -> String {
    let [against, name] = points.map(|trials| label(&trials[0].point));
    let [base, other] = values;
    let ratios: Vec<f64> = other.iter().zip(base).map(|(v, b)| v / b).collect();
    if ratios.is_empty() || ratios.iter().any(|r| !r.is_finite() || *r == 0.0) {
        return format!("{name} and {against} cannot be compared: a flow delivered nothing.");
    }
    let seeds = match (ratios.len(), points[0].len()) {
        (1, 1) => "in the one seed that ran".into(),
        (n, all) if n == all => format!("in each of {n} seeds"),
        (n, all) => format!("in the {n} of {all} seeds that tell"),
    };
    let range = |values| range(yardstick.measure(), values);
    let more = |more: &str, less: &str, ratios: &[f64]| {
        let times = show::times(ratios);
        match yardstick.more_is_better() {
            true => format!("{more} has {times} times the goodput of {less}"),
            false => {
                format!("{} takes {times} times as long with {more} as with {less}", show::capital(yardstick.noun()))
            }
        }
    };
    let same = |how: &str| {
        let same = match yardstick.more_is_better() {
            true => format!("{name} and {against} have the same goodput"),
            false => format!("{} takes as long with {name} as with {against}", show::capital(yardstick.noun())),
        };
        format!("{same}{how} {seeds}")
    };
    if ratios.iter().all(|r| *r == 1.0) {
        format!("{}: {}.", same(""), range(other))
    } else if ratios.iter().all(|r| (r - 1.0).abs() < ALIKE) {
        format!("{}: {} and {}.", same(" within 0.5 %"), range(other), range(base))
    } else if ratios.iter().all(|r| *r > 1.0) {
        format!("{} {seeds}: {} against {}.", more(&name, &against, &ratios), range(other), range(base))
    } else if ratios.iter().all(|r| *r < 1.0) {
        let ratios: Vec<f64> = ratios.iter().map(|r| 1.0 / r).collect();
        format!("{} {seeds}: {} against {}.", more(&against, &name, &ratios), range(base), range(other))
    } else {
        let more = match yardstick.more_is_better() {
            true => format!("{name} has more goodput than {against}"),
            false => format!("{} takes longer with {name} than with {against}", yardstick.noun()),
        };
        format!("Seeds differ on whether {more}: {} against {}.", range(other), range(base))
    }
}

/// What held a point's bulk flows back for most of their time, the median over its seeds.
fn limit(trials: &[Trial], measures: &Measures) -> Option<String> {
    const LIMITS: [(&str, &str); 4] = [
        ("limited-cwnd", "the congestion window"),
        ("limited-rwnd", "the receive window"),
        ("limited-sndbuf", "the send buffer"),
        ("limited-app", "the application"),
    ];
    let median = |name: &str| {
        // A flow that never connected has no limits; those of the others are told.
        let known = |trial: &Trial| {
            let all = of_kind(trial, is_bulk);
            let none = without(measures, trial, name, &all);
            all.into_iter().filter(|flow| !none.contains(flow)).collect::<Vec<usize>>()
        };
        let value = |trial: &Trial| over(measures, trial, name, &known(trial));
        let mut values: Vec<f64> = trials.iter().filter_map(value).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let shares: Vec<(&str, f64)> = LIMITS.iter().filter_map(|(name, what)| Some((*what, median(name)?))).collect();
    let (what, share) = shares.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (point, flows) = (&trials[0].point, &trials[0].scene.flows);
    let bulk = flows.iter().filter(|flow| is_bulk(flow)).count();
    let limited = format!("limited by {what} for {} of", show::value(Unit::Ratio, share));
    let kind = if bulk < flows.len() { "bulk " } else { "" };
    Some(match bulk {
        1 if flows.len() == 1 && !point.is_empty() => format!("{} is {limited} its time.", label(point)),
        1 => at(point, &format!("the {kind}flow is {limited} its time.")),
        _ => at(point, &format!("the {kind}flows are {limited} their time, on average.")),
    })
}

/// How long requests and pings took, unless the points are compared by that.
fn asides(compared: &[Yardstick], trials: &[Trial], measures: &Measures) -> Vec<String> {
    let kinds: [(Kind, Yardstick); 2] = [(is_requests, Yardstick::Exchange), (is_ping, Yardstick::Ping)];
    let there = |kind: Kind| trials[0].scene.flows.iter().any(kind);
    let beside = kinds.into_iter().filter(|(kind, yardstick)| there(*kind) && !compared.contains(yardstick));
    let sentence = |(_, yardstick): (_, Yardstick)| {
        let values: Vec<f64> = trials.iter().filter_map(|trial| yardstick.value(measures, trial)).collect();
        yardstick.sentence(&trials[0].point, &values)
    };
    beside.map(sentence).collect()
}

fn caveats(plan: &Plan, measures: &Measures) -> Vec<String> {
    let all: Vec<&Caveat> = measures.trials.iter().flat_map(|trial| &trial.caveats).collect();
    let flows = plan.trials.iter().map(|trial| trial.scene.flows.len()).max().unwrap_or(0);
    let mut texts = analyze::sentences(all, flows);
    // What compares nothing and expects nothing only says what it saw.
    let claims = points(plan).len() > 1 || !plan.expect.is_empty();
    if claims && points(plan).iter().any(|trials| trials.len() == 1) {
        texts.push("One seed is one sample: a difference may be chance. Set repeat.seeds.".into());
    }
    texts.push(
        "CPU time costs nothing in this laboratory: limits of processors, interrupts or ciphers do not show.".into(),
    );
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::{TrialMeasures, Value, sample};
    use crate::plan::Scene;

    /// A plan of two points with two seeds each, and these goodputs, Mbit/s, in its order.
    fn judged(goodput: [f64; 4], expect: &str) -> Verdict {
        let spec = format!(
            r#"
            title = "judged"
            path = {{ rate = "10 Mbit/s", rtt = "20 ms", buffer = "1 BDP" }}
            flows = [{{ duration = "10 s" }}]
            vary = {{ "flows.congestion" = ["cubic", "bbr"] }}
            repeat = {{ seeds = 2 }}
            {expect}
            "#
        );
        let plan = crate::spec::plan("judged.toml", &spec, Default::default()).unwrap_or_else(|e| panic!("{e}"));
        let value =
            |value: f64| Value { measure: "goodput".into(), subject: Subject::Flow, number: 0, value: value * 1e6 };
        let trial = |(index, rate): (usize, &f64)| TrialMeasures {
            index,
            values: Some(*rate).filter(|rate| rate.is_finite()).map(value).into_iter().collect(),
            caveats: vec![],
        };
        judge(&plan, &Measures { trials: goodput.iter().enumerate().map(trial).collect() })
    }

    #[track_caller]
    fn says(goodput: [f64; 4], sentence: &str) {
        assert_eq!(judged(goodput, "").sentences[0], sentence);
    }

    #[test]
    fn a_comparison_claims_what_every_seed_shows() {
        says(
            [2.0, 3.0, 8.0, 9.0],
            "bbr has 3.00 to 4.00 times the goodput of cubic in each of 2 seeds: 8.00 to 9.00 Mbit/s against 2.00 to 3.00 Mbit/s.",
        );
        says(
            [8.0, 9.0, 2.0, 3.0],
            "cubic has 3.00 to 4.00 times the goodput of bbr in each of 2 seeds: 8.00 to 9.00 Mbit/s against 2.00 to 3.00 Mbit/s.",
        );
        says(
            [2.0, 9.0, 8.0, 3.0],
            "Seeds differ on whether bbr has more goodput than cubic: 3.00 to 8.00 Mbit/s against 2.00 to 9.00 Mbit/s.",
        );
        says([5.0; 4], "bbr and cubic have the same goodput in each of 2 seeds: 5.00 Mbit/s.");
        says(
            [5.0, 6.0, 5.02, 5.98],
            "bbr and cubic have the same goodput within 0.5 % in each of 2 seeds: 5.02 to 5.98 Mbit/s and 5.00 to 6.00 Mbit/s.",
        );
        says([f64::NAN, f64::NAN, 1.0, 1.0], "bbr and cubic cannot be compared: a flow delivered nothing.");
        says([0.0, 0.0, 1.0, 1.0], "bbr and cubic cannot be compared: a flow delivered nothing.");
        says([1.0, 1.0, 0.0, 0.0], "bbr and cubic cannot be compared: a flow delivered nothing.");
        says(
            [2.0, f64::NAN, 8.0, 9.0],
            "bbr has 4.00 times the goodput of cubic in the 1 of 2 seeds that tell: 8.00 Mbit/s against 2.00 Mbit/s.",
        );
    }

    /// What is said of flows with these values; `figures` are measure, flow and value.
    fn said(flows: Vec<Flow>, figures: &[(&str, usize, f64)]) -> Vec<String> {
        let plan = sample::plan(Scene { flows, ..sample::tree() });
        let value = |&(measure, number, value): &(&str, usize, f64)| Value {
            measure: measure.into(),
            subject: Subject::Flow,
            number,
            value,
        };
        let trial = TrialMeasures { index: 0, values: figures.iter().map(value).collect(), caveats: vec![] };
        judge(&plan, &Measures { trials: vec![trial] }).sentences
    }

    #[test]
    fn a_sentence_fits_the_kinds_of_the_flows() {
        let [bulk, requests, udp, ping] = sample::four_kinds().flows.try_into().unwrap();
        let limits = |flow| [("limited-cwnd", flow, 0.2), ("limited-app", flow, 0.7)];
        let bulk_and =
            |others: &[(&'static str, usize, f64)]| [&[("goodput", 0, 3e6)], &limits(0)[..], others].concat();
        assert_eq!(
            said(vec![bulk.clone()], &bulk_and(&[])),
            ["Goodput: 3.00 Mbit/s.", "The flow is limited by the application for 70.0 % of its time."]
        );
        assert_eq!(
            said(
                vec![bulk.clone(), bulk.clone()],
                &bulk_and(&[("goodput", 1, 5e6), ("limited-cwnd", 1, 0.9), ("limited-app", 1, 0.1)])
            ),
            [
                "Goodput: 8.00 Mbit/s.",
                "The flows are limited by the congestion window for 55.0 % of their time, on average."
            ]
        );
        // The limits of requests are not those of the bulk flow.
        let others = [("exchange-p50", 1, 0.05), ("limited-cwnd", 1, 1.0), ("rtt-p50", 0, 0.2), ("rtt-p50", 2, 0.02)];
        assert_eq!(
            said(vec![bulk, requests.clone(), ping.clone()], &bulk_and(&others)),
            [
                "Goodput: 3.00 Mbit/s.",
                "The bulk flow is limited by the application for 70.0 % of its time.",
                "The median exchange takes 50.0 ms.",
                "The median ping takes 20.0 ms.",
            ]
        );
        assert_eq!(said(vec![requests.clone()], &[("exchange-p50", 0, 0.05)]), ["The median exchange takes 50.0 ms."]);
        assert_eq!(said(vec![requests], &[("unanswered", 0, 1.0)]), ["The median exchange has no value."]);
        assert_eq!(
            said(vec![udp.clone(), ping], &[("goodput", 0, 1e6), ("rtt-p50", 1, 0.02)]),
            ["The median ping takes 20.0 ms."]
        );
        assert_eq!(said(vec![udp], &[("goodput", 0, 1e6)]), ["Goodput: 1.00 Mbit/s."]);
        assert_eq!(said(vec![], &[]), [""; 0]);
    }

    /// Two points of two requests flows each, whose medians are these.
    fn timed(times: [[Option<f64>; 2]; 2]) -> Vec<String> {
        let mut plan = sample::plan(sample::four_kinds());
        let point = |value: &str| vec![Setting { key: "path.queue".into(), value: value.into() }];
        let requests = plan.trials[0].scene.flows[1].clone();
        plan.trials[0].scene.flows = vec![requests.clone(), requests];
        plan.trials[0].point = point("deep");
        plan.trials.push(Trial { index: 1, point: point("shallow"), ..plan.trials[0].clone() });
        let value = |(number, value): (usize, Option<f64>)| {
            Some(Value { measure: "exchange-p50".into(), subject: Subject::Flow, number, value: value? })
        };
        let trial = |(index, values): (usize, [Option<f64>; 2])| TrialMeasures {
            index,
            values: values.into_iter().enumerate().filter_map(value).collect(),
            caveats: vec![],
        };
        judge(&plan, &Measures { trials: times.into_iter().enumerate().map(trial).collect() }).sentences
    }

    #[test]
    fn less_time_is_better() {
        let both = |deep, shallow| timed([[Some(deep); 2], [Some(shallow); 2]]);
        assert_eq!(
            both(0.4, 0.1),
            ["The median exchange takes 4.00 times as long with deep as with shallow in the one seed that ran: \
                 400 ms against 100 ms."]
        );
        assert_eq!(
            both(0.1, 0.2),
            ["The median exchange takes 2.00 times as long with shallow as with deep in the one seed that ran: \
                 200 ms against 100 ms."]
        );
        assert_eq!(
            both(0.1, 0.1),
            ["The median exchange takes as long with shallow as with deep in the one seed that ran: 100 ms."]
        );
    }

    #[test]
    fn a_flow_without_an_answer_is_not_left_out_of_a_median() {
        assert_eq!(
            timed([[Some(0.1), None], [Some(0.1), Some(0.3)]]),
            ["shallow and deep cannot be compared: with deep flow 1 got no answer."]
        );
        assert_eq!(
            timed([[None, None], [None, Some(0.3)]]),
            [
                "shallow and deep cannot be compared: with deep flows 0 and 1 got no answer, with shallow flow 0 got no answer."
            ]
        );
    }

    #[test]
    fn a_lane_is_that_of_the_bottleneck_and_a_mean_that_of_flows_which_have_it() {
        let trial = sample::trial(sample::four_kinds());
        let value = |measure: &str, subject, number, value| Value { measure: measure.into(), subject, number, value };
        let values = vec![
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
        let measures = Measures { trials: vec![TrialMeasures { index: 0, values, caveats: vec![] }] };
        assert_eq!(super::value(&measures, &trial, "utilisation"), Some(0.9));
        assert_eq!(super::value(&measures, &trial, "rtt-p50"), Some((0.1 + 0.2 + 0.3) / 3.0));
        assert_eq!(super::value(&measures, &trial, "goodput"), Some(1e6), "datagrams are the background");
        assert_eq!(super::value(&measures, &trial, "unanswered"), Some(1.0));
        assert_eq!(super::value(&measures, &trial, "mss"), None);
    }

    #[test]
    fn a_point_is_called_by_what_says_something() {
        let setting = |(key, value): (&str, &str)| Setting { key: key.into(), value: value.into() };
        let point = [("hosts.ecn", "false"), ("flows.count", "4"), ("path.buffer", "1 BDP")].map(setting);
        assert_eq!(label(&point), "ecn false, count 4, 1 BDP");
        let point = [("run", "command ip route, at 1 s"), ("path.changes", "none"), ("path.offloads", "tso, gso")];
        let point = point.map(setting);
        assert_eq!(label(&point), "(command ip route, at 1 s), changes none, (tso, gso)");
        assert_eq!(label(&point[..1]), "command ip route, at 1 s");
    }

    #[test]
    fn an_expectation_holds_in_every_trial_or_fails_in_every_one() {
        let expect =
            r#"expect = [{ measure = "goodput", where = { "flows.congestion" = "bbr" }, at-least = "5 Mbit/s" }]"#;
        let outcome = |bbr: [f64; 2]| judged([1.0, 1.0, bbr[0], bbr[1]], expect).outcome();
        assert_eq!(outcome([5.0, 6.0]), Held::Yes);
        assert_eq!(outcome([4.9, 4.0]), Held::No);
        assert_eq!(outcome([4.9, 5.0]), Held::Inconclusive);
        assert_eq!(outcome([f64::NAN, 5.0]), Held::Inconclusive);
        assert_eq!(outcome([f64::NAN; 2]), Held::Inconclusive);
        assert_eq!(judged([1.0; 4], "").outcome(), Held::Yes);
        let said = |bbr: [f64; 2]| judged([1.0, 1.0, bbr[0], bbr[1]], expect).sentences.pop().unwrap();
        assert_eq!(
            said([f64::NAN; 2]),
            "Expected goodput of bbr at least 5.00 Mbit/s: is inconclusive: no trial has a value (flow 0 has none)."
        );
        assert_eq!(
            said([f64::NAN, 5.0]),
            "Expected goodput of bbr at least 5.00 Mbit/s: is inconclusive: not every trial has a value \
             (5.00 Mbit/s; flow 0 has none)."
        );
    }

    #[test]
    fn a_dead_flow_is_not_left_out_of_an_expectation() {
        let mut plan = sample::plan(sample::four_kinds());
        let requests = plan.trials[0].scene.flows[1].clone();
        plan.trials[0].scene.flows = vec![requests.clone(), requests.clone(), requests];
        let expect =
            |measure: &str| Expectation { measure: measure.into(), at: vec![], at_least: None, at_most: Some(1.0) };
        plan.expect = vec![expect("exchange-p50"), expect("lost")];
        let value = Value { measure: "exchange-p50".into(), subject: Subject::Flow, number: 1, value: 0.1 };
        let trial = TrialMeasures { index: 0, values: vec![value], caveats: vec![] };
        let verdict = judge(&plan, &Measures { trials: vec![trial] });
        assert_eq!(verdict.expectations, [Held::Inconclusive; 2]);
        assert_eq!(
            verdict.sentences[1..],
            [
                "Expected exchange-p50 of every point at most 1.00 s: is inconclusive: no trial has a value \
                 (flows 0 and 2 have none).",
                "Expected lost of every point at most 100 %: is inconclusive: no trial has a value.",
            ]
        );
    }

    #[test]
    fn points_are_compared_by_what_both_have() {
        let [bulk, requests, udp, ping] = sample::four_kinds().flows.try_into().unwrap();
        let said = |flows: [Vec<&Flow>; 3], figures: [&[(&str, usize, f64)]; 3]| {
            let mut plan = sample::plan(sample::tree());
            let point = |name: &str| vec![Setting { key: "flows.kind".into(), value: name.into() }];
            let trial = |(index, (name, flows)): (usize, (&str, Vec<&Flow>))| Trial {
                index,
                point: point(name),
                seed: 1,
                scene: Scene { flows: flows.into_iter().cloned().collect(), ..sample::tree() },
            };
            plan.trials = ["A", "B", "C"].into_iter().zip(flows).enumerate().map(trial).collect();
            let value = |&(measure, number, value): &(&str, usize, f64)| Value {
                measure: measure.into(),
                subject: Subject::Flow,
                number,
                value,
            };
            let trial = |(index, figures): (usize, &[(&str, usize, f64)])| TrialMeasures {
                index,
                values: figures.iter().map(value).collect(),
                caveats: vec![],
            };
            judge(&plan, &Measures { trials: figures.into_iter().enumerate().map(trial).collect() }).sentences
        };
        let seed = "in the one seed that ran";
        assert_eq!(
            said(
                [vec![&bulk, &ping], vec![&ping], vec![&bulk, &ping]],
                [
                    &[("goodput", 0, 2e6), ("rtt-p50", 0, 0.2), ("rtt-p50", 1, 0.2)],
                    &[("rtt-p50", 0, 0.1)],
                    &[("goodput", 0, 2e6), ("rtt-p50", 0, 0.1), ("rtt-p50", 1, 0.4)],
                ]
            ),
            [
                format!("The median ping takes 2.00 times as long with A as with B {seed}: 200 ms against 100 ms."),
                format!("C and A have the same goodput {seed}: 2.00 Mbit/s."),
                "C: the median ping takes 400 ms.".into(),
            ]
        );
        assert_eq!(
            said(
                [vec![&bulk], vec![&udp], vec![&bulk, &udp, &requests]],
                [
                    &[("goodput", 0, 2e6)],
                    &[("goodput", 0, 3e6)],
                    &[("goodput", 0, 1e6), ("goodput", 1, 5e6), ("exchange-p50", 2, 0.1)],
                ]
            ),
            [
                "B and A cannot be compared: their flows are of different kinds.".into(),
                format!("A has 2.00 times the goodput of C {seed}: 2.00 Mbit/s against 1.00 Mbit/s."),
                "C: the median exchange takes 100 ms.".into(),
            ]
        );
        let none = said([vec![], vec![], vec![&udp]], [&[], &[], &[("goodput", 0, 1e6)]]);
        assert_eq!(none, ["C and A cannot be compared: their flows are of different kinds."]);
    }

    #[test]
    fn one_seed_is_a_caveat() {
        let plan = "title = 't'\npath = { rate = '1 Mbit/s', rtt = '1 ms', buffer = '9 packets' }\nflows = [{ bytes = '1 B' }]";
        let plan = crate::spec::plan("one.toml", plan, Default::default()).unwrap_or_else(|e| panic!("{e}"));
        let mut plan = plan;
        let doubted = |plan: &Plan| {
            let verdict = judge(plan, &Measures { trials: vec![] });
            verdict.caveats.iter().any(|caveat| caveat.starts_with("One seed is one sample"))
        };
        assert!(!doubted(&plan), "it claims nothing");
        plan.expect = vec![Expectation { measure: "goodput".into(), at: vec![], at_least: Some(1.0), at_most: None }];
        assert!(doubted(&plan));
    }
}
