//! Why a figure of ours differs from the published one.

/// Experiment, words that the cell's name contains, reason.
const REASONS: &[(&str, &[&str], &str)] = &[
    (
        "bad-lengths",
        &["2500 B", "both bad"],
        "2500 B, both bad: a last piece of 2340 to 2440 bytes is lost each time that it is sent, until a timeout.",
    ),
    ("bad-lengths", &["2350 B"], "2350 B: iperf's client counts what it wrote into its socket, the lab what arrived."),
    ("bad-lengths", &["goodput"], "Other sizes: CPUs and drivers take no time in the lab, so it gets the line's rate."),
    (
        "dctcp-or-cubic",
        &["retransmitted"],
        "retransmitted: the senders of the listing run FreeBSD, whose congestion controls are not Linux's.",
    ),
    (
        "freebsd-stack-growth",
        &["goodput"],
        "The receiver has 30 MB of buffer, because Linux charges the memory of a packet and FreeBSD its bytes: the published \
         10 MB would limit the flow. Whether the rest is the release, 13.0 for 15.0, is not known.",
    ),
    (
        "freebsd-stack-loss",
        &["rack"],
        "RACK: 13.0 sends nothing for 1 ms after each retransmission, which later releases do not (below).",
    ),
    ("freebsd-stack-loss", &["linux"], "linux: CUBIC has two states here, and two seeds say little of it."),
    (
        "freebsd-stack-loss",
        &["before"],
        "before: why it is too low at every 50th and 33rd is not known; rfc6675_pipe and a later SACK do not explain it.",
    ),
    (
        "freebsd-stack-loss",
        &["goodput"],
        "The default stack: a lost retransmission costs a timeout, and how many are lost depends on the packets between a \
         loss and its retransmission.",
    ),
    (
        "long-fat-line-controls",
        &["cubic"],
        "cubic: the listing lost its first packets early, after 1,850; drawn losses come later, when the window is \
         larger. With the listing's own packets CUBIC gets 70.2 (long-fat-line).",
    ),
    (
        "loss-resilience",
        &["cubic"],
        "cubic: a seed begins near the published figure (620 Mbit/s at every 100th, 535 at every 25th) and falls, sooner or \
         later, to a window of 2 packets (118 and 71), in which it stays. The published host did not fall in 30 s; why is \
         not known.",
    ),
    ("lro-bridge", &["125 us"], "125 us: two packets seldom meet in an interval, so LRO merges little."),
    (
        "lro-bridge",
        &["250 us"],
        "250 us: the interval of the author's card is not known; 500 us gives what was published.",
    ),
];

/// Returns the reason for a cell, named by flow, point and measure.
pub fn reason(experiment: &str, cell: &str) -> Option<&'static str> {
    let is_meant = |words: &[&str]| words.iter().all(|word| cell.contains(word));
    REASONS.iter().find(|(name, words, _)| *name == experiment && is_meant(words)).map(|(.., why)| *why)
}
