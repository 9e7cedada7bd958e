//! Candidates: first guesses in closed form, and pairs of mechanisms.

use super::candidate::{Candidate, FRAME_BITS, FittedQuantity, Mechanism, PAYLOAD_SHARE};
use super::clues::Clues;
use super::distance::largest;
use base::model::response;
use base::stats::{mean, median};

/// Receive buffer over the window offered from it, with full segments (tcp_rcv_space_adjust, scaling_ratio).
const BUFFER_PER_WINDOW: f64 = 1.62;

impl Clues<'_> {
    /// Returns first guesses: a few for each mechanism that is not excluded, interleaved so that the first ones cover
    /// all mechanisms.
    pub fn candidates(&self) -> Vec<Candidate> {
        let excluded: Vec<Mechanism> = self.excluded().into_iter().map(|excluded| excluded.kind).collect();
        let mut of_kinds: Vec<Vec<Candidate>> = vec![self.lines()];
        let kinds = Mechanism::ALL.into_iter().filter(|kind| !excluded.contains(kind));
        of_kinds.extend(kinds.map(|kind| self.guesses(kind)));
        let most = of_kinds.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).flat_map(|at| of_kinds.iter().filter_map(move |all| all.get(at).cloned())).collect()
    }

    /// Returns mechanisms on a full link, in doses too small to slow the transfer much.
    pub fn small_doses_on(&self, line: &Candidate) -> Vec<Candidate> {
        /// Share of the counted loss that a small dose loses.
        const DOSE_SHARE: f64 = 0.25;
        let [counted, ..] = self.shares();
        let (some, rtt) = (DOSE_SHARE * counted, self.case.rtt);
        let doses = [
            (Mechanism::Loss, [some, 0.0]),
            (Mechanism::Bursts, [some, 4.0]),
            (Mechanism::Reordering, [0.02, 0.4 * rtt]),
            (Mechanism::Bursts, [some, self.burst()]),
            (Mechanism::Reordering, [0.05, 0.8 * rtt]),
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

    /// Returns the 95 % interval of the loss share if every retransmission was a loss, in bursts of `length` packets:
    /// limits of a Poisson count (Byar's approximation; Breslow and Day 1987, 2.3).
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
            Mechanism::Loss => Some(part.values[0]),
            Mechanism::Bursts => Some(part.values[0] / part.values[1].max(1.0)),
            _ => None,
        });
        events.map(|share| share * self.later).any(|events| events < MIN_LOSS_EVENTS)
    }

    /// Returns the longest queue that the RTT shows, packets.
    fn queued(&self, rate: f64) -> Option<f64> {
        let above = self.rtt.iter().filter(|rtt| **rtt > self.idle()).count();
        (above >= 2).then(|| ((largest(&self.rtt) - self.case.rtt) * rate / FRAME_BITS).max(4.0))
    }

    fn lines(&self) -> Vec<Candidate> {
        let lost = self.retransmitted.iter().sum::<f64>() > 0.0;
        let mut all = vec![];
        for rate in self.rates() {
            match self.queued(rate) {
                Some(queue) => {
                    all.push(Candidate::line(rate, queue));
                    all.extend(self.short_queues(queue).into_iter().map(|queue| Candidate::line(rate, queue)));
                    all.extend([0.7, 1.5, 4.0].map(|times| Candidate::line(rate, queue * times)));
                }
                None => all.extend([1.0, 0.5, 2.0].map(|times| Candidate::line(rate, self.bdp(rate) * times))),
            }
            let small = [4.0, 8.0, 16.0, 30.0].into_iter().filter(|queue| lost && *queue < self.bdp(rate) * 0.5);
            all.extend(small.map(|queue| Candidate::line(rate, queue)));
        }
        all
    }

    /// Returns queues of whole packets: those of a printed shaper, and those around a short queue that the RTT shows.
    /// There one packet more or less changes RTT and losses by more than the steps of the search.
    fn short_queues(&self, shown: f64) -> Vec<f64> {
        /// From this many packets on, a step of the search of 15 % is a packet or more, and finds the others.
        const MAX_COUNTED_PACKETS: f64 = 14.0;
        let printed = self.case.queue.into_iter().flat_map(|queue| [queue, queue + 1.0]);
        // The smoothed RTT is less than that of a full queue.
        let around = [1.0, 2.0, -1.0].into_iter().filter(|_| shown < MAX_COUNTED_PACKETS);
        printed.chain(around.map(|by| shown.round() + by)).collect()
    }

    fn guesses(&self, kind: Mechanism) -> Vec<Candidate> {
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
            Mechanism::ReceiveWindow => {
                let offered = self.case.seen.window.as_ref().and_then(|window| window.last().copied());
                let offered = offered.map(|window| window / self.case.streams as f64);
                let in_flight = self.in_flight(rtt);
                let sizes = [
                    offered.map(|w| 1.75 * w),
                    offered.map(|w| 2.2 * w),
                    Some(1.75 * in_flight),
                    Some(2.3 * in_flight),
                ];
                each(&sizes.into_iter().flatten().map(|size| vec![size]).collect::<Vec<_>>(), &above)
            }
            Mechanism::SendBuffer => {
                // Data in flight take up to 1.7 times their size in a send buffer (skb->truesize).
                let in_flight = self.in_flight(rtt.max(median(&self.rtt)));
                each(&[0.7, 1.2, 1.7, 2.0].map(|times| vec![in_flight * times]), &above)
            }
            Mechanism::Loss => each(&self.shares().map(|share| vec![share]), &rates),
            Mechanism::Bursts => {
                /// Length of a short burst, packets.
                const SHORT_BURST_PACKETS: f64 = 4.0;
                let [counted, ..] = self.shares();
                let lengths = [(SHORT_BURST_PACKETS * self.burst()).sqrt(), SHORT_BURST_PACKETS, self.burst()];
                let values = [1.0, 2.0].iter().flat_map(|times| lengths.map(|length| vec![times * counted, length]));
                each(&values.collect::<Vec<_>>(), &rates)
            }
            Mechanism::Policer => {
                let rate = self.mean() / PAYLOAD_SHARE;
                // A burst below a BDP of its rate holds CUBIC back to 1.3 of them in a round trip, whatever the rate is.
                let burst = rate * rtt / 8.0 / 1.3;
                let values = [[1.0, 40e3], [1.3, burst], [2.0, burst], [1.2, 40e3], [1.0, 150e3]];
                each(&values.map(|[times, burst]| vec![rate * times, burst]), &[fast])
            }
            Mechanism::Reordering => {
                // Late packets make the RTT longer, as a queue would.
                let rates: Vec<f64> = match self.case.rate {
                    Some(rate) => vec![rate],
                    None => [1.3, 4.0].map(|times| times * self.least()).into(),
                };
                let values = [[0.045, 0.5], [0.02, 1.0], [0.1, 0.3], [0.02, 0.3], [0.1, 1.0]];
                each(&values.map(|[share, trips]| vec![share, trips * rtt]), &rates)
            }
            Mechanism::EarlyExit => {
                let left = self.left_early().unwrap_or(self.mean() * rtt / 8.0);
                each(&[1.0, 0.93, 1.06].map(|times| vec![times * left]), &above)
            }
            Mechanism::Overshoot => {
                let [most, lost] =
                    self.overshot().unwrap_or([self.mean() * rtt / 8.0, FittedQuantity::Packets.least()]);
                let lost = lost.max(FittedQuantity::Packets.least());
                each(&[1.0, 1.1, 0.95, 1.25].map(|times| vec![times * most, lost]), &above)
            }
            Mechanism::Pace | Mechanism::Reader => each(&[vec![self.mean() / self.case.streams as f64]], &above),
            Mechanism::Hole => each(&[vec![1401.0]], &[lowest]),
            Mechanism::Shared => self.shared(),
            Mechanism::Aqm => {
                let rates: Vec<f64> = match self.case.rate.or_else(|| self.standing()) {
                    Some(rate) => vec![rate],
                    None => [1.05, 1.3, 1.8].map(|times| times * self.least()).into(),
                };
                each(&[vec![0.005], vec![0.015]], &rates)
            }
            Mechanism::Outage => {
                let [at, length] = self.rest().unwrap_or_default();
                // TCP retries at intervals that double (RFC 6298, 5.5), so it may stop for twice as long as the outage.
                each(&[0.9, 0.7, 0.5].map(|share| vec![at, share * length]), &rates)
            }
        }
    }

    /// Returns shared links: equal flows get equal shares, and the queue follows from the RTT. A flow that still climbs
    /// at its end has less than its share.
    fn shared(&self) -> Vec<Candidate> {
        const MAX_COMPETING_FLOWS: f64 = 30.0;
        /// A flow climbs if its last third carried this many times its first.
        const MIN_CLIMB_RATIO: f64 = 1.5;
        /// Fair share over the last goodput of a flow that still climbs.
        const CLIMBING_FAIR_SHARE_RATIO: f64 = 2.0;
        let third = (self.goodput.len() / 3).max(1);
        let [early, late] = [mean(&self.goodput[..third]), mean(&self.goodput[self.goodput.len() - third..])];
        let own = self.case.streams as f64;
        let equal = self.mean() / PAYLOAD_SHARE / own;
        let shares = [equal, CLIMBING_FAIR_SHARE_RATIO * late / PAYLOAD_SHARE / own];
        let shares = if late > MIN_CLIMB_RATIO * early { &shares[..] } else { &shares[..1] };
        let line = |count: f64, rate: f64, times: f64| {
            let queue = self.queued(rate).unwrap_or(self.bdp(rate));
            Candidate::line(rate, (queue * times).max(4.0)).with(Mechanism::Shared, &[count])
        };
        let of = |times: f64| -> Vec<Candidate> {
            let each = shares.iter();
            match self.case.rate {
                Some(rate) => each
                    .map(|share| line((rate / share - own).round().clamp(1.0, MAX_COMPETING_FLOWS), rate, times))
                    .collect(),
                None => {
                    each.flat_map(|share| [1.0, 3.0].map(|count| line(count, (count + own) * share, times))).collect()
                }
            }
        };
        // Each trial carries the full link rate if the rate is known, which costs more.
        let times = if self.case.rate.is_some() { &[1.0, 0.5][..] } else { &[1.0, 0.5, 2.0] };
        times.iter().flat_map(|times| of(*times)).collect()
    }

    /// Returns loss shares: counted after the first interval, from goodput (Mathis et al. 1997, with 1.2 for CUBIC at
    /// short RTTs), and their geometric mean.
    fn shares(&self) -> [f64; 3] {
        let most = self.most_lost();
        let counted = self.retransmitted[1..].iter().sum::<f64>().max(1.0) / self.later.max(50.0);
        let each = self.mean() / self.case.streams as f64;
        let told = response::reno_loss(self.case.instrument.mss, self.case.rtt, each);
        [counted, (counted * told).sqrt(), told].map(|share| share.clamp(1e-6, most))
    }

    /// Returns the mean burst length, packets: retransmissions in an interval that has any.
    fn burst(&self) -> f64 {
        let hit: Vec<f64> = self.retransmitted[1..].iter().copied().filter(|count| *count > 0.0).collect();
        if hit.is_empty() { 1.0 } else { mean(&hit).max(2.0) }
    }

    /// Returns pairs of the best single mechanisms, for transfers that one mechanism does not explain, on the link of
    /// either. `others` fit less well alone and may be hidden behind a window.
    pub fn pairs(&self, best: &[&Candidate], others: &[&Candidate]) -> Vec<Candidate> {
        let mut all = vec![];
        for (at, one) in best.iter().enumerate() {
            for other in &best[at + 1..] {
                all.extend(self.pair(one, other));
                all.extend(self.pair(other, one));
            }
        }
        // A mechanism that alone fits on a slow link may fit on a fast one together with another mechanism.
        all = all.into_iter().flat_map(|one| self.on_fast(&one).into_iter().chain([one])).collect();
        let hidden = self.hidden(&[best, others].concat());
        let most = all.len().max(hidden.len());
        (0..most).flat_map(|at| [hidden.get(at), all.get(at)]).flatten().cloned().collect()
    }

    /// Returns the candidate on a link far from full, unless the link is known to be full.
    fn on_fast(&self, one: &Candidate) -> Option<Candidate> {
        let rate = 4.0 * self.least();
        let is_open = self.case.rate.is_none() && self.standing().is_none();
        is_open.then(|| Candidate { rate, buffer: one.buffer * rate / one.rate, ..one.clone() })
    }

    /// Returns a window or a buffer together with loss: the offered window, one that stops cwnd's growth on the same
    /// link, or one that limits on a faster link with the counted loss. The likeliest sizes come first.
    fn hidden(&self, best: &[&Candidate]) -> Vec<Candidate> {
        let excluded: Vec<Mechanism> = self.excluded().into_iter().map(|excluded| excluded.kind).collect();
        let mss = self.case.instrument.mss;
        let streams = self.case.streams as f64;
        let cwnd = largest(&self.cwnd).min(mean(&self.cwnd) * 1.5) * mss / streams;
        let passed = self.in_flight(self.case.rtt);
        let offered = self.case.seen.window.as_ref().map(|window| median(window) * BUFFER_PER_WINDOW / streams);
        let of = |one: &&Candidate| -> Vec<Vec<Candidate>> {
            let fast = self.on_fast(&self.counted(one));
            let both = |kind: Mechanism, some: f64, most: f64| -> Vec<Candidate> {
                let fast = fast.iter().map(|fast| fast.with(kind, &[some]));
                [one.with(kind, &[most])].into_iter().chain(fast).collect()
            };
            let window = match offered {
                Some(size) => both(Mechanism::ReceiveWindow, size, size),
                None => [[1.75, 1.2], [2.3, 2.0]]
                    .map(|[a, b]| both(Mechanism::ReceiveWindow, a * passed, b * cwnd))
                    .concat(),
            };
            let buffer =
                [[1.2, 1.2], [2.0, 2.0]].map(|[a, b]| both(Mechanism::SendBuffer, a * passed, b * cwnd)).concat();
            let is_open = |kind| !excluded.contains(&kind) && !one.has(kind);
            let all = [(Mechanism::ReceiveWindow, window), (Mechanism::SendBuffer, buffer)];
            all.into_iter().filter(|(kind, _)| is_open(*kind)).map(|(_, all)| all).collect()
        };
        let all: Vec<Vec<Candidate>> = best.iter().filter(|one| one.parts.len() < 2).flat_map(of).collect();
        let most = all.iter().map(Vec::len).max().unwrap_or(0);
        (0..most).flat_map(|at| all.iter().filter_map(move |all| all.get(at).cloned())).collect()
    }

    /// Returns the candidate with the counted loss share.
    fn counted(&self, one: &Candidate) -> Candidate {
        let mut counted = one.clone();
        let lost = counted.parts.iter_mut().filter(|part| matches!(part.kind, Mechanism::Loss | Mechanism::Bursts));
        lost.for_each(|part| part.values[0] = self.shares()[0]);
        counted
    }

    /// Returns the mechanisms of both on the link of the first; `None` if they are no pair.
    fn pair(&self, one: &Candidate, other: &Candidate) -> Option<Candidate> {
        let parts = other.parts.iter().filter(|part| !one.has(part.kind));
        let mut pair = parts.fold(one.clone(), |pair, part| pair.with(part.kind, &part.values));
        // RACK learns to wait for late packets (RFC 8985, 6.2), so the losses hold cwnd back. The delay is then shorter than
        // that which would explain the transfer alone, by this factor.
        const PAIRED_DELAY_RATIO: f64 = 0.6;
        let is_lossy = pair.has(Mechanism::Loss) || pair.has(Mechanism::Bursts);
        let late = pair.parts.iter_mut().find(|part| part.kind == Mechanism::Reordering).filter(|_| is_lossy);
        late.into_iter().for_each(|part| part.values[1] *= PAIRED_DELAY_RATIO);
        let own = |kind| pair.has(kind);
        let losses = [Mechanism::Loss, Mechanism::Bursts, Mechanism::Overshoot];
        let lossy = losses.into_iter().filter(|kind| own(*kind)).count() > 1;
        // A program's pace together with another mechanism explains anything, so counters must show it.
        let counted = self.case.idle.is_some() || self.case.seen.window.is_some();
        // Competing flows begin earlier, which would shift an outage.
        let untimed = own(Mechanism::Shared) && own(Mechanism::Outage);
        let paced = (own(Mechanism::Pace) || own(Mechanism::Reader)) && !counted
            || own(Mechanism::Pace) && own(Mechanism::Reader);
        let is_new = pair.parts.len() <= 2 && pair != *one && pair != *other;
        (is_new && !lossy && !paced && !untimed).then_some(pair)
    }
}
