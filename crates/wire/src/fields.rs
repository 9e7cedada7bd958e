//! Layout of the kernel's records as tables: name, width, unit and meaning of each column.
//!
//! `kernel/module/sample.c` and its neighbours declare the same layouts in C; `include/uapi/linux/tcp.h` declares
//! TCP_INFO.

/// How a column is stored in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// One byte.
    U8,
    /// Two bytes.
    U16,
    /// Four bytes.
    U32,
    /// Eight bytes.
    U64,
    /// Four bytes; all bits set: the value is absent.
    Some32,
    /// Eight bytes; all bits set: the value is absent.
    Some64,
    /// The low half of a byte; the next column is the high half.
    Low4,
    /// The high half of the byte that an earlier column began.
    High4,
    /// The lowest bit of a byte; its other bits are not recorded.
    Bit,
    /// The two lowest bits of a byte; columns after it share the byte.
    Low2,
    /// The two bits above [`ColumnType::Low2`].
    Next2,
    /// Text of this many bytes, NUL-padded.
    Text(usize),
}

impl ColumnType {
    /// Returns the bytes from this column's start to the next column's.
    pub const fn width(self) -> usize {
        match self {
            ColumnType::U8 | ColumnType::High4 | ColumnType::Bit => 1,
            ColumnType::Low4 | ColumnType::Low2 | ColumnType::Next2 => 0,
            ColumnType::U16 => 2,
            ColumnType::U32 | ColumnType::Some32 => 4,
            ColumnType::U64 | ColumnType::Some64 => 8,
            ColumnType::Text(n) => n,
        }
    }
}

/// One column of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Name in the Parquet files.
    pub name: &'static str,
    /// Storage in a frame.
    pub kind: ColumnType,
    /// Unit; empty for numbers without one.
    pub unit: &'static str,
    /// Meaning of the value.
    pub meaning: &'static str,
}

const fn column(name: &'static str, kind: ColumnType, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, kind, unit, meaning }
}

use ColumnType::*;

/// The head of a sample, before TCP_INFO.
pub const SAMPLE: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("flow", U32, "", "number of the flow"),
    column("end", U32, "", "0 the sender, of requests the server; 1 the receiver"),
    column("sndbuf", U32, "bytes", "sk_sndbuf: limit of the send buffer, as memory"),
    column("wmem_queued", U32, "bytes", "sk_wmem_queued: memory of the send queue"),
    column("rcvbuf", U32, "bytes", "sk_rcvbuf: limit of the receive buffer, as memory"),
    column("rmem_alloc", U32, "bytes", "memory of the receive queue"),
];

/// Counters of one end of a flow of programs, at a sample and once more when all packets had arrived.
pub const PROGRAM: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("flow", U32, "", "number of the flow"),
    column("end", U32, "", "0 the program that `sends`, 1 the other"),
    column("bytes_sent", U64, "bytes", "payload of UDP, and of TCP with what it sent again"),
    column("bytes_received", U64, "bytes", "payload of UDP, and of TCP in order"),
    column("packets_sent", U64, "packets", "handed to IP; those of a segmentation offload count one by one"),
    column("packets_received", U64, "packets", "handed on by IP, likewise"),
    column("ce_received", U64, "packets", "of these, with a CE mark (RFC 3168)"),
];

/// The head of a sample of a subflow, or of a program's TCP connection, before TCP_INFO.
pub const SUBFLOW: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("flow", U32, "", "number of the flow"),
    column("end", U32, "", "0 the sender, of requests the server; 1 the receiver"),
    column(
        "subflow",
        U32,
        "",
        "number of the subflow at this end, from 1 in the order in which they began; of programs the client's port",
    ),
    column("address", U32, "", "its own address, 10.0.S.N as a number; for IPv6 too, where it is fd00:0:0:S::N"),
    column("backup", U32, "", "1: used only if no other subflow is there (RFC 8684, 3.3.8)"),
];

