//! Seeds as `goodput run --seeds` accepts them: a number of seeds, or a range.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

/// Consecutive seeds, the same at every point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Seeds {
    /// The first seed.
    pub first: u64,
    /// Number of seeds.
    pub count: u64,
}

impl Seeds {
    /// Accepted numbers of seeds per point.
    pub const COUNTS: RangeInclusive<u64> = 1..=1_000;
    /// Accepted seeds.
    pub const NUMBERS: RangeInclusive<u64> = 1..=1_000_000_000;

    /// Returns the seeds at these positions, counted from 0.
    pub fn at(self, places: Range<u64>) -> Range<u64> {
        self.first + places.start..self.first + places.end
    }

    /// Returns the last seed.
    pub fn last(self) -> u64 {
        self.first + self.count - 1
    }
}

impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.first {
            1 => write!(f, "{}", self.count),
            first => write!(f, "{first}..{}", self.last()),
        }
    }
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seeds, String> {
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let [(fewest, most), (lowest, highest)] = [Seeds::COUNTS, Seeds::NUMBERS].map(|range| range.into_inner());
        let Some((first, last)) = text.split_once("..") else {
            return match number(text) {
                Some(count) if Seeds::COUNTS.contains(&count) => Ok(Seeds { first: 1, count }),
                Some(_) => Err(format!("is out of range\n  accepted: {fewest} to {most} seeds")),
                None => Err(unclear(text)),
            };
        };
        let (Some(first), Some(last)) = (number(first), number(last)) else { return Err(unclear(text)) };
        if let Some(outside) = [first, last].into_iter().find(|seed| !Seeds::NUMBERS.contains(seed)) {
            return Err(format!("seed {outside} is out of range\n  accepted: {lowest} to {highest}"));
        }
        if first > last {
            return Err(format!("the last seed is below the first\n\nhint: write {last}..{first}"));
        }
        let count = last - first + 1;
        match Seeds::COUNTS.contains(&count) {
            true => Ok(Seeds { first, count }),
            false => Err(format!("it has {count} seeds, both ends included\n  accepted: {fewest} to {most} seeds")),
        }
    }
}

impl From<Seeds> for String {
    fn from(seeds: Seeds) -> String {
        seeds.to_string()
    }
}

impl TryFrom<String> for Seeds {
    type Error = String;

    fn try_from(text: String) -> Result<Seeds, String> {
        text.parse()
    }
}

/// Returns the error for a text that is neither a number nor a range; it suggests the range that was probably meant.
fn unclear(text: &str) -> String {
    let numbers: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let is_range = text.trim().chars().all(|c| c.is_ascii_digit() || " .,:=-".contains(c)) && !text.starts_with('-');
    let hint = match numbers[..] {
        [first, last] if is_range => format!("\n\nhint: write {first}..{last}"),
        _ => String::new(),
    };
    format!(
        "is neither a number of seeds nor a range of them\n  accepted: 10 for seeds 1 to 10, 101..110 for seeds 101 to 110{hint}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_number_or_a_range_with_both_ends() {
        let seeds = |text: &str| text.parse::<Seeds>().map(|seeds| seeds.at(0..seeds.count).collect::<Vec<_>>());
        assert_eq!(seeds("3"), Ok(vec![1, 2, 3]));
        assert_eq!(seeds("101..103"), Ok(vec![101, 102, 103]));
        assert_eq!(seeds("3..3"), Ok(vec![3]));
        assert_eq!(seeds("1..1000").map(|seeds| seeds.len()), Ok(1000));
        assert_eq!(seeds("1000000000..1000000000"), Ok(vec![1_000_000_000]));
        for text in ["10", "101..110", "3..3"] {
            assert_eq!(text.parse::<Seeds>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn wrong_seeds_are_refused_with_what_to_write() {
        let refused = |text: &str| text.parse::<Seeds>().expect_err(text);
        for (text, what) in [
            ("0", "out of range"),
            ("1001", "accepted: 1 to 1000 seeds"),
            ("0..5", "seed 0 is out of range"),
            ("110..101", "hint: write 101..110"),
            ("1..1001", "it has 1001 seeds"),
            ("1..1000000001", "seed 1000000001 is out of range"),
            ("101-110", "hint: write 101..110"),
            ("101..=110", "hint: write 101..110"),
            ("101 to 110", "neither a number"),
            ("..5", "neither a number"),
            ("5..", "neither a number"),
            ("-3", "neither a number"),
            ("", "neither a number"),
            ("99999999999999999999", "neither a number"),
        ] {
            assert!(refused(text).contains(what), "{text}: {}", refused(text));
        }
    }
}
