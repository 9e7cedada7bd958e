//! Reads a trial's recording into memory.

use super::other_connections::{self, Beside};
use super::sender_limit::{Held, paced};
use base::folder::Folder;
use plan::network::topology::Step;
use plan::network::{self, What};
use plan::recording::{self, RecordingError, Sample, TrialFacts};
use plan::{Flow, Scene};
use wire::Exchange;

/// The recording of a flow over time.
#[derive(Debug, Clone, Default)]
pub struct FlowSeries {
    /// Virtual time of the samples since the network was up, ns. They are of the end that sends most
    /// ([`sending_end`](plan::Transfer::sending_end)).
    pub time: Vec<u64>,
    /// Congestion window, packets.
    pub cwnd: Vec<u64>,
    /// Slow-start threshold, packets; 0x7fffffff while there is none.
    pub ssthresh: Vec<u64>,
    /// State of the sender's congestion avoidance: 0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss.
    pub state: Vec<u64>,
    /// Smoothed RTT, us; 0 before the first measurement.
    pub srtt: Vec<u64>,
    /// Packets in flight, as Linux counts them (tcp_packets_in_flight, include/net/tcp.h).
    pub in_flight: Vec<u64>,
    /// Packets delivered since the connection began.
    pub delivered: Vec<u64>,
    /// ACKs that reached end 0, if they were recorded (`record.acks`).
    pub acks: Vec<Ack>,
    /// Busy time of the end that sends most by limit, without the time that Linux's counters cover.
    pub held: Held,
    /// Receiver's time, ns, and payload received in order until then, bytes.
    pub received: Vec<(u64, u64)>,
    /// Last sample of the end that sends most before the flow counts, if it omits time.
    pub omitted: Option<Sample>,
    /// Last sample of the end that sends most, and of the other end.
    pub last: [Option<Sample>; 2],
    /// Requests or pings, in their order.
    pub exchanges: Vec<Exchange>,
    /// Waiting times of its packets in queues, in both directions.
    pub waits: Vec<Wait>,
    /// Samples of its BBR, if it has one.
    pub bbr: Vec<Bbr>,
    /// Packets of a flow of programs, at the end that sends most and at the other, when all had arrived.
    pub packets: [Option<PacketCounts>; 2],
}

/// Counters of one end of a flow of programs; the fields are named like the columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PacketCounts {
    pub bytes_received: u64,
    pub packets_sent: u64,
    pub packets_received: u64,
    pub ce_received: u64,
}

/// Packets that waited about equally long in a queue; the fields are named like the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Index into [`network::probes`].
    pub queue: usize,
    pub least: u64,
    pub most: u64,
    pub packets: u64,
    pub bytes: u64,
}

impl Wait {
    /// Returns the middle between `least` and `most`, s.
    pub fn seconds(&self) -> f64 {
        (self.least as f64 + self.most as f64) / 2e9
    }

    /// Returns what these packets add to the mean backlog times the time observed (Little's law), byte seconds.
    pub fn byte_seconds(&self) -> f64 {
        self.bytes as f64 * self.seconds()
    }
}

/// State of the sender when an ACK arrived, before it was processed; the fields are named like the columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ack {
    pub time: u64,
    pub cwnd: u64,
    pub ssthresh: u64,
    pub srtt: u64,
    pub packets_out: u64,
    pub sacked_out: u64,
    pub delivered: u64,
    pub ca_state: u64,
}

impl FlowSeries {
    /// True if its sender has neither samples nor ACKs.
    pub fn is_empty(&self) -> bool {
        self.time.is_empty() && self.acks.is_empty()
    }

    /// Returns the payload received in order by a time, bytes; linear between two samples.
    pub fn received_by(&self, time: u64) -> f64 {
        let after = self.received.partition_point(|(t, _)| *t <= time);
        let Some(&(t0, b0)) = after.checked_sub(1).and_then(|before| self.received.get(before)) else { return 0.0 };
        let since = |t: u64| t.saturating_sub(t0) as f64;
        let rise = |&(t1, b1): &(u64, u64)| b1.saturating_sub(b0) as f64 * since(time) / since(t1);
        b0 as f64 + self.received.get(after).map_or(0.0, rise)
    }

    /// Returns how many samples of the end that sends most were taken before a time.
    pub fn omitted_samples(&self, until: u64) -> usize {
        self.time.partition_point(|time| *time < until)
    }

