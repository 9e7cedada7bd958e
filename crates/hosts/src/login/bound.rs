//! How much a host may answer: as much as what was asked for has, and no more.

/// The largest answer: its length, and the number of values of its JSON. Both bound the memory that it takes once it is
/// read, because a value takes little besides its own text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// Length, bytes.
    pub bytes: usize,
    /// Numbers, texts, lists and records.
    pub values: usize,
}

/// Longest answer, bytes: ten minutes of samples every 10 ms have 42 MB.
const MAX_BYTES: usize = 48 << 20;

/// Length of a sample, bytes, and its values: `struct tcp_info` of Linux 6.18 has 280 bytes, each two digits, and is to
/// grow.
const SAMPLE_BYTES: usize = 1024;
const SAMPLE_VALUES: usize = 9;

/// The same of a record of counts, such as an interval or an end of a flow. An interval of `iperf3 -J` has 23 values.
const RECORD_BYTES: usize = 1024;
const RECORD_VALUES: usize = 25;

impl Bound {
    /// Returns the bound of an answer with this many samples and records.
    pub fn for_counts(samples: usize, records: usize) -> Bound {
        // An answer without either is a record too.
        let records = records.saturating_add(4);
        let sum = |sample: usize, record: usize| {
            samples.saturating_mul(sample).saturating_add(records.saturating_mul(record))
        };
        let bytes = sum(SAMPLE_BYTES, RECORD_BYTES).min(MAX_BYTES);
        Bound { bytes, values: sum(SAMPLE_VALUES, RECORD_VALUES).min(MAX_BYTES / SAMPLE_BYTES * SAMPLE_VALUES) }
    }

    /// Whether a JSON document is within the bound.
    pub fn admits(self, document: &[u8]) -> bool {
        document.len() <= self.bytes && values(document) <= self.values
    }
}

/// Returns the number of values of a JSON document: one more than the commas outside its texts. A list in a list needs
/// none, and serde_json refuses more than 128 of those.
fn values(document: &[u8]) -> usize {
    let (mut count, mut in_text, mut escaped) = (1, false, false);
    for byte in document {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b',' if !in_text => count += 1,
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_texts_are_one() {
        let document = br#"{"a":[1,2,{}],"b,\",":"x,y\\","c":null}"#;
        assert_eq!(values(document), 5);
        assert_eq!(values(b"7"), 1);
    }

    #[test]
    fn an_answer_has_what_was_asked_for_and_no_more() {
        let bound = Bound::for_counts(10, 0);
        let text = |length: usize| format!("\"{}\"", ",".repeat(length - 2)).into_bytes();
        assert!(bound.admits(&text(bound.bytes)) && !bound.admits(&text(bound.bytes + 1)));
        let list = |length: usize| format!("[{}0]", "0,".repeat(length - 1)).into_bytes();
        assert!(bound.admits(&list(bound.values)) && !bound.admits(&list(bound.values + 1)));
        assert_eq!(Bound::for_counts(usize::MAX, usize::MAX).bytes, MAX_BYTES);
    }
}
