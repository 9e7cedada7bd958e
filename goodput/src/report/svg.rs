//! Figures for papers and mails: every point at its first seed in one plot, on white.

use std::fmt::Write;

use super::lines::{Line, lines};
use super::number::shortest;
use super::{Curve, FlowTrace, Report, Trace};

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 52.0;
const TITLE: f64 = 26.0;
const ROW: f64 = 19.0;
const LEGEND: f64 = 14.0;
const TICKS: f64 = 6.0;
/// Flows that are drawn: more cannot be told apart, and their legend would fill the figure.
const DRAWN: usize = 20;
/// Mean width of a character at the legend's size, px; there is no font to ask.
const CHARACTER: f64 = 6.4;

/// `cwnd.svg`: congestion windows, packets, with the slow-start threshold dashed and the bandwidth-delay product.
pub fn cwnd(report: &Report) -> String {
    let mut figure = Figure::new(report, "Congestion window, packets");
    for (line, trace, flow) in figure.first(flows(report, |flow| &flow.cwnd).collect()) {
        flow.bdp.into_iter().for_each(|bdp| figure.limit("BDP", bdp));
        figure.draw(&line, &flow.ssthresh, Stroke::Dashed);
        figure.draw(&line, &flow.cwnd, Stroke::Solid);
        figure.name(&line, trace);
    }
    figure.finish("dashed: slow-start threshold")
}

/// `throughput.svg`: goodput, Mbit/s, with the rates of the links.
pub fn throughput(report: &Report) -> String {
    let mut figure = Figure::new(report, "Goodput, Mbit/s");
    for (line, trace, flow) in figure.first(flows(report, |flow| &flow.goodput).collect()) {
        for lane in &trace.lanes {
            figure.limit("link rate", lane.rate);
        }
        figure.draw(&line, &flow.goodput, Stroke::Solid);
        figure.name(&line, trace);
    }
    figure.finish(&format!("bins of {} ms", report.bin))
}