    /// Returns how long each answer took, from the shortest to the longest, ns.
    pub fn answers(&self) -> Vec<u64> {
        let time = |exchange: &Exchange| Some(exchange.end?.saturating_sub(exchange.start));
        let mut times: Vec<u64> = self.exchanges.iter().filter_map(time).collect();
        times.sort_unstable();
        times
    }
}

/// State of BBR at a sample; the first six fields are named like the columns of `bbr.parquet`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bbr {
    pub time: u64,
    pub pacing_gain: u64,
    pub cwnd_gain: u64,
    /// Bound on what is in flight, packets; 0 for v1, and while there is no bound.
    pub inflight_hi: u64,
    /// 0 for v1.
    pub extra_acked: u64,
    pub version: u64,
    /// Largest bandwidth in the window: `bw_hi`, for v1 `bw`; bytes/s.
    pub max_bw: u64,
    /// `bw_lo`, bytes/s; 0 for v1, and while there is no bound.
    pub least_bw: u64,
    /// `phase` of v2 and v3.
    pub phase: u64,
}

/// The recording of a sampled queue over time.
#[derive(Debug, Clone, Default)]
pub struct QueueSeries {
    /// Virtual time since the network was up, ns.
    pub time: Vec<u64>,
    /// Packets in the queue.
    pub packets: Vec<u64>,
    /// Bytes in the queue.
    pub backlog: Vec<u64>,
    /// Packets dropped since the network was up.
    pub drops: Vec<u64>,
    /// Bytes passed on since the network was up.
    pub sent_bytes: Vec<u64>,
    /// Packets passed on since the network was up.
    pub sent_packets: Vec<u64>,
    /// Sum of the waiting times of all bytes in front of its line, byte seconds.
    pub byte_seconds: f64,
    /// Packets that left it with each codepoint of ECN, if it may mark.
    pub ecn: Option<Ecn>,
    /// Samples of its own state, if it is a dualpi2.
    pub dualpi2: Vec<DualPi2>,
}

/// Packets with each codepoint of ECN (RFC 3168, section 5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ecn {
    pub not_ect: u64,
    pub ect1: u64,
    pub ect0: u64,
    pub ce: u64,
}

impl Ecn {
    pub fn packets(&self) -> u64 {
        self.not_ect + self.ect1 + self.ect0 + self.ce
    }
}

/// State of dualpi2 at a sample; the fields are named like the columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DualPi2 {
    pub time: u64,
    pub prob: u64,
    pub delay_c: u64,
    pub delay_l: u64,
    pub packets_in_c: u64,
    pub packets_in_l: u64,
    pub ecn_mark: u64,
    pub step_marks: u64,
}

/// A trial's recording in memory.
#[derive(Debug, Clone)]
pub struct Series {
    /// Flows, by their numbers.
    pub flows: Vec<FlowSeries>,
    /// Queues, in the order of [`network::probes`].
    pub queues: Vec<QueueSeries>,
    /// TCP connections other than those of flows.
    pub beside: Beside,
    /// Facts of the trial that are not time series.
    pub facts: TrialFacts,
    /// Fingerprint of all files of the recording; `None` if they are not listed yet.
    pub fingerprint: Option<[u8; 32]>,
}

impl Series {
    /// Returns the series of a trial without a recording.
    pub fn empty(scene: &Scene) -> Series {
        Series {
            flows: vec![FlowSeries::default(); scene.flows.len()],
            queues: vec![QueueSeries::default(); network::probes(scene).len()],
            beside: Beside::default(),
            facts: TrialFacts::default(),
            fingerprint: None,
        }
    }

    /// Returns when a flow began and ended, ns; 0 if it did not.
    pub fn span(&self, flow: usize) -> [u64; 2] {
        self.facts.span(flow)
    }

    /// Returns the series sampled at a direction of a link, each with its place.
    pub fn probed<'a>(&'a self, scene: &Scene, step: Step) -> impl Iterator<Item = (What, &'a QueueSeries)> + use<'a> {
        let probes = network::probes(scene).into_iter().zip(&self.queues);
        probes.filter(move |(probe, _)| probe.step == step).map(|(probe, series)| (probe.what, series))
    }

    /// Returns the queue of a direction of a link; `None` if nothing ever waits there.
    pub fn queue<'a>(&'a self, scene: &Scene, step: Step) -> Option<&'a QueueSeries> {
        self.probed(scene, step).find(|(what, _)| *what == What::Queue).map(|(_, series)| series)
    }
}

