//! How often intervals cover the true value.

use crate::random::{Distribution, Random, distributions};
use crate::table::{Share, table};
use base::stats::{Centre, block_bootstrap, estimate};
use std::time::Instant;

const SIZES: [usize; 4] = [5, 10, 20, 40];

fn inside(interval: Option<[f64; 2]>, truth: f64) -> bool {
    interval.is_some_and(|[low, high]| low <= truth && truth <= high)
}

/// Coverage of a centre's interval, by distribution and number of values.
pub fn of_centre(centre: Centre, simulations: u64) -> String {
    let cell = |distribution: &Distribution, size: usize| {
        let mut random = Random::new(&format!("{centre:?} {} {size}", distribution.name));
        let truth = if centre == Centre::Mean { distribution.mean } else { distribution.median };
        let share = Share::of(simulations, || {
            let values: Vec<f64> = (0..size).map(|_| (distribution.draw)(&mut random)).collect();
            inside(estimate(&values, centre).and_then(|found| found.interval), truth)
        });
        share.covers()
    };
    let row = |of: &Distribution| {
        std::iter::once(of.name.to_owned()).chain(SIZES.map(|size| cell(of, size))).collect::<Vec<String>>()
    };
    let rows: Vec<Vec<String>> = distributions().iter().map(row).collect();
    let heading = format!("{centre:?}: {}; covers, %", centre.method());
    table(&heading, &["distribution", "5 values", "10", "20", "40"], &rows)
}

/// Coverage of the mean of autoregressions.
pub fn of_series(simulations: u64) -> String {
    const LENGTHS: [usize; 4] = [10, 20, 60, 300];
    let cell = |phi: f64, length: usize| {
        let mut random = Random::new(&format!("series {phi} {length}"));
        let share = Share::of(simulations, || {
            inside(block_bootstrap(&random.autoregression(phi, length)).and_then(|found| found.interval), 0.0)
        });
        share.covers()
    };
    let row = |phi: f64| {
        std::iter::once(format!("{phi}")).chain(LENGTHS.map(|length| cell(phi, length))).collect::<Vec<String>>()
    };
    let heading = format!("Series: {}; covers, %", base::stats::SERIES_METHOD);
    let head = ["correlation of neighbours", "10 values", "20", "60", "300"];
    table(&heading, &head, &[0.0, 0.3, 0.5, 0.8].map(row))
}

/// Coverage if replicates are added until the interval is narrow, from 5 on and from 10 on.
pub fn of_stopping(simulations: u64) -> String {
    type Draw = fn(&mut Random) -> f64;
    let cases: [(&str, f64, [f64; 2], Draw); 4] = [
        ("normal, 5 % of the mean", 1.0, [0.02, 0.05], |r| 1.0 + 0.05 * r.normal()),
        ("1 less an exponential of 5 %", 0.95, [0.02, 0.05], |r| 1.0 - 0.05 * r.exponential()),
        ("lognormal, σ 0.1", 0.005_f64.exp(), [0.05, 0.1], |r| (0.1 * r.normal()).exp()),
        ("lognormal, σ 0.5", 0.125_f64.exp(), [0.2, 0.5], |r| (0.5 * r.normal()).exp()),
    ];
    let mut rows = vec![];
    for (name, mean, reaches, draw) in cases {
        for reach in reaches {
            let mut row = vec![name.to_owned(), format!("{} %", 100.0 * reach)];
            for fewest in [5, 10] {
                let mut random = Random::new(&format!("stopping {name} {reach} {fewest}"));
                let mut sizes = 0;
                let covered = Share::of(simulations, || {
                    let (interval, size) = stopped(|| draw(&mut random), fewest, reach);
                    sizes += size;
                    inside(interval, mean)
                });
                row.push(format!("{:.1}", sizes as f64 / simulations as f64));
                row.push(covered.covers());
            }
            rows.push(row);
        }
    }
    let head = ["distribution", "wanted reach", "values, from 5", "covers, %", "values, from 10", "covers, %"];
    table("Stopped as soon as the interval of the mean is narrow, at 40 values in any case", &head, &rows)
}

/// The interval with which one stops, and the number of values.
fn stopped(mut draw: impl FnMut() -> f64, fewest: usize, reach: f64) -> (Option<[f64; 2]>, usize) {
    let mut values: Vec<f64> = (1..fewest).map(|_| draw()).collect();
    loop {
        values.push(draw());
        let found = estimate(&values, Centre::Mean);
        if found.is_some_and(|found| found.is_narrow(reach)) || values.len() == 40 {
            return (found.and_then(|found| found.interval), values.len());
        }
    }
}

/// How long an estimate takes.
pub fn cost() -> String {
    const ESTIMATES: u32 = 1000;
    let values = Random::new("cost").autoregression(0.0, 10);
    let began = Instant::now();
    for _ in 0..ESTIMATES {
        std::hint::black_box(estimate(std::hint::black_box(&values), Centre::Mean));
    }
    let micros = began.elapsed().as_secs_f64() * 1e6 / f64::from(ESTIMATES);
    format!("A mean of 10 values with its interval takes {micros:.0} µs.\n")
}
