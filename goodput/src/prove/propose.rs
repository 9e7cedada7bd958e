//! Candidates: the mechanisms that hard evidence excludes, first guesses in closed form, and pairs of mechanisms.

use super::candidate::{Candidate, FRAME_BITS, Kind, PAYLOAD_SHARE, Part, Quantity};
use super::case::Case;
use super::distance::largest;
use crate::model::response;
use crate::show;
use crate::stats::{mean, median};
use serde::{Deserialize, Serialize};

/// A mechanism that needs no laboratory to be ruled out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Excluded {
    /// The mechanism.
    pub kind: Kind,
    /// The evidence against it.
    pub why: String,
}

/// What the evidence shows before any trial.
pub struct Clues<'c> {
    case: &'c Case,
    /// Goodput of each interval, bit/s.
    goodput: Vec<f64>,
    /// Round-trip time of each interval, seconds: as printed, else cwnd over goodput.
    rtt: Vec<f64>,
    cwnd: Vec<f64>,
    retransmitted: Vec<f64>,
    /// Segments sent after the first interval.
    later: f64,
}

/// A mechanism under which the evidence is less probable than this is excluded.
const MIN_EVIDENCE_PROBABILITY: f64 = 0.01;
/// A limit that binds for less than this share of the time is ignored.
pub const MIN_LIMITED_SHARE: f64 = 0.01;
/// Packets never wait longer than this behind an AQM, seconds: CoDel's target is 5 ms (RFC 8289, 4.3), PIE's 15 ms (RFC
/// 8033, 4.2).
const MAX_AQM_DELAY_S: f64 = 0.05;
/// An RTT must rise by this share of the idle RTT to tell one link rate from another.
const RTT_RESOLUTION_SHARE: f64 = 0.02;
/// A receive window above this many times cwnd does not bind: autotuning offers twice what is in flight
/// (tcp_rcv_space_adjust).
const MAX_BINDING_WINDOW_RATIO: f64 = 2.2;
/// Receive buffer over the window offered from it, with full segments (tcp_rcv_space_adjust, scaling_ratio).
const BUFFER_PER_WINDOW: f64 = 1.62;

