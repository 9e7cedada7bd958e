//! The table of all measures: each has a name, a unit, a definition, its source, and the function that computes it.

use super::bbr::{self, Phase};
use super::data::{FlowData, LaneData, LoadData};
use super::fairness::Shared;
use super::sender_limit::Hold;
use super::{congestion, flow, lane, load, mean, most, nearest_rank, percentile, tunnels_and_subflows};
use Better::{Less, More, Neither};
use Centre::{Mean, Median};
use Shown::{First, IfAny, Report, Terminal};
use TrafficKind::{Bulk, Ping, Program, Requests, Udp};
use Unit::{BitsPerSecond, Bytes, Count, Index, PacketBytes, Packets, Ratio, Seconds};
use base::units::{Better, Centre, Shown, Subject, TrafficKind, Unit};

/// A row of the table.
#[derive(Debug)]
pub struct Measure {
    /// Its name in experiments, tables and JSON.
    pub name: &'static str,
    /// Its subject, and the function that computes it.
    pub computed: Computed,
    /// The unit of its value.
    pub unit: Unit,
    /// Centre that summarises it over seeds.
    pub centre: Centre,
    /// Direction that is better.
    pub better: Better,
    pub shown: Shown,
    /// Its definition, one sentence.
    pub definition: &'static str,
    /// Source of the definition or the value: a document, a paper, a field of the kernel's.
    pub source: &'static str,
}

/// How a measure is computed; a result that is not finite is no value.
#[derive(Debug, Clone, Copy)]
pub enum Computed {
    Flow {
        /// Kinds of flow that have it, though not every flow has a value.
        kinds: &'static [TrafficKind],
        of: fn(&FlowData) -> f64,
        /// How the values of several flows are combined.
        over: Over,
    },
    /// From a direction of a link.
    Lane(fn(&LaneData) -> f64),
    /// From all flows of the load together.
    Load(fn(&LoadData) -> f64),
}

/// How the values of several flows are combined.
#[derive(Debug, Clone, Copy)]
pub enum Over {
    /// The mean of their values.
    Mean,
    /// The sum of their values.
    Sum,
    /// The load's own value; for other flows, the sum.
    Load(fn(&LoadData) -> f64),
    /// The value of all of the load's packets, bytes or samples together; for other flows, the mean of their values.
    Pooled(fn(&LoadData) -> f64),
    /// The mean of their values, if they are only part of the load: over all of it, the mean is always the same.
    Part,
}

impl Measure {
    /// Returns the measure called `name`.
    pub fn find(name: &str) -> Option<&'static Measure> {
        MEASURES.iter().find(|measure| measure.name == name)
    }

    /// Returns the unit of the measure called `name`.
    pub fn unit_of(name: &str) -> Unit {
        Measure::find(name).map_or(Ratio, |measure| measure.unit)
    }

    pub fn subject(&self) -> Subject {
        match self.computed {
            Computed::Flow { .. } => Subject::Flow,
            Computed::Lane(_) => Subject::Lane,
            Computed::Load(_) => Subject::Trial,
        }
    }

    /// Returns the kinds of flow that have it; none unless it is about flows.
    pub fn kinds(&self) -> &'static [TrafficKind] {
        if let Computed::Flow { kinds, .. } = self.computed { kinds } else { &[] }
    }

    const fn over(self, over: Over) -> Measure {
        let computed = match self.computed {
            Computed::Flow { kinds, of, .. } => Computed::Flow { kinds, of, over },
            other => other,
        };
        Measure { computed, ..self }
    }

    const fn means(self, definition: &'static str) -> Measure {
        Measure { definition, ..self }
    }

    const fn source(self, source: &'static str) -> Measure {
        Measure { source, ..self }
    }
}

const ALL_KINDS: &[TrafficKind] = &[Bulk, Requests, Udp, Ping, Program];
const BULK_ONLY: &[TrafficKind] = &[Bulk];
/// Flows of data without an end of their own; a program's may be TCP or not.
const STREAM_KINDS: &[TrafficKind] = &[Bulk, Program];
const TCP_KINDS: &[TrafficKind] = &[Bulk, Requests, Program];
/// Flows of goodput's own TCP connections.
const OWN_TCP_KINDS: &[TrafficKind] = &[Bulk, Requests];
const DATA_KINDS: &[TrafficKind] = &[Bulk, Requests, Udp, Program];
const RTT_KINDS: &[TrafficKind] = &[Bulk, Requests, Ping, Program];
const EXCHANGE_KINDS: &[TrafficKind] = &[Requests, Ping];
const REQUESTS_ONLY: &[TrafficKind] = &[Requests];
const UDP_ONLY: &[TrafficKind] = &[Udp];
const COUNTED_KINDS: &[TrafficKind] = &[Udp, Program];

