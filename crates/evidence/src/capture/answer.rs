//! Acknowledgments of one direction's data: progress, SACK (RFC 2018), D-SACK (RFC 2883), round-trip times, window.

use super::bounds::Shares;
use super::packet::{Flags, Segment};
use super::way::{Piece, Way};

/// Pieces that an acknowledgment removes from the outstanding data.
#[derive(Default)]
struct Taken {
    /// Time when the latest of the data sent only once passed, ns.
    time: Option<i64>,
    /// Whether any of the data was sent again, so that it gives no round-trip time (Karn).
    again: bool,
    /// First byte of the data sent only once.
    first: Option<i64>,
}

impl Taken {
    fn add(&mut self, start: i64, piece: &Piece) {
        if piece.again.is_some() {
            self.again = true;
        } else {
            self.time = self.time.max(Some(piece.time));
            self.first = Some(self.first.map_or(start, |first| first.min(start)));
        }
    }
}

impl Way {
    /// Takes an acknowledgment of this direction's data. Returns the bytes that it newly delivers, selectively or not;
    /// `None` if it is far from all other data.
    pub fn acknowledge(&mut self, segment: &Segment, now: i64, shares: &Shares) -> Option<i64> {
        let begun = self.una.is_some();
        let ack = self.number(segment.ack)?;
        let sacked = self.sacked.bytes();
        let before = self.una.unwrap_or(ack.min(0));
        let highest = self.sacked.end().filter(|end| *end > before);
        self.cut |= segment.options.cut;
        self.pace.hear(now);
        if segment.payload == 0 {
            self.heard = Some(now);
        }
        let mut taken = Taken::default();
        if ack > before || !begun {
            let payload = self.fin.map_or(ack, |fin| ack.min(fin)) - self.fin.map_or(before, |fin| before.min(fin));
            let payload = u64::try_from(payload).unwrap_or(0);
            self.una = Some(ack.max(before));
            self.acked += payload;
            self.bucket(now, shares).acked += payload;
            self.echoed += if segment.flags.has(Flags::ECE) { payload } else { 0 };
            self.take_below(ack, now, shares, &mut taken);
            self.forget_below(ack);
            if ack >= self.next && self.payload > 0 {
                self.idle_since.get_or_insert(now);
            }
            if ack > before {
                self.tries = 0;
                self.timeout_time += self.timeout_since.take().map_or(0, |since| now - since);
                (self.moved, self.heard) = (now, Some(now));
            }
            if !taken.again
                && let Some(time) = taken.time
            {
                self.receiver.sample(now - time, now);
            }
        }
        if !segment.options.sack().is_empty() {
            self.sacks = true;
            self.selective(segment, ack, now, shares, &mut taken);
        }
        if let (Some(first), Some(highest)) = (taken.first, highest)
            && first < highest
        {
            self.reordered += 1;
        }
        let (smoothed, least) = (self.receiver.smoothed(), self.receiver.take_least());
        let bucket = self.bucket(now, shares);
        bucket.acks += u32::from(segment.payload == 0);
        bucket.receiver = smoothed.map(|srtt| srtt as f32);
        bucket.shorten(least.map(|rtt| rtt as f32));
        let passed = self.una.unwrap_or(before) - before;
        Some((passed + self.sacked.bytes() - sacked).max(0))
    }

    fn take_below(&mut self, ack: i64, now: i64, shares: &Shares, taken: &mut Taken) {
        while let Some(first) = self.outstanding.first_entry().filter(|first| *first.key() < ack) {
            let (start, piece) = first.remove_entry();
            taken.add(start, &piece);
            self.arrived(start, &Piece { end: piece.end.min(ack), ..piece }, now, shares);
            if piece.end > ack {
                self.outstanding.insert(ack, piece);
            }
        }
    }

    /// Drops acknowledged holes, which the capture missed, and acknowledged ranges.
    fn forget_below(&mut self, ack: i64) {
        while let Some(first) = self.holes.first_entry().filter(|first| *first.key() < ack) {
            let (start, hole) = first.remove_entry();
            self.missed += (hole.end.min(ack) - start) as u64;
            if hole.end > ack {
                self.holes.insert(ack, hole);
            }
        }
        self.sacked.forget_below(ack);
    }

    fn selective(&mut self, segment: &Segment, ack: i64, now: i64, shares: &Shares, taken: &mut Taken) {
        let una = self.una.unwrap_or(ack);
        let near = |seq: u32| ack + i64::from(seq.wrapping_sub(segment.ack) as i32);
        let blocks = segment.options.sack();
        let ranges: [(i64, i64); 4] =
            std::array::from_fn(|i| blocks.get(i).map_or((0, 0), |(from, to)| (near(*from), near(*to))));
        let inside = |(a, b): (i64, i64), (from, to): (i64, i64)| from <= a && b <= to;
        let mut rest = &ranges[..blocks.len()];
        // RFC 2883, 4: a D-SACK is a first block below the acknowledgment or inside the second block.
        if rest[0].1 <= ack || rest.len() > 1 && inside(rest[0], rest[1]) {
            self.twice(rest[0]);
            rest = &rest[1..];
        }
        for &(from, to) in rest {
            let (from, to) = (from.max(una), to.min(self.next));
            if from >= to {
                continue;
            }
            for fresh in self.sacked.add((from, to)) {
                self.tries = 0;
                let mut once = Taken::default();
                self.split(fresh.0);
                self.split(fresh.1);
                while let Some((&start, &piece)) = self.outstanding.range(fresh.0..fresh.1).next() {
                    self.outstanding.remove(&start);
                    once.add(start, &piece);
                    self.arrived(start, &piece, now, shares);
                }
                if let Some(time) = once.time {
                    self.receiver.sample(now - time, now);
                }
                taken.first = [taken.first, once.first].into_iter().flatten().min();
            }
        }
    }

    /// Takes a D-SACK, for a range that arrived twice.
    fn twice(&mut self, (from, to): (i64, i64)) {
        let (from, to) = (from.max(0), to.min(self.next));
        // A keep-alive of one byte is no retransmission (RFC 9293, 3.8.4).
        if to - from <= 1 {
            return;
        }
        self.spurious += self.full.segments(to - from);
    }

    /// Takes the receive window, bytes.
    pub fn offer(&mut self, window: u32, now: i64, shares: &Shares) {
        if window == 0 && self.window != Some(0) && self.packets > 0 {
            self.zeros += 1;
        }
        self.window = Some(window);
        self.largest = self.largest.max(window);
        self.bucket(now, shares).window = Some(window);
    }
}
