//! Reads ifconfig: FreeBSD's, and net-tools 1 and 2 on Linux.

use super::draft::Draft;
use super::offload;
use super::row::HostRow;
use crate::{OtherSystem, System};

/// FreeBSD's interface groups and the kind of each.
const KINDS: &[(&str, &str)] = &[
    ("bridge", "bridge"),
    ("epair", "veth"),
    ("gif", "ipip"),
    ("gre", "gre"),
    ("ipsec", "ipsec"),
    ("lagg", "bond"),
    ("tap", "tun"),
    ("tun", "tun"),
    ("vlan", "vlan"),
    ("vxlan", "vxlan"),
    ("wg", "wireguard"),
];

/// First words of continuation lines, for text that lost its indentation.
const CONTINUATION_WORDS: &[&str] = &[
    "RX",
    "TX",
    "UP",
    "capabilities",
    "description:",
    "ether",
    "groups:",
    "hwaddr",
    "id",
    "inet",
    "inet6",
    "lagg",
    "laggport:",
    "laggproto",
    "loop",
    "maxage",
    "media:",
    "member:",
    "nd6",
    "root",
    "status:",
    "tunnel",
    "vlan:",
];

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    let Some(name) = head(row).filter(|_| !row.prompt) else { return headless(rows, draft) };
    let name = name.to_owned();
    let own = |row: &&HostRow<'_>| !row.prompt && head(row).is_none() && is_further(row);
    let body = rows[1..].iter().take_while(own).count();
    let mut interface = Lines { name: &name, on: vec![], able: vec![] };
    draft.interface(row.index, &name);
    for row in &rows[..=body] {
        interface.line(row, draft);
    }
    interface.offloads(draft);
    1 + body
}

/// Reads counters that were pasted without their heading.
fn headless(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let counts = |row: &&HostRow<'_>| !row.prompt && is_counters(row.text.trim());
    let taken = rows.iter().take(MAX_COUNTER_LINES).take_while(counts).count();
    if taken == 0 || !rows[..taken].iter().any(|row| row.text.contains("errors")) {
        return 0;
    }
    if let Some(name) = draft.unnamed(rows[0].index, "ifconfig NAME") {
        let mut interface = Lines { name, on: vec![], able: vec![] };
        rows[..taken].iter().for_each(|row| interface.line(row, draft));
    }
    taken
}

/// Most lines of counters of one interface.
const MAX_COUNTER_LINES: usize = 8;

/// True for `RX packets:1 errors:0 …`, `RX packets 1  bytes 2`, `TX errors 0 …` and `collisions:0 …` of net-tools.
fn is_counters(text: &str) -> bool {
    let rest = text.strip_prefix("RX ").or_else(|| text.strip_prefix("TX "));
    let words = ["packets", "errors", "bytes"];
    let counts = |rest: &str| {
        let rest = words.iter().find_map(|word| rest.strip_prefix(word));
        rest.is_some_and(|rest| rest.trim_start_matches([':', ' ']).starts_with(|c: char| c.is_ascii_digit()))
    };
    rest.is_some_and(counts) || text.starts_with("collisions:")
}

/// Returns the name in a heading: `em0: flags=8843<UP,…> metric 0 mtu 1500`, `eth0 Link encap:Ethernet`.
fn head<'a>(row: &HostRow<'a>) -> Option<&'a str> {
    let mut words = row.words();
    let (first, second) = (words.next()?, words.next()?);
    let name = match first.strip_suffix(':') {
        Some(name) if second.starts_with("flags=") && second.contains('<') => name,
        None if second == "Link" && words.next()?.starts_with("encap:") => first,
        _ => return None,
    };
    (!name.is_empty()).then_some(name)
}

fn is_further(row: &HostRow<'_>) -> bool {
    let first = row.first();
    row.indented()
        || CONTINUATION_WORDS.contains(&first)
        || first.starts_with("options=")
        || first.starts_with("capabilities=")
}

/// Returns an address with its prefix length, from a mask: `0xffffff00`, `255.255.255.0`, `64`.
pub(super) fn address(address: &str, mask: Option<&str>) -> String {
    let address = match address.split_once('%') {
        Some((address, scope)) => match scope.split_once('/') {
            Some((_, length)) => return format!("{address}/{length}"),
            None => address,
        },
        None => address,
    };
    let length = mask.and_then(|mask| match mask.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok().map(u32::count_ones),
        None if mask.contains('.') => mask.parse().ok().map(|mask: std::net::Ipv4Addr| mask.to_bits().count_ones()),
        None => mask.parse().ok(),
    });
    length.map_or(address.to_owned(), |length| format!("{address}/{length}"))
}

