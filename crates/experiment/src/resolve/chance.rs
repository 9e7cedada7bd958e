//! Random draws that depend on a trial's seed: start delays of flows and offsets in traces. They are made before the
//! trial runs.

/// Independent streams of draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// The `spread` of all flows.
    Spread = 0,
    /// The `scatter` of a flow.
    Scatter = 0x7363_6174,
    /// The offset in a trace at which a trial begins.
    Offset = 0x6f66_6673,
}

/// Returns the delay of a flow with a seed: a uniform draw from 0 up to `most`.
pub fn later(stream: Stream, seed: u64, flow: usize, most: u64) -> u64 {
    let draw = splitmix64(splitmix64(seed ^ stream as u64).wrapping_add(flow as u64));
    ((u128::from(draw) * u128::from(most)) >> 64) as u64
}

/// The output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
fn splitmix64(state: u64) -> u64 {
    let z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A sequence of draws. It uses only additions and multiplications, so it is the same on every machine.
pub struct Draws(u64);

impl Draws {
    pub fn new(seed: u64) -> Draws {
        Draws(splitmix64(seed))
    }

    /// Draws uniformly from 0 up to 1, in steps of 2⁻⁵³.
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (splitmix64(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Draws from an approximately normal distribution with a standard deviation of 1: the sum of twelve uniform draws.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_its_published_first_outputs() {
        // First two outputs of the reference code from state 0; its increment is the function's constant.
        assert_eq!(splitmix64(0), 0xE220_A839_7B1D_CDAF);
        assert_eq!(splitmix64(0x9E37_79B9_7F4A_7C15), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn draws_fill_their_range_evenly_and_independently() {
        let draws = |stream| (0..1000).map(|seed| later(stream, seed, 0, 1000)).collect::<Vec<u64>>();
        let (spread, scatter) = (draws(Stream::Spread), draws(Stream::Scatter));
        for draws in [&spread, &scatter] {
            assert!(draws.iter().all(|&draw| draw < 1000));
            let mean = draws.iter().sum::<u64>() / 1000;
            // The standard error of the mean of 1000 uniform draws from 0 to 1000 is 9.
            assert!((470..530).contains(&mean), "{mean}");
        }
        // The product of two independent draws has the mean 250000; its standard error is 7000.
        let product = spread.iter().zip(&scatter).map(|(a, b)| a * b).sum::<u64>() / 1000;
        assert!((225_000..275_000).contains(&product), "{product}");
        assert_eq!(later(Stream::Spread, 1, 0, 0), 0);
    }
}
