//! A percentile of any values.

/// Returns the nearest-rank percentile of the finite values; `share` is 0 to 1.
pub fn percentile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let rank = (share * values.len() as f64).ceil() as usize;
    values.get(rank.saturating_sub(1)).copied()
}
