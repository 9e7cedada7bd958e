//! A run that is being read, and its listings.

use super::command::Command;
use super::row::{End, Row};
use crate::fault::Span;
use crate::listing::{Counts, Direction, Listing, Period, Processors, Program, Protocol, Reading, Stream};
use std::collections::BTreeMap;

/// A run that is being read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Where it begins, in bytes.
    pub at: usize,
    pub command: Option<Command>,
    /// What the program said that went wrong, and where.
    pub error: Option<(String, Span)>,
    /// Whether a line said that a connection was sought or accepted.
    pub connecting: bool,
    /// Whether the server printed it, and whether the server sends; `None` if nothing says so.
    pub server: Option<bool>,
    pub reverse: Option<bool>,
    pub is_iperf2: bool,
    /// iperf 2: the next row is what the server reported to the client.
    pub server_report: bool,
    pub hosts: Option<[String; 2]>,
    pub protocol: Option<Protocol>,
    pub congestion: Option<String>,
    pub duration: Option<f64>,
    /// Seconds that `-O` leaves out, as the program or its command says.
    pub omit: Option<f64>,
    pub target: Option<f64>,
    pub mss: Option<u32>,
    pub block: Option<u64>,
    pub asked: Option<u64>,
    pub handshake: Option<f64>,
    pub processors: Option<Processors>,
    pub counts: BTreeMap<Key, Counts>,
    pub apart: BTreeMap<u32, Counts>,
    /// Whether it has more than what is kept.
    pub too_large: bool,
}

/// Streams kept of a run: iperf3 sends at most 128.
pub(super) const MAX_STREAMS_PER_RUN: usize = 4096;

/// The direction, where `--bidir` tells, and the stream; no stream is the sum over all.
pub(super) type Key = (Option<Direction>, Option<u32>);

impl Draft {
    pub fn has_rows(&self) -> bool {
        !self.counts.is_empty()
    }

    /// Adds to the counts of a stream, or of the sum, unless there are too many.
    pub fn count(&mut self, direction: Option<Direction>, id: Option<u32>, add: impl FnOnce(&mut Counts)) {
        let key = (direction, id);
        match self.counts.len() < MAX_STREAMS_PER_RUN || self.counts.contains_key(&key) {
            true => add(self.counts.entry(key).or_default()),
            false => self.too_large = true,
        }
    }

    /// Whether the latest interval of a stream is one that `-O` leaves out.
    pub fn is_omitting(&self, direction: Option<Direction>, id: Option<u32>) -> bool {
        let last = self.counts.get(&(direction, id)).and_then(|counts| counts.intervals.last());
        last.is_some_and(|last| last.omitted)
    }

    /// Whether a row is a sum, and this a finished run of one stream, of which iperf prints none.
    pub fn is_over_without(&self, row: &Row) -> bool {
        let streams = || self.counts.iter().filter(|((_, id), _)| id.is_some());
        let is_over = || streams().all(|(_, counts)| counts.sender.is_some() || counts.receiver.is_some());
        row.id.is_none() && streams().count() == 1 && self.counts.len() == 1 && is_over()
    }

    /// Takes a row of text; gives it back if it is of the next run. `retransmits` is whether its table counts them.
    pub fn take(&mut self, row: Row, retransmits: bool) -> Option<Row> {
        self.is_iperf2 |= row.is_iperf2();
        let known = self.counts.get(&(row.direction, row.id));
        if let (Some(known), Some(end)) = (known, row.total) {
            let is_counted = match end {
                End::Sender => known.sender.is_some(),
                End::Receiver => known.receiver.is_some(),
            };
            if is_counted && end == End::Receiver && known.sender.is_some() && !retransmits {
                let apart = self.apart.entry(row.id.unwrap_or_default()).or_default();
                apart.receiver = Some(row.period);
                return None;
            }
            if is_counted {
                return Some(row);
            }
        } else if known.is_some_and(|known| self.restarts(known, &row.period)) {
            return Some(row);
        }
        let total = if std::mem::take(&mut self.server_report) { Some(End::Receiver) } else { row.total };
        self.count(row.direction, row.id, |counts| match total {
            Some(End::Sender) => counts.sender = Some(row.period.by_sender()),
            Some(End::Receiver) => counts.receiver = Some(row.period),
            None => counts.intervals.push(row.period),
        });
        None
    }

    /// Whether an interval cannot follow what is known of its stream.
    fn restarts(&self, known: &Counts, period: &Period) -> bool {
        let Some(last) = known.intervals.last() else { return !self.server_report };
        let goes_back = period.start.value < last.start.value.min(last.end.value) && !last.omitted;
        if !self.is_iperf2 {
            return goes_back || known.sender.is_some() || known.receiver.is_some();
        }
        // The total of iperf 2 begins at 0 again, and ends no earlier than the last interval.
        let is_total = period.start.value == 0.0 && period.end.value >= last.end.value;
        !self.server_report && (goes_back && !is_total || known.intervals.len() > 1 && last.start.value == 0.0)
    }

