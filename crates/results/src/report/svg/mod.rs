//! Figures for papers and mails, on white: curves over time of every point at its first seed, and a measure of all points
//! against a key.

mod frame;
mod heat;
mod plane;
mod sweep;

use std::fmt::Write;

pub(super) use super::sweep::window_limits;
use frame::{Frame, LEFT, RIGHT, WIDTH, heading, legend, positive, ticks, under};
pub(crate) use frame::{text as write_text, ticks as number_ticks};
pub(super) use heat::heat_map;
pub(super) use plane::{Look, Pane, Plane, Shape};
pub(super) use sweep::sweep;

use super::lines::{Line, lines};
use super::{Curve, FlowTrace, Report, Trace};
use base::show::{rounded, shortest};

/// Largest number of curves in a pane, so that a reader can distinguish them.
const MAX_CURVES: usize = 6;

/// `cwnd.svg`: congestion windows, packets, with the slow-start threshold dashed and the bandwidth-delay product.
pub fn cwnd(report: &Report) -> String {
    let mut figure = Figure::new(report, "Congestion window, packets");
    let drawn = figure.first(flows(report, |flow| &flow.cwnd).collect());
    let with_ssthresh = drawn.len() <= MAX_CURVES / 2;
    for (line, trace, flow) in drawn {
        flow.bdp.into_iter().for_each(|bdp| figure.limit("BDP", bdp));
        if with_ssthresh {
            figure.draw(&line, &flow.ssthresh, THRESHOLD);
        }
        figure.draw(&line, &flow.cwnd, Stroke::of(&line));
        figure.name(&line, trace);
    }
    figure.finish(if with_ssthresh { "; dashed: slow-start threshold" } else { "" })
}

/// `throughput.svg`: goodput, Mbit/s, with the rates of the links.
pub fn throughput(report: &Report) -> String {
    let mut figure = Figure::new(report, "Goodput, Mbit/s");
    for (line, trace, flow) in figure.first(flows(report, |flow| &flow.goodput).collect()) {
        for lane in &trace.lanes {
            figure.limit("link rate", lane.rate);
        }
        figure.moment(&line, flow.steady);
        figure.draw(&line, &flow.goodput, Stroke::of(&line));
        figure.name(&line, trace);
    }
    let dotted = if figure.moments.is_empty() { "" } else { "; dotted: start of steady state" };
    // Bytes count in order, so a hole that is filled brings all that waited behind it at once.
    let most = figure.curves.iter().flat_map(|(_, curve, _)| curve.y.iter().flatten().copied()).fold(0.0, f64::max);
    let rate = figure.limits.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
    let above = if rate > 0.0 && most > rate { "; above the link rate: what waited behind a lost packet" } else { "" };
    figure.finish(&format!(", in bins of {} ms{dotted}{above}", report.bin))
}

