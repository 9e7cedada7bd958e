//! Hosts, switches and routers: the set-up of each one's namespace.

use super::addresses::{Addresses, Station, neighbour, prefix, quiet_address, stations};
use super::furnishing::{Dialect, Furnishing};
use super::lane::Direction;
use super::multipath;
use super::ports::{BRIDGE, Port, port, ports};
use super::routing::{detours, hops, written};
use super::topology::{Step, Ways};
use super::tunnel;
use crate::{Bond, Family, Host, Interrupts, Nat, Node, Offloads, Role, Route, Router, Scene, Stack, Switch};
use evidence::headers::{ETHERNET, Ip};
use wire::ChangeJob;

/// Returns the set-up of a node's namespace.
pub fn furnish(scene: &Scene, node: &Node, dialect: Dialect) -> Furnishing {
    let mut furnishing = Furnishing { sysctls: node.sysctls.clone(), ..Furnishing::new(&node.name, dialect) };
    let into = &mut furnishing;
    into.ip.push("link set dev lo up".into());
    let groups = ports(scene, &node.name);
    for members in &groups {
        bonded(scene, members, into);
    }
    match &node.role {
        Role::Host(host) if host.stack == Stack::FreeBsd => freebsd(scene, node, into),
        Role::Host(host) => {
            stations_of(scene, node, &host.route, into);
            multipath::furnish(scene, node, into);
            drop_input(scene.family, host, into);
        }
        Role::Router(router) => {
            stations_of(scene, node, &Route::default(), into);
            tunnel::furnish(scene, node, into);
            if scene.family.has_ipv6() {
                into.settings.push((FORWARDING_SYSCTL.0.into(), FORWARDING_SYSCTL.1.into()));
            }
            filter(scene.family, router, into);
            if let Some(nat) = &router.nat {
                translate(scene, &groups, nat, into);
            }
        }
        Role::Switch(_) => bridge(scene, node, &groups, into),
    }
    receive(scene, node, &groups, into);
    let mut ports: Vec<&Port> = groups.iter().flatten().collect();
    ports.sort_by_key(|port| port.end.link);
    for port in ports {
        Direction::new(scene, port.end).furnish_port(into);
    }
    if let Role::Switch(Switch { memory: Some(bytes), .. }) = node.role {
        let number = scene.nodes.iter().position(|other| other.name == node.name).unwrap_or(0);
        into.module.push(format!("pool {number} {bytes}"));
        into.module.extend(groups.iter().flatten().map(|port| format!("join {number} {}", port.member)));
    }
    furnishing
}

/// Joins several ports to a bond.
fn bonded(scene: &Scene, members: &[Port], into: &mut Furnishing) {
    let link = &scene.links[members[0].end.link];
    let (Some(bond), mtu) = (link.bond, link.mtu) else { return };
    let mode = match bond {
        Bond::BalanceRr => "balance-rr",
        Bond::ActiveBackup => "active-backup",
        Bond::BalanceXor => "balance-xor xmit_hash_policy layer3+4",
    };
    // A bond that switches links would announce itself to its neighbours, which have fixed entries.
    let monitor = link.miimon.map(|ns| format!(" miimon {} num_grat_arp 0 resend_igmp 0", ns / 1_000_000));
    let monitor = monitor.unwrap_or_default();
    let device = &members[0].device;
    if scene.family.has_ipv6() {
        into.ip.extend(members.iter().map(|port| format!("link set dev {} multicast off", port.member)));
    }
    into.ip.push(format!("link add name {device} mtu {mtu} type bond mode {mode}{monitor}"));
    into.ip.extend(members.iter().map(|port| format!("link set dev {} master {device}", port.member)));
}

/// Turns on IPv6 in a namespace. No device gets an automatic address, so none asks for routers.
const IPV6_SYSCTLS: [(&str, &str); 2] =
    [("net.ipv6.conf.all.addr_gen_mode", "1"), ("net.ipv6.conf.all.disable_ipv6", "0")];

