//! The keys of a sweep as axes: keys that change together, and positions of values that are quantities.

use super::{Point, Table};
use base::show::{grouped, shortest};
use evidence::unit::{BDP, Kind, PACKETS, RATE, RATIO, SIZE, TIME};
use plan::KERNEL;

/// Keys that change together; most often a single one.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Indices into the keys of the sweep.
    pub keys: Vec<usize>,
    /// First point with each value, in the plan's order.
    pub first: Vec<usize>,
    /// Number of the value at each point.
    pub at: Vec<usize>,
    /// Scale of the values; `None` unless they are quantities of one kind.
    pub scale: Option<Scale>,
}

impl Axis {
    /// Returns the numbers of the values, from small to large or in the plan's order.
    pub fn order(&self, points: &[Point]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.first.len()).collect();
        if let Some(scale) = &self.scale {
            let place = |value: &usize| scale.place(&points[self.first[*value]].values[self.keys[0]]);
            order.sort_by(|a, b| place(a).partial_cmp(&place(b)).unwrap_or(std::cmp::Ordering::Equal));
        }
        order
    }
}

impl Table {
    /// Returns the values of a key in the order of its axis; none for a key with one value.
    pub fn values(&self, key: usize) -> Vec<&str> {
        let axes = axes(&self.keys, &self.points);
        let Some(axis) = axes.iter().find(|axis| axis.keys.contains(&key)) else { return vec![] };
        let value = |number: usize| self.points[axis.first[number]].values[key].as_str();
        axis.order(&self.points).into_iter().map(value).collect()
    }
}

/// Returns the axes of a sweep. A key with one value is no axis.
pub fn axes(keys: &[String], points: &[Point]) -> Vec<Axis> {
    let mut axes: Vec<Axis> = vec![];
    for (key, name) in keys.iter().enumerate() {
        let (first, at) = numbered(points.iter().map(|point| &point.values[key]));
        if first.len() < 2 {
            continue;
        }
        let texts = || first.iter().map(|point| points[*point].values[key].as_str()).collect::<Vec<_>>();
        let scale = if name == KERNEL { None } else { Scale::from_texts(&texts()) };
        match axes.iter_mut().find(|axis| axis.at == at) {
            Some(axis) => {
                // A quantity is listed first.
                let scale = scale.filter(|_| axis.scale.is_none());
                axis.keys.insert(if scale.is_some() { 0 } else { axis.keys.len() }, key);
                axis.scale = axis.scale.take().or(scale);
            }
            None => axes.push(Axis { keys: vec![key], scale, first, at }),
        }
    }
    axes
}

/// Returns the first index of each distinct value, and each value's number among them.
fn numbered<'a>(values: impl Iterator<Item = &'a String>) -> (Vec<usize>, Vec<usize>) {
    let (mut known, mut first, mut at): (Vec<&String>, _, _) = (vec![], vec![], vec![]);
    for (point, value) in values.enumerate() {
        at.push(known.iter().position(|other| *other == value).unwrap_or_else(|| {
            known.push(value);
            first.push(point);
            known.len() - 1
        }));
    }
    (first, at)
}

/// Positions of quantities along a line.
#[derive(Debug, Clone)]
pub struct Scale {
    /// Unit of the ticks; empty for plain numbers.
    pub unit: &'static str,
    kind: Option<&'static Kind>,
    size: f64,
    /// Position of zero if the scale is logarithmic: a step before the smallest.
    zero: Option<f64>,
    /// Values in the unit, rising.
    values: Vec<f64>,
}

const KINDS: [&Kind; 6] = [&RATE, &TIME, &SIZE, &RATIO, &PACKETS, &BDP];

/// Ratio of the ends above which an axis gets a logarithmic scale.
const MIN_LOG_RATIO: f64 = 30.0;
/// Up to this many values each have a tick; more get round ticks.
const MAX_TICKED_VALUES: usize = 12;