    /// The listings of this run: two if data flowed both ways. Each has the place where the run begins as its line.
    pub fn listings(mut self) -> Vec<Listing> {
        let (has_error, is_server) = (self.error.is_some(), self.is_server());
        for counts in self.counts.values_mut() {
            if self.is_iperf2 {
                find_total(counts, is_server);
            }
            drop_untold(counts, has_error || is_server);
            restart_count(&mut counts.intervals);
        }
        let mut directions: Vec<Option<Direction>> = self.counts.keys().map(|(direction, _)| *direction).collect();
        directions.dedup();
        if directions.is_empty() {
            directions.push(None);
        }
        let bidirectional = directions.len() > 1;
        directions.into_iter().map(|direction| self.listing(direction, bidirectional)).collect()
    }

    fn is_server(&self) -> bool {
        self.server.unwrap_or(self.command.as_ref().is_some_and(|command| command.server))
    }

    fn listing(&mut self, direction: Option<Direction>, bidirectional: bool) -> Listing {
        let command = self.command.as_ref();
        let mut listing = Listing {
            line: self.at,
            program: if self.is_iperf2 { Program::Iperf2 } else { Program::Iperf3 },
            command: command.map(|command| command.words.clone()),
            error: self.error.as_ref().map(|(error, _)| error.clone()),
            hosts: self.hosts.clone(),
            protocol: self.protocol.or(command.and_then(|command| command.protocol)),
            direction: direction.or(self.direction()),
            congestion: self.congestion.clone().or(command.and_then(|command| command.congestion.clone())),
            duration: self.duration.or(command.and_then(|command| command.duration)),
            omit: self.omit.or(command.and_then(|command| command.omit)),
            target: self.target.or(command.and_then(|command| command.target)),
            mss: self.mss.or(command.and_then(|command| command.mss)),
            block: self.block.or(command.and_then(|command| command.block)),
            asked: self.asked.or(command.and_then(|command| command.asked)),
            handshake: self.handshake,
            processors: self.processors,
            streams: vec![],
            sum: Counts::default(),
            apart: vec![],
        };
        if bidirectional && direction == Some(Direction::Backward) {
            // What was read back is of the printing end's own sockets.
            listing.congestion = command.and_then(|command| command.congestion.clone());
        }
        let all = std::mem::take(&mut self.counts);
        let (of, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|((of, _), _)| *of == direction);
        self.counts = rest.into_iter().collect();
        for ((_, id), counts) in of {
            match id {
                Some(id) => listing.streams.push(Stream { id, counts }),
                None => listing.sum = counts,
            }
        }
        let apart = std::mem::take(&mut self.apart);
        listing.apart = apart.into_iter().map(|(id, counts)| Stream { id, counts }).collect();
        listing
    }

    fn direction(&self) -> Option<Direction> {
        let asked = self.command.as_ref().filter(|command| !command.server && !command.bidirectional);
        let reverse = self.reverse.or(asked.map(|command| command.reverse))?;
        Some(if reverse { Direction::Backward } else { Direction::Forward })
    }
}

/// iperf3 counts from 0 again once `-O` is over. If that timer fires before the one of the intervals, the last omitted interval
/// is never printed, and the next has its bytes over the time of both: it starts as long after the new 0 as the interval
/// before ended ahead of it (iperf_time_diff has no sign).
fn restart_count(intervals: &mut [Period]) {
    let Some(at) = intervals.windows(2).position(|pair| pair[0].omitted && !pair[1].omitted) else { return };
    let first = &mut intervals[at + 1];
    let skipped = first.start.value;
    let end = first.end.value;
    first.start = Reading::exact(0.0);
    if skipped > MAX_FIRST_START_SHARE * end && end > 0.0 {
        first.skipped = Some(skipped);
        first.rate = first.bytes.map(|bytes| bytes * (8.0 / end));
    }
}

/// The first counted interval starts within this share of its length after 0, unless an interval before it is missing.
const MAX_FIRST_START_SHARE: f64 = 0.2;

/// iperf 2 has no word for a total: it is the last row, and begins at 0. The end that printed it counted it.
fn find_total(counts: &mut Counts, is_server: bool) {
    let Some(last) = counts.intervals.last().filter(|last| last.start.value == 0.0) else { return };
    let total = if is_server { &mut counts.receiver } else { &mut counts.sender };
    if total.is_none() {
        *total = Some(*last);
        counts.intervals.pop();
    }
}

/// An end that told nothing is printed with 0 bytes: the other one by a server, the receiver of a run that failed.
fn drop_untold(counts: &mut Counts, may_lack_receiver: bool) {
    let bytes = |period: &Option<Period>| period.and_then(|period| period.bytes).map(|bytes| bytes.value);
    match (bytes(&counts.sender), bytes(&counts.receiver)) {
        (Some(0.0), Some(received)) if received > 0.0 => counts.sender = None,
        (Some(sent), Some(0.0)) if sent > 0.0 && may_lack_receiver => counts.receiver = None,
        _ => {}
    }
}
