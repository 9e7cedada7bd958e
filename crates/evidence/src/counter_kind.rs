//! What a counter of an interface counts, by the names that programs and drivers give it.
//!
//! `ip -s -s link`, ifconfig, netstat and FreeBSD's sysctl have one name each; `ethtool -S` has a name for each driver:
//! `rx_crc_errors` (e1000e, mlx4), `rx_crc_errors_phy` (mlx5), `rx_fcs_err_frames` (bnxt), `RxFcsErr` (qca8k), `RX FCS
//! Errors` (lan78xx), `in_fcs_error` (mv88e6xxx), `rx_frame_check_sequence_errors` (macb), `IEEE_rx_crc` (fec),
//! `eth-mac-FrameCheckSequenceErrors` (any, with `--groups eth-mac`).

use crate::Counter;

/// What a counter of an interface counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CounterKind {
    /// Frames that came with a wrong check sequence or not aligned to bytes (IEEE 802.3, 30.3.1.1.6 and 30.3.1.1.7).
    DamagedFrames,
    /// Frames or packets that came whole.
    ReceivedFrames,
    /// Packets that came in a whole frame with a wrong checksum of IP, TCP or UDP.
    WrongChecksums,
    /// Collisions: only half duplex has them (IEEE 802.3, 4.1.2.2).
    Collisions,
}

/// Names of received frames, without a prefix such as `port.` or `eth-mac-`.
const RECEIVED_NAMES: &[&str] = &[
    "rxpackets",
    "rxpktsnic",
    "rxpacketsphy",
    "rxunicast",
    "rxunicastframes",
    "rxunicastpackets",
    "rxucastpackets",
    "rxucastframes",
    "rxok",
    "rxpktn",
    "rxframes",
    "rxgoodframes",
    "rxgoodpackets",
    "inunicasts",
    "framesreceivedok",
    "ipkts",
    "goodpktsrecvd",
];

/// Names of collisions.
const COLLISION_NAMES: &[&str] = &["collisions", "txcollisions", "txtotalcollisions", "colls", "coll"];

impl Counter {
    /// Returns what it counts, if its name tells.
    pub fn kind(&self) -> Option<CounterKind> {
        let name: String =
            self.name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let sends = (has(&["tx"]) || name.starts_with("out")) && !has(&["rx"]);
        let is_amount = has(&["bytes", "octets"]);
        let fails = has(&["err", "bad", "fail", "invalid", "discard"]);
        if COLLISION_NAMES.contains(&&*name) {
            return Some(CounterKind::Collisions);
        }
        if sends || is_amount {
            return None;
        }
        if RECEIVED_NAMES.iter().any(|received| name.ends_with(received)) {
            return Some(CounterKind::ReceivedFrames);
        }
        // FCoE has a CRC of its own; a switch that cuts through stomps the CRC of a frame that came damaged to it.
        if has(&["fcoe", "fccrc", "stomp"]) {
            return None;
        }
        let is_check = has(&["fcs", "crc", "framechecksequence"]);
        if is_check && (fails || name.ends_with("crc") || name.ends_with("fcs"))
            || has(&["align"]) && fails
            || matches!(&*name, "rxframe" | "rxframeerrors")
        {
            return Some(CounterKind::DamagedFrames);
        }
        (has(&["csum", "chksum", "cksum", "checksum"]) && fails).then_some(CounterKind::WrongChecksums)
    }
}

#[cfg(test)]
mod tests {
    use super::CounterKind::{self, Collisions, DamagedFrames, ReceivedFrames, WrongChecksums};
    use crate::{Counter, Place};

    /// Names in the tables of strings of Linux 6.18's drivers, of `ip`, ifconfig, netstat and FreeBSD's iflib.
    #[test]
    fn drivers_name_the_same_thing_in_many_ways() {
        let kinds: &[(Option<CounterKind>, &[&str])] = &[
            (
                Some(DamagedFrames),
                &[
                    "rx_crc_errors",
                    "rx_crc_errors_phy",
                    "rx_fcs_err_frames",
                    "rx_fcs_errors",
                    "RxFcsErr",
                    "RxFCSErrors",
                    "RxCrcErr",
                    "RX FCS Errors",
                    "MAC rx fcs errors",
                    "in_fcs_error",
                    "rx_frame_check_sequence_errors",
                    "IEEE_rx_crc",
                    "port.rx_crc_errors",
                    "rx_crc_errors.nic",
                    "eth-mac-FrameCheckSequenceErrors",
                    "mmc_rx_crc_error",
                    "rx_crc",
                    "align_errors",
                    "rx_align_errors",
                    "rx_frame",
                    "mac_stats.crc_errs",
                ],
            ),
            (
                Some(ReceivedFrames),
                &["rx_packets", "RX-OK", "Ipkts", "rx_ucast_packets", "eth-mac-FramesReceivedOK", "RX Unicast Frames"],
            ),
            (
                Some(WrongChecksums),
                &["rx_csum_offload_errors", "hw_csum_rx_errors", "queue_0_rx_bad_csum", "rx_tcp_udp_chksum_err"],
            ),
            (Some(Collisions), &["collisions", "tx_collisions", "Coll"]),
            (
                None,
                &[
                    "tx_fcs_err_frames",
                    "out_fcs_error",
                    "fcoe_bad_fccrc",
                    "rx_stomped_crc_errors_phy",
                    "rx_csum_offload_good",
                    "rx_csum_unnecessary",
                    "rx_bytes",
                    "rx_errors",
                    "rx_dropped",
                    "rx_missed_errors",
                    "dribbling_bit",
                    "tx_packets",
                ],
            ),
        ];
        for (kind, names) in kinds {
            for name in *names {
                let place = Place { file: "x".into(), line: 1 };
                let counter = Counter { place, name: (*name).into(), value: 1, was: None };
                assert_eq!(counter.kind(), *kind, "{name}");
            }
        }
    }
}