impl Scale {
    fn from_texts(texts: &[&str]) -> Option<Scale> {
        let parsed = |kind: Option<&'static Kind>| {
            let numbers: Option<Vec<f64>> = texts.iter().map(|text| grains(kind, text)).collect();
            Some((kind, numbers?))
        };
        let (kind, mut values) = [None].into_iter().chain(KINDS.map(Some)).find_map(parsed)?;
        let (unit, size) = kind.map_or(("", 1.0), |kind| unit(kind, texts, &values));
        values.iter_mut().for_each(|value| *value /= size);
        values.sort_by(f64::total_cmp);
        let mut scale = Scale { unit, kind, size, zero: None, values };
        let positive: Vec<f64> = scale.values.iter().copied().filter(|value| *value > 0.0).collect();
        if scale.values[0] >= 0.0 && is_geometric(&positive) {
            let (low, high) = (positive[0].log10(), positive[positive.len() - 1].log10());
            scale.zero = Some(low - ((high - low) / (positive.len() - 1) as f64).clamp(0.2, 1.0));
        }
        Some(scale)
    }

    /// Returns the position of a value written like those of the axis.
    pub fn place(&self, text: &str) -> Option<f64> {
        grains(self.kind, text).map(|grains| self.position(grains / self.size))
    }

    fn position(&self, value: f64) -> f64 {
        match self.zero {
            Some(zero) if value > 0.0 => value.log10().max(zero),
            Some(zero) => zero,
            None => value,
        }
    }

    /// Positions and labels of ticks: of each value if these are few; `None` if any round numbers will do.
    pub fn ticks(&self) -> Option<Vec<(f64, String)>> {
        let tick = |value: f64| (self.position(value), written(value));
        if self.values.len() <= MAX_TICKED_VALUES {
            return Some(self.values.iter().copied().map(tick).collect());
        }
        self.zero?;
        let (least, most) = (self.values[0], self.values[self.values.len() - 1]);
        let smallest = self.values.iter().copied().find(|value| *value > 0.0)?;
        let decades = smallest.log10().floor() as i32..=most.log10().ceil() as i32;
        let round = decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(decade)));
        let seen = round.filter(|value| (smallest..=most).contains(value));
        let ticks = (least == 0.0).then_some(0.0).into_iter().chain(seen);
        Some(ticks.map(|value| (self.position(value), shortest(value))).collect())
    }
}

/// Returns the text of a value, without the extra digits that a division of units may leave.
fn written(value: f64) -> String {
    let six: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    grouped(&six.to_string())
}

