use super::{Look, terminal};
use crate::table::{Cell, Column, Figure, Mark, Mode, Point, Published, Row, Table};
use analysis::MEASURES;
use base::units::{Centre, Shown};

const NARROW_LOOK: Look = Look { width: 80, all: false };

fn figure(value: f64) -> Figure {
    Figure { text: format!("{value}"), value }
}

fn column(name: &str, unit: &str, shown: Shown) -> Column {
    let (definition, centre) = (String::new(), Centre::Mean);
    Column { name: name.into(), unit: unit.into(), size: 1.0, definition, centre, shown }
}

/// Makes points along some keys, each with one row; every measure is the point's number, plus or minus one.
fn sweep(keys: &[&str], values: &[&[&str]], seeds: usize) -> Table {
    let columns = vec![
        column("goodput", "Mbit/s", Shown::First),
        column("retransmitted", "%", Shown::First),
        column("cwnd-mean", "packets", Shown::First),
        column("queue-delay-mean", "ms", Shown::Report),
    ];
    let cell = |point: usize| {
        let value = 100.0 + point as f64;
        let [min, max] = [value - 1.0, value + 1.0].map(figure);
        let interval = (seeds > 2).then(|| [min.clone(), max.clone()]);
        Some(Cell { centre: figure(value), interval, modes: None, min, max, known: seeds, seeds: vec![value; seeds] })
    };
    let row = |point| Row {
        point,
        subject: String::new(),
        name: "flow 0, cubic".into(),
        one_of_many: false,
        seeds,
        cells: vec![cell(point); columns.len()],
    };
    Table {
        keys: keys.iter().map(|key| (*key).into()).collect(),
        points: values
            .iter()
            .map(|point| Point { values: point.iter().map(|v| (*v).into()).collect(), label: point.join(", ") })
            .collect(),
        marks: vec![],
        rows: (0..values.len()).map(row).collect(),
        columns,
        published: vec![],
    }
}

#[track_caller]
fn check(table: &Table, look: Look, due: &str) {
    let text = terminal(table, look);
    assert_eq!(text, due.trim_start_matches('\n'), "\n{text}");
    assert!(text.lines().all(|line| line.chars().count() <= look.width));
}

#[test]
fn two_modes_are_shown_apart() {
    let mut table = sweep(&["flows.congestion"], &[&["cubic"], &["bbr"]], 7);
    table.columns.truncate(1);
    table.rows.iter_mut().for_each(|row| row.cells.truncate(1));
    let mode = |value, seeds| Mode { centre: figure(value), seeds };
    table.rows[0].cells[0].as_mut().unwrap().modes = Some([mode(166.0, 3), mode(632.0, 4)]);
    check(
        &table,
        Look { width: 80, all: false },
        "
Mean over 7 seeds (95 % interval):
congestion                   cubic               bbr
goodput     Mbit/s  166 ×3, 632 ×4  101 (100 to 102)
Two modes: x ×n is a group of n seeds around x, far from the others; no seed is
  like their mean or median.
",
    );
}

#[test]
fn a_few_rows_stand_side_by_side_with_what_was_published() {
    let mut table = sweep(&["flows.congestion"], &[&["cubic"], &["bbr"]], 5);
    let source = "somebody who measured the real line for a whole day and wrote it down".into();
    table.published = vec![Published { source, row: 0, column: 0, figure: figure(69.6) }];
    check(
        &table,
        NARROW_LOOK,
        "
Mean over 5 seeds (95 % interval):
congestion                        cubic               bbr
goodput        Mbit/s   100 (99 to 101)  101 (100 to 102)
  published    Mbit/s              69.6
retransmitted  %        100 (99 to 101)  101 (100 to 102)
cwnd-mean      packets  100 (99 to 101)  101 (100 to 102)
Published: somebody who measured the real line for a whole day and wrote it
  down.
",
    );
}

