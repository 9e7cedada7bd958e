//! Summarizes a connection when all its packets are read.

use super::live::Live;
use super::way::Way;
use crate::ecn::{Ecn, Feedback};
use crate::{Connection, Hole, Place, Seen, Source, Window};
use std::sync::Arc;

/// Longest time from data to their acknowledgment in a capture at the receiver, ns.
const MAX_RECEIVER_ACK_NS: i64 = 200_000;

/// Doubts about a capture's connections.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// Connections without payload, and connections left out because there are too many.
    pub silent: u64,
    pub left_out: u64,
    /// Connections whose handshake was not captured with all its options.
    pub unscaled: u64,
    /// Connections captured in one direction only.
    pub one_way: u64,
    /// Connections with packets that have no time.
    pub untimed: u64,
    /// Bytes that were acknowledged but not captured, and the number of their connections.
    pub missed: u64,
    pub gaps: u64,
    /// Packets that were captured twice, and packets far from all others of their connection.
    pub copies: u64,
    pub strays: u64,
}

/// Summarizes the direction with most payload, and returns that payload, bytes; `None` for a connection without
/// payload.
pub(super) fn summary(live: Live, file: &Arc<str>, doubts: &mut Doubts) -> Option<(u64, Connection)> {
    let handshake = live.ecn();
    let Live { ends, ways, agreed, exchanges, first, timed, .. } = live;
    let weigh = |way: &Way| way.payload.max(way.acked);
    let data = usize::from(weigh(&ways[1]) > weigh(&ways[0]));
    let [copies, strays] = [|way: &Way| way.copies, |way: &Way| way.strays].map(|of| ways.iter().map(of).sum::<u64>());
    doubts.copies += copies;
    doubts.strays += strays;
    let way = &ways[data];
    let weight = weigh(way);
    if weight == 0 {
        doubts.silent += 1;
        return None;
    }
    let passed = way.packets > 0;
    let answered = way.una.is_some();
    doubts.one_way += u64::from(!passed || !answered);
    doubts.unscaled += u64::from(agreed.is_none_or(|agreed| agreed.scaled.is_none()));
    doubts.untimed += u64::from(!timed);
    let missed = way.missed + way.unseen();
    if passed && missed > 0 {
        doubts.missed += missed;
        doubts.gaps += 1;
    }

    let seen = seen(way);
    let here = seen == Seen::Receiver;
    let name = format!("{} → {}", ends[data], ends[1 - data]);
    let mut connection = Connection::new(Place { file: file.clone(), line: 0 }, Source::Capture, name, seen);
    connection.ends = Some([ends[data].ip(), ends[1 - data].ip()]);
    let bytes = if answered { way.acked } else { way.in_order() } as f64;
    connection.bytes = Some(bytes);
    connection.mss = way.full.known().filter(|_| passed).map(f64::from);
    connection.advmss = agreed.and_then(|agreed| agreed.mss[1 - data]).map(f64::from);
    connection.sack = agreed.and_then(|agreed| agreed.sack).or(way.sacks.then_some(true));
    connection.scaled = agreed.and_then(|agreed| agreed.scaled);
    let ecn = ecn(handshake, way, &ways[1 - data]);
    connection.ecn = ecn.agreed.map(|agreed| agreed != Feedback::None).or((way.data.ect() > 0).then_some(true));
    connection.window = connection.scaled.map(|_| Window { largest: f64::from(way.largest), zeros: way.zeros });
    if passed {
        // At the receiver, each filled hole shows a transmission that was lost before the tap.
        let sent = way.segments + if here { way.filled } else { 0 };
        connection.segments_sent = Some(sent as f64);
        connection.retransmitted = Some(way.retransmitted as f64);
        let sacks = connection.sack == Some(true) && answered;
        connection.spurious = sacks.then_some(way.spurious.max(way.soon) as f64);
        connection.reordered =
            if here { Some(way.late as f64) } else { (sacks && !way.cut).then_some(way.reordered as f64) };
        connection.out_of_order = here.then_some(way.late as f64 / way.segments.max(1) as f64);
        connection.marked = way.marked(here, &ecn).filter(|_| connection.ecn == Some(true));
    }
    connection.ecn_detail = Some(ecn);
    if !timed {
        return Some((weight, connection));
    }
    let seconds = |ns: i64| ns as f64 / 1e9;
    let span = [seconds(first), seconds(way.moved.max(first))];
    connection.span = Some(span);
    let lasted = span[1] - span[0];
    connection.goodput = (lasted > 0.0).then(|| bytes * 8.0 / lasted);
    connection.busy = (passed && !here && answered && lasted > 0.0).then(|| 1.0 - seconds(way.idle) / lasted);
    let rtt = if here { way.sender.min } else { way.receiver.min };
    connection.rtt_min = rtt.map(seconds);
    let late = way.series.late().filter(|_| !here);
    connection.queued_back = late.and_then(|late| way.returns.queued(late));
    if passed {
        connection.timeouts = Some(way.timeouts as f64);
        connection.hole = way.hole().filter(|_| !here);
        connection.own_pace = way.pace.own().filter(|_| !here && answered);
        let open = way.timeout_since.map_or(0, |since| way.moved - since);
        connection.timeout_time = (!here).then_some(seconds(way.timeout_time + open));
    }
    connection.points = way.series.points(seen, answered, span[1]);
    connection.packets = if here { &way.came } else { &way.sent }.packets();
    connection.exchanges = exchanges;
    Some((weight, connection))
}

