//! The table of quantities.

use super::account::{Account, Phase};
use super::transfer::Transfer;
use base::model::response;
use base::stats::{mean, median, percentile};

/// A value with its standard deviation, if known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Value in the unit of its row.
    pub value: f64,
    /// Standard deviation; 0 for counted values.
    pub sd: f64,
}

/// A row of the table.
pub struct Quantity {
    /// Name of the quantity.
    pub name: &'static str,
    /// Definition of the quantity.
    pub definition: &'static str,
    /// Unit; empty for a ratio.
    pub unit: &'static str,
    /// Programs that print its inputs.
    pub printed_by: &'static str,
    /// Computes the value; `None` if the evidence lacks it.
    pub of: fn(&Transfer) -> Option<Estimate>,
}

const JSON_SOURCES: &str = "iperf3 -J";
const POINT_SOURCES: &str = "iperf3 -J, ss -ti every second, siftr";
const SOCKET_SOURCES: &str = "ss -ti, siftr (tcp_info)";

/// All quantities.
pub const QUANTITIES: &[Quantity] = &[
    Quantity {
        name: "link-share",
        definition: "goodput over the payload that the link carries",
        unit: "",
        printed_by: "any listing, with the link's rate",
        of: |transfer| exact(transfer.seen.goodput? / transfer.path.link?),
    },
    Quantity {
        name: "window-used",
        definition: "in flight over cwnd: the median of rate × RTT / cwnd over steps",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| spread(transfer.counted().map(|step| step.used()).collect()),
    },
    Quantity {
        name: "window-still",
        definition: "the share of steps in which cwnd moves by no more than two segments",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| {
            let still = |[before, after]: [f64; 2]| (after - before).abs() <= 2.0 * transfer.path.mss;
            share(transfer.counted().map(|step| still(step.cwnd)).collect())
        },
    },
    Quantity {
        name: "window-trend",
        definition: "cwnd at the end over cwnd at the start, as a logarithm",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| {
            let (first, last) = (transfer.counted().next()?, transfer.counted().last()?);
            exact((last.cwnd[1] / first.cwnd[0]).ln())
        },
    },
    Quantity {
        name: "rtt-growth",
        definition: "the median RTT over that of the idle path, less 1",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| {
            let rtt = transfer.rtt?;
            spread(transfer.counted().map(|step| step.srtt / rtt - 1.0).collect())
        },
    },
    Quantity {
        name: "rtt-follows-window",
        definition: "the slope of ln RTT over ln cwnd: 1 where the link is full, 0 where it has room (Little's law)",
        unit: "",
        printed_by: POINT_SOURCES,
        of: slope,
    },
    Quantity {
        name: "mean-over-peak",
        definition: "cwnd over RTT on the mean, over the largest: the share of the link that a sawtooth leaves",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| {
            let rates: Vec<f64> = transfer.counted().map(|step| step.cwnd[1] / step.srtt).collect();
            exact(mean(&rates) / rates.iter().copied().fold(0.0, f64::max)).filter(|_| rates.len() > 3)
        },
    },
    Quantity {
        name: "loss-events",
        definition: "loss events after slow start: runs of steps with retransmissions",
        unit: "",
        printed_by: "iperf3, ss -ti, siftr, a capture",
        of: |transfer| exact(events(transfer)?),
    },
    Quantity {
        name: "loss-over-response",
        definition: "the loss-event rate over the one at which Reno has this goodput at this RTT",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| {
            let (events, mss) = (events(transfer)?, transfer.path.mss);
            let segments = transfer.counted().map(|step| step.bytes).sum::<f64>() / mss;
            let needed = response::reno_loss(mss, transfer.rtt?, transfer.seen.goodput?);
            let value = events / segments / needed;
            Some(Estimate { value, sd: value / events.sqrt() }).filter(|_| events > 0.0 && value.is_finite())
        },
    },
    Quantity {
        name: "overshoot",
        definition: "segments sent again in the first loss event, over the larger cwnd before or behind it",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| {
            let at = transfer.steps.iter().position(|step| step.retransmitted > 0.0)?;
            let lost: f64 =
                transfer.steps[at..].iter().map(|step| step.retransmitted).take_while(|lost| *lost > 0.0).sum();
            let [before, behind] = transfer.steps[at].cwnd;
            exact(lost * transfer.path.mss / before.max(behind))
        },
    },
    Quantity {
        name: "held-share",
        definition: "the share of time for which cwnd was not the limit",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| exact(Account::of(transfer)?.share(Phase::Held)),
    },
    Quantity {
        name: "climbing-share",
        definition: "the share of time for which cwnd was the limit and had lost nothing yet",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| exact(Account::of(transfer)?.share(Phase::Climbing)),
    },
    Quantity {
        name: "recovering-share",
        definition: "the share of time for which cwnd was the limit and below what a loss event found",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| exact(Account::of(transfer)?.share(Phase::Recovering)),
    },
    Quantity {
        name: "queueing-share",
        definition: "the share of time for which RTTs stood above those of the idle path",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| exact(Account::of(transfer)?.share(Phase::Queueing)),
    },
    Quantity {
        name: "loss-dispersion",
        definition: "the variance of retransmissions in a step over their mean: 1 of single random losses",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| {
            let lost: Vec<f64> = transfer.counted().map(|step| step.retransmitted).collect();
            let middle = mean(&lost);
            let variance = mean(&lost.iter().map(|lost| (lost - middle).powi(2)).collect::<Vec<_>>());
            exact(variance / middle)
        },
    },
    Quantity {
        name: "rate-variation",
        definition: "the standard deviation of the steps' rates over their mean",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| {
            let rates: Vec<f64> = transfer.counted().map(|step| step.bytes / step.seconds).collect();
            exact(base::stats::deviation(&rates) / mean(&rates))
        },
    },
    Quantity {
        name: "silence",
        definition: "the share of steps in which nothing arrived",
        unit: "",
        printed_by: POINT_SOURCES,
        of: |transfer| share(transfer.counted().map(|step| step.bytes == 0.0).collect()),
    },
    Quantity {
        name: "receive-window-limited",
        definition: "the share of time that the kernel counted as limited by the receiver's window",
        unit: "",
        printed_by: SOCKET_SOURCES,
        of: |transfer| exact(transfer.seen.limits?.rwnd),
    },
    Quantity {
        name: "send-buffer-limited",
        definition: "the share of time that the kernel counted as limited by the send buffer",
        unit: "",
        printed_by: SOCKET_SOURCES,
        of: |transfer| exact(transfer.seen.limits?.sndbuf),
    },
    Quantity {
        name: "busy",
        definition: "the share of time with data outstanding or to be sent",
        unit: "",
        printed_by: SOCKET_SOURCES,
        of: |transfer| exact(transfer.seen.limits?.busy),
    },
    Quantity {
        name: "marked",
        definition: "the share of packets that came with an ECN mark",
        unit: "",
        printed_by: SOCKET_SOURCES,
        of: |transfer| exact(transfer.seen.marked?),
    },
    Quantity {
        name: "receive-window",
        definition: "the largest window that the receiver offered",
        unit: "bytes",
        printed_by: JSON_SOURCES,
        of: |transfer| exact(transfer.seen.window?.largest),
    },
];