/// One interface's lines as they are read.
struct Lines<'r> {
    name: &'r str,
    /// Offloads in `options=`: line index and ethtool's name, each name once.
    on: Vec<(usize, &'static str)>,
    /// Offloads in `capabilities=`, in the same form.
    able: Vec<(usize, &'static str)>,
}

impl<'r> Lines<'r> {
    fn line(&mut self, row: &HostRow<'r>, draft: &mut Draft<'_>) {
        let words: Vec<&str> = row.words().collect();
        let after = |what: &str| words.iter().position(|word| *word == what).and_then(|at| words.get(at + 1)).copied();
        let mtu = after("mtu").or_else(|| words.iter().find_map(|word| word.strip_prefix("MTU:")));
        if let Some(mtu) = mtu.and_then(|mtu| draft.number(row.index, "the MTU", mtu)) {
            draft.interface(row.index, self.name).mtu = Some(mtu);
        }
        if words.contains(&"metric") {
            draft.seen(System::FreeBsd);
        }
        match words[..] {
            ["inet" | "inet6", local, ..] => {
                self.address(row, local, after("netmask").or(after("prefixlen")), &words, draft)
            }
            ["RX" | "TX", ..] => self.counters(row, &words, "", draft),
            [first, ..] if first.starts_with("collisions:") => self.counters(row, &words[..1], "tx", draft),
            ["groups:", ref groups @ ..] => {
                let kind = groups.iter().find_map(|group| KINDS.iter().find(|(known, _)| known == group));
                if let Some((_, kind)) = kind {
                    draft.interface(row.index, self.name).kind = Some((*kind).to_owned());
                }
            }
            ["member:" | "laggport:", member, ..] => {
                let kind = if words[0] == "member:" { "bridge" } else { "bond" };
                draft.interface(row.index, self.name).kind = Some(kind.to_owned());
                draft.interface(row.index, member).master = Some(self.name.to_owned());
            }
            ["laggproto", mode, ..] => {
                let bond = draft.interface(row.index, self.name);
                bond.kind = Some("bond".to_owned());
                bond.bond_mode = offload::mode(mode).map(str::to_owned);
            }
            ["media:", ..] => {
                let rate = row.text.split_once('(').and_then(|(_, media)| rate(media));
                let says = |duplex: &str| row.text.contains(duplex);
                let interface = draft.interface(row.index, self.name);
                interface.rate = rate;
                interface.half_duplex = (says("half-duplex") || says("full-duplex")).then(|| says("half-duplex"));
            }
            [first, ..] => {
                for (what, into) in [("options=", &mut self.on), ("capabilities=", &mut self.able)] {
                    let list = first.strip_prefix(what).and_then(|list| list.split_once('<'));
                    if let Some((_, names)) = list {
                        match names.contains("CHANNEL_IO") {
                            true => draft.seen_other(OtherSystem::MacOs),
                            false => draft.seen(System::FreeBsd),
                        }
                        for name in names.trim_end_matches('>').split(',').filter_map(offload::printed) {
                            if !into.iter().any(|(_, known)| *known == name) {
                                into.push((row.index, name));
                            }
                        }
                    }
                }
            }
            [] => {}
        }
    }

    fn address(&self, row: &HostRow<'_>, local: &str, mask: Option<&str>, words: &[&str], draft: &mut Draft<'_>) {
        let (local, mask) = match local.strip_prefix("addr:") {
            // net-tools 1: "inet addr:10.0.0.1  Bcast:… Mask:…", "inet6 addr: fe80::1/64 Scope:Link".
            Some("") => (words.get(2).copied().unwrap_or(""), None),
            Some(local) => (local, words.iter().find_map(|word| word.strip_prefix("Mask:"))),
            None => (local, mask),
        };
        draft.interface(row.index, self.name).addresses.push(address(local, mask));
    }

    /// Reads `RX packets 51782 bytes 22`, `RX errors 0 dropped 0`, `RX packets:1 errors:0 dropped:0`.
    fn counters(&self, row: &HostRow<'_>, words: &[&str], mut direction: &'static str, draft: &mut Draft<'_>) {
        draft.seen(System::Linux);
        let mut name = "";
        for word in words {
            if let Some(other) = [("RX", "rx"), ("TX", "tx")].iter().find(|(printed, _)| printed == word) {
                direction = other.1;
                continue;
            }
            let (known, value) = word.split_once(':').unwrap_or((name, word));
            if let Ok(value) = value.parse::<u64>()
                && !known.is_empty()
            {
                draft.count(row.index, self.name, format!("{direction}_{known}"), value);
                name = "";
            } else {
                name = if word.bytes().all(|b| b.is_ascii_lowercase()) { word } else { "" };
            }
        }
    }

    /// Records the offloads in `options=` as on, and those only in `capabilities=` as off.
    fn offloads(&self, draft: &mut Draft<'_>) {
        let off = self.able.iter().filter(|(_, name)| !self.on.iter().any(|(_, on)| on == name));
        for ((index, name), on) in self.on.iter().map(|on| (on, true)).chain(off.map(|off| (off, false))) {
            draft.offload(*index, self.name, name, on, false);
        }
    }
}

/// Parses the rate, bit/s, of `1000baseT <full-duplex>)` or `10Gbase-SR`.
fn rate(media: &str) -> Option<f64> {
    let ends = media.find(|c: char| !c.is_ascii_digit())?;
    let number = media[..ends].parse::<u32>().ok()?;
    let unit = media[ends..].to_ascii_lowercase();
    if unit.starts_with("gbase") {
        return Some(f64::from(number) * 1e9);
    }
    unit.starts_with("base").then_some(f64::from(number) * 1e6)
}

#[cfg(test)]
mod tests {
    use super::super::tests::host;
    use crate::System;

    /// Based on outputs in opnsense/core issues 1946 and 5539, Netgate/netmap-fwd issue 6 and pr1ntf/iohyve issue 124.
    const FREEBSD: &str = "\
igb0: flags=8943<UP,BROADCAST,RUNNING,PROMISC,SIMPLEX,MULTICAST> metric 0 mtu 1500
\toptions=c400b8<VLAN_MTU,VLAN_HWTAGGING,JUMBO_MTU,VLAN_HWCSUM,VLAN_HWTSO,TXCSUM_IPV6>
\tcapabilities=f507bb<RXCSUM,TXCSUM,VLAN_MTU,VLAN_HWTAGGING,JUMBO_MTU,VLAN_HWCSUM,TSO4,TSO6,LRO,VLAN_HWFILTER,VLAN_HWTSO>
\tether 00:25:90:6a:0f:f4
\tinet 10.0.30.105 netmask 0xffffff00 broadcast 10.0.30.255
\tinet6 fe80::225:90ff:fe6a:ff4%igb0 prefixlen 64 scopeid 0x1
\tnd6 options=29<PERFORMNUD,IFDISABLED,AUTO_LINKLOCAL>
\tmedia: Ethernet autoselect (1000baseT <full-duplex>)
\tstatus: active
em0: flags=8843<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST> metric 0 mtu 9000
\toptions=4e507bb<RXCSUM,TXCSUM,VLAN_MTU,TSO4,LRO,VLAN_HWFILTER>
\tmedia: Ethernet autoselect (10Gbase-SR <full-duplex,rxpause,txpause>)
lagg0: flags=8843<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST> metric 0 mtu 1500
\tgroups: lagg
\tlaggproto roundrobin lagghash l2,l3,l4
\tlaggport: igb0 flags=4<ACTIVE>
\tlaggport: igb1 flags=4<ACTIVE>
bridge0: flags=8843<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST> metric 0 mtu 1500
\tether 02:59:5e:b0:b5:00
\tid 00:00:00:00:00:00 priority 32768 hellotime 2 fwddelay 15
\tmaxage 20 holdcnt 6 proto rstp maxaddr 2000 timeout 1200
\troot id 00:00:00:00:00:00 priority 32768 ifcost 0 port 0
\tmember: epair0a flags=143<LEARNING,DISCOVER,AUTOEDGE,AUTOPTP>
\t        ifmaxaddr 0 port 5 priority 128 path cost 2000
\tmember: em0 flags=143<LEARNING,DISCOVER,AUTOEDGE,AUTOPTP>
\tgroups: bridge
epair0a: flags=8943<UP,BROADCAST,RUNNING,PROMISC,SIMPLEX,MULTICAST> metric 0 mtu 1500
\tgroups: epair
wg0: flags=80c1<UP,RUNNING,NOARP,MULTICAST> metric 0 mtu 1420
\tgroups: wg
\tinet 10.9.0.1/24
";

    #[test]
    fn interfaces_of_freebsd_have_kinds_members_and_offloads() {
        let host = host(FREEBSD);
        assert_eq!(host.system, Some(System::FreeBsd));
        let find = |name: &str| host.interfaces.iter().find(|interface| interface.name == name).unwrap();
        let igb0 = find("igb0");
        assert_eq!((igb0.mtu, igb0.rate, igb0.master.as_deref()), (Some(1500), Some(1e9), Some("lagg0")));
        assert_eq!(igb0.addresses, ["10.0.30.105/24", "fe80::225:90ff:fe6a:ff4/64"]);
        for (name, on) in [
            ("large-receive-offload", Some(false)),
            ("tcp-segmentation-offload", Some(false)),
            ("rx-checksumming", Some(false)),
            ("tx-vlan-offload", Some(true)),
            ("tx-vlan-segmentation", Some(true)),
            ("tx-checksum-ipv6", Some(true)),
            ("receive-hashing", None),
        ] {
            assert_eq!(igb0.offload(name), on, "{name}");
        }
        let em0 = find("em0");
        assert_eq!(
            (em0.offload("large-receive-offload"), em0.rate, em0.master.as_deref()),
            (Some(true), Some(1e10), Some("bridge0"))
        );
        let lagg0 = find("lagg0");
        assert_eq!((lagg0.kind.as_deref(), lagg0.bond_mode.as_deref()), (Some("bond"), Some("balance-rr")));
        let kinds = ["bridge0", "epair0a", "wg0"].map(|name| find(name).kind.as_deref());
        assert_eq!(kinds, [Some("bridge"), Some("veth"), Some("wireguard")]);
        assert_eq!(
            (find("epair0a").master.as_deref(), &find("wg0").addresses[..]),
            (Some("bridge0"), &["10.9.0.1/24".to_owned()][..])
        );
    }

    /// serverfault question 328105.
    #[test]
    fn counters_without_their_heading_are_of_an_unnamed_interface() {
        let host = host(
            "          RX packets:204564288 errors:3193970 dropped:0 overruns:0 frame:3138402\n          TX packets:29305799 errors:38752 dropped:0 overruns:0 carrier:38762\n          collisions:2205053 txqueuelen:1000\n",
        );
        let [device] = &host.interfaces[..] else { panic!("{host:?}") };
        let counter = |name: &str| device.counter(name).map(|counter| counter.value);
        assert_eq!(device.name, crate::UNNAMED);
        let counters = ["rx_frame", "tx_carrier", "tx_collisions", "tx_txqueuelen"].map(counter);
        assert_eq!(counters, [Some(3_138_402), Some(38_762), Some(2_205_053), None]);
    }

    #[test]
    fn both_outputs_of_net_tools_are_read() {
        let new = "eth0: flags=4163<UP,BROADCAST,RUNNING,MULTICAST>  mtu 1400\n        inet 192.0.2.2  netmask 255.255.255.0  broadcast 192.0.2.255\n        inet6 fd00::2  prefixlen 64  scopeid 0x0<global>\n        ether 02:fc:00:00:00:01  txqueuelen 1000  (Ethernet)\n        RX packets 51782  bytes 2210888452 (2.0 GiB)\n        RX errors 0  dropped 7  overruns 0  frame 0\n        TX packets 34114  bytes 2720789 (2.5 MiB)\n        TX errors 0  dropped 0 overruns 0  carrier 0  collisions 0\n";
        let old = "eth0      Link encap:Ethernet  HWaddr 00:0c:29:f5:b7:11  \n          inet addr:192.0.2.2  Bcast:192.0.2.255  Mask:255.255.255.0\n          inet6 addr: fd00::2/64 Scope:Global\n          UP BROADCAST RUNNING MULTICAST  MTU:1400  Metric:1\n          RX packets:51782 errors:0 dropped:7 overruns:0 frame:0\n          TX packets:34114 errors:0 dropped:0 overruns:0 carrier:0\n          collisions:0 txqueuelen:1000 \n          RX bytes:2210888452 (2.0 GiB)  TX bytes:2720789 (2.5 MiB)\n";
        for text in [new, old] {
            let host = host(text);
            assert_eq!(host.interfaces[0].counter("tx_collisions").map(|counter| counter.value), Some(0), "{text}");
            assert_eq!(host.system, Some(System::Linux), "{text}");
            let eth0 = &host.interfaces[0];
            assert_eq!(
                (eth0.mtu, &eth0.addresses[..]),
                (Some(1400), &["192.0.2.2/24".to_owned(), "fd00::2/64".to_owned()][..])
            );
            let counter = |name: &str| eth0.counters.iter().find(|c| c.name == name).map(|c| c.value);
            let counters = ["rx_packets", "rx_bytes", "rx_dropped", "tx_packets", "tx_bytes"].map(counter);
            assert_eq!(counters, [Some(51782), Some(2210888452), Some(7), Some(34114), Some(2720789)], "{text}");
        }
    }
}
