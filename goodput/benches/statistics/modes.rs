//! How often two modes are found where there are none, and where there are.

use crate::random::Random;
use crate::table::{Share, table};
use base::stats::modes;

const SIZES: [usize; 7] = [5, 6, 8, 10, 15, 20, 30];

/// Draws the value at an index of a sample of a size.
type Draw = fn(&mut Random, usize, usize) -> f64;

fn of(heading: &str, cases: &[(&str, Draw)], simulations: u64) -> String {
    let cell = |name: &str, draw: Draw, size: usize| {
        let mut random = Random::new(&format!("modes {name} {size}"));
        let found = || modes(&(0..size).map(|at| draw(&mut random, at, size)).collect::<Vec<f64>>()).is_some();
        Share::of(simulations, found).text()
    };
    let row = |(name, draw): &(&str, Draw)| {
        std::iter::once((*name).to_owned()).chain(SIZES.map(|size| cell(name, *draw, size))).collect::<Vec<String>>()
    };
    let rows: Vec<Vec<String>> = cases.iter().map(row).collect();
    table(heading, &["distribution", "5 values", "6", "8", "10", "15", "20", "30"], &rows)
}

/// How often two modes are found in samples of one mode, or of none.
pub fn false_alarms(simulations: u64) -> String {
    let cases: [(&str, Draw); 7] = [
        ("normal, mean 0", |r, _, _| r.normal()),
        ("normal, 10 % of the mean", |r, _, _| 10.0 + r.normal()),
        ("lognormal, σ 0.3", |r, _, _| (0.3 * r.normal()).exp()),
        ("lognormal, σ 1", |r, _, _| r.normal().exp()),
        ("exponential", |r, _, _| r.exponential()),
        ("t with 3 degrees", |r, _, _| 30.0 + r.t3()),
        ("uniform, 1 to 2", |r, _, _| 1.0 + r.uniform()),
    ];
    of("One mode; two are found, %", &cases, simulations)
}

/// How often two modes are found in samples of two.
pub fn power(simulations: u64) -> String {
    fn apart(r: &mut Random, by: f64, is_high: bool) -> f64 {
        4.0 * by + r.normal() + if is_high { by } else { 0.0 }
    }
    let cases: [(&str, Draw); 6] = [
        ("half and half, 6 σ apart", |r, at, size| apart(r, 6.0, at < size / 2)),
        ("half and half, 8 σ apart", |r, at, size| apart(r, 8.0, at < size / 2)),
        ("half and half, 10 σ apart", |r, at, size| apart(r, 10.0, at < size / 2)),
        ("half and half, 30 σ apart", |r, at, size| apart(r, 30.0, at < size / 2)),
        ("two values, 10 σ apart", |r, at, _| apart(r, 10.0, at < 2)),
        ("two values, 30 σ apart", |r, at, _| apart(r, 30.0, at < 2)),
    ];
    of("Two modes; found, %", &cases, simulations)
}
