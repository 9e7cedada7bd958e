//! Files that people have, into [`Evidence`]: what programs printed, between prose, cut off, from any version.
//!
//! Each reader takes from a [`Page`] the lines that it knows, and claims them; what nobody claims is listed as unread.

pub mod host;
pub mod iperf;
mod page;
pub mod view;

pub use page::{Line, Page};

use crate::evidence::{Evidence, Printed};

/// Reads a text into the evidence; `name` names the file. Nothing is skipped in silence: see [`Evidence::unread`].
pub fn read(name: &str, bytes: &[u8], evidence: &mut Evidence) {
    let text = iperf::decoded(bytes);
    let mut page = Page::new(name, &text);
    if text.contains('\0') {
        page.refuse("this is not text, and no capture of pcap or pcapng");
    } else {
        iperf::take(&mut page, &text, evidence);
        evidence.hosts.extend(host::read(&mut page));
        view::read(&mut page, evidence);
    }
    evidence.unread.extend(page.unread());
}

/// Joins listings that are of the same run, seen from both ends: what the receiver counted is the same.
pub fn join(evidence: &mut Evidence) {
    let ends: Vec<Option<usize>> = (0..evidence.listings.len()).map(|n| other_end(&evidence.listings, n)).collect();
    for (printed, other) in evidence.listings.iter_mut().zip(ends) {
        printed.other_end = other;
    }
}

fn other_end(all: &[Printed], number: usize) -> Option<usize> {
    let received = |printed: &Printed| {
        let streams = printed.listing.streams.iter();
        streams
            .map(|stream| stream.counts.receiver.as_ref()?.bytes.map(|b| (b.value, b.half_width)))
            .collect::<Option<Vec<_>>>()
    };
    let own = received(&all[number]).filter(|own| !own.is_empty())?;
    let same = |other: &Printed| {
        received(other).is_some_and(|other| {
            other.len() == own.len() && own.iter().zip(&other).all(|(a, b)| (a.0 - b.0).abs() <= a.1 + b.1 + 1e-6 * a.0)
        })
    };
    let elsewhere = |(n, other): &(usize, &Printed)| *n != number && other.place.file != all[number].place.file;
    all.iter().enumerate().filter(elsewhere).find(|(_, other)| same(other)).map(|(n, _)| n)
}
