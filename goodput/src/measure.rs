//! What goodput measures: one table that names each measure, its unit, its definition and where that comes from.

use crate::plan::Traffic;
pub use crate::stats::Centre;
use Better::{Less, More, Neither};
use Centre::{Mean, Median};
use Kind::{Bulk, Ping, Requests, Udp};
use Shown::{First, Report, Terminal};
use Unit::{BitsPerSecond, Bytes, Count, Index, PacketBytes, Packets, Ratio, Seconds};
use serde::{Deserialize, Serialize};

/// The unit in which a measure's value is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Bits per second.
    BitsPerSecond,
    /// Seconds.
    Seconds,
    /// A share of one.
    Ratio,
    /// Packets: segments of one MSS where a window is counted.
    Packets,
    /// Bytes of many packets.
    Bytes,
    /// Bytes of one packet.
    PacketBytes,
    /// A plain number of things.
    Count,
    /// A plain number that compares two things.
    Index,
}

impl Unit {
    /// As the tables of measures name it; empty for plain numbers.
    pub fn name(self) -> &'static str {
        match self {
            Unit::BitsPerSecond => "bit/s",
            Unit::Seconds => "s",
            Unit::Ratio => "share of 1",
            Unit::Packets => "packets",
            Unit::Bytes | Unit::PacketBytes => "bytes",
            Unit::Count | Unit::Index => "",
        }
    }
}

/// What a measure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// One flow.
    Flow,
    /// One direction of a link.
    Lane,
    /// All flows of a trial together.
    Trial,
}

/// Which of two values of a measure is the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Better {
    /// The larger.
    More,
    /// The smaller.
    Less,
    /// It depends on what is wanted.
    Neither,
}

/// Where a measure is shown; the report and `measures.json` have all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// In every table, also in those of the terminal that have a line for each of many rows.
    First,
    /// On the terminal where a few rows stand side by side.
    Terminal,
    /// In the report alone.
    Report,
}

/// What a flow does: a [`Traffic`] without its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bulk data over TCP.
    Bulk,
    /// Requests and responses over TCP.
    Requests,
    /// Datagrams.
    Udp,
    /// ICMP echo requests.
    Ping,
}

impl Kind {
    /// Of a flow's traffic.
    pub fn of(traffic: &Traffic) -> Kind {
        match traffic {
            Traffic::Bulk { .. } => Bulk,
            Traffic::Requests { .. } => Requests,
            Traffic::Udp { .. } => Udp,
            Traffic::Ping { .. } => Ping,
        }
    }

