//! Ranges of sequence space that do not touch.

use std::collections::BTreeMap;

/// From byte to the byte after the last.
pub(super) type Range = (i64, i64);

/// More are damage: the oldest are forgotten.
const MOST: usize = 1 << 16;

/// Ranges that neither overlap nor touch each other.
#[derive(Debug, Default)]
pub(super) struct Ranges(BTreeMap<i64, i64>);

impl Ranges {
    /// Adds one; returns the parts of it that are new.
    pub fn add(&mut self, (from, to): Range) -> Vec<Range> {
        let mut fresh = vec![];
        let (mut start, mut end, mut at) = (from, to, from);
        if let Some((&known, &until)) = self.0.range(..=from).next_back()
            && until >= from
        {
            if until >= to {
                return fresh;
            }
            (start, at) = (known, until);
        }
        while at <= to
            && let Some((&known, &until)) = self.0.range(at..=to).next()
        {
            if known > at {
                fresh.push((at, known));
            }
            at = until.max(at);
            end = end.max(until);
            self.0.remove(&known);
        }
        if at < to {
            fresh.push((at, to));
        }
        self.0.insert(start, end);
        if self.0.len() > MOST {
            self.0.pop_first();
        }
        fresh
    }

    /// Forgets what is below.
    pub fn forget_below(&mut self, at: i64) {
        while let Some(first) = self.0.first_entry().filter(|first| *first.key() < at) {
            let (_, end) = first.remove_entry();
            if end > at {
                self.0.insert(at, end);
            }
        }
    }

    /// The byte after the last of all.
    pub fn end(&self) -> Option<i64> {
        self.0.last_key_value().map(|(_, end)| *end)
    }
}
