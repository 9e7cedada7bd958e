//! Flows that share a bottleneck.

use super::{Published, Row, Section, Why};
use crate::formula;
use crate::observe::Ours;

pub fn sections() -> Vec<Section> {
    vec![ware(), hock(), inflight(), round_trips()]
}

const PACED: Why = Why {
    text: "the formula is of a flow that its window limits; in the lab BBR's pacing limits it for most of the time. With ACKs in batches, once a round trip, five of six shares agree, but its window limits it no more often, so the reason is not known.",
    by: &[],
};
const CROWDED: Why = Why {
    text: "with ACKs in batches half of the difference goes; sixteen flows of eight packets each in the queue are more than the formula's one lump, and what else is missing is not known.",
    by: &[],
};

fn ware() -> Section {
    let row = |what, at, x: f64| {
        Row::new(what, "bbr-beside-cubic", at, Ours::Share, Published::Is(formula::ware(10e6, 0.04, x)))
    };
    let in_batches = |what, at, x: f64| Row { file: "bbr-beside-cubic-acks", ..row(what, at, x) };
    Section {
        title: "One BBR flow beside CUBIC flows, deep buffers",
        source: "Ware, Mukerjee, Seshan, Sherry 2019 (IMC), section 5: BBR is limited by its window of two bandwidth-delay products, whose RTT it takes with the others' queue in the buffer; its share does not depend on their number.",
        about: "are 10 Mbit/s and 40 ms; shares are of what arrived in the last five of ten minutes.",
        unit: "share of the BBR flow",
        rows: vec![
            row("1 CUBIC flow, 4 BDP", &["1", "4 BDP"], 4.0).because(PACED),
            row("1, 16 BDP", &["1", "16 BDP"], 16.0).because(PACED),
            row("1, 32 BDP", &["1", "32 BDP"], 32.0).because(PACED),
            row("16, 4 BDP", &["16", "4 BDP"], 4.0).because(CROWDED),
            row("16, 16 BDP", &["16", "16 BDP"], 16.0).because(PACED),
            row("16, 32 BDP", &["16", "32 BDP"], 32.0).because(PACED),
            in_batches("1, 4 BDP, ACKs once a round trip", &["1", "4 BDP"], 4.0).named("ware-1-4"),
            in_batches("1, 16 BDP, the same", &["1", "16 BDP"], 16.0).named("ware-1-16"),
            in_batches("1, 32 BDP, the same", &["1", "32 BDP"], 32.0).named("ware-1-32"),
            in_batches("16, 4 BDP, the same", &["16", "4 BDP"], 4.0).because(CROWDED),
            in_batches("16, 16 BDP, the same", &["16", "16 BDP"], 16.0).named("ware-16-16"),
            in_batches("16, 32 BDP, the same", &["16", "32 BDP"], 32.0).named("ware-16-32"),
        ],
    }
}

fn hock() -> Section {
    let row = |what, at, published| Row::new(what, "bbr-beside-cubic", at, Ours::Share, published);
    Section {
        title: "One BBR flow beside CUBIC flows, shallow buffers",
        source: "Hock, Bless, Zitterbart 2017 (ICNP), section V: in buffers below a bandwidth-delay product BBR, which does not heed loss, takes most of the line. In words only: no figure is read off their plots.",
        about: "is the same.",
        unit: "share of the BBR flow",
        rows: vec![row("1 CUBIC flow, 0.5 BDP", &["1", "0.5 BDP"], Published::AtLeast(0.5))],
    }
}

const QUANTA: Why = Why {
    text: "Linux adds three segmentation units for each flow to the two bandwidth-delay products, and what ACKs aggregate (net/ipv4/tcp_bbr.c, bbr_quantization_budget, bbr_ack_aggregation_cwnd): packets, not a share, so that a path five times as long shows a fifth of it.",
    by: &["inflight-2-100", "inflight-8-100"],
};

