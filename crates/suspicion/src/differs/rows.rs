//! The table of differences, a row for each: what it can change and by how much, and what that leaves.

use super::family::{Effect, Family};
use super::{Contrast, value};
use crate::facts::Run;
use crate::formula::{Interval, Kind};
use base::model::response;

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
    /// What to measure next.
    pub next: &'static str,
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
        next: "`ss -ti` on the sender during the run of one stream: cwnd, rtt, and rwnd_limited or sndbuf_limited",
    },
    Difference {
        key: "mss",
        changes: "losses, cost for each packet: rate ~ MSS",
        of: lengths,
        same: None,
        next: "a sweep in small steps between the two, `for m in … ; do iperf3 -c HOST -M $m; done`, and `ping -M do -s` with the lengths that fail",
    },
    Difference {
        key: "mtu",
        changes: "losses, cost for each packet: rate ~ MSS",
        of: lengths,
        same: None,
        next: "`ping -M do -s` with the lengths between the two, in both directions",
    },
    Difference {
        key: "rtt",
        changes: "a window: rate ~ 1 / RTT; losses: 1 / RTT to RTT^-0.25",
        of: rtt,
        same: None,
        next: "`ss -ti` on the sender during the slow run: cwnd, rtt, retrans",
    },
    Difference {
        key: "congestion",
        changes: "what losses or a queue decide; nothing where a window or a program is the limit",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            if response::is_bbr(&slow) && is_lossless(contrast.slow) && is_lossless(contrast.fast) {
                let text = format!(
                    "nothing is sent again in either, so neither losses nor a full queue decides: {slow} paces by a timer, which costs the sender's processor time, and takes its rate from the ACKs"
                );
                return (text, Effect::leaves(&[Sender]));
            }
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
        next: "`nstat -az TcpRetransSegs TcpExtTCPTimeouts` before and after each run",
    },
    Difference {
        key: "window",
        changes: "window / RTT",
        of: window,
        same: None,
        next: "the same run with four times the window",
    },
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
        next: "the same run with four times tcp_rmem[2]",
    },
    Difference {
        key: "send-buffer",
        changes: "buffer / RTT",
        of: window,
        same: None,
        next: "the same run with four times the buffer",
    },
    Difference {
        key: "write",
        changes: "cost of each write: rate ~ write at most; small writes without Nagle are small segments",
        of: |contrast| {
            let [slow, fast] = contrast.numbers(Kind::Size);
            let text = format!(
                "writes of {slow} and {fast}: the path sees the same bytes, so the sending program, its processor or its socket is the limit"
            );
            (text, Effect::leaves(&[Sender, Program, Timer, SendBuffer, Lengths]))
        },
        same: None,
        next: "`pidstat -u 1` of the sending program in the slow run, and `ss -ti` there: app_limited, and bytes_sent over segs_out",
    },
    Difference {
        key: "credit",
        changes: "credit / RTT",
        of: window,
        same: None,
        next: "the same run with four times the credit, and with four times the socket buffers",
    },
    Difference {
        key: "host",
        changes: "what only one of them passes through",
        of: place,
        same: None,
        next: "`tcpdump` of the first 2000 packets on both sides of what only the slow one passes; its offloads, `ethtool -k`",
    },
    Difference {
        key: "via",
        changes: "what only one of them passes through",
        of: place,
        same: None,
        next: "`tcpdump` of the first 2000 packets on both sides of what only the slow one passes; its offloads, `ethtool -k`",
    },
    Difference {
        key: "offloads",
        changes: "packets that a box merges or cuts before it forwards them; the host's cost for each packet",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            let text = format!(
                "offloads {slow} and {fast}: what is merged or left uncut is longer than the next link's MTU, or checked by a card that cannot"
            );
            (text, Effect::leaves(&[Merging, Sender]))
        },
        same: Some(|contrast| {
            let [slow, fast] = contrast.labels();
            (
                format!("offloads {slow} and {fast} are equally fast: packets are not merged on the way"),
                Effect::rules_out(&[Merging]),
            )
        }),
        next: "`tcpdump -v` on the box that forwards: packets longer than the MTU, and ICMP \"need to frag\" to the sender",
    },
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
        next: "`ss -ti` during the slow program's transfer: its window, app_limited, rwnd_limited",
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
        next: "`nstat` on both ends before and after each direction, and `ethtool -S` of both interfaces",
    },
    Difference {
        key: "bond",
        changes: "round robin puts the packets of a flow out of order; a hash keeps a flow on one link",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            let is_round_robin = ["rr", "robin", "mode 0"].iter().any(|word| slow.to_lowercase().contains(word));
            let text = format!("bond {slow} and {fast}: what both share allows {}", contrast.speed_of_fast());
            match is_round_robin {
                true => (format!("{text}; round robin puts packets out of order"), Effect::leaves(&[Order, Lengths])),
                false => (text, Effect::NONE),
            }
        },
        same: None,
        next: "`nstat TcpExtTCPSACKReorder TcpExtTCPDSACKRecv` at the sender before and after; one link of the bond alone",
    },
    Difference {
        key: "ends",
        changes: "what lies between each pair of hosts, and the hosts",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            let allows = contrast.speed_of_fast();
            let text = format!("{fast} reach {allows}, {slow} do not: what both pairs share is not the limit");
            (text, Effect::NONE)
        },
        same: None,
        next: "the slow pair's ends with a third host: that tells the host from the path",
    },
    Difference {
        key: "protocol",
        changes: "TCP answers losses and waits for windows, UDP does neither",
        of: |contrast| match contrast.labels()[0] == "tcp" {
            true => udp_is_faster(contrast),
            false => {
                let sent = contrast
                    .case
                    .number(contrast.slow, "offered")
                    .map_or_else(|| contrast.speed_of_slow(), |offered| Kind::Rate.show(offered));
                (
                    format!("UDP carries what the program sends, {sent}: TCP shows that the path carries more"),
                    Effect::NONE,
                )
            }
        },
        same: None,
        next: "`iperf3 -u -b RATE` at half and at twice the rate that TCP reaches: the share lost at both",
    },
    Difference {
        key: "loss",
        changes: "1 / sqrt(p) to p^-0.75",
        of: |contrast| {
            let [slow, fast] = contrast.numbers(Kind::Share);
            let ratio = contrast.key_ratio().map_or(1.0, |ratio| ratio.max(1.0 / ratio));
            let text = format!("losses of {slow} and {fast}: rate ~ 1/sqrt(p) gives {} times", count(ratio.sqrt()));
            (text, Effect::leaves(&[Dropped]))
        },
        same: None,
        next: "the same run with a tenth of the losses",
    },
    Difference {
        key: "kernel",
        changes: "defaults of windows, recovery and congestion control",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            (format!("{slow} and {fast}: other defaults of windows, recovery, congestion control"), Effect::NONE)
        },
        same: None,
        next: "`sysctl net.ipv4` of both, compared with diff",
    },
    Difference {
        key: "tool",
        changes: "threads and writes of the tool: iperf3 before 3.16 runs all streams in one thread",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            (format!("measured with {slow} and with {fast}: their threads, writes and buffers differ"), Effect::NONE)
        },
        same: None,
        next: "the same tool, with the same version, in both runs",
    },
    Difference {
        key: "day",
        changes: "other traffic",
        of: |contrast| {
            let [slow, fast] = contrast.labels();
            (format!("{slow} and {fast}: other traffic, or a change of the path"), Effect::NONE)
        },
        same: None,
        next: "the slow run again, now",
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
    let (few, many) = (with_verb(few), streams_of(many));
    let each = contrast.speed_of_each();
    if ratio < SAME_RATIO {
        let text =
            format!("{many} carry what {few}: a limit that all share; windows and caps of each stream are ruled out");
        return (text, Effect::leaves(&[Shared, Sender, Reader]));
    }
    if ratio / more > 1.0 / PROPORTIONAL_RATIO && ratio / more < PROPORTIONAL_RATIO {
        let (why, effect) = limit_of_each(contrast);
        let text = format!(
            "{many} carry {said} times what {few}: a limit of each stream, {each}; a limit that they share is ruled out{why}"
        );
        return (text, effect);
    }
    if slow < fast && ratio < more {
        let text = format!(
            "{many} carry {said} times what {few}, so each stream has a limit of its own, {each}: the line carries {}",
            contrast.speed_of_fast()
        );
        return (text, Effect::rules_out(&[Sender]));
    }
    let text =
        format!("{many} carry {said} times what {few}: the limit is neither of each stream alone nor shared by all");
    (text, Effect::NONE)
}

