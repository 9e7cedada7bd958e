//! Observations of a step, and how likely each is in each state.
//!
//! A sign is seen or not; a density is of a number. What is not printed is no observation. Each is of a figure of its
//! own, or given those before, so that their product is the joint density of the step.

use super::history::{self, History, MATHIS_EVENTS};
use super::measured::{Estimate, Measured, Step};
use super::state::{PerState, STATES, State};
use base::model::FULL_LINK_SHARE;
use base::stats::percentile;
use evidence::{Limits, Source};
use std::f64::consts::PI;

/// Probability of a sign in a state that shows it, in one that may, and in one that does not: a step holds parts of two
/// states now and then.
const SHOWN: f64 = 0.85;
const OPEN: f64 = 0.4;
const NOT_SHOWN: f64 = 0.05;
/// Share of steps that fit no density: cross traffic, a stalled host. Width of theirs, natural logarithm.
const OUTLIER_SHARE: f64 = 0.05;
const OUTLIER_WIDTH: f64 = 3.0;
/// Smallest growth of ln(cwnd) per round trip in slow start: 1.5 with delayed ACKs (RFC 5681, 3.1), less the effect of a
/// pause. Number of round trips after which it may have ended within the step.
const SLOW_START_GROWTH: f64 = 0.22;
const SLOW_START_TRIPS: f64 = 6.0;
/// Largest relative movement of a constant cwnd, or else two segments; half a segment of a small one.
const STILL_SHARE: f64 = 0.004;
const SMALL_CWND_SEGMENTS: f64 = 20.0;
/// Steps of a plateau are correlated, so that each is half an observation.
const STILL_WEIGHT: f64 = 0.5;
/// Share of the data in the buffer that is unsent: autotuning gives a sender with data twice its cwnd
/// (net/ipv4/tcp_input.c, tcp_sndbuf_expand).
const UNSENT_SHARE: f64 = 0.3;
/// Share of the usual bytes that is nothing.
const NOTHING_SHARE: f64 = 0.03;
/// Largest share of cwnd that a held sender has in flight.
const MAX_HELD_CWND_USE: f64 = 0.9;
/// Mean share of idle time of a sender that always has data: start and end.
const IDLE_GAPS: f64 = 0.05;
/// Standard deviation of ln(in flight / receive window) of a full window, and the factor where flight is rate × RTT.
const WINDOW_SD: f64 = 0.05;
const COMPUTED_FLIGHT: f64 = 3.0;
/// Mean of ln(RTT / base) with a queue of one's own (0.1 to 10 BDP), and without one: jitter, delayed ACKs.
const QUEUE_SCALE: f64 = 0.7;
const IDLE_SCALE: f64 = 0.1;
/// A host's timers and batches, seconds: the only figure in seconds.
const HOST_NOISE_S: f64 = 0.0007;
/// Probability that a path whose RTT has no queue of one's own has none of others.
const UNSHARED: f64 = 0.85;
/// Standard deviation of ln(cwnd) over random losses (Reno's sawtooth: 0.36), and of the mean of cwnd at both ends of a
/// step within which losses fell.
const SAWTOOTH_SD: f64 = 0.35;
const SAWTOOTH_ENDS_SD: f64 = 0.25;
/// Standard deviation of the growth of ln(cwnd) in a step without losses.
const CLIMB_SD: f64 = 0.3;
/// Standard deviation of ln(rate) of a link, a policer, a shaper or a window, and depth of a dip behind a loss.
const FIXED_SD: f64 = 0.04;
const DIP: f64 = 0.12;
/// Standard deviation of ln(rate) of a program, and of a link that others use too.
const PROGRAM_SD: f64 = 0.5;
/// Standard deviation of an RTT that only cwnd over rate tells, as a share.
const GUESSED_RTT_SD: f64 = 0.15;
/// Standard deviation of ln(rate × RTT / cwnd) of a sender at a fixed rate that loses: cwnd is near what the rate needs.
const FIXED_USE_SD: f64 = 0.45;

/// A sign: what is seen, its source, and in which states.
pub struct Sign {
    /// What is seen.
    pub says: &'static str,
    /// The source of its expectations.
    pub source: &'static str,
    /// A mark for each state, in order: shown, `o` open, `-` not shown.
    expects: &'static [u8; STATES],
    /// Weight of its absence and of its presence; an absence of weight 0 says nothing.
    absent: f64,
    present: f64,
    seen: fn(&At) -> Option<bool>,
}

