//! Reads users' files into [`Evidence`]: program output, between prose, cut off, from any version.
//!
//! Each reader claims the lines of a [`Page`] that it recognizes; unclaimed lines are listed as unread.

pub mod host;
pub mod iperf;
mod mail;
mod page;
pub mod view;

pub use page::{Line, Page};

use crate::listing::Reading;
use crate::{Evidence, Place, Printed};
use std::collections::BTreeSet;

/// Reads a text into the evidence; `name` names the file. Nothing is skipped silently: see [`Evidence::unread`].
pub fn read(name: &str, bytes: &[u8], evidence: &mut Evidence) {
    let text = iperf::decoded(bytes);
    let mut page = Page::new(name, &text);
    if text.contains('\0') {
        page.refuse("neither text nor a pcap or pcapng capture");
    } else if text.trim().is_empty() {
        page.refuse("the file is empty");
    } else {
        view::sweeps_of_totals(&mut page, evidence);
        view::pscheduler(&mut page, evidence);
        iperf::take(&mut page, &text, evidence);
        evidence.hosts.extend(host::read(&mut page));
        view::read(&mut page, evidence);
    }
    evidence.unread.extend(page.unread());
}

/// Joins what several files say of one thing: the loop of a sweep with its results, and listings of the same run from both ends, recognized by equal receiver counts. The connections of the sender's
/// listing are kept, because it has more figures.
pub fn join(evidence: &mut Evidence) {
    view::join_loops(evidence);
    let ends = other_ends(&evidence.listings);
    let counting = evidence.connections.iter().filter(|connection| connection.retransmitted.is_some());
    let telling: BTreeSet<Place> = counting.map(|connection| connection.place.clone()).collect();
    let places: Vec<Place> = evidence.listings.iter().map(|printed| printed.place.clone()).collect();
    let twice = |(n, place): &(usize, &Place)| {
        ends[*n].is_some_and(|other| !telling.contains(place) && telling.contains(&places[other]))
    };
    let twice: BTreeSet<&Place> = places.iter().enumerate().filter(twice).map(|(_, place)| place).collect();
    evidence.connections.retain(|connection| !twice.contains(&connection.place));
    for (printed, other) in evidence.listings.iter_mut().zip(ends) {
        printed.other_end = other;
    }
}

/// Number of listings with the closest first stream that each listing is compared with.
const MAX_COMPARED: usize = 1000;

/// Returns, for each listing, the one in another file whose streams received the same bytes.
fn other_ends(all: &[Printed]) -> Vec<Option<usize>> {
    let received: Vec<Vec<Reading>> = all.iter().map(received).collect();
    let mut order: Vec<usize> = (0..all.len()).filter(|n| !received[*n].is_empty()).collect();
    order.sort_by(|a, b| received[*a][0].value.total_cmp(&received[*b][0].value));
    let mut ends = vec![None; all.len()];
    for (at, &n) in order.iter().enumerate() {
        let near = at.saturating_sub(MAX_COMPARED / 2)..(at + MAX_COMPARED / 2).min(order.len());
        let elsewhere = order[near].iter().filter(|other| all[**other].place.file != all[n].place.file);
        ends[n] = elsewhere.filter(|other| is_same(&received[n], &received[**other])).min().copied();
    }
    ends
}

/// Returns each stream's receiver count; empty if one is missing.
fn received(printed: &Printed) -> Vec<Reading> {
    let streams = printed.listing.streams.iter();
    let bytes: Option<Vec<Reading>> = streams.map(|stream| stream.counts.receiver.as_ref()?.bytes).collect();
    bytes.unwrap_or_default()
}

fn is_same(one: &[Reading], other: &[Reading]) -> bool {
    let near = |(a, b): (&Reading, &Reading)| (a.value - b.value).abs() <= a.half_width + b.half_width + 1e-6 * a.value;
    one.len() == other.len() && one.iter().zip(other).all(near)
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
    fn runs_of_many_are_joined_in_their_time() {
        let many = |text: &str| (0..20_000).map(|n| text.replace("162 M", &format!("{n} K"))).collect::<String>();
        let mut evidence = Evidence::default();
        read("client.txt", many(CLIENT).as_bytes(), &mut evidence);
        read("server.txt", many(SERVER).as_bytes(), &mut evidence);
        join(&mut evidence);
        assert_eq!(evidence.listings.len(), 40_000);
        let is_joined = |(n, printed): (usize, &Printed)| printed.other_end.is_some_and(|end| end.abs_diff(n) < 20_003);
        assert!(evidence.listings.iter().enumerate().all(is_joined));
    }

    #[test]
    fn failed_runs_and_truncated_documents_are_reported() {
        for text in
            ["iperf3: error - unable to connect to server: Connection refused\n", "{\"start\":{},\"intervals\":["]
        {
            let mut evidence = Evidence::default();
            read("x", text.as_bytes(), &mut evidence);
            assert!(evidence.unread.iter().any(|unread| unread.why.is_some()), "{text}: {:?}", evidence.unread);
        }
    }
}
