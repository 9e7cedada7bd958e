//! Reads `netstat -i` and `netstat -r` of both systems, and `route -n`.

use super::draft::Draft;
use super::ip_route::is_address;
use super::row::HostRow;
use crate::{Route, System};
use std::net::Ipv4Addr;

/// Returns a table's columns if the row is its header: it begins with the first word and contains the other.
fn columns<'a>(row: &HostRow<'a>, first: &str, another: &str) -> Option<Vec<&'a str>> {
    let columns: Vec<&str> = row.words().collect();
    (!row.prompt && columns.first() == Some(&first) && columns.contains(&another)).then_some(columns)
}

/// Returns a row's cell in the named column.
fn cell<'a>(columns: &[&str], cells: &[&'a str], name: &str) -> Option<&'a str> {
    columns.iter().position(|column| *column == name).and_then(|at| cells.get(at)).copied()
}

pub(super) fn read_interfaces(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let before = usize::from(rows[0].text.trim() == "Kernel Interface table");
    let Some(head) = rows.get(before) else { return 0 };
    let taken = if let Some(columns) = columns(head, "Iface", "RX-OK") {
        draft.seen(System::Linux);
        linux_interfaces(&columns, &rows[before + 1..], draft)
    } else if let Some(columns) = columns(head, "Name", "Ipkts") {
        draft.seen(System::FreeBsd);
        freebsd_interfaces(&columns, &rows[before + 1..], draft)
    } else {
        return 0;
    };
    before + 1 + taken
}

fn linux_interfaces(columns: &[&str], rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let (mut master, mut members) = (None, vec![]);
    let mut taken = 0;
    for row in rows.iter().take_while(|row| !row.prompt) {
        let cells: Vec<&str> = row.words().collect();
        let mtu = cell(columns, &cells, "MTU").and_then(|mtu| mtu.parse().ok());
        if cells.len() != columns.len() || mtu.is_none() {
            break;
        }
        taken += 1;
        let name = cells[0];
        draft.interface(row.index, name).mtu = mtu;
        let counters =
            columns.iter().zip(&cells).filter(|(column, _)| column.starts_with("RX-") || column.starts_with("TX-"));
        for (column, value) in counters {
            if let Some(value) = draft.number(row.index, "the counter", value) {
                draft.count(row.index, name, *column, value);
            }
        }
        // IFF_MASTER and IFF_SLAVE (net-tools, lib/interface.c).
        let flags = cell(columns, &cells, "Flg").unwrap_or("");
        if flags.contains('m') {
            draft.interface(row.index, name).kind = Some("bond".to_owned());
            master = Some(if master.is_none() { Some(name) } else { None });
        } else if flags.contains('s') {
            members.push((row.index, name));
        }
    }
    // With several bonds, the table does not say to which one a member belongs.
    if let Some(Some(master)) = master {
        for (index, name) in members {
            draft.interface(index, name).master = Some(master.to_owned());
        }
    }
    taken
}

fn freebsd_interfaces(columns: &[&str], rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let counters = columns.iter().position(|column| *column == "Ipkts").unwrap_or(columns.len());
    let mut taken = 0;
    for row in rows.iter().take_while(|row| !row.prompt) {
        let cells: Vec<&str> = row.words().collect();
        // The address may be missing.
        let missing = columns.len().saturating_sub(cells.len());
        let (Some(mtu), Some(network)) = (cells.get(1), cells.get(2)) else { break };
        if missing > 1 || !(*mtu == "-" || mtu.parse::<u32>().is_ok()) {
            break;
        }
        taken += 1;
        if !network.starts_with("<Link#") {
            continue;
        }
        let name = cells[0].trim_end_matches('*');
        draft.interface(row.index, name).mtu = mtu.parse().ok();
        for (column, value) in
            columns[counters..].iter().zip(&cells[counters - missing..]).filter(|(_, value)| **value != "-")
        {
            if let Some(value) = draft.number(row.index, "the counter", value) {
                draft.count(row.index, name, *column, value);
            }
        }
    }
    taken
}

pub(super) fn read_routes(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    let of_ipv6 = read_ipv6_routes(rows, draft);
    if of_ipv6 > 0 {
        return of_ipv6;
    }
    let titles = ["Kernel IP routing table", "Routing tables", "Internet:", "Internet6:"];
    let titled = |row: &&HostRow<'_>| !row.prompt && titles.iter().any(|title| row.text.trim().starts_with(title));
    let before = rows.iter().take(titles.len()).take_while(titled).count();
    let Some(head) = rows.get(before) else { return 0 };
    let Some(columns) = columns(head, "Destination", "Flags").filter(|columns| columns.contains(&"Gateway")) else {
        return 0;
    };
    let is_linux = columns.contains(&"Genmask");
    draft.seen(if is_linux { System::Linux } else { System::FreeBsd });
    let mut taken = 0;
    for row in rows[before + 1..].iter().take_while(|row| !row.prompt) {
        let cells: Vec<&str> = row.words().collect();
        let route = if is_linux { linux_route(&columns, &cells) } else { freebsd_route(&columns, &cells) };
        let Some((to, via, device, mtu, attributes)) = route else { break };
        let [via, device] = [via, device].map(|name| name.map(str::to_owned));
        let place = draft.place(row.index);
        draft.host.routes.push(Route { place, to, via, device, mtu, attributes });
        taken += 1;
    }
    before + 1 + taken
}

