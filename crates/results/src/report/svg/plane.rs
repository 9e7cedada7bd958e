//! Figures of one quantity over another: panes above each other that share the axis across.

use super::frame::{Frame, LEFT, RIGHT, ROW, WIDTH, heading, legend, positive, ticks, under};
use base::show::{rounded, shortest};
use std::fmt::Write;

/// Gap between panes, for the name of the lower one, px.
const PANE_GAP: f64 = 40.0;
/// Radius of a dot, px.
const DOT_RADIUS: f64 = 2.5;

/// The whole figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Plane {
    pub title: String,
    pub subtitle: String,
    /// The quantity across, with its unit.
    pub across: String,
    /// Values across that are marked, with their names.
    pub marks: Vec<(f64, String)>,
    /// True if the axis across begins at zero.
    pub from_zero: bool,
    /// Colours and names.
    pub legend: Vec<(String, String)>,
    pub panes: Vec<Pane>,
}

/// One plotting area.
#[derive(Debug, Clone, PartialEq)]
pub struct Pane {
    /// The quantity upwards, with its unit.
    pub name: String,
    /// Values upwards that are marked, with their names.
    pub limits: Vec<(f64, String)>,
    pub shapes: Vec<Shape>,
}

/// Something drawn, in one colour.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    pub colour: String,
    pub points: Vec<[f64; 2]>,
    pub look: Look,
    /// Text beside the last point; may be empty.
    pub label: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Through the points.
    Line,
    /// Through the points, with a dot on each.
    Dotted,
    /// A faint dot on each.
    Cloud,
    /// A thin line, of an interval.
    Whisker,
    /// A large dot on each.
    Centre,
}

impl Plane {
    pub fn svg(&self) -> String {
        let points = || self.panes.iter().flat_map(|pane| &pane.shapes).flat_map(|shape| &shape.points);
        let across = || points().map(|[x, _]| *x).chain(self.marks.iter().map(|(x, _)| *x));
        let (low, high) = (across().fold(f64::INFINITY, f64::min), across().fold(0.0, f64::max));
        let low = if self.from_zero || low > high { 0.0 } else { low };
        let margin = 0.03 * positive(high - low);
        let edges = [if low == 0.0 { 0.0 } else { low - margin }, high + margin];
        let mut top = under(&self.legend) + ROW;
        let frames = self.panes.iter().map(|pane| {
            let upwards = pane.shapes.iter().flat_map(|shape| &shape.points).map(|[_, y]| *y);
            let most = upwards.chain(pane.limits.iter().map(|(y, _)| *y)).fold(0.0, f64::max);
            let frame = Frame::new(top, edges, [0.0, positive(1.06 * most)]);
            top = frame.bottom + PANE_GAP;
            frame
        });
        let frames: Vec<Frame> = frames.collect();
        let Some(last) = frames.last() else { return String::new() };
        let mut out = heading(last, &self.title, &self.subtitle);
        legend(&mut out, &self.legend);
        for (frame, pane) in frames.iter().zip(&self.panes) {
            frame.grid(&mut out);
            for (x, _) in &self.marks {
                frame.vertical(&mut out, *x, "stroke=\"#666\" stroke-dasharray=\"5 4\"");
            }
            for (y, _) in &pane.limits {
                writeln!(out, "<path d=\"M{LEFT} {:.1}H{}\" stroke=\"#666\"/>", frame.y(*y), WIDTH - RIGHT).unwrap();
            }
            pane.shapes.iter().for_each(|shape| shape.draw(frame, &mut out));
            for (y, name) in &pane.limits {
                let label = format!("{name} {}", rounded(*y));
                frame.write(&mut out, WIDTH - RIGHT, frame.y(*y) - 5.0, "end", &label);
            }
            frame.write(&mut out, LEFT, frame.top - 8.0, "start", &pane.name);
            for (x, name) in &self.marks {
                frame.write(&mut out, frame.x(*x) + 5.0, frame.top + 12.0, "start", name);
            }
        }
        let round: Vec<(f64, String)> = ticks(edges[0], edges[1]).map(|value| (value, shortest(value))).collect();
        last.across(&mut out, &round, &self.across);
        out + "</svg>\n"
    }
}

impl Shape {
    pub fn new(colour: &str, look: Look, points: Vec<[f64; 2]>) -> Shape {
        Shape { colour: colour.into(), points, look, label: String::new() }
    }

    fn draw(&self, frame: &Frame, out: &mut String) {
        let place = |[x, y]: &[f64; 2]| (frame.x(*x), frame.y(*y));
        let line = || {
            let mut path = String::new();
            for (x, y) in self.points.iter().map(place) {
                write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { 'M' } else { 'L' }).unwrap();
            }
            path
        };
        let dots =
            || self.points.iter().map(place).fold(String::new(), |path, (x, y)| path + &format!("M{x:.1} {y:.1}h0"));
        let round = |radius: f64| format!("stroke-linecap=\"round\" stroke-width=\"{}\"", 2.0 * radius);
        let thin = |width: &str| format!("fill=\"none\" stroke-linejoin=\"round\" stroke-width=\"{width}\"");
        let drawn = match self.look {
            Look::Line => vec![(line(), thin("1.5"))],
            Look::Dotted => vec![(line(), thin("1.2")), (dots(), round(DOT_RADIUS))],
            Look::Cloud => vec![(dots(), round(DOT_RADIUS) + " stroke-opacity=\"0.4\"")],
            Look::Whisker => vec![(line(), thin("1.2"))],
            Look::Centre => vec![(dots(), round(2.0 * DOT_RADIUS))],
        };
        for (path, look) in drawn.into_iter().filter(|(path, _)| !path.is_empty()) {
            writeln!(out, "<path d=\"{path}\" stroke=\"{}\" {look}/>", self.colour).unwrap();
        }
        if let (false, Some((x, y))) = (self.label.is_empty(), self.points.last().map(place)) {
            let right = x < (LEFT + WIDTH) / 2.0;
            frame.write(
                out,
                x + if right { 9.0 } else { -9.0 },
                y - 7.0,
                if right { "start" } else { "end" },
                &self.label,
            );
        }
    }
}