/// Returns when a flow starts to count, ns: after the time that it omits.
pub(super) fn counted_from(facts: &TrialFacts, number: usize, flow: &Flow) -> u64 {
    facts.span(number)[0] + flow.omit
}

/// Reads a trial's recording.
pub fn series(scene: &Scene, folder: &Folder) -> Result<Series, RecordingError> {
    let Series { mut flows, mut queues, .. } = Series::empty(scene);
    let facts = recording::facts(folder)?;
    let sender = |(number, flow): (usize, &Flow)| {
        let counted_from = (flow.omit > 0).then(|| counted_from(&facts, number, flow));
        (flow.sending_end(), paced(scene, flow), counted_from)
    };
    let senders: Vec<(u64, bool, Option<u64>)> = scene.flows.iter().enumerate().map(sender).collect();
    recording::samples(folder, |sample| {
        let number = sample.flow as usize;
        if let Some(series) = flows.get_mut(number) {
            let (end, paced, counted_from) = senders[number];
            let sends = sample.end == end;
            series.take(sample, sends, paced);
            if sends && counted_from.is_some_and(|from| sample.time <= from) {
                series.omitted = Some(*sample);
            }
        }
    })?;
    read_programs(&mut flows, &facts, folder)?;
    read_acks(&mut flows, folder)?;
    for (number, exchanges) in recording::exchanges(folder)? {
        if let Some(series) = flows.get_mut(number) {
            series.exchanges = exchanges;
        }
    }
    read_queues(&mut queues, folder)?;
    read_waits(&mut flows, &mut queues, folder)?;
    read_ecn(&mut queues, folder)?;
    read_dualpi2(&mut queues, folder)?;
    read_bbr(&mut flows, folder)?;
    let beside = other_connections::read(folder)?;
    Ok(Series { flows, queues, beside, facts, fingerprint: recording::fingerprint(folder)? })
}

impl FlowSeries {
    /// Adds a sample of the end that sends most, or of the other end.
    fn take(&mut self, sample: &Sample, sends: bool, paced: bool) {
        let before = self.last[usize::from(!sends)].replace(*sample).unwrap_or_default();
        if !sends {
            self.received.push((sample.time, sample.bytes_received));
            return;
        }
        self.held.take(&before, sample, paced);
        self.time.push(sample.time);
        self.cwnd.push(sample.snd_cwnd);
        self.ssthresh.push(sample.snd_ssthresh);
        self.state.push(sample.ca_state);
        self.srtt.push(sample.rtt);
        let left = sample.sacked + sample.lost;
        self.in_flight.push((sample.unacked + sample.retrans).saturating_sub(left));
        self.delivered.push(sample.delivered);
    }
}

/// Reads what programs received, until their flow ended, and the counters of all their packets.
fn read_programs(flows: &mut [FlowSeries], facts: &TrialFacts, folder: &Folder) -> Result<(), RecordingError> {
    const COLUMNS: [&str; 7] =
        ["flow", "end", "time", "bytes_received", "packets_sent", "packets_received", "ce_received"];
    let columns = recording::columns(folder, recording::PROGRAMS, COLUMNS)?;
    for row in 0..columns[0].len() {
        let [flow, end, time, bytes_received, packets_sent, packets_received, ce_received] =
            columns.each_ref().map(|column| column[row]);
        let Some(series) = flows.get_mut(flow as usize) else { continue };
        let counts = PacketCounts { bytes_received, packets_sent, packets_received, ce_received };
        let is_first = series.packets[usize::from(end > 0)].replace(counts).is_none();
        if end > 0 {
            if is_first {
                series.received.clear();
            }
            let [_, ended] = facts.span(flow as usize);
            series.received.extend((time <= ended).then_some((time, bytes_received)));
        }
    }
    Ok(())
}