/// Every line that is a flow and has such a curve, in the first trace of its point.
fn flows(report: &Report, curve: fn(&FlowTrace) -> &Curve) -> impl Iterator<Item = (Line, &Trace, &FlowTrace)> {
    lines(report).into_iter().filter_map(move |line| {
        let trace = report.traces.iter().find(|trace| trace.point == line.point)?;
        let flow = trace.flows.get(line.flow?).filter(|flow| !curve(flow).t.is_empty())?;
        Some((line, trace, flow))
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Stroke {
    Solid,
    Dashed,
}

struct Figure<'a> {
    title: &'a str,
    axis: &'a str,
    /// The time at the right edge, s.
    duration: f64,
    curves: Vec<(String, &'a Curve, Stroke)>,
    limits: Vec<(&'a str, f64)>,
    legend: Vec<(String, String)>,
    /// How many flows there would have been.
    left_out: Option<usize>,
}

impl<'a> Figure<'a> {
    fn new(report: &'a Report, axis: &'a str) -> Figure<'a> {
        let flows = report.traces.iter().flat_map(|trace| &trace.flows);
        let ends = flows.flat_map(|flow| [flow.cwnd.t.last(), flow.goodput.t.last()]).flatten();
        let duration = positive(ends.copied().fold(0.0, f64::max));
        let (curves, limits, legend) = (Vec::new(), Vec::new(), Vec::new());
        Figure { title: &report.title, axis, duration, curves, limits, legend, left_out: None }
    }

    /// The flows that are drawn.
    fn first<T>(&mut self, mut flows: Vec<T>) -> Vec<T> {
        self.left_out = (flows.len() > DRAWN).then_some(flows.len());
        flows.truncate(DRAWN);
        flows
    }

    fn draw(&mut self, line: &Line, curve: &'a Curve, stroke: Stroke) {
        self.curves.push((line.light.clone(), curve, stroke));
    }

    fn limit(&mut self, name: &'a str, value: f64) {
        if !self.limits.contains(&(name, value)) {
            self.limits.push((name, value));
        }
    }

    fn name(&mut self, line: &Line, trace: &Trace) {
        self.legend.push((line.light.clone(), format!("{} (seed {})", line.label, trace.seed)));
    }

    fn finish(self, note: &str) -> String {
        let places = places(&self.legend);
        let rows = places.last().map_or(1.0, |(_, row)| row + 1.0);
        let frame = Frame::around(&self, TITLE + 24.0 + ROW * rows + 12.0);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{0}\" viewBox=\"0 0 {WIDTH} {0}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
            frame.bottom + BOTTOM
        );
        text(&mut out, LEGEND, TITLE, "font-size=\"16\" font-weight=\"600\"", self.title);
        let left_out = self.left_out.map_or(String::new(), |all| format!("; the first {DRAWN} of {all} flows"));
        text(&mut out, LEGEND, TITLE + 21.0, "fill=\"#666\"", &format!("{}; {note}{left_out}", self.axis));
        for ((colour, label), (x, row)) in self.legend.iter().zip(&places) {
            let y = TITLE + 24.0 + ROW * (row + 1.0);
            writeln!(out, "<path d=\"M{x:.1} {:.1}h20\" stroke=\"{colour}\" stroke-width=\"3\"/>", y - 4.0).unwrap();
            text(&mut out, x + 26.0, y, "", label);
        }
        frame.axes(&mut out);
        for (_, value) in &self.limits {
            frame.rule(&mut out, *value);
        }
        for (colour, curve, stroke) in &self.curves {
            frame.curve(&mut out, colour, curve, *stroke);
        }
        for (name, value) in &self.limits {
            frame.name(&mut out, name, *value);
        }
        out + "</svg>\n"
    }
}

/// Where each entry of the legend starts, in columns of equal width: x, row.
fn places(legend: &[(String, String)]) -> Vec<(f64, f64)> {
    let longest = legend.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    let width = 50.0 + CHARACTER * longest as f64;
    let columns = ((WIDTH - LEGEND) / width).max(1.0) as usize;
    (0..legend.len()).map(|i| (LEGEND + width * (i % columns) as f64, (i / columns) as f64)).collect()
}

/// The plotting area and its scales.
struct Frame {
    top: f64,
    bottom: f64,
    duration: f64,
    /// The value at the top.
    ceiling: f64,
}

impl Frame {
    fn around(figure: &Figure, top: f64) -> Frame {
        let values = figure.curves.iter().flat_map(|(_, curve, _)| curve.y.iter().flatten().copied());
        let limits = figure.limits.iter().map(|(_, value)| *value);
        Frame {
            top,
            bottom: top + HEIGHT - BOTTOM - 83.0,
            duration: figure.duration,
            ceiling: positive(1.06 * values.chain(limits).fold(0.0, f64::max)),
        }
    }

    fn x(&self, time: f64) -> f64 {
        LEFT + time / self.duration * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - value / self.ceiling * (self.bottom - self.top)
    }

    fn axes(&self, out: &mut String) {
        for value in ticks(self.ceiling) {
            let y = self.y(value);
            writeln!(out, "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"#e6e6e6\"/>", WIDTH - RIGHT).unwrap();
            text(out, LEFT - 8.0, y + 4.0, "text-anchor=\"end\" fill=\"#444\"", &shortest(value));
        }
        for time in ticks(self.duration) {
            text(out, self.x(time), self.bottom + 18.0, "text-anchor=\"middle\" fill=\"#444\"", &shortest(time));
        }
        writeln!(out, "<path d=\"M{LEFT} {:.1}H{}\" stroke=\"#444\"/>", self.bottom, WIDTH - RIGHT).unwrap();
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        text(out, middle, self.bottom + 38.0, "text-anchor=\"middle\" fill=\"#444\"", "time, s");
    }

    fn rule(&self, out: &mut String, value: f64) {
        writeln!(out, "<path d=\"M{LEFT} {:.1}H{}\" stroke=\"#666\"/>", self.y(value), WIDTH - RIGHT).unwrap();
    }

    /// Over the curves, on a halo of white.
    fn name(&self, out: &mut String, name: &str, value: f64) {
        let label = format!("{name} {}", shortest(value));
        let halo = "text-anchor=\"end\" stroke=\"#fff\" stroke-width=\"4\" paint-order=\"stroke\"";
        text(out, WIDTH - RIGHT, self.y(value) - 5.0, halo, &label);
    }

    fn curve(&self, out: &mut String, colour: &str, curve: &Curve, stroke: Stroke) {
        let look = match stroke {
            Stroke::Solid => "stroke-width=\"1.5\"",
            Stroke::Dashed => "stroke-width=\"1\" stroke-dasharray=\"5 4\"",
        };
        let path = self.path(curve);
        if !path.is_empty() {
            writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-linejoin=\"round\" {look}/>")
                .unwrap();
        }
    }

    fn path(&self, curve: &Curve) -> String {
        let mut path = String::new();
        let mut pen_down = false;
        for (time, value) in curve.t.iter().zip(&curve.y) {
            if let Some(value) = value {
                let command = if pen_down { 'L' } else { 'M' };
                write!(path, "{command}{:.1} {:.1}", self.x(*time), self.y(*value)).unwrap();
            }
            pen_down = value.is_some();
        }
        path
    }
}

fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 1.0 }
}

/// Round numbers from 0 to `most`, about [`TICKS`] of them.
fn ticks(most: f64) -> impl Iterator<Item = f64> {
    let rough = most / TICKS;
    let magnitude = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * magnitude).into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let count = (most / step * (1.0 + 1e-9)).floor() as usize;
    (0..=count).map(move |i| i as f64 * step)
}

fn text(out: &mut String, x: f64, y: f64, attributes: &str, content: &str) {
    let content = content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{content}</text>").unwrap();
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(30.0).collect::<Vec<_>>(), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0]);
        assert_eq!(ticks(1060.0).collect::<Vec<_>>(), [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0]);
    }
}
