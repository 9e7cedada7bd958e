//! Loss-based windows: tables and formulas.

use super::{MBIT, Published, Row, Section, Why};
use crate::formula;
use crate::observe::Ours;

const LOCK: Why = Why {
    text: "the curve is flat for seconds around W_max, where Linux's window, in whole segments, does not move; a loss there leaves W_max as it was, so every cycle that reaches the plateau is a fixed point, and coming from above (slow start) one locks at the highest.",
    by: &["below-1000", "below-10000"],
};
const UPDATES: Why = Why {
    text: "Linux computes CUBIC's window, its estimate of Reno's included, at most every HZ/32 = 31 ms while it does not change (net/ipv4/tcp_cubic.c), so it lags by round trips where these are short: the longer they are, the less. Reno has the window of whole segments at 10 and at 100 ms.",
    by: &["cubic-100-100", "whole-every-10"],
};
const SMALL_WINDOW: Why = Why {
    text: "a window of about ten segments is halved in whole segments, and spends a round trip out of every few in recovery, in which it does not grow. A chain that has just that, and the same loss, has Linux's goodput.",
    by: &["whole-1", "whole-3"],
};
const RECOVERY: Why = Why {
    text: "a window of about ten segments is halved in whole segments, and does not grow during recovery. A model with only these two effects reproduces Linux's window.",
    by: &["whole-every-100", "whole-every-10"],
};
const TIMEOUTS: Why = Why {
    text: "the formula has Reno of 1998: a timeout wherever fewer than three duplicate ACKs come back. SACK, RACK and TLP repair such losses without one: Linux has the goodput of the chain of whole segments, which knows no timeouts.",
    by: &["whole-3", "whole-3-100"],
};
const CORRELATED: Why = Why {
    text: "without SACK and TLP there are timeouts, but fewer than in the formula, which loses all packets behind the first loss of a round trip; here each is lost by itself.",
    by: &[],
};

pub fn sections() -> Vec<Section> {
    vec![windows(), square_root(), timeouts()]
}

fn windows() -> Section {
    let row = |what, at, published| Row::new(what, "mean-window", at, Ours::Window, Published::Is(published));
    let below =
        |what, at, published| Row::new(what, "mean-window-from-below", at, Ours::Window, Published::Is(published));
    Section {
        title: "Mean windows of Reno and CUBIC",
        source: "RFC 9438 (Xu, Ha, Rhee, Goel, Eggert 2023), section 5.1, tables 1 (100 ms) and 2 (10 ms); 40 ms by its equation 6 and 1.2/√p. Whole segments: our own, `every_nth` in `goodput/benches/validation/formula.rs`.",
        about: "lose every 1/p-th packet on a line that is never full; the mean is over samples from a quarter of the flow on.",
        unit: "mean cwnd, segments",
        rows: vec![
            row("Reno, 100 ms, p = 10⁻²", &["100 ms", "every 100", "reno"], 12.0).because(RECOVERY),
            row("Reno, 100 ms, 10⁻³", &["100 ms", "every 1000", "reno"], 38.0),
            row("Reno, 100 ms, 10⁻⁴", &["100 ms", "every 10000", "reno"], 120.0),
            row("Reno, 10 ms, 10⁻²", &["10 ms", "every 100", "reno"], 12.0).because(RECOVERY),
            row("Reno, 10 ms, 10⁻³", &["10 ms", "every 1000", "reno"], 38.0),
            row("Reno, 10 ms, 10⁻⁴", &["10 ms", "every 10000", "reno"], 120.0),
            row("Reno, 100 ms, 10⁻², in whole segments", &["100 ms", "every 100", "reno"], formula::every_nth(100))
                .named("whole-every-100"),
            row("Reno, 10 ms, 10⁻², in whole segments", &["10 ms", "every 100", "reno"], formula::every_nth(100))
                .named("whole-every-10"),
            row("CUBIC, 100 ms, 10⁻²", &["100 ms", "every 100", "cubic"], 12.0).named("cubic-100-100"),
            row("CUBIC, 100 ms, 10⁻³", &["100 ms", "every 1000", "cubic"], 38.0).because(LOCK),
            row("CUBIC, 100 ms, 10⁻⁴", &["100 ms", "every 10000", "cubic"], 187.0).because(LOCK),
            below("the same from below, 10⁻³", &["thousandth"], 38.0).named("below-1000"),
            below("the same from below, 10⁻⁴", &["ten-thousandth"], 187.0).named("below-10000"),
            row("CUBIC, 10 ms, 10⁻²", &["10 ms", "every 100", "cubic"], 12.0).because(UPDATES),
            row("CUBIC, 10 ms, 10⁻³", &["10 ms", "every 1000", "cubic"], 38.0),
            row("CUBIC, 10 ms, 10⁻⁴", &["10 ms", "every 10000", "cubic"], 120.0),
            row("CUBIC, 40 ms, 10⁻²", &["40 ms", "every 100", "cubic"], formula::cubic_window(1e-2, 0.04))
                .because(UPDATES),
            row("CUBIC, 40 ms, 10⁻³", &["40 ms", "every 1000", "cubic"], formula::cubic_window(1e-3, 0.04)),
            row("CUBIC, 40 ms, 10⁻⁴", &["40 ms", "every 10000", "cubic"], formula::cubic_window(1e-4, 0.04)),
        ],
    }
}

