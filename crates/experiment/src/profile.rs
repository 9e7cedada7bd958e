//! Hosts as distributions ship them, and interfaces as Linux drivers run them. The reference prints these tables
//! (docs/reference/profiles.md), and tests compare the guest with them.

use plan::{Driver, HostQdisc, Interrupts, Offloads, Polling, Profile};

/// One setting of a profile or driver; the experiment may override it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brings {
    /// The interface's qdisc.
    Qdisc(HostQdisc),
    /// The interface's offloads and interrupts.
    Interface(Offloads),
    /// A setting under /proc/sys: name, value.
    Sysctl(&'static str, &'static str),
}

/// A setting and its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfileSetting {
    pub brings: Brings,
    /// File of a distribution's package, or of the kernel.
    pub source: &'static str,
}

/// All settings of a profile or driver.
pub type Rows = &'static [ProfileSetting];

const fn row(brings: Brings, source: &'static str) -> ProfileSetting {
    ProfileSetting { brings, source }
}

/// Words of `profile`.
pub const PROFILES: &[(&str, (Profile, Rows))] = &[
    ("plain", (Profile::Plain, &[])),
    ("debian-12", (Profile::Debian12, DEBIAN_12)),
    ("debian-13", (Profile::Debian13, DEBIAN_13)),
    ("ubuntu-24.04", (Profile::Ubuntu2404, UBUNTU_24_04)),
    ("rhel-9", (Profile::Rhel9, RHEL_9)),
];

/// Words of `driver`, as `ethtool -i` prints them.
pub const DRIVERS: &[(&str, Option<(Driver, Rows)>)] = &[
    ("none", None),
    ("r8169", Some((Driver::R8169, R8169))),
    ("e1000e", Some((Driver::E1000e, E1000E))),
    ("virtio_net", Some((Driver::VirtioNet, VIRTIO_NET))),
    ("mlx5_core", Some((Driver::Mlx5Core, MLX5_CORE))),
];

/// Default time for which an interface that merges segments collects them, ns: the e1000e's 20,000 interrupts per
/// second.
pub const DEFAULT_COALESCE_NS: u64 = 50_000;

/// TSO, GSO and GRO on, with these interrupts.
const fn segmenting(interrupts: Interrupts) -> Brings {
    Brings::Interface(Offloads { tso: true, gso: true, gro: true, lro: false, tso_fault: false, interrupts })
}

/// Offloads of a distribution. Linux turns on GSO and GRO for every device; the drivers below turn on TSO.
const OFFLOADS: ProfileSetting = row(
    segmenting(Interrupts::Moderated(DEFAULT_COALESCE_NS)),
    "`register_netdevice` in net/core/dev.c (NETIF_F_SOFT_FEATURES); TSO by the drivers below; interrupts as of e1000e",
);

const FQ_CODEL: Brings = Brings::Qdisc(HostQdisc::FqCodel);
const CUBIC: Brings = Brings::Sysctl("net.ipv4.tcp_congestion_control", "cubic");

/// Default before Linux 6.16, with 768 MiB of memory or more.
const TCP_RMEM: ProfileSetting = row(
    Brings::Sysctl("net.ipv4.tcp_rmem", "4096 131072 6291456"),
    "`tcp_init` in net/ipv4/tcp.c, the same from Linux 5.14 to 6.12",
);
const TCP_WMEM: ProfileSetting = row(
    Brings::Sysctl("net.ipv4.tcp_wmem", "4096 16384 4194304"),
    "`tcp_init` in net/ipv4/tcp.c, the same from Linux 5.14 to 6.12",
);
const OUTPUT: ProfileSetting = row(
    Brings::Sysctl("net.ipv4.tcp_limit_output_bytes", "1048576"),
    "`tcp_sk_init` in net/ipv4/tcp_ipv4.c, the same from Linux 5.14 to 6.12",
);

const DEBIAN_12: Rows = &[
    row(
        FQ_CODEL,
        "CONFIG_DEFAULT_NET_SCH, config.amd64_none_amd64 of linux-config-6.1 6.1.192-2; no file sets another",
    ),
    OFFLOADS,
    TCP_RMEM,
    TCP_WMEM,
    OUTPUT,
    row(CUBIC, "CONFIG_DEFAULT_TCP_CONG, config.amd64_none_amd64 of linux-config-6.1 6.1.192-2"),
];

