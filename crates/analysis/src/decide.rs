//! Compares two sides: the question, the outcome that their values support, and its sentence.

use crate::Measure;
use base::show;
use base::stats::{self, ALPHA, Comparison, Conclusion, Estimate, LEVEL, Mode, Samples, Scale};
use base::units::{Better, Unit};
use plan::Setting;
use plan::setting::about;
use serde::{Deserialize, Serialize};

/// Two sides and their values.
#[derive(Debug, Clone)]
pub struct Question {
    /// Settings that both sides share; they open the sentence.
    pub at: Vec<Setting>,
    /// Names of the sides: the base, then the other.
    pub names: [String; 2],
    pub measure: &'static Measure,
    /// Whether both sides are flows of one point: what one gains the other may lose, so that neither is better.
    pub is_within: bool,
    /// Name of the flow, if both sides compare the same named flow.
    pub flow: Option<String>,
    /// Name of the compared quantity in a sentence, such as "goodput of jail".
    pub noun: String,
    /// The values of both sides, in the measure's unit.
    pub values: Values,
    /// Seeds without a value and all seeds, for each side; `None` if every seed has a value, or a side has none at all.
    pub missing: Option<[[usize; 2]; 2]>,
}

impl Question {
    /// Asks how two sides compare by a measure, whatever else they share.
    pub fn new(measure: &'static Measure, names: [String; 2], values: Values) -> Question {
        let noun = measure.name.into();
        Question { at: vec![], names, measure, is_within: false, flow: None, noun, values, missing: None }
    }
}

/// Values of both sides.
#[derive(Debug, Clone)]
pub enum Values {
    /// Pairs of values under the same seeds: base, other.
    Pairs(Vec<[f64; 2]>),
    /// Values of runs that are not paired by seed.
    Apart([Vec<f64>; 2]),
    /// One value of each side for every seed, as nothing is random on either; `None` if a side has no value.
    Certain(Option<[f64; 2]>),
}

impl Values {
    fn sides(&self) -> [Vec<f64>; 2] {
        match self {
            Values::Pairs(pairs) => [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).collect()),
            Values::Apart(sides) => sides.clone(),
            Values::Certain(pair) => [0, 1].map(|side| pair.iter().map(|pair| pair[side]).collect()),
        }
    }

    fn samples(&self) -> Samples<'_> {
        match self {
            Values::Pairs(pairs) => Samples::Paired(pairs),
            Values::Apart([a, b]) => Samples::Unpaired(a, b),
            Values::Certain(pair) => Samples::Paired(pair.as_slice()),
        }
    }
}

/// A comparison and its outcome; part of `verdict.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// Settings that both sides share.
    pub at: Vec<Setting>,
    /// The side that is compared against.
    pub base: String,
    pub other: String,
    /// The measure's name.
    pub measure: String,
    /// Name of the flow on both sides, if flows have names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// Number of values on each side.
    pub counts: [usize; 2],
    /// Whether the values are paired by seed.
    pub paired: bool,
    /// Whether nothing is random on either side: the effect is exact, and nothing is tested.
    #[serde(default)]
    pub certain: bool,
    /// Each side's own estimate.
    pub estimates: [Option<Estimate>; 2],
    /// Each side's two modes, if its values have two.
    pub modes: [Option<[Mode; 2]>; 2],
    /// Effect, interval and tests of this comparison alone; `None` if the sides have no values.
    pub comparison: Option<Comparison>,
    /// p value of no difference, corrected for the number of comparisons (Holm).
    pub p: Option<f64>,
    /// p value of a difference of the margin or more, corrected as well.
    pub p_equivalent: Option<f64>,
    /// Relative difference within which the sides count as equivalent.
    pub margin: f64,
    pub outcome: Outcome,
    /// The same as a sentence.
    pub sentence: String,
}