fn square_root() -> Section {
    let row = |what, at, p: f64| {
        let published = Published::Is(formula::mathis(p, 0.02) / MBIT);
        Row::new(what, "square-root", at, Ours::Load("goodput"), published).per(MBIT)
    };
    let whole = |what, at, p: f64| {
        let published = Published::Is(formula::whole_segments(p, 0.02) / MBIT);
        Row::new(what, "square-root", at, Ours::Load("goodput"), published).per(MBIT)
    };
    Section {
        title: "Reno under random loss: MSS/RTT · C/√p",
        source: "Mathis, Semke, Mahdavi, Ott 1997 (CCR 27(3)), equation 3; C = 1.31 for random loss and no delayed ACKs, table 1. Linux counts the segments that an ACK covers, so delayed ACKs do not slow it. Whole segments: our own chain, `whole_segments` in `goodput/benches/validation/formula.rs`.",
        about: "has a line of 10 Gbit/s that is never full, and 20 ms.",
        unit: "goodput, Mbit/s",
        rows: vec![
            row("p = 0.01 %", &["0.01 %"], 1e-4),
            row("0.03 %", &["0.03 %"], 3e-4),
            row("0.1 %", &["0.1 %"], 1e-3),
            row("0.3 %", &["0.3 %"], 3e-3),
            row("1 %", &["1 %"], 1e-2).because(SMALL_WINDOW),
            row("3 %", &["3 %"], 3e-2).because(SMALL_WINDOW),
            whole("1 %, in whole segments", &["1 %"], 1e-2).named("whole-1"),
            whole("3 %, in whole segments", &["3 %"], 3e-2).named("whole-3"),
        ],
    }
}

fn timeouts() -> Section {
    let row = |what, at, p: f64, rtt: f64| {
        let published = Published::Is(formula::padhye(p, rtt) / MBIT);
        Row::new(what, "timeouts", at, Ours::Load("goodput"), published).per(MBIT)
    };
    let whole = |what, at, p: f64, rtt: f64| {
        let published = Published::Is(formula::whole_segments(p, rtt) / MBIT);
        Row::new(what, "timeouts", at, Ours::Load("goodput"), published).per(MBIT)
    };
    Section {
        title: "Reno with timeouts",
        source: "Padhye, Firoiu, Towsley, Kurose 1998 (SIGCOMM), equation 30 with b = 1 and a timeout of RTT + 200 ms, Linux's least.",
        about: "is the same with more loss, and with SACK and TLP off, as in 1998; RACK stays, which Linux no longer switches off.",
        unit: "goodput, Mbit/s",
        rows: vec![
            row("p = 1 %, 20 ms", &["1 %", "20 ms", "today"], 0.01, 0.02).because(TIMEOUTS),
            row("1 %, 100 ms", &["1 %", "100 ms", "today"], 0.01, 0.1).because(TIMEOUTS),
            row("3 %, 20 ms", &["3 %", "20 ms", "today"], 0.03, 0.02).because(TIMEOUTS),
            row("3 %, 100 ms", &["3 %", "100 ms", "today"], 0.03, 0.1).because(TIMEOUTS),
            whole("3 %, 100 ms, in whole segments", &["3 %", "100 ms", "today"], 0.03, 0.1).named("whole-3-100"),
            row("1 %, 20 ms, no SACK, no TLP", &["1 %", "20 ms", "of-1998"], 0.01, 0.02).because(CORRELATED),
            row("1 %, 100 ms, no SACK, no TLP", &["1 %", "100 ms", "of-1998"], 0.01, 0.1).because(CORRELATED),
            row("3 %, 20 ms, no SACK, no TLP", &["3 %", "20 ms", "of-1998"], 0.03, 0.02).because(CORRELATED),
            row("3 %, 100 ms, no SACK, no TLP", &["3 %", "100 ms", "of-1998"], 0.03, 0.1).because(CORRELATED),
        ],
    }
}