/// Returns a quantity by its name.
pub fn quantity(name: &str, transfer: &Transfer) -> Option<Estimate> {
    let row = QUANTITIES.iter().find(|row| row.name == name)?;
    (row.of)(transfer)
}

fn exact(value: f64) -> Option<Estimate> {
    value.is_finite().then_some(Estimate { value, sd: 0.0 })
}

/// Returns the median, with its standard deviation by the spread of the values.
fn spread(values: Vec<f64>) -> Option<Estimate> {
    // The interquartile range of a normal distribution is 1.35 standard deviations; the standard deviation of the
    // median is 1.25 times that of the mean.
    let [low, high] = [0.25, 0.75].map(|at| percentile(values.clone(), at));
    let sd = 1.25 * (high? - low?) / 1.35 / (values.len() as f64).sqrt();
    Some(Estimate { value: median(&values), sd })
}

fn share(all: Vec<bool>) -> Option<Estimate> {
    let count = all.len() as f64;
    let part = all.into_iter().filter(|is| *is).count() as f64;
    let value = part / count;
    Some(Estimate { value, sd: (value * (1.0 - value) / count).sqrt() }).filter(|_| count > 0.0)
}

/// Counts runs of counted steps with retransmissions.
fn events(transfer: &Transfer) -> Option<f64> {
    let lost: Vec<bool> = transfer.counted().map(|step| step.retransmitted > 0.0).collect();
    let first = usize::from(*lost.first()?);
    Some((first + lost.windows(2).filter(|pair| !pair[0] && pair[1]).count()) as f64)
}

/// Fits ln RTT over ln cwnd by least squares, both at the ends of steps: within a step a sawtooth moves both.
fn slope(transfer: &Transfer) -> Option<Estimate> {
    let all: Vec<[f64; 2]> = transfer.counted().map(|step| [step.cwnd[1].ln(), step.srtt.ln()]).collect();
    let middle = |at: usize| mean(&all.iter().map(|one| one[at]).collect::<Vec<_>>());
    let [x, y] = [middle(0), middle(1)];
    let squares: f64 = all.iter().map(|one| (one[0] - x).powi(2)).sum();
    let value = all.iter().map(|one| (one[0] - x) * (one[1] - y)).sum::<f64>() / squares;
    let rest: f64 = all.iter().map(|one| (one[1] - y - value * (one[0] - x)).powi(2)).sum();
    let sd = (rest / (all.len() as f64 - 2.0) / squares).sqrt();
    (all.len() > 3 && value.is_finite() && sd.is_finite()).then_some(Estimate { value, sd })
}
