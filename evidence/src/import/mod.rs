//! Files that people have, into [`Evidence`]: what programs printed, between prose, cut off, from any version.
//!
//! Each reader takes from a [`Page`] the lines that it knows, and claims them; what nobody claims is listed as unread.

pub mod host;
pub mod iperf;
mod mail;
mod page;
pub mod view;

pub use page::{Line, Page};

use crate::{Evidence, Place, Printed};

/// Reads a text into the evidence; `name` names the file. Nothing is skipped in silence: see [`Evidence::unread`].
pub fn read(name: &str, bytes: &[u8], evidence: &mut Evidence) {
    let text = iperf::decoded(bytes);
    let mut page = Page::new(name, &text);
    if text.contains('\0') {
        page.refuse("neither text nor a pcap or pcapng capture");
    } else if text.trim().is_empty() {
        page.refuse("the file is empty");
    } else {
        view::sweeps_of_totals(&mut page, evidence);
        iperf::take(&mut page, &text, evidence);
        evidence.hosts.extend(host::read(&mut page));
        view::read(&mut page, evidence);
    }
    evidence.unread.extend(page.unread());
}

/// Joins listings that are of the same run, seen from both ends: what the receiver counted is the same. Its connections
/// are then those of the sender's listing, which tells more.
pub fn join(evidence: &mut Evidence) {
    let ends: Vec<Option<usize>> = (0..evidence.listings.len()).map(|n| other_end(&evidence.listings, n)).collect();
    let places: Vec<Place> = evidence.listings.iter().map(|printed| printed.place.clone()).collect();
    let tells = |n: usize| evidence.connections.iter().any(|c| c.place == places[n] && c.retransmitted.is_some());
    let twice: Vec<&Place> = ends
        .iter()
        .enumerate()
        .filter(|(n, other)| other.is_some_and(|other| !tells(*n) && tells(other)))
        .map(|(n, _)| &places[n])
        .collect();
    evidence.connections.retain(|connection| !twice.contains(&&connection.place));
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

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: &str = "[ ID] Interval           Transfer     Bitrate         Retr\n\
        [  5]   0.00-10.01  sec   163 MBytes   137 Mbits/sec  366             sender\n\
        [  5]   0.00-10.00  sec   162 MBytes   136 Mbits/sec                  receiver\n";
    const SERVER: &str = "Accepted connection from 10.0.0.1, port 40000\n\
        [ ID] Interval           Transfer     Bitrate\n\
        [  5]   0.00-10.00  sec   162 MBytes   136 Mbits/sec                  receiver\n";

    #[test]
    fn a_run_that_both_ends_printed_is_one() {
        let mut evidence = Evidence::default();
        read("client.txt", CLIENT.as_bytes(), &mut evidence);
        read("server.txt", SERVER.as_bytes(), &mut evidence);
        assert_eq!(evidence.connections.len(), 2);
        join(&mut evidence);
        assert_eq!(evidence.listings.iter().map(|printed| printed.other_end).collect::<Vec<_>>(), [Some(1), Some(0)]);
        let left: Vec<_> = evidence.connections.iter().map(|c| (&*c.place.file, c.retransmitted)).collect();
        assert_eq!(left, [("client.txt", Some(366.0))]);
    }

    #[test]
    fn a_run_that_failed_and_a_document_that_was_cut_off_are_not_skipped_in_silence() {
        for text in
            ["iperf3: error - unable to connect to server: Connection refused\n", "{\"start\":{},\"intervals\":["]
        {
            let mut evidence = Evidence::default();
            read("x", text.as_bytes(), &mut evidence);
            assert!(evidence.unread.iter().any(|unread| unread.why.is_some()), "{text}: {:?}", evidence.unread);
        }
    }
}
