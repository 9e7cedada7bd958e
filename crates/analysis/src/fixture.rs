//! Test data: a recording to measure, in round numbers, of the network of [`plan::sample`].

pub use super::series::Series;
pub use plan::fixture::*;

use super::sender_limit::{Held, Hold};
use super::series::{FlowSeries, QueueSeries};
use plan::network;
use plan::network::topology::Step;
use plan::recording::{Datagrams, NO_SSTHRESH, Sample, TrialFacts};
use wire::Exchange;

const SECOND: u64 = 1_000_000_000;
const MS: u64 = 1_000_000;

/// Returns a recording of [`four_kinds`]; the tests of `flow.rs` and `lane.rs` list its measures.
pub fn series() -> Series {
    let scene = four_kinds();
    let mut queues = vec![QueueSeries::default(); network::probes(&scene).len()];
    let slow = network::probes(&scene).iter().position(|probe| probe.step == Step { link: 2, lane: 0 });
    queues[slow.unwrap()] = queue();
    let datagrams = Datagrams { sent: 1000, received: 900, on_time: 900, reordered: 9 };
    let facts = TrialFacts {
        started: (0..4).map(|flow| (flow, SECOND)).collect(),
        ended: [(0, 3 * SECOND), (1, 2 * SECOND), (2, 3 * SECOND), (3, 3 * SECOND)].into(),
        datagrams: [(2, datagrams)].into(),
        ..TrialFacts::default()
    };
    Series {
        flows: vec![bulk_series(), request_series(), FlowSeries::default(), ping_series()],
        queues,
        beside: Default::default(),
        facts,
        fingerprint: None,
    }
}

fn queue() -> QueueSeries {
    let packets = vec![500, 0, 10, 20, 30, 0, 99];
    let sent = [0, 100, 2_600, 5_100, 7_600, 10_100, 10_100];
    QueueSeries {
        time: (1..=7).map(|half| half * SECOND / 2).collect(),
        backlog: packets.iter().map(|n| n * 1226).collect(),
        packets,
        drops: vec![0, 0, 0, 0, 7, 7, 7],
        sent_bytes: sent.iter().map(|n| n * 1226).collect(),
        sent_packets: sent.into(),
        byte_seconds: 0.0,
        ..QueueSeries::default()
    }
}

fn bulk_series() -> FlowSeries {
    let time: Vec<u64> = (3..=6).map(|half| half * SECOND / 2).collect();
    let sender = Sample {
        options: 7,
        pmtu: 1400,
        snd_mss: 1348,
        min_rtt: 10_000,
        bytes_sent: 25_000_000,
        bytes_retrans: 500_000,
        busy_time: 1_500_000,
        rwnd_limited: 300_000,
        sndbuf_limited: 200_000,
        delivered: 1000,
        delivered_ce: 250,
        reord_seen: 3,
        total_rto: Some(2),
        total_rto_time: Some(400),
        ..Sample::default()
    };
    let mut held = Held::default();
    held[Hold::Cwnd] = 400_000;
    held[Hold::Rwnd] = 40_000;
    held[Hold::Sndbuf] = 200_000;
    held[Hold::Pacing] = 60_000;
    held[Hold::App] = 100_000;
    held[Hold::Unknown] = 200_000;
    let receiver = Sample { data_segs_in: 17_300, rcv_ooopack: 50, ..Sample::default() };
    FlowSeries {
        cwnd: vec![10, 20, 30, 40],
        ssthresh: vec![NO_SSTHRESH, NO_SSTHRESH, 20, 20],
        state: vec![0, 0, 3, 0],
        srtt: vec![10_000, 20_000, 30_000, 40_000],
        held,
        received: time.iter().zip(1..).map(|(time, part)| (*time, part * 6_250_000)).collect(),
        last: [Some(sender), Some(receiver)],
        time,
        ..FlowSeries::default()
    }
}

fn request_series() -> FlowSeries {
    let ms = [(1000, Some(1050)), (1050, Some(1150)), (1150, Some(1350)), (1350, Some(1650)), (1900, None)];
    let exchange = |(start, end): (u64, Option<u64>)| Exchange { start: start * MS, end: end.map(|end| end * MS) };
    let none = Sample { total_rto: Some(0), total_rto_time: Some(0), ..Sample::default() };
    let sender = Sample { bytes_sent: 3600, delivered: 4, busy_time: 650_000, min_rtt: 10_000, ..none };
    FlowSeries {
        time: vec![SECOND * 3 / 2, 2 * SECOND],
        cwnd: vec![10, 10],
        ssthresh: vec![NO_SSTHRESH; 2],
        state: vec![0; 2],
        srtt: vec![11_000, 12_000],
        received: vec![(SECOND * 3 / 2, 2700), (2 * SECOND, 3600)],
        last: [Some(sender), Some(Sample { data_segs_in: 4, ..Sample::default() })],
        exchanges: ms.map(exchange).into(),
        ..FlowSeries::default()
    }
}

fn ping_series() -> FlowSeries {
    let answered = |n: u64| Some(SECOND + n * 100 * MS + (10 + n) * MS).filter(|_| n < 20);
    let ping = |n| Exchange { start: SECOND + n * 100 * MS, end: answered(n) };
    FlowSeries { exchanges: (0..21).map(ping).collect(), ..FlowSeries::default() }
}
