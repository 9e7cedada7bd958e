//! A Gauss-Newton step to better quantities, with each statistic linear in their logarithms and slopes from tried neighbours.

use super::candidate::Candidate;
use super::distance::Fit;

/// Neighbours further off than this factor in a quantity do not count for slopes.
const MAX_SLOPE_RATIO: f64 = 4.0;
/// A step changes no quantity by more than this factor.
const MAX_STEP_RATIO: f64 = 2.5;
/// Prior precision of the logarithm of a quantity: it is expected within a factor of two.
const PRIOR_PRECISION: f64 = 2.0;
/// Ridge term, for slopes from few points.
const RIDGE: f64 = 0.02;

/// A candidate and its fit.
pub type Known<'k> = (&'k Candidate, &'k Fit);

/// Returns the whole and the half step from a candidate; empty without tried neighbours.
pub fn steps((from, fit): Known, beside: &[Known]) -> Vec<Candidate> {
    let own = from.quantities();
    let away = |other: &Candidate| -> Vec<f64> {
        other.quantities().iter().zip(&own).map(|(value, own)| (value / own).ln()).collect()
    };
    let is_near = |away: &[f64]| away.iter().all(|x| x.abs() < MAX_SLOPE_RATIO.ln()) && away.iter().any(|x| *x != 0.0);
    let points: Vec<(Vec<f64>, &Fit)> =
        beside.iter().map(|(other, fit)| (away(other), *fit)).filter(|(away, _)| is_near(away)).collect();
    if points.is_empty() {
        return vec![];
    }
    let count = own.len();
    let mut spread = diagonal(count, RIDGE);
    points.iter().for_each(|(away, _)| add_square(&mut spread, away));
    let (mut curve, mut fall) = (diagonal(count, PRIOR_PRECISION), vec![0.0; count]);
    for (name, here) in &fit.z {
        let rise = |fit: &Fit| fit.z.iter().find(|(other, _)| other == name).map(|(_, z)| z - here);
        let mut along = vec![0.0; count];
        for (away, fit) in &points {
            let rise = rise(fit).unwrap_or_default();
            along.iter_mut().zip(away).for_each(|(sum, x)| *sum += x * rise);
        }
        let slope = solved(spread.clone(), along);
        add_square(&mut curve, &slope);
        fall.iter_mut().zip(&slope).for_each(|(sum, g)| *sum -= g * here);
    }
    let step = solved(curve, fall);
    let of = |share: f64| {
        let factors: Vec<f64> =
            step.iter().map(|x| (share * x).clamp(-MAX_STEP_RATIO.ln(), MAX_STEP_RATIO.ln()).exp()).collect();
        from.times(&factors)
    };
    vec![of(1.0), of(0.5)]
}

fn diagonal(count: usize, value: f64) -> Vec<Vec<f64>> {
    (0..count).map(|row| (0..count).map(|column| if row == column { value } else { 0.0 }).collect()).collect()
}

fn add_square(matrix: &mut [Vec<f64>], vector: &[f64]) {
    for (row, a) in matrix.iter_mut().zip(vector) {
        row.iter_mut().zip(vector).for_each(|(entry, b)| *entry += a * b);
    }
}

/// Solves a positive definite system by elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for at in 0..count {
        let (pivot, value) = (matrix[at].clone(), right[at]);
        for below in at + 1..count {
            let share = matrix[below][at] / pivot[at];
            matrix[below].iter_mut().zip(&pivot).for_each(|(entry, above)| *entry -= share * above);
            right[below] -= share * value;
        }
    }
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|column| matrix[at][column] * right[column]).sum();
        right[at] = (right[at] - known) / matrix[at][at];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_misfit_is_left_in_one_step() {
        // Two statistics that are 0 at a rate of 20 Mbit/s and a queue of 50 packets.
        let tried = |rate: f64, buffer: f64| {
            let z = vec![
                ("goodput".to_owned(), 8.0 * (rate / 20e6).ln()),
                ("RTT".to_owned(), 5.0 * (buffer / 50.0).ln() - 3.0 * (rate / 20e6).ln()),
            ];
            (Candidate::line(rate, buffer), Fit { z, ..Fit::default() })
        };
        let from = tried(16e6, 70.0);
        let beside = [tried(16e6 * 1.4, 70.0), tried(16e6 / 1.4, 70.0), tried(16e6, 100.0), tried(16e6, 49.0)];
        let beside: Vec<Known> = beside.iter().map(|(candidate, fit)| (candidate, fit)).collect();
        let next = &steps((&from.0, &from.1), &beside)[0];
        assert!((next.rate / 20e6).ln().abs() < 0.03, "{next:?}");
        assert!((next.buffer / 50.0).ln().abs() < 0.05, "{next:?}");
    }

    #[test]
    fn a_single_tried_candidate_gives_no_steps() {
        let (line, fit) = (Candidate::line(1e7, 20.0), Fit::default());
        assert!(steps((&line, &fit), &[(&line, &fit)]).is_empty());
    }
}
