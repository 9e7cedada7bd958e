//! The seeds of one cell as a strip of dots, so that the spread is seen and not only read.

use std::fmt::Write;

use super::Cell;

const WIDTH: f64 = 84.0;
const HEIGHT: f64 = 9.0;
const MARGIN: f64 = 3.0;

/// A dot for each seed, a bar over the interval and a tick at the centre, from 0 to `most`; a hollow diamond for each
/// published value.
pub fn strip(cell: &Cell, published: &[f64], most: f64) -> String {
    let x = |value: f64| {
        let share = if most > 0.0 { (value / most).clamp(0.0, 1.0) } else { 0.0 };
        MARGIN + (WIDTH - 2.0 * MARGIN) * share
    };
    let y = HEIGHT / 2.0;
    let mut out = format!(
        r#"<svg class="strip" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true"><path class="axis" d="M{MARGIN} {y}H{}"/>"#,
        WIDTH - MARGIN
    );
    let dots: String = cell.seeds.iter().map(|value| format!("M{:.1} {y}h0", x(*value))).collect();
    write!(out, r#"<path class="dots" d="{dots}"/>"#).unwrap();
    if let Some([low, high]) = &cell.interval {
        write!(out, r#"<path class="interval" d="M{:.1} {y}H{:.1}"/>"#, x(low.value), x(high.value)).unwrap();
    }
    write!(out, r#"<path class="centre" d="M{:.1} 0V{HEIGHT}"/>"#, x(cell.centre.value)).unwrap();
    for value in published {
        write!(out, r#"<path class="published" d="M{:.1} {y}l3 -3l3 3l-3 3z"/>"#, x(*value) - 3.0).unwrap();
    }
    out + "</svg>"
}
