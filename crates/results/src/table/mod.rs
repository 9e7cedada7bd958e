//! The measures of a run as a table: its rows, columns and cells, and their texts. The terminal and the page are two
//! renderers of it.

mod axis;
mod grid;
mod heading;
mod rows;
#[cfg(test)]
mod tests;

pub use axis::Axis;
pub(crate) use axis::axes;
pub use grid::{Grid, GridRow};
pub use rows::table;
pub(crate) use rows::{flow_name, lane_name};

use base::units::{Centre, Shown};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// The keys that vary, such as `flows.congestion`; empty without a sweep.
    pub keys: Vec<String>,
    /// The points of the sweep, in the plan's order; a run without a sweep has one.
    pub points: Vec<Point>,
    /// Findings along a key, such as the edges of a cliff.
    #[serde(skip)]
    pub marks: Vec<Mark>,
    pub columns: Vec<Column>,
    /// A row for each point; with several flows, one for each of them and one for the bottleneck.
    pub rows: Vec<Row>,
    /// Published figures.
    pub published: Vec<Published>,
}

impl Table {
    /// Returns the name of a row where points and subjects stand in one list: `cubic, 1 BDP: flow 1, bbr`.
    pub(crate) fn label(&self, row: &Row) -> String {
        let parts = [self.points[row.point].label.as_str(), &row.subject].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(": ")
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// Name of the measure, such as `goodput`.
    pub name: String,
    /// Unit of the texts below, such as `Mbit/s`; may be empty.
    pub unit: String,
    /// Size of that unit in the unit of the measure.
    pub size: f64,
    /// Definition of the measure, one sentence.
    pub definition: String,
    /// Average shown in [`Cell::centre`].
    pub centre: Centre,
    /// Place where the column is shown; expected and published measures come first.
    #[serde(skip)]
    pub shown: Shown,
}

/// The measures of one point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Index into [`Table::points`].
    pub point: usize,
    /// Flow or lane of the row, such as `flow 2, bbr`; empty if the point has only one.
    pub subject: String,
    /// Name of the row without context, such as `flow 0, cubic`.
    #[serde(skip)]
    pub name: String,
    /// True for a flow of a large group, whose common row suffices where there is little room.
    pub one_of_many: bool,
    pub seeds: usize,
    /// A cell for each column; `None` if the measure does not apply.
    pub cells: Vec<Option<Cell>>,
}

/// A measure at a point, over its seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// Mean or median over the seeds, according to [`Column::centre`].
    pub centre: Figure,
    /// The centre's 95 % interval, low and high; `None` if it has none, as with one seed.
    pub interval: Option<[Figure; 2]>,
    /// The low and the high mode if the seeds have two: then no seed is near the centre.
    pub modes: Option<[Mode; 2]>,
    /// Smallest of the seeds.
    pub min: Figure,
    /// Largest of the seeds.
    pub max: Figure,
    /// Number of seeds with a value.
    pub known: usize,
    /// Value of each seed, in the unit of [`Figure::value`]; for more than [`MAX_DOTS`] seeds, that many quantiles.
    pub seeds: Vec<f64>,
}

/// A group of seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mode {
    /// Median of the group.
    pub centre: Figure,
    /// Number of seeds in the group.
    pub seeds: usize,
}

/// Largest number of dots of a point; more seeds are drawn as quantiles, which look the same.
pub const MAX_DOTS: usize = 100;

impl Cell {
    /// Returns the text of the centre, or of the modes with their seeds: `166 ×3, 632 ×7`.
    pub fn text(&self) -> String {
        match &self.modes {
            Some(both) => both.each_ref().map(|mode| format!("{} ×{}", mode.centre.text, mode.seeds)).join(", "),
            None => self.centre.text.clone(),
        }
    }
}

/// A number, and its text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Text of the value, in the unit of its column.
    pub text: String,
    /// Value as computed, in the unit of its measure.
    pub value: f64,
}

/// A published figure for one cell of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Published {
    pub source: String,
    /// Index into [`Table::rows`].
    pub row: usize,
    /// Index into [`Table::columns`].
    pub column: usize,
    pub figure: Figure,
}

/// A point of the sweep.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    /// Values of [`Table::keys`], in their order.
    pub values: Vec<String>,
    /// Label of the point, such as `cubic, 1 BDP`; empty without a sweep.
    pub label: String,
}

/// A stretch of a key's values with a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// A key of [`Table::keys`].
    pub key: String,
    /// First value of the stretch, written like those of the key.
    pub from: String,
    /// Last value of the stretch.
    pub to: String,
    /// Finding in a few words, such as `cliff`.
    pub text: String,
}
