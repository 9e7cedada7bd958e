//! The facts, each a row: its name, where it may stand, what it is written as, and its meaning.

use crate::formula::Kind;

/// A fact's row.
#[derive(Debug, PartialEq)]
pub struct Key {
    pub name: &'static str,
    pub role: Role,
    pub value: Value,
    pub meaning: &'static str,
}

/// Part that a fact plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A fact of the path; a run may have a path of its own.
    Path,
    /// Set or chosen for a run: what runs can differ in.
    Setting,
    /// A number that a run showed: what an explanation must predict.
    Stated,
    /// A number from which stated ones are derived.
    Count,
}

/// Form of a fact's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A number or an interval of this kind.
    Number(Kind),
    /// A word.
    Label,
}

const fn number(name: &'static str, role: Role, kind: Kind, meaning: &'static str) -> Key {
    Key { name, role, value: Value::Number(kind), meaning }
}

const fn label(name: &'static str, role: Role, meaning: &'static str) -> Key {
    Key { name, role, value: Value::Label, meaning }
}

use Kind::{Count, Rate, Share, Size, Time};
use Role::{Path, Setting, Stated};

/// All facts. Settings are sorted by how much they say where runs differ in one of them.
pub const KEYS: &[Key] = &[
    number("rate", Path, Rate, "rate of the bottleneck link"),
    number("rtt", Path, Time, "RTT of the idle path"),
    number("mtu", Path, Size, "MTU, bytes of an IP packet"),
    number("buffer", Path, Size, "buffer in front of the bottleneck"),
    label("bond", Path, "how links are bonded, for example balance-rr"),
    label("tunnel", Path, "what carries the tunnel that all traffic is in: tcp or udp"),
    number("streams", Setting, Count, "connections at once, iperf3 -P"),
    number("mss", Setting, Size, "payload of a segment; iperf3 -M less 12 B of timestamps"),
    number("window", Setting, Size, "socket buffers asked for, iperf3 -w"),
    number("receive-max", Setting, Size, "largest receive buffer, tcp_rmem[2]"),
    number("send-buffer", Setting, Size, "send buffer that the program asks for, SO_SNDBUF"),
    number(
        "credit",
        Setting,
        Size,
        "what a program has under way: its HTTP/2 window, its SFTP requests times their size",
    ),
    number("write", Setting, Size, "bytes of each write of the sending program, iperf3 -l"),
    number("loss", Setting, Share, "share of packets dropped on purpose"),
    label("congestion", Setting, "congestion control"),
    label("kernel", Setting, "kernel or system"),
    label("direction", Setting, "direction of the data"),
    label("ends", Setting, "the two hosts, in the same order for both directions"),
    label("host", Setting, "host, container, jail or VM"),
    label("via", Setting, "what only this run passes through"),
    label("offloads", Setting, "offloads that are on at what differs, such as lro or tso; none if they are off"),
    label("protocol", Setting, "tcp or udp; udp for a run with packets lost or offered"),
    label("program", Setting, "program that sends or receives"),
    label("tool", Setting, "tool that measured, with its version"),
    label("day", Setting, "time of the run"),
    number("duration", Setting, Time, "time of the run"),
    number("offered", Setting, Rate, "rate of a UDP run, iperf3 -u -b"),
    number("datagram", Setting, Size, "payload of a UDP packet, iperf3 -l"),
    number("messages", Setting, Count, "messages that wait for one another"),
    number("goodput", Stated, Rate, "payload per second over the run, of all streams"),
    number("early", Stated, Rate, "goodput of the first second"),
    number("late", Stated, Rate, "goodput of the rest"),
    number("retransmitted", Stated, Share, "share of segments sent again"),
    number("cwnd", Stated, Size, "congestion window"),
    number("srtt", Stated, Time, "RTT of the connection under its own load"),
    number("ping", Stated, Time, "RTT of a ping during the run"),
    number("spread", Stated, Count, "goodput of the fastest stream over the slowest"),
    number("lost", Stated, Share, "share of UDP packets lost"),
    number("frame-errors", Stated, Share, "share of frames that an interface counts as damaged"),
    number("stall", Stated, Time, "a pause that comes again and again"),
    number("time", Stated, Time, "time of the whole job, where no goodput is stated"),
    number("retransmissions", Role::Count, Count, "segments sent again, iperf3 Retr"),
    number("transferred", Role::Count, Size, "payload of the whole run"),
];

impl Key {
    /// Returns the fact of that name.
    pub fn find(name: &str) -> Option<&'static Key> {
        KEYS.iter().find(|key| key.name == name)
    }

    /// Returns the kind of its number; of a label, a count.
    pub fn kind(&self) -> Kind {
        match self.value {
            Value::Number(kind) => kind,
            Value::Label => Count,
        }
    }

    /// Returns the kind of the fact of that name.
    pub fn kind_of(name: &str) -> Kind {
        Key::find(name).map_or(Count, Key::kind)
    }
}
