//! The formulas, each a row: what it takes, its unit, how each parameter moves it, and its source.

use super::interval::Interval;
use super::quantity::Kind;
use base::model::{response, segment};

/// A formula over intervals: it rises or falls with each of its parameters, so that its ends are values at corners.
#[derive(Debug)]
pub struct Formula {
    pub name: &'static str,
    pub parameters: &'static [Parameter],
    /// Kind of its result.
    pub kind: Kind,
    /// Meaning, one sentence.
    pub meaning: &'static str,
    /// The formula in text.
    pub text: &'static str,
    pub source: &'static str,
    pub of: fn(&[f64]) -> f64,
}

/// A parameter of a formula.
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether the result rises with it.
    pub rises: bool,
}

const fn up(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, rises: true }
}

const fn down(name: &'static str, kind: Kind) -> Parameter {
    Parameter { name, kind, rises: false }
}

use Kind::{Count, Rate, Share, Size, Time};

/// Parameters of a response to loss.
const RESPONSE: &[Parameter] = &[up("mss", Size), down("rtt", Time), down("p", Share)];

/// C of CUBIC's curve, segments per second cubed (RFC 9438, 4.1).
const CUBIC_C: f64 = 0.4;

/// Share of its window that CUBIC keeps at a loss (RFC 9438, 4.6).
const CUBIC_BETA: f64 = 0.7;