fn read_acks(flows: &mut [FlowSeries], folder: &Folder) -> Result<(), RecordingError> {
    const COLUMNS: [&str; 9] =
        ["flow", "time", "cwnd", "ssthresh", "srtt", "packets_out", "sacked_out", "delivered", "ca_state"];
    let columns = recording::columns(folder, recording::ACKS, COLUMNS)?;
    for row in 0..columns[0].len() {
        let [flow, time, cwnd, ssthresh, srtt, packets_out, sacked_out, delivered, ca_state] =
            columns.each_ref().map(|column| column[row]);
        let Some(series) = flows.get_mut(flow as usize) else { continue };
        series.acks.push(Ack { time, cwnd, ssthresh, srtt, packets_out, sacked_out, delivered, ca_state });
    }
    Ok(())
}

fn read_queues(queues: &mut [QueueSeries], folder: &Folder) -> Result<(), RecordingError> {
    const COLUMNS: [&str; 7] = ["queue", "time", "packets", "backlog", "drops", "sent_bytes", "sent_packets"];
    let [queue, time, packets, backlog, drops, sent_bytes, sent_packets] =
        recording::columns(folder, recording::QUEUES, COLUMNS)?;
    for row in 0..time.len() {
        let Some(series) = queues.get_mut(queue[row] as usize) else { continue };
        series.time.push(time[row]);
        series.packets.push(packets[row]);
        series.backlog.push(backlog[row]);
        series.drops.push(drops[row]);
        series.sent_bytes.push(sent_bytes[row]);
        series.sent_packets.push(sent_packets[row]);
    }
    Ok(())
}

fn read_waits(flows: &mut [FlowSeries], queues: &mut [QueueSeries], folder: &Folder) -> Result<(), RecordingError> {
    const COLUMNS: [&str; 6] = ["queue", "flow", "least", "most", "packets", "bytes"];
    let columns = recording::columns(folder, recording::WAITS, COLUMNS)?;
    for (row, has_flow) in recording::present(folder, recording::WAITS, "flow")?.into_iter().enumerate() {
        let [queue, flow, least, most, packets, bytes] = columns.each_ref().map(|column| column[row]);
        let wait = Wait { queue: queue as usize, least, most, packets, bytes };
        let Some(met) = queues.get_mut(wait.queue) else { continue };
        met.byte_seconds += wait.byte_seconds();
        let own = flows.get_mut(flow as usize).filter(|_| has_flow);
        own.into_iter().for_each(|own| own.waits.push(wait));
    }
    Ok(())
}

fn read_ecn(queues: &mut [QueueSeries], folder: &Folder) -> Result<(), RecordingError> {
    const COLUMNS: [&str; 5] = ["queue", "not_ect", "ect1", "ect0", "ce"];
    let columns = recording::columns(folder, recording::ECN, COLUMNS)?;
    for row in 0..columns[0].len() {
        let [queue, not_ect, ect1, ect0, ce] = columns.each_ref().map(|column| column[row]);
        let Some(met) = queues.get_mut(queue as usize) else { continue };
        let all = met.ecn.get_or_insert_default();
        all.not_ect += not_ect;
        all.ect1 += ect1;
        all.ect0 += ect0;
        all.ce += ce;
    }
    Ok(())
}

/// Reads samples of BBR. Recordings of older builds have no version and are skipped.
fn read_bbr(flows: &mut [FlowSeries], folder: &Folder) -> Result<(), RecordingError> {
    if !recording::has(folder, recording::BBR, "version")? {
        return Ok(());
    }
    const COLUMNS: [&str; 11] = [
        "flow",
        "time",
        "bw",
        "pacing_gain",
        "cwnd_gain",
        "version",
        "phase",
        "bw_hi",
        "bw_lo",
        "inflight_hi",
        "extra_acked",
    ];
    let columns = recording::columns(folder, recording::BBR, COLUMNS)?;
    for row in 0..columns[0].len() {
        let [flow, time, bw, pacing_gain, cwnd_gain, version, phase, bw_hi, bw_lo, inflight_hi, extra_acked] =
            columns.each_ref().map(|column| column[row]);
        let max_bw = if version == 1 { bw } else { bw_hi };
        let bbr =
            Bbr { time, pacing_gain, cwnd_gain, inflight_hi, extra_acked, version, max_bw, least_bw: bw_lo, phase };
        if let Some(series) = flows.get_mut(flow as usize) {
            series.bbr.push(bbr);
        }
    }
    Ok(())
}

