//! The lines of the plots and their colours: the page and the figures share them.
//!
//! The colour stands for the congestion control, or for pings or datagrams, and is the same in every report. Two lines of
//! one colour are shades of it, pale and dark in the order of the sweep, and so are many. Where all lines of a plot have
//! one colour and are few but more than two, it says nothing, and each gets a colour of its own. Hues are those of Okabe
//! and Ito, then Tol's muted scheme: colour-blind readers can distinguish both.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{FlowTrace, Report, Trace};
use crate::table::Row;

/// A line of the plots, for every seed of its point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    pub point: usize,
    /// Index of the flow among the point's flows.
    pub flow: Option<usize>,
    /// Index of the lane among the point's lanes.
    pub lane: Option<usize>,
    /// Name in the legend.
    pub label: String,
    /// Colour on white, `#rrggbb`.
    pub light: String,
    /// Colour on black, `#rrggbb`.
    pub dark: String,
    /// Dashes and gaps, px, if another line has the same colour.
    pub dash: Option<[u32; 4]>,
}

type Rgb = [u8; 3];
/// Colours on white and on black.
pub(super) type Hue = (Rgb, Rgb);

/// Name, colour on white, colour on black.
const FIXED_HUES: &[(&str, Rgb, Rgb)] = &[
    ("cubic", [0x00, 0x72, 0xb2], [0x4d, 0xae, 0xe8]),
    ("bbr", [0xd5, 0x5e, 0x00], [0xf5, 0x8a, 0x3c]),
    ("reno", [0x00, 0x9e, 0x73], [0x2b, 0xc4, 0x99]),
    ("dctcp", [0xb8, 0x5a, 0x92], [0xe3, 0x9c, 0xc4]),
    ("vegas", [0x88, 0x55, 0x22], [0xd0, 0xa0, 0x70]),
    ("bbr2", [0xc9, 0x8a, 0x00], [0xf0, 0xb9, 0x2e]),
    ("bbr3", [0xc9, 0x8a, 0x00], [0xf0, 0xb9, 0x2e]),
    ("ping", [0x99, 0x99, 0x33], [0xc4, 0xc4, 0x5c]),
    ("udp", [0xcc, 0x66, 0x77], [0xe8, 0x94, 0xa2]),
];

const FREE_HUES: &[Hue] = &[
    ([0x33, 0x22, 0x88], [0x9b, 0x8c, 0xe6]),
    ([0x88, 0x22, 0x55], [0xd9, 0x73, 0xa6]),
    ([0x11, 0x77, 0x33], [0x5c, 0xb8, 0x78]),
    ([0x44, 0xaa, 0x99], [0x7a, 0xd1, 0xc2]),
];

const LANE_HUE: Hue = ([0x55, 0x55, 0x55], [0xb0, 0xb0, 0xb0]);

/// Points above which the curves over time are shown one point at a time.
const MAX_POINTS_TOGETHER: usize = 12;

/// Whether the page shows the curves of one point at a time.
pub(super) fn one_by_one(report: &Report) -> bool {
    report.table.points.len() > MAX_POINTS_TOGETHER
}

/// Returns the lines of a report, by point, flows before lanes. Shades distinguish the lines that are shown together.
pub fn lines(report: &Report) -> Vec<Line> {
    let of_points = (0..report.table.points.len()).map(|point| lines_of(report, point));
    let seen: Vec<Vec<(Line, Hue)>> =
        if one_by_one(report) { of_points.collect() } else { vec![of_points.flatten().collect()] };
    let inked = |together: Vec<(Line, Hue)>| {
        let (lines, hues): (Vec<Line>, Vec<Hue>) = together.into_iter().unzip();
        let looks = shades(&hues).into_iter().zip(dashed(&hues));
        lines.into_iter().zip(looks).map(|(line, ([light, dark], dashed))| {
            let dash = dashed.then_some(DASHES);
            Line { light, dark, dash, ..line }
        })
    };
    seen.into_iter().flat_map(inked).collect()
}

/// Colours of three and more lines that have one congestion control: the first is its own. From the seventh on the colours
/// come again, dashed.
const OWN_HUES: [usize; 5] = [1, 2, 3, 5, 7];
/// Most lines of one congestion control that are told apart by colour and dashes; more are shades.
const MAX_TOLD_APART: usize = 2 * (OWN_HUES.len() + 1);
/// Dashes and gaps, px.
pub(super) const DASHES: [u32; 4] = [9, 3, 2, 3];