const DEBIAN_13: Rows = &[
    row(FQ_CODEL, "/usr/lib/sysctl.d/50-default.conf of linux-sysctl-defaults 4.12.1"),
    OFFLOADS,
    TCP_RMEM,
    TCP_WMEM,
    OUTPUT,
    row(CUBIC, "CONFIG_DEFAULT_TCP_CONG, config.amd64_none_amd64 of linux-config-6.12 6.12.117-1"),
];

const UBUNTU_24_04: Rows = &[
    row(FQ_CODEL, "/etc/sysctl.d/10-bufferbloat.conf of procps 2:4.0.4-4ubuntu3.3; the kernel's own is pfifo_fast"),
    OFFLOADS,
    TCP_RMEM,
    TCP_WMEM,
    OUTPUT,
    row(CUBIC, "CONFIG_DEFAULT_TCP_CONG, config of linux-buildinfo-6.8.0-151-generic 6.8.0-151.151"),
];

const RHEL_9: Rows = &[
    row(
        FQ_CODEL,
        "sysctl.d/50-default.conf of systemd 252; Red Hat, Configuring and managing networking, Linux traffic control",
    ),
    OFFLOADS,
    TCP_RMEM,
    TCP_WMEM,
    OUTPUT,
    row(CUBIC, "net/ipv4/Kconfig, default of DEFAULT_TCP_CONG"),
];

/// The driver calls `netdev_sw_irq_coalesce_default_on`.
const R8169: Rows = &[row(
    segmenting(Interrupts::Polled(Polling { gro_flush_timeout: 20_000, napi_defer_hard_irqs: 1 })),
    "`rtl_init_one` in drivers/net/ethernet/realtek/r8169_main.c: `netdev_sw_irq_coalesce_default_on` in net/core/dev.c; TSO from the 8168H on",
)];

/// At 1 Gbit/s with full packets, its dynamic mode settles at 20,000 interrupts per second.
const E1000E: Rows = &[row(
    segmenting(Interrupts::Moderated(DEFAULT_COALESCE_NS)),
    "drivers/net/ethernet/intel/e1000e: DEFAULT_ITR 3 in param.c, `e1000_update_itr` (low_latency, 20,000 per second) and TSO at 1 Gbit/s in netdev.c",
)];

const VIRTIO_NET: Rows = &[row(
    segmenting(Interrupts::Each),
    "`virtnet_probe` in drivers/net/virtio_net.c: VIRTIO_NET_F_HOST_TSO4, and max_usecs 0 even with VIRTIO_NET_F_NOTF_COAL",
)];

/// 8 us is where its dynamic moderation starts.
const MLX5_CORE: Rows = &[row(
    segmenting(Interrupts::Moderated(8_000)),
    "`mlx5e_build_nic_params` in drivers/net/ethernet/mellanox/mlx5/core/en_main.c; NET_DIM_DEF_PROFILE_CQE in include/linux/dim.h, 8 us in lib/dim/net_dim.c",
)];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, to_value};

    /// The experiment, the plan and `ethtool -i` use the same word.
    #[test]
    fn words_are_those_of_the_plan() {
        for (word, (profile, _)) in PROFILES {
            assert_eq!(to_value(profile).unwrap(), Value::from(*word));
            assert_eq!(profile.word(), *word);
        }
        for (word, driver) in DRIVERS {
            let Some((driver, _)) = driver else { continue };
            assert_eq!(to_value(driver).unwrap(), Value::from(*word));
            assert_eq!(driver.word(), *word);
        }
    }

    #[test]
    fn every_setting_stands_once_and_has_a_source() {
        let drivers = DRIVERS.iter().filter_map(|(word, driver)| Some((*word, (*driver)?.1)));
        for (word, rows) in PROFILES.iter().map(|(word, (_, rows))| (*word, *rows)).chain(drivers) {
            let key = |row: &ProfileSetting| match row.brings {
                Brings::Qdisc(_) => "qdisc",
                Brings::Interface(_) => "interface",
                Brings::Sysctl(name, _) => name,
            };
            let keys: std::collections::BTreeSet<&str> = rows.iter().map(key).collect();
            assert_eq!(keys.len(), rows.len(), "{word}");
            assert!(rows.iter().all(|row| row.source.len() > 20), "{word}");
        }
    }

    /// A driver that defers interrupts must have a timer, or it would never poll.
    #[test]
    fn polling_has_a_timer() {
        let interfaces = DRIVERS.iter().filter_map(|(_, driver)| *driver).flat_map(|(_, rows)| rows);
        for row in interfaces {
            if let Brings::Interface(Offloads { interrupts: Interrupts::Polled(polling), gro, .. }) = row.brings {
                assert!(gro && polling.gro_flush_timeout > 0);
            }
        }
    }
}
