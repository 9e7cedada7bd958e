//! The seeds of one cell as a strip of dots, so that the spread is seen and not only read.

use std::fmt::Write;

use super::Cell;

const WIDTH: f64 = 84.0;
const HEIGHT: f64 = 9.0;
const MARGIN: f64 = 3.0;

/// A dot for each seed and a tick at the median, from 0 to `most`; a hollow diamond for each published value.
pub fn strip(cell: &Cell, published: &[f64], most: f64) -> String {
    let x = |value: f64| MARGIN + (WIDTH - 2.0 * MARGIN) * if most > 0.0 { value / most } else { 0.0 };
    let y = HEIGHT / 2.0;
    let mut out = format!(
        r#"<svg class="strip" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true"><path class="axis" d="M{MARGIN} {y}H{}"/>"#,
        WIDTH - MARGIN
    );
    for value in &cell.seeds {
        write!(out, r#"<circle cx="{:.1}" cy="{y}" r="2"/>"#, x(*value)).unwrap();
    }
    write!(out, r#"<path class="median" d="M{:.1} 0V{HEIGHT}"/>"#, x(cell.median.value)).unwrap();
    for value in published {
        write!(out, r#"<path class="published" d="M{:.1} {y}l3 -3l3 3l-3 3z"/>"#, x(*value) - 3.0).unwrap();
    }
    out + "</svg>"
}
