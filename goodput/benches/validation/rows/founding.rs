//! The pages that goodput grew out of; `examples/listings/` has their texts.

use super::{MBIT, Published, Row, Section, Why};
use crate::observe::Ours;

pub fn sections() -> Vec<Section> {
    vec![lan(), line()]
}

const STATES: Why = Why {
    text: "CUBIC has two states here: it begins with a window of about 11 packets, and falls, at a time that differs by seed, to one of 2 to 3, in which it stays. That the published host was in the upper one fits the figure and is not proven.",
    by: &[],
};
const FITTED: Why = Why {
    text: "the RTT under load is not published; 108 µs is fitted to Reno's rows. CUBIC is more sensitive to it.",
    by: &[],
};
const STATES_AND_FITTED: Why = Why {
    text: "a trial without one of the two, the hold or the short RTT, to show that it takes both.",
    by: &["lan-reno-100", "lan-reno-50", "lan-reno-33", "lan-reno-25"],
};

fn lan() -> Section {
    let row =
        |what, at, published| Row::new(what, "lan-loss", at, Ours::Load("goodput"), Published::Is(published)).per(MBIT);
    Section {
        title: "Loss in a LAN, after GRO",
        source: "The FreeBSD CUBIC patch (FreeBSD wiki, chengcui/newtest): Linux 6.8, virtual machines at a switch of 1 Gbit/s with 125 kB; every Nth packet dropped in the receiver's input hook.",
        about: "has what r8169 sets by default, `gro_flush_timeout` 20 µs and `napi_defer_hard_irqs` 1 (drivers/net/ethernet/realtek/r8169_main.c), TSO, and an RTT of 108 µs, which is fitted: the page has 600 µs, of an idle ping.",
        unit: "goodput, Mbit/s",
        rows: vec![
            row("Reno, every 100th", &["reno", "every 100", "holds"], 924.0).named("lan-reno-100"),
            row("Reno, every 50th", &["reno", "every 50", "holds"], 862.0).named("lan-reno-50"),
            row("Reno, every 33rd", &["reno", "every 33", "holds"], 740.0).named("lan-reno-33"),
            row("Reno, every 25th", &["reno", "every 25", "holds"], 599.0).named("lan-reno-25"),
            row("CUBIC, every 100th", &["cubic", "every 100", "holds"], 665.0).because(STATES),
            row("CUBIC, every 50th", &["cubic", "every 50", "holds"], 645.0).because(FITTED),
            row("CUBIC, every 33rd", &["cubic", "every 33", "holds"], 550.0).because(FITTED),
            row("CUBIC, every 25th", &["cubic", "every 25", "holds"], 554.0).because(FITTED),
            row("Reno, every 100th, GRO flushed at each poll", &["reno", "every 100", "flushes"], 924.0)
                .because(STATES_AND_FITTED),
            row("Reno, every 25th, GRO flushed at each poll", &["reno", "every 25", "flushes"], 599.0)
                .because(STATES_AND_FITTED),
            row("Reno, every 100th, 600 µs", &["reno", "every 100", "far"], 924.0).because(STATES_AND_FITTED),
            row("Reno, every 25th, 600 µs", &["reno", "every 25", "far"], 599.0).because(STATES_AND_FITTED),
        ],
    }
}

fn line() -> Section {
    let row = |what, ours, published| Row::new(what, "listing-losses", &[], ours, Published::Is(published));
    /// iperf's "MBytes".
    const MIB: f64 = 1048576.0;
    let window = |what, second, published| row(what, Ours::WindowAt(second), published).per(MIB);
    Section {
        title: "Hong Kong to New York",
        source: "A blog's iperf over a leased line of 1 Gbit/s and 210 ms, CUBIC, `examples/listings/hong-kong-new-york.txt`.",
        about: "loses the 101 packets that the listing sends again, in the seconds in which it does.",
        unit: "goodput in Mbit/s; retransmissions; window in MiB",
        rows: vec![
            row("goodput of 30 s", Ours::Load("goodput"), 69.6).per(MBIT),
            row("retransmissions", Ours::Retransmissions, 101.0),
            window("window after 5 s", 5, 2.10),
            window("window after 10 s", 10, 2.62),
            window("window after 15 s", 15, 1.58),
            window("window after 20 s", 20, 1.69),
            window("window after 25 s", 25, 1.73),
            window("window after 30 s", 30, 2.12),
        ],
    }
}
