//! All connections of a capture, within bounds.

use super::bounds::{MOST_KEPT, MOST_LIVE, Shares};
use super::live::Live;
use super::packet::Segment;
use super::summary::{Doubts, summary};
use crate::Connection;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

/// Connections read so far.
pub(super) struct Table {
    file: Arc<str>,
    live: HashMap<[SocketAddr; 2], Box<Live>>,
    kept: Vec<Kept>,
    shares: Shares,
    begun: u64,
    doubts: Doubts,
}

struct Kept {
    weight: u64,
    order: u64,
    connection: Connection,
}

impl Table {
    pub fn new(file: Arc<str>) -> Table {
        let shares = Shares::among(1);
        Table { file, live: HashMap::new(), kept: vec![], shares, begun: 0, doubts: Doubts::default() }
    }

    /// Takes a segment; `timed` is false if its time is only that of the packet before.
    pub fn pass(&mut self, segment: &Segment, now: i64, timed: bool) {
        let (from, to) = (segment.from, segment.to);
        let end = usize::from(from > to);
        let ends = if end == 0 { [from, to] } else { [to, from] };
        if let Some(live) = self.live.get_mut(&ends)
            && !live.is_renewed_by(end, segment)
        {
            live.timed &= timed;
            live.pass(end, segment, now, &self.shares);
            return;
        }
        if self.live.len() >= MOST_LIVE {
            self.evict();
        }
        let mut live = Box::new(Live::new(ends, now, self.begun));
        live.timed = timed;
        live.pass(end, segment, now, &self.shares);
        self.begun += 1;
        if let Some(old) = self.live.insert(ends, live) {
            self.finish(*old);
        }
        self.shares = Shares::among(self.live.len() + self.kept.len());
    }

    /// Ends the eighth of the connections that was silent longest.
    fn evict(&mut self) {
        let mut times: Vec<(i64, [SocketAddr; 2])> = self.live.iter().map(|(ends, live)| (live.last, *ends)).collect();
        let (oldest, ..) = times.select_nth_unstable(MOST_LIVE / 8);
        for (_, ends) in oldest {
            if let Some(live) = self.live.remove(ends) {
                self.finish(*live);
            }
        }
    }

    fn finish(&mut self, live: Live) {
        let order = live.order;
        if let Some((weight, connection)) = summary(live, &self.file, &mut self.doubts) {
            self.kept.push(Kept { weight, order, connection });
            if self.kept.len() >= 2 * MOST_KEPT {
                self.trim();
            }
        }
    }

    /// Keeps the connections with the most payload.
    fn trim(&mut self) {
        if self.kept.len() > MOST_KEPT {
            self.kept.sort_unstable_by_key(|kept| (std::cmp::Reverse(kept.weight), kept.order));
            self.doubts.left_out += (self.kept.len() - MOST_KEPT) as u64;
            self.kept.truncate(MOST_KEPT);
        }
    }

    /// Returns the connections in the order in which they began, and the doubts.
    pub fn end(mut self) -> (Vec<Connection>, Doubts) {
        let mut live: Vec<Box<Live>> = std::mem::take(&mut self.live).into_values().collect();
        live.sort_unstable_by_key(|live| live.order);
        live.into_iter().for_each(|live| self.finish(*live));
        self.trim();
        self.kept.sort_unstable_by_key(|kept| kept.order);
        (self.kept.into_iter().map(|kept| kept.connection).collect(), self.doubts)
    }
}