impl<'c> Clues<'c> {
    /// The clues of a case.
    pub fn of(case: &'c Case) -> Clues<'c> {
        let (seen, step) = (&case.seen, case.instrument.step);
        let lengths = [case.instrument.first.unwrap_or(step)].into_iter().chain(std::iter::repeat(step));
        let goodput: Vec<f64> = seen.bytes.iter().zip(lengths).map(|(bytes, length)| bytes * 8.0 / length).collect();
        let in_flight = |goodput: f64| goodput * case.rtt / 8.0 / case.instrument.mss;
        let cwnd = seen.cwnd.clone().unwrap_or_else(|| goodput.iter().map(|g| in_flight(*g).max(2.0)).collect());
        let implied = |(g, cwnd): (&f64, &f64)| {
            (cwnd * case.instrument.mss * 8.0 / g.max(1e4)).clamp(case.rtt, 20.0 * case.rtt + 1.0)
        };
        let rtt = seen.rtt.clone().unwrap_or_else(|| goodput.iter().zip(&cwnd).map(implied).collect());
        let retransmitted = seen.lost(&case.units()).unwrap_or_else(|| vec![0.0; goodput.len()]);
        let later = seen.bytes[1..].iter().sum::<f64>() / case.instrument.mss;
        Clues { case, goodput, rtt, cwnd, retransmitted, later }
    }

    /// Mechanisms that hard evidence rules out.
    pub fn excluded(&self) -> Vec<Excluded> {
        let why = |kind: Kind| Some(Excluded { kind, why: self.against(kind)? });
        Kind::ALL.into_iter().filter_map(why).collect()
    }

    fn against(&self, kind: Kind) -> Option<String> {
        let seen = &self.case.seen;
        let bound = |share: f64| {
            (share < MIN_LIMITED_SHARE).then(|| format!("limited it for {} of the time", show::share(share)))
        };
        match kind {
            Kind::Reordering if seen.reordered == Some(0.0) => Some("the sender saw none".into()),
            Kind::Loss | Kind::Bursts | Kind::Policer | Kind::Reordering => {
                let [all, lost] = [seen.retransmitted.clone()?, seen.lost(&self.case.units())?]
                    .map(|counts| counts.iter().sum::<f64>());
                match (all, lost) {
                    (0.0, _) => Some("nothing was retransmitted".into()),
                    (all, 0.0) => Some(format!("{all:.0} segments were retransmitted, and cwnd did not fall")),
                    _ => None,
                }
            }
            Kind::EarlyExit => self.left_early().is_none().then(|| "cwnd did not climb slowly without a loss".into()),
            Kind::Overshoot => self.overshot().is_none().then(|| "no loss at its start was the only one".into()),
            Kind::Shared => {
                let all: f64 = seen.retransmitted.iter().flatten().sum();
                let printed = seen.rtt.as_ref().map(|rtt| (largest(rtt), "RTT"));
                let rtt =
                    printed.or_else(|| Some((self.implied()?, "mean RTT"))).filter(|(rtt, _)| *rtt <= self.idle());
                let quiet = || (all == 0.0 && seen.rtt.is_none()).then(|| "nothing was retransmitted".into());
                rtt.map(|(rtt, what)| format!("no queue stood: its {what} was {} at most", show::time(rtt)))
                    .or_else(quiet)
            }
            Kind::Aqm => {
                let all: f64 = seen.lost(&self.case.units())?.iter().sum();
                let stood = seen
                    .rtt
                    .as_ref()
                    .map(|rtt| median(&rtt[1..]) - self.case.rtt)
                    .filter(|time| *time > MAX_AQM_DELAY_S);
                let unmarked = (all == 0.0 && !self.case.ecn).then(|| "nothing was lost that lowered cwnd".into());
                unmarked.or_else(|| Some(format!("packets waited for {}", show::time(stood?))))
            }
            Kind::ReceiveWindow => {
                let told = seen.limits.and_then(|limits| bound(limits.rwnd));
                let offered = seen.window.as_ref().map(|window| median(&window[1..]));
                let used = median(&self.cwnd[1..]) * self.case.instrument.mss;
                let wide = offered.filter(|window| *window > MAX_BINDING_WINDOW_RATIO * used);
                told.or_else(|| Some(format!("it offered {}, and cwnd was {}", show::bytes(wide?), show::bytes(used))))
            }
            Kind::SendBuffer => seen.limits.and_then(|limits| bound(limits.sndbuf)),
            Kind::Hole => (!self.is_stalled()).then(|| "full-size segments arrived".into()),
            Kind::Outage => self.rest().is_none().then(|| "it never stood still".into()),
            Kind::Pace if self.case.target.is_some() => Some("it is known: the program kept to a rate (-b)".into()),
            Kind::Pace => self.paced().is_none().then(|| "nothing shows that TCP waited for the program".into()),
            Kind::Reader if self.case.is_served() => Some("the transfer got what -b asks for".into()),
            Kind::Reader => match &seen.window {
                Some(window) => (!falls(window)).then(|| "the window that it offered never fell by half".into()),
                None => (!self.has_room()).then(|| "cwnd was used up".into()),
            },
        }
    }

    /// Evidence that the sender waited for its program: counters, or text that does not mention -b and has a round goodput
    /// below what cwnd allows.
    fn paced(&self) -> Option<String> {
        /// A goodput this close to two digits counts as round.
        const MAX_ROUNDING_SHARE: f64 = 0.005;
        let mean = self.mean();
        let digit = 10f64.powf(mean.log10().floor() - 1.0);
        let is_round = ((mean / digit).round() * digit / mean - 1.0).abs() < MAX_ROUNDING_SHARE;
        let is_text = self.case.seen.rtt.is_none() && self.case.seen.limits.is_none();
        let lossless = self.retransmitted.iter().sum::<f64>() == 0.0;
        let guess = is_text && is_round && lossless && self.has_room();
        self.case.idle.clone().or_else(|| guess.then(|| "a round figure below what cwnd allows".into()))
    }

    /// The longest mean RTT that cwnd allows, seconds (Little's law).
    fn implied(&self) -> Option<f64> {
        let cwnd = mean(&self.case.seen.cwnd.as_ref()?[1..]) * self.case.instrument.mss * 8.0;
        Some(cwnd / mean(&self.goodput[1..]).max(1.0))
    }

    /// Whether cwnd would have allowed much more.
    fn has_room(&self) -> bool {
        /// cwnd is used up if more than this share of it is in flight.
        const USED_UP_SHARE: f64 = 0.8;
        let used = |at: usize| {
            self.goodput[at] * self.rtt_idle_or_printed(at) / 8.0 / self.case.instrument.mss / self.cwnd[at]
        };
        self.case.seen.cwnd.is_none() || median(&(1..self.cwnd.len()).map(used).collect::<Vec<_>>()) < USED_UP_SHARE
    }

    fn rtt_idle_or_printed(&self, at: usize) -> f64 {
        self.case.seen.rtt.as_ref().map_or(self.case.rtt, |rtt| rtt[at])
    }

    /// cwnd where all of it is used, and the program keeps to no rate.
    fn used_cwnd(&self) -> Option<&[f64]> {
        let cwnd = self.case.seen.cwnd.as_deref()?;
        (!self.has_room() && self.case.target.is_none()).then_some(cwnd)
    }

    /// The cwnd at which slow start ended without a loss, bytes. The transfer then uses up cwnd, which climbs slowly for at
    /// least a third of the transfer.
    fn left_early(&self) -> Option<f64> {
        /// cwnd grows by less than this in an interval of congestion avoidance; slow start doubles it each round trip.
        const MAX_SLOW_GROWTH_RATIO: f64 = 1.25;
        const CWND_FALL_RATIO: f64 = 0.97;
        const MIN_CLIMBING_INTERVALS: usize = 4;
        let cwnd = self.used_cwnd()?;
        let climbs =
            |at: &usize| (CWND_FALL_RATIO..MAX_SLOW_GROWTH_RATIO).contains(&(cwnd[at + 1] / cwnd[*at].max(1.0)));
        let from = (0..cwnd.len() - 1).find(climbs)?;
        let until = (from..cwnd.len() - 1).find(|at| !climbs(at)).unwrap_or(cwnd.len() - 1);
        let stays = (until - from).max(1) >= (cwnd.len() / 3).max(MIN_CLIMBING_INTERVALS);
        stays.then(|| cwnd[from] * self.case.instrument.mss)
    }

    /// The cwnd at which slow start ended with the only loss, bytes, and the segments lost. The transfer then uses up cwnd,
    /// which climbs. If no interval shows the peak, it follows from the cwnd after CUBIC's reduction.
    fn overshot(&self) -> Option<[f64; 2]> {
        const CWND_FALL_RATIO: f64 = 0.97;
        /// Slow start ends within the first third of the transfer.
        const SLOW_START_DIVISOR: usize = 3;
        /// Intervals until cwnd climbs again: recovery takes one or a few round trips (RFC 6675).
        const RECOVERY_INTERVALS: usize = 2;
        const MAX_CWND_AFTER_LOSS_RATIO: f64 = 2.0;
        let cwnd = self.used_cwnd()?;
        let at = self
            .retransmitted
            .iter()
            .position(|count| *count > 0.0)
            .filter(|at| *at < cwnd.len() / SLOW_START_DIVISOR)?;
        let after = at + RECOVERY_INTERVALS;
        let climbs = cwnd.get(after..)?.windows(2).all(|pair| pair[1] >= CWND_FALL_RATIO * pair[0]);
        let is_only = self.retransmitted[after..].iter().all(|count| *count == 0.0);
        let before = largest(&cwnd[..=at]);
        let is_fall = cwnd[after] < MAX_CWND_AFTER_LOSS_RATIO * before;
        let most = before.max(cwnd[at].min(cwnd[at + 1]) / response::CUBIC_BETA);
        let lost = self.retransmitted[at..after].iter().sum();
        (climbs && is_only && is_fall).then_some([most * self.case.instrument.mss, lost])
    }

    /// Whether nothing passes after the first interval.
    fn is_stalled(&self) -> bool {
        self.case.seen.bytes[1..].iter().sum::<f64>() < 2.0 * self.case.instrument.block
    }

    /// When the transfer came to a halt, from the start of the flow, and for how long, seconds.
    fn rest(&self) -> Option<[f64; 2]> {
        /// An interval below this share of the mean goodput is a halt.
        const MAX_STILL_SHARE: f64 = 0.05;
        let is_still = |at: &usize| self.goodput[*at] < MAX_STILL_SHARE * self.mean();
        let flows: Vec<f64> = (1..self.goodput.len()).filter(|at| !is_still(at)).map(|at| self.goodput[at]).collect();
        let usual = if flows.is_empty() { self.mean() } else { median(&flows) };
        let from = (1..self.goodput.len()).find(is_still)?;
        let to = (from..self.goodput.len()).find(|at| !is_still(at)).unwrap_or(self.goodput.len());
        // The share of the intervals before and after the halt that is missing.
        let missing = |at: usize| 1.0 - self.goodput.get(at).map_or(1.0, |goodput| (goodput / usual).min(1.0));
        let step = self.case.instrument.step;
        let stood = self.case.begins() + self.case.instrument.first.unwrap_or(step) - step;
        let at = stood + (from as f64 - missing(from - 1)) * step;
        Some([at, ((to - from) as f64 + missing(from - 1) + missing(to)) * step])
    }

    /// Whether hard evidence leaves room for its quantities.
    pub fn allows(&self, candidate: &Candidate) -> bool {
        /// The link must carry this share of the goodput: rates are rounded to 1 kbit/s.
        const MIN_CARRIED_SHARE: f64 = 0.999;
        let lossy = |part: &&Part| matches!(part.kind, Kind::Loss | Kind::Bursts);
        candidate.rate * PAYLOAD_SHARE >= MIN_CARRIED_SHARE * self.case.seen.received
            && !self.would_queue(candidate)
            && candidate.parts.iter().filter(lossy).all(|part| part.values[0] <= self.most_lost())
    }

    /// Whether a full link would queue packets although the printed RTT shows no queue. Does not apply if a known setting of
    /// the hosts may hold the transfer below the link rate.
    fn would_queue(&self, candidate: &Candidate) -> bool {
        /// A link below this many times the goodput is full.
        const MAX_FULL_LINE_RATIO: f64 = 1.25;
        let is_full = candidate.rate * PAYLOAD_SHARE < MAX_FULL_LINE_RATIO * self.mean();
        let stood = self.case.seen.rtt.as_ref().is_none_or(|rtt| largest(rtt) > self.idle());
        let Case { rmem, wmem, asked, target, .. } = self.case;
        let is_held = rmem.or(*wmem).is_some() || asked.or(*target).is_some();
        candidate.parts.is_empty() && !is_held && is_full && !stood && !candidate.is_small(self.case.rtt)
    }

    /// The largest loss share that agrees with the number of answered pings.
    fn most_lost(&self) -> f64 {
        match self.case.pings {
            0 => 0.9,
            pings => 1.0 - MIN_EVIDENCE_PROBABILITY.powf(1.0 / (2.0 * pings as f64)),
        }
    }

    /// The mean goodput, bit/s.
    pub fn mean(&self) -> f64 {
        self.case.seen.received.max(1e4)
    }

    /// The longest RTT without a standing queue, seconds: a few packets wait for each other on any link.
    fn idle(&self) -> f64 {
        const MAX_IDLE_QUEUE_PACKETS: f64 = 3.0;
        (1.1 * self.case.rtt + 0.001).max(self.case.rtt + MAX_IDLE_QUEUE_PACKETS * FRAME_BITS / self.least())
    }

    /// The link rate if a queue stood: cwnd over RTT, if the printed RTT is above that of the idle path and goodput agrees. An
    /// RTT computed from cwnd and goodput would agree by construction.
    fn standing(&self) -> Option<f64> {
        self.case.seen.rtt.as_ref()?;
        let idle = self.idle();
        let rate = |at: usize| self.cwnd[at] * FRAME_BITS / self.rtt[at];
        let agrees = |at: &usize| (rate(*at) / (self.goodput[*at].max(1.0) / PAYLOAD_SHARE)).ln().abs() < 0.7;
        let calm = |at: &usize| self.retransmitted[*at] < 0.2 * self.cwnd[*at] + 1.0 && self.cwnd[*at] > 8.0;
        let stood: Vec<usize> = (1..self.rtt.len()).filter(|at| self.rtt[*at] > idle && calm(at)).collect();
        let rates: Vec<f64> = stood.iter().filter(|at| agrees(at)).map(|at| rate(*at)).collect();
        (stood.len() >= 3 && rates.len() * 2 > stood.len()).then(|| median(&rates).max(self.mean() / PAYLOAD_SHARE))
    }

    /// The link rate without a standing queue: every second segment is acknowledged (RFC 5681, 4.2), so the RTT exceeds that
    /// of the idle path by the time two segments take on the link.
    fn spaced(&self) -> Option<f64> {
        let longer = median(&self.case.seen.rtt.as_ref()?[1..]) - self.case.rtt;
        (longer > RTT_RESOLUTION_SHARE * self.case.rtt).then(|| (2.0 * FRAME_BITS / longer).max(self.least()))
    }

    /// Whether the printed RTT tells this link rate from a faster one.
    pub fn is_resolved(&self, rate: f64) -> bool {
        self.case.seen.rtt.is_some() && 2.0 * FRAME_BITS / rate > RTT_RESOLUTION_SHARE * self.case.rtt
    }

    /// The least link rate that carries what arrived, bit/s.
    pub fn least(&self) -> f64 {
        let mut sorted = self.goodput.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        (median(&self.goodput) / PAYLOAD_SHARE).max(self.mean() / PAYLOAD_SHARE).max(sorted[1] * 1.03).max(3e5)
    }

    /// Possible link rates, bit/s.
    fn rates(&self) -> Vec<f64> {
        match (self.case.rate, self.standing()) {
            (Some(rate), _) => vec![rate],
            (None, Some(rate)) => vec![rate],
            (None, None) => {
                // A program that keeps to a rate writes in blocks, each as fast as the line takes it.
                let blocks = self.case.target.map(|rate| 8.0 * rate);
                let usual = [1.0, 2.0, 4.0].map(|times| times * self.least());
                blocks.into_iter().chain(self.spaced()).chain(usual).collect()
            }
        }
    }

    /// First guesses: a few for each mechanism that is not excluded, interleaved so that the first ones cover all mechanisms.
    pub fn candidates(&self) -> Vec<Candidate> {
        let excluded: Vec<Kind> = self.excluded().into_iter().map(|excluded| excluded.kind).collect();
        let mut of_kinds: Vec<Vec<Candidate>> = vec![self.lines()];
        let kinds = Kind::ALL.into_iter().filter(|kind| !excluded.contains(kind));
        of_kinds.extend(kinds.map(|kind| self.guesses(kind)));
        let most = of_kinds.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).flat_map(|at| of_kinds.iter().filter_map(move |all| all.get(at).cloned())).collect()
    }

