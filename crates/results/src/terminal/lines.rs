//! A table with a line for each row, and as many measures as fit.

use super::Look;
use super::align::{align, fits};
use super::selection::Selection;
use base::show;
use base::units::Shown;

/// Columns of a measure and of its published figures, each from its head down.
type Group = Vec<Vec<String>>;

/// Formats the rows. Measures that do not fit are only named, or follow in further tables with `all`; those that the
/// experiment asks for come first.
/// Also returns the part that is shown, if some measures are left out.
pub fn lines<'t>(shown: &Selection<'t>, look: Look) -> (String, Option<Selection<'t>>) {
    let whole: Vec<Group> = shown.columns.iter().map(|column| group(shown, *column, false)).collect();
    let text = table(shown, &whole);
    if fits(&text, look.width) {
        return (shown.heading(false) + &text, None);
    }
    if look.all {
        let blocks = blocks(shown, groups(shown), look.width);
        let tables: Vec<String> = blocks.iter().map(|block| table(shown, block)).collect();
        return (shown.heading(false) + &tables.join("\n"), None);
    }
    let part = fitting(shown, look.width);
    let rest = shown.columns.iter().filter(|column| !part.columns.contains(column));
    let rest: Vec<&str> = rest.map(|column| shown.column(*column).name.as_str()).collect();
    let note = match rest[..] {
        [] => String::new(),
        _ => show::paragraph("Not shown: ", &format!("{}; --all prints them.", rest.join(", ")), look.width),
    };
    let tables: Vec<String> =
        blocks(&part, groups(&part), look.width).iter().map(|block| table(&part, block)).collect();
    (part.heading(false) + &tables.join("\n") + &note, Some(part))
}

/// Returns the columns of the measures, their names broken after hyphens.
fn groups(shown: &Selection) -> Vec<Group> {
    shown.columns.iter().map(|column| group(shown, *column, true)).collect()
}

/// Selects the measures that the experiment asks for, which may take several tables, and as many others as fit; at least
/// one.
fn fitting<'t>(shown: &Selection<'t>, width: usize) -> Selection<'t> {
    let mut order = shown.columns.clone();
    order.sort_by_key(|column| shown.column(*column).shown);
    let with = |number: usize| {
        let mut columns = order[..number].to_vec();
        columns.sort_unstable();
        shown.with(columns)
    };
    let fits = |part: &Selection| fits(&table(part, &groups(part)), width);
    let asked = order.iter().filter(|column| shown.column(**column).shown == Shown::Asked).count();
    let number = (2..=order.len()).take_while(|number| fits(&with(*number))).last();
    with(number.unwrap_or(1).max(asked))
}

/// Returns the columns of a measure, with its name in one line or broken after hyphens.
fn group(shown: &Selection, column: usize, broken: bool) -> Group {
    let measure = shown.column(column);
    let name = |name: &str| match broken {
        true => name.split_inclusive('-').map(String::from).collect::<Vec<_>>(),
        false => vec![name.to_owned()],
    };
    let of = |head: Vec<String>, cell: &dyn Fn(usize) -> String| {
        // Align heads at the bottom.
        let empty = std::iter::repeat_n(String::new(), MAX_HEAD_LINES - head.len());
        let unit = std::iter::once(measure.unit.clone());
        empty.chain(head).chain(unit).chain(shown.rows.iter().map(|row| cell(*row))).collect::<Vec<_>>()
    };
    let mut group = vec![of(name(&measure.name), &|row| shown.cell(row, column, false))];
    if shown.is_published(column) {
        let published = |row| shown.published(row, column).unwrap_or_default();
        group.push(of(name("published"), &published));
    }
    group
}

/// Most lines of a column's name, broken at hyphens.
pub(super) const MAX_HEAD_LINES: usize = 3;

/// Returns the columns that identify a row.
fn names(shown: &Selection) -> Group {
    let column = |head: &str, cell: &dyn Fn(usize, bool) -> String| {
        let mut before = None;
        let cells = shown.rows.iter().map(|row| {
            let again = before.replace(shown.row(*row).point) == Some(shown.row(*row).point);
            cell(*row, again)
        });
        let head = std::iter::repeat_n(String::new(), MAX_HEAD_LINES - 1).chain([head.to_owned(), String::new()]);
        head.chain(cells).collect::<Vec<_>>()
    };
    let points = &shown.table.points;
    let value = |row: usize, key: usize| points[shown.row(row).point].values[key].clone();
    let of_key = |key: usize| column(shown.key(key), &|row, again| if again { String::new() } else { value(row, key) });
    let mut names: Group = (0..shown.table.keys.len()).map(of_key).collect();
    if names.is_empty() || shown.rows.iter().any(|row| !shown.row(*row).subject.is_empty()) {
        names.push(column("", &|row, _| shown.row(row).name.clone()));
    }
    if shown.table.seeds_differ() {
        names.push(column("seeds", &|row, again| if again { String::new() } else { shown.row(row).seeds.to_string() }));
    }
    names
}

fn table(shown: &Selection, groups: &[Group]) -> String {
    let names = names(shown);
    let left = names.len();
    let columns: Vec<&Vec<String>> = names.iter().chain(groups.iter().flatten()).collect();
    let lines = (0..columns[0].len()).map(|line| columns.iter().map(|column| column[line].clone()).collect());
    let lines: Vec<Vec<String>> = lines.collect();
    let blank = lines.iter().take_while(|line| line.iter().all(String::is_empty)).count();
    align(&lines[blank..], left)
}

/// Splits the measures into as few tables as fit, each with at least one.
fn blocks(shown: &Selection, groups: Vec<Group>, width: usize) -> Vec<Vec<Group>> {
    let mut blocks: Vec<Vec<Group>> = vec![vec![]];
    for group in groups {
        let block = blocks.last_mut().expect("there is a block");
        block.push(group);
        if block.len() > 1 && !fits(&table(shown, block), width) {
            let next = block.pop().into_iter().collect();
            blocks.push(next);
        }
    }
    blocks
}