/// Builds a measure of flows of some kinds.
const fn flow(
    kinds: &'static [TrafficKind],
    name: &'static str,
    unit: Unit,
    centre: Centre,
    better: Better,
    shown: Shown,
    of: fn(&FlowData) -> f64,
) -> Measure {
    let computed = Computed::Flow { kinds, of, over: Over::Mean };
    Measure { name, computed, unit, centre, better, shown, definition: "", source: "" }
}

/// Builds a measure of a direction of a link.
const fn lane(
    name: &'static str,
    unit: Unit,
    centre: Centre,
    better: Better,
    shown: Shown,
    of: fn(&LaneData) -> f64,
) -> Measure {
    Measure { name, computed: Computed::Lane(of), unit, centre, better, shown, definition: "", source: "" }
}

/// Builds a measure of the load.
const fn trial(
    name: &'static str,
    unit: Unit,
    centre: Centre,
    better: Better,
    shown: Shown,
    of: fn(&LoadData) -> f64,
) -> Measure {
    Measure { name, computed: Computed::Load(of), unit, centre, better, shown, definition: "", source: "" }
}

/// All measures, in the order of the columns of tables: the most wanted come first.
pub const MEASURES: &[Measure] = &[
    flow(DATA_KINDS, "goodput", BitsPerSecond, Mean, More, First, flow::goodput)
        .over(Over::Load(load::goodput))
        .means(
            "payload delivered over the flow's time, from its start to its end: in order for bulk data, in \
             completed requests and responses, in datagrams that arrived by then, for programs in order over TCP and all \
             of UDP; after `omit`; of the load, from the first start to the last end",
        )
        .source("RFC 5166, section 2.1.1; TCP_INFO bytes_received; programs.parquet"),
    flow(STREAM_KINDS, "goodput-steady", BitsPerSecond, Mean, More, Terminal, flow::steady_goodput)
        .over(Over::Sum)
        .means("goodput from steady-from to the end of the flow")
        .source("White 1997; TCP_INFO bytes_received"),
    flow(TCP_KINDS, "completion", Seconds, Median, Less, Terminal, flow::completion)
        .means(
            "flow completion time: from the start of the connection until everything the flow carries has \
             arrived; none for flows that end at a given time, or broke",
        )
        .source("Dukkipati and McKeown 2006; RFC 5166, section 2.1.1"),
    trial("jain", Index, Mean, More, First, |l| l.shared.map_or(f64::NAN, Shared::jain))
        .means(
            "Jain's index of what the load's flows delivered while all of them ran, after `omit`: 1 if all delivered \
             the same, 1/n if one of n delivered everything",
        )
        .source("Jain, Chiu and Hawe 1984 (DEC-TR-301)"),
    trial("least-share", Index, Mean, More, Report, |l| l.shared.map_or(f64::NAN, Shared::least_share))
        .means(
            "smallest fair-share of the load's flows: 1 if all delivered the same, 0 if one of them starved",
        )
        .source("RFC 9743, section 5.2; Arun, Alizadeh and Balakrishnan 2022 (SIGCOMM)"),
    trial("jain-1s", Index, Mean, More, Terminal, |l| l.shared.map_or(f64::NAN, Shared::jain_of_windows))
        .means(
            "mean of Jain's index over consecutive seconds in which all of the load's flows ran, after `omit`; over \
             windows of ten RTTs of the longest idle path if those are longer",
        )
        .source("Jain, Chiu and Hawe 1984 (DEC-TR-301)"),
    trial("convergence", Seconds, Median, Less, Terminal, |l| l.shared.map_or(f64::NAN, Shared::convergence))
        .means(
            "from the start of the last of the load's flows to the end of the first window in which every flow \
             got at least 90 % of an equal share (delta 0.1); windows are as long as for jain-1s and start every \
             tenth of that; none if there was no such window while all ran",
        )
        .source("RFC 5166, section 2.3; Bansal, Balakrishnan, Floyd and Shenker 2001"),
    flow(TCP_KINDS, "fair-share", Index, Mean, Neither, Report, flow::fair_share)
        .over(Over::Part)
        .means(
            "what a flow of the load delivered over an equal share of what all of them did, while all of them ran, after \
             `omit`",
        )
        .source("RFC 5166, section 2.3; TCP_INFO bytes_received"),
    flow(EXCHANGE_KINDS, "exchanges", Count, Mean, More, Terminal, flow::answered)
        .over(Over::Sum)
        .means("requests whose response arrived, or pings that were answered")
        .source("exchanges.parquet"),
    flow(EXCHANGE_KINDS, "unanswered", Count, Mean, Less, First, |f| flow::unanswered(f.number, f.scene, f.series) as f64)
        .over(Over::Sum)
        .means(
            "requests and pings without an answer; a request cut short by the end of the flow counts if it had \
             already taken longer than every other",
        )
        .source("exchanges.parquet"),
    flow(REQUESTS_ONLY, "exchange-p50", Seconds, Median, Less, First, |f| percentile(&f.answers, 0.50) / 1e9)
        .means("median time from the start of a request to the end of its response")
        .source("exchanges.parquet start, end"),
    flow(REQUESTS_ONLY, "exchange-p95", Seconds, Median, Less, Terminal, |f| percentile(&f.answers, 0.95) / 1e9)
        .means("95th percentile of the time from the start of a request to the end of its response")
        .source("exchanges.parquet start, end"),
    flow(REQUESTS_ONLY, "exchange-max", Seconds, Median, Less, Terminal, |f| most(&f.answers) / 1e9)
        .means("longest time from the start of a request to the end of its response")
        .source("exchanges.parquet start, end"),
    flow(COUNTED_KINDS, "lost", Ratio, Mean, Less, First, flow::lost)
        .means("share of the datagrams sent that never arrived; of programs, of the packets of the end that `sends`")
        .source("RFC 7680; programs.parquet packets_sent, packets_received"),
    flow(UDP_ONLY, "reordered", Ratio, Mean, Less, Terminal, flow::reordered)
        .means("share of the arrived datagrams that arrived after one sent later")
        .source("RFC 4737, section 3"),
    flow(TCP_KINDS, "retransmitted", Ratio, Mean, Less, First, flow::retransmitted)
        .over(Over::Pooled(load::retransmitted))
        .means("share of the payload bytes sent that were retransmissions; after `omit`")
        .source("TCP_INFO bytes_retrans, bytes_sent; of FreeBSD t_sndrexmitpack x MSS and the bytes acknowledged"),
    flow(TCP_KINDS, "loss-events", Count, Mean, Less, Terminal, |f| {
        if f.own.is_empty() { f64::NAN } else { f.events().len() as f64 }
    })
    .over(Over::Sum)
    .means(
        "congestion events at the sender: transitions into CWR, recovery or loss, and new ssthresh values \
             within these; exact with record.acks, otherwise from samples, where two within record.interval count \
             as one",
    )
    .source("RFC 5681; TCP_INFO ca_state, snd_ssthresh, snd_cwnd; acks.parquet"),
    flow(RTT_KINDS, "rtt-min", Seconds, Median, Less, Terminal, flow::rtt_min)
        .means("lowest RTT the sender saw; for pings, the shortest")
        .source("TCP_INFO min_rtt; exchanges.parquet start, end"),
    flow(RTT_KINDS, "rtt-p50", Seconds, Median, Less, First, |f| flow::rtt(f, 0.50))
        .over(Over::Pooled(|l| load::rtt(l, 0.50)))
        .means("median of the sender's SRTT over all samples after `omit`; for pings, of their own RTTs")
        .source("RFC 6298; TCP_INFO rtt; exchanges.parquet start, end"),
    flow(RTT_KINDS, "rtt-p95", Seconds, Median, Less, Terminal, |f| flow::rtt(f, 0.95))
        .over(Over::Pooled(|l| load::rtt(l, 0.95)))
        .means("95th percentile of the sender's SRTT over all samples after `omit`; for pings, of their own RTTs")
        .source("RFC 6298; TCP_INFO rtt; exchanges.parquet start, end"),
    flow(RTT_KINDS, "rtt-p99", Seconds, Median, Less, Report, |f| flow::rtt(f, 0.99))
        .over(Over::Pooled(|l| load::rtt(l, 0.99)))
        .means("99th percentile of the sender's SRTT over all samples after `omit`; for pings, of their own RTTs")
        .source("RFC 6298; TCP_INFO rtt; exchanges.parquet start, end"),
    flow(ALL_KINDS, "queued-p50", Seconds, Median, Less, Report, |f| flow::queued(f, 0.50))
        .over(Over::Pooled(|l| load::queued(l, 0.50)))
        .means(
            "median time that the flow's packets waited in a queue, from their arrival until the line began to send them: \
             in the queue on the way of its data in which they waited longest on average, of those that it shares \
             with other flows if there are any, for pings on both ways; to 0.8 %, of packets that were not dropped; none through a tunnel",
        )
        .source("RFC 5166, section 2.1.2; waits.parquet"),
    flow(ALL_KINDS, "queued-p95", Seconds, Median, Less, First, |f| flow::queued(f, 0.95))
        .over(Over::Pooled(|l| load::queued(l, 0.95)))
        .means("95th percentile of that time")
        .source("RFC 5166, section 2.1.2; waits.parquet"),
    flow(ALL_KINDS, "queued-p99", Seconds, Median, Less, Report, |f| flow::queued(f, 0.99))
        .over(Over::Pooled(|l| load::queued(l, 0.99)))
        .means("99th percentile of that time")
        .source("RFC 5166, section 2.1.2; waits.parquet"),
    flow(ALL_KINDS, "queue-share", Ratio, Mean, Neither, First, flow::queue_share)
        .over(Over::Part)
        .means(
            "share of the bytes waiting in that queue that were the flow's own, on average over the trial; none for a flow \
             that is alone",
        )
        .source("Little 1961; waits.parquet"),
    flow(TCP_KINDS, "cwnd-mean", Packets, Mean, Neither, First, |f| mean(f.cwnd().iter().map(|n| *n as f64)))
        .means("mean cwnd over all samples after `omit`")
        .source("TCP_INFO snd_cwnd"),
    flow(TCP_KINDS, "cwnd-max", Packets, Median, Neither, Terminal, |f| most(f.cwnd()))
        .means("largest cwnd in a sample after `omit`")
        .source("TCP_INFO snd_cwnd"),
    flow(TCP_KINDS, "cwnd-peak", Packets, Mean, Neither, Report, |f| congestion::peak(f.events()))
        .means("mean of cwnd as last seen before each loss event, except the one that ends the first slow start")
        .source("TCP_INFO snd_cwnd; acks.parquet cwnd"),
    flow(TCP_KINDS, "cwnd-period", Seconds, Mean, Neither, Report, |f| congestion::period(f.events()))
        .means("mean time between loss events, except the one that ends the first slow start")
        .source("TCP_INFO ca_state; acks.parquet ca_state"),
    flow(TCP_KINDS, "cwnd-step", Packets, Mean, Less, Report, |f| mean(f.steps().iter().map(|n| *n as f64)))
        .means(
            "mean increase of cwnd from one ACK to the next, where it increased in congestion avoidance: above \
             ssthresh and outside recovery; with record.acks",
        )
        .source("RFC 5681, section 3.1; acks.parquet cwnd, ssthresh, ca_state"),
    flow(TCP_KINDS, "cwnd-step-max", Packets, Median, Less, Report, |f| most(f.steps()))
        .means("largest of these increases")
        .source("RFC 5681, section 3.1; acks.parquet cwnd, ssthresh, ca_state"),
    flow(TCP_KINDS, "burst", Packets, Median, Less, Report, |f| percentile(f.bursts(), 0.5))
        .means(
            "median over RTTs of the most new segments sent between one ACK and the next that arrived at a \
             different time; for senders without pacing, with record.acks",
        )
        .source("Allman and Blanton 2005; acks.parquet packets_out, delivered, sacked_out"),
    flow(TCP_KINDS, "burst-max", Packets, Median, Less, Report, |f| most(f.bursts()))
        .means("largest of these bursts")
        .source("Allman and Blanton 2005; acks.parquet packets_out, delivered, sacked_out"),
    flow(TCP_KINDS, "limited-cwnd", Ratio, Mean, Neither, Terminal, |f| flow::limited(f, Hold::Cwnd))
        .means(
            "share of the flow's time in which what was unacknowledged filled the congestion window, and neither \
             rwnd_limited nor sndbuf_limited counted",
        )
        .source("TCP_INFO busy_time, unacked, sacked, lost, retrans, snd_cwnd; RFC 6675 (pipe)"),
    flow(TCP_KINDS, "limited-rwnd", Ratio, Mean, Neither, Terminal, |f| flow::limited(f, Hold::Rwnd))
        .means("share of the flow's time in which the receive window was the limit: counted, or filled at a sample")
        .source("TCP_INFO rwnd_limited, unacked, snd_wnd"),
    flow(TCP_KINDS, "limited-sndbuf", Ratio, Mean, Neither, Terminal, |f| flow::limited(f, Hold::Sndbuf))
        .means(
            "share of the flow's time in which the send buffer was the limit: counted, or over two thirds full at a \
             sample with nothing unsent",
        )
        .source("TCP_INFO sndbuf_limited, notsent_bytes; wmem_queued, sndbuf"),
    flow(TCP_KINDS, "limited-pacing", Ratio, Mean, Neither, Report, |f| flow::limited(f, Hold::Pacing))
        .means("share of the flow's time in which data waited for the pacing of BBR or fq alone")
        .source("TCP_INFO busy_time, notsent_bytes"),
    flow(TCP_KINDS, "limited-app", Ratio, Mean, Neither, Terminal, |f| flow::limited(f, Hold::App))
        .means("share of the flow's time in which the application left nothing to send, and the send buffer had room")
        .source("TCP_INFO busy_time, notsent_bytes; wmem_queued, sndbuf"),
    flow(TCP_KINDS, "limited-unknown", Ratio, Mean, Neither, Report, |f| flow::limited(f, Hold::Unknown))
        .means(
            "the rest: share of the flow's time in which data waited though windows and pacing let it go, as where TCP \
             Small Queues hold it back from the sender's own interface",
        )
        .source("TCP_INFO busy_time, notsent_bytes; tcp_write_xmit in net/ipv4/tcp_output.c"),
    flow(TCP_KINDS, "delivered-ce", Ratio, Mean, Neither, Terminal, flow::delivered_ce)
        .means("share of the delivered segments that had a CE mark; of programs, of the packets that the other end received")
        .source("RFC 3168; TCP_INFO delivered_ce, delivered; programs.parquet"),
    flow(TCP_KINDS, "delivered-ect1", Ratio, Mean, Neither, Report, |f| f.sender(flow::delivered_ect1))
        .means("share of the delivered payload that arrived as ECT(1), as AccECN's option told the sender; none without it")
        .source("RFC 9331; TCP_INFO delivered_e1_bytes, delivered_e0_bytes, delivered_ce_bytes, from Linux 6.18 on"),
    flow(TCP_KINDS, "reordering", Count, Mean, Neither, Report, |f| f.sender(|s| s.reord_seen as f64))
        .over(Over::Sum)
        .means("number of reordering events the sender saw")
        .source("TCP_INFO reord_seen"),
    flow(TCP_KINDS, "out-of-order", Ratio, Mean, Neither, Terminal, flow::out_of_order)
        .means(
            "share of the data segments reaching the receiver that arrived while an earlier one was missing, late \
             or lost",
        )
        .source("TCP_INFO rcv_ooopack, data_segs_in"),
    flow(TCP_KINDS, "rto", Count, Mean, Less, Terminal, |f| f.sender(|s| s.total_rto.map_or(f64::NAN, |n| n as f64)))
        .over(Over::Sum)
        .means("retransmission timeouts of the sender, including those of a SYN")
        .source("RFC 6298; TCP_INFO total_rto, from Linux 6.7 on"),
    flow(TCP_KINDS, "rto-time", Ratio, Mean, Less, Report, |f| {
        f.sender(|s| s.total_rto_time.map_or(f64::NAN, |ms| ms as f64 / 1e3) / f.seconds())
    })
    .means("share of the flow's time that the sender spent recovering from timeouts")
    .source("TCP_INFO total_rto_time, from Linux 6.7 on"),
    flow(OWN_TCP_KINDS, "tunnel-retransmitted", Ratio, Mean, Less, IfAny, tunnels_and_subflows::tunnel_retransmitted)
        .means(
            "share of the payload that was a retransmission on the TCP connection of the tunnel through which the flow's \
             data goes; none without such a tunnel",
        )
        .source("tunnels.parquet bytes_retrans, bytes_sent"),
    flow(OWN_TCP_KINDS, "needless", Ratio, Mean, Less, IfAny, tunnels_and_subflows::needless)
        .means(
            "share of the flow's retransmitted segments that had arrived already, as DSACK told the sender; none without a \
             tunnel of kind tcp",
        )
        .source("RFC 2883; RFC 3708; TCP_INFO dsack_dups, total_retrans"),
    flow(OWN_TCP_KINDS, "subflows", Count, Mean, Neither, IfAny, tunnels_and_subflows::used_subflows)
        .over(Over::Sum)
        .means("subflows over which an MPTCP flow sent data; none of TCP")
        .source("RFC 8684; subflows.parquet bytes_sent"),
    flow(OWN_TCP_KINDS, "first-subflow", Ratio, Mean, Neither, IfAny, tunnels_and_subflows::first_subflow)
        .means("share of an MPTCP flow's payload, retransmissions included, that its first subflow sent; none of TCP")
        .source("RFC 8684; subflows.parquet bytes_sent"),
    flow(BULK_ONLY, "transfer-time-ratio", Index, Median, Less, Report, flow::transfer_time_ratio)
        .means(
            "the flow's time over the time that the slowest link, policer or shaper on its path would need for \
             the same data in full segments back to back, with no other traffic; none through a tunnel",
        )
        .source("RFC 6349, section 4.1"),
    flow(TCP_KINDS, "tcp-efficiency", Ratio, Mean, More, Report, |f| 1.0 - flow::retransmitted(f))
        .over(Over::Pooled(|l| 1.0 - load::retransmitted(l)))
        .means("share of the payload bytes sent that were not retransmissions; after `omit`")
        .source("RFC 6349, section 4.2"),
    flow(TCP_KINDS, "buffer-delay", Index, Mean, Less, Report, flow::buffer_delay)
        .means("mean SRTT over all samples, less the RTT of the idle path, over the latter")
        .source("RFC 6349, section 4.3"),
    flow(BULK_ONLY, "power", Index, Mean, More, Report, flow::power)
        .means(
            "goodput over delay, normalised: share of the ideal goodput times the RTT of the idle path over the \
             mean SRTT; 1 is a full link and no queue",
        )
        .source("Kleinrock 1979"),
    flow(STREAM_KINDS, "steady-from", Seconds, Median, Less, Report, flow::steady_from)
        .means(
            "time from the start of the flow to steady state: the truncation point of MSER-5 on goodput in bins \
             of one RTT of the idle path, or of record.interval if longer; none if that is beyond half of the \
             flow's time, or with fewer than 100 bins",
        )
        .source("White 1997; White, Cobb and Spratt 2000"),
    flow(STREAM_KINDS, "bbr-version", Index, Mean, Neither, Report, bbr::version)
        .means("which BBR its sender has, by what that says of itself: 1, 2 or 3")
        .source("struct tcp_bbr_info in include/uapi/linux/inet_diag.h; bbr.parquet version"),
    flow(STREAM_KINDS, "bbr-startup", Seconds, Median, Neither, Report, bbr::startup)
        .means("from the start of the flow until its BBR left STARTUP for DRAIN or PROBE_BW; all of its time if it never did")
        .source("draft-ietf-ccwg-bbr; bbr.parquet phase, of v1 pacing_gain and cwnd_gain"),
    flow(STREAM_KINDS, "bbr-startups", Count, Mean, Neither, Report, |f| bbr::entries(f, Phase::Startup))
        .over(Over::Sum)
        .means("how often its BBR came into STARTUP")
        .source("draft-ietf-ccwg-bbr; bbr.parquet phase, of v1 pacing_gain and cwnd_gain"),
    flow(STREAM_KINDS, "bbr-startup-bw", BitsPerSecond, Mean, Neither, Report, bbr::startup_bandwidth)
        .means("what its BBR took for the bandwidth, in payload, when it left STARTUP; none if it never did")
        .source("draft-ietf-ccwg-bbr (BBR.max_bw); bbr.parquet bw_hi, of v1 bw"),
    flow(STREAM_KINDS, "bbr-bw", BitsPerSecond, Mean, Neither, Report, bbr::bandwidth)
        .means("what its BBR takes for the bandwidth, in payload, in the last sample")
        .source("draft-ietf-ccwg-bbr (BBR.max_bw); bbr.parquet bw_hi, of v1 bw"),
    flow(STREAM_KINDS, "bbr-least-bw", BitsPerSecond, Mean, Neither, Report, bbr::least_bandwidth)
        .means("lowest bound that a loss put to the bandwidth of its BBR; none if none did, and of v1")
        .source("draft-ietf-ccwg-bbr (BBR.bw_shortterm); bbr.parquet bw_lo"),
    flow(STREAM_KINDS, "bbr-inflight", Packets, Mean, Neither, Report, bbr::inflight)
        .means("last bound that its BBR had for what is in flight; none if it had none, and of v1")
        .source("draft-ietf-ccwg-bbr (BBR.inflight_longterm); bbr.parquet inflight_hi"),
    flow(STREAM_KINDS, "bbr-extra-acked", Packets, Mean, Neither, Report, bbr::extra_acked)
        .means("most that was acknowledged beyond what its BBR expected; none of v1")
        .source("draft-ietf-ccwg-bbr (BBR.extra_acked); bbr.parquet extra_acked"),
    flow(STREAM_KINDS, "bbr-drain", Seconds, Median, Neither, Report, |f| bbr::longest(f, Phase::Drain))
        .means("longest stay of its BBR in DRAIN")
        .source("draft-ietf-ccwg-bbr; bbr.parquet phase, of v1 pacing_gain and cwnd_gain"),
    flow(STREAM_KINDS, "bbr-up", Seconds, Median, Neither, Report, |f| bbr::longest(f, Phase::Up))
        .means("longest stay of its BBR in the phase UP of PROBE_BW")
        .source("draft-ietf-ccwg-bbr; bbr.parquet phase, of v1 pacing_gain and cwnd_gain"),
    flow(STREAM_KINDS, "bbr-down", Seconds, Median, Neither, Report, |f| bbr::longest(f, Phase::Down))
        .means("longest stay of its BBR in the phase DOWN of PROBE_BW")
        .source("draft-ietf-ccwg-bbr; bbr.parquet phase, of v1 pacing_gain and cwnd_gain"),
    flow(STREAM_KINDS, "bbr-without-cruise", Count, Mean, Neither, Report, bbr::without_cruise)
        .over(Over::Sum)
        .means("how often its BBR went from DOWN to REFILL without CRUISE between them; none of v1")
        .source("draft-ietf-ccwg-bbr; bbr.parquet phase"),
    flow(STREAM_KINDS, "bbr-probe-rtt", Seconds, Median, Neither, Report, |f| bbr::longest(f, Phase::ProbeRtt))
        .means("longest stay of its BBR in PROBE_RTT")
        .source("draft-ietf-ccwg-bbr; bbr.parquet phase, of v1 pacing_gain and cwnd_gain"),
    flow(STREAM_KINDS, "bbr-probe-rtts", Count, Mean, Neither, Report, |f| bbr::entries(f, Phase::ProbeRtt))
        .over(Over::Sum)
        .means("how often its BBR came into PROBE_RTT")
        .source("draft-ietf-ccwg-bbr; bbr.parquet phase, of v1 pacing_gain and cwnd_gain"),
    flow(STREAM_KINDS, "bbr-drain-gain", Index, Mean, Neither, Report, |f| bbr::pacing_gain(f, Phase::Drain))
        .means("lowest pacing gain of its BBR in DRAIN")
        .source("draft-ietf-ccwg-bbr (BBR.pacing_gain); bbr.parquet pacing_gain"),
    flow(STREAM_KINDS, "bbr-down-gain", Index, Mean, Neither, Report, |f| bbr::pacing_gain(f, Phase::Down))
        .means("lowest pacing gain of its BBR in the phase DOWN of PROBE_BW")
        .source("draft-ietf-ccwg-bbr (BBR.pacing_gain); bbr.parquet pacing_gain"),
    flow(TCP_KINDS, "pmtu", PacketBytes, Median, Neither, Terminal, |f| f.sender(|s| s.pmtu as f64))
        .means("the sender's path MTU at the end")
        .source("RFC 1191; TCP_INFO pmtu"),
    flow(TCP_KINDS, "mss", PacketBytes, Median, Neither, Terminal, |f| f.sender(|s| s.snd_mss as f64))
        .means("the sender's payload per full segment at the end, before options that not every segment carries (SACK, AccECN)")
        .source("TCP_INFO snd_mss"),
    lane("utilisation", Ratio, Mean, More, First, lane::utilisation)
        .means(
            "share of what the link rate allows that left the queue, framing included, from the first flow's \
             start to the last one's end",
        )
        .source("RFC 5166, section 2.1.1; queues.parquet sent_bytes, sent_packets"),
    lane("queue-mean", Bytes, Mean, Less, First, |l| mean(l.backlog().iter().map(|n| *n as f64)))
        .means("mean backlog of the queue over the samples from the first flow's start to the last one's end")
        .source("queues.parquet backlog"),
    lane("queue-max", Bytes, Median, Less, Terminal, |l| most(l.backlog()))
        .means("largest backlog of the queue in a sample from the first flow's start to the last one's end")
        .source("queues.parquet backlog"),
    lane("queue-delay-mean", Seconds, Mean, Less, Terminal, |l| mean(l.delays.iter().copied()))
        .means(
            "mean time the link would take to send the backlog, framing included, over the samples from the first \
             flow's start to the last one's end",
        )
        .source("RFC 5166, section 2.1.2; queues.parquet backlog, packets"),
    lane("queue-delay-p95", Seconds, Median, Less, Report, |l| nearest_rank(&l.delays, 0.95).unwrap_or(f64::NAN))
        .means("95th percentile of the time the link would take to send the backlog, over the same samples")
        .source("RFC 5166, section 2.1.2; queues.parquet backlog, packets"),
    lane("queue-drops", Packets, Mean, Less, First, |l| lane::dropped(l.queue))
        .means("packets dropped by the queue")
        .source("queues.parquet drops"),
    lane("queue-ce", Ratio, Mean, Neither, Report, |l| lane::ecn_share(l, |ecn| ecn.ce))
        .means("share of the packets that left the queue with a CE mark, where its discipline may mark")
        .source("RFC 3168, section 5; ecn.parquet"),
    lane("queue-ect1", Ratio, Mean, Neither, Report, |l| lane::ecn_share(l, |ecn| ecn.ect1))
        .means("share of the packets that left the queue with ECT(1), the codepoint of L4S, where its discipline may mark")
        .source("RFC 9331, section 3; ecn.parquet"),
    lane("l-share", Ratio, Mean, Neither, IfAny, lane::l_share)
        .means("share of dualpi2's packets that came into its L queue")
        .source("RFC 9332; dualpi2.parquet packets_in_l, packets_in_c"),
    lane("l-delay-p95", Seconds, Median, Less, IfAny, |l| lane::dualpi2_delay(l, |q| q.delay_l, 0.95))
        .means("95th percentile over the samples of how long the first packet of dualpi2's L queue had waited")
        .source("RFC 9332; dualpi2.parquet delay_l"),
    lane("c-delay-p95", Seconds, Median, Less, IfAny, |l| lane::dualpi2_delay(l, |q| q.delay_c, 0.95))
        .means("95th percentile over the samples of how long the first packet of dualpi2's C queue had waited")
        .source("RFC 9332; dualpi2.parquet delay_c"),
    lane("nic-drops", Packets, Mean, Less, IfAny, lane::of_nic)
        .means(
            "packets dropped by the queue of the sending host's own interface, before the link; none where that \
             interface is the link's line",
        )
        .source("queues.parquet drops"),
    lane("loss-drops", Packets, Mean, Neither, First, lane::losses)
        .means("packets dropped on the way to the queue: by loss, outages, faults, policers and shapers")
        .source("queues.parquet drops; nft counters"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_is_whole_and_its_name_is_its_own() {
        let names: BTreeSet<&str> = MEASURES.iter().map(|measure| measure.name).collect();
        assert_eq!(names.len(), MEASURES.len());
        for measure in MEASURES {
            assert!(!measure.definition.is_empty() && !measure.source.is_empty(), "{}", measure.name);
            assert_eq!(measure.kinds().is_empty(), measure.subject() != Subject::Flow, "{}", measure.name);
            let is_mean = matches!(measure.computed, Computed::Flow { over: Over::Mean, .. });
            assert!(!(is_mean && measure.unit == Count), "{}: numbers of things add up", measure.name);
        }
    }

    #[test]
    fn the_terminal_shows_20_to_30_measures_of_a_bulk_flow() {
        let bulk = |measure: &&Measure| measure.subject() != Subject::Flow || measure.kinds().contains(&Bulk);
        let shown = MEASURES.iter().filter(bulk).filter(|measure| measure.shown <= Terminal).count();
        assert!((20..=30).contains(&shown), "{shown}");
    }
}