    /// Mechanisms on a full link, in doses too small to hold the transfer back much.
    pub fn small_doses_on(&self, line: &Candidate) -> Vec<Candidate> {
        /// Share of the counted loss that a small dose loses.
        const DOSE_SHARE: f64 = 0.25;
        let [counted, ..] = self.shares();
        let (some, rtt) = (DOSE_SHARE * counted, self.case.rtt);
        let doses = [
            (Kind::Loss, [some, 0.0]),
            (Kind::Bursts, [some, 4.0]),
            (Kind::Reordering, [0.02, 0.4 * rtt]),
            (Kind::Bursts, [some, self.burst()]),
            (Kind::Reordering, [0.05, 0.8 * rtt]),
        ];
        let own = doses.into_iter().filter(|(kind, _)| self.against(*kind).is_none());
        own.map(|(kind, values)| line.with(kind, &values[..kind.row().1.len()])).collect()
    }

    fn bdp(&self, rate: f64) -> f64 {
        Candidate::bdp(rate, self.case.rtt)
    }

    /// Whether a link of this rate is never full, so that neither its rate nor its queue shows.
    pub fn is_out_of_reach(&self, rate: f64) -> bool {
        /// A link this many times faster than the largest goodput is never full.
        const OUT_OF_REACH_RATIO: f64 = 3.0;
        self.standing().is_none() && rate * PAYLOAD_SHARE > OUT_OF_REACH_RATIO * largest(&self.goodput)
    }

