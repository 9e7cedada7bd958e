/// Returns the indices of at most `most` of the samples that keep their shape: the first, the last, and from each
/// bucket of equally many samples the smallest, the largest and the first gap. Rising; all of them if there are at most
/// `most`.
///
/// # Panics
/// If `most` is less than 5, which leaves no bucket.
pub fn decimate(y: &[Option<f64>], most: usize) -> Vec<usize> {
    assert!(most >= 5, "at least 5 points");
    if y.len() <= most {
        return (0..y.len()).collect();
    }
    let picks = if y.iter().any(Option::is_none) { 3 } else { 2 };
    let buckets = (most - 2) / picks;
    let inner = y.len() - 2;
    let mut kept = vec![0];
    for bucket in 0..buckets {
        let range = 1 + bucket * inner / buckets..1 + (bucket + 1) * inner / buckets;
        kept.extend(extremes(y, range));
    }
    kept.push(y.len() - 1);
    kept
}

fn extremes(y: &[Option<f64>], range: std::ops::Range<usize>) -> Vec<usize> {
    let known = || range.clone().filter_map(|i| y[i].map(|value| (i, value)));
    let smallest = known().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i);
    let largest = known().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i);
    let gap = range.clone().find(|&i| y[i].is_none());
    let mut kept: Vec<usize> = [smallest, largest, gap].into_iter().flatten().collect();
    kept.sort_unstable();
    kept.dedup();
    kept
}
