//! The table: experiments, published values, and reasons for differences.
//!
//! Each kind of source has a module; a published figure is listed with its place in the source.

mod bbr;
mod founding;
mod grids;
mod marks;
mod native;
mod published;
mod sharing;
mod windows;

use crate::native::{Case, Flow};
use crate::observe::Ours;

/// Value that a figure is compared with, in the row's unit except for a formula's arguments.
#[derive(Clone, Copy)]
pub enum Published {
    /// A figure, printed or computed from a formula.
    Is(f64),
    /// A lower bound, stated in words by the source.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
    /// A formula that is given something else that was measured in the same trials.
    Of(Ours),
    /// Result of this machine's own stack.
    Native(Case, fn(&Flow) -> f64),
}

/// Why ours is off.
#[derive(Clone, Copy)]
pub struct Why {
    pub text: &'static str,
    /// The rows that show it, by their names: it counts as shown where all of these agree.
    pub by: &'static [&'static str],
}

/// A figure and its published value.
pub struct Row {
    /// Name for other rows; empty if none needs it.
    pub id: &'static str,
    pub what: String,
    /// The experiment, `validation/FILE.toml`, and the values of its variables.
    pub file: &'static str,
    pub at: &'static [&'static str],
    pub ours: Ours,
    /// Divisor that converts a value to the unit of the section.
    pub per: f64,
    pub published: Published,
    pub why: Option<Why>,
}

impl Row {
    pub fn new(
        what: impl Into<String>,
        file: &'static str,
        at: &'static [&'static str],
        ours: Ours,
        published: Published,
    ) -> Row {
        Row { id: "", what: what.into(), file, at, ours, per: 1.0, published, why: None }
    }

    /// Sets a name for other rows.
    pub fn named(self, id: &'static str) -> Row {
        Row { id, ..self }
    }

    /// Sets the reason for a difference.
    pub fn because(self, why: Why) -> Row {
        Row { why: Some(why), ..self }
    }

    pub fn per(self, per: f64) -> Row {
        Row { per, ..self }
    }
}

/// The figures of a source.
pub struct Section {
    pub title: &'static str,
    /// Author, year, place.
    pub source: &'static str,
    /// Set-up of the experiments.
    pub about: &'static str,
    /// The quantity and its unit, the head of a column.
    pub unit: &'static str,
    pub rows: Vec<Row>,
}

/// A table of many figures: a line of one experiment for each row and column.
pub struct Sheet {
    pub title: &'static str,
    /// Author, year, place.
    pub source: &'static str,
    /// Meaning of rows and columns, and differences from the source.
    pub about: &'static str,
    /// Differences of the results, and their reasons.
    pub notes: &'static str,
    pub tables: Vec<Table>,
}

impl Sheet {
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.tables.iter().flat_map(|table| &table.rows).flat_map(|(_, cells)| cells)
    }
}

/// Rows with their names, and a cell of each for each column.
pub struct Table {
    pub caption: &'static str,
    pub columns: Vec<&'static str>,
    pub rows: Vec<(&'static str, Vec<Cell>)>,
}

/// A figure of a table.
pub struct Cell {
    pub file: &'static str,
    pub at: Vec<&'static str>,
    pub ours: Ours,
    /// Divisor that converts a value to the table's unit.
    pub per: f64,
    pub mean: f64,
    /// Standard deviation of the source's trials, if it has several.
    pub deviation: Option<f64>,
}

pub use grids::sheets;

const MBIT: f64 = 1e6;

/// All sections, in the order of the page; those measured anew in each run come last.
pub fn sections() -> Vec<Section> {
    let lasting = [windows::sections(), bbr::sections(), sharing::sections(), marks::sections(), founding::sections()];
    lasting.into_iter().flatten().chain(native::sections()).collect()
}
