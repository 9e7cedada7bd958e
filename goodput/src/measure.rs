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
            Unit::Ratio => "ratio",
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
            "payload delivered over the flow's time, from its start to its end: in order for bulk data, in \
             completed requests and responses, in datagrams that arrived by then",
        )
        .source("RFC 5166, section 2.1.1; TCP_INFO bytes_received"),
    measure(BULK, "goodput-steady", BitsPerSecond, Mean, More, Terminal)
        .means("goodput from steady-from to the end of the flow")
        .source("White 1997; TCP_INFO bytes_received"),
    measure(TCP, "completion", Seconds, Median, Less, Terminal)
        .means(
            "flow completion time: from the start of the connection until everything the flow carries has \
             arrived; none for flows that end at a given time, or broke",
        )
        .source("Dukkipati and McKeown 2006; RFC 5166, section 2.1.1"),
    measure(TRIAL, "jain", Index, Mean, More, First)
        .means(
            "Jain's index of what the load's flows delivered while all of them ran: 1 if all delivered the same, \
             1/n if one of n delivered everything",
        )
        .source("Jain, Chiu and Hawe 1984 (DEC-TR-301)"),
    measure(TRIAL, "jain-1s", Index, Mean, More, Terminal)
        .means(
            "mean of Jain's index over consecutive seconds in which all of the load's flows ran; over windows of \
             ten RTTs of the longest idle path if those are longer",
        )
        .source("Jain, Chiu and Hawe 1984 (DEC-TR-301)"),
    measure(TRIAL, "convergence", Seconds, Median, Less, Terminal)
        .means(
            "from the start of the last of the load's flows to the end of the first window in which every flow \
             got at least 90 % of an equal share (delta 0.1); windows are as long as for jain-1s and start every \
             tenth of that; none if there was no such window while all ran",
        )
        .source("RFC 5166, section 2.3; Bansal, Balakrishnan, Floyd and Shenker 2001"),
    measure(TCP, "fair-share", Index, Mean, Neither, Report)
        .means("what a flow of the load delivered over an equal share of what all of them did, while all of them ran")
        .source("RFC 5166, section 2.3; TCP_INFO bytes_received"),
    measure(ANSWERED, "exchanges", Count, Mean, More, Terminal)
        .means("requests whose response arrived, or pings that were answered")
        .source("exchanges.parquet"),
    measure(ANSWERED, "unanswered", Count, Mean, Less, First)
        .means(
            "requests and pings without an answer; a request cut short by the end of the flow counts if it had \
             already taken longer than every other",
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
        .means("share of the datagrams sent that never arrived")
        .source("RFC 7680"),
    measure(DATAGRAMS, "reordered", Ratio, Mean, Less, Terminal)
        .means("share of the arrived datagrams that arrived after one sent later")
        .source("RFC 4737, section 3"),
    measure(TCP, "retransmitted", Ratio, Mean, Less, First)
        .means("share of the payload bytes sent that were retransmissions")
        .source("TCP_INFO bytes_retrans, bytes_sent"),
    measure(TCP, "loss-events", Count, Mean, Less, Terminal)
        .means(
            "congestion events at the sender: transitions into CWR, recovery or loss, and new ssthresh values \
             within these; exact with record.acks, otherwise from samples, where two within record.interval count \
             as one",
        )
        .source("RFC 5681; TCP_INFO ca_state, snd_ssthresh, snd_cwnd; acks.parquet"),
    measure(TIMED, "rtt-min", Seconds, Median, Less, Terminal)
        .means("lowest RTT the sender saw; for pings, the shortest")
        .source("TCP_INFO min_rtt; exchanges.parquet start, end"),
    measure(TIMED, "rtt-p50", Seconds, Median, Less, First)
        .means("median of the sender's SRTT over all samples; for pings, of their own RTTs")
        .source("RFC 6298; TCP_INFO rtt; exchanges.parquet start, end"),
    measure(TIMED, "rtt-p95", Seconds, Median, Less, Terminal)
        .means("95th percentile of the sender's SRTT over all samples; for pings, of their own RTTs")
        .source("RFC 6298; TCP_INFO rtt; exchanges.parquet start, end"),
    measure(TIMED, "rtt-p99", Seconds, Median, Less, Report)
        .means("99th percentile of the sender's SRTT over all samples; for pings, of their own RTTs")
        .source("RFC 6298; TCP_INFO rtt; exchanges.parquet start, end"),
    measure(TCP, "cwnd-mean", Packets, Mean, Neither, First)
        .means("mean cwnd over all samples")
        .source("TCP_INFO snd_cwnd"),
    measure(TCP, "cwnd-max", Packets, Median, Neither, Terminal)
        .means("largest cwnd in a sample")
        .source("TCP_INFO snd_cwnd"),
    measure(TCP, "cwnd-peak", Packets, Mean, Neither, Report)
        .means("mean of cwnd as last seen before each loss event, except the one that ends the first slow start")
        .source("TCP_INFO snd_cwnd; acks.parquet cwnd"),
    measure(TCP, "cwnd-period", Seconds, Mean, Neither, Report)
        .means("mean time between loss events, except the one that ends the first slow start")
        .source("TCP_INFO ca_state; acks.parquet ca_state"),
    measure(TCP, "cwnd-step", Packets, Mean, Less, Report)
        .means(
            "mean increase of cwnd from one ACK to the next, where it increased in congestion avoidance: above \
             ssthresh and outside recovery; with record.acks",
        )
        .source("RFC 5681, section 3.1; acks.parquet cwnd, ssthresh, ca_state"),
    measure(TCP, "cwnd-step-max", Packets, Median, Less, Report)
        .means("largest of these increases")
        .source("RFC 5681, section 3.1; acks.parquet cwnd, ssthresh, ca_state"),
    measure(TCP, "burst", Packets, Median, Less, Report)
        .means(
            "median over RTTs of the most new segments sent between one ACK and the next that arrived at a \
             different time; for senders without pacing, with record.acks",
        )
        .source("Allman and Blanton 2005; acks.parquet packets_out, delivered, sacked_out"),
    measure(TCP, "burst-max", Packets, Median, Less, Report)
        .means("largest of these bursts")
        .source("Allman and Blanton 2005; acks.parquet packets_out, delivered, sacked_out"),
    measure(TCP, "limited-cwnd", Ratio, Mean, Neither, Terminal)
        .means(
            "share of the flow's time in which there was data to send and neither the receive window nor the send \
             buffer held it back",
        )
        .source("TCP_INFO busy_time, rwnd_limited, sndbuf_limited"),
    measure(TCP, "limited-rwnd", Ratio, Mean, Neither, Terminal)
        .means("share of the flow's time in which the receive window was the limit")
        .source("TCP_INFO rwnd_limited"),
    measure(TCP, "limited-sndbuf", Ratio, Mean, Neither, Terminal)
        .means("share of the flow's time in which the send buffer was the limit")
        .source("TCP_INFO sndbuf_limited"),
    measure(TCP, "limited-app", Ratio, Mean, Neither, Terminal)
        .means("share of the flow's time in which the application had nothing to send: the time less the busy time")
        .source("TCP_INFO busy_time"),
    measure(TCP, "delivered-ce", Ratio, Mean, Neither, Terminal)
        .means("share of the delivered segments that had a CE mark")
        .source("RFC 3168; TCP_INFO delivered_ce, delivered"),
    measure(TCP, "reordering", Count, Mean, Neither, Report)
        .means("number of reordering events the sender saw")
        .source("TCP_INFO reord_seen"),
    measure(TCP, "out-of-order", Ratio, Mean, Neither, Terminal)
        .means(
            "share of the data segments reaching the receiver that arrived while an earlier one was missing, late \
             or lost",
        )
        .source("TCP_INFO rcv_ooopack, data_segs_in"),
    measure(TCP, "rto", Count, Mean, Less, Terminal)
        .means("retransmission timeouts of the sender, including those of a SYN")
        .source("RFC 6298; TCP_INFO total_rto, from Linux 6.7 on"),
    measure(TCP, "rto-time", Ratio, Mean, Less, Report)
        .means("share of the flow's time that the sender spent recovering from timeouts")
        .source("TCP_INFO total_rto_time, from Linux 6.7 on"),
    measure(BULK, "transfer-time-ratio", Index, Median, Less, Report)
        .means(
            "the flow's time over the time that the slowest link, policer or shaper on its path would need for \
             the same data in full segments back to back, with no other traffic; none through a tunnel",
        )
        .source("RFC 6349, section 4.1"),
    measure(TCP, "tcp-efficiency", Ratio, Mean, More, Report)
        .means("share of the payload bytes sent that were not retransmissions")
        .source("RFC 6349, section 4.2"),
    measure(TCP, "buffer-delay", Index, Mean, Less, Report)
        .means("mean SRTT over all samples, less the RTT of the idle path, over the latter")
        .source("RFC 6349, section 4.3"),
    measure(BULK, "power", Index, Mean, More, Report)
        .means(
            "goodput over delay, normalised: share of the ideal goodput times the RTT of the idle path over the \
             mean SRTT; 1 is a full link and no queue",
        )
        .source("Kleinrock 1979"),
    measure(BULK, "steady-from", Seconds, Median, Less, Report)
        .means(
            "time from the start of the flow to steady state: the truncation point of MSER-5 on goodput in bins \
             of one RTT of the idle path, or of record.interval if longer; none if that is beyond half of the \
             flow's time, or with fewer than 100 bins",
        )
        .source("White 1997; White, Cobb and Spratt 2000"),
    measure(TCP, "pmtu", PacketBytes, Median, Neither, Terminal)
        .means("the sender's path MTU at the end")
        .source("RFC 1191; TCP_INFO pmtu"),
    measure(TCP, "mss", PacketBytes, Median, Neither, Terminal)
        .means("the sender's payload per full segment at the end")
        .source("TCP_INFO snd_mss"),
    measure(LANE, "utilisation", Ratio, Mean, More, First)
        .means(
            "share of what the link rate allows that left the queue, framing included, from the first flow's \
             start to the last one's end",
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
            "mean time the link would take to send the backlog, framing included, over the samples from the first \
             flow's start to the last one's end",
        )
        .source("RFC 5166, section 2.1.2; queues.parquet backlog, packets"),
    measure(LANE, "queue-delay-p95", Seconds, Median, Less, Report)
        .means("95th percentile of the time the link would take to send the backlog, over the same samples")
        .source("RFC 5166, section 2.1.2; queues.parquet backlog, packets"),
    measure(LANE, "queue-drops", Packets, Mean, Less, First)
        .means("packets dropped by the queue")
        .source("queues.parquet drops"),
    measure(LANE, "loss-drops", Packets, Mean, Neither, First)
        .means("packets dropped on the way to the queue: by loss, outages, faults, policers and shapers")
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
