//! Messages from the agent to the host, alongside the kernel's own records.

use serde::{Deserialize, Serialize};

/// One message; JSON in a [`crate::frame::MESSAGE`] frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// The agent has started.
    Hello {
        /// Its [`crate::PROTOCOL`].
        protocol: u32,
    },
    /// Settings as asked for and as read back from the kernel.
    Readbacks(Vec<Readback>),
    /// Output of `tc -json qdisc show` in a namespace after the set-up.
    Qdiscs {
        /// The namespace.
        namespace: String,
        /// The unchanged output.
        output: String,
    },
    /// A flow has started.
    Started {
        /// The flow's number.
        flow: u32,
        /// Start of its connect(2), ns after the network was up.
        time: u64,
    },
    /// A flow has ended.
    Ended {
        /// The flow's number.
        flow: u32,
        /// Time when the receiver had read all or the duration was over, ns after the network was up.
        time: u64,
    },
    /// A flow has failed: its connection could not be made, broke, or did not deliver all data within the trial's time.
    Broken {
        /// The flow's number.
        flow: u32,
        /// Time when it was given up or its duration was over, ns after the network was up.
        time: u64,
        /// The attempted operation and the kernel's error.
        why: String,
    },
    /// Start and end of each request or ping of a flow, in their order.
    Exchanges {
        /// The flow's number.
        flow: u32,
        /// Requests or pings.
        exchanges: Vec<Exchange>,
    },
    /// Datagram counts of a flow.
    Datagrams {
        /// The flow's number.
        flow: u32,
        /// Datagrams sent.
        sent: u64,
        /// Datagrams received.
        received: u64,
        /// Datagrams received by the flow's end.
        on_time: u64,
        /// Datagrams received after one that was sent later.
        reordered: u64,
    },
    /// A user's command has ended.
    Ran(Ran),
    /// The next part of a requested file.
    File {
        /// Index in [`crate::Job::fetch`].
        file: u32,
        /// Bytes of the part; empty for an empty file.
        #[serde(with = "hexadecimal")]
        bytes: Vec<u8>,
    },
    /// Output of `nft -json list counters` in a namespace when all packets had arrived.
    Counters {
        /// The namespace.
        namespace: String,
        /// The unchanged output.
        output: String,
    },
    /// Counters of every device when all packets had arrived.
    Devices(Vec<Device>),
    /// The trial cannot go on.
    Failed {
        /// The attempted operation, its object, and the kernel's error.
        what: String,
    },
    /// The trial is complete.
    Done,
}

/// Largest file that is fetched, bytes.
pub const MOST_FETCHED: u64 = 64 << 20;

/// Memory of a capture in the guest, bytes: a ring of [`CAPTURE_PACKETS`] slots.
pub const CAPTURE_RING: u64 = CAPTURE_PACKETS * CAPTURE_SLOT;
/// Slot of a captured packet, bytes: TPACKET2_HDRLEN with its alignment takes 80, the rest is the packet.
pub const CAPTURE_SLOT: u64 = 256;
/// Most packets of a capture: with 212 bytes each in the file they are within [`MOST_FETCHED`].
pub const CAPTURE_PACKETS: u64 = 1 << 18;

/// Bytes as two hexadecimal digits each.
mod hexadecimal {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        serializer.serialize_str(&digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect::<String>())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8);
        let byte = |pair: &[u8]| match pair {
            [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        };
        let bytes = text.as_bytes().chunks(2).map(byte).collect::<Option<_>>();
        bytes.ok_or_else(|| D::Error::custom("not bytes in hexadecimal"))
    }
}

/// A setting as asked for and as the kernel has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Readback {
    /// Place of the setting: a namespace, `machine`, or a flow such as `flow 0`.
    pub place: String,
    /// Name of the setting.
    pub setting: String,
    /// Value asked for.
    pub asked: String,
    /// Value that the kernel has.
    pub got: String,
}

/// Counters of a network device (/proc/net/dev).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub device: String,
    /// Packets received.
    pub rx_packets: u64,
    /// Packets received and dropped by the device.
    pub rx_dropped: u64,
    /// Packets sent.
    pub tx_packets: u64,
    /// Packets dropped by the device instead of sent.
    pub tx_dropped: u64,
}

/// A request and its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// Time when it was sent, ns after the network was up.
    pub start: u64,
    /// Time when all of the response had arrived, ns after the network was up; `None` if it never did.
    pub end: Option<u64>,
}

/// A user's command, with how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// Index in [`crate::Job::commands`].
    pub command: u32,
    /// Time when it ended, ns after the network was up.
    pub time: u64,
    /// Its exit status, or 128 and the signal's number; `None` if it was ended with the trial.
    pub status: Option<i32>,
    /// Its standard output and standard error, interleaved as printed.
    pub output: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_file_come_back() {
        let message = Message::File { file: 1, bytes: (0..=255).collect() };
        let json = serde_json::to_string(&message).unwrap();
        assert!(json.contains("000102") && json.contains("feff"), "{json}");
        assert_eq!(serde_json::from_str::<Message>(&json).unwrap(), message);
        for wrong in ["abc", "0g", "é"] {
            let json = format!(r#"{{"file":{{"file":0,"bytes":"{wrong}"}}}}"#);
            assert!(serde_json::from_str::<Message>(&json).is_err(), "{wrong}");
        }
    }
}
