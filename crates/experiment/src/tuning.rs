//! Keys of a host that stand for sysctls.

/// A key, and the sysctl that it sets.
#[derive(Debug)]
pub struct Tuning {
    pub key: &'static str,
    /// The sysctl's name.
    pub sysctl: &'static str,
    /// Its values: first those for `false` and `true`.
    pub values: &'static [&'static str],
}

const fn tuning(key: &'static str, sysctl: &'static str, values: &'static [&'static str]) -> Tuning {
    Tuning { key, sysctl, values }
}

/// Every such key (Documentation/networking/ip-sysctl.rst). The kernel's default is `true`, except for `mtu-probing`,
/// and for `ecn`, whose default accepts ECN but does not ask for it.
pub const TUNINGS: [Tuning; 5] = [
    tuning("rack", "net.ipv4.tcp_recovery", &["0", "1"]),
    tuning("tlp", "net.ipv4.tcp_early_retrans", &["0", "3"]),
    tuning("sack", "net.ipv4.tcp_sack", &["0", "1"]),
    tuning("ecn", "net.ipv4.tcp_ecn", &["0", "1", "2", "3", "4", "5"]),
    tuning("mtu-probing", "net.ipv4.tcp_mtu_probing", &["0", "1"]),
];

/// Sysctls that a word of `recovery` sets, names and values. A sysctl or key that is written explicitly takes
/// precedence.
pub type Recovery = &'static [(&'static str, &'static str)];

/// Words of `recovery`: loss recovery of stacks other than Linux's, as closely as Linux can imitate it.
/// docs/reference/recovery.md has the sources, and what cannot be imitated.
pub const RECOVERIES: &[(&str, Recovery)] = &[
    ("linux", &[]),
    (
        "freebsd-default",
        &[
            ("net.ipv4.tcp_recovery", "0"),
            ("net.ipv4.tcp_early_retrans", "0"),
            ("net.ipv4.tcp_frto", "0"),
            ("net.ipv4.tcp_max_reordering", "3"),
            ("net.ipv4.tcp_rto_min_us", "230000"),
            ("net.ipv4.tcp_comp_sack_nr", "0"),
        ],
    ),
    (
        "freebsd-rack",
        &[
            // RACK (1) without a count of duplicate ACKs (4).
            ("net.ipv4.tcp_recovery", "5"),
            ("net.ipv4.tcp_early_retrans", "3"),
            ("net.ipv4.tcp_frto", "0"),
            ("net.ipv4.tcp_rto_min_us", "230000"),
            ("net.ipv4.tcp_comp_sack_nr", "0"),
        ],
    ),
];
