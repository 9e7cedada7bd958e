//! Several comparisons at once.

/// Adjusts the p values of several comparisons so that the probability of any false one among all is that of a single
/// one (Holm 1979). The order is kept; NaN counts as 1.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|i, j| p[*i].total_cmp(&p[*j]));
    let mut adjusted = vec![1.0; p.len()];
    let mut least: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        least = least.max((p[at] * (p.len() - rank) as f64).min(1.0));
        adjusted[at] = least;
    }
    adjusted
}
