//! The order of trials: block after block, random within each.

use base::sums;
use plan::Plan;

/// Numbers the trials of a plan from an index on by their random order; earlier ones keep their numbers.
pub fn in_blocks(plan: &mut Plan, from: usize, order: u64) {
    let mut new: Vec<usize> = (0..plan.trials.len()).filter(|place| plan.trials[*place].index >= from).collect();
    new.sort_by_cached_key(|place| {
        let trial = &plan.trials[*place];
        // A random key from the seed of the order, the block and the treatment.
        (trial.seed, sums::digest(format!("{order}\n{}", trial.name())))
    });
    for (number, place) in new.into_iter().enumerate() {
        plan.trials[place].index = from + number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::fixture;

    fn order(seed: u64) -> Vec<(u64, String)> {
        let scene = fixture::four_kinds();
        let mut plan =
            fixture::varied("flows.congestion", ["a", "b", "c"].map(|name| (name, vec![scene.clone(); 20])).to_vec());
        in_blocks(&mut plan, 0, seed);
        let mut trials: Vec<_> = plan.trials.iter().map(|t| (t.index, t.seed, t.point[0].value.clone())).collect();
        trials.sort();
        assert!(trials.iter().enumerate().all(|(place, (index, ..))| place == *index));
        trials.into_iter().map(|(_, seed, value)| (seed, value)).collect()
    }

    #[test]
    fn every_block_has_every_treatment_and_orders_differ() {
        let all = order(1);
        for block in all.chunks(3) {
            assert!(block.iter().all(|(seed, _)| *seed == block[0].0), "{block:?}");
            let mut names: Vec<&str> = block.iter().map(|(_, name)| name.as_str()).collect();
            names.sort_unstable();
            assert_eq!(names, ["a", "b", "c"]);
        }
        // In 20 blocks each treatment is first in about 7: fewer than 2 has a chance of 0.3 %.
        for name in ["a", "b", "c"] {
            assert!(all.chunks(3).filter(|block| block[0].1 == name).count() >= 2, "{name}");
        }
        assert_eq!(order(1), all);
        assert_ne!(order(2), all);
    }
}