/// Returns every line that is a flow and has such a curve, in the first trace of its point.
fn flows(report: &Report, curve: fn(&FlowTrace) -> &Curve) -> impl Iterator<Item = (Line, &Trace, &FlowTrace)> {
    lines(report).into_iter().filter_map(move |line| {
        let trace = report.first_trace(line.point)?;
        let flow = trace.flows.get(line.flow?).filter(|flow| !curve(flow).t.is_empty())?;
        Some((line, trace, flow))
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Stroke {
    Solid,
    /// Dashes and gaps, px, and the width.
    Dashed([u32; 4], f64),
}

/// The slow-start threshold, px.
const THRESHOLD: Stroke = Stroke::Dashed([5, 4, 5, 4], 1.0);

impl Stroke {
    fn of(line: &Line) -> Stroke {
        line.dash.map_or(Stroke::Solid, |dash| Stroke::Dashed(dash, 1.5))
    }
}

struct Figure<'a> {
    title: &'a str,
    axis: &'a str,
    /// The time at the right edge, s.
    duration: f64,
    curves: Vec<(String, &'a Curve, Stroke)>,
    limits: Vec<(&'a str, f64)>,
    /// Colours and times of vertical lines.
    moments: Vec<(String, f64)>,
    legend: Vec<(String, String)>,
    /// Number of all flows, if only the first [`MAX_CURVES`] are drawn.
    left_out: Option<usize>,
}

impl<'a> Figure<'a> {
    fn new(report: &'a Report, axis: &'a str) -> Figure<'a> {
        let flows = report.traces.iter().flat_map(|trace| &trace.flows);
        let ends = flows.flat_map(|flow| [flow.cwnd.t.last(), flow.goodput.t.last()]).flatten();
        let duration = positive(ends.copied().fold(0.0, f64::max));
        let (curves, limits, moments, legend) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Figure { title: &report.title, axis, duration, curves, limits, moments, legend, left_out: None }
    }

    /// Returns the flows that are drawn, and notes how many there were.
    fn first<T>(&mut self, mut flows: Vec<T>) -> Vec<T> {
        self.left_out = (flows.len() > MAX_CURVES).then_some(flows.len());
        flows.truncate(MAX_CURVES);
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

    fn moment(&mut self, line: &Line, time: Option<f64>) {
        self.moments.extend(time.map(|time| (line.light.clone(), time)));
    }

    fn name(&mut self, line: &Line, trace: &Trace) {
        self.legend.push((line.light.clone(), format!("{} (seed {})", line.label, trace.seed)));
    }

    fn finish(self, note: &str) -> String {
        let left_out = self.left_out.map_or(String::new(), |all| format!("; first {MAX_CURVES} of {all} flows"));
        let values = self.curves.iter().flat_map(|(_, curve, _)| curve.y.iter().flatten().copied());
        let most = values.chain(self.limits.iter().map(|(_, value)| *value)).fold(0.0, f64::max);
        let frame = Frame::new(under(&self.legend), [0.0, self.duration], [0.0, positive(1.06 * most)]);
        let mut out = heading(&frame, self.title, &format!("{}{note}{left_out}", self.axis));
        legend(&mut out, &self.legend);
        let times: Vec<(f64, String)> = ticks(0.0, self.duration).map(|time| (time, shortest(time))).collect();
        frame.grid(&mut out);
        frame.across(&mut out, &times, "time, s");
        for (_, value) in &self.limits {
            writeln!(out, "<path d=\"M{LEFT} {:.1}H{}\" stroke=\"#666\"/>", frame.y(*value), WIDTH - RIGHT).unwrap();
        }
        for (colour, time) in &self.moments {
            frame.vertical(&mut out, *time, &format!("stroke=\"{colour}\" stroke-dasharray=\"2 3\""));
        }
        for (colour, curve, stroke) in &self.curves {
            draw(&frame, &mut out, colour, curve, *stroke);
        }
        for (name, value) in &self.limits {
            let label = format!("{name} {}", rounded(*value));
            frame.write(&mut out, WIDTH - RIGHT, frame.y(*value) - 5.0, "end", &label);
        }
        out + "</svg>\n"
    }
}

fn draw(frame: &Frame, out: &mut String, colour: &str, curve: &Curve, stroke: Stroke) {
    let look = match stroke {
        Stroke::Solid => "stroke-width=\"1.5\"".to_owned(),
        Stroke::Dashed([a, b, c, d], width) => format!("stroke-width=\"{width}\" stroke-dasharray=\"{a} {b} {c} {d}\""),
    };
    let mut path = String::new();
    let mut pen_down = false;
    for (time, value) in curve.t.iter().zip(&curve.y) {
        if let Some(value) = value {
            let command = if pen_down { 'L' } else { 'M' };
            write!(path, "{command}{:.1} {:.1}", frame.x(*time), frame.y(*value)).unwrap();
        }
        pen_down = value.is_some();
    }
    if !path.is_empty() {
        writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-linejoin=\"round\" {look}/>")
            .unwrap();
    }
}
