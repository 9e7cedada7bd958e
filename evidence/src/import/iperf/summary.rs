//! The summary of a listing: goodput, shares of the flows, retransmissions; and the sign of a rate cap.

use crate::headers::SEGMENT;
use crate::listing::{Counts, Listing, Period, Protocol, Reading, Stream};

/// The summary of a listing's figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The goodput of all flows together.
    pub goodput: Option<Goodput>,
    /// The goodput of each flow, all counted by the same end.
    pub flows: Option<Flows>,
    /// Retransmissions of the senders.
    pub retransmitted: Option<Retransmitted>,
}

/// Bits per second of payload.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goodput {
    /// Bits per second.
    pub rate: Reading,
    pub counted: Counted,
}

/// Who counted, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// The receiver, over the whole run.
    Receiver,
    /// The sender, over the whole run: what lay in its buffer at the end is counted, and of UDP what was lost.
    Sender,
    /// The end that printed the listing, by the intervals that it got to print.
    Intervals,
}

/// How flows share a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Flows {
    /// Bits per second of each flow, by rising number; never empty.
    pub rates: Vec<Reading>,
    pub counted: Counted,
}

/// Segments that were sent again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retransmitted {
    pub count: u64,
    /// Segments that the payload fills, without retransmissions.
    pub segments: Reading,
    /// Bytes of a segment.
    pub mss: u32,
    /// Whether the listing prints no MSS, so that [`ASSUMED_MSS`] is used.
    pub assumed: bool,
}

/// Payload of a segment if the listing does not print it.
pub const ASSUMED_MSS: u32 = SEGMENT;

/// The summary of a listing.
pub fn summary(listing: &Listing) -> Summary {
    Summary { goodput: goodput(listing), flows: flows(listing), retransmitted: retransmitted(listing) }
}

/// The goodput of all flows together: of the sum as printed, else added up.
pub fn goodput(listing: &Listing) -> Option<Goodput> {
    let added = || {
        let flows = flows(listing)?;
        Some(Goodput { rate: flows.rates.into_iter().reduce(|a, b| a + b)?, counted: flows.counted })
    };
    let printed = [Counted::Receiver, Counted::Sender, Counted::Intervals].into_iter().find_map(|counted| {
        let rate = rate(&listing.sum, counted)?;
        Some(Goodput { rate, counted })
    });
    match (printed, added()) {
        // A sum may lack what its streams have.
        (Some(printed), Some(added)) if added.counted < printed.counted => Some(added),
        (printed, added) => printed.or(added),
    }
}

/// The goodput of each flow, by the best end that counted all of them.
pub fn flows(listing: &Listing) -> Option<Flows> {
    // JSON of UDP tells what arrived of all streams together alone.
    let lone = (listing.streams.len() == 1).then_some(&listing.sum);
    [Counted::Receiver, Counted::Sender, Counted::Intervals].into_iter().find_map(|counted| {
        let of = |stream: &Stream| rate(&stream.counts, counted).or_else(|| rate(lone?, counted));
        let rates = listing.streams.iter().map(of).collect::<Option<Vec<_>>>()?;
        (!rates.is_empty()).then_some(Flows { rates, counted })
    })
}

fn rate(counts: &Counts, counted: Counted) -> Option<Reading> {
    match counted {
        Counted::Receiver => counts.receiver?.rate,
        Counted::Sender => counts.sender?.rate,
        Counted::Intervals => mean(&counts.intervals),
    }
}

/// The goodput of a flow by the best end that counted it, bit/s.
pub fn rate_of(counts: &Counts) -> Option<f64> {
    let ends = [Counted::Receiver, Counted::Sender, Counted::Intervals];
    ends.into_iter().find_map(|counted| rate(counts, counted)).map(|rate| rate.value)
}

/// The rate over all intervals that count.
fn mean(intervals: &[Period]) -> Option<Reading> {
    let counting = || intervals.iter().filter(|interval| !interval.omitted && interval.bytes.is_some());
    let bytes = counting().map(|interval| interval.bytes).reduce(|a, b| Some(a? + b?))??;
    let seconds: f64 = counting().map(|interval| interval.end.value - interval.start.value).sum();
    (seconds > 0.0).then_some(bytes * (8.0 / seconds))
}

impl Flows {
    /// Jain's index, (sum x)^2 / (n sum x^2): 1 where all flows get the same, 1/n where one gets all (Jain, Chiu and
    /// Hawe, DEC-TR-301, 1984). Its half-width is what the resolutions of all rates can change, to first order.
    pub fn jain(&self) -> Option<Reading> {
        let fastest = self.extremes().1.value;
        let rates = || self.rates.iter().map(|rate| (rate.value / fastest, rate.half_width / fastest));
        let sum: f64 = rates().map(|(rate, _)| rate).sum();
        let squares: f64 = rates().map(|(rate, _)| rate * rate).sum();
        let value = sum * sum / (self.rates.len() as f64 * squares);
        let slope = |rate: f64| 2.0 * value * (1.0 / sum - rate / squares);
        let half_width = rates().map(|(rate, half_width)| slope(rate).abs() * half_width).sum();
        (fastest > 0.0).then_some(Reading { value, half_width })
    }

