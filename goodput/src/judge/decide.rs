//! Comparisons: what is asked, what the values say, and the sentence for it.

use crate::analyze::Measure;
use crate::measure::{Better, Unit};
use crate::plan::Setting;
use crate::show::{self, about};
use crate::stats::{self, Comparison, Conclusion, Estimate, LEVEL, Mode, Samples, Scale};
use serde::{Deserialize, Serialize};

/// Two sides and their values.
#[derive(Debug, Clone)]
pub struct Question {
    /// What both sides have in common, and the comparison is about.
    pub at: Vec<Setting>,
    /// What they are called: the one that is compared against, and the other.
    pub names: [String; 2],
    pub measure: &'static Measure,
    /// What the flow is called that it is of, where both sides have that.
    pub flow: Option<String>,
    /// What it is called in a sentence.
    pub noun: String,
    /// The values of both sides, in the measure's unit.
    pub values: Values,
    /// Of how many seeds each side has none, and how many there are; `None` if all have one, or a side has none at all.
    pub missing: Option<[[usize; 2]; 2]>,
}

/// Values of both sides.
#[derive(Debug, Clone)]
pub enum Values {
    /// Under the same seeds.
    Pairs(Vec<[f64; 2]>),
    /// Of runs that have nothing in common.
    Apart([Vec<f64>; 2]),
    /// Where nothing is random on either side: each has one value, for every seed; `None` if one has none.
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
    /// What both sides have in common.
    pub at: Vec<Setting>,
    /// The side that is compared against.
    pub base: String,
    pub other: String,
    /// The measure's name.
    pub measure: String,
    /// The flow that both sides are of, where flows have names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// Values of each side.
    pub counts: [usize; 2],
    /// Whether they are pairs under the same seeds.
    pub paired: bool,
    /// Whether nothing is random on either side: the effect is exact, and nothing is tested.
    #[serde(default)]
    pub certain: bool,
    /// Each side's own estimate.
    pub estimates: [Option<Estimate>; 2],
    /// Each side's two modes, where it has them.
    pub modes: [Option<[Mode; 2]>; 2],
    /// Effect, interval and tests of this comparison alone; `None` if the sides have no values.
    pub comparison: Option<Comparison>,
    /// p value of no difference, corrected for the number of comparisons (Holm).
    pub p: Option<f64>,
    /// p value of a difference of the margin or more, corrected as well.
    pub p_equivalent: Option<f64>,
    /// The relative difference that counts as none.
    pub margin: f64,
    pub outcome: Outcome,
    /// The same as a sentence.
    pub sentence: String,
}

impl Compared {
    /// With what both sides have in common before.
    pub(crate) fn full_sentence(&self) -> String {
        about(&self.at, &self.sentence)
    }
}

/// What a comparison has shown of the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Better,
    Worse,
    /// It has more of what is neither good nor bad.
    Higher,
    /// It has less of what is neither good nor bad.
    Lower,
    /// The difference is less than the margin.
    Equivalent,
    Inconclusive,
}

impl Outcome {
    /// Every one, the clearest first.
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
        let mut holm = stats::holm(&tests().flatten().map(|test| p(&test)).collect::<Vec<f64>>()).into_iter();
        tests().map(|test| test.and_then(|_| holm.next())).collect::<Vec<Option<f64>>>()
    };
    let (different, equivalent) = (corrected(|test| test.p), corrected(|test| test.p_equivalent));
    let each = questions.into_iter().zip(compared).zip(different.into_iter().zip(equivalent));
    each.map(|((question, comparison), (p, p_equivalent))| answer(question, comparison, [p, p_equivalent], margin))
        .collect()
}

