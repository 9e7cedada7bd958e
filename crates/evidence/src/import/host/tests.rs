//! Helpers for the readers' tests, listings that people published, and properties of any text.

use super::{READERS, read as read_host};
use crate::import::Page;
use crate::{Host, Interface, System, Unread};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// Returns a text's host and the lines that were not read.
pub(super) fn read(text: &str) -> Option<(Host, Vec<Unread>)> {
    let mut page = Page::new("x", text);
    let host = read_host(&mut page)?;
    Some((host, page.unread()))
}

/// Returns a text's host; panics if no reader recognizes anything.
pub(super) fn host(text: &str) -> Host {
    read(text).unwrap_or_else(|| panic!("nobody reads {text:?}")).0
}

fn settings(host: &Host) -> Vec<(&str, &str)> {
    host.settings.iter().map(|setting| (setting.key.as_str(), setting.value.as_str())).collect()
}

#[test]
fn sysctl_of_linux_is_read() {
    let host = host(
        "net.ipv4.tcp_rmem = 4096\t131072\t6291456\nnet.ipv4.tcp_congestion_control = cubic\nnet.ipv4.tcp_available_congestion_control = reno cubic bbr\nkernel.version = #1 SMP PREEMPT_DYNAMIC\nnet.ipv4.ip_local_reserved_ports = \nnet.core.default_qdisc=fq\n",
    );
    let expected = [
        ("net.ipv4.tcp_rmem", "4096 131072 6291456"),
        ("net.ipv4.tcp_congestion_control", "cubic"),
        ("net.ipv4.tcp_available_congestion_control", "reno cubic bbr"),
        ("kernel.version", "#1 SMP PREEMPT_DYNAMIC"),
        ("net.ipv4.ip_local_reserved_ports", ""),
        ("net.core.default_qdisc", "fq"),
    ];
    assert_eq!(settings(&host), expected);
    assert_eq!(host.system, Some(System::Linux));
}

#[test]
fn sysctl_of_freebsd_is_read_with_its_tables() {
    let host = host(
        "kern.ostype: FreeBSD\nkern.version: FreeBSD 14.2-RELEASE releng/14.2-n269506 GENERIC\n    root@releng:/usr/obj/amd64.amd64/sys/GENERIC\nhw.model: Intel(R) Xeon(R) CPU\nnet.inet.tcp.cc.available: \nCCmod           D PCB count\nnewreno           0\ncubic           * 38\nnet.inet.tcp.functions_available: \nStack                           D Alias                            PCB count\nfreebsd                         * freebsd                          30\nrack                              rack                             0\nnet.inet.tcp.recvbuf_max: 2097152 -> 16777216\nnet.inet.tcp.hostcache.list: \nIP address        MTU  SSTRESH      RTT   RTTVAR     CWND SENDPIPE RECVPIPE HITS  UPD  EXP\n10.0.0.9            0    12345     40ms      5ms    98765        0        0    3    4 3600\n",
    );
    let last = [
        ("net.inet.tcp.cc.available", "newreno cubic"),
        ("net.inet.tcp.cc.algorithm", "cubic"),
        ("net.inet.tcp.functions_available", "freebsd rack"),
        ("net.inet.tcp.functions_default", "freebsd"),
        ("net.inet.tcp.recvbuf_max", "16777216"),
    ];
    assert_eq!(settings(&host)[3..], last);
    assert_eq!(host.setting("hw.model").unwrap().value, "Intel(R) Xeon(R) CPU");
    let cached = &host.routes[0];
    assert_eq!(cached.to, "10.0.0.9");
    for (key, value) in [("ssthresh", "12345"), ("rtt", "40ms"), ("metrics", "cached")] {
        assert!(cached.attributes.contains(&(key.to_owned(), value.to_owned())), "{key}");
    }
    assert_eq!(host.system, Some(System::FreeBsd));
}