fn with_verb(number: f64) -> String {
    format!("{} {}", streams_of(number), if number == 1.0 { "does" } else { "do" })
}

fn streams_of(number: f64) -> String {
    if number == 1.0 { "1 stream".into() } else { format!("{} streams", count(number)) }
}

/// Share sent again below which losses are not the limit of each stream: an event in ten thousand segments.
const LOSSLESS_SHARE: f64 = 1e-4;

/// Distance of a window from rate x RTT within which it is the limit: a printed cwnd is of a moment.
const WINDOW_RATIO: f64 = 1.6;

/// Whether a run is known to have sent next to nothing again.
fn is_lossless(run: &Run) -> bool {
    run.facts.number("retransmissions").is_some_and(|again| again.high == 0.0)
        || run.facts.number("retransmitted").is_some_and(|again| again.high < LOSSLESS_SHARE)
}

/// Returns what the slow run's own numbers say about a limit that each stream has.
fn limit_of_each(contrast: &Contrast) -> (String, Effect) {
    let (case, run) = (contrast.case, contrast.slow);
    if !is_lossless(run) {
        return (String::new(), Effect::rules_out(&[Shared, Sender]));
    }
    let each = Contrast::speed(run) / Interval::exactly(case.streams(run));
    let window = run.facts.number("cwnd").or_else(|| case.number(run, "window"));
    let needed = window.map(|window| window * Interval::exactly(8.0) / each);
    let not_lost = "; nothing is sent again, so no losses";
    match (needed, case.number(run, "rtt")) {
        (Some(needed), Some(rtt)) if rtt.high * WINDOW_RATIO < needed.low => (
            format!(
                "{not_lost}, and no window: one of {} would need an RTT of {}; a cap for each flow, as clouds and fair queues have it",
                Kind::Size.show(window.unwrap_or(Interval::ANY)),
                Kind::Time.show(needed)
            ),
            Effect::leaves(&[EachFlow]),
        ),
        (Some(needed), None) => (
            format!(
                "{not_lost}: a cap for each flow, or a window; its {} are the limit at an RTT of {} or more",
                Kind::Size.show(window.unwrap_or(Interval::ANY)),
                Kind::Time.show(needed)
            ),
            Effect::leaves(&[EachFlow, Window, Program]),
        ),
        _ => (format!("{not_lost}: a window or a cap for each flow"), Effect::leaves(&[EachFlow, Window, Program])),
    }
}