fn read_dualpi2(queues: &mut [QueueSeries], folder: &Folder) -> Result<(), RecordingError> {
    const COLUMNS: [&str; 9] =
        ["queue", "time", "prob", "delay_c", "delay_l", "packets_in_c", "packets_in_l", "ecn_mark", "step_marks"];
    let columns = recording::columns(folder, recording::DUALPI2, COLUMNS)?;
    for row in 0..columns[0].len() {
        let [queue, time, prob, delay_c, delay_l, packets_in_c, packets_in_l, ecn_mark, step_marks] =
            columns.each_ref().map(|column| column[row]);
        let Some(met) = queues.get_mut(queue as usize) else { continue };
        met.dualpi2.push(DualPi2 { time, prob, delay_c, delay_l, packets_in_c, packets_in_l, ecn_mark, step_marks });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use plan::Traffic;
    use plan::recording::Recorder;
    use wire::{Column, ColumnType, Message, frame};

    /// Builds a record of these columns; those without a named value are 0.
    fn record(columns: &[Column], values: &[(&str, u64)]) -> Vec<u8> {
        let bytes = |column: &Column| {
            let value = values.iter().find(|(name, _)| *name == column.name).map_or(0, |(_, value)| *value);
            let width = if let ColumnType::Text(n) = column.kind { n } else { column.kind.width() };
            value.to_le_bytes()[..width].to_vec()
        };
        columns.iter().flat_map(bytes).collect()
    }

    #[test]
    fn a_recording_comes_back_as_series() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let mut recorder = Recorder::new(&folder);
        let mut sample = |time, flow, end, values: &[(&str, u64)]| {
            let head = [("time", time), ("flow", flow), ("end", end)];
            let info = [wire::SAMPLE, wire::TCP_INFO].concat();
            recorder.take(frame::SAMPLE, &record(&info, &[&head, values].concat())).unwrap();
        };
        sample(1, 0, 0, &[("snd_cwnd", 10), ("rtt", 5), ("options", 7), ("total_rto", 1)]);
        sample(2, 0, 1, &[("bytes_received", 1448), ("data_segs_in", 1)]);
        sample(3, 1, 0, &[("snd_cwnd", 99)]);
        sample(4, 0, 0, &[("snd_cwnd", 20), ("snd_ssthresh", 15), ("options", 15), ("pmtu", 1500), ("total_rto", 2)]);
        sample(5, 0, 0, &[("snd_cwnd", 9), ("ca_state", 3), ("options", 15), ("total_rto", 2), ("total_rto_time", 8)]);
        sample(5, 0, 1, &[("bytes_received", 2896), ("data_segs_in", 2), ("rcv_ooopack", 1)]);
        let ack = [("time", 6), ("flow", 1), ("cwnd", 7), ("packets_out", 5), ("delivered", 4), ("ca_state", 1)];
        recorder.take(frame::ACK, &record(wire::ACK, &ack)).unwrap();
        let exchange = |start, end| Exchange { start, end };
        let told = Message::Exchanges { flow: 3, exchanges: vec![exchange(5, Some(9)), exchange(6, None)] };
        recorder.take(frame::MESSAGE, &serde_json::to_vec(&told).unwrap()).unwrap();
        let queue = [("time", 7), ("queue", 4), ("packets", 2), ("backlog", 3000)];
        recorder.take(frame::QUEUE, &record(wire::QUEUE, &queue)).unwrap();
        for (flow, packets) in [(1, 3), (u64::from(u32::MAX), 4)] {
            let wait =
                [("queue", 4), ("flow", flow), ("least", 10), ("most", 30), ("packets", packets), ("bytes", 1_000)];
            recorder.take(frame::WAIT, &record(wire::WAIT, &wait)).unwrap();
        }
        recorder.finish().unwrap();

        let scene = fixture::four_kinds();
        let series = series(&scene, &folder).unwrap();
        let first = &series.flows[0];
        assert_eq!((&first.time, &first.cwnd), (&vec![1, 4, 5], &vec![10, 20, 9]));
        assert_eq!((&first.srtt, &first.ssthresh), (&vec![5, 0, 0], &vec![0, 15, 0]));
        assert_eq!(first.state, [0, 0, 3]);
        assert_eq!(first.received, [(2, 1448), (5, 2896)]);
        let of_ecn = Sample {
            delivered_e1_bytes: Some(0),
            delivered_e0_bytes: Some(0),
            delivered_ce_bytes: Some(0),
            ecn_mode: Some(0),
            ..Sample::default()
        };
        let none = Sample { time: 5, total_rto: Some(0), total_rto_time: Some(0), ..of_ecn };
        let (total_rto, total_rto_time) = (Some(2), Some(8));
        let sender = Sample { snd_cwnd: 9, ca_state: 3, options: 15, total_rto, total_rto_time, ..none };
        let receiver = Sample { end: 1, bytes_received: 2896, data_segs_in: 2, rcv_ooopack: 1, ..none };
        assert_eq!(first.last, [Some(sender), Some(receiver)]);
        assert_eq!(series.flows[1].last[1], None);
        let ack = Ack { time: 6, cwnd: 7, packets_out: 5, delivered: 4, ca_state: 1, ..Ack::default() };
        assert_eq!((&series.flows[1].acks, &first.acks), (&vec![ack], &vec![]));
        assert_eq!(series.flows[3].exchanges, [exchange(5, Some(9)), exchange(6, None)]);
        assert_eq!(series.flows[3].answers(), [4]);
        let queue = series.queue(&scene, Step { link: 2, lane: 0 }).unwrap();
        assert_eq!((&queue.time, &queue.packets, &queue.backlog), (&vec![7], &vec![2], &vec![3000]));
        let wait = Wait { queue: 4, least: 10, most: 30, packets: 3, bytes: 1_000 };
        assert_eq!((&first.waits, &series.flows[1].waits), (&vec![], &vec![wait]), "no flow is not flow 0");
        assert!((series.queues[4].byte_seconds - 2.0 * 20e-6).abs() < 1e-15);
        assert_eq!(series.span(0), [0, 0]);
    }

    /// TCP_INFO of Linux 6.1 ends with snd_wnd.
    #[test]
    fn fields_that_the_kernel_lacks_are_absent_not_zero() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let mut recorder = Recorder::new(&folder);
        let info = [wire::SAMPLE, wire::TCP_INFO].concat();
        let known = info.iter().position(|column| column.name == "rcv_wnd").unwrap();
        let sample = record(&info[..known], &[("time", 1), ("snd_cwnd", 10), ("bytes_sent", 3)]);
        recorder.take(frame::SAMPLE, &sample).unwrap();
        recorder.finish().unwrap();
        let sender = Sample { time: 1, snd_cwnd: 10, bytes_sent: 3, ..Sample::default() };
        assert_eq!(series(&fixture::four_kinds(), &folder).unwrap().flows[0].last[0], Some(sender));
    }

    #[test]
    fn between_two_samples_bytes_come_in_proportion() {
        let own = FlowSeries { received: vec![(10, 100), (20, 300), (20, 300), (30, 300)], ..FlowSeries::default() };
        let by: Vec<f64> = [9, 10, 15, 20, 25, 30, 99].map(|time| own.received_by(time)).into();
        assert_eq!(by, [0.0, 100.0, 200.0, 300.0, 300.0, 300.0, 300.0]);
        assert_eq!(FlowSeries::default().received_by(5), 0.0);
    }

    #[test]
    fn the_sender_of_large_requests_is_the_client() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path()).unwrap();
        let mut recorder = Recorder::new(&folder);
        let mut sample = |time, end, values: &[(&str, u64)]| {
            let info = [wire::SAMPLE, wire::TCP_INFO].concat();
            let head = [("time", time), ("flow", 1), ("end", end)];
            recorder.take(frame::SAMPLE, &record(&info, &[&head, values].concat())).unwrap();
        };
        sample(1, 0, &[("snd_cwnd", 10), ("bytes_received", 5000), ("data_segs_in", 4)]);
        sample(2, 1, &[("snd_cwnd", 44), ("bytes_received", 100), ("bytes_sent", 6000)]);
        recorder.finish().unwrap();
        let mut scene = fixture::four_kinds();
        let server = series(&scene, &folder).unwrap().flows.swap_remove(1);
        assert_eq!((server.time, server.cwnd, server.received), (vec![1], vec![10], vec![(2, 100)]));
        let Traffic::Requests { request, .. } = &mut scene.flows[1].traffic else { unreachable!() };
        *request = 901;
        let client = series(&scene, &folder).unwrap().flows.swap_remove(1);
        assert_eq!((client.time, client.cwnd, client.received), (vec![2], vec![44], vec![(1, 5000)]));
        assert_eq!(client.last.map(|last| last.unwrap().bytes_sent), [6000, 0]);
    }
}
