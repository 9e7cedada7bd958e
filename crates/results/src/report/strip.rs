//! The seeds of one cell as a strip of dots, which shows their spread.

use crate::table::Cell;
use maud::{Markup, html};

const WIDTH: f64 = 84.0;
const HEIGHT: f64 = 9.0;
const MARGIN: f64 = 3.0;

/// Draws a dot for each seed or, if there are many, for each of their quantiles, a bar over the interval and a tick at
/// the centre, from 0 to `most`; a hollow diamond for each published value.
pub fn strip(cell: &Cell, published: &[f64], most: f64) -> Markup {
    let x = |value: f64| {
        let share = if most > 0.0 { (value / most).clamp(0.0, 1.0) } else { 0.0 };
        MARGIN + (WIDTH - 2.0 * MARGIN) * share
    };
    let y = HEIGHT / 2.0;
    let dots: String = cell.seeds.iter().map(|value| format!("M{:.1} {y}h0", x(*value))).collect();
    html! {
        svg.strip viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } aria-hidden="true" {
            path.axis d={ "M" (MARGIN) " " (y) "H" (WIDTH - MARGIN) } {}
            path.dots d=(dots) {}
            @if let Some([low, high]) = &cell.interval {
                path.interval d=(format!("M{:.1} {y}H{:.1}", x(low.value), x(high.value))) {}
            }
            path.centre d=(format!("M{:.1} 0V{HEIGHT}", x(cell.centre.value))) {}
            @for value in published { path.published d=(format!("M{:.1} {y}l3 -3l3 3l-3 3z", x(*value) - 3.0)) {} }
        }
    }
}
