//! Output: a row for each figure, with its target and whether it is met.

/// The values of some runs.
pub struct Runs(Vec<f64>);

impl Runs {
    /// `measure` is called for each run.
    pub fn of(count: usize, measure: impl FnMut(usize) -> Result<f64, String>) -> Result<Runs, String> {
        (0..count).map(measure).collect::<Result<_, _>>().map(Runs)
    }

    /// Value by value, in the order of the runs.
    pub fn from(values: impl IntoIterator<Item = f64>) -> Runs {
        Runs(values.into_iter().collect())
    }

    fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    /// The median.
    pub fn median(&self) -> f64 {
        let sorted = self.sorted();
        let middle = sorted.len() / 2;
        if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
    }

    /// The runs within the 95 % interval of the median, which ranks bound (the sign test's interval).
    pub fn around_the_median(&self) -> Runs {
        let sorted = self.sorted();
        let runs = sorted.len();
        let mut below = 0.5_f64.powi(runs as i32);
        let (mut sum, mut outside) = (below, 0);
        while sum <= 0.025 {
            outside += 1;
            below *= (runs - outside + 1) as f64 / outside as f64;
            sum += below;
        }
        Runs(sorted[outside.saturating_sub(1)..runs - outside.saturating_sub(1)].to_vec())
    }

    fn text(&self, show: impl Fn(f64) -> String) -> String {
        let sorted = self.sorted();
        match sorted[..] {
            [one] => show(one),
            _ => format!("{} ({} to {})", show(self.median()), show(sorted[0]), show(sorted[sorted.len() - 1])),
        }
    }
}

/// Limit of a figure.
pub enum Target {
    AtMost(f64),
    AtLeast(f64),
}

/// A figure.
pub struct Row {
    figure: String,
    measured: String,
    target: String,
    met: &'static str,
}

impl Row {
    /// A figure that has a target; `show` gives a value its unit.
    pub fn held(figure: &str, runs: &Runs, target: Target, show: impl Fn(f64) -> String) -> Row {
        let median = runs.median();
        let (words, limit, met) = match target {
            Target::AtMost(limit) => ("at most", limit, median <= limit),
            Target::AtLeast(limit) => ("at least", limit, median >= limit),
        };
        Row {
            figure: figure.into(),
            measured: runs.text(&show),
            target: format!("{words} {}", show(limit)),
            met: if met { "met" } else { "MISSED" },
        }
    }

    /// A figure that explains another.
    pub fn shown(figure: &str, runs: &Runs, show: impl Fn(f64) -> String) -> Row {
        Row { figure: figure.into(), measured: runs.text(show), target: String::new(), met: "" }
    }

    /// Something that must be so.
    pub fn proven(figure: &str, so: bool) -> Row {
        let [measured, met] = if so { ["yes", "met"] } else { ["NO", "MISSED"] };
        Row { figure: figure.into(), measured: measured.into(), target: "yes".into(), met }
    }

    /// A figure that could not be measured; prints the reason.
    pub fn missing(figure: &str, why: &str) -> Row {
        eprintln!("{figure}: {why}");
        Row { figure: figure.into(), measured: "not measured".into(), target: String::new(), met: "" }
    }
}

/// The rows as a Markdown table.
pub fn text(rows: &[Row]) -> String {
    let head = ["figure", "measured", "target", ""].map(String::from);
    let cells = rows.iter().map(|r| [r.figure.clone(), r.measured.clone(), r.target.clone(), r.met.into()]);
    let lines: Vec<[String; 4]> = std::iter::once(head).chain(cells).collect();
    let widths: [usize; 4] = std::array::from_fn(|n| lines.iter().map(|l| l[n].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for (number, cells) in lines.iter().enumerate() {
        let padded: Vec<String> = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text += &format!("| {} |\n", padded.join(" | "));
        if number == 0 {
            text += &format!("|{}|\n", widths.map(|width| "-".repeat(width + 2)).join("|"));
        }
    }
    text
}