impl Compared {
    /// True if its effect is tested and differs between seeds or runs.
    pub fn varies(&self) -> bool {
        self.comparison.and_then(|comparison| comparison.test).is_some_and(|test| varies(&test))
    }

    /// True if nothing is tested, as there is one seed or run of each side, and chance may decide.
    pub fn is_of_one_seed(&self) -> bool {
        !self.certain && self.comparison.is_some_and(|comparison| comparison.test.is_none())
    }

    /// Returns the sentence with the shared settings in front.
    pub fn full_sentence(&self) -> String {
        about(&self.at, &self.sentence)
    }
}

/// How the other side compares with the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Better,
    Worse,
    /// The measure is higher, and neither direction is better.
    Higher,
    /// The measure is lower, and neither direction is better.
    Lower,
    /// The difference is less than the margin.
    Equivalent,
    Inconclusive,
}

impl Outcome {
    /// All outcomes, the clearest first.
    pub const ALL: [Outcome; 6] =
        [Outcome::Better, Outcome::Worse, Outcome::Higher, Outcome::Lower, Outcome::Equivalent, Outcome::Inconclusive];

    pub fn word(self) -> &'static str {
        match self {
            Outcome::Better => "better",
            Outcome::Worse => "worse",
            Outcome::Higher => "higher",
            Outcome::Lower => "lower",
            Outcome::Equivalent => "equivalent",
            Outcome::Inconclusive => "inconclusive",
        }
    }
}

/// Answers questions that were asked together: p values are corrected for their number (Holm 1979).
pub fn decide(questions: Vec<Question>, margin: f64) -> Vec<Compared> {
    let compared: Vec<Option<Comparison>> =
        questions.iter().map(|question| stats::compare(question.values.samples(), margin)).collect();
    let corrected = |p: fn(&stats::Test) -> f64| {
        let tests = || compared.iter().map(|comparison| comparison.and_then(|comparison| comparison.test));
        let varying: Vec<f64> = tests().flatten().filter(varies).map(|test| p(&test)).collect();
        let mut holm = stats::holm(&varying).into_iter();
        let mut each = |test: stats::Test| if varies(&test) { holm.next() } else { Some(p(&test)) };
        tests().map(|test| test.and_then(&mut each)).collect::<Vec<Option<f64>>>()
    };
    let (different, equivalent) = (corrected(|test| test.p), corrected(|test| test.p_equivalent));
    let each = questions.into_iter().zip(compared).zip(different.into_iter().zip(equivalent));
    each.map(|((question, comparison), (p, p_equivalent))| answer(question, comparison, [p, p_equivalent], margin))
        .collect()
}

/// True if the effect differs between seeds or runs: otherwise chance decides nothing, and no correction is due.
fn varies(test: &stats::Test) -> bool {
    test.interval[0] != test.interval[1]
}

fn answer(question: Question, comparison: Option<Comparison>, p: [Option<f64>; 2], margin: f64) -> Compared {
    let Question { at, names: [base, other], measure, is_within, flow, noun, values, missing } = question;
    let better = if is_within { Better::Neither } else { measure.better };
    let sides = values.sides();
    let certain = matches!(values, Values::Certain(_));
    let mut compared = Compared {
        at,
        base,
        other,
        measure: measure.name.into(),
        flow,
        counts: sides.each_ref().map(Vec::len),
        paired: matches!(values, Values::Pairs(_)),
        certain,
        estimates: sides.each_ref().map(|side| stats::estimate(side, measure.centre)),
        modes: sides.each_ref().map(|side| stats::modes(side)),
        outcome: match comparison {
            Some(comparison) if certain => outcome(better, comparison, seen(comparison, margin)),
            Some(comparison) => outcome(better, comparison, tested(p)),
            None => Outcome::Inconclusive,
        },
        comparison,
        p: p[0],
        p_equivalent: p[1],
        margin,
        sentence: String::new(),
    };
    compared.sentence = sentence(&compared, measure.unit, &noun, &sides);
    if let Some([[of_base, in_base], [of_other, in_other]]) = missing {
        let Compared { base, other, sentence, .. } = &mut compared;
        *sentence += &format!(
            " Left out are seeds without a value: {of_base} of {in_base} of {base}, {of_other} of {in_other} of {other}."
        );
    }
    compared
}