/// Reads `netstat -r -6` and `route -6` of Linux (net-tools, lib/inet6_gr.c).
fn read_ipv6_routes(rows: &[HostRow<'_>], draft: &mut Draft<'_>) -> usize {
    const COLUMNS: [&str; 8] = ["Destination", "Next", "Hop", "Flag", "Met", "Ref", "Use", "If"];
    let before = usize::from(!rows[0].prompt && rows[0].text.trim() == "Kernel IPv6 routing table");
    if !rows.get(before).is_some_and(|row| !row.prompt && row.words().eq(COLUMNS)) {
        return 0;
    }
    draft.seen(System::Linux);
    let mut taken = 0;
    for row in rows[before + 1..].iter().take_while(|row| !row.prompt) {
        let cells: Vec<&str> = row.words().collect();
        let [to, via, flags, metric, _, _, device] = cells[..] else { break };
        if !is_address(to) || metric.parse::<i64>().is_err() {
            break;
        }
        taken += 1;
        // RTF_NONEXTHOP: the host's own addresses, and unreachable routes.
        if flags.contains('n') {
            continue;
        }
        let to = if to == "::/0" { "default".to_owned() } else { to.to_owned() };
        let via = Some(via).filter(|via| *via != "::").map(str::to_owned);
        let place = draft.place(row.index);
        let device = Some(device.to_owned());
        draft.host.routes.push(Route { place, to, via, device, mtu: None, attributes: vec![] });
    }
    before + 1 + taken
}

/// Destination, gateway, device, MTU and attributes.
type Cells<'a> = (String, Option<&'a str>, Option<&'a str>, Option<u32>, Vec<(String, String)>);

fn linux_route<'a>(columns: &[&str], cells: &[&'a str]) -> Option<Cells<'a>> {
    let get = |name: &str| cell(columns, cells, name);
    let mask = get("Genmask")?.parse::<Ipv4Addr>().ok()?.to_bits().count_ones();
    let (to, via) = (get("Destination")?, get("Gateway")?);
    if cells.len() != columns.len() {
        return None;
    }
    let to = if matches!(to, "0.0.0.0" | "default") { "default".to_owned() } else { format!("{to}/{mask}") };
    // The MSS column is the advertised MSS plus 40 (Linux, net/ipv4/fib_trie.c: fib_route_seq_show).
    let mss = get("MSS").and_then(|mss| mss.parse::<u32>().ok()).and_then(|mss| mss.checked_sub(40));
    let mss = mss.map(|mss| ("advmss".to_owned(), mss.to_string()));
    let window = get("Window").filter(|window| *window != "0").map(|window| ("window".to_owned(), window.to_owned()));
    let via = Some(via).filter(|via| !matches!(*via, "0.0.0.0" | "*"));
    Some((to, via, get("Iface").filter(|device| *device != "*"), None, mss.into_iter().chain(window).collect()))
}

fn freebsd_route<'a>(columns: &[&str], cells: &[&'a str]) -> Option<Cells<'a>> {
    let get = |name: &str| cell(columns, cells, name);
    let (to, via, device) = (get("Destination")?, get("Gateway")?, get("Netif")?);
    let scoped = |word: &str| match word.split_once('%') {
        Some((address, scope)) => match scope.split_once('/') {
            Some((_, length)) => format!("{address}/{length}"),
            None => address.to_owned(),
        },
        None => word.to_owned(),
    };
    // Names that were too long are cut.
    let known = to == "default" || is_address(&scoped(to)) || to == "localhost" || to.contains(['.', ':']);
    if !known || !get("Flags")?.starts_with(|c: char| c.is_ascii_uppercase()) || cells.len() > columns.len() {
        return None;
    }
    let mtu = get("Mtu").and_then(|mtu| mtu.parse().ok());
    Some((to.to_owned(), Some(via).filter(|via| !via.starts_with("link#")), Some(device), mtu, vec![]))
}

#[cfg(test)]
mod tests {
    use super::super::tests::host;
    use crate::System;

    #[test]
    fn the_table_of_a_bond_says_its_members() {
        let host = host(
            "Kernel Interface table\nIface MTU Met RX-OK RX-ERR RX-DRP RX-OVR TX-OK TX-ERR TX-DRP TX-OVR Flg\n\
             bond0 7200 0 16388743 0 0 0 17106828 0 92 0 BMmRU\neth1 7200 0 8194372 0 0 0 8553414 0 46 0 BMsRU\n\
             eth2 7200 0 8194371 0 0 0 8553414 0 46 0 BMsRU\nProse follows.\n",
        );
        let [bond0, eth1, eth2] = &host.interfaces[..] else { panic!("{host:?}") };
        assert_eq!((bond0.kind.as_deref(), bond0.mtu, bond0.master.as_deref()), (Some("bond"), Some(7200), None));
        assert_eq!([&eth1.master, &eth2.master].map(|m| m.as_deref()), [Some("bond0"); 2]);
        let dropped = eth1.counters.iter().find(|c| c.name == "TX-DRP").unwrap();
        assert_eq!((dropped.value, dropped.place.line), (46, 4));
        assert_eq!(eth1.counters.len(), 8);
    }

