//! Ends of flows with fewer figures than Linux's tcp_info, and the columns that their samples have.

use wire::frame;

/// Source of an end's samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fills {
    /// FreeBSD's tcpcb.
    FreeBsd,
    /// The intervals of iperf3 at the sending end (`iperf3 -J`, src/iperf_api.c).
    Iperf3Sent,
    /// The intervals of iperf3 at the receiving end.
    Iperf3Received,
}

const SENDER_COLUMNS: &[&str] = &["time", "flow", "end", "snd_mss", "rtt", "snd_cwnd", "total_retrans"];
const RECEIVER_COLUMNS: &[&str] = &["time", "flow", "end", "bytes_received"];

impl Fills {
    /// Returns the columns of a table that it fills; `None` for all columns.
    pub(super) fn columns(self, kind: u32) -> Option<&'static [&'static str]> {
        match (kind, self) {
            (frame::SAMPLE, Fills::FreeBsd) => Some(wire::OF_FREEBSD),
            (frame::ACK, Fills::FreeBsd) => Some(wire::ACK_OF_FREEBSD),
            (frame::SAMPLE, Fills::Iperf3Sent) => Some(SENDER_COLUMNS),
            (frame::SAMPLE, Fills::Iperf3Received) => Some(RECEIVER_COLUMNS),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_iperf3_fills_are_columns() {
        let all: Vec<&str> = wire::SAMPLE.iter().chain(wire::TCP_INFO).map(|column| column.name).collect();
        assert!(SENDER_COLUMNS.iter().chain(RECEIVER_COLUMNS).all(|name| all.contains(name)));
    }
}