    /// 95 % interval of the loss share if every retransmission was a loss, in bursts of `length` packets: limits of a Poisson
    /// count (Byar's approximation; Breslow and Day 1987, 2.3).
    pub fn chance(&self, length: f64) -> [f64; 2] {
        let lost = self.retransmitted[1..].iter().sum::<f64>();
        let events = (lost / length.max(1.0)).max(1.0);
        let limit = |n: f64, side: f64| n * (1.0 - 1.0 / (9.0 * n) + side * 1.96 / (3.0 * n.sqrt())).powi(3);
        let each = lost.max(1.0) / events / self.later.max(1.0);
        [each * limit(events, -1.0), each * limit(events + 1.0, 1.0)].map(|share| share.min(self.most_lost()))
    }

    /// Whether losses are so few that seeds differ a lot.
    pub fn is_rare(&self, candidate: &Candidate) -> bool {
        /// Below this many loss events in the transfer, seeds differ too much for a few of them.
        const MIN_LOSS_EVENTS: f64 = 10.0;
        let events = candidate.parts.iter().filter_map(|part| match part.kind {
            Kind::Loss => Some(part.values[0]),
            Kind::Bursts => Some(part.values[0] / part.values[1].max(1.0)),
            _ => None,
        });
        events.map(|share| share * self.later).any(|events| events < MIN_LOSS_EVENTS)
    }