fn grains(kind: Option<&Kind>, text: &str) -> Option<f64> {
    match kind {
        Some(kind) => kind.parse(text).ok().map(|grains| grains as f64),
        None => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// Returns the unit that all values are written in, or the largest decimal one in which none is below 1.
fn unit(kind: &'static Kind, texts: &[&str], grains: &[f64]) -> (&'static str, f64) {
    let written = |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim().to_owned();
    let shared = kind.units.iter().find(|(name, _)| texts.iter().all(|text| written(text) == *name));
    let smallest = grains.iter().copied().filter(|grains| *grains > 0.0).fold(f64::INFINITY, f64::min);
    let decimal = kind.units.iter().filter(|(_, size)| 10u64.pow(size.ilog10()) == *size);
    let fitting = decimal.rev().find(|(_, size)| *size as f64 <= smallest);
    let fitting = fitting.filter(|_| smallest.is_finite());
    let usual = kind.units.iter().find(|(name, _)| *name == kind.usual[0]);
    let (name, size) = shared.or(fitting).or(usual).unwrap_or(&kind.units[0]);
    (name, *size as f64)
}

/// Whether rising positive values differ by a factor rather than by a distance: over a wide span, or if each is at
/// least half as large again as the one before, and the factors are more alike than the distances.
fn is_geometric(values: &[f64]) -> bool {
    let [first, .., last] = values else { return false };
    let spread = |steps: Vec<f64>| {
        steps.iter().copied().fold(0.0, f64::max) / steps.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let factors: Vec<f64> = values.windows(2).map(|pair| pair[1] / pair[0]).collect();
    let distances: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let apart = factors.iter().all(|factor| *factor >= 1.5);
    last / first > MIN_LOG_RATIO || values.len() > 2 && apart && spread(factors) < spread(distances)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(rows: &[&[&str]]) -> Vec<Point> {
        let point = |values: &&[&str]| Point {
            values: values.iter().map(|value| (*value).into()).collect(),
            label: values.join(", "),
        };
        rows.iter().map(point).collect()
    }

    fn scale(texts: &[&str]) -> Option<Scale> {
        Scale::from_texts(texts)
    }

    fn ticks(texts: &[&str]) -> Vec<String> {
        scale(texts).unwrap().ticks().unwrap().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn keys_that_vary_together_are_one_axis_and_constants_none() {
        let keys = ["cc", "case", "path.mtu", "path.rate", "name"].map(String::from);
        let points = points(&[
            &["cubic", "a", "1500", "1 Gbit/s", "x"],
            &["cubic", "b", "9000", "1 Gbit/s", "y"],
            &["bbr", "a", "1500", "1 Gbit/s", "x"],
            &["bbr", "b", "9000", "1 Gbit/s", "y"],
        ]);
        let axes = axes(&keys, &points);
        let keys: Vec<&[usize]> = axes.iter().map(|axis| axis.keys.as_slice()).collect();
        assert_eq!(keys, [&[0][..], &[2, 1, 4]]);
        assert_eq!((&axes[1].at, &axes[1].first), (&vec![0, 1, 0, 1], &vec![0, 1]));
        assert!(axes[0].scale.is_none() && axes[1].scale.is_some());
    }

    #[test]
    fn quantities_of_one_kind_have_a_scale() {
        assert_eq!(scale(&["1 BDP", "200 packets"]).map(|s| s.unit), None);
        assert_eq!(scale(&["1 %", "none"]).map(|s| s.unit), None);
        assert_eq!(scale(&["inf", "1"]).map(|s| s.unit), None);
        assert_eq!(scale(&["64 KiB", "128 KiB"]).map(|s| s.unit), Some("KiB"));
        assert_eq!(scale(&["100 kbit/s", "1 Gbit/s"]).map(|s| s.unit), Some("kbit/s"));
        assert_eq!(scale(&["0 ms", "0 s"]).map(|s| s.unit), Some("ms"));
        assert_eq!(ticks(&["536", "1460", "9000"]), ["536", "1,460", "9,000"]);
        assert_eq!(ticks(&["10 ms", "1 s"]), ["10", "1,000"]);
    }

    #[test]
    fn values_that_are_factors_apart_are_spaced_so() {
        let is_log = |texts: &[&str]| scale(texts).unwrap().zero.is_some();
        assert!(is_log(&["0.001 %", "0.01 %", "0.1 %"]));
        assert!(is_log(&["1", "2", "4"]));
        assert!(is_log(&["100 kB", "200 kB", "500 kB", "1 MB"]));
        assert!(!is_log(&["1 %", "2 %", "3 %", "4 %"]));
        assert!(!is_log(&["536", "1000", "2300", "2301", "2400", "7160"]));
        assert!(!is_log(&["-1", "1", "100"]));
        assert!(!is_log(&["5", "5.0"]));
        assert!(!is_log(&["0", "0.0"]));
    }

    #[test]
    fn zero_is_one_step_below_the_smallest_on_a_log_scale() {
        let scale = scale(&["0 %", "0.1 %", "0.01 %", "1 %"]).unwrap();
        let places = ["0 %", "0.01 %", "0.1 %", "1 %"].map(|text| scale.place(text).unwrap());
        assert!(places.iter().zip([-3.0, -2.0, -1.0, 0.0]).all(|(place, wanted)| (place - wanted).abs() < 1e-9));
        assert_eq!(scale.place("5 ms"), None);
    }

    #[test]
    fn kernels_are_no_quantities() {
        let points = points(&[&["6.12", "6.12"], &["6.2", "6.2"]]);
        let scaled = |key: &str| axes(&[key.into()], &points)[0].scale.is_some();
        assert!(scaled("path.loss") && !scaled("kernel"));
    }

    #[test]
    fn many_values_have_round_ticks() {
        let texts: Vec<String> = (0..20).map(|i| format!("{}", 7.0 * 1.5f64.powi(i))).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(ticks(&texts)[..3], ["10", "20", "50"]);
        let texts: Vec<String> = (0..20).map(|i| format!("{}", 500 + i)).collect();
        assert!(scale(&texts.iter().map(String::as_str).collect::<Vec<_>>()).unwrap().ticks().is_none());
    }
}
