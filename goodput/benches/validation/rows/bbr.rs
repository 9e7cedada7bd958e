//! BBR alone.

use super::{MBIT, Published, Row, Section, Why};
use crate::formula;
use crate::observe::Ours;

const START: Why = Why {
    text: "BBR ends its start when the rate has not grown by a quarter for three round trips, which loss makes likely; what it lacks then it finds at 1.25 · (1 − p) in eight round trips at best, and 60 s are too short for that. With the loss from 5 s on it has the line.",
    by: &["bbr-later-5", "bbr-later-10", "bbr-later-15"],
};
const TENFOLD: Why = Why {
    text: "the factor of ten is the text's reading of a logarithmic plot; Linux falls further, and by RFC 9438 it would by more than twenty (38 segments in 100 ms).",
    by: &[],
};
const STEPS: Why = Why {
    text: "the probe ends with the first ACK after 200 ms, and with four packets in flight ACKs come a round trip apart: what is published is the least.",
    by: &["probe-least", "probe-most"],
};
const FALL: Why = Why {
    text: "a rate that can only fall starts where the start left it: one seed of five falls for the whole minute, the others stall at once.",
    by: &[],
};
const BALANCE: Why = Why {
    text: "1.25 · (1 − 0.2) is 1: at 20 % the rate moves up or down at random; above, it can only fall.",
    by: &["bbr-30"],
};

pub fn sections() -> Vec<Section> {
    vec![loss(), probe()]
}

fn loss() -> Section {
    const LINE: f64 = 100e6;
    let row = |what, at, published| Row::new(what, "bbr-loss", at, Ours::Load("goodput"), published).per(MBIT);
    let kept = |p: f64| Published::Is(formula::line(LINE) * (1.0 - p) / MBIT);
    let later = |what, at, p| Row::new(what, "bbr-loss-later", at, Ours::From(10), kept(p)).per(MBIT);
    Section {
        title: "BBR and random loss",
        source: "Cardwell, Cheng, Gunn, Hassas Yeganeh, Jacobson 2016 (ACM Queue 14(5)), figure 8 and its text: 60 s, 100 Mbit/s, 100 ms; CUBIC loses a factor of ten at 0.1 % and stalls above 1 %; BBR keeps rate · (1 − p) up to 5 % and is close up to 15 %.",
        about: "have a buffer of one bandwidth-delay product, which the source does not say; rates are of payload.",
        unit: "goodput, Mbit/s",
        rows: vec![
            row("BBR, p = 0.001 %", &["bbr", "0.001 %"], kept(1e-5)),
            row("BBR, 0.1 %", &["bbr", "0.1 %"], kept(1e-3)),
            row("BBR, 1 %", &["bbr", "1 %"], kept(0.01)),
            row("BBR, 5 %", &["bbr", "5 %"], kept(0.05)).because(START),
            row("BBR, 10 %", &["bbr", "10 %"], kept(0.10)).because(START),
            row("BBR, 15 %", &["bbr", "15 %"], kept(0.15)).because(START),
            later("BBR, 5 % from 5 s on, of which 10 s on", &["five"], 0.05).named("bbr-later-5"),
            later("BBR, 10 % from 5 s on", &["ten"], 0.10).named("bbr-later-10"),
            later("BBR, 15 % from 5 s on", &["fifteen"], 0.15).named("bbr-later-15"),
            row("BBR, every 20th packet", &["bbr", "every 20"], kept(0.05)),
            row("BBR, every 10th packet", &["bbr", "every 10"], kept(0.10)),
            row("BBR, 20 %, where its gain of 1.25 ends", &["bbr", "20 %"], Published::AtMost(10.0)).because(BALANCE),
            row("BBR, 30 %", &["bbr", "30 %"], Published::AtMost(10.0)).because(FALL).named("bbr-30"),
            row("CUBIC, 0.1 %", &["cubic", "0.1 %"], Published::Is(formula::line(LINE) / 10.0 / MBIT)).because(TENFOLD),
            row("CUBIC, 5 %", &["cubic", "5 %"], Published::AtMost(1.0)),
        ],
    }
}

fn probe() -> Section {
    let row = |what, at, ours, published| Row::new(what, "probe-rtt", at, ours, Published::Is(published));
    let bound = |what, published| Row::new(what, "probe-rtt", &["40 ms"], Ours::ProbeTime, published);
    Section {
        title: "ProbeRTT",
        source: "Cardwell et al. 2016, and draft-cardwell-iccrg-bbr-congestion-control-00, section 4.3.4: when no lower RTT was seen for 10 s, four packets in flight for 200 ms and at least a round trip. In flight falls to four within a round trip, and the 10 s begin anew when the probe ends.",
        about: "is one flow for 65 s, sampled every 1 ms.",
        unit: "s",
        rows: vec![
            row("between probes, 10 ms: 10 s + 200 ms + RTT", &["10 ms"], Ours::ProbePeriod, 10.21),
            row("between probes, 40 ms", &["40 ms"], Ours::ProbePeriod, 10.24),
            row("between probes, 160 ms", &["160 ms"], Ours::ProbePeriod, 10.36),
            row("window at four packets, 10 ms: 200 ms + RTT", &["10 ms"], Ours::ProbeTime, 0.21),
            row("window at four packets, 40 ms", &["40 ms"], Ours::ProbeTime, 0.24).because(STEPS),
            bound("window at four packets, 40 ms, at least 200 ms + RTT", Published::AtLeast(0.24))
                .named("probe-least"),
            bound("window at four packets, 40 ms, at most 200 ms + 2 RTT", Published::AtMost(0.28)).named("probe-most"),
            row("window at four packets, 160 ms", &["160 ms"], Ours::ProbeTime, 0.36),
        ],
    }
}