    /// The slowest and the fastest flow.
    pub fn extremes(&self) -> (Reading, Reading) {
        let by_value = |a: &&Reading, b: &&Reading| a.value.total_cmp(&b.value);
        let [slowest, fastest] = [self.rates.iter().min_by(by_value), self.rates.iter().max_by(by_value)];
        (*slowest.expect("flows are never empty"), *fastest.expect("flows are never empty"))
    }
}

impl Retransmitted {
    /// Segments sent again for each segment of payload. It can exceed 1.
    pub fn ratio(&self) -> Reading {
        let value = self.count as f64 / self.segments.value;
        Reading { value, half_width: value * self.segments.half_width / self.segments.value }
    }

    /// Segments sent again over all that were sent, those included, as the measure `retransmitted` has it.
    pub fn share(&self) -> Reading {
        let all = self.count as f64 + self.segments.value;
        let value = self.count as f64 / all;
        Reading { value, half_width: value * self.segments.half_width / all }
    }
}

/// Retransmissions, from the printed sum or added up; `None` if a sender prints none.
pub fn retransmitted(listing: &Listing) -> Option<Retransmitted> {
    let added = || added(listing.streams.iter().map(|stream| sent_again(&stream.counts)));
    in_segments(listing, sent_again(&listing.sum).or_else(added)?)
}

/// Retransmits, and the bytes of payload among which they were.
type SentAgain = (u64, Reading);

fn added(all: impl Iterator<Item = Option<SentAgain>>) -> Option<SentAgain> {
    all.reduce(|a, b| a.zip(b).map(|((n, bytes), (m, more))| (n.saturating_add(m), bytes + more)))?
}

/// As the sender counted over the run, else over the intervals.
fn sent_again(counts: &Counts) -> Option<SentAgain> {
    let of = |period: &Period| period.retransmits.zip(period.bytes);
    let counting = counts.intervals.iter().filter(|interval| !interval.omitted);
    counts.sender.as_ref().and_then(of).or_else(|| added(counting.map(of)))
}

fn in_segments(listing: &Listing, (count, bytes): SentAgain) -> Option<Retransmitted> {
    let known = listing.mss.filter(|mss| *mss > 0);
    let mss = known.unwrap_or(ASSUMED_MSS);
    let segments = bytes * (1.0 / f64::from(mss));
    let is_segmented = listing.protocol != Some(Protocol::Udp) && segments.value > 0.0;
    is_segmented.then_some(Retransmitted { count, segments, mss, assumed: known.is_none() })
}

/// What two listings at a rate cap have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateCap {
    /// The goodput of each.
    pub goodputs: [Reading; 2],
    /// The least [`Retransmitted::ratio`] among all flows of each.
    pub least_retransmitted: [Reading; 2],
    /// Jain's index of the flows of each.
    pub jain: [Reading; 2],
}

/// Totals that differ by less than this share, or by less than their resolution, agree.
const MAX_TOTALS_DIFFERENCE: f64 = 0.01;

/// From this Jain index on, flows share a path evenly.
const MIN_EVEN_JAIN: f64 = 0.95;

/// Each flow at a rate cap retransmits more than this per segment, far above a path's background loss.
const MIN_CAPPED_RETRANSMITTED: f64 = 0.01;

/// Whether the totals of two runs of several flows agree while every flow retransmits and all get the same. Then
/// something holds the rate and drops what exceeds it: a policer, a shaper, or a line that is simply full.
pub fn rate_cap(a: &Listing, b: &Listing) -> Option<RateCap> {
    let both = [a, b];
    let [first, second] = both.map(goodput);
    let goodputs = [first?.rate, second?.rate];
    let apart = (goodputs[0].value - goodputs[1].value).abs();
    let resolution = goodputs[0].half_width + goodputs[1].half_width;
    let agree = apart <= f64::max(resolution, MAX_TOTALS_DIFFERENCE * f64::max(goodputs[0].value, goodputs[1].value));
    let [first, second] = both.map(least_retransmitted);
    let least_retransmitted = [first?, second?];
    let [first, second] = both.map(|listing| flows(listing).filter(|flows| flows.rates.len() > 1)?.jain());
    let jain = [first?, second?];
    let is_capped = agree
        && least_retransmitted.iter().all(|ratio| ratio.value - ratio.half_width > MIN_CAPPED_RETRANSMITTED)
        && jain.iter().all(|index| index.value >= MIN_EVEN_JAIN);
    is_capped.then_some(RateCap { goodputs, least_retransmitted, jain })
}

/// The smallest ratio among all flows; `None` if a flow prints none.
fn least_retransmitted(listing: &Listing) -> Option<Reading> {
    let ratios = listing.streams.iter().map(|stream| {
        let counted = sent_again(&stream.counts)?;
        Some(in_segments(listing, counted)?.ratio())
    });
    let least = |a: Option<Reading>, b: Option<Reading>| a.zip(b).map(|(a, b)| if b.value < a.value { b } else { a });
    ratios.reduce(least)?
}
