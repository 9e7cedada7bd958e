//! Offers the JSON objects of a page to a reader.

use crate::Place;
use crate::import::Page;
use serde_json::{Deserializer, Value};

/// Bytes at the start of an object in which one of its keys is searched.
const HEAD_BYTES: usize = 512;

/// Offers each object that begins a line, alone or as the first of a list, and has one of `keys` near its start. Claims
/// the lines of those that `take` knows.
pub(super) fn objects(page: &mut Page<'_>, keys: &[&str], mut take: impl FnMut(&Value, &Place) -> bool) {
    let has_key = |text: &str| keys.iter().any(|key| text.contains(key));
    if !page.unclaimed().any(|(_, line)| has_key(line)) {
        return;
    }
    let lines: Vec<&str> = page.lines.iter().map(|line| line.text).collect();
    let text = lines.join("\n");
    let starts: Vec<usize> = lines
        .iter()
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len() + 1;
            Some(start)
        })
        .collect();
    let mut from = 0;
    while let Some(index) = (from..lines.len()).find(|index| !page.lines[*index].claimed) {
        from = index + 1;
        let indent = lines[index].len() - lines[index].trim_start_matches([' ', '\t', '[']).len();
        let rest = &text[starts[index] + indent..];
        if !rest.starts_with('{') || !has_key(&String::from_utf8_lossy(&rest.as_bytes()[..rest.len().min(HEAD_BYTES)]))
        {
            continue;
        }
        let mut objects = Deserializer::from_str(rest).into_iter::<Value>();
        let Some(Ok(object)) = objects.next() else { continue };
        let end = starts[index] + indent + objects.byte_offset();
        if take(&object, &page.place(index)) {
            from = starts.partition_point(|start| *start < end);
            (index..from).for_each(|line| page.claim(line));
        }
    }
}

/// Returns a number that is finite and not negative.
pub(super) fn number(value: &Value, key: &str) -> Option<f64> {
    value[key].as_f64().filter(|number| number.is_finite() && *number >= 0.0)
}
