//! Maps FreeBSD's offload names to ethtool's long ones.

/// Names that `ifconfig` prints in `options=`, names that it accepts, and ethtool's names. FreeBSD counts TSO over
/// VLANs separately, which ethtool has no name for.
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

/// Returns ethtool's name for an entry of `options=`.
pub(super) fn printed(option: &str) -> Option<&'static str> {
    NAMES.iter().find(|(printed, ..)| *printed == option).map(|(.., name)| *name)
}

/// Returns ethtool's name for an argument of `ifconfig`, `lro` or `-lro`, and whether it turns the offload on.
pub(super) fn argument(word: &str) -> Option<(&'static str, bool)> {
    let (word, on) = word.strip_prefix('-').map_or((word, true), |word| (word, false));
    NAMES.iter().find(|(_, taken, _)| *taken == word).map(|(.., name)| (*name, on))
}

/// FreeBSD's lagg modes and Linux' names for them.
const MODES: &[(&str, &str)] = &[
    ("broadcast", "broadcast"),
    ("failover", "active-backup"),
    ("lacp", "802.3ad"),
    ("loadbalance", "balance-xor"),
    ("roundrobin", "balance-rr"),
];

/// Returns Linux' name for a lagg mode of FreeBSD.
pub(super) fn mode(lagg: &str) -> Option<&'static str> {
    MODES.iter().find(|(printed, _)| *printed == lagg).map(|(_, mode)| *mode)
}
