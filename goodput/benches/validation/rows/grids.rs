//! Tables of many cells: flows that share a queue.

use super::published::{self, BUFFERS, Grid, LINES, QUEUES, ROUND_TRIPS, Spread};
use super::{Cell, MBIT, Sheet, Table};
use crate::observe::Ours;

/// The minute that l4s-tests takes, which ends two seconds before its flows do, s.
const MEASURED_S: [u64; 2] = [118, 178];

pub fn sheets() -> Vec<Sheet> {
    vec![round_trips(), partial_l4s()]
}

fn round_trips() -> Sheet {
    let table = |caption, ours, per, figures: &'static [[f64; 6]; 6]| Table {
        caption,
        columns: LINES.to_vec(),
        rows: ROUND_TRIPS
            .iter()
            .zip(figures)
            .map(|(pair, row)| {
                let cells = LINES.iter().zip(row);
                let cell = |(line, mean): (&&'static str, &f64)| Cell {
                    file: "rtt-pairs",
                    at: vec![*pair, *line],
                    ours,
                    per,
                    mean: *mean,
                    deviation: None,
                };
                (*pair, cells.map(cell).collect())
            })
            .collect(),
    };
    Sheet {
        title: "Two CUBIC flows with ECN and different round trips",
        source: "Heist and Morton, l4s-tests, scenario 1: CUBIC against CUBIC at 50 and 10 Mbit/s, Linux of August 2020, network namespaces, one run each; means of a minute at the end of three.",
        about: "A column is a rate, Mbit/s, and a queue: pfifo of 1000 or 200 packets, fq_codel and DualPI2 as they are by default. A row is both round trips, ms.",
        notes: "",
        tables: vec![
            table("Of the first flow, Mbit/s", Ours::Between(0, MEASURED_S), MBIT, &published::FIRST_FLOW),
            table("Of the second flow, Mbit/s", Ours::Between(1, MEASURED_S), MBIT, &published::SECOND_FLOW),
            table("Jain's index", Ours::Jain(MEASURED_S), 1.0, &published::JAIN),
        ],
    }
}

fn partial_l4s() -> Sheet {
    let [prague, classic] = [0, 1].map(|flow| Ours::Of("goodput", flow));
    let cell = |file, at, ours, (mean, deviation): Spread| Cell {
        file,
        at,
        ours,
        per: MBIT,
        mean,
        deviation: Some(deviation),
    };
    let table = |caption, beside: &'static str, ours, figures: &'static Grid| Table {
        caption,
        columns: BUFFERS.to_vec(),
        rows: QUEUES
            .iter()
            .zip(figures)
            .map(|((queue, called), row)| {
                let cells = BUFFERS.iter().zip(row);
                (
                    *called,
                    cells.map(|(buffer, of)| cell("partial-l4s", vec![beside, *queue, *buffer], ours, *of)).collect(),
                )
            })
            .collect(),
    };
    let dualpi2 = ["cubic", "cubic-ecn", "bbr"].iter().zip(&published::DUALPI2).map(|(beside, of)| {
        let at = |ours, of| cell("partial-l4s-dualpi2", vec![*beside], ours, of);
        (*beside, vec![at(classic, of[0]), at(prague, of[1])])
    });
    Sheet {
        title: "Prague beside a classic flow, behind nine queues",
        source: "Sarpkaya, Fund, Panwar 2025 (PAM), data in fatihsarpkaya/L4S-PAM2025: 100 Mbit/s, 10 ms, a minute, ten trials each, virtual machines on FABRIC with L4STeam's Linux 5.15 beside 5.13.",
        about: "A column is the buffer, a row the queue. The line counts 14 bytes beside each packet (`overhead = \"0 B\"`), as htb does. The lab's Prague is its own (`kernel/cc`); the classic sender of the source has another kernel and host. BBRv2 and BBRv3 are not compared: no kernel here has them and Prague.",
        notes: "Off are most queues at 0.5 and 1 BDP, where the source's virtual machines send batches of segments (TSO, GRO) of which few fit; and FIFO at 2 and 4 BDP, where BBR is weaker than there, as [beside CUBIC](#one-bbr-flow-beside-cubic-flows-deep-buffers) without batches of ACKs, and CUBIC is stronger; and the smaller share in single-queue FQ, a few Mbit/s. None of these reasons is proven.",
        tables: vec![
            table("CUBIC without ECN, Mbit/s", "cubic", classic, &published::OF_CUBIC),
            table("Prague beside it, Mbit/s", "cubic", prague, &published::BESIDE_CUBIC),
            table("CUBIC with ECN, Mbit/s", "cubic-ecn", classic, &published::OF_CUBIC_ECN),
            table("Prague beside it, Mbit/s", "cubic-ecn", prague, &published::BESIDE_CUBIC_ECN),
            table("BBRv1, Mbit/s", "bbr", classic, &published::OF_BBR),
            table("Prague beside it, Mbit/s", "bbr", prague, &published::BESIDE_BBR),
            Table {
                caption: "DualPI2, Mbit/s; its limit was 10,000 packets for every buffer of the source, which makes fifty trials",
                columns: vec!["the classic flow", "Prague"],
                rows: dualpi2.collect(),
            },
        ],
    }
}