/// All signs. The states are slow start, climbing, recovering, queue, held by receiver and sender, program, silence,
/// fixed rate, shared, other.
pub const SIGNS: &[Sign] = &[
    Sign {
        says: "cwnd stays",
        source: "tcp_is_cwnd_limited",
        expects: b"----+++o--o",
        absent: STILL_WEIGHT,
        present: STILL_WEIGHT,
        seen: |at| at.moves().map(|[from, to]| at.is_still(from, to)),
    },
    Sign {
        says: "cwnd grows as in slow start",
        source: "RFC 5681, 3.1",
        expects: b"+---------o",
        absent: 1.0,
        present: 1.0,
        seen: |at| at.moves().map(|[from, to]| at.is_slow_start(from, to)),
    },
    Sign {
        says: "little waits in the send buffer",
        source: "tcp_sndbuf_expand",
        expects: b"o----++o--o",
        absent: 1.0,
        present: 1.0,
        seen: |at| at.step.unsent.map(|unsent| unsent < UNSENT_SHARE * (unsent + at.in_flight().max(2.0 * at.mss()))),
    },
    Sign {
        says: "nothing came",
        source: "bytes of the step",
        expects: b"-------+--o",
        absent: 1.0,
        present: 1.0,
        seen: |at| at.nothing_came(),
    },
    Sign {
        says: "cwnd is one segment",
        source: "tcp_enter_loss",
        expects: b"-------o--o",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.cwnd().map(|cwnd| cwnd < 1.5 * at.mss()),
    },
    Sign {
        says: "the receive window is closed",
        source: "RFC 9293, 3.8.6.1",
        expects: b"----o-----o",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.window().map(|window| window < 2.0 * at.mss()),
    },
    Sign {
        says: "cwnd is below its last loss",
        source: "RFC 9438, 4.6",
        expects: b"o-+++++++++",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.losses().map(|past| past.below),
    },
    Sign {
        says: "no loss yet",
        source: "RFC 5681, 3.1",
        expects: b"++-++++++++",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.losses().map(|past| !past.below && past.events == 0.0),
    },
    Sign {
        says: "losses, and cwnd is not printed",
        source: "RFC 5681, 3.2",
        expects: b"++++ooo++++",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.losses().map(|past| past.below && at.step.cwnd.is_none()),
    },
    Sign {
        says: "BBR",
        source: "net/ipv4/tcp_bbr.c: no sawtooth",
        expects: b"+--++++++++",
        absent: 0.0,
        present: 1.0,
        seen: |at| Some(at.measured.path.bbr),
    },
    Sign {
        says: "no loss near",
        source: "a cwnd that limits and loses nothing grows",
        expects: b"++++++++o++",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.losses().map(|past| !past.near && !at.measured.path.bbr),
    },
    Sign {
        says: "losses enough to limit",
        source: "Mathis et al., 1997",
        expects: b"++++---++++",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.loses_enough(),
    },
    Sign {
        says: "the target rate is met",
        source: "iperf3 -b",
        expects: b"------o---o",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.meets_target(),
    },
    Sign {
        says: "the link is full",
        source: "the rate that is stated, or printed of an interface or a shaper",
        expects: b"ooo+----+-o",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.fills_the_line(),
    },
    Sign {
        says: "cwnd is above ssthresh",
        source: "include/net/tcp.h, tcp_in_slow_start",
        expects: b"-++++++++++",
        absent: 0.0,
        present: 1.0,
        seen: |at| at.cwnd().zip(at.step.ssthresh).map(|(cwnd, ssthresh)| cwnd >= ssthresh),
    },
    Sign {
        says: "ssthresh was never set",
        source: "include/net/tcp.h, TCP_INFINITE_SSTHRESH",
        expects: b"+-+++++++++",
        absent: 0.0,
        present: 1.0,
        seen: |at| {
            let printed = prints_ssthresh(at.measured.seen.source) && at.losses().is_some_and(|past| !past.below);
            at.cwnd().filter(|_| printed).map(|_| at.step.ssthresh.is_none())
        },
    },
];

fn prints_ssthresh(source: Source) -> bool {
    matches!(source, Source::Ss | Source::Laboratory | Source::Ndt)
}