/// All formulas.
pub const FORMULAS: &[Formula] = &[
    Formula {
        name: "bdp",
        parameters: &[up("rate", Rate), up("rtt", Time)],
        kind: Size,
        meaning: "Bandwidth-delay product: the window that fills a path.",
        text: "rate rtt / 8",
        source: "RFC 6349, 3.3.1",
        of: |v| v[0] * v[1] / 8.0,
    },
    Formula {
        name: "window-rate",
        parameters: &[up("window", Size), down("rtt", Time)],
        kind: Rate,
        meaning: "Rate of a window, a buffer or a program's credit: it is sent once in each round trip.",
        text: "8 window / rtt",
        source: "RFC 7323, 1.1",
        of: |v| 8.0 * v[0] / v[1],
    },
    Formula {
        name: "line",
        parameters: &[up("rate", Rate), up("mss", Size)],
        kind: Rate,
        meaning: "Payload that an Ethernet line carries in TCP over IPv4 with timestamps.",
        text: "rate mss / (mss + 90)",
        source: "IEEE 802.3: 38 B around a packet; RFC 9293 and RFC 7323: 52 B of headers",
        of: |v| v[0] * segment::payload_share(v[1]),
    },
    Formula {
        name: "reno",
        parameters: RESPONSE,
        kind: Rate,
        meaning: "Reno's rate at a share p of loss events per packet.",
        text: "8 mss / rtt 1.2 / sqrt(p)",
        source: "RFC 9438, 5.1",
        of: |v| response::reno(v[0], v[1], v[2]),
    },
    Formula {
        name: "cubic",
        parameters: &[up("mss", Size), down("rtt", Time), down("p", Share)],
        kind: Rate,
        meaning: "CUBIC's rate at a share p of loss events per packet.",
        text: "8 mss / rtt max(1.054 (rtt / p)^0.75, 1.22 / sqrt(p))",
        source: "RFC 9438, 4.3 and 5.1, equation 6",
        of: |v| response::cubic(v[0], v[1], v[2]),
    },
    Formula {
        name: "mathis",
        parameters: RESPONSE,
        kind: Rate,
        meaning: "The rate that Mathis and others give for a share p of loss events per packet, each with its ACK.",
        text: "8 mss / rtt sqrt(3/2) / sqrt(p)",
        source: "Mathis, Semke, Mahdavi, Ott, 1997",
        of: |v| response::mathis(v[0], v[1], v[2], 1.5f64.sqrt()),
    },
    Formula {
        name: "padhye",
        parameters: &[up("mss", Size), down("rtt", Time), down("rto", Time), down("p", Share)],
        kind: Rate,
        meaning: "Reno's rate with timeouts, which matter above 1 % of losses.",
        text: "8 mss / (rtt sqrt(1.33 p) + rto p (1 + 32 p^2) min(1, 3 sqrt(0.75 p)))",
        source: "Padhye, Firoiu, Towsley, Kurose, 1998; RFC 3819, 8.5",
        of: |v| response::padhye(v[0], v[1], v[2], v[3]),
    },
    Formula {
        name: "htcp",
        parameters: RESPONSE,
        kind: Rate,
        meaning: "H-TCP's rate with FreeBSD's defaults.",
        text: "alpha = 1 + 10 d + (d/2)^2 after a second, beta 0.5; integrated over a cycle",
        source: "FreeBSD cc_htcp.c",
        of: |v| response::htcp(v[0], v[1], v[2]),
    },
    Formula {
        name: "cubic-k",
        parameters: &[up("rate", Rate), up("rtt", Time), down("mss", Size)],
        kind: Time,
        meaning: "Time that CUBIC needs after a loss until its window is back.",
        text: "K = cbrt(0.3 W / 0.4), W = rate rtt / (8 mss)",
        source: "RFC 9438, 4.2",
        of: |v| (response::segments(v[0], v[2], v[1]) * (1.0 - CUBIC_BETA) / CUBIC_C).cbrt(),
    },
    Formula {
        name: "queue-delay",
        parameters: &[up("buffer", Size), down("rate", Rate)],
        kind: Time,
        meaning: "Delay of a full buffer in front of a line.",
        text: "8 buffer / rate",
        source: "arithmetic",
        of: |v| 8.0 * v[0] / v[1],
    },
    Formula {
        name: "queue",
        parameters: &[up("delay", Time), up("rate", Rate)],
        kind: Size,
        meaning: "Queue that a delay under load shows.",
        text: "delay rate / 8",
        source: "arithmetic",
        of: |v| v[0] * v[1] / 8.0,
    },
    Formula {
        name: "bucket",
        parameters: &[up("peak", Rate), down("rate", Rate), up("time", Time)],
        kind: Size,
        meaning: "Bucket of a shaper or policer that let a peak pass for a time.",
        text: "(peak - rate) time / 8",
        source: "RFC 2697: a token bucket",
        of: |v| (v[0] - v[1]).max(0.0) * v[2] / 8.0,
    },
    Formula {
        name: "bucket-time",
        parameters: &[up("burst", Size), down("peak", Rate), up("rate", Rate)],
        kind: Time,
        meaning: "Time for which a bucket lets a peak pass.",
        text: "8 burst / (peak - rate)",
        source: "RFC 2697: a token bucket",
        of: |v| if v[1] > v[2] { 8.0 * v[0] / (v[1] - v[2]) } else { f64::INFINITY },
    },
    Formula {
        name: "delayed-acks",
        parameters: &[up("messages", Count), up("delay", Time)],
        kind: Time,
        meaning: "Time that messages take if each waits for a delayed ACK, as with Nagle's algorithm.",
        text: "messages delay",
        source: "RFC 1122, 4.2.3.2 and 4.2.3.4; Linux: 40 ms (TCP_DELACK_MIN), Windows: 200 ms",
        of: |v| v[0] * v[1],
    },
    Formula {
        name: "request-rate",
        parameters: &[up("piece", Size), down("rtt", Time), up("rate", Rate)],
        kind: Rate,
        meaning: "Rate of a program that asks for a piece, waits for it and asks for the next.",
        text: "8 piece / (rtt + 8 piece / rate)",
        source: "arithmetic",
        of: |v| 8.0 * v[0] / (v[1] + 8.0 * v[0] / v[2]),
    },
    Formula {
        name: "share-of-line",
        parameters: &[up("rate", Rate), up("own", Count), down("others", Count)],
        kind: Rate,
        meaning: "Rate of own flows among others if each has the same.",
        text: "rate own / (own + others)",
        source: "arithmetic",
        of: |v| v[0] / (1.0 + v[2] / v[1]),
    },
    Formula {
        name: "slow-start",
        parameters: &[up("window", Size), down("first", Size), up("rtt", Time)],
        kind: Time,
        meaning: "Time in which slow start doubles a first window up to another.",
        text: "rtt log2(window / first)",
        source: "RFC 5681, 3.1; first window: RFC 6928",
        of: |v| if v[0] > v[1] { v[2] * (v[0] / v[1]).log2() } else { 0.0 },
    },
];

