//! The hour, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since the epoch.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// `2026-11-28 21:40`. The date is Howard Hinnant's civil_from_days.
pub fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let in_year = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * in_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let date = in_year - (153 * shifted + 2) / 5 + 1;
    format!("{year}-{month:02}-{date:02} {:02}:{:02}", rest / 3600, rest / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `date -u -d @SECONDS` prints them.
    #[test]
    fn seconds_are_dates() {
        for (seconds, text) in
            [(0, "1970-01-01 00:00"), (951_782_400, "2000-02-29 00:00"), (1_795_902_043, "2026-11-28 21:40")]
        {
            assert_eq!(utc(seconds), text);
        }
    }
}