/// The head of a sample of a tunnel's TCP connection at one end, before TCP_INFO.
pub const TUNNEL: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("tunnel", U32, "", "number of the tunnel, from 0 in the order written"),
    column("end", U32, "", "0 the first of `between`, which connects; 1 the second"),
    column("sndbuf", U32, "bytes", "sk_sndbuf: limit of the send buffer, as memory"),
    column("wmem_queued", U32, "bytes", "sk_wmem_queued: memory of the send queue"),
];

/// TCP_INFO (include/uapi/linux/tcp.h), from the start of `struct tcp_info` on.
pub const TCP_INFO: &[Column] = &[
    column("state", U8, "", "TCP state (1 ESTABLISHED)"),
    column("ca_state", U8, "", "0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss"),
    column("retransmits", U8, "timeouts", "consecutive timeouts without an ACK of new data"),
    column("probes", U8, "", "zero-window or keepalive probes outstanding"),
    column("backoff", U8, "", "exponent of the timer's backoff"),
    column("options", U8, "", "negotiated options: 1 timestamps, 2 SACK, 4 window scale, 8 ECN"),
    column("snd_wscale", Low4, "bits", "window scale of the peer"),
    column("rcv_wscale", High4, "bits", "window scale announced"),
    column("delivery_rate_app_limited", Bit, "", "delivery_rate was limited by the application"),
    column("rto", U32, "us", "retransmission timeout"),
    column("ato", U32, "us", "delayed-ACK timeout"),
    column("snd_mss", U32, "bytes", "payload of a full segment sent"),
    column("rcv_mss", U32, "bytes", "estimate of the peer's segment payload"),
    column("unacked", U32, "packets", "sent and not acknowledged"),
    column("sacked", U32, "packets", "selectively acknowledged"),
    column("lost", U32, "packets", "taken for lost"),
    column("retrans", U32, "packets", "retransmitted and not yet acknowledged"),
    column("fackets", U32, "", "unused by the kernel"),
    column("last_data_sent", U32, "ms", "since data was last sent"),
    column("last_ack_sent", U32, "", "unused by the kernel"),
    column("last_data_recv", U32, "ms", "since data was last received"),
    column("last_ack_recv", U32, "ms", "since an ACK was last received"),
    column("pmtu", U32, "bytes", "path MTU"),
    column("rcv_ssthresh", U32, "bytes", "clamp of the announced window"),
    column("rtt", U32, "us", "smoothed round-trip time, SRTT (RFC 6298)"),
    column("rttvar", U32, "us", "mean deviation of the round-trip time"),
    column("snd_ssthresh", U32, "packets", "slow-start threshold; 2147483647 while there is none"),
    column("snd_cwnd", U32, "packets", "congestion window"),
    column("advmss", U32, "bytes", "MSS announced to the peer"),
    column("reordering", U32, "packets", "reordering that loss detection tolerates"),
    column("rcv_rtt", U32, "us", "round-trip time as the receiver estimates it"),
    column("rcv_space", U32, "bytes", "what the receiver's autotuning aims at"),
    column("total_retrans", U32, "packets", "retransmitted since the connection began"),
    column("pacing_rate", U64, "bytes/s", "rate at which segments are paced"),
    column("max_pacing_rate", U64, "bytes/s", "limit of the pacing rate"),
    column("bytes_acked", U64, "bytes", "acknowledged by the peer (RFC 4898)"),
    column("bytes_received", U64, "bytes", "received in order (RFC 4898)"),
    column("segs_out", U32, "packets", "segments sent, pure ACKs included"),
    column("segs_in", U32, "packets", "segments received, pure ACKs included"),
    column("notsent_bytes", U32, "bytes", "in the send buffer and not yet sent"),
    column("min_rtt", U32, "us", "smallest round-trip time in the kernel's window (tcp_min_rtt_wlen)"),
    column("data_segs_in", U32, "packets", "segments with payload received"),
    column("data_segs_out", U32, "packets", "segments with payload sent, retransmissions included"),
    column("delivery_rate", U64, "bytes/s", "latest estimate of the rate of delivery"),
    column("busy_time", U64, "us", "time with data outstanding or waiting, the limited times included"),
    column("rwnd_limited", U64, "us", "time limited by the peer's receive window"),
    column("sndbuf_limited", U64, "us", "time limited by the send buffer"),
    column("delivered", U32, "packets", "delivered, retransmissions included"),
    column("delivered_ce", U32, "packets", "delivered with a CE mark"),
    column("bytes_sent", U64, "bytes", "payload sent, retransmissions included"),
    column("bytes_retrans", U64, "bytes", "payload retransmitted"),
    column("dsack_dups", U32, "packets", "duplicates that DSACK reported"),
    column("reord_seen", U32, "events", "reordering seen"),
    column("rcv_ooopack", U32, "packets", "received out of order"),
    column("snd_wnd", U32, "bytes", "receive window that the peer announced, scaled"),
    column("rcv_wnd", U32, "bytes", "receive window announced, scaled"),
    column("rehash", U32, "", "changes of the flow label or hash after timeouts"),
    column("total_rto", U16, "timeouts", "retransmission timeouts, SYN included"),
    column("total_rto_recoveries", U16, "events", "recoveries from timeouts"),
    column("total_rto_time", U32, "ms", "time spent in recoveries from timeouts"),
    column("received_ce", U32, "packets", "received with a CE mark"),
    column("delivered_e1_bytes", U32, "bytes", "delivered as ECT(1), as the peer's AccECN option says"),
    column("delivered_e0_bytes", U32, "bytes", "delivered as ECT(0), as the peer's AccECN option says"),
    column("delivered_ce_bytes", U32, "bytes", "delivered with a CE mark, as the peer's AccECN option says"),
    column("received_e1_bytes", U32, "bytes", "received as ECT(1) with AccECN"),
    column("received_e0_bytes", U32, "bytes", "received as ECT(0) with AccECN"),
    column("received_ce_bytes", U32, "bytes", "received with a CE mark with AccECN"),
    column("ecn_mode", Low2, "", "negotiated: 0 none, 1 ECN (RFC 3168), 2 AccECN (RFC 9768), 3 not yet known"),
    column("accecn_opt_seen", Next2, "", "AccECN option of the peer: 0 not seen, 1 empty, 2 with counters"),
    column("accecn_fail_mode", High4, "", "what of AccECN failed: 1, 2 ACE sent, received; 4, 8 option sent, received"),
];

