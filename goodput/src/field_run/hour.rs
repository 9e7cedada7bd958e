//! Times in UTC, by `chrono`: Arrow has it in the tree anyway.

use chrono::DateTime;
use std::time::{SystemTime, UNIX_EPOCH};

/// Returns seconds since the epoch.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Prints a time, such as `2026-11-28 21:40`.
pub fn utc(seconds: u64) -> String {
    let time = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    time.unwrap_or_default().format("%Y-%m-%d %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `date -u -d @SECONDS` prints the same.
    #[test]
    fn seconds_are_dates() {
        for (seconds, text) in
            [(0, "1970-01-01 00:00"), (951_782_400, "2000-02-29 00:00"), (1_795_902_043, "2026-11-28 21:40")]
        {
            assert_eq!(utc(seconds), text);
        }
    }
}
