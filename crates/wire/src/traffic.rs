//! The traffic of a flow, shared by the plan and the job.

use serde::{Deserialize, Serialize};

/// When a flow ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Until {
    /// After this long, ns from its start; a connection is then reset.
    Duration(u64),
    /// When the receiver has read this many bytes; the connection is then closed. Bulk data alone.
    Bytes(u64),
    /// After this many exchanges (requests or pings).
    Exchanges(u64),
    /// When its client has ended. Programs alone.
    Exit,
}

/// Socket options of a TCP connection.
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
    /// Whether the connection uses MPTCP (RFC 8684).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub multipath: bool,
    /// Whether both ends set TCP_NODELAY.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nodelay: bool,
    /// SO_MAX_PACING_RATE of the sending end, bit/s; `None` leaves pacing to congestion control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rate: Option<u64>,
    /// How the program writes; `None` writes all it has at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes: Option<Writes>,
}

/// A program's calls of write(2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writes {
    /// Most bytes of a write.
    pub bytes: u64,
    /// Pause from a write to the next, ns.
    pub pause: u64,
}

/// The traffic of a flow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Traffic {
    /// One TCP connection with data in one direction.
    Bulk {
        /// The connection.
        tcp: Tcp,
        /// Alternating times in which the application writes and pauses, ns; `None` writes all the time.
        on_off: Option<(u64, u64)>,
        /// Rate at which the application writes, bit/s; `None` writes as fast as it can.
        send_rate: Option<u64>,
        /// Rate at which the application reads, bit/s; `None` reads as fast as it can.
        read_rate: Option<u64>,
        /// Congestion window at which slow start ends without a loss, bytes; `None` leaves it to congestion control.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slow_start_ends: Option<u64>,
    },
    /// One TCP connection with a request, a response, a pause, and so on.
    Requests {
        /// The connection.
        tcp: Tcp,
        /// Size of a request from the client, bytes.
        request: u64,
        /// Size of a response, which the server sends when it has read the request, bytes.
        response: u64,
        /// Pause between the end of a response and the next request, ns.
        think: u64,
        /// Most requests without their whole response.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        outstanding: u32,
    },
    /// Datagrams at a steady rate.
    Udp {
        /// Rate of payload, bit/s.
        rate: u64,
        /// Payload of each datagram, bytes.
        size: u32,
    },
    /// ICMP echo requests.
    Ping {
        /// Interval between requests, ns.
        interval: u64,
        /// Payload of each request, bytes.
        size: u32,
    },
    /// Whatever a user's server and client send each other.
    Program {
        /// Command line of the server for `sh -c`, with `{address}`, `{port}` and `{seed}`.
        server: String,
        /// Command line of the client, likewise.
        client: String,
        /// The end that sends most of the data.
        sends: ProgramEnd,
    },
}

/// One of the two programs of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramEnd {
    /// The program that listens.
    Server,
    /// The program that connects.
    Client,
}

fn one() -> u32 {
    1
}

fn is_one(value: &u32) -> bool {
    *value == 1
}