/// Finds the side of the path that the tap is on: the end with the shorter round-trip time from the tap is near. If
/// only one of the times is known, losses decide: lost data pass once near the receiver, into a hole, and twice near
/// the sender. Without losses, a receiver that answers at once is near.
fn seen(way: &Way) -> Seen {
    let receiver = match (way.receiver.min, way.sender.min) {
        (Some(receiver), Some(sender)) => receiver < sender,
        (near, _) if way.filled == way.repeated => near.is_some_and(|near| near < MAX_RECEIVER_ACK_NS),
        _ => way.filled > way.repeated,
    };
    if receiver { Seen::Receiver } else { Seen::Sender }
}

/// Summarizes ECN: the handshake, the data and the feedback.
fn ecn(handshake: Ecn, way: &Way, back: &Way) -> Ecn {
    let agreed = handshake.agreed.or(way.echo.is_accurate().then_some(Feedback::Accurate));
    let [classic, accurate] = [Feedback::Classic, Feedback::Accurate].map(|feedback| agreed == Some(feedback));
    let (passed, answered) = (way.packets > 0, way.una.is_some());
    Ecn {
        agreed,
        data: passed.then_some(way.data),
        back: answered.then(|| back.data + back.bare),
        ece: (answered && classic).then_some(way.echo.ece),
        cwr: (passed && classic).then_some(way.cwr),
        heard: (answered && accurate).then(|| way.echo.heard(&way.full)),
        ..handshake
    }
}

impl Way {
    /// Returns the acknowledged bytes beyond the last that passed.
    fn unseen(&self) -> u64 {
        let ack = self.una.map_or(0, |una| self.fin.map_or(una, |fin| una.min(fin)));
        // FIN takes a sequence number, and may not have been captured.
        u64::try_from(ack - self.next - 1).unwrap_or(0)
    }

    /// Returns the last missing data, if they are one segment that was retransmitted without success.
    fn hole(&self) -> Option<Hole> {
        let (start, piece) = self.outstanding.first_key_value().filter(|_| self.outstanding.len() == 1)?;
        let behind = self.full.segments(self.next - piece.end);
        (self.una == Some(*start) && self.tries > 0 && behind > 0).then(|| Hole {
            bytes: (piece.end - start) as f64,
            again: self.tries as f64,
            behind: behind as f64,
        })
    }

    /// Returns the payload before the first missing byte, bytes.
    fn in_order(&self) -> u64 {
        let end = self.holes.first_key_value().map_or(self.next, |(start, _)| *start);
        u64::try_from(end).unwrap_or(0)
    }

    /// Returns the share of CE marks: among arrivals at the tap, by AccECN's counter, or by data acknowledged with ECE.
    fn marked(&self, here: bool, ecn: &Ecn) -> Option<f64> {
        let [marks, of] = match (here, ecn.agreed) {
            (true, _) => [self.data.ce, self.segments],
            (false, Some(Feedback::Accurate)) => [ecn.heard?.marked?[0], self.full.segments(self.acked as i64)],
            (false, _) => [self.echoed, self.acked],
        };
        (of > 0).then(|| marks as f64 / of as f64)
    }
}