    /// The longest queue that the RTT shows, packets.
    fn queued(&self, rate: f64) -> Option<f64> {
        let above = self.rtt.iter().filter(|rtt| **rtt > self.idle()).count();
        (above >= 2).then(|| ((largest(&self.rtt) - self.case.rtt) * rate / FRAME_BITS).max(4.0))
    }

    fn lines(&self) -> Vec<Candidate> {
        let lost = self.retransmitted.iter().sum::<f64>() > 0.0;
        let mut all = vec![];
        for rate in self.rates() {
            match self.queued(rate) {
                Some(queue) => all.extend([1.0, 0.7, 1.5, 4.0].map(|times| Candidate::line(rate, queue * times))),
                None => all.extend([1.0, 0.5, 2.0].map(|times| Candidate::line(rate, self.bdp(rate) * times))),
            }
            let small = [4.0, 8.0, 16.0, 30.0].into_iter().filter(|queue| lost && *queue < self.bdp(rate) * 0.5);
            all.extend(small.map(|queue| Candidate::line(rate, queue)));
        }
        all
    }

    fn guesses(&self, kind: Kind) -> Vec<Candidate> {
        let line = |rate: f64| {
            Candidate::line(rate, self.queued(rate).filter(|_| self.standing().is_some()).unwrap_or(self.bdp(rate)))
        };
        let rates = self.rates();
        let rtt = self.case.rtt;
        let lowest = self.case.rate.or_else(|| self.standing()).unwrap_or_else(|| self.least());
        let fast = self.case.rate.unwrap_or(6.0 * self.mean());
        let each = |values: &[Vec<f64>], rates: &[f64]| -> Vec<Candidate> {
            values.iter().flat_map(|values| rates.iter().map(|rate| line(*rate).with(kind, values))).collect()
        };
        // To find a limit below the link rate, assume a faster link.
        let spaced = self.spaced().filter(|rate| self.standing().is_none() && *rate > lowest);
        let above = || spaced.into_iter().chain([1.5 * lowest, 4.0 * lowest]).collect();
        let above: Vec<f64> = self.case.rate.map_or_else(above, |rate| vec![rate]);
        match kind {
            Kind::ReceiveWindow => {
                let offered = self.case.seen.window.as_ref().and_then(|window| window.last().copied());
                let in_flight = self.mean() * rtt / 8.0;
                let sizes = [
                    offered.map(|w| 1.75 * w),
                    offered.map(|w| 2.2 * w),
                    Some(1.75 * in_flight),
                    Some(2.3 * in_flight),
                ];
                each(&sizes.into_iter().flatten().map(|size| vec![size]).collect::<Vec<_>>(), &above)
            }
            Kind::SendBuffer => {
                let in_flight = self.mean() * rtt.max(median(&self.rtt)) / 8.0;
                each(&[0.7, 1.2, 2.0].map(|times| vec![in_flight * times]), &above)
            }
            Kind::Loss => each(&self.shares().map(|share| vec![share]), &rates),
            Kind::Bursts => {
                /// Length of a short burst, packets.
                const SHORT_BURST_PACKETS: f64 = 4.0;
                let [counted, ..] = self.shares();
                let lengths = [(SHORT_BURST_PACKETS * self.burst()).sqrt(), SHORT_BURST_PACKETS, self.burst()];
                let values = [1.0, 2.0].iter().flat_map(|times| lengths.map(|length| vec![times * counted, length]));
                each(&values.collect::<Vec<_>>(), &rates)
            }
            Kind::Policer => {
                let rate = self.mean() / PAYLOAD_SHARE;
                // A burst below a BDP of its rate holds CUBIC back to 1.3 of them in a round trip, whatever the rate is.
                let burst = rate * rtt / 8.0 / 1.3;
                let values = [[1.0, 40e3], [1.3, burst], [2.0, burst], [1.2, 40e3], [1.0, 150e3]];
                each(&values.map(|[times, burst]| vec![rate * times, burst]), &[fast])
            }
            Kind::Reordering => {
                // What comes late makes the RTT longer, as a queue would.
                let rates: Vec<f64> = match self.case.rate {
                    Some(rate) => vec![rate],
                    None => [1.3, 4.0].map(|times| times * self.least()).into(),
                };
                let values = [[0.045, 0.5], [0.02, 1.0], [0.1, 0.3], [0.02, 0.3], [0.1, 1.0]];
                each(&values.map(|[share, trips]| vec![share, trips * rtt]), &rates)
            }
            Kind::EarlyExit => {
                let left = self.left_early().unwrap_or(self.mean() * rtt / 8.0);
                each(&[1.0, 0.93, 1.06].map(|times| vec![times * left]), &above)
            }
            Kind::Overshoot => {
                let [most, lost] = self.overshot().unwrap_or([self.mean() * rtt / 8.0, Quantity::Packets.least()]);
                let lost = lost.max(Quantity::Packets.least());
                each(&[1.0, 1.1, 0.95, 1.25].map(|times| vec![times * most, lost]), &above)
            }
            Kind::Pace | Kind::Reader => each(&[vec![self.mean()]], &above),
            Kind::Hole => each(&[vec![1401.0]], &[lowest]),
            Kind::Shared => self.shared(),
            Kind::Aqm => {
                let rates: Vec<f64> = match self.case.rate.or_else(|| self.standing()) {
                    Some(rate) => vec![rate],
                    None => [1.05, 1.3, 1.8].map(|times| times * self.least()).into(),
                };
                each(&[vec![0.005], vec![0.015]], &rates)
            }
            Kind::Outage => {
                let [at, length] = self.rest().unwrap_or_default();
                // TCP tries again at intervals that double (RFC 6298, 5.5), so it stands still for up to twice as long.
                each(&[0.9, 0.7, 0.5].map(|share| vec![at, share * length]), &rates)
            }
        }
    }