/// Columns of [`SAMPLE`] and [`TCP_INFO`] that a FreeBSD end fills: its tcpcb has them in the same meaning and unit.
pub const OF_FREEBSD: &[&str] = &[
    "time",
    "flow",
    "end",
    "retransmits",
    "backoff",
    "options",
    "snd_wscale",
    "rcv_wscale",
    "rto",
    "snd_mss",
    "unacked",
    "sacked",
    "retrans",
    "rtt",
    "rttvar",
    "snd_ssthresh",
    "snd_cwnd",
    "total_retrans",
    "bytes_acked",
    "bytes_received",
    "notsent_bytes",
    "rcv_ooopack",
    "snd_wnd",
    "rcv_wnd",
];

/// Columns of [`ACK`] that a FreeBSD sender fills.
pub const ACK_OF_FREEBSD: &[&str] =
    &["time", "bytes_acked", "flow", "cwnd", "ssthresh", "srtt", "snd_wnd", "packets_out", "sacked_out", "retrans_out"];

/// A connection's state that only FreeBSD keeps, in its units (`struct tcpcb` and `struct sockbuf` in FreeBSD's sys/;
/// from `functions` on, the fields that `kernel/freebsd/state.list` names).
pub const FREEBSD: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("flow", U32, "", "number of the flow"),
    column("end", U32, "", "0 sends data, 1 receives it"),
    column("snd_cwnd", U32, "bytes", "congestion window"),
    column("snd_ssthresh", U32, "bytes", "slow-start threshold; 1,073,725,440 before there is one"),
    column("pipe", U32, "bytes", "taken to be under way: tcp_compute_pipe() of the default stack"),
    column("recovery", U32, "", "1 in fast recovery, 2 in the round trip after a congestion event, 3 both"),
    column("recover_fs", U32, "bytes", "under way when recovery began (PRR's RecoverFS)"),
    column("prr_delivered", U32, "bytes", "delivered in this recovery"),
    column("prr_out", U32, "bytes", "sent in this recovery"),
    column("dupacks", U32, "", "duplicate ACKs in a row"),
    column("sack_holes", U32, "", "holes in the scoreboard"),
    column("sacked", U32, "bytes", "selectively acknowledged"),
    column("sack_rexmit", U32, "bytes", "retransmitted into the holes and not yet acknowledged"),
    column("reassembly", U32, "", "runs of segments held out of order, net.inet.tcp.reass.maxqueuelen at most"),
    column("zero_windows", U32, "", "announcements of a window of 0"),
    column("send_buffer", U32, "bytes", "what the send buffer may hold (sb_hiwat)"),
    column("send_held", U32, "bytes", "in the send buffer"),
    column("receive_buffer", U32, "bytes", "what the receive buffer may hold (sb_hiwat)"),
    column("receive_held", U32, "bytes", "in the receive buffer, in order"),
    column("functions", Text(16), "", "TCP stack of the connection: `freebsd`, `rack` or `bbr`"),
    column("congestion", Text(16), "", "its congestion control"),
    column("cubic_w_max", Some32, "bytes", "window before the last congestion event (`max_cwnd`)"),
    column("cubic_w_last_max", Some32, "bytes", "that before the one before it (`prev_max_cwnd`)"),
    column("cubic_k", Some32, "s/256", "from the event until W_cubic is at `cubic_w_max` again (`K`)"),
    column("cubic_epoch", Some32, "ticks", "since the event, or since congestion avoidance began (`t_last_cong`)"),
    column("htcp_alpha", Some32, "", "segments that the window grows by in a round trip (`alpha`)"),
    column("htcp_beta", Some32, "1/256", "what a congestion event leaves of the window (`beta`)"),
    column("dctcp_alpha", Some32, "1/1024", "share of marked bytes (`alpha`)"),
    column("rack_rtt", Some32, "ms", "round trip that RACK measured last (`rc_rack_rtt`)"),
    column("rack_min_rtt", Some32, "ms", "smallest of them (`rc_rack_min_rtt`)"),
    column("rack_reordered", Some32, "", "1 once it has seen reordering, which widens its window (`rc_reorder_ts`)"),
    column("rack_gp_bw", Some64, "bytes/s", "goodput that its pacing builds on (`gp_bw`)"),
    column(
        "bbr_state",
        Some32,
        "",
        "1 in STARTUP, 2 in DRAIN, 3 in PROBE_BW, 4 in PROBE_RTT, 5 after an idle time (`rc_bbr_state`)",
    ),
    column("bbr_substate", Some32, "", "which of the phases of PROBE_BW (`rc_bbr_substate`)"),
    column("bbr_bw", Some64, "bytes/s", "windowed maximum of the delivery rate (`rc_delrate`)"),
    column("bbr_min_rtt", Some32, "us", "windowed minimum of the round trip (`rc_rttprop`)"),
    column("bbr_pacing_gain", Some32, "1/256", "pacing rate over the bandwidth (`rc_bbr_hptsi_gain`)"),
    column("bbr_cwnd_gain", Some32, "1/256", "window over bandwidth times round trip (`rc_bbr_cwnd_gain`)"),
];

