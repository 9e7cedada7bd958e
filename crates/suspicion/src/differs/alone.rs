//! Sentences on the numbers of one run: the causes that they rule out by themselves.

use super::family::{Effect, Family};
use crate::facts::{Case, Run};
use crate::formula::{Interval, Kind};
use Family::*;

/// Share sent again that no window, program or pacing causes.
const LOSSY_SHARE: f64 = 0.005;

/// Share sent again at which nearly every window loses, and the goodput of a stream that goes with it, bit/s.
const RUINED_SHARE: f64 = 0.1;
const RUINED_RATE: f64 = 2e6;

/// Share sent again up to which nothing is lost but the last packets of slow start.
const CLEAN_SHARE: f64 = 1.1e-4;

/// Ratio of the first second to the rest that no start of a connection has.
const EARLY_RATIO: f64 = 1.5;

/// Goodput of a run of which only the first packets pass, bit/s: from and to.
const STALLED_RATES: [f64; 2] = [2.5e4, 1e6];

/// Rate at which iperf sends UDP without -b (iperf.1, iperf3.1): 1 Mbit/s, of 1000 or of 1024, plus headers.
const IPERF_UDP_RATE: Interval = Interval { low: 0.98e6, high: 1.09e6 };

/// Share of UDP packets lost up to which all of them arrive.
const ARRIVED_SHARE: f64 = 0.005;

/// Upper bound of a goodput that says that nothing passes, bit/s: a window of 64 kB in 5 s.
const STALLED_BOUND: f64 = 1.05e5;

/// Share of the line's rate from which it is full, and ratio of the loaded to the idle RTT from which its queue is too long.
const FULL_SHARE: f64 = 0.7;
const BLOATED_RATIO: f64 = 2.0;

/// Segments of a window that never gets out of losses.
const RUINED_SEGMENTS: f64 = 4.0;