impl Sign {
    /// Returns the log-likelihood of the sign in each state; `None` if it says nothing.
    fn weigh(&self, at: &At) -> Option<PerState> {
        let seen = (self.seen)(at)?;
        let weight = if seen { self.present } else { self.absent };
        // A sign that only its presence tells of leaves the states that show it as they are.
        let shown = if self.absent > 0.0 { SHOWN } else { 1.0 };
        let probability = |mark: u8| match mark {
            b'+' => shown,
            b'o' => OPEN,
            _ => NOT_SHOWN,
        };
        let one = |mark: u8| if seen { probability(mark) } else { 1.0 - probability(mark) };
        (weight > 0.0).then(|| self.expects.map(|mark| weight * one(mark).ln()))
    }
}

/// A density: what it is of, and its value in each state.
type Density = (&'static str, fn(&At) -> Option<PerState>);

/// The densities, in order.
const DENSITIES: &[Density] = &[
    ("counted limits", |at| at.counted()),
    ("flight over receive window", |at| at.filled()),
    ("RTT over base", |at| at.delayed()),
    ("rate", |at| at.rate()),
    ("first burst", |at| at.first_burst()),
];

/// An observation of a step: its name, and its log-likelihood in each state.
pub type Observed = (&'static str, PerState);

/// A transfer as its observations see it.
pub struct Context<'m> {
    measured: &'m Measured<'m>,
    history: Vec<History>,
    /// RTT of the idle path, or the least of cwnd over rate, seconds.
    rtt: Option<f64>,
    /// Median of the rates, bytes per second.
    usual: f64,
    /// Natural logarithm of the rate that each state has, bytes per second.
    pub reference: PerState,
}

/// A step in its context.
pub struct At<'c> {
    context: &'c Context<'c>,
    measured: &'c Measured<'c>,
    step: &'c Step,
    past: History,
    number: usize,
}

impl<'m> Context<'m> {
    /// Prepares a transfer's observations.
    pub fn new(measured: &'m Measured<'m>) -> Context<'m> {
        let rate = |step: &Step| step.bytes.filter(|bytes| *bytes > 0.0).map(|bytes| bytes / step.seconds);
        let later = || measured.steps.iter().filter(|step| !step.first || measured.steps.len() < 3);
        let rates: Vec<f64> = later().filter_map(rate).collect();
        let loaded: Vec<f64> = later().filter_map(|step| Some(step.cwnd?[1] / rate(step)?)).collect();
        let rtt = measured.rtt.or_else(|| percentile(loaded, 0.1));
        let usual = percentile(rates, 0.5).unwrap_or(1.0);
        let history = history::of_steps(measured, rtt);
        Context { measured, history, rtt, usual, reference: [usual.ln(); STATES] }
    }

    /// Returns the observations of a step.
    pub fn observe(&self, number: usize) -> Vec<Observed> {
        let (step, past) = (&self.measured.steps[number], self.history[number]);
        let at = At { context: self, measured: self.measured, step, past, number };
        let signs = SIGNS.iter().filter_map(|sign| Some((sign.says, sign.weigh(&at)?)));
        let densities = DENSITIES.iter().filter_map(|(name, of)| {
            Some((*name, of(&at)?.map(|density| density.max(f64::MIN_POSITIVE).ln().max(MIN_LOG))))
        });
        signs.chain(densities).collect()
    }
}

/// Least log-likelihood of an observation: none excludes a state for certain.
const MIN_LOG: f64 = -12.0;

