//! The table of differences, a row for each: what it can change and by how much, and what that leaves.

use super::Contrast;
use super::family::{Effect, Family};
use crate::formula::{Interval, Kind};

/// Writes a sentence about two runs, and what it leaves.
type Sentence = fn(&Contrast) -> (String, Effect);

/// A difference between two runs.
#[derive(Debug)]
pub struct Difference {
    /// Fact in which the runs differ.
    pub key: &'static str,
    /// Effect of the fact on the rate, by formula.
    pub changes: &'static str,
    /// A sentence about a slow and a fast run that differ in it, and what that leaves.
    pub of: Sentence,
    /// A sentence about two runs that differ in it and are equally fast.
    pub same: Option<Sentence>,
}

/// Ratio up to which two runs are equally fast.
pub const SAME_RATIO: f64 = 1.4;

/// Distance from proportionality that still counts as it: streams never share evenly.
const PROPORTIONAL_RATIO: f64 = 1.4;

/// Factor beyond a ratio of lengths that losses and cost for each packet cannot explain.
const LENGTH_FACTOR: f64 = 2.0;

use Family::*;

/// All differences. Pairs of runs that differ in other facts say nothing.
pub const DIFFERENCES: &[Difference] = &[
    Difference {
        key: "streams",
        changes: "a limit of each stream: rate ~ streams; a shared one: none",
        of: streams,
        same: Some(streams),
    },
    Difference { key: "mss", changes: "losses, cost for each packet: rate ~ MSS", of: lengths, same: None },
    Difference { key: "mtu", changes: "losses, cost for each packet: rate ~ MSS", of: lengths, same: None },
    Difference { key: "rtt", changes: "a window: rate ~ 1 / RTT; losses: 1 / RTT to RTT^-0.25", of: rtt, same: None },
    Difference {
        key: "congestion",
        changes: "what losses or a queue decide; nothing where a window or a program is the limit",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            let text = format!(
                "{slow} and {fast} differ only where losses or a queue decide: a window or a program gives both {}",
                contrast.speed_of_slow()
            );
            (text, Effect::leaves(&[Losses, Shared, Start]))
        },
        same: Some(|contrast| {
            let [slow, fast] = contrast.labels();
            let text = format!(
                "{slow} and {fast} are equally fast: a cap or a window, or losses so frequent that both act alike; not a start that ends early"
            );
            (text, Effect::rules_out(&[Start, Bursts]))
        }),
    },
    Difference { key: "window", changes: "window / RTT", of: window, same: None },
    Difference {
        key: "receive-max",
        changes: "window / RTT",
        of: window,
        same: Some(|contrast| {
            let [slow, fast] = contrast.numbers(Kind::Size);
            (
                format!("receive-max {slow} and {fast} are equally fast: not the receiver's window"),
                Effect::rules_out(&[Receiver]),
            )
        }),
    },
    Difference { key: "send-buffer", changes: "buffer / RTT", of: window, same: None },
    Difference { key: "host", changes: "what only one of them passes through", of: place, same: None },
    Difference { key: "via", changes: "what only one of them passes through", of: place, same: None },
    Difference {
        key: "program",
        changes: "the program: its buffers, its credit, its writes and reads",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            let window =
                contrast.slow_window().map_or(String::new(), |window| format!("; its window would be {window}"));
            let text = format!(
                "{slow} is slow and {fast} fast on the same path, which allows {}: rate, RTT, losses and MTU are not the limit, the program is{window}",
                contrast.speed_of_fast()
            );
            (text, Effect::leaves(&[Program]))
        },
        same: None,
    },
    Difference {
        key: "direction",
        changes: "what one direction has: its sender, receiver, losses, MTU",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            let text = format!(
                "{slow} is slow and {fast} fast: the RTT and what both directions share are not the limit; MTU, losses, sender or receiver of one direction are left"
            );
            (text, Effect::rules_out(&[Beside]))
        },
        same: None,
    },
    Difference {
        key: "loss",
        changes: "1 / sqrt(p) to p^-0.75",
        of: |contrast| {
            let [slow, fast] = contrast.numbers(Kind::Share);
            let ratio = contrast.key_ratio().map_or(1.0, |ratio| ratio.max(1.0 / ratio));
            let text = format!("losses of {slow} and {fast}: rate ~ 1/sqrt(p) gives {} times", count(ratio.sqrt()));
            (text, Effect::leaves(&[Losses]))
        },
        same: None,
    },
    Difference {
        key: "kernel",
        changes: "defaults of windows, recovery and congestion control",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            (format!("{slow} and {fast}: other defaults of windows, recovery, congestion control"), Effect::NONE)
        },
        same: None,
    },
    Difference {
        key: "tool",
        changes: "threads and writes of the tool: iperf3 before 3.16 runs all streams in one thread",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            (format!("measured with {slow} and with {fast}: their threads, writes and buffers differ"), Effect::NONE)
        },
        same: None,
    },
    Difference {
        key: "day",
        changes: "other traffic",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            (format!("{slow} and {fast}: other traffic, or a change of the path"), Effect::NONE)
        },
        same: None,
    },
];