/// Returns sentences on a run's numbers, with what they leave.
pub fn sentences(case: &Case, run: &Run) -> Vec<(String, Effect)> {
    let mut all = vec![];
    let number = |name: &str| run.facts.number(name);
    let goodput = number("goodput");
    let streams = case.streams(run);
    if let Some(again) = number("retransmitted") {
        let shown = Kind::Share.show(again);
        if again.low > LOSSY_SHARE {
            let text = format!("{shown} sent again: no window, program or pacing does that");
            all.push((text, Effect::leaves(&[Losses, Shared])));
        }
        if again.low > RUINED_SHARE && goodput.is_some_and(|goodput| goodput.high / streams < RUINED_RATE) {
            let text = "next to nothing passes: nearly every window loses, as where packets are merged, dropped by \
                        their length, or most of them are lost";
            all.push((text.into(), Effect::rules_out(&[Bursts, Beside])));
        }
        if again.high < CLEAN_SHARE && again.low == 0.0 {
            all.push(("nothing sent again: no losses, no full queue".into(), Effect::rules_out(&[Losses])));
        }
    }
    if let Some(damaged) = number("frame-errors") {
        let text = format!("{} of frames damaged: losses below IP", Kind::Share.show(damaged));
        all.push((text, Effect::leaves(&[Line])));
    }
    if let (Some(early), Some(late)) = (number("early"), number("late"))
        && early.low > EARLY_RATIO * late.high
    {
        let [first, rest] = [early, late].map(|rate| Kind::Rate.show(rate));
        let bucket = Kind::Size.show(Interval::exactly((early.middle() - late.middle()) / 8.0));
        let text = format!(
            "{first} in the first second, then {rest}: a bucket of about {bucket}, or a buffer or a processor that fills up"
        );
        all.push((text, Effect::leaves(&[Bucket, Reader])));
    }
    let is_stalled = |goodput: Interval| match goodput.low {
        // An upper bound of some hundred kbit/s is no stall.
        0.0 => goodput.high < STALLED_BOUND,
        low => low < STALLED_RATES[0] && goodput.high < STALLED_RATES[1],
    };
    if goodput.is_some_and(is_stalled) {
        let text = "the first packets pass, then nothing: by their length, or nobody reads";
        all.push((text.into(), Effect::leaves(&[Lengths, Merging, Reader])));
    }
    if let (Some(cwnd), Some(mtu)) = (number("cwnd"), case.number(run, "mtu"))
        && cwnd.high < RUINED_SEGMENTS * mtu.high
    {
        let text = format!("cwnd {}: one to three segments, losses without end", Kind::Size.show(cwnd));
        all.push((text, Effect::leaves(&[Losses])));
    }
    if let (Some(ping), Some(rtt), Some(goodput)) = (number("ping"), case.number(run, "rtt"), goodput)
        && ping.low > rtt.high
    {
        let queue = Kind::Size.show((ping - rtt) * goodput / Interval::exactly(8.0));
        let mut text = format!("ping {} under load: a queue of {queue} in front of the line", Kind::Time.show(ping));
        let is_full = case.number(run, "rate").is_some_and(|rate| goodput.high > FULL_SHARE * rate.low);
        if is_full && ping.low > BLOATED_RATIO * rtt.high {
            let held = Kind::Time.show(ping - rtt);
            text += &format!(
                ". The line is full and its queue holds {held}: bufferbloat; a shaper below the line's rate, fq_codel or cake shortens it"
            );
        }
        all.push((text, Effect::leaves(&[Queue])));
    }
    if let Some(stall) = number("stall") {
        let text =
            format!("a stall of {}: a delayed ACK waits 40 ms on Linux, 200 ms on Windows", Kind::Time.show(stall));
        all.push((text, Effect::leaves(&[Timer])));
    }
    if let (Some(lost), Some(goodput)) = (number("lost"), goodput)
        && lost.high < ARRIVED_SHARE
        && goodput.meets(IPERF_UDP_RATE)
        && number("offered").is_none_or(|offered| offered.meets(IPERF_UDP_RATE))
    {
        let text =
            "about 1 Mbit/s of UDP without losses: iperf sends that much if no -b asks for more, so nothing is slow";
        all.push((text.into(), Effect::leaves(&[Asked])));
    }
    if case.label(run, "tunnel") == Some("tcp")
        && let (Some(goodput), Some(rtt)) = (goodput, case.number(run, "rtt"))
    {
        let buffer = Kind::Size.show(goodput * rtt / Interval::exactly(8.0));
        let text = format!("all is inside one TCP connection: its buffer would be {buffer}");
        all.push((text, Effect::leaves(&[Tunnel, Buffer])));
    }
    all.extend(window_of(case, run).map(|text| (text, Effect::NONE)));
    all
}

/// Width of intervals, end over end, that still tell one window from another.
const MAX_WIDTH: f64 = 1.45;

/// Distance from a power of two within which a window is one: programs and buffers are mostly set so.
const POWER_OF_TWO_SHARE: f64 = 0.08;

/// Returns a sentence on rate x RTT of a stream, if nothing is lost, and it is a power of two.
fn window_of(case: &Case, run: &Run) -> Option<String> {
    let (goodput, rtt) = (run.facts.numbers.get("goodput")?, case.number(run, "rtt")?);
    let is_lossless = run.facts.number("retransmitted").is_none_or(|again| again.high < CLEAN_SHARE);
    let is_sharp = |value: Interval| value.high < MAX_WIDTH * value.low;
    if !is_lossless || !is_sharp(goodput.interval) || !is_sharp(rtt) || case.streams(run) > 1.0 {
        return None;
    }
    let printed = Kind::Rate.parse(&goodput.text).unwrap_or(goodput.interval);
    let window = (printed * rtt / Interval::exactly(8.0)).middle();
    let power = 2f64.powf(window.log2().round());
    let is_power = (window / power - 1.0).abs() < POWER_OF_TWO_SHARE && power >= 65_536.0;
    is_power.then(|| {
        let [window, power] = [Kind::Size.show(Interval::exactly(window)), binary(power)];
        format!("rate x RTT is {window}, as a window of {power} gives it: programs and socket buffers have such sizes")
    })
}

fn binary(bytes: f64) -> String {
    if bytes >= 1_048_576.0 { format!("{} MiB", bytes / 1_048_576.0) } else { format!("{} KiB", bytes / 1024.0) }
}