impl At<'_> {
    fn mss(&self) -> f64 {
        self.measured.path.mss
    }

    fn ln_rate(&self) -> Option<f64> {
        self.step.bytes.filter(|bytes| *bytes > 0.0).map(|bytes| (bytes / self.step.seconds).ln())
    }

    fn rtt(&self) -> Option<f64> {
        self.step.srtt.or(self.context.rtt)
    }

    fn trips(&self) -> f64 {
        self.rtt().map_or(1.0, |rtt| self.step.seconds / rtt)
    }

    /// Returns the data in flight, bytes: as printed, or rate × RTT if that is more.
    fn in_flight(&self) -> f64 {
        let rtt = self.step.srtt.or(self.measured.rtt).unwrap_or(0.0);
        self.step.in_flight.unwrap_or(0.0).max(self.step.bytes.unwrap_or(0.0) / self.step.seconds * rtt)
    }

    /// Returns the sender's cwnd after the first step, bytes.
    fn cwnd(&self) -> Option<f64> {
        self.step.cwnd.filter(|_| self.measured.sees_sender() && !self.step.first).map(|[_, end]| end)
    }

    /// Returns the window that the sender was offered after the first step, bytes.
    fn window(&self) -> Option<f64> {
        self.step.window.filter(|_| self.measured.sees_sender() && !self.step.first)
    }

    /// Returns the cwnd of a sender that moves it by what is lost and acknowledged, in a step in which something came.
    fn moves(&self) -> Option<[f64; 2]> {
        let usable = self.cwnd().is_some() && !self.measured.path.bbr && !self.is_nothing();
        self.step.cwnd.filter(|_| usable)
    }

    fn is_still(&self, from: f64, to: f64) -> bool {
        let segments = if to > SMALL_CWND_SEGMENTS * self.mss() { 2.0 } else { 0.5 };
        (to - from).abs() <= (segments * self.mss()).max(STILL_SHARE * from)
    }

    fn is_slow_start(&self, from: f64, to: f64) -> bool {
        (to.max(1.0) / from.max(1.0)).ln() > SLOW_START_GROWTH * self.trips().min(SLOW_START_TRIPS)
    }

    /// Returns the losses so far, as the sender knows them. Where only their sum is known, they may be anywhere.
    fn losses(&self) -> Option<History> {
        /// Number of retransmissions that lower a cwnd.
        const SEVERAL: f64 = 5.0;
        let several = self.measured.seen.retransmitted.is_some_and(|again| again > SEVERAL);
        match self.step.retransmitted {
            Some(_) => Some(self.past).filter(|_| self.measured.sees_sender()),
            None => several.then_some(History { below: true, near: true, ..History::default() }),
        }
    }

    fn is_nothing(&self) -> bool {
        self.step.bytes.is_some_and(|bytes| bytes < NOTHING_SHARE * self.context.usual * self.step.seconds)
    }

    /// Whether nothing came. Whole writes of a slow program leave steps without any.
    fn nothing_came(&self) -> Option<bool> {
        let seen = self.measured.seen;
        let arrived = seen.goodput.map_or(f64::INFINITY, |goodput| goodput / 8.0 * self.step.seconds);
        let gaps = seen.written && arrived < self.measured.quantum;
        self.step.bytes.filter(|_| !gaps || !self.is_nothing()).map(|_| self.is_nothing())
    }

    fn loses_enough(&self) -> Option<bool> {
        let (past, rtt) = (self.losses()?, self.rtt()?);
        let (lost, bytes) = (self.step.retransmitted?, self.step.bytes?);
        let window = bytes / self.step.seconds * rtt / self.mss();
        Some(past.lossy && window * lost * rtt / self.step.seconds > MATHIS_EVENTS / 2.0)
    }

    fn fills_the_line(&self) -> Option<bool> {
        Some(self.ln_rate()? > (FULL_LINK_SHARE * self.measured.path.line? / 8.0).ln())
    }

    fn meets_target(&self) -> Option<bool> {
        let target = (self.measured.seen.target? / 8.0).ln();
        let sd = self.measured.rate_sd(self.step, self.rtt())?;
        Some((self.ln_rate()? - target).abs() < 2.0 * sd.hypot(FIXED_SD))
    }

    /// Returns the shares of time that the kernel counts for the limits. Whom the network limits is never idle;
    /// sndbuf_limited counts only while nothing at all waits, so that its absence leaves a full buffer open; the time of a
    /// program that pauses is not busy.
    fn counted(&self) -> Option<PerState> {
        let Limits { busy, rwnd, sndbuf } = self.step.limits.or(self.measured.seen.limits)?;
        let unidle = (-(1.0 - busy) / IDLE_GAPS).exp();
        let network = ((busy - rwnd - sndbuf).max(0.0) * unidle).max(NOT_SHOWN);
        let mut all = [network; STATES];
        all[State::HeldByReceiver as usize] = rwnd.max(NOT_SHOWN);
        all[State::HeldBySender as usize] = sndbuf.max(OPEN * network);
        all[State::Program as usize] = (1.0 - unidle).max(2.0 * NOT_SHOWN);
        all[State::Silence as usize] = 1.0 - NOT_SHOWN;
        all[State::Other as usize] = OPEN;
        Some(all)
    }

    /// Returns the density of ln(in flight / receive window): a full window has all of it in flight.
    fn filled(&self) -> Option<PerState> {
        let window = self.window().filter(|window| *window >= 2.0 * self.mss() && !self.is_nothing())?;
        let share = (self.in_flight() / window).ln().min(0.0);
        let sd = if self.step.in_flight.is_some() { WINDOW_SD } else { COMPUTED_FLIGHT * WINDOW_SD };
        let mut all = [share.exp(); STATES];
        all[State::HeldByReceiver as usize] = normal(share, 0.0, sd);
        share.is_finite().then_some(all)
    }

    /// Returns rate × RTT / cwnd, unless the congestion control does not keep to cwnd.
    fn used(&self) -> Option<Estimate> {
        let of_writes = self.step.first && self.measured.seen.written;
        let usable = self.measured.sees_sender() && !self.measured.path.bbr && !of_writes;
        let used = self.measured.ln_used(self.step, self.context.rtt).filter(|_| usable)?;
        let guessed = self.step.srtt.is_none() && self.measured.rtt.is_none();
        Some(if guessed { Estimate { sd: used.sd.hypot(GUESSED_RTT_SD), ..used } } else { used })
    }

    /// Returns the density of ln(RTT / base): small without a queue of one's own, any in one. A window that closes holds
    /// back ACKs.
    fn delayed(&self) -> Option<PerState> {
        let (rtt, base) = (self.step.srtt.filter(|_| !self.is_nothing())?, self.measured.rtt?);
        let over = (rtt / base).max(0.5).ln();
        let scale = IDLE_SCALE + (HOST_NOISE_S + 0.5 * self.step.rttvar.unwrap_or(0.0)) / base;
        let (idle, queue) = (exponential(over, scale, 0.02), exponential(over, QUEUE_SCALE, FIXED_SD));
        let outside = UNSHARED * idle + (1.0 - UNSHARED) * queue;
        // Where no window is printed, a window and a buffer look the same.
        let held = if self.step.window.is_some() { 0.7 * idle + 0.3 * queue } else { idle };
        // In a queue of one's own, rate × RTT = cwnd has the density of the RTT already.
        let own = match self.used().filter(|_| !self.step.first) {
            Some(_) => (over.max(0.0) / (2.0 * scale) + 0.1).min(1.0),
            None => queue,
        };
        Some([idle.max(0.3 * queue), outside, outside, own, held, idle, idle, queue, idle, queue, 0.5 * (idle + queue)])
    }

    /// Returns the density of ln(rate): cwnd over RTT where cwnd is the limit; that of the link, the cap or the window
    /// where these are.
    fn rate(&self) -> Option<PerState> {
        use State::{
            Climbing, FixedRate, HeldByReceiver, HeldBySender, Other, Program, Queue, Recovering, Shared, Silence,
            SlowStart,
        };
        let rate = self.ln_rate().filter(|_| !self.step.first && !self.is_nothing())?;
        let reference = |state: State| self.context.reference[state as usize];
        let sd = self.measured.rate_sd(self.step, self.rtt())?;
        // Loss events average out in a step, at a cap as in a sawtooth.
        let events = self.past.events;
        let many = (1.0 + events).sqrt();
        let sawtooth = sd.hypot(SAWTOOTH_SD / many);
        let (fixed, dips) = (sd.hypot(FIXED_SD / many), sd.hypot(DIP / many));
        let steady = |state: State| normal(rate, reference(state), sd.hypot(FIXED_SD));
        let mut all = [1.0 / OUTLIER_WIDTH; STATES];
        let mut set = |state: State, density: f64| all[state as usize] = density;
        set(Other, 1.0 / OUTLIER_WIDTH);
        set(Silence, normal(rate, reference(Queue) - 1.0, 1.0) / OUTLIER_WIDTH);
        let at_cap = 0.5
            * (normal(rate, reference(FixedRate), fixed) + normal(rate, reference(FixedRate) - DIP / 2.0 / many, dips));
        let program = match self.measured.seen.target {
            Some(target) => normal(rate, (target / 8.0).ln(), sd.hypot(FIXED_SD)),
            None => 0.5 * normal(rate, reference(Program), PROGRAM_SD) + 0.25 * steady(Program),
        };
        let Some(used) = self.used() else {
            let before = self.before().unwrap_or(rate);
            set(Recovering, normal(rate, reference(Recovering), sawtooth));
            set(Climbing, normal(rate, before, sd.hypot(CLIMB_SD)));
            set(SlowStart, normal(rate, before, 1.0));
            set(Queue, steady(Queue));
            set(Shared, normal(rate, reference(Shared), PROGRAM_SD));
            set(FixedRate, at_cap);
            set(HeldByReceiver, steady(HeldByReceiver));
            set(HeldBySender, steady(HeldBySender));
            set(Program, program);
            return Some(all);
        };
        let full = |sd: f64| normal(used.value, 0.0, sd);
        let ends = if events > 0.0 { used.sd.hypot(SAWTOOTH_ENDS_SD) } else { used.sd };
        // Two estimates of the rate where cwnd limits: cwnd at both ends, and the mean of a sawtooth.
        let [by_ends, by_mean] = [ends.powi(-2), if events > 0.0 { sawtooth.powi(-2) } else { 0.0 }];
        let expected = ((rate - used.value) * by_ends + reference(Recovering) * by_mean) / (by_ends + by_mean);
        set(Recovering, normal(rate, expected, (by_ends + by_mean).powf(-0.5)));
        set(Climbing, full(used.sd));
        set(SlowStart, full(used.sd.hypot(0.5)));
        let in_queue = match (self.step.srtt, self.measured.rtt) {
            (Some(_), _) => full(ends),
            (None, Some(_)) => below(-used.value / used.sd.hypot(FIXED_SD)),
            (None, None) => 1.0,
        };
        set(Queue, steady(Queue) * in_queue);
        // Without an RTT nothing shows the queue of others.
        let queues = if self.step.srtt.is_some() { 1.0 } else { 1.0 - UNSHARED };
        set(Shared, full(ends) * queues);
        set(FixedRate, at_cap * (-0.5 * (used.value / FIXED_USE_SD).powi(2)).exp());
        let free =
            if self.measured.rtt.is_some() { below((MAX_HELD_CWND_USE - used.value.exp()) / used.sd) } else { SHOWN };
        let free = free.max(NOT_SHOWN);
        set(HeldByReceiver, steady(HeldByReceiver) * free);
        set(HeldBySender, steady(HeldBySender) * free);
        set(Program, program * free);
        Some(all)
    }

    /// Returns the logarithm of the rate in the step before.
    fn before(&self) -> Option<f64> {
        let before = self.measured.steps.get(self.number.checked_sub(1)?)?;
        before.bytes.filter(|bytes| *bytes > 0.0 && !before.first).map(|bytes| (bytes / before.seconds).ln())
    }

    /// Returns the probability that random losses as frequent as later ones spare what the first step sends beyond later
    /// rates: a bucket of tokens was full. Slow start doubles, so half of it comes before the first loss is answered.
    fn first_burst(&self) -> Option<PerState> {
        const MIN_SEGMENTS: f64 = 50.0;
        let (steps, seen) = (&self.measured.steps, self.measured.seen);
        let later = || steps.iter().skip(2).filter(|step| step.bytes.is_some() && step.retransmitted.is_some());
        let sum = |of: fn(&Step) -> f64| later().map(of).sum::<f64>();
        let bytes = sum(|step| step.bytes.unwrap_or(0.0));
        let segments = bytes / self.mss();
        if self.number != 1 || segments < MIN_SEGMENTS {
            return None;
        }
        let lost = sum(|step| step.retransmitted.unwrap_or(0.0)) / segments;
        let all: f64 = steps.iter().filter_map(|step| step.bytes).sum();
        let waiting =
            if seen.written { self.measured.quantum + (all - seen.bytes.unwrap_or(all)).max(0.0) } else { 0.0 };
        let more = steps[0].bytes? - bytes / sum(|step| step.seconds) * steps[0].seconds - waiting;
        let mut odds = [1.0; STATES];
        odds[State::Recovering as usize] = (-lost * more.max(0.0) / self.mss() / 2.0).exp();
        Some(odds)
    }
}

/// Density of a normal distribution, with a share of outliers.
fn normal(x: f64, mean: f64, sd: f64) -> f64 {
    let bell = (-0.5 * ((x - mean) / sd).powi(2)).exp() / (sd * (2.0 * PI).sqrt());
    (1.0 - OUTLIER_SHARE) * bell + OUTLIER_SHARE / OUTLIER_WIDTH
}

/// Density of an exponential distribution above 0, with an error below, and a share of outliers.
fn exponential(x: f64, scale: f64, error: f64) -> f64 {
    let shape = if x > 0.0 { (-x / scale).exp() } else { (-0.5 * (x / error).powi(2)).exp() };
    (1.0 - OUTLIER_SHARE) * shape / (scale + error * (PI / 2.0).sqrt()) + OUTLIER_SHARE / OUTLIER_WIDTH
}

/// Approximates the normal distribution function to within 0.01 (Bowling et al., 2009).
fn below(z: f64) -> f64 {
    1.0 / (1.0 + (-1.702 * z).exp())
}
