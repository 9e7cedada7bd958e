//! Shares of trials in which something happened.

use statrs::distribution::{Beta, Binomial, ContinuousCDF, DiscreteCDF};

/// Returns the interval of the probability of a success at `level` (Clopper & Pearson 1934), which covers at least that
/// often. `None` without trials, with more successes than trials, or if the level is not between 0 and 1.
pub fn binomial_interval(successes: u64, trials: u64, level: f64) -> Option<[f64; 2]> {
    let one_sided = (1.0 + level) / 2.0;
    let failures = trials.checked_sub(successes).filter(|_| level > 0.0)?;
    Some([1.0 - binomial_upper(failures, trials, one_sided)?, binomial_upper(successes, trials, one_sided)?])
}

/// Returns the upper bound of the probability of a success at `level`, one-sided (Clopper & Pearson 1934): at the
/// bound, `successes` or fewer have a probability of 1 − `level`. A quantile of a beta distribution. `None` as for
/// [`binomial_interval`].
pub fn binomial_upper(successes: u64, trials: u64, level: f64) -> Option<f64> {
    if trials == 0 || successes > trials || !(level > 0.0 && level < 1.0) {
        return None;
    }
    if successes == trials {
        return Some(1.0);
    }
    let beta = Beta::new((successes + 1) as f64, (trials - successes) as f64).ok()?;
    Some(beta.inverse_cdf(level))
}

/// Returns the probability of `successes` or fewer, if each trial succeeds with `probability`; NaN if that is no
/// probability.
pub fn binomial_chance(successes: u64, trials: u64, probability: f64) -> f64 {
    Binomial::new(probability, trials).map_or(f64::NAN, |binomial| binomial.cdf(successes))
}
