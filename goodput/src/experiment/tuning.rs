//! Keys of a host that stand for sysctls.

/// A key, and the sysctl that it sets.
#[derive(Debug)]
pub struct Tuning {
    pub key: &'static str,
    /// The sysctl's name.
    pub sysctl: &'static str,
    /// Its values: those for `false` and `true` come first.
    pub values: &'static [&'static str],
}

const fn tuning(key: &'static str, sysctl: &'static str, values: &'static [&'static str]) -> Tuning {
    Tuning { key, sysctl, values }
}

/// Every such key (Documentation/networking/ip-sysctl.rst); `true` is the kernel's default but for `ecn`, where that is
/// to accept ECN and not to ask for it, and `mtu-probing`.
pub const TUNINGS: [Tuning; 5] = [
    tuning("rack", "net.ipv4.tcp_recovery", &["0", "1"]),
    tuning("tlp", "net.ipv4.tcp_early_retrans", &["0", "3"]),
    tuning("sack", "net.ipv4.tcp_sack", &["0", "1"]),
    tuning("ecn", "net.ipv4.tcp_ecn", &["0", "1", "2", "3", "4", "5"]),
    tuning("mtu-probing", "net.ipv4.tcp_mtu_probing", &["0", "1"]),
];

/// What a word of `recovery` sets: names and values of sysctls. What is written beside it for one of them counts.
pub type Recovery = &'static [(&'static str, &'static str)];

/// Every word of `recovery`: how other stacks than Linux's recover from loss, as near as Linux comes to it. The sources,
/// and what it cannot imitate, are in docs/reference/recovery.md.
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
