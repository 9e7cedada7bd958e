//! NAT on a router: the address that the far side sees, and TCP through a NAT that forgets connections.

use crate::support::{Recorded, record};

const MS: u64 = 1_000_000;

/// 10.0.0.1 behind a router that is 10.0.1.1 towards the other one, and 10.0.2.1 behind that.
fn behind_nat(nat: &str, flow: &str, family: &str) -> Recorded {
    let far = if family == "ipv6" { "tcp6" } else { "tcp" };
    let own = if family == "both" { "family = \"ipv4\"," } else { "" };
    record(&format!(
        r#"
        title = "nat"
        family = "{family}"
        hosts = {{ a = {{}}, b = {{ run = [{{ at = "500 ms", command = "cat /proc/net/{far}" }}] }} }}
        routers = {{ home = {{ {nat} }}, isp = {{}} }}
        links = [
            {{ between = ["a", "home"], rate = "100 Mbit/s", buffer = "100 packets" }},
            {{ between = ["home", "isp"], rate = "10 Mbit/s", delay = "10 ms", buffer = "100 packets" }},
            {{ between = ["isp", "b"], rate = "100 Mbit/s", buffer = "100 packets" }},
        ]
        flows = [{{ from = "a", to = "b", {own} {flow} }}]
        "#
    ))
}

/// Address and port of the peers of connections in /proc/net/tcp, where an address is in the order of the machine.
fn peers(run: &Recorded) -> Vec<(String, u16)> {
    let peer = |line: &str| {
        let (address, port) = line.split_whitespace().nth(2)?.split_once(':')?;
        let (address, port) = (u128::from_str_radix(address, 16).ok()?, u16::from_str_radix(port, 16).ok()?);
        (port != 0).then(|| (format!("{address:032x}"), port))
    };
    run.series.facts.ran[0].output.lines().skip(1).filter_map(peer).collect()
}

const UP: &str = "duration = \"4 s\"";
/// 4.5 MB take 3.8 s on the slow link.
const DOWN: &str = "kind = \"requests\", response = \"4500 kB\", duration = \"4 s\"";

#[test]
fn the_far_side_sees_the_routers_address() {
    let seen = |nat: &str, family: &str| peers(&behind_nat(nat, UP, family))[0].0.clone();
    // 10.0.0.1 and 10.0.1.1, the last byte first.
    assert_eq!(seen("", "ipv4"), format!("{:032x}", 0x0100_000a));
    assert_eq!(seen("nat = { outside = \"isp\" }", "ipv4"), format!("{:032x}", 0x0101_000a));
    assert_eq!(seen("nat = { outside = \"isp\" }", "both"), format!("{:032x}", 0x0101_000a));
    // fd00::1 and fd00:0:0:1::1, the last byte first in each word of 32 bits.
    assert_eq!(seen("", "ipv6"), "000000fd000000000000000001000000");
    assert_eq!(seen("nat = { outside = \"isp\" }", "ipv6"), "000000fd010000000000000001000000");
}

/// When the receiver got its last new byte, ms.
fn last_byte(run: &Recorded) -> u64 {
    let received = &run.series.flows[0].received;
    let all = received.last().unwrap().1;
    received.iter().find(|(_, bytes)| *bytes == all).unwrap().0 / MS
}

/// All mappings are lost after 2 s of 4. The next packet from inside makes a new one, with the same port if it is kept
/// (nf_nat_core.c), unless one from outside comes first: the router takes that for its own and resets the connection. A new
/// port is none that the far side knows (RFC 9293, 3.10.7.1), so that resets it.
#[test]
fn a_nat_that_forgets_breaks_what_does_not_go_on_from_inside() {
    let nat = |more: &str| format!("nat = {{ outside = \"isp\", forgets = [\"2 s\"]{more} }}");
    let last = |more: &str, flow: &str| last_byte(&behind_nat(&nat(more), flow, "ipv4"));
    let goes_on = last(", unknown = \"dropped\"", UP);
    assert!(goes_on > 3_900, "kept ports, data from inside: {goes_on} ms");
    for (more, flow) in [
        (", ports = \"random\"", UP),
        (", ports = \"random\", unknown = \"dropped\"", UP),
        ("", DOWN),
        (", ports = \"random\", unknown = \"dropped\"", DOWN),
    ] {
        let ended = last(more, flow);
        assert!((1_900..2_300).contains(&ended), "{more}, {flow}: {ended} ms");
    }
}