fn count(value: f64) -> String {
    Kind::Count.show(Interval::exactly(value))
}

fn streams(contrast: &Contrast) -> (String, Effect) {
    let (slow, fast) = (contrast.case.streams(contrast.slow), contrast.case.streams(contrast.fast));
    let [few, many] = if slow < fast { [slow, fast] } else { [fast, slow] };
    let ratio = if slow < fast { contrast.ratio } else { 1.0 / contrast.ratio };
    let (more, said) = (many / few, count(ratio));
    let [few, many] = [few, many].map(count);
    if ratio / more > 1.0 / PROPORTIONAL_RATIO && ratio / more < PROPORTIONAL_RATIO {
        let each = contrast.speed_of_each();
        let text = format!(
            "{many} streams carry {said} times what {few} do: a limit of each stream, {each}; a limit that they share is ruled out"
        );
        return (text, Effect::rules_out(&[Shared, Sender]));
    }
    if ratio < SAME_RATIO {
        let text = format!(
            "{many} streams carry what {few} do: a limit that all share; windows and caps of each stream are ruled out"
        );
        return (text, Effect::leaves(&[Shared, Sender, Reader]));
    }
    (
        format!(
            "{many} streams carry {said} times what {few} do: the limit is neither of each stream alone nor shared by all"
        ),
        Effect::NONE,
    )
}

fn lengths(contrast: &Contrast) -> (String, Effect) {
    let [slow, fast] = contrast.numbers(Kind::Size);
    let ratio = contrast.key_ratio().map_or(1.0, |ratio| ratio.max(1.0 / ratio));
    let (key, by, rates) = (contrast.key, count(ratio), count(contrast.ratio));
    if contrast.ratio > LENGTH_FACTOR * ratio {
        let text = format!(
            "{key} {slow} and {fast} differ {by} times, the rates {rates} times: losses and cost for each packet change it {by} times at most, so packets are treated by their length"
        );
        return (text, Effect::leaves(&[Lengths, Merging]));
    }
    let text = format!(
        "{key} {slow} and {fast}: losses and a full processor change the rate as the MSS does, {by} times; a window does not"
    );
    (text, Effect::rules_out(&[Window]))
}

fn rtt(contrast: &Contrast) -> (String, Effect) {
    let Some([slow, fast]) = contrast.windows() else {
        return ("the RTT differs: a window or losses are slower over a longer way".into(), Effect::NONE);
    };
    let [far, near] = [slow, fast].map(|window| Kind::Size.show(window));
    if slow.meets(fast) {
        return (format!("rate x RTT is the same, {far}: a window of that size"), Effect::leaves(&[Window]));
    }
    let text = format!(
        "rate x RTT is {far} far away and {near} near: far away a window of {far} or losses are the limit, not a shared rate or the program's speed, which the RTT does not change"
    );
    (text, Effect::leaves(&[Window, Losses, Start]))
}

fn window(contrast: &Contrast) -> (String, Effect) {
    let [slow, fast] = contrast.numbers(Kind::Size);
    let (key, rates) = (contrast.key, count(contrast.ratio));
    let Some(ratio) = contrast.key_ratio() else {
        return (format!("{key} was set in one run only: window / RTT"), Effect::NONE);
    };
    let text = format!(
        "{key} {slow} and {fast}: window / RTT gives {} times if it is the limit, the rates differ {rates} times",
        count(1.0 / ratio)
    );
    let is_proportional = (0.6..1.6).contains(&(contrast.ratio * ratio));
    (text, if is_proportional { Effect::leaves(&[Window]) } else { Effect::rules_out(&[Receiver]) })
}

fn place(contrast: &Contrast) -> (String, Effect) {
    let [slow, fast] = contrast.labels();
    let allows = contrast.speed_of_fast();
    let text = format!(
        "{} {slow}, not {fast}: what both pass (rate, RTT, losses) allows {allows}, so it is not the limit",
        contrast.key
    );
    match contrast.is_one_rtt() {
        true => (format!("{text}; it is in what only {slow} passes through"), Effect::rules_out(&[EachFlow])),
        false => (format!("{text}; but the RTT differs too"), Effect::NONE),
    }
}
