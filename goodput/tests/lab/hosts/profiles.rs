//! Hosts with distributions' defaults and interfaces with drivers' defaults: the guest's settings against the kernel's
//! source, and merging against the arithmetic of an interval.

use crate::support::{Recorded, close, kernel, record, try_record};
use evidence::platform::Version;
use lab::kernel::place;
use std::process::Command;

const SECOND: u64 = 1_000_000_000;

/// A file of the kernel's source, from the store that it was built from.
fn source(file: &str) -> String {
    let identity = kernel().source.identity;
    let tree = identity.rsplit(':').next().unwrap();
    let store = place().expect("kernels are kept somewhere").join("sources/git");
    let object = format!("refs/sources/{tree}:{file}");
    let shown = Command::new("git").arg("--git-dir").arg(store).args(["show", &object]).output();
    let shown = shown.expect("git runs");
    assert!(shown.status.success(), "{file}: {}", String::from_utf8_lossy(&shown.stderr));
    String::from_utf8(shown.stdout).unwrap()
}

/// The number that follows some text there.
fn number_after(text: &str, before: &str) -> u64 {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before:?}"));
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no number after {before:?}"))
}

/// Value of a setting that the kernel reports.
fn got(run: &Recorded, place: &str, setting: &str) -> String {
    let found = run.series.facts.readbacks.iter().rfind(|r| r.place == place && r.setting == setting);
    found.unwrap_or_else(|| panic!("{place} has no {setting}")).got.clone()
}

/// `cat` and `tc` in the guest print the profile's values, and the agent reads them back.
#[test]
fn a_profile_is_what_the_guest_has() {
    for profile in ["debian-12", "debian-13", "ubuntu-24.04", "rhel-9"] {
        let run = record(&format!(
            r#"
            title = "profile"
            path = {{ rate = "10 Mbit/s", rtt = "10 ms", buffer = "1 BDP" }}
            flows = [{{ duration = "200 ms" }}]
            [hosts]
            profile = "{profile}"
            [hosts.sender]
            run = ["cd /proc/sys/net/ipv4; cat tcp_rmem tcp_wmem tcp_limit_output_bytes tcp_congestion_control; tc qdisc show dev nic"]
            "#
        ));
        let output = run.series.facts.ran[0].output.replace('\t', " ");
        let lines: Vec<&str> = output.lines().collect();
        // 6 MiB, 4 MiB and 16 times 64 KiB.
        assert_eq!(lines[..4], ["4096 131072 6291456", "4096 16384 4194304", "1048576", "cubic"], "{profile}");
        assert!(lines[4..].iter().any(|line| line.starts_with("qdisc fq_codel")), "{profile}: {output}");
        for offload in ["tso", "gso", "gro"] {
            // A veth passes large packets on; the link splits them.
            let due = if offload == "tso" { "off" } else { "on" };
            assert_eq!(got(&run, "sender", &format!("nic {offload}")), due, "{profile}: {offload}");
        }
    }
}

/// `netdev_sw_irq_coalesce_default_on`, which the driver calls.
#[test]
fn r8169_polls_as_its_source_says() {
    let [driver, core] = ["drivers/net/ethernet/realtek/r8169_main.c", "net/core/dev.c"].map(source);
    assert!(driver.contains("netdev_sw_irq_coalesce_default_on(dev);"));
    let (_, defaults) = core.split_once("void netdev_sw_irq_coalesce_default_on(").unwrap();
    let number =
        |newer: &str, older: &str| number_after(defaults, if defaults.contains(newer) { newer } else { older });
    let due = [
        number("netdev_set_gro_flush_timeout(dev,", "gro_flush_timeout ="),
        number("netdev_set_defer_hard_irqs(dev,", "napi_defer_hard_irqs ="),
    ];
    let tried = try_record(
        r#"
        title = "r8169"
        path = { rate = "1 Gbit/s", rtt = "1 ms", buffer = "1 BDP" }
        hosts = { receiver = { driver = "r8169" } }
        flows = [{ duration = "20 ms" }]
        "#,
    );
    if kernel().version.parse::<Version>().unwrap() < "6.13".parse().unwrap() {
        let error = tried.err().expect("its netlink cannot do that").to_string();
        return assert!(error.contains("takes Linux 6.13 or later"), "{error}");
    }
    let run = tried.unwrap_or_else(|error| panic!("{error}"));
    let settings = ["nic gro_flush_timeout", "nic napi_defer_hard_irqs"].map(|name| got(&run, "receiver", name));
    assert_eq!(settings, due.map(|number| number.to_string()));
}

#[test]
fn intervals_are_those_of_the_sources() {
    let intel = source("drivers/net/ethernet/intel/e1000e/netdev.c");
    let (_, rates) = intel.split_once("case low_latency:\n\t\tnew_itr").expect("the rate of low_latency");
    assert_eq!(1_000_000_000 / number_after(rates, "="), 50_000);
    let dim = source("lib/dim/net_dim.c");
    let (_, profiles) = dim.split_once("NET_DIM_RX_CQE_PROFILES {").unwrap();
    let index = number_after(&source("include/linux/dim.h"), "NET_DIM_DEF_PROFILE_CQE");
    let profile = profiles.split("{.usec =").nth(index as usize + 1).unwrap();
    assert_eq!(number_after(&format!("= {}", profile.trim_start()), "="), 8);
    assert!(source("drivers/net/virtio_net.c").contains("vi->intr_coal_rx.max_usecs = 0;"));
}

/// Data packets for each ACK of a flow that fills its link, after the start.
fn packets_per_ack(driver: &str, rate: &str) -> f64 {
    let run = record(&format!(
        r#"
        title = "merging"
        path = {{ rate = "{rate}", rtt = "1 ms", buffer = "4 BDP" }}
        hosts = {{ nic = "{rate}", receiver = {{ driver = "{driver}" }} }}
        flows = [{{ duration = "400 ms" }}]
        "#
    ));
    let goodput = run.goodput(SECOND / 5, SECOND * 2 / 5);
    assert!(goodput > 0.85e9, "{driver}: {goodput} bit/s");
    run.device("receiver", "nic").rx_packets as f64 / run.sent_by("receiver") as f64
}

/// A full packet takes 12.3 us at 1 Gbit/s, a tenth at 10. GRO merges the packets of an interval, 64 kB at most, and
/// TCP acknowledges each merged packet of two segments or more (RFC 5681, 4.2).
#[test]
fn a_driver_merges_what_its_interval_collects() {
    let packet = 1538.0 * 8.0;
    close(packets_per_ack("e1000e", "1 Gbit/s"), 50e-6 / (packet / 1e9), 0.1, "e1000e");
    close(packets_per_ack("mlx5_core", "10 Gbit/s"), 8e-6 / (packet / 10e9), 0.1, "mlx5_core");
    close(packets_per_ack("virtio_net", "1 Gbit/s"), 2.0, 0.1, "virtio_net: each second packet");
    if kernel().version.parse::<Version>().unwrap() >= "6.13".parse().unwrap() {
        // A poll finds 20 us of packets, 1.6. A packet kept over polls grows to 64 kB, unless PSH or a tick of 1 ms
        // ends it.
        let held = packets_per_ack("r8169", "1 Gbit/s");
        assert!((10.0 * 20e-6 / (packet / 1e9)..=65_535.0 / 1448.0).contains(&held), "r8169: {held}");
    }
}
