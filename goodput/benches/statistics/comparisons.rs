//! How often `compare` reports a difference that does not exist, and finds one that does.

use crate::random::Random;
use crate::table::{Share, table};
use base::stats::{Conclusion, MARGIN, Samples, compare, conclude};

const SIZES: [usize; 3] = [5, 10, 20];

/// Draws a positive value; both sides have the same distribution but for a factor.
type Draw = fn(&mut Random) -> f64;

const CASES: [(&str, Draw); 4] = [
    ("normal, 3 % of the mean", |r| 1.0 + 0.03 * r.normal()),
    ("1 less an exponential of 3 %", |r| 1.0 - 0.03 * r.exponential()),
    ("exp(2 % of a t with 3 degrees)", |r| (0.02 * r.t3()).exp()),
    ("lognormal, σ 0.5", |r| (0.5 * r.normal()).exp()),
];

#[derive(Clone, Copy, PartialEq)]
enum Design {
    Groups,
    Pairs,
}

/// Results of the comparisons of a case.
#[derive(Default)]
struct Tally {
    different: Share,
    equivalent: Share,
}

fn tally(random: &mut Random, draw: Draw, size: usize, design: Design, factor: f64, simulations: u64) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..simulations {
        let mut side = |factor: f64| (0..size).map(|_| factor * draw(random)).collect::<Vec<f64>>();
        let (a, b) = (side(1.0), side(factor));
        let found = if design == Design::Groups {
            compare(Samples::Unpaired(&a, &b), MARGIN)
        } else {
            // A seed's effect on both values of its pair is as large as the difference to be found.
            let common: Vec<f64> = (0..size).map(|_| (0.05 * random.normal()).exp()).collect();
            let pairs: Vec<[f64; 2]> = a.iter().zip(&b).zip(&common).map(|((a, b), c)| [c * a, c * b]).collect();
            compare(Samples::Paired(&pairs), MARGIN)
        };
        let test = found.and_then(|found| found.test).expect("positive values that differ");
        let shown = conclude(test.p, test.p_equivalent);
        tally.different.count(shown == Conclusion::Different);
        tally.equivalent.count(shown == Conclusion::Equivalent);
    }
    tally
}

/// Results with no difference, with one of the margin, and with one that should be found.
pub fn simulated(simulations: u64) -> String {
    let mut rows = vec![];
    for (name, draw) in CASES {
        for (design, word) in [(Design::Groups, "groups"), (Design::Pairs, "pairs")] {
            for size in SIZES {
                let mut random = Random::new(&format!("{name} {word} {size}"));
                let mut at = |factor| tally(&mut random, draw, size, design, factor, simulations);
                let (same, margin, more) = (at(1.0), at(1.0 + MARGIN), at(1.05));
                rows.push(vec![
                    name.into(),
                    format!("{size} {word}"),
                    same.different.errs(),
                    margin.equivalent.errs(),
                    same.equivalent.text(),
                    more.different.text(),
                ]);
            }
        }
    }
    let head = [
        "distribution",
        "values a side",
        "the same, declared different, %",
        "2 % apart, declared equivalent, %",
        "the same, found equivalent, %",
        "5 % apart, found different, %",
    ];
    table("Comparisons of simulated values, margin 2 %", &head, &rows)
}