/// Returns the conclusion that corrected p values support.
fn tested(p: [Option<f64>; 2]) -> Conclusion {
    let [Some(different), Some(equivalent)] = p else { return Conclusion::Inconclusive };
    stats::conclude(different, equivalent)
}

/// Returns the conclusion from an exact effect: nothing is random, so nothing is tested.
fn seen(comparison: Comparison, margin: f64) -> Conclusion {
    if comparison.is_within(margin) { Conclusion::Equivalent } else { Conclusion::Different }
}

fn outcome(better: Better, comparison: Comparison, conclusion: Conclusion) -> Outcome {
    let more = change(comparison.scale, comparison.effect) > 0.0;
    match (conclusion, better) {
        (Conclusion::Inconclusive, _) => Outcome::Inconclusive,
        (Conclusion::Equivalent, _) => Outcome::Equivalent,
        (Conclusion::Different, Better::Neither) => {
            if more {
                Outcome::Higher
            } else {
                Outcome::Lower
            }
        }
        (Conclusion::Different, Better::More) => {
            if more {
                Outcome::Better
            } else {
                Outcome::Worse
            }
        }
        (Conclusion::Different, Better::Less) => {
            if more {
                Outcome::Worse
            } else {
                Outcome::Better
            }
        }
    }
}

/// Returns an effect as a difference; 0 means no effect.
pub fn change(scale: Scale, effect: f64) -> f64 {
    if scale == Scale::Ratio { effect - 1.0 } else { effect }
}

/// A ratio above this, or below its inverse, is printed as a factor.
const MIN_FACTOR: f64 = 2.0;

/// An interval whose ends differ by more than this ratio is printed as factors, up to `MAX_PRINTED_FACTOR`.
const WIDE_INTERVAL_RATIO: f64 = 10.0;
const MAX_PRINTED_FACTOR: f64 = 1000.0;

/// An effect and its interval in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words {
    /// "5.1 % higher"
    pub effect: String,
    /// "3.0 to 7.2 %"; may be empty.
    pub interval: String,
}

/// Puts a comparison of values in `unit` into words.
pub fn words(comparison: &Comparison, unit: Unit) -> Words {
    let Comparison { scale, effect, test } = *comparison;
    let down = change(scale, effect) < 0.0;
    let word = if down { "lower" } else { "higher" };
    let ends = test.map(|test| test.interval);
    let range = |ends: [f64; 2]| format!("{} to {}", show::number(ends[0]), show::number(ends[1]));
    let wide = ends.filter(|[low, high]| scale == Scale::Ratio && *high > WIDE_INTERVAL_RATIO * low).map(times);
    if scale == Scale::Ratio && (effect.ln().abs() > MIN_FACTOR.ln() + 1e-9) {
        let factor = |value: f64| if down { 1.0 / value } else { value };
        let ends = ends.map(|[low, high]| if down { [factor(high), factor(low)] } else { [low, high] });
        return Words {
            effect: format!("{word} by a factor of {}", show::number(factor(effect))),
            interval: wide.or(ends.map(range)).unwrap_or_default(),
        };
    }
    if scale == Scale::Relative && effect > MIN_FACTOR - 1.0 {
        // The delta method does not know that a factor is never negative.
        let ends = ends.map(|ends| ends.map(|end| (1.0 + end).max(0.0)));
        return Words {
            effect: format!("{word} by a factor of {}", show::number(1.0 + effect)),
            interval: ends.map(range).unwrap_or_default(),
        };
    }
    // If the whole interval is on one side of zero, `word` says which side.
    let signed = |value: f64| if down { -change(scale, value) } else { change(scale, value) };
    let ends = ends.map(|[low, high]| if down { [signed(high), signed(low)] } else { [signed(low), signed(high)] });
    let texts = |value: f64| match scale {
        Scale::Absolute => show::value(unit, value),
        _ => format!("{} %", show::number(value * 100.0)),
    };
    let interval = ends.map(|[low, high]| match scale {
        _ if low < 0.0 && high > 0.0 => {
            let [less, more] = if down { [high, -low] } else { [-low, high] };
            format!("−{} to +{}", texts(less), texts(more))
        }
        Scale::Absolute => show::range(unit, low, high),
        _ => format!("{} %", range([low * 100.0, high * 100.0])),
    });
    Words { effect: format!("{} {word}", texts(signed(effect))), interval: wide.or(interval).unwrap_or_default() }
}