/// State of a sender's BBR at a sample (`struct tcp_bbr_info`, include/uapi/linux/inet_diag.h). The columns are the
/// file's; the frame's layout differs between kernels.
pub const BBR: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("flow", U32, "", "number of the flow"),
    column("bw", U64, "bytes/s", "estimate of the bottleneck bandwidth: windowed maximum of the delivery rate"),
    column("min_rtt", U32, "us", "smallest round-trip time in BBR's window"),
    column(
        "pacing_gain",
        U32,
        "1/256",
        "pacing rate over bw: of v1 739 in STARTUP, 88 in DRAIN, 320, 192 or 256 in PROBE_BW",
    ),
    column("cwnd_gain", U32, "1/256", "cwnd over bw times min_rtt"),
    column("version", U32, "", "1, 2 or 3: which BBR; what follows is absent of BBRv1"),
    column("mode", Some32, "", "0 in STARTUP, 1 in DRAIN, 2 in PROBE_BW, 3 in PROBE_RTT (`bbr_mode`)"),
    column(
        "phase",
        Some32,
        "",
        "1 in STARTUP, 2 in DRAIN, 3 in PROBE_RTT; of PROBE_BW 4 in UP, 5 in DOWN, 6 in CRUISE, 7 in REFILL (`bbr_phase`)",
    ),
    column(
        "bw_hi",
        Some64,
        "bytes/s",
        "largest bandwidth of the last two probes: the draft's max_bw (`bbr_bw_hi_lsb`, `_msb`)",
    ),
    column(
        "bw_lo",
        Some64,
        "bytes/s",
        "bound after a loss, until the next probe: bw_shortterm; absent while there is none",
    ),
    column("inflight_lo", Some32, "packets", "the same of what is in flight: inflight_shortterm"),
    column(
        "inflight_hi",
        Some32,
        "packets",
        "most in flight without too much loss: inflight_longterm; absent while unknown",
    ),
    column("extra_acked", Some32, "packets", "most that was acknowledged beyond bw times time: aggregation"),
];

