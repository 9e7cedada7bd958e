//! Ranges of sequence space that do not touch.

use std::collections::BTreeMap;

/// First byte, and the byte after the last.
pub(super) type Range = (i64, i64);

/// Most ranges; more are damage, and the lowest are dropped.
const MAX_RANGES: usize = 1 << 16;

/// Ranges that neither overlap nor touch each other.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    all: BTreeMap<i64, i64>,
    bytes: i64,
}

impl Ranges {
    /// Adds a range; returns its new parts.
    pub fn add(&mut self, (from, to): Range) -> Vec<Range> {
        let mut fresh = vec![];
        let (mut start, mut end, mut at) = (from, to, from);
        if let Some((&known, &until)) = self.all.range(..=from).next_back()
            && until >= from
        {
            if until >= to {
                return fresh;
            }
            (start, at) = (known, until);
        }
        while at <= to
            && let Some((&known, &until)) = self.all.range(at..=to).next()
        {
            if known > at {
                fresh.push((at, known));
            }
            at = until.max(at);
            end = end.max(until);
            self.all.remove(&known);
        }
        if at < to {
            fresh.push((at, to));
        }
        self.bytes += fresh.iter().map(|(from, to)| to - from).sum::<i64>();
        self.all.insert(start, end);
        if self.all.len() > MAX_RANGES
            && let Some((from, to)) = self.all.pop_first()
        {
            self.bytes -= to - from;
        }
        fresh
    }

    /// Drops everything below a byte.
    pub fn forget_below(&mut self, at: i64) {
        while let Some(first) = self.all.first_entry().filter(|first| *first.key() < at) {
            let (start, end) = first.remove_entry();
            self.bytes -= end.min(at) - start;
            if end > at {
                self.all.insert(at, end);
            }
        }
    }

    /// Returns the bytes in all ranges.
    pub fn bytes(&self) -> i64 {
        self.bytes
    }

    /// Returns the byte after the last range.
    pub fn end(&self) -> Option<i64> {
        self.all.last_key_value().map(|(_, end)| *end)
    }
}
