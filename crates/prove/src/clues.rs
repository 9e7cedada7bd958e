//! Facts that the evidence of a case shows about its path: candidates are proposed from them, and mechanisms excluded
//! by them.

use super::candidate::{Candidate, FRAME_BITS, Mechanism, PAYLOAD_SHARE, Part};
use super::case::Case;
use super::distance::largest;
use base::model::response;
use base::show;
use base::stats::{mean, median};
use evidence::System;
use serde::{Deserialize, Serialize};

/// A mechanism that is ruled out without the lab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Excluded {
    /// The mechanism.
    pub kind: Mechanism,
    /// The evidence against it.
    pub why: String,
}

/// Facts that the evidence shows before any trial.
pub struct Clues<'c> {
    pub(super) case: &'c Case,
    /// Goodput of each interval, bit/s.
    pub(super) goodput: Vec<f64>,
    /// Round-trip time of each interval, seconds: as printed, else cwnd over goodput.
    pub(super) rtt: Vec<f64>,
    pub(super) cwnd: Vec<f64>,
    pub(super) retransmitted: Vec<f64>,
    /// Segments sent after the first interval.
    pub(super) later: f64,
}

/// A link below this many times the goodput is full.
const MAX_FULL_LINE_RATIO: f64 = 1.25;
/// Mechanisms that leave a sender without data to send.
const STARVING_KINDS: [Mechanism; 2] = [Mechanism::SendBuffer, Mechanism::Pace];
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