    #[test]
    fn the_table_of_freebsd_counts_each_link_once() {
        let host = host(
            "Name    Mtu Network       Address              Ipkts Ierrs Idrop    Opkts Oerrs  Coll\n\
             em0    1500 <Link#1>      08:00:27:a0:b1:c2   159232     0     3    90821     0     0\n\
             em0       - 10.0.2.0/24   10.0.2.15           158000     -     -    90000     -     -\n\
             lo0   16384 <Link#2>                             128     0     0      128     0     0\n",
        );
        assert_eq!(host.system, Some(System::FreeBsd));
        let [em0, lo0] = &host.interfaces[..] else { panic!("{host:?}") };
        let counters = |interface: &crate::Interface| {
            interface.counters.iter().map(|c| (c.name.clone(), c.value)).collect::<Vec<_>>()
        };
        assert_eq!(
            counters(em0)[..3],
            [("Ipkts".to_owned(), 159232), ("Ierrs".to_owned(), 0), ("Idrop".to_owned(), 3)]
        );
        assert_eq!((lo0.mtu, counters(lo0)[0].1, counters(lo0).len()), (Some(16384), 128, 6));
    }

    #[test]
    fn routes_of_linux_are_read() {
        let host = host(
            "Kernel IP routing table\nDestination     Gateway         Genmask         Flags   MSS Window  irtt Iface\n\
             0.0.0.0         192.0.2.1       0.0.0.0         UG        0 0          0 eth0\n\
             10.4.0.0        10.0.0.2        255.255.0.0     UG     1400 0          0 v1\n\
             10.7.0.0        0.0.0.0         255.255.0.0     U         0 0          0 *\n",
        );
        let [default, tuned, hole] = &host.routes[..] else { panic!("{host:?}") };
        assert_eq!(
            (default.to.as_str(), default.via.as_deref(), default.device.as_deref()),
            ("default", Some("192.0.2.1"), Some("eth0"))
        );
        assert_eq!(
            (tuned.to.as_str(), &tuned.attributes[..]),
            ("10.4.0.0/16", &[("advmss".to_owned(), "1360".to_owned())][..])
        );
        assert_eq!((hole.via.as_deref(), hole.device.as_deref()), (None, None));
    }

    /// Recorded: net-tools 2.10.
    #[test]
    fn routes_of_ipv6_are_read() {
        let host = host(
            "Kernel IPv6 routing table\n\
             Destination                    Next Hop                   Flag Met Ref  Use If\n\
             fd00::/64                      ::                         U    256 1      0 nic\n\
             ::/0                           fd00::2                    UG   1024 4      0 nic\n\
             ::1/128                        ::                         Un   0   2      0 lo\n\
             ff00::/8                       ::                         U    256 5      0 nic\n\
             ::/0                           ::                         !n   -1  1      0 lo\n",
        );
        let routes: Vec<_> =
            host.routes.iter().map(|r| (r.to.as_str(), r.via.as_deref(), r.device.as_deref())).collect();
        let nic = Some("nic");
        assert_eq!(routes, [("fd00::/64", None, nic), ("default", Some("fd00::2"), nic), ("ff00::/8", None, nic)]);
    }

    /// FRRouting/frr pull request 6365, shortened; the columns of `-W` are those of netstat(1) of FreeBSD 14.
    #[test]
    fn routes_of_freebsd_are_read_with_and_without_mtu() {
        let plain = host(
            "Routing tables\n\nInternet:\nDestination        Gateway            Flags     Netif Expire\n\
             default            192.168.122.1      UGS      vtnet0\n192.168.122.0/24   link#1             U        vtnet0\n\n\
             Internet6:\nDestination                       Gateway                       Flags     Netif Expire\n\
             ::/96                             ::1                           UGRS        lo0\n\
             fe80::%vtnet0/64                  link#1                        U        vtnet0\n",
        );
        assert_eq!(plain.routes.len(), 4);
        assert_eq!((plain.routes[0].via.as_deref(), plain.routes[1].via.as_deref()), (Some("192.168.122.1"), None));
        let wide = host(
            "Internet:\nDestination        Gateway            Flags   Nhop#    Mtu      Netif Expire\n\
             default            10.0.0.1           UGS         4   1500     vtnet0\n\
             10.4.0.0/16        10.0.0.1           UGS         5   1400     vtnet0\n",
        );
        assert_eq!(wide.routes.iter().map(|route| route.mtu).collect::<Vec<_>>(), [Some(1500), Some(1400)]);
        assert_eq!(wide.routes[1].device.as_deref(), Some("vtnet0"));
    }
}