    /// Shared links: equal flows get equal shares, and the queue follows from the RTT. A flow that still climbs at its end has
    /// less than its share.
    fn shared(&self) -> Vec<Candidate> {
        const MAX_COMPETING_FLOWS: f64 = 30.0;
        /// A flow climbs if its last third carried this many times its first.
        const MIN_CLIMB_RATIO: f64 = 1.5;
        /// Fair share over the last goodput of a flow that still climbs.
        const CLIMBING_FAIR_SHARE_RATIO: f64 = 2.0;
        let third = (self.goodput.len() / 3).max(1);
        let [early, late] = [mean(&self.goodput[..third]), mean(&self.goodput[self.goodput.len() - third..])];
        let equal = self.mean() / PAYLOAD_SHARE;
        let shares = [equal, CLIMBING_FAIR_SHARE_RATIO * late / PAYLOAD_SHARE];
        let shares = if late > MIN_CLIMB_RATIO * early { &shares[..] } else { &shares[..1] };
        let line = |count: f64, rate: f64, times: f64| {
            let queue = self.queued(rate).unwrap_or(self.bdp(rate));
            Candidate::line(rate, (queue * times).max(4.0)).with(Kind::Shared, &[count])
        };
        let of = |times: f64| -> Vec<Candidate> {
            let each = shares.iter();
            match self.case.rate {
                Some(rate) => each
                    .map(|share| line((rate / share - 1.0).round().clamp(1.0, MAX_COMPETING_FLOWS), rate, times))
                    .collect(),
                None => {
                    each.flat_map(|share| [1.0, 3.0].map(|count| line(count, (count + 1.0) * share, times))).collect()
                }
            }
        };
        // With a known rate each trial carries the full link rate, which costs more.
        let times = if self.case.rate.is_some() { &[1.0, 0.5][..] } else { &[1.0, 0.5, 2.0] };
        times.iter().flat_map(|times| of(*times)).collect()
    }

