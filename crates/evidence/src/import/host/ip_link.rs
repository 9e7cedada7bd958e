//! Reads `ip link` and `ip addr`.

use super::draft::Draft;
use super::row::HostRow;
use crate::System;

/// Kinds that `ip -d link` prints at the beginning of a line, and goodput's names for them.
const KINDS: &[(&str, &str)] = &[
    ("bond", "bond"),
    ("bridge", "bridge"),
    ("dummy", "dummy"),
    ("geneve", "geneve"),
    ("gre", "gre"),
    ("gretap", "gre"),
    ("ifb", "ifb"),
    ("ip6gre", "gre"),
    ("ip6tnl", "ipip"),
    ("ipip", "ipip"),
    ("ipvlan", "ipvlan"),
    ("macvlan", "macvlan"),
    ("sit", "sit"),
    ("team", "team"),
    ("tun", "tun"),
    ("veth", "veth"),
    ("vlan", "vlan"),
    ("vrf", "vrf"),
    ("vti", "ipsec"),
    ("vti6", "ipsec"),
    ("vxlan", "vxlan"),
    ("wireguard", "wireguard"),
    ("xfrm", "ipsec"),
];

/// First words of continuation lines, for text that lost its indentation.
const CONTINUATION_WORDS: &[&str] = &[
    "RX",
    "RX:",
    "TX",
    "TX:",
    "alias",
    "altname",
    "bond_slave",
    "bridge_slave",
    "inet",
    "inet6",
    "openvswitch",
    "openvswitch_slave",
    "prog/xdp",
    "valid_lft",
    "vf",
];

/// Returns goodput's name for a kind that `ip` or its JSON prints.
pub(super) fn kind(printed: &str) -> Option<&'static str> {
    KINDS.iter().find(|(kind, _)| *kind == printed).map(|(_, kind)| *kind)
}

pub(super) fn read(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let row = &rows[0];
    let Some(name) = head(row).filter(|_| !row.prompt) else { return 0 };
    draft.seen(System::Linux);
    draft.interface(row.index, name);
    let words = row.words().skip(3);
    for (what, value) in words.clone().zip(words.skip(1)) {
        attribute(row.index, name, what, value, draft);
    }
    let own = |row: &&HostRow<'_>| !row.prompt && head(row).is_none() && is_further(row);
    let body = rows[1..].iter().take_while(own).count();
    let mut columns: Option<(String, Vec<&str>)> = None;
    for row in &rows[1..=body] {
        let first = row.first();
        if matches!(first, "RX:" | "TX:" | "RX" | "TX") {
            columns = Some(counted(row));
        } else if let Some((direction, names)) = columns.take().filter(|_| first.parse::<u64>().is_ok()) {
            for (column, value) in names.iter().zip(row.words()) {
                if let Some(value) = draft.number(row.index, "the counter", value) {
                    draft.count(row.index, name, direction.replace('*', column), value);
                }
            }
        } else {
            further(row, name, draft);
        }
    }
    1 + body
}

/// Returns the name in a heading: `2: eth0@if5: <BROADCAST,UP> mtu 1500 …`.
fn head<'a>(row: &HostRow<'a>) -> Option<&'a str> {
    let mut words = row.words();
    let number = words.next()?.strip_suffix(':')?;
    let name = words.next()?.strip_suffix(':')?;
    let good = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && words.next()?.starts_with('<');
    let name = name.split('@').next()?;
    (good && !name.is_empty()).then_some(name)
}

fn is_further(row: &HostRow<'_>) -> bool {
    let first = row.first();
    let number = || row.words().all(|word| word.bytes().all(|b| b.is_ascii_digit()));
    row.indented() || CONTINUATION_WORDS.contains(&first) || first.starts_with("link/") || number()
}

fn attribute(index: usize, name: &str, what: &str, value: &str, draft: &mut Draft<'_>) {
    match what {
        "mtu" => {
            if let Some(mtu) = draft.number(index, "the MTU", value) {
                draft.interface(index, name).mtu = Some(mtu);
            }
        }
        "qdisc" => draft.qdisc(index, name, value),
        "master" => draft.interface(index, name).master = Some(value.to_owned()),
        _ => {}
    }
}

