//! Units and tolerances of a transfer's figures.

/// Units and tolerances of statistics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Round-trip time of the idle path, seconds.
    pub rtt: f64,
    /// Streams at the same time.
    pub streams: usize,
    /// Bytes of a write.
    pub block: f64,
    /// Payload of a segment, bytes.
    pub mss: f64,
    /// Length of an interval, seconds.
    pub step: f64,
    /// Whether seeds hardly differ, so that a few show their spread.
    pub steady: bool,
    /// Whether the first interval is as long as the others, and the connection's first.
    pub whole: bool,
    /// Whether the program writes in blocks with pauses: the RTT rises and falls with each, so its smallest value depends on
    /// when the instrument samples.
    pub blocks: bool,
    /// Whether a timer paces the sender.
    pub paced: bool,
    /// Intervals that `iperf3 -O` omits, which contain slow start.
    pub left_out: usize,
    /// Whether the transfer printed its total alone.
    pub total: bool,
    /// Whether BBR never left its startup. The lab's kernel leaves it, so that cwnd differs.
    pub starved: bool,
    /// Uncertainty of a send buffer's fill, as a share: Linux fills it with segments of up to 64 KiB, whose number depends on
    /// how the program writes.
    pub lump: f64,
}
