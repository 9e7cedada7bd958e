//! `[[flows]]`

use crate::experiment::source::Span;
use crate::plan::Until;
use toml::Spanned;

/// `[[flows]]`
#[derive(Debug)]
pub struct Flow {
    /// Where it is written.
    pub span: Span,
    pub name: Option<Spanned<String>>,
    /// The node that connects.
    pub from: Option<Spanned<String>>,
    /// The node that listens.
    pub to: Option<Spanned<String>>,
    /// The node that relays what passes between the two.
    pub via: Option<Spanned<String>>,
    /// Which of the two sends.
    pub direction: Option<Direction>,
    /// How many connections.
    pub count: Option<u64>,
    /// When it starts, ns.
    pub start: Option<u64>,
    /// From the start of a connection to that of the next, ns.
    pub stagger: Option<u64>,
    /// How much later each connection may start, ns.
    pub scatter: Option<u64>,
    pub until: Option<Until>,
    /// What its goodput leaves out at its start, ns.
    pub omit: Option<Spanned<u64>>,
    pub traffic: Option<Traffic>,
}

/// Between the nodes named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the first to the second.
    Forward,
    /// From the second to the first.
    Reverse,
    Both,
}

/// What a TCP connection is told.
#[derive(Debug)]
pub struct Tcp {
    pub congestion: Option<Spanned<String>>,
    /// SO_SNDBUF; `None` leaves autotuning on.
    pub send_buffer: Option<u32>,
    /// SO_RCVBUF; `None` leaves autotuning on.
    pub receive_buffer: Option<u32>,
    /// TCP_MAXSEG.
    pub mss: Option<Spanned<u64>>,
}

/// What a flow does; sizes in bytes, times in ns, rates in bits per second.
#[derive(Debug)]
pub enum Traffic {
    /// `bulk`
    Bulk {
        tcp: Tcp,
        /// Writing and not writing.
        on_off: Option<(u64, u64)>,
        /// How fast the application writes.
        send_rate: Option<u64>,
        /// How fast the application reads.
        read_rate: Option<u64>,
        /// Congestion window at which slow start ends.
        slow_start_ends: Option<u64>,
    },
    /// `requests`
    Requests {
        tcp: Tcp,
        /// Sent by the client.
        request: Option<u64>,
        /// Sent by the server.
        response: Option<u64>,
        think: Option<u64>,
    },
    /// `udp`
    Udp {
        /// Of the payload.
        rate: u64,
        /// Payload of each datagram.
        size: Option<Spanned<u64>>,
    },
    /// `ping`
    Ping {
        /// From one request to the next.
        interval: Option<u64>,
        /// Payload of each.
        size: Option<Spanned<u64>>,
    },
}