impl<'c> Clues<'c> {
    /// Reads the clues of a case.
    pub fn from_case(case: &'c Case) -> Clues<'c> {
        let (seen, step) = (&case.seen, case.instrument.step);
        if case.instrument.total {
            return Clues::from_total(case);
        }
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

    /// Reads the clues of a total: candidates are guessed as if the transfer had been even.
    fn from_total(case: &'c Case) -> Clues<'c> {
        const EVEN_INTERVALS: usize = 10;
        let even = |value: f64| vec![value; EVEN_INTERVALS];
        let (received, mss) = (case.seen.received, case.instrument.mss);
        let lost = case.seen.counted_again(&case.instrument).unwrap_or_default();
        Clues {
            case,
            goodput: even(received),
            rtt: even(case.rtt),
            cwnd: even((received * case.rtt / 8.0 / mss).max(2.0)),
            retransmitted: even(lost / EVEN_INTERVALS as f64),
            later: received * case.instrument.step / 8.0 / mss,
        }
    }

    /// Bytes in flight of each stream at a goodput of all, bytes.
    pub(super) fn in_flight(&self, rtt: f64) -> f64 {
        self.mean() * rtt / 8.0 / self.case.streams as f64
    }

    /// Returns the mechanisms that hard evidence rules out.
    pub fn excluded(&self) -> Vec<Excluded> {
        let why = |kind: Mechanism| Some(Excluded { kind, why: self.against(kind)? });
        Mechanism::ALL.into_iter().filter_map(why).collect()
    }

    pub(super) fn against(&self, kind: Mechanism) -> Option<String> {
        let seen = &self.case.seen;
        if let Some(starved) = self.starved().filter(|_| !STARVING_KINDS.contains(&kind)) {
            return Some(starved);
        }
        let bound = |share: f64| {
            (share < MIN_LIMITED_SHARE).then(|| format!("limited it for {} of the time", show::share(share)))
        };
        match kind {
            Mechanism::EarlyExit | Mechanism::Overshoot if self.case.systems.sender == System::FreeBsd => {
                Some("the lab ends slow start of Linux alone".into())
            }
            Mechanism::Reordering if seen.reordered == Some(0.0) => Some("the sender saw none".into()),
            Mechanism::Loss | Mechanism::Bursts | Mechanism::Policer | Mechanism::Reordering => {
                let [all, lost] = [seen.retransmitted.clone()?, seen.lost(&self.case.units())?]
                    .map(|counts| counts.iter().sum::<f64>());
                match (all, lost) {
                    (0.0, _) => Some("nothing was retransmitted".into()),
                    (all, 0.0) => Some(format!("{all:.0} segments were retransmitted, and cwnd did not fall")),
                    _ => None,
                }
            }
            Mechanism::EarlyExit => {
                self.left_early().is_none().then(|| "cwnd did not climb slowly without a loss".into())
            }
            Mechanism::Overshoot => self.overshot().is_none().then(|| "no loss at its start was the only one".into()),
            Mechanism::Shared => {
                let all: f64 = seen.retransmitted.iter().flatten().sum();
                let printed = seen.rtt.as_ref().map(|rtt| (largest(rtt), "RTT"));
                let rtt =
                    printed.or_else(|| Some((self.implied()?, "mean RTT"))).filter(|(rtt, _)| *rtt <= self.idle());
                let quiet = || (all == 0.0 && seen.rtt.is_none()).then(|| "nothing was retransmitted".into());
                rtt.map(|(rtt, what)| format!("no queue stood: its {what} was {} at most", show::time(rtt)))
                    .or_else(quiet)
            }
            Mechanism::Aqm => {
                let all: f64 = seen.lost(&self.case.units())?.iter().sum();
                let stood = seen
                    .rtt
                    .as_ref()
                    .map(|rtt| median(&rtt[1..]) - self.case.rtt)
                    .filter(|time| *time > MAX_AQM_DELAY_S);
                let unmarked = (all == 0.0 && !self.case.ecn).then(|| "nothing was lost that lowered cwnd".into());
                unmarked.or_else(|| Some(format!("packets waited for {}", show::time(stood?))))
            }
            Mechanism::ReceiveWindow => {
                let told = seen.limits.and_then(|limits| bound(limits.rwnd));
                let offered = seen.window.as_ref().map(|window| median(&window[1..]));
                let used = median(&self.cwnd[1..]) * self.case.instrument.mss;
                let wide = offered.filter(|window| *window > MAX_BINDING_WINDOW_RATIO * used);
                told.or_else(|| Some(format!("it offered {}, and cwnd was {}", show::bytes(wide?), show::bytes(used))))
            }
            Mechanism::SendBuffer => seen.limits.and_then(|limits| bound(limits.sndbuf)),
            Mechanism::Hole => (!self.is_stalled()).then(|| "full-size segments arrived".into()),
            Mechanism::Outage => self.rest().is_none().then(|| "it never stood still".into()),
            Mechanism::Pace if self.case.target.is_some() => {
                Some("it is known: the program kept to a rate (-b)".into())
            }
            Mechanism::Pace => self.paced().is_none().then(|| "nothing shows that TCP waited for the program".into()),
            Mechanism::Reader if self.case.is_served() => Some("the transfer got what -b asks for".into()),
            Mechanism::Reader => match &seen.window {
                Some(window) => (!falls(window)).then(|| "the window that it offered never fell by half".into()),
                None => (!self.has_room()).then(|| "cwnd was used up".into()),
            },
        }
    }

    /// Returns evidence that the sender waited for its program: counters, or text that does not mention -b and has a
    /// round goodput below what cwnd allows.
    pub(super) fn paced(&self) -> Option<String> {
        /// A goodput this close to two digits counts as round.
        const MAX_ROUNDING_SHARE: f64 = 0.005;
        let mean = self.mean();
        let digit = 10f64.powf(mean.log10().floor() - 1.0);
        let is_round = ((mean / digit).round() * digit / mean - 1.0).abs() < MAX_ROUNDING_SHARE;
        let is_text = self.case.seen.rtt.is_none() && self.case.seen.limits.is_none();
        let lossless = self.retransmitted.iter().sum::<f64>() == 0.0;
        let guess = is_text && is_round && lossless && self.has_room();
        // A send buffer of this many times what is in flight never empties: it holds a window and what waits.
        const WIDE_BUFFER_RATIO: f64 = 3.0;
        let in_flight = self.in_flight(self.case.rtt);
        let is_wide = self.case.wmem.is_some_and(|most| most as f64 > WIDE_BUFFER_RATIO * in_flight);
        let told = self.case.idle.clone().or_else(|| self.starved().filter(|_| is_wide));
        told.or_else(|| guess.then(|| "a round figure below what cwnd allows".into()))
    }

    /// Returns the evidence that BBR never left its startup, so that the path was never full.
    pub(super) fn starved(&self) -> Option<String> {
        let gain = self.case.startup_gain()?;
        Some(format!(
            "BBR kept the cwnd of its startup, {gain:.1} times what was in flight: the sender ran out of data"
        ))
    }

    /// Returns the longest mean RTT that cwnd allows, seconds (Little's law).
    pub(super) fn implied(&self) -> Option<f64> {
        let cwnd = mean(&self.case.seen.cwnd.as_ref()?[1..]) * self.case.instrument.mss * 8.0;
        Some(cwnd / mean(&self.goodput[1..]).max(1.0))
    }

    /// Whether cwnd would have allowed much more.
    pub(super) fn has_room(&self) -> bool {
        /// cwnd is used up if more than this share of it is in flight.
        const USED_UP_SHARE: f64 = 0.8;
        let used = |at: usize| {
            self.goodput[at] * self.rtt_idle_or_printed(at) / 8.0 / self.case.instrument.mss / self.cwnd[at]
        };
        self.case.seen.cwnd.is_none() || median(&(1..self.cwnd.len()).map(used).collect::<Vec<_>>()) < USED_UP_SHARE
    }

    pub(super) fn rtt_idle_or_printed(&self, at: usize) -> f64 {
        self.case.seen.rtt.as_ref().map_or(self.case.rtt, |rtt| rtt[at])
    }

    /// Returns the cwnd of one stream if all of it is used and the program keeps to no rate.
    pub(super) fn used_cwnd(&self) -> Option<&[f64]> {
        let cwnd = self.case.seen.cwnd.as_deref()?;
        (!self.has_room() && self.case.target.is_none() && self.case.streams == 1).then_some(cwnd)
    }

    /// Returns the cwnd at which slow start ended without a loss, bytes. The transfer then uses up cwnd, which climbs
    /// slowly for at least a third of the transfer.
    pub(super) fn left_early(&self) -> Option<f64> {
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

    /// Returns the cwnd at which slow start ended with the only loss, bytes, and the segments lost. The transfer then
    /// uses up cwnd, which climbs. If no interval shows the peak, it follows from the cwnd after CUBIC's reduction.
    pub(super) fn overshot(&self) -> Option<[f64; 2]> {
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
    pub(super) fn is_stalled(&self) -> bool {
        !self.case.instrument.total && self.case.seen.bytes[1..].iter().sum::<f64>() < 2.0 * self.case.instrument.block
    }

    /// Returns when the transfer stopped, seconds from the start of the flow, and for how long, seconds.
    pub(super) fn rest(&self) -> Option<[f64; 2]> {
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

    /// Whether hard evidence allows the candidate's quantities.
    pub fn allows(&self, candidate: &Candidate) -> bool {
        /// The link must carry this share of the goodput: rates are rounded to 1 kbit/s.
        const MIN_CARRIED_SHARE: f64 = 0.999;
        let lossy = |part: &&Part| matches!(part.kind, Mechanism::Loss | Mechanism::Bursts);
        // A known send buffer, or the program, may leave the sender without data on a link that is not full.
        let Case { wmem, asked, target, .. } = self.case;
        let is_set = wmem.is_some() || asked.or(*target).is_some();
        let has_room = candidate.rate * PAYLOAD_SHARE > MAX_FULL_LINE_RATIO * self.mean();
        let is_starved = || is_set && has_room || STARVING_KINDS.into_iter().any(|kind| candidate.has(kind));
        (self.starved().is_none() || is_starved())
            && candidate.rate * PAYLOAD_SHARE >= MIN_CARRIED_SHARE * self.case.seen.received
            && !self.would_queue(candidate)
            && candidate.parts.iter().filter(lossy).all(|part| part.values[0] <= self.most_lost())
    }

    /// Whether a full link would queue packets although the printed RTT shows no queue. False if a known setting of the
    /// hosts may limit the transfer below the link rate.
    pub(super) fn would_queue(&self, candidate: &Candidate) -> bool {
        let is_full = candidate.rate * PAYLOAD_SHARE < MAX_FULL_LINE_RATIO * self.mean();
        let stood = self.case.seen.rtt.as_ref().is_none_or(|rtt| largest(rtt) > self.idle());
        let Case { rmem, wmem, asked, target, .. } = self.case;
        let is_held = rmem.or(*wmem).is_some() || asked.or(*target).is_some();
        candidate.parts.is_empty() && !is_held && is_full && !stood && !candidate.is_small(self.case.rtt)
    }

    /// Returns the largest loss share that agrees with the number of answered pings.
    pub(super) fn most_lost(&self) -> f64 {
        match self.case.pings {
            0 => 0.9,
            pings => 1.0 - MIN_EVIDENCE_PROBABILITY.powf(1.0 / (2.0 * pings as f64)),
        }
    }

    /// The mean goodput, bit/s.
    pub fn mean(&self) -> f64 {
        self.case.seen.received.max(1e4)
    }

    /// Returns the longest RTT without a standing queue, seconds: a few packets wait for each other on any link.
    pub(super) fn idle(&self) -> f64 {
        const MAX_IDLE_QUEUE_PACKETS: f64 = 3.0;
        (1.1 * self.case.rtt + 0.001).max(self.case.rtt + MAX_IDLE_QUEUE_PACKETS * FRAME_BITS / self.least())
    }

    /// Returns the link rate if there was a standing queue: cwnd over RTT, if the printed RTT is above that of the idle
    /// path and goodput agrees. An RTT computed from cwnd and goodput would agree by construction.
    pub(super) fn standing(&self) -> Option<f64> {
        self.case.seen.rtt.as_ref()?;
        let idle = self.idle();
        let rate = |at: usize| self.cwnd[at] * FRAME_BITS / self.rtt[at];
        let agrees = |at: &usize| (rate(*at) / (self.goodput[*at].max(1.0) / PAYLOAD_SHARE)).ln().abs() < 0.7;
        let calm = |at: &usize| self.retransmitted[*at] < 0.2 * self.cwnd[*at] + 1.0 && self.cwnd[*at] > 8.0;
        let stood: Vec<usize> = (1..self.rtt.len()).filter(|at| self.rtt[*at] > idle && calm(at)).collect();
        let rates: Vec<f64> = stood.iter().filter(|at| agrees(at)).map(|at| rate(*at)).collect();
        (stood.len() >= 3 && rates.len() * 2 > stood.len()).then(|| median(&rates).max(self.mean() / PAYLOAD_SHARE))
    }

    /// Returns the link rate without a standing queue: every second segment is acknowledged (RFC 5681, 4.2), so the RTT
    /// exceeds that of the idle path by the time two segments take on the link.
    pub(super) fn spaced(&self) -> Option<f64> {
        let longer = median(&self.case.seen.rtt.as_ref()?[1..]) - self.case.rtt;
        (longer > RTT_RESOLUTION_SHARE * self.case.rtt).then(|| (2.0 * FRAME_BITS / longer).max(self.least()))
    }

    /// Whether the printed RTT tells this link rate from a faster one.
    pub fn is_resolved(&self, rate: f64) -> bool {
        self.case.seen.rtt.is_some() && 2.0 * FRAME_BITS / rate > RTT_RESOLUTION_SHARE * self.case.rtt
    }

    /// Returns the lowest link rate that carries the transfer, bit/s.
    pub fn least(&self) -> f64 {
        let mut sorted = self.goodput.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        (median(&self.goodput) / PAYLOAD_SHARE).max(self.mean() / PAYLOAD_SHARE).max(sorted[1] * 1.03).max(3e5)
    }

    /// Returns possible link rates, bit/s.
    pub(super) fn rates(&self) -> Vec<f64> {
        match (self.case.rate, self.standing()) {
            (Some(rate), _) => vec![rate],
            (None, Some(rate)) => vec![rate],
            (None, None) => {
                // A program that keeps to a rate writes in blocks, each as fast as the link takes it.
                let blocks = self.case.target.map(|rate| 8.0 * rate);
                let usual = [1.0, 2.0, 4.0].map(|times| times * self.least());
                blocks.into_iter().chain(self.spaced()).chain(usual).collect()
            }
        }
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
