//! Curves over time as text: quantities of a line side by side, on scales that all lines share, so that no colour is needed.

use crate::report::{Curve, FlowTrace, Report, lines};
use base::show::{self, rounded};
use diagnosis::diagnose::TimeSpent;
use drawille::Canvas;
use evidence::plain;

/// Most lines that are drawn.
const MAX_LINES: usize = 6;
/// Height of a chart without its axis, rows.
const ROWS: usize = 8;
/// Columns between two charts.
const GAP: usize = 2;
/// Columns of the values beside a chart.
const VALUE_COLUMNS: usize = 7;
/// Dots of a character, across and down.
const DOTS: [usize; 2] = [2, 4];
/// Narrowest page with two charts side by side, columns.
const MIN_BESIDE: usize = 60;

/// The quantities drawn, in the order of [`Drawn::curves`].
const QUANTITIES: [&str; 2] = ["cwnd, packets", "goodput, Mbit/s"];

/// What is drawn of one flow.
struct Drawn {
    label: String,
    /// Times, s, with values; empty if unknown.
    curves: [Vec<(f64, f64)>; 2],
    /// What limited it, in words; may be empty.
    limits: String,
}

/// Draws the flows of each point at its first seed; empty if none has a curve.
pub fn plot(report: &Report, width: usize) -> String {
    let of = |line: lines::Line| {
        let flow = report.first_trace(line.point)?.flows.get(line.flow?)?;
        let curves = [&flow.cwnd, &flow.goodput].map(known);
        Some(Drawn { label: line.label, curves, limits: limits(flow) })
    };
    charts(lines::lines(report).into_iter().filter_map(of).collect(), width)
}

/// Draws the transfers of a diagnosis; empty if none has bytes over time.
pub fn plot_transfers(spent: &[TimeSpent], width: usize) -> String {
    let of = |spent: &TimeSpent| {
        let steps = || spent.steps.iter().filter(|step| step.counted);
        let cwnd = steps().filter_map(|step| Some((step.begin + step.seconds, step.cwnd? / spent.mss)));
        let rate = steps().filter_map(|step| Some((step.begin + step.seconds, step.rate? / 1e6)));
        Drawn { label: spent.connection.clone(), curves: [cwnd.collect(), rate.collect()], limits: spent.sentence() }
    };
    charts(spent.iter().map(of).collect(), width)
}

fn known(curve: &Curve) -> Vec<(f64, f64)> {
    curve.t.iter().zip(&curve.y).filter_map(|(time, value)| Some((*time, (*value)?))).collect()
}

fn charts(mut all: Vec<Drawn>, width: usize) -> String {
    all.retain(|drawn| drawn.curves.iter().any(|curve| !curve.is_empty()));
    let number = all.len();
    all.truncate(MAX_LINES);
    let largest = |of: &dyn Fn(&Drawn) -> f64| all.iter().map(of).fold(0.0, f64::max);
    let duration = largest(&|drawn| drawn.curves.iter().flatten().map(|(time, _)| *time).fold(0.0, f64::max));
    let most = [0, 1]
        .map(|quantity| largest(&|drawn| drawn.curves[quantity].iter().map(|(_, value)| *value).fold(0.0, f64::max)));
    let beside = width >= MIN_BESIDE;
    let columns = if beside { (width - GAP) / 2 } else { width };
    let mut text = String::new();
    for drawn in &all {
        let quantities = (0..QUANTITIES.len()).filter(|quantity| !drawn.curves[*quantity].is_empty());
        let charts: Vec<Vec<String>> = quantities
            .map(|quantity| chart(QUANTITIES[quantity], &drawn.curves[quantity], [duration, most[quantity]], columns))
            .collect();
        text += &format!("\n{}\n", plain::line(&drawn.label));
        match charts.as_slice() {
            [left, right] if beside => {
                let padded = columns + GAP;
                let rows = left.iter().zip(right).map(|(left, right)| format!("{left:<padded$}{right}"));
                text.extend(rows.map(|row| row.trim_end().to_owned() + "\n"));
            }
            _ => text.extend(charts.into_iter().flatten().map(|row| row.trim_end().to_owned() + "\n")),
        }
        if !drawn.limits.is_empty() {
            text += &show::paragraph("  limited by: ", &drawn.limits, width);
        }
    }
    if number > all.len() {
        text += &format!("\nThe first {} of {number} flows.\n", all.len());
    }
    text
}

fn chart(name: &str, points: &[(f64, f64)], [duration, most]: [f64; 2], columns: usize) -> Vec<String> {
    let across = columns.saturating_sub(VALUE_COLUMNS + 1).max(1);
    let [width, height] = [across * DOTS[0], ROWS * DOTS[1]];
    let mut canvas = Canvas::new(width as u32, height as u32);
    let place = |(time, value): (f64, f64)| {
        let share = |value: f64, most: f64| if most > 0.0 { (value / most).clamp(0.0, 1.0) } else { 0.0 };
        let x = share(time, duration) * (width - 1) as f64;
        let y = (1.0 - share(value, most)) * (height - 1) as f64;
        (x.round() as u32, y.round() as u32)
    };
    for pair in points.windows(2) {
        let [(x1, y1), (x2, y2)] = [place(pair[0]), place(pair[1])];
        canvas.line(x1, y1, x2, y2);
    }
    let drawn = canvas.rows();
    let row = |number: usize| {
        let value = if number == 0 {
            rounded(most)
        } else if number + 1 == ROWS {
            "0".into()
        } else {
            String::new()
        };
        // The canvas has a row and a column more than it has dots for.
        let dots: String = drawn.get(number).map_or(String::new(), |row| row.chars().take(across).collect());
        format!("{value:>VALUE_COLUMNS$}│{dots}")
    };
    let end = format!("{} s", rounded(duration));
    let time = format!("{:>VALUE_COLUMNS$}└0{end:─>rest$}", "", rest = across.saturating_sub(1));
    let head = format!("{:>VALUE_COLUMNS$} {name}", "");
    [head].into_iter().chain((0..ROWS).map(row)).chain([time]).collect()
}

/// What limited the flow, as shares of its time, the largest first.
fn limits(flow: &FlowTrace) -> String {
    let mut shares: Vec<(&str, f64)> = vec![];
    for stay in &flow.account {
        match shares.iter_mut().find(|(state, _)| *state == stay.state) {
            Some((_, time)) => *time += stay.to - stay.from,
            None => shares.push((stay.state, stay.to - stay.from)),
        }
    }
    let all: f64 = shares.iter().map(|(_, time)| time).sum();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let named = shares.iter().map(|(state, time)| (state, (100.0 * time / all).round()));
    let named: Vec<String> =
        named.filter(|(_, share)| *share > 0.0).map(|(state, share)| format!("{state} {share} %")).collect();
    named.join(", ")
}
