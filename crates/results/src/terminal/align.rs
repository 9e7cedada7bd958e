//! Aligns cells in columns.

use evidence::plain;

/// Aligns the first `left` columns to the left, the others to the right.
pub fn align(lines: &[Vec<String>], left: usize) -> String {
    let plain = |line: &Vec<String>| line.iter().map(|cell| plain::line(cell).into_owned()).collect();
    let lines: Vec<Vec<String>> = lines.iter().map(plain).collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| lines.iter().filter_map(|line| line.get(c)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|c| width(c).unwrap_or(0)).collect();
    let cell = |(c, text): (usize, &String)| {
        if c < left { format!("{text:<0$}", widths[c]) } else { format!("{text:>0$}", widths[c]) }
    };
    let line = |line: &Vec<String>| {
        let cells: Vec<String> = line.iter().enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_string() + "\n"
    };
    lines.iter().map(line).collect()
}

/// True if no line is longer than `width`.
pub fn fits(text: &str, width: usize) -> bool {
    text.lines().all(|line| line.chars().count() <= width)
}
