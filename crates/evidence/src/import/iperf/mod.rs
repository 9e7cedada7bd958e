//! Reads output of iperf3 and iperf as users keep it: text or JSON, inside prose, cut off, from any version.
//!
//! `text` walks the lines, `row` reads one line of a table, `command` the command line, `json` documents and event
//! streams; `draft` collects the parts of one run. Each number keeps the resolution with which it was printed; a
//! missing one is `None`. `summary` computes from a listing, and says which end counted.

mod command;
mod connection;
mod draft;
mod json;
mod row;
pub mod summary;
mod text;

#[cfg(test)]
mod tests;

use super::{Page, mail};
use crate::fault::Errors;
use crate::{Evidence, Listing, Printed};
use std::borrow::Cow;

/// Reads every listing in a file, in order; `--bidir` gives two, forward and backward. `name` names the file in errors.
/// Time and memory are proportional to the file.
pub fn read(name: &str, bytes: &[u8]) -> Result<Vec<Listing>, Errors> {
    let text = decoded(bytes);
    let text::Read { listings, faults, none, .. } = text::read(&text);
    match (faults, none) {
        (faults, _) if !faults.is_empty() => Err(Errors::new(name, &text, faults)),
        (_, Some(none)) => Err(Errors::new(name, &text, vec![none])),
        _ => Ok(listings),
    }
}

/// Takes the listings from a page, and makes a connection from each of their streams.
pub(super) fn take(page: &mut Page, text: &str, evidence: &mut Evidence) {
    let masked = page.masked(text);
    let read = text::read(&masked);
    for span in &read.taken {
        page.claim_span(text, span.clone());
    }
    for fault in &read.faults {
        page.wrong_at(text, fault.span.start, fault.wrong.what.clone());
    }
    for (header, why) in &read.columns {
        page.wrong_at(text, header.start, why.clone());
    }
    if let Some(none) = read.none.filter(|_| !read.taken.is_empty()) {
        page.wrong_at(text, none.span.start, none.wrong.what);
    }
    for listing in read.listings {
        let place = page.place(listing.line - 1);
        let group = evidence.listings.len();
        evidence.connections.extend(connection::connections(&listing, &place, group));
        evidence.sums.extend(connection::of_sum(&listing, &place, group));
        evidence.listings.push(Printed { place, listing, other_end: None });
    }
}

/// Returns the version in `iperf 3.10.1` and `iperf version 2.1.9 (14 March 2023) pthreads`.
fn version(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix("iperf ")?;
    let mut words = rest.strip_prefix("version ").unwrap_or(rest).split_whitespace();
    let version = words.next()?;
    let is_version = version.starts_with(|c: char| c.is_ascii_digit()) && version.contains('.');
    (is_version && words.next().is_none_or(|word| word.starts_with('('))).then_some(version)
}

/// Decodes UTF-8 or UTF-16 (PowerShell redirects to it), with or without mail encoding, and drops the byte order mark.
/// If all lines end in lone carriage returns, these become newlines.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        Cow::from(String::from_utf16_lossy(&units).into_bytes())
    };
    let plain = match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] | rest => Cow::from(rest),
    };
    let plain = mail::decoded(&plain).map_or(plain, Cow::from);
    let text = String::from_utf8_lossy(&plain);
    match text.contains('\r') && !text.contains('\n') {
        true => text.replace('\r', "\n"),
        false => text.into_owned(),
    }
}
