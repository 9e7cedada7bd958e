//! From measures to a verdict: what was shown, what was not, and the doubts.
//!
//! A point is compared with the first one, seed by seed. Nothing is claimed beyond what every seed shows.

#[cfg(test)]
mod tests;

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