#[test]
fn commands_of_sysctl_are_read() {
    let table: &[(&str, &[(&str, &str)])] = &[
        ("sudo sysctl net.inet.tcp.cc.algorithm=dctcp", &[("net.inet.tcp.cc.algorithm", "dctcp")]),
        ("net.ipv4.tcp_fastopen_key = 5ec2e75e-5ec2e75e-5ec2e75e-5ec2e75e", &[]),
        (
            "# sysctl -w net.ipv4.tcp_rmem=\"4096 87380 16777216\" net.core.rmem_max=16777216",
            &[("net.ipv4.tcp_rmem", "4096 87380 16777216"), ("net.core.rmem_max", "16777216")],
        ),
        (
            "echo 'net.inet.tcp.cc.algorithm=dctcp' | sudo tee -a /etc/sysctl.conf",
            &[("net.inet.tcp.cc.algorithm", "dctcp")],
        ),
        ("$ echo \"net.core.default_qdisc = fq\" >> /etc/sysctl.d/99.conf", &[("net.core.default_qdisc", "fq")]),
        ("# echo 1 > /proc/sys/net/ipv4/ip_forward", &[("net.ipv4.ip_forward", "1")]),
        ("$ cat /proc/sys/net/ipv4/tcp_rmem\n4096\t87380\t6291456", &[("net.ipv4.tcp_rmem", "4096 87380 6291456")]),
        ("$ sysctl -n net.ipv4.tcp_congestion_control\ncubic\nreno", &[("net.ipv4.tcp_congestion_control", "cubic")]),
        ("net.core.rmem_max=16777216 # 16 MB", &[("net.core.rmem_max", "16777216")]),
        ("net.inet.tcp.sendbuf_max=\"16777216\"", &[("net.inet.tcp.sendbuf_max", "16777216")]),
        ("-net.ipv4.tcp_low_latency = 1", &[("net.ipv4.tcp_low_latency", "1")]),
    ];
    for (text, expected) in table {
        let host = host(text);
        assert_eq!(settings(&host), *expected, "{text}");
    }
}

