//! Summarizes a listing: goodput, shares of the flows, retransmissions; and recognizes a rate cap.

use crate::headers::SEGMENT;
use crate::listing::{Counts, Listing, Period, Protocol, Reading, Stream};

/// Summary of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Goodput of all flows together.
    pub goodput: Option<Goodput>,
    /// Goodput of each flow, all counted by the same end.
    pub flows: Option<Flows>,
    /// Retransmissions of the senders.
    pub retransmitted: Option<Retransmitted>,
}

/// Goodput: payload per time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goodput {
    /// Rate, bit/s.
    pub rate: Reading,
    pub counted: Counted,
}

/// The end that counted, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// The receiver, over the whole run.
    Receiver,
    /// The sender, over the whole run. This includes data left in its buffer at the end, and for UDP lost datagrams.
    Sender,
    /// The end that printed the listing, over the intervals that it printed.
    Intervals,
}

/// The rates of flows that share a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Flows {
    /// Rate of each flow, bit/s, by rising stream number; never empty.
    pub rates: Vec<Reading>,
    pub counted: Counted,
}

/// Retransmitted segments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retransmitted {
    pub count: u64,
    /// Number of segments that the payload fills, without retransmissions.
    pub segments: Reading,
    /// Segment size, bytes.
    pub mss: u32,
    /// True if the listing prints no MSS, so that [`ASSUMED_MSS`] is used.
    pub assumed: bool,
}

/// Payload of a segment, bytes, if the listing does not print it.
pub const ASSUMED_MSS: u32 = SEGMENT;

/// Computes the summary of a listing.
pub fn summary(listing: &Listing) -> Summary {
    Summary { goodput: goodput(listing), flows: flows(listing), retransmitted: retransmitted(listing) }
}

/// Returns the goodput of all flows together: the printed sum, or else the flows added up.
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
        // The sum may lack an end that its streams have.
        (Some(printed), Some(added)) if added.counted < printed.counted => Some(added),
        (printed, added) => printed.or(added),
    }
}

/// Returns the goodput of each flow, from the best end that counted all of them.
pub fn flows(listing: &Listing) -> Option<Flows> {
    // UDP in JSON has received data only for all streams together.
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

/// Returns a flow's goodput from the best end that counted it, bit/s.
pub fn rate_of(counts: &Counts) -> Option<Reading> {
    let ends = [Counted::Receiver, Counted::Sender, Counted::Intervals];
    ends.into_iter().find_map(|counted| rate(counts, counted))
}

/// Returns the rate over all intervals that are not omitted.
fn mean(intervals: &[Period]) -> Option<Reading> {
    let counting = || intervals.iter().filter(|interval| !interval.omitted && interval.bytes.is_some());
    let bytes = counting().map(|interval| interval.bytes).reduce(|a, b| Some(a? + b?))??;
    let seconds: f64 = counting().map(|interval| interval.end.value - interval.start.value).sum();
    (seconds > 0.0).then_some(bytes * (8.0 / seconds))
}

impl Flows {
    /// Returns Jain's index, (sum x)^2 / (n sum x^2): 1 if all flows get the same, 1/n if one gets all (Jain, Chiu and
    /// Hawe, DEC-TR-301, 1984). Its half-width is the change that the resolutions of all rates allow, to first order.
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

    /// Returns the slowest and the fastest flow.
    pub fn extremes(&self) -> (Reading, Reading) {
        let by_value = |a: &&Reading, b: &&Reading| a.value.total_cmp(&b.value);
        let [slowest, fastest] = [self.rates.iter().min_by(by_value), self.rates.iter().max_by(by_value)];
        (*slowest.expect("flows are never empty"), *fastest.expect("flows are never empty"))
    }
}

impl Retransmitted {
    /// Returns retransmitted segments per segment of payload; this can exceed 1.
    pub fn ratio(&self) -> Reading {
        let value = self.count as f64 / self.segments.value;
        Reading { value, half_width: value * self.segments.half_width / self.segments.value }
    }

    /// Returns retransmitted segments as a share of all segments sent, like the measure `retransmitted`.
    pub fn share(&self) -> Reading {
        let all = self.count as f64 + self.segments.value;
        let value = self.count as f64 / all;
        Reading { value, half_width: value * self.segments.half_width / all }
    }
}

/// Returns the retransmissions, as the printed sum or added up; `None` if a sender prints none.
pub fn retransmitted(listing: &Listing) -> Option<Retransmitted> {
    let added = || added(listing.streams.iter().map(|stream| sent_again(&stream.counts)));
    in_segments(listing, sent_again(&listing.sum).or_else(added)?)
}

/// Number of retransmits, and bytes of payload in the same time.
type SentAgain = (u64, Reading);

fn added(all: impl Iterator<Item = Option<SentAgain>>) -> Option<SentAgain> {
    all.reduce(|a, b| a.zip(b).map(|((n, bytes), (m, more))| (n.saturating_add(m), bytes + more)))?
}

/// Returns the sender's count over the run, or else over the intervals.
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

/// Figures that two listings at a rate cap have in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateCap {
    /// Goodput of each.
    pub goodputs: [Reading; 2],
    /// Lowest [`Retransmitted::ratio`] among the flows of each.
    pub least_retransmitted: [Reading; 2],
    /// Jain's index of the flows of each.
    pub jain: [Reading; 2],
}

/// Totals agree if they differ by less than this share, or by less than their resolution.
const MAX_TOTALS_DIFFERENCE: f64 = 0.01;

/// From this Jain index on, flows share a path evenly.
const MIN_EVEN_JAIN: f64 = 0.95;

/// At a rate cap each flow retransmits more than this per segment, far above a path's background loss.
const MIN_CAPPED_RETRANSMITTED: f64 = 0.01;

/// Compares two runs of several flows. Returns a rate cap if their totals agree, every flow retransmits and all flows
/// get the same rate. A policer, a shaper or simply a full link then limits the total.
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

/// Returns the lowest ratio among all flows; `None` if a flow prints no retransmissions.
fn least_retransmitted(listing: &Listing) -> Option<Reading> {
    let ratios = listing.streams.iter().map(|stream| {
        let counted = sent_again(&stream.counts)?;
        Some(in_segments(listing, counted)?.ratio())
    });
    let least = |a: Option<Reading>, b: Option<Reading>| a.zip(b).map(|(a, b)| if b.value < a.value { b } else { a });
    ratios.reduce(least)?
}