/// Formats a wide interval of ratios, such as few values give.
fn times([low, high]: [f64; 2]) -> String {
    let end = |value: f64| match value {
        value if value < 1.0 / MAX_PRINTED_FACTOR => format!("less than {}", 1.0 / MAX_PRINTED_FACTOR),
        value if value > MAX_PRINTED_FACTOR => format!("more than {MAX_PRINTED_FACTOR}"),
        value => show::number(value),
    };
    format!("{} to {} times", end(low), end(high))
}

/// Builds the sentence of a comparison: outcome, effect, interval, number of values.
fn sentence(compared: &Compared, unit: Unit, noun: &str, sides: &[Vec<f64>; 2]) -> String {
    let Compared { base, other, counts, comparison, outcome, .. } = compared;
    let text = |side: usize| match (compared.modes[side], compared.estimates[side]) {
        (Some(modes), _) => two_modes(unit, modes),
        (None, Some(estimate)) => show::value(unit, estimate.value),
        (None, None) => "no value".into(),
    };
    let [of_base, of_other] = [0, 1].map(text);
    let vs = |[of_base, of_other]: [String; 2]| format!("{of_other} vs {of_base}");
    let both = vs([of_base.clone(), of_other.clone()]);
    let number = match (compared.paired, counts) {
        (true, [n, _]) => format!("{n} paired seeds"),
        (false, [n, m]) if n == m => format!("{n} runs of each"),
        (false, [n, m]) => format!("{m} and {n} runs"),
    };
    let Some(comparison) = comparison else {
        let seen = match (compared.estimates, compared.paired) {
            ([None, None], true) => "has no value on both sides in any seed".into(),
            ([None, None], false) => "has no value".into(),
            _ => format!("is {both}"),
        };
        return format!("{other} and {base} cannot be compared: {noun} {seen}.");
    };
    let both = geometric(compared, comparison, sides)
        .map_or(both, |means| format!("geometric means {}", vs(means.map(|mean| show::value(unit, mean)))));
    let Words { effect, interval } = words(comparison, unit);
    let margin = show::plain_share(compared.margin);
    let is_none = comparison.effect == if comparison.scale == Scale::Ratio { 1.0 } else { 0.0 };
    if compared.certain {
        const CERTAIN_WHY: &str = "nothing is random on either side";
        return match outcome {
            Outcome::Better | Outcome::Worse => {
                format!("{other} is {} than {base}: {noun} is {effect}, {both}; {CERTAIN_WHY}.", outcome.word())
            }
            Outcome::Equivalent if is_none => {
                format!("{other} and {base} are equivalent: {noun} is {of_other} with both; {CERTAIN_WHY}.")
            }
            Outcome::Equivalent => {
                format!("{other} and {base} are equivalent within {margin}: {noun} is {effect}, {both}; {CERTAIN_WHY}.")
            }
            _ => format!("{other} differs from {base}: {noun} is {effect}, {both}; {CERTAIN_WHY}."),
        };
    }
    let Some(test) = comparison.test else {
        let single = if compared.paired { "one seed" } else { "one run" };
        let seen = if is_none { "the same".into() } else { effect };
        return format!(
            "{other} vs {base} is inconclusive: {noun} is {seen}, {both}, but {single} of each proves nothing."
        );
    };
    let sure = format!("{} % CI {interval}, {number}", LEVEL * 100.0);
    let is_same = change(comparison.scale, comparison.effect) == 0.0 && test.interval[0] == test.interval[1];
    match outcome {
        Outcome::Better | Outcome::Worse => {
            format!("{other} is {} than {base}: {noun} is {effect} ({sure}), {both}.", outcome.word())
        }
        Outcome::Higher | Outcome::Lower => {
            format!("{other} differs from {base}: {noun} is {effect} ({sure}), {both}.")
        }
        Outcome::Equivalent if is_same && compared.paired => {
            format!("{other} and {base} are equivalent: {noun} is {of_other} with each of {} seeds.", counts[0])
        }
        Outcome::Equivalent if is_same => {
            format!("{other} and {base} are equivalent: {noun} is {of_other} in every run ({number}).")
        }
        Outcome::Equivalent => {
            format!("{other} and {base} are equivalent within {margin}: {noun} is {effect} ({sure}), {both}.")
        }
        Outcome::Inconclusive => {
            let more = more(compared, test.needed);
            let corrected = corrected(compared, comparison, test);
            format!("{other} vs {base} is inconclusive: {noun} is {effect} ({sure}), {both}. {corrected}{more}")
        }
    }
}