/// Returns whether each line is dashed.
fn dashed(hues: &[Hue]) -> Vec<bool> {
    let colours = OWN_HUES.len() + 1;
    (0..hues.len()).map(|index| are_told_apart(hues) && index >= colours).collect()
}

/// True if few lines, but more than two, have one hue.
fn are_told_apart(hues: &[Hue]) -> bool {
    (3..=MAX_TOLD_APART).contains(&hues.len()) && hues.iter().all(|hue| *hue == hues[0])
}

/// Returns colours on white and on black, `#rrggbb`; equal hues become shades, or other hues if all are equal and few.
pub(super) fn shades(hues: &[Hue]) -> Vec<[String; 2]> {
    if let [first, ..] = hues
        && are_told_apart(hues)
    {
        let others = [0].iter().chain(&OWN_HUES).map(|index| (FIXED_HUES[*index].1, FIXED_HUES[*index].2));
        let others = others.filter(|other| other != first);
        let own: Vec<Hue> = [*first].into_iter().chain(others).take(OWN_HUES.len() + 1).collect();
        return own.iter().cycle().take(hues.len()).map(|(light, dark)| [hex(*light), hex(*dark)]).collect();
    }
    let mut counts: BTreeMap<Hue, (usize, usize)> = BTreeMap::new();
    for hue in hues {
        counts.entry(*hue).or_default().1 += 1;
    }
    let each = |hue: &Hue| {
        let (used, all) = counts.get_mut(hue).expect("counted above");
        let position = if *all == 1 { 0.0 } else { *used as f64 / (*all - 1) as f64 * 2.0 - 1.0 };
        *used += 1;
        [hex(shade(hue.0, position)), hex(shade(hue.1, -position))]
    };
    hues.iter().map(each).collect()
}

/// Returns the hue of a row of the table: that of its flow, or of the only flow.
pub(super) fn hue_of(report: &Report, row: &Row) -> Hue {
    let flows = report.first_trace(row.point).map_or(&[][..], |trace| &trace.flows);
    let flow = match flows {
        [alone] => Some(alone),
        several => several.iter().find(|flow| flow.name == row.subject),
    };
    flow.map_or(LANE_HUE, |flow| hue(&flow.congestion))
}

fn lines_of(report: &Report, point: usize) -> Vec<(Line, Hue)> {
    let Some(trace) = report.first_trace(point) else { return Vec::new() };
    let line =
        |flow, lane, label| Line { point, flow, lane, label, light: String::new(), dark: String::new(), dash: None };
    if let Trace { flows, lanes, .. } = trace
        && let [flow] = flows.as_slice()
        && lanes.len() <= 1
    {
        let label =
            if report.table.keys.is_empty() { flow.name.clone() } else { report.table.points[point].label.clone() };
        return vec![(line(Some(0), (!lanes.is_empty()).then_some(0), label), hue(&flow.congestion))];
    }
    let label = |name: &str| match report.table.points[point].label.as_str() {
        "" => name.to_string(),
        at => format!("{at}: {name}"),
    };
    let drawn = |flow: &FlowTrace| {
        [&flow.cwnd, &flow.goodput, &flow.rtt, &flow.exchange].iter().any(|curve| !curve.t.is_empty())
    };
    // Datagram flows have no series over time, so their lane is drawn.
    let flows = trace.flows.iter().enumerate().filter(|(_, flow)| drawn(flow));
    let lanes = trace.lanes.iter().enumerate();
    flows
        .map(|(i, flow)| (line(Some(i), None, label(&flow.name)), hue(&flow.congestion)))
        .chain(lanes.map(|(i, lane)| (line(None, Some(i), label(&lane.name)), LANE_HUE)))
        .collect()
}

fn hue(congestion: &str) -> Hue {
    if let Some((_, light, dark)) = FIXED_HUES.iter().find(|(name, ..)| *name == congestion) {
        return (*light, *dark);
    }
    let sum = congestion.bytes().fold(0usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    FREE_HUES[sum % FREE_HUES.len()]
}

/// Mixes the colour with white (position -1, palest) or black (position 1, darkest).
fn shade(colour: Rgb, position: f64) -> Rgb {
    let (towards, share) = if position < 0.0 { (255.0, -0.5 * position) } else { (0.0, 0.5 * position) };
    colour.map(|part| (f64::from(part) * (1.0 - share) + towards * share).round() as u8)
}

fn hex(colour: Rgb) -> String {
    let [r, g, b] = colour;
    format!("#{r:02x}{g:02x}{b:02x}")
}