/// Set after the devices exist. A router's devices join the group of all routers (RFC 4291, 2.8), and report that by
/// MLD unless multicast is already off.
const FORWARDING_SYSCTL: (&str, &str) = ("net.ipv6.conf.all.forwarding", "1");

/// Metric of detours, above Linux's defaults for routes without a metric: 0, and 1024 for IPv6 (IP6_RT_PRIO_USER in
/// include/uapi/linux/ipv6_route.h).
const DETOUR_METRIC: usize = 2000;

/// Adds addresses, neighbours and routes.
fn stations_of(scene: &Scene, node: &Node, route: &Route, into: &mut Furnishing) {
    let all = stations(scene);
    let device = |end: Option<Step>| end.map_or(BRIDGE.into(), |end| port(scene, end).device);
    if scene.family.has_ipv6() {
        into.sysctls.splice(0..0, IPV6_SYSCTLS.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
    for mine in all.iter().filter(|station| station.node.name == node.name) {
        let device = device(mine.port);
        if mine.port.is_some_and(|end| scene.links[end.link].bond.is_some()) {
            into.ip.push(format!("link set dev {device} address {}", mine.address.mac()));
        }
        into.ip.push(format!("link set dev {device} up"));
        let network = mine.address.network();
        // IPv6 comes first: a device that turns ARP off loses its neighbour entries.
        for &family in scene.family.ips().iter().rev() {
            let attributes = attributes(route);
            match family {
                Ip::V4 => {
                    into.ip.push(format!("address add {} dev {device}", mine.address.with_prefix(family)));
                }
                Ip::V6 => {
                    into.ip.extend(quiet_address(mine.address.ip(family), prefix(family), &device));
                    into.ip.push(format!("route add {} dev {device}{attributes}", network.with_prefix(family)));
                }
            }
            for other in all.iter().filter(|s| s.address != mine.address && s.address.network() == network) {
                into.ip.push(neighbour(other.address.ip(family), &other.address.mac(), &device));
            }
            if family == Ip::V4 && !attributes.is_empty() {
                let (network, address) = (network.with_prefix(family), mine.address.ip(family));
                into.ip.push(format!("route replace {network} dev {device} src {address}{attributes}"));
            }
        }
    }
    for hop in hops(scene, &node.name) {
        for &family in scene.family.ips() {
            let (network, via) = (hop.network.with_prefix(family), hop.via.address.ip(family));
            let (device, attributes) = (device(hop.port), attributes(route));
            into.ip.push(format!("route add {network} via {via} dev {device}{attributes}"));
        }
    }
    for (number, hop) in detours(scene, &node.name).iter().enumerate() {
        for &family in scene.family.ips() {
            let (network, via) = (hop.network.with_prefix(family), hop.via.address.ip(family));
            let (device, attributes) = (device(hop.port), attributes(route));
            let metric = DETOUR_METRIC + number;
            into.ip.push(format!("route add {network} via {via} dev {device} metric {metric}{attributes}"));
        }
    }
    for (stations, port, via) in written(scene, &node.name) {
        for (station, &family) in stations.iter().flat_map(|s| scene.family.ips().iter().map(move |family| (s, family)))
        {
            let (to, via) = (station.address.alone(family), via.address.ip(family));
            let (device, attributes) = (device(port), attributes(route));
            into.ip.push(format!("route replace {to} via {via} dev {device}{attributes}"));
        }
    }
}

/// Sets up a FreeBSD host: FreeBSD gets the device, its address, neighbours and routes; Linux has none there.
fn freebsd(scene: &Scene, node: &Node, into: &mut Furnishing) {
    let all = stations(scene);
    let settings = std::mem::take(&mut into.sysctls);
    let mut commands = vec![];
    for mine in all.iter().filter(|station| station.node.name == node.name) {
        let device = mine.port.map_or(BRIDGE.into(), |end| port(scene, end).device);
        into.ip.push(format!("link set dev {device} up"));
        commands.push(format!("host {device}"));
        commands.push(format!("address {}", mine.address.with_prefix(Ip::V4)));
        commands.extend(offloads_of_freebsd(node.offloads));
        let network = mine.address.network();
        let others = all.iter().filter(|s| s.address != mine.address && s.address.network() == network);
        commands.extend(others.map(|other| format!("neighbour {} {}", other.address.ip(Ip::V4), other.address.mac())));
    }
    let routes = hops(scene, &node.name).into_iter();
    commands
        .extend(routes.map(|hop| format!("route {} {}", hop.network.with_prefix(Ip::V4), hop.via.address.ip(Ip::V4))));
    commands.extend(settings.into_iter().map(|(name, value)| format!("sysctl {name} {value}")));
    into.freebsd = commands;
}

/// Returns FreeBSD's offloads: TSO gives large packets to the line, LRO merges those of one interrupt.
fn offloads_of_freebsd(Offloads { tso, lro, interrupts, .. }: Offloads) -> Option<String> {
    let ns = if let Interrupts::Moderated(ns) = interrupts { ns } else { 0 };
    (tso || lro).then(|| format!("offloads {} {} {ns}", u8::from(tso), u8::from(lro)))
}

fn attributes(route: &Route) -> String {
    let mut text = String::new();
    text += &route.mtu.map(|bytes| format!(" mtu {bytes}")).unwrap_or_default();
    text += &route.initial_cwnd.map(|segments| format!(" initcwnd {segments}")).unwrap_or_default();
    text += &route.congestion.as_ref().map(|name| format!(" congctl {name}")).unwrap_or_default();
    text
}

/// Returns nftables' family for a network's tables.
fn table(family: Family) -> &'static str {
    match family {
        Family::Ipv4 => "ip",
        Family::Ipv6 => "ip6",
        Family::Both => "inet",
    }
}

/// Drops packets in the input hook, which comes after GRO.
fn drop_input(family: Family, host: &Host, into: &mut Furnishing) {
    let Some(n) = host.input_loss else { return };
    let table = table(family);
    into.nft.extend([
        format!("add table {table} goodput"),
        format!("add chain {table} goodput input {{ type filter hook input priority 0 ; }}"),
        format!("add rule {table} goodput input meta l4proto tcp numgen inc mod {n} {} counter drop", n - 1),
    ]);
}

/// Adds a router's ICMP filter and MSS clamping.
fn filter(family: Family, router: &Router, into: &mut Furnishing) {
    let table = table(family);
    if !router.icmp || router.clamp_mss {
        into.nft.push(format!("add table {table} goodput"));
    }
    if !router.icmp {
        into.nft.push(format!("add chain {table} goodput output {{ type filter hook output priority 0 ; }}"));
        into.nft.extend(family.ips().iter().map(|ip| {
            let too_big = match ip {
                Ip::V4 => "icmp type destination-unreachable icmp code frag-needed",
                Ip::V6 => "icmpv6 type packet-too-big",
            };
            format!("add rule {table} goodput output {too_big} counter drop")
        }));
    }
    if router.clamp_mss {
        into.nft.extend([
            format!("add chain {table} goodput forward {{ type filter hook forward priority mangle ; }}"),
            format!("add rule {table} goodput forward tcp flags syn / syn,rst tcp option maxseg size set rt mtu"),
        ]);
    }
}

/// Adds a router's NAT. Only routers with NAT use conntrack.
fn translate(scene: &Scene, groups: &[Vec<Port>], nat: &Nat, into: &mut Furnishing) {
    let table = table(scene.family);
    let Some(outside) = groups.iter().map(|members| &members[0]).find(|port| *far(scene, port) == nat.outside) else {
        return;
    };
    let (device, ports) = (&outside.device, if nat.random_ports { " fully-random" } else { "" });
    into.nft.extend([
        format!("add table {table} nat"),
        format!("add chain {table} nat postrouting {{ type nat hook postrouting priority 100 ; }}"),
        format!("add rule {table} nat postrouting oifname \"{device}\" masquerade{ports}"),
    ]);
    if nat.drops_unknown {
        into.nft.extend([
            format!("add chain {table} nat input {{ type filter hook input priority 0 ; }}"),
            format!("add rule {table} nat input iifname \"{device}\" ct state new counter drop"),
        ]);
    }
}

/// Returns the times at which a router's NAT loses its mappings.
pub fn forgets(node: &Node) -> Vec<ChangeJob> {
    let Role::Router(Router { nat: Some(nat), .. }) = &node.role else { return vec![] };
    let change = |&at| ChangeJob { at, namespace: node.name.clone(), module: vec![], tc: vec![], forgets: true };
    nat.forgets.iter().map(change).collect()
}

/// Adds a bridge with fixed forwarding entries, which neither learns nor floods.
fn bridge(scene: &Scene, node: &Node, groups: &[Vec<Port>], into: &mut Furnishing) {
    into.ip.push(format!("link add name {BRIDGE} type bridge stp_state 0 mcast_snooping 0"));
    for device in groups.iter().map(|members| &members[0].device) {
        into.ip.push(format!("link set dev {device} master {BRIDGE}"));
        into.ip.push(format!(
            "link set dev {device} type bridge_slave learning off flood off mcast_flood off bcast_flood off"
        ));
        into.ip.push(format!("link set dev {device} up"));
    }
    match Addresses::from_scene(scene).of_switch(&node.name) {
        Some(address) => {
            into.ip.push(format!("link set dev {BRIDGE} address {}", address.mac()));
            stations_of(scene, node, &Route::default(), into);
        }
        None => into.ip.push(format!("link set dev {BRIDGE} up")),
    }
    let ways = Ways::within(scene, &node.name);
    for station in stations(scene).iter().filter(|station| station.node.name != node.name) {
        if let Some(device) = towards(scene, &ways, station) {
            into.bridge.push(format!("fdb add {} dev {device} master static", station.address.mac()));
        }
    }
}

/// Returns the port of a switch that leads to an address on its own network.
fn towards(scene: &Scene, ways: &Ways, station: &Station) -> Option<String> {
    let way = ways.to(&station.node.name)?;
    let last = way.last()?;
    let end = Step { link: last.link, lane: 1 - last.lane };
    let theirs = Addresses::from_scene(scene).at(end);
    let here = theirs.is_none_or(|theirs| theirs == station.address);
    here.then(|| port(scene, way[0]).device)
}

/// Sets the receive offloads and interrupts of the node's devices.
fn receive(scene: &Scene, node: &Node, groups: &[Vec<Port>], into: &mut Furnishing) {
    let of_port = |port: &Port| match node.is_freebsd() {
        true => Offloads { gso: node.offloads.tso, ..Offloads::default() },
        false => node.offloads_towards(far(scene, port)),
    };
    for members in groups {
        let offloads = of_port(&members[0]);
        for device in members.iter().map(|port| &port.member).chain(members[0].bond()).cloned() {
            // TSO is in the line's token bucket, which cuts frame by frame; a veth passes large packets on unchanged.
            into.offloads.push((device, [false, offloads.gso, offloads.gro || offloads.lro]));
        }
    }
    for port in groups.iter().flatten() {
        let (device, offloads) = (&port.member, of_port(port));
        match offloads.interrupts {
            Interrupts::Each => {}
            Interrupts::Moderated(ns) => into.module.push(format!("coalesce {device} {ns}")),
            Interrupts::Polled(polling) => into.polled.push((device.clone(), polling)),
        }
        if offloads.lro {
            into.module.push(format!("lro {device}"));
        }
        if offloads.tso_fault {
            drop_merged(device, scene.links[port.end.link].mtu, into);
        }
    }
}

/// Drops packets larger than a frame before their device cuts them. At egress, meta(pkt_len) counts the Ethernet
/// header.
fn drop_merged(device: &str, mtu: u32, into: &mut Furnishing) {
    into.tc.push(format!("qdisc add dev {device} clsact"));
    into.tc
        .push(format!("filter add dev {device} egress basic match 'meta(pkt_len gt {})' action drop", mtu + ETHERNET));
}

/// Returns the node at the other end of a port's link.
fn far<'s>(scene: &'s Scene, port: &Port) -> &'s String {
    &scene.links[port.end.link].ends[1 - port.end.lane].node
}