/// Returns the means that a ratio compares, if the centres of both sides suggest an effect that differs from it by more
/// than the margin; `None` for other scales, and where a side has two modes.
fn geometric(compared: &Compared, comparison: &Comparison, sides: &[Vec<f64>; 2]) -> Option<[f64; 2]> {
    let [Some(base), Some(other)] = compared.estimates else { return None };
    let is_told = compared.modes.iter().all(Option::is_none) && comparison.scale == Scale::Ratio;
    let suggested = (other.value / base.value).ln();
    let differs = (suggested - comparison.effect.ln()).abs() > compared.margin.ln_1p();
    let mean = |side: &Vec<f64>| (side.iter().map(|value| value.ln()).sum::<f64>() / side.len() as f64).exp();
    (is_told && differs).then(|| sides.each_ref().map(mean))
}

/// "two modes, 166 Mbit/s (3 of 10) or 632 Mbit/s (7)"
pub fn two_modes(unit: Unit, [low, high]: [Mode; 2]) -> String {
    let [of_low, of_high] = [low, high].map(|mode| show::value(unit, mode.centre));
    format!("two modes, {of_low} ({} of {}) or {of_high} ({})", low.count, low.count + high.count, high.count)
}

/// Returns why a comparison that would decide alone decides nothing: p is corrected for all of them.
fn corrected(compared: &Compared, comparison: &Comparison, test: stats::Test) -> String {
    let [low, high] = test.interval.map(|end| change(comparison.scale, end));
    let (p, alone) = if low * high > 0.0 {
        (compared.p, "they would differ; p")
    } else if test.p_equivalent <= ALPHA {
        (compared.p_equivalent, "they would be equivalent; p of equivalence")
    } else {
        (None, "")
    };
    p.map_or(String::new(), |p| {
        let p = show::number(p);
        format!("By this comparison alone {alone} is {p} when corrected for all comparisons (Holm). ")
    })
}

/// Says how many more seeds or runs would decide an inconclusive comparison.
fn more(compared: &Compared, needed: Option<usize>) -> String {
    let [a, b] = compared.counts;
    let (have, unit) = if compared.paired { (a, "seeds") } else { (a.min(b), "runs of each") };
    match needed {
        Some(needed) if needed == have + 1 => format!("A few more {unit} may decide it."),
        Some(needed) if needed > have => format!("About {} more {unit} would decide it.", needed - have),
        Some(_) => format!("A few more {unit} may decide it."),
        None => format!("More {unit} would not decide it."),
    }
}
