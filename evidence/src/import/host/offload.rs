//! Names of offloads: FreeBSD's, and ethtool's long ones.

/// What `ifconfig` prints in `options=`, what it takes, and ethtool's name. FreeBSD counts TSO of VLANs apart, which
/// ethtool has no name for.
const NAMES: &[(&str, &str, &str)] = &[
    ("LRO", "lro", "large-receive-offload"),
    ("TSO4", "tso4", "tcp-segmentation-offload"),
    ("TSO6", "tso6", "tcp-segmentation-offload"),
    ("TSO", "tso", "tcp-segmentation-offload"),
    ("RXCSUM", "rxcsum", "rx-checksumming"),
    ("TXCSUM", "txcsum", "tx-checksumming"),
    ("TXCSUM_IPV6", "txcsum6", "tx-checksum-ipv6"),
    ("VLAN_HWTAGGING", "vlanhwtag", "tx-vlan-offload"),
    ("VLAN_HWFILTER", "vlanhwfilter", "rx-vlan-filter"),
    ("VLAN_HWTSO", "vlanhwtso", "tx-vlan-segmentation"),
];

/// ethtool's name of what stands in `options=`.
pub(super) fn printed(option: &str) -> Option<&'static str> {
    NAMES.iter().find(|(printed, ..)| *printed == option).map(|(.., name)| *name)
}

/// ethtool's name of an argument of `ifconfig`, `lro` or `-lro`, and whether that is on.
pub(super) fn argument(word: &str) -> Option<(&'static str, bool)> {
    let (word, on) = word.strip_prefix('-').map_or((word, true), |word| (word, false));
    NAMES.iter().find(|(_, taken, _)| *taken == word).map(|(.., name)| (*name, on))
}

/// Modes of FreeBSD's lagg, and Linux' words for them.
const MODES: &[(&str, &str)] = &[
    ("broadcast", "broadcast"),
    ("failover", "active-backup"),
    ("lacp", "802.3ad"),
    ("loadbalance", "balance-xor"),
    ("roundrobin", "balance-rr"),
];

/// Linux' word for a mode of FreeBSD's lagg.
pub(super) fn mode(lagg: &str) -> Option<&'static str> {
    MODES.iter().find(|(printed, _)| *printed == lagg).map(|(_, mode)| *mode)
}
