//! Collects a run while it is read, and makes its listings.

use super::command::Command;
use super::row::{End, IperfRow};
use crate::fault::Span;
use crate::listing::{Counts, Direction, Listing, Period, Processors, Program, Protocol, Reading, Stream};
use std::collections::BTreeMap;

/// A partly read run.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Start of the run, as a byte offset.
    pub at: usize,
    pub command: Option<Command>,
    pub version: Option<String>,
    pub system: Option<String>,
    pub clock: Option<f64>,
    pub warnings: Vec<String>,
    /// Error message of the program, and its position.
    pub error: Option<(String, Span)>,
    /// True if a line said that a connection was requested or accepted.
    pub connecting: bool,
    /// Whether the server printed the output, and whether the server sends; `None` if unknown.
    pub server: Option<bool>,
    pub reverse: Option<bool>,
    pub is_iperf2: bool,
    /// iperf 2: the next row is the server's report to the client.
    pub server_report: bool,
    pub hosts: Option<[String; 2]>,
    pub protocol: Option<Protocol>,
    pub congestion: Option<String>,
    pub duration: Option<f64>,
    /// Seconds that `-O` omits, as the program or its command says.
    pub omit: Option<f64>,
    pub target: Option<f64>,
    pub mss: Option<u32>,
    pub block: Option<u64>,
    pub asked: Option<u64>,
    pub buffers: Option<[Option<u64>; 2]>,
    pub nodelay: bool,
    pub handshake: Option<f64>,
    pub processors: Option<Processors>,
    pub counts: BTreeMap<Key, Counts>,
    pub apart: BTreeMap<u32, Counts>,
    /// True if the run has more data than goodput keeps.
    pub too_large: bool,
}

/// Most streams kept per run; iperf3 sends at most 128.
pub(super) const MAX_STREAMS_PER_RUN: usize = 4096;

/// Direction, if `--bidir` gives one, and stream; no stream means the sum over all.
pub(super) type Key = (Option<Direction>, Option<u32>);

impl Draft {
    pub fn has_rows(&self) -> bool {
        !self.counts.is_empty()
    }

    /// Adds to the counts of a stream or of the sum, unless there are too many.
    pub fn count(&mut self, direction: Option<Direction>, id: Option<u32>, add: impl FnOnce(&mut Counts)) {
        let key = (direction, id);
        match self.counts.len() < MAX_STREAMS_PER_RUN || self.counts.contains_key(&key) {
            true => add(self.counts.entry(key).or_default()),
            false => self.too_large = true,
        }
    }

    /// True if the latest interval of a stream is one that `-O` omits.
    pub fn is_omitting(&self, direction: Option<Direction>, id: Option<u32>) -> bool {
        let last = self.counts.get(&(direction, id)).and_then(|counts| counts.intervals.last());
        last.is_some_and(|last| last.omitted)
    }

    /// True if the row is a sum but this run is a finished one of a single stream, for which iperf prints no sum.
    pub fn is_over_without(&self, row: &IperfRow) -> bool {
        let streams = || self.counts.iter().filter(|((_, id), _)| id.is_some());
        let is_over = || streams().all(|(_, counts)| counts.sender.is_some() || counts.receiver.is_some());
        row.id.is_none() && streams().count() == 1 && self.counts.len() == 1 && is_over()
    }

    /// True if a row begins another run: both it and the only row of its stream are totals of iperf 2, with text between.
    pub fn is_total_before(&self, row: &IperfRow) -> bool {
        let known = self.counts.get(&(row.direction, row.id)).map(|known| &known.intervals[..]);
        let is_alone = matches!(known, Some([only]) if only.start.value == 0.0);
        is_alone && !self.server_report && row.total.is_none() && row.period.start.value == 0.0
    }

    /// Takes a row of text; returns it if it belongs to the next run. `retransmits` says whether its table counts them.
    pub fn take(&mut self, row: IperfRow, retransmits: bool) -> Option<IperfRow> {
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

    /// True if an interval cannot follow the known ones of its stream.
    fn restarts(&self, known: &Counts, period: &Period) -> bool {
        let Some(last) = known.intervals.last() else { return !self.server_report };
        let goes_back = period.start.value < last.start.value.min(last.end.value) && !last.omitted;
        if !self.is_iperf2 {
            return goes_back || known.sender.is_some() || known.receiver.is_some();
        }
        // The total of iperf 2 starts at 0 again, and ends no earlier than the last interval.
        let is_total = period.start.value == 0.0 && period.end.value >= last.end.value;
        !self.server_report && (goes_back && !is_total || known.intervals.len() > 1 && last.start.value == 0.0)
    }

    /// Returns the run's listings: two if data flowed both ways. Each has the start of the run as its line.
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
            version: self.version.clone(),
            system: self.system.clone(),
            clock: self.clock,
            error: self.error.as_ref().map(|(error, _)| error.clone()),
            warnings: self.warnings.clone(),
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
            buffers: self.buffers,
            nodelay: self.nodelay || command.is_some_and(|command| command.nodelay),
            handshake: self.handshake,
            processors: self.processors,
            streams: vec![],
            sum: Counts::default(),
            apart: vec![],
        };
        if bidirectional && direction == Some(Direction::Backward) {
            // The congestion control that was read back is that of the printing end's sockets.
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

/// Undoes the restart at 0 that iperf3 makes once `-O` is over. If that timer fires before the interval timer, iperf3
/// never prints the last omitted interval. The next interval then has the bytes and the time of both: it starts as long
/// after the new 0 as the previous interval ended before it (iperf_time_diff has no sign).
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

/// Finds the total of iperf 2, which has no label: it is the last row, and starts at 0. The end that printed it counted
/// it.
fn find_total(counts: &mut Counts, is_server: bool) {
    let Some(last) = counts.intervals.last().filter(|last| last.start.value == 0.0) else { return };
    let total = if is_server { &mut counts.receiver } else { &mut counts.sender };
    if total.is_none() {
        *total = Some(*last);
        counts.intervals.pop();
    }
}

/// Drops an end that reported nothing and is printed with 0 bytes: the other end in a server's output, or the receiver
/// of a failed run.
fn drop_untold(counts: &mut Counts, may_lack_receiver: bool) {
    let bytes = |period: &Option<Period>| period.and_then(|period| period.bytes).map(|bytes| bytes.value);
    match (bytes(&counts.sender), bytes(&counts.receiver)) {
        (Some(0.0), Some(received)) if received > 0.0 => counts.sender = None,
        (Some(sent), Some(0.0)) if sent > 0.0 && may_lack_receiver => counts.receiver = None,
        _ => {}
    }
}