/// Returns a counter name with `*` in place of the column, and the columns, from `RX: bytes packets` or `RX errors:
/// length crc`.
fn counted<'a>(row: &HostRow<'a>) -> (String, Vec<&'a str>) {
    let mut words = row.words().peekable();
    let direction = words.next().unwrap_or("").trim_end_matches(':').to_lowercase();
    let errors = words.next_if(|word| *word == "errors:").is_some();
    let name = if errors { format!("{direction}_*_errors") } else { format!("{direction}_*") };
    (name, words.collect())
}

fn further(row: &HostRow<'_>, name: &str, draft: &mut Draft<'_>) {
    let mut words = row.words();
    let first = words.next().unwrap_or("");
    if let "inet" | "inet6" = first {
        if let Some(address) = words.next() {
            draft.interface(row.index, name).addresses.push(address.to_owned());
        }
        return;
    }
    if let Some(kind) = kind(first) {
        let interface = draft.interface(row.index, name);
        interface.kind = Some(kind.to_owned());
        if kind == "bond" && words.next() == Some("mode") {
            interface.bond_mode = words.next().map(str::to_owned);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::host;

    /// iproute2 6.1 on Linux 6.18, shortened; the bond follows bond_print_opt() of iproute2.
    const LINKS: &str = "\
4: eth0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1400 qdisc pfifo_fast state UP mode DEFAULT group default qlen 1000
    link/ether 02:fc:00:00:00:01 brd ff:ff:ff:ff:ff:ff promiscuity 0  allmulti 0 minmtu 68 maxmtu 65535
    RX:   bytes packets errors dropped  missed   mcast
     2210888452   51782      0       7       0       0
    RX errors:   length    crc   frame    fifo overrun
                      0      0       0       2       0
    TX:   bytes packets errors dropped carrier collsns
        2720789   34114      0       9       0       0
4: v0@v1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc htb master br0 state UP mode DEFAULT group default qlen 1000
    link/ether e2:65:e1:46:77:70 brd ff:ff:ff:ff:ff:ff promiscuity 1  allmulti 1 minmtu 68 maxmtu 65535
    veth
    bridge_slave state forwarding priority 32 cost 2 hairpin off guard off
9: bond0: <BROADCAST,MULTICAST,MASTER,UP,LOWER_UP> mtu 7200 qdisc noqueue state UP mode DEFAULT group default
    link/ether 3a:97:19:39:cb:28 brd ff:ff:ff:ff:ff:ff promiscuity 0 minmtu 68 maxmtu 65535
    bond mode balance-rr miimon 100 updelay 0 downdelay 0 peer_notify_delay 0 use_carrier 1 arp_interval 0
    inet 10.0.0.1/24 brd 10.0.0.255 scope global bond0
       valid_lft forever preferred_lft forever
    inet6 fe80::fc:ff:fe00:1/64 scope link
";

    #[test]
    fn links_have_kind_master_mtu_qdisc_addresses_and_counters() {
        let host = host(LINKS);
        let [eth0, v0, bond0] = &host.interfaces[..] else { panic!("{host:?}") };
        assert_eq!((eth0.mtu, eth0.qdisc.as_deref(), eth0.kind.as_deref()), (Some(1400), Some("pfifo_fast"), None));
        let counter = |name: &str| eth0.counters.iter().find(|c| c.name == name).map(|c| c.value);
        assert_eq!(
            (counter("rx_dropped"), counter("tx_dropped"), counter("tx_packets")),
            (Some(7), Some(9), Some(34114))
        );
        assert_eq!((counter("rx_fifo_errors"), eth0.counters.len()), (Some(2), 17));
        assert_eq!((v0.kind.as_deref(), v0.master.as_deref()), (Some("veth"), Some("br0")));
        assert_eq!((bond0.kind.as_deref(), bond0.bond_mode.as_deref()), (Some("bond"), Some("balance-rr")));
        assert_eq!(bond0.addresses, ["10.0.0.1/24", "fe80::fc:ff:fe00:1/64"]);
    }

    #[test]
    fn an_mtu_that_does_not_fit_is_wrong() {
        let (host, unread) = super::super::tests::read("1: lo: <UP> mtu 99999999999 qdisc noqueue").unwrap();
        assert_eq!(host.interfaces[0].mtu, None);
        assert_eq!(unread[0].why.as_deref(), Some("the MTU is not a valid number"));
    }
}
