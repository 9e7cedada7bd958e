//! Tunnels and bonds of routers between FreeBSD's hosts.

use super::{PAYLOAD_SHARE, SECOND, kernel};
use crate::support::{Recorded, try_record_on};
use lab::kernel::Entry;

/// Two hosts, each behind a router; `inner` has keys of the links between the routers.
fn through(kernel: Entry, hosts: [&str; 2], inner: &[&str], tunnel: &str) -> Recorded {
    let link =
        |between: &str, what: &str| format!("[[links]]\nbetween = [{between}]\nbuffer = \"500 packets\"\n{what}\n");
    let host = |stack: &str| format!("{{ stack = \"{stack}\", nic = \"10 Gbit/s\" }}");
    let [a, b] = hosts.map(host);
    let spec = [
        format!("title = \"between routers\"\nhosts = {{ a = {a}, b = {b} }}\nrouters = {{ r1 = {{}}, r2 = {{}} }}\n{tunnel}\n"),
        link("\"a\", \"r1\"", "rate = \"1 Gbit/s\"\ndelay = \"1 ms\""),
        inner.iter().map(|what| link("\"r1\", \"r2\"", &format!("rate = \"100 Mbit/s\"\ndelay = \"5 ms\"\n{what}"))).collect(),
        link("\"r2\", \"b\"", "rate = \"1 Gbit/s\"\ndelay = \"1 ms\""),
        "[[flows]]\nfrom = \"a\"\nto = \"b\"\ncongestion = \"cubic\"\nduration = \"6 s\"\n".to_owned(),
    ]
    .concat();
    try_record_on(&spec, kernel).unwrap_or_else(|error| panic!("{error}"))
}

/// Inner MTU at 1,500 bytes: less IPv4 20 and GRE 4 (RFC 2784); less 20, UDP 8, VXLAN 8 and Ethernet 14 (RFC 7348);
/// less ESP's 20 + 8 + 8 + 16, in blocks of 4, and 2 more (RFC 4303, 4106); less room for IPv6 in WireGuard, 80. The
/// segment is the inner MTU less 40 of headers and 12 of timestamps; its frame on the wire is 38 more than the outer
/// packet.
#[test]
fn a_tunnel_of_routers_leaves_the_segments_that_fit() {
    let Some(kernel) = kernel() else { return };
    let kinds = [
        ("kind = \"gre\"", 1476, 1500),
        ("kind = \"vxlan\"", 1450, 1500),
        ("kind = \"esp\"", 1446, 1500),
        ("kind = \"wireguard\"", 1420, 1420 + 60),
    ];
    for (n, (kind, inner, outer)) in kinds.into_iter().enumerate() {
        let hosts = [["freebsd", "linux"], ["freebsd", "freebsd"]][n % 2];
        let tunnel = format!("tunnels = [{{ between = [\"r1\", \"r2\"], {kind} }}]");
        let run = through(kernel.clone(), hosts, &[""], &tunnel);
        let mss = inner - 52;
        assert_eq!(run.last_of(0, 0, ["snd_mss"]), [mss], "{kind}, {hosts:?}");
        let most = 100e6 * mss as f64 / f64::from(outer + 38);
        let goodput = run.goodput(3 * SECOND, 6 * SECOND);
        assert!(goodput > 0.8 * most && goodput <= 1.005 * most, "{kind}, {hosts:?}: {goodput} of {most}");
    }
}

/// Packets in turn over two links of 100 Mbit/s: more than one carries, and no more than both do.
#[test]
fn a_bond_of_routers_carries_more_than_a_link() {
    let Some(kernel) = kernel() else { return };
    for hosts in [["freebsd", "linux"], ["linux", "freebsd"]] {
        let run = through(kernel.clone(), hosts, &["bond = \"balance-rr\""; 2], "");
        let goodput = run.goodput(3 * SECOND, 6 * SECOND) / (100e6 * PAYLOAD_SHARE);
        assert!(goodput > 1.0 && goodput <= 2.01, "{hosts:?}: {goodput} links");
    }
}
