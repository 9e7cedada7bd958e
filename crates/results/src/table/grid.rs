//! A sweep over two axes as a table of one measure: one axis down, the other across.

use super::axis::{Axis, axes};
use super::{Point, Row, Table};

/// The table's rows of points with two axes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// The keys down and across, such as `flows.congestion` and `path.loss`.
    pub keys: [String; 2],
    pub across: Vec<String>,
    /// A row for each value down; if points have several rows, one for each of them.
    pub rows: Vec<GridRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridRow {
    pub value: String,
    /// Flow or lane of the row; empty if points have a single row.
    pub subject: String,
    /// Index of the table's row for each value across; `None` if there is no such point.
    pub cells: Vec<Option<usize>>,
}

/// Largest number of columns and rows of a grid.
const MAX_COLUMNS: usize = 12;
const MAX_ROWS: usize = 24;

impl Table {
    /// Returns the grid of a sweep over two axes that is small enough: names down and quantities across.
    pub fn grid(&self) -> Option<Grid> {
        grid(&self.keys, &self.points, &self.rows)
    }
}

fn grid(keys: &[String], points: &[Point], rows: &[Row]) -> Option<Grid> {
    let axes = axes(keys, points);
    let [first, second] = axes.as_slice() else { return None };
    let (mut down, mut across) = (first, second);
    let names_across = down.scale.is_some() && across.scale.is_none();
    if names_across && down.first.len() <= MAX_COLUMNS || across.first.len() > MAX_COLUMNS {
        (down, across) = (across, down);
    }
    if down.first.len() > MAX_ROWS || across.first.len() > MAX_COLUMNS {
        return None;
    }
    let text = |axis: &Axis, value: usize| {
        let values = axis.keys.iter().map(|key| points[axis.first[value]].values[*key].as_str());
        values.collect::<Vec<_>>().join(", ")
    };
    let name = |axis: &Axis| axis.keys.iter().map(|key| keys[*key].as_str()).collect::<Vec<_>>().join(", ");
    let order = across.order(points);
    let mut lines = vec![];
    for value in down.order(points) {
        let at = |row: &&Row| down.at[row.point] == value;
        let mut subjects: Vec<&str> = vec![];
        for row in rows.iter().filter(at) {
            if !subjects.contains(&row.subject.as_str()) {
                subjects.push(&row.subject);
            }
        }
        lines.extend(subjects.into_iter().map(|subject| {
            GridRow {
                value: text(down, value),
                subject: subject.into(),
                cells: (order.iter())
                    .map(|column| {
                        rows.iter()
                            .position(|row| at(&row) && across.at[row.point] == *column && row.subject == subject)
                    })
                    .collect(),
            }
        }));
    }
    Some(Grid {
        keys: [name(down), name(across)],
        across: order.iter().map(|value| text(across, *value)).collect(),
        rows: lines,
    })
}

impl Grid {
    /// Returns the rows that have a value in a column of the table.
    pub fn rows_of(&self, rows: &[Row], column: usize) -> Vec<&GridRow> {
        let known = |row: &usize| rows[*row].cells[column].is_some();
        self.rows.iter().filter(|row| row.cells.iter().flatten().any(known)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(first: &[&str], second: &[&str]) -> Vec<Point> {
        let pair = |a: &str, b: &str| Point { values: vec![a.into(), b.into()], label: String::new() };
        first.iter().flat_map(|a| second.iter().map(move |b| pair(a, b))).collect()
    }

    fn rows(points: usize, subjects: &[&str]) -> Vec<Row> {
        let row = |point, subject: &str| Row {
            point,
            subject: subject.into(),
            name: String::new(),
            one_of_many: false,
            seeds: 1,
            cells: vec![],
        };
        (0..points).flat_map(|point| subjects.iter().map(move |subject| row(point, subject))).collect()
    }

    fn keys(names: [&str; 2]) -> Vec<String> {
        names.map(String::from).to_vec()
    }

    #[test]
    fn names_stand_down_and_quantities_across_in_their_order() {
        let points = points(&["2 %", "1 %"], &["cubic", "bbr"]);
        let grid = grid(&keys(["loss", "cc"]), &points[..3], &rows(3, &[""])).unwrap();
        assert_eq!((grid.keys, grid.across), (["cc".into(), "loss".into()], keys(["1 %", "2 %"])));
        let cells: Vec<_> = grid.rows.iter().map(|row| (row.value.as_str(), row.cells.clone())).collect();
        assert_eq!(cells, [("cubic", vec![Some(2), Some(0)]), ("bbr", vec![None, Some(1)])]);
    }

    #[test]
    fn flows_have_rows_of_their_own() {
        let points = points(&["a", "b"], &["1", "2"]);
        let grid = grid(&keys(["name", "n"]), &points, &rows(4, &["flow 0", "flow 1"])).unwrap();
        let subjects: Vec<_> = grid.rows.iter().map(|row| (row.value.as_str(), row.subject.as_str())).collect();
        assert_eq!(subjects, [("a", "flow 0"), ("a", "flow 1"), ("b", "flow 0"), ("b", "flow 1")]);
        assert_eq!(grid.rows[3].cells, [Some(5), Some(7)]);
    }

    #[test]
    fn one_axis_and_large_ones_are_no_grid() {
        let many: Vec<String> = (0..30).map(|i| i.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let of = |first: &[&str], second: &[&str]| {
            let points = points(first, second);
            grid(&keys(["x", "y"]), &points, &rows(points.len(), &[""]))
                .map(|grid| (grid.rows.len(), grid.across.len()))
        };
        assert_eq!(of(&["a"], &["1", "2"]), None);
        assert_eq!(of(&many[..20], &["a", "b"]), Some((20, 2)), "turned, as 20 do not fit across");
        assert_eq!(of(&["a", "b"], &many), None);
        assert_eq!(of(&many[..13], &many[..13]), None);
    }
}
