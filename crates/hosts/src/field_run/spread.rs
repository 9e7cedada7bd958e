//! Variation of the path itself.

use analysis::Measures;
use base::show;
use base::stats::mean;
use base::units::Unit;
use plan::Plan;

/// Describes the variation of equal trials; `None` if no treatment ran twice.
pub fn sentence(plan: &Plan, measures: &Measures) -> Option<String> {
    let points = plan.points();
    let goodputs: Vec<Vec<f64>> = points
        .iter()
        .map(|trials| trials.iter().filter_map(|trial| measures.value(trial, "goodput")).collect())
        .collect();
    let spread = pooled(&goodputs)?;
    let rtts = || plan.trials.iter().filter_map(|trial| measures.value(trial, "rtt-min"));
    let (least, most) = (rtts().fold(f64::INFINITY, f64::min), rtts().fold(0.0, f64::max));
    let rtt = match least.is_finite() {
        true => format!(", their smallest RTT from {}", show::range(Unit::Seconds, least, most)),
        false => String::new(),
    };
    Some(format!(
        "The path varied by itself: goodput of equal trials differs by {} (standard deviation){rtt}.",
        show::share(spread)
    ))
}

/// Returns the standard deviation of values around the means of their groups, as a share of these.
fn pooled(groups: &[Vec<f64>]) -> Option<f64> {
    let (mut squares, mut freedom) = (0.0, 0);
    for values in groups.iter().filter(|values| values.len() > 1) {
        let mean = mean(values);
        squares += values.iter().map(|value| (value / mean - 1.0).powi(2)).sum::<f64>();
        freedom += values.len() - 1;
    }
    (freedom > 0).then(|| (squares / freedom as f64).sqrt()).filter(|spread| spread.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 90 and 110 around 100, 9 and 11 around 10: four deviations of 0.1, two degrees of freedom.
    #[test]
    fn the_spread_is_that_about_each_mean() {
        let spread = pooled(&[vec![90.0, 110.0], vec![9.0, 11.0], vec![5.0]]).unwrap();
        assert!((spread - (0.04f64 / 2.0).sqrt()).abs() < 1e-12);
        assert_eq!(pooled(&[vec![5.0], vec![]]), None);
    }
}