    /// As an experiment calls it.
    pub fn name(self) -> &'static str {
        match self {
            Bulk => "bulk",
            Requests => "requests",
            Udp => "udp",
            Ping => "ping",
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub struct Measure {
    /// Its name in specs, tables and JSON.
    pub name: &'static str,
    /// What it is about.
    pub subject: Subject,
    /// The kinds of flows that have it, though not every one has a value; none unless it is about flows.
    pub kinds: &'static [Kind],
    /// The unit of its value.
    pub unit: Unit,
    /// What summarises it over seeds.
    pub centre: Centre,
    /// Which of two values is the better one.
    pub better: Better,
    /// Where it is shown.
    pub shown: Shown,
    /// Its definition, one sentence.
    pub definition: &'static str,
    /// Where the definition or the figure comes from: a document, a paper, a field of the kernel's.
    pub source: &'static str,
}

/// What a measure is about, and the kinds of flows that have it.
type Of = (Subject, &'static [Kind]);

const BULK: Of = (Subject::Flow, &[Bulk]);
const TCP: Of = (Subject::Flow, &[Bulk, Requests]);
const CARRIED: Of = (Subject::Flow, &[Bulk, Requests, Udp]);
const TIMED: Of = (Subject::Flow, &[Bulk, Requests, Ping]);
const ANSWERED: Of = (Subject::Flow, &[Requests, Ping]);
const REQUESTS: Of = (Subject::Flow, &[Requests]);
const DATAGRAMS: Of = (Subject::Flow, &[Udp]);
const LANE: Of = (Subject::Lane, &[]);
const TRIAL: Of = (Subject::Trial, &[]);

const fn measure(
    (subject, kinds): Of,
    name: &'static str,
    unit: Unit,
    centre: Centre,
    better: Better,
    shown: Shown,
) -> Measure {
    Measure { name, subject, kinds, unit, centre, better, shown, definition: "", source: "" }
}

impl Measure {
    const fn means(self, definition: &'static str) -> Measure {
        Measure { definition, ..self }
    }

    const fn source(self, source: &'static str) -> Measure {
        Measure { source, ..self }
    }
}

/// Every measure, in the order of the columns of tables: what people ask first comes first.
pub const MEASURES: &[Measure] = &[
    measure(CARRIED, "goodput", BitsPerSecond, Mean, More, First)
        .means(
            "payload that arrived over the flow's time, from its start to its end: in order of bulk data, of \
             requests and responses that were completed, of datagrams that came by then",
        )
        .source("RFC 5166, section 2.1.1; TCP_INFO bytes_received"),
    measure(BULK, "goodput-steady", BitsPerSecond, Mean, More, Terminal)
        .means("goodput from steady-from on to the flow's end")
        .source("White 1997; TCP_INFO bytes_received"),
    measure(TCP, "completion", Seconds, Median, Less, Terminal)
        .means(
            "flow completion time: from the start of the connection until all that the flow carries has \
             arrived; none of flows that end at a time, or broke",
        )
        .source("Dukkipati and McKeown 2006; RFC 5166, section 2.1.1"),
    measure(TRIAL, "jain", Index, Mean, More, First)
        .means(
            "Jain's index of what the load's flows brought while all of them ran: 1 if all brought the same, \
             1/n if one of n brought all",
        )
        .source("Jain, Chiu and Hawe 1984 (DEC-TR-301)"),
    measure(TRIAL, "jain-1s", Index, Mean, More, Terminal)
        .means(
            "mean of Jain's index over seconds side by side in which all of the load's flows ran; over \
             windows of ten round trips of the longest empty path where these are longer",
        )
        .source("Jain, Chiu and Hawe 1984 (DEC-TR-301)"),
    measure(TRIAL, "convergence", Seconds, Median, Less, Terminal)
        .means(
            "from the start of the last of the load's flows to the end of the first window, as long as those \
             of jain-1s and beginning every tenth of that, in which no flow brought less than 90 % of the \
             equal share (delta 0.1); none if there was no such window while all ran",
        )
        .source("RFC 5166, section 2.3; Bansal, Balakrishnan, Floyd and Shenker 2001"),
    measure(TCP, "fair-share", Index, Mean, Neither, Report)
        .means(
            "what a flow of the load brought over the equal share of what all flows of the load did, while \
             all of them ran",
        )
        .source("RFC 5166, section 2.3; TCP_INFO bytes_received"),
    measure(ANSWERED, "exchanges", Count, Mean, More, Terminal)
        .means("requests whose response arrived, or pings that were answered")
        .source("exchanges.parquet"),
    measure(ANSWERED, "unanswered", Count, Mean, Less, First)
        .means(
            "requests and pings without an answer; a request that the flow's end cut short counts if it had \
             taken longer than every other",
        )
        .source("exchanges.parquet"),
    measure(REQUESTS, "exchange-p50", Seconds, Median, Less, First)
        .means("median time from the start of a request to the end of its response")
        .source("exchanges.parquet start, end"),
    measure(REQUESTS, "exchange-p95", Seconds, Median, Less, Terminal)
        .means("95th percentile of the time from the start of a request to the end of its response")
        .source("exchanges.parquet start, end"),
    measure(REQUESTS, "exchange-max", Seconds, Median, Less, Terminal)
        .means("longest time from the start of a request to the end of its response")
        .source("exchanges.parquet start, end"),
    measure(DATAGRAMS, "lost", Ratio, Mean, Less, First)
        .means("datagrams that never arrived over datagrams sent")
        .source("RFC 7680"),
    measure(DATAGRAMS, "reordered", Ratio, Mean, Less, Terminal)
        .means("datagrams that arrived after one that was sent later over datagrams that arrived")
        .source("RFC 4737, section 3"),
    measure(TCP, "retransmitted", Ratio, Mean, Less, First)
        .means("payload bytes retransmitted over payload bytes sent, retransmissions included")
        .source("TCP_INFO bytes_retrans, bytes_sent"),
    measure(TCP, "loss-events", Count, Mean, Less, Terminal)
        .means(
            "congestion events of the sender: entries into CWR, recovery or loss, and new thresholds within \
             these; with record.acks each, else as samples tell, of which two within record.interval count \
             once",
        )
        .source("RFC 5681; TCP_INFO ca_state, snd_ssthresh, snd_cwnd; acks.parquet"),
    measure(TIMED, "rtt-min", Seconds, Median, Less, Terminal)
        .means("smallest round-trip time that the sender saw; of pings the shortest")
        .source("TCP_INFO min_rtt; exchanges.parquet start, end"),
    measure(TIMED, "rtt-p50", Seconds, Median, Less, First)
        .means(
            "median of the sender's smoothed round-trip time over all samples; of pings the median of their \
             own times",
        )
        .source("RFC 6298; TCP_INFO rtt; exchanges.parquet start, end"),
    measure(TIMED, "rtt-p95", Seconds, Median, Less, Terminal)
        .means(
            "95th percentile of the sender's smoothed round-trip time over all samples; of pings that of \
             their own times",
        )
        .source("RFC 6298; TCP_INFO rtt; exchanges.parquet start, end"),
    measure(TIMED, "rtt-p99", Seconds, Median, Less, Report)
        .means(
            "99th percentile of the sender's smoothed round-trip time over all samples; of pings that of \
             their own times",
        )
        .source("RFC 6298; TCP_INFO rtt; exchanges.parquet start, end"),
    measure(TCP, "cwnd-mean", Packets, Mean, Neither, First)
        .means("mean of the congestion window over all samples")
        .source("TCP_INFO snd_cwnd"),
    measure(TCP, "cwnd-max", Packets, Median, Neither, Terminal)
        .means("largest congestion window in a sample")
        .source("TCP_INFO snd_cwnd"),
    measure(TCP, "cwnd-peak", Packets, Mean, Neither, Report)
        .means(
            "mean of the congestion window when it was last seen before each loss event, without that which \
             ends the first slow start",
        )
        .source("TCP_INFO snd_cwnd; acks.parquet cwnd"),
    measure(TCP, "cwnd-period", Seconds, Mean, Neither, Report)
        .means("mean time from one loss event to the next, without that which ends the first slow start")
        .source("TCP_INFO ca_state; acks.parquet ca_state"),
    measure(TCP, "cwnd-step", Packets, Mean, Less, Report)
        .means(
            "mean rise of the congestion window from one ACK to the next, of those between which it rose in \
             congestion avoidance: above the threshold, and in no recovery; with record.acks",
        )
        .source("RFC 5681, section 3.1; acks.parquet cwnd, ssthresh, ca_state"),
    measure(TCP, "cwnd-step-max", Packets, Median, Less, Report)
        .means("largest of these rises")
        .source("RFC 5681, section 3.1; acks.parquet cwnd, ssthresh, ca_state"),
    measure(TCP, "burst", Packets, Median, Less, Report)
        .means(
            "median over round trips of the most new segments that left between the arrival of one ACK and \
             that of the next at another time; of senders without pacing, with record.acks",
        )
        .source("Allman and Blanton 2005; acks.parquet packets_out, delivered, sacked_out"),
    measure(TCP, "burst-max", Packets, Median, Less, Report)
        .means("largest of these bursts")
        .source("Allman and Blanton 2005; acks.parquet packets_out, delivered, sacked_out"),
    measure(TCP, "limited-cwnd", Ratio, Mean, Neither, Terminal)
        .means(
            "share of the flow's time in which there was data to send and neither the receive window nor the \
             send buffer held it back",
        )
        .source("TCP_INFO busy_time, rwnd_limited, sndbuf_limited"),
    measure(TCP, "limited-rwnd", Ratio, Mean, Neither, Terminal)
        .means("share of the flow's time in which the receive window held it back")
        .source("TCP_INFO rwnd_limited"),
    measure(TCP, "limited-sndbuf", Ratio, Mean, Neither, Terminal)
        .means("share of the flow's time in which the send buffer held it back")
        .source("TCP_INFO sndbuf_limited"),
    measure(TCP, "limited-app", Ratio, Mean, Neither, Terminal)
        .means(
            "share of the flow's time in which the application had given nothing to send: the time less the \
             busy time",
        )
        .source("TCP_INFO busy_time"),
    measure(TCP, "delivered-ce", Ratio, Mean, Neither, Terminal)
        .means("segments delivered with a CE mark over segments delivered")
        .source("RFC 3168; TCP_INFO delivered_ce, delivered"),
    measure(TCP, "reordering", Count, Mean, Neither, Report)
        .means("times that the sender saw segments overtake others")
        .source("TCP_INFO reord_seen"),
    measure(TCP, "out-of-order", Ratio, Mean, Neither, Terminal)
        .means(
            "segments that reached the receiver while an earlier one was missing, late or lost, over segments \
             with payload that reached it",
        )
        .source("TCP_INFO rcv_ooopack, data_segs_in"),
    measure(TCP, "rto", Count, Mean, Less, Terminal)
        .means("retransmission timeouts of the sender, those of a SYN included")
        .source("RFC 6298; TCP_INFO total_rto, from Linux 6.7 on"),
    measure(TCP, "rto-time", Ratio, Mean, Less, Report)
        .means("share of the flow's time that the sender spent in recoveries from timeouts")
        .source("TCP_INFO total_rto_time, from Linux 6.7 on"),
    measure(BULK, "transfer-time-ratio", Index, Median, Less, Report)
        .means(
            "time of the flow over the time in which the slowest line, policer or shaper on its way could \
             carry as much in full segments back to back, as if the flow had it alone; none through a tunnel",
        )
        .source("RFC 6349, section 4.1"),
    measure(TCP, "tcp-efficiency", Ratio, Mean, More, Report)
        .means("payload bytes sent less those retransmitted over payload bytes sent, retransmissions included")
        .source("RFC 6349, section 4.2"),
    measure(TCP, "buffer-delay", Index, Mean, Less, Report)
        .means(
            "what the mean of the smoothed round-trip time over all samples is above the round-trip time of \
             the empty path, over the latter",
        )
        .source("RFC 6349, section 4.3"),
    measure(BULK, "power", Index, Mean, More, Report)
        .means(
            "goodput over delay, normalised: the ideal goodput's share that the flow got, times the \
             round-trip time of the empty path over the mean of the smoothed round-trip time; 1 is a full \
             line and no queue",
        )
        .source("Kleinrock 1979"),
    measure(BULK, "steady-from", Seconds, Median, Less, Report)
        .means(
            "time from the flow's start to its steady state: the truncation point of MSER-5 on goodput in \
             bins of a round trip of the empty path, or of record.interval if that is longer; none if that is \
             beyond half of the flow's time, or if there are fewer than 100 bins",
        )
        .source("White 1997; White, Cobb and Spratt 2000"),
    measure(TCP, "pmtu", PacketBytes, Median, Neither, Terminal)
        .means("path MTU that the sender had at the end")
        .source("RFC 1191; TCP_INFO pmtu"),
    measure(TCP, "mss", PacketBytes, Median, Neither, Terminal)
        .means("payload of a full segment of the sender's at the end")
        .source("TCP_INFO snd_mss"),
    measure(LANE, "utilisation", Ratio, Mean, More, First)
        .means(
            "bits that left the queue, framing included, over what the line's rate allows, from the first \
             flow's start to the last one's end",
        )
        .source("RFC 5166, section 2.1.1; queues.parquet sent_bytes, sent_packets"),
    measure(LANE, "queue-mean", Bytes, Mean, Less, First)
        .means("mean backlog of the queue over the samples from the first flow's start to the last one's end")
        .source("queues.parquet backlog"),
    measure(LANE, "queue-max", Bytes, Median, Less, Terminal)
        .means("largest backlog of the queue in a sample from the first flow's start to the last one's end")
        .source("queues.parquet backlog"),
    measure(LANE, "queue-delay-mean", Seconds, Mean, Less, Terminal)
        .means(
            "mean time that the line would take to send the backlog, framing included, over the samples from \
             the first flow's start to the last one's end",
        )
        .source("RFC 5166, section 2.1.2; queues.parquet backlog, packets"),
    measure(LANE, "queue-delay-p95", Seconds, Median, Less, Report)
        .means("95th percentile of the time that the line would take to send the backlog, over the same samples")
        .source("RFC 5166, section 2.1.2; queues.parquet backlog, packets"),
    measure(LANE, "queue-drops", Packets, Mean, Less, First)
        .means("packets that the queue dropped")
        .source("queues.parquet drops"),
    measure(LANE, "loss-drops", Packets, Mean, Neither, First)
        .means(
            "packets that were dropped on the way to the queue: by losses, outages, faults, policers and \
             shapers",
        )
        .source("queues.parquet drops; nft counters"),
];

/// Whether flows of such traffic have a measure of flows, though not every flow has a value of it.
pub fn has(traffic: &Traffic, name: &str) -> bool {
    find(name).is_some_and(|measure| measure.kinds.contains(&Kind::of(traffic)))
}

/// The measure of that name.
pub fn find(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|m| m.name == name)
}

/// The unit of the measure of that name.
pub fn unit(name: &str) -> Unit {
    find(name).map_or(Ratio, |measure| measure.unit)
}

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
            assert_eq!(measure.kinds.is_empty(), measure.subject != Subject::Flow, "{}", measure.name);
        }
    }

    #[test]
    fn the_terminal_shows_about_twenty_measures_of_a_flow_and_its_line() {
        let bulk = |measure: &&Measure| measure.subject != Subject::Flow || measure.kinds.contains(&Bulk);
        let shown = MEASURES.iter().filter(bulk).filter(|measure| measure.shown <= Terminal).count();
        assert!((20..=28).contains(&shown), "{shown}");
    }
}