#[test]
fn advice_in_prose_is_no_setting() {
    for text in [
        "  • net.core.wmem_max = BDP = 26214400",
        "net.core.wmem_max = BDP = 26214400",
        "net.core.rmem_max = BDP/(1-1/2tcp_adv_win_scale) = 34952000",
        "net.inet.tcp.cc.algorithm: Default congestion control algorithm",
        "Set net.core.rmem_max = 16777216 on both ends.",
        "# net.ipv4.tcp_sack = 0",
        "#net.ipv4.tcp_sack = 0",
        "net.ipv4.tcp_moderate_rcvbuf is on",
        "sysctl settings matter",
        "example.net: 5",
        "-tso4 -tso6 -lro -vlanhwtso",
        "echo $x | sort",
        "cat /proc/sys/net/ipv4/tcp_rmem",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn errors_of_sysctl_are_said() {
    let (host, unread) =
        read("net.ipv4.tcp_sack = 1\nsysctl: cannot stat /proc/sys/net/x: No such file or directory\n").unwrap();
    assert_eq!(settings(&host), [("net.ipv4.tcp_sack", "1")]);
    assert_eq!((unread[0].place.line, unread[0].why.as_deref()), (2, Some("an error of sysctl")));
}

#[test]
fn non_breaking_spaces_separate_as_blanks_do() {
    let host = host(
        "net.ipv4.tcp_rmem\u{a0}=\u{a0}4096\u{a0}87380\u{a0}4194304\n\u{a0}\u{a0}net.ipv4.tcp_sack\u{a0}= 1\u{a0}\n",
    );
    assert_eq!(settings(&host), [("net.ipv4.tcp_rmem", "4096 87380 4194304"), ("net.ipv4.tcp_sack", "1")]);
}

#[test]
fn every_reader_is_described_once() {
    for (at, reader) in READERS.iter().enumerate() {
        assert!(READERS[..at].iter().all(|before| before.name != reader.name), "{}", reader.name);
        assert!(!reader.prints.contains('|') && !reader.gives.contains('|'), "{}", reader.name);
    }
}

#[test]
fn a_page_without_a_host_has_none() {
    for text in ["", "\n", "prose\n\nmore", "[  5]   0.00-1.00   sec   640 KBytes  5.24 Mbits/sec    0   1.12 MBytes"] {
        assert_eq!(read(text), None, "{text:?}");
    }
}

// ---- any text ----

/// Fragments that the readers know, so that mutations get past the first checks.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    " ",
    "\t",
    "\u{a0}",
    "# ",
    "root@h:~ # ",
    "[u@h ~]$ ",
    "sysctl -n net.a.b",
    "net.ipv4.tcp_rmem = 4096 1 2",
    "net.inet.tcp.cc.available:",
    "CCmod D PCB count",
    "kern.ipc.maxsockbuf: 1 -> 2",
    "net.inet.tcp.hostcache.list:",
    "IP address MTU RTT",
    "echo 'a.b=c' > /etc/sysctl.conf",
    "sysctl: x",
    "EOF",
    "cat <<EOF",
    "route_x=\"1.1.1.1/8 -mtu 5\"",
    "ifconfig_em0=\"inet 1.1.1.1 netmask 0xff mtu x -lro\"",
    "Features for e:",
    "Settings for e:",
    "NIC statistics:",
    "driver: x",
    "version: 1",
    "large-receive-offload: off",
    "Speed: 1Mb/s",
    "Ethernet Channel Bonding Driver: v",
    "Bonding Mode: x",
    "Slave Interface: e",
    "Speed: 5 Mbps",
    "[{\"ifname\":\"e\",\"mtu\":1}",
    "]",
    "}",
    "{\"kernel\":{\"A\":1}",
    "\"",
    "\\",
    "[{\"dst\":",
    "1: e@f: <UP> mtu 5 qdisc fq master b",
    "    RX: bytes packets",
    "    1 2",
    "    inet 1.1.1.1/8",
    "    bond mode x",
    "default via 1.1.1.1 dev e",
    "1.1.1.1 age 5sec",
    "\tnexthop via 1.1.1.1",
    "    cache mtu 5",
    "qdisc mq 0: dev e root",
    "qdisc fq 0: dev e parent :1",
    " Sent 1 bytes (dropped 2,",
    "em0: flags=8<UP> metric 0 mtu 5",
    "\toptions=1<LRO>",
    "\tcapabilities=1<LRO,TSO4>",
    "\tmember: x",
    "\tlaggproto lacp",
    "\tmedia: (10Gbase",
    "e Link encap:E",
    "  RX packets:1",
    "Kernel Interface table",
    "Iface MTU RX-OK Flg",
    "e 5 1 BMmRU",
    "Name Mtu Network Address Ipkts",
    "e 5 <Link#1> 1",
    "Routing tables",
    "Internet:",
    "Destination Gateway Flags Netif",
    "Destination Gateway Genmask Flags MSS Iface",
    "default 1.1.1.1 UG e",
    "Tcp:",
    "Tcp: A B",
    "Tcp: 1 2",
    "tcp:",
    "    1 segments received",
    "\t1 data packet (2 bytes) retransmitted",
    "TcpA 1 0.0",
    "#kernel",
    "src 1.1.1.1 dst 1.1.1.2",
    "\tproto esp mode tunnel",
    "\taead gcm 0x1 128",
    "1.1.1.1 1.1.1.2",
    "\tesp mode=any",
    "\tE: null",
    "Pause parameters for e:",
    "RX negotiated: off",
    "collisions:5",
    "eth0: Link is Up - 1Gbps/Full",
    "TCP Global Parameters\n----",
    "Receive Window Auto-Tuning Level : normal",
    "SettingName : Internet",
    "Name DisplayName DisplayValue\n---- ----------- ------------",
    "TCP Statistics for IPv4",
    "  Segments Sent = 5",
    "C:\\>netstat -s",
    "99999999999999999999999",
    "跨",
    "=",
    ":",
    "->",
    "@",
    "(",
    ")",
    "Linux a 6.1 #1",
    "FreeBSD 14.2-RELEASE",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_text_is_claimed_or_unread_line_by_line(text in text()) {
        claims_or_leaves(&text)?;
    }
}

/// A reader claims the lines that it read, and says of each other that it is unread.
fn claims_or_leaves(text: &str) -> Result<(), TestCaseError> {
    let mut page = Page::new("x", text);
    let host = read_host(&mut page);
    let claimed: Vec<bool> = page.lines.iter().map(|line| line.claimed).collect();
    let blank: Vec<bool> = page.lines.iter().map(|line| line.text.trim().is_empty()).collect();
    prop_assert!(host.is_some() || !claimed.contains(&true));
    let unread = page.unread();
    for (index, claimed) in claimed.iter().enumerate().filter(|(index, _)| !blank[*index]) {
        let within = |unread: &&Unread| (unread.place.line..=unread.to).contains(&(index + 1));
        let (said, open): (Vec<&Unread>, Vec<&Unread>) =
            unread.iter().filter(within).partition(|unread| unread.why.is_some());
        prop_assert!(said.is_empty() || *claimed);
        prop_assert_eq!(open.is_empty(), *claimed, "line {}", index + 1);
    }
    if let Some(host) = host {
        prop_assert!(host.interfaces.iter().all(|interface: &Interface| !interface.name.is_empty()));
        prop_assert!(!serde_json::to_string(&host).unwrap().is_empty());
    }
    Ok(())
}

#[test]
fn a_command_between_the_rows_of_a_counter_table_is_unread_or_claimed() {
    let text =
        "TCP Statistics for IPv4\nsysctl -n net.a.bEthernet Channel Bonding Driver: v  Segments Sent = 5[u@h ~]$ ";
    claims_or_leaves(text).unwrap();
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => "[ -~]{0,12}",
        1 => ".{0,4}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}
