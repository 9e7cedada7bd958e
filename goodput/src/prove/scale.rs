//! What figures of a transfer are held against.

/// What statistics are in relation to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Round-trip time of the idle path, seconds.
    pub rtt: f64,
    /// Bytes of a write.
    pub block: f64,
    /// Payload of a segment, bytes.
    pub mss: f64,
    /// Length of an interval, seconds.
    pub step: f64,
    /// Whether seeds hardly differ, so that few of them tell their spread.
    pub steady: bool,
    /// Whether the first interval is as long as the others, and the connection's first.
    pub whole: bool,
    /// Whether the program writes in blocks with pauses: RTT rises and falls with each, and when within one the instrument
    /// looks is not known.
    pub blocks: bool,
    /// What a send buffer holds more or less than the lab's, as a share of it: Linux fills it by segments of up to 64 KiB,
    /// and how many are in it hangs on how the program writes.
    pub lump: f64,
}