fn inflight() -> Section {
    let row = |what, at| Row::new(what, "bbr-flows", at, Ours::Inflation, Published::Is(2.0)).because(QUANTA);
    Section {
        title: "Several BBR flows, deep buffer",
        source: "Hock, Bless, Zitterbart 2017, section III: flows that overestimate their shares are limited by the window of two bandwidth-delay products (gain 2: Cardwell et al. 2016), so one of them stands in the buffer.",
        about: "is 100 Mbit/s and a buffer of 8 BDP.",
        unit: "mean SRTT over RTT",
        rows: vec![
            row("2 flows, 20 ms", &["2", "20 ms"]),
            row("8 flows, 20 ms", &["8", "20 ms"]),
            row("2 flows, 100 ms", &["2", "100 ms"]).named("inflight-2-100"),
            row("8 flows, 100 ms", &["8", "100 ms"]).named("inflight-8-100"),
        ],
    }
}

const UNEQUAL: Why = Why {
    text: "the law is for flows that lose the same share of their packets. At this drop-tail queue the near flow loses two to three times the share of the far one; given its own share and SRTT, each CUBIC flow has the window of RFC 9438.",
    by: &["cubic-near-20", "cubic-far-20", "cubic-near-80", "cubic-far-80"],
};
const ALSO_UNEQUAL: Why = Why {
    text: "the law is for flows that lose the same share of their packets, and a queue this short drops more of the near flow's. What Reno would have at its own loss was not computed.",
    by: &[],
};
const FEW_PACKETS: Why = Why {
    text: "a buffer of ten times the near flow's own pipe makes cycles so long that each flow loses 10 to 60 times in 300 s, the near one more often than its share.",
    by: &[],
};

fn round_trips() -> Section {
    let row = |what, at, published| Row::new(what, "rtt-unfairness", at, Ours::Over("goodput", 0, 1), published);
    let inverse = Published::Of(Ours::SrttOver);
    let window = |what, at, flow| {
        Row::new(what, "rtt-unfairness", at, Ours::Pipe(flow), Published::Of(Ours::CubicAtItsLoss(flow)))
    };
    Section {
        title: "RTT unfairness",
        source: "Reno: Mathis et al. 1997, equation 3, the inverse ratio of RTTs where both lose the same share. CUBIC: RFC 9438, section 5.6, the same in words. BBR: Hock, Bless, Zitterbart 2017, section III, and Ma et al. 2017, in words: in deep buffers the longer RTT gets more, for it keeps more in flight.",
        about: "are two flows that share 20 Mbit/s, with base RTTs of 20 and 80 ms. The formulas are given the mean SRTTs measured, with the queue in them, and where it says so each flow's own loss events over its packets.",
        unit: "goodput of the near flow over the far one's; window, segments",
        rows: vec![
            row("Reno, 20 packets", &["reno", "20 packets"], inverse).because(ALSO_UNEQUAL),
            row("Reno, 80 packets", &["reno", "80 packets"], inverse),
            row("Reno, 320 packets", &["reno", "320 packets"], inverse).because(FEW_PACKETS),
            row("CUBIC, 20 packets", &["cubic", "20 packets"], inverse).because(UNEQUAL),
            row("CUBIC, 80 packets", &["cubic", "80 packets"], inverse).because(UNEQUAL),
            row("CUBIC, 320 packets", &["cubic", "320 packets"], inverse).because(FEW_PACKETS),
            window("window of the near CUBIC flow, its own loss, 20 packets", &["cubic", "20 packets"], 0)
                .named("cubic-near-20"),
            window("of the far one", &["cubic", "20 packets"], 1).named("cubic-far-20"),
            window("of the near one, 80 packets", &["cubic", "80 packets"], 0).named("cubic-near-80"),
            window("of the far one", &["cubic", "80 packets"], 1).named("cubic-far-80"),
            row("BBR, 80 packets", &["bbr", "80 packets"], Published::AtMost(1.0)),
            row("BBR, 320 packets", &["bbr", "320 packets"], Published::AtMost(1.0)),
        ],
    }
}