impl Formula {
    /// Returns the formula of that name. In expressions, hyphens are underscores.
    pub fn find(name: &str) -> Option<&'static Formula> {
        FORMULAS.iter().find(|formula| formula.name == name || formula.name.replace('-', "_") == name)
    }

    /// Returns the interval of its result.
    pub fn over(&self, values: &[Interval]) -> Interval {
        let corner = |is_low: bool| {
            let ends = self
                .parameters
                .iter()
                .zip(values)
                .map(|(parameter, value)| if parameter.rises == is_low { value.low } else { value.high });
            (self.of)(&ends.collect::<Vec<f64>>())
        };
        let [low, high] = [corner(true), corner(false)];
        // 0/0 and infinity/infinity say nothing.
        Interval { low: if low.is_nan() { 0.0 } else { low }, high: if high.is_nan() { f64::INFINITY } else { high } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Results computed by hand from the numbers in the sources.
    #[test]
    fn formulas_match_hand_arithmetic() {
        let cases: &[(&str, &[f64], f64)] = &[
            // 1 Gbit/s times 210 ms is 210 Mbit, 26.25 MB.
            ("bdp", &[1e9, 0.21], 26_250_000.0),
            // RFC 7323, 1.1: 64 KiB at 100 ms are 5.24 Mbit/s.
            ("window-rate", &[65_536.0, 0.1], 5_242_880.0),
            // 1448 of 1538 B of each frame.
            ("line", &[1e9, 1448.0], 1e9 * 1448.0 / 1538.0),
            // RFC 9438, table 1: at an RTT of 0.1 s and p = 1e-4, Reno has 120 segments and CUBIC 187.
            ("reno", &[1500.0, 0.1, 1e-4], 120.0 * 1500.0 * 8.0 / 0.1),
            ("cubic", &[1500.0, 0.1, 1e-4], 187.0 * 1500.0 * 8.0 / 0.1),
            // RFC 9438, table 1: p = 1e-6 gives CUBIC 5926 segments.
            ("cubic", &[1500.0, 0.1, 1e-6], 5926.0 * 1500.0 * 8.0 / 0.1),
            // sqrt(1.5) = 1.2247.
            ("mathis", &[1500.0, 0.1, 1e-4], 122.47 * 1500.0 * 8.0 / 0.1),
            // W = 1e9 0.1 / 12000 = 8333 segments: cbrt(0.75 8333) = 18.42 s.
            ("cubic-k", &[1e9, 0.1, 1500.0], 18.42),
            ("queue-delay", &[125_000.0, 1e9], 0.001),
            ("queue", &[0.1, 1e6], 12_500.0),
            // 2 Gbit/s over a rate of 10 Mbit/s for one second: 248.75 MB.
            ("bucket", &[2e9, 10e6, 1.0], 248_750_000.0),
            ("bucket-time", &[248_750_000.0, 2e9, 10e6], 1.0),
            ("delayed-acks", &[2500.0, 0.04], 100.0),
            // 32 KiB in 100 ms and 0.26 ms of a line of 1 Gbit/s.
            ("request-rate", &[32_768.0, 0.1, 1e9], 262_144.0 / 0.100262144),
            ("share-of-line", &[100e6, 1.0, 3.0], 25e6),
            // Ten segments double ten times to 10240.
            ("slow-start", &[10_240.0, 10.0, 0.1], 1.0),
        ];
        for (name, values, expected) in cases {
            let formula = Formula::find(name).unwrap();
            let ours = (formula.of)(values);
            assert!((ours / expected - 1.0).abs() < 5e-3, "{name}: {ours} for {expected}");
            let exact: Vec<Interval> = values.iter().map(|value| Interval::exactly(*value)).collect();
            assert_eq!(formula.over(&exact), Interval::exactly(ours), "{name}");
        }
        let tested: Vec<&str> = cases.iter().map(|case| case.0).collect();
        let untested: Vec<&str> = FORMULAS.iter().map(|f| f.name).filter(|name| !tested.contains(name)).collect();
        assert_eq!(untested, ["padhye", "htcp"], "both are held against their papers in model/tests.rs");
    }

    proptest! {
        /// Each row says for each parameter whether the result rises with it: values inside never leave the ends.
        #[test]
        fn corners_hold_every_value_inside(row in 0..FORMULAS.len(), logs in prop::array::uniform8(0.0..1.0f64), share in 0.0..=1.0f64) {
            let formula = &FORMULAS[row];
            let range = |kind: Kind| match kind {
                Rate => (1e4f64, 1e11f64),
                Time => (1e-5, 10.0),
                Size => (500.0, 1e8),
                Share => (1e-6, 0.4),
                Count => (1.0, 1e4),
            };
            let end = |kind: Kind, log: f64| { let (low, high) = range(kind); low * (high / low).powf(log) };
            let values: Vec<Interval> = formula.parameters.iter().enumerate()
                .map(|(i, p)| Interval::new(end(p.kind, logs[2 * i % 8]), end(p.kind, logs[(2 * i + 1) % 8]))).collect();
            let inside: Vec<f64> = values.iter().map(|v| v.low + (v.high - v.low) * share).collect();
            let (result, value) = (formula.over(&values), (formula.of)(&inside));
            prop_assert!(result.meets(Interval::exactly(value)), "{}: {value} outside of {result:?}", formula.name);
        }
    }
}
