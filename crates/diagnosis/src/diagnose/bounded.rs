//! Bounds the evidence to what rules can examine, since they compare connections with each other.

use evidence::{Connection, Evidence, Unread};
use std::borrow::Cow;

/// Largest number of connections, runs, and sums of runs that rules examine. A busy server has more sockets.
const MAX_CONNECTIONS: usize = 2000;

/// Returns the evidence with the connections that carried most, plus an unread line that says so.
pub fn largest_connections(evidence: &Evidence) -> Cow<'_, Evidence> {
    let [connections, sums] = [&evidence.connections, &evidence.sums].map(Vec::len);
    if connections.max(sums).max(evidence.listings.len()) <= MAX_CONNECTIONS {
        return Cow::Borrowed(evidence);
    }
    let mut bounded = evidence.clone();
    keep(&mut bounded.connections);
    keep(&mut bounded.sums);
    bounded.listings.truncate(MAX_CONNECTIONS);
    bounded
        .listings
        .iter_mut()
        .for_each(|printed| printed.other_end = printed.other_end.filter(|end| *end < MAX_CONNECTIONS));
    let places = evidence.connections.iter().chain(&evidence.sums).map(|connection| &connection.place);
    let place = places.chain(evidence.listings.iter().map(|printed| &printed.place)).next();
    bounded.unread.extend(place.map(|place| Unread {
        place: evidence::Place { line: 0, ..place.clone() },
        to: 0,
        why: Some(format!(
            "more than {MAX_CONNECTIONS} connections or runs: only those that carried most are diagnosed"
        )),
    }));
    Cow::Owned(bounded)
}

/// Keeps the connections that carried most, in their order.
fn keep(all: &mut Vec<Connection>) {
    let carried = |connection: &Connection| connection.bytes.unwrap_or(0.0);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| carried(&all[*b]).total_cmp(&carried(&all[*a])));
    order.truncate(MAX_CONNECTIONS);
    order.sort_unstable();
    *all = order.into_iter().map(|number| all[number].clone()).collect();
}