#[test]
fn intervals_go_first_where_there_is_no_room_and_columns_then() {
    let table = sweep(&["flows.congestion"], &[&["cubic"], &["bbr"], &["reno"], &["vegas"]], 5);
    check(
        &table,
        Look { width: 50, ..NARROW_LOOK },
        "
Mean over 5 seeds:
congestion              cubic  bbr  reno  vegas
goodput        Mbit/s     100  101   102    103
retransmitted  %          100  101   102    103
cwnd-mean      packets    100  101   102    103
",
    );
    check(
        &table,
        Look { width: 36, ..NARROW_LOOK },
        "
Mean over 5 seeds:
congestion  goodput  retransmitted
             Mbit/s              %
cubic           100            100
bbr             101            101
reno            102            102
vegas           103            103
Not shown: cwnd-mean; --all prints
  them.
",
    );
}

#[test]
fn all_is_every_measure_in_tables_that_fit() {
    let table = sweep(&["flows.congestion"], &[&["cubic"], &["bbr"], &["reno"], &["vegas"]], 5);
    check(
        &table,
        Look { width: 36, all: true },
        "
Mean over 5 seeds:
congestion  goodput  retransmitted
             Mbit/s              %
cubic           100            100
bbr             101            101
reno            102            102
vegas           103            103

                     queue-
              cwnd-  delay-
congestion     mean    mean
            packets      ms
cubic           100     100
bbr             101     101
reno            102     102
vegas           103     103
",
    );
}

#[test]
fn a_sweep_over_two_keys_is_a_grid_before_the_list() {
    let values: [&[&str]; 6] =
        [&["cubic", "0 %"], &["cubic", "1 %"], &["cubic", "2 %"], &["bbr", "0 %"], &["bbr", "1 %"], &["bbr", "2 %"]];
    let text = terminal(&sweep(&["flows.congestion", "path.loss"], &values, 1), NARROW_LOOK);
    let due = "goodput, Mbit/s: one seed
congestion \\ loss    0 %  1 %  2 %
cubic                100  101  102
bbr                  103  104  105

congestion  loss  goodput  retransmitted  cwnd-mean
                   Mbit/s              %    packets
cubic       0 %       100            100        100
";
    assert!(text.starts_with(due), "{text}");
}

#[test]
fn of_many_rows_only_the_ends_and_what_was_found_are_shown() {
    let sizes: Vec<[String; 1]> = (0..83).map(|i| [format!("{} B", 536 + 80 * i)]).collect();
    let values: Vec<Vec<&str>> = sizes.iter().map(|[size]| vec![size.as_str()]).collect();
    let values: Vec<&[&str]> = values.iter().map(Vec::as_slice).collect();
    let mut table = sweep(&["flows.mss"], &values, 1);
    assert_eq!(terminal(&table, NARROW_LOOK), "Not shown: 83 rows; --all prints them, and the report has them.\n");
    table.marks =
        vec![Mark { key: "flows.mss".into(), from: "616 B".into(), to: "696 B".into(), text: "falls".into() }];
    check(
        &table,
        NARROW_LOOK,
        "
mss     goodput  retransmitted  cwnd-mean
         Mbit/s              %    packets
536 B       100            100        100
616 B       101            101        101
696 B       102            102        102
776 B       103            103        103
7096 B      182            182        182
Shown: 5 of 83 rows, at the ends of the range and the edges of what was found;
  --all prints all.
",
    );
    assert_eq!(terminal(&table, Look { all: true, ..NARROW_LOOK }).lines().count(), 83 + 2);
}

#[test]
fn without_a_sweep_the_row_has_its_name() {
    let mut table = sweep(&[], &[&[]], 1);
    check(
        &table,
        NARROW_LOOK,
        "
                        flow 0, cubic
goodput        Mbit/s             100
retransmitted  %                  100
cwnd-mean      packets            100
",
    );
    table.columns.clear();
    table.rows[0].cells.clear();
    assert_eq!(terminal(&table, NARROW_LOOK), "");
}

#[test]
fn the_names_of_measures_break_into_three_lines_at_most() {
    let parts = |name: &str| name.split('-').count();
    assert!(MEASURES.iter().all(|measure| parts(measure.name) <= super::lines::MAX_HEAD_LINES));
}