    /// Loss shares: counted after the first interval, from goodput (Mathis et al. 1997, with 1.2 for CUBIC at short RTTs), and
    /// their geometric mean.
    fn shares(&self) -> [f64; 3] {
        let most = self.most_lost();
        let counted = self.retransmitted[1..].iter().sum::<f64>().max(1.0) / self.later.max(50.0);
        let told = response::reno_loss(self.case.instrument.mss, self.case.rtt, self.mean());
        [counted, (counted * told).sqrt(), told].map(|share| share.clamp(1e-6, most))
    }

    /// Mean burst length, packets: retransmissions in an interval that has any.
    fn burst(&self) -> f64 {
        let hit: Vec<f64> = self.retransmitted[1..].iter().copied().filter(|count| *count > 0.0).collect();
        if hit.is_empty() { 1.0 } else { mean(&hit).max(2.0) }
    }

    /// Pairs of the best single mechanisms, for transfers that one mechanism does not explain, on the link of either. `others`
    /// fit less well alone and may be hidden behind a window.
    pub fn pairs(&self, best: &[&Candidate], others: &[&Candidate]) -> Vec<Candidate> {
        let mut all = vec![];
        for (at, one) in best.iter().enumerate() {
            for other in &best[at + 1..] {
                all.extend(self.pair(one, other));
                all.extend(self.pair(other, one));
            }
        }
        // A mechanism that alone fits on a slow link may fit on a fast one beside another mechanism.
        all = all.into_iter().flat_map(|one| self.on_fast(&one).into_iter().chain([one])).collect();
        let hidden = self.hidden(&[best, others].concat());
        let most = all.len().max(hidden.len());
        (0..most).flat_map(|at| [hidden.get(at), all.get(at)]).flatten().cloned().collect()
    }

