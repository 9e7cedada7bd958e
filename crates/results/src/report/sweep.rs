//! Measures against the values of a key: the data of `sweep.svg`, which is a file and part of the page.

use super::lines::{hue_of, shades};
use super::{QueueUnit, Report, Trace};
use crate::table::{Axis, Mark, Row, axes};
use evidence::headers::{ETHERNET, Ip, TIMESTAMPS};
use plan::Setting;
use plan::setting;

/// All points along one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The key with the unit of the ticks, such as `path.loss, %`.
    pub label: String,
    /// Position of each point on the axis.
    pub x: Vec<f64>,
    /// Positions and labels of ticks; `None` for any round numbers.
    pub ticks: Option<Vec<(f64, String)>>,
    /// A line for each combination of the other axes, and of flows and links if these have rows of their own.
    pub lines: Vec<SweepLine>,
    /// Findings along the key.
    pub marks: Vec<Stretch>,
    /// Along a key that sets cwnd: what fills the path, and what fills its queue as well.
    pub limits: Vec<(f64, &'static str)>,
}

/// Points that differ in one key alone.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepLine {
    /// Name in the legend; empty if it is the only line.
    pub label: String,
    /// Colour on white, `#rrggbb`.
    pub light: String,
    /// Indices of the table's rows, from left to right.
    pub rows: Vec<usize>,
}

/// A mark with its position.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    pub from: f64,
    pub to: f64,
    pub text: String,
}

/// Returns a sweep along each axis that is a quantity, the one with the most values first.
pub fn sweeps(report: &Report) -> Vec<Sweep> {
    let axes = axes(&report.table.keys, &report.table.points);
    let mut numeric: Vec<&Axis> = axes.iter().filter(|axis| axis.scale.is_some()).collect();
    numeric.sort_by_key(|axis| std::cmp::Reverse(axis.first.len()));
    numeric.into_iter().filter_map(|axis| sweep(report, &axes, axis)).collect()
}

fn sweep(report: &Report, axes: &[Axis], axis: &Axis) -> Option<Sweep> {
    let (scale, key) = (axis.scale.as_ref()?, axis.keys[0]);
    let x: Vec<f64> = report.table.points.iter().map(|point| scale.place(&point.values[key])).collect::<Option<_>>()?;
    let others: Vec<&Axis> = axes.iter().filter(|other| other.at != axis.at).collect();
    let rows = &report.table.rows;
    let same =
        |a: &Row, b: &Row| a.subject == b.subject && others.iter().all(|other| other.at[a.point] == other.at[b.point]);
    let mut groups: Vec<Vec<usize>> = vec![];
    for (index, row) in rows.iter().enumerate() {
        match groups.iter_mut().find(|group| same(&rows[group[0]], row)) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    let hues: Vec<_> = groups.iter().map(|group| hue_of(report, &rows[group[0]])).collect();
    let lines = groups.into_iter().zip(shades(&hues)).map(|(mut group, [light, _])| {
        let label = label(report, &others, &rows[group[0]]);
        group.sort_by(|a, b| x[rows[*a].point].total_cmp(&x[rows[*b].point]));
        SweepLine { label, light, rows: group }
    });
    let marks = report.table.marks.iter().filter(|mark| report.table.keys[key] == mark.key);
    let stretch = |mark: &Mark| {
        Some(Stretch { from: scale.place(&mark.from)?, to: scale.place(&mark.to)?, text: mark.text.clone() })
    };
    let unit = if scale.unit.is_empty() { String::new() } else { format!(", {}", scale.unit) };
    Some(Sweep {
        label: report.table.keys[key].clone() + &unit,
        ticks: scale.ticks(),
        lines: lines.collect(),
        marks: marks.filter_map(stretch).collect(),
        limits: limits(report, &report.table.keys[key], |bytes| scale.place(&format!("{bytes:.0} B"))),
        x,
    })
}

/// Returns the window, in payload, that fills the path of the first point and the one that fills its queue too, along a
/// key that sets cwnd: where Kleinrock's optimum is, and where losses begin.
fn limits(report: &Report, key: &str, place: impl Fn(f64) -> Option<f64>) -> Vec<(f64, &'static str)> {
    let Some(trace) = report.first_trace(0).filter(|_| key.ends_with(".slow-start-ends")) else { return vec![] };
    let Some(mss) = mss(report) else { return vec![] };
    let limits = window_limits(report, trace).into_iter();
    limits.filter_map(|(packets, name)| Some((place(packets * mss)?, name))).collect()
}

/// Returns the payload of a full segment at the first point, bytes.
fn mss(report: &Report) -> Option<f64> {
    let column = report.table.columns.iter().position(|column| column.name == "mss")?;
    Some(report.table.rows.first()?.cells[column].as_ref()?.centre.value)
}

/// Returns the packets that fill the path of a trial's only flow with a window, and those that fill its queue too.
pub(super) fn window_limits(report: &Report, trace: &Trace) -> Vec<(f64, &'static str)> {
    let mut windowed = trace.flows.iter().filter_map(|flow| flow.bdp);
    let (Some(bdp), None, [lane]) = (windowed.next(), windowed.next(), &trace.lanes[..]) else { return vec![] };
    let queue = lane.capacity.and_then(|capacity| match report.queue_unit {
        QueueUnit::Packets => Some(capacity),
        QueueUnit::Kilobytes => Some(capacity * 1e3 / (mss(report)? + f64::from(Ip::V4.tcp() + TIMESTAMPS + ETHERNET))),
    });
    let both = [Some((bdp, "BDP")), queue.map(|queue| (bdp + queue, "BDP + buffer"))];
    both.into_iter().flatten().collect()
}

/// Returns the values of some axes at a row's point, and the row's subject.
fn label(report: &Report, axes: &[&Axis], row: &Row) -> String {
    let values = setting::label(&settings(report, axes, row.point));
    let parts = [values, row.subject.clone()].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(": ")
}

fn settings(report: &Report, axes: &[&Axis], point: usize) -> Vec<Setting> {
    let setting = |key: &usize| Setting {
        key: report.table.keys[*key].clone(),
        value: report.table.points[point].values[*key].clone(),
    };
    axes.iter().flat_map(|axis| axis.keys.iter().map(setting)).collect()
}