fn answer(question: Question, comparison: Option<Comparison>, p: [Option<f64>; 2], margin: f64) -> Compared {
    let Question { at, names: [base, other], measure, flow, noun, values, missing } = question;
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
            Some(comparison) if certain => outcome(measure, comparison, seen(comparison, margin)),
            Some(comparison) => outcome(measure, comparison, tested(p)),
            None => Outcome::Inconclusive,
        },
        comparison,
        p: p[0],
        p_equivalent: p[1],
        margin,
        sentence: String::new(),
    };
    compared.sentence = sentence(&compared, measure.unit, &noun);
    if let Some([[of_base, in_base], [of_other, in_other]]) = missing {
        let Compared { base, other, sentence, .. } = &mut compared;
        *sentence += &format!(
            " Left out are seeds without a value: {of_base} of {in_base} of {base}, {of_other} of {in_other} of {other}."
        );
    }
    compared
}

/// What p values have shown.
fn tested(p: [Option<f64>; 2]) -> Conclusion {
    let [Some(different), Some(equivalent)] = p else { return Conclusion::Inconclusive };
    stats::conclude(different, equivalent)
}

/// What an effect is that nothing random is in.
fn seen(comparison: Comparison, margin: f64) -> Conclusion {
    if comparison.is_within(margin) { Conclusion::Equivalent } else { Conclusion::Different }
}

fn outcome(measure: &Measure, comparison: Comparison, conclusion: Conclusion) -> Outcome {
    let more = change(comparison.scale, comparison.effect) > 0.0;
    match (conclusion, measure.better) {
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

/// An effect as a difference: 0 is none.
pub fn change(scale: Scale, effect: f64) -> f64 {
    if scale == Scale::Ratio { effect - 1.0 } else { effect }
}

/// A ratio above this, or below its inverse, is printed as a factor.
const MIN_FACTOR: f64 = 2.0;

/// An interval is printed as factors if its ends differ by this ratio; factors are printed up to the second.
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

/// A comparison of values in this unit in words.
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
    // Where the whole interval is on one side, the word says which.
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

/// An interval of ratios, as few values give it.
fn times([low, high]: [f64; 2]) -> String {
    let end = |value: f64| match value {
        value if value < 1.0 / MAX_PRINTED_FACTOR => format!("less than {}", 1.0 / MAX_PRINTED_FACTOR),
        value if value > MAX_PRINTED_FACTOR => format!("more than {MAX_PRINTED_FACTOR}"),
        value => show::number(value),
    };
    format!("{} to {} times", end(low), end(high))
}

/// The sentence of a comparison: what was shown, by how much, how sure, from what.
fn sentence(compared: &Compared, unit: Unit, noun: &str) -> String {
    let Compared { base, other, counts, comparison, outcome, .. } = compared;
    let text = |side: usize| match (compared.modes[side], compared.estimates[side]) {
        (Some(modes), _) => two_modes(unit, modes),
        (None, Some(estimate)) => show::value(unit, estimate.value),
        (None, None) => "no value".into(),
    };
    let [of_base, of_other] = [0, 1].map(text);
    let both = format!("{of_other} vs {of_base}");
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
            let corrected = corrected(compared, test.interval);
            format!("{other} vs {base} is inconclusive: {noun} is {effect} ({sure}), {both}. {corrected}{more}")
        }
    }
}

/// "two modes, 166 Mbit/s (3 of 10) or 632 Mbit/s (7)"
pub fn two_modes(unit: Unit, [low, high]: [Mode; 2]) -> String {
    let [of_low, of_high] = [low, high].map(|mode| show::value(unit, mode.centre));
    format!("two modes, {of_low} ({} of {}) or {of_high} ({})", low.count, low.count + high.count, high.count)
}

/// Returns why an interval without zero decides nothing: it belongs to one comparison, and p is corrected for all of them.
fn corrected(compared: &Compared, [low, high]: [f64; 2]) -> String {
    let excludes_none = compared.comparison.is_some_and(|Comparison { scale, .. }| {
        let [low, high] = [low, high].map(|end| change(scale, end));
        low * high > 0.0
    });
    match compared.p.filter(|_| excludes_none) {
        Some(p) => format!(
            "The interval is of this comparison alone; p is {} when corrected for all comparisons (Holm). ",
            show::number(p)
        ),
        None => String::new(),
    }
}

/// What would decide an open question.
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