    /// The same on a link far from full, unless the link is known to be full.
    fn on_fast(&self, one: &Candidate) -> Option<Candidate> {
        let rate = 4.0 * self.least();
        let is_open = self.case.rate.is_none() && self.standing().is_none();
        is_open.then(|| Candidate { rate, buffer: one.buffer * rate / one.rate, ..one.clone() })
    }

    /// A window or a buffer beside loss: the offered window, one that ends cwnd's growth on the same link, or one that limits on
    /// a faster link beside the counted loss. The likeliest sizes come first.
    fn hidden(&self, best: &[&Candidate]) -> Vec<Candidate> {
        let excluded: Vec<Kind> = self.excluded().into_iter().map(|excluded| excluded.kind).collect();
        let mss = self.case.instrument.mss;
        let cwnd = largest(&self.cwnd).min(mean(&self.cwnd) * 1.5) * mss;
        let passed = self.mean() * self.case.rtt / 8.0;
        let offered = self.case.seen.window.as_ref().map(|window| median(window) * BUFFER_PER_WINDOW);
        let of = |one: &&Candidate| -> Vec<Vec<Candidate>> {
            let fast = self.on_fast(&self.counted(one));
            let both = |kind: Kind, some: f64, most: f64| -> Vec<Candidate> {
                let fast = fast.iter().map(|fast| fast.with(kind, &[some]));
                [one.with(kind, &[most])].into_iter().chain(fast).collect()
            };
            let window = match offered {
                Some(size) => both(Kind::ReceiveWindow, size, size),
                None => {
                    [[1.75, 1.2], [2.3, 2.0]].map(|[a, b]| both(Kind::ReceiveWindow, a * passed, b * cwnd)).concat()
                }
            };
            let buffer = [[1.2, 1.2], [2.0, 2.0]].map(|[a, b]| both(Kind::SendBuffer, a * passed, b * cwnd)).concat();
            let is_open = |kind| !excluded.contains(&kind) && !one.has(kind);
            let all = [(Kind::ReceiveWindow, window), (Kind::SendBuffer, buffer)];
            all.into_iter().filter(|(kind, _)| is_open(*kind)).map(|(_, all)| all).collect()
        };
        let all: Vec<Vec<Candidate>> = best.iter().filter(|one| one.parts.len() < 2).flat_map(of).collect();
        let most = all.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).flat_map(|at| all.iter().filter_map(move |all| all.get(at).cloned())).collect()
    }

    /// The same with the counted loss share.
    fn counted(&self, one: &Candidate) -> Candidate {
        let mut counted = one.clone();
        let lost = counted.parts.iter_mut().filter(|part| matches!(part.kind, Kind::Loss | Kind::Bursts));
        lost.for_each(|part| part.values[0] = self.shares()[0]);
        counted
    }

    /// The mechanisms of both on the link of the first; `None` if they are no pair.
    fn pair(&self, one: &Candidate, other: &Candidate) -> Option<Candidate> {
        let parts = other.parts.iter().filter(|part| !one.has(part.kind));
        let mut pair = parts.fold(one.clone(), |pair, part| pair.with(part.kind, &part.values));
        // RACK learns to wait for late packets (RFC 8985, 6.2), so the losses hold cwnd back. The delay is then shorter than
        // that which would explain the transfer alone, by this factor.
        const PAIRED_DELAY_RATIO: f64 = 0.6;
        let is_lossy = pair.has(Kind::Loss) || pair.has(Kind::Bursts);
        let late = pair.parts.iter_mut().find(|part| part.kind == Kind::Reordering).filter(|_| is_lossy);
        late.into_iter().for_each(|part| part.values[1] *= PAIRED_DELAY_RATIO);
        let own = |kind| pair.has(kind);
        let losses = [Kind::Loss, Kind::Bursts, Kind::Overshoot];
        let lossy = losses.into_iter().filter(|kind| own(*kind)).count() > 1;
        // A program's pace beside another mechanism explains anything, so it takes counters.
        let counted = self.case.idle.is_some() || self.case.seen.window.is_some();
        // Competing flows begin earlier, which would shift an outage.
        let untimed = own(Kind::Shared) && own(Kind::Outage);
        let paced = (own(Kind::Pace) || own(Kind::Reader)) && !counted || own(Kind::Pace) && own(Kind::Reader);
        let is_new = pair.parts.len() <= 2 && pair != *one && pair != *other;
        (is_new && !lossy && !paced && !untimed).then_some(pair)
    }
}

/// Whether a window falls below half of its largest value so far.
fn falls(window: &[f64]) -> bool {
    let mut most: f64 = 0.0;
    window.iter().any(|bytes| {
        most = most.max(*bytes);
        *bytes < most / 2.0
    })
}
