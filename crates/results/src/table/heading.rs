//! Headings of a table's figures: means or medians, and the number of seeds.

use super::{Cell, Table};
use base::units::Centre;

impl Table {
    /// Returns the heading for the figures of some columns: `mean or median over 5 seeds (95 % interval)`, or `one
    /// seed`.
    pub fn heading(&self, centres: &[Centre]) -> String {
        let brackets = match self.has_seeds() {
            true if self.has_intervals() => " (95 % interval)",
            true => ", too few for a point's own interval",
            false => "",
        };
        self.over_seeds(centres) + brackets
    }

    /// Returns the heading for figures without their intervals.
    pub(crate) fn over_seeds(&self, centres: &[Centre]) -> String {
        let counts = || self.rows.iter().map(|row| row.seeds);
        let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
        if most < 2 {
            return "one seed".into();
        }
        let centre = match (centres.contains(&Centre::Mean), centres.contains(&Centre::Median)) {
            (true, true) => "mean or median",
            (false, true) => "median",
            _ => "mean",
        };
        let seeds = if least == most { format!("{most}") } else { format!("{least} to {most}") };
        format!("{centre} over {seeds} seeds")
    }

    /// Whether any figure has an interval.
    pub(crate) fn has_intervals(&self) -> bool {
        self.cells().any(|cell| cell.interval.is_some())
    }

    /// Whether the seeds of any figure form two groups far apart.
    pub(crate) fn has_modes(&self) -> bool {
        self.cells().any(|cell| cell.modes.is_some())
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flat_map(|row| &row.cells).flatten()
    }

    /// Whether any point has several seeds.
    pub(crate) fn has_seeds(&self) -> bool {
        self.rows.iter().any(|row| row.seeds > 1)
    }

    /// Whether some points have more seeds than others.
    pub(crate) fn seeds_differ(&self) -> bool {
        self.rows.windows(2).any(|pair| pair[0].seeds != pair[1].seeds)
    }
}