/// A sender's Vegas, or another delay-based control that answers in its form, at a sample (`struct tcpvegas_info`).
pub const VEGAS: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("flow", U32, "", "number of the flow"),
    column("enabled", U32, "", "1 while delay governs the window"),
    column("rttcnt", U32, "", "round-trip times measured in this round trip; 0 of Westwood"),
    column("rtt", U32, "us", "Vegas and YeAH: base round-trip time; the others: the current one"),
    column("minrtt", U32, "us", "Vegas and YeAH: smallest of this round trip; the others: base round-trip time"),
];

/// A sender's DCTCP at a sample (`struct tcp_dctcp_info`).
pub const DCTCP: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("flow", U32, "", "number of the flow"),
    column("enabled", U16, "", "1 if the connection negotiated ECN; without it DCTCP is Reno"),
    column("ce_state", U16, "", "1 if the last segment received had a CE mark"),
    column("alpha", U32, "1/1024", "estimate of the share of bytes that are marked"),
    column("ab_ecn", U32, "bytes", "acknowledged with ECE since the last update of alpha"),
    column("ab_tot", U32, "bytes", "acknowledged since the last update of alpha"),
];

/// A queue's sample.
pub const QUEUE: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("queue", U32, "", "number of the queue"),
    column("packets", U32, "packets", "in the queue"),
    column("backlog", U32, "bytes", "in the queue, Ethernet headers included"),
    column("drops", U32, "packets", "dropped since the network was up"),
    column("sent_bytes", U64, "bytes", "passed on since the network was up, Ethernet headers included"),
    column("sent_packets", U64, "packets", "passed on since the network was up"),
];

/// State and counters of dualpi2 (struct tc_dualpi2_xstats, include/uapi/linux/pkt_sched.h).
pub const DUALPI2: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("queue", U32, "", "number of the queue"),
    column(
        "prob",
        U32,
        "1/4294967295",
        "base probability p': C drops or marks with its square, L marks with k times it",
    ),
    column("delay_c", U32, "us", "how long the first packet of the C queue has waited"),
    column("delay_l", U32, "us", "how long the first packet of the L queue has waited"),
    column("packets_in_c", U32, "packets", "that came into the C queue"),
    column("packets_in_l", U32, "packets", "that came into the L queue"),
    column("maxq", U32, "packets", "largest queue"),
    column("ecn_mark", U32, "packets", "marked in both queues"),
    column("step_marks", U32, "packets", "of these marked because of the step"),
];