/// Share of UDP packets lost up to which the line carries what was sent.
const CARRIED_SHARE: f64 = 0.01;

fn udp_is_faster(contrast: &Contrast) -> (String, Effect) {
    let (slow, fast) = (contrast.speed_of_slow(), contrast.speed_of_fast());
    match contrast.fast.facts.number("lost") {
        Some(lost) if lost.low > CARRIED_SHARE => {
            let lost = Kind::Share.show(lost);
            let text = format!("UDP loses {lost} at {fast}, TCP gets {slow}: losses");
            (text, Effect::leaves(&[Losses, Shared]))
        }
        _ => {
            let text = format!(
                "the line carries {fast} of UDP, TCP gets {slow}: not the line's rate, but a window, rare losses or a program"
            );
            (text, Effect::rules_out(&[Shared]))
        }
    }
}

fn lengths(contrast: &Contrast) -> (String, Effect) {
    let [slow, fast] = contrast.lengths();
    let ratio = contrast.key_ratio().map_or(1.0, |ratio| ratio.max(1.0 / ratio));
    let (key, by, rates) = (contrast.key, count(ratio), count(contrast.ratio));
    if contrast.ratio > LENGTH_FACTOR * ratio {
        let text = format!(
            "{key} {slow} and {fast} differ {by} times, the rates {rates} times: losses and cost for each packet change it {by} times at most, so packets are treated by their length"
        );
        return (text, Effect::leaves(&[Lengths]));
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

/// Ratio of rates to that of windows beyond which a window does not explain them.
const MAX_WINDOW_RATIO: f64 = 1.6;

/// Ratio of rates to that of windows below which the larger window is no longer the limit.
const MIN_WINDOW_RATIO: f64 = 0.6;

fn window(contrast: &Contrast) -> (String, Effect) {
    let [slow, fast] = contrast.numbers(Kind::Size);
    let (key, rates) = (contrast.key, count(contrast.ratio));
    let effect = match key {
        "send-buffer" => Effect::leaves(&[SendBuffer]),
        "receive-max" => Effect::leaves(&[Receiver]),
        _ => Effect::leaves(&[Window]),
    };
    let Some(ratio) = contrast.key_ratio() else {
        let text = format!(
            "only {key} was changed, {slow} and {fast}, and the rate is {rates} times: a window of that buffer"
        );
        return (text, effect);
    };
    let text = format!(
        "{key} {slow} and {fast}: window / RTT gives {} times if it is the limit, the rates differ {rates} times",
        count(1.0 / ratio)
    );
    match contrast.ratio * ratio {
        share if ratio < 1.0 && (MIN_WINDOW_RATIO..MAX_WINDOW_RATIO).contains(&share) => (text, effect),
        share if ratio < 1.0 && share <= MIN_WINDOW_RATIO => {
            (format!("{text}; with the larger one something else is the limit"), effect)
        }
        _ => (text, Effect::rules_out(&[Receiver])),
    }
}

fn place(contrast: &Contrast) -> (String, Effect) {
    let [slow, fast] = [contrast.slow, contrast.fast]
        .map(|run| value(contrast.case, run, contrast.key).unwrap_or_else(|| run.name.clone()));
    let text = format!("what {slow} and {fast} share allows {}, so it is not the limit", contrast.speed_of_fast());
    match contrast.is_one_rtt() {
        true => (format!("{text}; the limit is in what only {slow} passes"), Effect::rules_out(&[EachFlow])),
        false => (format!("{text}; but the RTT differs too"), Effect::NONE),
    }
}
