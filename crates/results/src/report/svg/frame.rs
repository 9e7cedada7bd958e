//! Shared parts of the figures: background, heading, legend, and the plotting area with its scales.

use std::fmt::Write;

use super::super::escape;
use base::show::rounded;

pub const WIDTH: f64 = 880.0;
/// Height of a plotting area, px.
const HEIGHT: f64 = 285.0;
pub const LEFT: f64 = 66.0;
pub const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 52.0;
const TITLE: f64 = 26.0;
pub const ROW: f64 = 19.0;
const LEGEND: f64 = 14.0;
const TICKS: f64 = 6.0;
/// Mean width of a character at the legend's size, px; the renderer knows no font.
const CHARACTER: f64 = 6.4;

/// The plotting area: its position, and the values at its edges.
pub struct Frame {
    pub top: f64,
    pub bottom: f64,
    x: [f64; 2],
    y: [f64; 2],
}

impl Frame {
    /// Makes an area from `top` down, with these values from left to right and from bottom to top.
    pub fn new(top: f64, x: [f64; 2], y: [f64; 2]) -> Frame {
        Frame { top, bottom: top + HEIGHT, x, y }
    }

    pub fn x(&self, value: f64) -> f64 {
        LEFT + (value - self.x[0]) / (self.x[1] - self.x[0]) * (WIDTH - LEFT - RIGHT)
    }

    pub fn y(&self, value: f64) -> f64 {
        self.bottom - (value - self.y[0]) / (self.y[1] - self.y[0]) * (self.bottom - self.top)
    }

    /// Draws the grid with the values of its lines.
    pub fn grid(&self, out: &mut String) {
        for value in ticks(self.y[0], self.y[1]) {
            let y = self.y(value);
            writeln!(out, "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"#e6e6e6\"/>", WIDTH - RIGHT).unwrap();
            text(out, LEFT - 8.0, y + 4.0, "text-anchor=\"end\" fill=\"#444\"", &rounded(value));
        }
        writeln!(out, "<path d=\"M{LEFT} {:.1}H{}\" stroke=\"#444\"/>", self.y(self.y[0].max(0.0)), WIDTH - RIGHT)
            .unwrap();
    }

    /// Draws ticks below the area if their labels do not touch; the last has priority over those on its left.
    pub fn across(&self, out: &mut String, across: &[(f64, String)], label: &str) {
        let half = |label: &str| (CHARACTER * label.chars().count() as f64 + 12.0) / 2.0;
        let last = across.last().map_or(f64::INFINITY, |(value, label)| self.x(*value) - half(label));
        let mut end = f64::NEG_INFINITY;
        for (index, (value, label)) in across.iter().enumerate() {
            let (middle, half) = (self.x(*value), half(label));
            if index + 1 == across.len() || middle - half >= end && middle + half <= last {
                text(out, middle, self.bottom + 18.0, "text-anchor=\"middle\" fill=\"#444\"", label);
                end = middle + half;
            }
        }
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        text(out, middle, self.bottom + 38.0, "text-anchor=\"middle\" fill=\"#444\"", label);
    }

    pub fn vertical(&self, out: &mut String, value: f64, look: &str) {
        writeln!(out, "<path d=\"M{:.1} {:.1}V{:.1}\" {look}/>", self.x(value), self.top, self.bottom).unwrap();
    }

    /// Writes a label over the drawing, with a white halo.
    pub fn write(&self, out: &mut String, x: f64, y: f64, anchor: &str, label: &str) {
        let look = format!("text-anchor=\"{anchor}\" stroke=\"#fff\" stroke-width=\"4\" paint-order=\"stroke\"");
        text(out, x, y, &look, label);
    }
}

/// Starts the SVG with background, title and subtitle, high enough for the last plotting area. The caller adds the
/// drawing and `</svg>`.
pub fn heading(last: &Frame, title: &str, subtitle: &str) -> String {
    head(last.bottom + BOTTOM, title, subtitle)
}

/// Starts an SVG of this height likewise.
pub fn head(height: f64, title: &str, subtitle: &str) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    text(&mut out, LEGEND, TITLE, "font-size=\"16\" font-weight=\"600\"", title);
    text(&mut out, LEGEND, TITLE + 21.0, "fill=\"#666\"", subtitle);
    out
}

/// Returns the vertical position below a legend.
pub fn under(legend: &[(String, String)]) -> f64 {
    TITLE + 36.0 + ROW * places(legend).last().map_or(1.0, |(_, row)| row + 1.0)
}

pub fn legend(out: &mut String, legend: &[(String, String)]) {
    for ((colour, label), (x, row)) in legend.iter().zip(places(legend)) {
        let y = TITLE + 24.0 + ROW * (row + 1.0);
        writeln!(out, "<path d=\"M{x:.1} {:.1}h20\" stroke=\"{colour}\" stroke-width=\"3\"/>", y - 4.0).unwrap();
        text(out, x + 26.0, y, "", label);
    }
}

/// Returns the position of each entry of the legend, in columns of equal width: x, row.
fn places(legend: &[(String, String)]) -> Vec<(f64, f64)> {
    let longest = legend.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    let width = 50.0 + CHARACTER * longest as f64;
    let columns = ((WIDTH - LEGEND) / width).max(1.0) as usize;
    (0..legend.len()).map(|i| (LEGEND + width * (i % columns) as f64, (i / columns) as f64)).collect()
}

pub fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 1.0 }
}

/// Returns round numbers from `least` to `most`, about [`TICKS`] of them.
pub fn ticks(least: f64, most: f64) -> impl Iterator<Item = f64> {
    let rough = positive((most - least) / TICKS);
    let magnitude = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * magnitude).into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let first = (least / step - 1e-9).ceil() as i64;
    let last = (most / step + 1e-9).floor() as i64;
    (first..=last).map(move |i| i as f64 * step)
}

pub fn text(out: &mut String, x: f64, y: f64, attributes: &str, content: &str) {
    writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{}</text>", escape(content)).unwrap();
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 30.0).collect::<Vec<_>>(), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0]);
        assert_eq!(ticks(0.0, 1060.0).collect::<Vec<_>>(), [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0]);
        assert_eq!(ticks(-3.0, 1.0).collect::<Vec<_>>(), [-3.0, -2.0, -1.0, 0.0, 1.0]);
        assert_eq!(ticks(540.0, 1010.0).collect::<Vec<_>>(), [600.0, 700.0, 800.0, 900.0, 1000.0]);
        assert_eq!(ticks(5.0, 5.0).collect::<Vec<_>>(), [5.0]);
    }
}
