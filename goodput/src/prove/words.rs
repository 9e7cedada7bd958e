//! Mechanisms and figures as sentences have them.

use super::explain::NOTHING;

/// Mechanisms as a sentence has them.
pub fn noun(name: &str) -> String {
    let one = |name: &str| match name {
        name if name.ends_with("loss") || name.starts_with("socket") || [NOTHING, "reordering"].contains(&name) => {
            name.into()
        }
        name if name.starts_with("pace") || ["line", "receive window", "send buffer"].contains(&name) => {
            format!("the {name}")
        }
        name if name.starts_with(['A', 'M', 'o']) => format!("an {name}"),
        name => format!("a {name}"),
    };
    name.split(" + ").map(one).collect::<Vec<String>>().join(" with ")
}

/// A figure with two digits that count.
pub fn two_digits(value: f64) -> String {
    let digits = if value > 0.0 { (1 - value.log10().floor() as i32).clamp(0, 4) as usize } else { 0 };
    format!("{value:.digits$}")
}