/// Packets of a flow that left a queue that may mark, by ECN codepoint (RFC 3168, section 5).
pub const ECN: &[Column] = &[
    column("queue", U32, "", "number of the queue"),
    column("flow", Some32, "", "number of the flow; absent for all other packets, such as a tunnel's"),
    column("not_ect", U64, "packets", "that were not ECN-capable"),
    column("ect1", U64, "packets", "with ECT(1)"),
    column("ect0", U64, "packets", "with ECT(0)"),
    column("ce", U64, "packets", "with a CE mark"),
];

/// Histogram of the time that packets waited in a link's queue, from their arrival until the link began to send them.
pub const WAIT: &[Column] = &[
    column("queue", U32, "", "number of the queue"),
    column("flow", Some32, "", "number of the flow; absent for all other packets, such as a tunnel's"),
    column("least", U64, "ns", "shortest wait that counts here"),
    column("most", U64, "ns", "longest wait that counts here"),
    column("packets", U64, "packets", "that waited so long"),
    column("bytes", U64, "bytes", "of these packets, with their Ethernet headers"),
];

/// A sender's state when an ACK arrived, before the sender processed it (tracepoint tcp:tcp_probe).
pub const ACK: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("bytes_acked", U64, "bytes", "acknowledged before this ACK"),
    column("pacing_rate", U64, "bytes/s", "rate at which segments are paced"),
    column("flow", U32, "", "number of the flow"),
    column("cwnd", U32, "packets", "congestion window"),
    column("ssthresh", U32, "packets", "slow-start threshold; in recovery what cwnd returns to"),
    column("srtt", U32, "us", "smoothed round-trip time"),
    column("snd_wnd", U32, "bytes", "receive window that the peer announced"),
    column("packets_out", U32, "packets", "sent and not acknowledged"),
    column("sacked_out", U32, "packets", "selectively acknowledged"),
    column("lost_out", U32, "packets", "taken for lost"),
    column("retrans_out", U32, "packets", "retransmitted and not yet acknowledged"),
    column("delivered", U32, "packets", "delivered, retransmissions included"),
    column("ca_state", U32, "", "0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss"),
    column("payload", U32, "bytes", "payload that came with the ACK"),
];

/// A request or a ping, from [`crate::Message::Exchanges`].
pub const EXCHANGE: &[Column] = &[
    column("flow", U32, "", "number of the flow"),
    column("number", U32, "", "number of the request or ping in its flow, from 0"),
    column("start", U64, "ns", "when it was sent, virtual time since the network was up"),
    column("end", U64, "ns", "when all of the response had arrived; 0 if it never did"),
];

/// A dropped packet (tracepoint skb:kfree_skb).
pub const DROP: &[Column] = &[
    column("time", U64, "ns", "virtual time since the network was up"),
    column("reason", U32, "", "the kernel's enum skb_drop_reason"),
    column("length", U32, "bytes", "length of the packet where it was dropped"),
    column("seq", U32, "", "TCP sequence number"),
    column("payload", U32, "bytes", "TCP payload"),
    column("source_port", U16, "", "TCP source port"),
    column("destination_port", U16, "", "TCP destination port"),
    column("protocol", U32, "", "IP protocol, 6 for TCP; 0 for what is not IPv4"),
    column("device", Text(16), "", "network device where it was dropped"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(columns: &[Column], name: &str) -> usize {
        columns.iter().take_while(|c| c.name != name).map(|c| c.kind.width()).sum()
    }

    /// Offsets of include/uapi/linux/tcp.h, as `pahole -C tcp_info` prints them on x86-64.
    #[test]
    fn tcp_info_lies_as_the_kernel_lays_it() {
        for (name, expected) in [
            ("rto", 8),
            ("rtt", 68),
            ("snd_cwnd", 80),
            ("total_retrans", 100),
            ("pacing_rate", 104),
            ("bytes_acked", 120),
            ("delivery_rate", 160),
            ("bytes_sent", 200),
            ("snd_wnd", 228),
            ("total_rto_time", 244),
            ("received_ce_bytes", 272),
            ("ecn_mode", 276),
            ("accecn_fail_mode", 276),
        ] {
            assert_eq!(offset(TCP_INFO, name), expected, "{name}");
        }
    }
}
