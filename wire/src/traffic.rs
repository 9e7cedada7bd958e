//! What a flow does: the same in the plan and in the job.

use serde::{Deserialize, Serialize};

/// When a flow ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// After this long, ns from its start; a connection is then reset.
    Duration(u64),
    /// When the receiver has read this many bytes; the connection is then closed. Bulk data alone.
    Bytes(u64),
    /// After so many exchanges: requests or pings.
    Exchanges(u64),
}

/// What a TCP connection is told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tcp {
    /// TCP_CONGESTION of both ends; `None` leaves it to the route or the kernel.
    pub congestion: Option<String>,
    /// SO_SNDBUF, bytes as passed to setsockopt(2), which doubles them; `None` leaves autotuning on.
    pub send_buffer: Option<u32>,
    /// SO_RCVBUF, bytes as passed to setsockopt(2), which doubles them; `None` leaves autotuning on.
    pub receive_buffer: Option<u32>,
    /// TCP_MAXSEG at both ends, bytes; `None` leaves it to the MTU.
    pub mss: Option<u32>,
    /// Whether it is MPTCP (RFC 8684).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub multipath: bool,
}

/// What a flow does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Traffic {
    /// One TCP connection with data in one direction.
    Bulk {
        /// The connection.
        tcp: Tcp,
        /// Times in which the application writes, and in which it does not, in turns, ns; `None` writes all the time.
        on_off: Option<(u64, u64)>,
        /// How fast the application writes while it does, bits per second; `None` as fast as it can.
        send_rate: Option<u64>,
        /// How fast the application reads, bits per second; `None` as fast as it can.
        read_rate: Option<u64>,
        /// Congestion window at which slow start ends without a loss, bytes; `None` leaves it to the congestion control.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slow_start_ends: Option<u64>,
    },
    /// One TCP connection with a request, a response, a pause, and so on.
    Requests {
        /// The connection.
        tcp: Tcp,
        /// Sent by the client, bytes.
        request: u64,
        /// Sent by the server when it has read the request, bytes.
        response: u64,
        /// From the end of a response to the next request, ns.
        think: u64,
    },
    /// Datagrams at a steady rate.
    Udp {
        /// Bits per second of payload.
        rate: u64,
        /// Payload of each datagram, bytes.
        size: u32,
    },
    /// ICMP echo requests.
    Ping {
        /// From one request to the next, ns.
        interval: u64,
        /// Payload of each, bytes.
        size: u32,
    },
}
