//! Reads times that are alone on a line: `date`, ISO 8601, seconds of the epoch, the head of `watch`.

use super::{decimal, whole};

/// Reads a time, seconds since some midnight or the epoch. Only differences within a file are used, so zones are
/// ignored.
pub(in crate::import) fn stamp(line: &str) -> Option<f64> {
    if line.len() > MAX_LINE_BYTES {
        return None;
    }
    let line = line.trim_matches(|c: char| c.is_whitespace() || "=-#*[]<>".contains(c));
    if let Some(head) = line.strip_prefix("Every ") {
        let (_, date) = head.rsplit_once(": ")?;
        return date_and_time(date);
    }
    date_and_time(line)
}

/// Returns the seconds between the screens of a loop: `while sleep 1; do ss -tin; done`.
pub(super) fn interval(command: &str) -> Option<f64> {
    let (_, after) = command.split_once("sleep ")?;
    let seconds = after.split(|c: char| c.is_whitespace() || c == ';').next()?;
    decimal(seconds.trim_end_matches('s')).filter(|&seconds| seconds > 0.0)
}

/// Longest line with a time, bytes: the head of `watch` contains a command.
const MAX_LINE_BYTES: usize = 300;

fn date_and_time(text: &str) -> Option<f64> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).flat_map(halves);
    if let Some(epoch) = decimal(text.trim()).filter(|epoch| (1e9..4e9).contains(epoch)) {
        return Some(epoch);
    }
    let mut day = Day::default();
    let (mut time, mut afternoon, mut morning) = (None, false, false);
    for word in words {
        if let Some(seconds) = clock(word) {
            if time.replace(seconds).is_some() {
                return None;
            }
        } else if word.eq_ignore_ascii_case("pm") {
            afternoon = true;
        } else if word.eq_ignore_ascii_case("am") {
            morning = true;
        } else if !day.take(word) && !is_weekday(word) && !is_zone(word) {
            return None;
        }
    }
    let mut time = time?;
    if (afternoon || morning) && (43_200.0..46_800.0).contains(&time) {
        time -= 43_200.0;
    }
    if afternoon {
        time += 43_200.0;
    }
    Some(day.number()? * 86_400.0 + time)
}

/// Splits `2026-11-22T09:21:20` into date and time.
fn halves(word: &str) -> impl Iterator<Item = &str> {
    let halves = word.split_once('T').filter(|(date, _)| date.ends_with(|c: char| c.is_ascii_digit()));
    let (first, second) = halves.map_or((word, None), |(date, time)| (date, Some(time)));
    [Some(first), second].into_iter().flatten()
}

/// Parses `09:21:20` or `09:21:20.123`, with or without a zone after it.
fn clock(word: &str) -> Option<f64> {
    let word = word.strip_suffix('Z').unwrap_or(word);
    let word = word.split(['+']).next()?;
    let mut parts = word.split(':');
    let (hours, minutes, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let seconds = rest.split('-').next()?;
    let (hours, minutes, seconds) = (whole(hours)?, whole(minutes)?, decimal(seconds)?);
    (hours < 24 && minutes < 60 && seconds < 61.0).then_some((hours * 3600 + minutes * 60) as f64 + seconds)
}

#[derive(Default)]
struct Day {
    year: Option<u64>,
    month: Option<u64>,
    day: Option<u64>,
}

impl Day {
    /// Takes a word that is part of a date; false if it is not.
    fn take(&mut self, word: &str) -> bool {
        let month = MONTHS.iter().position(|month| word.len() >= 3 && month.starts_with(&word.to_ascii_lowercase()));
        if let Some(month) = month {
            return self.month.replace(month as u64 + 1).is_none();
        }
        let mut parts = word.splitn(3, ['-', '/']);
        if let (Some(year), Some(month), Some(day)) = (parts.next(), parts.next(), parts.next()) {
            (self.year, self.month, self.day) = (whole(year), whole(month), whole(day));
            return year.len() == 4 && self.month.is_some() && self.day.is_some();
        }
        match (word.len(), whole(word.trim_end_matches('.'))) {
            (4, Some(year)) => self.year.replace(year).is_none(),
            (1..=3, Some(day)) => self.day.replace(day).is_none(),
            _ => false,
        }
    }

    /// Returns days since 1 January 1970; 0 without a date. The algorithm is Howard Hinnant's days_from_civil.
    fn number(&self) -> Option<f64> {
        let (Some(month), Some(day)) = (self.month, self.day) else {
            return (self.month.is_none() && self.day.is_none() && self.year.is_none()).then_some(0.0);
        };
        let year = self.year.unwrap_or(1970);
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(1970..2200).contains(&year) {
            return None;
        }
        let year = if month <= 2 { year - 1 } else { year };
        let (era, of_era) = (year / 400, year % 400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
        Some((era * 146_097 + of_era) as f64 - 719_468.0)
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

fn is_weekday(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ',']).to_ascii_lowercase();
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    word.len() >= 3 && days.iter().any(|day| day.starts_with(&word))
}

fn is_zone(word: &str) -> bool {
    let offset =
        word.strip_prefix(['+', '-']).is_some_and(|offset| offset.bytes().all(|b| b.is_ascii_digit() || b == b':'));
    offset || (1..=5).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_the_forms_that_date_prints() {
        let second = |line: &str| stamp(line).unwrap_or_else(|| panic!("{line}"));
        let epoch = second("1795339280");
        for line in [
            "Sun Nov 22 09:21:20 UTC 2026",
            "Sun 22 Nov 2026 09:21:20 AM UTC",
            "2026-11-22T09:21:20Z",
            "2026-11-22T09:21:20+00:00",
            "2026-11-22 09:21:20",
            "=== 2026-11-22 09:21:20.000 ===",
            "Every 1.0s: ss -tin dst 10.0.0.1      host: Sun Nov 22 09:21:20 2026",
            "1795339280.000",
        ] {
            assert_eq!(second(line), epoch, "{line}");
        }
        assert_eq!(second("Tue Nov 24 09:21:20 EST 2026"), epoch + 2.0 * 86_400.0);
        assert_eq!(second("09:21:20.5"), 33_680.5);
        assert_eq!(second("12:00:01 AM"), 1.0);
        for line in ["", "prose", "1500", "10:20", "Posted 2020-10-14 20:55", "at 10:00:00 we began", "99:00:00"] {
            assert_eq!(stamp(line), None, "{line}");
        }
        assert_eq!(interval("while true; do ss -tin; sleep 0.5; done"), Some(0.5));
    }
}
